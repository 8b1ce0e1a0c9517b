/* What is known of a name: its declarations with their documentation, a unit, a built-in function, an evaluator, a file
 * of the folders that `use` searches. */
#include "interp/check/checker.h"
#include "interp/check/editing.h"
#include "grammar/words.h"
#include "interp/model/discipline.h"
#include "interp/model/run.h"
#include "interp/check/load.h"
#include "interp/evaluate/evaluate.h"

#include <string.h>
#include <strings.h>

struct helper {
  struct checker *c;
  struct text *out;
  bool any;
  bool values; /* params and lets may be computed */
};

static void begin(struct helper *h) {
  if (h->any) text_char(h->out, '\n');
  h->any = true;
}

static void put_doc(struct helper *h, const char *doc) {
  for (const char *at = doc; at && *at;) {
    size_t length = strcspn(at, "\n");
    text_put(h->out, length ? "  " : "");
    text_put_n(h->out, at, length);
    text_char(h->out, '\n');
    at += length + (at[length] == '\n');
  }
}

static void put_place(struct helper *h, struct span span) {
  struct place place = source_place(h->c->model->sources, span.begin);
  if (!place.source) return;
  text_put(h->out, "  declared at ");
  text_line(h->out, place.source->path);
  text_printf(h->out, ":%u\n", place.line);
}

static void put_type(struct helper *h, const struct type *type) { type_print(h->out, &h->c->model->types, type); }

/* The head of a declaration as it is written: up to its block or its value. */
static void put_head(struct helper *h, const struct decl *decl) {
  const struct source *source = source_of(h->c->model->sources, decl->span.begin);
  const char *text = source->text + (decl->span.begin - source->base),
             *end = text + (decl->span.end - decl->span.begin);
  bool function = decl->kind == DECL_FUNCTION, blank = false;
  int depth = 0;
  for (; text < end; text++) {
    depth += (*text == '(' || *text == '[') - (*text == ')' || *text == ']');
    if (!depth && (*text == ';' || (*text == '{' && decl->kind != DECL_TRANSACTION) || (function && *text == '=')))
      break;
    bool space = *text == ' ' || *text == '\n' || *text == '\t' || *text == '\r';
    if (!space && blank) text_char(h->out, ' ');
    if (!space) text_char(h->out, *text);
    blank = space;
  }
  text_char(h->out, '\n');
}

static void put_value(struct helper *h, struct symbol *symbol) {
  struct model *m = h->c->model;
  struct value *locals = ARENA_ARRAY(h->out->arena, struct value, m->slot_max + 1);
  struct environment e = {.model = m, .scratch = h->out->arena, .locals = locals};
  struct value value;
  const struct expr *expr = value_expr(symbol);
  text_printf(h->out, "%s %s : ", symbol->kind == SYMBOL_PARAM ? "param" : "let", symbol->name->text);
  put_type(h, symbol->type);
  text_put(h->out, " = ");
  expr_format(h->out, expr);
  if (symbol->kind == SYMBOL_PARAM && symbol->decl->value.range) {
    text_put(h->out, " in ");
    expr_format(h->out, symbol->decl->value.range);
  }
  text_char(h->out, '\n');
  bool plain = expr->kind == EXPR_INTEGER || expr->kind == EXPR_REAL || expr->kind == EXPR_QUANTITY;
  if (plain || !h->values || !evaluate_symbol(&e, symbol, symbol->span, &value)) return;
  text_put(h->out, "  is now ");
  value_print(h->out, &m->types, m->names, symbol->type, value, 6);
  text_char(h->out, '\n');
}

static void put_unit(struct helper *h, const struct symbol *symbol) {
  text_printf(h->out, "unit %s", symbol->name->text);
  if (symbol->decl->value.value) {
    text_put(h->out, " = ");
    expr_format(h->out, symbol->decl->value.value);
  }
  text_put(h->out, ", of ");
  dimension_print(h->out, &h->c->model->types, symbol->unit.dimension);
  text_char(h->out, '\n');
}

