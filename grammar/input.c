/* Pieces of input: the push parser is asked, token by token, whether it could end where the text does. An
 * interactive session calls it with each line; what is complete is then read by parse_file or
 * parse_expression, which say what is wrong. */
#include "grammar/input.h"
#include "grammar/parse.h"
#include "grammar/words.h"
#include "psl.tab.h"

#include <ctype.h>
#include <string.h>

enum { BISON_EXHAUSTED = 2 /* what the parser returns where its stack is full */ };

/* One look at a text: it goes through the parser until it ends, or until its first piece does. */
struct look {
  struct parse p;
  psl_pstate *state;
  void *scanner;
  bool expression;
  bool any;          /* tokens were met */
  bool declares;     /* the first begins a declaration */
  bool wrong;        /* one of them does not fit */
  bool parts;        /* a component without a name has begun */
  bool accepted;     /* it could end here */
  bool erred;        /* there is an error */
  bool deep;         /* too much so for the parser, which is wrong for that alone */
  uint32_t end;      /* of the piece */
  uint32_t wrong_at; /* where the error was met */
  struct gap {
    uint32_t from, to;
  } * gaps; /* between tokens of an expression outside of all brackets: its first line may end there */
  uint32_t gap_count, gap_capacity;
};

static bool begins_declaration(int token) {
  switch (token) {
  case TOKEN_USE:
  case TOKEN_PARAM:
  case TOKEN_LET:
  case TOKEN_FUNCTION:
  case TOKEN_UNIT:
  case TOKEN_DOMAIN:
  case TOKEN_TRANSACTION:
  case TOKEN_PROTOCOL:
  case TOKEN_COMPONENT:
  case TOKEN_SYSTEM:
  case TOKEN_COERCION:
  case TOKEN_EXTERN:
  case TOKEN_STUDY:
  case TOKEN_ASSERT:
  case TOKEN_ACCEPTS:
  case TOKEN_BODY:
  case TOKEN_REQUESTS: return true;
  default: return false;
  }
}

static bool begins_part(int token) { return token == TOKEN_ACCEPTS || token == TOKEN_BODY || token == TOKEN_REQUESTS; }

/* `study NAME of SYSTEM` declares one; `study NAME` is not of the language. */
static bool declares_study(const char *text) {
  text += strspn(text, " \t");
  size_t length = strcspn(text, " \t\r\n{;");
  text += length;
  text += strspn(text, " \t\r\n");
  size_t letters = 0;
  while (isalnum((unsigned char)text[letters]))
    letters++;
  const struct word *word = word_find(text, letters);
  return length && word && word->token == TOKEN_OF;
}

/* `fit NAME(` begins one; `fit` may be a name. */
static bool declares_fit(const char *text) {
  size_t blank = strspn(text, " \t");
  text += blank;
  size_t length = 0;
  while (isalnum((unsigned char)text[length]) || (text[length] && strchr("_-", text[length])))
    length++;
  return blank && isalpha((unsigned char)*text) && text[length + strspn(text + length, " \t")] == '(';
}

static bool opens(const struct look *look, int token, struct span span) {
  const char *behind = look->p.source->text + (span.end - look->p.source->base);
  if (token == TOKEN_STUDY) return declares_study(behind);
  if (token == TOKEN_FIT) return declares_fit(behind);
  return begins_declaration(token);
}

/* Between declarations: outside of all brackets, behind the end of one. */
static bool at_boundary(const struct look *look) {
  const struct parse *p = &look->p;
  bool ended = !p->previous || p->previous == ';' || p->previous == TOKEN_CLOSE;
  return !look->parts && !p->brackets.count && ended;
}

static void push(struct look *look, int token, union PSL_STYPE *value, struct span *span) {
  if (look->wrong) return;
  int status = psl_push_parse(look->state, token, value, span, &look->p);
  if (status == BISON_EXHAUSTED) look->deep = true;
  if (token)
    look->wrong = look->p.panic || status != YYPUSH_MORE;
  else
    look->accepted = !look->p.panic && status == 0;
}

