/* Pointers to functions for C, behind which stand functions of PSL: libffcall's callbacks.
 *
 * The callbacks are made once a process, all together, and never freed: what libffcall writes their code to
 * is a file in the system's folder for temporary files, mapped as shared, which a process and its forks
 * would otherwise both write to.  So it is written once, before or after a fork, and read by all; what a
 * callback does in a process stands in its slot, which is that process' own.  This is the one state of the
 * library that is no handle's, since it is not libffcall's, either.
 *
 * libffcall ends the process where it cannot make a callback.  Its way is tried first.
 *
 * An error in a function of PSL, or a lack of memory, must not jump through C: it is kept in the call, C gets
 * zeros from then on, and the call fails when C returns. */
#include "interp/foreign/foreign.h"

#include <callback.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { SLOTS = 128 };

struct callback_slot {
  callback_t code;
  _Atomic(struct callback *) callback; /* NULL: free */
};

static struct {
  pthread_mutex_t lock;
  atomic_bool made;
  struct callback_slot slots[SLOTS];
} table = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* ---- a call back ---- */

static void start(va_alist list, enum c_type c) {
  switch (c) {
  case C_VOID:
  case C_STRING:
  case C_FUNCTION: va_start_void(list); break;
  case C_BOOL:
  case C_UINT8: va_start_uchar(list); break;
  case C_INT8: va_start_schar(list); break;
  case C_INT16: va_start_short(list); break;
  case C_UINT16: va_start_ushort(list); break;
  case C_INT32: va_start_int(list); break;
  case C_UINT32: va_start_uint(list); break;
  case C_INT64: va_start_longlong(list); break;
  case C_UINT64: va_start_ulonglong(list); break;
  case C_FLOAT: va_start_float(list); break;
  case C_DOUBLE: va_start_double(list); break;
  }
}

static union c_item next_argument(va_alist list, enum c_type c, bool pointer) {
  union c_item item = {.pointer = NULL};
  if (pointer) c = C_FUNCTION;
  switch (c) {
  case C_VOID: break;
  case C_BOOL: item.boolean = va_arg_uchar(list) != 0; break;
  case C_INT8: item.int8 = va_arg_schar(list); break;
  case C_UINT8: item.uint8 = va_arg_uchar(list); break;
  case C_INT16: item.int16 = va_arg_short(list); break;
  case C_UINT16: item.uint16 = va_arg_ushort(list); break;
  case C_INT32: item.int32 = va_arg_int(list); break;
  case C_UINT32: item.uint32 = va_arg_uint(list); break;
  case C_INT64: item.int64 = va_arg_longlong(list); break;
  case C_UINT64: item.uint64 = va_arg_ulonglong(list); break;
  case C_FLOAT: item.float32 = va_arg_float(list); break;
  case C_DOUBLE: item.float64 = va_arg_double(list); break;
  case C_STRING: item.string = va_arg_ptr(list, const char *); break;
  case C_FUNCTION: item.pointer = va_arg_ptr(list, void *); break;
  }
  return item;
}

static void give_back(va_alist list, enum c_type c, const union c_item *item) {
  switch (c) {
  case C_VOID:
  case C_STRING:
  case C_FUNCTION: va_return_void(list); break;
  case C_BOOL: va_return_uchar(list, item->boolean); break;
  case C_UINT8: va_return_uchar(list, item->uint8); break;
  case C_INT8: va_return_schar(list, item->int8); break;
  case C_INT16: va_return_short(list, item->int16); break;
  case C_UINT16: va_return_ushort(list, item->uint16); break;
  case C_INT32: va_return_int(list, item->int32); break;
  case C_UINT32: va_return_uint(list, item->uint32); break;
  case C_INT64: va_return_longlong(list, item->int64); break;
  case C_UINT64: va_return_ulonglong(list, item->uint64); break;
  case C_FLOAT: va_return_float(list, item->float32); break;
  case C_DOUBLE: va_return_double(list, item->float64); break;
  }
}

/* The work of one call back; what C passes by pointer stands in `items`. */
struct called {
  struct callback *callback;
  struct foreign_call *call;
  const struct foreign_signature *signature;
  const union c_item *items;
  union c_item result;
};

