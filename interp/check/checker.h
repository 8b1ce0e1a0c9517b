/* What the files of interp/check share: the state of one check, scopes, and the checks of each kind of
 * thing.  Nothing outside this folder includes it. */
#ifndef PSL_CHECKER_H
#define PSL_CHECKER_H
#include "grammar/habits.h"
#include "interp/check/check.h"
#include "interp/evaluate/builtin.h"

/* One table for each way in which a name can stand in the text. */
enum space {
  SPACE_VALUE,     /* params, lets, functions, foreign functions */
  SPACE_QUALIFIER, /* before a point: files and evaluators */
  SPACE_UNIT,
  SPACE_DOMAIN, /* by folded name */
  SPACE_TRANSACTION,
  SPACE_PROTOCOL,
  SPACE_COMPONENT,
  SPACE_STUDY,
  SPACES
};

struct table {
  struct symbol **items; /* first of each name, in order; the others of a name hang on `next` */
  uint32_t count, capacity;
  uint32_t *by_id; /* by name id: place in items + 1 */
  uint32_t by_id_count;
};

/* An attribute as profiles have it, over the whole model. */
struct attribute_use {
  const struct name *name; /* folded */
  const struct type *type; /* NULL: several */
  struct span span, other; /* where it got its type; other: where another */
};

/* A term that a selector wants of an attribute, whatever else it wants. */
struct wanted {
  const struct wanted *next;
  const struct name *attribute; /* folded; NULL: of the domain, or of the evaluation mode */
  struct term term;
  struct span span; /* of the clause; of none where it is of a coercion */
};

/* A use of an attribute in which profiles differ, to be held against those that can be meant (claims_check). */
struct claim {
  const struct wanted *wanted;
  const struct name *attribute;
  const struct type *compared; /* with it; NULL: its value is used */
  struct span span;
};

struct scope {
  struct scope *outer;
  struct symbol **items;
  uint32_t count, capacity;
  struct map places; /* in items, of the first `placed` ones by name: where there are many */
  uint32_t placed;
};

/* What an expression may do depends on where it stands. */
struct context {
  struct scope *scope;
  uint32_t *slots; /* next free slot of the frame that binders and lets use */
  struct model_component *component;
  const char *draws; /* NULL: distributions may be drawn here; else the place: "a function" */
  bool clock, caller, target, vars, terms;
  struct model_study *study;                /* whose results may be named */
  struct study_item *assertion;             /* of the study: figures of all points may be named */
  struct expr *met;                         /* there: the first name that is of one point */
  const struct model_domain *target_domain; /* of `target.A`, where the selector names it */
  const struct wanted *wanted;              /* of the target's profile */
  struct symbol *value;                     /* `value` of a coercion */
  struct model_accept *rule;                /* whose firing rule it is: it may read vars of other instances */
  struct model_function *function;          /* whose value is checked */
};

struct recorded {
  const struct name *name;
  const struct type *type;
  struct span span;
  struct model_component **components; /* whose bodies record it */
  uint32_t component_count, component_capacity;
};

struct checker {
  struct model *model;
  struct arena *arena;
  struct diagnostics *d;
  struct table tables[SPACES];
  bool *reaches; /* groups × groups of files: the first uses the second, directly or not */
  uint32_t group_count;
  bool quiet;      /* the last report was left out: so are its notes */
  bool signatures; /* of evaluators, where values may be of any type */
  bool repeated;   /* checked before: only what is new is said */
  struct attribute_use *attributes;
  uint32_t attribute_count, attribute_capacity;
  struct map attribute_places; /* by name */
  struct map index_names;      /* of all components, folded */
  struct map result_places;    /* of the model's results, by name */
  bool domain_open;            /* of some profile: not known before the run */
  int network;                 /* 1: the model can be a queueing network, -1: it cannot; 0: not asked yet */
  struct claim *claims;
  uint32_t claim_count, claim_capacity;
  struct recorded *records;
  uint32_t record_count, record_capacity;
  struct map reported; /* hashes of what was said, so that a clone says nothing twice */
  struct symbol clock, target, caller;
  struct symbol *last;    /* NULL: there is none */
  bool asked;             /* an expression of the prompt is checked */
  bool heads;             /* what a `first of` waits for is checked */
  struct span *last_uses; /* of `last` and of `ans` */
  uint32_t last_use_count, last_use_capacity;
  uint32_t depth; /* of expressions */
  uint32_t accept_capacity, request_capacity, component_capacity, function_capacity, transaction_capacity;
  const struct expr *wanted_like; /* a value of what is wanted, whose unit is an example; NULL: none */
  const char *wanted_unit;        /* by which the type of what is wanted was named; NULL: it was not */
  uint32_t param_capacity, let_capacity, domain_capacity, coercion_capacity, assert_capacity, study_capacity;
  uint32_t evaluator_capacity, result_capacity, foreign_capacity, passing_capacity;
  struct symbol **evaluator_functions;
  uint32_t evaluator_function_count, evaluator_function_capacity;
  struct checked_component **components; /* by component id */
  uint32_t checked_capacity;
  struct function_calls *calls; /* by function id */
  uint32_t calls_capacity;
  struct mute *mute;        /* extend.c: for what is not to be said */
  struct symbol **builtins; /* by place in psl_builtins, made at first use */
};

