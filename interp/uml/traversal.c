/* A model that a diagram has become, as XML: processes, threads and nodes, and in them the elements in the order in
 * which they are executed.  Called by psl_activity. */
#include "interp/uml/uml.h"

#include <string.h>

struct traversal {
  struct text *out;
  const struct file *file;
  unsigned depth;
};

static const char *text_of(struct traversal *t, const struct expr *expr) {
  struct text text = {.arena = t->out->arena};
  expr_format(&text, expr);
  return text.size ? text.data : "";
}

static void begin(struct traversal *t, const char *tag) { text_printf(t->out, "%*s<%s", (int)(2 * t->depth), "", tag); }

static void put_end(struct traversal *t, const char *tag) {
  text_printf(t->out, "%*s</%s>\n", (int)(2 * t->depth), "", tag);
}

static void put_attribute(struct traversal *t, const char *name, const char *value) {
  text_printf(t->out, " %s=\"", name);
  for (; *value; value++) {
    if (strchr("&<>\"\n\t", *value))
      text_printf(t->out, "&#%d;", *value);
    else
      text_char(t->out, *value);
  }
  text_char(t->out, '"');
}

static void put_value(struct traversal *t, const char *name, const struct expr *expr) {
  put_attribute(t, name, expr->kind == EXPR_STRING ? expr->string : text_of(t, expr));
}

/* ---- bodies ---- */

static void put_block(struct traversal *t, const struct block *block);

/* An element around a block; its attributes have been put. */
static void put_around(struct traversal *t, const char *tag, const struct block *block) {
  text_put(t->out, block->first ? ">\n" : "/>\n");
  if (!block->first) return;
  t->depth++;
  put_block(t, block);
  t->depth--;
  put_end(t, tag);
}

/* An `else if` is one more branch, and so is not nested. */
static void put_decision(struct traversal *t, const struct stmt *stmt) {
  begin(t, "decision");
  text_put(t->out, ">\n");
  t->depth++;
  for (;;) {
    begin(t, "branch");
    put_value(t, "guard", stmt->branch.condition);
    put_around(t, "branch", &stmt->branch.then);
    if (!stmt->branch.else_if) break;
    stmt = stmt->branch.otherwise.first;
  }
  if (stmt->branch.has_else) {
    begin(t, "branch");
    put_attribute(t, "guard", "else");
    put_around(t, "branch", &stmt->branch.otherwise);
  }
  t->depth--;
  put_end(t, "decision");
}

static void put_chances(struct traversal *t, const struct stmt *stmt) {
  begin(t, "decision");
  text_put(t->out, ">\n");
  t->depth++;
  for (uint32_t i = 0; i < stmt->chances.count; i++) {
    begin(t, "branch");
    put_value(t, "probability", stmt->chances.items[i].value);
    put_around(t, "branch", &stmt->chances.items[i].body);
  }
  t->depth--;
  put_end(t, "decision");
}

static void put_loop(struct traversal *t, const struct stmt *stmt) {
  begin(t, "loop");
  put_attribute(t, "variable", stmt->each.name.name->text);
  if (stmt->each.range->kind == EXPR_RANGE)
    put_value(t, "iterations", stmt->each.range->range.high);
  else
    put_value(t, "in", stmt->each.range);
  put_around(t, "loop", &stmt->each.body);
}

static void put_element(struct traversal *t, const struct stmt *stmt) {
  static const char *const given[] = {"name", "region"};
  const struct call *call = stmt->assign.value->call;
  const char *tag = text_of(t, call->callee);
  begin(t, tag);
  if (stmt->kind == STMT_LET) put_attribute(t, "request", stmt->assign.name.name->text);
  for (uint32_t i = 0; i < call->args.value_count && i < 2; i++)
    put_value(t, given[i], call->args.values[i]);
  for (uint32_t i = 0; i < call->args.field_count; i++)
    put_value(t, call->args.fields[i].name.name->text, call->args.fields[i].value);
  text_put(t->out, "/>\n");
}

static void put_block(struct traversal *t, const struct block *block) {
  for (const struct stmt *stmt = block->first; stmt; stmt = stmt->next) {
    switch (stmt->kind) {
    case STMT_LET: /* of what a non-blocking send gives */
    case STMT_CALL: put_element(t, stmt); break;
    case STMT_FOR: put_loop(t, stmt); break;
    case STMT_IF: put_decision(t, stmt); break;
    case STMT_ONE_OF: put_chances(t, stmt); break;
    case STMT_ASSERT: /* no guard holds: that is no element */
    case STMT_ASSIGN:
    case STMT_HOLD:
    case STMT_RETURN:
    case STMT_RECORD:
    case STMT_PROFILE:
    case STMT_FIRST_OF:
    case STMT_WHILE:
    case STMT_KINDS: break;
    }
  }
}

/* ---- components ---- */

/* A param of a component, by the let of the file that it is given by. */
static void put_param(struct traversal *t, const struct decl *param) {
  const struct expr *value = param->value.value;
  for (const struct decl *decl = t->file->decls; decl && value->kind == EXPR_NAME; decl = decl->next)
    if (decl->kind == DECL_LET && decl->name.name == value->name.name) {
      value = decl->value.value;
      break;
    }
  put_value(t, param->name.name->text, value);
}

static void put_component(struct traversal *t, const struct decl *decl) {
  const char *like = decl->component.like.name ? decl->component.like.name->text : "";
  const char *tag = !strcmp(like, "Process")                                   ? "process"
                    : !strcmp(like, "Thread")                                  ? "thread"
                    : !strcmp(like, "Node") || !strcmp(like, "RoundRobinNode") ? "node"
                                                                               : NULL;
  if (!tag) return;
  begin(t, tag);
  put_attribute(t, "name", decl->name.name->text);
  for (const struct decl *param = decl->component.locals; param; param = param->next)
    if (param->kind == DECL_PARAM && param->value.value) put_param(t, param);
  const struct part *body = decl->component.parts;
  while (body && body->kind != PART_BODY)
    body = body->next;
  static const struct block none = {0};
  put_around(t, tag, body ? &body->body : &none);
}

void uml_write_xml(struct text *out, const struct file *file) {
  struct traversal t = {out, file, 1};
  text_put(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<program>\n");
  for (const struct decl *decl = file->decls; decl; decl = decl->next)
    if (decl->kind == DECL_COMPONENT) put_component(&t, decl);
  text_put(out, "</program>\n");
}
