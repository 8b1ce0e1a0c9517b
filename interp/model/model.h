/* The checked model: what interp/check makes of the syntax trees and what resolution and execution
 * read. Everything lives in the model's arena; nothing here changes after the check but the values of
 * params and lets, which model_bind computes. */
#ifndef PSL_MODEL_H
#define PSL_MODEL_H
#include "grammar/ast.h"
#include "grammar/diagnostic.h"
#include "grammar/map.h"
#include "interp/include/evaluator.h"
#include "interp/model/limits.h"
#include "interp/model/value.h"

struct foreign_function;
struct foreign_library;
struct builtin;

enum symbol_kind {
  SYMBOL_PARAM,     /* a global param: value */
  SYMBOL_LET,       /* a global let: value, computed at first use after binding */
  SYMBOL_FUNCTION,  /* of PSL */
  SYMBOL_BUILTIN,   /* max, ceil, exponential, … */
  SYMBOL_EVALUATOR, /* the name before the point in evaluator.f */
  SYMBOL_EVALUATOR_FUNCTION,
  SYMBOL_FOREIGN, /* a function of an extern */
  SYMBOL_FILE,    /* the name before the point in file.name */
  SYMBOL_UNIT,
  SYMBOL_DOMAIN,
  SYMBOL_TRANSACTION,
  SYMBOL_PROTOCOL,
  SYMBOL_COMPONENT, /* and systems */
  SYMBOL_COERCION,
  SYMBOL_STUDY,
  SYMBOL_INDEX,     /* of a component (slot: its place; an inner component's follow its outer's) */
  SYMBOL_INSTANCE,  /* a let or param of a component: an expression over its indices, no state (slot: 0; its
                     * binders stand in a frame of their own) */
  SYMBOL_VAR,       /* state of an instance (slot: among the component's vars) */
  SYMBOL_LOCAL,     /* slot in the frame of its owner: accept's parameters, body lets, for variables,
                     * label's parameters, function's parameters, coercion block's, binders */
  SYMBOL_LABEL,     /* a labelled request */
  SYMBOL_ATTRIBUTE, /* `target.A`, `caller.A`, the left side of a clause */
  SYMBOL_CLOCK,     /* the firing's clock */
  SYMBOL_VALUE,     /* `value` in a coercion: slot 0 of its frame */
  SYMBOL_TARGET,    /* the name `target` before a point */
  SYMBOL_CALLER,    /* the name `caller` before a point */
};

struct symbol {
  enum symbol_kind kind;
  const struct name *name;
  struct span span;                        /* where it is declared */
  const struct type *type;                 /* of its value; FUNCTION: of the result */
  struct decl *decl;                       /* where it has one */
  const struct source *file;               /* the file that declares it; NULL: built in */
  uint32_t slot;                           /* LET of the model: its number */
  const struct model_signature *signature; /* FOREIGN, EVALUATOR_FUNCTION */
  struct symbol *next;                     /* another of the same name: an error where it is used */
  /* PARAM, LET: */
  struct value value;
  bool has_value, in_progress, was_set;
  const struct expr *framed; /* the expression for which `slots` was found, when the model had been checked so often: */
  uint32_t framed_when, slots;
  uint64_t failed;              /* the last binding in which it had no value, which has been said */
  uint32_t look;                /* the last one of model->looks that came by here, */
  bool calls_foreign;           /* and what it has found */
  bool assignable;              /* LOCAL: a let of a coercion's block */
  const struct expr *made;      /* LOCAL: the value of its let, the first that a label's parameter is given, or NULL */
  uint32_t read_at, reached_at; /* where it may stand in model->reads (interp/evaluate/reads.h) */
  struct value range;           /* PARAM: what `in` says: RANGE or LIST; kind VALUE_NONE: none */
  struct expr *setting;         /* PARAM: the expression of --set, or NULL */
  struct decl *preset;          /* PARAM: what a file that uses its file gives it, or NULL */
  bool varies;                  /* it has had other values: code loads it (interp/evaluate/reads.h), ... */
  int64_t low, high;            /* ... and takes whole numbers to lie here */
  union {
    struct model_function *function;
    const struct builtin *builtin;
    struct foreign_function *foreign; /* FOREIGN */
    const struct psl_evaluator *evaluator;
    const struct psl_evaluator_function *evaluator_function; /* and `evaluator_of` */
    struct model_domain *domain;
    struct model_transaction *transaction;
    struct model_protocol *protocol;
    struct model_component *component;
    struct model_request *request; /* LABEL */
    struct {
      double factor;
      struct dimension dimension;
    } unit;
    struct {
      struct expr *value;
      struct model_component *component;
    } instance;                         /* INSTANCE */
    enum { OF_TARGET, OF_CALLER } side; /* ATTRIBUTE */
    struct allowed *allowed;            /* ATTRIBUTE of a `profile` statement: what it may be */
  };
  const struct psl_evaluator *evaluator_of; /* EVALUATOR_FUNCTION: its evaluator */
};

