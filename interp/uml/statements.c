/* Activities as statements of PSL: actions are calls of elements, decisions are ifs or one of, loop elements are
 * loops, forks are parallel regions of threads. */
#include "interp/uml/writer.h"

#include <stdarg.h>
#include <string.h>

enum {
  MOST_TEXT = 4 << 20, /* bytes: an activity is written wherever it is called */
  MOST_DEPTH = 100     /* of statements inside each other */
};

/* ---- lines ---- */

void write_line(struct writer *w, const struct uml_element *element, const char *format, ...) {
  va_list arguments;
  size_t begin = w->text.size;
  const char *what = uml_what(w->uml->arena, element);
  text_printf(&w->text, "%*s", (int)(2 * w->depth), "");
  va_start(arguments, format);
  text_vprintf(&w->text, format, arguments);
  va_end(arguments);
  text_char(&w->text, '\n');
  for (size_t i = begin; i < w->text.size; i++) {
    if (w->text.data[i] != '\n') continue;
    struct source_origin origin = {element->span, what};
    ARENA_PUSH(w->uml->arena, w->origins, w->line_count, w->line_capacity, origin);
  }
}

void write_wrong(struct writer *w, const struct uml_element *element, const char *format, ...) {
  struct text text = {.arena = w->uml->arena};
  va_list arguments;
  va_start(arguments, format);
  text_vprintf(&text, format, arguments);
  va_end(arguments);
  diagnostic_add(w->uml->diagnostics, SEVERITY_ERROR, element->span, "%s %s", uml_what(w->uml->arena, element),
                 text.data);
  w->wrong = true;
}

/* On lines of its own, after it has been found to be one expression: what a user writes there stays there. */
void write_expression(struct writer *w, const struct uml_element *element, const char *expression) {
  struct source *source = source_add(w->sources, w->uml->source->path, expression, strlen(expression));
  unsigned errors = w->uml->diagnostics->errors;
  if (!source) {
    write_wrong(w, element, "is too much: the files of the model are too large");
    return;
  }
  struct source_origin *origins = ARENA_ARRAY(w->uml->arena, struct source_origin, source->line_count);
  for (uint32_t i = 0; i < source->line_count; i++)
    origins[i] = (struct source_origin){element->span, uml_what(w->uml->arena, element)};
  source->origins = origins;
  if (!parse_expression(w->uml->arena, w->names, w->uml->diagnostics, source) || w->uml->diagnostics->errors != errors)
    w->wrong = true;
  w->depth++;
  write_line(w, element, "%s", expression);
  w->depth--;
}

static const char *quoted(struct writer *w, const struct uml_element *element) {
  struct text text = {.arena = w->uml->arena};
  const char *name = *element->name ? element->name : *element->id ? element->id : element->type;
  text_string(&text, name);
  return text.data;
}

/* ---- elements ---- */

static bool is_name(const char *text) {
  static const char *const signs = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
  return *text && strchr(signs, *text) && strchr(signs, *text) - signs < 52 && strspn(text, signs) == strlen(text);
}

struct argument {
  const char *name;
  bool needed;
};
struct kind {
  const char *name;
  bool of_threads; /* threads of a region can execute it */
  struct argument arguments[4];
};

static const struct kind kinds[] = {
    {"ActionPlus", true, {{"cost", true}}},
    {"Send", false, {{"destination", true}, {"message", true}, {"tag", false}}},
    {"NBSend", false, {{"destination", true}, {"message", true}, {"tag", false}}},
    {"Wait", false, {{"request", true}}},
    {"BRecv", false, {{"source", false}, {"tag", false}, {"message", false}}},
    {"Broadcast", false, {{"message", true}, {"root", false}}},
    {"Reduce", false, {{"message", true}, {"root", false}}},
    {"Barrier", true, {{NULL, false}}},
    {"ParallelDo", false, {{"costs", true}, {"schedule", false}, {"chunk", false}}},
    {"Critical", true, {{"cost", true}, {"lock", false}}},
};

