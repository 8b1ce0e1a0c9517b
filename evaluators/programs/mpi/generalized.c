/* Generalized requests: what the program itself does meanwhile, and says when it is done, maybe by another of its
 * threads. Nothing of it is psl's, and to wait for it takes no virtual time. */
#include "evaluators/programs/mpi/request.h"
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

struct generalized {
  MPI_Grequest_query_function *query;
  MPI_Grequest_free_function *free;
  MPI_Grequest_cancel_function *cancel;
  void *extra;
  atomic_bool complete;
  bool fortran; /* the functions are called as Fortran's are */
};
typedef void fortran_query(void *extra, MPI_Status *status, MPI_Fint *wrong);
typedef void fortran_free(void *extra, MPI_Fint *wrong);
typedef void fortran_cancel(void *extra, MPI_Fint *complete, MPI_Fint *wrong);

bool generalized_ready(const struct request *r) {
  return r->kind != REQUEST_GENERALIZED || atomic_load(&r->generalized->complete);
}

void generalized_pause(void) {
  if (thread_is_alone()) end_program("%s waits for a generalized request that nobody else can complete", call_name());
  sched_yield();
}

int generalized_query(const struct request *r, MPI_Status *status) {
  const struct generalized *g = r->generalized;
  MPI_Status own;
  MPI_Fint wrong = MPI_SUCCESS;
  if (status == MPI_STATUS_IGNORE) status = &own;
  status_set(status, MPI_ANY_SOURCE, MPI_ANY_TAG, 0);
  if (!g->fortran) return g->query(g->extra, status);
  ((fortran_query *)(void *)g->query)(g->extra, status, &wrong);
  return wrong;
}

int generalized_free(struct request *r) {
  struct generalized *g = r->generalized;
  MPI_Fint wrong = MPI_SUCCESS;
  r->generalized = NULL;
  if (g->fortran)
    ((fortran_free *)(void *)g->free)(g->extra, &wrong);
  else
    wrong = g->free(g->extra);
  free(g);
  return wrong;
}

int generalized_cancel(const struct request *r) {
  const struct generalized *g = r->generalized;
  MPI_Fint wrong = MPI_SUCCESS, complete = generalized_ready(r);
  if (!g->fortran) return g->cancel(g->extra, complete);
  ((fortran_cancel *)(void *)g->cancel)(g->extra, &complete, &wrong);
  return wrong;
}

API(Grequest_start)
int MPI_Grequest_start(MPI_Grequest_query_function *query, MPI_Grequest_free_function *release,
                       MPI_Grequest_cancel_function *cancel, void *extra, MPI_Request *request) {
  CALL;
  struct request *r = request_new(request);
  r->kind = REQUEST_GENERALIZED;
  r->type = MPI_DATATYPE_NULL;
  r->active = true;
  r->generalized = malloc(sizeof *r->generalized);
  *r->generalized = (struct generalized){.query = query, .free = release, .cancel = cancel, .extra = extra};
  return MPI_SUCCESS;
}

/* MPICH's name, by which its wrapper for Fortran says so. */
PUBLIC void MPII_Grequest_set_lang_f77(MPI_Request request);
void MPII_Grequest_set_lang_f77(MPI_Request request) { request_of(request)->generalized->fortran = true; }

/* It may be called by another thread than all else is. */
API(Grequest_complete) int MPI_Grequest_complete(MPI_Request request) {
  struct request *r = request_of(request);
  if (!r || r->kind != REQUEST_GENERALIZED)
    return fail(MPI_COMM_WORLD, MPI_ERR_REQUEST, "MPI_Grequest_complete: the request is not a generalized one");
  bool freed = r->freed;
  atomic_store(&r->generalized->complete, true);
  if (freed) MPI_Request_free(&request);
  return MPI_SUCCESS;
}
