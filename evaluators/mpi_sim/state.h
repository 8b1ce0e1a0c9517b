/* What MPI-Sim knows in a run: messages, receives, and the ranks and channels that they stand in. Its files share this;
 * mpi_sim.c says how it all works together. */
#ifndef PSL_MPI_STATE_H
#define PSL_MPI_STATE_H
#include "evaluators/mpi_sim/communicators.h"
#include <math.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define ANY (-1)
#define NOBODY (-2)            /* as a partner; and -2 - rank is the request of that rank for a message from nobody */
#define NOWHERE UINT32_MAX     /* no rank: source of an empty place */
enum { NEAR_RANKS = 1 << 17 }; /* so many are found without a table at most */
/* Channels of a rank that stand in its own record, those that are looked at one after another, and those that are found
 * by marks; more are hashed. */
enum { OWN = 2, FIRST_DOUBLINGS = 2, MARKED_DOUBLINGS = 4 };
enum { FIRST = 1 << FIRST_DOUBLINGS, MARKED = 1 << MARKED_DOUBLINGS };

/* The stages of a message that somebody may wait for. */
enum stage { STAGE_MESSAGE, STAGE_ACKNOWLEDGEMENT, STAGE_DATA, STAGE_SENT };

/* On what a message depends, or a receive: when its sender, or receiver, came to it; in a collective operation when the
 * last rank did on whom it depends, and by how much it was late for what had queued in that operation before. */
struct depends {
  double came, late; /* s */
};

struct receive;
struct handshake;
struct envelope {
  struct item item;
  /* what its receiver looks at */
  double size;                 /* bytes */
  double arrival;              /* s; negative: not yet. With the handshake: of the request */
  struct handshake *handshake; /* NULL: sent at once */
  uint32_t source;
  uint32_t number;    /* among those that its rank has sent, but for collective operations; from 1 */
  uint8_t references; /* until this many have finished with it */
  bool matched, answered;
  bool beside : 1;   /* with a handshake: its sender goes on meanwhile */
  bool away : 1;     /* its receiver is in another partition; or */
  bool mirrors : 1;  /* its sender is: see partitions.c */
  bool buffered : 1; /* takes room at its receiver, which is bounded, until it has come and has its receive */
  int32_t tag;
  uint32_t destination;
  uint32_t context;        /* see context_of */
  struct receive *receive; /* that it was matched with, while that lives */
  struct depends on;
  double queued;     /* s: until it has come psl_call.queued of when it was sent, then what it has queued */
  uint64_t sequence; /* number among all messages of the run, or of a partition of it: orders those of one source */
};

struct handshake { /* what messages sent with one have beyond the envelope; by stage - 1 */
  struct item item;
  uint32_t waiter[3];
  struct envelope *envelope;
  double reached[3], waiting_since[3];
  double queued[3];  /* by how much what has queued was late for the stage, s */
  double posted;     /* when the receive was */
  struct depends on; /* of the receive */
  double answering;  /* psl_call.queued when the acknowledgement was sent, */
  double sending;    /* and the data */
  double taken;      /* for how long its data take interfaces that the network leaves out, s; 0: it leaves none out */
  uint32_t from, to; /* whose these are */
  int64_t peer;      /* of a message from another partition: the handle of its envelope there */
  enum { REPLY_UNKNOWN, REPLY_NONE, REPLY_ANSWER } reply; /* of one to another: is its request to be answered here? */
  uint32_t helper;                                        /* waits to know that; NONE: nobody */
  bool own; /* the rank's own process sends them, by an interface that no other rank has */
};

enum receive_kind { RECEIVE_BLOCKING, RECEIVE_POSTED, RECEIVE_PROBE };
struct receive {
  /* what a message looks at that comes: a cache line */
  struct item item;
  uint32_t rank;
  int32_t source, tag; /* or ANY */
  uint32_t process;    /* waits in it; NONE: nobody */
  double clock;        /* of that, when it began to */
  double posted;       /* clock at which it was made */
  double room;         /* for its message, byte; 0: enough */
  uint8_t kind;        /* enum receive_kind */
  bool paired;         /* a blocking one that finishes with its message where that has come: host->resume_pair */
  bool queued;         /* stands in its rank's queue */
  bool asked;          /* somebody has looked whether it is done, or given it up: nobody has to wait for it */
  bool agent_due;      /* one will ask for it: it may be matched, and waited for, before the host comes to that */
  bool over;           /* nobody but that agent asks for it any more */
  /* and the others: another */
  uint32_t context;
  uint32_t agent; /* waits beside the program for it to be matched; NONE: nobody */
  int64_t claim;  /* the request that the agent then acknowledges, from `matched` on; 0: none */
  union {
    double matched;
    double queued_agent; /* psl_call.queued of the agent that waits */
  };
  struct envelope *envelope; /* matched with; NULL: none yet */
  struct depends on;
  double due;      /* retry asked for; negative: none */
  uint32_t moment; /* host->moment of the call that has made it */
} __attribute__((aligned(CACHE_LINE)));

struct channel {
  uint32_t source; /* NOWHERE: an empty place */
  int32_t tag;
  uint32_t holds; /* 0: nothing; else one of these: */
};
/* 1 + the number of the last one of a circular list of envelopes; the same of receives; no receive, but the rank's own
 * process waits for the next message (rank.since), and so it does as of a receive. */
#define HOLDS_RECEIVES ITEMS_MOST
#define HOLDS_WAITING (2 * ITEMS_MOST)
#define HOLDS_PAIRED (HOLDS_WAITING + 1)
_Static_assert(sizeof(struct channel) == 12, "ranks have few channels in their record");
struct place { /* of a table; a rank's own channels are of the program's messages in the world */
  struct channel channel;
  uint32_t context;
};

struct arrival {
  double time;
  struct envelope *envelope;
  uint64_t sequence;
  uint32_t source;
};
struct arrivals { /* heap by (time, source, sequence), in which each has four below it */
  uint32_t count, capacity;
  uint64_t *times;       /* the bits of these, which are in their order: those of four in a line of the cache */
  uint32_t *places;      /* where the arrival itself is; behind `count` those that are free */
  struct arrival *items; /* by place */
};

/* Messages that come to half an interface in a stretch of time: when the first does, when the last one would have left
 * if each were alone, and for how long it takes all of them, s. */
struct times {
  float first, last; /* from the end of the warm-up on, as left_out_time has it */
};
struct bucket {
  struct times times;
  double busy;
};
/* The same where each takes the interface equally long: so many do. Mostly all that come to a node do. */
struct counted {
  struct times times;
  uint32_t many; /* how many, above the last GROUP_BITS; these: the number of the next one in its list */
};

/* The times for which there are buckets, each a power of two long, which begin at multiples of that. Where more time
 * goes by they get longer: messages may come in any order, on which what is known of them does not depend. */
struct span {
  double begin, end, per; /* s, s, 1/s */
  uint32_t doublings;     /* of their length; 0: nothing has come */
};

/* Half of a node's network interface, where the network leaves that out: what comes to it, by time. Nodes of low
 * numbers have many buckets: where a few have more to do than others, as a master or the root of collective operations,
 * they are among these, and where all do the same so are they. Others have a few, for as much time as many each, and
 * of these first only the ones that something comes in, which count what comes while all of that takes equally long. */
