/* A program that runs, as a source of operations: each rank from one call that needs an answer to the next. A rank is a
 * process, or a strand of psl's (inside.c). The library of MPI in evaluators/programs/mpi stands there in the place of
 * MPICH's.
 *
 * What is to be run the command line says (description.h): no model and no trace starts a program. */
#include "evaluators/programs/description.h"
#include "evaluators/programs/handover.h"
#include "evaluators/programs/inside.h"
#include "evaluators/programs/recording.h"
#include "evaluators/programs/source_lines.h"
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>

#define MAGIC RUNNING_MAGIC
enum {
  WORD_MAGIC,
  WORD_RANKS,
  WORD_COSTS,
  WORD_FORM,
  WORD_LIBRARY,
  WORD_RECORD,
  WORD_EMULATOR,
  WORD_COUNTER,
  WORD_PROGRAM
};
#define RANKS_MOST 100000
#define FORKED_LEAST 32 /* ranks: of fewer each is loaded, as in a real run */

extern char **environ;

struct running {
  struct program_source source;
  struct area *area;
  size_t size; /* of the area's beginning, which psl itself looks at */
  int file;
  char *text, **words;   /* the words end by NULL */
  pid_t *processes;      /* by rank; 0: none */
  pid_t forks;           /* the process that ranks are forked from; 0: none */
  struct inside *inside; /* NULL: a rank is a process */
  struct source_lines *lines;
  struct recording *recording; /* NULL: no trace of it is wanted, or it has not begun */
  const struct slot **given;   /* by rank: that of the operation in hand, which is still to be recorded; NULL: none */
  cpu_set_t processors;        /* of psl's thread, where it is `kept` on one of them */
  int processor;               /* that one */
  bool kept;
};

/* ---- what is to be run ---- */

static bool running_recognise(const char *path, const char *head, size_t size) {
  (void)path;
  return size >= sizeof MAGIC && memcmp(head, MAGIC, sizeof MAGIC) == 0;
}

static bool words_read(struct running *r, const char *path) {
  size_t count;
  r->words = description_read(path, &r->text, &count);
  return r->words && count > WORD_PROGRAM;
}

static void running_free(struct running *r) {
  inside_close(r->inside);
  if (r->kept) sched_setaffinity(0, sizeof r->processors, &r->processors);
  if (r->area) munmap(r->area, r->size);
  if (r->file >= 0) close(r->file);
  recording_close(r->recording);
  source_lines_close(r->lines);
  free(r->given);
  free(r->processes);
  free(r->words);
  free(r->text);
  free(r);
}

/* ---- the processor ---- */

/* Only one of psl and its ranks runs at a time, and where many wait the turn is handed over several times faster if all
 * have one processor. But ranks that are few enough have a processor each, as in a real run: their caches stay warm.
 * The last one shares that of psl if there is none else. Programs that a study runs at once begin at processors of
 * their own. */
static void processor_set(int processor) {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(processor, &one);
  sched_setaffinity(0, sizeof one, &one);
}

/* The one that comes so many places behind, of those that psl may use. */
static int processor_behind(const struct running *r, int processor, unsigned places) {
  while (!CPU_ISSET(processor, &r->processors) || places-- > 0)
    processor = (processor + 1) % CPU_SETSIZE;
  return processor;
}

static void processor_keep(struct running *r) {
  static atomic_uint programs;
  int at = sched_getcpu(), count;
  if (at < 0 || sched_getaffinity(0, sizeof r->processors, &r->processors)) return;
  if ((count = CPU_COUNT(&r->processors)) < 2) return;
  r->processor = processor_behind(r, at, atomic_fetch_add(&programs, 1) % (unsigned)count);
  processor_set(r->processor);
  r->kept = true;
}

/* ---- the shared memory ---- */

