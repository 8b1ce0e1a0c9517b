/* The public library: handles, the entries of psl.h, and the guard round each.
 *
 * An entry packs its arguments and runs its work on a thread with a big stack, since functions of a model
 * recurse as deep as memory allows; a failed allocation jumps to the guard there. Everything of a model
 * stands in one arena, everything of a result in another, so that either is dropped whole. */
#include "interp/model/answers.h"
#include "interp/queueing/queueing.h"
#include "interp/execute/execute.h"
#include "interp/execute/host_time.h"
#include "interp/execute/levels.h"
#include "interp/execute/compiled_function.h"
#include "interp/execute/reuse.h"
#include "interp/library/handle.h"
#include "interp/check/load.h"
#include "grammar/children.h"
#include "evaluators/registry.h"
#include "interp/foreign/foreign.h"
#include "interp/resolve/effects.h"
#include "interp/resolve/static_graph.h"
#include "interp/evaluate/evaluate.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

const char *psl_version(void) { return PSL_VERSION; }

/* ---- what was said ---- */

unsigned psl_errors(const struct psl *psl) { return psl->errors + psl->diagnostics.errors; }

unsigned psl_warnings(const struct psl *psl) { return psl->warnings + psl->diagnostics.warnings; }

size_t psl_peak_memory(const struct psl *psl) { return psl->memory.peak; }

/* ---- entries ---- */

struct entry {
  struct psl *psl;
  entry_work *work;
  void *arguments;
  enum psl_code code;
};

void handle_drop_results(struct psl *psl) {
  for (struct results *results = psl->results, *next; results; results = next) {
    struct arena arena = results->arena; /* `results` stands in it */
    next = results->next;
    arena_close(&arena);
  }
  psl->results = NULL;
}

void handle_drop_model(struct psl *psl) {
  foreign_unload(&psl->model);
  arena_close(&psl->loaded);
  arena_close(&psl->code);
  arena_close(&psl->kept);
  psl->reuse = NULL;
  psl->model = (struct model){0};
  psl->has_model = psl->has_text = false;
}

void handle_drop_before(struct psl *psl) {
  foreign_unload(&psl->before.model);
  arena_close(&psl->before.arena);
  arena_close(&psl->before.code);
  psl->before = (struct loaded){.arena = psl->before.arena, .code = psl->before.code};
}

void handle_drop_completion(struct psl *psl) {
  arena_close(&psl->completion.arena);
  psl->completion = (struct completion){.arena = psl->completion.arena};
}

static void unload(struct psl *psl) {
  handle_drop_results(psl);
  handle_drop_model(psl);
  handle_drop_before(psl);
  arena_close(&psl->handed);
  psl->sources = (struct sources){0};
  psl->names = (struct names){0};
}

/* What is said goes to the handle's own user. */
static void speak_up(struct psl *psl) {
  struct diagnostics *d = &psl->diagnostics;
  d->sources = &psl->sources;
  d->sink = handle_say;
  d->user = psl;
  d->mild = false;
  d->limit = psl->options.max_errors ? psl->options.max_errors : 20;
}

/* The work in hand was broken off: for want of memory, or since an end was wanted. It may have listened to what is said
 * itself, or hushed it. */
static enum psl_code broken_off(struct psl *psl) {
  char message[200] = "interrupted";
  psl->diagnostics.current = (struct diagnostic){0};
  psl->diagnostics.open = false;
  speak_up(psl);
  arena_close(&psl->diagnostics.arena);
  arena_close(&psl->said);
  arena_close(&psl->work);
  unload(psl);
  if (!psl->memory.broken_off) memory_lack(&psl->memory, message, sizeof message);
  handle_say_plainly(psl, message);
  return psl->memory.broken_off ? PSL_INTERRUPTED : PSL_MEMORY;
}

/* The lowest address that evaluation may use: above the guard pages and room for other libraries. */
static uintptr_t find_stack_end(void) {
  enum { ROOM = 256 * 1024 };
  pthread_attr_t attributes;
  void *lowest = NULL;
  size_t size = 0, guard = 0;
  if (pthread_getattr_np(pthread_self(), &attributes)) return 0;
  pthread_attr_getstack(&attributes, &lowest, &size);
  pthread_attr_getguardsize(&attributes, &guard);
  pthread_attr_destroy(&attributes);
  return (uintptr_t)lowest + guard + ROOM;
}

