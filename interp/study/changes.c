/* The changes between two models: settings, and declarations that are not alike; and the texts of the models
 * in between. A declaration is what stands between its beginning and the next one's; comments and blanks do
 * not count. Assertions and studies are no part of a result and are left out. Called by difference.c. */
#include "interp/check/load.h"
#include "interp/evaluate/evaluate.h"
#include "interp/study/difference.h"

#include <string.h>

enum { NOWHERE = UINT32_MAX };

/* ---- texts ---- */

/* Without comments; blanks are one blank or one line feed: what a number's unit is depends on it. */
static const char *bare(struct arena *arena, const char *text, size_t size) {
  struct text out = {.arena = arena};
  char blank = 0;
  for (size_t i = 0; i < size; i++) {
    char c = text[i];
    bool comment = c == '/' && i + 1 < size && text[i + 1] == '/';
    while (comment && i < size && text[i] != '\n')
      i++;
    if (comment || strchr(" \t\r\n", c)) {
      blank = comment || c == '\n' || blank == '\n' ? '\n' : ' ';
      continue;
    }
    if (blank && out.size) text_char(&out, blank);
    blank = 0;
    text_char(&out, c);
    if (c != '"') continue;
    while (++i < size) {
      text_char(&out, text[i]);
      if (text[i] == '"' && text[i - 1] != '\\') break;
    }
  }
  return out.data ? out.data : "";
}

/* Line feeds are blanks. */
static bool reads_alike(const char *a, const char *b) {
  for (; *a && *b; a++, b++)
    if (*a != *b && !(strchr(" \n", *a) && strchr(" \n", *b))) return false;
  return *a == *b;
}

static const char *decl_text(struct arena *arena, const struct file *file, const struct decl *decl) {
  const struct source *source = file->source;
  size_t begin = decl->span.begin - source->base,
         end = decl->next ? decl->next->span.begin - source->base : source->size;
  return bare(arena, source->text + begin, end - begin);
}

/* What a coercion makes of what: all before its cost, its value or its block. */
static const char *coercion_head(struct arena *arena, const char *given) {
  static const char *const ends[] = {" cost ", " lossy", " =", "=", "{"};
  size_t length = strlen(given);
  char *text = arena_copy(arena, given, length);
  for (char *c = text; *c; c++)
    if (*c == '\n') *c = ' ';
  for (size_t e = 0; e < sizeof ends / sizeof *ends; e++) {
    const char *at = strstr(text, ends[e]);
    if (at && (size_t)(at - text) < length) length = (size_t)(at - text);
  }
  while (length && text[length - 1] == ' ')
    length--;
  return arena_copy(arena, text, length);
}

static const char *const kinds[] = {
#define DECL(kind, text) text,
#include "grammar/ast.def"
};

static uint32_t systems_of(const struct file *file) {
  uint32_t count = 0;
  for (const struct decl *decl = file->decls; decl; decl = decl->next)
    count += decl->kind == DECL_SYSTEM;
  return count;
}

/* NULL: it does not count. */
static const char *decl_key(struct arena *arena, const struct file *file, const struct decl *decl, const char *text) {
  const char *kind = kinds[decl->kind], *name = decl->name.name ? decl->name.name->text : "";
  switch (decl->kind) {
  case DECL_STUDY:
  case DECL_ASSERT: return NULL;
  case DECL_COERCION: return coercion_head(arena, text);
  case DECL_EXTERN: return arena_printf(arena, "extern \"%s\"", decl->foreign.library);
  case DECL_USE:
    if (decl->use.database) return "use from database";
    return arena_printf(arena, "use %s", decl->use.path ? decl->use.path : name);
  case DECL_COMPONENT: return arena_printf(arena, "component %s", decl->component.unnamed ? "of the file" : name);
  case DECL_SYSTEM:
    if (systems_of(file) == 1) return "system"; /* by whatever name */
    break;
  case DECL_PARAM:
  case DECL_LET:
  case DECL_VAR:
  case DECL_FUNCTION:
  case DECL_FIT:
  case DECL_UNIT:
  case DECL_DOMAIN:
  case DECL_TRANSACTION:
  case DECL_PROTOCOL:
  case DECL_KINDS: break;
  }
  return arena_printf(arena, "%s %s", kind, name);
}

/* ---- files ---- */

/* What only the second side uses stands beside it, not beside the first. */
static const char *use_text(struct arena *arena, const struct psl *side, const struct decl *decl, const char *text) {
  const struct model_loading *loading = side->model.loading;
  const char *name = decl->use.path ? decl->use.path : decl->name.name->text;
  const char *slash = strrchr(name, '/');
  size_t length = strlen(slash ? slash + 1 : name);
  if (length > 4 && decl->use.path) length -= 4; /* .psl */
  for (uint32_t i = 0; i < loading->count; i++) {
    const char *known = loading->files[i]->file->source->name;
    if (strlen(known) == length && !strncmp(known, slash ? slash + 1 : name, length))
      return arena_printf(arena, "use \"%s\";", loading->files[i]->identity);
  }
  return text;
}

