/* The model of time: what happens in each cycle, from the end of the pipeline to its begin, so that what one stage
 * gives the next one takes in the next cycle.  Called by processor_run alone. */
#include "evaluators/processor/pipeline.h"

#include <stdlib.h>

/* ---- units ---- */

/* Takes a unit of the group from `from` on for some cycles; false: all are busy. */
static bool take_unit(struct processor *p, enum unit_class unit, uint64_t from) {
  const struct latency *latency = &p->latencies[unit];
  struct units *units = &p->units[latency->group];
  for (uint32_t u = 0; u < units->count; u++) {
    if (units->free_at[u] > from) continue;
    units->free_at[u] = from + latency->next;
    return true;
  }
  return false;
}

/* ---- what can be issued ---- */

/* Loads, stores, branches and what takes long go before all others, the last that comes first; others by age. */
static void ready_add(struct processor *p, uint32_t index) {
  struct operation *o = &p->operations[index];
  uint32_t node = p->ready_free, *link = &p->ready_first;
  p->ready_free = p->ready[node].next;
  o->queued = true;
  while (!o->first && *link != NONE && p->ready[*link].number < o->number)
    link = &p->ready[*link].next;
  p->ready[node] = (struct ready){o->number, index, *link};
  *link = node;
}

static void wake(struct processor *p, uint32_t node) {
  while (node != NONE) {
    struct operation *o = &p->operations[node / 4];
    uint32_t input = node % 4, next = o->node_next[input];
    o->producers[input] = NONE;
    o->waiting--;
    p->queue_changed |= o->in_queue;
    if (!o->waiting && !o->load) ready_add(p, node / 4); /* loads: by queue_look */
    node = next;
  }
}

/* ---- events ---- */

static void event_add(struct processor *p, uint32_t index, uint64_t when) {
  struct operation *o = &p->operations[index];
  uint32_t *head = &p->wheel[when % WHEEL];
  o->when = when;
  o->event_next = *head;
  o->event_before = NONE;
  if (*head != NONE) p->operations[*head].event_before = index;
  *head = index;
}

static void event_remove(struct processor *p, const struct operation *o) {
  if (o->event_next != NONE) p->operations[o->event_next].event_before = o->event_before;
  if (o->event_before != NONE)
    p->operations[o->event_before].event_next = o->event_next;
  else
    p->wheel[o->when % WHEEL] = o->event_next;
}

/* An operation that completes now; NONE: there is none left. */
static uint32_t event_next(struct processor *p) {
  uint32_t index = p->wheel[p->cycle % WHEEL];
  while (index != NONE && p->operations[index].when != p->cycle)
    index = p->operations[index].event_next;
  if (index != NONE) event_remove(p, &p->operations[index]);
  return index;
}

/* ---- rings ---- */

static uint32_t ring_at(const struct ring *ring, uint32_t place) {
  uint32_t index = ring->first + place;
  return index < ring->size ? index : index - ring->size;
}
static uint32_t ring_add(struct ring *ring) { return ring_at(ring, ring->count++); }
static void ring_drop_first(struct ring *ring) {
  ring->first = ring_at(ring, 1);
  ring->count--;
}
static void ring_count(struct ring *ring) {
  ring->sum += ring->count;
  ring->full += ring->count == ring->size;
}
static struct operation *in_queue(const struct processor *p, uint32_t place) {
  return &p->operations[p->window.size + ring_at(&p->queue, place)];
}

/* ---- commit ---- */

/* The store goes to memory; false: no port is free. */
static bool commit_store(struct processor *p, const struct operation *o) {
  if (!take_unit(p, UNIT_MEMORY, p->cycle - 1)) return false; /* the units of this cycle are not yet given back */
  if (p->of_data1) cache_access(p->of_data1, true, o->address & ~(uint64_t)3, p->cycle);
  if (p->of_data_pages) cache_access(p->of_data_pages, false, o->address & ~(uint64_t)3, p->cycle);
  return true;
}

