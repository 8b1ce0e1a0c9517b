/* The entries of psl.h that give texts: reports, traces, explanations, graphs, layouts, syntax trees. */
#include "grammar/characters.h"
#include "interp/library/handle.h"
#include "interp/check/load.h"
#include "interp/report/page.h"
#include "interp/report/report.h"
#include "interp/taskgraph/taskgraph.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

int psl_write_shown(psl_write *write, void *user, const char *text, size_t size) {
  char shown[CHARACTER_SHOWN];
  int stopped = 0;
  for (size_t at = 0; at < size && !stopped;) {
    at += character_show(text + at, size - at, "", shown);
    stopped = write(user, shown, strlen(shown));
  }
  return stopped;
}

int psl_write_file(void *file, const char *text, size_t size) { return fwrite(text, 1, size, file) != size; }

/* Says that a report is asked of a run that left none. */
static enum psl_code no_results(struct psl *psl) {
  diagnostic_add(&psl->diagnostics, SEVERITY_ERROR, (struct span){0}, "there are no results to report");
  return PSL_MISUSE;
}

struct report_given {
  const struct results *results;
  struct psl_report_options options;
  psl_write *write;
  void *user;
};

static enum psl_code work_report(struct psl *psl, void *arguments) {
  const struct report_given *given = arguments;
  if (!given->results) return no_results(psl);
  struct report report;
  report_open(&report, given->options.format, psl->columns, &psl->work, given->write, given->user);
  report_run(&report, given->results, &given->options);
  report_close(&report);
  return PSL_OK;
}

enum psl_code psl_report(struct psl *psl, const struct psl_results *results, const struct psl_report_options *options,
                         psl_write *write, void *user) {
  struct psl_report_options none = {0};
  return handle_enter(psl, work_report,
                      &(struct report_given){(const struct results *)results, options ? *options : none, write, user});
}

typedef void picture_writer(struct output *out, const struct results *results);

struct trace_given {
  const struct results *results;
  picture_writer *writer;
  psl_write *write;
  void *user;
};

static enum psl_code work_trace(struct psl *psl, void *arguments) {
  const struct trace_given *given = arguments;
  if (!given->results) return no_results(psl);
  if (!given->results->trace || given->results->trace->causes) {
    diagnostic_add(&psl->diagnostics, SEVERITY_ERROR, (struct span){0}, "the run was made without a trace");
    return PSL_MISUSE;
  }
  struct output out;
  output_open(&out, &psl->work, given->write, given->user);
  given->writer(&out, given->results);
  output_close(&out);
  return PSL_OK;
}

enum psl_code psl_write_trace(struct psl *psl, const struct psl_results *results, psl_write *write, void *user) {
  return handle_enter(psl, work_trace,
                      &(struct trace_given){(const struct results *)results, report_trace, write, user});
}

struct lines_given { /* of tasks, behind their head */
  psl_write *write;
  void *user;
  bool some;
};

static int put_lines(struct lines_given *lines, const char *text, size_t size) {
  static const char head[] = "# dynamic task graph 1\n";
  int stopped = lines->some ? 0 : lines->write(lines->user, head, sizeof head - 1);
  lines->some = true;
  return stopped ? stopped : lines->write(lines->user, text, size);
}

static int write_lines(void *user, const char *text, size_t size) { return put_lines(user, text, size); }

enum psl_code psl_dynamic_graph(struct psl *psl, const char *system, const struct psl_run_options *options,
                                psl_write *write, void *user) {
  struct lines_given lines = {write, user, false};
  struct psl_run_options how = options ? *options : (struct psl_run_options){0};
  const struct psl_results *results = NULL;
  how.tasks = write_lines;
  how.tasks_user = &lines;
  enum psl_code code = psl_run(psl, system, &how, &results);
  if (results && code != PSL_MEMORY && code != PSL_INTERRUPTED) psl_drop(psl, results);
  if (code != PSL_OK || lines.some) return code;
  psl_diagnostic_callback *said = psl->options.diagnostic; /* all has been said in the first run */
  results = NULL;
  how.tasks = NULL;
  how.trace = true;
  psl->options.diagnostic = NULL;
  code = psl_run(psl, system, &how, &results);
  psl->options.diagnostic = said;
  if (code == PSL_OK)
    code = handle_enter(psl, work_trace,
                        &(struct trace_given){(const struct results *)results, report_task_lines, write_lines, &lines});
  if (results && code != PSL_MEMORY && code != PSL_INTERRUPTED) psl_drop(psl, results);
  return code;
}

enum psl_code psl_write_tasks(struct psl *psl, const struct psl_results *results, psl_write *write, void *user) {
  struct lines_given lines = {write, user, false};
  return handle_enter(psl, work_trace,
                      &(struct trace_given){(const struct results *)results, report_task_lines, write_lines, &lines});
}

