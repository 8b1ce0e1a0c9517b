/* Entries of the repository: put whole, found by kind and name, by words and by attributes, removed. Called by the
 * library, for psl db and for models that are completed from a database. */
#include "interp/database/repository.h"
#include "interp/database/database_file.h"
#include "interp/database/repository_tables.h"

#include <string.h>

#define ENTRY_SELECTED                                                                                            \
  "entry.id, kind, entry.name, format, description, origin, details, text, content, entry.hash, "                 \
  "entry.sum = psl_sum(kind, entry.name, format, description, origin, entry.attributes, details, text, content, " \
  "entry.hash), entry.attributes"

enum { ATTRIBUTES_AT = 11 };

/* ---- statements ---- */

/* To be released; NULL after a diagnostic. */
static sqlite3_stmt *prepare(struct database *database, const char *sql) {
  sqlite3_stmt **place = database->others;
  while (*place)
    place++;
  if (sqlite3_prepare_v2(database->file, sql, -1, place, NULL) != SQLITE_OK) database_fail(database);
  return *place;
}

static void release(struct database *database, sqlite3_stmt *statement) {
  for (int i = 0; i < DATABASE_OTHERS; i++)
    if (database->others[i] == statement) database->others[i] = NULL;
  sqlite3_finalize(statement);
}

static bool finish(struct database *database, sqlite3_stmt *statement) {
  bool done = statement && sqlite3_step(statement) == SQLITE_DONE;
  if (statement && !done) database_fail(database);
  release(database, statement);
  return done;
}

static void bind_key(sqlite3_stmt *statement, int place, const struct database_key *key) {
  sqlite3_bind_blob(statement, place, key->bytes, DATABASE_KEY, SQLITE_STATIC);
}

/* ---- the tables ---- */

/* What stands under their names and is no table would be asked, for as long as it likes. */
static bool are_tables(struct database *database) {
  sqlite3_stmt *statement = prepare(database, "SELECT name FROM sqlite_schema WHERE type <> 'table' AND"
                                              " lower(name) IN ('entry', 'content', 'part', 'attribute', 'words')");
  int code = statement ? sqlite3_step(statement) : SQLITE_ERROR;
  if (code == SQLITE_ROW)
    diagnostic_add(database->diagnostics, SEVERITY_ERROR, (struct span){0},
                   "%s: the database is damaged: '%s' is no table", database->path,
                   database_text(&database->arena, statement, 0));
  else if (statement && code != SQLITE_DONE)
    database_fail(database);
  release(database, statement);
  return code == SQLITE_DONE;
}

static bool has_tables(struct database *database) {
  sqlite3_stmt *statement =
      prepare(database, "SELECT 1 FROM sqlite_schema WHERE name = 'entry' UNION SELECT 1 FROM sqlite_temp_schema"
                        " WHERE name = 'entry'");
  bool there = statement && sqlite3_step(statement) == SQLITE_ROW;
  release(database, statement);
  return there;
}

/* A file that has had studies alone has none: it gets them with its first entry, and is read as if they were empty. */
static bool make_tables(struct database *database) {
  if (!are_tables(database)) return false;
  return has_tables(database) || database_exec(database, REPOSITORY_TABLES(""));
}

static bool read_tables(struct database *database) {
  if (!are_tables(database)) return false;
  return has_tables(database) || database_exec(database, "PRAGMA query_only = OFF;" REPOSITORY_TABLES("temp."));
}

/* ---- putting ---- */

/* The number of the content, which is kept once; 0 after a diagnostic. */
static int64_t put_content(struct database *database, const char *data, uint64_t size) {
  struct database_key key = database_key_bytes(data, size);
  sqlite3_stmt *insert = prepare(database, "INSERT INTO content (hash, data) VALUES (?1, ?2) ON CONFLICT DO NOTHING");
  if (!insert) return 0;
  bind_key(insert, 1, &key);
  sqlite3_bind_blob64(insert, 2, data ? data : "", size, SQLITE_STATIC);
  if (!finish(database, insert)) return 0;
  sqlite3_stmt *find = prepare(database, "SELECT id FROM content WHERE hash = ?1");
  int64_t id = 0;
  if (find) bind_key(find, 1, &key);
  if (find && sqlite3_step(find) == SQLITE_ROW) id = sqlite3_column_int64(find, 0);
  if (find && !id) database_fail(database);
  release(database, find);
  return id;
}