static void commit(struct processor *p) {
  for (uint32_t done = 0; done < p->parameters.commit_width && p->window.count; done++) {
    struct operation *o = &p->operations[p->window.first];
    if (!o->completed) return;
    if (o->finds_address) {
      struct operation *access = in_queue(p, 0);
      if (!access->completed || (access->store && !commit_store(p, access))) return;
      p->slip += p->cycle - access->begun;
      access->number = 0;
      ring_drop_first(&p->queue);
    }
    if (o->instruction->flags & IS_BRANCH && p->parameters.predictor != PREDICT_PERFECT)
      predictor_learn(&p->predictor, o->pc, o->instruction, o->next, o->predicted, &o->prediction);
    p->slip += p->cycle - o->begun;
    o->number = 0;
    ring_drop_first(&p->window);
    p->committed_at = p->cycle;
  }
}

/* ---- completion ---- */

/* Inputs leave the lists of their producers: they were the last to come there. */
static void unlink_inputs(struct processor *p, const struct operation *o) {
  for (int input = 3; input-- > 0;) {
    uint32_t output = o->producers[input];
    if (output != NONE) p->operations[output / 2].consumers[output % 2] = o->node_next[input];
  }
}

static void squash(struct processor *p, struct operation *o) {
  unlink_inputs(p, o);
  if (o->issued && !o->completed) event_remove(p, o);
  o->number = 0;
}

/* All behind the branch goes. */
static void recover(struct processor *p, const struct operation *branch) {
  while (true) {
    struct operation *o = &p->operations[ring_at(&p->window, p->window.count - 1)];
    if (o == branch) break;
    if (o->finds_address) squash(p, in_queue(p, --p->queue.count));
    squash(p, o);
    p->window.count--;
  }
  program_recover(p->program);
  predictor_recover(&p->predictor, &branch->prediction);
  p->fetch_ring.count = 0;
  p->fetch_pc = p->recover_pc;
  p->fetch_delay = p->parameters.mispredict_latency;
}

static void complete(struct processor *p) {
  uint32_t index;
  while ((index = event_next(p)) != NONE) {
    struct operation *o = &p->operations[index];
    o->completed = true;
    if (o->recovers) recover(p, o);
    for (uint32_t out = 0; out < 2; out++) {
      uint8_t written = o->writes[out];
      if (p->newest[written] == 2 * index + out) p->newest[written] = NONE;
      if (p->newest_wrong[written] == 2 * index + out) p->newest_wrong[written] = NONE;
      wake(p, o->consumers[out]);
      o->consumers[out] = NONE;
    }
  }
}

/* ---- loads that may go to memory ---- */

enum { STORES_KNOWN = 64 }; /* whose address is known and whose value is not */

/* A load waits for stores before it until their addresses are known, and for one to the same address until its value
 * is. */
static void queue_look(struct processor *p) {
  uint64_t pending[STORES_KNOWN];
  uint32_t count = 0;
  if (!p->queue_changed) return;
  p->queue_changed = false;
  for (uint32_t i = 0; i < p->queue.count; i++) {
    struct operation *o = in_queue(p, i);
    if (o->store) {
      if (o->producers[1] != NONE) return;
      if (o->waiting && count == STORES_KNOWN) return;
      for (uint32_t s = 0; !o->waiting && s < count; s++)
        if (pending[s] == o->address) pending[s] = UINT64_MAX;
      if (o->waiting) pending[count++] = o->address;
    } else if (!o->queued && !o->issued && !o->waiting) {
      uint32_t s = 0;
      while (s < count && pending[s] != o->address)
        s++;
      if (s == count) ready_add(p, p->window.size + ring_at(&p->queue, i));
    }
  }
}

/* ---- issue ---- */

static bool is_data(const struct processor *p, uint64_t address) {
  const struct program *program = p->program;
  return (program->data_begin <= address && address < program->data_end) ||
         (program->code_begin <= address && address < program->code_end);
}

