/* Programs of RISC-V in ELF, linked statically; and the stack with which Linux starts them. */
#include "evaluators/processor/riscv.h"

#include <elf.h>
#include <stdio.h>

#ifndef EM_RISCV
#define EM_RISCV 243
#endif

enum {
  STACK_SIZE = 8 << 20,
  ARGUMENTS = 1 << 20, /* bytes of the stack, for arguments */
  MOST_CODE = 1 << 28,
  PAGES = 4096
};
static const uint64_t stack_end = 0x4000000000, mappings = 0x2000000000,
                      moved = 0x10000; /* moved: what may stand anywhere */

bool riscv_knows(const uint8_t *file, size_t size) {
  const Elf64_Ehdr *header = (const Elf64_Ehdr *)file;
  return size >= sizeof *header && !memcmp(file, ELFMAG, SELFMAG) && header->e_ident[EI_CLASS] == ELFCLASS64 &&
         header->e_ident[EI_DATA] == ELFDATA2LSB && header->e_machine == EM_RISCV;
}

const char *elf_processor(const uint8_t *file, size_t size) {
  static const struct {
    unsigned machine;
    const char *name;
  } known[] = {{EM_386, "x86 (32 bits)"}, {EM_X86_64, "x86"},
               {EM_AARCH64, "ARM"},       {EM_ARM, "ARM (32 bits)"},
               {EM_PPC64, "POWER"},       {EM_S390, "z/Architecture"},
               {EM_MIPS, "MIPS"},         {EM_RISCV, "RISC-V (not 64 bits, little-endian)"}};
  const Elf64_Ehdr *header = (const Elf64_Ehdr *)file; /* as far as the machine that of 32 bits is alike */
  if (size < offsetof(Elf64_Ehdr, e_version) || memcmp(file, ELFMAG, SELFMAG)) return NULL;
  for (size_t k = 0; k < sizeof known / sizeof *known; k++)
    if (known[k].machine == header->e_machine) return known[k].name;
  return NULL;
}

/* ---- names ---- */

/* Part of a file, `size` of it at `place`; NULL: it ends before. */
static const uint8_t *part_of(const uint8_t *file, size_t file_size, uint64_t place, uint64_t size) {
  return place <= file_size && size <= file_size - place ? file + place : NULL;
}

static uint64_t find_in(const uint8_t *file, size_t size, const Elf64_Shdr *table, const Elf64_Shdr *texts,
                        const char *name) {
  const uint8_t *symbols = part_of(file, size, table->sh_offset, table->sh_size);
  const char *names = (const char *)part_of(file, size, texts->sh_offset, texts->sh_size);
  size_t length = strlen(name) + 1;
  for (uint64_t k = 0; symbols && names && k < table->sh_size / sizeof(Elf64_Sym); k++) {
    Elf64_Sym symbol;
    memcpy(&symbol, symbols + k * sizeof symbol, sizeof symbol);
    if (!symbol.st_shndx || symbol.st_name >= texts->sh_size || length > texts->sh_size - symbol.st_name) continue;
    if (!memcmp(names + symbol.st_name, name, length)) return symbol.st_value;
  }
  return 0;
}

uint64_t riscv_find(const uint8_t *file, size_t size, const char *name, bool *stripped) {
  const Elf64_Ehdr *header = (const Elf64_Ehdr *)file;
  uint64_t base = header->e_type == ET_DYN ? moved : 0, found = 0;
  *stripped = true;
  const uint8_t *sections = part_of(file, size, header->e_shoff, (uint64_t)header->e_shnum * sizeof(Elf64_Shdr));
  for (unsigned s = 0; sections && !found && s < header->e_shnum; s++) {
    Elf64_Shdr table, texts;
    memcpy(&table, sections + s * sizeof table, sizeof table);
    if (table.sh_type != SHT_SYMTAB || table.sh_link >= header->e_shnum) continue;
    memcpy(&texts, sections + table.sh_link * sizeof texts, sizeof texts);
    *stripped = false;
    found = find_in(file, size, &table, &texts, name);
  }
  return found ? base + found : 0;
}

/* ---- loading ---- */

static bool refuse(char *error, size_t room, const char *why) {
  snprintf(error, room, "%s", why);
  return false;
}

static uint64_t round_down(uint64_t address) { return address / PAGES * PAGES; }
static uint64_t round_up(uint64_t address) { return round_down(address + PAGES - 1); }

static bool load_segment(struct program *p, const uint8_t *file, size_t size, const Elf64_Phdr *segment, uint64_t base,
                         char *error, size_t room) {
  struct riscv *r = (struct riscv *)p;
  uint64_t begin = base + segment->p_vaddr, end = begin + segment->p_memsz;
  if (segment->p_vaddr >= mappings || segment->p_memsz >= mappings || segment->p_filesz > segment->p_memsz)
    return refuse(error, room, "a segment stands outside of the addresses for code and data");
  if (segment->p_offset > size || segment->p_filesz > size - segment->p_offset)
    return refuse(error, room, "the file ends before its segments: it was cut short");
  if (!space_allow(&p->space, round_down(begin), round_up(end), segment->p_flags & PF_W) ||
      !space_load(&p->space, begin, file + segment->p_offset, segment->p_filesz))
    return refuse(error, room, "there is no memory for it");
  if (begin < p->data_begin) p->data_begin = begin;
  if (round_up(end) > r->heap_begin) r->heap_begin = round_up(end);
  if (!(segment->p_flags & PF_X)) return true;
  if (!p->code_end || begin < p->code_begin) p->code_begin = begin;
  if (end > p->code_end) p->code_end = end;
  return true;
}

