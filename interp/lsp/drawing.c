/* Drawing: what is done to the graph of a model is an edit of its text.  Each operation is the few bytes that it
 * changes; the text is read as it would then be, and where that is not what was meant, or has an error that it did not
 * have, nothing is changed, and it is said why. */
#include "interp/lsp/server.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ADDED = 2 };

struct drawing {
  struct document *document;
  struct failure *failure;
  const struct psl_outlined *items; /* of the text as it is */
  size_t count;
  struct filled { /* values that stand in it, of the components that an operation is of */
    const char *component;
    size_t begin, end, whole_begin, whole_end;
    enum psl_field_kind kind;
    char *label, *calls; /* calls: NULL: it is no call */
  } * fields;
  size_t field_count, field_capacity;
  unsigned first_use;            /* the line; 0: there is none */
  struct psl_outlined elsewhere; /* the component of another file that a request is to go to; name NULL: none */
  struct chars elsewhere_texts[2], accepted; /* accepted: the first transaction that the target accepts */
  struct change {
    size_t begin, end; /* what gives way */
    struct chars text; /* to this */
    bool asks;         /* it has the selector of the request that goes to the target */
  } * changes;
  size_t change_count, change_capacity;
  const struct psl_outlined **gone; /* what the model has no more */
  size_t gone_count, gone_capacity;
  struct chars added[MOST_ADDED]; /* the keys of what it has more */
  size_t added_count;
  const char *component, *request, *target; /* where a request goes then; NULL: no matter */
  const char *accept, *requested;           /* by which accept, of what transaction the request is; NULL: not known */
  unsigned selector;                        /* so many lines below the first of the change that asks it stands, */
  unsigned lines_before;                    /* and so many below the request's first one */
};

/* ---- what is there ---- */

/* The one that an item stands in; NULL: it stands in none. */
static const struct psl_outlined *outer_of(const struct psl_outlined *items, const struct psl_outlined *item) {
  for (const struct psl_outlined *i = item; item->depth && i-- > items;)
    if (i->depth < item->depth) return i;
  return NULL;
}

/* Its name, behind those of the components that it is in: "office.clerk". */
static bool has_key(const struct psl_outlined *items, const struct psl_outlined *item, const char *key) {
  for (size_t end = strlen(key); item; item = outer_of(items, item)) {
    size_t begin = end, length = strlen(item->name);
    while (begin && key[begin - 1] != '.')
      begin--;
    if (end - begin != length || strncmp(key + begin, item->name, length) != 0) return false;
    if (!begin) return !item->depth;
    end = begin - 1;
  }
  return false;
}

static const struct psl_outlined *declared(const struct drawing *d, const char *key) {
  bool nested = key && strchr(key, '.');
  for (size_t i = 0; key && i < d->count; i++)
    if ((nested || !d->items[i].depth) && has_key(d->items, &d->items[i], key)) return &d->items[i];
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
  if (d->change_count == d->change_capacity) {
    d->change_capacity = d->change_capacity * 2 + 4;
    d->changes = memory_more(d->changes, d->change_capacity * sizeof *d->changes);
  }
  struct change *c = &d->changes[d->change_count++];
  *c = (struct change){.begin = begin, .end = end};
  return &c->text;
}

static void put(struct chars *chars, const char *text) { chars_add(chars, text, strlen(text)); }

static void add_name(struct drawing *d, const char *name, size_t length) {
  chars_add(&d->added[d->added_count++], name, length);
}

static void add_gone(struct drawing *d, const struct psl_outlined *item) {
  if (d->gone_count == d->gone_capacity) {
    d->gone_capacity = d->gone_capacity * 2 + 4;
    d->gone = memory_more(d->gone, d->gone_capacity * sizeof *d->gone);
  }
  d->gone[d->gone_count++] = item;
}

static unsigned lines_in(const char *text, size_t size) {
  unsigned lines = 0;
  for (size_t i = 0; i < size; i++)
    lines += text[i] == '\n';
  return lines;
}