static void put_attributes(struct helper *h, const struct model_domain *domain) {
  const struct decl *decl = domain->symbol->decl;
  for (uint32_t i = 0; i < domain->count; i++) {
    text_printf(h->out, "  attribute %s : ", domain->attributes[i].name->text);
    put_type(h, domain->attributes[i].type);
    const char *doc = i < decl->domain.count ? decl->domain.attributes[i].doc : NULL;
    text_printf(h->out, "%s%s\n", doc ? "  " : "", doc ? doc : "");
  }
}

/* The attributes of an accept's profile as `like` may change them, but for those of the accepts before. */
static void put_profile(struct helper *h, const struct model_component *component, uint32_t accept) {
  const struct model_accept *a = component->accepts[accept];
  for (uint32_t p = 0; p < a->profile_count; p++) {
    bool said = false;
    for (uint32_t before = 0; before < accept; before++)
      for (uint32_t q = 0; q < component->accepts[before]->profile_count; q++)
        said |= component->accepts[before]->profile[q].attribute == a->profile[p].attribute;
    if (said || !a->profile[p].value) continue;
    text_printf(h->out, "  profile %s = ", a->profile[p].attribute->text);
    expr_format(h->out, a->profile[p].value);
    text_char(h->out, '\n');
  }
}

static void put_component(struct helper *h, const struct model_component *component) {
  for (uint32_t i = 0; i < component->instance_count; i++) {
    const struct decl *decl = component->instances[i]->decl;
    text_printf(h->out, "  %s %s", decl->kind == DECL_PARAM ? "param" : "let", component->instances[i]->name->text);
    if (decl->value.value) {
      text_put(h->out, " = ");
      expr_format(h->out, component->instances[i]->instance.value);
    }
    text_printf(h->out, "%s%s\n", decl->doc ? "  " : "", decl->doc ? decl->doc : "");
  }
  for (uint32_t i = 0; i < component->accept_count; i++) {
    if (!component->accepts[i]->transaction) continue; /* what is wrong has none */
    text_printf(h->out, "  accepts %s\n", component->accepts[i]->transaction->symbol->name->text);
    put_profile(h, component, i);
  }
  for (uint32_t i = 0; i < component->request_count; i++) {
    const struct model_request *request = component->requests[i];
    if (!request->transaction) continue;
    text_printf(h->out, "  requests %s", request->transaction->symbol->name->text);
    if (request->label) text_printf(h->out, " as %s", request->label->name->text);
    text_char(h->out, '\n');
  }
}

static void help_symbol(struct helper *h, struct symbol *symbol) {
  begin(h);
  switch (symbol->kind) {
  case SYMBOL_PARAM:
  case SYMBOL_LET: put_value(h, symbol); break;
  case SYMBOL_UNIT: put_unit(h, symbol); break;
  case SYMBOL_FUNCTION:
  case SYMBOL_TRANSACTION:
  case SYMBOL_PROTOCOL:
  case SYMBOL_COMPONENT:
  case SYMBOL_DOMAIN:
  case SYMBOL_STUDY: put_head(h, symbol->decl); break;
  case SYMBOL_FOREIGN: text_printf(h->out, "function %s, of C\n", symbol->name->text); break;
  case SYMBOL_BUILTIN:
  case SYMBOL_EVALUATOR:
  case SYMBOL_EVALUATOR_FUNCTION:
  case SYMBOL_FILE:
  case SYMBOL_COERCION:
  case SYMBOL_INDEX:
  case SYMBOL_INSTANCE:
  case SYMBOL_VAR:
  case SYMBOL_LOCAL:
  case SYMBOL_LABEL:
  case SYMBOL_ATTRIBUTE:
  case SYMBOL_CLOCK:
  case SYMBOL_VALUE:
  case SYMBOL_TARGET:
  case SYMBOL_CALLER: break;
  }
  if (symbol->decl) put_doc(h, symbol->decl->doc);
  if (symbol->kind == SYMBOL_DOMAIN) put_attributes(h, symbol->domain);
  if (symbol->kind == SYMBOL_COMPONENT) put_component(h, symbol->component);
  put_place(h, symbol->span);
}

