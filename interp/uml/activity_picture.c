/* Activities in Graphviz' DOT, drawn as UML draws them.  Called by psl_activity. */
#include "interp/uml/uml.h"

#include <string.h>

enum { LONG = 40 }; /* characters of an expression that are shown */

struct picture {
  struct text *out;
  uint32_t clusters, numbered;
};

static void put_label(struct text *out, const char *text, size_t most) {
  size_t shown = 0;
  for (; *text && shown < most; text++, shown++) {
    if (*text == '"' || *text == '\\') text_char(out, '\\');
    text_char(out, (unsigned char)*text < ' ' ? ' ' : *text);
  }
  for (; *text && ((unsigned char)*text & 0xc0) == 0x80; text++)
    text_char(out, *text); /* a whole character */
  if (*text) text_put(out, "…");
}

/* «stereotype», the name, and what it costs. */
static void put_action(struct text *out, const struct uml_node *node) {
  const char *cost = uml_tag(&node->element, "cost");
  text_put(out, "shape=box, style=rounded, label=\"");
  for (uint32_t s = 0; s < node->element.stereotype_count; s++) {
    text_put(out, "«");
    put_label(out, node->element.stereotypes[s].name, LONG);
    text_put(out, "»\\n");
  }
  put_label(out, node->element.name, SIZE_MAX);
  if (!cost && *node->body) cost = node->body;
  if (cost) {
    text_put(out, "\\n");
    put_label(out, cost, LONG);
  }
  text_char(out, '"');
}

static void put_inside(struct picture *picture, struct uml_activity *activity, const char *name);

static void put_node(struct picture *picture, struct uml_node *node) {
  struct text *out = picture->out;
  node->number = ++picture->numbered;
  if (node->kind == UML_STRUCTURE) {
    put_inside(picture, node->inside, node->element.name);
    return;
  }
  text_printf(out, "    n%u [", node->number);
  switch (node->kind) {
  case UML_ACTION:
  case UML_CALL: put_action(out, node); break;
  case UML_INITIAL: text_put(out, "shape=circle, style=filled, fillcolor=black, width=0.2, label=\"\""); break;
  case UML_FINAL: text_put(out, "shape=doublecircle, style=filled, fillcolor=black, width=0.15, label=\"\""); break;
  case UML_BRANCH:
    text_put(out, "shape=diamond, width=0.3, height=0.3, label=\"\", xlabel=\"");
    put_label(out, node->element.name, LONG);
    text_char(out, '"');
    break;
  case UML_BAR: text_put(out, "shape=box, style=filled, fillcolor=black, width=1.2, height=0.06, label=\"\""); break;
  case UML_OBJECT:
    text_put(out, "shape=box, label=\"");
    put_label(out, node->element.name, LONG);
    text_char(out, '"');
    break;
  case UML_STRUCTURE: break;
  }
  text_put(out, "];\n");
}

/* The node inside a structure that an edge is drawn to. */
static const struct uml_node *first_of(const struct uml_node *node) {
  while (node->inside)
    node = node->inside->first;
  return node;
}

/* And the one that it is drawn from. */
static const struct uml_node *last_of(const struct uml_node *node) {
  while (node->inside) {
    const struct uml_activity *inside = node->inside;
    node = inside->first;
    for (uint32_t n = 0; n < inside->node_count; n++)
      if (!inside->nodes[n]->out_count && inside->nodes[n]->kind != UML_OBJECT) node = inside->nodes[n];
  }
  return node;
}

static void put_edge(struct text *out, const struct uml_edge *edge) {
  text_printf(out, "    n%u -> n%u [", last_of(edge->from)->number, first_of(edge->to)->number);
  if (edge->from->inside) text_printf(out, "ltail=cluster%u, ", edge->from->number);
  if (edge->to->inside) text_printf(out, "lhead=cluster%u, ", edge->to->number);
  text_put(out, "label=\"");
  const char *chance = uml_tag(&edge->element, "probability");
  if (chance) {
    put_label(out, chance, LONG);
  } else if (*edge->guard) {
    text_char(out, '[');
    put_label(out, edge->guard, LONG);
    text_char(out, ']');
  }
  text_put(out, "\"];\n");
}

static void put_inside(struct picture *picture, struct uml_activity *activity, const char *name) {
  struct text *out = picture->out;
  const struct uml_element *element = activity->structure ? &activity->structure->element : &activity->element;
  if (activity->structure)
    text_printf(out, "  subgraph cluster%u {\n", activity->structure->number);
  else
    text_printf(out, "  subgraph cluster_%u {\n", ++picture->clusters);
  text_put(out, "    style=rounded; label=\"");
  for (uint32_t s = 0; s < element->stereotype_count; s++) {
    text_put(out, "«");
    put_label(out, element->stereotypes[s].name, LONG);
    text_put(out, "» ");
  }
  put_label(out, name, SIZE_MAX);
  if (activity->structure && uml_tag(element, "iterations")) {
    text_put(out, ", ");
    put_label(out, uml_tag(element, "iterations"), LONG);
    text_put(out, " times");
  }
  text_put(out, "\";\n");
  for (uint32_t n = 0; n < activity->node_count; n++)
    put_node(picture, activity->nodes[n]);
  for (uint32_t e = 0; e < activity->edge_count; e++)
    put_edge(out, activity->edges[e]);
  text_put(out, "  }\n");
}

void uml_picture(struct text *out, const struct uml *uml) {
  struct picture picture = {out, 0, 0};
  text_put(out, "digraph activities {\n  graph [fontname=\"Helvetica\", fontsize=12, labeljust=l, compound=true];\n"
                "  node [fontname=\"Helvetica\", fontsize=11];\n"
                "  edge [fontname=\"Helvetica\", fontsize=9];\n");
  for (uint32_t a = 0; a < uml->activity_count; a++)
    put_inside(&picture, uml->activities[a], uml->activities[a]->element.name);
  text_put(out, "}\n");
}
