/* What a call of a function of C and a call back cost: from PSL, through libffcall alone, and direct.
 *
 *   foreign FOLDER    that has probe.so, the library of tests/cases/foreign
 *
 * Prints a line each: its name, ns a call, and how many direct calls that is. */
#include "interp/include/psl.h"

#include <avcall.h>
#include <callback.h>
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { CALLS = 300000, DIRECT = 30000000, LIBRARY = 3000000 };

static const char model[] =
    "extern \"probe.so\" {\n"
    "  function half(x : real) -> real = \"root\";\n"
    "  function integral(f : function(x : real) -> real, from : real, to : real, steps : int32) -> real;\n"
    "}\n"
    "param calls : int = 1000;\n"
    "param how : int = 0;\n"
    "function f(x : real) -> real = x / 2 + 1;\n"
    "let x = if how == 0 then sum(i in 1 .. calls : f(i + 0.5)) else integral(f, 0, 1, calls);\n"
    "assert x >= 0;\n"
    "transaction work();\n"
    "component caller {\n"
    "  var x : real = 0.0;\n"
    "  accepts: profile = { domain = hardware[caller] }; transaction = work(); protocol = call-return;\n"
    "  body:\n"
    "    if how == 0 { for i in 1 .. calls { x = sqrt(i + 0.5); } }\n"
    "    if how == 1 { for i in 1 .. calls { x = half(i + 0.5); } }\n"
    "    if how == 2 { for i in 1 .. calls { x = i + 0.5; } }\n"
    "}\n"
    "system all {\n"
    "  requests: selector = { domain = hardware[caller] }; transaction = work(); protocol = call-return;\n"
    "}\n";

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static double by_value(double x) { return x / 2 + 1; }
static void by_list(void *user, va_alist list) {
  (void)user;
  va_start_double(list);
  double x = va_arg_double(list);
  va_return_double(list, x / 2 + 1);
}

typedef double function(double);
typedef double integral(function *, double, double, int32_t);

static double direct_call(function *volatile call) {
  double sum = 0, begin = now();
  for (int i = 0; i < DIRECT; i++)
    sum += call(i);
  return sum > 0 ? (now() - begin) / DIRECT : 0;
}

static double library_call(function *call) {
  double sum = 0, one, begin = now();
  for (int i = 0; i < LIBRARY; i++) {
    av_alist list;
    av_start_double(list, call, &one);
    av_double(list, (double)i);
    av_call(list);
    sum += one;
  }
  return sum > 0 ? (now() - begin) / LIBRARY : 0;
}

static double call_back(integral *integrate, function *f, int32_t calls) {
  double begin = now();
  return integrate(f, 0, 1, calls) > 0 ? (now() - begin) / calls : 0;
}

static void say(void *user, const struct psl_diagnostic *diagnostic) {
  (void)user;
  fputs(diagnostic->text, stderr);
}

/* Seconds a turn of what lets of the model do `how`, or its bodies, their other work taken off. */
static double in_psl(struct psl *psl, bool bodies, int how) {
  double seconds[2];
  int turns = bodies ? 10 * CALLS : CALLS;
  const struct psl_results *results;
  for (int k = 0; k < 2; k++) {
    char text[20];
    snprintf(text, sizeof text, "%d", k ? turns : 1);
    psl_set(psl, "calls", text);
    snprintf(text, sizeof text, "%d", how);
    psl_set(psl, "how", text);
    if (bodies && psl_check(psl) != PSL_OK) exit(1);
    double begin = now();
    if ((bodies ? psl_run(psl, NULL, NULL, &results) : psl_check(psl)) != PSL_OK) exit(1);
    seconds[k] = now() - begin;
  }
  return (seconds[1] - seconds[0]) / turns;
}

static void line(const char *name, double seconds, double direct) {
  printf("%s\t%.1f\t%.1f\n", name, seconds * 1e9, seconds / direct);
}

int main(int count, char **words) {
  if (count < 2) return 2;
  char path[4096];
  snprintf(path, sizeof path, "%s/probe.so", words[1]);
  void *library = dlopen(path, RTLD_NOW);
  function *root = NULL;
  integral *integrate = NULL;
  if (library) {
    void *symbol = dlsym(library, "root");
    memcpy(&root, &symbol, sizeof root);
    symbol = dlsym(library, "integral");
    memcpy(&integrate, &symbol, sizeof integrate);
  }
  struct psl *psl = psl_open(&(struct psl_options){
      .diagnostic = say, .folders = (const char *const[]){words[1]}, .folder_count = 1, .allow_native = true});
  if (!root || !integrate || !psl || psl_load_text(psl, "foreign", model, sizeof model - 1) != PSL_OK) return 1;
  double call = direct_call(root), back = call_back(integrate, by_value, DIRECT);
  line("a call in C", call, call);
  line("through libffcall alone", library_call(root), call);
  double turn = in_psl(psl, true, 2);
  line("of C from a body", in_psl(psl, true, 1) - turn, call);
  line("of a built-in function from a body", in_psl(psl, true, 0) - turn, call);
  line("a call back in C", back, back);
  line("through libffcall alone",
       call_back(integrate, (function *)(void (*)(void))alloc_callback(by_list, NULL), LIBRARY), back);
  line("of PSL from C", in_psl(psl, false, 1), back);
  line("of PSL from PSL", in_psl(psl, false, 0), back);
  psl_close(psl);
  return 0;
}
