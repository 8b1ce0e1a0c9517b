/* The table of the fields of operations, and how each is read and written. */
#include "evaluators/programs/fields.h"

#include <math.h>
#include <string.h>

#define PLACE(member) offsetof(struct program_operation, member)
const struct program_field_row program_fields[] = {
    {"destination", VALUE_INT32, FIELD_OUT, false, PLACE(destination), 0},
    {"tag", VALUE_INT32, FIELD_OUT, false, PLACE(tag), 0},
    {"source", VALUE_INT32, FIELD_IN, false, PLACE(source), 0},
    {"source_tag", VALUE_INT32, FIELD_IN, false, PLACE(source_tag), 0},
    {"root", VALUE_INT32, FIELD_ROOT, false, PLACE(root), 0},
    {"bytes", VALUE_REAL, FIELD_OUT | FIELD_BYTES | FIELD_FILE, false, PLACE(bytes), 0},
    {"file", VALUE_INT64, FIELD_FILE, false, PLACE(handle), 0},
    {"window", VALUE_INT64, FIELD_WINDOW, false, PLACE(handle), 0},
    {"offset", VALUE_REAL, FIELD_FILE, false, PLACE(offset), 0},
    {"span", VALUE_REAL, FIELD_FILE, false, PLACE(span), 0},
    {"received", VALUE_REAL, FIELD_IN | FIELD_RECEIVED, false, PLACE(received), 0},
    {"communicator", VALUE_UINT32, FIELD_COMMUNICATOR, false, PLACE(communicator), 0},
    {"request", VALUE_INT64, FIELD_REQUEST, false, PLACE(request), 0},
    {"requests", VALUE_INT64S, FIELD_REQUESTS, false, PLACE(requests), PLACE(request_count)},
    {"members", VALUE_INT32S, FIELD_MEMBERS, false, PLACE(members), PLACE(member_count)},
    {"parts", VALUE_REALS, FIELD_SENT_PARTS, true, PLACE(parts), PLACE(part_count)},
    {"received_parts", VALUE_REALS, FIELD_RECEIVED_PARTS, true, PLACE(received_parts), PLACE(part_count)},
    {"work", VALUE_REAL, FIELD_WORK, false, PLACE(work), 0},
    {"unit", VALUE_UINT32, FIELD_WORK, true, PLACE(unit), 0},
    {"burst", VALUE_KEY, FIELD_WORK, true, PLACE(burst), 0},
    {"duration", VALUE_REAL, FIELD_DURATION, false, PLACE(duration), 0},
    {"name", VALUE_TEXT, FIELD_PLACE | FIELD_FILE, true, PLACE(name), 0},
    {"source_file", VALUE_TEXT, FIELD_PLACE, true, PLACE(file), 0},
    {"line", VALUE_UINT32, FIELD_PLACE, true, PLACE(line), 0},
    {"took", VALUE_REAL, 0, true, PLACE(took), 0},
    {"lost", VALUE_REAL, 0, true, PLACE(lost), 0},
    {"polled", VALUE_REAL, FIELD_WORK, true, PLACE(polled), 0},
    {"counters", VALUE_TEXT, 0, true, PLACE(counters), 0},
    {"counts", VALUE_REALS, 0, true, PLACE(counts), PLACE(counted)},
    {NULL, 0, 0, false, 0, 0},
};

static bool has(const struct program_field_row *row, enum program_kind kind) {
  return !row->kinds || (row->kinds & program_kinds[kind].fields);
}

const struct program_field_row *program_field_named(const char *name, enum program_kind kind) {
  const struct program_field_row *row = program_fields;
  while (row->name && !(strcmp(row->name, name) == 0 && has(row, kind)))
    row++;
  return row->name ? row : NULL;
}

static const void *at(const struct program_field_row *row, const struct program_operation *o) {
  return (const char *)o + row->place;
}

#define VALUE_AT(type, row, o) (*(type const *)at(row, o))

