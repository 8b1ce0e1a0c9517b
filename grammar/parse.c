/* The driver of the parser: pushes tokens, keeps account of brackets, words the errors, skips after
 * them, and gives comments their place.  parse_file and parse_expression are what others call. */
#include "grammar/parse.h"
#include "grammar/characters.h"
#include "grammar/words.h"
#include "psl.tab.h"
#include "grammar/text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

int psl_lex(PSL_STYPE *value, struct span *span, void *scanner);

enum { ERROR_LIMIT = 20 };

bool parse_fails(struct parse *p) {
  if (!p->d) {
    p->errors++;
    return false;
  }
  p->file->broken = true;
  if (p->stop) return false;
  if (++p->errors <= ERROR_LIMIT) return true;
  p->stop = true;
  diagnostic_add(p->d, SEVERITY_ERROR, (struct span){0}, "too many errors");
  return false;
}

static const char *text_at(const struct parse *p, uint32_t offset) {
  return p->source->text + (offset - p->source->base);
}

/* ---- the stream of tokens ---- */

/* Whether an expression, a type or a list of names may end with the token, so that `{` after it
 * begins a block. */
static bool ends_operand(int token) {
  switch (token) {
  case TOKEN_NAME:
  case TOKEN_NUMBER:
  case TOKEN_QUANTITY:
  case TOKEN_STRING:
  case TOKEN_TRUE:
  case TOKEN_FALSE:
  case TOKEN_COMPONENT:
  case ')':
  case ']':
  case '}': return true;
  default: return word_is_by_place(token);
  }
}

static const struct bracket *innermost(const struct parse *p) {
  return p->brackets.count ? &p->brackets.items[p->brackets.count - 1] : NULL;
}

/* The number of brackets open up to the innermost brace, or brace of a block. */
static uint32_t brace_depth(const struct parse *p, bool block) {
  const struct bracket *bracket = innermost(p);
  return !bracket ? 0 : block ? bracket->to_block : bracket->to_brace;
}

int parse_token(struct parse *p, void *scanner, union PSL_STYPE *value, struct span *span) {
  int token = psl_lex(value, span, scanner);
  if (!token) span->begin = span->end = p->source->base + p->source->size;
  if (token == '{' && (ends_operand(p->previous) || (p->previous == TOKEN_ELSE && p->block_closed))) return TOKEN_OPEN;
  if (token == '}') {
    uint32_t depth = brace_depth(p, false);
    if (!depth || p->brackets.items[depth - 1].block) return TOKEN_CLOSE;
  }
  return token;
}

static void open_bracket(struct parse *p, struct span span, char kind, bool block) {
  struct bracket bracket = {.span = span, .kind = kind, .block = block};
  bracket.to_brace = kind == '{' ? p->brackets.count + 1 : brace_depth(p, false);
  bracket.to_block = block ? p->brackets.count + 1 : brace_depth(p, true);
  ARENA_PUSH(p->arena, p->brackets.items, p->brackets.count, p->brackets.capacity, bracket);
}

/* Closes the nearest of its kind, with what was left open in it; a `)` or `]` not beyond a brace. */
static void close_bracket(struct parse *p, char kind) {
  enum { NEAR = 100 };
  uint32_t brace = brace_depth(p, false), depth = p->brackets.count;
  if (kind == '{') {
    if (brace) p->brackets.count = brace - 1;
    return;
  }
  uint32_t last = depth > brace + NEAR ? depth - NEAR : brace;
  while (depth > last && p->brackets.items[depth - 1].kind != kind)
    depth--;
  if (depth > last) p->brackets.count = depth - 1;
}

static void track_brackets(struct parse *p, int token, struct span span) {
  switch (token) {
  case '(':
  case '[':
  case '{': open_bracket(p, span, (char)token, false); break;
  case TOKEN_OPEN: open_bracket(p, span, '{', true); break;
  case ')': close_bracket(p, '('); break;
  case ']': close_bracket(p, '['); break;
  case '}':
  case TOKEN_CLOSE: close_bracket(p, '{'); break;
  case ';': p->brackets.count = brace_depth(p, true); break; /* none stands inside other brackets */
  default: break;
  }
}

