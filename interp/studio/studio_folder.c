/* The models and databases of the folder that is served: listed; models are read and written.  Each part of a name is
 * opened in the folder before it and never through a link, so that what is named stands in the folder, whatever becomes
 * of it in between. */
#include "interp/studio/studio_server.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DEEPEST = 8, MOST_FILES = 2000, LARGEST_FILE = 8 << 20 };

/* ---- names ---- */

static bool ends_in(const char *name, const char *suffix) {
  size_t length = strlen(name), end = strlen(suffix);
  return length > end && !strcmp(name + length - end, suffix);
}

static bool is_model(const char *name) { return ends_in(name, ".psl") || diagram_named(name) || trace_named(name); }

bool database_named(const char *name) { return ends_in(name, ".db"); }

/* What stands beside a model: where the boxes of its graph have been put. */
static bool is_layout(const char *name) { return ends_in(name, ".psl.layout"); }

/* What is written beside a diagram: the program that is made of it. */
static bool is_program(const char *name) { return ends_in(name, ".cpp"); }

/* Parts are parted by single strokes; none is hidden, and so none is "." or "..". */
static bool sound(const char *name, bool of_its_kind, struct refusal *refusal) {
  bool sound = of_its_kind && strlen(name) < 1000;
  for (const char *at = name; sound && at; at = strchr(at, '/') ? strchr(at, '/') + 1 : NULL)
    sound = *at && *at != '.' && *at != '/';
  for (const char *at = name; sound && *at; at++)
    sound = (unsigned char)*at >= ' ' && *at != 0x7f && *at != '\\';
  if (!sound)
    decline(refusal, 403,
            "no model of the folder can have that name: it ends in .psl, .uml or .xmi and no part is hidden");
  return sound;
}

bool name_sound(const char *name, struct refusal *refusal) { return sound(name, is_model(name), refusal); }

static void refuse_file(struct refusal *refusal, const char *name, int error) {
  if (error == ELOOP || error == ENOTDIR)
    decline(refusal, 403, "%s is reached by a link, which is not followed", name);
  else
    decline(refusal, error == ENOENT ? 404 : 403, "%s: %s", name, strerror(error));
}

/* Of a name that is sound. What stands there is a file, or nothing yet: who reads a pipe may wait for ever. */
static int open_folder_of(const struct studio *studio, const char *name, const char **last, struct refusal *refusal) {
  char part[1000];
  const char *at = name, *stroke;
  int folder = dup(studio->folder);
  while (folder >= 0 && (stroke = strchr(at, '/'))) {
    snprintf(part, sizeof part, "%.*s", (int)(stroke - at), at);
    int inner = openat(folder, part, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), error = errno;
    close(folder);
    folder = inner;
    at = stroke + 1;
    errno = error;
  }
  struct stat status;
  bool there = folder >= 0 && fstatat(folder, at, &status, AT_SYMLINK_NOFOLLOW) == 0;
  bool link = there && S_ISLNK(status.st_mode), strange = there && !link && !S_ISREG(status.st_mode);
  if (folder < 0 || link)
    refuse_file(refusal, name, link ? ELOOP : errno);
  else if (strange)
    decline(refusal, 403, "%s is no file", name);
  *last = at;
  if (!link && !strange) return folder;
  close(folder);
  return -1;
}

int folder_of(const struct studio *studio, const char *name, const char **last, struct refusal *refusal) {
  return name_sound(name, refusal) ? open_folder_of(studio, name, last, refusal) : -1;
}

int folder_of_database(const struct studio *studio, const char *name, const char **last, struct refusal *refusal) {
  return sound(name, database_named(name), refusal) ? open_folder_of(studio, name, last, refusal) : -1;
}

/* Of a model, or of what stands beside one; a program is written only. */
static int folder_of_file(const struct studio *studio, const char *name, bool written, const char **last,
                          struct refusal *refusal) {
  bool good = sound(name, is_model(name) || is_layout(name) || (written && is_program(name)), refusal);
  return good ? open_folder_of(studio, name, last, refusal) : -1;
}

/* ---- the list ---- */

struct listing {
  char **names;
  size_t count;
};

static void list_folder(struct listing *listing, int folder, const char *prefix, int depth);

static void list_entry(struct listing *listing, int folder, const char *prefix, const char *entry, int depth) {
  struct stat status;
  struct chars name = {0};
  if (*entry == '.' || fstatat(folder, entry, &status, AT_SYMLINK_NOFOLLOW) != 0) return;
  chars_put(&name, "%s%s", prefix, entry);
  if (S_ISREG(status.st_mode) && (is_model(entry) || database_named(entry))) {
    listing->names = memory_more(listing->names, (listing->count + 1) * sizeof *listing->names);
    listing->names[listing->count++] = name.data;
    return;
  }
  if (S_ISDIR(status.st_mode) && depth < DEEPEST) {
    chars_add(&name, "/", 1);
    list_folder(listing, openat(folder, entry, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), name.data, depth + 1);
  }
  chars_drop(&name);
}

