/* Requests: what a call has started and another one ends. */
#ifndef PSL_MPI_REQUEST_H
#define PSL_MPI_REQUEST_H
#include "evaluators/programs/mpi/rank.h"

#define REQUEST 0xac000000u /* handles */

struct message;
struct exchange;
enum request_kind { REQUEST_FREE, REQUEST_SEND, REQUEST_RECEIVE, REQUEST_COLLECTIVE };
struct request {
  enum request_kind kind;
  uint32_t number; /* by which psl knows it */
  bool persistent, active, freed, cancelled, is_posted;
  bool done;              /* psl has said so */
  enum program_kind mode; /* of a send */
  struct communicator *c;
  void *buffer;
  int64_t count;
  MPI_Datatype type;
  int peer, tag;
  struct message *message; /* that a receive has got */
  struct request *next_posted;
  struct exchange *exchange; /* of a collective operation */
  const void *site;          /* where it was made */
  const char *function;
};
struct request *request_new(MPI_Request *handle); /* of a kind that the caller sets */
struct request *request_of(MPI_Request handle);   /* NULL: MPI_REQUEST_NULL */
#endif