/* Does a store before it in the queue hold what it loads? */
static bool is_forwarded(const struct processor *p, const struct operation *load) {
  uint32_t index = (uint32_t)(load - p->operations) - p->window.size;
  uint32_t place = index >= p->queue.first ? index - p->queue.first : index + p->queue.size - p->queue.first;
  while (place-- > 0) {
    const struct operation *o = in_queue(p, place);
    if (o->store && o->address == load->address) return true;
  }
  return false;
}

static uint64_t load_latency(struct processor *p, const struct operation *o) {
  uint64_t latency = 1, pages, address = o->address & ~(uint64_t)3;
  bool data = is_data(p, o->address);
  if (!is_forwarded(p, o)) {
    if (!data && !p->program->speculative) p->invalid_addresses++;
    latency =
        p->of_data1 && data ? cache_access(p->of_data1, false, address, p->cycle) : p->latencies[UNIT_MEMORY].result;
  }
  if (!p->of_data_pages || !data) return latency;
  pages = cache_access(p->of_data_pages, false, address, p->cycle);
  return latency > pages ? latency : pages;
}

/* False: no unit is free. */
static bool issue_one(struct processor *p, uint32_t index) {
  struct operation *o = &p->operations[index];
  if (o->store) { /* goes to memory when it is committed */
    o->issued = o->completed = true;
    return true;
  }
  if (o->unit != UNIT_NONE && !take_unit(p, o->unit, p->cycle)) return false;
  uint64_t latency = o->load ? load_latency(p, o) : o->unit != UNIT_NONE ? p->latencies[o->unit].result : 1;
  o->issued = true;
  event_add(p, index, p->cycle + (latency ? latency : 1));
  return true;
}

/* The list is made anew in each cycle: what could not be issued comes again, in the order of the old list. */
static void issue(struct processor *p) {
  uint32_t node = p->ready_first, issued = 0;
  p->ready_first = NONE;
  while (node != NONE) {
    struct ready ready = p->ready[node];
    struct operation *o = &p->operations[ready.operation];
    p->ready[node].next = p->ready_free;
    p->ready_free = node;
    node = ready.next;
    if (o->number != ready.number) continue; /* it was on a wrong path */
    o->queued = false;
    if (issued < p->parameters.issue_width && issue_one(p, ready.operation))
      issued++;
    else
      ready_add(p, ready.operation);
  }
}

/* ---- dispatch ---- */

static void link_input(struct processor *p, uint32_t index, uint32_t input, uint32_t output) {
  struct operation *o = &p->operations[index];
  o->producers[input] = output;
  if (output == NONE) return;
  uint32_t *head = &p->operations[output / 2].consumers[output % 2];
  o->node_next[input] = *head;
  *head = 4 * index + input;
  o->waiting++;
}

static uint32_t *newest(struct processor *p) { return p->program->speculative ? p->newest_wrong : p->newest; }

static uint32_t producer_of(struct processor *p, uint8_t number) { return number ? newest(p)[number] : NONE; }

static void link_output(struct processor *p, uint32_t index, uint32_t output, uint8_t number) {
  p->operations[index].writes[output] = number;
  if (number) newest(p)[number] = 2 * index + output;
}

static struct operation *operation_new(struct processor *p, uint32_t index, const struct fetched *from) {
  struct operation *o = &p->operations[index];
  o->instruction = from->instruction;
  o->number = ++p->numbers;
  o->pc = from->pc;
  o->next = p->program->next;
  o->predicted = from->predicted;
  o->address = p->program->address;
  o->begun = p->cycle - 1;
  o->producers[0] = o->producers[1] = o->producers[2] = o->consumers[0] = o->consumers[1] = NONE;
  o->writes[0] = o->writes[1] = o->waiting = 0;
  o->unit = from->instruction->unit;
  o->in_queue = o->finds_address = o->load = o->store = o->first = false;
  o->queued = o->issued = o->completed = o->recovers = false;
  p->last_number = o->number;
  p->last_operation = index;
  return o;
}

