/* What psl.h offers editors: a model is read as far as it can be, and each answer is found anew in its trees.  Spans
 * become places here, lines and columns that count characters. */
#include "interp/check/editing.h"
#include "grammar/words.h"
#include "interp/check/load.h"
#include "interp/library/handle.h"
#include "interp/report/output.h"
#include "interp/resolve/graph.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

static enum psl_code work_edit_file(struct psl *psl, void *arguments) {
  psl->editing = true;
  enum psl_code code = handle_load_file(psl, arguments);
  psl->editing = false;
  psl->has_text = psl->model.loading && psl->model.loading->checker && psl->model.file_count;
  return code;
}

enum psl_code psl_edit_file(struct psl *psl, const char *path) {
  return handle_enter(psl, work_edit_file, (void *)path);
}

/* ---- files and places ---- */

/* What the model has of a file; NULL: nothing. */
static const struct file *file_named(const struct psl *psl, const char *path) {
  const struct model *m = &psl->model;
  for (uint32_t i = 0; psl->has_text && i < m->file_count; i++)
    if (!strcmp(m->loading->files[i]->identity, path) || !strcmp(m->files[i]->source->path, path)) return m->files[i];
  return NULL;
}

static const char *whole_path(const struct psl *psl, const struct source *source) {
  for (uint32_t i = 0; i < psl->model.file_count; i++)
    if (psl->model.files[i]->source == source) return psl->model.loading->files[i]->identity;
  return source->path;
}

struct placing { /* places, one by one */
  const struct psl *psl;
  struct source_near near;
  const char *file, *path; /* of the last one, as the model names it, and whole */
};

/* Places that an editor is given name files without links, by which it knows them. */
static struct psl_place place_next(struct placing *placing, struct span span) {
  const struct psl *psl = placing->psl;
  struct psl_place place = handle_place_near(&psl->sources, span, &placing->near);
  if (!place.file) return place;
  if (place.file != placing->file) placing->path = whole_path(psl, source_of(&psl->sources, span.begin));
  placing->file = place.file;
  place.file = placing->path;
  return place;
}

static struct psl_place place_of(const struct psl *psl, struct span span) {
  return place_next(&(struct placing){.psl = psl}, span);
}

/* The offset in the text; behind its end what is not in it. */
static uint32_t offset_in(const struct source *source, unsigned line, unsigned column) {
  size_t length, at = 0;
  if (!line || line > source->line_count) return source->size;
  const char *text = source_line(source, line, &length);
  for (unsigned c = 1; c < column && at < length; c++)
    for (at++; at < length && ((unsigned char)text[at] & 0xC0) == 0x80;)
      at++;
  return (uint32_t)(text - source->text + (ptrdiff_t)at);
}

struct asked {
  const char *file;
  unsigned line, column;
  const char *component;
  const void **items; /* what is handed out */
  size_t *count;
  struct psl_place *place;
  psl_write *write;
  void *user;
};

typedef void answer(struct psl *psl, const struct file *file, const struct asked *asked);

static enum psl_code ask(struct psl *psl, const struct asked *asked, answer *find) {
  arena_close(&psl->handed);
  const struct file *file = asked->file ? file_named(psl, asked->file) : NULL;
  if (!psl->has_text || (asked->file && !file)) return PSL_MISUSE;
  psl->memory.breakable = true;
  find(psl, file, asked);
  psl->memory.breakable = false;
  return PSL_OK;
}

/* ---- names ---- */

static enum psl_code work_files(struct psl *psl, void *arguments) {
  const struct asked *asked = arguments;
  arena_close(&psl->handed);
  if (!psl->has_text) return PSL_MISUSE;
  const char **paths = ARENA_ARRAY(&psl->handed, const char *, psl->model.file_count);
  for (uint32_t i = 0; i < psl->model.file_count; i++)
    paths[i] = psl->model.loading->files[i]->identity;
  *asked->items = paths;
  *asked->count = psl->model.file_count;
  return PSL_OK;
}