static void list_decls(struct changes *c, struct changed_file *file, int side) {
  struct arena *arena = c->arena;
  uint32_t count = 0;
  for (const struct decl *decl = file->file[side]->decls; decl; decl = decl->next)
    count++;
  file->decls[side] = ARENA_ARRAY(arena, const struct decl *, count);
  file->keys[side] = ARENA_ARRAY(arena, const char *, count);
  file->texts[side] = ARENA_ARRAY(arena, const char *, count);
  for (const struct decl *decl = file->file[side]->decls; decl; decl = decl->next) {
    uint32_t at = file->count[side]++, same = 1;
    const char *text = decl_text(arena, file->file[side], decl);
    const char *key = decl_key(arena, file->file[side], decl, text);
    for (uint32_t k = 0; key && k < at; k++)
      same += file->keys[side][k] && !strcmp(file->keys[side][k], key);
    if (same > 1) key = arena_printf(arena, "%s (%u)", key, same);
    file->decls[side][at] = decl;
    file->keys[side][at] = key;
    file->texts[side][at] = text;
  }
}

static uint32_t find_key(const struct changed_file *file, int side, const char *key) {
  for (uint32_t k = 0; k < file->count[side]; k++)
    if (file->keys[side][k] && !strcmp(file->keys[side][k], key)) return k;
  return NOWHERE;
}

/* A param's value, else the place of the declaration. */
static const char *shown_text(const struct changes *c, int side, const struct decl *decl) {
  struct text text = {.arena = c->arena};
  if (!decl) return NULL;
  struct place place = source_place(c->sides[side]->model.sources, decl->span.begin);
  if (decl->kind == DECL_PARAM && decl->value.value)
    expr_format(&text, decl->value.value);
  else
    text_printf(&text, "%s.psl:%u", place.source->name, place.line);
  return text.data;
}

static void add_decl(struct changes *c, uint32_t f, uint32_t first, uint32_t second) {
  const struct changed_file *file = &c->files[f];
  const struct decl *decls[] = {first == NOWHERE ? NULL : file->decls[0][first],
                                second == NOWHERE ? NULL : file->decls[1][second]};
  const char *key = first != NOWHERE ? file->keys[0][first] : file->keys[1][second];
  const char *blank = strchr(key, ' ');
  struct change change = {
      .kind = blank ? arena_copy(c->arena, key, (size_t)(blank - key)) : key,
      .name = blank ? blank + 1 : (decls[0] ? decls[0] : decls[1])->name.name->text,
      .text = {shown_text(c, 0, decls[0]), shown_text(c, 1, decls[1])},
      .file = f,
      .place = {first, second},
  };
  ARENA_PUSH(c->arena, c->items, c->count, c->capacity, change);
}

static void compare_files(struct changes *c, uint32_t f) {
  struct changed_file *file = &c->files[f];
  for (int side = 0; side < 2; side++)
    list_decls(c, file, side);
  for (uint32_t k = 0; k < file->count[0]; k++) {
    uint32_t other = file->keys[0][k] ? find_key(file, 1, file->keys[0][k]) : NOWHERE;
    if (file->keys[0][k] && (other == NOWHERE || !reads_alike(file->texts[0][k], file->texts[1][other])))
      add_decl(c, f, k, other);
  }
  for (uint32_t k = 0; k < file->count[1]; k++) {
    if (!file->keys[1][k] || find_key(file, 0, file->keys[1][k]) != NOWHERE) continue;
    if (file->decls[1][k]->kind == DECL_USE)
      file->texts[1][k] = use_text(c->arena, c->sides[1], file->decls[1][k], file->texts[1][k]);
    add_decl(c, f, NOWHERE, k);
  }
}

static const struct loaded_file *counterpart(const struct changes *c, uint32_t place) {
  const struct model_loading *first = c->sides[0]->model.loading, *second = c->sides[1]->model.loading;
  const struct loaded_file *own = first->files[place];
  if (place == 0) return second->files[0];
  for (uint32_t i = 0; i < second->count; i++)
    if (!strcmp(second->files[i]->identity, own->identity)) return second->files[i];
  for (uint32_t i = 1; i < second->count; i++)
    if (!strcmp(second->files[i]->file->source->name, own->file->source->name)) return second->files[i];
  return NULL;
}

