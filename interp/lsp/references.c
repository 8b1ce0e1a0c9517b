/* Where a name is used: in the models of all open documents, and in those files of the workspace whose texts hold it.
 * A name is known by the place of its declaration; attributes, terms and what else needs none by their letters. */
#include "interp/lsp/references.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static char *copy(const char *text) { return text ? memory_copy(text, strlen(text)) : NULL; }

/* ---- what is looked for ---- */

bool wanted_at(struct server *server, json_t *params, struct wanted *wanted, struct failure *failure) {
  unsigned line, column;
  const struct psl_name *name;
  *wanted = (struct wanted){.server = server};
  wanted->document = params_place(server, params, &line, &column, failure);
  if (!wanted->document) return false;
  struct psl *psl = document_model(wanted->document);
  if (psl_name_at(psl, wanted->document->path, line, column, &name) != PSL_OK || !name) return false;
  wanted->kind = name->kind;
  wanted->name = copy(name->name);
  wanted->library = name->library;
  wanted->place = name->place;
  wanted->place.file = NULL;
  bool by_name = name->kind == PSL_NAME_ATTRIBUTE || !name->declared.file;
  wanted->file = by_name ? NULL : copy(name->declared.file);
  wanted->line = name->declared.line;
  wanted->column = name->declared.column;
  return true;
}

static void drop_uses(struct wanted *wanted) {
  for (size_t i = 0; i < wanted->count; i++)
    free(wanted->uses[i].path);
  free(wanted->uses);
  for (size_t i = 0; i < wanted->root_count; i++)
    free(wanted->roots[i]);
  free(wanted->roots);
}

void wanted_drop(struct wanted *wanted) {
  drop_uses(wanted);
  free(wanted->name);
  free(wanted->file);
}

bool wanted_is(const struct wanted *wanted, const struct psl_name *name) {
  if (name->kind != wanted->kind) return false;
  if (!wanted->file)
    return !strcmp(name->name, wanted->name) && (name->kind == PSL_NAME_ATTRIBUTE || !name->declared.file);
  return name->declared.file && name->declared.line == wanted->line && name->declared.column == wanted->column &&
         !strcmp(name->declared.file, wanted->file);
}

/* ---- gathering ---- */

static void add_use(struct wanted *wanted, const struct psl_name *name) {
  if (wanted->count == wanted->capacity) {
    wanted->capacity = wanted->capacity * 2 + 16;
    wanted->uses = memory_more(wanted->uses, wanted->capacity * sizeof *wanted->uses);
  }
  struct use use = {copy(name->place.file), name->place, name->declares, name->assigned};
  use.place.file = NULL;
  wanted->uses[wanted->count++] = use;
}

/* The uses in a model; it is noted as one that has some. */
static void gather(struct wanted *wanted, struct psl *psl, const char *root) {
  const struct psl_name *names;
  size_t count, found = 0;
  if (psl_names(psl, NULL, &names, &count) != PSL_OK) return;
  for (size_t i = 0; i < count; i++) {
    if (!wanted_is(wanted, &names[i])) continue;
    add_use(wanted, &names[i]);
    found++;
  }
  if (!found) return;
  wanted->roots = memory_more(wanted->roots, (wanted->root_count + 1) * sizeof *wanted->roots);
  wanted->roots[wanted->root_count++] = copy(root);
}

/* The first word of the name, which stands in the text however the rest is written. */
static bool has_word(const struct text *text, const char *name) {
  size_t length = strcspn(name, "-");
  for (size_t at = 0; length && at + length <= text->size; at++)
    if (!strncasecmp(text->data + at, name, length)) return true;
  return false;
}

struct gathering {
  struct wanted *wanted;
  size_t files;
};

static void gather_file(void *user, const char *path) {
  struct gathering *g = user;
  struct server *server = g->wanted->server;
  struct text own = {0};
  if (document_of_path(server, path)) return; /* with the open ones */
  const struct text *text = text_of_path(server, path, &own);
  if (text && has_word(text, g->wanted->name)) {
    struct document silent = {.server = server, .hushed = true};
    struct psl *psl = handle_open(&silent);
    psl_edit_file(psl, path);
    gather(g->wanted, psl, path);
    psl_close(psl);
  }
  text_drop(&own);
}

static int by_place(const void *a, const void *b) {
  const struct use *x = a, *y = b;
  int order = strcmp(x->path, y->path);
  if (order) return order;
  if (x->place.line != y->place.line) return x->place.line < y->place.line ? -1 : 1;
  return x->place.column < y->place.column ? -1 : x->place.column > y->place.column;
}

/* Two models may have the same file. */
static void sort_uses(struct wanted *wanted) {
  size_t kept = 0;
  if (wanted->count) qsort(wanted->uses, wanted->count, sizeof *wanted->uses, by_place);
  for (size_t i = 0; i < wanted->count; i++) {
    if (kept && !by_place(&wanted->uses[kept - 1], &wanted->uses[i]))
      free(wanted->uses[i].path);
    else
      wanted->uses[kept++] = wanted->uses[i];
  }
  wanted->count = kept;
}

void wanted_gather(struct wanted *wanted) {
  struct gathering g = {.wanted = wanted};
  struct document *own = wanted->document;
  gather(wanted, document_model(own), own->path);
  for (struct document *d = wanted->server->documents; d; d = d->next)
    if (d != own) gather(wanted, document_model(d), d->path);
  workspace_files(wanted->server, gather_file, &g);
  sort_uses(wanted);
}

/* Of the uses from `i` on, where those of another file begin. */
size_t wanted_file_end(const struct wanted *wanted, size_t i) {
  size_t end = i + 1;
  while (end < wanted->count && !strcmp(wanted->uses[end].path, wanted->uses[i].path))
    end++;
  return end;
}

/* ---- requests ---- */

json_t *answer_references(struct server *server, json_t *params, struct failure *failure) {
  struct wanted wanted;
  json_t *list = json_array();
  bool declaration = json_is_true(json_object_get(json_object_get(params, "context"), "includeDeclaration"));
  if (wanted_at(server, params, &wanted, failure)) {
    wanted_gather(&wanted);
    for (size_t i = 0, next; i < wanted.count; i = next) {
      struct text own = {0};
      const struct text *text = text_of_path(server, wanted.uses[i].path, &own);
      char *uri = file_uri(server, wanted.uses[i].path);
      for (next = wanted_file_end(&wanted, i); text && i < next; i++)
        if (declaration || !wanted.uses[i].declares)
          json_array_append_new(list, json_pack("{s:s, s:o}", "uri", uri, "range",
                                                range_of(text, server->encoding, &wanted.uses[i].place)));
      free(uri);
      text_drop(&own);
    }
  }
  wanted_drop(&wanted);
  return list;
}

json_t *answer_highlight(struct server *server, json_t *params, struct failure *failure) {
  enum { READ = 2, WRITE = 3 };
  struct wanted wanted;
  const struct psl_name *names;
  size_t count = 0;
  json_t *list = json_array();
  bool found = wanted_at(server, params, &wanted, failure);
  struct document *d = wanted.document;
  if (found && psl_names(document_model(d), d->path, &names, &count) != PSL_OK) count = 0;
  for (size_t i = 0; i < count; i++)
    if (wanted_is(&wanted, &names[i]))
      json_array_append_new(list,
                            json_pack("{s:o, s:i}", "range", range_of(&d->text, server->encoding, &names[i].place),
                                      "kind", names[i].declares || names[i].assigned ? WRITE : READ));
  wanted_drop(&wanted);
  return list;
}
