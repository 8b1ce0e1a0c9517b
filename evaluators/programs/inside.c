/* The ranks of a program in psl's own process. Each rank has a stack, and psl goes to it and back (strand.h). What such
 * ranks would share by mistake, program_file.c finds before the start.
 *
 * The loader loads the program once, and nobody runs there: a rank has a copy, in which the addresses are moved along
 * and whose constructors are called then. What is as it stands in the file, all copies share.
 *
 * A program that asks the loader for something may ask where its parts are, and is loaded by it once a rank, each time
 * from a file in memory of its own, since the loader takes what has the name or the inode of something loaded for
 * that. Once a rank's addresses are filled in, all that is still as it stands in the file is mapped from the one copy
 * that the ranks share, and what the loader has mapped is gone. */
#include "evaluators/programs/crash_place.h"
#include "evaluators/programs/inside.h"
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <malloc.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#define SEGMENTS 16
#define ALARM SIGVTALRM /* psl itself has SIGALRM */
#define NOBODY UINT32_MAX
#define IGNORED 0x60000000 /* a tag of dynamic sections that loaders know nothing of */
#define FORTRAN "libmpichfort.so."

struct strand { /* of a rank */
  struct inside *inside;
  uint32_t rank;
  void *stack; /* its lowest address; NULL: not started */
  int killed_by;
};

struct original { /* what the loader has loaded, of which the ranks have copies; places are less its address */
  bool copied;
  uintptr_t address; /* 0: not loaded yet */
  struct stretch {
    size_t place, size;
  } * pages; /* those that are not as they stand in the file */
  size_t page_count;
  size_t *words; /* places of addresses that lie in the program */
  size_t word_count;
  struct variable {
    size_t place, size;
    const void *value;
  } * variables; /* of libraries, of which the program has a copy of its own */
  size_t variable_count;
  size_t firsts, first_count; /* its constructors: where a list is of those that come before all others, */
  size_t init, beginnings, beginning_count; /* a function, and where the list of others is */
};

struct inside {
  struct area *area;
  char **words;
  void *library;
  void (*rank_open)(struct area *area, uint32_t number);
  unsigned char *image; /* the program's file, as it is loaded */
  size_t image_size;
  int image_file; /* the same */
  const Elf64_Phdr *segments;
  uint32_t segment_count;
  uintptr_t entry;
  struct original original;
  size_t page, stack_size;
  uint32_t running;
  bool damaged; /* a rank has crashed: what it has done to psl's memory is not known */
  stack_t signal_stack, signal_stack_before;
  struct sigaction before[CRASH_COUNT], alarm_before; /* by `signals`; of ALARM */
  timer_t alarm;
  bool alarm_made, asking; /* is it being asked whether psl can go on? */
  sigjmp_buf answered;     /* no */
  struct strand strands[];
};

/* ---- crashes ---- */

static const int signals[] = CRASHES;
static struct inside *_Atomic watched;
static const char help[] = "help: with --ranks processes a rank has memory of its own\n";

static void say(const char *text) {
  if (write(STDERR_FILENO, text, strlen(text)) < 0) return; /* nothing can be done about it */
}

static void on_alarm(int number) {
  (void)number;
  if (watched && watched->asking) siglongjmp(watched->answered, 1);
}

/* psl takes memory from where the rank has it. What the C library was about there as the rank crashed stays locked, as
 * when it has found that a block is freed twice: then whoever looks at all of it, waits; or crashes as well. */
static bool memory_goes_on(struct inside *in) {
  enum { MOST_MS = 300 };
  if (sigsetjmp(in->answered, 1)) return false;
  in->asking = true;
  timer_settime(in->alarm, 0, &(struct itimerspec){.it_value = {0, MOST_MS * 1000000}}, NULL);
  mallinfo2();
  in->asking = false;
  timer_settime(in->alarm, 0, &(struct itimerspec){0}, NULL);
  return true;
}

/* psl can say no more than what needs no memory: which line that is would. */
static _Noreturn void end_at_once(const struct inside *in, int number) {
  const struct seat *seat = &in->area->seats[in->running];
  const void *site = seat->crashed_at ? seat->crashed_at
                     : seat->site     ? seat->site
                     : seat->added    ? seat->slots[seat->added - 1].site
                                      : NULL;
  const char *slash = strrchr(*in->words, '/'), *what = sigdescr_np(number);
  char text[400];
  snprintf(
      text, sizeof text,
      "psl: error: %.80s+%#llx: rank %u: the program ends by signal %d (%s), amid the memory that it shares with psl\n",
      slash ? slash + 1 : *in->words, site ? (unsigned long long)((const char *)site - seat->base) : 0, in->running,
      number, what ? what : "unknown");
  say(text);
  say(help);
  _exit(1);
}

