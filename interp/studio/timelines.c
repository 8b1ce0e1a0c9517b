/* What the page asks of runs that have kept what each process did when: who there is, pictures of windows of the time,
 * what their times come to, single slices, and why a process was where it was. */
#include "interp/studio/studio_server.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS_TOLD = 1000 };

/* ---- windows ---- */

static bool take_number(json_t *params, const char *name, double *number, struct refusal *refusal) {
  json_t *given = json_object_get(params, name);
  *number = json_number_value(given);
  if (json_is_number(given) && isfinite(*number)) return true;
  decline(refusal, 400, "the request has no number %s", name);
  return false;
}

static bool take_count(json_t *params, const char *name, uint32_t least, uint32_t most, uint32_t *count,
                       struct refusal *refusal) {
  json_t *given = json_object_get(params, name);
  json_int_t number = json_integer_value(given);
  if (!json_is_integer(given) || number < least || number > most) {
    decline(refusal, 400, "the request's %s is no number from %u to %u", name, least, most);
    return false;
  }
  *count = (uint32_t)number;
  return true;
}

static bool take_window(json_t *params, const struct slices *slices, struct slice_window *window,
                        struct refusal *refusal) {
  uint32_t rows = slices_header(slices)->rows;
  if (!take_number(params, "from", &window->from, refusal) || !take_number(params, "to", &window->to, refusal) ||
      !take_count(params, "first", 0, rows, &window->first, refusal) ||
      !take_count(params, "rows", 0, rows - window->first, &window->rows, refusal))
    return false;
  if (window->to > window->from && isfinite(window->to - window->from)) return true;
  decline(refusal, 400, "the window ends where it begins, or before");
  return false;
}

bool bytes_picture(struct studio *studio, json_t *params, struct chars *bytes, struct refusal *refusal) {
  struct slice_picture picture;
  struct slices *slices = job_slices(studio, params, refusal);
  bool good = slices && take_window(params, slices, &picture.window, refusal) &&
              take_count(params, "columns", 1, MOST_COLUMNS, &picture.columns, refusal) &&
              take_count(params, "group", 1, UINT32_MAX, &picture.group, refusal);
  if (good && picture.window.rows / picture.group >= MOST_CELLS / picture.columns) {
    decline(refusal, 400, "the picture has more than %d cells", MOST_CELLS);
    good = false;
  }
  if (good) slices_picture(slices, &picture, bytes);
  slices_drop(slices);
  return good;
}

/* ---- times ---- */

static json_t *class_times(const double time[3]) { return json_pack("[f, f, f]", time[0], time[1], time[2]); }

static json_t *activity_times(const struct slice_times *times, uint32_t count) {
  json_t *list = json_array();
  for (uint32_t a = 0; a < count; a++) {
    const struct slice_time *time = &times->activities[a];
    json_array_append_new(list, json_pack("{s:f, s:I, s:f, s:f, s:f}", "time", time->time, "count",
                                          (json_int_t)time->count, "least", time->least, "most", time->most, "mean",
                                          time->count ? time->whole / (double)time->count : 0));
  }
  return list;
}

static json_t *list_times(double (*times)[3], uint32_t count) {
  json_t *list = json_array();
  for (uint32_t i = 0; i < count; i++)
    json_array_append_new(list, class_times(times[i]));
  return list;
}

static json_t *times_of(const struct slices *slices, const struct slice_window *window) {
  struct slice_times times;
  uint32_t rows = window->rows < MOST_ROWS_TOLD ? window->rows : MOST_ROWS_TOLD;
  slices_times(slices, window, &times);
  json_t *answer = json_pack("{s:o, s:o, s:o}", "activities", activity_times(&times, slices_header(slices)->activities),
                             "components", list_times(times.components, slices_header(slices)->components), "rows",
                             list_times(times.rows, rows));
  slice_times_drop(&times);
  return answer;
}

