/* What entries a file makes: of PSL one a component, with what its interfaces are; of a static task graph, a table, a
 * trace or a text one. Called by psl_db_add. */
#include "interp/repository/repository_model.h"
#include "interp/check/load.h"
#include "interp/report/json_read.h"
#include "interp/taskgraph/taskgraph.h"
#include "evaluators/programs/operations.h"

#include <errno.h>
#include <jansson.h>
#include <string.h>
#include <sys/stat.h>

enum { TEXT_SEARCHED = 256 << 10 }; /* bytes of a text that words are looked for in */

static const char *const kinds[] = {"component", "instance",    "graph",      "ted",
                                    "knowledge", "measurement", "prediction", NULL};

const char *psl_db_kind(size_t place) { return place < sizeof kinds / sizeof *kinds ? kinds[place] : NULL; }

static bool is_kind(const char *name) {
  for (size_t k = 0; kinds[k]; k++)
    if (!strcmp(kinds[k], name)) return true;
  return false;
}

static void say_wrong(struct psl *psl, const char *help, const char *format, const char *a, const char *b) {
  diagnostic_add(&psl->diagnostics, SEVERITY_ERROR, (struct span){0}, format, a, b);
  if (help) diagnostic_help(&psl->diagnostics, (struct span){0}, "%s", help);
}

/* ---- interfaces of components ---- */

static void put_member(struct text *json, const char *name, const char *value) {
  if (!value) return;
  if (json->data[json->size - 1] != '{') text_put(json, ", ");
  text_json(json, name);
  text_put(json, ": ");
  text_json(json, value);
}

static const char *words_text(const struct words *words) { return words->name ? words->name->text : NULL; }

static void put_accepts(struct text *json, struct resolver *r, const struct model_component *component) {
  text_put(json, "\"accepts\": [");
  for (uint32_t k = 0; k < component->accept_count; k++) {
    const struct accept *syntax = component->accepts[k]->syntax;
    text_put(json, k ? ", {" : "{");
    if (syntax->has_profile) put_member(json, "profile", span_text(r, syntax->profile_span));
    put_member(json, "transaction", span_text(r, syntax->txn.span));
    put_member(json, "protocol", words_text(&syntax->protocol));
    text_char(json, '}');
  }
  text_char(json, ']');
}

static void put_requests(struct text *json, struct resolver *r, const struct model_component *component) {
  text_put(json, ", \"requests\": [");
  for (uint32_t k = 0; k < component->request_count; k++) {
    const struct request *syntax = component->requests[k]->syntax;
    text_put(json, k ? ", {" : "{");
    if (syntax->label.name) put_member(json, "label", syntax->label.name->text);
    put_member(json, "selector", span_text(r, syntax->selector_span));
    put_member(json, "transaction", span_text(r, syntax->txn.span));
    put_member(json, "protocol", words_text(&syntax->protocol));
    text_char(json, '}');
  }
  text_char(json, ']');
}

static bool has_body(const struct model_component *component) {
  for (uint32_t k = 0; k < component->accept_count; k++)
    if (component->accepts[k]->body && component->accepts[k]->body->first) return true;
  return false;
}

/* Params of the component, with the values that make an instance of it. */
static void put_params(struct text *json, struct resolver *r, const struct model_component *component) {
  uint32_t count = 0;
  text_put(json, ", \"params\": [");
  for (uint32_t k = 0; k < component->instance_count; k++) {
    const struct symbol *param = component->instances[k];
    if (!param->decl || param->decl->kind != DECL_PARAM || !param->instance.value) continue;
    text_put(json, count++ ? ", {" : "{");
    put_member(json, "name", param->name->text);
    put_member(json, "value", span_text(r, param->instance.value->span));
    put_member(json, "of", param->decl->doc);
    text_char(json, '}');
  }
  text_char(json, ']');
}

