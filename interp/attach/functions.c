/* Reads the tables of symbols of what a process has in memory: ELF of 64 bits. */
#include "interp/attach/functions.h"

#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct image { /* a file in this process's memory */
  const char *bytes;
  size_t size;
};

static bool image_open(struct image *image, const char *path) {
  struct stat status;
  int file = open(path, O_RDONLY | O_CLOEXEC);
  image->bytes = MAP_FAILED;
  if (file >= 0 && fstat(file, &status) == 0 && (size_t)status.st_size >= sizeof(Elf64_Ehdr)) {
    image->size = (size_t)status.st_size;
    image->bytes = mmap(NULL, image->size, PROT_READ, MAP_PRIVATE, file, 0);
  }
  if (file >= 0) close(file);
  return image->bytes != MAP_FAILED;
}

static void image_close(struct image *image) { munmap((void *)image->bytes, image->size); }

/* So many bytes there; NULL: the file has not so many. */
static const void *bytes_at(const struct image *image, uint64_t at, uint64_t size) {
  return at <= image->size && size <= image->size - at ? image->bytes + at : NULL;
}

static const Elf64_Ehdr *header_of(const struct image *image) {
  const Elf64_Ehdr *header = bytes_at(image, 0, sizeof *header);
  bool fine = header && !memcmp(header->e_ident, ELFMAG, SELFMAG) && header->e_ident[EI_CLASS] == ELFCLASS64;
  return fine ? header : NULL;
}

/* The address of the symbol as the file has it, in tables of that kind; 0: none. */
static uint64_t symbol_in(const struct image *image, const Elf64_Ehdr *header, uint32_t kind, const char *name,
                          bool *any) {
  const Elf64_Shdr *sections = bytes_at(image, header->e_shoff, (uint64_t)header->e_shnum * sizeof *sections);
  for (unsigned s = 0; sections && s < header->e_shnum; s++) {
    const Elf64_Shdr *table = &sections[s];
    if (table->sh_type != kind || table->sh_link >= header->e_shnum) continue;
    const Elf64_Sym *symbols = bytes_at(image, table->sh_offset, table->sh_size);
    const Elf64_Shdr *texts = &sections[table->sh_link];
    const char *text = bytes_at(image, texts->sh_offset, texts->sh_size);
    if (!symbols || !text || !texts->sh_size || text[texts->sh_size - 1]) continue;
    *any = true;
    for (uint64_t k = 0; k < table->sh_size / sizeof *symbols; k++) {
      const Elf64_Sym *symbol = &symbols[k];
      bool defined = ELF64_ST_TYPE(symbol->st_info) == STT_FUNC && symbol->st_shndx != SHN_UNDEF;
      if (defined && symbol->st_name < texts->sh_size && !strcmp(text + symbol->st_name, name)) return symbol->st_value;
    }
  }
  return 0;
}

/* What is to be added to addresses of the file where its first part stands at `base`. */
static uint64_t bias_of(const struct image *image, const Elf64_Ehdr *header, uint64_t base, uint64_t offset) {
  const Elf64_Phdr *parts = bytes_at(image, header->e_phoff, (uint64_t)header->e_phnum * sizeof *parts);
  for (unsigned p = 0; parts && p < header->e_phnum; p++)
    if (parts[p].p_type == PT_LOAD && parts[p].p_offset <= offset && offset - parts[p].p_offset < parts[p].p_filesz)
      return base - offset - (parts[p].p_vaddr - parts[p].p_offset);
  return base - offset;
}

static enum found find_in(const char *path, const char *name, uint64_t base, uint64_t offset,
                          struct found_function *found) {
  struct image image;
  bool any = false;
  if (!image_open(&image, path)) return FUNCTION_MISSING;
  const Elf64_Ehdr *header = header_of(&image);
  enum found result = FUNCTION_MISSING;
  if (header && header->e_machine != EM_X86_64)
    result = FUNCTION_FOREIGN;
  else if (header) {
    uint64_t value = symbol_in(&image, header, SHT_SYMTAB, name, &any);
    if (!any) result = FUNCTION_STRIPPED;
    if (!value) value = symbol_in(&image, header, SHT_DYNSYM, name, &any);
    found->file_offset = value;
    found->address = value + bias_of(&image, header, base, offset);
    if (value) result = FUNCTION_FOUND;
  }
  image_close(&image);
  return result;
}

/* What stands in memory by a file, each file once: its first part. */
enum found function_find(pid_t process, const char *name, struct found_function *found) {
  char maps[64], line[4400], path[4096], last[4096] = "";
  enum found result = FUNCTION_MISSING, first = FUNCTION_MISSING;
  snprintf(maps, sizeof maps, "/proc/%d/maps", (int)process);
  FILE *file = fopen(maps, "re");
  while (file && result != FUNCTION_FOUND && fgets(line, sizeof line, file)) {
    unsigned long long base, offset;
    int at = 0;
    if (sscanf(line, "%llx-%*x %*s %llx %*s %*s %n", &base, &offset, &at) < 2 || !at || line[at] != '/') continue;
    line[strcspn(line, "\n")] = '\0';
    if (!strcmp(line + at, last)) continue;
    snprintf(path, sizeof path, "/proc/%d/root%.4050s", (int)process, line + at);
    snprintf(found->file, sizeof found->file, "%.4095s", path);
    result = find_in(path, name, base, offset, found);
    if (!*last) first = result;
    snprintf(last, sizeof last, "%.4090s", line + at);
  }
  if (file) fclose(file);
  return result == FUNCTION_FOUND ? result : first;
}
