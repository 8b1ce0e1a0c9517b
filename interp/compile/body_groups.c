/* Groups that a program makes, and the communicators of them. A group is a list of places in the communicator that it
 * is made from; which call has made the one that another is given is seen in the program, not in what the model
 * computes. */
#include "interp/compile/body.h"

#include <string.h>

struct statement *group_made(const struct program *program, const struct statement *call) {
  const char *role = strchr(call->mpi->roles, 'U');
  size_t at = role ? (size_t)(role - call->mpi->roles) : call->argument_count;
  if (at >= call->argument_count) return NULL;
  const struct argument *load = &call->arguments[at];
  const struct statement *read = load->value->kind == VALUE_SSA ? source_definition(program, load->value->ssa) : NULL;
  if (read) load = &read->load;
  struct statement *found = NULL;
  for (size_t i = 0; i < load->from_count; i++) {
    struct statement *from = program->by_id[load->from[i]];
    if (!from || !program->blocks[from->block].reached) continue;
    if (found || !from->mpi || !strchr(from->mpi->roles, 'u')) return NULL;
    found = from;
  }
  return found;
}

static const struct statement *made_or_error(struct body *body, const struct statement *call) {
  const struct statement *made = group_made(body->program, call);
  if (!made) source_error(body->program, call, NULL, "of which group this is is not to be seen");
  return made;
}

static bool is_whole(const struct statement *made) { return !strcmp(made->mpi->name, "Comm_group"); }

static const char *group_name(struct body *body, const struct statement *made) {
  return room_printf(body->room, "group_%u", made->id);
}

/* The group of a communicator is all its places, in their order, which no list needs. */
static void make_group(struct body *body, struct text *out, const struct statement *call, const char *place) {
  const struct statement *from = made_or_error(body, call);
  if (!from) return;
  const char *name = group_name(body, call), *count = expression_argument(body->model, call, 1, LEVEL_SUM);
  const char *places = handle_elements(body, call, 2, count, "");
  text_add(&body->model->vars, "var %s : [int] = [];\n", name);
  if (!strcmp(call->mpi->name, "Group_excl")) {
    const char *left_out = expression_name(body->model, "left_out");
    const char *all =
        is_whole(from) ? handle_ranks(body, out, from) : room_printf(body->room, "length(%s)", group_name(body, from));
    text_add(out, "let %s = %s;\n", left_out, places);
    places = room_printf(body->room, "[k in 0 .. %s - length(%s) - 1 : left-over(%s, k)]", all, left_out, left_out);
    body->model->groups = true;
  }
  text_add(out, "%s = %s;%s\n", name, places, place);
  if (!is_whole(from))
    text_add(out, "%s = [k in 0 .. length(%s) - 1 : %s[%s[k]]];\n", name, name, group_name(body, from), name);
}

static const struct statement *communicator_of(struct body *body, const struct statement *made) {
  for (int depth = 0; made && !is_whole(made); depth++)
    made = depth < 100 ? made_or_error(body, made) : NULL;
  return made;
}

static void make_communicator(struct body *body, struct text *out, const struct statement *call, const char *place) {
  const struct statement *made = made_or_error(body, call), *whole = communicator_of(body, made);
  const char *to = handle_put(body, call, 2);
  if (!whole) source_error(body->program, call, NULL, "of which communicator the group is, is not to be seen");
  if (!whole || !to) return;
  const char *old = handle_communicator(body, call), *other = handle_communicator(body, whole);
  if (!old != !other || (old && strcmp(old, other) != 0))
    source_error(body->program, call, NULL, "that the group is of this communicator is not to be seen");
  body_need(body, call->mpi->label, call->mpi->transaction, false);
  if (is_whole(made)) {
    text_add(out, "%s = call comm-split(%s, 0, 0);%s\n", to, old ? old : "0", place);
    return;
  }
  const char *at = expression_name(body->model, "at"), *group = group_name(body, made);
  body->model->groups = true;
  text_add(out, "let %s = index-in(%s, %s);\n%s = call comm-split(%s, if %s < length(%s) then 0 else -1, %s);%s\n", at,
           handle_own_place(body, out, call), group, to, old ? old : "0", at, group, at, place);
  handle_none(body, out, to);
}

bool group_call(struct body *body, struct text *out, const struct statement *call, const char *place) {
  const char *name = call->mpi->name;
  if (!strcmp(name, "Comm_create"))
    make_communicator(body, out, call, place);
  else if (!strcmp(name, "Group_incl") || !strcmp(name, "Group_excl"))
    make_group(body, out, call, place);
  else
    return is_whole(call);
  return true;
}