enum psl_code psl_files(struct psl *psl, const char *const **paths, size_t *count) {
  const void *items = NULL;
  *count = 0;
  enum psl_code code = handle_enter(psl, work_files, &(struct asked){.items = &items, .count = count});
  *paths = items;
  return code;
}

static bool of_library(const struct psl *psl, const struct named *named) {
  if (!named->declared.end)
    return named->symbol || named->kind == PSL_NAME_FUNCTION || named->kind == PSL_NAME_TYPE ||
           named->kind == PSL_NAME_UNIT;
  const struct source *source = source_of(&psl->sources, named->declared.begin);
  return source && model_in_library(&psl->model, source);
}

/* `places`: of names, and of what declares them. */
static struct psl_name name_out(const struct psl *psl, struct placing places[2], const struct named *named) {
  bool declared = named->declared.end > named->declared.begin;
  return (struct psl_name){
      .name = named->name->text,
      .kind = named->kind,
      .place = place_next(&places[0], named->span),
      .declared = declared ? place_next(&places[1], named->declared) : (struct psl_place){0},
      .declares = declared && named->declared.begin == named->span.begin,
      .assigned = named->assigned,
      .library = of_library(psl, named),
  };
}

static void answer_names(struct psl *psl, const struct file *file, const struct asked *asked) {
  uint32_t count;
  const struct named *names = model_names(&psl->model, &psl->work, file ? file->source : NULL, &count);
  struct psl_name *out = ARENA_ARRAY(&psl->handed, struct psl_name, count);
  struct placing places[2] = {{.psl = psl}, {.psl = psl}};
  for (uint32_t i = 0; i < count; i++)
    out[i] = name_out(psl, places, &names[i]);
  *asked->items = out;
  *asked->count = count;
}

static enum psl_code work_names(struct psl *psl, void *asked) { return ask(psl, asked, answer_names); }

enum psl_code psl_names(struct psl *psl, const char *file, const struct psl_name **names, size_t *count) {
  const void *items = NULL;
  *count = 0;
  enum psl_code code = handle_enter(psl, work_names, &(struct asked){.file = file, .items = &items, .count = count});
  *names = items;
  return code;
}

static bool is_word(const char *text, size_t length) {
  const struct word *word = psl_words;
  while (word->text && (strncmp(word->text, text, length) || word->text[length]))
    word++;
  return length && word->text;
}

/* The name at the place, or the word of the language that stands there; false: neither. */
static bool find_name(struct psl *psl, const struct file *file, const struct asked *asked, struct named *out) {
  const struct source *source = file->source;
  uint32_t count, at = offset_in(source, asked->line, asked->column), begin = at, end = at;
  const struct named *names = model_names(&psl->model, &psl->work, source, &count);
  const struct named *found = named_at(names, count, source->base + at);
  if (found) {
    *out = *found;
    return true;
  }
  while (begin && (isalpha((unsigned char)source->text[begin - 1]) || source->text[begin - 1] == '-'))
    begin--;
  while (end < source->size && (isalpha((unsigned char)source->text[end]) || source->text[end] == '-'))
    end++;
  if (!is_word(source->text + begin, end - begin)) return false;
  *out = (struct named){.span = {source->base + begin, source->base + end},
                        .name = name_intern(&psl->names, source->text + begin, end - begin),
                        .kind = PSL_NAME_WORD};
  return true;
}

static void answer_name(struct psl *psl, const struct file *file, const struct asked *asked) {
  struct named named;
  if (!find_name(psl, file, asked, &named) || named.kind == PSL_NAME_WORD) return;
  struct psl_name *out = ARENA_NEW(&psl->handed, struct psl_name);
  *out = name_out(psl, (struct placing[2]){{.psl = psl}, {.psl = psl}}, &named);
  *asked->items = out;
}

