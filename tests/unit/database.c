/* The database of studies: what was put comes back, the same study goes on, another one takes its place; a
 * file that is no such database is refused and not touched. */
#include "tests/unit/unit.h"

#include "grammar/text.h"
#include "interp/database/database_file.h"
#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

struct test {
  struct memory memory;
  struct arena arena;
  struct sources sources;
  struct diagnostics diagnostics;
  char folder[40], path[60], said[300];
};

static void keep(void *user, const struct sources *sources, const struct diagnostic *diagnostic) {
  struct test *test = user;
  (void)sources;
  snprintf(test->said, sizeof test->said, "%s", diagnostic->text);
}

static int open_test(void **state) {
  static struct test test;
  test = (struct test){.folder = "/tmp/psl-unit-XXXXXX"};
  arena_open(&test.arena, &test.memory);
  arena_open(&test.diagnostics.arena, &test.memory);
  test.sources.arena = &test.arena;
  test.diagnostics.sources = &test.sources;
  test.diagnostics.sink = keep;
  test.diagnostics.user = &test;
  if (!mkdtemp(test.folder)) return -1;
  snprintf(test.path, sizeof test.path, "%s/s?%%.db", test.folder); /* as awkward as names get */
  *state = &test;
  return 0;
}

static int close_test(void **state) {
  struct test *test = *state;
  char command[100];
  arena_close(&test->arena);
  diagnostic_flush(&test->diagnostics);
  arena_close(&test->diagnostics.arena);
  snprintf(command, sizeof command, "rm -rf '%s'", test->folder);
  return system(command) || test->memory.used ? -1 : 0;
}

static struct database *open_it(struct test *test, enum database_mode mode) {
  test->said[0] = '\0';
  struct database *database = database_open(&test->arena, &test->diagnostics, test->path, mode);
  diagnostic_flush(&test->diagnostics);
  return database;
}

enum { PARAMS = 2, COLUMNS = 1, RESULTS = 4, POINTS = 10 };
static const struct database_column params[] = {{"px", ""}, {"machine", ""}}, columns[] = {{"time", "s"}},
                                    results[] = {{"makespan", "s"}, {"a.b", "byte"}, {"low", "s"}, {"x y\"", ""}};

static struct database_study new_study(const char *name, const char *declaration) {
  return (struct database_study){
      .name = name,
      .model = "farm.psl",
      .system = "farm",
      .version = "0",
      .declaration = declaration,
      .point_count = POINTS,
      .model_key = database_key(&name, 1),
      .params = params,
      .columns = columns,
      .results = results,
      .param_count = PARAMS,
      .column_count = COLUMNS,
      .result_count = RESULTS,
  };
}

static const double awkward[] = {0.1,      1.0 / 3,   1e300,     5e-324, -0.0,    12345678901234567.0, 1e15, 3.5e-7,
                                 HUGE_VAL, -HUGE_VAL, 299792458, 1e-9,   2.5e+20, 0.30000000000000004};

static struct database_run run_of(uint64_t n, double values[RESULTS]) {
  char text[20];
  const char *texts[] = {text, NULL};
  snprintf(text, sizeof text, "%d", (int)n);
  for (size_t i = 0; i < RESULTS; i++)
    values[i] = awkward[(n + i) % (sizeof awkward / sizeof *awkward)];
  if (n % 3 == 0) values[2] = (double)NAN;
  return (struct database_run){
      .key = database_key(texts, 2),
      .seed = n + UINT64_C(0xfffffffffffffff0),
      .status = n == 4   ? "lost"
                : n == 5 ? "failed"
                         : "ok",
      .error = n == 5 ? "it's \"wrong\"\n" : NULL,
      .evidence = "analytic",
      .wall = (double)n * 1e-3,
      .results = values,
  };
}

static void put(struct database *database, const struct database_study *study, uint64_t n) {
  double values[RESULTS];
  char number[20];
  const char *point_params[] = {number, "\"analysis[\\\"Log, {GP\\\"]\""},
             *point_columns[] = {n == 5 ? "null" : "[1, 2]"};
  snprintf(number, sizeof number, "%d", (int)n);
  struct database_point point = {
      .number = n, .params = point_params, .columns = point_columns, .run = run_of(n, values)};
  assert_true(database_put_run(database, study, &point.run));
  assert_true(database_put_point(database, study, &point));
}

