/* Reading and writing files: at an offset, at the rank's own pointer, or at that which all ranks share; alone or
 * together; waited for, or not. Data move at once where a call says so: a rank that has to read what another one writes
 * is told by that one, or waits for it, and that ends later in virtual time. */
#include "evaluators/programs/mpi/file.h"
#include <errno.h>
#include <stdlib.h>

enum pointer { AT, OWN, SHARED, ORDERED };
struct access {
  enum pointer pointer;
  bool writes, together;
  MPI_Offset offset; /* of AT */
  void *buffer;
  int64_t count;
  MPI_Datatype type;
};

/* In the file. */
static size_t bytes_there(const struct file *f, const struct access *a) {
  return f->view.external ? external_bytes(a->count, a->type) : bytes_of(a->count, a->type);
}

/* ---- what is wrong ---- */

static int access_checked(const struct file *f, const struct access *a) {
  if (a->count < 0) return file_fail(f, MPI_ERR_COUNT, "%s: the count %ld is negative", call_name(), (long)a->count);
  if (!datatype_valid(a->type)) return file_fail(f, MPI_ERR_TYPE, "%s is given what is no datatype", call_name());
  if (a->pointer == AT && a->offset < 0)
    return file_fail(f, MPI_ERR_ARG, "%s: the offset %ld is negative", call_name(), (long)a->offset);
  if (bytes_there(f, a) % (size_t)datatype_size(f->view.etype))
    return file_fail(f, MPI_ERR_IO, "%s: %zu bytes are no whole number of etypes of %ld", call_name(),
                     bytes_there(f, a), (long)datatype_size(f->view.etype));
  if (f->mode & MPI_MODE_SEQUENTIAL && a->pointer < SHARED)
    return file_fail(f, MPI_ERR_UNSUPPORTED_OPERATION, "%s: the file is opened for access in sequence", call_name());
  if (a->writes && f->mode & MPI_MODE_RDONLY)
    return file_fail(f, MPI_ERR_READ_ONLY, "%s: the file is opened for reading", call_name());
  if (!a->writes && f->mode & MPI_MODE_WRONLY)
    return file_fail(f, MPI_ERR_ACCESS, "%s: the file is opened for writing", call_name());
  return MPI_SUCCESS;
}

/* ---- where it begins, in etypes ---- */

static int64_t take_turn(struct file *f, int64_t etypes) {
  file_operation(f, PROGRAM_FILE_METADATA);
  operations_end();
  int64_t begin = f->shared->pointer;
  f->shared->pointer += etypes;
  return begin;
}

/* Behind what the ranks before it take. */
static int64_t take_place(struct file *f, int64_t etypes) {
  struct collective *met = agree_begin(f->c, &etypes, sizeof etypes);
  int64_t before = 0, all = 0, each;
  for (uint32_t k = 0; k < local_size(f->c); k++) {
    memcpy(&each, met->parts[k].data, sizeof each);
    if (k < f->c->rank) before += each;
    all += each;
  }
  int64_t *begin = met->parts[0].made; /* where all of it begins: the first that goes on has said it */
  if (!begin) {
    begin = met->parts[0].made = shared_get(sizeof *begin);
    *begin = f->shared->pointer;
    f->shared->pointer += all;
  }
  before += *begin;
  bool last = met->gone + 1 == local_size(f->c);
  collective_leave(f->c, met);
  if (last) shared_give(begin);
  return before;
}

static int64_t begin_of(struct file *f, const struct access *a, int64_t etypes) {
  switch (a->pointer) {
  case AT: return a->offset;
  case OWN: return f->position;
  case SHARED: return take_turn(f, etypes);
  default: return take_place(f, etypes);
  }
}

/* ---- moving data ---- */

struct moved {       /* bytes */
  size_t there, own; /* of the file, of the program's data */
};

