/* The chain of what caused what, for people, and as JSON. Called by report_why. */
#include "interp/report/why.h"

#include <math.h>
#include <string.h>

enum { DIGITS = 9, PLACES = 6, INDENT = 5, NARROWEST = 40 };

/* A time of the run: with digits enough to tell it from the next. */
static void put_time(struct text *out, const struct chain *chain, double seconds) {
  quantity_print(out, chain->types, seconds, chain->types->time->dimension, DIGITS);
}

static const char *life_name(const struct chain *chain, uint32_t life) {
  return chain->why->names[chain->why->causes->lives[life].instance];
}

static void put_file(struct text *out, const struct psl_place *place) {
  const char *library = place_library(place->file), *slash = strrchr(place->file, '/');
  text_line(out, library ? library : slash ? slash + 1 : place->file);
  text_printf(out, ":%u", place->line);
}

/* " in MPI-recv at pipeline.psl:31"; where that calls another body of the model, ", there at pipeline.psl:52" */
static void put_site(struct text *out, const struct chain *chain, uint32_t number) {
  const struct why_site *site = &chain->why->sites[number];
  if (!number) return;
  if (site->name) text_printf(out, " in %s", site->name);
  if (!site->outer.file) return;
  text_put(out, " at ");
  put_file(out, &site->outer);
  if (!site->inner_told) return;
  text_put(out, ", there at ");
  put_file(out, &site->inner);
}

/* ---- for people ---- */

struct lines {
  struct output *out;
  const struct chain *chain;
  size_t width; /* of all; 0: they are as long as they come */
};

/* Between words, where it is too long. */
static void put_line(const struct lines *l, size_t indent, const char *words) {
  struct text *out = &l->out->text;
  text_printf(out, "%*s", (int)indent, "");
  if (l->width < NARROWEST)
    text_put(out, words);
  else
    text_wrapped(out, words, 0, l->width - indent - 2, indent + 2);
  text_char(out, '\n');
}

static const char *const part_words[PART_KINDS] = {
    [PART_COMPUTE] = "computed for",      [PART_COMMUNICATE] = "communicated for",
    [PART_FLIGHT] = "was on its way for", [PART_SHARED] = "shared servers with others for",
    [PART_DELAY] = "was begun after",     [PART_WAIT] = "waited for",
};

/* "computed for 5.000 s, 10 times, in execute at farm.psl:15" */
static void put_doing(struct text *out, const struct chain *chain, enum why_kind kind, const struct sum *seconds,
                      size_t times, uint32_t site) {
  text_printf(out, "%s ", part_words[kind]);
  report_time(out, sum_total(seconds));
  if (times > 1) text_printf(out, ", %zu times,", times);
  put_site(out, chain, site);
}

static void put_sum(const struct lines *l, const struct why_sum *sum) {
  struct text text = {.arena = l->out->text.arena};
  put_doing(&text, l->chain, sum->kind, &sum->seconds, sum->times, sum->site);
  put_line(l, INDENT, text.data);
}

static void put_sums(const struct lines *l, const struct why_step *step) {
  size_t count;
  const struct why_sum *sums = step_sums(l->out->text.arena, l->chain, step, false, &count);
  size_t most = count > PLACES + 1 ? PLACES : count;
  double rest = 0;
  for (size_t k = 0; k < most; k++)
    put_sum(l, &sums[count - 1 - k]);
  for (size_t k = most; k < count; k++)
    rest += sum_total(&sums[count - 1 - k].seconds);
  if (most == count) return;
  struct text text = {.arena = l->out->text.arena};
  text_printf(&text, "and before at %zu more places for ", count - most);
  report_time(&text, rest);
  put_line(l, INDENT, text.data);
}

/* For what it waited whom another one has let go on. */
static const char *awaited(enum activity activity) {
  switch (activity) {
  case WAIT_LATE_SENDER:
  case WAIT_TRANSFER:
  case WAIT_CONTENTION: return "a message";
  case WAIT_LATE_RECEIVER: return "its receiver";
  case WAIT_COLLECTIVE: return "a message of a collective operation";
  case WAIT_STARVED: return "something to get";
  case WAIT_BLOCKED: return "room";
  default: return "an answer";
  }
}

