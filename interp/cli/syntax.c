/* The commands that work with a text alone: fmt, ast. */
#include "interp/cli/cli.h"

#include <string.h>

static int write_whole(struct cli *cli, const char *path, const char *use, enum contents contents,
                       const struct buffer *text) {
  struct sink sink;
  if (!sink_open(cli, &sink, path, use, contents) || !sink_page(cli, &sink)) return EXIT_MODEL;
  fwrite(text->data ? text->data : "", 1, text->size, sink.file);
  return sink_keep(cli, &sink) ? EXIT_FINE : EXIT_MODEL;
}

static int format_file(struct cli *cli, struct psl *psl, const char *path) {
  size_t size;
  const char *source = file_read(cli, path, &size);
  if (!source) return EXIT_MODEL;
  struct buffer text = {.scope = cli->scope};
  enum psl_code code = psl_format_text(psl, text_name(path), source, size, buffer_write, &text);
  if (code != PSL_OK) return exit_of(code);
  bool same = text.size == size && (!size || memcmp(text.data, source, size) == 0);
  if (cli->check_only) {
    if (!same) printf("%s\n", shown(cli, path));
    return same ? EXIT_FINE : EXIT_MODEL;
  }
  if (!cli->write_back || strcmp(path, "-") == 0) return write_whole(cli, NULL, "--write", CONTENTS_BACK, &text);
  return same ? EXIT_FINE : write_whole(cli, path, "--write", CONTENTS_BACK, &text);
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

int command_ast(struct cli *cli) {
  int code;
  size_t size;
  const char *source = file_read(cli, cli->arguments[0], &size);
  if (!source) return EXIT_MODEL;
  struct psl *psl = cli_load(cli, NULL, &code);
  if (!psl) return code;
  struct buffer text = {.scope = cli->scope};
  code = exit_of(psl_syntax_tree(psl, text_name(cli->arguments[0]), source, size, cli->spans, buffer_write, &text));
  cli_close(cli, psl);
  return code == EXIT_FINE ? write_whole(cli, cli->output, "--output", CONTENTS_REPORT, &text) : code;
}
