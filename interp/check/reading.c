/* Which files a model may read, and reading them.  A model that somebody else has written shall not get at files that
 * are none of its business: it reads what stands in the folders of the files that its user has named, in those that
 * `use` searches, and in those that its user allows; not what is hidden there, nor what a link there names outside of
 * them.  load.c comes here for every file. */
#include "interp/check/load.h"
#include "interp/check/checker.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *file_canonical(struct arena *arena, const char *path) {
  char resolved[PATH_MAX];
  const char *name = realpath(path, resolved) ? resolved : path;
  return arena_copy(arena, name, strlen(name));
}

const char *file_folder(struct arena *arena, const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? arena_copy(arena, path, (size_t)(slash - path)) : "";
}

/* ---- the folders that may be read ---- */

static void add_folder(struct model *m, const char *folder) {
  struct model_loading *l = m->loading;
  const char *canonical = file_canonical(m->arena, folder);
  for (uint32_t i = 0; i < l->readable_count; i++)
    if (!strcmp(l->readable[i], canonical)) return;
  ARENA_PUSH(m->arena, l->readable, l->readable_count, l->readable_capacity, canonical);
}

void reading_open(struct model *m) {
  const struct load_options *options = &m->loading->options;
  for (uint32_t i = 0; i < options->folder_count; i++)
    add_folder(m, options->folders[i]);
  for (uint32_t i = 0; i < options->readable_count; i++)
    add_folder(m, options->readable[i]);
}

/* Of a file with a link's name what stands beside the link belongs to it, and what stands beside the file. */
void reading_named(struct model *m, const char *path) {
  const char *folder = file_folder(m->arena, path), *target = file_canonical(m->arena, path);
  add_folder(m, *folder || *path == '/' ? arena_printf(m->arena, "%s/", folder) : ".");
  if (*target == '/') add_folder(m, arena_printf(m->arena, "%s/", file_folder(m->arena, target)));
}

/* Does the file stand in the folder, and nowhere in it that is hidden? */
static bool holds(const char *folder, const char *file) {
  size_t length = strlen(folder);
  if (length == 1) length = 0; /* "/" */
  return strncmp(folder, file, length) == 0 && file[length] == '/' && !strstr(file + length, "/.");
}

bool reading_allowed(const struct model *m, const char *canonical) {
  const struct model_loading *l = m->loading;
  for (uint32_t i = 0; i < l->readable_count; i++)
    if (holds(l->readable[i], canonical)) return true;
  return false;
}

static const char *path_allowed(struct model *m, struct arena *arena, const char *path, const char *name,
                                const char **why) {
  const struct load_options *options = &m->loading->options;
  const char *file = file_canonical(arena, path), *folder = file_folder(arena, file);
  if (!reading_allowed(m, file))
    *why = arena_printf(arena, "'%s' is not in a folder that the model may read: --allow-read %s allows it", name,
                        *folder ? folder : "/");
  else
    *why = options->read ? options->read(options->read_user, file) : NULL;
  return *why ? NULL : file;
}

const char *reading_path(struct model *m, struct arena *arena, const char *name, const char **why) {
  const struct load_options *options = &m->loading->options;
  if (options->alias && strcmp(name, options->alias) == 0) return options->alias_path;
  const char *own = m->file_count ? file_folder(arena, m->loading->files[0]->path) : "";
  const char *beside = *own && *name != '/' ? arena_printf(arena, "%s/%s", own, name) : name;
  if (access(name, F_OK) == 0) return path_allowed(m, arena, name, name, why);
  if (access(beside, F_OK) == 0) return path_allowed(m, arena, beside, name, why);
  *why = arena_printf(arena, "no file '%s'", name);
  return NULL;
}

/* ---- reading ---- */

enum { SOME = 1 << 16 };

/* What is no plain file may make a reader wait, for as long as nobody writes there: the user may want an end. */
static bool wait_for_text(const struct memory *memory, int file) {
  struct pollfd wanted = {.fd = file, .events = POLLIN};
  int came;
  while ((came = poll(&wanted, 1, 100)) == 0 || (came < 0 && errno == EINTR))
    if (interrupt_wanted(memory)) {
      errno = EINTR;
      return false;
    }
  return true;
}

