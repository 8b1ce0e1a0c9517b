/* What a file is, by its content, that a command is given which does not take its kind.  Called by option_habits.c,
 * before anything is read as a model. */
#include "interp/cli/cli.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HEAD = 4096 };

struct file_kind {
  const char *name;
  bool (*is)(const char *path, const char *head);
  const char *commands; /* that take it, blank-separated */
  const char *help;     /* %s: the file */
};

static bool begins(const char *head, const char *text) { return strncmp(head, text, strlen(text)) == 0; }

static bool is_trace(const char *path, const char *head) {
  (void)head;
  return psl_is_trace(path);
}

static bool is_program(const char *path, const char *head) {
  return begins(head, "\177ELF") || (begins(head, "#!") && !names_model(path));
}

static bool is_database(const char *path, const char *head) {
  (void)path;
  return begins(head, "SQLite format 3");
}

static bool is_configuration(const char *path, const char *head) {
  (void)path;
  return begins(head, "#DIMEMAS_CONFIGURATION");
}

static bool is_platform(const char *path, const char *head) {
  (void)path;
  return begins(head, "<?xml") && strstr(head, "<platform");
}

/* Of Java Modelling Tools: what its solver, its simulator and the simulator's editor write. */
static bool is_jmt(const char *path, const char *head) {
  static const char *const schemas[] = {"JMTmodel.xsd", "SIMmodeldefinition.xsd", "Archive.xsd"};
  bool is = false;
  (void)path;
  for (size_t s = 0; s < sizeof schemas / sizeof *schemas; s++)
    is |= begins(head, "<?xml") && strstr(head, schemas[s]);
  return is;
}

/* Of the solvers of layered queueing networks. */
static bool is_layered(const char *path, const char *head) {
  (void)path;
  return begins(head, "<?xml") && strstr(head, "<lqn-model");
}

static bool is_table(const char *path, const char *head) {
  const char *format = format_named(path);
  (void)head;
  return format && !strcmp(format, "csv");
}

/* As run --trace FILE.json writes it: slices that are no operations of a program. */
static bool is_picture_of_run(const char *path, const char *head) {
  return !is_trace(path, head) && *head == '{' && strstr(head, "\"traceEvents\"");
}

/* Extra-P's: the first line is one. */
static bool is_measurement_line(const char *path, const char *head) {
  const char *end = head + strcspn(head, "\r\n"), *params = strstr(head, "\"params\""),
             *value = strstr(head, "\"value\"");
  (void)path;
  return *head == '{' && params && value && params < end && value < end;
}

static bool is_json(const char *path, const char *head) { return !names_model(path) && (*head == '{' || *head == '['); }

static bool is_page(const char *path, const char *head) {
  (void)path;
  return begins(head, "<!doctype html") || begins(head, "<!DOCTYPE html") || begins(head, "<html");
}

static const struct file_kind kinds[] = {
    {"a trace of a program", is_trace, "replay trace diff compare study plot sensitivity params report why",
     "'psl replay %s' runs the program that it is of, 'psl trace info %s' says what it holds"},
    {"a program", is_program, "mpirun reflect trace simulate",
     "'psl mpirun -n N %s' runs a program of MPI on N simulated ranks"},
    {"a database", is_database, "report diff", "'psl report %s' makes a page of a study in it"},
    {"a configuration of Dimemas", is_configuration, "",
     "'psl replay TRACE --dimemas %s' runs a trace on that machine"},
    {"a platform of SimGrid", is_platform, "", "'psl replay TRACE --platform %s' runs a trace on that network"},
    {"a queueing network of JMT", is_jmt, "",
     "psl reads networks in PSL: 'use queueing;' has stations and customers, man psl-queueing shows how to write one"},
    {"a layered queueing network of LQNS", is_layered, "",
     "psl reads models in PSL: a task is a component, an entry one of its accepts, a synchronous call a request of "
     "protocol call-return; man psl-tutorial shows how to write one"},
    {"a trace of a run", is_picture_of_run, "",
     "Perfetto and chrome://tracing show it; what psl reads again is written by --record"},
    {"a file of measurements", is_measurement_line, "fit", "'psl fit %s' fits a cost function to measurements"},
    {"a file of JSON", is_json, "",
     "JSON is written for other programs and not read: 'psl fit' takes measurements in CSV, which --format csv writes"},
    {"a page of HTML", is_page, "", "a browser shows it"},
    {"a table of measurements", is_table, "fit", "'psl fit %s' fits a cost function to measurements"},
};