/* The symbol that an expression names; NULL: none. */
static inline struct symbol *expr_symbol(const struct expr *expr) {
  return expr->kind == EXPR_NAME     ? expr->name.symbol
         : expr->kind == EXPR_MEMBER ? expr->member.symbol
         : expr->kind == EXPR_CALL   ? expr->call->symbol
                                     : NULL;
}
/* The label or evaluator function that a statement calls; NULL: none. */
static inline struct symbol *stmt_callee(const struct stmt *stmt) {
  bool assigns =
      stmt->kind == STMT_LET || stmt->kind == STMT_ASSIGN || stmt->kind == STMT_CALL || stmt->kind == STMT_RETURN;
  return assigns ? stmt->assign.callee : NULL;
}

/* PARAM, LET: the expression that its value is of. */
struct expr *value_expr(const struct symbol *symbol);

struct model_signature { /* of a function that is not written in PSL */
  struct symbol *symbol;
  const struct name **names;
  const struct type **types;
  struct expr **defaults; /* NULL: none; a call's `bound` has the default where it was left out */
  uint32_t count;
  const struct type *result; /* TYPE_VOID: none */
};

struct model_function {
  struct symbol *symbol;
  struct symbol **params; /* LOCAL, slots 0 .. */
  struct expr **defaults; /* NULL: none */
  uint32_t param_count;
  uint32_t slot_count; /* of its frame: parameters and binders */
  struct expr *value;
  struct fit *fit;                   /* a FIT's, whose `fitted` says what is measured; NULL: another */
  uint32_t part;                     /* of a FIT: 0: all of it; k: its term k - 1, which has a name */
  struct model_component *component; /* a component's own: may read its indices and instance lets; else NULL */
  bool recursive;                    /* calls itself, directly or through others */
  bool alone;                        /* not through others */
  uint32_t id;
};

/* The values that a parameter or an attribute may have. */
struct allowed {
  struct expr *range;  /* a RANGE or a list; NULL: any value */
  struct value bounds; /* of it, computed when first needed */
  uint64_t bounded;    /* 1 + model->bounding when they were; 0: they were not */
};

struct model_domain {
  struct symbol *symbol;
  struct model_attribute {
    const struct name *name;
    const struct type *type;
    struct expr *value; /* default or NULL */
    struct span span;
    struct allowed allowed;
  } * attributes;
  uint32_t count;
  struct map places; /* by name, in lower case */
};

