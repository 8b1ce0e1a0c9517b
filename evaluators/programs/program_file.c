/* Reads the tables of ELF files: what a program wants to find in libraries, and what a library has. A function of MPI
 * that is missing is so found before the program starts. */
#include "evaluators/programs/program_file.h"
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct image { /* of a file; what it says of itself is looked at before it is used */
  const unsigned char *bytes;
  size_t size;
  const Elf64_Sym *symbols;
  size_t symbol_count;
  const char *names; /* of symbols and libraries */
  size_t names_size;
  const Elf64_Dyn *dynamic;
  size_t dynamic_count;
  bool interpreted; /* it has a dynamic loader */
  bool movable;     /* it can be loaded anywhere */
  bool has_threads; /* variables of threads */
};

bool program_file_find(const char *name, char path[PATH_MAX], char *error, size_t size) {
  const char *folders = strchr(name, '/') ? "" : getenv("PATH");
  if (!*name) folders = NULL;
  for (const char *at = folders; at;) {
    size_t length = strcspn(at, ":");
    int written = length ? snprintf(path, PATH_MAX, "%.*s/%s", (int)length, at, name)
                         : snprintf(path, PATH_MAX, "%s%s", strchr(name, '/') ? "" : "./", name);
    struct stat status;
    if (written < PATH_MAX && access(path, X_OK) == 0 && stat(path, &status) == 0 && S_ISREG(status.st_mode))
      return true;
    at = at[length] ? at + length + 1 : NULL;
  }
  if (strchr(name, '/') && access(name, F_OK) == 0)
    snprintf(error, size, "'%s' is no file that can be executed", name);
  else if (!strchr(name, '/') && *name && access(name, X_OK) == 0)
    snprintf(error, size, "there is no program '%s' in $PATH; that of this folder is './%s'", name, name);
  else
    snprintf(error, size, "there is no program '%s'", name);
  return false;
}

/* ---- ELF ---- */

static const void *part(const struct image *image, uint64_t offset, uint64_t size) {
  return offset <= image->size && size <= image->size - offset ? image->bytes + offset : NULL;
}

/* The tables of dynamic linking, by the section headers. */
static bool sections_read(struct image *image) {
  const Elf64_Ehdr *head = part(image, 0, sizeof *head);
  if (!head || memcmp(head->e_ident, ELFMAG, SELFMAG) || head->e_ident[EI_CLASS] != ELFCLASS64 ||
      head->e_machine != EM_X86_64)
    return false;
  const Elf64_Phdr *segments = part(image, head->e_phoff, (uint64_t)head->e_phnum * sizeof *segments);
  for (size_t k = 0; segments && k < head->e_phnum; k++)
    image->interpreted |= segments[k].p_type == PT_INTERP, image->has_threads |= segments[k].p_type == PT_TLS;
  image->movable = head->e_type == ET_DYN;
  const Elf64_Shdr *sections = part(image, head->e_shoff, (uint64_t)head->e_shnum * sizeof *sections);
  for (size_t k = 0; sections && k < head->e_shnum; k++) {
    const Elf64_Shdr *section = &sections[k];
    const void *data = part(image, section->sh_offset, section->sh_size);
    if (section->sh_type == SHT_DYNAMIC && data) {
      image->dynamic = data;
      image->dynamic_count = section->sh_size / sizeof *image->dynamic;
    }
    if (section->sh_type != SHT_DYNSYM || !data || section->sh_link >= head->e_shnum) continue;
    image->symbols = data;
    image->symbol_count = section->sh_size / sizeof *image->symbols;
    image->names_size = sections[section->sh_link].sh_size;
    image->names = part(image, sections[section->sh_link].sh_offset, image->names_size);
  }
  if (image->names && (!image->names_size || image->names[image->names_size - 1])) image->names = NULL;
  return true;
}

static bool image_open(struct image *image, const char *path) {
  struct stat status;
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  void *bytes = fstat(file, &status) == 0 && status.st_size > 0
                    ? mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0)
                    : MAP_FAILED;
  close(file);
  if (bytes == MAP_FAILED) return false;
  *image = (struct image){.bytes = bytes, .size = (size_t)status.st_size};
  return true;
}

static void image_close(struct image *image) { munmap((void *)image->bytes, image->size); }

