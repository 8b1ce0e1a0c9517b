/* The evaluator Processor: blocks of programs of PISA and RISC-V, which models have executed on simulated processors. A
 * block is a function of the program. It finds memory as the blocks before it have left it; what stands before main has
 * been executed when the first one comes.
 *
 * What a block takes depends on the program, the parameters and what was before it: blocks, and messages that came from
 * other memories, which depend on what was before there. By that it is kept. Blocks that are known are not executed,
 * and messages behind them not copied, until something is asked that is not known: then all are, in their order.
 *
 * The program is somebody's, so it reaches nothing of this computer: it finds no files, and what it writes is lost. */
#include "evaluators/processor/instruction.h"
#include "evaluators/processor/processor.h"
#include "interp/include/evaluator.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_PROCESSORS = 1 << 16, SLICE = 1 << 20, MOST_START = 1 << 30, MOST_MESSAGE = 1 << 28 /* bytes */ };

enum { MOST_ARGUMENTS = 8 /* of a kind */, MOST_STEPS = 10000 /* of a processor that are kept */ };
struct step {
  enum { STEP_BLOCK, STEP_TAKE, STEP_PUT } kind;
  /* A block with its arguments: */
  uint64_t code;
  double numbers[MOST_ARGUMENTS], reals[MOST_ARGUMENTS];
  uint32_t number_count, real_count;
  bool simulated; /* else counted */
  /* A message, taken from this memory, or put there at this address: */
  uint32_t message;
  uint64_t address;
};

struct unit { /* a processor and its memory */
  struct parameters parameters;
  struct program *program;
  struct processor *processor; /* NULL: nothing has been simulated yet */
  struct psl_key past;         /* of all that has happened to it */
  bool kept;                   /* `past` tells all */
  struct step next;            /* the one that is prepared, */
  bool prepared, entered;      /* if one is; and whether the program stands at its beginning */
  uint64_t cycles_most;        /* of the processor: there the run has ended, */
  bool cut;                    /* in the midst of a block */
  struct step *steps; /* not executed yet, in order, but for the first `step_done`, if steps are being executed: */
  uint32_t step_count, step_room, step_done;
  uint32_t until;       /* so many are to be, */
  struct unit *waiting; /* and this one waits for it */
};

struct message {  /* bytes that stood in a memory */
  uint8_t *bytes; /* NULL: they have not been copied yet */
  uint64_t size, address;
  uint32_t unit, step; /* whose, and behind which of its steps */
  struct psl_key key;  /* what they are, */
  bool kept;           /* if that tells all */
};

struct state {
  struct psl_host *host;
  struct unit *units;
  uint32_t unit_count, unit_room;
  struct message *messages;
  uint32_t message_count, message_room;
  double instructions, cycles;
};

static void *processors_open(struct psl_host *host) {
  struct state *s = host->allocate(host, sizeof *s);
  s->host = host;
  return s;
}

static void processors_close(void *state) {
  struct state *s = state;
  for (uint32_t k = 0; k < s->unit_count; k++) {
    if (s->units[k].processor) processor_close(s->units[k].processor);
    program_close(s->units[k].program);
  }
}

static struct unit *unit_of(struct state *s, struct psl_call *call, unsigned argument) {
  int64_t number = call->arguments[argument].integer;
  if (number >= 0 && number < s->unit_count) return &s->units[number];
  snprintf(call->error, sizeof call->error, "there is no processor %lld", (long long)number);
  return NULL;
}

/* Room for one more item, twice as much as there was. */
static void *grown(struct psl_host *host, void *items, uint32_t count, uint32_t *room, size_t size) {
  if (count < *room) return items;
  uint32_t larger = *room ? 2 * *room : 16;
  void *now = host->allocate(host, larger * size);
  if (count) memcpy(now, items, count * size);
  *room = larger;
  return now;
}

/* ---- programs ---- */

static bool place_of(const union psl_argument *arguments, union psl_argument *result, char error[200]) {
  char why[150];
  if (!*arguments[0].string) return snprintf(error, 200, "no program is named"), false;
  if (!*arguments[1].string) return snprintf(error, 200, "no function or variable is named"), false;
  uint64_t address = program_find(arguments[0].string, arguments[1].string, why, sizeof why);
  if (!address) snprintf(error, 200, "the program does not say: %s", why);
  result->integer = (int64_t)address;
  return address != 0;
}

