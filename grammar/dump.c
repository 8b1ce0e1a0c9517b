/* The tree as text, one node a line, indented: `psl ast`, and how two layouts of one program are
 * found to be the same. */
#include "grammar/children.h"
#include "grammar/text.h"

#include <inttypes.h>
#include <stdarg.h>

struct dump {
  struct text *out;
  unsigned indent;
  bool spans;
  uint32_t base; /* of the file: spans are printed as offsets in it */
};

/* A line: its indentation, what is given, the span if wanted. */
static void line(struct dump *d, struct span span, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void line(struct dump *d, struct span span, const char *format, ...) {
  for (unsigned i = 0; i < d->indent; i++)
    text_put(d->out, "  ");
  va_list arguments;
  va_start(arguments, format);
  text_vprintf(d->out, format, arguments);
  va_end(arguments);
  if (d->spans && span.begin) text_printf(d->out, " @%u-%u", span.begin - d->base, span.end - d->base);
  text_char(d->out, '\n');
}

static const struct span nowhere;

static void dump_expr(struct dump *d, const struct expr *expr);
static void dump_decl(struct dump *d, const struct decl *decl);

/* A head line with what hangs under it. */
static void dump_under(struct dump *d, const char *head, const struct expr *expr) {
  if (!expr) return;
  line(d, nowhere, "%s", head);
  d->indent++;
  dump_expr(d, expr);
  d->indent--;
}

static void dump_all(struct dump *d, struct expr *const *items, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    dump_expr(d, items[i]);
}

static void dump_fields(struct dump *d, const char *what, const struct field *fields, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    line(d, fields[i].name.span, "%s %s", what, fields[i].name.name->text);
    d->indent++;
    if (fields[i].value) dump_expr(d, fields[i].value);
    d->indent--;
  }
}

static void dump_args(struct dump *d, const struct args *args) {
  dump_all(d, args->values, args->value_count);
  dump_fields(d, "argument", args->fields, args->field_count);
}

/* The line of an expression itself. */
static void dump_head(struct dump *d, const struct expr *expr) {
  const char *kind = expr_kind_name(expr->kind);
  struct text extra = {.arena = d->out->arena};
  switch (expr->kind) {
  case EXPR_INTEGER: text_printf(&extra, " %" PRId64, expr->integer); break;
  case EXPR_REAL:
    text_char(&extra, ' ');
    text_number(&extra, expr->real);
    break;
  case EXPR_QUANTITY:
    text_char(&extra, ' ');
    text_number(&extra, expr->quantity.value);
    text_printf(&extra, " %s%s", expr->quantity.unit, expr->quantity.whole ? " whole" : "");
    break;
  case EXPR_STRING:
    text_char(&extra, ' ');
    text_json(&extra, expr->string);
    break;
  case EXPR_BOOLEAN: text_put(&extra, expr->boolean ? " true" : " false"); break;
  case EXPR_NAME: text_printf(&extra, " %s", expr->name.name->text); break;
  case EXPR_UNARY: text_printf(&extra, " %s", operator_text(expr->unary.op)); break;
  case EXPR_BINARY: text_printf(&extra, " %s", operator_text(expr->binary.op)); break;
  case EXPR_COMPARE:
    for (uint32_t i = 0; i + 1 < expr->compare.count; i++)
      text_printf(&extra, " %s", operator_text(expr->compare.ops[i]));
    break;
  case EXPR_INDEX:
    if (expr->index.qualifier) text_printf(&extra, " [%s]", expr->index.qualifier);
    break;
  case EXPR_MEMBER: text_printf(&extra, " %s", expr->member.member.name->text); break;
  case EXPR_CLAUSE:
    text_printf(&extra, " %s %s", expr->clause.attribute->text,
                expr->clause.single ? "=" : operator_text(expr->clause.op));
    break;
  case EXPR_IF:
  case EXPR_RANGE:
  case EXPR_CALL:
  case EXPR_LIST:
  case EXPR_EACH:
  case EXPR_RECORD:
  case EXPR_NA:
  case EXPR_KINDS: break;
  }
  line(d, expr->span, "%s%s", kind, extra.data ? extra.data : "");
}

