/* Messages between two ranks, and requests. A message's data wait in the receiver's mailbox, which is shared, until psl
 * says which message a receive has got; receives of a given source and tag take theirs in the order in which they were
 * posted, as MPI has it.
 *
 * Where the ranks have one memory, long data are mostly copied but once, from where the sender has them to where the
 * receiver wants them: at once where that waits for them; else they are lent as long as the sender's request lasts. */
#include "evaluators/programs/mpi/request.h"
#include <stdio.h>
#include <stdlib.h>

struct message { /* shared */
  struct message *next;
  uint32_t context, sender; /* rank of the world, */
  int tag, source;          /* and in the communicator of the receiver's peers */
  int64_t number;           /* among those that its rank has sent, from 1 */
  size_t bytes;
  MPI_Datatype basic;
  const void *data;      /* behind it, in a block of their own, or lent; NULL: in the receiver's buffer, or nowhere */
  struct message **lent; /* where their sender notes that it has lent them; NULL: they are not */
  unsigned char behind[];
};
struct mail { /* some senders' messages, in order */
  struct message *first, *last;
};
struct mailbox {     /* of a rank, as large as what waits there */
  struct mail *mail; /* by the sender's rank of the world, hashed; NULL: nothing has come yet */
  uint32_t capacity, count;
  struct rank *rank; /* in psl's process: it has waited for a long message; NULL: not yet */
};

/* ---- requests ---- */

/* In two parts: for all at once compilers take an instruction that is slow to begin. */
static inline void request_clear(struct request *r) {
  enum { PART = sizeof *r / 2 };
  memset(r, 0, PART);
  memset((char *)r + PART, 0, sizeof *r - PART);
}

struct request *request_new(MPI_Request *handle) {
  uint32_t place = self->request_free;
  while (place < self->request_count && self->requests[place] && self->requests[place]->kind != REQUEST_FREE)
    place++;
  self->request_free = place + 1;
  if (place == self->request_count) {
    self->request_count = self->request_count ? 2 * self->request_count : 16;
    self->requests = realloc(self->requests, self->request_count * sizeof *self->requests);
    memset(self->requests + place, 0, (self->request_count - place) * sizeof(struct request *));
  }
  struct request *r = self->requests[place];
  if (!r) r = self->requests[place] = malloc(sizeof *r);
  request_clear(r);
  r->number = place, r->site = self->site, r->function = self->function;
  if (handle) *handle = (MPI_Request)(REQUEST | place);
  return r;
}

/* In line where messages are waited for. */
static inline struct request *request_at(MPI_Request handle) {
  uint32_t place = (uint32_t)handle & 0x3ffffff;
  if (handle == MPI_REQUEST_NULL) return NULL;
  if (((uint32_t)handle & 0xfc000000u) == REQUEST && place < self->request_count && self->requests[place] &&
      self->requests[place]->kind != REQUEST_FREE)
    return self->requests[place];
  end_program("%s is given %#x, which is no request", call_name(), (unsigned)handle);
}

/* Of a call that is given them: 0, or the class of the error that the program is told of. */
static int requests_check(int count, const MPI_Request handles[]) {
  if (count < 0) return fail_count(MPI_ERR_COUNT, count);
  for (int k = 0; k < count; k++) {
    uint32_t place = (uint32_t)handles[k] & 0x3ffffff;
    bool is_request = ((uint32_t)handles[k] & 0xfc000000u) == REQUEST && place < self->request_count &&
                      self->requests[place] && self->requests[place]->kind != REQUEST_FREE;
    if (!is_request && handles[k] != MPI_REQUEST_NULL)
      return fail(MPI_COMM_WORLD, MPI_ERR_REQUEST, "%s is given %#x, which is no request", call_name(),
                  (unsigned)handles[k]);
  }
  return MPI_SUCCESS;
}

/* Returns that. */
#define REQUESTS(count, handles)                      \
  do {                                                \
    int no_requests = requests_check(count, handles); \
    if (no_requests) return no_requests;              \
  } while (0)

struct request *request_of(MPI_Request handle) {
  return request_at(handle);
}

/* The sender may do with its data what it likes from now on: who has not copied them gets a copy. */
static void lent_end(struct message **lent) {
  struct message *m = *lent;
  if (!m) return;
  m->data = memcpy(shared_get(m->bytes), m->data, m->bytes);
  m->lent = NULL;
  *lent = NULL;
}

static void request_drop(struct request *r) {
  lent_end(&r->lent);
  datatype_drop(r->type);
  if (r->c) communicator_drop(r->c);
  if (r->exchange) exchange_free(r->exchange);
  for (int k = 0; k < r->part_count; k++)
    if (request_at(r->parts[k])) request_drop(request_at(r->parts[k]));
  if (r->parts) free(r->parts);
  r->exchange = NULL;
  r->parts = NULL;
  r->kind = REQUEST_FREE;
  if (r->number < self->request_free) self->request_free = r->number;
}

/* ---- statuses ---- */

void status_set(MPI_Status *status, int source, int tag, size_t bytes) {
  if (status == MPI_STATUS_IGNORE) return;
  status->MPI_SOURCE = source;
  status->MPI_TAG = tag;
  status->count_lo = (int)(bytes & 0xffffffffu);
  status->count_hi_and_cancelled = (int)(bytes >> 32 << 1);
}
static void status_empty(MPI_Status *status) {
  status_set(status, MPI_ANY_SOURCE, MPI_ANY_TAG, 0);
  if (status != MPI_STATUS_IGNORE) status->MPI_ERROR = MPI_SUCCESS;
}
static size_t status_bytes(const MPI_Status *status) {
  return (uint32_t)status->count_lo | (size_t)(uint32_t)status->count_hi_and_cancelled >> 1 << 32;
}

API(Get_count) int MPI_Get_count(const MPI_Status *status, MPI_Datatype type, int *count) {
  LOCAL_CALL;
  DATATYPE(type);
  *count = elements_in(status_bytes(status), type);
  return MPI_SUCCESS;
}

/* Of one type they have to be whole. */
static MPI_Count elements_of(const MPI_Status *status, MPI_Datatype handle) {
  const struct datatype *type = datatype_of(handle);
  size_t bytes = status_bytes(status);
  bool whole = type->basic == MPI_DATATYPE_NULL || bytes % type->basic_size == 0;
  return whole ? (MPI_Count)basics_in(bytes, handle) : MPI_UNDEFINED;
}

API(Get_elements) int MPI_Get_elements(const MPI_Status *status, MPI_Datatype type, int *count) {
  LOCAL_CALL;
  DATATYPE(type);
  *count = (int)elements_of(status, type);
  return MPI_SUCCESS;
}

API(Get_elements_x) int MPI_Get_elements_x(const MPI_Status *status, MPI_Datatype type, MPI_Count *count) {
  LOCAL_CALL;
  DATATYPE(type);
  *count = elements_of(status, type);
  return MPI_SUCCESS;
}

