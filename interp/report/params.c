/* The params of a model, for people and for programs.  Called by psl_write_params. */
#include "interp/report/report.h"
#include "interp/report/table.h"

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

/* A table for each file, since what is wide in one need not be in another. A star is before what was set, a hyphen
 * before what cannot affect the result; what computes a value is behind it. */
static void put_table(struct text *out, const struct params_listed *listed) {
  const struct psl_param *params = listed->params;
  size_t count = listed->count;
  for (size_t p = 0, next; p < count; p = next) {
    const char *file = or_empty(params[p].file);
    struct table table;
    bool computed = false;
    for (next = p; next < count && strcmp(or_empty(params[next].file), file) == 0; next++)
      computed |= params[next].expression != NULL;
    table_open(&table, out->arena, computed ? "llllll" : "lllll");
    for (size_t q = p; q < next; q++) {
      const struct psl_param *param = &params[q];
      char mark = effect_mark(listed, q);
      table_cellf(&table, "%c%c%s", param->set ? '*' : mark, param->set ? mark : ' ', param->name);
      table_cell(&table, param->type);
      table_cell(&table, shortened(out->arena, param->value));
      if (computed)
        table_cellf(&table, "%s%s", param->expression ? "= " : "", shortened(out->arena, param->expression));
      table_cellf(&table, "%s%s", param->range ? "in " : "", or_empty(param->range));
      table_cell(&table, on_one_line(out->arena, or_empty(param->doc)));
    }
    text_printf(out, "%s%s\n", p ? "\n" : "", file);
    table_print(&table, out, "");
  }
}

static void put_member(struct text *out, const char *name, const char *value, const char *end) {
  text_printf(out, "\"%s\": ", name);
  if (value)
    text_json(out, value);
  else
    text_put(out, "null");
  text_put(out, end);
}

static void put_json(struct text *out, const struct params_listed *listed) {
  const struct psl_param *params = listed->params;
  text_put(out, "[");
  for (size_t p = 0; p < listed->count; p++) {
    text_put(out, p ? ",\n  {" : "\n  {");
    put_member(out, "name", params[p].name, ", ");
    put_member(out, "type", params[p].type, ", ");
    put_member(out, "value", params[p].value, ", ");
    put_member(out, "expression", params[p].expression, ", ");
    put_member(out, "range", params[p].range, ", ");
    put_member(out, "doc", params[p].doc, ", ");
    put_member(out, "file", params[p].file, ", ");
    put_member(out, "effect", effect_name(listed, p), ", ");
    text_printf(out, "\"line\": %u, \"set\": %s}", params[p].line, params[p].set ? "true" : "false");
  }
  text_put(out, "\n]\n");
}

static void put_csv(struct text *out, const struct params_listed *listed) {
  const struct psl_param *params = listed->params;
  text_put(out, "name,type,value,expression,range,doc,file,line,set,effect\n");
  for (size_t p = 0; p < listed->count; p++) {
    const char *fields[] = {params[p].name,  params[p].type, params[p].value, params[p].expression,
                            params[p].range, params[p].doc,  params[p].file};
    for (size_t f = 0; f < sizeof fields / sizeof *fields; f++) {
      csv_field(out, or_empty(fields[f]));
      text_char(out, ',');
    }
    text_printf(out, "%u,%s,%s\n", params[p].line, params[p].set ? "true" : "false", or_empty(effect_name(listed, p)));
  }
}

void report_params(struct output *out, const struct params_listed *listed, enum psl_format format) {
  switch (format) {
  case PSL_TEXT: put_table(&out->text, listed); break;
  case PSL_JSON: put_json(&out->text, listed); break;
  case PSL_CSV: put_csv(&out->text, listed); break;
  }
}