static void *entry_main(void *user) {
  struct entry *entry = user;
  struct psl *psl = entry->psl;
  jmp_buf guard;
  if (setjmp(guard)) {
    entry->code = broken_off(psl);
  } else {
    psl->memory.guard = &guard;
    psl->memory.broken_off = psl->memory.breakable = false;
    psl->model.walking = 0;
    psl->model.reads = NULL;
    stack_open(&psl->memory, find_stack_end());
    entry->code = entry->work(psl, entry->arguments);
    diagnostic_flush(&psl->diagnostics);
    if (entry->code == PSL_WRONG && psl->diagnostics.misuse) entry->code = PSL_MISUSE;
    arena_close(&psl->work);
    arena_close(&psl->said); /* a study may leave there what its last point said */
  }
  stack_close(&psl->memory);
  psl->memory.guard = NULL;
  return NULL;
}

/* The biggest stack that can be had: it is address space, not memory, till it is used. */
enum psl_code handle_enter(struct psl *psl, entry_work *work, void *arguments) {
  struct entry entry = {psl, work, arguments, PSL_MEMORY};
  psl->errors += psl->diagnostics.errors;
  psl->warnings += psl->diagnostics.warnings;
  psl->diagnostics.errors = psl->diagnostics.warnings = 0;
  psl->diagnostics.misuse = false;
  psl->memory.limit = psl->options.max_memory;
  for (size_t size = (size_t)1 << 30; size >= (size_t)1 << 20; size /= 4) {
    pthread_attr_t attributes;
    pthread_t thread;
    if (pthread_attr_init(&attributes)) break;
    bool started =
        !pthread_attr_setstacksize(&attributes, size) && !pthread_create(&thread, &attributes, entry_main, &entry);
    pthread_attr_destroy(&attributes);
    if (!started) continue;
    pthread_join(thread, NULL);
    return entry.code;
  }
  handle_say_plainly(psl, "out of memory: no thread can be started");
  return PSL_MEMORY;
}

/* ---- handles ---- */

static void allow_read(struct psl *psl, const char *folder) {
  const char *copy = arena_copy(&psl->lasting, folder, strlen(folder));
  ARENA_PUSH(&psl->lasting, psl->readable, psl->readable_count, psl->readable_capacity, copy);
  psl->options.readable = psl->readable;
  psl->options.readable_count = psl->readable_count;
}

static enum psl_code work_open(struct psl *psl, void *arguments) {
  const struct psl_options *options = arguments;
  psl->answers = answers_open(&psl->lasting);
  const char **folders = ARENA_ARRAY(&psl->lasting, const char *, options->folder_count);
  for (size_t i = 0; i < options->folder_count; i++)
    folders[i] = arena_copy(&psl->lasting, options->folders[i], strlen(options->folders[i]));
  psl->options.folders = folders;
  const char *const *readable = options->readable;
  size_t readable_count = options->readable_count;
  for (size_t i = 0; i < readable_count; i++)
    allow_read(psl, readable[i]);
  const char *name = options->setting_name;
  if (name) psl->options.setting_name = arena_copy(&psl->lasting, name, strlen(name));
  if (!options->alias) return PSL_OK;
  psl->options.alias = arena_copy(&psl->lasting, options->alias, strlen(options->alias));
  psl->options.alias_path = arena_copy(&psl->lasting, options->alias_path, strlen(options->alias_path));
  return PSL_OK;
}

/* The handle is the one block that is not in an arena: arenas count their memory in it. */
struct psl *psl_open(const struct psl_options *options) {
  struct psl *psl = calloc(1, sizeof *psl);
  if (!psl) return NULL;
  struct psl_options none = {0};
  psl->options = options ? *options : none;
  psl->memory.limit = psl->options.max_memory;
  psl->memory.interrupted = psl->options.interrupted;
  psl->memory.spare_most = 32; /* 2 MiB: what a point of a study takes and gives back */
  struct arena *arenas[] = {&psl->lasting,
                            &psl->loaded,
                            &psl->code,
                            &psl->kept,
                            &psl->handed,
                            &psl->work,
                            &psl->said,
                            &psl->diagnostics.arena,
                            &psl->before.arena,
                            &psl->before.code,
                            &psl->completion.arena};
  for (size_t i = 0; i < sizeof arenas / sizeof *arenas; i++)
    arena_open(arenas[i], &psl->memory);
  session_open(psl);
  speak_up(psl);
  if (handle_enter(psl, work_open, &psl->options) == PSL_OK) return psl;
  psl_close(psl);
  return NULL;
}

void psl_allow_native(struct psl *psl, bool allow) { psl->options.allow_native = allow; }

static enum psl_code work_allow_read(struct psl *psl, void *folder) {
  allow_read(psl, folder);
  return PSL_OK;
}

void psl_set_columns(struct psl *psl, unsigned columns) { psl->columns = columns; }

enum psl_code psl_allow_read(struct psl *psl, const char *folder) {
  return handle_enter(psl, work_allow_read, (void *)folder);
}

const char *psl_native(void) { return foreign_running(); }

