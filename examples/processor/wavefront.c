/* The kernel of a wavefront, as a rank of Sweep3D has it: each cell of a grid takes what comes in from three sides, and
 * gives on to the other three. The argument is the number of cells along a side: `./wavefront 16`. */
#include <stdio.h>
#include <stdlib.h>

enum { ANGLES = 6, MOST = 64 };
static double source[MOST * MOST * MOST], flux[MOST * MOST * MOST];
static double west[MOST * MOST], south[MOST * MOST], below[MOST * MOST];

__attribute__((noinline)) void fill(int n) {
  for (int c = 0; c < n * n * n; c++)
    source[c] = 1 + c % 5;
}

__attribute__((noinline)) void sweep(int n, double mu, double eta, double xi) {
  for (int k = 0; k < n; k++)
    for (int j = 0; j < n; j++)
      for (int i = 0; i < n; i++) {
        int cell = (k * n + j) * n + i;
        double *x = &west[k * n + j], *y = &south[k * n + i], *z = &below[j * n + i];
        double phi = (source[cell] + mu * *x + eta * *y + xi * *z) / (1 + mu + eta + xi);
        *x = 2 * phi - *x, *y = 2 * phi - *y, *z = 2 * phi - *z;
        flux[cell] += phi;
      }
}

int main(int count, char **arguments) {
  int n = count > 1 ? atoi(arguments[1]) : 16;
  double sum = 0;
  if (n < 1 || n > MOST) return 1;
  fill(n);
  for (int angle = 1; angle <= ANGLES; angle++)
    sweep(n, 0.1 * angle, 0.2, 0.8 / angle);
  for (int c = 0; c < n * n * n; c++)
    sum += flux[c];
  printf("flux %.10g\n", sum);
  return 0;
}
