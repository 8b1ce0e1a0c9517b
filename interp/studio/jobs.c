/* Runs and studies that the page asks for: psl's own commands, whose reports become pages.  A study keeps its points in
 * a database, of which the page is then made; so is one of a study that a database of the folder has.  A run keeps the
 * text that it is of, so that two runs can be told apart when the text has long changed.  Each job has a thread that
 * starts its programs one after another and reads what they say, by a terminal, since psl says there how far it has
 * come. */
#include "interp/studio/studio_server.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_JOBS = 20, MOST_RUNNING = 4, PATIENCE = 10000 /* ms */, LARGEST_PAGE = 64 << 20 };

struct job {
  struct job *next;
  struct studio *studio;
  unsigned number;
  char *path, *name;                 /* the model; the system or study, NULL: its own */
  struct settings settings, against; /* against: of the other run, which this is the difference to */
  struct settings how;               /* --seed=7 */
  char *texts[2];                    /* the names of what two runs were of; NULL: it is no difference */
  char *studies[2];                  /* of databases: by their names there; NULL: its only one */
  bool study, timeline, of_studies;  /* of_studies: it is the difference of two studies */
  int folder;
  pthread_t thread;
  bool threaded;
  /* Under the lock: */
  pid_t process; /* 0: none runs */
  bool stopped, ended;
  unsigned news; /* counts what there is to say */
  int status;
  struct chars said;     /* on standard error, without the progress */
  struct chars progress; /* its last line */
  struct job_page {
    char secret[SECRET + 1]; /* its address; "": there is none */
    char file[32];
    const char *type;
  } page;
  struct slices *slices; /* what each process did when; NULL: was not kept, or is not there yet */
};

static const char html[] = "text/html; charset=utf-8";

/* ---- files of programs ---- */

static char *scratch_path(const struct job *job, const char *what) {
  struct chars path = {0};
  chars_put(&path, "%s/%u-%s", job->studio->scratch, job->number, what);
  return path.data;
}

static const char *last_part(const char *path) {
  const char *stroke = strrchr(path, '/');
  return stroke ? stroke + 1 : path;
}

/* What people see as well, where two of them are compared: `run 1, farm.psl`, `study 2.db`. */
static char *text_path(const struct job *job) {
  struct chars path = {0};
  chars_put(&path, "%s/run %u, %s", job->studio->scratch, job->number, last_part(job->path));
  return path.data;
}
static char *database_path(const struct job *job, const char *behind) {
  struct chars path = {0};
  chars_put(&path, "%s/study %u.db%s", job->studio->scratch, job->number, behind);
  return path.data;
}

static bool is_there(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && status.st_size > 0;
}

/* A page is there once its program has written it. */
static void publish(struct job *job, struct job_page *page, const char *what, const char *type) {
  char *path = scratch_path(job, what);
  if (is_there(path)) {
    pthread_mutex_lock(&job->studio->lock);
    snprintf(page->file, sizeof page->file, "%s", what);
    page->type = type;
    secret_make(page->secret);
    job->news++;
    pthread_mutex_unlock(&job->studio->lock);
  }
  free(path);
}

/* What the processes did, of a run that may have been stopped. */
static void open_slices(struct job *job, const char *what) {
  char *path = scratch_path(job, what);
  struct slices *slices = slices_open(path);
  free(path);
  if (!slices) return;
  pthread_mutex_lock(&job->studio->lock);
  slices_drop(job->slices);
  job->slices = slices;
  job->news++;
  pthread_mutex_unlock(&job->studio->lock);
}

static void remove_files(const struct job *job) {
  static const char *const names[] = {"page.html", "page.html.partial", "time.slices", "time.slices.partial",
                                      "points.csv"};
  static const char *const endings[] = {"", "-wal", "-shm", "-journal"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char *path = scratch_path(job, names[i]);
    unlink(path);
    free(path);
  }
  for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
    char *path = database_path(job, endings[i]);
    unlink(path);
    free(path);
  }
  char *text = text_path(job);
  unlink(text);
  free(text);
}

/* ---- what they say ---- */

