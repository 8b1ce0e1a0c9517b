/* From a path to all files of a model: the file asked for, the prelude (units, and the coercions that stand
 * alone), and what they `use`, each file once.  psl.h and the command line come in here. */
#include "interp/check/load.h"
#include "evaluators/conversation.h"
#include "evaluators/programs/operations.h"
#include "grammar/folder.h"
#include "interp/check/checker.h"
#include "interp/uml/uml.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- paths ---- */

static const char *join(struct arena *arena, const char *folder, const char *name, const char *ending) {
  if (name[0] == '/') return arena_printf(arena, "%s%s", name, ending);
  return arena_printf(arena, "%s%s%s%s", folder, *folder ? "/" : "", name, ending);
}

static bool is_file(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

/* ---- the list of files ---- */

/* `handed`: no file has it. */
static struct loaded_file *add_text(struct model *m, const char *path, const char *identity, const char *text,
                                    size_t size, uint32_t lines_before, bool handed) {
  struct model_loading *l = m->loading;
  bool uml = uml_is_file(path);
  struct source *source = uml ? uml_model(m->arena, m->names, m->diagnostics, m->sources, path, text, size)
                              : source_add(m->sources, path, text, size);
  if (!source) {
    if (!uml)
      diagnostic_add(m->diagnostics, SEVERITY_ERROR, (struct span){0, 0}, "%s: the files of the model are too large",
                     path);
    l->broken = true;
    return NULL;
  }
  source->lines_before = lines_before;
  source->handed = handed;
  struct loaded_file *file = ARENA_NEW(m->arena, struct loaded_file);
  file->identity = identity;
  file->path = path;
  file->place = m->file_count;
  file->file = parse_file(m->arena, m->names, m->diagnostics, source);
  l->broken |= file->file->broken;
  ARENA_PUSH(m->arena, m->files, m->file_count, l->file_capacity, file->file);
  ARENA_PUSH(m->arena, l->files, l->count, l->capacity, file);
  return file;
}

static struct loaded_file *known(struct model *m, const char *identity) {
  for (uint32_t i = 0; i < m->loading->count; i++)
    if (!strcmp(m->loading->files[i]->identity, identity)) return m->loading->files[i];
  return NULL;
}

/* Does the file stand in a folder of PSL's own library? */
static bool in_library(const struct load_options *options, const char *path) {
  for (uint32_t i = options->own_count; i < options->folder_count; i++) {
    size_t length = strlen(options->folders[i]);
    if (!strncmp(path, options->folders[i], length) && path[length] == '/' && !strchr(path + length + 1, '/'))
      return true;
  }
  return false;
}

/* A trace of a program, or a table, in the place of a model: it is said what takes it. */
static bool is_other_kind(struct model *m, const char *path, struct span span) {
  const char *ending = strrchr(path, '.');
  bool table = ending && !strcmp(ending, ".csv");
  if (!ending || !strcmp(ending, ".psl") || !(table || program_source_is(path))) return false;
  diagnostic_add(m->diagnostics, SEVERITY_ERROR, span, "'%s' is a %s, not a model", path,
                 table ? "table of measurements" : "trace of a program");
  if (table)
    diagnostic_help(m->diagnostics, (struct span){0, 0},
                    "a function is fitted to it by: fit NAME(n : int) -> time from \"%s\" { terms 1, n; }", path);
  else
    diagnostic_help(m->diagnostics, (struct span){0, 0},
                    "'psl replay %s' runs the program that it is of, 'psl trace info %s' says what it holds", path,
                    path);
  m->loading->broken = true;
  return true;
}

/* A file that is there; NULL after a diagnostic at `span`. */
static struct loaded_file *add_path(struct model *m, const char *path, struct span span) {
  const char *identity = file_canonical(m->arena, path), *why;
  struct loaded_file *file = known(m, identity);
  if (file) return file;
  if (is_other_kind(m, path, span)) return NULL;
  size_t size;
  const char *text = reading_text(m, identity, path, &size, &why);
  if (text) {
    file = add_text(m, path, identity, text, size, 0, false);
    if (file) file->library = in_library(&m->loading->options, path);
    return file;
  }
  diagnostic_add(m->diagnostics, SEVERITY_ERROR, span, "cannot read %s: %s", path, why);
  m->loading->broken = true;
  return NULL;
}

static void link_files(struct model *m, struct loaded_file *from, struct loaded_file *to) {
  ARENA_PUSH(m->arena, from->uses, from->use_count, from->use_capacity, to);
}

/* ---- use ---- */

static bool is_library_file(const char *name) {
  size_t length = strlen(name);
  return length > 4 && !strcmp(name + length - 4, ".psl") && name[0] != '.';
}

static int by_text(const void *a, const void *b) { return strcmp(*(const char *const *)a, *(const char *const *)b); }

/* The .psl files of a folder, without the ending, sorted. */
uint32_t list_folder(struct arena *arena, const char *folder, const char ***out) {
  uint32_t count = folder_names(arena, folder, is_library_file, out);
  for (uint32_t i = 0; i < count; i++)
    (*out)[i] = arena_copy(arena, (*out)[i], strlen((*out)[i]) - strlen(".psl"));
  if (count) qsort(*out, count, sizeof **out, by_text);
  return count;
}

enum { BEGINS = 4 }; /* letters of a name that tell which one is meant, as 'queue' does */

static void missing(struct model *m, const struct decl *decl, const char *name, const char *own, bool by_path) {
  struct model_loading *l = m->loading;
  struct diagnostics *d = m->diagnostics;
  const char **words = NULL;
  uint32_t count = 0, capacity = 0;
  diagnostic_add(d, SEVERITY_ERROR, by_path ? decl->use.path_span : decl->name.span,
                 by_path ? "no file '%s'" : "no file or evaluator '%s'", name);
  for (uint32_t i = 0; i <= l->options.folder_count; i++) {
    if (i == l->options.folder_count ? false : l->options.plain) continue;
    const char *folder = i < l->options.folder_count ? l->options.folders[i] : own;
    const char **some = NULL;
    uint32_t n = list_folder(m->arena, folder, &some);
    for (uint32_t k = 0; k < n; k++) {
      const char *word = by_path ? arena_printf(m->arena, "%s.psl", some[k]) : some[k];
      ARENA_PUSH(m->arena, words, count, capacity, word);
    }
  }
  for (uint32_t i = 0; !by_path && i < l->options.evaluator_count; i++)
    ARENA_PUSH(m->arena, words, count, capacity, l->options.evaluators[i]->name);
  const char *native = l->options.allow_native && !by_path ? arena_printf(m->arena, " and %s.so", name) : "";
  diagnostic_note(d, (struct span){0, 0}, "looked for %s%s in %s", join(m->arena, "", name, by_path ? "" : ".psl"),
                  native, *own ? own : "the current folder");
  for (uint32_t i = 0; !l->options.plain && i < l->options.folder_count; i++)
    diagnostic_note(d, (struct span){0, 0}, "and in %s", l->options.folders[i]);
  const char *near = nearest_name(name, words, count);
  for (uint32_t i = 0; i < count && !near; i++)
    if (strlen(name) >= BEGINS && !strncmp(words[i], name, strlen(name))) near = words[i];
  const char *habit = by_path ? NULL : habit_help(HABIT_USE, name, strlen(name));
  if (habit || near)
    diagnostic_help(d, (struct span){0, 0}, habit ? "%s" : "did you mean '%s'?", habit ? habit : near);
  else if (!by_path && !l->options.allow_native)
    diagnostic_help(d, (struct span){0, 0}, "an evaluator of your own, %s.so, is loaded under --allow-native", name);
  l->broken = true;
}

static void use_evaluator(struct model *m, const struct psl_evaluator *evaluator, struct span span) {
  struct model_loading *l = m->loading;
  struct loaded_evaluator used = {.evaluator = evaluator, .span = span};
  for (uint32_t i = 0; i < l->used_count; i++)
    if (l->used[i].evaluator == evaluator) return;
  ARENA_PUSH(m->arena, l->used, l->used_count, l->used_capacity, used);
}

static bool is_there(struct model *m, const char *path) {
  size_t size;
  return is_file(path) || reading_unsaved(&m->loading->options, m->arena, path, &size);
}

/* ---- files that complete a model ---- */

/* One of the same text is the same, wherever it stands. */
static struct loaded_file *same_text(struct model *m, const char *text, size_t size) {
  for (uint32_t i = 0; i < m->loading->count; i++) {
    const struct source *source = m->loading->files[i]->file->source;
    if (source->size == size && !memcmp(source->text, text, size)) return m->loading->files[i];
  }
  return NULL;
}

/* The next of them, once all that is there has what it uses. */
static bool add_extra(struct model *m) {
  struct model_loading *l = m->loading;
  if (l->broken || l->extras == l->options.extra_count) return false;
  const struct load_extra *extra = &l->options.extras[l->extras++];
  struct loaded_file *file = add_text(m, extra->path, extra->path, extra->text, extra->size, 0, false);
  if (file) file->extra = extra;
  return file;
}

static const struct load_part *part_named(const struct load_extra *extra, const char *name) {
  for (uint32_t k = 0; k < extra->part_count; k++)
    if (!strcmp(extra->parts[k].name, name)) return &extra->parts[k];
  return NULL;
}

/* What the file means by the name, where it is a part of what it belongs to. */
static const struct load_part *part_of(struct model *m, const struct loaded_file *file, const char *name,
                                       const char *ending) {
  const char *folder = file_folder(m->arena, file->extra->path), *own = file_folder(m->arena, file->path);
  size_t length = strlen(folder);
  const char *below = !strncmp(folder, own, length) && own[length] == '/' ? own + length + 1 : "";
  const struct load_part *part = part_named(file->extra, join(m->arena, below, name, ending));
  return part ? part : part_named(file->extra, join(m->arena, "", name, ending));
}

/* A part of a file that completes the model. */
static bool use_part(struct model *m, struct loaded_file *file, struct decl *decl, const char *name,
                     const char *ending) {
  const struct load_part *part = file->extra ? part_of(m, file, name, ending) : NULL;
  if (!part) return false;
  struct loaded_file *used = same_text(m, part->text, part->size);
  const char *path = join(m->arena, file_folder(m->arena, file->extra->path), part->name, "");
  if (!used) used = known(m, path);
  if (!used) used = add_text(m, path, path, part->text, part->size, 0, false);
  if (!used) return true;
  if (!used->extra && used->file->source->path == path) used->extra = file->extra;
  link_files(m, file, used);
  decl->use.file = used->file;
  return true;
}

static bool is_other(struct model *m, const char *path, const char *identity) {
  return is_there(m, path) && (!identity || strcmp(file_canonical(m->arena, path), identity) != 0);
}

/* The file of that name beside the one that uses it (own NULL: that stands nowhere), or in a folder; NULL: there is
 * none. The one of `identity`, which
 * uses it, is not meant: `use mpi;` in a model that is called mpi.psl wants the library's. */
static const char *find_file(struct model *m, const char *own, const char *identity, const char *name,
                             const char *ending) {
  const struct load_options *options = &m->loading->options;
  const char *path = own ? join(m->arena, own, name, ending) : NULL;
  bool found = own && is_other(m, path, identity);
  for (uint32_t i = 0; !found && !options->plain && i < options->folder_count; i++) {
    path = join(m->arena, options->folders[i], name, ending);
    found = is_other(m, path, identity);
  }
  return found ? path : NULL;
}

/* Does it stand in a folder that `use` searches? What is linked there has been installed so. */
static bool is_of_folders(struct model *m, const char *path) {
  const struct load_options *options = &m->loading->options;
  const char *folder = file_folder(m->arena, path);
  for (uint32_t i = 0; i < options->folder_count; i++)
    if (!strcmp(options->folders[i], folder)) return true;
  return false;
}

/* May the file be read, which a model names so? */
static bool allowed(struct model *m, const char *path, const char *name, struct span span) {
  const char *file = file_canonical(m->arena, path), *folder = file_folder(m->arena, file);
  if (is_of_folders(m, path) || reading_allowed(m, file)) return true;
  diagnostic_add(m->diagnostics, SEVERITY_ERROR, span, "'%s' is not in a folder that the model may read", name);
  diagnostic_help(m->diagnostics, (struct span){0, 0}, "--allow-read %s allows it", *folder ? folder : "/");
  m->loading->broken = true;
  return false;
}

/* Evaluators of users: `use "NAME.so";`, and `use NAME;` where that is no file of PSL and not built in. */
static bool use_native(struct model *m, const char *own, const char *name, bool by_path, struct span span) {
  bool native =
      by_path ? is_native(name) : m->loading->options.allow_native && find_file(m, own, NULL, name, ".so") != NULL;
  if (!native) return false;
  const char *file = by_path ? name : arena_printf(m->arena, "%s.so", name);
  const struct psl_evaluator *evaluator = evaluator_load(m, file, own, by_path ? NULL : name, span);
  if (evaluator)
    use_evaluator(m, evaluator, span);
  else
    m->loading->broken = true;
  return true;
}

/* A file that has the name of one of the library takes its place, which may not be meant: a path says that it is. */
static void note_hidden(struct model *m, const char *path, const char *name, struct span span) {
  const struct load_options *options = &m->loading->options;
  const char *identity = file_canonical(m->arena, path);
  for (uint32_t i = options->own_count; i < options->folder_count; i++) {
    const char *hidden = join(m->arena, options->folders[i], name, ".psl");
    if (!is_file(hidden)) continue;
    if (strcmp(file_canonical(m->arena, hidden), identity) == 0) return;
    diagnostic_add(m->diagnostics, SEVERITY_NOTE, span, "this is '%s', not the library's file of that name", path);
    diagnostic_help(m->diagnostics, (struct span){0, 0},
                    "where it is meant, 'use \"%s.psl\";' says so; for the library's give that file another name",
                    name);
    return;
  }
}

const char *library_hidden(struct model *m, const char *name) {
  if (!m->loading->count) return NULL;
  const struct loaded_file *first = m->loading->files[0];
  const char *path = find_file(m, file_folder(m->arena, first->path), first->identity, name, ".psl");
  return path && !in_library(&m->loading->options, path) ? path : NULL;
}

static void follow_use(struct model *m, struct loaded_file *file, struct decl *decl) {
  struct model_loading *l = m->loading;
  bool by_path = decl->use.path != NULL;
  const char *name = by_path ? decl->use.path : decl->name.name->text;
  const char *own = file->extra ? NULL : file_folder(m->arena, file->path);
  struct span span = by_path ? decl->use.path_span : decl->name.span;
  if (use_part(m, file, decl, name, by_path ? "" : ".psl")) return;
  const char *path = by_path && is_native(name) ? NULL : find_file(m, own, file->identity, name, by_path ? "" : ".psl");
  const struct psl_evaluator *evaluator = by_path || path ? NULL : evaluator_named(&l->options, name);
  if (evaluator) {
    use_evaluator(m, evaluator, span);
  } else if (!path && own && use_native(m, own, name, by_path, span)) {
    return;
  } else if (!path && find_file(m, own, NULL, name, by_path ? "" : ".psl")) {
    diagnostic_add(m->diagnostics, SEVERITY_ERROR, span, "'%s' is this file, and there is no other of that name", name);
    l->broken = true;
  } else if (!path) {
    missing(m, decl, name, own ? own : file->extra->path, by_path);
  } else if (allowed(m, path, name, span)) {
    struct loaded_file *used = add_path(m, path, span);
    if (!used) return;
    if (!by_path) note_hidden(m, path, name, span);
    link_files(m, file, used);
    decl->use.file = used->file;
  }
}

/* The file of measurements beside the model, or in a folder; each is read once. */
static void follow_fit(struct model *m, const struct loaded_file *file, struct fit *fit) {
  struct model_loading *l = m->loading;
  const struct load_text *measured = l->options.measured;
  if (measured) {
    if (!l->measured) l->measured = source_add(m->sources, measured->name, measured->text, measured->size);
    fit->data = l->measured;
  }
  if (fit->data) return;
  const struct load_part *part = file->extra ? part_of(m, file, fit->path, "") : NULL;
  if (part) fit->data = source_add(m->sources, part->name, part->text, part->size);
  if (fit->data) return;
  const char *own = file_folder(m->arena, file->path),
             *path = find_file(m, file->extra ? NULL : own, NULL, fit->path, "");
  l->broken |= !path;
  if (!path) {
    diagnostic_add(m->diagnostics, SEVERITY_ERROR, fit->path_span, "no file '%s'", fit->path);
    diagnostic_note(m->diagnostics, (struct span){0, 0}, "looked for in %s", *own ? own : "the current folder");
    return;
  }
  if (!allowed(m, path, fit->path, fit->path_span)) return;
  const char *identity = file_canonical(m->arena, path), *why;
  for (uint32_t i = 0; i < l->data_count && !fit->data; i++)
    if (!strcmp(l->data[i].identity, identity)) fit->data = l->data[i].source;
  if (fit->data) return;
  size_t size;
  const char *text = reading_text(m, identity, path, &size, &why);
  if (text) fit->data = source_add(m->sources, path, text, size);
  l->broken |= !fit->data;
  if (!fit->data) {
    diagnostic_add(m->diagnostics, SEVERITY_ERROR, fit->path_span, "cannot read %s: %s", path,
                   text ? "the files of the model are too large" : why);
    return;
  }
  struct loaded_data data = {identity, fit->data};
  ARENA_PUSH(m->arena, l->data, l->data_count, l->data_capacity, data);
}

static bool stands_alone(const struct file *file) {
  for (const struct decl *decl = file->decls; decl; decl = decl->next)
    if (decl->kind == DECL_USE) return false;
  return true;
}

/* The first file of that name in the folders; false: there is none. */
static bool add_prelude_file(struct model *m, const char *name) {
  const struct load_options *options = &m->loading->options;
  for (uint32_t i = 0; i < options->folder_count; i++) {
    const char *path = join(m->arena, options->folders[i], name, ".psl");
    if (!is_file(path)) continue;
    struct loaded_file *file = add_path(m, path, (struct span){0, 0});
    if (file) file->prelude = true;
    return true;
  }
  return false;
}

static const char protocols[] = "protocols.psl", protocols_text[] =
#include "protocols.psl.inc"
    ;

/* Units, protocols, then every coercion file that uses no other: those hold for any model. */
static void add_prelude(struct model *m) {
  struct model_loading *l = m->loading;
  add_prelude_file(m, "units");
  if (!add_prelude_file(m, "protocols")) { /* without the library two hold, too */
    struct loaded_file *file = add_text(m, protocols, protocols, protocols_text, sizeof protocols_text - 1, 0, true);
    if (file) file->prelude = true;
  }
  for (uint32_t i = 0; i < l->options.folder_count; i++) {
    const char *folder = l->options.folders[i];
    const char *slash = strrchr(folder, '/');
    if (strcmp(slash ? slash + 1 : folder, "coercions")) continue;
    const char **names = NULL;
    uint32_t count = list_folder(m->arena, folder, &names);
    for (uint32_t k = 0; k < count; k++) {
      const char *each = join(m->arena, folder, names[k], ".psl");
      if (known(m, file_canonical(m->arena, each))) continue;
      uint32_t files = m->file_count;
      struct loaded_file *file = add_path(m, each, (struct span){0, 0});
      if (!file) continue;
      file->prelude = true;
      if (stands_alone(file->file)) continue;
      m->file_count = files; /* it belongs to models that use it */
      l->count--;
    }
  }
}

static void shelve(struct model *m, const char *folder) {
  struct model_loading *l = m->loading;
  const char **names = NULL, *why;
  uint32_t count = list_folder(m->arena, folder, &names);
  for (uint32_t i = 0; i < count; i++) {
    const char *path = join(m->arena, folder, names[i], ".psl"), *identity = file_canonical(m->arena, path);
    size_t size;
    const char *text = known(m, identity) ? NULL : reading_text(m, identity, path, &size, &why);
    const struct source *source = text ? source_add(m->sources, path, text, size) : NULL;
    if (!source) continue;
    struct shelved_file file = {names[i], parse_file(m->arena, m->names, NULL, source)};
    ARENA_PUSH(m->arena, l->shelf, l->shelf_count, l->shelf_capacity, file);
  }
}

uint32_t library_shelf(struct model *m, const struct shelved_file **out) {
  struct model_loading *l = m->loading;
  const struct load_options *options = &l->options;
  bool read = l->shelf || options->plain;
  for (uint32_t i = options->own_count; !read && i < options->folder_count; i++)
    shelve(m, options->folders[i]);
  *out = l->shelf;
  return l->shelf_count;
}

/* What the parser has kept of requests and accepts without a transaction cannot be checked. */
static void drop_broken_parts(struct decl *component) {
  for (struct part *part = component->component.parts; part; part = part->next) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < part->request_count; i++)
      if (part->requests[i].txn.name.count) part->requests[kept++] = part->requests[i];
    part->request_count = kept;
    part->accept.has_transaction &= part->accept.txn.name.count > 0;
  }
  for (struct decl *local = component->component.locals; local; local = local->next)
    if (local->kind == DECL_COMPONENT) drop_broken_parts(local);
}

