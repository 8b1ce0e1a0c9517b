/* The grammar of PSL.
 *
 * LALR(1) without a conflict; actions only call ast_*.  The driver in parse.c pushes the tokens, so
 * that it sees each of them: it knows the open brackets and, after an error, skips to where the
 * rules with `error` go on.
 *
 * Two parsers are made of it. What has errors needs the first, psl_push_parse, which by LAC knows all that could stand
 * there; psl_parse has no LAC and takes the tokens by itself, which is faster. */
%require "3.8"
%define api.pure full
%define api.push-pull push
%define api.prefix {psl_}
%define api.location.type {struct span}
%define api.token.prefix {TOKEN_}
%define parse.error custom
%define parse.lac full
%locations
%parse-param {struct parse *p}
%lex-param {struct parse *p}

%code requires {
#include "grammar/parse.h"
}
%code {
#include <string.h>

#define YYLLOC_DEFAULT(current, rhs, n)                                                            \
  ((current) = (n) ? (struct span){YYRHSLOC(rhs, 1).begin, YYRHSLOC(rhs, n).end}                   \
                   : (struct span){YYRHSLOC(rhs, 0).end, YYRHSLOC(rhs, 0).end})
/* Room for NESTING_LIMIT levels, whatever stands on each: about 20 symbols at most. */
#define YYMAXDEPTH (20 * NESTING_LIMIT)
/* Values of the grammar are copied at each step: what is large is kept apart. */
#define KEPT(type, value) memcpy(ARENA_NEW(p->arena, struct type), &(struct type[1]){value}, sizeof(struct type))
static void psl_error(const struct span *span, struct parse *p, const char *message);
#if YYPULL
#undef yylex
#define yylex parse_next
#define YYMALLOC(size) arena_alloc(p->arena, size)
#define YYFREE(piece) ((void)(piece))
#endif
}

%union {
  struct ident ident;
  struct expr *expr;
  struct expr_list exprs;
  struct ident_list idents;
  struct field_list fields;
  struct field field;
  struct pair_list pairs;
  struct param_list params;
  struct param *param;
  struct signature *signature;
  struct signature_list signatures;
  struct request *request;
  struct request_list requests;
  struct attribute_list attributes;
  struct vary_list varies;
  struct vary *vary;
  struct words words;
  struct words_list options;
  struct atom_list atoms;
  struct type_atom *atom;
  struct type_expr *type;
  struct call *call;
  struct qname qname;
  struct txn *txn;
  struct rhs rhs;
  struct step step;
  struct stmt *stmt;
  struct stmt_list stmts;
  struct block block;
  struct chance_list chances;
  struct head_list heads;
  struct accept *accept;
  struct part *part;
  struct part_list parts;
  struct decl *decl;
  struct decl_list decls;
  struct study_item *item;
  struct fit *fit;
  struct protocol_step *protocol_step;
  struct protocol_steps protocol_steps;
  struct item_list items;
  enum operator op;
  bool boolean;
}

%token END 0 "the end of the file"
%token START_FILE START_EXPRESSION START_QUESTION START_VALUES
%token <ident> NAME "a name"
%token <expr> NUMBER "a number" QUANTITY "a quantity" STRING "a string"
%token NA "N/A"
/* reserved, lower case */
%token USE "use" PARAM "param" LET "let" FUNCTION "function" COMPONENT "component" COERCION "coercion"
%token EXTERN "extern" SYSTEM "system" STUDY "study" UNIT "unit" VAR "var" IF "if" THEN "then" ELSE "else"
%token FOR "for" WHILE "while" IN "in" AND "and" OR "or" NOT "not" DIV "div" MOD "mod" CALL "call" HOLD "hold"
%token RETURN "return" WHERE "where" BY "by" TRUE "true" FALSE "false" ASSERT "assert"
/* reserved, in any case */
%token ACCEPTS "accepts" BODY "body" REQUESTS "requests" PROFILE "profile" SELECTOR "selector"
%token TRANSACTION "transaction" PROTOCOL "protocol"
%token <ident> DOMAIN "domain"
/* known by place, names elsewhere */
%token <ident> ATTRIBUTE "attribute" OPTIONAL "optional" ANY "any" EVERY "every" RECORD "record" OF "of"
%token <ident> VARY "vary" REPORT "report" MINIMIZE "minimize" MAXIMIZE "maximize" PLOT "plot"
%token <ident> AGAINST "against" COST "cost" LOSSY "lossy" LIKE "like" OUT "out" INOUT "inout"
%token <ident> ONE "one" FIRST "first" FIT "fit" FROM "from" TERMS "terms" AT "at"
%token <ident> COLLAPSE "collapse" REPEAT "repeat" PROBLEM "problem" CHOICE "choice" MACHINE "machine"
/* braces of blocks; those of values are plain characters: parse.c tells them apart */
%token OPEN "{" CLOSE "}"
%token MISPLACED /* a word that begins a part, inside of brackets: no rule has it */
%token ARROW "->" DOTS ".." EQ "==" NE "!=" LE "<=" GE ">="

%left OR
%left AND
%precedence NOT
%left '+' '-'
%left '*' '/' DIV MOD
%precedence NEGATION
%right '^'
%token ';' ',' '.' '(' ')' '[' /* errors name what is expected in the order of the tokens */
%precedence '.' '(' '['