void psl_close(struct psl *psl) {
  if (!psl) return;
  unload(psl);
  session_close(psl);
  handle_drop_completion(psl);
  arena_close(&psl->said);
  arena_close(&psl->lasting);
  memory_close(&psl->memory);
  free(psl);
}

/* ---- loading ---- */

struct text_given {
  const char *name, *text;
  size_t size;
};

void handle_prepare(struct psl *psl) {
  psl->sources = (struct sources){.arena = &psl->loaded, .end = 1};
  names_open(&psl->names, &psl->loaded);
  psl->model = (struct model){
      .arena = &psl->loaded,
      .names = &psl->names,
      .sources = &psl->sources,
      .diagnostics = &psl->diagnostics,
      .apply = functions_apply,
      .compute = functions_compute,
      .code = &psl->code,
  };
}

struct load_options handle_load_options(struct psl *psl) {
  struct folders folders = {0};
  library_folders(psl, &folders);
  struct load_options options = {
      .setting_name = psl->options.setting_name ? psl->options.setting_name : "--set",
      .folders = folders.items,
      .folder_count = folders.count,
      .own_count = (uint32_t)psl->options.folder_count,
      .evaluators = psl_evaluators,
      .allow_native = psl->options.allow_native,
      .readable = psl->readable,
      .readable_count = psl->readable_count,
      .alias = psl->options.alias,
      .alias_path = psl->options.alias_path,
      .read = psl->options.read,
      .unsaved = psl->options.unsaved,
      .read_user = psl->options.user,
      .editing = psl->editing,
      .cache = psl->texts,
      .commands = psl->options.commands,
      .session = psl->session.active,
      .extras = psl->completion.extras,
      .extra_count = psl->completion.extra_count,
      .completed = psl->options.database != NULL,
      .searched = psl->options.search,
  };
  while (psl_evaluators[options.evaluator_count])
    options.evaluator_count++;
  return options;
}

static enum psl_code loaded(struct psl *psl, bool good) {
  psl->has_model = good;
  return good ? PSL_OK : PSL_WRONG;
}

static enum psl_code work_load_text(struct psl *psl, void *arguments) {
  const struct text_given *given = arguments;
  psl->memory.breakable = true;
  unload(psl);
  session_begin(psl, given->name, given->text, given->size);
  handle_prepare(psl);
  struct load_options options = handle_load_options(psl);
  return loaded(psl, model_load_text(&psl->model, given->name, given->text, given->size, &options));
}

enum psl_code psl_load_text(struct psl *psl, const char *name, const char *text, size_t size) {
  return handle_enter(psl, work_load_text, &(struct text_given){name, text, size});
}

static enum psl_code work_load_library(struct psl *psl, void *arguments) {
  struct load_options options = handle_load_options(psl);
  struct text text = {.arena = &psl->work};
  (void)arguments;
  for (uint32_t i = options.own_count; i < options.folder_count; i++) {
    const char **names;
    uint32_t count = list_folder(&psl->work, options.folders[i], &names);
    for (uint32_t k = 0; k < count; k++)
      text_printf(&text, "use \"%s/%s.psl\";\n", options.folders[i], names[k]);
  }
  return work_load_text(psl, &(struct text_given){"library", text.data ? text.data : "", text.size});
}

enum psl_code psl_load_library(struct psl *psl) { return handle_enter(psl, work_load_library, NULL); }

static enum psl_code load_standard_input(struct psl *psl) {
  size_t size;
  const char *text = standard_input_text(&psl->work, &size);
  if (text) return work_load_text(psl, &(struct text_given){"standard-input", text, size});
  diagnostic_add(&psl->diagnostics, SEVERITY_ERROR, (struct span){0}, "standard input cannot be read: %s",
                 strerror(errno));
  return PSL_WRONG;
}

enum psl_code handle_load_file(struct psl *psl, const char *path) {
  handle_drop_completion(psl);
  return handle_load_again(psl, path);
}

enum psl_code handle_load_again(struct psl *psl, const char *path) {
  psl->memory.breakable = true;
  if (strcmp(path, "-") == 0) return load_standard_input(psl);
  unload(psl);
  session_begin(psl, path, NULL, 0);
  handle_prepare(psl);
  struct load_options options = handle_load_options(psl);
  return loaded(psl, model_load(&psl->model, path, &options));
}

static enum psl_code work_load_file(struct psl *psl, void *path) { return handle_load_file(psl, path); }

enum psl_code psl_load_file(struct psl *psl, const char *path) {
  return handle_enter(psl, work_load_file, (void *)path);
}

/* ---- params and systems ---- */

