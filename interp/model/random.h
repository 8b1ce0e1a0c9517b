/* Streams of random numbers: one for each component instance, told apart by (seed, name).
 *
 * A stream is SplitMix64 with an odd increment of its own (Steele, Lea, Flood: Fast splittable
 * pseudorandom number generators, OOPSLA 2014): draw n is mix(origin + n * gamma), where origin and gamma
 * come from the run's seed and the instance's name alone.  So a stream is these and its count, adding a component
 * leaves the draws of all others as they were, and a draw can be had again by its number.  GSL's
 * variates run on it through a gsl_rng that stands on the stack of the call. */
#ifndef PSL_RANDOM_H
#define PSL_RANDOM_H
#include <math.h>
#include <stddef.h>
#include <stdint.h>

struct random_stream {
  uint64_t origin; /* where the sequence starts */
  uint64_t gamma;  /* its step, odd */
  uint64_t count;  /* numbers taken so far; a variate may take several */
  double tail;     /* the least shape of the Pareto distributions without a finite variance drawn by it; 0: none */
  int below;       /* 1 + the kind of a distribution that has given a number below 0; 0: none has */
};

/* The stream of `name` (the instance as reports write it: `station[2]`) under `seed`. */
struct random_stream random_open(uint64_t seed, const char *name, size_t length);
/* The same from words: a component's id or hash and its indices; no text is made. */
struct random_stream random_open_words(uint64_t seed, uint64_t component, const int64_t *indices, uint32_t count);
/* Stafford's variant 13 of the finalizer of MurmurHash3, as SplitMix64 has it. */
static inline uint64_t random_mix(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}
/* Those of that number, from 1. */
static inline uint64_t random_at(const struct random_stream *stream, uint64_t number) {
  return random_mix(stream->origin + number * stream->gamma);
}
/* The next 64 random bits. */
static inline uint64_t random_next(struct random_stream *stream) { return random_at(stream, ++stream->count); }
/* Uniform in [0, 1), 53 random bits. */
static inline double random_uniform_of(uint64_t bits) { return (double)(bits >> 11) * 0x1p-53; }
static inline double random_uniform(struct random_stream *stream) { return random_uniform_of(random_next(stream)); }
/* Exponential of mean 1, of a uniform number: 1 less that is a double, so that the logarithm, which is faster than that
 * of 1 plus a number, has no error but its own. Not below 0, and no -0. */
static inline double random_exponential_of(double uniform) { return 0 - log(1 - uniform); }
static inline double random_exponential(struct random_stream *stream) {
  return random_exponential_of(random_uniform(stream));
}
/* Those of the numbers from `first` on, which are not taken: faster than one by one. */
void random_exponentials(const struct random_stream *stream, uint64_t first, uint32_t count, double *out);
/* Uniform in 0 .. n - 1, without bias; n > 0. */
uint64_t random_below(struct random_stream *stream, uint64_t n);
/* A hash of a text that does not change between runs and machines (FNV-1a, then mixed). */
uint64_t random_hash(const char *text, size_t length);
#endif