/* Beside each component, while it is checked. */
struct checked_component {
  struct scope scope; /* indices, instances, vars, functions, labels */
  struct scope labels;
  struct map profiles;            /* of accepts, by how they are written: where each stands first */
  struct expr ***label_arguments; /* by the label's slot: the first argument that each parameter was given */
  uint32_t label_count, label_capacity;
  uint32_t request_capacity, accept_capacity, inner_capacity, instance_capacity, var_capacity, dynamic_capacity;
};

/* ---- checker_messages.c: what is said, once each ---- */
void check_error(struct checker *c, struct span span, const char *format, ...) __attribute__((format(printf, 3, 4)));
void check_warning(struct checker *c, struct span span, const char *format, ...) __attribute__((format(printf, 3, 4)));
void check_note(struct checker *c, struct span span, const char *format, ...) __attribute__((format(printf, 3, 4)));
void check_help(struct checker *c, struct span span, const char *format, ...) __attribute__((format(printf, 3, 4)));
const char *type_text(struct checker *c, const struct type *type); /* `time`, `[data]` */
const char *expr_text(struct checker *c, const struct expr *expr); /* as written, shortened */
/* Of SI, as a number without one is mostly meant: `s`, `s/byte`. */
const char *unit_example(struct checker *c, struct dimension dimension);
struct words_list { /* candidates of a "did you mean" */
  const char **items;
  uint32_t count, capacity;
};
void words_add(struct checker *c, struct words_list *list, const char *word);
/* 'a', 'b'; NULL: none. */
const char *words_text(struct checker *c, const struct words_list *list);
void words_add_scope(struct checker *c, struct words_list *list, const struct scope *scope);
void words_add_table(struct checker *c, struct words_list *list, const struct table *table);
/* Help, where one is near; false: none is. */
bool check_meant(struct checker *c, const char *word, const struct words_list *list);
/* disk of disk-drive: is the word one of those that the name is made of? */
bool has_word(const char *name, const char *word);
/* Help, where one is near or has the word in it. */
bool check_part_meant(struct checker *c, const char *word, const struct words_list *list);
/* What is written in place of a word of another language; false: nothing is known of it. */
bool check_habit(struct checker *c, enum habit_place place, const char *word);
/* The same where the one word that is meant is one of the list. */
bool check_habit_of(struct checker *c, enum habit_place place, const char *word, const struct words_list *list);
/* The same of a figure of a machine that has these params. */
bool check_figure(struct checker *c, const char *word, const struct words_list *params);
bool is_bracketed(const struct expr *expr); /* a list of one range: [1 .. 3] */
/* Help where it is, and 1 .. 3 is meant. */
bool check_bracketed(struct checker *c, const struct expr *expr);
/* Are these params of a machine of LogGP? */
bool words_of_machine(const struct words_list *params);
/* The same of what the figures of messages are called elsewhere, where the model has those of LogGP. */
bool check_machine(struct checker *c, const char *word);

/* ---- unused_library.c: a message's help; false: no file of the library ---- */
/* The file of the library that declares the name and is not used; NULL: there is none. */
const char *library_file_of(struct checker *c, enum space space, const struct name *name);
bool check_library(struct checker *c, enum space space, const struct name *name);      /* declares the name */
bool check_near_library(struct checker *c, enum space space, const struct name *name); /* declares one like it */
/* has coercions that lead from one type to the other */
bool check_coercions(struct checker *c, const struct type *from, const struct type *to);
/* A number is given where `to` is wanted, which is also made of something else. */
void check_coerced_units(struct checker *c, const struct model_transaction *transaction, const struct type *to);