bool handle_model(struct psl *psl) {
  if (psl->has_model) return true;
  if (psl->session.active) return session_restore(psl);
  diagnostic_add(&psl->diagnostics, SEVERITY_ERROR, (struct span){0}, "no model is loaded");
  return false;
}

static const char *text_of_expr(struct arena *arena, const struct expr *expr) {
  if (!expr) return NULL;
  struct text text = {.arena = arena};
  expr_format(&text, expr);
  return text.data;
}

static bool is_computed(const struct expr *expr, void *user) {
  bool term = (expr->kind == EXPR_NAME && !expr->name.symbol) || (expr->kind == EXPR_INDEX && expr->index.term);
  bool holds =
      expr->kind == EXPR_UNARY || expr->kind == EXPR_RANGE || expr->kind == EXPR_LIST || expr->kind == EXPR_RECORD;
  bool distribution = expr->kind == EXPR_CALL && expr->type && expr->type->kind == TYPE_DISTRIBUTION;
  return !(expr_is_literal(expr) || term || holds || distribution) || expr_any_child(expr, is_computed, user);
}

/* Is it written as it is: no name of something else, nothing to compute? */
static bool is_written(const struct expr *expr) { return !is_computed(expr, NULL); }

/* The value of a param; VALUE_NONE where it fails, which a check or a run will say. */
static struct value value_now(struct psl *psl, struct symbol *param) {
  struct model *model = &psl->model;
  struct environment environment = {
      .model = model, .scratch = &psl->work, .locals = ARENA_ARRAY(&psl->work, struct value, model->slot_max + 1)};
  struct diagnostics quiet = {.sources = model->sources}, *loud = model->diagnostics;
  struct value value;
  arena_open(&quiet.arena, &psl->memory);
  model->diagnostics = &quiet;
  if (!evaluate_symbol(&environment, param, param->span, &value)) value = (struct value){.kind = VALUE_NONE};
  model->diagnostics = loud;
  arena_close(&quiet.arena);
  return value;
}

/* NULL: it has none. After value_now: its bounds are known then. */
static const char *shown_range(const struct psl *psl, struct arena *arena, const struct symbol *param) {
  const struct expr *range = param->decl->value.range;
  return range ? range_text(arena, &psl->model, range, param->type, param->range) : NULL;
}

static struct psl_param describe_param(struct psl *psl, struct arena *arena, struct symbol *param, bool shared) {
  const struct model *model = &psl->model;
  struct text type = {.arena = arena};
  type_print(&type, &model->types, param->type);
  struct place place = source_place(model->sources, param->span.begin);
  const struct decl *decl = param->decl;
  const char *name = arena_copy(arena, param->name->text, param->name->length);
  if (place.source && shared) name = arena_printf(arena, "%s.%s", place.source->name, name);
  const struct expr *given = value_expr(param);
  const char *written = text_of_expr(arena, given);
  struct value now = given ? value_now(psl, param) : (struct value){.kind = VALUE_NONE};
  struct text value = {.arena = arena}, unit = {.arena = arena};
  if (now.kind != VALUE_NONE && !is_written(given))
    value_print(&value, &model->types, model->names, param->type, now, 6);
  if (now.kind == VALUE_REAL && type_is_number(param->type)) unit_print(&unit, &model->types, param->type->dimension);
  return (struct psl_param){
      .name = name,
      .type = type.data,
      .value = value.data ? value.data : written,
      .number = now.kind == VALUE_INT    ? (double)now.integer
                : now.kind == VALUE_REAL ? now.real
                                         : (double)NAN,
      .unit = unit.data && *unit.data ? unit.data : NULL,
      .expression = value.data ? written : NULL,
      .range = shown_range(psl, arena, param),
      .doc = decl->doc ? arena_copy(arena, decl->doc, strlen(decl->doc)) : NULL,
      .file = place.source ? arena_copy(arena, place.source->path, strlen(place.source->path)) : NULL,
      .line = place.line,
      .set = param->setting != NULL,
  };
}

static struct psl_param *describe_params(struct psl *psl, struct arena *arena, bool only_set, size_t *count) {
  const struct model *model = &psl->model;
  struct psl_param *params = ARENA_ARRAY(arena, struct psl_param, model->param_count);
  const struct map shared = model_shared_params(model, &psl->work);
  *count = 0;
  for (uint32_t i = 0; i < model->param_count; i++) {
    struct symbol *param = model->params[i];
    if (only_set && !param->setting) continue;
    params[(*count)++] = describe_param(psl, arena, param, map_get(&shared, map_key(param->name), 0));
  }
  return params;
}

struct list_given {
  const void **items;
  size_t *count;
};

