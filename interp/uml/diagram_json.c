/* Diagrams as JSON, for the studio's page, which draws and edits them.  Called by psl_activity. */
#include "interp/uml/uml.h"

#include <string.h>

static void put_member(struct text *out, const char *name, const char *value) {
  text_printf(out, ", \"%s\": ", name);
  text_json(out, value);
}

struct json {
  struct text *out;
  const struct sources *sources;
};

/* Its own values; the object is left open. Where it stands is what diagnostics of it say. */
static void put_element(const struct json *json, const struct uml_element *element) {
  struct text *out = json->out;
  struct place place = source_place(json->sources, element->span.begin);
  text_printf(out, "{\"line\": %u, \"column\": %u", place.line, place.column);
  put_member(out, "id", element->id);
  put_member(out, "type", element->type);
  put_member(out, "name", element->name);
  text_put(out, ", \"stereotypes\": [");
  for (uint32_t s = 0; s < element->stereotype_count; s++) {
    if (s) text_put(out, ", ");
    text_json(out, element->stereotypes[s].name);
  }
  text_put(out, "], \"tags\": [");
  for (const struct uml_tag *tag = element->tags; tag; tag = tag->next) {
    text_put(out, tag == element->tags ? "{\"name\": " : ", {\"name\": ");
    text_json(out, tag->name);
    put_member(out, "value", tag->value);
    text_char(out, '}');
  }
  text_char(out, ']');
}

static const char *kind_name(enum uml_kind kind) {
  switch (kind) {
  case UML_ACTION: return "action";
  case UML_CALL: return "call";
  case UML_STRUCTURE: return "structure";
  case UML_INITIAL: return "initial";
  case UML_FINAL: return "final";
  case UML_BRANCH: return "branch";
  case UML_BAR: return "bar";
  case UML_OBJECT: break;
  }
  return "object";
}

static void put_inside(const struct json *json, const struct uml_activity *activity) {
  struct text *out = json->out;
  text_put(out, ", \"nodes\": [");
  for (uint32_t n = 0; n < activity->node_count; n++) {
    const struct uml_node *node = activity->nodes[n];
    text_put(out, n ? ",\n  " : "\n  ");
    put_element(json, &node->element);
    put_member(out, "kind", kind_name(node->kind));
    if (*node->body) put_member(out, "body", node->body);
    if (*node->behavior) put_member(out, "behavior", node->behavior);
    if (node->inside) put_inside(json, node->inside);
    text_char(out, '}');
  }
  text_put(out, "], \"edges\": [");
  for (uint32_t e = 0; e < activity->edge_count; e++) {
    const struct uml_edge *edge = activity->edges[e];
    text_put(out, e ? ",\n  " : "\n  ");
    put_element(json, &edge->element);
    put_member(out, "source", edge->source);
    put_member(out, "target", edge->target);
    if (*edge->guard) put_member(out, "guard", edge->guard);
    text_char(out, '}');
  }
  text_char(out, ']');
}

void uml_write_json(struct text *out, const struct sources *sources, const struct uml *uml) {
  const struct json own = {out, sources}, *json = &own;
  text_put(out, "{\"activities\": [");
  for (uint32_t a = 0; a < uml->activity_count; a++) {
    text_put(out, a ? ",\n " : "\n ");
    put_element(json, &uml->activities[a]->element);
    put_inside(json, uml->activities[a]);
    text_char(out, '}');
  }
  text_put(out, "],\n \"others\": [");
  bool any = false;
  for (uint32_t o = 0; o < uml->other_count; o++) {
    if (!uml->others[o]->stereotype_count && strcmp(uml->others[o]->type, "Node")) continue;
    text_put(out, any ? ",\n " : "\n ");
    put_element(json, uml->others[o]);
    text_char(out, '}');
    any = true;
  }
  text_char(out, ']');
  if (uml->model) {
    text_put(out, ",\n \"model\": ");
    put_element(json, uml->model);
    text_char(out, '}');
  }
  text_put(out, "}\n");
}
