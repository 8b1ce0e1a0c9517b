/* Reads the manuals, which are written in mdoc, as paragraphs of plain text with their headings.  They stand in the
 * tree that psl was built in, or where they are installed.  Called for the help on words that are no names. */
#include "interp/library/manuals.h"
#include "grammar/folder.h"
#include "interp/library/compressed.h"
#include "interp/check/load.h"
#include "interp/include/psl.h"
#include "interp/library/installed.h"

#include <dlfcn.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

struct reader {
  struct arena *arena;
  struct manuals *manuals;
  struct manual_paragraph at; /* what is read now: its headings */
  struct text text;           /* of it, so far */
  bool attached;              /* the next word stands right behind what is there */
  bool named;                 /* an item has begun, of which nothing is said yet */
};

/* ---- a line ---- */

/* Letters that roff has names for; what is not listed leaves nothing. */
static const char *character_named(const char *name) {
  static const char *const named[][2] = {{"dq", "\""}, {"aq", "'"}, {"em", "—"}, {"en", "–"},
                                         {"mc", "µ"},  {":O", "Ö"}, {"S2", "²"}, {"mu", "×"}};
  for (size_t i = 0; i < sizeof named / sizeof *named; i++)
    if (!strncmp(named[i][0], name, 2)) return named[i][1];
  return "";
}

static void put_plain(struct text *out, const char *from, const char *end) {
  for (; from < end; from++) {
    if (*from != '\\' || from + 1 == end)
      text_char(out, *from);
    else if (*++from == 'e')
      text_char(out, '\\');
    else if (*from == '(' && from + 2 < end)
      text_put(out, character_named(from + 1)), from += 2;
    else if (*from != '&' && *from != ':')
      text_char(out, *from);
  }
}

static void separate(struct reader *r) {
  if (r->text.size && !r->attached) text_char(&r->text, r->at.display ? '\n' : ' ');
  r->attached = false;
}

/* The next word of a line of a macro, a quoted one without its quotes; NULL: there is none. */
static const char *next_word(const char **at, const char *end, const char **word_end) {
  while (*at < end && **at == ' ')
    ++*at;
  if (*at == end) return NULL;
  bool quoted = **at == '"';
  const char *word = *at += quoted;
  while (*at < end && **at != (quoted ? '"' : ' '))
    ++*at;
  *word_end = *at;
  *at += *at < end;
  return word;
}

static bool is_one_of(const char *word, const char *end, const char *list) {
  size_t length = (size_t)(end - word);
  for (const char *at = list; *at; at += strcspn(at, " "), at += *at == ' ')
    if (strcspn(at, " ") == length && !strncmp(at, word, length)) return true;
  return false;
}

/* Around what stands behind a macro, to the end of the line; or what stands in its place. */
static const char *enclosing(const char *word, const char *end) {
  static const char *const pairs[] = {"Ql ''", "Sq ''", "Dq \"\"", "Qq \"\"", "Pq ()",
                                      "Op []", "Po (",  "Pc )",    "Oo [",    "Oc ]"};
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
    if (end - word == 2 && !strncmp(word, pairs[i], 2)) return pairs[i] + 3;
  return NULL;
}

/* What the macro that is read does to the words behind it. */
enum shape { PLAIN, OPTION, PAGE, FUNCTION };
enum { NESTED = 4 };

struct line {
  enum shape shape;
  unsigned count;       /* of the words behind the macro */
  char closing[NESTED]; /* what stands behind all, the innermost last */
  unsigned nested;
};

static void end_words(struct reader *r, struct line *line) {
  if (line->shape == FUNCTION && line->count) text_char(&r->text, ')');
  line->shape = PLAIN;
  line->count = 0;
}

static void close_pairs(struct reader *r, struct line *line) {
  end_words(r, line);
  while (line->nested)
    text_char(&r->text, line->closing[--line->nested]);
}

static void put_mark(struct reader *r, char mark) {
  bool opens = strchr("([", mark);
  r->attached |= !opens;
  separate(r);
  text_char(&r->text, mark);
  r->attached = opens;
}