static enum psl_code work_params(struct psl *psl, void *arguments) {
  struct list_given *given = arguments;
  psl->memory.breakable = true;
  if (!handle_model(psl)) return PSL_MISUSE;
  arena_close(&psl->handed);
  if (!model_refresh(&psl->model)) return PSL_WRONG;
  *given->items = describe_params(psl, &psl->handed, false, given->count);
  return PSL_OK;
}

enum psl_code psl_params(struct psl *psl, const struct psl_param **params, size_t *count) {
  const void *items = NULL;
  *count = 0;
  enum psl_code code = handle_enter(psl, work_params, &(struct list_given){&items, count});
  *params = items;
  return code;
}

/* Systems of the file that was asked for come first. */
static struct model_component **list_systems(const struct psl *psl, struct arena *arena, size_t *own, size_t *count) {
  const struct model *model = &psl->model;
  struct model_component **systems = ARENA_ARRAY(arena, struct model_component *, model->component_count);
  *count = 0;
  for (int others = 0; others < 2; others++) {
    for (uint32_t c = 0; c < model->component_count; c++) {
      struct model_component *component = model->components[c];
      if (component->system && !model_owns(model, component->symbol->file) == others) systems[(*count)++] = component;
    }
    if (!others) *own = *count;
  }
  return systems;
}

static enum psl_code work_systems(struct psl *psl, void *arguments) {
  struct list_given *given = arguments;
  if (!handle_model(psl)) return PSL_MISUSE;
  size_t own;
  struct model_component **systems = list_systems(psl, &psl->work, &own, given->count);
  const char **names = ARENA_ARRAY(&psl->loaded, const char *, *given->count);
  for (size_t i = 0; i < *given->count; i++)
    names[i] = systems[i]->symbol->name->text;
  *given->items = names;
  return PSL_OK;
}

enum psl_code psl_systems(struct psl *psl, const char *const **names, size_t *count) {
  const void *items = NULL;
  *count = 0;
  enum psl_code code = handle_enter(psl, work_systems, &(struct list_given){&items, count});
  *names = items;
  return code;
}

/* A study or a component stands where a system is wanted. */
static bool help_other(struct psl *psl, const char *name) {
  struct diagnostics *d = &psl->diagnostics;
  const struct model *model = &psl->model;
  for (uint32_t s = 0; s < model->study_count; s++) {
    const struct decl *decl = model->studies[s]->decl;
    if (strcmp(decl->name.name->text, name)) continue;
    diagnostic_note(d, decl->name.span, "'%s' is a study", name);
    if (psl->session.active)
      diagnostic_help(d, (struct span){0}, ":study %s runs it", name);
    else
      diagnostic_help(d, (struct span){0}, "'psl study %s %s' runs it", model->files[0]->source->path, name);
    return true;
  }
  for (uint32_t c = 0; c < model->component_count; c++) {
    const struct symbol *symbol = model->components[c]->symbol;
    if (model->components[c]->system || strcmp(symbol->name->text, name)) continue;
    diagnostic_note(d, symbol->span, "'%s' is a component, which a system makes a request to", name);
    return false;
  }
  for (uint32_t p = 0; p < model->param_count; p++) {
    if (strcmp(model->params[p]->name->text, name)) continue;
    diagnostic_note(d, model->params[p]->span, "'%s' is a param", name);
    diagnostic_help(d, (struct span){0}, "--set %s=VALUE gives it a value, 'psl study --vary %s=A,B,...' several", name,
                    name);
    return true;
  }
  return false;
}

struct model_component *handle_system(struct psl *psl, const char *name) {
  size_t own, count;
  struct diagnostics *d = &psl->diagnostics;
  struct model_component **systems = list_systems(psl, &psl->work, &own, &count);
  const char **names = ARENA_ARRAY(&psl->work, const char *, count);
  for (size_t i = 0; i < count; i++) {
    names[i] = systems[i]->symbol->name->text;
    if (name && strcmp(name, names[i]) == 0) return systems[i];
  }
  if (!name && own == 1) return systems[0];
  if (!name && !own && count == 1) return systems[0];
  const char *file = psl->session.active ? "the session" : psl->model.files[0]->source->path;
  if (name)
    diagnostic_misuse(d, "no system is named '%s'", name);
  else if (!count)
    diagnostic_add(d, SEVERITY_ERROR, (struct span){0}, "%s has no system to run", file);
  else
    diagnostic_misuse(d, "%s has more than one system: name the one to run", file);
  if (name && help_other(psl, name)) return NULL;
  const char *nearest = name ? nearest_name(name, names, count) : NULL;
  if (nearest) diagnostic_help(d, (struct span){0}, "did you mean '%s'?", nearest);
  if (!name || !nearest)
    for (size_t i = 0; i < count && i < 10; i++)
      diagnostic_note(d, systems[i]->symbol->span, "system '%s' is here", names[i]);
  return NULL;
}

