/* What a process of a model spends its own time for, as expressions in the params: derived from the bodies, before any
 * run. derive.c is who begins; what is written of it: derived_text.c, derived_psl.c, derived_json.c. */
#ifndef PSL_DERIVE_H
#define PSL_DERIVE_H
#include "interp/derive/algebra.h"
#include "interp/report/output.h"
#include "interp/resolve/resolve.h"

enum cost_part { COST_COMPUTE, COST_MEMORY, COST_STORAGE, COST_COMMUNICATION, COST_PARTS };
extern const struct part_words {
  const char *text, *name, *latex; /* as a heading; in names of PSL and JSON; as an index */
} part_words[COST_PARTS];

struct costs {
  const struct poly *part[COST_PARTS];
  const struct poly *times; /* how often the section is executed */
};

struct derive_note {
  struct span span;
  const char *text;
  bool left_out; /* what is derived is less than the time by that */
};

struct derived { /* of one body */
  const struct model_accept *accept;
  const struct atom **indices; /* NULL: of one instance */
  const int64_t *values;       /* of that one */
  uint32_t index_count;
  const struct atom **formals; /* parameters of its transaction that the params do not give, in its order */
  uint32_t formal_count;
  const char *name;   /* rank[x, y] */
  const char *where;  /* the indices' set; NULL: it has none */
  struct costs costs; /* of one firing, or of the section in all */
  struct costs each;  /* of the section once, where it stands alone; part[0] NULL: it does not, or there is none */
  const struct poly **around; /* `each` is within loops over these variables, as atoms */
  uint32_t around_count, around_capacity;
  const struct derive_note *notes;
  uint32_t note_count, note_capacity;
  const struct poly **lows, **highs; /* of the indices, if `bounded` */
  bool bounded;
  const struct poly *whole; /* phases that end with collective operations, each by its slowest instance; NULL: none */
  bool messages;            /* it sends or receives */
  bool waits;               /* by other messages than those of a barrier */
  bool uneven;              /* instances come to some of these operations at different times */
  bool at_once;             /* the system starts it, and it begins at 0 s */
};

struct derivation {
  struct algebra al;
  struct arena *arena;
  struct graph *graph;
  struct derived **items;
  uint32_t count, capacity;
  const struct symbol **settled; /* params whose values decide something */
  uint32_t settled_count, settled_capacity;
  const struct symbol **params; /* that stand in what was derived, in the model's order */
  const struct atom **atoms;    /* the same as atoms */
  uint32_t param_count;
  const char *section; /* NULL: whole bodies */
  bool section_met;
};

enum { RANGES_MOST = 16 };
struct derived_range {
  const struct symbol *param;
  double low, high;
};

struct derive_options {
  const char *section;       /* a label, or the line of a statement; NULL: whole bodies */
  const char *process;       /* rank, rank[2, 3]; NULL: all */
  const char *const *memory; /* params whose terms count as memory, beside those that usually do */
  size_t memory_count;
  bool decide;                        /* comparisons of params by the values that these have, */
  const struct derived_range *ranges; /* or all that they may have in these */
  uint32_t range_count;
};
/* NULL after a diagnostic. */
struct derivation *derive(struct graph *graph, struct arena *arena, const struct derive_options *options);

/* ---- meanings.c: expressions of PSL ---- */
enum meaning_kind { MEANING_NOTHING, MEANING_NUMBER, MEANING_TRUTH, MEANING_VALUE, MEANING_LIST, MEANING_EACH };
struct meaning { /* of an expression, before the run */
  enum meaning_kind kind;
  bool whole;                  /* NUMBER: of type int */
  const struct poly *poly;     /* NUMBER; TRUTH: 1 or 0 */
  const struct poly *memory;   /* NUMBER: the share of `poly` that counts as memory; NULL: none */
  struct value value;          /* VALUE */
  const struct meaning *items; /* LIST; EACH: one, a number, for all values of */
  uint32_t count;
  const struct atom *variable; /* EACH: of a list as long as params say, from low to high */
  const struct poly *low, *high;
};
struct local {
  struct local *next;
  const struct symbol *symbol; /* or in a formula of an evaluator: */
  const char *name;
  struct meaning known;
};
struct scope {                       /* what names mean in a body or a function */
  struct scope *caller;              /* whom `caller` asks; NULL: nobody */
  const struct model_accept *accept; /* whose body it is; NULL: a function */
  struct local *locals;
  struct local *vars;            /* of the component */
  const struct meaning *indices; /* by slot */
  uint32_t index_count;
  const struct model_accept *target; /* of a coercion: whom target.A asks */
  const struct meaning *value;       /* of a coercion */
};