/* ---- symbols.c: tables and scopes ---- */
struct symbol *symbol_new(struct checker *c, enum symbol_kind kind, const struct name *name, struct span span);
void table_add(struct checker *c, enum space space, struct symbol *symbol);
/* The symbol of a name used at span: NULL where there is none. More than one that the using file can mean
 * is an error, after which the first is returned and *bad set. */
struct symbol *table_find(struct checker *c, enum space space, const struct name *name, struct span span);
/* What the qualifier of NAME means: of several files that are called so the one that has NAME, as where a session's
 * inputs are one file each. */
struct symbol *qualifier_find(struct checker *c, struct ident qualifier, enum space space, const struct name *name);
struct symbol *table_first(const struct checker *c, enum space space, const struct name *name); /* says nothing */
/* The first value of a name that stands at the span. In a file of PSL's library those alone count that it uses: what a
 * model calls its own changes neither a built-in function nor a term there. */
struct symbol *value_first(const struct checker *c, const struct name *name, struct span span);
struct symbol *table_in_file(const struct checker *c, enum space space, const struct name *name,
                             const struct source *file);
struct symbol *scope_find(struct checker *c, struct scope *scope, const struct name *name);
void scope_add(struct checker *c, struct scope *scope, struct symbol *symbol); /* twice in one scope: an error */
struct symbol *scope_local(struct checker *c, struct context *x, struct scope *scope, struct ident name,
                           const struct type *type);
uint32_t file_place(const struct checker *c, const struct source *source); /* in model->files */
bool file_reaches(const struct checker *c, const struct source *from, const struct source *to);
void declare_files(struct checker *c);                             /* symbols of all global declarations */
void declare_file(struct checker *c, const struct source *source); /* as the qualifier of what it holds */
void declare_one(struct checker *c, struct decl *decl, const struct source *file);

/* ---- evaluator.c ---- */
const struct psl_evaluator *evaluator_named(const struct load_options *options, const char *name);
bool is_known_evaluator(struct checker *c, const char *name);
void declare_evaluators(struct checker *c); /* the used ones and their functions */
void evaluators_check(struct checker *c);   /* their signatures */

/* ---- preset.c ---- */
void declare_presets(struct checker *c); /* what files give to the params of those that they use */

/* ---- clone.c ---- */
struct decl *clone_component(struct arena *arena, const struct decl *decl);
struct decl *clone_local(struct arena *a, const struct decl *from);
struct expr *clone_expr(struct arena *a, const struct expr *from);
struct part *clone_parts(struct arena *a, const struct part *from);

/* ---- units.c ---- */
bool unit_parse(struct checker *c, const char *text, struct span span, double *factor, struct dimension *dimension);
/* `3 s*byte` is read as a product, of 3 s and `byte`: where no value has that name, it becomes a quantity of that unit.
 * Its left side is checked. */
void unit_join(struct checker *c, struct context *x, struct expr *expr);
bool unit_of_expr(struct checker *c, const struct expr *expr, double *factor, struct dimension *dimension);
bool unit_symbol(struct checker *c, struct symbol *unit); /* computes factor and dimension once */
bool is_unit(const struct checker *c, const struct name *name);

/* ---- types.c ---- */
const struct type *type_check(struct checker *c, const struct type_expr *type); /* error type after a diagnostic */
/* target.A: the attribute A, folded; NULL: the type is another. */
const struct name *type_attribute(struct checker *c, const struct type_expr *type);
bool is_type_word(const struct checker *c, const struct name *name); /* or `float`, as other languages have it */
/* Notes that the value goes where a number is wanted, or to a symbol; of what has no type before the run. */
void passing_note(struct checker *c, const struct expr *by, const struct symbol *to, const struct type *wanted);
/* The type of one of two alternatives; NULL: they have none in common. */
const struct type *type_join(struct checker *c, const struct type *a, const struct type *b);
const struct type *type_lift(struct checker *c, const struct type *declared, const struct type *value);
/* Does a value of expr's type fit where `wanted` is wanted? If not, says so: "WHAT wants time, not data". */
bool type_require(struct checker *c, const struct expr *expr, const struct type *wanted, const char *what);
/* Says how a number is written without its exponent or point, or a quotient by div, where that alone keeps the
 * expression from being whole; false: it is something else. */
