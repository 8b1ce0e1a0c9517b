/* A model completed from the repository. Requests that nothing in its files accepts are looked for by their
 * selectors, with the values that params have; the one entry that fits becomes a file of the model, which is loaded
 * anew, and so on till nothing is missing that the repository has. What was chosen before for the same request,
 * MODEL.lock says. */
#include "interp/repository/lock.h"
#include "interp/repository/repository_model.h"
#include "interp/check/load.h"

#include <errno.h>
#include <string.h>
#include <strings.h>

enum { ROUNDS = 1000, SHOWN = 6 };

/* A file of the repository, of which the model takes some components. */
struct source_taken {
  struct repository_entry entry; /* one of them */
  const char **names;
  uint32_t count, capacity;
  const char *text; /* the slice; NULL: it is to be made */
};
struct completing {
  struct psl *psl;
  struct arena *arena; /* psl->completion.arena */
  struct database *database;
  struct lock lock;
  bool locked; /* the model is a file, which a lock can stand beside */
  struct source_taken *sources;
  uint32_t source_count, source_capacity;
  const char **settings; /* name, expression, name, ... */
  uint32_t setting_count, setting_capacity;
  const char *path; /* of the model */
  bool taken;
  /* of the request in hand */
  struct resolver *r;
  const struct model_request *request;
  struct refused {
    const char *kind, *name, *why;
    uint32_t failed;
  } refused[SHOWN];
  uint32_t refused_count, refused_more;
  struct found {
    const char *kind, *name;
  } * found;
  uint32_t found_count, found_capacity;
};

/* ---- what is missing ---- */

static const char *request_name(struct arena *arena, const struct model_request *request) {
  const struct symbol *name = request->label ? request->label : request->transaction->symbol;
  return arena_printf(arena, "%s.%s", request->component->symbol->name->text, name->name->text);
}

/* Its clauses, with the values that they want now. */
static const char *wanted_text(struct completing *c, const struct expr *selector) {
  struct resolver *r = c->r;
  const struct expr *list[SELECTOR_CONJUNCTS];
  uint32_t count = conjuncts_of(selector, list, SELECTOR_CONJUNCTS);
  struct text text = {.arena = c->arena};
  text_put(&text, "");
  for (uint32_t k = 0; k < count; k++) {
    struct value value;
    const struct expr *clause = list[k];
    if (k) text_put(&text, ", ");
    bool known = clause->kind == EXPR_CLAUSE && clause->clause.value->kind != EXPR_NA &&
                 !expr_uses(r, clause->clause.value) && resolver_quietly(r, clause->clause.value, NULL, &value);
    if (!known) {
      text_put(&text, span_text(r, clause->span));
      continue;
    }
    static const char *const signs[] = {
        [OP_EQ] = "=", [OP_NE] = "!=", [OP_IN] = "in", [OP_LT] = "<", [OP_LE] = "<=", [OP_GT] = ">", [OP_GE] = ">="};
    text_printf(&text, "%s %s ", clause->clause.attribute->folded->text, signs[clause->clause.op]);
    value_print(&text, &r->model->types, r->model->names, clause->clause.value->type, value, 0);
  }
  return text.data;
}

/* Such a request has no candidate at all. */
static bool is_missing(const struct resolver *r, const struct model_request *request) {
  const struct plan *plan = r->plans[request->id];
  bool needs = request->quantifier == TARGET_ONE || request->quantifier == TARGET_ANY;
  return plan && needs && !plan->count && !plan->impossible;
}

/* ---- candidates ---- */

/* Could the request's transaction be that of the accept, at once or by a block of the model? */
static bool transaction_fits(const struct completing *c, const char *name) {
  const struct model *model = &c->psl->model;
  const struct model_transaction *wanted = c->request->transaction;
  if (!strcmp(wanted->symbol->name->text, name)) return true;
  for (uint32_t k = 0; k < model->coercion_count; k++) {
    const struct model_coercion *rule = model->coercions[k];
    if (rule->from_transaction == wanted && rule->to_transaction &&
        !strcmp(rule->to_transaction->symbol->name->text, name))
      return true;
  }
  return false;
}