static const char *details_of(struct resolver *r, struct arena *arena, const struct model_component *component) {
  struct text json = {.arena = arena};
  text_char(&json, '{');
  if (component->like) {
    put_member(&json, "like", component->like->symbol->name->text);
    text_put(&json, ", ");
  }
  put_accepts(&json, r, component);
  put_requests(&json, r, component);
  put_params(&json, r, component);
  text_put(&json, has_body(component) ? ", \"body\": true}" : ", \"body\": false}");
  return json.data;
}

/* ---- profiles ---- */

static void add_profile(struct attribute_list *list, struct resolver *r, int place, const struct model_accept *accept) {
  const struct model_profile *profile = accept->profile;
  for (uint32_t k = 0; k < accept->profile_count; k++) {
    const char *name = profile[k].attribute->folded->text;
    struct value value;
    if (profile[k].dynamic < 0 && (!profile[k].value || profile[k].value->kind == EXPR_NA))
      entry_add_open(list, place, arena_copy(list->arena, name, strlen(name)), "any", "N/A");
    else if (profile[k].dynamic >= 0 || expr_uses(r, profile[k].value) ||
             !resolver_quietly(r, profile[k].value, NULL, &value))
      entry_add_open(list, place, arena_copy(list->arena, name, strlen(name)), "other",
                     span_text(r, profile[k].value ? profile[k].value->span : profile[k].span));
    else
      entry_add_attribute(list, r, place, profile[k].attribute, profile[k].type, value);
  }
}

static bool has_attribute(const struct attribute_list *list, int profile, const char *name) {
  for (size_t k = list->count; k-- > 0;)
    if (list->items[k].profile == profile && !strcmp(list->items[k].name, name)) return true;
  return false;
}

/* What the domain gives an attribute that the profile leaves out. */
static void add_defaults(struct attribute_list *list, struct resolver *r, int place,
                         const struct model_accept *accept) {
  struct value domain, value;
  if (!resolver_constant(r, accept, KNOWN_DOMAIN, &domain) || domain.kind != VALUE_TERM) return;
  const struct model_domain *declared = resolver_domain(r, domain.term);
  for (uint32_t k = 0; declared && k < declared->count; k++) {
    const struct model_attribute *attribute = &declared->attributes[k];
    if (!attribute->value || has_attribute(list, place, attribute->name->folded->text)) continue;
    if (!expr_uses(r, attribute->value) && resolver_quietly(r, attribute->value, NULL, &value))
      entry_add_attribute(list, r, place, attribute->name, attribute->type, value);
  }
}

static void add_accept(struct attribute_list *list, struct resolver *r, int place, const struct model_accept *accept) {
  const struct model_component *component = accept->component;
  const char *transaction = accept->transaction->symbol->name->text;
  const char *protocol = accept->declared ? accept->declared->symbol->name->text : "dataflow";
  add_profile(list, r, place, accept);
  for (uint32_t k = 0; k < component->index_count; k++) {
    const char *name = component->indices[k]->name->folded->text;
    if (!has_attribute(list, place, name))
      entry_add_open(list, place, arena_copy(list->arena, name, strlen(name)), "other", "an index");
  }
  entry_add_text(list, place, ATTRIBUTE_TRANSACTION, arena_copy(list->arena, transaction, strlen(transaction)));
  entry_add_text(list, place, ATTRIBUTE_PROTOCOL, arena_copy(list->arena, protocol, strlen(protocol)));
  add_defaults(list, r, place, accept);
}

/* ---- files that belong to one ---- */

/* As the file of the component would name it: below its folder, or as it stands on the disk. */
static const char *part_name(struct arena *arena, const char *folder, const char *identity) {
  size_t length = strlen(folder);
  bool below = !strncmp(folder, identity, length) && identity[length] == '/';
  return arena_copy(arena, below ? identity + length + 1 : identity, strlen(below ? identity + length + 1 : identity));
}

static void add_part(struct repository_entry *entry, struct repository_part **parts, size_t *capacity,
                     struct arena *arena, struct repository_part part) {
  ARENA_PUSH(arena, *parts, entry->part_count, *capacity, part);
  entry->parts = *parts;
}

