/* Drawing a graph: DOT in, SVG or PNG out, by Graphviz' library, which is loaded for that alone.  Called by psl graph.
 */
#include "interp/cli/cli.h"

#include <dlfcn.h>
#include <graphviz/gvc.h>
#include <stdlib.h>
#include <string.h>

#define FUNCTIONS(X) \
  X(gvContext)       \
  X(agmemread)       \
  X(gvLayout)        \
  X(gvRender)

struct graphviz {
#define MEMBER(f) __typeof__(f) *f;
  FUNCTIONS(MEMBER)
#undef MEMBER
};

static bool graphviz_load(struct cli *cli, struct graphviz *graphviz) {
  void *library = dlopen(PSL_LIBGVC, RTLD_NOW | RTLD_LOCAL);
  bool fine = library;
#define FIND(f) fine = fine && (graphviz->f = (__typeof__(f) *)dlsym(library, #f));
  FUNCTIONS(FIND)
#undef FIND
  if (!fine)
    cli_error(cli, "install the package graphviz; 'psl graph --format dot' does without",
              "Graphviz cannot be loaded: %s", dlerror());
  return fine;
}

/* A PDF says when it was drawn, and the same graph is the same bytes: that is the beginning of time. */
static void take_date_away(char *data, size_t size) {
  static const char date[] = "/CreationDate (D:", none[] = "19700101000000";
  char *at = memmem(data, size, date, sizeof date - 1);
  size_t room = at ? size - (size_t)(at - data) - (sizeof date - 1) : 0;
  if (room >= sizeof none - 1) memcpy(at + sizeof date - 1, none, sizeof none - 1);
}

static bool render(struct cli *cli, const struct graphviz *graphviz, GVC_t *context, Agraph_t *graph, FILE *file) {
  char *data = NULL;
  size_t size = 0;
  FILE *memory = open_memstream(&data, &size);
  setenv("TZ", "UTC0", 1); /* another zone is a date of another length */
  bool good = memory && graphviz->gvRender(context, graph, cli->picture, memory) == 0;
  if (memory && fclose(memory)) good = false;
  if (good && strcmp(cli->picture, "pdf") == 0) take_date_away(data, size);
  good = good && fwrite(data, 1, size, file) == size;
  free(data);
  return good;
}

/* What Graphviz has made is not freed: gvFreeLayout of 2.42 frees a rank twice where an edge with a label joins
 * neighbours. */
bool picture_draw(struct cli *cli, const char *dot, FILE *file) {
  struct graphviz graphviz;
  if (!graphviz_load(cli, &graphviz)) return false;
  GVC_t *context = graphviz.gvContext();
  Agraph_t *graph = graphviz.agmemread(dot);
  bool good = graph && graphviz.gvLayout(context, graph, "dot") == 0 && render(cli, &graphviz, context, graph, file);
  if (!good) cli_error(cli, "'psl graph --format dot' writes what Graphviz reads", "Graphviz cannot draw this graph");
  return good;
}
