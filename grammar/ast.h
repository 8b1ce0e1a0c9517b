/* The syntax tree: what the parser makes, the checker annotates, the printer prints.
 *
 * Every node keeps its span. Lists are arrays with a count. Strings and names are interned or live
 * in the tree's arena, as everything here does. Fields under "check:" are NULL or 0 after parsing
 * and filled by interp/check; the printer does not read them. */
#ifndef PSL_AST_H
#define PSL_AST_H
#include "map.h"
#include "name.h"
#include "source.h"

enum expr_kind {
#define EXPR(kind, text, children) EXPR_##kind,
#include "ast.def"
  EXPR_KINDS
};
enum stmt_kind {
#define STMT(kind, text, children) STMT_##kind,
#include "ast.def"
  STMT_KINDS
};
enum decl_kind {
#define DECL(kind, text) DECL_##kind,
#include "ast.def"
  DECL_KINDS
};

enum operator{
  OP_NEG,
  OP_NOT, /* unary */
  OP_ADD,
  OP_SUB,
  OP_MUL,
  OP_DIV,
  OP_WHOLE,
  OP_MOD,
  OP_POW,
  OP_AND,
  OP_OR, /* binary; WHOLE is `div` */
  OP_EQ,
  OP_NE,
  OP_LT,
  OP_LE,
  OP_GT,
  OP_GE,
  OP_IN, /* comparisons */
};
const char *operator_text(enum operator op);

/* Expressions, blocks, types and components nest at most so deep; deeper is an error of the parser. */
enum { NESTING_LIMIT = 1000 };

struct model_fit; /* interp/fit/fit.h */

/* A name where it is used. */
struct ident {
  const struct name *name;
  struct span span;
};
struct qname { /* a.b.c */
  struct ident *parts;
  uint32_t count;
  struct span span;
};

struct type;   /* interp/model/type.h */
struct symbol; /* interp/model/model.h */
struct expr;

struct field { /* NAME = expr, of records, named arguments, reports */
  struct ident name;
  struct expr *value;
};
struct binder { /* NAME in range */
  struct ident name;
  struct expr *range;
  struct symbol *symbol; /* check: the bound name */
};
struct args {
  struct expr **values; /* by place */
  struct field *fields; /* by name, after those */
  uint32_t value_count, field_count;
  struct span span; /* with the parentheses */
};
struct call {
  struct expr *callee; /* NAME or MEMBER chain */
  struct args args;
  /* sum(x in a .. b : e) and max, min, product, list forms: binders set, args.values[0] the body */
  struct binder *binders;
  struct symbol *symbol;  /* check: the function */
  struct symbol *carried; /* check: of an interaction of a conversation, its transaction; else NULL */
  struct expr **bound;    /* check: arguments in the order of the parameters, NULL: default */
  uint32_t binder_count, bound_count;
};