API(Status_set_elements_x) int MPI_Status_set_elements_x(MPI_Status *status, MPI_Datatype type, MPI_Count count) {
  LOCAL_CALL;
  COUNTS(MPI_ERR_COUNT, count);
  status_set(status, status->MPI_SOURCE, status->MPI_TAG, bytes_of(count, type));
  return MPI_SUCCESS;
}
API(Status_set_elements) int MPI_Status_set_elements(MPI_Status *status, MPI_Datatype type, int count) {
  LOCAL_CALL;
  return MPI_Status_set_elements_x(status, type, count);
}

API(Status_set_cancelled) int MPI_Status_set_cancelled(MPI_Status *status, int flag) {
  LOCAL_CALL_ANY_TIME;
  status->count_hi_and_cancelled = (status->count_hi_and_cancelled & ~1) | !!flag;
  return MPI_SUCCESS;
}

API(Test_cancelled) int MPI_Test_cancelled(const MPI_Status *status, int *flag) {
  LOCAL_CALL;
  *flag = status->count_hi_and_cancelled & 1;
  return MPI_SUCCESS;
}

/* ---- mail ---- */

static struct mail *mail_of(struct mailbox *box, uint32_t sender) {
  return &box->mail[sender * 0x9e3779b9u >> (33 - (uint32_t)__builtin_ffs((int)box->capacity))];
}

static void mail_add(struct mail *mail, struct message *m) {
  m->next = NULL;
  *(mail->last ? &mail->last->next : &mail->first) = m;
  mail->last = m;
}

/* What is of one sender stays in order. */
static void mailbox_grow(struct mailbox *box) {
  struct mailbox larger = {.capacity = box->mail ? 4 * box->capacity : 4, .count = box->count, .rank = box->rank};
  larger.mail = shared_get(larger.capacity * sizeof *larger.mail);
  memset(larger.mail, 0, larger.capacity * sizeof *larger.mail);
  for (uint32_t k = 0; k < box->capacity; k++)
    for (struct message *m = box->mail[k].first, *next; m; m = next) {
      next = m->next;
      mail_add(mail_of(&larger, m->sender), m);
    }
  shared_give(box->mail);
  *box = larger;
}

static __attribute__((noinline)) void mailboxes_open(void) {
  area->mailboxes = shared_get(area->ranks * sizeof *area->mailboxes);
  memset(area->mailboxes, 0, area->ranks * sizeof *area->mailboxes);
}

static inline struct mailbox *mailbox_of(uint32_t receiver) {
  if (!area->mailboxes) mailboxes_open();
  return &area->mailboxes[receiver];
}

/* Does psl alone know which message a receive gets? */
static bool any_of(int from, int tag) { return from == MPI_ANY_SOURCE || tag == MPI_ANY_TAG; }

static void posted_take(struct rank *rank, struct request *before, struct request *r) {
  *(before ? &before->next_posted : &rank->posted) = r->next_posted;
  if (rank->posted_last == r) rank->posted_last = before;
  r->is_posted = false;
}

static void posted_remove(struct request *r) {
  struct request *before = NULL;
  if (!r->is_posted) return;
  for (struct request *p = self->posted; p != r; p = p->next_posted)
    before = p;
  posted_take(self, before, r);
}

/* Where there is no memory the program ends here, and not where another rank copies. */
static void touch(const void *data, size_t bytes) {
  const volatile char *byte = data;
  if (bytes && !no_data(data)) (void)*byte, (void)byte[bytes - 1];
}

static inline bool is_solid(MPI_Datatype type) { return is_named(type) || datatype_is_contiguous(type); }

/* Is it worth it not to copy them twice, and can it be done? */
static inline bool are_long(size_t bytes) {
  enum { LEAST = 1024 };
  return bytes >= LEAST && area->inside && !area->memory_shared;
}

/* The receiver, of the world, waits for just this message, none of its sender's stands before it, and there is room for
 * its data: that receive, which is posted no more; NULL: it is not so, or would take long to find out. Types that the
 * receiver has made are numbers of its own. */
static struct request *awaited(uint32_t receiver, const struct communicator *c, int tag, size_t bytes) {
  enum { MOST = 8 };
  struct mailbox *box = mailbox_of(receiver);
  struct request *p = box->rank ? box->rank->posted : NULL, *before = NULL;
  if (!p || (box->count && mail_of(box, self->number)->first)) return NULL;
  for (int k = 0; p && k < MOST && !any_of(p->peer, p->tag); k++, before = p, p = p->next_posted) {
    if (p->tag != tag || p->peer != (int)c->rank || p->c->context->id != c->context->id) continue;
    if (!p->awaited || !is_named(p->type) || bytes > bytes_of(p->count, p->type)) return NULL;
    posted_take(box->rank, before, p);
    return p;
  }
  return NULL;
}

static inline struct message *message_new(const struct communicator *c, int tag, size_t bytes, MPI_Datatype type,
                                          size_t behind) {
  struct message *m = shared_get(sizeof *m + behind);
  *m = (struct message){.number = ++self->messages_sent,
                        .context = c->context->id,
                        .sender = self->number,
                        .tag = tag,
                        .source = (int)c->rank,
                        .bytes = bytes,
                        .basic = basic_of(type)};
  return m;
}

/* `lent`: where it can be noted that the data are; NULL: nowhere, and they are copied at once. */
static void post(struct communicator *c, const void *buffer, int64_t count, MPI_Datatype type, int to, int tag,
                 struct message **lent) {
  size_t bytes = bytes_of(count, type);
  uint32_t receiver = peer_world(c, to);
  bool nothing = no_data(buffer), spared = are_long(bytes) && is_solid(type) && !nothing, lends = spared && lent;
  struct request *waits = spared ? awaited(receiver, c, tag, bytes) : NULL;
  if (waits) {
    waits->message = message_new(c, tag, bytes, type, 0);
    if (!no_data(waits->buffer)) memcpy(waits->buffer, buffer, bytes);
    return;
  }
  struct message *m = message_new(c, tag, bytes, type, lends || nothing ? 0 : bytes);
  if (nothing) {
    m->data = NULL;
  } else if (lends) {
    touch(buffer, bytes);
    m->data = buffer;
    *(m->lent = lent) = m;
  } else {
    m->data = m->behind;
    pack(buffer, count, type, m->behind);
  }
  struct mailbox *box = mailbox_of(receiver);
  if (box->count++ == 2 * box->capacity) mailbox_grow(box);
  mail_add(mail_of(box, m->sender), m);
}

/* Takes the message of that sender with the number; 0: the first one of the communicator and tag. */
static struct message *take(uint32_t sender, int64_t number, uint32_t context, int tag) {
  struct mailbox *box = mailbox_of(self->number);
  struct mail *mail = box->count ? mail_of(box, sender) : &(struct mail){0};
  struct message *before = NULL;
  for (struct message *m = mail->first; m; before = m, m = m->next) {
    if (m->sender != sender || (number ? m->number != number : m->context != context || m->tag != tag)) continue;
    *(before ? &before->next : &mail->first) = m->next;
    if (mail->last == m) mail->last = before;
    box->count--;
    return m;
  }
  return NULL;
}

