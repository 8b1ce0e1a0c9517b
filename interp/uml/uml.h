/* UML activity diagrams as models: what an editor has exported as XMI, its flows checked, and written as PSL.
 *
 *   file -> xmi.c -> struct uml -> flow.c: checked, its control flow known -> statements.c, uml.c: PSL's text
 *                       |                                                       -> traversal.c: XML; cpp_program.c: C++
 *                       |       `- loops.c: which flows lead back
 *                       +-> rules.c: what rules of a file find wrong; xmi_write.c: XMI; diagram_json.c: JSON
 *
 * A model that uses such a file has the components that its activities are: processes and threads of
 * stdlib/prophet. Diagnostics stand at the tag of the element in the XML. */
#ifndef PSL_UML_H
#define PSL_UML_H
#include "grammar/ast.h"
#include "grammar/diagnostic.h"
#include "grammar/name.h"
#include "grammar/source.h"
#include "grammar/text.h"

struct uml_tag { /* a tagged value of a stereotype, or of the element itself */
  const char *name, *value;
  uint32_t stereotype; /* which of the element's it is of; UINT32_MAX: of the element itself */
  struct uml_tag *next;
};

struct uml_stereotype {
  const char *name;
  const char *base; /* the metaclass that it extends; "": the file does not say */
};

enum { UML_TAGS_MOST = 200 }; /* of an element, and as many stereotypes */

/* What stereotypes and tagged values are applied to. */
struct uml_element {
  const char *id;   /* "" where it has none */
  const char *name; /* "" where it has none */
  const char *type; /* of xmi:type, without `uml:` */
  struct span span; /* its start tag */
  struct uml_stereotype *stereotypes;
  uint32_t stereotype_count, stereotype_capacity;
  struct uml_tag *tags, *last_tag;
  uint32_t tag_count;
};

enum uml_kind {
  UML_ACTION,    /* OpaqueAction, and every other that does something */
  UML_CALL,      /* CallBehaviorAction */
  UML_STRUCTURE, /* StructuredActivityNode, LoopNode: has nodes inside */
  UML_INITIAL,
  UML_FINAL,  /* ActivityFinalNode, FlowFinalNode */
  UML_BRANCH, /* DecisionNode, MergeNode: editors mix them up, their edges tell */
  UML_BAR,    /* ForkNode, JoinNode: the same */
  UML_OBJECT  /* object nodes: no control flow */
};

struct uml_edge {
  struct uml_element element;
  const char *source, *target; /* ids; "" where not given */
  const char *guard;           /* "" where it has none */
  struct uml_node *from, *to;
  bool back; /* flow: it closes a loop */
};

struct uml_node {
  struct uml_element element;
  enum uml_kind kind;
  const char *body;                    /* of an opaque action; "" */
  const char *behavior;                /* of a call: an activity's id; "" */
  struct uml_activity *owner, *inside; /* inside: of a structure */
  struct uml_edge **in, **out;
  uint32_t in_count, in_capacity, out_count, out_capacity;
  /* flow: */
  struct uml_node *after; /* where all flows from here meet first; NULL: at the end */
  uint32_t depth;         /* of the tree that `after` makes */
  struct uml_node *head;  /* where the innermost loop begins that it is in; NULL: in none */
  struct uml_node *outer; /* of one that a loop begins at: the same of the loop around that; NULL: there is none */
  uint32_t order;         /* in which the search for loops has found it, from 1 */
  uint8_t state;
  uint32_t number; /* picture */
  uint32_t mark;   /* of the loop that it was last found in */
  bool loop;       /* it is a loop element */
  bool matched;    /* a join that belongs to a fork */
};

struct uml_activity {
  struct uml_element element; /* of one of its own */
  struct uml_node *structure; /* whose inside it is; NULL: an activity of its own */
  struct uml_node **nodes;
  uint32_t node_count, node_capacity;
  struct uml_edge **edges;
  uint32_t edge_count, edge_capacity;
  struct uml_node *first; /* flow: where it begins */
  bool called;            /* by another activity of the file */
  bool open;              /* while it is written where it is called */
};

struct uml {
  struct arena *arena;
  struct diagnostics *diagnostics;
  const struct source *source;      /* the XML */
  struct uml_activity **activities; /* of their own, in the order of the file */
  uint32_t activity_count, activity_capacity;
  struct uml_element **others; /* elements with stereotypes that are none of the above: nodes of machines */
  uint32_t other_count, other_capacity;
  struct uml_element *model; /* uml:Model; NULL: there is none */
  struct uml_index *index;   /* elements by id */
};

/* Is this file's name one of XMI: .uml, .xmi? */
bool uml_is_file(const char *path);

