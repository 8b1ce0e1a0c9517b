/* Files that the ranks of a communicator have opened together. */
#ifndef PSL_MPI_FILE_H
#define PSL_MPI_FILE_H
#include "evaluators/programs/mpi/request.h"
#include <sys/types.h>

/* Which bytes of a file a rank sees: those of its filetype, again and again from the displacement on. Data are counted
 * from the first one that it sees, without what lies between. */
struct view {
  int64_t displacement;
  bool external;                            /* data are "external32" in the file */
  MPI_Datatype etype, filetype;             /* as the file has them */
  MPI_Datatype given_etype, given_filetype; /* as the program has given them */
  int64_t *starts;                          /* of the filetype's data, those before each of its blocks */
};
void view_set(struct view *view, int64_t displacement, MPI_Datatype etype, MPI_Datatype filetype, bool external);
void view_drop(struct view *view);
int64_t view_place(const struct view *view, int64_t data);  /* in the file */
int64_t view_below(const struct view *view, int64_t place); /* data before that place of the file */
/* Between `packed` and the file, from that one of the data on: how many; -1 with errno. */
ssize_t view_move(const struct view *view, int descriptor, char *packed, int64_t data, size_t bytes, bool writes);

struct shared_file {
  uint32_t references, number;
  int64_t pointer; /* that all ranks share, in etypes */
};
struct file {
  struct communicator *c; /* the file's own */
  struct shared_file *shared;
  char *name;
  int descriptor, mode;
  struct view view;
  int64_t position; /* of the rank's own pointer, in etypes */
  bool atomic;
  MPI_Errhandler errors;
  MPI_Info info;
  MPI_Request split; /* a collective access that has begun and not ended; MPI_REQUEST_NULL: none */
};
struct file *file_of(MPI_File handle); /* NULL: it is none, which is said */
struct program_operation *file_operation(const struct file *f, enum program_kind kind);
void files_meet(const struct file *f, const void *data, size_t size); /* all ranks come to here */
int64_t file_end(const struct file *f);                               /* in etypes that the rank sees; -1 with errno */
int file_system_failed(const struct file *f, int error);              /* errno */
int file_fail(const struct file *f, int class, const char *format, ...) __attribute__((format(printf, 3, 4)));
#endif
