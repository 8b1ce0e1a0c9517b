/* Characters of UTF-8: which are refused or shown by their numbers, and how wide they are. */
#ifndef PSL_CHARACTERS_H
#define PSL_CHARACTERS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum character {
  CHARACTER_PLAIN,
  CHARACTER_CONTROL, /* steers a terminal, ends a line */
  CHARACTER_TURNING, /* lets what stands about it be shown in another order than it has */
};

/* The character that a text begins with: its bytes, 0 where that is no UTF-8. */
size_t character_read(const char *text, size_t size, uint32_t *code);
enum character character_kind(uint32_t code);
enum { CHARACTER_SHOWN = 16 };
/* That character as people are shown it: itself where it is plain or one of `keep` ("\n\t"), else \n, \t, \u{1b};
 * \x{ff} where that is no UTF-8. How many bytes of the text it takes. */
size_t character_show(const char *text, size_t size, const char *keep, char shown[CHARACTER_SHOWN]);
/* Where the first character stands that no text that is read may have: a control but for those that part lines and
 * words, one that turns the direction, or no UTF-8; size: nowhere. last: the text ends there. */
size_t characters_refused(const char *text, size_t size, bool last);
enum { CHARACTER_DESCRIBED = 80 };
/* What it is, in words: "a control character (U+001B)"; its bytes, 1 of what is no UTF-8. */
size_t character_describe(const char *text, size_t size, char what[CHARACTER_DESCRIBED]);
/* The columns that a text takes where it is shown. */
size_t characters_width(const char *text, size_t size);
#endif
