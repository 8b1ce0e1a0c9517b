/* What one rank reads, or makes of what it reads, and all get by a broadcast. A model has no data; but what is the same
 * on all ranks needs none: the tests by which the root alone comes to what it broadcasts go its way on every rank, and
 * then each has made the same. That holds where what is broadcast depends on nothing else of a rank's own, where
 * nothing is sent in between, and where nobody uses what others than the root have not. */
#include "interp/compile/mpi_program.h"

#include <string.h>

enum { END = 1 };

struct shared {
  struct program *program;
  bool *own;   /* by number of statement: is it another one on other ranks? */
  bool *tried; /* blocks that have been looked at, of one statement */
};

static struct statement *test_of(const struct program *program, int block) {
  const struct block *at = &program->blocks[block];
  struct statement *last = at->count ? at->statements[at->count - 1] : NULL;
  return last && last->kind == STATEMENT_CONDITION ? last : NULL;
}

/* ---- what is a rank's own ---- */

static bool own_value(const struct shared *shared, const struct value *value) {
  if (!value) return false;
  if (value->kind == VALUE_SSA) {
    const struct statement *made = source_definition(shared->program, value->ssa);
    return made && shared->own[made->id];
  }
  for (size_t i = 0; value->kind == VALUE_OP && i < value->count; i++)
    if (own_value(shared, value->arguments[i])) return true;
  return value->kind == VALUE_MEMORY &&
         (own_value(shared, value->memory->index) || own_value(shared, value->memory->pointer));
}

static bool own_sources(const struct shared *shared, const struct argument *load) {
  for (size_t i = 0; i < load->from_count; i++) {
    const struct statement *from = shared->program->by_id[load->from[i]];
    if (from && shared->program->blocks[from->block].reached && shared->own[from->id]) return true;
  }
  return false;
}

static bool own_call(const struct shared *shared, const struct statement *call) {
  if (call->shared || call->input >= 0) return false;
  if (!call->mpi) {
    for (size_t i = 0; i < call->argument_count; i++)
      if (own_value(shared, call->arguments[i].value)) return true;
    return false;
  }
  if (mpi_communicates(call->mpi) || strpbrk(call->mpi->roles, "Rk")) return true;
  for (size_t i = 0; i < call->argument_count && call->mpi->roles[i]; i++)
    if (own_value(shared, call->arguments[i].value) || own_sources(shared, &call->arguments[i])) return true;
  return false;
}

/* Of what it is made, whatever decides that it comes to it. */
static bool own_by_value(const struct shared *shared, const struct statement *statement) {
  if (statement->kind == STATEMENT_CALL) return own_call(shared, statement);
  if (own_value(shared, statement->value) || own_sources(shared, &statement->load)) return true;
  if (statement->to && (own_value(shared, statement->to->index) || own_value(shared, statement->to->pointer)))
    return true;
  for (size_t i = 0; statement->kind == STATEMENT_PHI && i < statement->argument_count; i++)
    if (own_value(shared, statement->arguments[i].value)) return true;
  return false;
}

static bool own_control(const struct shared *shared, int block) {
  const struct block *at = &shared->program->blocks[block];
  for (size_t i = 0; i < at->control_count; i++) {
    const struct statement *test = test_of(shared->program, at->controls[i]);
    if (test && shared->own[test->id]) return true;
  }
  return false;
}

static bool is_own(const struct shared *shared, const struct statement *statement) {
  if (own_by_value(shared, statement)) return true;
  if (statement->kind == STATEMENT_CALL && (statement->shared || statement->mpi)) return false;
  for (size_t i = 0; statement->kind == STATEMENT_PHI && i < statement->argument_count; i++) {
    int from = statement->arguments[i].block;
    const struct statement *test = test_of(shared->program, from);
    if (!shared->program->blocks[from].reached) continue;
    if (own_control(shared, from) || (test && shared->own[test->id])) return true;
  }
  return own_control(shared, statement->block);
}

