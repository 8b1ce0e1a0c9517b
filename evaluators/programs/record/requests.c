/* Requests by their handles, from their start to their end; and what ends them. Handles are used again, and an MPI may
 * give one handle to several requests that were done at once: then each stands for another one of them. */
#include "evaluators/programs/record/recorder.h"

enum { LISTS = 1 << 12 };

struct item {
  struct item *next;
  MPI_Request handle;
  bool claimed; /* by the call in hand */
  struct started started;
};
static struct item *lists[LISTS], *spare;
static int64_t *free_numbers, number_count;
static size_t free_count, free_capacity;

static size_t list_of(MPI_Request handle) { return (uintptr_t)handle * 0x9e3779b97f4a7c15u >> 52; }

int64_t request_number(void) { return free_count ? free_numbers[--free_count] : number_count++; }

static void number_give(int64_t number) {
  if (free_count == free_capacity) {
    free_capacity = free_capacity ? 2 * free_capacity : 64;
    free_numbers = realloc(free_numbers, free_capacity * sizeof *free_numbers);
  }
  free_numbers[free_count++] = number;
}

void numbers_give(int64_t *numbers, uint32_t count) {
  for (uint32_t k = 0; k < count; k++)
    number_give(numbers[k]);
  free(numbers);
}

int64_t request_add(MPI_Request handle, struct started started) {
  struct item *item = spare ? spare : malloc(sizeof *item);
  if (spare) spare = spare->next;
  if (!started.parts) started.number = request_number();
  *item = (struct item){lists[list_of(handle)], handle, false, started};
  lists[list_of(handle)] = item;
  return started.number;
}

static struct item *find(MPI_Request handle) {
  if (handle == MPI_REQUEST_NULL) return NULL;
  struct item *item = lists[list_of(handle)];
  while (item && (item->handle != handle || item->claimed))
    item = item->next;
  return item;
}

static void unlink(struct item *item) {
  struct item **at = &lists[list_of(item->handle)];
  while (*at != item)
    at = &(*at)->next;
  *at = item->next;
}

static void drop(struct item *item) {
  if (!item) return;
  unlink(item);
  item->next = spare;
  spare = item;
}

static void rename(struct item *item, MPI_Request handle) {
  unlink(item);
  item->handle = handle;
  item->next = lists[list_of(handle)];
  lists[list_of(handle)] = item;
}

/* ---- starts ---- */

static void started_put(MPI_Request handle, struct program_operation o, struct communicator *c) {
  struct started started = {.kind = o.kind, .active = true, .communicator = c};
  started.wildcard = o.kind == PROGRAM_IRECV && (o.source == PROGRAM_ANY || o.source_tag == PROGRAM_ANY);
  o.request = request_add(handle, started);
  operation_put(&o);
}

static struct program_operation out_of(enum program_kind kind, int count, MPI_Datatype type, int to, int tag,
                                       MPI_Comm comm) {
  uint32_t number = communicator_number(comm);
  struct program_operation o = operation_of(kind);
  o.communicator = number;
  o.destination = world_rank(communicator_of(comm), to);
  o.tag = to == MPI_PROC_NULL ? 0 : tag;
  o.bytes = bytes_of(count, type);
  return o;
}

static struct program_operation in_of(enum program_kind kind, int count, MPI_Datatype type, int from, int tag,
                                      MPI_Comm comm) {
  uint32_t number = communicator_number(comm);
  struct program_operation o = operation_of(kind);
  o.communicator = number;
  o.source = from == MPI_ANY_SOURCE ? PROGRAM_ANY : world_rank(communicator_of(comm), from);
  o.source_tag = tag == MPI_ANY_TAG ? PROGRAM_ANY : tag;
  o.received = bytes_of(count, type);
  return o;
}