static enum psl_code work_name_at(struct psl *psl, void *asked) { return ask(psl, asked, answer_name); }

enum psl_code psl_name_at(struct psl *psl, const char *file, unsigned line, unsigned column,
                          const struct psl_name **name) {
  const void *item = NULL;
  enum psl_code code =
      handle_enter(psl, work_name_at, &(struct asked){.file = file, .line = line, .column = column, .items = &item});
  *name = item;
  return code;
}

/* What is said meanwhile, of a value that cannot be computed, is of no interest. */
static struct diagnostics hush(struct psl *psl) {
  diagnostic_flush(&psl->diagnostics);
  struct diagnostics loud = psl->diagnostics;
  psl->diagnostics.sink = NULL;
  return loud;
}

static void speak(struct psl *psl, struct diagnostics loud) {
  diagnostic_flush(&psl->diagnostics);
  psl->diagnostics = loud;
}

static void answer_describe(struct psl *psl, const struct file *file, const struct asked *asked) {
  struct named named;
  struct output out;
  if (!find_name(psl, file, asked, &named)) return;
  output_open(&out, &psl->work, asked->write, asked->user);
  struct diagnostics loud = hush(psl);
  model_describe(&psl->model, &named, psl->has_model, &out.text);
  speak(psl, loud);
  if (out.text.size) *asked->place = place_of(psl, named.span);
  output_close(&out);
}

static enum psl_code work_describe(struct psl *psl, void *asked) { return ask(psl, asked, answer_describe); }

enum psl_code psl_describe(struct psl *psl, const char *file, unsigned line, unsigned column, struct psl_place *place,
                           psl_write *write, void *user) {
  *place = (struct psl_place){0};
  return handle_enter(
      psl, work_describe,
      &(struct asked){.file = file, .line = line, .column = column, .place = place, .write = write, .user = user});
}

struct name_given {
  const char *name;
  psl_write *write;
  void *user;
};

static enum psl_code work_describe_name(struct psl *psl, void *arguments) {
  const struct name_given *given = arguments;
  struct output out;
  if (!psl->has_text) return PSL_MISUSE;
  output_open(&out, &psl->work, given->write, given->user);
  struct diagnostics loud = hush(psl);
  if (psl->has_model) model_help(&psl->model, given->name, true, &out.text);
  speak(psl, loud);
  output_close(&out);
  return PSL_OK;
}

enum psl_code psl_describe_name(struct psl *psl, const char *name, psl_write *write, void *user) {
  return handle_enter(psl, work_describe_name, &(struct name_given){name, write, user});
}

/* ---- what a text is made of ---- */

static void answer_outline(struct psl *psl, const struct file *file, const struct asked *asked) {
  uint32_t count;
  const struct outlined *items = file_outline(file, &psl->handed, &count);
  struct psl_outlined *out = ARENA_ARRAY(&psl->handed, struct psl_outlined, count);
  for (uint32_t i = 0; i < count; i++)
    out[i] = (struct psl_outlined){
        .name = items[i].name,
        .detail = items[i].detail,
        .kind = items[i].kind,
        .place = place_of(psl, items[i].span),
        .name_place = place_of(psl, items[i].name_span),
        .value_place =
            items[i].value.end > items[i].value.begin ? place_of(psl, items[i].value) : (struct psl_place){0},
        .profile = items[i].profile,
        .accepts = items[i].accepts,
        .body_place = items[i].body.end > items[i].body.begin ? place_of(psl, items[i].body) : (struct psl_place){0},
        .requests_last = items[i].requests_last,
        .depth = items[i].depth};
  *asked->items = out;
  *asked->count = count;
}

static enum psl_code work_outline(struct psl *psl, void *asked) { return ask(psl, asked, answer_outline); }

