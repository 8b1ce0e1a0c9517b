/* psl calibrate: runs of a program with timers say what the nests of its model take, and how often branches in them are
 * taken; what comes out is a file of params, with all that was found in remarks. */
#include "interp/cli/calibrate.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- texts ---- */

static const char *time_text(struct cli *cli, double seconds) {
  static const struct {
    const char *unit;
    double size;
  } units[] = {{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}};
  size_t u = 0;
  while (u + 1 < sizeof units / sizeof *units && seconds < units[u].size)
    u++;
  return scope_printf(cli->scope, "%.4g %s", seconds / units[u].size, units[u].unit);
}

static const char *percent(struct cli *cli, double part) { return scope_printf(cli->scope, "%.1f %%", 100 * part); }

/* Rows of cells, each as wide as the widest of its column. */
enum { COLUMNS = 5 };
struct table {
  const char *(*rows)[COLUMNS];
  size_t count, capacity;
};

static void add_row(struct cli *cli, struct table *table, const char *a, const char *b, const char *c, const char *d,
                    const char *e) {
  if (table->count == table->capacity) {
    table->capacity = table->capacity ? 2 * table->capacity : 16;
    table->rows = scope_grow(cli->scope, table->rows, table->capacity * sizeof *table->rows);
  }
  const char *cells[COLUMNS] = {a, b, c, d, e};
  memcpy(table->rows[table->count++], cells, sizeof cells);
}

static void write_table(const struct table *table, FILE *out) {
  size_t widths[COLUMNS] = {0};
  for (size_t i = 0; i < table->count; i++)
    for (size_t c = 0; c < COLUMNS; c++) {
      size_t length = strlen(table->rows[i][c]);
      if (length > widths[c]) widths[c] = length;
    }
  for (size_t i = 0; i < table->count; i++) {
    size_t last = COLUMNS;
    while (last > 0 && !*table->rows[i][last - 1])
      last--;
    for (size_t c = 0; c < last; c++)
      fprintf(out, c + 1 < last ? "%-*s  " : "%.*s%s", c + 1 < last ? (int)widths[c] : 0,
              c + 1 < last ? table->rows[i][c] : "", c + 1 < last ? "" : table->rows[i][c]);
    fputc('\n', out);
  }
}

/* ---- the file of params ---- */

static double least_of(const struct calibration *of, const double *times) {
  double least = INFINITY;
  for (size_t r = 0; r < of->repetitions; r++)
    least = fmin(least, times[r]);
  return least;
}

static double least_time(const struct calibration *of, size_t nest, size_t run) {
  return least_of(of, of->nests[nest].figures[run].totals);
}

/* Of all fitted runs together. */
static double share_of(const struct calibration *of, size_t nest) {
  double own = 0, all = 0;
  for (size_t s = 0; s < of->fitted_count; s++)
    for (size_t i = 0; i < of->nest_count; i++) {
      double time = least_time(of, i, s);
      all += time;
      own += i == nest ? time : 0;
    }
  return all > 0 ? own / all : 0;
}

static const char *list_text(struct cli *cli, const struct nest_fit *fit, int what) {
  struct buffer text = {.scope = cli->scope};
  for (size_t i = 0; i < fit->count; i++) {
    const struct nest_factor *factor = &fit->factors[i];
    const char *item = what == 0             ? scope_printf(cli->scope, "%.4g", factor->value)
                       : what == 1           ? time_text(cli, factor->work)
                       : factor->beyond      ? "beyond"
                       : isinf(factor->high) ? "?"
                                             : scope_printf(cli->scope, "%.4g .. %.4g", factor->low, factor->high);
    if (i) buffer_put(&text, ", ", 2);
    buffer_put(&text, item, strlen(item));
  }
  return text.data;
}

/* A list of reals has a point in its first number. */
static const char *factors_text(struct cli *cli, const struct nest_fit *fit) {
  const char *items = list_text(cli, fit, 0);
  size_t first = strcspn(items, ",");
  bool real = strcspn(items, ".e") < first;
  return scope_printf(cli->scope, "[%.*s%s%s]", (int)first, items, real ? "" : ".0", items + first);
}

/* A real has a point. */
static const char *first_text(struct cli *cli, const struct timed *nest) {
  const char *text = scope_printf(cli->scope, "%.4g", nest->first);
  return strpbrk(text, ".e") ? text : scope_printf(cli->scope, "%s.0", text);
}

