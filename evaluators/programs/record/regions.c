/* The beginning and the end of MPI, and regions: those of MPI_Pcontrol, by the convention of profilers that level 1
 * with a name enters and -1 leaves; and functions of what is compiled with -finstrument-functions. */
#include "evaluators/programs/mpi/fortran.h"
#include "evaluators/programs/mpi/region_name.h"
#include "evaluators/programs/record/recorder.h"
#include <stdarg.h>

enum { DEEPEST = 1 << 12 };

static const void *entered[DEEPEST]; /* functions that the thread is in, and NULL for other regions */
static __thread uint32_t depth;
static bool inside; /* MPI's time */

/* ---- regions ---- */

static void put_enter(const char *name, const void *function) {
  struct program_operation o = operation_of(PROGRAM_ENTER);
  o.took = 0;
  o.name = name;
  /* Of a function its own place, where the operation has that of its call; a site is a byte before an address. */
  if (function) o.site = site_of((const char *)function + 1);
  operation_put(&o);
}

static void enter(const char *name, const void *function) {
  if (depth < DEEPEST) entered[depth] = function;
  depth++;
  if (inside) put_enter(name, function);
}

static void leave(void) {
  if (!depth) return;
  depth--;
  struct program_operation o = operation_of(PROGRAM_LEAVE);
  o.took = 0;
  if (inside) operation_put(&o);
}

PUBLIC void __cyg_profile_func_enter(void *function, void *site) {
  bool begun = call_begin(site);
  if (begun || !inside) enter(NULL, function);
  if (begun) call_end();
}

PUBLIC void __cyg_profile_func_exit(void *function, void *site) {
  (void)function;
  bool begun = call_begin(site);
  if (begun || !inside) leave();
  if (begun) call_end();
}

BOTH_NAMES(Pcontrol)
PUBLIC int MPI_Pcontrol(const int level, ...) {
  char copy[REGION_NAME];
  bool fortran = fortran_calls();
  if (!call_begin(__builtin_return_address(0))) return MPI_SUCCESS;
  va_list arguments;
  va_start(arguments, level);
  if (level == 1) enter(fortran ? NULL : region_name_at(va_arg(arguments, const char *), copy), NULL);
  if (level == -1) leave();
  va_end(arguments);
  call_end();
  return MPI_SUCCESS;
}

/* ---- MPI's time ---- */

/* So that the clocks of all ranks begin together, it takes what this one comes later than the first. Functions that
 * were entered before it are regions from here on. */
static void begin(const void *site) {
  double late = recorder_open();
  inside = true;
  if (!call_begin(site)) return;
  struct program_operation o = operation_of(PROGRAM_INIT);
  o.took = late;
  operation_put(&o);
  for (uint32_t k = 0; k < depth && k < DEEPEST; k++)
    put_enter(NULL, entered[k]);
  call_end();
}

#define REAL(name)                     \
  static __typeof__(&MPI_##name) real; \
  if (!real) real = (__typeof__(real))dlsym(RTLD_NEXT, "PMPI_" #name)

BOTH_NAMES(Init)
PUBLIC int MPI_Init(int *count, char ***words) {
  REAL(Init);
  int code = real(count, words);
  if (code == MPI_SUCCESS) begin(__builtin_return_address(0));
  return code;
}

BOTH_NAMES(Init_thread)
PUBLIC int MPI_Init_thread(int *count, char ***words, int required, int *provided) {
  REAL(Init_thread);
  int code = real(count, words, required, provided);
  if (code == MPI_SUCCESS) begin(__builtin_return_address(0));
  return code;
}

BOTH_NAMES(Finalize)
PUBLIC int MPI_Finalize(void) {
  REAL(Finalize);
  if (call_begin(__builtin_return_address(0))) {
    struct program_operation o = operation_of(PROGRAM_FINALIZE);
    operation_put(&o);
    inside = false;
    recorder_close();
  }
  return real();
}
