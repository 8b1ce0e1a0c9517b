/* The parameters of the processor: their texts. */
#include "evaluators/processor/parameters.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { COUNT, FLAG, WORD, LIST, CACHE };
static const struct row {
  const char *name;
  enum kind kind;
  size_t offset;
  const char *standard;
  uint32_t least, most;
  const char *meaning;
} rows[] = {
#define PARAMETER(name, kind, field, standard, least, most, meaning) \
  {name, kind, offsetof(struct parameters, field), standard, least, most, meaning},
#include "evaluators/processor/parameters.def"
};
enum { ROWS = sizeof rows / sizeof *rows };

static const char *const predictors[] = {"nottaken", "taken", "perfect", "bimod", "2lev", "comb", NULL};

const char *parameter_name(size_t place) { return place < ROWS ? rows[place].name : NULL; }

static bool refuse(char *error, size_t room, const char *format, ...) __attribute__((format(printf, 3, 4)));
static bool refuse(char *error, size_t room, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(error, room, format, arguments);
  va_end(arguments);
  return false;
}

/* A whole number at *text, which goes behind it. */
static bool read_number(const char **text, uint32_t *number) {
  char *end;
  errno = 0;
  unsigned long value = strtoul(*text, &end, 10);
  if (**text < '0' || **text > '9' || errno || value > UINT32_MAX) return false;
  *number = (uint32_t)value;
  *text = end;
  return true;
}

static bool set_count(const struct row *row, const char *value, void *field, char *error, size_t room) {
  uint32_t number;
  const char *at = value;
  if (!read_number(&at, &number) || *at || number < row->least || number > row->most)
    return refuse(error, room, "%s takes a whole number from %u to %u, not '%s'", row->name, row->least, row->most,
                  value);
  *(parameter_count *)field = number;
  return true;
}

static bool set_flag(const struct row *row, const char *value, void *field, char *error, size_t room) {
  bool yes = !strcmp(value, "true");
  if (!yes && strcmp(value, "false")) return refuse(error, room, "%s is true or false, not '%s'", row->name, value);
  *(parameter_flag *)field = yes;
  return true;
}

static bool set_word(const struct row *row, const char *value, void *field, char *error, size_t room) {
  for (int i = 0; predictors[i]; i++) {
    if (strcmp(predictors[i], value)) continue;
    *(parameter_word *)field = (enum predictor_kind)i;
    return true;
  }
  return refuse(error, room, "%s is %s, not '%s'", row->name, row->meaning, value);
}

static bool set_list(const struct row *row, const char *value, void *field, char *error, size_t room) {
  parameter_list list = {0};
  const char *at = value;
  uint32_t count = 0;
  bool good = true;
  for (; good && count < row->least; count++) {
    at += strspn(at, " ");
    good = read_number(&at, &list[count]) && list[count] <= row->most;
  }
  if (!good || at[strspn(at, " ")])
    return refuse(error, room, "%s takes %u whole numbers up to %u, as '%s', not '%s'", row->name, row->least,
                  row->most, row->standard, value);
  memcpy(field, list, sizeof list);
  return true;
}

/* ---- caches ---- */

static bool read_shape(const char *value, struct cache_shape *shape) {
  const char *at = strchr(value, ':');
  size_t length = at ? (size_t)(at - value) : 0;
  if (!length || length >= sizeof shape->name) return false;
  memcpy(shape->name, value, length);
  uint32_t *numbers[] = {&shape->sets, &shape->block, &shape->ways};
  for (int i = 0; i < 3; i++)
    if (*at++ != ':' || !read_number(&at, numbers[i]) || !*numbers[i]) return false;
  if (*at++ != ':' || !*at || !strchr("lfr", *at) || at[1]) return false;
  shape->replacement = *at;
  return true;
}

