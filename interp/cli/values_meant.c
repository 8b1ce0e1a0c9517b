/* Values of --vary as other languages have ranges, range(1, 10) and seq(1, 10, 2), and values of several params that go
 * together.  Called by options.c. */
#include "interp/cli/cli.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define UNIT_LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ/%"

/* LOW:HIGH:STEP, or LOW:STEP:HIGH, as other tools have it. */
static bool colons(const char *values, double *low, double *high, double *step) {
  double middle, last;
  char rest;
  if (sscanf(values, "%lf:%lf:%lf%c", low, &middle, &last, &rest) != 3) return false;
  *high = fmax(middle, last);
  *step = fmin(middle, last);
  return true;
}

/* range(LOW, END, STEP), which leaves its end out, seq(LOW, HIGH, STEP) and linspace(LOW, HIGH, COUNT). */
static bool called(const char *values, double *low, double *high, double *step) {
  char name[16], end = 0;
  int read = 0;
  *step = 1;
  if (sscanf(values, " %15[a-z.] ( %lf , %lf %n", name, low, high, &read) != 3 || !read) return false;
  const char *behind = values + read;
  if (*behind == ',' && (sscanf(behind, ", %lf %c", step, &end) != 2 || end != ')')) return false;
  if (*behind != ',' && *behind != ')') return false;
  const char *dot = strrchr(name, '.'), *own = dot ? dot + 1 : name;
  if (word_listed("range arange", own)) {
    if (!(*step > 0 && *high > *low)) return false;
    *high = *low + *step * (ceil((*high - *low) / *step) - 1);
    return true;
  }
  if (!strcmp(own, "linspace") && *step > 1) return *step = (*high - *low) / (*step - 1), true;
  return !strcmp(own, "seq");
}

/* linspace(3min,5min,3) without its unit, which stands behind each number but one that counts; "": there is none. */
static const char *without_unit(const struct cli *cli, const char *values, char unit[16]) {
  const char *text = "";
  *unit = '\0';
  for (const char *at = values; *at;) {
    size_t letters = at > values && isdigit((unsigned char)at[-1]) ? strspn(at, UNIT_LETTERS) : 0;
    bool first = letters && !*unit && letters < 16;
    if (first) snprintf(unit, 16, "%.*s", (int)letters, at);
    bool same = letters && strlen(unit) == letters && !strncmp(unit, at, letters);
    if (!same) text = scope_printf(cli->scope, "%s%c", text, *at);
    at += same ? letters : 1;
  }
  return text;
}

bool range_meant(const struct cli *cli, const char *given, const char *values) {
  double low, high, step;
  char unit[16];
  const char *numbers = without_unit(cli, values, unit);
  if (!colons(numbers, &low, &high, &step) && !called(numbers, &low, &high, &step)) return false;
  int name = (int)(values - given);
  const char *format =
      strcmp(cli->command->name, "compare") != 0
          ? "write --vary '%.*s%g%s..%g%s by %g%s'"
          : "give the values, as --vary PARAM=A,B,...; psl study takes --vary '%.*s%g%s..%g%s by %g%s'";
  cli_error(cli, scope_printf(cli->scope, format, name, given, low, unit, high, unit, step, unit),
            "'%s' is no range of PSL", shown(cli, values));
  return true;
}

const char *seeds_meant(const struct cli *cli, const char *values) {
  unsigned long long low, high, next;
  int read = 0;
  if (sscanf(values, "%llu..%llu%n", &low, &high, &read) != 2 || values[read]) {
    if (sscanf(values, "%llu%n", &low, &read) != 1 || values[read] != ',') return NULL;
    for (high = low; values[read] == ','; high++) {
      int more = 0;
      if (sscanf(values + read, ",%llu%n", &next, &more) != 1 || next != high + 1) return NULL;
      read += more;
    }
    if (values[read]) return NULL;
  }
  if (high <= low) return NULL;
  const char *runs = scope_printf(cli->scope, "--repetitions %llu --seed %llu", high - low + 1, low);
  return command_takes(cli->command, "repetitions")
             ? scope_printf(cli->scope, "%s runs with each of these seeds", runs)
             : scope_printf(cli->scope, "'psl study FILE %s' runs with each of these seeds", runs);
}

/* ---- params that are set together ---- */

/* --set n=4,m=5s: the comma, outside of brackets and strings, that a second NAME= stands behind; NULL: none. */
static const char *second_setting(const char *value) {
  int depth = 0;
  bool string = false;
  for (const char *at = value; *at; at++) {
    if (*at == '"') string = !string;
    if (!string) depth += strchr("[({", *at) ? 1 : strchr("])}", *at) ? -1 : 0;
    if (string || depth || !strchr(",;", *at)) continue;
    const char *name = at + 1 + strspn(at + 1, " ");
    size_t length = 0;
    while (isalnum((unsigned char)name[length]) || (length && strchr("_.-", name[length]) && name[length]))
      length++;
    if (length && name[length] == '=' && name[length + 1] != '=') return at;
  }
  return NULL;
}