unsigned program_file_processor(const char *path) {
  struct image image;
  if (!image_open(&image, path)) return 0;
  const Elf64_Ehdr *head = part(&image, 0, sizeof *head);
  bool known = head && !memcmp(head->e_ident, ELFMAG, SELFMAG) && head->e_ident[EI_CLASS] == ELFCLASS64 &&
               head->e_ident[EI_DATA] == ELFDATA2LSB;
  unsigned processor = known ? head->e_machine : 0;
  image_close(&image);
  return processor;
}

/* The processor, with what is not as usual: the most significant byte first, 32 bits. */
static void describe_processor(const unsigned char *ident, char *what, size_t size) {
  static const struct {
    unsigned number;
    const char *name;
  } names[] = {{EM_386, "i386"},        {EM_X86_64, "x86-64"},      {EM_ARM, "ARM"},
               {EM_AARCH64, "AArch64"}, {EM_PPC, "PowerPC"},        {EM_PPC64, "PowerPC"},
               {EM_RISCV, "RISC-V"},    {EM_S390, "s390"},          {EM_MIPS, "MIPS"},
               {EM_SPARCV9, "SPARC"},   {EM_LOONGARCH, "LoongArch"}};
  bool big = ident[EI_DATA] == ELFDATA2MSB;
  const unsigned char *machine = ident + offsetof(Elf64_Ehdr, e_machine); /* in the same place of 32 bits */
  unsigned number = big ? machine[0] << 8 | machine[1] : machine[1] << 8 | machine[0];
  char unknown[40];
  const char *name = unknown;
  snprintf(unknown, sizeof unknown, "processor %u of ELF", number);
  for (size_t k = 0; k < sizeof names / sizeof *names; k++)
    if (names[k].number == number) name = names[k].name;
  snprintf(what, size, "%s%s%s", big ? "big-endian " : "", ident[EI_CLASS] == ELFCLASS32 ? "32-bit " : "", name);
}

/* What stands behind #!; env, which looks for the program that is meant, is left out. */
static void describe_interpreter(const char *line, size_t length, char *what, size_t size) {
  static const char *const before[] = {"/usr/bin/env ", "/bin/env ", "-S "};
  line += 2, length -= 2;
  for (size_t k = 0; k < sizeof before / sizeof *before; k++) {
    while (length && (*line == ' ' || *line == '\t'))
      line++, length--;
    size_t skipped = strlen(before[k]);
    if (length > skipped && !strncmp(line, before[k], skipped)) line += skipped, length -= skipped;
  }
  while (length && strchr(" \t\r", line[length - 1]))
    length--;
  snprintf(what, size, "%.*s", (int)length, line);
}

enum program_form program_file_form(const char *path, char *what, size_t size) {
  unsigned char head[256];
  int file = open(path, O_RDONLY | O_CLOEXEC);
  ssize_t count = file < 0 ? -1 : read(file, head, sizeof head);
  if (file >= 0) close(file);
  if (count <= 0) return count ? FORM_UNREADABLE : FORM_EMPTY;
  if ((size_t)count >= sizeof(Elf32_Ehdr) && !memcmp(head, ELFMAG, SELFMAG)) {
    describe_processor(head, what, size);
    return FORM_ELF;
  }
  if (count < 2 || memcmp(head, "#!", 2) != 0) return FORM_UNKNOWN;
  const unsigned char *end = memchr(head, '\n', (size_t)count);
  describe_interpreter((const char *)head, end ? (size_t)(end - head) : (size_t)count, what, size);
  return FORM_SCRIPT;
}

static const char *name_at(const struct image *image, uint64_t place) {
  return image->names && place < image->names_size ? image->names + place : "";
}

static bool needs_library(const struct image *image, const char *beginning) {
  for (size_t k = 0; k < image->dynamic_count; k++)
    if (image->dynamic[k].d_tag == DT_NEEDED &&
        strncmp(name_at(image, image->dynamic[k].d_un.d_val), beginning, strlen(beginning)) == 0)
      return true;
  return false;
}

/* ---- functions of MPI ---- */

