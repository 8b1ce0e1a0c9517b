/* Sessions: a model that grows by declarations, each checked with all the others before it takes its place.
 *
 * A session is a list of texts: a file that was loaded, then what was declared, input by input. The model is made of
 * all of them anew with each declaration that can change what another one means, beside the one in hand, which stays
 * where the new one is wrong; others are added to it (extend.c). What was lost (for want of memory) is made again from
 * the texts. */
#include "interp/check/load.h"
#include "interp/library/handle.h"

#include <string.h>

void session_open(struct psl *psl) {
  arena_open(&psl->session.arena, &psl->memory);
  arena_open(&psl->session.last_arena, &psl->memory);
  arena_open(&psl->session.answer_arena, &psl->memory);
  psl->session.cache.arena = &psl->session.arena;
}

static void forget(struct psl *psl) {
  arena_close(&psl->session.arena);
  arena_close(&psl->session.last_arena);
  arena_close(&psl->session.answer_arena);
  session_drop_steps(&psl->session);
  memset(&psl->session, 0, sizeof psl->session);
  session_open(psl);
}

void session_close(struct psl *psl) { forget(psl); }

static const char *copy_text(struct arena *arena, const char *text) {
  return text ? arena_copy(arena, text, strlen(text)) : NULL;
}

static void add_text(struct session *session, struct session_text text) {
  text.name = copy_text(&session->arena, text.name);
  if (text.text) text.text = arena_copy(&session->arena, text.text, text.size);
  ARENA_PUSH(&session->arena, session->texts, session->text_count, session->text_capacity, text);
}

/* What is loaded begins it. */
void session_activate(struct psl *psl) {
  struct session *session = &psl->session;
  if (session->active) return;
  session->active = true;
  if (!psl->has_model) return;
  psl->model.loading->options.session = true;
  const struct source *source = psl->model.files[0]->source;
  struct session_text text = {source->path, psl->of_file ? NULL : source->text, source->size, 0};
  add_text(session, text);
  for (uint32_t i = 0; i < psl->model.param_count; i++) {
    const struct symbol *param = psl->model.params[i];
    struct text expression = {.arena = &psl->work};
    if (!param->setting) continue;
    expr_format(&expression, param->setting);
    session_note_setting(psl, arena_printf(&psl->work, "%s.%s", param->file->name, param->name->text), expression.data);
  }
}

void session_begin(struct psl *psl, const char *name, const char *text, size_t size) {
  psl->of_file = !text;
  if (!psl->session.active) return;
  forget(psl);
  psl->session.active = true;
  add_text(&psl->session, (struct session_text){.name = name, .text = text, .size = size});
}

/* ---- making the model ---- */

static void put_aside(struct psl *psl) {
  psl->before = (struct loaded){psl->loaded, psl->code, psl->sources, psl->names, psl->model, psl->has_model};
  arena_open(&psl->loaded, &psl->memory);
  arena_open(&psl->code, &psl->memory);
  arena_close(&psl->kept); /* of the model put aside */
  psl->reuse = NULL;
  psl->has_model = false;
  handle_prepare(psl);
}

static void take_back(struct psl *psl) {
  handle_drop_model(psl);
  psl->loaded = psl->before.arena;
  psl->code = psl->before.code;
  psl->sources = psl->before.sources;
  psl->names = psl->before.names;
  psl->model = psl->before.model;
  psl->has_model = psl->before.has_model;
  psl->before = (struct loaded){0};
  arena_open(&psl->before.arena, &psl->memory);
  arena_open(&psl->before.code, &psl->memory);
}

static bool names_param(const struct symbol *param, const char *name) {
  const char *point = strrchr(name, '.');
  if (strcmp(param->name->text, point ? point + 1 : name)) return false;
  return !point || (strlen(param->file->name) == (size_t)(point - name) &&
                    !memcmp(param->file->name, name, (size_t)(point - name)));
}

/* A setting holds as long as its param is there and was not declared anew by the newest text. */
static bool holds(struct psl *psl, const struct session_setting *setting, bool declared) {
  const struct model *model = &psl->model;
  for (uint32_t i = 0; i < model->param_count; i++) {
    const struct symbol *param = model->params[i];
    if (!names_param(param, setting->name)) continue;
    return !declared || param->file != model->files[model->own_count - 1]->source;
  }
  return false;
}

/* declared: the last text has just come. */
static bool set_params(struct psl *psl, bool declared) {
  struct session *session = &psl->session;
  bool good = true;
  for (uint32_t i = 0; good && i < session->setting_count; i++)
    if (holds(psl, &session->settings[i], declared))
      good = model_set(&psl->model, session->settings[i].name, session->settings[i].expression);
  return good;
}