/* "kind = disk, seek time = 9 ms", a line a profile, for FTS5. */
static const char *attributes_text(struct arena *arena, const struct repository_entry *entry) {
  struct text text = {.arena = arena};
  text_put(&text, "");
  for (size_t k = 0; k < entry->attribute_count; k++) {
    const struct repository_attribute *a = &entry->attributes[k];
    text_printf(&text, "%s%s = %s", !k ? "" : a->profile != a[-1].profile ? "\n" : ", ", a->name, a->shown);
  }
  return text.data;
}

/* Of all that it is made of. */
static struct database_key key_of_entry(struct database *database, const struct repository_entry *entry) {
  struct arena *arena = &database->arena;
  size_t count = 0;
  const char **texts = ARENA_ARRAY(arena, const char *, 8 + entry->part_count * 2);
  struct database_key content = database_key_bytes(entry->data, entry->size);
  texts[count++] = entry->kind;
  texts[count++] = entry->name;
  texts[count++] = entry->format;
  texts[count++] = entry->description;
  texts[count++] = attributes_text(arena, entry);
  texts[count++] = entry->details;
  texts[count++] = database_key_text(arena, &content);
  for (size_t p = 0; p < entry->part_count; p++) {
    texts[count++] = entry->parts[p].name;
    texts[count++] = database_key_text(arena, &entry->parts[p].hash);
  }
  return database_key(texts, count);
}

static bool put_row(struct database *database, struct repository_entry *entry, int64_t content) {
  static const char sql[] =
      "INSERT INTO entry (" REPOSITORY_ENTRY ", sum) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10,"
      " psl_sum(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10))";
  const char *texts[] = {entry->kind,        entry->name,   entry->format,
                         entry->description, entry->origin, attributes_text(&database->arena, entry),
                         entry->details,     entry->text};
  sqlite3_stmt *statement = prepare(database, sql);
  if (!statement) return false;
  for (int i = 0; i < 8; i++)
    database_bind(statement, i + 1, texts[i]);
  sqlite3_bind_int64(statement, 9, content);
  bind_key(statement, 10, &entry->hash);
  if (!finish(database, statement)) return false;
  entry->id = sqlite3_last_insert_rowid(database->file);
  statement = prepare(database, "INSERT INTO words (rowid, name, description, attributes, text)"
                                " SELECT id, name, description, attributes, text FROM entry WHERE id = ?1");
  if (statement) sqlite3_bind_int64(statement, 1, entry->id);
  return finish(database, statement);
}

static bool put_part(struct database *database, int64_t entry, const struct repository_part *part) {
  static const char sql[] = "INSERT INTO part (" REPOSITORY_PART ", sum) VALUES (?1, ?2, ?3, ?4, ?5, ?6,"
                            " psl_sum(?1, ?2, ?3, ?4, ?5, ?6))";
  int64_t content = part->data ? put_content(database, part->data, part->size) : 0;
  sqlite3_stmt *statement = part->data && !content ? NULL : prepare(database, sql);
  if (!statement) return false;
  sqlite3_bind_int64(statement, 1, entry);
  database_bind(statement, 2, part->name);
  database_bind(statement, 3, part->path);
  bind_key(statement, 4, &part->hash);
  sqlite3_bind_int64(statement, 5, (sqlite3_int64)part->size);
  if (content) sqlite3_bind_int64(statement, 6, content);
  return finish(database, statement);
}

static bool put_attribute(struct database *database, sqlite3_stmt *statement, int64_t entry, size_t place,
                          const struct repository_attribute *attribute) {
  sqlite3_reset(statement);
  sqlite3_clear_bindings(statement);
  sqlite3_bind_int64(statement, 1, entry);
  sqlite3_bind_int64(statement, 2, (sqlite3_int64)place);
  sqlite3_bind_int(statement, 3, attribute->profile);
  database_bind(statement, 4, attribute->name);
  database_bind(statement, 5, attribute->type);
  database_bind(statement, 6, attribute->value);
  database_bind(statement, 7, attribute->qualifier);
  if (strcmp(attribute->type, "number") == 0) sqlite3_bind_double(statement, 8, attribute->number);
  database_bind(statement, 9, attribute->unit);
  database_bind(statement, 10, attribute->shown);
  return sqlite3_step(statement) == SQLITE_DONE || database_fail(database);
}

static bool put_attributes(struct database *database, const struct repository_entry *entry) {
  sqlite3_stmt *statement = prepare(database, "INSERT INTO attribute (" REPOSITORY_ATTRIBUTE ", sum) VALUES"
                                              " (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10,"
                                              " psl_sum(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10))");
  bool fine = statement != NULL;
  for (size_t k = 0; fine && k < entry->attribute_count; k++)
    fine = put_attribute(database, statement, entry->id, k, &entry->attributes[k]);
  release(database, statement);
  return fine;
}