static void enter(const struct program *p) {
  if (p->front->enter) p->front->enter((struct program *)p);
}
static void leave(const struct program *p) {
  if (p->front->leave) p->front->leave((struct program *)p);
}

/* The memories of all processors together take no more than 4 GiB: what is left of that the program may touch. */
static void limit_memory(const struct state *s, struct program *p) {
  size_t pages = p->space.page_count, most = (size_t)1 << (32 - PAGE_BITS);
  for (uint32_t k = 0; k < s->unit_count; k++)
    if (s->units[k].program != p) pages += s->units[k].program->space.page_count;
  p->space.most_pages = p->space.page_count + (pages < most ? most - pages : 0);
}

/* What stands before main is done; false: it does not come there. */
static bool start(const struct state *s, struct program *p, const char *path, char *error, size_t room) {
  char why[150];
  uint64_t main = program_find(path, "main", why, sizeof why);
  if (!main) return snprintf(error, room, "%s", why), false;
  p->stop = main;
  limit_memory(s, p);
  enter(p);
  program_execute(p, MOST_START);
  leave(p);
  if (p->halted) return true;
  snprintf(error, room, "it does not come to its main: %.100s", *p->fault ? p->fault : "it ends");
  return false;
}

static enum psl_status open_processor(void *state, struct psl_call *call) {
  struct state *s = state;
  char why[150];
  const char *path = call->arguments[0].string, *const words[] = {path, NULL};
  struct program *p = NULL;
  s->units = grown(s->host, s->units, s->unit_count, &s->unit_room, sizeof *s->units);
  if (!*path)
    snprintf(why, sizeof why, "none is named");
  else if (s->unit_count == MOST_PROCESSORS)
    snprintf(why, sizeof why, "there are %d processors already", MOST_PROCESSORS);
  else
    p = program_open(path, words, REACHES_NOTHING, why, sizeof why);
  if (!p || !start(s, p, path, why, sizeof why)) {
    snprintf(call->error, sizeof call->error, "the program cannot be run: %s", why);
    if (p) program_close(p);
    return PSL_FAILED;
  }
  struct unit *unit = &s->units[s->unit_count];
  *unit = (struct unit){.program = p};
  unit->kept = s->host->key(s->host, "Processor 2", path, &unit->past);
  parameters_default(&unit->parameters);
  call->result.integer = s->unit_count++;
  return PSL_DONE;
}

/* The processor's past goes on with this. */
static void happens(struct state *s, struct unit *unit, const char *what) {
  size_t room = strlen(what) + 50;
  char *text = malloc(room);
  if (!text) {
    unit->kept = false;
    return;
  }
  snprintf(text, room, "%016llx%016llx %s", (unsigned long long)unit->past.part[0],
           (unsigned long long)unit->past.part[1], what);
  s->host->key(s->host, text, NULL, &unit->past);
  free(text);
}

static enum psl_status set(struct state *s, struct psl_call *call, const char *value) {
  struct unit *unit = unit_of(s, call, 0);
  const char *name = call->arguments[1].string;
  if (!unit) return PSL_FAILED;
  if (unit->processor || unit->step_count)
    return snprintf(call->error, sizeof call->error, "it is at work already"), PSL_FAILED;
  if (!parameters_set(&unit->parameters, name, value, call->error, sizeof call->error)) return PSL_FAILED;
  happens(s, unit, name);
  happens(s, unit, value);
  return PSL_DONE;
}

static enum psl_status set_text(void *state, struct psl_call *call) {
  return set(state, call, call->arguments[2].string);
}

static enum psl_status set_numbers(void *state, struct psl_call *call) {
  char text[100] = "";
  size_t used = 0;
  for (uint32_t k = 0; k < call->arguments[2].list.count && used < sizeof text - 25; k++)
    used += (size_t)snprintf(text + used, sizeof text - used, "%s%.0f", k ? " " : "", call->arguments[2].list.items[k]);
  return set(state, call, text);
}

/* ---- blocks ---- */

static enum psl_status failed(struct psl_call *call, const struct program *p, const char *what) {
  return psl_failed(call, "the block %.150s, at 0x%llx", what, (unsigned long long)p->pc);
}

