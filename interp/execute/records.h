/* What records say of themselves: warm-ups, and the precision that a run goes on for. */
#ifndef PSL_RECORDS_H
#define PSL_RECORDS_H
#include "interp/execute/executor.h"

/* Before anything is executed: stops the run where a record says what cannot be. */
void records_open(struct executor *executor);
#endif
