/* Reads what gzip has compressed, as distributions do with manuals, by zlib, which is loaded when there is such a file.
 * A file is read twice, for its size and for its text: a failed allocation jumps, and would leave it open. */
#include "interp/library/compressed.h"
#include <dlfcn.h>

struct zlib {
  void *library;
  void *(*open)(const char *path, const char *mode);
  int (*read)(void *file, void *out, unsigned size);
  int (*close)(void *file);
};

static bool zlib_load(struct zlib *z) {
  z->library = dlopen("libz.so.1", RTLD_LAZY | RTLD_LOCAL);
  if (!z->library) return false;
  *(void **)&z->open = dlsym(z->library, "gzopen");
  *(void **)&z->read = dlsym(z->library, "gzread");
  *(void **)&z->close = dlsym(z->library, "gzclose");
  return z->open && z->read && z->close;
}

/* The size of the text, of which the first bytes go to `out`; 0: it has none, or is damaged. */
static size_t inflated(const struct zlib *z, const char *path, char *out, size_t room) {
  char part[4096];
  size_t size = 0;
  int got = -1;
  void *file = z->open(path, "rb");
  while (file && (got = z->read(file, part, sizeof part)) > 0) {
    for (int i = 0; i < got; i++, size++)
      if (size < room) out[size] = part[i];
  }
  if (file) z->close(file);
  return got < 0 ? 0 : size;
}

const char *compressed_text(struct arena *arena, const char *path, size_t *size) {
  struct zlib z = {0};
  char *text = NULL;
  *size = 0;
  size_t room = zlib_load(&z) ? inflated(&z, path, NULL, 0) : 0;
  if (z.library) dlclose(z.library);
  if (!room) return NULL;
  text = arena_alloc(arena, room + 1);
  if (zlib_load(&z)) *size = inflated(&z, path, text, room);
  if (z.library) dlclose(z.library);
  if (*size > room) *size = room; /* it has been written to meanwhile */
  return *size ? text : NULL;
}