/* The model of the texts, where psl->loaded is empty. */
static bool make(struct psl *psl, const struct session_text *texts, uint32_t count, bool declared) {
  struct load_text *given = ARENA_ARRAY(&psl->work, struct load_text, count + 1);
  for (uint32_t i = 0; i < count; i++)
    given[i] = (struct load_text){texts[i].name, texts[i].text, texts[i].size, texts[i].lines_before};
  if (!count) given[count++] = (struct load_text){.name = "session", .text = ""};
  struct load_options options = handle_load_options(psl);
  options.cache = &psl->session.cache;
  options.last = psl->session.last;
  options.answer = psl->session.answer;
  psl->session.questions = 0;
  psl->has_model = model_load_session(&psl->model, given, count, &options) && set_params(psl, declared);
  return psl->has_model;
}

/* Makes the model of the texts and lets it take the place of the one in hand; if it is wrong that one stays. */
static bool replace(struct psl *psl, const struct session_text *texts, uint32_t count, bool declared) {
  put_aside(psl);
  bool good = make(psl, texts, count, declared);
  diagnostic_flush(&psl->diagnostics);
  if (!good) {
    take_back(psl);
    return false;
  }
  handle_drop_results(psl);
  arena_close(&psl->handed);
  handle_drop_before(psl);
  return true;
}

bool session_restore(struct psl *psl) {
  handle_drop_model(psl);
  handle_prepare(psl);
  return make(psl, psl->session.texts, psl->session.text_count, false);
}

/* ---- declarations ---- */

struct declared {
  const char *name;
  unsigned line;
  const char *text;
  size_t size;
};

/* Is it the place of a component that was declared anew? */
static bool holds_place(const struct file *file) {
  for (const struct decl *decl = file->replaced; decl; decl = decl->next)
    if (decl->instead) return true;
  return false;
}

/* Texts of which nothing is left, since all was declared anew, are dropped; settings that hold no longer, too. */
static void tidy(struct psl *psl) {
  struct session *session = &psl->session;
  uint32_t kept = 0;
  session_keep_steps(session);
  for (uint32_t i = 0; i < session->text_count; i++) {
    const struct file *file = psl->model.files[i];
    bool empty = session->texts[i].text && !file->decls && !holds_place(file);
    if (!empty) session->texts[kept++] = session->texts[i];
  }
  session->text_count = kept;
  kept = 0;
  for (uint32_t i = 0; i < session->setting_count; i++)
    if (holds(psl, &session->settings[i], true)) session->settings[kept++] = session->settings[i];
  session->setting_count = kept;
}

static struct session_text *texts_and(struct psl *psl, struct session_text text) {
  const struct session *session = &psl->session;
  struct session_text *texts = ARENA_ARRAY(&psl->work, struct session_text, session->text_count + 1);
  if (session->text_count) memcpy(texts, session->texts, session->text_count * sizeof *texts);
  texts[session->text_count] = text;
  return texts;
}

/* Most declarations leave all that was there as it is: then a session costs the time of what is declared, not that of
 * the model each time. */
static bool extend(struct psl *psl, const struct session_text *text) {
  if (!psl->has_model) return false;
  if (!model_extend(&psl->model, &(struct load_text){text->name, text->text, text->size, text->lines_before}))
    return false;
  arena_close(&psl->kept); /* of runs without it */
  psl->reuse = NULL;
  handle_drop_results(psl);
  arena_close(&psl->handed);
  return true;
}

/* Of the first texts. */
static uint32_t declarations(const struct psl *psl, uint32_t texts) {
  uint32_t count = 0;
  for (uint32_t i = 0; psl->has_model && i < texts; i++)
    for (const struct decl *decl = psl->model.files[i]->decls; decl; decl = decl->next)
      count++;
  return count;
}

/* What else is declared can only be named. */
static bool can_change_runs(const struct file *file) {
  for (const struct decl *decl = file->decls; decl; decl = decl->next)
    if (decl->kind != DECL_LET && decl->kind != DECL_FUNCTION && decl->kind != DECL_STUDY && decl->kind != DECL_PARAM &&
        decl->kind != DECL_UNIT && decl->kind != DECL_ASSERT)
      return true;
  return false;
}

static enum psl_code work_declare(struct psl *psl, void *arguments) {
  const struct declared *given = arguments;
  struct session *session = &psl->session;
  session_activate(psl);
  psl->memory.breakable = true;
  struct session_text text = {given->name, given->text, given->size, given->line ? given->line - 1 : 0};
  if (extend(psl, &text)) {
    add_text(session, text);
    return PSL_OK;
  }
  uint32_t before = declarations(psl, session->text_count);
  if (!replace(psl, texts_and(psl, text), session->text_count + 1, true)) return PSL_WRONG;
  session->changed |=
      declarations(psl, session->text_count) < before || can_change_runs(psl->model.files[session->text_count]);
  const struct source *source = psl->model.files[session->text_count]->source;
  const char *without = model_without_last(&psl->model, &psl->work, source);
  if (without) {
    text.text = without;
    text.size = strlen(without);
    if (!replace(psl, texts_and(psl, text), session->text_count + 1, true)) return PSL_WRONG;
  }
  add_text(session, text);
  tidy(psl);
  return PSL_OK;
}

enum psl_code psl_declare(struct psl *psl, const char *name, unsigned line, const char *text, size_t size) {
  return handle_enter(psl, work_declare, &(struct declared){name, line, text, size});
}

