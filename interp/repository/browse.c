/* The repository as people and programs see it: entries added, listed, searched, shown, exported, compared, removed.
 * The entries of psl.h that psl db is made of. */
#include "interp/repository/repository_model.h"
#include "interp/check/load.h"
#include "interp/report/json_read.h"
#include "interp/report/report.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <strings.h>

static void say_wrong(struct psl *psl, const char *help, const char *format, const char *a, const char *b) {
  diagnostic_add(&psl->diagnostics, SEVERITY_ERROR, (struct span){0}, format, a, b);
  if (help) diagnostic_help(&psl->diagnostics, (struct span){0}, "%s", help);
}

/* ---- the entry that is meant ---- */

struct names_seen {
  struct psl *psl;
  const char **names;
  uint32_t count, capacity;
};

static bool see_name(void *user, struct repository_entry *entry) {
  struct names_seen *seen = user;
  ARENA_PUSH(&seen->psl->work, seen->names, seen->count, seen->capacity,
             arena_copy(&seen->psl->work, entry->name, strlen(entry->name)));
  return seen->count < 10000;
}

static void help_name(struct psl *psl, struct database *database, const char *name) {
  struct names_seen seen = {.psl = psl};
  if (!repository_each(database, &(struct repository_filter){0}, see_name, &seen)) return;
  const char *near = nearest_name(name, seen.names, seen.count);
  if (near) diagnostic_help(&psl->diagnostics, (struct span){0}, "did you mean '%s'?", near);
}

bool entry_named(struct psl *psl, struct database *database, const char *name, bool whole,
                 struct repository_entry *entry) {
  const char *slash = strchr(name, '/'), *kind = NULL;
  size_t count;
  if (slash) kind = arena_copy(&psl->work, name, (size_t)(slash - name));
  if (!repository_find(database, &psl->work, kind, slash ? slash + 1 : name, whole, entry, &count)) return false;
  if (count == 1 && entry->damaged) {
    say_wrong(psl, "remove it, and add it again", "%s '%s' is damaged: it is not what psl has written", entry->kind,
              entry->name);
    return false;
  }
  if (count == 1) return true;
  if (count) {
    say_wrong(psl, arena_printf(&psl->work, "write KIND/NAME, as '%s/%s'", entry->kind, entry->name),
              "entries of several kinds are named '%s'%s", name, "");
  } else {
    say_wrong(psl, NULL, "the database has no entry '%s'%s", name, "");
    help_name(psl, database, slash ? slash + 1 : name);
  }
  return false;
}

/* ---- add ---- */

struct add_given {
  const char *database;
  const struct psl_db_add *add;
  psl_write *write;
  void *user;
};

static bool put_entry(struct psl *psl, struct database *database, struct repository_entry *entry, bool replace,
                      struct output *out) {
  static const char *const words[] = {
      [REPOSITORY_ADDED] = "added", [REPOSITORY_SAME] = "there already:", [REPOSITORY_REPLACED] = "replaced"};
  enum repository_put put = repository_put(database, entry, replace);
  if (put == REPOSITORY_TAKEN)
    say_wrong(psl, "--replace puts this one in its place", "the database has another %s '%s'", entry->kind,
              entry->name);
  if (put == REPOSITORY_TAKEN || put == REPOSITORY_FAILED) return false;
  text_printf(&out->text, "%s %s %s\n", words[put], entry->kind, entry->name);
  return true;
}

static enum psl_code work_add(struct psl *psl, void *arguments) {
  const struct add_given *given = arguments;
  struct entry_list list = {0};
  struct output out;
  if (!entries_of_file(psl, given->add, &list)) return PSL_WRONG;
  struct database *database = database_open(&psl->work, &psl->diagnostics, given->database, DATABASE_WRITE);
  if (!database) return PSL_WRONG;
  output_open(&out, &psl->work, given->write, given->user);
  bool fine = true;
  for (size_t k = 0; fine && k < list.count; k++)
    fine = put_entry(psl, database, &list.items[k], given->add->replace, &out);
  if (!fine) database_abandon(database);
  fine = database_close(database) && fine;
  if (fine) output_close(&out);
  return fine ? PSL_OK : PSL_WRONG;
}

