/* What to write where a syntax error shows that something was meant that is written in another way: `advice` tries one
 * guess after another, from the most certain to what any error may be.  syntax_error.c calls it. */
#include "grammar/advice.h"
#include "grammar/habits.h"
#include "grammar/text.h"
#include "grammar/words.h"
#include "psl.tab.h"

#include <ctype.h>
#include <string.h>

const char clauses_in_order[] = "the clauses of a request are where, selector, transaction, visits, delay, "
                                "patience, protocol, in this order";

bool is_expected(const struct expectation *e, const char *word) {
  for (size_t i = 0; i < e->count; i++) {
    if (strcmp(e->words[i], word) == 0) return true;
  }
  return false;
}

bool on_new_line(const struct parse *p, struct span span) {
  if (!p->previous) return true;
  return memchr(parse_text(p, p->previous_span.end), '\n', span.begin - p->previous_span.end) != NULL;
}

/* What other languages have for `every`. */
bool is_all(const char *word, size_t length) {
  static const char *const words[] = {"all", "each", "many", "multicast"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strlen(words[i]) == length && !strncmp(words[i], word, length)) return true;
  return false;
}

const char *place_of_clause(struct parse *p, const char *word) {
  static const char *const accepted[] = {"servers", "discipline", "firing rule", "profile"};
  if (name_is(name_intern(p->names, word, strlen(word)), KNOWN_WARM_UP))
    return "a system has its warm-up before 'requests:'";
  for (size_t i = 0; i < sizeof accepted / sizeof *accepted; i++)
    if (!strcmp(word, accepted[i])) return "it is a clause of an accept, under 'accepts:'";
  return NULL;
}

/* `study NAME of SYSTEM {`, or what else begins with the word, stands before the brace. */
bool is_in(const struct parse *p, const char *word) {
  const char *begin = p->source->text, *brace = parse_text(p, parse_bracket(p)->span.begin), *at = brace;
  while (at > begin && !strchr(";{}\n", at[-1]))
    at--;
  at += strspn(at, " \t");
  return strncmp(at, word, strlen(word)) == 0;
}

enum { COMMANDS_MOST = 128 }; /* at a prompt, of which one may be meant */

static bool found_is(const struct found *f, const char *word) {
  return strlen(word) == f->length && memcmp(f->text, word, f->length) == 0;
}

static bool could_be(const struct found *f, const char *word) { return is_expected(f->all, word); }

/* The token before. */
static const char *before(const struct found *f, int *length) {
  *length = (int)(f->p->previous_span.end - f->p->previous_span.begin);
  return parse_text(f->p, f->p->previous_span.begin);
}

/* `system.response`, `requests.p95`. */
static const char *of_reserved(const struct found *f) {
  if (!could_be(f, "a number") || f->text[f->length] != '.' || !isalpha((unsigned char)f->text[f->length + 1]))
    return NULL;
  if (!word_is_reserved(f->text, f->length)) return NULL;
  return arena_printf(f->p->arena,
                      "'%.*s' is a reserved word: a result is one of a run, as makespan, or of a component, as "
                      "COMPONENT.response",
                      (int)f->length, f->text);
}

/* Behind the one character that was found, and blanks; where the text ends, its end. */
static const char *behind_one(const struct found *f) {
  const char *text = f->text + (*f->text != 0);
  return text + strspn(text, " \t");
}

/* `workers = 5` at a prompt: what other languages assign by. */
static const char *assigned(const struct found *f) {
  int length;
  const char *name = before(f, &length), *text = f->p->source->text;
  bool colon = found_is(f, ":") && f->text[1] == '='; /* n := 5 */
  if (!(found_is(f, "=") || colon) || !could_be(f, "==") || !f->p->question || f->p->previous != TOKEN_NAME)
    return NULL;
  if (strchr("<>", f->text[1]) && f->text[1]) return NULL; /* compared, as other languages write it */
  if (text + strspn(text, " \t\r\n") != name) return NULL;
  return arena_printf(f->p->arena,
                      "':set %.*s = ...' gives a param a value, 'let %.*s = ...;' declares a name, '==' compares",
                      length, name, length, name);
}

/* `comapre --vary n=1,2` at a prompt: a command that is not known. */
static const char *commanded(const struct found *f) {
  const char *text = f->p->source->text, *word = text + strspn(text, " \t\r\n"), *names[COMMANDS_MOST];
  size_t length = 0, count = 0;
  while (isalnum((unsigned char)word[length]) || word[length] == '-')
    length++;
  const char *behind = word + length + strspn(word + length, " \t");
  bool option = !strncmp(behind, "--", 2) && isalpha((unsigned char)behind[2]);
  if (!f->p->commands || !length || behind == word + length || (behind != f->text && !option)) return NULL;
  if (habit_help(HABIT_INPUT, word, length) || habit_help(HABIT_DECLARATION, word, length)) return NULL;
  for (; f->p->commands[count] && count < COMMANDS_MOST; count++)
    names[count] = f->p->commands[count] + (*f->p->commands[count] == ':');
  const char *nearest = nearest_name(arena_copy(f->p->arena, word, length), names, count);
  for (size_t i = 0; nearest && i < count; i++)
    if (names[i] == nearest) nearest = f->p->commands[i]; /* with its colon */
  uint32_t begin = f->p->source->base + (uint32_t)(word - text);
  if (nearest) *f->meant = (struct span){begin, begin + (uint32_t)length};
  return nearest ? arena_printf(f->p->arena, "did you mean '%s'?", nearest) : NULL;
}

/* Words between blanks at a prompt: `print x`, `abs x`, `x to ms`. */
static const char *asked(const struct found *f) {
  int length;
  const char *name = before(f, &length), *text = f->p->source->text;
  if (!f->p->question || !could_be(f, "==")) return NULL;
  if (found_is(f, "to") || found_is(f, "as") || found_is(f, "into"))
    return "a value is shown in a unit by an arrow: E -> ms";
  if ((f->p->previous != TOKEN_NAME && f->p->previous != TOKEN_VARY) || text + strspn(text, " \t\r\n") != name)
    return NULL;
  if (length == 3 && !strncmp(name, "psl", 3))
    return "a session has the commands of psl without that word: run, check, study; ':load FILE' loads a model";
  const char *help = habit_help(HABIT_INPUT, name, (size_t)length);
  if (!help) help = habit_help(HABIT_DECLARATION, name, (size_t)length);
  if (help || !isalnum((unsigned char)*f->text) || word_is_reserved(f->text, f->length)) return help;
  const char *setting = isdigit((unsigned char)*f->text)
                            ? arena_printf(f->p->arena, "; ':set %.*s = ...' gives a param a value", length, name)
                            : "";
  return arena_printf(f->p->arena, "the arguments of a function stand in parentheses: %.*s(%.*s)%s", length, name,
                      (int)f->length, f->text, setting);
}

/* A statement at a prompt, and `var(list)`. */
static const char *stated(const struct found *f) {
  bool study = f->p->question && !f->p->previous && found_is(f, "study");
  if (study) return habit_help(HABIT_INPUT, f->text, f->length);
  static const char *const statements[] = {"hold", "call", "return", "while", "for"};
  if (!could_be(f, "a number") || !could_be(f, "if")) return NULL;
  for (size_t i = 0; f->p->question && i < sizeof statements / sizeof *statements; i++)
    if (found_is(f, statements[i]))
      return "this is a statement, of the bodies of components; a list of values is [i in 1 .. 3 : E]";
  if (f->p->question && found_is(f, "var") && isspace((unsigned char)f->text[f->length]))
    return "a var is the state of a component and stands in it; here a name is declared by 'let NAME = VALUE;'";
  return found_is(f, "var") ? habit_help(HABIT_VALUE, f->text, f->length) : NULL;
}

/* `5 * n flop`: a unit behind what is no number. */
static const char *behind_product(const struct found *f) {
  size_t meant;
  if (f->p->previous == ']' && could_be(f, "[") && !on_new_line(f->p, f->span) && isalpha((unsigned char)*f->text) &&
      !word_is_reserved(f->text, f->length)) {
    const char *unit = habit_word(HABIT_UNIT, f->text, f->length, &meant);
    return arena_printf(f->p->arena, "a unit stands behind each number of a list: [1 %.*s, 2 %.*s]", (int)meant, unit,
                        (int)meant, unit);
  }
  bool value = f->p->previous == TOKEN_NAME || f->p->previous == ')';
  int token = f->p->construct_token;
  bool whole = token == TOKEN_LET || token == TOKEN_PARAM || token == TOKEN_HOLD || token == TOKEN_RETURN;
  if (!value || !whole || !could_be(f, ";") || !could_be(f, "*") || !isalpha((unsigned char)*f->text) ||
      word_is_reserved(f->text, f->length) || on_new_line(f->p, f->span))
    return NULL;
  return arena_printf(f->p->arena, "a unit stands behind a number alone: (...) * 1 %.*s", (int)f->length, f->text);
}

/* `let x = 3 s -> ms;` */
static const char *in_unit(const struct found *f) {
  bool let = f->p->construct_token == TOKEN_LET || f->p->construct_token == TOKEN_PARAM;
  if (found_is(f, "->") && f->p->previous == TOKEN_NAME && f->span.begin == f->p->previous_span.end &&
      could_be(f, ".") && isalpha((unsigned char)f->text[2]) && !f->p->question)
    return "a field of a record is written RECORD.FIELD";
  if (found_is(f, "->") && could_be(f, ";") && let) return "a unit is chosen where a value is shown: NAME -> ms";
  bool name = f->p->previous == TOKEN_NAME && !f->p->construct.begin; /* at the prompt: last.makespan seconds */
  const char *help = name ? habit_help(HABIT_UNIT, f->text, f->length) : NULL;
  int length = help && !strncmp(help, "did you mean '", 14) ? (int)strcspn(help + 14, "'") : 0;
  return length ? arena_printf(f->p->arena, "a value is shown in a unit by an arrow: NAME -> %.*s", length, help + 14)
                : NULL;
}