bool check_whole_number(struct checker *c, const struct expr *expr);
const char *operand_text(struct checker *c, const struct expr *expr); /* what joins others stands in parentheses */
/* Help where the one has nothing to do with the other: time where data are given is made by a rate. */
void rate_between_help(struct checker *c, const struct expr *expr, const struct type *type, const struct type *wanted);
/* What of the value is not known before the run may not be a number that is wanted here. */
bool parts_require(struct checker *c, const struct expr *expr, const struct type *wanted, const char *what);

/* ---- made_of.c ---- */
/* The value that a name stands for by its let or param, through as many of these as there are; else the same. */
const struct expr *expr_behind(const struct expr *expr);
/* Help where a distribution is one of other numbers than are wanted; false: nothing is known of how it is made. */
bool distribution_help(struct checker *c, const struct expr *expr, const struct type *wanted);

/* ---- distribution_words.c ---- */
/* Help where the parameters of a distribution are given by names; false: it is none whose parameters have some. */
bool distribution_names_help(struct checker *c, const struct expr *call, const struct builtin *builtin);
/* Help where they stand by place, and their units are those of others; false: nothing is known of them. */
bool distribution_places_help(struct checker *c, const struct expr *call, const struct builtin *builtin,
                              const struct type *const *types, uint32_t count);

/* ---- expression.c, operator.c, function_call.c ---- */
const struct type *expr_check(struct checker *c, struct context *x, struct expr *expr, const struct type *wanted);
/* expr_check and type_require; `what` for the message. Returns the type of the value (lifted). */
const struct type *expr_check_as(struct checker *c, struct context *x, struct expr *expr, const struct type *wanted,
                                 const char *what);
/* Is BASE.NAME a param, let or attribute, or a value of a file? */
bool is_other_member(struct checker *c, struct context *x, const struct expr *expr);
const struct type *operator_check(struct checker *c, struct context *x, struct expr *expr, const struct type *wanted);
const struct type *compare_check(struct checker *c, struct context *x, struct expr *expr);
const struct type *call_evaluator(struct checker *c, struct context *x, struct expr *expr, struct symbol *symbol);
const struct type *call_check(struct checker *c, struct context *x, struct expr *expr);
struct symbol *member_lookup(struct checker *c, struct context *x, struct expr *expr, bool *record);
/* COMPONENT.NAME; NULL after a diagnostic. */
/* x: where it stands, for what is said of figures; NULL: where none are meant. */
struct symbol *component_member(struct checker *c, struct context *x, const struct model_component *component,
                                struct ident name);
/* Of a member that is a component's own; TYPE_ERROR after a diagnostic where it has no one value. */
const struct type *member_type(struct checker *c, const struct expr *expr);
struct symbol *name_lookup(struct checker *c, struct context *x, const struct name *name, struct span span);
/* Says what a name means that only a session knows; false: it is none. */
bool session_word(struct checker *c, const struct name *name);
void name_unknown(struct checker *c, struct context *x, const struct name *name, struct span span);
bool is_bare_word(struct checker *c, struct context *x, const struct expr *expr);
/* Says of what has no type before the run that nothing is computed of it. */
void check_not_known(struct checker *c, const struct expr *expr);
void check_no_range(struct checker *c, const struct expr *expr, const char *what);
/* Help for a range where one number is wanted, at the first of the values that is one. */
void help_one_number(struct checker *c, struct expr *const *values, uint32_t count);
/* Says of a distribution that nothing is drawn where x->draws names. */
void check_not_drawn(struct checker *c, const struct context *x, const struct expr *expr);
const struct type *check_draw(struct checker *c, struct context *x, const struct expr *expr, const struct type *type);
/* A binder, a `for` or, which alone goes over reals, a `vary`: the type of what it walks over. step may be NULL. */
const struct type *walk_check(struct checker *c, struct context *x, struct expr *range, struct expr *step,
                              bool geometric, bool vary);
/* Arguments by place and by name into *bound in the order of the parameters. */
struct formal {
  const struct name *name;
  const struct type *type; /* NULL: not known yet */
  struct expr *value;
  struct span span;
  const struct foreign_parameter *foreign; /* of a function of C; NULL: of another */
};
bool args_bind(struct checker *c, const char *what, const struct args *args, const struct formal *formals,
               uint32_t count, struct expr **bound);
struct model_signature *signature_check(struct checker *c, const struct signature *signature, struct symbol *symbol,
                                        const char *what);
/* Says that the callee is no function; false: and nothing of what may have been meant. */
bool function_unknown(struct checker *c, struct context *x, const struct expr *callee);
/* The function of PSL (or of C) of that name that is in scope; NULL: there is none. */
struct symbol *function_named(struct checker *c, struct context *x, const struct name *name, struct span span);

