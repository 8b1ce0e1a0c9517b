/* A block of cells of one process of a wavefront on a grid, by the place of the process: one in the corner where the
 * wavefront begins, on one of the two edges there, or inside. From a side where nobody is nothing comes in; what a
 * neighbour has sent is unpacked. Where less than nothing would leave a cell, nothing does, and the cell is computed
 * again (a fixup): so the work depends on what comes in, too. `./grid CELLS` is a grid of 2 x 2 processes, one behind
 * the other. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64, TIMES = 8, CORNER = 0, WEST = 1, SOUTH = 2 };
double from_west[MOST * MOST], from_south[MOST * MOST]; /* what has come in, */
double to_east[MOST * MOST], to_north[MOST * MOST];     /* and what is sent */
static double flux[MOST * MOST * MOST], sources[MOST * MOST * MOST];
static double west[MOST * MOST], south[MOST * MOST], below[MOST * MOST];

static inline double leaves(double phi, double entered) { return 2 * phi - entered > 0 ? 2 * phi - entered : 0; }

static inline __attribute__((always_inline)) void block(int n, int place) {
  const double mu = 0.6, eta = 0.5, xi = 0.4, absorbed = 1.5;
  for (int c = 0; c < n * n; c++) {
    west[c] = place & WEST ? from_west[c] : 0;
    south[c] = place & SOUTH ? from_south[c] : 0;
    below[c] = 0;
  }
  for (int k = 0; k < n; k++)
    for (int j = 0; j < n; j++)
      for (int i = 0; i < n; i++) {
        int cell = (k * n + j) * n + i;
        double x = west[k * n + j], y = south[k * n + i], z = below[j * n + i];
        double phi = (sources[cell] + mu * x + eta * y + xi * z) / (absorbed + mu + eta + xi);
        if (2 * phi < x || 2 * phi < y || 2 * phi < z) {
          double left = (2 * phi < x ? 0 : mu) + (2 * phi < y ? 0 : eta) + (2 * phi < z ? 0 : xi);
          phi = (sources[cell] + 0.5 * mu * x + 0.5 * eta * y + 0.5 * xi * z) / (absorbed + left);
        }
        west[k * n + j] = leaves(phi, x), south[k * n + i] = leaves(phi, y), below[j * n + i] = leaves(phi, z);
        flux[cell] += phi;
      }
  for (int c = 0; c < n * n; c++) {
    to_east[c] = west[c];
    to_north[c] = south[c];
  }
}

/* A function for each place, so that a signature has the blocks of each. */
__attribute__((noinline)) void corner(int n) { block(n, CORNER); }
__attribute__((noinline)) void edge_south(int n) { block(n, WEST); }
__attribute__((noinline)) void edge_west(int n) { block(n, SOUTH); }
__attribute__((noinline)) void inside(int n) { block(n, WEST | SOUTH); }

__attribute__((noinline)) void fill(int n) {
  for (int c = 0; c < n * n * n; c++)
    sources[c] = 1 + c * 7 % 11;
}

static void (*const places[])(int) = {corner, edge_south, edge_west, inside};

/* What comes in at a place of the grid of 2 x 2 is there: what the corner sends, and what the edges make of that. */
static void bring(int n, int place) {
  static double east[MOST * MOST];
  fill(n);
  corner(n);
  memcpy(from_west, to_east, sizeof from_west);
  memcpy(from_south, to_north, sizeof from_south);
  if (place != (WEST | SOUTH)) return;
  edge_west(n); /* the one north of the corner: what it sends to the east */
  memcpy(east, to_east, sizeof east);
  edge_south(n);
  memcpy(from_south, to_north, sizeof from_south);
  memcpy(from_west, east, sizeof from_west);
}

/* The block at a place, again and again: what it needs is brought when it is called first. */
void at_place(int n, int place) {
  static int last = -1;
  if (last != n * 4 + place) bring(n, place);
  last = n * 4 + place;
  places[place](n);
}

int main(int count, char **arguments) {
  int n = count > 1 ? atoi(arguments[1]) : 32;
  if (n < 1 || n > MOST) return 1;
  for (int place = 0; place < 4; place++) {
    for (int time = 0; time < TIMES; time++)
      at_place(n, place);
    double sum = 0;
    for (int c = 0; c < n * n; c++)
      sum += to_east[c] + to_north[c];
    printf("%.12g\n", sum);
  }
  return 0;
}
