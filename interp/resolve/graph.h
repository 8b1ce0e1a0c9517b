/* The resolved graph: instances, and each request bound to the accept that serves it.
 *
 * Instances are numbered through: component c's are first .. first + count - 1, in the lexicographic order of
 * their indices. A binding says for a request (of all instances of its component) where it goes. */
#ifndef PSL_GRAPH_H
#define PSL_GRAPH_H
#include "interp/model/model.h"

#define INSTANCE_NONE UINT32_MAX /* no target: `optional` that matched nothing */
#define INSTANCE_ABSENT \
  (UINT32_MAX - 1) /* the request does not exist for this instance (`where` is false) \
                    */

struct instances {
  struct model_component *component;
  uint32_t first, count;
  bool box;                  /* all integer points between low and high, inclusive */
  const int64_t *low, *high; /* by index */
  const uint32_t *strides;   /* a box: so many instances lie between two values of an index; NULL: it has no instance */
  const int64_t *points;     /* not a box: count * index_count, sorted; else NULL */
};

/* Index number k of an instance of the set. */
static inline int64_t instance_index(const struct instances *set, uint32_t instance, uint32_t k) {
  uint32_t place = instance - set->first;
  if (!set->box) return set->points[(size_t)place * set->component->index_count + k];
  place /= set->strides[k];
  return set->low[k] + (k ? place % (uint32_t)(set->high[k] - set->low[k] + 1) : place);
}

struct conversion {      /* of one value: through a chain of coercions, to the type that is wanted in the end */
  const struct type *to; /* NULL: the value is taken as it is */
  struct model_coercion **steps;
  uint32_t count;
  double cost;
  bool lossy;
};

/* What is converted at one statement of a coercion's block. */
struct adapted {
  const struct stmt *stmt;
  struct model_accept *accept; /* of `call T(…)`: who takes it; NULL: it is none */
  struct conversion *params;   /* by parameter of T; NULL: none needs one */
  struct conversion result;    /* of a `return`: to the result of the transaction that the block stands for */
};

/* Distributions that an accept, or a block, under analysis takes by their means: the expressions that are taken so. */
struct means {
  const struct expr **items;
  uint32_t count;
  bool known; /* it has been looked for */
};

/* Interactions behind the first whose parameters are coerced; of the request [0] and of the accept [1]. */
struct adapted_steps {
  uint16_t *to[2]; /* by step of the side's sequence: that of the other one's, SEQUENCE_NONE: none */
  struct conversion *
      *params[2]; /* of a step that the side sends: by parameter of the other one's; NULL: none needs one */
};

/* A request served by an accept of another transaction or other types. Arguments and parameters correspond by
 * place: both transactions have as many. */
struct adapter {
  struct model_request *request;
  struct model_accept *accept;
  struct conversion *params; /* by parameter of the accept's transaction, or of the block's; NULL: none needs one */
  struct conversion result;  /* accept's result to the request's */
  struct model_coercion *transaction; /* a block that stands for the request, or NULL */
  struct adapted *statements;         /* of the block: its calls of transactions, its returns that convert */
  uint32_t statement_count;
  struct means means;          /* in the block */
  struct adapted_steps *steps; /* of a conversation; NULL: none is coerced */
  double cost;
  /* What converts the arguments, the reply, or in the block, reads an attribute of the target that bodies change. */
  bool late, late_reply, late_block;
};

enum binding_kind {
  BINDING_ABSENT, /* no instance has this request */
  BINDING_SAME,   /* every instance that has it goes to `target` */
  BINDING_TABLE,  /* instance k of the component goes to targets[k] (or INSTANCE_NONE, INSTANCE_ABSENT) */
  BINDING_EVERY,  /* instance k goes to targets[starts[k]] .. targets[starts[k + 1] - 1], ascending; for
                   * `every`, and  for `any`, which takes the one with the least clock of these */
  BINDING_LATE,   /* known only while the model runs: resolve_late */
};

struct target {
  uint32_t instance; /* INSTANCE_NONE, INSTANCE_ABSENT, or */
  uint32_t accept;   /* its model_accept.id */
};

