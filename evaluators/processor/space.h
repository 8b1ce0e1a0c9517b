/* The address space of a simulated program: pages that come to be where they are first touched, within the ranges that
 * the program may use. What an address names is always one of these pages: nothing that a program does reaches beyond.
 *
 * From space_speculate to space_recover each store notes what it takes the place of, and recovery puts that back. */
#ifndef PSL_PROCESSOR_SPACE_H
#define PSL_PROCESSOR_SPACE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { PAGE_BITS = 12, PAGE_SIZE = 1 << PAGE_BITS, NEAR_PAGES = 256 };

struct near_page { /* one that was touched lately */
  uint64_t number; /* the address without its last bits */
  uint8_t *bytes;  /* NULL: none */
};
struct page {
  uint64_t number;
  uint8_t *bytes;
  bool writable;
};
struct range {
  uint64_t begin, end;
  bool writable;
};
struct undo {
  uint8_t *place;
  uint64_t bytes;
  unsigned size;
};

struct space {
  struct near_page readable[NEAR_PAGES], writable[NEAR_PAGES];
  struct page *pages; /* a table by hash, of a power of two */
  size_t page_count, page_room;
  size_t most_pages;
  struct range *ranges;
  size_t range_count, range_room;
  struct undo *undo;
  size_t undo_count, undo_room;
  bool speculative;
  bool full; /* a page was wanted beyond most_pages, or there is no memory for it */
};

void space_open(struct space *, size_t most_bytes);
void space_close(struct space *);
/* From now on the program may read from begin to before end, and write there if `writable`; what is there stays. False:
 * there is no memory. */
bool space_allow(struct space *, uint64_t begin, uint64_t end, bool writable);
/* It may not, and finds zeros where it may again. */
bool space_forbid(struct space *, uint64_t begin, uint64_t end);
/* Is all of it free? */
bool space_is_free(const struct space *, uint64_t begin, uint64_t end);

void space_speculate(struct space *);
void space_recover(struct space *);

/* The page of an address; NULL: the program may not touch it so. */
uint8_t *space_find(struct space *, uint64_t number, bool write);
/* On a wrong path; false: there is no memory for the note, and what it is for must not be done. */
bool space_note(struct space *, uint8_t *place, unsigned size);

static inline uint8_t *space_page(struct space *m, uint64_t address, bool write) {
  uint64_t number = address >> PAGE_BITS;
  const struct near_page *near = (write ? m->writable : m->readable) + number % NEAR_PAGES;
  return near->number == number && near->bytes ? near->bytes : space_find(m, number, write);
}

/* Over the border of two pages. */
bool space_read_across(struct space *, uint64_t address, void *out, size_t size);
bool space_write_across(struct space *, uint64_t address, const void *in, size_t size);

/* Little-endian, as what runs this. False: the program may not read, or write, all of it. */
static inline bool space_read(struct space *m, uint64_t address, void *out, unsigned size) {
  unsigned offset = address % PAGE_SIZE;
  if (offset + size > PAGE_SIZE) return space_read_across(m, address, out, size);
  const uint8_t *page = space_page(m, address, false);
  if (!page) return false;
  memcpy(out, page + offset, size);
  return true;
}

static inline bool space_write(struct space *m, uint64_t address, const void *in, unsigned size) {
  unsigned offset = address % PAGE_SIZE;
  if (offset + size > PAGE_SIZE) return space_write_across(m, address, in, size);
  uint8_t *page = space_page(m, address, true);
  if (!page) return false;
  if (m->speculative && !space_note(m, page + offset, size)) return true;
  memcpy(page + offset, in, size);
  return true;
}

/* What a loader puts there, writable or not. False: that is no part of a range, or there is no memory. */
bool space_load(struct space *, uint64_t address, const void *in, uint64_t size);
/* A text that ends by NUL, shorter than `room`; false: it is not, or may not be read. */
bool space_text(struct space *, uint64_t address, char *out, size_t room);
#endif
