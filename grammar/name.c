/* The table of names: each spelling once, so that everything after the lexer compares pointers. */
#include "grammar/name.h"
#include "grammar/words.h"

#include <ctype.h>
#include <string.h>

static uint64_t bytes(const char *text, size_t count) {
  uint64_t value = 0;
  memcpy(&value, text, count);
  return value;
}

static uint64_t mix(uint64_t h, uint64_t value) {
  h = (h ^ value) * 0x9E3779B97F4A7C15u; /* 2^64 over the golden ratio */
  return h ^ h >> 32;
}

/* Eight bytes at a time, of which the last may have been looked at before. */
static uint32_t hash(const char *text, size_t length) {
  const char *end = text + length;
  uint64_t h = length;
  if (length < 4) {
    for (; text < end; text++)
      h = h << 8 | (unsigned char)*text;
    return (uint32_t)mix(h, 0);
  }
  if (length < 8) return (uint32_t)mix(h, bytes(text, 4) | bytes(end - 4, 4) << 32);
  for (; end - text > 8; text += 8)
    h = mix(h, bytes(text, 8));
  return (uint32_t)mix(h, bytes(end - 8, 8));
}

void names_open(struct names *names, struct arena *arena) {
  *names = (struct names){.arena = arena, .bucket_count = 256};
  names->buckets = ARENA_ARRAY(arena, struct name *, names->bucket_count);
#define KNOWN(name, text) name_intern(names, text, sizeof text - 1);
#include "grammar/known.def"
}

static void rehash(struct names *names) {
  uint32_t count = names->bucket_count * 2;
  struct name **buckets = ARENA_ARRAY(names->arena, struct name *, count), *next;
  for (uint32_t i = 0; i < names->bucket_count; i++) {
    for (struct name *name = names->buckets[i]; name; name = next) {
      next = name->next;
      struct name **bucket = &buckets[hash(name->text, name->length) & (count - 1)];
      name->next = *bucket;
      *bucket = name;
    }
  }
  names->buckets = buckets;
  names->bucket_count = count;
}

static const struct name *fold(struct names *names, const struct name *name) {
  char *lower = NULL;
  for (uint32_t i = 0; i < name->length; i++) {
    if (name->text[i] < 'A' || name->text[i] > 'Z') continue;
    if (!lower) lower = arena_copy(names->arena, name->text, name->length);
    lower[i] = (char)tolower(name->text[i]);
  }
  return lower ? name_intern(names, lower, name->length) : name;
}

const struct name *name_intern(struct names *names, const char *text, size_t length) {
  uint32_t h = hash(text, length);
  for (struct name *name = names->buckets[h & (names->bucket_count - 1)]; name; name = name->next) {
    if (name->length == length && memcmp(name->text, text, length) == 0) return name;
  }
  if (names->count >= names->bucket_count) rehash(names);
  struct name *name = ARENA_NEW(names->arena, struct name);
  *name = (struct name){.text = arena_copy(names->arena, text, length), .length = (uint32_t)length};
  name->word = word_find(text, length);
  name->folded = fold(names, name); /* may add a name and rehash: find the bucket after it */
  name->id = ++names->count;
  struct name **bucket = &names->buckets[h & (names->bucket_count - 1)];
  name->next = *bucket;
  *bucket = name;
  uint32_t held = names->by_id_capacity;
  if (name->id >= held) {
    names->by_id_capacity = held ? held * 2 : 256;
    names->by_id = arena_grow(names->arena, names->by_id, held * sizeof *names->by_id,
                              names->by_id_capacity * sizeof *names->by_id);
    const struct name **written = ARENA_ARRAY(names->arena, const struct name *, names->by_id_capacity);
    if (held) memcpy(written, names->written, held * sizeof *written);
    names->written = written;
  }
  names->by_id[name->id] = name;
  return name;
}

void name_write(struct names *names, const struct name *name) {
  const struct name **written = &names->written[name->folded->id];
  if (!*written) *written = name;
}

const struct name *name_written(const struct names *names, uint32_t id) {
  return names->written[id] ? names->written[id] : names->by_id[id];
}

const struct name *name_of(struct names *names, const char *text) { return name_intern(names, text, strlen(text)); }