static void posted_add(struct request *r) {
  r->next_posted = NULL;
  if (self->posted_last)
    self->posted_last->next_posted = r;
  else
    self->posted = r;
  self->posted_last = r;
  r->is_posted = true;
}

static int deliver(struct request *r, MPI_Status *status);

/* What is lent goes to the buffer, if it has room: then its sender has it back. */
static void land(const struct request *r, struct message *m) {
  if (!m->lent || m->bytes > bytes_of(r->count, r->type) || !is_solid(r->type)) return;
  if (!no_data(r->buffer)) memcpy(r->buffer, m->data, m->bytes);
  *m->lent = NULL;
  m->lent = NULL;
  m->data = NULL;
}

static void message_free(struct message *m) {
  if (m->lent)
    *m->lent = NULL;
  else if (m->data != m->behind)
    shared_give((void *)m->data);
  shared_give(m);
}

/* Nobody waits for what a freed one gets: it goes to its buffer at once. */
static void message_set(struct request *r, struct message *m) {
  r->message = m;
  if (m) land(r, m);
  if (!m || !r->freed) return;
  self->posted_freed--;
  deliver(r, MPI_STATUS_IGNORE);
}

/* Is the message there already that a receive of a given source and tag gets? Then it has it, as have those that were
 * posted before. Which message one for any source or tag gets, psl has to say first; and where ranks reach into the
 * memory of others, in what order they do, but for one that nobody waits for. */
static bool matches_already(struct request *r) {
  if (r->message) return true;
  for (struct request *p = self->posted, *next; p && (r->freed || !area->memory_shared); p = next) {
    next = p->next_posted;
    if (any_of(p->peer, p->tag)) return false;
    bool same = p == r || (p->c->context->id == r->c->context->id && p->tag == r->tag && p->peer == r->peer);
    if (same && area->memory_shared && !p->freed) return false;
    struct message *m = same ? take(peer_world(p->c, p->peer), 0, p->c->context->id, p->tag) : NULL;
    if (same && !m) return false;
    if (same) posted_remove(p), message_set(p, m);
    if (p == r) return true;
  }
  return false;
}

/* A receive has got its message, of which psl knows the number if it was for any source or tag; else it is the next one
 * of its source and tag, behind those of receives that were posted before it. */
static void match(struct request *r, uint32_t sender, int64_t number) {
  uint32_t context = r->c->context->id;
  for (struct request *p = self->posted, *next; !number && p && p != r; p = next) {
    next = p->next_posted;
    if (p->c->context->id != context || p->tag != r->tag || p->peer != r->peer) continue;
    posted_remove(p);
    message_set(p, take(sender, 0, context, p->tag));
  }
  posted_remove(r);
  r->message = take(sender, number, context, r->tag);
  if (!r->message)
    end_program("%s has ended before its message was sent: direct execution needs messages that are simulated",
                call_name());
}

/* The data of a receive's message go to its buffer. */
static int deliver(struct request *r, MPI_Status *status) {
  struct message *m = r->message;
  r->message = NULL;
  size_t room = bytes_of(r->count, r->type), bytes = m->bytes;
  MPI_Datatype basic = m->basic;
  status_set(status, m->source, m->tag, bytes < room ? bytes : room);
  if (m->data) unpack(m->data, bytes < room ? bytes : room, r->buffer, r->count, r->type);
  int source = m->source, tag = m->tag;
  message_free(m);
  if (bytes > room)
    return fail(r->c->handle, MPI_ERR_TRUNCATE,
                "%s: the message of %zu bytes from rank %d, tag %d, is longer than the "
                "%zu bytes of the receive",
                call_name(), bytes, source, tag, room);
  char sent[MPI_MAX_OBJECT_NAME], received[MPI_MAX_OBJECT_NAME];
  if (!bytes || types_match(basic, basic_of(r->type))) return MPI_SUCCESS;
  return fail(r->c->handle, MPI_ERR_TYPE, "%s: the message from rank %d, tag %d, is of %s and is received as %s",
              call_name(), source, tag, datatype_name(basic, sent), datatype_name(basic_of(r->type), received));
}

/* ---- sending and receiving ---- */

static int checked(struct communicator *c, const void *buffer, int64_t count, MPI_Datatype type, int peer, int tag,
                   bool receives) {
  if (count < 0) return fail(c->handle, MPI_ERR_COUNT, "%s: the count %ld is negative", call_name(), (long)count);
  if (peer != MPI_PROC_NULL && !(receives && peer == MPI_ANY_SOURCE) && (peer < 0 || (uint32_t)peer >= peer_count(c)))
    return fail(c->handle, MPI_ERR_RANK, "%s: there is no rank %d in a communicator of %u", call_name(), peer,
                peer_count(c));
  if (tag < 0 && !(receives && tag == MPI_ANY_TAG))
    return fail(c->handle, MPI_ERR_TAG, "%s: the tag %d is negative", call_name(), tag);
  return data_check(c->handle, buffer, count, type);
}

/* The buffer that the program has attached has room for the message, as far as other messages leave it. */
static int buffer_check(const struct communicator *c, size_t bytes) {
  if (!self->attached)
    return fail(c->handle, MPI_ERR_BUFFER, "%s: the program has attached no buffer by MPI_Buffer_attach", call_name());
  size_t needed = bytes + MPI_BSEND_OVERHEAD;
  if (needed <= (size_t)self->attached_size) return MPI_SUCCESS;
  return fail(c->handle, MPI_ERR_BUFFER,
              "%s: the message of %zu bytes needs %zu with MPI_BSEND_OVERHEAD, and the attached buffer has %d",
              call_name(), bytes, needed, self->attached_size);
}

static void out_set(struct program_operation *operation, const struct communicator *c, int to, int tag, size_t bytes) {
  operation->communicator = c->context->id;
  operation->destination = (int32_t)peer_world(c, to);
  operation->tag = tag;
  operation->bytes = (double)bytes;
}

static bool group_open(const struct request *group);
static inline bool is_open(const struct request *r) {
  if (r->kind == REQUEST_RECEIVE) return !r->message && any_of(r->peer, r->tag);
  return r->kind == REQUEST_GROUP && group_open(r);
}
static bool group_open(const struct request *group) {
  int k = 0;
  while (k < group->part_count && !is_open(request_at(group->parts[k])))
    k++;
  return k < group->part_count;
}

static void in_set(struct program_operation *operation, const struct communicator *c, int from, int tag, size_t room) {
  operation->communicator = c->context->id;
  operation->source = from == MPI_ANY_SOURCE ? PROGRAM_ANY : (int32_t)peer_world(c, from);
  operation->source_tag = tag == MPI_ANY_TAG ? PROGRAM_ANY : tag;
  operation->received = (double)room;
}

