/* Plots: ticks, units, labels, and what gnuplot and a terminal are given of a model's words. */
#include "tests/unit/unit.h"

#include "interp/report/plot.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct memory memory;
static struct arena arena;

static int open_arena(void **state) {
  (void)state;
  arena_open(&arena, &memory);
  return 0;
}

static int close_arena(void **state) {
  (void)state;
  arena_close(&arena);
  return 0;
}

/* One series of `count` points (x, y). */
static struct plot *plot_of(const double (*values)[2], size_t count) {
  struct plot *plot = ARENA_NEW(&arena, struct plot);
  struct plot_series *series = ARENA_NEW(&arena, struct plot_series);
  struct plot_panel *panel = ARENA_NEW(&arena, struct plot_panel);
  *series = (struct plot_series){"a", ARENA_ARRAY(&arena, struct plot_point, count), count, false};
  for (size_t p = 0; p < count; p++)
    series->points[p] = (struct plot_point){values[p][0], values[p][1], NAN, NAN, false};
  *panel = (struct plot_panel){{"time", "s", false}, series, 1};
  *plot = (struct plot){.title = "t", .x = {"n", "", false}, .by = "", .panels = panel, .panel_count = 1};
  return plot;
}

static const char *ticks(const struct plot_scale *scale) {
  struct text text = {.arena = &arena};
  text_printf(&text, "%s:", scale->label);
  for (size_t t = 0; t < scale->count; t++)
    text_printf(&text, " %s", scale->ticks[t].label);
  return text.data;
}

static const char *ticks_x(struct plot *plot) {
  struct plot_scale scale;
  plot_scale_x(&arena, plot, 9, &scale);
  return ticks(&scale);
}

static const char *ticks_y(struct plot *plot) {
  struct plot_scale scale;
  plot_scale_y(&arena, plot, plot->panels, 7, &scale);
  for (size_t t = 0; t < scale.count; t++) {
    double place = plot_place(&scale, scale.ticks[t].at);
    assert_true(place >= -1e-8 && place <= 1 + 1e-8);
  }
  return ticks(&scale);
}

static void axes_read_well(void **state) {
  (void)state;
  const double powers[][2] = {{4, 12e-3}, {8, 9e-3}, {16, 10e-3}, {32, 17e-3}};
  struct plot *plot = plot_of(powers, 4);
  plot_arrange(&arena, plot);
  assert_string_equal(ticks_x(plot), "n: 4 8 16 32");
  assert_string_equal(ticks_y(plot), "time (ms): 8 10 12 14 16 18");
  plot->categories = (const char *const[]){"a", "b"}; /* bars stand on 0 */
  assert_string_equal(ticks_y(plot), "time (ms): 0 5 10 15 20");

  const double decades[][2] = {{1, 2e-6}, {1000, 3}, {1e6, 0.5}};
  plot = plot_of(decades, 3);
  plot->x = (struct plot_axis){"size", "byte", true};
  plot->panels->y.log = true;
  plot_arrange(&arena, plot);
  assert_string_equal(ticks_x(plot), "size: 1 byte 1 kB 1 MB");
  assert_string_equal(ticks_y(plot), "time: 1 us 100 us 10 ms 1 s");

  const double close[][2] = {{1, 14.74211}, {2, 14.74213}, {3, 14.74212}};
  plot = plot_of(close, 3);
  plot_arrange(&arena, plot);
  assert_string_equal(ticks_y(plot), "time (s): 14.74211 14.742115 14.74212 14.742125 14.74213");

  const double same[][2] = {{1, 0}, {2, 0}};
  plot = plot_of(same, 2);
  plot->panels->y.unit = "byte/s";
  plot_arrange(&arena, plot);
  assert_string_equal(ticks_y(plot), "time (B/s): 0 0.2 0.4 0.6 0.8 1");
}

static void extremes_have_axes(void **state) {
  (void)state;
  static const double far[][2] = {{-1e299, 1e-299}, {1e299, 1e299}, {0, -1e299}, {5e-324, 3e-324}};
  for (int logs = 0; logs < 4; logs++)
    for (size_t count = 0; count <= 4; count++) {
      struct plot *plot = plot_of(far, count);
      plot->x.log = logs & 1;
      plot->panels->y.log = logs & 2;
      plot_arrange(&arena, plot);
      ticks_x(plot);
      ticks_y(plot);
      struct text out = {.arena = &arena};
      plot_print(&out, plot, &(struct plot_terminal){.width = 80});
    }
}

static void what_no_axis_shows_is_said(void **state) {
  (void)state;
  const double values[][2] = {{1, 2}, {0, 3}, {2, NAN}, {4, -1}, {1, 1}};
  struct plot *plot = plot_of(values, 5);
  plot->x.log = plot->panels->y.log = true;
  plot_arrange(&arena, plot);
  assert_string_equal(plot->note, "3 points not drawn: 1 without a value, 2 not above 0 on a log axis");
  assert_int_equal(plot->panels->series->count, 2);
  assert_true(plot->panels->series->scattered);
  assert_true(plot->panels->series->points[0].y == 1);
}

static void labels_are_one_printable_line(void **state) {
  (void)state;
  static const struct {
    const char *label, *shown;
  } rows[] = {
      {"px * py", "px * py"},
      {"a\033[31mb\nc\x7f\xc2\x9b"
       "1m",
       "a\\u{1b}[31mb\\nc\\u{7…"},
      {"h\xc3\xb6he \xe2\x82\xac", "höhe €"},
      {"\xff\xc3(\xed", "\\x{ff}\\x{c3}(\\x{ed}"},
      {"\xe6\xbc\xa2\xe5\xad\x97 twice as wide", "\xe6\xbc\xa2\xe5\xad\x97 twice as wide"},
      {"\xe6\xbc\xa2\xe5\xad\x97 is twice as wide", "\xe6\xbc\xa2\xe5\xad\x97 is twice as wi…"},
      {"0123456789012345678901234", "0123456789012345678…"},
  };
  for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
    struct text text = {.arena = &arena};
    plot_label(&text, rows[r].label, 20);
    assert_string_equal(text.data, rows[r].shown);
  }
}