struct derive { /* work in hand */
  struct derivation *out;
  struct algebra *al;
  struct resolver *r;
  struct arena *arena;
  const struct derive_options *options;
  uint32_t depth, steps; /* of values within values, and in all */
  struct local *lets;    /* global ones, once each */
  bool settles_numbers;
  struct static_graph *statics; /* for the sizes of messages; NULL: not asked for yet */
  /* why the last value that was asked for is not known, and where that stands */
  const char *why;
  struct span why_at;
  /* bodies.c: */
  struct derived *item;
  struct derived **idle; /* those that take no time */
  uint32_t idle_count, idle_capacity;
  uint32_t section_line, inside;
  const struct atom *loops[64];
  uint32_t loop_count;
};
/* False: it is not known before a run, and d->why says why. */
bool derive_value(struct derive *d, struct scope *scope, const struct expr *expr, struct meaning *out);
bool derive_number(struct derive *d, struct scope *scope, const struct expr *expr, const struct poly **out);
bool derive_truth(struct derive *d, struct scope *scope, const struct expr *expr, const struct poly **out);
void derive_bind(struct derive *d, struct scope *scope, const struct symbol *symbol, struct meaning known);
bool derive_fail(struct derive *d, struct span span, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Params that are no numbers, and decide what the expression is. */
void derive_settle(struct derive *d, const struct expr *expr);
/* Atom of a param; NULL: it is no number. */
const struct atom *derive_param(struct derive *d, const struct symbol *param);
/* Does all of the number count as memory? */
bool derive_all_memory(const struct meaning *number);
/* Takes what a condition says as known of the numbers in it. */
void derive_assume(struct derive *d, struct scope *scope, const struct expr *condition);

/* From now on the truth holds, or does not, till al->known_count is put back. */
void derive_know(struct derive *d, const struct poly *by, bool holds);

/* A name for a variable that nothing else in the expressions has. */
const char *derive_free_name(struct derive *d, const char *name);

/* ---- bodies.c ---- */
/* All parts together. */
const struct poly *costs_total(struct algebra *al, const struct costs *costs);
void derive_note(struct derive *d, struct span span, bool left_out, const char *text);
/* The section in that body, if it is in a part that is left out by *note; NULL: it is not. */
const struct stmt *derive_left_out_section(struct derive *d, struct derived *item, const struct derive_note **note);
void derive_body(struct derive *d, struct derived *item, const struct meaning *indices, struct local *parameters);

/* ---- phases.c ---- */
struct phases { /* of some statements; not synchronized: all that they take is one piece of a phase */
  bool synchronized;
  const struct poly *head, *operation; /* of each rank till the first one; that, where all come at one time */
  const struct poly *middle;           /* of all, from there to the last operation's end */
  const struct poly *tail;             /* of each rank, behind that */
};
/* Of a call of MPI that costs a rank so much, and `at_once` where all ranks call at one time, if that is known. */
struct phases phases_of_call(struct derive *d, const char *transaction, const struct costs *costs,
                             const struct costs *at_once);
struct phases phases_then(struct derive *d, const struct phases *a, const struct costs *before, const struct phases *b,
                          const struct costs *behind);
struct phases phases_either(struct derive *d, const struct poly *by, struct phases *a, struct phases *b);
/* In all turns of a loop over the variable. */
void phases_repeat(struct derive *d, struct phases *turn, const struct atom *variable, const struct poly *low,
                   const struct poly *high);
/* What they are is no matter any more: nobody waits for anybody there, as far as that is seen. */
void phases_drop(struct derive *d, struct phases *phases);
/* NULL: there is one phase alone. */
const struct poly *phases_whole(struct derive *d, const struct phases *phases);

/* ---- derived_numbers.c: with values for the params ---- */
struct bounded {
  struct interval at;           /* of the whole box of ranges */
  bool monotone;                /* else by interval arithmetic */
  const struct symbol *because; /* the param in which that is not seen; NULL: monotone */
  bool steps;                   /* that stands in something that is rounded */
};
/* What each name has; at NULL: one of the params has no number. Without indices these have none. */
struct settings derived_settings(struct derivation *derivation, const struct derived *item, const int64_t *indices);
/* The value at the params' values; false where it has none there. */
bool derived_at(struct derivation *derivation, const struct derived *item, const int64_t *indices, const struct poly *a,
                double *out);
/* Bounds where these params lie in ranges. False: it has no values there. */
bool derived_bounds(struct derivation *derivation, const struct derived *item, const int64_t *indices,
                    const struct poly *a, const struct derived_range *ranges, uint32_t count, struct bounded *out);

/* The least and the greatest of an expression over all instances, and which these are; false: it has no numbers. */
struct derived_spread {
  double low, high;
  uint32_t lowest, highest; /* instances of the graph */
  uint32_t count;
};
bool derived_spread(struct derivation *derivation, const struct derived *item, const struct poly *a,
                    struct derived_spread *out);
/* Bounds that hold for all instances. */
bool derived_spread_bounds(struct derivation *derivation, const struct derived *item, const struct poly *a,
                           const struct derived_range *ranges, uint32_t count, struct bounded *out);
bool derived_reads_ranges(struct derivation *derivation, const struct poly *a, const struct derived_range *ranges,
                          uint32_t count);
/* Is the greatest over all instances what the run takes? And what their phases take, one after the other? */
bool derived_exact(const struct derivation *derivation);
bool derived_phases_exact(const struct derivation *derivation);
/* The parts that are there, and in all if these are more than one: false behind the last. part COST_PARTS: in all. */
struct derived_lines {
  const struct costs *costs;
  uint32_t next, shown;
  enum cost_part part;
  const struct poly *poly;
};
bool derived_lines_next(struct derived_lines *lines, struct algebra *al);

/* ---- derived_text.c, derived_psl.c, derived_json.c ---- */
struct derived_compared { /* with a run, a row a process */
  const char *process;
  double derived[COST_PARTS], compute, communicate; /* of the run; NaN: not known */
};
struct derived_report {
  struct derivation *derivation;
  struct arena *arena;
  const struct derived_range *ranges;
  uint32_t range_count;
  const struct derived_compared *compared; /* NULL: with nothing */
  uint32_t compared_count;
  const char *model;
};
void derived_text(struct output *out, const struct derived_report *report);
void derived_latex(struct output *out, const struct derived_report *report);
void derived_psl(struct output *out, const struct derived_report *report);
void derived_json(struct output *out, const struct derived_report *report);
#endif
