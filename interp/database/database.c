/* The file of a database: made, tested before anything is written to it, opened, its transactions; keys.
 * Called by whoever runs studies or reports on them; what stands in the file is in database_study.c,
 * database_row.c and repository.c. */
#include "interp/database/database_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#define XXH_STATIC_LINKING_ONLY /* the state of a hash on the stack */
#include <xxhash.h>

#define TRANSACTION_SECONDS 0.05
enum {
  APPLICATION = 0x50534c64, /* "PSLd", in the file's header */
  TRIES_AT_MOST = 50000,    /* of TRY_AFTER: 10 s for another process */
  TRY_AFTER = 200000,       /* ns */
  PAUSE = 400000,           /* ns: longer than a try */
};

/* A run of a model with a few components takes some 2 KB: a page of the usual 4 KiB would have one of them. */
static const char schema[] =
    "PRAGMA page_size = 16384;"
    "BEGIN;"
    "CREATE TABLE study ("
    "  id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, view TEXT NOT NULL UNIQUE,"
    "  model TEXT NOT NULL, system TEXT NOT NULL, psl TEXT NOT NULL, model_key BLOB NOT NULL,"
    "  points INTEGER NOT NULL, params TEXT NOT NULL, columns TEXT NOT NULL, results TEXT NOT NULL,"
    "  declaration TEXT NOT NULL, sum INTEGER NOT NULL) STRICT;"
    "CREATE TABLE point ("
    "  study INTEGER NOT NULL REFERENCES study (id) ON DELETE CASCADE, number INTEGER NOT NULL,"
    "  repetition INTEGER NOT NULL, key BLOB NOT NULL, params TEXT NOT NULL, columns TEXT NOT NULL,"
    "  sum INTEGER NOT NULL, PRIMARY KEY (study, number, repetition)) STRICT, WITHOUT ROWID;"
    "CREATE TABLE mean ("
    "  study INTEGER NOT NULL REFERENCES study (id) ON DELETE CASCADE, number INTEGER NOT NULL,"
    "  repetitions INTEGER NOT NULL, error TEXT, columns TEXT NOT NULL, sum INTEGER NOT NULL,"
    "  PRIMARY KEY (study, number)) STRICT, WITHOUT ROWID;"
    "CREATE TABLE run ("
    "  id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, params TEXT, seed INTEGER NOT NULL, status TEXT NOT NULL,"
    "  error TEXT, warnings TEXT, stop TEXT, evidence TEXT, wall REAL NOT NULL, results TEXT NOT NULL,"
    "  notes TEXT, sum INTEGER NOT NULL) STRICT;"
    "CREATE TABLE answer (key BLOB PRIMARY KEY, value REAL NOT NULL, sum INTEGER NOT NULL) STRICT,"
    "  WITHOUT ROWID;"
    "CREATE VIEW unit AS"
    "  SELECT view AS study, 'param' AS kind, value ->> 'name' AS name, value ->> 'unit' AS unit"
    "  FROM study, json_each(params) UNION ALL"
    "  SELECT view, 'column', value ->> 'name', value ->> 'unit' FROM study, json_each(columns) UNION ALL"
    "  SELECT view, 'column', value ->> 'name' || ending, value ->> 'unit' FROM study, json_each(columns),"
    "  (SELECT '.low' AS ending UNION ALL SELECT '.high') WHERE value ->> 'interval' UNION ALL"
    "  SELECT view, 'result', value ->> 'name', value ->> 'unit' FROM study, json_each(results)"
    "  WHERE (study.id, replace(replace(value ->> 'name', '\"', ''''), '\\', '/')) IN"
    "  (SELECT point.study, figure.key FROM point JOIN run USING (key), json_each(run.results) AS figure);"
    "PRAGMA application_id = 0x50534c64;"
    "PRAGMA user_version = 8;"
    "COMMIT;";

/* The columns of a sum where one of them is just written. */
#define STUDY_WITH_OUTCOME \
  "name, view, model, system, psl, model_key, points, params, columns, results, whole.declaration"
