/* The source in the one layout: `psl fmt`.
 *
 * The formatter works on the tokens of a text that parsed, not on the tree: what it prints are the
 * same tokens, so the program stays the same and each comment keeps its place between them.
 * First the tokens get their blanks (space_tokens), then they are cut into logical lines
 * (cut_lines); format_rows.c breaks those that are too long, aligns what stands under each other,
 * and puts them. */
#include "grammar/format.h"
#include "grammar/words.h"
#include "psl.tab.h"

#include <ctype.h>
#include <string.h>

int psl_lex(PSL_STYPE *value, struct span *span, void *scanner);

static uint32_t count_characters(const char *s, size_t length) {
  uint32_t count = 0;
  for (size_t i = 0; i < length; i++)
    count += ((unsigned char)s[i] & 0xC0) != 0x80;
  return count;
}

/* ---- the tokens, comments among them ---- */

static void add_token(struct format *f, struct parse *p, int kind, struct span span, struct span before) {
  const char *text = p->source->text + (span.begin - p->source->base);
  struct token token = {.kind = kind, .text = text, .length = span.end - span.begin, .depth = p->brackets.count};
  if (kind == COMMENT) {
    while (token.length && isspace((unsigned char)text[token.length - 1]))
      token.length--;
  }
  uint32_t ends = 0, begin = span.begin - p->source->base, blanks = before.end - p->source->base;
  for (; f->at < begin; f->at++) {
    char c = p->source->text[f->at];
    if (c == '\n') {
      f->column = 0;
      if (f->at >= before.end - p->source->base) ends++, blanks = f->at + 1;
    } else {
      f->column += ((unsigned char)c & 0xC0) != 0x80;
    }
  }
  token.column = f->column;
  token.blanks = begin - blanks;
  token.new_line = ends > 0 || !f->tokens.count;
  token.blank = ends > 1 && f->tokens.count;
  token.width = count_characters(token.text, token.length);
  ARENA_PUSH(f->arena, f->tokens.items, f->tokens.count, f->tokens.capacity, token);
}

/* One blank between a number and its unit. */
static void space_quantity(struct format *f, const struct expr *quantity) {
  struct token *token = &f->tokens.items[f->tokens.count - 1];
  size_t number = quantity->quantity.unit_span.begin - quantity->span.begin;
  while (strchr(" \t", token->text[number - 1]))
    number--;
  token->text = arena_printf(f->arena, "%.*s %s", (int)number, token->text, quantity->quantity.unit);
  token->length = strlen(token->text);
  token->width = count_characters(token->text, token->length);
}

static void read_tokens(struct format *f, struct parse *p) {
  void *scanner;
  PSL_STYPE value;
  struct span span, before = {p->source->base, p->source->base};
  parse_open(p, &scanner);
  uint32_t comment = 0;
  for (int kind = 1; kind;) {
    kind = parse_token(p, scanner, &value, &span);
    for (; comment < p->file->comment_count; comment++) {
      struct span place = p->file->comments[comment].span;
      add_token(f, p, COMMENT, place, before);
      before = place;
    }
    bool closes = kind == ')' || kind == ']' || kind == '}' || kind == TOKEN_CLOSE;
    if (closes) parse_passed(p, kind, span);
    add_token(f, p, kind, span, before);
    if (kind == TOKEN_QUANTITY) space_quantity(f, value.expr);
    if (!closes && kind) parse_passed(p, kind, span);
    before = span;
  }
}

/* ---- blanks between tokens ---- */

static bool is_word(const struct token *token) {
  return isalpha((unsigned char)*token->text) && token->kind != COMMENT;
}

/* Words that an operator, not an operand, or an opening bracket with a blank follows. */
static bool is_keyword(const struct token *token) {
  return is_word(token) && word_is_reserved(token->text, token->length) && token->kind != TOKEN_TRUE &&
         token->kind != TOKEN_FALSE;
}

static bool is_operand(const struct token *token) {
  if (token->kind == ')' || token->kind == ']' || token->kind == '}') return true;
  return token->kind == TOKEN_NUMBER || token->kind == TOKEN_QUANTITY || token->kind == TOKEN_STRING ||
         (is_word(token) && !is_keyword(token));
}

