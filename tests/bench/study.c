/* The study of examples/sweep3d as a hand-written C program: what predictions by equations could cost at
 * best.
 *
 * Equations (4) to (8) of the POEMS paper as examples/sweep3d/sweep3d-equations.psl states them, on the IBM
 * SP/2 of stdlib/machines.psl, for each point of px x py x mk x mmi. StartP of all processors stands in
 * a dense table, filled row by row.
 *
 *   study ITERATIONS PX PY MK MMI
 *
 * Each of the last four is a list a,b,c. Prints a line a point, predicted seconds at 17 digits, the last list
 * fastest, and on standard error how many points and the seconds of processor time without printing. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { GRID = 128, LIST = 128, I = 50, J = 50, K = 50, ANGLES = 6, SETTLED = 7 };
static const double L = 23e-6, os = 23e-6, ol = 47e-6, G = 0.07e-6, Gl = 0.03e-6, Wg = 1.05e-6, Wg_fixup = 1.05e-6;
static const double overhead_threshold = 1024, handshake_threshold = 4096, gap_threshold = 4096;

/* ---- LogGP, equations (1a) to (3b) ---- */

static double overhead(double message) { return message < overhead_threshold ? os : ol; }
static double gap(double message) { return message < gap_threshold ? G : Gl; }
static int announced(double message) { return message >= handshake_threshold; }

static double send(double message) {
  return announced(message) ? os + L + os + os + L + overhead(message) : overhead(message);
}

static double receive(double message) {
  double o = overhead(message);
  return announced(message) ? os + L + o + message * gap(message) + L + o : o;
}

static double total(double message) {
  double o = overhead(message);
  return (announced(message) ? os + L + os + os + L : 0) + o + message * gap(message) + L + o;
}

static double waits(double message) { return announced(message) ? L : 0; }

/* ---- the application: equations (4) to (8) ---- */

struct point {
  int iterations, px, py, mk, mmi;
  int whole; /* angles and planes of a full block */
};

static int least(int a, int b) { return a < b ? a : b; }
static double it(const struct point *p) { return (double)I / p->px; }
static double jt(const struct point *p) { return (double)J / p->py; }
static double face_I(const struct point *p, int cells) { return cells * jt(p) * 8; }
static double face_J(const struct point *p, int cells) { return cells * it(p) * 8; }
static double work(const struct point *p, double cell) { return cell * p->whole * it(p) * jt(p); } /* (4) */

static void start(const struct point *p, double cell, double table[GRID + 1][GRID + 1]) { /* (5) */
  for (int i = 1; i <= p->px; i++)
    for (int j = 1; j <= p->py; j++) {
      double east = face_I(p, p->whole), south = face_J(p, p->whole), above = 0, left = 0;
      if (i > 1) above = table[i - 1][j] + work(p, cell) + total(east) + receive(south);
      if (j > 1) left = table[i][j - 1] + work(p, cell) + send(east) + total(south);
      table[i][j] = above > left ? above : left;
    }
}

/* Two octants, block by block, for a processor that has a neighbour to its east or not: (6), (7). */
static double steady(const struct point *p, double cell, int inner, double clock) {
  int blocks = (K + p->mk - 1) / p->mk, groups = (ANGLES + p->mmi - 1) / p->mmi;
  for (int octant = 0; octant < 2; octant++)
    for (int a = 0; a < groups; a++)
      for (int k = 0; k < blocks; k++) {
        int part = least(p->mmi, ANGLES - a * p->mmi) * least(p->mk, K - k * p->mk);
        double east = face_I(p, part), south = face_J(p, part);
        clock += cell * part * it(p) * jt(p);
        clock += send(east);
        if (inner) clock += receive(east);
        clock += receive(south);
        clock += (p->py - 1) * waits(south) + (inner ? (p->px - 2) * waits(east) : 0);
      }
  return clock;
}

static double predict(const struct point *p) {
  static double normal[GRID + 1][GRID + 1], fixup[GRID + 1][GRID + 1];
  double clock = 0;
  start(p, Wg, normal);
  bool apart = Wg_fixup != Wg && p->iterations > SETTLED;
  if (apart) start(p, Wg_fixup, fixup);
  for (int t = 0; t < p->iterations; t++) {
    double cell = t < SETTLED ? Wg : Wg_fixup, (*table)[GRID + 1] = t >= SETTLED && apart ? fixup : normal;
    for (int half = 0; half < 2; half++) { /* (8) */
      clock = steady(p, cell, 0, clock + table[1][p->py]);
      clock = steady(p, cell, 1, clock + table[p->px - 1][p->py]);
      clock += receive(face_I(p, p->whole)) + work(p, cell);
    }
  }
  return clock;
}

/* ---- points ---- */

static int read_list(const char *text, int *out) {
  int count = 0;
  for (; count < LIST; text++) {
    out[count++] = (int)strtol(text, (char **)&text, 10);
    if (*text != ',') break;
  }
  return count;
}

int main(int argc, char **argv) {
  static int lists[4][LIST];
  int counts[4];
  if (argc != 6) return 2;
  struct point p = {.iterations = atoi(argv[1])};
  for (int k = 0; k < 4; k++)
    counts[k] = read_list(argv[k + 2], lists[k]);
  size_t points = (size_t)counts[0] * (size_t)counts[1] * (size_t)counts[2] * (size_t)counts[3], at = 0;
  double *results = malloc(points * sizeof *results);
  if (!results) return 1;
  struct timespec begin, end;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
  for (int a = 0; a < counts[0]; a++)
    for (int b = 0; b < counts[1]; b++)
      for (int c = 0; c < counts[2]; c++)
        for (int d = 0; d < counts[3]; d++) {
          p.px = lists[0][a], p.py = lists[1][b], p.mk = lists[2][c], p.mmi = lists[3][d];
          if (p.px < 2 || p.px > GRID || p.py < 1 || p.py > GRID) return 2;
          p.whole = least(p.mmi, ANGLES) * least(p.mk, K);
          results[at++] = predict(&p);
        }
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
  for (size_t k = 0; k < points; k++)
    printf("%.17g\n", results[k]);
  fprintf(stderr, "%zu %.6f\n", points,
          (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) * 1e-9);
  free(results);
  return 0;
}