/* Those of a table; file: of that file alone, NULL: of all. */
static void help_table(struct helper *h, enum space space, const struct name *name, const struct source *file) {
  for (struct symbol *s = table_first(h->c, space, name); s; s = s->next)
    if (s->decl && (!file || s->file == file)) help_symbol(h, s);
}

static void help_base_unit(struct helper *h, const struct name *name) {
  const struct types *types = &h->c->model->types;
  if (table_first(h->c, SPACE_UNIT, name)) return;
  for (uint32_t i = 0; i < types->dimension_count; i++) {
    if (types->base_units[i] != name) continue;
    begin(h);
    text_printf(h->out, "unit %s, that of %s\n", name->text, types->dimensions[i]->text);
  }
}

/* What types of quantities are made of. */
static void help_dimension(struct helper *h, const struct name *name) {
  const struct types *types = &h->c->model->types;
  for (uint32_t i = 0; i < types->dimension_count; i++) {
    if (types->dimensions[i] != name || types->base_units[i] == name) continue;
    begin(h);
    text_printf(h->out, "dimension %s, of unit %s\n", name->text, types->base_units[i]->text);
  }
}

static void help_builtin(struct helper *h, const char *name) {
  const struct builtin *builtin = builtin_find(name);
  if (!builtin) return;
  begin(h);
  text_printf(h->out, "function %s%s, built in\n  %s\n", builtin->name, builtin->parameters, builtin->doc);
}

static void put_function(struct helper *h, const struct psl_evaluator *evaluator,
                         const struct psl_evaluator_function *function, bool whole) {
  text_printf(h->out, "%s%s.%s%s\n", whole ? "" : "  ", evaluator->name, function->name, function->signature);
  if (whole) put_doc(h, function->doc);
}

static void help_evaluator(struct helper *h, const char *name, const char *member) {
  const struct load_options *options = &h->c->model->loading->options;
  const struct psl_evaluator *evaluator = evaluator_named(options, name);
  if (!evaluator) return;
  for (const struct psl_evaluator_function *f = evaluator->functions; member && f && f->name; f++)
    if (strcmp(f->name, member) == 0) {
      begin(h);
      put_function(h, evaluator, f, true);
    }
  if (member) return;
  begin(h);
  text_printf(h->out, "evaluator %s: use %s;\n", evaluator->name, evaluator->name);
  put_doc(h, evaluator->doc);
  for (const struct psl_evaluator_function *f = evaluator->functions; f && f->name; f++)
    put_function(h, evaluator, f, false);
  for (const struct psl_assumption *a = evaluator->assumptions; a && a->text; a++)
    text_printf(h->out, "  assumes: %s\n", a->text);
}

/* The comment that a file of the folders of `use` begins with. */
static void help_file(struct helper *h, const char *name) {
  const struct load_options *options = &h->c->model->loading->options;
  for (uint32_t i = 0; i < options->folder_count; i++) {
    const char *path = arena_printf(h->out->arena, "%s/%s.psl", options->folders[i], name);
    size_t size;
    const char *text = file_text(h->out->arena, path, &size);
    if (!text) continue;
    begin(h);
    text_put(h->out, "file ");
    text_line(h->out, path);
    text_printf(h->out, ": use %s;\n", name);
    for (const char *end = text + size; text + 3 < end && strncmp(text, "///", 3) == 0;) {
      const char *line = text + 3 + (text[3] == ' '), *stop = memchr(text, '\n', (size_t)(end - text));
      size_t length = (size_t)((stop ? stop : end) - line);
      text_put(h->out, length ? "  " : "");
      text_put_n(h->out, line, length);
      text_char(h->out, '\n');
      text = stop ? stop + 1 : end;
    }
    return;
  }
}

