/* What the lexer, the parser, its driver and the constructors of the tree share; nobody else
 * includes it.  The parse_* functions are the driver's (parse.c), the ast_* ones are all that the
 * grammar's actions call (ast.c). */
#ifndef PSL_PARSE_H
#define PSL_PARSE_H
#include "grammar/ast.h"
#include "grammar/diagnostic.h"
#include "grammar/map.h"

/* A list while it grows; its items are what the tree keeps. */
#define LIST(name, type)      \
  struct name {               \
    type *items;              \
    uint32_t count, capacity; \
  }
LIST(expr_list, struct expr *);
LIST(ident_list, struct ident);
/* Those of which each name may stand once know where a name stands. */
#define NAMED_LIST(name, type) \
  struct name {                \
    type *items;               \
    uint32_t count, capacity;  \
    struct map places;         \
  }
NAMED_LIST(field_list, struct field);
NAMED_LIST(pair_list, struct pair);
LIST(param_list, struct param);
LIST(signature_list, struct signature);
LIST(request_list, struct request);
LIST(attribute_list, struct attribute);
LIST(vary_list, struct vary);
LIST(words_list, struct words);
LIST(atom_list, struct type_atom);
struct decl_list {
  struct decl *first, *last;
};
struct protocol_steps {
  struct protocol_step *first, *last;
  uint32_t depth;
};
struct head_list {
  struct head *items;
  uint32_t count, capacity;
};
struct chance_list {
  struct chance *items;
  uint32_t count, capacity;
};
struct stmt_list {
  struct stmt *first, *last;
  uint32_t depth;
};
struct part_list {
  struct part *first, *last;
};
struct item_list {
  struct study_item *first, *last;
};
struct rhs {
  struct expr *value;
  bool is_call;
};
struct step {
  struct expr *value;
  bool geometric;
};

/* A bracket that is open; of a block or of an expression. */
struct bracket {
  struct span span;
  char kind;
  bool like;                   /* the block of a component that is like another */
  bool block, parts;           /* parts: `accepts:`, `body:` or `requests:` stands in it */
  int head;                    /* of a block: the word that has begun what it is of, or 0 */
  uint32_t to_brace, to_block; /* the brackets open up to the innermost brace, or brace of a block */
};
struct doc_target { /* what a `///` may document */
  struct span span;
  const char **doc;
  bool flat; /* no block in it */
};

struct parse {
  struct arena *arena;
  struct names *names;
  struct diagnostics *d; /* NULL: silent, for a first look, and the formatter's second one at the tokens */
  bool first;            /* the first look, which ends with the first error */
  const struct source *source;
  struct file *file;
  void *scanner;
  struct expr *expression, *unit;
  struct step step;  /* of values */
  unsigned errors;   /* also those that nobody is told of */
  bool stop;         /* too many errors: give up */
  int begin;         /* of parse_next: the first token, which no text says, or 0 */
  bool too_deep;     /* reported */
  bool open_comment; /* the text ends in a comment that does not */
  uintptr_t origin;  /* lexer: where in memory offset 0 of what it scans would be */
  int previous;      /* the token before, 0 at the beginning */
  struct span previous_span;
  int before_brace;  /* N/A: how far `profile = {` has come */
  uint32_t na_depth; /* N/A: braces open since, 0 outside */
  struct {
    struct bracket *items;
    uint32_t count, capacity;
  } brackets;
  /* of which a second clause has been refused */
  const struct accept *doubled;
  bool block_closed;           /* the token before closed a block */
  struct span left_open;       /* a brace of a block that, as lines are indented, has no end */
  struct span construct;       /* the word that began what is being parsed, for "after the param" */
  int construct_token, ended;  /* of that word, and of what the last `;` has ended; 0: none */
  bool alone;                  /* an expression is the whole text, no file */
  bool question;               /* one that a person asks */
  const char *const *commands; /* that could have been meant instead, up to a NULL; NULL: none */
  bool panic;                  /* after an error: skip to where the grammar can go on */
  uint32_t panic_depth;        /* brackets then open, up to the innermost block */
  int meant;                   /* the word of a part, as `accepts`, for which another stands before a colon, or 0 */
  struct doc_target *targets;
  uint32_t target_count, target_capacity;
};