/* Of a rank: psl goes on and says so, if it can. Of psl itself, whose memory a rank may have written to: it ends, as it
 * would. */
static void on_crash(int number) {
  struct inside *in = watched;
  if (in->running == NOBODY) {
    say(in->damaged ? "psl: error: a rank of the program has crashed, and psl with it: they share their memory\n"
                    : "psl: error: psl has crashed beside ranks of a program, with which it shares its memory\n");
    say(help);
    signal(number, SIG_DFL);
    raise(number);
    return;
  }
  if (in->asking) siglongjmp(in->answered, 1);
  struct seat *seat = &in->area->seats[in->running];
  in->damaged = true;
  seat->crashed_at = crash_place(seat->base, seat->end);
  if (!memory_goes_on(in)) end_at_once(in, number);
  in->strands[in->running].killed_by = number;
  turn_inside(in->area, seat, TURN_OF_PSL);
}

static bool crashes_watch(struct inside *in) {
  struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = ALARM, ._sigev_un._tid = gettid()};
  in->signal_stack.ss_size = 64 << 10;
  in->signal_stack.ss_sp = malloc(in->signal_stack.ss_size);
  in->alarm_made = timer_create(CLOCK_MONOTONIC, &event, &in->alarm) == 0;
  if (!in->signal_stack.ss_sp || !in->alarm_made) return false;
  sigaltstack(&in->signal_stack, &in->signal_stack_before);
  watched = in;
  struct sigaction action = {.sa_handler = on_crash, .sa_flags = SA_ONSTACK | SA_NODEFER};
  for (size_t k = 0; k < sizeof signals / sizeof *signals; k++)
    sigaction(signals[k], &action, &in->before[k]);
  sigaction(ALARM, &(struct sigaction){.sa_handler = on_alarm}, &in->alarm_before);
  return true;
}

static void crashes_leave(struct inside *in) {
  if (in->alarm_made) timer_delete(in->alarm);
  if (watched != in) {
    free(in->signal_stack.ss_sp);
    return;
  }
  for (size_t k = 0; k < sizeof signals / sizeof *signals; k++)
    sigaction(signals[k], &in->before[k], NULL);
  sigaction(ALARM, &in->alarm_before, NULL);
  sigaltstack(&in->signal_stack_before, NULL);
  watched = NULL;
  free(in->signal_stack.ss_sp);
}

/* ---- the program's file ---- */

static const Elf64_Phdr *segment_of(const struct inside *in, uint32_t type) {
  for (uint32_t k = 0; k < in->segment_count; k++)
    if (in->segments[k].p_type == type) return &in->segments[k];
  return NULL;
}

static const Elf64_Dyn *dynamic_of(const struct inside *in, Elf64_Sxword tag) {
  const Elf64_Phdr *segment = segment_of(in, PT_DYNAMIC);
  const Elf64_Dyn *dynamic = (const Elf64_Dyn *)(in->image + segment->p_offset);
  for (size_t k = 0; k < segment->p_filesz / sizeof *dynamic; k++)
    if (dynamic[k].d_tag == tag) return &dynamic[k];
  return NULL;
}
static size_t dynamic_value(const struct inside *in, Elf64_Sxword tag) {
  const Elf64_Dyn *found = dynamic_of(in, tag);
  return found ? found->d_un.d_val : 0;
}

/* What is at that address of the program as it stands in its file; NULL: it is not there. */
static const void *image_at(const struct inside *in, size_t place, size_t size) {
  for (uint32_t k = 0; k < in->segment_count; k++) {
    const Elf64_Phdr *segment = &in->segments[k];
    if (segment->p_type == PT_LOAD && place >= segment->p_vaddr && place - segment->p_vaddr <= segment->p_filesz &&
        size <= segment->p_filesz - (place - segment->p_vaddr))
      return in->image + segment->p_offset + (place - segment->p_vaddr);
  }
  return NULL;
}

/* All names in the program, one behind the other. */
static const char *image_strings(const struct inside *in) {
  return image_at(in, dynamic_value(in, DT_STRTAB), dynamic_value(in, DT_STRSZ));
}