struct binding {
  enum binding_kind kind;
  bool conditional;            /* SAME: some instances lack it; `present` says which */
  const uint8_t *present;      /* SAME and LATE with a `where`: a bit an instance; NULL: all have it */
  struct target target;        /* SAME */
  const uint32_t *targets;     /* TABLE, EVERY: instances; NULL: a TABLE in bytes, see binding_target */
  const uint8_t *codes;        /* by instance: a byte that says where the target is, */
  const uint32_t *offsets;     /* by code: so far from where the instance's share of all targets is: */
  uint32_t times, over;        /* k * times / over */
  const uint32_t *starts;      /* EVERY: count + 1 */
  struct model_accept *accept; /* TABLE, EVERY: the accept where all targets share one, else NULL and */
  const uint32_t *accepts;     /* accept ids beside targets */
  /* LATE, and for reports: the accepts that the static part of the selector leaves */
  struct model_accept **candidates;
  uint32_t candidate_count;
  struct adapter **adapters; /* one for each candidate accept that needs one (search by accept) */
  uint32_t adapter_count;
  struct late *late;        /* LATE: resolve's own */
  bool late_where;          /* LATE: `where` is known only while the model runs (`present` is NULL then) */
  const char *late_because; /* LATE: for people: "the selector depends on the parameter `to` of the label" */
  uint32_t failures;        /* lazy: so many instances have no target, or several */
};

enum { CODE_ABSENT, CODE_NONE, CODES_MOST = 32 };

/* The target of instance k of a TABLE, or number k of the targets of EVERY. */
static inline uint32_t binding_target(const struct binding *binding, uint32_t k) {
  if (binding->targets) return binding->targets[k];
  uint8_t code = binding->codes[k];
  if (code <= CODE_NONE) return code == CODE_NONE ? INSTANCE_NONE : INSTANCE_ABSENT;
  uint64_t share = (uint64_t)k * binding->times;
  return (uint32_t)(binding->over == 1 ? share : share / binding->over) + binding->offsets[code];
}

/* Which parameters of a dataflow accept some edge reaches, for each instance: the firing rule. */
struct reach {
  bool full;             /* fed by requests that all give the same parameters, none `every`: each token is a firing */
  uint64_t same;         /* a bit a parameter of the accept's transaction, where all instances agree */
  const uint64_t *masks; /* else by instance of the component; NULL: same, or */
  const uint8_t *bytes;  /* the same, where there are no more than eight parameters */
  const uint32_t *edges; /* number of edges that feed an `every` parameter, by instance (with several such
                          * parameters: by instance and then by these, in order); NULL: no such parameter */
};

static inline uint64_t reach_mask(const struct reach *reach, uint32_t place) {
  return reach->bytes ? reach->bytes[place] : reach->masks ? reach->masks[place] : reach->same;
}

struct resolver; /* resolve's own: interp/resolve/resolve.h */
struct reuse;
struct graph {
  struct model *model;
  struct resolver *resolver;
  struct arena *arena;
  struct model_component *system;
  struct instances *instances;    /* by component id */
  const struct instances **there; /* those with some instance, by the first */
  uint32_t there_count;
  uint32_t instance_count;
  struct binding *bindings; /* by request id; requests of components that nothing reaches are ABSENT */
  struct means *means;      /* by accept id; of those that some request considers */
  struct reach *reach;      /* by accept id; used for dataflow accepts */
  struct reuse *reuse;      /* who keeps it for other runs (interp/execute/reuse.h), or NULL */
  struct {
    uint64_t requests, candidates; /* resolved, considered: for reports and benchmarks */
  } statistics;
};

struct environment;
struct resolve_options {
  bool deny_lossy;
  bool lazy;      /* do not stop at the first component whose request has no target (explain) */
  bool unlimited; /* a run without a limit on its time is to follow, or is asked about */
};

/* NULL after diagnostics. All components that the system can reach are instantiated and bound; others have no
 * instance. Lazy: the graph is there even where requests have no target (`failures`), and this is not
 * reported. */
struct graph *resolve(struct model *model, struct arena *arena, struct model_component *system,
                      const struct resolve_options *options);
/* What bodies compute of constants, and of params with the values that they have where a run is sure to come by; false
 * after what the run would say of it. */
