/* What a program of PISA asks of its system: the calls of 4.3BSD as Ultrix numbers them for MIPS. The number stands in
 * v0, what is given in a0 to a3; v0 is the result and a3 says whether it is the number of an error. Clocks tell the
 * time that is simulated. */
#include "evaluators/processor/pisa.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <unistd.h>

enum {
  CALL_EXIT = 1,
  CALL_READ = 3,
  CALL_WRITE = 4,
  CALL_OPEN = 5,
  CALL_CLOSE = 6,
  CALL_CREAT = 8,
  CALL_UNLINK = 10,
  CALL_BRK = 17,
  CALL_LSEEK = 19,
  CALL_GETPID = 20,
  CALL_GETUID = 24,
  CALL_ACCESS = 33,
  CALL_STAT = 38,
  CALL_LSTAT = 40,
  CALL_DUP = 41,
  CALL_GETGID = 47,
  CALL_IOCTL = 54,
  CALL_FSTAT = 62,
  CALL_GETPAGESIZE = 64,
  CALL_SETITIMER = 83,
  CALL_GETDTABLESIZE = 89,
  CALL_DUP2 = 90,
  CALL_SIGVEC = 108,
  CALL_SIGBLOCK = 109,
  CALL_SIGSETMASK = 110,
  CALL_GETTIMEOFDAY = 116,
  CALL_GETRUSAGE = 117,
  CALL_WRITEV = 121,
};

static int open_flags(uint32_t flags) {
  static const struct {
    uint32_t theirs;
    int ours;
  } rows[] = {{0x8, O_APPEND}, {0x200, O_CREAT},     {0x400, O_TRUNC},
              {0x800, O_EXCL}, {0x4000, O_NONBLOCK}, {0x8000, O_NOCTTY}};
  int host = (flags & 3) == 0 ? O_RDONLY : (flags & 3) == 1 ? O_WRONLY : O_RDWR;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (flags & rows[i].theirs) host |= rows[i].ours;
  return host;
}

static int64_t put_state(struct space *m, uint32_t address, int64_t done, const struct stat *state) {
  struct {
    uint16_t device, pad;
    uint32_t inode;
    uint16_t mode, links, user, group, special, pad2;
    uint32_t size, accessed, spare1, modified, spare2, changed, spare3, block, blocks, generation, spare4;
  } out = {.device = (uint16_t)state->st_dev,
           .inode = (uint32_t)state->st_ino,
           .mode = (uint16_t)state->st_mode,
           .links = (uint16_t)state->st_nlink,
           .user = (uint16_t)state->st_uid,
           .group = (uint16_t)state->st_gid,
           .special = (uint16_t)state->st_rdev,
           .size = (uint32_t)state->st_size,
           .accessed = (uint32_t)state->st_atime,
           .modified = (uint32_t)state->st_mtime,
           .changed = (uint32_t)state->st_ctime,
           .block = (uint32_t)state->st_blksize,
           .blocks = (uint32_t)state->st_blocks};
  if (done < 0) return done;
  return space_write_across(m, address, &out, sizeof out) ? 0 : -EFAULT;
}

/* The heap ends at a multiple of the size of a page. */
static int64_t set_heap_end(struct pisa *pisa, uint32_t end) {
  uint64_t wanted = ((uint64_t)end + PAGE_SIZE - 1) / PAGE_SIZE * PAGE_SIZE;
  if (wanted < pisa->heap_end || wanted >= pisa->now.integer[PISA_STACK]) return -ENOMEM;
  if (wanted > pisa->heap_end && !space_allow(&pisa->program.space, pisa->heap_end, wanted, true)) return -ENOMEM;
  pisa->heap_end = (uint32_t)wanted;
  return 0;
}

static int64_t put_time(struct pisa *pisa, uint32_t address, unsigned words) {
  uint32_t out[18] = {(uint32_t)(pisa->program.nanoseconds / 1000000000),
                      (uint32_t)(pisa->program.nanoseconds % 1000000000 / 1000)};
  return space_write_across(&pisa->program.space, address, out, words * sizeof *out) ? 0 : -EFAULT;
}