enum psl_code psl_outline(struct psl *psl, const char *file, const struct psl_outlined **items, size_t *count) {
  const void *out = NULL;
  *count = 0;
  enum psl_code code = handle_enter(psl, work_outline, &(struct asked){.file = file, .items = &out, .count = count});
  *items = out;
  return code;
}

static void answer_fields(struct psl *psl, const struct file *file, const struct asked *asked) {
  uint32_t count;
  const struct fielded *items = file_fields(file, asked->component, &psl->handed, &count);
  struct psl_field *out = ARENA_ARRAY(&psl->handed, struct psl_field, count);
  for (uint32_t i = 0; i < count; i++)
    out[i] = (struct psl_field){.part = items[i].part,
                                .label = items[i].label,
                                .kind = items[i].kind,
                                .place = place_of(psl, items[i].span),
                                .whole = place_of(psl, items[i].whole),
                                .calls = items[i].calls,
                                .requested = items[i].requested,
                                .request = items[i].request};
  *asked->items = out;
  *asked->count = count;
}

static enum psl_code work_fields(struct psl *psl, void *asked) { return ask(psl, asked, answer_fields); }

enum psl_code psl_fields(struct psl *psl, const char *file, const char *component, const struct psl_field **fields,
                         size_t *count) {
  const void *items = NULL;
  *count = 0;
  enum psl_code code = handle_enter(
      psl, work_fields, &(struct asked){.file = file, .component = component, .items = &items, .count = count});
  *fields = items;
  return code;
}

static void answer_folds(struct psl *psl, const struct file *file, const struct asked *asked) {
  uint32_t count;
  const struct folded *items = file_folds(file, &psl->work, &count);
  struct psl_fold *out = ARENA_ARRAY(&psl->handed, struct psl_fold, count);
  for (uint32_t i = 0; i < count; i++) {
    struct psl_place place = place_of(psl, items[i].span);
    if (place.end_line > place.line) out[(*asked->count)++] = (struct psl_fold){place, items[i].comment};
  }
  *asked->items = out;
}

static enum psl_code work_folds(struct psl *psl, void *asked) { return ask(psl, asked, answer_folds); }

enum psl_code psl_folds(struct psl *psl, const char *file, const struct psl_fold **folds, size_t *count) {
  const void *items = NULL;
  *count = 0;
  enum psl_code code = handle_enter(psl, work_folds, &(struct asked){.file = file, .items = &items, .count = count});
  *folds = items;
  return code;
}

static void answer_hints(struct psl *psl, const struct file *file, const struct asked *asked) {
  uint32_t count;
  const struct hinted *items = model_hints(&psl->model, &psl->handed, file->source, &count);
  struct psl_hint *out = ARENA_ARRAY(&psl->handed, struct psl_hint, count);
  for (uint32_t i = 0; i < count; i++) {
    struct place place = source_place(&psl->sources, items[i].offset);
    out[i] = (struct psl_hint){place.line, place.column, items[i].text};
  }
  *asked->items = out;
  *asked->count = count;
}

static enum psl_code work_hints(struct psl *psl, void *asked) { return ask(psl, asked, answer_hints); }

enum psl_code psl_hints(struct psl *psl, const char *file, const struct psl_hint **hints, size_t *count) {
  const void *items = NULL;
  *count = 0;
  enum psl_code code = handle_enter(psl, work_hints, &(struct asked){.file = file, .items = &items, .count = count});
  *hints = items;
  return code;
}

/* ---- what could stand somewhere ---- */

bool psl_word(size_t number, struct psl_word *out) {
  for (const struct word *word = psl_words; word->text; word++) {
    if (word->class == WORD_OF_SESSION || number--) continue;
    bool reserved = word->class == WORD_RESERVED || word->class == WORD_ANY_CASE;
    *out = (struct psl_word){word->text, reserved, word->form, word->meaning};
    return true;
  }
  return false;
}