static void find_own(struct shared *shared) {
  struct program *program = shared->program;
  memset(shared->own, 0, program->id_count * sizeof *shared->own);
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned i = 0; i < program->id_count; i++) {
      const struct statement *statement = program->by_id[i];
      if (!statement || shared->own[i] || !program->blocks[statement->block].reached) continue;
      if (is_own(shared, statement)) changed = shared->own[i] = true;
    }
  }
}

/* ---- which way the root goes ---- */

/* What is added to the rank in it; false: it is something else. */
static bool rank_sum(const struct program *program, const struct value *value, long *more, int depth) {
  if (depth > 20) return false;
  if (value->kind == VALUE_OP && value->count == 1) return rank_sum(program, value->arguments[0], more, depth + 1);
  bool plus = value->kind == VALUE_OP && !strcmp(value->text, "plus_expr"),
       minus = value->kind == VALUE_OP && !strcmp(value->text, "minus_expr");
  if ((plus || minus) && value->arguments[1]->kind == VALUE_INT) {
    *more += plus ? value->arguments[1]->number : -value->arguments[1]->number;
    return rank_sum(program, value->arguments[0], more, depth + 1);
  }
  const struct statement *made = value->kind == VALUE_SSA ? source_definition(program, value->ssa) : NULL;
  if (!made || made->kind != STATEMENT_ASSIGN) return false;
  if (made->value->kind != VALUE_MEMORY) return rank_sum(program, made->value, more, depth + 1);
  const struct value *stored = inputs_stored(program, made, &made->load, made->value->memory);
  if (stored) return rank_sum(program, stored, more, depth + 1);
  size_t live = 0;
  const struct statement *only = NULL;
  for (size_t i = 0; i < made->load.from_count; i++) {
    const struct statement *from = program->by_id[made->load.from[i]];
    if (!from || !program->blocks[from->block].reached) continue;
    only = from;
    live++;
  }
  return live == 1 && only->mpi && strchr(only->mpi->roles, 'R');
}

static bool holds(const char *comparison, long a, long b) {
  if (!strcmp(comparison, "gt_expr")) return a > b;
  if (!strcmp(comparison, "ge_expr")) return a >= b;
  if (!strcmp(comparison, "lt_expr")) return a < b;
  if (!strcmp(comparison, "le_expr")) return a <= b;
  return !strcmp(comparison, "eq_expr") ? a == b : a != b;
}

/* 1: the root's condition holds, 0: it does not, -1: that is not to be seen. */
static int root_holds(const struct program *program, const struct statement *test, const struct statement *bcast) {
  const struct value *root = bcast->arguments[3].value;
  long more = 0;
  if (test->value->arguments[1]->kind != VALUE_INT) return -1;
  if (root->kind == VALUE_MEMORY) root = inputs_stored(program, bcast, &bcast->arguments[3], root->memory);
  if (!root || root->kind != VALUE_INT) return -1;
  if (!rank_sum(program, test->value->arguments[0], &more, 0)) return -1;
  return holds(test->value->text, root->number + more, test->value->arguments[1]->number);
}

/* Does the block come by this way, and not whichever is taken? */
static bool leads_to(const struct program *program, int test, int to, int block) {
  int end = program->blocks[test].postdominator;
  for (int at = to; at >= 0 && at != end; at = program->blocks[at].postdominator) {
    if (at == block) return true;
    if (at == END || program->blocks[at].postdominator == at) break;
  }
  return false;
}

/* ---- may all go its way? ---- */

static bool value_uses(const struct value *value, unsigned ssa) {
  if (!value) return false;
  if (value->kind == VALUE_SSA) return value->ssa == ssa;
  for (size_t i = 0; value->kind == VALUE_OP && i < value->count; i++)
    if (value_uses(value->arguments[i], ssa)) return true;
  return value->kind == VALUE_MEMORY &&
         (value_uses(value->memory->index, ssa) || value_uses(value->memory->pointer, ssa));
}

