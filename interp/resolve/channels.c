/* Which channel a send or receive uses: its partner and tag, as far as they are known of each rank before the run.
 * Called by explain.c.
 *
 * They are where both are affine in the rank's indices: each message of the statement goes by the one channel of its
 * rank. Else a rank uses one for each partner and tag that come up while it runs. */
#include "interp/resolve/resolve.h"
#include "interp/check/check.h"
#include "grammar/children.h"

#include <isl/aff.h>
#include <isl/ctx.h>
#include <isl/options.h>
#include <isl/space.h>
#include <isl/val.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_OPERATIONS = 1000000, MOST_SITES = 20 };

struct site { /* where the request is made */
  struct resolver *r;
  const struct model_request *request;
  const struct model_accept *accept; /* in whose body */
  struct expr *const *given;         /* for the label's parameters, */
  uint32_t given_count;
  struct span span;
  isl_ctx *ctx;
};

static int64_t parameter_of(const struct model_transaction *transaction, const char *name) {
  for (uint32_t k = 0; k < transaction->param_count; k++)
    if (strcmp(transaction->params[k].name->text, name) == 0) return k;
  return -1;
}

/* What the request gives for the parameter, or what stands for it where it gives nothing. */
static const struct expr *argument_of(const struct model_request *request, int64_t parameter) {
  const struct expr *given = request->args[parameter];
  return given ? given : request->transaction->params[parameter].value;
}

/* ---- affine values ---- */

static struct symbolic symbolic_of(const struct site *site, struct symbolic_frame *frame) {
  uint32_t dims = site->request->component->index_count;
  return (struct symbolic){.r = site->r,
                           .space = isl_space_set_alloc(site->ctx, 0, dims),
                           .frame = site->given_count ? frame : NULL,
                           .body = true};
}

/* NULL: it is not affine in the indices. */
static isl_pw_aff *affine(const struct site *site, const struct expr *expr) {
  struct symbolic_frame frame = {site->given, site->given_count, NULL};
  struct symbolic s = symbolic_of(site, &frame);
  isl_pw_aff *value = symbolic_value(&s, expr);
  isl_space_free(s.space);
  return value;
}

static bool is_affine(const struct site *site, const struct expr *expr) {
  isl_pw_aff *value = affine(site, expr);
  isl_pw_aff_free(value);
  return value;
}

/* The same for all ranks; gives it away. */
static bool number_of(isl_pw_aff *value, int64_t *out) {
  bool one = value && isl_pw_aff_n_piece(value) == 1 && isl_pw_aff_is_cst(value) == isl_bool_true;
  isl_val *number =
      one ? isl_pw_aff_eval(isl_pw_aff_copy(value), isl_point_zero(isl_pw_aff_get_domain_space(value))) : NULL;
  one = number && isl_val_is_int(number) == isl_bool_true;
  if (one) *out = isl_val_get_num_si(number);
  isl_val_free(number);
  isl_pw_aff_free(value);
  return one;
}

/* By how much a rank's number grows with the index. */
static bool slope_of(isl_pw_aff *rank, uint32_t index, int64_t *out) {
  if (isl_pw_aff_n_piece(rank) != 1) return false;
  isl_aff *aff = isl_pw_aff_as_aff(isl_pw_aff_copy(rank));
  isl_val *slope = isl_aff_get_coefficient_val(aff, isl_dim_in, (int)index);
  bool whole = isl_aff_dim(aff, isl_dim_div) == 0 && isl_val_is_int(slope) == isl_bool_true;
  if (whole) *out = isl_val_get_num_si(slope);
  isl_val_free(slope);
  isl_aff_free(aff);
  return whole;
}

/* How often `slope` goes into a distance, so that as few steps as possible are left. */
static int64_t steps_of(int64_t distance, int64_t slope) {
  int64_t down = distance / slope, up = down + ((distance < 0) == (slope < 0) ? 1 : -1);
  bool nearer = llabs(up) + llabs(distance - up * slope) < llabs(down) + llabs(distance - down * slope);
  return nearer ? up : down;
}

/* The rank that is so far from the one at hand, as steps along its indices, the largest first. False: by none. */
static bool shift_find(const struct site *site, isl_pw_aff *rank, int64_t distance, int64_t *shift) {
  uint32_t dims = site->request->component->index_count;
  int64_t *slopes = ARENA_ARRAY(site->r->arena, int64_t, dims + 1);
  for (uint32_t k = 0; k < dims; k++)
    if (!slope_of(rank, k, &slopes[k])) return false;
  for (uint32_t done = 0; done < dims && distance != 0; done++) {
    uint32_t most = 0;
    for (uint32_t k = 1; k < dims; k++)
      if (llabs(slopes[k]) > llabs(slopes[most])) most = k;
    if (slopes[most] == 0) break;
    shift[most] = steps_of(distance, slopes[most]);
    distance -= shift[most] * slopes[most];
    slopes[most] = 0;
  }
  return distance == 0;
}

