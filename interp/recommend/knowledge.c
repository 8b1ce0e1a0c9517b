/* What was learnt, as knowledge in a database: rules whose left sides are selectors. */
#include "interp/recommend/recommend.h"
#include "interp/database/repository.h"
#include "interp/repository/repository_model.h"
#include "interp/study/store.h"

#include <string.h>

static void put_member(struct text *out, const char *name, const char *value) {
  text_printf(out, "\"%s\": ", name);
  text_json(out, value);
}

static void put_number(struct text *out, const char *name, double value) {
  text_printf(out, ", \"%s\": ", name);
  text_number(out, value);
}

/* [{"if": "n > 4", "then": "...", "support": 0.2, ...}, ...]; a rule without a left side holds of all problems. */
static uint32_t put_rules(const struct recommender *r, struct text *json, struct text *words) {
  uint32_t count = 0;
  text_char(json, '[');
  for (uint32_t i = 0; i < r->rules.count; i++) {
    const struct recommend_rule *rule = &r->rules.items[i];
    const char *when = report_rule(r, rule, true), *then = report_advice(r, rule);
    if (!*when) continue;
    text_put(json, count++ ? ",\n {" : "{");
    put_member(json, "if", when);
    text_put(json, ", ");
    put_member(json, "then", then);
    put_number(json, "support", rule->support);
    put_number(json, "confidence", rule->confidence);
    put_number(json, "lift", rule->lift);
    put_number(json, "cases", rule->cases);
    text_char(json, '}');
    text_printf(words, "if %s then %s\n", when, then);
  }
  text_put(json, "]\n");
  return count;
}

bool knowledge_keep(struct recommender *r, const char *path) {
  struct arena *arena = &r->psl->handed;
  struct text json = {.arena = arena}, words = {.arena = arena};
  const char *model = r->psl->model.files[0]->source->path;
  text_put(&words, "");
  uint32_t count = put_rules(r, &json, &words);
  if (!count) return true;
  struct attribute_list attributes = {.arena = arena};
  entry_add_text(&attributes, PROFILE_OF_ENTRY, "study", r->plan->name);
  entry_add_text(&attributes, PROFILE_OF_ENTRY, "system", r->plan->system);
  struct repository_entry entry = {
      .kind = "knowledge",
      .name = r->plan->name,
      .format = "rules",
      .description = arena_printf(arena, "learnt from %u cases of %u problems", r->cases.count, r->problems.count),
      .origin = shown_line(arena, model),
      .details = arena_printf(arena, "{\"rules\": %u}", count),
      .text = words.data,
      .data = json.data,
      .size = json.size,
      .attributes = attributes.items,
      .attribute_count = attributes.count};
  struct database *database = database_open(&r->psl->work, &r->psl->diagnostics, path, DATABASE_WRITE);
  if (!database) return false;
  bool fine = repository_put(database, &entry, true) != REPOSITORY_FAILED;
  return database_close(database) && fine;
}