/* For the questions of an editor what could be read is checked although something is missing; what seems to be wrong
 * with it then may be for want of that, and is not said. */
static bool check_rest(struct model *m) {
  if (!m->loading->broken || !m->loading->options.editing) return model_check(m, false);
  for (uint32_t i = 0; i < m->file_count; i++)
    for (struct decl *decl = m->files[i]->decls; decl; decl = decl->next)
      if (decl->kind == DECL_COMPONENT || decl->kind == DECL_SYSTEM) drop_broken_parts(decl);
  diagnostic_flush(m->diagnostics);
  struct diagnostics loud = *m->diagnostics;
  m->diagnostics->sink = NULL;
  m->diagnostics->limit = 1;
  m->diagnostics->errors = 2; /* what nobody is told needs no words */
  model_check(m, false);
  diagnostic_flush(m->diagnostics);
  *m->diagnostics = loud;
  return false;
}

static bool load_rest(struct model *m) {
  struct model_loading *l = m->loading;
  if (!l->options.plain) add_prelude(m);
  for (uint32_t i = 0; i < l->count || add_extra(m); i++)
    for (struct decl *decl = l->files[i]->file->decls; decl; decl = decl->next) {
      if (decl->kind == DECL_USE && !decl->use.database) follow_use(m, l->files[i], decl);
      if (decl->kind == DECL_FIT && decl->function.fit->path) follow_fit(m, l->files[i], decl->function.fit);
      if (decl->kind == DECL_PROTOCOL && !l->files[i]->prelude) use_evaluator(m, &conversation_evaluator, decl->span);
    }
  if (!check_rest(m)) l->broken = true;
  diagnostic_flush(m->diagnostics);
  return !l->broken && !m->diagnostics->errors;
}

