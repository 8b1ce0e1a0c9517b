/* The names that files have which psl writes for the convolver: of programs, and of machines. */
#ifndef PSL_PROFILE_NAME_H
#define PSL_PROFILE_NAME_H
/* NULL, or what is wrong with a name, to stand behind it: "is no name of PSL". */
const char *profile_name_wrong(const char *name);
#endif
