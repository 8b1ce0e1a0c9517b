/* Studies in a database: declared, found again, read; the view of each. */
#include "interp/database/database_file.h"

#include <string.h>

enum { COLUMNS_AT_MOST = 1900 }; /* of a view: what SQLite takes is 2,000 */

/* [{"name": "px", "unit": ""}, {"name": "p95", "unit": "s", "interval": true}, ...] */
static const char *json_columns(struct arena *arena, const struct database_column *columns, size_t count) {
  struct text text = {.arena = arena};
  text_char(&text, '[');
  for (size_t i = 0; i < count; i++) {
    text_put(&text, i ? ", {\"name\": " : "{\"name\": ");
    text_json(&text, columns[i].name);
    text_put(&text, ", \"unit\": ");
    text_json(&text, columns[i].unit);
    text_put(&text, columns[i].interval ? ", \"interval\": true}" : "}");
  }
  text_char(&text, ']');
  return text.data;
}

/* ---- the view ---- */

static void put_quoted(struct text *sql, char quote, const char *name) {
  text_char(sql, quote);
  for (const char *at = name; *at; at++) {
    if (*at == quote) text_char(sql, quote);
    text_char(sql, *at);
  }
  text_char(sql, quote);
}

/* A member of a JSON object. */
static void put_member(struct text *sql, const char *object, const char *name) {
  struct text path = {.arena = sql->arena};
  text_put(&path, "$.\"");
  database_put_label(&path, name);
  text_char(&path, '"');
  text_printf(sql, "%s ->> ", object);
  put_quoted(sql, '\'', path.data);
}

/* As a column of its name. */
static void put_as(struct text *sql, const char *object, const char *name, size_t *room) {
  if (!*room) return;
  text_put(sql, ", ");
  put_member(sql, object, name);
  text_put(sql, " AS ");
  put_quoted(sql, '"', name);
  --*room;
}

static const struct { const char *name, *sign; } ends[] = {{".low", " - "}, {".high", " + "}};
enum { ENDS = sizeof ends / sizeof *ends };

/* Those of the interval that one run has. */
static void put_ends(struct text *sql, const struct database_column *column, size_t *room) {
  for (size_t e = 0; e < ENDS && *room; e++, --*room) {
    text_put(sql, ", ");
    put_member(sql, "columns", column->name);
    text_put(sql, ends[e].sign);
    put_member(sql, "results", column->half);
    text_put(sql, " AS ");
    put_quoted(sql, '"', arena_printf(sql->arena, "%s%s", column->name, ends[e].name));
  }
}

static bool is_taken(struct database *database, const char *name) {
  sqlite3_stmt *statement = database_statement(database, STATEMENT_NAME_TAKEN);
  database_bind(statement, 1, name);
  bool taken = sqlite3_step(statement) == SQLITE_ROW;
  sqlite3_reset(statement);
  return taken || strncmp(name, "sqlite_", 7) == 0;
}

static const char *means_of(struct database *database, const char *view) {
  return arena_printf(&database->arena, "%s_means", view);
}

/* A row a run. */
static bool make_view(struct database *database, const struct database_study *study) {
  struct text sql = {.arena = &database->arena};
  size_t room = COLUMNS_AT_MOST;
  text_put(&sql, "CREATE VIEW ");
  put_quoted(&sql, '"', study->view);
  text_put(&sql, " AS SELECT number, repetition, seed");
  for (size_t p = 0; p < study->param_count; p++)
    put_as(&sql, "point.params", study->params[p].name, &room);
  for (size_t c = 0; c < study->column_count; c++) {
    put_as(&sql, "columns", study->columns[c].name, &room);
    if (study->columns[c].half) put_ends(&sql, &study->columns[c], &room);
  }
  text_printf(&sql,
              ", status, error, warnings, stop, evidence, wall FROM point LEFT JOIN run USING (key) WHERE study = %lld"
              " ORDER BY number, repetition",
              (long long)study->id);
  return database_exec(database, sql.data);
}