%type <ident> name place_word word name_opt
%type <words> words option
%type <qname> qname
%type <expr> expr logic chain range interval sum
%type <expr> unit_opt value_opt default default_opt range_opt where_opt
%type <expr> selection any_of all_of clause selection_opt pair_value clause_value lvalue call by_opt
%type <op> relation equality ordering
%type <exprs> exprs groups_opt
%type <idents> names
%type <fields> fields fields_opt columns settings record_options
%type <field> field column
%type <call> args arguments
%type <atoms> atoms
%type <atom> atom
%type <type> type type_opt result_opt foreign_type foreign_type_opt foreign_result_opt
%type <params> params params_opt givens givens_opt label_params label_params_opt foreign_params foreign_params_opt
%type <param> given foreign_param
%type <signature> signature foreign_signature
%type <signatures> foreign_signatures
%type <pairs> pairs pairs_opt
%type <txn> txn transaction_clause
%type <words> protocol_clause
%type <rhs> rhs
%type <step> step_opt
%type <stmt> stmt branch
%type <stmts> stmts
%type <block> block
%type <chances> chances
%type <stmt> head
%type <heads> heads
%type <accept> accept
%type <request> request placed target
%type <requests> requests
%type <part> part
%type <parts> parts parts_some
%type <decl> decl local changes coercion coercion_head
%type <decls> decls presets locals
%type <attributes> attributes
%type <item> item
%type <items> items
%type <fit> fit_items
%type <protocol_step> protocol_step interaction
%type <protocol_steps> protocol_steps protocol_ways
%type <fields> fit_terms
%type <field> fit_term
%type <varies> varies
%type <vary> vary
%type <options> options
%type <boolean> lossy_opt

%%
input: START_FILE decls parts                  { ast_file(p, $2, $3); }
     | START_EXPRESSION expr                   { ast_expression(p, $2, NULL); }
     | START_QUESTION expr unit_opt semicolon_opt { ast_expression(p, $2, $3); }
     | START_VALUES exprs step_opt             { ast_values(p, @2, $2, $3); }
     ;
/* what a person asks at a prompt: the unit is that of the answer */
unit_opt: %empty                               { $$ = NULL; }
        | "->" sum                             { $$ = $2; }
        ;
semicolon_opt: %empty
             | ';'
             ;

/* ---- names and types ---- */
name: NAME | place_word ;
place_word: ATTRIBUTE | OPTIONAL | ANY | EVERY | RECORD | OF | VARY | REPORT | MINIMIZE | MAXIMIZE | PLOT
      | AGAINST | COST | LOSSY | LIKE | ONE | FIRST | OUT | INOUT | FIT | FROM | TERMS | AT
      | COLLAPSE | REPEAT | PROBLEM | CHOICE | MACHINE
      ;
name_opt: %empty                               { $$ = (struct ident){0}; }
        | name
        ;
names: name                                    { $$ = ast_idents(p, (struct ident_list){0}, $1); }
     | names ',' name                          { $$ = ast_idents(p, $1, $3); }
     ;
word: name | DOMAIN ;
words: word                                    { $$ = ast_words(p, (struct words){0}, $1, @$); }
     | words word                              { $$ = ast_words(p, $1, $2, @$); }
     ;
qname: name                                    { $$ = ast_qname(p, (struct qname){0}, $1, @$); }
     | qname '.' name                          { $$ = ast_qname(p, $1, $3, @$); }
     ;
type: atoms                                    { $$ = ast_type(p, @$, $1); }
    ;
atoms: atom                                    { $$ = ast_atoms(p, (struct atom_list){0}, *$1, false); }
     | atoms '*' atom                          { $$ = ast_atoms(p, $1, *$3, false); }
     | atoms '/' atom                          { $$ = ast_atoms(p, $1, *$3, true); }
     ;
atom: name              { $$ = KEPT(type_atom, ((struct type_atom){.name = $1.name, .span = @$})); }
    | name '^' NUMBER                          { $$ = KEPT(type_atom, ast_type_power(p, @$, $1, $3, 1)); }
    | name '^' '-' NUMBER                      { $$ = KEPT(type_atom, ast_type_power(p, @$, $1, $4, -1)); }
    | name '^' '(' NUMBER ')'                  { $$ = KEPT(type_atom, ast_type_power(p, @$, $1, $4, 1)); }
    | name '^' '(' '-' NUMBER ')'              { $$ = KEPT(type_atom, ast_type_power(p, @$, $1, $5, -1)); }
    | NUMBER                                   { $$ = KEPT(type_atom, ast_type_one(p, $1)); }
    | name '.' name
            { $$ = KEPT(type_atom, ((struct type_atom){.name = $3.name, .of = $1.name, .span = @$})); }
    | '[' type ']'         { $$ = KEPT(type_atom, ((struct type_atom){.element = $2, .span = @$})); }
    ;
type_opt: %empty                               { $$ = NULL; }
        | ':' type                             { $$ = $2; }
        ;
result_opt: %empty                             { $$ = NULL; }
          | "->" type                          { $$ = $2; }
          ;
params: name type_opt value_opt
              { $$ = ast_params(p, (struct param_list){0}, $1, false, $2, $3); }
      | EVERY name type_opt value_opt
              { $$ = ast_params(p, (struct param_list){0}, $2, true, $3, $4); }
      | params ',' name type_opt value_opt     { $$ = ast_params(p, $1, $3, false, $4, $5); }
      | params ',' EVERY name type_opt value_opt { $$ = ast_params(p, $1, $4, true, $5, $6); }
      ;
params_opt: %empty                             { $$ = (struct param_list){0}; }
          | params
          ;
