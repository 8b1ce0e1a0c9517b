/* Lists of collective operations from what each member gives and gets. What is gathered in parts comes from each member
 * as it gives it, what is scattered goes to each as it gets it. Of all-to-all in parts the sums alone are known: member
 * i sends to j the part of its bytes that j gets of all, which both can tell. */
#include "evaluators/programs/shares.h"
#include "evaluators/programs/lists.h"

#include <math.h>

bool shares_are_of(enum program_kind kind) {
  return program_kinds[kind].fields & (FIELD_SENT_PARTS | FIELD_RECEIVED_PARTS);
}

bool shares_note(struct shares *s, uint32_t members, uint64_t place, uint32_t member, struct share share) {
  struct share *grown = table_grown(s->items, place * members + member, &s->capacity, sizeof *grown);
  if (!grown) return false;
  s->items = grown;
  s->items[place * members + member] = share;
  return true;
}

/* Whole bytes, and none only where one of both has none. */
static double pair(double gives, double gets, double all) { return ceil(gives * gets / all * (1 - 1e-12)); }

/* The root may say of itself that it gets nothing: it keeps what of its bytes goes to nobody else. */
static void root_keeps(double *out, const struct share *all, uint32_t members, uint32_t root) {
  double others = 0;
  for (uint32_t k = 0; k < members; k++)
    others += k == root ? 0 : out[k];
  out[root] = fmax(0, all[root].gives - others);
}

static bool follows(enum program_kind kind, const struct share *all, uint32_t members, uint32_t member, double *sum) {
  double given = 0, got = 0;
  for (uint32_t k = 0; k < members; k++)
    given += all[k].gives, got += all[k].gets;
  *sum = given;
  if (kind == PROGRAM_ALLTOALLV || kind == PROGRAM_ALLTOALLW) return given > 0 && given == got;
  return kind != PROGRAM_REDUCE_SCATTER || got == all[member].gives;
}

void shares_give(const struct shares *s, uint32_t members, uint64_t place, uint32_t member, uint32_t root,
                 struct program_operation *o, double *room) {
  const struct share *all = s->items + place * members;
  double sum, *out = room, *in = room + members;
  enum program_kind kind = program_plain(o->kind);
  if ((place + 1) * members > s->capacity || !follows(kind, all, members, member, &sum)) return;
  bool by_sums = kind == PROGRAM_ALLTOALLV || kind == PROGRAM_ALLTOALLW;
  for (uint32_t k = 0; k < members; k++) {
    out[k] = by_sums ? pair(all[member].gives, all[k].gets, sum) : all[k].gets;
    in[k] = by_sums                          ? pair(all[k].gives, all[member].gets, sum)
            : kind == PROGRAM_REDUCE_SCATTER ? all[k].gets
                                             : all[k].gives;
  }
  bool scatters = kind == PROGRAM_SCATTERV;
  if (scatters && root < members) root_keeps(out, all, members, root);
  o->part_count = members;
  if (by_sums || scatters) o->parts = out;
  if (!scatters) o->received_parts = in;
  if (scatters) o->received = out[member];
}

void shares_free(struct shares *s) {
  free(s->items);
  *s = (struct shares){0};
}
