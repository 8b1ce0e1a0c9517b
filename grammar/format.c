/* The source in the one layout: `psl fmt`.
 *
 * The formatter works on the tokens of a text that parsed, not on the tree: what it prints are the
 * same tokens, so the program stays the same and each comment keeps its place between them.
 * First the tokens get their blanks (space_tokens), then they are cut into logical lines
 * (cut_lines), then each line is put, broken where it is too long, with the `=` of clauses and the
 * comments beside lines aligned (put_lines). */
#include "grammar/parse.h"
#include "psl.tab.h"
#include "grammar/text.h"

#include <ctype.h>
#include <string.h>

int psl_lex(PSL_STYPE *value, struct span *span, void *scanner);

enum { WIDTH = 110, INDENT = 2, CONTINUED = 4, COMMENT = 1000, LAST_RESORT = 1 };

struct token {
  int kind; /* of the grammar, COMMENT, or 0 at the end */
  const char *text;
  size_t length;
  uint32_t width;   /* in characters */
  uint32_t depth;   /* brackets open around it */
  bool new_line;    /* a line end stands before it */
  bool blank;       /* an empty line stands before it */
  bool spaced;      /* a blank goes before it, unless it begins a line */
  bool operand;     /* something that a value may end with stands before it */
};

struct line {
  uint32_t first, end; /* its tokens */
  uint32_t indent;
  uint32_t comments;   /* the tokens from here to the end stand beside it */
  uint32_t group;      /* of clauses whose `=` are aligned; 0: none */
  uint32_t equals;     /* its `=` */
  uint32_t pad;        /* blanks before that */
  bool blank;          /* an empty line before it */
};

struct context { /* of a block, or of the file */
  uint32_t indent;  /* of what stands in it */
  uint32_t closing; /* of its closing brace */
  int part;         /* TOKEN_ACCEPTS, TOKEN_BODY, TOKEN_REQUESTS or 0 */
  bool label;       /* in a labelled request */
};

LIST(token_list, struct token);
LIST(line_list, struct line);
LIST(context_list, struct context);
struct format {
  struct arena *arena;
  struct token_list tokens;
  struct line_list lines;
  struct context_list contexts;
  uint32_t group;
};

static uint32_t count_characters(const char *s, size_t length) {
  uint32_t count = 0;
  for (size_t i = 0; i < length; i++) count += ((unsigned char)s[i] & 0xC0) != 0x80;
  return count;
}

/* ---- the tokens, comments among them ---- */

static void add_token(struct format *f, struct parse *p, int kind, struct span span, struct span before) {
  const char *text = p->source->text + (span.begin - p->source->base);
  struct token token = {
      .kind = kind, .text = text, .length = span.end - span.begin, .depth = p->brackets.count};
  if (kind == COMMENT) {
    while (token.length && isspace((unsigned char)text[token.length - 1])) token.length--;
  }
  uint32_t ends = 0;
  for (uint32_t at = before.end - p->source->base; at < span.begin - p->source->base; at++)
    ends += p->source->text[at] == '\n';
  token.new_line = ends > 0 || !f->tokens.count;
  token.blank = ends > 1 && f->tokens.count;
  token.width = count_characters(token.text, token.length);
  ARENA_PUSH(f->arena, f->tokens.items, f->tokens.count, f->tokens.capacity, token);
}

/* One blank between a number and its unit. */
static void space_quantity(struct format *f, const struct expr *quantity) {
  struct token *token = &f->tokens.items[f->tokens.count - 1];
  size_t number = quantity->quantity.unit_span.begin - quantity->span.begin;
  while (strchr(" \t", token->text[number - 1])) number--;
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
  for (int kind = 1; kind; ) {
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
  return is_word(token) && parse_is_reserved(token->text, token->length) && token->kind != TOKEN_TRUE &&
         token->kind != TOKEN_FALSE;
}

static bool is_operand(const struct token *token) {
  if (token->kind == ')' || token->kind == ']' || token->kind == '}') return true;
  return token->kind == TOKEN_NUMBER || token->kind == TOKEN_QUANTITY || token->kind == TOKEN_STRING ||
         (is_word(token) && !is_keyword(token));
}

static struct token *token_at(struct format *f, uint32_t i) {
  return &f->tokens.items[i];
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
  case '(': case ',': case TOKEN_LET: case TOKEN_PARAM: case TOKEN_VAR: case TOKEN_EVERY: return true;
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
  case TOKEN_LOSSY: return true;
  default: return false;
  }
}

