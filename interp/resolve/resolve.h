/* What the files of this folder share; nobody else reads it. */
#ifndef PSL_RESOLVE_H
#define PSL_RESOLVE_H
#include "interp/resolve/graph.h"
#include "interp/evaluate/evaluate.h"

/* ---- uses.c: what an expression reads ---- */
enum {
  USES_INDEX = 1,
  USES_LOCAL = 2, /* a label's parameter, an accept's parameter, a body's local */
  USES_VAR = 4,
  USES_CLOCK = 8,
  USES_TARGET = 16, /* target.A */
  USES_CALLER = 32, /* caller.A */
  USES_DRAW = 64,
  USES_LATE = USES_LOCAL | USES_VAR | USES_CLOCK | USES_CALLER | USES_DRAW,
};
struct resolver;
unsigned expr_uses(struct resolver *r, const struct expr *expr);
/* "the parameter `to`": the first thing that the expression reads of those in `mask`, for people. */
const char *expr_reads(struct resolver *r, const struct expr *expr, unsigned mask);

/* ---- formula.c: whole-number expressions over indices, evaluated many instances at a time ---- */
enum { LANES = 256 };
struct lanes { /* instances side by side: inputs[slot][lane] */
  const int64_t *const *inputs;
  uint32_t input_count, count;
};
struct formula;
/* The expression over the indices of `component` (inputs base ..). Its value is an int, a bool as 0 and 1, or
 * a term as head | qualifier << 32. NULL: not of that kind. */
struct formula *formula_compile(struct resolver *r, const struct expr *expr, uint32_t base);
struct candidate;
/* A clause of a selector or clauses joined: the requester's indices are inputs 0 .., the target's begin at
 * `base`. */
struct formula *formula_compile_test(struct resolver *r, const struct candidate *candidate, const struct expr *expr,
                                     uint32_t base);
/* Values by lane. doubt[lane] is set where the walker must do it (overflow, division by zero, …). */
const int64_t *formula_run(const struct formula *formula, const struct lanes *lanes, uint8_t *doubt, bool *doubtful);
/* One more than the last input that it reads. */
uint32_t formula_inputs(const struct formula *formula);
/* Which inputs it reads, a bit each, of those that are indices of the one component. */
uint64_t formula_reads(const struct formula *formula);
/* The value as a formula's number; false where it has none. */
bool value_number(struct value value, int64_t *out);

/* ---- symbolic.c: affine expressions and sets in isl ---- */
struct isl_set;
struct isl_pw_aff;
struct isl_space;
struct isl_ctx;
struct isl_map;
struct candidate;
struct plan;
struct symbolic_frame { /* what is given for the locals of these slots */
  struct expr *const *given;
  uint32_t count;
  struct symbolic_frame *caller;
};
struct symbolic {
  struct resolver *r;
  struct isl_space *space; /* of the sets made */
  uint32_t base;           /* the first dimension that stands for an index of the component at hand */
  bool parametric;         /* int params are parameters of the space, not their values */
  bool opaque;             /* a let that is not affine was met: it is a parameter of its own */
  struct symbol **params;  /* params and lets, in the order of the space's parameters */
  uint32_t param_count;
  struct symbolic_frame *frame; /* arguments of the functions being inlined, or of a label */
  bool body;                    /* other locals are those of a body, whose lets have one value */
  struct symbol *const *loops;  /* variables of loops, which are dimensions of the space, */
  const uint32_t *loop_places;  /* these, from `base` on */
  uint32_t loop_count;
  struct isl_set *domain; /* polynomial.c: what is known of indices and params */
  uint32_t depth;
};
/* NULL: not affine. */
struct isl_pw_aff *symbolic_value(struct symbolic *s, const struct expr *expr);
/* The points where the expression is `wanted`; clauses that are not affine are taken to hold and *exact is
 * cleared. */
struct isl_set *symbolic_set(struct symbolic *s, const struct expr *expr, bool wanted, bool *exact);

