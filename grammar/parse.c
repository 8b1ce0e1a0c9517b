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

/* The parser that takes the tokens by itself: see psl.y. */
int psl_parse(struct parse *p);

enum { ERROR_LIMIT = 20 };

bool parse_fails(struct parse *p) {
  if (!p->d) {
    p->errors++;
    p->stop |= p->first;
    return false;
  }
  p->file->broken = true;
  if (p->stop) return false;
  if (++p->errors <= ERROR_LIMIT) return true;
  p->stop = true;
  diagnostic_add(p->d, SEVERITY_ERROR, (struct span){0}, "too many errors");
  return false;
}

const char *parse_text(const struct parse *p, uint32_t offset) { return p->source->text + (offset - p->source->base); }

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
  case TOKEN_SYSTEM: /* the name is forgotten: the brace is that of its block */
  case TOKEN_STUDY:
  case TOKEN_DOMAIN:
  case ')':
  case ']':
  case '}': return true;
  default: return word_is_by_place(token);
  }
}

const struct bracket *parse_bracket(const struct parse *p) {
  return p->brackets.count ? &p->brackets.items[p->brackets.count - 1] : NULL;
}

uint32_t parse_depth(const struct parse *p, bool block) {
  const struct bracket *bracket = parse_bracket(p);
  return !bracket ? 0 : block ? bracket->to_block : bracket->to_brace;
}

/* What is wrong is a part of `one of` or `first of`, which are skipped up to the end of all of them. */
static bool skips_parts(const struct parse *p) {
  return p->panic_depth && p->brackets.items[p->panic_depth - 1].head == TOKEN_OF;
}

/* Whether `{` begins the block of an `if` or a loop, though no operand ends before it: one is missing, or what is wrong
 * stands there. */
static bool heads_block(const struct parse *p, struct span span) {
  int head = p->construct_token;
  if (p->panic && skips_parts(p)) return true;
  bool conditional = head == TOKEN_IF || head == TOKEN_WHILE || head == TOKEN_FOR;
  if (!conditional || p->previous == '=' || p->brackets.count != parse_depth(p, true)) return false;
  const char *behind = parse_text(p, span.end);
  behind += strspn(behind, " \t\r\n");
  size_t length = strcspn(behind, " \t\r\n;(){}");
  return p->panic || p->previous == TOKEN_AND || p->previous == TOKEN_OR || word_is_reserved(behind, length);
}

/* `coercion T -> U = { call U(); }`: no record, though it stands where one can. */
static bool heads_coercion(const struct parse *p, struct span span) {
  const char *behind = parse_text(p, span.end);
  if (p->construct_token != TOKEN_COERCION || p->previous != '=') return false;
  behind += strspn(behind, " \t\r\n");
  size_t length = strcspn(behind, " \t\r\n;(){}=,");
  return length && (behind[length] == '(' || word_is_reserved(behind, length));
}

/* In the declaration of a protocol, which has no values. */
static bool inside_protocol(const struct parse *p) {
  return p->brackets.count && p->brackets.items[0].block && p->brackets.items[0].head == TOKEN_PROTOCOL;
}

static bool opens_block(const struct parse *p, struct span span) {
  if (heads_coercion(p, span) || inside_protocol(p)) return true;
  return ends_operand(p->previous) || (p->previous == TOKEN_ELSE && p->block_closed) || heads_block(p, span);
}

/* `class = requests }`: a part begins with its word and a colon, and not inside of brackets. */
static bool is_misplaced(const struct parse *p, int token, struct span span) {
  if (token != TOKEN_ACCEPTS && token != TOKEN_BODY && token != TOKEN_REQUESTS) return false;
  const char *behind = parse_text(p, span.end);
  return p->brackets.count != parse_depth(p, true) && behind[strspn(behind, " \t\r\n")] != ':';
}

/* Tokens that neither open nor end anything, nor are a word of a part, a block or a clause; brackets that are no
 * braces; and all others, of which there are few. */