/* N/A is a word of its own only between the braces of `profile = { }` and `selector = { }`. */
static void track_na(struct parse *p, int token) {
  if (token == ';') p->na_depth = 0;
  if (p->na_depth) {
    p->na_depth += token == '{';
    p->na_depth -= token == '}';
    return;
  }
  bool profile = token == TOKEN_PROFILE || token == TOKEN_SELECTOR;
  if (p->before_brace == 2 && token == '{') p->na_depth = 1;
  p->before_brace = profile ? 1 : p->before_brace == 1 && token == '=' ? 2 : 0;
}

/* Words that begin what ends in `;`, and at which the grammar can go on after an error. */
static bool begins_construct(int token) {
  switch (token) {
  case TOKEN_USE:
  case TOKEN_PARAM:
  case TOKEN_LET:
  case TOKEN_FUNCTION:
  case TOKEN_COERCION:
  case TOKEN_UNIT:
  case TOKEN_VAR:
  case TOKEN_HOLD:
  case TOKEN_RETURN:
  case TOKEN_ASSERT:
  case TOKEN_PROFILE:
  case TOKEN_SELECTOR:
  case TOKEN_TRANSACTION:
  case TOKEN_PROTOCOL: return true;
  default: return false;
  }
}

static bool begins_block(int token) {
  switch (token) {
  case TOKEN_COMPONENT:
  case TOKEN_SYSTEM:
  case TOKEN_STUDY:
  case TOKEN_EXTERN:
  case TOKEN_WHILE:
  case TOKEN_FOR:
  case TOKEN_ACCEPTS:
  case TOKEN_BODY:
  case TOKEN_REQUESTS: return true;
  default: return false;
  }
}

void parse_passed(struct parse *p, int token, struct span span) {
  uint32_t open = p->brackets.count;
  track_brackets(p, token, span);
  track_na(p, token);
  if (token != TOKEN_ELSE) p->block_closed = token == TOKEN_CLOSE && p->brackets.count < open;
  if (token == ';' || token == TOKEN_OPEN || token == TOKEN_CLOSE)
    p->construct = (struct span){0};
  else if (!p->construct.begin && (begins_construct(token) || token == TOKEN_CALL || token == TOKEN_WHERE))
    p->construct = span;
  p->previous = token;
  p->previous_span = span;
}

/* ---- wording of errors ---- */

enum group { OTHER, TYPE, EXPRESSION, OPERATOR, DECLARATION, STATEMENT, ITEM, FIT_ITEM, GROUPS };
static const char *const group_names[GROUPS] = {
    [TYPE] = "a type",
    [EXPRESSION] = "an expression",
    [OPERATOR] = "an operator",
    [DECLARATION] = "a declaration",
    [STATEMENT] = "a statement",
    [ITEM] = "an item of the study",
    [FIT_ITEM] = "an item of the fit",
};
/* If the first word of a group is expected, all of them stand for the group. */
static const char *const group_words[GROUPS] = {
    [TYPE] = "|a number|a name|[|function|",
    [EXPRESSION] = "|a number|a quantity|a string|a name|true|false|if|not|(|[|{|-|call|N/A|",
    [OPERATOR] = "|+|-|*|/|div|mod|^|and|or|==|!=|<|<=|>|>=|in|..|[|(|.|",
    [DECLARATION] =
        "|use|param|let|function|fit|unit|domain|transaction|component|coercion|extern|system|study|assert|",
    [STATEMENT] = "|hold|let|call|return|record|profile|assert|if|one|first|while|for|a name|",
    [ITEM] = "|vary|report|minimize|maximize|plot|where|assert|a name|",
    [FIT_ITEM] = "|where|terms|at|a name|",
};
static const char by_place[] =
    "|attribute|optional|any|every|record|of|vary|report|minimize|maximize|plot|against|cost|"
    "lossy|like|one|first|out|inout|fit|from|terms|at|";

struct expectation {
  const char *words[128]; /* without quotes */
  size_t count;
  bool groups[GROUPS];
};

static bool is_among(const char *words, const char *word) {
  char sought[64];
  size_t length = strlen(word);
  if (length + 3 > sizeof sought) return false;
  sought[0] = '|';
  memcpy(sought + 1, word, length);
  memcpy(sought + 1 + length, "|", 2);
  return strstr(words, sought);
}

