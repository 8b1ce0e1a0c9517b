/* One-dimensional integrals whose value is known, by the integrators of the GNU Scientific Library: how often each
 * evaluates its integrand, what its error is, and how long it takes. The families are A. Genz's (Testing
 * Multidimensional Integration Routines, 1984) in one dimension, and an algebraic singularity.
 *
 *   cc -shared -fPIC -O2 -o quadrature.so quadrature.c -lgsl -lgslcblas -lm */
#include <gsl/gsl_errno.h>
#include <gsl/gsl_integration.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { INTERVALS = 2000, ROMBERG_STEPS = 15 };

struct problem {
  const char *family;
  double difficulty, place; /* how hard it is, and where on 0 .. 1 */
  long evaluations;
};

static int is(const struct problem *p, const char *family) { return !strcmp(p->family, family); }

static double integrand(double x, void *user) {
  struct problem *p = user;
  double a = p->difficulty, u = p->place;
  p->evaluations++;
  if (is(p, "oscillatory")) return cos(2 * M_PI * u + a * x);
  if (is(p, "peak")) return 1 / (1 / (a * a) + (x - u) * (x - u));
  if (is(p, "corner")) return 1 / ((1 + a * x) * (1 + a * x));
  if (is(p, "gaussian")) return exp(-a * a * (x - u) * (x - u));
  if (is(p, "continuous")) return exp(-a * fabs(x - u));
  if (is(p, "discontinuous")) return x > u ? 0 : exp(a / 10 * x);
  return x > 0 ? pow(x, -a / (a + 20)) : 0; /* singular */
}

static double exact(const struct problem *p) {
  double a = p->difficulty, u = p->place;
  if (is(p, "oscillatory")) return (sin(2 * M_PI * u + a) - sin(2 * M_PI * u)) / a;
  if (is(p, "peak")) return a * (atan(a * (1 - u)) + atan(a * u));
  if (is(p, "corner")) return 1 / (1 + a);
  if (is(p, "gaussian")) return sqrt(M_PI) / (2 * a) * (erf(a * (1 - u)) + erf(a * u));
  if (is(p, "continuous")) return (2 - exp(-a * u) - exp(-a * (1 - u))) / a;
  if (is(p, "discontinuous")) return (exp(a / 10 * u) - 1) / (a / 10);
  return 1 / (1 - a / (a + 20));
}

static int adaptive(gsl_function *f, int key, double tolerance, double *result) {
  gsl_integration_workspace *work = gsl_integration_workspace_alloc(INTERVALS);
  double error;
  int status = key ? gsl_integration_qag(f, 0, 1, 0, tolerance, INTERVALS, key, work, result, &error)
                   : gsl_integration_qags(f, 0, 1, 0, tolerance, INTERVALS, work, result, &error);
  gsl_integration_workspace_free(work);
  return status;
}

static int fixed(gsl_function *f, size_t points, double *result) {
  gsl_integration_glfixed_table *table = gsl_integration_glfixed_table_alloc(points);
  *result = gsl_integration_glfixed(f, 0, 1, table);
  gsl_integration_glfixed_table_free(table);
  return 0;
}

static int doubly_adaptive(gsl_function *f, double tolerance, double *result) {
  gsl_integration_cquad_workspace *work = gsl_integration_cquad_workspace_alloc(INTERVALS);
  double error;
  size_t evaluations;
  int status = gsl_integration_cquad(f, 0, 1, 0, tolerance, work, result, &error, &evaluations);
  gsl_integration_cquad_workspace_free(work);
  return status;
}

static int romberg(gsl_function *f, double tolerance, double *result) {
  gsl_integration_romberg_workspace *work = gsl_integration_romberg_alloc(ROMBERG_STEPS);
  size_t evaluations;
  int status = gsl_integration_romberg(f, 0, 1, 0, tolerance, result, &evaluations, work);
  gsl_integration_romberg_free(work);
  return status;
}

static int by_method(gsl_function *f, const char *method, double tolerance, double *result) {
  double error;
  size_t evaluations;
  int key = 0;
  if (!strcmp(method, "QNG")) return gsl_integration_qng(f, 0, 1, 0, tolerance, result, &error, &evaluations);
  if (!strcmp(method, "CQUAD")) return doubly_adaptive(f, tolerance, result);
  if (!strcmp(method, "Romberg")) return romberg(f, tolerance, result);
  if (!strncmp(method, "Gauss", 5)) return fixed(f, (size_t)atoi(method + 5), result);
  if (!strcmp(method, "QAG15")) key = GSL_INTEG_GAUSS15;
  if (!strcmp(method, "QAG21")) key = GSL_INTEG_GAUSS21;
  if (!strcmp(method, "QAG31")) key = GSL_INTEG_GAUSS31;
  if (!strcmp(method, "QAG41")) key = GSL_INTEG_GAUSS41;
  if (!strcmp(method, "QAG51")) key = GSL_INTEG_GAUSS51;
  if (!strcmp(method, "QAG61")) key = GSL_INTEG_GAUSS61;
  return adaptive(f, key, tolerance, result);
}

/* How often the integrand is evaluated; *error: of the result, relative to what is exact, from 1e-17 to 1. */
double quadrature(const char *family, double difficulty, double place, const char *method, double tolerance,
                  double *error) {
  struct problem problem = {family, difficulty, place, 0};
  gsl_function f = {integrand, &problem};
  double result = 0;
  gsl_error_handler_t *before = gsl_set_error_handler_off();
  by_method(&f, method, tolerance, &result);
  gsl_set_error_handler(before);
  double off = fabs(result - exact(&problem)) / fabs(exact(&problem));
  *error = off > 1 ? 1 : off < 1e-17 ? 1e-17 : off;
  return (double)problem.evaluations;
}

/* The least of several times, s. */
double quadrature_time(const char *family, double difficulty, double place, const char *method, double tolerance) {
  double least = 1e9, error;
  for (int k = 0; k < 5; k++) {
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    quadrature(family, difficulty, place, method, tolerance, &error);
    clock_gettime(CLOCK_MONOTONIC, &end);
    double took = (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
    least = took < least ? took : least;
  }
  return least;
}