static void assert_same_run(const struct database_run *run, const struct database_run *wanted) {
  assert_memory_equal(&run->key, &wanted->key, sizeof run->key);
  assert_true(run->seed == wanted->seed && run->wall == wanted->wall);
  assert_string_equal(run->status, wanted->status);
  assert_int_equal(!run->error, !wanted->error);
  if (run->error) assert_string_equal(run->error, wanted->error);
  assert_string_equal(run->evidence, wanted->evidence);
  for (size_t i = 0; i < RESULTS; i++)
    assert_true(run->results[i] == wanted->results[i] || (isnan(run->results[i]) && isnan(wanted->results[i])));
}

static bool take(void *user, const struct database_point *point) {
  uint64_t *next = user;
  double values[RESULTS];
  char number[20];
  assert_int_equal(point->number, *next);
  struct database_run wanted = run_of(*next, values);
  assert_same_run(&point->run, &wanted);
  snprintf(number, sizeof number, "%d", (int)*next);
  assert_string_equal(point->params[0], number);
  assert_string_equal(point->params[1], "\"analysis[\\\"Log, {GP\\\"]\"");
  assert_string_equal(point->columns[0], *next == 5 ? "null" : "[1, 2]");
  ++*next;
  return true;
}

static void test_round_trip(void **state) {
  struct test *test = *state;
  uint64_t count = 0;
  double values[RESULTS];
  struct database_run found;
  struct database *database = open_it(test, DATABASE_WRITE);
  assert_non_null(database);
  struct database_study study = new_study("wide", "{}");
  assert_true(database_declare(database, &study));
  for (uint64_t n = POINTS; n-- > 0;)
    put(database, &study, n);
  for (uint64_t n = 0; n < POINTS; n++) {
    struct database_run wanted = run_of(n, values);
    assert_int_equal(database_find(database, &study, &wanted.key, &test->arena, &found), n != 4); /* lost */
    if (n != 4) assert_same_run(&found, &wanted);
  }
  assert_true(database_close(database));

  database = open_it(test, DATABASE_READ);
  const struct database_study *studies = database_studies(database, &test->arena, &count);
  assert_int_equal(count, 1);
  assert_string_equal(studies->name, "wide");
  assert_string_equal(studies->view, "wide");
  assert_string_equal(studies->declaration, "{}");
  assert_int_equal(studies->result_count, RESULTS);
  assert_string_equal(studies->results[3].name, "x y\"");
  assert_string_equal(studies->columns[0].unit, "s");
  count = 0;
  assert_true(database_points(database, studies, take, &count));
  assert_int_equal(count, POINTS);
  assert_false(database_declare(database, &study)); /* it is open for reading */
  database_close(database);
}

static int64_t declare(struct test *test, const char *name, const char *declaration, const char *view) {
  struct database *database = open_it(test, DATABASE_WRITE);
  struct database_study study = new_study(name, declaration);
  assert_true(database_declare(database, &study));
  assert_string_equal(study.view, view);
  int64_t id = study.id;
  database_close(database);
  return id;
}

static bool count_points(void *user, const struct database_point *point) {
  (void)point;
  ++*(uint64_t *)user;
  return true;
}

/* The same study goes on, one with another declaration takes its place; its runs stay. */
static void test_declared_again(void **state) {
  struct test *test = *state;
  double values[RESULTS];
  uint64_t count = 0;
  struct database_run found, wanted = run_of(1, values);
  struct database *database = open_it(test, DATABASE_WRITE);
  struct database_study study = new_study("wide", "{}");
  assert_true(database_declare(database, &study));
  put(database, &study, 1);
  database_close(database);
  assert_int_equal(declare(test, "wide", "{}", "wide"), study.id);
  assert_int_not_equal(declare(test, "run", "{}", "run_2"), study.id); /* a table has that name */
  assert_int_not_equal(declare(test, "wide", "{\"grown\": 1}", "wide"), study.id);
  database = open_it(test, DATABASE_WRITE);
  const struct database_study *studies = database_studies(database, &test->arena, &count);
  assert_int_equal(count, 2);
  assert_true(database_find(database, &studies[1], &wanted.key, &test->arena, &found));
  assert_same_run(&found, &wanted);
  count = 0;
  assert_true(database_points(database, &studies[1], count_points, &count));
  assert_int_equal(count, 0);
  assert_false(database_put_point(database, &study, /* of the study that is gone */
                                  &(struct database_point){.params = (const char *const[]){"1", "2"},
                                                           .columns = (const char *const[]){"1"},
                                                           .run = wanted}));
  diagnostic_flush(&test->diagnostics);
  assert_non_null(strstr(test->said, "another psl has begun this study anew"));
}