static bool is_expected(const struct expectation *e, const char *word) {
  for (size_t i = 0; i < e->count; i++) {
    if (strcmp(e->words[i], word) == 0) return true;
  }
  return false;
}

static void drop_words(struct expectation *e, const char *words) {
  size_t kept = 0;
  for (size_t i = 0; i < e->count; i++) {
    if (!is_among(words, e->words[i])) e->words[kept++] = e->words[i];
  }
  e->count = kept;
}

/* Bison names a character '+' with its quotes, a token of ours + without. */
static struct expectation collect(struct parse *p, const char **expected, size_t count) {
  struct expectation e = {.count = 0};
  for (size_t i = 0; i < count && e.count < sizeof e.words / sizeof *e.words; i++) {
    size_t length = strlen(expected[i]);
    bool quoted = length == 3 && expected[i][0] == '\'';
    const char *word = quoted ? arena_copy(p->arena, expected[i] + 1, 1) : expected[i];
    if (!is_expected(&e, word)) e.words[e.count++] = word;
  }
  return e;
}

static void find_groups(struct expectation *e) {
  bool name = is_expected(e, "a name");
  for (enum group group = TYPE; group < GROUPS; group++) {
    char first[16] = "";
    const char *words = group_words[group] + 1;
    memcpy(first, words, strcspn(words, "|"));
    e->groups[group] = is_expected(e, first) && ((group != ITEM && group != FIT_ITEM) || is_expected(e, "a name"));
  }
  e->groups[is_expected(e, "(") ? TYPE : EXPRESSION] = false;
  if (!name) e->groups[TYPE] = false;                          /* a power */
  if (!is_expected(e, "return")) e->groups[STATEMENT] = false; /* a head of `first of` */
  if (e->groups[STATEMENT] || e->groups[DECLARATION]) e->groups[EXPRESSION] = false;
  if (e->groups[STATEMENT] || e->groups[EXPRESSION] || !is_expected(e, "where"))
    e->groups[ITEM] = e->groups[FIT_ITEM] = false;
  if (is_expected(e, "assert") || is_expected(e, "selector")) e->groups[FIT_ITEM] = false;
  if (!is_expected(e, "assert")) e->groups[ITEM] = false;
  if ((e->groups[EXPRESSION] || name) && !is_expected(e, "}")) e->groups[ITEM] = e->groups[FIT_ITEM] = false;
  for (enum group group = TYPE; group < GROUPS; group++) {
    if (e->groups[group]) drop_words(e, group_words[group]);
  }
  if (name) drop_words(e, by_place);
  if (e->count > 1) drop_words(e, "|the end of the file|");
  if (is_expected(e, ")")) drop_words(e, "|=|:|");                          /* of arguments by name, of binders */
  if (e->groups[OPERATOR] && is_expected(e, "->")) drop_words(e, "|->|;|"); /* of a question */
  size_t before = e->count;
  struct expectation others = *e;
  drop_words(&others, group_words[OPERATOR]); /* `.` and `*` of a path or a type */
  if (others.count && others.count < before) *e = others;
  /* the way on that a newcomer needs is not an operator */
  if (e->groups[OPERATOR] && e->count) e->groups[OPERATOR] = false;
}

static const char *end_of(const struct parse *p) { return p->alone ? "the end" : "the end of the file"; }

static void put_expectation(struct text *out, const struct parse *p, const struct expectation *e) {
  const char *items[128 + GROUPS];
  size_t count = 0;
  for (enum group group = TYPE; group < GROUPS; group++) {
    if (e->groups[group]) items[count++] = group_names[group];
  }
  for (size_t i = 0; i < e->count; i++)
    items[count++] = strcmp(e->words[i], "the end of the file") ? e->words[i] : end_of(p);
  for (size_t i = 0; i < count; i++) {
    if (i) text_put(out, i + 1 == count ? " or " : ", ");
    bool plain = strchr(items[i], ' ') != NULL;
    text_printf(out, plain ? "%s" : "'%s'", items[i]);
  }
  if (!count) text_put(out, "something else");
}

