/* MOL, a program of the method of lines on a grid that adapts itself: fronts of
 *
 *     u_t + V u_x = D (u_xx + u_yy) + K u (1 - u) (u - A)
 *
 * start in pairs at `seeds` places, run apart, meet those of the next places and vanish. The strip is cut along x
 * into leaves of a binary tree, each of COLUMNS columns of `ny` points, so that a leaf of a higher level is narrower
 * and its points are closer; leaves near fronts have the highest level, and levels of neighbours differ by 1 at most.
 * All ranks know the tree. Each has a part of its leaves that follow each other; fewer ranks are at work where there
 * are fewer than LEAST leaves for each. Points are advanced by the method of Runge and Kutta of fourth order, and
 * every STEPS_BETWEEN steps the tree is made anew: then leaves move.
 *
 *   mol [ROOTS [SEEDS [NY [STEPS [WOBBLE [UNIFORM]]]]]]
 *
 * ROOTS: leaves of level 0. WOBBLE: by how much fronts are bent at first. UNIFORM: 1 for the highest level
 * everywhere. Prints how the grid has changed, and how far the points are off the travelling waves, which are known
 * as long as fronts are straight and have not met. */
#include <math.h>
#include <mpi.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 8, LEVELS = 3, LEAST = 2, STEPS_BETWEEN = 10, GHOSTS = 2, TO_FINER = 3 };
static const double width = 0.25, height = 0.5; /* of cells of the highest level */
static const double V = 0.1, D = 1, K = 2, A = 0.1, begin_radius = 8, steep = 0.02;
static const double step_time = 0.02;

struct leaf {
  int level, unit, owner; /* unit: where it begins, in widths of a leaf of the highest level */
};
struct mesh {
  int count, active; /* leaves, ranks that have some */
  struct leaf *leaf;
};

static int roots = 16, seeds = 2, ny = 16, steps = 200, uniform;
static double wobble;
static int rank, ranks, units;
static struct mesh mesh;
static int first, end;                /* the leaves of this rank */
static double *now, *stage, *sum;     /* of these, COLUMNS + 2 GHOSTS columns each */
static double *out[2], *in[2], *edge; /* columns that cross the border of the rank: left, right; and within it */

static size_t columns(int count) { return (size_t)count * (size_t)ny; }
static size_t leaf_points(void) { return columns(COLUMNS + 2 * GHOSTS); }
static double *points(double *of, int i) { return of + (size_t)(i - first) * leaf_points() + columns(GHOSTS); }
static int leaf_units(int level) { return 1 << (LEVELS - level); }
static double cell_width(int level) { return width * leaf_units(level); }
static int smaller(int a, int b) { return a < b ? a : b; }
static int larger(int a, int b) { return a > b ? a : b; }

static void *room(size_t bytes) {
  void *got = calloc(bytes ? bytes : 1, 1);
  if (!got) MPI_Abort(MPI_COMM_WORLD, 1);
  return got;
}

/* ---- the waves ---- */

/* Where a front is that runs to the right or left of a seed. */
static double front(int seed, int side, double time, double bent) {
  double centre = (seed + 0.5) * units * COLUMNS * width / seeds, speed = sqrt(2 * K * D) * (0.5 - A);
  return centre + V * time + side * (begin_radius + bent + speed * time);
}

/* A seed's two fronts, which do not know of each other: exact but for exp(-2 begin_radius). */
static double wave(double x, double time, double bent) {
  double u = 0, slope = sqrt(K / (2 * D));
  for (int seed = 0; seed < seeds; seed++)
    u += 1 /
         ((1 + exp(slope * (x - front(seed, 1, time, bent)))) * (1 + exp(slope * (front(seed, -1, time, bent) - x))));
  return u;
}

/* ---- the tree ---- */

/* How far around a leaf, in units, no front is where it is not split: so levels of neighbours differ by 1. */
static int margin(int level) { return level == LEVELS - 1 ? 1 : leaf_units(level) / 2 + margin(level + 1); }

