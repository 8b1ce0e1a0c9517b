/* What psl says of the documents.  Each has a handle of its own, which reads its model with all that this uses when
 * something is asked and anything of it has changed: that takes less than a person sees.  What a check computes and
 * proves may take long; it is done in another handle, while no input waits, and given up when some comes. */
#include "interp/lsp/server.h"

#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* ---- what is said ---- */

static char *copy(const char *text) { return text ? memory_copy(text, strlen(text)) : NULL; }

/* Files are known by their paths without links. */
static char *whole_path(const char *path) {
  if (!path) return NULL;
  char *whole = realpath(path, NULL);
  if (!whole) return copy(path);
  char *own = copy(whole);
  free(whole);
  return own;
}

static void drop_said(struct diagnosed *said) {
  for (size_t i = 0; i < said->note_count; i++) {
    free(said->notes[i].path);
    free(said->notes[i].message);
    free(said->notes[i].replacement);
    free(said->notes[i].replaced_path);
  }
  free(said->notes);
  free(said->message);
  free(said->path);
}

static void forget(struct document *d) {
  for (size_t i = 0; i < d->said_count; i++)
    drop_said(&d->said[i]);
  d->said_count = 0;
}

static struct diagnosed keep(const struct psl_diagnostic *diagnostic) {
  struct diagnosed said = {.severity = diagnostic->severity,
                           .path = whole_path(diagnostic->place.file),
                           .place = diagnostic->place,
                           .message = copy(diagnostic->message),
                           .note_count = diagnostic->note_count};
  said.place.file = NULL;
  said.notes = memory_more(NULL, said.note_count * sizeof *said.notes);
  for (size_t i = 0; i < said.note_count; i++) {
    const struct psl_note *note = &diagnostic->notes[i];
    said.notes[i] = (struct noted){.path = whole_path(note->place.file),
                                   .place = note->place,
                                   .message = copy(note->message),
                                   .replaced = note->replaced,
                                   .replacement = copy(note->replacement),
                                   .replaced_path = whole_path(note->replaced.file)};
  }
  return said;
}

static bool same_text(const char *a, const char *b) { return a && b ? !strcmp(a, b) : a == b; }

/* A check says again what the reading has said. */
static bool is_said(const struct document *d, const struct diagnosed *said) {
  for (size_t i = 0; i < d->said_count; i++)
    if (d->said[i].place.line == said->place.line && d->said[i].place.column == said->place.column &&
        same_text(d->said[i].path, said->path) && !strcmp(d->said[i].message, said->message))
      return true;
  return false;
}

static void take(void *user, const struct psl_diagnostic *diagnostic) {
  struct document *d = user;
  if (d->hushed) return;
  struct diagnosed said = keep(diagnostic);
  if (is_said(d, &said)) {
    drop_said(&said);
    return;
  }
  if (d->said_count == d->said_capacity) {
    d->said_capacity = d->said_capacity * 2 + 8;
    d->said = memory_more(d->said, d->said_capacity * sizeof *d->said);
  }
  d->said[d->said_count++] = said;
}

static const char *unsaved(void *user, const char *path, size_t *size) {
  const struct document *d = user, *open = document_of_path(d->server, path);
  if (!open) return NULL;
  *size = open->text.size;
  return open->text.data;
}

/* ---- reading ---- */

struct psl *handle_open(struct document *d) {
  struct psl_options options = d->server->options;
  options.diagnostic = take;
  options.unsaved = unsaved;
  options.user = d;
  options.max_errors = 1000;
  options.interrupted = &d->server->interrupted;
  struct psl *psl = psl_open(&options);
  if (!psl) memory_more(NULL, SIZE_MAX); /* says so, and ends */
  return psl;
}

static void drop_files(struct document *d) {
  for (size_t i = 0; i < d->file_count; i++)
    free(d->files[i]);
  free(d->files);
  d->files = NULL;
  d->file_count = 0;
}

static void note_files(struct document *d) {
  const char *const *paths;
  size_t count;
  drop_files(d);
  if (psl_files(d->psl, &paths, &count) != PSL_OK) return;
  d->files = memory_more(NULL, count * sizeof *d->files);
  for (size_t i = 0; i < count; i++)
    d->files[d->file_count++] = copy(paths[i]);
}

struct psl *document_model(struct document *d) {
  if (!d->psl) d->psl = handle_open(d);
  d->hushed = !d->stale;
  if (d->stale) {
    forget(d);
    d->server->interrupted = 0;
    d->unproved = psl_edit_file(d->psl, d->path) == PSL_OK;
    note_files(d);
    d->stale = false;
    d->untold = true;
  }
  d->hushed = true;
  return d->psl;
}