/* A line that the next one overwrites is progress: "\r\033[K12 of 30 runs\r". */
static void add_line(struct job *job, char *line) {
  char *clear;
  while ((clear = strstr(line, "\033[K")))
    line = clear + 3;
  char *end = line + strcspn(line, "\r");
  bool progress = *end && end[1] == 0 && end > line;
  *end = 0;
  struct chars *to = progress ? &job->progress : &job->said;
  if (progress) to->size = 0;
  if (to->size < 100000) chars_add(to, line, strlen(line));
  if (!progress && to->size < 100000) chars_add(to, "\n", 1);
}

/* Ends by "\n" or by the "\r" of a line of progress, which is alone or before the next one's beginning. */
static size_t line_size(const char *text, size_t size) {
  for (size_t i = 0; i < size; i++) {
    if (text[i] == '\n') return i + 1;
    if (text[i] == '\r' && i && i + 1 == size) return size;
    if (text[i] == '\r' && i && text[i + 1] == '\r') return i + 1;
  }
  return 0;
}

static void take_lines(struct job *job, struct chars *text) {
  size_t size;
  pthread_mutex_lock(&job->studio->lock);
  while ((size = line_size(text->data, text->size))) {
    char *line = memory_copy(text->data, size);
    bool whole = line[size - 1] == '\n';
    if (whole) line[size - 1] = 0;
    if (whole && size > 1 && line[size - 2] == '\r') line[size - 2] = 0;
    if (whole || size > 1) add_line(job, line);
    free(line);
    text->size -= size;
    memmove(text->data, text->data + size, text->size + 1);
  }
  job->news++;
  pthread_cond_broadcast(&job->studio->changed);
  pthread_mutex_unlock(&job->studio->lock);
}

static void listen_to(struct job *job, int terminal) {
  struct chars text = {0};
  char piece[1 << 14];
  ssize_t size;
  while ((size = read(terminal, piece, sizeof piece)) > 0 || (size < 0 && errno == EINTR)) {
    if (size > 0) chars_add(&text, piece, (size_t)size);
    if (size > 0) take_lines(job, &text);
  }
  if (text.size) chars_add(&text, "\n", 1), take_lines(job, &text);
  chars_drop(&text);
}

/* ---- programs ---- */

enum { TERMINAL_NAME = 64 };

static int terminal_open(char name[TERMINAL_NAME]) {
  int terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (terminal < 0) return -1;
  if (!grantpt(terminal) && !unlockpt(terminal) && !ptsname_r(terminal, name, TERMINAL_NAME)) return terminal;
  close(terminal);
  return -1;
}

/* Where a study writes its points as they come; what others write to standard output nobody reads. */
static int open_output(const struct job *job) {
  if (!job->study) return open("/dev/null", O_WRONLY | O_CLOEXEC);
  char *path = scratch_path(job, "points.csv");
  int output = open(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600);
  free(path);
  return output;
}

/* Starts it unless the job is to end, so that whoever stops the job finds its process. */
static pid_t start(struct job *job, const struct words *words, const char *terminal) {
  pid_t process = -1;
  int output = open_output(job);
  pthread_mutex_lock(&job->studio->lock);
  if (!job->stopped && !job->studio->stopping && output >= 0)
    process = program_start(words, job->folder, -1, output, -1, terminal);
  job->process = process > 0 ? process : 0;
  pthread_mutex_unlock(&job->studio->lock);
  if (output >= 0) close(output);
  return process;
}

/* The process is waited for under the lock, where it has ended: nobody stops another one of its number. */
static int perform(struct job *job, const struct words *words) {
  char name[TERMINAL_NAME];
  int terminal = terminal_open(name);
  pid_t process = terminal < 0 ? -1 : start(job, words, name);
  if (process > 0) listen_to(job, terminal);
  if (terminal >= 0) close(terminal);
  if (process <= 0) return -1;
  pthread_mutex_lock(&job->studio->lock);
  int status = program_end(process);
  job->process = 0;
  pthread_mutex_unlock(&job->studio->lock);
  return status;
}

void settings_add(const struct settings *settings, const char *option, struct words *words) {
  for (size_t i = 0; i < settings->count; i++) {
    word_add(words, option);
    word_add(words, settings->items[i]);
  }
}

static void add_model(const struct job *job, struct words *words, char **file) {
  struct chars path = {0};
  chars_put(&path, "./%s", last_part(job->path));
  *file = path.data;
  word_add(words, *file);
  if (job->name) word_add(words, job->name);
}