/* ---- files that are refused ---- */

static struct text read_file(struct test *test) {
  struct text text = {.arena = &test->arena};
  char buffer[4096];
  size_t got;
  FILE *file = fopen(test->path, "rb");
  assert_non_null(file);
  while ((got = fread(buffer, 1, sizeof buffer, file)) > 0)
    text_put_n(&text, buffer, got);
  fclose(file);
  return text;
}

static void write_file(struct test *test, const char *data, size_t size) {
  FILE *file = fopen(test->path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(data, 1, size, file), size);
  fclose(file);
}

static void assert_refused(struct test *test, const char *why) {
  struct text before = read_file(test);
  for (int mode = DATABASE_READ; mode <= DATABASE_WRITE; mode++) {
    assert_null(open_it(test, (enum database_mode)mode));
    assert_non_null(strstr(test->said, why));
    struct text after = read_file(test);
    assert_int_equal(after.size, before.size);
    if (before.size) assert_memory_equal(after.data, before.data, before.size);
  }
}

static void exec(struct test *test, const char *sql) {
  sqlite3 *file;
  assert_int_equal(sqlite3_open(test->path, &file), SQLITE_OK);
  assert_int_equal(sqlite3_exec(file, sql, NULL, NULL, NULL), SQLITE_OK);
  sqlite3_close(file);
}

static void make_whole(struct test *test) {
  struct database *database = open_it(test, DATABASE_WRITE);
  struct database_study study = new_study("wide", "{}");
  assert_true(database_declare(database, &study));
  for (uint64_t n = 0; n < 300; n++)
    put(database, &study, n);
  assert_true(database_close(database));
}

static void test_foreign(void **state) {
  struct test *test = *state;
  write_file(test, "a text\n", 7);
  assert_refused(test, "no SQLite database");
  unlink(test->path);
  exec(test, "CREATE TABLE point (x)");
  assert_refused(test, "not one of PSL's");
  unlink(test->path);
  exec(test, "PRAGMA journal_mode = WAL; CREATE TABLE point (x)");
  assert_refused(test, "not one of PSL's");
  unlink(test->path);
  make_whole(test);
  exec(test, "PRAGMA user_version = 9");
  assert_refused(test, "written by a newer psl: its format is 9");
  exec(test, "PRAGMA user_version = 3");
  assert_refused(test, "written by an older psl: its format is 3");
  unlink(test->path);
  assert_null(open_it(test, DATABASE_READ));
  assert_non_null(strstr(test->said, "No such file or directory"));
  mkdir(test->path, 0777);
  assert_null(open_it(test, DATABASE_WRITE));
  assert_non_null(strstr(test->said, "no file"));
  rmdir(test->path);
  write_file(test, "", 0);
  assert_null(open_it(test, DATABASE_READ));
  assert_non_null(strstr(test->said, "the file is empty"));
  make_whole(test); /* an empty file is nobody's */
}

static void test_damaged(void **state) {
  struct test *test = *state;
  make_whole(test);
  struct text whole = read_file(test);
  for (size_t part = 1; part < 8; part++) {
    write_file(test, whole.data, whole.size * part / 8); /* cut off */
    assert_refused(test, "the database is damaged");
  }
  enum { PAGE = 16384 };
  for (size_t page = 1; page < 8; page++) { /* a page of another file */
    struct text damaged = {.arena = &test->arena};
    text_put_n(&damaged, whole.data, whole.size);
    memset(damaged.data + page * PAGE, 'x', PAGE);
    write_file(test, damaged.data, damaged.size);
    assert_refused(test, "the database is damaged");
  }
  write_file(test, whole.data, whole.size);
  assert_non_null(open_it(test, DATABASE_WRITE));
}

/* ---- two processes ---- */