static void put_found(struct text *out, const struct parse *p, struct span span, bool at_end) {
  if (at_end) {
    text_put(out, end_of(p));
    return;
  }
  const char *text = text_at(p, span.begin);
  size_t length = span.end - span.begin, shown = length > 40 ? 40 : length;
  while (shown < length && shown && ((unsigned char)text[shown] & 0xC0) == 0x80)
    shown--;
  text_put(out, *text == '"' ? "the string " : "'");
  text_put_n(out, text, shown);
  if (shown < length) text_put(out, "…");
  if (*text != '"') text_char(out, '\'');
}

static bool on_new_line(const struct parse *p, struct span span) {
  if (!p->previous) return true;
  return memchr(text_at(p, p->previous_span.end), '\n', span.begin - p->previous_span.end) != NULL;
}

/* `expected ';' after the param` where what was found begins something else. */
static bool lacks_semicolon(const struct parse *p, const struct expectation *e, struct span span, bool at_end) {
  if (!is_expected(e, ";")) return false;
  return at_end || on_new_line(p, span) || *text_at(p, span.begin) == '}' ||
         word_is_reserved(text_at(p, span.begin), span.end - span.begin);
}

static void add_unclosed(struct parse *p, const struct expectation *e, bool at_end) {
  const struct bracket *bracket = innermost(p);
  if (!bracket) return;
  const char *closing = bracket->kind == '(' ? ")" : bracket->kind == '[' ? "]" : "}";
  if (at_end || (!bracket->block && is_expected(e, closing)))
    diagnostic_note(p->d, bracket->span, "this '%c' is not closed", bracket->kind);
}

bool parse_clause(struct parse *p, struct span span) {
  static const char *const clauses[] = {"selector", "where", "transaction", "visits", "delay", "patience", "protocol"};
  const char *found = arena_copy(p->arena, text_at(p, span.begin), span.end - span.begin);
  const char *nearest = nearest_name(found, clauses, sizeof clauses / sizeof *clauses);
  if (nearest && strcmp(nearest, found) == 0) nearest = NULL; /* it is at the wrong place */
  bool selector = nearest == clauses[0];
  if (!parse_fails(p)) return selector;
  diagnostic_add(p->d, SEVERITY_ERROR, span, "expected '%s', found '%s'", nearest ? nearest : clauses[0], found);
  diagnostic_help(p->d, (struct span){0}, nearest ? "did you mean '%s'?" : "%s",
                  nearest ? nearest
                          : "the clauses of a request are where, selector, transaction, visits, delay, patience, "
                            "protocol, in this order");
  return selector;
}

/* What a study has; a word before '=' may have been meant for one of them. */
static void add_items(struct parse *p, const struct expectation *all, const struct expectation *e) {
  static const char *const items[] = {"vary", "where",  "report",      "minimize", "maximize",
                                      "plot", "assert", "repetitions", "seed"};
  size_t count = sizeof items / sizeof *items;
  const char *nearest = NULL;
  if (!e->groups[ITEM]) {
    const struct bracket *bracket = innermost(p);
    if (!bracket || !bracket->block || all->count != 1 || !is_expected(all, "=")) return;
    size_t length = p->previous_span.end - p->previous_span.begin;
    const struct name *word = name_intern(p->names, text_at(p, p->previous_span.begin), length);
    if (name_is(word, KNOWN_REPETITIONS) || name_is(word, KNOWN_SEED)) return;
    nearest = nearest_name(word->text, items, count);
    if (nearest) diagnostic_help(p->d, (struct span){0}, "did you mean '%s'?", nearest);
  } else {
    diagnostic_help(p->d, (struct span){0},
                    "a study has vary, where, report, minimize, maximize, plot, assert, "
                    "repetitions = and seed =");
  }
}

/* `workers = 5` at a prompt: what other languages assign by. */
static bool assigns(const struct parse *p) {
  const char *begin = p->source->text + strspn(p->source->text, " \t\r\n");
  return p->question && p->previous == TOKEN_NAME && begin == text_at(p, p->previous_span.begin);
}

/* What stands at a place where it cannot, and elsewhere can. */
static const char *misplaced(const struct expectation *all, const char *text, size_t length) {
  if (length == 4 && !memcmp(text, "call", 4) && is_expected(all, "a number") && is_expected(all, "("))
    return "a call is no part of an expression: in a body 'let v = call ...;' keeps its answer";
  if (length == 9 && !memcmp(text, "attribute", 9) && is_expected(all, "domain"))
    return "attributes are declared in their domain: domain NAME { attribute WORDS : TYPE; }";
  return NULL;
}