enum psl_code psl_write_timeline(struct psl *psl, const struct psl_results *results, psl_write *write, void *user) {
  return handle_enter(psl, work_trace,
                      &(struct trace_given){(const struct results *)results, report_timeline, write, user});
}

enum psl_code psl_write_slices(struct psl *psl, const struct psl_results *results, psl_write *write, void *user) {
  return handle_enter(psl, work_trace,
                      &(struct trace_given){(const struct results *)results, report_slices, write, user});
}

enum psl_code psl_write_paraver(struct psl *psl, const struct psl_results *results, psl_write *write, void *user) {
  return handle_enter(psl, work_trace,
                      &(struct trace_given){(const struct results *)results, report_paraver, write, user});
}

enum psl_code psl_write_paraver_names(struct psl *psl, const struct psl_results *results, psl_write *write,
                                      void *user) {
  return handle_enter(psl, work_trace,
                      &(struct trace_given){(const struct results *)results, report_paraver_names, write, user});
}

enum psl_code psl_write_paraver_rows(struct psl *psl, const struct psl_results *results, psl_write *write, void *user) {
  return handle_enter(psl, work_trace,
                      &(struct trace_given){(const struct results *)results, report_paraver_rows, write, user});
}

struct why_given {
  const struct results *results;
  struct psl_why_options options;
  psl_write *write;
  void *user;
};

static enum psl_code work_why(struct psl *psl, void *arguments) {
  const struct why_given *given = arguments;
  struct why_wrong wrong = {NULL, NULL};
  if (!given->results) return no_results(psl);
  if (!given->results->why) {
    diagnostic_add(&psl->diagnostics, SEVERITY_ERROR, (struct span){0}, "the run was made without a record of causes");
    return PSL_MISUSE;
  }
  struct output out;
  output_open(&out, &psl->work, given->write, given->user);
  bool fine = report_why(&out, given->results, &given->options, psl->columns, &wrong);
  if (!fine) diagnostic_add(&psl->diagnostics, SEVERITY_ERROR, (struct span){0}, "%s", wrong.message);
  if (wrong.help) diagnostic_help(&psl->diagnostics, (struct span){0}, "%s", wrong.help);
  if (fine) output_close(&out);
  return fine ? PSL_OK : PSL_MISUSE;
}

enum psl_code psl_write_why(struct psl *psl, const struct psl_results *results, const struct psl_why_options *options,
                            psl_write *write, void *user) {
  struct psl_why_options none = {0};
  return handle_enter(psl, work_why,
                      &(struct why_given){(const struct results *)results, options ? *options : none, write, user});
}

/* ---- the graph ---- */

struct graph_given {
  const char *system, *subject; /* subject: explain, NULL for all */
  bool deny_lossy, dynamic, json;
  size_t max_instances;
  psl_write *write;
  void *user;
};

enum { NARROWEST = 40, HANGING = 4 };

/* At a terminal lines end between words, so that no path is broken. */
static void put_fitted(struct output *out, struct psl *psl, const char *lines) {
  const char *line;
  if (psl->columns < NARROWEST) {
    text_put(&out->text, lines);
    return;
  }
  while ((line = text_next_line(&psl->work, &lines))) {
    size_t indent = strspn(line, " ");
    text_put_n(&out->text, line, indent);
    text_wrapped(&out->text, line + indent, 0, psl->columns - indent - HANGING, indent + HANGING);
    text_char(&out->text, '\n');
  }
}

/* What was taken from a database, and why. */
static void put_choices(struct output *out, struct psl *psl, const char *component, const char *request) {
  const struct completion *completion = &psl->completion;
  for (uint32_t k = 0; k < completion->choice_count; k++) {
    const struct completion_choice *choice = &completion->choices[k];
    bool named =
        (!component || !strcmp(component, choice->component)) && (!request || !strcmp(request, choice->request));
    if (named) put_fitted(out, psl, choice->text);
  }
}

static enum psl_code work_explain(struct psl *psl, void *arguments) {
  const struct graph_given *given = arguments;
  if (!handle_model(psl)) return PSL_MISUSE;
  struct output out;
  output_open(&out, &psl->work, given->write, given->user);
  if (given->subject && handle_explain_fit(psl, given->subject, &out)) {
    output_close(&out);
    return PSL_OK;
  }
  struct resolve_options options = {.deny_lossy = given->deny_lossy, .lazy = true};
  struct graph *graph = handle_resolve(psl, given->system, &options);
  if (!graph) return PSL_WRONG;
  const char *component = given->subject, *request = NULL, *point = component ? strchr(component, '.') : NULL;
  if (point) {
    component = arena_copy(&psl->work, component, (size_t)(point - component));
    request = point + 1;
  }
  struct text lines = {.arena = &psl->work};
  bool good = explain(&lines, graph, component, request);
  put_fitted(&out, psl, lines.data ? lines.data : "");
  put_choices(&out, psl, component, request);
  output_close(&out);
  return good ? PSL_OK : PSL_WRONG;
}

