/* Arenas: chunks handed out piece by piece, large blocks on their own, all freed together.
 *
 * Everything in PSL allocates here.  Chunks come zeroed from the system and no piece is handed out
 * twice, so what arena_alloc returns is zero without clearing it. */
#include "grammar/arena.h"

#include <stdalign.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#ifdef ARENA_GUARDED
#include <sanitizer/asan_interface.h>
enum { GUARDED = 1 };
#else
#define ASAN_POISON_MEMORY_REGION(from, size) ((void)(from), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(from, size) ((void)(from), (void)(size))
enum { GUARDED = 0 };
#endif

enum { CHUNK = ARENA_LARGE, SMALLEST_CHUNK = 4 * 1024 };
/* An arena that has grown large goes on in chunks whose pages the system gives all at once: a fault for each would be
 * most of what they cost. */
enum { MAPPED = 2 * 1024 * 1024, MAPPED_AFTER = 16 * MAPPED };
enum { GAP = GUARDED ? alignof(max_align_t) : 0 }; /* of poisoned memory behind each piece of a chunk */
enum { LARGE = CHUNK - GAP };                      /* what is larger has a block of its own */
enum { SMALL = 4 * 1024 };

struct arena_block {
  struct arena_block *older, *newer; /* a large block leaves the chain to be grown */
  size_t size;                       /* of the data */
  size_t dirty;                      /* of a spare chunk: what was handed out of it */
  bool mapped;                       /* MAPPED bytes with this head, from mmap */
  alignas(max_align_t) char data[];
};

_Noreturn void memory_fail(struct memory *memory) {
  if (memory->guard) longjmp(*memory->guard, 1);
  fputs("psl: out of memory\n", stderr);
  abort();
}

void interrupt_look(struct memory *memory) {
  if (!memory->breakable || !interrupt_wanted(memory) || !memory->guard) return;
  *memory->interrupted = INTERRUPT_SEEN;
  memory->broken_off = true;
  memory_fail(memory);
}

/* Takes `more` bytes into the count, or fails; nothing has been asked of the system yet. */
static void memory_charge(struct memory *memory, size_t more) {
  memory->allocations++;
  interrupt_look(memory);
  memory->lack.limit = memory->limit;
  memory->lack.used = memory->used;
  memory->lack.wanted = more;
  if (memory->fail_at && memory->allocations >= memory->fail_at) memory_fail(memory);
  if (more > SIZE_MAX - memory->used) memory_fail(memory);
  if (memory->limit && memory->used + more > memory->limit) memory_fail(memory);
}

static void memory_held(struct memory *memory, size_t more) {
  memory->used += more;
  if (memory->used > memory->peak) memory->peak = memory->used;
}

static size_t in_kib(size_t bytes) { return (bytes + 1023) / 1024; }

const char *memory_lack(const struct memory *memory, char *text, size_t size) {
  size_t held = memory->lack.used / 1024, wanted = in_kib(memory->lack.wanted);
  if (memory->lack.limit)
    snprintf(text, size, "out of memory: of the limit of %zu KiB %zu KiB were held when %zu KiB were wanted",
             memory->lack.limit / 1024, held, wanted);
  else
    snprintf(text, size, "out of memory: %zu KiB were held when %zu KiB were wanted", held, wanted);
  return text;
}

/* ---- the stack ---- */

enum { STACK_FREE = 256 * 1024, STACK_STEP = 64 * 1024 }; /* what each work takes; what is counted at a time */

void stack_open(struct memory *memory, uintptr_t end) {
  memory->stack.free = memory->stack.lowest = (uintptr_t)__builtin_frame_address(0) - STACK_FREE;
  memory->stack.end = end;
}

size_t stack_held(const struct memory *memory) { return memory->stack.free - memory->stack.lowest; }

void stack_close(struct memory *memory) {
  memory->used -= stack_held(memory);
  memory->stack.free = memory->stack.lowest = memory->stack.end = 0;
}

bool stack_extend(struct memory *memory, uintptr_t lowest) {
  size_t more = (memory->stack.lowest - lowest + STACK_STEP - 1) / STACK_STEP * STACK_STEP;
  if (lowest < memory->stack.end || (memory->limit && memory->used + more > memory->limit)) return false;
  memory->stack.lowest -= more;
  memory_held(memory, more);
  return true;
}

bool stack_lacks_memory(const struct memory *memory) {
  return memory->limit && memory->used + STACK_STEP > memory->limit;
}

static size_t round_up(struct memory *memory, size_t size) {
  size_t mask = alignof(max_align_t) - 1;
  if (size > SIZE_MAX - mask - sizeof(struct arena_block)) memory_fail(memory);
  return size ? (size + mask) & ~mask : mask + 1;
}

static void chain(struct arena *arena, struct arena_block *block) {
  block->newer = NULL;
  block->older = arena->blocks;
  if (block->older) block->older->newer = block;
  arena->blocks = block;
}