struct set_given {
  const char *name, *expression;
};

/* NAME= with nothing behind it asks what there is. */
static bool set_nothing(struct psl *psl, const char *name) {
  struct symbol *param = model_param(&psl->model, name);
  if (!param) return false;
  struct psl_param now = describe_param(psl, &psl->work, param, false);
  diagnostic_misuse(&psl->diagnostics, "no value is given to param '%s'", name);
  diagnostic_note(&psl->diagnostics, param->span, now.range ? "it is %s, in %s" : "it is %s", now.value, now.range);
  diagnostic_flush(&psl->diagnostics);
  return false;
}

static enum psl_code work_set(struct psl *psl, void *arguments) {
  const struct set_given *given = arguments;
  if (!handle_model(psl)) return PSL_MISUSE;
  bool empty = !given->expression[strspn(given->expression, " \t")];
  bool fine = empty ? set_nothing(psl, given->name) : model_set(&psl->model, given->name, given->expression);
  if (fine) session_note_setting(psl, given->name, given->expression);
  arena_close(&psl->handed); /* after: the caller may pass on strings that psl_params has handed out */
  return fine ? PSL_OK : PSL_WRONG;
}

static enum psl_code work_set_line(struct psl *psl, void *arguments) {
  const struct setting_line *line = arguments;
  if (!handle_model(psl)) return PSL_MISUSE;
  return model_set_line(&psl->model, line) ? PSL_OK : PSL_WRONG;
}

enum psl_code psl_set_line(struct psl *psl, const char *file, unsigned number, const char *text) {
  const char *equals = strchr(text, '=');
  if (!equals || equals == text) return PSL_MISUSE;
  struct setting_line line = {file, text, number, (size_t)(equals + 1 - text)};
  return handle_enter(psl, work_set_line, &line);
}

struct setting_given {
  const char *name;
  const char **expression;
};

/* A setting may have changed types: the param is looked up again then. */
static enum psl_code work_check_param(struct psl *psl, void *arguments) {
  struct model *model = &psl->model;
  psl->memory.breakable = true;
  if (!handle_model(psl)) return PSL_MISUSE;
  struct symbol *param = model_refresh(model) ? model_param(model, arguments) : NULL;
  if (!param || !model_bind_one(model, &psl->work, param)) return PSL_WRONG;
  struct environment environment = {
      .model = model, .scratch = &psl->work, .locals = ARENA_ARRAY(&psl->work, struct value, model->slot_max + 1)};
  bool holds = queueing_solver_holds(&environment, param);
  diagnostic_flush(&psl->diagnostics);
  return holds ? PSL_OK : PSL_WRONG;
}

enum psl_code psl_check_param(struct psl *psl, const char *name) {
  return handle_enter(psl, work_check_param, (void *)name);
}

static enum psl_code work_setting(struct psl *psl, void *arguments) {
  const struct setting_given *given = arguments;
  if (!handle_model(psl)) return PSL_MISUSE;
  const struct symbol *param = model_param(&psl->model, given->name);
  if (!param) return PSL_WRONG;
  arena_close(&psl->handed);
  *given->expression = text_of_expr(&psl->handed, param->setting);
  return PSL_OK;
}

enum psl_code psl_setting(struct psl *psl, const char *name, const char **expression) {
  *expression = NULL;
  return handle_enter(psl, work_setting, &(struct setting_given){name, expression});
}

static enum psl_code work_unset(struct psl *psl, void *arguments) {
  const char *name = arguments;
  if (!handle_model(psl)) return PSL_MISUSE;
  if (!model_unset(&psl->model, name)) return PSL_WRONG;
  session_note_setting(psl, name, NULL);
  return PSL_OK;
}

enum psl_code psl_unset(struct psl *psl, const char *name) { return handle_enter(psl, work_unset, (void *)name); }

enum psl_code psl_set(struct psl *psl, const char *name, const char *expression) {
  return handle_enter(psl, work_set, &(struct set_given){name, expression});
}

/* A network that an analysis is to solve is solved: what keeps it from that is said, and what it would note is not. */
static bool test_network(struct psl *psl, struct graph *graph) {
  enum queueing_mode mode;
  const struct psl_evaluator *evaluator;
  struct handle_catch caught;
  if (!queueing_mode(graph, &mode, &evaluator)) return false;
  if (mode != QUEUEING_ANALYSIS) return true;
  handle_catch(&caught, psl);
  const struct run_result *run = network_solve(graph, &psl->work, evaluator);
  handle_release(&caught);
  if (!run->queueing && run->stop != STOP_INTERRUPT) network_solve(graph, &psl->work, evaluator);
  return run->queueing;
}

