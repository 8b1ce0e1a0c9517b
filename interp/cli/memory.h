/* Memory of the command line: blocks that live as long as a scope, the program or a script, and texts that grow. Where
 * none can be had psl says so and ends. */
#ifndef PSL_CLI_MEMORY_H
#define PSL_CLI_MEMORY_H
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct scope {
  struct scope_block *newest;
};
void scope_close(struct scope *scope);               /* frees all; it is empty and may be used again */
void *scope_alloc(struct scope *scope, size_t size); /* zeroed; size 0 gives a valid pointer */
/* A block of this scope (NULL: a new one) at its new size. */
void *scope_grow(struct scope *scope, void *block, size_t size);
char *scope_copy(struct scope *scope, const char *text, size_t length); /* NUL-terminated */
char *scope_printf(struct scope *scope, const char *format, ...) __attribute__((format(printf, 2, 3)));
char *scope_vprintf(struct scope *scope, const char *format, va_list arguments);

#define SCOPE_ARRAY(scope, type, count) ((type *)scope_alloc((scope), sizeof(type) * (size_t)(count)))
/* Appends: grows `array` (a T *, with `count` and `capacity` lvalues) by doubling, then stores. */
#define SCOPE_PUSH(scope, array, count, capacity, item)                  \
  do {                                                                   \
    if ((count) == (capacity)) {                                         \
      size_t scope_new = (capacity) ? (size_t)(capacity)*2 : 4;          \
      (array) = scope_grow((scope), (array), sizeof *(array)*scope_new); \
      (capacity) = (__typeof__(capacity))scope_new;                      \
    }                                                                    \
    (array)[(count)++] = (item);                                         \
  } while (0)

struct buffer {
  struct scope *scope;
  char *data; /* NUL-terminated once anything was written */
  size_t size, capacity;
};
void buffer_put(struct buffer *buffer, const char *text, size_t size);
int buffer_write(void *buffer, const char *text, size_t size); /* the same, as a psl_write */
#endif
