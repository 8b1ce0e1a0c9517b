/* The way of one customer: what its bodies come to. Between way.c, times.c and extract.c. */
#ifndef PSL_WAY_H
#define PSL_WAY_H
#include "interp/queueing/queueing.h"

struct times {           /* of independent times, one after another */
  double mean, variance; /* s, s^2 */
  uint32_t count;        /* of those that take any time */
  bool exponential;      /* the last one of these is */
  /* of one expression: */
  const struct object *drawn; /* what it is drawn from: one that may give less than 0 s, if any does; NULL: nothing */
  double factor;              /* by which that is taken */
  bool several, low;          /* it is drawn from several; one of these gives less than 0 s */
};

struct use { /* what a class does at a station */
  uint32_t station;
  double visits, mean, square; /* a cycle; sums over visits of the mean time and of its mean square */
  double one;                  /* the mean time of the first visit: others are longer or shorter … */
  bool exponential;            /* … and then they are not exponential together */
  double priority;
};

struct way {
  struct times away; /* at no station */
  struct use *uses;  /* in the order of the first visits */
  uint32_t use_count, use_capacity;
  uint32_t *order; /* the stations of the cycle one after another, as far as each cycle has the same, once each */
  uint32_t order_count, order_capacity;
  bool varies;          /* not every cycle has them so */
  bool closed;          /* it leads back to its beginning */
  bool calls;           /* a call was made */
  struct start *starts; /* a loop that starts customers behind it: a source */
  uint32_t start_count, start_capacity;
};

struct start { /* of a customer */
  const struct model_accept *accept;
  uint32_t instance;
  const struct value *arguments; /* by parameter of the accept's transaction */
  double number;                 /* of tokens: that the system sends, or a source in a cycle */
  struct span span;              /* of the request */
};

struct extractor {
  struct graph *graph;
  struct model *model;
  struct arena *arena;  /* of what is extracted */
  struct arena scratch; /* of the way in hand */
  struct arena lasting; /* of what starts the ways */
  struct arena said;    /* of what is not said */
  const struct network_options *options;
  struct environment environment;
  const struct stay *stay; /* that `caller` and `target` mean */
  struct network_station *stations;
  uint32_t station_count, station_capacity;
  uint32_t **station_of; /* by accept id, by place of the instance: 1 + station; NULL: none yet */
  struct way way;        /* in hand */
  struct start begin;    /* of it */
  uint32_t depth;
  uint64_t steps; /* of the way in hand */
  struct below {  /* who is known to hold for less than 0 s by chance */
    const struct stmt *stmt;
    const struct model_component *component;
    const struct below *next;
  } * below;
};

/* A body that the customer is in. */
enum role { ROLE_CUSTOMER, ROLE_STATION, ROLE_DELAY };
struct stay {
  const struct model_accept *accept;
  uint32_t instance;
  const struct stay *caller;
  const struct model_accept *target; /* whose attributes `target` means */
  uint32_t target_instance;
  const int64_t *indices;
  struct value *locals;
  bool no_priority; /* whoever comes leaves out the parameter that is it */
  enum role role;
  double visits; /* times a cycle */
  double chance; /* of the branches that are open */
  bool once;     /* each cycle comes here, once, but for the branches that are open */
  struct times held;
  bool returned;
};

/* Says why the network cannot be taken; always false. */
bool way_refuse(struct extractor *x, struct span span, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Walks the way that begins there, into x->way; the scratch arena keeps its values. */
bool way_walk(struct extractor *x, const struct start *begin);
/* Are the arguments of two tokens the same, by parameter of the accept's transaction (NULL: none is given)? */
bool way_same_arguments(const struct model_accept *accept, const struct value *a, const struct value *b);
/* The servers of an accept at an instance; infinity: unlimited, or none said of one that is called. */
bool way_servers(struct extractor *x, const struct model_accept *accept, uint32_t instance, double *servers);
/* The rates by the number there, of an accept that has some: a list of numbers. */
bool way_rates(struct extractor *x, const struct model_accept *accept, uint32_t instance, struct value *list);
/* The environment for expressions of a body. */
struct environment *way_environment(struct extractor *x, const struct stay *stay, struct value *locals);
/* Targets, arguments and visits of a request of a body (or of the system: accept NULL). */
struct aim {
  struct target *targets;
  uint32_t count;
  const struct value **arguments; /* by target and by parameter of its transaction */
  double visits, delay;
};
bool way_aim(struct extractor *x, struct stay *stay, const struct model_request *request, struct value *locals,
             struct aim *out);

/* The moments of a time that is held, of a distribution or a number. times.c */
bool times_of(struct extractor *x, struct environment *environment, const struct expr *expr, struct times *out);
struct times times_add(struct times a, struct times b);
/* The chance that a time of one expression is below 0 s. */
double times_below(const struct times *times);
/* A time that is one of several, by chance. */
struct mixture {
  struct times one; /* the first */
  uint32_t count;
  double mean, square;
  bool alike; /* all are exponential, of one mean */
};
void mixture_add(struct mixture *mixture, double chance, struct times one);
struct times mixture_times(const struct mixture *mixture);
/* Is it made of a distribution, and would be drawn where a value of the type is wanted? */
bool expr_is_drawn(const struct expr *expr, const struct type *type);
/* Does it read the clock or a var? */
bool expr_is_stateful(const struct expr *expr);
#endif