static void add_nests(struct cli *cli, const struct calibration *of, struct table *table) {
  add_row(cli, table, "# nest", "# line", scope_printf(cli->scope, "interval of %.4g%%", 100 * cli->fit.level), "off",
          "share of time");
  for (size_t i = 0; i < of->nest_count; i++) {
    const struct timed *nest = &of->nests[i];
    add_row(cli, table, scope_printf(cli->scope, "%s-factor = %s", nest->name, factors_text(cli, &nest->fit)),
            scope_printf(cli->scope, "# %s", nest->place), list_text(cli, &nest->fit, 2), percent(cli, nest->fit.off),
            percent(cli, share_of(of, i)));
    if (nest->fit.count > 1)
      add_row(cli, table, scope_printf(cli->scope, "%s-work = [%s]", nest->name, list_text(cli, &nest->fit, 1)),
              "# work of an entry at each", "", "", "");
    if (nest->first > 0)
      add_row(cli, table, scope_printf(cli->scope, "%s-first = %s", nest->name, first_text(cli, nest)),
              "# of the first entry, beside", "", "", "");
  }
}

static void add_branches(struct cli *cli, const struct calibration *of, struct table *table) {
  if (of->branch_count) add_row(cli, table, "# branch", "# line", "by run", "", "");
  for (size_t i = 0; i < of->branch_count; i++) {
    const struct timed *branch = &of->branches[i];
    double least = 1, greatest = 0;
    for (size_t s = 0; s < of->fitted_count; s++) {
      if (branch->passes[s] <= 0) continue;
      least = fmin(least, branch->taken[s] / branch->passes[s]);
      greatest = fmax(greatest, branch->taken[s] / branch->passes[s]);
    }
    add_row(cli, table, scope_printf(cli->scope, "%s = %.6g", branch->name, branch->chance),
            scope_printf(cli->scope, "# %s", branch->place ? branch->place : ""),
            scope_printf(cli->scope, "%.4g .. %.4g", least, greatest), "", "");
  }
}

/* How the factors beyond what was measured were. */
static void write_shares(const struct calibration *of, FILE *out) {
  bool any = false;
  for (size_t i = 0; i < of->nest_count; i++)
    any |= of->nests[i].fit.count && of->nests[i].fit.factors[of->nests[i].fit.count - 1].beyond;
  if (of->page > 0) fprintf(out, "# a page of memory takes %.3g us more where it is touched first\n", 1e6 * of->page);
  if (!any) return;
  fprintf(out, "# beyond: '%s' as with", of->runs[of->largest].name);
  for (size_t s = 1; s < SHARES; s++)
    fprintf(out, "%s %g", s == 1 ? "" : s + 1 < SHARES ? "," : " and", of->shares[s].times);
  fprintf(out, " times as much data, where the caches had so much less room for its own\n");
}

static void write_remarks(const struct calibration *of, FILE *out) {
  write_shares(of, out);
  for (size_t i = 0; i < of->nest_count; i++) {
    const struct timed *nest = &of->nests[i];
    for (size_t s = 0; s < of->run_count; s++)
      if (!of->runs[s].foretold && nest->figures[s].entries != nest->figures[s].program_entries)
        fprintf(out, "# %s is entered %.0f times by '%s', in the model %.0f times\n", nest->name,
                nest->figures[s].program_entries, of->runs[s].name, nest->figures[s].entries);
    if (nest->fit.disturbed)
      fprintf(out, "# %s: %zu of %zu times were more than a tenth above the least of their run, and left out\n",
              nest->name, nest->fit.disturbed, of->fitted_count * of->repetitions);
  }
}

/* ---- checks ---- */

/* Of a rank in the mean. */
static const char *mean_text(struct cli *cli, double seconds) { return time_text(cli, seconds / cli->ranks); }

static const char *off_text(struct cli *cli, double measured, double predicted) {
  return measured > 0 ? scope_printf(cli->scope, "%+.1f %%", 100 * (predicted / measured - 1)) : "";
}

