/* What of a component or a system can be filled in anew by a form: each value that stands in its text, with the part
 * that it is of and what it is called there.  It reads the syntax tree alone. */
#include "grammar/children.h"
#include "interp/check/editing.h"

#include <stdlib.h>
#include <string.h>

struct fields {
  struct arena *arena;
  const struct source *source;
  struct span within; /* what stands elsewhere, as the parts of another component that it is like, is left out */
  struct fielded *items;
  uint32_t count, capacity;
  struct fielded left_out;
};

static bool stands_here(const struct fields *f, struct span span) {
  return span.begin >= f->within.begin && span.end <= f->within.end && span.end >= span.begin;
}

static struct fielded *add(struct fields *f, const char *part, const char *label, struct span span,
                           enum psl_field_kind kind) {
  struct fielded field = {.part = part, .label = label, .kind = kind, .span = span, .whole = span};
  if (!stands_here(f, span)) return &f->left_out;
  ARENA_PUSH(f->arena, f->items, f->count, f->capacity, field);
  return &f->items[f->count - 1];
}

static void add_expr(struct fields *f, const char *part, const char *label, const struct expr *expr,
                     enum psl_field_kind kind) {
  if (expr) add(f, part, label, span_closed(f->source, expr->span), kind);
}

/* As it is written, words parted by blanks or by '-'. */
static const char *written(const struct fields *f, struct span span, const struct name *name) {
  if (!stands_here(f, span)) return name ? name->text : "";
  return arena_copy(f->arena, f->source->text + (span.begin - f->source->base), span.end - span.begin);
}

/* What stands between the parentheses, which may be nothing. */
static struct fielded *add_given(struct fields *f, const char *part, const char *label, struct span parentheses) {
  if (parentheses.end < parentheses.begin + 2) return add(f, part, label, (struct span){0, 0}, PSL_FIELD_GIVEN);
  return add(f, part, label, (struct span){parentheses.begin + 1, parentheses.end - 1}, PSL_FIELD_GIVEN);
}

static void add_pairs(struct fields *f, const char *part, const struct pair *pairs, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    add_expr(f, part, written(f, pairs[i].attribute.span, pairs[i].attribute.name), pairs[i].value,
             PSL_FIELD_ATTRIBUTE);
}

static void add_settings(struct fields *f, const char *part, const struct accept *accept) {
  for (uint32_t i = 0; i < accept->setting_count; i++)
    add_expr(f, part, written(f, accept->settings[i].name.span, accept->settings[i].name.name),
             accept->settings[i].value, PSL_FIELD_VALUE);
}

static const char *last_name(const struct qname *of) { return of->count ? of->parts[of->count - 1].name->text : ""; }

static void add_accept(struct fields *f, const struct accept *accept) {
  const char *part = arena_printf(f->arena, "accepts %s", last_name(&accept->txn.name));
  add_pairs(f, part, accept->pairs, accept->pair_count);
  add_settings(f, part, accept);
}

static const char *callee_name(const struct expr *call) {
  const struct expr *callee = call->kind == EXPR_CALL ? call->call->callee : NULL;
  return callee && callee->kind == EXPR_NAME ? callee->name.name->text : "";
}

static void add_block(struct fields *f, const struct block *block);

static void add_stmt(struct fields *f, const struct stmt *stmt) {
  const char *part = "body";
  switch (stmt->kind) {
  case STMT_LET:
  case STMT_ASSIGN:
  case STMT_CALL:
  case STMT_RETURN: {
    const struct expr *value = stmt->assign.value;
    if (value && value->kind == EXPR_CALL && stmt->assign.is_call) {
      const char *name = callee_name(value);
      struct fielded *field = add_given(f, part, arena_printf(f->arena, "call %s", name), value->call->args.span);
      field->calls = stmt->kind == STMT_CALL ? name : NULL;
      field->whole = stmt->span;
      return;
    }
    const char *label = stmt->kind == STMT_LET      ? stmt->assign.name.name->text
                        : stmt->kind == STMT_RETURN ? "return"
                        : stmt->assign.target       ? written(f, stmt->assign.target->span, NULL)
                                                    : "value";
    add_expr(f, part, label, value, PSL_FIELD_VALUE);
    return;
  }
  case STMT_HOLD: add_expr(f, part, "hold", stmt->hold, PSL_FIELD_VALUE); return;
  case STMT_RECORD: add_expr(f, part, stmt->record.name.name->text, stmt->record.value, PSL_FIELD_VALUE); return;
  case STMT_PROFILE: add_expr(f, part, stmt->record.name.name->text, stmt->record.value, PSL_FIELD_ATTRIBUTE); return;
  case STMT_ASSERT: add_expr(f, part, "assert", stmt->assertion, PSL_FIELD_VALUE); return;
  case STMT_IF: add_expr(f, part, "if", stmt->branch.condition, PSL_FIELD_VALUE); break;
  case STMT_WHILE: add_expr(f, part, "while", stmt->loop.condition, PSL_FIELD_VALUE); break;
  case STMT_FOR:
    add_expr(f, part, arena_printf(f->arena, "for %s in", stmt->each.name.name->text), stmt->each.range,
             PSL_FIELD_VALUE);
    add_expr(f, part, "by", stmt->each.step, PSL_FIELD_VALUE);
    break;
  case STMT_ONE_OF:
    for (uint32_t i = 0; i < stmt->chances.count; i++) {
      add_expr(f, part, "chance", stmt->chances.items[i].value, PSL_FIELD_VALUE);
      add_block(f, &stmt->chances.items[i].body);
    }
    return;
  case STMT_FIRST_OF:
  case STMT_KINDS: break;
  }
  for (struct children c = stmt_children(stmt); children_next(&c);)
    if (c.block) add_block(f, c.block);
}