struct expr { /* 64 bytes: what is larger stands apart */
  enum expr_kind kind;
  struct span span;
  uint16_t depth;          /* of the tree under it, at most NESTING_LIMIT: walkers may recurse */
  uint16_t parentheses;    /* around it, fewer than that */
  const struct type *type; /* check: */
  union {
    int64_t integer;    /* INTEGER */
    double real;        /* REAL: as written, no unit */
    bool boolean;       /* BOOLEAN */
    const char *string; /* STRING: without the quotes, escapes undone, NUL-terminated */
    struct {
      double value;     /* as written */
      bool whole;       /* written without a point and exponent */
      const char *unit; /* as written: us/byte, cycle^2, % */
      struct span unit_span;
      double factor; /* check: to SI base units */
    } quantity;
    struct {
      const struct name *name;
      struct symbol *symbol; /* check: NULL for a bare term */
    } name;
    struct {
      enum operator op; /* OP_NEG, OP_NOT */
      struct expr *operand;
    } unary;
    struct {
      enum operator op; /* OP_ADD .. OP_OR */
      struct span op_span;
      struct expr *left, *right;
    } binary;
    struct { /* a chain: operands[0] ops[0] operands[1] ops[1] … , ops one fewer than operands */
      struct expr **operands;
      enum operator* ops;
      uint32_t count; /* of operands */
    } compare;
    struct {
      struct expr *condition, *then, *otherwise;
    } branch; /* IF */
    struct {
      struct expr *low, *high;
    } range;
    struct { /* base[subscripts]: an element, or a term with its qualifier */
      struct expr *base;
      struct expr **subscripts;
      uint32_t count;
      const char *qualifier;   /* the text between the brackets in one spelling: processor/memory, a - b */
      const struct name *term; /* check: head of the term where this is one, else NULL */
    } index;
    struct call *call;
    struct {
      struct expr *base;
      struct ident member;
      struct symbol *symbol; /* check: file.name, component.name, evaluator.function, target.A, caller.A;
                              * NULL for a record's field */
    } member;
    struct { /* LIST */
      struct expr **items;
      uint32_t count;
    } list;
    struct { /* EACH: [x in a .. b : e] */
      struct binder *binders;
      uint32_t binder_count;
      struct expr *body;
    } each;
    struct {
      struct field *fields;
      uint32_t count;
    } record;
    struct { /* CLAUSE of a selector: attribute op value; and, or, not of clauses are BINARY and UNARY */
      const struct name *attribute; /* words joined by '-' */
      struct span attribute_span;
      enum operator op;      /* `=` and `==` are OP_EQ */
      bool single;           /* written with one `=` */
      struct expr *value;    /* may be NA */
      struct symbol *symbol; /* check: the attribute */
    } clause;
  };
};

/* As it is written: a number, and a literal of any kind. */
static inline bool expr_is_number(const struct expr *expr) {
  return expr->kind == EXPR_INTEGER || expr->kind == EXPR_REAL || expr->kind == EXPR_QUANTITY;
}
static inline bool expr_is_literal(const struct expr *expr) {
  return expr_is_number(expr) || expr->kind == EXPR_STRING || expr->kind == EXPR_BOOLEAN;
}

struct block {
  struct stmt *first; /* linked by next */
  uint32_t depth;     /* of blocks in it, at most NESTING_LIMIT */
  struct span span;
};

struct stmt {
  enum stmt_kind kind;
  bool collapse; /* IF, ONE_OF: a condensed task graph has its mean */
  bool made;     /* check: no text says it, but that of the statement beside it */
  struct span span;
  struct stmt *next;
  union {
    struct {                  /* LET, ASSIGN, RETURN, CALL: a value or a call */
      struct ident name;      /* LET */
      struct type_expr *type; /* LET, may be NULL */
      struct expr *target;    /* ASSIGN: NAME, INDEX or MEMBER */
      struct expr *value;     /* NULL for a bare return; for `call f(…)` an EXPR_CALL */
      bool is_call;           /* rhs was `call …`; always in CALL */
      struct symbol *symbol;  /* check: LET, the local made */
      struct symbol *callee;  /* check: is_call, the label or evaluator function */
    } assign;
    struct expr *hold;
    struct {
      struct ident name;
      struct expr *value;
      struct field *options; /* RECORD: quantiles, histogram, level; value NULL: a word alone */
      uint32_t option_count;
      struct symbol *symbol; /* check: PROFILE, its slot among the run-time attributes and its type */
    } record;                /* RECORD, PROFILE (words joined by '-') */
    struct expr *assertion;
    struct {
      struct chance {
        struct expr *value;
        struct block body;
      } * items;
      uint32_t count;
    } chances; /* ONE_OF */
    struct {
      struct head {
        struct block wait; /* one statement: HOLD, CALL, or LET with a call */
        struct block body;
      } * items;
      uint32_t count;
    } heads; /* FIRST_OF */
    struct {
      struct expr *chance; /* of `collapse by`: how often the condition holds; NULL: it says so */
      struct expr *condition;
      struct block then, otherwise; /* otherwise.first NULL: none; `else if` is a block of one IF */
      bool has_else, else_if;
    } branch;
    struct {
      struct expr *condition;
      struct block body;
    } loop; /* WHILE */
    struct {
      struct ident name;
      struct expr *range; /* RANGE or a list */
      struct expr *step;  /* NULL: 1 */
      bool geometric;     /* by * step */
      struct block body;
      struct symbol *symbol; /* check: the variable */
    } each;                  /* FOR */
  };
};

