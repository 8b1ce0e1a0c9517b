/* JSON, read where it stands: a value is a pointer to its first character in a text that ends with NUL. What
 * is no JSON reads as nothing. */
#ifndef PSL_JSON_READ_H
#define PSL_JSON_READ_H
#include "grammar/text.h"

/* The value of an object's member; NULL: it has none, or is no object. */
const char *json_read_member(const char *object, const char *name);
/* The first value of an array, and the one behind a value; NULL: there is none. */
const char *json_read_first(const char *array);
const char *json_read_next(const char *value);
/* A string, in the arena; NULL: it is none. */
const char *json_read_string(struct arena *arena, const char *value);
double json_read_number(const char *value); /* NAN: it is none */
bool json_read_true(const char *value);
#endif