static void help_attribute(struct helper *h, const struct name *folded) {
  const struct model *m = h->c->model;
  for (uint32_t i = 0; i < m->domain_count; i++)
    for (uint32_t a = 0; a < m->domains[i]->count && a < m->domains[i]->symbol->decl->domain.count; a++) {
      const struct model_attribute *attribute = &m->domains[i]->attributes[a];
      const char *doc = m->domains[i]->symbol->decl->domain.attributes[a].doc;
      if (attribute->name->folded != folded) continue;
      begin(h);
      text_printf(h->out, "attribute %s of domain %s : ", attribute->name->text, m->domains[i]->symbol->name->text);
      put_type(h, attribute->type);
      text_char(h->out, '\n');
      put_doc(h, doc);
    }
}

/* Words of an attribute are joined, and quotes around them dropped: 'float rate'. */
static const char *join_words(struct arena *arena, const char *text) {
  struct text out = {.arena = arena};
  const char *quotes = "'\"", *end = text + strlen(text);
  if (*text && strchr(quotes, *text)) text++;
  while (end > text && (end[-1] == ' ' || strchr(quotes, end[-1])))
    end--;
  for (; text < end; text++) {
    if (*text != ' ')
      text_char(&out, *text);
    else if (out.size && out.data[out.size - 1] != '-')
      text_char(&out, '-');
  }
  return out.data ? out.data : "";
}

/* ATTRIBUTE = TERM, where the value is the term, or has it as its head or in its brackets; NULL: it is another. */
static const char *term_meant(struct arena *arena, const struct model_profile *entry, const char *name) {
  const struct expr *value = entry->value;
  struct text text = {.arena = arena};
  size_t length = strlen(name);
  if (!value || !value->type || value->type->kind != TYPE_TERM) return NULL;
  if (value->kind == EXPR_NAME ? value->name.symbol != NULL : value->kind != EXPR_INDEX || !value->index.term)
    return NULL;
  expr_format(&text, value);
  const char *bracket = strchr(text.data, '[');
  bool inside = bracket && !strncasecmp(bracket + 1, name, length) && !strcmp(bracket + 1 + length, "]");
  bool head = !strncasecmp(text.data, name, length) && (!text.data[length] || text.data[length] == '[');
  if (!inside && !head) return NULL;
  return arena_printf(arena, "%s = %s", entry->attribute->text, inside ? text.data : name);
}

enum { HELP_COLUMNS = 108, HELP_USES = 12 };

enum { TERM_COMPONENTS = 8 }; /* named, of those that have a term in their profiles */

static void put_components_of(struct helper *h, const char *name, const char *meant) {
  const struct model *m = h->c->model;
  struct words_list components = {0};
  for (uint32_t a = 0; a < m->accept_count; a++)
    for (uint32_t p = 0; p < m->accepts[a]->profile_count; p++) {
      const char *component = m->accepts[a]->component->symbol->name->text;
      const char *one = term_meant(h->out->arena, &m->accepts[a]->profile[p], name);
      bool known = components.count && !strcmp(components.items[components.count - 1], component);
      if (!known && one && !strcmp(one, meant)) words_add(h->c, &components, component);
    }
  begin(h);
  text_printf(h->out, "%s in profiles of ", meant);
  for (uint32_t i = 0; i < components.count && i < TERM_COMPONENTS; i++)
    text_printf(h->out, "%s%s", i ? ", " : "", components.items[i]);
  if (components.count > TERM_COMPONENTS) text_printf(h->out, " and %u more", components.count - TERM_COMPONENTS);
  text_char(h->out, '\n');
}

/* A term of profiles: which components have it, by attribute. */
static void help_term(struct helper *h, const char *name) {
  const struct model *m = h->c->model;
  struct words_list meant = {0};
  for (uint32_t a = 0; a < m->accept_count; a++)
    for (uint32_t p = 0; p < m->accepts[a]->profile_count; p++) {
      const char *one = term_meant(h->out->arena, &m->accepts[a]->profile[p], name);
      bool said = !one;
      for (uint32_t before = 0; !said && before < meant.count; before++)
        said = !strcmp(meant.items[before], one);
      if (said) continue;
      words_add(h->c, &meant, one);
      put_components_of(h, name, one);
    }
}

