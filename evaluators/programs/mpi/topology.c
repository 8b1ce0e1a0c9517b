/* Topologies: grids and graphs of ranks. Ranks keep their order. */
#include "evaluators/programs/mpi/rank.h"
#include <stdlib.h>

static int *copy(const int *from, int count) {
  int *to = malloc((size_t)(count > 0 ? count : 1) * sizeof *to);
  if (count > 0) memcpy(to, from, (size_t)count * sizeof *to);
  return to;
}

void topology_free(struct topology *t) {
  if (!t) return;
  free(t->extents), free(t->periods), free(t->index), free(t->edges);
  free(t->in), free(t->out), free(t->in_weights), free(t->out_weights);
  free(t);
}

struct topology *topology_copy(const struct topology *t) {
  struct topology *made = malloc(sizeof *made);
  *made = *t;
  bool graph = t->kind == MPI_GRAPH, cart = t->kind == MPI_CART;
  made->extents = copy(t->extents, cart ? t->dimensions : 0);
  made->periods = copy(t->periods, cart ? t->dimensions : 0);
  made->index = copy(t->index, graph ? t->dimensions : 0);
  made->edges = copy(t->edges, graph && t->dimensions ? t->index[t->dimensions - 1] : 0);
  made->in = copy(t->in, t->in_count);
  made->out = copy(t->out, t->out_count);
  made->in_weights = copy(t->in_weights, t->in_weights ? t->in_count : 0);
  made->out_weights = copy(t->out_weights, t->out_weights ? t->out_count : 0);
  return made;
}

/* 0, or the class of the error that the program is told of. */
static int topology_of(MPI_Comm comm, int kind, const struct topology **out) {
  COMMUNICATOR(c, comm);
  *out = c->topology;
  if (c->topology && c->topology->kind == kind) return MPI_SUCCESS;
  return fail(comm, MPI_ERR_TOPOLOGY, "%s: the communicator has no such topology", call_name());
}

/* Of a call, which gives that error. */
#define TOPOLOGY(t, comm, kind)                  \
  const struct topology *t;                      \
  int no_topology = topology_of(comm, kind, &t); \
  if (no_topology) return no_topology

struct neighbors neighbors_of(const struct communicator *c) {
  const struct topology *t = c->topology;
  return (struct neighbors){t->in, t->out, t->in_count, t->out_count};
}

API(Topo_test) int MPI_Topo_test(MPI_Comm comm, int *kind) {
  LOCAL_CALL;
  COMMUNICATOR(c, comm);
  const struct topology *t = c->topology;
  *kind = t ? t->kind : MPI_UNDEFINED;
  return MPI_SUCCESS;
}

static int count_check(const struct communicator *c, int64_t count) {
  if (count >= 0 && count <= local_size(c)) return MPI_SUCCESS;
  return fail(c->handle, MPI_ERR_ARG, "%s: a topology of %ld ranks in a communicator of %u", call_name(), (long)count,
              local_size(c));
}

/* A communicator of the first `count` ranks; the others get none. */
static struct communicator *first_ranks(struct communicator *c, int count, MPI_Comm *new) {
  *new = communicator_split(c, (int)c->rank < count ? 0 : MPI_UNDEFINED, 0);
  return *new == MPI_COMM_NULL ? NULL : communicator_of(*new);
}

/* ---- grids ---- */

static int cart_rank(const struct topology *t, const int *place) {
  int rank = 0;
  for (int d = 0; d < t->dimensions; d++) {
    int k = place[d], extent = t->extents[d];
    if (t->periods[d]) k = (k % extent + extent) % extent;
    if (k < 0 || k >= extent) return MPI_PROC_NULL;
    rank = rank * extent + k;
  }
  return rank;
}

static void cart_place(const struct topology *t, int rank, int *place) {
  for (int d = t->dimensions; d-- > 0; rank /= t->extents[d])
    place[d] = rank % t->extents[d];
}