struct psl_completion *handle_complete(struct psl *psl, const char *line, size_t cursor, const struct decl *decl) {
  struct psl_completion *completion = ARENA_NEW(&psl->handed, struct psl_completion);
  struct completed *items = NULL;
  completion->begin = model_complete(&psl->model, &psl->handed, line, cursor, decl, &items, &completion->count);
  const char **words = ARENA_ARRAY(&psl->handed, const char *, completion->count);
  enum psl_name_kind *kinds = ARENA_ARRAY(&psl->handed, enum psl_name_kind, completion->count);
  for (size_t i = 0; i < completion->count; i++) {
    words[i] = items[i].word;
    kinds[i] = items[i].kind;
  }
  completion->words = words;
  completion->kinds = kinds;
  return completion;
}

/* What is written from there on belongs to one declaration: the last one that begins before the place, or what comes
 * behind its end. */
static uint32_t declaration_begin(const struct file *file, uint32_t at, const struct decl **decl) {
  const struct source *source = file->source;
  uint32_t begin = 0;
  *decl = NULL;
  for (struct decl *d = file->decls; d && d->span.begin - source->base < at; d = d->next) {
    bool ended = d->span.end - source->base < at;
    begin = (ended ? d->span.end : d->span.begin) - source->base;
    *decl = ended ? NULL : d;
  }
  return begin;
}

static unsigned characters(const char *text, size_t size) {
  unsigned count = 0;
  for (size_t i = 0; i < size; i++)
    count += ((unsigned char)text[i] & 0xC0) != 0x80;
  return count;
}

static void answer_complete(struct psl *psl, const struct file *file, const struct asked *asked) {
  const struct source *source = file->source;
  const struct decl *decl;
  uint32_t at = offset_in(source, asked->line, asked->column), begin = declaration_begin(file, at, &decl), line = at;
  const char *text = arena_copy(&psl->work, source->text + begin, at - begin);
  struct psl_completion *completion = handle_complete(psl, text, at - begin, decl);
  while (line && source->text[line - 1] != '\n')
    line--;
  uint32_t word = begin + (uint32_t)completion->begin;
  completion->begin = word > line ? characters(source->text + line, word - line) : 0;
  *asked->items = completion;
}

static enum psl_code work_complete_at(struct psl *psl, void *asked) { return ask(psl, asked, answer_complete); }

enum psl_code psl_complete_at(struct psl *psl, const char *file, unsigned line, unsigned column,
                              const struct psl_completion **completion) {
  const void *item = NULL;
  enum psl_code code = handle_enter(psl, work_complete_at,
                                    &(struct asked){.file = file, .line = line, .column = column, .items = &item});
  *completion = item;
  return code;
}

static void answer_signature(struct psl *psl, const struct file *file, const struct asked *asked) {
  struct signature_found found;
  uint32_t at = offset_in(file->source, asked->line, asked->column);
  if (!model_signature(&psl->model, &psl->handed, file->source, at, &found)) return;
  struct psl_signature *out = ARENA_NEW(&psl->handed, struct psl_signature);
  struct psl_signature_part *parts = ARENA_ARRAY(&psl->handed, struct psl_signature_part, found.count);
  for (uint32_t i = 0; i < found.count; i++)
    parts[i] = (struct psl_signature_part){characters(found.label, found.parts[i].begin),
                                           characters(found.label, found.parts[i].end)};
  *out = (struct psl_signature){found.label, found.doc, parts, found.count, found.active};
  *asked->items = out;
}

static enum psl_code work_signature_at(struct psl *psl, void *asked) { return ask(psl, asked, answer_signature); }

enum psl_code psl_signature_at(struct psl *psl, const char *file, unsigned line, unsigned column,
                               const struct psl_signature **signature) {
  const void *item = NULL;
  enum psl_code code = handle_enter(psl, work_signature_at,
                                    &(struct asked){.file = file, .line = line, .column = column, .items = &item});
  *signature = item;
  return code;
}

/* ---- where requests go ---- */

