/* A file of PSL of which a model takes some components alone: the others, its systems and its studies become blanks, so
 * that what is said of the rest names its own lines. Called by completed_model.c and browse.c. */
#include "interp/repository/repository_model.h"

#include <ctype.h>
#include <string.h>

struct slice {
  const struct slice_file *file;
  struct arena *arena;
  struct names names;
  struct sources sources;
  const struct source *source;
  struct decl **decls;
  uint32_t count, capacity;
  bool *kept;
};

static bool is_name(char c) { return isalnum((unsigned char)c) || c == '_' || c == '-'; }

/* The name stands there, and a point or a bracket behind it, or `like` before it. */
static bool is_meant(const char *text, const char *at, const char *end, size_t length) {
  const char *behind = at + length, *before = at;
  while (behind < end && isspace((unsigned char)*behind))
    behind++;
  while (before > text && isspace((unsigned char)before[-1]))
    before--;
  bool like = before - text >= 4 && !strncmp(before - 4, "like", 4);
  return like || (behind < end && strchr(".[(", *behind));
}

static bool mentions(const struct slice *s, const struct decl *decl, const char *name) {
  const char *text = s->source->text, *begin = text + (decl->span.begin - s->source->base),
             *end = text + (decl->span.end - s->source->base);
  size_t length = strlen(name);
  for (const char *at = begin; at + length <= end; at++)
    if (!strncmp(at, name, length) && (at == text || !is_name(at[-1])) && !is_name(at[length]) &&
        is_meant(text, at, end, length))
      return true;
  return false;
}

static const char *decl_name(const struct slice *s, const struct decl *decl) {
  return decl->kind == DECL_COMPONENT && decl->component.unnamed ? s->source->name
         : decl->name.name                                       ? decl->name.name->text
                                                                 : "";
}

static bool is_wanted(const struct slice *s, const struct decl *decl) {
  if (decl->kind == DECL_SYSTEM || decl->kind == DECL_STUDY) return false;
  if (decl->kind != DECL_COMPONENT) return true;
  for (uint32_t k = 0; k < s->file->count; k++)
    if (!strcmp(s->file->names[k], decl_name(s, decl))) return true;
  return false;
}

/* What the kept ones name is kept, till nothing more is. */
static void keep_named(struct slice *s) {
  bool more = true;
  while (more) {
    more = false;
    for (uint32_t k = 0; k < s->count; k++) {
      if (s->kept[k] || s->decls[k]->kind != DECL_COMPONENT) continue;
      for (uint32_t of = 0; of < s->count && !s->kept[k]; of++)
        s->kept[k] = s->kept[of] && mentions(s, s->decls[of], decl_name(s, s->decls[k]));
      more |= s->kept[k];
    }
  }
}

/* The texts of two declarations, but for blanks. */
static bool same_text(const char *a, const char *a_end, const char *b, const char *b_end) {
  for (;;) {
    while (a < a_end && isspace((unsigned char)*a))
      a++;
    while (b < b_end && isspace((unsigned char)*b))
      b++;
    if (a == a_end || b == b_end) return a == a_end && b == b_end;
    if (*a++ != *b++) return false;
  }
}

static const char *shared_name(const struct decl *decl) {
  return decl->kind == DECL_TRANSACTION ? decl->transaction.name.name->text : decl->name.name->text;
}

/* Has a file of the model the same declaration of a transaction, a protocol or a unit? */
static bool is_declared(const struct slice *s, const struct decl *decl, const struct model *model) {
  bool shared = decl->kind == DECL_TRANSACTION || decl->kind == DECL_PROTOCOL || decl->kind == DECL_UNIT;
  const char *text = s->source->text - s->source->base;
  for (uint32_t f = 0; shared && model && f < model->file_count; f++) {
    const struct source *source = model->files[f]->source;
    for (const struct decl *other = model->files[f]->decls; other; other = other->next)
      if (other->kind == decl->kind && !strcmp(shared_name(other), shared_name(decl)))
        return same_text(text + decl->span.begin, text + decl->span.end,
                         source->text + (other->span.begin - source->base),
                         source->text + (other->span.end - source->base));
  }
  return false;
}

/* With the comments before it. */
static void blank(char *text, const struct slice *s, uint32_t k) {
  uint32_t begin = k ? s->decls[k - 1]->span.end - s->source->base : 0, end = s->decls[k]->span.end - s->source->base;
  for (uint32_t at = begin; at < end; at++)
    if (text[at] != '\n') text[at] = ' ';
}

const char *slice_text(struct arena *arena, const struct slice_file *file, const struct model *leave,
                       struct diagnostics *diagnostics) {
  struct slice s = {.file = file, .arena = arena, .sources = {.arena = arena, .end = 1}};
  names_open(&s.names, arena);
  s.source = source_add(&s.sources, file->path, file->text, file->size);
  const struct file *parsed = s.source ? parse_file(arena, &s.names, diagnostics, s.source) : NULL;
  if (!parsed || parsed->broken) return NULL;
  for (struct decl *decl = parsed->decls; decl; decl = decl->next)
    ARENA_PUSH(arena, s.decls, s.count, s.capacity, decl);
  s.kept = ARENA_ARRAY(arena, bool, s.count);
  for (uint32_t k = 0; k < s.count; k++)
    s.kept[k] = is_wanted(&s, s.decls[k]);
  keep_named(&s);
  for (uint32_t k = 0; k < s.count; k++)
    s.kept[k] &= !is_declared(&s, s.decls[k], leave);
  char *text = arena_copy(arena, file->text, file->size);
  for (uint32_t k = 0; k < s.count; k++)
    if (!s.kept[k]) blank(text, &s, k);
  return text;
}