signature: name '(' params_opt ')' result_opt  { $$ = KEPT(signature, ast_signature(@$, $1, $3, $5)); }
         ;

/* what a transaction is given: its values may be said */
given: name type_opt default_opt range_opt     { $$ = KEPT(param, ast_given($1, false, $2, $3, $4)); }
     | EVERY name type_opt default_opt range_opt   { $$ = KEPT(param, ast_given($2, true, $3, $4, $5)); }
     | name ':' type "->" type default_opt     { $$ = KEPT(param, ast_given_condition($1, $3, $5, $6)); }
     ;
givens: given                                  { $$ = ast_add_param(p, (struct param_list){0}, *$1); }
      | givens ',' given                       { $$ = ast_add_param(p, $1, *$3); }
      ;
givens_opt: %empty                             { $$ = (struct param_list){0}; }
          | givens
          ;

/* ---- functions of C ---- */
foreign_type: type
            | '[' type ',' expr ']'            { $$ = ast_type_array(p, @$, $2, $4); }
            | FUNCTION '(' foreign_params_opt ')' foreign_result_opt
                                               { $$ = ast_type_function(p, @$, $3, $5); }
            ;
foreign_type_opt: %empty                       { $$ = NULL; }
                | ':' foreign_type             { $$ = $2; }
                ;
foreign_result_opt: %empty                     { $$ = NULL; }
                  | "->" foreign_type          { $$ = $2; }
                  ;
foreign_param: name foreign_type_opt value_opt { $$ = KEPT(param, ast_foreign_param($1, PASS_VALUE, $2, $3)); }
             | IN name foreign_type_opt value_opt    { $$ = KEPT(param, ast_foreign_param($2, PASS_IN, $3, $4)); }
             | OUT name foreign_type_opt value_opt   { $$ = KEPT(param, ast_foreign_param($2, PASS_OUT, $3, $4)); }
             | INOUT name foreign_type_opt value_opt { $$ = KEPT(param, ast_foreign_param($2, PASS_INOUT, $3, $4)); }
             ;
foreign_params: foreign_param                  { $$ = ast_add_param(p, (struct param_list){0}, *$1); }
              | foreign_params ',' foreign_param     { $$ = ast_add_param(p, $1, *$3); }
              ;
foreign_params_opt: %empty                     { $$ = (struct param_list){0}; }
                  | foreign_params
                  ;
foreign_signature: name '(' foreign_params_opt ')' foreign_result_opt
                                               { $$ = KEPT(signature, ast_signature(@$, $1, $3, $5)); }
                 ;
foreign_signatures: %empty                     { $$ = (struct signature_list){0}; }
                  | foreign_signatures FUNCTION foreign_signature ';'
                                               { $$ = ast_signatures(p, $1, *$3, NULL); }
                  | foreign_signatures FUNCTION foreign_signature '=' STRING ';'
                                               { $$ = ast_signatures(p, $1, *$3, $5); }
                  | foreign_signatures error ';'     { yyerrok; }
                  | foreign_signatures error
                  ;

/* ---- declarations ---- */
decls: %empty                                  { $$ = (struct decl_list){0}; }
     | decls decl                              { $$ = ast_decls($1, $2); }
     | decls error ';'                         { yyerrok; }
     | decls error
     ;
decl: USE name ';'                             { $$ = ast_use(p, @$, $2, NULL, NULL); }
    | USE FROM name ';'                        { $$ = ast_use_database(p, @$, $3); }
    | USE STRING ';'                           { $$ = ast_use(p, @$, (struct ident){0}, $2, NULL); }
    | USE name "{" presets "}"                 { $$ = ast_use(p, @$, $2, NULL, $4.first); }
    | USE STRING "{" presets "}"               { $$ = ast_use(p, @$, (struct ident){0}, $2, $4.first); }
    | PARAM name ':' type '=' default range_opt ';'
                                               { $$ = ast_value(p, DECL_PARAM, @$, $2, $4, $6, $7); }
    | LET name type_opt '=' expr ';'           { $$ = ast_value(p, DECL_LET, @$, $2, $3, $5, NULL); }
    | FUNCTION signature '=' expr ';'          { $$ = ast_function(p, @$, *$2, $4); }
    | FIT signature "{" fit_items "}"         { $$ = ast_fit(p, @$, *$2, NULL, $4); }
    | FIT signature FROM STRING "{" fit_items "}" { $$ = ast_fit(p, @$, *$2, $4, $6); }
    | UNIT name value_opt ';'                  { $$ = ast_value(p, DECL_UNIT, @$, $2, NULL, $3, NULL); }
    | DOMAIN name "{" attributes "}"           { $$ = ast_domain(p, @$, $2, $4); }
    | TRANSACTION name '(' givens_opt ')' result_opt ';'
                             { $$ = ast_transaction(p, @$, ast_signature(span_join(@2, @6), $2, $4, $6)); }
    | PROTOCOL name "{" protocol_steps "}"     { $$ = ast_protocol(p, @$, $2, $4); }
    | COMPONENT name_opt "{" locals parts "}"
                                { $$ = ast_component(p, @$, $2, (struct ident_list){0}, NULL, $4, $5); }
    | COMPONENT name_opt '[' names ']' ':' expr "{" locals parts "}"
                                               { $$ = ast_component(p, @$, $2, $4, $7, $9, $10); }
    | COMPONENT name LIKE name "{" changes parts "}"
                                    { $$ = ast_like(p, @$, $2, (struct ident_list){0}, NULL, $4, $6, $7); }
    | COMPONENT name_opt '[' names ']' ':' expr LIKE name "{" changes parts "}"
                                               { $$ = ast_like(p, @$, $2, $4, $7, $9, $11, $12); }
    | SYSTEM name "{" locals settings parts "}" { $$ = ast_system(p, @$, $2, $4, $5, $6); }
    | coercion
    | EXTERN STRING "{" foreign_signatures "}" { $$ = ast_extern(p, @$, $2, $4); }
    | STUDY name OF qname "{" items "}"        { $$ = ast_study(p, @$, $2, $4, $6); }
    | ASSERT expr ';'                          { $$ = ast_assert(p, @$, $2); }
    ;
