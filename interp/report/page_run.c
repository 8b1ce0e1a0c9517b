/* A run in a page: its timeline, all its processes as bars, and the shares of the one that the reader
 * chooses, in total and by component.  Called by page.c. */
#include "interp/report/page.h"
#include "interp/report/report.h"

#include <math.h>
#include <string.h>

enum { PROCESSES = 1024 }; /* more are shown in part, evenly */

/* What a process did in the bodies of a component. */
struct page_part {
  double time[STRETCHES];
};

struct parts {
  const struct results *results;
  size_t components;       /* that the trace names: one more than the greatest id */
  size_t every, shown;     /* each every-th process is shown */
  struct page_part *items; /* shown x components */
};

static void put_table_head(struct text *out, const char *id, const char *first, const char *const *names) {
  text_printf(out,
              "<div class=\"rows\"><table id=\"%s\"><thead><tr><th scope=\"col\"><button "
              "type=\"button\">%s</button></th>",
              id, first);
  for (; *names; names++)
    text_printf(out, "<th scope=\"col\" class=\"n\"><button type=\"button\">%s</button></th>", *names);
  text_put(out, "</tr></thead><tbody></tbody></table></div>\n");
}

static void gather_parts(struct parts *parts, struct arena *arena) {
  const struct results *results = parts->results;
  const struct trace *trace = results->trace;
  for (size_t e = 0; e < trace->count; e++)
    if (trace->events[e].component >= parts->components) parts->components = trace->events[e].component + 1;
  parts->items = ARENA_ARRAY(arena, struct page_part, parts->shown * parts->components);
  for (size_t e = 0; e < trace->count; e++) {
    const struct trace_event *event = &trace->events[e];
    if (event->process >= results->instance_count) continue;
    uint32_t process = results->process_of[event->process];
    if (process == UINT32_MAX || process % parts->every) continue;
    parts->items[process / parts->every * parts->components + event->component].time[event->activity] +=
        event->end - event->begin;
  }
}

/* A JSON string in which `<` is escaped, so that no name ends the element of the page. */
static void put_name(struct text *out, const char *text) {
  struct text name = {.arena = out->arena};
  text_json(&name, text);
  for (const char *s = name.data; *s; s++) {
    if (*s == '<')
      text_put(out, "\\u003c");
    else
      text_char(out, *s);
  }
}

/* [[process, component, compute, communicate, wait, part of waits that is known, ...], ...]: here the wait is what is
 * not divided. */
static void put_parts(struct output *out, const struct parts *parts) {
  struct text *text = &out->text;
  uint32_t told = results_told(&parts->results->public);
  bool first = true;
  text_put(text, "<script type=\"application/json\" id=\"parts\">[");
  for (size_t p = 0; p < parts->shown; p++)
    for (size_t c = 0; c < parts->components; c++) {
      const struct page_part *part = &parts->items[p * parts->components + c];
      double all = 0;
      for (int a = 0; a < STRETCHES; a++)
        all += part->time[a];
      if (all == 0) continue;
      text_printf(text, "%s\n[%zu,", first ? "" : ",", p);
      put_name(text, parts->results->component_names[c]);
      for (int a = 0; a < STRETCHES; a++)
        if (a < ACTIVITIES || told >> a & 1) text_printf(text, ",%.17g", part->time[a]);
      text_char(text, ']');
      first = false;
      output_pass(out);
    }
  text_put(text, "]</script>\n");
}

/* [[part of its waits that is known, ...], ...], a list a process: the trace may not have all of them. */
static void put_waits_of(struct output *out, const struct parts *parts) {
  const struct psl_results *run = &parts->results->public;
  uint32_t told = results_told(run);
  text_put(&out->text, "<script type=\"application/json\" id=\"waits\">[");
  for (size_t p = 0; told && p < run->process_count; p += parts->every) {
    text_put(&out->text, p ? ",\n[" : "\n[");
    const char *comma = "";
    for (int a = ACTIVITIES; a < STRETCHES; a++) {
      if (!(told >> a & 1)) continue;
      text_printf(&out->text, "%s%.17g", comma, share_part(&run->processes[p].share, a));
      comma = ",";
    }
    text_char(&out->text, ']');
    output_pass(out);
  }
  text_put(&out->text, "]</script>\n");
}

