/* Attributes that have no effect on a run, by what an evaluator assumes of it: who has given a component such a one, as
 * a machine of his own, is told. Called at the end of a run. */
#include "interp/check/check.h"
#include "interp/execute/executor.h"
#include <string.h>

/* The words of a name are joined by hyphens. */
static bool is_called(const struct name *name, const char *words, size_t length) {
  for (uint32_t i = 0; i < name->length && i < length; i++)
    if (name->text[i] != words[i] && !(name->text[i] == '-' && words[i] == ' ')) return false;
  return name->length == length;
}

/* Where a text that is none of the library's gives the component that attribute; NULL: none does. */
static const struct model_profile *given_to(const struct model *model, const struct model_component *component,
                                            const char *attribute, size_t length) {
  for (uint32_t a = 0; a < component->accept_count; a++) {
    const struct model_accept *accept = component->accepts[a];
    for (uint32_t p = 0; p < accept->profile_count; p++) {
      const struct model_profile *profile = &accept->profile[p];
      if (!profile->value || !is_called(profile->attribute, attribute, length)) continue;
      const struct source *source = source_of(model->sources, profile->value->span.begin);
      if (source && !model_in_library(model, source)) return profile;
    }
  }
  return NULL;
}

static void note(const struct model *model, const struct run_result *result, const struct psl_assumption *assumption,
                 const char *attribute, size_t length) {
  for (size_t c = 0; c < result->component_count; c++) {
    const struct model_component *component = result->components[c].component;
    const struct model_profile *given = given_to(model, component, attribute, length);
    if (given)
      diagnostic_add(model->diagnostics, SEVERITY_NOTE, given->value->span,
                     "'%.*s' of '%s' has no effect on this run: %s", (int)length, attribute,
                     component->symbol->name->text, assumption->text);
  }
}

static void note_each(const struct model *model, const struct run_result *result,
                      const struct psl_assumption *assumption) {
  for (const char *at = assumption->unread; at && *at; at += strcspn(at, "|"), at += *at == '|')
    note(model, result, assumption, at, strcspn(at, "|"));
}

void unread_attributes_note(const struct model *model, const struct run_result *result) {
  for (size_t u = 0; u < result->used_count; u++) {
    const struct psl_assumption *assumptions = result->used[u].evaluator->assumptions;
    for (size_t k = 0; assumptions && assumptions[k].text; k++)
      if (result->used[u].assumes >> k & 1) note_each(model, result, &assumptions[k]);
  }
}
