/* Automata of protocols: as texts, compared with each other, and what they say is due. */
#include "evaluators/sequence.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- as a text ---- */

struct writer {
  char *out;
  size_t size, at;
};

static void put(struct writer *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(struct writer *w, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  bool room = w->out && w->at < w->size;
  int length = vsnprintf(room ? w->out + w->at : NULL, room ? w->size - w->at : 0, format, arguments);
  va_end(arguments);
  w->at += (size_t)length;
}

/* Its name, how many steps and states it has, a line for each step, and one for each state. */
size_t sequence_write(const struct sequence *s, char *out, size_t size) {
  struct writer w = {.out = out, .size = size};
  put(&w, "%s\n%u %u\n", s->name, s->step_count, s->state_count);
  for (uint32_t k = 0; k < s->step_count; k++)
    put(&w, "%c%s\n%s\n", s->steps[k].back ? '<' : '>', s->steps[k].name, s->steps[k].types);
  for (uint32_t state = 0; state < s->state_count; state++) {
    put(&w, "%d", s->final[state]);
    for (uint32_t k = 0; k < s->step_count; k++)
      put(&w, " %u", (unsigned)sequence_next(s, state, k));
    put(&w, "\n");
  }
  return w.at;
}

struct reader {
  const char *at;
  sequence_allocate *allocate;
  void *user;
};

static char *read_line(struct reader *r) {
  size_t length = strcspn(r->at, "\n");
  char *line = r->allocate(r->user, length + 1);
  memcpy(line, r->at, length);
  r->at += length + (r->at[length] == '\n');
  return line;
}

static uint32_t read_number(struct reader *r) {
  char *end;
  unsigned long number = strtoul(r->at, &end, 10);
  r->at = *end == ' ' || *end == '\n' ? end + 1 : end;
  return (uint32_t)number;
}

struct sequence *sequence_read(const char *text, sequence_allocate *allocate, void *user) {
  struct reader r = {text, allocate, user};
  struct sequence *s = allocate(user, sizeof *s);
  s->name = read_line(&r);
  s->step_count = read_number(&r);
  s->state_count = read_number(&r);
  s->steps = allocate(user, s->step_count * sizeof *s->steps);
  for (uint32_t k = 0; k < s->step_count; k++) {
    s->steps[k].back = *r.at++ == '<';
    s->steps[k].name = read_line(&r);
    s->steps[k].types = read_line(&r);
  }
  s->next = allocate(user, (size_t)s->state_count * s->step_count * sizeof *s->next);
  s->final = allocate(user, s->state_count * sizeof *s->final);
  for (uint32_t state = 0; state < s->state_count; state++) {
    s->final[state] = read_number(&r) != 0;
    for (uint32_t k = 0; k < s->step_count; k++)
      s->next[(size_t)state * s->step_count + k] = (uint16_t)read_number(&r);
  }
  return s;
}

/* ---- compared ---- */

struct pairing {
  const struct sequence *of[2]; /* the request's, the accept's */
  sequence_become *become;
  void *user;
  uint16_t *to[2];
};

enum means { BY_NAME, BY_TYPES, BY_COERCION };

static bool pair_stands(const struct pairing *p, enum means means, uint32_t request, uint32_t accept) {
  const struct sequence_step *a = &p->of[0]->steps[request], *b = &p->of[1]->steps[accept];
  if (a->back != b->back) return false;
  bool alike = !strcmp(a->types, b->types);
  if (means == BY_TYPES) return alike;
  if (means == BY_NAME && strcmp(a->name, b->name)) return false;
  return alike || (p->become && p->become(p->user, request, accept));
}

static bool pair_has_name(const struct sequence *s, const struct sequence_step *like) {
  for (uint32_t k = 1; k < s->step_count; k++)
    if (s->steps[k].back == like->back && !strcmp(s->steps[k].name, like->name)) return true;
  return false;
}

/* The only step of the other side that is left for one; SEQUENCE_NONE: there is none, or there are several. By other
 * means than the name none stands for it that the other side knows by another name. */
static uint16_t pair_only(const struct pairing *p, enum means means, int side, uint32_t step) {
  const struct sequence *other = p->of[!side];
  uint16_t found = SEQUENCE_NONE;
  if (means != BY_NAME && pair_has_name(other, &p->of[side]->steps[step])) return found;
  for (uint32_t k = 1; k < other->step_count; k++) {
    if (p->to[!side][k] != SEQUENCE_NONE || !pair_stands(p, means, side ? k : step, side ? step : k)) continue;
    if (means != BY_NAME && pair_has_name(p->of[side], &other->steps[k])) continue;
    if (found != SEQUENCE_NONE) return SEQUENCE_NONE;
    found = (uint16_t)k;
  }
  return found;
}

static void pair_by(struct pairing *p, enum means means) {
  uint16_t found[2][SEQUENCE_STEPS];
  for (int side = 0; side < 2; side++)
    for (uint32_t k = 1; k < p->of[side]->step_count; k++)
      found[side][k] = p->to[side][k] == SEQUENCE_NONE ? pair_only(p, means, side, k) : SEQUENCE_NONE;
  for (uint32_t k = 1; k < p->of[0]->step_count; k++) {
    uint16_t other = found[0][k];
    if (other == SEQUENCE_NONE || found[1][other] != k) continue;
    p->to[0][k] = other;
    p->to[1][other] = (uint16_t)k;
  }
}

void sequence_pair(const struct sequence *request, const struct sequence *accept, sequence_become *become, void *user,
                   uint16_t *there, uint16_t *back) {
  struct pairing p = {{request, accept}, become, user, {there, back}};
  for (int side = 0; side < 2; side++)
    for (uint32_t k = 0; k < p.of[side]->step_count; k++)
      p.to[side][k] = k ? SEQUENCE_NONE : 0;
  pair_by(&p, BY_NAME);
  pair_by(&p, BY_TYPES);
  if (become) pair_by(&p, BY_COERCION);
}

static bool goes_on(const struct sequence *s, uint32_t state, bool back) {
  for (uint32_t k = 0; k < s->step_count; k++)
    if (s->steps[k].back == back && sequence_next(s, state, k) != SEQUENCE_NONE) return true;
  return false;
}

void sequence_due(const struct sequence *s, uint32_t state, char *out, size_t size) {
  uint32_t count = s->final[state], said = 0;
  struct writer w = {.out = out, .size = size};
  if (size) *out = 0;
  for (uint32_t k = 0; k < s->step_count; k++)
    count += sequence_next(s, state, k) != SEQUENCE_NONE;
  for (uint32_t k = 0; k < s->step_count; k++) {
    if (sequence_next(s, state, k) == SEQUENCE_NONE) continue;
    put(&w, "%s'%s'", !said ? "" : said + 1 == count ? " or " : ", ", s->steps[k].name);
    said++;
  }
  if (s->final[state]) put(&w, "%s", said ? " or the end" : "the end");
}

struct comparison {
  const struct sequence *request, *accept;
  const uint16_t *there, *back; /* from steps of the request to those of the accept, and back */
  bool *seen;                   /* by state of the request and of the accept */
  uint32_t *found;              /* pairs of states, and the step of the request or the accept that has led there */
  const char **by;
  uint32_t count;
  char *why;
  size_t size;
};

static void reach(struct comparison *c, uint32_t request, uint32_t accept, const char *by) {
  uint32_t pair = request * c->accept->state_count + accept;
  if (c->seen[pair]) return;
  c->seen[pair] = true;
  c->by[c->count] = by;
  c->found[c->count++] = pair;
}

/* Of the one that sends, each step in the state; false: the other one does not take it. */
static bool compare_steps(struct comparison *c, uint32_t request, uint32_t accept, bool back, const char *behind) {
  const struct sequence *sends = back ? c->accept : c->request, *takes = back ? c->request : c->accept;
  const uint16_t *to = back ? c->back : c->there;
  uint32_t from = back ? accept : request, at = back ? request : accept;
  for (uint32_t k = 0; k < sends->step_count; k++) {
    uint16_t next = sequence_next(sends, from, k);
    if (sends->steps[k].back != back || next == SEQUENCE_NONE) continue;
    uint16_t taken = to[k] == SEQUENCE_NONE ? SEQUENCE_NONE : sequence_next(takes, at, to[k]);
    if (taken == SEQUENCE_NONE) {
      char due[200];
      sequence_due(takes, at, due, sizeof due);
      snprintf(c->why, c->size, "behind '%s' the %s may send '%s', and the %s takes %s", behind,
               back ? "accept" : "request", sends->steps[k].name, back ? "request" : "accept", due);
      return false;
    }
    reach(c, back ? taken : next, back ? next : taken, sends->steps[k].name);
  }
  return true;
}

/* May one end where the other one waits for it to go on? */
static bool compare_end(struct comparison *c, uint32_t request, uint32_t accept, bool back, const char *behind) {
  const struct sequence *ends = back ? c->accept : c->request, *waits = back ? c->request : c->accept;
  uint32_t end = back ? accept : request, wait = back ? request : accept;
  if (!ends->final[end] || waits->final[wait] || goes_on(waits, wait, !back)) return true;
  char due[200];
  sequence_due(waits, wait, due, sizeof due);
  snprintf(c->why, c->size, "behind '%s' the %s may end, and the %s waits for %s", behind, back ? "accept" : "request",
           back ? "request" : "accept", due);
  return false;
}

bool sequence_fits(const struct sequence *request, const struct sequence *accept, const uint16_t *there,
                   const uint16_t *back, sequence_allocate *allocate, void *user, char *why, size_t size) {
  uint32_t pairs = request->state_count * accept->state_count;
  struct comparison c = {.request = request, .accept = accept, .there = there, .back = back, .why = why, .size = size};
  c.seen = allocate(user, pairs * sizeof *c.seen);
  c.found = allocate(user, pairs * sizeof *c.found);
  c.by = allocate(user, pairs * sizeof *c.by);
  reach(&c, sequence_next(request, 0, 0), sequence_next(accept, 0, 0), request->steps[0].name);
  for (uint32_t k = 0; k < c.count; k++) {
    uint32_t a = c.found[k] / accept->state_count, b = c.found[k] % accept->state_count;
    if (!compare_steps(&c, a, b, false, c.by[k]) || !compare_steps(&c, a, b, true, c.by[k]) ||
        !compare_end(&c, a, b, false, c.by[k]) || !compare_end(&c, a, b, true, c.by[k]))
      return false;
  }
  return true;
}
