/* What the files of this library share. It stands in the place of MPICH's in a process that is a simulated rank, or in
 * psl's own, of which each rank is a strand: it has MPICH's handles and constants, moves the data of messages through
 * shared memory, and hands each call to the simulator as an operation.
 *
 * Only one rank runs at a time (evaluators/programs/handover.h), so nothing that is shared is locked. What a call
 * needs of other ranks is there when the simulator has answered, since an operation ends in virtual time behind those
 * that it depends on. */
#ifndef PSL_MPI_RANK_H
#define PSL_MPI_RANK_H
#include "evaluators/programs/handover.h"
#include "evaluators/programs/mpi/clock.h"
#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Stands before each function of MPI that programs call: tools that define it find ours by its other name. */
#define PUBLIC __attribute__((visibility("default")))
#define API(name)                                                    \
  __asm__(".globl PMPI_" #name "\n.set PMPI_" #name ", MPI_" #name); \
  PUBLIC

/* ---- the rank ---- */

/* All that the calls of one rank leave behind; no file has variables of its own for it. */
struct rank {
  uint32_t number; /* in the world */
  struct seat *seat;
  const char *function; /* of MPI, which it is in */
  const void *site;     /* where the program calls it */
  uint32_t depth;       /* calls inside of calls: of functions that MPI calls back */
  bool is_local;        /* in a call that takes no virtual time */
  int thread_level;
  struct clock clock;
  struct communicator *world, *alone, **communicators;
  uint32_t communicator_count;
  struct datatype *types;
  uint32_t type_count;
  struct group **groups;
  uint32_t group_count;
  struct user_operation *users;
  struct key *keys;                   /* of attributes */
  struct attribute **type_attributes; /* of MPI's own datatypes, by number; NULL: none has any */
  char **type_names;                  /* likewise */
  struct info *environment;           /* what the program may ask of how it was started; NULL: not asked yet */
  struct info **infos;
  uint32_t info_count;
  struct window **windows;
  uint32_t window_count;
  struct file **files;
  uint32_t file_count;
  MPI_Errhandler file_errors; /* of those that are opened from now on */
  struct error_code *errors;  /* that the program has added */
  uint32_t error_count;
  struct handler *handlers; /* of errors */
  uint32_t handler_count;
  struct request **requests;
  uint32_t request_count, request_free; /* below this place none is free */
  struct request *posted, *posted_last; /* receives that have no message yet, in order */
  uint32_t posted_freed;                /* of which so many are of nobody any more */
  int64_t messages_sent;
  struct farewell *farewells; /* what is to be called at the end, the last one first */
  struct kept_state *kept;    /* what the C library keeps between calls; NULL: nothing yet */
  void *attached;             /* a buffer for MPI_Bsend */
  int attached_size;
};
extern struct area *area; /* shared by all ranks and psl */
extern struct rank *self; /* the rank that runs */

/* ---- calls: call.c ---- */

struct entry { /* a call of the program that takes virtual time, while it lasts */
  const char *function;
  double work; /* of a nest of loops that ends there */
};
void entry_end(struct entry *entry);
struct entry entry_begin(const char *function, const void *site);
struct entry nest_entry(const char *function, const void *site, bool times_nest);
#define CALL_NAMED(name) \
  struct entry entry __attribute__((cleanup(entry_end), unused)) = entry_begin(name, __builtin_return_address(0))
#define CALL CALL_NAMED(__func__) /* the first line of such a function */

struct local_entry { /* one that takes none, and is in hand for errors alone; what was so before */
  bool outermost;
  const char *function;
  const void *site, *before;
};
void local_end(const struct local_entry *entry);
struct local_entry local_begin(const char *function, const void *site, bool any_time);
#define LOCAL_ENTRY(name, any_time)                                      \
  struct local_entry local __attribute__((cleanup(local_end), unused)) = \
      local_begin(name, __builtin_return_address(0), any_time)
#define LOCAL_CALL LOCAL_ENTRY(__func__, false)         /* the first line of such a function; */
#define LOCAL_CALL_AS(name) LOCAL_ENTRY(name, false)    /* of one that has another name for Fortran; */
#define LOCAL_CALL_ANY_TIME LOCAL_ENTRY(__func__, true) /* of one that a program may call before MPI_Init, too */

/* The program is wrong: said by psl at the call in hand, where it does not want errors to be returned. */
int fail(MPI_Comm comm, int class, const char *format, ...) __attribute__((format(printf, 3, 4)));
_Noreturn void end_program(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Of a function of MPI: returns that class of error where the count is negative. */
#define COUNTS(class, count)                                     \
  do {                                                           \
    if ((count) < 0) return fail_count(class, (int64_t)(count)); \
  } while (0)
int fail_count(int class, int64_t count);
const char *call_name(void); /* MPI_Send */
bool in_call(void);
const void *call_site(void);
bool thread_is_alone(void);            /* the rank has no other one */
void leave(int code);                  /* the program ends with that status: is it right here? */
_Noreturn void leave_strand(int code); /* of psl's process; others go on */
/* The program leaves something undone: said in the end. */
void program_warn(const void *site, uint32_t count, const char *function);

/* ---- operations: call.c ---- */

struct program_operation *operation_add(enum program_kind kind); /* zeroed but for its place; handed over later */
void *operation_list(size_t size);                 /* what the operation added last points to, one block */
const struct program_answer *operations_end(void); /* all are done: the answer of the last one */

/* ---- what libraries keep: kept_state.c ---- */

struct exceptions { /* of C++, that a thread is handling: as its binary interface has it */
  void *caught;
  unsigned uncaught;
};
/* Those of the rank, which leaves none behind; and back. Where area->exceptions is there. */
struct exceptions exceptions_leave(void);
void exceptions_return(struct exceptions kept);

/* ---- shared memory: shared_memory.c ---- */

void *shared_get(size_t size); /* not zeroed */
void shared_give(void *block); /* NULL is fine */

/* ---- sliced programs: sliced.c ---- */

extern const char *no_data_begin; /* addresses where sliced programs have data that decide nothing; NULL: none yet */
#define NO_DATA_SIZE ((size_t)1 << 36)
static inline bool no_data(const void *place) {
  return no_data_begin && (size_t)((const char *)place - no_data_begin) < NO_DATA_SIZE;
}
void sliced_told(__builtin_va_list arguments, const void *from); /* by MPI_Pcontrol */

/* ---- datatypes: datatype.c ---- */

struct block { /* bytes that lie together */
  int64_t place, size;
};
struct run { /* `count` blocks of one size, each `step` bytes behind the one before */
  int64_t place, size, step, count;
};
struct datatype {
  int64_t size, lower, extent, true_lower, true_extent;
  uint32_t block_count;
  struct block *blocks; /* in the order of the data; NULL: one of `size` at 0 */
  uint32_t run_count;
  struct run *runs;   /* the same blocks */
  MPI_Datatype basic; /* what it is made of, where that is one type; else MPI_DATATYPE_NULL */
  uint32_t basic_size;
  bool committed;
  uint32_t references;                                    /* 0: a place that is free */
  int combiner, integer_count, address_count, type_count; /* what it was made by */
  int *integers;
  MPI_Aint *addresses;
  MPI_Datatype *types;
  char *name;
  struct attribute *attributes;
};
const struct datatype *datatype_of(MPI_Datatype handle);
bool datatype_valid(MPI_Datatype handle);
bool datatype_predefined(MPI_Datatype handle); /* MPI's own, or one of Fortran's kinds */
/* Of a call that is given it: 0, or the class of the error that the program is told of. */
int datatype_check(MPI_Comm comm, MPI_Datatype handle);
int data_type_check(MPI_Comm comm, int64_t count, MPI_Datatype handle); /* and its data are moved */
/* And they are there, or from there on. */
int data_check(MPI_Comm comm, const void *base, int64_t count, MPI_Datatype handle);
/* Of a call that asks of a type, or makes another one of it: returns that error. */
#define DATATYPE(handle)                                                        \
  do {                                                                          \
    if (!datatype_valid(handle)) return datatype_check(MPI_COMM_WORLD, handle); \
  } while (0)
bool datatype_is_contiguous(MPI_Datatype handle);            /* elements lie one behind the other, without holes */
struct attribute **datatype_attributes(MPI_Datatype handle); /* where those hang that the program has set */
const char *datatype_name(MPI_Datatype handle, char name[MPI_MAX_OBJECT_NAME]); /* for messages: name */
void datatype_keep(MPI_Datatype handle);                                        /* until datatype_drop */
void datatype_drop(MPI_Datatype handle);
/* MPICH's own ones are numbers that hold their size. */
static inline bool is_named(MPI_Datatype handle) { return ((uint32_t)handle & 0xffff0000u) == 0x4c000000u; }
static inline int64_t datatype_size(MPI_Datatype handle) {
  return is_named(handle) ? handle >> 8 & 255 : datatype_of(handle)->size;
}
static inline MPI_Datatype basic_of(MPI_Datatype handle) {
  return is_named(handle) ? handle : datatype_of(handle)->basic;
}
static inline size_t bytes_of(int64_t count, MPI_Datatype type) {
  return count <= 0 ? 0 : (size_t)count * (size_t)datatype_size(type);
}
/* From where they lie to one stretch of bytes, and back: at most `bytes` of them. */
void pack(const void *from, int64_t count, MPI_Datatype type, void *to);
void unpack(const void *from, size_t bytes, void *to, int64_t count, MPI_Datatype type);
static inline void *at(const void *base, int64_t offset) { return (char *)base + offset; }
int elements_in(size_t bytes, MPI_Datatype type); /* MPI_UNDEFINED: no whole number */
/* Of what the type is made of in the end; the last is counted where all of it is there. */
int64_t basics_in(size_t bytes, MPI_Datatype handle);

/* ---- data for other computers, "external32": external.c ---- */

size_t external_bytes(int64_t count, MPI_Datatype type); /* that they take there */
void external_pack(const void *from, int64_t count, MPI_Datatype type, void *there);
/* As many whole elements as these bytes hold: how many bytes they are here, and what is left over there. */
size_t external_unpack(void *there, size_t bytes, void *to, int64_t count, MPI_Datatype type);
MPI_Datatype external_layout(MPI_Datatype type); /* what lies in a file as that type says; until datatype_drop */

/* ---- reductions: reduction.c ---- */

/* inout = in op inout over packed elements. */
void reduce(MPI_Op op, const void *in, void *inout, int64_t count, MPI_Datatype type);
bool op_commutes(MPI_Op op);
bool op_spares(MPI_Op op); /* never writes into `in`, which a function of the program's may do */
bool types_alike(MPI_Datatype basic, MPI_Datatype other); /* the same kind of numbers */
/* May what is sent as one of MPI's own types be received as the other? Numbers of one kind and size, whatever their
 * sign and name; bytes and what is packed as any; MPI_DATATYPE_NULL, which stands for several types, too. */
bool types_match(MPI_Datatype sent, MPI_Datatype received);
bool compares(MPI_Datatype type); /* by MPI_Compare_and_swap */
/* Of a call that reduces: 0, or the class of the error that the program is told of. */
int op_check(MPI_Comm comm, MPI_Op op, MPI_Datatype type);
int fail_alias(MPI_Comm comm); /* what is given and what is got stand at one place */
int op_check_window(MPI_Comm comm, MPI_Op op, MPI_Datatype basic); /* what is in a window, by MPI's own ones alone */
void op_keep(MPI_Op op);                                           /* until op_drop, whenever the program frees it */
void op_drop(MPI_Op op);

/* ---- communicators: communicator.c ---- */

struct collective;
struct context { /* shared by the ranks of a communicator; an intercommunicator has both sides' */
  uint32_t id, references;
  uint32_t beside;                 /* the id of communicator_beside; 0: none yet */
  uint32_t sizes[2], *members[2];  /* world ranks; the second of an intercommunicator */
  struct collective *first, *last; /* operations that not all have left */
  struct forming *forming;
};
struct topology {
  int kind; /* MPI_CART, MPI_GRAPH, MPI_DIST_GRAPH */
  int dimensions;
  int *extents, *periods;  /* of a grid */
  int *index, *edges;      /* of a graph: of all ranks */
  int in_count, out_count; /* of this rank: those that it gets from and gives to */
  int *in, *out, *in_weights, *out_weights;
  bool weighted;
};
struct neighbors {
  const int *in, *out;
  int in_count, out_count;
};
struct attribute;
struct communicator {
  MPI_Comm handle;
  struct context *context;
  uint32_t references; /* the program's, and those of operations under way: it lasts as long as any */
  uint32_t side, rank; /* this process is member `rank` of members[side] */
  bool inter;
  uint32_t collectives; /* so many were called here */
  bool announced;       /* psl knows it */
  MPI_Errhandler errors;
  MPI_Win window; /* whose own one it is; 0: none's */
  struct topology *topology;
  struct communicator *beside; /* of the same ranks, for messages that the program does not see; NULL: not used yet */
  struct communicator *owner;  /* of one beside: which it lasts as long as */
  struct attribute *attributes;
  char name[MPI_MAX_OBJECT_NAME];
};
struct communicator *communicator_of(MPI_Comm handle);    /* where there is no such one the program ends */
struct communicator *communicator_given(MPI_Comm handle); /* NULL: there is none, and the program is told of errors */
/* Of a call, which gives that error. */
#define COMMUNICATOR(c, handle)                        \
  struct communicator *c = communicator_given(handle); \
  if (!c) return MPI_ERR_COMM
void communicators_open(void);
static inline uint32_t local_size(const struct communicator *c) { return c->context->sizes[c->side]; }
/* Those that it sends to: of an intercommunicator the other side. */
static inline uint32_t peer_count(const struct communicator *c) {
  return c->context->sizes[c->inter ? !c->side : c->side];
}
static inline uint32_t peer_world(const struct communicator *c, int rank) {
  return c->context->members[c->inter ? !c->side : c->side][rank];
}
int peer_rank(const struct communicator *c, uint32_t world); /* its number there; MPI_UNDEFINED: none */
bool errors_return(MPI_Comm comm, int class);                /* is the program told of an error, and goes on? */
MPI_Comm communicator_new(struct context *context, uint32_t side, uint32_t rank, const struct communicator *like);
struct context *context_new(uint32_t size, uint32_t other_size);
uint32_t communicator_number(struct communicator *c); /* by which psl knows it */
struct communicator *communicator_beside(struct communicator *c);
void communicator_end(struct communicator *c);
static inline struct communicator *communicator_keep(struct communicator *c) { /* until communicator_drop: c */
  (c->owner ? c->owner : c)->references++;
  return c;
}
static inline void communicator_drop(struct communicator *c) {
  struct communicator *lasting = c->owner ? c->owner : c;
  if (--lasting->references == 0) communicator_end(lasting);
}
MPI_Comm communicator_copy(struct communicator *c);
MPI_Comm communicator_copied(struct communicator *c, struct collective *shared); /* of ranks that have met */
MPI_Comm communicator_split(struct communicator *c, int color, int key);

/* ---- messages and requests: message.c ---- */
/* Two ranks tell each other something, by messages of the program's. */
void leaders_exchange(struct communicator *c, int other, int tag, const void *out, void *in, size_t size);

void freed_receive(void);  /* what has come for receives whose requests the program has freed */
void finalize_check(void); /* what the program has left unfinished */

/* ---- collective operations: collective.c ---- */

/* What a rank gives to a collective operation, and what it does with what the others have given when that is there. */
struct part {
  void *data; /* shared; NULL: nothing */
  size_t bytes;
  size_t *places; /* for each rank where its part begins, and where the last one ends; NULL: not divided */
  MPI_Datatype basic;
  void *made; /* what one rank has made for a new communicator that this rank is the first of */
  bool there;
};
struct collective { /* one operation of a communicator; shared */
  struct collective *next;
  uint32_t number, come, gone;
  uint32_t who; /* rank of the world that came first */
  enum program_kind kind;
  int root;
  size_t bytes;        /* the same for all, where that has to be */
  void *result;        /* of a reduction, once it is known */
  struct part parts[]; /* by rank; of an intercommunicator first those of side 0 */
};
/* All ranks tell each other something; to be left when that has been read. */
struct collective *agree_begin(struct communicator *c, const void *data, size_t size);
void collective_leave(struct communicator *c, struct collective *shared);
/* They meet, and the request is done when all have come. */
struct collective *agree_start(struct communicator *c, MPI_Request *request);

/* ---- topologies, groups, attributes, errors ---- */

struct neighbors neighbors_of(const struct communicator *c);
int finalize_attributes(void); /* as attributes_free */
void topology_free(struct topology *topology);
struct topology *topology_copy(const struct topology *topology);
struct attribute **window_attributes(MPI_Win handle); /* NULL: there is no such window, which the program is told */
MPI_Comm window_errors(MPI_Win handle);               /* by whose handler it is told of errors of the window */
bool window_known(MPI_Win handle, int key, void *value,
                  int *flag); /* what MPI itself hangs onto a window; false: not that */
/* By the program's functions: 0, or what one of them has returned for an error, which the program is told of. */
int attributes_free(MPI_Comm comm, int handle, struct attribute **attributes);
int attributes_copy(MPI_Comm comm, int handle, struct attribute *from, struct attribute **to);
int group_check(MPI_Group group); /* of a call that is given it: 0, or the class of the error */
/* Returns that. */
#define GROUP_GIVEN(group)                        \
  do {                                            \
    if (group_check(group)) return MPI_ERR_GROUP; \
  } while (0)
uint32_t group_size(MPI_Group group);
uint32_t group_at(MPI_Group group, uint32_t rank);
int group_rank(MPI_Group group, uint32_t member); /* MPI_UNDEFINED: it is not in it */
MPI_Group group_make(const uint32_t *members, uint32_t size);
bool errors_handle(const struct communicator *c, int class); /* false: they end the program */
/* The same, of a call that is given the handler: 0, or the class of the error. */
int errhandler_set_checked(MPI_Errhandler *place, MPI_Errhandler handler);
int error_last(void);                                   /* the greatest code that there is */
MPI_Errhandler errhandler_keep(MPI_Errhandler handler); /* until errhandler_drop: the handler */
void errhandler_drop(MPI_Errhandler handler);
void errhandler_set(MPI_Errhandler *place, MPI_Errhandler handler); /* there instead of the one before */
struct file;
bool errors_of_file(const struct file *f, int class); /* likewise; NULL: of none */

#endif