static const struct kind *kind_of(const struct uml_element *element) {
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
    if (uml_is(element, kinds[k].name)) return &kinds[k];
  return &kinds[0];
}

/* The expression for an argument: its tagged value; of a cost also the action's body. */
static const char *argument_of(struct writer *w, const struct uml_node *node, const char *name) {
  const char *value = uml_tag(&node->element, name);
  bool body = !strcmp(name, "cost") || !strcmp(name, "costs");
  if (value || !body) return value;
  if (*node->body) return node->body;
  const char *count = uml_tag(&node->element, "iterations"), *cost = uml_tag(&node->element, "cost");
  if (strcmp(name, "costs") || !count || !cost) return NULL;
  return arena_printf(w->uml->arena, "[iteration in 1 .. (%s\n) : (%s\n)]", count, cost);
}

static void write_action(struct writer *w, const struct uml_node *node) {
  const struct kind *kind = kind_of(&node->element);
  if (w->threads && !kind->of_threads) {
    write_wrong(w, &node->element, "is of a kind that threads of a region do not execute: %s", kind->name);
    return;
  }
  const char *request = strcmp(kind->name, "NBSend") ? NULL : uml_tag(&node->element, "request");
  if (request && !is_name(request)) write_wrong(w, &node->element, "has a request that is no name: '%s'", request);
  if (request)
    write_line(w, &node->element, "let %s = call %s(%s", request, kind->name, quoted(w, &node->element));
  else
    write_line(w, &node->element, "call %s(%s", kind->name, quoted(w, &node->element));
  for (size_t a = 0; a < sizeof kind->arguments / sizeof *kind->arguments; a++) {
    const struct argument *argument = &kind->arguments[a];
    const char *value = argument->name ? argument_of(w, node, argument->name) : NULL;
    if (value) {
      write_line(w, &node->element, "  , %s =", argument->name);
      write_expression(w, &node->element, value);
    } else if (argument->needed) {
      write_wrong(w, &node->element, "needs the tagged value '%s'%s", argument->name,
                  !strcmp(argument->name, "cost") ? ", or a body" : "");
    }
  }
  write_line(w, &node->element, ");");
}

/* ---- flows ---- */

static void write_flow(struct writer *w, struct uml_node *node, const struct uml_node *stop, bool entered);

static struct uml_node *next_of(const struct uml_node *node) {
  return node->out_count && !node->out[0]->back ? node->out[0]->to : NULL;
}

/* `for NAME in 1 .. ITERATIONS {`; what is inside stands deeper. */
static void open_loop(struct writer *w, const struct uml_element *element) {
  const char *variable = uml_tag(element, "variable"), *count = uml_tag(element, "iterations");
  if (!variable) variable = w->loops ? arena_printf(w->uml->arena, "k%u", w->loops + 1) : "k";
  if (!count) write_wrong(w, element, "needs the tagged value 'iterations', since it is a loop");
  if (!is_name(variable)) write_wrong(w, element, "has a variable that is no name: '%s'", variable);
  write_line(w, element, "for %s in 1 .. (", variable);
  write_expression(w, element, count ? count : "1");
  write_line(w, element, ") {");
  w->depth++;
  w->loops++;
}

static void close_block(struct writer *w, const struct uml_element *element) {
  w->depth--;
  write_line(w, element, "}");
}

static void close_loop(struct writer *w, const struct uml_element *element) {
  close_block(w, element);
  w->loops--;
}

static void write_branch(struct writer *w, const struct uml_edge *edge, const struct uml_node *stop) {
  w->depth++;
  if (!edge->back) write_flow(w, edge->to, stop, false);
  w->depth--;
}

