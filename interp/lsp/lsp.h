/* The language server: what an editor that speaks the Language Server Protocol asks of psl, on standard input and
 * output.  A user of psl.h alone. */
#ifndef PSL_LSP_H
#define PSL_LSP_H
#include "interp/include/psl.h"

/* Serves until the client says `exit` or closes the input. What the options say of callbacks is the server's own
 * matter. Returns the exit status of the program. */
int lsp_serve(const struct psl_options *options);
#endif
