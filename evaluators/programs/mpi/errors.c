/* Error handlers, and what the program may ask of the library. */
#include "evaluators/programs/mpi/file.h"
#include "evaluators/programs/mpi/region_name.h"
#include "evaluators/programs/sliced/told.h"
#include <stdio.h>
#include <stdlib.h>

#define HANDLER 0x94000000u

struct handler { /* of the program */
  MPI_Comm_errhandler_function *function;
  uint32_t references; /* the program's, and of what has it; 0: the place is free */
};

/* NULL: MPI's own, or none. */
static struct handler *handler_of(MPI_Errhandler handle) {
  uint32_t place = (uint32_t)handle & 0x3ffffff;
  bool valid = ((uint32_t)handle & 0xfc000000u) == HANDLER && place < self->handler_count;
  return valid && self->handlers[place].references ? &self->handlers[place] : NULL;
}

static MPI_Comm_errhandler_function *function_of(MPI_Errhandler handle) {
  const struct handler *handler = handler_of(handle);
  return handler ? handler->function : NULL;
}

MPI_Errhandler errhandler_keep(MPI_Errhandler handle) {
  struct handler *handler = handler_of(handle);
  if (handler) handler->references++;
  return handle;
}

void errhandler_drop(MPI_Errhandler handle) {
  struct handler *handler = handler_of(handle);
  if (handler) handler->references--;
}

void errhandler_set(MPI_Errhandler *place, MPI_Errhandler handler) {
  errhandler_keep(handler);
  errhandler_drop(*place);
  *place = handler;
}

/* MPI's own are taken, too: a program that has asked for a handler gives it back. */
static int handler_check(MPI_Errhandler handle) {
  bool is_own = handle == MPI_ERRORS_ARE_FATAL || handle == MPI_ERRORS_RETURN || handle == MPI_ERRORS_ABORT ||
                handle == MPIR_ERRORS_THROW_EXCEPTIONS;
  if (is_own || handler_of(handle)) return MPI_SUCCESS;
  if (handle == MPI_ERRHANDLER_NULL)
    return fail(MPI_COMM_WORLD, MPI_ERR_ARG, "%s is given MPI_ERRHANDLER_NULL", call_name());
  return fail(MPI_COMM_WORLD, MPI_ERR_ARG, "%s is given %#x, which is no handler of errors", call_name(),
              (unsigned)handle);
}

int errhandler_set_checked(MPI_Errhandler *place, MPI_Errhandler handler) {
  int wrong = handler_check(handler);
  if (!wrong) errhandler_set(place, handler);
  return wrong;
}

static bool is_fatal(MPI_Errhandler handler) { return handler == MPI_ERRORS_ARE_FATAL || handler == MPI_ERRORS_ABORT; }

bool errors_handle(const struct communicator *c, int class) {
  if (!c || is_fatal(c->errors)) return false;
  int handle = c->window ? c->window : c->handle;
  if (function_of(c->errors)) function_of(c->errors)(&handle, &class);
  return true;
}

bool errors_of_file(const struct file *f, int class) {
  MPI_Errhandler handler = f ? f->errors : self->file_errors;
  if (is_fatal(handler)) return false;
  MPI_File file = (MPI_File)(uintptr_t)f;
  if (function_of(handler)) ((MPI_File_errhandler_function *)(void *)function_of(handler))(&file, &class);
  return true;
}

API(Comm_create_errhandler)
int MPI_Comm_create_errhandler(MPI_Comm_errhandler_function *function, MPI_Errhandler *handler) {
  LOCAL_CALL_ANY_TIME;
  uint32_t place = 0;
  while (place < self->handler_count && self->handlers[place].references)
    place++;
  if (place == self->handler_count) {
    self->handler_count = self->handler_count ? 2 * self->handler_count : 8;
    self->handlers = realloc(self->handlers, self->handler_count * sizeof *self->handlers);
    memset(self->handlers + place, 0, (self->handler_count - place) * sizeof *self->handlers);
  }
  self->handlers[place] = (struct handler){.function = function, .references = 1};
  *handler = (MPI_Errhandler)(HANDLER | place);
  return MPI_SUCCESS;
}

API(Errhandler_create) int MPI_Errhandler_create(MPI_Comm_errhandler_function *function, MPI_Errhandler *handler) {
  LOCAL_CALL_ANY_TIME;
  return MPI_Comm_create_errhandler(function, handler);
}