value_opt: %empty                              { $$ = NULL; }
         | '=' expr                            { $$ = $2; }
         ;
/* `<-` is two tokens, since a comparison with a negative number has them, too */
protocol_steps: %empty                         { $$ = (struct protocol_steps){0}; }
              | protocol_steps protocol_step   { $$ = ast_protocol_steps($1, $2); }
              | protocol_steps error ';'       { yyerrok; }
              | protocol_steps error
              ;
protocol_step: "->" interaction ';'            { $$ = ast_protocol_interaction($2, @$, false); }
             | '<' '-' interaction ';'         { $$ = ast_protocol_interaction($3, @$, true); }
             | OPTIONAL "{" protocol_steps "}" { $$ = ast_protocol_group(p, STEP_OPTIONAL, @$, $3); }
             | REPEAT "{" protocol_steps "}"   { $$ = ast_protocol_group(p, STEP_REPEAT, @$, $3); }
             | ONE OF "{" protocol_ways "}"    { $$ = ast_protocol_group(p, STEP_ONE_OF, @$, $4); }
             ;
protocol_ways: "{" protocol_steps "}"
               { $$ = ast_protocol_steps((struct protocol_steps){0}, ast_protocol_group(p, STEP_WAY, @$, $2)); }
             | protocol_ways "{" protocol_steps "}"
               { $$ = ast_protocol_steps($1, ast_protocol_group(p, STEP_WAY, @$, $3)); }
             ;
interaction: name                              { $$ = ast_protocol_step(p, $1, @$, STEP_NAMED); }
           | TRANSACTION                       { $$ = ast_protocol_step(p, (struct ident){0}, @$, STEP_OWN); }
           | RETURN                            { $$ = ast_protocol_step(p, (struct ident){0}, @$, STEP_REPLY); }
           ;
fit_items: %empty                              { $$ = ARENA_NEW(p->arena, struct fit); }
         | fit_items TERMS fit_terms ';'       { $$ = ast_fit_terms(p, $1, span_join(@2, @4), $3); }
         | fit_items WHERE expr ';'            { $$ = ast_fit_where(p, $1, span_join(@2, @4), $3); }
         | fit_items AT exprs ':' exprs ';'    { $$ = ast_fit_row(p, $1, span_join(@2, @6), $3, $5); }
         | fit_items name '=' expr ';'         { $$ = ast_fit_setting(p, $1, (struct field){$2, $4}); }
         | fit_items error ';'                 { yyerrok; }
         | fit_items error
         ;
fit_terms: fit_term                            { $$ = ast_fields(p, (struct field_list){0}, $1); }
         | fit_terms ',' fit_term              { $$ = ast_fields(p, $1, $3); }
         ;
fit_term: expr                                 { $$ = (struct field){.value = $1}; }
        | name '=' expr                        { $$ = (struct field){$1, $3}; }
        ;
/* no comparison, since `in` begins the range */
default: range
       | IF expr THEN expr ELSE default        { $$ = ast_if(p, @$, $2, $4, $6); }
       ;
default_opt: %empty                            { $$ = NULL; }
           | '=' default                       { $$ = $2; }
           ;
range_opt: %empty                              { $$ = NULL; }
         | IN range                            { $$ = $2; }
         ;
attributes: %empty                             { $$ = (struct attribute_list){0}; }
          | attributes ATTRIBUTE words ':' type default_opt range_opt ';'
                                { $$ = ast_attributes(p, $1, span_join(@2, @8), $3, $5, $6, $7); }
          | attributes error ';'               { yyerrok; }
          | attributes error
          ;
locals: %empty                                 { $$ = (struct decl_list){0}; }
      | locals local                           { $$ = ast_decls($1, $2); }
      | locals error ';'                       { yyerrok; }
      | locals error
      ;
local: VAR name type_opt '=' expr ';'          { $$ = ast_value(p, DECL_VAR, @$, $2, $3, $5, NULL); }
     | LET name type_opt '=' expr ';'          { $$ = ast_value(p, DECL_LET, @$, $2, $3, $5, NULL); }
     | PARAM name ':' type '=' default range_opt ';'
                                               { $$ = ast_value(p, DECL_PARAM, @$, $2, $4, $6, $7); }
     | PARAM name ':' type '=' CALL call range_opt ';'
                                               { $$ = ast_asked(ast_value(p, DECL_PARAM, @$, $2, $4, $7, $8)); }
     | FUNCTION signature '=' expr ';'         { $$ = ast_function(p, @$, *$2, $4); }
     | COMPONENT name_opt "{" locals parts "}"
                                { $$ = ast_component(p, @$, $2, (struct ident_list){0}, NULL, $4, $5); }
     | COMPONENT name_opt '[' names ']' ':' expr "{" locals parts "}"
                                               { $$ = ast_component(p, @$, $2, $4, $7, $9, $10); }
     | COMPONENT name LIKE name "{" changes parts "}"
                                    { $$ = ast_like(p, @$, $2, (struct ident_list){0}, NULL, $4, $6, $7); }
    | COMPONENT name_opt '[' names ']' ':' expr LIKE name "{" changes parts "}"
                                               { $$ = ast_like(p, @$, $2, $4, $7, $9, $11, $12); }
     ;
