/* Diagrams as XMI, as Eclipse's UML2 writes it, so that Papyrus and others take it: the model, its profile, and each
 * stereotype as an element behind it.  Called by psl_activity. */
#include "interp/uml/uml.h"

#include <ctype.h>
#include <string.h>

/* The profile that stdlib/prophet.profile.uml is. */
#define PROFILE_URI "http:///schemas/Prophet/_PSL/1"
#define PROFILE_FILE "prophet.profile.uml"
/* Where Eclipse has UML's own types. */
#define PRIMITIVE_TYPES "pathmap://UML_LIBRARIES/UMLPrimitiveTypes.library.uml"

struct xmi {
  struct text *out;
  const struct uml *uml;
  const struct uml_element **applied; /* those that have stereotypes or tags, in the order of the text */
  uint32_t applied_count, applied_capacity;
  uint32_t unnamed; /* elements without an id so far */
  unsigned depth;
};

/* What would be read otherwise than it stands is written by its name, or its number. */
static void put_escaped(struct text *out, const char *s, const char *by_number) {
  for (; *s; s++) {
    if (*s == '&' || *s == '<' || *s == '>')
      text_put(out, *s == '&' ? "&amp;" : *s == '<' ? "&lt;" : "&gt;");
    else if (strchr(by_number, *s))
      text_printf(out, "&#%d;", *s);
    else if ((unsigned char)*s >= ' ' || *s == '\n' || *s == '\t')
      text_char(out, *s);
  }
}

static void put_value(struct text *out, const char *s) { put_escaped(out, s, "\"\n\t\r"); }
static void put_text(struct text *out, const char *s) { put_escaped(out, s, "\r"); }

static void put_attribute(struct text *out, const char *name, const char *value) {
  text_printf(out, " %s=\"", name);
  put_value(out, value);
  text_char(out, '"');
}

static void begin(struct xmi *x, const char *tag) { text_printf(x->out, "%*s<%s", (int)(2 * x->depth), "", tag); }
static void end(struct xmi *x, const char *tag) { text_printf(x->out, "%*s</%s>\n", (int)(2 * x->depth), "", tag); }

static void put_child(struct xmi *x, const char *tag, const char *text) {
  begin(x, tag);
  text_char(x->out, '>');
  put_text(x->out, text);
  text_printf(x->out, "</%s>\n", tag);
}

/* Tools write actions of a kind that UML has as an abstract one alone. */
static const char *class_of(const struct uml_element *element) {
  return strcmp(element->type, "Action") ? element->type : "OpaqueAction";
}

/* A tag with type, id and name; it is left open. */
static void begin_element(struct xmi *x, const char *tag, const struct uml_element *element) {
  begin(x, tag);
  if (*element->type) put_attribute(x->out, "xmi:type", arena_printf(x->uml->arena, "uml:%s", class_of(element)));
  put_attribute(x->out, "xmi:id", element->id);
  if (*element->name) put_attribute(x->out, "name", element->name);
  if (element->stereotype_count || element->tags)
    ARENA_PUSH(x->uml->arena, x->applied, x->applied_count, x->applied_capacity, element);
}

/* ---- activities ---- */

static const char *node_tag(const struct uml_node *node) {
  return node->kind == UML_STRUCTURE && !node->owner->structure ? "structuredNode" : "node";
}

static void put_inside(struct xmi *x, const struct uml_activity *activity);

static bool is_loop_node(const struct uml_node *node) { return !strcmp(node->element.type, "LoopNode"); }

/* UML wants a loop node to name the nodes of its body, those of its test, and the pin whose value decides. */
static void put_loop_parts(struct xmi *x, const struct uml_node *loop) {
  struct text parts = {.arena = x->uml->arena};
  for (uint32_t n = 0; n < loop->inside->node_count; n++) {
    const struct uml_node *node = loop->inside->nodes[n];
    bool does = node->kind == UML_ACTION || node->kind == UML_CALL || node->kind == UML_STRUCTURE;
    if (does) text_printf(&parts, "%s%s", parts.size ? " " : "", node->element.id);
  }
  text_put(x->out, " isTestedFirst=\"true\"");
  put_attribute(x->out, "decider", arena_printf(x->uml->arena, "%s_decider", loop->element.id));
  put_attribute(x->out, "test", arena_printf(x->uml->arena, "%s_test", loop->element.id));
  if (parts.data) put_attribute(x->out, "bodyPart", parts.data);
}

