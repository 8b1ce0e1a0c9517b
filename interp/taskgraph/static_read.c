/* Reading a static task graph that static_json.c has written, and somebody may have changed.  Called by psl graph
 * --static. */
#include "interp/report/json_read.h"
#include "interp/taskgraph/taskgraph.h"
#include "grammar/diagnostic.h"

#include <math.h>
#include <string.h>

enum { DEEPEST = 200 };

struct reader {
  struct arena *arena;
  struct names *names;
  struct diagnostics *d;
  struct sources *sources;
  const char *name;
  uint32_t most; /* the greatest id */
  bool wrong;
};

static void refuse(struct reader *r, const char *what) {
  if (!r->wrong)
    diagnostic_add(r->d, SEVERITY_ERROR, (struct span){0}, "%s holds no static task graph: %s", r->name, what);
  r->wrong = true;
}

static const char *string_of(struct reader *r, const char *object, const char *name) {
  return json_read_string(r->arena, json_read_member(object, name));
}

static bool flag_of(const char *object, const char *name) { return json_read_true(json_read_member(object, name)); }

static uint32_t number_of(struct reader *r, const char *object, const char *name) {
  double value = json_read_number(json_read_member(object, name));
  if (!(value >= 0 && value < UINT32_MAX)) {
    refuse(r, arena_printf(r->arena, "'%s' is a number", name));
    return 0;
  }
  return (uint32_t)value;
}

static struct expr *expr_of(struct reader *r, const char *object, const char *name) {
  const char *text = string_of(r, object, name);
  if (!text || r->wrong) return NULL;
  const struct source *source =
      source_add(r->sources, arena_printf(r->arena, "%s, %s", r->name, name), text, strlen(text));
  struct expr *expr = source ? parse_expression(r->arena, r->names, r->d, source) : NULL;
  if (!expr) r->wrong = true;
  return expr;
}

static uint32_t count_of(const char *array) {
  uint32_t count = 0;
  for (const char *at = json_read_first(array); at; at = json_read_next(at))
    count++;
  return count;
}

static const char **strings_of(struct reader *r, const char *object, const char *name, uint32_t *count) {
  const char *array = json_read_member(object, name);
  const char **items = ARENA_ARRAY(r->arena, const char *, count_of(array));
  *count = 0;
  for (const char *at = json_read_first(array); at; at = json_read_next(at)) {
    const char *item = json_read_string(r->arena, at);
    if (item)
      items[(*count)++] = item;
    else
      refuse(r, arena_printf(r->arena, "'%s' is a list of strings", name));
  }
  return items;
}

static uint32_t word_of(struct reader *r, const char *object, const char *const *words, uint32_t count) {
  const char *kind = string_of(r, object, "kind");
  for (uint32_t k = 0; k < count && kind; k++)
    if (!strcmp(words[k], kind)) return k;
  refuse(r, arena_printf(r->arena, "there is no kind '%s'", kind ? kind : ""));
  return 0;
}

static struct task_node *nodes_of(struct reader *r, const char *object, unsigned depth);

static void read_arms(struct reader *r, struct task_node *node, const char *object, unsigned depth) {
  const char *arms = json_read_member(object, "arms");
  node->arms = ARENA_ARRAY(r->arena, struct task_arm, count_of(arms));
  for (const char *at = json_read_first(arms); at; at = json_read_next(at)) {
    struct task_arm *arm = &node->arms[node->arm_count++];
    arm->condition = expr_of(r, at, "condition");
    arm->first = nodes_of(r, at, depth + 1);
  }
  bool loop = node->kind == TASK_LOOP;
  if (loop ? node->arm_count != 1 : (node->kind == TASK_BRANCH) != (node->arm_count > 0))
    refuse(r, "a loop has one arm, a branch some, another node none");
  bool branch = node->statement == STMT_IF || node->statement == STMT_ONE_OF || node->statement == STMT_FIRST_OF;
  if (node->kind == TASK_BRANCH && !branch) refuse(r, "a branch is one of psl(5)");
  if (!r->wrong && loop && !(node->range && node->name) && !node->arms[0].condition)
    refuse(r, "a loop has a name and a range, or a condition");
}

static struct task_node *node_of(struct reader *r, const char *object, unsigned depth) {
  struct task_node *node = ARENA_NEW(r->arena, struct task_node);
  node->kind = (enum task_kind)word_of(r, object, task_kind_names, TASK_KINDS);
  node->id = number_of(r, object, "id");
  if (node->id > r->most) r->most = node->id;
  node->name = string_of(r, object, "name");
  node->operation = string_of(r, object, "operation");
  if (!node->operation) refuse(r, "a node has an operation");
  for (node->statement = 0; node->operation && node->statement < STMT_KINDS; node->statement++)
    if (!strcmp(stmt_kind_name(node->statement), node->operation)) break;
  node->place = string_of(r, object, "place");
  node->text = string_of(r, object, "text");
  node->instances = string_of(r, object, "instances");
  node->unknown = string_of(r, object, "unknown");
  node->value = expr_of(r, object, node->kind == TASK_COMPUTE ? "scaling" : "value");
  node->given = expr_of(r, object, "given");
  node->combines = flag_of(object, "combines");
  node->state = flag_of(object, "state");
  node->pure = flag_of(object, "pure");
  node->summed = flag_of(object, "summed");
  node->sends = flag_of(object, "sends");
  node->receives = flag_of(object, "receives");
  node->collective = flag_of(object, "collective");
  node->peer = expr_of(r, object, "peer");
  node->tag = expr_of(r, object, "tag");
  node->size = expr_of(r, object, "size");
  node->graphs = strings_of(r, object, "graphs", &node->graph_count);
  node->range = expr_of(r, object, "range");
  node->step = expr_of(r, object, "step");
  node->geometric = flag_of(object, "geometric");
  node->trips = expr_of(r, object, "iterations");
  node->collapse = flag_of(object, "collapse");
  node->chance = expr_of(r, object, "chance");
  read_arms(r, node, object, depth);
  return node;
}