static bool protocol_fits(const struct completing *c, const char *name) {
  return !c->request->declared || !strcasecmp(c->request->declared->symbol->name->text, name);
}

/* The likest first. */
static void note_refused(struct completing *c, const struct repository_entry *entry, const char *why, uint32_t failed) {
  struct refused one = {arena_copy(c->arena, entry->kind, strlen(entry->kind)),
                        arena_copy(c->arena, entry->name, strlen(entry->name)), arena_copy(c->arena, why, strlen(why)),
                        failed};
  uint32_t place = c->refused_count;
  while (place && c->refused[place - 1].failed > failed)
    place--;
  if (c->refused_count == SHOWN) c->refused_more++;
  if (place == SHOWN) return;
  uint32_t last = c->refused_count < SHOWN ? c->refused_count++ : SHOWN - 1;
  memmove(&c->refused[place + 1], &c->refused[place], sizeof one * (last - place));
  c->refused[place] = one;
}

enum { NO_ACCEPT = UINT32_MAX };

/* An entry beside the request: how many clauses fail in the profile that fits best, and why; 0: it fits. NO_ACCEPT:
 * none of its accepts takes the transaction. */
static uint32_t failed_of(struct completing *c, const struct repository_entry *entry, const char **why) {
  uint32_t least = NO_ACCEPT;
  for (int profile = 0; profile < entry_profiles(entry); profile++) {
    const struct repository_attribute *transaction = entry_attribute(entry, profile, ATTRIBUTE_TRANSACTION),
                                      *protocol = entry_attribute(entry, profile, ATTRIBUTE_PROTOCOL);
    struct text text = {.arena = &c->psl->work};
    uint32_t failed;
    if (!transaction || !transaction_fits(c, transaction->value)) continue;
    text_put(&text, "");
    entry_verdict(c->r, c->request->selector, entry, profile, &text, &failed);
    if (protocol && !protocol_fits(c, protocol->value)) {
      text_printf(&text, "%sits protocol is %s", text.size ? "; " : "", protocol->value);
      failed++;
    }
    if (failed < least) *why = text.data;
    if (failed < least) least = failed;
  }
  return least;
}

static bool consider(void *user, struct repository_entry *entry) {
  struct completing *c = user;
  const char *why;
  uint32_t failed = failed_of(c, entry, &why);
  if (failed == NO_ACCEPT) return true;
  if (failed) note_refused(c, entry, why, failed);
  if (failed) return true;
  struct found found = {arena_copy(c->arena, entry->kind, strlen(entry->kind)),
                        arena_copy(c->arena, entry->name, strlen(entry->name))};
  ARENA_PUSH(c->arena, c->found, c->found_count, c->found_capacity, found);
  return true;
}

static const char looked_at[] = "component instance ted"; /* the kinds */

static bool look(struct completing *c) {
  c->refused_count = c->refused_more = c->found_count = c->found_capacity = 0;
  c->found = NULL;
  return repository_each(c->database, &(struct repository_filter){.kinds = looked_at}, consider, c);
}

/* ---- what is taken ---- */

static struct source_taken *source_of_entry(struct completing *c, const struct repository_entry *entry) {
  for (uint32_t k = 0; k < c->source_count; k++)
    if (c->sources[k].entry.size == entry->size && !memcmp(c->sources[k].entry.data, entry->data, entry->size) &&
        !strcmp(c->sources[k].entry.origin, entry->origin))
      return &c->sources[k];
  ARENA_PUSH(c->arena, c->sources, c->source_count, c->source_capacity, (struct source_taken){.entry = *entry});
  return &c->sources[c->source_count - 1];
}