struct half {
  /* Number of a piece, from 1: of their list, which begins with the one that was used last; where they count, its group
   * stands above GROUP_BITS. Where it has each: its place among state.spread. */
  uint32_t first;
  struct used {
    uint16_t place;    /* of the bucket that was used last; EACH, EACH_FEW: it has each of many, or of a few, where the
                        * last bits of its number say */
    uint8_t unit;      /* number of the time that all take, from 1; 0: they do not count */
    uint8_t doublings; /* of the span, which they are as long as; 0: nothing has come */
  } used;
};
enum { MANY_NODES = 16, MANY = 10, FEW = 4 };  /* 2^10, 2^4 buckets */
enum { SOME = 8, EACH = 1 << MANY, EACH_FEW }; /* so many, then all of a few */
enum { PIECES_BITS = 12, PIECES = 1 << PIECES_BITS };
enum { UNITS = 15, NO_UNIT }; /* so many times that messages take are told apart by numbers */
struct pieces {               /* buckets that are had singly: PIECES of them each, */
  struct bucket **items;
  uint32_t **next;                 /* and of each the number of the next one in its list */
  uint32_t capacity, count, spare; /* spare: the first of those that nobody has */
};
/* The same of buckets that count, by groups, so that their numbers are short: of so many halves that there are enough
 * in one. */
enum { GROUP_BITS = 14, GROUP_MASK = (1 << GROUP_BITS) - 1, GROUP_HALVES = GROUP_MASK / SOME, GROUP_PIECES = 1 << 8 };
union spread {            /* each bucket of a half: */
  struct bucket *all;     /* as they are, or */
  struct counted *counts; /* as they count */
};
struct group {
  struct counted *items[(1 << GROUP_BITS) / GROUP_PIECES];
  uint32_t count, spare;
};
struct groups {
  struct group **items; /* from 1 */
  uint32_t count, capacity;
  uint32_t halves; /* of the last one */
};

/* The same half, where one rank alone has it and sends by its own process: one message after another, in order, s. */
struct sender {
  double free; /* from then on */
  double wait; /* the longest of a message since it was free */
  double late; /* the sum of these */
};
/* For how long messages have taken it in all: most ranks send messages that are alike, which are counted below the
 * number of their length; of others that number is 0, and there is the number of their sum. */
enum { ALIKE_BITS = 28, ALIKE_MOST = (1 << ALIKE_BITS) - 1, LENGTHS = 14, NO_LENGTH };

struct release { /* a message takes no room any more */
  double clock, size;
};
struct buffers { /* of a rank, for messages without a handshake */
  double taken;  /* byte */
  uint32_t begin, end, capacity;
  struct release *releases; /* to come, by their clocks */
};

enum { RARE_BITS = 48 }; /* of an address: Linux hands out longer ones only to who asks for them */
struct rank {
  /* what a message finds that comes, and who receives it */
  union {
    struct channel own[OWN]; /* an empty one is used for another source or tag; where more hold something: */
    struct {
      union {
        uint8_t marks[MARKED]; /* of channels, up to so many: a byte of the hash of each, which tells most apart */
        uint32_t hashed;       /* so many are there of more */
      };
      struct place *places; /* of those in the order of their making; more as a hash table with open addressing */
    };
  };
  uint64_t channel_doublings : 6; /* there is room for 2^channel_doublings; 0: they are its own */
  uint64_t channel_count : 5;     /* of those that are not hashed */
  uint64_t helped : 1;            /* processes that its own has started act as the rank, too */
  uint64_t awaits : 1;            /* its own, alone, waits in a channel, without a receive: most of many ranks do, */
  uint64_t : 3;
  uint64_t rare : RARE_BITS; /* see rare_of; 0 until it needs that */
  struct half receives;      /* of the node of that number */
  /* what its own sends need */
  uint32_t sent;        /* messages, but for collective operations */
  uint32_t alike;       /* those that have taken its sender; 0: none has */
  struct psl_stay stay; /* of who acts as this rank */
  struct sender sender;
  double posted; /* clock of its last message, s */
};
_Static_assert(sizeof(struct rank) == 96, "there may be very many");

/* What it has received or seen last: by number, too, where a model asks for that. */
struct status {
  double size;         /* byte */
  uint32_t number;     /* among those that its rank has sent, from 1 */
  int32_t source, tag; /* or ANY, NOBODY */
};

struct rare { /* what few ranks need besides */
  /* what each message of a collective operation looks at */
  struct receive *queue;     /* that look for messages of more than a channel, in order; NULL: none */
  struct arrivals *arrivals; /* NULL until a receive from any source */
  struct depends on;         /* what it does in the collective operation that it is in, as far as it knows */
  uint32_t collectives;      /* so many operations of the world has it come to */
  /* and the others */
  double late; /* by how much it is for what had queued, in the call of the program in which it waits, s */
  struct receive *queue_last;
  struct some *some;       /* NULL until it waits for some of several requests */
  struct buffers *buffers; /* NULL: none are bounded */
  struct beside *beside;   /* its collective operations beside the program */
  struct half sends;       /* of the node of that number, where others than its rank's own process send by it */
};

struct beside { /* a collective operation, or something else, that goes on beside its rank's program */
  struct item item;
  uint32_t rank, context; /* 0: without messages that are received */
  uint32_t waiter;        /* NONE: nobody */
  bool by_rank;           /* who is the rank's own process */
  uint32_t parts;         /* so many have not ended */
  double since;           /* from when on that waits */
  struct depends on;      /* what it does there, as far as it knows */
  double reached;         /* its end; negative: not yet */
  double last, alone;     /* the last end of a part, and that where nothing had queued for any */
  int64_t whole;          /* whose part it is, which crosses the network; 0: nobody's */
  double queued;          /* psl_call.queued of when it began to cross, */
  double late;            /* and what it has queued on its crossings so far, s */
  uint32_t moment;        /* host->moment of `reached` */
};

enum { INACTIVE = -1, STANDARD = 0, READY = 3, RECEIVES = -1 };
struct persistent { /* a request that can be started again and again */
  struct item item;
  uint32_t rank;
  int64_t partner, tag, communicator;
  int64_t mode; /* 0 to 3: standard, synchronous, buffered, ready; RECEIVES */
  double size;
  int64_t active; /* the request that it stands for; INACTIVE: none */
};

struct kept { /* a request, of those that a process has put together */
  struct item item;
  int64_t request;
};
struct keeping { /* by process: a circular list */
  struct kept *tail;
  uint32_t count;
};

struct some {       /* a process waits until one of its requests is done */
  uint32_t process; /* NONE: nobody */
  double since;
  double due; /* it looks again then; negative: when something happens */
};

struct due { /* a request that has come, whose receive it has: a helper has to acknowledge it */
  uint32_t rank;
  int64_t handle;
};

struct posted {                     /* for traces */
  double sent, received;            /* s: when its send, and its receive, began */
  uint32_t owner;                   /* of its sender */
  uint32_t moments[STAGE_SENT + 1]; /* host->moment of each stage that it has reached, where the host has it, */
  uint32_t receiving;               /* and of its receive */
};

