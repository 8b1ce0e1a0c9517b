/* The k-block of figure 3.5: ten planes of a rank's part of the grid, for three angles. What comes in from the west
 * goes through twelve cells, and out in the east. Run as a program of its own it is two ranks, one after the other. */
#include <stdio.h>
#include <string.h>

enum { ANGLES = 3, PLANES = 10, ROWS = 12, CELLS = 12, FACE = ANGLES * PLANES * ROWS };
double incoming[FACE], outgoing[FACE]; /* faces, 2880 bytes */
double flux[PLANES][ROWS][CELLS];
double leaving; /* in all */

__attribute__((noinline)) void k_block(void) {
  leaving = 0;
  for (int face = 0; face < FACE; face++) {
    int angle = face / (PLANES * ROWS), plane = face / ROWS % PLANES, row = face % ROWS;
    double phi = incoming[face];
    for (int cell = 0; cell < CELLS; cell++) {
      phi = (1 + (0.5 + angle) * phi) / (2.5 + angle);
      flux[plane][row][cell] += phi;
    }
    leaving += outgoing[face] = phi;
  }
}

int main(void) {
  k_block();
  memcpy(incoming, outgoing, sizeof incoming);
  k_block();
  printf("%.12g\n", leaving);
  return 0;
}
