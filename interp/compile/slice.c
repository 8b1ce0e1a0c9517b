/* The slice (Weiser): all that decides what the program sends and how long its loops are, backwards from its calls of
 * MPI and from the bounds of the outermost loops between these. What is computed and sent itself is left out. */
#include "interp/compile/emit.h"

#include <string.h>

struct slice {
  struct statement **waiting;
  size_t count, capacity;
};

/* The work list is on the stack of slice_find, and here while it runs. */
static void mark(struct program *program, struct statement *statement, struct statement *because, const char *reason) {
  if (!program->slice || !statement || statement->essential) return;
  statement->essential = true;
  statement->because = because;
  statement->reason = reason;
  struct slice *slice = program->slice;
  ROOM_PUSH(program->room, slice->waiting, slice->count, slice->capacity, statement);
}

bool slice_talks(const struct program *program, const struct statement *statement) {
  return statement->kind == STATEMENT_CALL && program->blocks[statement->block].reached && statement->mpi &&
         mpi_communicates(statement->mpi);
}

/* Does the call give the program these data, and not only a status or a request? */
static bool gives_data(const struct program *program, const struct statement *call, const struct reference *memory) {
  if (!call->mpi || !mpi_communicates(call->mpi)) return false;
  if (!memory || !memory->decl) return true;
  for (size_t i = 0; i < call->argument_count && call->mpi->roles[i]; i++) {
    if (!strchr("SQqWc", call->mpi->roles[i])) continue;
    const struct value *to = source_address(program, call->arguments[i].value);
    if (to && to->memory->decl == memory->decl) return false;
  }
  return true;
}

/* Of the statement's own reads, or of the lists that a call of MPI is given: what decides there. */
static bool decides_by(const struct statement *reader, const struct argument *load, const struct reference **memory) {
  const struct value *value = reader->value;
  if (reader->kind == STATEMENT_CALL && reader->mpi) {
    size_t place = (size_t)(load - reader->arguments);
    value = load->value;
    const char *which = value->kind == VALUE_MEMORY ? "lLnTpgCr" : "lL";
    if (place >= strlen(reader->mpi->roles) || !strchr(which, reader->mpi->roles[place])) return false;
  } else if (reader->kind != STATEMENT_ASSIGN) {
    return false;
  }
  *memory = value->kind == VALUE_MEMORY || value->kind == VALUE_ADDRESS ? value->memory : NULL;
  return true;
}

static void mark_sources(struct program *program, const struct argument *load, struct statement *because);

/* What a call gives is made of what it, and others, are given. */
static void mark_buffers(struct program *program, struct statement *call) {
  size_t known = strlen(call->mpi->roles);
  for (size_t i = 0; i < call->argument_count; i++)
    if (i == 0 || (i < known && call->mpi->roles[i] == '-')) {
      slice_mark_value(program, call->arguments[i].value, call, "is given to");
      mark_sources(program, &call->arguments[i], call);
    }
}

/* The condition that the data decide, for the error. */
static void need_data(struct program *program, struct statement *call, struct statement *reader,
                      const struct reference *memory) {
  struct statement *at = reader;
  while (at->kind != STATEMENT_CONDITION && at->because)
    at = at->because;
  const char *name = memory && memory->decl ? memory->name : "",
             *dot = memory && memory->path ? strrchr(memory->path, '.') : NULL;
  if (*name && dot) name = room_printf(program->room, "%.*s", (int)strcspn(dot + 1, "["), dot + 1);
  call->data_needed = at->line ? at : reader->line ? reader : call;
  mark_buffers(program, call);
  bool received = strchr(call->mpi->roles, 'p') != NULL;
  for (unsigned i = 0; received && i < program->id_count; i++)
    if (program->by_id[i] && slice_talks(program, program->by_id[i]) && strchr(program->by_id[i]->mpi->roles, 'p'))
      mark_buffers(program, program->by_id[i]);
  if (!at->because && !strncmp(at->reason, "bounds the loop at ", 19))
    call->data_help = room_printf(program->room, "--iterations %.*s=EXPRESSION says how often it is passed",
                                  (int)strcspn(at->reason + 19, ","), at->reason + 19);
  else if (*name)
    call->data_help =
        room_printf(program->room, "--assume %s'%s = EXPRESSION' says what it is; --why %s tells the chain",
                    inputs_end_loop(program, name) ? room_printf(program->room, "'%s: ignored' waives it, ", name) : "",
                    name, name);
}