/* Whether `[` at i begins the qualifier of a term: names and slashes. */
static bool is_qualifier(struct format *f, uint32_t i) {
  if (!token_at(f, i)->operand) return false;
  for (i++; token_at(f, i)->kind == '/' || (is_word(token_at(f, i)) && !is_keyword(token_at(f, i))); i++)
    ;
  return token_at(f, i)->kind == ']';
}

/* Whether the `:` at i is followed by a type: `let a : T`, `(a : T, every b : U)`, `attribute a b : T`. */
static bool is_type_colon(struct format *f, uint32_t i, int statement) {
  if (statement == TOKEN_ATTRIBUTE) return true;
  if (i < 2 || !is_word(token_at(f, i - 1))) return false;
  switch (token_at(f, i - 2)->kind) {
  case '(':
  case ',':
  case TOKEN_LET:
  case TOKEN_PARAM:
  case TOKEN_VAR:
  case TOKEN_EVERY:
  case TOKEN_OUT:
  case TOKEN_INOUT: return true;
  case TOKEN_IN: return i > 2 && (token_at(f, i - 3)->kind == '(' || token_at(f, i - 3)->kind == ',');
  default: return false;
  }
}

static bool ends_type(const struct token *token) {
  switch (token->kind) {
  case '=':
  case ',':
  case ')':
  case ';':
  case TOKEN_OPEN:
  case TOKEN_IN:
  case TOKEN_COST:
  case TOKEN_FROM:
  case TOKEN_LOSSY: return true;
  default: return false;
  }
}

static bool wants_space(const struct token *before, const struct token *token, bool component) {
  if (token->kind == COMMENT || before->kind == COMMENT) return true;
  switch (token->kind) {
  case ',':
  case ';':
  case ')':
  case ']': return false;
  case '.': return before->kind == TOKEN_NUMBER; /* 1 .x: no point of the number */
  case '}': return before->kind != '{';
  case '(': return !token->operand && before->kind != '(' && before->kind != '[' && before->kind != TOKEN_FUNCTION;
  case '[': return component || (!token->operand && before->kind != '(' && before->kind != '[');
  default: break;
  }
  return before->kind != '(' && before->kind != '[' && before->kind != '.';
}

static void space_tokens(struct format *f) {
  static const struct token nothing = {.text = ""};
  const struct token *before = &nothing, *before2 = &nothing; /* comments left out */
  int statement = 0;                                          /* the token that began what ends in `;` or a brace */
  bool type = false, qualifier = false, after_tight = false, after_sign = false;
  for (uint32_t i = 0; token_at(f, i)->kind; i++) {
    struct token *token = token_at(f, i);
    if (token->kind == COMMENT) {
      token->spaced = true;
      continue;
    }
    if (!statement) {
      statement = token->kind;
      type = statement == TOKEN_COERCION;
    }
    bool option = statement == TOKEN_RECORD && before2->kind == ',' && before->length == strlen("quantiles") &&
                  !memcmp(before->text, "quantiles", before->length);
    token->operand = is_operand(before) && !option;
    if (ends_type(token)) type = false;
    bool header = before->kind == TOKEN_COMPONENT || before2->kind == TOKEN_COMPONENT;
    bool tight = (type || qualifier) && (token->kind == '/' || token->kind == '*' || token->kind == '^');
    token->spaced =
        wants_space(before, token, header && statement == TOKEN_COMPONENT) && !tight && !after_tight && !after_sign;
    if (i && token_at(f, i - 1)->kind == COMMENT) token->spaced = true;
    bool back = statement == '<' && token->kind == '-' && before->kind == '<'; /* an interaction of a protocol */
    if (back) token->spaced = false;
    after_tight = tight;
    after_sign = token->kind == '-' && !token->operand && !back;
    if (token->kind == ':') {
      bool ends_label = before->kind == TOKEN_ACCEPTS || before->kind == TOKEN_BODY || before->kind == TOKEN_REQUESTS;
      token->spaced = !ends_label && statement != TOKEN_AT;
      type = is_type_colon(f, i, statement);
    }
    if (token->kind == TOKEN_ARROW &&
        (statement == TOKEN_FUNCTION || statement == TOKEN_FIT || statement == TOKEN_TRANSACTION))
      type = true;
    if (token->kind == '[' && is_qualifier(f, i)) qualifier = true;
    if (token->kind == ']') qualifier = false;
    if (token->kind == ';' || token->kind == TOKEN_OPEN || token->kind == TOKEN_CLOSE ||
        (token->kind == ':' && !token->spaced))
      statement = 0;
    before2 = before;
    before = token;
  }
}