/* ---- variant.c ---- */
/* The component of FAMILY(…); NULL where the expression is none. */
struct model_component *variant_family(struct checker *c, struct context *x, const struct expr *base);
/* FAMILY(…).NAME; NULL after a diagnostic. */
struct symbol *variant_member(struct checker *c, struct context *x, struct expr *expr, struct model_component *first);

/* ---- function_types.c ---- */
/* Types of global params, lets and functions, worked out at first use. */
const struct type *symbol_type(struct checker *c, struct symbol *symbol, struct span span);
void function_declare(struct checker *c, struct symbol *symbol, struct model_component *component);
void function_open(struct checker *c, struct model_function *function); /* types of its parameters */
void function_called(struct checker *c, struct model_function *caller, struct model_function *callee);
void functions_added(struct checker *c); /* makes room for what they call */
/* Those before `first` are known, and call none of the rest. */
void functions_recursive(struct checker *c, uint32_t first);
void function_check(struct checker *c, struct model_function *function);

/* ---- check.c ---- */
struct symbol *builtin_symbol(struct checker *c, const struct name *name, const struct builtin *builtin);

/* ---- result.c ---- */
/* Warns of a record in whose place runs have a share of time of their own. */
void record_hides(struct checker *c, const struct model_component *component, struct ident record);

/* ---- component.c ---- */
struct symbol *label_find(struct checker *c, const struct model_component *component, const struct name *name);

/* ---- foreign.c: functions of C ---- */
void foreign_check(struct checker *c, const struct signature *signature, struct symbol *symbol);
/* A function of PSL given where C wants one to call. */
void foreign_callback_check(struct checker *c, struct context *x, struct expr *expr,
                            const struct foreign_parameter *parameter);

/* ---- symbols_of.c ---- */
void expr_symbols(const struct expr *expr, void (*visit)(void *user, struct symbol *symbol), void *user);
struct symbol *expr_index(const struct expr *expr); /* an index that a checked expression depends on, or NULL */

/* ---- attribute.c ---- */
/* As profiles and selectors may have it: node type. */
const char *attribute_words(struct checker *c, const struct name *name);
void attribute_note(struct checker *c, const struct name *folded, const struct type *type, struct span span);
struct attribute_use *attribute_find(struct checker *c, const struct name *folded);
struct model_attribute *domain_attribute(const struct model_domain *domain, const struct name *folded);
/* From here on the domain has the attribute: that it lacks it has been said. */
void domain_adopt(struct checker *c, const struct model_domain *domain, const struct name *folded,
                  const struct type *type, struct span span);
const struct type *attribute_type(struct checker *c, const struct model_domain *domain, const struct name *folded);
const struct model_domain *domain_named(struct checker *c, const struct expr *term);
const struct type *attribute_check(struct checker *c, struct context *x, struct expr *member, enum symbol_kind side);
/* Do profiles differ in its type, as far as the domain is known? */
bool attribute_differs(struct checker *c, const struct model_domain *domain, const struct name *folded);
void selector_check(struct checker *c, struct context *x, struct expr *selector, struct expr *by);
void check_domain(struct checker *c, struct symbol *symbol);

/* ---- allowed.c ---- */
/* The range of a param, parameter or attribute (what) of that type. */
bool check_in(struct checker *c, struct context *x, struct expr *range, const struct type *type, const char *what,
              const struct name *name, struct span span);
/* What is in it, where nothing else says so. */
const struct type *type_of_range(struct checker *c, struct context *x, struct expr *range);
/* Is the value one that may be there, as far as the text tells? If not, says so. */
bool check_allowed(struct checker *c, const struct allowed *allowed, const struct name *name, const struct type *type,
                   const struct expr *value);
/* Warns of a clause that wants a term which the attribute never is. */
void never_note(struct checker *c, struct context *x, const struct allowed *allowed, const struct expr *clause);
void never_compared_note(struct checker *c, const struct expr *word, const struct expr *other);

/* ---- provider.c: attributes in which profiles differ ---- */
bool is_word(const struct expr *value);                          /* checked: a term that is written out … */
struct term term_of(struct checker *c, const struct expr *word); /* … and which */
/* Into x->wanted: the terms that all clauses of a selector want together; what a coercion says of the accept. */
void wanted_terms(struct checker *c, struct context *x, const struct expr *selector);
void wanted_side(struct checker *c, struct context *x, const struct model_coercion *coercion);
/* The one type that it has in the profiles that may be meant; TYPE_ANY: none has it; NULL: they differ. */
const struct type *provided_type(struct checker *c, const struct wanted *wanted, const struct name *attribute);
void claim_add(struct checker *c, const struct context *x, const struct name *attribute, const struct type *compared,
               struct span span);