/* marked: units before this one where a front is, by unit. */
static int level_at(int unit, const int *marked) {
  int level = 0;
  for (; level < LEVELS; level++) {
    int size = leaf_units(level), begin = unit / size * size;
    int from = larger(0, begin - margin(level)), to = smaller(units, begin + size + margin(level));
    if (marked[to] == marked[from]) break;
  }
  return level;
}

static struct mesh make_mesh(const unsigned char *flags) {
  struct mesh made = {0, 0, room((size_t)units * sizeof *made.leaf)};
  int *marked = room((size_t)(units + 1) * sizeof *marked);
  for (int unit = 0; unit < units; unit++)
    marked[unit + 1] = marked[unit] + (flags[unit] || uniform);
  for (int unit = 0; unit < units; unit += leaf_units(made.leaf[made.count - 1].level))
    made.leaf[made.count++] = (struct leaf){level_at(unit, marked), unit, 0};
  made.active = larger(1, smaller(ranks, made.count / LEAST));
  for (int i = 0; i < made.count; i++)
    made.leaf[i].owner = (int)((long)i * made.active / made.count);
  free(marked);
  return made;
}

static void take_mesh(struct mesh made) {
  free(mesh.leaf);
  mesh = made;
  for (first = 0; first < mesh.count && mesh.leaf[first].owner < rank; first++) {
  }
  for (end = first; end < mesh.count && mesh.leaf[end].owner == rank; end++) {
  }
  free(stage);
  free(sum);
  stage = room((size_t)(end - first) * leaf_points() * sizeof *stage);
  sum = room((size_t)(end - first) * leaf_points() * sizeof *sum);
}

static double cell_x(const struct leaf *leaf, int column) {
  return leaf->unit * COLUMNS * width + (column + 0.5) * cell_width(leaf->level);
}

/* ---- edges ---- */

/* How many columns a leaf gives to a neighbour. */
static int given(const struct leaf *from, const struct leaf *to) { return to->level > from->level ? TO_FINER : GHOSTS; }

/* The columns next to that side, the next one first; to a neighbour whose cells are twice as wide the means of two. */
static void give(int i, int side, const struct leaf *to, double *into) {
  const struct leaf *leaf = &mesh.leaf[i];
  const double *u = points(stage, i);
  int wider = to->level < leaf->level;
  for (int k = 0; k < given(leaf, to); k++)
    for (int y = 0; y < ny; y++) {
      int column = wider ? 2 * k : k;
      const double *at = u + columns(side ? COLUMNS - 1 - column : column) + y;
      into[columns(k) + (size_t)y] = wider ? (at[0] + at[side ? -ny : ny]) / 2 : at[0];
    }
}

/* Through the own column next to the side, half a width away, and three that are twice as wide, where a ghost is. */
static double between(double own, const double *wide, double x) {
  static const double at[] = {-0.5, 1, 3, 5};
  double sum_of = 0;
  for (int k = 0; k < 4; k++) {
    double part = k ? wide[columns(k - 1)] : own;
    for (int m = 0; m < 4; m++)
      if (m != k) part *= (x - at[m]) / (at[k] - at[m]);
    sum_of += part;
  }
  return sum_of;
}

static void take(int i, int side, const struct leaf *source, const double *from) {
  double *u = points(stage, i), *next = side ? u + columns(COLUMNS - 1) : u;
  for (int k = 0; k < GHOSTS; k++)
    for (int y = 0; y < ny; y++) {
      double *ghost = next + (side ? 1 : -1) * (ptrdiff_t)columns(k + 1) + y;
      *ghost = source->level < mesh.leaf[i].level ? between(next[y], from + y, 0.5 + k) : from[columns(k) + (size_t)y];
    }
}

/* Nothing flows through the ends of the strip: there the columns are mirrored. */
static void mirror(int i, int side) {
  give(i, side, &mesh.leaf[i], edge);
  take(i, side, &mesh.leaf[i], edge);
}