struct burden { /* what half an interface had to do, s */
  double busy;
  double late; /* by how much the last messages of its bursts would go later in all, at least */
};
struct interfaces {   /* s */
  double busiest;     /* for how long half an interface has to be busy at least */
  double least;       /* for how long at least until the last byte is there */
  struct burden most; /* of that whose messages would go latest */
};

enum { AWAY_BITS = 26 }; /* of the numbers of envelopes the bits above are those of the partition */
struct mirrors {         /* of messages from another partition, by the numbers of their envelopes there */
  struct mirror {
    struct envelope *envelope;
    int64_t handle; /* there */
  } * items;
  uint32_t count;
};

struct state {
  struct psl_host *host;
  const struct psl_partition *partition;    /* NULL: there is one */
  struct mirrors mirrors[PSL_NO_PARTITION]; /* by partition */
  struct interfaces elsewhere;              /* of the ranks of partitions that have ended */
  struct memory memory;
  struct pool envelopes, handshakes, receives;
  struct rank *near_ranks; /* the first ones stand one after another, up to near_count so far; */
  uint32_t near_count, near_capacity;
  struct rank **ranks;      /* all: CHUNK of them each, by number; NULL: no call has named one of these */
  struct status **statuses; /* NULL: no call has told one of these */
  bool tells_statuses;      /* the model may ask for them */
  uint32_t rank_chunks;
  struct place *spare[32]; /* outgrown tables by the logarithm of their capacity, linked through their first bytes */
  uint64_t messages, matched;
  uint64_t counted; /* of the messages: sent behind the warm-up, with so many */
  double bytes;
  bool all_counts;    /* there is neither a warm-up nor an end of figures */
  bool bounded;       /* some messages found that there are so many buffers and no more */
  uint32_t *waits_in; /* by process; made by waiters_find */
  uint32_t waiter_count;
  struct communicators communicators;
  struct pool kept, besides, persistents;
  struct keeping *keeping;
  uint32_t keeping_count;
  uint32_t some_count; /* so many wait for some of several requests */
  int64_t *places;     /* their answer */
  uint32_t place_capacity;
  struct due *dues; /* that nobody has taken yet; few */
  uint32_t due_count, due_capacity;
  struct posted *posted; /* by envelope; where the host wants to know of messages */
  uint32_t posted_capacity;
  struct leftovers left; /* messages that are longer than their receives */
  struct span span;
  double counted_from;    /* what comes before that is in no bucket of the span */
  double begin;           /* host->begin */
  struct pieces wide;     /* buckets, */
  struct groups counting; /* and those that count */
  union spread *spread;   /* from 0 */
  uint32_t spread_count, spread_capacity;
  double units[UNITS + 1]; /* by number: for how long a message takes an interface, as a summand, */
  uint32_t unit_count;
  double lengths[LENGTHS + 1]; /* and as it is: see rank.alike */
  uint32_t length_count;
  double **sums; /* of those that are not alike, s: CHUNK of them each */
  uint32_t sum_count, sum_capacity;
  struct added { /* the last that were added up */
    uint32_t alike;
    double busy;
  } added;
  double after; /* for how long at most an interface is still busy with a message whose last byte has left it, s */
};

/* Of one that mirrors another: that one's, by which all know the message. */
static inline int64_t envelope_handle(const struct envelope *e) {
  if (e->mirrors && e->handshake) return e->handshake->peer;
  return handle_make(&e->item, e->handshake ? HANDLE_HANDSHAKE : 0);
}

/* partitions.c: of a message from another partition; NULL: it is none. */
struct envelope *mirror_of(const struct state *s, int64_t handle);
/* Its receiver has the message that mirrors one of another partition, or its handshake is over. */
void mirror_over(struct state *s, const struct envelope *e, int64_t handle);

static inline struct envelope *envelope_of(struct state *s, int64_t handle) {
  if (handle & HANDLE_RECEIVE) return NULL;
  struct envelope *e = handle_item(&s->envelopes, handle, sizeof *e);
  return e || !s->partition ? e : mirror_of(s, handle);
}

/* Messages of different contexts are apart: each communicator has one of the program's and, odd, one of its collective
 * operations, whose number is negative in a model. */
static inline uint32_t context_of(int64_t communicator) {
  return (uint32_t)((uint64_t)communicator << 1 ^ (uint64_t)(communicator >> 63));
}
#define INSIDE_WORLD (-1) /* what a model gives as the communicator of the world's collective operations */
static inline bool is_collective(uint32_t context) { return context & 1; }
static inline uint32_t communicator_in(uint32_t context) { return context >> 1 & (COMMUNICATOR_LIMIT - 1); }
/* Which of the operations beside the program: they are told apart as communicators are; 0: it is none. */
static inline uint32_t slot_in(uint32_t context) { return context / (2 * COMMUNICATOR_LIMIT); }
/* The communicator of what a model gives as one: its own, or inside of its collective operations. */
static inline int64_t number_of(int64_t communicator) {
  return communicator < 0 ? ~communicator & (COMMUNICATOR_LIMIT - 1) : communicator;
}
static inline uint64_t origin_of(uint32_t source, uint32_t context) { return (uint64_t)context << 32 | source; }

/* ---- channels.c: ranks, the channels of each, and what has arrived there ---- */

/* That which is not near, or is made now with others. */
struct rank *rank_seek(struct state *s, uint32_t number);

static inline __attribute__((always_inline)) struct rank *rank_at(struct state *s, uint32_t number) {
  return number < s->near_count ? &s->near_ranks[number] : rank_seek(s, number);
}

struct status *status_at(struct state *s, uint32_t number);

static inline struct rare *rare_of(const struct rank *rank) { return (struct rare *)(uintptr_t)rank->rare; }
struct rare *rare_make(struct state *s, struct rank *rank);
static inline struct rare *rank_rare(struct state *s, struct rank *rank) {
  return rank->rare ? rare_of(rank) : rare_make(s, rank);
}

/* The first of the receives that stand in the rank's queue; NULL: none does. */
static inline struct receive *queue_of(const struct rank *rank) { return rank->rare ? rare_of(rank)->queue : NULL; }
/* Has it more than channels for what comes to it? */
static inline bool is_odd(const struct rank *rank) {
  const struct rare *rare = rare_of(rank);
  return rare && (rare->queue || rare->arrivals);
}
static inline uint32_t collectives_of(const struct rank *rank) { return rank->rare ? rare_of(rank)->collectives : 0; }
static inline struct arrivals *arrivals_of(const struct rank *rank) {
  return rank->rare ? rare_of(rank)->arrivals : NULL;
}
static inline struct some *some_of(const struct rank *rank) { return rank->rare ? rare_of(rank)->some : NULL; }

/* The channels of a rank, some of which may be empty places. */
static inline uint32_t channel_room(const struct rank *rank) {
  return rank->channel_doublings ? 1u << rank->channel_doublings : OWN;
}
static inline struct channel *channel_number(struct rank *rank, uint32_t k) {
  return rank->channel_doublings ? &rank->places[k].channel : &rank->own[k];
}
static inline uint32_t channel_context(const struct rank *rank, const struct channel *c) {
  return rank->channel_doublings ? ((const struct place *)(const void *)c)->context : 0;
}

