/* Drawing a graph: DOT in, SVG out, by Graphviz' library, which is loaded for that alone.  Called by psl graph. */
#include "interp/cli/cli.h"

#include <dlfcn.h>
#include <graphviz/gvc.h>

#define FUNCTIONS(X) \
  X(gvContext)       \
  X(agmemread)       \
  X(gvLayout)        \
  X(gvRender)        \
  X(gvFreeLayout)    \
  X(agclose)         \
  X(gvFreeContext)

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

bool picture_svg(struct cli *cli, const char *dot, FILE *file) {
  struct graphviz graphviz;
  if (!graphviz_load(cli, &graphviz)) return false;
  GVC_t *context = graphviz.gvContext();
  Agraph_t *graph = graphviz.agmemread(dot);
  bool good = graph && graphviz.gvLayout(context, graph, "dot") == 0;
  if (good) {
    good = graphviz.gvRender(context, graph, "svg", file) == 0;
    graphviz.gvFreeLayout(context, graph);
  }
  if (graph) graphviz.agclose(graph);
  graphviz.gvFreeContext(context);
  if (!good) cli_error(cli, "'psl graph --format dot' writes what Graphviz reads", "Graphviz cannot draw this graph");
  return good;
}
