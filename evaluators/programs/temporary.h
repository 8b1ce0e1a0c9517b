/* Files without a name, for what does not fit into memory: in the folder that TMPDIR names, or in /tmp. */
#ifndef PSL_TEMPORARY_H
#define PSL_TEMPORARY_H
#include <stdio.h>

int temporary_open(void);   /* -1 with errno */
FILE *temporary_file(void); /* NULL with errno */
#endif