/* The text as it is when the run begins. */
static void keep_text(const struct job *job) {
  const char *last = last_part(job->path);
  char *to = text_path(job), piece[1 << 16];
  int in = openat(job->folder, last, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  FILE *out = in < 0 ? NULL : fopen(to, "w");
  ssize_t size;
  while (out && (size = read(in, piece, sizeof piece)) > 0)
    fwrite(piece, 1, (size_t)size, out);
  if (out) fclose(out);
  if (in >= 0) close(in);
  free(to);
}

/* Of two databases, by the names of their studies, which both have, or neither. */
static int perform_study_difference(struct job *job) {
  struct words words;
  char *page = scratch_path(job, "page.html");
  words_begin(&words, job->studio, "diff");
  word_add(&words, "--output");
  word_add(&words, page);
  word_add(&words, job->texts[0]);
  word_add(&words, job->texts[1]);
  for (int side = 0; side < 2 && job->studies[side]; side++)
    word_add(&words, job->studies[side]);
  int status = perform(job, &words);
  words_drop(&words);
  publish(job, &job->page, "page.html", html);
  free(page);
  return status;
}

/* Of two texts that lie beside each other elsewhere: what they use is found in the folder of the model. */
static int perform_difference(struct job *job) {
  struct words words;
  struct chars folder = {0};
  char *page = scratch_path(job, "page.html");
  words_begin(&words, job->studio, "diff");
  chars_put(&folder, "%s/%.*s", job->studio->folder_path, (int)(last_part(job->path) - job->path), job->path);
  word_add(&words, "--include");
  word_add(&words, folder.data);
  word_add(&words, "--output");
  word_add(&words, page);
  if (job->name) {
    word_add(&words, "--system");
    word_add(&words, job->name);
  }
  settings_add(&job->settings, "--set", &words);
  settings_add(&job->against, "--against", &words);
  word_add(&words, job->texts[0]);
  word_add(&words, job->texts[1]);
  int status = perform(job, &words);
  words_drop(&words);
  publish(job, &job->page, "page.html", html);
  chars_drop(&folder);
  free(page);
  return status;
}

static int perform_run(struct job *job) {
  struct words words;
  bool made = trace_named(job->path) || database_named(job->path); /* of runs that have been */
  if (!made) keep_text(job);
  char *file, *page = scratch_path(job, "page.html"), *times = scratch_path(job, "time.slices");
  words_begin(&words, job->studio, made ? "report" : "run");
  word_add(&words, "--output");
  word_add(&words, page);
  if (job->timeline && !made) {
    word_add(&words, "--trace");
    word_add(&words, times);
  }
  settings_add(&job->settings, "--set", &words);
  for (size_t i = 0; i < job->how.count; i++)
    word_add(&words, job->how.items[i]);
  add_model(job, &words, &file);
  int status = perform(job, &words);
  words_drop(&words);
  publish(job, &job->page, is_there(page) ? "page.html" : "page.html.partial", html);
  if (job->timeline) open_slices(job, is_there(times) ? "time.slices" : "time.slices.partial");
  free(file), free(page), free(times);
  return status;
}

static int make_page(struct job *job, const char *database) {
  struct words words;
  char *page = scratch_path(job, "page.html");
  words_begin(&words, job->studio, "report");
  word_add(&words, "--output");
  word_add(&words, page);
  word_add(&words, database);
  int status = perform(job, &words);
  words_drop(&words);
  publish(job, &job->page, "page.html", html);
  free(page);
  return status;
}

/* What an interrupted study has is shown, too; points that failed make its status 1. */
static int perform_study(struct job *job) {
  struct words words;
  char *file, *database = database_path(job, "");
  words_begin(&words, job->studio, "study");
  word_add(&words, "--format");
  word_add(&words, "csv");
  word_add(&words, "--db");
  word_add(&words, database);
  settings_add(&job->settings, "--set", &words);
  add_model(job, &words, &file);
  int status = perform(job, &words);
  words_drop(&words);
  pthread_mutex_lock(&job->studio->lock);
  bool stopped = job->stopped;
  job->stopped = false;
  pthread_mutex_unlock(&job->studio->lock);
  if (is_there(database)) make_page(job, database);
  pthread_mutex_lock(&job->studio->lock);
  job->stopped |= stopped;
  pthread_mutex_unlock(&job->studio->lock);
  free(file), free(database);
  return status;
}

static void *work(void *user) {
  struct job *job = user;
  int status = job->of_studies ? perform_study_difference(job)
               : job->study    ? perform_study(job)
               : job->texts[0] ? perform_difference(job)
                               : perform_run(job);
  pthread_mutex_lock(&job->studio->lock);
  job->status = status;
  job->ended = true;
  job->news++;
  job->progress.size = 0;
  pthread_cond_broadcast(&job->studio->changed);
  pthread_mutex_unlock(&job->studio->lock);
  return NULL;
}

/* ---- jobs ---- */

void settings_drop(struct settings *settings) {
  for (size_t i = 0; i < settings->count; i++)
    free(settings->items[i]);
  free(settings->items);
}

static void drop(struct job *job) {
  if (job->threaded) pthread_join(job->thread, NULL);
  if (*job->studio->scratch) remove_files(job);
  close(job->folder);
  slices_drop(job->slices);
  settings_drop(&job->settings), settings_drop(&job->against), settings_drop(&job->how);
  for (int side = 0; side < 2; side++)
    free(job->texts[side]), free(job->studies[side]);
  free(job->path), free(job->name);
  chars_drop(&job->said), chars_drop(&job->progress);
  free(job);
}

/* With the lock. To interrupt it once lets it write what there is; it has a moment for that. */
static void stop(struct job *job) {
  if (!job->ended && job->process > 0) kill(-job->process, job->stopped ? SIGKILL : SIGINT);
  job->stopped = true;
}

void jobs_end(struct studio *studio) {
  pthread_mutex_lock(&studio->lock);
  struct job *job = studio->jobs;
  studio->jobs = NULL;
  for (struct job *j = job; j; j = j->next) {
    stop(j);
    stop(j);
  }
  pthread_mutex_unlock(&studio->lock);
  while (job) {
    struct job *next = job->next;
    drop(job);
    job = next;
  }
  if (*studio->scratch) rmdir(studio->scratch);
}

/* The oldest of those that have ended, when there are too many. */
static struct job *too_old(struct studio *studio, size_t *running) {
  struct job **link = &studio->jobs, **oldest = NULL;
  size_t count = 0;
  *running = 0;
  for (; *link; link = &(*link)->next, count++) {
    if ((*link)->ended) oldest = link;
    *running += !(*link)->ended;
  }
  if (count < MOST_JOBS || !oldest) return NULL;
  struct job *old = *oldest;
  *oldest = old->next;
  return old;
}

/* A folder of this user alone, made when it is first needed. */
static bool scratch_make(struct studio *studio) {
  if (*studio->scratch) return true;
  const char *place = getenv("TMPDIR");
  snprintf(studio->scratch, sizeof studio->scratch, "%s/psl-studio-XXXXXX", place && *place == '/' ? place : "/tmp");
  if (mkdtemp(studio->scratch)) return true;
  *studio->scratch = 0;
  return false;
}

bool settings_take(struct settings *to, json_t *settings, struct refusal *refusal) {
  const char *name;
  json_t *value;
  json_object_foreach(settings, name, value) {
    struct chars text = {0};
    if (!word_sound(name, refusal)) return false;
    if (!json_is_string(value) || to->count == 20) {
      decline(refusal, 400, "up to 20 params are set, each to a text");
      return false;
    }
    chars_add(&text, name, strlen(name));
    chars_add(&text, "=", 1);
    chars_add(&text, json_string_value(value), json_string_length(value));
    to->items = memory_more(to->items, (to->count + 1) * sizeof *to->items);
    to->items[to->count++] = text.data;
  }
  return true;
}

/* How a point of a study was run, as its page says it: each a number. */
static bool take_how(struct settings *to, json_t *how, struct refusal *refusal) {
  static const struct {
    const char *name, *unit;
  } options[] = {{"seed", ""}, {"max-firings", ""}, {"max-time", "s"}, {"warm-up", "s"}};
  for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
    json_t *value = json_object_get(how, options[i].name);
    struct chars text = {0};
    if (!value || json_is_null(value)) continue;
    if (!json_is_number(value) || !(json_number_value(value) >= 0)) {
      decline(refusal, 400, "%s is a number, 0 or more", options[i].name);
      return false;
    }
    if (json_is_integer(value))
      chars_put(&text, "--%s=%lld%s", options[i].name, (long long)json_integer_value(value), options[i].unit);
    else
      chars_put(&text, "--%s=%.17g%s", options[i].name, json_number_value(value), options[i].unit);
    to->items = memory_more(to->items, (to->count + 1) * sizeof *to->items);
    to->items[to->count++] = text.data;
  }
  return true;
}