/* The code of a task that is not the file it was: what was measured of it is of another one. */
static void warn_code(struct completing *c, const struct repository_entry *entry) {
  for (size_t p = 0; p < entry->part_count; p++) {
    const struct repository_part *part = &entry->parts[p];
    const char *why, *path = part->path ? c->psl->model.readable(&c->psl->model, c->arena, part->name, &why) : NULL;
    size_t size;
    const char *bytes = path ? plain_file_text(&c->psl->work, path, INT32_MAX, &size, &why) : NULL;
    struct database_key there = database_key_bytes(bytes ? bytes : "", bytes ? size : 0);
    if (path && memcmp(&there, &part->hash, sizeof there))
      diagnostic_add(&c->psl->diagnostics, SEVERITY_WARNING, (struct span){0},
                     "%s is not the file that was there when %s '%s' was added: %s", part->name, entry->kind,
                     entry->name, bytes ? "it has changed since" : why);
  }
}

static void take(struct completing *c, const struct repository_entry *entry) {
  struct source_taken *source = source_of_entry(c, entry);
  source->text = NULL;
  ARENA_PUSH(c->arena, source->names, source->count, source->capacity, entry->name);
  warn_code(c, entry);
  c->taken = true;
}

static void put_refused(struct text *text, const struct completing *c) {
  for (uint32_t k = 0; k < c->refused_count; k++)
    text_printf(text, "  refused: %s %s\n    %s\n", c->refused[k].kind, c->refused[k].name, c->refused[k].why);
  if (c->refused_more) text_printf(text, "  and %u more refused\n", c->refused_more);
}

/* Why it was this one, for psl explain. */
static void note_choice(struct completing *c, const struct repository_entry *entry, bool by_lock) {
  struct completion *completion = &c->psl->completion;
  const struct symbol *name = c->request->label ? c->request->label : c->request->transaction->symbol;
  const char *component = c->request->component->symbol->name->text;
  struct text text = {.arena = c->arena};
  text_printf(&text,
              "%s was looked for in %s, since no file of the model accepts it\n  wanted: %s\n  chosen: %s %s (%s)\n",
              request_name(&c->psl->work, c->request), c->psl->options.database, wanted_text(c, c->request->selector),
              entry->kind, entry->name, entry->origin);
  text_printf(&text, by_lock ? "    as %s says: it was chosen before\n" : "    it alone fits%s\n",
              by_lock     ? c->lock.path
              : c->locked ? arena_printf(c->arena, ", and is written down in %s", c->lock.path)
                          : "");
  for (uint32_t k = 0; by_lock && k < c->found_count; k++)
    if (strcmp(c->found[k].name, entry->name) || strcmp(c->found[k].kind, entry->kind))
      text_printf(&text, "  not taken: %s %s\n    it would fit, too\n", c->found[k].kind, c->found[k].name);
  put_refused(&text, c);
  text_char(&text, '\n');
  struct completion_choice choice = {arena_copy(c->arena, component, strlen(component)),
                                     arena_copy(c->arena, name->name->text, name->name->length), text.data};
  ARENA_PUSH(c->arena, completion->choices, completion->choice_count, completion->choice_capacity, choice);
}

/* ---- one request ---- */

static bool take_named(struct completing *c, const char *kind, const char *name, struct repository_entry *entry) {
  size_t count;
  if (!repository_find(c->database, c->arena, kind, name, true, entry, &count)) return false;
  if (count == 1 && !entry->damaged) return true;
  diagnostic_add(&c->psl->diagnostics, SEVERITY_ERROR, (struct span){0},
                 count ? "%s: %s '%s' is damaged: it is not what psl has written" : "%s: there is no %s '%s' any more",
                 c->psl->options.database, kind, name);
  return false;
}