/* A load or store: its address is a sum in the window, then it goes to memory in the queue. */
static struct operation *dispatch_access(struct processor *p, const struct fetched *from) {
  const struct instruction *instruction = from->instruction;
  uint32_t index = ring_add(&p->window), access_index = p->window.size + ring_add(&p->queue);
  struct operation *o = operation_new(p, index, from), *access = operation_new(p, access_index, from);
  o->finds_address = access->in_queue = access->first = true;
  o->unit = UNIT_INTEGER;
  access->load = instruction->flags & IS_LOAD;
  access->store = !access->load;
  link_input(p, index, 1, producer_of(p, instruction->reads[1]));
  link_input(p, index, 2, producer_of(p, instruction->reads[2]));
  link_input(p, access_index, 0, producer_of(p, instruction->reads[0]));
  link_input(p, access_index, 1, 2 * index);
  link_output(p, access_index, 0, instruction->writes[0]);
  link_output(p, access_index, 1, instruction->writes[1]);
  if (!o->waiting) ready_add(p, index);
  return o;
}

static struct operation *dispatch_other(struct processor *p, const struct fetched *from) {
  const struct instruction *instruction = from->instruction;
  uint32_t index = ring_add(&p->window);
  struct operation *o = operation_new(p, index, from);
  o->first = instruction->flags & (IS_LONG | IS_BRANCH);
  for (uint32_t input = 0; input < 3; input++)
    link_input(p, index, input, producer_of(p, instruction->reads[input]));
  link_output(p, index, 0, instruction->writes[0]);
  link_output(p, index, 1, instruction->writes[1]);
  if (!o->waiting) ready_add(p, index);
  return o;
}

/* Does it wait for what came before it, where all are issued in order? */
static bool waits_for_order(const struct processor *p) {
  if (!p->parameters.in_order || !p->last_number) return false;
  const struct operation *last = &p->operations[p->last_operation];
  return last->number == p->last_number && last->waiting;
}

static bool can_dispatch(const struct processor *p) {
  return p->window.count < p->window.size && p->queue.count < p->queue.size && p->fetch_ring.count &&
         (p->parameters.wrong_path || !p->program->speculative) && !waits_for_order(p);
}

/* The branch was fetched with another target than it names, which is seen here (or all is known): fetch begins anew. */
static bool redirect(struct processor *p, const struct fetched *from) {
  const struct program *program = p->program;
  uint16_t flags = from->instruction->flags;
  bool perfect = p->parameters.predictor == PREDICT_PERFECT;
  bool wrong_target = flags & IS_DIRECT && program->target != from->predicted &&
                      from->predicted != from->pc + from->instruction->length;
  if (perfect ? from->predicted == program->next : !wrong_target) return false;
  p->fetch_pc = program->next;
  p->fetch_ring.count = 1;
  if (!perfect) p->fetch_delay = p->parameters.mispredict_latency;
  return true;
}

static void count_instruction(struct processor *p, uint16_t flags) {
  bool sure = !p->program->speculative;
  p->all_loads += flags & IS_LOAD ? 1 : 0;
  p->all_stores += flags & IS_STORE ? 1 : 0;
  p->all_branches += flags & IS_BRANCH ? 1 : 0;
  p->instructions += sure;
  p->loads += sure && flags & IS_LOAD;
  p->stores += sure && flags & IS_STORE;
  p->branches += sure && flags & IS_BRANCH;
}

static void trap(struct processor *p) {
  uint64_t clock = p->parameters.clock;
  p->program->cycles = p->cycle;
  p->program->instructions = p->instructions;
  p->program->nanoseconds =
      p->program->stood_still + p->cycle / clock * 1000000000 + p->cycle % clock * 1000000000 / clock;
  struct cache *caches[] = {p->of_data1, p->of_data2, p->of_code1, p->of_code2, p->of_data_pages, p->of_code_pages};
  for (size_t c = 0; p->parameters.flush && c < sizeof caches / sizeof *caches; c++)
    if (caches[c]) cache_flush(caches[c], p->cycle);
}

static void go_wrong(struct processor *p, struct operation *branch) {
  branch->recovers = true;
  p->recover_pc = p->program->next;
  memcpy(p->newest_wrong, p->newest, sizeof p->newest);
  program_speculate(p->program);
}