static int send(enum program_kind kind, const void *buffer, int64_t count, MPI_Datatype type, int to, int tag,
                MPI_Comm comm) {
  COMMUNICATOR(c, comm);
  int wrong = checked(c, buffer, count, type, to, tag, false);
  if (wrong || to == MPI_PROC_NULL) return wrong;
  if (kind == PROGRAM_BSEND && (wrong = buffer_check(c, bytes_of(count, type)))) return wrong;
  communicator_number(c);
  out_set(operation_add(kind), c, to, tag, bytes_of(count, type));
  post(c, buffer, count, type, to, tag, NULL);
  if (kind == PROGRAM_SSEND && area->memory_shared) operations_end();
  return MPI_SUCCESS;
}

#define SEND(name, kind)                                                                                       \
  API(name) int MPI_##name(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) { \
    CALL;                                                                                                      \
    return send(kind, buffer, count, type, to, tag, comm);                                                     \
  }
SEND(Send, PROGRAM_SEND)
SEND(Bsend, PROGRAM_BSEND)
SEND(Ssend, PROGRAM_SSEND)
SEND(Rsend, PROGRAM_RSEND)

static void receive_match(struct request *r, const struct program_answer *answer) {
  if (is_open(r))
    match(r, (uint32_t)answer->source, answer->number);
  else
    match(r, peer_world(r->c, r->peer), 0);
}

static int received(struct request *r, const struct program_answer *answer, MPI_Status *status) {
  if (!r->message) receive_match(r, answer);
  return deliver(r, status);
}

/* The rank goes on when this receive is done, and not before. */
static inline void await_at(struct request *r) {
  if (!is_named(r->type) || !are_long(bytes_of(r->count, r->type))) return;
  touch(r->buffer, 1);
  r->awaited = true;
  mailbox_of(self->number)->rank = self;
}

static inline int received_in(struct request *r, MPI_Status *status) {
  bool there = matches_already(r);
  if (!there) await_at(r);
  return received(r, there ? NULL : operations_end(), status);
}

/* The receive of a blocking call lives as long as that. */
static struct request *blocking(struct communicator *c, void *buffer, int64_t count, MPI_Datatype type, int from,
                                int tag) {
  struct request *r = request_new(NULL);
  r->kind = REQUEST_RECEIVE;
  r->c = communicator_keep(c), r->buffer = buffer, r->count = count, r->type = type, r->peer = from, r->tag = tag;
  datatype_keep(type);
  posted_add(r);
  return r;
}

API(Recv)
int MPI_Recv(void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status *status) {
  CALL;
  COMMUNICATOR(c, comm);
  int wrong = checked(c, buffer, count, type, from, tag, true);
  if (wrong) return wrong;
  if (from == MPI_PROC_NULL) {
    status_set(status, MPI_PROC_NULL, MPI_ANY_TAG, 0);
    return MPI_SUCCESS;
  }
  communicator_number(c);
  struct program_operation *operation = operation_add(PROGRAM_RECV);
  in_set(operation, c, from, tag, bytes_of(count, type));
  operation->asks = any_of(from, tag);
  struct request *r = blocking(c, buffer, count, type, from, tag);
  wrong = received_in(r, status);
  request_drop(r);
  return wrong;
}

static int sendrecv(const void *out, int64_t out_count, MPI_Datatype out_type, int to, int out_tag, void *in,
                    int64_t in_count, MPI_Datatype in_type, int from, int in_tag, struct communicator *c,
                    MPI_Status *status) {
  int wrong = checked(c, out, out_count, out_type, to, out_tag, false);
  if (!wrong) wrong = checked(c, in, in_count, in_type, from, in_tag, true);
  if (wrong) return wrong;
  communicator_number(c);
  bool sends = to != MPI_PROC_NULL, receives = from != MPI_PROC_NULL;
  struct program_operation *operation = NULL;
  if (sends || receives)
    operation = operation_add(sends && receives ? PROGRAM_SENDRECV : sends ? PROGRAM_SEND : PROGRAM_RECV);
  if (sends) {
    out_set(operation, c, to, out_tag, bytes_of(out_count, out_type));
    post(c, out, out_count, out_type, to, out_tag, NULL);
  }
  if (!receives) {
    status_set(status, MPI_PROC_NULL, MPI_ANY_TAG, 0);
    return MPI_SUCCESS;
  }
  in_set(operation, c, from, in_tag, bytes_of(in_count, in_type));
  operation->asks = any_of(from, in_tag);
  struct request *r = blocking(c, in, in_count, in_type, from, in_tag);
  wrong = received_in(r, status);
  request_drop(r);
  return wrong;
}

API(Sendrecv)
int MPI_Sendrecv(const void *out, int out_count, MPI_Datatype out_type, int to, int out_tag, void *in, int in_count,
                 MPI_Datatype in_type, int from, int in_tag, MPI_Comm comm, MPI_Status *status) {
  CALL;
  COMMUNICATOR(c, comm);
  return sendrecv(out, out_count, out_type, to, out_tag, in, in_count, in_type, from, in_tag, c, status);
}

/* What is sent is copied before anything is received. */
API(Sendrecv_replace)
int MPI_Sendrecv_replace(void *buffer, int count, MPI_Datatype type, int to, int out_tag, int from, int in_tag,
                         MPI_Comm comm, MPI_Status *status) {
  CALL;
  COMMUNICATOR(c, comm);
  return sendrecv(buffer, count, type, to, out_tag, buffer, count, type, from, in_tag, c, status);
}

void leaders_exchange(struct communicator *c, int other, int tag, const void *out, void *in, size_t size) {
  sendrecv(out, (int64_t)size, MPI_BYTE, other, tag, in, (int64_t)size, MPI_BYTE, other, tag, c, MPI_STATUS_IGNORE);
}

/* ---- requests that are started ---- */

static enum program_kind started_as(enum program_kind mode) {
  switch (mode) {
  case PROGRAM_BSEND: return PROGRAM_IBSEND;
  case PROGRAM_SSEND: return PROGRAM_ISSEND;
  case PROGRAM_RSEND: return PROGRAM_IRSEND;
  default: return PROGRAM_ISEND;
  }
}

static int request_start(struct request *r) {
  r->active = true;
  if (r->peer == MPI_PROC_NULL) return MPI_SUCCESS;
  communicator_number(r->c);
  bool sends = r->kind == REQUEST_SEND;
  struct program_operation *operation = operation_add(sends ? started_as(r->mode) : PROGRAM_IRECV);
  operation->request = r->number;
  if (sends) {
    out_set(operation, r->c, r->peer, r->tag, bytes_of(r->count, r->type));
    post(r->c, r->buffer, r->count, r->type, r->peer, r->tag, &r->lent);
  } else {
    in_set(operation, r->c, r->peer, r->tag, bytes_of(r->count, r->type));
    posted_add(r);
  }
  return MPI_SUCCESS;
}