static struct job *job_of(struct studio *studio, json_t *params, struct refusal *refusal) {
  const char *path = param_text(params, "path", refusal), *last;
  json_t *name = json_object_get(params, "name");
  if (path && json_is_string(name) && !word_sound(json_string_value(name), refusal)) return NULL;
  bool database = path && database_named(path);
  int folder = !path      ? -1
               : database ? folder_of_database(studio, path, &last, refusal)
                          : folder_of(studio, path, &last, refusal);
  if (folder < 0) return NULL;
  struct job *job = memory_more(NULL, sizeof *job);
  *job = (struct job){.studio = studio, .folder = folder, .path = memory_copy(path, strlen(path))};
  if (json_is_string(name)) job->name = memory_copy(json_string_value(name), json_string_length(name));
  job->study = !database && json_is_true(json_object_get(params, "study"));
  job->timeline = json_is_true(json_object_get(params, "timeline"));
  if (settings_take(&job->settings, json_object_get(params, "set"), refusal) &&
      settings_take(&job->against, json_object_get(params, "against"), refusal) &&
      take_how(&job->how, json_object_get(params, "how"), refusal))
    return job;
  drop(job);
  return NULL;
}

static char *copy_of(const char *text) { return text ? memory_copy(text, strlen(text)) : NULL; }