static void list_folder(struct listing *listing, int folder, const char *prefix, int depth) {
  DIR *entries = folder < 0 ? NULL : fdopendir(folder);
  struct dirent *entry;
  if (!entries && folder >= 0) close(folder);
  if (!entries) return;
  while (listing->count < MOST_FILES && (entry = readdir(entries)))
    list_entry(listing, dirfd(entries), prefix, entry->d_name, depth);
  closedir(entries);
}

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

json_t *answer_files(struct studio *studio, json_t *params, struct refusal *refusal) {
  struct listing listing = {0};
  json_t *models = json_array(), *databases = json_array();
  (void)params, (void)refusal;
  list_folder(&listing, openat(studio->folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), "", 0);
  if (listing.count) qsort(listing.names, listing.count, sizeof *listing.names, by_name);
  for (size_t i = 0; i < listing.count; i++) {
    json_t *name = json_string(listing.names[i]);
    json_t *list = database_named(listing.names[i]) ? databases : models;
    if (name) json_array_append_new(list, name); /* a name that is no UTF-8 is not one of JSON */
    free(listing.names[i]);
  }
  free(listing.names);
  return json_pack("{s:o, s:o, s:b}", "files", models, "databases", databases, "more", listing.count == MOST_FILES);
}

/* ---- reading ---- */

/* Whether a file is as it was: what stands there now, and since when. */
static void version_of(const struct stat *status, char version[80]) {
  snprintf(version, 80, "%llx-%llx-%llx-%lx", (unsigned long long)status->st_ino, (unsigned long long)status->st_size,
           (unsigned long long)status->st_mtim.tv_sec, (unsigned long)status->st_mtim.tv_nsec);
}

