/* The format of FILE.slices, in which `psl run --trace` keeps what each process did when, for who looks at any part of
 * it at once: a header, places of rows, all slices of the first row, all of the second, and so on, and the names of
 * what numbers stand for.  Numbers are as this computer has them, the lowest byte first, and each at a multiple of its
 * size.
 *
 *   struct slices_header
 *   uint64_t first[rows + 1]       the slices of a row are those from first[row] up to first[row + 1]
 *   struct slice slices[count]     of a row in the order in which they begin, and, of those, end
 *   char names[names_size]         JSON: {"system", "model": texts, "rows", "components", "activities": lists of them}
 *
 * A row is a process, in the order of reports. What it does in two firings at once are slices that overlap. */
#ifndef PSL_SLICES_H
#define PSL_SLICES_H
#include <stdint.h>

#define SLICES_MAGIC "PSLslice"
enum { SLICES_VERSION = 1 };

struct slices_header {
  char magic[8];
  uint32_t version;
  uint32_t rows, components, activities; /* how many there are of each */
  uint64_t full;                         /* 1: the trace was cut off where it was full; else 0 */
  uint64_t count, names_size;
  double end; /* s: the last time of the run */
};

struct slice {
  double begin, end;  /* s */
  uint32_t component; /* in whose body */
  uint32_t activity;  /* 0 computes, 1 communicates; else it waits */
};
#endif