struct type_expr { /* tatom {(*|/) tatom} */
  struct type_atom {
    const struct name *name;    /* a dimension, a unit, a word; `1`; or NULL */
    int power;                  /* name^power; 0: none is written */
    const struct name *of;      /* of.name, the type of an attribute; or NULL */
    struct type_expr *element;  /* [type] */
    struct expr *length;        /* of C: [type, length]; NULL: not given */
    struct signature *function; /* of C: function(...) -> type; its name is none */
    struct span span;
    bool divided; /* stands after "/" */
  } * atoms;
  uint32_t count, depth;
  struct span span;
};

/* How a parameter of a function of C is passed: itself, or a pointer to what is read or written. */
enum passing { PASS_VALUE, PASS_IN, PASS_OUT, PASS_INOUT };

struct param { /* of a function, transaction, coercion */
  struct ident name;
  bool every;
  enum passing passing;
  struct type_expr *type;  /* NULL: not given */
  struct type_expr *gives; /* of a transaction: type -> gives, a condition; NULL: a value */
  struct expr *value;      /* default, or NULL */
  struct expr *range;      /* of a transaction: in …; NULL: any value */
  struct symbol *symbol;   /* check: */
};
struct signature {
  struct ident name;
  struct param *params;
  uint32_t param_count;
  struct type_expr *result; /* may be NULL */
  struct span span;
  const char *entry; /* of C: what the library calls it, where that is not its name; or NULL */
  struct span entry_span;
};

struct words { /* word { word }: an attribute or a protocol, joined by '-' */
  const struct name *name;
  struct span span;
};

struct pair { /* of a profile */
  struct words attribute;
  struct expr *value; /* may be NA */
};
struct txn { /* transaction = NAME(args) or { NAME(args) } */
  struct qname name;
  struct args args;
  bool braces;
  struct span span;
};

enum quantifier { TARGET_ONE, TARGET_OPTIONAL, TARGET_ANY, TARGET_EVERY };
struct request {
  struct span span;
  struct ident label; /* name NULL: unlabelled */
  bool label_params;  /* parentheses were written */
  struct param *params;
  uint32_t param_count;
  struct expr *where; /* may be NULL */
  enum quantifier quantifier;
  struct span quantifier_span;
  struct expr *by;       /* of `any`; NULL: one that is free, or the shortest line */
  struct expr *selector; /* NULL: { } ; "," is OP_AND with op_span on the comma */
  struct span selector_span;
  struct txn txn;
  struct field *settings; /* visits, delay */
  uint32_t setting_count;
  struct words protocol;
};
struct accept {
  struct span span;
  bool has_profile;
  struct pair *pairs;
  uint32_t pair_count;
  struct span profile_span;
  bool has_transaction;
  struct txn txn;
  struct words protocol; /* name NULL: not given */
  struct setting {       /* servers, discipline, firing rule: words joined by '-' */
    struct words name;
    struct expr *value;
  } * settings;
  uint32_t setting_count;
  /* order of the clauses as written, for the printer: 'p' profile, 't' transaction, 'r' protocol,
   * 's' the next setting */
  char *order;
};
enum part_kind { PART_ACCEPTS, PART_BODY, PART_REQUESTS };
struct part {
  enum part_kind kind;
  struct span span;
  struct part *next;
  struct accept accept;     /* ACCEPTS */
  struct block body;        /* BODY */
  struct request *requests; /* REQUESTS */
  uint32_t request_count;
};

