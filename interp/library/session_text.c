/* A session written down as one text: its texts one after another, without what was declared anew since, with what was
 * set as the params' defaults, or as what it gives to those of the files that it uses. */
#include "interp/library/handle.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* A piece of a text that another takes the place of. */
struct edit {
  struct span span;
  const char *text;
};

struct editor {
  struct psl *psl;
  struct arena *arena;
  const char *folder; /* where the text is to stand */
  struct edit *edits; /* of the file in hand */
  uint32_t count, capacity;
};

static void edit(struct editor *e, struct span span, const char *text) {
  struct edit one = {span, text};
  ARENA_PUSH(e->arena, e->edits, e->count, e->capacity, one);
}

static uint32_t line_of(const struct psl *psl, uint32_t offset) { return source_place(&psl->sources, offset).line; }

/* A declaration goes with the comments that document it: those right above it, and those beside its end. */
static struct span whole_span(const struct psl *psl, const struct file *file, const struct decl *decl) {
  struct span span = decl->span;
  for (uint32_t i = file->comment_count; i-- > 0;) {
    const struct comment *comment = &file->comments[i];
    bool above = comment->doc && comment->own_line && comment->span.end <= span.begin &&
                 line_of(psl, comment->span.begin) + 1 == line_of(psl, span.begin);
    if (above) span.begin = comment->span.begin;
  }
  for (uint32_t i = 0; i < file->comment_count; i++) {
    const struct comment *comment = &file->comments[i];
    if (!comment->own_line && comment->span.begin >= span.end &&
        line_of(psl, comment->span.begin) == line_of(psl, decl->span.end))
      span.end = comment->span.end;
  }
  return span;
}

static void take_out(struct editor *e, const struct file *file, const struct decl *decl) {
  edit(e, whole_span(e->psl, file, decl), "");
}

/* The text of a declaration of another text of the session, with its comments. */
static const char *text_of(const struct editor *e, const struct decl *decl) {
  const struct model *model = &e->psl->model;
  for (uint32_t i = 0; i < model->own_count; i++) {
    const struct source *source = model->files[i]->source;
    if (source_of(model->sources, decl->span.begin) != source) continue;
    struct span span = whole_span(e->psl, model->files[i], decl);
    return arena_printf(e->arena, "%.*s\n", (int)(span.end - span.begin), source->text + (span.begin - source->base));
  }
  return "";
}

static const char *folder_of(struct arena *arena, const char *path) {
  const char *slash = strrchr(path, '/');
  return !slash ? "." : slash == path ? "/" : arena_copy(arena, path, (size_t)(slash - path));
}

static const char *absolute(struct arena *arena, const char *path) {
  char resolved[PATH_MAX];
  return realpath(path, resolved) ? arena_copy(arena, resolved, strlen(resolved)) : NULL;
}

/* Is it a folder of PSL's library, where each model finds what it uses by its name? */
static bool is_library(struct psl *psl, const char *folder) {
  struct load_options options = handle_load_options(psl);
  for (uint32_t i = options.own_count; i < options.folder_count; i++)
    if (!strcmp(options.folders[i], folder)) return true;
  return false;
}

/* How a file that was found beside the one that uses it is named from where the text is to stand; NULL: as it is. */
static const char *path_used(const struct editor *e, const struct file *file, const struct decl *decl) {
  const char *folder = folder_of(e->arena, file->source->path);
  if (!decl->use.path && is_library(e->psl, folder)) return NULL;
  const char *from = absolute(e->arena, folder), *to = absolute(e->arena, e->folder);
  const char *name = decl->use.path ? decl->use.path : decl->name.name->text;
  if (*name == '/' || (from && to && strcmp(from, to) == 0)) return NULL;
  const char *path = absolute(e->arena, arena_printf(e->arena, "%s/%s%s", folder, name, decl->use.path ? "" : ".psl"));
  struct text string = {.arena = e->arena};
  if (!path) return NULL;
  text_string(&string, path);
  return string.data;
}

static void name_used(struct editor *e, const struct file *file, const struct decl *decl) {
  const char *path = path_used(e, file, decl);
  if (path) edit(e, decl->use.path ? decl->use.path_span : decl->name.span, path);
}

/* Params of a used file that a later text gives, too: the last one holds. */
static void take_out_presets(struct editor *e, const struct file *file, const struct decl *use) {
  bool some = false;
  for (const struct decl *preset = use->use.presets; preset; preset = preset->next)
    some |= !preset->symbol || preset->symbol->preset == preset;
  if (!some && use->use.presets) take_out(e, file, use);
  for (const struct decl *preset = use->use.presets; some && preset; preset = preset->next)
    if (preset->symbol && preset->symbol->preset != preset) edit(e, preset->span, "");
}