/* The kind that the line's entry begins with; NULL after a diagnostic: nothing of such a kind is ever chosen. */
static const char *locked_kind(struct completing *c, const struct lock_line *line) {
  const char *slash = strchr(line->entry, '/');
  const char *kind = arena_copy(c->arena, line->entry, slash ? (size_t)(slash - line->entry) : 0);
  const char *at = *kind && !strchr(kind, ' ') ? strstr(looked_at, kind) : NULL;
  size_t length = strlen(kind);
  if (at && (at == looked_at || at[-1] == ' ') && (!at[length] || at[length] == ' ')) return kind;
  diagnostic_add(&c->psl->diagnostics, SEVERITY_ERROR, (struct span){0},
                 "%s:%u: '%s' is no KIND/NAME of a component, an instance or a ted", shown_line(c->arena, c->lock.path),
                 line->number, shown_line(c->arena, line->entry));
  return NULL;
}

/* Is the entry that the line names one that this request may have? false after a diagnostic. */
static bool locked_fits(struct completing *c, const struct lock_line *line, const struct repository_entry *entry) {
  const char *why;
  uint32_t failed = failed_of(c, entry, &why);
  if (failed)
    diagnostic_add(&c->psl->diagnostics, SEVERITY_ERROR, (struct span){0}, "%s:%u: %s '%s' does not fit %s: %s",
                   shown_line(c->arena, c->lock.path), line->number, entry->kind, entry->name, line->request,
                   failed == NO_ACCEPT ? "it does not accept the transaction" : why);
  return !failed;
}

/* The entry that the line names; false after a diagnostic. */
static bool find_locked(struct completing *c, const struct lock_line *line, struct repository_entry *entry) {
  const char *kind = locked_kind(c, line);
  if (!kind || !take_named(c, kind, line->entry + strlen(kind) + 1, entry)) return false;
  if (!strcmp(database_key_text(c->arena, &entry->hash), line->hash)) return locked_fits(c, line, entry);
  diagnostic_add(&c->psl->diagnostics, SEVERITY_ERROR, (struct span){0},
                 "%s: %s '%s' is not the one that was chosen for %s: it has been replaced", c->psl->options.database,
                 entry->kind, entry->name, line->request);
  return false;
}

/* As it was chosen before; false after a diagnostic. */
static bool take_locked(struct completing *c, const struct lock_line *line) {
  struct repository_entry entry;
  struct diagnostics *d = &c->psl->diagnostics;
  if (!find_locked(c, line, &entry)) {
    diagnostic_note(d, (struct span){0}, "%s says what was chosen", c->lock.path);
    diagnostic_help(d, (struct span){0}, "delete its line, or that file: then it is chosen anew");
    return false;
  }
  if (!look(c)) return false;
  note_choice(c, &entry, true);
  take(c, &entry);
  return true;
}

static bool refuse_several(struct completing *c) {
  struct diagnostics *d = &c->psl->diagnostics;
  diagnostic_add(d, SEVERITY_ERROR, c->request->syntax->selector_span, "%u entries of %s fit this request (%s)",
                 c->found_count, c->psl->options.database, request_name(&c->psl->work, c->request));
  for (uint32_t k = 0; k < c->found_count && k < SHOWN; k++)
    diagnostic_note(d, (struct span){0}, "%s %s", c->found[k].kind, c->found[k].name);
  if (c->found_count > SHOWN) diagnostic_note(d, (struct span){0}, "and %u more", c->found_count - SHOWN);
  diagnostic_help(d, (struct span){0},
                  "ask in the selector for an attribute in which they differ: 'psl db diff' says what");
  return false;
}

/* What comes near, for an error that follows. */
static void note_nothing(struct completing *c) {
  struct diagnostics *d = &c->psl->diagnostics;
  diagnostic_add(d, SEVERITY_NOTE, c->request->syntax->selector_span, "%s has nothing for this request (%s) either",
                 c->psl->options.database, request_name(&c->psl->work, c->request));
  for (uint32_t k = 0; k < c->refused_count && k < 3; k++)
    diagnostic_note(d, (struct span){0}, "%s %s: %s", c->refused[k].kind, c->refused[k].name, c->refused[k].why);
}

