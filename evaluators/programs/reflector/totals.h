/* What uses of resources have taken, by resource and place, where no model is asked. */
#ifndef PSL_REFLECTOR_TOTALS_H
#define PSL_REFLECTOR_TOTALS_H
#include "evaluators/programs/reflector/counted.h"

void totals_open(const char *path); /* of a file that gets them; NULL: a table goes to standard error */
void totals_add(const char *resource, const char *file, int line, double seconds, const struct counted *counted);
void totals_write(void);
#endif
