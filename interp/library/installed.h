/* The folders that `make install` puts things into. */
#ifndef PSL_INSTALLED_H
#define PSL_INSTALLED_H

extern const char installed_data[];    /* the standard library: stdlib and coercions */
extern const char installed_modules[]; /* of MPIs */
extern const char installed_manuals[]; /* in a folder for each section */
#endif
