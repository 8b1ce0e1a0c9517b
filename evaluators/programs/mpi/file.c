/* Files of MPI: they are opened, closed, seen in views and asked, by all ranks of a communicator together. Data are
 * really read and written, by this computer; what that takes in time is psl's matter. */
#include "evaluators/programs/mpi/file.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

static MPI_File handle_of(const struct file *f) { return (MPI_File)(uintptr_t)f; }

struct file *file_of(MPI_File handle) {
  struct file *f = NULL;
  for (uint32_t k = 0; k < self->file_count && !f; k++)
    if (handle && handle_of(self->files[k]) == handle) f = self->files[k];
  if (!f) file_fail(NULL, MPI_ERR_FILE, "%s is given what is no file", call_name());
  return f;
}

/* Of a handle that is no file the caller says so. */
#define FILE_OF(f, handle)          \
  struct file *f = file_of(handle); \
  if (!f) return MPI_ERR_FILE

static struct program_operation *named_operation(enum program_kind kind, const char *name, uint32_t number) {
  struct program_operation *o = operation_add(kind);
  size_t size = strlen(name) + 1;
  o->name = memcpy(operation_list(size), name, size);
  o->handle = number;
  return o;
}
struct program_operation *file_operation(const struct file *f, enum program_kind kind) {
  return named_operation(kind, f->name, f->shared->number);
}

void files_meet(const struct file *f, const void *data, size_t size) {
  collective_leave(f->c, agree_begin(f->c, data, size));
}

int file_system_failed(const struct file *f, int error) {
  int class = error == ENOENT                       ? MPI_ERR_NO_SUCH_FILE
              : error == EACCES                     ? MPI_ERR_ACCESS
              : error == EEXIST                     ? MPI_ERR_FILE_EXISTS
              : error == EROFS                      ? MPI_ERR_READ_ONLY
              : error == ENOSPC                     ? MPI_ERR_NO_SPACE
              : error == EDQUOT                     ? MPI_ERR_QUOTA
              : error == ENOTDIR || error == EISDIR ? MPI_ERR_BAD_FILE
                                                    : MPI_ERR_IO;
  return file_fail(f, class, "%s: %s%s%s", call_name(), f ? f->name : "", f ? ": " : "", strerror(error));
}

/* ---- opening and closing ---- */

static bool mode_wrong(int mode) {
  int ways = !!(mode & MPI_MODE_RDONLY) + !!(mode & MPI_MODE_WRONLY) + !!(mode & MPI_MODE_RDWR);
  return ways != 1 || (mode & MPI_MODE_RDONLY && mode & (MPI_MODE_CREATE | MPI_MODE_EXCL)) ||
         (mode & MPI_MODE_RDWR && mode & MPI_MODE_SEQUENTIAL);
}

static int system_open(const char *name, int mode, bool creates) {
  int flags = O_CLOEXEC | (mode & MPI_MODE_RDONLY ? O_RDONLY : mode & MPI_MODE_WRONLY ? O_WRONLY : O_RDWR);
  if (creates && mode & MPI_MODE_CREATE) flags |= O_CREAT;
  if (creates && mode & MPI_MODE_EXCL) flags |= O_EXCL;
  return open(name, flags, 0666);
}

struct opening { /* what a rank says; the first one has opened the file */
  int mode, error;
};

/* What the ranks share of the file is made by the first that comes. 0, or the class of the error. */
static int opening_agree(struct file *f, struct opening own) {
  struct collective *met = agree_begin(f->c, &own, sizeof own);
  const struct opening *first = met->parts[0].data;
  int wrong = first->error;
  for (uint32_t k = 0; !wrong && k < local_size(f->c); k++)
    if (((const struct opening *)met->parts[k].data)->mode != first->mode) wrong = -1;
  void **made = &met->parts[0].made;
  if (!*made && !wrong) {
    f->shared = *made = shared_get(sizeof *f->shared);
    *f->shared = (struct shared_file){.references = local_size(f->c), .number = ++area->files};
  }
  f->shared = *made;
  collective_leave(f->c, met);
  return wrong;
}

