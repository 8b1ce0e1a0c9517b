/* Drawing a graph: DOT in, SVG or PNG out, by Graphviz' library, which is loaded for that alone.  Called by psl graph.
 */
#include "interp/cli/cli.h"

#include <dlfcn.h>
#include <graphviz/gvc.h>

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

/* What Graphviz has made is not freed: gvFreeLayout of 2.42 frees a rank twice where an edge with a label joins
 * neighbours. */
bool picture_draw(struct cli *cli, const char *dot, FILE *file) {
  struct graphviz graphviz;
  if (!graphviz_load(cli, &graphviz)) return false;
  GVC_t *context = graphviz.gvContext();
  Agraph_t *graph = graphviz.agmemread(dot);
  bool good = graph && graphviz.gvLayout(context, graph, "dot") == 0 &&
              graphviz.gvRender(context, graph, cli->picture, file) == 0;
  if (!good) cli_error(cli, "'psl graph --format dot' writes what Graphviz reads", "Graphviz cannot draw this graph");
  return good;
}