static void exchange(void) {
  MPI_Request requests[4];
  int count = 0, beside[2] = {first - 1, end};
  for (int side = 0; side < 2; side++) {
    int mine = side ? end - 1 : first;
    if (beside[side] < 0 || beside[side] >= mesh.count) continue;
    const struct leaf *own = &mesh.leaf[mine], *other = &mesh.leaf[beside[side]];
    MPI_Irecv(in[side], (int)columns(given(other, own)), MPI_DOUBLE, other->owner, 1, MPI_COMM_WORLD,
              &requests[count++]);
    give(mine, side, other, out[side]);
    MPI_Isend(out[side], (int)columns(given(own, other)), MPI_DOUBLE, other->owner, 1, MPI_COMM_WORLD,
              &requests[count++]);
  }
  for (int i = first; i + 1 < end; i++) {
    give(i, 1, &mesh.leaf[i + 1], edge);
    take(i + 1, 0, &mesh.leaf[i], edge);
    give(i + 1, 0, &mesh.leaf[i], edge);
    take(i, 1, &mesh.leaf[i + 1], edge);
  }
  if (first == 0) mirror(0, 0);
  if (end == mesh.count) mirror(end - 1, 1);
  MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
  for (int side = 0; side < 2; side++)
    if (beside[side] >= 0 && beside[side] < mesh.count)
      take(side ? end - 1 : first, side, &mesh.leaf[beside[side]], in[side]);
}

/* ---- a step ---- */

static double change(const double *u, double h, int before, int after) {
  const double *l1 = u - ny, *l2 = l1 - ny, *r1 = u + ny, *r2 = r1 + ny;
  double xx = (16 * (*l1 + *r1) - *l2 - *r2 - 30 * *u) / (12 * h * h);
  double x = (*l2 - *r2 + 8 * (*r1 - *l1)) / (12 * h);
  double yy = (u[before] + u[after] - 2 * *u) / (height * height);
  return D * (xx + yy) - V * x + K * *u * (1 - *u) * (*u - A);
}

/* sum += weight x what changes in the stage, of which the next one is `part` steps behind now. */
static void advance(double weight, double part) {
  double *next = room(columns(COLUMNS) * sizeof *next);
  for (int i = first; i < end; i++) {
    double *u = points(stage, i), *base = points(now, i), *all = points(sum, i), h = cell_width(mesh.leaf[i].level);
    for (int column = 0; column < COLUMNS; column++)
      for (int y = 0; y < ny; y++) {
        size_t at = columns(column) + (size_t)y;
        double more = step_time * change(u + at, h, y ? -1 : ny - 1, y + 1 < ny ? 1 : 1 - ny);
        all[at] += weight * more;
        next[at] = base[at] + part * more;
      }
    memcpy(u, next, columns(COLUMNS) * sizeof *u);
  }
  free(next);
}

static void step(void) {
  size_t bytes = (size_t)(end - first) * leaf_points() * sizeof *now;
  if (first == end) return;
  memcpy(stage, now, bytes);
  memcpy(sum, now, bytes);
  for (int k = 0; k < 4; k++) {
    exchange();
    advance(k == 0 || k == 3 ? 1.0 / 6 : 1.0 / 3, k < 2 ? 0.5 : 1);
  }
  memcpy(now, sum, bytes);
}

/* ---- another tree ---- */

static void mark(unsigned char *flags) {
  for (int i = first; i < end; i++)
    for (int column = 0; column < COLUMNS; column++)
      for (int y = 0; y < ny; y++) {
        double u = points(now, i)[columns(column) + (size_t)y];
        if (u * (1 - u) > steep) flags[(int)(cell_x(&mesh.leaf[i], column) / (COLUMNS * width))] = 1;
      }
}

static int meet(const struct leaf *a, const struct leaf *b) {
  return a->unit < b->unit + leaf_units(b->level) && b->unit < a->unit + leaf_units(a->level);
}