/* Each line so many blanks further to the right. */
static void put_indented(struct chars *out, const char *text, unsigned blanks) {
  for (const char *at = text; *at;) {
    size_t length = strcspn(at, "\n");
    for (unsigned i = 0; length && i < blanks; i++)
      put(out, " ");
    length += at[length] == '\n';
    chars_add(out, at, length);
    at += length;
  }
}

/* How far a declaration stands to the right. */
static unsigned indent_of(const struct psl_outlined *item) { return item->place.column ? item->place.column - 1 : 0; }

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

/* Where the heading begins of the part that it is all of: "body:" before a call. What follows is the end of the
 * component, or, as `parts` says, another part. */
static size_t with_heading(const struct text *text, size_t begin, size_t end, bool parts) {
  size_t at = begin, next = end + strspn(text->data + end, " \t\r\n");
  while (at && strchr(" \t\r\n", text->data[at - 1]))
    at--;
  if (!at || text->data[at - 1] != ':') return begin;
  for (at--; at && isalpha((unsigned char)text->data[at - 1]);)
    at--;
  size_t word = next;
  while (word < text->size && isalpha((unsigned char)text->data[word]))
    word++;
  return text->data[next] == '}' || (parts && word > next && text->data[word] == ':') ? at : begin;
}

/* The whole line where nothing else stands in it. */
static void delete_line(struct drawing *d, size_t begin, size_t end) {
  const struct text *text = &d->document->text;
  size_t first = begin, last = end + strspn(text->data + end, " \t");
  while (first && strchr(" \t", text->data[first - 1]))
    first--;
  if ((first && text->data[first - 1] != '\n') || (last < text->size && text->data[last] != '\n'))
    change(d, begin, end);
  else
    change(d, first, last + (last < text->size));
}

static void delete_whole(struct drawing *d, const struct psl_outlined *item) {
  const struct text *text = &d->document->text;
  change(d, with_documentation(text, place_begin(d, &item->place)), with_line(text, place_end(d, &item->place)));
  add_gone(d, item);
}

static bool is_gone(const struct drawing *d, const struct psl_outlined *item) {
  for (size_t i = 0; i < d->gone_count; i++)
    if (item == d->gone[i] || (item > d->gone[i] && stands_in(item, d->gone[i]))) return true;
  return false;
}

/* A system without requests is none. */
static bool asks_nothing(const struct drawing *d, const struct psl_outlined *system) {
  const struct psl_outlined *i = system + 1;
  for (; i < d->items + d->count && i->depth > system->depth; i++)
    if (i->kind == PSL_NAME_REQUEST && !is_gone(d, i)) return false;
  return true;
}

/* A request, with the calls that make it; a system that then asks nothing goes as a whole. */
static bool delete_request(struct drawing *d, json_t *params) {
  const char *component = word(params, "component"), *name = word(params, "request");
  const struct psl_outlined *from = declared(d, component);
  const struct psl_outlined *request =
      from && name ? request_of(d, from, name, json_object_get(params, "number")) : NULL;
  if (!request) return refused(d, "'%s' has no request '%s'", component, name);
  if (is_gone(d, request)) return true;
  if (!stands_in(request, from))
    return refused(d, "'%s' has the request '%s' from another component: delete it there", component, name);
  size_t begin = place_begin(d, &request->place), end = place_end(d, &request->place);
  add_gone(d, request);
  if (from->kind == PSL_NAME_SYSTEM && asks_nothing(d, from)) {
    size_t whole = place_begin(d, &from->place), last = place_end(d, &from->place), kept = 0;
    for (size_t i = 0; i < d->change_count; i++)
      if (d->changes[i].begin < whole || d->changes[i].begin >= last)
        d->changes[kept++] = d->changes[i];
      else
        chars_drop(&d->changes[i].text);
    d->change_count = kept;
    delete_whole(d, from);
    return true;
  }
  delete_line(d, with_heading(&d->document->text, begin, end, false), end);
  for (size_t i = 0; i < d->field_count; i++) {
    const struct filled *f = &d->fields[i];
    if (f->component && f->calls && !strcmp(f->component, component) && !strcmp(f->calls, name))
      delete_line(d, with_heading(&d->document->text, f->whole_begin, f->whole_end, true), f->whole_end);
  }
  return true;
}

