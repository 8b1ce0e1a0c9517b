/* The evaluator Processor: blocks of programs of PISA and RISC-V, which models have executed on simulated processors. A
 * block is a function of the program. It finds memory as the blocks before it have left it; what stands before main has
 * been executed when the first one comes.
 *
 * The program is somebody's, so it reaches nothing of this computer: it finds no files, and what it writes is lost. */
#include "evaluators/processor/instruction.h"
#include "evaluators/processor/processor.h"
#include "interp/include/evaluator.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_PROCESSORS = 1 << 16, SLICE = 1 << 20, MOST_START = 1 << 30, MOST_MESSAGE = 1 << 28 /* bytes */ };

struct unit { /* a processor and its memory */
  struct parameters parameters;
  struct program *program;
  struct processor *processor; /* NULL: nothing has been simulated yet */
};

struct message { /* bytes that stood in a memory */
  uint8_t *bytes;
  uint64_t size;
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
  s->units[s->unit_count] = (struct unit){.program = p};
  parameters_default(&s->units[s->unit_count].parameters);
  call->result.integer = s->unit_count++;
  return PSL_DONE;
}

static enum psl_status set(struct state *s, struct psl_call *call, const char *value) {
  struct unit *unit = unit_of(s, call, 0);
  if (!unit) return PSL_FAILED;
  if (unit->processor) return snprintf(call->error, sizeof call->error, "it is at work already"), PSL_FAILED;
  bool good = parameters_set(&unit->parameters, call->arguments[1].string, value, call->error, sizeof call->error);
  return good ? PSL_DONE : PSL_FAILED;
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
  snprintf(call->error, sizeof call->error, "the block %.150s, at 0x%llx", what, (unsigned long long)p->pc);
  return PSL_FAILED;
}

static enum psl_status prepare(void *state, struct psl_call *call) {
  struct unit *unit = unit_of(state, call, 0);
  const union psl_argument *a = call->arguments;
  if (!unit) return PSL_FAILED;
  struct program *p = unit->program;
  struct block_arguments given = {a[2].list.items, a[3].list.items, a[2].list.count, a[3].list.count};
  if (!program_has_code(p, (uint64_t)a[1].integer)) {
    snprintf(call->error, sizeof call->error, "no code stands at 0x%llx", (unsigned long long)a[1].integer);
    return PSL_FAILED;
  }
  if (p->front->call(p, (uint64_t)a[1].integer, &given)) return PSL_DONE;
  snprintf(call->error, sizeof call->error, "a block of %s is not given so many arguments", p->front->name);
  return PSL_FAILED;
}

/* Until it returns: `step` goes on for a while, and says how many instructions there have been. */
static enum psl_status run(struct state *s, struct psl_call *call, struct unit *unit,
                           uint64_t (*step)(struct unit *unit)) {
  struct program *p = unit->program;
  double most = (double)call->arguments[1].integer;
  bool interrupted = false;
  char why[150];
  uint64_t done = 0;
  limit_memory(s, p);
  enter(p);
  while (!*p->fault && !p->ended && (!p->halted || !done) && (double)done <= most && !interrupted) {
    done += step(unit);
    interrupted = s->host->interrupted && s->host->interrupted(s->host);
  }
  leave(p);
  if (call->clock >= s->host->begin) s->instructions += (double)done;
  call->result.integer = (int64_t)done;
  if (*p->fault) {
    snprintf(why, sizeof why, "goes wrong: %.130s", p->fault);
    return failed(call, p, why);
  }
  if (p->ended) return failed(call, p, "ends the program");
  if (p->halted) return PSL_DONE;
  snprintf(why, sizeof why, "does not come to an end in %.0f instructions", most);
  return failed(call, p, interrupted ? "was interrupted" : why);
}

static uint64_t step_counting(struct unit *unit) {
  if (unit->program->halted) program_go_on(unit->program);
  return program_execute(unit->program, SLICE);
}

static enum psl_status count(void *state, struct psl_call *call) {
  struct unit *unit = unit_of(state, call, 0);
  if (!unit) return PSL_FAILED;
  return call->ordered ? run(state, call, unit, step_counting) : PSL_LATER;
}

static uint64_t step_simulating(struct unit *unit) {
  uint64_t before = processor_instructions(unit->processor);
  if (unit->program->halted) processor_go_on(unit->processor);
  processor_run(unit->processor, processor_cycles(unit->processor) + SLICE);
  return processor_instructions(unit->processor) - before;
}

