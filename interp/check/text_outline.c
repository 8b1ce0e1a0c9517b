/* What a text is made of: its declarations with what is in them, and the parts that an editor can fold away.  It reads
 * the syntax tree alone, which is there for the sound parts of a text with errors. */
#include "grammar/children.h"
#include "interp/check/editing.h"

#include <string.h>

/* ---- the outline ---- */

struct outline {
  struct arena *arena;
  struct outlined *items;
  uint32_t count, capacity;
};

/* The item, whose value may be added; NULL: it has no name, and is left out. */
static struct outlined *add(struct outline *o, unsigned depth, enum psl_name_kind kind, struct ident name,
                            struct span span, const char *detail) {
  struct outlined item = {
      .name = name.name ? name.name->text : "", .detail = detail, .kind = kind, .span = span, .depth = depth};
  item.name_span = name.name && name.span.begin >= span.begin && name.span.end <= span.end ? name.span : span;
  if (!*item.name) return NULL;
  ARENA_PUSH(o->arena, o->items, o->count, o->capacity, item);
  return &o->items[o->count - 1];
}

/* The parentheses of what stands first or last in an expression are outside of its span. */
struct span span_closed(const struct source *source, struct span span) {
  const char *text = source->text;
  uint32_t at = span.begin - source->base, end = span.end - source->base, before = 0, open = 0;
  if (span.begin < source->base || span.end < span.begin || end > source->size) return span;
  for (bool quoted = false; at < end; at++) {
    if (text[at] == '"' && !(quoted && text[at - 1] == '\\')) quoted = !quoted;
    if (quoted) continue;
    if (text[at] == '(') open++;
    if (text[at] == ')' && !open)
      before++;
    else if (text[at] == ')')
      open--;
  }
  for (; open; open--) {
    while (end < source->size && strchr(" \t\r\n", text[end]))
      end++;
    if (end >= source->size || text[end] != ')') break;
    span.end = source->base + ++end;
  }
  for (at = span.begin - source->base; before; before--) {
    while (at && strchr(" \t\r\n", text[at - 1]))
      at--;
    if (!at || text[at - 1] != '(') break;
    span.begin = source->base + --at;
  }
  return span;
}

/* NULL: it stands in another file. */
static const char *text_at_span(struct outline *o, const struct file *file, struct span span) {
  const struct source *source = file->source;
  if (span.begin < source->base || span.end > source->base + source->size) return NULL;
  return arena_copy(o->arena, source->text + (span.begin - source->base), span.end - span.begin);
}

struct pairs {
  struct pair *items;
  uint32_t count, capacity;
};

static void put_pair(struct outline *o, struct pairs *pairs, const struct pair *pair) {
  for (uint32_t i = 0; i < pairs->count; i++) {
    if (pairs->items[i].attribute.name != pair->attribute.name) continue;
    pairs->items[i].value = pair->value;
    return;
  }
  ARENA_PUSH(o->arena, pairs->items, pairs->count, pairs->capacity, *pair);
}

/* The profile of the first thing that a component accepts, which it may have from another one of the file. False: it is
 * not known. */
static bool read_profile(struct outline *o, const struct file *file, const struct decl *decl, struct pairs *pairs,
                         unsigned nesting) {
  const struct name *like = decl->component.like.name;
  const struct part *part = decl->component.parts;
  while (part && part->kind != PART_ACCEPTS)
    part = part->next;
  for (uint32_t i = 0; !like && part && i < part->accept.pair_count; i++)
    put_pair(o, pairs, &part->accept.pairs[i]);
  if (!like) return part;
  const struct decl *base = file->decls;
  while (base && !(base->kind == DECL_COMPONENT && base->name.name == like))
    base = base->next;
  if (!base || nesting > 16 || !read_profile(o, file, base, pairs, nesting + 1)) return false;
  for (uint32_t i = 0; i < decl->component.replaced_count; i++)
    put_pair(o, pairs, &decl->component.replaced[i]);
  return true;
}

/* The selector that asks for all of a profile. What is not applicable is not asked for. */
static const char *selector_text(struct outline *o, const struct file *file, const struct pairs *pairs) {
  const char *text = "";
  for (uint32_t i = 0; i < pairs->count; i++) {
    const struct pair *pair = &pairs->items[i];
    if (!pair->value || pair->value->kind == EXPR_NA) continue;
    const char *value = text_at_span(o, file, span_closed(file->source, pair->value->span));
    if (!value) return NULL;
    const char *written = text_at_span(o, file, pair->attribute.span);
    const char *attribute = written ? written : pair->attribute.name->text;
    text = arena_printf(o->arena, "%s%s%s = %s", text, *text ? ", " : "", attribute, value);
  }
  return *text ? arena_printf(o->arena, "{ %s }", text) : NULL;
}

static const char *selector_of(struct outline *o, const struct file *file, const struct decl *decl) {
  struct pairs pairs = {0};
  return read_profile(o, file, decl, &pairs, 0) ? selector_text(o, file, &pairs) : NULL;
}