static int64_t write_vector(struct pisa *pisa, uint32_t descriptor, uint32_t vector, uint32_t count) {
  struct space *m = &pisa->program.space;
  int64_t sum = 0;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t part[2];
    if (!space_read_across(m, vector + 8 * i, part, sizeof part)) return -EFAULT;
    int64_t done = host_file_write(&pisa->files, m, descriptor, part[0], part[1]);
    if (done < 0) return sum ? sum : done;
    sum += done;
  }
  return sum;
}

/* Whatever a terminal is asked, it answers with all well; other files have no answer. */
static int64_t ask_terminal(const struct host_files *files, uint32_t descriptor) {
  int host = host_file(files, descriptor);
  return host < 0 ? -EBADF : isatty(host) ? 0 : -ENOTTY;
}

static int64_t call(struct pisa *pisa, uint32_t number, const uint32_t *a) {
  struct program *p = &pisa->program;
  struct space *m = &p->space;
  struct host_files *files = &pisa->files;
  struct stat state = {0};
  switch (number) {
  case CALL_EXIT:
    p->ended = true;
    p->status = (int)(a[0] & 0xff);
    return 0;
  case CALL_READ: return host_file_read(files, m, a[0], a[1], a[2]);
  case CALL_WRITE: return host_file_write(files, m, a[0], a[1], a[2]);
  case CALL_WRITEV: return write_vector(pisa, a[0], a[1], a[2]);
  case CALL_OPEN: return host_file_open(files, m, AT_FDCWD, a[0], open_flags(a[1]), a[2] & 07777);
  case CALL_CREAT: return host_file_open(files, m, AT_FDCWD, a[0], O_WRONLY | O_CREAT | O_TRUNC, a[1] & 07777);
  case CALL_CLOSE: return host_file_close(files, a[0]);
  case CALL_DUP: return host_file_copy(files, a[0], -1);
  case CALL_DUP2: return host_file_copy(files, a[0], a[1]);
  case CALL_LSEEK: return host_file_seek(files, a[0], (int32_t)a[1], (int)a[2]);
  case CALL_UNLINK: return host_path(files, m, a[0], HOST_UNLINK, 0);
  case CALL_ACCESS: return host_path(files, m, a[0], HOST_ACCESS, a[1] & 7);
  case CALL_STAT: return put_state(m, a[1], host_path_state(files, m, AT_FDCWD, a[0], true, &state), &state);
  case CALL_LSTAT: return put_state(m, a[1], host_path_state(files, m, AT_FDCWD, a[0], false, &state), &state);
  case CALL_FSTAT: return put_state(m, a[1], host_file_state(files, a[0], &state), &state);
  case CALL_BRK: return set_heap_end(pisa, a[0]);
  case CALL_GETPAGESIZE: return PAGE_SIZE;
  case CALL_GETDTABLESIZE: return HOST_FILES;
  case CALL_GETPID: return 1;
  case CALL_GETUID:
  case CALL_GETGID: return 0;
  case CALL_GETTIMEOFDAY: return put_time(pisa, a[0], 2);
  case CALL_GETRUSAGE: return put_time(pisa, a[1], 18);
  case CALL_IOCTL: return ask_terminal(files, a[0]);
  case CALL_SETITIMER:
  case CALL_SIGVEC:
  case CALL_SIGBLOCK:
  case CALL_SIGSETMASK: return 0;
  default: program_fault(p, "system call %u, which is not supported", number); return 0;
  }
}

void pisa_call(struct pisa *pisa) {
  uint32_t *r = pisa->now.integer;
  int64_t result = call(pisa, r[PISA_RESULT], r + PISA_ARGUMENT);
  r[PISA_RESULT] = (uint32_t)(result < 0 ? -result : result);
  r[PISA_FAILED] = result < 0;
}