/* A number behind another one: `8 1/s`, or values between blanks. */
static bool add_number_help(struct parse *p, const struct expectation *all, struct span span) {
  const char *text = text_at(p, span.begin), *number = text_at(p, p->previous_span.begin), *unit = text + 2;
  int digits = (int)(p->previous_span.end - p->previous_span.begin), letters = 0;
  if (p->previous != TOKEN_NUMBER || !isdigit((unsigned char)*text)) return false;
  while (isalpha((unsigned char)unit[letters]))
    letters++;
  bool rate = !strncmp(text, "1/", 2) && letters, list = is_expected(all, ",");
  if (rate)
    diagnostic_help(p->d, (struct span){0}, "a rate is written %.*s %.*s^-1", digits, number, letters, unit);
  else if (list)
    diagnostic_help(p->d, (struct span){0}, "values are separated by commas: %.*s, %.*s", digits, number,
                    (int)(span.end - span.begin), text);
  return rate || list;
}

static void add_help(struct parse *p, const struct expectation *all, struct span span) {
  const char *text = text_at(p, span.begin);
  size_t length = span.end - span.begin;
  const char *elsewhere = misplaced(all, text, length);
  if (elsewhere) {
    diagnostic_help(p->d, (struct span){0}, "%s", elsewhere);
  } else if (add_number_help(p, all, span)) {
    return;
  } else if (*text == '=' && length == 1 && is_expected(all, "==") && assigns(p)) {
    int name = (int)(p->previous_span.end - p->previous_span.begin);
    const char *left = text_at(p, p->previous_span.begin);
    diagnostic_help(p->d, (struct span){0},
                    "':set %.*s = ...' gives a param a value, 'let %.*s = ...;' declares a name, '==' compares", name,
                    left, name, left);
  } else if (*text == '=' && length == 1 && is_expected(all, "==")) {
    diagnostic_help(p->d, (struct span){0}, "a comparison is written '=='");
  } else if (*text == '-' && isdigit((unsigned char)text[1]) && p->previous == TOKEN_NAME &&
             p->previous_span.end == span.begin) {
    const char *name = text_at(p, p->previous_span.begin);
    int letters = (int)(span.begin - p->previous_span.begin), digits = (int)strspn(text + 1, "0123456789");
    diagnostic_help(p->d, (struct span){0}, "'-' before a digit subtracts, and is no part of a name: write %.*s_%.*s",
                    letters, name, digits, text + 1);
  } else if (isalpha((unsigned char)*text) && !word_is_reserved(text, length)) {
    const char *words[128], *nearest;
    size_t count = 0;
    for (size_t i = 0; i < all->count; i++) {
      if (isalpha((unsigned char)*all->words[i]) && !strchr(all->words[i], ' ')) words[count++] = all->words[i];
    }
    nearest = nearest_name(arena_copy(p->arena, text, length), words, count);
    if (nearest) diagnostic_help(p->d, (struct span){0}, "did you mean '%s'?", nearest);
  } else if (is_expected(all, "a name") && word_is_reserved(text, length) && !on_new_line(p, span)) {
    diagnostic_help(p->d, (struct span){0}, "'%.*s' is a reserved word and cannot be a name", (int)length, text);
  }
}

/* `profle = { domain = ...`: what stands behind it is read as a record, where the wrong word is not what is found. */
static bool misspelt_clause(struct parse *p, struct span span) {
  static const char *const clauses[] = {"profile", "selector"};
  const struct bracket *bracket = innermost(p);
  if (!bracket || bracket->kind != '{' || bracket->block || span.begin < bracket->span.end) return false;
  const char *begin = p->source->text, *at = text_at(p, bracket->span.begin);
  while (at > begin && strchr(" \t\r\n=", at[-1]))
    at--;
  const char *end = at;
  while (at > begin && isalpha((unsigned char)at[-1]))
    at--;
  const char *word = arena_copy(p->arena, at, (size_t)(end - at)), *nearest = nearest_name(word, clauses, 2);
  if (!nearest || strcmp(nearest, word) == 0) return false;
  uint32_t from = p->source->base + (uint32_t)(at - begin);
  diagnostic_add(p->d, SEVERITY_ERROR, (struct span){from, from + (uint32_t)(end - at)}, "expected '%s', found '%s'",
                 nearest, word);
  diagnostic_help(p->d, (struct span){0}, "did you mean '%s'?", nearest);
  return true;
}

