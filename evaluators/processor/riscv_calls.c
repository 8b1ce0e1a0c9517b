/* What a program of RISC-V asks of Linux. The number stands in a7, what is given in a0 to a5; a0 is the result, or the
 * negative number of an error. Clocks tell the time that is simulated, and chance is none. */
#include "evaluators/processor/riscv.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

enum {
  CALL_GETCWD = 17,
  CALL_DUP = 23,
  CALL_DUP3 = 24,
  CALL_FCNTL = 25,
  CALL_IOCTL = 29,
  CALL_MKDIRAT = 34,
  CALL_UNLINKAT = 35,
  CALL_FTRUNCATE = 46,
  CALL_FACCESSAT = 48,
  CALL_OPENAT = 56,
  CALL_CLOSE = 57,
  CALL_LSEEK = 62,
  CALL_READ = 63,
  CALL_WRITE = 64,
  CALL_READV = 65,
  CALL_WRITEV = 66,
  CALL_PREAD = 67,
  CALL_PWRITE = 68,
  CALL_READLINKAT = 78,
  CALL_FSTATAT = 79,
  CALL_FSTAT = 80,
  CALL_EXIT = 93,
  CALL_EXIT_GROUP = 94,
  CALL_SET_TID_ADDRESS = 96,
  CALL_FUTEX = 98,
  CALL_SET_ROBUST_LIST = 99,
  CALL_CLOCK_GETTIME = 113,
  CALL_CLOCK_GETRES = 114,
  CALL_SCHED_YIELD = 124,
  CALL_TGKILL = 131,
  CALL_SIGACTION = 134,
  CALL_SIGPROCMASK = 135,
  CALL_TIMES = 153,
  CALL_UNAME = 160,
  CALL_GETRUSAGE = 165,
  CALL_UMASK = 166,
  CALL_GETTIMEOFDAY = 169,
  CALL_GETPID = 172,
  CALL_GETPPID = 173,
  CALL_GETUID = 174,
  CALL_GETEUID = 175,
  CALL_GETGID = 176,
  CALL_GETEGID = 177,
  CALL_GETTID = 178,
  CALL_SYSINFO = 179,
  CALL_BRK = 214,
  CALL_MUNMAP = 215,
  CALL_MREMAP = 216,
  CALL_MMAP = 222,
  CALL_MPROTECT = 226,
  CALL_MADVISE = 233,
  CALL_HWPROBE = 258,
  CALL_FLUSH_ICACHE = 259,
  CALL_PRLIMIT = 261,
  CALL_RENAMEAT = 276,
  CALL_GETRANDOM = 278,
  CALL_RSEQ = 293,
};
enum { PROT_TO_WRITE = 2, PROT_TO_EXECUTE = 4, MAP_AT_ADDRESS = 0x10, MAP_OF_NOTHING = 0x20 };
static const uint64_t addresses_end = 0x3f00000000; /* of mappings */

static uint64_t round_up(uint64_t size) { return (size + PAGE_SIZE - 1) / PAGE_SIZE * PAGE_SIZE; }

/* ---- memory ---- */

static int64_t set_heap_end(struct riscv *r, uint64_t end) {
  if (end < r->heap_begin || end >= r->next_mapping || end - r->heap_begin > (uint64_t)1 << 36)
    return (int64_t)r->heap_end;
  uint64_t from = round_up(r->heap_end), to = round_up(end);
  if (to > from && !space_allow(&r->program.space, from, to, true)) return (int64_t)r->heap_end;
  if (to < from && !space_forbid(&r->program.space, to, from))
    return (int64_t)r->heap_end; /* what comes back is zero */
  return (int64_t)(r->heap_end = end);
}

static int64_t map_file(struct riscv *r, uint64_t address, uint64_t size, uint64_t descriptor, uint64_t offset) {
  int host = host_file(&r->files, descriptor);
  char part[PAGE_SIZE];
  ssize_t got = 1;
  if (host < 0) return -EBADF;
  for (uint64_t done = 0; done < size && got > 0; done += (uint64_t)got) {
    uint64_t left = size - done;
    got = pread(host, part, left < sizeof part ? left : sizeof part, (off_t)(offset + done));
    if (got < 0) return -errno;
    if (!space_load(&r->program.space, address + done, part, (size_t)got)) return -ENOMEM;
  }
  return (int64_t)address;
}

