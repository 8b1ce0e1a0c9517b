/* Files that are compressed as gzip does it while they are written, by zlib, which is loaded when a file is named so.
 * The same text makes the same bytes: there is no date in them. */
#include "interp/cli/cli.h"

#include <dlfcn.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

bool is_compressed(const char *path) {
  size_t length = strlen(path);
  return length > 8 && strcasecmp(path + length - 8, ".json.gz") == 0;
}

bool compression_possible(const struct cli *cli, const char *option, const char *path) {
  void *library = dlopen("libz.so.1", RTLD_LAZY | RTLD_LOCAL);
  if (library) dlclose(library);
  if (!library)
    cli_error(cli, "it is in the package zlib1g; a file named .json needs none", "--%s %s needs the library zlib",
              option, shown(cli, path));
  return library;
}

bool compression_begin(struct compression *to, FILE *file) {
  void *(*open)(int, const char *);
  *to = (struct compression){.library = dlopen("libz.so.1", RTLD_LAZY | RTLD_LOCAL)};
  if (!to->library) return false;
  *(void **)&open = dlsym(to->library, "gzdopen");
  *(void **)&to->write = dlsym(to->library, "gzwrite");
  *(void **)&to->close = dlsym(to->library, "gzclose");
  int own = open && to->write && to->close && fflush(file) == 0 ? dup(fileno(file)) : -1;
  if (own >= 0) to->file = open(own, "wb6");
  if (own >= 0 && !to->file) close(own);
  if (!to->file) dlclose(to->library);
  return to->file;
}

int compression_write(void *user, const char *text, size_t size) {
  const struct compression *to = user;
  for (size_t done = 0; done < size;) {
    unsigned part = size - done > INT_MAX / 2 ? INT_MAX / 2 : (unsigned)(size - done);
    if (to->write(to->file, text + done, part) != (int)part) return 1;
    done += part;
  }
  return 0;
}

bool compression_end(struct compression *to) {
  bool done = to->close(to->file) == 0;
  dlclose(to->library);
  return done;
}