static bool is_free(const struct statement *call) {
  return call->kind == STATEMENT_CALL && (!strcmp(call->call, "free") || !strcmp(call->call, "__builtin_free"));
}

static void mark_sources(struct program *program, const struct argument *load, struct statement *because) {
  const struct reference *memory = NULL;
  bool decides = decides_by(because, load, &memory);
  for (size_t i = 0; i < load->from_count; i++) {
    struct statement *from = program->by_id[load->from[i]];
    if (!from || !program->blocks[from->block].reached || is_free(from)) continue;
    mark(program, from, because, "sets");
    bool gives = decides && from->kind == STATEMENT_CALL && (!from->mpi || gives_data(program, from, memory));
    if (gives && assumed_gives(program, from, memory)) continue;
    if (decides && !from->data_needed && !from->shared && gives_data(program, from, memory))
      need_data(program, from, because, memory);
  }
}

void slice_mark_value(struct program *program, const struct value *value, struct statement *because,
                      const char *reason) {
  if (!value) return;
  if (value->kind == VALUE_SSA) {
    struct statement *statement = source_definition(program, value->ssa);
    if (statement && program->slice) statement->uses++;
    mark(program, statement, because, reason);
  }
  for (size_t i = 0; value->kind == VALUE_OP && i < value->count; i++)
    slice_mark_value(program, value->arguments[i], because, reason);
  if (value->kind == VALUE_MEMORY || (value->kind == VALUE_ADDRESS && value->memory->heap)) {
    mark(program, value->memory->heap, because, "allocates");
    slice_mark_value(program, value->memory->index, because, reason);
    slice_mark_value(program, value->memory->pointer, because, reason);
  }
}

static struct statement *decides(const struct block *block) {
  struct statement *last = block->count ? block->statements[block->count - 1] : NULL;
  return last && (last->kind == STATEMENT_CONDITION || last->kind == STATEMENT_SWITCH) ? last : NULL;
}

int slice_waived(const struct program *program, int block) {
  for (int at = program->blocks[block].loop; at > 0; at = program->loops[at].outer) {
    const struct loop *loop = &program->loops[at];
    for (size_t i = 0; loop->said && i < loop->exit_count; i++)
      if (loop->exits[i].from == block || flow_ends_pass(program, block, at)) return at;
  }
  return 0;
}

void slice_mark_block(struct program *program, int block, struct statement *because, const char *reason) {
  const struct block *at = &program->blocks[block];
  for (size_t i = 0; i < at->control_count; i++)
    if (!slice_waived(program, at->controls[i]))
      mark(program, decides(&program->blocks[at->controls[i]]), because, reason);
}

static bool lives(const struct program *program, int from, int to) {
  const struct block *block = &program->blocks[from];
  for (size_t i = 0; block->reached && i < block->way_count; i++)
    if (block->ways[i].to == to && !block->ways[i].pruned) return true;
  return false;
}

const struct value *slice_same(const struct program *program, const struct statement *phi) {
  const struct value *same = NULL;
  for (size_t i = 0; i < phi->argument_count; i++) {
    const struct value *value = phi->arguments[i].value;
    if (!lives(program, phi->arguments[i].block, phi->block)) continue;
    if (value->kind == VALUE_SSA && value->ssa == (unsigned)phi->def) continue;
    bool equal = !same || (same->kind == value->kind && same->ssa == value->ssa && same->number == value->number);
    if (!equal || (value->kind != VALUE_SSA && value->kind != VALUE_INT)) return NULL;
    same = value;
  }
  return same;
}