static void open_pair(struct reader *r, struct line *line, const char *pair) {
  if (strchr(")]", *pair)) {
    put_mark(r, *pair);
    return;
  }
  separate(r);
  text_char(&r->text, *pair);
  r->attached = true;
  if (pair[1] && line->nested < NESTED) line->closing[line->nested++] = pair[1];
}

/* Is it a macro? Then the words behind it are as it says. */
static bool begins_macro(struct reader *r, struct line *line, const char *word, const char *end) {
  static const char plain[] = "Ic Li Ar Cm Em Pa Va Fa Dv Ev Sx Vt Sy Dl In Lk An No Nd";
  const char *pair = enclosing(word, end);
  bool joins = is_one_of(word, end, "Ns Pf");
  enum shape shape = is_one_of(word, end, "Fl")   ? OPTION
                     : is_one_of(word, end, "Xr") ? PAGE
                     : is_one_of(word, end, "Fn") ? FUNCTION
                                                  : PLAIN;
  if (!pair && !joins && !shape && !is_one_of(word, end, plain)) return false;
  bool again = shape == OPTION && line->shape == OPTION && !line->count; /* Fl Fl x is --x */
  end_words(r, line);
  line->shape = shape;
  if (pair) open_pair(r, line, pair);
  if (again) separate(r), text_char(&r->text, '-');
  r->attached |= joins || again;
  return true;
}

static void put_word(struct reader *r, struct line *line, const char *word, const char *end) {
  bool option = line->shape == OPTION, page = line->shape == PAGE && line->count == 1;
  bool argument = line->shape == FUNCTION && line->count;
  if (argument && line->count > 1) text_put(&r->text, ", ");
  r->attached |= page || argument;
  separate(r);
  text_put(&r->text, option ? "-" : page ? "(" : "");
  put_plain(&r->text, word, end);
  if (page) text_char(&r->text, ')'), line->shape = PLAIN;
  if (line->shape == FUNCTION && !line->count) text_char(&r->text, '(');
  line->count++;
}

/* A line's last marks stand behind what its macros enclose. */
static bool are_marks(const char *at, const char *end) {
  while (at < end && strchr(" .,;:)]?!", *at))
    at++;
  return at == end;
}

/* The words of a macro's line, without the macros among them. */
static void put_words(struct reader *r, const char *at, const char *end) {
  const char *word_end;
  struct line line = {0};
  for (const char *word; (word = next_word(&at, end, &word_end));) {
    if (begins_macro(r, &line, word, word_end)) continue;
    bool mark = word_end - word == 1 && strchr(".,;:)]?!([", *word);
    if (mark && line.shape != OPTION) end_words(r, &line); /* Fl x , y are two options */
    if (mark && are_marks(word, end)) close_pairs(r, &line);
    if (mark)
      put_mark(r, *word);
    else
      put_word(r, &line, word, word_end);
  }
  close_pairs(r, &line);
}

/* ---- a page ---- */

/* An item that nothing is said of stands for itself. */
static void end_paragraph(struct reader *r) {
  if (r->text.size || r->named) {
    struct manual_paragraph made = r->at;
    made.text = r->text.size ? r->text.data : "";
    ARENA_PUSH(r->arena, r->manuals->items, r->manuals->count, r->manuals->capacity, made);
  }
  r->text = (struct text){.arena = r->arena};
  r->attached = r->named = false;
}

/* The words of a heading, which are no paragraph. */
static const char *heading(struct reader *r, const char *at, const char *end) {
  end_paragraph(r);
  put_words(r, at, end);
  const char *words = r->text.data;
  r->text = (struct text){.arena = r->arena};
  return words;
}

