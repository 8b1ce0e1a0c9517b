/* Some rows of Jacobi's iteration, as the nest of loops of examples/programs/jacobi.c has them, for a processor that is
 * simulated. */
#include <math.h>

enum { MOST = 512 };
double from[MOST + 2][MOST + 2], to[MOST + 2][MOST + 2], change;

__attribute__((noipa)) void relax(int rows, int columns) {
  change = 0;
  for (int i = 1; i <= rows; i++)
    for (int j = 1; j <= columns; j++) {
      double mean = (from[i - 1][j] + from[i + 1][j] + from[i][j - 1] + from[i][j + 1]) / 4;
      change = fmax(change, fabs(mean - from[i][j]));
      to[i][j] = mean;
    }
}

int main(void) {
  relax(MOST, MOST);
  return change > 1;
}
