/* Evaluators of users: shared objects that export one struct psl_evaluator.  Called by load.c for `use`. */
#include "interp/check/checker.h"
#include "interp/check/load.h"
#include "interp/foreign/foreign.h"

#include <ctype.h>
#include <string.h>

bool is_native(const char *path) {
  size_t length = strlen(path);
  const char *slash = strrchr(path, '/'), *so = strstr(slash ? slash : path, ".so");
  bool text = length > 4 && !strcmp(path + length - 4, ".psl");
  return so && (!so[3] || so[3] == '.') && !text;
}

static bool is_name(const char *name) {
  if (!isalpha((unsigned char)*name)) return false;
  for (; *name; name++)
    if (!isalnum((unsigned char)*name) && *name != '_' && (*name != '-' || !isalpha((unsigned char)name[1])))
      return false;
  return true;
}

/* What a function lacks; NULL: nothing. */
static const char *function_lacks(const struct psl_evaluator_function *function) {
  if (!function->signature) return "signature";
  if (!function->doc) return "doc";
  switch (function->kind) {
  case PSL_PURE: return function->pure ? NULL : "pure";
  case PSL_CALL:
  case PSL_EVENT: return function->call ? NULL : "call";
  case PSL_GRAPH: return function->graph ? NULL : "graph";
  case PSL_NETWORK: return function->network ? NULL : "network";
  }
  return "kind";
}

static bool wrong(struct model *m, struct span span, const char *format, ...) __attribute__((format(printf, 3, 4)));
static bool wrong(struct model *m, struct span span, const char *format, ...) {
  struct text text = {.arena = m->arena};
  va_list arguments;
  va_start(arguments, format);
  text_vprintf(&text, format, arguments);
  va_end(arguments);
  diagnostic_add(m->diagnostics, SEVERITY_ERROR, span, "%s", text.data);
  diagnostic_help(m->diagnostics, (struct span){0}, "see psl-evaluator(3)");
  return false;
}

static bool has_all(struct model *m, const char *file, const struct psl_evaluator *evaluator, struct span span) {
  const char *lacks = !evaluator->name        ? "name"
                      : !evaluator->revision  ? "revision"
                      : !evaluator->doc       ? "doc"
                      : !evaluator->functions ? "functions"
                                              : NULL;
  if (lacks) return wrong(m, span, "the evaluator of '%s' lacks its '%s'", file, lacks);
  if (!is_name(evaluator->name))
    return wrong(m, span, "'%s', which '%s' calls its evaluator, is no name", evaluator->name, file);
  for (const struct psl_evaluator_function *f = evaluator->functions; f->name; f++) {
    if (!is_name(f->name)) return wrong(m, span, "'%s', which '%s' calls a function, is no name", f->name, file);
    lacks = function_lacks(f);
    if (lacks) return wrong(m, span, "the function '%s' of '%s' lacks its '%s'", f->name, file, lacks);
  }
  return true;
}

static bool has_own_name(struct model *m, const char *file, const struct psl_evaluator *evaluator, struct span span) {
  const struct model_loading *l = m->loading;
  if (evaluator_named(&l->options, evaluator->name)) {
    diagnostic_add(m->diagnostics, SEVERITY_ERROR, span,
                   "the evaluator of '%s' has the name of one that is built in, '%s'", file, evaluator->name);
    return false;
  }
  for (uint32_t i = 0; i < l->used_count; i++) {
    if (l->used[i].evaluator == evaluator || strcmp(l->used[i].evaluator->name, evaluator->name)) continue;
    diagnostic_add(m->diagnostics, SEVERITY_ERROR, span, "the evaluator of '%s' has the name of another, '%s'", file,
                   evaluator->name);
    diagnostic_note(m->diagnostics, l->used[i].span, "used here");
    return false;
  }
  return true;
}

const struct psl_evaluator *evaluator_load(struct model *m, const char *file, const char *folder, const char *name,
                                           struct span span) {
  if (!m->loading->options.allow_native) {
    diagnostic_add(m->diagnostics, SEVERITY_ERROR, span, "'%s' is C code, and to load that is not allowed", file);
    diagnostic_help(m->diagnostics, (struct span){0, 0}, FOREIGN_ALLOW);
    return NULL;
  }
  const struct load_options *options = &m->loading->options;
  const struct foreign_folders folders = {folder, options->folders, options->folder_count};
  const struct foreign_library *library = foreign_library(m, file, &folders, span);
  if (!library) return NULL;
  const struct psl_evaluator *evaluator = foreign_symbol(library, "psl_evaluator");
  if (!evaluator) {
    wrong(m, span, "'%s' exports no evaluator: it has no variable 'psl_evaluator'", file);
    return NULL;
  }
  if (evaluator->version != PSL_EVALUATOR_VERSION) {
    wrong(m, span, "'%s' was compiled for version %d of evaluators, and here that is %d", file, evaluator->version,
          PSL_EVALUATOR_VERSION);
    return NULL;
  }
  if (!has_all(m, file, evaluator, span)) return NULL;
  if (name && strcmp(name, evaluator->name)) {
    diagnostic_add(m->diagnostics, SEVERITY_ERROR, span, "'%s' is an evaluator '%s', not '%s'", file, evaluator->name,
                   name);
    diagnostic_help(m->diagnostics, (struct span){0, 0}, "write use \"%s\";", file);
    return NULL;
  }
  return has_own_name(m, file, evaluator, span) ? evaluator : NULL;
}