enum psl_code psl_db_add(struct psl *psl, const char *database, const struct psl_db_add *add, psl_write *write,
                         void *user) {
  return handle_enter(psl, work_add, &(struct add_given){database, add, write, user});
}

/* ---- list and search ---- */

struct search_given {
  const char *database;
  const struct psl_db_search *search;
  psl_write *write;
  void *user;
};
struct search {
  struct psl *psl;
  struct query queries[8];
  size_t query_count;
  struct report *report;
};

/* A selector compares something; other texts are words. */
static bool is_selector(const char *text) {
  bool quoted = false;
  for (const char *at = text; *at; at++) {
    quoted ^= *at == '"';
    if (!quoted && (strchr("=<>", *at) || (!strncmp(at, " in ", 4) && strchr(at + 4, '.')))) return true;
  }
  return false;
}

/* One profile of the entry meets all. */
static bool fits(struct search *search, const struct repository_entry *entry) {
  int profiles = entry_profiles(entry);
  for (int profile = 0; profile < profiles; profile++) {
    uint32_t failed = 0, one;
    for (size_t q = 0; q < search->query_count; q++) {
      entry_verdict(search->queries[q].r, search->queries[q].selector, entry, profile, NULL, &one);
      failed += one;
    }
    if (!failed) return true;
  }
  return !search->query_count;
}

/* The attributes of a profile, as they are written: what its domain gives stands behind its transaction. */
static const char *profile_text(struct arena *arena, const struct repository_entry *entry, int profile) {
  struct text text = {.arena = arena};
  bool given = true;
  text_put(&text, "");
  for (size_t k = 0; k < entry->attribute_count; k++) {
    const struct repository_attribute *a = &entry->attributes[k];
    if (a->profile != profile && a->profile != PROFILE_OF_ENTRY) continue;
    given &= a->name[0] != ':';
    if (!given) continue;
    text_printf(&text, "%s%s = %s", text.size ? ", " : "", a->name, a->shown);
  }
  return text.data;
}

static bool put_found(void *user, struct repository_entry *entry) {
  struct search *search = user;
  struct arena *arena = &search->psl->said;
  const char *line = entry->description;
  if (!fits(search, entry)) return true;
  report_row(search->report,
             (struct report_cell[]){cell_word(entry->kind), cell_word(entry->name), cell_word(entry->format),
                                    cell_word(entry->damaged ? "damaged" : profile_text(arena, entry, 0)),
                                    cell_word(arena_copy(arena, line, strcspn(line, "\n"))), cell_word(entry->origin)});
  arena_reset(arena);
  return true;
}

static bool read_queries(struct psl *psl, const struct psl_db_search *given, struct search *search,
                         struct repository_filter *filter) {
  enum { MOST = sizeof search->queries / sizeof *search->queries };
  struct text selector = {.arena = &psl->handed}, words = {.arena = &psl->handed};
  for (size_t k = 0; k < given->wanted_count; k++) {
    struct text *to = is_selector(given->wanted[k]) ? &selector : &words;
    if (to->size) text_put(to, to == &selector ? ", " : " ");
    text_put(to, given->wanted[k]);
  }
  filter->kinds = given->kind;
  filter->words = words.data;
  if (!selector.size) return true;
  struct query *query = &search->queries[search->query_count++];
  if (!query_read(psl, "the search", selector.data, query)) return false;
  if (!query->selector) search->query_count--;
  if (query->selector) filter_terms(query->r, query->selector, filter, &psl->handed);
  return true;
}

static bool kind_fits(struct psl *psl, const char *kind) {
  for (size_t k = 0; kind && psl_db_kind(k); k++)
    if (!strcmp(psl_db_kind(k), kind)) return true;
  if (!kind) return true;
  say_wrong(psl, "kinds are component, instance, graph, ted, knowledge, measurement and prediction",
            "there is no kind '%s'%s", kind, "");
  psl->diagnostics.misuse = true;
  return false;
}