/* A part of a loop's test, of its kind; its tag is left open. */
static void begin_test_part(struct xmi *x, const struct uml_node *loop, const char *tag, const char *type,
                            const char *name) {
  begin(x, tag);
  put_attribute(x->out, "xmi:type", type);
  put_attribute(x->out, "xmi:id", arena_printf(x->uml->arena, "%s_%s", loop->element.id, name));
  put_attribute(x->out, "name", name);
  text_put(x->out, ">\n");
  x->depth++;
}

static void put_truth(struct xmi *x) {
  text_printf(x->out, "%*s<type xmi:type=\"uml:PrimitiveType\" href=\"" PRIMITIVE_TYPES "#Boolean\"/>\n",
              (int)(2 * x->depth), "");
}

static void end_part(struct xmi *x, const char *tag) {
  x->depth--;
  end(x, tag);
}

/* The test of a loop: is what it counts by no more than its iterations? */
static void put_loop_test(struct xmi *x, const struct uml_node *loop) {
  const char *count = uml_tag(&loop->element, "iterations");
  begin_test_part(x, loop, "node", "uml:ValueSpecificationAction", "test");
  begin_test_part(x, loop, "result", "uml:OutputPin", "decider");
  put_truth(x);
  end_part(x, "result");
  begin_test_part(x, loop, "value", "uml:OpaqueExpression", "condition");
  put_truth(x);
  put_child(x, "language", "PSL");
  put_child(x, "body",
            count ? arena_printf(x->uml->arena, "%s <= %s", uml_loop_variable(x->uml, loop), count) : "false");
  end_part(x, "value");
  end_part(x, "node");
}

static void put_node(struct xmi *x, const struct uml_node *node) {
  const char *tag = node_tag(node);
  begin_element(x, tag, &node->element);
  if (*node->behavior) put_attribute(x->out, "behavior", node->behavior);
  if (is_loop_node(node)) put_loop_parts(x, node);
  bool full = *node->body || node->inside;
  text_put(x->out, full ? ">\n" : "/>\n");
  if (!full) return;
  x->depth++;
  if (*node->body) {
    put_child(x, "language", "PSL");
    put_child(x, "body", node->body);
  }
  if (node->inside) put_inside(x, node->inside);
  if (is_loop_node(node)) put_loop_test(x, node);
  x->depth--;
  end(x, tag);
}

static void put_edge(struct xmi *x, const struct uml_edge *edge) {
  begin_element(x, "edge", &edge->element);
  if (*edge->target) put_attribute(x->out, "target", edge->target);
  if (*edge->source) put_attribute(x->out, "source", edge->source);
  text_put(x->out, *edge->guard ? ">\n" : "/>\n");
  if (!*edge->guard) return;
  x->depth++;
  begin(x, "guard");
  put_attribute(x->out, "xmi:type", "uml:OpaqueExpression");
  put_attribute(x->out, "xmi:id", arena_printf(x->uml->arena, "%s_guard", edge->element.id));
  text_put(x->out, ">\n");
  x->depth++;
  put_child(x, "language", "PSL");
  put_child(x, "body", edge->guard);
  x->depth--;
  end(x, "guard");
  x->depth--;
  end(x, "edge");
}

static void put_inside(struct xmi *x, const struct uml_activity *activity) {
  for (uint32_t e = 0; e < activity->edge_count; e++)
    put_edge(x, activity->edges[e]);
  for (uint32_t n = 0; n < activity->node_count; n++)
    put_node(x, activity->nodes[n]);
}

