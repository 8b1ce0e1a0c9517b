/* Reads and writes a file by calls of UNIX, on each rank, and says what each call has taken in virtual time; what is
 * read is what was written. */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BLOCK = 1 << 20 };

static int rank, size;
static double before;

static void said(const char *what) {
  double taken = MPI_Wtime() - before;
  for (int r = 0; r < size; r++) {
    if (r == rank) printf("%d %s %.6f ms\n", rank, what, 1e3 * taken);
    fflush(stdout);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  before = MPI_Wtime();
}

static void check(int holds, const char *what) {
  if (!holds) {
    printf("%d: %s\n", rank, what);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
}

int main(int argc, char **argv) {
  char *block = malloc(BLOCK);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  before = MPI_Wtime();
  int file = open(argv[1], O_RDWR | O_CREAT, 0644);
  check(file >= 0, "open");
  said("open");
  memset(block, 'a' + rank, BLOCK);
  check(pwrite(file, block, BLOCK, (off_t)rank * BLOCK) == BLOCK, "pwrite");
  said("pwrite");
  check(fsync(file) == 0, "fsync");
  said("fsync");
  int other = (rank + 1) % size;
  check(pread(file, block, BLOCK, (off_t)other * BLOCK) == BLOCK && block[7] == 'a' + other, "pread");
  said("pread");
  check(lseek(file, (off_t)size * BLOCK - 10, SEEK_SET) == (off_t)size * BLOCK - 10, "lseek");
  said("lseek");
  check(read(file, block, BLOCK) == 10 && block[0] == 'a' + size - 1, "read");
  said("read");
  check(lseek(file, 0, SEEK_SET) == 0 && write(file, "", 0) == 0, "write of nothing");
  said("nothing");
  check(read(file, block, 4) == 4 && lseek(file, 0, SEEK_CUR) == 4, "the pointer");
  said("four bytes");
  check(close(file) == 0, "close");
  said("close");
  check(read(file, block, 4) < 0, "read of what is closed");
  int ends[2]; /* a pipe is none of the storage's */
  check(pipe(ends) == 0 && write(ends[1], "abc", 3) == 3 && read(ends[0], block, 3) == 3, "a pipe");
  close(ends[0]);
  close(ends[1]);
  said("a pipe");
  FILE *stream = fopen(argv[1], "r"); /* and what stdio does with its own is not, either */
  check(stream && fread(block, 1, 100, stream) == 100, "stdio");
  fclose(stream);
  said("stdio");
  MPI_Finalize();
  return 0;
}