static enum psl_code work_search(struct psl *psl, void *arguments) {
  static const struct report_column columns[] = {
      {"kind", "kind", .names = true},
      {"name", "name", .names = true},
      {"format", "format", .audience = FOR_PROGRAMS},
      {"attributes", "attributes", .optional = true},
      {"description", "description", .optional = true},
      {"origin", "origin", .audience = FOR_PROGRAMS},
  };
  static const struct report_section section = {.key = "entries", REPORT_COLUMNS(columns), .main = true, .kept = true};
  const struct search_given *given = arguments;
  struct repository_filter filter = {0};
  struct search search = {.psl = psl};
  struct report report;
  arena_close(&psl->handed);
  if (!kind_fits(psl, given->search->kind) || !read_queries(psl, given->search, &search, &filter)) return PSL_WRONG;
  struct database *database = database_open(&psl->work, &psl->diagnostics, given->database, DATABASE_READ);
  if (!database) return PSL_WRONG;
  report_open(&report, given->search->format, psl->columns, &psl->work, given->write, given->user);
  report.single = format_is_lines(given->search->format);
  report_section(&report, &section);
  search.report = &report;
  bool fine = repository_each(database, &filter, put_found, &search);
  report_end(&report);
  report_close(&report);
  return database_close(database) && fine ? PSL_OK : PSL_WRONG;
}

enum psl_code psl_db_search(struct psl *psl, const char *database, const struct psl_db_search *search, psl_write *write,
                            void *user) {
  return handle_enter(psl, work_search, &(struct search_given){database, search, write, user});
}

/* ---- one or two entries ---- */

struct entry_given {
  const char *database, *name, *other;
  enum psl_format format;
  psl_write *write;
  void *user;
};

/* Opens the database and finds the entry; NULL after a diagnostic. */
static struct database *open_at(struct psl *psl, const struct entry_given *given, enum database_mode mode, bool whole,
                                struct repository_entry *entry) {
  struct database *database = database_open(&psl->work, &psl->diagnostics, given->database, mode);
  bool fine = database && entry_named(psl, database, given->name, whole, entry);
  if (database && !fine) database_close(database);
  return fine ? database : NULL;
}

/* Facts of an entry, one text each, by the names that show and diff give them. */
struct fact {
  const char *name, *value;
};
struct facts {
  struct arena *arena;
  struct fact *items;
  size_t count, capacity;
};

static void put_fact(struct facts *facts, const char *name, const char *value) {
  if (!value || !*value) return;
  ARENA_PUSH(facts->arena, facts->items, facts->count, facts->capacity, ((struct fact){name, value}));
}

/* Each of the list's objects, by the word and its own name or place. */
static void put_members(struct facts *facts, const char *details, const char *list, const char *word,
                        const char *named_by, const char *const *members) {
  unsigned place = 0;
  for (const char *at = json_read_first(json_read_member(details, list)); at; at = json_read_next(at)) {
    const char *name = named_by ? json_read_string(facts->arena, json_read_member(at, named_by)) : NULL;
    place++;
    for (size_t m = 0; members[m]; m++) {
      const char *value = json_read_string(facts->arena, json_read_member(at, members[m]));
      const char *which = name ? arena_printf(facts->arena, " %s", name)
                          : json_read_next(json_read_first(json_read_member(details, list)))
                              ? arena_printf(facts->arena, " %u", place)
                              : "";
      bool alone = !strcmp(members[m], "value");
      put_fact(facts, arena_printf(facts->arena, "%s%s%s%s", word, which, alone ? "" : " ", alone ? "" : members[m]),
               value);
    }
  }
}

/* The member as a text, whatever it is. */
static void put_detail(struct facts *facts, const char *details, const char *member) {
  const char *value = json_read_member(details, member), *text = json_read_string(facts->arena, value);
  if (value && !text) text = arena_copy(facts->arena, value, strcspn(value, ",}"));
  put_fact(facts, member, text);
}

