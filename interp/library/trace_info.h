/* What a trace of a program comes to, as sections of a report: see trace_info.c. */
#ifndef PSL_TRACE_INFO_H
#define PSL_TRACE_INFO_H
#include "evaluators/programs/profile.h"
#include "interp/report/report.h"

void trace_put_operations(struct report *report, const struct profile *profile);
void trace_put_time(struct report *report, const struct profile *profile, bool by_rank);
void trace_put_messages(struct report *report, const struct profile *profile, bool by_rank); /* sorts its pairs */
#endif