static bool wants_space(const struct token *before, const struct token *token, bool component) {
  if (token->kind == COMMENT || before->kind == COMMENT) return true;
  switch (token->kind) {
  case ',': case ';': case ')': case ']': return false;
  case '.': return before->kind == TOKEN_NUMBER; /* 1 .x: no point of the number */
  case '}': return before->kind != '{';
  case '(': return !token->operand && before->kind != '(' && before->kind != '[';
  case '[': return component || (!token->operand && before->kind != '(' && before->kind != '[');
  default: break;
  }
  return before->kind != '(' && before->kind != '[' && before->kind != '.';
}

static void space_tokens(struct format *f) {
  static const struct token nothing = {.text = ""};
  const struct token *before = &nothing, *before2 = &nothing; /* comments left out */
  int statement = 0; /* the token that began what ends in `;` or a brace */
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
    token->operand = is_operand(before);
    if (ends_type(token)) type = false;
    bool header = before->kind == TOKEN_COMPONENT || before2->kind == TOKEN_COMPONENT;
    bool tight = (type || qualifier) && (token->kind == '/' || token->kind == '*');
    token->spaced = wants_space(before, token, header && statement == TOKEN_COMPONENT) && !tight &&
                    !after_tight && !after_sign;
    if (i && token_at(f, i - 1)->kind == COMMENT) token->spaced = true;
    after_tight = tight;
    after_sign = token->kind == '-' && !token->operand;
    if (token->kind == ':') {
      bool ends_label =
          before->kind == TOKEN_ACCEPTS || before->kind == TOKEN_BODY || before->kind == TOKEN_REQUESTS;
      token->spaced = !ends_label;
      type = is_type_colon(f, i, statement);
    }
    if (token->kind == TOKEN_ARROW && (statement == TOKEN_FUNCTION || statement == TOKEN_TRANSACTION))
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

static struct context *context(struct format *f) {
  return &f->contexts.items[f->contexts.count - 1];
}

static bool is_part(struct format *f, uint32_t i) {
  int kind = token_at(f, i)->kind;
  return kind == TOKEN_ACCEPTS || kind == TOKEN_BODY || kind == TOKEN_REQUESTS;
}

static uint32_t line_indent(struct format *f, uint32_t i) {
  const struct context *c = context(f);
  if (token_at(f, i)->kind == TOKEN_CLOSE) return c->closing;
  if (is_part(f, i) || !c->part) return c->indent;
  return c->indent + INDENT + (c->label ? INDENT : 0);
}

/* The end of a label `name:` or `name(…):` at i, or 0. */
static uint32_t label_end(struct format *f, uint32_t i) {
  if (context(f)->part != TOKEN_REQUESTS || context(f)->label || !is_word(token_at(f, i))) return 0;
  if (is_keyword(token_at(f, i))) return 0;
  uint32_t depth = token_at(f, i++)->depth;
  while (token_at(f, i)->kind == '(' || token_at(f, i)->kind == COMMENT || token_at(f, i)->depth > depth) i++;
  if (token_at(f, i)->kind == ')') i++;
  while (token_at(f, i)->kind == COMMENT) i++;
  return token_at(f, i)->kind == ':' ? i + 1 : 0;
}

static uint32_t flat_width(struct format *f, uint32_t from, uint32_t to) {
  uint32_t width = 0;
  for (uint32_t i = from; i < to; i++) width += token_at(f, i)->width + (i > from && token_at(f, i)->spaced);
  return width;
}

/* A block of one plain statement that was written on one line, and fits there, stays so: the end of
 * the line, or 0. */
static uint32_t short_block(struct format *f, const struct line *line, uint32_t open) {
  uint32_t i = open + 1, statements = 0;
  if (open > line->first && token_at(f, open - 1)->kind == TOKEN_ELSE) return 0;
  for (; token_at(f, i)->kind != TOKEN_CLOSE; i++) {
    int kind = token_at(f, i)->kind;
    if (!kind || kind == COMMENT || kind == TOKEN_OPEN || is_part(f, i) || token_at(f, i)->new_line) return 0;
    statements += kind == ';';
  }
  if (token_at(f, i)->new_line || statements > 1) return 0;
  uint32_t after = i + 1;
  while (token_at(f, after)->kind == COMMENT) after++;
  if (token_at(f, after)->kind == TOKEN_ELSE) return 0;
  return line->indent + flat_width(f, line->first, i + 1) <= WIDTH ? i + 1 : 0;
}

static void push_context(struct format *f, uint32_t closing) {
  struct context inner = {.indent = closing + INDENT, .closing = closing};
  ARENA_PUSH(f->arena, f->contexts.items, f->contexts.count, f->contexts.capacity, inner);
}

/* The end of the logical line that begins at its first token; contexts are left and entered. */
static uint32_t find_end(struct format *f, struct line *line) {
  uint32_t i = line->first, end = label_end(f, i);
  if (end) {
    context(f)->label = true;
    token_at(f, end - 1)->spaced = token_at(f, end - 2)->kind == COMMENT;
    return end;
  }
  if (is_part(f, i)) {
    context(f)->part = token_at(f, i)->kind;
    while (token_at(f, i)->kind != ':') i++;
    return i + 1;
  }
  if (token_at(f, i)->kind == TOKEN_CLOSE) {
    if (f->contexts.count > 1) f->contexts.count--;
    i++;
    uint32_t next = i;
    while (token_at(f, next)->kind == COMMENT) next++;
    if (token_at(f, next)->kind != TOKEN_ELSE) return i;
  }
  for (;; i++) {
    switch (token_at(f, i)->kind) {
    case 0: return i;
    case ';': return i + 1;
    case TOKEN_OPEN:
      end = short_block(f, line, i);
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
  for (uint32_t i = line->first; i < line->end; i++) {
    if (token_at(f, i)->kind == '=') return i;
    if (!is_word(token_at(f, i)) || token_at(f, i)->kind == TOKEN_WHERE) return 0;
  }
  return 0;
}

static void note_clause(struct format *f, struct line *line) {
  int first = token_at(f, line->first)->kind;
  if (token_at(f, line->end - 1)->kind == ':') f->group++; /* a part or a label */
  line->equals = clause_equals(f, line);
  if (line->equals) line->group = f->group;
  if (context(f)->part == TOKEN_REQUESTS && first == TOKEN_PROTOCOL && line->equals) {
    context(f)->label = false;
    f->group++;
  }
}

/* Comments on the line's last row stand beside it. */
static void take_comments(struct format *f, struct line *line) {
  line->comments = line->end;
  while (token_at(f, line->end)->kind == COMMENT && !token_at(f, line->end)->new_line) line->end++;
}

static void cut_lines(struct format *f) {
  push_context(f, 0);
  context(f)->indent = 0;
  for (uint32_t i = 0; token_at(f, i)->kind; ) {
    struct line line = {.first = i, .indent = line_indent(f, i), .blank = token_at(f, i)->blank};
    if (i && token_at(f, i - 1)->kind == TOKEN_OPEN) line.blank = false;
    if (token_at(f, i)->kind == TOKEN_CLOSE) line.blank = false;
    if (token_at(f, i)->kind == COMMENT) {
      uint32_t next = i; /* before a part or the end of a block, a comment may belong to what comes */
      while (token_at(f, next)->kind == COMMENT) next++;
      if (is_part(f, next) && !token_at(f, next)->blank) line.indent = line_indent(f, next);
      line.end = line.comments = i + 1;
    } else {
      line.end = find_end(f, &line);
      note_clause(f, &line);
      take_comments(f, &line);
    }
    ARENA_PUSH(f->arena, f->lines.items, f->lines.count, f->lines.capacity, line);
    i = line.end;
  }
}

/* ---- putting ---- */

static bool is_line_comment(const struct token *token) {
  return token->kind == COMMENT && token->text[1] == '/';
}

/* How loosely what stands before and after a token hangs together: where to break first.  0: not here. */
static uint32_t looseness(const struct token *before, const struct token *token) {
  if (before->kind == ',') return 20;
  switch (token->kind) {
  case TOKEN_THEN: case TOKEN_ELSE: return 14;
  case TOKEN_OR: return 12;
  case TOKEN_AND: return 11;
  case TOKEN_EQ: case TOKEN_NE: case '<': case '>': case TOKEN_LE: case TOKEN_GE: case TOKEN_IN: return 9;
  case TOKEN_DOTS: return 8;
  case '+': return 7;
  case '-': return token->operand ? 7 : 0;
  case '*': case '/': case TOKEN_DIV: case TOKEN_MOD: return token->spaced ? 6 : 0;
  default: break;
  }
  if (token->kind == COMMENT || token->kind == '{' || token->kind == '}' || token->kind == TOKEN_OPEN ||
      before->kind == '{')
    return 0;
  if (before->kind == '=') return 5;
  return token->spaced ? LAST_RESORT : 0;
}

/* Where to break [from, to) so that the first piece fits in `room`: the loosest place, unless that
 * leaves much of the room empty; of equals the last. The end if there is none. */
static uint32_t choose_break(struct format *f, uint32_t from, uint32_t to, uint32_t room) {
  uint32_t width = token_at(f, from)->width, best = to;
  int64_t best_value = INT64_MIN;
  for (uint32_t i = from + 1; i < to; i++) {
    const struct token *token = token_at(f, i);
    uint32_t loose = looseness(token_at(f, i - 1), token);
    int64_t value = (int64_t)loose - 24 * (int64_t)token->depth - (loose == LAST_RESORT ? 64 : 0) -
                    (token_at(f, i - 1)->kind == '=' ? 32 : 0);
    if (room > width) value -= 24 * (int64_t)(room - width) / room;
    if (loose && (width <= room ? value >= best_value : best == to)) {
      best = i;
      best_value = value;
    }
    if (width > room && best != to) break;
    width += token->width + token->spaced;
  }
  return best;
}

struct row { /* where the text is being put */
  struct text *out;
  uint32_t column;
  struct { uint32_t *items; uint32_t count, capacity; } open; /* columns behind the open brackets */
};

static void put_blanks(struct row *row, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) text_char(row->out, ' ');
  row->column += count;
}

static void put_token(struct format *f, struct row *row, const struct token *token) {
  for (size_t i = 0; i < token->length; i++) {
    bool line_end = token->text[i] == '\r' && i + 1 < token->length && token->text[i + 1] == '\n';
    if (!line_end) text_char(row->out, token->text[i]);
  }
  row->column += token->width;
  switch (token->kind) {
  case '(': case '[': case '{':
    ARENA_PUSH(f->arena, row->open.items, row->open.count, row->open.capacity,
               row->column + (token->kind == '{'));
    break;
  case ')': case ']': case '}':
    if (row->open.count) row->open.count--;
    break;
  default: break;
  }
}

static void new_row(struct row *row, const struct line *line) {
  uint32_t column = line->indent + CONTINUED;
  if (row->open.count && row->open.items[row->open.count - 1] <= WIDTH / 2)
    column = row->open.items[row->open.count - 1];
  text_char(row->out, '\n');
  row->column = 0;
  put_blanks(row, column);
}

static void put_piece(struct format *f, struct row *row, const struct line *line, uint32_t from,
                      uint32_t to) {
  for (uint32_t i = from; i < to; i++) {
    const struct token *token = token_at(f, i);
    if (i > from && token->spaced) put_blanks(row, 1);
    if (i == line->equals && line->group) put_blanks(row, line->pad);
    put_token(f, row, token);
  }
}

/* A stretch of tokens without a forced end of a row, the row being begun. */
static void put_stretch(struct format *f, struct row *row, const struct line *line, uint32_t from,
                        uint32_t to) {
  while (from < to) {
    uint32_t pad = line->group && from <= line->equals && line->equals < to ? line->pad : 0, end = to;
    if (row->column + pad + flat_width(f, from, to) > WIDTH)
      end = choose_break(f, from, to, row->column + pad < WIDTH ? WIDTH - row->column - pad : 0);
    put_piece(f, row, line, from, end);
    from = end;
    if (from < to) new_row(row, line);
  }
}

/* Comments within a line keep their rows. */
static void put_line(struct format *f, struct row *row, const struct line *line) {
  uint32_t from = line->first;
  put_blanks(row, line->indent);
  for (uint32_t i = from + 1; i < line->comments; i++) {
    const struct token *before = token_at(f, i - 1), *token = token_at(f, i);
    bool own = token->kind == COMMENT && token->new_line;
    bool after = before->kind == COMMENT && (token->new_line || is_line_comment(before));
    if (!own && !after) continue;
    put_stretch(f, row, line, from, i);
    new_row(row, line);
    from = i;
  }
  put_stretch(f, row, line, from, line->comments);
}

/* The `=` of the clauses of one group stand under each other. */
static void align_clauses(struct format *f) {
  for (uint32_t i = 0, end; i < f->lines.count; i = end) {
    struct line *lines = f->lines.items;
    uint32_t widest = 0;
    end = i + 1;
    if (!lines[i].group) continue;
    while (end < f->lines.count && (lines[end].group == lines[i].group ||
                                    (!lines[end].group && lines[end].indent == lines[i].indent)))
      end++;
    for (uint32_t k = i; k < end; k++) {
      uint32_t width = lines[k].group ? flat_width(f, lines[k].first, lines[k].equals) : 0;
      if (width > widest) widest = width;
    }
    for (uint32_t k = i; k < end; k++) {
      if (lines[k].group) lines[k].pad = widest - flat_width(f, lines[k].first, lines[k].equals);
    }
  }
}

/* Lines with comments beside them, one under the other, as they were put. */
struct shown {
  const struct line *line;
  const char *text;
  uint32_t width; /* of its last row */
};

static void put_comments(struct format *f, struct text *out, const struct shown *lines, uint32_t count) {
  uint32_t widest = 0;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t comment = flat_width(f, lines[i].line->comments, lines[i].line->end);
    if (lines[i].width > widest && lines[i].width + 2 + comment <= WIDTH) widest = lines[i].width;
  }
  for (uint32_t i = 0; i < count; i++) {
    const struct line *line = lines[i].line;
    struct row row = {.out = out, .column = lines[i].width};
    uint32_t comment = flat_width(f, line->comments, line->end);
    text_put(out, lines[i].text);
    if (comment)
      put_blanks(&row,
                 widest > lines[i].width && widest + 2 + comment <= WIDTH ? widest - lines[i].width + 2 : 2);
    for (uint32_t k = line->comments; k < line->end; k++) {
      if (k > line->comments) put_blanks(&row, 1);
      put_token(f, &row, token_at(f, k));
    }
    text_char(out, '\n');
  }
}

static void put_lines(struct format *f, struct text *out) {
  struct shown *run = ARENA_ARRAY(f->arena, struct shown, f->lines.count);
  uint32_t count = 0;
  for (uint32_t i = 0; i < f->lines.count; i++) {
    const struct line *line = &f->lines.items[i];
    bool beside = line->comments < line->end;
    if (count && (!beside || line->blank || line->indent != run[0].line->indent)) {
      put_comments(f, out, run, count);
      count = 0;
    }
    if (line->blank) text_char(out, '\n');
    struct text text = {.arena = f->arena};
    struct row row = {.out = &text};
    put_line(f, &row, line);
    run[count++] = (struct shown){line, text.data, row.column};
    if (!beside) {
      put_comments(f, out, run, count);
      count = 0;
    }
  }
  put_comments(f, out, run, count);
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
  align_clauses(&f);
  put_lines(&f, out);
}
