/* Reflector: a program that runs beside the model and asks it. The program is linked with libpsl-reflector, which is
 * made of evaluators/programs/reflector; they speak by the lines of psl-reflector(3). stdlib/reflector.psl takes these
 * one after another, has the model answer, and sends what comes of it.
 *
 * What is to be run the command line says (description.h): no model starts a program. */
#include "evaluators/programs/description.h"
#include "interp/include/evaluator.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORD_MAGIC, WORD_COSTS, WORD_SOCKET, WORD_PROGRAM };
enum { AMOUNTS = 8, COUNTS = 8, LINE = 1024, GLANCE = 100 /* ms */ };

enum kind { KIND_END, KIND_USE, KIND_USED, KIND_BESIDE, KIND_FIGURE, KIND_SENSOR, KIND_ACTUATOR, KINDS };
static const char *const kinds[KINDS] = {"end", "use", "used", "beside", "figure", "sensor", "actuator"};
static const char *const counts[COUNTS] = {"processor time", "context switches", "page faults",  "blocks read",
                                           "blocks written", "cycles",           "instructions", "cache misses"};

struct resource { /* as it is used at one place */
  struct resource *next;
  char *name; /* multiply, and the place behind it */
  double beside;
  bool is_beside;
  double counted[COUNTS]; /* -1: not known */
};

struct state {
  struct psl_host *host;
  char *text, **words;
  bool measured; /* does time that the program measures count? */
  int listening, channel;
  pid_t process;  /* 0: none */
  char path[108]; /* of the socket, to be removed; "": none */
  char buffer[LINE];
  size_t size, taken;
  bool greeted;
  /* What the program says or asks in hand. */
  enum kind kind;
  double rest, seconds, asked; /* asked: the clock, then */
  char name[64], place[160];
  double amounts[AMOUNTS];
  uint32_t amount_count;
  double counted[COUNTS];
  struct resource *resources;
};

extern char **environ;

static void *reflector_open(struct psl_host *host) {
  struct state *s = host->allocate(host, sizeof *s);
  s->host = host;
  s->channel = s->listening = -1;
  return s;
}

static void reflector_close(void *state) {
  struct state *s = state;
  if (s->channel >= 0) close(s->channel);
  if (s->listening >= 0) close(s->listening);
  if (*s->path) unlink(s->path);
  if (s->process) kill(s->process, SIGKILL), waitpid(s->process, NULL, 0);
  free(s->words);
  free(s->text);
}

static enum psl_status failed(struct psl_call *call, const char *format, ...) __attribute__((format(printf, 2, 3)));
static enum psl_status failed(struct psl_call *call, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(call->error, sizeof call->error, format, arguments);
  va_end(arguments);
  return PSL_FAILED;
}

/* ---- the program ---- */

/* psl's environment, with PSL_REFLECT for the program's. */
static char **environment_of(char *variable) {
  size_t count = 0, used = 0;
  while (environ[count])
    count++;
  char **kept = calloc(count + 2, sizeof *kept);
  for (size_t k = 0; kept && k < count; k++)
    if (strncmp(environ[k], "PSL_REFLECT=", 12) != 0) kept[used++] = environ[k];
  if (kept) kept[used] = variable;
  return kept;
}

static int spawn(struct state *s, int end) {
  char variable[40];
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  snprintf(variable, sizeof variable, "PSL_REFLECT=model:%d", end);
  char **environment = environment_of(variable);
  if (!environment) return ENOMEM;
  posix_spawn_file_actions_init(&files);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_adddup2(&files, end, end); /* it is handed on */
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  int wrong =
      posix_spawn(&s->process, s->words[WORD_PROGRAM], &files, &attributes, s->words + WORD_PROGRAM, environment);
  if (wrong) s->process = 0;
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  free(environment);
  return wrong;
}

