/* Drawing: what is done to the graph of a model is an edit of its text.  Each operation is the few bytes that it
 * changes; the text is read as it would then be, and where that is not what was meant, or has an error that it did not
 * have, nothing is changed, and it is said why. */
#include "interp/lsp/server.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CHANGES = 2, MOST_ADDED = 2 };

struct drawing {
  struct document *document;
  struct failure *failure;
  const struct psl_outlined *items; /* of the text as it is */
  size_t count;
  unsigned first_use;            /* the line; 0: there is none */
  struct psl_outlined elsewhere; /* the component of another file that a request is to go to; name NULL: none */
  struct chars elsewhere_texts[2];
  struct change {
    size_t begin, end;     /* what gives way */
    struct chars text;     /* to this */
  } changes[MOST_CHANGES]; /* in the order of the text */
  size_t change_count;
  const struct psl_outlined *gone; /* what the model has no more */
  struct chars added[MOST_ADDED];  /* the names of what it has more */
  size_t added_count;
  const char *component, *request, *target; /* where a request goes then; NULL: no matter */
  const char *accept, *requested;           /* by which accept, of what transaction the request is; NULL: not known */
  size_t selector;                          /* whose selector stands there, in the text of the last change, */
  unsigned lines_before;                    /* so many lines below the request's first one */
};

/* ---- what is there ---- */

static const struct psl_outlined *declared(const struct drawing *d, const char *name) {
  for (size_t i = 0; name && i < d->count; i++)
    if (!d->items[i].depth && !strcmp(d->items[i].name, name)) return &d->items[i];
  return NULL;
}

/* What stands in it, of a kind; NULL: nothing does. */
static const struct psl_outlined *inside(const struct drawing *d, const struct psl_outlined *item, const char *name,
                                         enum psl_name_kind kind) {
  for (const struct psl_outlined *i = item + 1; i < d->items + d->count && i->depth > item->depth; i++)
    if (i->kind == kind && !strcmp(i->name, name)) return i;
  return NULL;
}

/* The component that a request is to go to, in whichever file. */
static const struct psl_outlined *target_of(const struct drawing *d, const char *name) {
  const struct psl_outlined *item = declared(d, name);
  if (item) return item->kind == PSL_NAME_COMPONENT ? item : NULL;
  return name && d->elsewhere.name ? &d->elsewhere : NULL;
}

/* One that was drawn is meant by its number; of those without a label two may be called the same. */
static const struct psl_outlined *request_of(const struct drawing *d, const struct psl_outlined *from, const char *name,
                                             json_t *number) {
  json_int_t before = json_integer_value(number);
  if (!json_is_integer(number)) return inside(d, from, name, PSL_NAME_REQUEST);
  for (const struct psl_outlined *i = from + 1; i < d->items + d->count && i->depth > from->depth; i++)
    if (i->depth == from->depth + 1 && i->kind == PSL_NAME_REQUEST && before-- == 0)
      return strcmp(i->name, name) ? NULL : i;
  return NULL;
}

static size_t place_begin(const struct drawing *d, const struct psl_place *place) {
  return text_at(&d->document->text, place->line, place->column);
}

static size_t place_end(const struct drawing *d, const struct psl_place *place) {
  return text_at(&d->document->text, place->end_line, place->end_column);
}

static bool stands_in(const struct psl_outlined *inner, const struct psl_outlined *outer) {
  return inner->place.line >= outer->place.line && inner->place.end_line <= outer->place.end_line;
}

static const char *word(json_t *params, const char *name) { return json_string_value(json_object_get(params, name)); }

/* ---- what is written ---- */

/* What is put at one place is one change. */
static struct chars *change(struct drawing *d, size_t begin, size_t end) {
  struct change *last = d->change_count ? &d->changes[d->change_count - 1] : NULL;
  if (last && last->end == begin && begin == end) return &last->text;
  struct change *c = &d->changes[d->change_count++];
  *c = (struct change){.begin = begin, .end = end};
  return &c->text;
}

static void put(struct chars *chars, const char *text) { chars_add(chars, text, strlen(text)); }

static void add_name(struct drawing *d, const char *name, size_t length) {
  chars_add(&d->added[d->added_count++], name, length);
}