/* `hold until 5 s;` and `wait until clock > 5 s;` */
static const char *until(const struct found *f) {
  int length;
  const char *word = before(f, &length);
  bool behind = f->p->previous == TOKEN_NAME && length == 5 && !strncmp(word, "until", 5);
  return behind || found_is(f, "until") ? habit_help(HABIT_STATEMENT, "until", 5) : NULL;
}

/* `A => B`, `A -> B`, `A implies B` where a condition stands. */
static const char *implied(const struct found *f) {
  static const char word[] = "implies";
  int length;
  const char *name = before(f, &length), *begin = f->p->source->text, *behind = NULL, *until = f->text;
  size_t size = strlen(word);
  if (!could_be(f, "==") || f->p->question) return NULL;
  if (found_is(f, "->") || (found_is(f, "=") && f->text[1] == '>')) behind = f->text + 2;
  if (found_is(f, word)) behind = f->text + size;
  if (length > (int)size && !strncmp(name + length - size, word, size)) /* taken for the unit of a number */
    behind = f->text, until = name + length - size;
  const char *from = until;
  while (from > begin && !strchr(";{}\n", from[-1]))
    from--;
  from += strspn(from, " \t");
  size_t first = strcspn(from, " \t");
  const struct word *item = word_find(from, first);
  if (!behind || !item || (item->token != TOKEN_ASSERT && item->token != TOKEN_WHERE)) return NULL;
  from += first + strspn(from + first, " \t");
  behind += strspn(behind, " \t");
  int left = (int)(until - from), right = (int)strcspn(behind, ";}\n");
  while (left && strchr(" \t", from[left - 1]))
    left--;
  if (!memchr(from, '<', (size_t)left) && !memchr(from, '>', (size_t)left) && !memchr(from, '=', (size_t)left))
    return NULL;
  return arena_printf(f->p->arena, "that one condition implies another is written: not (%.*s) or %.*s", left, from,
                      right, behind);
}

/* `n is 0`, `n eq 0`: comparisons that are words elsewhere. */
static const char *compared_by_word(const struct found *f) {
  static const char *const words[][2] = {{"is", "=="}, {"eq", "=="}, {"equals", "=="}, {"ne", "!="}, {"neq", "!="},
                                         {"lt", "<"},  {"le", "<="}, {"gt", ">"},      {"ge", ">="}};
  if (could_be(f, "==") && found_is(f, "xor")) return "either of two conditions, not both, is written: (A) != (B)";
  for (size_t i = 0; could_be(f, "==") && i < sizeof words / sizeof *words; i++)
    if (found_is(f, words[i][0])) return arena_printf(f->p->arena, "a comparison is written '%s'", words[i][1]);
  return NULL;
}

static const char *compared(const struct found *f) {
  if (!found_is(f, "=") || !could_be(f, "==")) return NULL;
  bool lambda = f->text[1] == '>' && f->p->construct_token == TOKEN_LET; /* let f = x => x ^ 2; */
  if (lambda) return habit_help(HABIT_VALUE, "lambda", strlen("lambda"));
  if (f->text[1] == '<') return "a comparison is written '<='";
  return f->text[1] == '>' ? "a comparison is written '>='" : "a comparison is written '=='";
}

/* `coercion T -> U = { call U(); }`, `= call U();`, `: call U();`, `=> ...`. */
static const char *coerced(const struct found *f) {
  if (f->p->construct_token != TOKEN_COERCION) return NULL;
  if (found_is(f, "=") && f->text[1] == '>' && could_be(f, "->"))
    return "what it goes to stands behind '->': coercion T -> U";
  bool body = f->p->previous == '=' && (found_is(f, "call") || found_is(f, "{"));
  if (!body && !(found_is(f, ":") && could_be(f, "cost"))) return NULL;
  const char *sides = parse_text(f->p, f->p->construct.begin), *end = f->text;
  while (end > sides && strchr(" \t\r\n=", end[-1]))
    end--;
  const char *target = end;
  while (target > sides && (isalnum((unsigned char)target[-1]) || strchr("-_", target[-1])))
    target--;
  return arena_printf(f->p->arena, "of transactions it has a block, without '%c': %.*s { call %.*s(...); }",
                      body ? '=' : ':', (int)(end - sides), sides, (int)(end - target), target);
}

static const char *called(const struct found *f) {
  return found_is(f, "call") && could_be(f, "a number") && could_be(f, "(")
             ? "a call is no part of an expression: in a body 'let v = call ...;' keeps its answer"
             : NULL;
}

/* Does a part of a component stand before, outside of all braces? Then the file's component has no name. */
static bool is_unnamed(const struct found *f) {
  static const char *const parts[] = {"accepts:", "body:", "requests:"};
  int depth = 0;
  for (const char *at = f->p->source->text; at < f->text; at++) {
    if (*at == '/' && at[1] == '/') at += strcspn(at, "\n");
    if (*at == '{') depth++;
    if (*at == '}') depth--;
    bool begins = !depth && (at == f->p->source->text || isspace((unsigned char)at[-1]));
    for (size_t i = 0; begins && i < sizeof parts / sizeof *parts; i++)
      if (!strncmp(at, parts[i], strlen(parts[i]))) return true;
  }
  return false;
}

/* `var m = 3;` outside of components. */
static const char *var_outside(const struct found *f) {
  const char *name = f->text + f->length + strspn(f->text + f->length, " \t");
  const char *equals = name + strcspn(name, "=;\n"),
             *value = equals + 1 + (*equals == '=' ? strspn(equals + 1, " \t") : 0);
  if (parse_bracket(f->p) || is_unnamed(f)) return NULL;
  if (*equals != '=')
    return "a var is the state of a component, and stands in it, where firing rules of others read it, too; a value "
           "that stays is a let or a param";
  return arena_printf(f->p->arena,
                      "a var is the state of a component, and stands in it, where firing rules of others read it, too; "
                      "a value that stays is: let %.*s = %.*s;",
                      (int)strcspn(name, " \t:=;"), name, (int)strcspn(value, ";\n"), value);
}

/* What stands elsewhere: `var q : int = 0;` behind an accept or a request, an attribute outside of a domain. */
static const char *attributed(const struct found *f) {
  static const char *const own[] = {"var", "param", "let", "function"};
  for (size_t w = 0; could_be(f, "accepts") && !could_be(f, "hold") && w < sizeof own / sizeof *own; w++)
    if (found_is(f, own[w]) && !could_be(f, own[w])) {
      const char *outside = w ? NULL : var_outside(f);
      if (outside) return outside;
      return "what belongs to the component stands at its head, before 'accepts:'";
    }
  if (could_be(f, "accepts") && (found_is(f, "servers") || found_is(f, "discipline") || found_is(f, "profile")))
    return "it is a clause of an accept, under 'accepts:'";
  bool called = f->p->construct_token == TOKEN_CALL || f->p->construct_token == TOKEN_LET;
  if (called && (found_is(f, "patience") || found_is(f, "delay") || found_is(f, "visits")) && could_be(f, ";"))
    return arena_printf(f->p->arena, "it is a clause of the request that is called: %.*s = ...; before its protocol",
                        (int)f->length, f->text);
  return found_is(f, "attribute") && could_be(f, "domain")
             ? "attributes are declared in their domain: domain NAME { attribute WORDS : TYPE; }"
             : NULL;
}

static const char *numbered(const struct found *f) {
  int length;
  const char *name = before(f, &length);
  if (*f->text != '-' || !isdigit((unsigned char)f->text[1]) || f->p->previous != TOKEN_NAME ||
      name + length != f->text)
    return NULL;
  return arena_printf(f->p->arena, "'-' before a digit subtracts, and is no part of a name: write %.*s_%.*s", length,
                      name, (int)strspn(f->text + 1, "0123456789"), f->text + 1);
}

/* The unit that a word is or means; s where there is none. */
static const char *unit_after(const char *text, size_t *meant) {
  size_t letters = 0;
  while (isalpha((unsigned char)text[letters]))
    letters++;
  if (letters) return habit_word(HABIT_UNIT, text, letters, meant);
  *meant = 1;
  return "s";
}

/* `100 per second`, `100 1/sec`: the rate as it is written. */
static const char *rate(const struct found *f, const char *number, int length, const char *unit) {
  size_t meant;
  const char *word = unit_after(unit, &meant);
  return arena_printf(f->p->arena, "a rate is written %.*s %.*s^-1", length, number, (int)meant, word);
}

/* Behind a quantity: `100 MB per s`, `100 per s`, where `per` is taken for a unit. */
static const char *behind_quantity(const struct found *f, const char *quantity, int length) {
  int word = (int)strcspn(f->text, "^;, \t\r\n"), bare = length - (int)strlen("per");
  if (word && !strncmp(f->text + word, "^-1", 3))
    return arena_printf(f->p->arena, "a unit has no blanks in it: %.*s/%.*s", length, quantity, word, f->text);
  if (length > 3 && !strncmp(quantity + length - 3, " to", 3) && isdigit((unsigned char)*f->text))
    return arena_printf(f->p->arena, "a range is written %.*s .. %.*s", length - 3, quantity, (int)f->length, f->text);
  bool divides = *f->text == '(' || isdigit((unsigned char)*f->text) ||
                 (isalpha((unsigned char)*f->text) && !word_is_reserved(f->text, f->length));
  if (quantity[length - 1] == '%' && could_be(f, "==") && divides && !on_new_line(f->p, f->span))
    return "what a division leaves is 'A mod B'; '%' is a hundredth";
  if (length > 4 && !strncmp(quantity + length - 4, " xor", 4) && could_be(f, "=="))
    return "either of two conditions, not both, is written: (A) != (B)";
  if (found_is(f, "per")) {
    size_t meant, blanks = strspn(f->text + f->length, " \t");
    const char *unit = unit_after(f->text + f->length + blanks, &meant);
    return arena_printf(f->p->arena, "it is written %.*s/%.*s", length, quantity, (int)meant, unit);
  }
  if (bare < 1 || strncmp(quantity + bare, "per", strlen("per")) != 0) return NULL;
  while (bare && (quantity[bare - 1] == ' ' || quantity[bare - 1] == '\t'))
    bare--;
  return isalnum((unsigned char)quantity[bare - 1]) ? rate(f, quantity, bare, f->text) : NULL;
}