/* What that one did. */
static const char *brought(enum activity activity) {
  switch (activity) {
  case WAIT_LATE_SENDER:
  case WAIT_TRANSFER:
  case WAIT_CONTENTION:
  case WAIT_COLLECTIVE:
  case WAIT_STARVED: return "brought it";
  case WAIT_BLOCKED: return "made it";
  default: return "let it go on";
  }
}

/* "it had waited for a server of disk[0] from 3 ms on"; at a time in the middle of the wait, it still does. */
static void put_wait(const struct lines *l, struct text *out, const struct why_step *step, const char *what) {
  bool still = l->chain->why->causes->causes[step->cause].time > step->end;
  text_printf(out, "%s for %s from ",
              still        ? "it was still waiting"
              : step->born ? "its tokens had waited"
                           : "it had waited",
              what);
  put_time(out, l->chain, step->since);
  text_put(out, " on");
  if (!step->born) put_site(out, l->chain, step->site);
}

/* "worker[0] gave it back at 3 ms": later than the step, where it still waits for that. */
static void put_deed(const struct lines *l, struct text *out, const struct why_step *step, const char *did) {
  const struct cause *cause = &l->chain->why->causes->causes[step->cause];
  text_printf(out, "%s %s %sat ", life_name(l->chain, cause->life), did, cause->time > step->end ? "only " : "");
  put_time(out, l->chain, cause->time);
}

static void put_by(const struct lines *l, struct text *out, const struct why_step *step, const char *did) {
  text_put(out, "; ");
  put_deed(l, out, step, did);
}

static void put_cause(const struct lines *l, const struct why_step *step) {
  const struct chain *chain = l->chain;
  const struct cause *cause = &chain->why->causes->causes[step->cause];
  struct arena *arena = l->out->text.arena;
  struct text text = {.arena = arena};
  const char *of = cause->instance != INSTANCE_NONE ? chain->why->names[cause->instance] : NULL;
  switch (cause->kind) {
  case CAUSE_TIME: text_put(&text, "the run begins"); break;
  case CAUSE_CALL:
    put_deed(l, &text, step, "called it");
    put_site(&text, chain, cause->site);
    break;
  case CAUSE_TOKEN:
    put_deed(l, &text, step, "sent it a token");
    put_site(&text, chain, cause->site);
    break;
  case CAUSE_SERVER:
    if (step->born && chain->why->causes->lives[step->life].instance == cause->instance) {
      put_wait(l, &text, step, "the firing before");
      put_by(l, &text, step, "ended");
      break;
    }
    put_wait(l, &text, step, arena_printf(arena, "a server of %s", of));
    put_by(l, &text, step, "gave it back");
    break;
  case CAUSE_RULE:
    put_wait(l, &text, step, arena_printf(arena, "the firing rule of %s", of));
    put_by(l, &text, step, "changed what it asks for");
    break;
  case CAUSE_ENDED:
    put_wait(l, &text, step, "what it had begun");
    put_by(l, &text, step, "ended");
    break;
  case CAUSE_MATCH:
    put_wait(l, &text, step, "a component that matches");
    put_by(l, &text, step, "changed an attribute");
    break;
  case CAUSE_SHARED:
  case CAUSE_ANSWER:
    put_wait(l, &text, step, awaited(step->activity));
    put_by(l, &text, step, brought(step->activity));
    break;
  }
  put_line(l, INDENT, text.data);
}

static void put_step(const struct lines *l, const struct why_step *step, size_t number) {
  struct text text = {.arena = l->out->text.arena};
  text_printf(&text, "%zu. %s, ", number, life_name(l->chain, step->life));
  if (step->end > step->begin) {
    put_time(&text, l->chain, step->begin);
    text_put(&text, " to ");
  } else {
    text_put(&text, "at ");
  }
  put_time(&text, l->chain, step->end);
  put_line(l, 0, text.data);
  put_sums(l, step);
  put_cause(l, step);
}

static void put_total(struct text *out, const char *what, const struct sum *part, double all) {
  double seconds = sum_total(part);
  text_printf(out, "%s ", what);
  report_time(out, seconds);
  if (seconds > 0) text_printf(out, " (%.3g %%)", 100 * seconds / all);
}

