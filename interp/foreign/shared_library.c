/* Libraries of C and what they export.  Nothing is loaded, nor looked for, but where the caller of PSL allows
 * it: a library does what it likes as soon as it is loaded.  load.c comes here for evaluators of users,
 * psl.c for externs. */
#include "interp/foreign/foreign.h"
#include "grammar/folder.h"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- libraries ---- */

struct found {
  struct arena *arena;
  const char **items;
  uint32_t count, capacity;
};

static bool is_library(const char *name) {
  const char *so = strstr(name, ".so");
  return so && (!so[3] || so[3] == '.');
}

static void add_folder(struct found *words, const char *folder) {
  const char **names;
  uint32_t count = folder_names(words->arena, folder, is_library, &names);
  for (uint32_t i = 0; i < count; i++)
    ARENA_PUSH(words->arena, words->items, words->count, words->capacity, names[i]);
}

/* Where the system's loader looks. */
static void add_system(struct found *words) {
  Dl_serinfo size;
  void *self = dlopen(NULL, RTLD_LAZY);
  if (!self) return;
  if (dlinfo(self, RTLD_DI_SERINFOSIZE, &size) == 0) {
    Dl_serinfo *folders = arena_alloc(words->arena, size.dls_size);
    if (dlinfo(self, RTLD_DI_SERINFOSIZE, folders) == 0 && dlinfo(self, RTLD_DI_SERINFO, folders) == 0)
      for (unsigned i = 0; i < folders->dls_cnt; i++)
        add_folder(words, folders->dls_serpath[i].dls_name);
  }
  dlclose(self);
}

static int by_text(const void *a, const void *b) { return strcmp(*(const char *const *)a, *(const char *const *)b); }

/* libm.so for libm.so.6, whose file of that name is for the linker alone. */
static const char *nearest(struct found *words, const char *name) {
  size_t length = strlen(name);
  if (words->count) qsort(words->items, words->count, sizeof *words->items, by_text);
  for (uint32_t i = 0; i < words->count; i++)
    if (!strncmp(words->items[i], name, length) && words->items[i][length] == '.') return words->items[i];
  return nearest_name(name, words->items, words->count);
}

static void not_loaded(struct model *m, const char *name, const char *folder, const char *why, struct span span) {
  struct found words = {.arena = m->arena};
  diagnostic_add(m->diagnostics, SEVERITY_ERROR, span, "cannot load '%s': %s", name, why);
  if (strchr(name, '/')) return;
  add_folder(&words, folder);
  add_system(&words);
  const char *near = nearest(&words, name);
  if (near && strcmp(near, name)) diagnostic_help(m->diagnostics, (struct span){0}, "did you mean '%s'?", near);
}

static const char *in_folder(struct model *m, const char *folder, const char *name) {
  const char *path = arena_printf(m->arena, "%s/%s", *folder ? folder : ".", name);
  return access(path, F_OK) == 0 ? path : NULL;
}

static const char *find_library(struct model *m, const char *name, const struct foreign_folders *folders) {
  if (name[0] == '/') return name;
  const char *path = in_folder(m, folders->own, name);
  for (uint32_t i = 0; !path && i < folders->count; i++)
    path = in_folder(m, folders->others[i], name);
  if (!path && strchr(name, '/')) path = arena_printf(m->arena, "%s/%s", *folders->own ? folders->own : ".", name);
  return path ? path : name;
}

struct foreign_library *foreign_library(struct model *model, const char *name, const struct foreign_folders *folders,
                                        struct span span) {
  const char *path = find_library(model, name, folders);
  for (struct foreign_library *known = model->libraries; known; known = known->next)
    if (!strcmp(known->path, path)) return known;
  struct foreign_library *library = ARENA_NEW(model->arena, struct foreign_library);
  library->name = name;
  library->path = path;
  const char *why;
  library->handle = foreign_open(path, &library->content, &why);
  if (!library->handle) {
    not_loaded(model, name, folders->own, why, span);
    return NULL;
  }
  library->next = model->libraries; /* first, so that they are closed in the opposite order */
  model->libraries = library;
  return library;
}