static enum psl_status too_many(struct psl_call *call, const struct program *p) {
  return psl_failed(call, "a block of %s is not given so many arguments", p->front->name);
}

static bool enter_block(struct program *p, const struct step *step) {
  return p->front->call(p, step->code,
                        &(struct block_arguments){step->numbers, step->reals, step->number_count, step->real_count});
}

static enum psl_status prepare(void *state, struct psl_call *call) {
  struct unit *unit = unit_of(state, call, 0);
  const union psl_argument *a = call->arguments;
  if (!unit) return PSL_FAILED;
  struct program *p = unit->program;
  struct step *step = &unit->next;
  if (!program_has_code(p, (uint64_t)a[1].integer))
    return psl_failed(call, "no code stands at 0x%llx", (unsigned long long)a[1].integer);
  if (a[2].list.count > MOST_ARGUMENTS || a[3].list.count > MOST_ARGUMENTS) return too_many(call, p);
  *step = (struct step){.code = (uint64_t)a[1].integer, .number_count = a[2].list.count, .real_count = a[3].list.count};
  for (uint32_t k = 0; k < step->number_count; k++)
    step->numbers[k] = a[2].list.items[k];
  for (uint32_t k = 0; k < step->real_count; k++)
    step->reals[k] = a[3].list.items[k];
  unit->prepared = true;
  unit->entered = !unit->step_count;
  return !unit->entered || enter_block(p, step) ? PSL_DONE : too_many(call, p);
}

/* Until it returns: `go_on` goes on for a while, and says how many instructions there have been. */
static enum psl_status run(struct state *s, struct psl_call *call, struct unit *unit, double most,
                           uint64_t (*go_on)(struct unit *unit), uint64_t *done) {
  struct program *p = unit->program;
  bool interrupted = false;
  char why[150];
  *done = 0;
  limit_memory(s, p);
  enter(p);
  bool over = false;
  while (!*p->fault && !p->ended && (!p->halted || !*done) && (double)*done <= most && !interrupted && !over) {
    *done += go_on(unit);
    over = unit->processor && !p->halted && processor_cycles(unit->processor) >= unit->cycles_most;
    interrupted = s->host->interrupted && s->host->interrupted(s->host);
  }
  leave(p);
  if (*p->fault) {
    snprintf(why, sizeof why, "goes wrong: %.130s", p->fault);
    return failed(call, p, why);
  }
  if (p->ended) return failed(call, p, "ends the program");
  if (p->halted || (over && !interrupted)) return PSL_DONE;
  snprintf(why, sizeof why, "does not come to an end in %.0f instructions", most);
  return failed(call, p, interrupted ? "was interrupted" : why);
}

static uint64_t go_on_counting(struct unit *unit) {
  if (unit->program->halted) program_go_on(unit->program);
  return program_execute(unit->program, SLICE);
}

static uint64_t go_on_simulating(struct unit *unit) {
  uint64_t before = processor_instructions(unit->processor);
  if (unit->program->halted) processor_go_on(unit->processor);
  uint64_t now = processor_cycles(unit->processor), left = unit->cycles_most - now;
  processor_run(unit->processor, now + (left < SLICE ? left : SLICE));
  return processor_instructions(unit->processor) - before;
}

struct taken { /* by a block */
  uint64_t instructions, cycles;
};

/* The block that was entered. */
static enum psl_status execute(struct state *s, struct psl_call *call, struct unit *unit, bool simulated, double most,
                               struct taken *taken) {
  taken->cycles = 0;
  if (!simulated) return run(s, call, unit, most, go_on_counting, &taken->instructions);
  if (!unit->processor) unit->processor = processor_open(&unit->parameters, unit->program);
  if (!unit->processor) return snprintf(call->error, sizeof call->error, "memory does not suffice"), PSL_FAILED;
  uint64_t before = processor_cycles(unit->processor);
  enum psl_status status = run(s, call, unit, most, go_on_simulating, &taken->instructions);
  taken->cycles = processor_cycles(unit->processor) - before;
  return status;
}

/* ---- blocks that are known ---- */