static bool draw_delete(struct drawing *d, json_t *params) {
  const char *name = word(params, "name");
  const struct psl_outlined *item = declared(d, name);
  json_t *requests = json_object_get(params, "requests"), *request;
  size_t i;
  if (!item) return refused(d, "'%s' is not declared in the text%s", name, NULL);
  if (item->depth)
    delete_line(d, with_documentation(&d->document->text, place_begin(d, &item->place)), place_end(d, &item->place)),
        add_gone(d, item);
  else
    delete_whole(d, item);
  json_array_foreach(requests, i, request) if (!delete_request(d, request)) return false;
  return true;
}

/* ---- values ---- */

/* One value, and nothing that would end it or begin another. */
static bool is_value(const char *text, enum psl_field_kind kind) {
  int nested = 0;
  bool quoted = false;
  if (is_blank(text)) return kind == PSL_FIELD_GIVEN;
  for (const char *at = text; *at; at++) {
    if (quoted && *at == '\\' && at[1])
      at++;
    else if (*at == '"')
      quoted = !quoted;
    if (quoted) continue;
    if (strchr("([{", *at)) nested++;
    if (strchr(")]}", *at) && nested-- == 0) return false;
    if (!strncmp(at, "//", 2) || !strncmp(at, "/*", 2)) return false;
    if (!nested && (*at == ';' || (*at == ',' && (kind == PSL_FIELD_VALUE || kind == PSL_FIELD_ATTRIBUTE))))
      return false;
  }
  return !nested && !quoted;
}

/* What a form has been filled in with: each the number of a field, the text that stood there, and what is to. */
static bool draw_fill(struct drawing *d, json_t *params) {
  json_t *values = json_object_get(params, "values"), *one;
  const char *component = word(params, "component");
  size_t i;
  if (!declared(d, component)) return refused(d, "no component '%s' is in the text%s", component, NULL);
  json_array_foreach(values, i, one) {
    const char *was = word(one, "was"), *value = word(one, "value");
    json_int_t number = json_integer_value(json_object_get(one, "field"));
    const struct filled *f = number >= 0 && (size_t)number < d->field_count ? &d->fields[number] : NULL;
    if (!f || !was || !value || strlen(was) != f->end - f->begin ||
        strncmp(was, d->document->text.data + f->begin, f->end - f->begin) != 0)
      return refused(d, "the text has changed meanwhile: nothing is done%s%s", NULL, NULL);
    if (is_blank(value) && !is_value(value, f->kind)) return refused(d, "'%s' needs a value%s", f->label, NULL);
    if (!is_value(value, f->kind)) return refused(d, "'%s' is not a value that '%s' could have", value, f->label);
    if (strcmp(was, value) != 0) put(change(d, f->begin, f->end), value);
  }
  return d->change_count || refused(d, "no value is another than before%s%s", NULL, NULL);
}

static bool is_new_name(const char *name) {
  if (!name || !isalpha((unsigned char)*name)) return false;
  for (const char *at = name; *at; at++)
    if (*at == '-' ? !isalpha((unsigned char)at[1]) : !isalnum((unsigned char)*at) && *at != '_') return false;
  return true;
}

/* All of a component that is in another one, by another name: what is inside is not like anything. */
static bool put_copy(struct drawing *d, const struct psl_outlined *item, const char *as, const char *attribute,
                     struct chars *out) {
  const char *text = d->document->text.data;
  const struct filled *told = NULL;
  size_t begin = place_begin(d, &item->place), end = place_end(d, &item->place);
  size_t name = place_begin(d, &item->name_place), at = place_end(d, &item->name_place);
  for (size_t i = 0; attribute && i < d->field_count && !told; i++)
    if (d->fields[i].kind == PSL_FIELD_ATTRIBUTE && !strcmp(d->fields[i].label, attribute)) told = &d->fields[i];
  if (attribute && !told) return refused(d, "'%s' has no attribute '%s'", item->name, attribute);
  put(out, "\n\n");
  for (unsigned i = 0; i < indent_of(item); i++)
    put(out, " ");
  chars_add(out, text + begin, name - begin);
  put(out, as);
  if (told) {
    chars_add(out, text + at, told->begin - at);
    put(out, as);
    at = told->end;
  }
  chars_add(out, text + at, end - at);
  return true;
}

