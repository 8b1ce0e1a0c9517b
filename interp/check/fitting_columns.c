/* Parameters of a fit that its measurements cannot tell apart: one that has one value everywhere, or two that lie on
 * a line. They are named where terms cannot be told from each other, and before a search, which would take any. */
#include "interp/check/fitting.h"
#include "interp/check/load.h"

#include <math.h>
#include <string.h>

#define ALIKE 1e-9 /* what rounding of the numbers in a file may come to, as a part of them */

static const struct span nowhere = {0, 0};

/* As its column has it. */
static double value_at(const struct fitting *f, uint32_t point, uint32_t parameter) {
  const struct fit_points *points = &f->out->points;
  return points->arguments[(size_t)point * points->parameters + parameter] / (f->factors ? f->factors[parameter] : 1);
}

static double greatest(const struct fitting *f, uint32_t parameter) {
  double most = 0;
  for (uint32_t i = 0; i < f->out->points.count; i++)
    most = fmax(most, fabs(value_at(f, i, parameter)));
  return most;
}

static bool is_constant(const struct fitting *f, uint32_t parameter) {
  double first = value_at(f, 0, parameter), near = ALIKE * greatest(f, parameter);
  for (uint32_t i = 1; i < f->out->points.count; i++)
    if (fabs(value_at(f, i, parameter) - first) > near) return false;
  return true;
}

/* Is b = *slope a + *offset at all points? Neither is constant. */
static bool on_a_line(const struct fitting *f, uint32_t a, uint32_t b, double *slope, double *offset) {
  double near = ALIKE * greatest(f, b), low = value_at(f, 0, a);
  uint32_t least = 0, most = 0;
  for (uint32_t i = 1; i < f->out->points.count; i++) {
    if (value_at(f, i, a) < value_at(f, least, a)) least = i;
    if (value_at(f, i, a) > value_at(f, most, a)) most = i;
  }
  low = value_at(f, least, a);
  *slope = (value_at(f, most, b) - value_at(f, least, b)) / (value_at(f, most, a) - low);
  *offset = value_at(f, least, b) - *slope * low;
  if (fabs(*offset) <= near) *offset = 0;
  for (uint32_t i = 0; i < f->out->points.count; i++)
    if (fabs(*slope * value_at(f, i, a) + *offset - value_at(f, i, b)) > near) return false;
  return true;
}

static const char *unit_of(const struct fitting *f, uint32_t parameter) {
  const char *unit = f->units ? f->units[parameter] : NULL;
  return unit ? arena_printf(f->c->arena, " %s", unit) : "";
}

static const char *constant_text(const struct fitting *f, uint32_t parameter) {
  struct text text = {.arena = f->c->arena};
  text_printf(&text, "'%s' is ", f->out->parameters[parameter]);
  number_print(&text, value_at(f, 0, parameter), 6);
  text_printf(&text, "%s at all points measured", unit_of(f, parameter));
  return text.data;
}

static const char *line_text(const struct fitting *f, uint32_t a, uint32_t b, double slope, double offset) {
  struct text text = {.arena = f->c->arena};
  text_printf(&text, "'%s'", f->out->parameters[b]);
  if (*unit_of(f, b)) text_printf(&text, ", in%s,", unit_of(f, b));
  text_put(&text, " is ");
  if (slope != 1) number_print(&text, slope, 6);
  text_printf(&text, "%s'%s'", slope != 1 ? " times " : "", f->out->parameters[a]);
  if (*unit_of(f, a)) text_printf(&text, ", in%s,", unit_of(f, a));
  if (offset != 0) {
    text_put(&text, offset < 0 ? " minus " : " plus ");
    number_print(&text, fabs(offset), 6);
  }
  text_put(&text, " at all points measured");
  return text.data;
}

void fitting_note_alike(const struct fitting *f) {
  double slope, offset;
  uint32_t count = f->out->points.parameters;
  for (uint32_t b = 0; b < count; b++) {
    if (is_constant(f, b)) {
      check_note(f->c, nowhere, "%s", constant_text(f, b));
      continue;
    }
    for (uint32_t a = 0; a < b; a++)
      if (!is_constant(f, a) && on_a_line(f, a, b, &slope, &offset)) {
        check_note(f->c, nowhere, "%s", line_text(f, a, b, slope, offset));
        break;
      }
  }
}

static bool refuse_search(struct fitting *f, uint32_t parameter, const char *text) {
  const char *others = fitting_parameter_list(f, f->out->parameters[parameter]);
  check_error(f->c, f->name, "no terms can be searched for: %s", text);
  if (*others && f->c->model->loading->options.measured)
    check_help(f->c, nowhere, "--params %s leaves it out", others);
  else if (*others)
    check_help(f->c, nowhere, "leave the parameter '%s' out", f->out->parameters[parameter]);
  else
    fitting_ask_terms(f);
  return false;
}

/* A power of a multiple is a multiple of the power; what is constant stands for any coefficient. */
bool fitting_check_searched(struct fitting *f) {
  double slope, offset;
  for (uint32_t b = 0; b < f->out->points.parameters; b++) {
    if (is_constant(f, b)) return refuse_search(f, b, constant_text(f, b));
    for (uint32_t a = 0; a < b; a++)
      if (on_a_line(f, a, b, &slope, &offset) && offset == 0)
        return refuse_search(f, b, line_text(f, a, b, slope, offset));
  }
  return true;
}