static void dispatch(struct processor *p) {
  struct program *program = p->program;
  uint32_t width = p->parameters.decode_width * p->parameters.fetch_speed;
  for (uint32_t done = 0; done < width && can_dispatch(p) && program_runs(program);) {
    struct fetched from = p->fetched[p->fetch_ring.first];
    uint16_t flags = from.instruction->flags;
    if (flags & IS_TRAP && p->window.count) return;
    if (flags & IS_TRAP) trap(p);
    count_instruction(p, flags);
    program_step(program, from.pc, from.instruction);
    if (!program_has_code(program, from.pc)) program_fault(program, "no code stands there");
    p->all_instructions += !program->ended;
    bool redirected = redirect(p, &from);
    bool all_known = p->parameters.predictor == PREDICT_PERFECT;
    ring_drop_first(&p->fetch_ring);
    if (flags & IS_IDLE) continue;
    if (all_known) from.predicted = program->next;
    struct operation *o = flags & (IS_LOAD | IS_STORE) ? dispatch_access(p, &from) : dispatch_other(p, &from);
    o->prediction = from.prediction;
    done++;
    if (!redirected && !program->speculative && !program->halted && from.predicted != program->next) go_wrong(p, o);
  }
}

/* ---- fetch ---- */

/* Fetching goes on when the instruction has come; false: it is not there yet. A cache that code shares with data has a
 * hit in its own latency. */
static bool fetch_code(struct processor *p, uint64_t pc) {
  uint64_t latency = p->parameters.code1_latency, hit = p->of_code1 ? p->of_code1->latency : latency, pages;
  if (p->of_code1) latency = cache_access(p->of_code1, false, pc, p->cycle);
  if (p->of_code_pages) {
    pages = cache_access(p->of_code_pages, false, pc, p->cycle);
    if (pages > latency) latency = pages;
  }
  if (latency == hit) return true;
  p->fetch_delay += latency - 1;
  return false;
}

static void fetch(struct processor *p) {
  struct program *program = p->program;
  uint32_t width = p->parameters.decode_width * p->parameters.fetch_speed, branches = 0;
  for (uint32_t i = 0; i < width && p->fetch_ring.count < p->fetch_ring.size; i++) {
    uint64_t pc = p->fetch_pc, next = 0;
    const struct instruction *instruction = &program->front->idle;
    if (program_has_code(program, pc)) {
      if (!fetch_code(p, pc)) return;
      instruction = program_fetch(program, pc);
    }
    struct fetched *slot = &p->fetched[ring_add(&p->fetch_ring)];
    if (instruction->flags & IS_BRANCH && p->parameters.predictor != PREDICT_PERFECT)
      next = predictor_look(&p->predictor, pc, instruction, &slot->prediction);
    slot->pc = pc;
    slot->instruction = instruction;
    p->fetch_pc = slot->predicted = next ? next : pc + instruction->length;
    if (next && ++branches >= p->parameters.fetch_speed) return;
  }
}

/* ---- all ---- */

/* No program does that, but a processor that cannot work. */
static void stands_still(struct processor *p) {
  p->program->speculative = false;
  program_fault(p->program, "the processor stands still: no instruction was committed for %llu cycles",
                (unsigned long long)p->patience);
}

/* Where the program has halted, what is in the window comes to its end. */
static void cycle(struct processor *p) {
  commit(p);
  complete(p);
  queue_look(p);
  issue(p);
  dispatch(p);
  if (p->program->ended || *p->program->fault) return;
  if (p->fetch_delay)
    p->fetch_delay--;
  else if (!p->program->halted)
    fetch(p);
  ring_count(&p->fetch_ring);
  ring_count(&p->window);
  ring_count(&p->queue);
  p->cycle++;
  if (p->cycle - p->committed_at > p->patience) stands_still(p);
}

void processor_run(struct processor *p, uint64_t cycles) {
  const struct program *program = p->program;
  while (program_runs(program) ? p->cycle < cycles : program->halted && p->window.count && !*program->fault)
    cycle(p);
}

