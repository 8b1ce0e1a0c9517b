/* What a sliced program (psl compile --slice) tells: nests of loops, which are operations of their own, with how many
 * operations of the processor they have, or, where they are done, with their time; and where there are no data. */
#include "evaluators/programs/mpi/rank.h"
#include "evaluators/programs/sliced/told.h"
#include <sys/mman.h>

const char *no_data_begin;

static void nest_add(const struct sliced_nest *nest, double work) {
  struct program_operation *operation = operation_add(PROGRAM_NEST);
  size_t counted = (size_t)nest->parts * NEST_OPERATIONS;
  operation->value = nest->number;
  operation->work = work;
  if (counted)
    operation->counts = memcpy(operation_list(counted * sizeof(double)), nest->counts, counted * sizeof(double));
  operation->counted = (uint32_t)counted;
}

/* Addresses that no memory is behind: who uses them by mistake crashes. */
static void tell_no_data(struct sliced_data *data) {
  if (!area) return;
  if (!no_data_begin) {
    void *place = mmap(NULL, NO_DATA_SIZE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (place == MAP_FAILED) return;
    no_data_begin = place;
  }
  data->begin = no_data_begin;
  data->size = NO_DATA_SIZE;
}

void sliced_told(__builtin_va_list arguments, const void *from) {
  enum sliced_told told = __builtin_va_arg(arguments, int);
  if (told == TOLD_DATA) {
    tell_no_data(__builtin_va_arg(arguments, struct sliced_data *));
    return;
  }
  if (!self->seat || self->seat->state != SEAT_INSIDE) return;
  const struct sliced_nest *nest = told == TOLD_BEGIN ? NULL : __builtin_va_arg(arguments, const struct sliced_nest *);
  bool is_timed = told == TOLD_END && area->costs != COSTS_INSTRUCTIONS; /* counted ones are computing as all else */
  bool is_part = told == TOLD_PART;
  struct entry entry __attribute__((cleanup(entry_end), unused)) =
      nest_entry("MPI_Pcontrol", from, is_timed || is_part);
  if (told == TOLD_NEST || is_timed || is_part) nest_add(nest, is_part ? 0 : entry.work);
}
