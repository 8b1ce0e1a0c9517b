/* The sums of a database's rows: what they are of, rows that are not what was written, and files of the formats before,
 * which have none. Called when a database is opened. */
#include "interp/database/database_file.h"

#include <string.h>
#define XXH_STATIC_LINKING_ONLY /* the state of a hash on the stack */
#include <xxhash.h>

enum { TABLE_STUDY, TABLE_POINT, TABLE_MEAN, TABLE_RUN, TABLE_ANSWER, TABLES };

static const struct table {
  const char *name, *summed, *one, *several; /* its columns that the sum is of; what a row is called */
  const char *counted; /* how many rows are; NULL: as many as there are. A point has one for each repetition. */
} tables[TABLES] = {
    [TABLE_STUDY] = {"study", DATABASE_STUDY, "study", "studies"},
    [TABLE_POINT] = {"point", DATABASE_POINT, "point", "points", "count(DISTINCT study || ' ' || number)"},
    [TABLE_MEAN] = {"mean", DATABASE_MEAN, "mean of repetitions", "means of repetitions"},
    [TABLE_RUN] = {"run", DATABASE_RUN, "run", "runs"},
    [TABLE_ANSWER] = {"answer", DATABASE_ANSWER, "answer of an evaluator", "answers of evaluators"},
};

/* ---- the function psl_sum of SQL ---- */

/* A number of all values in their order, kind by kind. Zeros are alike, since SQLite keeps no -0. */
static void sum_values(sqlite3_context *context, int count, sqlite3_value **values) {
  XXH3_state_t state;
  XXH3_64bits_reset(&state);
  for (int i = 0; i < count; i++) {
    int kind = sqlite3_value_type(values[i]);
    sqlite3_int64 whole = kind == SQLITE_INTEGER ? sqlite3_value_int64(values[i]) : 0;
    double real = kind == SQLITE_FLOAT ? sqlite3_value_double(values[i]) + 0.0 : 0;
    bool bytes = kind == SQLITE_TEXT || kind == SQLITE_BLOB;
    const void *data = bytes ? sqlite3_value_blob(values[i]) : kind == SQLITE_FLOAT ? (const void *)&real : &whole;
    uint64_t size = bytes ? (uint64_t)sqlite3_value_bytes(values[i]) : sizeof whole;
    XXH3_64bits_update(&state, &kind, sizeof kind);
    XXH3_64bits_update(&state, &size, sizeof size);
    if (data) XXH3_64bits_update(&state, data, size);
  }
  sqlite3_result_int64(context, (sqlite3_int64)XXH3_64bits_digest(&state));
}

bool database_add_sum(struct database *database) {
  int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC;
  return sqlite3_create_function(database->file, "psl_sum", -1, flags, NULL, sum_values, NULL, NULL) == SQLITE_OK ||
         database_fail(database);
}

/* ---- formats before ---- */

enum { FORMAT_WITHOUT_NOTES = 5, FORMAT_WITHOUT_SUMS = 6, FORMAT_OF_STUDIES = 7 }; /* of runs; then no entries */

/* Of a file that is read: as it would stand in one of this format. */
static bool view_old(struct database *database, int format) {
  bool fine = true;
  for (int t = 0; t < TABLES && fine && format <= FORMAT_WITHOUT_SUMS; t++) {
    const char *notes = format == FORMAT_WITHOUT_NOTES && strcmp(tables[t].name, "run") == 0 ? ", NULL AS notes" : "";
    const char *sql = arena_printf(&database->arena,
                                   "CREATE TEMP VIEW %s AS SELECT *, psl_sum(%s) AS sum FROM"
                                   " (SELECT *%s FROM main.%s)",
                                   tables[t].name, tables[t].summed, notes, tables[t].name);
    fine = database_exec(database, sql);
  }
  return fine;
}

