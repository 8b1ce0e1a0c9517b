/* Drawing a graph: DOT in, SVG out, by Graphviz' library.  Called by psl graph. */
#include "interp/cli/cli.h"

#include <graphviz/gvc.h>

bool picture_svg(struct cli *cli, const char *dot, FILE *file) {
  GVC_t *context = gvContext();
  Agraph_t *graph = agmemread(dot);
  bool good = graph && gvLayout(context, graph, "dot") == 0;
  if (good) {
    good = gvRender(context, graph, "svg", file) == 0;
    gvFreeLayout(context, graph);
  }
  if (graph) agclose(graph);
  gvFreeContext(context);
  if (!good) cli_error(cli, "'psl graph --format dot' writes what Graphviz reads", "Graphviz cannot draw this graph");
  return good;
}