/* The same, where its value is used; an error where they differ. */
const struct type *used_type(struct checker *c, const struct context *x, const struct name *attribute,
                             struct span span);
void claims_check(struct checker *c);
/* The same type in all profiles that may be meant; TYPE_ERROR after a diagnostic where it is not. */
const struct type *only_type(struct checker *c, const struct context *x, const struct name *attribute,
                             struct span span);
/* The type of an attribute of an accept; NULL: it has none whose type is known. */
const struct type *own_type(const struct checker *c, const struct model_accept *accept, const struct name *attribute);

/* ---- component.c, accept.c, request_types.c, statement.c ---- */
/* The attribute as a let of the component, where its first accept that has a profile says what it is; else NULL, and
 * its attributes are added to the list. */
struct symbol *component_attribute(struct checker *c, const struct model_component *component, struct ident name,
                                   struct words_list *list);
/* A let of the component that no declaration makes. */
struct symbol *instance_symbol(struct checker *c, const struct model_component *component, struct ident name,
                               struct expr *value, const struct type *type);
void component_declare(struct checker *c, struct decl *decl, struct model_component *outer, const struct source *file);
void components_build(struct checker *c);
void components_check(struct checker *c);
void transaction_check(struct checker *c, struct model_transaction *transaction);
void system_request_check(struct checker *c, struct model_request *request);
const struct type *call_label(struct checker *c, struct context *x, struct expr *call, struct symbol *label);
const struct type *call_transaction(struct checker *c, struct context *x, struct expr *call,
                                    const struct model_transaction *transaction);
void accept_profile(struct checker *c, struct model_accept *accept);
void accept_check(struct checker *c, struct model_accept *accept);
void request_open(struct checker *c, struct model_request *request); /* transaction, protocol, result */
void request_check(struct checker *c, struct context *x, struct model_request *request);
void label_defaults_check(struct checker *c, struct model_request *request); /* before what calls the label */
void label_check(struct checker *c, struct model_request *request);
void transactions_imply(struct checker *c);
struct model_transaction *transaction_named(struct checker *c, const struct qname *name);
struct body { /* where a block of statements stands */
  struct model_component *component;
  struct model_accept *accept;       /* NULL: a coercion's */
  const struct type *result;         /* of return; NULL: none is allowed here */
  struct model_transaction *target;  /* of a coercion's block; NULL: a body */
  struct model_transaction *returns; /* whose result that is */
};
void stated_time_check(struct checker *c, struct model_component *component); /* when all bodies have been checked */
void block_check(struct checker *c, struct context *x, const struct body *body, struct block *block,
                 struct scope *scope);
/* Can the block (NULL: none) end without the result that the transaction has? Then says so. */
void check_reply(struct checker *c, const struct model_transaction *transaction, const struct block *block,
                 struct span at);

/* ---- watch.c ---- */
/* The type of COMPONENT.VAR or COMPONENT[i].VAR in a firing rule; NULL: it is something else. */
const struct type *watch_check(struct checker *c, struct context *x, struct expr *expr);

/* ---- protocol.c, conversation.c ---- */
void protocols_check(struct checker *c);
/* The protocol of that name; NULL after a diagnostic. */
const struct model_protocol *protocol_check(struct checker *c, const struct words *words);
/* The transaction by which it begins, where a request or an accept says `transaction`: after a diagnostic that one. */
struct model_transaction *protocol_begin(struct checker *c, const struct model_protocol *protocol,
                                         struct model_transaction *transaction, const struct txn *txn);
/* The name of the parameter that says which conversation a first interaction begins. */
const struct name *conversation_name(struct checker *c);
/* The syntax of a request that begins conversations, with a parameter of its label more. */
const struct request *conversation_request(struct checker *c, const struct request *syntax);
/* What the bodies of an accept do besides, where it takes part in conversations or begins some. */
void conversations_begin(struct checker *c, struct context *x, struct model_accept *accept, struct scope *params);
void made_check(struct checker *c, struct context *x, struct stmt *stmt, struct scope *scope);
/* The conversation that the call of the label in hand begins. */
struct expr *conversation_begun(struct checker *c, struct context *x, const struct expr *call);
/* The type of `call LABEL.STEP(...)` or `call caller.STEP(...)`, and what is called; NULL: it is no such call. */
const struct type *interaction_check(struct checker *c, struct context *x, const struct body *body, struct expr *call,
                                     struct symbol **callee);