/* ---- what is said ---- */

static void put_shifted(struct text *out, const struct model_component *component, const int64_t *shift) {
  text_put(out, component->symbol->name->text);
  for (uint32_t k = 0; k < component->index_count; k++) {
    text_printf(out, "%s%s", k ? ", " : "[", component->indices[k]->name->text);
    if (shift[k]) text_printf(out, " %c %llu", shift[k] < 0 ? '-' : '+', (unsigned long long)llabs(shift[k]));
  }
  if (component->index_count) text_char(out, ']');
}

/* The argument as it is written where the request is made. */
static const char *written(const struct site *site, const struct expr *expr) {
  const struct symbol *symbol = expr->kind == EXPR_NAME ? expr->name.symbol : NULL;
  bool local = symbol && symbol->kind == SYMBOL_LOCAL && symbol->slot < site->given_count && site->given[symbol->slot];
  struct text text = {.arena = site->r->arena};
  expr_format(&text, local ? site->given[symbol->slot] : expr);
  return text.data;
}

/* "rank[i - 1, j]", "rank 0" or the number as it is written. */
static void put_partner(struct text *out, const struct site *site, const struct expr *partner) {
  const struct name *name = name_known(site->r->model->names, KNOWN_RANK);
  struct attribute_ref ref = profile_find(site->r, site->accept, name);
  int64_t *shift = ARENA_ARRAY(site->r->arena, int64_t, site->request->component->index_count + 1), distance;
  isl_pw_aff *rank = ref.kind == ATTRIBUTE_EXPR ? affine(site, ref.value) : NULL;
  bool shifted = rank && number_of(isl_pw_aff_sub(affine(site, partner), isl_pw_aff_copy(rank)), &distance) &&
                 site->request->component->index_count && shift_find(site, rank, distance, shift);
  isl_pw_aff_free(rank);
  if (number_of(affine(site, partner), &distance))
    text_printf(out, "rank %lld", (long long)distance);
  else if (shifted)
    put_shifted(out, site->request->component, shift);
  else
    text_printf(out, "rank %s", written(site, partner));
}

static void put_number(struct text *out, const struct site *site, const char *what, const struct expr *expr) {
  int64_t number;
  if (number_of(affine(site, expr), &number))
    text_printf(out, ", %s %lld", what, (long long)number);
  else
    text_printf(out, ", %s %s", what, written(site, expr));
}

/* What in the expression is known of no rank before the run; NULL: nothing is. `body`: it stands in the body, not in
 * the request. */
static const struct expr *unknown_in(const struct site *site, const struct expr *expr, bool body) {
  const struct symbol *symbol = expr->kind == EXPR_NAME ? expr->name.symbol : NULL;
  if (symbol && symbol->kind == SYMBOL_LOCAL) {
    if (!body && symbol->slot < site->given_count)
      return site->given[symbol->slot] ? unknown_in(site, site->given[symbol->slot], true) : expr;
    return symbol->made && !symbol->assignable ? unknown_in(site, symbol->made, true) : expr;
  }
  if (symbol && (symbol->kind == SYMBOL_VAR || symbol->kind == SYMBOL_CLOCK || symbol->kind == SYMBOL_ATTRIBUTE))
    return expr;
  const struct expr *found = NULL;
  for (struct children c = expr_operands(expr); !found && children_next(&c);)
    if (c.expr) found = unknown_in(site, *c.expr, body);
  return found;
}

static void put_unknown(struct text *out, const struct site *site, const char *what, const struct expr *expr) {
  const struct expr *unknown = unknown_in(site, expr, site->given_count == 0);
  const char *reads = expr_reads(site->r, unknown ? unknown : expr, USES_LATE | USES_TARGET);
  if (unknown && reads)
    text_printf(out, "the %s depends on %s", what, reads);
  else
    text_printf(out, "the %s, %s, is not affine in the indices", what, written(site, expr));
}

/* A number that stands for no rank, or tag: any, or nobody. */
static bool is_none(const struct site *site, const struct expr *expr, int64_t *number) {
  return number_of(affine(site, expr), number) && *number < 0;
}

