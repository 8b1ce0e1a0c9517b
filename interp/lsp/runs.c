/* Runs, checks and studies that the client asks for: programs of their own, so that nothing waits for them, on the
 * files as they are saved. The request is answered when the program has ended; to cancel it ends the program. */
#include "interp/lsp/server.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct child {
  struct child *next;
  json_t *id; /* of the request */
  pid_t process;
  int output;
  struct chars text;
};

static const char *const subcommands[][2] = {{"psl.run", "run"}, {"psl.check", "check"}, {"psl.study", "study"}};
enum { SUBCOMMANDS = sizeof subcommands / sizeof *subcommands };

json_t *run_commands(void) {
  json_t *list = json_array();
  for (size_t i = 0; i < SUBCOMMANDS; i++)
    json_array_append_new(list, json_string(subcommands[i][0]));
  return list;
}

static void execute(const char *subcommand, const char *path, const char *name) {
  char *words[] = {"psl", (char *)subcommand, "--color", "never", (char *)path, (char *)name, NULL};
  execv("/proc/self/exe", words);
  _exit(127);
}

/* A check is one of the whole file. */
static void start(struct server *server, json_t *id, const char *subcommand, const char *path, const char *name,
                  struct failure *failure) {
  int pipes[2];
  struct child *child = memory_more(NULL, sizeof *child);
  *child = (struct child){.id = json_incref(id), .next = server->children};
  pid_t process = pipe2(pipes, O_CLOEXEC) ? -1 : fork();
  if (!process) {
    int nothing = open("/dev/null", O_RDONLY);
    setpgid(0, 0);
    dup2(nothing, STDIN_FILENO);
    dup2(pipes[1], STDOUT_FILENO);
    dup2(pipes[1], STDERR_FILENO);
    execute(subcommand, path, strcmp(subcommand, "check") ? name : NULL);
  }
  if (process < 0) {
    json_decref(child->id);
    free(child);
    fail(failure, REQUEST_FAILED, "psl cannot be started: %s", strerror(errno));
    return;
  }
  close(pipes[1]);
  child->process = process;
  child->output = pipes[0];
  server->children = child;
}

void run_request(struct server *server, json_t *id, json_t *params, struct failure *failure) {
  json_t *command = json_object_get(params, "command"), *arguments = json_object_get(params, "arguments");
  json_t *uri = json_array_get(arguments, 0), *name = json_array_get(arguments, 1);
  const char *subcommand = NULL;
  for (size_t i = 0; json_is_string(command) && i < SUBCOMMANDS; i++)
    if (!strcmp(json_string_value(command), subcommands[i][0])) subcommand = subcommands[i][1];
  if (!subcommand || !json_is_string(uri)) {
    fail(failure, INVALID_PARAMS, "the command is psl.run, psl.check or psl.study, of a document and a name");
    return;
  }
  char *path = uri_path(json_string_value(uri));
  if (*path != '/' || access(path, R_OK) != 0)
    fail(failure, REQUEST_FAILED, "the text is not saved in a file");
  else
    start(server, id, subcommand, path, json_is_string(name) ? json_string_value(name) : NULL, failure);
  free(path);
}

/* ---- their ends ---- */

static void drop(struct server *server, struct child *child) {
  struct child **link = &server->children;
  while (*link != child)
    link = &(*link)->next;
  *link = child->next;
  close(child->output);
  json_decref(child->id);
  chars_drop(&child->text);
  free(child);
}

static void finish(struct server *server, struct child *child) {
  enum { ERROR = 1, INFORMATION = 3 };
  int status;
  while (waitpid(child->process, &status, 0) < 0 && errno == EINTR)
    ;
  int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  json_t *text = json_string(child->text.data ? child->text.data : "");
  if (!text) text = json_string("(the output is no UTF-8)");
  transport_send(json_pack("{s:s, s:s, s:{s:i, s:O}}", "jsonrpc", "2.0", "method", "window/showMessage", "params",
                           "type", code ? ERROR : INFORMATION, "message", text));
  transport_send(
      json_pack("{s:s, s:O, s:{s:i, s:o}}", "jsonrpc", "2.0", "id", child->id, "result", "exit", code, "output", text));
  drop(server, child);
}

static void hear(struct server *server, struct child *child) {
  char part[1 << 16];
  ssize_t size = read(child->output, part, sizeof part);
  if (size < 0 && (errno == EINTR || errno == EAGAIN)) return;
  if (size > 0)
    chars_add(&child->text, part, (size_t)size);
  else
    finish(server, child);
}

bool run_cancel(struct server *server, json_t *id) {
  struct child *child = server->children;
  while (child && !json_equal(child->id, id))
    child = child->next;
  if (!child) return false;
  kill(-child->process, SIGTERM);
  while (waitpid(child->process, NULL, 0) < 0 && errno == EINTR)
    ;
  drop(server, child);
  return true;
}

void runs_end(struct server *server) {
  while (server->children)
    run_cancel(server, server->children->id);
}

void runs_wait(struct server *server) {
  enum { MOST = 64 };
  struct pollfd wanted[MOST] = {{.fd = STDIN_FILENO, .events = POLLIN}};
  struct child *children[MOST];
  nfds_t count = 1;
  for (struct child *c = server->children; c && count < MOST; c = c->next) {
    children[count] = c;
    wanted[count++] = (struct pollfd){.fd = c->output, .events = POLLIN};
  }
  if (server->transport.ended) return;
  if (poll(wanted, count, -1) <= 0) return;
  for (nfds_t i = 1; i < count; i++)
    if (wanted[i].revents) hear(server, children[i]);
  if (wanted[0].revents) transport_wait(&server->transport, 0);
}