/* The points where a op b (not OP_IN); both are given away. */
struct isl_set *symbolic_relation(enum operator op, struct isl_pw_aff *a, struct isl_pw_aff *b);

/* ---- param_context.c ---- */
/* The ranges of s->params, and the model's assertions, as far as they are affine. */
struct isl_set *symbolic_context(struct symbolic *s);

/* ---- polynomial.c ---- */
struct symbolic_side { /* of an equation */
  const struct expr *value;
  uint32_t base; /* as what is called so in struct symbolic */
  struct symbolic_frame *frame;
  struct symbol *const *loops;
  const uint32_t *loop_places;
  uint32_t loop_count;
};
/* The points of the domain where both sides are the same, though params may multiply indices, as in i * m + j; NULL: it
 * is not known. The domain holds what is known of indices and params, and stays the caller's. */
struct isl_set *symbolic_equal(struct symbolic *s, struct isl_set *domain, const struct symbolic_side *left,
                               const struct symbolic_side *right);

/* ---- static_graph.c ---- */
/* The pairs of requester and target of a request by which it may go to the candidate, over these params; *inexact: why
 * there may be fewer, or NULL. */
struct isl_map *static_graph_pairs(struct resolver *r, struct isl_ctx *ctx, struct symbol **params,
                                   uint32_t param_count, struct plan *plan, const struct candidate *candidate,
                                   const char **inexact);

/* ---- channels.c ---- */
/* Where bodies make the request of MPI-Sim: what is known before the run of the channels by which its messages go.
 * Nothing where it is about no messages of one partner. `accept`: who takes it. */
void channels_explain(struct text *out, struct resolver *r, const struct model_request *request,
                      const struct model_accept *accept);

/* ---- coercion_chain.c ---- */
/* Can the request be served by the accept? *adapter: NULL where nothing is to be adapted. If not, *why. */
bool transaction_conforms(struct resolver *r, struct model_request *request, struct model_accept *accept,
                          struct adapter **adapter, const char **why);
/* Would a coercion's block make the one's transaction of the other's, if it held between these two? */
bool transaction_apart(struct resolver *r, struct model_request *request, struct model_accept *accept);
/* Has the component an accept of the transaction, under whatever profile? */
bool component_accepts(const struct model_component *component, const struct model_transaction *transaction);
/* Does what one interaction behind the first carries become what another one does? *out: how, by parameter, NULL: as it
 * is. If not, *why. */
bool interaction_conforms(struct resolver *r, struct model_request *request, struct model_accept *accept,
                          const struct model_transaction *from, const struct model_transaction *to,
                          struct conversion **out, double *cost, const char **why);
void conversion_print(struct text *out, struct resolver *r, const struct conversion *conversion);

/* ---- interactions.c ---- */
/* Does the accept's protocol fit that of the request? What is coerced of its interactions is added to the adapter. If
 * not, *why. */
bool protocols_fit(struct resolver *r, struct model_request *request, struct model_accept *accept,
                   struct adapter **adapter, const char **why);

/* ---- providers.c ---- */
/* The numbers of accepts, rising, beyond which the request can mean none. */
struct provider_walk {
  struct provider_part *parts;
  uint32_t count, capacity;
  uint32_t length; /* of all parts together */
};
struct provider_walk providers_open(struct resolver *r, const struct model_request *request);
bool providers_next(struct provider_walk *walk, uint32_t *accept);

/* ---- match.c ---- */
enum attribute_kind { ATTRIBUTE_MISSING, ATTRIBUTE_NA, ATTRIBUTE_INDEX, ATTRIBUTE_EXPR, ATTRIBUTE_DYNAMIC };
struct attribute_ref {
  enum attribute_kind kind;
  uint32_t slot;                       /* INDEX, DYNAMIC */
  const struct model_profile *profile; /* EXPR, DYNAMIC (NULL: only `profile` statements set it) */
  struct expr *value;                  /* EXPR; DYNAMIC: before a `profile` statement, may be NULL */
  bool constant;                       /* EXPR: the same for all instances */
};
struct attribute_ref profile_find(struct resolver *r, const struct model_accept *accept, const struct name *attribute);