/* A run, or a study, that was made here: false after a refusal. */
static bool take_made(struct job *job, int side, json_int_t number, struct refusal *refusal) {
  const struct job *run = job->studio->jobs;
  while (run && !(run->number == number && !run->texts[0] && !database_named(run->path)))
    run = run->next;
  if (run && !side) job->of_studies = run->study;
  if (!run || run->study != job->of_studies || (!run->study && strcmp(run->path, job->path))) {
    decline(refusal, 410, "there are no such two runs of the model any more");
    return false;
  }
  char *path = job->of_studies ? database_path(run, "") : text_path(run);
  job->texts[side] = copy_of(last_part(path));
  job->studies[side] = job->of_studies ? copy_of(run->name) : NULL;
  free(path);
  return true;
}

/* A study that a database of the folder has. */
static bool take_kept(struct job *job, int side, json_t *kept, struct refusal *refusal) {
  struct chars path = {0};
  const char *name = param_text(kept, "path", refusal), *last;
  const char *study = refusal->status ? NULL : param_text(kept, "name", refusal);
  if (study && !word_sound(study, refusal)) study = NULL;
  int folder = study ? folder_of_database(job->studio, name, &last, refusal) : -1;
  if (folder < 0) return false;
  close(folder);
  if (side && !job->of_studies) {
    decline(refusal, 400, "a run is not set beside a study");
    return false;
  }
  chars_put(&path, "%s/%s", job->studio->folder_path, name);
  job->texts[side] = path.data;
  job->studies[side] = copy_of(study);
  job->of_studies = true;
  return true;
}

/* The runs, or studies, that are to be told apart, as the params name them; with the lock.  False after a refusal. */
static bool take_runs(struct job *job, json_t *params, struct refusal *refusal) {
  json_t *runs = json_object_get(params, "runs");
  if (!runs) return true;
  for (int side = 0; side < 2; side++) {
    json_t *run = json_array_get(runs, (size_t)side);
    bool taken = json_is_object(run) ? take_kept(job, side, run, refusal)
                                     : take_made(job, side, json_integer_value(run), refusal);
    if (!taken) return false;
  }
  if (job->of_studies && !job->studies[0] != !job->studies[1]) {
    decline(refusal, 400, "the one study has a name, and the other one has none");
    return false;
  }
  close(job->folder);
  job->folder = open(job->studio->scratch, O_PATH | O_DIRECTORY | O_CLOEXEC);
  return true;
}

