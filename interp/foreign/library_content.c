/* Loading what stands in the file of a library now. The system's loader takes one of a path that it has loaded before
 * for the same, whatever has been written there since, and runs from the file itself, so that a compiler that writes it
 * anew pulls the code away from under a call. So what is loaded is a private copy, in memory. A library of the system,
 * or one that looks for its own folder, is loaded from its file, and where that has changed since, not again: what runs
 * would not be what keys of results say.
 *
 * The list is of the process, as the loader's own is: handles in several threads share what is loaded. */
#include "interp/foreign/foreign.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

enum { MOST_COPIED = 256 << 20 /* bytes */ };

struct loaded {
  struct loaded *next;
  char *path;    /* with no link in it */
  char name[40]; /* what the loader knows the copy by; "": it is the file itself */
  int file;      /* of the copy, -1: there is none; open as long as it is loaded, so that the name is its own */
  void *handle;
  struct psl_key content;
};

static struct {
  pthread_mutex_t lock;
  struct loaded *first;
} list = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* ---- what stands in a file ---- */

struct content {
  const char *bytes; /* NULL: it cannot be read */
  size_t size;
  struct psl_key key;
};

static struct content read_content(const char *path) {
  struct content content = {0};
  struct stat status;
  int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return content;
  if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
    void *bytes = malloc((size_t)status.st_size);
    for (ssize_t got; bytes && content.size < (size_t)status.st_size; content.size += (size_t)got)
      if ((got = read(file, (char *)bytes + content.size, (size_t)status.st_size - content.size)) <= 0) break;
    content.bytes = bytes;
  }
  close(file);
  if (!content.bytes) return content;
  XXH128_hash_t hash = XXH3_128bits(content.bytes, content.size);
  content.key = (struct psl_key){{hash.high64, hash.low64}};
  return content;
}

static bool says(const struct content *content, const char *text, size_t size) {
  return memmem(content->bytes, content->size, text, size) != NULL;
}

/* Does it look for files beside its own, by itself or through the loader? */
static bool looks_around(const struct content *content) {
  return says(content, "$ORIGIN", 7) || says(content, "${ORIGIN}", 9) || says(content, "dladdr", 6);
}

static bool begins(const char *path, const char *folder) { return !strncmp(path, folder, strlen(folder)); }

static bool is_of_system(const char *path) {
  return begins(path, "/lib") || (begins(path, "/usr/") && !begins(path, "/usr/local/"));
}

/* ---- loading ---- */

/* Open memory that holds it, below 0 where there is none. */
static int copy_of(const struct content *content) {
  int file = memfd_create("library", MFD_CLOEXEC);
  size_t put = 0;
  for (ssize_t wrote; file >= 0 && put < content->size; put += (size_t)wrote)
    if ((wrote = write(file, content->bytes + put, content->size - put)) <= 0) break;
  if (file >= 0 && put == content->size) return file;
  if (file >= 0) close(file);
  return -1;
}

/* The name is this process's, so that a debugger finds the copy too. */
static bool load_copy(struct loaded *one, const struct content *content) {
  one->file = copy_of(content);
  if (one->file < 0) return false;
  snprintf(one->name, sizeof one->name, "/proc/%d/fd/%d", (int)getpid(), one->file);
  one->handle = dlopen(one->name, RTLD_NOW | RTLD_LOCAL);
  if (one->handle) return true;
  close(one->file);
  one->file = -1;
  *one->name = '\0';
  return false;
}

static void *again(const struct loaded *one) {
  return dlopen(*one->name ? one->name : one->path, RTLD_NOW | RTLD_LOCAL);
}

static bool is_content(struct psl_key a, struct psl_key b) { return a.part[0] == b.part[0] && a.part[1] == b.part[1]; }

/* Of the file at that path; `wanted` NULL: whatever was there when it was loaded, from the file itself. */
static struct loaded *find(const char *path, const struct psl_key *wanted) {
  for (struct loaded *one = list.first; one; one = one->next)
    if (!strcmp(one->path, path) && (wanted ? is_content(one->content, *wanted) : !*one->name)) return one;
  return NULL;
}

static struct loaded *add(const char *path, const struct content *content) {
  struct loaded *one = calloc(1, sizeof *one);
  char *own = strdup(path);
  if (!one || !own) {
    free(one);
    free(own);
    return NULL;
  }
  *one = (struct loaded){.next = list.first, .path = own, .file = -1, .content = content->key};
  return list.first = one;
}

static void forget(struct loaded *one) {
  struct loaded **link = &list.first;
  while (*link != one)
    link = &(*link)->next;
  *link = one->next;
  if (one->file >= 0) close(one->file);
  free(one->path);
  free(one);
}

/* Why it cannot load that; it says the path first. */
static const char *loader_says(const char *path) {
  const char *why = dlerror();
  size_t prefix = strlen(path);
  if (why && !strncmp(why, path, prefix) && why[prefix] == ':') why += prefix + 1 + (why[prefix + 1] == ' ');
  return why ? why : "the system does not say why";
}

/* What the loader found by the name alone has its path only then; `handle` is open already. */
static void *load(const char *path, void *handle, struct psl_key *key, const char **why) {
  struct content content = read_content(path);
  struct loaded *one = content.bytes ? find(path, &content.key) : NULL;
  *why = NULL;
  if (one) {
    if (!handle && !(handle = again(one))) *why = loader_says(path);
  } else if (content.bytes && find(path, NULL)) {
    if (handle) dlclose(handle);
    handle = NULL;
    *why = "it has changed since it was loaded: start psl anew";
  } else if (content.bytes && (one = add(path, &content))) {
    bool copied = !handle && !is_of_system(path) && content.size <= MOST_COPIED && !looks_around(&content) &&
                  load_copy(one, &content);
    if (copied)
      handle = one->handle;
    else if (!handle && !(handle = dlopen(path, RTLD_NOW | RTLD_LOCAL)))
      *why = loader_says(path);
    one->handle = handle;
    if (!handle) forget(one);
  } else if (!handle && !(handle = dlopen(path, RTLD_NOW | RTLD_LOCAL))) {
    *why = loader_says(path);
  }
  if (key) *key = content.key;
  free((void *)content.bytes);
  return handle;
}

void *foreign_open(const char *path, struct psl_key *content, const char **why) {
  char *real = strchr(path, '/') ? realpath(path, NULL) : NULL;
  struct link_map *map;
  void *handle = NULL;
  *why = NULL;
  pthread_mutex_lock(&list.lock);
  if (!real && !(handle = dlopen(path, RTLD_NOW | RTLD_LOCAL)))
    *why = loader_says(path);
  else if (!real && dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0)
    real = realpath(map->l_name, NULL);
  if (real) handle = load(real, handle, content, why);
  free(real);
  pthread_mutex_unlock(&list.lock);
  return handle;
}

void foreign_close(void *handle) {
  pthread_mutex_lock(&list.lock);
  struct loaded *one = list.first;
  while (one && one->handle != handle)
    one = one->next;
  dlclose(handle);
  void *still = one ? dlopen(*one->name ? one->name : one->path, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD) : NULL;
  if (still)
    dlclose(still);
  else if (one)
    forget(one);
  pthread_mutex_unlock(&list.lock);
}