/* All of its addresses are taken, so that what the ranks point to is where they have it. */
static bool area_open(struct running *r) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  size_t used = sizeof *r->area + r->source.ranks * sizeof *r->area->seats;
  r->file = memfd_create("psl-ranks", MFD_CLOEXEC);
  r->size = *r->words[WORD_EMULATOR] ? AREA_SIZE_COUNTED : AREA_SIZE;
  if (r->file < 0 || ftruncate(r->file, (off_t)r->size) < 0) return false;
  void *area =
      mmap(AREA_ADDRESS, r->size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE | MAP_FIXED_NOREPLACE, r->file, 0);
  if (area == MAP_FAILED) return false;
  r->area = area;
  r->area->ranks = r->source.ranks;
  r->area->size = r->size;
  r->area->costs = *r->words[WORD_EMULATOR]                        ? COSTS_INSTRUCTIONS
                   : strcmp(r->words[WORD_COSTS], "measured") == 0 ? COSTS_MEASURED
                                                                   : COSTS_NONE;
  r->area->top = (used + page - 1) / page * page;
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  r->area->epoch = now.tv_sec;
  r->area->inside = strcmp(r->words[WORD_FORM], "inside") == 0;
  return true;
}

static struct program_source *running_open(const char *path, struct program_error *error) {
  struct running *r = calloc(1, sizeof *r);
  if (r) r->file = -1;
  if (!r || !words_read(r, path)) {
    snprintf(error->text, sizeof error->text, "only psl mpirun starts programs");
    if (r) running_free(r);
    return NULL;
  }
  r->source = (struct program_source){&running_source, (uint32_t)strtoul(r->words[WORD_RANKS], NULL, 10)};
  r->processes = calloc(r->source.ranks, sizeof *r->processes);
  r->lines = source_lines_open();
  r->given = calloc(r->source.ranks, sizeof *r->given);
  if (r->processes && r->given && r->source.ranks <= RANKS_MOST) return &r->source;
  snprintf(error->text, sizeof error->text, "memory does not suffice for %u ranks", r->source.ranks);
  running_free(r);
  return NULL;
}

/* ---- processes ---- */

/* How a rank is started: its words and its environment, both ended by NULL. */
struct command {
  char **words, **environment;
  char preload[2 * PATH_MAX], place[80], counter[PATH_MAX + 80];
};

/* psl's environment, but for what goes before all libraries; one word more may be put to its end. */
static char **environment_kept(size_t *used) {
  size_t count = 0;
  while (environ[count])
    count++;
  char **kept = calloc(count + 3, sizeof *kept);
  for (size_t k = *used = 0; kept && k < count; k++)
    if (strncmp(environ[k], "LD_PRELOAD=", 11) != 0) kept[(*used)++] = environ[k];
  return kept;
}

/* QEMU gives the program what is behind -E, and has not to take it for itself. */
static bool words_emulated(const struct running *r, uint32_t rank, struct command *command) {
  size_t count = 0, used = 0;
  uint64_t place = (uint64_t)((char *)&r->area->seats[rank].instructions - (char *)r->area);
  while (r->words[WORD_PROGRAM + count])
    count++;
  char **words = command->words = calloc(count + 10, sizeof *words);
  if (!words) return false;
  snprintf(command->counter, sizeof command->counter, "file=%s,descriptor=%d,place=%llu", r->words[WORD_COUNTER],
           r->file, (unsigned long long)place);
  char *const head[] = {r->words[WORD_EMULATOR], "-plugin", command->counter, "-E",
                        command->preload,        "-E",      command->place};
  for (; used < sizeof head / sizeof *head; used++)
    words[used] = head[used];
  for (size_t k = 0; k < count; k++)
    words[used++] = r->words[WORD_PROGRAM + k];
  return true;
}

/* The library stands before all others. The numbers are as long in each run, so that memory is the same. */
static bool command_make(const struct running *r, uint32_t rank, struct command *command) {
  size_t used;
  const char *before = getenv("LD_PRELOAD");
  snprintf(command->preload, sizeof command->preload, "LD_PRELOAD=%s%s%s", r->words[WORD_LIBRARY], before ? ":" : "",
           before ? before : "");
  snprintf(command->place, sizeof command->place, AREA_VARIABLE "=%06u:%04d:%zu:%010d", rank, r->file, r->size,
           (int)getpid());
  command->environment = environment_kept(&used);
  command->words = r->words + WORD_PROGRAM;
  if (!command->environment) return false;
  if (*r->words[WORD_EMULATOR]) return words_emulated(r, rank, command);
  command->environment[used++] = command->preload;
  command->environment[used] = command->place;
  return true;
}

static void command_free(const struct running *r, struct command *command) {
  if (command->words != r->words + WORD_PROGRAM) free(command->words);
  free(command->environment);
}