struct model_transaction {
  struct symbol *symbol; /* NULL decl: implied by an accept of a transaction nobody declares */
  struct model_parameter {
    const struct name *name;
    const struct type *type; /* TYPE_ANY where implied or not given, and where `of` says it */
    const struct name *of;   /* the attribute of whoever accepts whose type it has; NULL: it has its own */
    bool condition;          /* on something of that type, which is called as the attribute is */
    struct expr *value;      /* default or NULL */
    bool every;
    struct span span;
    struct allowed allowed;
  } * params;
  uint32_t param_count;
  bool ranged;                  /* some parameter has a range */
  const struct type *result;    /* TYPE_VOID: none */
  const struct name *result_of; /* the attribute whose type the result has, which is TYPE_ANY then; NULL: none */
  bool implied;
  uint32_t id;
  struct model_transaction
      *conversing; /* the same, where it begins conversations: the last parameter is whose; or NULL */
};

enum protocol { PROTOCOL_DATAFLOW, PROTOCOL_CALL_RETURN };

struct sequence; /* evaluators/sequence.h */
/* How a request and an accept meet, as it is declared: a sequence of elementary interactions. */
struct model_protocol {
  struct symbol *symbol;
  enum protocol kind; /* how its first interaction is made */
  bool converses;     /* others follow, which bodies make: what begins is a conversation */
  bool checked;
  const struct sequence *sequence;         /* NULL after a diagnostic */
  const char *text;                        /* that, as evaluators are given it */
  struct model_transaction **transactions; /* by step of the sequence; NULL: that of the request and the accept */
  struct model_protocol *next;             /* of the model */
};

struct model_profile {          /* one attribute of a profile */
  const struct name *attribute; /* folded */
  struct expr *value;           /* over indices, params, lets; NULL: N/A, matches anything */
  const struct type *type;
  int32_t dynamic;         /* slot among the component's run-time attributes that a `profile`
                    * statement sets, else -1 */
  struct allowed *allowed; /* NULL: any value */
  struct span span;
};

struct model_accept {
  uint32_t id;    /* among all accepts of the model, */
  uint32_t place; /* and among those of its component */
  struct model_component *component;
  const struct accept *syntax;
  struct model_profile *profile; /* its own or the one before; the component's indices are not listed */
  uint32_t profile_count;
  struct model_transaction *transaction;
  struct symbol **params; /* LOCAL: what the body calls the parameters, slots 0 .. */
  uint32_t *param_of;     /* params[k] is the transaction's parameter param_of[k] */
  uint32_t param_count;
  int32_t priority_at, class_at; /* those of params that are the priority and the class of a call; -1: none */
  const struct type *result;     /* of its transaction, by its own profile where that says it */
  enum protocol protocol;
  const struct model_protocol *declared; /* that protocol; NULL after a diagnostic */
  struct expr *servers;                  /* NULL: none said */
  bool unlimited;
  enum psl_discipline discipline;
  struct expr *quantum;     /* round-robin */
  struct expr *rates;       /* processor-sharing: a list, the work a second with 1, 2, … jobs; NULL: by `servers` */
  struct expr *firing_rule; /* bool over vars, indices, parameters, and vars of other instances; NULL: none */
  struct model_watch {      /* such a var that the rule reads */
    struct symbol *symbol;  /* LOCAL: its value, where the rule is tested */
    const struct symbol *var;
    struct expr **indices; /* of that instance, over those of the own one, params and lets */
    struct span span;
  } * watches;
  uint32_t watch_count;
  struct block *body;              /* NULL: none */
  struct model_request **requests; /* unlabelled, in order */
  uint32_t request_count;
  uint32_t slot_count; /* locals of body and unlabelled requests */
};

