/* What the tests of foreign functions call: right and wrong in every way that PSL has to tell. */
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* ---- every type ---- */

int8_t same_int8(int8_t x) { return x; }
uint8_t same_uint8(uint8_t x) { return x; }
int16_t same_int16(int16_t x) { return x; }
uint16_t same_uint16(uint16_t x) { return x; }
int32_t same_int32(int32_t x) { return x; }
uint32_t same_uint32(uint32_t x) { return x; }
int64_t same_int64(int64_t x) { return x; }
uint64_t same_uint64(uint64_t x) { return x; }
float half(float x) { return x / 2; }
bool negation(bool x) { return !x; }
const char *behind_blank(const char *text) {
  const char *blank = strchr(text, ' ');
  return blank ? blank + 1 : NULL;
}
/* more than registers can take, of each kind by turns */
double digits(int32_t a, double b, int64_t c, float d, uint8_t e, double f, int16_t g, double h, uint64_t i, double j,
              int32_t k, double l, bool m, double n, int8_t o, double p, int64_t q, double r, uint16_t s, double t,
              double u, double v) {
  return a + 2 * b + 3 * (double)c + 4 * (double)d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * (double)i + 10 * j + 11 * k +
         12 * l + 13 * m + 14 * n + 15 * o + 16 * p + 17 * (double)q + 18 * r + 19 * s + 20 * t + 21 * u + 22 * v;
}

/* ---- pointers ---- */

double total(const double *x, int32_t n) {
  double sum = 0;
  for (int32_t i = 0; i < n; i++)
    sum += x[i];
  return sum;
}
void scale(const float *x, uint64_t n, float by, float *y) {
  for (uint64_t i = 0; i < n; i++)
    y[i] = x[i] * by;
}
void either(const bool *x, const bool *y, bool *z, int64_t n) {
  for (int64_t i = 0; i < n; i++)
    z[i] = x[i] || y[i];
}
double moments(const double *x, const int32_t *n, double *mean, double *variance) {
  *mean = total(x, *n) / *n;
  *variance = 0;
  for (int32_t i = 0; i < *n; i++)
    *variance += (x[i] - *mean) * (x[i] - *mean) / *n;
  return *mean / sqrt(*variance);
}
void swap(int64_t *a, int64_t *b) {
  int64_t old = *a;
  *a = *b;
  *b = old;
}
double dot(const double *matrix, int32_t rows, int32_t columns, const double *x, double *y) {
  for (int32_t i = 0; i < rows; i++) {
    y[i] = 0;
    for (int32_t k = 0; k < columns; k++)
      y[i] += matrix[i * columns + k] * x[k];
  }
  return y[0];
}
const int32_t *primes(int32_t *count) {
  static const int32_t table[] = {2, 3, 5, 7, 11};
  *count = sizeof table / sizeof *table;
  return table;
}
const int32_t *no_primes(int32_t n) { return n > 5 ? primes(&n) : NULL; }
void overrun(double *y, int64_t n) {
  for (int64_t i = 0; i <= n; i++)
    y[i] = 1;
}
void underrun(double *y, int64_t n) {
  for (int64_t i = 0; i <= n; i++)
    y[i - 1] = 1;
}
void bad_items(double *y, int64_t n) {
  for (int64_t i = 0; i < n; i++)
    y[i] = i == 1 ? NAN : 1;
}

/* ---- results that cannot be taken ---- */

double root(double x) { return sqrt(x); }
double infinite(double x) { return x / (x - x); }
uint64_t most(void) { return UINT64_MAX; }
const char *latin(void) {
  return "gr\xfc\xdf"
         "e";
}
int32_t variable = 3;

/* ---- callbacks without user data ---- */

double integral(double (*f)(double), double from, double to, int32_t steps) {
  double sum = (f(from) + f(to)) / 2, h = (to - from) / steps;
  for (int32_t i = 1; i < steps; i++)
    sum += f(from + i * h);
  return sum * h;
}
double apply(double (*f)(double), double x) { return f(x); }
double both(double (*f)(double), double (*g)(double), double x) { return f(x) + g(x); }
int32_t mixed(int32_t (*f)(int8_t, uint16_t, float, bool, int64_t, const char *), const char *text) {
  return f(-5, 65535, 1.5f, true, INT64_MIN, text);
}
bool any(bool (*f)(int32_t), int32_t to) {
  for (int32_t i = 0; i < to; i++)
    if (f(i)) return true;
  return false;
}
int16_t int16_of(int16_t (*f)(uint8_t), int32_t x) { return f((uint8_t)x); }
uint8_t uint8_of(uint8_t (*f)(int8_t), int32_t x) { return f((int8_t)x); }
uint64_t uint64_of(uint64_t (*f)(uint32_t), int32_t x) { return f((uint32_t)x); }
float float_of(float (*f)(float), double x) { return f((float)x); }
/* Euler's rule */
int32_t solve(int32_t (*f)(double t, const double *y, double *slope), double *y, int32_t n, double to, int32_t steps) {
  double slope[8], h = to / steps;
  if (n > 8) return 1;
  for (int32_t i = 0; i < steps; i++) {
    int32_t failed = f(i * h, y, slope);
    if (failed) return failed;
    for (int32_t k = 0; k < n; k++)
      y[k] += h * slope[k];
  }
  return 0;
}
void each(void (*change)(double *x), double *y, int64_t n) {
  for (int64_t i = 0; i < n; i++)
    change(&y[i]);
}
int32_t nowhere(int32_t (*f)(const double *x)) { return f(NULL); }
double long_text(double (*f)(const char *)) {
  return f("gr\xfc\xdf"
           "e");
}
double not_finite(double (*f)(double)) { return f(INFINITY); }
double short_array(double (*f)(const double *x, int32_t n)) { return f(NULL, -1); }

static double (*kept)(double);
double keep(double (*f)(double), double x) {
  kept = f;
  return f(x);
}
double use_kept(double x) { return kept ? x : kept(x); }

static void *elsewhere(void *user) {
  double (*f)(double);
  memcpy(&f, user, sizeof f);
  f(1);
  return NULL;
}
double threaded(double (*f)(double), double x) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, elsewhere, &f) == 0) pthread_join(thread, NULL);
  return x;
}

/* ---- what goes wrong ---- */

double without_files(double x) { /* no file can be opened any more */
  return setrlimit(RLIMIT_NOFILE, &(struct rlimit){0, 0}) == 0 ? x : -x;
}
double crash(double x) {
  volatile double *nothing = NULL;
  return *nothing + x;
}
double interrupt(double x) { return raise(SIGINT) == 0 ? x : -x; }
double stop(double x) {
  if (x > 0) abort();
  return x;
}

/* ---- what is changed by each call ---- */

int64_t ticks(void) {
  static int64_t so_far;
  return ++so_far;
}
