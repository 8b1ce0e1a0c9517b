/* What the parts of Dimemas' model share: dimemas.c has the tasks' calls and the run of events, messages.c
 * processors, links, buses and messages, collectives.c the operations of all members of a communicator, leftovers.c
 * what is left when the run has ended. */
#ifndef PSL_DIMEMAS_STATE_H
#define PSL_DIMEMAS_STATE_H
#include "evaluators/dimemas/machine.h"
#include "evaluators/leftovers/leftovers.h"
#include "interp/include/evaluator.h"

enum { NONE = UINT32_MAX, CHUNK = 1 << 10, ANY = -1 };

enum operation_kind {
  OPERATION_NONE,
  OPERATION_COMPUTE,
  OPERATION_SEND,
  OPERATION_RECEIVE,
  OPERATION_START_RECEIVE,
  OPERATION_WAIT,
  OPERATION_COLLECTIVE,
  OPERATION_WAIT_COLLECTIVE,
};
enum collective_mode { COLLECTIVE_STARTED, COLLECTIVE_BLOCKING, COLLECTIVE_ROOT };

struct operation {
  enum operation_kind kind;
  int32_t partner, tag;
  uint32_t communicator; /* its place among them */
  double size;           /* bytes; of a computation: ns */
  double begun;          /* s: when its task came to it */
  double room;           /* bytes, of a receive; 0: nobody says */
  uint32_t serial;       /* of a send: among those of its task */
  bool given_up;         /* a receive that its task will not wait for */
  bool rendezvous, immediate;
  int32_t number; /* of a collective operation: which, */
  enum collective_mode mode;
  bool leads; /* the task is its root, */
  double received;
};

struct queue { /* of items, or of tasks */
  uint32_t first, last;
};

struct item {                 /* a message, or a note that a send or a receive was reached */
  uint32_t next, previous;    /* in the queue that it stands in */
  uint32_t after, before;     /* among messages that hold an output link of their node */
  struct operation operation; /* the send, or the receive */
  uint32_t from, to;
  bool has_out, has_in; /* links */
  bool waits_in;        /* in the line for an input link */
  bool blocks;          /* its sender waits until it is on its way */
  uint32_t collective;  /* it is a part of a reduction, for which its sender waits; NONE */
};

struct collective {
  uint32_t next, previous; /* among those of the communicator that are not over; in the line for buses */
  uint32_t communicator, place;
  uint32_t arrived, root; /* root NONE: nobody has said that it is one */
  bool root_waits;
  enum collective_mode mode;
  int32_t number;
  double sent, received; /* by the root */
  uint32_t buses;        /* that are reserved */
  uint32_t *tasks;       /* in the order of coming */
  bool used;
};

struct node {
  double figures[NODE_FIGURES];   /* latencies in ns */
  uint32_t idle;                  /* processors */
  bool half_duplex, unlimited;    /* links to other nodes; half: each is for one of both directions */
  bool inside_half, inside_free;  /* those of its tasks among them */
  uint32_t free_in, free_out;     /* half: free_in has both */
  struct queue wait_in, wait_out; /* messages */
  struct queue holding;           /* messages that go out, and have a link */
  uint32_t inside_used;           /* buses */
  struct queue inside_wait;
  struct queue ready; /* tasks */
  bool touched;       /* by the event in hand: a task may start */
};

enum stage { STAGE_BEGIN, STAGE_STARTUP, STAGE_STARTED };

struct task {
  uint32_t node;
  struct operation asked, now; /* what it has asked for, and what is under way */
  enum stage stage;
  bool passed_event; /* since its last operation: the next one begins in an event of its own */
  bool called, ended;
  bool waits;              /* for a message */
  uint32_t process, owner; /* the instance */
  double clock;            /* s, of its call */
  double burst;            /* ns: for how long it takes the processor next */
  double busy_first;       /* ns: so long it was on the processor at the beginning of the call, */
  double busy_since;       /* and from then on */
  uint32_t next, previous; /* among those that are ready */
  uint32_t free_in, free_out;
  struct queue wait_in, wait_out;
  struct queue arrived, sending;            /* messages; sending: whose receivers are not there */
  struct queue sends_alone, receives_alone; /* notes */
  uint32_t sent;                            /* messages */
  uint32_t done, waiting;                   /* collective operations that were started: over; that it waits for */
  struct operation *started; /* by the number of a request, less one; what was waited for is of no kind */
  uint32_t started_count, started_capacity;
  int64_t result; /* of the call in hand */
  const struct dimemas_module **modules;
  uint32_t module_count, module_capacity;
};

struct used_node {
  uint32_t node;
  uint32_t present; /* tasks that have come to an operation since the last one was over: as there, those that have come
                     * to a reduction at its root count for the operation behind it, too */
};

