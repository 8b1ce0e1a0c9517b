/* Regular files that a program reads and writes by calls of UNIX, from MPI_Init to MPI_Finalize: data are really read
 * and written, by this computer, and what that takes in time is psl's matter, as with files of MPI. All else is the
 * system's: pipes, terminals, the three descriptors that a program begins with, what MPI itself and what other threads
 * do, and what stdio does with its own descriptors. Names of files tell them apart. */
#include "evaluators/programs/mpi/clock.h"
#include "evaluators/programs/mpi/rank.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

struct named_file { /* shared by all ranks */
  struct named_file *next;
  uint32_t number;
  char name[];
};

static bool is_served(int descriptor) {
  struct stat status;
  return clock_is_virtual() && !in_call() && descriptor > STDERR_FILENO && !fstat(descriptor, &status) &&
         S_ISREG(status.st_mode);
}

/* Its number is that of all who have a file of that name. */
static struct named_file *file_named(const char *name) {
  struct named_file *file = area->named_files;
  while (file && strcmp(file->name, name) != 0)
    file = file->next;
  if (file) return file;
  size_t size = strlen(name) + 1;
  file = shared_get(sizeof *file + size);
  *file = (struct named_file){.next = area->named_files, .number = ++area->files};
  memcpy(file->name, name, size);
  area->memory_shared = true;
  return area->named_files = file;
}

static void add_operation(enum program_kind kind, int descriptor, int64_t offset, int64_t bytes) {
  char link[40], name[PATH_MAX + 1];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t length = readlink(link, name, PATH_MAX);
  name[length < 0 ? 0 : length] = 0;
  const struct named_file *file = file_named(name);
  struct program_operation *o = operation_add(kind);
  size_t size = strlen(name) + 1;
  o->name = memcpy(operation_list(size), name, size);
  o->handle = file->number;
  o->offset = (double)offset;
  o->bytes = (double)bytes;
}

#define ENTRY(function, site) \
  struct entry entry __attribute__((cleanup(entry_end), unused)) = entry_begin(function, site)
#define CALLER __builtin_return_address(0)

/* ---- opening and closing ---- */

static int opened(int descriptor, const char *function, const void *site) {
  if (!is_served(descriptor)) return descriptor;
  ENTRY(function, site);
  add_operation(PROGRAM_FILE_OPEN, descriptor, 0, 0);
  return descriptor;
}

#define OPEN(folder, path, flags, mode) (int)syscall(SYS_openat, folder, path, flags, mode)
/* The mode is there where a file may be made. */
#define MODE_OF(flags)                                                                                 \
  ({                                                                                                   \
    va_list more;                                                                                      \
    va_start(more, flags);                                                                             \
    unsigned given = (flags)&O_CREAT || ((flags)&O_TMPFILE) == O_TMPFILE ? va_arg(more, unsigned) : 0; \
    va_end(more);                                                                                      \
    given;                                                                                             \
  })

#define OPENS(name)                                                             \
  PUBLIC int name(const char *path, int flags, ...) {                           \
    return opened(OPEN(AT_FDCWD, path, flags, MODE_OF(flags)), "open", CALLER); \
  }
OPENS(open)
OPENS(open64)

#define OPENS_AT(name)                                                          \
  PUBLIC int name(int folder, const char *path, int flags, ...) {               \
    return opened(OPEN(folder, path, flags, MODE_OF(flags)), "openat", CALLER); \
  }
OPENS_AT(openat)
OPENS_AT(openat64)

#define CREATES(name)                                                                         \
  PUBLIC int name(const char *path, mode_t mode) {                                            \
    return opened(OPEN(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode), "creat", CALLER); \
  }
CREATES(creat)
CREATES(creat64)

/* Of programs that are compiled with checks of what they call. */
int __open_2(const char *path, int flags);
int __open64_2(const char *path, int flags);
PUBLIC int __open_2(const char *path, int flags) { return opened(OPEN(AT_FDCWD, path, flags, 0), "open", CALLER); }
PUBLIC int __open64_2(const char *path, int flags) { return opened(OPEN(AT_FDCWD, path, flags, 0), "open", CALLER); }

PUBLIC int close(int descriptor) {
  if (!is_served(descriptor)) return (int)syscall(SYS_close, descriptor);
  ENTRY("close", CALLER);
  add_operation(PROGRAM_FILE_CLOSE, descriptor, 0, 0);
  return (int)syscall(SYS_close, descriptor);
}

