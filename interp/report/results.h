/* What a run came to, for people and for programs.
 *
 * results_make turns what the executor left into the public psl_results, which needs neither graph nor executor any
 * more; every report reads that alone. */
#ifndef PSL_RESULTS_H
#define PSL_RESULTS_H
#include "interp/execute/trace.h"
#include "interp/report/output.h"
#include "interp/resolve/graph.h"

struct results {
  struct psl_results public; /* first: a psl_results of the user is one of these */
  double end; /* s: the greatest clock; drawings of a queueing network go as far, its predicted time is of a cycle */
  struct results *next; /* among those of a handle */
  struct arena arena;
  const struct types *types;                 /* of the model */
  const struct dimension *record_dimensions; /* by record */
  struct trace *trace;                       /* NULL: none was kept */
  struct why *why;                           /* NULL: no causes were kept */
  uint32_t *process_of;             /* trace, elements: the process of an instance, or UINT32_MAX; NULL without both */
  struct levels *levels;            /* NULL: none were kept */
  struct results_level *level_rows; /* by level; levels_plot.c */
  uint32_t instance_count;
  const char *unsound;                /* why figures of a network are no more than what was seen; NULL: they are, too */
  bool uncontended;                   /* messages do not meet, by an assumption */
  bool drawn;                         /* random numbers were drawn: with another seed it is another run */
  const char *const *component_names; /* trace: by component id */
};

/* Fills `results`, whose arena is open, from a run. */
void results_make(struct results *results, struct graph *graph, const struct run_result *run);

/* Fills host_times. */
void results_host_times(struct results *results, const struct sources *sources, const struct host_time *host);
/* Where a span stands; the path is copied. */
struct psl_place results_place(struct results *results, const struct sources *sources, struct span span);
/* Fills evidence and what was asked for. */
void results_sources(struct results *results, struct graph *graph, const struct run_result *run);
/* The record of what was answered; SIZE_MAX: a list, or nothing was. */
size_t results_answered(const struct psl_results *run, const struct psl_asked *asked);
/* What was answered, for people: a value, or the least and the greatest. */
void results_answer(struct text *out, const struct results *results, const struct psl_asked *asked);

/* What of a share is spent in this way: an activity, or a part of waiting. */
double share_part(const struct psl_share *share, enum activity activity);
/* Of which parts of waiting is it known how long they were? A bit by activity. */
uint32_t results_told(const struct psl_results *run);

/* What is left of a process's time. */
double results_rest(const struct psl_results *run, const struct psl_process *process, enum result_rest rest);

/* Fills elements and process_elements; process_of is there. */
void results_elements(struct results *results, const struct run_result *run);
/* Is it known where time goes, and does any go? */
bool results_split(const struct psl_results *run);
/* Of a component in a queueing network, all its instances and classes together, or of one instance: customers' cycles a
 * second and their mean response; of stations visits a second, the mean response of a visit, the number there, and the
 * mean utilisation. NaN where there is none. */
double results_queueing(const struct psl_queueing *network, const char *component, const char *instance,
                        enum queueing_figure part);

double results_facility(const struct psl_facility *facility, enum queueing_figure part);
/* A class as a field, and in the names of results: gold; class_1 of a number. */
const char *results_class(struct arena *arena, const char *class);

/* The responses of its customers' cycles, or of visits to it, and a percentile of those; NULL: not known. */
const struct psl_queueing_response *results_response(const struct psl_queueing *network, const char *component,
                                                     const char *instance);
const struct psl_estimate *results_percentile(const struct psl_queueing *network, const char *component,
                                              const char *instance, double part);
/* Is the row, `desk[i=1]`, that of the instance, `desk[1]`, or one of its classes, `desk[i=1].gold`? */
bool results_is_instance(const char *row, const char *instance);
/* What is said of percentiles of cycles that have drawn whether they make requests. */
#define CYCLES_FRACTIONAL                                                                                             \
  "cycles of %s: each request of fractional 'visits' is made or not by a chance of its own, so some cycles make all " \
  "of them, some none; with 'one of' each makes one"
/* Has it drawn random numbers by one seed, so that nothing says how sure its figures are? Intervals of a simulated
 * network do. */
bool results_one_draw(const struct psl_results *results);
/* Has a limit come before the intervals of a network were as narrow as wanted? */
bool results_unsteady(const struct psl_results *results);
/* Has the run been ended where it could have gone on? Then it has no makespan. */
bool results_cut(const struct psl_results *results);
/* Why a run that ended in this way has no makespan. */
const char *results_untimed(const char *stop);
/* Of a visit of a class's customers to a station. */
struct psl_estimate results_cell(const struct psl_queueing_cell *cell, enum queueing_figure part);
/* Half the width of a figure's confidence interval, or of such a figure's; without a component that of the only class.
 * NaN where there is none. */
double results_half(const struct psl_queueing *network, const struct psl_estimate *figure);
double results_queueing_half(const struct psl_queueing *network, const char *component, const char *instance,
                             enum queueing_figure part);

/* A name of PSL, so that a field can be asked for: "mean in use of pool[1, 0]" is mean-in-use-of-pool_1_0. */
const char *results_field(struct arena *arena, const char *name);

/* Is any percentile of the row known? What it is of, as reports say: "cycle", "any visit". */
bool response_known(const struct psl_queueing *network, const struct psl_queueing_response *row);
const char *response_kind(const struct psl_queueing_response *row);

/* Its trace, for a browser's viewer and as a drawing. */
void report_trace(struct output *out, const struct results *results);
void report_task_lines(struct output *out, const struct results *results);
void report_timeline(struct output *out, const struct results *results);
void report_slices(struct output *out, const struct results *results);  /* in the format of slices.h */
void report_paraver(struct output *out, const struct results *results); /* the trace, what its numbers mean, its rows */
void report_paraver_names(struct output *out, const struct results *results);
void report_paraver_rows(struct output *out, const struct results *results);

/* Fills `why`, of the trace's causes. */
void results_why(struct results *results, const struct graph *graph);
struct why_wrong {
  const char *message, *help; /* help NULL: there is none */
};
/* Why the process was where it was then: what psl_write_why writes. False: what was asked for is not there, and *wrong
 * says so. */
bool report_why(struct output *out, const struct results *results, const struct psl_why_options *options,
                unsigned columns, struct why_wrong *wrong);

/* Fills level_rows. */
void results_levels(struct results *results, const struct graph *graph);
/* The plots of levels, one a component, arranged. */
struct plot;
struct plot **levels_plots(struct arena *arena, const struct results *results, size_t *count);

/* The dependence graph in DOT: of components, or of instances. */
void picture_static(struct output *out, const struct graph *graph);
/* Of components of more than `most` instances these are one node. */
void picture_dynamic(struct output *out, const struct graph *graph, size_t most);
/* That of components as JSON. */
void graph_json(struct output *out, const struct graph *graph);
#endif