static enum psl_code work_check(struct psl *psl, void *arguments) {
  (void)arguments;
  psl->memory.breakable = true;
  if (!handle_model(psl)) return PSL_MISUSE;
  if (!model_bind(&psl->model) || !model_compute_lets(&psl->model)) return PSL_WRONG;
  if (psl->options.verbose) handle_note_fits(psl);
  size_t own, count;
  struct model_component **systems = list_systems(psl, &psl->work, &own, &count);
  bool proved = true;
  for (size_t i = 0; i < own; i++)
    proved &= static_graph_check(&psl->model, &psl->work, systems[i], psl->options.verbose);
  for (size_t i = 0; proved && i < own; i++) { /* for the params as they are: every request finds its target */
    struct graph *graph = resolve(&psl->model, &psl->work, systems[i], &(struct resolve_options){.unlimited = true});
    proved = graph && static_graph_test(graph) && graph_test_constants(graph) && test_network(psl, graph);
  }
  if (proved) handle_note_unreached(psl, systems, own);
  return proved ? PSL_OK : PSL_WRONG;
}

enum psl_code psl_check(struct psl *psl) { return handle_enter(psl, work_check, NULL); }

/* ---- runs ---- */

static double wall_clock(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

struct graph *handle_resolve(struct psl *psl, const char *name, const struct resolve_options *options) {
  if (!model_bind(&psl->model)) return NULL; /* first: it may check the model again and make its parts anew */
  struct model_component *system = handle_system(psl, name);
  if (!system) return NULL;
  psl->memory.breakable = true;
  struct graph *graph = resolve(&psl->model, &psl->work, system, options);
  psl->memory.breakable = false;
  return graph;
}

/* A result in an arena of its own, known to the handle from the start, so that it is freed whatever happens.
 */
static struct results *new_results(struct psl *psl) {
  struct arena arena;
  arena_open(&arena, &psl->memory);
  struct results *results = ARENA_NEW(&arena, struct results);
  results->arena = arena;
  results->next = psl->results;
  psl->results = results;
  return results;
}

/* By whom functions are taken: under `reference` the values that params and lets have are computed anew. */
static void choose_engine(struct psl *psl, const struct psl_run_options *options) {
  struct model *model = &psl->model;
  bool walked = !model->apply;
  model->apply = options->reference ? NULL : functions_apply;
  model->compute = options->reference ? NULL : functions_compute;
  model->walking = 0;
  model->reads = NULL;
  if (walked != options->reference) model_forget(model);
  if (model->apply) functions_of(model); /* what is left behind is dropped before anything is kept */
}

/* With fewer, what partitions tell each other takes longer than what they gain. */
enum { PARTITION_RANKS = 64 };
static uint32_t partition_ranks(const struct psl_run_options *options) {
  return options->partition_ranks ? (uint32_t)options->partition_ranks : PARTITION_RANKS;
}

enum psl_code handle_run(struct psl *psl, const char *system, const struct psl_run_options *options,
                         const struct psl_results **out) {
  double begin = wall_clock();
  choose_engine(psl, options);
  if (!model_bind(&psl->model)) return PSL_WRONG; /* first: it may check the model again */
  struct model_component *component = handle_system(psl, system);
  struct resolve_options how = {.deny_lossy = options->deny_lossy, .unlimited = !(options->max_time > 0)};
  diagnostic_flush(&psl->diagnostics);
  psl->resolving = true;
  struct graph *graph = component ? reuse_resolve(&psl->reuse, &psl->kept, &psl->model, component, &how) : NULL;
  diagnostic_flush(&psl->diagnostics);
  psl->resolving = false;
  if (!graph) return PSL_WRONG;
  struct levels levels = {.arena = &psl->handed};
  if (options->levels && !levels_choose(&levels, graph, options->levels_of)) return PSL_MISUSE;
  psl->memory.breakable = false; /* from here on there is something to report */
  struct results *results = new_results(psl);
  if (options->trace) {
    results->trace = ARENA_NEW(&results->arena, struct trace);
    results->trace->arena = &results->arena;
    if (options->trace_processes) results->trace->every = (uint32_t)(graph->instance_count / options->trace_processes);
  }
  if (options->causes) {
    results->trace = ARENA_NEW(&results->arena, struct trace);
    results->trace->arena = &results->arena;
    results->trace->causes = ARENA_NEW(&results->arena, struct causes);
    *results->trace->causes = (struct causes){.arena = &results->arena, .limit = options->causes};
  }
  if (options->levels) {
    results->levels = ARENA_NEW(&results->arena, struct levels);
    *results->levels = levels;
    results->levels->arena = &results->arena;
  }
  struct task_lines tasks = {.write = options->tasks, .user = options->tasks_user, .text.arena = &psl->handed};
  struct host_time *host_time = options->profile ? ARENA_NEW(&results->arena, struct host_time) : NULL;
  if (host_time) host_time_open(host_time, &results->arena);
  struct run_watch watch = {options->tell, options->told, options->told_user};
  double resolved = wall_clock();
  struct run_result *run = run_graph(graph, &psl->work,
                                     &(struct run_options){
                                         .reference = options->reference || options->causes,
                                         .max_firings = options->max_firings,
                                         .max_time = options->max_time,
                                         .warm_up = options->warm_up,
                                         .seed = options->seed,
                                         .threads = (uint32_t)options->threads,
                                         .partition_ranks = partition_ranks(options),
                                         .peers = options->peers,
                                         .watch = options->told ? &watch : NULL,
                                         .trace = results->trace,
                                         .tasks = options->tasks ? &tasks : NULL,
                                         .levels = results->levels,
                                         .host_time = host_time,
                                         .answers = psl->answers,
                                     });
  double end = wall_clock();
  psl->memory.limit = 0; /* what the run came to must not be lost where it ended for want of memory */
  struct psl_results *public = &results->public;
  results_make(results, graph, run);
  if (host_time) results_host_times(results, psl->model.sources, host_time);
  const struct source *file = psl->session.active ? graph->system->symbol->file : psl->model.files[0]->source;
  public->model = arena_printf(&results->arena, "%s", file->path);
  public->timing.resolve = resolved - begin;
  public->timing.run = end - resolved;
  public->timing.peak_memory = psl->memory.peak;
  reuse_ended(&psl->reuse, public->events + public->firings);
  arena_close(&psl->work);
  psl->memory.limit = psl->options.max_memory;
  *out = public;
  return public->complete ? PSL_OK : PSL_STOPPED;
}

struct run_given {
  const char *system;
  const struct psl_run_options *options;
  const struct psl_results **results;
};

/* Is it one of these, whatever file it is of? */
static bool is_named(const char *param, const char *const *names) {
  const char *point = strrchr(param, '.'), *name = point ? point + 1 : param;
  while (*names && strcmp(*names, name) != 0)
    names++;
  return *names;
}

/* With what params were set to: it must not be lost where a run has ended for want of memory. */
static void describe_settings(struct psl *psl, struct results *results, const char *const *named) {
  psl->memory.limit = 0;
  results->public.set = describe_params(psl, &results->arena, true, &results->public.set_count);
  if (named) {
    size_t count, unset = 0;
    struct psl_param *params = describe_params(psl, &results->arena, false, &count);
    for (size_t p = 0; p < count; p++)
      if (!params[p].set && is_named(params[p].name, named)) params[unset++] = params[p];
    results->public.unset = params;
    results->public.unset_count = unset;
  }
  arena_close(&psl->work);
  psl->memory.limit = psl->options.max_memory;
}

/* Was the run refused before anything came out? There is nothing to report of it but why. */
static bool is_refused(const struct psl_results *results) {
  bool nothing =
      !results->firings && !results->events && !(results->makespan.value > 0) && !(results->simulated.value > 0);
  return nothing && !strcmp(results->stop, stop_text(STOP_ERROR));
}

static enum psl_code work_run(struct psl *psl, void *arguments) {
  const struct run_given *given = arguments;
  psl->memory.breakable = true;
  if (!handle_model(psl)) return PSL_MISUSE;
  arena_close(&psl->handed);
  if (!model_bind(&psl->model)) return PSL_WRONG;
  struct model_component *system = handle_system(psl, given->system);
  if (!system) return PSL_WRONG;
  handle_note_settings(psl, system, &(struct effects_options){.deny_lossy = given->options->deny_lossy});
  enum psl_code code = handle_run(psl, given->system, given->options, given->results);
  if (*given->results && is_refused(*given->results)) {
    psl_drop(psl, *given->results);
    *given->results = NULL;
    return PSL_WRONG;
  }
  if (*given->results) {
    describe_settings(psl, psl->results, given->options->named);
    session_note_results(psl, *given->results);
  }
  return code;
}

enum psl_code psl_run(struct psl *psl, const char *system, const struct psl_run_options *options,
                      const struct psl_results **results) {
  struct psl_run_options none = {0};
  *results = NULL;
  enum psl_code code = handle_enter(psl, work_run, &(struct run_given){system, options ? options : &none, results});
  if (!psl->results) *results = NULL; /* broken off after the run: they are dropped with what else the handle holds */
  return code;
}

void psl_drop(struct psl *psl, const struct psl_results *results) {
  for (struct results **link = &psl->results; *link; link = &(*link)->next) {
    if (&(*link)->public != results) continue;
    struct arena arena = (*link)->arena;
    *link = (*link)->next;
    arena_close(&arena);
    return;
  }
}
