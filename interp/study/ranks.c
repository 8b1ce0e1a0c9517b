/* The ranks of an MPI job: found by the launcher's environment, joined through the module of that MPI, and the
 * transport of a pool over them. Called by the command line (psl_ranks_…) and by pool.c.
 *
 * Rank 0 sends batches and gets answers; whichever of the others has nothing to do looks for a message and
 * sleeps a little longer each time, since the MPI libraries themselves wait by spinning. A rank that has
 * come to its end says so (LEAVE) and takes whatever still comes until rank 0 lets it go (EXIT), so that no
 * message is left when MPI is closed. */
#include "interp/study/ranks.h"
#include "interp/include/psl.h"
#include "interp/model/run.h"
#include "interp/library/installed.h"
#include "interp/library/modules.h"
#include "interp/study/mpi/module.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { SLEEP_LEAST = 20000, SLEEP_MOST = 1000000 }; /* ns */

enum message_kind { MESSAGE_BATCH, MESSAGE_ANSWER, MESSAGE_CLOSE, MESSAGE_LEAVE, MESSAGE_EXIT, MESSAGE_RUN };
struct message_head {
  uint32_t kind;
  uint32_t pool; /* counted from 1 */
};

struct psl_ranks {
  const struct psl_mpi *mpi;
  struct memory memory;
  struct arena lasting, work;
  int rank, size;
  uint32_t pools;     /* opened so far */
  bool served;        /* this rank got to a pool */
  bool released;      /* rank 0 is at its end */
  bool *gone;         /* by rank: it is at its end */
  char farewell[300]; /* of the first rank that served nothing; "": none */
  struct run_peers {
    struct psl_peers peers;
    struct psl_ranks *ranks;
    struct posted {
      struct posted *next;
      void *request;
      char bytes[];
    } * posted; /* that may still be on their way */
    struct text got;
  } run;
};

/* ---- the environment and the module ---- */

