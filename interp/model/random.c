/* Streams of random numbers; see random.h.  The executor opens one an instance, distributions draw from it.
 */
#include "interp/model/random.h"

/* An odd step with enough changes from bit to bit for the sequence to be mixed well. */
static uint64_t mix_gamma(uint64_t z) {
  z = (z ^ (z >> 33)) * 0xff51afd7ed558ccdu;
  z = (z ^ (z >> 33)) * 0xc4ceb9fe1a85ec53u;
  z = (z ^ (z >> 33)) | 1;
  return __builtin_popcountll(z ^ (z >> 1)) < 24 ? z ^ 0xaaaaaaaaaaaaaaaau : z;
}

static const uint64_t golden = 0x9e3779b97f4a7c15u;

static struct random_stream stream_of(uint64_t key) {
  return (struct random_stream){.origin = random_mix(key), .gamma = mix_gamma(key + golden)};
}

uint64_t random_hash(const char *text, size_t length) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (size_t i = 0; i < length; i++)
    hash = (hash ^ (unsigned char)text[i]) * 0x100000001b3u;
  return random_mix(hash);
}

struct random_stream random_open(uint64_t seed, const char *name, size_t length) {
  return stream_of(random_mix(seed + golden) ^ random_hash(name, length));
}

struct random_stream random_open_words(uint64_t seed, uint64_t component, const int64_t *indices, uint32_t count) {
  uint64_t key = random_mix(seed + golden) ^ random_mix(component);
  for (uint32_t i = 0; i < count; i++)
    key = random_mix(key + golden) ^ (uint64_t)indices[i];
  return stream_of(random_mix(key));
}

void random_exponentials(const struct random_stream *stream, uint64_t first, uint32_t count, double *out) {
  for (uint32_t k = 0; k < count; k++) /* so that no logarithm waits for its number */
    out[k] = random_uniform_of(random_at(stream, first + k));
  for (uint32_t k = 0; k < count; k++)
    out[k] = random_exponential_of(out[k]);
}

uint64_t random_below(struct random_stream *stream, uint64_t n) {
  uint64_t unfair = -n % n; /* so many of the 2^64 numbers are left over */
  uint64_t bits;
  do
    bits = random_next(stream);
  while (bits < unfair);
  return bits % n;
}
