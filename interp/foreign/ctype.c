/* The types of C that a signature can name, and values of PSL as C has them.  Used by the check of
 * signatures and by c_call.c and callback.c on both sides of a call. */
#include "interp/foreign/foreign.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* `word`: where PSL has no type of its own for it. low, high: of whole numbers, as far as an int of PSL
 * goes. */
static const struct c_row {
  const char *name;
  bool word;
  size_t size;
  int64_t low, high;
} rows[] = {
    [C_VOID] = {"nothing", false, 0, 0, 0},
    [C_BOOL] = {"bool", false, sizeof(bool), 0, 1},
    [C_INT8] = {"int8", true, 1, INT8_MIN, INT8_MAX},
    [C_UINT8] = {"uint8", true, 1, 0, UINT8_MAX},
    [C_INT16] = {"int16", true, 2, INT16_MIN, INT16_MAX},
    [C_UINT16] = {"uint16", true, 2, 0, UINT16_MAX},
    [C_INT32] = {"int32", true, 4, INT32_MIN, INT32_MAX},
    [C_UINT32] = {"uint32", true, 4, 0, UINT32_MAX},
    [C_INT64] = {"int", false, 8, INT64_MIN, INT64_MAX},
    [C_UINT64] = {"uint64", true, 8, 0, INT64_MAX},
    [C_FLOAT] = {"float", true, sizeof(float), 0, 0},
    [C_DOUBLE] = {"real", false, sizeof(double), 0, 0},
    [C_STRING] = {"string", false, 0, 0, 0},
    [C_FUNCTION] = {"function", false, 0, 0, 0},
};
enum { ROWS = sizeof rows / sizeof *rows };

enum c_type c_type_named(const char *word) {
  for (int c = 0; c < ROWS; c++)
    if (rows[c].word && !strcmp(rows[c].name, word)) return (enum c_type)c;
  return !strcmp(word, "int64") ? C_INT64 : C_VOID;
}

const char *c_type_name(enum c_type c) { return rows[c].name; }

size_t c_type_size(enum c_type c) { return rows[c].size; }

/* ---- to C ---- */

bool c_write_whole(enum c_type c, int64_t x, union c_item *item) {
  if (x < rows[c].low || x > rows[c].high) return false;
  switch (c) {
  case C_BOOL: item->boolean = x; break;
  case C_INT8: item->int8 = (int8_t)x; break;
  case C_UINT8: item->uint8 = (uint8_t)x; break;
  case C_INT16: item->int16 = (int16_t)x; break;
  case C_UINT16: item->uint16 = (uint16_t)x; break;
  case C_INT32: item->int32 = (int32_t)x; break;
  case C_UINT32: item->uint32 = (uint32_t)x; break;
  case C_INT64: item->int64 = x; break;
  case C_UINT64: item->uint64 = (uint64_t)x; break;
  case C_VOID:
  case C_FLOAT:
  case C_DOUBLE:
  case C_STRING:
  case C_FUNCTION: break;
  }
  return true;
}

static bool write_whole(enum c_type c, int64_t x, union c_item *item, char *error, size_t size) {
  if (c_write_whole(c, x, item)) return true;
  snprintf(error, size, "%lld does not fit in %s, %lld .. %lld", (long long)x, rows[c].name, (long long)rows[c].low,
           (long long)rows[c].high);
  return false;
}

bool c_write_real(enum c_type c, double x, union c_item *item) {
  if (c == C_DOUBLE)
    item->float64 = x;
  else if (isfinite(x) && fabs(x) > (double)FLT_MAX)
    return false;
  else
    item->float32 = (float)x;
  return true;
}

static bool write_real(enum c_type c, double x, union c_item *item, char *error, size_t size) {
  if (c_write_real(c, x, item)) return true;
  snprintf(error, size, "%g does not fit in float, whose greatest is %g", x, (double)FLT_MAX);
  return false;
}