static bool is_blank(const char *text) { return !text || !text[strspn(text, " \t\r\n")]; }

/* ---- operations: false after a failure ---- */

static bool refused(struct drawing *d, const char *format, const char *a, const char *b) {
  fail(d->failure, REQUEST_FAILED, format, a ? a : "", b ? b : "");
  return false;
}

static bool draw_value(struct drawing *d, json_t *params) {
  const char *name = word(params, "name"), *value = word(params, "value");
  const struct psl_outlined *item = declared(d, name);
  if (!item || !value || (item->kind != PSL_NAME_PARAM && item->kind != PSL_NAME_LET))
    return refused(d, "no param '%s' is declared in the text%s", name, NULL);
  if (!item->value_place.file) return refused(d, "'%s' has no value to change%s", name, NULL);
  put(change(d, place_begin(d, &item->value_place), place_end(d, &item->value_place)), value);
  return true;
}

/* Where the line begins before which nothing but lines of documentation stands. */
static size_t with_documentation(const struct text *text, size_t begin) {
  while (begin && text->data[begin - 1] != '\n')
    begin--;
  while (begin) {
    size_t line = begin - 1;
    while (line && text->data[line - 1] != '\n')
      line--;
    size_t at = line + strspn(text->data + line, " \t");
    if (strncmp(text->data + at, "///", 3)) return begin;
    begin = line;
  }
  return begin;
}

/* With the line that it ends in, if nothing but a remark follows there, and one empty line. */
static size_t with_line(const struct text *text, size_t end) {
  size_t at = end + strspn(text->data + end, " \t");
  if (!strncmp(text->data + at, "//", 2)) at += strcspn(text->data + at, "\n");
  if (at < text->size && text->data[at] != '\n') return end;
  at += at < text->size;
  return at < text->size && text->data[at] == '\n' ? at + 1 : at;
}

static bool draw_delete(struct drawing *d, json_t *params) {
  const char *name = word(params, "name");
  const struct psl_outlined *item = declared(d, name);
  if (!item) return refused(d, "'%s' is not declared in the text%s", name, NULL);
  change(d, with_documentation(&d->document->text, place_begin(d, &item->place)),
         with_line(&d->document->text, place_end(d, &item->place)));
  d->gone = item;
  return true;
}

static bool is_new_name(const char *name) {
  if (!name || !isalpha((unsigned char)*name)) return false;
  for (const char *at = name; *at; at++)
    if (*at == '-' ? !isalpha((unsigned char)at[1]) : !isalnum((unsigned char)*at) && *at != '_') return false;
  return true;
}

/* Another component, told from the first by an attribute of its profile, which requests then ask for. */
static bool draw_like(struct drawing *d, json_t *params) {
  const char *name = word(params, "name"), *as = word(params, "as"), *attribute = word(params, "attribute");
  const struct psl_outlined *item = declared(d, name);
  if (!item || item->kind != PSL_NAME_COMPONENT) return refused(d, "no component '%s' is in the text%s", name, NULL);
  if (!is_new_name(as) || declared(d, as)) return refused(d, "'%s' cannot be the name of a new component%s", as, NULL);
  size_t end = place_end(d, &item->place);
  struct chars *text = change(d, end, end);
  chars_put(text, "\n\ncomponent %s like %s {\n", as, name);
  if (attribute) chars_put(text, "  profile %s = %s;\n", attribute, as);
  chars_put(text, "}");
  add_name(d, as, strlen(as));
  return true;
}

/* Where another declaration goes: before the systems and studies, so that the text stays in the usual order. */
static size_t place_for_more(const struct drawing *d, bool last) {
  for (size_t i = 0; !last && i < d->count; i++)
    if (!d->items[i].depth && (d->items[i].kind == PSL_NAME_SYSTEM || d->items[i].kind == PSL_NAME_STUDY))
      return with_documentation(&d->document->text, place_begin(d, &d->items[i].place));
  return d->document->text.size;
}