static void settle(struct program_operation *o, MPI_Comm comm, const MPI_Status *status) {
  if (o->source == PROGRAM_ANY) o->source = world_rank(communicator_of(comm), status->MPI_SOURCE);
  if (o->source_tag == PROGRAM_ANY) o->source_tag = status->MPI_TAG;
}

#define OUT const void *buffer, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm
#define IN void *buffer, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm
#define PASSED buffer, count, type, peer, tag, comm
/* To and from nobody there is nothing to do, and psl is told nothing; but the burst before it ends there. */
static bool active_peer(int peer) {
  if (peer == MPI_PROC_NULL) call_put();
  return peer != MPI_PROC_NULL;
}

#define SENDS(name, kind)                                                        \
  STANDS_BEFORE(                                                                 \
      name, (OUT), (PASSED), , if (active_peer(peer)) {                          \
        struct program_operation o = out_of(kind, count, type, peer, tag, comm); \
        operation_put(&o);                                                       \
      })
SENDS(Send, PROGRAM_SEND)
SENDS(Bsend, PROGRAM_BSEND)
SENDS(Ssend, PROGRAM_SSEND)
SENDS(Rsend, PROGRAM_RSEND)

#define ISENDS(name, kind)                                               \
  STANDS_BEFORE(name, (OUT, MPI_Request * request), (PASSED, request), , \
                if (active_peer(peer))                                   \
                    started_put(*request, out_of(kind, count, type, peer, tag, comm), communicator_of(comm)))
ISENDS(Isend, PROGRAM_ISEND)
ISENDS(Ibsend, PROGRAM_IBSEND)
ISENDS(Issend, PROGRAM_ISSEND)
ISENDS(Irsend, PROGRAM_IRSEND)
STANDS_BEFORE(Irecv, (IN, MPI_Request *request), (PASSED, request), ,
              if (active_peer(peer))
                  started_put(*request, in_of(PROGRAM_IRECV, count, type, peer, tag, comm), communicator_of(comm)))

/* A status of our own where the program wants none. */
#define OWN_STATUS \
  MPI_Status own;  \
  if (status == MPI_STATUS_IGNORE) status = &own

static void put_received(struct program_operation o, MPI_Comm comm, const MPI_Status *status) {
  settle(&o, comm, status);
  operation_put(&o);
}

STANDS_BEFORE(Recv, (IN, MPI_Status *status), (PASSED, status), OWN_STATUS,
              if (active_peer(peer)) put_received(in_of(PROGRAM_RECV, count, type, peer, tag, comm), comm, status))
STANDS_BEFORE(Probe, (int peer, int tag, MPI_Comm comm, MPI_Status *status), (peer, tag, comm, status), OWN_STATUS,
              if (active_peer(peer)) put_received(in_of(PROGRAM_PROBE, 0, MPI_BYTE, peer, tag, comm), comm, status))
/* One that finds nothing is a part of the burst. */
STANDS_BEFORE(Iprobe, (int peer, int tag, MPI_Comm comm, int *flag, MPI_Status *status),
              (peer, tag, comm, flag, status), OWN_STATUS,
              if (*flag && active_peer(peer))
                  put_received(in_of(PROGRAM_PROBE, 0, MPI_BYTE, peer, tag, comm), comm, status))

static void put_both(int out_count, MPI_Datatype out_type, int to, int out_tag, int in_count, MPI_Datatype in_type,
                     int from, int in_tag, MPI_Comm comm, const MPI_Status *status) {
  bool sends = active_peer(to), receives = active_peer(from);
  struct program_operation o =
      out_of(sends && receives ? PROGRAM_SENDRECV : PROGRAM_SEND, out_count, out_type, to, out_tag, comm);
  if (receives) {
    struct program_operation in = in_of(PROGRAM_RECV, in_count, in_type, from, in_tag, comm);
    if (!sends) o = in;
    o.source = in.source, o.source_tag = in.source_tag, o.received = in.received;
    settle(&o, comm, status);
  }
  if (sends || receives) operation_put(&o);
}

