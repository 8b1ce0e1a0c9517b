/* Declarations added to a checked model, in a time that does not grow with it: lets, params, functions and
 * transactions whose names stand nowhere in it, so that nothing that was checked can mean anything else with
 * them. Called by session.c, which makes the model anew where this is not enough. */
#include "interp/check/checker.h"
#include "interp/check/load.h"
#include "interp/evaluate/memo.h"
#include "interp/evaluate/reached.h"

#include <string.h>

/* Kept with the model: where memory runs out there is nothing on the stack to be given back. */
struct mute {
  struct diagnostics diagnostics;
  struct arena_deferred deferred;
};

static void close_mute(void *user) { arena_close(&((struct mute *)user)->diagnostics.arena); }

static struct diagnostics *mute_of(struct checker *c) {
  if (!c->mute) {
    struct mute *mute = c->mute = ARENA_NEW(c->arena, struct mute);
    mute->diagnostics.sources = c->model->sources;
    arena_open(&mute->diagnostics.arena, c->arena->memory);
    mute->deferred = (struct arena_deferred){.run = close_mute, .user = mute};
    arena_defer(c->arena, &mute->deferred);
  }
  c->mute->diagnostics.errors = c->mute->diagnostics.warnings = 0;
  return &c->mute->diagnostics;
}

/* How much there was: all that a declaration adds stands behind it. */
struct mark {
  uint32_t names, params, lets, functions, transactions, passings, last_uses;
  uint32_t symbols[SPACES];
};

static struct mark mark_of(const struct checker *c) {
  const struct model *m = c->model;
  struct mark mark = {
      .names = m->names->count,
      .params = m->param_count,
      .lets = m->let_count,
      .functions = m->function_count,
      .transactions = m->transaction_count,
      .passings = m->passing_count,
      .last_uses = c->last_use_count,
  };
  for (int s = 0; s < SPACES; s++)
    mark.symbols[s] = c->tables[s].count;
  return mark;
}

static void go_back(struct checker *c, const struct mark *mark) {
  struct model *m = c->model;
  for (int s = 0; s < SPACES; s++) {
    struct table *table = &c->tables[s];
    while (table->count > mark->symbols[s])
      table->by_id[table->items[--table->count]->name->id] = 0;
  }
  m->param_count = mark->params;
  m->let_count = mark->lets;
  m->function_count = mark->functions;
  m->transaction_count = mark->transactions;
  m->passing_count = mark->passings;
  c->last_use_count = mark->last_uses;
}

/* The names of the file's declarations are new ones, each declared once: no error of names can come of them.
 */
static bool is_new(const struct file *file, uint32_t names) {
  for (const struct decl *decl = file->decls; decl; decl = decl->next) {
    const struct name *name = decl->kind == DECL_LET || decl->kind == DECL_PARAM ? decl->name.name
                              : decl->kind == DECL_FUNCTION                      ? decl->function.signature.name.name
                              : decl->kind == DECL_TRANSACTION                   ? decl->transaction.name.name
                                                                                 : NULL;
    if (!name || name->id <= names) return false;
  }
  return !file->broken && file->decls;
}

static void check_added(struct checker *c, const struct file *file, const struct mark *mark) {
  struct model *m = c->model;
  for (struct decl *decl = file->decls; decl; decl = decl->next)
    declare_one(c, decl, file->source);
  for (uint32_t i = mark->transactions; i < m->transaction_count; i++)
    transaction_check(c, m->transactions[i]);
  functions_added(c);
  for (uint32_t i = mark->functions; i < m->function_count; i++)
    function_open(c, m->functions[i]);
  for (uint32_t i = mark->params; i < m->param_count; i++)
    symbol_type(c, m->params[i], m->params[i]->span);
  for (uint32_t i = mark->lets; i < m->let_count; i++)
    symbol_type(c, m->lets[i], m->lets[i]->span);
  for (uint32_t i = mark->functions; i < m->function_count; i++)
    function_check(c, m->functions[i]);
  functions_recursive(c, mark->functions);
}

/* It takes its place behind the other files of the session, before those that they use. */
static void add_file(struct model *m, struct file *file) {
  struct model_loading *l = m->loading;
  struct loaded_file *loaded = ARENA_NEW(m->arena, struct loaded_file);
  uint32_t place = m->own_count++, behind = m->file_count - place;
  *loaded =
      (struct loaded_file){.file = file, .identity = file->source->path, .path = file->source->path, .place = place};
  ARENA_PUSH(m->arena, m->files, m->file_count, l->file_capacity, file);
  ARENA_PUSH(m->arena, l->files, l->count, l->capacity, loaded);
  memmove(m->files + place + 1, m->files + place, behind * sizeof *m->files);
  memmove(l->files + place + 1, l->files + place, behind * sizeof *l->files);
  m->files[place] = file;
  l->files[place] = loaded;
  for (uint32_t i = place + 1; i < l->count; i++)
    l->files[i]->place = i;
}

bool model_extend(struct model *m, const struct load_text *text) {
  struct checker *c = m->loading->checker;
  struct diagnostics *said = m->diagnostics, *mute = mute_of(c);
  struct mark mark = mark_of(c);
  struct source *source = source_add(m->sources, text->name, text->text, text->size);
  if (!source || m->loading->stale) return false;
  source->lines_before = text->lines_before;
  m->diagnostics = c->d = mute;
  struct file *file = parse_file(m->arena, m->names, mute, source);
  bool good = is_new(file, mark.names);
  if (good) check_added(c, file, &mark);
  diagnostic_flush(mute);
  m->diagnostics = c->d = said;
  good &= !mute->errors && !mute->warnings && c->last_use_count == mark.last_uses;
  if (!good) {
    go_back(c, &mark);
    return false;
  }
  add_file(m, file);
  declare_file(c, source);
  reached_extend(m);
  if (m->function_count > mark.functions) { /* what is compiled is made when it is next wanted */
    memo_extend(m);
    m->compiled = NULL;
    if (m->code) arena_reset(m->code);
  }
  return true;
}
