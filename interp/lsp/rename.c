/* Renaming: every use of a name is rewritten, and then each model that has one is read as it would be. If there is an
 * error that was not there before, or if a name would mean something else than now, nothing is renamed, and it is said
 * why. Errors that are there already are no hindrance, but where the name stands by one: that use may not be known. */
#include "interp/lsp/references.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- texts as they would be ---- */

struct renamed { /* a file as it would be */
  char *path, *text;
  size_t size;
};
struct said { /* an error that a model has as it is */
  char *file, *message;
  unsigned line, column;
};
struct renaming {
  struct wanted *wanted;
  const char *name; /* the new one */
  struct renamed *files;
  size_t count;
  struct said *said;
  size_t said_count;
  bool after;      /* the model is read as it would be */
  size_t errors;   /* that are said of it */
  char error[200]; /* the first one that it does not have as it is; "": none */
};

static const char *renamed_text(void *user, const char *path, size_t *size) {
  const struct renaming *r = user;
  for (size_t i = 0; i < r->count; i++) {
    if (strcmp(r->files[i].path, path)) continue;
    *size = r->files[i].size;
    return r->files[i].text;
  }
  const struct document *open = document_of_path(r->wanted->server, path);
  if (!open) return NULL;
  *size = open->text.size;
  return open->text.data;
}

static const char *present_text(void *user, const char *path, size_t *size) {
  const struct renaming *r = user;
  const struct document *open = document_of_path(r->wanted->server, path);
  if (!open) return NULL;
  *size = open->text.size;
  return open->text.data;
}

/* On its line, in the same words but for the name. */
static bool was_said(const struct renaming *r, const struct psl_diagnostic *diagnostic) {
  const char *file = diagnostic->place.file ? diagnostic->place.file : "";
  for (size_t i = 0; i < r->said_count; i++) {
    const struct said *said = &r->said[i];
    if (said->line != diagnostic->place.line || strcmp(said->file, file)) continue;
    if (!strcmp(said->message, diagnostic->message)) return true;
    if (strstr(said->message, r->wanted->name) && strstr(diagnostic->message, r->name)) return true;
  }
  return false;
}

static void note_error(void *user, const struct psl_diagnostic *diagnostic) {
  struct renaming *r = user;
  if (diagnostic->severity != PSL_ERROR) return;
  const struct psl_place *place = &diagnostic->place;
  r->errors++;
  if (!r->after) {
    const char *file = place->file ? place->file : "";
    r->said = memory_more(r->said, (r->said_count + 1) * sizeof *r->said);
    r->said[r->said_count++] =
        (struct said){memory_copy(file, strlen(file)), memory_copy(diagnostic->message, strlen(diagnostic->message)),
                      place->line, place->column};
  } else if (!*r->error && !was_said(r, diagnostic)) {
    snprintf(r->error, sizeof r->error, "%u:%u: %s", place->line, place->column, diagnostic->message);
  }
}

/* The uses are sorted by file and place. */
static void rewrite(struct renaming *r) {
  const struct wanted *w = r->wanted;
  for (size_t i = 0, next; i < w->count; i = next) {
    struct text own = {0};
    const struct text *text = text_of_path(w->server, w->uses[i].path, &own);
    struct chars out = {0};
    size_t at = 0;
    size_t end = wanted_file_end(w, i);
    for (next = i; next < end; next++) {
      const struct psl_place *place = &w->uses[next].place;
      size_t begin = text ? text_at(text, place->line, place->column) : 0;
      if (!text || begin < at) continue;
      chars_add(&out, text->data + at, begin - at);
      chars_add(&out, r->name, strlen(r->name));
      at = text_at(text, place->end_line, place->end_column);
    }
    if (text) chars_add(&out, text->data + at, text->size - at);
    text_drop(&own);
    r->files = memory_more(r->files, (r->count + 1) * sizeof *r->files);
    r->files[r->count++] = (struct renamed){memory_copy(w->uses[i].path, strlen(w->uses[i].path)), out.data, out.size};
  }
}

/* ---- does it mean the same? ---- */

struct reading {
  struct psl *psl; /* NULL: that of a document */
  const struct psl_name *names;
  size_t count, errors;
  const struct psl_name **sorted; /* by their places */
};

static int compare_places(const struct psl_place *a, const struct psl_place *b) {
  if (a->line != b->line) return a->line < b->line ? -1 : 1;
  if (a->column != b->column) return a->column < b->column ? -1 : 1;
  return strcmp(a->file, b->file);
}

/* Of two names at one place the one that comes first is found. */
static int by_place(const void *a, const void *b) {
  const struct psl_name *x = *(const struct psl_name *const *)a, *y = *(const struct psl_name *const *)b;
  int order = compare_places(&x->place, &y->place);
  return order ? order : x < y ? -1 : x > y;
}

static void sort_names(struct reading *reading) {
  reading->sorted = memory_more(NULL, reading->count * sizeof *reading->sorted);
  for (size_t i = 0; i < reading->count; i++)
    reading->sorted[i] = &reading->names[i];
  qsort(reading->sorted, reading->count, sizeof *reading->sorted, by_place);
}

