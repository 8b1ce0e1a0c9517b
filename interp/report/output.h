/* Where reports are written to, piece by piece, and how figures read. */
#ifndef PSL_OUTPUT_H
#define PSL_OUTPUT_H
#include "grammar/text.h"
#include "interp/include/psl.h"
#include "interp/model/type.h"

struct output {
  struct text text;  /* what has not been handed on yet */
  struct text shown; /* that, as it is handed on, where that differs */
  psl_write *write;
  void *user;
  bool stopped; /* the taker wants no more */
  bool source;  /* it is PSL, and handed on as it is; in all else control characters are shown as \u{1b} */
};
void output_open(struct output *out, struct arena *arena, psl_write *write, void *user);
void output_pass(struct output *out);  /* hands on what has gathered if it is much; call it after each row */
void output_flush(struct output *out); /* hands on what has gathered */
void output_close(struct output *out); /* hands on the rest */

/* A number with its unit, scaled to read well: 4 significant digits. */
void report_time(struct text *out, double seconds);
void report_data(struct text *out, double bytes);
void report_binary(struct text *out, double bytes); /* 16 KiB: for powers of two */
/* A figure of any dimension, as people read it in reports: a time as report_time has it. */
void report_quantity(struct text *out, const struct types *types, double value, struct dimension dimension);
void report_count(struct text *out, uint64_t count);                    /* 1,234,567 */
void report_counted(struct text *out, uint64_t count, const char *one); /* 1 point, 1,234 points */
#endif