/* A file is mapped as what it holds now: changes stay the program's own. */
static int64_t map(struct riscv *r, const uint64_t *a) {
  uint64_t address = a[0], size = round_up(a[1]);
  if (!a[1] || size > addresses_end || a[2] & PROT_TO_EXECUTE) return -EINVAL;
  if (!(a[3] & MAP_AT_ADDRESS)) address = r->next_mapping;
  if (address % PAGE_SIZE || address < r->heap_end || address + size > addresses_end) return -ENOMEM;
  if (a[3] & MAP_AT_ADDRESS && !space_forbid(&r->program.space, address, address + size)) return -ENOMEM;
  if (!space_allow(&r->program.space, address, address + size, a[2] & PROT_TO_WRITE)) return -ENOMEM;
  if (address + size > r->next_mapping) r->next_mapping = address + size;
  return a[3] & MAP_OF_NOTHING ? (int64_t)address : map_file(r, address, a[1], a[4], a[5]);
}

static bool in_mappings(const struct riscv *r, uint64_t address, uint64_t size) {
  return size <= addresses_end && address % PAGE_SIZE == 0 && address >= r->program.data_begin &&
         address + size <= addresses_end;
}

static int64_t unmap(struct riscv *r, uint64_t address, uint64_t size) {
  if (!in_mappings(r, address, round_up(size))) return -EINVAL;
  return space_forbid(&r->program.space, address, address + round_up(size)) ? 0 : -ENOMEM;
}

/* What was to be read alone stays so, code above all. */
static int64_t protect(struct riscv *r, uint64_t address, uint64_t size, uint64_t how) {
  struct program *p = &r->program;
  uint64_t end = address + round_up(size);
  if (!in_mappings(r, address, round_up(size))) return -EINVAL;
  if (!how || (p->code_begin < end && address < p->code_end)) return 0;
  return !size || space_allow(&p->space, address, end, how & PROT_TO_WRITE) ? 0 : -ENOMEM;
}

static int64_t put(struct riscv *r, uint64_t address, const void *bytes, size_t size) {
  return space_write_across(&r->program.space, address, bytes, size) ? 0 : -EFAULT;
}

/* ---- files ---- */

static int64_t vector(struct riscv *r, uint64_t descriptor, uint64_t parts, uint64_t count, bool write) {
  struct space *space = &r->program.space;
  int64_t sum = 0;
  for (uint64_t i = 0; i < count && i < IOV_MAX; i++) {
    uint64_t part[2];
    if (!space_read_across(space, parts + 16 * i, part, sizeof part)) return -EFAULT;
    int64_t done = write ? host_file_write(&r->files, space, descriptor, part[0], part[1])
                         : host_file_read(&r->files, space, descriptor, part[0], part[1]);
    if (done < 0) return sum ? sum : done;
    sum += done;
    if ((uint64_t)done < part[1]) break;
  }
  return sum;
}

static int64_t put_state(struct riscv *r, uint64_t address, int64_t done, const struct stat *state) {
  struct {
    uint64_t device, inode;
    uint32_t mode, links, user, group;
    uint64_t special, pad;
    int64_t size;
    int32_t block, pad2;
    int64_t blocks, accessed, accessed_more, modified, modified_more, changed, changed_more;
    uint32_t unused[2];
  } out = {.device = state->st_dev,
           .inode = state->st_ino,
           .mode = state->st_mode,
           .links = (uint32_t)state->st_nlink,
           .user = state->st_uid,
           .group = state->st_gid,
           .special = state->st_rdev,
           .size = state->st_size,
           .block = (int32_t)state->st_blksize,
           .blocks = state->st_blocks,
           .accessed = state->st_atime,
           .modified = state->st_mtime,
           .changed = state->st_ctime};
  return done < 0 ? done : put(r, address, &out, sizeof out);
}

enum { EMPTY_PATH = 0x1000, NO_FOLLOW = 0x100 };
static int64_t path_state(struct riscv *r, const uint64_t *a) {
  struct stat state = {0};
  char first;
  bool descriptor = a[3] & EMPTY_PATH && space_read(&r->program.space, a[1], &first, 1) && !first;
  int64_t done = descriptor
                     ? host_file_state(&r->files, a[0], &state)
                     : host_path_state(&r->files, &r->program.space, AT_FDCWD, a[1], !(a[3] & NO_FOLLOW), &state);
  return put_state(r, a[2], done, &state);
}

static int64_t descriptor_state(struct riscv *r, const uint64_t *a) {
  struct stat state = {0};
  return put_state(r, a[1], host_file_state(&r->files, a[0], &state), &state);
}

/* A path that begins at a folder that was opened is not supported: none of C's own library asks for one. */
static int64_t with_path(struct riscv *r, const uint64_t *a, enum host_path_act act, unsigned how) {
  if ((int32_t)a[0] != AT_FDCWD) return -EBADF;
  return host_path(&r->files, &r->program.space, a[1], act, how);
}

static int64_t rename_path(struct riscv *r, const uint64_t *a) {
  if ((int32_t)a[0] != AT_FDCWD || (int32_t)a[2] != AT_FDCWD) return -EBADF;
  return a[4] ? -EINVAL : host_rename(&r->files, &r->program.space, a[1], a[3]);
}

