/* The library that stands in annotated programs: what uses of resources take is measured, or asked of psl.
 *
 * A thread has a stack of uses, of which the innermost one is in hand: only its own time and counts go on. What the
 * model has answered is measured beside, and counts nowhere. psl is asked by lines of text, which psl-reflector(3) has;
 * by the first thread that uses something: psl's model has one process for it. */
#include "evaluators/programs/reflector/channel.h"
#include "evaluators/programs/reflector/counted.h"
#include "evaluators/programs/reflector/psl-reflector.h"
#include "evaluators/programs/reflector/totals.h"

#include <pthread.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ACTUATORS = 64 };

struct use {
  char resource[64], file[64]; /* file: its last part */
  int line;
  int answered;   /* by the model */
  double answer;  /* s, then */
  double seconds; /* measured so far */
  struct counted counted;
};

static enum psl_reflecting reflecting;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_t asking;   /* the thread that asks the model */
static double begun;       /* when the first call came */
static double program_now; /* of the model: the program's clock at `since` */

static _Thread_local struct {
  struct use uses[PSL_NESTED];
  int depth, too_deep; /* too_deep: uses that are beyond, which are no more than part of what they are in */
  double since;        /* what lies behind it has been counted; 0: no use has begun yet */
  struct counted counted;
  double last; /* s of the use that ended last */
} own;

static struct actuator {
  char name[64];
  double *real;
  int *whole;
  double low, high;
} actuators[ACTUATORS];
static int actuator_count;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* ---- what is to be done ---- */

/* A process that the program forks is not the model's. */
static void forked(void) {
  if (reflecting == PSL_REFLECT_MODEL) channel_drop();
  reflecting = PSL_REFLECT_OFF;
}

static void ended(void) {
  if (reflecting == PSL_REFLECT_MODEL && pthread_equal(asking, pthread_self())) {
    double rest = own.since > 0 && !own.depth ? now() - own.since : 0;
    channel_say("end %.9g\n", rest);
  }
  if (reflecting == PSL_REFLECT_MEASURE) totals_write();
}

static void start(void) {
  const char *how = getenv("PSL_REFLECT");
  begun = now();
  asking = pthread_self();
  if (!how || !*how) return;
  if (!strcmp(how, "measure") || !strncmp(how, "measure:", 8)) {
    totals_open(how[7] ? how + 8 : NULL);
    reflecting = PSL_REFLECT_MEASURE;
  } else if (!strncmp(how, "model:", 6) && channel_open(how + 6))
    reflecting = PSL_REFLECT_MODEL;
  else
    fprintf(stderr,
            "psl-reflector: PSL_REFLECT is '%s': it has to be measure, measure:FILE.csv or model:SOCKET of a "
            "psl that listens; nothing is measured\n",
            how);
  pthread_atfork(NULL, NULL, forked);
  atexit(ended);
}

/* What this thread is to do. */
static enum psl_reflecting mode(void) {
  pthread_once(&once, start);
  if (reflecting == PSL_REFLECT_MODEL && !channel_is_open()) reflecting = PSL_REFLECT_OFF;
  return reflecting == PSL_REFLECT_MODEL && !pthread_equal(asking, pthread_self()) ? PSL_REFLECT_OFF : reflecting;
}

enum psl_reflecting psl_reflecting(void) { return mode(); }

/* ---- time ---- */

/* What has passed goes to the use in hand; outside of uses it is the rest, which is returned. */
static double time_divide(void) {
  double time = now(), passed = own.since > 0 ? time - own.since : time - begun;
  struct use *use = own.depth ? &own.uses[own.depth - 1] : NULL;
  if (use) {
    struct counted counted;
    counted_read(&counted);
    counted_add(&use->counted, &own.counted, &counted);
    use->seconds += passed;
  }
  if (own.depth) return 0;
  if (channel_measures()) program_now += passed;
  return passed;
}

/* What the library itself does, and psl, is nobody's. */
static void time_resume(void) {
  if (own.depth) counted_read(&own.counted);
  own.since = now();
}

double psl_clock(void) {
  enum psl_reflecting how = mode();
  if (how != PSL_REFLECT_MODEL) return now() - begun;
  const struct use *use = own.depth ? &own.uses[own.depth - 1] : NULL;
  double passed = now() - (own.since > 0 ? own.since : begun);
  if (use && use->answered) return program_now;
  return program_now + (channel_measures() ? passed : 0);
}

/* ---- uses ---- */

/* Blanks would end a word of a line. False: it is not what it was. */
static int word_copy(char to[64], const char *from) {
  int length = snprintf(to, 64, "%s", from && *from ? from : "-"), same = length < 64;
  for (int k = 0; k < length && k < 63; k++)
    if (to[k] == ' ' || to[k] == '\n') {
      to[k] = '-';
      same = 0;
    }
  return same;
}

/* Of a name that the model is asked for. */
static void name_copy(char to[64], const char *from) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static char last[64];
  if (word_copy(to, from)) return;
  pthread_mutex_lock(&lock);
  if (strcmp(last, to)) /* a loop is not to say it in each turn */
    fprintf(stderr, "psl-reflector: '%s' is called '%s': names have at most 63 bytes and no blanks\n", from, to);
  memcpy(last, to, sizeof last);
  pthread_mutex_unlock(&lock);
}

static void use_name(struct use *use, const char *resource, const char *file, int line) {
  const char *slash = file ? strrchr(file, '/') : NULL;
  name_copy(use->resource, resource);
  word_copy(use->file, slash ? slash + 1 : file);
  use->line = line;
}