/* A function that is fitted to measurements: those of a file, or rows of its own. */
struct fit {
  const char *path; /* NULL: none */
  struct span path_span;
  struct field *terms; /* with a name, or without */
  uint32_t term_count; /* 0: they are searched for */
  struct span terms_span;
  struct expr *where; /* of the measurements, those that count; NULL: all */
  struct fit_row {    /* at a, b: y, y; */
    struct expr **at, **values;
    uint32_t at_count, value_count;
    struct span span;
  } * rows;
  uint32_t row_count, row_capacity;
  struct field *settings;
  uint32_t setting_count, setting_capacity;
  struct model_fit *fitted;  /* check: what came of it; NULL: not yet, or nothing */
  const struct source *data; /* load: the file's text; NULL: none */
};

/* A step of a protocol: an elementary interaction, or steps that may be left out, are repeated, or stand for others. */
struct protocol_step {
  enum protocol_step_kind {
    STEP_NAMED, /* an interaction: a transaction by its name, */
    STEP_OWN,   /* that which the accept or the request has, */
    STEP_REPLY, /* or the reply of that one */
    STEP_OPTIONAL,
    STEP_REPEAT,
    STEP_ONE_OF,
    STEP_WAY /* one of those under ONE_OF */
  } kind;
  bool back; /* from who accepts to who requests */
  struct ident name;
  struct span span;
  struct protocol_step *steps, *next;    /* those in it; linked */
  uint32_t depth;                        /* of steps in it */
  struct model_transaction *transaction; /* check: of NAMED */
};

struct decl {
  enum decl_kind kind;
  struct span span;
  struct ident name; /* of USE with a string: name NULL */
  const char *doc;   /* text of ///, lines joined by '\n'; NULL: none */
  struct decl *next;
  struct symbol *symbol; /* check: */
  struct decl *instead;  /* check: a component that was declared anew: what stands in its place; NULL: nothing does */
  struct decl *stands;   /* check: in whose place that stands, the first of its name; NULL: where it is written */
  union {
    struct {
      bool database;    /* from database */
      const char *path; /* "file" or NULL where a name */
      struct span path_span;
      struct file *file;    /* load: NULL where it is an evaluator */
      struct decl *presets; /* PARAMs without a type, linked by next: of the file that is used */
    } use;
    struct { /* PARAM, LET, VAR, UNIT (value NULL: a dimension of its own) */
      struct type_expr *type;
      struct expr *value;
      struct expr *range; /* PARAM: in … ; may be NULL; RANGE, list or an expression */
      bool asked;         /* PARAM of a component, and the VAR that is made of it: the value is that of `call` */
    } value;
    struct { /* FUNCTION, FIT */
      struct signature signature;
      struct expr *value; /* of a FIT: what was fitted, NULL before the check */
      struct fit *fit;    /* NULL: a FUNCTION */
    } function;
    struct {
      struct attribute {
        struct words name;
        struct type_expr *type;
        struct expr *value; /* default, or NULL */
        struct expr *range; /* in …; NULL: any value */
        const char *doc;
        struct span span;
      } * attributes;
      uint32_t count;
    } domain;
    struct signature transaction;
    struct protocol_step *steps; /* PROTOCOL: linked */
    struct {                     /* COMPONENT, SYSTEM */
      bool unnamed;              /* file-level parts: named after the file */
      struct ident like;         /* COMPONENT NAME like OTHER */
      struct ident *indices;
      uint32_t index_count;
      struct expr *set;       /* NULL: no index */
      struct decl *locals;    /* VAR, LET, PARAM, FUNCTION and inner COMPONENT */
      struct field *settings; /* SYSTEM: warm-up */
      uint32_t setting_count;
      struct part *parts;
      /* of `like`: `param x = …;` is a PARAM without a type, `profile …` replacements are here; other locals are
       * added; parts before an ACCEPTS are those of the first accept, whose body they replace */
      struct pair *replaced;
      uint32_t replaced_count, replaced_capacity;
      struct map replaced_places;
      struct accept *changed; /* of `like`: the servers, discipline and firing rule that its first accept has */
      uint32_t depth;         /* of components in it */
    } component;
    struct { /* coercion T -> U in D -> D cost C lossy = E; or a block */
      struct type_expr *from, *to;
      struct expr *domain, *to_domain; /* terms; NULL: any */
      struct expr *cost;               /* NULL: 1 */
      bool lossy, has_block;
      struct expr *value;
      struct block body;
    } coercion;
    struct {
      const char *library;
      struct span library_span;
      struct signature *functions;
      uint32_t count;
    } foreign; /* EXTERN */
    struct {
      struct qname of;
      struct study_item *items; /* linked */
    } study;
    struct expr *assertion;
  };
};