static int64_t put_folder(struct riscv *r, uint64_t address, uint64_t room) {
  char name[PATH_MAX];
  if (r->files.alone || !getcwd(name, sizeof name)) return -ENOENT;
  size_t size = strlen(name) + 1;
  if (size > room) return -ERANGE;
  return put(r, address, name, size) < 0 ? -EFAULT : (int64_t)size;
}

/* At a place of a file, which then stands where it stood. */
static int64_t at_place(struct riscv *r, const uint64_t *a, bool write) {
  struct space *space = &r->program.space;
  int64_t before = host_file_seek(&r->files, a[0], 0, SEEK_CUR);
  int64_t there = before < 0 ? before : host_file_seek(&r->files, a[0], (int64_t)a[3], SEEK_SET);
  if (there < 0) return there;
  int64_t done =
      write ? host_file_write(&r->files, space, a[0], a[1], a[2]) : host_file_read(&r->files, space, a[0], a[1], a[2]);
  host_file_seek(&r->files, a[0], before, SEEK_SET);
  return done;
}

static int64_t set_mask(struct riscv *r, uint64_t mask) {
  uint64_t before = r->mask;
  r->mask = mask & 0777;
  return (int64_t)before;
}

/* Copies, and how the file was opened; no descriptor is handed to another program, so that flags of that are none. */
static int64_t control_file(struct riscv *r, const uint64_t *a) {
  int host = host_file(&r->files, a[0]);
  if (host == HOST_NOWHERE) return 0;
  if (host < 0) return -EBADF;
  switch (a[1]) {
  case F_DUPFD:
  case F_DUPFD_CLOEXEC: return host_file_copy(&r->files, a[0], -1);
  case F_GETFD:
  case F_SETFD: return 0;
  case F_GETFL: {
    int flags = fcntl(host, F_GETFL);
    return flags < 0 ? -errno : flags;
  }
  default: return -EINVAL;
  }
}

static int64_t ask_terminal(struct riscv *r, uint64_t descriptor) {
  int host = host_file(&r->files, descriptor);
  return host < 0 ? -EBADF : isatty(host) ? 0 : -ENOTTY;
}

/* ---- others ---- */

static int64_t put_time(struct riscv *r, uint64_t address, uint64_t unit) {
  uint64_t now = r->program.nanoseconds, out[2] = {now / 1000000000, now % 1000000000 / unit};
  return put(r, address, out, sizeof out);
}

/* All time is the program's own. */
static int64_t put_usage(struct riscv *r, uint64_t address) {
  uint64_t now = r->program.nanoseconds, out[18] = {now / 1000000000, now % 1000000000 / 1000};
  return put(r, address, out, sizeof out);
}

static int64_t put_ticks(struct riscv *r, uint64_t address) {
  uint64_t out[4] = {r->program.nanoseconds / 10000000};
  if (address && put(r, address, out, sizeof out) < 0) return -EFAULT;
  return (int64_t)out[0];
}

static int64_t put_resolution(struct riscv *r, uint64_t address) {
  uint64_t out[2] = {0, 1};
  return address ? put(r, address, out, sizeof out) : 0;
}

static int64_t put_random(struct riscv *r, uint64_t address, uint64_t size) {
  for (uint64_t i = 0; i < size && i < 256; i++) {
    r->random = r->random * 6364136223846793005u + 1442695040888963407u;
    uint8_t byte = (uint8_t)(r->random >> 56);
    if (put(r, address + i, &byte, 1) < 0) return -EFAULT;
  }
  return (int64_t)(size < 256 ? size : 256);
}

static int64_t put_names(struct riscv *r, uint64_t address) {
  char out[6][65] = {"Linux", "simulated", "6.1.0", "#1", "riscv64", ""};
  return put(r, address, out, sizeof out);
}

/* 1 GiB of memory, of which all is free. */
static int64_t put_system(struct riscv *r, uint64_t address) {
  uint64_t out[14] = {[4] = 1 << 30, [5] = 1 << 30, [13] = 1};
  return put(r, address, out, sizeof out);
}

static int64_t put_limits(struct riscv *r, uint64_t address) {
  uint64_t out[2] = {8 << 20, UINT64_MAX};
  return address ? put(r, address, out, sizeof out) : 0;
}

static int64_t end(struct riscv *r, uint64_t status) {
  r->program.ended = true;
  r->program.status = (int)(status & 0xff);
  return 0;
}

/* One to whoever runs the program, who gives the result. */
static int64_t call_outside(struct riscv *r, uint64_t number, const uint64_t *a) {
  struct program *p = &r->program;
  if (!p->served) program_fault(p, "a call of MPI, which psl mpirun alone answers");
  p->call.number = number;
  memcpy(p->call.arguments, a, sizeof p->call.arguments);
  p->halted = p->served;
  return 0;
}