static struct reading read_model(struct renaming *r, const char *root, psl_unsaved_callback *unsaved) {
  struct psl_options options = r->wanted->server->options;
  struct reading reading = {0};
  options.diagnostic = note_error;
  options.unsaved = unsaved;
  options.user = r;
  options.max_errors = 1000;
  options.interrupted = NULL;
  reading.psl = psl_open(&options);
  r->errors = 0;
  if (reading.psl) {
    psl_edit_file(reading.psl, root);
    psl_names(reading.psl, NULL, &reading.names, &reading.count);
  }
  reading.errors = r->errors;
  sort_names(&reading);
  return reading;
}

/* As it is: an open text that is sound has been read. */
static struct reading read_present(struct renaming *r, const char *root) {
  struct document *d = document_of_path(r->wanted->server, root);
  struct psl *psl = d ? document_model(d) : NULL;
  bool sound = psl;
  for (size_t i = 0; sound && i < d->said_count; i++)
    sound = d->said[i].severity != PSL_ERROR;
  if (!sound) return read_model(r, root, present_text);
  struct reading reading = {0};
  if (psl_names(psl, NULL, &reading.names, &reading.count) != PSL_OK) reading.count = 0;
  sort_names(&reading);
  return reading;
}

static void drop_reading(struct reading *reading) {
  free(reading->sorted);
  psl_close(reading->psl);
}

