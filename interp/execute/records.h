/* What records say of themselves: warm-ups, and the precision that a run goes on for. */
#ifndef PSL_RECORDS_H
#define PSL_RECORDS_H
#include "interp/execute/executor.h"

/* Before anything is executed, in this order: stop the run where the system, or a record, says what cannot be. */
void warm_up_read(struct executor *executor);
void records_open(struct executor *executor);
/* What ends a run is known of nothing that was recorded before. */
void records_restart(struct executor *executor, double clock);
#endif