/* Do receives stand there, or messages, or does the rank's own process wait? */
static inline bool has_receives(const struct channel *c) {
  return c->holds > HOLDS_RECEIVES && c->holds < HOLDS_WAITING;
}
static inline bool has_messages(const struct channel *c) { return c->holds - 1 < HOLDS_RECEIVES - 1; }
static inline bool has_waiting(const struct channel *c) { return c->holds >= HOLDS_WAITING; }
/* The last one there. */
static inline __attribute__((always_inline)) struct envelope *last_message(const struct state *s,
                                                                           const struct channel *c) {
  return pool_at(&s->envelopes, c->holds - 1, sizeof(struct envelope));
}
static inline struct receive *last_receive(const struct state *s, const struct channel *c) {
  return pool_at(&s->receives, c->holds - HOLDS_RECEIVES - 1, sizeof(struct receive));
}
/* The first of the receives that stand there. */
static inline struct receive *channel_receive(const struct state *s, const struct channel *c) {
  return (struct receive *)last_receive(s, c)->item.next;
}

/* Sources that follow each other lie far apart (Knuth, The Art of Computer Programming 3, 6.4: Fibonacci hashing). */
static inline uint32_t channel_hash(uint64_t origin, int32_t tag) {
  return ((uint32_t)origin + (uint32_t)(origin >> 32) * 0xc2b2ae3du) * 0x9e3779b1u + (uint32_t)tag * 0x85ebca77u;
}
/* Where a table of so many places would have the channel. */
static inline uint32_t channel_first(uint32_t hash, uint32_t capacity) {
  return (uint32_t)((uint64_t)hash * capacity >> 32);
}
static inline uint8_t channel_mark(uint64_t origin, int32_t tag) { return (uint8_t)(channel_hash(origin, tag) >> 24); }
static inline bool channel_is(const struct channel *c, uint32_t source, int32_t tag) {
  return c->source == source && c->tag == tag;
}
static inline bool place_is(const struct place *place, uint64_t origin, int32_t tag) {
  return channel_is(&place->channel, (uint32_t)origin, tag) && place->context == origin >> 32;
}

/* A bit for each of the marks that is this one. */
static inline uint32_t marks_like(const uint8_t marks[MARKED], uint8_t mark) {
#ifdef __SSE2__
  const __m128i all = _mm_loadu_si128((const __m128i *)(const void *)marks);
  return (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(all, _mm_set1_epi8((char)mark)));
#else
  uint32_t like = 0;
  for (uint32_t k = 0; k < MARKED; k++)
    like |= (uint32_t)(marks[k] == mark) << k;
  return like;
#endif
}

/* The channel of these messages, which stands there until another one is looked for; NULL: it is new, or of a table. */
static inline __attribute__((always_inline)) struct channel *channel_there(struct rank *rank, uint64_t origin,
                                                                           int32_t tag) {
  if (rank->channel_doublings == 0) {
    if (origin >> 32) return NULL;
#pragma GCC unroll 2
    for (int k = 0; k < OWN; k++)
      if (channel_is(&rank->own[k], (uint32_t)origin, tag)) return &rank->own[k];
    return NULL;
  }
  struct place *all = rank->places;
  if (rank->channel_doublings == FIRST_DOUBLINGS) {
#pragma GCC unroll 4
    for (int k = 0; k < FIRST; k++)
      if (place_is(&all[k], origin, tag)) return &all[k].channel;
    return NULL;
  }
  if (rank->channel_doublings > MARKED_DOUBLINGS) return NULL;
  uint32_t there = (1u << rank->channel_count) - 1;
  for (uint32_t like = marks_like(rank->marks, channel_mark(origin, tag)) & there; like; like &= like - 1) {
    struct place *place = &all[__builtin_ctz(like)];
    if (place_is(place, origin, tag)) return &place->channel;
  }
  return NULL;
}

/* The same, made where it is new. */
struct channel *channel_seek(struct state *s, struct rank *rank, uint64_t origin, int32_t tag);
struct channel *channel_hashed(struct state *s, struct rank *rank, uint64_t origin, int32_t tag); /* of a table */
static inline __attribute__((always_inline)) struct channel *channel_at(struct state *s, struct rank *rank,
                                                                        uint64_t origin, int32_t tag) {
  struct channel *c = channel_there(rank, origin, tag);
  if (c) return c;
  return rank->channel_doublings > MARKED_DOUBLINGS ? channel_hashed(s, rank, origin, tag)
                                                    : channel_seek(s, rank, origin, tag);
}

/* One of those that have a message is done with it. */
static inline void envelope_release(struct state *s, struct envelope *e) {
  if (--e->references > 0) return;
  if (e->handshake && e->mirrors) mirror_over(s, e, e->handshake->peer);
  if (e->handshake) pool_give(&s->handshakes, (struct item *)e->handshake);
  pool_give(&s->envelopes, &e->item);
}

/* The channel that a message stands in. */
static inline struct channel *envelope_channel(struct state *s, struct rank *rank, const struct envelope *e) {
  return channel_at(s, rank, origin_of(e->source, e->context), e->tag);
}

/* First message of a channel, or NULL. */
static inline struct envelope *channel_head(const struct state *s, const struct channel *c) {
  return has_messages(c) ? (struct envelope *)last_message(s, c)->item.next : NULL;
}

/* Into a circular list, behind the last; NULL: there is none. */
static inline __attribute__((always_inline)) void list_append(struct item *last, struct item *item) {
  item->next = last ? last->next : item;
  if (last) last->next = item;
}
/* Where no receive stands, and nobody waits. */
static inline __attribute__((always_inline)) void message_append(const struct state *s, struct channel *c,
                                                                 struct envelope *e) {
  list_append(c->holds ? &last_message(s, c)->item : NULL, &e->item);
  c->holds = e->item.number + 1;
}
/* Where no message stands, and nobody waits. */
static inline void receive_append(const struct state *s, struct channel *c, struct receive *r) {
  list_append(c->holds ? &last_receive(s, c)->item : NULL, &r->item);
  c->holds = HOLDS_RECEIVES + r->item.number + 1;
}

/* Takes out the first receive. */
static inline void channel_behead(const struct state *s, struct channel *c) {
  struct item *last = &last_receive(s, c)->item, *first = last->next;
  if (first == last)
    c->holds = 0;
  else
    last->next = first->next;
}

/* For receives from any source: from now on the rank knows what has arrived. */
void arrivals_open(struct state *s, struct rank *rank);
void arrivals_push(struct state *s, struct arrivals *heap, struct envelope *e);
/* What stands there. */
static inline struct arrival *arrival_at(const struct arrivals *arrivals, uint32_t k) {
  return &arrivals->items[arrivals->places[k]];
}
bool arrival_before(const struct arrival *a, const struct arrival *b);
/* Does the message still stand in its channel? Its envelope may be another one's by now, from another source: messages
 * are numbered in each partition of a run. */
static inline bool arrival_true(const struct arrival *a) {
  const struct envelope *e = a->envelope;
  return e->sequence == a->sequence && e->source == a->source && (e->item.generation & 1) && !e->matched;
}
void arrivals_pop(struct arrivals *arrivals); /* the first */
/* The first posted of the waiting messages of an origin with this tag (or any), arrived or not; NULL: there is none. */
struct envelope *oldest_from(struct state *s, struct rank *rank, uint64_t origin, int32_t tag);