/* The first end of a line from there on that no comment covers, or that place where the next token comes before. */
static uint32_t line_end(const struct look *look, uint32_t at, uint32_t next) {
  const struct parse *p = &look->p;
  const struct file *file = p->file;
  for (;;) {
    const char *newline = memchr(p->source->text + at, '\n', next - at);
    if (!newline) return next;
    uint32_t end = (uint32_t)(newline - p->source->text), behind = end;
    for (uint32_t i = file->comment_count; i-- > 0 && file->comments[i].span.end > p->source->base + at;)
      if (file->comments[i].span.begin <= p->source->base + end && file->comments[i].span.end > p->source->base + end)
        behind = file->comments[i].span.end - p->source->base;
    if (behind == end) return end;
    at = behind;
  }
}

/* Does a line end outside of all brackets, behind what is whole or wrong? Each line's declarations are a piece. */
static bool ends_line(const struct look *look, uint32_t next, uint32_t *end) {
  const struct parse *p = &look->p;
  if (!look->any || p->brackets.count || !(at_boundary(look) || look->erred)) return false;
  uint32_t at = line_end(look, p->previous_span.end - p->source->base, next);
  if (at < next) *end = at + 1;
  return at < next;
}

/* Does the piece end before the token? */
static bool stops(struct look *look, int token, struct span span) {
  const struct parse *p = &look->p;
  uint32_t next = span.begin - p->source->base;
  look->end = look->expression ? span.end - p->source->base : next;
  if (look->expression)
    return (token == ';' && !p->brackets.count) ||
           (look->erred && !look->deep && memchr(p->source->text + look->wrong_at, '\n', next - look->wrong_at));
  return ends_line(look, next, &look->end) || (look->any && at_boundary(look) && !opens(look, token, span));
}

/* Behind an operator no line ends an expression. */
static void note_gap(struct look *look, struct span span) {
  struct parse *p = &look->p;
  struct gap gap = {p->previous_span.end - p->source->base, span.begin - p->source->base};
  bool goes_on = p->previous < 128 && strchr("+-*/,=<>^", p->previous);
  if (!look->any || p->brackets.count || goes_on || !memchr(p->source->text + gap.from, '\n', gap.to - gap.from))
    return;
  ARENA_PUSH(p->arena, look->gaps, look->gap_count, look->gap_capacity, gap);
}

static void note_error(struct look *look, struct span span) {
  if (look->erred || (!look->wrong && look->p.errors <= (unsigned)look->p.too_deep)) return;
  look->erred = true;
  look->wrong_at = span.begin - look->p.source->base;
}

static void take(struct look *look, bool semicolon) {
  struct parse *p = &look->p;
  union PSL_STYPE value;
  struct span span = {p->source->base, p->source->base};
  int token = parse_begin(look->expression ? PARSE_QUESTION : PARSE_FILE);
  push(look, token, &value, &span);
  for (;;) {
    token = parse_token(p, look->scanner, &value, &span);
    if (look->expression) note_gap(look, span);
    if (!token || stops(look, token, span)) break;
    if (!look->any) look->declares = opens(look, token, span);
    look->any = true;
    if (!look->expression && !look->declares) break; /* it is looked at as an expression */
    look->parts |= !p->brackets.count && begins_part(token);
    push(look, token, &value, &span);
    note_error(look, span);
    parse_passed(p, token, span);
  }
  if (!token) look->end = p->source->size;
  look->wrong |= p->errors > (unsigned)p->too_deep && !p->open_comment; /* the lexer's */
  if (semicolon) push(look, ';', &value, &span);
  push(look, 0, &value, &span);
}

/* The parser's stack is bison's, from malloc: given back here where memory runs out midway, too. */
static struct look *look_at(struct arena *arena, const char *text, size_t size, bool expression, bool semicolon) {
  struct look *look = ARENA_NEW(arena, struct look);
  struct names *names = ARENA_NEW(arena, struct names);
  struct source *source = ARENA_NEW(arena, struct source);
  struct file *file = ARENA_NEW(arena, struct file);
  names_open(names, arena);
  *source = (struct source){"", "", arena_copy(arena, text, size), .base = 1, .size = (uint32_t)size};
  file->source = source;
  look->p = (struct parse){.arena = arena, .names = names, .source = source, .file = file};
  look->expression = expression;
  parse_open(&look->p, &look->scanner);
  look->state = psl_pstate_new();
  look->wrong = !look->state;
  if (look->wrong) return look;
  jmp_buf guard, *outer = arena->memory->guard;
  arena->memory->guard = &guard;
  volatile bool failed = false;
  if (setjmp(guard))
    failed = true;
  else
    take(look, semicolon);
  psl_pstate_delete(look->state);
  arena->memory->guard = outer;
  if (failed && outer) longjmp(*outer, 1);
  return look;
}

