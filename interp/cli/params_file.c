/* Values of params from a file: lines NAME = VALUE, as --set takes them one by one.  Called by options.c. */
#include "interp/cli/cli.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool wrong_line(struct cli *cli, const char *path, unsigned number) {
  cli_error(cli, "a remark begins with '#' or '//'", "%s:%u: a line of --params is NAME = VALUE", shown(cli, path),
            number);
  return false;
}

/* Up to a remark, which a string may hold. */
static size_t without_remark(const char *line, size_t size) {
  bool string = false;
  for (size_t i = 0; i < size; i++) {
    if (line[i] == '"' && !(string && line[i - 1] == '\\')) string = !string;
    bool slashes = i + 1 < size && line[i] == '/' && line[i + 1] == '/';
    if (!string && (line[i] == '#' || slashes)) return i;
  }
  return size;
}

/* measured NAME = LOW .. HIGH: what else the file says was measured where that param was between these. */
static bool read_measured(struct cli *cli, const char *path, unsigned number, const char *text, size_t size) {
  const char *line = scope_copy(cli->scope, text, size), *name = line + strspn(line, " \t") + strlen("measured");
  struct cli_measured measured = {.file = path, .number = number};
  int end = 0;
  name += strspn(name, " \t");
  size_t length = strcspn(name, " \t=");
  const char *rest = name + length + strspn(name + length, " \t");
  bool fine = length && *rest == '=' && sscanf(rest, "= %lf .. %lf %n", &measured.low, &measured.high, &end) == 2 &&
              !rest[end] && measured.low <= measured.high;
  if (!fine) {
    cli_error(cli, NULL, "%s:%u: what was measured is said as 'measured NAME = LOW .. HIGH'", shown(cli, path), number);
    return false;
  }
  measured.name = scope_copy(cli->scope, name, length);
  SCOPE_PUSH(cli->scope, cli->measured, cli->measured_count, cli->measured_capacity, measured);
  return true;
}

void params_warn(struct cli *cli, struct psl *psl) {
  const struct psl_param *params;
  size_t count;
  if (!cli->measured_count || cli->quiet || psl_params(psl, &params, &count) != PSL_OK) return;
  for (size_t m = 0; m < cli->measured_count; m++) {
    const struct cli_measured *of = &cli->measured[m];
    for (size_t p = 0; p < count; p++) {
      if (strcmp(params[p].name, of->name) != 0) continue;
      if (params[p].number >= of->low && params[p].number <= of->high) continue;
      const char *range = of->low < of->high ? scope_printf(cli->scope, "from %.10g to %.10g", of->low, of->high)
                                             : scope_printf(cli->scope, "at %.10g alone", of->low);
      psl_say(&cli->options, PSL_WARNING,
              scope_printf(cli->scope, "'%s' is %s, and what %s:%u stands for was measured %s", of->name,
                           params[p].value, shown(cli, of->file), of->number, range),
              NULL);
    }
  }
}

static bool is_measured(const char *text, size_t size) {
  static const char word[] = "measured";
  size_t blank = strspn(text, " \t"), length = strlen(word);
  return size > blank + length && !strncmp(text + blank, word, length) && strchr(" \t", text[blank + length]) &&
         text[blank + length + strspn(text + blank + length, " \t")] != '=';
}

static bool read_line(struct cli *cli, const char *path, unsigned number, const char *text, size_t size) {
  size = without_remark(text, size);
  while (size && strchr(" \t\r", text[size - 1]))
    size--;
  if (size && text[size - 1] == ';') size--;
  const char *equals = memchr(text, '=', size);
  size_t blank = strspn(text, " \t");
  if (blank >= size) return true;
  if (memchr(text, '\0', size)) return wrong_line(cli, path, number);
  if (is_measured(text, size)) return read_measured(cli, path, number, text, size);
  size_t length = equals ? (size_t)(equals - text) : 0;
  while (length > blank && strchr(" \t", text[length - 1]))
    length--;
  if (!equals || length <= blank || equals + 1 == text + size) return wrong_line(cli, path, number);
  struct cli_setting setting = {
      .name = scope_copy(cli->scope, text + blank, length - blank),
      .file = path,
      .line = scope_copy(cli->scope, text, size),
      .number = number,
  };
  setting.value = strchr(setting.line, '=') + 1;
  for (size_t s = 0; s < cli->setting_count; s++) {
    const struct cli_setting *other = &cli->settings[s];
    if (!other->file || strcmp(other->file, path) != 0 || strcmp(other->name, setting.name) != 0) continue;
    cli_error(cli, "leave one of the lines out; --set behind the file overrides it",
              "%s:%u: '%s' has its value from line %u already", shown(cli, path), number, setting.name, other->number);
    return false;
  }
  SCOPE_PUSH(cli->scope, cli->settings, cli->setting_count, cli->setting_capacity, setting);
  return true;
}

/* A setting where the file should be: what is meant is --set. */
static bool is_no_file(const struct cli *cli, const char *path) {
  bool names = strchr(path, ',') || habit_of_own(cli->command, "param"); /* a,b; of a sensitivity one alone, too */
  if (!strpbrk(path, "=./") && names && access(path, F_OK) != 0) {
    const char *help = habit_of_own(cli->command, "param"); /* names, as a sensitivity could be asked for some */
    cli_error(cli, help, "--params takes a file of lines NAME = VALUE, and there is no file '%s'", shown(cli, path));
    return true;
  }
  if (!strchr(path, '=') || access(path, F_OK) == 0) return false;
  cli_error(cli, scope_printf(cli->scope, "did you mean '--set %s'?", shown(cli, path)),
            "--params takes a file, and there is no file '%s'", shown(cli, path));
  return true;
}

static const size_t most_bytes = (size_t)16 << 20; /* /dev/zero has no end */

bool params_read(struct cli *cli, const char *path) {
  static const char byte_order[] = "\357\273\277";
  size_t size;
  const char *named = format_named(path), *text;
  if (named && strcmp(named, "text") != 0) {
    cli_error(cli, NULL, "--params reads lines NAME = VALUE, and %s is named as %s", shown(cli, path), named);
    return false;
  }
  if (is_no_file(cli, path)) return false;
  text = file_read_most(cli, path, most_bytes, &size);
  cli->file_wrong = !text;
  if (!text) return false;
  unsigned number = 1;
  const char *first = strncmp(text, byte_order, strlen(byte_order)) ? text : text + strlen(byte_order);
  for (const char *end = text + size, *line = first, *next; line < end; line = next, number++) {
    const char *newline = memchr(line, '\n', (size_t)(end - line));
    next = newline ? newline + 1 : end;
    if (!read_line(cli, text_name(path), number, line, (size_t)((newline ? newline : end) - line))) return false;
  }
  return true;
}
