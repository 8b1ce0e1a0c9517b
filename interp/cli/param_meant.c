/* Options that are params, as in `psl run model.psl --workers=8`: the params of the model on the line say what is
 * meant.  The model is read for that alone, and what is wrong with it is not said here. */
#include "interp/cli/cli.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { PARAMS_MOST = 256, PARAMS_SHOWN = 12 };

/* The model among the words of the line; NULL: there is none. */
static const char *model_of(const struct cli *cli) {
  for (int w = 1; w < cli->word_count; w++)
    if (names_model(cli->words[w])) return cli->words[w];
  return NULL;
}

static const char *listed(const struct cli *cli, const char *const *names, size_t count) {
  const char *text = "";
  for (size_t i = 0; i < count && i < PARAMS_SHOWN; i++)
    text = scope_printf(cli->scope, "%s%s%s", text, i ? ", " : "", names[i]);
  return count > PARAMS_SHOWN ? scope_printf(cli->scope, "%s, ...", text) : text;
}

/* Bare numbers as the param's own value is written: 95 as [95 %] where that is [50 %, 90 %]; else as they are. */
static const char *written_as(const struct cli *cli, const char *value, const char *own) {
  struct buffer buffer = {.scope = cli->scope};
  bool list = own && *own == '[', share = own && strchr(own, '%');
  if (!value || !(list || share) || !isdigit((unsigned char)*value) || value[strspn(value, "0123456789., ")])
    return value;
  if (list) buffer_put(&buffer, "[", 1);
  while (*value) {
    size_t length = strcspn(value, ", "), between = strspn(value + length, ", ");
    buffer_put(&buffer, value, length);
    if (share && strtod(value, NULL) > 1) buffer_put(&buffer, " %", 2);
    if (between && value[length + between]) buffer_put(&buffer, list ? ", " : ",", list ? 2 : 1);
    value += length + between;
  }
  if (list) buffer_put(&buffer, "]", 1);
  return buffer.data;
}

/* The option that gives the param, of which its own value is known, the value or several. */
static const char *setting_of(const struct cli *cli, const char *name, const char *own, const char *value) {
  value = written_as(cli, value, own);
  bool several = value && *value != '[' && (strchr(value, ',') || strstr(value, "..")) && *value != '"';
  const char *option = several && command_takes(cli->command, "vary") ? "vary" : "set";
  if (several && *option == 's' && strchr(value, ',')) value = scope_printf(cli->scope, "[%s]", value);
  bool quoted = value && strpbrk(value, " [](){}*;&|<>$\"'\\");
  return scope_printf(cli->scope, quoted ? "--%s '%s=%s'" : "--%s %s=%s", option, name, value ? value : "VALUE");
}

/* disk,flash of a term in [disk, flash]. */
static const char *choices_of(const struct cli *cli, const struct psl_param *param) {
  struct buffer buffer = {.scope = cli->scope};
  if (!strcmp(param->type, "bool")) return "true,false";
  if (strcmp(param->type, "term") != 0 || !param->range || *param->range != '[') return NULL;
  for (const char *at = param->range + 1; *at && *at != ']'; at++)
    if (*at != ' ') buffer_put(&buffer, at, 1);
  return buffer.data;
}

/* The params of the model on the line; NULL: it has none, or cannot be read. */
static struct params {
  const char *names[PARAMS_MOST], *values[PARAMS_MOST];
  const char *choices[PARAMS_MOST]; /* a,b of what is one of a few; NULL: it is not */
  size_t count;
  bool read;
} params_of(const struct cli *cli) {
  struct params found = {.count = 0};
  const char *path = model_of(cli);
  if (!(cli->session || path) || !cli->command || !command_takes(cli->command, "set")) return found;
  struct psl_options options = {.folders = cli->folders, .folder_count = cli->folder_count};
  struct psl *psl = cli->session ? cli->session : psl_open(&options);
  const struct psl_param *params;
  size_t count = 0;
  found.read =
      psl && (cli->session || psl_load_file(psl, path) == PSL_OK) && psl_params(psl, &params, &count) == PSL_OK;
  for (size_t p = 0; found.read && p < count && p < PARAMS_MOST; p++) {
    found.choices[found.count] = choices_of(cli, &params[p]);
    found.values[found.count] =
        params[p].value ? scope_copy(cli->scope, params[p].value, strlen(params[p].value)) : NULL;
    found.names[found.count++] = scope_copy(cli->scope, params[p].name, strlen(params[p].name));
  }
  if (!cli->session) psl_close(psl);
  return found;
}

const char *param_meant(const struct cli *cli, const char *name, const char *value) {
  const struct params params = params_of(cli);
  for (size_t p = 0; p < params.count; p++)
    if (options_same_param(params.names[p], name))
      return scope_printf(cli->scope, "it is a param of the model: %s",
                          setting_of(cli, params.names[p], params.values[p], value));
  return NULL;
}

/* Of the library's model of programs, where the line has a trace: as many as a line of help has room for. */
static const char *choices_of_traced(const struct cli *cli, const char *name) {
  const struct psl_options none = {0};
  const char *const *values, *text = NULL;
  size_t count;
  bool traced = false;
  for (int w = 1; w < cli->word_count; w++)
    traced |= cli->words[w][0] != '-' && psl_is_trace(cli->words[w]);
  struct psl *psl = traced ? psl_open(&none) : NULL;
  if (psl && library_load(cli, psl, NULL) == PSL_OK && psl_choices(psl, name, &values, &count) == PSL_OK)
    for (size_t i = 0; i < count; i++)
      text = i < PARAMS_SHOWN ? scope_printf(cli->scope, "%s%s%s", text ? text : "", text ? "," : "", values[i]) : text;
  psl_close(psl);
  return text;
}

const char *param_choices(const struct cli *cli, const char *name) {
  const struct params params = params_of(cli);
  if (!model_of(cli) && !cli->session) return choices_of_traced(cli, name);
  for (size_t p = 0; p < params.count; p++)
    if (options_same_param(params.names[p], name)) return params.choices[p];
  return NULL;
}

const char *params_known(const struct cli *cli, const char *name, const char *value) {
  const struct params params = params_of(cli);
  const char *nearest = strlen(name) > 2 ? psl_nearest(name, params.names, params.count) : NULL;
  for (size_t p = 0; nearest && p < params.count; p++)
    if (params.names[p] == nearest)
      return scope_printf(cli->scope, "did you mean '%s'?", setting_of(cli, nearest, params.values[p], value));
  if (params.read && !params.count) return "the model has no params";
  return params.read ? scope_printf(cli->scope, "the params of the model are %s: --set NAME=%s",
                                    listed(cli, params.names, params.count), value ? value : "VALUE")
                     : NULL;
}