/* Is there a name in the program that begins so? */
static bool image_names(const struct inside *in, const char *begin) {
  size_t size = dynamic_value(in, DT_STRSZ);
  const char *names = image_strings(in);
  for (size_t at = 0; names && at < size; at += strnlen(names + at, size - at) + 1)
    if (strncmp(names + at, begin, strlen(begin)) == 0) return true;
  return false;
}

/* Does it ask the loader for nothing? Among its names are those of functions that do. */
static bool image_can_be_copied(const struct inside *in) {
  static const char *const asking[] = {"dl", "_dl", "backtrace", "_Unwind", "__cxa_begin_catch"};
  if (segment_of(in, PT_TLS) || dynamic_of(in, DT_TEXTREL) || dynamic_of(in, DT_RELR) || !image_names(in, ""))
    return false;
  for (size_t k = 0; k < sizeof asking / sizeof *asking; k++)
    if (image_names(in, asking[k])) return false;
  return true;
}

/* The library of MPI is asked for a function before its wrappers for Fortran, before which it stands. */
static void libraries_order(const char *names, Elf64_Dyn *dynamic, size_t count) {
  Elf64_Dyn *wrappers = NULL;
  for (size_t k = 0; names && k < count; k++) {
    if (dynamic[k].d_tag != DT_NEEDED) continue;
    const char *name = names + dynamic[k].d_un.d_val;
    if (strncmp(name, FORTRAN, strlen(FORTRAN)) == 0) wrappers = &dynamic[k];
    if (!wrappers || strncmp(name, "libmpich.so.", 12) != 0) continue;
    Elf64_Xword other = wrappers->d_un.d_val;
    wrappers->d_un.d_val = dynamic[k].d_un.d_val;
    dynamic[k].d_un.d_val = other;
    return;
  }
}

/* It is loaded as a library, so it must not say that it is a program. Its destructors are called at a rank's end, and
 * its constructors at the beginning, when its variables are there. */
static void image_change(struct inside *in) {
  struct original *o = &in->original;
  const Elf64_Phdr *segment = segment_of(in, PT_DYNAMIC);
  Elf64_Dyn *dynamic = (Elf64_Dyn *)(in->image + segment->p_offset);
  in->area->endings = dynamic_value(in, DT_FINI_ARRAY);
  in->area->ending_count = dynamic_value(in, DT_FINI_ARRAYSZ) / sizeof(void *);
  o->firsts = dynamic_value(in, DT_PREINIT_ARRAY);
  o->first_count = dynamic_value(in, DT_PREINIT_ARRAYSZ) / sizeof(void *);
  o->init = dynamic_value(in, DT_INIT);
  o->beginnings = dynamic_value(in, DT_INIT_ARRAY);
  o->beginning_count = dynamic_value(in, DT_INIT_ARRAYSZ) / sizeof(void *);
  for (size_t k = 0; k < segment->p_filesz / sizeof *dynamic; k++) {
    Elf64_Sxword tag = dynamic[k].d_tag;
    if (tag == DT_FLAGS_1) dynamic[k].d_un.d_val &= ~(Elf64_Xword)DF_1_PIE;
    if (tag == DT_FINI_ARRAY || tag == DT_FINI || tag == DT_INIT_ARRAY || tag == DT_INIT) dynamic[k].d_tag = IGNORED;
  }
  libraries_order(image_strings(in), dynamic, segment->p_filesz / sizeof *dynamic);
}

/* What stands behind the segments is for debuggers, and is left out. */
static bool image_parts(struct inside *in) {
  const Elf64_Ehdr *head = (const Elf64_Ehdr *)in->image;
  if (in->image_size < sizeof *head || head->e_phoff > in->image_size ||
      head->e_phnum * sizeof *in->segments > in->image_size - head->e_phoff)
    return false;
  in->segments = (const Elf64_Phdr *)(in->image + head->e_phoff);
  in->segment_count = head->e_phnum;
  in->entry = head->e_entry;
  size_t used = head->e_phoff + head->e_phnum * sizeof *in->segments;
  for (uint32_t k = 0; k < in->segment_count; k++) {
    const Elf64_Phdr *segment = &in->segments[k];
    if (segment->p_type != PT_LOAD && segment->p_type != PT_DYNAMIC) continue;
    if (segment->p_offset > in->image_size || segment->p_filesz > in->image_size - segment->p_offset) return false;
    size_t end = segment->p_offset + segment->p_filesz;
    if (end > used) used = end;
    if (segment->p_vaddr + segment->p_memsz > in->area->program_size)
      in->area->program_size = segment->p_vaddr + segment->p_memsz;
  }
  in->image_size = used;
  return segment_of(in, PT_DYNAMIC) != NULL;
}

