/* `use NAME { param P = E; }`: a file gives values to the params of one that it uses.  They take the place of the
 * declared ones; those of the model's own file go before those of the files that it uses, and --set before all. */
#include "interp/check/checker.h"

#include <string.h>

static struct symbol *param_of(struct checker *c, const struct file *file, const struct name *name) {
  struct symbol *symbol = table_first(c, SPACE_VALUE, name);
  while (symbol && (symbol->kind != SYMBOL_PARAM || symbol->file != file->source))
    symbol = symbol->next;
  return symbol;
}

/* The file whose param it is, among those that the file uses; NULL: none has such a param. */
static const struct file *used_owner(const struct file *file, const struct name *name, struct checker *c) {
  for (const struct decl *use = file->decls; use; use = use->next)
    if (use->kind == DECL_USE && use->use.file && param_of(c, use->use.file, name)) return use->use.file;
  return NULL;
}

static void no_param(struct checker *c, const struct file *file, const struct ident *name) {
  struct words_list list = {0};
  for (uint32_t i = 0; i < c->model->param_count; i++)
    if (c->model->params[i]->file == file->source) words_add(c, &list, c->model->params[i]->name->text);
  check_error(c, name->span, "'%s' has no param '%s'", file->source->name, name->name->text);
  const struct file *owner = used_owner(file, name->name, c);
  if (owner)
    check_help(c, (struct span){0, 0}, "it is one of '%s', which '%s' uses: use %s { param %s = ...; }",
               owner->source->name, file->source->name, owner->source->name, name->name->text);
  else if (!check_figure(c, name->name->text, &list) && !check_meant(c, name->name->text, &list))
    check_machine(c, name->name->text);
}

enum turn {
  FIRST,
  LATER,
  USED
}; /* the model's own file; a later text of a session, which may say it again; a used one */

static void declare_preset(struct checker *c, const struct file *file, struct decl *preset, enum turn turn) {
  struct symbol *param = param_of(c, file, preset->name.name);
  bool of_own = param && param->preset && model_owns(c->model, source_of(c->model->sources, param->preset->span.begin));
  if (!param) {
    no_param(c, file, &preset->name);
  } else if (of_own && turn == USED) {
    preset->symbol = param;
  } else if (param->preset && turn != LATER) {
    check_error(c, preset->name.span, "the param '%s' of '%s' is given twice", param->name->text, file->source->name);
    check_note(c, param->preset->name.span, "first given here");
  } else {
    preset->symbol = param;
    param->preset = preset;
  }
}

/* A param or let of the model's own files that has the name of one of a file that they use, directly or by way of
 * others, is another one, and that goes on as it was: this may not be meant. `used`: by place. */
static void warn_apart(struct checker *c, const struct decl *decl, const bool *used) {
  const struct symbol *param = table_first(c, SPACE_VALUE, decl->name.name);
  while (param && (param->kind != SYMBOL_PARAM || !param->file || !used[file_place(c, param->file)]))
    param = param->next;
  if (!param || param->preset) return;
  const char *name = param->name->text, *owner = param->file->name;
  check_warning(c, decl->name.span, "this '%s' is another one than the param of '%s', which stays as it is", name,
                owner);
  check_note(c, param->span, "that is declared here");
  check_help(c, (struct span){0, 0}, "it is given a value by: use %s { param %s = ...; }", owner, name);
}

static void warn_all_apart(struct checker *c) {
  const struct model *m = c->model;
  bool *used = ARENA_ARRAY(c->arena, bool, m->file_count + 1);
  for (uint32_t i = 0; i < m->own_count; i++)
    for (uint32_t k = m->own_count; k < m->file_count; k++)
      used[k] |= file_reaches(c, m->files[i]->source, m->files[k]->source);
  for (uint32_t i = 0; i < m->own_count; i++)
    for (const struct decl *decl = m->files[i]->decls; decl; decl = decl->next)
      if (decl->kind == DECL_PARAM || decl->kind == DECL_LET) warn_apart(c, decl, used);
}

void declare_presets(struct checker *c) {
  struct model *m = c->model;
  for (uint32_t i = 0; i < m->file_count; i++)
    for (struct decl *use = m->files[i]->decls; use; use = use->next) {
      if (use->kind != DECL_USE || !use->use.presets) continue;
      if (!use->use.file) {
        check_error(c, use->use.presets->name.span, "an evaluator has no params");
        continue;
      }
      for (struct decl *preset = use->use.presets; preset; preset = preset->next)
        declare_preset(c, use->use.file, preset, i == 0 ? FIRST : i < m->own_count ? LATER : USED);
    }
  warn_all_apart(c);
}