static void put_activity(struct xmi *x, const struct uml_activity *activity) {
  begin_element(x, "packagedElement", &activity->element);
  bool any = activity->node_count || activity->edge_count;
  text_put(x->out, any ? ">\n" : "/>\n");
  if (!any) return;
  x->depth++;
  put_inside(x, activity);
  x->depth--;
  end(x, "packagedElement");
}

/* ---- stereotypes ---- */

/* A name that an attribute may have: `per-node` of a profile is perNode. */
static const char *feature(struct arena *arena, const char *name) {
  struct text text = {.arena = arena};
  bool up = false;
  for (const char *s = name; *s; s++) {
    bool sound = isalnum((unsigned char)*s) || (unsigned char)*s > 126;
    if (sound && !text.size && isdigit((unsigned char)*s)) text_char(&text, '_');
    if (sound) text_char(&text, up ? (char)toupper((unsigned char)*s) : *s);
    up = !sound && text.size;
  }
  return text.size ? text.data : "value";
}

/* `action+` is ActionPlus. */
static const char *stereotype_name(struct arena *arena, const char *name) {
  struct text text = {.arena = arena};
  for (const char *s = name; *s; s++) {
    if (*s == '+')
      text_put(&text, "Plus");
    else
      text_char(&text, *s);
  }
  char *made = arena_printf(arena, "%s", feature(arena, text.data ? text.data : "Stereotype"));
  *made = (char)toupper((unsigned char)*made);
  return made;
}

/* The metaclass that the profile extends for it, whatever the file that was read has extended. */
static const char *base_of(const struct uml_element *element) {
  static const char *const own[] = {"Activity", "Node", "Model", "ControlFlow"};
  for (size_t i = 0; i < sizeof own / sizeof *own; i++)
    if (!strcmp(element->type, own[i])) return own[i];
  size_t length = strlen(element->type);
  bool action = length >= 6 && !strcmp(element->type + length - 6, "Action");
  return action ? "Action" : strstr(element->type, "Node") ? "ActivityNode" : element->type;
}

/* Is the tag one of this stereotype? The first one of a name is what is meant, and no attribute stands twice. */
static bool is_written(const struct uml_element *element, const struct uml_tag *tag, uint32_t which) {
  bool own = tag->stereotype == which || (tag->stereotype == UINT32_MAX && which == 0), again = false;
  for (const struct uml_tag *other = element->tags; other != tag; other = other->next)
    again |= uml_alike(other->name, tag->name);
  return own && !again && *tag->value;
}

static void put_stereotype(struct xmi *x, const struct uml_element *element, uint32_t which, const char *name,
                           const char *base) {
  name = stereotype_name(x->uml->arena, name);
  text_printf(x->out, "  <Prophet:%s", name);
  put_attribute(x->out, "xmi:id", arena_printf(x->uml->arena, "%s_%s", element->id, name));
  put_attribute(x->out, arena_printf(x->uml->arena, "base_%s", feature(x->uml->arena, base)), element->id);
  bool lines = false;
  for (const struct uml_tag *tag = element->tags; tag; tag = tag->next) {
    if (!is_written(element, tag, which)) continue;
    if (strchr(tag->value, '\n'))
      lines = true;
    else
      put_attribute(x->out, feature(x->uml->arena, tag->name), tag->value);
  }
  text_put(x->out, lines ? ">\n" : "/>\n");
  if (!lines) return;
  x->depth = 2; /* values of several lines stand as they are */
  for (const struct uml_tag *tag = element->tags; tag; tag = tag->next)
    if (is_written(element, tag, which) && strchr(tag->value, '\n'))
      put_child(x, feature(x->uml->arena, tag->name), tag->value);
  text_printf(x->out, "  </Prophet:%s>\n", name);
}

/* What an element is that the file gives none. */
static const char *usual_stereotype(const struct uml_element *element) {
  static const char *const usual[][2] = {
      {"ControlFlow", "Flow"}, {"LoopNode", "Loop"}, {"Activity", "Process"}, {"Node", "Node"}, {"Model", "Program"}};
  for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
    if (!strcmp(element->type, usual[i][0])) return usual[i][1];
  return "ActionPlus";
}