/* What the file uses of the user's own: models and tables of measurements. */
static void add_used(struct psl *psl, struct repository_entry *entry, struct repository_part **parts,
                     size_t *capacity) {
  const struct model_loading *l = psl->model.loading;
  struct arena *arena = &psl->handed;
  const char *folder = file_folder(arena, l->files[0]->identity);
  for (uint32_t k = 1; k < l->count; k++) {
    const struct source *source = l->files[k]->file->source;
    if (model_in_library(&psl->model, source)) continue;
    const char *text = arena_copy(arena, source->text, source->size);
    add_part(entry, parts, capacity, arena,
             (struct repository_part){.name = part_name(arena, folder, l->files[k]->identity),
                                      .hash = database_key_bytes(text, source->size),
                                      .data = text,
                                      .size = source->size});
  }
  for (uint32_t k = 0; k < l->data_count; k++) {
    const struct source *source = l->data[k].source;
    const char *text = arena_copy(arena, source->text, source->size);
    add_part(entry, parts, capacity, arena,
             (struct repository_part){.name = part_name(arena, folder, l->data[k].identity),
                                      .hash = database_key_bytes(text, source->size),
                                      .data = text,
                                      .size = source->size});
  }
}

/* The file of a task's code stays where it is: its hash says later whether it is the same. false after a diagnostic. */
static bool add_code(struct psl *psl, struct repository_entry *entry, struct repository_part **parts,
                     size_t *capacity) {
  const struct repository_attribute *code = entry_attribute(entry, 0, "code");
  struct arena *arena = &psl->handed;
  const char *why = NULL;
  size_t size;
  if (strcmp(entry->kind, "ted") || !code || strcmp(code->type, "string") || !*code->value) return true;
  const char *path = psl->model.readable(&psl->model, arena, code->value, &why);
  const char *bytes = path ? plain_file_text(&psl->work, path, INT32_MAX, &size, &why) : NULL;
  if (!bytes) {
    say_wrong(psl, "the file is found from the current folder, or beside the model",
              "the code of '%s' cannot be read: %s", entry->name, why);
    return false;
  }
  add_part(entry, parts, capacity, arena,
           (struct repository_part){.name = code->value,
                                    .path = arena_copy(arena, path, strlen(path)),
                                    .hash = database_key_bytes(bytes, size),
                                    .size = size});
  return true;
}

/* ---- components ---- */

static bool is_ted(const struct attribute_list *list) {
  for (size_t k = 0; k < list->count; k++)
    if (!strcmp(list->items[k].name, "domain") && !strcmp(list->items[k].value, "task")) return true;
  return false;
}

static const char *source_text(struct arena *arena, const struct source *source, struct span span) {
  uint32_t begin = span.begin - source->base, end = span.end - source->base;
  return arena_copy(arena, source->text + begin, end > begin ? end - begin : 0);
}

/* What the method of a task needs to be told. */
static bool check_ted(struct psl *psl, const struct repository_entry *entry) {
  static const char *const methods[] = {"analytic", "instruction-driven", "execution-driven", "trace-driven", NULL};
  const struct repository_attribute *method = entry_attribute(entry, 0, "method");
  for (size_t k = 0; method && methods[k]; k++)
    if (!strcmp(method->value, methods[k])) return true;
  say_wrong(psl, "its profile says: method = analytic, instruction-driven, execution-driven or trace-driven",
            "'%s' is of the domain task, and %s", entry->name,
            method ? "its method is none that a task is evaluated by" : "says no method that evaluates it");
  return false;
}

