/* Two functions as C libraries have them: they call a function of one number, and hand nothing else through.
 *
 *   cc -shared -fPIC -O2 -o calculus.so calculus.c -lm */
#include <math.h>

struct piece {
  double from, to, start, middle, end, sum;
};

static double refine(double (*f)(double), struct piece p, double tolerance, int depth) {
  double half = (p.from + p.to) / 2, step = (p.to - p.from) / 12;
  double low = f((p.from + half) / 2), high = f((half + p.to) / 2);
  struct piece left = {p.from, half, p.start, low, p.middle, step * (p.start + 4 * low + p.middle)};
  struct piece right = {half, p.to, p.middle, high, p.end, step * (p.middle + 4 * high + p.end)};
  double error = left.sum + right.sum - p.sum;
  if (!depth || fabs(error) <= 15 * tolerance * fabs(p.sum)) return left.sum + right.sum + error / 15;
  return refine(f, left, tolerance, depth - 1) + refine(f, right, tolerance, depth - 1);
}

/* The integral of f by Simpson's rule, in halves where that is not good enough. */
double integral(double (*f)(double), double from, double to, double tolerance) {
  struct piece whole = {from, to, f(from), f((from + to) / 2), f(to), 0};
  whole.sum = (to - from) / 6 * (whole.start + 4 * whole.middle + whole.end);
  return refine(f, whole, tolerance, 20);
}

/* Where f passes zero between `from` and `to`, by halving; NaN where it has one sign at both. */
double root(double (*f)(double), double from, double to) {
  double at = f(from), middle = from;
  if (at * f(to) > 0) return NAN;
  for (int i = 0; i < 60; i++) {
    middle = (from + to) / 2;
    double now = f(middle);
    if (at * now > 0) {
      from = middle;
      at = now;
    } else {
      to = middle;
    }
  }
  return middle;
}