/* The instances of an accept by the value of one attribute: equality is a look-up. */
struct lookup {
  int64_t low;   /* dense: starts[v - low] .. starts[v - low + 1] - 1 */
  uint64_t span; /* dense: number of values; 0: sorted */
  uint32_t *starts;
  int64_t *values; /* sorted: by place in instances */
  uint32_t *instances;
  uint32_t count;
  bool unique; /* dense and no value is shared */
};

/* An accept that the static part of a request's selector leaves, and how the rest is decided. */
struct candidate {
  struct model_accept *accept;
  struct adapter *adapter;
  const struct expr **index; /* by index: the clause that gives its value (an equality), or NULL */
  uint32_t shared;           /* leading indices that are those of the requester */
  uint32_t given;            /* indices that `index` or `shared` give */
  bool all_indices;          /* that is every one */
  const struct expr *key;    /* a clause of equality on an attribute, found through lookup */
  struct lookup *lookup;
  const struct expr **tests; /* conjuncts tested for each instance left */
  uint32_t test_count, test_capacity;
  bool names_index; /* a clause is on an index: the requester itself may be meant */
  bool dynamic;     /* a clause reads a run-time attribute */
};
struct plan { /* of a request */
  struct model_request *request;
  struct candidate *candidates;
  uint32_t count, capacity;
  bool late, late_where;
  bool impossible; /* `where` is false for all instances */
  const char *because;
};
struct late {
  struct plan *plan;
};

/* Does the expression read a target.A that bodies of the accept's component change? */
bool reads_changing(struct resolver *r, const struct model_accept *accept, const struct expr *expr);

enum verdict { VERDICT_NO, VERDICT_YES, VERDICT_MAYBE };
/* The accepts that a request can mean by what is the same for all instances. */
struct plan *plan_request(struct resolver *r, struct model_request *request);
/* Once there are instances: look-ups are chosen. */
void plan_prepare(struct resolver *r, struct plan *plan);
/* Does the request consider the accept at all: visible, protocol, transaction? If not, *why (for people; may
 * be NULL). */
bool plan_considers(struct resolver *r, struct model_request *request, struct model_accept *accept,
                    struct adapter **adapter, const char **why);
/* By what is the same for all instances. */
enum verdict selector_verdict(struct resolver *r, const struct model_accept *accept, const struct expr *selector);
enum certainty clause_holds(enum operator op, struct value offered, struct value wanted);
enum verdict verdict_of(enum certainty holds);
/* One instance, by the walker. The environment is the requester's. False after a diagnostic. */
struct trial {
  struct graph *graph;
  const struct model_accept *accept;
  uint32_t instance;
  const struct value *dynamics;
};
bool selector_test(struct environment *requester, const struct trial *trial, const struct expr *selector, bool *out);
/* The right side of a clause; *lacks where it asks for a target.A that the target has not. */
bool clause_value(struct environment *requester, const struct trial *trial, const struct expr *clause,
                  struct value *out, bool *lacks);
/* Is the requester inside the component that holds the accept's component, or is that outermost? */
bool component_visible(const struct model_component *requester, const struct model_component *target);

struct lookup *lookup_of(struct resolver *r, const struct model_accept *accept, const struct name *attribute);
/* The instances with that value, ascending. */
const uint32_t *lookup_find(const struct lookup *lookup, int64_t value, uint32_t *count);