static bool is_list(const struct program_field_row *row) { return row->value >= VALUE_INT32S; }

uint32_t program_field_count(const struct program_field_row *row, const struct program_operation *o) {
  if (!has(row, o->kind)) return 0;
  if (is_list(row)) return VALUE_AT(void *, row, o) ? *(const uint32_t *)((const char *)o + row->length) : 0;
  if (row->value == VALUE_TEXT) return VALUE_AT(char *, row, o) != NULL;
  if (row->value == VALUE_KEY) return program_field_key(row, o) != 0;
  return !row->optional || program_field_number(row, o, 0) != 0;
}

double program_field_number(const struct program_field_row *row, const struct program_operation *o, uint32_t k) {
  switch (row->value) {
  case VALUE_INT32: return VALUE_AT(int32_t, row, o);
  case VALUE_UINT32: return VALUE_AT(uint32_t, row, o);
  case VALUE_INT64: return (double)VALUE_AT(int64_t, row, o);
  case VALUE_REAL: return VALUE_AT(double, row, o);
  case VALUE_INT32S: return VALUE_AT(int32_t *, row, o)[k];
  case VALUE_INT64S: return (double)VALUE_AT(int64_t *, row, o)[k];
  case VALUE_REALS: return VALUE_AT(double *, row, o)[k];
  default: return 0;
  }
}

uint64_t program_field_key(const struct program_field_row *row, const struct program_operation *o) {
  return VALUE_AT(uint64_t, row, o);
}

const char *program_field_text(const struct program_field_row *row, const struct program_operation *o) {
  return VALUE_AT(char *, row, o);
}

/* ---- what was read ---- */

/* Whole numbers that a type has. */
static bool fits(enum field_value value, double number) {
  double least = value == VALUE_INT64 || value == VALUE_INT64S ? -0x1p53 : value == VALUE_UINT32 ? 0 : INT32_MIN;
  double most = value == VALUE_INT64 || value == VALUE_INT64S ? 0x1p53 : value == VALUE_UINT32 ? UINT32_MAX : INT32_MAX;
  if (value == VALUE_REAL || value == VALUE_REALS) return isfinite(number);
  return number >= least && number <= most && number == floor(number);
}

static void put(enum field_value value, void *to, uint32_t k, double number) {
  switch (value) {
  case VALUE_INT32:
  case VALUE_INT32S: ((int32_t *)to)[k] = (int32_t)number; break;
  case VALUE_UINT32: *(uint32_t *)to = (uint32_t)number; break;
  case VALUE_INT64:
  case VALUE_INT64S: ((int64_t *)to)[k] = (int64_t)number; break;
  default: ((double *)to)[k] = number; break;
  }
}

bool program_field_set(const struct program_field_row *row, struct program_operation *o, const double *values,
                       uint32_t count, void *room) {
  char *to = (char *)o + row->place;
  uint32_t *length = (uint32_t *)((char *)o + row->length);
  if (row->value == VALUE_TEXT || row->value == VALUE_KEY || (!is_list(row) && count != 1)) return false;
  if (is_list(row) && row->value == VALUE_REALS && *length && *length != count) return false; /* both parts have one */
  for (uint32_t k = 0; k < count; k++) {
    if (!fits(row->value, values[k])) return false;
    put(row->value, is_list(row) ? room : to, k, values[k]);
  }
  if (!is_list(row)) return true;
  memcpy(to, &room, sizeof room);
  *length = count;
  return true;
}

void program_field_set_key(const struct program_field_row *row, struct program_operation *o, uint64_t key) {
  if (row->value == VALUE_KEY) memcpy((char *)o + row->place, &key, sizeof key);
}

void program_field_set_text(const struct program_field_row *row, struct program_operation *o, const char *text) {
  if (row->value == VALUE_TEXT) memcpy((char *)o + row->place, &text, sizeof text);
}
