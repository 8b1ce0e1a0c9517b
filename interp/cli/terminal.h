/* What the files of the terminal share. */
#ifndef PSL_CLI_TERMINAL_H
#define PSL_CLI_TERMINAL_H
#include "interp/cli/prompt.h"

const char *user_file(struct scope *scope, const char *variable, const char *other, const char *name);
/* Lets readline ask for words that fit. */
void completion_begin(struct session *session);
#endif
