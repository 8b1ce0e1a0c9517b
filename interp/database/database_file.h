/* What the files of the database share: the open file, its statements, how errors are said. */
#ifndef PSL_DATABASE_FILE_H
#define PSL_DATABASE_FILE_H
#include "grammar/digits.h"
#include "grammar/text.h"
#include "interp/database/database.h"

#include <sqlite3.h>

enum database_statement {
  STATEMENT_BEGIN,
  STATEMENT_COMMIT,
  STATEMENT_FIND_STUDY,
  STATEMENT_INSERT_STUDY,
  STATEMENT_PUT_OUTCOME,
  STATEMENT_DELETE_STUDY,
  STATEMENT_REMEMBER,
  STATEMENT_LOST,
  STATEMENT_NAME_TAKEN,
  STATEMENT_MISSING,
  STATEMENT_STUDIES,
  STATEMENT_COLUMNS,
  STATEMENT_FIND_RUN,
  STATEMENT_PUT_RUN,
  STATEMENT_PUT_POINT,
  STATEMENT_PUT_PARAMS,
  STATEMENT_PUT_MEAN,
  STATEMENT_POINTS,
  STATEMENT_PUT_ANSWER,
  STATEMENT_ANSWERS,
  STATEMENTS
};

enum { DATABASE_FORMAT = 8, DATABASE_FORMAT_OLDEST = 5 }; /* of a file: its user_version; what this psl still reads */

/* What the sum of a row is of: all of it. */
#define DATABASE_STUDY "name, view, model, system, psl, model_key, points, params, columns, results, declaration"
#define DATABASE_POINT "study, number, repetition, key, params, columns"
#define DATABASE_MEAN "study, number, repetitions, error, columns"
#define DATABASE_RUN "key, params, seed, status, error, evidence, wall, results, warnings, stop, notes"
#define DATABASE_ANSWER "key, value"

enum { DATABASE_OTHERS = 4 };
enum { DATABASE_KNOWN = 10 /* bits */ };
struct database_digits { /* a number that was written before */
  uint64_t bits;
  int length; /* 0: none was */
  char digits[DIGITS_ROOM];
};

struct database {
  struct arena arena; /* all but this struct, and */
  struct arena row;   /* an entry of the repository that somebody looks at */
  struct arena_deferred deferred;
  struct diagnostics *diagnostics;
  const char *path;
  sqlite3 *file;
  sqlite3_stmt *statements[STATEMENTS];
  sqlite3_stmt *others[DATABASE_OTHERS]; /* of the repository, as long as they are made use of */
  int tries;                             /* for a lock that another process has */
  bool open;                             /* a transaction is */
  double opened;                         /* when, s */
  bool failed;                           /* a write was refused: no more are tried */
  bool dropped;                          /* damaged rows were left out when it was opened, which has been said */
  struct text scratch[2];
  struct database_digits digits[1 << DATABASE_KNOWN];
  struct database_member { /* of the results of a study: a name as it stands in JSON behind others, with a colon */
    const char *text;
    size_t length;
  } * members;
  char *results;                            /* room for all of them with their numbers */
  const struct database_column *members_of; /* these results' */
};

/* Says what sqlite has to say; false. */
bool database_fail(struct database *database);
/* A statement ready to be bound. */
sqlite3_stmt *database_statement(struct database *database, enum database_statement which);
/* Runs a statement that gives no rows. false after a diagnostic. */
bool database_do(struct database *database, sqlite3_stmt *statement);
/* Runs SQL text that gives no rows. false after a diagnostic. */
bool database_exec(struct database *database, const char *sql);
/* Inside a transaction, which is begun where there is none. */
bool database_begin(struct database *database);
/* Commits a transaction of some age. */
bool database_commit_old(struct database *database);

/* Gives SQL the function psl_sum, of any values. */
bool database_add_sum(struct database *database);
/* Makes a file of a format before one of this one; where it is only read, it is seen as one. */
bool database_update(struct database *database, enum database_mode mode);
/* Are all rows what was written? Those that are not are deleted, with a warning; a file only read is refused. */
bool database_test_sums(struct database *database, enum database_mode mode);

void database_bind(sqlite3_stmt *statement, int place, const char *text); /* NULL is NULL */
/* A copy of a column; NULL where it is. */
const char *database_text(struct arena *arena, sqlite3_stmt *statement, int column);
/* A name as a member of a JSON object: SQLite finds none that is escaped. */
void database_put_label(struct text *text, const char *name);
struct database_key database_key_of(sqlite3_stmt *statement, int column);
#endif