void foreign_unload(struct model *model) {
  for (struct foreign_library *library = model->libraries; library; library = library->next)
    foreign_close(library->handle);
  model->libraries = NULL;
}

void *foreign_symbol(const struct foreign_library *library, const char *name) {
  dlerror();
  return dlsym(library->handle, name);
}

/* ---- functions ---- */

/* Is it a variable of the library? Then it cannot be called. */
static bool is_variable(void *address) {
  Dl_info info;
  void *extra = NULL;
  if (!dladdr1(address, &info, &extra, RTLD_DL_SYMENT) || !extra || info.dli_saddr != address) return false;
  const ElfW(Sym) *entry = extra;
  return (entry->st_info & 0xf) == STT_OBJECT || (entry->st_info & 0xf) == STT_TLS;
}

/* The names that a library has in its table, for "did you mean". */
static void add_names(struct found *words, const struct foreign_library *library) {
  struct link_map *map;
  const char *strings = NULL;
  const ElfW(Sym) *symbols = NULL;
  size_t size = 0;
  if (dlinfo(library->handle, RTLD_DI_LINKMAP, &map) != 0) return;
  for (const ElfW(Dyn) *entry = map->l_ld; entry->d_tag != DT_NULL; entry++) {
    if (entry->d_tag == DT_STRTAB) strings = (const char *)entry->d_un.d_ptr;
    if (entry->d_tag == DT_SYMTAB) symbols = (const ElfW(Sym) *)entry->d_un.d_ptr;
    if (entry->d_tag == DT_STRSZ) size = entry->d_un.d_val;
  }
  /* the table of strings stands behind that of symbols in every library that the GNU linker makes */
  if (!strings || !symbols || (const char *)symbols >= strings) return;
  size_t count = (size_t)(strings - (const char *)symbols) / sizeof *symbols;
  for (size_t i = 1; i < count; i++) {
    if (symbols[i].st_name >= size || symbols[i].st_shndx == SHN_UNDEF) continue;
    if ((symbols[i].st_info & 0xf) != STT_FUNC && (symbols[i].st_info & 0xf) != STT_GNU_IFUNC) continue;
    ARENA_PUSH(words->arena, words->items, words->count, words->capacity, strings + symbols[i].st_name);
  }
}

static bool link_function(struct model *m, const struct foreign_library *library, struct foreign_function *function) {
  void *address = foreign_symbol(library, function->entry);
  if (address && !is_variable(address)) {
    memcpy(&function->address, &address, sizeof address);
    return true;
  }
  if (address) {
    diagnostic_add(m->diagnostics, SEVERITY_ERROR, function->span, "'%s' of '%s' is a variable, no function",
                   function->entry, library->name);
    return false;
  }
  struct found words = {.arena = m->arena};
  diagnostic_add(m->diagnostics, SEVERITY_ERROR, function->span, "'%s' has no function '%s'", library->name,
                 function->entry);
  add_names(&words, library);
  const char *near = nearest_name(function->entry, words.items, words.count);
  if (near) diagnostic_help(m->diagnostics, (struct span){0}, "did you mean '%s'?", near);
  return false;
}

static const char *folder_of(struct model *m, const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? arena_copy(m->arena, path, (size_t)(slash - path)) : "";
}

bool foreign_link(struct model *model, const char *const *folders, uint32_t folder_count) {
  bool fine = true;
  const struct foreign_library *library = NULL;
  const struct decl *decl = NULL;
  for (uint32_t i = 0; i < model->foreign_count; i++) {
    struct foreign_function *function = model->foreign[i];
    if (function->decl != decl) { /* the functions of an extern stand together */
      decl = function->decl;
      const char *own = folder_of(model, source_of(model->sources, decl->span.begin)->path);
      const struct foreign_folders searched = {own, folders, folder_count};
      library = foreign_library(model, decl->foreign.library, &searched, decl->foreign.library_span);
    }
    fine &= library && link_function(model, library, function);
  }
  return fine;
}