json_t *answer_run(struct studio *studio, json_t *params, struct refusal *refusal) {
  size_t running;
  struct job *job = job_of(studio, params, refusal), *old;
  if (!job) return NULL;
  pthread_mutex_lock(&studio->lock);
  old = too_old(studio, &running);
  if (running >= MOST_RUNNING)
    decline(refusal, 503, "%d runs are under way: stop one, or wait", MOST_RUNNING);
  else if (!scratch_make(studio))
    decline(refusal, 500, "there is no folder for what is written: %s", strerror(errno));
  if (!refusal->status && take_runs(job, params, refusal)) {
    job->number = ++studio->last_number;
    job->threaded = !pthread_create(&job->thread, NULL, work, job);
    if (!job->threaded) decline(refusal, 500, "there is no thread for it");
  }
  json_t *answer = refusal->status ? NULL : json_pack("{s:i}", "job", (int)job->number);
  if (answer) {
    job->next = studio->jobs;
    studio->jobs = job;
  }
  pthread_mutex_unlock(&studio->lock);
  if (old) drop(old);
  if (!answer) drop(job);
  return answer;
}

/* With the lock; NULL after a refusal. */
static struct job *named(struct studio *studio, json_t *params, struct refusal *refusal) {
  json_int_t number = json_integer_value(json_object_get(params, "job"));
  struct job *job = studio->jobs;
  while (job && job->number != number)
    job = job->next;
  if (!job) decline(refusal, 410, "there is no such run any more");
  return job;
}

static json_t *said_text(const struct chars *text) {
  json_t *string = json_stringn(text->size ? text->data : "", text->size);
  return string ? string : json_string("(what it says is no UTF-8)\n");
}

static json_t *address_of(const struct job_page *page) {
  char address[SECRET + 8];
  snprintf(address, sizeof address, "/page/%s", page->secret);
  return *page->secret ? json_string(address) : json_null();
}

/* With the lock. Waits for news behind those that the page has; they are counted. */
static json_t *news_of(struct studio *studio, json_t *params, struct refusal *refusal) {
  json_int_t known = json_integer_value(json_object_get(params, "news"));
  struct job *job;
  while ((job = named(studio, params, refusal)) && job->news <= known && !studio->stopping)
    if (!studio_wait(studio, PATIENCE)) break;
  if (!job) return NULL;
  return json_pack("{s:i, s:b, s:b, s:i, s:o, s:o, s:o, s:b}", "news", (int)job->news, "ended", job->ended, "stopped",
                   job->stopped, "status", job->status, "progress", said_text(&job->progress), "said",
                   said_text(&job->said), "page", address_of(&job->page), "timeline", job->slices != NULL);
}

json_t *answer_job(struct studio *studio, json_t *params, struct refusal *refusal) {
  pthread_mutex_lock(&studio->lock);
  json_t *answer = news_of(studio, params, refusal);
  pthread_mutex_unlock(&studio->lock);
  return answer;
}

/* What a study has written from a place on, in whole lines, and the place behind it. */
static json_t *read_points(const char *path, json_int_t from) {
  enum { MOST = 1 << 20 };
  char *text = memory_more(NULL, MOST);
  int file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
  ssize_t size = file < 0 ? 0 : pread(file, text, MOST, (off_t)from);
  if (file >= 0) close(file);
  while (size > 0 && text[size - 1] != '\n')
    size--;
  if (size < 0) size = 0;
  json_t *lines = json_stringn(text, (size_t)size);
  free(text);
  return json_pack("{s:o, s:I}", "text", lines ? lines : json_string(""), "next", from + (json_int_t)size);
}

json_t *answer_points(struct studio *studio, json_t *params, struct refusal *refusal) {
  json_int_t from = json_integer_value(json_object_get(params, "from"));
  pthread_mutex_lock(&studio->lock);
  struct job *job = named(studio, params, refusal);
  if (job && !job->study) decline(refusal, 400, "that is no study");
  char *path = job && !refusal->status ? scratch_path(job, "points.csv") : NULL;
  pthread_mutex_unlock(&studio->lock);
  json_t *answer = path ? read_points(path, from < 0 ? 0 : from) : NULL;
  free(path);
  return answer;
}

int job_database(struct studio *studio, json_t *params, struct chars *name, struct refusal *refusal) {
  pthread_mutex_lock(&studio->lock);
  struct job *job = named(studio, params, refusal);
  if (job && !job->study) decline(refusal, 400, "that is no study");
  char *path = refusal->status ? NULL : database_path(job, "");
  pthread_mutex_unlock(&studio->lock);
  int folder = path ? open(studio->scratch, O_PATH | O_DIRECTORY | O_CLOEXEC) : -1;
  if (folder >= 0) chars_put(name, "./%s", last_part(path));
  free(path);
  if (folder < 0) decline(refusal, 410, "the study has no database any more");
  return folder;
}