/* Which of the names declares it; count: none of them. */
static size_t declared_by(const struct reading *reading, const struct psl_place *declared) {
  size_t low = 0, high = declared->file ? reading->count : 0;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (compare_places(&reading->sorted[middle]->place, declared) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  bool found = low < reading->count && declared->file && !compare_places(&reading->sorted[low]->place, declared);
  return found ? (size_t)(reading->sorted[low] - reading->names) : reading->count;
}

static bool same_place(const struct psl_place *a, const struct psl_place *b) {
  return a->line == b->line && a->column == b->column && (a->file ? b->file && !strcmp(a->file, b->file) : !b->file);
}

/* Of one name before and after. */
static bool means_same(const struct renaming *r, const struct reading *before, const struct reading *after, size_t i) {
  const struct psl_name *was = &before->names[i], *is = &after->names[i];
  if (was->kind != is->kind) return false;
  if (!wanted_is(r->wanted, was) && strcmp(was->name, is->name)) return false;
  size_t by = declared_by(before, &was->declared);
  if (by < before->count) return declared_by(after, &is->declared) == by;
  return same_place(&was->declared, &is->declared);
}

static bool compare(struct renaming *r, const struct reading *before, const struct reading *after,
                    struct failure *failure) {
  if (*r->error || after->errors > before->errors) {
    fail(failure, REQUEST_FAILED, "'%s' cannot be called '%s': %s", r->wanted->name, r->name, r->error);
    return false;
  }
  for (size_t i = 0; i < before->count || i < after->count; i++) {
    const struct psl_name *at = i < before->count ? &before->names[i] : &after->names[i];
    if (i < before->count && i < after->count && means_same(r, before, after, i)) continue;
    const char *slash = strrchr(at->place.file, '/');
    fail(failure, REQUEST_FAILED, "'%s' cannot be called '%s': '%s' at %s:%u:%u would mean something else",
         r->wanted->name, r->name, at->name, slash ? slash + 1 : at->place.file, at->place.line, at->place.column);
    return false;
  }
  return true;
}

static bool is_letter(char c) { return isalnum((unsigned char)c) || c == '_' || c == '-'; }

/* Does the name stand somewhere on the line where it is no use of it that is known? */
static bool stands_on(const struct wanted *w, const struct said *said) {
  struct text own = {0};
  const struct text *text = text_of_path(w->server, said->file, &own);
  size_t length = strlen(w->name), uses = 0, words = 0;
  size_t at = text ? text_at(text, said->line, 1) : 0;
  for (; text && at < text->size && text->data[at] != '\n'; at++)
    words += at + length <= text->size && !memcmp(text->data + at, w->name, length) &&
             !(at && is_letter(text->data[at - 1])) &&
             !(at + length < text->size && is_letter(text->data[at + length]));
  for (size_t i = 0; i < w->count; i++)
    uses += w->uses[i].place.line == said->line && !strcmp(w->uses[i].path, said->file);
  text_drop(&own);
  return words > uses;
}

/* What could not be read may mean the name, and would keep it. */
static bool is_unread(const struct renaming *r, struct failure *failure) {
  for (size_t i = 0; i < r->said_count; i++) {
    const struct said *said = &r->said[i];
    if (!*said->file || !stands_on(r->wanted, said)) continue;
    const char *slash = strrchr(said->file, '/');
    fail(failure, REQUEST_FAILED, "'%s' cannot be renamed before the error on its line is mended: %s:%u:%u: %s",
         r->wanted->name, slash ? slash + 1 : said->file, said->line, said->column, said->message);
    return true;
  }
  return false;
}

static bool keeps_meaning(struct renaming *r, struct failure *failure) {
  bool fine = true;
  for (size_t i = 0; fine && i < r->wanted->root_count; i++) {
    r->after = false;
    struct reading before = read_present(r, r->wanted->roots[i]);
    r->after = true;
    struct reading after = read_model(r, r->wanted->roots[i], renamed_text);
    fine = !is_unread(r, failure) && compare(r, &before, &after, failure);
    drop_reading(&before);
    drop_reading(&after);
  }
  return fine;
}

/* ---- requests ---- */

/* Why such a name is not renamed; NULL: it may be. */
static const char *refusal(const struct wanted *w) {
  switch (w->kind) {
  case PSL_NAME_FILE: return "it is a file, which is not renamed here";
  case PSL_NAME_TYPE:
  case PSL_NAME_WORD: return "it is a word of the language";
  case PSL_NAME_EVALUATOR: return "it is an evaluator";
  case PSL_NAME_RECORD: return "results are known by their names in reports and databases, too";
  case PSL_NAME_FIELD: return w->file ? NULL : "fields are known by their letters alone";
  case PSL_NAME_PARAM:
  case PSL_NAME_LET:
  case PSL_NAME_VAR:
  case PSL_NAME_LOCAL:
  case PSL_NAME_INDEX:
  case PSL_NAME_FUNCTION:
  case PSL_NAME_UNIT:
  case PSL_NAME_DOMAIN:
  case PSL_NAME_ATTRIBUTE:
  case PSL_NAME_TERM:
  case PSL_NAME_TRANSACTION:
  case PSL_NAME_PROTOCOL:
  case PSL_NAME_COMPONENT:
  case PSL_NAME_SYSTEM:
  case PSL_NAME_REQUEST:
  case PSL_NAME_STUDY: return w->library ? "it is PSL's own" : NULL;
  }
  return NULL;
}

/* Letters, digits, _ and - that no digit follows; of an attribute several words. */
static bool is_name(const char *name, enum psl_name_kind kind) {
  if (!isalpha((unsigned char)*name)) return false;
  for (const char *at = name; *at; at++) {
    bool joins = *at == '-' || (*at == ' ' && kind == PSL_NAME_ATTRIBUTE);
    if (joins ? !isalpha((unsigned char)at[1]) : !isalnum((unsigned char)*at) && *at != '_') return false;
  }
  return true;
}

json_t *answer_prepare_rename(struct server *server, json_t *params, struct failure *failure) {
  struct wanted wanted;
  bool found = wanted_at(server, params, &wanted, failure);
  const char *why = found ? refusal(&wanted) : NULL;
  json_t *range = NULL;
  if (why)
    fail(failure, REQUEST_FAILED, "'%s' cannot be renamed: %s", wanted.name, why);
  else if (found)
    range = range_of(&wanted.document->text, server->encoding, &wanted.place);
  wanted_drop(&wanted);
  return range;
}

static json_t *edits_of(struct renaming *r) {
  const struct wanted *w = r->wanted;
  json_t *changes = json_object();
  for (size_t i = 0, next; i < w->count; i = next) {
    struct text own = {0};
    const struct text *text = text_of_path(w->server, w->uses[i].path, &own);
    char *uri = file_uri(w->server, w->uses[i].path);
    json_t *list = json_array();
    for (next = wanted_file_end(w, i); text && i < next; i++)
      json_array_append_new(
          list,
          json_pack("{s:o, s:s}", "range", range_of(text, w->server->encoding, &w->uses[i].place), "newText", r->name));
    json_object_set_new(changes, uri, list);
    free(uri);
    text_drop(&own);
  }
  return json_pack("{s:o}", "changes", changes);
}

static json_t *rename_all(struct wanted *wanted, const char *name, struct failure *failure) {
  struct renaming r = {.wanted = wanted, .name = name};
  const char *why = refusal(wanted);
  json_t *edits = NULL;
  if (why) return fail(failure, REQUEST_FAILED, "'%s' cannot be renamed: %s", wanted->name, why);
  if (!is_name(name, wanted->kind)) return fail(failure, REQUEST_FAILED, "'%s' is no name", name);
  wanted_gather(wanted);
  rewrite(&r);
  if (keeps_meaning(&r, failure)) edits = edits_of(&r);
  for (size_t i = 0; i < r.count; i++) {
    free(r.files[i].path);
    free(r.files[i].text);
  }
  for (size_t i = 0; i < r.said_count; i++) {
    free(r.said[i].file);
    free(r.said[i].message);
  }
  free(r.files);
  free(r.said);
  return edits;
}

json_t *answer_rename(struct server *server, json_t *params, struct failure *failure) {
  struct wanted wanted;
  json_t *name = json_object_get(params, "newName"), *edits = NULL;
  bool found = wanted_at(server, params, &wanted, failure);
  if (!failure->code && !json_is_string(name))
    fail(failure, INVALID_PARAMS, "the params have no newName");
  else if (!failure->code && !found)
    fail(failure, REQUEST_FAILED, "there is no name here");
  else if (!failure->code)
    edits = rename_all(&wanted, json_string_value(name), failure);
  wanted_drop(&wanted);
  return edits;
}