static void write_check(struct cli *cli, const struct calibration *of, size_t run, const double *times, FILE *out) {
  struct table table = {0};
  double measured = 0, predicted = 0;
  bool foretold = of->runs[run].foretold;
  fprintf(out, "# %s %s: times of a rank, their mean\n", foretold ? "at" : "check", of->runs[run].name);
  for (size_t i = 0; i < of->nest_count; i++) {
    predicted += times[i];
    measured += foretold ? 0 : least_time(of, i, run);
  }
  add_row(cli, &table, "#", "nest", foretold ? "predicted" : "measured", foretold ? "" : "predicted",
          foretold ? "" : "off");
  for (size_t i = 0; i <= of->nest_count; i++) {
    bool all = i == of->nest_count;
    const char *name = all ? "all" : of->nests[i].name, *by_model = mean_text(cli, all ? predicted : times[i]);
    if (foretold) {
      add_row(cli, &table, "#", name, by_model, "", "");
      continue;
    }
    double time = all ? measured : least_time(of, i, run);
    add_row(cli, &table, "#", name, mean_text(cli, time), by_model, off_text(cli, time, all ? predicted : times[i]));
  }
  write_table(&table, out);
}

static double work_beyond(const struct timed *nest, size_t run) {
  double work = nest->figures[run].work / nest->figures[run].entries;
  if (!(work > 0) || nest->fit.greatest <= 0) return 0;
  return work > 1.05 * nest->fit.greatest ? work / nest->fit.greatest
         : work < nest->fit.least / 1.05  ? work / nest->fit.least
                                          : 0;
}

static void write_beyond(const struct calibration *of, size_t run, FILE *out) {
  for (size_t i = 0; i < of->nest_count; i++) {
    double times = work_beyond(&of->nests[i], run);
    if (times > 1)
      fprintf(out, "# %s: an entry has %.3g times as much work as any that was measured\n", of->nests[i].name, times);
    else if (times > 0)
      fprintf(out, "# %s: an entry has %.3g of the work of any that was measured\n", of->nests[i].name, times);
  }
}

/* ---- JSON ---- */

static json_t *nest_json(const struct calibration *of, size_t at) {
  const struct timed *nest = &of->nests[at];
  json_t *factors = json_array();
  for (size_t i = 0; i < nest->fit.count; i++) {
    const struct nest_factor *factor = &nest->fit.factors[i];
    json_t *one = json_pack("{s:f, s:f}", "work", factor->work, "factor", factor->value);
    if (isfinite(factor->high)) {
      json_object_set_new(one, "low", json_real(factor->low));
      json_object_set_new(one, "high", json_real(factor->high));
    }
    json_array_append_new(factors, one);
  }
  return json_pack("{s:s, s:s, s:o, s:f, s:f, s:f, s:i}", "nest", nest->name, "line", nest->place, "factors", factors,
                   "first", nest->first, "off", nest->fit.off, "share", share_of(of, at), "disturbed",
                   (int)nest->fit.disturbed);
}

static json_t *check_json(const struct cli *cli, const struct calibration *of, size_t run, const double *times) {
  json_t *nests = json_array();
  bool foretold = of->runs[run].foretold;
  for (size_t i = 0; i < of->nest_count; i++) {
    double beyond = work_beyond(&of->nests[i], run);
    json_t *measured = foretold ? json_null() : json_real(least_time(of, i, run) / cli->ranks);
    json_array_append_new(nests, json_pack("{s:s, s:o, s:f, s:o}", "nest", of->nests[i].name, "measured", measured,
                                           "predicted", times[i] / cli->ranks, "beyond",
                                           beyond > 0 ? json_real(beyond) : json_null()));
  }
  return json_pack("{s:s, s:o}", "run", of->runs[run].name, "nests", nests);
}

static void write_json(const struct cli *cli, const struct calibration *of, double *const *times, FILE *out) {
  json_t *nests = json_array(), *branches = json_array(), *checks = json_array();
  for (size_t i = 0; i < of->nest_count; i++)
    json_array_append_new(nests, nest_json(of, i));
  for (size_t i = 0; i < of->branch_count; i++)
    json_array_append_new(branches,
                          json_pack("{s:s, s:f}", "branch", of->branches[i].name, "chance", of->branches[i].chance));
  for (size_t s = of->fitted_count; s < of->run_count; s++)
    json_array_append_new(checks, check_json(cli, of, s, times[s]));
  json_t *all = json_pack("{s:o, s:o, s:o}", "nests", nests, "branches", branches, "checks", checks);
  char *text = json_dumps(all, JSON_INDENT(2));
  if (text) fprintf(out, "%s\n", text);
  free(text);
  json_decref(all);
}

