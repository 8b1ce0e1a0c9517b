/* What the time of a program's ranks was spent for, and what its messages were, gathered from its history. Spans that
 * are alike, bursts between the same two calls, calls from one place with as many bytes, are samples of one key: how
 * they spread says what a difference means. */
#ifndef PSL_PROFILE_H
#define PSL_PROFILE_H
#include "evaluators/programs/history.h"

struct profile_key {
  uint32_t rank, region, communicator;
  int32_t peer;
  enum spent spent;
  enum program_kind kind;
  uint64_t place;
  double bytes;
};

enum { SAMPLE_BATCHES = 32 };
/* Times in the order in which they came. Neighbours may be alike, so their mean is known as well as means of batches
 * say, not as single ones do. */
struct samples {
  uint64_t count;
  double mean, square; /* square: sum of squared deviations from the mean */
  double minimum, maximum;
  double sums[SAMPLE_BATCHES]; /* of full batches */
  uint32_t batches;
  uint64_t size, inside; /* of a batch; so far in the one in hand, */
  double sum;            /* which this is the sum of */
};

struct profile_row {
  struct profile_key key;
  struct samples seconds;
};

struct profile_kind { /* of operations */
  uint64_t count;
  double bytes; /* that it sends, or gives to all members of its communicator together, itself among them */
  double seconds;
};

struct profile_pair { /* messages from one rank to another */
  uint32_t from, to;
  uint64_t count;
  double bytes;
};

enum { SIZE_CLASSES = 64 }; /* of messages: none; up to 1 byte, 2, 4, 8, ... */
struct profile_size {
  uint64_t count;
  double bytes;
  uint64_t awaited; /* of these so many were waited for from their beginning on, */
  double seconds;   /* and took so long, all together */
};

struct profile_counter { /* of the processor */
  char *name;
  uint64_t bursts;       /* in so many it has counted, */
  double count, seconds; /* so much, which took so long, */
  double in_calls;       /* and so much in calls */
  double *by_rank;       /* in bursts */
};

struct profile {
  struct history *history; /* names of regions */
  uint32_t ranks;
  double end;          /* s: the greatest clock, */
  uint32_t last;       /* which is that rank's */
  uint64_t operations; /* of all kinds */
  struct profile_kind kinds[PROGRAM_KINDS];
  double *computed; /* s, by rank: as the program says, whatever it took */
  struct profile_row *rows;
  size_t row_count, row_capacity;
  struct profile_pair *pairs;
  size_t pair_count, pair_capacity;
  struct profile_size sizes[SIZE_CLASSES];
  uint64_t messages;
  double message_bytes;
  struct { /* of messages that were waited for from their beginning on */
    double count, x, y, xx, xy;
  } line;        /* bytes and seconds */
  double *spent; /* s, by rank and kind */
  struct profile_counter *counters;
  uint32_t counter_count, counter_capacity;
  uint32_t cut;               /* ranks whose operations end too soon */
  struct program_error first; /* of these, why, with its place */
  uint32_t *row_table, *pair_table;
  const struct history_takers *also;
  bool failed;
};

/* What stands in the buffer of which a rank sends; of a broadcast and of what is scattered that is the root's alone. */
double profile_given(const struct program_operation *o, uint32_t rank);
/* `also`: who wants to know, too, critical paths among it; NULL: nobody. False with the error. */
bool profile_make(struct program_source *source, struct profile *profile, const struct history_takers *also,
                  struct program_error *error);
void profile_free(struct profile *profile);
double samples_deviation(const struct samples *samples); /* of a sample; 0 of fewer than two */
/* The variance of the mean, and what it is known from; NaN of fewer than two. */
double samples_variance_of_mean(const struct samples *samples, double *freedom);
/* What a message takes, by a line through what its bytes take: false where there are not two sizes. */
bool profile_line(const struct profile *profile, double *fixed, double *per_byte);
#endif