static bool all_written(int file, const unsigned char *bytes, size_t size) {
  for (ssize_t done; size; bytes += done, size -= (size_t)done)
    if ((done = write(file, bytes, size)) <= 0) return false;
  return true;
}

static bool image_open(struct inside *in) {
  struct stat status;
  int file = open(*in->words, O_RDONLY | O_CLOEXEC);
  bool fine = file >= 0 && fstat(file, &status) == 0 && status.st_size > 0;
  if (fine) in->image = malloc(in->image_size = (size_t)status.st_size);
  fine = fine && in->image && read(file, in->image, in->image_size) == status.st_size && image_parts(in);
  if (file >= 0) close(file);
  if (!fine) return false;
  in->original.copied = image_can_be_copied(in);
  image_change(in);
  in->image_file = memfd_create("psl-program-shared", MFD_CLOEXEC);
  return in->image_file >= 0 && all_written(in->image_file, in->image, in->image_size);
}

/* ---- what mappings lack ---- */

enum { MAPPINGS_SLACK = 64 }; /* more than a step needs that has failed */

/* Lines of /proc/self/maps; no memory is taken for it. */
static size_t mappings(void) {
  char buffer[16 * 1024];
  size_t lines = 0;
  int file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  for (ssize_t got; file >= 0 && (got = read(file, buffer, sizeof buffer)) > 0;)
    for (const char *at = buffer; (at = memchr(at, '\n', (size_t)(buffer + got - at))); at++)
      lines++;
  if (file >= 0) close(file);
  return lines;
}

static size_t mappings_most(void) {
  char text[32] = "";
  int file = open("/proc/sys/vm/max_map_count", O_RDONLY | O_CLOEXEC);
  ssize_t got = file < 0 ? 0 : read(file, text, sizeof text - 1);
  if (file >= 0) close(file);
  return got > 0 ? strtoull(text, NULL, 10) : 0;
}

/* Nothing more can be mapped, though memory may be free: a process has so many mappings, and a rank takes some. False:
 * that is not what lacks. */
static bool say_mappings_lack(char *error, size_t error_size) {
  size_t most = mappings_most();
  if (!most || mappings() + MAPPINGS_SLACK < most) return false;
  snprintf(error, error_size,
           "its program cannot be mapped: the system's limit vm.max_map_count of %zu mappings is reached", most);
  return true;
}

/* ---- loading ---- */

/* Another name of the same file for each rank: its number in slashes with and without a dot. */
static void name_for(uint32_t rank, int file, char name[128]) {
  char *at = name + sprintf(name, "/proc/self/fd");
  for (uint32_t bit = 0; bit < 20; bit++)
    at += sprintf(at, rank >> bit & 1 ? "/." : "/");
  sprintf(at, "/%d", file);
}

/* A segment's pages from the file: those that are as they stand there are of the copy that the ranks share. */
static bool segment_share(const struct inside *in, const Elf64_Phdr *segment, uintptr_t base) {
  size_t skip = segment->p_offset & (in->page - 1);
  size_t size = (segment->p_filesz + skip + in->page - 1) & ~(in->page - 1);
  unsigned char *place = (unsigned char *)(base + segment->p_vaddr - skip);
  bool writable = segment->p_flags & PF_W;
  int protection = PROT_READ | (writable ? PROT_WRITE : 0) | (segment->p_flags & PF_X ? PROT_EXEC : 0);
  if (!size) return true;
  unsigned char *now = writable ? malloc(size) : NULL;
  if (writable && !now) return false;
  if (writable) memcpy(now, place, size);
  bool fine = mmap(place, size, protection, MAP_PRIVATE | MAP_FIXED, in->image_file,
                   (off_t)(segment->p_offset - skip)) != MAP_FAILED;
  for (size_t k = 0; fine && writable && k < size; k += in->page)
    if (memcmp(place + k, now + k, in->page) != 0) memcpy(place + k, now + k, in->page);
  free(now);
  return fine;
}