struct model_request {
  uint32_t id; /* among all requests of the model */
  struct model_component *component;
  struct model_accept *accept; /* the accept it belongs to; NULL for labelled ones (they belong to the component) */
  const struct request *syntax;
  struct symbol *label;   /* NULL: none */
  struct symbol **params; /* label's parameters: LOCAL, slots 0 .. */
  uint32_t param_count;
  uint32_t slot_count; /* labelled: of its own frame; unlabelled: 0, it uses its accept's */
  struct expr *where;
  enum quantifier quantifier;
  struct expr *by;       /* TARGET_ANY: the target with the least; NULL: one that is free, or the shortest line */
  struct expr *selector; /* NULL: { } */
  struct model_transaction *transaction;
  struct expr **args;        /* by transaction parameter; NULL: left to its default or to another edge */
  const struct type **types; /* by transaction parameter, of what is given, or of what a condition is on; NULL: those of
                              * the transaction */
  struct symbol **items;     /* by transaction parameter: what a condition is on; NULL: there are none */
  struct expr *visits, *delay;
  struct expr *patience; /* how long it waits for a server, or a firing rule; the call gives whether it got there */
  enum protocol protocol;
  const struct model_protocol *declared; /* that protocol; NULL after a diagnostic */
  const struct type *result;
};

/* The type of what the request gives for a parameter of its transaction. */
static inline const struct type *given_as(const struct model_request *request, uint32_t param) {
  const struct model_parameter *of = &request->transaction->params[param];
  return request->types && !of->condition ? request->types[param] : of->type;
}

/* Has its profile, or an index of its component, that name? */
bool accept_has(const struct model_accept *accept, const struct name *attribute);

/* What a component keeps of a record besides its table. */
struct model_keeping {
  struct model_keeping *next;
  const struct name *name; /* of the record */
  struct span span;
  struct model_quantile {
    double part;      /* of 0 .. 1 */
    const char *name; /* p95, p99_9 */
  } * quantiles;      /* ascending */
  uint32_t quantile_count;
  uint32_t classes;        /* of the histogram; 0: none */
  bool level;              /* a value that holds till the next one: weighted by time, for each instance */
  struct expr *warm_up;    /* what is recorded before that time does not count; NULL: all does */
  struct expr *half_width; /* of the interval of the mean, as a part of it, that the run goes on for; NULL: none */
};

struct model_component {
  uint32_t id;
  struct symbol *symbol;
  struct decl *decl;
  bool system;
  struct model_component *outer, *like;
  struct symbol **indices;         /* the outer's first */
  uint32_t index_count, own_index; /* own ones begin at own_index */
  struct expr *warm_up;            /* of a system: what happens before that time does not count; NULL: all does */
  struct expr *set;                /* over its indices, params, global lets, and those of `instances` (an
                                    * outer's too) that depend on none of its own indices; NULL: one instance, or
                                    * one for each of the outer's */
  struct symbol **instances;       /* SYMBOL_INSTANCE: lets and params of the component */
  uint32_t instance_count;
  struct symbol **vars; /* SYMBOL_VAR, in order; initial value is decl->value.value */
  uint32_t var_count;
  struct symbol *asking; /* of these, a bool: the instance asks for its params now; NULL: it asks for none */
  struct model_question {
    const struct symbol *param;  /* the var that it becomes */
    const struct symbol *callee; /* a label of the component, or a function of an evaluator */
  } * questions;                 /* its params that are asked for; each body begins with a statement for each */
  uint32_t question_count;
  uint32_t dynamic_count; /* run-time attributes */
  const struct name **dynamic_names;
  struct model_accept **accepts;
  uint32_t accept_count;
  struct model_request **requests; /* all, labelled and not, in order */
  uint32_t request_count;
  struct model_component **inner;
  uint32_t inner_count;
  struct model_keeping *keepings;
  bool watched;     /* firing rules of other instances read its vars */
  bool states_time; /* it records compute, communicate and wait: where its time goes */
  bool chosen;      /* it is one of those that `computer(machine = X).L` chooses among */
};

/* Is it made by `like` of that one, at once or through others? */
bool component_is_like(const struct model_component *component, const struct model_component *first);

/* May a call or firing of an instance begin before the one before has ended? Else they stand one after another on its
 * clock. */
bool component_entered_again(const struct model_component *component);

