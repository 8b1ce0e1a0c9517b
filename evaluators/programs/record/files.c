/* Files by MPI-IO, as psl mpirun has them (evaluators/programs/mpi/file.c): accesses with their places in the file, and
 * where all ranks of a file meet an allgather of what they tell each other. Where the pointer stands that ranks share
 * is not asked: its accesses count as if the ranks took turns. */
#include "evaluators/programs/record/recorder.h"

struct file {
  struct file *next;
  MPI_File handle;
  char *name;
  int mode;
  uint32_t number, communicator, size; /* the file's; of the ranks that have opened it, who are so many */
  uint32_t rank;                       /* of this one there */
  double shared;                       /* bytes that it has accessed by the pointer that they share */
  int64_t *split; /* the request of an access that has begun and not ended, a list of one; NULL: none */
};
static struct file *files;

/* Of those that are opened all are known, but for MPI's own. */
static struct file *file_of(MPI_File handle) {
  struct file *f = files;
  while (f && f->handle != handle)
    f = f->next;
  return f;
}

/* ---- operations ---- */

static struct program_operation file_operation(const struct file *f, enum program_kind kind) {
  struct program_operation o = operation_of(kind);
  o.name = f->name;
  o.handle = f->number;
  return o;
}

static void put_meeting(const struct file *f, double bytes) {
  struct program_operation o = operation_of(PROGRAM_ALLGATHER);
  o.communicator = f->communicator;
  o.bytes = bytes;
  o.took = 0; /* what follows it has taken the time */
  if (f->size > 1) operation_put(&o);
}

static void put_metadata(const struct file *f, bool takes) {
  struct program_operation o = file_operation(f, PROGRAM_FILE_METADATA);
  if (!takes) o.took = 0;
  operation_put(&o);
}

/* ---- opening and closing ---- */

/* All that open it know it by the same number, and each of them no other file by that. */
static void opened(MPI_Comm comm, const char *name, int mode, MPI_File handle) {
  static uint32_t count;
  struct file *f = calloc(1, sizeof *f);
  const struct communicator *c = communicator_of(comm);
  PMPI_Allreduce(&count, &f->number, 1, MPI_UINT32_T, MPI_MAX, comm);
  count = ++f->number;
  f->handle = handle, f->name = strdup(name), f->mode = mode, f->size = c->size, f->rank = (uint32_t)c->rank;
  if (f->size > 1) f->communicator = communicator_number(comm);
  put_meeting(f, 0);
  if (f->size > 1) f->communicator = communicator_beside(comm);
  put_meeting(f, 8);
  struct program_operation o = file_operation(f, PROGRAM_FILE_OPEN);
  operation_put(&o);
  f->next = files;
  files = f;
}

static void closed(struct file *f) {
  if (!f) return;
  struct program_operation o = file_operation(f, PROGRAM_FILE_CLOSE);
  operation_put(&o);
  put_meeting(f, 0);
  if (f->mode & MPI_MODE_DELETE_ON_CLOSE) put_meeting(f, 0);
  struct file **at = &files;
  while (*at != f)
    at = &(*at)->next;
  *at = f->next;
  free(f->name);
  free(f);
}

STANDS_BEFORE(File_open, (MPI_Comm comm, const char *name, int mode, MPI_Info info, MPI_File *file),
              (comm, name, mode, info, file), , opened(comm, name, mode, *file))
STANDS_BEFORE(File_close, (MPI_File * file), (file), struct file *gone = file_of(*file), closed(gone))
STANDS_BEFORE(File_delete, (const char *name, MPI_Info info), (name, info), ,
              put_metadata(&(struct file){.name = (char *)name}, true))

/* ---- what is asked of files and done with all of them ---- */

static void meetings(MPI_File handle, int count) {
  const struct file *f = file_of(handle);
  for (int k = 0; f && k < count; k++)
    put_meeting(f, 0);
}

static void metadata(MPI_File handle, int meets) {
  const struct file *f = file_of(handle);
  if (f) put_metadata(f, true);
  meetings(handle, meets);
}

static void resized(MPI_File handle) {
  const struct file *f = file_of(handle);
  if (!f) return;
  put_meeting(f, 0);
  if (f->rank == 0) put_metadata(f, true);
  put_meeting(f, sizeof(int));
}

