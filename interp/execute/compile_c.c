/* Calls of C in compiled bodies: of functions that take and give numbers and truths.
 *
 * Each is made once, where it stands, in the walker's order: none moves out of a loop, and none is left out. Where code
 * fails behind one the walker evaluates the whole expression again, with what C has given already. */
#include "interp/execute/compiler.h"
#include "interp/foreign/foreign.h"

uint16_t call_c(struct compiler *compiler, struct context *context, struct expr *expr) {
  const struct symbol *callee = expr->call->symbol;
  const struct foreign_signature *signature = &callee->foreign->signature;
  struct c_site *site = ARENA_NEW(compiler->sites, struct c_site);
  site->function = callee->foreign;
  site->count = signature->count;
  for (uint32_t i = 0; i < site->count && !compiler->failed; i++) {
    struct expr *given = expr->call->bound[signature->parameters[i].argument];
    site->arguments[i] = converted(compiler, expression(compiler, context, given), signature->parameters[i].type);
  }
  give_up_if(compiler, compiler->c_calls == FOREIGN_KEPT, "more calls of C in one expression than are kept in mind");
  if (compiler->failed) return 0;
  if (!compiler->c_calls++) expression_begins(compiler, DO_CALLS_C, NULL); /* nothing has been given */
  compiler->site->calls_c = true;
  uint16_t reg = (uint16_t)register_new(compiler, signature->result.type->kind, compiler->level);
  struct node *node = emit(compiler, DO_CALL_C);
  node->a = reg;
  node->has_a = true;
  node->site = site;
  node->label = fail_label(compiler);
  return mark_finite(compiler, reg);
}

bool may_call_c(const struct compiler *compiler, const struct expr *expr) {
  const struct foreign_function *function = expr->call->symbol->foreign;
  if (compiler->c_forbidden || !compiler->executor || !foreign_of_numbers(function)) return false;
  for (uint32_t i = 0; i < function->signature.count; i++) {
    uint32_t argument = function->signature.parameters[i].argument;
    if (argument >= expr->call->bound_count || !expr->call->bound[argument]) return false;
  }
  return true;
}
