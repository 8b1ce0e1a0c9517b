/* The address space of a simulated program. */
#include "evaluators/processor/space.h"

#include <stdlib.h>

void space_open(struct space *m, size_t most_bytes) { *m = (struct space){.most_pages = most_bytes / PAGE_SIZE}; }

void space_close(struct space *m) {
  for (size_t i = 0; i < m->page_room; i++)
    free(m->pages[i].bytes);
  free(m->pages);
  free(m->ranges);
  free(m->undo);
}

/* ---- pages ---- */

/* Its place in the table, or the free one that it would have. */
static size_t place_of(const struct space *m, uint64_t number) {
  size_t place = (number * 0x9e3779b97f4a7c15u) >> 20 & (m->page_room - 1);
  while (m->pages[place].bytes && m->pages[place].number != number)
    place = (place + 1) & (m->page_room - 1);
  return place;
}

static bool grow(struct space *m) {
  struct space old = *m;
  m->page_room = old.page_room ? 2 * old.page_room : 256;
  m->pages = calloc(m->page_room, sizeof *m->pages);
  if (!m->pages) {
    *m = old;
    return false;
  }
  for (size_t i = 0; i < old.page_room; i++)
    if (old.pages[i].bytes) m->pages[place_of(m, old.pages[i].number)] = old.pages[i];
  free(old.pages);
  return true;
}

static const struct range *range_of(const struct space *m, uint64_t address) {
  for (size_t r = 0; r < m->range_count; r++)
    if (m->ranges[r].begin <= address && address < m->ranges[r].end) return &m->ranges[r];
  return NULL;
}

static struct page *create(struct space *m, uint64_t number) {
  const struct range *range = range_of(m, number << PAGE_BITS);
  if (!range) return NULL;
  bool room = m->page_count < m->most_pages && (m->page_count * 2 < m->page_room || grow(m));
  uint8_t *bytes = room ? calloc(1, PAGE_SIZE) : NULL;
  if (!bytes) {
    m->full |= !m->speculative;
    return NULL;
  }
  struct page *page = &m->pages[place_of(m, number)];
  *page = (struct page){number, bytes, range->writable};
  m->page_count++;
  return page;
}

static struct page *page_of(struct space *m, uint64_t number) {
  struct page *page = m->page_room ? &m->pages[place_of(m, number)] : NULL;
  return page && page->bytes ? page : create(m, number);
}

uint8_t *space_find(struct space *m, uint64_t number, bool write) {
  struct page *page = page_of(m, number);
  if (!page || (write && !page->writable)) return NULL;
  (write ? m->writable : m->readable)[number % NEAR_PAGES] = (struct near_page){number, page->bytes};
  return page->bytes;
}

bool space_read_across(struct space *m, uint64_t address, void *out, size_t size) {
  for (uint8_t *to = out; size; size--, address++)
    if (!space_read(m, address, to++, 1)) return false;
  return true;
}

bool space_write_across(struct space *m, uint64_t address, const void *in, size_t size) {
  for (size_t i = 0; i < size; i += PAGE_SIZE)
    if (!space_page(m, address + i, true)) return false;
  if (!space_page(m, address + size - 1, true)) return false;
  for (const uint8_t *from = in; size; size--, address++)
    space_write(m, address, from++, 1);
  return true;
}

bool space_load(struct space *m, uint64_t address, const void *in, uint64_t size) {
  for (uint64_t done = 0, part; done < size; done += part) {
    struct page *page = page_of(m, (address + done) >> PAGE_BITS);
    unsigned offset = (address + done) % PAGE_SIZE;
    part = size - done < PAGE_SIZE - offset ? size - done : PAGE_SIZE - offset;
    if (!page) return false;
    memcpy(page->bytes + offset, (const uint8_t *)in + done, part);
  }
  return true;
}

bool space_text(struct space *m, uint64_t address, char *out, size_t room) {
  for (size_t i = 0; i < room; i++) {
    if (!space_read(m, address + i, &out[i], 1)) return false;
    if (!out[i]) return true;
  }
  return false;
}