static void write_params(struct cli *cli, const struct calibration *of, double *const *times, FILE *out) {
  struct table table = {0};
  fprintf(out, "# %s, calibrated by %s on %u ranks, %zu times each:", cli->arguments[0], cli->arguments[1], cli->ranks,
          of->repetitions);
  for (size_t s = 0; s < of->fitted_count; s++)
    fprintf(out, "%s %s", s ? ";" : "", of->runs[s].name);
  fputc('\n', out);
  add_nests(cli, of, &table);
  add_branches(cli, of, &table);
  write_table(&table, out);
  for (size_t i = 0; i < of->range_count; i++)
    fprintf(out, "measured %s = %.10g .. %.10g\n", of->ranges[i].name, of->ranges[i].low, of->ranges[i].high);
  write_remarks(of, out);
  for (size_t s = of->fitted_count; s < of->run_count; s++) {
    write_check(cli, of, s, times[s], out);
    write_beyond(of, s, out);
  }
}

/* ---- all ---- */

static bool set_chances(struct cli *cli, struct calibration *of) {
  for (size_t i = 0; i < of->branch_count; i++) {
    struct timed *branch = &of->branches[i];
    double taken = 0, passes = 0;
    for (size_t s = 0; s < of->fitted_count; s++) {
      taken += branch->taken[s];
      passes += branch->passes[s];
    }
    branch->chance = passes > 0 ? fmin(1, taken / passes) : 1;
    if (psl_set(of->psl, branch->name, scope_printf(cli->scope, "%.17g", branch->chance)) != PSL_OK) return false;
  }
  return true;
}

/* A nest that has no factor: the program does not come to it, or the model does not. */
static void refuse_nest(const struct cli *cli, const struct calibration *of, const struct timed *nest) {
  double entries = 0, of_model = 0;
  for (size_t s = 0; s < of->fitted_count; s++) {
    entries += nest->figures[s].program_entries;
    of_model += nest->figures[s].entries;
  }
  if (entries <= 0)
    cli_error(cli, "runs with other arguments may", "no run enters the nest %s, %s", nest->name, nest->place);
  else if (of_model <= 0)
    cli_error(cli, "--with 'NAME=VALUE,...' behind a run, or --set, gives those that are no arguments of the program",
              "the program enters the nest %s, %s, and the model does not, with the params that the runs give it",
              nest->name, nest->place);
  else
    cli_error(cli, "--with 'NAME=VALUE,...' behind a run, or --set, gives those that are no arguments of the program",
              "the nest %s, %s, has no work in the model, with the params that the runs give it", nest->name,
              nest->place);
}

/* By the runs that had less of the caches. */
static void fit_beyond(struct cli *cli, const struct calibration *of, struct timed *nest) {
  double times[SHARES - 1], ratios[SHARES - 1], near = least_of(of, nest->shares);
  double *data = SCOPE_ARRAY(cli->scope, double, of->fitted_count);
  double *work = SCOPE_ARRAY(cli->scope, double, of->fitted_count);
  if (!(near > 0)) return;
  for (size_t s = 0; s < of->fitted_count; s++) {
    const struct nest_shape *figures = &nest->figures[s];
    data[s] = of->runs[s].pages;
    work[s] = figures->entries > 0 ? figures->work / figures->entries : 0;
  }
  for (size_t s = 1; s < SHARES; s++) {
    times[s - 1] = of->shares[s].times;
    ratios[s - 1] = least_of(of, nest->shares + s * of->repetitions) / near;
  }
  calibrate_beyond(&nest->fit, times, ratios, SHARES - 1, calibrate_growth(data, work, of->fitted_count));
}

static void fit_first(struct cli *cli, struct calibration *of) {
  const struct nest_shape **nests = SCOPE_ARRAY(cli->scope, const struct nest_shape *, of->nest_count);
  for (size_t i = 0; i < of->nest_count; i++)
    nests[i] = of->nests[i].figures;
  of->page = calibrate_page(nests, of->nest_count, of->fitted_count, of->repetitions);
  for (size_t i = 0; i < of->nest_count; i++)
    if (of->nests[i].begins) of->nests[i].first = calibrate_first(nests[i], of->fitted_count, of->page, cli->ranks);
}

