/* Resource reflectors: an annotated program says which resources it uses, and how much of each. What a use takes is
 * then measured, or a model of PSL that runs beside the program is asked for it, as the variable PSL_REFLECT of the
 * environment says when the program starts:
 *
 *   unset, or empty           nothing: the program runs as it is
 *   measure, measure:FILE.csv what each resource has taken is written at the program's end, to standard error or FILE
 *   model:NUMBER, model:PATH  psl is asked, by the descriptor or the socket of that path: psl reflect sets it
 *
 *   PSL_RESOURCE("multiply", n, block) multiply(c, a, b, n, block);
 *
 * See psl-reflector(3). All times are in seconds. Compile with `pkg-config --cflags --libs psl-reflector`. */
#ifndef PSL_REFLECTOR_H
#define PSL_REFLECTOR_H
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#if defined __GNUC__
#pragma GCC visibility push(default)
#endif

enum psl_reflecting { PSL_REFLECT_OFF, PSL_REFLECT_MEASURE, PSL_REFLECT_MODEL };
enum psl_reflecting psl_reflecting(void);

/* The program's own clock, since its first call of the library: measured time, but for what the model has answered, for
 * which the answers count. Without a model the time that has passed. */
double psl_clock(void);

/* A use of a resource begins, of so many amounts, at most PSL_AMOUNTS, whose meaning and order are those of the model.
 * Not 0: the work is to be done, up to psl_reflect_end. 0: `skips` is not 0, and the model has answered: the work is to
 * be left out, and the use has ended. Uses nest, PSL_NESTED deep at most: what is used inside of one that the model has
 * answered is part of that answer; of one that is measured the inner ones do not count for the outer. Names have
 * at most 63 bytes and no blanks; line 0: there is no place. */
#define PSL_AMOUNTS 8
#define PSL_NESTED 64
int psl_reflect_begin(const char *resource, const char *file, int line, int skips, int count, const double *amounts);
/* The same, with the amounts as doubles behind their number. */
int psl_reflect_use(const char *file, int line, int skips, const char *resource, int count, ...);
/* The use that was begun last ends. Returns 0. */
int psl_reflect_end(void);
/* What the use that ended last in this thread has taken: measured, or as answered. */
double psl_reflect_seconds(void);

/* Another figure than a time that the model is asked for, as a number of misses: its answer, or `otherwise`, which is
 * what was measured, where no model answers. */
double psl_figure(const char *name, const char *file, int line, double otherwise, int count, const double *amounts);

/* A sensor: a figure that the policies of the model watch. */
void psl_sensor(const char *name, double value);
/* A parameter of the program that a policy may change, from low to high, where the program next calls psl_poll: the
 * value stays the program's, and is rounded to a whole number by psl_actuator_int. At most 64; an actuator of the same
 * name takes the place of the one before. */
void psl_actuator(const char *name, double *value, double low, double high);
void psl_actuator_int(const char *name, int *value, int low, int high);
void psl_actuator_drop(const char *name); /* before the variable ends */
/* A safe point: asks the policies what the actuators are to be. Returns how many have changed. */
int psl_poll(void);

#if defined __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

/* PSL_RESOURCE(resource, amounts...): the statement or block behind it is a use. It always runs; where the model
 * answers, the answer counts in place of the time that it takes, which is reported beside. It is not to be left by
 * break, continue, return or goto. */
#define PSL_RESOURCE(...) PSL_REFLECT_LOOP(0, __VA_ARGS__)
/* The same, but it does not run where the model answers. */
#define PSL_RESOURCE_OR_SKIP(...) PSL_REFLECT_LOOP(1, __VA_ARGS__)

#define PSL_REFLECT_LOOP(skips, ...)                                                   \
  for (int PSL_REFLECT_JOIN(psl_use_, __LINE__) =                                      \
           psl_reflect_use(__FILE__, __LINE__, skips, PSL_REFLECT_WORDS(__VA_ARGS__)); \
       PSL_REFLECT_JOIN(psl_use_, __LINE__); PSL_REFLECT_JOIN(psl_use_, __LINE__) = psl_reflect_end())
#define PSL_REFLECT_JOIN(a, b) PSL_REFLECT_JOINED(a, b)
#define PSL_REFLECT_JOINED(a, b) a##b
/* The resource, how many amounts there are, and these as doubles. */
#define PSL_REFLECT_WORDS(...) \
  PSL_REFLECT_JOIN(PSL_REFLECT_WORDS_, PSL_REFLECT_COUNT(__VA_ARGS__, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0))(__VA_ARGS__)
#define PSL_REFLECT_COUNT(r, a, b, c, d, e, f, g, h, count, ...) count
#define PSL_REFLECT_WORDS_0(r) r, 0
#define PSL_REFLECT_WORDS_1(r, a) r, 1, (double)(a)
#define PSL_REFLECT_WORDS_2(r, a, b) r, 2, (double)(a), (double)(b)
#define PSL_REFLECT_WORDS_3(r, a, b, c) r, 3, (double)(a), (double)(b), (double)(c)
#define PSL_REFLECT_WORDS_4(r, a, b, c, d) r, 4, (double)(a), (double)(b), (double)(c), (double)(d)
#define PSL_REFLECT_WORDS_5(r, a, b, c, d, e) r, 5, (double)(a), (double)(b), (double)(c), (double)(d), (double)(e)
#define PSL_REFLECT_WORDS_6(r, a, b, c, d, e, f) \
  r, 6, (double)(a), (double)(b), (double)(c), (double)(d), (double)(e), (double)(f)
#define PSL_REFLECT_WORDS_7(r, a, b, c, d, e, f, g) \
  r, 7, (double)(a), (double)(b), (double)(c), (double)(d), (double)(e), (double)(f), (double)(g)
#define PSL_REFLECT_WORDS_8(r, a, b, c, d, e, f, g, h) \
  r, 8, (double)(a), (double)(b), (double)(c), (double)(d), (double)(e), (double)(f), (double)(g), (double)(h)
#endif