static int spawn(struct running *r, uint32_t rank, pid_t *process) {
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawn_file_actions_init(&files);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_adddup2(&files, r->file, r->file); /* it is handed on */
  if (rank && rank != FORKING) posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  struct command command;
  int wrong = ENOMEM;
  if (command_make(r, rank, &command))
    wrong = posix_spawn(process, *command.words, &files, &attributes, command.words, command.environment);
  if (wrong) *process = 0;
  command_free(r, &command);
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&attributes);
  return wrong;
}

/* Has the rank been forked? Where it cannot be, it is spawned, as are all others. */
static bool forked(struct running *r, uint32_t rank) {
  struct forking *forking = &r->area->forking;
  if (!r->forks) return false;
  forking->rank = rank;
  turn_pass(&forking->turns, TURN_OF_RANK);
  while (!turn_await(&forking->turns, TURN_OF_PSL))
    if (waitpid(r->forks, NULL, WNOHANG) == r->forks) {
      r->forks = 0;
      return false;
    }
  r->processes[rank] = forking->process;
  if (forking->process) return true;
  kill(r->forks, SIGKILL);
  waitpid(r->forks, NULL, 0);
  r->forks = 0;
  return false;
}

/* How a process has ended, of which that is known. */
static enum program_next ended(struct running *r, uint32_t rank, int status, struct program_error *error) {
  const struct seat *seat = &r->area->seats[rank];
  const char *when = seat->state == SEAT_STARTED     ? "before MPI_Init"
                     : seat->state == SEAT_FINALIZED ? "after MPI_Finalize"
                                                     : "without MPI_Finalize";
  bool crashed = WIFSIGNALED(status) && seat->crashed_at;
  const char *after =
      !crashed && seat->state == SEAT_INSIDE ? "after this call " : ""; /* the place is the last one's */
  r->processes[rank] = 0;
  if (WIFSIGNALED(status))
    snprintf(error->text, sizeof error->text, "%sthe program ends by signal %d (%s), %s", after, WTERMSIG(status),
             strsignal(WTERMSIG(status)), when);
  else if (WEXITSTATUS(status))
    snprintf(error->text, sizeof error->text, "%sthe program ends with status %d, %s", after, WEXITSTATUS(status),
             when);
  else if (seat->state != SEAT_FINALIZED)
    snprintf(error->text, sizeof error->text, "%sthe program ends %s", after, when);
  else
    return PROGRAM_LAST;
  return PROGRAM_FAILED;
}

static bool lives(const struct running *r, uint32_t rank) {
  return r->inside ? inside_lives(r->inside, rank) : r->processes[rank] != 0;
}

/* Until it has the turn no more; an end of the process is found within a tenth of a second. */
static bool rank_runs(struct running *r, uint32_t rank, int *status) {
  struct seat *seat = &r->area->seats[rank];
  if (r->inside) return !inside_ended(r->inside, rank, status);
  while (!turn_wait(seat, TURN_OF_PSL))
    if (waitpid(r->processes[rank], status, WNOHANG) == r->processes[rank]) return false;
  return true;
}

/* What all ranks need, before the first one. */
static bool ranks_open(struct running *r, struct program_error *error) {
  if (!area_open(r)) {
    snprintf(error->text, sizeof error->text, "the memory that ranks share cannot be had: %s", strerror(errno));
    return false;
  }
  if (r->area->inside)
    r->inside = inside_open(r->area, r->words[WORD_LIBRARY], r->words + WORD_PROGRAM, error);
  else
    processor_keep(r);
  if (!r->area->inside && !*r->words[WORD_EMULATOR] && r->source.ranks >= FORKED_LEAST) spawn(r, FORKING, &r->forks);
  return r->inside || !r->area->inside;
}