presets: %empty                                { $$ = (struct decl_list){0}; }
       | presets PARAM name '=' expr ';'
                 { $$ = ast_decls($1, ast_value(p, DECL_PARAM, span_join(@2, @6), $3, NULL, $5, NULL)); }
       | presets error ';'                     { yyerrok; }
       | presets error
       ;
changes: %empty                                { $$ = ast_changes(p); }
       | changes PARAM name '=' expr ';'       { $$ = ast_change_param(p, $1, span_join(@2, @6), $3, $5); }
       | changes PARAM name '=' CALL call ';'  { $$ = ast_change_asked(p, $1, span_join(@2, @7), $3, $6); }
       | changes PROFILE words '=' expr ';'    { $$ = ast_change_profile(p, $1, $3, $5); }
       | changes words '=' expr ';'            { $$ = ast_change_setting(p, $1, $2, $4); }
       | changes VAR name type_opt '=' expr ';'
            { $$ = ast_change_local($1, ast_value(p, DECL_VAR, span_join(@2, @7), $3, $4, $6, NULL)); }
       | changes LET name type_opt '=' expr ';'
            { $$ = ast_change_local($1, ast_value(p, DECL_LET, span_join(@2, @7), $3, $4, $6, NULL)); }
       | changes FUNCTION signature '=' expr ';'
            { $$ = ast_change_local($1, ast_function(p, span_join(@2, @6), *$3, $5)); }
       | changes error ';'                     { yyerrok; }
       | changes error
       ;
coercion: coercion_head '=' expr ';'           { $$ = ast_coercion_value($1, @$, $3); }
        | coercion_head block                  { $$ = ast_coercion_block($1, @$, $2); }
        ;
coercion_head: COERCION type "->" type lossy_opt
                                { $$ = ast_coercion_cost(ast_coercion(p, @$, $2, $4), NULL, $5); }
    | COERCION type "->" type COST sum lossy_opt
                                { $$ = ast_coercion_cost(ast_coercion(p, @$, $2, $4), $6, $7); }
    | COERCION type "->" type IN sum lossy_opt
        { $$ = ast_coercion_cost(ast_coercion_domains(ast_coercion(p, @$, $2, $4), $6, NULL), NULL, $7); }
    | COERCION type "->" type IN sum COST sum lossy_opt
        { $$ = ast_coercion_cost(ast_coercion_domains(ast_coercion(p, @$, $2, $4), $6, NULL), $8, $9); }
    | COERCION type "->" type IN sum "->" sum lossy_opt
        { $$ = ast_coercion_cost(ast_coercion_domains(ast_coercion(p, @$, $2, $4), $6, $8), NULL, $9); }
    | COERCION type "->" type IN sum "->" sum COST sum lossy_opt
        { $$ = ast_coercion_cost(ast_coercion_domains(ast_coercion(p, @$, $2, $4), $6, $8), $10, $11); }
    ;
lossy_opt: %empty                              { $$ = false; }
         | LOSSY                               { $$ = true; }
         ;

/* ---- components ---- */
parts: %empty                                  { $$ = (struct part_list){0}; }
     | parts_some
     ;
parts_some: part                               { $$ = ast_parts((struct part_list){0}, $1); }
          | parts_some part                    { $$ = ast_parts($1, $2); }
          ;
part: ACCEPTS ':' accept                       { $$ = ast_accepts(p, @$, $3); }
    | BODY ':' stmts                           { $$ = ast_body(p, @$, $3); }
    | REQUESTS ':' requests                    { $$ = ast_requests_part(p, @$, $3); }
    ;
accept: %empty                                 { $$ = ast_accept(p); }
      | accept PROFILE '=' '{' pairs_opt '}' ';' { $$ = ast_accept_profile(p, $1, span_join(@2, @6), $5); }
      | accept TRANSACTION '=' txn ';'         { $$ = ast_accept_transaction(p, $1, *$4); }
      | accept PROTOCOL '=' words ';'          { $$ = ast_accept_protocol(p, $1, $4); }
      | accept words '=' expr ';'              { $$ = ast_accept_setting(p, $1, $2, $4); }
      | accept error ';'                       { yyerrok; }
      | accept error
      ;
pairs: words '=' pair_value                    { $$ = ast_pairs(p, (struct pair_list){0}, $1, $3); }
     | pairs ',' words '=' pair_value          { $$ = ast_pairs(p, $1, $3, $5); }
     ;
pairs_opt: %empty                              { $$ = (struct pair_list){0}; }
         | pairs
         ;
pair_value: expr
          | NA                                 { $$ = ast_na(p, @$); }
          ;
txn: qname arguments                           { $$ = KEPT(txn, ast_txn(p, @$, $1, $2, false)); }
   | '{' qname arguments '}'                   { $$ = KEPT(txn, ast_txn(p, @$, $2, $3, true)); }
   ;
requests: %empty                               { $$ = (struct request_list){0}; }
        | requests request                     { $$ = ast_requests(p, $1, $2); }
        | requests error ';'                   { yyerrok; }
        | requests error
        ;
label_params_opt: %empty                       { $$ = (struct param_list){0}; }
                | label_params
                ;