static bool convert(enum c_type c, struct value value, union c_item *item, char *error, size_t size) {
  bool fits = true;
  switch (c) {
  case C_BOOL:
    fits = value.kind == VALUE_BOOL;
    item->boolean = value.boolean;
    break;
  case C_FLOAT:
  case C_DOUBLE: {
    fits = value.kind == VALUE_REAL || value.kind == VALUE_INT;
    double x = value.kind == VALUE_INT ? (double)value.integer : value.real;
    if (fits) return write_real(c, x, item, error, size);
    break;
  }
  case C_STRING:
    fits = value.kind == VALUE_STRING;
    if (fits) item->string = value.object->text;
    break;
  case C_INT8:
  case C_UINT8:
  case C_INT16:
  case C_UINT16:
  case C_INT32:
  case C_UINT32:
  case C_INT64:
  case C_UINT64:
    fits = value.kind == VALUE_INT;
    if (fits) return write_whole(c, value.integer, item, error, size);
    break;
  case C_VOID:
  case C_FUNCTION: fits = false; break;
  }
  if (!fits) snprintf(error, size, "it is no %s", rows[c].name);
  return fits;
}

bool c_write(enum c_type c, struct value value, void *item, char *error, size_t size) {
  union c_item made;
  if (!convert(c, value, &made, error, size)) return false;
  memcpy(item, &made, rows[c].size ? rows[c].size : sizeof made.string);
  return true;
}

/* ---- from C ---- */

static bool is_utf8(const char *text) {
  for (const unsigned char *at = (const unsigned char *)text; *at;) {
    int more = *at < 0x80                  ? 0
               : *at >= 0xc2 && *at < 0xe0 ? 1
               : (*at & 0xf0) == 0xe0      ? 2
               : *at >= 0xf0 && *at < 0xf5 ? 3
                                           : -1;
    if (more < 0) return false;
    for (at++; more > 0; more--, at++)
      if ((*at & 0xc0) != 0x80) return false;
  }
  return true;
}

static bool read_string(const char *text, struct arena *arena, struct value *value, char *error, size_t size) {
  if (!text || !is_utf8(text)) {
    snprintf(error, size, text ? "a text that is not UTF-8" : "NULL, which is no string");
    return false;
  }
  *value = value_string(arena, text, strlen(text));
  return true;
}

bool c_read_real(enum c_type c, const union c_item *item, double *x) {
  *x = c == C_FLOAT ? (double)item->float32 : item->float64;
  return isfinite(*x);
}

static bool read_real(enum c_type c, const union c_item *item, struct value *value, char *error, size_t size) {
  double x;
  bool fine = c_read_real(c, item, &x);
  *value = value_real(x);
  if (!fine) snprintf(error, size, "%s, which is no finite number", isnan(x) ? "NaN" : "infinity");
  return fine;
}

bool c_read_whole(enum c_type c, const union c_item *item, int64_t *x) {
  switch (c) {
  case C_BOOL: *x = *(const unsigned char *)item != 0; return true;
  case C_INT8: *x = item->int8; return true;
  case C_UINT8: *x = item->uint8; return true;
  case C_INT16: *x = item->int16; return true;
  case C_UINT16: *x = item->uint16; return true;
  case C_INT32: *x = item->int32; return true;
  case C_UINT32: *x = item->uint32; return true;
  case C_INT64: *x = item->int64; return true;
  case C_UINT64: *x = (int64_t)item->uint64; return item->uint64 <= INT64_MAX;
  case C_VOID:
  case C_FLOAT:
  case C_DOUBLE:
  case C_STRING:
  case C_FUNCTION: break;
  }
  return false;
}

static bool read_whole(enum c_type c, const union c_item *item, struct value *value, char *error, size_t size) {
  int64_t x;
  bool fine = c_read_whole(c, item, &x);
  *value = value_integer(x);
  if (!fine) snprintf(error, size, "%llu, which is greater than an int can be", (unsigned long long)item->uint64);
  return fine;
}

bool c_read(enum c_type c, const void *from, struct arena *arena, struct value *value, char *error, size_t size) {
  union c_item item;
  memcpy(&item, from, rows[c].size ? rows[c].size : sizeof item.string);
  switch (c) {
  case C_BOOL: *value = value_boolean(*(const unsigned char *)from != 0); return true;
  case C_INT8:
  case C_UINT8:
  case C_INT16:
  case C_UINT16:
  case C_INT32:
  case C_UINT32:
  case C_INT64:
  case C_UINT64: return read_whole(c, &item, value, error, size);
  case C_FLOAT:
  case C_DOUBLE: return read_real(c, &item, value, error, size);
  case C_STRING: return read_string(item.string, arena, value, error, size);
  case C_VOID:
  case C_FUNCTION: *value = (struct value){.kind = VALUE_NONE}; return true;
  }
  return false;
}