#define RUN_WITH_PARAMS "key, ?2, seed, status, error, evidence, wall, results, warnings, stop, notes"

static const char *const statements[STATEMENTS] = {
    [STATEMENT_BEGIN] = "BEGIN IMMEDIATE",
    [STATEMENT_COMMIT] = "COMMIT",
    [STATEMENT_FIND_STUDY] =
        "SELECT id, view, psl = ?4 AND model_key = ?5 AND points = ?6 AND params = ?7 AND columns = ?8"
        " AND results = ?9 AND json_remove(declaration, '$.outcome', '$.uncertain', '$.rows') = json(?10),"
        " (SELECT group_concat(value ->> 'name', ', ') FROM json_each(params)"
        "  HAVING max(value ->> 'name' NOT IN (SELECT value ->> 'name' FROM json_each(?7)))),"
        " model_key = ?5, points, declaration ->> '$.repetitions' > 1 FROM study"
        " WHERE name = ?1 AND model = ?2 AND system = ?3",
    [STATEMENT_INSERT_STUDY] =
        "INSERT INTO study (name, model, system, psl, model_key, points, params, columns, results,"
        " declaration, view, sum) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11,"
        " psl_sum(?1, ?11, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10))",
    [STATEMENT_PUT_OUTCOME] = "UPDATE study SET declaration = whole.declaration, sum = psl_sum(" STUDY_WITH_OUTCOME ")"
                              " FROM (SELECT id, json_set(declaration, '$.outcome', json(?2), '$.uncertain', json(?3),"
                              " '$.rows', json_object('point', (SELECT count(*) FROM point WHERE study = ?1),"
                              " 'mean', (SELECT count(*) FROM mean WHERE study = ?1))) AS declaration FROM study"
                              " WHERE id = ?1) AS whole WHERE study.id = whole.id",
    [STATEMENT_DELETE_STUDY] = "DELETE FROM study WHERE id = ?1",
    [STATEMENT_REMEMBER] = "INSERT INTO temp.remembered SELECT key FROM point WHERE study = ?1",
    [STATEMENT_LOST] = "SELECT count(*) FROM (SELECT key FROM temp.remembered EXCEPT"
                       " SELECT key FROM point WHERE study = ?1)",
    [STATEMENT_NAME_TAKEN] = "SELECT 1 FROM sqlite_schema WHERE name = ?1 COLLATE NOCASE",
    [STATEMENT_MISSING] = "SELECT declaration ->> '$.rows.point' / coalesce(declaration ->> '$.repetitions', 1) -"
                          " (SELECT count(*) FROM (SELECT count(*) AS rows FROM point WHERE study = ?1 GROUP BY number)"
                          "  WHERE rows >= coalesce(declaration ->> '$.repetitions', 1)),"
                          " declaration ->> '$.rows.mean' - (SELECT count(*) FROM mean WHERE study = ?1),"
                          " (SELECT count(DISTINCT point.key) FROM point LEFT JOIN run USING (key)"
                          "  WHERE study = ?1 AND run.key IS NULL) FROM study"
                          " WHERE id = ?1 AND declaration ->> '$.rows' IS NOT NULL",
    [STATEMENT_STUDIES] = "SELECT id, name, view, model, system, psl, model_key, points, declaration,"
                          " params, columns, results FROM study ORDER BY id",
    [STATEMENT_COLUMNS] = "SELECT value ->> 'name', value ->> 'unit' FROM json_each(?1)",
    [STATEMENT_FIND_RUN] = "SELECT seed, status, error, evidence, wall, results, warnings, stop, notes FROM run"
                           " WHERE key = ?1 AND status <> 'lost'",
    [STATEMENT_PUT_RUN] =
        "INSERT INTO run (key, seed, status, error, evidence, wall, results, warnings, stop,"
        " notes, params, sum)"
        " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11,"
        " psl_sum(?1, ?11, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)) ON CONFLICT (key) DO UPDATE SET"
        " params = excluded.params, seed = excluded.seed, status = excluded.status, error = excluded.error,"
        " evidence = excluded.evidence, wall = excluded.wall, results = excluded.results,"
        " warnings = excluded.warnings, stop = excluded.stop, notes = excluded.notes,"
        " sum = excluded.sum WHERE run.status = 'lost'",
    [STATEMENT_PUT_POINT] = "INSERT INTO point (study, number, repetition, key, params, columns, sum)"
                            " VALUES (?1, ?2, ?3, ?4, ?5, ?6, psl_sum(?1, ?2, ?3, ?4, ?5, ?6))"
                            " ON CONFLICT DO UPDATE SET key = excluded.key, params = excluded.params,"
                            " columns = excluded.columns, sum = excluded.sum WHERE sum <> excluded.sum",
    [STATEMENT_PUT_PARAMS] = "UPDATE run SET params = ?2, sum = psl_sum(" RUN_WITH_PARAMS ")"
                             " WHERE key = ?1 AND params IS NULL",
    [STATEMENT_PUT_MEAN] = "INSERT OR REPLACE INTO mean (study, number, repetitions, error, columns, sum)"
                           " VALUES (?1, ?2, ?3, ?4, ?5, psl_sum(?1, ?2, ?3, ?4, ?5))",
    [STATEMENT_POINTS] = "SELECT point.number, repetition, point.params, point.columns, key, seed, status, run.error,"
                         " evidence, wall, results, warnings, stop, mean.columns FROM point LEFT JOIN run USING (key)"
                         " LEFT JOIN mean ON mean.study = point.study AND mean.number = point.number"
                         " WHERE point.study = ?1 ORDER BY point.number, repetition",
    [STATEMENT_PUT_ANSWER] = "INSERT INTO answer (key, value, sum) VALUES (?1, ?2, psl_sum(?1, ?2))"
                             " ON CONFLICT DO NOTHING",
    [STATEMENT_ANSWERS] = "SELECT key, value FROM answer",
};

