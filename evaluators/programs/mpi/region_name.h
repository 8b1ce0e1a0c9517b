/* The names that programs give their regions by MPI_Pcontrol. */
#ifndef PSL_MPI_REGION_NAME_H
#define PSL_MPI_REGION_NAME_H
enum { REGION_NAME = 80 };
/* A program may give no name, and what stands in its place then is no address of one: NULL. */
const char *region_name_at(const char *name, char copy[REGION_NAME]);
#endif
