/* What messages cost, found from measured times: LogGP's figures by segments of sizes, as equations (3a) and (3b) of
 * the POEMS paper (IEEE TSE 26(11), figure 4.1) add them up. Numbers only. */
#ifndef PSL_MESSAGES_H
#define PSL_MESSAGES_H
#include "grammar/arena.h"

struct message_time {              /* of a size, in s */
  double bytes, median, low, high; /* low to high: the 95 % interval of the median */
  uint32_t samples;
};
struct message_test { /* one kind of measurement, by size */
  const char *name;
  struct message_time *times;
  uint32_t count;
};

struct message_figure {
  double value, half; /* half the width of its 95 % interval; NaN: not known */
};
struct message_segment {
  double begin;                     /* bytes */
  const struct message_time *times; /* halves of round trips */
  uint32_t sizes;
  bool announced;                      /* by a request: a rendezvous */
  struct message_figure total, gap;    /* half a round trip is total + gap x bytes */
  struct message_figure send, receive; /* overheads as measured; NaN: they were not */
  struct message_figure overhead, latency;
  double off; /* by which part of it a time is off the fit at most */
};
struct message_figures {
  struct message_segment *segments;
  uint32_t count;
  double handshake; /* bytes from which on messages are announced; infinite: none were */
  struct message_figure g;
  bool guessed; /* the handshake: where round trips grow most at once, since nothing says where it begins */
  bool solved;  /* L and o are from round trips alone */
  bool clipped; /* a figure would have been negative, and is 0 */
};

/* Sorts the samples (in s, of one size) and makes a time of them. */
struct message_time message_time_of(double bytes, double *samples, uint32_t count);
/* Round trips, by size, and what else was measured (NULL: not): sends and receives as overheads, messages that follow
 * each other; handshake as in the figures, NaN: not known. From MESSAGE_SIZES_LEAST to _MOST sizes: finding segments
 * takes the cube of them. */
enum { MESSAGE_SIZES_LEAST = 3, MESSAGE_SIZES_MOST = 1000 };
struct message_figures message_figures_of(struct arena *arena, const struct message_test *round_trips,
                                          const struct message_test *sends, const struct message_test *receives,
                                          const struct message_test *gaps, double handshake);
#endif