static bool uses(const struct document *d, const char *path) {
  bool found = !d->file_count; /* what could not be read may use it */
  for (size_t i = 0; !found && i < d->file_count; i++)
    found = !strcmp(d->files[i], path);
  return found;
}

void document_touch(struct document *document) {
  document->stale = true;
  for (struct document *d = document->server->documents; d; d = d->next)
    d->stale |= uses(d, document->path);
}

void documents_touch(struct server *server) {
  for (struct document *d = server->documents; d; d = d->next)
    d->stale = true;
}

/* ---- checking ---- */

struct watch {
  struct server *server;
  pthread_t thread;
  int longest; /* ms */
  bool yields; /* to input */
  volatile bool ended;
};

enum { LONGEST_CHECK = 10000, LONGEST_MATCHING = 1000, GLANCE = 20 }; /* ms; GLANCE: between two looks at the input */
static const double SLOW = 2; /* s: one does not wait so long for what could be said before */

static void *watch_input(void *user) {
  struct watch *watch = user;
  struct pollfd wanted = {.fd = STDIN_FILENO, .events = POLLIN};
  for (int waited = 0; !watch->ended; waited += GLANCE) {
    bool looks = watch->yields && !watch->server->transport.ended;
    bool input = looks && poll(&wanted, 1, GLANCE) > 0;
    if (!looks) poll(NULL, 0, GLANCE);
    if (!input && waited < watch->longest) continue;
    watch->server->interrupted = 1;
    break;
  }
  return NULL;
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* It takes too long, or input comes to what yields to it: then what is in hand is given up. */
static bool watch_begin(struct watch *watch, struct server *server, int longest, bool yields) {
  *watch = (struct watch){.server = server, .longest = longest, .yields = yields};
  server->interrupted = 0;
  return !pthread_create(&watch->thread, NULL, watch_input, watch);
}

static void watch_end(struct watch *watch, bool begun) {
  watch->ended = true;
  if (begun) pthread_join(watch->thread, NULL);
  watch->server->interrupted = 0;
}

/* False: it was given up, for input or since it took too long. */
static bool prove(struct document *d) {
  struct watch watch;
  struct psl *psl = handle_open(d);
  size_t before = d->said_count;
  double begin = now();
  bool watched = watch_begin(&watch, d->server, LONGEST_CHECK, true);
  d->hushed = false;
  enum psl_code code = psl_load_file(psl, d->path);
  if (code == PSL_OK) code = psl_check(psl);
  if (code == PSL_OK) code = psl_check_studies(psl);
  d->hushed = true;
  watch_end(&watch, watched);
  d->slow = now() - begin > SLOW;
  psl_close(psl);
  for (; code == PSL_INTERRUPTED && d->said_count > before; d->said_count--)
    drop_said(&d->said[d->said_count - 1]);
  return code != PSL_INTERRUPTED;
}

enum psl_code matches_in_time(struct document *d, struct psl *psl, bool wanted, const struct psl_match **matches,
                              size_t *count) {
  struct watch watch;
  bool watched = watch_begin(&watch, d->server, wanted ? LONGEST_CHECK : LONGEST_MATCHING, !wanted);
  enum psl_code code = psl_matches(psl, d->path, matches, count);
  watch_end(&watch, watched);
  return code;
}

enum psl_code document_matches(struct document *d, const struct psl_match **matches, size_t *count) {
  enum psl_code code = matches_in_time(d, document_model(d), false, matches, count);
  d->stale |= code == PSL_INTERRUPTED || code == PSL_MEMORY; /* the model is gone */
  return code;
}

/* ---- publishing ---- */

static json_t *note_json(struct document *d, const struct noted *note) {
  struct psl_place place = note->place;
  place.file = note->path;
  json_t *location = note->path ? location_of(d->server, &place) : NULL;
  return location ? json_pack("{s:o, s:s}", "location", location, "message", note->message) : NULL;
}

/* What is to be written where, for code actions: the client gives it back with the diagnostic. */
static json_t *replacement_json(struct document *d, const struct noted *note) {
  struct psl_place place = note->replaced;
  place.file = note->replaced_path;
  json_t *location = note->replacement && place.file ? location_of(d->server, &place) : NULL;
  if (!location) return NULL;
  json_object_set_new(location, "newText", json_string(note->replacement));
  return location;
}

static json_t *said_json(struct document *d, const struct diagnosed *said, const struct text *text) {
  static const int severities[] = {[PSL_ERROR] = 1, [PSL_WARNING] = 2, [PSL_NOTE] = 3, [PSL_HELP] = 4};
  struct chars message = {0};
  json_t *related = json_array(), *replacements = json_array();
  chars_add(&message, said->message, strlen(said->message));
  for (size_t i = 0; i < said->note_count; i++) {
    const struct noted *note = &said->notes[i];
    json_t *json = note_json(d, note), *replacement = replacement_json(d, note);
    if (replacement) json_array_append_new(replacements, replacement);
    if (json)
      json_array_append_new(related, json);
    else {
      chars_add(&message, "\n", 1);
      chars_add(&message, note->message, strlen(note->message));
    }
  }
  json_t *out = json_pack("{s:o, s:i, s:s, s:s}", "range", range_of(text, d->server->encoding, &said->place),
                          "severity", severities[said->severity], "source", "psl", "message", message.data);
  if (json_array_size(related)) json_object_set(out, "relatedInformation", related);
  if (json_array_size(replacements)) json_object_set_new(out, "data", json_pack("{s:O}", "replacements", replacements));
  json_decref(related);
  json_decref(replacements);
  chars_drop(&message);
  return out;
}

json_t *diagnosed_json(struct document *d, const struct diagnosed *said) { return said_json(d, said, &d->text); }

static void send_diagnostics(const char *uri, const json_int_t *version, json_t *diagnostics) {
  json_t *params = json_pack("{s:s, s:o}", "uri", uri, "diagnostics", diagnostics);
  if (version) json_object_set_new(params, "version", json_integer(*version));
  transport_send(
      json_pack("{s:s, s:s, s:o}", "jsonrpc", "2.0", "method", "textDocument/publishDiagnostics", "params", params));
}

static int by_place(const void *a, const void *b) {
  const struct psl_place *x = &((const struct diagnosed *)a)->place, *y = &((const struct diagnosed *)b)->place;
  if (x->line != y->line) return x->line < y->line ? -1 : 1;
  return x->column < y->column ? -1 : x->column > y->column;
}

void document_sort_said(struct document *d) {
  if (d->said_count) qsort(d->said, d->said_count, sizeof *d->said, by_place);
}

static void publish_own(struct document *d) {
  json_t *list = json_array();
  for (size_t i = 0; i < d->said_count; i++)
    if (!d->said[i].path || !strcmp(d->said[i].path, d->path))
      json_array_append_new(list, said_json(d, &d->said[i], &d->text));
  send_diagnostics(d->uri, &d->version, list);
}

static bool is_listed(char *const *list, size_t count, const char *item) {
  for (size_t i = 0; i < count; i++)
    if (!strcmp(list[i], item)) return true;
  return false;
}

/* What was said of another file, which is not open itself. */
static void publish_other(struct document *d, const char *path, const char *uri) {
  struct text own = {0};
  const struct text *text = text_of_path(d->server, path, &own);
  json_t *list = json_array();
  for (size_t i = 0; text && i < d->said_count; i++)
    if (d->said[i].path && !strcmp(d->said[i].path, path)) json_array_append_new(list, said_json(d, &d->said[i], text));
  send_diagnostics(uri, NULL, list);
  text_drop(&own);
}

static void drop_list(char **list, size_t count) {
  for (size_t i = 0; i < count; i++)
    free(list[i]);
  free(list);
}

static void publish(struct document *d) {
  char **before = d->published, **now = memory_more(NULL, (d->said_count + 1) * sizeof *now);
  size_t before_count = d->published_count, count = 0;
  d->untold = false;
  document_sort_said(d);
  publish_own(d);
  for (size_t i = 0; i < d->said_count; i++) {
    const char *path = d->said[i].path;
    if (!path || document_of_path(d->server, path)) continue;
    char *uri = path_uri(path);
    bool known = is_listed(now, count, uri);
    if (!known) publish_other(d, path, uri);
    if (known)
      free(uri);
    else
      now[count++] = uri;
  }
  d->published = now;
  d->published_count = count;
  for (size_t i = 0; i < before_count; i++)
    if (!is_listed(now, count, before[i]) && !document_find(d->server, before[i]))
      send_diagnostics(before[i], NULL, json_array());
  drop_list(before, before_count);
}

void document_unpublish(struct document *d) {
  forget(d);
  if (!d->server->exited) publish(d);
  drop_list(d->published, d->published_count);
  free(d->said);
  drop_files(d);
}

static bool has_input(struct server *server) {
  return server->transport.first || transport_wait(&server->transport, 0) || server->transport.ended;
}

/* What is read at once is published with what a check says, so that nothing of that comes and goes while one types;
 * before it where checks of the document take long.  It may have been read for a request before. */
void documents_publish(struct server *server) {
  for (struct document *d = server->documents; d; d = d->next) {
    if (has_input(server)) return;
    document_model(d);
    if (d->untold && (!d->unproved || d->slow)) publish(d);
  }
  for (struct document *d = server->documents; d; d = d->next) {
    if (has_input(server)) return;
    if (!d->unproved) continue;
    d->unproved = !prove(d) && has_input(server);
    publish(d);
  }
}