static bool wrong(struct called *called, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool wrong(struct called *called, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(called->call->error, FOREIGN_TEXT, format, arguments);
  va_end(arguments);
  called->call->called_back = FOREIGN_ERROR;
  return false;
}

static bool said(struct called *called) {
  called->call->called_back = FOREIGN_SAID;
  return false;
}

static bool count_items(struct called *called, const struct foreign_parameter *p, uint32_t *count) {
  int64_t length;
  struct foreign_host *host = called->call->host;
  *count = 1;
  if (!p->length) return true;
  if (!host->length(host, p->length, called->call->frame, &length)) return said(called);
  if (length < 0 || length > INT32_MAX)
    return wrong(called, "it gives '%s' of '%s' %lld items", p->name->text,
                 called->callback->function->symbol->name->text, (long long)length);
  *count = (uint32_t)length;
  return true;
}

static bool take(struct called *called, uint32_t i) {
  const struct foreign_parameter *p = &called->signature->parameters[i];
  struct value *out = &called->call->frame[called->signature->first_slot + i];
  struct arena *arena = called->call->host->arena;
  const char *name = called->callback->function->symbol->name->text;
  char why[200];
  if (p->passing == PASS_VALUE)
    return c_read(p->c, &called->items[i], arena, out, why, sizeof why) ||
           wrong(called, "it gives '%s' of '%s' %s", p->name->text, name, why);
  const char *data = called->items[i].pointer;
  uint32_t count;
  if (p->passing == PASS_OUT) return true;
  if (!count_items(called, p, &count)) return false;
  if (!data && count) return wrong(called, "it gives '%s' of '%s' NULL", p->name->text, name);
  if (!p->length)
    return c_read(p->c, data, arena, out, why, sizeof why) ||
           wrong(called, "it gives '%s' of '%s' %s", p->name->text, name, why);
  *out = value_object(arena, VALUE_LIST, count);
  for (uint32_t k = 0; k < count; k++)
    if (!c_read(p->c, data + k * c_type_size(p->c), arena, &out->object->items[k], why, sizeof why))
      return wrong(called, "it gives item %u of '%s' of '%s' %s", k, p->name->text, name, why);
  return true;
}

static bool put(struct called *called, uint32_t i, struct value value) {
  const struct foreign_parameter *p = &called->signature->parameters[i];
  const char *name = called->callback->function->symbol->name->text;
  char *data = called->items[i].pointer;
  char why[200];
  uint32_t count;
  if (!count_items(called, p, &count)) return false;
  if (!data && count) return wrong(called, "it gives '%s' of '%s' NULL", p->name->text, name);
  if (p->length && value.object->count != count)
    return wrong(called, "'%s' gives C %u item%s for '%s', and its length says %u", name, value.object->count,
                 value.object->count == 1 ? "" : "s", p->name->text, count);
  for (uint32_t k = 0; k < count; k++) {
    struct value item = p->length ? value.object->items[k] : value;
    if (!c_write(p->c, item, data + k * c_type_size(p->c), why, sizeof why))
      return wrong(called, "'%s' gives C '%s': %s", name, p->name->text, why);
  }
  return true;
}

/* The function's value is the result, what is written, or a record of both. */
static bool put_all(struct called *called, struct value value) {
  const struct foreign_signature *s = called->signature;
  uint32_t at = s->result.c != C_VOID, count = at;
  char why[200];
  for (uint32_t i = 0; i < s->count; i++)
    count += s->parameters[i].passing == PASS_OUT || s->parameters[i].passing == PASS_INOUT;
  for (uint32_t i = 0; i < s->count; i++) {
    if (s->parameters[i].passing != PASS_OUT && s->parameters[i].passing != PASS_INOUT) continue;
    if (!put(called, i, count > 1 ? value.object->items[at++] : value)) return false;
  }
  if (!s->result.c) return true;
  return c_write(s->result.c, count > 1 ? value.object->items[0] : value, &called->result, why, sizeof why) ||
         wrong(called, "'%s' gives C a result: %s", called->callback->function->symbol->name->text, why);
}

static bool evaluate_call(struct called *called) {
  struct foreign_call *call = called->call;
  const struct foreign_signature *s = called->signature;
  const struct model_function *function = called->callback->function;
  struct value arguments[FOREIGN_PARAMETERS + 1], result;
  uint32_t given = 0;
  for (int arrays = 0; arrays < 2; arrays++) /* last: their lengths use the other parameters */
    for (uint32_t i = 0; i < s->count; i++)
      if ((s->parameters[i].length != NULL) == arrays && !take(called, i)) return false;
  for (uint32_t i = 0; i < s->count; i++)
    if (s->parameters[i].passing != PASS_OUT) arguments[given++] = call->frame[s->first_slot + i];
  for (; given < function->param_count; given++)
    arguments[given] = (struct value){.kind = VALUE_NONE};
  if (!call->host->call(call->host, function, arguments, &result)) return said(called);
  return put_all(called, result);
}

/* What fails for want of memory ends here, on this side of C. */
static bool evaluate_guarded(struct called *called) {
  struct memory *memory = called->call->host->arena->memory;
  jmp_buf guard, *outer = memory->guard;
  volatile bool fine = false;
  memory->guard = &guard;
  if (setjmp(guard) == 0)
    fine = evaluate_call(called);
  else
    called->call->called_back = FOREIGN_MEMORY;
  memory->guard = outer;
  arena_reset(called->call->host->arena);
  return fine;
}

static void called_by_c(void *user, va_alist list) {
  struct callback_slot *slot = user;
  struct callback *callback = atomic_load(&slot->callback);
  union c_item items[FOREIGN_PARAMETERS], nothing;
  if (!callback) { /* kept by C after its call has ended */
    va_start_void(list);
    va_return_void(list);
    return;
  }
  struct foreign_call *call = callback->call;
  const struct foreign_signature *s = callback->parameter->callback;
  bool elsewhere = !pthread_equal(callback->thread, pthread_self());
  memset(&nothing, 0, sizeof nothing);
  start(list, s->result.c);
  if (elsewhere) atomic_store(&call->elsewhere, true);
  if (elsewhere || call->called_back != FOREIGN_DONE) {
    give_back(list, s->result.c, &nothing);
    return;
  }
  for (uint32_t i = 0; i < s->count; i++)
    items[i] = next_argument(list, s->parameters[i].c, s->parameters[i].passing != PASS_VALUE);
  struct called called = {.callback = callback, .call = call, .signature = s, .items = items, .result = nothing};
  give_back(list, s->result.c, evaluate_guarded(&called) ? &called.result : &nothing);
}

/* ---- slots ---- */

/* What libffcall does to make callbacks, with as much room; false with errno where that would fail. */
static bool can_be_made(void) {
  enum { ROOM = SLOTS * 128 }; /* of code, more than any machine takes */
  char path[] = "/tmp/psl-XXXXXX";
  int file = mkstemp(path), error = 0;
  if (file < 0) return false;
  unlink(path);
  if ((error = posix_fallocate(file, 0, ROOM)) == 0) {
    void *data = mmap(NULL, ROOM, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    void *code = mmap(NULL, ROOM, PROT_READ | PROT_EXEC, MAP_SHARED, file, 0);
    if (data == MAP_FAILED || code == MAP_FAILED) error = errno;
    if (data != MAP_FAILED) munmap(data, ROOM);
    if (code != MAP_FAILED) munmap(code, ROOM);
  }
  close(file);
  errno = error;
  return error == 0;
}

static bool make_slots(struct foreign_call *call) {
  if (atomic_load(&table.made)) return true;
  pthread_mutex_lock(&table.lock);
  bool made = atomic_load(&table.made);
  if (!made && can_be_made()) {
    for (int i = 0; i < SLOTS; i++)
      table.slots[i].code = alloc_callback(called_by_c, &table.slots[i]);
    atomic_store(&table.made, made = true);
  } else if (!made) {
    char why[100];
    const char *text = strerror_r(errno, why, sizeof why);
    snprintf(call->error, FOREIGN_TEXT,
             "C cannot be given a function: that needs a file in /tmp whose pages may be executed (%s)", text);
  }
  pthread_mutex_unlock(&table.lock);
  return made;
}

void *callback_open(struct callback *callback) {
  if (!make_slots(callback->call)) return NULL;
  callback->thread = pthread_self();
  for (int i = 0; i < SLOTS; i++) {
    struct callback *none = NULL;
    if (!atomic_compare_exchange_strong(&table.slots[i].callback, &none, callback)) continue;
    callback->slot = &table.slots[i];
    return (void *)callback->slot->code;
  }
  snprintf(callback->call->error, FOREIGN_TEXT, "more than %d functions are given to C at once", SLOTS);
  return NULL;
}

void callback_close(struct callback *callback) {
  atomic_store(&callback->slot->callback, NULL);
  callback->slot = NULL;
}
