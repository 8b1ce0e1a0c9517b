/* The files that this psl reads and writes, told apart by device and inode, whatever names they have.  What is read is
 * not written, and no file is written twice: that is refused before anything is opened. */
#include "interp/cli/cli.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct identity {
  dev_t device;
  ino_t inode;
  const char *name; /* NULL: of the file; else it is not there yet, and the two are its folder's */
};

struct used_file {
  struct identity identity;
  const char *use; /* what it is read or written for: --output */
};

struct used_files {
  struct used_file *items;
  size_t count, capacity;
};

struct files {
  struct scope *scope;
  struct used_files read, written;
  struct used_files before; /* read, while others are read that may take their place */
  char *unsaved_path;       /* of the file whose text comes from standard input; NULL: none does */
  const char *unsaved;
  size_t unsaved_size;
};

static bool identify_path(struct scope *scope, const char *path, struct identity *identity) {
  struct stat status;
  const char *slash = strrchr(path, '/');
  *identity = (struct identity){0};
  if (stat(path, &status) != 0) {
    const char *folder = slash ? scope_copy(scope, path, (size_t)(slash - path) + 1) : ".";
    if (errno != ENOENT || stat(folder, &status) != 0) return false;
    const char *name = slash ? slash + 1 : path;
    identity->name = scope_copy(scope, name, strlen(name));
  }
  identity->device = status.st_dev;
  identity->inode = status.st_ino;
  return identity->name || S_ISREG(status.st_mode); /* what is sent to a device or a pipe overwrites nothing */
}

static const struct used_file *find(const struct used_files *files, const struct identity *identity) {
  for (size_t i = 0; i < files->count; i++) {
    const struct identity *known = &files->items[i].identity;
    bool same_name =
        known->name && identity->name ? strcmp(known->name, identity->name) == 0 : !known->name && !identity->name;
    if (same_name && known->device == identity->device && known->inode == identity->inode) return &files->items[i];
  }
  return NULL;
}

static void add(struct files *files, struct used_files *list, struct used_file file) {
  SCOPE_PUSH(files->scope, list->items, list->count, list->capacity, file);
}

static void add_descriptor(struct files *files, int descriptor, const char *use) {
  struct stat status;
  if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) return;
  struct used_file file = {{status.st_dev, status.st_ino, NULL}, use};
  add(files, descriptor == STDIN_FILENO ? &files->read : &files->written, file);
}

struct files *files_open(struct scope *scope) {
  struct files *files = SCOPE_ARRAY(scope, struct files, 1);
  files->scope = scope;
  add_descriptor(files, STDIN_FILENO, "standard input");
  add_descriptor(files, STDOUT_FILENO, "standard output");
  add_descriptor(files, STDERR_FILENO, "standard error");
  return files;
}

const char *files_read(void *user, const char *path) {
  struct files *files = user;
  struct used_file file = {.use = "a file that is read"};
  if (!identify_path(files->scope, path, &file.identity)) return NULL;
  const struct used_file *written = find(&files->written, &file.identity);
  if (written) return scope_printf(files->scope, "%s would replace that file", written->use);
  if (!find(&files->read, &file.identity)) add(files, &files->read, file);
  return NULL;
}

static const char *unsaved_text(void *user, const char *path, size_t *size) {
  const struct files *files = user;
  if (strcmp(path, files->unsaved_path) != 0) return NULL;
  *size = files->unsaved_size;
  return files->unsaved;
}

const char *files_named(struct cli *cli, const char *path) {
  static const char mark[] = "-=";
  char resolved[PATH_MAX];
  if (!path || strncmp(path, mark, sizeof mark - 1) || !path[sizeof mark - 1]) return path;
  path += sizeof mark - 1;
  struct files *files = cli->files;
  files->unsaved = file_read(cli, "-", &files->unsaved_size);
  const char *whole = realpath(path, resolved) ? resolved : path;
  files->unsaved_path = scope_copy(cli->scope, whole, strlen(whole));
  cli->options.unsaved = unsaved_text;
  return files->unsaved ? path : NULL;
}

bool files_uses(const struct files *files, const char *path) {
  struct identity identity;
  return identify_path(files->scope, path, &identity) &&
         (find(&files->read, &identity) || find(&files->written, &identity));
}

/* Behind an MPI launcher's name the program is one of its arguments. */
void files_run_program(const struct cli *cli) {
  const char *launched = strchr(cli->arguments[0], '/') ? NULL : program_found(cli, cli->arguments[0]);
  if (launched) files_read(cli->files, launched);
  for (size_t i = 0; i < cli->argument_count; i++)
    if (access(cli->arguments[i], F_OK) == 0) files_read(cli->files, cli->arguments[i]);
}

bool files_is_output(const char *path) {
  struct stat file, output;
  return stat(path, &file) == 0 && fstat(STDOUT_FILENO, &output) == 0 && file.st_dev == output.st_dev &&
         file.st_ino == output.st_ino;
}

bool files_write(struct cli *cli, const char *path, const char *use, bool back) {
  struct files *files = cli->files;
  struct used_file file = {.use = use};
  if (!identify_path(files->scope, path, &file.identity)) return true;
  const struct used_file *read = find(&files->read, &file.identity);
  const struct used_file *written = find(&files->written, &file.identity);
  if (written && strcmp(written->use, use) == 0) return true;
  if (written || (read && !back)) {
    cli_error(cli, "name another file", written ? "%s: %s goes to that file" : "%s: what is read is not replaced by %s",
              path, written ? written->use : use);
    return false;
  }
  add(files, &files->written, file);
  return true;
}

/* A name that was mistaken for a model's. What is a database is so by whatever name. */
static bool is_named_as_model(struct cli *cli, const char *path) {
  if (!names_model(path) || is_database_file(path)) return false;
  const char *base = scope_copy(cli->scope, path, strlen(path) - strlen(".psl"));
  const char *help = scope_printf(cli->scope, "name another file, such as %s.db", shown(cli, base));
  bool there = access(path, F_OK) == 0;
  cli_error(cli, help,
            there ? "%s is a model, which --db does not write to" : "%s is the name of a model, not of a database",
            shown(cli, path));
  return true;
}

bool files_write_database(struct cli *cli, const char *path) {
  static const char *const endings[] = {"", "-wal", "-shm", "-journal"};
  char resolved[PATH_MAX];
  const char *file = realpath(path, resolved) ? resolved : path;
  if (is_named_as_model(cli, path)) return false;
  for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
    if (!files_write(cli, scope_printf(cli->scope, "%s%s", file, endings[i]), "--db", false)) return false;
  return true;
}

size_t files_written(const struct files *files) { return files->written.count; }

void files_close_written(struct files *files, size_t before) { files->written.count = before; }

void files_read_anew(struct files *files) {
  files->before = files->read;
  files->read = (struct used_files){0};
  add_descriptor(files, STDIN_FILENO, "standard input");
}

void files_have_read(struct files *files, bool all) {
  if (!all) files->read = files->before;
}

const char *program_found(const struct cli *cli, const char *name) {
  const char *path = getenv("PATH");
  for (const char *at = path ? path : ""; *at; at += strcspn(at, ":"), at += *at == ':') {
    int length = (int)strcspn(at, ":");
    const char *file = scope_printf(cli->scope, "%.*s/%s", length, at, name);
    if (length && access(file, X_OK) == 0) return file;
  }
  return NULL;
}
