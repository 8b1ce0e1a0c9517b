/* Memory of one compilation: blocks that are freed together, and texts that grow. Where none can be had psl ends. */
#ifndef PSL_COMPILE_ROOM_H
#define PSL_COMPILE_ROOM_H
#include <stdbool.h>
#include <stddef.h>

struct room {
  struct room_block *newest;
};
void *room_alloc(struct room *room, size_t size); /* zeroed */
char *room_copy(struct room *room, const char *text);
char *room_printf(struct room *room, const char *format, ...) __attribute__((format(printf, 2, 3)));
void room_close(struct room *room); /* frees all */

#define ROOM_ARRAY(room, type, count) ((type *)room_alloc((room), sizeof(type) * (size_t)(count)))

struct text {
  struct room *room;
  char *data; /* NUL-terminated; NULL: nothing was added */
  size_t size, capacity;
};
void text_add(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Where the word stands in the text, and in no longer one; NULL: nowhere. */
const char *text_find_word(const char *text, const char *word);
bool text_has_word(const char *text, const char *word);
#endif
