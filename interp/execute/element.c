/* Elements that processes have executed, by the evaluator `program-elements`: counted by instance, kind and name. */
#include "interp/execute/partitions.h"
#include "interp/execute/steps.h"

#include <string.h>

static uint64_t mix(uint64_t hash, const char *text) {
  for (; *text; text++)
    hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
  return (hash ^ 0xff) * 0x100000001b3u;
}

static bool is_of(const struct run_element *element, uint32_t instance, const char *kind, const char *name) {
  return element->instance == instance && !strcmp(element->name, name) && !strcmp(element->kind, kind);
}

/* Its place in the table, or the free one for it. */
static uint32_t *slot_of(const struct elements *table, uint32_t instance, const char *kind, const char *name) {
  uint64_t hash = mix(mix(0xcbf29ce484222325u ^ instance, kind), name);
  for (uint32_t at = (uint32_t)(hash >> 32) & (table->slots - 1);; at = (at + 1) & (table->slots - 1)) {
    uint32_t *slot = &table->table[at];
    if (!*slot || is_of(&table->items[*slot - 1], instance, kind, name)) return slot;
  }
}

static void grow(struct arena *arena, struct elements *table) {
  table->slots = table->slots ? 2 * table->slots : 256;
  table->table = ARENA_ARRAY(arena, uint32_t, table->slots);
  for (uint32_t i = 0; i < table->count; i++)
    *slot_of(table, table->items[i].instance, table->items[i].kind, table->items[i].name) = i + 1;
}

/* One text for each different one, so that there are few. They live as long as the trace, if there is one. */
static const char *text_of(struct executor *executor, const char *text) {
  struct elements *table = &executor->elements;
  struct arena *arena = executor->options->trace ? executor->options->trace->arena : executor->results;
  for (uint32_t i = 0; i < table->text_count; i++)
    if (!strcmp(table->texts[i], text)) return table->texts[i];
  const char *copy = arena_copy(arena, text, strlen(text));
  ARENA_PUSH(executor->results, table->texts, table->text_count, table->text_capacity, copy);
  return copy;
}

void element_end(struct executor *executor, uint32_t process, const char *kind, const char *name, double begin,
                 double end, double own) {
  struct elements *table = &executor->elements;
  uint32_t instance = process_at(executor, process)->instance;
  double whole = end - begin;
  if (executor->partition) partition_give_up(executor, executor_span(executor), "elements of programs end in order");
  if (executor->environment.range_end != RANGE_MIDDLE) return;
  if (executor->options->trace)
    trace_element(executor->options->trace, instance, text_of(executor, kind), text_of(executor, name), begin, end);
  if (!counts(executor, end)) return;
  if (2 * (table->count + 1) > table->slots) grow(executor->results, table);
  uint32_t *slot = slot_of(table, instance, kind, name);
  if (!*slot) {
    struct run_element element = {instance, text_of(executor, kind), text_of(executor, name), 0, 0, 0, whole, whole};
    ARENA_PUSH(executor->results, table->items, table->count, table->capacity, element);
    *slot = table->count;
  }
  struct run_element *element = &table->items[*slot - 1];
  element->count++;
  element->time += whole;
  element->own += own;
  if (whole < element->minimum) element->minimum = whole;
  if (whole > element->maximum) element->maximum = whole;
}
