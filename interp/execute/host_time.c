/* Where this computer's time goes: see host_time.h. */
#include "interp/execute/host_time.h"
#include "interp/execute/program.h"
#include <signal.h>
#include <time.h>

enum { LOOK_EVERY = 500 * 1000 }; /* ns */

struct host_place *host_place(struct host_time *host, struct host_place *parent, const void *subject,
                              const struct name *name, struct span span) {
  for (struct host_place *place = parent->first; place; place = place->next)
    if (place->subject == subject && place->span.begin == span.begin) return place;
  struct host_place *place = ARENA_NEW(host->arena, struct host_place);
  place->parent = parent;
  place->subject = subject;
  place->name = arena_copy(host->arena, name->text, name->length);
  place->span = span;
  if (parent->last)
    parent->last->next = place;
  else
    parent->first = place;
  return parent->last = place;
}

struct host_place *host_body(struct host_time *host, const struct body *body) {
  const struct model_accept *accept = body->accept;
  const struct name *component = body->component->symbol->name;
  const void *subject = body->coercion   ? (const void *)body->coercion
                        : accept->syntax ? (const void *)accept->syntax
                                         : body->component;
  struct span span = body->coercion   ? body->coercion->decl->span
                     : accept->syntax ? accept->syntax->span
                                      : body->component->symbol->span;
  struct host_place *place = host_place(host, &host->run, subject, component, span);
  if (!place->how) place->how = "walked";
  return place;
}

struct host_place *host_enter(struct host_time *host, const struct frame *frame) {
  struct host_place *before = atomic_load_explicit(&host->here, memory_order_relaxed);
  struct host_place *const *places = frame->compiled ? frame->body->program->places : NULL;
  host_mark(host, places && frame->at ? places[frame->at] : host_body(host, frame->body));
  return before;
}

/* ---- the thread that looks ---- */

static double thread_time(const struct host_time *host) {
  struct timespec now;
  if (clock_gettime(host->clock, &now) != 0) return 0;
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void *look(void *user) {
  struct host_time *host = user;
  double before = thread_time(host);
  while (!atomic_load(&host->ended)) {
    nanosleep(&(struct timespec){.tv_nsec = LOOK_EVERY}, NULL);
    double now = thread_time(host);
    atomic_load_explicit(&host->here, memory_order_acquire)->seconds += now - before;
    before = now;
  }
  return NULL;
}

void host_time_open(struct host_time *host, struct arena *arena) {
  host->arena = arena;
  atomic_init(&host->here, &host->run);
}

/* Signals are for those who have asked for them. */
void host_time_begin(struct host_time *host) {
  sigset_t all, before;
  host_mark(host, &host->run);
  atomic_store(&host->ended, false);
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  host->looked_at =
      pthread_getcpuclockid(pthread_self(), &host->clock) == 0 && pthread_create(&host->looker, NULL, look, host) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void host_time_end(struct host_time *host) {
  atomic_store(&host->ended, true);
  if (host->looked_at) pthread_join(host->looker, NULL);
  host->looked_at = false;
}