/* Counts an error; true if it is to be reported. */
bool parse_fails(struct parse *p);
#define parse_error(p, span, ...)                                                  \
  do {                                                                             \
    if (parse_fails(p)) diagnostic_add((p)->d, SEVERITY_ERROR, span, __VA_ARGS__); \
  } while (0)
/* Tests the characters of a comment or a string: false after an error. */
bool parse_characters(struct parse *p, struct span span);
void parse_comment(struct parse *p, struct span span, bool doc);

/* The text from an offset on; the innermost bracket that is open, or NULL; how many are open up to the innermost brace,
 * or brace of a block. */
const char *parse_text(const struct parse *p, uint32_t offset);
const struct bracket *parse_bracket(const struct parse *p);
uint32_t parse_depth(const struct parse *p, bool block);

/* Words an error; expected holds the names of the grammar's tokens. */
void parse_syntax_error(struct parse *p, struct span span, bool at_end, bool invalid, const char **expected,
                        size_t count);
/* Says that the innermost blocks are not closed before this token. */
void parse_unclosed(struct parse *p, struct span span, uint32_t blocks);
void parse_unopened(struct parse *p, struct span span); /* a `}` that closes nothing */
/* Says that a request does not begin with this clause; true: `selector` was meant, and the text goes on as if it stood
 * there. */
bool parse_clause(struct parse *p, struct span span);
/* What a text is read as: QUESTION is an expression, `-> UNIT` and `;` behind it if wanted. */
enum parse_what { PARSE_FILE, PARSE_EXPRESSION, PARSE_QUESTION, PARSE_VALUES };
/* The first token of such a text. */
int parse_begin(enum parse_what what);

/* The stream of tokens: open, then token and passed in turn until token gives 0. parse_token tells
 * the braces of blocks from others; parse_passed keeps account of a token that was used. */
union PSL_STYPE;
void parse_open(struct parse *p, void **scanner);
int parse_token(struct parse *p, void *scanner, union PSL_STYPE *value, struct span *span);
void parse_passed(struct parse *p, int token, struct span span);
/* token and passed in one, for psl_parse: of a text that is taken to be without errors; it ends where there is one. */
int parse_next(union PSL_STYPE *value, struct span *span, struct parse *p);

/* `(E)`, of which the tree keeps E alone. */
struct expr *ast_in_parentheses(struct parse *p, struct expr *expr);
/* Reports what is nested beyond NESTING_LIMIT, once. */
void ast_too_deep(struct parse *p, struct span span, const char *what);
struct expr *ast_number(struct parse *p, struct span span, const char *text, size_t length);
struct expr *ast_quantity(struct parse *p, struct span span, const char *text, size_t length, size_t unit);
struct expr *ast_string(struct parse *p, struct span span, const char *text, size_t length);
struct expr *ast_boolean(struct parse *p, struct span span, bool value);
struct expr *ast_na(struct parse *p, struct span span);
struct field ast_column(struct parse *p, struct expr *value);
struct expr *ast_name(struct parse *p, struct ident name);
struct expr *ast_unary(struct parse *p, struct span span, enum operator op, struct expr *operand);
struct expr *ast_power(struct parse *p, struct expr *left, struct span op, struct expr *right);
struct expr *ast_binary(struct parse *p, struct expr *left, enum operator op, struct span op_span, struct expr *right);
struct expr *ast_compare(struct parse *p, struct expr *left, enum operator op, struct expr *right);
struct expr *ast_chain(struct parse *p, struct expr *chain, enum operator op, struct expr *right);
struct expr *ast_if(struct parse *p, struct span span, struct expr *condition, struct expr *then,
                    struct expr *otherwise);
