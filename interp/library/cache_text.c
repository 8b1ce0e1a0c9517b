/* Reads the caches of a machine; psl-trace(1) has their grammar. */
#include "interp/library/cache_text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define SIZE_MOST (UINT64_C(1) << 40)

static const char *const how = "write NAME=SIZE/WAYS/LINE,...: here=32KiB/8/64,1MiB/16";

/* A size with its unit, one that is larger than can be as one byte more than can be; 0: it is none. */
static uint64_t size_read(const char **at) {
  static const struct {
    const char *name;
    uint64_t bytes;
  } units[] = {{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"kB", 1000},
               {"MB", 1000000},  {"byte", 1},      {"B", 1},         {"", 1}};
  char *end;
  if (!isdigit((unsigned char)**at)) return 0;
  unsigned long long number = strtoull(*at, &end, 10);
  unsigned k = 0;
  while (strncmp(end, units[k].name, strlen(units[k].name)) != 0)
    k++;
  *at = end + strlen(units[k].name);
  return number > SIZE_MOST / units[k].bytes ? SIZE_MOST + 1 : number * units[k].bytes;
}

static const char *word_read(const char **at, struct cache_level *level, bool *replaced) {
  static const char *const replacements[] = {"lru", "fifo", "random"};
  size_t length = strcspn(*at, "/,");
  const char *word = *at;
  *at += length;
  for (int k = 0; k < 3; k++)
    if (length == strlen(replacements[k]) && !strncmp(word, replacements[k], length)) {
      if (*replaced) return "a cache has one way to replace lines: lru, fifo or random";
      *replaced = true;
      level->replacement = k;
      return NULL;
    }
  level->around = 1;
  return length == 12 && !strncmp(word, "write-around", 12) ? NULL
                                                            : "a cache's words are lru, fifo, random and write-around";
}

static bool is_binary(uint64_t number) { return number && (number & (number - 1)) == 0; }

/* SIZE/WAYS/LINE/WORD...; what is left out is `level`'s already. */
static const char *level_read(const char **at, struct cache_level *level) {
  uint64_t *const numbers[] = {&level->ways, &level->line};
  unsigned count = 0;
  bool replaced = false;
  if (!(level->size = size_read(at))) return how;
  while (**at == '/') {
    ++*at;
    if (count < 2 && isdigit((unsigned char)**at)) {
      if (!(*numbers[count++] = size_read(at))) return how;
      continue;
    }
    const char *wrong = word_read(at, level, &replaced);
    if (wrong) return wrong;
  }
  return **at && **at != ',' ? how : NULL;
}

static const char *level_check(const struct cache_level *level) {
  if (!is_binary(level->line) || level->line < 8 || level->line > 1 << 30)
    return "a line has 8 bytes, 16, 32 or another power of 2";
  if (level->ways > 65536) return "a set has at most 65,536 lines";
  if (level->size > SIZE_MOST) return "a cache has at most 1 TiB";
  if (level->size % (level->ways * level->line)) return "a cache's size is its number of sets times ways times line";
  return NULL;
}

static const char *tlb_read(const char **at, struct cache_level *tlb) {
  *tlb = (struct cache_level){.ways = 0, .line = 4096};
  const char *wrong = level_read(at, tlb);
  if (wrong) return wrong;
  if (!tlb->ways) tlb->ways = tlb->size;
  if (tlb->size > 1 << 24) return "a TLB has at most 16,777,216 pages";
  tlb->size *= tlb->line;
  return level_check(tlb);
}

static const char *machine_read(const char *at, struct cache_machine *machine) {
  for (;; at++) {
    bool tlb = !strncmp(at, "tlb:", 4);
    struct cache_level level = {.ways = 8, .line = machine->levels ? machine->level[machine->levels - 1].line : 64};
    if (tlb && machine->tlb.size) return "a machine has one TLB";
    if (tlb) at += 4;
    if (!tlb && machine->levels == CACHE_LEVELS_MOST - 1) return "a machine has at most 7 levels of caches";
    const char *wrong = tlb ? tlb_read(&at, &machine->tlb) : level_read(&at, &level);
    if (!wrong && !tlb) wrong = level_check(&level);
    if (!wrong && !tlb && machine->levels && level.size <= machine->level[machine->levels - 1].size)
      wrong = "a cache is larger than the one before it";
    if (wrong) return wrong;
    if (!tlb) machine->level[machine->levels++] = level;
    if (!*at) return machine->levels ? NULL : how;
  }
}

const char *cache_text_read(const char *text, struct cache_machine *machine) {
  *machine = (struct cache_machine){0};
  size_t length = strcspn(text, "=");
  if (!text[length] || !length || length >= sizeof machine->name || !isalpha((unsigned char)*text)) return how;
  for (size_t k = 0; k < length; k++)
    if (!isalnum((unsigned char)text[k]) && text[k] != '-')
      return "a machine's name is made of letters, digits and '-'";
  memcpy(machine->name, text, length);
  return machine_read(text + length + 1, machine);
}
