/* psl study and psl plot. */
#include "interp/cli/cli.h"

#include <string.h>

/* Lines go out as they are handed over: a pipe sees them come. */
static int write_through(void *file, const char *text, size_t size) {
  return psl_write_file(file, text, size) || fflush(file) != 0;
}

/* ---- what a session has set, and a study varies ---- */

static bool is_among(const struct cli *cli, const char *param, const char *const *names, size_t count) {
  bool own = false, named = false;
  for (size_t s = 0; s < cli->setting_count; s++)
    own |= options_same_param(cli->settings[s].name, param);
  for (size_t n = 0; n < count; n++)
    named |= options_same_param(names[n], param);
  return named && !own;
}

/* The setting is as good as one of the command, whose end puts it back. */
static enum psl_code leave_setting(struct cli *cli, struct psl *psl, const char *param) {
  struct cli_setting setting = {.name = param};
  enum psl_code code = psl_setting(psl, param, &setting.before);
  if (code != PSL_OK || !setting.before) return code;
  setting.before = scope_copy(cli->scope, setting.before, strlen(setting.before));
  SCOPE_PUSH(cli->scope, cli->settings, cli->setting_count, cli->setting_capacity, setting);
  const char *said =
      scope_printf(cli->scope, "'%s' is varied: its setting, %s, does not hold here", param, setting.before);
  if (!cli->quiet) psl_say(&cli->options, PSL_NOTE, said, "--set, as an option of the command, gives it one value");
  return psl_unset(psl, param);
}

/* The params of `names` that the session has set, and the command has not. */
static enum psl_code leave_settings(struct cli *cli, struct psl *psl, const char *const *names, size_t count) {
  const struct psl_param *params;
  size_t param_count, left = 0;
  enum psl_code code = psl_params(psl, &params, &param_count);
  const char **set = SCOPE_ARRAY(cli->scope, const char *, param_count);
  for (size_t p = 0; code == PSL_OK && p < param_count; p++)
    if (params[p].set && is_among(cli, params[p].name, names, count))
      set[left++] = scope_copy(cli->scope, params[p].name, strlen(params[p].name));
  for (size_t i = 0; code == PSL_OK && i < left; i++)
    code = leave_setting(cli, psl, set[i]);
  return code;
}

/* In a session the axes win over what was set there. */
static enum psl_code vary_all(struct cli *cli, struct psl *psl, const char *name) {
  const char *const *varied, **names;
  size_t count, all = 0;
  if (!cli->session) return PSL_OK;
  enum psl_code code = psl_varied(psl, name, &varied, &count);
  if (code != PSL_OK) return code;
  names = SCOPE_ARRAY(cli->scope, const char *, count + cli->axis_count);
  for (size_t v = 0; v < count; v++)
    names[all++] = scope_copy(cli->scope, varied[v], strlen(varied[v]));
  for (size_t a = 0; a < cli->axis_count; a++) {
    bool known = false;
    for (size_t v = 0; v < count; v++)
      known |= options_same_param(names[v], cli->axes[a].param);
    if (!known) names[all++] = cli->axes[a].param;
  }
  return leave_settings(cli, psl, names, all);
}

/* ---- the commands ---- */

static enum psl_code run_study(struct cli *cli, struct psl *psl, const char *name, psl_write *write, FILE *file) {
  struct progress_line line;
  enum psl_code code = vary_all(cli, psl, name);
  if (code != PSL_OK) return code;
  cli->study.run = cli->run;
  cli->study.vary = cli->axes;
  cli->study.vary_count = cli->axis_count;
  cli->study.progress = progress_open(cli, &line, cli->study.format);
  cli->study.progress_user = &line;
  return psl_study(psl, name, &cli->study, write, file);
}

int command_study(struct cli *cli) {
  int code;
  struct sink sink; /* opened first: a study is not made for a file that cannot be written */
  struct plots plots;
  if (!sink_open(cli, &sink, cli->output, "--output", CONTENTS_REPORT)) return EXIT_MODEL;
  if (!plots_open(cli, &plots)) {
    sink_drop(&sink);
    return EXIT_MODEL;
  }
  struct psl *psl = cli_load(cli, cli->arguments[0], &code);
  if (psl) {
    bool meant = plot_meant(cli, psl);
    code =
        sink_end(cli, &sink, meant ? run_study(cli, psl, system_argument(cli), write_through, sink.file) : PSL_MISUSE);
  } else {
    sink_drop(&sink);
  }
  code = plots_close(&plots, code);
  cli_close(cli, psl);
  return code;
}

/* The report of a study that is only drawn. */
static int leave_out(void *user, const char *text, size_t size) {
  (void)user, (void)text, (void)size;
  return 0;
}

/* The first word behind the file may be the name of what is studied. */
static enum psl_code plot_study(struct cli *cli, struct psl *psl) {
  const char *name = cli->argument_count > 1 ? cli->arguments[1] : NULL;
  bool named = false;
  enum psl_code code = name ? psl_can_study(psl, name, &named) : PSL_OK;
  if (code != PSL_OK) return code;
  if (name && !named && is_picture(name)) {
    refuse_picture(cli, shown(cli, name));
    return PSL_MISUSE;
  }
  if (name && !named && cli->argument_count == 2 && !strchr(name, ' ')) {
    cli_error(cli,
              cli->axis_count
                  ? scope_printf(cli->scope, "of a figure write '%s against %s'", shown(cli, name),
                                 shown(cli, cli->axes->param))
                  : "of a figure write 'FIGURE against PARAM'; 'run --plot=COMPONENT' draws levels over time",
              "no study or system is named '%s'", shown(cli, name));
    return PSL_MISUSE;
  }
  cli->study.plot.what = words_joined(cli, named ? 2 : 1);
  return run_study(cli, psl, named ? name : cli->dimemas ? "dimemas" : NULL, leave_out, NULL);
}

int command_plot(struct cli *cli) {
  int code;
  struct plots plots;
  if (!cli->plot_file) cli->study.plot.format = PSL_PLOT_TERMINAL;
  if (!plots_open(cli, &plots)) return EXIT_MODEL;
  plots.alone = true;
  struct psl *psl = cli_load(cli, cli->arguments[0], &code);
  if (psl) code = exit_of(plot_study(cli, psl));
  code = plots_close(&plots, code);
  cli_close(cli, psl);
  return code;
}