static void read_macro(struct reader *r, const char *at, const char *end) {
  const char *word_end, *name = next_word(&at, end, &word_end);
  if (!name || *name == '\\' || is_one_of(name, word_end, "Dd Dt Os Rs Re br")) return;
  if (is_one_of(name, word_end, "Sh")) {
    r->at.section = heading(r, at, end);
    r->at.subsection = r->at.item = NULL;
  } else if (is_one_of(name, word_end, "Ss")) {
    r->at.subsection = heading(r, at, end);
    r->at.item = NULL;
  } else if (is_one_of(name, word_end, "It")) {
    r->at.item = heading(r, at, end);
    r->named = r->at.item && *r->at.item;
  } else if (is_one_of(name, word_end, "Pp Bl El Bd Ed")) {
    end_paragraph(r);
    if (*name == 'B') r->at.display = name[1] == 'd';
    if (*name == 'E') r->at.display = false;
    if (!strncmp(name, "El", 2)) r->at.item = NULL;
  } else if (is_one_of(name, word_end, "Nm")) {
    if (are_marks(at, end)) separate(r), text_put(&r->text, "psl");
    put_words(r, at, end);
  } else if (*name != '%') {
    put_words(r, name, end);
  }
}

static bool is_told(const struct reader *r) {
  return r->at.section && strcmp(r->at.section, "SEE ALSO") && strcmp(r->at.section, "GRAMMAR") &&
         strcmp(r->at.section, "HISTORY");
}

static void read_page(struct reader *r, const char *text, size_t size) {
  const char *end = text + size;
  while (text < end) {
    const char *stop = memchr(text, '\n', (size_t)(end - text));
    if (!stop) stop = end;
    bool macro = *text == '.';
    if (macro && text + 1 < stop && (is_told(r) || !strncmp(text, ".Sh", 3))) read_macro(r, text + 1, stop);
    if (!macro && text < stop && is_told(r)) {
      separate(r);
      put_plain(&r->text, text, stop);
    }
    text = stop + 1;
  }
  end_paragraph(r);
}

/* ---- all pages ---- */

/* Without the ending of what a distribution has compressed. */
static size_t page_length(const char *name) {
  size_t length = strlen(name);
  return length > 3 && !strcmp(name + length - 3, ".gz") ? length - 3 : length;
}

static bool is_page(const char *name) {
  size_t length = page_length(name);
  return length > 4 && !strncmp(name, "psl", 3) && strchr(".-", name[3]) && name[length - 2] == '.' &&
         strchr("123456789", name[length - 1]);
}

/* Those of a folder, in the order of their names; how many. */
static uint32_t read_folder(struct reader *r, const char *folder) {
  const char **names;
  uint32_t count = folder_names(r->arena, folder, is_page, &names);
  for (uint32_t i = 0; i < count; i++) {
    size_t size, length = page_length(names[i]);
    const char *path = arena_printf(r->arena, "%s/%s", folder, names[i]);
    const char *text = names[i][length] ? compressed_text(r->arena, path, &size) : file_text(r->arena, path, &size);
    const char *page = arena_printf(r->arena, "%.*s(%c)", (int)length - 2, names[i], names[i][length - 1]);
    r->at = (struct manual_paragraph){.page = page};
    if (text) read_page(r, text, size);
  }
  return count;
}

/* The tree has all pages in one folder, an installation one for each section. */
static bool read_root(struct reader *r, const char *root) {
  uint32_t count = read_folder(r, root);
  for (int section = 1; section <= 9; section++)
    count += read_folder(r, arena_printf(r->arena, "%s/man%d", root, section));
  return count > 0;
}

/* Beside a file of ours: bin/psl and lib/libpsl.so with ../share/man, build/psl in the tree. */
static bool read_beside(struct reader *r, const char *file) {
  const char *slash = strrchr(file, '/');
  if (!slash) return false;
  const char *folder = arena_copy(r->arena, file, (size_t)(slash - file));
  return read_root(r, arena_printf(r->arena, "%s/../share/man", folder)) ||
         read_root(r, arena_printf(r->arena, "%s/../man", folder));
}

bool manuals_read(struct arena *arena, struct manuals *manuals) {
  struct reader r = {.arena = arena, .manuals = manuals, .text.arena = arena};
  char program[PATH_MAX];
  Dl_info library;
  ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  if (length > 0) {
    program[length] = '\0';
    if (read_beside(&r, program)) return true;
  }
  if (dladdr((const void *)&psl_version, &library) && library.dli_fname && read_beside(&r, library.dli_fname))
    return true;
  return read_root(&r, installed_manuals);
}
