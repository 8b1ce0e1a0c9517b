/* Runs of a program that psl compile has put timers into, and of its model, for psl calibrate. */
#include "interp/cli/calibrate.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static void add_words(struct cli *cli, struct words *words, const char *text) {
  for (size_t length; *(text += strspn(text, " ")); text += length) {
    length = strcspn(text, " ");
    const char *word = scope_copy(cli->scope, text, length);
    SCOPE_PUSH(cli->scope, words->items, words->count, words->capacity, word);
  }
}

struct words words_of(struct cli *cli, const char *text) {
  struct words words = {0};
  add_words(cli, &words, text);
  return words;
}

/* ---- what the program has written ---- */

static struct timed *named(struct cli *cli, struct calibration *of, bool branch, const char *name) {
  struct timed **list = branch ? &of->branches : &of->nests;
  size_t *count = branch ? &of->branch_count : &of->nest_count;
  size_t *capacity = branch ? &of->branch_capacity : &of->nest_capacity;
  for (size_t i = 0; i < *count; i++)
    if (!strcmp((*list)[i].name, name)) return &(*list)[i];
  struct timed more = {.name = scope_copy(cli->scope, name, strlen(name)),
                       .figures = SCOPE_ARRAY(cli->scope, struct nest_shape, of->run_count),
                       .taken = SCOPE_ARRAY(cli->scope, double, of->run_count),
                       .passes = SCOPE_ARRAY(cli->scope, double, of->run_count)};
  more.shares = SCOPE_ARRAY(cli->scope, double, SHARES * of->repetitions);
  for (size_t r = 0; r < of->run_count; r++)
    more.figures[r].times = SCOPE_ARRAY(cli->scope, double, of->repetitions),
    more.figures[r].totals = SCOPE_ARRAY(cli->scope, double, of->repetitions);
  SCOPE_PUSH(cli->scope, *list, *count, *capacity, more);
  return &(*list)[*count - 1];
}

static bool wrong_program(struct cli *cli, const char *help, const char *message) {
  cli_error(cli, help, "%s %s", shown(cli, cli->arguments[1]), message);
  return false;
}

/* What all entries of a nest would take as those do that are no part of its `left` first ones. */
static double steady(double entries, double seconds, double left, double first) {
  return (seconds - first) / (entries - left) * entries;
}

/* What a run is for: times of nests, passes of branches, or times of nests with less of the caches. */
enum use { USE_TIMES, USE_COUNTS, USE_SHARE };
struct use_of {
  enum use use;
  size_t run, repetition, share;
};

static void add_nest(struct timed *nest, const struct calibration *of, const struct use_of *as, const double said[5]) {
  double entries = said[0], seconds = said[1], left = said[2], first = said[3];
  struct nest_shape *figures = &nest->figures[as->run];
  double all = entries > left ? steady(entries, seconds, left, first) : 0;
  if (as->use == USE_SHARE) nest->shares[as->share * of->repetitions + as->repetition] += all;
  if (as->use != USE_TIMES) return;
  if (!as->repetition) figures->program_entries += entries;
  if (!as->repetition) figures->pages += said[4];
  figures->totals[as->repetition] += seconds;
  figures->times[as->repetition] += all;
}

/* A file of one rank. */
static bool read_rank(struct cli *cli, struct calibration *of, const struct use_of *as, const char *path) {
  char line[4096], name[1024];
  bool whole = false;
  FILE *file = fopen(path, "r");
  if (!file) return wrong_program(cli, NULL, "has written times that cannot be read");
  while (fgets(line, sizeof line, file)) {
    double first, second, said[5];
    if (sscanf(line, "source %1000s", name) == 1 && strcmp(name, of->source) != 0) {
      fclose(file);
      return wrong_program(cli, "the model and the program are to be made of the same files, with the same --cc",
                           "was made of another source than the model");
    }
    if (sscanf(line, "nest %1000s %lf %lf %lf %lf %lf", name, &said[0], &said[1], &said[2], &said[3], &said[4]) == 6) {
      add_nest(named(cli, of, false, name), of, as, said);
    } else if (sscanf(line, "pages %lf", &first) == 1) {
      of->runs[as->run].pages += as->use == USE_TIMES && !as->repetition ? first : 0;
    } else if (sscanf(line, "branch %1000s %lf %lf", name, &first, &second) == 3) {
      struct timed *branch = named(cli, of, true, name);
      branch->taken[as->run] += as->use == USE_COUNTS ? first : 0;
      branch->passes[as->run] += as->use == USE_COUNTS ? second : 0;
    }
    whole |= !strcmp(line, "end\n");
  }
  fclose(file);
  return whole || wrong_program(cli, NULL, "has ended before its times were written");
}

