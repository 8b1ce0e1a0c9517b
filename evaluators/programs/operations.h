/* What programs do, as one stream: for each rank a sequence of operations, whether a program runs, or a trace of one is
 * read. A kind of operation is described once, in the tables below: its name, and the fields that it has. The evaluator
 * Program (program.c) hands them to models, and stdlib/program.psl makes a request of each.
 *
 * Ranks are those of the whole program (of MPI_COMM_WORLD), peers, roots and members alike. Quantities are in SI base
 * units: seconds, bytes. */
#ifndef PSL_OPERATIONS_H
#define PSL_OPERATIONS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Fields, by which readers, writers and checks go. */
enum program_field {
  FIELD_WORK = 1 << 0,            /* work, unit, burst */
  FIELD_OUT = 1 << 1,             /* destination, tag, bytes */
  FIELD_IN = 1 << 2,              /* source, source_tag, received (the room for the message; 0: not known) */
  FIELD_REQUEST = 1 << 3,         /* request: the one that it starts, or makes */
  FIELD_REQUESTS = 1 << 4,        /* requests, request_count: those that it is about */
  FIELD_COMMUNICATOR = 1 << 5,    /* communicator */
  FIELD_ROOT = 1 << 6,            /* root */
  FIELD_BYTES = 1 << 7,           /* bytes: given by this rank (to each rank, where it gives to all alike) */
  FIELD_RECEIVED = 1 << 8,        /* received: got by this rank (from each rank likewise) */
  FIELD_SENT_PARTS = 1 << 9,      /* parts, part_count: bytes to each member; `bytes` is their sum */
  FIELD_RECEIVED_PARTS = 1 << 10, /* received_parts: bytes from each member; `received` is their sum */
  FIELD_MEMBERS = 1 << 11,        /* communicator is made, of members, member_count; of this rank alone it is known */
  FIELD_PLACE = 1 << 12,          /* name, file, line */
  FIELD_FILE = 1 << 13,           /* handle, name, offset, bytes, span */
  FIELD_WINDOW = 1 << 14,         /* handle: the number of the communicator that a window of memory has of its own */
  FIELD_DURATION = 1 << 15,       /* duration */
};

/* X(NAME, "name", fields). Sends and receives have i-forms of their own; those of collective operations are below. */
#define PROGRAM_POINT_TO_POINT(X)                                           \
  X(COMPUTE, "compute", FIELD_WORK)                                         \
  X(ICOMPUTE, "icompute", FIELD_WORK | FIELD_REQUEST)                       \
  X(SEND, "send", FIELD_OUT | FIELD_COMMUNICATOR)                           \
  X(RECV, "recv", FIELD_IN | FIELD_COMMUNICATOR)                            \
  X(ISEND, "isend", FIELD_OUT | FIELD_REQUEST | FIELD_COMMUNICATOR)         \
  X(IRECV, "irecv", FIELD_IN | FIELD_REQUEST | FIELD_COMMUNICATOR)          \
  X(WAIT, "wait", FIELD_REQUESTS)                                           \
  X(WAITALL, "waitall", FIELD_REQUESTS)                                     \
  X(WAITANY, "waitany", FIELD_REQUESTS)                                     \
  X(WAITSOME, "waitsome", FIELD_REQUESTS)                                   \
  X(TEST, "test", FIELD_REQUESTS)                                           \
  X(TESTALL, "testall", FIELD_REQUESTS)                                     \
  X(TESTANY, "testany", FIELD_REQUESTS)                                     \
  X(TESTSOME, "testsome", FIELD_REQUESTS)                                   \
  X(SENDRECV, "sendrecv", FIELD_OUT | FIELD_IN | FIELD_COMMUNICATOR)        \
  X(BSEND, "bsend", FIELD_OUT | FIELD_COMMUNICATOR)                         \
  X(SSEND, "ssend", FIELD_OUT | FIELD_COMMUNICATOR)                         \
  X(RSEND, "rsend", FIELD_OUT | FIELD_COMMUNICATOR)                         \
  X(IBSEND, "ibsend", FIELD_OUT | FIELD_REQUEST | FIELD_COMMUNICATOR)       \
  X(ISSEND, "issend", FIELD_OUT | FIELD_REQUEST | FIELD_COMMUNICATOR)       \
  X(IRSEND, "irsend", FIELD_OUT | FIELD_REQUEST | FIELD_COMMUNICATOR)       \
  X(PROBE, "probe", FIELD_IN | FIELD_COMMUNICATOR)                          \
  X(IPROBE, "iprobe", FIELD_IN | FIELD_COMMUNICATOR)                        \
  X(SEND_INIT, "send_init", FIELD_OUT | FIELD_REQUEST | FIELD_COMMUNICATOR) \
  X(RECV_INIT, "recv_init", FIELD_IN | FIELD_REQUEST | FIELD_COMMUNICATOR)  \
  X(START, "start", FIELD_REQUESTS)                                         \
  X(CANCEL, "cancel", FIELD_REQUESTS)                                       \
  X(REQUEST_FREE, "request_free", FIELD_REQUESTS)

