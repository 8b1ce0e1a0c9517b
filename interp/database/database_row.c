/* Runs and points in a database. Results, params and columns are flat JSON objects, written and read here:
 * numbers with as many digits as bring back the same double. Results that there are none of are left out;
 * params and columns are null then. Members stand in the order of the columns. */
#include "interp/database/database_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- JSON ---- */

/* JSON has no infinity; SQLite reads a number that is too large as one. */
static int format_number(char digits[DIGITS_ROOM], double value) {
  return isinf(value) ? sprintf(digits, "%s9e999", value < 0 ? "-" : "") : digits_put(digits, value, 2);
}

/* Most of a row's cost would be its digits, and most of its figures come more than once. */
static const struct database_digits *digits_of(struct database *database, double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  struct database_digits *known = &database->digits[bits * 0x9e3779b97f4a7c15u >> (64 - DATABASE_KNOWN)];
  if (!known->length || known->bits != bits) {
    known->bits = bits;
    known->length = format_number(known->digits, value);
  }
  return known;
}

static void put_number(struct database *database, double value) {
  const struct database_digits *known = digits_of(database, value);
  text_put_n(&database->scratch[0], known->digits, (size_t)known->length);
}

static void put_key_with(struct text *text, const char *name, const char *ending) {
  text_put_n(text, text->size ? ", \"" : "{\"", text->size ? 3 : 2);
  database_put_label(text, name);
  text_put(text, ending);
  text_put_n(text, "\": ", 3);
}

static void put_key(struct text *text, const char *name) { put_key_with(text, name, ""); }

static char label_char(char c) { return (char)(c == '"' ? '\'' : c == '\\' ? '/' : c); }

void database_put_label(struct text *text, const char *name) {
  for (; *name; name++)
    text_char(text, label_char(*name));
}

static bool is_label(const char *label, const char *name) {
  while (*label && *label == label_char(*name))
    label++, name++;
  return !*label && !*name;
}

static const char *end_object(struct text *text) {
  text_put(text, text->size ? "}" : "{}");
  return text->data;
}

/* The names of results, written once. */
static const struct database_member *result_members(struct database *database, const struct database_study *study) {
  size_t room = sizeof "{}";
  if (database->members_of == study->results) return database->members;
  database->members = ARENA_ARRAY(&database->arena, struct database_member, study->result_count + 1);
  for (size_t i = 0; i < study->result_count; i++) {
    struct text text = {.arena = &database->arena};
    text_put(&text, ", \"");
    database_put_label(&text, study->results[i].name);
    text_put(&text, "\": ");
    database->members[i] = (struct database_member){text.data, text.size};
    room += text.size + DIGITS_ROOM;
  }
  database->results = ARENA_ARRAY(&database->arena, char, room);
  database->members_of = study->results;
  return database->members;
}

static const char *json_of_results(struct database *database, const struct database_study *study,
                                   const double *results) {
  const struct database_member *members = result_members(database, study);
  char *begin = database->results, *at = begin;
  for (size_t i = 0; i < study->result_count; i++) {
    if (isnan(results[i])) continue;
    const struct database_digits *known = digits_of(database, results[i]);
    memcpy(at, members[i].text, members[i].length);
    at += members[i].length;
    memcpy(at, known->digits, DIGITS_ROOM);
    at += known->length;
  }
  if (at == begin) return "{}";
  strcpy(at, "}");
  begin[1] = '{'; /* in the place of a comma and a blank */
  return begin + 1;
}

static const char *json_of_values(struct text *text, const struct database_column *columns, size_t count,
                                  const char *const *values) {
  text->size = 0;
  for (size_t i = 0; i < count; i++) {
    put_key(text, columns[i].name);
    text_put(text, values[i]);
  }
  return end_object(text);
}

/* Those that are varied, and those that are set besides. */
static const char *json_of_params(struct text *text, const struct database_study *study,
                                  const struct database_point *point) {
  json_of_values(text, study->params, study->param_count, point->params);
  if (!point->settings) return text->data;
  text->size--; /* the brace */
  if (study->param_count) text_put_n(text, ", ", 2);
  text_put(text, point->settings);
  return end_object(text);
}