/* A declaration there, with an empty line before and behind it. */
static void put_declaration(struct drawing *d, size_t at, const struct chars *declaration) {
  const struct text *text = &d->document->text;
  struct chars *out = change(d, at, at);
  if (at && text->data[at - 1] != '\n') put(out, "\n");
  if (at && !(at > 1 && text->data[at - 1] == '\n' && text->data[at - 2] == '\n')) put(out, "\n");
  chars_add(out, declaration->data, declaration->size);
  if (at < text->size) put(out, "\n");
}

/* "write(amount : data, from : int)" as a component accepts it: "write(amount, from)". */
static void put_without_types(struct chars *out, const char *signature) {
  bool type = false;
  for (const char *at = signature; *at; at++) {
    if (*at == ':') {
      type = true;
      while (out->size && out->data[out->size - 1] == ' ')
        out->data[--out->size] = 0;
    }
    type &= *at != ',' && *at != ')';
    if (!type) chars_add(out, at, 1);
  }
}

static void put_component(struct chars *out, json_t *params) {
  const char *name = word(params, "name"), *count = word(params, "count"), *time = word(params, "time");
  const char *servers = word(params, "servers");
  chars_put(out, "component %s ", name);
  if (!is_blank(count)) {
    put(out, "[i] : 0 <= i < ");
    put(out, count);
    put(out, " ");
  }
  put(out, "{\n  accepts:\n    profile     = { domain = ");
  put(out, word(params, "domain"));
  chars_put(out, ", node type = %s };\n    transaction = ", name);
  put_without_types(out, word(params, "transaction"));
  put(out, ";\n    protocol    = call-return;\n");
  if (!is_blank(servers)) {
    put(out, "    servers     = ");
    put(out, servers);
    put(out, ";\n");
  }
  if (!is_blank(time)) {
    put(out, "  body:\n    hold ");
    put(out, time);
    put(out, ";\n");
  }
  put(out, "}\n");
}

/* A component from nothing, with its transaction, unless that is there. */
static bool draw_component(struct drawing *d, json_t *params) {
  const char *name = word(params, "name"), *transaction = word(params, "transaction"), *domain = word(params, "domain");
  struct chars text = {0}, called = {0};
  if (!is_new_name(name) || declared(d, name))
    return refused(d, "'%s' cannot be the name of a new component%s", name, NULL);
  if (is_blank(transaction) || is_blank(domain))
    return refused(d, "a component accepts a transaction, and has a domain%s%s", NULL, NULL);
  size_t length = strcspn(transaction, "( ");
  chars_add(&called, transaction, length);
  if (!declared(d, called.data)) {
    put(&text, "transaction ");
    put(&text, transaction);
    put(&text, ";\n\n");
    add_name(d, transaction, length);
  }
  put_component(&text, params);
  add_name(d, name, strlen(name));
  put_declaration(d, place_for_more(d, false), &text);
  chars_drop(&text), chars_drop(&called);
  return true;
}

/* Behind the last param, or before all that is declared. */
static bool draw_param(struct drawing *d, json_t *params) {
  const char *name = word(params, "name"), *type = word(params, "type"), *value = word(params, "value");
  const struct psl_outlined *last = NULL, *first = NULL;
  if (!is_new_name(name) || declared(d, name))
    return refused(d, "'%s' cannot be the name of a new param%s", name, NULL);
  if (is_blank(type) || is_blank(value)) return refused(d, "a param has a type and a value%s%s", NULL, NULL);
  for (size_t i = 0; i < d->count; i++) {
    if (d->items[i].depth) continue;
    if (!first) first = &d->items[i];
    if (d->items[i].kind == PSL_NAME_PARAM) last = &d->items[i];
  }
  const struct text *text = &d->document->text;
  size_t at = text->size;
  if (last) {
    at = place_end(d, &last->place);
    at += strcspn(text->data + at, "\n");
    at += at < text->size;
  } else if (first) {
    at = with_documentation(text, place_begin(d, &first->place));
  }
  struct chars *out = change(d, at, at);
  if (at && text->data[at - 1] != '\n') put(out, "\n");
  chars_put(out, "param %s : ", name);
  put(out, type);
  put(out, " = ");
  put(out, value);
  put(out, !last && first ? ";\n\n" : ";\n");
  add_name(d, name, strlen(name));
  return true;
}