static bool uses_ssa(const struct program *program, const struct statement *statement, unsigned ssa) {
  if (!program->blocks[statement->block].reached || value_uses(statement->value, ssa))
    return program->blocks[statement->block].reached;
  for (size_t i = 0; i < statement->argument_count; i++)
    if (value_uses(statement->arguments[i].value, ssa)) return true;
  return statement->to && (value_uses(statement->to->index, ssa) || value_uses(statement->to->pointer, ssa));
}

static bool is_broadcast(const struct statement *call) {
  return call && call->mpi && !strcmp(call->mpi->name, "Bcast") && call->argument_count > 4;
}

static void collect(const struct program *program, int at, int end, bool *region) {
  if (at == end || at == END || region[at]) return;
  region[at] = true;
  for (size_t i = 0; i < program->blocks[at].way_count; i++)
    if (!program->blocks[at].ways[i].pruned) collect(program, program->blocks[at].ways[i].to, end, region);
}

/* One that comes before; the tests whether it is come to are the same on all ranks, as of any collective operation. */
static bool sees_broadcast(const struct program *program, const struct statement *reader, const struct argument *load) {
  for (size_t i = 0; i < load->from_count; i++) {
    const struct statement *from = program->by_id[load->from[i]];
    if (!is_broadcast(from) || !program->blocks[from->block].reached) continue;
    int before = program->blocks[from->block].order - program->blocks[reader->block].order;
    if (before < 0 || (before == 0 && from->id < reader->id)) return true;
  }
  return false;
}

/* Does the test decide whether a collective operation comes, so that a right program has it alike on all ranks? */
static bool decides_collective(const struct program *program, const struct statement *test) {
  for (unsigned i = 0; i < program->id_count; i++) {
    const struct statement *call = program->by_id[i];
    if (!call || !slice_talks(program, call) || strpbrk(call->mpi->roles, "pqW")) continue;
    const struct block *at = &program->blocks[call->block];
    for (size_t k = 0; k < at->control_count; k++)
      if (at->controls[k] == test->block) return true;
  }
  return false;
}

static bool only_collectives(const struct program *program, const struct statement *reader) {
  size_t users = 0;
  for (unsigned i = 0; reader->def >= 0 && i < program->id_count; i++) {
    const struct statement *user = program->by_id[i];
    bool uses = user && uses_ssa(program, user, (unsigned)reader->def);
    if (uses && (user->kind != STATEMENT_CONDITION || !decides_collective(program, user))) return false;
    users += uses;
  }
  return users > 0;
}

/* Is what it reads set in the region, and not broadcast since? */
static bool uses_region(const struct program *program, const struct statement *reader, const struct argument *load,
                        const bool *region) {
  bool sees = false;
  for (size_t i = 0; i < load->from_count; i++) {
    const struct statement *from = program->by_id[load->from[i]];
    sees |= from && region[from->block];
  }
  return sees && !sees_broadcast(program, reader, load) && !only_collectives(program, reader);
}

static bool is_same(const struct value *a, const struct value *b) {
  return a->kind == b->kind && a->ssa == b->ssa && a->number == b->number &&
         (a->kind == VALUE_SSA || a->kind == VALUE_INT);
}

/* Does the phi choose by the test? */
static bool chooses(const struct program *program, const struct statement *phi, int test, const bool *region) {
  const struct value *first = NULL;
  for (size_t i = 0; i < phi->argument_count; i++) {
    const struct argument *argument = &phi->arguments[i];
    if (!program->blocks[argument->block].reached || (argument->block != test && !region[argument->block])) continue;
    if (first && !is_same(first, argument->value)) return true;
    first = argument->value;
  }
  return false;
}