/* `--set work=40s,160s`: several values of what a setting gives one. */
static const char *varied_setting(const struct found *f) {
  static const char option[] = "--set ";
  const char *path = f->p->source->path, *text = f->p->source->text;
  if (!f->p->alone || *f->text != ',' || could_be(f, ",") || strncmp(path, option, strlen(option))) return NULL;
  return arena_printf(f->p->arena, "psl study runs several values: --vary '%s=%s'", path + strlen(option), text);
}

/* `workers != 3,4` as a condition. */
static const char *one_of_several(const struct found *f) {
  const char *begin = f->p->source->text, *end = f->text, *name;
  if (!f->p->construct_token || *f->text != ',' || could_be(f, ",") || !could_be(f, "and")) return NULL;
  size_t more = strspn(f->text, "0123456789.,eE \t");
  if (!isdigit((unsigned char)*behind_one(f))) return NULL;
  while (more && strchr(" \t,", f->text[more - 1]))
    more--;
  while (end > begin && (isalnum((unsigned char)end[-1]) || end[-1] == '.'))
    end--;
  const char *values = end;
  while (end > begin && end[-1] == ' ')
    end--;
  bool not = end - begin > 2 && !strncmp(end - 2, "!=", 2);
  if (!(not || (end - begin > 2 && !strncmp(end - 2, "==", 2)))) return NULL;
  for (end -= 2; end > begin && end[-1] == ' ';)
    end--;
  for (name = end; name > begin && (isalnum((unsigned char)name[-1]) || strchr("-_.", name[-1]));)
    name--;
  return arena_printf(f->p->arena, "it is one of several: %s%.*s in [%.*s]%s", not ? "not (" : "", (int)(end - name),
                      name, (int)(f->text + more - values), values, not ? ")" : "");
}

/* `workers not in [2,3]` */
static const char *negated_in(const struct found *f) {
  int length;
  const char *name = before(f, &length), *in = f->text + f->length + strspn(f->text + f->length, " \t");
  if (!found_is(f, "not") || !could_be(f, "and")) return NULL;
  if (strncmp(in, "in ", strlen("in ")) != 0) return NULL;
  const char *list = in + strlen("in "), *end = strchr(list, ']');
  int size = end ? (int)(end + 1 - list) : (int)strcspn(list, ";)");
  return arena_printf(f->p->arena, "it is written: not (%.*s in %.*s)", length, name, size, list);
}

/* Behind a number: `8 1/s`, `100 requests/s`, values between blanks. */
static const char *behind_number(const struct found *f) {
  int length;
  const char *number = before(f, &length);
  if (f->p->previous == TOKEN_QUANTITY)
    return *f->text == ',' && varied_setting(f) ? varied_setting(f) : behind_quantity(f, number, length);
  if (f->p->previous != TOKEN_NUMBER) return NULL;
  int digits = *f->text == ',' ? (int)strspn(f->text + 1, "0123456789") : 0;
  if (digits && !could_be(f, ",")) {
    const char *point =
        arena_printf(f->p->arena, "a number has a point: %.*s.%.*s", length, number, digits, f->text + 1);
    if (digits == 3)
      point = arena_printf(f->p->arena, "a number has no comma: %.*s%.*s, or %.*s_%.*s", length, number, digits,
                           f->text + 1, length, number, digits, f->text + 1);
    if (!f->p->alone || digits == 3) return point;
    const char *varied = varied_setting(f);
    return arena_printf(f->p->arena, "%s; a list has brackets: [%.*s, %.*s]%s%s", point, length, number, digits,
                        f->text + 1, varied ? "; " : "", varied ? varied : "");
  }
  if (found_is(f, "requests") && !on_new_line(f->p, f->span)) return habit_help(HABIT_UNIT, f->text, f->length);
  if (!isdigit((unsigned char)*f->text)) return NULL;
  if (!strncmp(f->text, "1/", 2) && isalpha((unsigned char)f->text[2])) return rate(f, number, length, f->text + 2);
  if (!could_be(f, ",")) return NULL;
  return arena_printf(f->p->arena, "values are separated by commas: %.*s, %.*s", length, number, (int)f->length,
                      f->text);
}

/* `1 if c else 2`, which is turned round. */
static const char *chosen_behind(const struct found *f) {
  const char *condition = f->text + strlen("if"), *begin = f->text, *source = f->p->source->text;
  condition += strspn(condition, " \t");
  int line = (int)strcspn(condition, ";,{\n");
  const char *other = strstr(arena_copy(f->p->arena, condition, (size_t)line), " else ");
  while (begin > source && !strchr("=,(;{\n", begin[-1]))
    begin--;
  begin += strspn(begin, " \t");
  size_t first = strcspn(begin, " \t"), words = strspn(begin + first, " \t");
  if (first < (size_t)(f->text - begin) && word_is_reserved(begin, first)) begin += first + words; /* hold, return */
  int value = (int)(f->text - begin), until = other ? (int)strcspn(condition, ";,{\n") : 0;
  while (value && strchr(" \t", begin[value - 1]))
    value--;
  if (!other || !value) return "it is written: if C then A else B";
  int test = (int)(strstr(condition, " else ") - condition), behind = test + (int)strlen(" else ");
  return arena_printf(f->p->arena, "it is written: if %.*s then %.*s else %.*s", test, condition, value, begin,
                      until - behind, condition + behind);
}

/* `if(C, A, B)` of a spreadsheet. */
static const char *chosen_by_function(const struct found *f) {
  const struct bracket *bracket = parse_bracket(f->p);
  const char *begin = f->p->source->text, *open = bracket ? parse_text(f->p, bracket->span.begin) : begin;
  while (open > begin && open[-1] == ' ')
    open--;
  const struct word *word = open - begin >= 2 ? word_find(open - 2, 2) : NULL;
  bool named = word && word->token == TOKEN_IF && (open - begin == 2 || !isalnum((unsigned char)open[-3]));
  return found_is(f, ",") && named && bracket->kind == '(' ? habit_help(HABIT_VALUE, "if", 2) : NULL;
}

/* `a and { ... }` */
static const char *halved(const struct found *f) {
  static const int joints[] = {TOKEN_AND, TOKEN_OR, TOKEN_NOT};
  int length;
  const char *joint = before(f, &length);
  for (size_t i = 0; could_be(f, "a number") && i < sizeof joints / sizeof *joints; i++)
    if (f->p->previous == joints[i] && *f->text && strchr("{});,", *f->text))
      return arena_printf(f->p->arena, "a condition is missing behind '%.*s'", length, joint);
  return NULL;
}

/* `if` where only an operand can stand: in a selector, behind an operator. */
static const char *conditional(const struct found *f) {
  if (found_is(f, "if") && could_be(f, "a number") && !could_be(f, "if"))
    return "it stands in parentheses here: (if C then A else B)";
  if (found_is(f, "if") && could_be(f, "+") && !on_new_line(f->p, f->span)) return chosen_behind(f);
  if (could_be(f, "else") && found_is(f, ";") && f->p->construct_token == TOKEN_ASSERT)
    return "an 'if' has both branches; where nothing is asked the other one is true: if C then A else true";
  bool lone = could_be(f, "else") && found_is(f, ";") && f->p->construct_token && f->p->construct_token != TOKEN_IF;
  return could_be(f, "then") || lone ? "as an expression it is written: if C then A else B" : NULL;
}

/* What is swallowed by a comment, as in `n // 2`, a comma of other assertions, a function without a name. */
static const char *swallowed(const struct found *f) {
  if (!f->p->previous) return NULL;
  int length;
  const char *word = before(f, &length), *behind = word + length + strspn(word + length, " \t");
  bool value = f->p->previous == TOKEN_NAME || f->p->previous == TOKEN_NUMBER || f->p->previous == ')';
  const char *rest = behind + 2 + strspn(behind + 2, " ");
  size_t divisor = strspn(rest, "0123456789abcdefghijklmnopqrstuvwxyz-_.");
  if (value && could_be(f, ";") && !strncmp(behind, "//", 2) && divisor && rest[divisor] == ';')
    return arena_printf(f->p->arena, "'//' begins a comment, and whole numbers are divided by 'div': %.*s div %.*s",
                        length, word, (int)divisor, rest);
  bool text = *behind_one(f) == '"';
  if (found_is(f, ",") && (could_be(f, ";") || text) && f->p->construct_token == TOKEN_ASSERT)
    return "an assertion has no text of its own, and a comment says why: assert CONDITION; // why";
  bool lambda = f->p->previous == TOKEN_NAME && length == 6 && !strncmp(word, "lambda", 6) && !found_is(f, "=");
  return lambda ? habit_help(HABIT_VALUE, word, (size_t)length) : NULL;
}