/* ---- requests ---- */

/* The transaction of a request with what is given: "write(result)". */
static void put_given(struct chars *out, const char *accepts, const char *given) {
  chars_add(out, accepts, strcspn(accepts, "( "));
  put(out, "(");
  put(out, is_blank(given) ? "" : given);
  put(out, ")");
}

/* The inside of its end: before the line of the last brace. */
static struct chars *change_at_end(struct drawing *d, const struct psl_outlined *item) {
  const struct text *text = &d->document->text;
  size_t brace = place_end(d, &item->place) - 1, line = brace;
  while (line && strchr(" \t", text->data[line - 1]))
    line--;
  bool alone = line && text->data[line - 1] == '\n';
  struct chars *out = change(d, alone ? line : brace, alone ? line : brace);
  if (!alone && !out->size) put(out, "\n");
  return out;
}

static void put_every(struct drawing *d, struct chars *out, const struct psl_outlined *to, const char *given) {
  put(out, "    every selector = ");
  d->selector = out->size;
  put(out, to->profile);
  put(out, ";\n    transaction    = ");
  put_given(out, to->accepts, given);
  put(out, ";\n    protocol       = call-return;\n");
}

/* A call at the end of its body, and the request that it is of. */
static bool put_call(struct drawing *d, const struct psl_outlined *from, const struct psl_outlined *to,
                     json_t *params) {
  const char *label = word(params, "request"), *given = word(params, "given"), *open = strchr(to->accepts, '(');
  struct chars call = {0};
  chars_put(&call, "    call %s(", label);
  put(&call, is_blank(given) ? "" : given);
  put(&call, ");\n");
  if (from->body_place.file) {
    const struct text *text = &d->document->text;
    size_t at = place_end(d, &from->body_place);
    at += strcspn(text->data + at, "\n");
    at += at < text->size;
    chars_add(change(d, at, at), call.data, call.size);
  }
  struct chars *out = change_at_end(d, from);
  if (!from->body_place.file) {
    put(out, "  body:\n");
    chars_add(out, call.data, call.size);
  }
  chars_drop(&call);
  chars_put(out, "%s    %s%s:\n      selector    = ", from->requests_last ? "" : "  requests:\n", label,
            open ? open : "()");
  d->selector = out->size;
  d->lines_before = 1;
  put(out, to->profile);
  put(out, ";\n      transaction = ");
  put(out, to->accepts);
  put(out, ";\n      protocol    = call-return;\n");
  d->request = label;
  return true;
}

/* From a component or system to another component, which need not have asked it for anything before. */
static bool draw_request(struct drawing *d, json_t *params) {
  const char *label = word(params, "request");
  d->component = word(params, "component"), d->target = word(params, "to");
  const struct psl_outlined *from = declared(d, d->component), *to = target_of(d, d->target);
  if (!to || !to->profile || !to->accepts)
    return refused(d, "no component '%s' of the text accepts anything%s", d->target, NULL);
  if (from && from->kind == PSL_NAME_SYSTEM) {
    struct chars *out = change_at_end(d, from);
    if (!from->requests_last) put(out, "  requests:\n");
    put_every(d, out, to, word(params, "given"));
    return true;
  }
  if (!from || from->kind != PSL_NAME_COMPONENT)
    return refused(d, "no component '%s' is in the text%s", d->component, NULL);
  if (*from->detail)
    return refused(d, "'%s' has its body from another component: draw the request there%s", d->component, NULL);
  if (!is_new_name(label) || inside(d, from, label, PSL_NAME_REQUEST))
    return refused(d, "'%s' cannot be the name of a new request%s", label, NULL);
  if (!from->body_place.file && from->requests_last)
    return refused(d, "'%s' has no body that could call '%s'", d->component, label);
  return put_call(d, from, to, params);
}