/* An expression, where it needs it under a line that says what it is. */
static void dump_child(struct dump *d, const struct children *c) {
  const char *what = c->row->what;
  if (what)
    line(d, c->name ? c->name->span : nowhere, "%s%s%s", what, c->name ? " " : "", c->name ? c->name->name->text : "");
  d->indent += what != NULL;
  if (c->expr) dump_expr(d, *c->expr);
  d->indent -= what != NULL;
}

static void dump_expr(struct dump *d, const struct expr *expr) {
  dump_head(d, expr);
  d->indent++;
  for (struct children c = expr_children(expr); children_next(&c);)
    dump_child(d, &c);
  d->indent--;
}

static const char *passing_text(enum passing passing) {
  static const char *const words[] = {"", "in ", "out ", "inout "};
  return words[passing];
}

static void put_type(struct text *out, const struct type_expr *type);

static void put_function(struct text *out, const struct signature *function) {
  text_put(out, "function(");
  for (uint32_t i = 0; i < function->param_count; i++) {
    const struct param *param = &function->params[i];
    text_printf(out, "%s%s%s", i ? ", " : "", passing_text(param->passing), param->name.name->text);
    if (!param->type) continue;
    text_put(out, " : ");
    put_type(out, param->type);
  }
  text_char(out, ')');
  if (!function->result) return;
  text_put(out, " -> ");
  put_type(out, function->result);
}

static void put_type(struct text *out, const struct type_expr *type) {
  for (uint32_t i = 0; i < type->count; i++) {
    const struct type_atom *atom = &type->atoms[i];
    if (i) text_char(out, atom->divided ? '/' : '*');
    if (atom->name) {
      text_printf(out, "%s%s%s", atom->of ? atom->of->text : "", atom->of ? "." : "", atom->name->text);
      if (atom->power) text_printf(out, "^%d", atom->power);
    } else if (atom->function) {
      put_function(out, atom->function);
    } else {
      text_char(out, '[');
      put_type(out, atom->element);
      if (atom->length) {
        text_put(out, ", ");
        expr_format(out, atom->length);
      }
      text_char(out, ']');
    }
  }
}

static const char *type_text(struct dump *d, const char *before, const struct type_expr *type) {
  if (!type) return "";
  struct text text = {.arena = d->out->arena};
  text_put(&text, before);
  put_type(&text, type);
  return text.data;
}

static const char *qname_text(struct dump *d, const struct qname *name) {
  struct text text = {.arena = d->out->arena};
  for (uint32_t i = 0; i < name->count; i++)
    text_printf(&text, "%s%s", i ? "." : "", name->parts[i].name->text);
  return text.data ? text.data : "";
}

/* ---- statements ---- */

static void dump_block(struct dump *d, const char *head, const struct block *block);

/* The line of a statement itself. */
static void dump_statement(struct dump *d, const struct stmt *stmt) {
  const char *kind = stmt_kind_name(stmt->kind);
  bool let = stmt->kind == STMT_LET, each = stmt->kind == STMT_FOR;
  bool record = stmt->kind == STMT_RECORD || stmt->kind == STMT_PROFILE;
  bool takes = let || stmt->kind == STMT_ASSIGN || stmt->kind == STMT_RETURN; /* what `call` gives */
  const struct ident *name = let ? &stmt->assign.name : record ? &stmt->record.name : each ? &stmt->each.name : NULL;
  line(d, stmt->span, "%s%s%s%s%s%s%s", stmt->collapse ? "collapse " : "", kind, name ? " " : "",
       name ? name->name->text : "", let ? type_text(d, " : ", stmt->assign.type) : "",
       takes && stmt->assign.is_call ? " call" : "", each && stmt->each.geometric ? " by *" : "");
}

static void dump_stmt(struct dump *d, const struct stmt *stmt) {
  dump_statement(d, stmt);
  d->indent++;
  for (struct children c = stmt_children(stmt); children_next(&c);) {
    bool otherwise = stmt->kind == STMT_IF && c.block == &stmt->branch.otherwise;
    bool then = c.row->form == CHILD_HEADS && c.next % 2 == 0;
    if (!c.block)
      dump_child(d, &c);
    else if (!otherwise || stmt->branch.has_else)
      dump_block(d, otherwise && stmt->branch.else_if ? "else if" : then ? "then" : c.row->what, c.block);
  }
  d->indent--;
}