static enum psl_status no_memory(struct psl_call *call, const struct message *m, uint64_t address) {
  return psl_failed(call, "no memory of %llu bytes at 0x%llx", (unsigned long long)m->size,
                    (unsigned long long)address);
}

static enum psl_status copy_from(struct state *s, struct psl_call *call, struct message *m) {
  uint8_t *bytes = s->host->allocate(s->host, (size_t)m->size + 1);
  if (!space_read_across(&s->units[m->unit].program->space, m->address, bytes, m->size))
    return no_memory(call, m, m->address);
  m->bytes = bytes;
  return PSL_DONE;
}

static enum psl_status copy_to(struct psl_call *call, struct unit *unit, const struct message *m, uint64_t address) {
  bool done = space_write_across(&unit->program->space, address, m->bytes, m->size);
  return done ? PSL_DONE : no_memory(call, m, address);
}

static enum psl_status execute_step(struct state *s, struct psl_call *call, struct unit *unit,
                                    const struct step *step) {
  struct taken unused;
  if (step->kind == STEP_TAKE) return copy_from(s, call, &s->messages[step->message]);
  if (step->kind == STEP_PUT) return copy_to(call, unit, &s->messages[step->message], step->address);
  if (!enter_block(unit->program, step)) return too_many(call, unit->program);
  unit->cycles_most = UINT64_MAX;
  return execute(s, call, unit, step->simulated, INFINITY, &unused); /* it is known to come to an end */
}

/* Where the next step puts a message that was not copied yet, who has that executes until it is. What happened there
 * happened before, so that none waits for itself. */
static bool wait_for_message(struct state *s, struct unit **unit) {
  const struct step *step = &(*unit)->steps[(*unit)->step_done];
  const struct message *m = step->kind == STEP_PUT ? &s->messages[step->message] : NULL;
  if (!m || m->bytes) return false;
  struct unit *of = &s->units[m->unit];
  of->until = m->step + 1;
  of->waiting = *unit;
  *unit = of;
  return true;
}

/* Executes the steps that were not. */
static enum psl_status catch_up(struct state *s, struct psl_call *call, struct unit *unit) {
  unit->until = unit->step_count;
  unit->waiting = NULL;
  while (unit) {
    if (unit->step_done == unit->until) {
      if (unit->step_done == unit->step_count) unit->step_done = unit->step_count = 0;
      unit = unit->waiting;
    } else if (!wait_for_message(s, &unit)) {
      enum psl_status status = execute_step(s, call, unit, &unit->steps[unit->step_done]);
      if (status != PSL_DONE) return status;
      unit->step_done++;
    }
  }
  return PSL_DONE;
}

/* It is executed when it has to be. */
static void put_off(struct state *s, struct unit *unit, const struct step *step) {
  unit->steps = grown(s->host, unit->steps, unit->step_count, &unit->step_room, sizeof *unit->steps);
  unit->steps[unit->step_count++] = *step;
}

static void block_happens(struct state *s, struct unit *unit) {
  const struct step *step = &unit->next;
  char text[60 * MOST_ARGUMENTS + 60], *at = text;
  at += sprintf(at, "%s %llx", step->simulated ? "simulate" : "count", (unsigned long long)step->code);
  for (uint32_t k = 0; k < step->number_count; k++)
    at += sprintf(at, " %a", step->numbers[k]);
  *at++ = ';';
  for (uint32_t k = 0; k < step->real_count; k++)
    at += sprintf(at, " %a", step->reals[k]);
  *at = '\0';
  happens(s, unit, text);
}

/* What that block has taken; false: it is not known, or would be too many instructions. */
static bool known(struct state *s, struct unit *unit, double most, struct taken *taken) {
  struct unit behind = *unit;
  double instructions, cycles;
  happens(s, &behind, "instructions");
  if (!unit->kept || !s->host->recall(s->host, unit->past, &cycles) ||
      !s->host->recall(s->host, behind.past, &instructions) || instructions > most)
    return false;
  *taken = (struct taken){(uint64_t)instructions, (uint64_t)cycles};
  return true;
}

static void keep(struct state *s, struct unit *unit, const struct taken *taken) {
  struct unit behind = *unit;
  happens(s, &behind, "instructions");
  s->host->remember(s->host, unit->past, (double)taken->cycles);
  s->host->remember(s->host, behind.past, (double)taken->instructions);
}