static void cart_neighbors(struct topology *t, int rank) {
  int *place = copy(NULL, 0);
  place = realloc(place, (size_t)(t->dimensions + 1) * sizeof *place);
  t->in_count = t->out_count = 2 * t->dimensions;
  t->in = malloc((size_t)(t->in_count + 1) * sizeof *t->in);
  for (int k = 0; k < t->in_count; k++) {
    cart_place(t, rank, place);
    place[k / 2] += k % 2 ? 1 : -1;
    t->in[k] = cart_rank(t, place);
  }
  t->out = copy(t->in, t->in_count);
  free(place);
}

static void cart_set(struct communicator *c, int dimensions, const int *extents, const int *periods) {
  c->topology = calloc(1, sizeof *c->topology);
  *c->topology = (struct topology){.kind = MPI_CART,
                                   .dimensions = dimensions,
                                   .extents = copy(extents, dimensions),
                                   .periods = copy(periods, dimensions)};
  cart_neighbors(c->topology, (int)c->rank);
}

API(Cart_create)
int MPI_Cart_create(MPI_Comm comm, int dimensions, const int extents[], const int periods[], int reorder,
                    MPI_Comm *new) {
  CALL;
  COUNTS(MPI_ERR_ARG, dimensions);
  COMMUNICATOR(old, comm);
  (void)reorder;
  int64_t count = 1;
  for (int d = 0; d < dimensions && count <= local_size(old); d++)
    count *= extents[d];
  int wrong = count_check(old, count);
  if (wrong) return wrong;
  struct communicator *c = first_ranks(old, (int)count, new);
  if (c) cart_set(c, dimensions, extents, periods);
  return MPI_SUCCESS;
}

API(Cartdim_get) int MPI_Cartdim_get(MPI_Comm comm, int *dimensions) {
  LOCAL_CALL;
  TOPOLOGY(t, comm, MPI_CART);
  *dimensions = t->dimensions;
  return MPI_SUCCESS;
}

API(Cart_get) int MPI_Cart_get(MPI_Comm comm, int most, int extents[], int periods[], int place[]) {
  LOCAL_CALL;
  COMMUNICATOR(c, comm);
  TOPOLOGY(t, comm, MPI_CART);
  int *own = malloc((size_t)(t->dimensions + 1) * sizeof *own);
  cart_place(t, (int)c->rank, own);
  for (int d = 0; d < most && d < t->dimensions; d++) {
    extents[d] = t->extents[d];
    periods[d] = t->periods[d];
    place[d] = own[d];
  }
  free(own);
  return MPI_SUCCESS;
}

API(Cart_rank) int MPI_Cart_rank(MPI_Comm comm, const int place[], int *rank) {
  LOCAL_CALL;
  TOPOLOGY(t, comm, MPI_CART);
  *rank = cart_rank(t, place);
  if (*rank == MPI_PROC_NULL) return fail(comm, MPI_ERR_ARG, "MPI_Cart_rank: a place outside of the grid");
  return MPI_SUCCESS;
}

API(Cart_coords) int MPI_Cart_coords(MPI_Comm comm, int rank, int most, int place[]) {
  LOCAL_CALL;
  TOPOLOGY(t, comm, MPI_CART);
  int64_t ranks = 1;
  for (int d = 0; d < t->dimensions; d++)
    ranks *= t->extents[d];
  if (rank < 0 || rank >= ranks)
    return fail(comm, MPI_ERR_RANK, "%s: a grid of %ld ranks has no rank %d", call_name(), (long)ranks, rank);
  if (most < t->dimensions)
    return fail(comm, MPI_ERR_ARG, "%s: room for %d of %d dimensions", call_name(), most, t->dimensions);
  int *own = malloc((size_t)(t->dimensions + 1) * sizeof *own);
  cart_place(t, rank, own);
  for (int d = 0; d < most && d < t->dimensions; d++)
    place[d] = own[d];
  free(own);
  return MPI_SUCCESS;
}

API(Cart_shift) int MPI_Cart_shift(MPI_Comm comm, int direction, int by, int *source, int *destination) {
  LOCAL_CALL;
  COMMUNICATOR(c, comm);
  TOPOLOGY(t, comm, MPI_CART);
  if (direction < 0 || direction >= t->dimensions)
    return fail(comm, MPI_ERR_ARG, "MPI_Cart_shift: a grid of %d dimensions has no dimension %d", t->dimensions,
                direction);
  int *place = malloc((size_t)(t->dimensions + 1) * sizeof *place), rank = (int)c->rank;
  cart_place(t, rank, place);
  place[direction] += by;
  *destination = cart_rank(t, place);
  cart_place(t, rank, place);
  place[direction] -= by;
  *source = cart_rank(t, place);
  free(place);
  return MPI_SUCCESS;
}