bool graph_test_constants(const struct graph *graph);
/* The indices of an instance (by slot of its component) into out. */
void graph_indices(const struct graph *graph, uint32_t instance, int64_t *out);
struct model_component *graph_component(const struct graph *graph, uint32_t instance);
/* Is it a component that no request leads to, though its index set has some instance? False after a diagnostic, too. */
bool graph_left_out(const struct graph *graph, const struct model_component *component);
/* Name of an instance for people: `rank[2, 3]`. */
void graph_instance_print(struct text *out, const struct graph *graph, uint32_t instance);
/* A late request at run time: `environment` has the requester's locals, indices, vars. Writes up to
 * `capacity` targets in ascending order and the number found to *count; `dynamics` gives the run-time
 * attributes of an instance (by slot). For TARGET_ANY all that match are written: the caller takes the one
 * with the least clock. False after a diagnostic (also: none or several for TARGET_ONE). *count may be more
 * than capacity: call again with more room. Where it is 0 targets[0].instance says why: INSTANCE_ABSENT
 * (`where` is false) or INSTANCE_NONE. capacity is at least 1. */
bool resolve_late(struct graph *graph, const struct model_request *request, uint32_t requester,
                  struct environment *environment, const struct value *(*dynamics)(void *user, uint32_t instance),
                  void *user, struct target *targets, uint32_t capacity, uint32_t *count);
/* A late request that each instance makes, and whose one target is of this accept, taking all as it is: that instance
 * whose index k is the value of the clause (*indices)[k], in the terms of the requester. NULL: it is sought. */
struct model_accept *late_accept(const struct binding *binding, const struct expr *const **indices);
/* The targets of a request whose binding is known before the run, `local` being the place of the requester's
 * instance in its component: the number; *one or many[first ..]. */
uint32_t targets_bound(const struct binding *binding, uint32_t local, struct target *one, const uint32_t **many,
                       uint32_t *first);
/* May a firing of the accept make the request: is it its own, or a label that its body calls? */
bool accept_makes(const struct model_accept *accept, const struct model_request *request);
/* What adapts the request to the accept; NULL: nothing does. */
struct adapter *adapter_of(const struct binding *binding, const struct model_accept *accept);
/* What it does at a statement of its block; NULL: nothing. */
const struct adapted *adapter_at(const struct adapter *adapter, const struct stmt *stmt);
/* As which type an argument is evaluated: as the declared one where it conforms to that, as its own where coercions
 * take it from there. */
const struct type *argument_type(struct model *model, const struct expr *argument, const struct type *declared);
/* The value of an attribute of an accept's profile for an instance (for caller.A and target.A);
 * false: it has no such attribute. */
bool graph_attribute(struct graph *graph, const struct model_accept *accept, uint32_t instance,
                     const struct name *folded, const struct value *dynamics, struct value *out);
/* How long it takes at least until what one node does is felt by another, as the attribute `lookahead` of the accept
 * says it, and as the least of those that requests go to say it, s; 0: none does. */
double accept_lookahead(struct graph *graph, const struct model_accept *accept);
double lookahead_least(struct graph *graph);
/* Why something that requests may go to does in the order of time what has no lookahead; NULL: nothing does. */
const char *lookahead_lacking(struct graph *graph);
/* At which place a rank is, as those that say a lookahead tell evaluators: an expression of the local in that slot,
 * which is the rank, and of nothing else that a run decides. False: that is not known. */
struct rank_place {
  const struct expr *place;
  uint32_t slot;
};
bool lookahead_placing(const struct graph *graph, struct rank_place *out);
/* Which indices of the accept's component an attribute that is a whole number depends on, and on nothing else: a bit
 * each. False: that is not known, or it has no such attribute. */
bool graph_attribute_indices(struct graph *graph, const struct model_accept *accept, const struct name *folded,
                             uint64_t *out);
/* Does an expression of the component read nothing of a run but the instance's indices? `fixed`: not these, either. */
bool graph_reads_indices(const struct graph *graph, const struct expr *expr, bool *fixed);
/* As it is written before a selector, with a blank behind it; "" for one. */
const char *quantifier_text(enum quantifier quantifier);
/* `psl explain`: per request of the system's components (or of one component, one request: its label, its
 * transaction or its number from 1) the accepts considered, clause by clause, the one taken, the coercions
 * put in. False after a diagnostic. */
bool explain(struct text *out, struct graph *graph, const char *component, const char *request);

/* ---- ordered.c ---- */

/* Why the run has something that is done in the order of time among all instances, as far as that is known before it,
 * and where; NULL: nothing is known of the kind. `paced`: its partitions keep the order of what evaluators do. */
const char *graph_ordered(const struct graph *graph, bool paced, struct span *at);
#endif