STANDS_BEFORE(File_set_size, (MPI_File file, MPI_Offset size), (file, size), , resized(file))
STANDS_BEFORE(File_preallocate, (MPI_File file, MPI_Offset size), (file, size), , resized(file))
STANDS_BEFORE(File_get_size, (MPI_File file, MPI_Offset *size), (file, size), , metadata(file, 0))
STANDS_BEFORE(File_sync, (MPI_File file), (file), , metadata(file, 1))
STANDS_BEFORE(File_get_position_shared, (MPI_File file, MPI_Offset *offset), (file, offset), , metadata(file, 0))
STANDS_BEFORE(File_seek_shared, (MPI_File file, MPI_Offset offset, int whence), (file, offset, whence), ,
              meetings(file, 3))
/* Some of Open MPI's ranks are refused it where others are not. */
STANDS_BEFORE(File_set_atomicity, (MPI_File file, int flag), (file, flag), meetings(file, 1), )
STANDS_BEFORE(File_set_view,
              (MPI_File file, MPI_Offset displacement, MPI_Datatype etype, MPI_Datatype filetype, const char *form,
               MPI_Info info),
              (file, displacement, etype, filetype, form, info), , meetings(file, 2))

/* ---- accesses ---- */

enum pointer { AT, OWN, SHARED, ORDERED };
struct access {
  enum program_kind kind;
  enum pointer pointer;
  bool together;
  MPI_Offset offset; /* in etypes, where the call begins; of pointers that are shared it says nothing */
  int count;
  MPI_Datatype type;
};

static MPI_Offset own_position(MPI_File handle) {
  MPI_Offset offset = 0;
  PMPI_File_get_position(handle, &offset);
  return offset;
}

static double etype_bytes(MPI_File handle) {
  char form[MPI_MAX_DATAREP_STRING];
  MPI_Offset displacement;
  MPI_Datatype types[2];
  int size = 1, numbers, addresses, inner, combiner;
  PMPI_File_get_view(handle, &displacement, &types[0], &types[1], form);
  PMPI_Type_size(types[0], &size);
  for (int k = 0; k < 2; k++) {
    PMPI_Type_get_envelope(types[k], &numbers, &addresses, &inner, &combiner);
    if (combiner != MPI_COMBINER_NAMED) PMPI_Type_free(&types[k]);
  }
  return size;
}

static void place_set(struct program_operation *o, MPI_File handle, const struct access *a) {
  MPI_Offset begin = 0, end = 0;
  double unit = etype_bytes(handle);
  PMPI_File_get_byte_offset(handle, a->offset, &begin);
  o->offset = (double)begin;
  if (o->bytes < unit) return;
  PMPI_File_get_byte_offset(handle, a->offset + (MPI_Offset)(o->bytes / unit) - 1, &end);
  double span = (double)(end - begin) + unit;
  o->span = span > o->bytes ? span : 0;
}

static struct program_operation access_of(struct file *f, const struct access *a) {
  struct program_operation o = file_operation(f, a->kind);
  o.bytes = bytes_of(a->count, a->type);
  if (a->pointer < SHARED) {
    place_set(&o, f->handle, a);
  } else {
    o.offset = f->shared * f->size + f->rank * o.bytes;
    f->shared += o.bytes;
  }
  return o;
}

static void put_access(MPI_File handle, struct access a) {
  struct file *f = file_of(handle);
  if (!f) return;
  double took = operation_of(a.kind).took;
  if (a.pointer == SHARED) put_metadata(f, false);
  if (a.together) put_meeting(f, 8);
  struct program_operation o = access_of(f, &a);
  o.took = took;
  operation_put(&o);
}

/* That is started only; its request, where MPI gives one. */
static void put_started(MPI_File handle, struct access a, MPI_Request request) {
  struct file *f = file_of(handle);
  if (!f) return;
  double took = operation_of(a.kind).took;
  if (a.pointer == SHARED) put_metadata(f, false);
  if (request != MPI_REQUEST_NULL) a.kind = a.kind == PROGRAM_FILE_READ ? PROGRAM_FILE_IREAD : PROGRAM_FILE_IWRITE;
  struct program_operation o = access_of(f, &a);
  o.took = took;
  if (request != MPI_REQUEST_NULL) o.request = request_add(request, (struct started){.kind = a.kind, .active = true});
  operation_put(&o);
}