static void open_model(struct model *m, const struct load_options *options) {
  types_open(&m->types, m->arena, m->names);
  m->loading = ARENA_NEW(m->arena, struct model_loading);
  m->loading->options = *options;
  reading_open(m);
  m->readable = reading_path;
  m->native = options->allow_native;
}

bool model_load_session(struct model *model, const struct load_text *texts, uint32_t count,
                        const struct load_options *options) {
  open_model(model, options);
  bool fine = true;
  for (uint32_t i = 0; i < count; i++) {
    const char *name = arena_copy(model->arena, texts[i].name, strlen(texts[i].name));
    const struct load_text *text = &texts[i];
    reading_named(model, name);
    struct loaded_file *file = text->text
                                   ? add_text(model, name, name, text->text, text->size, text->lines_before, true)
                                   : add_path(model, name, (struct span){0, 0});
    if (file) file->script = text->text && options->session;
    fine &= file != NULL;
  }
  model->own_count = model->file_count;
  if (!fine)
    diagnostic_flush(model->diagnostics);
  else
    override_declarations(model);
  return fine && load_rest(model);
}

bool model_load(struct model *model, const char *path, const struct load_options *options) {
  return model_load_session(model, &(struct load_text){.name = path}, 1, options);
}

bool model_load_text(struct model *model, const char *name, const char *text, size_t size,
                     const struct load_options *options) {
  return model_load_session(model, &(struct load_text){.name = name, .text = text, .size = size}, 1, options);
}

uint32_t model_assertions(const struct model *model) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < model->loading->count; i++) {
    if (model->loading->files[i]->library) continue;
    for (const struct decl *decl = model->files[i]->decls; decl; decl = decl->next)
      count += decl->kind == DECL_ASSERT;
  }
  return count;
}

bool model_asks_database(const struct model *model) {
  for (uint32_t i = 0; i < model->own_count; i++)
    for (const struct decl *decl = model->files[i]->decls; decl; decl = decl->next)
      if (decl->kind == DECL_USE && decl->use.database) return true;
  return false;
}

bool model_is_open(const struct model *model) {
  const struct load_options *options = &model->loading->options;
  return options->completed && (options->searched || model_asks_database(model));
}

bool model_in_library(const struct model *model, const struct source *file) {
  for (uint32_t i = 0; i < model->loading->count; i++)
    if (model->files[i]->source == file)
      return in_library(&model->loading->options, model->loading->files[i]->identity);
  return false;
}

bool model_owns(const struct model *model, const struct source *file) {
  for (uint32_t i = 0; i < model->own_count; i++)
    if (model->files[i]->source == file) return true;
  return false;
}