static void test_two_writers(void **state) {
  enum { EACH = 1500 };
  struct test *test = *state;
  uint64_t count = 0;
  make_whole(test);
  pid_t other = fork();
  struct database *database = open_it(test, DATABASE_WRITE);
  struct database_study study = new_study(other ? "one" : "two", "{}");
  assert_true(database_declare(database, &study));
  for (uint64_t n = 0; n < EACH; n++)
    put(database, &study, n);
  assert_true(database_close(database));
  if (!other) _exit(0);
  int status = -1;
  waitpid(other, &status, 0);
  assert_int_equal(status, 0);
  database = open_it(test, DATABASE_READ);
  const struct database_study *studies = database_studies(database, &test->arena, &count);
  assert_int_equal(count, 3);
  for (size_t i = 1; i < 3; i++) {
    count = 0;
    assert_true(database_points(database, &studies[i], count_points, &count));
    assert_int_equal(count, EACH);
  }
}

static bool put_one(struct test *test, struct database *database, const struct database_study *study, uint64_t n) {
  double values[RESULTS];
  struct database_run run = run_of(n, values);
  bool fine = database_put_run(database, study, &run) && database_commit(database);
  diagnostic_flush(&test->diagnostics);
  return fine;
}

/* What happens to an open database. */
static void test_accidents(void **state) {
  struct test *test = *state;
  make_whole(test);
  struct database *database = open_it(test, DATABASE_WRITE), *other = open_it(test, DATABASE_WRITE);
  struct database_study study = new_study("wide", "{}");
  char wanted[300];
  assert_true(database_declare(database, &study));
  assert_true(database_begin(other));
  database->tries = 3;
  assert_false(put_one(test, database, &study, 1000));
  snprintf(wanted, sizeof wanted, "%s: another process writes to the database and has not made way for 10 s",
           test->path);
  assert_string_equal(test->said, wanted);
  test->said[0] = '\0';
  assert_false(put_one(test, database, &study, 1000)); /* it has been said */
  assert_string_equal(test->said, "");
  assert_true(database_close(other));
  database_close(database);

  database = open_it(test, DATABASE_WRITE);
  sqlite3_exec(database->file, "PRAGMA max_page_count = 1", NULL, NULL, NULL);
  bool fine = true;
  for (uint64_t n = 1000; fine && n < 2000; n++)
    fine = put_one(test, database, &study, n);
  snprintf(wanted, sizeof wanted, "%s: the database cannot be written: no space is left", test->path);
  assert_string_equal(test->said, wanted);
  database_close(database);

  database = open_it(test, DATABASE_READ);
  assert_false(put_one(test, database, &study, 1000));
  snprintf(wanted, sizeof wanted, "%s: the database cannot be written", test->path);
  assert_string_equal(test->said, wanted);
  database_close(database);

  struct text whole = read_file(test);
  database = open_it(test, DATABASE_READ);
  memset(whole.data + 4096, 'x', whole.size - 4096);
  write_file(test, whole.data, whole.size);
  uint64_t count = 0;
  assert_false(database_points(database, &study, count_points, &count));
  diagnostic_flush(&test->diagnostics);
  snprintf(wanted, sizeof wanted, "%s: the database is damaged", test->path);
  assert_string_equal(test->said, wanted);
}

static void test_keys(void **state) {
  (void)state;
  const char *const all[][3] = {{"ab", "c", "d"}, {"a", "bc", "d"}, {"a", "b", "cd"},  {"", "", ""},
                                {NULL, "", ""},   {"", NULL, ""},   {NULL, NULL, NULL}};
  enum { ALL = sizeof all / sizeof *all };
  for (size_t i = 0; i < ALL; i++)
    for (size_t j = 0; j < ALL; j++) {
      struct database_key a = database_key(all[i], 3), b = database_key(all[j], 3);
      assert_int_equal(memcmp(&a, &b, sizeof a) == 0, i == j);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_round_trip, open_test, close_test),
      cmocka_unit_test_setup_teardown(test_declared_again, open_test, close_test),
      cmocka_unit_test_setup_teardown(test_foreign, open_test, close_test),
      cmocka_unit_test_setup_teardown(test_damaged, open_test, close_test),
      cmocka_unit_test_setup_teardown(test_two_writers, open_test, close_test),
      cmocka_unit_test_setup_teardown(test_accidents, open_test, close_test),
      cmocka_unit_test(test_keys),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
