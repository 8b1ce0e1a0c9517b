/* Pieces of input: the push parser is asked, token by token, whether it could end where the text does. An
 * interactive session calls it with each line; what is complete is then read by parse_file or
 * parse_expression, which say what is wrong. */
#include "grammar/input.h"
#include "grammar/parse.h"
#include "psl.tab.h"

#include <ctype.h>
#include <string.h>

/* One look at a text: it goes through the parser until it ends, or until its first piece does. */
struct look {
  struct parse p;
  psl_pstate *state;
  void *scanner;
  bool expression;
  bool any;       /* tokens were met */
  bool declares;  /* the first begins a declaration */
  bool wrong;     /* one of them does not fit */
  bool parts;     /* a component without a name has begun */
  bool accepted;  /* it could end here */
  uint32_t begin; /* of the first token */
  uint32_t end;   /* of the piece */
};

static bool begins_declaration(int token) {
  switch (token) {
  case TOKEN_USE: case TOKEN_PARAM: case TOKEN_LET: case TOKEN_FUNCTION: case TOKEN_UNIT: case TOKEN_DOMAIN:
  case TOKEN_TRANSACTION: case TOKEN_COMPONENT: case TOKEN_SYSTEM: case TOKEN_COERCION: case TOKEN_EXTERN:
  case TOKEN_STUDY: case TOKEN_ASSERT: case TOKEN_ACCEPTS: case TOKEN_BODY: case TOKEN_REQUESTS:
    return true;
  default:
    return false;
  }
}

static bool begins_part(int token) {
  return token == TOKEN_ACCEPTS || token == TOKEN_BODY || token == TOKEN_REQUESTS;
}

/* `study NAME of SYSTEM` declares one; `study NAME` is not of the language. */
static bool declares_study(const char *text) {
  text += strspn(text, " \t");
  size_t length = strcspn(text, " \t\r\n{;");
  text += length;
  text += strspn(text, " \t\r\n");
  return length && strncmp(text, "of", 2) == 0 && !isalnum((unsigned char)text[2]);
}

static bool opens(const struct look *look, int token, struct span span) {
  const char *behind = look->p.source->text + (span.end - look->p.source->base);
  return begins_declaration(token) && (token != TOKEN_STUDY || declares_study(behind));
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
  if (token) look->wrong = look->p.panic || status != YYPUSH_MORE;
  else look->accepted = !look->p.panic && status == 0;
}

/* Does the piece end before the token? */
static bool stops(struct look *look, int token, struct span span) {
  if (look->expression) return token == ';' && !look->p.brackets.count;
  return look->any && at_boundary(look) && !opens(look, token, span);
}

static void take(struct look *look, bool semicolon) {
  struct parse *p = &look->p;
  union PSL_STYPE value;
  struct span span = {p->source->base, p->source->base};
  int token = parse_begin(look->expression ? PARSE_QUESTION : PARSE_FILE);
  push(look, token, &value, &span);
  for (;;) {
    token = parse_token(p, look->scanner, &value, &span);
    if (!token || stops(look, token, span)) break;
    if (!look->any) {
      look->begin = span.begin - p->source->base;
      look->declares = opens(look, token, span);
    }
    look->any = true;
    look->parts |= !p->brackets.count && begins_part(token);
    push(look, token, &value, &span);
    parse_passed(p, token, span);
  }
  look->end = (look->expression && token ? span.end : span.begin) - p->source->base;
  look->wrong |= p->errors && !p->open_comment; /* the lexer's */
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
  if (setjmp(guard)) failed = true;
  else take(look, semicolon);
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

static struct input declarations(struct arena *arena, const struct look *look, const char *text, size_t size) {
  bool open = look->p.brackets.count || look->p.open_comment;
  bool all = look->end == size;
  if ((look->wrong && !open) || (look->accepted && !look->p.open_comment && !(all && look->parts)))
    return (struct input){.kind = INPUT_DECLARATIONS, .declares = true, .size = look->end};
  return more(look, size, !look->accepted && !open && look_at(arena, text, size, false, true)->accepted);
}

/* An expression ends with the first line that it could end with, or by a `;`. */
static struct input expression(struct arena *arena, const char *text, size_t size, size_t begin) {
  for (size_t end = begin;; end++) {
    const char *line_end = memchr(text + end, '\n', size - end);
    end = line_end ? (size_t)(line_end - text) : size;
    const struct look *look = look_at(arena, text, end, true, false);
    bool whole = (look->accepted || look->wrong || look->end < end) && !look->p.open_comment;
    if (whole) return (struct input){.kind = INPUT_EXPRESSION, .size = look->end};
    if (end == size) return more(look, size, false);
  }
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
  return expression(arena, text, size, look->begin);
}