struct model_coercion {
  uint32_t id;
  struct decl *decl;
  const struct type *from, *to; /* of values; NULL where it is of transactions */
  struct model_transaction *from_transaction, *to_transaction;
  struct term domain, to_domain; /* head 0: any */
  bool has_domain, has_to_domain;
  double cost;
  bool lossy;
  struct expr *value; /* over `value` (slot 0) and target.A */
  struct block *body; /* of transactions; params of from_transaction are its locals */
  struct symbol **params;
  uint32_t slot_count;
};

/* A figure of a run, as studies name it. */
enum result_kind {
  RESULT_MAKESPAN,
  RESULT_LOW, /* makespan.low, .high: itself, or the bounds where ranges took part */
  RESULT_HIGH,
  RESULT_SIMULATED, /* time */
  RESULT_MESSAGES,
  RESULT_BYTES,
  RESULT_FIRINGS,    /* of the model, or of a component */
  RESULT_SHARE,      /* part: an activity; of the processes on the mean, or of all instances of a component */
  RESULT_GREATEST,   /* part: an activity; of the process that has most of it */
  RESULT_RECORD,     /* part: a result_statistic */
  RESULT_QUANTILE,   /* of a record: its part of 0 .. 1 is `quantile` */
  RESULT_QUEUEING,   /* part: a queueing_figure */
  RESULT_FACILITY,   /* part: a queueing_figure, of the servers of a component's accepts */
  RESULT_PERCENTILE, /* of the responses of a component in a queueing network, likewise */
  RESULT_FIGURE,     /* of an evaluator, by its name as a field of `last` */
  RESULT_REST,       /* part: a result_rest, of the processes on the mean, or of an instance that is one */
  RESULT_GREATEST_REST,
  RESULT_EVENTS,
};
enum result_rest {                   /* what else the time of a process goes for */
                   REST_OTHER_WAIT,  /* for no message */
                   REST_IDLE,        /* before it began, and between firings */
                   REST_ENDED_EARLY, /* behind its end */
                   REST_END,         /* no time that is spent: its clock at its end */
                   RESTS
};
enum queueing_figure { /* of a component in a queueing network, customers or a station; or of servers */
                       QUEUEING_THROUGHPUT,
                       QUEUEING_RESPONSE,
                       QUEUEING_QUEUE,
                       QUEUEING_UTILISATION,
                       QUEUEING_WAITING, /* of servers alone, as those below */
                       QUEUEING_LEFT,
                       QUEUEING_LEFT_AFTER,
                       QUEUEING_SERVED,
                       QUEUEING_FIGURES
};
enum result_statistic {
  STATISTIC_MEAN,
  STATISTIC_SUM,
  STATISTIC_MINIMUM,
  STATISTIC_MAXIMUM,
  STATISTIC_DEVIATION,
  STATISTIC_COUNT,
  STATISTIC_LAST,
  STATISTIC_HALF_WIDTH, /* of those that wish one */
  STATISTICS
};
/* What results call a quantile: 0.95 is p95, 0.999 is p99_9. */
const char *quantile_name(struct arena *arena, double part);
/* Those of responses that are known where stdlib/queueing does not say otherwise, as it does by default. */
enum { PERCENTILES_USUAL = 4 };
bool model_states(const struct model_component *component, const char *record); /* is it where its time goes? */
extern const double percentiles_usual[PERCENTILES_USUAL];
struct model_result {
  const char *name; /* makespan, disk-drive.wait, queue.mean */
  enum result_kind kind;
  uint32_t part;
  const struct model_component *component; /* NULL: of the whole model */
  const char *instance;                    /* stage[1]: of it alone; NULL: of all of the component together */
  const char *class;                       /* FACILITY: of who calls; NULL: of all */
  const struct name *record;               /* RECORD; without a component: over all that record it */
  double quantile;
  bool half; /* half the width of the figure's confidence interval, in its place; listed behind it */
  int end;   /* -1: the low end of that interval in the figure's place, 1: the high one; the figure where it has none */
  const struct type *type;
};

enum aggregate_kind { AGGREGATE_SPREAD, AGGREGATE_MIN, AGGREGATE_MAX, AGGREGATE_MEAN, AGGREGATES };