/* MPI's wrappers for Fortran call functions that psl's library has not, and the program does not. */
static void *library_open(const char *name) {
  int when = strncmp(name, FORTRAN, strlen(FORTRAN)) == 0 ? RTLD_LAZY : RTLD_NOW;
  return dlopen(name, when | RTLD_LOCAL);
}

/* The next library that the program names, from that entry of its dynamic section on; NULL: none is left. */
static void *library_next(const struct inside *in, size_t *entry) {
  const Elf64_Phdr *segment = segment_of(in, PT_DYNAMIC);
  const Elf64_Dyn *dynamic = (const Elf64_Dyn *)(in->image + segment->p_offset);
  const char *names = image_strings(in);
  void *library = NULL;
  for (; names && !library && *entry < segment->p_filesz / sizeof *dynamic; ++*entry)
    if (dynamic[*entry].d_tag == DT_NEEDED) library = library_open(names + dynamic[*entry].d_un.d_val);
  return library;
}

/* The libraries are there before the program, whose variables they would take for their own; and C++'s streams begin
 * before they are copied. */
static void libraries_open(const struct inside *in) {
  static char user; /* an object of ios_base::Init has nothing in it */
  size_t entry = 0;
  for (void *library; (library = library_next(in, &entry));) {
    void (*streams_begin)(void *) = (void (*)(void *))dlsym(library, "_ZNSt8ios_base4InitC1Ev");
    if (streams_begin) streams_begin(&user);
  }
}

/* Where that variable is, of the libraries that the program names; NULL: in none. */
static const void *variable_of_library(const struct inside *in, const char *name) {
  size_t entry = 0;
  const void *found = dlsym(in->library, name);
  for (void *library; !found && (library = library_next(in, &entry)); dlclose(library))
    found = dlsym(library, name);
  return found;
}

/* Variables of libraries that the program has a copy of: the loader finds the program's own ones, since it takes it
 * for a library, and nothing to copy. */
static bool variables_find(struct inside *in) {
  struct original *o = &in->original;
  size_t size = dynamic_value(in, DT_RELASZ);
  const Elf64_Rela *entries = image_at(in, dynamic_value(in, DT_RELA), size);
  const char *names = image_strings(in);
  size_t symbols = dynamic_value(in, DT_SYMTAB);
  size_t count = entries ? size / sizeof *entries : 0;
  if (o->variables) return true;
  o->variables = calloc(count + 1, sizeof *o->variables);
  for (size_t k = 0; o->variables && k < count; k++) {
    if (ELF64_R_TYPE(entries[k].r_info) != R_X86_64_COPY) continue;
    const Elf64_Sym *symbol = image_at(in, symbols + ELF64_R_SYM(entries[k].r_info) * sizeof *symbol, sizeof *symbol);
    const void *value = symbol ? variable_of_library(in, names + symbol->st_name) : NULL;
    if (value) o->variables[o->variable_count++] = (struct variable){entries[k].r_offset, symbol->st_size, value};
  }
  return o->variables != NULL;
}

/* What points into such a variable, as C++'s std::cerr to std::cout, points into the program's own one. */
static void variables_copy(const struct original *o, uintptr_t base) {
  for (size_t k = 0; k < o->variable_count; k++) {
    const struct variable *variable = &o->variables[k];
    char *copy = (char *)base + variable->place;
    memcpy(copy, variable->value, variable->size);
    for (size_t at = 0; at + sizeof(uintptr_t) <= variable->size; at += sizeof(uintptr_t))
      for (size_t other = 0; other < o->variable_count; other++) {
        uintptr_t word, value = (uintptr_t)o->variables[other].value;
        memcpy(&word, copy + at, sizeof word);
        if (word - value >= o->variables[other].size) continue;
        word += base + o->variables[other].place - value;
        memcpy(copy + at, &word, sizeof word);
        break;
      }
  }
}

/* As they are at the beginning of a process, whatever other ranks have read meanwhile. */
static void options_begin(const struct area *area, uintptr_t base) {
  const int values[OPTION_VARIABLES] = {[OPTION_PLACE] = 1, [OPTION_SAYS] = 1, [OPTION_UNKNOWN] = '?'};
  for (size_t k = 0; k < OPTION_VARIABLES; k++)
    if (area->option_variables[k] && k != OPTION_ARGUMENT)
      memcpy((char *)base + area->option_variables[k], &values[k], sizeof values[k]);
}