bool settings_joined(const struct cli *cli, const char *given, const char *value) {
  const char *second = second_setting(value);
  if (!second) return false;
  cli_error(cli,
            scope_printf(cli->scope, "each param has an option of its own: --set %.*s --set %s", (int)(second - given),
                         given, second + 1 + strspn(second + 1, " ")),
            "--set gives one param a value");
  return true;
}

/* ---- params that are varied together ---- */

struct part {
  const char *text;
  size_t length;
};

static void trim(struct part *part) {
  while (part->length && *part->text == ' ')
    part->text++, part->length--;
  while (part->length && part->text[part->length - 1] == ' ')
    part->length--;
}

/* The parts between the commas that stand in no bracket; 0: there are more than `most`. */
static size_t split(const char *text, size_t length, struct part *parts, size_t most) {
  size_t count = 0, begin = 0;
  int depth = 0;
  for (size_t at = 0; at <= length; at++) {
    if (at < length && strchr("[({", text[at])) depth++;
    if (at < length && strchr("])}", text[at])) depth--;
    if (at < length && (text[at] != ',' || depth > 0)) continue;
    if (count == most) return 0;
    parts[count] = (struct part){text + begin, at - begin};
    trim(&parts[count++]);
    begin = at + 1;
  }
  return count;
}

static bool refuse_tuple(const struct cli *cli, const struct part *tuple, size_t count) {
  cli_error(cli, "params that are varied together have a value each: --vary 'workers,work=(4,10s),(8,20s)'",
            "--vary takes %zu values in parentheses here, not '%s'", count,
            shown(cli, scope_copy(cli->scope, tuple->text, tuple->length)));
  return false;
}

/* Is the text one of the values, which are parted by commas? */
static bool has_value(const char *values, const struct part *value) {
  for (const char *at = values; (at = strstr(at, value->text)); at++)
    if ((at == values || at[-1] == ',') && (!at[value->length] || at[value->length] == ',')) return true;
  return false;
}

/* workers == 4 and work == 10s, of one tuple; its values go behind those of the params. */
static const char *together(const struct cli *cli, const struct part *names, size_t count, const struct part *tuple,
                            const char **values) {
  struct part own[AXES_TOGETHER];
  const char *text = "";
  bool whole = tuple->length > 2 && *tuple->text == '(' && tuple->text[tuple->length - 1] == ')';
  if (!whole || split(tuple->text + 1, tuple->length - 2, own, AXES_TOGETHER) != count) return NULL;
  for (size_t i = 0; i < count; i++) {
    if (!own[i].length) return NULL;
    text = scope_printf(cli->scope, "%s%s%.*s == %.*s", text, i ? " and " : "", (int)names[i].length, names[i].text,
                        (int)own[i].length, own[i].text);
    const struct part value = {scope_copy(cli->scope, own[i].text, own[i].length), own[i].length};
    if (!has_value(values[i], &value))
      values[i] = scope_printf(cli->scope, "%s%s%s", values[i], *values[i] ? "," : "", value.text);
  }
  return text;
}

bool axes_together(const struct cli *cli, const char *given, const char **params, const char **values, size_t *count,
                   const char **condition) {
  struct part names[AXES_TOGETHER], tuple;
  const char *equals = strchr(given, '='), *at = equals + 1;
  *count = split(given, (size_t)(equals - given), names, AXES_TOGETHER);
  *condition = "";
  for (size_t i = 0; i < *count; i++) {
    params[i] = scope_copy(cli->scope, names[i].text, names[i].length);
    values[i] = "";
  }
  for (bool more = true; more;) {
    size_t length = 0;
    for (int depth = 0; at[length] && (at[length] != ',' || depth > 0); length++)
      depth += strchr("[({", at[length]) ? 1 : strchr("])}", at[length]) ? -1 : 0;
    tuple = (struct part){at, length};
    trim(&tuple);
    const char *all = together(cli, names, *count, &tuple, values);
    if (!all) return refuse_tuple(cli, &tuple, *count);
    *condition = scope_printf(cli->scope, "%s%s(%s)", *condition, **condition ? " or " : "", all);
    more = at[length] == ',';
    at += length + 1;
  }
  return true;
}

const char *values_without_empty(const struct cli *cli, const char *values) {
  const char *kept = "", *begin = values;
  bool empty = false;
  int depth = 0;
  for (const char *at = values;; at++) {
    depth += strchr("[({", *at) && *at ? 1 : strchr("])}", *at) && *at ? -1 : 0;
    if (*at && (*at != ',' || depth > 0)) continue;
    bool value = strspn(begin, " ") < (size_t)(at - begin);
    empty |= !value;
    if (value) kept = scope_printf(cli->scope, "%s%s%.*s", kept, *kept ? "," : "", (int)(at - begin), begin);
    if (!*at) return empty ? kept : NULL;
    begin = at + 1;
  }
}