/* `**`, `<<` and `<>`, of two operators. */
static const char *doubled(const struct found *f) {
  if (found_is(f, "<") && f->p->previous == '<') return "what is shifted to the left by n bits is A * 2 ^ n";
  if (found_is(f, ">") && f->p->previous == '>') return "what is shifted to the right by n bits is A div 2 ^ n";
  if (found_is(f, "=") && (f->p->previous == TOKEN_EQ || f->p->previous == TOKEN_NE))
    return f->p->previous == TOKEN_EQ ? "a comparison is written '=='" : "what is not equal is compared by '!='";
  if (found_is(f, "+") && f->p->previous == '+') return "there is no '++': one more is n + 1";
  if (found_is(f, "*") && f->p->previous == '*') return "a power is written '^'";
  return found_is(f, ">") && f->p->previous == '<' ? "what is not equal is compared by '!='" : NULL;
}

/* `transaction = arrive;`, `call store;` */
static const char *bare(const struct found *f) {
  int length;
  const char *name = before(f, &length);
  bool call = f->p->construct_token == TOKEN_CALL;
  if (!found_is(f, ";") || f->all->count != 2 || !could_be(f, "(") || f->p->previous != TOKEN_NAME) return NULL;
  return arena_printf(f->p->arena, "its %s stand in parentheses, of which there may be none: %.*s()",
                      call || could_be(f, ".") ? "arguments" : "parameters", length, name);
}

/* The innermost bracket is that of `one of` or `first of`, as the word says. */
static bool is_in_parts(const struct parse *p, const char *first) {
  const struct bracket *bracket = parse_bracket(p);
  const char *brace = bracket && bracket->kind == '{' ? parse_text(p, bracket->span.begin) : NULL;
  const char *begin = p->source->text, *words[] = {"of", first};
  for (size_t i = 0; brace && i < 2; i++) {
    size_t length = strlen(words[i]);
    while (brace > begin && strchr(" \t\r\n", brace[-1]))
      brace--;
    bool same = brace - begin >= (ptrdiff_t)length && !strncmp(brace - length, words[i], length);
    brace = same ? brace - length : NULL;
  }
  return brace;
}

/* `first of { call a(); hold 5 s; }`: its parts without their blocks. */
static const char *headed(const struct found *f) {
  if (!could_be(f, "{") || !strchr(";,:", *f->text) || !is_in_parts(f->p, "first")) return NULL;
  return "each part has a block, which may be empty: first of { call LABEL(...) { ... } hold TIME { ... } }";
}

/* `for` and the like where `one of` has its parts, `0.3: { ... }` and `0.3, { ... }`. */
static const char *by_chance(const struct found *f) {
  static const char chance[] = "a block of 'one of' begins with its chance alone: one of { 0.3 { ... } 0.7 { ... } }";
  bool one = is_in_parts(f->p, "one"), word = word_is_reserved(f->text, f->length);
  bool parted = could_be(f, "{") && (strchr(":,;=-", *f->text) || word);
  if (one && found_is(f, "{") && could_be(f, "then")) return chance;
  if (!one || !(parted || (could_be(f, "a number") && word))) return NULL;
  if (found_is(f, "if") || found_is(f, "else")) return chance;
  if (found_is(f, "for"))
    return "the parts of 'one of' are written out: CHANCE { ... } CHANCE { ... }; one of many items is a draw: let i = "
           "empirical(LIST, WEIGHTS);";
  return "a part of 'one of' is a chance and its statements: one of { 0.3 { ... } 0.7 { ... } }";
}

/* `x += 1`, `x <<= 3`, `x++` of C and Python, from behind the name: a var gets a value by `=`. */
static const char *assigned_by(const struct found *f, const char *name, int length, const char *text) {
  static const char *const operators[][2] = {{"**=", "^ ..."},       {"//=", "div ..."}, {"<<=", "* 2 ^ ..."},
                                             {">>=", "div 2 ^ ..."}, {"%=", "mod ..."},  {"+=", "+ ..."},
                                             {"-=", "- ..."},        {"*=", "* ..."},    {"/=", "/ ..."},
                                             {"++", "+ 1"},          {"--", "- 1"}};
  for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
    if (!strncmp(text, operators[i][0], strlen(operators[i][0])))
      return arena_printf(f->p->arena, "a var gets a value by '=' alone: %.*s = %.*s %s;", length, name, length, name,
                          operators[i][1]);
  if (((*text == ':' || *text == '=') && text[1] == '=') || !strncmp(text, "<-", 2))
    return arena_printf(f->p->arena, "a var gets a value by '=' alone: %.*s = ...;", length, name);
  return NULL;
}

/* `++x;` and an `else` whose if has no braces, where a statement begins. */
static const char *begun(const struct found *f) {
  if (!could_be(f, "hold") || could_be(f, "a number")) return NULL;
  if (found_is(f, "else")) return "it stands behind the '}' of its if: if CONDITION { ... } else { ... }";
  if (strncmp(f->text, "++", 2) != 0 && strncmp(f->text, "--", 2) != 0) return NULL;
  const char *name = f->text + 2;
  int length = (int)strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.");
  return length && name[length] == ';' ? assigned_by(f, name, length, f->text) : NULL;
}

/* Behind the name at the head of a statement: `work(5 ms);`, `i += 1;`, `wait 5 ms;`. */
static const char *statement(const struct found *f) {
  int length;
  const char *name = before(f, &length), *begin = f->p->source->text;
  if (!could_be(f, "=") || !could_be(f, "[") || could_be(f, ":")) return NULL;
  static const char *const parts[] = {"accepts", "body", "requests"};
  static const char *const words[] = {"hold", "call", "let", "return", "record", "assert", "if", "while", "for"};
  bool part = *f->text == ':';
  const char *help = part ? NULL : habit_help(HABIT_STATEMENT, name, (size_t)length);
  if (help) return help;
  const char *whole = name;
  int all = length;
  for (; whole > begin && (isalnum((unsigned char)whole[-1]) || strchr("_-.", whole[-1])); whole--)
    all++;
  const char *given = assigned_by(f, whole, all, name + length + strspn(name + length, " \t"));
  if (given) return given;
  const char *word = arena_copy(f->p->arena, name, (size_t)length);
  const char *nearest = part ? nearest_name(word, parts, 3) : nearest_name(word, words, sizeof words / sizeof *words);
  if (nearest && length > 2) {
    *f->meant = f->p->previous_span;
    return arena_printf(f->p->arena, "did you mean '%s'?", nearest);
  }
  bool grows =
      length < all && (!strncmp(name, "append(", 7) || !strncmp(name, "push(", 5) || !strncmp(name, "add(", 4));
  if (*f->text == '(' && grows)
    return arena_printf(f->p->arena,
                        "a list keeps its length, and an item is given a value: %.*s[i] = ...; what comes and goes "
                        "stands in a store: psl-stdlib(7), PROCESSES",
                        all - length - 1, whole);
  if (*f->text == '(') return arena_printf(f->p->arena, "what a body asks for is called: call %.*s(...);", all, whole);
  if (*f->text == ',' && !f->p->construct.begin) return "each var has a statement of its own: A = ...; B = ...;";
  if (!strncmp(f->text, "::", 2)) return "what a body asks for is called by the label of a request: call LABEL(...);";
  return NULL;
}

/* `send again();`: what a body sends is a request of protocol dataflow. */
static const char *sent(const struct found *f) {
  int length;
  const char *word = before(f, &length);
  bool send = f->p->previous == TOKEN_NAME && length == 4 && !strncmp(word, "send", 4);
  if (!send || !could_be(f, "=") || !could_be(f, "[") || !isalpha((unsigned char)*f->text)) return NULL;
  return arena_printf(f->p->arena,
                      "'call %.*s(...);' makes the request of that label, and does not wait for one of protocol "
                      "dataflow; one without a label is made at the end of the body",
                      (int)f->length, f->text);
}

/* `param solver : evaluation mode = ...`: the name of an attribute for the type of its values. */
static const char *of_term(const struct found *f) {
  int length;
  const char *word = before(f, &length);
  bool mode = found_is(f, "mode") && length == 10 && !strncmp(word, "evaluation", 10);
  if (!(mode || found_is(f, "type")) || f->p->construct_token != TOKEN_PARAM || !could_be(f, "=")) return NULL;
  return "the type of such a value is 'term': param NAME : term = VALUE;";
}

/* `record stay = t, half-width = 5 %;` */
static const char *recorded(const struct found *f) {
  static const char *const options[] = {"half-width 5 %", "quantiles [50 %, 95 %]", "histogram 10", "warm-up 100 s",
                                        "level"};
  int length;
  const char *name = before(f, &length);
  for (size_t i = 0; i < sizeof options / sizeof *options && found_is(f, "="); i++)
    if (strcspn(options[i], " ") == (size_t)length && !strncmp(options[i], name, (size_t)length))
      return arena_printf(f->p->arena, "what else is kept of a record stands without '=': record NAME = NUMBER, %s;",
                          options[i]);
  return NULL;
}

/* `terms = 1, n;`, `terms: 1, n;` and `relative;` in a fit. */
static const char *fitted(const struct found *f) {
  const char *item = f->text;
  if (!strchr(",:;", *item) || !parse_bracket(f->p) || !is_in(f->p, "fit ")) return NULL;
  while (item > f->p->source->text && !strchr("{;}", item[-1]))
    item--;
  item += strspn(item, " \t\r\n");
  size_t length = strcspn(item, " \t=:;"), sign = length + strspn(item + length, " \t");
  const struct name *word = name_known(f->p->names, KNOWN_TERMS);
  bool of_terms = length == word->length && !strncmp(item, word->text, length);
  if (of_terms && strchr("=:", item[sign])) {
    const char *terms = item + sign + 1 + strspn(item + sign + 1, " \t");
    return arena_printf(f->p->arena, "they have no '%c': %s %.*s;", item[sign], word->text, (int)strcspn(terms, ";}\n"),
                        terms);
  }
  bool alone = found_is(f, ";") && !of_terms && could_be(f, "=") && item + sign == f->text;
  return alone ? arena_printf(f->p->arena, "a setting of a fit has a value: %.*s = true;", (int)length, item) : NULL;
}