static void mark_phi(struct program *program, struct statement *phi) {
  const struct value *same = slice_same(program, phi);
  if (same) {
    slice_mark_value(program, same, phi, "is");
    return;
  }
  for (size_t i = 0; i < phi->argument_count; i++) {
    struct argument *argument = &phi->arguments[i];
    if (!lives(program, argument->block, phi->block)) continue;
    slice_mark_value(program, argument->value, phi, "may be");
    slice_mark_block(program, argument->block, phi, "decides the value of");
    size_t live = 0;
    const struct block *from = &program->blocks[argument->block];
    for (size_t k = 0; k < from->way_count; k++)
      live += !from->ways[k].pruned;
    if (live > 1 && !slice_waived(program, argument->block)) mark(program, decides(from), phi, "decides the value of");
  }
}

static void mark_call(struct program *program, struct statement *call) {
  if (call->input >= 0 || (!call->mpi && (call->given_count || assumed_returned(program, call)))) return;
  if (!call->mpi) {
    for (size_t i = 0; i < call->argument_count; i++)
      slice_mark_value(program, call->arguments[i].value, call, "is given to");
    return;
  }
  if (call->shared) mark_sources(program, &call->arguments[0], call);
  if (strchr(call->mpi->roles, 'U')) mark(program, group_made(program, call), call, "makes the group of");
  for (size_t i = 0; i < call->argument_count && call->mpi->roles[i]; i++) {
    struct argument *argument = &call->arguments[i];
    if (!strchr("nTpgCrqWlL", call->mpi->roles[i])) continue;
    slice_mark_value(program, argument->value, call, "is given to");
    if (argument->value->kind == VALUE_MEMORY) {
      struct value *stored = inputs_stored(program, call, argument, argument->value->memory);
      if (stored)
        slice_mark_value(program, stored, call, "is given to");
      else
        mark_sources(program, argument, call);
    }
    if (strchr("qWlL", call->mpi->roles[i])) mark_sources(program, argument, call);
  }
}

static void mark_needs(struct program *program, struct statement *statement) {
  slice_mark_block(program, statement->block, statement, "decides whether there comes");
  switch (statement->kind) {
  case STATEMENT_PHI: mark_phi(program, statement); return;
  case STATEMENT_CALL: mark_call(program, statement); return;
  case STATEMENT_STORE:
    mark(program, statement->to->heap, statement, "allocates");
    slice_mark_value(program, statement->to->pointer, statement, "places");
    slice_mark_value(program, statement->to->index, statement, "places");
    slice_mark_value(program, statement->value, statement, "is");
    return;
  case STATEMENT_ASSIGN:
  case STATEMENT_CONDITION:
  case STATEMENT_SWITCH: {
    struct value *stored = statement->value->kind == VALUE_MEMORY
                               ? inputs_stored(program, statement, &statement->load, statement->value->memory)
                               : NULL;
    slice_mark_value(program, stored ? stored : statement->value, statement, "is part of");
    if (!stored) mark_sources(program, &statement->load, statement);
    return;
  }
  case STATEMENT_RETURN:
  case STATEMENT_OTHER: return;
  }
}

bool slice_is_nest(const struct program *program, int at) {
  const struct loop *loop = &program->loops[at];
  if (at <= 0 || !loop->there || loop->communicates || !program->blocks[loop->header].reached) return false;
  return loop->outer == 0 || program->loops[loop->outer].communicates;
}

