/* Files in memory by which the command line tells a source what is to be run or written, and a model cannot: words, the
 * first of which says what it is. They cannot be written any more. */
#ifndef PSL_DESCRIPTION_H
#define PSL_DESCRIPTION_H
#include <stddef.h>

#define RUNNING_MAGIC "PSL running program"     /* of running.c: a program */
#define SIMULATED_MAGIC "PSL simulated program" /* of simulated.c: a program for another processor */
#define REFLECTED_MAGIC "PSL reflected program" /* of evaluators/reflector.c: a program that asks the model */
#define RECORDED_MAGIC "PSL recorded replay"    /* of recorded.c: a trace, and one that is to be made */

/* The words, ended by NULL, in `text`; both are the caller's. NULL: it is none that the command line has made. */
char **description_read(const char *path, char **text, size_t *count);
#endif
