/* A table of texts with aligned columns: what the reports for people are made of. */
#ifndef PSL_TABLE_H
#define PSL_TABLE_H
#include "grammar/text.h"

struct table {
  struct arena *arena;
  const char *align; /* a letter a column: 'l' text to the left; 'r' figures: the number to the right, its
                        unit behind it */
  const char **cells;
  size_t columns, count, capacity;
  size_t last; /* the width that the last column, of text, is wrapped to; 0: none */
};
void table_open(struct table *table, struct arena *arena, const char *align);
/* From left to right, row by row; copied, with controls as people are shown them. */
void table_cell(struct table *table, const char *text);
void table_cellf(struct table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));
enum { TABLE_GAP = 2 }; /* between columns */
/* The width of each column. */
void table_measure(const struct table *table, size_t *widths);
/* A first row of heads is printed like any other. Each line begins with `indent`. */
void table_print(const struct table *table, struct text *out, const char *indent);
#endif