static bool component_entry(struct psl *psl, struct resolver *r, const struct psl_db_add *add,
                            const struct model_component *component, const struct source *source,
                            struct entry_list *out) {
  struct arena *arena = &psl->handed;
  struct attribute_list list = {.arena = arena};
  struct repository_part *parts = NULL;
  size_t capacity = 0;
  for (uint32_t k = 0; k < component->accept_count; k++)
    add_accept(&list, r, (int)k, component->accepts[k]);
  const char *doc = add->description ? add->description : component->decl->doc ? component->decl->doc : "";
  const char *name = component->symbol->name->text, *details = details_of(r, arena, component);
  struct repository_entry entry = {
      .kind = is_ted(&list)     ? "ted"
              : component->like ? "instance"
                                : "component",
      .name = arena_copy(arena, name, strlen(name)),
      .format = "psl",
      .description = arena_copy(arena, doc, strlen(doc)),
      .origin = arena_copy(arena, source->path, strlen(source->path)),
      .details = details,
      .text = source_text(arena, source, component->decl->span),
      .data = arena_copy(arena, source->text, source->size),
      .size = source->size,
      .attributes = list.items,
      .attribute_count = list.count,
  };
  if (!strcmp(entry.kind, "ted") && !check_ted(psl, &entry)) return false;
  add_used(psl, &entry, &parts, &capacity);
  if (!add_code(psl, &entry, &parts, &capacity)) return false;
  ARENA_PUSH(arena, out->items, out->count, out->capacity, entry);
  return true;
}

static bool entries_of_model(struct psl *psl, const struct psl_db_add *add, struct entry_list *out) {
  if (handle_load_file(psl, add->path) != PSL_OK || !model_bind(&psl->model)) return false;
  struct resolver *r = repository_resolver(psl);
  const struct source *source = psl->model.files[0]->source;
  for (uint32_t k = 0; k < psl->model.component_count; k++) {
    const struct model_component *component = psl->model.components[k];
    if (component->system || component->outer || component->symbol->file != source || !component->accept_count)
      continue;
    if (!component_entry(psl, r, add, component, source, out)) return false;
  }
  if (out->count) return true;
  say_wrong(psl, "a system alone is not kept: it is what a model is begun with",
            "%s has no component that accepts anything%s", shown_line(&psl->work, add->path), "");
  return false;
}

/* ---- other files ---- */

static const char *ending_of(const char *path) {
  const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
  return dot ? dot + 1 : "";
}

/* The file's name without folder and ending. */
static const char *base_name(struct arena *arena, const char *path) {
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
  return arena_copy(arena, name, dot && dot > name ? (size_t)(dot - name) : strlen(name));
}

static bool begins_json(const char *text) {
  text += strspn(text, " \t\r\n");
  return *text == '{' || *text == '[';
}

/* Does the text read as one value of JSON, to its end? */
static bool is_json(const char *text, size_t size) {
  json_error_t error;
  json_t *value = json_loadb(text, size, 0, &error);
  json_decref(value);
  return value != NULL;
}

static bool is_graph(struct arena *arena, const char *text) {
  const char *format = json_read_string(arena, json_read_member(text + strspn(text, " \t\r\n"), "format"));
  return format && !strncmp(format, "static task graph", strlen("static task graph"));
}

/* By what is in it; NULL: that does not tell. */
static const char *kind_of(struct arena *arena, const char *path, const char *text, bool trace, const char **format) {
  const char *ending = ending_of(path);
  *format = trace ? "trace" : begins_json(text) ? "json" : !strcmp(ending, "csv") ? "csv" : "text";
  if (trace || !strcmp(*format, "csv")) return "measurement";
  if (!strcmp(*format, "json")) return is_graph(arena, text) ? "graph" : "prediction";
  return !strcmp(ending, "txt") || !strcmp(ending, "md") || !strcmp(path, "-") ? "knowledge" : NULL;
}

static bool check_graph(struct psl *psl, struct repository_entry *entry, struct attribute_list *list) {
  struct sources sources = {.arena = &psl->work, .end = 1};
  struct names names;
  names_open(&names, &psl->work);
  psl->diagnostics.sources = &sources;
  struct static_graph *graph =
      task_graph_read(&psl->work, &names, &psl->diagnostics, &sources, entry->origin, entry->data);
  diagnostic_flush(&psl->diagnostics);
  psl->diagnostics.sources = &psl->sources;
  if (!graph) return false;
  struct output out;
  struct text json = {.arena = &psl->handed}, text = {.arena = &psl->handed};
  output_open(&out, &psl->handed, NULL, NULL);
  task_graph_text(&out, graph);
  text_put(&text, out.text.data ? out.text.data : "");
  uint32_t nodes = 0;
  struct task_counts counts = task_graph_counts(graph);
  for (int k = 0; k < TASK_KINDS; k++)
    nodes += counts.of[k];
  text_printf(&json, "{\"system\": ");
  text_json(&json, graph->system);
  text_printf(&json, ", \"processes\": %u, \"nodes\": %u, \"edges\": %u, \"condensed\": %s}", graph->graph_count, nodes,
              graph->edge_count, graph->condensed_from ? "true" : "false");
  entry->details = json.data;
  entry->text = text.data;
  entry_add_text(list, PROFILE_OF_ENTRY, "system", arena_copy(&psl->handed, graph->system, strlen(graph->system)));
  return true;
}