/* ---- buffers.c: room for messages that come without a handshake ---- */

/* Has the rank room for it at this clock? All that happens before has to have happened. */
bool buffers_fit(struct state *s, struct rank *rank, double room, double size, double clock);
void buffers_take(struct rank *rank, struct envelope *e);
void buffers_release(struct state *s, struct envelope *e, double clock);

/* ---- matching.c: which message goes to which receive ---- */

/* A message has its receive, which was posted then. */
static inline void meet(struct state *s, struct envelope *e, double posted, struct depends on) {
  if (s->posted) s->posted[e->item.number].received = posted;
  if (e->buffered && e->arrival >= 0) buffers_release(s, e, later_of(posted, e->arrival));
  if (!e->handshake) return;
  e->handshake->posted = posted;
  e->handshake->on = on;
}

/* Until when all arrivals are known. */
static inline double known_to(const struct psl_call *call) { return call && call->ordered ? call->clock : -1; }

static inline bool receive_ready(const struct receive *r) { return r->envelope && r->envelope->arrival >= 0; }

/* Takes a message, the first of its channel, out of that. */
static inline void take(struct state *s, struct rank *rank, struct channel *c, struct envelope *e) {
  struct envelope *next = (struct envelope *)e->item.next;
  e->matched = true;
  s->matched++;
  if (e == next) {
    c->holds = 0;
    return;
  }
  last_message(s, c)->item.next = &next->item;
  __builtin_prefetch(next); /* that the next receive mostly takes */
  if (arrivals_of(rank) && next->arrival >= 0) arrivals_push(s, arrivals_of(rank), next);
}

/* The same where nobody but the caller looks at the message any more, and the rank has no heap of what has arrived.
 * `last`: of the channel. */
static inline void take_plain(struct state *s, struct channel *c, struct envelope *last, const struct envelope *e) {
  struct item *next = e->item.next;
  s->matched++;
  if (e == last) {
    c->holds = 0;
    return;
  }
  last->item.next = next;
  __builtin_prefetch(next);
}

/* The rank's own process that waits in the channel, or in one of the rank, gets a receive: for all that is not as it
 * mostly is. */
void channel_stands(struct state *s, uint32_t number, struct rank *rank, struct channel *c);
void rank_stands(struct state *s, uint32_t number, struct rank *rank);
static inline void channel_stand(struct state *s, uint32_t number, struct rank *rank, struct channel *c) {
  if (has_waiting(c)) channel_stands(s, number, rank, c);
}
static inline void rank_stand(struct state *s, uint32_t number, struct rank *rank) {
  if (rank->awaits) rank_stands(s, number, rank);
}

/* Finds a receive of one source and tag its message in their channel, or a place there. */
void seek_in(struct state *s, struct rank *rank, struct channel *c, struct receive *r);
/* Finds the new receive a message, or a place to wait for one. */
void seek(struct state *s, struct rank *rank, struct receive *r, struct psl_call *call);
/* Is it the rank's only receive in the queue, from any source, and does its caller wait in it? */
static inline bool is_alone(const struct rank *rank, const struct receive *r) {
  return queue_of(rank) == r && !r->item.next && r->source == ANY && r->kind == RECEIVE_BLOCKING &&
         !rare_of(rank)->some;
}
/* Serves that one. */
void seek_any(struct state *s, struct rank *rank, struct receive *r, const struct psl_call *call);
/* Serves the rank's queue at the clock `since` of the call in hand, which is `call` where its process may be served. */
void settle(struct state *s, struct rank *rank, struct psl_call *call, double since);
/* The message that a receive, which may stand in the queue, would take; NULL: there is none yet. */
struct envelope *candidate(struct state *s, struct rank *rank, const struct receive *r);
void receive_free(struct state *s, struct receive *r);
/* Has a receive been posted before then that would have the message? */
bool receive_posted(struct state *s, struct rank *rank, const struct envelope *e, double clock);
/* Takes a receive out of the rank's queue. */
void queue_take(struct rank *rank, struct receive *r);
static inline struct receive *queue_next(const struct receive *r) { return (struct receive *)r->item.next; }
/* Wakes the process that waits in a receive whose message has come, if one does. `call` is the one in hand,
 * whose process sees for itself whether it is ready; when it is ordered, what it decides is decided at its clock. */
void receive_wake(struct state *s, struct receive *r, const struct psl_call *call);
/* A receive and the call that finishes with its message end together. Where others act as the rank, too, they do one
 * after the other: which message the rank has received last is a matter of when its processes go on. */
static inline bool ends_paired(const struct rank *rank, const struct receive *r) { return r->paired && !rank->helped; }
/* They do, by a message that has come without a handshake. */
void pair_wake(struct state *s, struct receive *r, struct envelope *e);
/* The message of a posted receive, if it is a request that has come and that nobody has acknowledged; 0: it is not. */
int64_t request_claim(const struct receive *r);

/* Takes that request from those that are due; false: it is none. */
bool due_take(struct state *s, int64_t handle);
enum psl_status mpi_due(void *state, struct psl_call *call);
enum psl_status mpi_take_due(void *state, struct psl_call *call);
/* The call in hand is that of a helper beside the program, which is there from `clock` on. */
static inline void there_from(struct state *s, struct psl_call *call, double clock) {
  if (!(clock > call->clock)) return;
  s->host->waited(s->host, call->process, PSL_NOT_THERE, clock, 0);
  call->clock = clock;
}

/* ---- matching.c: for what processes wait ---- */

/* On what a rank depends in the collective operation that has this context, as far as it knows. */
struct depends *depends_beside(struct state *s, struct rank *rank, uint32_t context);
static inline struct depends *depends_of(struct state *s, struct rank *rank, uint32_t context) {
  return slot_in(context) ? depends_beside(s, rank, context) : &rank_rare(s, rank)->on;
}
/* On what it depends that the rank now sends, or posts. */
static inline struct depends depends_now(struct state *s, struct rank *rank, uint32_t context, double clock) {
  return is_collective(context) ? *depends_of(s, rank, context) : (struct depends){clock, 0};
}

/* The rank comes to a call in which it waits. */
static inline void waits_begin(struct rank *rank) {
  if (rank->rare) rare_of(rank)->late = 0;
}
static inline double late_of(const struct rank *rank) { return rank->rare ? rare_of(rank)->late : 0; }
/* The rank's own process has waited alone since then, s. */
static inline double waits_since(const struct state *s, const struct rank *rank) {
  return s->host->clock(s->host, rank->stay.process);
}

/* What came at a time, and was `late` for all that had queued for it, is had at the later of that and when the rank
 * began to wait; so is it by how much that is later than where nothing had queued, for it or for the rank. Gives by how
 * much more that is than before, or less. */
static inline double depend(double *own, double late, double begin, double at) {
  double before = *own;
  *own = later_of(begin, at) - later_of(begin - before, at - late);
  return *own - before;
}
static inline double depend_beside(struct depends *own, double came, double late, double begin, double at) {
  own->came = later_of(own->came, came);
  return depend(&own->late, late, begin, at);
}