static bool put_whole(struct database *database, struct repository_entry *entry) {
  int64_t content = put_content(database, entry->data, entry->size);
  bool fine = content && put_row(database, entry, content) && put_attributes(database, entry);
  for (size_t p = 0; fine && p < entry->part_count; p++)
    fine = put_part(database, entry->id, &entry->parts[p]);
  return fine;
}

/* The id of that kind and name, 0 where there is none; the hash of what it is made of; and is it damaged? */
static bool find_id(struct database *database, const struct repository_entry *entry, int64_t *id,
                    struct database_key *hash, bool *damaged) {
  sqlite3_stmt *statement = prepare(database, "SELECT id, hash, sum <> psl_sum(" REPOSITORY_ENTRY ") FROM entry"
                                              " WHERE kind = ?1 AND name = ?2");
  *id = 0;
  if (!statement) return false;
  database_bind(statement, 1, entry->kind);
  database_bind(statement, 2, entry->name);
  int code = sqlite3_step(statement);
  if (code == SQLITE_ROW) {
    *id = sqlite3_column_int64(statement, 0);
    *hash = database_key_of(statement, 1);
    *damaged = sqlite3_column_int(statement, 2);
  }
  release(database, statement);
  return code == SQLITE_ROW || code == SQLITE_DONE || database_fail(database);
}

/* The words of what is damaged are others than were put: all are made anew then. */
static bool delete_entry(struct database *database, int64_t id, bool damaged) {
  static const char forget[] = "INSERT INTO words (words, rowid, name, description, attributes, text)"
                               " SELECT 'delete', id, name, description, attributes, text FROM entry WHERE id = ?1";
  static const char *const sql[] = {
      forget,
      "DELETE FROM entry WHERE id = ?1",
      "INSERT INTO words (words) SELECT 'rebuild' WHERE ?1",
  };
  for (size_t i = damaged; i < 2u + damaged; i++) {
    sqlite3_stmt *statement = prepare(database, sql[i]);
    if (statement) sqlite3_bind_int64(statement, 1, id);
    if (!finish(database, statement)) return false;
  }
  return true;
}

/* What no entry has any more. */
static bool drop_contents(struct database *database) {
  return database_exec(database, "DELETE FROM content WHERE NOT EXISTS (SELECT 1 FROM entry WHERE content = content.id)"
                                 " AND NOT EXISTS (SELECT 1 FROM part WHERE part.content = content.id)");
}

static enum repository_put put(struct database *database, struct repository_entry *entry, bool replace) {
  struct database_key there;
  int64_t id;
  bool damaged = false;
  entry->hash = key_of_entry(database, entry);
  if (!find_id(database, entry, &id, &there, &damaged)) return REPOSITORY_FAILED;
  if (id && !damaged && memcmp(there.bytes, entry->hash.bytes, DATABASE_KEY) == 0) return REPOSITORY_SAME;
  if (id && !replace) return REPOSITORY_TAKEN;
  if (id && !delete_entry(database, id, damaged)) return REPOSITORY_FAILED;
  if (!put_whole(database, entry) || (id && !drop_contents(database))) return REPOSITORY_FAILED;
  return id ? REPOSITORY_REPLACED : REPOSITORY_ADDED;
}

enum repository_put repository_put(struct database *database, struct repository_entry *entry, bool replace) {
  bool ready = database_begin(database) && make_tables(database);
  return ready ? put(database, entry, replace) : REPOSITORY_FAILED;
}

bool repository_remove(struct database *database, const struct repository_entry *entry) {
  return database_begin(database) && delete_entry(database, entry->id, entry->damaged) && drop_contents(database);
}

/* ---- reading ---- */

static const char *text_at(struct arena *arena, sqlite3_stmt *row, int column) {
  const char *text = database_text(arena, row, column);
  return text ? text : "";
}

static void read_row(struct arena *arena, sqlite3_stmt *row, struct repository_entry *entry) {
  *entry = (struct repository_entry){
      .id = sqlite3_column_int64(row, 0),
      .kind = text_at(arena, row, 1),
      .name = text_at(arena, row, 2),
      .format = text_at(arena, row, 3),
      .description = text_at(arena, row, 4),
      .origin = text_at(arena, row, 5),
      .details = text_at(arena, row, 6),
      .text = text_at(arena, row, 7),
      .hash = database_key_of(row, 9),
      .damaged = !sqlite3_column_int(row, 10),
  };
}