/* ---- fitting.c ---- */
/* Fits a FIT's function to its measurements and gives it its value, which is still to be checked: a number of no
 * meaning after a diagnostic. */
void fit_function(struct checker *c, struct context *x, struct model_function *function);

/* ---- coercion_rule.c ---- */
void coercions_declare(struct checker *c);
void coercions_check(struct checker *c);
/* Do rules lead from the one type to the other, wherever they may hold? */
bool coercion_leads(struct checker *c, const struct type *from, const struct type *to);
/* `* 1 flop or * 1 cycle`: what makes of a number something that the model's coercions, or these with them, lead from
 * by what accepts of the transaction say of themselves; NULL: there is none. */
const char *coercion_units(struct checker *c, const struct decl *decls, const struct model_transaction *transaction,
                           const struct type *to);
/* The same, with those among the declarations, which are no part of the model. */
bool declarations_lead(struct checker *c, const struct decl *decls, const struct type *from, const struct type *to);

/* ---- fitting_formula.c ---- */
/* The value of a part: its coefficient by its term. */
struct expr *fit_part(struct checker *c, struct model_function *function);

/* ---- instance_result.c ---- */
/* The component that a chain COMPONENT[1].a.b in a study begins with; NULL: it is something else. */
const struct model_component *instance_component(struct checker *c, const struct context *x, struct expr *expr);
const struct model_result *instance_result(struct checker *c, struct context *x, struct expr *expr); /* NULL: none */
void instance_refuse(struct checker *c, struct context *x, struct expr *expr);
bool instance_meant(struct checker *c, const struct context *x, const struct name *name, const char *member);

/* ---- asked.c ---- */
/* Params that are asked for: the vars that one becomes, one more of the component, what the bodies of a component with
 * some begin with, and when they may begin. */
struct decl *asked_var(struct checker *c, const struct decl *param);
struct decl *asked_known(struct checker *c, const struct decl *param);
struct decl *asked_asking(struct checker *c, const struct decl *param);
void asked_begin(struct checker *c, struct model_component *component);
void asked_check(struct checker *c, struct model_component *component);

/* ---- mentions.c ---- */
bool expr_mentions(const struct expr *expr, const struct name *name); /* before it is checked; NULL mentions none */
bool decl_mentions(const struct decl *component, const struct name *name); /* but for its indices and their set */

/* ---- figure_result.c ---- */
const struct model_result *figure_result(struct checker *c, struct model_study *study, const struct name *name);
/* Is the word with an index a figure, written as reports have it? Then it is said how studies write it. */
bool figure_meant(struct checker *c, const struct expr *expr);
/* "; and mean-items-in-buffer_1", of the figures that the instance has; NULL: of the component's first; "" of none. */
const char *figures_told(struct checker *c, const struct model_component *component, const char *instance);
bool figure_near(struct checker *c, const char *name); /* the same for a name that none has as it stands */

/* ---- rest_result.c ---- */
/* `text` begins with the name `head`; NULL: it is none. */
const struct model_result *rest_result(struct checker *c, struct model_study *study, const struct name *head,
                                       const char *text);
/* Of `name`, a component and a word; false: there is none. */
bool rest_of_instance(struct checker *c, const struct model_component *component, const char *name,
                      struct model_result *made);
void words_add_rests(struct checker *c, struct words_list *list);

/* ---- facility_result.c ---- */
void facility_results_add(struct checker *c);
/* Is the chain CLASS.FIGURE behind the component or an instance of it? The component's. */
/* Can the text, desk.gold, be servers of a component and a class of their calls, in no queueing network? */
bool is_facility_class(struct checker *c, const char *dotted);
/* How such servers' percentiles and intervals, which they do not keep, are recorded; false: they are of something else,
 * or another figure is wanted. */
bool facility_keeps_help(struct checker *c, const char *dotted, const char *wanted);
bool facility_class_result(struct checker *c, const struct model_component *component, const struct expr *expr,
                           struct model_result *out);
/* COMPONENT.CLASS.FIGURE of a class that is not listed; NULL: the chain is something else. */
const struct model_result *facility_result_made(struct checker *c, struct model_study *study, const struct expr *expr);