/* The last clause of a request is missing: what follows begins another one, or ends them. */
static const char *unfinished(const struct found *f) {
  bool next = f->p->construct_token != TOKEN_PROFILE && f->all->count == 1 && could_be(f, "=") &&
              (strchr("(:", *f->text) || found_is(f, "selector"));
  if (!(could_be(f, "protocol") && (*f->text == '}' || word_is_reserved(f->text, f->length))) &&
      !(next && f->p->ended == TOKEN_TRANSACTION))
    return NULL;
  return "a request ends with 'protocol = call-return;', or 'protocol = dataflow;' if nothing is waited for";
}

/* `a -> b;` in a system, and `requests: a();`. */
static const char *wired(const struct found *f) {
  if (f->all->count == 1 && could_be(f, ":") && found_is(f, ";"))
    return "a request is written LABEL: selector = { ATTRIBUTE = VALUE }; transaction = NAME(...); "
           "protocol = call-return;";
  if (!found_is(f, "->") || f->all->count != 1 || !could_be(f, "=") || f->p->construct_token) return NULL;
  return "nothing is wired by hand: a component requests what another one accepts, and a selector finds that one";
}

/* `behaviour:` for `body:`. */
static const char *parted(const struct found *f) {
  int length;
  const char *name = before(f, &length), *behind = f->text + f->length + strspn(f->text + f->length, " \t");
  if (*behind == ':' && could_be(f, "accepts")) return habit_help(HABIT_PART, f->text, f->length);
  if (!found_is(f, ":") || f->p->previous != TOKEN_NAME || !could_be(f, "=") || could_be(f, ")")) return NULL;
  if (f->p->construct_token == TOKEN_PARAM) return NULL; /* `param service : time = 3 s;` of what is like another */
  bool system = parse_bracket(f->p) && is_in(f->p, "system ");
  const char *help = habit_help(system ? HABIT_SYSTEM : HABIT_PART, name, (size_t)length);
  if (!help) help = habit_help(HABIT_PART, name, (size_t)length);
  if (help) *f->meant = f->p->previous_span;
  return help;
}

/* What else than params and attributes stands in what is made by `like`. */
static const char *replaced(const struct found *f) {
  static const char *const fixed[] = {"protocol", "transaction", "selector"};
  for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
    if (found_is(f, fixed[i]))
      return arena_printf(f->p->arena,
                          "the %s of what it is like stays: take a component that has another one, or write one out",
                          fixed[i]);
  if (!isalpha((unsigned char)*f->text) || word_is_reserved(f->text, f->length))
    return "what is made by like has other params and attributes: param p = VALUE; profile a = VALUE;";
  return arena_printf(f->p->arena, "a param is replaced by: param %.*s = ...; and an attribute by: profile %.*s = ...;",
                      (int)f->length, f->text, (int)f->length, f->text);
}

/* Clauses of a request in another order, or of an accept in what is made by `like`. */
static const char *ordered(const struct found *f) {
  bool clause = found_is(f, "transaction") || found_is(f, "protocol") || found_is(f, "selector");
  bool request = could_be(f, "selector") || (f->all->count == 1 && could_be(f, "transaction"));
  if (found_is(f, "transaction") && f->p->ended == TOKEN_PROTOCOL && could_be(f, "accepts"))
    return "another accept begins with 'accepts:', and has a body of its own";
  if (clause && request) return clauses_in_order;
  if (clause && could_be(f, "hold") && could_be(f, "accepts"))
    return "it is a clause of an accept, which begins with 'accepts:', or of a request, under 'requests:'";
  if (could_be(f, "profile") && could_be(f, "param") && !could_be(f, "hold")) return replaced(f);
  if (found_is(f, "=") && f->p->previous == TOKEN_PROFILE && could_be(f, "domain"))
    return "what is made by like replaces attributes one by one: profile ATTRIBUTE = VALUE;";
  if (could_be(f, "hold") && *f->text == '{')
    return "a body has no braces: it ends where 'requests:' or another part begins, or with the component";
  return found_is(f, ":") && could_be(f, ")") && could_be(f, "=") && !f->p->construct.begin
             ? "a label's parameters have the types that its calls give them"
             : NULL;
}

static const char *foreign_word(const struct found *f) {
  bool declaration = could_be(f, "param") && could_be(f, "component");
  if (could_be(f, "hold")) return habit_help(HABIT_STATEMENT, f->text, f->length);
  return declaration ? habit_help(HABIT_DECLARATION, f->text, f->length) : NULL;
}

static const char *misspelt(const struct found *f) {
  const char *words[128];
  size_t count = 0;
  if (!isalpha((unsigned char)*f->text) || word_is_reserved(f->text, f->length)) return NULL;
  for (size_t i = 0; i < f->all->count; i++)
    if (isalpha((unsigned char)*f->all->words[i]) && !strchr(f->all->words[i], ' ')) words[count++] = f->all->words[i];
  const char *nearest = nearest_name(arena_copy(f->p->arena, f->text, f->length), words, count);
  return nearest ? arena_printf(f->p->arena, "did you mean '%s'?", nearest) : NULL;
}

static const char *reserved(const struct found *f) {
  if (!could_be(f, "a name") || !word_is_reserved(f->text, f->length) || on_new_line(f->p, f->span)) return NULL;
  return arena_printf(f->p->arena, "'%.*s' is a reserved word and cannot be a name", (int)f->length, f->text);
}

/* `param x : distribution of time = ...`, `distribution(time)`, `distribution<time>`, `list of time`. */
static const char *typed(const struct found *f) {
  int length;
  const char *name = before(f, &length), *value = f->text + f->length + strspn(f->text + f->length, " \t");
  size_t size = strcspn(value, " \t\r\n=;,)>");
  bool bracketed = found_is(f, "(") || found_is(f, "<");
  if (!(found_is(f, "of") || bracketed) || f->p->previous != TOKEN_NAME || !size) return NULL;
  const struct name *kind = name_intern(f->p->names, name, (size_t)length);
  bool list = strcmp(kind->text, "list") == 0 && could_be(f, "=") && !could_be(f, "+");
  if (!name_is(kind, KNOWN_DISTRIBUTION) && !name_is(kind, KNOWN_RANGE) && !list) return NULL;
  uint32_t end = f->span.end + (uint32_t)(value + size - f->text - f->length);
  *f->meant = (struct span){f->p->previous_span.begin, end + (bracketed && (value[size] == ')' || value[size] == '>'))};
  return list ? arena_printf(f->p->arena, "did you mean '[%.*s]'?", (int)size, value)
              : arena_printf(f->p->arena, "did you mean '%.*s*%.*s'?", length, name, (int)size, value);
}

/* `{1, 2}`, `{web: 1}`, `(1, 2)`, `int[]`: lists of other languages. */
static const char *listed(const struct found *f) {
  int length;
  const char *type = before(f, &length);
  bool item = *f->text == '"' || isdigit((unsigned char)*f->text);
  if (item && f->p->previous == '{' && could_be(f, "a name") && !could_be(f, "a number"))
    return "a list stands in brackets, [1, 2], and a record has names, { a = 1, b = 2 }";
  const struct bracket *bracket = parse_bracket(f->p);
  const char *open = bracket && bracket->kind == '[' ? parse_text(f->p, bracket->span.begin) : NULL;
  if (found_is(f, ":") && open && open > f->p->source->text && (isalnum((unsigned char)open[-1]) || open[-1] == ']'))
    return "a part of a list is [i in 1 .. 2 : list[i]]";
  const char *brace = bracket && bracket->kind == '{' && !bracket->block ? parse_text(f->p, bracket->span.end) : NULL;
  if (found_is(f, ",") && brace && brace + strspn(brace, " ") == type && f->all->count == 1 && could_be(f, "="))
    return "a list stands in brackets, [1, 2], and a record has names, { a = 1, b = 2 }";
  bool field = bracket && bracket->kind == '{' && !bracket->block && f->p->previous == TOKEN_NAME && could_be(f, "=");
  if (found_is(f, ":") && field) return "a record is written { a = 1, b = 2 s }";
  if (found_is(f, ",") && could_be(f, ")") && could_be(f, "+"))
    return "parentheses hold one value: a list is [a, b], a range a .. b";
  if (found_is(f, "[") && could_be(f, "=") && !could_be(f, "+") && f->p->previous == TOKEN_NAME && f->text[1] == ']')
    return arena_printf(f->p->arena, "the type of such a list is [%.*s]", length, type);
  return NULL;
}

/* The last clause of a selector before the error: its attribute, and what that is compared by; NULL: there is none. */
static const char *clause_before(const struct found *f, const char **name, int *length) {
  const char *begin = parse_text(f->p, f->p->construct.end), *at = f->text;
  while (at > begin && *at != '=' && strncmp(at, " in ", 4) && strncmp(at, " in(", 4) && strncmp(at, " in{", 4))
    at--;
  const char *end = at, *from;
  while (end > begin && strchr(" \t!=", end[-1]))
    end--;
  for (from = end; from > begin && (isalnum((unsigned char)from[-1]) || strchr(" -_", from[-1])); from--)
    ;
  for (const char *word = from; word < end; word += strcspn(word, " ") + 1) /* `not A`, `... and A` */
    if (word == from || (word[-1] == ' ' && word_is_reserved(word, strcspn(word, " "))))
      from = word_is_reserved(word, strcspn(word, " ")) ? word + strcspn(word, " ") + 1 : word;
  from += strspn(from, " ");
  *name = from;
  *length = (int)(end - from);
  return from < end && end > begin && at > begin ? at + (*at == ' ' ? strlen(" in") : 1) : NULL;
}

/* `cpu or gpu`, `{ cpu, gpu }`, `(cpu, gpu)`, `cpu, gpu`: values of which any is meant, as items of a list; NULL: they
 * are something else. */