static void find_files(struct changes *c) {
  const struct model_loading *first = c->sides[0]->model.loading;
  for (uint32_t i = 0; i < first->count; i++) {
    const struct loaded_file *own = first->files[i], *other = counterpart(c, i);
    if (!other || !strcmp(own->identity, other->identity)) continue;
    struct changed_file file = {.identity = own->identity, .file = {own->file, other->file}};
    ARENA_PUSH(c->arena, c->files, c->file_count, c->file_capacity, file);
    compare_files(c, c->file_count - 1);
  }
}

/* ---- settings ---- */

static const struct symbol *param_of(const struct psl *side, const struct symbol *param) {
  for (uint32_t i = 0; i < side->model.param_count; i++) {
    const struct symbol *other = side->model.params[i];
    if (!strcmp(other->name->text, param->name->text) &&
        (!strcmp(other->file->name, param->file->name) || (model_owns(&side->model, other->file))))
      return other;
  }
  return NULL;
}

static const char *setting_text(struct arena *arena, const struct symbol *param) {
  struct text text = {.arena = arena};
  if (!param || !param->setting) return NULL;
  expr_format(&text, param->setting);
  return text.data;
}

static bool is_constant(const struct expr *expr) {
  switch (expr->kind) {
  case EXPR_UNARY: return is_constant(expr->unary.operand);
  case EXPR_BINARY: return is_constant(expr->binary.left) && is_constant(expr->binary.right);
  default: return expr_is_literal(expr);
  }
}

static const struct expr *declared(const struct symbol *param) { return param->decl->value.value; }

/* The value of a constant as one of the param's type. */
static bool value_of(struct changes *c, struct psl *side, const struct symbol *param, const struct expr *expr,
                     struct value *out) {
  struct value none;
  struct environment environment = {.model = &side->model, .scratch = c->arena, .locals = &none};
  return is_constant(expr) && evaluate_as(&environment, expr, param->type, out);
}

/* Is what the one side sets what the other one sets, or what the texts of both have anyway, written in another way? */
static bool sets_same(struct changes *c, int side, const struct symbol *param, const struct symbol *other) {
  struct value values[3];
  if (!other || !value_of(c, c->sides[side], param, param->setting, &values[0])) return false;
  if (other->setting)
    return value_of(c, c->sides[!side], other, other->setting, &values[1]) && value_same(values[0], values[1]);
  return value_of(c, c->sides[side], param, declared(param), &values[1]) &&
         value_of(c, c->sides[!side], other, declared(other), &values[2]) && value_same(values[0], values[1]) &&
         value_same(values[0], values[2]);
}

static void find_settings(struct changes *c) {
  for (int side = 0; side < 2; side++)
    for (uint32_t i = 0; i < c->sides[side]->model.param_count; i++) {
      const struct symbol *param = c->sides[side]->model.params[i], *other = param_of(c->sides[!side], param);
      const char *own = setting_text(c->arena, param), *its = setting_text(c->arena, other);
      if (!own || (side && its) || (its && !strcmp(own, its))) continue; /* those of both were found first */
      if (sets_same(c, side, param, other)) continue;
      struct change change = {
          .kind = "setting", .name = arena_copy(c->arena, param->name->text, param->name->length), .setting = true};
      change.text[side] = own;
      change.text[!side] = its;
      ARENA_PUSH(c->arena, c->items, c->count, c->capacity, change);
    }
}

void changes_find(struct changes *changes) {
  find_settings(changes);
  find_files(changes);
}

/* ---- in between ---- */

void changes_texts(const struct changes *c, uint64_t mask, struct text_cache *out) {
  for (uint32_t f = 0; f < c->file_count; f++) {
    const struct changed_file *file = &c->files[f];
    struct text text = {.arena = out->arena};
    uint32_t *place = ARENA_ARRAY(out->arena, uint32_t, file->count[0]);
    for (uint32_t k = 0; k < file->count[0]; k++)
      place[k] = file->keys[0][k] ? k : NOWHERE;
    bool *taken = ARENA_ARRAY(out->arena, bool, file->count[0]), *added = ARENA_ARRAY(out->arena, bool, file->count[1]);
    for (uint32_t i = 0; i < c->count; i++) {
      const struct change *change = &c->items[i];
      if (change->setting || change->file != f || !(mask >> i & 1)) continue;
      if (change->place[0] == NOWHERE)
        added[change->place[1]] = true;
      else {
        taken[change->place[0]] = true;
        place[change->place[0]] = change->place[1];
      }
    }
    for (uint32_t k = 0; k < file->count[0]; k++)
      if (place[k] != NOWHERE) text_printf(&text, "%s\n", file->texts[taken[k]][place[k]]);
    for (uint32_t k = 0; k < file->count[1]; k++)
      if (added[k]) text_printf(&text, "%s\n", file->texts[1][k]);
    struct cached_text item = {file->identity, text.data ? text.data : "", text.size};
    ARENA_PUSH(out->arena, out->items, out->count, out->capacity, item);
  }
}