struct expr *ast_range(struct parse *p, struct expr *low, struct expr *high);
struct expr *ast_index(struct parse *p, struct span span, struct expr *base, struct expr_list subscripts);
struct expr *ast_apply(struct parse *p, struct span span, struct expr *callee, struct call *call);
struct expr *ast_call(struct parse *p, struct span span, struct qname callee, struct call *call);
struct expr *ast_member(struct parse *p, struct span span, struct expr *base, struct ident member);
struct expr *ast_list(struct parse *p, struct span span, struct expr_list items);
struct expr *ast_each(struct parse *p, struct span span, struct expr_list binders, struct expr *body);
struct expr *ast_record(struct parse *p, struct span span, struct field_list fields);
struct expr *ast_clause(struct parse *p, struct span span, struct words attribute, enum operator op, bool single,
                        struct expr *value);
struct call *ast_args(struct parse *p, struct expr_list values, struct field_list fields);
struct call *ast_binder_args(struct parse *p, struct expr_list binders, struct expr *body);
struct expr_list ast_exprs(struct parse *p, struct expr_list list, struct expr *item);
struct field_list ast_fields(struct parse *p, struct field_list list, struct field item);
struct ident_list ast_idents(struct parse *p, struct ident_list list, struct ident item);
struct words ast_words(struct parse *p, struct words before, struct ident word, struct span span);
struct qname ast_qname(struct parse *p, struct qname before, struct ident part, struct span span);
struct atom_list ast_atoms(struct parse *p, struct atom_list list, struct type_atom atom, bool divided);
struct type_atom ast_type_power(struct parse *p, struct span span, struct ident name, struct expr *power, int sign);
struct type_atom ast_type_one(struct parse *p, const struct expr *number);
struct type_expr *ast_type(struct parse *p, struct span span, struct atom_list atoms);
struct type_expr *ast_type_array(struct parse *p, struct span span, struct type_expr *element, struct expr *length);
struct type_expr *ast_type_function(struct parse *p, struct span span, struct param_list params,
                                    struct type_expr *result);

struct stmt *ast_let(struct parse *p, struct span span, struct ident name, struct type_expr *type, struct rhs rhs);
struct stmt *ast_assign(struct parse *p, struct span span, struct expr *target, struct rhs rhs);
struct stmt *ast_call_stmt(struct parse *p, struct span span, struct expr *call);
struct stmt *ast_hold(struct parse *p, struct span span, struct expr *value);
struct stmt *ast_return(struct parse *p, struct span span, struct rhs rhs);
struct stmt *ast_record_stmt(struct parse *p, struct span span, struct ident name, struct expr *value,
                             struct field_list options);
struct stmt *ast_profile_stmt(struct parse *p, struct span span, struct words name, struct expr *value);
struct stmt *ast_assert_stmt(struct parse *p, struct span span, struct expr *assertion);
struct stmt *ast_if_stmt(struct parse *p, struct span span, struct expr *condition, struct block then);
struct stmt *ast_else(struct parse *p, struct span span, struct stmt *branch, struct block otherwise);
struct stmt *ast_else_if(struct parse *p, struct span span, struct stmt *branch, struct stmt *otherwise);
struct chance_list ast_chance(struct parse *p, struct chance_list list, struct expr *value, struct block body);
/* A branch that a condensed task graph has the mean of. */
struct stmt *ast_collapse(struct span span, struct expr *chance, struct stmt *branch);
struct stmt *ast_one_of(struct parse *p, struct span span, struct chance_list list);
struct head_list ast_head(struct parse *p, struct head_list list, struct stmt *wait, struct block body);
struct stmt *ast_first_of(struct parse *p, struct span span, struct head_list list);
struct stmt *ast_while(struct parse *p, struct span span, struct expr *condition, struct block body);
struct stmt *ast_for(struct parse *p, struct span span, struct ident name, struct expr *range, struct step step,
                     struct block body);