/* ---- lines ---- */

static struct context *context(struct format *f) { return &f->contexts.items[f->contexts.count - 1]; }

static bool is_part(struct format *f, uint32_t i) {
  int kind = token_at(f, i)->kind;
  return kind == TOKEN_ACCEPTS || kind == TOKEN_BODY || kind == TOKEN_REQUESTS;
}

static uint32_t line_indent(struct format *f, uint32_t i) {
  const struct context *c = context(f);
  if (token_at(f, i)->kind == TOKEN_CLOSE) return c->closing;
  if (is_part(f, i) || !c->part) return c->indent;
  return c->indent + INDENT + c->label;
}

/* The end of a label `name:` or `name(…):` at i, or 0. */
static uint32_t label_end(struct format *f, uint32_t i) {
  if (context(f)->part != TOKEN_REQUESTS || context(f)->label || !is_word(token_at(f, i))) return 0;
  if (is_keyword(token_at(f, i))) return 0;
  uint32_t depth = token_at(f, i++)->depth;
  while (token_at(f, i)->kind == '(' || token_at(f, i)->kind == COMMENT || token_at(f, i)->depth > depth)
    i++;
  if (token_at(f, i)->kind == ')') i++;
  while (token_at(f, i)->kind == COMMENT)
    i++;
  return token_at(f, i)->kind == ':' ? i + 1 : 0;
}

/* The end of the block at `open` if that holds one plain statement at most, all on its row; or 0. */
static uint32_t short_block(struct format *f, uint32_t open) {
  uint32_t i = open + 1, statements = 0;
  for (; token_at(f, i)->kind != TOKEN_CLOSE; i++) {
    int kind = token_at(f, i)->kind;
    if (!kind || kind == COMMENT || kind == TOKEN_OPEN || is_part(f, i) || token_at(f, i)->new_line) return 0;
    statements += kind == ';';
  }
  return token_at(f, i)->new_line || statements > 1 ? 0 : i + 1;
}

/* Short blocks that were written on one row, with all that an `if` has of them, and fit there stay
 * so: the end of the line, or 0. */
static uint32_t short_blocks(struct format *f, const struct line *line, uint32_t open) {
  if (token_at(f, line->first)->kind == TOKEN_CLOSE) return 0;
  for (;;) {
    uint32_t end = short_block(f, open), next = end;
    if (!end) return 0;
    while (token_at(f, next)->kind == COMMENT)
      next++;
    if (token_at(f, next)->kind != TOKEN_ELSE) return line->indent + flat_width(f, line->first, end) <= WIDTH ? end : 0;
    for (open = end; token_at(f, open)->kind != TOKEN_OPEN; open++) {
      if (token_at(f, open)->new_line || token_at(f, open)->kind == COMMENT) return 0;
    }
  }
}

static void push_context(struct format *f, uint32_t closing) {
  struct context inner = {.indent = closing + INDENT, .closing = closing};
  ARENA_PUSH(f->arena, f->contexts.items, f->contexts.count, f->contexts.capacity, inner);
}

/* The end of the logical line that begins at its first token; contexts are left and entered.  A label
 * stays on the row of its request's first clause where it was written so. */