int request_make(enum program_kind mode, bool persistent, const void *buffer, int64_t count, MPI_Datatype type,
                 int peer, int tag, struct communicator *c, MPI_Request *handle) {
  bool receives = mode == PROGRAM_RECV;
  *handle = MPI_REQUEST_NULL;
  int wrong = checked(c, buffer, count, type, peer, tag, receives);
  if (!wrong && mode == PROGRAM_BSEND && !persistent && peer != MPI_PROC_NULL)
    wrong = buffer_check(c, bytes_of(count, type));
  if (wrong) return wrong;
  struct request *r = request_new(handle);
  r->kind = receives ? REQUEST_RECEIVE : REQUEST_SEND;
  r->mode = mode, r->persistent = persistent, r->c = communicator_keep(c);
  r->buffer = (void *)buffer, r->count = count, r->type = type, r->peer = peer, r->tag = tag;
  datatype_keep(type);
  return persistent ? MPI_SUCCESS : request_start(r);
}

#define STARTED(name, constant, mode, persistent)                                                       \
  API(name)                                                                                             \
  int MPI_##name(constant void *buffer, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm, \
                 MPI_Request *request) {                                                                \
    CALL;                                                                                               \
    *request = MPI_REQUEST_NULL;                                                                        \
    COMMUNICATOR(c, comm);                                                                              \
    return request_make(mode, persistent, buffer, count, type, peer, tag, c, request);                  \
  }
STARTED(Isend, const, PROGRAM_SEND, false)
STARTED(Ibsend, const, PROGRAM_BSEND, false)
STARTED(Issend, const, PROGRAM_SSEND, false)
STARTED(Irsend, const, PROGRAM_RSEND, false)
STARTED(Irecv, , PROGRAM_RECV, false)
STARTED(Send_init, const, PROGRAM_SEND, true)
STARTED(Bsend_init, const, PROGRAM_BSEND, true)
STARTED(Ssend_init, const, PROGRAM_SSEND, true)
STARTED(Rsend_init, const, PROGRAM_RSEND, true)
STARTED(Recv_init, , PROGRAM_RECV, true)

struct request *request_group(struct communicator *c, bool persistent, MPI_Request *parts, int count,
                              MPI_Request *handle) {
  struct request *r = request_new(handle);
  r->kind = REQUEST_GROUP, r->persistent = persistent, r->active = !persistent;
  r->c = communicator_keep(c), r->type = MPI_DATATYPE_NULL;
  r->parts = parts, r->part_count = count;
  return r;
}

API(Isendrecv)
int MPI_Isendrecv(const void *out, int out_count, MPI_Datatype out_type, int to, int out_tag, void *in, int in_count,
                  MPI_Datatype in_type, int from, int in_tag, MPI_Comm comm, MPI_Request *request) {
  CALL;
  *request = MPI_REQUEST_NULL;
  COMMUNICATOR(c, comm);
  int wrong = checked(c, out, out_count, out_type, to, out_tag, false);
  if (!wrong) wrong = checked(c, in, in_count, in_type, from, in_tag, true);
  if (wrong) return wrong;
  MPI_Request *parts = calloc(2, sizeof *parts);
  request_make(PROGRAM_RECV, false, in, in_count, in_type, from, in_tag, c, &parts[0]);
  request_make(PROGRAM_SEND, false, out, out_count, out_type, to, out_tag, c, &parts[1]);
  request_group(c, false, parts, 2, request)->receives = true;
  return MPI_SUCCESS;
}

/* What is sent is copied at once: what comes takes its place. */
API(Isendrecv_replace)
int MPI_Isendrecv_replace(void *buffer, int count, MPI_Datatype type, int to, int out_tag, int from, int in_tag,
                          MPI_Comm comm, MPI_Request *request) {
  CALL;
  int wrong = MPI_Isendrecv(buffer, count, type, to, out_tag, buffer, count, type, from, in_tag, comm, request);
  if (!wrong) lent_end(&request_of(request_of(*request)->parts[1])->lent);
  return wrong;
}

static int start(MPI_Request handle) {
  struct request *r = request_of(handle);
  if (!r || !r->persistent || r->active)
    return fail(MPI_COMM_WORLD, MPI_ERR_REQUEST, "%s: the request is not persistent, or is active", call_name());
  int wrong = MPI_SUCCESS;
  if (r->kind == REQUEST_COLLECTIVE) {
    exchange_start(r);
    return MPI_SUCCESS;
  }
  if (r->kind != REQUEST_GROUP) return request_start(r);
  r->active = true;
  for (int k = 0; !wrong && k < r->part_count; k++)
    wrong = start(r->parts[k]);
  return wrong;
}

API(Start) int MPI_Start(MPI_Request *request) {
  CALL;
  REQUESTS(1, request);
  return start(*request);
}

API(Startall) int MPI_Startall(int count, MPI_Request requests[]) {
  CALL;
  REQUESTS(count, requests);
  int wrong = MPI_SUCCESS;
  for (int k = 0; k < count && !wrong; k++)
    wrong = start(requests[k]);
  return wrong;
}

/* ---- the end of requests ---- */

static bool any_pending(const struct request *group);

/* Must a wait for it be simulated? */
static inline bool pending(const struct request *r) {
  return r && r->active && r->peer != MPI_PROC_NULL && !r->cancelled && !r->done && r->kind != REQUEST_GENERALIZED &&
         (r->kind != REQUEST_GROUP || any_pending(r));
}

static bool any_pending(const struct request *group) {
  int k = 0;
  while (k < group->part_count && !pending(request_at(group->parts[k])))
    k++;
  return k < group->part_count;
}

/* A request is done, as psl has said if it was pending. */
static int complete(MPI_Request *handle, const struct program_answer *answer, MPI_Status *status) {
  struct request *r = request_at(*handle);
  int wrong = MPI_SUCCESS;
  if (!r || !r->active) {
    status_empty(status);
    return MPI_SUCCESS;
  }
  r->active = r->awaited = false;
  lent_end(&r->lent);
  if (r->peer == MPI_PROC_NULL) {
    status_set(status, MPI_PROC_NULL, MPI_ANY_TAG, 0);
  } else if (r->cancelled) {
    status_empty(status);
    if (status != MPI_STATUS_IGNORE) MPI_Status_set_cancelled(status, 1);
  } else if (r->kind == REQUEST_GENERALIZED) {
    while (!generalized_ready(r))
      generalized_pause();
    wrong = generalized_query(r, status);
    int last = generalized_free(r);
    wrong = wrong ? wrong : last;
  } else if (r->kind == REQUEST_RECEIVE) {
    wrong = received(r, answer, status);
  } else {
    status_set(status, MPI_ANY_SOURCE, MPI_ANY_TAG, r->bytes);
    if (r->kind == REQUEST_COLLECTIVE) exchange_finish(r->exchange);
    for (int k = 0; k < r->part_count; k++)
      if (complete(&r->parts[k], NULL, r->receives && !k ? status : MPI_STATUS_IGNORE)) wrong = MPI_ERR_TRUNCATE;
  }
  r->cancelled = r->done = false;
  if (r->persistent) return wrong;
  request_drop(r);
  *handle = MPI_REQUEST_NULL;
  return wrong;
}

