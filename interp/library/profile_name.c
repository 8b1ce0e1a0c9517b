/* Which names can a program, or a machine, have in a model? It stands there as a name of a component, with "-signature"
 * or "-memory" behind it, and as a value of an attribute, where a name of a param would stand for the param's value. */
#include "interp/library/profile_name.h"
#include "grammar/words.h"

#include <ctype.h>
#include <string.h>

static bool is_plain(const char *name) {
  size_t length = strlen(name), plain = 0;
  while (plain < length && (isalnum((unsigned char)name[plain]) || name[plain] == '_' ||
                            (plain && name[plain] == '-' && isalpha((unsigned char)name[plain + 1]))))
    plain++;
  return length && plain == length && length < 100 && isalpha((unsigned char)*name) && !word_is_reserved(name, length);
}

const char *profile_name_wrong(const char *name) {
  /* The params of the library that have terms as their values; and its program that does nothing. */
  static const char *const taken[] = {"program",     "traced",      "first-level",    "second-level",
                                      "third-level", "main-memory", "combination",    "placement",
                                      "burst-times", "machine",     "floating-point", "nothing"};
  if (!is_plain(name)) return "is no name of PSL";
  for (size_t k = 0; k < sizeof taken / sizeof *taken; k++)
    if (!strcmp(taken[k], name)) return "is the name of something else in psl's library";
  return NULL;
}