static void question(const char *what, double rest, const struct use *use, int count, const double *amounts) {
  channel_say("%s %.9g %s %s %d %d", what, rest, use->resource, use->file, use->line, count);
  for (int k = 0; k < count; k++)
    channel_say(" %.17g", amounts[k]);
  channel_say("\n");
}

static int inside_answer(void) { return own.depth && own.uses[own.depth - 1].answered; }

int psl_reflect_begin(const char *resource, const char *file, int line, int skips, int count, const double *amounts) {
  enum psl_reflecting how = mode();
  if (how == PSL_REFLECT_OFF) return 1;
  if (own.depth == PSL_NESTED || inside_answer()) return ++own.too_deep;
  double rest = time_divide();
  struct use use = {.answered = 0};
  use_name(&use, resource, file, line);
  if (how == PSL_REFLECT_MODEL) {
    question("use", rest, &use, count < PSL_AMOUNTS ? count : PSL_AMOUNTS, amounts);
    use.answered = channel_ask(&use.answer, &program_now);
  }
  int left_out = use.answered && skips;
  if (left_out)
    own.last = use.answer;
  else
    own.uses[own.depth++] = use;
  time_resume();
  return !left_out;
}

int psl_reflect_use(const char *file, int line, int skips, const char *resource, int count, ...) {
  double amounts[PSL_AMOUNTS];
  va_list list;
  va_start(list, count);
  for (int k = 0; k < count && k < PSL_AMOUNTS; k++)
    amounts[k] = va_arg(list, double);
  va_end(list);
  return psl_reflect_begin(resource, file, line, skips, count, amounts);
}

static void use_tell(const struct use *use) {
  channel_say("%s %.9g %s %s %d", use->answered ? "beside" : "used", use->seconds, use->resource, use->file, use->line);
  for (int k = 0; k < COUNTED_KINDS; k++)
    channel_say(" %.9g", use->counted.of[k]);
  channel_say("\n");
  channel_flush();
  if (!use->answered && channel_measures()) program_now += use->seconds;
}

int psl_reflect_end(void) {
  enum psl_reflecting how = mode();
  if (how == PSL_REFLECT_OFF) return 0;
  if (own.too_deep) return own.too_deep--, 0;
  if (!own.depth) return 0;
  time_divide();
  const struct use *use = &own.uses[--own.depth];
  own.last = use->answered ? use->answer : channel_measures() ? use->seconds : 0;
  if (how == PSL_REFLECT_MODEL)
    use_tell(use);
  else
    totals_add(use->resource, use->file, use->line, use->seconds, &use->counted);
  time_resume();
  return 0;
}

double psl_reflect_seconds(void) { return own.last; }

double psl_figure(const char *name, const char *file, int line, double otherwise, int count, const double *amounts) {
  double answer, clock;
  if (mode() != PSL_REFLECT_MODEL || inside_answer()) return otherwise;
  struct use use;
  use_name(&use, name, file, line);
  question("figure", time_divide(), &use, count < PSL_AMOUNTS ? count : PSL_AMOUNTS, amounts);
  int answered = channel_ask(&answer, &clock);
  time_resume();
  return answered ? answer : otherwise;
}

/* ---- sensors and actuators ---- */

void psl_sensor(const char *name, double value) {
  if (mode() != PSL_REFLECT_MODEL || !isfinite(value)) return;
  char word[64];
  name_copy(word, name);
  channel_say("sensor %.9g %s %.17g\n", time_divide(), word, value);
  time_resume();
}

static void actuator_put(const char *name, struct actuator actuator) {
  int k = 0;
  name_copy(actuator.name, name);
  while (k < actuator_count && strcmp(actuators[k].name, actuator.name))
    k++;
  if (k == ACTUATORS) return;
  actuators[k] = actuator;
  if (k == actuator_count) actuator_count++;
}

void psl_actuator(const char *name, double *value, double low, double high) {
  actuator_put(name, (struct actuator){.real = value, .low = low, .high = high});
}

void psl_actuator_int(const char *name, int *value, int low, int high) {
  actuator_put(name, (struct actuator){.whole = value, .low = low, .high = high});
}

void psl_actuator_drop(const char *name) {
  for (int k = 0; k < actuator_count; k++)
    if (!strcmp(actuators[k].name, name)) {
      actuators[k] = actuators[--actuator_count];
      return;
    }
}

/* Within its bounds; true where that changes it. */
static int actuate(const struct actuator *actuator, double value) {
  if (!(value >= actuator->low)) value = actuator->low;
  if (value > actuator->high) value = actuator->high;
  double before = actuator->whole ? (double)*actuator->whole : *actuator->real;
  if (actuator->whole)
    *actuator->whole = (int)lround(value);
  else
    *actuator->real = value;
  return before != (actuator->whole ? (double)*actuator->whole : *actuator->real);
}

int psl_poll(void) {
  int changed = 0;
  if (mode() != PSL_REFLECT_MODEL) return 0;
  for (int k = 0; k < actuator_count && channel_is_open(); k++) {
    const struct actuator *actuator = &actuators[k];
    double value = actuator->whole ? (double)*actuator->whole : *actuator->real, answer;
    channel_say("actuator %.9g %s %.17g %.17g %.17g\n", time_divide(), actuator->name, value, actuator->low,
                actuator->high);
    double clock;
    if (channel_ask(&answer, &clock)) changed += actuate(actuator, answer);
    time_resume();
  }
  return changed;
}