/* The length of what Fortran's compilers and the module mpi_f08 put behind a name; 0: it is none of theirs. */
static size_t fortran_ending(const char *name) {
  static const char *const endings[] = {"_f08ts_", "_f08_", "_"};
  size_t length = strlen(name);
  for (size_t k = 0; strncasecmp(name, "mpi_", 4) == 0 && k < sizeof endings / sizeof *endings; k++)
    if (length > strlen(endings[k]) && strcmp(name + length - strlen(endings[k]), endings[k]) == 0)
      return strlen(endings[k]);
  return 0;
}

/* MPI_Send for MPI_Send, PMPI_Send and Fortran's mpi_send_ and mpi_send_f08ts_: false where it is none of these. */
static bool is_mpi(const char *name, const char **from, size_t *length) {
  size_t ending = fortran_ending(name);
  *from = strncmp(name, "PMPI_", 5) == 0 ? name + 1 : name;
  *length = strlen(*from) - ending;
  return ending || strncmp(*from, "MPI_", 4) == 0;
}

/* Fortran's constants are variables that its wrappers look at. */
static bool defines(const struct image *library, const char *name, size_t length) {
  for (size_t k = 0; k < library->symbol_count; k++) {
    const char *has = name_at(library, library->symbols[k].st_name);
    if (library->symbols[k].st_shndx != SHN_UNDEF && strlen(has) == length && strncasecmp(has, name, length) == 0)
      return true;
  }
  return false;
}

/* Of Fortran: one that MPI defines to be given to it, as MPI_COMM_DUP_FN, which stands in its library for Fortran. */
static bool is_given(const char *name, size_t length) {
  static const char *const endings[] = {"_dup_fn", "_null_copy_fn", "_null_delete_fn", "_conversion_fn_null"};
  for (size_t k = 0; fortran_ending(name) && k < sizeof endings / sizeof *endings; k++) {
    size_t size = strlen(endings[k]);
    if (length > size && strncasecmp(name + length - size, endings[k], size) == 0) return true;
  }
  return false;
}

/* Names up to four functions that are missing. */
static bool all_defined(const struct image *program, const struct image *library, char *error, size_t size) {
  size_t missing = 0, used = 0;
  for (size_t k = 0; k < program->symbol_count; k++) {
    const Elf64_Sym *symbol = &program->symbols[k];
    const char *name;
    size_t length;
    if (symbol->st_shndx != SHN_UNDEF || !is_mpi(name_at(program, symbol->st_name), &name, &length)) continue;
    if (is_given(name, length) || defines(library, name, length)) continue;
    if (++missing <= 4 && used < size)
      used += (size_t)snprintf(error + used, size - used, "%s%.*s", missing == 1 ? "the program uses " : ", ",
                               (int)length, name);
  }
  if (missing && used < size)
    snprintf(error + used, size - used,
             missing > 4 ? " and %zu more, which psl mpirun does not have" : ", which psl mpirun does not have",
             missing - 4);
  return !missing;
}

/* Of a program of Open MPI: by the library of its language. */
static const char *compiler_of(const struct image *program) {
  bool fortran = needs_library(program, "libmpi_mpifh") || needs_library(program, "libmpi_usempi");
  return fortran                                                                       ? "mpifort"
         : needs_library(program, "libmpi_cxx") || needs_library(program, "libstdc++") ? "mpicxx"
                                                                                       : "mpicc";
}

static bool checked(const struct image *program, const struct image *library, const char *path, char *error,
                    size_t size) {
  if (!program->interpreted)
    snprintf(error, size, "'%s' is linked statically: link it with shared libraries", path);
  else if (needs_library(program, "libmpi.so.40") || needs_library(program, "libmpi_"))
    snprintf(
        error, size,
        "'%s' is compiled for Open MPI, and psl mpirun has the binary interface of MPICH: compile it with psl %s, or "
        "trace a real run of it, psl trace mpirun ..., which psl replay predicts for other machines",
        path, compiler_of(program));
  else if (!needs_library(program, "libmpich") && !needs_library(program, "libmpi.so.12"))
    snprintf(error, size, "'%s' is no program of MPI: it is not linked with MPICH's library", path);
  else
    return all_defined(program, library, error, size);
  return false;
}

/* ---- what ranks in one process would share ---- */

static bool among(const char *name, const char *const *names) {
  while (*names && strcmp(*names, name) != 0)
    names++;
  return *names != NULL;
}

static bool begins_among(const char *name, const char *const *begins) {
  while (*begins && strncmp(*begins, name, strlen(*begins)) != 0)
    begins++;
  return *begins != NULL;
}