static inline void waited(struct state *s, uint32_t process, const struct envelope *e, enum psl_partner partner,
                          double came, double queued) {
  s->host->waited(s->host, process, is_collective(e->context) ? PSL_COLLECTIVE : partner, came, queued);
}

/* The stage of the message is reached in the call in hand; and that has ended the wait of the process, for the records
 * of what causes what. */
static inline void stage_caused(struct state *s, const struct envelope *e, enum stage stage) {
  if (s->host->moment) s->posted[e->item.number].moments[stage] = s->host->moment(s->host);
}
static inline void stage_because(const struct state *s, uint32_t process, const struct envelope *e, enum stage stage) {
  if (s->host->because) s->host->because(s->host, process, s->posted[e->item.number].moments[stage]);
}
/* A helper is there from that clock on: since the request has come, or the receive has been posted. */
static inline void there_because(const struct state *s, uint32_t process, const struct envelope *e, double clock) {
  if (!s->host->because) return;
  const struct posted *posted = &s->posted[e->item.number];
  s->host->because(s->host, process, clock > e->arrival ? posted->receiving : posted->moments[STAGE_MESSAGE]);
}
/* The receive of that moment is the message's. */
static inline void receive_caused(struct state *s, const struct envelope *e, uint32_t moment) {
  if (s->host->moment) s->posted[e->item.number].receiving = moment;
}
static inline uint32_t moment_now(struct state *s) { return s->host->moment ? s->host->moment(s->host) : 0; }

/* A rank's own process has waited from `begin` to `end` for a message of this context, and knows what that does. */
void note_wait(struct state *s, uint32_t process, uint32_t rank, uint32_t context, struct depends on, double queued,
               double arrival, double begin, double end);

/* The same for what the rank waits for in a call of its program; mostly nothing has queued. */
static inline double depend_late(struct state *s, struct rank *rank, double queued, double begin, double at) {
  return rank->rare || queued != 0 ? depend(&rank_rare(s, rank)->late, queued, begin, at) : 0;
}

/* The same in a collective operation of the program's, of which the rank knows `own`, for a message that depends on
 * `on` and has arrived, or has not before. */
static inline void note_inside(struct state *s, uint32_t process, struct depends *own, const struct depends *on,
                               double queued, double arrival, double begin) {
  double came = on->came, late = depend_beside(own, came, on->late + queued, begin, arrival);
  if (late < 0) s->host->waited(s->host, process, PSL_COLLECTIVE, came, late);
  if (arrival > begin) s->host->waited(s->host, process, PSL_COLLECTIVE, came, later_of(late, 0));
}

static inline void note_message(struct state *s, uint32_t process, const struct envelope *e, double begin, double end) {
  note_wait(s, process, e->destination, e->context, e->on, e->queued, e->arrival, begin, end);
}

static inline void waited_message(struct state *s, uint32_t process, const struct envelope *e, double begin,
                                  double end) {
  if (end > begin) stage_because(s, process, e, STAGE_MESSAGE);
  if (is_collective(e->context) || end > begin || late_of(rank_at(s, e->destination)) > 0)
    note_message(s, process, e, begin, end);
}

/* The same for a stage of the handshake; where it is the sender's own process, and not what works beside it, that knows
 * what the receiver does. */
void waited_stage(struct state *s, uint32_t process, const struct envelope *e, enum stage stage, double begin,
                  double end);
/* A stage is reached: what it is late for what has queued. */
void stage_queued(const struct envelope *e, struct handshake *h, enum stage stage, double queued);

/* ---- ranks.c: what calls say of ranks is right, and who acts as one ---- */

enum psl_status failed_handle(struct psl_call *call, const char *what, int64_t handle);
bool rank_check(struct psl_call *call, const char *what, int64_t rank, bool any);
bool tag_check(struct psl_call *call, int64_t tag, bool any);
/* Both ends of a message belong to its communicator. */
bool members_check(struct state *s, struct psl_call *call, int64_t communicator, int64_t rank, int64_t other);
/* A rank is the work of one process at a time, with those that it starts to work for it. False: not now, or never. */
bool acts_as(struct state *s, struct psl_call *call, struct rank *rank, enum psl_status *status);

/* Is the caller the rank's own process? */
static inline bool acts_itself(const struct psl_call *call, const struct rank *rank) {
  return rank->stay.process == call->process && rank->stay.lasts;
}

static inline bool acts(struct state *s, struct psl_call *call, struct rank *rank, enum psl_status *status) {
  return acts_itself(call, rank) || acts_as(s, call, rank, status);
}

/* Is it known that the caller may act as the rank? */
static inline bool acts_already(const struct psl_call *call, const struct rank *rank, uint32_t context) {
  return acts_itself(call, rank) || slot_in(context);
}

/* What goes on beside the program has been begun by who acts as the rank. */
static inline bool acts_in(struct state *s, struct psl_call *call, struct rank *rank, int64_t communicator,
                           enum psl_status *status) {
  return slot_in(context_of(communicator)) || acts(s, call, rank, status);
}

/* Are all ranks in the communicator that a model gives? */
static inline bool is_of_world(int64_t communicator) { return communicator >= -1 && communicator <= 0; }
static inline bool context_check(struct state *s, struct psl_call *call, int64_t communicator, int64_t rank,
                                 int64_t other) {
  return is_of_world(communicator) || members_check(s, call, communicator, rank, other);
}

/* ---- members.c: communicators as calls know them ---- */

/* The caller's place in it and its size: what `place` and `ranks` take apart. `called`: where it counts its collective
 * operations. */
bool member_find(struct state *s, struct psl_call *call, int64_t rank, int64_t size, int64_t number,
                 struct entry *entry, uint32_t **called);
enum psl_status mpi_no_rank(void *state, struct psl_call *call);
bool mpi_place(const union psl_argument *arguments, union psl_argument *result, char error[200]);
bool mpi_ranks(const union psl_argument *arguments, union psl_argument *result, char error[200]);
enum psl_status mpi_membership(void *state, struct psl_call *call);
bool quick_member(void *state, const union psl_argument *arguments, union psl_argument *result);
enum psl_status mpi_member(void *state, struct psl_call *call);
enum psl_status mpi_communicator(void *state, struct psl_call *call);
enum psl_status mpi_enrol(void *state, struct psl_call *call);
enum psl_status mpi_leave(void *state, struct psl_call *call);
enum psl_status mpi_collective(void *state, struct psl_call *call);
enum psl_status mpi_offer(void *state, struct psl_call *call);
enum psl_status mpi_part(void *state, struct psl_call *call);

/* ---- leftovers.c: what no program of MPI leaves, or does ---- */

/* A receive that was posted then has got a message for which it has no room. */
void truncated_note(struct state *s, const struct envelope *e, double posted, double room);

static inline void room_check(struct state *s, const struct envelope *e, double posted, double room) {
  if (room > 0 && e->size > room) truncated_note(s, e, posted, room);
}

void leftovers_warn(struct state *s);
void leftovers_find(struct state *s, struct leftovers *all); /* but for collective operations */

/* ---- mpi_sim.c ---- */

/* ", tag 3", and what else tells messages apart. */
void explain_context(uint32_t context, int32_t tag, char out[80]);

