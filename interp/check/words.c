/* What the words of the language mean, a line each, for help in a session.  Called by help.c. */
#include "interp/check/checker.h"

#include <string.h>

static const struct word {
  const char *name, *form, *meaning;
} words[] = {
    {"accepts", "accepts: CLAUSES", "part of a component: a profile, a transaction and a protocol that it accepts"},
    {"against", "plot E, ... against E [by E];", "in a study: what stands on the horizontal axis of a plot"},
    {"and", "A and B", "both hold; the right side is evaluated only where it is needed"},
    {"any", "any selector = {...};", "of all targets that match, the request goes to the one that is free first"},
    {"assert", "assert CONDITION;",
     "an error where it does not hold: of params, in a body, or at the points of a study"},
    {"attribute", "attribute WORDS : TYPE;", "in a domain: what profiles state and selectors ask for"},
    {"body", "body: STATEMENTS", "part of a component: what it does when the accept above is fired or called"},
    {"by", "for x in A .. B by STEP, vary p in A .. B by * FACTOR", "the step of a range, or its factor"},
    {"call", "call LABEL(ARGUMENTS);", "makes the request of that label; a call-return request is waited for"},
    {"call-return", "protocol = call-return;", "the requester waits for the reply"},
    {"clock", "clock", "in a body: the time that the process has come to"},
    {"coercion", "coercion T -> U [in D [-> E]] [cost C] [lossy] = EXPRESSION;",
     "what turns a value of one type or domain into another where a request and an accept differ"},
    {"component", "component NAME [i, ...] : CONDITION { PARTS }",
     "a part of a system, one instance for each index: accepts, body, requests"},
    {"cost", "coercion ... cost TIME", "the time that a coercion takes"},
    {"dataflow", "protocol = dataflow;",
     "the requester goes on; the accept is fired when all its parameters have come"},
    {"delay", "delay = TIME;", "of a request: latency, added to the clock that is sent"},
    {"discipline", "discipline = fcfs;",
     "of an accept with servers: fcfs, priority, processor-sharing, round-robin(q) or lcfs-preemptive"},
    {"div", "A div B", "division of whole numbers, rounded down"},
    {"domain", "domain NAME { attribute WORDS : TYPE; ... }",
     "the attributes of a part of the world: hardware, application"},
    {"every", "every selector = {...};",
     "the request goes to all targets that match; before a parameter: a value from each"},
    {"extern", "extern \"LIBRARY\" { function SIGNATURE; ... }",
     "functions of C, called where --allow-native lets them"},
    {"firing rule", "firing rule = CONDITION;", "of an accept: a firing begins only while it holds"},
    {"for", "for x in A .. B [by STEP] { ... }", "repeats, with both ends; over a list: for x in LIST { ... }"},
    {"function", "function NAME(p : TYPE, ...) -> TYPE = EXPRESSION;", "a function without state"},
    {"hold", "hold TIME;", "in a body: moves the clock on, as work does that takes TIME; it occupies the server"},
    {"if", "if CONDITION { ... } else { ... }", "a statement; as an expression: if C then A else B"},
    {"in", "x in A .. B", "whether it lies in a range or list; behind a param: the range of its values"},
    {"let", "let NAME = EXPRESSION;", "a name for a value, which a session and other files can use"},
    {"like", "component NAME like OTHER { param p = VALUE; profile a = VALUE; }", "a component made from another"},
    {"lossy", "coercion ... lossy", "a coercion that loses something, which --deny-lossy refuses"},
    {"maximize", "maximize NAME [= EXPRESSION] [where CONDITION];", "in a study: the point where it is greatest"},
    {"minimize", "minimize NAME [= EXPRESSION] [where CONDITION];", "in a study: the point where it is least"},
    {"mod", "A mod B", "what a division of whole numbers leaves"},
    {"not", "not A", "holds where A does not"},
    {"optional", "optional selector = {...};", "no target is allowed; then nothing happens"},
    {"or", "A or B", "one of them holds; the right side is evaluated only where it is needed"},
    {"param", "param NAME : TYPE = VALUE [in RANGE];", "a value that --set, :set and vary can change"},
    {"plot", "plot E, ... against E [by E];", "in a study: what is drawn, a series for each value behind by"},
    {"profile", "profile = { ATTRIBUTE = VALUE, ... };", "of an accept: what it is, for selectors to match"},
    {"protocol", "protocol = dataflow;", "how a request and an accept meet: dataflow or call-return"},
    {"record", "record NAME = NUMBER;",
     "in a body: enters a number in the report, which gives count, mean and extremes"},
    {"repetitions", "repetitions = N;", "in a study: runs each point so many times, with one seed after another"},
    {"report", "report NAME [= EXPRESSION], ...;", "in a study: the columns of its table"},
    {"requests", "requests: [LABEL(p, ...):] CLAUSES", "part of a component: a selector, a transaction and a protocol"},
    {"return", "return [VALUE];", "ends a body and sets the reply; requests without a label follow still"},
    {"seed", "seed = N;", "in a study: of the random streams of the first repetition"},
    {"selector", "selector = { ATTRIBUTE = VALUE, ... };",
     "of a request: which accepts are meant; exactly one must match"},
    {"servers", "servers = N;", "of an accept: how many requests it serves at once, at each instance; or unlimited"},
    {"study", "study NAME of SYSTEM { vary ...; report ...; }", "runs of a system at many points"},
    {"system", "system NAME { requests: ... }", "what is run: its requests begin at time 0"},
    {"transaction", "transaction NAME(p : TYPE, ...) [-> TYPE];",
     "what passes between components; as a clause of accepts and requests: which"},
    {"unit", "unit NAME [= EXPRESSION];", "a unit made of others, or a base unit of a dimension of its own"},
    {"use", "use NAME;", "makes the declarations of another file, or an evaluator, known"},
    {"var", "var NAME = VALUE;", "state of an instance, which bodies assign: NAME = VALUE;"},
    {"vary", "vary PARAM in [A, B] or A .. B [by STEP], ...;",
     "in a study: params that take values in turn, the first slowest"},
    {"visits", "visits = NUMBER;", "of a request: the mean number of its repetitions, for analyses"},
    {"where", "where CONDITION;", "the request exists only where it holds; in a study: the point is run only then"},
    {"while", "while CONDITION { ... }", "in a body: repeats while it holds"},
    {"last", "last.makespan, last.COMPONENT.wait, last.NAME.mean",
     "the results of the session's last run: makespan, messages, bytes, firings, compute, communicate, wait;\n"
     "  those of each component by its name; what was recorded, as count, mean, minimum, maximum and more by its name.\n"
     "  'last' alone prints all of it; a declaration keeps the values of its moment"},
};
enum { WORDS = sizeof words / sizeof *words };

bool word_help(const char *name, struct text *out) {
  for (size_t w = 0; w < WORDS; w++) {
    if (strcmp(words[w].name, name)) continue;
    text_printf(out, "%s\n  %s\n", words[w].form, words[w].meaning);
    return true;
  }
  return false;
}

void words_add_language(struct checker *c, struct words_list *list) {
  for (size_t w = 0; w < WORDS; w++)
    words_add(c, list, words[w].name);
}