static uint32_t find_end(struct format *f, struct line *line) {
  uint32_t i = line->first, end = label_end(f, i);
  if (end) {
    token_at(f, end - 1)->spaced = token_at(f, end - 2)->kind == COMMENT;
    context(f)->label = INDENT;
    for (uint32_t k = i + 1; k <= end; k++) {
      if (token_at(f, k)->new_line || token_at(f, k)->kind == COMMENT) return end;
    }
    context(f)->label = flat_width(f, i, end) + 1;
    line->column += context(f)->label;
    line->start = i = end;
  }
  if (is_part(f, i)) {
    context(f)->part = token_at(f, i)->kind;
    while (token_at(f, i)->kind != ':')
      i++;
    return i + 1;
  }
  if (token_at(f, i)->kind == TOKEN_CLOSE) {
    if (f->contexts.count > 1) f->contexts.count--;
    i++;
    uint32_t next = i;
    bool apart = false; /* a comment on a row of its own, or to the end of its row, has `else` begin one */
    for (; token_at(f, next)->kind == COMMENT; next++)
      apart |= token_at(f, next)->new_line || token_at(f, next)->text[1] == '/';
    if (token_at(f, next)->kind != TOKEN_ELSE || apart) return i;
  }
  for (;; i++) {
    switch (token_at(f, i)->kind) {
    case 0: return i;
    case ';': return i + 1;
    case TOKEN_OPEN:
      end = short_blocks(f, line, i);
      if (end) return end;
      push_context(f, line->indent);
      return i + 1;
    default: break;
    }
  }
}

/* The place of `=` in a clause of an accept or a request, or 0. */
static uint32_t clause_equals(struct format *f, const struct line *line) {
  int part = context(f)->part;
  if (part != TOKEN_ACCEPTS && part != TOKEN_REQUESTS) return 0;
  for (uint32_t i = line->start; i < line->end; i++) {
    if (token_at(f, i)->kind == '=') return i;
    if (!is_word(token_at(f, i)) || token_at(f, i)->kind == TOKEN_WHERE) return 0;
  }
  return 0;
}

static void note_clause(struct format *f, struct line *line) {
  if (token_at(f, line->end - 1)->kind == ':' || line->start > line->first) f->group++; /* a part, a label */
  line->equals = clause_equals(f, line);
  if (line->equals) line->group = f->group;
  bool last = token_at(f, line->start)->kind == TOKEN_PROTOCOL && line->equals;
  if (context(f)->part == TOKEN_REQUESTS && last) {
    context(f)->label = 0;
    f->group++;
  }
}

static void note_value(struct format *f, struct line *line) {
  uint32_t depth = token_at(f, line->first)->depth;
  for (uint32_t i = line->start; i + 1 < line->end && !line->value; i++) {
    if (token_at(f, i)->kind == '=' && token_at(f, i)->depth == depth) line->value = i + 1;
  }
}

/* Comments on the line's last row stand beside it. */
static void take_comments(struct format *f, struct line *line) {
  line->comments = line->end;
  while (token_at(f, line->end)->kind == COMMENT && !token_at(f, line->end)->new_line)
    line->end++;
}

static void cut_lines(struct format *f) {
  push_context(f, 0);
  context(f)->indent = 0;
  for (uint32_t i = 0; token_at(f, i)->kind;) {
    struct line line = {.first = i, .start = i, .indent = line_indent(f, i), .blank = token_at(f, i)->blank};
    line.column = line.indent;
    if (i && token_at(f, i - 1)->kind == TOKEN_OPEN) line.blank = false;
    if (token_at(f, i)->kind == TOKEN_CLOSE) line.blank = false;
    if (token_at(f, i)->kind == COMMENT) {
      uint32_t next = i; /* before a part or the end of a block, a comment may belong to what comes */
      while (token_at(f, next)->kind == COMMENT)
        next++;
      if (is_part(f, next) && !token_at(f, next)->blank) line.indent = line.column = line_indent(f, next);
      line.end = line.comments = i + 1;
    } else {
      line.end = find_end(f, &line);
      note_clause(f, &line);
      note_value(f, &line);
      take_comments(f, &line);
    }
    ARENA_PUSH(f->arena, f->lines.items, f->lines.count, f->lines.capacity, line);
    i = line.end;
  }
}

void ast_format(struct text *out, const struct file *file) {
  struct names names;
  names_open(&names, out->arena);
  struct file again = {.source = file->source};
  struct parse p = {.arena = out->arena, .names = &names, .source = file->source, .file = &again};
  struct format f = {.arena = out->arena};
  read_tokens(&f, &p);
  space_tokens(&f);
  cut_lines(&f);
  format_rows(&f, out);
}