struct model_study {
  struct decl *decl;
  struct model_component *system; /* NULL after a diagnostic */
  struct study_use {              /* a result that its expressions name, as a LOCAL */
    struct symbol *symbol;
    uint32_t result; /* its place in the model's, or behind those in the study's own */
    int end;         /* -1, 1: the low or the high end of an interval; 0: none */
    uint32_t of;     /* then the use of the figure that the interval is of */
  } * uses;
  uint32_t use_count, use_capacity;
  struct model_result *own; /* results of single instances, and figures, that its expressions name */
  uint32_t own_count, own_capacity;
  struct study_aggregate { /* a figure of all points in an assertion, as a LOCAL */
    enum aggregate_kind kind;
    const struct study_item *item; /* the assertion */
    struct symbol *symbol;
    struct expr *call, *value;
    struct symbol *over; /* spread(x, p): p; NULL: none */
  } * aggregates;
  uint32_t aggregate_count, aggregate_capacity;
  struct study_end { /* low(x) or high(x) of what is no result alone, as a LOCAL */
    struct symbol *symbol;
    const struct expr *call, *value;
    int end;         /* -1: low */
    uint32_t column; /* the column that it stands in, or that comes next */
    bool limits;     /* it stands in the column's condition */
  } * ends;
  uint32_t end_count, end_capacity;
  struct study_figure {    /* the values of reports and objectives, in the order of the text */
    struct symbol *symbol; /* LOCAL, which has the column's name */
    const struct study_item *item;
    const struct field *field;
    bool reported; /* a report has it, though it may be optimised, too */
  } * columns;
  uint32_t column_count, column_capacity;
  struct study_goal { /* what is minimized or maximized, in the order of the text */
    const struct study_item *item;
    uint32_t column;
  } * goals;
  uint32_t goal_count, goal_capacity;
  struct symbol **varied; /* params */
  uint32_t varied_count, varied_capacity;
};
struct environment;
enum applied { APPLIED_NOT, APPLIED_FINE, APPLIED_FAILED };

/* Where a value may go that has no type before the run: an expression that is given to a label's parameter or
 * a local, or the name of a parameter of undeclared type where a number is wanted. */
struct model_passing {
  const struct expr *by;
  const struct symbol *to;   /* NULL: where `wanted` is wanted */
  const struct type *wanted; /* else NULL */
};

/* Ranges that are written, which sources of uncertain values are; interp/evaluate/range_groups.h. */
enum { RANGE_SOURCES = 64 };
struct range_written {
  const struct symbol *owner; /* the param or let whose value it is in; NULL: it stands elsewhere */
  uint32_t at;                /* in its expression, or in all texts */
  const char *text;
};
struct range_sources {
  struct range_written sources[RANGE_SOURCES]; /* by bit */
  uint32_t count, checked;                     /* model->checked, for which they hold */
};

/* `computer(machine = machine).L`: a param by whose value the one that is meant is found among components like one. */
struct model_choice {
  const struct model_component *family;
  const struct name *attribute; /* of their profiles */
  const struct symbol *param;
  bool told; /* a session has been told that it leaves out one of the user's own */
};