static void file_free(struct file *f) {
  MPI_Comm comm = f->c->handle;
  for (uint32_t k = 0; k < self->file_count; k++)
    if (self->files[k] == f) self->files[k] = NULL;
  if (f->descriptor >= 0) close(f->descriptor);
  if (f->info != MPI_INFO_NULL) MPI_Info_free(&f->info);
  view_drop(&f->view);
  errhandler_drop(f->errors);
  MPI_Comm_free(&comm);
  free(f->name);
  free(f);
}

static struct file *file_new(struct communicator *like, const char *name, int mode, MPI_Info info) {
  struct file *f = calloc(1, sizeof *f);
  uint32_t place = 0;
  while (place < self->file_count && self->files[place])
    place++;
  if (place == self->file_count) {
    self->file_count = self->file_count ? 2 * self->file_count : 8;
    self->files = realloc(self->files, self->file_count * sizeof *self->files);
    memset(self->files + place, 0, (self->file_count - place) * sizeof *self->files);
  }
  self->files[place] = f;
  *f =
      (struct file){.descriptor = -1, .mode = mode, .name = strdup(name), .errors = errhandler_keep(self->file_errors)};
  f->split = MPI_REQUEST_NULL;
  f->info = MPI_INFO_NULL;
  if (info != MPI_INFO_NULL) MPI_Info_dup(info, &f->info);
  f->c = communicator_of(communicator_copy(like));
  view_set(&f->view, 0, MPI_BYTE, MPI_BYTE, false);
  return f;
}

API(File_open) int MPI_File_open(MPI_Comm comm, const char *name, int mode, MPI_Info info, MPI_File *handle) {
  CALL;
  COMMUNICATOR(c, comm);
  *handle = MPI_FILE_NULL;
  if (mode_wrong(mode)) return file_fail(NULL, MPI_ERR_AMODE, "%s: the mode %d is none", call_name(), mode);
  struct file *f = file_new(c, name, mode, info);
  struct opening own = {.mode = mode};
  if (f->c->rank == 0 && (f->descriptor = system_open(name, mode, true)) < 0) own.error = errno;
  int wrong = opening_agree(f, own);
  if (!wrong && f->descriptor < 0 && (f->descriptor = system_open(name, mode, false)) < 0) wrong = errno;
  if (wrong) {
    int class = wrong < 0 ? file_fail(f, MPI_ERR_AMODE, "%s: the ranks open %s in different modes", call_name(), name)
                          : file_system_failed(f, wrong);
    file_free(f);
    return class;
  }
  file_operation(f, PROGRAM_FILE_OPEN);
  area->memory_shared = true;
  if (mode & MPI_MODE_APPEND) f->position = f->shared->pointer = file_end(f);
  *handle = handle_of(f);
  return MPI_SUCCESS;
}

API(File_close) int MPI_File_close(MPI_File *handle) {
  CALL;
  FILE_OF(f, *handle);
  file_operation(f, PROGRAM_FILE_CLOSE);
  files_meet(f, NULL, 0);
  if (f->mode & MPI_MODE_DELETE_ON_CLOSE) {
    if (f->c->rank == 0) unlink(f->name);
    files_meet(f, NULL, 0);
  }
  if (--f->shared->references == 0) shared_give(f->shared);
  file_free(f);
  *handle = MPI_FILE_NULL;
  return MPI_SUCCESS;
}

API(File_delete) int MPI_File_delete(const char *name, MPI_Info info) {
  CALL;
  (void)info;
  named_operation(PROGRAM_FILE_METADATA, name, 0);
  operations_end();
  return unlink(name) < 0 ? file_system_failed(NULL, errno) : MPI_SUCCESS;
}

/* ---- views ---- */

