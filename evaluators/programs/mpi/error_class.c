/* Error classes and codes: MPI's own are the same; those that a program adds are numbered on from DYNAMIC. */
#include "evaluators/programs/mpi/rank.h"
#include <stdio.h>
#include <stdlib.h>

#define DYNAMIC 0x40000000u

struct error_code {
  int class;
  char *text; /* NULL: none yet */
};

static struct error_code *added(int code) {
  uint32_t place = (uint32_t)code - DYNAMIC;
  return place < self->error_count ? &self->errors[place] : NULL;
}

int error_last(void) { return self->error_count ? (int)(DYNAMIC + self->error_count - 1) : MPI_ERR_LASTCODE; }

static int code_new(void) {
  if (!(self->error_count & (self->error_count - 1))) { /* full */
    uint32_t capacity = self->error_count ? 2 * self->error_count : 1;
    self->errors = realloc(self->errors, capacity * sizeof *self->errors);
  }
  self->errors[self->error_count] = (struct error_code){0};
  return (int)(DYNAMIC + self->error_count++);
}

API(Add_error_class) int MPI_Add_error_class(int *class) {
  LOCAL_CALL_ANY_TIME;
  *class = code_new();
  added(*class)->class = *class;
  return MPI_SUCCESS;
}

API(Add_error_code) int MPI_Add_error_code(int class, int *code) {
  LOCAL_CALL_ANY_TIME;
  *code = code_new();
  added(*code)->class = class;
  return MPI_SUCCESS;
}

API(Add_error_string) int MPI_Add_error_string(int code, const char *text) {
  LOCAL_CALL_ANY_TIME;
  struct error_code *of = added(code);
  if (!of) return fail(MPI_COMM_WORLD, MPI_ERR_ARG, "MPI_Add_error_string: the program has not added %d", code);
  free(of->text);
  of->text = strdup(text);
  return MPI_SUCCESS;
}

API(Error_class) int MPI_Error_class(int code, int *class) {
  LOCAL_CALL_ANY_TIME;
  *class = added(code) ? added(code)->class : code;
  return MPI_SUCCESS;
}

API(Error_string) int MPI_Error_string(int code, char *text, int *length) {
  LOCAL_CALL_ANY_TIME;
  static const char *const names[] = {
      [MPI_SUCCESS] = "no error",
      [MPI_ERR_BUFFER] = "invalid buffer",
      [MPI_ERR_COUNT] = "invalid count",
      [MPI_ERR_TYPE] = "invalid datatype",
      [MPI_ERR_TAG] = "invalid tag",
      [MPI_ERR_COMM] = "invalid communicator",
      [MPI_ERR_RANK] = "invalid rank",
      [MPI_ERR_ROOT] = "invalid root",
      [MPI_ERR_TRUNCATE] = "message truncated",
      [MPI_ERR_GROUP] = "invalid group",
      [MPI_ERR_OP] = "invalid operation",
      [MPI_ERR_REQUEST] = "invalid request",
      [MPI_ERR_TOPOLOGY] = "invalid topology",
      [MPI_ERR_DIMS] = "invalid dimension",
      [MPI_ERR_ARG] = "invalid argument",
      [MPI_ERR_OTHER] = "other error",
      [MPI_ERR_UNKNOWN] = "unknown error",
      [MPI_ERR_INTERN] = "internal error",
      [MPI_ERR_IN_STATUS] = "the error is in the status",
      [MPI_ERR_PENDING] = "the request is not done yet",
      [MPI_ERR_ACCESS] = "the file may not be accessed so",
      [MPI_ERR_AMODE] = "invalid mode of access",
      [MPI_ERR_BAD_FILE] = "invalid name of a file",
      [MPI_ERR_CONVERSION] = "the conversion of data failed",
      [MPI_ERR_DUP_DATAREP] = "the representation of data is defined already",
      [MPI_ERR_FILE_EXISTS] = "the file exists already",
      [MPI_ERR_FILE_IN_USE] = "the file is in use",
      [MPI_ERR_FILE] = "invalid handle of a file",
      [MPI_ERR_IO] = "input or output failed",
      [MPI_ERR_NO_SPACE] = "no space is left for the file",
      [MPI_ERR_NO_SUCH_FILE] = "there is no such file",
      [MPI_ERR_READ_ONLY] = "the file can only be read",
      [MPI_ERR_UNSUPPORTED_DATAREP] = "unknown representation of data",
      [MPI_ERR_INFO] = "invalid info object",
      [MPI_ERR_INFO_KEY] = "the key of an info object is too long",
      [MPI_ERR_INFO_VALUE] = "the value in an info object is too long",
      [MPI_ERR_INFO_NOKEY] = "the info object has no such key",
      [MPI_ERR_NAME] = "no service has that name",
      [MPI_ERR_NO_MEM] = "no memory is left",
      [MPI_ERR_NOT_SAME] = "an argument is not the same at all ranks",
      [MPI_ERR_PORT] = "invalid name of a port",
      [MPI_ERR_QUOTA] = "the quota of the file system is used up",
      [MPI_ERR_SERVICE] = "invalid name of a service",
      [MPI_ERR_SPAWN] = "processes could not be started",
      [MPI_ERR_UNSUPPORTED_OPERATION] = "the operation is not supported",
      [MPI_ERR_WIN] = "invalid window",
      [MPI_ERR_BASE] = "invalid base address",
      [MPI_ERR_LOCKTYPE] = "invalid kind of a lock",
      [MPI_ERR_KEYVAL] = "invalid key of attributes",
      [MPI_ERR_RMA_CONFLICT] = "conflicting accesses of a window",
      [MPI_ERR_RMA_SYNC] = "wrong synchronisation of a window",
      [MPI_ERR_SIZE] = "invalid size",
      [MPI_ERR_DISP] = "invalid displacement",
      [MPI_ERR_ASSERT] = "invalid assertion",
      [MPI_ERR_RMA_RANGE] = "the place is outside of the window",
      [MPI_ERR_RMA_ATTACH] = "the memory cannot be attached",
      [MPI_ERR_RMA_SHARED] = "the memory cannot be shared",
      [MPI_ERR_RMA_FLAVOR] = "the window is of another kind",
  };
  const struct error_code *of = added(code);
  bool known = code >= 0 && (size_t)code < sizeof names / sizeof *names && names[code];
  const char *meaning = of ? (of->text ? of->text : "") : known ? names[code] : "unknown error";
  *length = snprintf(text, MPI_MAX_ERROR_STRING, "%s", meaning);
  if (*length >= MPI_MAX_ERROR_STRING) *length = MPI_MAX_ERROR_STRING - 1;
  return MPI_SUCCESS;
}