/* Those of the requests that are pending, one by one, also of groups: how many. */
static uint32_t pending_count(int count, const MPI_Request handles[]) {
  uint32_t all = 0;
  for (int k = 0; k < count; k++) {
    const struct request *r = request_at(handles[k]);
    if (pending(r)) all += r->kind == REQUEST_GROUP ? pending_count(r->part_count, r->parts) : 1;
  }
  return all;
}

static int64_t *pending_numbers(const struct request *group, int64_t *numbers) {
  for (int k = 0; k < group->part_count; k++)
    if (pending(request_of(group->parts[k]))) *numbers++ = request_of(group->parts[k])->number;
  return numbers;
}

/* An operation about those of the requests that are pending; 0: there are none. `places`, where that is given and
 * there are no groups, says which they are. */
static uint32_t about(enum program_kind kind, int count, MPI_Request handles[], uint32_t *places) {
  uint32_t used = 0, all = pending_count(count, handles);
  bool open = false;
  if (!all) return 0;
  struct program_operation *operation = operation_add(kind);
  int64_t *numbers = operation_list(all * sizeof *numbers);
  for (int k = 0; k < count; k++) {
    const struct request *r = request_at(handles[k]);
    if (!pending(r)) continue;
    open |= is_open(r);
    if (places) places[used] = (uint32_t)k;
    if (r->kind == REQUEST_GROUP)
      used = (uint32_t)(pending_numbers(r, numbers + used) - numbers);
    else
      numbers[used++] = r->number;
  }
  operation->requests = numbers;
  operation->request_count = used;
  operation->asks = open;
  return used;
}

static int fail_null(void) {
  return fail(MPI_COMM_WORLD, MPI_ERR_REQUEST, "%s is given MPI_REQUEST_NULL, which is no request", call_name());
}

/* It may still be under way, and its number stays in use. */
static void freed_set(struct request *r) {
  r->freed = true;
  lent_end(&r->lent);
  self->posted_freed += r->is_posted;
  for (int k = 0; k < r->part_count; k++)
    if (request_of(r->parts[k])) freed_set(request_of(r->parts[k]));
}

void freed_receive(void) {
  for (struct request *r = self->posted, *next; r && self->posted_freed; r = next) {
    next = r->next_posted;
    if (r->freed && !any_of(r->peer, r->tag)) matches_already(r);
  }
}

API(Request_free) int MPI_Request_free(MPI_Request *request) {
  CALL;
  REQUESTS(1, request);
  MPI_Request handle = *request;
  struct request *r = request_of(handle);
  if (!r) return fail_null();
  *request = MPI_REQUEST_NULL;
  if (r->kind == REQUEST_GENERALIZED && generalized_ready(r)) {
    generalized_free(r);
    r->active = false;
  }
  if (r->active && r->kind == REQUEST_RECEIVE) about(PROGRAM_REQUEST_FREE, 1, &handle, NULL);
  if (r->active && r->peer != MPI_PROC_NULL)
    freed_set(r);
  else
    request_drop(r);
  return MPI_SUCCESS;
}

/* Does the rank need to know of its end? Else it goes on, however late that is in virtual time. */
static bool tells(struct request *r) {
  if (r->kind == REQUEST_SEND) return r->mode == PROGRAM_SSEND && area->memory_shared;
  if (r->kind != REQUEST_RECEIVE) return true;
  if (matches_already(r)) return false;
  await_at(r);
  return true;
}

/* psl has said that it is done, and what it has got; the program comes to it later, but may use its buffer. */
static void done_set(struct request *r, const struct program_answer *answer) {
  r->done = true;
  lent_end(&r->lent);
  for (int k = 0; k < r->part_count; k++)
    if (pending(request_of(r->parts[k]))) done_set(request_of(r->parts[k]), answer);
  if (r->kind == REQUEST_RECEIVE && !r->message) receive_match(r, answer);
}

static bool one_by_one(const struct request *r) { return pending(r) && r->kind == REQUEST_GROUP && is_open(r); }

static const struct program_answer *wait_one(MPI_Request *handle) {
  struct request *r = request_of(*handle);
  if (one_by_one(r)) {
    for (int k = 0; k < r->part_count; k++)
      if (pending(request_of(r->parts[k]))) done_set(request_of(r->parts[k]), wait_one(&r->parts[k]));
    return NULL;
  }
  if (!about(PROGRAM_WAIT, 1, handle, NULL)) return NULL;
  return tells(r) ? operations_end() : NULL;
}

API(Wait) int MPI_Wait(MPI_Request *request, MPI_Status *status) {
  CALL;
  REQUESTS(1, request);
  const struct program_answer *answer = wait_one(request);
  return complete(request, answer, status);
}

static MPI_Status *status_at(MPI_Status *statuses, int k) {
  return statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : &statuses[k];
}

/* How the request with that status has ended. Statuses say so where one of them has not ended well, and only there. */
static void status_ended(MPI_Status *statuses, int place, int code, int *wrong) {
  for (int k = 0; code && !*wrong && k < place && statuses != MPI_STATUSES_IGNORE; k++)
    statuses[k].MPI_ERROR = MPI_SUCCESS;
  if (code) *wrong = MPI_ERR_IN_STATUS;
  if (*wrong && statuses != MPI_STATUSES_IGNORE) statuses[place].MPI_ERROR = code;
}

static int complete_all(int count, MPI_Request requests[], MPI_Status *statuses) {
  int wrong = MPI_SUCCESS;
  for (int k = 0; k < count; k++)
    status_ended(statuses, k, complete(&requests[k], NULL, status_at(statuses, k)), &wrong);
  return wrong;
}

int requests_wait(int count, MPI_Request requests[], MPI_Status *statuses) {
  bool open = false, needed = false;
  for (int k = 0; k < count; k++) {
    struct request *r = request_at(requests[k]);
    if (!pending(r)) continue;
    open |= is_open(r);
    needed |= tells(r);
  }
  if (!open && about(PROGRAM_WAITALL, count, requests, NULL) && needed) operations_end();
  if (!open) return complete_all(count, requests, statuses);
  int wrong = MPI_SUCCESS;
  for (int k = 0; k < count; k++) {
    const struct program_answer *answer = wait_one(&requests[k]);
    status_ended(statuses, k, complete(&requests[k], answer, status_at(statuses, k)), &wrong);
  }
  return wrong;
}

API(Waitall) int MPI_Waitall(int count, MPI_Request requests[], MPI_Status *statuses) {
  CALL;
  REQUESTS(count, requests);
  return requests_wait(count, requests, statuses);
}

/* One that is done without psl's help: MPI_UNDEFINED if there is none. *any: is any active? */
static int done_already(int count, MPI_Request requests[], bool *any) {
  *any = false;
  for (int k = 0; k < count; k++) {
    const struct request *r = request_of(requests[k]);
    if (!r || !r->active) continue;
    *any = true;
    if (!pending(r) && generalized_ready(r)) return k;
  }
  return MPI_UNDEFINED;
}

static bool test_one(MPI_Request *handle, const struct program_answer **answer);