/* Flows that are taken by chance. */
static void write_chances(struct writer *w, const struct uml_node *node, const struct uml_node *stop) {
  write_line(w, &node->element, "one of {");
  w->depth++;
  for (uint32_t e = 0; e < node->out_count; e++) {
    const struct uml_edge *edge = node->out[e];
    write_line(w, &edge->element, "(");
    write_expression(w, &edge->element, uml_tag(&edge->element, "probability"));
    write_line(w, &edge->element, ") {");
    write_branch(w, edge, stop);
    write_line(w, &edge->element, "}");
  }
  w->depth--;
  write_line(w, &node->element, "}");
}

static void write_decision(struct writer *w, const struct uml_node *node, const struct uml_node *stop) {
  const struct uml_edge *other = NULL;
  const char *word = "if (";
  for (uint32_t e = 0; e < node->out_count; e++) {
    const struct uml_edge *edge = node->out[e];
    if (!*edge->guard || !strcmp(edge->guard, "else")) {
      other = edge;
      continue;
    }
    write_line(w, &edge->element, "%s", word);
    write_expression(w, &edge->element, edge->guard);
    write_line(w, &edge->element, ") {");
    write_branch(w, edge, stop);
    word = "} else if (";
  }
  if (other && (other->back || uml_is_straight(other->to, stop))) { /* else nothing */
    write_line(w, &node->element, "}");
    return;
  }
  write_line(w, &node->element, "} else {");
  if (other)
    write_branch(w, other, stop);
  else
    write_line(w, &node->element, "  assert false;  // no guard holds");
  write_line(w, &node->element, "}");
}

static struct region *region_new(struct writer *w, const struct uml_element *element) {
  struct region *region = ARENA_NEW(w->uml->arena, struct region);
  region->element = element;
  region->name =
      writer_name(w, arena_printf(w->uml->arena, "%s_%s", w->process, *element->name ? element->name : "fork"));
  ARENA_PUSH(w->uml->arena, w->regions, w->region_count, w->region_capacity, region);
  if (w->threads) write_wrong(w, element, "is inside a parallel region: threads do not have threads");
  write_line(w, element, "call ParallelRegion(%s, \"%s\");", quoted(w, element), region->name);
  return region;
}

/* ---- loops ---- */

/* Marks what lies on a way from `head` back to it. */
static void mark_loop(struct writer *w, struct uml_node *head) {
  struct uml_node **stack = ARENA_ARRAY(w->uml->arena, struct uml_node *, head->owner->node_count + 1);
  uint32_t depth = 0, mark = ++w->marks;
  head->mark = mark;
  for (uint32_t e = 0; e < head->in_count; e++) {
    struct uml_node *from = head->in[e]->from;
    if (!head->in[e]->back || from->mark == mark) continue;
    from->mark = mark;
    stack[depth++] = from;
  }
  while (depth) {
    const struct uml_node *node = stack[--depth];
    for (uint32_t e = 0; e < node->in_count; e++) {
      if (node->in[e]->from->mark == mark) continue;
      node->in[e]->from->mark = mark;
      stack[depth++] = node->in[e]->from;
    }
  }
}

static const struct uml_edge *exit_of(struct writer *w, const struct uml_node *head) {
  const struct uml_edge *exit = NULL;
  uint32_t count = 0;
  for (uint32_t n = 0; n < head->owner->node_count; n++) {
    const struct uml_node *node = head->owner->nodes[n];
    for (uint32_t e = 0; node->mark == head->mark && e < node->out_count; e++) {
      if (node->out[e]->to->mark == head->mark) continue;
      exit = node->out[e];
      count++;
    }
  }
  if (count == 1 && exit->from->kind == UML_BRANCH && exit->from->out_count == 2) return exit;
  write_wrong(w, &head->element,
              count ? "begins a loop that has several ways out: one decision, with one, is taken"
                    : "begins a loop that has no way out");
  return NULL;
}

