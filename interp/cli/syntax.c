/* psl fmt: texts in the one layout. */
#include "interp/cli/cli.h"

#include <string.h>

struct layout {
  struct cli *cli;
  const char *path; /* that is written to; NULL: standard output */
  bool wanted, same;
  bool open, failed;
  struct sink sink;
};

/* Takes the layout, which is known to be another than the file's where that is written back. */
static int layout_write(void *user, const char *text, size_t size) {
  struct layout *layout = user;
  if (!layout->wanted || (layout->path && layout->same)) return 1;
  if (!layout->open)
    layout->open = sink_open(layout->cli, &layout->sink, layout->path, "--write", CONTENTS_BACK) &&
                   sink_page(layout->cli, &layout->sink);
  layout->failed = !layout->open;
  if (layout->open) fwrite(text, 1, size, layout->sink.file);
  return layout->failed;
}

static int format_file(struct cli *cli, struct psl *psl, const char *path) {
  bool back = cli->write_back && strcmp(path, "-") != 0;
  struct layout layout = {.cli = cli, .path = back ? path : NULL, .wanted = !cli->check_only};
  enum psl_code code = psl_format_text(psl, path, NULL, 0, &layout.same, layout_write, &layout);
  if (code == PSL_OK && !layout.open && !layout.failed) layout_write(&layout, "", 0); /* a layout of nothing */
  if (code == PSL_OK && cli->check_only && !layout.same) printf("%s\n", shown(cli, path));
  if (layout.open && code != PSL_OK) sink_drop(&layout.sink);
  if (code != PSL_OK) return exit_of(code);
  if (layout.failed || (layout.open && !sink_keep(cli, &layout.sink))) return EXIT_MODEL;
  return cli->check_only && !layout.same ? EXIT_MODEL : EXIT_FINE;
}

int command_fmt(struct cli *cli) {
  int code, worst = EXIT_FINE;
  struct psl *psl = cli_load(cli, NULL, &code);
  if (!psl) return code;
  for (size_t i = 0; i < cli->argument_count; i++) {
    code = format_file(cli, psl, cli->arguments[i]);
    if (code > worst) worst = code;
  }
  cli_close(cli, psl);
  return worst;
}