API(File_set_view)
int MPI_File_set_view(MPI_File handle, MPI_Offset displacement, MPI_Datatype etype, MPI_Datatype filetype,
                      const char *form, MPI_Info info) {
  CALL;
  (void)info;
  FILE_OF(f, handle);
  if (!datatype_valid(etype) || !datatype_valid(filetype))
    return file_fail(f, MPI_ERR_TYPE, "%s is given what is no datatype", call_name());
  if (displacement == MPI_DISPLACEMENT_CURRENT && f->mode & MPI_MODE_SEQUENTIAL)
    displacement = view_place(&f->view, f->shared->pointer * datatype_size(f->view.etype));
  bool external = strcasecmp(form, "external32") == 0;
  int64_t unit = datatype_size(etype);
  if (displacement < 0 || !unit || datatype_size(filetype) % unit)
    return file_fail(f, MPI_ERR_ARG, "%s: a view of displacement %ld, an etype of %ld bytes and a filetype of %ld",
                     call_name(), (long)displacement, (long)unit, (long)datatype_size(filetype));
  if (!external && strcasecmp(form, "native") != 0 && strcasecmp(form, "internal") != 0)
    return file_fail(f, MPI_ERR_UNSUPPORTED_DATAREP, "%s: data are \"native\" or \"external32\", not \"%s\"",
                     call_name(), form);
  files_meet(f, NULL, 0);
  view_set(&f->view, displacement, etype, filetype, external);
  f->position = 0;
  if (f->c->rank == 0) f->shared->pointer = 0;
  files_meet(f, NULL, 0);
  return MPI_SUCCESS;
}

/* The types are copies, for the program to free; MPI's own are themselves. */
static MPI_Datatype type_given(MPI_Datatype type) {
  MPI_Datatype copy = type;
  if (!is_named(type)) MPI_Type_dup(type, &copy);
  return copy;
}

API(File_get_view)
int MPI_File_get_view(MPI_File handle, MPI_Offset *displacement, MPI_Datatype *etype, MPI_Datatype *filetype,
                      char *form) {
  CALL;
  FILE_OF(f, handle);
  *displacement = f->view.displacement;
  *etype = type_given(f->view.given_etype);
  *filetype = type_given(f->view.given_filetype);
  strcpy(form, f->view.external ? "external32" : "native");
  return MPI_SUCCESS;
}

API(File_get_type_extent) int MPI_File_get_type_extent(MPI_File handle, MPI_Datatype type, MPI_Aint *extent) {
  CALL;
  FILE_OF(f, handle);
  if (!datatype_valid(type)) return file_fail(f, MPI_ERR_TYPE, "%s is given what is no datatype", call_name());
  MPI_Datatype there = f->view.external ? external_layout(type) : type;
  *extent = datatype_of(there)->extent;
  if (f->view.external) datatype_drop(there);
  return MPI_SUCCESS;
}

API(File_get_byte_offset) int MPI_File_get_byte_offset(MPI_File handle, MPI_Offset offset, MPI_Offset *place) {
  CALL;
  FILE_OF(f, handle);
  if (offset < 0) return file_fail(f, MPI_ERR_ARG, "%s: the offset %ld is negative", call_name(), (long)offset);
  *place = view_place(&f->view, offset * datatype_size(f->view.etype));
  return MPI_SUCCESS;
}

/* ---- sizes ---- */

int64_t file_end(const struct file *f) {
  struct stat status;
  int64_t unit = datatype_size(f->view.etype);
  if (fstat(f->descriptor, &status) < 0) return -1;
  return (view_below(&f->view, status.st_size) + unit - 1) / unit;
}

API(File_get_size) int MPI_File_get_size(MPI_File handle, MPI_Offset *size) {
  CALL;
  struct stat status;
  FILE_OF(f, handle);
  file_operation(f, PROGRAM_FILE_METADATA);
  operations_end();
  if (fstat(f->descriptor, &status) < 0) return file_system_failed(f, errno);
  *size = status.st_size;
  return MPI_SUCCESS;
}

/* The first rank does it, when all have come, and all go on when it is done. */
static int resize(struct file *f, MPI_Offset size, bool shrinks) {
  struct stat status;
  int error = 0;
  if (size < 0) return file_fail(f, MPI_ERR_ARG, "%s: the size %ld is negative", call_name(), (long)size);
  files_meet(f, NULL, 0);
  if (f->c->rank == 0) {
    file_operation(f, PROGRAM_FILE_METADATA);
    bool there = !shrinks && fstat(f->descriptor, &status) == 0 && status.st_size >= size;
    if (!there && ftruncate(f->descriptor, size) < 0) error = errno;
  }
  struct collective *met = agree_begin(f->c, &error, sizeof error);
  memcpy(&error, met->parts[0].data, sizeof error);
  collective_leave(f->c, met);
  return error ? file_system_failed(f, error) : MPI_SUCCESS;
}

