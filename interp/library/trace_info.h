/* What a trace of a program comes to, as sections of a report: see trace_info.c. */
#ifndef PSL_TRACE_INFO_H
#define PSL_TRACE_INFO_H
#include "evaluators/programs/profile.h"
#include "interp/report/report.h"

/* The source that a path is, an archive too; of who has been given the path by name. NULL: error. */
struct program_source *trace_source_open(const char *path, struct program_error *error);
void trace_put_operations(struct report *report, const struct profile *profile);
void trace_put_time(struct report *report, const struct profile *profile, bool by_rank);
void trace_put_messages(struct report *report, const struct profile *profile, bool by_rank); /* sorts its pairs */
#endif
