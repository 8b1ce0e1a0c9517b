/* Caches as the command line writes them, NAME=32KiB/8/64/lru,1MiB/16,tlb:64/4/4KiB. */
#ifndef PSL_CACHE_TEXT_H
#define PSL_CACHE_TEXT_H
#include "evaluators/programs/signature_format.h"
#include <stdbool.h>

enum { CACHE_LEVELS_MOST = 8 };

struct cache_level {
  uint64_t size, ways, line; /* of the TLB: bytes that its pages have, ways, bytes of a page */
  int replacement;           /* 0 LRU, 1 FIFO, 2 random */
  int around;                /* stores that miss leave no line */
};

struct cache_machine {
  char name[64];
  unsigned levels;
  struct cache_level level[CACHE_LEVELS_MOST], tlb; /* tlb.size 0: none */
};

/* NULL, or what is wrong with the text. */
const char *cache_text_read(const char *text, struct cache_machine *machine);
#endif
