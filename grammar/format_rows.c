/* Logical lines as rows: where a long line breaks, what stands under what.  Called by format.c.
 *
 * A line breaks where its author broke it, as long as that is a place where the formatter itself would
 * (is_place), and else where it must: before `then` and `else`, at commas, before `or` and `and`, before
 * other operators, the loosest place first (choose_break).  As the places it chooses are places that it
 * keeps, formatting twice changes nothing more. */
#include "grammar/format.h"
#include "psl.tab.h"

enum { LAST_RESORT = 1, LEVEL = 28, NESTED = 2 * WIDTH / 3, WINDOW = 8 * WIDTH };

/* ---- where to break ---- */

static bool is_line_comment(const struct token *token) { return token->kind == COMMENT && token->text[1] == '/'; }

static bool in_block(const struct token *before, const struct token *token) {
  return token->kind == TOKEN_OPEN || before->kind == TOKEN_OPEN || token->kind == TOKEN_CLOSE ||
         before->kind == TOKEN_CLOSE;
}

/* How loosely the token at i hangs together with the one before: where to break first.  0: not here. */
static uint32_t looseness(struct format *f, const struct line *line, uint32_t i) {
  const struct token *before = token_at(f, i - 1), *token = token_at(f, i);
  if (before->kind == ',') return 24;
  if (in_block(before, token)) return 0;
  switch (token->kind) {
  case TOKEN_THEN:
  case TOKEN_ELSE: return 22;
  case TOKEN_OR: return 20;
  case TOKEN_AND: return 18;
  case '+': return 10;
  case '-': return token->operand ? 10 : 0;
  case TOKEN_EQ:
  case TOKEN_NE:
  case '<':
  case '>':
  case TOKEN_LE:
  case TOKEN_GE:
  case TOKEN_IN: return 7;
  case TOKEN_DOTS: return 6;
  case '*':
  case '/':
  case TOKEN_DIV:
  case TOKEN_MOD: return token->spaced ? 5 : 0;
  default: break;
  }
  if (token->kind == COMMENT || token->kind == '{' || token->kind == '}' || before->kind == '{') return 0;
  if (i == line->value && !line->group) return 4;
  return token->spaced ? LAST_RESORT : 0;
}

/* A place where an author's break is kept. */
static bool is_place(struct format *f, const struct line *line, uint32_t i) {
  return looseness(f, line, i) > LAST_RESORT;
}

/* A comment begins a row where it did, and ends its row if it must, or did. */
static bool is_forced(const struct token *before, const struct token *token) {
  return (token->kind == COMMENT && token->new_line) ||
         (before->kind == COMMENT && (token->new_line || is_line_comment(before)));
}

static void keep_breaks(struct format *f, const struct line *line) {
  for (uint32_t i = line->start + 1; i < line->comments; i++) {
    struct token *token = token_at(f, i);
    const struct token *before = token_at(f, i - 1);
    token->breaks = is_forced(before, token) || (token->new_line && is_place(f, line, i));
  }
}

static bool fits(struct format *f, uint32_t from, uint32_t to, uint32_t room) {
  uint32_t width = 0;
  for (uint32_t i = from; i < to && width <= room; i++)
    width += token_at(f, i)->width + (i > from ? token_at(f, i)->spaced + token_at(f, i)->pad : 0);
  return width <= room;
}

/* Where to break [from, to) so that the first piece fits in `room`: the loosest place, unless that
 * leaves more than half of the room empty; of equals the last. The end if there is none. */
static uint32_t choose_break(struct format *f, const struct line *line, uint32_t from, uint32_t to, uint32_t room) {
  uint32_t width = token_at(f, from)->width, best = to;
  int64_t best_value = INT64_MIN;
  for (uint32_t i = from + 1; i < to; i++) {
    const struct token *token = token_at(f, i);
    uint32_t loose = looseness(f, line, i);
    int64_t value = (int64_t)loose - LEVEL * (int64_t)token->depth;
    if (loose == LAST_RESORT) value -= 64;
    if (i <= line->value) value -= LEVEL; /* what is given its value stays in one piece */
    if (width < room / 2) value -= 48 * (int64_t)(room / 2 - width) / room;
    if (loose && (width <= room ? value >= best_value : best == to)) {
      best = i;
      best_value = value;
    }
    if (width > room && best != to) break;
    width += token->width + token->spaced + token->pad;
  }
  return best;
}