struct communicator {
  int64_t name;
  uint32_t size;
  struct used_node *nodes; /* by number */
  uint32_t node_count;
  struct queue pending; /* operations */
  uint32_t root;        /* the last one that has come as such since an operation was over; NONE */
  uint32_t *members;    /* tasks; NULL: all */
  uint32_t *places;     /* by task: how many it has come to; NULL: none */
};

enum event_kind { EVENT_TASK, EVENT_RESOURCES, EVENT_ARRIVAL, EVENT_COLLECTIVE_RESOURCES, EVENT_COLLECTIVE };

struct event {
  double time;
  uint64_t order;
  enum event_kind kind;
  uint32_t object; /* a task, a message, a collective operation */
};

struct waiting { /* for buses */
  bool collective;
  uint32_t object;
};

struct state {
  struct psl_host *host;
  struct dimemas_machine *machine;
  struct node *nodes;
  uint32_t node_count;
  double bandwidth; /* MiB/s */
  uint32_t buses, used_buses;
  struct waiting *line; /* for buses: a ring */
  uint32_t line_first, line_count, line_capacity;
  struct task *tasks;
  uint32_t task_count, awaited; /* awaited: tasks that have not asked for their next operation */
  double eager;                 /* bytes; negative: as the trace says */
  struct communicator *communicators;
  uint32_t communicator_count, communicator_capacity;
  struct item **items;
  uint32_t item_count, item_chunks, free_item;
  struct collective *collectives;
  uint32_t collective_count, collective_capacity;
  struct event *events; /* a heap */
  uint32_t event_count, event_capacity;
  uint64_t orders;
  double now; /* ns */
  bool begun;
  bool handled;        /* an event was: tasks that are ready are to be started */
  uint32_t in_turn;    /* the task whose next operation belongs to the event in hand; NONE */
  uint32_t first_node; /* where one is started before the others; NONE */
  uint32_t *touched, touched_count;
  uint32_t caller; /* the task whose call is in hand; NONE */
  bool caller_goes_on;
  uint64_t messages;
  double bytes;
  struct leftovers left; /* messages that are longer than their receives */
};

static inline struct item *item_at(const struct state *s, uint32_t i) { return &s->items[i / CHUNK][i % CHUNK]; }
static inline struct node *node_of(const struct state *s, uint32_t task) { return &s->nodes[s->tasks[task].node]; }
static inline double seconds(double time) { return time * 1e-9; }

/* Room for one more; what is there stays. */
void *dimemas_grown(struct state *s, const void *old, uint32_t count, uint32_t *capacity, size_t size);
uint32_t dimemas_note_new(struct state *s, uint32_t from, uint32_t to, const struct operation *operation);
/* The message takes what it needs, link by link, or stands in line for it; with all it is on its way. */
void dimemas_message_go(struct state *s, uint32_t i);
void dimemas_item_free(struct state *s, uint32_t i);
/* Its operation is over: it goes on when it has a processor. */
void dimemas_task_goes_on(struct state *s, uint32_t number, bool behind);
/* The call of the task is over: it is to say what it does next. */
void dimemas_task_answer(struct state *s, uint32_t number);
void dimemas_event_put(struct state *s, double time, enum event_kind kind, uint32_t object);
/* The task takes the processor for the latency first; true: it has had that. */
bool dimemas_started(struct state *s, uint32_t number, double latency);
void dimemas_line_serve(struct state *s);
void dimemas_line_put(struct state *s, bool collective, uint32_t object);
double dimemas_byte_time(double bandwidth);
int64_t dimemas_request_new(struct state *s, struct task *task, const struct operation *operation);
/* All members are there: it reserves all buses, then it takes its time. */
void dimemas_collective_buses(struct state *s, uint32_t c);
void dimemas_reduction_part(struct state *s, uint32_t i);
/* The task is to have a processor of its node, behind the others or before them. */
void dimemas_task_ready(struct state *s, uint32_t number, bool behind);
void dimemas_tasks_start(struct state *s);
void dimemas_node_touch(struct state *s, uint32_t node);
struct event dimemas_event_take(struct state *s);
void dimemas_send(struct state *s, uint32_t number);
void dimemas_receive(struct state *s, uint32_t number);
void dimemas_start_receive(struct state *s, uint32_t number);
void dimemas_collective_begin(struct state *s, uint32_t number);
void dimemas_collective_wait(struct state *s, uint32_t number);
void dimemas_resources_free(struct state *s, uint32_t i);
void dimemas_message_arrive(struct state *s, uint32_t i);
void dimemas_collective_resources(struct state *s, uint32_t c);
void dimemas_collective_over(struct state *s, uint32_t c);
/* A message has met its receive: has that room for it? */
void dimemas_room_check(struct state *s, uint32_t from, uint32_t to, const struct operation *message,
                        const struct operation *receive);
void dimemas_leftovers_warn(struct state *s);
int dimemas_by_node(const void *a, const void *b);
#endif