/* What is run: a system whose first request goes to all instances of a component. */
static bool draw_system(struct drawing *d, json_t *params) {
  const char *name = word(params, "name");
  struct chars text = {0};
  d->target = word(params, "to");
  const struct psl_outlined *to = target_of(d, d->target);
  if (!is_new_name(name) || declared(d, name))
    return refused(d, "'%s' cannot be the name of a new system%s", name, NULL);
  if (!to || !to->profile || !to->accepts)
    return refused(d, "no component '%s' of the text accepts anything%s", d->target, NULL);
  chars_put(&text, "system %s {\n  requests:\n", name);
  put_every(d, &text, to, word(params, "given"));
  put(&text, "}\n");
  put_declaration(d, place_for_more(d, true), &text);
  d->selector += strcspn(d->changes[0].text.data, "s"); /* empty lines may stand before it */
  chars_drop(&text);
  add_name(d, name, strlen(name));
  return true;
}

static bool draw_target(struct drawing *d, json_t *params) {
  const char *accept = word(params, "accept");
  d->component = word(params, "component"), d->request = word(params, "request"), d->target = word(params, "to");
  const struct psl_outlined *from = declared(d, d->component), *to = target_of(d, d->target);
  const struct psl_outlined *request =
      from && d->request ? request_of(d, from, d->request, json_object_get(params, "number")) : NULL;
  if (!request) return refused(d, "'%s' has no request '%s'", d->component, d->request);
  if (!stands_in(request, from) || !request->value_place.file)
    return refused(d, "'%s' has the request '%s' from another component: change it there", d->component, d->request);
  if (!to || !to->profile) return refused(d, "no component '%s' of the text accepts anything%s", d->target, NULL);
  const struct psl_outlined *own = accept && to != &d->elsewhere ? inside(d, to, accept, PSL_NAME_TRANSACTION) : NULL;
  put(change(d, place_begin(d, &request->value_place), place_end(d, &request->value_place)),
      own && own->profile ? own->profile : to->profile);
  d->accept = accept, d->requested = request->detail + strcspn(request->detail, " ");
  d->lines_before = request->value_place.line - request->place.line;
  return true;
}

/* ---- what is taken from elsewhere ---- */

/* Before the first line that names a file to use, or else before the first declaration. */
static void put_use(struct drawing *d, const char *file) {
  const struct text *text = &d->document->text;
  for (size_t i = 0; i < d->count; i++) /* an expression may name one, too */
    if (d->items[i].place.line <= d->first_use && d->first_use <= d->items[i].place.end_line) d->first_use = 0;
  size_t at = text->size;
  for (size_t i = d->count; !d->first_use && i-- > 0;)
    if (!d->items[i].depth) at = with_documentation(text, place_begin(d, &d->items[i].place));
  if (d->first_use) at = text_at(text, d->first_use, 1);
  chars_put(change(d, at, at), d->first_use || at == text->size ? "use %s;\n" : "use %s;\n\n", file);
}

/* A component of the library, or of a file beside the text: one like it, told from it by an attribute where that is
 * given, and the `use` that it needs. */
static bool draw_take(struct drawing *d, json_t *params) {
  const char *name = word(params, "name"), *file = word(params, "file"), *as = word(params, "as");
  const char *attribute = word(params, "attribute");
  struct chars text = {0};
  if (!is_new_name(as) || declared(d, as)) return refused(d, "'%s' cannot be the name of a new component%s", as, NULL);
  if (!is_new_name(name) || !is_new_name(file)) return refused(d, "no component '%s' is in a file '%s'", name, file);
  if (!d->elsewhere.name) put_use(d, file);
  chars_put(&text, "component %s like %s {\n", as, name);
  if (!is_blank(attribute)) chars_put(&text, "  profile %s = %s;\n", attribute, as);
  put(&text, "}\n");
  put_declaration(d, place_for_more(d, false), &text);
  chars_drop(&text);
  add_name(d, as, strlen(as));
  return true;
}

