/* Declarations that a later line of a session replaces.  Done right after parsing: what is replaced is no part of
 * the model, so that whoever named it now names what came in its place. */
#include "interp/check/checker.h"
#include "interp/check/load.h"

#include <string.h>

struct place_of_name {
  enum space space; /* SPACES: it has no name to be replaced by */
  const struct name *name;
};

/* Of the names that a declaration gives, that of this place; behind a fit's own come those of its terms. */
static struct place_of_name place_of(const struct decl *decl, uint32_t place) {
  switch (decl->kind) {
  case DECL_PARAM:
  case DECL_LET: return (struct place_of_name){SPACE_VALUE, decl->name.name};
  case DECL_FIT:
    if (place) return (struct place_of_name){SPACE_VALUE, decl->function.fit->terms[place - 1].name.name};
    return (struct place_of_name){SPACE_VALUE, decl->function.signature.name.name};
  case DECL_FUNCTION: return (struct place_of_name){SPACE_VALUE, decl->function.signature.name.name};
  case DECL_EXTERN: return (struct place_of_name){SPACE_VALUE, decl->foreign.functions[place].name.name};
  case DECL_UNIT: return (struct place_of_name){SPACE_UNIT, decl->name.name};
  case DECL_DOMAIN: return (struct place_of_name){SPACE_DOMAIN, decl->name.name->folded};
  case DECL_TRANSACTION: return (struct place_of_name){SPACE_TRANSACTION, decl->transaction.name.name};
  case DECL_PROTOCOL: return (struct place_of_name){SPACE_PROTOCOL, decl->name.name->folded};
  case DECL_COMPONENT:
  case DECL_SYSTEM: return (struct place_of_name){SPACE_COMPONENT, decl->name.name};
  case DECL_STUDY: return (struct place_of_name){SPACE_STUDY, decl->name.name};
  case DECL_USE:
  case DECL_VAR:
  case DECL_COERCION:
  case DECL_ASSERT:
  case DECL_KINDS: break;
  }
  return (struct place_of_name){SPACES, NULL};
}

static uint32_t places(const struct decl *decl) {
  if (decl->kind == DECL_FIT) return 1 + decl->function.fit->term_count;
  return decl->kind == DECL_EXTERN ? decl->foreign.count : 1;
}

static bool on_one_line(const struct file *file, const struct decl *a, const struct decl *b) {
  const char *text = file->source->text + (a->span.begin - file->source->base);
  return !memchr(text, '\n', b->span.begin - a->span.begin);
}

struct last { /* declaration of a name */
  uint32_t file;
  struct decl *decl;
};

/* A fit is replaced by what has its own name, functions of C by what has the names of them all. A name of theirs that
 * is declared besides is declared twice. */
static bool is_replaced(const struct model *m, const struct last *last, uint32_t i, const struct decl *decl) {
  uint32_t count = decl->kind == DECL_EXTERN ? decl->foreign.count : 1;
  for (uint32_t p = 0; p < count; p++) {
    struct place_of_name place = place_of(decl, p);
    if (!place.name) return false;
    struct last by = last[place.name->id * SPACES + place.space];
    if (by.file != i) continue;
    if (!m->loading->files[i]->script || by.decl == decl || on_one_line(m->files[i], decl, by.decl)) return false;
  }
  return count > 0;
}

/* A component that is declared anew stays where it was first: its instances keep their numbers, which decide between
 * targets that are equal, and the report its rows. */
static void stand_in_place(struct decl *replaced, struct decl *by) {
  bool components = (replaced->kind == DECL_COMPONENT || replaced->kind == DECL_SYSTEM) && by != replaced;
  if (!components || by->stands) return;
  by->stands = replaced;
  replaced->instead = by;
}

/* The last declaration of each name holds; within one file, or one line of a session, a name declared twice stays an
 * error. */
void override_declarations(struct model *m) {
  size_t names = m->names->count + 1;
  if (!m->loading->options.session) return;
  struct last *last = ARENA_ARRAY(m->arena, struct last, names * SPACES);
  for (uint32_t i = 0; i < m->own_count; i++)
    for (struct decl *decl = m->files[i]->decls; decl; decl = decl->next)
      for (uint32_t p = 0; p < places(decl); p++) {
        struct place_of_name place = place_of(decl, p);
        if (place.name) last[place.name->id * SPACES + place.space] = (struct last){i, decl};
      }
  for (uint32_t i = 0; i < m->own_count; i++) {
    struct file *file = m->files[i];
    struct decl **replaced = &file->replaced;
    for (struct decl **link = &file->decls; *link;) {
      struct decl *decl = *link;
      if (!is_replaced(m, last, i, decl)) {
        link = &decl->next;
        continue;
      }
      struct place_of_name place = place_of(decl, 0);
      stand_in_place(decl, last[place.name->id * SPACES + place.space].decl);
      *link = decl->next;
      decl->next = NULL;
      *replaced = decl;
      replaced = &decl->next;
    }
  }
}