static void dump_block(struct dump *d, const char *head, const struct block *block) {
  line(d, block->span, "%s", head);
  d->indent++;
  for (const struct stmt *stmt = block->first; stmt; stmt = stmt->next)
    dump_stmt(d, stmt);
  d->indent--;
}

/* ---- components ---- */

static void dump_txn(struct dump *d, const struct txn *txn) {
  line(d, txn->span, "transaction %s%s", qname_text(d, &txn->name), txn->braces ? " { }" : "");
  d->indent++;
  dump_args(d, &txn->args);
  d->indent--;
}

static void dump_pairs(struct dump *d, const struct pair *pairs, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    line(d, pairs[i].attribute.span, "attribute %s", pairs[i].attribute.name->text);
    d->indent++;
    dump_expr(d, pairs[i].value);
    d->indent--;
  }
}

static void dump_accept(struct dump *d, const struct accept *accept) {
  const struct setting *setting = accept->settings;
  for (const char *clause = accept->order; *clause; clause++) {
    if (*clause == 'p') {
      line(d, accept->profile_span, "profile");
      d->indent++;
      dump_pairs(d, accept->pairs, accept->pair_count);
      d->indent--;
    } else if (*clause == 't') {
      dump_txn(d, &accept->txn);
    } else if (*clause == 'r') {
      line(d, accept->protocol.span, "protocol %s", accept->protocol.name->text);
    } else {
      dump_under(d, setting->name.name->text, setting->value);
      setting++;
    }
  }
}

static void dump_request(struct dump *d, const struct request *request) {
  static const char *const quantifiers[] = {"", " optional", " any", " every"};
  struct text params = {.arena = d->out->arena};
  text_put(&params, "");
  for (uint32_t i = 0; i < request->param_count; i++)
    text_printf(&params, "%s%s", i ? ", " : "", request->params[i].name.name->text);
  bool parentheses = request->label_params;
  line(d, request->span, "request%s%s%s%s%s", request->label.name ? " " : "",
       request->label.name ? request->label.name->text : "", parentheses ? "(" : "", params.data,
       parentheses ? ")" : "");
  d->indent++;
  for (uint32_t i = 0; i < request->param_count; i++)
    dump_under(d, request->params[i].name.name->text, request->params[i].value);
  dump_under(d, "where", request->where);
  line(d, request->selector_span, "selector%s", quantifiers[request->quantifier]);
  d->indent++;
  dump_under(d, "by", request->by);
  if (request->selector) dump_expr(d, request->selector);
  d->indent--;
  dump_txn(d, &request->txn);
  dump_fields(d, "setting", request->settings, request->setting_count);
  if (request->protocol.name) line(d, request->protocol.span, "protocol %s", request->protocol.name->text);
  d->indent--;
}

static void dump_part(struct dump *d, const struct part *part) {
  switch (part->kind) {
  case PART_ACCEPTS:
    line(d, part->span, "accepts");
    d->indent++;
    dump_accept(d, &part->accept);
    d->indent--;
    break;
  case PART_BODY: dump_block(d, "body", &part->body); break;
  case PART_REQUESTS:
    line(d, part->span, "requests");
    d->indent++;
    for (uint32_t i = 0; i < part->request_count; i++)
      dump_request(d, &part->requests[i]);
    d->indent--;
    break;
  }
}

static void dump_component(struct dump *d, const struct decl *decl) {
  for (uint32_t i = 0; i < decl->component.index_count; i++)
    line(d, decl->component.indices[i].span, "index %s", decl->component.indices[i].name->text);
  dump_under(d, "set", decl->component.set);
  for (const struct decl *local = decl->component.locals; local; local = local->next)
    dump_decl(d, local);
  dump_pairs(d, decl->component.replaced, decl->component.replaced_count);
  dump_fields(d, "setting", decl->component.settings, decl->component.setting_count);
  if (decl->component.changed) dump_accept(d, decl->component.changed);
  for (const struct part *part = decl->component.parts; part; part = part->next)
    dump_part(d, part);
}

/* ---- declarations ---- */

