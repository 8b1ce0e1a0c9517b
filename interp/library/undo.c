/* Steps of a session that can be taken back, and made again: before each change the caller sets a mark, which keeps
 * what the session is made of, its texts and settings. Most changes add a text to those that are there: a mark then
 * holds how many they were, and gets a copy of its own only when they are about to be moved. What is taken back is kept
 * as it was, until the session has changed in another way. */
#include "interp/library/handle.h"

#include <string.h>

static void drop(struct session_step *step) {
  arena_close(&step->arena);
  *step = (struct session_step){.arena = step->arena};
}

void session_drop_steps(struct session *session) {
  for (uint32_t i = 0; i < SESSION_STEPS; i++)
    drop(&session->steps[i]);
  for (uint32_t i = 0; i < SESSION_STEPS; i++)
    drop(&session->undone[i]);
  drop(&session->returned);
  session->step_count = session->undone_count = 0;
}

static void keep_texts(struct session *session, struct session_step *step) {
  if (step->texts) return;
  struct session_text *texts = ARENA_ARRAY(&step->arena, struct session_text, step->text_count + 1);
  if (step->text_count) memcpy(texts, session->texts, step->text_count * sizeof *texts);
  step->texts = texts;
}

void session_keep_steps(struct session *session) {
  for (uint32_t i = 0; i < session->step_count; i++)
    keep_texts(session, &session->steps[i]);
}

static void keep_settings(struct arena *arena, const struct session *session, struct session_setting **settings,
                          uint32_t *count) {
  *settings = ARENA_ARRAY(arena, struct session_setting, session->setting_count + 1);
  if (session->setting_count) memcpy(*settings, session->settings, session->setting_count * sizeof **settings);
  *count = session->setting_count;
}

/* What the session is made of now. */
static void keep(struct psl *psl, struct session_step *step, const char *what) {
  struct session *session = &psl->session;
  drop(step); /* of one that had no memory */
  arena_open(&step->arena, &psl->memory);
  step->what = arena_copy(&step->arena, what, strlen(what));
  step->text_count = session->text_count;
  keep_settings(&step->arena, session, &step->settings, &step->setting_count);
  step->cache = session->cache;
  step->runs = session->runs;
  step->changed = session->changed;
}

/* A step begins: the settings are still those of the last run, without those of its command. */
static void keep_settings_of_last(struct session *session) {
  if (session->last && !session->last_settings)
    keep_settings(&session->last_arena, session, &session->last_settings, &session->last_setting_count);
}

static void push_step(struct psl *psl, const char *what) {
  struct session *session = &psl->session;
  if (session->step_count == SESSION_STEPS) {
    struct session_step oldest = session->steps[0];
    drop(&oldest);
    memmove(session->steps, session->steps + 1, (SESSION_STEPS - 1) * sizeof *session->steps);
    session->steps[SESSION_STEPS - 1] = oldest;
    session->step_count--;
  }
  keep(psl, &session->steps[session->step_count], what);
  session->step_count++;
}

static enum psl_code work_mark(struct psl *psl, void *arguments) {
  session_activate(psl);
  keep_settings_of_last(&psl->session);
  push_step(psl, arguments);
  return PSL_OK;
}

enum psl_code psl_mark(struct psl *psl, const char *what) { return handle_enter(psl, work_mark, (void *)what); }

bool session_same_settings(const struct session *session, const struct session_setting *settings, uint32_t count) {
  if (session->setting_count != count) return false;
  for (uint32_t i = 0; i < count; i++)
    if (strcmp(session->settings[i].name, settings[i].name) != 0 ||
        strcmp(session->settings[i].expression, settings[i].expression) != 0)
      return false;
  return true;
}

static bool same_texts(const struct session *session, const struct session_step *step) {
  if (session->text_count != step->text_count) return false;
  for (uint32_t i = 0; step->texts && i < step->text_count; i++)
    if (session->texts[i].name != step->texts[i].name || session->texts[i].text != step->texts[i].text) return false;
  return true;
}

static bool same_step(const struct session *session, const struct session_step *step) {
  return same_texts(session, step) && session_same_settings(session, step->settings, step->setting_count);
}

/* The session becomes what it was then; where it goes on again from is noted. */
static bool go_to(struct psl *psl, struct session_step *step, const char **what) {
  struct session *session = &psl->session;
  bool texts = !same_texts(session, step);
  if (!session_return(psl, step)) return false;
  session->changed = step->runs == session->runs ? step->changed : session->changed || texts;
  *what = arena_copy(&psl->handed, step->what, strlen(step->what));
  drop(step);
  keep(psl, &session->returned, *what);
  keep_texts(session, &session->returned);
  return true;
}

static void drop_undone(struct session *session) {
  while (session->undone_count)
    drop(&session->undone[--session->undone_count]);
}

static enum psl_code work_undo(struct psl *psl, void *arguments) {
  struct session *session = &psl->session;
  session_activate(psl);
  psl->memory.breakable = true;
  keep_settings_of_last(session);
  if (session->undone_count && !same_step(session, &session->returned)) drop_undone(session);
  while (session->step_count && same_step(session, &session->steps[session->step_count - 1]))
    drop(&session->steps[--session->step_count]);
  if (!session->step_count) return PSL_OK;
  struct session_step *step = &session->steps[session->step_count - 1];
  struct session_step *undone = session->undone_count < SESSION_STEPS ? &session->undone[session->undone_count] : NULL;
  if (undone) {
    keep(psl, undone, step->what);
    keep_texts(session, undone);
  }
  if (!go_to(psl, step, arguments)) return PSL_WRONG;
  session->step_count--;
  session->undone_count += undone != NULL;
  return PSL_OK;
}

enum psl_code psl_undo(struct psl *psl, const char **what) {
  *what = NULL;
  return handle_enter(psl, work_undo, what);
}

static enum psl_code work_redo(struct psl *psl, void *arguments) {
  struct session *session = &psl->session;
  session_activate(psl);
  psl->memory.breakable = true;
  keep_settings_of_last(session);
  if (session->undone_count && !same_step(session, &session->returned)) drop_undone(session);
  if (!session->undone_count) return PSL_OK;
  struct session_step *undone = &session->undone[session->undone_count - 1];
  push_step(psl, undone->what);
  session_keep_steps(session);
  if (!go_to(psl, undone, arguments)) return PSL_WRONG;
  session->undone_count--;
  return PSL_OK;
}

enum psl_code psl_redo(struct psl *psl, const char **what) {
  *what = NULL;
  return handle_enter(psl, work_redo, what);
}
