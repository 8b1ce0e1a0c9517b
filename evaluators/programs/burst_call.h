/* What the library that records a rank's calls of MPI tells the plugin in the QEMU that runs the rank: by calls of the
 * system of a number that no system has, with one of these and, for some, a number. */
#ifndef PSL_BURST_CALL_H
#define PSL_BURST_CALL_H

enum { BURST_CALL = 0x70736c }; /* x86-64 has a few hundred calls */
enum burst_call {
  BURST_RANK,    /* which rank it is */
  BURST_STOPS,   /* the program calls MPI */
  BURST_GOES_ON, /* and does not any more */
  BURST_NAMED,   /* which burst it was since the last one that was named: its key */
};
#endif