static void dump_signature(struct dump *d, const struct signature *signature) {
  for (uint32_t i = 0; i < signature->param_count; i++) {
    const struct param *param = &signature->params[i];
    line(d, param->name.span, "parameter %s%s%s%s", param->every ? "every " : passing_text(param->passing),
         param->name.name->text, type_text(d, " : ", param->type), type_text(d, " -> ", param->gives));
    d->indent++;
    if (param->value) dump_expr(d, param->value);
    dump_under(d, "in", param->range);
    d->indent--;
  }
  if (signature->result) line(d, signature->result->span, "result%s", type_text(d, " ", signature->result));
}

static void dump_item(struct dump *d, const struct study_item *item) {
  static const char *const names[] = {"vary", "where", "report", "minimize", "maximize", "plot", "assert", "setting"};
  static const char *const roles[] = {"vary", "problem", "choice", "machine"};
  line(d, item->span, "%s", item->kind == STUDY_VARY ? roles[item->role] : names[item->kind]);
  d->indent++;
  for (uint32_t i = 0; i < item->vary_count; i++) {
    const struct vary *vary = &item->varies[i];
    line(d, vary->name.span, "%s %s%s", vary->tied ? "tied" : "range", qname_text(d, &vary->name),
         vary->geometric ? " by *" : "");
    d->indent++;
    if (vary->tied) dump_expr(d, vary->tied);
    if (vary->range) dump_expr(d, vary->range);
    dump_under(d, "by", vary->step);
    d->indent--;
  }
  dump_fields(d, "field", item->fields, item->field_count);
  for (uint32_t i = 0; i < item->group_count; i++)
    dump_under(d, "by", item->groups[i]);
  if (item->condition) dump_expr(d, item->condition);
  dump_all(d, item->series, item->series_count);
  dump_under(d, "against", item->against);
  dump_under(d, "by", item->by);
  for (uint32_t i = 0; i < item->option_count; i++)
    line(d, item->options[i].span, "option %s", item->options[i].name->text);
  d->indent--;
}

static const char *decl_kind_name(enum decl_kind kind) {
  static const char *const names[] = {
#define DECL(kind, text) text,
#include "grammar/ast.def"
  };
  return names[kind];
}

static void dump_head_of_decl(struct dump *d, const struct decl *decl) {
  struct text head = {.arena = d->out->arena};
  text_put(&head, decl_kind_name(decl->kind));
  if (decl->kind == DECL_USE && decl->use.database) text_put(&head, " from");
  if (decl->name.name) text_printf(&head, " %s", decl->name.name->text);
  if (decl->kind == DECL_USE && decl->use.path) text_char(&head, ' '), text_json(&head, decl->use.path);
  if (decl->kind == DECL_FIT && decl->function.fit->path)
    text_put(&head, " from "), text_json(&head, decl->function.fit->path);
  if (decl->kind == DECL_EXTERN) text_char(&head, ' '), text_json(&head, decl->foreign.library);
  if (decl->kind == DECL_STUDY) text_printf(&head, " of %s", qname_text(d, &decl->study.of));
  if (decl->kind == DECL_COMPONENT && decl->component.like.name)
    text_printf(&head, " like %s", decl->component.like.name->text);
  if (decl->kind == DECL_COERCION) {
    text_put(&head, type_text(d, " ", decl->coercion.from));
    text_put(&head, type_text(d, " -> ", decl->coercion.to));
    if (decl->coercion.lossy) text_put(&head, " lossy");
  }
  if (decl->kind == DECL_PARAM || decl->kind == DECL_LET || decl->kind == DECL_VAR)
    text_put(&head, type_text(d, " : ", decl->value.type));
  if (decl->kind == DECL_PARAM && decl->value.asked) text_put(&head, " asked for");
  line(d, decl->span, "%s", head.data);
}

static void dump_doc(struct dump *d, const char *doc) {
  if (!doc) return;
  struct text text = {.arena = d->out->arena};
  text_json(&text, doc);
  line(d, nowhere, "doc %s", text.data);
}

static void dump_exprs(struct dump *d, const char *head, struct span span, struct expr *const *items, uint32_t count) {
  line(d, span, "%s", head);
  d->indent++;
  for (uint32_t i = 0; i < count; i++)
    dump_expr(d, items[i]);
  d->indent--;
}