static void help_member(struct helper *h, const char *name, const char *point) {
  struct names *names = h->c->model->names;
  const char *base = arena_copy(h->out->arena, name, (size_t)(point - name));
  struct symbol *file = table_first(h->c, SPACE_QUALIFIER, name_of(names, base));
  for (; file; file = file->next)
    if (file->kind == SYMBOL_FILE) help_table(h, SPACE_VALUE, name_of(names, point + 1), file->file);
  help_evaluator(h, base, point + 1);
}

/* Of the language; what the model calls so comes first. */
/* `first-of`, `any-by`: the word with the one behind it, as its form has them. */
static bool begins_form(struct helper *h, const struct word *word, const char *name) {
  size_t length = strlen(name);
  const char *form = word->form ? join_words(h->out->arena, word->form) : "";
  if (strncmp(name, word->text, strlen(word->text)) || !strchr(name, '-')) return false;
  for (const char *at = form; (at = strstr(at, name)); at++)
    if ((at == form || at[-1] == '-') && at[length] == '-') return true;
  return false;
}

static void help_word(struct helper *h, const char *name) {
  for (const struct word *word = psl_words; word->text; word++) {
    if (strcmp(join_words(h->out->arena, word->text), name) && !begins_form(h, word, name)) continue;
    begin(h);
    text_printf(h->out, "%s\n  %s\n", word->form, word->meaning);
  }
}

static const char *result_meaning(const struct model_result *result) {
  static const char *const of_shares[SHARES] = {
      "time that processes compute",
      "time that processes communicate",
      "time that processes wait",
      "time that receivers wait for a message that nobody has begun to send",
      "time that senders wait for a receive that nobody has posted",
      "time that ranks wait in a collective operation for others to come to it",
      "time that processes wait while a message is on its way",
      "time that processes wait because a message has to queue on its way",
      "time that processes wait to get what nobody has put",
      "time that processes wait to put something where there is no room",
      "time that processes communicate or wait for messages",
  };
  static const char *const of_queueing[QUEUEING_FIGURES] = {
      [QUEUEING_THROUGHPUT] = "cycles of customers, or visits of a station, in a second",
      [QUEUEING_RESPONSE] = "time of a cycle without thinking, or of a visit",
      [QUEUEING_QUEUE] = "customers that wait and are served, on the mean over time",
      [QUEUEING_UTILISATION] = "part of the servers' time that is taken",
      [QUEUEING_WAITING] = "time of a call before it is served, on the mean",
      [QUEUEING_LEFT] = "calls that went before they were served, by patience or first of",
      [QUEUEING_LEFT_AFTER] = "how long these calls had waited, on the mean",
      [QUEUEING_SERVED] = "calls that servers were done with",
  };
  switch (result->kind) {
  case RESULT_MAKESPAN: return "the predicted time, when the last process ends";
  case RESULT_LOW: return "the least predicted time over all ranges";
  case RESULT_HIGH: return "the greatest predicted time over all ranges";
  case RESULT_SIMULATED: return "how far the run has come, whatever has ended it";
  case RESULT_MESSAGES: return "messages sent";
  case RESULT_BYTES: return "data of all messages";
  case RESULT_FIRINGS: return "how often accepts have fired";
  case RESULT_SHARE: return of_shares[result->part];
  case RESULT_GREATEST: return "that of the process which has most of it";
  case RESULT_RECORD: return "of what bodies have recorded";
  case RESULT_QUANTILE: return "a quantile of what bodies have recorded";
  case RESULT_QUEUEING:
  case RESULT_FACILITY: return of_queueing[result->part];
  case RESULT_PERCENTILE: return "what this part of the cycles, or of the visits, takes at most";
  case RESULT_FIGURE: return "a figure of an evaluator";
  case RESULT_REST:
  case RESULT_GREATEST_REST:
  case RESULT_EVENTS: break; /* these are not listed */
  }
  return "";
}