static int open_model(int folder, const char *last, const char *name, struct stat *status, struct refusal *refusal) {
  int file = openat(folder, last, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (file < 0) {
    refuse_file(refusal, name, errno);
    return -1;
  }
  if (fstat(file, status) == 0 && S_ISREG(status->st_mode) && status->st_size <= LARGEST_FILE) return file;
  decline(refusal, 403, "%s is no file, or is larger than 8 MiB", name);
  close(file);
  return -1;
}

static json_t *read_model(int file, const struct stat *status, const char *name, struct refusal *refusal) {
  struct chars text = {0};
  char piece[1 << 16], version[80];
  ssize_t size;
  chars_add(&text, "", 0);
  while ((size = read(file, piece, sizeof piece)) > 0 && text.size <= LARGEST_FILE)
    chars_add(&text, piece, (size_t)size);
  json_t *string = size < 0 ? NULL : json_stringn(text.data, text.size);
  chars_drop(&text);
  version_of(status, version);
  if (!string) return decline(refusal, 415, "%s is no text in UTF-8", name);
  return json_pack("{s:o, s:s}", "text", string, "version", version);
}

/* Where no layout stands beside a model, that is an empty one, of no version. */
json_t *answer_read(struct studio *studio, json_t *params, struct refusal *refusal) {
  struct stat status;
  const char *name = param_text(params, "path", refusal), *last;
  int folder = name ? folder_of_file(studio, name, false, &last, refusal) : -1;
  bool none =
      folder >= 0 && is_layout(name) && faccessat(folder, last, F_OK, AT_SYMLINK_NOFOLLOW) != 0 && errno == ENOENT;
  int file = folder < 0 || none ? -1 : open_model(folder, last, name, &status, refusal);
  json_t *answer = file < 0 ? NULL : read_model(file, &status, name, refusal);
  if (file >= 0) close(file);
  if (folder >= 0) close(folder);
  return none ? json_pack("{s:s, s:s}", "text", "", "version", "") : answer;
}

/* ---- writing ---- */

static bool write_whole(int file, const char *text, size_t size) {
  while (size) {
    ssize_t done = write(file, text, size);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    text += done;
    size -= (size_t)done;
  }
  return fsync(file) == 0;
}

/* What a file is written over: nothing, the version of a file, or whatever there is. */
struct replaced {
  const char *version; /* "": nothing is to be there */
  bool anyhow;
};

static bool is_of_version(int folder, const char *last, const char *wanted) {
  struct stat status;
  char version[80];
  if (fstatat(folder, last, &status, AT_SYMLINK_NOFOLLOW) != 0) return !*wanted && errno == ENOENT;
  version_of(&status, version);
  return !strcmp(version, wanted);
}

/* What has been written beside its place takes it.  Another program may write there until then, and what that has
 * written is not lost: a place that is to be free is taken only if it is, and what was in one that is not is looked at
 * after the two have changed places, which is one step; EAGAIN where it is something else, which goes back.  Not all
 * file systems can do that: where one cannot, what there is is looked at before. */
static bool take_place(int folder, const char *beside, const char *last, const struct replaced *replaced) {
  if (replaced->anyhow) return renameat(folder, beside, folder, last) == 0;
  bool is_free = !*replaced->version;
  if (renameat2(folder, beside, folder, last, is_free ? RENAME_NOREPLACE : RENAME_EXCHANGE) == 0) {
    if (is_free) return true;
    bool same = is_of_version(folder, beside, replaced->version);
    if (same) return unlinkat(folder, beside, 0) == 0;
    if (renameat2(folder, beside, folder, last, RENAME_EXCHANGE) == 0) errno = EAGAIN;
    return false;
  }
  if (errno == EEXIST || errno == ENOENT) errno = EAGAIN;
  if (errno != EINVAL && errno != ENOSYS) return false;
  errno = EAGAIN;
  return is_of_version(folder, last, replaced->version) && renameat(folder, beside, folder, last) == 0;
}

/* Written beside its place, which it then takes: who reads it meanwhile has the one or the other, and a link that has
 * come there is not followed. */
static bool replace(int folder, const char *last, mode_t mode, const char *text, size_t size,
                    const struct replaced *replaced, struct stat *status) {
  char beside[SECRET + 8], secret[SECRET + 1];
  secret_make(secret);
  snprintf(beside, sizeof beside, ".psl-%s", secret);
  int file = openat(folder, beside, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (file < 0) return false;
  bool good = write_whole(file, text, size) && fchmod(file, mode) == 0 && fstat(file, status) == 0;
  good = close(file) == 0 && good && take_place(folder, beside, last, replaced);
  int error = errno;
  if (!good) unlinkat(folder, beside, 0);
  errno = error;
  return good;
}

static json_t *decline_changed(struct refusal *refusal, const char *name) {
  return decline(refusal, 409, "%s has been changed by another program since it was read", name);
}

/* What may be there already: nothing, or the file that the page has read, unless it is to be replaced anyhow. One that
 * is gone is written anew. */
static bool may_replace(const struct studio *studio, int folder, const char *last, const char *name,
                        struct replaced *replaced, mode_t *mode, struct refusal *refusal) {
  struct stat status;
  char version[80];
  *mode = 0666 & ~studio->mask;
  if (fstatat(folder, last, &status, AT_SYMLINK_NOFOLLOW) != 0) {
    replaced->version = "";
    if (errno == ENOENT) return true;
    refuse_file(refusal, name, errno);
    return false;
  }
  version_of(&status, version);
  if (!S_ISREG(status.st_mode))
    decline(refusal, 403, "%s is no file", name);
  else if (!(status.st_mode & 0222) || faccessat(folder, last, W_OK, AT_EACCESS | AT_SYMLINK_NOFOLLOW) != 0)
    decline(refusal, 403, "%s is protected against writing", name);
  else if (!replaced->anyhow && strcmp(replaced->version, version))
    decline_changed(refusal, name);
  *mode = status.st_mode & 07777;
  return !refusal->status;
}

json_t *answer_write(struct studio *studio, json_t *params, struct refusal *refusal) {
  struct stat status;
  mode_t mode;
  char version[80];
  json_t *text = json_object_get(params, "text");
  const char *name = param_text(params, "path", refusal), *last;
  if (name && (!json_is_string(text) || json_string_length(text) > LARGEST_FILE))
    return decline(refusal, 400, "the request has no text, or one of more than 8 MiB");
  if (name && trace_named(name)) return decline(refusal, 403, "%s is a trace, which is not written here", name);
  int folder = name ? folder_of_file(studio, name, true, &last, refusal) : -1;
  if (folder < 0) return NULL;
  json_t *version_read = json_object_get(params, "version");
  struct replaced replaced = {json_is_string(version_read) ? json_string_value(version_read) : "",
                              json_is_true(json_object_get(params, "anyhow"))};
  if (may_replace(studio, folder, last, name, &replaced, &mode, refusal) &&
      !replace(folder, last, mode, json_string_value(text), json_string_length(text), &replaced, &status)) {
    if (errno == EAGAIN)
      decline_changed(refusal, name);
    else
      decline(refusal, 500, "%s cannot be written: %s", name, strerror(errno));
  }
  close(folder);
  if (refusal->status) return NULL;
  version_of(&status, version);
  return json_pack("{s:s}", "version", version);
}
