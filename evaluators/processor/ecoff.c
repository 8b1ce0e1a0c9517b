/* Programs of PISA in little-endian ECOFF, the object format of MIPS: a header, an optional header and the headers of
 * sections, which follow each other; and the stack with which a program starts. */
#include "evaluators/processor/pisa.h"

#include <stdio.h>
#include <stdlib.h>

enum {
  TEXT_BEGIN = 0x00400000,
  DATA_BEGIN = 0x10000000,
  STACK_END = 0x7fffc000,
  ARGUMENTS = 16384, /* bytes above the stack, for arguments */
  STACK_SIZE = 64 << 20,
  TEXT_PADDING = 128, /* that is taken for code, too */
  SECTION_TEXT = 0x20,
  SECTION_BSS = 0x80,
  SECTION_SMALL_BSS = 0x400,
};

struct header {
  uint16_t magic, sections;
  uint32_t time, symbols, symbol_count;
  uint16_t optional_size, flags;
};
struct optional {
  uint16_t magic, version;
  uint32_t text_size, data_size, bss_size, entry, text_begin, data_begin, bss_begin, masks[5], global;
};
struct section {
  char name[8];
  uint32_t physical, address, size, place, relocations, lines;
  uint16_t relocation_count, line_count;
  uint32_t flags;
};

static bool refuse(char *error, size_t room, const char *why) {
  snprintf(error, room, "%s", why);
  return false;
}

/* ---- names ---- */

struct symbols { /* of which those that are known outside of their file are looked at */
  uint16_t magic, version;
  int32_t unused[15], text_size, text_place, unused_files[4], count, place;
};
struct symbol {
  uint16_t bits, file;
  int32_t name;
  uint32_t value, kind;
};

uint64_t pisa_find(const uint8_t *file, size_t size, const char *name, bool *stripped) {
  struct header header;
  struct symbols symbols;
  struct symbol symbol;
  size_t length = strlen(name) + 1;
  *stripped = true;
  if (size < sizeof header) return 0;
  memcpy(&header, file, sizeof header);
  if (!header.symbols || header.symbols > size || sizeof symbols > size - header.symbols) return 0;
  memcpy(&symbols, file + header.symbols, sizeof symbols);
  if (symbols.text_place < 0 || symbols.text_size < 0 || symbols.place < 0 || symbols.count < 0) return 0;
  if ((uint64_t)symbols.text_place + (uint64_t)symbols.text_size > size ||
      (uint64_t)symbols.place + (uint64_t)symbols.count * sizeof symbol > size)
    return 0;
  *stripped = !symbols.count;
  for (int32_t k = 0; k < symbols.count; k++) {
    memcpy(&symbol, file + symbols.place + (size_t)k * sizeof symbol, sizeof symbol);
    if (symbol.name < 0 || symbol.name >= symbols.text_size) continue;
    if (length > (size_t)(symbols.text_size - symbol.name)) continue;
    if (!memcmp(file + symbols.text_place + symbol.name, name, length)) return symbol.value;
  }
  return 0;
}

/* ---- loading ---- */

static bool load_section(struct pisa *pisa, const uint8_t *file, size_t size, const struct section *section,
                         uint32_t *text_end, char *error, size_t room) {
  struct space *m = &pisa->program.space;
  uint64_t end = (uint64_t)section->address + section->size;
  if (section->flags & (SECTION_BSS | SECTION_SMALL_BSS) || !section->size) return true;
  if ((uint64_t)section->place + section->size > size)
    return refuse(error, room, "the file ends before its sections: it was cut short");
  if (section->flags & SECTION_TEXT) {
    if (section->address < TEXT_BEGIN || end + TEXT_PADDING > DATA_BEGIN)
      return refuse(error, room, "its code stands outside of the addresses for code");
    if (end + TEXT_PADDING > *text_end) *text_end = (uint32_t)end + TEXT_PADDING;
    if (!space_allow(m, TEXT_BEGIN, (*text_end + PAGE_SIZE - 1) / PAGE_SIZE * PAGE_SIZE, false))
      return refuse(error, room, "there is no memory for it");
  }
  return space_load(m, section->address, file + section->place, section->size) ||
         refuse(error, room, "a section stands outside of the addresses for code and data");
}

static bool load_sections(struct pisa *pisa, const uint8_t *file, size_t size, char *error, size_t room) {
  struct header header;
  struct optional optional;
  struct section section;
  struct program *p = &pisa->program;
  uint32_t text_end = 0;
  if (size < sizeof header + sizeof optional)
    return refuse(error, room, "the file ends in its header: it was cut short");
  memcpy(&header, file, sizeof header);
  memcpy(&optional, file + sizeof header, sizeof optional);
  uint64_t data_end = (uint64_t)DATA_BEGIN + optional.data_size + optional.bss_size;
  pisa->heap_end = (uint32_t)((data_end + PAGE_SIZE - 1) / PAGE_SIZE * PAGE_SIZE);
  if (data_end >= STACK_END - STACK_SIZE || !space_allow(&p->space, DATA_BEGIN, pisa->heap_end, true))
    return refuse(error, room, "its data have no room below the stack");
  for (unsigned i = 0; i < header.sections; i++) {
    size_t place = sizeof header + header.optional_size + i * sizeof section;
    if (place + sizeof section > size) return refuse(error, room, "the file ends in its header: it was cut short");
    memcpy(&section, file + place, sizeof section);
    if (!load_section(pisa, file, size, &section, &text_end, error, room)) return false;
  }
  p->code_begin = TEXT_BEGIN;
  p->code_end = text_end;
  p->data_begin = DATA_BEGIN;
  p->data_end = STACK_END;
  p->pc = optional.entry;
  pisa->now.integer[PISA_GLOBAL] = optional.global;
  return program_has_code(p, p->pc) || refuse(error, room, "its first instruction is not in its code");
}

/* The number of arguments, their addresses, a zero, no environment, the texts. */
static bool put_arguments(struct pisa *pisa, const char *const *arguments) {
  struct space *m = &pisa->program.space;
  uint32_t count = 0, bottom = STACK_END - ARGUMENTS, zero = 0;
  while (arguments[count])
    count++;
  uint32_t slot = bottom + 4, text = slot + 4 * (count + 2);
  bool fits = count < ARGUMENTS / 8 && space_load(m, bottom, &count, 4);
  for (uint32_t i = 0; fits && i < count; i++, slot += 4) {
    size_t size = strlen(arguments[i]) + 1;
    fits = size < STACK_END - text && space_load(m, slot, &text, 4) && space_load(m, text, arguments[i], size);
    text += (uint32_t)size;
  }
  pisa->now.integer[PISA_STACK] = bottom;
  return fits && space_load(m, slot, &zero, 4);
}

bool pisa_load(struct program *p, const uint8_t *file, size_t size, const char *const *arguments, char *error,
               size_t room) {
  struct pisa *pisa = (struct pisa *)p;
  host_files_open(&pisa->files, p->reach);
  if (!space_allow(&p->space, STACK_END - STACK_SIZE, STACK_END, true))
    return refuse(error, room, "there is no memory for it");
  return load_sections(pisa, file, size, error, room) &&
         (put_arguments(pisa, arguments) || refuse(error, room, "its arguments are longer than 16 KiB"));
}
