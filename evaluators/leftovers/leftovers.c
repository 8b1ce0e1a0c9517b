/* Which of the messages, receives and collective operations that no program of MPI leaves is told, and the text of it:
 * each kind is one warning, which names the first and says how many more there are. */
#include "evaluators/leftovers/leftovers.h"
#include <inttypes.h>
#include <stdio.h>

enum { TEXT = 240 };

static bool before(const struct left *a, const struct left *b, bool messages) {
  if (a->time != b->time) return a->time < b->time;
  if (messages && a->source != b->source) return a->source < b->source;
  if (a->number != b->number) return a->number < b->number;
  if (a->rank != b->rank) return a->rank < b->rank;
  if (a->source != b->source) return a->source < b->source;
  if (a->tag != b->tag) return a->tag < b->tag;
  return a->communicator != b->communicator ? a->communicator < b->communicator : a->size < b->size;
}

void leftovers_note(struct leftovers *all, enum left_kind kind, const struct left *new) {
  if (all->count[kind]++ == 0 || before(new, &all->first[kind], kind == LEFT_MESSAGE)) all->first[kind] = *new;
}

void left_explain_channel(bool collective, int64_t communicator, int32_t tag, char out[80]) {
  int length = collective  ? snprintf(out, 80, " of a collective operation")
               : tag == -1 ? snprintf(out, 80, ", any tag")
                           : snprintf(out, 80, ", tag %d", tag);
  if (communicator) snprintf(out + length, 80 - (size_t)length, ", communicator %" PRId64, communicator);
}

/* "; and 3 more" */
static const char *others(uint64_t count, char out[40]) {
  *out = '\0';
  if (count > 1) snprintf(out, 40, "; and %" PRIu64 " more", count - 1);
  return out;
}

static void message_tell(struct psl_host *host, const struct left *m, const char *which, const char *more) {
  char text[TEXT];
  snprintf(text, sizeof text, "rank %d sends rank %u a message of %.0f bytes%s, which is never received%s", m->source,
           m->rank, m->size, which, more);
  host->warn(host, text);
}

static void receive_tell(struct psl_host *host, const struct left *r, const char *which, const char *more) {
  char text[TEXT], source[24] = "any rank";
  if (r->source != -1) snprintf(source, sizeof source, "rank %d", r->source);
  snprintf(text, sizeof text, "rank %u posts a receive of a message from %s%s, and never waits for it%s", r->rank,
           source, which, more);
  host->warn(host, text);
}

static void truncated_tell(struct psl_host *host, const struct left *t, const char *which, const char *more) {
  char text[TEXT];
  snprintf(text, sizeof text,
           "rank %u receives a message of %.0f bytes from rank %d%s, which is longer than the %.0f bytes of the "
           "receive%s",
           t->rank, t->size, t->source, which, t->room, more);
  host->warn(host, text);
}

void leftovers_tell(struct psl_host *host, const struct leftovers *all) {
  static void (*const tell[LEFT_KINDS])(struct psl_host *, const struct left *, const char *,
                                        const char *) = {message_tell, receive_tell, truncated_tell};
  for (int kind = 0; kind < LEFT_KINDS; kind++) {
    const struct left *first = &all->first[kind];
    char which[80], more[40];
    if (!all->count[kind]) continue;
    left_explain_channel(first->collective, first->communicator, first->tag, which);
    tell[kind](host, first, which, others(all->count[kind], more));
  }
}

/* "collective operation 3 of communicator 2" */
static void explain_operation(uint64_t number, int64_t communicator, char out[100]) {
  if (communicator)
    snprintf(out, 100, "collective operation %" PRIu64 " of communicator %" PRId64, number, communicator);
  else
    snprintf(out, 100, "collective operation %" PRIu64, number);
}

void leftovers_tell_sizes(struct psl_host *host, uint64_t number, int64_t communicator, const char *name,
                          struct giver one, struct giver other) {
  char text[TEXT], which[100];
  explain_operation(number, communicator, which);
  snprintf(text, sizeof text, "%s is %.40s of %.0f bytes in rank %u, and of %.0f bytes in rank %u", which, name,
           one.bytes, one.rank, other.bytes, other.rank);
  host->warn(host, text);
}

void leftovers_tell_left_out(struct psl_host *host, uint64_t number, int64_t communicator, const char *name,
                             uint32_t lacks, uint32_t has) {
  char text[TEXT], which[100];
  explain_operation(number, communicator, which);
  snprintf(text, sizeof text, "rank %u never calls %s, which is %.40s in rank %u", lacks, which, name, has);
  host->warn(host, text);
}