/* The cycle of the processor in which the run has ended, by its clock; a block that takes longer is not executed
 * farther. */
static uint64_t last_cycle(const struct state *s, const struct psl_call *call, const struct unit *unit) {
  double left = (s->host->until - call->clock) * unit->parameters.clock;
  if (!unit->next.simulated || !(left < 1e18)) return UINT64_MAX;
  return (unit->processor ? processor_cycles(unit->processor) : 0) + (left < 1 ? 1 : (uint64_t)left + 1);
}

static enum psl_status block_take(struct state *s, struct psl_call *call, struct unit *unit, struct taken *taken) {
  double most = (double)call->arguments[1].integer;
  unit->kept &= unit->step_count < MOST_STEPS;
  if (unit->kept) block_happens(s, unit);
  if (known(s, unit, most, taken)) return put_off(s, unit, &unit->next), PSL_DONE;
  if (catch_up(s, call, unit) != PSL_DONE) return PSL_FAILED;
  if (!unit->entered && !enter_block(unit->program, &unit->next)) return too_many(call, unit->program);
  unit->cycles_most = last_cycle(s, call, unit);
  enum psl_status status = execute(s, call, unit, unit->next.simulated, most, taken);
  unit->cut = status == PSL_DONE && !unit->program->halted;
  if (unit->cut)
    call->clock = fmax(call->clock, s->host->until); /* nothing that comes of it is there before */
  else if (status == PSL_DONE && unit->kept)
    keep(s, unit, taken);
  return status;
}

static enum psl_status block(void *state, struct psl_call *call, bool simulated) {
  struct state *s = state;
  struct unit *unit = unit_of(s, call, 0);
  struct taken taken = {0};
  if (!unit) return PSL_FAILED;
  if (!call->ordered) return PSL_LATER;
  if (simulated && !unit->processor && !parameters_check(&unit->parameters, call->error, sizeof call->error))
    return PSL_FAILED;
  if (unit->cut)
    return snprintf(call->error, sizeof call->error, "it is in a block beyond the end of the run"), PSL_FAILED;
  if (!unit->prepared) {
    snprintf(
        call->error, sizeof call->error,
        "no block was prepared, or another firing has executed it: 'servers = 1;' in the accept lets one firing end "
        "before the next begins, or each takes a processor of its own");
    return PSL_FAILED;
  }
  unit->prepared = false;
  unit->next.simulated = simulated;
  enum psl_status status = block_take(s, call, unit, &taken);
  if (PSL_COUNTS(s->host, call->clock)) {
    s->instructions += (double)taken.instructions;
    s->cycles += (double)taken.cycles;
  }
  call->result.integer = (int64_t)(simulated ? taken.cycles : taken.instructions);
  return status;
}

static enum psl_status count(void *state, struct psl_call *call) { return block(state, call, false); }

static enum psl_status simulate(void *state, struct psl_call *call) { return block(state, call, true); }

/* ---- figures ---- */

struct wanted {
  const char *name;
  double *value;
  bool found;
};

static void look_at(void *user, const struct processor_figure *figure) {
  struct wanted *wanted = user;
  const char *name = wanted->name;
  size_t length = figure->of ? strlen(figure->of) : 0;
  if (figure->of && (strncmp(name, figure->of, length) || name[length] != '.')) return;
  if (strcmp(figure->of ? name + length + 1 : name, figure->name)) return;
  *wanted->value = figure->value;
  wanted->found = true;
}

static enum psl_status figure_of(void *state, struct psl_call *call) {
  struct unit *unit = unit_of(state, call, 0);
  struct wanted wanted = {call->arguments[1].string, &call->result.real, false};
  if (!unit || catch_up(state, call, unit) != PSL_DONE) return PSL_FAILED;
  call->result.real = 0;
  if (!unit->processor) return PSL_DONE;
  processor_figures(unit->processor, look_at, &wanted);
  if (wanted.found) return PSL_DONE;
  return psl_failed(call, "the processor has no figure '%.60s'", wanted.name);
}

/* ---- messages ---- */

/* That something which is not executed at once goes well is known by its key; if not, it has to be. */
static bool goes_well(struct state *s, const struct unit *unit, bool kept, struct psl_key key) {
  double size;
  return kept && unit->step_count < MOST_STEPS && s->host->recall(s->host, key, &size);
}