static void put_begun(MPI_File handle, struct access a) {
  struct file *f = file_of(handle);
  if (!f || f->split) return;
  double took = operation_of(a.kind).took;
  if (a.pointer == ORDERED) put_meeting(f, 8);
  a.kind = a.kind == PROGRAM_FILE_READ ? PROGRAM_FILE_IREAD : PROGRAM_FILE_IWRITE;
  struct program_operation o = access_of(f, &a);
  f->split = malloc(sizeof *f->split);
  o.took = took;
  o.request = *f->split = request_number();
  operation_put(&o);
}

static void put_ended(MPI_File handle) {
  struct file *f = file_of(handle);
  if (!f || !f->split) return;
  struct program_operation o = operation_of(PROGRAM_WAIT);
  o.requests = f->split, o.request_count = 1;
  operation_put(&o);
  numbers_give(f->split, 1);
  f->split = NULL;
}

#define DATA(constant) constant void *buffer, int count, MPI_Datatype type
#define ACCESS(kind, pointer, together) ((struct access){kind, pointer, together, offset, count, type})
#define OWN_OFFSET MPI_Offset offset = own_position(file)
#define NO_OFFSET MPI_Offset offset = 0

#define BLOCKING(name, constant, kind, pointer, together, before)                                                \
  STANDS_BEFORE(name, (MPI_File file, DATA(constant), MPI_Status * status), (file, buffer, count, type, status), \
                before, put_access(file, ACCESS(kind, pointer, together)))
#define BLOCKING_AT(name, constant, kind, together)                                            \
  STANDS_BEFORE(name, (MPI_File file, MPI_Offset offset, DATA(constant), MPI_Status * status), \
                (file, offset, buffer, count, type, status), , put_access(file, ACCESS(kind, AT, together)))
#define STARTED(name, constant, kind, pointer, before)                                                              \
  STANDS_BEFORE(name, (MPI_File file, DATA(constant), MPI_Request * request), (file, buffer, count, type, request), \
                before, put_started(file, ACCESS(kind, pointer, false), *request))
#define STARTED_AT(name, constant, kind)                                                         \
  STANDS_BEFORE(name, (MPI_File file, MPI_Offset offset, DATA(constant), MPI_Request * request), \
                (file, offset, buffer, count, type, request), , put_started(file, ACCESS(kind, AT, false), *request))
#define END(name, constant)                                                                                       \
  STANDS_BEFORE(name##_end, (MPI_File file, constant void *buffer, MPI_Status *status), (file, buffer, status), , \
                put_ended(file))
#define SPLIT(name, constant, kind, pointer, before)                                                \
  STANDS_BEFORE(name##_begin, (MPI_File file, DATA(constant)), (file, buffer, count, type), before, \
                put_begun(file, ACCESS(kind, pointer, true)))                                       \
  END(name, constant)
#define SPLIT_AT(name, constant, kind)                                                                                 \
  STANDS_BEFORE(name##_begin, (MPI_File file, MPI_Offset offset, DATA(constant)), (file, offset, buffer, count, type), \
                , put_begun(file, ACCESS(kind, AT, true)))                                                             \
  END(name, constant)

#define ALL_FORMS(read, constant, kind)                                     \
  BLOCKING_AT(File_##read##_at, constant, kind, false)                      \
  BLOCKING_AT(File_##read##_at_all, constant, kind, true)                   \
  BLOCKING(File_##read, constant, kind, OWN, false, OWN_OFFSET)             \
  BLOCKING(File_##read##_all, constant, kind, OWN, true, OWN_OFFSET)        \
  BLOCKING(File_##read##_shared, constant, kind, SHARED, false, NO_OFFSET)  \
  BLOCKING(File_##read##_ordered, constant, kind, ORDERED, true, NO_OFFSET) \
  STARTED_AT(File_i##read##_at, constant, kind)                             \
  STARTED_AT(File_i##read##_at_all, constant, kind)                         \
  STARTED(File_i##read, constant, kind, OWN, OWN_OFFSET)                    \
  STARTED(File_i##read##_all, constant, kind, OWN, OWN_OFFSET)              \
  STARTED(File_i##read##_shared, constant, kind, SHARED, NO_OFFSET)         \
  SPLIT_AT(File_##read##_at_all, constant, kind)                            \
  SPLIT(File_##read##_all, constant, kind, OWN, OWN_OFFSET)                 \
  SPLIT(File_##read##_ordered, constant, kind, ORDERED, NO_OFFSET)
ALL_FORMS(read, , PROGRAM_FILE_READ)
ALL_FORMS(write, const, PROGRAM_FILE_WRITE)
