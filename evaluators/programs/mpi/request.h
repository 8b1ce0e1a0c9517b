/* Requests: what a call has started and another one ends. */
#ifndef PSL_MPI_REQUEST_H
#define PSL_MPI_REQUEST_H
#include "evaluators/programs/mpi/rank.h"

#define REQUEST 0xac000000u /* handles */

struct message;
struct exchange;
struct generalized;
enum request_kind {
  REQUEST_FREE,
  REQUEST_SEND,
  REQUEST_RECEIVE,
  REQUEST_COLLECTIVE,
  REQUEST_GROUP,
  REQUEST_FILE,
  REQUEST_GENERALIZED
};
struct request {
  enum request_kind kind;
  uint32_t number; /* by which psl knows it */
  bool persistent, active, freed, cancelled, is_posted;
  bool done;              /* psl has said so */
  bool awaited;           /* a receive of what is long: its rank goes on when it is done, and not before */
  enum program_kind mode; /* of a send */
  struct communicator *c;
  void *buffer;
  int64_t count;
  MPI_Datatype type;
  int peer, tag;
  struct message *message; /* that a receive has got, */
  struct message *lent;    /* or to which a send lends its data */
  struct request *next_posted;
  struct exchange *exchange; /* of a collective operation */
  MPI_Request *parts;        /* of a group of requests, which is done when these are */
  int part_count;
  bool receives;                   /* the first of them is a receive, whose status is the group's */
  size_t bytes;                    /* of an access of a file: what was read or written */
  struct generalized *generalized; /* of one of the program's own */
  const void *site;                /* where it was made */
  const char *function;
};
void status_set(MPI_Status *status, int source, int tag, size_t bytes);
struct request *request_new(MPI_Request *handle); /* of a kind that the caller sets */
/* Of a message by that mode of sending, or PROGRAM_RECV, which is started if it is not persistent. */
int request_make(enum program_kind mode, bool persistent, const void *buffer, int64_t count, MPI_Datatype type,
                 int peer, int tag, struct communicator *c, MPI_Request *handle);
/* Of those, which it takes with their list; under way if it is not persistent. */
struct request *request_group(struct communicator *c, bool persistent, MPI_Request *parts, int count,
                              MPI_Request *handle);
struct request *request_of(MPI_Request handle); /* NULL: MPI_REQUEST_NULL */
/* Of a collective operation, collective.c: started, of a persistent one again and again; ended; no longer needed. */
void exchange_start(struct request *r);
void exchange_finish(struct exchange *exchange);
void exchange_free(struct exchange *exchange);
/* Of one of the program's own, generalized.c. Is it done? Any other one is as far as this goes. */
bool generalized_ready(const struct request *r);
void generalized_pause(void); /* until another thread may have completed one; with no other thread the program ends */
int generalized_query(const struct request *r, MPI_Status *status);
int generalized_free(struct request *r);
int generalized_cancel(const struct request *r);
int requests_wait(int count, MPI_Request requests[], MPI_Status *statuses); /* for all of them */
#endif
