/* Programs: which front end a file is for, and what all front ends share. */
#include "evaluators/processor/pisa.h"
#include "evaluators/processor/riscv.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const size_t most_memory = (size_t)4 << 30; /* bytes that a program may touch */
enum { MOST_FILE = 1 << 30 };                      /* bytes */

static const struct front_end *const front_ends[] = {&pisa_front_end, &riscv_front_end, NULL};

void program_fault(struct program *p, const char *format, ...) {
  if (p->speculative || *p->fault) return;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(p->fault, sizeof p->fault, format, arguments);
  va_end(arguments);
}

/* All of a file; NULL after an error. */
static uint8_t *read_all(const char *path, size_t *size, char *error, size_t room) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  struct stat state;
  if (file < 0 || fstat(file, &state) < 0) {
    snprintf(error, room, "%s", strerror(errno));
    if (file >= 0) close(file);
    return NULL;
  }
  uint8_t *bytes = NULL;
  if (!S_ISREG(state.st_mode) || state.st_size > MOST_FILE)
    snprintf(error, room, "it is no file of a program");
  else if (!(bytes = malloc((size_t)state.st_size + 1)))
    snprintf(error, room, "there is no memory for it");
  ssize_t got = 0;
  for (*size = 0; bytes && *size < (size_t)state.st_size; *size += (size_t)got)
    if ((got = read(file, bytes + *size, (size_t)state.st_size - *size)) <= 0) break;
  close(file);
  return bytes;
}

static struct program *load(const struct front_end *front, const uint8_t *file, size_t size,
                            const char *const *arguments, enum program_reach reach, char *error, size_t room) {
  struct program *p = calloc(1, front->size);
  if (!p) {
    snprintf(error, room, "there is no memory for it");
    return NULL;
  }
  p->front = front;
  p->reach = reach;
  p->stop = no_address;
  space_open(&p->space, most_memory);
  bool good = front->load(p, file, size, arguments, error, room);
  if (good && !(p->code = calloc((p->code_end - p->code_begin) / front->granule + 1, sizeof *p->code))) {
    snprintf(error, room, "there is no memory for its code");
    good = false;
  }
  if (good) return p;
  program_close(p);
  return NULL;
}

/* NULL after an error. */
static const struct front_end *front_of(const uint8_t *file, size_t size, char *error, size_t room) {
  size_t f = 0;
  while (front_ends[f] && !front_ends[f]->knows(file, size))
    f++;
  if (front_ends[f]) return front_ends[f];
  const char *other = elf_processor(file, size);
  snprintf(error, room, "it is %s%s%s PISA (little-endian ECOFF) or RISC-V (ELF of 64 bits)",
           other ? "a program of " : "no program", other ? other : "", other ? ", not of" : " of");
  return NULL;
}

struct program *program_open(const char *path, const char *const *arguments, enum program_reach reach, char *error,
                             size_t room) {
  size_t size;
  uint8_t *file = read_all(path, &size, error, room);
  if (!file) return NULL;
  const struct front_end *front = front_of(file, size, error, room);
  struct program *p = front ? load(front, file, size, arguments, reach, error, room) : NULL;
  free(file);
  return p;
}

bool program_is_known(const char *path) {
  char error[200];
  size_t size;
  uint8_t *file = read_all(path, &size, error, sizeof error);
  bool known = file && front_of(file, size, error, sizeof error);
  free(file);
  return known;
}

uint64_t program_find(const char *path, const char *name, char *error, size_t room) {
  size_t size;
  uint8_t *file = read_all(path, &size, error, room);
  if (!file) return 0;
  const struct front_end *front = front_of(file, size, error, room);
  bool stripped = false;
  uint64_t address = front ? front->find(file, size, name, &stripped) : 0;
  if (front && !address && stripped)
    snprintf(error, room, "it has no symbols, so that '%.60s' cannot be found: was it stripped?", name);
  else if (front && !address)
    snprintf(error, room, "nothing is called '%.60s' in it", name);
  free(file);
  return address;
}

uint64_t program_execute(struct program *p, uint64_t most) {
  uint64_t done = 0;
  while (program_runs(p) && done < most) {
    if (!program_has_code(p, p->pc)) {
      program_fault(p, "no code stands there");
      break;
    }
    program_step(p, p->pc, program_fetch(p, p->pc));
    if (program_runs(p)) p->pc = p->next;
    p->cycles = ++p->instructions; /* one each: nobody looks at time */
    done++;
  }
  return done;
}

void program_close(struct program *p) {
  p->front->close(p);
  space_close(&p->space);
  free(p->code);
  free(p);
}
