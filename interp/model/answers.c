/* The table of answers: open addressing in memory that forked processes share. A place is taken by one of them, which
 * then says that it is whole; nothing is ever taken out. Where it is full, or its writer was killed, an answer is not
 * kept. */
#include "interp/model/answers.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#define XXH_STATIC_LINKING_ONLY /* the state of a hash on the stack */
#include <xxhash.h>

enum { PLACES = 1 << 16, PROBES = 64, PATIENCE = 10000 /* turns of who writes */ };
enum state { EMPTY, TAKEN, WHOLE };

struct place {
  _Atomic unsigned state; /* enum state */
  bool handed_out;
  struct psl_key key;
  double answer;
};

struct answers {
  struct place *places; /* NULL: there is no room for any */
  _Atomic unsigned *count;
  unsigned handed_out;
  struct arena_deferred deferred;
};

enum { ROOM = sizeof(_Atomic unsigned[16]) + PLACES * sizeof(struct place) };

static void unmap(void *user) {
  struct answers *answers = user;
  if (answers->places) munmap(answers->count, ROOM);
}

struct answers *answers_open(struct arena *arena) {
  struct answers *answers = ARENA_NEW(arena, struct answers);
  void *room = mmap(NULL, ROOM, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (room != MAP_FAILED) {
    answers->count = room;
    answers->places = (struct place *)(void *)((char *)room + sizeof(_Atomic unsigned[16]));
  }
  answers->deferred = (struct arena_deferred){.run = unmap, .user = answers};
  arena_defer(arena, &answers->deferred);
  return answers;
}

bool answers_key(const char *text, const char *file, struct psl_key *key) {
  XXH3_state_t state;
  char buffer[1 << 14];
  size_t got = 0;
  XXH3_128bits_reset(&state);
  XXH3_128bits_update(&state, text, strlen(text) + 1);
  FILE *stream = file ? fopen(file, "rb") : NULL;
  if (file && !stream) return false;
  while (stream && (got = fread(buffer, 1, sizeof buffer, stream)) > 0)
    XXH3_128bits_update(&state, buffer, got);
  bool read = !stream || !ferror(stream);
  if (stream) fclose(stream);
  XXH128_hash_t hash = XXH3_128bits_digest(&state);
  *key = (struct psl_key){{hash.high64, hash.low64}};
  return read;
}

/* Is it whole? One that another process writes is waited for. */
static bool is_whole(struct place *place) {
  unsigned state = atomic_load_explicit(&place->state, memory_order_acquire);
  for (int turn = 0; state == TAKEN && turn < PATIENCE; turn++) {
    sched_yield();
    state = atomic_load_explicit(&place->state, memory_order_acquire);
  }
  return state == WHOLE;
}

static bool is_of(const struct place *place, struct psl_key key) {
  return place->key.part[0] == key.part[0] && place->key.part[1] == key.part[1];
}

static struct place *place_at(struct answers *answers, struct psl_key key, unsigned probe) {
  return &answers->places[(key.part[0] + probe) % PLACES];
}

bool answers_find(struct answers *answers, struct psl_key key, double *answer) {
  for (unsigned probe = 0; answers && answers->places && probe < PROBES; probe++) {
    struct place *place = place_at(answers, key, probe);
    if (atomic_load_explicit(&place->state, memory_order_acquire) == EMPTY) return false;
    if (!is_whole(place) || !is_of(place, key)) continue;
    *answer = place->answer;
    return true;
  }
  return false;
}

static double keep(struct answers *answers, struct psl_key key, double answer, bool known) {
  for (unsigned probe = 0; answers && answers->places && probe < PROBES; probe++) {
    struct place *place = place_at(answers, key, probe);
    unsigned empty = EMPTY;
    if (atomic_compare_exchange_strong(&place->state, &empty, TAKEN)) {
      place->key = key;
      place->answer = answer;
      place->handed_out = known;
      atomic_store_explicit(&place->state, WHOLE, memory_order_release);
      atomic_fetch_add(answers->count, !known);
      return answer;
    }
    if (is_whole(place) && is_of(place, key)) return place->answer;
  }
  return answer;
}

double answers_keep(struct answers *answers, struct psl_key key, double answer) {
  return keep(answers, key, answer, false);
}

void answers_known(struct answers *answers, struct psl_key key, double answer) { keep(answers, key, answer, true); }

void answers_new(struct answers *answers, void (*take)(void *user, struct psl_key key, double answer), void *user) {
  if (!answers->places || atomic_load(answers->count) == answers->handed_out) return;
  for (unsigned k = 0; k < PLACES; k++) {
    struct place *place = &answers->places[k];
    if (atomic_load_explicit(&place->state, memory_order_acquire) != WHOLE || place->handed_out) continue;
    place->handed_out = true;
    answers->handed_out++;
    take(user, place->key, place->answer);
  }
}
