/* A file of UML as a model: a component for each activity that no other one calls, one for the threads of each
 * of its parallel regions, and one for each node of the machine.  Called by the loader of models. */
#include "interp/uml/writer.h"
#include "grammar/words.h"

#include <ctype.h>
#include <string.h>

/* ---- names ---- */

static bool is_taken(const struct writer *w, const char *name) {
  for (uint32_t i = 0; i < w->taken_count; i++)
    if (!strcmp(w->taken[i], name)) return true;
  return false;
}

const char *writer_name(struct writer *w, const char *name) {
  struct text text = {.arena = w->uml->arena};
  if (!isalpha((unsigned char)*name) || (unsigned char)*name > 126) text_put(&text, "activity_");
  for (const char *s = name; *s; s++)
    text_char(&text, isalnum((unsigned char)*s) && (unsigned char)*s < 127 ? *s : '_');
  if (word_is_reserved(text.data, text.size)) text_char(&text, '_');
  const char *made = text.data;
  for (unsigned n = 2; is_taken(w, made); n++)
    made = arena_printf(w->uml->arena, "%s_%u", text.data, n);
  ARENA_PUSH(w->uml->arena, w->taken, w->taken_count, w->taken_capacity, made);
  return made;
}

/* ---- params ---- */

struct tagged_param {
  const char *param, *otherwise; /* otherwise NULL: it is left as the library has it */
};

/* As lets of the file, so that a tagged value means what the model says, not what the component has. */
static void write_lets(struct writer *w, const struct uml_element *element, const char *name,
                       const struct tagged_param *settings) {
  for (; settings->param; settings++) {
    const char *value = uml_tag(element, settings->param);
    if (!value) value = settings->otherwise;
    if (!value) continue;
    const char *type = strcmp(settings->param, "comm") ? "" : " : term";
    write_line(w, element, "let %s_%s%s =", name, settings->param, type);
    write_expression(w, element, value);
    write_line(w, element, ";");
  }
}

static void write_params(struct writer *w, const struct uml_element *element, const char *name,
                         const struct tagged_param *settings) {
  for (; settings->param; settings++)
    if (uml_tag(element, settings->param) || settings->otherwise)
      write_line(w, element, "  param %s = %s_%s;", settings->param, name, settings->param);
}

/* ---- components ---- */

static void write_threads(struct writer *w, const struct uml_element *process, const struct region *region) {
  const struct uml_element *element = region->element;
  if (region->threads) {
    write_line(w, element, "let %s_threads =", region->name);
    write_expression(w, element, region->threads);
    write_line(w, element, ";");
  } else {
    write_line(w, element, "let %s_threads = %u;", region->name, region->fork->out_count);
  }
  write_line(w, element, "component %s like Thread {", region->name);
  write_line(w, element, "  param processes = %s_processes;", w->process);
  if (uml_tag(process, "first")) write_line(w, element, "  param first = %s_first;", w->process);
  write_line(w, element, "  param threads = %s_threads;", region->name);
  write_line(w, element, "  profile region = \"%s\";", region->name);
  write_line(w, element, "  body:");
  w->depth = 2;
  w->threads = true;
  if (region->fork)
    write_fork(w, region->fork);
  else
    write_activity(w, region->activity);
  w->threads = false;
  w->depth = 0;
  write_line(w, element, "}");
}

static void write_process(struct writer *w, struct uml_activity *activity) {
  static const struct tagged_param settings[] = {{"processes", "1"}, {"first", NULL},   {"size", NULL},
                                                 {"per-node", NULL}, {"threads", NULL}, {"comm", NULL},
                                                 {NULL, NULL}};
  const struct uml_element *element = &activity->element;
  w->process = writer_name(w, *element->name ? element->name : "program");
  w->region_count = 0;
  write_lets(w, element, w->process, settings);
  write_line(w, element, "component %s like Process {", w->process);
  write_params(w, element, w->process, settings);
  write_line(w, element, "  body:");
  w->depth = 2;
  write_activity(w, activity);
  w->depth = 0;
  write_line(w, element, "}");
  for (uint32_t r = 0; r < w->region_count && !w->wrong; r++)
    write_threads(w, element, w->regions[r]);
}