/* Does the text itself say what is set: as the default of its own param, or as what it gives to one that it uses? */
static bool says_setting(const struct model *model, const struct symbol *param) {
  if (model_owns(model, param->file)) return true;
  return param->preset && model_owns(model, source_of(model->sources, param->preset->span.begin));
}

/* The first `use` of the text that has the file and gives it nothing: it can give what is set. NULL: there is none. */
static const struct decl *plain_use(const struct model *model, const struct source *used) {
  for (uint32_t i = 0; i < model->own_count; i++)
    for (const struct decl *use = model->files[i]->decls; use; use = use->next)
      if (use->kind == DECL_USE && !use->use.presets && use->use.file && use->use.file->source == used) return use;
  return NULL;
}

/* `param p = 3;` for each param of the used file that is set and that the text does not give yet. */
static void put_presets(struct editor *e, const struct source *used, struct text *out) {
  const struct model *model = &e->psl->model;
  for (uint32_t i = 0; i < model->param_count; i++) {
    const struct symbol *param = model->params[i];
    if (param->file != used || !param->setting || says_setting(model, param)) continue;
    text_printf(out, "param %s = ", param->name->text);
    expr_format(out, param->setting);
    text_put(out, "; ");
  }
}

static void give_presets(struct editor *e, const struct decl *use) {
  struct text presets = {.arena = e->arena};
  const struct source *used = use->use.file ? use->use.file->source : NULL;
  if (!used || plain_use(&e->psl->model, used) != use) return;
  put_presets(e, used, &presets);
  uint32_t named = use->use.path ? use->use.path_span.end : use->name.span.end;
  if (presets.size) edit(e, (struct span){named, use->span.end}, arena_printf(e->arena, " { %s}", presets.data));
}

static int by_begin(const void *a, const void *b) {
  const struct edit *x = a, *y = b;
  return x->span.begin < y->span.begin ? -1 : x->span.begin > y->span.begin;
}

/* What was set takes the place of what a declaration gives. */
static void give_setting(struct editor *e, const struct symbol *param, const struct decl *decl) {
  struct text value = {.arena = e->arena};
  if (!param->setting) return;
  expr_format(&value, param->setting);
  edit(e, decl->value.value->span, value.data);
}

static void put_file(struct editor *e, const struct file *file, struct text *out) {
  const struct source *source = file->source;
  uint32_t at = source->base, end = source->base + source->size;
  e->count = 0;
  for (const struct decl *decl = file->replaced; decl; decl = decl->next)
    edit(e, whole_span(e->psl, file, decl), decl->instead ? text_of(e, decl->instead) : "");
  for (const struct decl *decl = file->decls; decl; decl = decl->next) {
    if (decl->stands) take_out(e, file, decl);
    if (decl->kind == DECL_PARAM && decl->symbol) give_setting(e, decl->symbol, decl);
    if (decl->kind != DECL_USE) continue;
    name_used(e, file, decl);
    take_out_presets(e, file, decl);
    give_presets(e, decl);
    for (const struct decl *preset = decl->use.presets; preset; preset = preset->next)
      if (preset->symbol && preset->symbol->preset == preset) give_setting(e, preset->symbol, preset);
  }
  if (e->count) qsort(e->edits, e->count, sizeof *e->edits, by_begin);
  for (uint32_t i = 0; i < e->count; i++) {
    if (e->edits[i].span.begin < at) continue; /* in what is out already */
    text_put_n(out, source->text + (at - source->base), e->edits[i].span.begin - at);
    text_put(out, e->edits[i].text);
    at = e->edits[i].span.end;
  }
  text_put_n(out, source->text + (at - source->base), end - at);
  text_char(out, '\n');
}

static void put_name_used(struct editor *e, const struct source *used, struct text *out) {
  const struct model *model = &e->psl->model;
  for (uint32_t i = 0; i < model->file_count; i++)
    for (const struct decl *use = model->files[i]->decls; use; use = use->next) {
      if (use->kind != DECL_USE || !use->use.file || use->use.file->source != used) continue;
      const char *path = path_used(e, model->files[i], use);
      if (path)
        text_put(out, path);
      else if (use->use.path)
        text_string(out, use->use.path);
      else
        text_put(out, use->name.name->text);
      return;
    }
  text_line(out, used->name);
}