static const char *several(const struct found *f, const char *value) {
  struct text list = {.arena = f->p->arena};
  bool parted = true;
  for (size_t size; *value && !strchr(";\n", *value); value += size) {
    size_t between = strspn(value, " \t,|{([");
    parted |= strcspn(value, ",|") < between;
    value += between;
    size = strspn(value, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.");
    if (!size) break;
    if (list.size && strchr("=<>!", value[size + strspn(value + size, " ")])) break; /* another clause */
    const struct word *joint = word_find(value, size);
    bool word = joint && (joint->token == TOKEN_OR || joint->token == TOKEN_AND);
    if (!word && !parted) return NULL;
    if (!word) text_printf(&list, "%s%.*s", list.size ? ", " : "", (int)size, value);
    parted = word;
  }
  return list.data && strchr(list.data, ',') ? list.data : NULL;
}

/* `selector = { node type = cpu or gpu }`, `node type in { cpu, gpu }`, `node type = not cpu`, `node type = *`. */
static const char *selected(const struct found *f) {
  const char *name;
  int length;
  if (f->p->construct_token != TOKEN_SELECTOR) return NULL;
  if (found_is(f, "*") && f->p->previous == '=')
    return "an attribute that may have any value is left out of the selector";
  bool closed = found_is(f, "or") || (*f->text && strchr("}),0123456789", *f->text)),
       not = found_is(f, "not") && f->p->previous == '=';
  const char *value = closed || not ? clause_before(f, &name, &length) : NULL;
  if (value && not ) {
    const char *other = f->text + f->length + strspn(f->text + f->length, " ");
    return arena_printf(f->p->arena, "it is another one: %.*s != %.*s", length, name, (int)strcspn(other, " ,})"),
                        other);
  }
  const char *list = value ? several(f, value) : NULL;
  return list ? arena_printf(f->p->arena, "it is one of several: %.*s in [%s]", length, name, list) : NULL;
}

/* `all selector = ...`, `selector = all { ... }`, `selector all = ...` */
static const char *each(const struct found *f) {
  int length;
  const char *name = before(f, &length);
  if (found_is(f, "selector") && f->p->previous == TOKEN_NAME && is_all(name, (size_t)length)) {
    *f->meant = f->p->previous_span;
    return "did you mean 'every'?";
  }
  bool called = f->p->construct_token == TOKEN_CALL && f->p->previous == TOKEN_NAME && is_all(name, (size_t)length);
  const struct word *word = length ? word_find(name, (size_t)length) : NULL;
  if (called || (found_is(f, "call") && word && word->token == TOKEN_EVERY))
    return "a call is of all that match where its request says so: LABEL(...): every selector = { ... }; ...";
  return is_all(f->text, f->length) && f->p->construct_token == TOKEN_SELECTOR && !could_be(f, ",")
             ? "a request of all that match is written: every selector = { ATTRIBUTE = VALUE, ... };"
             : NULL;
}

/* `minimize WHAT where C by n;`: the groups stand before the condition, which no `if` begins. */
static const char *grouped(const struct found *f) {
  bool optimised = f->p->construct_token == TOKEN_MINIMIZE || f->p->construct_token == TOKEN_MAXIMIZE;
  bool conditional = found_is(f, "if") || found_is(f, "when") || found_is(f, "with") || found_is(f, "subject");
  if (conditional && optimised && could_be(f, "where"))
    return "a condition stands behind 'where': minimize NAME where C;";
  if (!found_is(f, "by") || !optimised || could_be(f, "by")) return NULL;
  const char *item = parse_text(f->p, f->p->construct.begin), *where = strstr(item, " where ");
  if (!where || where > f->text) return NULL;
  int groups = (int)strcspn(f->text, ";}\n"), condition = (int)(f->text - where);
  while (groups && strchr(" \t", f->text[groups - 1]))
    groups--;
  while (condition && strchr(" \t", where[condition - 1]))
    condition--;
  return arena_printf(f->p->arena, "'by' stands before 'where': %.*s %.*s%.*s", (int)(where - item), item, groups,
                      f->text, condition, where);
}

/* `clients in [1, 2];` as an item of a study; `vary n = 1 .. 9 by 2`, `1 .. 9 step 2` and `1:9`. */
static const char *varied(const struct found *f) {
  int length;
  const char *name = before(f, &length), *step = name + length - strlen("step");
  bool loop = could_be(f, "{") && could_be(f, "by") && f->p->construct.begin;
  const char *dots = loop ? strstr(parse_text(f->p, f->p->construct.begin), "..") : NULL;
  bool body = dots || f->p->previous == ')'; /* `for i in 1 .. 3: ...`, `for i in range(10): ...` */
  if (loop && body && found_is(f, ":") && (!dots || dots < f->text)) return NULL;
  static const char *const limits[] = {"range", "within", "between", "from", "min", "max", "where", "limits", "bounds"};
  for (size_t w = 0; f->p->construct_token == TOKEN_PARAM && could_be(f, "in") && w < sizeof limits / sizeof *limits;
       w++)
    if (found_is(f, limits[w]))
      return "values that are allowed stand behind 'in': ... in LOW .. HIGH; or ... in [A, B];";
  bool valued = f->p->construct_token == TOKEN_PARAM || f->p->question;
  if (found_is(f, ":") && valued && f->p->previous == TOKEN_NUMBER && could_be(f, ".."))
    return "a range is written A .. B";
  if (found_is(f, "by") && f->p->construct_token == TOKEN_VARY) return "it is written: vary NAME in A .. B by STEP;";
  bool stepped = step > name && strncmp(step, "step", strlen("step")) == 0;
  if (could_be(f, "by") && (found_is(f, ":") || found_is(f, "..") || found_is(f, "step") || stepped))
    return "a range is written A .. B, and with a step A .. B by STEP";
  if (!found_is(f, "in") || f->all->count != 1 || !could_be(f, "=")) return NULL;
  return arena_printf(f->p->arena, "a study varies a param by vary %.*s in ...;", length, name);
}

/* `plot makespan vs workers;` */
static const char *plotted(const struct found *f) {
  static const char *const words[] = {"vs", "versus", "over"};
  for (size_t w = 0; could_be(f, "against") && !could_be(f, "a number") && w < sizeof words / sizeof *words; w++)
    if (found_is(f, words[w])) return "did you mean 'against'?";
  return NULL;
}

/* Does the word stand in an item of a study that names results? */
static bool is_reported(const struct found *f, const char *word) {
  static const char *const items[] = {"report ", "minimize ", "maximize "};
  const char *begin = f->p->source->text;
  while (word > begin && !strchr(";{", word[-1]))
    word--;
  word += strspn(word, " \t\r\n");
  for (size_t i = 0; i < sizeof items / sizeof *items; i++)
    if (!strncmp(word, items[i], strlen(items[i]))) return true;
  return false;
}

/* `makespan as t`, of which the name stands before. */
static const char *renamed(const struct found *f) {
  const char *begin = f->text, *name = f->text + f->length + strspn(f->text + f->length, " \t"), *end = f->text;
  int length = (int)strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_");
  if (!length) return NULL;
  for (int depth = 0; begin > f->p->source->text && (depth || !strchr(",;{", begin[-1])); begin--)
    depth += begin[-1] == ']' || begin[-1] == ')' ? 1 : begin[-1] == '[' || begin[-1] == '(' ? -1 : 0;
  begin += strspn(begin, " \t\r\n");
  for (size_t i = 0; i < 3; i++) {
    static const char *const items[] = {"report ", "minimize ", "maximize "};
    if (!strncmp(begin, items[i], strlen(items[i]))) begin += strlen(items[i]);
  }
  while (end > begin && strchr(" \t", end[-1]))
    end--;
  return arena_printf(f->p->arena, "a column's name stands before it: %.*s = %.*s", length, name, (int)(end - begin),
                      begin);
}

/* `report mean items in buffer[0];` and `report makespan -> ms;`. */
static const char *reported(const struct found *f) {
  int length;
  const char *name = before(f, &length);
  if (found_is(f, "as") && is_reported(f, name)) return renamed(f);
  if (!could_be(f, ",") || !is_reported(f, name)) return NULL;
  if (found_is(f, "->"))
    return "a result is shown in a unit that suits it, and in one of your choice as a number: NAME = RESULT / 1 ms";
  if (found_is(f, "where")) return "a study keeps the points of which a condition holds: where CONDITION;";
  if (f->p->previous != TOKEN_NAME || !isalpha((unsigned char)*f->text)) return NULL;
  struct text figure = {.arena = f->p->arena};
  for (size_t i = 0, size = strcspn(name, ",;=]\n"); i < size; i++)
    text_char(&figure, name[i] == ' ' ? '-' : name[i] == '[' ? '_' : name[i]);
  return arena_printf(f->p->arena, "the words of a figure are joined by '-', its index by '_': %s", figure.data);
}

/* `component c like other [i] ...`. */
static bool is_behind_like(const struct found *f) {
  const char *text = parse_text(f->p, f->p->construct.begin), *like = strstr(text, " like ");
  return like && like < f->text;
}

/* The type of a value that begins so, by its first word; NULL where that does not tell. */
static const char *type_of_value(const char *value, size_t length) {
  static const char *const units[][2] = {{"s", "time"},
                                         {"ms", "time"},
                                         {"us", "time"},
                                         {"ns", "time"},
                                         {"min", "time"},
                                         {"h", "time"},
                                         {"byte", "data"},
                                         {"kB", "data"},
                                         {"MB", "data"},
                                         {"GB", "data"},
                                         {"KiB", "data"},
                                         {"MiB", "data"},
                                         {"GiB", "data"},
                                         {"B/s", "data/time"},
                                         {"byte/s", "data/time"},
                                         {"kB/s", "data/time"},
                                         {"MB/s", "data/time"},
                                         {"GB/s", "data/time"},
                                         {"s^-1", "1/time"},
                                         {"s^(-1)", "1/time"},
                                         {"ms^-1", "1/time"},
                                         {"us/byte", "time/data"},
                                         {"ns/byte", "time/data"},
                                         {"%", "real"}};
  size_t digits = strspn(value, "0123456789_"), number = digits + strspn(value + digits, "0123456789.eE");
  if (*value == '"') return "string";
  const struct word *word = word_find(value, length);
  if (word && (word->token == TOKEN_TRUE || word->token == TOKEN_FALSE)) return "bool";
  if (!digits) return NULL;
  if (number == length) return digits == number ? "int" : "real";
  const char *unit = value + number + strspn(value + number, " ");
  size_t size = length - (size_t)(unit - value);
  for (size_t i = 0; i < sizeof units / sizeof *units; i++)
    if (strlen(units[i][0]) == size && !strncmp(unit, units[i][0], size)) return units[i][1];
  return NULL;
}

/* `param x = 1 ms;`: its type is that of the value, where that is plain. */
static const char *untyped(const struct found *f) {
  int name_length;
  const char *name = before(f, &name_length), *value = behind_one(f);
  size_t length = strcspn(value, ";\n");
  if (!found_is(f, "=") || !could_be(f, ":") || f->p->construct_token != TOKEN_PARAM) return NULL;
  const char *in = arena_copy(f->p->arena, value, length), *range = strstr(in, " in ");
  if (range) length = (size_t)(range - in);
  while (length && strchr(" \t\r", value[length - 1]))
    length--;
  bool rate = length > 2 && !strncmp(value + length - 2, "/s", 2) && strspn(value, "0123456789. ") == length - 2;
  if (rate)
    return arena_printf(f->p->arena, "it has a type: param %.*s : 1/time = %.*s s^-1;", name_length, name,
                        (int)strspn(value, "0123456789."), value);
  const char *type = type_of_value(value, length);
  return type ? arena_printf(f->p->arena, "it has a type: param %.*s : %s = %.*s;", name_length, name, type,
                             (int)length, value)
              : NULL;
}

/* `workers = 5;` outside of any component: a param, or a let where its type is not plain. */
static const char *undeclared(const struct found *f) {
  const char *behind = f->text + f->length + strspn(f->text + f->length, " \t");
  bool declaration = could_be(f, "param") && could_be(f, "component") && isalpha((unsigned char)*f->text);
  if (!declaration || *behind != '=' || behind[1] == '=' || word_is_reserved(f->text, f->length)) return NULL;
  if (f->p->previous && !on_new_line(f->p, f->span)) return NULL; /* within what is not understood */
  const char *place = place_of_clause(f->p, arena_copy(f->p->arena, f->text, f->length));
  if (place && could_be(f, "accepts")) return place;
  const char *value = behind + 1 + strspn(behind + 1, " \t");
  size_t length = strcspn(value, ";\r\n");
  const char *type = type_of_value(value, length);
  if (!length || *value == '{') return NULL;
  return type ? arena_printf(f->p->arena, "a param is declared: param %.*s : %s = %.*s;", (int)f->length, f->text, type,
                             (int)length, value)
              : arena_printf(f->p->arena, "a name for a value is declared: let %.*s = %.*s;", (int)f->length, f->text,
                             (int)length, value);
}

/* `profile frequency 3 GHz;`, `profile frequency = 3 GHz` without its end: not the profile of an accept. */
static bool replaces_attribute(const struct found *f) {
  const char *behind = parse_text(f->p, f->p->construct.end);
  bool here = could_be(f, ";") || could_be(f, "=") || f->p->previous == TOKEN_PROFILE;
  return f->p->construct_token == TOKEN_PROFILE && here && behind[strspn(behind, " \t\r\n")] != '=';
}

/* How what is being parsed is written: `param n = 4;`, `component c [4] {`, `if c: hold 1 s;`. */
static const char *form(const struct found *f) {
  struct span span = f->p->construct;
  bool optimised = f->p->construct_token == TOKEN_MINIMIZE || f->p->construct_token == TOKEN_MAXIMIZE;
  if (span.begin && (optimised || f->p->construct_token == TOKEN_PLOT))
    return arena_printf(f->p->arena, "it is written: %s",
                        word_find(parse_text(f->p, span.begin), span.end - span.begin)->form);
  bool within = could_be(f, "a quantity") || (could_be(f, "+") && !could_be(f, "{"));
  if (could_be(f, "attribute") && !could_be(f, "a name")) return "it is written: attribute WORDS : TYPE;";
  if (f->p->previous == TOKEN_ELSE) return "it is written: else { ... }";
  if (span.begin && replaces_attribute(f)) return "it is written: profile ATTRIBUTE = VALUE;";
  if (!span.begin || within || (could_be(f, ";") && !could_be(f, "->"))) return NULL;
  int token = f->p->construct_token;
  bool head = could_be(f, "{") || could_be(f, "call"); /* of `first of` */
  if (head && (token == TOKEN_HOLD || token == TOKEN_LET || token == TOKEN_CALL)) return NULL;
  if (token == TOKEN_COERCION && *f->text == '(')
    return "of transactions it is written: coercion T -> U { call U(...); }, whose block knows the parameters of T";
  if (token == TOKEN_COMPONENT && isdigit((unsigned char)*f->text) && f->p->previous == '[') {
    const char *name = parse_text(f->p, span.end) + 1;
    int length = (int)strcspn(name, " [");
    return arena_printf(f->p->arena, "its instances have an index: component %.*s [i] : 0 <= i < %.*s { ... }", length,
                        name, (int)f->length, f->text);
  }
  if (token == TOKEN_TRANSACTION && parse_bracket(f->p) && f->all->count == 1 && could_be(f, "="))
    return "in an accept or a request it is written: transaction = NAME(...);";
  if (token == TOKEN_PARAM && f->all->count == 1 && could_be(f, "=")) return "it is written: param NAME = VALUE;";
  const struct word *word = word_find(parse_text(f->p, span.begin), span.end - span.begin);
  if (!word || !word->form || (*f->text == ';' && f->p->previous_span.begin == span.begin)) return NULL;
  const char *behind = parse_text(f->p, span.end), *written = word->form + strlen(word->text);
  behind += strspn(behind, " \t\r\n");
  if ((*behind == '=') != (written[strspn(written, " ")] == '=')) return NULL; /* a clause, and not a declaration */
  bool like = word->token == TOKEN_COMPONENT && *f->text != '(' && !could_be(f, "a name") &&
              (could_be(f, "like") || found_is(f, "like") || is_behind_like(f));
  if (token == TOKEN_COERCION)
    return arena_printf(f->p->arena, "it is written: %s or, of transactions: coercion T -> U { call U(...); }",
                        word->form);
  return arena_printf(f->p->arena, "it is written: %s", like ? word_find("like", 4)->form : word->form);
}

/* `component c [x, y] : 0 <= x < p, 0 <= y < p`: the condition of its indices. */
static const char *joined(const struct found *f) {
  if (!found_is(f, ",") || f->p->construct_token != TOKEN_COMPONENT || !could_be(f, "like") || !could_be(f, "{"))
    return NULL;
  const char *begin = parse_text(f->p, f->p->construct.begin), *set = f->text;
  while (set > begin && *set != ':')
    set--;
  if (*set != ':') return NULL;
  struct text text = {.arena = f->p->arena};
  size_t length = strcspn(set, "{;\n");
  while (length && strchr(" \t\r", set[length - 1]))
    length--;
  int depth = 0;
  for (size_t i = 1 + strspn(set + 1, " \t"); i < length; i++) {
    depth += (set[i] == '(' || set[i] == '[') - (set[i] == ')' || set[i] == ']');
    if (set[i] == ',' && !depth)
      text_put(&text, " and");
    else
      text_char(&text, set[i]);
  }
  return arena_printf(f->p->arena, "conditions are joined by 'and': %s", text.data);
}

/* `selector = random { ... }`, `selector = any by load { ... }`: who of several is taken. */
static const char *chosen(const struct found *f) {
  const char *word = f->text;
  size_t length = f->length;
  bool behind = f->p->construct_token == TOKEN_SELECTOR && f->p->previous == '=' && !could_be(f, ",");
  const struct word *known = word_find(word, length);
  if (behind && known && known->token == TOKEN_ANY) {
    const char *by = word + length + strspn(word + length, " \t");
    int size = (int)strcspn(by, "{;\n");
    while (size && strchr(" \t", by[size - 1]))
      size--;
    return arena_printf(f->p->arena, "it stands before: any%s%.*s selector = { ATTRIBUTE = VALUE, ... };",
                        size ? " " : "", size, by);
  }
  return behind ? habit_help(HABIT_CHOICE, word, length) : NULL;
}

/* `component c { ... };` */
static const char *closed(const struct found *f) {
  bool behind = f->p->previous == TOKEN_CLOSE && found_is(f, ";") && could_be(f, "component");
  return behind ? "nothing stands behind the '}' of a block: leave the ';' out" : NULL;
}

/* `param w : {cpu, gpu} = cpu;`, `attribute kind : { a, b };`: words of which it is one. */
static const char *alternatives(const struct found *f) {
  bool attribute = f->p->construct_token == TOKEN_ATTRIBUTE;
  if (!(attribute || f->p->construct_token == TOKEN_PARAM) || !found_is(f, "{") || f->p->previous != ':') return NULL;
  const char *words = behind_one(f), *end = words + strcspn(words, "};\n");
  const char *name = parse_text(f->p, f->p->construct.end), *value = end + strcspn(end, "=;\n");
  name += strspn(name, " \t");
  while (end > words && strchr(" \t", end[-1]))
    end--;
  int first = (int)strcspn(words, " ,};\n");
  const char *given = words;
  if (*value == '=') given = value + 1 + strspn(value + 1, " \t"), first = (int)strcspn(given, ";\n");
  int length = (int)strcspn(name, ":");
  while (length && strchr(" \t", name[length - 1]))
    length--;
  if (attribute)
    return arena_printf(f->p->arena, "it is a term, of several: attribute %.*s : term in [%.*s];", length, name,
                        (int)(end - words), words);
  return arena_printf(f->p->arena, "it is a term, of several: param %.*s : term = %.*s in [%.*s];", length, name, first,
                      given, (int)(end - words), words);
}

/* `transaction go(int n)`: the type before the name. */
static const char *type_before(const struct found *f) {
  int length, token = f->p->construct_token;
  const char *type = before(f, &length);
  const struct bracket *bracket = parse_bracket(f->p);
  bool parameter = (token == TOKEN_TRANSACTION || token == TOKEN_FUNCTION) && bracket && bracket->kind == '(';
  if (!parameter || f->p->previous != TOKEN_NAME || !could_be(f, ")") || !isalpha((unsigned char)*f->text)) return NULL;
  if (word_is_reserved(f->text, f->length) || !strchr(",)=", f->text[f->length + strspn(f->text + f->length, " \t")]))
    return NULL;
  static const char *const types[] = {"int", "real", "time", "data", "bool", "string", "term", "distribution"};
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (found_is(f, types[i])) /* f(x int) */
      return arena_printf(f->p->arena, "a colon stands before a type: %.*s : %.*s", length, type, (int)f->length,
                          f->text);
  return arena_printf(f->p->arena, "a type stands behind its name: %.*s : %.*s", (int)f->length, f->text, length, type);
}

/* `let a = 1, b = 2;`: several names in one declaration. */
static const char *each_alone(const struct found *f) {
  static const int tokens[] = {TOKEN_LET, TOKEN_PARAM, TOKEN_VAR};
  const char *word = parse_text(f->p, f->p->construct.begin);
  const char *name = behind_one(f);
  int length = (int)(f->p->construct.end - f->p->construct.begin), letters = 0;
  while (isalnum((unsigned char)name[letters]) || (name[letters] && strchr("-_", name[letters])))
    letters++;
  bool declared = strchr("=:", name[letters + (int)strspn(name + letters, " \t")]);
  for (size_t i = 0; found_is(f, ",") && could_be(f, ";") && declared && i < sizeof tokens / sizeof *tokens; i++)
    if (f->p->construct_token == tokens[i] && isalpha((unsigned char)*name))
      return arena_printf(f->p->arena, "each name has a declaration of its own: ...; %.*s %.*s ...;", length, word,
                          letters, name);
  return NULL;
}

/* `-- text` and `- text` at the head of a line, where no expression goes on. */
static const char *commented(const struct found *f) {
  bool dashes = !strncmp(f->text, "--", 2) && !could_be(f, "-");
  return dashes && on_new_line(f->p, f->span) ? "a comment begins with '//'" : NULL;
}

/* `profile = { a = 1; b = 2 }` and `servers: 1;` */
static const char *punctuated(const struct found *f) {
  const struct bracket *bracket = parse_bracket(f->p);
  bool list = f->p->construct_token == TOKEN_PROFILE || f->p->construct_token == TOKEN_SELECTOR;
  int length;
  const char *name = before(f, &length);
  if (found_is(f, ";") && could_be(f, ",") && could_be(f, "}") && list && bracket && !bracket->block)
    return "attributes are separated by commas: { ATTRIBUTE = VALUE, ATTRIBUTE = VALUE }";
  bool colon = found_is(f, ":") && (f->p->previous == TOKEN_PROFILE || f->p->previous == TOKEN_SELECTOR);
  if ((found_is(f, "{") || colon) && list && f->all->count == 1 && could_be(f, "="))
    return f->p->construct_token == TOKEN_PROFILE ? "it is written: profile = { ATTRIBUTE = VALUE, ... };"
                                                  : "it is written: selector = { ATTRIBUTE = VALUE, ... };";
  if (found_is(f, ":") && list && bracket && !bracket->block && f->p->previous == TOKEN_NAME && could_be(f, "="))
    return "an attribute is written: ATTRIBUTE = VALUE";
  if (found_is(f, ":") && could_be(f, "domain") && could_be(f, "=") && f->p->previous == TOKEN_NAME && !list)
    return arena_printf(f->p->arena, "a clause is written: %.*s = VALUE;", length, name);
  return NULL;
}

/* `[i ^ 2 for i in list]` and `exponential 5 ms`. */
static const char *applied(const struct found *f) {
  int length;
  const char *name = before(f, &length);
  const struct bracket *bracket = parse_bracket(f->p);
  if (found_is(f, "for") && bracket && bracket->kind == '[' && could_be(f, "]"))
    return "a list of values is written: [i in 1 .. 3 : E]";
  bool value = isdigit((unsigned char)*f->text) && !on_new_line(f->p, f->span);
  if (f->p->previous != TOKEN_NAME || !value || !could_be(f, "(") || !could_be(f, "+")) return NULL;
  return arena_printf(f->p->arena, "the arguments of a function stand in parentheses: %.*s(%.*s)", length, name,
                      (int)f->length, f->text);
}

/* `transaction = a(), b();` */
static const char *accepted(const struct found *f) {
  bool transaction = f->p->construct_token == TOKEN_TRANSACTION && found_is(f, ",") && could_be(f, ";");
  return transaction ? "an accept or a request is of one transaction: another accept begins with 'accepts:'" : NULL;
}

/* `use queueing.psl;` */
static const char *used(const struct found *f) {
  int length;
  const char *name = before(f, &length);
  if (f->p->construct_token == TOKEN_USE && f->p->previous == TOKEN_NAME && (found_is(f, ",") || found_is(f, "and"))) {
    const char *other = f->text + f->length + strspn(f->text + f->length, " \t");
    return arena_printf(f->p->arena, "each has a 'use' of its own: use %.*s; use %.*s;", length, before(f, &length),
                        (int)strcspn(other, " ,;\n"), other);
  }
  if (f->p->construct_token == TOKEN_USE && found_is(f, "as"))
    return "what it declares is known by its own name; where two files have the same, by FILE.NAME";
  if (f->p->construct_token != TOKEN_USE || !found_is(f, ".") || f->p->previous != TOKEN_NAME) return NULL;
  return arena_printf(f->p->arena, "a file is named without its ending: use %.*s;", length, name);
}

/* Items that other languages have in a study: `optimize makespan;`, `set n = 3;`. */
static const char *studied(const struct found *f) {
  static const char *const best[] = {"optimize", "optimise", "minimum", "min", "best"}, *const given[] = {"set",
                                                                                                          "with"};
  int length;
  const char *word = before(f, &length);
  if (!could_be(f, "=") || f->all->count != 1 || !parse_bracket(f->p) || !is_in(f->p, "study ")) return NULL;
  for (size_t i = 0; i < sizeof best / sizeof *best; i++)
    if (strlen(best[i]) == (size_t)length && !strncmp(best[i], word, (size_t)length))
      return "it is written: minimize NAME [= EXPRESSION] [by PARAM, ...] [where CONDITION]; or maximize";
  for (size_t i = 0; i < sizeof given / sizeof *given; i++)
    if (strlen(given[i]) == (size_t)length && !strncmp(given[i], word, (size_t)length))
      return arena_printf(f->p->arena, "a param has one value in all points by: vary %.*s = VALUE;", (int)f->length,
                          f->text);
  return NULL;
}

/* The first that knows something. */
static const char *(*const advice[])(const struct found *) = {
    begun,
    type_before,
    commented,
    fitted,
    selected,
    compared_by_word,
    joined,
    chosen,
    closed,
    alternatives,
    headed,
    each_alone,
    accepted,
    used,
    studied,
    of_reserved,
    negated_in,
    one_of_several,
    plotted,
    swallowed,
    grouped,
    by_chance,
    bare,
    parted,
    punctuated,
    untyped,
    until,
    implied,
    coerced,
    called,
    attributed,
    assigned,
    compared,
    numbered,
    chosen_by_function,
    behind_number,
    halved,
    conditional,
    doubled,
    listed,
    stated,
    in_unit,
    commanded,
    asked,
    behind_product,
    recorded,
    sent,
    of_term,
    statement,
    wired,
    unfinished,
    ordered,
    foreign_word,
    undeclared,
    typed,
    applied,
    each,
    misspelt,
    varied,
    reported,
    reserved,
    form,
};

/* `accept:` for the part that is meant: the parser goes on as if that stood there. */
static int part_meant(const struct found *f) {
  static const char *const parts[] = {"accepts", "body", "requests"};
  const char *behind = f->text + f->length + strspn(f->text + f->length, " \t");
  if (*behind != ':' || !could_be(f, "accepts") || word_is_reserved(f->text, f->length)) return 0;
  size_t length;
  const char *meant = habit_word(HABIT_PART, f->text, f->length, &length);
  const char *near = nearest_name(arena_copy(f->p->arena, meant, length), parts, sizeof parts / sizeof *parts);
  const struct word *word = near ? word_find(near, strlen(near)) : NULL;
  return word ? word->token : 0;
}

bool add_advice(struct parse *p, const struct expectation *all, struct span span) {
  struct span meant = {0};
  struct found found = {p, all, span, parse_text(p, span.begin), span.end - span.begin, &meant};
  const char *help = NULL;
  p->meant = part_meant(&found);
  for (size_t i = 0; !help && i < sizeof advice / sizeof *advice; i++)
    help = advice[i](&found);
  if (help) diagnostic_help(p->d, meant, "%s", help);
  return help;
}

const char *reserved_advice(const struct found *found) {
  int previous = found->p->previous;
  return previous == '=' || previous == '{' ? form(found) : selected(found);
}