static struct input more(const struct look *look, size_t size, bool semicolon) {
  return (struct input){
      .kind = INPUT_MORE,
      .declares = !look->expression,
      .ends = look->accepted || !look->any,
      .semicolon = semicolon,
      .open = look->p.brackets.count || look->p.open_comment,
      .parts = look->parts,
      .wrong = look->wrong,
      .size = size,
  };
}

/* Where what is wrong begins a line, and all above it lacks nothing but a `;`, it is what was forgotten: that line. 0:
 * it is not so. */
static size_t lacking_line(struct arena *arena, const struct look *look, const char *text) {
  size_t begin = look->wrong_at;
  while (begin && strchr(" \t\r", text[begin - 1]))
    begin--;
  bool lacks = begin && text[begin - 1] == '\n' && look_at(arena, text, begin, false, true)->accepted;
  return lacks ? begin : 0;
}

static struct input declarations(struct arena *arena, const struct look *look, const char *text, size_t size) {
  bool open = look->p.brackets.count || look->p.open_comment;
  bool all = look->end == size;
  size_t lacking = look->erred && !open ? lacking_line(arena, look, text) : 0;
  if (lacking) return (struct input){.kind = INPUT_DECLARATIONS, .declares = true, .size = lacking};
  if ((look->wrong && !open) || (look->accepted && !look->p.open_comment && !(all && look->parts)))
    return (struct input){.kind = INPUT_DECLARATIONS, .declares = true, .size = look->end};
  return more(look, size, !look->accepted && !open && look_at(arena, text, size, false, true)->accepted);
}

/* Is it an expression up to there? Where brackets are too deep for the parser they are waited for. */
static bool is_whole(const struct look *look, size_t size) {
  bool wrong = look->wrong && !(look->deep && look->p.brackets.count);
  return (look->accepted || wrong || look->end < size) && !look->p.open_comment;
}

static bool ends_at(struct arena *arena, const char *text, size_t size, struct input *out) {
  const struct look *look = look_at(arena, text, size, true, false);
  *out = (struct input){.kind = INPUT_EXPRESSION, .size = look->end};
  return is_whole(look, size);
}

static size_t next_line_end(const char *text, size_t size, size_t at) {
  const char *end = memchr(text + at, '\n', size - at);
  return end ? (size_t)(end - text) : size;
}

/* An expression ends with the first line that it could end with, or by a `;`. */
static struct input expression(struct arena *arena, const char *text, size_t size) {
  const struct look *look = look_at(arena, text, size, true, false);
  struct input piece;
  bool stopped = look->erred && !look->deep;
  size_t wrong = stopped ? next_line_end(text, size, look->wrong_at) : size;
  for (uint32_t g = 0; g < look->gap_count && look->gaps[g].from <= wrong; g++)
    for (size_t end = look->gaps[g].from; (end = next_line_end(text, size, end)) < look->gaps[g].to; end++)
      if (ends_at(arena, text, end, &piece)) return piece;
  for (; wrong < size; wrong = next_line_end(text, size, wrong + 1))
    if (ends_at(arena, text, wrong, &piece)) return piece;
  if (is_whole(look, size)) return (struct input){.kind = INPUT_EXPRESSION, .size = look->end};
  return more(look, size, false);
}

struct input input_next(struct arena *arena, const char *text, size_t size) {
  const struct look *look = look_at(arena, text, size, false, false);
  const struct file *file = look->p.file;
  if (!look->any) {
    bool doc = file->comment_count && file->comments[file->comment_count - 1].doc;
    if (doc || look->p.open_comment) return more(look, size, false);
    return (struct input){.kind = INPUT_NOTHING, .size = size};
  }
  if (look->declares) return declarations(arena, look, text, size);
  return expression(arena, text, size);
}