static void add_block(struct fields *f, const struct block *block) {
  for (const struct stmt *stmt = block->first; stmt; stmt = stmt->next)
    add_stmt(f, stmt);
}

static void add_selection(struct fields *f, const char *part, const struct expr *selector) {
  if (!selector) return;
  if (selector->kind == EXPR_BINARY) {
    add_selection(f, part, selector->binary.left);
    add_selection(f, part, selector->binary.right);
  } else if (selector->kind == EXPR_CLAUSE) {
    add_expr(f, part, written(f, selector->clause.attribute_span, selector->clause.attribute), selector->clause.value,
             PSL_FIELD_ATTRIBUTE);
  }
}

static void add_request(struct fields *f, const struct request *request, uint32_t number) {
  const char *name = request->label.name ? request->label.name->text : last_name(&request->txn.name);
  const char *part = arena_printf(f->arena, "request %s", name);
  uint32_t first = f->count;
  add_expr(f, part, "where", request->where, PSL_FIELD_VALUE);
  add_selection(f, part, request->selector);
  if (request->txn.args.span.end > request->txn.args.span.begin)
    add_given(f, part, arena_printf(f->arena, "%s is given", last_name(&request->txn.name)), request->txn.args.span);
  for (uint32_t i = 0; i < request->setting_count; i++)
    add_expr(f, part, request->settings[i].name.name->text, request->settings[i].value, PSL_FIELD_VALUE);
  for (uint32_t i = first; i < f->count; i++) {
    f->items[i].whole = request->span;
    f->items[i].request = number + 1;
    f->items[i].requested = last_name(&request->txn.name);
  }
}

static void add_local(struct fields *f, const struct decl *decl) {
  bool valued = decl->kind == DECL_PARAM || decl->kind == DECL_LET || decl->kind == DECL_VAR;
  if (valued) add_expr(f, "", decl->name.name->text, decl->value.value, PSL_FIELD_VALUE);
}

static void add_component(struct fields *f, const struct decl *decl) {
  uint32_t requests = 0;
  f->within = decl->span;
  add_expr(f, "", "index set", decl->component.set, PSL_FIELD_SET);
  for (const struct decl *local = decl->component.locals; local; local = local->next)
    add_local(f, local);
  for (uint32_t i = 0; i < decl->component.setting_count; i++)
    add_expr(f, "", decl->component.settings[i].name.name->text, decl->component.settings[i].value, PSL_FIELD_VALUE);
  if (decl->component.like.name) {
    const char *part = arena_printf(f->arena, "like %s", decl->component.like.name->text);
    add_pairs(f, part, decl->component.replaced, decl->component.replaced_count);
    if (decl->component.changed) add_settings(f, part, decl->component.changed);
  }
  for (const struct part *part = decl->component.parts; part; part = part->next) {
    if (part->kind == PART_ACCEPTS) add_accept(f, &part->accept);
    if (part->kind == PART_BODY) { /* which may have what params that are asked need, too, by their places */
      f->within = part->span;
      add_block(f, &part->body);
      f->within = decl->span;
    }
    for (uint32_t i = 0; part->kind == PART_REQUESTS && i < part->request_count; i++)
      add_request(f, &part->requests[i], requests++);
  }
}

/* "office.clerk": a component in another one. */
static const struct decl *found(const struct decl *list, const char *key) {
  size_t length = strcspn(key, ".");
  for (const struct decl *d = list; d; d = d->next) {
    if (d->kind != DECL_COMPONENT && d->kind != DECL_SYSTEM) continue;
    if (!d->name.name || strlen(d->name.name->text) != length || strncmp(d->name.name->text, key, length) != 0)
      continue;
    return key[length] ? found(d->component.locals, key + length + 1) : d;
  }
  return NULL;
}

static int by_place(const void *a, const void *b) {
  uint32_t one = ((const struct fielded *)a)->span.begin, two = ((const struct fielded *)b)->span.begin;
  return (one > two) - (one < two);
}

struct fielded *file_fields(const struct file *file, const char *key, struct arena *arena, uint32_t *count) {
  struct fields f = {.arena = arena, .source = file->source};
  const struct decl *decl = found(file->decls, key);
  if (decl) add_component(&f, decl);
  if (f.count) qsort(f.items, f.count, sizeof *f.items, by_place);
  *count = f.count;
  return f.items;
}