/* What a run comes to. */
static void help_result(struct helper *h, const char *name) {
  const struct model_result *result = result_named(h->c, name);
  if (!result) return;
  begin(h);
  text_printf(h->out, "%s : ", name);
  put_type(h, result->type);
  text_printf(h->out, "\n  %s;\n  'report %s' in a study, 'last.%s' in a session\n", result_meaning(result), name,
              name);
}

static void help_discipline(struct helper *h, const struct name *folded) {
  struct text forms = {.arena = h->out->arena};
  disciplines_list(&forms);
  if (name_is(folded, KNOWN_DISCIPLINE)) text_printf(h->out, "  %s\n", forms.data);
  for (const struct discipline *d = disciplines; d->name; d++) {
    if (strcmp(folded->text, d->name)) continue;
    begin(h);
    text_printf(h->out, "discipline = %s%s;\n  of an accept with servers: %s\n", d->name,
                d->argument == DISCIPLINE_QUANTUM ? "(TIME)"
                : d->argument == DISCIPLINE_RATES ? "[(RATES)]"
                                                  : "",
                d->meaning);
  }
}

static void help_types(struct helper *h, const char *name) {
  if (strcmp(name, "types") != 0 && strcmp(name, "dimension") != 0 && strcmp(name, "dimensions") != 0) return;
  begin(h);
  text_put(h->out, "types, dimensions\n"
                   "  int, real, bool, string, term, [T] for a list, range*T, distribution*T;\n"
                   "  of quantities a product of dimensions, or of units: time, data/time, 1/time, flop/byte, time^2,\n"
                   "  whose values have a unit behind the number: 3 ms, 2 GB/s, 5 s^-1\n"
                   "  dimensions: ");
  const struct types *types = &h->c->model->types;
  for (uint32_t i = 0; i < types->dimension_count; i++)
    text_printf(h->out, "%s%s", i ? ", " : "", types->dimensions[i]->text);
  text_char(h->out, '\n');
}

static void help_topic(struct helper *h, const char *name) {
  const char *topic = topic_named(name);
  if (!topic) return;
  begin(h);
  text_put(h->out, topic);
}

/* What could be asked for by name. */
static struct words_list names_known(struct checker *c) {
  struct words_list list = {0};
  static const enum space spaces[] = {SPACE_VALUE, SPACE_COMPONENT, SPACE_TRANSACTION, SPACE_PROTOCOL,
                                      SPACE_STUDY, SPACE_DOMAIN,    SPACE_UNIT,        SPACE_QUALIFIER};
  for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
    words_add_table(c, &list, &c->tables[spaces[i]]);
  for (uint32_t i = 0; i < c->model->domain_count; i++)
    for (uint32_t a = 0; a < c->model->domains[i]->count; a++)
      words_add(c, &list, c->model->domains[i]->attributes[a].name->text);
  for (const struct builtin *b = psl_builtins; b->name; b++)
    words_add(c, &list, b->name);
  for (const struct word *word = psl_words; word->text; word++)
    words_add(c, &list, word->text);
  for (const struct discipline *d = disciplines; d->name; d++)
    words_add(c, &list, d->name);
  return list;
}

static const enum space in_library[] = {SPACE_COMPONENT, SPACE_TRANSACTION, SPACE_PROTOCOL, SPACE_VALUE};
enum { IN_LIBRARY = sizeof in_library / sizeof *in_library };

static void unknown(struct helper *h, const char *name) {
  struct checker *c = h->c;
  struct words_list list = names_known(c);
  c->reported = (struct map){0};
  check_error(c, (struct span){0, 0}, "nothing is known by the name '%s'", name);
  const struct name *interned = name_of(c->model->names, name);
  for (int i = 0; i < IN_LIBRARY; i++)
    if (check_library(c, in_library[i], interned)) return;
  check_meant(c, name, &list);
}

bool model_help_in_library(struct model *model, const char *asked) {
  struct checker *c = model->loading->checker;
  const struct name *name = name_of(model->names, join_words(model->arena, asked));
  for (int i = 0; i < IN_LIBRARY; i++)
    if (library_file_of(c, in_library[i], name)) return true;
  return false;
}

