/* Plays programs that pass messages under a real MPI, and tells what each receive got: tests/fuzz/mpi writes the
 * programs (`script` in tests/lib/MessagePassing.pm) and reads the answers.
 *
 *   mpirun -n N player PROGRAMS OUTPUT    rank R writes OUTPUT.R
 * */
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST = 1 << 18, REQUESTS = 64, BUFFERED = 1 << 24, RANKS = 16 };

struct player {
  MPI_Comm comm;
  int world_rank, rank, program;
  FILE *out;
  MPI_Request requests[REQUESTS];
  char *buffers[REQUESTS];
  bool receives[REQUESTS];
  char in[LARGEST], data[LARGEST], all[RANKS * LARGEST];
};

static void must(bool fine, const char *what) {
  if (fine) return;
  fprintf(stderr, "player: %s\n", what);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static char *word(void) {
  char *text = strtok(NULL, " \n");
  must(text, "a line is too short");
  return text;
}
static int number(void) { return atoi(word()); }
static int wildcard(int any) {
  int value = number();
  return value < 0 ? any : value;
}

/* The first bytes of a message are its number, where it has room. */
static void tell(const struct player *p, const char *buffer, const MPI_Status *status) {
  int size, id;
  MPI_Get_count(status, MPI_BYTE, &size);
  fprintf(p->out, "%d %d: %d %d %d ", p->program, p->rank, status->MPI_SOURCE, status->MPI_TAG, size);
  if (buffer && size >= (int)sizeof id)
    fprintf(p->out, "%d\n", *(const int *)memcpy(&id, buffer, sizeof id));
  else
    fprintf(p->out, "-\n");
}

static char *buffer_new(size_t size) {
  char *buffer = calloc(1, size);
  must(buffer, "no memory");
  return buffer;
}

static void play_send(struct player *p, char what) { /* send, isend, sendrecv */
  int to = number(), size = number();
  char mode = word()[1]; /* of standard, synchronous, buffered */
  int id = number(), from = what == 'x' ? wildcard(MPI_ANY_SOURCE) : 0, tag = number();
  char *data = buffer_new((size_t)size + sizeof id);
  memcpy(data, &id, sizeof id);
  if (what == 'x') {
    MPI_Status status;
    MPI_Sendrecv(data, size, MPI_BYTE, to, tag, p->in, LARGEST, MPI_BYTE, from, tag, p->comm, &status);
    tell(p, p->in, &status);
  } else if (what == 'i') {
    int request = number();
    p->buffers[request] = data;
    p->receives[request] = false;
    (mode == 'u'   ? MPI_Ibsend
     : mode == 'y' ? MPI_Issend
                   : MPI_Isend)(data, size, MPI_BYTE, to, tag, p->comm, &p->requests[request]);
    return;
  } else {
    (mode == 'u' ? MPI_Bsend : mode == 'y' ? MPI_Ssend : MPI_Send)(data, size, MPI_BYTE, to, tag, p->comm);
  }
  free(data);
}

static void play_receive(struct player *p, char what) { /* recv, irecv, probe */
  int from = wildcard(MPI_ANY_SOURCE), tag = wildcard(MPI_ANY_TAG);
  MPI_Status status;
  if (what == 'i') {
    int request = number();
    p->buffers[request] = buffer_new(LARGEST);
    p->receives[request] = true;
    MPI_Irecv(p->buffers[request], LARGEST, MPI_BYTE, from, tag, p->comm, &p->requests[request]);
    return;
  }
  if (what == 'p')
    MPI_Probe(from, tag, p->comm, &status);
  else
    MPI_Recv(p->in, LARGEST, MPI_BYTE, from, tag, p->comm, &status);
  tell(p, what == 'p' ? NULL : p->in, &status);
}

static void play_wait(struct player *p, int count) {
  int place[REQUESTS];
  MPI_Request requests[REQUESTS];
  MPI_Status status[REQUESTS];
  must(count <= REQUESTS, "too many requests");
  for (int k = 0; k < count; k++)
    requests[k] = p->requests[place[k] = number()];
  MPI_Waitall(count, requests, status);
  for (int k = 0; k < count; k++) {
    if (p->receives[place[k]]) tell(p, p->buffers[place[k]], &status[k]);
    free(p->buffers[place[k]]);
  }
}

static void play_collective(struct player *p, const char *what) {
  if (strcmp(what, "barrier") == 0) {
    MPI_Barrier(p->comm);
    return;
  }
  int size = number();
  if (strcmp(what, "allreduce") == 0)
    MPI_Allreduce(p->data, p->all, size, MPI_BYTE, MPI_BOR, p->comm);
  else if (strcmp(what, "allgather") == 0)
    MPI_Allgather(p->data, size, MPI_BYTE, p->all, size, MPI_BYTE, p->comm);
  else if (strcmp(what, "alltoall") == 0)
    MPI_Alltoall(p->all, size, MPI_BYTE, p->all + RANKS / 2 * LARGEST, size, MPI_BYTE, p->comm);
  else if (strcmp(what, "scan") == 0)
    MPI_Scan(p->data, p->all, size, MPI_BYTE, MPI_BOR, p->comm);
  else if (strcmp(what, "exscan") == 0)
    MPI_Exscan(p->data, p->all, size, MPI_BYTE, MPI_BOR, p->comm);
  else if (strcmp(what, "reduce_scatter_block") == 0)
    MPI_Reduce_scatter_block(p->all + RANKS / 2 * LARGEST, p->all, size, MPI_BYTE, MPI_BOR, p->comm);
  else if (strcmp(what, "bcast") == 0)
    MPI_Bcast(p->data, size, MPI_BYTE, number(), p->comm);
  else if (strcmp(what, "reduce") == 0)
    MPI_Reduce(p->data, p->all, size, MPI_BYTE, MPI_BOR, number(), p->comm);
  else if (strcmp(what, "gather") == 0)
    MPI_Gather(p->data, size, MPI_BYTE, p->all, size, MPI_BYTE, number(), p->comm);
  else if (strcmp(what, "scatter") == 0)
    MPI_Scatter(p->all, size, MPI_BYTE, p->data, size, MPI_BYTE, number(), p->comm);
  else
    must(false, "an unknown operation");
}

static void play(struct player *p, const char *what) {
  if (strcmp(what, "sendrecv") == 0)
    play_send(p, 'x');
  else if (strcmp(what, "send") == 0 || strcmp(what, "isend") == 0)
    play_send(p, *what);
  else if (strcmp(what, "recv") == 0 || strcmp(what, "irecv") == 0 || strcmp(what, "probe") == 0)
    play_receive(p, *what);
  else if (strcmp(what, "wait") == 0)
    play_wait(p, 1);
  else if (strcmp(what, "waitall") == 0)
    play_wait(p, number());
  else
    play_collective(p, what);
}

/* "program RANKS", lines "RANK OPERATION …", "end": all ranks read all of it. */
static void play_all(struct player *p, FILE *programs) {
  char line[4096];
  while (fgets(line, sizeof line, programs)) {
    char *first = strtok(line, " \n");
    if (!first) continue;
    if (strcmp(first, "program") == 0) {
      p->program++;
      MPI_Comm_split(MPI_COMM_WORLD, p->world_rank < number() ? 0 : MPI_UNDEFINED, p->world_rank, &p->comm);
    } else if (strcmp(first, "end") == 0) {
      if (p->comm != MPI_COMM_NULL) MPI_Comm_free(&p->comm);
    } else if (atoi(first) == p->world_rank) {
      play(p, word());
    }
  }
}

int main(int argc, char **argv) {
  static struct player player;
  static char buffered[BUFFERED];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &player.world_rank);
  player.rank = player.world_rank;
  must(argc == 3, "two files are wanted");
  char name[4096];
  snprintf(name, sizeof name, "%s.%d", argv[2], player.rank);
  FILE *programs = fopen(argv[1], "r");
  player.out = fopen(name, "w");
  must(programs && player.out, "a file cannot be opened");
  MPI_Buffer_attach(buffered, BUFFERED);
  play_all(&player, programs);
  fclose(programs);
  fclose(player.out);
  void *detached;
  int size;
  MPI_Buffer_detach(&detached, &size);
  MPI_Finalize();
  return 0;
}