static void find_communication(struct program *program) {
  for (unsigned i = 0; i < program->id_count; i++) {
    struct statement *statement = program->by_id[i];
    if (!statement || !program->blocks[statement->block].reached) continue;
    if (statement->mpi && !*statement->mpi->name && !program->options->sliced)
      source_error(program, statement, NULL, "%s has no counterpart among the requests of a model", statement->call);
    if (statement->kind == STATEMENT_CALL && !*statement->call && !statement->pure)
      source_error(program, statement, NULL,
                   "a function is called through a pointer: whether it calls MPI is not to be seen");
    if (statement->foreign)
      source_error(program, statement, "all files of the program are to be given",
                   "'%s' is defined in none of the files: it may call MPI", statement->call);
    for (size_t k = 0; statement->kind == STATEMENT_CALL && k < program->recursive_count; k++)
      if (program->recursive_talks[k] && !strcmp(program->recursive[k], statement->call))
        source_error(program, statement, NULL, "'%s' calls itself and MPI: recursion decides what is sent",
                     statement->call);
    bool other = program->options->sliced && statement->mpi && !*statement->mpi->name;
    if (!slice_talks(program, statement) && !other) continue;
    for (int at = program->blocks[statement->block].loop; at > 0; at = program->loops[at].outer)
      program->loops[at].communicates = true;
  }
}

/* A model of it would never end. */
static void refuse_endless(struct program *program) {
  for (int l = 1; l < program->loop_count; l++) {
    const struct loop *loop = &program->loops[l];
    bool ends = !loop->there || !program->blocks[loop->header].reached || (loop->said && loop->exit_count);
    for (size_t i = 0; !ends && i < loop->exit_count; i++)
      ends = lives(program, loop->exits[i].from, loop->exits[i].to);
    if (!ends)
      source_error_at(program, loop->file, loop->line,
                      loop->exit_count
                          ? room_printf(program->room, "--iterations %s:%d=EXPRESSION says how often it is passed",
                                        source_base(loop->file), loop->line)
                          : NULL,
                      "no way that is taken leads out of this loop");
  }
}

int slice_before(const struct program *program, int at) {
  const struct loop *loop = &program->loops[at];
  for (int b = 0; b < program->block_count; b++)
    if (!flow_in_loop(program, b, at) && lives(program, b, loop->header)) return b;
  return -1;
}

void slice_forget(struct program *program) {
  for (unsigned i = 0; i < program->id_count; i++) {
    struct statement *statement = program->by_id[i];
    if (!statement) continue;
    statement->essential = false;
    statement->because = statement->data_needed = NULL;
    statement->reason = statement->data_help = NULL;
    statement->uses = 0;
    statement->given_count = 0;
  }
  for (int l = 1; l < program->loop_count; l++)
    program->loops[l].communicates = program->loops[l].known = false;
  program->error_count = 0;
}

void slice_find(struct program *program) {
  struct slice slice = {0};
  program->slice = &slice;
  find_communication(program);
  if (!program->options->sliced) refuse_endless(program);
  for (int l = 1; l < program->loop_count; l++) {
    struct statement *header = slice_is_nest(program, l) ? decides(&program->blocks[program->loops[l].header]) : NULL;
    program->loops[l].function = header ? header->function : "";
  }
  if (program->options->sliced) {
    program->slice = NULL;
    return;
  }
  for (unsigned i = 0; i < program->id_count; i++)
    if (program->by_id[i] && slice_talks(program, program->by_id[i]))
      mark(program, program->by_id[i], NULL, "calls MPI");
  for (int l = 1; l < program->loop_count; l++) {
    if (!slice_is_nest(program, l)) continue;
    int before = slice_before(program, l);
    if (before < 0) continue;
    slice_mark_block(program, before, NULL, "decides whether a loop is reached that computes");
    counts_mark(program, l);
  }
  while (slice.count)
    mark_needs(program, slice.waiting[--slice.count]);
  program->slice = NULL;
  assumed_check(program);
  bool decides = false; /* what only flows into what decides is left out */
  for (unsigned i = 0; i < program->id_count; i++)
    decides |= program->by_id[i] && program->by_id[i]->data_needed && program->by_id[i]->data_help;
  for (unsigned i = 0; i < program->id_count; i++) {
    const struct statement *call = program->by_id[i];
    bool refused = call && call->mpi && !*call->mpi->name; /* for what it is, which says enough */
    if (call && !refused && call->data_needed && (!decides || call->data_help))
      source_error(program, call->data_needed, call->data_help,
                   "what %s gives at %s:%d decides here: a model has no data", call->call, source_base(call->file),
                   call->line);
  }
}
