/* The file of a program that is to be run: can it be, with psl's library of MPI in the place of its own? */
#ifndef PSL_PROGRAM_FILE_H
#define PSL_PROGRAM_FILE_H
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

/* Where the shell would find it; false with `error`. */
bool program_file_find(const char *name, char path[PATH_MAX], char *error, size_t size);
/* The processor that it is compiled for, as ELF's header has it (EM_X86_64, …); 0: it is no such file of 64 bits. */
unsigned program_file_processor(const char *path);
enum program_form { FORM_ELF, FORM_SCRIPT, FORM_EMPTY, FORM_UNREADABLE, FORM_UNKNOWN };
/* What a file begins as. `what` is, of ELF, the processor's name, and of a script the command of its interpreter. */
enum program_form program_file_form(const char *path, char *what, size_t size);
/* False: it is no program of MPICH's compilers, or needs what the library does not have: `error` names it. */
bool program_file_check(const char *path, const char *library, char *error, size_t size);
/* Can its ranks be in one process? The error names what they would share. */
bool program_file_inside(const char *path, char *error, size_t size);
#endif