/* The instances that a candidate's equality clauses leave, in order. */
struct walk {
  const struct candidate *candidate;
  const struct instances *set;
  uint32_t dims;
  const uint32_t *list;     /* look-up: the rest */
  uint64_t left;            /* of list, of the box or of the set */
  int64_t *at, *low, *high; /* box: the next, by index */
  uint32_t next;            /* a set that is no box: the next */
};
void walk_open(struct walk *walk, const struct resolver *r, struct arena *arena, const struct candidate *candidate);
/* values: by index where a clause gives it; key: of the look-up; requester: its indices. */
void walk_start(struct walk *walk, const int64_t *requester, const int64_t *values, int64_t key);
bool walk_next(struct walk *walk, uint32_t *instance);

/* ---- instances.c ---- */
bool instances_enumerate(struct resolver *r, const struct model_component *component, struct instances *out);
/* Index values of instances first .. first + count - 1 (of the component, from 0) into rows of LANES. */
void instances_fill(const struct instances *set, uint32_t index_count, uint32_t first, uint32_t count,
                    int64_t *const *rows);

/* ---- lookahead.c ---- */

/* Of an accept that a request goes to: what it says of the order of virtual time on several processors, if it is a
 * network, or says a lookahead. */
void put_lookahead(struct text *out, struct resolver *r, const struct model_accept *accept);

/* ---- bind.c, refuse.c, reach.c ---- */
bool bind_request(struct resolver *r, struct plan *plan);
struct problem {                /* what is wrong with a request, for one of its instances */
  uint32_t instance, instances; /* an example, and how many there are */
  uint32_t matches;             /* of the example: 0 or more than one */
  struct target some[4];
};
struct ambiguity { /* a request that has several targets */
  struct ambiguity *next;
  struct plan *plan;
  struct problem problem;
  bool said;
};
void refuse(struct resolver *r, struct plan *plan, const struct problem *problem);
/* Of requests that have several targets, which wait for this: those of the same targets are one error. */
void refuse_ambiguous(struct resolver *r);
/* By component: is it the library's, and there for others to be made from by `like`, as the model does? */
const bool *resolver_templates(struct resolver *r);
/* One conjunct of a selector against an accept, for people: "node type is recv, wanted send". The environment
 * is a requester's, for example. VERDICT_MAYBE: some instance meets it, and others may not. */
enum verdict conjunct_explain(struct resolver *r, struct environment *requester, const struct model_accept *accept,
                              const struct expr *conjunct, struct text *out);
/* The conjuncts of a selector into list (room for `capacity`); their number. */
uint32_t conjuncts_of(const struct expr *selector, const struct expr **list, uint32_t capacity);
/* The text of a place in the source, blanks folded. */
const char *span_text(struct resolver *r, struct span span);
const char *place_text(struct resolver *r, struct span span); /* file:line:column */
bool reach_compute(struct resolver *r);
/* The same while the model runs; the environment is the requester's. */
void refuse_late(struct resolver *r, struct plan *plan, struct environment *environment, const struct problem *problem);

/* ---- late.c ---- */
/* Has a late request one target that is found by what its selector computes, without a look at others? */
bool late_is_found(const struct binding *binding);
/* As resolve_late, where no body has set an attribute; none, and several targets, are no error. */
bool late_targets(struct graph *graph, const struct model_request *request, uint32_t requester,
                  struct environment *environment, struct target *targets, uint32_t capacity, uint32_t *count);

/* ---- instance_params.c ---- */
/* Are the params of components in their ranges, and the servers of facilities at least one? */
bool instance_params_check(struct resolver *r);

/* ---- visit_lists.c ---- */
bool visit_lists_check(struct resolver *r); /* has each list of visits an item for each target? */

/* ---- means.c ---- */
bool accept_is_analytic(struct resolver *r, const struct model_accept *accept);
/* Does a value of the one type become one of the other by numbers in place of distributions? */
bool takes_mean(const struct type *from, const struct type *to);
/* Those that a coercion's block takes; of one that returns such a result. */
struct means means_in_block(struct resolver *r, const struct block *block, const struct type *result);
const struct means *means_of(struct resolver *r, const struct model_accept *accept);