const char *model_help_near(struct model *model, const char *asked) {
  struct words_list list = names_known(model->loading->checker);
  return nearest_name(join_words(model->arena, asked), list.items, list.count);
}

/* `timeout`, of SimPy: what is written for it here, wherever it could stand. */
static void put_uses(struct helper *h, const struct habit_use *uses, size_t count) {
  static const char before[] = "did you mean ";
  for (size_t i = 0; i < count; i++) {
    bool said = false;
    for (size_t earlier = 0; earlier < i; earlier++)
      said |= !strcmp(uses[earlier].help, uses[i].help);
    if (said) continue;
    bool plain = !strncmp(uses[i].help, before, sizeof before - 1);
    const char *end = uses[i].help + strcspn(uses[i].help, "?"), *word = uses[i].help + sizeof before - 1;
    const char *help =
        plain ? arena_printf(h->out->arena, "here it is %.*s%s%s", (int)(end - word), word, end[1] ? ";" : "", end + 1)
              : uses[i].help;
    text_printf(h->out, "  as %s: ", uses[i].where);
    text_wrapped(h->out, help, 7 + strlen(uses[i].where), HELP_COLUMNS, 4);
    text_char(h->out, '\n');
  }
}

static void help_habits(struct helper *h, const char *name) {
  struct habit_use uses[HELP_USES];
  size_t count = habit_uses(name, uses, HELP_USES);
  if (!count) return;
  begin(h);
  text_printf(h->out, "%s, a word of other languages and simulators\n", name);
  put_uses(h, uses, count);
}

bool model_help_habits(struct model *model, const char *asked, struct text *out) {
  struct helper h = {.c = model->loading->checker, .out = out};
  help_habits(&h, join_words(out->arena, asked));
  return h.any;
}

bool model_help(struct model *model, const char *asked, bool optional, struct text *out) {
  struct helper h = {.c = model->loading->checker, .out = out, .values = true};
  const char *name = join_words(out->arena, asked);
  const struct name *interned = name_of(model->names, name);
  const char *point = strchr(name, '.');
  if (point) help_member(&h, name, point);
  for (enum space space = SPACE_VALUE; space < SPACES; space++)
    if (space != SPACE_QUALIFIER && space != SPACE_DOMAIN) help_table(&h, space, interned, NULL);
  help_base_unit(&h, interned);
  help_dimension(&h, interned);
  help_builtin(&h, name);
  help_evaluator(&h, name, NULL);
  bool named = h.any;
  help_table(&h, SPACE_DOMAIN, interned->folded, NULL);
  help_attribute(&h, interned->folded);
  if (h.any && !named) help_habits(&h, name); /* whoever asks may mean that */
  help_file(&h, name);
  help_word(&h, name);
  help_discipline(&h, interned->folded);
  help_result(&h, name);
  help_result(&h, arena_printf(out->arena, "wait-%s", name));
  help_term(&h, name);
  help_topic(&h, name);
  help_types(&h, name);
  if (!h.any && !optional) unknown(&h, name);
  return h.any;
}

/* ---- a name where it stands ---- */

/* `var done : int`: what a component or a body alone knows. */
static void put_local(struct helper *h, const struct named *named) {
  static const char *const words[PSL_NAME_WORD + 1] = {
      [PSL_NAME_PARAM] = "param ", [PSL_NAME_LET] = "let ", [PSL_NAME_VAR] = "var ", [PSL_NAME_INDEX] = "index "};
  const struct symbol *symbol = named->symbol;
  begin(h);
  text_printf(h->out, "%s%s", words[named->kind] ? words[named->kind] : "", named->name->text);
  if (named->kind == PSL_NAME_INDEX)
    text_put(h->out, " : int");
  else if (symbol->type && symbol->type->kind != TYPE_ERROR && symbol->type->kind != TYPE_ANY) {
    text_put(h->out, " : ");
    put_type(h, symbol->type);
  }
  const struct expr *value = symbol->kind == SYMBOL_INSTANCE ? symbol->instance.value
                             : symbol->kind == SYMBOL_VAR    ? symbol->decl->value.value
                                                             : NULL;
  if (value) {
    text_put(h->out, " = ");
    expr_format(h->out, value);
  }
  text_char(h->out, '\n');
  if (symbol->decl) put_doc(h, symbol->decl->doc);
}