static struct repository_attribute attribute_of(struct arena *arena, sqlite3_stmt *row) {
  return (struct repository_attribute){
      .profile = sqlite3_column_int(row, 0),
      .name = text_at(arena, row, 1),
      .type = text_at(arena, row, 2),
      .value = text_at(arena, row, 3),
      .qualifier = database_text(arena, row, 4),
      .number = sqlite3_column_double(row, 5),
      .unit = text_at(arena, row, 6),
      .shown = text_at(arena, row, 7),
  };
}

static const char attributes_sql[] = "SELECT profile, name, type, value, qualifier, number, unit, shown,"
                                     " sum = psl_sum(" REPOSITORY_ATTRIBUTE ") FROM attribute WHERE entry = ?1"
                                     " ORDER BY place";

/* written: what attributes_text made of them, which says whether one of them is gone. */
static bool read_attributes(struct database *database, struct arena *arena, sqlite3_stmt *statement,
                            const char *written, struct repository_entry *entry) {
  struct repository_attribute *attributes = NULL;
  size_t capacity = 0;
  int code;
  sqlite3_reset(statement);
  sqlite3_bind_int64(statement, 1, entry->id);
  while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
    struct repository_attribute attribute = attribute_of(arena, statement);
    entry->damaged |= !sqlite3_column_int(statement, 8);
    ARENA_PUSH(arena, attributes, entry->attribute_count, capacity, attribute);
  }
  entry->attributes = attributes;
  entry->damaged |= strcmp(written, attributes_text(arena, entry)) != 0;
  return code == SQLITE_DONE || database_fail(database);
}

static bool read_parts(struct database *database, struct arena *arena, struct repository_entry *entry) {
  struct repository_part *parts = NULL;
  size_t capacity = 0;
  int code;
  sqlite3_stmt *statement = prepare(database, "SELECT name, path, hash, size, content, sum = psl_sum(" REPOSITORY_PART
                                              ") FROM part WHERE entry = ?1 ORDER BY name");
  if (!statement) return false;
  sqlite3_bind_int64(statement, 1, entry->id);
  while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
    struct repository_part part = {.name = text_at(arena, statement, 0),
                                   .path = database_text(arena, statement, 1),
                                   .hash = database_key_of(statement, 2),
                                   .size = (uint64_t)sqlite3_column_int64(statement, 3)};
    entry->damaged |= !sqlite3_column_int(statement, 5);
    ARENA_PUSH(arena, parts, entry->part_count, capacity, part);
  }
  release(database, statement);
  entry->parts = parts;
  return code == SQLITE_DONE || database_fail(database);
}

/* Bytes of the hash; NULL after a diagnostic. What they are not any more is damage. */
static const char *read_content(struct database *database, struct arena *arena, sqlite3_stmt *statement, size_t *size,
                                struct repository_entry *entry) {
  const char *data = NULL;
  int code = sqlite3_step(statement);
  if (code == SQLITE_ROW) {
    const char *bytes = sqlite3_column_blob(statement, 0);
    struct database_key wanted = database_key_of(statement, 1);
    *size = (size_t)sqlite3_column_bytes(statement, 0);
    struct database_key there = database_key_bytes(bytes, *size);
    data = arena_copy(arena, bytes ? bytes : "", *size);
    entry->damaged |= memcmp(wanted.bytes, there.bytes, DATABASE_KEY) != 0;
  } else if (code == SQLITE_DONE) {
    *size = 0;
    data = "";
    entry->damaged = true;
  } else {
    database_fail(database);
  }
  release(database, statement);
  return data;
}

bool repository_read(struct database *database, struct arena *arena, struct repository_entry *entry) {
  sqlite3_stmt *statement = prepare(
      database, "SELECT data, content.hash FROM entry JOIN content ON content.id = content WHERE entry.id = ?1");
  if (!statement) return false;
  sqlite3_bind_int64(statement, 1, entry->id);
  entry->data = read_content(database, arena, statement, &entry->size, entry);
  if (!entry->data) return false;
  struct repository_part *parts = (struct repository_part *)entry->parts;
  for (size_t p = 0; p < entry->part_count; p++) {
    size_t size;
    if (parts[p].path) continue;
    statement = prepare(database, "SELECT data, content.hash FROM part JOIN content ON content.id = content"
                                  " WHERE entry = ?1 AND name = ?2");
    if (!statement) return false;
    sqlite3_bind_int64(statement, 1, entry->id);
    database_bind(statement, 2, parts[p].name);
    parts[p].data = read_content(database, arena, statement, &size, entry);
    if (!parts[p].data) return false;
    parts[p].size = size;
  }
  return true;
}