static enum psl_status simulate(void *state, struct psl_call *call) {
  struct state *s = state;
  struct unit *unit = unit_of(s, call, 0);
  if (!unit) return PSL_FAILED;
  if (!call->ordered) return PSL_LATER;
  if (!unit->processor) {
    if (!parameters_check(&unit->parameters, call->error, sizeof call->error)) return PSL_FAILED;
    unit->processor = processor_open(&unit->parameters, unit->program);
    if (!unit->processor) return snprintf(call->error, sizeof call->error, "memory does not suffice"), PSL_FAILED;
  }
  uint64_t before = processor_cycles(unit->processor);
  enum psl_status status = run(s, call, unit, step_simulating);
  if (call->clock >= s->host->begin) s->cycles += (double)(processor_cycles(unit->processor) - before);
  call->result.integer = (int64_t)(processor_cycles(unit->processor) - before);
  return status;
}

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
  if (!unit) return PSL_FAILED;
  call->result.real = 0;
  if (!unit->processor) return PSL_DONE;
  processor_figures(unit->processor, look_at, &wanted);
  if (wanted.found) return PSL_DONE;
  snprintf(call->error, sizeof call->error, "the processor has no figure '%.60s'", wanted.name);
  return PSL_FAILED;
}

/* ---- messages ---- */

static enum psl_status take(void *state, struct psl_call *call) {
  struct state *s = state;
  struct unit *unit = unit_of(s, call, 0);
  double size = call->arguments[2].real;
  if (!unit) return PSL_FAILED;
  if (!call->ordered) return PSL_LATER;
  if (!(size >= 0) || size != floor(size) || size > MOST_MESSAGE) {
    snprintf(call->error, sizeof call->error, "a message of %g bytes", size);
    return PSL_FAILED;
  }
  struct message m = {s->host->allocate(s->host, (size_t)size + 1), (uint64_t)size};
  if (!space_read_across(&unit->program->space, (uint64_t)call->arguments[1].integer, m.bytes, m.size)) {
    snprintf(call->error, sizeof call->error, "no memory of %g bytes at 0x%llx", size,
             (unsigned long long)call->arguments[1].integer);
    return PSL_FAILED;
  }
  s->messages = grown(s->host, s->messages, s->message_count, &s->message_room, sizeof *s->messages);
  s->messages[s->message_count] = m;
  call->result.integer = s->message_count++;
  return PSL_DONE;
}

static enum psl_status put(void *state, struct psl_call *call) {
  struct state *s = state;
  int64_t number = call->arguments[0].integer;
  struct unit *unit = unit_of(s, call, 1);
  if (!unit) return PSL_FAILED;
  if (!call->ordered) return PSL_LATER;
  if (number < 0 || number >= s->message_count) {
    snprintf(call->error, sizeof call->error, "there is no message %lld", (long long)number);
    return PSL_FAILED;
  }
  const struct message *m = &s->messages[number];
  call->result.real = (double)m->size;
  if (space_write_across(&unit->program->space, (uint64_t)call->arguments[2].integer, m->bytes, m->size))
    return PSL_DONE;
  snprintf(call->error, sizeof call->error, "no memory for %llu bytes at 0x%llx", (unsigned long long)m->size,
           (unsigned long long)call->arguments[2].integer);
  return PSL_FAILED;
}

static enum psl_status read_real(void *state, struct psl_call *call) {
  struct unit *unit = unit_of(state, call, 0);
  if (!unit) return PSL_FAILED;
  if (!call->ordered) return PSL_LATER;
  uint64_t address = (uint64_t)call->arguments[1].integer;
  if (space_read(&unit->program->space, address, &call->result.real, sizeof call->result.real)) return PSL_DONE;
  snprintf(call->error, sizeof call->error, "no memory of a real at 0x%llx", (unsigned long long)address);
  return PSL_FAILED;
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
     .doc = "Executes the block that was prepared, cycle by cycle, and says how many cycles it takes until its last "
            "instruction is committed. Error: it executes more than `most` instructions, goes wrong, or ends the "
            "program."},
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
    .revision = "1",
    .doc = "Blocks of programs of PISA and RISC-V, executed on an out-of-order processor, cycle by cycle.",
    .evidence = PSL_SIMULATED,
    .functions = functions,
    .assumptions = assumptions,
    .open = processors_open,
    .close = processors_close,
    .statistics = statistics,
    .figures = figures,
};