/* A rule says if what, as a selector, then what. */
static bool check_rule(struct psl *psl, const char *rule, uint32_t number, struct text *searched) {
  struct arena *arena = &psl->handed;
  const char *condition = json_read_string(arena, json_read_member(rule, "if"));
  const char *advice = json_read_string(arena, json_read_member(rule, "then"));
  struct query query;
  if (!condition || !advice) {
    say_wrong(psl, "rules are [{\"if\": \"n > 4, machine = SP2\", \"then\": \"...\"}, ...]", "rule %s of %s",
              arena_printf(arena, "%u", number), "the knowledge has no 'if' or no 'then'");
    return false;
  }
  text_printf(searched, "if %s then %s\n", condition, advice);
  return query_read(psl, arena_printf(arena, "rule %u", number), condition, &query);
}

static bool check_rules(struct psl *psl, struct repository_entry *entry) {
  struct text searched = {.arena = &psl->handed};
  const char *list = entry->data + strspn(entry->data, " \t\r\n");
  uint32_t count = 0;
  text_put(&searched, "");
  for (const char *at = json_read_first(list); at; at = json_read_next(at))
    if (!check_rule(psl, at, ++count, &searched)) return false;
  if (!count) {
    say_wrong(psl, "rules are [{\"if\": \"n > 4, machine = SP2\", \"then\": \"...\"}, ...]", "%s has no rules%s",
              entry->origin, "");
    return false;
  }
  entry->format = "rules";
  entry->text = searched.data;
  entry->details = arena_printf(&psl->handed, "{\"rules\": %u}", count);
  return true;
}

/* A table's first line. */
static const char *columns_of(struct arena *arena, const char *text) {
  size_t length = strcspn(text, "\r\n");
  struct text json = {.arena = arena};
  text_put(&json, "{\"columns\": ");
  text_json(&json, arena_copy(arena, text, length));
  text_char(&json, '}');
  return json.data;
}

static bool check_other(struct psl *psl, struct repository_entry *entry, struct attribute_list *list) {
  bool json = !strcmp(entry->format, "json");
  if (json && !is_json(entry->data, entry->size)) {
    say_wrong(psl, NULL, "%s is no JSON%s", entry->origin, "");
    return false;
  }
  if (!strcmp(entry->kind, "graph") && !(json && is_graph(&psl->work, entry->data))) {
    say_wrong(psl, "'psl graph --static --format json FILE' writes one", "%s holds no static task graph%s",
              entry->origin, "");
    return false;
  }
  if (!strcmp(entry->kind, "graph")) return check_graph(psl, entry, list);
  if (!strcmp(entry->kind, "knowledge") && json) return check_rules(psl, entry);
  if (!strcmp(entry->format, "csv")) entry->details = columns_of(&psl->handed, entry->data);
  return true;
}

/* A trace stays where it is, as what is large does. */
static void leave_there(struct psl *psl, struct repository_entry *entry, const char *path) {
  struct repository_part *part = ARENA_NEW(&psl->handed, struct repository_part);
  *part = (struct repository_part){.name = "trace",
                                   .path = file_canonical(&psl->handed, path),
                                   .hash = database_key_bytes(entry->data, entry->size),
                                   .size = entry->size};
  entry->parts = part;
  entry->part_count = 1;
  entry->details = "{}";
  entry->text = entry->data = "";
  entry->size = 0;
}