/* Where one would look first. */
static void put_most(const struct lines *l) {
  const struct chain *chain = l->chain;
  if (chain->all == 1) return; /* it stands there */
  put_line(l, 0, "the most by one process at one place:");
  for (size_t k = 0; k < chain->most_count; k++) {
    const struct why_share *share = &chain->most[k];
    struct text text = {.arena = l->out->text.arena};
    text_printf(&text, "%s ", chain->why->names[share->instance]);
    put_doing(&text, chain, share->kind, &share->seconds, share->times, share->site);
    put_line(l, INDENT, text.data);
  }
}

static void put_totals(const struct lines *l) {
  const struct chain *chain = l->chain;
  const struct why_totals *totals = &chain->totals;
  struct text text = {.arena = l->out->text.arena}, rest = {.arena = l->out->text.arena};
  double all = chain->at - chain->from;
  text_printf(&text, "%zu step%s back to ", chain->all, chain->all == 1 ? "" : "s");
  put_time(&text, chain, chain->from);
  text_put(&text, ": ");
  put_total(&text, "computing", &totals->compute, all);
  put_total(&text, ", communicating", &totals->communicate, all);
  put_total(&text, ", waiting for servers", &totals->servers, all);
  put_total(&text, ", waiting else", &totals->other, all);
  put_line(l, 0, text.data);
  if (chain->count == chain->all) return;
  text_printf(&rest, "%zu of them are not written: --depth %zu writes all", chain->all - chain->count, chain->all);
  put_line(l, 0, rest.data);
}

void chain_text(struct output *out, const struct chain *chain, unsigned columns) {
  struct lines lines = {out, chain, columns};
  struct text text = {.arena = out->text.arena};
  text_printf(&text, "%s at ", life_name(chain, chain->life));
  put_time(&text, chain, chain->at);
  if (chain->at < chain->asked) {
    text_put(&text, ", where it ended; it did nothing at ");
    put_time(&text, chain, chain->asked);
  }
  put_line(&lines, 0, text.data);
  for (size_t s = 0; s < chain->count; s++) {
    put_step(&lines, &chain->steps[s], s + 1);
    output_pass(out);
  }
  put_totals(&lines);
  put_most(&lines);
}

/* ---- JSON ---- */

static void put_number(struct text *out, const char *name, double value) {
  text_printf(out, "\"%s\": ", name);
  text_number(out, value);
}

static void put_string(struct text *out, const char *name, const char *value) {
  text_printf(out, "\"%s\": ", name);
  text_json(out, value);
}

/* The members of a place, behind others. */
static void put_place(struct text *out, const struct chain *chain, uint32_t number, bool within) {
  const struct why_site *site = &chain->why->sites[number];
  const struct psl_place *inner = site->inner.file ? &site->inner : NULL;
  if (!number) return;
  if (site->outer.file) {
    text_put(out, ", ");
    put_string(out, "file", site->outer.file);
    text_printf(out, ", \"line\": %u, \"column\": %u", site->outer.line, site->outer.column);
  }
  if (site->name) {
    text_put(out, ", ");
    put_string(out, "transaction", site->name);
  }
  if (!inner || !within) return;
  text_put(out, ", \"within\": {");
  put_string(out, "file", inner->file);
  text_printf(out, ", \"line\": %u, \"column\": %u}", inner->line, inner->column);
}

static const char *const part_names[PART_KINDS] = {
    [PART_COMPUTE] = "compute", [PART_COMMUNICATE] = "communicate",
    [PART_FLIGHT] = "flight",   [PART_SHARED] = "shared",
    [PART_DELAY] = "delay",     [PART_WAIT] = "wait",
};
static const char *const cause_names[] = {
    [CAUSE_TIME] = "start",    [CAUSE_CALL] = "call",   [CAUSE_TOKEN] = "token",
    [CAUSE_SERVER] = "server", [CAUSE_SHARED] = "own",  [CAUSE_RULE] = "rule",
    [CAUSE_ENDED] = "ended",   [CAUSE_MATCH] = "match", [CAUSE_ANSWER] = "answer",
};