static void put_site(struct text *out, const struct site *site, bool sends) {
  const struct model_transaction *transaction = site->request->transaction;
  const char *what = sends ? "destination" : "source";
  const struct expr *partner = argument_of(site->request, parameter_of(transaction, what));
  const struct expr *tag = argument_of(site->request, parameter_of(transaction, "tag"));
  int64_t in = parameter_of(transaction, "communicator"), number;
  const struct expr *communicator = in < 0 ? NULL : argument_of(site->request, in);
  text_printf(out, "  channel at %s: ", place_text(site->r, site->span));
  if (is_none(site, partner, &number)) {
    text_put(out, number == -1 ? "that of whose message comes first" : "none, with nobody");
  } else if (is_none(site, tag, &number)) {
    text_printf(out, "looked up for each %s: the message may have any tag", what);
  } else if (is_affine(site, partner) && is_affine(site, tag) && (!communicator || is_affine(site, communicator))) {
    text_printf(out, "known: %s ", sends ? "to" : "from");
    put_partner(out, site, partner);
    put_number(out, site, "tag", tag);
    if (communicator && !(number_of(affine(site, communicator), &number) && number == 0))
      put_number(out, site, "communicator", communicator);
  } else {
    text_printf(out, "looked up for each (%s, tag): ", what);
    if (!is_affine(site, partner))
      put_unknown(out, site, what, partner);
    else if (!is_affine(site, tag))
      put_unknown(out, site, "tag", tag);
    else
      put_unknown(out, site, "communicator", communicator);
  }
  text_char(out, '\n');
}

/* The sites in a block, of which no more than so many are said. */
struct sites {
  struct site site;
  struct text *out;
  uint32_t count;
  bool sends;
};

static void put_next(struct sites *sites) {
  if (sites->count++ < MOST_SITES) put_site(sites->out, &sites->site, sites->sends);
}

static void block_sites(struct sites *sites, const struct block *block) {
  for (const struct stmt *stmt = block->first; stmt; stmt = stmt->next) {
    for (struct children c = stmt_children(stmt); children_next(&c);)
      if (c.block) block_sites(sites, c.block);
    if (stmt_callee(stmt) != sites->site.request->label) continue;
    const struct expr *value = stmt->assign.value;
    sites->site.given = value->kind == EXPR_CALL ? value->call->bound : NULL;
    sites->site.given_count = sites->site.given ? value->call->bound_count : 0;
    sites->site.span = value->span;
    put_next(sites);
  }
}

static void put_sites(struct sites *sites) {
  const struct model_request *request = sites->site.request;
  for (uint32_t k = 0; k < request->component->accept_count; k++) {
    const struct model_accept *accept = sites->site.accept = request->component->accepts[k];
    if (!accept_makes(accept, request)) continue;
    sites->site.span = request->syntax->span;
    if (request->label)
      block_sites(sites, accept->body);
    else
      put_next(sites);
  }
  if (sites->count > MOST_SITES) text_printf(sites->out, "  and %u more sites\n", sites->count - MOST_SITES);
}

/* Does MPI-Sim take it, from a model of its own? */
static bool is_simulated(struct resolver *r, const struct model_accept *accept) {
  struct value mode;
  if (!resolver_constant(r, accept, KNOWN_EVALUATION_MODE, &mode) || mode.kind != VALUE_TERM) return false;
  return mode.term.head == KNOWN_SIMULATION && mode.term.qualifier &&
         strcmp(name_id(r, mode.term.qualifier)->text, "mpi-sim") == 0;
}

void channels_explain(struct text *out, struct resolver *r, const struct model_request *request,
                      const struct model_accept *accept) {
  const struct model_transaction *transaction = request->transaction;
  bool sends = parameter_of(transaction, "destination") >= 0, receives = parameter_of(transaction, "source") >= 0;
  if (sends == receives || parameter_of(transaction, "tag") < 0 || !is_simulated(r, accept)) return;
  if (model_in_library(r->model, request->component->symbol->file)) return;
  resolver_defer_limit(r);
  isl_ctx *ctx = isl_ctx_alloc();
  isl_options_set_on_error(ctx, ISL_ON_ERROR_CONTINUE);
  isl_ctx_set_max_operations(ctx, MOST_OPERATIONS);
  struct sites sites = {.site = {.r = r, .request = request, .ctx = ctx}, .out = out, .sends = sends};
  put_sites(&sites);
  isl_ctx_free(ctx);
  resolver_restore_limit(r);
}