label_params: name value_opt                   { $$ = ast_params(p, (struct param_list){0}, $1, false, NULL, $2); }
            | label_params ',' name value_opt  { $$ = ast_params(p, $1, $3, false, NULL, $4); }
            ;
request: placed
       | name ':' placed        { $$ = ast_request_label($3, @$, $1, false, (struct param_list){0}); }
       | name '(' label_params_opt ')' ':' placed
                                               { $$ = ast_request_label($6, @$, $1, true, $3); }
       ;
placed: target transaction_clause settings protocol_clause
                                               { $$ = ast_request($1, @$, *$2, $3, $4); }
      | WHERE expr ';' target transaction_clause settings protocol_clause
                                { $$ = ast_request_where(ast_request($4, @$, *$5, $6, $7), @$, $2); }
      ;
target: selector '=' '{' selection_opt '}' ';'
                       { $$ = ast_target(p, TARGET_ONE, (struct span){0}, $4, span_join(@3, @5)); }
      | OPTIONAL selector '=' '{' selection_opt '}' ';'
                                { $$ = ast_target(p, TARGET_OPTIONAL, @1, $5, span_join(@4, @6)); }
      | ANY selector '=' '{' selection_opt '}' ';'
                                { $$ = ast_target(p, TARGET_ANY, @1, $5, span_join(@4, @6)); }
      | ANY BY expr SELECTOR '=' '{' selection_opt '}' ';'
                                { $$ = ast_target_by(ast_target(p, TARGET_ANY, @1, $7, span_join(@6, @8)), $3); }
      | EVERY selector '=' '{' selection_opt '}' ';'
                                { $$ = ast_target(p, TARGET_EVERY, @1, $5, span_join(@4, @6)); }
      | selector error ';'      { $$ = ast_target(p, TARGET_ONE, (struct span){0}, NULL, @$); }
      | OPTIONAL selector error ';'            { $$ = ast_target(p, TARGET_OPTIONAL, @1, NULL, @$); }
      | ANY selector error ';'                 { $$ = ast_target(p, TARGET_ANY, @1, NULL, @$); }
      | EVERY selector error ';'               { $$ = ast_target(p, TARGET_EVERY, @1, NULL, @$); }
      ;
selector: SELECTOR
        | name                                 { if (!parse_clause(p, @$)) YYERROR; }
        ;
transaction_clause: TRANSACTION '=' txn ';'    { $$ = $3; }
                  | TRANSACTION error ';'      { $$ = KEPT(txn, ((struct txn){.span = @$})); }
                  ;
settings: %empty                               { $$ = (struct field_list){0}; }
        | settings name '=' expr ';'           { $$ = ast_fields(p, $1, (struct field){$2, $4}); }
        ;
protocol_clause: PROTOCOL '=' words ';'        { $$ = $3; }
               | PROTOCOL error ';'            { $$ = (struct words){.span = @$}; }
               ;
selection_opt: %empty                          { $$ = NULL; }
             | selection
             ;
selection: any_of
         | selection ',' any_of                { $$ = ast_binary(p, $1, OP_AND, @2, $3); }
         ;
any_of: all_of
      | any_of OR all_of                       { $$ = ast_binary(p, $1, OP_OR, @2, $3); }
      ;
all_of: clause
      | all_of AND clause                      { $$ = ast_binary(p, $1, OP_AND, @2, $3); }
      ;
clause: NOT clause                             { $$ = ast_unary(p, @$, OP_NOT, $2); }
      | '(' selection ')'                      { $$ = $2; }
      | words equality clause_value            { $$ = ast_clause(p, @$, $1, $2, false, $3); }
      | words '=' clause_value                 { $$ = ast_clause(p, @$, $1, OP_EQ, true, $3); }
      | words ordering range                   { $$ = ast_clause(p, @$, $1, $2, false, $3); }
      ;
clause_value: range
            | NA                               { $$ = ast_na(p, @$); }
            ;

/* ---- statements ---- */
block: "{" stmts "}"                           { $$ = ast_block(@$, $2); }
     ;
stmts: %empty                                  { $$ = (struct stmt_list){0}; }
     | stmts stmt                              { $$ = ast_stmts($1, $2); }
     | stmts error ';'                         { yyerrok; }
     | stmts error
     | stmts ONE OF "{" error "}"              { $$ = $1, yyerrok; }
     | stmts FIRST OF "{" error "}"            { $$ = $1, yyerrok; }
     ;
stmt: LET name type_opt '=' rhs ';'            { $$ = ast_let(p, @$, $2, $3, $5); }
    | lvalue '=' rhs ';'                       { $$ = ast_assign(p, @$, $1, $3); }
    | CALL call ';'                            { $$ = ast_call_stmt(p, @$, $2); }
    | HOLD expr ';'                            { $$ = ast_hold(p, @$, $2); }
    | RETURN ';'                               { $$ = ast_return(p, @$, (struct rhs){0}); }
    | RETURN rhs ';'                           { $$ = ast_return(p, @$, $2); }
    | RECORD name '=' expr record_options ';'  { $$ = ast_record_stmt(p, @$, $2, $4, $5); }
    | PROFILE words '=' expr ';'               { $$ = ast_profile_stmt(p, @$, $2, $4); }
    | ASSERT expr ';'                          { $$ = ast_assert_stmt(p, @$, $2); }
    | branch
    | ONE OF "{" chances "}"                   { $$ = ast_one_of(p, @$, $4); }
    | COLLAPSE branch                          { $$ = ast_collapse(@$, NULL, $2); }
    | COLLAPSE BY sum branch                   { $$ = ast_collapse(@$, $3, $4); }
    | COLLAPSE ONE OF "{" chances "}"          { $$ = ast_collapse(@$, NULL, ast_one_of(p, @$, $5)); }
    | FIRST OF "{" heads "}"                   { $$ = ast_first_of(p, @$, $4); }
    | WHILE expr block                         { $$ = ast_while(p, @$, $2, $3); }
    | FOR name IN range step_opt block         { $$ = ast_for(p, @$, $2, $4, $5, $6); }
    ;
