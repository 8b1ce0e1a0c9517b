/* Where reports are written to, and the figures in them.  Called by every writer of this folder. */
#include "interp/report/output.h"

#include <math.h>
#include <stdio.h>
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
  double factor;
  const char *prefix;
} scales[] = {{1e12, "T"}, {1e9, "G"},  {1e6, "M"},  {1e3, "k"},  {1, ""},
              {1e-3, "m"}, {1e-6, "u"}, {1e-9, "n"}, {1e-12, "p"}};

/* Four significant digits, trailing zeros kept: columns of figures should not pretend to differ in precision.
 */
static void put_scaled(struct text *out, double value, const char *unit, double largest, double smallest) {
  if (!isfinite(value) || fabs(value) < 1e-4 * scales[sizeof scales / sizeof *scales - 1].factor) {
    text_printf(out, "%.4g %s", value, unit);
    return;
  }
  double magnitude = fabs(value) * (1 + 5e-5); /* 999.96 ms reads as 1.000 s */
  size_t k = 0, last = sizeof scales / sizeof *scales - 1;
  while (k < last && (scales[k].factor > largest || magnitude < scales[k].factor) && scales[k].factor > smallest)
    k++;
  double scaled = value / scales[k].factor;
  int digits = 3 - (int)floor(log10(fabs(scaled) * (1 + 5e-5)));
  text_printf(out, "%.*f %s%s", digits < 0 ? 0 : digits > 6 ? 6 : digits, scaled, scales[k].prefix, unit);
}

void report_time(struct text *out, double seconds) {
  if (fabs(seconds) >= 99999.5)
    text_printf(out, "%.4g s", seconds);
  else
    put_scaled(out, seconds, "s", 1, 1e-12);
}

void report_data(struct text *out, double bytes) {
  if (bytes == floor(bytes) && fabs(bytes) < 1000)
    text_printf(out, "%.0f byte", bytes);
  else
    put_scaled(out, bytes, "B", 1e12, 1);
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