struct stmt_list ast_stmts(struct stmt_list list, struct stmt *stmt);
struct block ast_block(struct span span, struct stmt_list stmts);

struct pair_list ast_pairs(struct parse *p, struct pair_list list, struct words attribute, struct expr *value);
struct accept *ast_accept(struct parse *p);
struct accept *ast_accept_profile(struct parse *p, struct accept *accept, struct span span, struct pair_list pairs);
struct accept *ast_accept_transaction(struct parse *p, struct accept *accept, struct txn txn);
struct accept *ast_accept_protocol(struct parse *p, struct accept *accept, struct words protocol);
struct accept *ast_accept_setting(struct parse *p, struct accept *accept, struct words name, struct expr *value);
struct txn ast_txn(struct parse *p, struct span span, struct qname name, const struct call *call, bool braces);
struct call *ast_call_span(struct call *call, struct span parentheses);
struct request *ast_target_by(struct request *request, struct expr *by);
struct request *ast_target(struct parse *p, enum quantifier quantifier, struct span quantifier_span,
                           struct expr *selector, struct span selector_span);
struct request *ast_request(struct request *request, struct span span, struct txn txn, struct field_list settings,
                            struct words protocol);
struct request *ast_request_where(struct request *request, struct span span, struct expr *where);
struct request *ast_request_label(struct request *request, struct span span, struct ident label, bool written,
                                  struct param_list params);
struct request_list ast_requests(struct parse *p, struct request_list list, const struct request *request);
struct part *ast_accepts(struct parse *p, struct span span, const struct accept *accept);
struct part *ast_body(struct parse *p, struct span span, struct stmt_list stmts);
struct part *ast_requests_part(struct parse *p, struct span span, struct request_list requests);
struct part_list ast_parts(struct part_list list, struct part *part);

struct param_list ast_params(struct parse *p, struct param_list list, struct ident name, bool every,
                             struct type_expr *type, struct expr *value);
struct signature ast_signature(struct span span, struct ident name, struct param_list params, struct type_expr *result);
struct param ast_foreign_param(struct ident name, enum passing passing, struct type_expr *type, struct expr *value);
struct param ast_given_condition(struct ident name, struct type_expr *type, struct type_expr *gives,
                                 struct expr *value);
struct param ast_given(struct ident name, bool every, struct type_expr *type, struct expr *value, struct expr *range);
struct param_list ast_add_param(struct parse *p, struct param_list list, struct param param);
/* entry: a STRING, or NULL */
struct signature_list ast_signatures(struct parse *p, struct signature_list list, struct signature item,
                                     const struct expr *entry);
struct attribute_list ast_attributes(struct parse *p, struct attribute_list list, struct span span, struct words name,
                                     struct type_expr *type, struct expr *value, struct expr *range);
struct decl *ast_use_database(struct parse *p, struct span span, struct ident name);
struct decl *ast_use(struct parse *p, struct span span, struct ident name, const struct expr *path,
                     struct decl *presets);
struct decl *ast_value(struct parse *p, enum decl_kind kind, struct span span, struct ident name,
                       struct type_expr *type, struct expr *value, struct expr *range);
struct decl *ast_function(struct parse *p, struct span span, struct signature signature, struct expr *value);
struct fit *ast_fit_terms(struct parse *p, struct fit *fit, struct span span, struct field_list terms);
struct fit *ast_fit_where(struct parse *p, struct fit *fit, struct span span, struct expr *where);
struct fit *ast_fit_row(struct parse *p, struct fit *fit, struct span span, struct expr_list at,
                        struct expr_list values);
struct fit *ast_fit_setting(struct parse *p, struct fit *fit, struct field setting);
struct decl *ast_fit(struct parse *p, struct span span, struct signature signature, const struct expr *path,
                     struct fit *fit);