/* Breaks [from, to) before `then` and `else`, each on a row of its own, if nothing looser is in it; of
 * a chain of `else if` before each `else`. */
static bool break_branches(struct format *f, const struct line *line, uint32_t from, uint32_t to) {
  uint32_t depth = UINT32_MAX, thens = 0;
  for (uint32_t i = from; i < to; i++) {
    if (token_at(f, i)->kind != TOKEN_THEN || token_at(f, i)->depth > depth) continue;
    thens = token_at(f, i)->depth < depth ? 1 : thens + 1;
    depth = token_at(f, i)->depth;
  }
  if (!thens) return false;
  for (uint32_t i = from + 1; i < to; i++) {
    const struct token *token = token_at(f, i);
    if (i <= line->value || token->depth > depth || !is_place(f, line, i)) continue;
    if (token->depth < depth || token_at(f, i - 1)->kind == ',') return false;
  }
  bool broken = false;
  for (uint32_t i = from + 1; i < to; i++) {
    struct token *token = token_at(f, i);
    if (token->depth != depth || in_block(token_at(f, i - 1), token)) continue;
    if (token->kind != TOKEN_ELSE && (token->kind != TOKEN_THEN || thens > 1)) continue;
    token->breaks = broken = true;
  }
  return broken;
}

/* ---- rows ---- */

struct open {      /* a bracket */
  uint32_t column; /* behind it */
  bool list;       /* a comma stood in it */
};
LIST(open_list, struct open);

struct layout { /* the row that is being put */
  struct format *f;
  const struct line *line;
  struct text text;
  uint32_t column;
  struct open_list open;
};

static void put_blanks(struct layout *l, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    text_char(&l->text, ' ');
  l->column += count;
}

static void put_token(struct layout *l, const struct token *token) {
  for (size_t i = 0; i < token->length; i++) {
    bool line_end = token->text[i] == '\r' && i + 1 < token->length && token->text[i + 1] == '\n';
    if (!line_end) text_char(&l->text, token->text[i]);
  }
  l->column += token->width;
  switch (token->kind) {
  case '(':
  case '[':
  case '{': {
    struct open open = {.column = l->column + (token->kind == '{')};
    ARENA_PUSH(l->f->arena, l->open.items, l->open.count, l->open.capacity, open);
    break;
  }
  case ')':
  case ']':
  case '}':
    if (l->open.count) l->open.count--;
    break;
  case ',':
    if (l->open.count) l->open.items[l->open.count - 1].list = true;
    break;
  default: break;
  }
}

static void put_tokens(struct layout *l, uint32_t from, uint32_t to) {
  for (uint32_t i = from; i < to; i++) {
    const struct token *token = token_at(l->f, i);
    if (i > from) put_blanks(l, token->spaced + token->pad);
    put_token(l, token);
  }
}

/* Where the row of the token at i begins. */
static uint32_t row_column(struct layout *l, uint32_t i) {
  const struct line *line = l->line;
  uint32_t before = i - 1;
  while (before > line->first && token_at(l->f, before)->kind == COMMENT)
    before--;
  int kind = token_at(l->f, i)->kind;
  bool branch = kind == TOKEN_THEN || kind == TOKEN_ELSE, comma = token_at(l->f, before)->kind == ',';
  const struct open *open = l->open.count ? &l->open.items[l->open.count - 1] : NULL;
  if (open && open->column <= NESTED) return open->column + (branch || (open->list && !comma) ? INDENT : 0);
  if (open) return line->column + CONTINUED;
  if (branch || before + 1 == line->value) return line->column + INDENT;
  if (comma) return line->column + token_at(l->f, line->start)->width + 1; /* `vary a in …, b in …` */
  return line->column + CONTINUED;
}

/* Ends the row; the tokens [from, to) stand beside it. */
static void end_row(struct layout *l, bool first, uint32_t from, uint32_t to) {
  struct row row = {.text = l->text.data,
                    .width = l->column,
                    .indent = l->line->indent,
                    .comments = from,
                    .comment_end = to,
                    .blank = first && l->line->blank};
  ARENA_PUSH(l->f->arena, l->f->rows.items, l->f->rows.count, l->f->rows.capacity, row);
  l->text = (struct text){.arena = l->f->arena};
  l->column = 0;
}