/* ---- reading and writing ---- */

/* What has been moved, of which the last byte is before that place. */
static ssize_t moved(enum program_kind kind, int descriptor, int64_t end, ssize_t bytes) {
  int error = errno;
  if (bytes >= 0) add_operation(kind, descriptor, end - bytes, bytes);
  errno = error;
  return bytes;
}

/* Where the descriptor stands; of one at whose end is written, that is behind it. */
static int64_t place_of(int descriptor) { return syscall(SYS_lseek, descriptor, 0, SEEK_CUR); }

static ssize_t move(bool writes, int descriptor, void *data, size_t bytes, const void *site) {
  long call = writes ? SYS_write : SYS_read;
  if (!is_served(descriptor)) return syscall(call, descriptor, data, bytes);
  ENTRY(writes ? "write" : "read", site);
  ssize_t done = syscall(call, descriptor, data, bytes);
  return moved(writes ? PROGRAM_FILE_WRITE : PROGRAM_FILE_READ, descriptor, place_of(descriptor), done);
}

static ssize_t move_at(bool writes, int descriptor, void *data, size_t bytes, off_t offset, const void *site) {
  long call = writes ? SYS_pwrite64 : SYS_pread64;
  if (!is_served(descriptor)) return syscall(call, descriptor, data, bytes, offset);
  ENTRY(writes ? "pwrite" : "pread", site);
  ssize_t done = syscall(call, descriptor, data, bytes, offset);
  return moved(writes ? PROGRAM_FILE_WRITE : PROGRAM_FILE_READ, descriptor, offset + done, done);
}

PUBLIC ssize_t read(int descriptor, void *data, size_t bytes) { return move(false, descriptor, data, bytes, CALLER); }
PUBLIC ssize_t write(int descriptor, const void *data, size_t bytes) {
  return move(true, descriptor, (void *)data, bytes, CALLER);
}
PUBLIC ssize_t pread(int descriptor, void *data, size_t bytes, off_t offset) {
  return move_at(false, descriptor, data, bytes, offset, CALLER);
}
PUBLIC ssize_t pread64(int descriptor, void *data, size_t bytes, off64_t offset) {
  return move_at(false, descriptor, data, bytes, offset, CALLER);
}
PUBLIC ssize_t pwrite(int descriptor, const void *data, size_t bytes, off_t offset) {
  return move_at(true, descriptor, (void *)data, bytes, offset, CALLER);
}
PUBLIC ssize_t pwrite64(int descriptor, const void *data, size_t bytes, off64_t offset) {
  return move_at(true, descriptor, (void *)data, bytes, offset, CALLER);
}

/* `room`: of the data, which the program has been compiled to check. */
ssize_t __read_chk(int descriptor, void *data, size_t bytes, size_t room);
ssize_t __pread_chk(int descriptor, void *data, size_t bytes, off_t offset, size_t room);
ssize_t __pread64_chk(int descriptor, void *data, size_t bytes, off64_t offset, size_t room);
static void room_check(size_t bytes, size_t room) {
  if (bytes > room) abort();
}
PUBLIC ssize_t __read_chk(int descriptor, void *data, size_t bytes, size_t room) {
  room_check(bytes, room);
  return move(false, descriptor, data, bytes, CALLER);
}
PUBLIC ssize_t __pread_chk(int descriptor, void *data, size_t bytes, off_t offset, size_t room) {
  room_check(bytes, room);
  return move_at(false, descriptor, data, bytes, offset, CALLER);
}
PUBLIC ssize_t __pread64_chk(int descriptor, void *data, size_t bytes, off64_t offset, size_t room) {
  room_check(bytes, room);
  return move_at(false, descriptor, data, bytes, offset, CALLER);
}

/* ---- what is written has come to the disk ---- */

static int synced(long call, int descriptor, const char *function, const void *site) {
  if (!is_served(descriptor)) return (int)syscall(call, descriptor);
  ENTRY(function, site);
  add_operation(PROGRAM_FILE_METADATA, descriptor, 0, 0);
  return (int)syscall(call, descriptor);
}
PUBLIC int fsync(int descriptor) { return synced(SYS_fsync, descriptor, "fsync", CALLER); }
PUBLIC int fdatasync(int descriptor) { return synced(SYS_fdatasync, descriptor, "fdatasync", CALLER); }
