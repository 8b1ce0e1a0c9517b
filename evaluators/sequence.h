/* The sequences of elementary interactions that a protocol allows, as an automaton: what the check makes of a
 * declaration, the matching compares, and a run holds both sides of a conversation to. Each interaction goes from who
 * requests to who accepts, or back. */
#ifndef PSL_SEQUENCE_H
#define PSL_SEQUENCE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  SEQUENCE_STEPS = 64, /* interactions that a protocol is written with, at most */
  SEQUENCE_STATES = 1000,
  SEQUENCE_NONE = UINT16_MAX
};

struct sequence {
  const char *name;
  struct sequence_step { /* an interaction: one for each direction and transaction */
    const char *name;    /* of its transaction */
    const char *types;   /* of its parameters, by place */
    bool back;           /* from who accepts to who requests */
  } * steps;             /* the first one begins each sequence */
  uint32_t step_count, state_count;
  uint16_t
      *next;   /* by state and step: the state behind it; SEQUENCE_NONE: it cannot come there. State 0: the beginning */
  bool *final; /* by state: the sequence may end there */
};

typedef void *sequence_allocate(void *user, size_t size); /* zeroed; never NULL */

static inline uint16_t sequence_next(const struct sequence *s, uint32_t state, uint32_t step) {
  return s->next[(size_t)state * s->step_count + step];
}

/* The sequence as a text, and back; `out` NULL: how long it is. A text that sequence_write has not made is not read. */
size_t sequence_write(const struct sequence *s, char *out, size_t size);
struct sequence *sequence_read(const char *text, sequence_allocate *allocate, void *user);

/* Can coercions make what the one step carries of what the other one does, in the direction that both go? */
typedef bool sequence_become(void *user, uint32_t request, uint32_t accept);

/* For each step of the request's sequence the one of the accept's that stands for it, `there`, and `back`, for each of
 * the accept's; SEQUENCE_NONE where none does. The first stands for the first; else, of the same direction, the one of
 * the same name, if its types are the same or become so; of those that are left the only one with the same types, and
 * of what is still left the only one whose types become so. `become` NULL: none do. */
void sequence_pair(const struct sequence *request, const struct sequence *accept, sequence_become *become, void *user,
                   uint16_t *there, uint16_t *back);

/* Does all that `request` may send belong to what `accept` takes, all that `accept` may answer to what `request`
 * expects, and does each end only where the other one does not wait for it? `there`, `back`: by sequence_pair. If not,
 * `why` says at which step. */
bool sequence_fits(const struct sequence *request, const struct sequence *accept, const uint16_t *there,
                   const uint16_t *back, sequence_allocate *allocate, void *user, char *why, size_t size);

/* "'ready', 'refused' or the end": what may come behind that state. */
void sequence_due(const struct sequence *s, uint32_t state, char *out, size_t size);
#endif