static bool set_cache(const struct row *row, const char *value, void *field, char *error, size_t room) {
  static const struct {
    const char *word, *levels;
    int which;
  } words[] = {
      {"none", "", CACHE_NONE}, {"dl1", "cache:il1", CACHE_IS_DATA1}, {"dl2", "cache:il1 cache:il2", CACHE_IS_DATA2}};
  struct cache_shape shape = {.which = CACHE_OWN};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (!strcmp(value, words[i].word) && (!*words[i].levels || strstr(words[i].levels, row->name))) {
      shape.which = words[i].which;
      *(parameter_cache *)field = shape;
      return true;
    }
  if (!read_shape(value, &shape))
    return refuse(error, room,
                  "%s is NAME:SETS:BYTES:WAYS:REPLACEMENT, as '%s', where REPLACEMENT is l, f or r%s, not '%s'",
                  row->name, !strncmp(row->standard, "dl2", 4) ? "ul2:1024:64:4:l" : row->standard,
                  strstr("cache:il1 cache:il2", row->name) ? ", or one of dl1, dl2, none" : ", or none", value);
  if ((uint64_t)shape.sets * shape.ways > 1 << 24 || shape.block > 1 << 24)
    return refuse(error, room, "%s: a cache has at most 16777216 blocks, of at most as many bytes, not '%s'", row->name,
                  value);
  *(parameter_cache *)field = shape;
  return true;
}

bool parameters_set(struct parameters *p, const char *name, const char *value, char *error, size_t room) {
  static bool (*const set[])(const struct row *, const char *, void *, char *, size_t) = {
      [COUNT] = set_count, [FLAG] = set_flag, [WORD] = set_word, [LIST] = set_list, [CACHE] = set_cache};
  for (size_t r = 0; r < ROWS; r++)
    if (!strcmp(rows[r].name, name)) return set[rows[r].kind](&rows[r], value, (char *)p + rows[r].offset, error, room);
  return refuse(error, room, "the processor has no parameter '%s'", name);
}

void parameters_default(struct parameters *p) {
  char error[200];
  for (size_t r = 0; r < ROWS; r++)
    parameters_set(p, rows[r].name, rows[r].standard, error, sizeof error);
}

static bool check_page(const char *name, const struct cache_shape *shape, char *error, size_t room) {
  bool good = shape->which != CACHE_OWN || (shape->block >= 8 && !(shape->block & (shape->block - 1)));
  return good ||
         refuse(error, room, "a page of %s has %u bytes, and takes a power of two from 8 on", name, shape->block);
}

bool parameters_check(const struct parameters *p, char *error, size_t room) {
  if (p->data1.which == CACHE_NONE && p->data2.which != CACHE_NONE)
    return refuse(error, room, "cache:dl2 stands behind a cache:dl1, and that is none");
  if (p->code1.which == CACHE_IS_DATA1 && p->data1.which == CACHE_NONE)
    return refuse(error, room, "cache:il1 is dl1, and cache:dl1 is none");
  if ((p->code1.which == CACHE_IS_DATA2 || p->code2.which == CACHE_IS_DATA2) && p->data2.which == CACHE_NONE)
    return refuse(error, room, "%s is dl2, and cache:dl2 is none",
                  p->code1.which == CACHE_IS_DATA2 ? "cache:il1" : "cache:il2");
  if (p->code1.which != CACHE_OWN && p->code2.which == CACHE_OWN)
    return refuse(error, room, "cache:il2 stands behind a cache:il1 of its own");
  if (!p->two_level[0] || !p->two_level[1] || p->two_level[2] > 30 || !p->two_level[2] || p->two_level[3] > 1)
    return refuse(error, room, "bpred:2lev has at least one history and one counter, 1 to 30 bits, and 0 or 1");
  if (!p->targets[0] || !p->targets[1] || (uint64_t)p->targets[0] * p->targets[1] > 1 << 24)
    return refuse(error, room, "bpred:btb has at least one set and one way, and at most 16777216 targets");
  return check_page("tlb:itlb", &p->code_pages, error, room) && check_page("tlb:dtlb", &p->data_pages, error, room);
}
