/* What the C library keeps for a process between calls, and C++'s for a thread: each rank that is a strand of psl's
 * process has its own. These functions stand before the C library's for the program; of a rank that is a process they
 * are the C library's, which has numbers as these are in any case. */
#include "evaluators/programs/mpi/rank.h"
#include <dlfcn.h>
#include <getopt.h>
#include <stdlib.h>

struct kept_state {
  struct random_data random;
  char numbers[128]; /* as many as random() has at its beginning */
  struct drand48_data drand48;
  char *token;                   /* where strtok goes on */
  int options[OPTION_VARIABLES]; /* of programs that have no such variables, as numbers */
  char *argument;
  bool words_begun, words_done;
  int words_place; /* the program's optind, after the last call of getopt */
  bool streams_apart;
};

/* NULL: the rank is a process, or there is no memory. */
static struct kept_state *kept(void) {
  if (!area || !area->inside) return NULL;
  if (!self->kept && (self->kept = calloc(1, sizeof *self->kept))) {
    self->kept->options[OPTION_PLACE] = self->kept->options[OPTION_SAYS] = 1; /* as C has them */
    initstate_r(1, self->kept->numbers, sizeof self->kept->numbers, &self->kept->random);
  }
  return self->kept;
}

/* The function of that name behind these. */
#define NEXT(name)                                                  \
  ({                                                                \
    static __typeof__(&(name)) next;                                \
    if (!next) next = (__typeof__(&(name)))dlsym(RTLD_NEXT, #name); \
    next;                                                           \
  })

/* ---- random numbers ---- */

static long random_next(struct kept_state *state) {
  int32_t number;
  random_r(&state->random, &number);
  return number;
}

PUBLIC int rand(void) {
  struct kept_state *state = kept();
  return state ? (int)random_next(state) : NEXT(rand)();
}
PUBLIC long random(void) {
  struct kept_state *state = kept();
  return state ? random_next(state) : NEXT(random)();
}
#define SEED(name)                     \
  PUBLIC void name(unsigned seed) {    \
    struct kept_state *state = kept(); \
    if (!state)                        \
      NEXT(name)(seed);                \
    else                               \
      srandom_r(seed, &state->random); \
  }
SEED(srand)
SEED(srandom)

/* Those of 48 bits. */
#define NUMBER_48(type, name)           \
  PUBLIC type name(void) {              \
    struct kept_state *state = kept();  \
    type number;                        \
    if (!state) return NEXT(name)();    \
    name##_r(&state->drand48, &number); \
    return number;                      \
  }
NUMBER_48(double, drand48)
NUMBER_48(long, lrand48)
NUMBER_48(long, mrand48)

#define NUMBER_48_OF(type, name)            \
  PUBLIC type name(unsigned short of[3]) {  \
    struct kept_state *state = kept();      \
    type number;                            \
    if (!state) return NEXT(name)(of);      \
    name##_r(of, &state->drand48, &number); \
    return number;                          \
  }
NUMBER_48_OF(double, erand48)
NUMBER_48_OF(long, nrand48)
NUMBER_48_OF(long, jrand48)

PUBLIC void srand48(long seed) {
  struct kept_state *state = kept();
  if (!state)
    NEXT(srand48)(seed);
  else
    srand48_r(seed, &state->drand48);
}
PUBLIC unsigned short *seed48(unsigned short seed[3]) {
  struct kept_state *state = kept();
  if (!state) return NEXT(seed48)(seed);
  seed48_r(seed, &state->drand48);
  return state->drand48.__old_x;
}
PUBLIC void lcong48(unsigned short parameters[7]) {
  struct kept_state *state = kept();
  if (!state)
    NEXT(lcong48)(parameters);
  else
    lcong48_r(parameters, &state->drand48);
}

/* ---- words ---- */

PUBLIC char *strtok(char *restrict text, const char *restrict delimiters) {
  struct kept_state *state = kept();
  return state ? strtok_r(text, delimiters, &state->token) : NEXT(strtok)(text, delimiters);
}

/* ---- options of the command ---- */

/* The C library's getopt is amid the words of one rank: mostly a rank reads all of them at a time, since getopt calls
 * nothing of MPI. The program has variables of its own for what it and getopt tell each other. */
static struct rank *reads_words;

static void *own_variable(struct kept_state *state, enum option_variable which) {
  size_t place = area->option_variables[which];
  if (place) return (char *)self->seat->base + place;
  return which == OPTION_ARGUMENT ? (void *)&state->argument : &state->options[which];
}

struct options_call {
  int (*function)(int, char *const *, const char *, const struct option *, int *);
  int count;
  char *const *words;
  const char *letters;
  const struct option *names;
  int *which;
};

static int options_read(struct kept_state *state, const struct options_call *call) {
  int *place = own_variable(state, OPTION_PLACE), *unknown = own_variable(state, OPTION_UNKNOWN);
  char **argument = own_variable(state, OPTION_ARGUMENT);
  bool begins = !*place || !state->words_begun || (*place == 1 && state->words_done);
  if (!begins && state->words_done && *place == state->words_place) return -1;
  if (begins ? *place > 1 : reads_words != self)
    end_program("getopt goes on at word %d, but is amid another rank's options: --ranks processes runs it", *place);
  optind = begins ? 0 : *place;
  opterr = *(int *)own_variable(state, OPTION_SAYS);
  reads_words = self;
  int letter = call->function(call->count, call->words, call->letters, call->names, call->which);
  state->words_begun = true;
  state->words_done = letter < 0;
  *place = state->words_place = optind;
  *unknown = optopt;
  *argument = optarg;
  return letter;
}

static int short_options(int count, char *const *words, const char *letters, const struct option *names, int *which) {
  (void)names, (void)which;
  return NEXT(getopt)(count, words, letters);
}
PUBLIC int getopt(int count, char *const *words, const char *letters) {
  struct kept_state *state = kept();
  if (!state) return NEXT(getopt)(count, words, letters);
  return options_read(state, &(struct options_call){short_options, count, words, letters, NULL, NULL});
}
#define LONG_OPTIONS(name)                                                                                      \
  PUBLIC int name(int count, char *const *words, const char *letters, const struct option *names, int *which) { \
    struct kept_state *state = kept();                                                                          \
    if (!state) return NEXT(name)(count, words, letters, names, which);                                         \
    return options_read(state, &(struct options_call){NEXT(name), count, words, letters, names, which});        \
  }
LONG_OPTIONS(getopt_long)
LONG_OPTIONS(getopt_long_only)

/* ---- exceptions of C++ ---- */

/* Those that are being handled are of the thread: while a rank does not run, its own are kept here. */
struct exceptions exceptions_leave(void) {
  struct exceptions *now = area->exceptions(), kept_now = *now;
  *now = (struct exceptions){0};
  return kept_now;
}
void exceptions_return(struct exceptions kept_now) { *(struct exceptions *)area->exceptions() = kept_now; }

/* ---- streams of C++ ---- */

/* std::ios_base::sync_with_stdio. A program may say that C++'s streams need not write where those of C do; a rank's
 * are copies, which would still write to what the library then takes away. So they go on as they are, which is what C++
 * leaves open. */
PUBLIC bool _ZNSt8ios_base15sync_with_stdioEb(bool together);
bool _ZNSt8ios_base15sync_with_stdioEb(bool together) {
  struct kept_state *state = kept();
  if (!state) return NEXT(_ZNSt8ios_base15sync_with_stdioEb)(together);
  bool before = !state->streams_apart;
  state->streams_apart = !together;
  return before;
}
