/* What the files of PSL's own library would bring that a model does not use: where a name is unknown, or a value does
 * not fit, the message says which one to use. */
#include "interp/check/checker.h"
#include "interp/check/load.h"

static bool declares(const struct decl *decl, enum space space, const struct name *name) {
  switch (decl->kind) {
  case DECL_PARAM:
  case DECL_LET: return space == SPACE_VALUE && decl->name.name == name;
  case DECL_FUNCTION: return space == SPACE_VALUE && decl->name.name == name;
  case DECL_TRANSACTION: return space == SPACE_TRANSACTION && decl->name.name == name;
  case DECL_PROTOCOL: return space == SPACE_PROTOCOL && decl->name.name->folded == name;
  case DECL_COMPONENT: return space == SPACE_COMPONENT && decl->name.name == name;
  default: return false;
  }
}

/* What to do for a file of the library: one of its name beside the model is meant before it. */
static const char *how_to_use(struct checker *c, const char *name) {
  const char *hidden = library_hidden(c->model, name);
  return hidden ? arena_printf(c->arena, "give %s, which hides it, another name, then write use %s;", hidden, name)
                : arena_printf(c->arena, "write use %s;", name);
}

const char *library_file_of(struct checker *c, enum space space, const struct name *name) {
  const struct shelved_file *shelf;
  uint32_t count = library_shelf(c->model, &shelf);
  for (uint32_t i = 0; i < count; i++)
    for (const struct decl *decl = shelf[i].file->decls; decl; decl = decl->next)
      if (declares(decl, space, name)) return shelf[i].name;
  return NULL;
}

bool check_library(struct checker *c, enum space space, const struct name *name) {
  const char *file = c->quiet ? NULL : library_file_of(c, space, name);
  if (file) check_help(c, (struct span){0, 0}, "'%s' is declared in the library: %s", name->text, how_to_use(c, file));
  return file;
}

bool check_near_library(struct checker *c, enum space space, const struct name *name) {
  const struct shelved_file *shelf;
  struct words_list list = {0};
  uint32_t count = c->quiet ? 0 : library_shelf(c->model, &shelf);
  for (uint32_t i = 0; i < count; i++)
    for (const struct decl *decl = shelf[i].file->decls; decl; decl = decl->next)
      if (decl->kind != DECL_PARAM && declares(decl, space, decl->name.name))
        words_add(c, &list, decl->name.name->text);
  const char *near = misspelt_name(name->text, list.items, list.count);
  if (near)
    check_help(c, (struct span){0, 0}, "the library declares '%s', which is near: %s", near,
               how_to_use(c, library_file_of(c, space, name_of(c->model->names, near))));
  return near;
}

bool check_coercions(struct checker *c, const struct type *from, const struct type *to) {
  const struct shelved_file *shelf;
  bool none = c->quiet || from->kind == TYPE_ERROR || coercion_leads(c, from, to); /* then no more coercions help */
  uint32_t count = none ? 0 : library_shelf(c->model, &shelf);
  for (uint32_t i = 0; i < count; i++)
    if (declarations_lead(c, shelf[i].file->decls, from, to)) {
      check_help(c, (struct span){0, 0}, "the library's coercions make one of the other: %s",
                 how_to_use(c, shelf[i].name));
      return true;
    }
  return false;
}

void check_coerced_units(struct checker *c, const struct model_transaction *transaction, const struct type *to) {
  const struct shelved_file *shelf;
  const char *units = c->quiet ? NULL : coercion_units(c, NULL, transaction, to);
  uint32_t count = c->quiet || units ? 0 : library_shelf(c->model, &shelf);
  if (units) check_help(c, (struct span){0, 0}, "or what coercions make that of: %s", units);
  for (uint32_t i = 0; i < count && !units; i++) {
    units = coercion_units(c, shelf[i].file->decls, transaction, to);
    if (units)
      check_help(c, (struct span){0, 0}, "or what the library's coercions make that of, %s: %s", units,
                 how_to_use(c, shelf[i].name));
  }
}