/* Behind a JSON value that begins at `at`: a string, a number, a list, an object. */
static char *value_end(char *at) {
  int depth = 0;
  bool quoted = false;
  for (; *at; at++) {
    if (quoted) {
      if (*at == '\\' && at[1])
        at++;
      else if (*at == '"')
        quoted = false;
    } else if (*at == '"')
      quoted = true;
    else if (*at == '[' || *at == '{')
      depth++;
    else if (depth && (*at == ']' || *at == '}'))
      depth--;
    else if (!depth && strchr(",}:", *at))
      break;
  }
  return at;
}

/* The next member's value and its name, ended in place; *at stands behind `{` or a value. NULL: there is
 * none. */
static char *next_member(char **at, char **name) {
  char *begin = *at + strspn(*at, "{, "), *end = value_end(begin);
  if (*end != ':' || *begin != '"') return NULL;
  char *value = end + 1 + strspn(end + 1, " ");
  *name = begin + 1;
  end[-1] = '\0'; /* the closing quote */
  end = value_end(value);
  *at = end + (*end != '\0');
  *end = '\0';
  return value;
}

/* The column in `text`, to be taken apart. */
static char *scratch_copy(struct text *text, sqlite3_stmt *row, int column) {
  text->size = 0;
  text_put_n(text, (const char *)sqlite3_column_text(row, column), (size_t)sqlite3_column_bytes(row, column));
  return text->data;
}

/* false: it holds something else. */
static bool read_results(struct database *database, const struct database_study *study, sqlite3_stmt *row, int column,
                         double *results) {
  char *at = scratch_copy(&database->scratch[0], row, column), *name;
  const char *value = next_member(&at, &name);
  for (size_t i = 0; i < study->result_count; i++) {
    results[i] = (double)NAN;
    if (!value || !is_label(name, study->results[i].name)) continue;
    results[i] = strtod(value, NULL);
    value = next_member(&at, &name);
  }
  return !value;
}

static void read_values(struct text *scratch, sqlite3_stmt *row, int column, const char **values, size_t count) {
  char *at = scratch_copy(scratch, row, column), *name;
  for (size_t i = 0; i < count; i++) {
    values[i] = next_member(&at, &name);
    if (!values[i]) values[i] = "null";
  }
}

/* ---- runs ---- */

bool database_find(struct database *database, const struct database_study *study, const struct database_key *key,
                   struct arena *arena, struct database_run *run) {
  sqlite3_stmt *row = database_statement(database, STATEMENT_FIND_RUN);
  sqlite3_bind_blob(row, 1, key->bytes, DATABASE_KEY, SQLITE_STATIC);
  int code = sqlite3_step(row);
  if (code != SQLITE_ROW) {
    if (code != SQLITE_DONE) database_fail(database);
    return false;
  }
  double *results = ARENA_ARRAY(arena, double, study->result_count);
  *run = (struct database_run){
      .key = *key,
      .seed = (uint64_t)sqlite3_column_int64(row, 0),
      .status = database_text(arena, row, 1),
      .error = database_text(arena, row, 2),
      .evidence = database_text(arena, row, 3),
      .warnings = database_text(arena, row, 6),
      .stop = database_text(arena, row, 7),
      .notes = database_text(arena, row, 8),
      .wall = sqlite3_column_double(row, 4),
      .results = results,
  };
  bool found = read_results(database, study, row, 5, results);
  sqlite3_reset(row);
  return found;
}

/* A run whose key is there already stays as it is. */
static bool put_run(struct database *database, const struct database_study *study, const struct database_run *run,
                    const char *params) {
  sqlite3_stmt *statement = database_statement(database, STATEMENT_PUT_RUN);
  sqlite3_bind_blob(statement, 1, run->key.bytes, DATABASE_KEY, SQLITE_STATIC);
  sqlite3_bind_int64(statement, 2, (sqlite3_int64)run->seed);
  database_bind(statement, 3, run->status);
  database_bind(statement, 4, run->error);
  database_bind(statement, 5, run->evidence);
  sqlite3_bind_double(statement, 6, run->wall);
  database_bind(statement, 7, json_of_results(database, study, run->results));
  database_bind(statement, 8, run->warnings);
  database_bind(statement, 9, run->stop);
  database_bind(statement, 10, run->notes);
  database_bind(statement, 11, params);
  return database_do(database, statement);
}