struct launcher {
  const char *size, *rank; /* variables of its environment */
  const char *name, *module;
};
static const struct launcher launchers[] = {
    {"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "Open MPI", "psl-mpi-openmpi.so"},
    {"PMI_SIZE", "PMI_RANK", "MPICH", "psl-mpi-mpich.so"},
};

static const struct launcher *find_launcher(size_t *rank, size_t *size) {
  for (size_t l = 0; l < sizeof launchers / sizeof *launchers; l++) {
    const char *has_size = getenv(launchers[l].size), *has_rank = getenv(launchers[l].rank);
    if (!has_size || !has_rank) continue;
    *size = strtoul(has_size, NULL, 10);
    *rank = strtoul(has_rank, NULL, 10);
    if (*size > 1 && *rank < *size) return &launchers[l];
  }
  *rank = 0;
  *size = 1;
  return NULL;
}

size_t psl_ranks_launched(size_t *rank) {
  size_t size;
  find_launcher(rank, &size);
  return size;
}

static struct psl_ranks *load(const struct launcher *launcher, const char *path, char *error, size_t size) {
  void *module = dlopen(path, RTLD_NOW | RTLD_GLOBAL); /* global: the MPI's own plug-ins want it */
  const struct psl_mpi *mpi = module ? dlsym(module, PSL_MPI_SYMBOL) : NULL;
  if (!mpi || mpi->version != PSL_MPI_VERSION) {
    const char *why = mpi ? "it is of another version of psl" : dlerror();
    snprintf(error, size, "%s cannot be used: %s", launcher->module, why ? why : "it is no module of psl");
    if (module) dlclose(module);
    return NULL;
  }
  struct psl_ranks *ranks = calloc(1, sizeof *ranks);
  if (!ranks || !mpi->open(&ranks->rank, &ranks->size)) {
    snprintf(error, size, "%s has not begun", launcher->name);
    free(ranks);
    return NULL;
  }
  ranks->mpi = mpi;
  arena_open(&ranks->lasting, &ranks->memory);
  arena_open(&ranks->work, &ranks->memory);
  ranks->gone = ARENA_ARRAY(&ranks->lasting, bool, ranks->size);
  return ranks;
}

struct psl_ranks *psl_ranks_open(char *error, size_t error_size) {
  size_t rank, size;
  char path[PATH_MAX];
  const struct launcher *launcher = find_launcher(&rank, &size);
  *error = '\0';
  if (!launcher) return NULL;
  if (module_find(path, launcher->module)) return load(launcher, path, error, error_size);
  snprintf(error, error_size,
           "psl was started by the mpirun of %s, but the module for it, %s, stands neither beside psl nor in %s",
           launcher->name, launcher->module, installed_modules);
  return NULL;
}

/* ---- messages ---- */

static void sleep_longer(long *nanoseconds) {
  nanosleep(&(struct timespec){0, *nanoseconds}, NULL);
  if ((*nanoseconds *= 2) > SLEEP_MOST) *nanoseconds = SLEEP_MOST;
}

static void wait_sent(const struct psl_ranks *ranks, void **request) {
  for (long pause = SLEEP_LEAST; *request && !ranks->mpi->sent(*request);)
    sleep_longer(&pause);
  *request = NULL;
}

/* A message without text that matters to nobody's time. */
static void send_plain(const struct psl_ranks *ranks, int to, enum message_kind kind, uint32_t pool, const char *text) {
  char bytes[sizeof(struct message_head) + sizeof ranks->farewell];
  struct message_head head = {kind, pool};
  size_t size = strlen(text);
  memcpy(bytes, &head, sizeof head);
  memcpy(bytes + sizeof head, text, size);
  void *request = ranks->mpi->send(to, bytes, sizeof head + size);
  wait_sent(ranks, &request);
}

static void take_leave(struct psl_ranks *ranks, int rank, const char *text, size_t size) {
  ranks->gone[rank] = true;
  if (size && !*ranks->farewell)
    snprintf(ranks->farewell, sizeof ranks->farewell, "rank %d has done nothing: %.*s", rank, (int)size, text);
}

/* A message whose content is of no use any more, and what it says of its sender. */
static void drop_message(struct psl_ranks *ranks, int from, size_t size) {
  struct message_head head;
  char *bytes = arena_alloc(&ranks->work, size);
  ranks->mpi->receive(from, bytes, size);
  memcpy(&head, bytes, sizeof head);
  if (head.kind == MESSAGE_LEAVE) take_leave(ranks, from, bytes + sizeof head, size - sizeof head);
  if (head.kind == MESSAGE_EXIT) ranks->released = true;
  arena_reset(&ranks->work);
}

static bool all_gone(const struct psl_ranks *ranks) {
  for (int r = 1; r < ranks->size; r++)
    if (!ranks->gone[r]) return false;
  return true;
}

static void posted_drop(struct run_peers *run);

void psl_ranks_close(struct psl_ranks *ranks, const char *farewell, char *said, size_t said_size) {
  int from;
  size_t size;
  long pause_sent = SLEEP_LEAST;
  if (ranks->rank) {
    char text[200];
    snprintf(text, sizeof text, "%s", ranks->served ? "" : farewell);
    send_plain(ranks, 0, MESSAGE_LEAVE, 0, text);
  } else {
    for (int r = 1; r < ranks->size; r++)
      send_plain(ranks, r, MESSAGE_EXIT, 0, "");
  }
  for (long pause = SLEEP_LEAST; ranks->rank ? !ranks->released : !all_gone(ranks);) {
    if (ranks->mpi->probe(&from, &size))
      drop_message(ranks, from, size);
    else
      sleep_longer(&pause);
  }
  while (ranks->run.posted) {
    posted_drop(&ranks->run);
    sleep_longer(&pause_sent);
  }
  if (said) snprintf(said, said_size, "%s", ranks->farewell);
  ranks->mpi->close();
  arena_close(&ranks->work);
  arena_close(&ranks->lasting);
  free(ranks); /* the module stays: what MPI has left at exit is its own */
}

void psl_ranks_abort(struct psl_ranks *ranks, int code) { ranks->mpi->abort(code); }

size_t psl_ranks_rank(const struct psl_ranks *ranks) { return (size_t)ranks->rank; }

/* ---- a run that all make ---- */

static void posted_drop(struct run_peers *run) {
  for (struct posted **at = &run->posted, *posted; (posted = *at);) {
    if (run->ranks->mpi->sent(posted->request)) {
      *at = posted->next;
      free(posted);
    } else {
      at = &posted->next;
    }
  }
}

static void peers_send(struct psl_peers *peers, uint32_t to, const void *data, size_t size) {
  struct run_peers *run = (struct run_peers *)peers;
  struct message_head head = {MESSAGE_RUN, 0};
  struct posted *posted = malloc(sizeof *posted + sizeof head + size);
  if (!posted) run->ranks->mpi->abort(1);
  memcpy(posted->bytes, &head, sizeof head);
  memcpy(posted->bytes + sizeof head, data, size);
  posted->request = run->ranks->mpi->send((int)to, posted->bytes, sizeof head + size);
  posted->next = run->posted;
  run->posted = posted;
  posted_drop(run);
}

static struct message_head receive_text(struct psl_ranks *ranks, int from, size_t size, struct text *text);

static const void *peers_receive(struct psl_peers *peers, uint32_t *from, size_t *size) {
  struct run_peers *run = (struct run_peers *)peers;
  struct psl_ranks *ranks = run->ranks;
  int who;
  size_t whole;
  posted_drop(run);
  if (!ranks->mpi->probe(&who, &whole)) return NULL;
  struct message_head head = receive_text(ranks, who, whole, &run->got);
  const char *data = run->got.data + sizeof head;
  *from = (uint32_t)who;
  *size = head.kind == MESSAGE_RUN ? whole - sizeof head : 0;
  if (head.kind == MESSAGE_EXIT) ranks->released = true;
  if (head.kind == MESSAGE_LEAVE) take_leave(ranks, who, data, whole - sizeof head);
  return data;
}

struct psl_peers *psl_ranks_peers(struct psl_ranks *ranks) {
  ranks->run = (struct run_peers){.peers = {.rank = (uint32_t)ranks->rank,
                                            .size = (uint32_t)ranks->size,
                                            .send = peers_send,
                                            .receive = peers_receive},
                                  .ranks = ranks,
                                  .got = {.arena = &ranks->lasting}};
  ranks->served = true;
  return &ranks->run.peers;
}

/* ---- serving ---- */

bool ranks_serving(const struct psl_ranks *ranks) { return ranks && ranks->rank != 0; }

struct rank_channel {
  struct channel channel;
  struct psl_ranks *ranks;
  struct text in, out;
};

static struct message_head receive_text(struct psl_ranks *ranks, int from, size_t size, struct text *text) {
  static const char zeros[4096];
  struct message_head head;
  text->size = 0;
  while (text->size < size) {
    size_t more = size - text->size < sizeof zeros ? size - text->size : sizeof zeros;
    text_put_n(text, zeros, more);
  }
  ranks->mpi->receive(from, text->data, size);
  memcpy(&head, text->data, sizeof head);
  return head;
}

static bool rank_receive(struct channel *channel, struct text *batch) {
  struct rank_channel *own = (struct rank_channel *)channel;
  struct psl_ranks *ranks = own->ranks;
  int from;
  size_t size;
  for (long pause = SLEEP_LEAST; !ranks->mpi->probe(&from, &size);)
    sleep_longer(&pause);
  struct message_head head = receive_text(ranks, from, size, &own->in);
  if (head.kind == MESSAGE_EXIT) ranks->released = true;
  if (head.kind != MESSAGE_BATCH) return false;
  if (head.pool != ranks->pools) ranks->mpi->abort(1); /* the ranks do not do the same */
  batch->size = 0;
  text_put_n(batch, own->in.data + sizeof head, size - sizeof head);
  return true;
}

static bool rank_send(struct channel *channel, const struct text *answer) {
  struct rank_channel *own = (struct rank_channel *)channel;
  struct message_head head = {MESSAGE_ANSWER, own->ranks->pools};
  own->out.size = 0;
  text_put_n(&own->out, (const char *)&head, sizeof head);
  text_put_n(&own->out, answer->data, answer->size);
  void *request = own->ranks->mpi->send(0, own->out.data, own->out.size);
  wait_sent(own->ranks, &request);
  return true;
}

void ranks_serve(struct arena *arena, const struct pool_options *options) {
  struct psl_ranks *ranks = options->ranks;
  uint32_t begun = 0;
  struct rank_channel channel = {
      .channel = {rank_receive, rank_send, &begun},
      .ranks = ranks,
      .in = {.arena = arena},
      .out = {.arena = arena},
  };
  ranks->pools++;
  if (ranks->released) return;
  ranks->served = true;
  worker_serve(&channel.channel, arena, options->work, options->user);
}

/* ---- rank 0: worker w is rank w + 1 ---- */

struct rank_worker {
  struct text out;
  void *request; /* of `out`, while it is on its way */
};

struct rank_transport {
  struct transport transport;
  struct psl_ranks *ranks;
  uint32_t pool;
  struct rank_worker *workers;
  struct text in;
};

static struct rank_transport *of(struct transport *transport) { return (struct rank_transport *)transport; }

static bool start(struct transport *transport, size_t worker) { return !of(transport)->ranks->gone[worker + 1]; }

static void send_batch(struct transport *transport, size_t worker, const struct text *batch) {
  struct rank_transport *own = of(transport);
  struct rank_worker *to = &own->workers[worker];
  struct message_head head = {MESSAGE_BATCH, own->pool};
  wait_sent(own->ranks, &to->request);
  to->out.size = 0;
  text_put_n(&to->out, (const char *)&head, sizeof head);
  text_put_n(&to->out, batch->data, batch->size);
  to->request = own->ranks->mpi->send((int)worker + 1, to->out.data, to->out.size);
}

static struct transport_event take_message(struct rank_transport *own, int from, size_t size) {
  struct message_head head = receive_text(own->ranks, from, size, &own->in);
  struct transport_event event = {
      .worker = (size_t)from - 1, .data = own->in.data + sizeof head, .size = size - sizeof head};
  if (head.kind == MESSAGE_LEAVE) {
    take_leave(own->ranks, from, event.data, event.size);
    event.kind = TRANSPORT_DEATH;
    event.begun = UINT32_MAX; /* no task is to blame */
    event.death = "its end";
  } else if (head.pool == own->pool) {
    event.kind = TRANSPORT_ANSWER;
  }
  return event;
}

static struct transport_event receive(struct transport *transport, int milliseconds) {
  struct rank_transport *own = of(transport);
  double until = transport_clock() + milliseconds * 1e-3;
  int from;
  size_t size;
  for (long pause = SLEEP_LEAST;; sleep_longer(&pause)) {
    if (own->ranks->mpi->probe(&from, &size)) {
      struct transport_event event = take_message(own, from, size);
      if (event.kind != TRANSPORT_NOTHING) return event;
    } else if (transport_clock() >= until) {
      return (struct transport_event){.kind = TRANSPORT_NOTHING};
    }
  }
}

static bool stop(struct transport *transport, size_t worker) { return of(transport)->ranks->gone[worker + 1]; }

static void close_all(struct transport *transport) {
  struct rank_transport *own = of(transport);
  for (size_t w = 0; w < transport->workers; w++) {
    wait_sent(own->ranks, &own->workers[w].request);
    if (!own->ranks->gone[w + 1]) send_plain(own->ranks, (int)w + 1, MESSAGE_CLOSE, own->pool, "");
  }
}

struct transport *ranks_open(struct arena *arena, const struct pool_options *options) {
  struct rank_transport *own = ARENA_NEW(arena, struct rank_transport);
  size_t count = (size_t)options->ranks->size - 1;
  own->transport = (struct transport){count, start, send_batch, receive, stop, close_all};
  own->ranks = options->ranks;
  own->pool = ++options->ranks->pools;
  own->workers = ARENA_ARRAY(arena, struct rank_worker, count);
  own->in.arena = arena;
  for (size_t w = 0; w < count; w++)
    own->workers[w].out.arena = arena;
  return &own->transport;
}
