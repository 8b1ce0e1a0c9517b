/* The disk of disk.psl as one would write it by hand: who waits stands in an array, of which the nearest is searched,
 * and nothing else happens, since whoever is served comes again at once.
 *
 *   disk ACCESSES CLIENTS   prints the accesses, seconds of processor time and the mean response */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { SECTORS = 72, TRACKS = 19, BLOCK = 16, PLACES = 160000 };
static const double turn = 60.0 / 4002;

struct request {
  long client, count, sector, cylinder, order;
  double since;
};

static struct request request_of(long client, long count, double now, long order) {
  long sector = (client * 7919 + count * 104729) % PLACES * BLOCK;
  return (struct request){client, count, sector, sector / (SECTORS * TRACKS), order, now};
}

static long place_of(long sector) { return sector + sector / SECTORS * 8 + sector / (SECTORS * TRACKS) * 10; }

static double seek(long way) {
  return way == 0 ? 0 : way < 383 ? 3.24e-3 + 0.4e-3 * sqrt((double)way) : 8e-3 + 8e-6 * (double)way;
}

static double served(const struct request *r, long arm, double now) {
  now += 2.2e-3 + seek(labs(r->cylinder - arm));
  double part = (double)place_of(r->sector) / SECTORS - now / turn;
  part -= floor(part);
  if (part > 1 - 1e-9) part = 0;
  return now + part * turn + (double)(place_of(r->sector + BLOCK - 1) + 1 - place_of(r->sector)) * turn / SECTORS;
}

static long nearest(const struct request *line, long count, long arm) {
  long best = 0;
  for (long i = 1; i < count; i++) {
    long own = labs(line[i].cylinder - arm), least = labs(line[best].cylinder - arm);
    if (own < least || (own == least && line[i].order < line[best].order)) best = i;
  }
  return best;
}

int main(int argc, char **argv) {
  long accesses = argc > 1 ? atol(argv[1]) : 100000, clients = argc > 2 ? atol(argv[2]) : 10, order = 0, arm = 0;
  long count = 0, done = 0;
  struct request *line = malloc((size_t)(clients + 1) * sizeof *line);
  double now = 0, sum = 0;
  if (!line) return 1;
  for (long c = 0; c < clients; c++)
    line[count++] = request_of(c, 1, 0, order++);
  long next = 0; /* the first has the arm at once */
  while (count) {
    struct request r = line[next];
    line[next] = line[--count];
    now = served(&r, arm, now);
    arm = (r.sector + BLOCK - 1) / (SECTORS * TRACKS);
    sum += now - r.since;
    done++;
    next = count ? nearest(line, count, arm) : 0; /* before the client comes again */
    if (r.count < accesses) line[count++] = request_of(r.client, r.count + 1, now, order++);
  }
  printf("%ld %.6f %.17g\n", done, (double)clock() / CLOCKS_PER_SEC, sum / (double)done);
  free(line);
  return 0;
}