static bool alter_old(struct database *database, int format) {
  bool fine = format != FORMAT_WITHOUT_NOTES || database_exec(database, "ALTER TABLE run ADD COLUMN notes TEXT");
  for (int t = 0; t < TABLES && fine && format <= FORMAT_WITHOUT_SUMS; t++) {
    const char *sql = arena_printf(&database->arena,
                                   "ALTER TABLE %s ADD COLUMN sum INTEGER NOT NULL DEFAULT 0;"
                                   "UPDATE %s SET sum = psl_sum(%s)",
                                   tables[t].name, tables[t].name, tables[t].summed);
    fine = database_exec(database, sql);
  }
  return fine && database_exec(database, arena_printf(&database->arena, "PRAGMA user_version = %d", DATABASE_FORMAT));
}

static int format_of(struct database *database) {
  sqlite3_stmt *statement = NULL;
  int format = 0;
  if (sqlite3_prepare_v2(database->file, "PRAGMA user_version", -1, &statement, NULL) == SQLITE_OK &&
      sqlite3_step(statement) == SQLITE_ROW)
    format = sqlite3_column_int(statement, 0);
  sqlite3_finalize(statement);
  return format;
}

/* Another psl may do the same meanwhile. */
bool database_update(struct database *database, enum database_mode mode) {
  int format = format_of(database);
  if (format >= DATABASE_FORMAT) return true;
  if (mode == DATABASE_READ) return view_old(database, format);
  if (!database_exec(database, "BEGIN IMMEDIATE")) return false;
  format = format_of(database);
  bool altered = format >= DATABASE_FORMAT || alter_old(database, format);
  return database_exec(database, altered ? "COMMIT" : "ROLLBACK") && altered;
}

/* ---- damage ---- */

static bool ask_number(struct database *database, const char *sql, uint64_t *number) {
  sqlite3_stmt *statement = NULL;
  bool fine = sqlite3_prepare_v2(database->file, sql, -1, &statement, NULL) == SQLITE_OK &&
              sqlite3_step(statement) == SQLITE_ROW;
  if (fine)
    *number = (uint64_t)sqlite3_column_int64(statement, 0);
  else
    database_fail(database);
  sqlite3_finalize(statement);
  return fine;
}

/* Rows of each table that are not what was written; false after a diagnostic. */
static bool count_damaged(struct database *database, uint64_t counts[TABLES]) {
  for (int t = 0; t < TABLES; t++) {
    const char *sql =
        arena_printf(&database->arena, "SELECT %s FROM %s WHERE sum <> psl_sum(%s)",
                     tables[t].counted ? tables[t].counted : "count(*)", tables[t].name, tables[t].summed);
    if (!ask_number(database, sql, &counts[t])) return false;
  }
  return true;
}

/* "2 points and 1 run", and how many these are together; NULL: none. */
static const char *counted(struct database *database, const uint64_t counts[TABLES], uint64_t *rows) {
  struct text text = {.arena = &database->arena};
  int kinds = 0, named = 0;
  *rows = 0;
  for (int t = 0; t < TABLES; t++) {
    kinds += counts[t] > 0;
    *rows += counts[t];
  }
  for (int t = 0; t < TABLES; t++) {
    if (!counts[t]) continue;
    const char *before = !named ? "" : named + 1 == kinds ? " and " : ", ";
    text_printf(&text, "%s%llu %s", before, (unsigned long long)counts[t],
                counts[t] == 1 ? tables[t].one : tables[t].several);
    named++;
  }
  return text.data;
}

/* A study's views go with it, whatever stands in the row for their names. */
static bool drop_views(struct database *database) {
  static const char views[] =
      "SELECT group_concat('DROP VIEW \"' || replace(name, '\"', '\"\"') || '\"', ';') FROM sqlite_schema,"
      " (SELECT id FROM study WHERE sum <> psl_sum(" DATABASE_STUDY "))"
      " WHERE type = 'view' AND sql GLOB '* WHERE study = ' || id || ' *'";
  sqlite3_stmt *statement = NULL;
  bool fine = sqlite3_prepare_v2(database->file, views, -1, &statement, NULL) == SQLITE_OK &&
              sqlite3_step(statement) == SQLITE_ROW;
  const char *sql = fine ? database_text(&database->arena, statement, 0) : NULL;
  if (!fine) database_fail(database);
  sqlite3_finalize(statement);
  return fine && (!sql || database_exec(database, sql));
}