static void message_key(struct state *s, const struct unit *unit, struct message *m) {
  struct unit behind = *unit;
  char text[60];
  snprintf(text, sizeof text, "take %llx %llx", (unsigned long long)m->address, (unsigned long long)m->size);
  happens(s, &behind, text);
  m->key = behind.past;
  m->kept = behind.kept;
}

static enum psl_status take(void *state, struct psl_call *call) {
  struct state *s = state;
  struct unit *unit = unit_of(s, call, 0);
  double size = call->arguments[2].real;
  if (!unit) return PSL_FAILED;
  if (!call->ordered) return PSL_LATER;
  if (!(size >= 0) || size != floor(size) || size > MOST_MESSAGE)
    return psl_failed(call, "a message of %g bytes", size);
  struct message m = {.size = (uint64_t)size,
                      .address = (uint64_t)call->arguments[1].integer,
                      .unit = (uint32_t)(unit - s->units),
                      .step = unit->step_count};
  message_key(s, unit, &m);
  if (unit->step_count && goes_well(s, unit, m.kept, m.key)) {
    put_off(s, unit, &(struct step){.kind = STEP_TAKE, .message = s->message_count});
  } else {
    if (catch_up(s, call, unit) != PSL_DONE || copy_from(s, call, &m) != PSL_DONE) return PSL_FAILED;
    if (m.kept) s->host->remember(s->host, m.key, size);
  }
  s->messages = grown(s->host, s->messages, s->message_count, &s->message_room, sizeof *s->messages);
  s->messages[s->message_count] = m;
  call->result.integer = s->message_count++;
  return PSL_DONE;
}

static void message_happens(struct state *s, struct unit *unit, const struct message *m, uint64_t address) {
  char text[80];
  snprintf(text, sizeof text, "put %016llx%016llx %llx", (unsigned long long)m->key.part[0],
           (unsigned long long)m->key.part[1], (unsigned long long)address);
  unit->kept &= m->kept;
  if (unit->kept) happens(s, unit, text);
}

/* Both memories are as they have to be: the message is there, and the other one as what was before has left it. */
static enum psl_status put_now(struct state *s, struct psl_call *call, struct unit *unit, const struct message *m,
                               uint64_t address) {
  if (!m->bytes && catch_up(s, call, &s->units[m->unit]) != PSL_DONE) return PSL_FAILED;
  if (catch_up(s, call, unit) != PSL_DONE || copy_to(call, unit, m, address) != PSL_DONE) return PSL_FAILED;
  if (unit->kept) s->host->remember(s->host, unit->past, (double)m->size);
  return PSL_DONE;
}

static enum psl_status put(void *state, struct psl_call *call) {
  struct state *s = state;
  int64_t number = call->arguments[0].integer;
  uint64_t address = (uint64_t)call->arguments[2].integer;
  struct unit *unit = unit_of(s, call, 1);
  if (!unit) return PSL_FAILED;
  if (!call->ordered) return PSL_LATER;
  if (number < 0 || number >= s->message_count) return psl_failed(call, "there is no message %lld", (long long)number);
  const struct message *m = &s->messages[number];
  call->result.real = (double)m->size;
  message_happens(s, unit, m, address);
  if ((m->bytes && !unit->step_count) || !goes_well(s, unit, unit->kept, unit->past))
    return put_now(s, call, unit, m, address);
  put_off(s, unit, &(struct step){.kind = STEP_PUT, .message = (uint32_t)number, .address = address});
  return PSL_DONE;
}

static enum psl_status read_real(void *state, struct psl_call *call) {
  struct unit *unit = unit_of(state, call, 0);
  if (!unit) return PSL_FAILED;
  if (!call->ordered) return PSL_LATER;
  if (catch_up(state, call, unit) != PSL_DONE) return PSL_FAILED;
  uint64_t address = (uint64_t)call->arguments[1].integer;
  if (space_read(&unit->program->space, address, &call->result.real, sizeof call->result.real)) return PSL_DONE;
  return psl_failed(call, "no memory of a real at 0x%llx", (unsigned long long)address);
}