/* Where the program has what it shares with functions that each rank has of its own. */
static void shared_find(struct inside *in, void *handle, uintptr_t address) {
  static const char *const names[OPTION_VARIABLES] = {"optarg", "optind", "opterr", "optopt"};
  for (size_t k = 0; k < OPTION_VARIABLES; k++) {
    uintptr_t own = (uintptr_t)dlsym(handle, names[k]), right = (uintptr_t)dlsym(in->library, names[k]);
    in->area->option_variables[k] = own == right ? 0 : own - address;
  }
  in->area->exceptions = (void *(*)(void))dlsym(handle, "__cxa_get_globals");
}

/* Which library's functions, of those that the library of MPI has, too, would the program find before; NULL: none. */
static const char *found_before(const struct inside *in, void *handle) {
  static const char together[] = "_ZNSt8ios_base15sync_with_stdioEb"; /* std::ios_base::sync_with_stdio */
  if (dlsym(handle, "exit") != dlsym(in->library, "exit")) return "C";
  return image_names(in, together) && dlsym(handle, together) != dlsym(in->library, together) ? "C++" : NULL;
}

/* By the loader, from a file of that rank's own: where it is; 0: an error. */
static uintptr_t load_by_loader(struct inside *in, uint32_t rank, char *error, size_t error_size) {
  char name[128];
  int file = memfd_create("psl-rank", MFD_CLOEXEC);
  if (file < 0 || !all_written(file, in->image, in->image_size)) {
    snprintf(error, error_size, "its program cannot be copied");
    return 0;
  }
  name_for(rank, file, name);
  void *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
  close(file);
  if (!handle) {
    const char *why = dlerror(), *colon = strstr(why, ": ");
    snprintf(error, error_size, "its program cannot be loaded: %s", colon ? colon + 2 : why);
    return 0;
  }
  const char *before = found_before(in, handle);
  if (before) {
    snprintf(error, error_size, "its program is linked with the library of %s before that of MPI", before);
    return 0;
  }
  struct link_map *map;
  dlinfo(handle, RTLD_DI_LINKMAP, &map);
  shared_find(in, handle, map->l_addr);
  return map->l_addr;
}

/* ---- copies ---- */

/* The addresses in the program: the loader has filled them in where its tables say. */
static void words_find(struct original *o, size_t size, const Elf64_Rela *entries, size_t count) {
  for (size_t k = 0; k < count; k++) {
    uintptr_t word;
    memcpy(&word, (const char *)o->address + entries[k].r_offset, sizeof word);
    if (word >= o->address && word <= o->address + size) o->words[o->word_count++] = entries[k].r_offset;
  }
}

static bool original_words(struct inside *in) {
  struct original *o = &in->original;
  size_t table = dynamic_value(in, DT_RELA), size = dynamic_value(in, DT_RELASZ);
  size_t calls = dynamic_value(in, DT_JMPREL), calls_size = dynamic_value(in, DT_PLTRELSZ);
  if (calls >= table && calls < table + size) calls_size = 0; /* they stand in the other one */
  o->words = calloc((size + calls_size) / sizeof(Elf64_Rela) + 1, sizeof *o->words);
  if (!o->words) return false;
  words_find(o, in->area->program_size, (const Elf64_Rela *)(o->address + table), size / sizeof(Elf64_Rela));
  words_find(o, in->area->program_size, (const Elf64_Rela *)(o->address + calls), calls_size / sizeof(Elf64_Rela));
  return true;
}

/* Of pages that can be written, which are not as they stand in the file? */
static bool original_pages(struct inside *in) {
  struct original *o = &in->original;
  o->pages = calloc(in->area->program_size / in->page + 2 * in->segment_count + 1, sizeof *o->pages);
  if (!o->pages) return false;
  for (uint32_t k = 0; k < in->segment_count; k++) {
    const Elf64_Phdr *segment = &in->segments[k];
    if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_W)) continue;
    for (size_t at = segment->p_vaddr, next; at < segment->p_vaddr + segment->p_filesz; at = next) {
      next = (at | (in->page - 1)) + 1;
      size_t left = segment->p_vaddr + segment->p_filesz - at, size = next - at < left ? next - at : left;
      if (memcmp((const char *)o->address + at, image_at(in, at, size), size) != 0)
        o->pages[o->page_count++] = (struct stretch){at, size};
    }
  }
  return true;
}

static bool mapped(uintptr_t place, size_t size, int protection, int flags, int file, size_t offset) {
  return !size ||
         mmap((void *)place, size, protection, MAP_PRIVATE | MAP_FIXED | flags, file, (off_t)offset) != MAP_FAILED;
}