json_t *answer_stop(struct studio *studio, json_t *params, struct refusal *refusal) {
  pthread_mutex_lock(&studio->lock);
  struct job *job = named(studio, params, refusal);
  if (job) stop(job);
  pthread_mutex_unlock(&studio->lock);
  return job ? json_object() : NULL;
}

/* ---- what runs have kept ---- */

struct slices *job_slices(struct studio *studio, json_t *params, struct refusal *refusal) {
  pthread_mutex_lock(&studio->lock);
  struct job *job = named(studio, params, refusal);
  struct slices *slices = job ? slices_hold(job->slices) : NULL;
  pthread_mutex_unlock(&studio->lock);
  if (job && !slices) decline(refusal, 404, "the run has kept nothing of what its processes did when");
  return slices;
}

static bool same_text(FILE *a, FILE *b) {
  int letter;
  while ((letter = getc(a)) != EOF)
    if (letter != getc(b)) return false;
  return getc(b) == EOF && !ferror(a) && !ferror(b);
}

static bool is_unchanged(const struct job *job, const char *kept) {
  int now = openat(job->folder, last_part(job->path), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  FILE *a = now < 0 ? NULL : fdopen(now, "r"), *b = fopen(kept, "re");
  bool same = a && b && same_text(a, b);
  if (a) fclose(a);
  if (b) fclose(b);
  if (now >= 0 && !a) close(now);
  return same;
}

static void copy_run(const struct job *job, struct run_copy *copy) {
  struct chars folder = {0};
  const char *last = last_part(job->path);
  char *text = text_path(job);
  bool unchanged = is_unchanged(job, text);
  int place =
      unchanged ? fcntl(job->folder, F_DUPFD_CLOEXEC, 0) : open(job->studio->scratch, O_PATH | O_DIRECTORY | O_CLOEXEC);
  struct chars name = {0};
  chars_put(&folder, "%s/%.*s", job->studio->folder_path, (int)(last - job->path), job->path);
  chars_put(&name, "./%s", unchanged ? last : last_part(text));
  *copy =
      (struct run_copy){.place = place, .text = name.data, .folder = folder.data, .setting_count = job->settings.count};
  if (job->name) copy->system = memory_copy(job->name, strlen(job->name));
  copy->settings = memory_more(NULL, (job->settings.count + 1) * sizeof *copy->settings);
  for (size_t i = 0; i < job->settings.count; i++)
    copy->settings[i] = memory_copy(job->settings.items[i], strlen(job->settings.items[i]));
  free(text);
}

bool run_copy_take(struct studio *studio, json_t *params, struct run_copy *copy, struct refusal *refusal) {
  pthread_mutex_lock(&studio->lock);
  struct job *job = named(studio, params, refusal);
  if (job && (job->study || job->texts[0])) {
    decline(refusal, 404, "that is no run");
    job = NULL;
  }
  if (job) copy_run(job, copy);
  pthread_mutex_unlock(&studio->lock);
  return job;
}

void run_copy_drop(struct run_copy *copy) {
  if (copy->text) close(copy->place);
  for (size_t i = 0; i < copy->setting_count; i++)
    free(copy->settings[i]);
  free(copy->settings), free(copy->system), free(copy->folder), free(copy->text);
}

/* ---- pages ---- */

const char *page_find(struct studio *studio, const char *secret, const char **type, size_t *size, char **copy) {
  struct chars text = {0};
  char piece[1 << 16], *path = NULL;
  size_t count;
  pthread_mutex_lock(&studio->lock);
  for (struct job *job = *secret ? studio->jobs : NULL; job && !path; job = job->next) {
    if (strcmp(job->page.secret, secret)) continue;
    path = scratch_path(job, job->page.file);
    *type = job->page.type;
  }
  pthread_mutex_unlock(&studio->lock);
  FILE *file = path ? fopen(path, "r") : NULL;
  free(path);
  if (!file) return NULL;
  while (text.size < LARGEST_PAGE && (count = fread(piece, 1, sizeof piece, file)))
    chars_add(&text, piece, count);
  fclose(file);
  *size = text.size;
  return *copy = text.data;
}