static void put_profiles(struct facts *facts, const struct repository_entry *entry) {
  for (size_t k = 0; k < entry->attribute_count; k++) {
    const struct repository_attribute *a = &entry->attributes[k];
    if (a->name[0] == ':') continue;
    const char *which = a->profile > 0 ? arena_printf(facts->arena, " %d", a->profile + 1) : "";
    put_fact(facts, arena_printf(facts->arena, "profile%s %s", which, a->name), a->shown);
  }
}

static const char *part_state(struct arena *arena, const struct repository_part *part) {
  size_t size;
  if (!part->path) return "kept here";
  const char *why, *bytes = plain_file_text(arena, part->path, INT32_MAX, &size, &why);
  if (!bytes && errno == ENOENT) return arena_printf(arena, "%s, which is not there", part->path);
  if (!bytes) return arena_printf(arena, "%s, which cannot be read: %s", part->path, why);
  struct database_key there = database_key_bytes(bytes, size);
  return memcmp(&there, &part->hash, sizeof there) ? arena_printf(arena, "%s, which has changed since", part->path)
                                                   : part->path;
}

static const char *short_key(struct arena *arena, const struct database_key *key) {
  return arena_copy(arena, database_key_text(arena, key), 12);
}

static struct facts facts_of(struct arena *arena, const struct repository_entry *entry) {
  static const char *const accepts[] = {"profile", "transaction", "protocol", NULL},
                           *const requests[] = {"selector", "transaction", "protocol", NULL},
                           *const params[] = {"value", NULL};
  static const char *const single[] = {"like",  "system",    "processes", "nodes",
                                       "edges", "condensed", "rules",     "columns"};
  struct facts facts = {.arena = arena};
  put_fact(&facts, "kind", entry->kind);
  put_fact(&facts, "name", entry->name);
  put_fact(&facts, "format", entry->format);
  put_fact(&facts, "description", entry->description);
  put_fact(&facts, "origin", entry->origin);
  for (size_t k = 0; k < sizeof single / sizeof *single; k++)
    put_detail(&facts, entry->details, single[k]);
  put_profiles(&facts, entry);
  put_members(&facts, entry->details, "accepts", "accepts", NULL, accepts + 1);
  put_members(&facts, entry->details, "requests", "requests", "label", requests);
  put_members(&facts, entry->details, "params", "param", "name", params);
  for (size_t p = 0; p < entry->part_count; p++)
    put_fact(
        &facts, arena_printf(arena, "file %s", entry->parts[p].name),
        arena_printf(arena, "%s, %s", short_key(arena, &entry->parts[p].hash), part_state(arena, &entry->parts[p])));
  put_fact(&facts, "hash", short_key(arena, &entry->hash));
  return facts;
}

/* What has been measured or predicted of the entry: others that say so by their attribute `of`. */
struct beside {
  struct facts *facts;
  const char *name;
};

static bool put_beside(void *user, struct repository_entry *entry) {
  struct beside *beside = user;
  const struct repository_attribute *of = entry_attribute(entry, PROFILE_OF_ENTRY, "of");
  struct arena *arena = beside->facts->arena;
  if (of && !strcasecmp(of->value, beside->name))
    put_fact(beside->facts, arena_copy(arena, entry->kind, strlen(entry->kind)),
             arena_copy(arena, entry->name, strlen(entry->name)));
  return true;
}

static void report_facts(struct psl *psl, const struct facts *facts, const struct entry_given *given) {
  static const struct report_column columns[] = {
      {"name", "", .names = true},
      {"value", ""},
  };
  static const struct report_section section = {
      .key = "entry", REPORT_COLUMNS(columns), .main = true, .headless = true};
  struct report report;
  report_open(&report, given->format, psl->columns, &psl->work, given->write, given->user);
  report.single = format_is_lines(given->format);
  report_section(&report, &section);
  for (size_t k = 0; k < facts->count; k++)
    report_row(&report, (struct report_cell[]){cell_word(facts->items[k].name), cell_word(facts->items[k].value)});
  report_end(&report);
  report_close(&report);
}