/* What stands in a pipe is for who takes it. A folder may be a trace. */
static bool read_head(const char *path, char *head) {
  struct stat status;
  *head = '\0';
  if (stat(path, &status) < 0) return false;
  if (S_ISDIR(status.st_mode)) return true;
  FILE *file = S_ISREG(status.st_mode) ? fopen(path, "re") : NULL;
  if (!file) return false;
  head[fread(head, 1, HEAD - 1, file)] = '\0';
  fclose(file);
  return true;
}

static const struct file_kind *kind_of(const char *path) {
  char head[HEAD];
  if (!read_head(path, head)) return NULL;
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
    if (kinds[k].is(path, head)) return &kinds[k];
  return NULL;
}

static const char *help_of(const struct cli *cli, const struct file_kind *kind, const char *path) {
  struct buffer buffer = {.scope = cli->scope};
  const char *text = kind->help, *place;
  bool named = strchr(path, '/') || strcmp(kind->name, "a program"); /* as a shell finds it */
  for (; (place = strstr(text, "%s")); text = place + 2) {
    buffer_put(&buffer, text, (size_t)(place - text));
    if (!named) buffer_put(&buffer, "./", 2);
    buffer_put(&buffer, path, strlen(path));
  }
  buffer_put(&buffer, text, strlen(text));
  return buffer.data;
}

const char *file_habit(const struct cli *cli, const char *path) {
  const struct file_kind *kind = kind_of(path);
  return kind ? help_of(cli, kind, shown(cli, path)) : NULL;
}

/* cluster for cluster.psl. */
static bool lacks_ending(const struct cli *cli, const char *path) {
  static const char *const endings[] = {"psl", "csv", "db", "tit", "trace"};
  if (!strcmp(path, "-") || access(path, F_OK) == 0) return false;
  for (size_t e = 0; e < sizeof endings / sizeof *endings; e++) {
    const char *whole = scope_printf(cli->scope, "%s.%s", path, endings[e]);
    if (access(whole, F_OK) != 0) continue;
    cli_error(cli, scope_printf(cli->scope, "did you mean '%s'?", shown(cli, whole)), "there is no file '%s'",
              shown(cli, path));
    return true;
  }
  return false;
}

bool model_meant(const struct cli *cli, const char *path) {
  const struct file_kind *kind = path ? kind_of(path) : NULL;
  if (path && lacks_ending(cli, path)) return false;
  if (path && path == cli->model && access(path, F_OK) != 0 && machine_named(cli, path)) {
    cli_error(cli, machine_named(cli, path), "there is no file '%s'", shown(cli, path));
    return false;
  }
  if (!kind) return true;
  cli_error(cli, help_of(cli, kind, shown(cli, path)), "'%s' is %s, not a model", shown(cli, path), kind->name);
  return false;
}

bool machine_file_meant(const struct cli *cli, const char *option, const char *path) {
  const struct file_kind *kind = path ? kind_of(path) : NULL;
  bool dimemas = !strcmp(option, "dimemas");
  if (!kind || kind->is == (dimemas ? is_configuration : is_platform)) return true;
  cli_error(cli, help_of(cli, kind, shown(cli, path)), "--%s takes %s, and '%s' is %s", option,
            dimemas ? "a configuration of Dimemas" : "a platform of SimGrid", shown(cli, path), kind->name);
  return false;
}

bool is_json_file(const char *path) {
  const struct file_kind *kind = kind_of(path);
  return kind && kind->is == is_json;
}

bool file_meant(const struct cli *cli, const char *path) {
  const struct file_kind *kind = kind_of(path);
  if (lacks_ending(cli, path)) return false;
  if (!kind || word_listed(kind->commands, cli->command->name)) return true;
  if (cli->static_graph && kind->is == is_json) return true;
  cli_error(cli, help_of(cli, kind, shown(cli, path)), "'%s' takes no %s, and '%s' is one", cli->command->name,
            strchr(kind->name, ' ') + 1, shown(cli, path));
  return false;
}
