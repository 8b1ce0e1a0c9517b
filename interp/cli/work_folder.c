/* The folder that a command keeps files in while it works: removed with all that programs have left there. */
#include "interp/cli/cli.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

void work_folder_remove(const char *path) {
  DIR *folder = opendir(path);
  const struct dirent *entry;
  while (folder && (entry = readdir(folder)))
    if (entry->d_name[0] != '.') unlinkat(dirfd(folder), entry->d_name, 0);
  if (folder) closedir(folder);
  rmdir(path);
}