static const double least_share = 0.01; /* of the time: what takes less shows noise, and does not matter */

static bool fit_nests(struct cli *cli, struct calibration *of) {
  double *kept = SCOPE_ARRAY(cli->scope, double, of->run_count * of->repetitions);
  for (size_t i = 0; i < of->nest_count; i++) {
    struct timed *nest = &of->nests[i];
    struct nest_factor *factors = SCOPE_ARRAY(cli->scope, struct nest_factor, of->run_count + SHARES);
    calibrate_nest(nest->figures, of->fitted_count, of->repetitions, cli->fit.level, factors, kept, &nest->fit);
    if (!nest->fit.count) {
      refuse_nest(cli, of, nest);
      return false;
    }
    if (share_of(of, i) >= least_share) fit_beyond(cli, of, nest);
  }
  fit_first(cli, of);
  return true;
}

static bool set_factors(struct cli *cli, struct calibration *of) {
  for (size_t i = 0; i < of->nest_count; i++) {
    const struct timed *nest = &of->nests[i];
    const char *works = scope_printf(cli->scope, "[%s]", nest->fit.count > 1 ? list_text(cli, &nest->fit, 1) : "0 s");
    if (psl_set(of->psl, scope_printf(cli->scope, "%s-factor", nest->name), factors_text(cli, &nest->fit)) != PSL_OK ||
        psl_set(of->psl, scope_printf(cli->scope, "%s-work", nest->name), works) != PSL_OK ||
        (nest->begins &&
         psl_set(of->psl, scope_printf(cli->scope, "%s-first", nest->name), first_text(cli, nest)) != PSL_OK))
      return false;
  }
  return true;
}

/* What the first entries take more, which is no part of their nest's request. */
static double touched(const struct cli *cli, const struct timed *nest, size_t run) {
  const struct nest_shape *figures = &nest->figures[run];
  return figures->entries > 0 ? nest->first * figures->work / figures->entries * cli->ranks : 0;
}

static bool calibrate(struct cli *cli, struct calibration *of, double **times) {
  if (!timed_runs(cli, of)) return false;
  bool quiet = cli->quiet;
  cli->quiet = true; /* what the model says of networks is no matter here */
  bool fine = model_open(cli, of) && set_chances(cli, of);
  for (size_t s = 0; s < of->run_count && fine; s++) {
    times[s] = SCOPE_ARRAY(cli->scope, double, of->nest_count);
    fine = model_run(cli, of, s, times[s]);
    for (size_t i = 0; i < of->nest_count; i++)
      of->nests[i].figures[s].work = times[s][i];
  }
  fine = fine && model_ranges(cli, of) && fit_nests(cli, of) && set_factors(cli, of);
  for (size_t s = of->fitted_count; s < of->run_count && fine; s++) {
    fine = model_run(cli, of, s, times[s]);
    for (size_t i = 0; i < of->nest_count; i++)
      times[s][i] += touched(cli, &of->nests[i], s);
  }
  cli->quiet = quiet;
  return fine;
}

static bool read_model(struct cli *cli, struct calibration *of) {
  static const char says[] = "\n// source ";
  of->text = file_read(cli, cli->arguments[0], &of->size);
  const char *at = of->text ? strstr(of->text, says) : NULL;
  if (of->text && !at)
    cli_error(cli, "psl compile makes one of the program's source", "%s is no model of a program: it names no source",
              shown(cli, cli->arguments[0]));
  if (at) of->source = scope_copy(cli->scope, at + strlen(says), strcspn(at + strlen(says), "\n"));
  return at != NULL;
}

static bool is_one_shape(const struct calibration *of) {
  for (size_t s = 1; s < of->fitted_count; s++)
    if (strcmp(of->runs[s].text, of->runs[0].text) != 0 || of->runs[s].input) return false;
  return !of->fitted_count || !of->runs[0].input;
}

static const size_t most_repetitions = 10000;

