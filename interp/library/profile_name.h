/* The names that files have which psl writes for the convolver: of programs, and of machines. */
#ifndef PSL_PROFILE_NAME_H
#define PSL_PROFILE_NAME_H
struct psl;

/* NULL, or what is wrong with a name, to stand behind it: "is no name of PSL". `endings`, ended by NULL, are those that
 * components have behind it. */
const char *profile_name_wrong(const struct psl *psl, const char *name, const char *const *endings);
#endif