static void put_applied(struct xmi *x, const struct uml_element *element) {
  for (uint32_t s = 0; s < element->stereotype_count; s++) {
    const struct uml_stereotype *stereotype = &element->stereotypes[s];
    const char *base = base_of(element);
    put_stereotype(x, element, s, stereotype->name, *base ? base : stereotype->base);
  }
  /* Tags of the element itself need one to stand at. */
  if (!element->stereotype_count) put_stereotype(x, element, 0, usual_stereotype(element), base_of(element));
}

/* ---- all of it ---- */

static void name_element(struct xmi *x, struct uml_element *element) {
  if (*element->id) return;
  do
    element->id = arena_printf(x->uml->arena, "_%u", ++x->unnamed);
  while (uml_activity_of(x->uml, element->id) || uml_node_of(x->uml, element->id));
}

static void name_inside(struct xmi *x, struct uml_activity *activity) {
  for (uint32_t e = 0; e < activity->edge_count; e++)
    name_element(x, &activity->edges[e]->element);
  for (uint32_t n = 0; n < activity->node_count; n++) {
    name_element(x, &activity->nodes[n]->element);
    if (activity->nodes[n]->inside) name_inside(x, activity->nodes[n]->inside);
  }
}

static void put_model(struct xmi *x) {
  const struct uml *uml = x->uml;
  const struct uml_element *model = uml->model;
  x->depth = 1;
  begin(x, "uml:Model");
  put_attribute(x->out, "xmi:id", model ? model->id : "_model");
  if (model && *model->name) put_attribute(x->out, "name", model->name);
  text_put(x->out, ">\n");
  if (model && (model->stereotype_count || model->tags))
    ARENA_PUSH(uml->arena, x->applied, x->applied_count, x->applied_capacity, model);
  x->depth = 2;
  for (uint32_t a = 0; a < uml->activity_count; a++)
    put_activity(x, uml->activities[a]);
  for (uint32_t o = 0; o < uml->other_count; o++) {
    if (!uml->others[o]->stereotype_count) continue;
    begin_element(x, "packagedElement", uml->others[o]);
    text_put(x->out, "/>\n");
  }
  text_put(x->out, "    <profileApplication xmi:type=\"uml:ProfileApplication\" xmi:id=\"_profile\">\n"
                   "      <eAnnotations xmi:type=\"ecore:EAnnotation\" xmi:id=\"_profile_definition\" "
                   "source=\"http://www.eclipse.org/uml2/2.0.0/UML\">\n"
                   "        <references xmi:type=\"ecore:EPackage\" href=\"" PROFILE_FILE "#_PSL\"/>\n"
                   "      </eAnnotations>\n"
                   "      <appliedProfile xmi:type=\"uml:Profile\" href=\"" PROFILE_FILE "#_Prophet\"/>\n"
                   "    </profileApplication>\n"
                   "  </uml:Model>\n");
}

void uml_write_xmi(struct text *out, const struct uml *uml) {
  struct xmi x = {.out = out, .uml = uml};
  if (uml->model) name_element(&x, uml->model);
  for (uint32_t a = 0; a < uml->activity_count; a++) {
    name_element(&x, &uml->activities[a]->element);
    name_inside(&x, uml->activities[a]);
  }
  for (uint32_t o = 0; o < uml->other_count; o++)
    name_element(&x, uml->others[o]);
  text_put(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                "<xmi:XMI xmi:version=\"20131001\" xmlns:xmi=\"http://www.omg.org/spec/XMI/20131001\" "
                "xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xmlns:Prophet=\"" PROFILE_URI "\" "
                "xmlns:ecore=\"http://www.eclipse.org/emf/2002/Ecore\" "
                "xmlns:uml=\"http://www.eclipse.org/uml2/5.0.0/UML\" "
                "xsi:schemaLocation=\"" PROFILE_URI " " PROFILE_FILE "#_PSL\">\n");
  put_model(&x);
  for (uint32_t a = 0; a < x.applied_count; a++)
    put_applied(&x, x.applied[a]);
  text_put(out, "</xmi:XMI>\n");
}