/* Is it of a program in Fortran what MPI knows by its place, as MPI_STATUS_IGNORE? */
static bool is_place(const char *name) { return strncmp(name, "mpipriv", 7) == 0 || strncmp(name, "mpifcmb", 7) == 0; }

/* Such a variable is the program's own, and the library takes that of one rank for all. A sliced program has none; what
 * psl-sliced.o calls it by tells it. */
static bool is_sliced(const struct image *image) {
  bool sliced = false;
  for (size_t k = 0; k < image->symbol_count; k++) {
    const char *name = name_at(image, image->symbols[k].st_name);
    if (is_place(name)) return false;
    sliced |= strcmp(name, "MPI_Pcontrol") == 0;
  }
  return sliced;
}

/* The libraries whose variables do not matter to programs, or are looked after by name below. */
static const char *foreign_library(const struct image *image) {
  static const char *const known[] = {"libc.so.",       "libm.so.",      "libmpich.so.",   "libmpi.so.12",
                                      "libpthread.so.", "libdl.so.",     "librt.so.",      "libgcc_s.so.",
                                      "ld-linux",       "libstdc++.so.", "libgfortran.so", "libquadmath.so.",
                                      "libmvec.so.",    "libblas.so.",   "liblapack.so.",  NULL};
  for (size_t k = 0; k < image->dynamic_count; k++) {
    if (image->dynamic[k].d_tag != DT_NEEDED) continue;
    const char *name = name_at(image, image->dynamic[k].d_un.d_val);
    bool fortran = strncmp(name, "libmpichfort.so.", 16) == 0 && is_sliced(image);
    if (!fortran && !begins_among(name, known)) return name;
  }
  return NULL;
}

/* Functions that keep something for the whole process, or change it. */
static bool keeps_state(const char *name) {
  static const char *const functions[] = {"initstate",
                                          "setstate",
                                          "hcreate",
                                          "getenv_r",
                                          "setenv",
                                          "putenv",
                                          "unsetenv",
                                          "clearenv",
                                          "chdir",
                                          "fchdir",
                                          "umask",
                                          "setlocale",
                                          "signal",
                                          "sigaction",
                                          "sigaltstack",
                                          "sigprocmask",
                                          "pthread_sigmask",
                                          "alarm",
                                          "ualarm",
                                          "setitimer",
                                          "timer_create",
                                          "pthread_create",
                                          "thrd_create",
                                          "clone",
                                          "aio_read",
                                          "aio_write",
                                          "lio_listio",
                                          "getaddrinfo_a",
                                          "mq_notify",
                                          "fork",
                                          "vfork",
                                          "posix_spawn",
                                          "posix_spawnp",
                                          "execv",
                                          "execve",
                                          "execvp",
                                          "execl",
                                          "execlp",
                                          "execle",
                                          "execvpe",
                                          "fexecve",
                                          "quick_exit",
                                          "on_exit",
                                          "freopen",
                                          "dup2",
                                          "dup3",
                                          "setrlimit",
                                          "scanf",
                                          "__isoc99_scanf",
                                          "__isoc23_scanf",
                                          "getchar",
                                          "gets",
                                          "argp_parse",
                                          "_gfortran_st_open",
                                          "_gfortran_st_close",
                                          "_gfortran_random_r4",
                                          "_gfortran_random_r8",
                                          "_gfortran_random_r10",
                                          "_gfortran_random_r16",
                                          "_gfortran_arandom_r4",
                                          "_gfortran_arandom_r8",
                                          "_gfortran_random_seed_i4",
                                          "_gfortran_random_seed_i8",
                                          "_gfortran_rand",
                                          "_gfortran_irand",
                                          "_gfortran_srand",
                                          "_gfortran_chdir_i4",
                                          "_gfortran_chdir_i4_sub",
                                          NULL};
  return among(name, functions);
}

