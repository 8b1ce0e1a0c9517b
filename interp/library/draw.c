/* Plots on their way to who wants them: drawn as the options say, or a diagnostic why not. Called by studies, and for
 * the levels of a run. */
#include "interp/execute/levels.h"
#include "interp/library/handle.h"
#include "interp/report/plot.h"
#include "interp/report/results.h"

#include <string.h>

static bool cannot_draw(struct psl *psl, const struct text *why) {
  diagnostic_add(&psl->diagnostics, SEVERITY_ERROR, (struct span){0}, "a plot cannot be drawn: %s", why->data);
  if (strcmp(why->data, PLOT_INTERRUPTED) != 0)
    diagnostic_help(&psl->diagnostics, (struct span){0}, "'--plot' without '--plot-file' draws in the terminal");
  diagnostic_flush(&psl->diagnostics);
  return false;
}

bool handle_can_draw(struct psl *psl, const struct psl_plot_options *options) {
  struct text why = {.arena = &psl->handed};
  if (options->format != PSL_PLOT_SVG && options->format != PSL_PLOT_PNG) return true;
  return plot_possible(&why) || cannot_draw(psl, &why);
}

static void say_empty(struct psl *psl, const struct plot *plot) {
  diagnostic_add(&psl->diagnostics, SEVERITY_ERROR, (struct span){0}, "the plot of '%s' would be empty%s%s",
                 plot->title, plot->note ? ": " : "", plot->note ? plot->note : "");
}

bool handle_draw(struct psl *psl, struct plot *const *plots, size_t count, const struct psl_plot_options *options) {
  bool all = true;
  for (size_t k = 0; k < count; k++) {
    if (options->format != PSL_PLOT_NONE && plot_is_empty(plots[k])) {
      say_empty(psl, plots[k]);
      all = false;
      continue;
    }
    struct text out = {.arena = &psl->handed}, why = {.arena = &psl->handed};
    struct plot_picture picture = {.format = PLOT_SVG};
    bool drawn = true;
    switch (options->format) {
    case PSL_PLOT_NONE: return true;
    case PSL_PLOT_TERMINAL:
      plot_print(&out, plots[k], &(struct plot_terminal){options->columns ? options->columns : 80, options->color});
      break;
    case PSL_PLOT_PNG: picture.format = PLOT_PNG; /* fall through */
    case PSL_PLOT_SVG: drawn = plot_draw(&out, plots[k], &picture, &why); break;
    }
    if (!drawn) return cannot_draw(psl, &why);
    if (options->take(options->user, k, out.data, out.size)) break;
  }
  diagnostic_flush(&psl->diagnostics);
  return all;
}

struct levels_given {
  const struct results *results;
  const struct psl_plot_options *options;
};

static enum psl_code work_levels(struct psl *psl, void *arguments) {
  const struct levels_given *given = arguments;
  size_t count;
  if (!given->results || !given->results->levels) {
    diagnostic_add(&psl->diagnostics, SEVERITY_ERROR, (struct span){0}, "the run was made without levels");
    return PSL_MISUSE;
  }
  struct plot **plots = levels_plots(&psl->handed, given->results, &count);
  if (count) return handle_draw(psl, plots, count, given->options) ? PSL_OK : PSL_WRONG;
  diagnostic_add(&psl->diagnostics, SEVERITY_ERROR, (struct span){0}, "there is no level to draw");
  diagnostic_help(&psl->diagnostics, (struct span){0}, "%s", LEVELS_ARE);
  return PSL_WRONG;
}

enum psl_code psl_plot_levels(struct psl *psl, const struct psl_results *results,
                              const struct psl_plot_options *options) {
  return handle_enter(psl, work_levels, &(struct levels_given){(const struct results *)results, options});
}
