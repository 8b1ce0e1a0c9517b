/* The HTML page of `psl report`: what it holds, in which order; the style and the script stand in page.css,
 * explore.css, tables.js, explore.js and page.js.  Called by interp/study/document_page.c. */
#include "interp/report/page.h"
#include "grammar/characters.h"
#include "interp/report/timeline.h"

#include <math.h>
#include <string.h>

static const char style[] =
#include "page.css.inc"
    ;
static const char explore_style[] =
#include "explore.css.inc"
    ;
static const char tables_script[] =
#include "tables.js.inc"
    ;
static const char explore_script[] =
#include "explore.js.inc"
    ;
static const char script[] =
#include "page.js.inc"
    ;

const char *page_part(const char *name, size_t *size) {
  static const struct {
    const char *name, *text;
    size_t size;
  } parts[] = {{"explore.css", explore_style, sizeof explore_style - 1},
               {"tables.js", tables_script, sizeof tables_script - 1},
               {"explore.js", explore_script, sizeof explore_script - 1}};
  for (size_t p = 0; p < sizeof parts / sizeof *parts; p++) {
    if (strcmp(parts[p].name, name) != 0) continue;
    *size = parts[p].size;
    return parts[p].text;
  }
  return NULL;
}

void page_element(struct text *out, const char *name, const char *class, const char *text) {
  text_printf(out, "<%s", name);
  if (class) text_printf(out, " class=\"%s\"", class);
  text_char(out, '>');
  text_markup(out, text);
  text_printf(out, "</%s>\n", name);
}

/* ---- tables ---- */

enum { WORDS = 30 }; /* a text that is longer wants a column of some width */

void page_cell(struct text *out, const struct page_cell *cell, bool figures) {
  if (!figures)
    text_put(out, characters_width(cell->text, strlen(cell->text)) > WORDS ? "<td class=\"words\">" : "<td>");
  else if (isnan(cell->number))
    text_put(out, "<td class=\"n\" data-v=\"\">");
  else if (cell->half > 0)
    text_printf(out, "<td class=\"n\" data-v=\"%.17g\" data-h=\"%.17g\">", cell->number, cell->half);
  else
    text_printf(out, "<td class=\"n\" data-v=\"%.17g\">", cell->number);
  text_markup(out, cell->text);
  text_put(out, "</td>");
}

void page_heading(struct text *out, const struct page_column *column) {
  text_printf(out, "<th scope=\"col\"%s%s", column->figures ? " class=\"n\"" : "", column->param ? " data-param" : "");
  if (column->unit && *column->unit) {
    text_put(out, " data-unit=\"");
    text_markup(out, column->unit);
    text_char(out, '"');
  }
  text_put(out, "><button type=\"button\">");
  text_markup(out, column->name);
  text_put(out, "</button></th>");
}

void page_error(struct text *out, const char *error, size_t columns) {
  text_printf(out, "<td class=\"wrong words\" colspan=\"%zu\">", columns);
  text_markup(out, error);
  text_put(out, "</td>");
}

void page_table(struct output *out, const char *id, const struct page_table *table) {
  struct text *text = &out->text;
  text_printf(text,
              "<div class=\"rows\" tabindex=\"0\" role=\"region\" aria-label=\"%s\"><table id=\"%s\">\n<thead><tr>", id,
              id);
  for (size_t c = 0; c < table->column_count; c++)
    page_heading(text, &table->columns[c]);
  text_put(text, "</tr></thead>\n<tbody>\n");
  for (size_t r = 0; r < table->row_count; r++) {
    const struct page_row *row = &table->rows[r];
    text_printf(text, "<tr%s%s>", row->best ? " class=\"best\"" : "", row->chosen ? " aria-current=\"true\"" : "");
    size_t count = row->cell_count ? row->cell_count - 1 : table->column_count;
    for (size_t c = 0; c < count; c++)
      page_cell(text, &row->cells[c], table->columns[c].figures);
    if (row->cell_count) page_error(text, row->cells[count].text, table->column_count - count);
    text_put(text, "</tr>\n");
    output_pass(out);
  }
  text_put(text, "</tbody></table></div>\n");
}

/* ---- sections ---- */

void page_section(struct text *out, const char *id, const char *title) {
  text_printf(out, "<section id=\"%s\" aria-labelledby=\"%s-title\">\n<h2 id=\"%s-title\">", id, id, id);
  text_markup(out, title);
  text_put(out, "</h2>\n");
}

void page_section_end(struct text *out) { text_put(out, "</section>\n"); }