static bool is_chunk(size_t size) { return size == CHUNK || size == SMALLEST_CHUNK; }

/* A chunk that was given back, zeroed again; NULL: there is none. */
static struct arena_block *spare_take(struct memory *memory, size_t size) {
  struct arena_block **spare = &memory->spare[size == SMALLEST_CHUNK], *block = *spare;
  if (!block) return NULL;
  *spare = block->older;
  memory->spare_count--;
  memset(block->data, 0, block->dirty);
  return block;
}

static void spare_give(struct memory *memory, struct arena_block *block, size_t dirty) {
  struct arena_block **spare = &memory->spare[block->size == SMALLEST_CHUNK];
  block->dirty = dirty;
  block->older = *spare;
  *spare = block;
  memory->spare_count++;
}

void memory_close(struct memory *memory) {
  struct arena_block *older;
  for (int k = 0; k < 2; k++) {
    for (struct arena_block *block = memory->spare[k]; block; block = older) {
      older = block->older;
      free(block);
    }
    memory->spare[k] = NULL;
  }
  memory->spare_count = 0;
}

enum { MAPPED_CHUNK = MAPPED - sizeof(struct arena_block) };

static void *chunk_map(void) {
  void *at = mmap(NULL, MAPPED, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
  return at == MAP_FAILED ? NULL : at;
}

static void block_free(struct arena_block *block) {
  if (block->mapped)
    munmap(block, MAPPED);
  else
    free(block);
}

static struct arena_block *block_make(struct arena *arena, size_t size, bool mapped) {
  size_t total = sizeof(struct arena_block) + size;
  memory_charge(arena->memory, total);
  struct arena_block *block = mapped ? chunk_map() : is_chunk(size) ? spare_take(arena->memory, size) : NULL;
  if (!block && !mapped) block = calloc(1, total);
  if (!block) memory_fail(arena->memory);
  memory_held(arena->memory, total);
  block->size = size;
  block->mapped = mapped;
  arena->held += size;
  chain(arena, block);
  return block;
}

/* Of a piece that stands alone. */
static struct arena_block *block_new(struct arena *arena, size_t size) { return block_make(arena, size, false); }

/* For a piece that fits into any chunk but perhaps the smallest. */
static void chunk_begin(struct arena *arena, size_t piece) {
  const struct memory *memory = arena->memory;
  bool room = !memory->limit || memory->used + MAPPED <= memory->limit;
  bool mapped = !GUARDED && arena->chunks >= MAPPED_AFTER && room;
  size_t size = mapped ? MAPPED_CHUNK : arena->end || piece > SMALLEST_CHUNK ? CHUNK : SMALLEST_CHUNK;
  arena->next = block_make(arena, size, mapped)->data;
  arena->end = arena->next + size;
  arena->chunks += size;
  ASAN_POISON_MEMORY_REGION(arena->next, size);
}

void arena_open(struct arena *arena, struct memory *memory) { *arena = (struct arena){.memory = memory}; }

void arena_defer(struct arena *arena, struct arena_deferred *deferred) {
  deferred->older = arena->deferred;
  arena->deferred = deferred;
}

void arena_close(struct arena *arena) {
  struct memory *memory = arena->memory;
  struct arena_block *older;
  for (struct arena_deferred *next; arena->deferred; arena->deferred = next) {
    next = arena->deferred->older;
    arena->deferred->run(arena->deferred->user);
  }
  for (struct arena_block *block = arena->blocks; block; block = older) {
    older = block->older;
    memory->used -= sizeof *block + block->size;
    bool newest = arena->next >= block->data && arena->next <= block->data + block->size;
    if (!GUARDED && is_chunk(block->size) && memory->spare_count < memory->spare_most)
      spare_give(memory, block, newest ? (size_t)(arena->next - block->data) : block->size);
    else
      block_free(block);
  }
  arena_open(arena, memory);
}

size_t arena_size(const struct arena *arena) { return arena->held; }

void arena_reset(struct arena *arena) {
  struct arena_block *block = arena->blocks;
  if (!block) return;
  if (GUARDED || arena->deferred || block->older || arena->next < block->data ||
      arena->next > block->data + block->size) {
    arena_close(arena);
    return;
  }
  memset(block->data, 0, (size_t)(arena->next - block->data));
  arena->next = block->data;
}

void *arena_alloc(struct arena *arena, size_t size) {
  size_t mask = alignof(max_align_t) - 1, room = (size_t)(arena->end - arena->next);
  if (!GUARDED && size && size <= SMALL && (size + mask) <= room) { /* as mostly: what is handed out is rounded, too */
    void *piece = arena->next;
    arena->next += (size + mask) & ~mask;
    return piece;
  }
  size = round_up(arena->memory, size);
  if (size > LARGE) return block_new(arena, size)->data;
  if (size + GAP > (size_t)(arena->end - arena->next)) chunk_begin(arena, size + GAP);
  void *piece = arena->next;
  arena->next += size + GAP;
  ASAN_UNPOISON_MEMORY_REGION(piece, size);
  return piece;
}

void arena_return(struct arena *arena, const struct arena *before) {
  if (arena->blocks != before->blocks || !before->next) return;
  size_t size = (size_t)(arena->next - before->next);
  ASAN_UNPOISON_MEMORY_REGION(before->next, size);
  memset(before->next, 0, size);
  ASAN_POISON_MEMORY_REGION(before->next, size);
  arena->next = before->next;
}

/* A block that stands alone has another size, and perhaps another place. */
static void block_moved(struct arena *arena, struct arena_block *moved, size_t size) {
  if (moved->older) moved->older->newer = moved;
  if (moved->newer)
    moved->newer->older = moved;
  else
    arena->blocks = moved;
  arena->held += size - moved->size;
  moved->size = size;
}

/* Grows a block that stands alone; the system may move it. */
static void *block_grow(struct arena *arena, struct arena_block *block, size_t size) {
  size_t old_size = block->size;
  memory_charge(arena->memory, size - old_size);
  struct arena_block *moved = realloc(block, sizeof *block + size);
  if (!moved) memory_fail(arena->memory);
  memory_held(arena->memory, size - old_size);
  block_moved(arena, moved, size);
  memset(moved->data + old_size, 0, size - old_size);
  return moved->data;
}

void *arena_grow(struct arena *arena, void *old, size_t old_size, size_t new_size) {
  if (!old) return arena_alloc(arena, new_size);
  if (new_size <= old_size) return old;
  size_t held = round_up(arena->memory, old_size), wanted = round_up(arena->memory, new_size);
  if (wanted <= held) return old;
  if (held > LARGE) return block_grow(arena, (struct arena_block *)((char *)old - sizeof(struct arena_block)), wanted);
  bool in_place = !GUARDED && wanted <= LARGE && (char *)old + held == arena->next;
  if (in_place && wanted - held <= (size_t)(arena->end - arena->next)) {
    arena->next += wanted - held;
    return old;
  }
  void *grown = arena_alloc(arena, new_size);
  memcpy(grown, old, old_size);
  ASAN_POISON_MEMORY_REGION(old, held);
  return grown;
}

void *arena_shrink(struct arena *arena, void *old, size_t old_size, size_t new_size) {
  size_t held = round_up(arena->memory, old_size), wanted = round_up(arena->memory, new_size);
  if (wanted >= held || wanted <= LARGE) return old; /* it stays a block of its own */
  struct arena_block *block = (struct arena_block *)((char *)old - sizeof *block);
  struct arena_block *moved = realloc(block, sizeof *block + wanted);
  if (!moved) return old;
  arena->memory->used -= held - wanted;
  block_moved(arena, moved, wanted);
  return moved->data;
}

void arena_release(struct arena *arena, void *piece) {
  struct arena_block *block = (struct arena_block *)((char *)piece - sizeof *block);
  if (block->older) block->older->newer = block->newer;
  if (block->newer)
    block->newer->older = block->older;
  else
    arena->blocks = block->older;
  arena->memory->used -= sizeof *block + block->size;
  arena->held -= block->size;
  free(block);
}

#ifdef ARENA_GUARDED
void *arena_alone(struct arena *arena, size_t size) { return block_new(arena, round_up(arena->memory, size))->data; }
#endif

char *arena_copy(struct arena *arena, const char *text, size_t length) {
  char *copy = arena_alloc(arena, length + 1);
  if (length) memcpy(copy, text, length);
  return copy;
}

static bool only_strings(const char *format) {
  while ((format = strchr(format, '%')))
    if (*++format != 's') return false;
  return true;
}

/* A format with no other conversion than %s, written out where there is room for it: how long it is. */
static size_t put_strings(char *room, const char *format, va_list strings) {
  size_t size = 0;
  for (const char *next; *format; format = next) {
    bool string = *format == '%';
    const char *part = string ? va_arg(strings, const char *) : format;
    next = string ? format + 2 : format + strcspn(format, "%");
    size_t length = string ? strlen(part) : (size_t)(next - format);
    if (room) memcpy(room + size, part, length);
    size += length;
  }
  return size;
}

char *arena_printf(struct arena *arena, const char *format, ...) {
  char few[200]; /* most are short, and printed once */
  va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  if (only_strings(format)) { /* names and words for messages, of which few are ever said */
    char *joined = arena_alloc(arena, put_strings(NULL, format, arguments) + 1);
    put_strings(joined, format, again);
    va_end(arguments);
    va_end(again);
    return joined;
  }
  int length = vsnprintf(few, sizeof few, format, arguments);
  va_end(arguments);
  char *text = arena_alloc(arena, (size_t)(length < 0 ? 0 : length) + 1);
  if (length >= (int)sizeof few)
    vsnprintf(text, (size_t)length + 1, format, again);
  else if (length > 0)
    memcpy(text, few, (size_t)length);
  va_end(again);
  return text;
}