static void dump_fit(struct dump *d, const struct fit *fit) {
  for (uint32_t i = 0; i < fit->term_count; i++)
    dump_under(d, fit->terms[i].name.name ? fit->terms[i].name.name->text : "term", fit->terms[i].value);
  dump_under(d, "where", fit->where);
  for (uint32_t i = 0; i < fit->setting_count; i++)
    dump_under(d, fit->settings[i].name.name->text, fit->settings[i].value);
  for (uint32_t i = 0; i < fit->row_count; i++) {
    const struct fit_row *row = &fit->rows[i];
    dump_exprs(d, "at", row->span, row->at, row->at_count);
    dump_exprs(d, "values", row->span, row->values, row->value_count);
  }
}

static void dump_steps(struct dump *d, const struct protocol_step *step) {
  static const char *const words[] = {
      [STEP_OWN] = "transaction", [STEP_REPLY] = "return",  [STEP_OPTIONAL] = "optional",
      [STEP_REPEAT] = "repeat",   [STEP_ONE_OF] = "one of", [STEP_WAY] = "way"};
  for (; step; step = step->next) {
    const char *word = step->kind == STEP_NAMED ? step->name.name->text : words[step->kind];
    if (step->kind <= STEP_REPLY)
      line(d, step->span, "%s %s", step->back ? "<-" : "->", word);
    else
      line(d, step->span, "%s", word);
    d->indent++;
    dump_steps(d, step->steps);
    d->indent--;
  }
}

static void dump_decl(struct dump *d, const struct decl *decl) {
  dump_head_of_decl(d, decl);
  d->indent++;
  dump_doc(d, decl->doc);
  switch (decl->kind) {
  case DECL_USE:
    for (const struct decl *preset = decl->use.presets; preset; preset = preset->next)
      dump_decl(d, preset);
    break;
  case DECL_PARAM:
  case DECL_LET:
  case DECL_VAR:
  case DECL_UNIT:
    if (decl->value.value) dump_expr(d, decl->value.value);
    dump_under(d, "in", decl->value.range);
    break;
  case DECL_FUNCTION:
    dump_signature(d, &decl->function.signature);
    dump_expr(d, decl->function.value);
    break;
  case DECL_FIT:
    dump_signature(d, &decl->function.signature);
    dump_fit(d, decl->function.fit);
    break;
  case DECL_DOMAIN:
    for (uint32_t i = 0; i < decl->domain.count; i++) {
      const struct attribute *attribute = &decl->domain.attributes[i];
      line(d, attribute->span, "attribute %s%s", attribute->name.name->text, type_text(d, " : ", attribute->type));
      d->indent++;
      dump_doc(d, attribute->doc);
      if (attribute->value) dump_expr(d, attribute->value);
      dump_under(d, "in", attribute->range);
      d->indent--;
    }
    break;
  case DECL_TRANSACTION: dump_signature(d, &decl->transaction); break;
  case DECL_PROTOCOL: dump_steps(d, decl->steps); break;
  case DECL_COMPONENT:
  case DECL_SYSTEM: dump_component(d, decl); break;
  case DECL_COERCION:
    dump_under(d, "from", decl->coercion.domain);
    dump_under(d, "to", decl->coercion.to_domain);
    dump_under(d, "cost", decl->coercion.cost);
    if (decl->coercion.has_block)
      dump_block(d, "do", &decl->coercion.body);
    else
      dump_under(d, "value", decl->coercion.value);
    break;
  case DECL_EXTERN:
    for (uint32_t i = 0; i < decl->foreign.count; i++) {
      const struct signature *function = &decl->foreign.functions[i];
      struct text entry = {.arena = d->out->arena};
      if (function->entry) text_put(&entry, " = "), text_json(&entry, function->entry);
      line(d, function->span, "function %s%s", function->name.name->text, entry.size ? entry.data : "");
      d->indent++;
      dump_signature(d, function);
      d->indent--;
    }
    break;
  case DECL_STUDY:
    for (const struct study_item *item = decl->study.items; item; item = item->next)
      dump_item(d, item);
    break;
  case DECL_ASSERT: dump_expr(d, decl->assertion); break;
  case DECL_KINDS: break;
  }
  d->indent--;
}

void ast_dump(struct text *out, const struct file *file, bool spans) {
  struct dump d = {.out = out, .spans = spans, .base = file->source->base};
  for (const struct decl *decl = file->decls; decl; decl = decl->next)
    dump_decl(&d, decl);
}
