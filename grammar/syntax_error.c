/* The wording of syntax errors: what could stand in place of what was found, and what to write where a person has meant
 * something that is written in another way.  The driver in parse.c and the grammar call it. */
#include "grammar/advice.h"
#include "grammar/habits.h"
#include "grammar/text.h"
#include "grammar/words.h"
#include "psl.tab.h"

#include <ctype.h>
#include <string.h>

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
        "|use|param|let|function|fit|unit|domain|transaction|protocol|component|coercion|extern|system|study|assert|",
    [STATEMENT] = "|hold|let|call|return|record|profile|assert|if|one|first|collapse|while|for|a name|",
    [ITEM] = "|vary|problem|choice|machine|report|minimize|maximize|plot|where|assert|a name|",
    [FIT_ITEM] = "|where|terms|at|a name|",
};
static const char by_place[] =
    "|attribute|optional|any|every|record|of|vary|report|minimize|maximize|plot|against|cost|"
    "lossy|like|one|first|out|inout|fit|from|terms|at|collapse|repeat|problem|choice|machine|";

static bool is_among(const char *words, const char *word) {
  char sought[64];
  size_t length = strlen(word);
  if (length + 3 > sizeof sought) return false;
  sought[0] = '|';
  memcpy(sought + 1, word, length);
  memcpy(sought + 1 + length, "|", 2);
  return strstr(words, sought);
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
  if (!name) e->groups[TYPE] = e->groups[EXPRESSION] = false;  /* a power */
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
  const char *text = parse_text(p, span.begin);
  size_t length = span.end - span.begin, shown = length > 40 ? 40 : length;
  while (shown < length && shown && ((unsigned char)text[shown] & 0xC0) == 0x80)
    shown--;
  text_put(out, *text == '"' ? "the string " : "'");
  text_put_n(out, text, shown);
  if (shown < length) text_put(out, "…");
  if (*text != '"') text_char(out, '\'');
}

/* `expected ';' after the param` where what was found begins something else. */
static bool lacks_semicolon(const struct parse *p, const struct expectation *e, struct span span, bool at_end) {
  if (!is_expected(e, ";")) return false;
  return at_end || on_new_line(p, span) || *parse_text(p, span.begin) == '}' ||
         word_is_reserved(parse_text(p, span.begin), span.end - span.begin);
}

static void say_unopened(struct parse *p, struct span span) {
  diagnostic_add(p->d, SEVERITY_ERROR, span, "this '}' closes nothing");
}

void parse_unopened(struct parse *p, struct span span) {
  if (parse_fails(p)) say_unopened(p, span);
}

void parse_unclosed(struct parse *p, struct span span, uint32_t blocks) {
  enum { SHOWN = 4 };
  if (!parse_fails(p)) return;
  diagnostic_add(p->d, SEVERITY_ERROR, span, "expected '}' before '%.*s'", (int)(span.end - span.begin),
                 parse_text(p, span.begin));
  uint32_t depth = parse_depth(p, true);
  bool guessed = blocks == 1 && p->left_open.begin > p->brackets.items[depth - 1].span.begin;
  for (uint32_t i = 0; i < blocks && i < SHOWN; i++) {
    diagnostic_note(p->d, guessed ? p->left_open : p->brackets.items[depth - 1].span, "this '{' is not closed");
    depth = depth > 1 ? p->brackets.items[depth - 2].to_block : 0;
  }
}

static void add_unclosed(struct parse *p, const struct expectation *e, bool at_end) {
  const struct bracket *bracket = parse_bracket(p);
  if (!bracket) return;
  const char *closing = bracket->kind == '(' ? ")" : bracket->kind == '[' ? "]" : "}";
  bool guessed = bracket->block && p->left_open.begin > bracket->span.begin;
  if (at_end || (!bracket->block && is_expected(e, closing)))
    diagnostic_note(p->d, guessed ? p->left_open : bracket->span, "this '%c' is not closed", bracket->kind);
}

bool parse_clause(struct parse *p, struct span span) {
  static const char *const clauses[] = {"selector", "where", "transaction", "visits", "delay", "patience", "protocol"};
  const char *found = arena_copy(p->arena, parse_text(p, span.begin), span.end - span.begin);
  const char *nearest = nearest_name(found, clauses, sizeof clauses / sizeof *clauses);
  if (nearest && strcmp(nearest, found) == 0) nearest = NULL; /* it is at the wrong place */
  bool selector = nearest == clauses[0];
  if (!parse_fails(p)) return selector;
  diagnostic_add(p->d, SEVERITY_ERROR, span, "expected '%s', found '%s'", nearest ? nearest : clauses[0], found);
  if (!nearest && is_all(found, span.end - span.begin)) nearest = "every";
  const char *place = habit_help(HABIT_CHOICE, found, span.end - span.begin);
  if (!place) place = place_of_clause(p, found);
  if (nearest)
    diagnostic_help(p->d, (struct span){0}, "did you mean '%s'?", nearest);
  else
    diagnostic_help(p->d, (struct span){0}, "%s", place ? place : clauses_in_order);
  return selector;
}