bool repository_find(struct database *database, struct arena *arena, const char *kind, const char *name, bool whole,
                     struct repository_entry *entry, size_t *count) {
  const char *written = "";
  int code;
  *count = 0;
  if (!read_tables(database)) return false;
  sqlite3_stmt *attributes = NULL, *statement = prepare(database, "SELECT " ENTRY_SELECTED " FROM entry WHERE name = ?1"
                                                                  " AND (?2 IS NULL OR kind = ?2) ORDER BY kind");
  if (!statement) return false;
  database_bind(statement, 1, name);
  database_bind(statement, 2, kind);
  while ((code = sqlite3_step(statement)) == SQLITE_ROW)
    if (!(*count)++) {
      read_row(arena, statement, entry);
      written = text_at(arena, statement, ATTRIBUTES_AT);
    }
  release(database, statement);
  if (code != SQLITE_DONE) return database_fail(database);
  if (!*count) return true;
  attributes = prepare(database, attributes_sql);
  bool fine =
      attributes && read_attributes(database, arena, attributes, written, entry) && read_parts(database, arena, entry);
  release(database, attributes);
  return fine && (!whole || repository_read(database, arena, entry));
}

/* ---- search ---- */

enum { KIND_AT = 1, WORDS_AT, TERMS_AT };

/* The statement of a filter: kinds as a list between blanks, words by FTS5, terms by the index of attributes. */
static const char *filter_sql(struct database *database, const struct repository_filter *filter) {
  struct text sql = {.arena = &database->arena};
  text_put(&sql, "SELECT " ENTRY_SELECTED " FROM entry WHERE (?1 IS NULL OR instr(?1, ' ' || kind || ' '))");
  if (filter->words) text_put(&sql, " AND entry.id IN (SELECT rowid FROM words WHERE words MATCH ?2)");
  for (size_t t = 0; t < filter->term_count; t++)
    text_printf(&sql,
                " AND entry.id IN (SELECT entry FROM attribute WHERE attribute.name = ?%d AND"
                " (value = ?%d OR type IN ('any', 'other')))",
                TERMS_AT + (int)t * 2, TERMS_AT + (int)t * 2 + 1);
  text_put(&sql, " ORDER BY kind, entry.name");
  return sql.data;
}

static sqlite3_stmt *open_filter(struct database *database, const struct repository_filter *filter) {
  sqlite3_stmt *statement = prepare(database, filter_sql(database, filter));
  if (!statement) return NULL;
  if (filter->kinds) database_bind(statement, KIND_AT, arena_printf(&database->arena, " %s ", filter->kinds));
  if (filter->words) database_bind(statement, WORDS_AT, filter->words);
  for (size_t t = 0; t < filter->term_count; t++) {
    database_bind(statement, TERMS_AT + (int)t * 2, filter->terms[t].name);
    database_bind(statement, TERMS_AT + (int)t * 2 + 1, filter->terms[t].head);
  }
  return statement;
}

static bool refuse_words(struct database *database, const char *words) {
  diagnostic_add(database->diagnostics, SEVERITY_ERROR, (struct span){0}, "'%s' is no query for words: %s", words,
                 sqlite3_errmsg(database->file));
  diagnostic_help(database->diagnostics, (struct span){0},
                  "words beside each other are all looked for; OR, NOT, \"several words\" and begin* are known, too");
  return false;
}

bool repository_each(struct database *database, const struct repository_filter *filter,
                     bool (*take)(void *user, struct repository_entry *entry), void *user) {
  struct arena *arena = &database->row;
  int code = SQLITE_DONE;
  bool fine = true, more = true;
  if (!read_tables(database)) return false;
  sqlite3_stmt *statement = open_filter(database, filter), *attributes = prepare(database, attributes_sql);
  while (statement && attributes && more && fine && (code = sqlite3_step(statement)) == SQLITE_ROW) {
    struct repository_entry entry;
    read_row(arena, statement, &entry);
    fine = read_attributes(database, arena, attributes, text_at(arena, statement, ATTRIBUTES_AT), &entry);
    more = fine && take(user, &entry);
    arena_reset(arena);
    interrupt_look(database->arena.memory);
  }
  if (!statement || !attributes || !fine || (more && code != SQLITE_DONE)) {
    if (statement && attributes && fine && code == SQLITE_ERROR && filter->words)
      fine = refuse_words(database, filter->words);
    else
      fine = database_fail(database);
  }
  release(database, statement);
  release(database, attributes);
  arena_close(arena);
  return fine;
}