static void json_cause(struct text *out, const struct chain *chain, const struct why_step *step) {
  const struct cause *cause = &chain->why->causes->causes[step->cause];
  text_put(out, "{");
  put_string(out, "kind", cause_names[cause->kind]);
  if (cause->kind == CAUSE_ANSWER) {
    text_put(out, ", ");
    put_string(out, "awaited", awaited(step->activity));
  }
  if (cause->instance != INSTANCE_NONE) {
    text_put(out, ", ");
    put_string(out, "of", chain->why->names[cause->instance]);
  }
  if (cause->life != CAUSES_NOBODY) {
    text_put(out, ", ");
    put_string(out, "process", life_name(chain, cause->life));
    text_put(out, ", ");
    put_number(out, "time", cause->time);
    put_place(out, chain, cause->site, true);
  }
  text_put(out, "}");
}

static void json_doing(struct text *out, const struct chain *chain, enum why_kind kind, const struct sum *seconds,
                       size_t times, uint32_t site, bool within) {
  put_string(out, "activity", part_names[kind]);
  text_put(out, ", ");
  put_number(out, "seconds", sum_total(seconds));
  text_printf(out, ", \"times\": %zu", times);
  put_place(out, chain, site, within);
}

/* What it did last, as a stretch of its own. */
static void json_last(struct text *out, const struct chain *chain, const struct why_part *part) {
  text_put(out, "\"last\": {");
  put_string(out, "activity", part_names[part->kind]);
  text_put(out, ", ");
  put_number(out, "begin", part->begin);
  text_put(out, ", ");
  put_number(out, "end", part->end);
  put_place(out, chain, part->site, true);
  text_put(out, "},\n     ");
}

static void json_step(struct output *output, const struct chain *chain, const struct why_step *step) {
  struct text *out = &output->text;
  size_t count;
  const struct why_sum *sums = step_sums(out->arena, chain, step, true, &count);
  text_put(out, "{");
  put_string(out, "process", life_name(chain, step->life));
  text_put(out, ", ");
  put_number(out, "begin", step->begin);
  text_put(out, ", ");
  put_number(out, "end", step->end);
  text_put(out, ",\n     \"did\": [");
  for (size_t k = 0; k < count; k++) {
    text_put(out, k ? ",\n       {" : "\n       {");
    json_doing(out, chain, sums[k].kind, &sums[k].seconds, sums[k].times, sums[k].site, true);
    text_put(out, "}");
  }
  text_put(out, "],\n     ");
  if (step->count) json_last(out, chain, &step->parts[0]);
  if (!step->born || step->since < step->begin) {
    text_put(out, "\"waited\": {");
    put_number(out, "since", step->since);
    put_place(out, chain, step->site, true);
    text_put(out, "},\n     ");
  }
  text_put(out, "\"cause\": ");
  json_cause(out, chain, step);
  text_put(out, "}");
  output_pass(output);
}

void chain_json(struct output *output, const struct chain *chain) {
  struct text *out = &output->text;
  const struct why_totals *totals = &chain->totals;
  text_put(out, "{");
  put_string(out, "process", life_name(chain, chain->life));
  text_put(out, ",\n  ");
  put_number(out, "at", chain->at);
  text_put(out, ",\n  ");
  put_number(out, "asked", chain->asked);
  text_put(out, ",\n  \"steps\": [");
  for (size_t s = 0; s < chain->count; s++) {
    text_put(out, s ? ",\n    " : "\n    ");
    json_step(output, chain, &chain->steps[s]);
  }
  text_printf(out, "],\n  \"chain\": {\"steps\": %zu, ", chain->all);
  put_number(out, "begin", chain->from);
  text_put(out, ", ");
  put_number(out, "seconds", chain->at - chain->from);
  text_put(out, ", ");
  put_number(out, "computing", sum_total(&totals->compute));
  text_put(out, ", ");
  put_number(out, "communicating", sum_total(&totals->communicate));
  text_put(out, ", ");
  put_number(out, "servers", sum_total(&totals->servers));
  text_put(out, ", ");
  put_number(out, "other", sum_total(&totals->other));
  text_put(out, "},\n  \"most\": [");
  for (size_t k = 0; k < chain->most_count; k++) {
    const struct why_share *share = &chain->most[k];
    text_put(out, k ? ",\n    {" : "\n    {");
    put_string(out, "process", chain->why->names[share->instance]);
    text_put(out, ", ");
    json_doing(out, chain, share->kind, &share->seconds, share->times, share->site,
               chain->why->sites[share->site].inner_told);
    text_put(out, "}");
  }
  text_put(out, "]}\n");
}