static bool load_segments(struct program *p, const uint8_t *file, size_t size, uint64_t base, char *error,
                          size_t room) {
  const Elf64_Ehdr *header = (const Elf64_Ehdr *)file;
  struct riscv *r = (struct riscv *)p;
  p->data_begin = UINT64_MAX;
  for (unsigned i = 0; i < header->e_phnum; i++) {
    Elf64_Phdr segment;
    uint64_t place = header->e_phoff + (uint64_t)i * sizeof segment;
    if (place > size || sizeof segment > size - place)
      return refuse(error, room, "the file ends in its header: it was cut short");
    memcpy(&segment, file + place, sizeof segment);
    if (segment.p_type == PT_INTERP) return refuse(error, room, "it wants libraries: link it with -static");
    if (segment.p_type == PT_LOAD && !load_segment(p, file, size, &segment, base, error, room)) return false;
  }
  p->data_end = stack_end;
  p->pc = base + header->e_entry;
  r->heap_end = r->heap_begin;
  r->next_mapping = mappings;
  r->mask = 022;
  if (p->code_end > p->code_begin + MOST_CODE) return refuse(error, room, "its code is larger than 256 MiB");
  return program_has_code(p, p->pc) || refuse(error, room, "its first instruction is not in its code");
}

/* ---- the stack ---- */

struct stack {
  struct space *space;
  uint64_t top;
  bool full;
};

static uint64_t push(struct stack *stack, const void *bytes, size_t size) {
  if (size > stack->top - (stack_end - ARGUMENTS)) stack->full = true;
  if (stack->full) return 0;
  stack->top -= size;
  stack->full = !space_load(stack->space, stack->top, bytes, size);
  return stack->top;
}

static void push_number(struct stack *stack, uint64_t number) { push(stack, &number, sizeof number); }

static void push_fact(struct stack *stack, uint64_t kind, uint64_t value) {
  push_number(stack, value);
  push_number(stack, kind);
}

/* From the top: texts, what the system says of itself, no environment, the arguments, their number. */
static bool put_arguments(struct program *p, const Elf64_Ehdr *header, uint64_t base, const char *const *arguments) {
  static const char chance[16] = "sixteen bytes...";
  struct stack stack = {&p->space, stack_end, false};
  size_t count = 0;
  while (arguments[count])
    count++;
  uint64_t random = push(&stack, chance, sizeof chance), texts = stack.top;
  for (size_t i = count; i-- > 0;)
    push(&stack, arguments[i], strlen(arguments[i]) + 1);
  uint64_t first = stack.top;
  stack.top = (stack.top & ~(uint64_t)15) - (count % 2 ? 0 : 8); /* its end will be a multiple of 16 */
  push_fact(&stack, AT_NULL, 0);
  push_fact(&stack, AT_RANDOM, random);
  push_fact(&stack, AT_SECURE, 0);
  push_fact(&stack, AT_ENTRY, base + header->e_entry);
  push_fact(&stack, AT_PAGESZ, PAGES);
  push_fact(&stack, AT_PHNUM, header->e_phnum);
  push_fact(&stack, AT_PHENT, sizeof(Elf64_Phdr));
  push_fact(&stack, AT_PHDR, p->data_begin + header->e_phoff);
  push_number(&stack, 0);
  push_number(&stack, 0);
  uint64_t text = texts;
  for (size_t i = count; i-- > 0;) {
    text -= strlen(arguments[i]) + 1;
    push_number(&stack, text);
  }
  push_number(&stack, count);
  ((struct riscv *)p)->now.integer[2] = stack.top;
  return !stack.full && first > stack_end - ARGUMENTS;
}

bool riscv_load(struct program *p, const uint8_t *file, size_t size, const char *const *arguments, char *error,
                size_t room) {
  const Elf64_Ehdr *header = (const Elf64_Ehdr *)file;
  uint64_t base = header->e_type == ET_DYN ? moved : 0;
  host_files_open(&((struct riscv *)p)->files, p->reach);
  if (header->e_type != ET_EXEC && header->e_type != ET_DYN)
    return refuse(error, room, "it is no program, but a part of one: link it");
  if (header->e_phentsize != sizeof(Elf64_Phdr)) return refuse(error, room, "its header is wrong");
  if (!load_segments(p, file, size, base, error, room)) return false;
  riscv_set_flags(0);
  return (space_allow(&p->space, stack_end - STACK_SIZE, stack_end, true) &&
          put_arguments(p, header, base, arguments)) ||
         refuse(error, room, "its arguments are longer than 1 MiB");
}
