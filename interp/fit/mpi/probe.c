/* What messages take, measured: a program of MPI that `psl measure messages` runs by a launcher. Ranks 0 and 1 pass
 * messages, by size, and rank 0 prints a line a sample: psl-probe,TEST,BYTES,SECONDS. All ranks take part in collective
 * operations. The samples of a test go round all sizes again and again, so that a disturbance meets no size alone.
 * What the tests mean is in psl-measure(1). */
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define LARGEST (4 << 20) /* bytes of a message */
#define SAMPLE 20e-6      /* s that a sample takes at least */
enum {
  MOST = 200,     /* messages of a sample */
  MOST_ALONE = 8, /* of one that has each wait for its time */
  WINDOW = 32,    /* messages that follow each other */
  SIZES = 80,
  PATIENCE = 1000 /* tests of a send that does not end */
};
enum tag { TAG_DATA, TAG_TOKEN };

static int rank, ranks, repetitions;
static char *from, *to;   /* buffers */
static double clock_cost; /* s that an interval between two looks at the clock holds of these */

static void say(const char *test, double bytes, double seconds) {
  if (rank == 0) printf("psl-probe,%s,%.0f,%.9g\n", test, bytes, seconds < 0 ? 0 : seconds);
}

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double since(double begin) { return MPI_Wtime() - begin; }

static void find_clock_cost(void) {
  double costs[1001];
  for (int k = 0; k < 1001; k++)
    costs[k] = since(MPI_Wtime());
  qsort(costs, 1001, sizeof *costs, by_value);
  clock_cost = costs[500];
}

/* ---- tests of two ranks: s a message, as rank 0 sees it ---- */