/* The end of the row that begins at `from`, at the column reached. */
static uint32_t row_end(struct layout *l, uint32_t from) {
  struct format *f = l->f;
  uint32_t room = l->column < WIDTH ? WIDTH - l->column : 0, ahead = l->line->comments;
  if (ahead - from > WINDOW) ahead = from + WINDOW; /* as far as a choice looks */
  for (;;) {
    uint32_t to = from + 1;
    while (to < ahead && !token_at(f, to)->breaks)
      to++;
    uint32_t code = to;
    while (code > from + 1 && token_at(f, code - 1)->kind == COMMENT)
      code--;
    if (fits(f, from, code, room)) return to;
    if (break_branches(f, l->line, from, code)) continue;
    uint32_t at = choose_break(f, l->line, from, code, room);
    return at < code ? at : to;
  }
}

static void put_line(struct format *f, const struct line *line) {
  struct layout l = {.f = f, .line = line, .text = {.arena = f->arena}};
  keep_breaks(f, line);
  put_blanks(&l, line->indent);
  for (uint32_t from = line->first, to; from < line->comments; from = to) {
    if (from > line->first) put_blanks(&l, row_column(&l, from));
    to = row_end(&l, from);
    uint32_t code = to;
    while (code > from + 1 && token_at(f, code - 1)->kind == COMMENT)
      code--;
    put_tokens(&l, from, code);
    end_row(&l, from == line->first, code, to < line->comments ? to : line->end);
  }
}

/* ---- what stands under what ---- */

/* The `=` of the clauses of one group stand under each other. */
static void align_clauses(struct format *f) {
  for (uint32_t i = 0, end; i < f->lines.count; i = end) {
    struct line *lines = f->lines.items;
    uint32_t widest = 0;
    end = i + 1;
    if (!lines[i].group) continue;
    while (end < f->lines.count &&
           (lines[end].group == lines[i].group || (!lines[end].group && lines[end].column == lines[i].column)))
      end++;
    for (uint32_t k = i; k < end; k++) {
      uint32_t width = lines[k].group ? flat_width(f, lines[k].start, lines[k].equals) : 0;
      if (width > widest) widest = width;
    }
    for (uint32_t k = i; k < end; k++) {
      if (lines[k].group) token_at(f, lines[k].equals)->pad = widest - flat_width(f, lines[k].start, lines[k].equals);
    }
  }
}

/* Whether a line stays on one row, and is none of those that align_clauses aligns. */
static bool is_plain(struct format *f, const struct line *line) {
  if (line->group || token_at(f, line->first)->kind == COMMENT) return false;
  for (uint32_t i = line->first + 1; i < line->comments; i++) {
    if (token_at(f, i)->new_line && (token_at(f, i)->kind == COMMENT || is_place(f, line, i))) return false;
  }
  return fits(f, line->first, line->comments, WIDTH - (line->indent < WIDTH ? line->indent : WIDTH));
}

/* Notes what the author put under tokens of the line above, with blanks more than one; true if any. */
static bool link_lines(struct format *f, const struct line *above, const struct line *line) {
  bool linked = false;
  uint32_t i = above->first + 1;
  for (uint32_t k = line->first + 1; k < line->comments; k++) {
    struct token *token = token_at(f, k);
    while (i < above->comments && token_at(f, i)->column < token->column)
      i++;
    if (i == above->comments) break;
    const struct token *upper = token_at(f, i);
    if (upper->column != token->column || upper->kind != token->kind) continue;
    if (upper->depth != token->depth || upper->new_line || token->new_line) continue;
    if (!upper->spaced || !token->spaced || !upper->blanks || !token->blanks) continue;
    if (upper->blanks < 2 && token->blanks < 2) continue;
    token->above = i;
    linked = true;
  }
  return linked;
}