static bool may_be_joined(const struct program *program, int test) {
  const struct block *at = &program->blocks[test];
  bool *region = ROOM_ARRAY(program->room, bool, program->block_count);
  for (size_t i = 0; i < at->way_count; i++)
    if (!at->ways[i].pruned) collect(program, at->ways[i].to, at->postdominator, region);
  if (region[test]) return false; /* it ends a loop */
  for (unsigned i = 0; i < program->id_count; i++) {
    const struct statement *statement = program->by_id[i];
    if (!statement || !program->blocks[statement->block].reached) continue;
    if (region[statement->block]) {
      if (slice_talks(program, statement)) return false;
      continue;
    }
    if (!statement->essential) continue;
    if (statement->kind == STATEMENT_PHI && chooses(program, statement, test, region)) return false;
    if (uses_region(program, statement, &statement->load, region)) return false;
    for (size_t k = 0; k < statement->argument_count; k++)
      if (statement->arguments[k].value->kind == VALUE_MEMORY &&
          !is_broadcast(statement) && /* those of a broadcast are the same on all ranks */
          uses_region(program, statement, &statement->arguments[k], region))
        return false;
  }
  return true;
}

/* ---- broadcasts ---- */

/* Lets all ranks go the root's way at the tests of their own that decide whether the block is reached. */
static bool join_tests(struct shared *shared, const struct statement *bcast, int block) {
  struct program *program = shared->program;
  const struct block *at = &program->blocks[block];
  bool joined = false;
  if (shared->tried[block]) return false;
  shared->tried[block] = true;
  for (size_t i = 0; i < at->control_count; i++) {
    int control = at->controls[i];
    struct block *from = &program->blocks[control];
    struct statement *test = test_of(program, control);
    if (!test || !shared->own[test->id]) continue;
    if (own_control(shared, control)) { /* that may be all that is its own in what it tests */
      if (control != block && join_tests(shared, bcast, control)) return true;
      continue;
    }
    if (!may_be_joined(program, control)) continue;
    int root = root_holds(program, test, bcast);
    for (size_t w = 0; w < from->way_count; w++) {
      bool other = root >= 0 ? from->ways[w].when == (root ? WAY_FALSE : WAY_TRUE)
                             : !leads_to(program, control, from->ways[w].to, block);
      if (!other || from->ways[w].pruned) continue;
      joined = from->ways[w].pruned = true;
      const char *words =
          room_printf(program->room, "what %s:%d broadcasts is known to all ranks: they go the root's way at %s:%d",
                      source_base(bcast->file), bcast->line, source_base(test->file), test->line);
      ROOM_PUSH(program->room, program->assumed, program->assumed_count, program->assumed_capacity, words);
    }
    if (joined) return true; /* what is a rank's own is to be found anew */
  }
  return joined;
}

/* True where more is known than before. */
static bool share(struct shared *shared, struct statement *bcast, int depth) {
  struct program *program = shared->program;
  const struct argument *buffer = &bcast->arguments[0];
  if (buffer->value->kind != VALUE_ADDRESS) return false;
  bool own = false;
  for (size_t i = 0; i < buffer->from_count; i++) {
    struct statement *from = program->by_id[buffer->from[i]];
    if (!from || !program->blocks[from->block].reached || !shared->own[from->id]) continue;
    if (from == bcast) continue;
    own = true;
    if (is_broadcast(from) && depth < 20 && share(shared, from, depth + 1)) return true;
    memset(shared->tried, 0, (size_t)program->block_count * sizeof *shared->tried);
    if (join_tests(shared, bcast, from->block)) return true;
  }
  if (own) return false;
  return bcast->shared = true;
}

bool shared_find(struct program *program) {
  struct shared shared = {.program = program,
                          .own = ROOM_ARRAY(program->room, bool, program->id_count),
                          .tried = ROOM_ARRAY(program->room, bool, program->block_count)};
  bool found = false;
  for (unsigned i = 0; i < program->id_count && !found; i++) {
    struct statement *call = program->by_id[i];
    if (!is_broadcast(call) || !call->data_needed || call->shared) continue;
    find_own(&shared);
    found = share(&shared, call, 0);
  }
  return found;
}