json_t *answer_times(struct studio *studio, json_t *params, struct refusal *refusal) {
  struct slice_window window;
  struct slices *slices = job_slices(studio, params, refusal);
  json_t *answer = slices && take_window(params, slices, &window, refusal) ? times_of(slices, &window) : NULL;
  slices_drop(slices);
  return answer;
}

/* ---- who there is ---- */

json_t *answer_timeline(struct studio *studio, json_t *params, struct refusal *refusal) {
  struct slices *slices = job_slices(studio, params, refusal);
  if (!slices) return NULL;
  const struct slices_header *header = slices_header(slices);
  json_t *names = json_loadb(slices_names(slices), header->names_size, 0, NULL);
  slices_drop(slices);
  if (!json_is_object(names)) {
    json_decref(names);
    return decline(refusal, 500, "the names of the timeline cannot be read");
  }
  json_object_set_new(names, "end", json_real(header->end));
  json_object_set_new(names, "count", json_integer((json_int_t)header->count));
  json_object_set_new(names, "full", json_boolean(header->full));
  return names;
}

/* The slice that goes on at a time, or one by its number; none: {}. */
json_t *answer_slice(struct studio *studio, json_t *params, struct refusal *refusal) {
  uint32_t row;
  double time = 0;
  json_t *given = json_object_get(params, "number");
  struct slices *slices = job_slices(studio, params, refusal);
  bool good = slices && take_count(params, "row", 0, slices_header(slices)->rows, &row, refusal) &&
              (given || take_number(params, "time", &time, refusal));
  uint64_t number = !good ? 0 : given ? (uint64_t)json_integer_value(given) : slice_at(slices, row, time);
  const struct slice *slice = good ? slice_of(slices, row, number) : NULL;
  json_t *answer =
      slice ? json_pack("{s:I, s:f, s:f, s:I, s:I}", "number", (json_int_t)number, "begin", slice->begin, "end",
                        slice->end, "component", (json_int_t)slice->component, "activity", (json_int_t)slice->activity)
            : json_object();
  slices_drop(slices);
  if (good) return answer;
  json_decref(answer);
  return NULL;
}

/* ---- causes ---- */

/* What psl why says, of the text and the settings of the run. Files stand in it as psl was given them: `own` is that of
 * the model, whatever the page calls it. */
static json_t *why(struct studio *studio, const struct run_copy *run, const char *process, double at, uint32_t depth,
                   struct refusal *refusal) {
  struct words words;
  struct chars output = {0};
  char time[64], steps[32];
  snprintf(time, sizeof time, "%.17gs", at);
  snprintf(steps, sizeof steps, "%u", depth);
  const char *const wanted[] = {"--include", run->folder, "--format", "json",    "--process",
                                process,     "--at",      time,       "--depth", steps};
  words_begin(&words, studio, "why");
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
    word_add(&words, wanted[i]);
  for (size_t i = 0; i < run->setting_count; i++) {
    word_add(&words, "--set");
    word_add(&words, run->settings[i]);
  }
  if (run->system) {
    word_add(&words, "--system");
    word_add(&words, run->system);
  }
  word_add(&words, run->text);
  bool done = program_perform(&words, run->place, "", 0, &output, refusal);
  json_t *chain = done ? json_loadb(output.data ? output.data : "", output.size, 0, NULL) : NULL;
  chars_drop(&output);
  words_drop(&words);
  if (done && !chain) return decline(refusal, 500, "what psl why says is no JSON");
  return done ? json_pack("{s:o, s:s}", "why", chain, "own", run->text) : NULL;
}

json_t *answer_why(struct studio *studio, json_t *params, struct refusal *refusal) {
  struct run_copy run = {0};
  double at;
  uint32_t depth;
  const char *process = param_text(params, "process", refusal);
  bool good = process && word_sound(process, refusal) && take_number(params, "at", &at, refusal) &&
              take_count(params, "depth", 1, 10000, &depth, refusal) && run_copy_take(studio, params, &run, refusal);
  json_t *answer = good ? why(studio, &run, process, at, depth, refusal) : NULL;
  run_copy_drop(&run);
  return answer;
}
