/* Functions of two whole numbers whose results stand in a dense table, and that mostly compute a cell from its
 * neighbours before it in both directions: wavefronts, alignments, grids of paths.  Cells on a diagonal do not need
 * each other, so that each operation of the body is done for all of them at once, in the order of the diagonals; the
 * cells are those that the function would come to by itself, their values the same bits.
 *
 * What is not as it mostly is, cells at the edge and all that may fail, is left to the function's own code. */
#ifndef PSL_DIAGONALS_H
#define PSL_DIAGONALS_H
#include "interp/execute/compiled_function.h"

#define FREE_CELL 0x7ffc5053004c0d1du /* no arithmetic makes this NaN; a whole number that is it is not kept */

enum { DIAGONALS_LINES = 1024 }; /* values of the first parameter that are filled at a time, at most */

struct cells {     /* of a dense table */
  uint64_t *cells; /* a result's bits, changed by FREE_CELL; 0: none */
  int64_t low[2];
  uint64_t extent[2];
  bool empty; /* all that are inside */
};

struct diagonals;

/* How the inside of the table is computed, found in the function's instructions; NULL: not in this way. */
struct diagonals *diagonals_find(struct arena *arena, const struct function_code *code);
/* Is the cell of the parameters, which stand in the function's registers, inside? From `low` on all cells up to it are,
 * it needs each of them, and of those before `low` only the nearest, in either direction or, if `corner`, in both. */
bool diagonals_inside(const struct diagonals *diagonals, const union slot *registers, int64_t low[2], bool *corner);
/* Fills the cells from `low` to `high`; those before them are there. Adds to `fresh` those that were empty. False: it
 * has stopped at something that the function's own code is to look at. */
bool diagonals_fill(const struct diagonals *diagonals, const union slot *registers, const struct cells *cells,
                    const int64_t low[2], const int64_t high[2], uint64_t *fresh);
#endif
