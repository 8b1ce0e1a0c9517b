/* Where reports are written to, and the figures in them.  Called by every writer of this folder. */
#include "interp/report/output.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MUCH = 32 * 1024 };

void output_open(struct output *out, struct arena *arena, psl_write *write, void *user) {
  *out = (struct output){.text = {.arena = arena}, .shown = {.arena = arena}, .write = write, .user = user};
}

static bool is_plain(const struct text *text) {
  for (size_t i = 0; i < text->size; i++)
    if ((text->data[i] < ' ' && text->data[i] != '\n') || text->data[i] == 0x7f) return false;
  return true;
}

/* Nothing that a model, a file or a library of C has named steers the terminal that the text may come to. */
void output_flush(struct output *out) {
  const struct text *text = &out->text;
  if (!out->source && !is_plain(text)) {
    out->shown.size = 0;
    text_shown(&out->shown, text->data, text->size, "\n\t");
    text = &out->shown;
  }
  if (text->size && !out->stopped) out->stopped = out->write(out->user, text->data, text->size) != 0;
  out->text.size = 0;
}

void output_pass(struct output *out) {
  if (out->text.size >= MUCH) output_flush(out);
}

void output_close(struct output *out) { output_flush(out); }

static const struct scale {
  int exponent; /* of ten */
  double factor;
  const char *prefix;
} scales[] = {{12, 1e12, "T"}, {9, 1e9, "G"},   {6, 1e6, "M"},   {3, 1e3, "k"},    {0, 1, ""},
              {-3, 1e-3, "m"}, {-6, 1e-6, "u"}, {-9, 1e-9, "n"}, {-12, 1e-12, "p"}};

/* Digits in threes from ten thousand on, as those of counts are. */
static void put_whole(struct text *out, double value) {
  if (value < 0) text_char(out, '-');
  if (fabs(value) < 9999.5)
    text_printf(out, "%.0f", fabs(value));
  else
    report_count(out, (uint64_t)rint(fabs(value)));
}

/* Four significant digits, trailing zeros kept: columns of figures should not pretend to differ in precision.
 * They are those of the value as it is rounded: 999.95 ms, or 0.99995 s, is 1.000 s. */
static void put_scaled(struct text *out, double value, const char *unit, int largest, int smallest) {
  char buffer[32];
  snprintf(buffer, sizeof buffer, "%.3e", value);
  int exponent = isfinite(value) ? atoi(strchr(buffer, 'e') + 1) : 0;
  if (!isfinite(value) || value == 0 || exponent < smallest - 3) {
    text_printf(out, "%.4g %s", value + 0.0, unit); /* no -0 */
    return;
  }
  const struct scale *scale = scales;
  while (scale->exponent > largest || (scale->exponent > smallest && scale->exponent > exponent))
    scale++;
  int digits = 3 - (exponent - scale->exponent);
  double shown = digits < 0 ? value : strtod(buffer, NULL);
  if (digits < 0)
    put_whole(out, shown / scale->factor);
  else
    text_printf(out, "%.*f", digits, shown / scale->factor);
  text_printf(out, " %s%s", scale->prefix, unit);
}

void report_time(struct text *out, double seconds) {
  if (fabs(seconds) >= 1e15)
    text_printf(out, "%.4g s", seconds);
  else
    put_scaled(out, seconds, "s", 0, -12);
}

void report_data(struct text *out, double bytes) {
  if (bytes == floor(bytes) && fabs(bytes) < 1000)
    text_printf(out, "%.0f byte", bytes);
  else
    put_scaled(out, bytes, "B", 12, 0);
}

void report_quantity(struct text *out, const struct types *types, double value, struct dimension dimension) {
  if (dimension_equal(dimension, types->time->dimension))
    report_time(out, value);
  else
    quantity_print(out, types, value, dimension, 4);
}

void report_binary(struct text *out, double bytes) {
  static const char *const units[] = {"byte", "KiB", "MiB", "GiB", "TiB"};
  size_t u = 0;
  for (; u < 4 && bytes >= 1024; u++)
    bytes /= 1024;
  text_printf(out, "%.3g %s", bytes, units[u]);
}

void report_count(struct text *out, uint64_t count) {
  char digits[24];
  snprintf(digits, sizeof digits, "%llu", (unsigned long long)count);
  size_t length = strlen(digits);
  for (size_t i = 0; i < length; i++) {
    if (i && (length - i) % 3 == 0) text_char(out, ',');
    text_char(out, digits[i]);
  }
}

void report_counted(struct text *out, uint64_t count, const char *one) {
  report_count(out, count);
  text_printf(out, " %s%s", one, count == 1 ? "" : "s");
}