/* The transaction of what a component accepts first, which it may have from another one of the file. */
static const char *accepts_of(struct outline *o, const struct file *file, const struct decl *decl, unsigned nesting) {
  const struct name *like = decl->component.like.name;
  const struct part *part = decl->component.parts;
  while (part && part->kind != PART_ACCEPTS)
    part = part->next;
  if (!like) return part && part->accept.has_transaction ? text_at_span(o, file, part->accept.txn.span) : NULL;
  const struct decl *base = file->decls;
  while (base && !(base->kind == DECL_COMPONENT && base->name.name == like))
    base = base->next;
  return base && nesting <= 16 ? accepts_of(o, file, base, nesting + 1) : NULL;
}

/* What is needed to write more into a component or a system. */
static void add_ends(struct outlined *item, const struct part *parts) {
  for (const struct part *part = parts; part; part = part->next) {
    if (part->kind == PART_BODY && item->body.end <= item->body.begin && part->body.first) item->body = part->span;
    item->requests_last = part->kind == PART_REQUESTS;
  }
}

/* A type as it is written, behind a colon. */
static const char *type_written(struct outline *o, const struct file *file, const struct type_expr *type) {
  if (!type) return "";
  return arena_copy(o->arena, file->source->text + (type->span.begin - file->source->base),
                    type->span.end - type->span.begin);
}

/* An accept without a profile has the one before it. */
static void add_accept(struct outline *o, const struct file *file, const struct part *part, struct pairs *pairs,
                       unsigned depth) {
  const struct qname *of = &part->accept.txn.name;
  if (part->accept.pair_count) pairs->count = 0;
  for (uint32_t i = 0; i < part->accept.pair_count; i++)
    put_pair(o, pairs, &part->accept.pairs[i]);
  if (!part->accept.has_transaction || !of->count) return;
  struct outlined *item = add(o, depth, PSL_NAME_TRANSACTION, of->parts[of->count - 1], part->span, "accepts");
  if (!item) return;
  item->profile = selector_text(o, file, pairs);
  item->accepts = text_at_span(o, file, part->accept.txn.span);
}

/* A request without a label is called as what it requests. */
static void add_requests(struct outline *o, const struct part *part, unsigned depth) {
  for (uint32_t i = 0; part->kind == PART_REQUESTS && i < part->request_count; i++) {
    const struct request *request = &part->requests[i];
    const struct qname *of = &request->txn.name;
    struct ident last = of->count ? of->parts[of->count - 1] : (struct ident){0};
    const char *detail = of->count ? arena_printf(o->arena, "requests %s", last.name->text) : "";
    struct ident name = request->label.name ? request->label : last;
    struct outlined *item = add(o, depth, PSL_NAME_REQUEST, name, request->span, detail);
    if (item) item->value = request->selector_span;
  }
}

static void add_decl(struct outline *o, const struct file *file, const struct decl *decl, unsigned depth);

static void add_component(struct outline *o, const struct file *file, const struct decl *decl, unsigned depth) {
  const struct ident *like = &decl->component.like;
  const char *detail = like->name ? arena_printf(o->arena, "like %s", like->name->text) : "";
  struct ident name = decl->name;
  if (!name.name) {
    struct name *of_file = ARENA_NEW(o->arena, struct name);
    of_file->text = file->source->name;
    name = (struct ident){of_file, {0, 0}};
  }
  enum psl_name_kind kind = decl->kind == DECL_SYSTEM ? PSL_NAME_SYSTEM : PSL_NAME_COMPONENT;
  struct outlined *item = add(o, depth, kind, name, decl->span, detail);
  if (item && decl->kind == DECL_COMPONENT) {
    item->profile = selector_of(o, file, decl);
    item->accepts = accepts_of(o, file, decl, 0);
  }
  if (item) add_ends(item, decl->component.parts);
  for (const struct decl *local = decl->component.locals; local; local = local->next)
    add_decl(o, file, local, depth + 1);
  struct pairs pairs = {0};
  for (const struct part *part = decl->component.parts; part; part = part->next)
    if (part->kind == PART_ACCEPTS)
      add_accept(o, file, part, &pairs, depth + 1);
    else
      add_requests(o, part, depth + 1);
}

static void add_domain(struct outline *o, const struct file *file, const struct decl *decl, unsigned depth) {
  add(o, depth, PSL_NAME_DOMAIN, decl->name, decl->span, "");
  for (uint32_t i = 0; i < decl->domain.count; i++) {
    const struct attribute *attribute = &decl->domain.attributes[i];
    struct ident name = {attribute->name.name, attribute->name.span};
    add(o, depth + 1, PSL_NAME_ATTRIBUTE, name, attribute->span, type_written(o, file, attribute->type));
  }
}

