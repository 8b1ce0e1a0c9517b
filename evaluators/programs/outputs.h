/* Formats that traces are written in, of which each is a file and a line in the table of outputs.c. Operations come as
 * those of a stream, rank after rank; or, of a format of times, all at once. What a format cannot hold is noted, and
 * said in the end, by name. */
#ifndef PSL_OUTPUTS_H
#define PSL_OUTPUTS_H
#include "evaluators/programs/operations.h"

enum { LOSSES_MOST = 48 };

/* Of Chrome's trace format: the numbers of the one process, and of the thread of what comes first.  Perfetto takes a
 * thread that has its process's number for the main thread, and shows it above all others; and some of its versions
 * take the threads 0 and 1 for the same. */
enum { CHROME_PROCESS = 1, CHROME_FIRST_THREAD = 2 };

struct trace_loss {
  const char *what; /* "tags", "calls of MPI_Waitany": what is not there, or something else */
  uint64_t count;   /* operations */
};

struct trace_output { /* how that of each format begins */
  const struct trace_output_kind *kind;
  uint32_t ranks;
  struct trace_loss losses[LOSSES_MOST];
  uint32_t loss_count;
  const char *archive_program; /* psl-otf2; "": there is none */
};

struct trace_output_kind {
  const char *name;    /* for people, as that of a source */
  const char *endings; /* of names of its files, blank-separated: ".tit .ti" */
  bool counts;         /* it has what counters of the processor have counted */
  /* Writes to `path`; what else the format has stands beside `name`, which is where that file will be. NULL: error. */
  struct trace_output *(*open)(const char *path, const char *name, uint32_t ranks, struct program_error *error);
  bool (*write)(struct trace_output *output, uint32_t rank, const struct program_operation *operation,
                struct program_error *error);
  bool (*end)(struct trace_output *output, uint32_t rank, struct program_error *error); /* the rank has no more */
  bool (*finish)(struct trace_output *output, struct program_error *error);             /* all ranks have ended */
  /* In the place of these three: all that the source has. */
  bool (*whole)(struct trace_output *output, struct program_source *source, struct program_error *error);
  void (*close)(struct trace_output *output);
};

/* The format that a name's ending says; NULL: none. */
const struct trace_output_kind *trace_output_named(const char *name);
const struct trace_output_kind *trace_output_listed(size_t place); /* NULL: there are no more */
/* An operation loses something; `what` lives as long as the program. */
void trace_output_lost(struct trace_output *output, const char *what);
/* What those do that write times: history_read of a source that has them all. */
struct history_takers;
struct history *trace_output_history(struct program_source *source, const struct history_takers *takers,
                                     struct program_error *error);
/* All of a source; false: error. */
bool trace_convert(struct program_source *source, struct trace_output *output, struct program_error *error);

extern const struct trace_output_kind chrome_output, dimemas_output, goal_output, otf2_output, own_trace_output,
    paraver_output, time_independent_output;
#endif
