/* Reports: what a run came to, for people and for programs.
 *
 * results_make turns what the executor left into the public psl_results, which needs neither graph nor
 * executor any more; every writer reads that alone. Writers put text into an output, which hands it on piece
 * by piece. */
#ifndef PSL_REPORT_H
#define PSL_REPORT_H
#include "interp/include/psl.h"
#include "interp/execute/trace.h"
#include "interp/resolve/graph.h"

struct results {
  struct psl_results public; /* first: a psl_results of the user is one of these */
  struct results *next;      /* among those of a handle */
  struct arena arena;
  const struct types *types;                 /* of the model */
  const struct dimension *record_dimensions; /* by record */
  struct trace *trace;                       /* NULL: none was kept */
  uint32_t *process_of; /* trace, elements: the process of an instance, or UINT32_MAX; NULL without both */
  uint32_t instance_count;
  const char *const *component_names; /* trace: by component id */
};

/* Fills `results`, whose arena is open, from a run. */
void results_make(struct results *results, struct graph *graph, const struct run_result *run);

/* Fills elements and process_elements; process_of is there. */
void results_elements(struct results *results, const struct run_result *run);
/* Of a component in a queueing network, all its instances and classes together: customers' cycles a second and their
 * mean response; of stations visits a second, the mean response of a visit, the number there, and the mean
 * utilisation. NaN where there is none. */
double results_queueing(const struct psl_queueing *network, const char *component, enum queueing_figure part);

struct output {
  struct text text; /* what has not been handed on yet */
  psl_write *write;
  void *user;
  bool stopped; /* the taker wants no more */
};
void output_open(struct output *out, struct arena *arena, psl_write *write, void *user);
void output_pass(struct output *out);  /* hands on what has gathered if it is much; call it after each row */
void output_flush(struct output *out); /* hands on what has gathered */
void output_close(struct output *out); /* hands on the rest */

/* A number with its unit, scaled to read well: 4 significant digits. */
void report_time(struct text *out, double seconds);
void report_data(struct text *out, double bytes);
void report_count(struct text *out, uint64_t count); /* 1,234,567 */

/* queueing.c: lines at the head of a report, and the tables. */
void report_queueing_head(struct output *out, const struct psl_queueing *network);
void report_queueing(struct output *out, const struct psl_queueing *network);

void report_text(struct output *out, const struct results *results, const struct psl_report_options *options);
void report_json(struct output *out, const struct results *results, const struct psl_report_options *options);
struct params_listed {
  const struct psl_param *params;
  const enum psl_effect *effects; /* NULL: not known */
  size_t count;
};
void report_params(struct output *out, const struct params_listed *listed, enum psl_format format);
void csv_field(struct text *out, const char *field); /* quoted where it must be */
void report_csv(struct output *out, const struct results *results, const struct psl_report_options *options);
void report_trace(struct output *out, const struct results *results);
void report_timeline(struct output *out, const struct results *results);

/* Several runs of one system side by side; rows[k] is the run under values[k], NULL where it failed. */
struct comparison {
  const char *param;
  const char *const *values;
  const struct results *const *rows;
  size_t count, begun; /* those from `begun` on were not run: the comparison was interrupted */
  double spread;       /* of the makespans: largest over smallest, minus 1; negative: fewer than two ended */
  double tolerance;    /* negative: none asked for */
};
double comparison_spread(const struct results *const *rows, size_t count);
void compare_text(struct output *out, const struct comparison *comparison);
void compare_json(struct output *out, const struct comparison *comparison);
void compare_csv(struct output *out, const struct comparison *comparison);

/* queueing.c: classes and stations of networks, in text. */
void compare_queueing(struct output *out, const struct comparison *comparison);

/* The dependence graph in DOT: of components, or of instances. */
void picture_static(struct output *out, const struct graph *graph);
void picture_dynamic(struct output *out, const struct graph *graph);
#endif
