/* Signals that want an end.  The first ends what psl does, with a report of what there is; then psl dies by it, so
 * that a shell's loop, make and a batch system learn that it was ended (status 128 + number).  Called by main.c and
 * sessions.
 *
 * Who works looks at `interrupted` now and then and sets it to 2 (psl_options.interrupted). Where nobody looks for too
 * long, in another library's work or where psl waits for a reader of its output, psl dies at once. */
#include "interp/cli/cli.h"

#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { WANTED = 1, PATIENCE = 700 /* ms */, LONG = 5000, TICK = 500 };

volatile int interrupted;
static volatile sig_atomic_t ended_by; /* the signal that psl ends by; 0: none */
static bool session_goes_on;           /* SIGINT ends what a session does, not the session */
static char last_words[200];
static const char *volatile reminder;  /* what is said after a while when no end is wanted; NULL: nothing */
static volatile int *volatile ticking; /* becomes 1 each time; NULL: nobody looks */
static volatile int ticks;

static void write_plainly(const char *text) {
  if (write(STDERR_FILENO, text, strlen(text)) < 0) return; /* nothing can be done about it */
}

static void die_by(int signal_number) {
  sinks_abandon();
  signal(signal_number, SIG_DFL);
  raise(signal_number);
}

static void on_alarm(int signal_number) {
  (void)signal_number;
  if (interrupted != WANTED) {
    if (ticking) *ticking = 1;
    if (reminder && ++ticks == (ticking ? LONG / TICK : 1)) write_plainly(reminder);
    return;
  }
  if (!ended_by) {
    write_plainly("psl: this cannot be ended alone: a second interrupt ends psl\n");
    return;
  }
  write_plainly(last_words);
  die_by(ended_by);
}

static void alarm_every(int ms, int again) {
  struct itimerval times = {{again / 1000, again % 1000 * 1000}, {ms / 1000, ms % 1000 * 1000}};
  setitimer(ITIMER_REAL, &times, NULL);
}

static void alarm_after(int ms) { alarm_every(ms, 0); }

static void want_end(void) {
  interrupted = WANTED;
  alarm_after(PATIENCE);
}

void signals_remind(const char *text, volatile int *tick) {
  ticks = 0;
  reminder = text;
  ticking = tick;
  if (interrupted == WANTED) return;
  if (tick)
    alarm_every(TICK, TICK);
  else
    alarm_after(text ? LONG : 0);
}

/* timeout(1), mpirun and shells send a signal to psl and to its process group: what comes within a tenth of a second is
 * the same wish. A later one ends psl at once. */
static void on_wish(int signal_number) {
  static struct timespec first;
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  if (session_goes_on && signal_number == SIGINT) {
    if (interrupted == WANTED) die_by(signal_number);
    want_end();
  } else if (!ended_by) {
    first = now;
    ended_by = signal_number;
    want_end();
  } else if ((double)(now.tv_sec - first.tv_sec) + (double)(now.tv_nsec - first.tv_nsec) * 1e-9 > 0.1) {
    die_by(signal_number);
  }
}

static void keep_words(void *user, const struct psl_diagnostic *diagnostic) {
  (void)user;
  strncpy(last_words, diagnostic->text, sizeof last_words - 1);
}

void signals_speak(const struct cli *cli) {
  struct psl_options options = cli->options;
  options.diagnostic = keep_words;
  psl_say(&options, PSL_ERROR, "interrupted", NULL);
}

/* SIGTERM is what a batch system sends when the time is up. Two signals end psl at once: the terminal is gone, or who
 * reads its output. What the caller has had ignored (nohup does) stays so. A file that gets too large is an error like
 * a full disk. */
void signals_watch(void) {
  static const int ends[] = {SIGHUP, SIGPIPE};
  struct sigaction action = {.sa_handler = on_wish}, before;
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  sigaction(SIGALRM, &(struct sigaction){.sa_handler = on_alarm, .sa_flags = SA_RESTART}, NULL);
  action.sa_handler = die_by;
  for (size_t s = 0; s < sizeof ends / sizeof *ends; s++)
    if (sigaction(ends[s], NULL, &before) == 0 && before.sa_handler != SIG_IGN) sigaction(ends[s], &action, NULL);
  signal(SIGXFSZ, SIG_IGN);
}

void signals_of_session(void) { session_goes_on = true; }

void signals_of_server(void) {
  struct sigaction action = {.sa_handler = on_wish}, before;
  if (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, NULL);
}

bool signals_end(void) { return ended_by != 0; }

void signals_leave(int code) {
  if (ended_by && code != EXIT_FINE) die_by(ended_by);
}