/* The same of C++'s library, and its variables, by what C++ calls them; NULL: it is none. */
static const char *of_cxx(const char *name) {
  static const struct {
    const char *begin, *said;
  } names[] = {{"_ZNSt6thread15_M_start_thread", "std::thread"},
               {"_ZNSt6locale6global", "std::locale::global"},
               {"_ZSt13set_terminate", "std::set_terminate"},
               {"_ZSt15set_new_handler", "std::set_new_handler"},
               {"_ZSt3cin", "std::cin"},
               {"_ZSt4wcin", "std::wcin"},
               {"_ZSt5wcout", "std::wcout"},
               {"_ZSt5wcerr", "std::wcerr"},
               {"_ZSt5wclog", "std::wclog"}};
  for (size_t k = 0; k < sizeof names / sizeof *names; k++)
    if (strncmp(name, names[k].begin, strlen(names[k].begin)) == 0) return names[k].said;
  return NULL;
}

/* A variable that libraries know, too: they have one for all ranks. Pointers to the streams, and to what MPI knows by
 * its place, are the same for all; what getopt and the program tell each other by, the library for MPI looks after
 * (kept_state.c); of C++'s streams for writing a copy writes where the first one does; and that there is one thread for
 * the ranks does not change. */
static bool shared_variable(const Elf64_Sym *symbol, const char *name) {
  static const char *const fine[] = {"stdout",
                                     "stderr",
                                     "environ",
                                     "__environ",
                                     "_environ",
                                     "_IO_stdin_used",
                                     "MPI_UNWEIGHTED",
                                     "MPI_WEIGHTS_EMPTY",
                                     "optarg",
                                     "optind",
                                     "opterr",
                                     "optopt",
                                     "_ZSt4cout",
                                     "_ZSt4cerr",
                                     "_ZSt4clog",
                                     "_ZSt7nothrow",
                                     "__libc_single_threaded",
                                     NULL};
  static const char *const constants[] = {"_ZTV", "_ZTI", "_ZTS", "_ZTT", NULL}; /* C++'s tables of classes */
  size_t length = strlen(name);
  bool facet = strncmp(name, "_ZNSt", 5) == 0 && length > 4 && strcmp(name + length - 4, "2idE") == 0; /* its number */
  return symbol->st_shndx != SHN_UNDEF && ELF64_ST_TYPE(symbol->st_info) == STT_OBJECT && symbol->st_size && !facet &&
         !begins_among(name, constants) && !among(name, fine);
}

/* NULL: nothing. */
static const char *shared_name(const struct image *program) {
  for (size_t k = 0; k < program->symbol_count; k++) {
    const Elf64_Sym *symbol = &program->symbols[k];
    const char *name = name_at(program, symbol->st_name);
    const char *cxx = of_cxx(name);
    if (cxx) return cxx;
    if (is_place(name)) continue; /* the library is said */
    if (symbol->st_shndx == SHN_UNDEF ? keeps_state(name) : shared_variable(symbol, name)) return name;
  }
  return foreign_library(program);
}

bool program_file_inside(const char *path, char *error, size_t size) {
  struct image program;
  if (!image_open(&program, path)) {
    snprintf(error, size, "'%s' cannot be read: %s", path, strerror(errno));
    return false;
  }
  sections_read(&program);
  const char *name = shared_name(&program);
  if (!program.movable)
    snprintf(error, size, "'%s' is linked to be at one place of memory (-no-pie): --ranks processes runs it", path);
  else if (program.has_threads)
    snprintf(error, size,
             "'%s' has thread-local variables, which ranks in one process would share: --ranks processes "
             "runs it",
             path);
  else if (name)
    snprintf(error, size, "'%s' uses %s, which ranks in one process would share: --ranks processes runs it", path,
             name);
  bool fine = program.movable && !program.has_threads && !name;
  image_close(&program);
  return fine;
}

bool program_file_check(const char *path, const char *library, char *error, size_t size) {
  struct image program, own;
  if (!image_open(&program, path)) {
    snprintf(error, size, "'%s' cannot be read: %s", path, strerror(errno));
    return false;
  }
  bool fine = sections_read(&program);
  if (!fine && program.size > 2 && memcmp(program.bytes, "#!", 2) == 0)
    snprintf(error, size, "'%s' is a script: what runs on the ranks is the program that it starts", path);
  else if (!fine)
    snprintf(error, size, "'%s' is no program for this processor", path);
  if (fine && !image_open(&own, library)) {
    snprintf(error, size, "'%s' cannot be read: %s", library, strerror(errno));
    fine = false;
  } else if (fine) {
    fine = sections_read(&own) && checked(&program, &own, path, error, size);
    image_close(&own);
  }
  image_close(&program);
  return fine;
}