static bool read_ranks(struct cli *cli, struct calibration *of, const struct use_of *as) {
  DIR *folder = opendir(of->folder);
  const struct dirent *entry;
  size_t ranks = 0;
  bool fine = folder != NULL;
  while (fine && (entry = readdir(folder))) {
    if (entry->d_name[0] < '0' || entry->d_name[0] > '9') continue;
    const char *path = scope_printf(cli->scope, "%s/%s", of->folder, entry->d_name);
    fine = read_rank(cli, of, as, path);
    remove(path);
    ranks++;
  }
  if (folder) closedir(folder);
  if (!fine) return false;
  if (!ranks)
    return wrong_program(cli, "psl compile --instrument FILE... -o PROGRAM makes one", "is no program with timers");
  if (ranks != cli->ranks)
    return wrong_program(cli, "--mpirun is to start as many as -n says",
                         scope_printf(cli->scope, "ran on %zu ranks, not on %u", ranks, cli->ranks));
  return true;
}

/* ---- one run ---- */

/* The end of what a program has said of an error. */
static void say_output(struct cli *cli, const char *path) {
  size_t size;
  const char *text = file_read(cli, path, &size), *from = text;
  for (const char *line = text; line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : "")
    if (strlen(line) > 2000) from = line;
  if (from) fputs(from, stderr);
}