static enum program_next start(struct running *r, uint32_t rank, struct program_error *error) {
  if (!r->area && !ranks_open(r, error)) return PROGRAM_FAILED;
  if (r->inside) return inside_start(r->inside, rank, error) ? PROGRAM_NEXT : PROGRAM_FAILED;
  struct turns *turns = &r->area->seats[rank].turns;
  atomic_store(&turns->turn, TURN_OF_RANK);
  bool few = r->kept && r->source.ranks <= (uint32_t)CPU_COUNT(&r->processors);
  int processor = few ? processor_behind(r, r->processor, rank + 1) : r->processor;
  turns->apart = processor != r->processor;
  if (turns->apart) processor_set(processor); /* a process begins where psl is */
  int wrong = forked(r, rank) ? 0 : spawn(r, rank, &r->processes[rank]);
  if (turns->apart) processor_set(r->processor);
  if (!wrong) return PROGRAM_NEXT;
  snprintf(error->text, sizeof error->text, "%s cannot be started: %s", r->words[WORD_PROGRAM], strerror(wrong));
  return PROGRAM_FAILED;
}

static void answer_give(struct running *r, uint32_t rank, const struct program_answer *answer) {
  r->area->seats[rank].answer = *answer;
  if (r->inside)
    inside_resume(r->inside, rank);
  else
    turn_give(&r->area->seats[rank], TURN_OF_RANK);
}

/* ---- the trace of the run ---- */

/* Where the program calls, in its file. */
static struct program_site site_of(const struct running *r, uint32_t rank, const void *site) {
  uint64_t place = (uint64_t)((const char *)site - r->area->seats[rank].base);
  return (struct program_site){.file = r->words[WORD_PROGRAM], .address = place - 1};
}

static bool record(struct running *r, uint32_t rank, const struct slot *slot, const struct program_answer *answer) {
  struct program_operation o = slot->operation;
  struct program_site site = site_of(r, rank, slot->site);
  if (r->lines && o.kind != PROGRAM_COMPUTE) {
    o.site = &site;
    source_lines_locate(r->lines, &o);
  }
  return recording_add(r->recording, rank, &o, answer);
}

static enum program_next not_recorded(const struct running *r, struct program_error *error) {
  snprintf(error->text, sizeof error->text, "the trace %.80s cannot be written: %s", r->words[WORD_RECORD],
           strerror(errno));
  return PROGRAM_FAILED;
}

/* What of virtual time the rank has computed. */
static void seat_learn(struct seat *seat, const struct slot *given, double now) {
  if (given->operation.kind == PROGRAM_COMPUTE) seat->computed += now - seat->reached;
  seat->reached = now;
}

/* The operation in hand is done. */
static enum program_next record_given(struct running *r, uint32_t rank, const struct program_answer *answer,
                                      struct program_error *error) {
  const struct slot *given = r->given[rank];
  if (given) seat_learn(&r->area->seats[rank], given, answer->now);
  r->given[rank] = NULL;
  if (!*r->words[WORD_RECORD]) return PROGRAM_NEXT;
  if (!r->recording) r->recording = recording_open(r->words[WORD_RECORD], r->source.ranks);
  bool fine = r->recording && (!given || record(r, rank, given, answer));
  return fine ? PROGRAM_NEXT : not_recorded(r, error);
}

static enum program_next record_end(struct running *r, uint32_t rank, struct program_error *error) {
  return !r->recording || recording_end(r->recording, rank) ? PROGRAM_LAST : not_recorded(r, error);
}

/* ---- operations ---- */

/* The rank has no operation and does not run: what is the matter with it? */
static enum program_next no_more(struct running *r, uint32_t rank, struct program_error *error) {
  const struct seat *seat = &r->area->seats[rank];
  int status;
  switch (seat->state) {
  case SEAT_FINALIZED:
    while (r->inside && seat->state == SEAT_FINALIZED && !inside_ended(r->inside, rank, &status))
      inside_resume(r->inside, rank);
    while (!r->inside && waitpid(r->processes[rank], &status, 0) < 0)
      if (errno != EINTR) return PROGRAM_LAST;
    if (!r->inside) r->processes[rank] = 0;
    if (seat->state != SEAT_FINALIZED)
      return no_more(r, rank, error); /* it has called MPI nevertheless, which it says */
    return ended(r, rank, status, error);
  case SEAT_ABORTED:
    snprintf(error->text, sizeof error->text, "the program calls MPI_Abort with code %d", seat->code);
    return PROGRAM_FAILED;
  default:
    snprintf(error->text, sizeof error->text, "%.*s", (int)sizeof seat->error, seat->error);
    return PROGRAM_FAILED;
  }
}