void page_begin(struct text *out, const char *title) {
  text_put(out, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                "style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">\n<title>");
  text_markup(out, title);
  text_put(out, "</title>\n<style>\n");
  text_put(out, explore_style); /* before that of pages, which has what holds in print */
  text_put(out, style);
  text_put(out, "</style>\n</head>\n<body>\n");
}

void page_end(struct text *out) {
  text_put(out, "<script>\n");
  text_put(out, tables_script);
  text_put(out, explore_script);
  text_put(out, script);
  text_put(out, "</script>\n</body>\n</html>\n");
}

void page_header(struct text *out, const struct page *page, const struct page_link *links) {
  text_put(out, "<header>\n");
  page_element(out, "p", "kicker", page->kicker);
  page_element(out, "h1", NULL, page->title);
  page_element(out, "p", "soft", page->subtitle);
  text_put(out, "<nav aria-label=\"Sections\">");
  for (; links->id; links++)
    text_printf(out, "<a href=\"#%s\">%s</a>", links->id, links->name);
  text_put(out, "</nav>\n</header>\n");
}

void page_footer(struct text *out, const struct page *page) {
  text_put(out, "</main>\n<footer>");
  text_markup(out, page->footer);
  text_put(out, "</footer>\n");
  page_end(out);
}

void page_answers(struct text *out, const struct page *page) {
  text_put(out, "<dl class=\"answers\">\n");
  for (size_t a = 0; a < page->answer_count; a++) {
    text_put(out, "<div>");
    page_element(out, "dt", NULL, page->answers[a].name);
    page_element(out, "dd", "value", page->answers[a].value);
    if (page->answers[a].note) page_element(out, "dd", "note", page->answers[a].note);
    text_put(out, "</div>\n");
  }
  text_put(out, "</dl>\n");
}

bool page_draw(struct page_plot *drawn, const struct plot *plot, unsigned number, struct text *why) {
  struct text wide = {.arena = why->arena}, narrow = {.arena = why->arena};
  struct plot_picture picture = {.format = PLOT_SVG, .number = number, .bare = true, .left = drawn->left};
  picture.across = drawn->left > 0 ? TIMES_ACROSS : 0;
  if (!plot_draw(&wide, plot, &picture, why)) return false;
  picture.narrow = true;
  if (!plot_draw(&narrow, plot, &picture, why)) return false;
  drawn->svg = wide.data;
  drawn->narrow = narrow.data;
  return true;
}

void page_plots(struct output *out, const struct page_plot *plots, size_t count) {
  struct text *text = &out->text;
  for (const struct page_plot *plot = plots; plot < plots + count; plot++) {
    page_element(text, "h3", NULL, plot->title);
    if (plot->svg) {
      text_printf(text, "<div class=\"plot%s\" role=\"group\" aria-label=\"Plot: ", plot->left > 0 ? " across" : "");
      text_markup(text, plot->title);
      text_printf(text, "\">\n<div class=\"large\">%s</div>\n<div class=\"small\">%s</div>\n</div>\n", plot->svg,
                  plot->narrow);
    } else {
      page_element(text, "p", "wrong", plot->why);
    }
    output_pass(out);
  }
}

static void put_plots(struct output *out, const struct page *page) {
  if (!page->plot_count) return;
  page_section(&out->text, "plots", "Plots");
  page_plots(out, page->plots, page->plot_count);
  page_section_end(&out->text);
}

/* A plot of any figures of the points, which begins as the first one of the study. */
static void put_explorer(struct text *out, const struct page_explorer *explorer) {
  const char *const names[] = {"x", "y", "by", "command", "system", "set", "run"};
  const char *const values[] = {explorer->x,      explorer->y,   explorer->by, explorer->command,
                                explorer->system, explorer->set, explorer->run};
  text_printf(out, "<div class=\"explorer\" data-table=\"%s\"%s%s", explorer->table,
              explorer->log_x ? " data-log-x" : "", explorer->log_y ? " data-log-y" : "");
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    if (!values[i]) continue;
    text_printf(out, " data-%s=\"", names[i]);
    text_markup(out, values[i]);
    text_char(out, '"');
  }
  text_put(out, "></div>\n");
}

static void put_points(struct output *out, const struct page *page) {
  page_section(&out->text, "all-points", "Points");
  if (page->points_note) page_element(&out->text, "p", "soft", page->points_note);
  if (page->explorer.table) put_explorer(&out->text, &page->explorer);
  page_table(out, "points", &page->points);
  page_section_end(&out->text);
}

static void put_point(struct output *out, const struct page *page) {
  page_section(&out->text, "one-point", "One point in detail");
  page_element(&out->text, "p", NULL, page->point_title);
  if (page->run)
    page_run(out, page);
  else
    page_element(&out->text, "p", "wrong", page->no_run);
  page_section_end(&out->text);
}

static void put_inputs(struct output *out, const struct page *page) {
  struct text *text = &out->text;
  page_section(text, "inputs", "Inputs");
  text_put(text, "<dl class=\"facts\">\n");
  for (size_t i = 0; i < page->input_count; i++) {
    page_element(text, "dt", NULL, page->inputs[i].name);
    page_element(text, "dd", NULL, page->inputs[i].value);
  }
  text_put(text, "</dl>\n");
  if (page->params.row_count) {
    page_element(text, "h3", NULL, "Params");
    page_table(out, "params", &page->params);
  }
  page_section_end(text);
}

void page_write(struct output *out, const struct page *page) {
  struct text *text = &out->text;
  page_begin(text, page->title);
  static const struct page_link links[] = {{"plots", "Plots"},
                                           {"all-points", "Points"},
                                           {"one-point", "One point in detail"},
                                           {"inputs", "Inputs"},
                                           {NULL, NULL}};
  page_header(text, page, page->plot_count ? links : links + 1);
  text_put(text, "<main>\n");
  page_answers(text, page);
  put_plots(out, page);
  put_points(out, page);
  put_point(out, page);
  put_inputs(out, page);
  page_footer(text, page);
  output_pass(out);
}
