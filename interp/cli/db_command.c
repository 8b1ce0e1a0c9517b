/* psl db: the repository in a database. */
#include "interp/cli/cli.h"

#include <stdlib.h>
#include <string.h>

const char *database_of(const struct cli *cli) {
  const char *named = cli->database ? cli->database : getenv("PSL_DB");
  return named && *named ? named : NULL;
}

typedef enum psl_code db_work(struct cli *cli, struct psl *psl, const char *database, FILE *file);

/* Each file is added whole, or not at all. */
static enum psl_code add(struct cli *cli, struct psl *psl, const char *database, FILE *file) {
  enum psl_code code = PSL_OK;
  for (size_t k = 1; k < cli->argument_count && code == PSL_OK; k++) {
    struct psl_db_add entry = cli->entry;
    entry.path = cli->arguments[k];
    entry.name = cli->fit.name;
    code = psl_db_add(psl, database, &entry, psl_write_file, file);
  }
  return code;
}

static enum psl_code search(struct cli *cli, struct psl *psl, const char *database, FILE *file) {
  struct psl_db_search search = {.kind = cli->entry.kind,
                                 .wanted = cli->arguments + 1,
                                 .wanted_count = cli->argument_count - 1,
                                 .format = cli->report.format};
  return psl_db_search(psl, database, &search, psl_write_file, file);
}

static enum psl_code show(struct cli *cli, struct psl *psl, const char *database, FILE *file) {
  return psl_db_show(psl, database, cli->arguments[1], cli->report.format, psl_write_file, file);
}

static enum psl_code export(struct cli *cli, struct psl *psl, const char *database, FILE *file) {
  return psl_db_export(psl, database, cli->arguments[1], psl_write_file, file);
}

static enum psl_code remove_all(struct cli *cli, struct psl *psl, const char *database, FILE *file) {
  enum psl_code code = PSL_OK;
  (void)file;
  for (size_t k = 1; k < cli->argument_count && code == PSL_OK; k++)
    code = psl_db_remove(psl, database, cli->arguments[k]);
  return code;
}

static enum psl_code diff(struct cli *cli, struct psl *psl, const char *database, FILE *file) {
  return psl_db_diff(psl, database, cli->arguments[1], cli->arguments[2], cli->report.format, psl_write_file, file);
}

static const struct action {
  const char *name, *takes;
  size_t least, most; /* arguments behind it */
  db_work *work;
  bool makes; /* the database, where it is not there */
} actions[] = {
    {"add", "FILE...", 1, SIZE_MAX, add, true},
    {"list", "no more words", 0, 0, search},
    {"search", "a selector or words", 1, SIZE_MAX, search},
    {"show", "the NAME of an entry", 1, 1, show},
    {"export", "the NAME of an entry", 1, 1, export},
    {"remove", "NAMEs of entries", 1, SIZE_MAX, remove_all},
    {"diff", "the NAMEs of two entries", 2, 2, diff},
};

static const struct action *action_of(const struct cli *cli) {
  for (size_t k = 0; k < sizeof actions / sizeof *actions; k++)
    if (!strcmp(actions[k].name, cli->arguments[0])) return &actions[k];
  return NULL;
}

/* What belongs to one action alone. */
static bool options_fit(const struct cli *cli, const struct action *action) {
  const struct psl_db_add *entry = &cli->entry;
  const char *option = entry->description  ? "description"
                       : entry->attributes ? "attributes"
                       : entry->replace    ? "replace"
                       : cli->fit.name     ? "name"
                                           : NULL;
  if (option && action->work != add) {
    cli_error(cli, "leave it out", "--%s is of 'psl db add'", option);
    return false;
  }
  if (entry->kind && action->work != add && action->work != search) {
    cli_error(cli, "write KIND/NAME", "--kind is of 'psl db add', 'list' and 'search'");
    return false;
  }
  if (cli->fit.name && cli->argument_count > 2) {
    cli_error(cli, "add one file at a time", "--name is the name of one entry");
    return false;
  }
  return true;
}

static bool given_fits(const struct cli *cli, const struct action *action) {
  static const char usage[] = "'psl help db' lists what there is to do with a database";
  size_t count = cli->argument_count - 1;
  if (!action)
    cli_error(cli, usage, "'db' has no action '%s'", shown(cli, cli->arguments[0]));
  else if (count < action->least || count > action->most)
    cli_error(cli, usage, "'db %s' takes %s", action->name, action->takes);
  else if (!database_of(cli))
    cli_error(cli, "--db FILE names it, or PSL_DB=FILE in the environment", "no database is named");
  else
    return options_fit(cli, action);
  return false;
}

int command_db(struct cli *cli) {
  const struct action *action = action_of(cli);
  const char *database = database_of(cli);
  struct sink sink;
  if (!given_fits(cli, action)) return EXIT_USAGE;
  if (!action->makes && !database_may_be_read(cli, database)) return EXIT_MODEL;
  if (!cli_output(cli, &sink)) return EXIT_MODEL;
  struct psl *psl = cli_open(cli);
  enum psl_code code = psl ? action->work(cli, psl, database, sink.file) : PSL_MEMORY;
  if (psl) cli_close(cli, psl);
  return sink_end(cli, &sink, code);
}