static size_t statistics(void *state, struct psl_statistic *out, size_t capacity) {
  const struct state *s = state;
  const struct psl_statistic all[] = {{"simulated instructions", "", s->instructions, true},
                                      {"simulated cycles", "", s->cycles, true}};
  size_t count = sizeof all / sizeof *all;
  if (count > capacity) count = capacity;
  memcpy(out, all, count * sizeof *out);
  return count;
}

static const struct psl_evaluator_figure figures[] = {
    {.name = "simulated instructions", .unit = "", .whole = true},
    {.name = "simulated cycles", .unit = "", .whole = true},
    {.name = NULL},
};

static const struct psl_evaluator_function functions[] = {
    {.name = "address",
     .signature = "(program : string, name : string) -> int",
     .kind = PSL_PURE,
     .pure = place_of,
     .reads = 1,
     .doc = "Where in memory the function or variable of that name stands. Error: the file is no program of PISA or "
            "RISC-V, or has no such name."},
    {.name = "open",
     .signature = "(program : string) -> int",
     .kind = PSL_CALL,
     .call = open_processor,
     .reads = 1,
     .doc = "A processor, by its number, with the program in a memory of its own, at the beginning of its main."},
    {.name = "set",
     .signature = "(processor : int, name : string, value : string)",
     .kind = PSL_EVENT,
     .call = set_text,
     .doc = "A parameter by the name and the text that psl-processor(7) lists, before it simulates anything."},
    {.name = "set-numbers",
     .signature = "(processor : int, name : string, numbers : [int])",
     .kind = PSL_EVENT,
     .call = set_numbers,
     .doc = "A parameter of one or several whole numbers, likewise."},
    {.name = "prepare",
     .signature = "(processor : int, code : int, numbers : [int], reals : [real])",
     .kind = PSL_EVENT,
     .call = prepare,
     .doc = "The block at this address is the next one: it gets the arguments, each kind in order, as its compiler's "
            "convention has it. Error: no code stands there, or they are too many."},
    {.name = "simulate",
     .signature = "(processor : int, most : int) -> int",
     .kind = PSL_CALL,
     .call = simulate,
     .doc =
         "Executes the block that was prepared, cycle by cycle, and says how many cycles it takes until its last "
         "instruction is committed. One that by the processor's `clock` takes longer than the run may, as --max-time "
         "says, ends the run. Error: it executes more than `most` instructions, goes wrong, or ends the program."},
    {.name = "count",
     .signature = "(processor : int, most : int) -> int",
     .kind = PSL_CALL,
     .call = count,
     .doc =
         "Executes it without looking at time, and says how many instructions it has. Errors: as those of simulate."},
    {.name = "figure",
     .signature = "(processor : int, name : string) -> real",
     .kind = PSL_EVENT,
     .call = figure_of,
     .doc =
         "What all simulated blocks together have counted: \"sim_cycle\", \"dl1.misses\"; psl-processor(7) lists the "
         "names. Nothing was simulated: 0."},
    {.name = "read",
     .signature = "(processor : int, address : int) -> real",
     .kind = PSL_CALL,
     .call = read_real,
     .doc = "The double that stands in the processor's memory. Error: there is no memory."},
    {.name = "take",
     .signature = "(processor : int, address : int, size : data) -> int",
     .kind = PSL_CALL,
     .call = take,
     .doc = "Copies what stands in the processor's memory to that of the computer: a message, by its number."},
    {.name = "put",
     .signature = "(message : int, processor : int, address : int) -> data",
     .kind = PSL_CALL,
     .call = put,
     .doc = "Copies a message to the memory of a processor, and says how large it is."},
    {.name = NULL},
};

static const struct psl_assumption assumptions[] = {
    {"caches are empty before the first block; what stands before main takes no time", "count"},
    {NULL, NULL},
};

const struct psl_evaluator processor_evaluator = {
    .version = PSL_EVALUATOR_VERSION,
    .name = "Processor",
    .revision = "2",
    .doc = "Blocks of programs of PISA and RISC-V, executed on an out-of-order processor, cycle by cycle.",
    .evidence = PSL_SIMULATED,
    .functions = functions,
    .assumptions = assumptions,
    .open = processors_open,
    .close = processors_close,
    .statistics = statistics,
    .figures = figures,
};