/* ---- study_declaration.c, result.c, aggregate.c ---- */
extern const char *const queueing_words[QUEUEING_FIGURES];
/* Can it be of a queueing network: customers, or what they call? */
bool is_queueing(struct checker *c, const struct model_component *component);
const struct type *queueing_type(struct checker *c, enum queueing_figure figure);
void result_add(struct checker *c, struct model_result result);
/* The same with half the width of its interval, which a simulated network has. */
struct model_result result_half(struct checker *c, struct model_result result);
bool result_listed(struct checker *c, const char *name);
void studies_check(struct checker *c);
void study_check(struct checker *c, struct model_study *study);
const struct model_result *result_named(struct checker *c, const char *name); /* NULL: none */
/* The result of a study's expression: by one word, by BASE.NAME; NULL: none is called that. */
struct symbol *result_find(struct checker *c, struct context *x, const struct name *name, struct span span);
struct symbol *result_member(struct checker *c, struct context *x, struct expr *expr);
/* An end of the interval that a figure has, or a column that is one; NULL: it has none. */
struct symbol *result_end(struct checker *c, struct context *x, struct expr *figure, bool high);
/* Of X.high and X.low where a figure X has no interval in one run: how that over several is written. */
bool result_end_help(struct checker *c, struct context *x, const struct expr *expr);
bool result_has_interval(struct checker *c, const char *figure); /* of the model, in simulations */
/* Says so where BASE has results and NAME is none of them. */
bool result_refuse(struct checker *c, struct context *x, struct expr *expr);
/* spread(x), min(x), ... of all points; NULL: the call is something else. */
const struct type *aggregate_check(struct checker *c, struct context *x, struct expr *expr);
void aggregate_meet(struct context *x, struct expr *expr, const struct symbol *symbol);
void assertion_check(struct checker *c, struct context *x, struct study_item *item);
/* Components, and how results of theirs are named that may be meant by the word, as help. */
void results_help(struct checker *c, const char *word);
/* Is it a function that others take percentiles by? Then where they stand, in a study or after a run, as help. */
/* Has it results as a station or class of a network of queues? */
bool result_of_network(struct checker *c, const struct model_component *component);
bool percentile_help(struct checker *c, struct context *x, const char *function, const struct model_component *of);
void words_add_results(struct checker *c, struct words_list *list);

/* ---- last.c ---- */
/* A product of base units, as unit_print writes it or with `1/` and `*`; false where the model has not all of them. */
bool base_unit(const struct types *types, const char *text, struct dimension *out);
void last_declare(struct checker *c);
/* `ans`, where the model has no such name: the expression takes what it stands for in its place. */
bool answer_take(struct checker *c, struct expr *expr);
void last_note_use(struct checker *c, struct span span); /* of `last` or `ans`, in what is checked */
/* Is it `last.stage[1]`? Then it is the field stage_1 from here on, or still an index after a diagnostic. */
bool last_instance(struct checker *c, struct context *x, struct expr *expr);
/* A number of `last` is said to have no ends; false: it is something else. */
bool last_end_refused(struct checker *c, const struct expr *figure, bool high);
bool is_of_last(const struct checker *c, const struct expr *expr);                        /* last.worker.wait */
bool last_has(const struct checker *c, const struct name *name);                          /* a figure of the last run */
void last_mean_help(struct checker *c, const struct expr *expr, const struct type *type); /* of what was recorded */
bool is_percentile(const char *name);                                                     /* p95 */
const char *percentile_text(struct checker *c, const char *digits);                       /* 99_9 as 99.9 */
/* Of a field that `last` itself does not have: whose it is, as help. */
bool last_field_help(struct checker *c, const struct expr *expr, const struct type *base);
/* Is a percentile asked of a network in `last` that lacks it? Then it is said how to get it. */
bool last_percentile_help(struct checker *c, const struct expr *expr, const struct type *base);
struct symbol *last_named(struct checker *c, const struct name *name); /* NULL: it is another name */

/* ---- help_topic.c ---- */

/* What :help says of a term of performance analysis that is no word of the language; NULL: it is none. */
const char *topic_named(const char *name);

/* ---- override.c ---- */
/* Takes out of the files that were asked for what a later one of them declares anew. */
void override_declarations(struct model *model);

/* ---- check.c ---- */
bool model_check(struct model *model, bool repeated);
uint32_t file_group(const struct model *m, uint32_t place); /* of a file; the session's are one group, 0 */
#endif