static struct task_node *nodes_of(struct reader *r, const char *object, unsigned depth) {
  struct task_node *first = NULL, **link = &first;
  if (depth > DEEPEST) {
    refuse(r, "its nodes nest too deep");
    return NULL;
  }
  for (const char *at = json_read_first(json_read_member(object, "nodes")); at && !r->wrong; at = json_read_next(at)) {
    *link = node_of(r, at, depth);
    link = &(*link)->next;
  }
  return first;
}

static struct task_graph graph_of(struct reader *r, const char *object) {
  struct task_graph graph = {.component = string_of(r, object, "component"),
                             .transaction = string_of(r, object, "transaction"),
                             .instances = string_of(r, object, "instances"),
                             .unknown = string_of(r, object, "unknown"),
                             .processor = string_of(r, object, "processor")};
  graph.indices = strings_of(r, object, "indices", &graph.index_count);
  if (!graph.component) refuse(r, "a graph has a component");
  graph.first = nodes_of(r, object, 0);
  return graph;
}

static struct task_edge edge_of(struct reader *r, const char *object) {
  struct task_edge edge = {.kind = (enum task_edge_kind)word_of(r, object, task_edge_names, EDGE_KINDS),
                           .of_from = string_of(r, object, "of_from"),
                           .of_to = string_of(r, object, "of_to"),
                           .mapping = string_of(r, object, "mapping"),
                           .unknown = string_of(r, object, "unknown")};
  if (!edge.of_from || !edge.of_to) refuse(r, "an edge is of a graph, to a graph");
  if (json_read_member(object, "from")) {
    edge.from = number_of(r, object, "from");
    edge.to = number_of(r, object, "to");
    if (edge.from > r->most || edge.to > r->most) refuse(r, "an edge joins nodes that are there");
  }
  return edge;
}

static void read_params(struct reader *r, struct static_graph *graph, const char *array) {
  graph->params = ARENA_ARRAY(r->arena, struct task_param, count_of(array));
  for (const char *at = json_read_first(array); at; at = json_read_next(at)) {
    struct task_param *param = &graph->params[graph->param_count++];
    param->name = string_of(r, at, "name");
    param->value = string_of(r, at, "value");
    if (!param->name || !param->value) {
      refuse(r, "a param has a name and a value");
      graph->param_count--;
    }
  }
}

/* Does each bracket close, the last one at the end? */
static bool is_whole(const char *text) {
  size_t depth = 0;
  for (const char *at = text; *at; at++) {
    if (*at == '"') {
      for (at++; *at && *at != '"'; at++)
        if (*at == '\\' && !*++at) return false;
      if (!*at) return false;
    } else if (*at == '{' || *at == '[') {
      depth++;
    } else if (*at == '}' || *at == ']') {
      if (!depth) return false;
      if (!--depth) return !at[1 + strspn(at + 1, " \t\r\n")];
    }
  }
  return false;
}

struct static_graph *task_graph_read(struct arena *arena, struct names *names, struct diagnostics *d,
                                     struct sources *sources, const char *name, const char *text) {
  struct reader r = {.arena = arena, .names = names, .d = d, .sources = sources, .name = name};
  struct static_graph *graph = ARENA_NEW(arena, struct static_graph);
  while (*text && strchr(" \t\r\n", *text))
    text++;
  const char *format = json_read_string(arena, json_read_member(text, "format"));
  if (!format || strcmp(format, "static task graph 1")) refuse(&r, "its 'format' is \"static task graph 1\"");
  if (!is_whole(text)) refuse(&r, "it has no end");
  graph->system = string_of(&r, text, "system");
  if (!graph->system) refuse(&r, "it has a system");
  graph->condensed_from = number_of(&r, text, "condensed_from");
  read_params(&r, graph, json_read_member(text, "params"));
  for (const char *at = json_read_first(json_read_member(text, "graphs")); at && !r.wrong; at = json_read_next(at))
    ARENA_PUSH(arena, graph->graphs, graph->graph_count, graph->graph_capacity, graph_of(&r, at));
  for (const char *at = json_read_first(json_read_member(text, "edges")); at && !r.wrong; at = json_read_next(at))
    ARENA_PUSH(arena, graph->edges, graph->edge_count, graph->edge_capacity, edge_of(&r, at));
  graph->node_count = r.most;
  return r.wrong ? NULL : graph;
}
