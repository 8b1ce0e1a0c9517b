/* What texts are made of: their outlines, and the names of a workspace. */
#include "interp/lsp/server.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The protocol's kinds of symbols. */
static int symbol_kind(enum psl_name_kind kind) {
  enum {
    MODULE = 2,
    CLASS = 5,
    PROPERTY = 7,
    INTERFACE = 11,
    FUNCTION = 12,
    VARIABLE = 13,
    CONSTANT = 14,
    NAMESPACE = 3
  };
  enum { METHOD = 6, STRUCT = 23, EVENT = 24, OPERATOR = 25, FIELD = 8, ENUM_MEMBER = 22 };
  switch (kind) {
  case PSL_NAME_FILE: return MODULE;
  case PSL_NAME_PARAM: return PROPERTY;
  case PSL_NAME_LET: return CONSTANT;
  case PSL_NAME_VAR:
  case PSL_NAME_LOCAL:
  case PSL_NAME_INDEX: return VARIABLE;
  case PSL_NAME_FUNCTION: return FUNCTION;
  case PSL_NAME_EVALUATOR: return MODULE;
  case PSL_NAME_UNIT: return OPERATOR;
  case PSL_NAME_TYPE: return STRUCT;
  case PSL_NAME_DOMAIN: return NAMESPACE;
  case PSL_NAME_ATTRIBUTE: return FIELD;
  case PSL_NAME_TERM: return ENUM_MEMBER;
  case PSL_NAME_TRANSACTION:
  case PSL_NAME_PROTOCOL: return INTERFACE;
  case PSL_NAME_COMPONENT: return CLASS;
  case PSL_NAME_SYSTEM: return MODULE;
  case PSL_NAME_REQUEST: return METHOD;
  case PSL_NAME_STUDY: return EVENT;
  case PSL_NAME_RECORD:
  case PSL_NAME_FIELD: return FIELD;
  case PSL_NAME_WORD: return CONSTANT;
  }
  return VARIABLE;
}

/* ---- of a document ---- */

/* Those from *at on of that depth and below. */
static void put_symbols(struct written *out, const struct document *d, const struct psl_outlined *items, size_t count,
                        size_t *at, unsigned depth) {
  written_open(out, '[');
  while (*at < count && items[*at].depth >= depth) {
    const struct psl_outlined *item = &items[(*at)++];
    written_open(out, '{');
    written_member(out, "name");
    written_string(out, item->name);
    written_member(out, "kind");
    written_number(out, symbol_kind(item->kind));
    written_range(out, "range", d, &item->place);
    written_range(out, "selectionRange", d, &item->name_place);
    if (*item->detail) {
      written_member(out, "detail");
      written_string(out, item->detail);
    }
    if (*at < count && items[*at].depth > item->depth) {
      written_member(out, "children");
      put_symbols(out, d, items, count, at, item->depth + 1);
    }
    written_close(out, '}');
  }
  written_close(out, ']');
}

void write_symbols(struct server *server, json_t *params, struct written *out, struct failure *failure) {
  const struct psl_outlined *items;
  size_t count, at = 0;
  struct document *d = params_document(server, params, failure);
  if (!d || psl_outline(document_model(d), d->path, &items, &count) != PSL_OK) return;
  put_symbols(out, d, items, count, &at, 0);
}

/* ---- of the workspace ---- */

struct search {
  struct server *server;
  const char *query;
  json_t *found;
};

enum { MOST_FILES = 2000, MOST_SYMBOLS = 1000, DEEPEST = 12 };

/* The letters of the query in their order, whatever is between them. */
static bool fits(const char *name, const char *query) {
  for (; *name && *query; name++)
    if (tolower((unsigned char)*name) == tolower((unsigned char)*query)) query++;
  return !*query;
}

/* A request without a label is called as what it requests, which is declared elsewhere. */
static bool declares(const struct psl_outlined *item) {
  const struct psl_place *whole = &item->place, *name = &item->name_place;
  return item->kind != PSL_NAME_REQUEST || (whole->line == name->line && whole->column == name->column);
}

static void add_symbols(struct search *s, const char *path, const struct text *text, struct psl *psl) {
  const struct psl_outlined *items;
  size_t count;
  const char *container = "";
  if (psl_outline(psl, path, &items, &count) != PSL_OK) return;
  char *uri = file_uri(s->server, path);
  for (size_t i = 0; i < count && json_array_size(s->found) < MOST_SYMBOLS; i++) {
    if (!items[i].depth) container = items[i].name;
    if (!declares(&items[i]) || !fits(items[i].name, s->query)) continue;
    json_t *symbol = json_pack("{s:s, s:i, s:{s:s, s:o}}", "name", items[i].name, "kind", symbol_kind(items[i].kind),
                               "location", "uri", uri, "range", range_of(text, s->server->encoding, &items[i].place));
    if (items[i].depth) json_object_set_new(symbol, "containerName", json_string(container));
    json_array_append_new(s->found, symbol);
  }
  free(uri);
}

static void search_file(void *user, const char *path) {
  struct search *s = user;
  struct text own = {0};
  if (document_of_path(s->server, path)) return; /* with the open ones */
  const struct text *text = text_of_path(s->server, path, &own);
  struct psl_options options = s->server->options;
  options.no_library = true; /* the outline wants no more than the text */
  struct psl *psl = text ? psl_open(&options) : NULL;
  if (psl) {
    psl_edit_file(psl, path);
    add_symbols(s, path, text, psl);
    psl_close(psl);
  }
  text_drop(&own);
}

struct visit {
  void (*visit)(void *user, const char *path);
  void *user;
  size_t files;
};

static int by_name(const struct dirent **a, const struct dirent **b) { return strcmp((*a)->d_name, (*b)->d_name); }

static int is_visible(const struct dirent *entry) { return *entry->d_name != '.'; }

static void visit_folder(struct visit *v, const char *folder, int depth) {
  struct dirent **entries;
  int count = depth < DEEPEST ? scandir(folder, &entries, is_visible, by_name) : -1;
  for (int i = 0; i < count; i++) {
    struct chars path = {0};
    struct stat status;
    size_t length = strlen(entries[i]->d_name);
    chars_add(&path, folder, strlen(folder));
    chars_add(&path, "/", 1);
    chars_add(&path, entries[i]->d_name, length);
    bool there = lstat(path.data, &status) == 0;
    if (there && S_ISDIR(status.st_mode)) visit_folder(v, path.data, depth + 1);
    bool model = there && S_ISREG(status.st_mode) && length > 4 && !strcmp(entries[i]->d_name + length - 4, ".psl");
    if (model && v->files++ < MOST_FILES) v->visit(v->user, path.data);
    chars_drop(&path);
    free(entries[i]);
  }
  if (count >= 0) free(entries);
}

void workspace_files(struct server *server, void (*visit)(void *user, const char *path), void *user) {
  struct visit v = {.visit = visit, .user = user};
  for (size_t i = 0; i < server->root_count; i++)
    visit_folder(&v, server->roots[i], 0);
}

json_t *answer_workspace_symbols(struct server *server, json_t *params, struct failure *failure) {
  json_t *query = json_object_get(params, "query");
  if (!json_is_string(query)) return fail(failure, INVALID_PARAMS, "the params have no query");
  struct search s = {.server = server, .query = json_string_value(query), .found = json_array()};
  for (struct document *d = server->documents; d; d = d->next)
    add_symbols(&s, d->path, &d->text, document_model(d));
  workspace_files(server, search_file, &s);
  return s.found;
}