struct goals { /* components, each with how many instances of it */
  struct text *out;
  uint32_t count;
};

static void put_goal(struct goals *goals, const char *component, uint64_t instances) {
  text_printf(goals->out, "%s%s", goals->count++ ? ", " : "", component);
  if (instances > 1) text_printf(goals->out, " (%" PRIu64 " instances)", instances);
}

/* Of what each requester goes to, the instances that are met, by component. */
static void put_bound(struct psl *psl, struct goals *goals, const struct graph *graph, const struct binding *binding,
                      uint32_t requesters) {
  const struct model *m = &psl->model;
  uint8_t *met = ARENA_ARRAY(&psl->work, uint8_t, graph->instance_count);
  uint64_t *instances = ARENA_ARRAY(&psl->work, uint64_t, m->component_count);
  for (uint32_t k = 0; k < requesters; k++) {
    struct target one;
    const uint32_t *many;
    uint32_t first, count = targets_bound(binding, k, &one, &many, &first);
    for (uint32_t t = 0; t < count; t++) {
      uint32_t instance = many ? many[first + t] : one.instance;
      if (instance < graph->instance_count && !met[instance]++) instances[graph_component(graph, instance)->id]++;
    }
  }
  for (uint32_t c = 0; c < m->component_count; c++)
    if (instances[c]) put_goal(goals, m->components[c]->symbol->name->text, instances[c]);
}

static const char *match_text(struct psl *psl, const struct graph *graph, const struct model_request *request) {
  const struct binding *binding = &graph->bindings[request->id];
  struct text out = {.arena = &psl->handed};
  struct goals goals = {.out = &out};
  if (binding->kind == BINDING_ABSENT)
    return graph->instances[request->component->id].count ? "no instance makes this request" : NULL;
  bool late = binding->kind == BINDING_LATE;
  text_put(&out, late ? "goes during the run to one of: " : "goes to ");
  for (uint32_t i = 0; late && i < binding->candidate_count; i++)
    put_goal(&goals, binding->candidates[i]->component->symbol->name->text, 1);
  if (!late) put_bound(psl, &goals, graph, binding, graph->instances[request->component->id].count);
  return goals.count ? out.data : "goes nowhere";
}

static void answer_matches(struct psl *psl, const struct file *file, const struct asked *asked) {
  struct model *m = &psl->model;
  struct diagnostics loud = hush(psl);
  uint32_t capacity = 0, count = 0;
  struct psl_match *matches = NULL;
  bool fine = psl->has_model && model_bind(m);
  for (uint32_t c = 0; fine && c < m->component_count; c++) {
    struct model_component *system = m->components[c];
    if (!system->system || !model_owns(m, system->symbol->file)) continue;
    const struct graph *graph = resolve(m, &psl->work, system, &(struct resolve_options){.lazy = true});
    for (uint32_t r = 0; graph && r < m->request_count; r++) {
      const struct request *syntax = m->requests[r]->syntax;
      if (source_of(&psl->sources, syntax->span.begin) != file->source) continue;
      const char *text = match_text(psl, graph, m->requests[r]);
      struct span begin = {syntax->span.begin, syntax->span.begin};
      struct psl_match match = {place_of(psl, syntax->label.name ? syntax->label.span : begin), text};
      if (text) ARENA_PUSH(&psl->handed, matches, count, capacity, match);
    }
  }
  speak(psl, loud);
  *asked->items = matches;
  *asked->count = count;
}

static enum psl_code work_matches(struct psl *psl, void *asked) { return ask(psl, asked, answer_matches); }

enum psl_code psl_matches(struct psl *psl, const char *file, const struct psl_match **matches, size_t *count) {
  const void *items = NULL;
  *count = 0;
  enum psl_code code = handle_enter(psl, work_matches, &(struct asked){.file = file, .items = &items, .count = count});
  *matches = items;
  return code;
}