/* ---- beside.c: collective operations beside the program ---- */

struct beside *beside_of(struct state *s, struct psl_call *call, int64_t handle);
enum psl_status beside_wait(struct state *s, struct psl_call *call, bool by_rank);
enum psl_status beside_finish(struct state *s, struct psl_call *call);
enum psl_status mpi_begin(void *state, struct psl_call *call);
enum psl_status mpi_begin_alone(void *state, struct psl_call *call);
enum psl_status mpi_cross(void *state, struct psl_call *call);
enum psl_status beside_deliver(struct state *s, struct psl_call *call);
enum psl_status mpi_context(void *state, struct psl_call *call);
enum psl_status mpi_end(void *state, struct psl_call *call);

/* ---- partitions.c: ranks that are simulated elsewhere ---- */

/* Nobody begins with the run who is the rank: it is made in one partition. True. */
bool goes_nowhere(struct state *s);
/* Does what the rank gets go to another partition? */
static inline bool goes_away(struct state *s, uint32_t rank) {
  const struct psl_partition *own = s->partition;
  uint8_t of = rank < own->rank_count ? own->of_rank[rank] : PSL_NO_PARTITION;
  return of != own->number && (of != PSL_NO_PARTITION || goes_nowhere(s));
}
/* It is sent at `clock` and arrives then, of which it takes its interface so long; it has been posted; the data of one
 * with a handshake go out. */
void away_sent(struct state *s, const struct envelope *e, double clock, double arrival, double taken);
void away_posted(struct state *s, struct envelope *e, double clock, double taken);
void away_burden(struct state *s, const struct envelope *e, double clock, double taken);
/* Do messages go from partition to partition on their way, each to where it is received? Else their stages are told. */
static inline bool messages_go(const struct state *s) { return s->partition && s->partition->lookahead > 0; }
/* Of a message that goes: its request is answered, by a call that has queued so long; its data are sent. */
void away_answered(struct state *s, const struct envelope *e, double queued);
void away_sending(struct state *s, const struct envelope *e);
/* A stage is reached of a message that crosses to another partition, where that is all; false: it is not. *asks: a
 * helper is to begin, who asks by `answer` whether it has anything to do. */
bool away_reached(struct state *s, struct envelope *e, enum stage stage, double clock, double queued, bool *asks);
enum psl_status away_answer(struct state *s, struct psl_call *call, struct envelope *e);
/* In a partition: a helper begins to answer a non-blocking receive. At the clock of the receive, or at that of the
 * request, whichever is simulated last: which of them the figures behind a warm-up count is not known there. */
void answer_begins(struct state *s);
extern const struct psl_evaluator mpi_sim_evaluator;
extern const struct psl_partitioned mpi_partitioned;

/* ---- messages.c: they are sent, and come ---- */

/* Of another partition: it comes to the receive that waits for it, or its place. */
void envelope_place(struct state *s, struct rank *rank, struct channel *c, struct envelope *e, double clock);
void handshake_open(struct state *s, struct envelope *e);
void receiver_take(struct state *s, struct rank *to, double clock, double taken);
void message_lands(struct state *s, struct psl_call *call, struct rank *rank, struct envelope *e, double later);
bool message_arrives(struct state *s, struct psl_call *call, struct rank *rank, const struct channel *c,
                     struct envelope *e);
void stage_reached(struct state *s, struct envelope *e, enum stage stage, double clock);

/* The data of a message with a handshake go out. */
void data_sent(struct state *s, const struct envelope *e, double clock);

extern const struct psl_call_pair mpi_post_pair; /* post, deliver */
enum psl_status mpi_post(void *state, struct psl_call *call);
enum psl_status mpi_deliver(void *state, struct psl_call *call);

/* ---- left_out.c: what interfaces that the network leaves out would have to do ---- */

/* No more than so many seconds, as a multiple of 2^-45: the sum of several is the same in any order. */
static inline double summand_of(double seconds) { return seconds + (0x1p8 - 0x1p-45) - 0x1p8; }
/* Times are since the end of the warm-up, and rounded: buckets are many, and messages are told apart as well as they
 * have to be. All that is asked of a time is asked of what it is rounded to, so that it does not depend on the order in
 * which messages come either. */
static inline float left_out_time(const struct state *s, double clock) {
  double time = clock - s->begin, most = 0x1p127; /* that a float has */
  return (float)(time < most ? time : most);
}
static inline void counted_add(struct counted *counted, uint32_t more) { counted->many += more << GROUP_BITS; }
#define COUNTED_MOST (UINT32_MAX >> GROUP_BITS)
static inline bool counted_full(const struct counted *counted) { return counted->many >= COUNTED_MOST << GROUP_BITS; }
static inline void times_add(struct times *times, float first, float last) {
  times->first = first < times->first ? first : times->first;
  times->last = last > times->last ? last : times->last;
}
/* For how long messages have taken the rank's sender in all, s. */
double sender_busy(struct state *s, const struct rank *rank);
/* The number of that length, where it stands in rank.alike; NO_LENGTH there: it has none, as there are too many. */
uint32_t sender_length(struct state *s, double taken);
/* A message more takes it so long, which is not like those before, */
void sender_unlike(struct state *s, struct rank *rank, uint32_t length, double taken);
/* or is. */
static inline __attribute__((always_inline)) void sender_add(struct state *s, struct rank *rank, uint32_t length,
                                                             double taken) {
  if (__builtin_expect((rank->alike ^ length) < ALIKE_MOST, 1))
    rank->alike++;
  else
    sender_unlike(s, rank, length, taken);
}
/* The number of that summand; NO_UNIT: it has none, as there are too many. */
uint8_t left_out_unit(struct state *s, double busy);
/* The number of the bucket that a time is in, as the span has them; its last bits are a place. */
static inline uint64_t span_number(const struct span *span, double clock) {
  return (uint64_t)(int64_t)(clock * span->per);
}
static inline uint32_t number_place(uint64_t number, uint32_t shift) {
  return (uint32_t)(number & ((1 << MANY) - 1)) >> shift;
}
static inline struct bucket *wide_at(const struct state *s, uint32_t piece) {
  return &s->wide.items[(piece - 1) >> PIECES_BITS][(piece - 1) % PIECES];
}
static inline struct group *group_of(const struct state *s, const struct half *half) {
  return s->counting.items[half->first >> GROUP_BITS];
}
static inline struct counted *counted_at(const struct state *s, const struct half *half, uint32_t piece) {
  return &group_of(s, half)->items[piece / GROUP_PIECES][piece % GROUP_PIECES];
}
/* The bucket for that time, where messages of that unit are counted; NULL: it has to be looked for. */
static inline __attribute__((always_inline)) struct counted *left_out_counted(const struct state *s,
                                                                              const struct half *half, float at,
                                                                              uint8_t unit) {
  const struct span *span = &s->span;
  double time = at;
  if (half->used.unit != unit || half->used.doublings != span->doublings) return NULL;
  if (!(time >= s->counted_from && time < span->end)) return NULL;
  uint32_t place = number_place(span_number(span, time), MANY - FEW);
  struct counted *counted;
  if (half->used.place == place)
    counted = counted_at(s, half, half->first & GROUP_MASK);
  else if (half->used.place == EACH_FEW)
    counted = s->spread[half->first].counts + place;
  else
    return NULL;
  return counted_full(counted) ? NULL : counted;
}
/* The bucket for that time, which counts, for a message that takes so long; NULL: it has to be looked for. */
static inline struct times *left_out_near(const struct state *s, const struct half *half, float at, double busy) {
  const struct span *span = &s->span;
  double time = at;
  if (half->used.doublings != span->doublings || !(time >= s->counted_from && time < span->end)) return NULL;
  uint64_t number = span_number(span, time);
  uint32_t unit = half->used.unit, place = number_place(number, MANY - FEW);
  if (half->used.place == EACH) return &s->spread[half->first].all[number_place(number, 0)].times;
  if (unit && s->units[unit] != busy) return NULL;
  struct times *times;
  if (half->used.place == EACH_FEW)
    times = unit ? &s->spread[half->first].counts[place].times : &s->spread[half->first].all[place].times;
  else if (half->used.place == place)
    times = unit ? &counted_at(s, half, half->first & GROUP_MASK)->times : &wide_at(s, half->first)->times;
  else
    return NULL;
  return unit && counted_full((struct counted *)(void *)times) ? NULL : times;
}
/* The same, sought; NULL: it counts for nothing. */
struct times *left_out_seek(struct state *s, struct half *half, float at, double busy);
static inline bool half_take(struct state *s, struct half *half, double clock, double left, double taken) {
  float at = left_out_time(s, clock);
  double busy = summand_of(taken);
  struct times *times = left_out_near(s, half, at, busy);
  if (!times) times = left_out_seek(s, half, at, busy);
  if (!times) return false;
  times_add(times, at, left_out_time(s, left));
  if (half->used.unit)
    counted_add((struct counted *)(void *)times, 1);
  else
    ((struct bucket *)(void *)times)->busy += busy;
  return true;
}
/* It reaches over the other, too. */
void span_include(struct span *span, const struct span *other);
struct interfaces interfaces_find(struct state *s);
void interfaces_join(struct interfaces *all, const struct interfaces *some);
/* What is to be said of interfaces; those that cannot be so fast, or are too busy, are warned of. */
size_t left_out_statistics(struct state *s, struct psl_statistic out[2]);