static enum psl_code work_show(struct psl *psl, void *arguments) {
  const struct entry_given *given = arguments;
  struct repository_entry entry;
  struct database *database = open_at(psl, given, DATABASE_READ, true, &entry);
  if (!database) return PSL_WRONG;
  struct facts facts = facts_of(&psl->work, &entry);
  struct beside beside = {&facts, entry.name};
  bool fine = repository_each(database, &(struct repository_filter){.kinds = "measurement prediction knowledge"},
                              put_beside, &beside);
  if (!database_close(database) || !fine) return PSL_WRONG;
  report_facts(psl, &facts, given);
  return PSL_OK;
}

enum psl_code psl_db_show(struct psl *psl, const char *database, const char *name, enum psl_format format,
                          psl_write *write, void *user) {
  struct entry_given given = {.database = database, .name = name, .format = format, .write = write, .user = user};
  return handle_enter(psl, work_show, &given);
}

/* ---- export ---- */

/* The component with what of its file belongs to it, in the one layout. */
static const char *component_text(struct psl *psl, const struct repository_entry *entry, size_t *size) {
  struct arena *arena = &psl->work;
  struct slice_file file = {entry->origin, entry->data, entry->size, (const char *[]){entry->name}, 1};
  const char *slice = slice_text(arena, &file, NULL, &psl->diagnostics);
  struct sources sources = {.arena = arena, .end = 1};
  struct names names;
  if (!slice) return NULL;
  names_open(&names, arena);
  const struct source *source = source_add(&sources, entry->origin, slice, entry->size);
  const struct file *parsed = source ? parse_file(arena, &names, NULL, source) : NULL;
  struct text text = {.arena = arena};
  if (!parsed || parsed->broken) return NULL;
  ast_format(&text, parsed);
  *size = text.size;
  return text.data;
}

static const char *content_of(struct psl *psl, const struct repository_entry *entry, size_t *size) {
  struct arena *arena = &psl->work;
  *size = entry->size;
  if (!strcmp(entry->format, "psl")) return component_text(psl, entry, size);
  if (strcmp(entry->format, "trace") || !entry->part_count) return entry->data;
  const char *path = entry->parts[0].path, *why;
  if (!path) return entry->data;
  const char *bytes = plain_file_text(arena, path, INT32_MAX, size, &why);
  struct database_key there = database_key_bytes(bytes ? bytes : "", bytes ? *size : 0);
  if (bytes && !memcmp(&there, &entry->parts[0].hash, sizeof there)) return bytes;
  say_wrong(psl, "the database keeps where a trace is, and its hash: add it again", "%s %s", path,
            bytes             ? "is not the trace that was added: it has changed since"
            : errno == ENOENT ? "is not there any more"
                              : arena_printf(arena, "cannot be read: %s", why));
  return NULL;
}

static enum psl_code work_export(struct psl *psl, void *arguments) {
  const struct entry_given *given = arguments;
  struct repository_entry entry;
  size_t size;
  struct database *database = open_at(psl, given, DATABASE_READ, true, &entry);
  if (!database || !database_close(database)) return PSL_WRONG;
  const char *content = content_of(psl, &entry, &size);
  if (!content) return PSL_WRONG;
  return given->write(given->user, content, size) ? PSL_WRONG : PSL_OK;
}

enum psl_code psl_db_export(struct psl *psl, const char *database, const char *name, psl_write *write, void *user) {
  struct entry_given given = {.database = database, .name = name, .write = write, .user = user};
  return handle_enter(psl, work_export, &given);
}

/* ---- remove ---- */

static enum psl_code work_remove(struct psl *psl, void *arguments) {
  const struct entry_given *given = arguments;
  struct repository_entry entry;
  const char *slash = strchr(given->name, '/');
  const char *kind = slash ? arena_copy(&psl->work, given->name, (size_t)(slash - given->name)) : NULL;
  size_t count;
  struct database *database = database_open(&psl->work, &psl->diagnostics, given->database, DATABASE_WRITE);
  if (!database) return PSL_WRONG;
  bool fine = repository_find(database, &psl->work, kind, slash ? slash + 1 : given->name, false, &entry, &count);
  if (fine && !(count == 1 && entry.damaged)) fine = entry_named(psl, database, given->name, false, &entry);
  fine = fine && repository_remove(database, &entry);
  if (!fine) database_abandon(database);
  return database_close(database) && fine ? PSL_OK : PSL_WRONG;
}

