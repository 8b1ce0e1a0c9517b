/* Whether what a command is given fits together, when all options and arguments have been read: how many arguments
 * there are, a param with one value and several, what a shell has made of words that should stand in quotes.  Called by
 * options.c. */
#include "interp/cli/cli.h"

#include <stdint.h>
#include <string.h>

/* One value and several for one param: neither is what is meant for sure. */
static bool check_varied(const struct cli *cli) {
  size_t count = cli->compare.param ? 1 : cli->axis_count;
  for (size_t v = 0; v < count; v++)
    for (size_t s = 0; s < cli->setting_count; s++) {
      const char *param = cli->compare.param ? cli->compare.param : cli->axes[v].param;
      if (!options_same_param(param, cli->settings[s].name)) continue;
      const char *option = cli->settings[s].file ? "--params" : "--set";
      cli_error(cli,
                scope_printf(cli->scope, "%s gives a param one value, --vary gives it several: leave one of them out",
                             option),
                "'%s' is given by both %s and --vary", param, option);
      return false;
    }
  return true;
}

/* --vary n=4..16 by 4, of which a shell makes three words. */
static bool unquoted_range(const struct cli *cli) {
  bool one = cli->compare.param, words = cli->command->most == SIZE_MAX; /* which a plot is made of */
  if (words || cli->study.item_count || !(one || cli->axis_count)) return false;
  for (size_t a = 0; a < cli->argument_count; a++) {
    if (strcmp(cli->arguments[a], "by")) continue;
    cli_error(cli, "--vary 'PARAM=LOW..HIGH by STEP'", "a range with blanks stands in quotes");
    return true;
  }
  return false;
}

/* --plot makespan against n, where the file and the system are there already. */
static bool plot_unquoted(const struct cli *cli) {
  size_t most = cli->command->most;
  if (!cli->behind_plot || cli->argument_count <= most || cli->arguments[most] != cli->behind_plot) return false;
  cli_error(cli, scope_printf(cli->scope, "did you mean --plot='%s'?", words_joined(cli, most)),
            "the value of --plot stands behind a '='");
  return true;
}

/* --vary 'n=2,4 m=1,2' */
static bool axes_joined(const struct cli *cli) {
  for (size_t a = 0; a < cli->axis_count; a++) {
    const char *values = cli->axes[a].values, *equals = strchr(values, '=');
    if (!equals || equals == values || strchr("=!<>", equals[-1]) || equals[1] == '=') continue;
    const char *name = equals, *end;
    while (name > values && !strchr(" ,;", name[-1]))
      name--;
    for (end = name; end > values && strchr(" ,;", end[-1]);)
      end--;
    if (end == values || end == name || strpbrk(name, "([{\"") || memchr(values, '(', (size_t)(name - values)))
      continue;
    cli_error(cli,
              scope_printf(cli->scope, "each param has an option of its own: --vary %s=%.*s --vary %s",
                           cli->axes[a].param, (int)(end - values), values, name),
              "--vary gives values to one param");
    return true;
  }
  return false;
}

/* psl mpirun ./jacobi -n 4: what stands behind the program is the program's. Or psl mpirun mpirun -n 4 ./jacobi. */
static const char *ranks_behind(const struct cli *cli) {
  const char *first = cli->argument_count ? cli->arguments[0] : "";
  bool starter = strncmp(first, "mpirun", 6) == 0 || strncmp(first, "mpiexec", 7) == 0;
  for (size_t a = 1; a + 1 < cli->argument_count; a++) {
    if (strcmp(cli->arguments[a], "-n") != 0 && strcmp(cli->arguments[a], "-np") != 0) continue;
    if (starter && a + 2 < cli->argument_count)
      return scope_printf(cli->scope, "psl %s starts the program itself: psl %s -n %s %s", cli->command->name,
                          cli->command->name, shown(cli, cli->arguments[a + 1]), shown(cli, cli->arguments[a + 2]));
    return scope_printf(cli->scope, "options stand before the program: psl %s -n %s %s", cli->command->name,
                        shown(cli, cli->arguments[a + 1]), shown(cli, cli->arguments[0]));
  }
  return NULL;
}

/* An option that is more likely meant for psl, which does not read it there. */
static void note_behind(const struct cli *cli) {
  for (size_t a = 1; cli->command->program && !cli->quiet && a < cli->argument_count; a++) {
    const char *word = cli->arguments[a];
    size_t length = strncmp(word, "--", 2) ? 0 : strcspn(word + 2, "=");
    const char *name = length ? scope_copy(cli->scope, word + 2, length) : "";
    if (!length ||
        !word_listed("set params model dimemas platform costs ranks processor record trace timeline timing profile",
                     name) ||
        !command_takes(cli->command, name))
      continue;
    struct psl_options options = cli->options;
    options.diagnostic = print_diagnostic;
    psl_say(&options, PSL_NOTE, scope_printf(cli->scope, "--%s stands behind the program, which is given it", name),
            "psl's own options stand before the program");
    return;
  }
}

bool arguments_fit(struct cli *cli) {
  const struct command *command = cli->command;
  if (cli->help || cli->version) return true;
  const char *arguments = command->arguments;
  if (cli->session && command->on_model) arguments += strcspn(arguments, " ") + (strchr(arguments, ' ') != NULL);
  const char *usage = scope_printf(cli->scope, "usage: %s%s %s%s", cli->session ? "" : "psl ", command->name,
                                   command->foreign ? "" : "[OPTION...] ", arguments);
  if (!arguments_meant(cli)) return false;
  if (unquoted_range(cli) || plot_unquoted(cli) || axes_joined(cli)) return false;
  if (cli->study.item_count && cli->argument_count > command->most)
    usage = "what an option takes stands in quotes: --minimize 'makespan by work'";
  if (command->run == command_fit)
    usage = "the column that is fitted is named by --column NAME, what it depends on by --params A,B, functions by "
            "--terms '1, n'";
  if (cli->argument_count < command->least)
    cli_error(cli, usage, "'%s' needs %s", command->name,
              command->foreign   ? "what the compiler is given"
              : command->needs   ? command->needs
              : command->program ? "a program"
                                 : "a file");
  else if (command_takes(command, "number") && !cli->ranks)
    cli_error(cli, ranks_behind(cli) ? ranks_behind(cli) : usage, "'%s' needs -n, the number of ranks", command->name);
  else if (cli->argument_count > command->most && command->run == command_explain)
    cli_error(
        cli,
        scope_printf(cli->scope, "did you mean '%s.%s'?", shown(cli, cli->arguments[1]), shown(cli, cli->arguments[2])),
        "'%s' takes no '%s'", command->name, cli->arguments[command->most]);
  else if (cli->argument_count > command->most && command->run == command_why)
    cli_error(cli, scope_printf(cli->scope, "did you mean '--system %s'?", shown(cli, cli->arguments[1])),
              "'%s' takes no '%s'", command->name, cli->arguments[command->most]);
  else if (cli->argument_count > command->most && command->run == command_params)
    cli_error(cli,
              cli->session ? "it lists all params; '?NAME' explains one"
                           : "it lists all params; 'psl params FILE | grep NAME' leaves one",
              "'%s' takes no '%s'", command->name, cli->arguments[command->most]);
  else if (cli->argument_count > command->most)
    cli_error(cli, usage, "'%s' takes no '%s'", command->name, cli->arguments[command->most]);
  else
    return note_behind(cli), check_varied(cli) && formats_settle(cli);
  return false;
}
