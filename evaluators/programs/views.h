/* What pages show of a program's history: the time of its ranks by what it was spent for and where, what was under way
 * at each time, and how often two figures came together. It takes memory that does not grow with the trace: time is
 * divided into at most VIEW_COLUMNS columns, whose width doubles as time goes beyond them. */
#ifndef PSL_VIEWS_H
#define PSL_VIEWS_H
#include "evaluators/programs/profile.h"

enum {
  VIEW_COLUMNS = 512,
  VIEW_ROWS = 64,   /* of ranks: more of them share rows */
  VIEW_PLACES = 24, /* the last one: all that came when there were so many */
  COUNTERS_SHOWN = 4,
  VIEW_STEPS = 256,  /* of an axis; of ranks rows */
  VIEW_QUARTERS = 4, /* of bytes: steps for each power of two */
  VIEW_TENTHS = 10   /* of others: steps for each power of ten */
};

struct view_place { /* a region without those inside, or outside of regions a kind of operation */
  uint32_t region;  /* from 1; 0: none */
  enum program_kind kind;
  double seconds;
};

/* Figures of which two come together. */
enum view_axis { VIEW_RANK, VIEW_SECONDS, VIEW_BYTES, VIEW_BANDWIDTH, VIEW_RATE, VIEW_TO };
enum view_histogram_kind {
  VIEW_BURSTS,     /* length of a burst, rank: seconds */
  VIEW_SIZES,      /* size of a message, bandwidth: messages */
  VIEW_BANDWIDTHS, /* length of the burst before a message was sent, bandwidth: messages */
  VIEW_RATES,      /* length of a burst, flops or instructions a second: seconds */
  VIEW_PAIRS,      /* receiver, sender: bytes */
  VIEW_COUNTERS, /* for each of some of the processor's counters: length of a burst, what it counts a second: seconds */
  VIEW_HISTOGRAMS = VIEW_COUNTERS + COUNTERS_SHOWN
};
struct view_histogram {
  enum view_axis x, y;
  double whole;                          /* of all cells */
  double cells[VIEW_STEPS * VIEW_STEPS]; /* by y, then x */
};

struct views {
  struct profile profile;
  uint32_t rows, every;   /* each row is of so many ranks, the last one of what is left */
  double width;           /* s: of a column */
  bool begun;             /* something stands in the columns */
  double *spent, *places; /* s: by row, column, and enum spent or place */
  struct view_place place[VIEW_PLACES];
  uint32_t place_count;
  double flight[VIEW_COLUMNS];    /* byte s: messages between their send and their receipt */
  double carried[VIEW_COLUMNS];   /* bytes: those of a message spread over that time */
  double together[VIEW_COLUMNS];  /* bytes: what ranks send from in a collective operation spread over the call */
  bool collective;                /* there are such calls */
  char *counters[COUNTERS_SHOWN]; /* names */
  struct view_histogram histograms[VIEW_HISTOGRAMS];
};

/* NULL with the error. */
struct views *views_make(struct program_source *source, struct program_error *error);
void views_free(struct views *views);              /* NULL is fine */
uint32_t views_columns(const struct views *views); /* to the end */
static inline uint32_t view_ranks(const struct views *v, uint32_t row) {
  uint32_t left = v->profile.ranks - row * v->every;
  return left < v->every ? left : v->every;
}
/* Where the step of an axis begins, and steps of ranks are numbers of rows. */
uint32_t view_cycle(enum view_axis axis); /* steps from one round figure to the next */
double view_step(enum view_axis axis, uint32_t step);
#endif
