/* psl's own commands as programs beside the server: what crashes or grows without end takes nothing else with it, and
 * the page shows what the command line does.  They are told what the command line of the studio allows, and nothing
 * more. */
#include "interp/studio/studio_server.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum {
  LONGEST = 60000, /* ms that a picture or a list of params may take */
  GLANCE = 200,    /* ms between two looks at whether the studio ends */
};

void word_add(struct words *words, const char *word) {
  words->items = memory_more(words->items, (words->count + 2) * sizeof *words->items);
  words->items[words->count++] = word;
  words->items[words->count] = NULL;
}

/* Models may read the whole folder, from wherever in it they are. */
void words_begin(struct words *words, const struct studio *studio, const char *command) {
  const struct psl_options *options = studio->options->psl;
  *words = (struct words){.studio = studio};
  word_add(words, "psl");
  word_add(words, command);
  word_add(words, "--color");
  word_add(words, "never");
  word_add(words, "--allow-read");
  word_add(words, studio->folder_path);
  for (char **folder = studio->readable; *folder; folder++) {
    word_add(words, "--allow-read");
    word_add(words, *folder);
  }
  for (char **folder = studio->include; *folder; folder++) {
    word_add(words, "--include");
    word_add(words, *folder);
  }
  if (options->allow_native) word_add(words, "--allow-native");
  if (!options->max_memory) return;
  snprintf(words->sizes, sizeof words->sizes, "%zu", options->max_memory);
  word_add(words, "--max-memory");
  word_add(words, words->sizes);
}

void words_drop(struct words *words) {
  free(words->items);
  words->items = NULL;
}

bool word_sound(const char *name, struct refusal *refusal) {
  bool sound = ((*name | 32) >= 'a' && (*name | 32) <= 'z') || *name == '_' || (unsigned char)*name >= 0x80;
  if (!sound) decline(refusal, 400, "a name begins with a letter");
  return sound;
}

/* ---- starting ---- */

/* In a group of its own, so that it ends with all that it has started, and with the signals as they are at first; where
 * it has a terminal that is its own, too. */