#define PROGRAM_OTHERS(X)                                                      \
  X(COMM_MAKE, "comm_make", FIELD_COMMUNICATOR | FIELD_MEMBERS)                \
  X(COMM_FREE, "comm_free", FIELD_COMMUNICATOR)                                \
  X(WIN_CREATE, "win_create", FIELD_WINDOW | FIELD_COMMUNICATOR | FIELD_BYTES) \
  X(WIN_FREE, "win_free", FIELD_WINDOW)                                        \
  X(WIN_FENCE, "win_fence", FIELD_WINDOW)                                      \
  X(WIN_POST, "win_post", FIELD_WINDOW | FIELD_MEMBERS)                        \
  X(WIN_START, "win_start", FIELD_WINDOW | FIELD_MEMBERS)                      \
  X(WIN_COMPLETE, "win_complete", FIELD_WINDOW)                                \
  X(WIN_WAIT, "win_wait", FIELD_WINDOW)                                        \
  X(WIN_LOCK, "win_lock", FIELD_WINDOW | FIELD_OUT)                            \
  X(WIN_UNLOCK, "win_unlock", FIELD_WINDOW | FIELD_OUT)                        \
  X(PUT, "put", FIELD_WINDOW | FIELD_OUT)                                      \
  X(GET, "get", FIELD_WINDOW | FIELD_IN)                                       \
  X(ACCUMULATE, "accumulate", FIELD_WINDOW | FIELD_OUT)                        \
  X(FILE_OPEN, "file_open", FIELD_FILE)                                        \
  X(FILE_READ, "file_read", FIELD_FILE)                                        \
  X(FILE_WRITE, "file_write", FIELD_FILE)                                      \
  X(FILE_CLOSE, "file_close", FIELD_FILE)                                      \
  X(ENTER, "enter", FIELD_PLACE)                                               \
  X(LEAVE, "leave", 0)                                                         \
  X(INIT, "init", 0)                                                           \
  X(FINALIZE, "finalize", 0)                                                   \
  X(WIN_FLUSH, "win_flush", FIELD_WINDOW)                                      \
  X(SLEEP, "sleep", FIELD_DURATION)                                            \
  X(FILE_IREAD, "file_iread", FIELD_FILE | FIELD_REQUEST)                      \
  X(FILE_IWRITE, "file_iwrite", FIELD_FILE | FIELD_REQUEST)                    \
  X(FILE_METADATA, "file_metadata", FIELD_FILE)                                \
  X(NEST, "nest", FIELD_WORK | FIELD_PLACE) /* never in a trace; `value` says which, `counts`, in parts, what it does */

/* Collective operations of MPI; i-forms have the fields of these and a request. A communicator comes with each. */
#define PROGRAM_COLLECTIVES(X)                                                                      \
  X(BARRIER, "barrier", 0)                                                                          \
  X(BCAST, "bcast", FIELD_ROOT | FIELD_BYTES)                                                       \
  X(GATHER, "gather", FIELD_ROOT | FIELD_BYTES)                                                     \
  X(GATHERV, "gatherv", FIELD_ROOT | FIELD_BYTES | FIELD_RECEIVED | FIELD_RECEIVED_PARTS)           \
  X(SCATTER, "scatter", FIELD_ROOT | FIELD_BYTES)                                                   \
  X(SCATTERV, "scatterv", FIELD_ROOT | FIELD_BYTES | FIELD_RECEIVED | FIELD_SENT_PARTS)             \
  X(ALLGATHER, "allgather", FIELD_BYTES)                                                            \
  X(ALLGATHERV, "allgatherv", FIELD_BYTES | FIELD_RECEIVED | FIELD_RECEIVED_PARTS)                  \
  X(ALLTOALL, "alltoall", FIELD_BYTES)                                                              \
  X(ALLTOALLV, "alltoallv", FIELD_BYTES | FIELD_RECEIVED | FIELD_SENT_PARTS | FIELD_RECEIVED_PARTS) \
  X(ALLTOALLW, "alltoallw", FIELD_BYTES | FIELD_RECEIVED | FIELD_SENT_PARTS | FIELD_RECEIVED_PARTS) \
  X(REDUCE, "reduce", FIELD_ROOT | FIELD_BYTES)                                                     \
  X(ALLREDUCE, "allreduce", FIELD_BYTES)                                                            \
  X(REDUCE_SCATTER, "reduce_scatter", FIELD_BYTES | FIELD_RECEIVED | FIELD_RECEIVED_PARTS)          \
  X(REDUCE_SCATTER_BLOCK, "reduce_scatter_block", FIELD_BYTES)                                      \
  X(SCAN, "scan", FIELD_BYTES)                                                                      \
  X(EXSCAN, "exscan", FIELD_BYTES)

