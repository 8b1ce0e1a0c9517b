/* The order of the check: declarations, components flattened, then types from the outside in: domains,
 * transactions, coercions' sides, params, lets, functions, components, coercions' values, asserts, studies.
 */
#include "interp/check/checker.h"
#include "interp/check/load.h"
#include "interp/foreign/foreign.h"

#include <string.h>

/* The files of a group: those that were asked for are as one, the first; each other one is a group of its own. */
static struct loaded_file **files_of(const struct model *m, uint32_t group, uint32_t *count) {
  *count = group ? 1 : m->own_count;
  return m->loading->files + (group ? m->own_count + group - 1 : 0);
}

uint32_t file_group(const struct model *m, uint32_t place) {
  return place < m->own_count ? 0 : place - m->own_count + 1;
}

/* Which group uses which, directly or not; all use the prelude. */
static void find_reaches(struct checker *c) {
  const struct model *m = c->model;
  uint32_t n = c->group_count = file_group(m, m->loading->count), count;
  uint32_t *stack = ARENA_ARRAY(c->arena, uint32_t, n + 1);
  c->reaches = ARENA_ARRAY(c->arena, bool, (size_t)n *n);
  for (uint32_t i = 0; i < n; i++) {
    bool *row = c->reaches + (size_t)i * n;
    uint32_t depth = 0;
    row[i] = true;
    stack[depth++] = i;
    while (depth) {
      struct loaded_file **files = files_of(m, stack[--depth], &count);
      for (uint32_t f = 0; f < count; f++)
        for (uint32_t k = 0; k < files[f]->use_count; k++) {
          uint32_t to = file_group(m, files[f]->uses[k]->place);
          if (row[to]) continue;
          row[to] = true;
          stack[depth++] = to;
        }
    }
    for (uint32_t k = 0; k < n; k++) {
      struct loaded_file **files = files_of(m, k, &count);
      for (uint32_t f = 0; f < count; f++)
        row[k] |= files[f]->prelude;
    }
  }
}

static void clear_model(struct model *m) {
  m->params = m->lets = m->evaluators = NULL;
  m->functions = NULL;
  m->foreign = NULL;
  m->domains = NULL;
  m->transactions = NULL;
  m->components = NULL;
  m->accepts = NULL;
  m->requests = NULL;
  m->coercions = NULL;
  m->asserts = NULL;
  m->held = NULL;
  m->studies = NULL;
  m->results = NULL;
  m->param_count = m->let_count = m->function_count = m->foreign_count = m->domain_count = m->transaction_count = 0;
  m->component_count = 0;
  m->accept_count = m->request_count = m->coercion_count = m->assert_count = m->study_count = m->result_count =
      m->evaluator_count = 0;
  m->passings = NULL; /* the checker that counts their room is another one */
  m->passing_count = 0;
  m->slot_max = 1;
}

static struct symbol special(struct checker *c, enum symbol_kind kind, const char *name, const struct type *type) {
  return (struct symbol){.kind = kind, .name = name_of(c->model->names, name), .type = type};
}

struct symbol *builtin_symbol(struct checker *c, const struct name *name, const struct builtin *builtin) {
  struct symbol **place = &c->builtins[builtin - psl_builtins];
  if (*place) return *place;
  *place = symbol_new(c, SYMBOL_BUILTIN, name, (struct span){0, 0});
  (*place)->builtin = builtin;
  return *place;
}

static void check_globals(struct checker *c) {
  struct model *m = c->model;
  for (uint32_t i = 0; i < m->function_count; i++)
    function_open(c, m->functions[i]);
  for (uint32_t i = 0; i < m->file_count; i++)
    for (struct decl *decl = m->files[i]->decls; decl; decl = decl->next) {
      if (decl->kind != DECL_EXTERN) continue;
      if (!*decl->foreign.library) check_error(c, decl->foreign.library_span, "the library has no name");
      for (uint32_t k = 0; k < decl->foreign.count; k++) {
        const struct signature *signature = &decl->foreign.functions[k];
        struct symbol *symbol = table_in_file(c, SPACE_VALUE, signature->name.name, m->files[i]->source);
        if (symbol && symbol->kind == SYMBOL_FOREIGN && !symbol->signature) foreign_check(c, signature, symbol);
      }
    }
  for (uint32_t i = 0; i < m->param_count; i++)
    symbol_type(c, m->params[i], m->params[i]->span);
  for (uint32_t i = 0; i < m->let_count; i++)
    symbol_type(c, m->lets[i], m->lets[i]->span);
  for (uint32_t i = 0; i < m->function_count; i++)
    if (!m->functions[i]->component) function_check(c, m->functions[i]);
}

static void check_asserts(struct checker *c) {
  for (uint32_t i = 0; i < c->model->assert_count; i++) {
    uint32_t slots = 0;
    struct context x = {.slots = &slots, .draws = "an assertion"};
    expr_check_as(c, &x, c->model->asserts[i]->assertion, c->model->types.boolean, "assert");
  }
}

bool model_check(struct model *model, bool repeated) {
  struct checker *c = ARENA_NEW(model->arena, struct checker);
  unsigned before = model->diagnostics->errors;
  uint32_t builtins = 0;
  while (psl_builtins[builtins].name)
    builtins++;
  c->model = model;
  c->arena = model->arena;
  c->d = model->diagnostics;
  c->repeated = repeated;
  c->builtins = ARENA_ARRAY(c->arena, struct symbol *, builtins);
  c->clock = special(c, SYMBOL_CLOCK, "clock", model->types.time);
  c->target = special(c, SYMBOL_TARGET, "target", model->types.none);
  c->caller = special(c, SYMBOL_CALLER, "caller", model->types.none);
  model->loading->checker = c;
  clear_model(model);
  if (model->loading->broken && !model->loading->options.editing)
    return false; /* what is unknown may stand in what could not be read */
  find_reaches(c);
  declare_evaluators(c);
  declare_files(c);
  declare_presets(c);
  components_build(c);
  functions_added(c);
  for (uint32_t i = 0; i < c->tables[SPACE_UNIT].count; i++)
    for (struct symbol *unit = c->tables[SPACE_UNIT].items[i]; unit; unit = unit->next)
      unit_symbol(c, unit);
  last_declare(c);
  for (uint32_t i = 0; i < model->domain_count; i++)
    check_domain(c, model->domains[i]->symbol);
  for (uint32_t i = 0; i < model->transaction_count; i++)
    transaction_check(c, model->transactions[i]);
  transactions_imply(c);
  evaluators_check(c);
  coercions_declare(c);
  check_globals(c);
  protocols_check(c);
  components_check(c);
  for (uint32_t i = 0; i < model->function_count; i++)
    if (model->functions[i]->component) function_check(c, model->functions[i]);
  functions_recursive(c, 0);
  coercions_check(c);
  claims_check(c);
  check_asserts(c);
  studies_check(c);
  if (model->diagnostics->errors != before) return false;
  const struct load_options *options = &model->loading->options;
  return !options->allow_native || foreign_link(model, options->folders, options->folder_count);
}