struct decl *ast_domain(struct parse *p, struct span span, struct ident name, struct attribute_list attributes);
struct decl *ast_transaction(struct parse *p, struct span span, struct signature signature);
struct protocol_steps ast_protocol_steps(struct protocol_steps list, struct protocol_step *step);
struct protocol_step *ast_protocol_step(struct parse *p, struct ident name, struct span span,
                                        enum protocol_step_kind kind);
struct protocol_step *ast_protocol_interaction(struct protocol_step *step, struct span span, bool back);
struct protocol_step *ast_protocol_group(struct parse *p, enum protocol_step_kind kind, struct span span,
                                         struct protocol_steps steps);
struct decl *ast_protocol(struct parse *p, struct span span, struct ident name, struct protocol_steps steps);
struct decl *ast_component(struct parse *p, struct span span, struct ident name, struct ident_list indices,
                           struct expr *set, struct decl_list locals, struct part_list parts);
struct decl *ast_system(struct parse *p, struct span span, struct ident name, struct decl_list locals,
                        struct field_list settings, struct part_list parts);
struct decl *ast_like(struct parse *p, struct span span, struct ident name, struct ident_list indices, struct expr *set,
                      struct ident other, struct decl *changes, struct part_list parts);
struct decl *ast_changes(struct parse *p); /* of a `like`: a component that only collects them */
struct decl *ast_change_local(struct decl *changes, struct decl *local);
struct decl *ast_asked(struct decl *param); /* its value is that of `call` */
struct decl *ast_change_asked(struct parse *p, struct decl *changes, struct span span, struct ident name,
                              struct expr *value);
struct decl *ast_change_param(struct parse *p, struct decl *changes, struct span span, struct ident name,
                              struct expr *value);
struct decl *ast_change_setting(struct parse *p, struct decl *changes, struct words name, struct expr *value);
struct decl *ast_change_profile(struct parse *p, struct decl *changes, struct words attribute, struct expr *value);
struct decl *ast_coercion(struct parse *p, struct span span, struct type_expr *from, struct type_expr *to);
struct decl *ast_coercion_domains(struct decl *coercion, struct expr *domain, struct expr *to_domain);
struct decl *ast_coercion_cost(struct decl *coercion, struct expr *cost, bool lossy);
struct decl *ast_coercion_value(struct decl *coercion, struct span span, struct expr *value);
struct decl *ast_coercion_block(struct decl *coercion, struct span span, struct block body);
struct decl *ast_extern(struct parse *p, struct span span, const struct expr *library, struct signature_list functions);
struct decl *ast_study(struct parse *p, struct span span, struct ident name, struct qname of, struct item_list items);
struct decl *ast_assert(struct parse *p, struct span span, struct expr *assertion);
struct decl_list ast_decls(struct decl_list list, struct decl *decl);
void ast_file(struct parse *p, struct decl_list decls, struct part_list parts);
void ast_expression(struct parse *p, struct expr *expr, struct expr *unit);
void ast_values(struct parse *p, struct span span, struct expr_list items, struct step step);

struct vary_list ast_varies(struct parse *p, struct vary_list list, struct vary item);
struct words_list ast_options(struct parse *p, struct words_list list, struct words item);
struct study_item *ast_vary(struct parse *p, struct span span, enum study_role role, struct vary_list varies);
struct study_item *ast_condition(struct parse *p, enum study_item_kind kind, struct span span, struct expr *condition);
struct study_item *ast_report(struct parse *p, enum study_item_kind kind, struct span span, struct field_list fields,
                              struct expr *condition);
struct study_item *ast_objective(struct parse *p, enum study_item_kind kind, struct span span, struct field column,
                                 struct expr_list groups, struct expr *condition);
struct study_item *ast_plot(struct parse *p, struct span span, struct expr_list series, struct expr *against,
                            struct expr *by, struct words_list options);
struct item_list ast_items(struct item_list list, struct study_item *item);
#endif