static bool start(struct cli *cli, struct calibration *of, size_t run, bool counts) {
  struct words words = {0};
  const char *own = "/proc/self/exe", *end = NULL, *said = scope_printf(cli->scope, "%s/said", of->folder);
  if (cli->launcher) {
    add_words(cli, &words, cli->launcher);
  } else {
    SCOPE_PUSH(cli->scope, words.items, words.count, words.capacity, own);
    add_words(cli, &words, scope_printf(cli->scope, "-q mpirun --costs none -n %u", cli->ranks));
  }
  const char *program = counts ? of->counting : cli->arguments[1];
  SCOPE_PUSH(cli->scope, words.items, words.count, words.capacity, program);
  add_words(cli, &words, of->runs[run].text);
  SCOPE_PUSH(cli->scope, words.items, words.count, words.capacity, end);
  setenv("PSL_NESTS", of->folder, 1);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  const char *input = of->runs[run].input;
  posix_spawn_file_actions_addopen(&actions, 0, input ? input : "/dev/null", 0, 0);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", 1, 0);
  posix_spawn_file_actions_addopen(&actions, 2, said, 01 | 0100 | 01000, 0600);
  pid_t process;
  int status = 0, wrong = posix_spawnp(&process, words.items[0], &actions, NULL, (char **)words.items, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (wrong && input && access(input, R_OK) != 0) {
    cli_error(cli, NULL, "%s cannot be read: %s", shown(cli, input), strerror(errno));
    return false;
  }
  if (wrong) {
    cli_error(cli, NULL, "%s cannot be started: %s", words.items[0], strerror(wrong));
    return false;
  }
  while (waitpid(process, &status, 0) < 0)
    if (errno != EINTR) return false;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return true;
  if (interrupted) return false;
  say_output(cli, said);
  cli_error(cli, NULL, "%s %s has failed", shown(cli, program), of->runs[run].name);
  return false;
}

static bool timed_run(struct cli *cli, struct calibration *of, size_t run, size_t repetition) {
  if (of->runs[run].foretold) return true;
  if (!start(cli, of, run, false) || !read_ranks(cli, of, &(struct use_of){USE_TIMES, run, repetition, 0}))
    return false;
  if (repetition || run >= of->fitted_count || access(of->counting, X_OK) != 0) return true;
  return start(cli, of, run, true) && read_ranks(cli, of, &(struct use_of){USE_COUNTS, run, 0, 0});
}

/* ---- with less of the caches ---- */

/* A cache of which so much is taken has for the program what it has for so many times as much data. The first share
 * takes what lies in the nearest cache, as all others do. Where that much data would leave the last level, this one is
 * taken, unless it is larger than what can be read so often. */
static void share_caches(struct calibration *of) {
  const long near = sysconf(_SC_LEVEL1_DCACHE_SIZE), middle = sysconf(_SC_LEVEL2_CACHE_SIZE);
  const long last = sysconf(_SC_LEVEL3_CACHE_SIZE), most = 64L << 20, page = sysconf(_SC_PAGESIZE);
  double data = of->runs[of->largest].pages * (double)page;
  if (near <= 0 || middle <= 4 * near || data <= 0) return;
  of->shares[0] = (struct cache_share){1, 2 * (size_t)near};
  for (size_t s = 1; s < SHARES; s++) {
    double times = ldexp(1, (int)s);
    bool leaves = last > middle && last <= most && times * data > (double)last / 2;
    double taken = (1 - 1 / times) * (double)(leaves ? last : middle);
    of->shares[s] = (struct cache_share){times, ((size_t)taken + (size_t)page - 1) / (size_t)page * (size_t)page};
  }
}

static bool take(struct cli *cli, const struct calibration *of, size_t bytes) {
  const char *path = scope_printf(cli->scope, "%s/taken", of->folder);
  FILE *file = fopen(path, "w");
  static const char some[4096] = {1};
  bool fine = file != NULL;
  for (size_t done = 0; fine && done < bytes; done += sizeof some)
    fine = fwrite(some, sizeof some, 1, file) == 1;
  if (file && fclose(file) != 0) fine = false;
  if (!fine) cli_error(cli, NULL, "%s cannot be written: %s", path, strerror(errno));
  return fine;
}

/* The largest run, by what the first repetition has shown. */
static bool timed_shares(struct cli *cli, struct calibration *of, size_t repetition) {
  bool fine = true;
  for (size_t s = 1; s < of->fitted_count && !repetition; s++)
    if (of->runs[s].pages > of->runs[of->largest].pages) of->largest = s;
  if (!repetition) share_caches(of);
  for (size_t s = 0; s < SHARES && of->shares[s].taken && fine; s++)
    fine = take(cli, of, of->shares[s].taken) && start(cli, of, of->largest, false) &&
           read_ranks(cli, of, &(struct use_of){USE_SHARE, of->largest, repetition, s});
  remove(scope_printf(cli->scope, "%s/taken", of->folder));
  return fine;
}

bool timed_runs(struct cli *cli, struct calibration *of) {
  for (size_t r = 0; r < of->repetitions; r++) {
    for (size_t s = 0; s < of->run_count; s++)
      if (!timed_run(cli, of, s, r)) return false;
    if (!timed_shares(cli, of, r)) return false;
  }
  return true;
}

/* ---- the model ---- */

/* Beside the model a component for each nest, by whose name the report has what the nest takes. */
static const char *counting_text(struct cli *cli, const struct calibration *of) {
  struct buffer text = {.scope = cli->scope};
  buffer_put(&text, of->text, of->size);
  for (size_t i = 0; i < of->nest_count; i++) {
    const char *name = of->nests[i].name;
    const char *component = scope_printf(
        cli->scope,
        "\ncomponent " COUNTED "%s {\naccepts:\nprofile = { domain = hardware[processor], node type = processor, "
        "machine = N/A, rank = N/A, evaluation mode = counted, nest = %s };\ntransaction = execute(work);\n"
        "protocol = call-return;\nbody:\nhold work;\n}\n",
        name, name);
    buffer_put(&text, component, strlen(component));
  }
  return text.data;
}

static bool set(struct psl *psl, const char *name, const char *value) { return psl_set(psl, name, value) == PSL_OK; }

static bool gives(const struct words *settings, const char *name) {
  size_t length = strlen(name);
  for (size_t i = 0; i < settings->count; i++)
    if (!strncmp(settings->items[i], name, length) && settings->items[i][length] == '=') return true;
  return false;
}

/* Is it what a param can be given, a number or a truth value? */
static bool is_value(const char *word) {
  char *end;
  strtod(word, &end);
  return (end != word && !*end) || !strcmp(word, "true") || !strcmp(word, "false");
}

/* What the run is given is what the params are that say they are arguments. */
static bool add_arguments(struct cli *cli, const struct calibration *of, struct calibrated_run *run) {
  struct words words = words_of(cli, run->text);
  for (size_t i = 0; i < of->argument_count; i++) {
    const struct argument_param *argument = &of->arguments[i];
    const char *help = scope_printf(cli->scope, "--with '%s=...' behind the run says what it is there", argument->name);
    if (gives(&run->settings, argument->name)) continue;
    if (argument->number > words.count) {
      cli_error(cli, help, "'%s' has no argument %zu, which is '%s' of the model", run->text, argument->number,
                argument->name);
      return false;
    }
    const char *word = words.items[argument->number - 1];
    if (!is_value(word)) {
      cli_error(cli, help, "argument %zu of the run '%s' is '%s' of the model, and '%s' is no number", argument->number,
                shown(cli, run->text), argument->name, shown(cli, word));
      return false;
    }
    const char *setting = scope_printf(cli->scope, "%s=%s", argument->name, word);
    SCOPE_PUSH(cli->scope, run->settings.items, run->settings.count, run->settings.capacity, setting);
  }
  return true;
}

static bool holds(const struct words *words, const char *word) {
  for (size_t i = 0; i < words->count; i++)
    if (!strcmp(words->items[i], word)) return true;
  return false;
}

static bool same_settings(const struct words *a, const struct words *b) {
  for (size_t i = 0; i < a->count; i++)
    if (!holds(b, a->items[i])) return false;
  return a->count == b->count;
}

static bool refuse_alike(struct cli *cli, const struct calibration *of) {
  const char *params = "n=256";
  for (size_t i = 0; i < of->read.count && i < 4; i++)
    params = scope_printf(cli->scope, "%s%s%s=...", i ? params : "", i ? "," : "", of->read.items[i]);
  const char *why = of->argument_count ? "they give the same values to its params"
                                       : "none of its params is an argument of the program";
  cli_error(cli, scope_printf(cli->scope, "--with '%s' behind each run says what the model's params are in it", params),
            "the model cannot tell the runs '%s' and '%s' apart: %s", of->runs[0].name,
            of->runs[of->fitted_count - 1].name, why);
  return false;
}

static void find_params(struct cli *cli, struct calibration *of, const struct psl_param *params, size_t count) {
  static const char says[] = ": argument ", reads[] = ": read by the program";
  for (size_t p = 0; p < count; p++) {
    const char *at = params[p].doc ? strstr(params[p].doc, says) : NULL, *name;
    if (!at && !(params[p].doc && strstr(params[p].doc, reads))) continue;
    name = scope_printf(cli->scope, "%s", params[p].name);
    struct argument_param argument = {name, at ? (size_t)atol(at + strlen(says)) : 0};
    if (argument.number)
      SCOPE_PUSH(cli->scope, of->arguments, of->argument_count, of->argument_capacity, argument);
    else if (!at)
      SCOPE_PUSH(cli->scope, of->read.items, of->read.count, of->read.capacity, name);
  }
}

bool runs_told_apart(struct cli *cli, struct calibration *of) {
  const struct psl_param *params;
  size_t count;
  struct psl *psl = cli_open(cli);
  bool fine = psl && psl_load_text(psl, cli->arguments[0], of->text, of->size) == PSL_OK &&
              psl_params(psl, &params, &count) == PSL_OK;
  if (fine) find_params(cli, of, params, count);
  for (size_t s = 0; s < of->run_count && fine; s++) {
    struct calibrated_run *run = &of->runs[s];
    for (size_t i = 0; i < run->with.count && fine; i++) {
      fine = psl_set_line(psl, "--with", 1, run->with.items[i]) == PSL_OK;
      SCOPE_PUSH(cli->scope, run->settings.items, run->settings.count, run->settings.capacity, run->with.items[i]);
    }
    fine = fine && add_arguments(cli, of, run);
  }
  if (psl) cli_close(cli, psl);
  if (!fine) return false;
  for (size_t s = 1; s < of->fitted_count; s++)
    if (!same_settings(&of->runs[s].settings, &of->runs[0].settings)) return true;
  return refuse_alike(cli, of);
}

/* As --set and --params say, or the model. */
static bool put_back(const struct cli *cli, struct psl *psl, const char *name) {
  bool fine = psl_unset(psl, name) == PSL_OK;
  for (size_t i = 0; i < cli->setting_count && fine; i++) {
    const struct cli_setting *given = &cli->settings[i];
    if (strcmp(given->name, name) != 0) continue;
    fine = (given->file ? psl_set_line(psl, given->file, given->number, given->line)
                        : psl_set(psl, name, given->value)) == PSL_OK;
  }
  return fine;
}

static bool set_run(struct cli *cli, const struct calibration *of, size_t run) {
  for (size_t s = 0; s < of->run_count; s++)
    for (size_t i = 0; i < of->runs[s].with.count; i++) {
      const char *with = of->runs[s].with.items[i];
      if (s != run && !put_back(cli, of->psl, scope_copy(cli->scope, with, strcspn(with, "=")))) return false;
    }
  const struct words *settings = &of->runs[run].settings;
  for (size_t i = 0; i < settings->count; i++)
    if (psl_set_line(of->psl, i < of->runs[run].with.count ? "--with" : "--arguments", 1, settings->items[i]) != PSL_OK)
      return false;
  return true;
}

/* What is measured is not given, too. */
static bool none_measured(struct cli *cli, const struct calibration *of) {
  for (size_t i = 0; i < of->nest_count + of->branch_count; i++) {
    bool nest = i < of->nest_count;
    const char *name = nest ? of->nests[i].name : of->branches[i - of->nest_count].name;
    const char *factor = scope_printf(cli->scope, nest ? "%s-factor" : "%s", name);
    const char *work = scope_printf(cli->scope, "%s-work", name);
    for (size_t s = 0; s < of->run_count; s++) {
      if (!gives(&of->runs[s].with, factor) && !gives(&of->runs[s].with, work)) continue;
      cli_error(cli, NULL, "'%s' is measured, and --with of the run '%s' cannot give it", factor, of->runs[s].name);
      return false;
    }
  }
  return true;
}

bool model_open(struct cli *cli, struct calibration *of) {
  const struct psl_param *params;
  size_t count;
  int code;
  const char *text = counting_text(cli, of);
  of->psl = cli_open(cli);
  if (!of->psl || psl_load_text(of->psl, cli->arguments[0], text, strlen(text)) != PSL_OK) return false;
  if (!cli_set_params(cli, of->psl, &code) || psl_params(of->psl, &params, &count) != PSL_OK) return false;
  for (size_t p = 0; p < count; p++) {
    for (size_t i = 0; i < of->nest_count + of->branch_count; i++) {
      struct timed *one = i < of->nest_count ? &of->nests[i] : &of->branches[i - of->nest_count];
      const char *name = i < of->nest_count ? scope_printf(cli->scope, "%s-factor", one->name) : one->name;
      if (i < of->nest_count && !strcmp(params[p].name, scope_printf(cli->scope, "%s-first", one->name)))
        one->begins = true;
      if (strcmp(params[p].name, name) != 0 || !params[p].doc) continue;
      one->place = scope_printf(cli->scope, "%s", params[p].doc);
    }
  }
  for (size_t i = 0; i < of->nest_count; i++) {
    const char *name = of->nests[i].name;
    if (!of->nests[i].place) {
      cli_error(cli, "psl compile makes it anew",
                "the model has no param '%s-factor', which the program has a timer for", name);
      return false;
    }
    if (!set(of->psl, scope_printf(cli->scope, "%s-factor", name), "[1.0]") ||
        !set(of->psl, scope_printf(cli->scope, "%s-work", name), "[0 s]") ||
        (of->nests[i].begins && !set(of->psl, scope_printf(cli->scope, "%s-first", name), "0.0")))
      return false;
  }
  if (!none_measured(cli, of)) return false;
  return set(of->psl, "nests", "counted") && set(of->psl, "ranks", scope_printf(cli->scope, "%u", cli->ranks));
}

bool model_run(struct cli *cli, struct calibration *of, size_t run, double *times) {
  const struct psl_results *results;
  if (!set_run(cli, of, run) || psl_run(of->psl, NULL, NULL, &results) != PSL_OK) return false;
  for (size_t i = 0; i < of->nest_count; i++)
    for (size_t c = 0; c < results->component_count; c++) {
      const struct psl_component *component = &results->components[c];
      if (strncmp(component->name, COUNTED, strlen(COUNTED)) != 0 ||
          strcmp(component->name + strlen(COUNTED), of->nests[i].name) != 0)
        continue;
      times[i] = component->share.compute;
      of->nests[i].figures[run].entries = (double)component->firings;
    }
  psl_drop(of->psl, results);
  return true;
}

/* ---- what was measured ---- */

/* What a run gives the param; false: nothing, or no number. */
static bool given_number(const struct calibration *of, size_t run, const char *name, double *number) {
  const struct words *settings = &of->runs[run].settings;
  size_t length = strlen(name);
  for (size_t i = settings->count; i-- > 0;) { /* the last one counts */
    const char *item = settings->items[i];
    if (strncmp(item, name, length) != 0 || item[length] != '=') continue;
    char *end;
    *number = strtod(item + length + 1, &end);
    return end != item + length + 1 && !*end;
  }
  return false;
}

/* Does an entry into a nest have another work where the param is twice what it is in the first run? */
static bool is_shape(struct cli *cli, struct calibration *of, const char *name, bool *shape) {
  double number, *times = SCOPE_ARRAY(cli->scope, double, of->nest_count);
  double *entries = SCOPE_ARRAY(cli->scope, double, of->nest_count);
  *shape = false;
  if (!given_number(of, 0, name, &number) || number == 0) return true;
  struct calibrated_run run = of->runs[0];
  const char *twice = scope_printf(cli->scope, "%s=%.17g", name, 2 * number);
  of->runs[0].settings = (struct words){0};
  for (size_t i = 0; i < run.settings.count; i++)
    SCOPE_PUSH(cli->scope, of->runs[0].settings.items, of->runs[0].settings.count, of->runs[0].settings.capacity,
               run.settings.items[i]);
  SCOPE_PUSH(cli->scope, of->runs[0].settings.items, of->runs[0].settings.count, of->runs[0].settings.capacity, twice);
  for (size_t i = 0; i < of->nest_count; i++)
    entries[i] = of->nests[i].figures[0].entries;
  bool fine = model_run(cli, of, 0, times);
  for (size_t i = 0; i < of->nest_count; i++) {
    struct nest_shape *figures = &of->nests[i].figures[0];
    double before = entries[i] > 0 ? figures->work / entries[i] : 0;
    double after = figures->entries > 0 ? times[i] / figures->entries : 0;
    *shape |= fabs(after - before) > 1e-6 * before;
    figures->entries = entries[i];
  }
  of->runs[0] = run;
  return fine;
}

static bool add_range(struct cli *cli, struct calibration *of, const char *name) {
  struct measured_range range = {.name = name, .low = INFINITY, .high = -INFINITY};
  bool shape;
  if (!is_shape(cli, of, name, &shape)) return false;
  for (size_t s = 0; s < of->fitted_count && shape; s++) {
    double number;
    if (!given_number(of, s, name, &number)) continue;
    range.low = fmin(range.low, number);
    range.high = fmax(range.high, number);
  }
  if (shape) SCOPE_PUSH(cli->scope, of->ranges, of->range_count, of->range_capacity, range);
  return true;
}

bool model_ranges(struct cli *cli, struct calibration *of) {
  for (size_t i = 0; i < of->argument_count; i++)
    if (!add_range(cli, of, of->arguments[i].name)) return false;
  for (size_t i = 0; i < of->read.count; i++)
    if (!add_range(cli, of, of->read.items[i])) return false;
  return true;
}