/* How a request is evaluated: what its selector says of the evaluation mode. */
static bool draw_mode(struct drawing *d, json_t *params) {
  const char *mode = word(params, "mode");
  const char *component = word(params, "component"), *name = word(params, "request");
  const struct psl_outlined *from = declared(d, component);
  const struct psl_outlined *request =
      from && name ? request_of(d, from, name, json_object_get(params, "number")) : NULL;
  if (!request) return refused(d, "'%s' has no request '%s'", component, name);
  if (!stands_in(request, from) || !request->value_place.file)
    return refused(d, "'%s' has the request '%s' from another component: change it there", component, name);
  if (is_blank(mode) || strpbrk(mode, ",;{}")) return refused(d, "no evaluation mode is given%s%s", NULL, NULL);
  size_t begin = place_begin(d, &request->value_place), end = place_end(d, &request->value_place), at = begin;
  const char *text = d->document->text.data;
  size_t length = strlen("evaluation mode");
  while (at < end && (strncmp(text + at, "evaluation", 10) || !strchr(" -", text[at + 10]) ||
                      strncmp(text + at + 11, "mode", 4) || isalnum((unsigned char)text[at + length])))
    at++;
  if (at < end) {
    at += length + strspn(text + at + length, " \t\n=");
    size_t last = at;
    for (unsigned nested = 0; last < end && (nested || !strchr(",}; \n", text[last])); last++) {
      nested += text[last] == '[' || text[last] == '(';
      nested -= nested && (text[last] == ']' || text[last] == ')');
    }
    put(change(d, at, last), mode);
    return true;
  }
  if (text[end - 1] != '}') return refused(d, "the selector of '%s' is no list in braces%s", name, NULL);
  for (at = end - 1; at > begin && strchr(" \t\n", text[at - 1]);)
    at--;
  chars_put(change(d, at, at), at > begin + 1 ? ", evaluation mode = " : " evaluation mode = ");
  put(&d->changes[0].text, mode);
  return true;
}

static const struct operation {
  const char *name;
  bool (*draw)(struct drawing *d, json_t *params);
} operations[] = {{"value", draw_value},     {"delete", draw_delete},       {"like", draw_like},
                  {"target", draw_target},   {"component", draw_component}, {"param", draw_param},
                  {"request", draw_request}, {"system", draw_system},       {"take", draw_take},
                  {"mode", draw_mode}};

/* ---- the text as it would be ---- */

struct would {
  struct drawing *drawing;
  struct chars text; /* NULL: it is as it is */
  char **errors;     /* what was said */
  size_t count, capacity;
  const struct would *before; /* what is wrong there is no error of this one */
  char error[250];            /* the first that is */
};

static const char *would_text(void *user, const char *path, size_t *size) {
  struct would *w = user;
  const struct document *own = w->drawing->document, *open = document_of_path(own->server, path);
  if (open == own && w->text.data) {
    *size = w->text.size;
    return w->text.data;
  }
  if (!open) return NULL;
  *size = open->text.size;
  return open->text.data;
}

static size_t times_said(const struct would *w, size_t count, const char *message) {
  size_t times = 0;
  for (size_t i = 0; i < count; i++)
    times += !strcmp(w->errors[i], message);
  return times;
}

static void would_say(void *user, const struct psl_diagnostic *diagnostic) {
  struct would *w = user;
  if (diagnostic->severity != PSL_ERROR) return;
  if (w->count == w->capacity) {
    w->capacity = w->capacity * 2 + 8;
    w->errors = memory_more(w->errors, w->capacity * sizeof *w->errors);
  }
  w->errors[w->count++] = memory_copy(diagnostic->message, strlen(diagnostic->message));
  if (!*w->error && w->before &&
      times_said(w, w->count, diagnostic->message) > times_said(w->before, w->before->count, diagnostic->message))
    snprintf(w->error, sizeof w->error, "line %u: %s", diagnostic->place.line, diagnostic->message);
}

static void would_drop(struct would *w) {
  for (size_t i = 0; i < w->count; i++)
    free(w->errors[i]);
  free(w->errors);
  chars_drop(&w->text);
}

static struct psl *would_read(struct would *w) {
  struct psl_options options = w->drawing->document->server->options;
  options.diagnostic = would_say;
  options.unsaved = would_text;
  options.user = w;
  options.max_errors = 1000;
  struct psl *psl = psl_open(&options);
  if (psl) psl_edit_file(psl, w->drawing->document->path);
  return psl;
}

/* The first one behind an item and what is in it. */
static size_t behind(const struct psl_outlined *items, size_t count, size_t at) {
  size_t next = at + 1;
  while (next < count && items[next].depth > items[at].depth)
    next++;
  return next;
}