static void add_value(struct outline *o, const struct file *file, const struct decl *decl, enum psl_name_kind kind,
                      unsigned depth) {
  struct outlined *item = add(o, depth, kind, decl->name, decl->span, type_written(o, file, decl->value.type));
  if (item && decl->value.value) item->value = span_closed(file->source, decl->value.value->span);
}

static void add_decl(struct outline *o, const struct file *file, const struct decl *decl, unsigned depth) {
  switch (decl->kind) {
  case DECL_USE: break;
  case DECL_PARAM: add_value(o, file, decl, PSL_NAME_PARAM, depth); break;
  case DECL_LET: add_value(o, file, decl, PSL_NAME_LET, depth); break;
  case DECL_VAR: add_value(o, file, decl, PSL_NAME_VAR, depth); break;
  case DECL_UNIT: add(o, depth, PSL_NAME_UNIT, decl->name, decl->span, ""); break;
  case DECL_FUNCTION:
  case DECL_FIT:
    add(o, depth, PSL_NAME_FUNCTION, decl->function.signature.name, decl->span,
        type_written(o, file, decl->function.signature.result));
    break;
  case DECL_DOMAIN: add_domain(o, file, decl, depth); break;
  case DECL_TRANSACTION:
    add(o, depth, PSL_NAME_TRANSACTION, decl->transaction.name, decl->span,
        type_written(o, file, decl->transaction.result));
    break;
  case DECL_PROTOCOL: add(o, depth, PSL_NAME_PROTOCOL, decl->name, decl->span, ""); break;
  case DECL_COMPONENT:
  case DECL_SYSTEM: add_component(o, file, decl, depth); break;
  case DECL_EXTERN:
    for (uint32_t i = 0; i < decl->foreign.count; i++)
      add(o, depth, PSL_NAME_FUNCTION, decl->foreign.functions[i].name, decl->foreign.functions[i].span, "of C");
    break;
  case DECL_STUDY: {
    const struct qname *of = &decl->study.of;
    const char *detail = of->count ? arena_printf(o->arena, "of %s", of->parts[of->count - 1].name->text) : "";
    add(o, depth, PSL_NAME_STUDY, decl->name, decl->span, detail);
    break;
  }
  case DECL_COERCION:
  case DECL_ASSERT:
  case DECL_KINDS: break;
  }
}

struct outlined *file_outline(const struct file *file, struct arena *arena, uint32_t *count) {
  struct outline o = {.arena = arena};
  for (const struct decl *decl = file->decls; decl; decl = decl->next)
    add_decl(&o, file, decl, 0);
  *count = o.count;
  return o.items;
}

/* ---- what can be folded ---- */

struct folder {
  struct arena *arena;
  struct folded *items;
  uint32_t count, capacity;
};

static void fold(struct folder *f, struct span span, bool comment) {
  struct folded item = {span, comment};
  if (span.end > span.begin) ARENA_PUSH(f->arena, f->items, f->count, f->capacity, item);
}

static void fold_block(struct folder *f, const struct block *block) {
  for (const struct stmt *s = block->first; s; s = s->next) {
    fold(f, s->span, false);
    for (struct children c = stmt_children(s); children_next(&c);)
      if (c.block) fold_block(f, c.block);
  }
}

static void fold_decl(struct folder *f, const struct decl *decl) {
  fold(f, decl->span, false);
  if (decl->kind == DECL_COERCION && decl->coercion.has_block) fold_block(f, &decl->coercion.body);
  if (decl->kind != DECL_COMPONENT && decl->kind != DECL_SYSTEM) return;
  for (const struct decl *local = decl->component.locals; local; local = local->next)
    fold_decl(f, local);
  for (const struct part *part = decl->component.parts; part; part = part->next) {
    fold(f, part->span, false);
    if (part->kind == PART_BODY) fold_block(f, &part->body);
    for (uint32_t i = 0; part->kind == PART_REQUESTS && i < part->request_count; i++)
      fold(f, part->requests[i].span, false);
  }
}

/* Does the second comment stand on the line behind the first one's? */
static bool goes_on(const struct file *file, const struct comment *first, const struct comment *second) {
  const char *text = file->source->text + (first->span.end - file->source->base);
  size_t size = second->span.begin - first->span.end;
  return second->own_line && memchr(text, '\n', size) == memrchr(text, '\n', size);
}

static void fold_comments(struct folder *f, const struct file *file) {
  for (uint32_t i = 0, next; i < file->comment_count; i = next) {
    const struct comment *comments = file->comments;
    for (next = i + 1; next < file->comment_count && comments[i].own_line; next++)
      if (!goes_on(file, &comments[next - 1], &comments[next])) break;
    fold(f, span_join(comments[i].span, comments[next - 1].span), true);
  }
}

struct folded *file_folds(const struct file *file, struct arena *arena, uint32_t *count) {
  struct folder f = {.arena = arena};
  for (const struct decl *decl = file->decls; decl; decl = decl->next)
    fold_decl(&f, decl);
  fold_comments(&f, file);
  *count = f.count;
  return f.items;
}