/* `protcol = call-return; }`: it is read as another clause of the request, and the last one is missed behind it. */
static bool misspelt_protocol(struct parse *p, const struct expectation *all, struct span span) {
  const char *begin = p->source->text, *at = text_at(p, span.begin);
  if (*at != '}' || !is_expected(all, "protocol")) return false;
  for (int semicolons = 0; at > begin; at--)
    if (strchr(";{}", at[-1]) && ++semicolons == 2) break;
  at += strspn(at, " \t\r\n");
  size_t length = 0;
  while (isalpha((unsigned char)at[length]))
    length++;
  static const char *const clauses[] = {"protocol"};
  const char *word = arena_copy(p->arena, at, length);
  if (!nearest_name(word, clauses, 1)) return false;
  uint32_t from = p->source->base + (uint32_t)(at - begin);
  diagnostic_add(p->d, SEVERITY_ERROR, (struct span){from, from + (uint32_t)length}, "expected 'protocol', found '%s'",
                 word);
  diagnostic_help(p->d, (struct span){0}, "did you mean 'protocol'?");
  return true;
}

void parse_syntax_error(struct parse *p, struct span span, bool at_end, bool invalid, const char **expected,
                        size_t count) {
  p->panic = true;
  p->panic_depth = brace_depth(p, true);
  if (invalid || !parse_fails(p)) return; /* the lexer has said what is wrong with it */
  const char *text = text_at(p, span.begin);
  struct expectation all = collect(p, expected, count), e = all;
  find_groups(&e);
  struct text message = {.arena = p->arena};
  if (misspelt_clause(p, span) || misspelt_protocol(p, &all, span)) return;
  if (*text == '}' && !p->brackets.count) {
    diagnostic_add(p->d, SEVERITY_ERROR, span, "this '}' closes nothing");
    return;
  }
  bool name = is_expected(&all, "a name") && !e.groups[EXPRESSION] && !e.groups[STATEMENT] && !e.groups[ITEM] &&
              !e.groups[FIT_ITEM];
  if (name && word_is_reserved(text, span.end - span.begin) && !on_new_line(p, span)) {
    diagnostic_add(p->d, SEVERITY_ERROR, span, "'%.*s' is a reserved word and cannot be a name",
                   (int)(span.end - span.begin), text);
    return;
  }
  bool lacking = lacks_semicolon(p, &e, span, at_end);
  if (lacking || (e.count == 1 && is_expected(&e, ";"))) {
    text_put(&message, "expected ';'");
    struct span word = p->construct;
    if (word.begin) text_printf(&message, " after the %.*s", (int)(word.end - word.begin), text_at(p, word.begin));
  } else {
    text_put(&message, "expected ");
    put_expectation(&message, p, &e);
  }
  if (!lacking || !(at_end || on_new_line(p, span))) { /* what a later line begins with is none of its business */
    text_put(&message, ", found ");
    put_found(&message, p, span, at_end);
  }
  if (p->previous && (lacking || at_end)) span = (struct span){p->previous_span.end, p->previous_span.end + 1};
  diagnostic_add(p->d, SEVERITY_ERROR, span, "%s", message.data);
  add_unclosed(p, &all, at_end);
  if (!at_end) add_help(p, &all, span);
  if (!at_end) add_items(p, &all, &e);
}

/* ---- pushing ---- */

/* After an error: whether the parser gets the token, which it then goes on with. */
static bool resumes(struct parse *p, int token) {
  if (!token) return true;
  uint32_t block = brace_depth(p, true);
  if (block > p->panic_depth) return false; /* inside a block that was skipped over */
  if (token == ';') return true;
  if (token == TOKEN_CLOSE) return p->panic_depth > 0;
  return begins_construct(token) ? p->brackets.count == block || token == TOKEN_LET || token == TOKEN_PARAM
                                 : begins_block(token) || (token == TOKEN_DOMAIN && p->brackets.count == block);
}