/* What a param that is varied is to who recommends choices. */
enum study_role { ROLE_VARIED, ROLE_PROBLEM, ROLE_CHOICE, ROLE_MACHINE };

enum study_item_kind {
  STUDY_VARY,
  STUDY_WHERE,
  STUDY_REPORT,
  STUDY_MINIMIZE,
  STUDY_MAXIMIZE,
  STUDY_PLOT,
  STUDY_ASSERT,
  STUDY_SETTING
};
struct study_item {
  enum study_item_kind kind;
  struct span span;
  struct study_item *next;
  struct vary { /* VARY: name in range [by [*] step] | name = expr (tied) */
    struct qname name;
    struct expr *range, *step, *tied;
    bool geometric;
  } * varies;
  uint32_t vary_count;
  enum study_role role; /* VARY: of all of them */
  struct field *fields; /* REPORT; MINIMIZE, MAXIMIZE: one; SETTING: one */
  uint32_t field_count;
  struct expr *condition; /* WHERE, ASSERT, the `where` of minimize */
  struct expr **groups;   /* MINIMIZE, MAXIMIZE: `by`, for each of whose values there is a best point */
  uint32_t group_count;
  struct expr **series; /* PLOT */
  uint32_t series_count;
  uint32_t usual; /* PLOT: made of columns, so many of which are drawn, the first that are numbers; 0: as written */
  struct expr *against, *by;
  struct words *options; /* log x, log y */
  uint32_t option_count;
};

/* A comment; the parser keeps them in the order of the text. */
struct comment {
  struct span span;
  bool own_line; /* nothing but blanks before it on its line */
  bool doc;      /* a `///` */
};

struct file {
  const struct source *source;
  struct decl *decls;       /* linked, in the order of the text */
  struct decl *replaced;    /* check: linked; those that a later text of a session has declared anew */
  struct comment *comments; /* all of them, `///` too */
  uint32_t comment_count, comment_capacity;
  const char **strings; /* all of them, as expr.string is */
  uint32_t string_count, string_capacity;
  bool broken; /* had syntax errors */
};

struct diagnostics;
/* Parses a source. Never NULL; `broken` set after syntax errors, which are reported to d and after
 * which it goes on at the next declaration. Nesting deeper than 1,000 is an error. */
struct file *parse_file(struct arena *arena, struct names *names, struct diagnostics *d, const struct source *source);
/* Parses one expression, for --set and the like; NULL after an error. */
struct expr *parse_expression(struct arena *arena, struct names *names, struct diagnostics *d,
                              const struct source *source);

/* The values of an axis, for --vary, into vary->range, ->step and ->geometric: `4, 8`, `1 .. 9 by 2`, a list even where
 * it is one. False after an error. */
bool parse_values(struct arena *arena, struct names *names, struct diagnostics *d, const struct source *source,
                  struct vary *vary);

/* The same for what is asked at a prompt: `EXPR -> UNIT;`. *unit is NULL where none is named, else what `unit NAME
 * = …` takes. `commands` are the words that could have stood at its head, up to a NULL; NULL: there are none. */
struct expr *parse_question(struct arena *arena, struct names *names, struct diagnostics *d,
                            const struct source *source, const char *const *commands, struct expr **unit);

/* The tree as text, one node a line, indented: `psl ast`. Spans only where asked, so that two layouts
 * of one program dump the same. */
struct text;
void ast_dump(struct text *out, const struct file *file, bool spans);
/* The source in the one layout, comments kept: `psl fmt`. */
void ast_format(struct text *out, const struct file *file);
/* One expression as it would be written. */
void expr_format(struct text *out, const struct expr *expr);
const char *expr_kind_name(enum expr_kind kind);
const char *stmt_kind_name(enum stmt_kind kind);
#endif