static void send(const void *data, int size, enum tag tag) {
  MPI_Send(data, size, MPI_BYTE, 1 - rank, tag, MPI_COMM_WORLD);
}
static void receive(void *data, int size, enum tag tag) {
  MPI_Recv(data, size, MPI_BYTE, 1 - rank, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static double round_trip(int size, int count) {
  double begin = MPI_Wtime();
  for (int k = 0; k < count; k++) {
    if (rank == 0) send(from, size, TAG_DATA);
    receive(to, size, TAG_DATA);
    if (rank == 1) send(from, size, TAG_DATA);
  }
  return (since(begin) - clock_cost) / count;
}

static double exchange(int size, int count) {
  double begin = MPI_Wtime();
  for (int k = 0; k < count; k++)
    MPI_Sendrecv(from, size, MPI_BYTE, 1 - rank, TAG_DATA, to, size, MPI_BYTE, 1 - rank, TAG_DATA, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
  return (since(begin) - clock_cost) / count;
}

/* A send whose receive is posted. */
static double sending(int size, int count) {
  double sum = 0;
  for (int k = 0; k < count; k++) {
    if (rank == 0) {
      receive(NULL, 0, TAG_TOKEN);
      double begin = MPI_Wtime();
      send(from, size, TAG_DATA);
      sum += since(begin) - clock_cost;
    } else {
      MPI_Request request;
      MPI_Irecv(to, size, MPI_BYTE, 0, TAG_DATA, MPI_COMM_WORLD, &request);
      send(NULL, 0, TAG_TOKEN);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
  }
  return sum / count;
}

/* Does nothing for that long. A clock that stands still while it is looked at is a simulated one. */
static void pause_for(double seconds) {
  double begin = MPI_Wtime(), past;
  for (int looks = 0; (past = since(begin)) < seconds; looks++)
    if (looks == 100 && past == 0) {
      double whole = (double)(time_t)seconds;
      nanosleep(&(struct timespec){(time_t)seconds, (long)((seconds - whole) * 1e9)}, NULL);
      return;
    }
}

static double there_after; /* s after which a message of the size in hand has come for sure */

/* A receive whose message is there. */
static double receiving(int size, int count) {
  double sum = 0;
  for (int k = 0; k < count; k++) {
    if (rank == 0) {
      send(NULL, 0, TAG_TOKEN);
      pause_for(there_after);
      double begin = MPI_Wtime();
      receive(to, size, TAG_DATA);
      sum += since(begin) - clock_cost;
    } else {
      receive(NULL, 0, TAG_TOKEN);
      send(from, size, TAG_DATA);
    }
  }
  return sum / count;
}

static double series(int size, int length) {
  double begin = MPI_Wtime();
  for (int k = 0; k < length; k++)
    if (rank == 0)
      send(from, size, TAG_DATA);
    else
      receive(to, size, TAG_DATA);
  if (rank == 0)
    receive(NULL, 0, TAG_TOKEN);
  else
    send(NULL, 0, TAG_TOKEN);
  return since(begin);
}

/* What each further message of a series takes. */
static double following(int size, int count) {
  double sum = 0;
  for (int k = 0; k < count; k++)
    sum += series(size, 3 * WINDOW) - series(size, WINDOW);
  return sum / count / (2 * WINDOW);
}

/* ---- where rendezvous begins ---- */

/* Does a send end before its receive is called? The receiver waits for a message behind it first. */
static bool is_eager(int size) {
  MPI_Request request;
  int done = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    MPI_Isend(from, size, MPI_BYTE, 1, TAG_DATA, MPI_COMM_WORLD, &request);
    for (int k = 0; k < PATIENCE && !done; k++)
      MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    send(NULL, 0, TAG_TOKEN);
    if (!done) MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else if (rank == 1) {
    receive(NULL, 0, TAG_TOKEN);
    receive(to, size, TAG_DATA);
  }
  MPI_Bcast(&done, 1, MPI_INT, 0, MPI_COMM_WORLD);
  return done;
}

/* The least size that is not eager; more than any: there is none. */
static double find_rendezvous(void) {
  int eager = 0, not_eager = LARGEST;
  if (is_eager(LARGEST)) return 1e18;
  if (!is_eager(0)) return 0;
  while (not_eager - eager > 1) {
    int middle = eager + (not_eager - eager) / 2;
    if (is_eager(middle))
      eager = middle;
    else
      not_eager = middle;
  }
  return not_eager;
}

/* ---- collective operations: s of the rank that takes longest ---- */

enum operation { BARRIER, BCAST, REDUCE, ALLREDUCE, REDUCE_SCATTER, SCAN, GATHER, SCATTER, ALLGATHER, ALLTOALL };
static const char *const operation_names[] = {"barrier", "bcast",  "reduce",  "allreduce", "reduce-scatter",
                                              "scan",    "gather", "scatter", "allgather", "alltoall"};
enum { OPERATIONS = sizeof operation_names / sizeof *operation_names };
static enum operation operation;

static void operate(int size) {
  MPI_Comm all = MPI_COMM_WORLD;
  int floats = size / (int)sizeof(float);
  switch (operation) {
  case BARRIER: MPI_Barrier(all); break;
  case BCAST: MPI_Bcast(from, size, MPI_BYTE, 0, all); break;
  case REDUCE: MPI_Reduce(from, to, floats, MPI_FLOAT, MPI_SUM, 0, all); break;
  case ALLREDUCE: MPI_Allreduce(from, to, floats, MPI_FLOAT, MPI_SUM, all); break;
  case REDUCE_SCATTER: MPI_Reduce_scatter_block(from, to, floats / ranks, MPI_FLOAT, MPI_SUM, all); break;
  case SCAN: MPI_Scan(from, to, floats, MPI_FLOAT, MPI_SUM, all); break;
  case GATHER: MPI_Gather(from, size, MPI_BYTE, to, size, MPI_BYTE, 0, all); break;
  case SCATTER: MPI_Scatter(from, size, MPI_BYTE, to, size, MPI_BYTE, 0, all); break;
  case ALLGATHER: MPI_Allgather(from, size, MPI_BYTE, to, size, MPI_BYTE, all); break;
  case ALLTOALL: MPI_Alltoall(from, size, MPI_BYTE, to, size, MPI_BYTE, all); break;
  }
}

static double collective(int size, int count) {
  double longest = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  double begin = MPI_Wtime();
  for (int k = 0; k < count; k++)
    operate(size);
  double own = (since(begin) - clock_cost) / count;
  MPI_Reduce(&own, &longest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  return longest;
}

/* ---- samples ---- */

typedef double test(int size, int count);
struct sizes {
  int items[SIZES], count;
};

static double sample(test *measure, int size, int count) {
  if (rank < 2 || measure == collective) return measure(size, count);
  return 0;
}

/* So many messages that a sample takes its time; all ranks agree. */
static int count_for(test *measure, int size, int most) {
  int count = 1;
  sample(measure, size, 1);
  double one = sample(measure, size, 1);
  if (rank == 0 && one < SAMPLE) count = one > SAMPLE / most ? (int)(SAMPLE / one) + 1 : most;
  MPI_Bcast(&count, 1, MPI_INT, 0, MPI_COMM_WORLD);
  return count;
}

/* One message goes ahead of each sample: it brings data and code into the caches. */
static void run(const char *name, test *measure, const struct sizes *sizes, int most) {
  int counts[SIZES];
  for (int s = 0; s < sizes->count; s++)
    counts[s] = count_for(measure, sizes->items[s], most);
  for (int k = 0; k < repetitions; k++) {
    for (int s = 0; s < sizes->count; s++) {
      sample(measure, sizes->items[s], 1);
      say(name, sizes->items[s], sample(measure, sizes->items[s], counts[s]));
    }
    fflush(stdout); /* between samples: who waits sees how far it has come */
  }
}

static void add(struct sizes *sizes, int size) {
  if (size < LARGEST + 1 && sizes->count < SIZES) sizes->items[sizes->count++] = size;
}

/* Powers of two, which thresholds mostly are, what is just below, and what is between them. */
static struct sizes sizes_of_messages(void) {
  struct sizes sizes = {{0}, 1};
  for (int size = 8; size <= LARGEST; size *= 2) {
    if (size >= 32) add(&sizes, size - 8);
    add(&sizes, size);
    if (size >= 32 && size < LARGEST) add(&sizes, size + size / 2);
  }
  return sizes;
}

static struct sizes below(const struct sizes *sizes, double end) {
  struct sizes some = {{0}, 0};
  for (int s = 0; s < sizes->count; s++)
    if (sizes->items[s] < end && sizes->items[s] <= LARGEST / 8) add(&some, sizes->items[s]);
  return some;
}

static struct sizes sizes_of_collectives(void) {
  struct sizes sizes = {{0}, 0};
  for (int size = 8; size <= LARGEST / ranks; size *= 8)
    add(&sizes, size);
  return sizes;
}

static void run_collective(const struct sizes *sizes) {
  struct sizes none = {{0}, 1};
  for (int k = 0; k < OPERATIONS; k++) {
    operation = (enum operation)k;
    run(operation_names[k], collective, operation == BARRIER ? &none : sizes, MOST);
  }
}

static void say_where(void) {
  char name[MPI_MAX_PROCESSOR_NAME] = "", other[MPI_MAX_PROCESSOR_NAME] = "", library[MPI_MAX_LIBRARY_VERSION_STRING];
  int length;
  MPI_Get_processor_name(name, &length);
  MPI_Get_library_version(library, &length);
  library[strcspn(library, "\n")] = '\0';
  if (strchr(library, '\t')) *strchr(library, '\t') = ' ';
  if (rank == 1) MPI_Send(name, sizeof name, MPI_CHAR, 0, TAG_DATA, MPI_COMM_WORLD);
  if (rank == 0 && ranks > 1) MPI_Recv(other, sizeof other, MPI_CHAR, 1, TAG_DATA, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank == 0)
    printf("psl-probe,ranks,0,%d\npsl-probe,host,0,%s\npsl-probe,other-host,0,%s\npsl-probe,library,0,%s\n", ranks,
           name, other, library);
}

static void run_all(void) {
  struct sizes sizes = sizes_of_messages();
  double rendezvous = find_rendezvous();
  struct sizes eager = below(&sizes, rendezvous), collective_sizes = sizes_of_collectives();
  say("rendezvous", rendezvous, 0);
  say("samples", 0,
      repetitions * (2.0 * sizes.count + 3.0 * eager.count + (OPERATIONS - 1.0) * collective_sizes.count + 1));
  run("round-trip", round_trip, &sizes, MOST);
  if (rank < 2) there_after = 1e-6 + 5 * round_trip(eager.count ? eager.items[eager.count - 1] : 0, 1);
  run("exchange", exchange, &sizes, MOST);
  run("send", sending, &eager, MOST);
  run("receive", receiving, &eager, MOST_ALONE);
  run("gap", following, &eager, 1);
  run_collective(&collective_sizes);
}

int main(int count, char **words) {
  MPI_Init(&count, &words);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  repetitions = count > 1 ? atoi(words[1]) : 1;
  from = malloc(LARGEST);
  to = malloc(LARGEST);
  if (!from || !to) MPI_Abort(MPI_COMM_WORLD, 1);
  memset(from, 0, LARGEST);
  memset(to, 0, LARGEST);
  say_where();
  find_clock_cost();
  if (ranks > 1) run_all();
  if (rank == 0) printf("psl-probe,end,0,0\n");
  MPI_Finalize();
}