/* One token after another until the parser is done. */
static void push_all(struct parse *p, psl_pstate *state, void *scanner, enum parse_what what) {
  PSL_STYPE value;
  struct span span = {p->source->base, p->source->base};
  int token = parse_begin(what), status = psl_push_parse(state, token, &value, &span, p);
  while (status == YYPUSH_MORE && !p->stop) {
    token = parse_token(p, scanner, &value, &span);
    if (p->panic && !resumes(p, token)) {
      bool closes = token == TOKEN_CLOSE && brace_depth(p, true) == p->panic_depth + 1;
      parse_passed(p, token, span);
      if (closes) p->panic = false; /* the block is over: go on behind it */
      continue;
    }
    p->panic = false;
    status = psl_push_parse(state, token, &value, &span, p);
    if (p->panic && resumes(p, token)) p->panic = false;
    if (token) parse_passed(p, token, span);
  }
}

/* The parser's own stack is bison's, from malloc: freed here also where memory runs out midway. */
static void run(struct parse *p, enum parse_what what) {
  void *scanner;
  jmp_buf guard, *outer = p->arena->memory->guard;
  parse_open(p, &scanner);
  psl_pstate *state = psl_pstate_new();
  if (!state) {
    parse_error(p, ((struct span){0}), "out of memory");
    return;
  }
  p->arena->memory->guard = &guard;
  volatile bool failed = false;
  if (setjmp(guard))
    failed = true;
  else
    push_all(p, state, scanner, what);
  psl_pstate_delete(state);
  p->arena->memory->guard = outer;
  if (failed && outer) longjmp(*outer, 1);
}

/* ---- comments ---- */

bool parse_characters(struct parse *p, struct span span) {
  char what[CHARACTER_DESCRIBED];
  const char *text = text_at(p, span.begin), *end = p->source->text + p->source->size;
  size_t size = span.end - span.begin, at = characters_refused(text, size, text + size == end);
  if (at == size) return true;
  if (!parse_fails(p)) return false;
  size_t length = character_describe(text + at, size - at, what);
  uint32_t place = span.begin + (uint32_t)at;
  diagnostic_add(p->d, SEVERITY_ERROR, (struct span){place, place + (uint32_t)length}, "%s cannot be part of a program",
                 what);
  return false;
}

void parse_comment(struct parse *p, struct span span, bool doc) {
  uint32_t at = span.begin - p->source->base;
  parse_characters(p, span);
  while (at && (p->source->text[at - 1] == ' ' || p->source->text[at - 1] == '\t'))
    at--;
  struct comment comment = {.span = span, .own_line = !at || p->source->text[at - 1] == '\n', .doc = doc};
  ARENA_PUSH(p->arena, p->file->comments, p->file->comment_count, p->file->comment_capacity, comment);
}

/* Lines that only blanks part from the offset, up to `lines` line ends: where the text goes on, or 0. */
static uint32_t after_line_end(const struct parse *p, uint32_t offset) {
  const char *text = text_at(p, offset);
  unsigned ends = 0;
  for (; *text == ' ' || *text == '\t' || *text == '\r' || *text == '\n'; text++)
    ends += *text == '\n';
  return ends == 1 ? (uint32_t)(text - p->source->text) + p->source->base : 0;
}

/* By their beginnings, the outer before the inner. */
static int compare_targets(const void *a, const void *b) {
  const struct doc_target *x = a, *y = b;
  if (x->span.begin != y->span.begin) return x->span.begin < y->span.begin ? -1 : 1;
  return x->span.end != y->span.end ? x->span.end > y->span.end ? -1 : 1 : 0;
}