enum short_way { LONG_WAY, PLAIN, BRACKET };
static inline enum short_way short_way(int token) {
  static const unsigned char ways[] = {
      ['.'] = PLAIN,          ['='] = PLAIN,
      [','] = PLAIN,          [':'] = PLAIN,
      ['+'] = PLAIN,          ['-'] = PLAIN,
      ['*'] = PLAIN,          ['/'] = PLAIN,
      ['^'] = PLAIN,          ['<'] = PLAIN,
      ['>'] = PLAIN,          [TOKEN_NAME] = PLAIN,
      [TOKEN_NUMBER] = PLAIN, [TOKEN_QUANTITY] = PLAIN,
      [TOKEN_STRING] = PLAIN, [TOKEN_TRUE] = PLAIN,
      [TOKEN_FALSE] = PLAIN,  [TOKEN_AND] = PLAIN,
      [TOKEN_OR] = PLAIN,     [TOKEN_NOT] = PLAIN,
      [TOKEN_DIV] = PLAIN,    [TOKEN_MOD] = PLAIN,
      [TOKEN_IN] = PLAIN,     [TOKEN_ARROW] = PLAIN,
      [TOKEN_DOTS] = PLAIN,   [TOKEN_EQ] = PLAIN,
      [TOKEN_NE] = PLAIN,     [TOKEN_LE] = PLAIN,
      [TOKEN_GE] = PLAIN,     ['('] = BRACKET,
      [')'] = BRACKET,        ['['] = BRACKET,
      [']'] = BRACKET,
  };
  return (size_t)token < sizeof ways ? ways[token] : LONG_WAY;
}

/* What a token that has no short way is where it stands. */
static int token_meant(const struct parse *p, int token, struct span *span) {
  if (!token) span->begin = span->end = p->source->base + p->source->size;
  if (token == '{' && opens_block(p, *span)) return TOKEN_OPEN;
  if (token == '}') {
    uint32_t depth = parse_depth(p, false);
    if (!depth || p->brackets.items[depth - 1].block) return TOKEN_CLOSE;
  }
  return is_misplaced(p, token, *span) ? TOKEN_MISPLACED : token;
}

int parse_token(struct parse *p, void *scanner, union PSL_STYPE *value, struct span *span) {
  int token = psl_lex(value, span, scanner);
  return short_way(token) ? token : token_meant(p, token, span);
}

/* `component c like d {`, whose block has no components of its own. */
static bool is_like(const struct parse *p, struct span brace) {
  const char *at = parse_text(p, p->construct.end), *end = parse_text(p, brace.begin);
  if (p->construct_token != TOKEN_COMPONENT) return false;
  while (at < end) {
    at += strspn(at, " \t\r\n");
    size_t length = strcspn(at, " \t\r\n{");
    const struct word *word = word_find(at, length);
    if (word && word->token == TOKEN_LIKE) return true;
    at += length ? length : 1;
  }
  return false;
}

static void open_bracket(struct parse *p, struct span span, char kind, bool block) {
  struct bracket bracket = {.span = span, .kind = kind, .block = block, .head = block ? p->construct_token : 0};
  bracket.like = block && is_like(p, span);
  if (block && p->previous == TOKEN_OF) bracket.head = TOKEN_OF;
  bracket.to_brace = kind == '{' ? p->brackets.count + 1 : parse_depth(p, false);
  bracket.to_block = block ? p->brackets.count + 1 : parse_depth(p, true);
  ARENA_PUSH(p->arena, p->brackets.items, p->brackets.count, p->brackets.capacity, bracket);
}

/* How far the line of a place is indented. */
static size_t indentation(const struct parse *p, uint32_t offset) {
  const char *line = parse_text(p, offset);
  while (line > p->source->text && line[-1] != '\n')
    line--;
  return strspn(line, " \t");
}

static bool begins_line(const struct parse *p, uint32_t offset) {
  const char *at = parse_text(p, offset);
  while (at > p->source->text && strchr(" \t", at[-1]))
    at--;
  return at == p->source->text || at[-1] == '\n';
}

/* `}` further left than the line of its `{` was meant for a block around that. */
static void compare_lines(struct parse *p, struct span closing) {
  uint32_t depth = parse_depth(p, true);
  if (depth <= 1) p->left_open = (struct span){0};
  if (!depth || p->left_open.begin || !begins_line(p, closing.begin)) return;
  struct span open = p->brackets.items[depth - 1].span;
  if (indentation(p, closing.begin) < indentation(p, open.begin)) p->left_open = open;
}