API(Cart_sub) int MPI_Cart_sub(MPI_Comm comm, const int remains[], MPI_Comm *new) {
  CALL;
  COMMUNICATOR(c, comm);
  TOPOLOGY(t, comm, MPI_CART);
  int *place = malloc((size_t)(t->dimensions + 1) * sizeof *place), color = 0, key = 0, kept = 0;
  int *extents = copy(t->extents, t->dimensions), *periods = copy(t->periods, t->dimensions);
  cart_place(t, (int)c->rank, place);
  for (int d = 0; d < t->dimensions; d++) {
    *(remains[d] ? &key : &color) = (remains[d] ? key : color) * t->extents[d] + place[d];
    if (!remains[d]) continue;
    extents[kept] = t->extents[d];
    periods[kept++] = t->periods[d];
  }
  *new = communicator_split(c, color, key);
  cart_set(communicator_of(*new), kept, extents, periods);
  free(place), free(extents), free(periods);
  return MPI_SUCCESS;
}

API(Cart_map) int MPI_Cart_map(MPI_Comm comm, int dimensions, const int extents[], const int periods[], int *rank) {
  LOCAL_CALL;
  COMMUNICATOR(c, comm);
  (void)periods;
  int count = 1;
  for (int d = 0; d < dimensions; d++)
    count *= extents[d];
  *rank = (int)c->rank;
  if (*rank >= count) *rank = MPI_UNDEFINED;
  return MPI_SUCCESS;
}

