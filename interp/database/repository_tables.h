/* The tables of the repository, as SQL. PLACE stands before their names: "" in the file, "temp." where it has none yet
 * and is read.
 *
 *   content    bytes, each once, by their hash
 *   entry      what is kept under a kind and a name; `words` has its texts for FTS5
 *   part       files that belong to an entry: bytes, or a place on the disk with the hash of what stood there
 *   attribute  profiles, value by value: profile -1 is what is known of the entry besides */
#ifndef PSL_REPOSITORY_TABLES_H
#define PSL_REPOSITORY_TABLES_H

#define REPOSITORY_TABLES(PLACE)                                                              \
  "CREATE TABLE " PLACE "content ("                                                           \
  "  id INTEGER PRIMARY KEY, hash BLOB NOT NULL UNIQUE, data BLOB NOT NULL) STRICT;"          \
  "CREATE TABLE " PLACE "entry ("                                                             \
  "  id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, name TEXT NOT NULL,"           \
  "  format TEXT NOT NULL, description TEXT NOT NULL, origin TEXT NOT NULL,"                  \
  "  attributes TEXT NOT NULL, details TEXT NOT NULL, text TEXT NOT NULL,"                    \
  "  content INTEGER NOT NULL REFERENCES content (id), hash BLOB NOT NULL,"                   \
  "  sum INTEGER NOT NULL, UNIQUE (kind, name)) STRICT;"                                      \
  "CREATE INDEX " PLACE "entry_content ON entry (content);"                                   \
  "CREATE TABLE " PLACE "part ("                                                              \
  "  entry INTEGER NOT NULL REFERENCES entry (id) ON DELETE CASCADE, name TEXT NOT NULL,"     \
  "  path TEXT, hash BLOB NOT NULL, size INTEGER NOT NULL,"                                   \
  "  content INTEGER REFERENCES content (id), sum INTEGER NOT NULL,"                          \
  "  PRIMARY KEY (entry, name)) STRICT, WITHOUT ROWID;"                                       \
  "CREATE INDEX " PLACE "part_content ON part (content);"                                     \
  "CREATE TABLE " PLACE "attribute ("                                                         \
  "  entry INTEGER NOT NULL REFERENCES entry (id) ON DELETE CASCADE, place INTEGER NOT NULL," \
  "  profile INTEGER NOT NULL, name TEXT NOT NULL, type TEXT NOT NULL, value TEXT NOT NULL,"  \
  "  qualifier TEXT, number REAL, unit TEXT, shown TEXT NOT NULL, sum INTEGER NOT NULL,"      \
  "  PRIMARY KEY (entry, place)) STRICT, WITHOUT ROWID;"                                      \
  "CREATE INDEX " PLACE "attribute_value ON attribute (name, value);"                         \
  "CREATE VIRTUAL TABLE " PLACE "words USING fts5 (name, description, attributes, text,"      \
  "  content = 'entry', content_rowid = 'id', tokenize = 'unicode61');"

/* What the sums of rows are of. */
#define REPOSITORY_ENTRY "kind, name, format, description, origin, attributes, details, text, content, hash"
#define REPOSITORY_PART "entry, name, path, hash, size, content"
#define REPOSITORY_ATTRIBUTE "entry, place, profile, name, type, value, qualifier, number, unit, shown"
#endif