static void put_together(const struct file *f, const struct access *a, void *packed) {
  if (f->view.external)
    external_pack(a->buffer, a->count, a->type, packed);
  else
    pack(a->buffer, a->count, a->type, packed);
}

/* How many bytes of the program's data these are. */
static size_t take_apart(const struct file *f, const struct access *a, void *packed, size_t bytes) {
  if (f->view.external) return external_unpack(packed, bytes, a->buffer, a->count, a->type);
  unpack(packed, bytes, a->buffer, a->count, a->type);
  return bytes;
}

/* false: it failed, with errno. */
static bool data_move(const struct file *f, const struct access *a, int64_t data, size_t bytes, struct moved *moved) {
  bool as_it_is = is_named(a->type) && !f->view.external;
  char *packed = as_it_is ? a->buffer : malloc(bytes ? bytes : 1);
  if (!as_it_is && a->writes) put_together(f, a, packed);
  ssize_t there = view_move(&f->view, f->descriptor, packed, data, bytes, a->writes);
  if (there >= 0) *moved = (struct moved){(size_t)there, (size_t)there};
  if (there >= 0 && a->writes) moved->own = bytes_of(a->count, a->type);
  if (there >= 0 && !as_it_is && !a->writes) moved->own = take_apart(f, a, packed, (size_t)there);
  if (!as_it_is) free(packed);
  return there >= 0;
}

/* By how many bytes the rank's own pointer goes on: by those asked for, as MPI says; or, as MPICH has it where neither
 * the file nor the buffer has holes and the access is not MPI_File_iread or one like it, by those that were there. */
static size_t step_of(const struct file *f, const struct access *a, size_t asked, size_t moved, bool started) {
  bool no_holes = datatype_is_contiguous(f->view.filetype) && datatype_is_contiguous(a->type);
  bool by_moved = no_holes && (a->together || !started);
  return by_moved ? moved : asked;
}

static enum program_kind kind_of(const struct access *a, bool started) {
  return a->writes ? (started ? PROGRAM_FILE_IWRITE : PROGRAM_FILE_WRITE)
                   : (started ? PROGRAM_FILE_IREAD : PROGRAM_FILE_READ);
}

static struct program_operation *announce(const struct file *f, const struct access *a, int64_t data, size_t bytes,
                                          bool started) {
  struct program_operation *o = file_operation(f, kind_of(a, started));
  int64_t begin = view_place(&f->view, data);
  int64_t span = bytes ? view_place(&f->view, data + (int64_t)bytes - 1) + 1 - begin : 0;
  o->offset = (double)begin;
  o->bytes = (double)bytes;
  o->span = span > (int64_t)bytes ? (double)span : 0;
  return o;
}

static void request_give(struct program_operation *o, size_t bytes, MPI_Request *handle) {
  struct request *r = request_new(handle);
  r->kind = REQUEST_FILE;
  r->type = MPI_DATATYPE_NULL;
  r->active = true;
  r->bytes = bytes;
  o->request = r->number;
}

/* With a request it is started only. */
static int access_file(MPI_File handle, const struct access *a, MPI_Status *status, MPI_Request *request) {
  struct file *f = file_of(handle);
  if (request) *request = MPI_REQUEST_NULL;
  if (!f) return MPI_ERR_FILE;
  int wrong = access_checked(f, a);
  size_t bytes = wrong ? 0 : bytes_there(f, a), unit = (size_t)datatype_size(f->view.etype);
  if (wrong && !a->together) return wrong;
  int64_t begin = begin_of(f, a, (int64_t)(bytes / unit));
  if (a->together && !request && a->pointer != ORDERED) files_meet(f, &begin, sizeof begin);
  if (wrong) return wrong;
  struct program_operation *o = announce(f, a, begin * (int64_t)unit, bytes, request != NULL);
  if (f->atomic && !request) operations_end();
  struct moved moved;
  if (!data_move(f, a, begin * (int64_t)unit, bytes, &moved)) return file_system_failed(f, errno);
  if (a->pointer == OWN) f->position = begin + (int64_t)(step_of(f, a, bytes, moved.there, request != NULL) / unit);
  if (request)
    request_give(o, moved.own, request);
  else
    status_set(status, MPI_ANY_SOURCE, MPI_ANY_TAG, moved.own);
  return MPI_SUCCESS;
}