record_options: %empty                         { $$ = (struct field_list){0}; }
              | record_options ',' name        { $$ = ast_fields(p, $1, (struct field){$3, NULL}); }
              | record_options ',' name expr   { $$ = ast_fields(p, $1, (struct field){$3, $4}); }
              ;
branch: IF expr block                          { $$ = ast_if_stmt(p, @$, $2, $3); }
      | IF expr block ELSE block               { $$ = ast_else(p, @$, ast_if_stmt(p, @$, $2, $3), $5); }
      | IF expr block ELSE branch              { $$ = ast_else_if(p, @$, ast_if_stmt(p, @$, $2, $3), $5); }
      ;
chances: expr block                            { $$ = ast_chance(p, (struct chance_list){0}, $1, $2); }
       | chances expr block                    { $$ = ast_chance(p, $1, $2, $3); }
       ;
heads: head block                              { $$ = ast_head(p, (struct head_list){0}, $1, $2); }
     | heads head block                        { $$ = ast_head(p, $1, $2, $3); }
     ;
head: HOLD expr                                { $$ = ast_hold(p, @$, $2); }
    | CALL call                                { $$ = ast_call_stmt(p, @$, $2); }
    | LET name type_opt '=' CALL call          { $$ = ast_let(p, @$, $2, $3, (struct rhs){$6, true}); }
    ;
rhs: expr                                      { $$ = (struct rhs){$1, false}; }
   | CALL call                                 { $$ = (struct rhs){$2, true}; }
   ;
call: qname arguments                          { $$ = ast_call(p, @$, $1, $2); }
    ;
lvalue: name                                   { $$ = ast_name(p, $1); }
      | lvalue '[' exprs ']'                   { $$ = ast_index(p, @$, $1, $3); }
      | lvalue '.' name                        { $$ = ast_member(p, @$, $1, $3); }
      ;
step_opt: %empty                               { $$ = (struct step){0}; }
        | BY sum                               { $$ = (struct step){$2, false}; }
        | BY '*' sum                           { $$ = (struct step){$3, true}; }
        ;

/* ---- studies ---- */
items: %empty                                  { $$ = (struct item_list){0}; }
     | items item                              { $$ = ast_items($1, $2); }
     | items error ';'                         { yyerrok; }
     | items error
     ;
item: VARY varies ';'                          { $$ = ast_vary(p, @$, ROLE_VARIED, $2); }
    | PROBLEM varies ';'                       { $$ = ast_vary(p, @$, ROLE_PROBLEM, $2); }
    | CHOICE varies ';'                        { $$ = ast_vary(p, @$, ROLE_CHOICE, $2); }
    | MACHINE varies ';'                       { $$ = ast_vary(p, @$, ROLE_MACHINE, $2); }
    | WHERE expr ';'                           { $$ = ast_condition(p, STUDY_WHERE, @$, $2); }
    | REPORT columns ';'                       { $$ = ast_report(p, STUDY_REPORT, @$, $2, NULL); }
    | MINIMIZE column groups_opt where_opt ';'
              { $$ = ast_objective(p, STUDY_MINIMIZE, @$, $2, $3, $4); }
    | MAXIMIZE column groups_opt where_opt ';'
              { $$ = ast_objective(p, STUDY_MAXIMIZE, @$, $2, $3, $4); }
    | PLOT exprs AGAINST expr by_opt options ';' { $$ = ast_plot(p, @$, $2, $4, $5, $6); }
    | ASSERT expr ';'                          { $$ = ast_condition(p, STUDY_ASSERT, @$, $2); }
    | name '=' expr ';'
              {
                struct field field = {$1, $3};
                $$ = ast_report(p, STUDY_SETTING, @$, ast_fields(p, (struct field_list){0}, field), NULL);
              }
    ;
columns: column                                { $$ = ast_fields(p, (struct field_list){0}, $1); }
       | columns ',' column                    { $$ = ast_fields(p, $1, $3); }
       ;
column: field
      | expr                                   { $$ = ast_column(p, $1); }
      ;
where_opt: %empty                              { $$ = NULL; }
         | WHERE expr                          { $$ = $2; }
         ;
groups_opt: %empty                             { $$ = (struct expr_list){0}; }
          | BY exprs                           { $$ = $2; }
          ;
by_opt: %empty                                 { $$ = NULL; }
      | BY expr                                { $$ = $2; }
      ;
options: %empty                                { $$ = (struct words_list){0}; }
       | options ',' option                    { $$ = ast_options(p, $1, $3); }
       ;
option: name name                { $$ = ast_words(p, ast_words(p, (struct words){0}, $1, @1), $2, @$); }
      ;
varies: vary                                   { $$ = ast_varies(p, (struct vary_list){0}, *$1); }
      | varies ',' vary                        { $$ = ast_varies(p, $1, *$3); }
      ;