API(File_set_size) int MPI_File_set_size(MPI_File handle, MPI_Offset size) {
  CALL;
  FILE_OF(f, handle);
  return resize(f, size, true);
}

API(File_preallocate) int MPI_File_preallocate(MPI_File handle, MPI_Offset size) {
  CALL;
  FILE_OF(f, handle);
  return resize(f, size, false);
}

/* ---- what is consistent: what a rank has written others read, as soon as it is written in virtual time ---- */

API(File_sync) int MPI_File_sync(MPI_File handle) {
  CALL;
  FILE_OF(f, handle);
  file_operation(f, PROGRAM_FILE_METADATA);
  files_meet(f, NULL, 0);
  return MPI_SUCCESS;
}

API(File_set_atomicity) int MPI_File_set_atomicity(MPI_File handle, int flag) {
  CALL;
  FILE_OF(f, handle);
  files_meet(f, NULL, 0);
  f->atomic = flag;
  return MPI_SUCCESS;
}

API(File_get_atomicity) int MPI_File_get_atomicity(MPI_File handle, int *flag) {
  CALL;
  FILE_OF(f, handle);
  *flag = f->atomic;
  return MPI_SUCCESS;
}

/* ---- what is asked of a file ---- */

API(File_get_amode) int MPI_File_get_amode(MPI_File handle, int *mode) {
  CALL;
  FILE_OF(f, handle);
  *mode = f->mode;
  return MPI_SUCCESS;
}

API(File_get_group) int MPI_File_get_group(MPI_File handle, MPI_Group *group) {
  CALL;
  FILE_OF(f, handle);
  return MPI_Comm_group(f->c->handle, group);
}

API(File_set_info) int MPI_File_set_info(MPI_File handle, MPI_Info info) {
  CALL;
  FILE_OF(f, handle);
  if (f->info != MPI_INFO_NULL) MPI_Info_free(&f->info);
  return info == MPI_INFO_NULL ? MPI_SUCCESS : MPI_Info_dup(info, &f->info);
}

API(File_get_info) int MPI_File_get_info(MPI_File handle, MPI_Info *info) {
  CALL;
  FILE_OF(f, handle);
  return f->info == MPI_INFO_NULL ? MPI_Info_create(info) : MPI_Info_dup(f->info, info);
}

/* Fortran's handles are numbers. */
API(File_c2f) MPI_Fint MPI_File_c2f(MPI_File handle) {
  for (uint32_t k = 0; handle && k < self->file_count; k++)
    if (handle_of(self->files[k]) == handle) return (MPI_Fint)k + 1;
  return 0;
}
API(File_f2c) MPI_File MPI_File_f2c(MPI_Fint number) {
  bool valid = number > 0 && (uint32_t)number <= self->file_count && self->files[number - 1];
  return valid ? handle_of(self->files[number - 1]) : MPI_FILE_NULL;
}

/* ---- errors: the program is told of them, if it does not say otherwise ---- */

API(File_create_errhandler)
int MPI_File_create_errhandler(MPI_File_errhandler_function *function, MPI_Errhandler *handler) {
  LOCAL_CALL_ANY_TIME;
  return MPI_Comm_create_errhandler((MPI_Comm_errhandler_function *)(void *)function, handler);
}

API(File_set_errhandler) int MPI_File_set_errhandler(MPI_File handle, MPI_Errhandler handler) {
  CALL;
  struct file *f = handle ? file_of(handle) : NULL;
  if (handle && !f) return MPI_ERR_FILE;
  errhandler_set(f ? &f->errors : &self->file_errors, handler);
  return MPI_SUCCESS;
}

API(File_get_errhandler) int MPI_File_get_errhandler(MPI_File handle, MPI_Errhandler *handler) {
  CALL;
  const struct file *f = handle ? file_of(handle) : NULL;
  if (handle && !f) return MPI_ERR_FILE;
  *handler = errhandler_keep(f ? f->errors : self->file_errors);
  return MPI_SUCCESS;
}

API(File_call_errhandler) int MPI_File_call_errhandler(MPI_File handle, int class) {
  CALL;
  file_fail(handle ? file_of(handle) : NULL, class, "%s: the program calls the handler of errors for class %d",
            call_name(), class);
  return MPI_SUCCESS;
}
