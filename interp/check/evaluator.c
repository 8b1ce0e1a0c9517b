/* Evaluators as models see them: symbols for those that are used, and their functions' signatures, which are
 * PSL text and go through the same parser as an extern's. */
#include "interp/check/checker.h"
#include "interp/check/load.h"

#include <string.h>

const struct psl_evaluator *evaluator_named(const struct load_options *options, const char *name) {
  for (uint32_t i = 0; i < options->evaluator_count; i++)
    if (!strcmp(options->evaluators[i]->name, name)) return options->evaluators[i];
  return NULL;
}

bool is_known_evaluator(struct checker *c, const char *name) {
  return evaluator_named(&c->model->loading->options, name) != NULL;
}

/* The extern's text is the evaluator's documentation of types, so a mistake in it shows as one of this
 * source. */
static struct file *parse_signatures(struct checker *c, const struct psl_evaluator *evaluator) {
  struct model *m = c->model;
  struct text text = {.arena = c->arena};
  text_printf(&text, "extern \"%s\" {\n", evaluator->name);
  for (const struct psl_evaluator_function *f = evaluator->functions; f->name; f++)
    text_printf(&text, "  function %s%s;\n", f->name, f->signature);
  text_put(&text, "}\n");
  const char *path = arena_printf(c->arena, "evaluator %s", evaluator->name);
  struct source *source = source_add(m->sources, path, text.data, text.size);
  return source ? parse_file(c->arena, m->names, m->diagnostics, source) : NULL;
}

void declare_evaluators(struct checker *c) {
  struct model *m = c->model;
  struct model_loading *l = m->loading;
  for (uint32_t i = 0; i < l->used_count; i++) {
    const struct psl_evaluator *evaluator = l->used[i].evaluator;
    struct symbol *symbol = symbol_new(c, SYMBOL_EVALUATOR, name_of(m->names, evaluator->name), l->used[i].span);
    symbol->file = NULL;
    symbol->evaluator = evaluator;
    if (!l->used[i].signatures) l->used[i].signatures = parse_signatures(c, evaluator);
    struct decl *decl = l->used[i].signatures ? l->used[i].signatures->decls : NULL;
    const struct psl_evaluator_function *function = evaluator->functions;
    for (uint32_t k = 0; decl && k < decl->foreign.count && function->name; k++, function++) {
      const struct signature *signature = &decl->foreign.functions[k];
      if (strcmp(signature->name.name->text, function->name)) break; /* after an error of syntax */
      struct symbol *s = symbol_new(c, SYMBOL_EVALUATOR_FUNCTION, signature->name.name, signature->name.span);
      s->decl = decl;
      s->slot = k;
      s->evaluator_function = function;
      s->evaluator_of = evaluator;
      ARENA_PUSH(c->arena, c->evaluator_functions, c->evaluator_function_count, c->evaluator_function_capacity, s);
    }
    if (function->name)
      check_error(c, l->used[i].span, "the evaluator '%s' has no signature of '%s' that can be read", evaluator->name,
                  function->name);
    table_add(c, SPACE_QUALIFIER, symbol);
    ARENA_PUSH(c->arena, m->evaluators, m->evaluator_count, c->evaluator_capacity, symbol);
  }
}

/* Arrays with lengths, functions, words before parameters are for functions of C. */
static bool is_passed(struct checker *c, const struct signature *signature, const char *what) {
  if (signature->param_count > EVALUATOR_ARGUMENTS) {
    check_error(c, signature->params[EVALUATOR_ARGUMENTS].name.span,
                "%s has %u parameters, and an evaluator is given %d", what, signature->param_count,
                EVALUATOR_ARGUMENTS);
    return false;
  }
  for (uint32_t i = 0; i <= signature->param_count; i++) {
    const struct param *param = i < signature->param_count ? &signature->params[i] : NULL;
    const struct type_expr *type = param ? param->type : signature->result;
    bool foreign = type && type->count && (type->atoms[0].length || type->atoms[0].function);
    if (!foreign && !(param && param->passing != PASS_VALUE)) continue;
    check_error(c, param ? param->name.span : type->span, "%s: only functions of C have such a parameter", what);
    return false;
  }
  return true;
}

enum lists { NO_LISTS, LISTS_OF_NUMBERS };

/* What psl_argument holds. */
static void check_type(struct checker *c, const struct type *type, const struct type_expr *written, const char *what,
                       bool string, bool values, enum lists lists) {
  switch (type->kind) {
  case TYPE_ERROR:
  case TYPE_INT:
  case TYPE_REAL:
  case TYPE_BOOL:
  case TYPE_TERM: return;
  case TYPE_ANY:
    if (values) return;
    break;
  case TYPE_STRING:
    if (string) return;
    break;
  case TYPE_LIST:
    if (lists && (type->element->kind == TYPE_INT || type->element->kind == TYPE_REAL)) return;
    break;
  default: break; /* psl_argument has no other */
  }
  check_error(c, written->span, "%s: an evaluator has no %s here", what, type_text(c, type));
}

void evaluators_check(struct checker *c) {
  for (uint32_t i = 0; i < c->evaluator_function_count; i++) {
    struct symbol *s = c->evaluator_functions[i];
    const char *what = arena_printf(c->arena, "'%s.%s'", s->evaluator_of->name, s->name->text);
    const struct signature *signature = &s->decl->foreign.functions[s->slot];
    if (!is_passed(c, signature, what)) {
      s->type = c->model->types.error;
      continue;
    }
    bool calls = s->evaluator_function->kind == PSL_CALL;
    c->signatures = true;
    s->type = signature_check(c, signature, s, what)->result;
    c->signatures = false;
    for (uint32_t k = 0; k < s->signature->count; k++)
      check_type(c, s->signature->types[k], signature->params[k].type, what, true, calls,
                 s->evaluator_function->kind == PSL_PURE || s->evaluator_function->kind == PSL_EVENT ? LISTS_OF_NUMBERS
                                                                                                     : NO_LISTS);
    if (signature->result)
      check_type(c, s->type, signature->result, what, false, calls, calls ? LISTS_OF_NUMBERS : NO_LISTS);
  }
}
