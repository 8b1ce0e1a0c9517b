/* What a module is that stands between PSL and one MPI: build/psl-mpi-openmpi.so, -mpich.so. PSL itself is
 * linked with no MPI; it loads the module of the MPI whose launcher has started it (ranks.c). */
#ifndef PSL_MPI_MODULE_H
#define PSL_MPI_MODULE_H
#include <stdbool.h>
#include <stddef.h>

#define PSL_MPI_VERSION 1

struct psl_mpi {
  int version; /* PSL_MPI_VERSION */
  bool (*open)(int *rank, int *size);
  /* Begins to send; the bytes must stay till `sent` says true of what this returns. */
  void *(*send)(int rank, const void *data, size_t size);
  bool (*sent)(void *request);
  /* Is there a message for this rank? Then who sent it, and its size. */
  bool (*probe)(int *rank, size_t *size);
  void (*receive)(int rank, void *data, size_t size);
  void (*close)(void);
  void (*abort)(int code); /* the whole job */
};
/* The module's one symbol. */
#define PSL_MPI_SYMBOL "psl_mpi_module"
#endif