/* Is it one of those that are to be there? A request is that in its component; without a label it is any. */
static bool is_added(const struct drawing *d, const struct psl_outlined *item, const char *in) {
  for (size_t i = 0; !item->depth && i < d->added_count; i++)
    if (!strcmp(item->name, d->added[i].data)) return true;
  if (!item->depth || !in || !d->component || strcmp(in, d->component)) return false;
  return d->request ? !strcmp(item->name, d->request) : item->kind == PSL_NAME_REQUEST;
}

/* Does the model declare what it did, but for what is meant? */
static bool same_outline(const struct drawing *d, const struct psl_outlined *items, size_t count) {
  size_t i = 0;
  const char *in = NULL; /* the declaration at the top that it is in */
  for (size_t at = 0; at < count;) {
    if (i < d->count && &d->items[i] == d->gone) {
      i = behind(d->items, d->count, i);
    } else if (i < d->count && items[at].kind == d->items[i].kind && items[at].depth == d->items[i].depth &&
               !strcmp(items[at].name, d->items[i].name)) {
      if (!items[at].depth) in = items[at].name;
      at++, i++;
    } else if (is_added(d, &items[at], in)) {
      at = behind(items, count, at);
    } else {
      return false;
    }
  }
  if (i < d->count && &d->items[i] == d->gone) i = behind(d->items, d->count, i);
  return i == d->count;
}

/* The line of the selector in the text as it would be. */
static unsigned selector_line(const struct drawing *d, const struct chars *text) {
  size_t at = d->changes[d->change_count - 1].begin + d->selector;
  unsigned line = 1;
  for (size_t i = 0; i + 1 < d->change_count; i++)
    at += d->changes[i].text.size - (d->changes[i].end - d->changes[i].begin);
  for (size_t i = 0; i < at && i < text->size; i++)
    line += text->data[i] == '\n';
  return line;
}

/* The lens above the request says where it goes: "goes to disk (4 instances)". There is none where no system comes by;
 * then nothing else is known of it than that it asks for all of the profile. */
static bool goes_there(const struct drawing *d, struct psl *psl, const struct chars *text) {
  static const char begin[] = "goes to ";
  const struct psl_match *matches;
  size_t count;
  unsigned line = selector_line(d, text);
  if (matches_in_time(d->document, psl, true, &matches, &count) != PSL_OK) return false;
  const struct psl_match *last = NULL;
  for (size_t i = 0; i < count; i++)
    if (matches[i].place.line + d->lines_before >= line && matches[i].place.line <= line) last = &matches[i];
  size_t length = strlen(d->target);
  if (!last) return true;
  if (strncmp(last->text, begin, sizeof begin - 1)) return false;
  const char *name = last->text + sizeof begin - 1;
  return !strncmp(name, d->target, length) && (!name[length] || name[length] == ' ' || name[length] == '[');
}

static bool is_meant(struct drawing *d, const struct would *after, struct psl *psl) {
  const struct psl_outlined *items;
  size_t count;
  if (psl_outline(psl, d->document->path, &items, &count) != PSL_OK || !same_outline(d, items, count))
    return refused(d, "the text would declare something else than was meant%s%s", *after->error ? ": " : "",
                   after->error);
  if (!d->target || goes_there(d, psl, &after->text)) return true;
  if (d->accept && d->requested && strcmp(d->accept, d->requested + strspn(d->requested, " ")))
    return refused(d, "no selector makes it go there: it requests%s, and no coercion leads to %s", d->requested,
                   d->accept);
  return refused(d, "'%s' would not go to '%s' alone: its profile does not tell it from all others",
                 d->request ? d->request : "every", d->target);
}

static bool is_sound(struct drawing *d) {
  const struct text *text = &d->document->text;
  struct would before = {.drawing = d}, after = {.drawing = d, .before = &before};
  d->document->server->interrupted = 0;
  size_t at = 0;
  for (size_t i = 0; i < d->change_count; i++) {
    const struct change *c = &d->changes[i];
    chars_add(&after.text, text->data + at, c->begin - at);
    chars_add(&after.text, c->text.data ? c->text.data : "", c->text.size);
    at = c->end;
  }
  chars_add(&after.text, text->data + at, text->size - at);
  psl_close(would_read(&before));
  struct psl *psl = would_read(&after);
  bool sound = psl && !*after.error;
  if (psl && !sound) refused(d, "nothing is changed, since the text would be wrong: %s%s", after.error, NULL);
  sound = sound && is_meant(d, &after, psl);
  psl_close(psl);
  would_drop(&before), would_drop(&after);
  return sound;
}