STANDS_BEFORE(Sendrecv,
              (const void *out, int out_count, MPI_Datatype out_type, int to, int out_tag, void *in, int in_count,
               MPI_Datatype in_type, int from, int in_tag, MPI_Comm comm, MPI_Status *status),
              (out, out_count, out_type, to, out_tag, in, in_count, in_type, from, in_tag, comm, status), OWN_STATUS,
              put_both(out_count, out_type, to, out_tag, in_count, in_type, from, in_tag, comm, status))
STANDS_BEFORE(Sendrecv_replace,
              (void *buffer, int count, MPI_Datatype type, int to, int out_tag, int from, int in_tag, MPI_Comm comm,
               MPI_Status *status),
              (buffer, count, type, to, out_tag, from, in_tag, comm, status), OWN_STATUS,
              put_both(count, type, to, out_tag, count, type, from, in_tag, comm, status))

/* ---- persistent requests: each start is one of its own ---- */

static void persistent(MPI_Request handle, int peer, struct program_operation o, struct communicator *c) {
  if (!active_peer(peer)) return;
  struct started started = {.kind = o.kind, .persistent = true, .operation = o, .communicator = c};
  started.wildcard = o.kind == PROGRAM_IRECV && (o.source == PROGRAM_ANY || o.source_tag == PROGRAM_ANY);
  request_add(handle, started);
}

static void start(MPI_Request handle) {
  struct item *item = find(handle);
  if (!item) return;
  struct started *started = &item->started;
  struct program_operation now = operation_of(started->kind), o = started->operation;
  o.took = now.took, o.site = now.site, o.request = started->number;
  started->active = true;
  operation_put(&o);
}

STANDS_BEFORE(Send_init, (OUT, MPI_Request *request), (PASSED, request), ,
              persistent(*request, peer, out_of(PROGRAM_ISEND, count, type, peer, tag, comm), communicator_of(comm)))
STANDS_BEFORE(Bsend_init, (OUT, MPI_Request *request), (PASSED, request), ,
              persistent(*request, peer, out_of(PROGRAM_IBSEND, count, type, peer, tag, comm), communicator_of(comm)))
STANDS_BEFORE(Ssend_init, (OUT, MPI_Request *request), (PASSED, request), ,
              persistent(*request, peer, out_of(PROGRAM_ISSEND, count, type, peer, tag, comm), communicator_of(comm)))
STANDS_BEFORE(Rsend_init, (OUT, MPI_Request *request), (PASSED, request), ,
              persistent(*request, peer, out_of(PROGRAM_IRSEND, count, type, peer, tag, comm), communicator_of(comm)))
STANDS_BEFORE(Recv_init, (IN, MPI_Request *request), (PASSED, request), ,
              persistent(*request, peer, in_of(PROGRAM_IRECV, count, type, peer, tag, comm), communicator_of(comm)))
STANDS_BEFORE(Start, (MPI_Request * request), (request), , start(*request))
STANDS_BEFORE(Startall, (int count, MPI_Request requests[]), (count, requests), ,
              for (int k = 0; k < count; k++) start(requests[k]))
/* A receive that is given up ends by itself. */
static void given_up(struct item *item) {
  if (item && item->started.active && item->started.kind == PROGRAM_IRECV) {
    struct program_operation o = operation_of(PROGRAM_REQUEST_FREE);
    o.requests = &item->started.number;
    o.request_count = 1;
    operation_put(&o);
  }
  drop(item);
}

STANDS_BEFORE(Request_free, (MPI_Request * request), (request), struct item *gone = find(*request), given_up(gone))

/* ---- the end of requests ---- */

/* Its status will say whether it was. */
static void cancelled(struct item *item) {
  if (item) item->started.cancelled = true;
}

STANDS_BEFORE(Cancel, (MPI_Request * request), (request), struct item *one = find(*request), cancelled(one))