struct model {
  struct arena *arena;
  struct names *names;
  struct types types;
  struct sources *sources;
  struct diagnostics *diagnostics;
  struct file **files; /* those that were asked for come first */
  uint32_t file_count, own_count;
  struct symbol **params; /* all, in the order of files and declarations */
  uint32_t param_count;
  struct symbol **lets;
  uint32_t let_count, let_numbers; /* numbers: of all that there have been, also in texts that were refused */
  struct model_function **functions;
  uint32_t function_count;
  struct model_domain **domains;
  uint32_t domain_count;
  struct model_transaction **transactions;
  uint32_t transaction_count;
  struct model_component **components; /* and systems, outer before inner */
  uint32_t component_count;
  struct model_choice *choices; /* each once */
  uint32_t choice_count, choice_capacity;
  struct model_accept **accepts; /* by id */
  uint32_t accept_count;
  struct model_request **requests; /* by id */
  uint32_t request_count;
  struct model_coercion **coercions;
  uint32_t coercion_count;
  struct model_passing *passings;
  uint32_t passing_count;
  struct decl **asserts; /* global ones */
  uint32_t assert_count;
  bool unbounded; /* params may have values outside of their ranges: till model_forget */
  bool *held;     /* by assertion: it holds for the values that params have; NULL: none is known to */
  struct model_study **studies;
  uint32_t study_count;
  struct model_result *results; /* what a run of it can come to; none before it is asked for */
  uint32_t result_count;
  struct symbol **evaluators; /* used ones */
  uint32_t evaluator_count;
  struct foreign_function **foreign; /* those of one extern stand together */
  uint32_t foreign_count;
  uint32_t looks;                    /* for lets that call C */
  struct foreign_library *libraries; /* that are loaded */
  uint32_t slot_max;    /* locals that are enough for any one frame and for any expression outside of one */
  struct value *locals; /* of model_bind */
  uint32_t local_count;
  struct model_loading *loading; /* check's own: which file uses which */
  bool native;                   /* C code of files may run: --allow-native */
  /* The path of a file that the model names, in the arena; NULL: why it must not be read, or is none. */
  const char *(*readable)(struct model *model, struct arena *arena, const char *name, const char **why);
  struct reached *reached; /* interp/evaluate/reached.h: what params reach; NULL: not asked for */
  struct memo *memo;       /* interp/evaluate/evaluate.c: results of functions; NULL till the first */
  /* A function of PSL with its parameters settled, by compiled code; NULL: the walker takes all. NOT: this
   * function the walker takes; FAILED: the walker says why. */
  enum applied (*apply)(struct environment *environment, const struct model_function *function,
                        const struct value *arguments, struct value *out);
  /* A let of the model likewise, where compiled code has its value; false: the walker takes it. */
  bool (*compute)(struct environment *environment, const struct symbol *let, struct value *out);
  struct functions *compiled; /* functions; tested when params have changed, by `epoch` */
  struct arena *code;
  uint64_t epoch;         /* of the values of params: model_forget */
  uint64_t bound;         /* epoch + 1 in which all params were found to be fine, and the assertions to hold; 0: none */
  uint32_t bound_checked; /* and `checked` */
  uint64_t runs;          /* begun so far */
  uint64_t bounding;      /* how often the bounds of what is allowed were forgotten */
  uint64_t bindings;      /* of params, begun so far, */
  uint64_t binding;       /* and the one that goes on: an error is said once in it; 0: none */
  uint32_t checked;       /* how often the model has been checked: then its parts are others */
  struct range_sources range_sources;
  const struct symbol *computing; /* the param or let whose value is being computed; NULL: none */
  struct reads *reads;            /* who notes what params and lets are asked for; NULL: nobody */
  uint32_t walking;               /* not 0: functions are walked for now */
};

/* Names that several params have, each with 1: they are told apart by their files. */
struct map model_shared_params(const struct model *model, struct arena *arena);

/* The evaluator that solves queueing networks by the evaluation mode analysis[NAME], in any case: one that the model
 * uses, or one that is built in; NULL: none does. */
const struct psl_evaluator *network_evaluator(const struct model *model, const char *name);
/* The param of stdlib/queueing.psl by its name; NULL: the model does not use it. */
struct symbol *queueing_param(const struct model *model, const char *name);
/* Is it one of those that say how long a network is simulated, which change its estimates and not the model? */
bool queueing_controls(const struct model *model, const struct symbol *param);

/* How a network whose customers or stations are of the component is simulated: "--set 'solver=simulation[queueing]'",
 * by the param that its evaluation mode is. */
const char *simulated_by(struct arena *arena, const struct model_component *component);
#endif
