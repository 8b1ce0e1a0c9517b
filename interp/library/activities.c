/* Diagrams of activities: drawn, checked by rules, and written in their other forms.  Behind the entries of psl.h. */
#include "interp/check/load.h"
#include "interp/library/handle.h"
#include "interp/report/output.h"
#include "interp/uml/cpp.h"
#include "interp/uml/uml.h"

#include <string.h>
#include <unistd.h>

struct given {
  const char *name, *text; /* text NULL: of the file of that name */
  size_t size;
  enum psl_activity_form form;
  const char *rules;
  psl_write *write;
  void *user;
};

/* Reads it where it is a file's; false after a diagnostic. */
static bool take_text(struct psl *psl, struct given *given) {
  psl->memory.breakable = true;
  if (given->text) return true;
  given->text = handle_read(psl, &psl->work, given->name, &given->size);
  given->name = handle_text_name(given->name);
  return given->text != NULL;
}

static bool put_model(struct psl *psl, const struct given *given, struct sources *sources, struct text *out) {
  struct names names;
  names_open(&names, &psl->work);
  struct source *source =
      uml_model(&psl->work, &names, &psl->diagnostics, sources, given->name, given->text, given->size);
  const struct file *file = source ? parse_file(&psl->work, &names, &psl->diagnostics, source) : NULL;
  if (!file || file->broken) return false;
  if (given->form == PSL_ACTIVITY_PSL)
    ast_format(out, file);
  else
    uml_write_xml(out, file);
  return true;
}

static bool put_activity(struct psl *psl, const struct given *given, struct sources *sources, struct text *out) {
  if (given->form == PSL_ACTIVITY_PSL || given->form == PSL_ACTIVITY_XML) return put_model(psl, given, sources, out);
  struct uml *uml = uml_open(&psl->work, &psl->diagnostics, sources, given->name, given->text, given->size);
  if (uml && given->form == PSL_ACTIVITY_DOT && !uml_check_flow(uml)) return false;
  if (!uml) return false;
  if (given->form == PSL_ACTIVITY_DOT)
    uml_picture(out, uml);
  else if (given->form == PSL_ACTIVITY_XMI)
    uml_write_xmi(out, uml);
  else
    uml_write_json(out, sources, uml);
  return true;
}

static enum psl_code work_activity(struct psl *psl, void *arguments) {
  struct given *given = arguments;
  struct sources sources = {.arena = &psl->work, .end = 1};
  struct output out;
  if (!take_text(psl, given)) return PSL_WRONG;
  output_open(&out, &psl->work, given->write, given->user);
  out.source = given->form != PSL_ACTIVITY_DOT;
  psl->diagnostics.sources = &sources;
  bool fine = put_activity(psl, given, &sources, &out.text);
  diagnostic_flush(&psl->diagnostics);
  psl->diagnostics.sources = &psl->sources;
  if (fine) output_close(&out);
  return fine ? PSL_OK : PSL_WRONG;
}

enum psl_code psl_activity(struct psl *psl, const char *name, const char *text, size_t size,
                           enum psl_activity_form form, psl_write *write, void *user) {
  struct given given = {.name = name, .text = text, .size = size, .form = form, .write = write, .user = user};
  return handle_enter(psl, work_activity, &given);
}

/* ---- rules ---- */

/* The file of the standard library; NULL after a diagnostic. */
static const char *own_rules(struct psl *psl) {
  struct folders folders = {0};
  library_folders(psl, &folders);
  for (uint32_t i = folders.count; i-- > 0;) {
    const char *path = arena_printf(&psl->work, "%s/prophet-rules.xml", folders.items[i]);
    if (access(path, R_OK) == 0) return path;
  }
  diagnostic_add(&psl->diagnostics, SEVERITY_ERROR, (struct span){0},
                 "prophet-rules.xml is not found in the standard library");
  return NULL;
}

static struct uml_rules *take_rules(struct psl *psl, const char *path, struct sources *sources) {
  size_t size;
  if (!path) path = own_rules(psl);
  const char *text = path ? handle_read(psl, &psl->work, path, &size) : NULL;
  const char *decoded = text ? uml_decode(&psl->work, text, &size) : NULL;
  const struct source *source = decoded ? source_add(sources, path, decoded, size) : NULL;
  return source ? uml_rules_read(&psl->work, &psl->diagnostics, source) : NULL;
}

static enum psl_code work_check(struct psl *psl, void *arguments) {
  struct given *given = arguments;
  struct sources sources = {.arena = &psl->work, .end = 1};
  struct names names;
  if (!take_text(psl, given)) return PSL_WRONG;
  names_open(&names, &psl->work);
  psl->diagnostics.sources = &sources;
  const struct uml_rules *rules = take_rules(psl, given->rules, &sources);
  struct uml *uml =
      rules ? uml_open(&psl->work, &psl->diagnostics, &sources, given->name, given->text, given->size) : NULL;
  bool fine = uml && uml_check_rules(uml, rules, &names, &sources);
  diagnostic_flush(&psl->diagnostics);
  psl->diagnostics.sources = &psl->sources;
  return fine ? PSL_OK : PSL_WRONG;
}

enum psl_code psl_check_activity(struct psl *psl, const char *name, const char *text, size_t size, const char *rules) {
  struct given given = {.name = name, .text = text, .size = size, .rules = rules};
  return handle_enter(psl, work_check, &given);
}

/* ---- C++ ---- */

static bool is_library(void *user, const struct source *file) {
  const struct psl *psl = user;
  for (uint32_t i = 0; i < psl->model.loading->count; i++) {
    const struct loaded_file *loaded = psl->model.loading->files[i];
    if (loaded->file->source == file) return loaded->library || loaded->prelude;
  }
  return true;
}

static enum psl_code work_program(struct psl *psl, void *arguments) {
  const struct given *given = arguments;
  struct output out;
  if (!handle_model(psl) || !handle_resolve(psl, given->name, &(struct resolve_options){.lazy = true}))
    return PSL_WRONG;
  output_open(&out, &psl->work, given->write, given->user);
  out.source = true;
  if (!program_write(&out.text, &psl->work, &psl->model, is_library, psl)) return PSL_WRONG;
  output_close(&out);
  return PSL_OK;
}

enum psl_code psl_program(struct psl *psl, const char *system, psl_write *write, void *user) {
  return handle_enter(psl, work_program, &(struct given){.name = system, .write = write, .user = user});
}
