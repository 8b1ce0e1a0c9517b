/* The names in a folder: gathered while it is open, into memory that is there already, as a failed allocation jumps and
 * would leave it open. Where they want more room the folder is read again. */
#include "grammar/folder.h"
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

static int by_text(const void *a, const void *b) { return strcmp(*(const char *const *)a, *(const char *const *)b); }

/* One behind the other, as far as they have room; the bytes that all want. */
static size_t gather(const char *folder, bool (*wanted)(const char *name), char *names, size_t room) {
  size_t used = 0;
  DIR *dir = opendir(*folder ? folder : ".");
  for (struct dirent *entry; dir && (entry = readdir(dir));) {
    size_t size = strlen(entry->d_name) + 1;
    if (!wanted(entry->d_name)) continue;
    if (used + size <= room) memcpy(names + used, entry->d_name, size);
    used += size;
  }
  if (dir) closedir(dir);
  return used;
}

uint32_t folder_names(struct arena *arena, const char *folder, bool (*wanted)(const char *name), const char ***out) {
  uint32_t count = 0, capacity = 0;
  char *names = NULL;
  size_t room = 0, used;
  *out = NULL;
  while ((used = gather(folder, wanted, names, room)) > room) {
    room = 2 * used; /* files may come meanwhile */
    names = ARENA_ARRAY(arena, char, room);
  }
  for (size_t at = 0; at < used; at += strlen(names + at) + 1)
    ARENA_PUSH(arena, *out, count, capacity, names + at);
  if (count) qsort(*out, count, sizeof **out, by_text);
  return count;
}