/* A segment as it stands in the file, and zeros behind that. */
static bool segment_map(const struct inside *in, const Elf64_Phdr *segment, uintptr_t base) {
  size_t skip = segment->p_offset & (in->page - 1), mask = in->page - 1;
  uintptr_t begin = base + segment->p_vaddr - skip, end = base + segment->p_vaddr + segment->p_filesz;
  uintptr_t file_end = segment->p_filesz ? (end + mask) & ~mask : begin;
  uintptr_t last = (base + segment->p_vaddr + segment->p_memsz + mask) & ~mask;
  int protection = PROT_READ | (segment->p_flags & PF_W ? PROT_WRITE : 0) | (segment->p_flags & PF_X ? PROT_EXEC : 0);
  if (!mapped(begin, file_end - begin, protection, 0, in->image_file, segment->p_offset - skip)) return false;
  if (segment->p_memsz == segment->p_filesz) return true;
  if (protection & PROT_WRITE) memset((void *)end, 0, file_end > end ? file_end - end : 0);
  return last <= file_end || mapped(file_end, last - file_end, protection, MAP_ANONYMOUS, -1, 0);
}

/* Where it is; 0: memory does not suffice. */
static uintptr_t copy_make(const struct inside *in) {
  const struct original *o = &in->original;
  size_t size = (in->area->program_size + in->page - 1) & ~(in->page - 1);
  void *place = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (place == MAP_FAILED) return 0;
  uintptr_t base = (uintptr_t)place;
  for (uint32_t k = 0; k < in->segment_count; k++)
    if (in->segments[k].p_type == PT_LOAD && !segment_map(in, &in->segments[k], base)) return 0;
  for (size_t k = 0; k < o->page_count; k++)
    memcpy((char *)base + o->pages[k].place, (const char *)o->address + o->pages[k].place, o->pages[k].size);
  for (size_t k = 0; k < o->word_count; k++) {
    uintptr_t word;
    memcpy(&word, (const char *)base + o->words[k], sizeof word);
    word += base - o->address;
    memcpy((char *)base + o->words[k], &word, sizeof word);
  }
  return base;
}

/* As the loader does it. */
static void constructors_call(const struct inside *in, uintptr_t base) {
  typedef void constructor(int, char **, char **);
  const struct original *o = &in->original;
  int count = 0;
  while (in->words[count])
    count++;
  constructor **firsts = (constructor **)(base + o->firsts), **beginnings = (constructor **)(base + o->beginnings);
  for (size_t k = 0; k < o->first_count; k++)
    firsts[k](count, in->words, environ);
  if (o->init) ((constructor *)(base + o->init))(count, in->words, environ);
  for (size_t k = 0; k < o->beginning_count; k++)
    beginnings[k](count, in->words, environ);
}

static const char *image_end(const struct inside *in, uintptr_t base) {
  uintptr_t end = base;
  for (uint32_t k = 0; k < in->segment_count; k++)
    if (in->segments[k].p_type == PT_LOAD) end = base + in->segments[k].p_vaddr + in->segments[k].p_memsz;
  return (const char *)end;
}

static bool load(struct strand *strand, char *error, size_t error_size) {
  struct inside *in = strand->inside;
  struct original *o = &in->original;
  uintptr_t base = 0;
  bool fine = true;
  if (!o->address && !(base = load_by_loader(in, strand->rank, error, error_size))) return false;
  if (o->copied && !o->address) {
    o->address = base;
    fine = original_words(in) && original_pages(in);
  }
  if (o->copied) fine = fine && (base = copy_make(in));
  for (uint32_t k = 0; !o->copied && fine && k < in->segment_count; k++)
    fine = in->segments[k].p_type != PT_LOAD || segment_share(in, &in->segments[k], base);
  fine = fine && variables_find(in);
  if (fine) variables_copy(o, base);
  if (fine) options_begin(in->area, base);
  in->area->seats[strand->rank].base = (const char *)base;
  in->area->seats[strand->rank].end = image_end(in, base);
  if (!fine && !say_mappings_lack(error, error_size))
    snprintf(error, error_size, "its program cannot be mapped: memory does not suffice");
  if (fine) constructors_call(in, base);
  return fine;
}

/* ---- strands ---- */

/* The arguments as the kernel gives them: their number, where each is, and none of the environment, which the library
 * of C has. */