static bool drop_damaged(struct database *database) {
  bool fine = drop_views(database);
  for (int t = 0; t < TABLES && fine; t++)
    fine = database_exec(database, arena_printf(&database->arena, "DELETE FROM %s WHERE sum <> psl_sum(%s)",
                                                tables[t].name, tables[t].summed));
  return fine;
}

bool database_test_sums(struct database *database, enum database_mode mode) {
  struct diagnostics *diagnostics = database->diagnostics;
  uint64_t counts[TABLES], rows;
  if (!count_damaged(database, counts)) return false;
  const char *said = counted(database, counts, &rows);
  if (!said) return true;
  database->dropped = true;
  diagnostic_add(diagnostics, mode == DATABASE_READ ? SEVERITY_ERROR : SEVERITY_WARNING, (struct span){0},
                 "%s: the database is damaged: %s %s not as psl has written %s%s", database->path, said,
                 rows == 1 ? "is" : "are", rows == 1 ? "it" : "them",
                 mode == DATABASE_READ ? ""
                 : rows == 1           ? ", and is left out"
                                       : ", and are left out");
  if (mode == DATABASE_READ) {
    diagnostic_help(diagnostics, (struct span){0},
                    "run the study with this database again: what is damaged is left out, and its runs are made again");
    return false;
  }
  if (!database_exec(database, "BEGIN IMMEDIATE")) return false;
  bool dropped = drop_damaged(database);
  return database_exec(database, dropped ? "COMMIT" : "ROLLBACK") && dropped;
}

/* ---- rows that are gone ---- */

/* Of a study that has ended, as far as that is known; all 0: none is missing. */
static void count_missing(struct database *database, const struct database_study *study, uint64_t counts[TABLES]) {
  static const int of_column[] = {TABLE_POINT, TABLE_MEAN, TABLE_RUN};
  sqlite3_stmt *statement = database_statement(database, STATEMENT_MISSING);
  memset(counts, 0, sizeof *counts * TABLES);
  sqlite3_bind_int64(statement, 1, study->id);
  bool ended = sqlite3_step(statement) == SQLITE_ROW;
  for (int i = 0; ended && i < (int)(sizeof of_column / sizeof *of_column); i++) {
    sqlite3_int64 missing = sqlite3_column_int64(statement, i);
    if (missing > 0) counts[of_column[i]] = (uint64_t)missing;
  }
  sqlite3_reset(statement);
}

bool database_test_rows(struct database *database, const struct database_study *study, enum database_mode mode) {
  struct diagnostics *diagnostics = database->diagnostics;
  uint64_t counts[TABLES], rows;
  count_missing(database, study, counts);
  const char *said = counted(database, counts, &rows);
  if (!said || (database->dropped && mode == DATABASE_WRITE)) return true;
  diagnostic_add(diagnostics, mode == DATABASE_READ ? SEVERITY_ERROR : SEVERITY_WARNING, (struct span){0},
                 "%s: %s of study '%s' that %s there when it ended %s missing%s", database->path, said, study->name,
                 rows == 1 ? "was" : "were", rows == 1 ? "is" : "are",
                 mode == DATABASE_READ ? ""
                 : rows == 1           ? ", and is made again"
                                       : ", and are made again");
  if (mode == DATABASE_READ)
    diagnostic_help(diagnostics, (struct span){0},
                    "run the study with this database again: it makes what is missing, and no other runs");
  return mode == DATABASE_WRITE;
}