static bool complete_request(struct completing *c, const struct model_request *request) {
  struct repository_entry entry;
  c->request = request;
  const char *name = request_name(c->arena, request), *wanted = wanted_text(c, request->selector);
  const struct lock_line *line = lock_find(&c->lock, name, wanted);
  if (line) return take_locked(c, line);
  if (!look(c)) return false;
  if (c->found_count > 1) return refuse_several(c);
  if (!c->found_count) {
    note_nothing(c);
    return true;
  }
  if (!take_named(c, c->found[0].kind, c->found[0].name, &entry)) return false;
  note_choice(c, &entry, false);
  take(c, &entry);
  const char *of = arena_printf(c->arena, "%s/%s", entry.kind, entry.name);
  if (c->locked) lock_add(&c->lock, (struct lock_line){name, wanted, of, database_key_text(c->arena, &entry.hash), 0});
  return true;
}

/* ---- a round ---- */

static bool plan_system(struct resolver *r) {
  resolver_plan(r);
  return true;
}

/* The first request of the system that something was found for: the model is another one then. */
static bool complete_system(struct completing *c, struct model_component *system) {
  static const struct resolve_options plain = {.lazy = true};
  struct psl *psl = c->psl;
  struct graph *graph = graph_new(&psl->model, &psl->work, system);
  graph->resolver = ARENA_NEW(&psl->work, struct resolver);
  resolver_open(graph->resolver, graph, &plain);
  c->r = graph->resolver;
  if (!resolver_guarded(c->r, plan_system)) return false;
  for (uint32_t k = 0; k < psl->model.request_count && !c->taken; k++)
    if (is_missing(c->r, psl->model.requests[k]) && !complete_request(c, psl->model.requests[k])) return false;
  return true;
}

static bool open_repository(struct completing *c) {
  struct psl *psl = c->psl;
  if (c->database) return true;
  c->database = database_open(c->arena, &psl->diagnostics, psl->options.database, DATABASE_READ);
  c->lock.arena = c->arena;
  return c->database && (!c->locked || lock_read(&c->lock, &psl->diagnostics));
}

static bool anything_missing(struct completing *c, struct model_component *system) {
  static const struct resolve_options plain = {.lazy = true};
  struct psl *psl = c->psl;
  struct graph *graph = graph_new(&psl->model, &psl->work, system);
  bool missing = false;
  graph->resolver = ARENA_NEW(&psl->work, struct resolver);
  resolver_open(graph->resolver, graph, &plain);
  resolver_guarded(graph->resolver, plan_system);
  for (uint32_t k = 0; k < psl->model.request_count; k++)
    missing |= is_missing(graph->resolver, psl->model.requests[k]);
  return missing;
}

static bool complete_once(struct completing *c) {
  struct model *model = &c->psl->model;
  c->taken = false;
  if (!model_bind(model)) return false;
  for (uint32_t k = 0; k < model->component_count && !c->taken; k++) {
    struct model_component *system = model->components[k];
    if (!system->system || !model_owns(model, system->symbol->file) || !anything_missing(c, system)) continue;
    if (!open_repository(c) || !complete_system(c, system)) return false;
  }
  return true;
}

/* ---- the model anew ---- */

static void keep_settings(struct completing *c) {
  const struct model *model = &c->psl->model;
  for (uint32_t k = 0; k < model->param_count; k++) {
    const struct symbol *param = model->params[k];
    struct text expression = {.arena = c->arena};
    if (!param->setting) continue;
    expr_format(&expression, param->setting);
    const char *name = arena_printf(c->arena, "%s.%s", param->file->name, param->name->text);
    ARENA_PUSH(c->arena, c->settings, c->setting_count, c->setting_capacity, name);
    ARENA_PUSH(c->arena, c->settings, c->setting_count, c->setting_capacity, expression.data);
  }
}