/* One after another, again and again for waitany: psl knows of no groups. */
static int choose_by_tests(enum program_kind kind, int count, MPI_Request requests[],
                           const struct program_answer **answer) {
  do
    for (int k = 0; k < count; k++)
      if (pending(request_of(requests[k])) && test_one(&requests[k], answer)) return k;
  while (kind == PROGRAM_WAITANY);
  return MPI_UNDEFINED;
}

static bool has_group(int count, const MPI_Request requests[]) {
  for (int k = 0; k < count; k++) {
    const struct request *r = request_of(requests[k]);
    if (r && r->kind == REQUEST_GROUP) return true;
  }
  return false;
}

/* All that are active are the program's own. */
static int choose_own(enum program_kind kind, int count, MPI_Request requests[]) {
  bool any;
  int index = done_already(count, requests, &any);
  for (; index == MPI_UNDEFINED && kind == PROGRAM_WAITANY; index = done_already(count, requests, &any))
    generalized_pause();
  return index;
}

/* Of waitany and testany: which is done; MPI_UNDEFINED: none, with *any as above. */
static int choose(enum program_kind kind, int count, MPI_Request requests[], bool *any,
                  const struct program_answer **answer) {
  int index = done_already(count, requests, any);
  if (index != MPI_UNDEFINED || !*any) return index;
  if (!pending_count(count, requests)) return choose_own(kind, count, requests);
  if (has_group(count, requests)) return choose_by_tests(kind, count, requests, answer);
  uint32_t *places = calloc((size_t)count, sizeof *places);
  about(kind, count, requests, places);
  *answer = operations_end();
  if ((*answer)->index >= 0) index = (int)places[(*answer)->index];
  free(places);
  return index;
}

API(Waitany) int MPI_Waitany(int count, MPI_Request requests[], int *index, MPI_Status *status) {
  CALL;
  REQUESTS(count, requests);
  bool any;
  const struct program_answer *answer = NULL;
  *index = choose(PROGRAM_WAITANY, count, requests, &any, &answer);
  if (*index != MPI_UNDEFINED) return complete(&requests[*index], answer, status);
  status_empty(status);
  return MPI_SUCCESS;
}

API(Testany) int MPI_Testany(int count, MPI_Request requests[], int *index, int *flag, MPI_Status *status) {
  CALL;
  REQUESTS(count, requests);
  bool any;
  const struct program_answer *answer = NULL;
  *index = choose(PROGRAM_TESTANY, count, requests, &any, &answer);
  *flag = *index != MPI_UNDEFINED || !any;
  if (*index != MPI_UNDEFINED) return complete(&requests[*index], answer, status);
  status_empty(status);
  return MPI_SUCCESS;
}

static bool test_one(MPI_Request *handle, const struct program_answer **answer) {
  const struct request *r = request_of(*handle);
  if (r && r->active && !generalized_ready(r)) return false;
  if (one_by_one(r)) {
    for (int k = 0; k < r->part_count; k++)
      if (pending(request_of(r->parts[k])) && test_one(&r->parts[k], answer))
        done_set(request_of(r->parts[k]), *answer);
    return !pending(r);
  }
  if (!about(PROGRAM_TEST, 1, handle, NULL)) return true;
  *answer = operations_end();
  return (*answer)->done;
}

API(Test) int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status) {
  CALL;
  REQUESTS(1, request);
  const struct program_answer *answer = NULL;
  *flag = test_one(request, &answer);
  return *flag ? complete(request, answer, status) : MPI_SUCCESS;
}

/* The first that is done, and then all that are. */
static int some(enum program_kind kind, int count, MPI_Request requests[], int *done, int indices[],
                MPI_Status *statuses) {
  bool any;
  int wrong = MPI_SUCCESS, used = 0;
  const struct program_answer *answer = NULL;
  int first = choose(kind, count, requests, &any, &answer);
  *done = any ? 0 : MPI_UNDEFINED;
  if (first == MPI_UNDEFINED) return MPI_SUCCESS;
  bool *ended = calloc((size_t)count, sizeof *ended);
  ended[first] = true;
  indices[used] = first;
  status_ended(statuses, used, complete(&requests[first], answer, status_at(statuses, used)), &wrong);
  used++;
  for (int k = 0; k < count; k++) {
    struct request *r = request_of(requests[k]);
    if (ended[k] || !r || !r->active || !test_one(&requests[k], &answer)) continue;
    indices[used] = k;
    status_ended(statuses, used, complete(&requests[k], answer, status_at(statuses, used)), &wrong);
    used++;
  }
  free(ended);
  *done = used;
  return wrong;
}

API(Waitsome) int MPI_Waitsome(int count, MPI_Request requests[], int *done, int indices[], MPI_Status *statuses) {
  CALL;
  REQUESTS(count, requests);
  return some(PROGRAM_WAITANY, count, requests, done, indices, statuses);
}

API(Testsome) int MPI_Testsome(int count, MPI_Request requests[], int *done, int indices[], MPI_Status *statuses) {
  CALL;
  REQUESTS(count, requests);
  return some(PROGRAM_TESTANY, count, requests, done, indices, statuses);
}

API(Testall) int MPI_Testall(int count, MPI_Request requests[], int *flag, MPI_Status *statuses) {
  CALL;
  REQUESTS(count, requests);
  *flag = 1;
  for (int k = 0; k < count && *flag; k++) {
    struct request *r = request_of(requests[k]);
    const struct program_answer *answer = NULL;
    *flag = test_one(&requests[k], &answer);
    if (*flag && pending(r)) done_set(r, answer);
  }
  return *flag ? complete_all(count, requests, statuses) : MPI_SUCCESS;
}

/* Looks at it as MPI_Test does, and leaves it for that. */
API(Request_get_status) int MPI_Request_get_status(MPI_Request request, int *flag, MPI_Status *status) {
  CALL;
  REQUESTS(1, &request);
  struct request *r = request_of(request);
  const struct program_answer *answer = NULL;
  *flag = !r || !r->active || test_one(&request, &answer);
  if (*flag && pending(r)) done_set(r, answer);
  if (!*flag) return MPI_SUCCESS;
  if (r && r->receives) r = request_of(r->parts[0]);
  if (!r || !r->active)
    status_empty(status);
  else if (r->kind == REQUEST_GENERALIZED)
    generalized_query(r, status);
  else if (r->peer == MPI_PROC_NULL)
    status_set(status, MPI_PROC_NULL, MPI_ANY_TAG, 0);
  else if (r->message)
    status_set(status, r->message->source, r->message->tag, r->message->bytes);
  else
    status_set(status, MPI_ANY_SOURCE, MPI_ANY_TAG, r->bytes);
  return MPI_SUCCESS;
}