/* What is set of files that the text uses through others, or gives other params already. */
static void put_settings(struct editor *e, struct text *out) {
  const struct model *model = &e->psl->model;
  for (uint32_t f = model->own_count; f < model->file_count; f++) {
    const struct source *used = model->files[f]->source;
    struct text presets = {.arena = e->arena};
    if (plain_use(model, used)) continue;
    put_presets(e, used, &presets);
    if (!presets.size) continue;
    text_put(out, "use ");
    put_name_used(e, used, out);
    text_printf(out, " { %s}\n", presets.data);
  }
}

static bool has_parts(const struct file *file) {
  for (const struct decl *decl = file->decls; decl; decl = decl->next)
    if (decl->kind == DECL_COMPONENT && decl->component.unnamed) return true;
  return false;
}

static void format(struct psl *psl, const struct text *text, struct text *out) {
  struct sources sources = {.arena = &psl->work, .end = 1};
  struct names names;
  names_open(&names, &psl->work);
  const struct source *source = source_add(&sources, "session", text->data, text->size);
  psl->diagnostics.sources = &sources;
  const struct file *file = parse_file(&psl->work, &names, &psl->diagnostics, source);
  diagnostic_flush(&psl->diagnostics);
  psl->diagnostics.sources = &psl->sources;
  if (file->broken)
    text_put_n(out, text->data, text->size);
  else
    ast_format(out, file);
}

struct text_given {
  const char *folder;
  psl_write *write;
  void *user;
};

static enum psl_code work_text(struct psl *psl, void *arguments) {
  const struct text_given *given = arguments;
  struct editor editor = {.psl = psl, .arena = &psl->work, .folder = given->folder ? given->folder : "."};
  struct text text = {.arena = &psl->work};
  struct output out;
  session_activate(psl);
  if (!handle_model(psl) || !model_refresh(&psl->model)) return PSL_WRONG;
  const struct model *model = &psl->model;
  put_settings(&editor, &text);
  for (int parts = 0; parts < 2; parts++) /* what ends in clauses of a component without a name stands last */
    for (uint32_t i = 0; i < model->own_count; i++)
      if (has_parts(model->files[i]) == parts) put_file(&editor, model->files[i], &text);
  output_open(&out, &psl->work, given->write, given->user);
  out.source = true;
  format(psl, &text, &out.text);
  output_close(&out);
  return PSL_OK;
}

enum psl_code psl_session_text(struct psl *psl, const char *folder, psl_write *write, void *user) {
  return handle_enter(psl, work_text, &(struct text_given){folder, write, user});
}

/* ---- one declaration ---- */

struct wanted_declaration {
  const char *name;
  psl_write *write;
  void *user;
};

static void unknown_declaration(struct psl *psl, const char *name) {
  const struct model *model = &psl->model;
  const char **names = NULL;
  uint32_t count = 0, capacity = 0;
  for (uint32_t i = 0; i < model->own_count; i++)
    for (const struct decl *decl = model->files[i]->decls; decl; decl = decl->next)
      if (decl->name.name) ARENA_PUSH(&psl->work, names, count, capacity, decl->name.name->text);
  const char *nearest = nearest_name(name, names, count);
  diagnostic_add(&psl->diagnostics, SEVERITY_ERROR, (struct span){0}, "the session declares no '%s'", name);
  if (nearest) diagnostic_help(&psl->diagnostics, (struct span){0}, "did you mean '%s'?", nearest);
}

/* Of several the newest. */
static enum psl_code work_declaration(struct psl *psl, void *arguments) {
  const struct wanted_declaration *wanted = arguments;
  const struct decl *found = NULL;
  const struct file *file = NULL;
  struct output out;
  session_activate(psl);
  if (!handle_model(psl)) return PSL_WRONG;
  const struct model *model = &psl->model;
  for (uint32_t i = 0; i < model->own_count; i++)
    for (const struct decl *decl = model->files[i]->decls; decl; decl = decl->next) {
      if (!decl->name.name || strcmp(decl->name.name->text, wanted->name) != 0) continue;
      found = decl;
      file = model->files[i];
    }
  if (!found) {
    unknown_declaration(psl, wanted->name);
    return PSL_WRONG;
  }
  struct span span = whole_span(psl, file, found);
  output_open(&out, &psl->work, wanted->write, wanted->user);
  out.source = true;
  text_put_n(&out.text, file->source->text + (span.begin - file->source->base), span.end - span.begin);
  output_close(&out);
  return PSL_OK;
}

enum psl_code psl_declaration(struct psl *psl, const char *name, psl_write *write, void *user) {
  return handle_enter(psl, work_declaration, &(struct wanted_declaration){name, write, user});
}