/* [[process, kind, name, executions, time, own time], ...] */
static void put_named(struct output *out, const struct parts *parts) {
  const struct psl_results *run = &parts->results->public;
  struct text *text = &out->text;
  bool first = true;
  text_put(text, "<script type=\"application/json\" id=\"elements\">[");
  for (size_t e = 0; e < run->process_element_count; e++) {
    const struct psl_element *element = &run->process_elements[e];
    if (element->process % parts->every) continue;
    text_printf(text, "%s\n[%zu,", first ? "" : ",", element->process / parts->every);
    put_name(text, element->kind);
    text_char(text, ',');
    put_name(text, element->name);
    text_printf(text, ",%llu,%.17g,%.17g]", (unsigned long long)element->count, element->time, element->own);
    first = false;
    output_pass(out);
  }
  text_put(text, "]</script>\n");
}

/* Tables of the run's report, inside the page. */
static void put_details(struct output *out, const struct results *results) {
  struct report report = {.arena = out->text.arena, .renderer = &report_as_html, .out = out, .inside = true};
  report_details(&report, results);
}

static void put_process_table(struct output *out, const struct parts *parts) {
  struct report report = {.arena = out->text.arena, .renderer = &report_as_html, .out = out, .inside = true};
  text_printf(&out->text, "<details><summary>%zu process%s as a table</summary>\n", parts->shown,
              parts->shown == 1 ? "" : "es");
  report_processes(&report, &parts->results->public, parts->every);
  text_put(&out->text, "</details>\n");
}

/* The parts of waits that are known: "late sender,transfer". */
static void put_waits(struct text *out, uint32_t told) {
  const char *comma = "";
  for (int a = ACTIVITIES; a < STRETCHES; a++) {
    if (!(told >> a & 1)) continue;
    text_printf(out, "%s%s", comma, activity_names[a]);
    comma = ",";
  }
}

static void put_sample(struct text *out, size_t shown, size_t all) {
  text_put(out, "<p class=\"soft\">");
  report_count(out, shown);
  text_put(out, " of ");
  report_count(out, all);
  text_put(out, " processes are shown, one in so many.</p>\n");
}

static void put_processes(struct output *out, const struct parts *parts) {
  static const char *const share[] = {"time", "of the whole", NULL};
  static const char *const inside[] = {"compute", "communicate", "wait", "together", "of the whole", NULL};
  static const char *const named[] = {"executions", "time", "own time", "of the whole", NULL};
  const struct psl_results *run = &parts->results->public;
  struct text *text = &out->text;
  text_put(text, "<h3>Processes</h3>\n");
  if (parts->every > 1) put_sample(text, parts->shown, run->process_count);
  text_printf(text, "<div id=\"processes\" data-makespan=\"%.17g\" data-waits=\"", parts->results->end);
  put_waits(text, results_told(run));
  text_put(text, "\" hidden>\n");
  text_put(text, "<ul class=\"legend\" id=\"legend\"></ul>\n"
                 "<div id=\"bars\" class=\"bars\" tabindex=\"0\" role=\"slider\" aria-valuemin=\"1\" "
                 "aria-label=\"Process whose shares are shown\"></div>\n"
                 "<p class=\"choose\"><label for=\"process\">Shares of</label><select id=\"process\"></select></p>\n"
                 "<div class=\"shares\"><div id=\"pie\" class=\"pie\"></div><div>\n");
  put_table_head(text, "shares", "activity", share);
  text_put(text, "<div id=\"inside-of\"><h3>By component</h3>\n");
  put_table_head(text, "inside", "component", inside);
  text_put(text, "</div>\n");
  if (run->element_count) {
    text_put(text, "<h3>By element</h3>\n");
    put_table_head(text, "named", "element", named);
  }
  text_put(text, "</div></div>\n</div>\n");
}

static void put_timeline(struct output *out, const struct results *results) {
  text_put(&out->text, "<h3>Timeline</h3>\n<div class=\"wide timeline\" tabindex=\"0\" role=\"group\" "
                       "aria-label=\"timeline\">\n");
  report_timeline(out, results);
  text_put(&out->text, "</div>\n");
}

/* In a network of queues customers come and go: figures of stations and levels say more than their lines of time. */
void page_run(struct output *out, const struct page *page) {
  const struct psl_results *run = &page->run->public;
  struct parts parts = {.results = page->run, .every = 1 + run->process_count / (PROCESSES + 1)};
  parts.shown = (run->process_count + parts.every - 1) / parts.every;
  if (!page->run->trace->count && !run->queueing)
    text_put(&out->text, "<p>Its time comes of equations alone, which have no timeline.</p>\n");
  else if (!run->queueing)
    put_timeline(out, page->run);
  page_plots(out, page->levels, page->level_count);
  put_details(out, page->run);
  if (!parts.shown || run->queueing) return;
  gather_parts(&parts, out->text.arena);
  put_processes(out, &parts);
  put_process_table(out, &parts);
  put_parts(out, &parts);
  put_waits_of(out, &parts);
  if (run->element_count) put_named(out, &parts);
}
