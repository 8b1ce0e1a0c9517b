/* What can be put into a model: components of the library and of the files beside it, and the evaluation modes that are
 * offered to a request.  Both are read from outlines, of files that the text uses or could use. */
#include "interp/lsp/server.h"

#include <stdlib.h>
#include <string.h>

/* ---- files ---- */

/* A handle that has read a text in the place of the document's. */
struct reading {
  struct document *document;
  struct chars text;
};

static const char *reading_text(void *user, const char *path, size_t *size) {
  const struct reading *r = user;
  const struct document *open = document_of_path(r->document->server, path);
  if (!open) return NULL;
  bool own = open == r->document;
  *size = own ? r->text.size : open->text.size;
  return own ? (r->text.data ? r->text.data : "") : open->text.data;
}

static void say_nothing(void *user, const struct psl_diagnostic *diagnostic) { (void)user, (void)diagnostic; }

static struct psl *reading_open(struct reading *r) {
  struct psl_options options = r->document->server->options;
  options.diagnostic = say_nothing;
  options.unsaved = reading_text;
  options.user = r;
  struct psl *psl = psl_open(&options);
  if (psl) psl_edit_file(psl, r->document->path);
  return psl;
}

/* What is handed out holds until the next question: paths are copied, one behind the other's NUL. */
static struct chars paths_of(struct psl *psl) {
  const char *const *paths;
  struct chars list = {0};
  size_t count;
  if (psl_files(psl, &paths, &count) != PSL_OK) return list;
  for (size_t i = 0; i < count; i++)
    chars_add(&list, paths[i], strlen(paths[i]) + 1);
  return list;
}

#define FOR_EACH_PATH(path, list) \
  for (const char *path = (list).data; path && path < (list).data + (list).size; path += strlen(path) + 1)

/* ---- components ---- */

/* "storage" of ".../storage.psl". */
static char *base_of(const char *path) {
  const char *stroke = strrchr(path, '/'), *name = stroke ? stroke + 1 : path;
  size_t length = strlen(name);
  return memory_copy(name, length > 4 && !strcmp(name + length - 4, ".psl") ? length - 4 : length);
}

static void offer_components(json_t *list, struct psl *psl, const char *path) {
  const struct psl_outlined *items;
  size_t count;
  if (psl_outline(psl, path, &items, &count) != PSL_OK) return;
  char *base = base_of(path);
  for (size_t i = 0; i < count; i++) {
    const struct psl_outlined *item = &items[i];
    if (item->depth || item->kind != PSL_NAME_COMPONENT || !item->profile || !item->accepts) continue;
    json_t *one = json_pack("{s:s, s:s, s:s, s:s}", "file", base, "component", item->name, "profile", item->profile,
                            "accepts", item->accepts);
    if (one) json_array_append_new(list, one);
  }
  free(base);
}

json_t *answer_palette(struct server *server, json_t *params, struct failure *failure) {
  const struct psl_completion *completion;
  struct document *d = params_document(server, params, failure);
  struct reading reading = {.document = d};
  json_t *list = json_array();
  if (d && psl_complete(document_model(d), "use ", 4, &completion) == PSL_OK)
    for (size_t i = 0; i < completion->count; i++)
      if (completion->kinds[i] == PSL_NAME_FILE) chars_put(&reading.text, "use %s;\n", completion->words[i]);
  struct psl *psl = d ? reading_open(&reading) : NULL;
  struct chars paths = psl ? paths_of(psl) : (struct chars){0};
  FOR_EACH_PATH(path, paths)
  if (strcmp(path, d->path)) offer_components(list, psl, path);
  chars_drop(&paths), chars_drop(&reading.text);
  psl_close(psl);
  if (d) return list;
  json_decref(list);
  return NULL;
}

/* ---- evaluation modes ---- */

/* What `{ domain = a[b], evaluation mode = c }` says of an attribute, its words joined by blanks; false: nothing. */
static bool clause_of(const char *profile, const char *attribute, struct chars *value) {
  unsigned nested = 0;
  const char *at = profile + strspn(profile, "{ "), *begin = at;
  value->size = 0;
  for (;; at++) {
    nested += *at == '[' || *at == '(';
    nested -= nested && (*at == ']' || *at == ')');
    if (*at && !(strchr(",}", *at) && !nested)) continue;
    const char *equal = strchr(begin, '=');
    size_t length = strlen(attribute), k = 0;
    while (k < length && (begin[k] == attribute[k] || (begin[k] == '-' && attribute[k] == ' ')))
      k++;
    if (equal && equal < at && k == length && strspn(begin + k, " ") == (size_t)(equal - begin) - k) {
      const char *first = equal + 1 + strspn(equal + 1, " "), *end = at;
      while (end > first && end[-1] == ' ')
        end--;
      chars_add(value, first, (size_t)(end - first));
      return true;
    }
    if (!*at || *at == '}') return false;
    begin = at + 1 + strspn(at + 1, " \n");
  }
}

/* A mode that is offered where the domain is that which is asked for, once. */
static void offer_mode(json_t *list, const char *profile, const char *domain) {
  struct chars value = {0};
  bool fits = profile && clause_of(profile, "domain", &value) && (!*domain || !strcmp(value.data, domain));
  if (fits && clause_of(profile, "evaluation mode", &value)) {
    json_t *mode;
    size_t i;
    bool known = false;
    json_array_foreach(list, i, mode) known |= !strcmp(json_string_value(mode), value.data);
    if (!known) json_array_append_new(list, json_string(value.data));
  }
  chars_drop(&value);
}

static void offer_modes(json_t *list, struct psl *psl, const char *path, const char *transaction, const char *domain) {
  const struct psl_outlined *items, *component = NULL;
  size_t count, length = strlen(transaction);
  if (psl_outline(psl, path, &items, &count) != PSL_OK) return;
  for (size_t i = 0; i < count; i++) {
    const struct psl_outlined *item = &items[i];
    if (item->kind == PSL_NAME_COMPONENT) component = item;
    bool like = item == component && *item->detail && item->accepts && !strncmp(item->accepts, transaction, length) &&
                strchr("( ", item->accepts[length]);
    bool accept = item->kind == PSL_NAME_TRANSACTION && component && item->depth > component->depth &&
                  !strcmp(item->name, transaction);
    if (like || accept) offer_mode(list, item->profile, domain);
  }
}

json_t *answer_modes(struct server *server, json_t *params, struct failure *failure) {
  const char *transaction = json_string_value(json_object_get(params, "transaction"));
  const char *domain = json_string_value(json_object_get(params, "domain"));
  struct document *d = params_document(server, params, failure);
  if (!d) return NULL;
  if (!transaction || !domain) return fail(failure, INVALID_PARAMS, "the params have no transaction, or no domain");
  json_t *list = json_array();
  struct psl *psl = document_model(d);
  struct chars paths = paths_of(psl);
  FOR_EACH_PATH(path, paths)
  offer_modes(list, psl, path, transaction, domain);
  chars_drop(&paths);
  return list;
}