/* ---- errors ---- */

static bool say(struct database *database, const char *message) {
  diagnostic_add(database->diagnostics, SEVERITY_ERROR, (struct span){0}, "%s: %s", database->path, message);
  return false;
}

/* A write that failed; behind it SQLite may have forgotten why. */
static bool lacks_space(int code, int error) {
  bool unknown = code == SQLITE_IOERR_WRITE && !error;
  return unknown || error == ENOSPC || error == EDQUOT || error == EFBIG;
}

bool database_fail(struct database *database) {
  if (database->failed) return false;
  database->failed = true;
  int code = sqlite3_extended_errcode(database->file);
  if (code == SQLITE_CONSTRAINT_FOREIGNKEY)
    return say(database, "another psl has begun this study anew in this database, with another declaration");
  switch (code & 0xff) {
  case SQLITE_BUSY:
    say(database, "another process writes to the database and has not made way for 10 s");
    diagnostic_help(database->diagnostics, (struct span){0}, "give each study that runs now a file of its own");
    return false;
  case SQLITE_CORRUPT:
  case SQLITE_NOTADB: return say(database, "the database is damaged");
  case SQLITE_READONLY:
  case SQLITE_PERM: return say(database, "the database cannot be written");
  case SQLITE_IOERR:
    if (!lacks_space(code, sqlite3_system_errno(database->file))) break;
    return say(database, "the database cannot be written: no space is left");
  case SQLITE_FULL: return say(database, "the database cannot be written: no space is left");
  case SQLITE_ERROR: /* a statement of ours that does not fit the tables, or text that is no JSON */
    diagnostic_add(database->diagnostics, SEVERITY_ERROR, (struct span){0}, "%s: the database is damaged: %s",
                   database->path, sqlite3_errmsg(database->file));
    return false;
  default: break;
  }
  diagnostic_add(database->diagnostics, SEVERITY_ERROR, (struct span){0}, "%s: the database cannot be used: %s",
                 database->path, sqlite3_errmsg(database->file));
  return false;
}

static bool refuse(struct database *database, const char *why) {
  say(database, why);
  diagnostic_note(database->diagnostics, (struct span){0}, "it is left as it is; name another file");
  return false;
}