/* ---- the calls ---- */

#define ACCESS(pointer, writes, together) \
  &(struct access) { pointer, writes, together, offset, (void *)buffer, count, type }
/* Each stands there twice: with counts of 32 bits, and of 64 as MPI 4 has them, where its name ends by _c. */
#define DATA(constant, number) constant void *buffer, number count, MPI_Datatype type
#define BOTH(FORM, name, ...)  \
  FORM(name, int, __VA_ARGS__) \
  FORM(name##_c, MPI_Count, __VA_ARGS__)

#define BLOCKING(name, number, constant, pointer, writes, together)                \
  API(File_##name)                                                                 \
  int MPI_File_##name(MPI_File file, DATA(constant, number), MPI_Status *status) { \
    CALL;                                                                          \
    MPI_Offset offset = 0;                                                         \
    return access_file(file, ACCESS(pointer, writes, together), status, NULL);     \
  }
#define BLOCKING_AT(name, number, constant, writes, together)                                         \
  API(File_##name)                                                                                    \
  int MPI_File_##name(MPI_File file, MPI_Offset offset, DATA(constant, number), MPI_Status *status) { \
    CALL;                                                                                             \
    return access_file(file, ACCESS(AT, writes, together), status, NULL);                             \
  }
#define STARTED(name, number, constant, pointer, writes)                             \
  API(File_##name)                                                                   \
  int MPI_File_##name(MPI_File file, DATA(constant, number), MPI_Request *request) { \
    CALL;                                                                            \
    MPI_Offset offset = 0;                                                           \
    return access_file(file, ACCESS(pointer, writes, false), NULL, request);         \
  }
#define STARTED_AT(name, number, constant, writes)                                                      \
  API(File_##name)                                                                                      \
  int MPI_File_##name(MPI_File file, MPI_Offset offset, DATA(constant, number), MPI_Request *request) { \
    CALL;                                                                                               \
    return access_file(file, ACCESS(AT, writes, false), NULL, request);                                 \
  }

/* A collective access in two halves goes on between them. */
static int split_begin(MPI_File handle, const struct access *a) {
  struct file *f = file_of(handle);
  if (!f) return MPI_ERR_FILE;
  if (f->split != MPI_REQUEST_NULL)
    return file_fail(f, MPI_ERR_IO, "%s: another collective access of the file has not ended", call_name());
  return access_file(handle, a, NULL, &f->split);
}
static int split_end(MPI_File handle, MPI_Status *status) {
  struct file *f = file_of(handle);
  if (!f) return MPI_ERR_FILE;
  if (f->split == MPI_REQUEST_NULL) return file_fail(f, MPI_ERR_IO, "%s: nothing has begun", call_name());
  return MPI_Wait(&f->split, status);
}
#define END(name, constant)                                                             \
  API(File_##name##_end)                                                                \
  int MPI_File_##name##_end(MPI_File file, constant void *buffer, MPI_Status *status) { \
    CALL;                                                                               \
    (void)buffer;                                                                       \
    return split_end(file, status);                                                     \
  }
#define BEGIN(name, number, constant, pointer, writes)         \
  API(File_##name)                                             \
  int MPI_File_##name(MPI_File file, DATA(constant, number)) { \
    CALL;                                                      \
    MPI_Offset offset = 0;                                     \
    return split_begin(file, ACCESS(pointer, writes, true));   \
  }
#define BEGIN_AT(name, number, constant, writes)                                  \
  API(File_##name)                                                                \
  int MPI_File_##name(MPI_File file, MPI_Offset offset, DATA(constant, number)) { \
    CALL;                                                                         \
    return split_begin(file, ACCESS(AT, writes, true));                           \
  }
#define SPLIT(name, constant, pointer, writes)         \
  BOTH(BEGIN, name##_begin, constant, pointer, writes) \
  END(name, constant)
#define SPLIT_AT(name, constant, writes)         \
  BOTH(BEGIN_AT, name##_begin, constant, writes) \
  END(name, constant)

#define ALL_FORMS(read, constant, writes)                         \
  BOTH(BLOCKING_AT, read##_at, constant, writes, false)           \
  BOTH(BLOCKING_AT, read##_at_all, constant, writes, true)        \
  BOTH(BLOCKING, read, constant, OWN, writes, false)              \
  BOTH(BLOCKING, read##_all, constant, OWN, writes, true)         \
  BOTH(BLOCKING, read##_shared, constant, SHARED, writes, false)  \
  BOTH(BLOCKING, read##_ordered, constant, ORDERED, writes, true) \
  BOTH(STARTED_AT, i##read##_at, constant, writes)                \
  BOTH(STARTED_AT, i##read##_at_all, constant, writes)            \
  BOTH(STARTED, i##read, constant, OWN, writes)                   \
  BOTH(STARTED, i##read##_all, constant, OWN, writes)             \
  BOTH(STARTED, i##read##_shared, constant, SHARED, writes)       \
  SPLIT_AT(read##_at_all, constant, writes)                       \
  SPLIT(read##_all, constant, OWN, writes)                        \
  SPLIT(read##_ordered, constant, ORDERED, writes)
ALL_FORMS(read, , false)
ALL_FORMS(write, const, true)

/* ---- pointers ---- */

/* The place that the program means, from which it may seek; an error is told as a negative one. */
static int seek(struct file *f, int64_t from, MPI_Offset offset, int whence, int64_t *to) {
  int64_t base = 0;
  if (whence == MPI_SEEK_CUR) base = from;
  if (whence == MPI_SEEK_END) base = file_end(f);
  if (whence == MPI_SEEK_END && base < 0) return file_system_failed(f, errno);
  if ((whence != MPI_SEEK_SET && whence != MPI_SEEK_CUR && whence != MPI_SEEK_END) || base + offset < 0)
    return file_fail(f, MPI_ERR_ARG, "%s: there is no place %ld", call_name(), (long)(base + offset));
  *to = base + offset;
  return MPI_SUCCESS;
}

API(File_seek) int MPI_File_seek(MPI_File file, MPI_Offset offset, int whence) {
  CALL;
  struct file *f = file_of(file);
  return f ? seek(f, f->position, offset, whence, &f->position) : MPI_ERR_FILE;
}

API(File_get_position) int MPI_File_get_position(MPI_File file, MPI_Offset *offset) {
  CALL;
  struct file *f = file_of(file);
  if (f) *offset = f->position;
  return f ? MPI_SUCCESS : MPI_ERR_FILE;
}

/* The first rank moves it, when all have come. */
API(File_seek_shared) int MPI_File_seek_shared(MPI_File file, MPI_Offset offset, int whence) {
  CALL;
  struct file *f = file_of(file);
  if (!f) return MPI_ERR_FILE;
  files_meet(f, NULL, 0);
  int64_t to = 0;
  int wrong = seek(f, f->shared->pointer, offset, whence, &to);
  files_meet(f, NULL, 0);
  if (!wrong && f->c->rank == 0) f->shared->pointer = to;
  files_meet(f, NULL, 0);
  return wrong;
}

API(File_get_position_shared) int MPI_File_get_position_shared(MPI_File file, MPI_Offset *offset) {
  CALL;
  struct file *f = file_of(file);
  if (f) *offset = take_turn(f, 0);
  return f ? MPI_SUCCESS : MPI_ERR_FILE;
}
