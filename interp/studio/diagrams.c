/* Activity diagrams in the page: what they are as data and what the checker finds wrong, what they are made into, and
 * the file that says which elements there are to draw. */
#include "interp/studio/studio_server.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool ends_in(const char *name, const char *const *endings) {
  const char *dot = strrchr(name, '.');
  for (; dot && *endings; endings++)
    if (!strcmp(dot, *endings)) return true;
  return false;
}

bool diagram_named(const char *name) { return ends_in(name, (const char *const[]){".uml", ".xmi", NULL}); }
bool trace_named(const char *name) { return ends_in(name, (const char *const[]){".prv", ".trace", ".tit", NULL}); }

/* ---- a text ---- */

struct given {
  const char *text, *last; /* last: its name in the folder */
  size_t size;
  int folder;
};

/* The folder that it stands in, whose models it may use; false after a refusal. */
static bool take_text(struct studio *studio, json_t *params, struct given *given, struct refusal *refusal) {
  json_t *text = json_object_get(params, "text");
  const char *name = param_text(params, "path", refusal);
  given->folder = -1;
  if (name && (!json_is_string(text) || !diagram_named(name)))
    decline(refusal, 400, "the request has no text of a diagram");
  if (refusal->status) return false;
  given->text = json_string_value(text);
  given->size = json_string_length(text);
  given->folder = folder_of(studio, name, &given->last, refusal);
  return given->folder >= 0;
}

static bool form_text(struct studio *studio, const struct given *given, const char *form, struct chars *output,
                      struct refusal *refusal) {
  struct words words;
  struct chars name = {0};
  words_begin(&words, studio, "graph");
  word_add(&words, "--activity");
  word_add(&words, "--format");
  word_add(&words, form);
  if (!strcmp(form, "c++")) { /* by its name, which the program has */
    chars_put(&name, "-=./%s", given->last);
    word_add(&words, "--");
  }
  word_add(&words, name.data ? name.data : "-");
  bool done = program_perform(&words, given->folder, given->text, given->size, output, refusal);
  words_drop(&words);
  chars_drop(&name);
  return done;
}

/* The folder of the runtime that programs in C++ need, beside psl where that is installed, or built; "": none. */
static void find_runtime(char folder[PATH_MAX]) {
  static const char *const ways[] = {"../share/psl/runtime", "../interp/uml/runtime"};
  char program[PATH_MAX];
  ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  program[length < 0 ? 0 : length] = 0;
  char *slash = strrchr(program, '/');
  *folder = 0;
  for (size_t w = 0; slash && w < sizeof ways / sizeof *ways; w++) {
    struct chars way = {0};
    *slash = 0;
    chars_put(&way, "%s/%s", program, ways[w]);
    if (!realpath(way.data, folder)) *folder = 0;
    chars_drop(&way);
    if (*folder) return;
  }
}

/* What the checker says, a line of JSON each. */
static json_t *problems_of(struct studio *studio, const struct given *given, struct refusal *refusal) {
  struct words words;
  struct chars output = {0};
  json_t *list = json_array();
  words_begin(&words, studio, "check");
  word_add(&words, "--activity");
  word_add(&words, "--quiet");
  word_add(&words, "--error-format");
  word_add(&words, "json");
  if (studio->options->rules) {
    word_add(&words, "--rules");
    word_add(&words, studio->options->rules);
  }
  word_add(&words, "-");
  bool done = program_say(&words, given->folder, given->text, given->size, &output, refusal);
  words_drop(&words);
  for (char *line = done && output.data ? output.data : NULL, *end; line && *line; line = end) {
    end = line + strcspn(line, "\n");
    if (*end) *end++ = 0;
    json_t *problem = json_loads(line, 0, NULL);
    if (problem) json_array_append_new(list, problem);
  }
  chars_drop(&output);
  return list;
}

/* The diagram as data with its problems; or what it is made into, where the request says which form. */
json_t *answer_diagram(struct studio *studio, json_t *params, struct refusal *refusal) {
  static const char *const forms[] = {"psl", "c++", "xml", "xmi"};
  struct given given;
  struct chars output = {0};
  json_t *wanted = json_object_get(params, "form"), *answer = NULL;
  const char *form = "json";
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
    if (json_is_string(wanted) && !strcmp(json_string_value(wanted), forms[i])) form = forms[i];
  if (!take_text(studio, params, &given, refusal)) return NULL;
  bool data = !strcmp(form, "json"), done = form_text(studio, &given, form, &output, refusal);
  if (!done && refusal->status == 422) {
    answer = json_pack("{s:s}", "wrong", refusal->text);
    refusal->status = 0;
    if (!answer) answer = json_pack("{s:s}", "wrong", "what is wrong is no UTF-8");
  } else if (done && data) {
    json_t *diagram = json_loadb(output.data ? output.data : "", output.size, 0, NULL);
    json_t *problems = problems_of(studio, &given, refusal);
    answer = json_pack("{s:o, s:o}", "diagram", diagram ? diagram : json_null(), "problems", problems);
  } else if (done) {
    json_t *text = json_stringn(output.data ? output.data : "", output.size);
    char runtime[PATH_MAX] = "";
    if (!strcmp(form, "c++")) find_runtime(runtime);
    answer = json_pack("{s:o, s:s*}", "text", text ? text : json_string(""), "runtime", *runtime ? runtime : NULL);
  }
  chars_drop(&output);
  close(given.folder);
  if (refusal->status && answer) json_decref(answer);
  return refusal->status ? NULL : answer;
}

/* ---- the toolbar ---- */

json_t *answer_toolbar(struct studio *studio, json_t *params, struct refusal *refusal) {
  const char *path = studio->options->toolbar;
  (void)params;
  if (!path) return json_pack("{s:s}", "text", asset_find("/toolbar.xml")->text);
  struct chars text = {0};
  char piece[1 << 14];
  size_t size;
  FILE *file = fopen(path, "re");
  if (!file) return decline(refusal, 404, "the toolbar %s cannot be read: %s", path, strerror(errno));
  chars_add(&text, "", 0);
  while ((size = fread(piece, 1, sizeof piece, file)) && text.size < LARGEST_BODY)
    chars_add(&text, piece, size);
  fclose(file);
  json_t *string = json_stringn(text.data, text.size);
  chars_drop(&text);
  return string ? json_pack("{s:o}", "text", string)
                : decline(refusal, 415, "the toolbar %s is no text in UTF-8", path);
}