/* Is it a param that is asked for? */
static bool asks(struct psl *psl, const char *component, const char *param) {
  const struct model *model = &psl->model;
  for (uint32_t c = 0; c < model->component_count; c++)
    for (uint32_t q = 0; q < model->components[c]->question_count; q++)
      if (!strcmp(model->components[c]->symbol->name->text, component) &&
          !strcmp(model->components[c]->questions[q].param->name->text, param))
        return true;
  return false;
}

/* What was answered, by a run of the system to its end. */
static enum psl_code work_answer(struct psl *psl, void *arguments) {
  const struct graph_given *given = arguments;
  const struct psl_results *run = NULL;
  const char *point = strchr(given->subject, '.');
  if (!point) return PSL_OK;
  char *component = arena_copy(&psl->handed, given->subject, (size_t)(point - given->subject));
  if (!asks(psl, component, point + 1)) return PSL_OK;
  struct psl_run_options options = {.deny_lossy = given->deny_lossy};
  enum psl_code code = handle_run(psl, given->system, &options, &run);
  if (!run) return code;
  struct output out;
  output_open(&out, &psl->work, given->write, given->user);
  for (size_t a = 0; a < run->asked_count; a++) {
    const struct psl_asked *asked = &run->asked[a];
    if (strcmp(asked->component, component) || strcmp(asked->name, point + 1) || code != PSL_OK) continue;
    text_printf(&out.text, "%s.%s, answered by %s: ", component, asked->name, asked->from);
    results_answer(&out.text, (const struct results *)run, asked);
    text_printf(&out.text, ", %s\n", asked->evidence);
  }
  output_close(&out);
  return code;
}

enum psl_code psl_explain(struct psl *psl, const char *system, const char *subject, bool deny_lossy, psl_write *write,
                          void *user) {
  struct graph_given given = {
      .system = system, .subject = subject, .deny_lossy = deny_lossy, .write = write, .user = user};
  enum psl_code code = handle_enter(psl, work_explain, &given);
  return code == PSL_OK && subject ? handle_enter(psl, work_answer, &given) : code;
}

static enum psl_code work_graph(struct psl *psl, void *arguments) {
  const struct graph_given *given = arguments;
  if (!handle_model(psl)) return PSL_MISUSE;
  struct graph *graph = handle_resolve(psl, given->system, &(struct resolve_options){0});
  if (!graph) return PSL_WRONG;
  struct output out;
  output_open(&out, &psl->work, given->write, given->user);
  if (given->json)
    graph_json(&out, graph);
  else if (given->dynamic)
    picture_dynamic(&out, graph, given->max_instances);
  else
    picture_static(&out, graph);
  output_close(&out);
  return PSL_OK;
}

enum psl_code psl_graph(struct psl *psl, const char *system, bool dynamic, size_t max_instances, psl_write *write,
                        void *user) {
  struct graph_given given = {.system = system, .dynamic = dynamic, .write = write, .user = user};
  given.max_instances = max_instances ? max_instances : 24;
  return handle_enter(psl, work_graph, &given);
}

enum psl_code psl_graph_json(struct psl *psl, const char *system, psl_write *write, void *user) {
  struct graph_given given = {.system = system, .json = true, .write = write, .user = user};
  return handle_enter(psl, work_graph, &given);
}

/* ---- static task graphs ---- */

struct static_given {
  const char *system, *name, *text; /* name NULL: of the loaded model, else of what is stored there */
  size_t size;
  const struct psl_static_options *options;
  psl_write *write;
  void *user;
};

static void put_static(struct psl *psl, const struct static_graph *graph, const struct static_given *given) {
  struct output out;
  output_open(&out, &psl->work, given->write, given->user);
  switch (given->options->format) {
  case PSL_STATIC_TEXT: task_graph_text(&out, graph); break;
  case PSL_STATIC_JSON: task_graph_json(&out, graph); break;
  case PSL_STATIC_DOT: task_graph_picture(&out, graph); break;
  }
  output_close(&out);
}

static enum psl_code work_static(struct psl *psl, void *arguments) {
  const struct static_given *given = arguments;
  if (!handle_model(psl)) return PSL_MISUSE;
  struct graph *graph = handle_resolve(psl, given->system, &(struct resolve_options){0});
  if (!graph) return PSL_WRONG;
  struct static_graph *made = static_graph_derive(graph, &psl->work);
  if (given->options->condense) task_graph_condense(&psl->work, &psl->names, made);
  put_static(psl, made, given);
  return PSL_OK;
}

