/* Where `make install` puts things: the one file that is compiled anew for another PREFIX.  Read where nothing is
 * found beside psl. */
#include "interp/library/installed.h"
#include "installed-paths.inc"

const char installed_data[] = PSL_DATADIR;
const char installed_modules[] = PSL_LIBDIR;
const char installed_manuals[] = PSL_MANDIR;
