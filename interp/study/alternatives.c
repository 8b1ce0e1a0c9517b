/* A setting that chooses one of several components that are made alike, as `machine` does, or one of each of several
 * families, as it does of processors and of the profiles of their memories: it is taken apart into the params and
 * attributes in which the two chosen ones differ. What has some of them is a component of its own, like the first, that
 * a model in between declares and chooses. Called by changes.c and difference.c. */
#include "interp/check/load.h"
#include "interp/evaluate/evaluate.h"
#include "interp/study/difference.h"

#include <string.h>

#define BETWEEN "in-between" /* what chooses the components that have parts of both */

static const struct model_component *first_of(const struct model_component *component) {
  while (component->like)
    component = component->like;
  return component;
}

static const struct pair *pair_of(const struct model_component *component, const struct name *folded) {
  const struct accept *accept = component->accept_count ? component->accepts[0]->syntax : NULL;
  for (uint32_t i = 0; accept && i < accept->pair_count; i++)
    if (accept->pairs[i].attribute.name->folded == folded) return &accept->pairs[i];
  return NULL;
}

/* The word that the param has for its value there; NULL: it is no word. */
static const char *word_of(const struct psl *side, const char *name) {
  for (uint32_t i = 0; i < side->model.param_count; i++) {
    const struct symbol *param = side->model.params[i];
    const struct expr *value = value_expr(param);
    if (!strcmp(param->name->text, name)) return value->kind == EXPR_NAME ? value->name.name->folded->text : NULL;
  }
  return NULL;
}

static const struct symbol *param_named(const struct changes *c, const char *name) {
  const struct model *m = &c->sides[0]->model;
  for (uint32_t i = 0; i < m->param_count; i++)
    if (!strcmp(m->params[i]->name->text, name)) return m->params[i];
  return NULL;
}

static const char *expr_words(struct arena *arena, const struct expr *expr) {
  struct text text = {.arena = arena};
  expr_format(&text, expr);
  return text.data;
}

static const char *attribute_text(struct arena *arena, const struct name *name) {
  char *words = arena_copy(arena, name->text, name->length);
  for (char *at = words; *at; at++)
    if (*at == '-') *at = ' ';
  return words;
}

/* One in which they differ; `word` is what replaces it in a component made like another. */
static void add_part(struct changes *c, uint32_t pair, const char *kind, const char *word, const char *name,
                     const struct expr *first, const struct expr *second) {
  const char *texts[] = {expr_words(c->arena, first), expr_words(c->arena, second)};
  if (!strcmp(texts[0], texts[1])) return;
  struct change change = {
      .kind = kind,
      .name = arena_printf(c->arena, "%s of %s", name, c->choice.param),
      .text = {texts[0], texts[1]},
      .given = arena_printf(c->arena, "%s %s = %s;", word, name, texts[1]),
      .chosen = pair,
  };
  ARENA_PUSH(c->arena, c->items, c->count, c->capacity, change);
}

static void add_parts(struct changes *c, const struct symbol *param, uint32_t place) {
  struct model_component *const *sides = c->choice.pairs[place].sides;
  for (const struct decl *own = sides[0]->decl->component.locals; own; own = own->next)
    for (const struct decl *its = sides[1]->decl->component.locals; its; its = its->next)
      if (own->kind == DECL_PARAM && its->kind == DECL_PARAM && own->name.name == its->name.name)
        add_part(c, place, "param", "param", own->name.name->text, own->value.value, its->value.value);
  const struct accept *accept = sides[0]->accepts[0]->syntax;
  for (uint32_t i = 0; i < accept->pair_count; i++) {
    const struct name *name = accept->pairs[i].attribute.name;
    const struct pair *its = pair_of(sides[1], name->folded);
    if (its && name->folded != param->name->folded)
      add_part(c, place, "attribute", "profile", attribute_text(c->arena, name), accept->pairs[i].value, its->value);
  }
}

/* Has the component the word for the attribute that is called as the param is? */
static bool is_chosen_by(const struct model_component *component, const struct symbol *param, const char *word) {
  const struct pair *pair = pair_of(component, param->name->folded);
  return pair && pair->value->kind == EXPR_NAME && !strcmp(pair->value->name.name->folded->text, word);
}