void processor_go_on(struct processor *p) {
  program_go_on(p->program);
  p->fetch_pc = p->program->pc;
  p->fetch_ring.count = 0;
  p->fetch_delay = 0;
  p->committed_at = p->cycle;
}

uint64_t processor_cycles(const struct processor *p) { return p->cycle; }
uint64_t processor_instructions(const struct processor *p) { return p->instructions; }

/* ---- what is behind caches ---- */

static uint64_t memory_latency(const struct processor *p, uint32_t bytes) {
  uint64_t parts = (bytes + p->parameters.memory_width - 1) / p->parameters.memory_width;
  return p->parameters.memory_latency[0] + p->parameters.memory_latency[1] * (parts - 1);
}

/* What is written is taken at once: there is no end of buffers. */
static uint64_t behind(struct processor *p, struct cache *second, const struct cache *from, bool write,
                       uint64_t address, uint64_t now) {
  uint64_t latency = second ? cache_access(second, write, address, now) : memory_latency(p, from->shape.block);
  return write ? 0 : latency;
}
static uint64_t behind_data1(void *user, struct cache *cache, bool write, uint64_t address, uint64_t now) {
  struct processor *p = user;
  return behind(p, p->of_data2, cache, write, address, now);
}
static uint64_t behind_code1(void *user, struct cache *cache, bool write, uint64_t address, uint64_t now) {
  struct processor *p = user;
  return behind(p, p->of_code2, cache, write, address, now);
}
static uint64_t behind_second(void *user, struct cache *cache, bool write, uint64_t address, uint64_t now) {
  return behind(user, NULL, cache, write, address, now);
}
static uint64_t behind_pages(void *user, struct cache *cache, bool write, uint64_t address, uint64_t now) {
  const struct processor *p = user;
  (void)cache, (void)write, (void)address, (void)now;
  return p->parameters.page_latency;
}

/* ---- making one ---- */

/* More than what all that can be under way takes one after another, and what is fetched behind it. */
static uint64_t patience_of(const struct processor *p) {
  const struct parameters *q = &p->parameters;
  const uint32_t *const latencies[] = {q->integer_latency,   q->multiply_latency,       q->divide_latency,
                                       q->float_latency,     q->float_multiply_latency, q->float_divide_latency,
                                       q->float_root_latency};
  const struct cache_shape *const shapes[] = {&q->data1, &q->data2, &q->code1, &q->code2};
  uint64_t each = q->mispredict_latency + 2 * (uint64_t)q->page_latency, operations = q->window + q->memory_window;
  for (size_t k = 0; k < sizeof latencies / sizeof *latencies; k++)
    each += latencies[k][0] + latencies[k][1];
  each += q->data1_latency + q->data2_latency + q->code1_latency + q->code2_latency;
  for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++)
    if (shapes[k]->which == CACHE_OWN) each += 4 * memory_latency(p, shapes[k]->block);
  return 1000000 + 4 * (operations + q->fetch_queue) * (each + memory_latency(p, 8));
}

static bool open_caches(struct processor *p) {
  const struct parameters *q = &p->parameters;
  struct {
    const struct cache_shape *shape;
    uint32_t latency;
    struct cache *cache, **used;
    cache_behind *behind;
  } rows[] = {
      {&q->data1, q->data1_latency, &p->data1, &p->of_data1, behind_data1},
      {&q->data2, q->data2_latency, &p->data2, &p->of_data2, behind_second},
      {&q->code1, q->code1_latency, &p->code1, &p->of_code1, behind_code1},
      {&q->code2, q->code2_latency, &p->code2, &p->of_code2, behind_second},
      {&q->code_pages, 1, &p->code_pages, &p->of_code_pages, behind_pages},
      {&q->data_pages, 1, &p->data_pages, &p->of_data_pages, behind_pages},
  };
  for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
    *rows[r].used = rows[r].shape->which == CACHE_IS_DATA1   ? p->of_data1
                    : rows[r].shape->which == CACHE_IS_DATA2 ? p->of_data2
                    : rows[r].shape->which == CACHE_NONE     ? NULL
                                                             : rows[r].cache;
    if (*rows[r].used == rows[r].cache && !cache_open(rows[r].cache, rows[r].shape, rows[r].latency, rows[r].behind, p))
      return false;
  }
  return true;
}

