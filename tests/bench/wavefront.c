/* The wavefront as a hand-written loop that knows nothing else: what a simulation of it could cost at best.
 *
 * The pattern of tests/bench/wavefront.psl: on PX x PY ranks 8 sweeps of 52 blocks; for each block a
 * rank receives from upstream in I and in J, computes, sends downstream in I and in J. Times by LogGP,
 * eager. The operations of a rank are generated, then executed one by one under the rank's clock; a
 * message's arrival stands in the channel it came by. Ranks are taken in the order of the sweep, so that
 * no message is waited for.
 *
 *   wavefront PX PY   prints events, wall-clock seconds, predicted seconds */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { BLOCKS = 52, BYTES = 2880 };
enum kind { RECEIVE, COMPUTE, SEND };

struct operation {
  enum kind kind;
  int channel;  /* RECEIVE, SEND */
  double value; /* COMPUTE: s; SEND: bytes */
};

static const double L = 23e-6, o = 47e-6, G = 0.07e-6, WORK = 1.05e-6 * 30 * 12 * 12;

/* One sweep of rank (i, j) in directions (di, dj): what it does, in order. Channels: 0 in I, 1 in J. */
static int generate(struct operation *out, int i, int j, int px, int py, int di, int dj) {
  int count = 0;
  for (int b = 0; b < BLOCKS; b++) {
    if (i - di >= 0 && i - di < px) out[count++] = (struct operation){RECEIVE, 0, 0};
    if (j - dj >= 0 && j - dj < py) out[count++] = (struct operation){RECEIVE, 1, 0};
    out[count++] = (struct operation){COMPUTE, 0, WORK};
    if (i + di >= 0 && i + di < px) out[count++] = (struct operation){SEND, 0, BYTES};
    if (j + dj >= 0 && j + dj < py) out[count++] = (struct operation){SEND, 1, BYTES};
  }
  return count;
}

/* Arrivals on a channel, in the order sent: BLOCKS of them a sweep. */
struct channel {
  double arrival[BLOCKS];
};

static double execute(const struct operation *operations, int count, double clock, struct channel *in[2],
                      struct channel *out[2]) {
  int received[2] = {0, 0}, sent[2] = {0, 0};
  for (int k = 0; k < count; k++) {
    const struct operation *op = &operations[k];
    int c = op->channel;
    switch (op->kind) {
    case RECEIVE: {
      double arrival = in[c]->arrival[received[c]++];
      clock = (arrival > clock ? arrival : clock) + o;
      break;
    }
    case COMPUTE: clock += op->value; break;
    case SEND:
      clock += o;
      out[c]->arrival[sent[c]++] = clock + op->value * G + L;
      break;
    }
  }
  return clock;
}

int main(int argc, char **argv) {
  int px = argc > 2 ? atoi(argv[1]) : 32, py = argc > 2 ? atoi(argv[2]) : 32;
  if (px < 1 || py < 1) return 2;
  size_t ranks = (size_t)px * (size_t)py;
  double *clock = calloc(ranks, sizeof *clock);
  /* What goes along I is read by the next row, what goes along J by the next rank: a row and one. */
  struct channel *along_i = calloc((size_t)py * 2, sizeof *along_i), along_j[2];
  if (!clock || !along_i) return 1;
  unsigned long long events = 0;
  struct timespec begin, end;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  for (int sweep = 0; sweep < 8; sweep++) {
    int di = sweep < 4 ? -1 : 1, dj = sweep % 4 < 2 ? -1 : 1;
    for (int a = 0; a < px; a++) {
      int i = di > 0 ? a : px - 1 - a;
      for (int b = 0; b < py; b++) {
        int j = dj > 0 ? b : py - 1 - b;
        struct operation operations[BLOCKS * 5];
        int count = generate(operations, i, j, px, py, di, dj);
        struct channel *in[2] = {&along_i[j * 2 + (a + 1) % 2], &along_j[(b + 1) % 2]};
        struct channel *out[2] = {&along_i[j * 2 + a % 2], &along_j[b % 2]};
        size_t rank = (size_t)i * (size_t)py + (size_t)j;
        clock[rank] = execute(operations, count, clock[rank], in, out);
        events += (unsigned)count;
      }
    }
  }
  clock_gettime(CLOCK_MONOTONIC, &end);
  double latest = 0;
  for (size_t r = 0; r < ranks; r++)
    latest = clock[r] > latest ? clock[r] : latest;
  printf("%llu %.6f %.9f\n", events, (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) * 1e-9,
         latest);
  free(clock);
  free(along_i);
  return 0;
}