/* ---- receives.c: those that wait, and those that are posted; probes ---- */

struct receive *receive_of(struct state *s, int64_t handle); /* NULL: it is of none */
/* Answers the caller out of its receive, which is done with if its message has come. */
enum psl_status receive_answer(struct state *s, struct psl_call *call, struct receive *r);
/* A call that is made again because a receive from any source can be decided. */
enum psl_status receive_again(struct state *s, struct psl_call *call);
extern const struct psl_call_pair mpi_receive_pair; /* receive, finish */
enum psl_status mpi_receive(void *state, struct psl_call *call);
enum psl_status mpi_probe(void *state, struct psl_call *call);
enum psl_status mpi_iprobe(void *state, struct psl_call *call);
enum psl_status mpi_irecv(void *state, struct psl_call *call);

/* ---- waits.c: requests are waited for, tested and finished with ---- */

enum psl_status mpi_await(void *state, struct psl_call *call);
enum psl_status mpi_wait(void *state, struct psl_call *call);
enum psl_status mpi_test(void *state, struct psl_call *call);
enum psl_status mpi_unanswered(void *state, struct psl_call *call);
enum psl_status mpi_answer(void *state, struct psl_call *call);
enum psl_status mpi_claim(void *state, struct psl_call *call);
bool quick_unanswered(void *state, const union psl_argument *arguments, union psl_argument *result);
bool quick_source(void *state, const union psl_argument *arguments, union psl_argument *result);
bool quick_finish(void *state, const union psl_argument *arguments, union psl_argument *result);
enum psl_status mpi_finish(void *state, struct psl_call *call);
enum psl_status mpi_source(void *state, struct psl_call *call);
enum psl_status mpi_destination(void *state, struct psl_call *call);
enum psl_status mpi_tag(void *state, struct psl_call *call);
enum psl_status mpi_size(void *state, struct psl_call *call);
bool mpi_acknowledgement(const union psl_argument *arguments, union psl_argument *result, char error[200]);
bool mpi_data(const union psl_argument *arguments, union psl_argument *result, char error[200]);
bool mpi_sent(const union psl_argument *arguments, union psl_argument *result, char error[200]);
bool mpi_handshake(const union psl_argument *arguments, union psl_argument *result, char error[200]);

/* ---- persistent.c: requests that can be started again and again ---- */

static inline bool is_persistent(int64_t handle) { return handle > 0 && (handle & 15) == HANDLE_PERSISTENT; }
struct persistent *persistent_of(struct state *s, struct psl_call *call, int64_t handle);
/* In place of a persistent request the one that stands for it. False: it is none. */
bool active_request(struct state *s, struct psl_call *call, int64_t *request);
enum psl_status mpi_prepare(void *state, struct psl_call *call);
enum psl_status mpi_mode(void *state, struct psl_call *call);
enum psl_status mpi_partner(void *state, struct psl_call *call);
enum psl_status mpi_communicator_of(void *state, struct psl_call *call);
enum psl_status mpi_started(void *state, struct psl_call *call);
bool quick_forget(void *state, const union psl_argument *arguments, union psl_argument *result);
enum psl_status mpi_forget(void *state, struct psl_call *call);

/* ---- requests.c: several requests of a process ---- */

/* When a request is done; negative: that is not known yet. False: it is none. */
bool request_reached(struct state *s, struct psl_call *call, int64_t request, double *reached);

void some_due(struct state *s, struct some *some, double clock);
/* The oldest of the requests of which the process waits for the first that is done, and how many these are; 0: it does
 * not wait for any such. */
int64_t some_oldest(const struct state *s, uint32_t process, uint32_t *count);

/* Something has happened to the rank that may be what somebody waits for. */
static inline void some_look(struct state *s, uint32_t rank, double clock) {
  if (s->some_count == 0) return;
  struct some *some = some_of(rank_at(s, rank));
  if (some && some->process != NONE) some_due(s, some, clock);
}

/* Where the model may ask for it. */
static inline void status_set(struct state *s, uint32_t rank, double size, uint32_t number, uint32_t source,
                              int32_t tag) {
  if (s->tells_statuses) *status_at(s, rank) = (struct status){size, number, (int32_t)source, tag};
}
static inline void status_note(struct state *s, const struct envelope *e) {
  status_set(s, e->destination, e->size, e->number, e->source, e->tag);
}

enum psl_status mpi_keep(void *state, struct psl_call *call);
enum psl_status mpi_kept(void *state, struct psl_call *call);
enum psl_status mpi_take(void *state, struct psl_call *call);
enum psl_status mpi_some_done(void *state, struct psl_call *call);
enum psl_status mpi_cancel(void *state, struct psl_call *call);
enum psl_status mpi_status_source(void *state, struct psl_call *call);
enum psl_status mpi_status_tag(void *state, struct psl_call *call);
enum psl_status mpi_status_number(void *state, struct psl_call *call);
enum psl_status mpi_status_size(void *state, struct psl_call *call);
#endif