bool database_put_run(struct database *database, const struct database_study *study, const struct database_run *run) {
  return database_begin(database) && put_run(database, study, run, NULL) && database_commit_old(database);
}

/* ---- answers ---- */

bool database_put_answer(struct database *database, const struct database_key *key, double answer) {
  if (!database_begin(database)) return false;
  sqlite3_stmt *statement = database_statement(database, STATEMENT_PUT_ANSWER);
  sqlite3_bind_blob(statement, 1, key->bytes, DATABASE_KEY, SQLITE_STATIC);
  sqlite3_bind_double(statement, 2, answer);
  return database_do(database, statement) && database_commit_old(database);
}

bool database_answers(struct database *database,
                      void (*take)(void *user, const struct database_key *key, double answer), void *user) {
  sqlite3_stmt *row = database_statement(database, STATEMENT_ANSWERS);
  int code;
  while ((code = sqlite3_step(row)) == SQLITE_ROW) {
    struct database_key key = database_key_of(row, 0);
    take(user, &key, sqlite3_column_double(row, 1));
  }
  sqlite3_reset(row);
  return code == SQLITE_DONE || database_fail(database);
}

/* ---- points ---- */

static bool put_of_study(struct database *database, const struct database_study *study,
                         const struct database_point *point) {
  struct text *params = &database->scratch[0], *columns = &database->scratch[1];
  sqlite3_stmt *statement = database_statement(database, STATEMENT_PUT_POINT);
  sqlite3_bind_int64(statement, 1, study->id);
  sqlite3_bind_int64(statement, 2, (sqlite3_int64)point->number);
  sqlite3_bind_int64(statement, 3, point->repetition);
  sqlite3_bind_blob(statement, 4, point->run.key.bytes, DATABASE_KEY, SQLITE_STATIC);
  database_bind(statement, 5, json_of_values(params, study->params, study->param_count, point->params));
  database_bind(statement, 6, json_of_values(columns, study->columns, study->column_count, point->columns));
  return database_do(database, statement);
}

/* Those of a run that is there. */
static bool put_params(struct database *database, const struct database_key *key, const char *params) {
  sqlite3_stmt *statement = database_statement(database, STATEMENT_PUT_PARAMS);
  sqlite3_bind_blob(statement, 1, key->bytes, DATABASE_KEY, SQLITE_STATIC);
  database_bind(statement, 2, params);
  return database_do(database, statement);
}

bool database_put_point(struct database *database, const struct database_study *study,
                        const struct database_point *point) {
  const struct database_run *run = &point->run;
  if (!database_begin(database)) return false;
  if (!study->looked_up && !put_of_study(database, study, point)) return false;
  const char *params = json_of_params(&database->scratch[1], study, point);
  if (run->status && !put_run(database, study, run, params)) return false;
  bool whole = run->status && sqlite3_changes(database->file);
  return (whole || put_params(database, &run->key, params)) && database_commit_old(database);
}

/* The columns, each with the ends of its interval behind it. */
static const char *json_of_means(struct database *database, const struct database_study *study,
                                 const struct database_mean *mean) {
  struct text *text = &database->scratch[0];
  text->size = 0;
  for (size_t i = 0; i < study->column_count; i++) {
    const char *name = study->columns[i].name;
    put_key(text, name);
    text_put(text, mean->columns[i]);
    if (isnan(mean->low[i])) continue;
    put_key_with(text, name, ".low");
    put_number(database, mean->low[i]);
    put_key_with(text, name, ".high");
    put_number(database, mean->high[i]);
  }
  return end_object(text);
}

