/* A predictor of the kind that processors have had since 2006: TAGE (A. Seznec, P. Michaud: A case for (partially)
 * tagged geometric history length branch predictors, Journal of Instruction-Level Parallelism 8, 2006). Counters by the
 * branch's address, and tables by that and by what the last 4, 8, ... 64 branches did, whose entries know by a tag
 * whose they are. The longest history that has one for the branch predicts. */
#include "evaluators/programs/qemu/branches.h"

#include <stdlib.h>

enum { TABLES = 5, ENTRIES = 1 << 12, COUNTERS = 1 << 14, COUNTER_LEAST = -4, COUNTER_MOST = 3, USEFUL_MOST = 3 };

struct entry {
  uint16_t tag;
  int8_t counter; /* taken from 0 on */
  uint8_t useful; /* it was right where the shorter history was not */
};

struct branches {
  uint64_t history;
  int8_t counters[COUNTERS];
  struct entry tables[TABLES][ENTRIES];
};

struct branches *branches_open(void) {
  return calloc(1, sizeof(struct branches));
}

static uint64_t mixed(uint64_t address, uint64_t history, unsigned table) {
  uint64_t hash = (address + table) * 0x9e3779b97f4a7c15u ^ history * 0xc2b2ae3d27d4eb4fu;
  return hash ^ hash >> 29;
}

static uint64_t history_of(const struct branches *b, unsigned table) {
  unsigned length = 4u << table;
  return length < 64 ? b->history & ((UINT64_C(1) << length) - 1) : b->history;
}

static void learn(int8_t *counter, bool taken) {
  if (taken && *counter < COUNTER_MOST) ++*counter;
  if (!taken && *counter > COUNTER_LEAST) --*counter;
}

/* After a misprediction a longer history gets an entry, in the place of one that is of no use; if there is none, those
 * there are lose some of theirs. */
static void enter(struct entry *const entries[TABLES], const uint16_t tags[TABLES], int provider, bool taken) {
  for (int k = provider + 1; k < TABLES; k++)
    if (!entries[k]->useful) {
      *entries[k] = (struct entry){tags[k], taken ? 0 : -1, 0};
      return;
    }
  for (int k = provider + 1; k < TABLES; k++)
    entries[k]->useful--;
}

bool branches_mispredicted(struct branches *b, uint64_t address, bool taken) {
  struct entry *entries[TABLES];
  uint16_t tags[TABLES];
  int8_t *counter = &b->counters[(address ^ address >> 14) % COUNTERS];
  bool predicted = *counter >= 0, shorter = predicted;
  int provider = -1;
  for (int k = 0; k < TABLES; k++) {
    uint64_t hash = mixed(address, history_of(b, (unsigned)k), (unsigned)k);
    entries[k] = &b->tables[k][hash % ENTRIES];
    tags[k] = (uint16_t)(hash >> 40 | 1); /* never 0, which is nobody's */
    if (entries[k]->tag != tags[k]) continue;
    provider = k, shorter = predicted, predicted = entries[k]->counter >= 0;
  }
  learn(provider < 0 ? counter : &entries[provider]->counter, taken);
  if (provider >= 0 && predicted != shorter) {
    uint8_t *useful = &entries[provider]->useful;
    *useful = (uint8_t)(predicted == taken ? *useful < USEFUL_MOST ? *useful + 1 : *useful : *useful ? *useful - 1 : 0);
  }
  if (predicted != taken) enter(entries, tags, provider, taken);
  b->history = b->history << 1 | taken;
  return predicted != taken;
}