static void put_request(struct helper *h, const struct symbol *label) {
  const struct model_request *request = label->request;
  begin(h);
  text_printf(h->out, "request %s of %s", label->name->text, request->transaction->symbol->name->text);
  if (request->selector) {
    text_put(h->out, " : ");
    expr_format(h->out, request->selector);
  }
  text_char(h->out, '\n');
}

static void describe_symbol(struct helper *h, const struct named *named) {
  switch (named->symbol->kind) {
  case SYMBOL_INSTANCE:
  case SYMBOL_VAR:
  case SYMBOL_LOCAL:
  case SYMBOL_INDEX: put_local(h, named); break;
  case SYMBOL_LABEL:
    if (named->symbol->request && named->symbol->request->transaction) put_request(h, named->symbol);
    break;
  case SYMBOL_PARAM:
  case SYMBOL_LET:
    if (named->symbol->type) help_symbol(h, named->symbol);
    break;
  case SYMBOL_TRANSACTION:
    if (named->symbol->decl) help_symbol(h, named->symbol);
    break;
  case SYMBOL_UNIT:
  case SYMBOL_FUNCTION:
  case SYMBOL_PROTOCOL:
  case SYMBOL_COMPONENT:
  case SYMBOL_DOMAIN:
  case SYMBOL_STUDY:
  case SYMBOL_FOREIGN: help_symbol(h, named->symbol); break;
  case SYMBOL_BUILTIN: help_builtin(h, named->name->text); break;
  case SYMBOL_EVALUATOR: help_evaluator(h, named->name->text, NULL); break;
  case SYMBOL_EVALUATOR_FUNCTION: help_evaluator(h, named->symbol->evaluator_of->name, named->name->text); break;
  case SYMBOL_FILE: help_file(h, named->name->text); break;
  case SYMBOL_COERCION:
  case SYMBOL_ATTRIBUTE:
  case SYMBOL_CLOCK:
  case SYMBOL_VALUE:
  case SYMBOL_TARGET:
  case SYMBOL_CALLER: help_word(h, named->name->text); break;
  }
}

/* What has no symbol is known by its name. */
static void describe_name(struct helper *h, const struct named *named) {
  const char *name = named->name->text;
  switch (named->kind) {
  case PSL_NAME_ATTRIBUTE: help_attribute(h, named->name->folded); break;
  case PSL_NAME_TERM: help_term(h, name); break;
  case PSL_NAME_FUNCTION: help_builtin(h, name); break;
  case PSL_NAME_EVALUATOR: help_evaluator(h, name, NULL); break;
  case PSL_NAME_FILE: help_file(h, name); break;
  case PSL_NAME_TYPE:
    help_dimension(h, named->name);
    if (!h->any) help_word(h, name);
    break;
  case PSL_NAME_RECORD: help_result(h, name); break;
  case PSL_NAME_WORD: help_word(h, name); break;
  case PSL_NAME_UNIT: help_base_unit(h, named->name); break;
  case PSL_NAME_PARAM:
  case PSL_NAME_LET:
  case PSL_NAME_VAR:
  case PSL_NAME_LOCAL:
  case PSL_NAME_INDEX:
  case PSL_NAME_DOMAIN:
  case PSL_NAME_TRANSACTION:
  case PSL_NAME_PROTOCOL:
  case PSL_NAME_COMPONENT:
  case PSL_NAME_SYSTEM:
  case PSL_NAME_REQUEST:
  case PSL_NAME_STUDY:
  case PSL_NAME_FIELD: break;
  }
}

void model_describe(struct model *model, const struct named *named, bool values, struct text *out) {
  struct helper h = {.c = model->loading->checker, .out = out, .values = values};
  if (named->symbol)
    describe_symbol(&h, named);
  else
    describe_name(&h, named);
}