API(Comm_set_errhandler) int MPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler handler) {
  LOCAL_CALL;
  COMMUNICATOR(c, comm);
  return errhandler_set_checked(&c->errors, handler);
}

API(Errhandler_set) int MPI_Errhandler_set(MPI_Comm comm, MPI_Errhandler handler) {
  LOCAL_CALL;
  return MPI_Comm_set_errhandler(comm, handler);
}

API(Comm_get_errhandler) int MPI_Comm_get_errhandler(MPI_Comm comm, MPI_Errhandler *handler) {
  LOCAL_CALL;
  COMMUNICATOR(c, comm);
  *handler = errhandler_keep(c->errors);
  return MPI_SUCCESS;
}

API(Errhandler_get) int MPI_Errhandler_get(MPI_Comm comm, MPI_Errhandler *handler) {
  LOCAL_CALL;
  return MPI_Comm_get_errhandler(comm, handler);
}

/* It stays as long as a communicator, a window or a file has it. */
API(Errhandler_free) int MPI_Errhandler_free(MPI_Errhandler *handler) {
  LOCAL_CALL;
  int wrong = handler_check(*handler);
  if (wrong) return wrong;
  errhandler_drop(*handler);
  *handler = MPI_ERRHANDLER_NULL;
  return MPI_SUCCESS;
}

API(Comm_call_errhandler) int MPI_Comm_call_errhandler(MPI_Comm comm, int class) {
  CALL;
  fail(comm, class, "MPI_Comm_call_errhandler: the program calls the handler of errors for class %d", class);
  return MPI_SUCCESS;
}

/* ---- what the program asks ---- */

API(Get_processor_name) int MPI_Get_processor_name(char *name, int *length) {
  LOCAL_CALL_ANY_TIME;
  *length = snprintf(name, MPI_MAX_PROCESSOR_NAME, "rank-%u", self->number);
  return MPI_SUCCESS;
}

API(Get_version) int MPI_Get_version(int *version, int *subversion) {
  *version = 3;
  *subversion = 1;
  return MPI_SUCCESS;
}

API(Get_library_version) int MPI_Get_library_version(char *text, int *length) {
  *length = snprintf(text, MPI_MAX_LIBRARY_VERSION_STRING, "PSL, with the binary interface of MPICH");
  return MPI_SUCCESS;
}

API(Alloc_mem) int MPI_Alloc_mem(MPI_Aint size, MPI_Info info, void *base) {
  LOCAL_CALL_ANY_TIME;
  (void)info;
  void *block = malloc((size_t)size);
  memcpy(base, &block, sizeof block);
  return block || !size ? MPI_SUCCESS : MPI_ERR_NO_MEM;
}

API(Free_mem) int MPI_Free_mem(void *base) {
  LOCAL_CALL_ANY_TIME;
  free(base);
  return MPI_SUCCESS;
}

/* Regions by the convention of profilers: level 1 with a name enters, -1 leaves; other levels say nothing. */
API(Pcontrol) int MPI_Pcontrol(const int level, ...) {
  __builtin_va_list arguments;
  __builtin_va_start(arguments, level);
  if (level == SLICED_LEVEL) {
    sliced_told(arguments, __builtin_return_address(0));
    __builtin_va_end(arguments);
    return MPI_SUCCESS;
  }
  CALL;
  if (level != 1 && level != -1) return MPI_SUCCESS;
  char copy[REGION_NAME];
  const char *name = level == 1 ? region_name_at(__builtin_va_arg(arguments, const char *), copy) : NULL;
  __builtin_va_end(arguments);
  struct program_operation *operation = operation_add(level == 1 ? PROGRAM_ENTER : PROGRAM_LEAVE);
  if (!name) return MPI_SUCCESS;
  size_t size = strlen(name) + 1;
  operation->name = memcpy(operation_list(size), name, size);
  return MPI_SUCCESS;
}

/* ---- constants of the binary interface ---- */

static int unweighted, weights_empty;
PUBLIC int *const MPI_UNWEIGHTED = &unweighted, *const MPI_WEIGHTS_EMPTY = &weights_empty;
/* By which the wrappers of the module mpi_f08 give them. */
PUBLIC int *MPIR_C_MPI_UNWEIGHTED = &unweighted, *MPIR_C_MPI_WEIGHTS_EMPTY = &weights_empty;
static MPI_Fint no_status[sizeof(MPI_Status) / sizeof(MPI_Fint)];
PUBLIC MPI_Fint *MPI_F_STATUS_IGNORE = no_status, *MPI_F_STATUSES_IGNORE = no_status;