static void take_texts(struct session *session, const struct session_text *texts, uint32_t count) {
  session->texts = ARENA_ARRAY(&session->arena, struct session_text, count + 1);
  if (count) memcpy(session->texts, texts, count * sizeof *texts);
  session->text_count = session->text_capacity = count;
}

static void take_settings(struct session *session, const struct session_setting *settings, uint32_t count) {
  session->settings = ARENA_ARRAY(&session->arena, struct session_setting, count + 1);
  if (count) memcpy(session->settings, settings, count * sizeof *settings);
  session->setting_count = session->setting_capacity = count;
}

/* The file that was loaded stands first. */
static const char *loaded(const struct session_text *texts, uint32_t count) {
  return count && !texts[0].text ? texts[0].name : NULL;
}

bool session_return(struct psl *psl, const struct session_step *step) {
  struct session *session = &psl->session, before = *session;
  const struct session_text *texts = step->texts ? step->texts : session->texts;
  bool file = loaded(texts, step->text_count) != loaded(session->texts, session->text_count);
  take_settings(session, step->settings, step->setting_count);
  if (file) session->cache = step->cache;
  if (!replace(psl, texts, step->text_count, false)) {
    session->settings = before.settings;
    session->setting_count = before.setting_count;
    session->setting_capacity = before.setting_capacity;
    session->cache = before.cache;
    return false;
  }
  take_texts(session, texts, step->text_count);
  return true;
}

/* ---- files ---- */

/* The loaded file stands before all that was declared. */
static enum psl_code work_open_file(struct psl *psl, void *arguments) {
  struct session *session = &psl->session;
  session_activate(psl);
  psl->memory.breakable = true;
  struct text_cache before = session->cache;
  session->cache = (struct text_cache){.arena = &session->arena};
  struct session_text *texts = ARENA_ARRAY(&psl->work, struct session_text, session->text_count + 1);
  uint32_t count = 0;
  texts[count++] = (struct session_text){.name = copy_text(&session->arena, arguments)};
  for (uint32_t i = 0; i < session->text_count; i++)
    if (session->texts[i].text) texts[count++] = session->texts[i];
  if (!replace(psl, texts, count, false)) {
    session->cache = before;
    return PSL_WRONG;
  }
  session_keep_steps(session);
  take_texts(session, texts, count);
  session->changed = true;
  return PSL_OK;
}

enum psl_code psl_open_file(struct psl *psl, const char *path) {
  return handle_enter(psl, work_open_file, (void *)path);
}

static enum psl_code work_reload(struct psl *psl, void *arguments) {
  (void)arguments;
  struct session *session = &psl->session;
  session_activate(psl);
  psl->memory.breakable = true;
  struct text_cache before = session->cache;
  session->cache = (struct text_cache){.arena = &session->arena};
  session->changed = replace(psl, session->texts, session->text_count, false);
  if (!session->changed) session->cache = before;
  return session->changed ? PSL_OK : PSL_WRONG;
}

enum psl_code psl_reload(struct psl *psl) { return handle_enter(psl, work_reload, NULL); }

static enum psl_code work_clear(struct psl *psl, void *arguments) {
  (void)arguments;
  handle_drop_results(psl);
  arena_close(&psl->handed);
  forget(psl);
  psl->session.active = true;
  return session_restore(psl) ? PSL_OK : PSL_WRONG;
}

enum psl_code psl_clear(struct psl *psl) { return handle_enter(psl, work_clear, NULL); }

/* ---- settings, warnings ---- */

void session_note_setting(struct psl *psl, const char *name, const char *expression) {
  struct session *session = &psl->session;
  const struct symbol *param = NULL;
  uint32_t kept = 0;
  if (!session->active) return;
  for (uint32_t i = 0; !param && i < psl->model.param_count; i++)
    if (names_param(psl->model.params[i], name)) param = psl->model.params[i];
  for (uint32_t i = 0; i < session->setting_count; i++)
    if (!param || !names_param(param, session->settings[i].name)) session->settings[kept++] = session->settings[i];
  session->setting_count = kept;
  if (!expression) return;
  struct session_setting setting = {copy_text(&session->arena, name), copy_text(&session->arena, expression)};
  ARENA_PUSH(&session->arena, session->settings, session->setting_count, session->setting_capacity, setting);
}

/* A warning is said once: the model is made anew with each declaration. */
bool session_said(struct psl *psl, const struct diagnostic *warning) {
  struct session *session = &psl->session;
  if (!session->active) return false;
  struct place place = source_place(&psl->sources, warning->span.begin);
  uint64_t hash = 14695981039346656037u ^ place.line;
  const char *path = place.source ? place.source->path : "";
  for (const char *c = path; *c; c++)
    hash = (hash ^ (unsigned char)*c) * 1099511628211u;
  for (const char *c = warning->text; *c; c++)
    hash = (hash ^ (unsigned char)*c) * 1099511628211u;
  for (uint32_t i = 0; i < session->warned_count; i++)
    if (session->warned[i] == hash) return true;
  ARENA_PUSH(&session->arena, session->warned, session->warned_count, session->warned_capacity, hash);
  return false;
}