static bool refuse_damaged(struct database *database, const char *what) {
  diagnostic_add(database->diagnostics, SEVERITY_ERROR, (struct span){0}, "%s: the database is damaged: %s",
                 database->path, what);
  diagnostic_note(database->diagnostics, (struct span){0}, "it is left as it is; name another file");
  return false;
}

/* ---- statements ---- */

sqlite3_stmt *database_statement(struct database *database, enum database_statement which) {
  sqlite3_stmt *statement = database->statements[which];
  sqlite3_reset(statement);
  sqlite3_clear_bindings(statement);
  return statement;
}

bool database_do(struct database *database, sqlite3_stmt *statement) {
  bool done = sqlite3_step(statement) == SQLITE_DONE;
  if (!done) database_fail(database);
  sqlite3_reset(statement);
  return done;
}

bool database_exec(struct database *database, const char *sql) {
  return sqlite3_exec(database->file, sql, NULL, NULL, NULL) == SQLITE_OK || database_fail(database);
}

void database_bind(sqlite3_stmt *statement, int place, const char *text) {
  sqlite3_bind_text(statement, place, text, -1, SQLITE_STATIC);
}

const char *database_text(struct arena *arena, sqlite3_stmt *statement, int column) {
  const char *text = (const char *)sqlite3_column_text(statement, column);
  return text ? arena_copy(arena, text, (size_t)sqlite3_column_bytes(statement, column)) : NULL;
}

struct database_key database_key_of(sqlite3_stmt *statement, int column) {
  struct database_key key = {0};
  const void *bytes = sqlite3_column_blob(statement, column);
  if (bytes && sqlite3_column_bytes(statement, column) == DATABASE_KEY) memcpy(key.bytes, bytes, DATABASE_KEY);
  return key;
}

/* ---- a file that is there ---- */

/* As sqlite opens it: never as a name with a meaning of its own. */
static const char *plain_name(struct database *database) {
  return database->path[0] == '/' ? database->path : arena_printf(&database->arena, "./%s", database->path);
}

/* A URI of the file as it is: opened so, nothing is written, no file made beside it, nothing waited for. */
static const char *untouched_name(struct database *database) {
  struct text uri = {.arena = &database->arena};
  const char *name = plain_name(database);
  text_put(&uri, name[0] == '/' ? "file://" : "file:");
  for (const char *at = name; *at; at++)
    if (strchr("%?#", *at))
      text_printf(&uri, "%%%02X", (unsigned)*at);
    else
      text_char(&uri, *at);
  text_put(&uri, "?immutable=1");
  return uri.data;
}

static void sleep_for(long nanoseconds) { nanosleep(&(struct timespec){0, nanoseconds}, NULL); }

static int try_again(void *user, int tries) {
  const struct database *database = user;
  sleep_for(TRY_AFTER);
  return tries < database->tries && !interrupt_wanted(database->arena.memory);
}