enum psl_code psl_db_remove(struct psl *psl, const char *database, const char *name) {
  return handle_enter(psl, work_remove, &(struct entry_given){.database = database, .name = name});
}

/* ---- diff ---- */

static const char *fact_named(const struct facts *facts, const char *name) {
  for (size_t k = 0; k < facts->count; k++)
    if (!strcmp(facts->items[k].name, name)) return facts->items[k].value;
  return NULL;
}

static void put_difference(struct report *report, const char *name, const char *a, const char *b) {
  if (a && b && !strcmp(a, b)) return;
  report_row(report, (struct report_cell[]){cell_word(name), cell_word(a ? a : "-"), cell_word(b ? b : "-")});
}

/* Names, places and hashes differ in any case. */
static bool is_beside(const char *name) {
  return !strcmp(name, "name") || !strcmp(name, "hash") || !strcmp(name, "origin") || !strcmp(name, "description");
}

static const char *body_of(struct arena *arena, const struct repository_entry *entry) {
  const char *body = strstr(entry->text, "body:");
  struct text text = {.arena = arena};
  const char *end = body ? strstr(body, "\n  requests:") : NULL;
  if (!body) return NULL;
  for (const char *at = body + strlen("body:"); *at && at != end; at++)
    if (!isspace((unsigned char)*at))
      text_char(&text, *at);
    else if (text.size && text.data[text.size - 1] != ' ')
      text_char(&text, ' ');
  while (text.size && (text.data[text.size - 1] == ' ' || (!end && text.data[text.size - 1] == '}')))
    text.data[--text.size] = 0;
  return text.data;
}

static void report_difference(struct report *report, struct psl *psl, const struct repository_entry *a,
                              const struct repository_entry *b) {
  const struct report_column columns[] = {
      {"what", "", .names = true},
      {"a", a->name},
      {"b", b->name},
  };
  const struct report_section section = {.key = "differences", REPORT_COLUMNS(columns), .main = true, .kept = true};
  struct facts of_a = facts_of(&psl->work, a), of_b = facts_of(&psl->work, b);
  report_section(report, &section);
  for (size_t k = 0; k < of_a.count; k++)
    if (!is_beside(of_a.items[k].name))
      put_difference(report, of_a.items[k].name, of_a.items[k].value, fact_named(&of_b, of_a.items[k].name));
  for (size_t k = 0; k < of_b.count; k++)
    if (!is_beside(of_b.items[k].name) && !fact_named(&of_a, of_b.items[k].name))
      put_difference(report, of_b.items[k].name, NULL, of_b.items[k].value);
  put_difference(report, "body", body_of(&psl->work, a), body_of(&psl->work, b));
  report_end(report);
}

static enum psl_code work_diff(struct psl *psl, void *arguments) {
  const struct entry_given *given = arguments;
  struct repository_entry a, b;
  struct report report;
  struct database *database = open_at(psl, given, DATABASE_READ, false, &a);
  if (!database) return PSL_WRONG;
  bool fine = entry_named(psl, database, given->other, false, &b);
  if (!database_close(database) || !fine) return PSL_WRONG;
  report_open(&report, given->format, psl->columns, &psl->work, given->write, given->user);
  report.single = format_is_lines(given->format);
  report_difference(&report, psl, &a, &b);
  report_close(&report);
  return PSL_OK;
}

enum psl_code psl_db_diff(struct psl *psl, const char *database, const char *a, const char *b, enum psl_format format,
                          psl_write *write, void *user) {
  struct entry_given given = {
      .database = database, .name = a, .other = b, .format = format, .write = write, .user = user};
  return handle_enter(psl, work_diff, &given);
}