static void write_node(struct writer *w, const struct uml_element *element) {
  static const struct tagged_param settings[] = {{"nodes", "1"}, {"processors", "1"}, {"quantum", NULL}, {NULL, NULL}};
  const char *name = writer_name(w, *element->name ? element->name : "node");
  write_lets(w, element, name, settings);
  write_line(w, element, "component %s like %s {", name, uml_tag(element, "quantum") ? "RoundRobinNode" : "Node");
  write_params(w, element, name, settings);
  write_line(w, element, "}");
}

static bool is_process(const struct uml *uml, const struct uml_activity *activity, bool marked) {
  (void)uml;
  if (marked) return uml_is(&activity->element, "Process");
  return !activity->called && !uml_is(&activity->element, "Thread");
}

bool uml_check_declarations(const struct uml *uml, struct names *names, struct sources *sources) {
  const char *text = uml->model ? uml_tag(uml->model, "declarations") : NULL;
  if (!text) return true;
  struct source *source = source_add(sources, uml->source->path, text, strlen(text));
  if (!source) {
    diagnostic_add(uml->diagnostics, SEVERITY_ERROR, uml->model->span, "%s: the files of the model are too large",
                   uml->source->path);
    return false;
  }
  struct source_origin *origins = ARENA_ARRAY(uml->arena, struct source_origin, source->line_count);
  for (uint32_t i = 0; i < source->line_count; i++)
    origins[i] = (struct source_origin){uml->model->span, "the declarations"};
  source->origins = origins;
  return !parse_file(uml->arena, names, uml->diagnostics, source)->broken;
}

/* What the model says by itself: params, functions of costs, files that it uses. */
static void write_declarations(struct writer *w) {
  const struct uml_element *model = w->uml->model;
  const char *text = model ? uml_tag(model, "declarations") : NULL;
  if (text) write_line(w, model, "%s", text);
}

static void write_all(struct writer *w) {
  struct uml *uml = w->uml;
  bool marked = false, any = false;
  for (uint32_t a = 0; a < uml->activity_count; a++)
    marked |= uml_is(&uml->activities[a]->element, "Process");
  write_line(w, &uml->activities[0]->element, "use prophet;");
  write_declarations(w);
  for (uint32_t a = 0; a < uml->activity_count && !w->wrong; a++) {
    if (!is_process(uml, uml->activities[a], marked)) continue;
    write_process(w, uml->activities[a]);
    any = true;
  }
  for (uint32_t o = 0; o < uml->other_count && !w->wrong; o++)
    if (uml_is(uml->others[o], "Node")) write_node(w, uml->others[o]);
  if (!any) write_wrong(w, &uml->activities[0]->element, "is called by others, as all are: there is no process");
}

struct uml *uml_open(struct arena *arena, struct diagnostics *d, struct sources *sources, const char *path,
                     const char *text, size_t size) {
  const char *decoded = uml_decode(arena, text, &size);
  struct source *xml = source_add(sources, path, decoded ? decoded : "", decoded ? size : 0);
  if (!xml || !decoded) {
    diagnostic_add(d, SEVERITY_ERROR, (struct span){0, 0}, "%s cannot be read as UML: %s", path,
                   xml ? "its encoding is not known, or its text is not in it"
                       : "the files of the model are too large");
    return NULL;
  }
  return uml_read(arena, d, xml);
}

struct source *uml_model(struct arena *arena, struct names *names, struct diagnostics *d, struct sources *sources,
                         const char *path, const char *text, size_t size) {
  struct uml *uml = uml_open(arena, d, sources, path, text, size);
  if (!uml || !uml_check_declarations(uml, names, sources) || !uml_check_flow(uml)) return NULL;
  struct writer w = {.uml = uml, .names = names, .sources = sources, .text = {.arena = arena}};
  write_all(&w);
  if (w.wrong) return NULL;
  struct source *source = source_add(sources, path, w.text.data, w.text.size);
  if (!source) {
    diagnostic_add(d, SEVERITY_ERROR, (struct span){0, 0}, "%s: the files of the model are too large", path);
    return NULL;
  }
  write_line(&w, &uml->activities[0]->element, "%s", ""); /* the end of the text is a line, too */
  source->origins = w.origins;
  return source;
}