/* As diagnostics name it: the database, and the file that the entry came from. */
static const char *extra_path(struct completing *c, const struct repository_entry *entry) {
  const char *slash = strrchr(entry->origin, '/');
  return arena_printf(c->arena, "%s:/%s", c->psl->options.database, slash ? slash + 1 : entry->origin);
}

static bool add_extra(struct completing *c, struct source_taken *source) {
  struct completion *completion = &c->psl->completion;
  const struct repository_entry *entry = &source->entry;
  struct slice_file file = {entry->origin, entry->data, entry->size, source->names, source->count};
  if (!source->text) source->text = slice_text(c->arena, &file, &c->psl->model, &c->psl->diagnostics);
  if (!source->text) return false;
  struct load_part *parts = ARENA_ARRAY(c->arena, struct load_part, entry->part_count);
  struct load_extra extra = {.path = extra_path(c, entry), .text = source->text, .size = entry->size, .parts = parts};
  for (size_t p = 0; p < entry->part_count; p++)
    if (entry->parts[p].data)
      parts[extra.part_count++] = (struct load_part){entry->parts[p].name, entry->parts[p].data, entry->parts[p].size};
  ARENA_PUSH(c->arena, completion->extras, completion->extra_count, completion->extra_capacity, extra);
  return true;
}

static bool load_again(struct completing *c) {
  struct psl *psl = c->psl;
  struct completion *completion = &psl->completion;
  struct handle_catch caught;
  completion->extras = NULL;
  completion->extra_count = completion->extra_capacity = 0;
  for (uint32_t k = 0; k < c->source_count; k++)
    if (!add_extra(c, &c->sources[k])) return false;
  handle_catch(&caught, psl);
  bool good = handle_load_again(psl, c->path) == PSL_OK;
  for (uint32_t k = 0; good && k < c->setting_count; k += 2)
    good = model_set(&psl->model, c->settings[k], c->settings[k + 1]);
  handle_release(&caught);
  if (good) return true;
  psl->diagnostics.errors++;
  handle_say_again(psl, PSL_ERROR, caught.said.data);
  return false;
}

static bool keep_lock(struct completing *c) {
  if (!c->lock.changed || lock_write(&c->lock)) return true;
  diagnostic_add(&c->psl->diagnostics, SEVERITY_WARNING, (struct span){0},
                 "%s cannot be written: %s; the next run may choose otherwise", shown_line(c->arena, c->lock.path),
                 strerror(errno));
  return true;
}

static bool complete(struct completing *c) {
  for (int round = 0; round < ROUNDS; round++) {
    if (!complete_once(c)) return false;
    if (!c->taken) return keep_lock(c);
    if (!load_again(c)) return false;
  }
  diagnostic_add(&c->psl->diagnostics, SEVERITY_ERROR, (struct span){0}, "the model wants more than %d entries of %s",
                 ROUNDS, c->psl->options.database);
  return false;
}

static enum psl_code work_complete(struct psl *psl, void *arguments) {
  (void)arguments;
  if (!psl->has_model) return PSL_OK; /* the command has none */
  if (psl->session.active || !model_is_open(&psl->model)) return PSL_OK;
  const char *path = psl->model.files[0]->source->path;
  struct completing c = {.psl = psl, .arena = &psl->completion.arena, .locked = psl->of_file};
  c.path = arena_copy(c.arena, path, strlen(path));
  c.lock.path = arena_printf(c.arena, "%s.lock", c.path);
  if (!c.locked) return PSL_OK;
  keep_settings(&c);
  bool fine = complete(&c);
  if (c.database) database_close(c.database);
  return fine ? PSL_OK : PSL_WRONG;
}

enum psl_code psl_complete_model(struct psl *psl) { return handle_enter(psl, work_complete, NULL); }