/* Pads linked tokens of two lines until they stand under each other; true if it had to. */
static bool pad_lines(struct format *f, const struct line *above, const struct line *line) {
  bool padded = false;
  uint32_t i = above->first, upper = token_at(f, i)->width, column = token_at(f, line->first)->width;
  for (uint32_t k = line->first + 1; k < line->comments; k++) {
    struct token *token = token_at(f, k);
    column += token->spaced + token->pad;
    if (token->above) {
      while (i < token->above) {
        i++;
        upper += token_at(f, i)->spaced + token_at(f, i)->pad;
        if (i < token->above) upper += token_at(f, i)->width;
      }
      padded |= upper != column;
      if (upper < column)
        token_at(f, i)->pad += column - upper;
      else
        token->pad += upper - column;
      upper = column = upper < column ? column : upper;
      upper += token_at(f, i)->width;
    }
    column += token->width;
  }
  return padded;
}

/* Tables: what the author put under each other in lines that follow each other stays so, with as few
 * blanks as that takes; not if it does not fit. */
static void align_tables(struct format *f) {
  struct line *lines = f->lines.items;
  for (uint32_t i = 0, end; i < f->lines.count; i = end) {
    end = i + 1;
    if (!is_plain(f, &lines[i])) continue;
    while (end < f->lines.count && !lines[end].blank && lines[end].indent == lines[i].indent &&
           is_plain(f, &lines[end]) && link_lines(f, &lines[end - 1], &lines[end]))
      end++;
    bool again = end > i + 1, fit = true;
    while (again) {
      again = false;
      for (uint32_t k = i + 1; k < end; k++)
        again |= pad_lines(f, &lines[k - 1], &lines[k]);
      for (uint32_t k = end - 1; k > i; k--)
        again |= pad_lines(f, &lines[k - 1], &lines[k]);
    }
    for (uint32_t k = i; k < end && end > i + 1; k++)
      fit &= lines[k].indent + flat_width(f, lines[k].first, lines[k].comments) <= WIDTH;
    for (uint32_t t = lines[i].first; t < lines[end - 1].end && !fit; t++)
      token_at(f, t)->pad = 0;
  }
}

/* ---- putting ---- */

static bool is_beside(const struct row *row) { return row->comments < row->comment_end; }

/* Whether the comments beside two rows belong together: rows that follow each other, or the author put
 * the one comment under the other and no part or block begins or ends between. */
static bool are_aligned(struct format *f, uint32_t upper, uint32_t row) {
  const struct row *rows = f->rows.items;
  if (row == upper + 1 && rows[row].indent == rows[upper].indent) return true;
  for (uint32_t k = upper + 1; k < row; k++) {
    if (rows[k].indent < rows[row].indent || rows[k].indent < rows[upper].indent) return false;
  }
  return token_at(f, rows[row].comments)->column == token_at(f, rows[upper].comments)->column;
}

static void put_row(struct format *f, struct text *out, const struct row *row, uint32_t column) {
  if (row->blank) text_char(out, '\n');
  text_put(out, row->text);
  if (is_beside(row)) {
    struct layout l = {.f = f, .text = {.arena = f->arena}};
    put_blanks(&l, column - row->width);
    put_tokens(&l, row->comments, row->comment_end);
    text_put(out, l.text.data);
  }
  text_char(out, '\n');
}

/* The rows, comments that belong together in one column as long as they fit there. */
static void put_rows(struct format *f, struct text *out) {
  const struct row *rows = f->rows.items;
  for (uint32_t i = 0; i < f->rows.count;) {
    uint32_t last = i, widest = rows[i].width, longest = flat_width(f, rows[i].comments, rows[i].comment_end);
    for (uint32_t k = i + 1; is_beside(&rows[i]) && k < f->rows.count && !rows[k].blank; k++) {
      if (!is_beside(&rows[k])) continue;
      uint32_t comment = flat_width(f, rows[k].comments, rows[k].comment_end);
      uint32_t width = rows[k].width > widest ? rows[k].width : widest;
      if (comment < longest) comment = longest;
      if (!are_aligned(f, last, k) || width + 2 + comment > WIDTH) break;
      widest = width;
      longest = comment;
      last = k;
    }
    for (; i <= last; i++)
      put_row(f, out, &rows[i], widest + 2);
  }
}

void format_rows(struct format *f, struct text *out) {
  align_clauses(f);
  align_tables(f);
  for (uint32_t i = 0; i < f->lines.count; i++)
    put_line(f, &f->lines.items[i]);
  put_rows(f, out);
}