/* A request of a call, as it was before that: NULL if it is none that goes on. */
static struct item *claim(MPI_Request handle) {
  struct item *item = find(handle);
  if (!item || !item->started.active) return NULL;
  item->claimed = true;
  return item;
}

static void release(struct item *item) {
  if (item) item->claimed = false;
}

/* A request has ended; what a receive for any has got goes into the operation that it was started by. */
static void ended(struct item *item, const MPI_Status *status) {
  struct started *s = &item->started;
  int cancelled = 0;
  if (s->cancelled) PMPI_Test_cancelled(status, &cancelled);
  s->cancelled = false;
  if (cancelled) {
    cancelled_put(s->number);
  } else if (s->wildcard) {
    struct program_operation o = {.source = world_rank(s->communicator, status->MPI_SOURCE)};
    received_put(s->number, status, &o);
  }
  item->claimed = item->started.active = false;
  if (s->persistent) return;
  if (s->parts)
    numbers_give(s->parts, s->part_count);
  else
    number_give(s->number);
  drop(item);
}

static void put_wait(enum program_kind kind, const int64_t *numbers, uint32_t count) {
  struct program_operation o = operation_of(kind);
  o.requests = numbers;
  o.request_count = count;
  if (count) operation_put(&o);
}

static void wait_ended(struct item *item, const MPI_Status *status) {
  if (!item) return;
  const struct started *s = &item->started;
  put_wait(s->parts ? PROGRAM_WAITALL : PROGRAM_WAIT, s->parts ? s->parts : &s->number, s->parts ? s->part_count : 1);
  ended(item, status);
}

#define ONE                           \
  struct item *one = claim(*request); \
  OWN_STATUS
STANDS_BEFORE(Wait, (MPI_Request * request, MPI_Status *status), (request, status), ONE, wait_ended(one, status))
STANDS_BEFORE(Test, (MPI_Request * request, int *flag, MPI_Status *status), (request, flag, status), ONE, release(one);
              if (*flag) wait_ended(one, status))

/* All of a call, and room for their statuses. */
static struct item **claim_all(int count, const MPI_Request requests[], MPI_Status **statuses) {
  static struct item **all;
  static MPI_Status *room;
  static int capacity;
  if (count > capacity) {
    capacity = 2 * count;
    all = realloc(all, (size_t)capacity * sizeof *all);
    room = realloc(room, (size_t)capacity * sizeof *room);
  }
  for (int k = 0; k < count; k++)
    all[k] = claim(requests[k]);
  if (*statuses == MPI_STATUSES_IGNORE && count) *statuses = room;
  return all;
}

/* Those at `indices`, or the first `done` where that is NULL; the others go on. */
static void all_ended(struct item **all, int count, int done, const int *indices, const MPI_Status *statuses) {
  uint32_t used = 0, room = 0;
  for (int k = 0; k < done; k++) {
    const struct item *item = all[indices ? indices[k] : k];
    if (item) room += 1 + item->started.part_count;
  }
  int64_t *numbers = scratch(room * sizeof *numbers + 1);
  for (int k = 0; k < done; k++) {
    const struct item *item = all[indices ? indices[k] : k];
    if (item && !item->started.parts) numbers[used++] = item->started.number;
    for (uint32_t part = 0; item && part < item->started.part_count; part++)
      numbers[used++] = item->started.parts[part];
  }
  put_wait(PROGRAM_WAITALL, numbers, used);
  for (int k = 0; k < done; k++) {
    struct item **item = &all[indices ? indices[k] : k];
    if (*item) ended(*item, &statuses[k]);
    *item = NULL;
  }
  for (int k = 0; k < count; k++)
    release(all[k]);
}

/* An error of some of them: those that it has kept from their end go on. */
static void pending_release(struct item **all, int count, const MPI_Status *statuses) {
  for (int k = 0; k < count; k++) {
    if (statuses[k].MPI_ERROR != MPI_ERR_PENDING) continue;
    release(all[k]);
    all[k] = NULL;
  }
}