enum program_kind {
#define KIND(kind, name, fields) PROGRAM_##kind,
#define I_KIND(kind, name, fields) PROGRAM_I##kind,
  PROGRAM_POINT_TO_POINT(KIND) PROGRAM_COLLECTIVES(KIND) PROGRAM_COLLECTIVES(I_KIND) PROGRAM_OTHERS(KIND) PROGRAM_KINDS
#undef KIND
#undef I_KIND
};

struct program_kind_row {
  const char *name;
  unsigned fields; /* of enum program_field */
};
extern const struct program_kind_row program_kinds[PROGRAM_KINDS];
int program_kind_named(const char *name); /* -1: none */

enum { PROGRAM_ANY = -1, PROGRAM_NOBODY = -2 }; /* any source, any tag; MPI_PROC_NULL */
enum { PROGRAM_WORLD = 0 };                     /* the communicator of all ranks; others have numbers from 1 */

/* The tag of win_lock; of win_unlock whether it is of all. And those of a window's messages, in its communicator. */
enum program_lock { PROGRAM_LOCK_SHARED, PROGRAM_LOCK_ALONE, PROGRAM_LOCK_ALL };
enum { PROGRAM_TAG_POST, PROGRAM_TAG_COMPLETE, PROGRAM_TAG_LOCK };

enum program_unit { UNIT_SECONDS, UNIT_FLOPS, UNIT_INSTRUCTIONS };

/* The rank's part in a collective operation, as Dimemas counts it. */
struct program_share {
  bool known;         /* the trace says it; else: see program_share */
  bool leads;         /* it is the root, or who stands for all */
  bool converges;     /* all send to the root, and nobody waits for the others but that */
  double gives, gets; /* bytes */
};

/* Where a program calls: a line of its source; or, as long as that is not known, an address in its file. */
struct program_site {
  const char *file, *function; /* NULL: not known */
  uint32_t line;               /* 0: `file` is the program's, or a library's, and the place is `address` in it */
  uint64_t address;
};

/* One operation; which fields it has, its kind says, the others are 0. What it points to lives until the next
 * operation of the rank is asked for, names and files as long as the source. What messages and collective operations of
 * programs that run have stands first, so that little is moved for each of these. */
struct program_operation {
  enum program_kind kind;
  enum program_unit unit; /* of work */
  double work;            /* of a compute */
  uint64_t burst;         /* which burst of the program a compute is: the places of the calls before and after it; 0 */
  int32_t destination, tag, source, source_tag;
  double bytes, received;
  int32_t root;
  uint32_t communicator;
  int64_t request; /* the rank's own number, from 0; free to be used again when it is done */
  const int64_t *requests;
  uint32_t request_count;
  uint32_t part_count; /* of both lists of parts */
  bool asks;           /* the rank has to be told which message it has got; never in a trace */
  bool tells;          /* when what it starts begins matters, should that be later; never in a trace */
  bool divided;        /* the trace says for how long, */
  double waited;       /* s, it waited for others to come; else it is found out by who came when */
  const double *parts, *received_parts;
  double duration;                 /* s that it takes on any machine */
  double took;                     /* s, in the run that was traced; 0: not known */
  double lost;                     /* of that, in a call: others had the processor */
  double polled;                   /* of that, of a compute: calls between that have found nothing */
  const struct program_site *site; /* lives as long as the source; NULL: not known */
  const int32_t *members;
  uint32_t member_count;
  uint32_t line;           /* of the file; 0: not known */
  const char *name, *file; /* NULL: not known */
  int64_t handle;          /* of a window or a file: its number, the same on all ranks that have it */
  double offset;           /* in a file, of its first byte */
  double span;             /* from there to behind its last byte, where others lie between; 0: none do */
  const char *counters;    /* what counters of the processor have counted in it: names, parted by commas; NULL: none */
  const double *counts;    /* how much, */
  uint32_t counted;        /* of so many */
  int64_t type, value;     /* of the event that enters or leaves a region, where the trace numbers them */
  struct program_share share;
};