static enum psl_status start(struct state *s, struct psl_call *call) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
    return failed(call, "no socket can be had: %s", strerror(errno));
  s->channel = ends[0];
  int wrong = spawn(s, ends[1]);
  close(ends[1]);
  return wrong ? failed(call, "%.100s cannot be started: %s", s->words[WORD_PROGRAM], strerror(wrong)) : PSL_DONE;
}

/* For a program that somebody else starts. */
static enum psl_status listen_at(struct state *s, struct psl_call *call) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  const char *path = s->words[WORD_SOCKET];
  if (strlen(path) >= sizeof address.sun_path)
    return failed(call, "the name of the socket has more than %zu characters", sizeof address.sun_path - 1);
  strcpy(address.sun_path, path);
  s->listening = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (s->listening < 0 || bind(s->listening, (struct sockaddr *)&address, sizeof address) < 0 ||
      listen(s->listening, 1) < 0)
    return failed(call, "%.80s cannot be a socket: %s", path, strerror(errno));
  strcpy(s->path, path);
  return PSL_DONE;
}

static bool is_interrupted(const struct state *s) { return s->host->interrupted && s->host->interrupted(s->host); }

/* Waits until there is something to read. False: the user wants an end, or the program that was started has ended. */
static bool await(struct state *s, int file, int *status) {
  struct pollfd wait = {file, POLLIN, 0};
  while (poll(&wait, 1, GLANCE) <= 0) {
    if (is_interrupted(s)) return false;
    if (s->process && waitpid(s->process, status, WNOHANG) == s->process) {
      s->process = 0;
      return poll(&wait, 1, 0) > 0; /* what it has left */
    }
  }
  return true;
}

static enum psl_status begin(struct state *s, struct psl_call *call) {
  size_t count;
  s->words = description_read(call->arguments[0].string, &s->text, &count);
  if (!s->words || count <= WORD_SOCKET || strcmp(s->words[WORD_MAGIC], REFLECTED_MAGIC))
    return failed(call, "only psl reflect starts programs");
  if (s->host->once) s->host->once(s->host);
  s->measured = !strcmp(s->words[WORD_COSTS], "measured");
  if (!*s->words[WORD_SOCKET]) return start(s, call);
  int status;
  enum psl_status done = listen_at(s, call);
  if (done != PSL_DONE) return done;
  if (!await(s, s->listening, &status)) return failed(call, "it was interrupted");
  s->channel = accept4(s->listening, NULL, NULL, SOCK_CLOEXEC);
  return s->channel >= 0 ? PSL_DONE : failed(call, "nobody could be let in: %s", strerror(errno));
}

/* ---- lines ---- */

enum got { GOT_LINE, GOT_END, GOT_NONE };

/* The next line, without its end, till the next call. */
static enum got line_read(struct state *s, char **line, int *status) {
  memmove(s->buffer, s->buffer + s->taken, s->size -= s->taken);
  s->taken = 0;
  for (char *end; !(end = memchr(s->buffer, '\n', s->size));) {
    if (s->size == LINE) return GOT_NONE;
    bool alive = await(s, s->channel, status);
    ssize_t got = alive ? recv(s->channel, s->buffer + s->size, LINE - s->size, 0) : 0;
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return GOT_END;
    s->size += (size_t)got;
  }
  char *end = memchr(s->buffer, '\n', s->size);
  *end = '\0';
  s->taken = (size_t)(end - s->buffer) + 1;
  *line = s->buffer;
  return GOT_LINE;
}