/* Does a rank of the new tree need a leaf of the old one? */
static int needs(const struct mesh *made, int who, const struct leaf *old) {
  for (int j = 0; j < made->count; j++)
    if (made->leaf[j].owner == who && meet(&made->leaf[j], old)) return 1;
  return 0;
}

/* A cell of a new leaf, of the points of an old one there: the same, their mean, or with their slope. */
static double moved(const struct leaf *leaf, int column, const struct leaf *old, const double *u, int y) {
  double x = cell_x(leaf, column), h = cell_width(old->level), from = old->unit * COLUMNS * width;
  int at = (int)((x - from) / h), wide = old->level > leaf->level ? 1 << (old->level - leaf->level) : 1;
  double all = 0;
  if (wide > 1) at = (int)((x - cell_width(leaf->level) / 2 - from) / h + 0.5);
  for (int k = 0; k < wide; k++)
    all += u[columns(at + k) + (size_t)y];
  if (old->level >= leaf->level) return all / wide;
  int left = larger(at - 1, 0), right = smaller(at + 1, COLUMNS - 1);
  double slope = (u[columns(right) + (size_t)y] - u[columns(left) + (size_t)y]) / ((right - left) * h);
  return all + slope * (x - cell_x(old, at));
}

/* Leaves that another rank needs, or that this one needs of another: all of one rank in one message. */
static int send_leaves(const struct mesh *made, int to, double *buffer) {
  int count = 0;
  for (int i = first; i < end; i++)
    if (needs(made, to, &mesh.leaf[i]))
      memcpy(buffer + columns(COLUMNS * count++), points(now, i), columns(COLUMNS) * sizeof *now);
  return count;
}

static int take_leaves(const struct mesh *made, int from, double *buffer, double **there) {
  int count = 0;
  for (int i = 0; i < mesh.count; i++)
    if (mesh.leaf[i].owner == from && needs(made, rank, &mesh.leaf[i])) there[i] = buffer + columns(COLUMNS * count++);
  return count;
}

static double *fill(const struct mesh *made, double *const *there) {
  int begin = 0, count = 0;
  while (begin < made->count && made->leaf[begin].owner < rank)
    begin++;
  while (begin + count < made->count && made->leaf[begin + count].owner == rank)
    count++;
  double *made_points = room((size_t)count * leaf_points() * sizeof *made_points);
  for (int j = 0; j < count; j++)
    for (int column = 0; column < COLUMNS; column++) {
      const struct leaf *leaf = &made->leaf[begin + j];
      int unit = (int)(cell_x(leaf, column) / (COLUMNS * width)), i = 0;
      while (i + 1 < mesh.count && mesh.leaf[i + 1].unit <= unit)
        i++;
      for (int y = 0; y < ny; y++)
        made_points[(size_t)j * leaf_points() + columns(GHOSTS + column) + (size_t)y] =
            moved(leaf, column, &mesh.leaf[i], there[i], y);
    }
  return made_points;
}

static int adapt(void) {
  unsigned char *own = room((size_t)units), *flags = room((size_t)units);
  mark(own);
  MPI_Allreduce(own, flags, units, MPI_UNSIGNED_CHAR, MPI_MAX, MPI_COMM_WORLD);
  struct mesh made = make_mesh(flags);
  double **there = room((size_t)mesh.count * sizeof *there);
  double **buffers = room(2 * (size_t)ranks * sizeof *buffers);
  MPI_Request *requests = room(2 * (size_t)ranks * sizeof *requests);
  int count = 0, came = 0;
  size_t most = columns(COLUMNS * mesh.count) * sizeof **buffers;
  for (int i = first; i < end; i++)
    there[i] = points(now, i);
  for (int other = 0; other < larger(mesh.active, made.active); other++) {
    if (other == rank) continue;
    double *buffer = buffers[2 * other] = room(most);
    int leaves = take_leaves(&made, other, buffer, there);
    came += leaves;
    if (leaves)
      MPI_Irecv(buffer, (int)columns(COLUMNS * leaves), MPI_DOUBLE, other, 2, MPI_COMM_WORLD, &requests[count++]);
    buffer = buffers[2 * other + 1] = room(most);
    leaves = send_leaves(&made, other, buffer);
    if (leaves)
      MPI_Isend(buffer, (int)columns(COLUMNS * leaves), MPI_DOUBLE, other, 2, MPI_COMM_WORLD, &requests[count++]);
  }
  MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
  double *filled = fill(&made, there);
  free(now);
  now = filled;
  take_mesh(made);
  for (int k = 0; k < 2 * ranks; k++)
    free(buffers[k]);
  free(buffers);
  free(requests);
  free(there);
  free(own);
  free(flags);
  return came;
}