bool database_put_mean(struct database *database, const struct database_study *study,
                       const struct database_mean *mean) {
  if (study->looked_up) return true;
  if (!database_begin(database)) return false;
  sqlite3_stmt *statement = database_statement(database, STATEMENT_PUT_MEAN);
  sqlite3_bind_int64(statement, 1, study->id);
  sqlite3_bind_int64(statement, 2, (sqlite3_int64)mean->number);
  sqlite3_bind_int64(statement, 3, (sqlite3_int64)mean->repetitions);
  database_bind(statement, 4, mean->error);
  database_bind(statement, 5, json_of_means(database, study, mean));
  return database_do(database, statement) && database_commit_old(database);
}

/* A point in memory that is used again for the next one. */
struct reading {
  struct database *database;
  const struct database_study *study;
  struct database_point point;
  const char **params, **columns;
  double *results;
};

static bool is_number(sqlite3_stmt *row, int column) {
  return sqlite3_column_type(row, column) == SQLITE_INTEGER && sqlite3_column_int64(row, column) >= 0;
}

/* A point that psl has not written. */
static bool is_damaged(struct database *database, sqlite3_stmt *row) {
  const char *wrong = !is_number(row, 0)                                                         ? "number"
                      : !is_number(row, 1) || sqlite3_column_int64(row, 1) > (int64_t)UINT32_MAX ? "repetition"
                                                                                                 : NULL;
  if (!wrong) return false;
  diagnostic_add(database->diagnostics, SEVERITY_ERROR, (struct span){0},
                 "%s: the database is damaged: a point's %s is '%s'", database->path, wrong,
                 (const char *)sqlite3_column_text(row, *wrong == 'r'));
  return true;
}

static const struct database_point *read_point(struct reading *reading, sqlite3_stmt *row) {
  const struct database_study *study = reading->study;
  struct database_point *point = &reading->point;
  point->number = (uint64_t)sqlite3_column_int64(row, 0);
  point->repetition = (uint32_t)sqlite3_column_int64(row, 1);
  point->run = (struct database_run){
      .key = database_key_of(row, 4),
      .seed = (uint64_t)sqlite3_column_int64(row, 5),
      .status = (const char *)sqlite3_column_text(row, 6),
      .error = (const char *)sqlite3_column_text(row, 7),
      .evidence = (const char *)sqlite3_column_text(row, 8),
      .warnings = (const char *)sqlite3_column_text(row, 11),
      .stop = (const char *)sqlite3_column_text(row, 12),
      .wall = sqlite3_column_double(row, 9),
      .results = reading->results,
  };
  if (!point->run.status || !read_results(reading->database, study, row, 10, reading->results))
    for (size_t i = 0; i < study->result_count; i++)
      reading->results[i] = (double)NAN;
  point->means = (const char *)sqlite3_column_text(row, 13);
  read_values(&reading->database->scratch[0], row, 2, reading->params, study->param_count);
  read_values(&reading->database->scratch[1], row, 3, reading->columns, study->column_count);
  return point;
}

bool database_points(struct database *database, const struct database_study *study,
                     bool (*take)(void *user, const struct database_point *point), void *user) {
  struct arena *arena = &database->arena;
  struct reading reading = {
      .database = database,
      .study = study,
      .params = ARENA_ARRAY(arena, const char *, study->param_count),
      .columns = ARENA_ARRAY(arena, const char *, study->column_count),
      .results = ARENA_ARRAY(arena, double, study->result_count),
  };
  reading.point.params = reading.params;
  reading.point.columns = reading.columns;
  int code;
  bool damaged = false;
  sqlite3_stmt *row = database_statement(database, STATEMENT_POINTS);
  sqlite3_bind_int64(row, 1, study->id);
  while ((code = sqlite3_step(row)) == SQLITE_ROW && !(damaged = is_damaged(database, row)))
    if (!take(user, read_point(&reading, row))) break;
  if (code != SQLITE_DONE && code != SQLITE_ROW) database_fail(database);
  sqlite3_reset(row);
  return !damaged && (code == SQLITE_DONE || code == SQLITE_ROW);
}