/* The first target that begins at the offset or behind it. */
static uint32_t find_target(const struct parse *p, uint32_t offset) {
  uint32_t low = 0, high = p->target_count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (p->targets[middle].span.begin < offset)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* The declaration on the next line: the outermost that begins there. */
static const struct doc_target *target_below(const struct parse *p, uint32_t begin) {
  uint32_t i = find_target(p, begin);
  return i < p->target_count && p->targets[i].span.begin == begin ? &p->targets[i] : NULL;
}

/* Where the code before a comment ends, other comments on the line skipped. */
static uint32_t code_end(const struct parse *p, uint32_t comment) {
  const struct comment *comments = p->file->comments;
  for (;;) {
    uint32_t at = comments[comment].span.begin;
    while (at > p->source->base && strchr(" \t", *text_at(p, at - 1)))
      at--;
    if (!comment || comments[comment - 1].span.end != at) return at;
    comment--;
  }
}

/* Whether a block that the declaration begins is opened right before the offset. */
static bool opens_at(const struct parse *p, const struct doc_target *target, uint32_t offset) {
  if (target->flat || offset <= target->span.begin || offset >= target->span.end) return false;
  for (const char *s = text_at(p, target->span.begin); s < text_at(p, offset - 1); s++) {
    if (*s == '{' || *s == ';') return false;
  }
  return *text_at(p, offset - 1) == '{';
}

/* The declaration on the line of a comment: one that ends before it, holds it without a block, or
 * has just opened its block. */
static const struct doc_target *target_beside(const struct parse *p, uint32_t comment) {
  uint32_t begin = p->file->comments[comment].span.begin, end = code_end(p, comment);
  for (uint32_t i = find_target(p, begin); i; i--) {
    const struct doc_target *target = &p->targets[i - 1];
    bool holds = target->flat && begin < target->span.end;
    if (holds || target->span.end == end || opens_at(p, target, end)) return target;
  }
  return NULL;
}

static void put_doc_line(struct text *doc, const struct parse *p, struct span span) {
  const char *text = text_at(p, span.begin + 3), *end = text_at(p, span.end);
  if (text < end && *text == ' ') text++;
  while (end > text && isspace((unsigned char)end[-1]))
    end--;
  if (doc->size) text_char(doc, '\n');
  text_put_n(doc, text, (size_t)(end - text));
}

static void give_docs(struct parse *p) {
  const struct comment *comments = p->file->comments;
  if (p->target_count) qsort(p->targets, p->target_count, sizeof *p->targets, compare_targets);
  for (uint32_t i = 0, next; i < p->file->comment_count; i = next) {
    next = i + 1;
    if (!comments[i].doc) continue;
    struct text doc = {.arena = p->arena};
    put_doc_line(&doc, p, comments[i].span);
    if (comments[i].own_line) {
      for (; next < p->file->comment_count && comments[next].doc && comments[next].own_line &&
             after_line_end(p, comments[next - 1].span.end) == comments[next].span.begin;
           next++)
        put_doc_line(&doc, p, comments[next].span);
    }
    uint32_t below = after_line_end(p, comments[next - 1].span.end);
    const struct doc_target *target = !comments[i].own_line ? target_beside(p, i)
                                      : below               ? target_below(p, below)
                                                            : NULL;
    if (!target) continue;
    *target->doc = *target->doc ? arena_printf(p->arena, "%s\n%s", *target->doc, doc.data) : doc.data;
  }
}

/* ---- for others ---- */

static struct parse parse_of(struct arena *arena, struct names *names, struct diagnostics *d,
                             const struct source *source) {
  struct file *file = ARENA_NEW(arena, struct file);
  file->source = source;
  return (struct parse){.arena = arena, .names = names, .d = d, .source = source, .file = file};
}

struct file *parse_file(struct arena *arena, struct names *names, struct diagnostics *d, const struct source *source) {
  struct parse p = parse_of(arena, names, d, source);
  run(&p, PARSE_FILE);
  give_docs(&p);
  return p.file;
}

struct expr *parse_expression(struct arena *arena, struct names *names, struct diagnostics *d,
                              const struct source *source) {
  struct parse p = parse_of(arena, names, d, source);
  p.alone = true;
  run(&p, PARSE_EXPRESSION);
  return p.file->broken ? NULL : p.expression;
}

bool parse_values(struct arena *arena, struct names *names, struct diagnostics *d, const struct source *source,
                  struct vary *vary) {
  struct parse p = parse_of(arena, names, d, source);
  p.alone = true;
  run(&p, PARSE_VALUES);
  vary->range = p.expression;
  vary->step = p.step.value;
  vary->geometric = p.step.geometric;
  return !p.file->broken;
}

struct expr *parse_question(struct arena *arena, struct names *names, struct diagnostics *d,
                            const struct source *source, struct expr **unit) {
  struct parse p = parse_of(arena, names, d, source);
  p.alone = p.question = true;
  run(&p, PARSE_QUESTION);
  *unit = p.unit;
  return p.file->broken ? NULL : p.expression;
}
