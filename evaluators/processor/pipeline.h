/* The state of a processor, which pipeline.c moves on by cycles and figures.c reads. */
#ifndef PSL_PROCESSOR_PIPELINE_H
#define PSL_PROCESSOR_PIPELINE_H
#include "evaluators/processor/cache.h"
#include "evaluators/processor/predictor.h"
#include "evaluators/processor/processor.h"

enum { NONE = UINT32_MAX, WHEEL = 1024 /* lists of events, by cycle */ };

struct fetched {
  uint64_t pc, predicted;
  const struct instruction *instruction;
  struct prediction prediction;
};

/* An operation in the window or in the queue of loads and stores. A load or store is one in both: its address is found
 * in the window, and it goes to memory in the queue. What an operation waits for is a list of its producer: a node is
 * an operation's number times 4, plus which of its inputs; an output is its number times 2, plus which of the two. */
struct operation {
  const struct instruction *instruction;
  uint64_t number; /* by age, over the whole run; 0: none stands here */
  uint64_t pc, next, predicted, address, begun;
  uint64_t when; /* it completes */
  uint32_t event_next, event_before;
  uint32_t producers[3]; /* outputs that its inputs wait for; NONE: the input is there */
  uint32_t node_next[3];
  uint32_t consumers[2]; /* first nodes */
  uint8_t writes[2];
  uint8_t waiting; /* inputs that are not there */
  uint8_t unit;
  bool in_queue;           /* of loads and stores; else in the window */
  bool finds_address;      /* of what stands in the queue beside it */
  bool load, store, first; /* first: it is issued before those that have waited longer */
  bool queued, issued, completed, recovers;
  struct prediction prediction;
};

struct ready { /* an operation that can be issued, in their list */
  uint64_t number;
  uint32_t operation, next;
};

struct ring { /* of the window, the queue, what is fetched */
  uint32_t first, count, size;
  uint64_t sum, full; /* of counts, of cycles with no place left */
};

struct units { /* of one kind */
  uint32_t count;
  uint64_t *free_at; /* the cycle in which each can begin another operation */
};
struct latency {
  uint32_t group, result, next;
};

enum { GROUP_INTEGER, GROUP_MULTIPLY, GROUP_MEMORY, GROUP_FLOAT, GROUP_FLOAT_MULTIPLY, GROUPS };

struct processor {
  struct parameters parameters;
  struct program *program;
  uint64_t cycle;

  struct cache data1, data2, code1, code2, code_pages, data_pages;
  struct cache *of_code1, *of_code2, *of_data1, *of_data2, *of_code_pages, *of_data_pages; /* NULL: none */
  struct predictor predictor;
  struct units units[GROUPS];
  struct latency latencies[UNIT_CLASSES];

  uint64_t fetch_pc, fetch_delay, recover_pc;
  uint64_t committed_at, patience; /* the cycle of the last one that was; cycles until it stands still */
  struct fetched *fetched;
  struct ring fetch_ring, window, queue;
  struct operation *operations;                        /* the window's, then the queue's */
  uint32_t newest[REGISTERS], newest_wrong[REGISTERS]; /* outputs that are under way; of the wrong path */
  uint64_t numbers;
  uint64_t last_number; /* the operation that came last, for issue in order */
  uint32_t last_operation;
  struct ready *ready;
  uint32_t ready_first, ready_free;
  uint32_t wheel[WHEEL];
  bool queue_changed; /* a load or store has another input */

  uint64_t instructions, loads, stores, branches;                 /* committed, or sure to be */
  uint64_t all_instructions, all_loads, all_stores, all_branches; /* wrong paths, too */
  uint64_t slip, invalid_addresses;
};
#endif