static int64_t call(struct riscv *r, uint64_t number, const uint64_t *a) {
  if (OUTSIDE_CALLS <= number && number < OUTSIDE_CALLS_END) return call_outside(r, number, a);
  struct space *space = &r->program.space;
  switch (number) {
  case CALL_EXIT:
  case CALL_EXIT_GROUP: return end(r, a[0]);
  case CALL_READ: return host_file_read(&r->files, space, a[0], a[1], a[2]);
  case CALL_WRITE: return host_file_write(&r->files, space, a[0], a[1], a[2]);
  case CALL_READV: return vector(r, a[0], a[1], a[2], false);
  case CALL_WRITEV: return vector(r, a[0], a[1], a[2], true);
  case CALL_OPENAT:
    if ((int32_t)a[0] != AT_FDCWD) return -EBADF;
    return host_file_open(&r->files, space, AT_FDCWD, a[1], (int)a[2], (unsigned)(a[3] & 07777 & ~r->mask));
  case CALL_CLOSE: return host_file_close(&r->files, a[0]);
  case CALL_DUP: return host_file_copy(&r->files, a[0], -1);
  case CALL_DUP3: return host_file_copy(&r->files, a[0], (int64_t)(a[1] & INT_MAX));
  case CALL_LSEEK: return host_file_seek(&r->files, a[0], (int64_t)a[1], (int)a[2]);
  case CALL_FSTAT: return descriptor_state(r, a);
  case CALL_FSTATAT: return path_state(r, a);
  case CALL_UNLINKAT: return with_path(r, a, a[2] & AT_REMOVEDIR ? HOST_REMOVE_FOLDER : HOST_UNLINK, 0);
  case CALL_FACCESSAT: return with_path(r, a, HOST_ACCESS, a[2] & 7);
  case CALL_MKDIRAT: return with_path(r, a, HOST_MAKE_FOLDER, (unsigned)(a[2] & 07777 & ~r->mask));
  case CALL_RENAMEAT: return rename_path(r, a);
  case CALL_FTRUNCATE: return host_file_cut(&r->files, a[0], (int64_t)a[1]);
  case CALL_PREAD: return at_place(r, a, false);
  case CALL_PWRITE: return at_place(r, a, true);
  case CALL_UMASK: return set_mask(r, a[0]);
  case CALL_READLINKAT: return -ENOENT;
  case CALL_GETCWD: return put_folder(r, a[0], a[1]);
  case CALL_IOCTL: return ask_terminal(r, a[0]);
  case CALL_FCNTL: return control_file(r, a);
  case CALL_BRK: return set_heap_end(r, a[0]);
  case CALL_MMAP: return map(r, a);
  case CALL_MUNMAP: return unmap(r, a[0], a[1]);
  case CALL_MPROTECT: return protect(r, a[0], a[1], a[2]);
  case CALL_MREMAP: return -ENOMEM;
  case CALL_CLOCK_GETTIME: return put_time(r, a[1], 1);
  case CALL_GETTIMEOFDAY: return put_time(r, a[0], 1000);
  case CALL_CLOCK_GETRES: return put_resolution(r, a[1]);
  case CALL_GETRUSAGE: return put_usage(r, a[1]);
  case CALL_TIMES: return put_ticks(r, a[0]);
  case CALL_GETRANDOM: return put_random(r, a[0], a[1]);
  case CALL_UNAME: return put_names(r, a[0]);
  case CALL_SYSINFO: return put_system(r, a[0]);
  case CALL_PRLIMIT: return put_limits(r, a[3]);
  case CALL_GETPID:
  case CALL_GETTID:
  case CALL_SET_TID_ADDRESS: return 1;
  case CALL_GETPPID:
  case CALL_GETUID:
  case CALL_GETEUID:
  case CALL_GETGID:
  case CALL_GETEGID: return 0;
  case CALL_SIGACTION:
  case CALL_SIGPROCMASK:
  case CALL_SET_ROBUST_LIST:
  case CALL_MADVISE:
  case CALL_SCHED_YIELD:
  case CALL_FUTEX:
  case CALL_FLUSH_ICACHE: return 0;
  case CALL_RSEQ:
  case CALL_HWPROBE: return -ENOSYS;
  case CALL_TGKILL: program_fault(&r->program, "signal %u, which it sends to itself", (unsigned)a[2]); return 0;
  default: program_fault(&r->program, "system call %u, which is not supported", (unsigned)number); return 0;
  }
}

void riscv_call(struct riscv *r) {
  uint64_t *x = r->now.integer;
  x[10] = (uint64_t)call(r, x[17], x + 10);
}