vary: qname IN range step_opt
        {
          $$ = KEPT(vary,
                    ((struct vary){.name = $1, .range = $3, .step = $4.value, .geometric = $4.geometric}));
        }
    | qname '=' expr                           { $$ = KEPT(vary, ((struct vary){.name = $1, .tied = $3})); }
    ;

/* ---- expressions ---- */
exprs: expr                                    { $$ = ast_exprs(p, (struct expr_list){0}, $1); }
     | exprs ',' expr                          { $$ = ast_exprs(p, $1, $3); }
     ;
field: name '=' expr                           { $$ = (struct field){$1, $3}; }
     ;
fields: field                                  { $$ = ast_fields(p, (struct field_list){0}, $1); }
      | fields ',' field                       { $$ = ast_fields(p, $1, $3); }
      ;
fields_opt: %empty                             { $$ = (struct field_list){0}; }
          | fields
          ;
arguments: '(' args ')'                        { $$ = ast_call_span($2, @$); }
         ;
args: %empty              { $$ = ast_args(p, (struct expr_list){0}, (struct field_list){0}); }
    | exprs                                    { $$ = ast_args(p, $1, (struct field_list){0}); }
    | exprs ',' fields                         { $$ = ast_args(p, $1, $3); }
    | fields                                   { $$ = ast_args(p, (struct expr_list){0}, $1); }
    | exprs ':' expr                           { $$ = ast_binder_args(p, $1, $3); }
    ;
expr: logic
    | IF expr THEN expr ELSE expr              { $$ = ast_if(p, @$, $2, $4, $6); }
    ;
logic: sum | interval | chain
     | logic OR logic                          { $$ = ast_binary(p, $1, OP_OR, @2, $3); }
     | logic AND logic                         { $$ = ast_binary(p, $1, OP_AND, @2, $3); }
     | NOT logic                               { $$ = ast_unary(p, @$, OP_NOT, $2); }
     ;
chain: range relation range                    { $$ = ast_compare(p, $1, $2, $3); }
     | chain relation range                    { $$ = ast_chain(p, $1, $2, $3); }
     ;
relation: equality | ordering ;
equality: "=="                                 { $$ = OP_EQ; }
        | "!="                                 { $$ = OP_NE; }
        ;
ordering: '<'                                  { $$ = OP_LT; }
        | "<="                                 { $$ = OP_LE; }
        | '>'                                  { $$ = OP_GT; }
        | ">="                                 { $$ = OP_GE; }
        | IN                                   { $$ = OP_IN; }
        ;
range: sum | interval ;
interval: sum ".." sum                         { $$ = ast_range(p, $1, $3); }
        ;
/* by precedence: one step a number or name, not one for each operator that could stand there */
sum: NUMBER | QUANTITY | STRING
   | TRUE                                      { $$ = ast_boolean(p, @$, true); }
   | FALSE                                     { $$ = ast_boolean(p, @$, false); }
   | NAME                                      { $$ = ast_name(p, $1); }
   | place_word                                { $$ = ast_name(p, $1); }
   | '(' expr ')'                              { $$ = ast_in_parentheses(p, $2); }
   | '[' ']'                                   { $$ = ast_list(p, @$, (struct expr_list){0}); }
   | '[' exprs ']'                             { $$ = ast_list(p, @$, $2); }
   | '[' exprs ':' expr ']'                    { $$ = ast_each(p, @$, $2, $4); }
   | '{' fields_opt '}'                        { $$ = ast_record(p, @$, $2); }
   | sum '[' exprs ']'                         { $$ = ast_index(p, @$, $1, $3); }
   | sum arguments                             { $$ = ast_apply(p, @$, $1, $2); }
   | sum '.' name                              { $$ = ast_member(p, @$, $1, $3); }
   | sum '+' sum                               { $$ = ast_binary(p, $1, OP_ADD, @2, $3); }
   | sum '-' sum                               { $$ = ast_binary(p, $1, OP_SUB, @2, $3); }
   | sum '*' sum                               { $$ = ast_binary(p, $1, OP_MUL, @2, $3); }
   | sum '/' sum                               { $$ = ast_binary(p, $1, OP_DIV, @2, $3); }
   | sum DIV sum                               { $$ = ast_binary(p, $1, OP_WHOLE, @2, $3); }
   | sum MOD sum                               { $$ = ast_binary(p, $1, OP_MOD, @2, $3); }
   | '-' sum %prec NEGATION                    { $$ = ast_unary(p, @$, OP_NEG, $2); }
   | sum '^' sum                               { $$ = ast_power(p, $1, @2, $3); }
   ;
%%

static void psl_error(const struct span *span, struct parse *p, const char *message) {
  (void)message; /* it can only be that the stack of the parser is full */
  parse_error(p, *span, "nested more than %d deep", NESTING_LIMIT);
}

/* The tokens that could stand in place of the one found go to the driver, which words the error. */
static int yyreport_syntax_error(const yypcontext_t *context, struct parse *p) {
  yysymbol_kind_t kinds[YYNTOKENS];
  int count = yypcontext_expected_tokens(context, kinds, YYNTOKENS);
  const char *expected[YYNTOKENS];
  for (int i = 0; i < count; i++) expected[i] = yysymbol_name(kinds[i]);
  yysymbol_kind_t found = yypcontext_token(context);
  parse_syntax_error(p, *yypcontext_location(context), found == YYSYMBOL_YYEOF, found == YYSYMBOL_YYUNDEF,
                     expected, (size_t)(count < 0 ? 0 : count));
  return 0;
}
