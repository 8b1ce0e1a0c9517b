/* The files of a simulated program: its descriptors are its own and name those of the host, so that it reaches no file
 * that it has not opened but the three that every program has. Results are counts, or negative numbers of errors. */
#ifndef PSL_PROCESSOR_HOST_FILES_H
#define PSL_PROCESSOR_HOST_FILES_H
#include "evaluators/processor/instruction.h"

#include <sys/stat.h>

enum { HOST_FILES = 64, HOST_NOWHERE = -2 };
struct host_files {
  int host[HOST_FILES]; /* by the program's descriptor; -1: none; HOST_NOWHERE: takes all, and has nothing to read */
  bool alone;           /* it can open no others, nor look for them */
};

void host_files_open(struct host_files *, enum program_reach);
void host_files_close(struct host_files *);
int host_file(const struct host_files *, uint64_t descriptor); /* the host's; -1: none */
int64_t host_file_open(struct host_files *, struct space *, int folder, uint64_t path, int flags, unsigned mode);
int64_t host_file_close(struct host_files *, uint64_t descriptor);
int64_t host_file_copy(struct host_files *, uint64_t descriptor, int64_t to); /* to < 0: the first that is free */
int64_t host_file_read(struct host_files *, struct space *, uint64_t descriptor, uint64_t address, uint64_t count);
int64_t host_file_write(struct host_files *, struct space *, uint64_t descriptor, uint64_t address, uint64_t count);
int64_t host_file_seek(struct host_files *, uint64_t descriptor, int64_t offset, int whence);
int64_t host_file_state(struct host_files *, uint64_t descriptor, struct stat *);
int64_t host_path_state(struct host_files *, struct space *, int folder, uint64_t path, bool follow, struct stat *);
/* Of a path: is it there for reading, writing (access's bits)? Or it is gone; or a folder is there, with this mode. */
enum host_path_act { HOST_ACCESS, HOST_UNLINK, HOST_REMOVE_FOLDER, HOST_MAKE_FOLDER };
int64_t host_path(struct host_files *, struct space *, uint64_t path, enum host_path_act, unsigned how);
int64_t host_rename(struct host_files *, struct space *, uint64_t from, uint64_t to);
int64_t host_file_cut(struct host_files *, uint64_t descriptor, int64_t size); /* to that size */
#endif
