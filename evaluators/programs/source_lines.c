/* Asks an addr2line for each file, which answers two lines for each address: a function, and a file with a line. */
#include "evaluators/programs/source_lines.h"

#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LISTS = 1 << 10 };

extern char **environ;

struct helper { /* of one file */
  struct helper *next;
  char *file;
  pid_t process;
  int channel;   /* -1: it cannot be asked */
  FILE *answers; /* the same, for reading */
};

struct found {
  struct found *next;
  struct program_site asked, site; /* the texts are its own; of `asked` the file is a helper's */
};

struct source_lines {
  struct helper *helpers;
  struct found *lists[LISTS];
};

struct source_lines *source_lines_open(void) {
  return calloc(1, sizeof(struct source_lines));
}

/* ---- helpers ---- */

static void helper_start(struct helper *helper) {
  int ends[2];
  helper->channel = -1;
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0) return;
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, ends[1], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&files, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", 1, 0);
  char *words[] = {"addr2line", "-f", "-s", "-e", helper->file, NULL};
  bool started = posix_spawnp(&helper->process, *words, &files, NULL, words, environ) == 0;
  posix_spawn_file_actions_destroy(&files);
  close(ends[1]);
  helper->answers = started ? fdopen(ends[0], "r") : NULL;
  if (helper->answers)
    helper->channel = ends[0];
  else
    close(ends[0]);
}

static struct helper *helper_of(struct source_lines *lines, const char *file) {
  struct helper *helper = lines->helpers;
  while (helper && strcmp(helper->file, file) != 0)
    helper = helper->next;
  if (helper) return helper;
  helper = calloc(1, sizeof *helper);
  char *copy = helper ? strdup(file) : NULL;
  if (!copy) return free(helper), NULL;
  *helper = (struct helper){.next = lines->helpers, .file = copy};
  helper_start(helper);
  return lines->helpers = helper;
}

/* A line without its end; "" if there is none. */
static const char *answer(struct helper *helper, char text[512]) {
  if (!fgets(text, 512, helper->answers)) *text = '\0';
  text[strcspn(text, "\n")] = '\0';
  return text;
}

static void ask(struct helper *helper, struct found *found) {
  char text[512], function[512], number[32];
  int length = snprintf(number, sizeof number, "%#llx\n", (unsigned long long)found->asked.address);
  if (helper->channel < 0 || send(helper->channel, number, (size_t)length, MSG_NOSIGNAL) != length) return;
  answer(helper, function);
  answer(helper, text);
  char *end = strrchr(text, ':');
  long line = end ? strtol(end + 1, NULL, 10) : 0;
  if (*function != '?' && *function) found->site.function = strdup(function);
  if (*text == '?' || line <= 0) return;
  *end = '\0';
  found->site.file = strdup(text);
  found->site.line = found->site.file ? (uint32_t)line : 0;
}

/* ---- sites ---- */

const struct program_site *source_lines_find(struct source_lines *lines, const struct program_site *site) {
  if (!site || site->line || !site->file) return site;
  struct found **list = &lines->lists[(site->address * 0x9e3779b97f4a7c15u) >> 54], *found = *list;
  while (found && (found->asked.address != site->address || strcmp(found->asked.file, site->file) != 0))
    found = found->next;
  if (!found) {
    struct helper *helper = helper_of(lines, site->file);
    found = helper ? calloc(1, sizeof *found) : NULL;
    if (!found) return site;
    found->asked = (struct program_site){.file = helper->file, .address = site->address};
    ask(helper, found);
    if (!found->site.line) found->site.file = helper->file, found->site.address = site->address;
    found->next = *list;
    *list = found;
  }
  return &found->site;
}

void source_lines_locate(struct source_lines *lines, struct program_operation *o) {
  o->site = source_lines_find(lines, o->site);
  if (o->kind != PROGRAM_ENTER || !o->site) return;
  if (!o->name) o->name = o->site->function;
  if (!o->file && o->site->line) o->file = o->site->file, o->line = o->site->line;
}

void source_lines_close(struct source_lines *lines) {
  if (!lines) return;
  for (size_t k = 0; k < LISTS; k++)
    for (struct found *found = lines->lists[k], *next; found; found = next) {
      next = found->next;
      if (found->site.line) free((char *)found->site.file);
      free((char *)found->site.function);
      free(found);
    }
  for (struct helper *helper = lines->helpers, *next; helper; helper = next) {
    next = helper->next;
    if (helper->answers) fclose(helper->answers);
    if (helper->process > 0) kill(helper->process, SIGKILL);
    if (helper->process > 0) waitpid(helper->process, NULL, 0);
    free(helper->file);
    free(helper);
  }
  free(lines);
}