/* The greatest number whose `count`-th power is at most n. */
static int root(int n, int count) {
  int low = 1, high = n;
  while (low < high) {
    int middle = low + (high - low + 1) / 2;
    int64_t power = 1;
    for (int k = 0; k < count && power <= n; k++)
      power *= middle;
    if (power <= n)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

struct balance { /* a search of extents, of which the least stands first */
  int count, *extents, *best, spread;
};

/* Extents from `place` on, none below `low`, whose product is n: `best` are those of the least difference of the
 * greatest and the least. */
static void balance_from(struct balance *b, int place, int low, int n) {
  int left = b->count - place;
  if (left == 1) {
    b->extents[place] = n;
    if (n < low || n - b->extents[0] >= b->spread) return;
    b->spread = n - b->extents[0];
    memcpy(b->best, b->extents, (size_t)b->count * sizeof *b->best);
    return;
  }
  for (int extent = root(n, left); extent >= low; extent--) {
    if (n % extent) continue;
    b->extents[place] = extent;
    if (root(n / extent, left - 1) - b->extents[0] >= b->spread) return; /* the greatest is this at least */
    balance_from(b, place + 1, extent, n / extent);
  }
}

/* As close to each other as they can be, the greatest first. */
API(Dims_create) int MPI_Dims_create(int count, int dimensions, int extents[]) {
  LOCAL_CALL;
  COUNTS(MPI_ERR_ARG, count);
  COUNTS(MPI_ERR_ARG, dimensions);
  int left = count, open = 0;
  for (int d = 0; d < dimensions; d++) {
    if (extents[d] < 0 || (extents[d] > 0 && left % extents[d]))
      return fail(MPI_COMM_WORLD, MPI_ERR_DIMS, "MPI_Dims_create: %d ranks do not divide into rows of %d", count,
                  extents[d]);
    if (extents[d] > 0)
      left /= extents[d];
    else
      open++;
  }
  if (count < 1) return fail(MPI_COMM_WORLD, MPI_ERR_DIMS, "MPI_Dims_create: a grid of %d ranks", count);
  if (!open) return MPI_SUCCESS;
  int *found = malloc(2 * (size_t)open * sizeof *found);
  struct balance balance = {.count = open, .extents = found, .best = found + open, .spread = INT32_MAX};
  balance_from(&balance, 0, 1, left);
  for (int d = 0, k = open; d < dimensions; d++)
    if (!extents[d]) extents[d] = balance.best[--k];
  free(found);
  return MPI_SUCCESS;
}

/* ---- graphs ---- */

API(Graph_create)
int MPI_Graph_create(MPI_Comm comm, int count, const int index[], const int edges[], int reorder, MPI_Comm *new) {
  CALL;
  COMMUNICATOR(old, comm);
  (void)reorder;
  int wrong = count_check(old, count);
  if (wrong) return wrong;
  struct communicator *c = first_ranks(old, count, new);
  if (!c) return MPI_SUCCESS;
  int from = c->rank ? index[c->rank - 1] : 0, own = index[c->rank] - from;
  c->topology = calloc(1, sizeof *c->topology);
  *c->topology = (struct topology){.kind = MPI_GRAPH,
                                   .dimensions = count,
                                   .index = copy(index, count),
                                   .edges = copy(edges, count ? index[count - 1] : 0),
                                   .in_count = own,
                                   .out_count = own,
                                   .in = copy(edges + from, own),
                                   .out = copy(edges + from, own)};
  return MPI_SUCCESS;
}

API(Graphdims_get) int MPI_Graphdims_get(MPI_Comm comm, int *nodes, int *edges) {
  LOCAL_CALL;
  TOPOLOGY(t, comm, MPI_GRAPH);
  *nodes = t->dimensions;
  *edges = t->dimensions ? t->index[t->dimensions - 1] : 0;
  return MPI_SUCCESS;
}

API(Graph_get) int MPI_Graph_get(MPI_Comm comm, int most_nodes, int most_edges, int index[], int edges[]) {
  LOCAL_CALL;
  TOPOLOGY(t, comm, MPI_GRAPH);
  for (int k = 0; k < most_nodes && k < t->dimensions; k++)
    index[k] = t->index[k];
  for (int k = 0; k < most_edges && t->dimensions && k < t->index[t->dimensions - 1]; k++)
    edges[k] = t->edges[k];
  return MPI_SUCCESS;
}

API(Graph_neighbors_count) int MPI_Graph_neighbors_count(MPI_Comm comm, int rank, int *count) {
  LOCAL_CALL;
  TOPOLOGY(t, comm, MPI_GRAPH);
  if (rank < 0 || rank >= t->dimensions)
    return fail(comm, MPI_ERR_RANK, "%s: a graph of %d ranks has no rank %d", call_name(), t->dimensions, rank);
  *count = t->index[rank] - (rank ? t->index[rank - 1] : 0);
  return MPI_SUCCESS;
}

API(Graph_neighbors) int MPI_Graph_neighbors(MPI_Comm comm, int rank, int most, int neighbors[]) {
  LOCAL_CALL;
  TOPOLOGY(t, comm, MPI_GRAPH);
  if (rank < 0 || rank >= t->dimensions)
    return fail(comm, MPI_ERR_RANK, "%s: a graph of %d ranks has no rank %d", call_name(), t->dimensions, rank);
  for (int k = rank ? t->index[rank - 1] : 0, used = 0; k < t->index[rank] && used < most; k++)
    neighbors[used++] = t->edges[k];
  return MPI_SUCCESS;
}

API(Graph_map) int MPI_Graph_map(MPI_Comm comm, int count, const int index[], const int edges[], int *rank) {
  LOCAL_CALL;
  COMMUNICATOR(c, comm);
  (void)index, (void)edges;
  *rank = (int)c->rank;
  if (*rank >= count) *rank = MPI_UNDEFINED;
  return MPI_SUCCESS;
}

static bool is_weighted(const int *weights) { return weights != MPI_UNWEIGHTED; }

static int *copy_weights(bool weighted, const int *weights, int count) {
  return weighted && weights != MPI_WEIGHTS_EMPTY ? copy(weights, count) : NULL;
}

API(Dist_graph_create_adjacent)
int MPI_Dist_graph_create_adjacent(MPI_Comm comm, int in_count, const int in[], const int in_weights[], int out_count,
                                   const int out[], const int out_weights[], MPI_Info info, int reorder,
                                   MPI_Comm *new) {
  CALL;
  COUNTS(MPI_ERR_ARG, in_count);
  COUNTS(MPI_ERR_ARG, out_count);
  COMMUNICATOR(old, comm);
  (void)info, (void)reorder;
  struct communicator *c = first_ranks(old, (int)local_size(old), new);
  bool weighted = is_weighted(in_weights) && is_weighted(out_weights);
  c->topology = calloc(1, sizeof *c->topology);
  *c->topology = (struct topology){.kind = MPI_DIST_GRAPH,
                                   .in_count = in_count,
                                   .out_count = out_count,
                                   .in = copy(in, in_count),
                                   .out = copy(out, out_count),
                                   .weighted = weighted,
                                   .in_weights = copy_weights(weighted, in_weights, in_count),
                                   .out_weights = copy_weights(weighted, out_weights, out_count)};
  return MPI_SUCCESS;
}

static void edge_add(int **ranks, int **weights, int *count, int rank, int weight) {
  *ranks = realloc(*ranks, (size_t)(*count + 1) * sizeof **ranks);
  *weights = realloc(*weights, (size_t)(*count + 1) * sizeof **weights);
  (*ranks)[*count] = rank;
  (*weights)[(*count)++] = weight;
}

/* Each rank names edges of any ranks: all tell each other theirs, as a list of source, destination, weight. */
API(Dist_graph_create)
int MPI_Dist_graph_create(MPI_Comm comm, int count, const int sources[], const int degrees[], const int destinations[],
                          const int weights[], MPI_Info info, int reorder, MPI_Comm *new) {
  CALL;
  COUNTS(MPI_ERR_ARG, count);
  COMMUNICATOR(old, comm);
  (void)info, (void)reorder;
  struct communicator *c = first_ranks(old, (int)local_size(old), new);
  struct topology *t = c->topology = calloc(1, sizeof *t);
  t->kind = MPI_DIST_GRAPH;
  t->weighted = is_weighted(weights);
  int edges = 0, (*list)[3];
  for (int k = 0; k < count; k++)
    edges += degrees[k];
  list = malloc((size_t)(edges + 1) * sizeof *list);
  for (int k = 0, used = 0; k < count; k++)
    for (int d = 0; d < degrees[k]; d++, used++)
      memcpy(list[used],
             (int[]){sources[k], destinations[used], t->weighted && weights != MPI_WEIGHTS_EMPTY ? weights[used] : 0},
             sizeof *list);
  struct collective *shared = agree_begin(c, list, (size_t)edges * sizeof *list);
  for (uint32_t r = 0; r < local_size(c); r++) {
    const int(*of)[3] = shared->parts[r].data;
    for (size_t k = 0; k < shared->parts[r].bytes / sizeof *of; k++) {
      if (of[k][0] == (int)c->rank) edge_add(&t->out, &t->out_weights, &t->out_count, of[k][1], of[k][2]);
      if (of[k][1] == (int)c->rank) edge_add(&t->in, &t->in_weights, &t->in_count, of[k][0], of[k][2]);
    }
  }
  collective_leave(c, shared);
  free(list);
  return MPI_SUCCESS;
}

API(Dist_graph_neighbors_count) int MPI_Dist_graph_neighbors_count(MPI_Comm comm, int *in, int *out, int *weighted) {
  LOCAL_CALL;
  TOPOLOGY(t, comm, MPI_DIST_GRAPH);
  *in = t->in_count;
  *out = t->out_count;
  *weighted = t->weighted;
  return MPI_SUCCESS;
}

API(Dist_graph_neighbors)
int MPI_Dist_graph_neighbors(MPI_Comm comm, int most_in, int in[], int in_weights[], int most_out, int out[],
                             int out_weights[]) {
  LOCAL_CALL;
  TOPOLOGY(t, comm, MPI_DIST_GRAPH);
  for (int k = 0; k < most_in && k < t->in_count; k++) {
    in[k] = t->in[k];
    if (t->in_weights && is_weighted(in_weights)) in_weights[k] = t->in_weights[k];
  }
  for (int k = 0; k < most_out && k < t->out_count; k++) {
    out[k] = t->out[k];
    if (t->out_weights && is_weighted(out_weights)) out_weights[k] = t->out_weights[k];
  }
  return MPI_SUCCESS;
}