/* What a study has; a word before '=' may have been meant for one of them. */
static void add_items(struct parse *p, const struct expectation *all, const struct expectation *e) {
  static const char *const items[] = {"vary",     "problem",  "choice", "machine", "where",       "report",
                                      "minimize", "maximize", "plot",   "assert",  "repetitions", "seed"};
  size_t count = sizeof items / sizeof *items;
  const char *nearest = NULL;
  if (!e->groups[ITEM]) {
    const struct bracket *bracket = parse_bracket(p);
    if (!bracket || !bracket->block || all->count != 1 || !is_expected(all, "=")) return;
    size_t length = p->previous_span.end - p->previous_span.begin;
    const struct name *word = name_intern(p->names, parse_text(p, p->previous_span.begin), length);
    if (name_is(word, KNOWN_REPETITIONS) || name_is(word, KNOWN_REPEAT)) nearest = "repetitions";
    if (name_is(word, KNOWN_SEED)) nearest = "seed";
    if (nearest) diagnostic_help(p->d, (struct span){0}, "it is written: %s = N;", nearest);
    if (nearest) return;
    nearest = nearest_name(word->text, items, count);
    if (nearest) diagnostic_help(p->d, p->previous_span, "did you mean '%s'?", nearest);
    if (nearest || !is_in(p, "study ")) return;
  }
  diagnostic_help(p->d, (struct span){0},
                  "a study has vary, where, report, minimize, maximize, plot, assert, "
                  "repetitions = and seed =");
}

/* `profle = { domain = ...`: what stands behind it is read as a record, where the wrong word is not what is found. */
static bool misspelt_clause(struct parse *p, struct span span) {
  static const char *const clauses[] = {"profile", "selector"};
  const struct bracket *bracket = parse_bracket(p);
  if (!bracket || bracket->kind != '{' || bracket->block || span.begin < bracket->span.end) return false;
  const char *begin = p->source->text, *at = parse_text(p, bracket->span.begin);
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
  const char *begin = p->source->text, *at = parse_text(p, span.begin);
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
  p->panic_depth = parse_depth(p, true);
  if (invalid || !parse_fails(p)) return; /* the lexer has said what is wrong with it */
  const char *text = parse_text(p, span.begin);
  struct expectation all = collect(p, expected, count), e = all;
  find_groups(&e);
  struct text message = {.arena = p->arena};
  if (misspelt_clause(p, span) || misspelt_protocol(p, &all, span)) return;
  if (*text == '}' && !p->brackets.count) {
    say_unopened(p, span);
    return;
  }
  bool name = is_expected(&all, "a name") && !e.groups[EXPRESSION] && !e.groups[STATEMENT] && !e.groups[ITEM] &&
              !e.groups[FIT_ITEM] && !(is_expected(&all, "param") && is_expected(&all, "profile"));
  if (name && word_is_reserved(text, span.end - span.begin) && !on_new_line(p, span)) {
    diagnostic_add(p->d, SEVERITY_ERROR, span, "'%.*s' is a reserved word and cannot be a name",
                   (int)(span.end - span.begin), text);
    struct found found = {.p = p, .all = &all, .span = span, .text = text, .length = span.end - span.begin};
    const char *written = reserved_advice(&found);
    if (written) diagnostic_help(p->d, (struct span){0}, "%s", written);
    return;
  }
  bool lacking = lacks_semicolon(p, &e, span, at_end);
  if (lacking || (e.count == 1 && is_expected(&e, ";"))) {
    text_put(&message, "expected ';'");
    struct span word = p->construct;
    if (word.begin) text_printf(&message, " after the %.*s", (int)(word.end - word.begin), parse_text(p, word.begin));
  } else {
    text_put(&message, "expected ");
    put_expectation(&message, p, &e);
  }
  if (!lacking || !(at_end || on_new_line(p, span))) { /* what a later line begins with is none of its business */
    text_put(&message, ", found ");
    put_found(&message, p, span, at_end);
  }
  struct span place = span;
  if (p->previous && (lacking || at_end)) place = (struct span){p->previous_span.end, p->previous_span.end + 1};
  diagnostic_add(p->d, SEVERITY_ERROR, place, "%s", message.data);
  add_unclosed(p, &all, at_end);
  bool helped = at_end || add_advice(p, &all, lacking && on_new_line(p, span) ? place : span);
  if (!helped) add_items(p, &all, &e);
}
