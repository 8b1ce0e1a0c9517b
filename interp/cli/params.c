/* psl params: a table of the params of a model, for people and for programs. */
#include "interp/cli/cli.h"
#include "interp/report/report.h"

#include <string.h>

enum { COLUMNS = 4 }; /* name, type, value, range; the documentation stands at the end of the line */

static const char *or_empty(const char *text) {
  return text ? text : "";
}

static void columns_of(const struct psl_param *param, const char *columns[COLUMNS]) {
  columns[0] = param->name;
  columns[1] = param->type;
  columns[2] = or_empty(param->value);
  columns[3] = or_empty(param->range);
}

/* Columns of a screen count characters. */
static size_t width_of(const char *text) {
  size_t width = 0;
  for (; *text; text++) width += ((unsigned char)*text & 0xC0) != 0x80;
  return width;
}

static void put_padded(struct text *out, const char *text, size_t width) {
  text_put(out, text);
  for (size_t w = width_of(text); w < width; w++) text_char(out, ' ');
}

static void put_table(struct text *out, const struct psl_param *params, size_t count) {
  static const char *const heads[COLUMNS] = {"param", "type", "value", "in"};
  const char *columns[COLUMNS];
  size_t widths[COLUMNS];
  for (size_t c = 0; c < COLUMNS; c++) widths[c] = strlen(heads[c]);
  for (size_t p = 0; p < count; p++) {
    columns_of(&params[p], columns);
    for (size_t c = 0; c < COLUMNS; c++)
      if (width_of(columns[c]) > widths[c]) widths[c] = width_of(columns[c]);
  }
  const char *file = NULL;
  for (size_t p = 0; p < count; p++) {
    if (!file || strcmp(file, or_empty(params[p].file)) != 0) {
      file = or_empty(params[p].file);
      text_printf(out, "%s%s\n", p ? "\n" : "", file);
    }
    columns_of(&params[p], columns);
    size_t start = out->size;
    text_put(out, params[p].set ? "* " : "  ");
    for (size_t c = 0; c < COLUMNS; c++) put_padded(out, columns[c], widths[c] + 2);
    for (const char *doc = or_empty(params[p].doc); *doc; doc++) text_char(out, *doc == '\n' ? ' ' : *doc);
    while (out->size > start && out->data[out->size - 1] == ' ') out->size--;
    text_char(out, '\n');
  }
}

static void put_member(struct text *out, const char *name, const char *value, const char *end) {
  text_printf(out, "\"%s\": ", name);
  if (value) text_json(out, value);
  else text_put(out, "null");
  text_put(out, end);
}

static void put_json(struct text *out, const struct psl_param *params, size_t count) {
  text_put(out, "[");
  for (size_t p = 0; p < count; p++) {
    text_put(out, p ? ",\n  {" : "\n  {");
    put_member(out, "name", params[p].name, ", ");
    put_member(out, "type", params[p].type, ", ");
    put_member(out, "value", params[p].value, ", ");
    put_member(out, "range", params[p].range, ", ");
    put_member(out, "doc", params[p].doc, ", ");
    put_member(out, "file", params[p].file, ", ");
    text_printf(out, "\"line\": %u, \"set\": %s}", params[p].line, params[p].set ? "true" : "false");
  }
  text_put(out, "\n]\n");
}

static void put_csv(struct text *out, const struct psl_param *params, size_t count) {
  text_put(out, "name,type,value,range,doc,file,line,set\n");
  for (size_t p = 0; p < count; p++) {
    const char *fields[] = {params[p].name,  params[p].type, params[p].value,
                            params[p].range, params[p].doc,  params[p].file};
    for (size_t f = 0; f < sizeof fields / sizeof *fields; f++) {
      csv_field(out, or_empty(fields[f]));
      text_char(out, ',');
    }
    text_printf(out, "%u,%s\n", params[p].line, params[p].set ? "true" : "false");
  }
}

int command_params(struct cli *cli) {
  int code;
  struct sink sink;
  const struct psl_param *params;
  size_t count;
  if (!sink_open(cli, &sink, cli->output)) return EXIT_MODEL;
  struct psl *psl = cli_load(cli, cli->arguments[0], &code);
  if (psl) code = exit_of(psl_params(psl, &params, &count));
  if (code != EXIT_FINE) {
    sink_drop(&sink);
    psl_close(psl);
    return code;
  }
  struct text text = {.arena = cli->arena};
  switch (cli->report.format) {
  case PSL_TEXT: put_table(&text, params, count); break;
  case PSL_JSON: put_json(&text, params, count); break;
  case PSL_CSV: put_csv(&text, params, count); break;
  }
  psl_close(psl);
  if (text.size) fwrite(text.data, 1, text.size, sink.file);
  return sink_keep(cli, &sink) ? EXIT_FINE : EXIT_MODEL;
}
