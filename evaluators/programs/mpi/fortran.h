/* Calls of MPI from Fortran come by way of MPI's own wrappers, so that all would have one place, the wrapper's. */
#ifndef PSL_MPI_FORTRAN_H
#define PSL_MPI_FORTRAN_H
#include <stdbool.h>

/* Where the program calls: `from`, or the place in Fortran from which the wrapper that is there has been called. It is
 * told once, by the first call of C's. */
const void *fortran_caller(const void *from);
bool fortran_calls(void); /* is there such a place, still to be told? */
#endif