static int so_many(int done) { return done == MPI_UNDEFINED ? 0 : done; }

#define ALL struct item **all = claim_all(count, requests, &statuses)
STANDS_BEFORE(Waitall, (int count, MPI_Request requests[], MPI_Status *statuses), (count, requests, statuses), ALL,
              if (code != MPI_SUCCESS) pending_release(all, count, statuses);
              all_ended(all, count, count, NULL, statuses))
STANDS_BEFORE(Testall, (int count, MPI_Request requests[], int *flag, MPI_Status *statuses),
              (count, requests, flag, statuses), ALL, all_ended(all, count, *flag ? count : 0, NULL, statuses))
STANDS_BEFORE(Waitsome, (int count, MPI_Request requests[], int *done, int indices[], MPI_Status *statuses),
              (count, requests, done, indices, statuses), ALL, all_ended(all, count, so_many(*done), indices, statuses))
STANDS_BEFORE(Testsome, (int count, MPI_Request requests[], int *done, int indices[], MPI_Status *statuses),
              (count, requests, done, indices, statuses), ALL, all_ended(all, count, so_many(*done), indices, statuses))

static void one_ended(struct item **all, int count, int index, const MPI_Status *status) {
  for (int k = 0; k < count; k++)
    release(all[k]);
  if (index != MPI_UNDEFINED) wait_ended(all[index], status);
}

#define ANY                                                  \
  MPI_Status *statuses = MPI_STATUSES_IGNORE;                \
  struct item **all = claim_all(count, requests, &statuses); \
  OWN_STATUS
STANDS_BEFORE(Waitany, (int count, MPI_Request requests[], int *index, MPI_Status *status),
              (count, requests, index, status), ANY, one_ended(all, count, *index, status))
STANDS_BEFORE(Testany, (int count, MPI_Request requests[], int *index, int *flag, MPI_Status *status),
              (count, requests, index, flag, status), ANY,
              one_ended(all, count, *flag ? *index : MPI_UNDEFINED, status))

/* ---- matched probes: as under psl mpirun the message becomes a receive of it that is started ---- */

static void matched(MPI_Message message, int peer, int tag, MPI_Comm comm, const MPI_Status *status) {
  if (message == MPI_MESSAGE_NO_PROC) return;
  int size;
  PMPI_Get_count(status, MPI_BYTE, &size);
  put_received(in_of(PROGRAM_PROBE, 0, MPI_BYTE, peer, tag, comm), comm, status);
  struct program_operation o = in_of(PROGRAM_IRECV, size, MPI_BYTE, status->MPI_SOURCE, status->MPI_TAG, comm);
  o.took = 0;
  started_put((MPI_Request)message, o, communicator_of(comm));
}

STANDS_BEFORE(Mprobe, (int peer, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status),
              (peer, tag, comm, message, status), OWN_STATUS, matched(*message, peer, tag, comm, status))
STANDS_BEFORE(Improbe, (int peer, int tag, MPI_Comm comm, int *flag, MPI_Message *message, MPI_Status *status),
              (peer, tag, comm, flag, message, status), OWN_STATUS,
              if (*flag) matched(*message, peer, tag, comm, status))

#define MATCHED struct item *one = *message == MPI_MESSAGE_NO_PROC ? NULL : claim((MPI_Request)*message)
STANDS_BEFORE(Mrecv, (void *buffer, int count, MPI_Datatype type, MPI_Message *message, MPI_Status *status),
              (buffer, count, type, message, status), MATCHED;
              OWN_STATUS, wait_ended(one, status))
STANDS_BEFORE(Imrecv, (void *buffer, int count, MPI_Datatype type, MPI_Message *message, MPI_Request *request),
              (buffer, count, type, message, request), MATCHED, release(one);
              if (one) rename(one, *request))