/* ---- ranges ---- */

static void forget_near(struct space *m) {
  memset(m->readable, 0, sizeof m->readable);
  memset(m->writable, 0, sizeof m->writable);
}

static bool range_add(struct space *m, uint64_t begin, uint64_t end, bool writable) {
  for (size_t r = 0; r < m->range_count; r++) {
    struct range *range = &m->ranges[r];
    if (range->end != begin || range->writable != writable) continue;
    range->end = end;
    return true;
  }
  if (m->range_count == m->range_room) {
    size_t room = m->range_room ? 2 * m->range_room : 16;
    struct range *ranges = realloc(m->ranges, room * sizeof *ranges);
    if (!ranges) return false;
    m->ranges = ranges;
    m->range_room = room;
  }
  m->ranges[m->range_count++] = (struct range){begin, end, writable};
  return true;
}

/* Of each range what is outside of begin to end stays. */
static bool cut(struct space *m, uint64_t begin, uint64_t end) {
  for (size_t r = m->range_count; r-- > 0;) {
    struct range range = m->ranges[r];
    if (range.end <= begin || end <= range.begin) continue;
    m->ranges[r] = m->ranges[--m->range_count];
    if (range.begin < begin && !range_add(m, range.begin, begin, range.writable)) return false;
    if (end < range.end && !range_add(m, end, range.end, range.writable)) return false;
  }
  return true;
}

bool space_allow(struct space *m, uint64_t begin, uint64_t end, bool writable) {
  if (!cut(m, begin, end) || !range_add(m, begin, end, writable)) return false;
  uint64_t first = begin >> PAGE_BITS, last = (end - 1) >> PAGE_BITS;
  for (size_t i = 0; i < m->page_room && last - first > m->page_room; i++)
    if (m->pages[i].number >= first && m->pages[i].number <= last) m->pages[i].writable = writable;
  for (uint64_t number = first; m->page_room && last - first <= m->page_room && number <= last; number++)
    m->pages[place_of(m, number)].writable = writable;
  forget_near(m);
  return true;
}

bool space_forbid(struct space *m, uint64_t begin, uint64_t end) {
  if (!cut(m, begin, end)) return false;
  struct page *old = m->pages;
  size_t room = m->page_room;
  m->pages = calloc(room ? room : 1, sizeof *m->pages);
  if (!m->pages) {
    m->pages = old;
    return false;
  }
  for (size_t i = 0; i < room; i++) {
    if (!old[i].bytes) continue;
    bool stays = old[i].number < begin >> PAGE_BITS || old[i].number << PAGE_BITS >= end;
    if (stays) {
      m->pages[place_of(m, old[i].number)] = old[i];
    } else {
      free(old[i].bytes);
      m->page_count--;
    }
  }
  free(old);
  forget_near(m);
  return true;
}

bool space_is_free(const struct space *m, uint64_t begin, uint64_t end) {
  for (size_t r = 0; r < m->range_count; r++)
    if (m->ranges[r].begin < end && begin < m->ranges[r].end) return false;
  return true;
}

/* ---- speculation ---- */

void space_speculate(struct space *m) { m->speculative = true; }

bool space_note(struct space *m, uint8_t *place, unsigned size) {
  if (m->undo_count == m->undo_room) {
    size_t room = m->undo_room ? 2 * m->undo_room : 256;
    struct undo *undo = realloc(m->undo, room * sizeof *undo);
    if (!undo) return false;
    m->undo = undo;
    m->undo_room = room;
  }
  struct undo *undo = &m->undo[m->undo_count++];
  *undo = (struct undo){.place = place, .size = size};
  memcpy(&undo->bytes, place, size);
  return true;
}

void space_recover(struct space *m) {
  while (m->undo_count) {
    const struct undo *undo = &m->undo[--m->undo_count];
    memcpy(undo->place, &undo->bytes, undo->size);
  }
  m->speculative = false;
}