static bool check(struct cli *cli, const struct calibration *of) {
  if (!cli->ranks)
    cli_error(cli, "psl calibrate -n 4 --arguments '1000 50' --arguments '2000 50' model.psl ./program",
              "'calibrate' needs -n, the number of ranks");
  else if (of->repetitions > most_repetitions)
    cli_error(cli, NULL, "'calibrate' makes each run %zu times at most", most_repetitions);
  else if (is_one_shape(of))
    cli_error(cli, "--arguments '1000 50' --arguments '2000 50': one a time, with the program's arguments",
              "'calibrate' needs runs of two sizes at least: one alone does not tell what a size changes");
  else
    return true;
  return false;
}

static int in_folder(struct cli *cli, struct calibration *of, struct sink *sink) {
  double **times = SCOPE_ARRAY(cli->scope, double *, of->run_count);
  bool fine = read_model(cli, of) && runs_told_apart(cli, of) && calibrate(cli, of, times);
  if (fine && cli->report.format == PSL_JSON)
    write_json(cli, of, times, sink->file);
  else if (fine)
    write_params(cli, of, times, sink->file);
  if (of->psl) cli_close(cli, of->psl);
  return sink_end(cli, sink, fine ? PSL_OK : PSL_WRONG);
}

/* NAME=VALUE, parted by commas, but for those of lists. */
static bool add_with(struct cli *cli, struct words *with, const char *text) {
  for (const char *at = text, *end; *at; at = end + (*end == ',')) {
    int depth = 0;
    at += strspn(at, " ");
    for (end = at; *end && (*end != ',' || depth > 0); end++)
      depth += strchr("([{", *end) ? 1 : strchr(")]}", *end) ? -1 : 0;
    size_t size = (size_t)(end - at), name = strcspn(at, " =,"), equals = strcspn(at, "=");
    if (!name || equals >= size || name + strspn(at + name, " ") != equals) {
      cli_error(cli, NULL, "--with takes NAME=VALUE,..., not '%s'", shown(cli, text));
      return false;
    }
    const char *one = scope_printf(cli->scope, "%.*s=%.*s", (int)name, at, (int)(size - equals - 1), at + equals + 1);
    if (!strncmp(one, "ranks=", 6)) {
      cli_error(cli, NULL, "-n is the number of ranks of all runs, not --with '%s'", shown(cli, text));
      return false;
    }
    SCOPE_PUSH(cli->scope, with->items, with->count, with->capacity, one);
  }
  return true;
}

/* First those of the fit, then those that are compared with it, then those that the model alone makes. */
static bool take_runs(struct cli *cli, struct calibration *of) {
  of->runs = SCOPE_ARRAY(cli->scope, struct calibrated_run, cli->run_count);
  for (int use = RUN_FITTED; use <= RUN_FORETOLD; use++)
    for (size_t i = 0; i < cli->run_count; i++) {
      const struct cli_run *given = &cli->runs[i];
      if ((int)given->use != use) continue;
      const char *input =
          given->input ? scope_printf(cli->scope, "%s< %s", *given->arguments ? " " : "", given->input) : "";
      struct calibrated_run *run = &of->runs[of->run_count++];
      *run = (struct calibrated_run){.text = given->arguments,
                                     .name = scope_printf(cli->scope, "%s%s", given->arguments, input),
                                     .input = given->input,
                                     .foretold = use == RUN_FORETOLD};
      of->fitted_count += use == RUN_FITTED;
      for (size_t w = 0; w < given->with_count; w++)
        if (!add_with(cli, &run->with, given->with[w])) return false;
    }
  return true;
}

int command_calibrate(struct cli *cli) {
  struct calibration of = {.repetitions = cli->study.repetitions ? cli->study.repetitions : 5};
  struct sink sink;
  if (!take_runs(cli, &of)) return EXIT_USAGE;
  if (cli->fit.level <= 0) cli->fit.level = 0.95;
  if (!check(cli, &of)) return EXIT_USAGE;
  char *folder = scope_printf(cli->scope, "%s/psl-calibrate.XXXXXX", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
  int code = EXIT_MODEL;
  if (!cli_output(cli, &sink)) return EXIT_MODEL;
  of.folder = folder;
  of.counting = scope_printf(cli->scope, "%s.branches", cli->arguments[1]);
  if (mkdtemp(folder)) {
    code = in_folder(cli, &of, &sink);
    work_folder_remove(folder);
  } else {
    cli_error(cli, NULL, "%s cannot be made: %s", folder, strerror(errno));
    sink_drop(&sink);
  }
  return code;
}