/* A row a point. */
static bool make_means_view(struct database *database, const struct database_study *study) {
  struct text sql = {.arena = &database->arena};
  size_t room = COLUMNS_AT_MOST;
  if (!study->repeated) return true;
  text_put(&sql, "CREATE VIEW ");
  put_quoted(&sql, '"', means_of(database, study->view));
  text_put(&sql, " AS SELECT number, repetitions");
  for (size_t p = 0; p < study->param_count; p++)
    put_as(&sql, "point.params", study->params[p].name, &room);
  for (size_t c = 0; c < study->column_count; c++) {
    const struct database_column *column = &study->columns[c];
    put_as(&sql, "mean.columns", column->name, &room);
    for (size_t e = 0; e < ENDS && column->interval; e++)
      put_as(&sql, "mean.columns", arena_printf(sql.arena, "%s%s", column->name, ends[e].name), &room);
  }
  text_printf(
      &sql, ", error FROM mean JOIN point USING (study, number) WHERE study = %lld AND repetition = 0 ORDER BY number",
      (long long)study->id);
  return database_exec(database, sql.data);
}

static bool drop_view(struct database *database, const char *view) {
  struct text sql = {.arena = &database->arena};
  text_put(&sql, "DROP VIEW IF EXISTS ");
  put_quoted(&sql, '"', view);
  return database_exec(database, sql.data);
}

/* ---- declaring ---- */

static void bind_study(struct database *database, sqlite3_stmt *statement, const struct database_study *study) {
  struct arena *arena = &database->arena;
  database_bind(statement, 1, study->name);
  database_bind(statement, 2, study->model);
  database_bind(statement, 3, study->system);
  database_bind(statement, 4, study->version);
  sqlite3_bind_blob(statement, 5, study->model_key.bytes, DATABASE_KEY, SQLITE_STATIC);
  sqlite3_bind_int64(statement, 6, (sqlite3_int64)study->point_count);
  database_bind(statement, 7, json_columns(arena, study->params, study->param_count));
  database_bind(statement, 8, json_columns(arena, study->columns, study->column_count));
  database_bind(statement, 9, json_columns(arena, study->results, study->result_count));
  database_bind(statement, 10, study->declaration);
}

/* The study of that name where it is there: its id, in *same whether nothing has changed, and in *repeated whether its
 * points were run several times. */
static bool find_study(struct database *database, struct database_study *study, bool *same, bool *repeated) {
  sqlite3_stmt *statement = database_statement(database, STATEMENT_FIND_STUDY);
  bind_study(database, statement, study);
  bool found = sqlite3_step(statement) == SQLITE_ROW;
  if (found) {
    study->id = sqlite3_column_int64(statement, 0);
    study->view = database_text(&database->arena, statement, 1);
    *same = sqlite3_column_int(statement, 2);
    study->replaced = database_text(&database->arena, statement, 3);
    study->remembered = sqlite3_column_int(statement, 4) && !*same && !study->replaced;
    study->looked_up = study->point_count == 1 && sqlite3_column_int64(statement, 5) > 1;
    study->was_repeated = *repeated = sqlite3_column_int(statement, 6);
  }
  sqlite3_reset(statement);
  return found;
}

static bool insert_study(struct database *database, struct database_study *study) {
  study->is_new = !study->id;
  study->view = study->name;
  for (int i = 2;
       is_taken(database, study->view) || (study->repeated && is_taken(database, means_of(database, study->view))); i++)
    study->view = arena_printf(&database->arena, "%s_%d", study->name, i);
  sqlite3_stmt *statement = database_statement(database, STATEMENT_INSERT_STUDY);
  bind_study(database, statement, study);
  database_bind(statement, 11, study->view);
  if (!database_do(database, statement)) return false;
  study->id = sqlite3_last_insert_rowid(database->file);
  return make_view(database, study) && make_means_view(database, study);
}

/* Of the study that goes, which runs its points had. */
static bool remember_points(struct database *database, const struct database_study *study) {
  if (!study->remembered) return true;
  sqlite3_stmt *statement = database_statement(database, STATEMENT_REMEMBER);
  sqlite3_bind_int64(statement, 1, study->id);
  return database_do(database, statement);
}

