/* The checker of diagrams: what the rules of a file find wrong, all of it at once, each at its element. Which checks
 * there are is the table below; which are made, how severe what they find is, and which stereotypes there are with what
 * they need is the file's matter.  Called by psl_check_activity, before a diagram is made a model. */
#include "interp/uml/uml.h"
#include "interp/uml/xml.h"

#include <ctype.h>
#include <libxml/tree.h>
#include <stdarg.h>
#include <string.h>

struct uml_rules {
  struct rule { /* by place in `checks`; */
    bool on;
    enum severity severity;
  } rules[32];
  struct known_stereotype { /* a stereotype */
    const char *name, *on;
    struct known_tag {
      const char *name, *type;
      bool needed, body; /* body: what stands in the action's body does as well */
      struct known_tag *next;
    } * tags;
    struct known_stereotype *next;
  } * known;
  const char **names; /* of these, for what was meant */
  uint32_t name_count, name_capacity;
};

struct checking {
  struct uml *uml;
  const struct uml_rules *rules;
  struct names *names;
  struct sources *sources;
  uint32_t check; /* in hand */
  bool wrong;
};

static void found(struct checking *c, const struct uml_element *element, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* ---- checks ---- */

typedef void check_activity(struct checking *c, struct uml_activity *activity);

static const struct uml_element *element_of(const struct uml_activity *activity) {
  return activity->structure ? &activity->structure->element : &activity->element;
}

static void check_initial(struct checking *c, struct uml_activity *activity) {
  uint32_t count = 0;
  for (uint32_t n = 0; n < activity->node_count; n++)
    if (activity->nodes[n]->kind == UML_INITIAL && ++count > 1)
      found(c, &activity->nodes[n]->element, "is a second one: an activity begins at one place");
  if (!count && !activity->structure) found(c, element_of(activity), "has no initial node");
}

static void check_final(struct checking *c, struct uml_activity *activity) {
  bool any = activity->structure || !activity->node_count;
  for (uint32_t n = 0; n < activity->node_count; n++)
    any |= activity->nodes[n]->kind == UML_FINAL;
  if (!any) found(c, element_of(activity), "has no final node");
}

static void check_flows(struct checking *c, struct uml_activity *activity) {
  for (uint32_t e = 0; e < activity->edge_count; e++) {
    const struct uml_edge *edge = activity->edges[e];
    if (!edge->from) found(c, &edge->element, *edge->source ? "has a source that is no node here" : "has no source");
    if (!edge->to) found(c, &edge->element, *edge->target ? "has a target that is no node here" : "has no target");
  }
}

static bool executes(const struct uml_node *node) {
  return node->kind == UML_ACTION || node->kind == UML_CALL || node->kind == UML_STRUCTURE;
}

static void check_single(struct checking *c, struct uml_activity *activity) {
  for (uint32_t n = 0; n < activity->node_count; n++) {
    const struct uml_node *node = activity->nodes[n];
    if (!executes(node)) continue;
    if (node->out_count > 1)
      found(c, &node->element, "has several flows that leave it: that is a fork, and needs a fork node");
    if (node->in_count > 1)
      found(c, &node->element, "has several flows that lead to it: a merge node takes them one by one");
  }
}

static void check_ends(struct checking *c, struct uml_activity *activity) {
  for (uint32_t n = 0; n < activity->node_count; n++) {
    const struct uml_node *node = activity->nodes[n];
    if (node->kind == UML_INITIAL && node->in_count) found(c, &node->element, "has a flow that leads to it");
    if (node->kind == UML_INITIAL && node->out_count != 1) found(c, &node->element, "needs one flow that leaves it");
    if (node->kind == UML_FINAL && node->out_count) found(c, &node->element, "has a flow that leaves it");
    if ((node->kind == UML_BRANCH || node->kind == UML_BAR) && !node->out_count)
      found(c, &node->element, "has no flow that leaves it");
  }
}

/* From the initial node, or inside of a structure from all that nothing leads to. */
static void check_reachable(struct checking *c, struct uml_activity *activity) {
  struct uml_node **stack = ARENA_ARRAY(c->uml->arena, struct uml_node *, activity->node_count + 1);
  uint32_t depth = 0;
  bool initial = false;
  for (uint32_t n = 0; n < activity->node_count; n++)
    initial |= activity->nodes[n]->kind == UML_INITIAL;
  for (uint32_t n = 0; n < activity->node_count; n++) {
    struct uml_node *node = activity->nodes[n];
    bool first = node->kind == UML_INITIAL || (!initial && activity->structure && !node->in_count);
    node->state = first;
    if (first) stack[depth++] = node;
  }
  while (depth) {
    const struct uml_node *node = stack[--depth];
    for (uint32_t e = 0; e < node->out_count; e++) {
      if (!node->out[e]->to || node->out[e]->to->state) continue;
      node->out[e]->to->state = 1;
      stack[depth++] = node->out[e]->to;
    }
  }
  for (uint32_t n = 0; n < activity->node_count; n++)
    if (!activity->nodes[n]->state && activity->nodes[n]->kind != UML_OBJECT)
      found(c, &activity->nodes[n]->element, "is never reached: no flow leads to it from where the activity begins");
}

static bool is_otherwise(const struct uml_edge *edge) { return !*edge->guard || !strcmp(edge->guard, "else"); }

/* How often it is executed the loop says, not the flows of its decision. */
static void check_loop_guards(struct checking *c, const struct uml_node *test) {
  for (uint32_t e = 0; e < test->out_count; e++) {
    const char *wrong = uml_loop_guard_wrong(c->uml, test, test->out[e]);
    if (wrong) found(c, &test->out[e]->element, "%s", wrong);
  }
}

static void check_guards(struct checking *c, struct uml_activity *activity) {
  for (uint32_t n = 0; n < activity->node_count; n++) {
    const struct uml_node *node = activity->nodes[n];
    uint32_t otherwise = 0, chances = 0;
    if (node->kind != UML_BRANCH || node->out_count < 2) continue;
    if (uml_loop_exit(node)) {
      check_loop_guards(c, node);
      continue;
    }
    for (uint32_t e = 0; e < node->out_count; e++) {
      chances += uml_tag(&node->out[e]->element, "probability") != NULL;
      otherwise += is_otherwise(node->out[e]);
    }
    if (chances && chances < node->out_count)
      found(c, &node->element, "has %u flows, of which %u have a probability: all have one, or none", node->out_count,
            chances);
    else if (!chances && otherwise > 1)
      found(c, &node->element, "has %u flows without a guard: one at most is taken else", otherwise);
  }
}

static void check_balance(struct checking *c, struct uml_activity *activity) {
  uint32_t forks = 0, joins = 0;
  for (uint32_t n = 0; n < activity->node_count; n++) {
    const struct uml_node *node = activity->nodes[n];
    if (node->kind != UML_BAR) continue;
    if (node->in_count > 1 && node->out_count > 1)
      found(c, &node->element, "forks and joins at once: make it two nodes");
    forks += node->out_count > 1;
    joins += node->in_count > 1;
  }
  if (forks != joins) found(c, element_of(activity), "has %u forks and %u joins", forks, joins);
}

/* A cycle goes through a loop element and comes in by a merge; a loop element has a cycle. */
static void check_cycles(struct checking *c, struct uml_activity *activity) {
  for (uint32_t n = 0; n < activity->node_count; n++) {
    const struct uml_node *node = activity->nodes[n];
    const char *wrong = uml_lacks_cycle(node);
    if (wrong) found(c, &node->element, "%s", wrong);
    if (!uml_has_cycle(node)) continue;
    if (node->kind != UML_BRANCH)
      found(c, &node->element, "begins a cycle, and is no merge node");
    else if (!uml_is_loop(node))
      found(c, &node->element, "begins a cycle without the stereotype Loop");
  }
}

static void check_calls(struct checking *c, struct uml_activity *activity) {
  for (uint32_t n = 0; n < activity->node_count; n++) {
    const struct uml_node *node = activity->nodes[n];
    if (node->kind == UML_CALL && !uml_activity_of(c->uml, node->behavior))
      found(c, &node->element, "calls a behavior that is no activity of this file");
  }
}

static void check_names(struct checking *c, struct uml_activity *activity) {
  if (!activity->structure && !*activity->element.name) found(c, &activity->element, "has no name");
  for (uint32_t n = 0; n < activity->node_count; n++)
    if (activity->nodes[n]->kind == UML_ACTION && !*activity->nodes[n]->element.name)
      found(c, &activity->nodes[n]->element, "has no name, by which reports would show it");
}

/* ---- stereotypes ---- */

static const struct known_stereotype *known_of(const struct uml_rules *rules, const char *name) {
  for (const struct known_stereotype *known = rules->known; known; known = known->next)
    if (uml_alike(name, known->name)) return known;
  return NULL;
}

/* What the file calls an element: the word of `on` that is meant. */
static const char *kind_word(const struct uml_element *element, const struct uml_node *node) {
  if (!node)
    return !strcmp(element->type, "Activity")      ? "activity"
           : !strcmp(element->type, "ControlFlow") ? "flow"
           : !strcmp(element->type, "Model")       ? "model"
                                                   : "element";
  switch (node->kind) {
  case UML_ACTION: return "action";
  case UML_CALL: return "call";
  case UML_STRUCTURE: return "structure";
  case UML_BRANCH: return "decision";
  case UML_BAR: return "fork";
  case UML_INITIAL: return "initial";
  case UML_FINAL: return "final";
  case UML_OBJECT: break;
  }
  return "object";
}

static bool is_listed(const char *list, const char *word) {
  size_t length = strlen(word);
  for (const char *at = list; (at = strstr(at, word)); at += length)
    if ((at == list || at[-1] == ' ') && (!at[length] || at[length] == ' ')) return true;
  return false;
}

static void check_stereotype(struct checking *c, const struct uml_element *element, const struct uml_node *node) {
  for (uint32_t s = 0; s < element->stereotype_count; s++) {
    const char *name = element->stereotypes[s].name;
    const struct known_stereotype *known = known_of(c->rules, name);
    if (!known) {
      found(c, element, "has the stereotype '%s', which the rules do not know", name);
      const char *meant = nearest_name(name, c->rules->names, c->rules->name_count);
      if (meant) diagnostic_help(c->uml->diagnostics, (struct span){0, 0}, "did you mean '%s'?", meant);
    } else if (*known->on && !is_listed(known->on, kind_word(element, node))) {
      found(c, element, "has the stereotype %s, which is for: %s", known->name, known->on);
    }
  }
}

static const struct known_tag *tag_of(const struct known_stereotype *known, const char *name) {
  for (const struct known_tag *tag = known ? known->tags : NULL; tag; tag = tag->next)
    if (uml_alike(name, tag->name)) return tag;
  return NULL;
}

static const struct known_tag *tag_known(const struct checking *c, const struct uml_element *element,
                                         const char *name) {
  const struct known_tag *tag = NULL;
  for (uint32_t s = 0; s < element->stereotype_count && !tag; s++)
    tag = tag_of(known_of(c->rules, element->stereotypes[s].name), name);
  return tag;
}

static void check_tags(struct checking *c, const struct uml_element *element, const struct uml_node *node) {
  for (uint32_t s = 0; s < element->stereotype_count; s++) {
    const struct known_stereotype *known = known_of(c->rules, element->stereotypes[s].name);
    for (const struct known_tag *tag = known ? known->tags : NULL; tag; tag = tag->next)
      if (tag->needed && !uml_tag(element, tag->name) && !(tag->body && node && *node->body))
        found(c, element, "needs the tagged value '%s'%s", tag->name, tag->body ? ", or a body" : "");
    for (const struct uml_tag *tag = element->tags; known && tag; tag = tag->next)
      if (tag->stereotype == s && !tag_of(known, tag->name))
        found(c, element, "has the tagged value '%s', which %s has not", tag->name, known->name);
  }
}

/* Numbers alone are no time, and no amount of data. */
static bool is_bare(const char *expression) { return strspn(expression, "0123456789.+-*/() _") == strlen(expression); }

static void check_expression(struct checking *c, const struct uml_element *element, const char *what, const char *type,
                             const char *expression) {
  bool name = !strcmp(type, "name"), text = !strcmp(type, "text");
  if (text) return;
  if (name) {
    bool sound = isalpha((unsigned char)*expression);
    for (const char *s = expression; *s; s++)
      sound &= isalnum((unsigned char)*s) || *s == '_' || *s == '-';
    if (!sound) found(c, element, "has a %s that is no name: '%s'", what, expression);
    return;
  }
  struct source *source = source_add(c->sources, c->uml->source->path, expression, strlen(expression));
  if (!source) return;
  struct source_origin *origins = ARENA_ARRAY(c->uml->arena, struct source_origin, source->line_count);
  for (uint32_t i = 0; i < source->line_count; i++)
    origins[i] = (struct source_origin){element->span, uml_what(c->uml->arena, element)};
  source->origins = origins;
  unsigned errors = c->uml->diagnostics->errors;
  const struct expr *expr = parse_expression(c->uml->arena, c->names, c->uml->diagnostics, source);
  if (!expr || c->uml->diagnostics->errors != errors)
    c->wrong = true;
  else if ((!strcmp(type, "time") || !strcmp(type, "data")) && is_bare(expression))
    found(c, element, "has a %s that is a number, and wants %s: '%s'", what, type, expression);
}

static void check_expressions(struct checking *c, const struct uml_element *element, const struct uml_node *node) {
  for (const struct uml_tag *tag = element->tags; tag; tag = tag->next) {
    const struct known_tag *known = tag_known(c, element, tag->name);
    if (known && *tag->value) check_expression(c, element, known->name, known->type, tag->value);
  }
  if (node && node->kind == UML_ACTION && *node->body) check_expression(c, element, "body", "time", node->body);
}

typedef void check_element(struct checking *c, const struct uml_element *element, const struct uml_node *node);

static void check_guard_texts(struct checking *c, struct uml_activity *activity) {
  for (uint32_t e = 0; e < activity->edge_count; e++)
    if (!is_otherwise(activity->edges[e]))
      check_expression(c, &activity->edges[e]->element, "guard", "bool", activity->edges[e]->guard);
}

/* ---- the table ---- */

static const struct check {
  const char *name;
  check_activity *activity;
  check_element *element;
} checks[] = {
    {"flows", check_flows, NULL},
    {"one-initial", check_initial, NULL},
    {"final", check_final, NULL},
    {"ends", check_ends, NULL},
    {"reachable", check_reachable, NULL},
    {"guards", check_guards, NULL},
    {"guard-expressions", check_guard_texts, NULL},
    {"single-flows", check_single, NULL},
    {"forks-and-joins", check_balance, NULL},
    {"cycles", check_cycles, NULL},
    {"calls", check_calls, NULL},
    {"names", check_names, NULL},
    {"stereotypes", NULL, check_stereotype},
    {"tagged-values", NULL, check_tags},
    {"expressions", NULL, check_expressions},
};
enum { CHECKS = sizeof checks / sizeof *checks };

static void found(struct checking *c, const struct uml_element *element, const char *format, ...) {
  struct text text = {.arena = c->uml->arena};
  enum severity severity = c->rules->rules[c->check].severity;
  va_list arguments;
  va_start(arguments, format);
  text_vprintf(&text, format, arguments);
  va_end(arguments);
  diagnostic_add(c->uml->diagnostics, severity, element->span, "%s %s (rule %s)", uml_what(c->uml->arena, element),
                 text.data, checks[c->check].name);
  if (severity == SEVERITY_ERROR) c->wrong = true;
}

static void check_elements(struct checking *c, check_element *check, struct uml_activity *activity) {
  if (!activity->structure) check(c, &activity->element, NULL);
  for (uint32_t n = 0; n < activity->node_count; n++)
    check(c, &activity->nodes[n]->element, activity->nodes[n]);
  for (uint32_t e = 0; e < activity->edge_count; e++)
    check(c, &activity->edges[e]->element, NULL);
}

static void check_one(struct checking *c, struct uml_activity *activity) {
  for (c->check = 0; c->check < CHECKS; c->check++) {
    const struct check *check = &checks[c->check];
    if (!c->rules->rules[c->check].on) continue;
    if (check->activity)
      check->activity(c, activity);
    else
      check_elements(c, check->element, activity);
  }
  for (uint32_t n = 0; n < activity->node_count; n++)
    if (activity->nodes[n]->inside) check_one(c, activity->nodes[n]->inside);
}

/* Flows that have both ends here; others stand alone. */
static void join_flows(struct uml *uml, struct uml_activity *activity) {
  for (uint32_t e = 0; e < activity->edge_count; e++) {
    struct uml_edge *edge = activity->edges[e];
    struct uml_node *from = *edge->source ? uml_node_of(uml, edge->source) : NULL;
    struct uml_node *to = *edge->target ? uml_node_of(uml, edge->target) : NULL;
    edge->from = from && from->owner == activity ? from : NULL;
    edge->to = to && to->owner == activity ? to : NULL;
    if (edge->from) ARENA_PUSH(uml->arena, edge->from->out, edge->from->out_count, edge->from->out_capacity, edge);
    if (edge->to) ARENA_PUSH(uml->arena, edge->to->in, edge->to->in_count, edge->to->in_capacity, edge);
  }
  uml_find_loops(uml, activity);
  for (uint32_t n = 0; n < activity->node_count; n++)
    if (activity->nodes[n]->inside) join_flows(uml, activity->nodes[n]->inside);
}

bool uml_check_rules(struct uml *uml, const struct uml_rules *rules, struct names *names, struct sources *sources) {
  struct checking c = {.uml = uml, .rules = rules, .names = names, .sources = sources};
  c.wrong = !uml_check_declarations(uml, names, sources);
  for (uint32_t a = 0; a < uml->activity_count; a++) {
    join_flows(uml, uml->activities[a]);
    check_one(&c, uml->activities[a]);
  }
  for (c.check = 0; c.check < CHECKS; c.check++) {
    if (!checks[c.check].element || !rules->rules[c.check].on) continue;
    if (uml->model) checks[c.check].element(&c, uml->model, NULL);
    for (uint32_t o = 0; o < uml->other_count; o++)
      checks[c.check].element(&c, uml->others[o], NULL);
  }
  diagnostic_flush(uml->diagnostics);
  return !c.wrong;
}

/* ---- the file ---- */

struct reading {
  struct arena *arena;
  struct diagnostics *diagnostics;
  const struct source *source;
  bool wrong;
};

static void refuse(struct reading *r, const xmlNode *xml, const char *what, const char *value,
                   const char *const *candidates, size_t count) {
  diagnostic_add(r->diagnostics, SEVERITY_ERROR, xml_span(r->source, xml), "%s '%s'", what, value);
  const char *meant = nearest_name(value, candidates, count);
  if (meant) diagnostic_help(r->diagnostics, (struct span){0, 0}, "did you mean '%s'?", meant);
  r->wrong = true;
}

static const char *value_of(struct reading *r, const xmlNode *xml, const char *name, const char *otherwise) {
  const char *value = xml_attribute(r->arena, xml, name);
  return value ? value : otherwise;
}

static void read_check(struct reading *r, struct uml_rules *rules, const xmlNode *xml) {
  const char *names[CHECKS], *severities[] = {"error", "warning", "off"};
  const char *name = value_of(r, xml, "name", ""), *severity = value_of(r, xml, "severity", "error");
  for (uint32_t c = 0; c < CHECKS; c++) {
    names[c] = checks[c].name;
    if (strcmp(name, checks[c].name)) continue;
    bool warning = !strcmp(severity, "warning"), off = !strcmp(severity, "off");
    rules->rules[c] = (struct rule){!off, warning ? SEVERITY_WARNING : SEVERITY_ERROR};
    if (!warning && !off && strcmp(severity, "error"))
      refuse(r, xml, "a check is an error, a warning or off, not", severity, severities, 3);
    return;
  }
  refuse(r, xml, "there is no check", name, names, CHECKS);
}

static void read_tag(struct reading *r, struct known_stereotype *known, const xmlNode *xml) {
  static const char *const types[] = {"time", "data", "int",  "real", "bool",
                                      "list", "term", "name", "text", "expression"};
  struct known_tag *tag = ARENA_NEW(r->arena, struct known_tag), **link = &known->tags;
  tag->name = value_of(r, xml, "name", "");
  tag->type = value_of(r, xml, "type", "expression");
  tag->needed = !strcmp(value_of(r, xml, "needed", "no"), "yes");
  tag->body = !strcmp(value_of(r, xml, "or", ""), "body");
  bool typed = false;
  for (size_t t = 0; t < sizeof types / sizeof *types; t++)
    typed |= !strcmp(tag->type, types[t]);
  if (!typed) refuse(r, xml, "there is no type", tag->type, types, sizeof types / sizeof *types);
  if (!*tag->name) refuse(r, xml, "a tagged value has no name", "", NULL, 0);
  while (*link)
    link = &(*link)->next;
  *link = tag;
}

static void read_stereotype(struct reading *r, struct uml_rules *rules, const xmlNode *xml) {
  struct known_stereotype *known = ARENA_NEW(r->arena, struct known_stereotype);
  known->name = value_of(r, xml, "name", "");
  known->on = value_of(r, xml, "on", "");
  if (!*known->name) refuse(r, xml, "a stereotype has no name", "", NULL, 0);
  uint32_t count = 0;
  for (const xmlNode *c = xml->children; c; c = c->next) {
    if (c->type != XML_ELEMENT_NODE) continue;
    if (!xml_is_named(c, "tag") || ++count > UML_TAGS_MOST)
      refuse(r, c, "what a stereotype has is up to 200 elements <tag>, not", (const char *)c->name, NULL, 0);
    else
      read_tag(r, known, c);
  }
  known->next = rules->known;
  rules->known = known;
  ARENA_PUSH(r->arena, rules->names, rules->name_count, rules->name_capacity, known->name);
}

struct uml_rules *uml_rules_read(struct arena *arena, struct diagnostics *d, const struct source *source) {
  _Static_assert(CHECKS <= sizeof((struct uml_rules *)0)->rules / sizeof(struct rule), "a rule for each check");
  struct reading r = {arena, d, source, false};
  struct uml_rules *rules = ARENA_NEW(arena, struct uml_rules);
  const xmlNode *root = xml_read(arena, d, source, "rules");
  if (!root) return NULL;
  if (!xml_is_named(root, "rules"))
    refuse(&r, root, "the root of a file of rules is <rules>, not", (const char *)root->name, NULL, 0);
  uint32_t count = 0;
  for (const xmlNode *c = root->children; c && !r.wrong; c = c->next) {
    if (c->type != XML_ELEMENT_NODE) continue;
    if (xml_is_named(c, "check"))
      read_check(&r, rules, c);
    else if (xml_is_named(c, "stereotype") && ++count <= UML_TAGS_MOST)
      read_stereotype(&r, rules, c);
    else
      refuse(&r, c, "rules are elements <check>, and up to 200 <stereotype>, not", (const char *)c->name, NULL, 0);
  }
  xml_drop(root);
  diagnostic_flush(d);
  return r.wrong ? NULL : rules;
}
