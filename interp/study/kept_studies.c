/* psl_kept_studies: what studies a database has, by the names that are given to those who read one. */
#include "interp/library/handle.h"
#include "interp/report/json_read.h"
#include "interp/report/report.h"
#include "interp/study/document.h"

struct kept_given {
  const char *database;
  enum psl_format format;
  psl_write *write;
  void *user;
};

/* A number of the study's declaration; none where it is not there, or 0. */
static struct report_cell declared(const char *object, const char *name) {
  double number = json_read_number(json_read_member(object, name));
  return number > 0 ? cell_real(number) : cell_none();
}

static void put_study(struct report *report, const struct database_study *studies, size_t count,
                      const struct database_study *study) {
  double repetitions = json_read_number(json_read_member(study->declaration, "repetitions"));
  double seed = json_read_number(json_read_member(study->declaration, "seed"));
  const char *run = json_read_member(study->declaration, "run");
  report_row(report,
             (struct report_cell[]){cell_word(document_study_name(studies, count, study)), cell_word(study->system),
                                    cell_word(study->model), cell_count((int64_t)study->point_count),
                                    cell_count(repetitions >= 1 && repetitions < 1e15 ? (int64_t)repetitions : 1),
                                    cell_count(seed >= 0 && seed < 0x1p63 ? (int64_t)seed : 0),
                                    declared(run, "max-firings"), declared(run, "max-time"), declared(run, "warm-up")});
}

static void report_studies(struct report *report, const struct database_study *studies, size_t count) {
  static const struct report_column columns[] = {
      {"study", "study", .names = true},
      {"system", "system"},
      {"model", "model"},
      {"points", "points", FIGURE_COUNT},
      {"repetitions", "runs of each", FIGURE_COUNT},
      {"seed", "first seed", FIGURE_COUNT},
      {"max_firings", "max-firings", FIGURE_NUMBER, .audience = FOR_PROGRAMS},
      {"max_time", "max-time", FIGURE_TIME, "s", .audience = FOR_PROGRAMS},
      {"warm_up", "warm-up", FIGURE_TIME, "s", .audience = FOR_PROGRAMS},
  };
  const struct report_section section = {.key = "studies", REPORT_COLUMNS(columns), .main = true, .kept = true};
  report_section(report, &section);
  for (size_t s = 0; s < count; s++)
    put_study(report, studies, count, &studies[s]);
  report_end(report);
}

static enum psl_code work_kept_studies(struct psl *psl, void *arguments) {
  const struct kept_given *given = arguments;
  struct report report;
  size_t count = 0;
  struct database *database = database_open(&psl->work, &psl->diagnostics, given->database, DATABASE_READ);
  if (!database) return PSL_WRONG;
  const struct database_study *studies = database_studies(database, &psl->work, &count);
  bool fine = database_close(database) && studies;
  if (!fine) return PSL_WRONG;
  report_open(&report, given->format, psl->columns, &psl->work, given->write, given->user);
  report_studies(&report, studies, count);
  report_close(&report);
  return PSL_OK;
}

enum psl_code psl_kept_studies(struct psl *psl, const char *database, enum psl_format format, psl_write *write,
                               void *user) {
  return handle_enter(psl, work_kept_studies, &(struct kept_given){database, format, write, user});
}