/* The components that the two words choose, each beside the one that is made alike; false: one has none, or several. */
static bool find_pairs(struct changes *c, const struct symbol *param, const char *const words[2]) {
  const struct model *m = &c->sides[0]->model;
  struct choice *choice = &c->choice;
  choice->pairs = ARENA_ARRAY(c->arena, struct chosen_pair, m->component_count);
  for (uint32_t k = 0; k < m->component_count; k++)
    for (int side = 0; side < 2; side++) {
      if (!is_chosen_by(m->components[k], param, words[side])) continue;
      uint32_t p = 0;
      while (p < choice->pair_count && choice->pairs[p].first != first_of(m->components[k]))
        p++;
      if (p == choice->pair_count) choice->pairs[choice->pair_count++].first = first_of(m->components[k]);
      if (choice->pairs[p].sides[side]) return false;
      choice->pairs[p].sides[side] = m->components[k];
    }
  for (uint32_t p = 0; p < choice->pair_count; p++)
    if (!choice->pairs[p].sides[0] || !choice->pairs[p].sides[1]) return false;
  return choice->pair_count > 0;
}

/* The change's params and attributes in its place; false: it is no such setting. */
static bool take_apart(struct changes *c, uint32_t at) {
  const struct change setting = c->items[at];
  const struct symbol *param = param_named(c, setting.name);
  const char *words[2] = {word_of(c->sides[0], setting.name), word_of(c->sides[1], setting.name)};
  uint32_t before = c->count;
  c->choice = (struct choice){.param = setting.name, .text = {setting.text[0], setting.text[1]}};
  if (!param || !words[0] || !words[1] || !find_pairs(c, param, words)) return false;
  c->choice.attribute = attribute_text(c->arena, param->name);
  for (uint32_t p = 0; p < c->choice.pair_count; p++)
    add_parts(c, param, p);
  if (c->count == before) return false;
  memmove(c->items + at, c->items + at + 1, (c->count - at - 1) * sizeof *c->items);
  c->count--;
  return true;
}

bool alternatives_find(struct changes *c) {
  c->whole = ARENA_ARRAY(c->arena, struct change, c->count);
  c->whole_count = c->count;
  if (c->count) memcpy(c->whole, c->items, c->count * sizeof *c->whole);
  for (uint32_t i = 0; i < c->whole_count && !c->file_count; i++)
    if (c->items[i].setting && take_apart(c, i)) return true;
  alternatives_drop(c);
  return false;
}

void alternatives_drop(struct changes *c) {
  if (c->whole_count) memcpy(c->items, c->whole, c->whole_count * sizeof *c->items);
  c->count = c->whole_count;
  c->choice = (struct choice){.param = NULL};
}

const char *alternatives_text(const struct changes *c, uint64_t mask, struct text_cache *out) {
  const struct source *source = c->sides[0]->model.files[0]->source;
  uint64_t all = 0;
  for (uint32_t i = 0; i < c->count; i++)
    all |= c->items[i].given ? UINT64_C(1) << i : 0;
  if (!c->choice.forced && (!(mask & all) || (mask & all) == all)) return c->choice.text[(mask & all) != 0];
  struct text text = {.arena = out->arena};
  text_put_n(&text, source->text, source->size);
  for (uint32_t p = 0; p < c->choice.pair_count; p++) {
    text_printf(&text, "\ncomponent %s%u like %s { profile %s = %s; ", BETWEEN, p,
                c->choice.pairs[p].sides[0]->symbol->name->text, c->choice.attribute, BETWEEN);
    for (uint32_t i = 0; i < c->count; i++)
      if (c->items[i].given && c->items[i].chosen == p && mask >> i & 1) text_put(&text, c->items[i].given);
    text_put(&text, "}\n");
  }
  struct cached_text item = {c->sides[0]->model.loading->files[0]->identity, text.data, text.size};
  ARENA_PUSH(out->arena, out->items, out->count, out->capacity, item);
  return BETWEEN;
}