/* Each of these would do something if gnuplot took it for more than a label. */
static const char *const hostile[] = {"`touch plot-was-here`",
                                      "\"; system \"touch plot-was-here\"; \"",
                                      "'\nsystem 'touch plot-was-here'\n'",
                                      "@x $0 %s %d \\140touch\\140",
                                      "<script>&amp;</script>",
                                      "EOD"};
enum { HOSTILE = sizeof hostile / sizeof *hostile };

static struct plot *hostile_plot(bool bars) {
  static const double values[][2] = {{0, 2}, {1, 3}, {2, 1}, {3, 1}, {4, 2}, {5, 4}};
  struct plot *plot = plot_of(values, HOSTILE);
  struct plot_series *series = ARENA_ARRAY(&arena, struct plot_series, HOSTILE);
  for (size_t s = 0; s < HOSTILE; s++) {
    series[s] = plot_of(values, HOSTILE)->panels->series[0];
    series[s].name = hostile[s];
  }
  plot->title = hostile[0];
  plot->x.label = hostile[1];
  plot->x.unit = plot->panels->y.unit = hostile[2];
  plot->by = hostile[3];
  plot->panels->y.label = hostile[4];
  plot->panels->series = series;
  plot->panels->count = HOSTILE;
  if (bars) plot->categories = hostile, plot->category_count = HOSTILE;
  plot_arrange(&arena, plot);
  return plot;
}

static void gnuplot_takes_labels_for_labels(void **state) {
  (void)state;
  for (int bars = 0; bars < 2; bars++) {
    struct text out = {.arena = &arena}, again = {.arena = &arena}, why = {.arena = &arena};
    struct plot *plot = hostile_plot(bars);
    if (!plot_draw(&out, plot, &(struct plot_picture){.format = PLOT_SVG}, &why)) fail_msg("%s", why.data);
    assert_true(plot_draw(&again, plot, &(struct plot_picture){.format = PLOT_SVG}, &why));
    assert_string_equal(out.data, again.data);
    assert_non_null(strstr(out.data, "`touch plot-was-here`</text>"));
    assert_non_null(strstr(out.data, "\"; system \"touch plot-was-here\"; \""));
    assert_non_null(strstr(out.data, "@x $0 %s %d \\140touch\\140</text>"));
    assert_non_null(strstr(out.data, "&lt;script>&amp;amp;&lt;/script>"));
    assert_null(strstr(out.data, "<script"));
    assert_int_equal(access("plot-was-here", F_OK), -1);
    out.size = 0;
    assert_true(plot_draw(&out, plot, &(struct plot_picture){.format = PLOT_PNG}, &why));
    assert_memory_equal(out.data, "\x89PNG\r\n\x1a\n", 8);
  }
}

static void pictures_of_one_page_share_no_names(void **state) {
  (void)state;
  struct text out = {.arena = &arena}, why = {.arena = &arena};
  struct plot *plot = hostile_plot(false);
  assert_true(plot_draw(&out, plot, &(struct plot_picture){.number = 7, .bare = true}, &why));
  assert_int_equal(strncmp(out.data, "<svg", 4), 0);
  assert_non_null(strstr(out.data, "id='p7gpPt6'"));
  assert_non_null(strstr(out.data, "'#p7gpPt6'"));
  assert_null(strstr(out.data, "'gpPt"));
  assert_null(strstr(out.data, "#gpPt"));
}

static void a_missing_gnuplot_is_said(void **state) {
  (void)state;
  struct text out = {.arena = &arena}, why = {.arena = &arena};
  char *path = arena_copy(&arena, getenv("PATH"), strlen(getenv("PATH")));
  setenv("PATH", "/nowhere", 1);
  bool drawn = plot_draw(&out, hostile_plot(false), &(struct plot_picture){.format = PLOT_SVG}, &why);
  setenv("PATH", path, 1);
  assert_false(drawn);
  assert_string_equal(why.data,
                      "the program gnuplot, which draws plots, is not installed: the package gnuplot-nox has it");
  assert_int_equal(out.size, 0);
}

static void a_terminal_gets_no_control_characters(void **state) {
  (void)state;
  for (int bars = 0; bars < 2; bars++)
    for (size_t width = 0; width < 200; width += 13) {
      struct text out = {.arena = &arena};
      plot_print(&out, hostile_plot(bars), &(struct plot_terminal){.width = width});
      for (size_t i = 0; i < out.size; i++)
        assert_true(out.data[i] == '\n' || (unsigned char)out.data[i] >= ' ');
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(axes_read_well, open_arena, close_arena),
      cmocka_unit_test_setup_teardown(extremes_have_axes, open_arena, close_arena),
      cmocka_unit_test_setup_teardown(what_no_axis_shows_is_said, open_arena, close_arena),
      cmocka_unit_test_setup_teardown(labels_are_one_printable_line, open_arena, close_arena),
      cmocka_unit_test_setup_teardown(gnuplot_takes_labels_for_labels, open_arena, close_arena),
      cmocka_unit_test_setup_teardown(pictures_of_one_page_share_no_names, open_arena, close_arena),
      cmocka_unit_test_setup_teardown(a_missing_gnuplot_is_said, open_arena, close_arena),
      cmocka_unit_test_setup_teardown(a_terminal_gets_no_control_characters, open_arena, close_arena),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