/* ---- xmi.c ---- */
/* Reads XMI; NULL after diagnostics. Nothing outside the text is read; a document type is refused. */
struct uml *uml_read(struct arena *arena, struct diagnostics *d, const struct source *source);
/* The text in UTF-8, as its XML declaration says what it is in; NULL: it cannot be converted. */
const char *uml_decode(struct arena *arena, const char *text, size_t *size);
/* The activity with that id, or NULL. */
struct uml_activity *uml_activity_of(const struct uml *uml, const char *id);
struct uml_node *uml_node_of(const struct uml *uml, const char *id); /* likewise */
/* Does it have the stereotype? Case, `-`, `_` and blanks do not count, and `+` is `plus`. */
bool uml_is(const struct uml_element *element, const char *stereotype);
/* The value of a tag, compared likewise; NULL: it has none. */
const char *uml_tag(const struct uml_element *element, const char *name);
/* Is a word like a name, as stereotypes and tags are compared? */
bool uml_alike(const char *word, const char *name);
/* "action 'solve'", for diagnostics. */
const char *uml_what(struct arena *arena, const struct uml_element *element);

/* ---- loops.c ---- */
/* Is it a loop element, whatever flows it has? */
bool uml_is_loop(const struct uml_node *node);
/* Of an activity whose nodes have their flows: which of these lead back, and the loop that each node is in. */
void uml_find_loops(struct uml *uml, struct uml_activity *activity);
/* Does a flow lead back to it? */
bool uml_has_cycle(const struct uml_node *node);
/* What the loop counts by: its tagged value, or k, k2, ... by how many loops are around it. */
const char *uml_loop_variable(const struct uml *uml, const struct uml_node *head);
/* What is wrong with a merge or decision that is a loop element, and that no flow leads back to; NULL: it is none. */
const char *uml_lacks_cycle(const struct uml_node *node);
/* From here only through nodes that do nothing. */
bool uml_is_straight(const struct uml_node *from, const struct uml_node *to);
/* The flow by which this decision leaves the loop that it is in; NULL: it ends none. */
const struct uml_edge *uml_loop_exit(const struct uml_node *node);
/* What is wrong with the guard, or the probability, of a flow of such a decision; NULL: nothing. */
const char *uml_loop_guard_wrong(const struct uml *uml, const struct uml_node *test, const struct uml_edge *edge);

/* ---- flow.c ---- */
/* Tests all activities and finds the structure of their flows; false after diagnostics. */
bool uml_check_flow(struct uml *uml);

/* ---- uml.c ---- */
/* Reads a file, whose flows are not tested; NULL after diagnostics. */
struct uml *uml_open(struct arena *arena, struct diagnostics *d, struct sources *sources, const char *path,
                     const char *text, size_t size);
/* Tests that the declarations of the model are sound by themselves, before what uses them; false after diagnostics,
 * which stand at the model. */
bool uml_check_declarations(const struct uml *uml, struct names *names, struct sources *sources);
/* The model that the file is, as a text of PSL whose lines say where they come from; NULL after
 * diagnostics. */
struct source *uml_model(struct arena *arena, struct names *names, struct diagnostics *d, struct sources *sources,
                         const char *path, const char *text, size_t size);

/* ---- rules.c ---- */
/* Rules of a file: which checks are made and how severe they are, and the stereotypes with what they need. */
struct uml_rules;
/* Reads them; NULL after diagnostics. */
struct uml_rules *uml_rules_read(struct arena *arena, struct diagnostics *d, const struct source *source);
/* What the rules find wrong, each at its element, as errors and warnings of uml->diagnostics. Nothing has been
 * checked before; what it finds of flows is left in the nodes, so that uml_check_flow needs another uml_read. False: an
 * error was found. */
bool uml_check_rules(struct uml *uml, const struct uml_rules *rules, struct names *names, struct sources *sources);

/* ---- xmi_write.c ---- */
/* The diagrams as XMI, as Eclipse's UML2 has it: what is read of a file and nothing else, the same bytes for the same
 * diagrams; read and written again it is the same. */
void uml_write_xmi(struct text *out, const struct uml *uml);

/* ---- diagram_json.c ---- */
/* The diagrams as data, for who draws them: an object of "activities", "others" and "model". */
void uml_write_json(struct text *out, const struct sources *sources, const struct uml *uml);

/* ---- traversal.c ---- */
/* The processes, threads and nodes of a model that uml_model has made, as XML: elements in the order in which they are
 * executed, decisions and loops as elements around them. `file`: the parsed text. */
void uml_write_xml(struct text *out, const struct file *file);

/* ---- activity_picture.c ---- */
/* All activities in Graphviz' DOT. */
void uml_picture(struct text *out, const struct uml *uml);
#endif
