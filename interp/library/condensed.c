/* A model in which each body is condensed: what stands in the texts of its files is written anew where a body has changed,
 * and the model is made of these texts.  Called for psl run --condense. */
#include "interp/check/load.h"
#include "interp/library/handle.h"
#include "interp/resolve/graph.h"
#include "interp/taskgraph/taskgraph.h"

#include <stdlib.h>
#include <string.h>

struct edit { /* of a file's text */
  struct span span;
  const char *text;
};
struct edits {
  struct edit *items;
  uint32_t count, capacity;
};

static int by_place(const void *a, const void *b) {
  uint32_t x = ((const struct edit *)a)->span.begin, y = ((const struct edit *)b)->span.begin;
  return (x > y) - (x < y);
}

/* Components that are like each other share a text: where they do not become the same, it stays. */
static void add_edit(struct psl *psl, struct edits *edits, struct span span, const char *text) {
  for (uint32_t k = 0; k < edits->count; k++) {
    struct edit *other = &edits->items[k];
    if (other->span.begin != span.begin) continue;
    if (other->text && strcmp(other->text, text)) other->text = NULL;
    return;
  }
  struct edit edit = {span, text};
  ARENA_PUSH(&psl->work, edits->items, edits->count, edits->capacity, edit);
}

static unsigned column_of(const struct source *source, uint32_t at) {
  uint32_t begin = at - source->base;
  while (begin && source->text[begin - 1] != '\n')
    begin--;
  return at - source->base - begin;
}

static struct edits edits_of(struct psl *psl, const struct static_graph *graph) {
  struct edits edits = {0};
  for (uint32_t k = 0; k < graph->graph_count; k++) {
    struct span span = task_graph_span(&graph->graphs[k]);
    const struct source *source = span.end ? source_of(&psl->sources, span.begin) : NULL;
    struct text text = {.arena = &psl->work};
    if (!source) continue;
    task_graph_body(&text, &graph->graphs[k], column_of(source, span.begin));
    if (text.data) add_edit(psl, &edits, span, text.data);
  }
  if (edits.count) qsort(edits.items, edits.count, sizeof *edits.items, by_place);
  return edits;
}

static const char *edited(struct psl *psl, const struct source *source, const struct edits *edits, size_t *size) {
  struct text text = {.arena = &psl->lasting};
  uint32_t at = 0;
  for (uint32_t k = 0; k < edits->count; k++) {
    const struct edit *edit = &edits->items[k];
    if (!edit->text || edit->span.begin < source->base || edit->span.begin - source->base >= source->size) continue;
    text_put_n(&text, source->text + at, edit->span.begin - source->base - at);
    text_put(&text, edit->text + strspn(edit->text, "\n "));
    at = edit->span.end - source->base;
  }
  if (!at) return NULL;
  text_put_n(&text, source->text + at, source->size - at);
  *size = text.size;
  return text.data;
}

static enum psl_code work_condense(struct psl *psl, void *system) {
  if (!handle_model(psl)) return PSL_MISUSE;
  if (!psl->of_file) {
    diagnostic_add(&psl->diagnostics, SEVERITY_ERROR, (struct span){0}, "a model is condensed that stands in a file");
    return PSL_WRONG;
  }
  struct graph *graph = handle_resolve(psl, system, &(struct resolve_options){0});
  if (!graph) return PSL_WRONG;
  struct static_graph *made = static_graph_derive(graph, &psl->work);
  task_graph_condense(&psl->work, &psl->names, made);
  struct edits edits = edits_of(psl, made);
  struct text_cache *texts = ARENA_NEW(&psl->lasting, struct text_cache), *before = psl->texts;
  texts->arena = &psl->lasting;
  for (uint32_t k = 0; k < psl->model.file_count; k++) {
    const struct source *source = psl->model.files[k]->source;
    struct cached_text item = {0};
    item.text = edited(psl, source, &edits, &item.size);
    const char *identity = psl->model.loading->files[k]->identity;
    item.identity = arena_copy(&psl->lasting, identity, strlen(identity));
    if (item.text) ARENA_PUSH(texts->arena, texts->items, texts->count, texts->capacity, item);
  }
  const char *path = psl->model.files[0]->source->path;
  path = arena_copy(&psl->lasting, path, strlen(path));
  psl->texts = texts;
  enum psl_code code = handle_load_file(psl, path);
  psl->texts = before;
  return code;
}

enum psl_code psl_condense(struct psl *psl, const char *system) {
  return handle_enter(psl, work_condense, (void *)system);
}