/* ---- undeclared.c ---- */
/* Is what requests give to parameters of undeclared type of the dimension that is wanted where they go? */
bool undeclared_check(struct resolver *r);

/* ---- endless.c ---- */
void endless_warn(struct resolver *r); /* of loops by which a run never ends */

/* ---- priorities.c ---- */
void priorities_check(struct resolver *r); /* warns of disciplines by priority that no call has */

/* ---- patience.c ---- */
void patience_check(struct resolver *r); /* warns of patience where no call waits */

/* ---- choices.c ---- */
void choices_check(struct resolver *r); /* warns where a param chooses one component and requests go to another */

/* ---- resolve.c ---- */
struct resolver {
  struct model *model;
  struct arena *arena;
  struct graph *graph;
  struct resolve_options options;
  struct arena scratch;       /* reset at will; open while resolve() runs */
  struct diagnostics quiet;   /* where failures of what may not be needed go */
  struct value *locals;       /* of the walker */
  uint8_t *function_uses;     /* by function id: expr_uses + 1 bits, see uses.c */
  struct plan **plans;        /* by request id; NULL: not reached */
  bool *reached;              /* by component id */
  bool *accept_reached;       /* by accept id */
  struct map called;          /* labels that bodies of these call */
  int64_t *attribute_indices; /* graph_attribute's: it runs inside other evaluations */
  struct value *attribute_locals;
  struct arena *walk_scratch; /* the walker's */
  size_t deferred_limit;      /* resolver_defer_limit */
  uint64_t deferred_failure;
  bool deferred;
  bool verbose; /* static_graph_check: say what is left out */
  struct provider_table *providers;
  /* Is an expression that reads nothing of a run one whose value counts? NULL: all are. */
  bool (*settled)(struct resolver *r, const struct expr *expr);
  struct attribute_entry **attributes; /* by accept id: what profile_find has found */
  uint32_t max_indices;
  int64_t **rows, **target_rows;  /* LANES wide, max_indices of each */
  const int64_t **inputs;         /* rows of both, side by side */
  struct ambiguity *ambiguities;  /* in the order of requests */
  const struct symbol *unoffered; /* the param of which was said that its setting is offered by nobody */
  bool *lookahead_told;           /* by accept id: explain has said it; NULL: of none */
  const char *one_processor;      /* see put_lookahead; NULL: it is not yet known whether there is a reason */
};
/* A resolver with the requests that the system reaches planned, for a graph that has model, arena, system and
 * tables. */
void resolver_open(struct resolver *r, struct graph *graph, const struct resolve_options *options);
void resolver_close(struct resolver *r);
void resolver_plan(struct resolver *r);
struct graph *graph_new(struct model *model, struct arena *arena, struct model_component *system);
/* Runs `work` with the scratch arena closed after it, whatever happens. */
bool resolver_guarded(struct resolver *r, bool (*work)(struct resolver *));
/* Between the two no allocation in an arena fails for the limit on memory: isl's objects are alive and would
 * be left behind. What they are made of is small; a limit that was passed holds again from the next
 * allocation on. */
void resolver_defer_limit(struct resolver *r);
void resolver_restore_limit(struct resolver *r);
/* The walker's environment with the indices of a requester (may be NULL). */
struct environment resolver_environment(struct resolver *r, const int64_t *indices);
/* The value without a diagnostic where it fails. */
bool resolver_quietly(struct resolver *r, const struct expr *expr, const int64_t *indices, struct value *out);
/* Drops what quiet evaluation has said. */
void resolver_hush(struct resolver *r);
bool resolver_in_library(const struct resolver *r, struct span span); /* what stands there is PSL's */
struct model_domain *resolver_domain(struct resolver *r, struct term term);
const struct name *name_id(const struct resolver *r, uint32_t id);
/* The requester's or target's own attribute, where it is the same for all instances. */
bool resolver_constant(struct resolver *r, const struct model_accept *accept, enum known attribute, struct value *out);
#endif