static _Noreturn void program_start(const struct strand *strand) {
  const struct inside *in = strand->inside;
  size_t count = 0, text = 0;
  while (in->words[count])
    text += strlen(in->words[count++]) + 1;
  size_t room = (text + (count + 5) * sizeof(char *) + 15) & ~(size_t)15;
  char **stack = __builtin_alloca_with_align(room, 128), **at = stack;
  char *to = (char *)(stack + count + 5);
  *at++ = (char *)count;
  for (size_t k = 0; k < count; k++) {
    *at++ = to;
    to = stpcpy(to, in->words[k]) + 1;
  }
  memset(at, 0, 4 * sizeof *at);
  strand_start(stack, (uintptr_t)in->area->seats[strand->rank].base + in->entry);
}

static void strand_main(void *user) {
  struct strand *strand = user;
  struct area *area = strand->inside->area;
  struct seat *seat = &area->seats[strand->rank];
  strand->inside->rank_open(area, strand->rank);
  if (load(strand, seat->error, sizeof seat->error)) program_start(strand);
  seat->state = SEAT_FAILED;
  for (;;)
    turn_inside(area, seat, TURN_OF_PSL);
}

void inside_resume(struct inside *in, uint32_t rank) {
  in->running = rank;
  turn_inside(in->area, &in->area->seats[rank], TURN_OF_RANK);
  in->running = NOBODY;
}

/* The lowest page stays without access, so that a stack which is too large is a crash. */
bool inside_start(struct inside *in, uint32_t rank, struct program_error *error) {
  struct strand *strand = &in->strands[rank];
  void *stack = mmap(NULL, in->stack_size, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (stack == MAP_FAILED) {
    if (!say_mappings_lack(error->text, sizeof error->text))
      snprintf(error->text, sizeof error->text, "memory does not suffice for %u ranks", in->area->ranks);
    return false;
  }
  mprotect(stack, in->page, PROT_NONE);
  madvise(stack, in->stack_size, MADV_NOHUGEPAGE);
  *strand = (struct strand){.inside = in, .rank = rank, .stack = stack};
  in->area->seats[rank].strand = strand_make((char *)stack + in->stack_size, strand_main, strand);
  inside_resume(in, rank);
  return true;
}

bool inside_ended(const struct inside *in, uint32_t rank, int *status) {
  const struct seat *seat = &in->area->seats[rank];
  int killed_by = in->strands[rank].killed_by;
  *status = killed_by ? killed_by : W_EXITCODE(seat->code, 0);
  return killed_by || seat->exited;
}

bool inside_lives(const struct inside *in, uint32_t rank) {
  int status;
  return in->strands[rank].stack && !inside_ended(in, rank, &status);
}

/* ---- beginning and end ---- */

static size_t stack_size(size_t page) {
  struct rlimit limit;
  size_t usual = (size_t)8 << 20, most = (size_t)1 << 30;
  if (getrlimit(RLIMIT_STACK, &limit) || limit.rlim_cur == RLIM_INFINITY) return usual;
  return limit.rlim_cur > most ? most : limit.rlim_cur < 16 * page ? 16 * page : limit.rlim_cur & ~(page - 1);
}

struct inside *inside_open(struct area *area, const char *library, char **words, struct program_error *error) {
  struct inside *in = calloc(1, sizeof *in + area->ranks * sizeof *in->strands);
  if (in) {
    in->area = area;
    in->words = words;
    in->image_file = -1;
    in->running = NOBODY;
    in->page = (size_t)sysconf(_SC_PAGESIZE);
    in->stack_size = stack_size(in->page);
    in->library = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (in->library) in->rank_open = (void (*)(struct area *, uint32_t))dlsym(in->library, "psl_rank_open");
    if (STRANDS && in->rank_open && image_open(in) && crashes_watch(in)) {
      libraries_open(in);
      return in;
    }
    inside_close(in);
  }
  snprintf(error->text, sizeof error->text, "%s cannot be loaded into psl's process", *words);
  return NULL;
}

void inside_close(struct inside *in) {
  if (!in) return;
  crashes_leave(in);
  for (uint32_t k = 0; k < in->area->ranks; k++)
    if (in->strands[k].stack) munmap(in->strands[k].stack, in->stack_size);
  if (in->image_file >= 0) close(in->image_file);
  free(in->original.pages);
  free(in->original.words);
  free(in->original.variables);
  free(in->image);
  free(in);
}
