/* Where functions are in a process that runs. */
#ifndef PSL_ATTACH_FUNCTIONS_H
#define PSL_ATTACH_FUNCTIONS_H
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct found_function {
  uint64_t address;     /* in the process */
  uint64_t file_offset; /* as its file has it: what addr2line takes */
  char file[4096];      /* the program or library */
};

enum found { FUNCTION_FOUND, FUNCTION_MISSING, FUNCTION_STRIPPED, FUNCTION_FOREIGN };

/* By its symbol in the program or one of its libraries, in the order in which they stand in memory. FUNCTION_STRIPPED:
 * it is in none, and the program has no table of symbols. FUNCTION_FOREIGN: the program is for another processor. */
enum found function_find(pid_t process, const char *name, struct found_function *found);
#endif