static bool is_utf8_text(const char *text, size_t size) { return memchr(text, 0, size) == NULL; }

static bool entry_of_other(struct psl *psl, const struct psl_db_add *add, struct entry_list *out) {
  struct arena *arena = &psl->handed;
  struct attribute_list list = {.arena = arena};
  size_t size;
  bool trace = strcmp(add->path, "-") && program_source_is(add->path);
  const char *text = handle_read(psl, arena, add->path, &size), *format;
  if (!text) return false;
  text = arena_copy(arena, text, size);
  const char *kind = kind_of(arena, add->path, text, trace, &format);
  if (add->kind) kind = add->kind;
  if (!kind || (!trace && !is_utf8_text(text, size))) {
    say_wrong(psl, kind ? NULL : "--kind says it", kind ? "%s is no text%s" : "it cannot be told what %s is%s",
              shown_line(arena, add->path), "");
    return false;
  }
  struct repository_entry entry = {
      .kind = arena_copy(arena, kind, strlen(kind)),
      .name = add->name ? arena_copy(arena, add->name, strlen(add->name)) : base_name(arena, add->path),
      .format = format,
      .description = add->description ? arena_copy(arena, add->description, strlen(add->description)) : "",
      .origin = shown_line(arena, add->path),
      .details = "{}",
      .text = arena_copy(arena, text, size < TEXT_SEARCHED ? size : TEXT_SEARCHED),
      .data = text,
      .size = size,
  };
  if (trace) leave_there(psl, &entry, add->path);
  if (!trace && !check_other(psl, &entry, &list)) return false;
  if (add->attributes && !query_attributes(psl, "--attributes", add->attributes, &list)) return false;
  entry.attributes = list.items;
  entry.attribute_count = list.count;
  ARENA_PUSH(arena, out->items, out->count, out->capacity, entry);
  return true;
}

/* ---- what is given ---- */

static bool given_fits(struct psl *psl, const struct psl_db_add *add, bool model) {
  if (add->kind && !is_kind(add->kind))
    say_wrong(psl, "kinds are component, instance, graph, ted, knowledge, measurement and prediction",
              "there is no kind '%s'%s", add->kind, "");
  else if (model && add->kind)
    say_wrong(psl, "leave out --kind: what accepts tasks is a ted, what is made like another is an instance",
              "components of %s say themselves what they are%s", add->path, "");
  else if (!model && add->kind &&
           (!strcmp(add->kind, "component") || !strcmp(add->kind, "instance") || !strcmp(add->kind, "ted")))
    say_wrong(psl, "a file of PSL ends in .psl", "a %s is written in PSL, and %s is none", add->kind, add->path);
  else if (model && add->name)
    say_wrong(psl, "leave out --name", "components of %s have names%s", add->path, "");
  else if (model && add->attributes)
    say_wrong(psl, "leave out --attributes", "components of %s have profiles%s", add->path, "");
  else if (add->name && (!*add->name || strchr(add->name, '/') || strlen(add->name) > 200))
    say_wrong(psl, "at most 200 bytes, without '/', which stands between a kind and a name",
              "'%s' is no name of an entry%s", add->name, "");
  else
    return true;
  psl->diagnostics.misuse = true;
  return false;
}

/* A pipe of a name, in which perhaps nobody ever writes, a socket or a device. A folder may be a trace. */
static bool is_no_file(const char *path) {
  struct stat status;
  return strcmp(path, "-") && stat(path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

bool entries_of_file(struct psl *psl, const struct psl_db_add *add, struct entry_list *out) {
  bool model = !strcmp(ending_of(add->path), "psl");
  arena_close(&psl->handed);
  if (!given_fits(psl, add, model)) return false;
  if (!is_no_file(add->path)) return model ? entries_of_model(psl, add, out) : entry_of_other(psl, add, out);
  say_wrong(psl, "what is no file is given through standard input, as -", "cannot read %s: it is no file%s",
            shown_line(&psl->handed, add->path), "");
  return false;
}
