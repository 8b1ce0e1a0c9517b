/* The params of a model, for people and for programs.  Called by psl_write_params. */
#include "interp/report/report.h"

#include <math.h>
#include <string.h>

static const char *or_empty(const char *text) { return text ? text : ""; }

static const char *on_one_line(struct arena *arena, const char *doc) {
  char *line = arena_copy(arena, doc, strlen(doc));
  for (char *c = line; *c; c++)
    if (*c == '\n') *c = ' ';
  return line;
}

/* A list may be long; `--format json` has all of it. */
static const char *shortened(struct arena *arena, const char *text) {
  enum { WIDTH = 48 };
  if (!text || strlen(text) <= WIDTH) return or_empty(text);
  int kept = WIDTH - 4;
  while ((text[kept] & 0xc0) == 0x80)
    kept--; /* not within a character */
  return arena_printf(arena, "%.*s ...", kept, text);
}

static char effect_mark(const struct params_listed *listed, size_t p) {
  return listed->effects && listed->effects[p] != PSL_EFFECT_RESULT ? '-' : ' ';
}

static const char *effect_name(const struct params_listed *listed, size_t p) {
  if (!listed->effects) return NULL;
  switch (listed->effects[p]) {
  case PSL_EFFECT_NONE: return "none";
  case PSL_EFFECT_CHECK: return "check";
  case PSL_EFFECT_RESULT: break;
  }
  return "result";
}

/* Programs get a number as one. */
static struct report_cell value_of(const struct psl_param *param) {
  return isnan(param->number) ? cell_word(param->value) : cell_real(param->number);
}

static void put_param(struct report *report, const struct params_listed *listed, size_t p) {
  const struct psl_param *param = &listed->params[p];
  struct arena *arena = report->arena;
  char mark = effect_mark(listed, p);
  const char *name = arena_printf(arena, "%c%c%s", param->set ? '*' : mark, param->set ? mark : ' ', param->name);
  const char *expression = param->expression ? arena_printf(arena, "= %s", shortened(arena, param->expression)) : NULL;
  report_row(report,
             (struct report_cell[]){
                 cell_shown(cell_word(param->name), name),
                 cell_word(param->type),
                 cell_shown(value_of(param), shortened(arena, param->value)),
                 cell_word(param->unit),
                 cell_shown(cell_word(param->expression), expression),
                 cell_shown(cell_word(param->range), param->range ? arena_printf(arena, "in %s", param->range) : NULL),
                 cell_shown(cell_word(param->doc), param->doc ? on_one_line(arena, param->doc) : NULL),
                 cell_word(param->file),
                 cell_count(param->line),
                 cell_flag(param->set),
                 cell_word(effect_name(listed, p)),
                 listed->choices[p] ? cell_list(listed->choices[p]) : cell_none(),
             });
}

/* People read a table a file, since what is wide in one need not be in another: a star before what was set, a hyphen
 * before what cannot affect the result, what computes a value behind it. */
void report_params(struct report *report, const struct params_listed *listed) {
  static const struct report_column columns[] = {
      {"name", "", .names = true},
      {"type", "type"},
      {"value", "value"},
      {"unit", NULL, .audience = FOR_PROGRAMS},
      {"expression", "", .optional = true},
      {"range", "range"},
      {"doc", "documentation"},
      {"file", NULL, .audience = FOR_PROGRAMS},
      {"line", NULL, FIGURE_COUNT, NULL, FOR_PROGRAMS},
      {"set", NULL, .audience = FOR_PROGRAMS},
      {"effect", NULL, .audience = FOR_PROGRAMS},
      {"choices", NULL, .audience = FOR_PROGRAMS},
  };
  const struct psl_param *params = listed->params;
  struct report_section section = {
      .key = "params", REPORT_COLUMNS(columns), .main = true, .kept = true, .headless = true, .audience = FOR_PROGRAMS};
  report_section(report, &section);
  for (size_t p = 0; p < listed->count; p++)
    put_param(report, listed, p);
  report_end(report);
  section.audience = FOR_PEOPLE;
  for (size_t p = 0; p < listed->count;) {
    section.title = or_empty(params[p].file);
    report_section(report, &section);
    do
      put_param(report, listed, p++);
    while (p < listed->count && !strcmp(or_empty(params[p].file), section.title));
    report_end(report);
  }
}
