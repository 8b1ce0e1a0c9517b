/* Memory: arenas that are freed whole, with a limit, a count, and one way to fail.
 *
 * All memory of PSL that is not another library's comes from an arena; nothing is freed singly but
 * large blocks.  An allocation that cannot be had does not return: it jumps to the innermost
 * memory_guard, whose owner reports it and drops the arenas of the work in hand.  So no caller
 * tests for NULL.  Never call an allocating function inside another library's callback. */
#ifndef PSL_ARENA_H
#define PSL_ARENA_H
#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* With the address sanitizer pieces have poisoned memory between them, and what is freed or reset is given back to the
 * system, so that the use of it shows. */
#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define ARENA_GUARDED
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
#define ARENA_GUARDED
#endif

/* What the flag of a user says who wants an end: set to 1 by a handler of signals, to 2 when that has been seen. */
enum { INTERRUPT_WANTED = 1, INTERRUPT_SEEN = 2 };

struct memory {
  size_t used;               /* bytes held from the system now, all arenas together */
  size_t peak;               /* the most that `used` has been */
  size_t limit;              /* an allocation beyond it fails (0: no limit) */
  uint64_t allocations;      /* calls to the system so far */
  uint64_t fail_at;          /* tests: the allocation of this number fails (0: none), and all after it */
  jmp_buf *guard;            /* where a failure jumps; NULL aborts */
  volatile int *interrupted; /* the flag; NULL: nobody can want an end */
  bool breakable;            /* the work in hand has nothing to lose: an end that is wanted makes it fail */
  bool broken_off;           /* the last failure was no lack of memory: an end was wanted */
  struct {
    size_t limit, used, wanted; /* of the last failure for want of memory */
  } lack;
  struct {
    uintptr_t free, lowest, end; /* above `free` it does not count, `lowest` has been in use, below `end` is none */
  } stack;                       /* of the work in hand, which counts in `used`; 0: not looked at */
  struct arena_block *spare[2];  /* chunks given back that are kept at hand, not counted in `used`; [1]: small ones */
  unsigned spare_count, spare_most; /* spare_most 0: none are kept */
};
/* Gives back what is kept at hand. */
void memory_close(struct memory *memory);

/* Fails as an allocation that cannot be had does: by the guard. */
_Noreturn void memory_fail(struct memory *memory);
/* What the last failure lacked, for people. */
const char *memory_lack(const struct memory *memory, char *text, size_t size);

/* The stack that the work in hand is on, down to `end`: what recursion takes of it counts as memory that is held, until
 * the work ends, for the system takes nothing back before. */
void stack_open(struct memory *memory, uintptr_t end);
void stack_close(struct memory *memory);
size_t stack_held(const struct memory *memory);
bool stack_extend(struct memory *memory, uintptr_t lowest);
/* Why it was not extended: the limit of memory, not the end of the stack. */
bool stack_lacks_memory(const struct memory *memory);
/* May the stack be used down to there? */
static inline bool stack_allows(struct memory *memory, uintptr_t lowest) {
  return lowest >= memory->stack.lowest || stack_extend(memory, lowest);
}

/* Does the user want an end? For who then gives what there is. */
static inline bool interrupted(const struct memory *memory) {
  if (!memory->interrupted || !*memory->interrupted) return false;
  *memory->interrupted = INTERRUPT_SEEN;
  return true;
}
/* And has nobody seen it yet? For who has to close something before interrupt_look. */
static inline bool interrupt_wanted(const struct memory *memory) {
  return memory->interrupted && *memory->interrupted == INTERRUPT_WANTED;
}
/* Fails where the user wants an end that nobody has seen yet, and the work is breakable. Each new block of memory
 * looks; loops that want none for long look now and then. */
void interrupt_look(struct memory *memory);

struct arena_block;
/* What else ends with an arena: a process, a file. It stands in the arena that it is deferred to. */
struct arena_deferred {
  void (*run)(void *user);
  void *user;
  struct arena_deferred *older;
};
struct arena {
  struct memory *memory;
  struct arena_block *blocks; /* chunks and large blocks, newest first */
  char *next, *end;           /* the free rest of the newest chunk */
  size_t chunks;              /* bytes of all chunks */
  size_t held;                /* of all blocks */
  struct arena_deferred *deferred;
};

void arena_open(struct arena *arena, struct memory *memory);
void arena_close(struct arena *arena);        /* frees all; the arena is empty and may be used again */
size_t arena_size(const struct arena *arena); /* bytes held */
/* Empty again, with one chunk kept at hand: for memory that is used from statement to statement. */
void arena_reset(struct arena *arena);
/* Gives back what was allocated since a copy of the arena was made, if the chunk at hand is still the same: a million
 * evaluations that keep nothing take no more than one. */
void arena_return(struct arena *arena, const struct arena *before);
/* Called by arena_close before it frees anything, the newest first. */
void arena_defer(struct arena *arena, struct arena_deferred *deferred);
/* Zeroed memory, aligned for any type.  size 0 gives a valid pointer. */
void *arena_alloc(struct arena *arena, size_t size);
/* The block grown to new_size, the new part zeroed; old may be NULL with old_size 0. Blocks over
 * 64 KiB are extended or moved without leaving the old one behind. */
void *arena_grow(struct arena *arena, void *old, size_t old_size, size_t new_size);
enum { ARENA_LARGE = 64 * 1024 };
/* Frees a piece of more than ARENA_LARGE bytes. */
void arena_release(struct arena *arena, void *piece);
#ifdef ARENA_GUARDED
void *arena_alone(struct arena *arena, size_t size); /* as arena_alloc, in a block of its own, to be released */
#endif
char *arena_copy(struct arena *arena, const char *text, size_t length); /* NUL-terminated */
char *arena_printf(struct arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));

#define ARENA_NEW(arena, type) ((type *)arena_alloc((arena), sizeof(type)))
#define ARENA_ARRAY(arena, type, count) ((type *)arena_alloc((arena), sizeof(type) * (size_t)(count)))
/* The block, which may become smaller: what is large is given back to the system. */
void *arena_shrink(struct arena *arena, void *old, size_t old_size, size_t new_size);
enum { ARENA_LONG = 1 << 20 };
/* Appends: grows `array` (a T *, with `count` and `capacity` lvalues) by doubling, what is long by a quarter, then
 * stores. Most lists of what is large have one item. */
#define ARENA_PUSH(arena, array, count, capacity, item)                                                        \
  do {                                                                                                         \
    if ((count) == (capacity)) {                                                                               \
      size_t arena_new = (capacity) ? (size_t)(capacity)*2 : sizeof *(array) < 48 ? 4 : 1;                     \
      if (arena_new * sizeof *(array) > 2 * ARENA_LONG) arena_new = (size_t)(capacity) + (capacity) / 4;       \
      (array) = arena_grow((arena), (array), sizeof *(array) * (size_t)(capacity), sizeof *(array)*arena_new); \
      (capacity) = (__typeof__(capacity))arena_new;                                                            \
    }                                                                                                          \
    (array)[(count)++] = (item);                                                                               \
  } while (0)
#endif