/* Closes the nearest of its kind, with what was left open in it; a `)` or `]` not beyond a brace. */
static void close_bracket(struct parse *p, char kind) {
  enum { NEAR = 100 };
  uint32_t brace = parse_depth(p, false), depth = p->brackets.count;
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
  case '}': close_bracket(p, '{'); break;
  case TOKEN_CLOSE:
    compare_lines(p, span);
    close_bracket(p, '{');
    break;
  case TOKEN_ACCEPTS:
  case TOKEN_BODY:
  case TOKEN_REQUESTS:
    if (parse_depth(p, true)) p->brackets.items[parse_depth(p, true) - 1].parts = true;
    break;
  case ';': p->brackets.count = parse_depth(p, true); break; /* none stands inside other brackets */
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

/* Words that begin what an error speaks of: those with a form in the table of words. */
static bool begins_form(int token) {
  switch (token) {
  case TOKEN_CALL:
  case TOKEN_WHERE:
  case TOKEN_COMPONENT:
  case TOKEN_SYSTEM:
  case TOKEN_STUDY:
  case TOKEN_DOMAIN:
  case TOKEN_IF:
  case TOKEN_WHILE:
  case TOKEN_FOR:
  case TOKEN_RECORD:
  case TOKEN_ATTRIBUTE:
  case TOKEN_VARY:
  case TOKEN_MINIMIZE:
  case TOKEN_MAXIMIZE:
  case TOKEN_PLOT:
  case TOKEN_FIT: return true;
  default: return begins_construct(token);
  }
}

void parse_passed(struct parse *p, int token, struct span span) {
  uint32_t open = p->brackets.count;
  track_brackets(p, token, span);
  track_na(p, token);
  if (token != TOKEN_ELSE) p->block_closed = token == TOKEN_CLOSE && p->brackets.count < open;
  if (token == ';') p->ended = p->construct_token;
  if (token == ';' || token == TOKEN_OPEN || token == TOKEN_CLOSE) {
    p->construct = (struct span){0};
    p->construct_token = 0;
  } else if (!p->construct.begin && begins_form(token)) {
    p->construct = span;
    p->construct_token = token;
  }
  p->previous = token;
  p->previous_span = span;
}

/* The same for a token that goes the short way. */
static inline void shortly_passed(struct parse *p, int token, struct span span) {
  if (short_way(token) == BRACKET) track_brackets(p, token, span);
  if (p->before_brace && !p->na_depth) p->before_brace = p->before_brace == 1 && token == '=' ? 2 : 0;
  p->block_closed = false;
  p->previous = token;
  p->previous_span = span;
}

/* ---- blocks that are not closed ---- */

/* `requests:` in a block of statements: how many blocks end before it. */
static uint32_t blocks_before_part(const struct parse *p, struct span span) {
  const char *behind = parse_text(p, span.end);
  if (behind[strspn(behind, " \t\r\n")] != ':') return 0;
  uint32_t count = 0;
  for (uint32_t depth = parse_depth(p, true); depth; count++) {
    const struct bracket *block = &p->brackets.items[depth - 1];
    if (block->head == TOKEN_COMPONENT || block->head == TOKEN_SYSTEM) return count;
    if (!block->block) break;
    depth = depth > 1 ? p->brackets.items[depth - 2].to_block : 0;
  }
  return count;
}

/* A declaration that is indented no further than the blocks around it, which have no place for it. */
static uint32_t blocks_before_declaration(const struct parse *p, int token, struct span span) {
  const char *behind = parse_text(p, span.end);
  uint32_t depth = parse_depth(p, true), count = 0;
  if (!depth || !begins_line(p, span.begin) || !isalpha((unsigned char)behind[strspn(behind, " \t")])) return 0;
  const struct bracket *block = &p->brackets.items[depth - 1];
  bool local = block->head == TOKEN_COMPONENT || block->head == TOKEN_SYSTEM;
  if (token == TOKEN_COMPONENT && local && !block->parts && !block->like) return 0;
  for (size_t indented = indentation(p, span.begin); depth; count++) {
    if (indentation(p, p->brackets.items[depth - 1].span.begin) < indented) break;
    depth = depth > 1 ? p->brackets.items[depth - 2].to_block : 0;
  }
  return count;
}

/* `param n : int`, where those of a component that is like another have no types. */
static bool is_typed_param(const struct parse *p, struct span span) {
  const struct bracket *block = &p->brackets.items[parse_depth(p, true) - 1];
  const char *name = parse_text(p, span.end);
  name += strspn(name, " \t");
  while (isalnum((unsigned char)*name) || *name == '-' || *name == '_')
    name++;
  return block->like && name[strspn(name, " \t")] == ':';
}

/* How many blocks must have ended before the token, where what they are blocks of leaves no doubt. */
static uint32_t blocks_left_open(const struct parse *p, int token, struct span span) {
  bool between = p->previous == ';' || p->previous == TOKEN_OPEN || p->previous == TOKEN_CLOSE;
  if (!between || p->panic) return 0;
  uint32_t depth = parse_depth(p, true);
  if (!depth) return 0;
  switch (token) {
  case TOKEN_ELSE: return p->previous != TOKEN_CLOSE && p->brackets.items[depth - 1].head == TOKEN_IF;
  case TOKEN_ACCEPTS:
  case TOKEN_BODY:
  case TOKEN_REQUESTS: return blocks_before_part(p, span);
  case TOKEN_COMPONENT:
  case TOKEN_SYSTEM:
  case TOKEN_STUDY:
  case TOKEN_USE:
  case TOKEN_UNIT:
  case TOKEN_COERCION:
  case TOKEN_TRANSACTION: return blocks_before_declaration(p, token, span);
  case TOKEN_PARAM: return is_typed_param(p, span) ? blocks_before_declaration(p, token, span) : 0;
  default: return 0;
  }
}

/* ---- pushing ---- */

/* What a text begins with: says which of them it is. */
int parse_begin(enum parse_what what) {
  switch (what) {
  case PARSE_FILE: return TOKEN_START_FILE;
  case PARSE_EXPRESSION: return TOKEN_START_EXPRESSION;
  case PARSE_QUESTION: return TOKEN_START_QUESTION;
  case PARSE_VALUES: return TOKEN_START_VALUES;
  }
  return TOKEN_START_FILE;
}

/* Goes on as if the blocks were closed before the token that begins there. */
static int close_blocks(struct parse *p, psl_pstate *state, uint32_t blocks, struct span span) {
  int status = YYPUSH_MORE;
  PSL_STYPE none = {0};
  struct span here = {span.begin, span.begin};
  for (; blocks && status == YYPUSH_MORE; blocks--) {
    status = psl_push_parse(state, TOKEN_CLOSE, &none, &here, p);
    parse_passed(p, TOKEN_CLOSE, here);
  }
  p->left_open = (struct span){0};
  return status;
}

/* `profile = { ... } };` within a component of several lines: this does not end that, and stands for nothing. */
static bool is_doubled(const struct parse *p, struct span span) {
  uint32_t depth = parse_depth(p, true);
  if (!depth || begins_line(p, span.begin)) return false;
  const struct bracket *block = &p->brackets.items[depth - 1];
  const char *behind = parse_text(p, span.end), *begin = parse_text(p, block->span.begin);
  bool one_line = !memchr(begin, '\n', (size_t)(behind - begin));
  return !one_line && (block->head == TOKEN_COMPONENT || block->head == TOKEN_SYSTEM) &&
         behind[strspn(behind, " \t")] == ';';
}

/* After an error: whether the parser gets the token, which it then goes on with. */
static bool resumes(struct parse *p, int token) {
  if (!token) return true;
  uint32_t block = parse_depth(p, true);
  if (block > p->panic_depth) return false; /* inside a block that was skipped over */
  if (skips_parts(p))
    return token == TOKEN_CLOSE || (begins_block(token) && token != TOKEN_WHILE && token != TOKEN_FOR);
  if (token == ';') return true;
  if (token == TOKEN_CLOSE) return p->panic_depth > 0;
  return begins_construct(token)
             ? p->brackets.count == block || token == TOKEN_LET || token == TOKEN_PARAM
             : begins_block(token) || (token == TOKEN_DOMAIN && p->previous != '=' && p->brackets.count == block);
}

/* The token has been pushed: what is known then. */
static int pushed(struct parse *p, psl_pstate *state, int token, struct span span, int status) {
  if (p->panic && resumes(p, token)) {
    p->panic = false;
    if (begins_form(token)) p->construct = (struct span){0}; /* what came before it has ended */
  }
  if (token) parse_passed(p, token, span);
  if (p->meant && status == YYPUSH_MORE) { /* its colon follows */
    PSL_STYPE none = {0};
    status = psl_push_parse(state, p->meant, &none, &span, p);
    parse_passed(p, p->meant, span);
    p->panic = false;
  }
  p->meant = 0;
  return status;
}

/* One token after another until the parser is done. */
static void push_all(struct parse *p, psl_pstate *state, enum parse_what what) {
  PSL_STYPE value;
  struct span span = {p->source->base, p->source->base};
  int token = parse_begin(what), status = psl_push_parse(state, token, &value, &span, p);
  bool ended = false; /* that in which something was wrong, with its block, by the token before */
  while (status == YYPUSH_MORE && !p->stop) {
    token = parse_token(p, p->scanner, &value, &span);
    if (token == TOKEN_CLOSE && is_doubled(p, span)) {
      if (!p->panic) parse_unopened(p, span);
      continue;
    }
    if (ended && token == TOKEN_ELSE) p->panic = true, ended = false;
    if (p->panic && !resumes(p, token)) {
      bool closes = token == TOKEN_CLOSE && parse_depth(p, true) == p->panic_depth + 1;
      parse_passed(p, token, span);
      ended = closes && !skips_parts(p);
      if (ended) p->panic = false; /* the block is over: go on behind it */
      continue;
    }
    p->panic = false;
    if (ended && token != ';' && token) { /* it is wrong up to there, and not beyond */
      PSL_STYPE none = {0};
      status = psl_push_parse(state, ';', &none, &span, p);
    }
    ended = false;
    uint32_t blocks = blocks_left_open(p, token, span);
    if (blocks) {
      parse_unclosed(p, span, blocks);
      status = close_blocks(p, state, blocks, span);
    }
    if (status == YYPUSH_MORE) status = psl_push_parse(state, token, &value, &span, p);
    status = pushed(p, state, token, span, status);
  }
}

/* The parser's own stack is bison's, from malloc: freed here also where memory runs out midway. */
static void run_parser(struct parse *p, enum parse_what what) {
  jmp_buf guard, *outer = p->arena->memory->guard;
  parse_open(p, &p->scanner);
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
    push_all(p, state, what);
  psl_pstate_delete(state);
  p->arena->memory->guard = outer;
  if (failed && outer) longjmp(*outer, 1);
}

/* The token has been read of a text that is taken to be without errors; 0 where it has one, which is its end then. */
static int long_passed(struct parse *p, int token, struct span *span) {
  token = token_meant(p, token, span);
  if ((token == TOKEN_CLOSE && is_doubled(p, *span)) || blocks_left_open(p, token, *span)) parse_fails(p);
  if (p->stop) return 0;
  if (token) parse_passed(p, token, *span);
  return token;
}

int parse_next(PSL_STYPE *value, struct span *span, struct parse *p) {
  if (p->begin) {
    int begin = p->begin;
    *span = (struct span){p->source->base, p->source->base};
    p->begin = 0;
    return begin;
  }
  if (p->stop) return 0;
  int token = psl_lex(value, span, p->scanner);
  if (!short_way(token)) return long_passed(p, token, span);
  shortly_passed(p, token, *span);
  return token;
}

/* A text without errors, as most are, is parsed once, without a word; any other once more, to say what is wrong. */
static void run(struct parse *p, enum parse_what what) {
  struct parse first = *p;
  struct file none = *p->file;
  first.d = NULL;
  first.first = true;
  first.begin = parse_begin(what);
  parse_open(&first, &first.scanner);
  psl_parse(&first);
  if (first.errors) {
    *p->file = none;
    run_parser(p, what);
  } else {
    first.d = p->d;
    *p = first;
  }
}

/* ---- comments ---- */

bool parse_characters(struct parse *p, struct span span) {
  char what[CHARACTER_DESCRIBED];
  const char *text = parse_text(p, span.begin), *end = p->source->text + p->source->size;
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
  const char *text = parse_text(p, offset);
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

static void sort_targets(struct parse *p) {
  uint32_t i = 1;
  while (i < p->target_count && compare_targets(&p->targets[i - 1], &p->targets[i]) <= 0)
    i++;
  if (i < p->target_count) qsort(p->targets, p->target_count, sizeof *p->targets, compare_targets);
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
    while (at > p->source->base && strchr(" \t", *parse_text(p, at - 1)))
      at--;
    if (!comment || comments[comment - 1].span.end != at) return at;
    comment--;
  }
}

/* Whether a block that the declaration begins is opened right before the offset. */
static bool opens_at(const struct parse *p, const struct doc_target *target, uint32_t offset) {
  if (target->flat || offset <= target->span.begin || offset >= target->span.end) return false;
  for (const char *s = parse_text(p, target->span.begin); s < parse_text(p, offset - 1); s++) {
    if (*s == '{' || *s == ';') return false;
  }
  return *parse_text(p, offset - 1) == '{';
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
  const char *text = parse_text(p, span.begin + 3), *end = parse_text(p, span.end);
  if (text < end && *text == ' ') text++;
  while (end > text && isspace((unsigned char)end[-1]))
    end--;
  if (doc->size) text_char(doc, '\n');
  text_put_n(doc, text, (size_t)(end - text));
}

static void give_docs(struct parse *p) {
  const struct comment *comments = p->file->comments;
  sort_targets(p);
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
                            const struct source *source, const char *const *commands, struct expr **unit) {
  struct parse p = parse_of(arena, names, d, source);
  p.alone = p.question = true;
  p.commands = commands;
  run(&p, PARSE_QUESTION);
  *unit = p.unit;
  return p.file->broken ? NULL : p.expression;
}