static bool open_units(struct processor *p) {
  const struct parameters *q = &p->parameters;
  const uint32_t counts[GROUPS] = {[GROUP_INTEGER] = q->integer_units,
                                   [GROUP_MULTIPLY] = q->multiply_units,
                                   [GROUP_MEMORY] = q->ports,
                                   [GROUP_FLOAT] = q->float_units,
                                   [GROUP_FLOAT_MULTIPLY] = q->float_multiply_units};
  const struct {
    uint32_t group;
    const uint32_t *latency;
  } rows[UNIT_CLASSES] = {[UNIT_INTEGER] = {GROUP_INTEGER, q->integer_latency},
                          [UNIT_MULTIPLY] = {GROUP_MULTIPLY, q->multiply_latency},
                          [UNIT_DIVIDE] = {GROUP_MULTIPLY, q->divide_latency},
                          [UNIT_FLOAT_ADD] = {GROUP_FLOAT, q->float_latency},
                          [UNIT_FLOAT_MULTIPLY] = {GROUP_FLOAT_MULTIPLY, q->float_multiply_latency},
                          [UNIT_FLOAT_DIVIDE] = {GROUP_FLOAT_MULTIPLY, q->float_divide_latency},
                          [UNIT_FLOAT_ROOT] = {GROUP_FLOAT_MULTIPLY, q->float_root_latency}};
  for (int c = 0; c < UNIT_CLASSES; c++)
    if (rows[c].latency) p->latencies[c] = (struct latency){rows[c].group, rows[c].latency[0], rows[c].latency[1]};
  p->latencies[UNIT_MEMORY] = (struct latency){GROUP_MEMORY, 1, 1};
  for (int g = 0; g < GROUPS; g++) {
    p->units[g].count = counts[g];
    p->units[g].free_at = calloc(counts[g], sizeof *p->units[g].free_at);
    if (!p->units[g].free_at) return false;
  }
  return true;
}

static bool open_window(struct processor *p) {
  uint32_t operations = p->parameters.window + p->parameters.memory_window, nodes = 2 * operations;
  p->fetch_ring.size = p->parameters.fetch_queue;
  p->window.size = p->parameters.window;
  p->queue.size = p->parameters.memory_window;
  p->fetched = calloc(p->fetch_ring.size, sizeof *p->fetched);
  p->operations = calloc(operations, sizeof *p->operations);
  p->ready = calloc(nodes, sizeof *p->ready);
  for (uint32_t n = 0; p->ready && n < nodes; n++)
    p->ready[n].next = n + 1 < nodes ? n + 1 : NONE;
  p->ready_first = NONE;
  memset(p->newest, 0xff, sizeof p->newest);
  memset(p->newest_wrong, 0xff, sizeof p->newest_wrong);
  memset(p->wheel, 0xff, sizeof p->wheel);
  return p->fetched && p->operations && p->ready;
}

struct processor *processor_open(const struct parameters *parameters, struct program *program) {
  struct processor *p = calloc(1, sizeof *p);
  if (!p) return NULL;
  p->parameters = *parameters;
  p->program = program;
  p->fetch_pc = program->pc;
  p->patience = patience_of(p);
  if (open_window(p) && open_units(p) && open_caches(p) &&
      predictor_open(&p->predictor, parameters, program->front->granule))
    return p;
  processor_close(p);
  return NULL;
}

void processor_close(struct processor *p) {
  struct cache *caches[] = {&p->data1, &p->data2, &p->code1, &p->code2, &p->code_pages, &p->data_pages};
  for (size_t c = 0; c < sizeof caches / sizeof *caches; c++)
    cache_close(caches[c]);
  predictor_close(&p->predictor);
  for (int g = 0; g < GROUPS; g++)
    free(p->units[g].free_at);
  free(p->fetched);
  free(p->operations);
  free(p->ready);
  free(p);
}
