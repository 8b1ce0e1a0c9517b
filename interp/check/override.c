/* Declarations that a later text of a session replaces.  Done right after parsing: what is replaced is no part of
 * the model, so that whoever named it now names what came in its place. */
#include "interp/check/checker.h"

#include <string.h>

struct place_of_name {
  enum space space; /* SPACES: it has no name to be replaced by */
  const struct name *name;
};

static struct place_of_name place_of(const struct decl *decl) {
  switch (decl->kind) {
  case DECL_PARAM:
  case DECL_LET: return (struct place_of_name){SPACE_VALUE, decl->name.name};
  case DECL_FUNCTION: return (struct place_of_name){SPACE_VALUE, decl->function.signature.name.name};
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

/* The last text that declares each name; within one text a name declared twice stays an error. */
void override_declarations(struct model *m) {
  if (m->own_count < 2) return;
  size_t names = m->names->count + 1;
  uint32_t *last = ARENA_ARRAY(m->arena, uint32_t, names *SPACES);
  for (uint32_t i = 0; i < m->own_count; i++)
    for (const struct decl *decl = m->files[i]->decls; decl; decl = decl->next) {
      struct place_of_name place = place_of(decl);
      if (place.name) last[place.name->id * SPACES + place.space] = i;
    }
  for (uint32_t i = 0; i < m->own_count; i++)
    for (struct decl **link = &m->files[i]->decls; *link;) {
      struct place_of_name place = place_of(*link);
      bool replaced = place.name && last[place.name->id * SPACES + place.space] != i;
      struct decl *decl = *link;
      if (!replaced) {
        link = &decl->next;
        continue;
      }
      *link = decl->next;
      decl->next = m->files[i]->replaced;
      m->files[i]->replaced = decl;
    }
}