/* One thread at a time uses it, that of the handle. */
static bool open_file(struct database *database, const char *name, int flags) {
  database->failed = false;
  if (sqlite3_open_v2(name, &database->file, flags | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK) return false;
  sqlite3_extended_result_codes(database->file, 1);
  sqlite3_busy_handler(database->file, try_again, database);
  return true;
}

/* With the statements that somebody was in when memory was wanting, or the user wanted an end. */
static void close_file(struct database *database) {
  for (int i = 0; i < STATEMENTS; i++)
    sqlite3_finalize(database->statements[i]);
  for (int i = 0; i < DATABASE_OTHERS; i++) {
    sqlite3_finalize(database->others[i]);
    database->others[i] = NULL;
  }
  memset(database->statements, 0, sizeof database->statements);
  sqlite3_close(database->file);
  database->file = NULL;
}

/* The one value of a PRAGMA; NULL where the file cannot be read. */
static const char *ask(struct database *database, const char *sql) {
  sqlite3_stmt *statement = NULL;
  const char *answer = NULL;
  if (sqlite3_prepare_v2(database->file, sql, -1, &statement, NULL) == SQLITE_OK &&
      sqlite3_step(statement) == SQLITE_ROW)
    answer = database_text(&database->arena, statement, 0);
  sqlite3_finalize(statement);
  return answer;
}

enum { HEADER = 100, HEADER_FORMAT = 60, HEADER_APPLICATION = 68 }; /* of SQLite's file format, 1.3 */

static uint32_t number_at(const unsigned char *header, int offset) {
  const unsigned char *at = header + offset;
  return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static bool read_header(struct database *database, unsigned char header[HEADER]) {
  struct stat status;
  if (stat(plain_name(database), &status) == 0 && !S_ISREG(status.st_mode))
    return refuse(database, "it is no plain file");
  int file = open(plain_name(database), O_RDONLY | O_CLOEXEC);
  ssize_t got = file < 0 ? -1 : read(file, header, HEADER);
  int why = errno;
  if (file >= 0) close(file);
  if (got < 0) return refuse(database, strerror(why));
  return (got == HEADER && !memcmp(header, "SQLite format 3", 16)) ||
         refuse(database, "the file is no SQLite database");
}

/* By the bytes of the header, which never change: where psl was killed when it moved the log into the file,
 * the file without the log is no database that SQLite would open. */
static bool is_ours(struct database *database) {
  unsigned char header[HEADER];
  if (!read_header(database, header)) return false;
  if (number_at(header, HEADER_APPLICATION) != APPLICATION)
    return refuse(database, "the file is an SQLite database, but not one of PSL's");
  uint32_t version = number_at(header, HEADER_FORMAT);
  if (version >= DATABASE_FORMAT_OLDEST && version <= DATABASE_FORMAT) return true;
  if (!version) return refuse_damaged(database, "its format has no number");
  diagnostic_add(database->diagnostics, SEVERITY_ERROR, (struct span){0},
                 "%s: the database was written by %s psl: its format is %u, this psl knows %d", database->path,
                 version > DATABASE_FORMAT ? "a newer" : "an older", version, DATABASE_FORMAT);
  diagnostic_note(database->diagnostics, (struct span){0}, "it is left as it is; name another file");
  return false;
}

static const char *check_pages(struct database *database) {
  const char *answer = ask(database, "PRAGMA integrity_check(1)");
  if (!answer) return sqlite3_errmsg(database->file);
  const char *heading = strchr(answer, '\n'); /* *** in database main *** */
  return strcmp(answer, "ok") == 0 ? NULL : heading ? heading + 1 : answer;
}

static bool has_log(struct database *database) {
  return access(arena_printf(&database->arena, "%s-wal", database->path), F_OK) == 0;
}

/* Where a log stands beside the file (psl was killed, or another one writes), the file is whole together with
 * that log only; reading both makes at most the log's index anew. */
static const char *check_with_log(struct database *database) {
  close_file(database);
  bool fine = open_file(database, plain_name(database), SQLITE_OPEN_READONLY);
  return fine ? check_pages(database) : sqlite3_errmsg(database->file);
}

static const char *check_alone(struct database *database) {
  bool fine = open_file(database, untouched_name(database), SQLITE_OPEN_READONLY | SQLITE_OPEN_URI);
  return fine ? check_pages(database) : sqlite3_errmsg(database->file);
}

/* Tests the file without touching it. */
static bool is_whole(struct database *database) {
  if (!is_ours(database)) return false;
  const char *damage = has_log(database) ? check_with_log(database) : check_alone(database);
  if (damage && has_log(database)) damage = check_with_log(database); /* it came meanwhile */
  if (damage) refuse_damaged(database, damage);
  close_file(database);
  return !damage;
}

/* ---- a new file ---- */

static bool cannot_make(struct database *database, const char *why) {
  diagnostic_add(database->diagnostics, SEVERITY_ERROR, (struct span){0}, "%s: the database cannot be made: %s",
                 database->path, why);
  return false;
}

/* What has that name is left of a psl that was killed. */
static bool write_file(const char *path, const unsigned char *data, size_t size) {
  unlink(path);
  int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file < 0) return false;
  ssize_t wrote = write(file, data, size);
  bool written = wrote == (ssize_t)size;
  int why = wrote < 0 ? errno : ENOSPC;
  close(file);
  errno = why;
  return written;
}

/* Written beside its place and put there when it is whole, so that nobody finds half a database. Another
 * process may be faster: then its file is taken. */
static bool put_file(struct database *database, const unsigned char *data, size_t size, bool empty) {
  const char *path = plain_name(database);
  const char *beside = arena_printf(&database->arena, "%s.%ld.new", path, (long)getpid());
  bool put = write_file(beside, data, size) && (empty ? rename(beside, path) : link(beside, path)) == 0;
  int why = errno;
  unlink(beside);
  return put || why == EEXIST || cannot_make(database, strerror(why));
}

/* The bytes of a database without a row. Those that say that it has a log (file format, offsets 18 and 19)
 * cannot be set by SQL in memory. */
static bool make_file(struct database *database, bool empty) {
  sqlite3_int64 size = 0;
  unsigned char *data = NULL;
  if (open_file(database, ":memory:", SQLITE_OPEN_READWRITE) &&
      sqlite3_exec(database->file, schema, NULL, NULL, NULL) == SQLITE_OK)
    data = sqlite3_serialize(database->file, "main", &size, 0);
  bool made = data != NULL;
  if (data) {
    data[18] = data[19] = 2;
    made = put_file(database, data, (size_t)size, empty);
  } else {
    cannot_make(database, sqlite3_errmsg(database->file));
  }
  sqlite3_free(data);
  close_file(database);
  return made;
}

/* What is read of a file of a format before is a view, of which SQLite prepares no statement that writes. */
static bool is_needed(int statement, enum database_mode mode) {
  return mode == DATABASE_WRITE || statement == STATEMENT_STUDIES || statement == STATEMENT_MISSING ||
         statement == STATEMENT_COLUMNS || statement == STATEMENT_POINTS || statement == STATEMENT_FIND_RUN ||
         statement == STATEMENT_ANSWERS;
}

static bool prepare(struct database *database, enum database_mode mode) {
  static const char settings[] = "PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY;"
                                 "CREATE TEMP TABLE remembered (key BLOB)";
  if (!database_add_sum(database) || !database_exec(database, settings)) return false;
  if (!database_update(database, mode) || !database_test_sums(database, mode)) return false;
  if (mode == DATABASE_READ && !database_exec(database, "PRAGMA query_only = ON")) return false;
  for (int i = 0; i < STATEMENTS; i++)
    if (is_needed(i, mode) && sqlite3_prepare_v3(database->file, statements[i], -1, SQLITE_PREPARE_PERSISTENT,
                                                 &database->statements[i], NULL) != SQLITE_OK)
      return database_fail(database);
  return true;
}

/* In a folder that cannot be written there can be no log, and none can come. */
static bool can_be_written(struct database *database) {
  const char *path = plain_name(database), *slash = strrchr(path, '/');
  const char *folder = slash == path ? "/" : arena_copy(&database->arena, path, (size_t)(slash - path));
  return access(path, W_OK) == 0 && access(folder, W_OK) == 0;
}

/* What cannot be written is read as it is, with the log that it may have. */
static bool open_whole(struct database *database, enum database_mode mode) {
  bool opened;
  if (mode == DATABASE_WRITE || can_be_written(database))
    opened = open_file(database, plain_name(database), SQLITE_OPEN_READWRITE);
  else if (has_log(database))
    opened = open_file(database, plain_name(database), SQLITE_OPEN_READONLY);
  else
    opened = open_file(database, untouched_name(database), SQLITE_OPEN_READONLY | SQLITE_OPEN_URI);
  return opened || database_fail(database);
}

static bool open_path(struct database *database, enum database_mode mode) {
  struct stat status;
  bool there = stat(plain_name(database), &status) == 0;
  if (!there && errno == ENOENT && lstat(plain_name(database), &status) == 0)
    return say(database, "a symbolic link to a file that is not there");
  if (!there && (errno != ENOENT || mode == DATABASE_READ)) return say(database, strerror(errno));
  if (there && !S_ISREG(status.st_mode)) return say(database, "the database is no file");
  if (there && access(plain_name(database), R_OK)) return say(database, strerror(errno));
  bool empty = there && status.st_size == 0;
  if (empty && mode == DATABASE_READ) return refuse(database, "the file is empty");
  if ((!there || empty) && !make_file(database, empty)) return false;
  if (!is_whole(database)) return false;
  return open_whole(database, mode) && prepare(database, mode);
}

static void close_deferred(void *user) { database_close(user); }

struct database *database_open(struct arena *arena, struct diagnostics *diagnostics, const char *path,
                               enum database_mode mode) {
  struct database *database = ARENA_NEW(arena, struct database);
  arena_open(&database->arena, arena->memory);
  arena_open(&database->row, arena->memory);
  database->diagnostics = diagnostics;
  database->tries = TRIES_AT_MOST;
  database->path = arena_copy(&database->arena, path, strlen(path));
  for (int i = 0; i < 2; i++)
    database->scratch[i].arena = &database->arena;
  database->deferred = (struct arena_deferred){.run = close_deferred, .user = database};
  arena_defer(arena, &database->deferred);
  if (open_path(database, mode)) return database;
  database_close(database);
  return NULL;
}

bool database_close(struct database *database) {
  if (!database) return true;
  bool fine = database_commit(database);
  close_file(database);
  arena_close(&database->row);
  arena_close(&database->arena);
  return fine;
}

/* ---- transactions ---- */

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

bool database_begin(struct database *database) {
  if (database->failed) return false;
  if (database->open) return true;
  if (!database->statements[STATEMENT_BEGIN]) { /* it is open for reading */
    database->failed = true;
    return say(database, "the database cannot be written");
  }
  if (!database_do(database, database_statement(database, STATEMENT_BEGIN))) return false;
  database->open = true;
  database->opened = seconds();
  return true;
}

/* After a long transaction another psl that waits for its turn with this file gets it: it tries all the time,
 * and would else find the gap between two transactions by luck alone. */
bool database_commit(struct database *database) {
  if (!database->open) return !database->failed;
  database->open = false;
  bool fine = !database->failed && database_do(database, database_statement(database, STATEMENT_COMMIT));
  if (!fine)
    sqlite3_exec(database->file, "ROLLBACK", NULL, NULL, NULL);
  else if (seconds() - database->opened > TRANSACTION_SECONDS / 4)
    sleep_for(PAUSE);
  return fine;
}

void database_abandon(struct database *database) {
  if (database->open) sqlite3_exec(database->file, "ROLLBACK", NULL, NULL, NULL);
  database->open = false;
}

bool database_commit_old(struct database *database) {
  return seconds() - database->opened < TRANSACTION_SECONDS || database_commit(database);
}

bool database_tick(struct database *database) { return database_commit(database); }

/* ---- keys ---- */

struct database_key database_key(const char *const *texts, size_t count) {
  XXH3_state_t state;
  XXH128_canonical_t canonical;
  struct database_key key;
  XXH3_128bits_reset(&state);
  for (size_t i = 0; i < count; i++) {
    uint64_t size = texts[i] ? strlen(texts[i]) : UINT64_MAX;
    XXH3_128bits_update(&state, &size, sizeof size);
    if (texts[i]) XXH3_128bits_update(&state, texts[i], size);
  }
  XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(&state));
  memcpy(key.bytes, canonical.digest, DATABASE_KEY);
  return key;
}

struct database_key database_key_bytes(const char *data, uint64_t size) {
  XXH128_canonical_t canonical;
  struct database_key key;
  XXH128_canonicalFromHash(&canonical, XXH3_128bits(data ? data : "", size));
  memcpy(key.bytes, canonical.digest, DATABASE_KEY);
  return key;
}

const char *database_key_text(struct arena *arena, const struct database_key *key) {
  struct text text = {.arena = arena};
  for (int i = 0; i < DATABASE_KEY; i++)
    text_printf(&text, "%02x", key->bytes[i]);
  return text.data;
}
