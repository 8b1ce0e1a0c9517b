/* The table of words, and what is asked of it.  A new word of the grammar is a line here and a token in psl.y. */
#include "grammar/words.h"
#include "grammar/parse.h"
#include "psl.tab.h"

#include <string.h>

const struct word psl_words[] = {
    {"accepts", TOKEN_ACCEPTS, WORD_ANY_CASE, true, "accepts: CLAUSES",
     "part of a component: a profile, a transaction and a protocol that it accepts"},
    {"against", TOKEN_AGAINST, WORD_BY_PLACE, true, "plot E, ... against E [by E] [, log x];",
     "in a study: what stands on the horizontal axis of a plot"},
    {"and", TOKEN_AND, WORD_RESERVED, true, "A and B",
     "both hold; the right side is evaluated only where it is needed"},
    {"ans", TOKEN_NAME, WORD_OF_SESSION, false, "ans / 2, let part = ans;",
     "the value of the session's last expression; a declaration keeps that of its moment"},
    {"any", TOKEN_ANY, WORD_BY_PLACE, false, "any selector = {...}, any by EXPRESSION selector = {...};",
     "of all targets that match, the request goes to one that is free, else to the one with the shortest line"},
    {"assert", TOKEN_ASSERT, WORD_RESERVED, true, "assert CONDITION;",
     "an error where it does not hold: of params, in a body, or at the points of a study"},
    {"at", TOKEN_AT, WORD_BY_PLACE, false, "fit ... { at A, ...: Y, ...; }", "in a fit: what was measured there"},
    {"attribute", TOKEN_ATTRIBUTE, WORD_BY_PLACE, false, "attribute WORDS : TYPE;",
     "in a domain: what profiles state and selectors ask for"},
    {"body", TOKEN_BODY, WORD_ANY_CASE, true, "body: STATEMENTS",
     "part of a component: what it does when the accept above is fired or called"},
    {"bool", TOKEN_NAME, WORD_NAMED, false, "let fits : bool = true;", "a type: true or false"},
    {"by", TOKEN_BY, WORD_RESERVED, true, "for x in A .. B by STEP, vary p in A .. B by * FACTOR",
     "the step of a range, or its factor"},
    {"call", TOKEN_CALL, WORD_RESERVED, true, "call LABEL(ARGUMENTS);",
     "makes the request of that label; a call-return request is waited for"},
    {"call-return", TOKEN_NAME, WORD_NAMED, false, "protocol = call-return;", "the requester waits for the reply"},
    {"choice", TOKEN_CHOICE, WORD_BY_PLACE, false, "choice PARAM in [A, B] or A .. B [by STEP], ...;",
     "in a study: params that are varied, and that psl recommend chooses for a problem"},
    {"clock", TOKEN_NAME, WORD_NAMED, false, "clock", "in a body: the time that the process has come to"},
    {"coercion", TOKEN_COERCION, WORD_RESERVED, true, "coercion T -> U [in D [-> E]] [cost C] [lossy] = EXPRESSION;",
     "what turns a value of one type or domain into another where a request and an accept differ"},
    {"collapse", TOKEN_COLLAPSE, WORD_BY_PLACE, false, "collapse [by CHANCE] if CONDITION { ... }",
     "before a branch: a condensed task graph has its mean"},
    {"component", TOKEN_COMPONENT, WORD_RESERVED, true, "component NAME [i, ...] : CONDITION { PARTS }",
     "a part of a system, one instance for each index: accepts, body, requests"},
    {"cost", TOKEN_COST, WORD_BY_PLACE, true, "coercion ... cost TIME", "the time that a coercion takes"},
    {"dataflow", TOKEN_NAME, WORD_NAMED, false, "protocol = dataflow;",
     "the requester goes on; the accept is fired when all its parameters have come"},
    {"delay", TOKEN_NAME, WORD_NAMED, false, "delay = TIME;", "of a request: latency, added to the clock that is sent"},
    {"discipline", TOKEN_NAME, WORD_NAMED, false, "discipline = fcfs;",
     "of an accept with servers: who is served first"},
    {"distribution", TOKEN_NAME, WORD_NAMED, false, "param service : distribution*time = exponential(5 ms);",
     "a type: a random number of that dimension, as exponential(5 ms)"},
    {"div", TOKEN_DIV, WORD_RESERVED, true, "A div B", "division of whole numbers, rounded down"},
    {"domain", TOKEN_DOMAIN, WORD_ANY_CASE, true, "domain NAME { attribute WORDS : TYPE; ... }",
     "the attributes of a part of the world: hardware, application"},
    {"else", TOKEN_ELSE, WORD_RESERVED, true, "if CONDITION { ... } else { ... }",
     "what is done, or the value, where the condition does not hold"},
    {"every", TOKEN_EVERY, WORD_BY_PLACE, false, "every selector = {...};",
     "the request goes to all targets that match; before a parameter: a value from each"},
    {"extern", TOKEN_EXTERN, WORD_RESERVED, true, "extern \"LIBRARY\" { function SIGNATURE; ... }",
     "functions of C, called where --allow-native lets them"},
    {"false", TOKEN_FALSE, WORD_RESERVED, true, "false", "the truth value; the other one is true"},
    {"firing rule", TOKEN_NAME, WORD_NAMED, false, "firing rule = CONDITION;",
     "of an accept: a firing begins only while it holds"},
    {"first", TOKEN_FIRST, WORD_BY_PLACE, false, "first of { hold TIME { ... } call LABEL() { ... } }",
     "in a body: waits for several things at once, and goes on with the first that is done"},
    {"fit", TOKEN_FIT, WORD_BY_PLACE, false, "fit NAME(p : TYPE, ...) -> TYPE [from \"FILE\"] { ... }",
     "a function that is fitted to measurements, those of a file or its own"},
    {"for", TOKEN_FOR, WORD_RESERVED, true, "for x in A .. B [by STEP] { ... }",
     "repeats, with both ends; over a list: for x in LIST { ... }"},
    {"from", TOKEN_FROM, WORD_BY_PLACE, false, "fit NAME(p : TYPE, ...) -> TYPE from \"FILE\" { ... }",
     "in a fit: the file of the measurements; in 'use from database;': what no file of the model accepts is looked\n"
     "  for in the database that the user names"},
    {"function", TOKEN_FUNCTION, WORD_RESERVED, true, "function NAME(p : TYPE, ...) -> TYPE = EXPRESSION;",
     "a function without state"},
    {"half-width", TOKEN_NAME, WORD_NAMED, false, "record NAME = NUMBER, half-width 5 %;",
     "in a body: the run goes on until the mean of what is recorded is known so well;\n"
     "  in a study NAME.half-width: half the width of a figure's confidence interval"},
    {"histogram", TOKEN_NAME, WORD_NAMED, false, "record NAME = NUMBER, histogram 10;",
     "in a body: how many of what is recorded lie in each of so many classes of one width"},
    {"hold", TOKEN_HOLD, WORD_RESERVED, true, "hold TIME;",
     "in a body: moves the clock on, as work does that takes TIME; it occupies the server"},
    {"if", TOKEN_IF, WORD_RESERVED, true, "if CONDITION { ... } else { ... }",
     "a statement; as an expression: if C then A else B"},
    {"in", TOKEN_IN, WORD_RESERVED, true, "x in A .. B",
     "whether it lies in a range or list; behind a param: the range of its values"},
    {"inout", TOKEN_INOUT, WORD_BY_PLACE, false, "inout a : [TYPE, LENGTH]",
     "before a parameter of a function of C: it reads the list and writes it"},
    {"int", TOKEN_NAME, WORD_NAMED, false, "param n : int = 4;", "a type: whole numbers of 64 bits"},
    {"last", TOKEN_NAME, WORD_OF_SESSION, false, "last.makespan, last.COMPONENT.wait, last.NAME.mean",
     "the results of the session's last run: makespan, messages, bytes, firings, compute, communicate, wait;\n"
     "  those of each component by its name; what was recorded, as count, mean, minimum, maximum and more by its "
     "name.\n"
     "  'last' alone says what there is, ':last' prints all; a declaration keeps the values of its moment"},
    {"let", TOKEN_LET, WORD_RESERVED, true, "let NAME = EXPRESSION;",
     "a name for a value, which a session and other files can use"},
    {"level", TOKEN_NAME, WORD_NAMED, false, "record NAME = NUMBER, level;",
     "in a body: what is recorded holds until the next one is, as the length of a queue does"},
    {"like", TOKEN_LIKE, WORD_BY_PLACE, true,
     "component NAME [i] : SET like OTHER { param p = VALUE; profile a = VALUE; }", "a component made from another"},
    {"lossy", TOKEN_LOSSY, WORD_BY_PLACE, true, "coercion ... lossy",
     "a coercion that loses something, which --deny-lossy refuses"},
    {"machine", TOKEN_MACHINE, WORD_BY_PLACE, false, "machine PARAM in [A, B] or A .. B [by STEP], ...;",
     "in a study: params of the machine that are varied; psl recommend takes those that it is told, or chooses"},
    {"maximize", TOKEN_MAXIMIZE, WORD_BY_PLACE, false,
     "maximize NAME [= EXPRESSION] [by PARAM, ...] [where CONDITION];",
     "in a study: the point where it is greatest, or those for each value of the params"},
    {"minimize", TOKEN_MINIMIZE, WORD_BY_PLACE, false,
     "minimize NAME [= EXPRESSION] [by PARAM, ...] [where CONDITION];",
     "in a study: the point where it is least, or those for each value of the params"},
    {"mod", TOKEN_MOD, WORD_RESERVED, true, "A mod B", "what a division of whole numbers leaves"},
    {"not", TOKEN_NOT, WORD_RESERVED, true, "not A", "holds where A does not"},
    {"of", TOKEN_OF, WORD_BY_PLACE, false, "study NAME of SYSTEM { ... }", "in a study: the system that it runs"},
    {"one", TOKEN_ONE, WORD_BY_PLACE, false, "one of { CHANCE { ... } CHANCE { ... } }",
     "in a body: takes one of the branches, by chances that come to 1"},
    {"optional", TOKEN_OPTIONAL, WORD_BY_PLACE, false, "optional selector = {...};",
     "no target is allowed; then nothing happens"},
    {"or", TOKEN_OR, WORD_RESERVED, true, "A or B",
     "one of them holds; the right side is evaluated only where it is needed"},
    {"out", TOKEN_OUT, WORD_BY_PLACE, false, "out a : [TYPE, LENGTH]",
     "before a parameter of a function of C: it writes it, and the call gives it"},
    {"param", TOKEN_PARAM, WORD_RESERVED, true, "param NAME : TYPE = VALUE [in RANGE];",
     "a value that --set, :set and vary can change"},
    {"patience", TOKEN_NAME, WORD_NAMED, false, "patience = TIME;",
     "of a labelled request: how long it waits for a server; the call gives whether it has got one"},
    {"plot", TOKEN_PLOT, WORD_BY_PLACE, false, "plot E, ... against E [by E] [, log x];",
     "in a study: what is drawn, a series for each value behind by"},
    {"problem", TOKEN_PROBLEM, WORD_BY_PLACE, false, "problem PARAM in [A, B] or A .. B [by STEP], ...;",
     "in a study: params that are varied, and that state a problem for which psl recommend chooses"},
    {"profile", TOKEN_PROFILE, WORD_ANY_CASE, true, "profile = { ATTRIBUTE = VALUE, ... };",
     "of an accept: what it is, for selectors to match"},
    {"protocol", TOKEN_PROTOCOL, WORD_ANY_CASE, true, "protocol = call-return; or protocol = dataflow;",
     "how a request and an accept meet: dataflow, call-return, or a sequence of interactions that is declared"},
    {"range", TOKEN_NAME, WORD_NAMED, false, "let latency : range*time = 3 us .. 5 us;",
     "a type: an uncertain number, from its least to its greatest value"},
    {"real", TOKEN_NAME, WORD_NAMED, false, "param factor : real = 1.5;", "a type: numbers without a dimension"},
    {"record", TOKEN_RECORD, WORD_BY_PLACE, false, "record NAME = NUMBER;",
     "in a body: enters a number in the report, which gives count, mean and extremes"},
    {"repeat", TOKEN_REPEAT, WORD_BY_PLACE, false, "repeat { -> TRANSACTION; }",
     "in a protocol: these interactions any number of times, or not at all"},
    {"repetitions", TOKEN_NAME, WORD_NAMED, false, "repetitions = N;",
     "in a study: runs each point so many times, with one seed after another"},
    {"report", TOKEN_REPORT, WORD_BY_PLACE, false, "report NAME [= EXPRESSION], ...;",
     "in a study: the columns of its table"},
    {"requests", TOKEN_REQUESTS, WORD_ANY_CASE, true, "requests: [LABEL(p, ...):] CLAUSES",
     "part of a component: a selector, a transaction and a protocol"},
    {"return", TOKEN_RETURN, WORD_RESERVED, true, "return [VALUE];",
     "ends a body and sets the reply; requests without a label follow still"},
    {"seed", TOKEN_NAME, WORD_NAMED, false, "seed = N;", "in a study: of the random streams of the first repetition"},
    {"selector", TOKEN_SELECTOR, WORD_ANY_CASE, true, "selector = { ATTRIBUTE = VALUE, ... };",
     "of a request: which accepts are meant; exactly one must match"},
    {"servers", TOKEN_NAME, WORD_NAMED, false, "servers = N;",
     "of an accept: how many requests it serves at once, at each instance; or unlimited"},
    {"string", TOKEN_NAME, WORD_NAMED, false, "let name : string = \"disk\";", "a type: text"},
    {"study", TOKEN_STUDY, WORD_RESERVED, true, "study NAME of SYSTEM { vary ...; report ...; }",
     "runs of a system at many points"},
    {"system", TOKEN_SYSTEM, WORD_RESERVED, true, "system NAME { requests: ... }",
     "what is run: its requests begin at time 0"},
    {"term", TOKEN_NAME, WORD_NAMED, false, "param solver : term = analysis[MVA];",
     "a type: a word, perhaps with a qualifier"},
    {"terms", TOKEN_TERMS, WORD_BY_PLACE, false, "terms E, ...;",
     "in a fit: what is summed, each with a coefficient; without them they are searched for"},
    {"then", TOKEN_THEN, WORD_RESERVED, true, "if CONDITION then A else B",
     "as an expression: the value where the condition holds"},
    {"transaction", TOKEN_TRANSACTION, WORD_ANY_CASE, true, "transaction NAME(p : TYPE, ...) [-> TYPE];",
     "what passes between components; as a clause of accepts and requests: which"},
    {"true", TOKEN_TRUE, WORD_RESERVED, true, "true", "the truth value; the other one is false"},
    {"unit", TOKEN_UNIT, WORD_RESERVED, true, "unit NAME [= EXPRESSION];",
     "a unit made of others, or a base unit of a dimension of its own"},
    {"use", TOKEN_USE, WORD_RESERVED, true, "use NAME;",
     "makes the declarations of another file, or an evaluator, known"},
    {"var", TOKEN_VAR, WORD_RESERVED, true, "var NAME = VALUE;",
     "state of an instance, which bodies assign: NAME = VALUE;"},
    {"vary", TOKEN_VARY, WORD_BY_PLACE, false, "vary PARAM in [A, B] or A .. B [by STEP], ...;",
     "in a study: params that take values in turn, the first slowest"},
    {"visits", TOKEN_NAME, WORD_NAMED, false, "visits = NUMBER;",
     "of a request: the mean number of its repetitions, for analyses"},
    {"warm-up", TOKEN_NAME, WORD_NAMED, false, "warm-up = TIME; record NAME = NUMBER, warm-up TIME;",
     "in a system, or of what is recorded: the beginning of a run, which does not count"},
    {"where", TOKEN_WHERE, WORD_RESERVED, true, "where CONDITION;",
     "the request exists only where it holds; in a study: the point is run only then"},
    {"while", TOKEN_WHILE, WORD_RESERVED, true, "while CONDITION { ... }", "in a body: repeats while it holds"},
    {0},
};
enum { WORDS = sizeof psl_words / sizeof *psl_words - 1 };

static int lower(char c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : (unsigned char)c; }

/* Without case, as strcasecmp does. */
static int compare(const char *text, size_t length, const char *word) {
  size_t i = 0;
  while (i < length && word[i] && lower(text[i]) == lower(word[i]))
    i++;
  return (i < length ? lower(text[i]) : 0) - lower(word[i]);
}

const struct word *word_find(const char *text, size_t length) {
  size_t low = 0, high = length ? WORDS : 0;
  int first = length ? lower(*text) : 0;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    const struct word *word = &psl_words[middle];
    int order = first - *word->text; /* which tells most apart */
    if (!order) order = compare(text, length, word->text);
    if (!order && word->token == TOKEN_NAME) return NULL;
    if (!order) return word->class == WORD_ANY_CASE || memcmp(text, word->text, length) == 0 ? word : NULL;
    if (order < 0)
      high = middle;
    else
      low = middle + 1;
  }
  return NULL;
}

bool word_is_reserved(const char *text, size_t length) {
  const struct word *word = word_find(text, length);
  return word && word->class != WORD_BY_PLACE;
}

/* In psl.y they stand one after another. */
bool word_is_by_place(int token) { return token >= TOKEN_ATTRIBUTE && token <= TOKEN_MACHINE; }
