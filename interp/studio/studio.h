/* The studio: a page in the browser in which models are drawn, written and run, served by psl itself to this computer
 * alone.  A user of psl.h, and of psl's own commands, which run as programs of their own. */
#ifndef PSL_STUDIO_H
#define PSL_STUDIO_H
#include "interp/include/psl.h"

struct studio_options {
  const struct psl_options *psl; /* what models may, and how what is wrong is said */
  const char *path;              /* a model, or a folder of them; NULL: the current one */
  const char *rules, *toolbar;   /* files for diagrams; NULL: those of the standard library */
  bool no_browser;               /* none is opened */
  volatile int *interrupted;     /* set by who wants an end; 2 when that is seen */
};
/* Serves until it is interrupted. Returns the exit status of the program: 0, or 1 after what is wrong has been said. */
int studio_serve(const struct studio_options *options);
#endif