static int prepare(posix_spawnattr_t *attributes, bool has_terminal) {
  sigset_t none, usual;
  sigemptyset(&none);
  sigemptyset(&usual);
  sigaddset(&usual, SIGINT);
  sigaddset(&usual, SIGTERM);
  sigaddset(&usual, SIGHUP);
  sigaddset(&usual, SIGPIPE);
  int wrong = posix_spawnattr_init(attributes);
  short group = has_terminal ? POSIX_SPAWN_SETSID : POSIX_SPAWN_SETPGROUP;
  if (!wrong) wrong = posix_spawnattr_setpgroup(attributes, 0);
  if (!wrong) wrong = posix_spawnattr_setsigmask(attributes, &none);
  if (!wrong) wrong = posix_spawnattr_setsigdefault(attributes, &usual);
  return wrong ? wrong : posix_spawnattr_setflags(attributes, group | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
}

pid_t program_start(const struct words *words, int folder, int input, int output, int errors, const char *terminal) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  pid_t process = -1;
  int wrong = prepare(&attributes, terminal);
  if (wrong || posix_spawn_file_actions_init(&actions)) return -1;
  if (input < 0)
    wrong = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  else
    wrong = posix_spawn_file_actions_adddup2(&actions, input, 0);
  if (!wrong) wrong = posix_spawn_file_actions_adddup2(&actions, output, 1);
  if (!wrong && terminal)
    wrong = posix_spawn_file_actions_addopen(&actions, 2, terminal, O_RDWR, 0);
  else if (!wrong)
    wrong = posix_spawn_file_actions_adddup2(&actions, errors, 2);
  if (!wrong) wrong = posix_spawn_file_actions_addfchdir_np(&actions, folder);
  if (!wrong)
    wrong = posix_spawn(&process, "/proc/self/exe", &actions, &attributes, (char *const *)words->items, environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  return wrong ? -1 : process;
}

int program_end(pid_t process) {
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR)
    ;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* ---- to its end ---- */

struct talk {
  int to, from, errors; /* -1: closed */
  const char *input;
  size_t left;
  struct chars *output;
  struct chars said;
};

static void shut(int *descriptor) {
  if (*descriptor >= 0) close(*descriptor);
  *descriptor = -1;
}

static void feed(struct talk *talk) {
  ssize_t done = talk->left ? write(talk->to, talk->input, talk->left) : -1;
  if (done > 0) {
    talk->input += done;
    talk->left -= (size_t)done;
  }
  if (!talk->left || (done < 0 && errno != EAGAIN && errno != EINTR)) shut(&talk->to);
}

static void take(int *from, struct chars *to) {
  char piece[1 << 16];
  ssize_t size = read(*from, piece, sizeof piece);
  if (size > 0 && to->size < LARGEST_BODY)
    chars_add(to, piece, (size_t)size);
  else if (size == 0 || (size < 0 && errno != EINTR && errno != EAGAIN))
    shut(from);
}

static long milliseconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

/* False: it has taken too long, or is wanted no more. */
static bool converse(struct talk *talk, const struct studio *studio) {
  long end = milliseconds() + LONGEST;
  while (talk->from >= 0 || talk->errors >= 0) {
    struct pollfd wanted[] = {{talk->to, POLLOUT, 0}, {talk->from, POLLIN, 0}, {talk->errors, POLLIN, 0}};
    long left = end - milliseconds();
    if (left <= 0 || *studio->options->interrupted) return false;
    if (poll(wanted, 3, left < GLANCE ? (int)left : GLANCE) < 0 && errno != EINTR) return false;
    if (wanted[0].revents) feed(talk);
    if (wanted[1].revents) take(&talk->from, talk->output);
    if (wanted[2].revents) take(&talk->errors, &talk->said);
  }
  return true;
}

static bool pipes_make(int pipes[3][2]) {
  for (int i = 0; i < 3; i++)
    pipes[i][0] = pipes[i][1] = -1;
  for (int i = 0; i < 3; i++)
    if (pipe2(pipes[i], O_CLOEXEC)) return false;
  return true;
}

/* Its exit status; -1 after a refusal. Where errors are not to be told apart they stand in the output. */
static int run_program(const struct words *words, int folder, struct talk *talk, bool apart, struct refusal *refusal) {
  int pipes[3][2];
  bool made = pipes_make(pipes);
  int errors = pipes[apart ? 2 : 1][1];
  pid_t process = made ? program_start(words, folder, pipes[0][0], pipes[1][1], errors, NULL) : -1;
  talk->to = pipes[0][1], talk->from = pipes[1][0], talk->errors = pipes[2][0];
  shut(&pipes[0][0]), shut(&pipes[1][1]), shut(&pipes[2][1]);
  if (process >= 0) fcntl(talk->to, F_SETFL, O_NONBLOCK);
  bool in_time = process >= 0 && converse(talk, words->studio);
  if (process >= 0 && !in_time) kill(-process, SIGKILL);
  int status = process >= 0 ? program_end(process) : -1;
  shut(&talk->to), shut(&talk->from), shut(&talk->errors);
  if (process < 0)
    decline(refusal, 500, "psl cannot be started");
  else if (!in_time)
    decline(refusal, 504, "it takes longer than %d s", LONGEST / 1000);
  return refusal->status ? -1 : status;
}

bool program_perform(const struct words *words, int folder, const char *input, size_t size, struct chars *output,
                     struct refusal *refusal) {
  struct talk talk = {.input = input, .left = size, .output = output};
  int status = run_program(words, folder, &talk, true, refusal);
  if (status > 0) decline(refusal, 422, "%s", talk.said.data ? talk.said.data : "psl has ended early");
  chars_drop(&talk.said);
  return !refusal->status;
}

bool program_say(const struct words *words, int folder, const char *input, size_t size, struct chars *output,
                 struct refusal *refusal) {
  struct talk talk = {.input = input, .left = size, .output = output};
  bool good = run_program(words, folder, &talk, false, refusal) >= 0;
  chars_drop(&talk.said);
  return good;
}

/* ---- what psl says of a text ---- */

/* What psl calls the text, as it was told; the page knows it by its name. */
static void name_text(struct chars *text, const char *given, const char *name) {
  struct chars named = {0};
  const char *at = text->data, *found;
  while (at && (found = strstr(at, given))) {
    chars_add(&named, at, (size_t)(found - at));
    chars_put(&named, "%s:", name);
    at = found + strlen(given);
  }
  if (at) chars_add(&named, at, strlen(at));
  chars_drop(text);
  *text = named;
}

/* Runs the command on the text that the page has, in the place of that of its file, which others may use by its name,
 * and it itself; `argument` stands behind it, unless it is NULL. */
static bool run_on_text(struct studio *studio, json_t *params, struct words *words, const char *argument,
                        struct chars *output, struct refusal *refusal) {
  json_t *text = json_object_get(params, "text");
  const char *name = param_text(params, "path", refusal), *last;
  if (name && !json_is_string(text)) decline(refusal, 400, "the request has no text");
  int folder = refusal->status ? -1 : folder_of(studio, name, &last, refusal);
  if (folder < 0) return false;
  struct chars file = {0}, said = {0};
  chars_put(&file, "-=./%s", last);
  word_add(words, "--");
  word_add(words, file.data);
  if (argument) word_add(words, argument);
  bool done = program_perform(words, folder, json_string_value(text), json_string_length(text), output, refusal);
  chars_add(&file, ":", 1);
  if (!done) chars_add(&said, refusal->text, strlen(refusal->text));
  name_text(done ? output : &said, file.data + strlen("-="), name);
  chars_drop(&file);
  if (!done) snprintf(refusal->text, sizeof refusal->text, "%s", said.data);
  chars_drop(&said);
  close(folder);
  return done;
}

/* The system that the params name, where they do; a name that cannot stand among the words is refused. */
static const char *param_system(json_t *params, struct refusal *refusal) {
  json_t *system = json_object_get(params, "system");
  if (!json_is_string(system) || !word_sound(json_string_value(system), refusal)) return NULL;
  return json_string_value(system);
}

static void word_add_system(struct words *words, const char *system) {
  if (!system) return;
  word_add(words, "--system");
  word_add(words, system);
}

/* What is wrong with a text that is being written is an answer like another. */
static json_t *answer_wrong(struct refusal *refusal) {
  if (refusal->status != 422) return NULL;
  json_t *answer = json_pack("{s:s}", "wrong", refusal->text);
  refusal->status = 0;
  return answer ? answer : json_pack("{s:s}", "wrong", "what is wrong is no UTF-8");
}

/* The graph as data, which the page draws itself, or Graphviz' picture of all instances. */
json_t *answer_graph(struct studio *studio, json_t *params, struct refusal *refusal) {
  struct words words;
  struct chars output = {0};
  bool instances = json_is_true(json_object_get(params, "instances"));
  words_begin(&words, studio, "graph");
  word_add(&words, "--format");
  word_add(&words, instances ? "svg" : "json");
  if (instances) word_add(&words, "--dynamic");
  const char *system = param_system(params, refusal), *data;
  bool done = run_on_text(studio, params, &words, system, &output, refusal);
  data = output.data ? output.data : "";
  json_t *graph = NULL;
  if (done) graph = instances ? json_stringn(data, output.size) : json_loadb(data, output.size, 0, NULL);
  chars_drop(&output);
  words_drop(&words);
  if (done && !graph) return decline(refusal, 500, "the graph is no text in UTF-8");
  return done ? json_pack("{s:o}", instances ? "picture" : "graph", graph) : answer_wrong(refusal);
}

/* With what is set, where that is no value of a param it is said why. */
json_t *answer_params(struct studio *studio, json_t *params, struct refusal *refusal) {
  struct words words;
  struct chars output = {0};
  struct settings settings = {0};
  settings_take(&settings, json_object_get(params, "set"), refusal);
  words_begin(&words, studio, "params");
  word_add(&words, "--format");
  word_add(&words, "json");
  settings_add(&settings, "--set", &words);
  word_add_system(&words, param_system(params, refusal));
  bool done = !refusal->status && run_on_text(studio, params, &words, NULL, &output, refusal);
  settings_drop(&settings);
  json_t *answer = done ? json_loadb(output.data ? output.data : "", output.size, 0, NULL) : NULL;
  chars_drop(&output);
  words_drop(&words);
  if (done && !answer) return decline(refusal, 500, "the params are no JSON");
  return done ? answer : answer_wrong(refusal);
}

/* Why the requests of a component, or one of them, go where they go. */
json_t *answer_explain(struct studio *studio, json_t *params, struct refusal *refusal) {
  struct words words;
  struct chars output = {0};
  const char *subject = param_text(params, "subject", refusal);
  if (!subject || !word_sound(subject, refusal)) return NULL;
  words_begin(&words, studio, "explain");
  word_add_system(&words, param_system(params, refusal));
  bool done = run_on_text(studio, params, &words, subject, &output, refusal);
  json_t *text = done ? json_stringn(output.data ? output.data : "", output.size) : NULL;
  chars_drop(&output);
  words_drop(&words);
  if (done && !text) return decline(refusal, 500, "what it says is no text");
  return done ? json_pack("{s:o}", "text", text) : answer_wrong(refusal);
}

/* The studies of a database in the folder; or of a study that runs, or has run. */
json_t *answer_studies(struct studio *studio, json_t *params, struct refusal *refusal) {
  struct words words;
  struct chars output = {0}, file = {0};
  const char *name = json_string_value(json_object_get(params, "path")), *last;
  int folder = name ? folder_of_database(studio, name, &last, refusal) : -1;
  if (folder >= 0) chars_put(&file, "./%s", last);
  if (!name) folder = job_database(studio, params, &file, refusal);
  if (folder < 0) return NULL;
  words_begin(&words, studio, "report");
  word_add(&words, "--list");
  word_add(&words, "--format");
  word_add(&words, "json");
  word_add(&words, file.data);
  bool done = program_perform(&words, folder, NULL, 0, &output, refusal);
  json_t *answer = done ? json_loadb(output.data ? output.data : "", output.size, 0, NULL) : NULL;
  words_drop(&words);
  chars_drop(&output), chars_drop(&file);
  close(folder);
  if (done && !answer) return decline(refusal, 500, "the studies are no JSON");
  return done ? answer : answer_wrong(refusal);
}