/* A receive can be taken back as long as its message is not there; what is sent is sent. */
API(Cancel) int MPI_Cancel(MPI_Request *request) {
  CALL;
  REQUESTS(1, request);
  uint32_t place;
  struct request *r = request_of(*request);
  if (!r) return fail_null();
  if (r->kind == REQUEST_GENERALIZED) return generalized_cancel(r);
  if (r->kind != REQUEST_RECEIVE || r->message || !about(PROGRAM_CANCEL, 1, request, &place)) return MPI_SUCCESS;
  r->cancelled = operations_end()->done;
  if (r->cancelled) posted_remove(r);
  return MPI_SUCCESS;
}

/* ---- probes ---- */

static bool probe(enum program_kind kind, int from, int tag, struct communicator *c, MPI_Status *status) {
  communicator_number(c);
  struct program_operation *operation = operation_add(kind);
  in_set(operation, c, from, tag, 0);
  operation->asks = true;
  const struct program_answer *answer = operations_end();
  if (kind == PROGRAM_IPROBE && !answer->done) return false;
  struct mailbox *box = mailbox_of(self->number);
  uint32_t sender = (uint32_t)answer->source;
  for (const struct message *m = box->count ? mail_of(box, sender)->first : NULL; m; m = m->next)
    if (m->sender == sender && m->number == answer->number) {
      status_set(status, m->source, m->tag, m->bytes);
      return true;
    }
  end_program("%s has found a message that was not sent", call_name());
}

API(Probe) int MPI_Probe(int from, int tag, MPI_Comm comm, MPI_Status *status) {
  CALL;
  COMMUNICATOR(c, comm);
  int wrong = checked(c, NULL, 0, MPI_BYTE, from, tag, true);
  if (from == MPI_PROC_NULL)
    status_set(status, MPI_PROC_NULL, MPI_ANY_TAG, 0);
  else if (!wrong)
    probe(PROGRAM_PROBE, from, tag, c, status);
  return wrong;
}

API(Iprobe) int MPI_Iprobe(int from, int tag, MPI_Comm comm, int *flag, MPI_Status *status) {
  CALL;
  COMMUNICATOR(c, comm);
  int wrong = checked(c, NULL, 0, MPI_BYTE, from, tag, true);
  *flag = from == MPI_PROC_NULL;
  if (from == MPI_PROC_NULL)
    status_set(status, MPI_PROC_NULL, MPI_ANY_TAG, 0);
  else if (!wrong)
    *flag = probe(PROGRAM_IPROBE, from, tag, c, status);
  return wrong;
}

/* ---- matched probes ---- */

/* The message that a probe has found is the next one of its source and tag, so a receive of that one, started here,
 * gets it and no other does. */
static void matched(struct communicator *c, const MPI_Status *found, MPI_Message *message) {
  int64_t number = self->seat->answer.number;
  struct request *r = request_new(message);
  r->kind = REQUEST_RECEIVE;
  r->c = communicator_keep(c), r->type = MPI_BYTE, r->peer = found->MPI_SOURCE, r->tag = found->MPI_TAG;
  request_start(r);
  match(r, peer_world(c, r->peer), number);
}

static int probe_matched(enum program_kind kind, int from, int tag, MPI_Comm comm, int *flag, MPI_Message *message,
                         MPI_Status *status) {
  COMMUNICATOR(c, comm);
  MPI_Status found;
  *message = from == MPI_PROC_NULL ? MPI_MESSAGE_NO_PROC : MPI_MESSAGE_NULL;
  *flag = from == MPI_PROC_NULL;
  if (*flag) status_set(&found, MPI_PROC_NULL, MPI_ANY_TAG, 0);
  int wrong = checked(c, NULL, 0, MPI_BYTE, from, tag, true);
  if (!wrong && !*flag && (*flag = probe(kind, from, tag, c, &found))) matched(c, &found, message);
  if (*flag) status_set(status, found.MPI_SOURCE, found.MPI_TAG, status_bytes(&found));
  return wrong;
}

API(Mprobe) int MPI_Mprobe(int from, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status) {
  CALL;
  int flag;
  return probe_matched(PROGRAM_PROBE, from, tag, comm, &flag, message, status);
}

API(Improbe) int MPI_Improbe(int from, int tag, MPI_Comm comm, int *flag, MPI_Message *message, MPI_Status *status) {
  CALL;
  return probe_matched(PROGRAM_IPROBE, from, tag, comm, flag, message, status);
}

/* Its message becomes the request of a receive with this buffer. */
static int message_receive(void *buffer, int count, MPI_Datatype type, MPI_Message *message, MPI_Request *request) {
  COUNTS(MPI_ERR_COUNT, count);
  if (*message == MPI_MESSAGE_NULL)
    return fail(MPI_COMM_WORLD, MPI_ERR_REQUEST, "%s is given MPI_MESSAGE_NULL", call_name());
  int wrong = data_check(MPI_COMM_WORLD, buffer, count, type);
  if (wrong) return wrong;
  struct request *r;
  if (*message == MPI_MESSAGE_NO_PROC) {
    r = request_new(request);
    *r = (struct request){.kind = REQUEST_RECEIVE, .number = r->number, .active = true, .peer = MPI_PROC_NULL};
  } else {
    *request = (MPI_Request)*message;
    r = request_of(*request);
  }
  r->buffer = buffer, r->count = count, r->type = type;
  datatype_keep(type);
  *message = MPI_MESSAGE_NULL;
  return MPI_SUCCESS;
}

API(Imrecv)
int MPI_Imrecv(void *buffer, int count, MPI_Datatype type, MPI_Message *message, MPI_Request *request) {
  CALL;
  return message_receive(buffer, count, type, message, request);
}

API(Mrecv) int MPI_Mrecv(void *buffer, int count, MPI_Datatype type, MPI_Message *message, MPI_Status *status) {
  CALL;
  MPI_Request request;
  int wrong = message_receive(buffer, count, type, message, &request);
  if (wrong) return wrong;
  const struct program_answer *answer = wait_one(&request);
  return complete(&request, answer, status);
}

/* ---- buffers of the program ---- */

API(Buffer_attach) int MPI_Buffer_attach(void *buffer, int size) {
  LOCAL_CALL;
  COUNTS(MPI_ERR_ARG, size);
  if (self->attached) return fail(MPI_COMM_WORLD, MPI_ERR_BUFFER, "%s: a buffer is attached already", call_name());
  self->attached = buffer;
  self->attached_size = size;
  return MPI_SUCCESS;
}

API(Buffer_detach) int MPI_Buffer_detach(void *buffer, int *size) {
  LOCAL_CALL;
  memcpy(buffer, &self->attached, sizeof self->attached);
  *size = self->attached_size;
  self->attached = NULL;
  return MPI_SUCCESS;
}

/* ---- what is left in the end ---- */

void finalize_check(void) {
  uint32_t left = 0;
  const struct request *first = NULL;
  for (uint32_t k = 0; k < self->request_count; k++) {
    struct request *r = self->requests[k];
    if (r) lent_end(&r->lent);
    if (!r || r->kind == REQUEST_FREE || r->kind == REQUEST_GROUP || r->freed || !pending(r)) continue;
    if (!left++) first = r;
  }
  if (left) program_warn(first->site, left, first->function);
}