static void send_line(struct state *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void send_line(struct state *s, const char *format, ...) {
  char line[120];
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  for (int at = 0; at < length;) { /* one that has ended is found by the next line */
    ssize_t sent = send(s->channel, line + at, (size_t)(length - at), MSG_NOSIGNAL);
    if (sent < 0 && errno != EINTR) return;
    if (sent > 0) at += (int)sent;
  }
}

static bool number_read(char **at, double *number) {
  char *end;
  *number = strtod(*at, &end);
  bool fine = end != *at && isfinite(*number);
  *at = end;
  return fine;
}

static bool numbers_read(char **at, double *numbers, uint32_t count) {
  for (uint32_t k = 0; k < count; k++)
    if (!number_read(at, &numbers[k])) return false;
  return true;
}

/* A word of at most so many bytes, with the 0. */
static bool word_read(char **at, char *word, size_t room) {
  *at += strspn(*at, " ");
  size_t length = strcspn(*at, " ");
  if (!length || length >= room) return false;
  memcpy(word, *at, length);
  word[length] = '\0';
  *at += length;
  return true;
}

/* FILE LINE, which becomes a blank and FILE:LINE. */
static bool place_read(struct state *s, char **at) {
  char file[128];
  double line;
  if (!word_read(at, file, sizeof file) || !number_read(at, &line) || !(line >= 0 && line < 1e9)) return false;
  *s->place = '\0';
  if (line > 0) snprintf(s->place, sizeof s->place, " %s:%.0f", file, line);
  return true;
}

static bool amounts_read(struct state *s, char **at) {
  double count;
  if (!number_read(at, &count) || !(count >= 0 && count <= AMOUNTS)) return false;
  s->amount_count = (uint32_t)count;
  return numbers_read(at, s->amounts, s->amount_count);
}

/* What stands behind the first two words, of that kind. */
static bool rest_read(struct state *s, char **at) {
  s->amount_count = 0;
  *s->place = '\0';
  switch (s->kind) {
  case KIND_USE:
  case KIND_FIGURE: return word_read(at, s->name, sizeof s->name) && place_read(s, at) && amounts_read(s, at);
  case KIND_USED:
  case KIND_BESIDE:
    return word_read(at, s->name, sizeof s->name) && place_read(s, at) && numbers_read(at, s->counted, COUNTS);
  case KIND_SENSOR:
    s->amount_count = 1;
    return word_read(at, s->name, sizeof s->name) && numbers_read(at, s->amounts, 1);
  case KIND_ACTUATOR:
    s->amount_count = 3;
    return word_read(at, s->name, sizeof s->name) && numbers_read(at, s->amounts, 3);
  case KIND_END:
  case KINDS: break;
  }
  return true;
}

static bool line_parse(struct state *s, char *line) {
  char word[16];
  int kind = 0;
  if (!word_read(&line, word, sizeof word)) return false;
  while (kind < KINDS && strcmp(kinds[kind], word))
    kind++;
  s->kind = (enum kind)kind;
  double seconds;
  if (kind == KINDS || !number_read(&line, &seconds) || seconds < 0 || !rest_read(s, &line) || *line) return false;
  bool of_use = kind == KIND_USED || kind == KIND_BESIDE;
  s->seconds = of_use ? seconds : 0;
  s->rest = of_use || !s->measured ? 0 : seconds;
  return true;
}

/* ---- what a program has said ---- */

static enum psl_status program_ended(struct state *s, struct psl_call *call, int status) {
  if (s->process && waitpid(s->process, &status, 0) == s->process) s->process = 0;
  if (is_interrupted(s)) return failed(call, "it was interrupted");
  if (WIFSIGNALED(status))
    return failed(call, "the program ends by signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
  if (WEXITSTATUS(status)) return failed(call, "the program ends with status %d", WEXITSTATUS(status));
  if (!s->greeted)
    return failed(call, "the program has ended and has asked nothing: it makes no use of libpsl-reflector");
  s->kind = KIND_END;
  call->result.integer = KIND_END;
  return PSL_DONE;
}

static enum psl_status greet(struct state *s, struct psl_call *call, const char *line) {
  if (strncmp(line, "reflector 1 ", 12))
    return failed(call, "the program's first line is '%.60s': it speaks no version of the protocol that is known",
                  line);
  send_line(s, "psl 1 %s\n", s->measured ? "measured" : "none");
  s->greeted = true;
  return PSL_DONE;
}

static enum psl_status reflector_next(void *state, struct psl_call *call) {
  struct state *s = state;
  char *line;
  int status = 0;
  enum psl_status done = s->channel < 0 ? begin(s, call) : PSL_DONE;
  while (done == PSL_DONE) {
    enum got got = line_read(s, &line, &status);
    if (got == GOT_END) return program_ended(s, call, status);
    if (got == GOT_NONE) return failed(call, "the program sends a line of more than %d bytes", LINE);
    if (s->greeted && !line_parse(s, line)) return failed(call, "the program sends '%.100s', which says nothing", line);
    if (s->greeted && s->kind != KIND_END) break;
    if (s->greeted) return call->result.integer = KIND_END, PSL_DONE;
    done = greet(s, call, line);
  }
  call->result.integer = s->kind;
  return done;
}

static enum psl_status reflector_rest(void *state, struct psl_call *call) {
  call->result.real = ((const struct state *)state)->rest;
  return PSL_DONE;
}

static enum psl_status reflector_seconds(void *state, struct psl_call *call) {
  const struct state *s = state;
  call->result.real = s->measured && s->kind == KIND_USED ? s->seconds : 0;
  return PSL_DONE;
}

static enum psl_status reflector_name(void *state, struct psl_call *call) {
  struct state *s = state;
  call->result = s->host->term(s->host, s->name);
  s->asked = call->clock;
  return PSL_DONE;
}

static enum psl_status reflector_amounts(void *state, struct psl_call *call) {
  const struct state *s = state;
  call->result.list.items = s->amounts;
  call->result.list.count = s->amount_count;
  return PSL_DONE;
}

/* ---- answers ---- */

static struct resource *resource_of(struct state *s) {
  char name[sizeof s->name + sizeof s->place];
  struct resource **at = &s->resources;
  snprintf(name, sizeof name, "%s%s", s->name, s->place);
  while (*at && strcmp((*at)->name, name))
    at = &(*at)->next;
  if (*at) return *at;
  *at = s->host->allocate(s->host, sizeof **at);
  (*at)->name = strcpy(s->host->allocate(s->host, strlen(name) + 1), name);
  return *at;
}

/* For traces and reports, a stretch of the program's time till now. */
static void stretch(struct state *s, const struct psl_call *call, const char *kind) {
  s->host->element(s->host, call->process, kind, resource_of(s)->name, s->asked, call->clock, call->clock - s->asked);
}

static enum psl_status reflector_answer(void *state, struct psl_call *call) {
  struct state *s = state;
  int64_t found = call->arguments[0].integer;
  if (found > 1)
    return failed(call, "%lld components answer for '%s'%s%s", (long long)found, s->name, *s->place ? ", asked at" : "",
                  s->place);
  double value = s->kind == KIND_USE ? call->clock - s->asked : call->arguments[1].real;
  if (found)
    send_line(s, "answer %.17g %.17g\n", call->clock, value);
  else
    send_line(s, "measure %.17g\n", call->clock);
  if (found && s->kind == KIND_USE) stretch(s, call, "predicted");
  return PSL_DONE;
}

/* A use that was measured has ended: in place of an answer of the model, or beside one. */
static enum psl_status reflector_used(void *state, struct psl_call *call) {
  struct state *s = state;
  struct resource *resource = resource_of(s);
  if (s->kind == KIND_USED && s->measured) stretch(s, call, "measured");
  if (s->kind == KIND_BESIDE) {
    resource->is_beside = true;
    resource->beside += s->seconds;
  }
  for (uint32_t k = 0; k < COUNTS; k++)
    resource->counted[k] = s->counted[k] < 0 ? -1 : resource->counted[k] + s->counted[k];
  return PSL_DONE;
}

/* ---- figures ---- */

static const char *figure_name(struct state *s, const struct resource *resource, const char *what) {
  size_t room = strlen(resource->name) + strlen(what) + 3;
  char *name = s->host->allocate(s->host, room);
  snprintf(name, room, "%s, %s", resource->name, what);
  return name;
}

/* In a run in which measured time does not count, nothing that is measured is reported: it is the same each time. */
static size_t statistics(void *state, struct psl_statistic *out, size_t capacity) {
  struct state *s = state;
  size_t count = 0;
  for (const struct resource *r = s->measured ? s->resources : NULL; r; r = r->next) {
    if (r->is_beside && count < capacity)
      out[count++] = (struct psl_statistic){figure_name(s, r, "measured beside"), "s", r->beside, false};
    for (uint32_t k = 0; k < COUNTS && count < capacity; k++)
      if (r->counted[k] > 0)
        out[count++] = (struct psl_statistic){figure_name(s, r, counts[k]), k ? "" : "s", r->counted[k], k > 0};
  }
  return count;
}

static bool reflector_kind(const union psl_argument *arguments, union psl_argument *result, char error[200]) {
  for (result->integer = 0; result->integer < KINDS; result->integer++)
    if (!strcmp(kinds[result->integer], arguments[0].string)) return true;
  snprintf(error, 200, "programs say nothing that is called '%.60s'", arguments[0].string);
  return false;
}

static const struct psl_evaluator_function functions[] = {
    {.name = "kind",
     .signature = "(name : string) -> int",
     .kind = PSL_PURE,
     .pure = reflector_kind,
     .doc =
         "The number of what a program says: use, used, beside, figure, sensor, actuator, end. Error: no such name."},
    {.name = "next",
     .signature = "(program : string) -> int",
     .kind = PSL_CALL,
     .call = reflector_next,
     .reads = 1,
     .doc =
         "Waits for what the program says or asks next, and gives its kind. The first call starts the program, which "
         "the command line has named: psl reflect. Errors: it was not; it cannot be started; it ends with a status "
         "other than 0; it asks nothing."},
    {.name = "rest",
     .signature = "() -> time",
     .kind = PSL_EVENT,
     .call = reflector_rest,
     .doc = "What the program has taken before that, in no use of a resource, as measured."},
    {.name = "name",
     .signature = "() -> term",
     .kind = PSL_EVENT,
     .call = reflector_name,
     .doc = "What it is about: a resource, figure, sensor or actuator, by its name. The use begins at this clock."},
    {.name = "amounts",
     .signature = "() -> [real]",
     .kind = PSL_CALL,
     .call = reflector_amounts,
     .doc = "How much of it, as the program says it; of a sensor its value, of an actuator its value and bounds."},
    {.name = "seconds",
     .signature = "() -> time",
     .kind = PSL_EVENT,
     .call = reflector_seconds,
     .doc = "Of a use that has ended what it has taken, as measured; 0 where the model has answered."},
    {.name = "answer",
     .signature = "(found : int, value : real = 0)",
     .kind = PSL_CALL,
     .call = reflector_answer,
     .doc =
         "Tells the program what the model answers: of a use that all since name() is what it takes, else the value; "
         "found is 0 where no component has. Error: several have."},
    {.name = "used",
     .signature = "()",
     .kind = PSL_CALL,
     .call = reflector_used,
     .doc = "Notes what was measured of a use, for the report and for traces."},
    {.name = NULL},
};

static const struct psl_assumption assumptions[] = {
    {"what the model does not answer takes what it takes on this computer", NULL},
    {NULL, NULL},
};

/* What it measures is no part of a run in which that does not count. */
static bool evident(void *state) { return ((const struct state *)state)->measured; }
static bool assumes(void *state, size_t number) {
  (void)number;
  return evident(state);
}

const struct psl_evaluator reflector_evaluator = {
    .version = PSL_EVALUATOR_VERSION,
    .name = "Reflector",
    .revision = "1",
    .doc = "Programs that run beside a model and ask it what their uses of resources take.",
    .evidence = PSL_MEASURED,
    .evident = evident,
    .functions = functions,
    .assumptions = assumptions,
    .assumes = assumes,
    .open = reflector_open,
    .close = reflector_close,
    .statistics = statistics,
};
