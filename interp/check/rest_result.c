/* What else reports say of the time of processes, and of the whole run, as results of a study: other-wait,
 * idle.maximum, rank[0].end, events.  They are not listed, since models have such names of their own, which are meant
 * before them.  Called by result.c and instance_result.c. */
#include "interp/check/checker.h"

#include <string.h>

static const char *const rest_words[RESTS] = {"other-wait", "idle", "ended-early", "end"};

/* The rest that a text names, with .maximum behind it where *greatest; RESTS: none. */
static enum result_rest rest_called(const char *text, bool *greatest) {
  enum result_rest rest = 0;
  for (; rest < RESTS; rest++) {
    size_t length = strlen(rest_words[rest]);
    if (strncmp(text, rest_words[rest], length)) continue;
    *greatest = !strcmp(text + length, ".maximum");
    if (*greatest || !text[length]) break;
  }
  return rest;
}

static bool make(struct checker *c, const char *text, struct model_result *made) {
  bool greatest = false;
  enum result_rest rest = rest_called(text, &greatest);
  *made = (struct model_result){.name = arena_copy(c->arena, text, strlen(text)), .type = c->model->types.time};
  made->kind = greatest ? RESULT_GREATEST_REST : RESULT_REST;
  made->part = rest;
  if (rest < REST_END) return true;
  made->kind = RESULT_EVENTS;
  made->type = c->model->types.integer;
  return !strcmp(text, "events");
}

const struct model_result *rest_result(struct checker *c, struct model_study *study, const struct name *head,
                                       const char *text) {
  struct model_result made;
  if (table_first(c, SPACE_VALUE, head) || !make(c, text, &made)) return NULL;
  for (uint32_t i = 0; i < study->own_count; i++)
    if (!strcmp(study->own[i].name, text)) return &study->own[i];
  ARENA_PUSH(c->arena, study->own, study->own_count, study->own_capacity, made);
  return &study->own[study->own_count - 1];
}

bool rest_of_instance(struct checker *c, const struct model_component *component, const char *name,
                      struct model_result *made) {
  bool greatest = false;
  enum result_rest rest = rest_called(name + strlen(component->symbol->name->text) + 1, &greatest);
  *made = (struct model_result){
      .name = name, .kind = RESULT_REST, .part = rest, .component = component, .type = c->model->types.time};
  return rest < RESTS && !greatest;
}

void words_add_rests(struct checker *c, struct words_list *list) {
  for (int r = 0; r < RESTS; r++)
    words_add(c, list, rest_words[r]);
}