uint64_t database_points_lost(struct database *database, const struct database_study *study) {
  if (!study->remembered || study->looked_up) return 0;
  sqlite3_stmt *statement = database_statement(database, STATEMENT_LOST);
  sqlite3_bind_int64(statement, 1, study->id);
  uint64_t lost = sqlite3_step(statement) == SQLITE_ROW ? (uint64_t)sqlite3_column_int64(statement, 0) : 0;
  sqlite3_reset(statement);
  return lost;
}

static bool delete_study(struct database *database, const struct database_study *study, bool repeated) {
  sqlite3_stmt *statement = database_statement(database, STATEMENT_DELETE_STUDY);
  sqlite3_bind_int64(statement, 1, study->id);
  return database_do(database, statement) && drop_view(database, study->view) &&
         (!repeated || drop_view(database, means_of(database, study->view)));
}

bool database_declare(struct database *database, struct database_study *study) {
  bool same = false, repeated = false;
  if (!database_begin(database)) return false;
  if (find_study(database, study, &same, &repeated)) {
    if (same && !study->looked_up && !database_test_rows(database, study, DATABASE_WRITE)) return false;
    if (same || study->looked_up) return database_commit(database);
    if (!remember_points(database, study) || !delete_study(database, study, repeated)) return false;
  }
  return insert_study(database, study) && database_commit(database);
}

bool database_put_outcome(struct database *database, const struct database_study *study, const char *outcome,
                          const char *uncertain) {
  if (study->looked_up) return true;
  if (!database_begin(database)) return false;
  sqlite3_stmt *statement = database_statement(database, STATEMENT_PUT_OUTCOME);
  sqlite3_bind_int64(statement, 1, study->id);
  database_bind(statement, 2, outcome);
  database_bind(statement, 3, uncertain);
  return database_do(database, statement) && database_commit(database);
}

/* ---- reading ---- */

static const struct database_column *read_columns(struct database *database, struct arena *arena, const char *json,
                                                  size_t *count) {
  struct database_column *columns = NULL;
  size_t capacity = 0;
  *count = 0;
  sqlite3_stmt *statement = database_statement(database, STATEMENT_COLUMNS);
  database_bind(statement, 1, json);
  while (sqlite3_step(statement) == SQLITE_ROW) {
    struct database_column column = {database_text(arena, statement, 0), database_text(arena, statement, 1)};
    if (!column.name) column.name = "";
    if (!column.unit) column.unit = "";
    ARENA_PUSH(arena, columns, *count, capacity, column);
  }
  sqlite3_reset(statement);
  return columns;
}

static struct database_study read_study(struct database *database, struct arena *arena, sqlite3_stmt *row) {
  struct database_study study = {
      .id = sqlite3_column_int64(row, 0),
      .name = database_text(arena, row, 1),
      .view = database_text(arena, row, 2),
      .model = database_text(arena, row, 3),
      .system = database_text(arena, row, 4),
      .version = database_text(arena, row, 5),
      .model_key = database_key_of(row, 6),
      .point_count = (uint64_t)sqlite3_column_int64(row, 7),
      .declaration = database_text(arena, row, 8),
  };
  study.params = read_columns(database, arena, database_text(arena, row, 9), &study.param_count);
  study.columns = read_columns(database, arena, database_text(arena, row, 10), &study.column_count);
  study.results = read_columns(database, arena, database_text(arena, row, 11), &study.result_count);
  return study;
}

const struct database_study *database_studies(struct database *database, struct arena *arena, size_t *count) {
  struct database_study *studies = ARENA_ARRAY(arena, struct database_study, 0);
  size_t capacity = 0;
  int code;
  *count = 0;
  sqlite3_stmt *statement = database_statement(database, STATEMENT_STUDIES);
  while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
    struct database_study study = read_study(database, arena, statement);
    if (!*count) studies = NULL;
    ARENA_PUSH(arena, studies, *count, capacity, study);
  }
  if (code != SQLITE_DONE) database_fail(database);
  sqlite3_reset(statement);
  return code == SQLITE_DONE ? studies : NULL;
}