enum psl_code psl_static_graph(struct psl *psl, const char *system, const struct psl_static_options *options,
                               psl_write *write, void *user) {
  struct static_given given = {.system = system, .options = options, .write = write, .user = user};
  return handle_enter(psl, work_static, &given);
}

/* ---- a text alone ---- */

const char *handle_text_name(const char *path) { return strcmp(path, "-") ? path : "standard-input"; }

const char *handle_read(struct psl *psl, struct arena *arena, const char *path, size_t *size) {
  bool standard = !strcmp(path, "-");
  const char *why = psl->options.read && !standard ? psl->options.read(psl->options.user, path) : NULL;
  const char *text = why ? NULL : standard ? standard_input_text(arena, size) : file_text(arena, path, size);
  if (!text)
    diagnostic_add(&psl->diagnostics, SEVERITY_ERROR, (struct span){0}, "cannot read %s: %s", path,
                   why ? why : strerror(errno));
  return text;
}

struct text_given {
  const char *name, *text; /* text NULL: of the file of that name */
  size_t size;
};

/* Reads it where it is a file's; false after a diagnostic. */
static bool take_text(struct psl *psl, struct text_given *given) {
  if (given->text) return true;
  given->text = handle_read(psl, &psl->work, given->name, &given->size);
  given->name = handle_text_name(given->name);
  return given->text != NULL;
}

struct syntax_given {
  struct text_given text;
  bool tree, spans;
  bool *same;
  psl_write *write;
  void *user;
};

/* Parsed beside the loaded model, whose texts and names are its own. */
static enum psl_code work_syntax(struct psl *psl, void *arguments) {
  struct syntax_given *given = arguments;
  struct sources sources = {.arena = &psl->work, .end = 1};
  struct names names;
  psl->memory.breakable = true;
  if (!take_text(psl, &given->text)) return PSL_WRONG;
  names_open(&names, &psl->work);
  const struct source *source = source_add(&sources, given->text.name, given->text.text, given->text.size);
  if (!source) {
    diagnostic_add(&psl->diagnostics, SEVERITY_ERROR, (struct span){0}, "%s is larger than 2 GiB", given->text.name);
    return PSL_WRONG;
  }
  psl->diagnostics.sources = &sources;
  const struct file *file = parse_file(&psl->work, &names, &psl->diagnostics, source);
  diagnostic_flush(&psl->diagnostics);
  psl->diagnostics.sources = &psl->sources;
  if (file->broken) return PSL_WRONG;
  struct output out;
  output_open(&out, &psl->work, given->write, given->user);
  out.source = !given->tree;
  if (given->tree)
    ast_dump(&out.text, file, given->spans);
  else
    ast_format(&out.text, file);
  if (given->same)
    *given->same =
        out.text.size == source->size && (!source->size || !memcmp(out.text.data, source->text, source->size));
  output_close(&out);
  return PSL_OK;
}

static enum psl_code work_static_text(struct psl *psl, void *arguments) {
  const struct static_given *given = arguments;
  struct sources sources = {.arena = &psl->work, .end = 1};
  struct names names;
  struct text_given text = {given->name, given->text, given->size};
  psl->memory.breakable = true;
  if (!take_text(psl, &text)) return PSL_WRONG;
  names_open(&names, &psl->work);
  psl->diagnostics.sources = &sources;
  text.text = arena_copy(&psl->work, text.text, text.size); /* that it ends */
  struct static_graph *graph = task_graph_read(&psl->work, &names, &psl->diagnostics, &sources, text.name, text.text);
  diagnostic_flush(&psl->diagnostics);
  psl->diagnostics.sources = &psl->sources;
  if (graph && given->options->condense && !graph->condensed_from) task_graph_condense(&psl->work, &names, graph);
  if (graph) put_static(psl, graph, given);
  return graph ? PSL_OK : PSL_WRONG;
}

enum psl_code psl_static_graph_text(struct psl *psl, const char *name, const char *text, size_t size,
                                    const struct psl_static_options *options, psl_write *write, void *user) {
  struct static_given given = {
      .name = name, .text = text, .size = size, .options = options, .write = write, .user = user};
  return handle_enter(psl, work_static_text, &given);
}

enum psl_code psl_format_text(struct psl *psl, const char *name, const char *text, size_t size, bool *same,
                              psl_write *write, void *user) {
  return handle_enter(psl, work_syntax, &(struct syntax_given){{name, text, size}, false, false, same, write, user});
}

enum psl_code psl_syntax_tree(struct psl *psl, const char *name, const char *text, size_t size, bool spans,
                              psl_write *write, void *user) {
  return handle_enter(psl, work_syntax, &(struct syntax_given){{name, text, size}, true, spans, NULL, write, user});
}
const char *psl_page_part(const char *name, size_t *size) { return page_part(name, size); }