/* A cycle whose decision is tested before its actions, or after them. Where it goes on; NULL after an error. */
static struct uml_node *write_cycle(struct writer *w, struct uml_node *head) {
  mark_loop(w, head);
  const struct uml_edge *exit = exit_of(w, head);
  if (!exit) return NULL;
  const struct uml_node *test = exit->from;
  const struct uml_edge *again = test->out[0] == exit ? test->out[1] : test->out[0];
  bool before = uml_is_straight(head, test), after = uml_is_straight(again->to, head);
  if (!before && !after) {
    write_wrong(w, &head->element, "begins a loop with actions on both sides of its test: put them on one");
    return NULL;
  }
  open_loop(w, &head->element);
  if (!before)
    write_flow(w, head, test, true);
  else if (!again->back)
    write_flow(w, again->to, head, false);
  close_loop(w, &head->element);
  return exit->to;
}

/* ---- activities in activities ---- */

static void write_inside(struct writer *w, const struct uml_node *node, struct uml_activity *inside) {
  if (inside->open) {
    write_wrong(w, &node->element, "calls the activity that it is in");
    return;
  }
  inside->open = true;
  if (node->loop) open_loop(w, &node->element);
  write_flow(w, inside->first, NULL, false);
  if (node->loop) close_loop(w, &node->element);
  inside->open = false;
}

static void write_call(struct writer *w, const struct uml_node *node) {
  struct uml_activity *called = uml_activity_of(w->uml, node->behavior);
  const char *threads = uml_tag(&node->element, "threads");
  if (!uml_is(&node->element, "ParallelRegion") && !uml_is(&called->element, "Thread")) {
    write_inside(w, node, called);
    return;
  }
  struct region *region = region_new(w, &node->element);
  region->activity = called;
  region->threads = threads ? threads : uml_tag(&called->element, "threads");
  if (!region->threads) write_wrong(w, &node->element, "needs the tagged value 'threads'");
}

/* The flow from `node` to `stop` or to its end; `entered`: the loop that begins at `node` is being written. */
static void write_flow(struct writer *w, struct uml_node *node, const struct uml_node *stop, bool entered) {
  if (w->depth > MOST_DEPTH && !w->wrong) write_wrong(w, &node->element, "is more than %d statements deep", MOST_DEPTH);
  for (; node && node != stop && !w->wrong; entered = false) {
    if (w->text.size > MOST_TEXT) {
      write_wrong(w, &node->element, "makes too much: more than 4 MiB, since activities stand where they are called");
      return;
    }
    struct uml_node *next = next_of(node);
    bool forks = node->kind == UML_BAR && node->out_count > 1;
    if (!entered && uml_has_cycle(node)) {
      next = write_cycle(w, node);
    } else if (node->kind == UML_ACTION) {
      if (node->loop) open_loop(w, &node->element);
      write_action(w, node);
      if (node->loop) close_loop(w, &node->element);
    } else if (node->kind == UML_CALL) {
      write_call(w, node);
    } else if (node->kind == UML_STRUCTURE) {
      write_inside(w, node, node->inside);
    } else if (node->kind == UML_BRANCH && node->out_count > 1) {
      next = node->after;
      if (uml_tag(&node->out[0]->element, "probability"))
        write_chances(w, node, next ? next : stop);
      else
        write_decision(w, node, next ? next : stop);
    } else if (forks) {
      region_new(w, &node->element)->fork = node;
      next = next_of(node->after);
    }
    node = next;
  }
}

void write_activity(struct writer *w, struct uml_activity *activity) {
  activity->open = true;
  write_flow(w, activity->first, NULL, false);
  activity->open = false;
}

/* Each thread one of the fork's flows. */
void write_fork(struct writer *w, const struct uml_node *fork) {
  for (uint32_t e = 0; e < fork->out_count; e++) {
    write_line(w, &fork->element, e ? "} else if tid == %u {" : "if tid == %u {", e);
    write_branch(w, fork->out[e], fork->after);
  }
  write_line(w, &fork->element, "}");
}
