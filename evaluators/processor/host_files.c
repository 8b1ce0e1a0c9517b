/* The files of a simulated program. */
#include "evaluators/processor/host_files.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

enum { PART = 64 * 1024 }; /* bytes that go between a file and the program's memory at once */

void host_files_open(struct host_files *files, enum program_reach reach) {
  files->alone = reach == REACHES_NOTHING;
  for (int i = 0; i < HOST_FILES; i++)
    files->host[i] = i >= 3 ? -1 : files->alone ? HOST_NOWHERE : i;
  if (reach == REACHES_NO_INPUT) files->host[0] = HOST_NOWHERE;
}

void host_files_close(struct host_files *files) {
  for (int i = 0; i < HOST_FILES; i++)
    host_file_close(files, (uint64_t)i);
}

int host_file(const struct host_files *files, uint64_t descriptor) {
  return descriptor < HOST_FILES ? files->host[descriptor] : -1;
}

static int64_t result(int64_t value) { return value < 0 ? -errno : value; }

static int64_t adopt(struct host_files *files, int host) {
  for (int i = 0; host >= 0 && i < HOST_FILES; i++) {
    if (files->host[i] != -1) continue;
    files->host[i] = host;
    return i;
  }
  if (host < 0) return -errno;
  close(host);
  return -EMFILE;
}

int64_t host_file_open(struct host_files *files, struct space *m, int folder, uint64_t path, int flags, unsigned mode) {
  char name[PATH_MAX];
  if (!space_text(m, path, name, sizeof name)) return -EFAULT;
  if (files->alone) return -EACCES;
  return adopt(files, openat(folder, name, flags | O_CLOEXEC, mode));
}

int64_t host_file_close(struct host_files *files, uint64_t descriptor) {
  int host = host_file(files, descriptor);
  if (host == -1) return -EBADF;
  files->host[descriptor] = -1;
  return host < 3 ? 0 : result(close(host)); /* those three are psl's, too */
}

int64_t host_file_copy(struct host_files *files, uint64_t descriptor, int64_t to) {
  int host = host_file(files, descriptor);
  if (host < 0 || to >= HOST_FILES) return -EBADF;
  if (to == (int64_t)descriptor) return to;
  int copy = fcntl(host, F_DUPFD_CLOEXEC, 3);
  if (to < 0 || copy < 0) return adopt(files, copy);
  host_file_close(files, (uint64_t)to);
  files->host[to] = copy;
  return to;
}

int64_t host_file_read(struct host_files *files, struct space *m, uint64_t descriptor, uint64_t address,
                       uint64_t count) {
  char part[PART];
  int host = host_file(files, descriptor);
  if (host == HOST_NOWHERE) return 0;
  if (host < 0) return -EBADF;
  ssize_t got = read(host, part, count < PART ? count : PART);
  if (got < 0) return -errno;
  return got && !space_write_across(m, address, part, (size_t)got) ? -EFAULT : got;
}

int64_t host_file_write(struct host_files *files, struct space *m, uint64_t descriptor, uint64_t address,
                        uint64_t count) {
  char part[PART];
  int host = host_file(files, descriptor);
  uint64_t done = 0;
  if (host == HOST_NOWHERE) return (int64_t)count;
  if (host < 0) return -EBADF;
  while (done < count) {
    size_t size = count - done < PART ? count - done : PART;
    if (!space_read_across(m, address + done, part, size)) return done ? (int64_t)done : -EFAULT;
    ssize_t put = write(host, part, size);
    if (put < 0) return done ? (int64_t)done : -errno;
    done += (uint64_t)put;
    if ((size_t)put < size) break;
  }
  return (int64_t)done;
}

int64_t host_file_seek(struct host_files *files, uint64_t descriptor, int64_t offset, int whence) {
  int host = host_file(files, descriptor);
  return host < 0 ? -EBADF : result(lseek(host, offset, whence));
}

int64_t host_file_state(struct host_files *files, uint64_t descriptor, struct stat *state) {
  int host = host_file(files, descriptor);
  return host < 0 ? -EBADF : result(fstat(host, state));
}

int64_t host_path_state(struct host_files *files, struct space *m, int folder, uint64_t path, bool follow,
                        struct stat *state) {
  char name[PATH_MAX];
  if (!space_text(m, path, name, sizeof name)) return -EFAULT;
  if (files->alone) return -EACCES;
  return result(fstatat(folder, name, state, follow ? 0 : AT_SYMLINK_NOFOLLOW));
}

int64_t host_path(struct host_files *files, struct space *m, uint64_t path, enum host_path_act act, unsigned how) {
  char name[PATH_MAX];
  if (!space_text(m, path, name, sizeof name)) return -EFAULT;
  if (files->alone) return -EACCES;
  switch (act) {
  case HOST_UNLINK: return result(unlink(name));
  case HOST_REMOVE_FOLDER: return result(rmdir(name));
  case HOST_MAKE_FOLDER: return result(mkdir(name, how));
  case HOST_ACCESS: break;
  }
  return result(access(name, (int)how));
}

int64_t host_rename(struct host_files *files, struct space *m, uint64_t from, uint64_t to) {
  char names[2][PATH_MAX];
  if (!space_text(m, from, names[0], PATH_MAX) || !space_text(m, to, names[1], PATH_MAX)) return -EFAULT;
  return files->alone ? -EACCES : result(rename(names[0], names[1]));
}

int64_t host_file_cut(struct host_files *files, uint64_t descriptor, int64_t size) {
  int host = host_file(files, descriptor);
  return host < 0 ? -EBADF : result(ftruncate(host, size));
}