/* ---- the beginning and the end ---- */

static double bent_at(int y) { return wobble * cos(2 * acos(-1) * (y + 0.5) / ny); }

static void begin(void) {
  unsigned char *flags = room((size_t)units);
  for (int column = 0; column < units * COLUMNS; column++)
    for (int y = 0; y < ny; y++) {
      double u = wave((column + 0.5) * width, 0, bent_at(y));
      if (u * (1 - u) > steep) flags[column / COLUMNS] = 1;
    }
  take_mesh(make_mesh(flags));
  free(flags);
  now = room((size_t)(end - first) * leaf_points() * sizeof *now);
  for (int i = first; i < end; i++)
    for (int column = 0; column < COLUMNS; column++)
      for (int y = 0; y < ny; y++)
        points(now, i)[columns(column) + (size_t)y] = wave(cell_x(&mesh.leaf[i], column), 0, bent_at(y));
}

/* The area where u is 1, by all points; how far they are off the waves, as a mean over the strip. */
static void summarize(double time, double all[3]) {
  double own[3] = {0};
  for (int i = first; i < end; i++)
    for (int column = 0; column < COLUMNS; column++)
      for (int y = 0; y < ny; y++) {
        double area = cell_width(mesh.leaf[i].level) * height, u = points(now, i)[columns(column) + (size_t)y];
        own[0] += u * area;
        own[1] += fabs(u - wave(cell_x(&mesh.leaf[i], column), time, 0)) * area;
        own[2] += area;
      }
  MPI_Reduce(own, all, 3, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
}

int main(int words, char **word) {
  MPI_Init(&words, &word);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  int *const numbers[] = {&roots, &seeds, &ny, &steps};
  for (int k = 0; k < 4 && k + 1 < words; k++)
    *numbers[k] = larger(1, atoi(word[k + 1]));
  if (words > 5) wobble = atof(word[5]);
  if (words > 6) uniform = atoi(word[6]);
  units = roots * leaf_units(0);
  for (int side = 0; side < 2; side++) {
    out[side] = room(columns(TO_FINER) * sizeof *out[side]);
    in[side] = room(columns(TO_FINER) * sizeof *in[side]);
  }
  edge = room(columns(TO_FINER) * sizeof *edge);
  begin();
  long moves = 0, own_moves = 0, work = 0;
  double all[3];
  if (rank == 0) printf("  time  leaves  ranks at work\n");
  for (int k = 0; k < steps; k++) {
    if (k && k % STEPS_BETWEEN == 0) own_moves += adapt();
    if (rank == 0 && k % larger(STEPS_BETWEEN, steps / 10 / STEPS_BETWEEN * STEPS_BETWEEN) == 0)
      printf("%6.2f  %6d  %13d\n", k * step_time, mesh.count, mesh.active);
    work += mesh.count;
    step();
  }
  summarize(steps * step_time, all);
  MPI_Reduce(&own_moves, &moves, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%ld steps of leaves, %ld moved; u is 1 on %.4f of %.0f, off the waves by %.6f\n", work, moves, all[0],
           all[2], all[1] / all[2]);
  for (int side = 0; side < 2; side++) {
    free(out[side]);
    free(in[side]);
  }
  free(edge);
  free(now);
  free(stage);
  free(sum);
  free(mesh.leaf);
  MPI_Finalize();
  return 0;
}
