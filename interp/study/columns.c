/* What a study shows where it does not say: the time, where it goes, messages, and the means of what the
 * model records. Called by plan.c, which reads the text as a declaration. */
#include "grammar/children.h"
#include "interp/study/study.h"

#include <string.h>
#include <strings.h>

const char *const study_column_kinds[] = {"report", "objective", "plot"};

enum { MOST = 13 };
struct columns {
  const char *names[MOST];
  uint32_t count;
};

static void column_add(struct columns *columns, const char *name) {
  for (uint32_t i = 0; i < columns->count; i++)
    if (strcasecmp(columns->names[i], name) == 0) return;
  if (columns->count < MOST) columns->names[columns->count++] = name;
}

static void block_records(struct columns *columns, const struct block *block) {
  for (const struct stmt *stmt = block->first; stmt; stmt = stmt->next) {
    if (stmt->kind == STMT_RECORD) column_add(columns, stmt->record.name.name->text);
    for (struct children c = stmt_children(stmt); children_next(&c);)
      if (c.block) block_records(columns, c.block);
  }
}

static bool is_station(const struct model_component *component) {
  for (uint32_t a = 0; a < component->accept_count; a++)
    if (component->accepts[a]->servers) return true;
  return false;
}

/* Of a network of queues the responses and throughputs of customers and how busy its stations are. */
static void put_network(struct text *out, struct model *model) {
  const struct symbol *library = queueing_param(model, "percentiles");
  if (library) model_list_results(model);
  for (uint32_t r = 0; library && r < model->result_count; r++) {
    const struct model_result *result = &model->results[r];
    if (result->kind != RESULT_QUEUEING || result->half || result->component->symbol->file == library->file) continue;
    bool wanted = is_station(result->component)
                      ? result->part == QUEUEING_UTILISATION
                      : result->part == QUEUEING_RESPONSE || result->part == QUEUEING_THROUGHPUT;
    if (wanted) text_printf(out, ", %s", result->name);
  }
}

/* Does the name mean what bodies record, and no share of time? */
static bool is_record(struct model *model, const char *name) {
  model_list_results(model);
  for (uint32_t r = 0; r < model->result_count; r++)
    if (model->results[r].kind == RESULT_RECORD && !model->results[r].component &&
        !strcmp(model->results[r].record->text, name))
      return true;
  return false;
}

/* The records that runs go on for till their means are known as well as wished: such a run has no makespan. */
static void wished_records(struct columns *columns, const struct model *model) {
  for (uint32_t c = 0; c < model->component_count; c++)
    for (const struct model_keeping *keeping = model->components[c]->keepings; keeping; keeping = keeping->next)
      if (keeping->half_width) column_add(columns, keeping->name->text);
}

static void usual_add(struct columns *columns, struct model *model, const char *name) {
  if (!is_record(model, name)) column_add(columns, name);
}

const char *study_columns(struct psl *psl, bool repeated) {
  static const char *const others[] = {"compute", "communicate", "wait", "messages"};
  struct model *model = &psl->model;
  struct columns columns = {0};
  wished_records(&columns, model);
  uint32_t wished = columns.count;
  usual_add(&columns, model, "makespan");
  if (wished) usual_add(&columns, model, "simulated-time");
  for (uint32_t i = 0; i < sizeof others / sizeof *others; i++)
    usual_add(&columns, model, others[i]);
  uint32_t own = columns.count;
  for (uint32_t c = 0; repeated && c < model->component_count; c++)
    for (uint32_t a = 0; a < model->components[c]->accept_count; a++)
      if (model->components[c]->accepts[a]->body) block_records(&columns, model->components[c]->accepts[a]->body);
  struct text text = {.arena = &psl->work};
  for (uint32_t r = 0; r < columns.count; r++) {
    bool taken = false; /* by a param, which may be varied */
    for (uint32_t p = 0; p < model->param_count; p++)
      taken |= strcasecmp(model->params[p]->name->text, columns.names[r]) == 0;
    text_printf(&text, "%s%s%s = %s%s", r ? ", " : "", taken ? "run-" : "", columns.names[r], columns.names[r],
                r >= wished && r < own ? "" : ".mean");
    if (!r) put_network(&text, model);
  }
  return text.data;
}