/* The rank's next operation, where it stands. */
static enum program_next take(struct running *r, uint32_t rank, const struct program_answer *answer,
                              struct program_error *error) {
  struct seat *seat = r->area ? &r->area->seats[rank] : NULL;
  int status;
  if (!seat || (seat->state == SEAT_EMPTY && !lives(r, rank))) {
    if (start(r, rank, error) == PROGRAM_FAILED) return PROGRAM_FAILED;
    seat = &r->area->seats[rank];
    if (!rank_runs(r, rank, &status)) return ended(r, rank, status, error);
  } else if (seat->added == seat->taken && seat->state == SEAT_INSIDE) {
    answer_give(r, rank, answer);
    if (!rank_runs(r, rank, &status)) return ended(r, rank, status, error);
  }
  if (seat->added == seat->taken) return no_more(r, rank, error);
  r->given[rank] = &seat->slots[seat->taken++];
  return PROGRAM_NEXT;
}

static enum program_next running_next(struct program_source *source, uint32_t rank, const struct program_answer *answer,
                                      struct program_operation *operation, struct program_error *error) {
  struct running *r = (struct running *)source;
  if (record_given(r, rank, answer, error) == PROGRAM_FAILED) return PROGRAM_FAILED;
  enum program_next next = take(r, rank, answer, error);
  if (next == PROGRAM_NEXT) operation_copy(operation, &r->given[rank]->operation);
  return next == PROGRAM_LAST ? record_end(r, rank, error) : next;
}

/* ---- places ---- */

/* As its compiler knows it, else where it is in the file. */
static void line_of(const struct running *r, uint32_t rank, const void *site, char *out, size_t size) {
  const struct program_site place = site_of(r, rank, site);
  const struct program_site *found = r->lines ? source_lines_find(r->lines, &place) : &place;
  const char *slash = strrchr(found->file, '/');
  if (found->line)
    snprintf(out, size, "%.80s:%u", found->file, found->line);
  else
    snprintf(out, size, "%.80s+%#llx", slash ? slash + 1 : found->file, (unsigned long long)found->address + 1);
}

static void running_place(const struct program_source *source, uint32_t rank, char *out, size_t size) {
  const struct running *r = (const struct running *)source;
  const struct seat *seat = r->area ? &r->area->seats[rank] : NULL;
  if (seat && seat->crashed_at) {
    line_of(r, rank, seat->crashed_at, out, size);
    return;
  }
  if (!seat || !seat->added) {
    *out = '\0';
    return;
  }
  /* The operation in hand; of a process that has ended the last one, and of an error its call, behind all others. */
  uint32_t last = lives(r, rank) ? seat->taken : seat->added;
  const struct slot *slot = &seat->slots[last ? last - 1 : 0];
  const void *site = seat->added == seat->taken && seat->site ? seat->site : slot->site;
  line_of(r, rank, site, out, size);
}

static bool running_remark(const struct program_source *source, uint32_t rank, char *out, size_t size) {
  const struct running *r = (const struct running *)source;
  const struct seat *seat = &r->area->seats[rank];
  char line[100];
  if (!seat->left) return false;
  line_of(r, rank, seat->left_site, line, sizeof line);
  snprintf(out, size, "%s: the request of %.31s is never completed%s", line, seat->left_by,
           seat->left > 1 ? ", nor are others" : "");
  return true;
}

static struct program_bursts running_bursts(const struct program_source *source, uint32_t rank) {
  const struct running *r = (const struct running *)source;
  return r->area && r->area->costs == COSTS_MEASURED ? r->area->seats[rank].bursts : (struct program_bursts){0};
}

static void running_close(struct program_source *source) {
  struct running *r = (struct running *)source;
  if (r->forks) kill(r->forks, SIGKILL), waitpid(r->forks, NULL, 0);
  for (uint32_t k = 0; k < r->source.ranks; k++)
    if (r->processes[k]) kill(r->processes[k], SIGKILL);
  for (uint32_t k = 0; k < r->source.ranks; k++)
    if (r->processes[k]) waitpid(r->processes[k], NULL, 0);
  running_free(r);
}

const struct program_source_kind running_source = {
    .name = "running program",
    .runs = true,
    .recognise = running_recognise,
    .open = running_open,
    .next = running_next,
    .place = running_place,
    .remark = running_remark,
    .close = running_close,
    .bursts = running_bursts,
    .answered = true,
};