enum { PROGRAM_REQUESTS_MOST = 1 << 24 };
#define PROGRAM_FILE_MOST 0x1p53 /* bytes of a file */
/* What no source may say, whatever its format: NULL, or how the operation is wrong. */
const char *program_operation_wrong(const struct program_operation *operation, uint32_t ranks);
enum program_kind program_plain(enum program_kind kind); /* of a collective one that is started: the one that is not */
/* Their number in traces of Dimemas, where there those that are started have one of their own; -1: none. */
int program_collective_number(enum program_kind kind);
int program_collective_of(int number); /* enum program_kind; -1: none */
/* The part of a rank, `first`: the first member of the communicator. */
struct program_share program_share(const struct program_operation *operation, int32_t rank, int32_t first);
/* What comes to the rank whose share is so much: of a reduce-scatter its own part, where the operation has parts.
 * `ranks`: those of the communicator; NULL: all. */
double program_own_part(const struct program_operation *operation, int32_t rank, const int32_t *ranks, uint32_t count,
                        double share);
/* Bytes to, or from, member k of so many; where the operation does not say, equal parts of the whole. */
double program_part(const struct program_operation *operation, bool sent, uint32_t k, uint32_t members);

/* The name of a counter, the k-th of those that have counted in the operation; it is `size` long. */
const char *program_counter(const struct program_operation *operation, uint32_t k, size_t *size);

/* What came of the last operation, for a program that runs; a trace looks at nothing of it. */
struct program_answer {
  double now;          /* the virtual time */
  double until;        /* it goes no farther: what would take longer may be handed over in parts; INFINITY: all comes */
  int32_t source, tag; /* of what was received, or is there */
  int64_t number;      /* of that message among those that its rank has sent, from 1; of win_unlock: so many it sends */
  bool done;           /* of test and iprobe */
  int32_t index;       /* of waitany and testany: which of its requests is done; negative: none */
  int64_t request;     /* the same, as the rank's number; negative: not said */
  bool begun;          /* that one has begun, and is not done */
  bool begins_later;   /* what the last operation has started: waitany will say when */
};

struct program_error {
  char text[180]; /* of open: with the file; of next: without, since `place` says where */
};

enum program_next {
  PROGRAM_NEXT,  /* the operation is there */
  PROGRAM_LAST,  /* the rank has no more */
  PROGRAM_FAILED /* the error says why */
};

/* Bursts of a rank whose time was measured: how many were interrupted, and of these how many took so long that the
 * median of their like stands for them. */
struct program_bursts {
  uint64_t all, interrupted, replaced;
};

struct program_source { /* how that of each kind begins */
  const struct program_source_kind *kind;
  uint32_t ranks;
};

typedef void program_take_file(void *user, const char *path);

/* A kind of source, in the table of sources.c. */
struct program_source_kind {
  const char *name; /* for people: "time-independent trace of SimGrid" */
  /* Is it one, by its first bytes (a folder has none)? */
  bool (*recognise)(const char *path, const char *head, size_t size);
  struct program_source *(*open)(const char *path, struct program_error *error); /* NULL: error */
  enum program_next (*next)(struct program_source *source, uint32_t rank, const struct program_answer *answer,
                            struct program_operation *operation, struct program_error *error);
  /* Where the rank's last operation stands: "trace.tit:12", for errors; "": it has none yet. */
  void (*place)(const struct program_source *source, uint32_t rank, char *out, size_t size);
  /* What is wrong with a rank that has ended well, with the place: a warning. False: nothing. NULL: it cannot be. */
  bool (*remark)(const struct program_source *source, uint32_t rank, char *out, size_t size);
  void (*close)(struct program_source *source);
  /* The files that are read besides that of the path; NULL: none are. */
  void (*files)(const char *path, program_take_file *take, void *user);
  /* NULL: it measures none. */
  struct program_bursts (*bursts)(const struct program_source *source, uint32_t rank);
  bool runs;     /* it starts a program, which is run once */
  bool answered; /* `next` looks at what came of the last operation, and not at the time alone */
};
bool program_source_is(const char *path);                                   /* is it one of any kind? */
const struct program_source_kind *program_source_kind_of(const char *path); /* NULL: of none */
/* The source that a path is, by its content; NULL: error. */
struct program_source *program_source_open(const char *path, struct program_error *error);
/* The files that it is read from, besides that of the path. */
void program_source_files(const char *path, program_take_file *take, void *user);
extern const struct program_source_kind chrome_source, dimemas_source, goal_source, otf2_source, own_trace_source,
    paraver_source, recorded_source, running_source, simulated_source, time_independent_source;
#endif
