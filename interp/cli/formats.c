/* The format of what a command writes: what --format says, else what the name of the file says, else the command's
 * first one.  Called by options.c. */
#include "interp/cli/cli.h"

#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { FORMATS = 10 };
static const struct offer {
  const char *commands; /* blank-separated */
  const char *formats[FORMATS + 1];
} offers[] = {
    {"run replay mpirun reflect simulate trace compare study recommend sensitivity diff params",
     {"text", "vertical", "json", "jsonl", "csv", "html", "markdown", "latex"}},
    {"fit", {"text", "vertical", "json", "jsonl", "csv", "html", "markdown", "latex", "psl"}},
    {"graph", {"dot", "svg", "png", "pdf", "json", "psl", "xmi", "xml", "c++", "text"}},
    {"why compile calibrate attach", {"text", "json"}},
    {"derive", {"text", "latex", "psl", "json"}},
    {"explain ast", {"text"}},
    {"report", {"html", "text", "json"}}, /* the others: of --list */
    {"measure", {"psl"}},
    {"db", {"text", "vertical", "json", "jsonl", "csv"}},
};

/* Endings that say what is in a file, whether it is something that psl writes or not. A model's has to be asked for by
 * a command that writes one: a report never takes a model's place. */
static const struct {
  const char *ending, *format;
} endings[] = {
    {"txt", "text"},
    {"ndjson", "jsonl"},
    {"htm", "html"},
    {"gv", "dot"},
    {"md", "markdown"},
    {"tex", "latex"},
    {"uml", "xmi"},
    {"cc", "c++"},
    {"cpp", "c++"},
    {"cxx", "c++"},
    {"jpg", "jpeg"}, /* others are called so: */
    {"json"},
    {"jsonl"},
    {"csv"},
    {"html"},
    {"dot"},
    {"svg"},
    {"png"},
    {"pdf"},
    {"ps"},
    {"eps"},
    {"jpeg"},
    {"gif"},
    {"bmp"},
    {"webp"},
    {"tiff"},
    {"tif", "tiff"},
    {"xml"},
    {"xmi"},
    {"tsv"},
    {"xlsx"},
    {"ods"},
    {"parquet"},
    {"gz"},
    {"xz"},
    {"bz2"},
    {"zst"},
    {"zip"},
    {"yaml"},
    {"toml"},
    {"db"},
    {"sqlite", "db"},
    {"sqlite3", "db"},
};

static const char *ending_of(const char *path) {
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
  return dot && dot > name ? dot + 1 : "";
}

const char *format_named(const char *path) {
  const char *ending = ending_of(path);
  for (size_t e = 0; e < sizeof endings / sizeof *endings; e++)
    if (strcasecmp(endings[e].ending, ending) == 0) return endings[e].format ? endings[e].format : endings[e].ending;
  return NULL;
}

const char *const *formats_of(const struct command *command) {
  for (size_t o = 0; o < sizeof offers / sizeof *offers; o++)
    if (word_listed(offers[o].commands, command->name)) return offers[o].formats;
  return NULL;
}

static bool offered(const char *const *formats, const char *format) {
  for (; *formats; formats++)
    if (strcmp(*formats, format) == 0) return true;
  return false;
}

/* Those that a file's name can say. */
static const char *list_of(const struct cli *cli, const char *const *formats) {
  const char *list = *formats;
  for (size_t f = 1; formats[f]; f++)
    if (strcmp(formats[f], "vertical") != 0)
      list = scope_printf(cli->scope, "%s%s%s", list, formats[f + 1] ? ", " : " or ", formats[f]);
  return list;
}

/* Both kinds of text have files of one name. */
static bool agrees(const char *format, const char *named) {
  return strcmp(strcmp(format, "vertical") == 0 ? "text" : format, named) == 0;
}

static bool check_named(const struct cli *cli, const char *const *formats, const char *named) {
  if (!offered(formats, named))
    cli_error(cli, scope_printf(cli->scope, "it writes %s", list_of(cli, formats)), "'%s' writes no %s, as %s is named",
              cli->command->name, named, shown(cli, cli->output));
  else if (cli->format && !agrees(cli->format, named))
    cli_error(cli, "leave out --format, or name another file", "--format %s and a file named %s do not agree",
              cli->format, shown(cli, cli->output));
  else
    return true;
  return false;
}

static enum psl_activity_form form_named(const char *name) {
  static const struct {
    const char *name;
    enum psl_activity_form form;
  } forms[] = {
      {"psl", PSL_ACTIVITY_PSL}, {"xmi", PSL_ACTIVITY_XMI}, {"xml", PSL_ACTIVITY_XML}, {"json", PSL_ACTIVITY_JSON}};
  for (size_t f = 0; f < sizeof forms / sizeof *forms; f++)
    if (strcmp(forms[f].name, name) == 0) return forms[f].form;
  return PSL_ACTIVITY_DOT;
}

static void take(struct cli *cli, const char *name) {
  const char *known;
  for (int f = 0; (known = psl_format_name((enum psl_format)f)); f++)
    if (strcmp(known, name) == 0) cli->report.format = (enum psl_format)f;
  cli->compare.format = cli->study.format = cli->fit.format = cli->report.format;
  cli->fit.functions = strcmp(cli->command->name, "fit") == 0 && strcmp(name, "psl") == 0;
  cli->machine = strcmp(cli->command->name, "measure") == 0;
  cli->form = form_named(name);
  cli->written = name;
  cli->program = strcmp(name, "c++") == 0;
  cli->picture = word_listed("svg png pdf", name) ? name : NULL;
}

/* json, where no file is called so. */
static bool is_format(const struct cli *cli, const char *const *formats, const char *path) {
  if (!offered(formats, path) || access(path, F_OK) == 0) return false;
  cli_error(cli, scope_printf(cli->scope, "did you mean '--format %s'? A file of that name is './%s'", path, path),
            "--output takes a file, and '%s' is a format", path);
  return true;
}

/* All but the formats of lines have each table. */
static bool table_fits(const struct cli *cli) {
  bool lines = cli->fit.format == PSL_CSV || cli->fit.format == PSL_JSONL;
  if (cli->fit.table == PSL_FIT_POINTS || lines) return true;
  cli_error(cli, "the other formats have all tables: leave it out, or add --format csv",
            "--table says what csv and jsonl hold");
  return false;
}

/* -o points.db, where there is no such file and --db names none: what is printed is no database. */
static bool is_database(const struct cli *cli, const char *named) {
  if (strcmp(named, "db") != 0 || cli->study.database || access(cli->output, F_OK) == 0) return false;
  const char *command = cli->command->run == command_study ? "" : "psl study FILE ";
  cli_error(cli, scope_printf(cli->scope, "did you mean '%s--db %s'?", command, shown(cli, cli->output)),
            "-o writes what is printed, and '%s' is named as a database", shown(cli, cli->output));
  return true;
}

bool formats_settle(struct cli *cli) {
  const char *const *formats = formats_of(cli->command);
  if (!formats) return true;
  if (cli->output && is_format(cli, formats, cli->output)) return false;
  const char *named = cli->output ? format_named(cli->output) : NULL;
  if (cli->output && !named && strcmp(ending_of(cli->output), "psl") == 0 && offered(formats, "psl")) named = "psl";
  if (named && is_database(cli, named)) return false;
  if (named && !strcmp(named, "db")) named = NULL; /* what is there already is refused by its content */
  if (named && !check_named(cli, formats, named)) return false;
  take(cli, cli->format ? cli->format : named ? named : cli->static_graph || cli->list ? "text" : formats[0]);
  return table_fits(cli);
}