/* Another component, told from the first by an attribute of its profile, which requests then ask for. */
static bool draw_like(struct drawing *d, json_t *params) {
  const char *name = word(params, "name"), *as = word(params, "as"), *attribute = word(params, "attribute");
  const struct psl_outlined *item = declared(d, name);
  if (!item || item->kind != PSL_NAME_COMPONENT) return refused(d, "no component '%s' is in the text%s", name, NULL);
  if (!is_new_name(as) || declared(d, as)) return refused(d, "'%s' cannot be the name of a new component%s", as, NULL);
  size_t end = place_end(d, &item->place), around = strlen(name) - strlen(item->name);
  struct chars *text = change(d, end, end), key = {0};
  if (item->depth) {
    if (!put_copy(d, item, as, is_blank(attribute) ? NULL : attribute, text)) return false;
  } else {
    chars_put(text, "\n\ncomponent %s like %s {\n", as, name);
    if (attribute) chars_put(text, "  profile %s = %s;\n", attribute, as);
    chars_put(text, "}");
  }
  chars_add(&key, name, around);
  put(&key, as);
  add_name(d, key.data, key.size);
  chars_drop(&key);
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

/* Where the selector stands in what is put out next: behind so many bytes of `text`. */
static void note_selector(struct drawing *d, const struct chars *out, const struct chars *text) {
  d->selector = lines_in(out->data, out->size) + lines_in(text->data, text->size);
}

static void put_every(struct drawing *d, struct chars *out, const struct psl_outlined *to, const char *given) {
  put(out, "    every selector = ");
  d->selector = lines_in(out->data, out->size);
  put(out, to->profile);
  put(out, ";\n    transaction    = ");
  put_given(out, to->accepts, given);
  put(out, ";\n    protocol       = call-return;\n");
}

/* Are there several instances of it, of which a request could mean one? */
static bool is_many(const struct drawing *d, const struct psl_outlined *item) {
  for (unsigned i = 0; item && i < 16 && item != &d->elsewhere && item->place.file; i++) {
    const char *behind = d->document->text.data + place_end(d, &item->name_place);
    if (strncmp(item->detail, "like ", 5)) return behind[strspn(behind, " \t\n")] == '[';
    item = declared(d, item->detail + 5);
  }
  return false;
}

/* Of several instances a request goes to one that is free, unless it says another thing. */
static const char *quantifier_of(const struct drawing *d, const struct psl_outlined *to, json_t *params) {
  if (json_is_true(json_object_get(params, "all"))) return "every";
  return is_many(d, to) || json_is_true(json_object_get(params, "several")) ? "any" : "";
}

/* A call at the end of its body, and the request that it is of. */
static bool put_call(struct drawing *d, const struct psl_outlined *from, const struct psl_outlined *to,
                     json_t *params) {
  const char *label = word(params, "request"), *given = word(params, "given"), *open = strchr(to->accepts, '(');
  struct chars call = {0}, text = {0};
  chars_put(&call, "    call %s(", label);
  put(&call, is_blank(given) ? "" : given);
  put(&call, ");\n");
  if (from->body_place.file) {
    const struct text *whole = &d->document->text;
    size_t at = place_end(d, &from->body_place);
    at += strcspn(whole->data + at, "\n");
    at += at < whole->size;
    put_indented(change(d, at, at), call.data, indent_of(from));
  }
  struct chars *out = change_at_end(d, from);
  if (!from->body_place.file) {
    put(&text, "  body:\n");
    chars_add(&text, call.data, call.size);
  }
  chars_put(&text, "%s    %s%s:\n      ", from->requests_last ? "" : "  requests:\n", label, open ? open : "()");
  const char *quantifier = quantifier_of(d, to, params);
  int widest = *quantifier ? (int)strlen(quantifier) + 9 : 11;
  chars_put(&text, *quantifier ? "%s selector = " : "%sselector    = ", quantifier);
  note_selector(d, out, &text);
  put(&text, to->profile);
  chars_put(&text, ";\n      %-*s = ", widest, "transaction");
  put(&text, to->accepts);
  chars_put(&text, ";\n      %-*s = call-return;\n", widest, "protocol");
  put_indented(out, text.data, indent_of(from));
  chars_drop(&call), chars_drop(&text);
  d->changes[d->change_count - 1].asks = true;
  d->lines_before = 1;
  d->request = label;
  return true;
}

/* From a component or system to another component, which need not have asked it for anything before. */
static bool put_request(struct drawing *d, const struct psl_outlined *to, json_t *params) {
  const char *label = word(params, "request");
  d->component = word(params, "component");
  const struct psl_outlined *from = declared(d, d->component);
  if (from && from->kind == PSL_NAME_SYSTEM) {
    struct chars *out = change_at_end(d, from);
    if (!from->requests_last) put(out, "  requests:\n");
    put_every(d, out, to, word(params, "given"));
    d->changes[d->change_count - 1].asks = true;
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

static bool draw_request(struct drawing *d, json_t *params) {
  d->target = word(params, "to");
  const struct psl_outlined *to = target_of(d, d->target);
  if (!to || !to->profile || !to->accepts)
    return refused(d, "no component '%s' of the text accepts anything%s", d->target, NULL);
  return put_request(d, to, params);
}

/* A component from nothing, and a request to it. */
static bool draw_append(struct drawing *d, json_t *params) {
  struct psl_outlined to = {.name = word(params, "name"), .kind = PSL_NAME_COMPONENT};
  struct chars profile = {0}, accepts = {0};
  d->target = to.name;
  bool drawn = draw_component(d, params);
  if (drawn) {
    put(&profile, "{ domain = ");
    put(&profile, word(params, "domain"));
    chars_put(&profile, ", node type = %s }", to.name);
    put_without_types(&accepts, word(params, "transaction"));
    to.profile = profile.data, to.accepts = accepts.data;
    drawn = put_request(d, &to, params);
  }
  chars_drop(&profile), chars_drop(&accepts);
  return drawn;
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
  d->selector += (unsigned)strspn(d->changes[0].text.data, "\n"); /* empty lines may stand before it */
  d->changes[0].asks = true;
  chars_drop(&text);
  add_name(d, name, strlen(name));
  return true;
}

/* Of several one that is free is meant: "selector    =" becomes "any selector =", where nothing else is said. */
static void ask_any(struct drawing *d, size_t selection) {
  static const char of_one[] = "selector";
  const char *text = d->document->text.data;
  size_t at = selection, length = sizeof of_one - 1;
  while (at && strchr(" \t\n=", text[at - 1]))
    at--;
  if (at < length || strncmp(text + at - length, of_one, length)) return;
  size_t begin = at - length, before = begin, blanks = strspn(text + at, " ");
  while (before && strchr(" \t\n", text[before - 1]))
    before--;
  if (before && isalpha((unsigned char)text[before - 1])) return;
  struct chars *out = change(d, begin, at + (blanks > 4 ? 4 : blanks ? blanks - 1 : 0));
  put(out, "any selector");
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
  if (is_many(d, to)) ask_any(d, place_begin(d, &request->value_place));
  put(change(d, place_begin(d, &request->value_place), place_end(d, &request->value_place)),
      own && own->profile ? own->profile : to->profile);
  d->changes[d->change_count - 1].asks = true;
  if (to->accepts) chars_add(&d->accepted, to->accepts, strcspn(to->accepts, "( "));
  d->accept = accept ? accept : d->accepted.data, d->requested = request->detail + strcspn(request->detail, " ");
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
static bool is_added(const struct drawing *d, const struct psl_outlined *items, const struct psl_outlined *item) {
  for (size_t i = 0; i < d->added_count; i++)
    if (has_key(items, item, d->added[i].data)) return true;
  const struct psl_outlined *outer = outer_of(items, item);
  if (!outer || !d->component || !has_key(items, outer, d->component)) return false;
  return d->request ? !strcmp(item->name, d->request) : item->kind == PSL_NAME_REQUEST;
}

/* Does the model declare what it did, but for what is meant? */
static bool same_outline(const struct drawing *d, const struct psl_outlined *items, size_t count) {
  size_t i = 0;
  for (size_t at = 0; at < count || i < d->count;) {
    bool gone = false;
    for (size_t k = 0; i < d->count && k < d->gone_count; k++)
      gone |= d->gone[k] == &d->items[i];
    if (gone) {
      i = behind(d->items, d->count, i);
    } else if (at < count && i < d->count && items[at].kind == d->items[i].kind &&
               items[at].depth == d->items[i].depth && !strcmp(items[at].name, d->items[i].name)) {
      at++, i++;
    } else if (at < count && is_added(d, items, &items[at])) {
      at = behind(items, count, at);
    } else {
      return false;
    }
  }
  return true;
}

/* The line of the selector in the text as it would be. */
static unsigned selector_line(const struct drawing *d, const struct chars *text) {
  size_t at = 0;
  const struct change *asks = d->changes;
  for (; asks + 1 < d->changes + d->change_count && !asks->asks; asks++)
    at += asks->text.size - (asks->end - asks->begin);
  at += asks->begin;
  return 1 + lines_in(text->data, at < text->size ? at : text->size) + d->selector;
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
  const char *within = strrchr(d->target, '.'), *target = within ? within + 1 : d->target;
  size_t length = strlen(target);
  if (!last) return true;
  if (strncmp(last->text, begin, sizeof begin - 1)) return false;
  const char *name = last->text + sizeof begin - 1;
  return !strncmp(name, target, length) && (!name[length] || name[length] == ' ' || name[length] == '[');
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
  const char *within = strrchr(d->target, '.');
  size_t outer = within ? (size_t)(within - d->target) : 0;
  bool sees = d->component && !strncmp(d->component, d->target, outer) && strchr(".", d->component[outer]);
  if (within && !sees)
    return fail(d->failure, REQUEST_FAILED, "'%s' stands in '%.*s', and only what stands there can ask it", d->target,
                (int)outer, d->target),
           false;
  return refused(d, "'%s' would not go to '%s' alone: its profile does not tell it from all others",
                 d->request ? d->request : "every", d->target);
}

/* In the order of the text; those of one place as they were made. */
static void sort_changes(struct drawing *d) {
  for (size_t i = 1; i < d->change_count; i++) {
    struct change c = d->changes[i];
    size_t at = i;
    for (; at && d->changes[at - 1].begin > c.begin; at--)
      d->changes[at] = d->changes[at - 1];
    d->changes[at] = c;
  }
}

static bool is_sound(struct drawing *d) {
  const struct text *text = &d->document->text;
  struct would before = {.drawing = d}, after = {.drawing = d, .before = &before};
  d->document->server->interrupted = 0;
  size_t at = 0;
  sort_changes(d);
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

/* ---- what an operation is told of the model before: an outline holds until something else is asked ---- */

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

/* What can be filled in of a component, by the number that a form has it by. */
static void read_fields(struct drawing *d, struct psl *psl, const char *component) {
  const struct psl_field *fields;
  size_t count;
  if (!component || psl_fields(psl, d->document->path, component, &fields, &count) != PSL_OK) return;
  for (size_t i = 0; i < count; i++) {
    if (d->field_count == d->field_capacity) {
      d->field_capacity = d->field_capacity * 2 + 8;
      d->fields = memory_more(d->fields, d->field_capacity * sizeof *d->fields);
    }
    d->fields[d->field_count++] =
        (struct filled){.component = component,
                        .begin = place_begin(d, &fields[i].place),
                        .end = place_end(d, &fields[i].place),
                        .whole_begin = place_begin(d, &fields[i].whole),
                        .whole_end = place_end(d, &fields[i].whole),
                        .kind = fields[i].kind,
                        .label = memory_copy(fields[i].label, strlen(fields[i].label)),
                        .calls = fields[i].calls ? memory_copy(fields[i].calls, strlen(fields[i].calls)) : NULL};
  }
}

/* Of the components whose requests are to go with one that is deleted, each once. */
static void read_callers(struct drawing *d, struct psl *psl, json_t *params) {
  json_t *request;
  size_t i;
  json_array_foreach(json_object_get(params, "requests"), i, request) {
    const char *component = word(request, "component");
    bool known = !component;
    for (size_t k = 0; !known && k < d->field_count; k++)
      known = !strcmp(d->fields[k].component, component);
    if (!known) read_fields(d, psl, component);
  }
}

/* Where a request is to go. */
static void read_target(struct drawing *d, struct psl *psl, json_t *params) {
  const char *target = word(params, "to");
  if (target) find_elsewhere(d, psl, target);
}

static void read_taken(struct drawing *d, struct psl *psl, json_t *params) {
  const char *name = word(params, "name");
  find_first_use(d, psl);
  if (name) find_elsewhere(d, psl, name);
}

static void read_named(struct drawing *d, struct psl *psl, json_t *params) {
  read_fields(d, psl, word(params, "name"));
}

static void read_filled(struct drawing *d, struct psl *psl, json_t *params) {
  read_fields(d, psl, word(params, "component"));
}

/* ---- the request ---- */

static const struct operation {
  const char *name;
  bool (*draw)(struct drawing *d, json_t *params);
  void (*read)(struct drawing *d, struct psl *psl, json_t *params); /* NULL: nothing */
} operations[] = {{"value", draw_value, NULL},
                  {"delete", draw_delete, read_callers},
                  {"like", draw_like, read_named},
                  {"target", draw_target, read_target},
                  {"component", draw_component, NULL},
                  {"param", draw_param, NULL},
                  {"request", draw_request, read_target},
                  {"system", draw_system, read_target},
                  {"take", draw_take, read_taken},
                  {"mode", draw_mode, NULL},
                  {"fill", draw_fill, read_filled},
                  {"append", draw_append, NULL}};

static const struct operation *operation_of(json_t *params) {
  const char *name = word(params, "operation");
  for (size_t i = 0; name && i < sizeof operations / sizeof *operations; i++)
    if (!strcmp(operations[i].name, name)) return &operations[i];
  return NULL;
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

static void drawing_drop(struct drawing *d) {
  for (size_t i = 0; i < d->change_count; i++)
    chars_drop(&d->changes[i].text);
  for (size_t i = 0; i < d->added_count; i++)
    chars_drop(&d->added[i]);
  for (size_t i = 0; i < 2; i++)
    chars_drop(&d->elsewhere_texts[i]);
  chars_drop(&d->accepted);
  for (size_t i = 0; i < d->field_count; i++)
    free(d->fields[i].label), free(d->fields[i].calls);
  free(d->changes), free(d->gone), free(d->fields);
}

json_t *answer_draw(struct server *server, json_t *params, struct failure *failure) {
  const struct operation *operation = operation_of(params);
  struct drawing d = {.document = params_document(server, params, failure), .failure = failure};
  json_t *answer = NULL;
  if (!d.document) return NULL;
  if (!operation)
    return fail(
        failure, INVALID_PARAMS,
        "the operation is value, fill, delete, like, target, component, param, request, append, system, take or mode");
  if (operation->read) operation->read(&d, document_model(d.document), params);
  if (psl_outline(document_model(d.document), d.document->path, &d.items, &d.count) != PSL_OK) d.count = 0;
  if (operation->draw(&d, params) && is_sound(&d))
    answer = json_pack("{s:{s:o}}", "changes", d.document->uri, changes_json(&d));
  drawing_drop(&d);
  return answer;
}