/* As much as there is, at most `size`: 0 at the end, negative with errno. */
static ssize_t read_some(const struct memory *memory, int file, bool plain, char *text, size_t size) {
  for (;;) {
    if (!plain && !wait_for_text(memory, file)) return -1;
    ssize_t got = read(file, text, size);
    if (got >= 0 || (errno != EINTR && errno != EAGAIN)) return got;
  }
}

/* Reads to the end, into `text` or what it is grown to: nothing is allocated while a plain file is open. */
static char *text_of(struct arena *arena, int file, bool plain, char *text, size_t capacity, size_t *size) {
  for (*size = 0;;) {
    ssize_t got = read_some(arena->memory, file, plain, text + *size, capacity - *size);
    if (got < 0) return NULL;
    if (got == 0) return text;
    *size += (size_t)got;
    if (*size < capacity) continue;
    if (capacity > INT32_MAX / 2) {
      errno = EFBIG;
      return NULL;
    }
    text = arena_grow(arena, text, capacity, capacity * 2);
    capacity *= 2;
  }
}

char *file_text(struct arena *arena, const char *path, size_t *size) {
  struct stat status;
  if (stat(path, &status) < 0) return NULL;
  bool plain = S_ISREG(status.st_mode);
  if (S_ISDIR(status.st_mode) || (plain && status.st_size >= INT32_MAX)) {
    errno = S_ISDIR(status.st_mode) ? EISDIR : EFBIG;
    return NULL;
  }
  size_t capacity = plain ? (size_t)status.st_size + 1 : SOME;
  char *text = arena_alloc(arena, capacity);
  int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* what was plain may be a pipe by now */
  if (file < 0) return NULL;
  text = text_of(arena, file, plain, text, capacity, size);
  int error = errno;
  close(file);
  interrupt_look(arena->memory);
  errno = error;
  return text;
}

char *plain_file_text(struct arena *arena, const char *path, size_t most, size_t *size, const char **why) {
  struct stat status;
  bool there = stat(path, &status) == 0;
  *why = NULL;
  if (there && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode))
    *why = "it is no file";
  else if (there && S_ISREG(status.st_mode) && (uintmax_t)status.st_size > most)
    *why = arena_printf(arena, "it has more than %zu bytes, too many for what it is to be", most);
  errno = *why ? EINVAL : 0;
  char *text = *why ? NULL : file_text(arena, path, size);
  if (!text && !*why) *why = strerror(errno);
  return text;
}

char *standard_input_text(struct arena *arena, size_t *size) {
  char *text = text_of(arena, STDIN_FILENO, false, arena_alloc(arena, SOME), SOME, size);
  interrupt_look(arena->memory);
  return text;
}

const char *reading_unsaved(const struct load_options *options, struct arena *arena, const char *path, size_t *size) {
  return options->unsaved ? options->unsaved(options->read_user, file_canonical(arena, path), size) : NULL;
}

static const char *read_text(const struct load_options *options, struct arena *arena, const char *path, size_t *size,
                             const char **why) {
  *why = options->read ? options->read(options->read_user, path) : NULL;
  const char *unsaved = *why ? NULL : reading_unsaved(options, arena, path, size);
  if (unsaved) return unsaved;
  const char *text = *why ? NULL : file_text(arena, path, size);
  if (!text && !*why) *why = strerror(errno);
  return text;
}

const char *reading_text(struct model *m, const char *identity, const char *path, size_t *size, const char **why) {
  const struct load_options *options = &m->loading->options;
  struct text_cache *cache = options->cache;
  if (!cache) return read_text(options, m->arena, path, size, why);
  for (uint32_t i = 0; i < cache->count; i++) {
    *size = cache->items[i].size;
    if (!strcmp(cache->items[i].identity, identity)) return cache->items[i].text;
  }
  const char *text = read_text(options, cache->arena, path, size, why);
  if (!text) return NULL;
  struct cached_text item = {arena_copy(cache->arena, identity, strlen(identity)), text, *size};
  ARENA_PUSH(cache->arena, cache->items, cache->count, cache->capacity, item);
  return text;
}
