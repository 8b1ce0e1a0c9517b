/* Declarations that a later line of a session replaces.  Done right after parsing: what is replaced is no part of
 * the model, so that whoever named it now names what came in its place. */
#include "interp/check/checker.h"
#include "interp/check/load.h"

#include <string.h>

struct place_of_name {
  enum space space; /* SPACES: it has no name to be replaced by */
  const struct name *name;
};

static struct place_of_name place_of(const struct decl *decl) {
  switch (decl->kind) {
  case DECL_PARAM:
  case DECL_LET: return (struct place_of_name){SPACE_VALUE, decl->name.name};
  case DECL_FUNCTION:
  case DECL_FIT: return (struct place_of_name){SPACE_VALUE, decl->function.signature.name.name};
  case DECL_UNIT: return (struct place_of_name){SPACE_UNIT, decl->name.name};
  case DECL_DOMAIN: return (struct place_of_name){SPACE_DOMAIN, decl->name.name->folded};
  case DECL_TRANSACTION: return (struct place_of_name){SPACE_TRANSACTION, decl->transaction.name.name};
  case DECL_COMPONENT:
  case DECL_SYSTEM: return (struct place_of_name){SPACE_COMPONENT, decl->name.name};
  case DECL_STUDY: return (struct place_of_name){SPACE_STUDY, decl->name.name};
  case DECL_USE:
  case DECL_VAR:
  case DECL_COERCION:
  case DECL_EXTERN:
  case DECL_ASSERT:
  case DECL_KINDS: break;
  }
  return (struct place_of_name){SPACES, NULL};
}

static bool on_one_line(const struct file *file, const struct decl *a, const struct decl *b) {
  const char *text = file->source->text + (a->span.begin - file->source->base);
  return !memchr(text, '\n', b->span.begin - a->span.begin);
}

/* The last declaration of each name holds; within one file, or one line of a session, a name declared twice stays an
 * error. */
void override_declarations(struct model *m) {
  size_t names = m->names->count + 1;
  struct last {
    uint32_t file;
    const struct decl *decl;
  } * last;
  if (!m->loading->options.session) return;
  last = ARENA_ARRAY(m->arena, struct last, names * SPACES);
  for (uint32_t i = 0; i < m->own_count; i++)
    for (const struct decl *decl = m->files[i]->decls; decl; decl = decl->next) {
      struct place_of_name place = place_of(decl);
      if (place.name) last[place.name->id * SPACES + place.space] = (struct last){i, decl};
    }
  for (uint32_t i = 0; i < m->own_count; i++) {
    struct file *file = m->files[i];
    bool script = m->loading->files[i]->script;
    for (struct decl **link = &file->decls; *link;) {
      struct decl *decl = *link;
      struct place_of_name place = place_of(decl);
      struct last by = place.name ? last[place.name->id * SPACES + place.space] : (struct last){i, decl};
      bool replaced = by.file != i || (script && by.decl != decl && !on_one_line(file, decl, by.decl));
      if (!replaced) {
        link = &decl->next;
        continue;
      }
      *link = decl->next;
      decl->next = file->replaced;
      file->replaced = decl;
    }
  }
}