/* ---- the request ---- */

static bool draw(struct drawing *d, json_t *params) {
  const char *name = word(params, "operation");
  for (size_t i = 0; name && i < sizeof operations / sizeof *operations; i++)
    if (!strcmp(operations[i].name, name)) return operations[i].draw(d, params) && is_sound(d);
  fail(d->failure, INVALID_PARAMS,
       "the operation is value, delete, like, target, component, param, request, system, take or mode");
  return false;
}

static json_t *changes_json(const struct drawing *d) {
  json_t *list = json_array();
  for (size_t i = 0; i < d->change_count; i++) {
    const struct change *c = &d->changes[i];
    json_t *range = text_range(&d->document->text, d->document->server->encoding, c->begin, c->end);
    json_array_append_new(list, json_pack("{s:o, s:s}", "range", range, "newText", c->text.data ? c->text.data : ""));
  }
  return list;
}

static void find_first_use(struct drawing *d, struct psl *psl) {
  const struct psl_name *names;
  size_t count;
  if (psl_names(psl, d->document->path, &names, &count) != PSL_OK) return;
  for (size_t i = count; i-- > 0;)
    if (names[i].kind == PSL_NAME_FILE && !names[i].declares) d->first_use = names[i].place.line;
}

/* What a request is to go to may stand in a file that the text uses. An outline holds until the next one: the text's
 * own is read last. */
static void find_elsewhere(struct drawing *d, struct psl *psl, const char *name) {
  const char *const *paths;
  const struct psl_outlined *items;
  size_t count, found = 0;
  struct chars list = {0};
  if (psl_files(psl, &paths, &count) != PSL_OK) return;
  for (size_t i = 0; i < count; i++)
    chars_add(&list, paths[i], strlen(paths[i]) + 1);
  for (const char *path = list.data; path && path < list.data + list.size && !found; path += strlen(path) + 1) {
    if (psl_outline(psl, path, &items, &count) != PSL_OK) continue;
    for (size_t i = 0; i < count && !found; i++) {
      if (items[i].depth || items[i].kind != PSL_NAME_COMPONENT || strcmp(items[i].name, name)) continue;
      found = 1;
      if (items[i].profile) put(&d->elsewhere_texts[0], items[i].profile);
      if (items[i].accepts) put(&d->elsewhere_texts[1], items[i].accepts);
      d->elsewhere = (struct psl_outlined){.name = name,
                                           .detail = "",
                                           .kind = PSL_NAME_COMPONENT,
                                           .profile = d->elsewhere_texts[0].data,
                                           .accepts = d->elsewhere_texts[1].data};
    }
  }
  chars_drop(&list);
}

json_t *answer_draw(struct server *server, json_t *params, struct failure *failure) {
  struct drawing d = {.document = params_document(server, params, failure), .failure = failure};
  json_t *answer = NULL;
  if (!d.document) return NULL;
  const char *operation = word(params, "operation"), *wanted = word(params, "to");
  if (operation && !strcmp(operation, "take")) {
    wanted = word(params, "name");
    find_first_use(&d, document_model(d.document));
  }
  if (wanted) find_elsewhere(&d, document_model(d.document), wanted);
  if (psl_outline(document_model(d.document), d.document->path, &d.items, &d.count) != PSL_OK) d.count = 0;
  if (draw(&d, params)) answer = json_pack("{s:{s:o}}", "changes", d.document->uri, changes_json(&d));
  for (size_t i = 0; i < d.change_count; i++)
    chars_drop(&d.changes[i].text);
  for (size_t i = 0; i < d.added_count; i++)
    chars_drop(&d.added[i]);
  for (size_t i = 0; i < 2; i++)
    chars_drop(&d.elsewhere_texts[i]);
  return answer;
}
