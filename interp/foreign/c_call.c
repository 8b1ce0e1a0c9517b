/* One call of a function of C: what PSL gives becomes what C takes, libffcall's avcall makes the call, and
 * what C gives and has written becomes values.  The walker of interp/evaluate comes here. */
#include "interp/foreign/foreign.h"

#include <avcall.h>
#include <stdalign.h>
#include <stdio.h>
#include <string.h>

static _Thread_local const char *running;

const char *foreign_running(void) { return running; }

const char *foreign_enter(const char *function) {
  const char *outer = running;
  running = function;
  return outer;
}

void foreign_lengths(const struct foreign_signature *signature, bool (*read)(const struct expr *, void *), void *user) {
  for (uint32_t i = 0; i < signature->count; i++) {
    const struct foreign_parameter *p = &signature->parameters[i];
    if (p->length) read(p->length, user);
    if (p->callback) foreign_lengths(p->callback, read, user);
  }
  if (signature->result.length) read(signature->result.length, user);
}

/* A parameter as C gets it: `item` itself, or where it is passed by pointer what is there. */
struct passed {
  union c_item item; /* the value, or `pointer` */
  char *data;        /* by pointer: the items, with a fence on either side */
  uint32_t count;    /* of them */
  struct callback callback;
};

/* A fence before and one behind what C gets by pointer show that C has written outside of it. */
static const unsigned char fence[16] = {0xa5, 0x5a, 0xc3, 0x3c, 0x96, 0x69, 0xf0, 0x0f,
                                        0x5a, 0xa5, 0x3c, 0xc3, 0x69, 0x96, 0x0f, 0xf0};

static enum foreign_outcome wrong(struct foreign_call *call, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static enum foreign_outcome wrong(struct foreign_call *call, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(call->error, FOREIGN_TEXT, format, arguments);
  va_end(arguments);
  return FOREIGN_ERROR;
}

/* ---- what C gets ---- */

static enum foreign_outcome count_items(struct foreign_call *call, const struct foreign_parameter *p, uint32_t *count) {
  int64_t length;
  if (!call->host->length(call->host, p->length, call->frame, &length)) return FOREIGN_SAID;
  if (length < 0 || length > INT32_MAX)
    return wrong(call, p->name ? "'%s' would have %lld items" : "%s would have %lld items",
                 p->name ? p->name->text : "its result", (long long)length);
  *count = (uint32_t)length;
  return FOREIGN_DONE;
}

static enum foreign_outcome give_items(struct foreign_call *call, const struct foreign_parameter *p, struct value value,
                                       struct passed *out) {
  char why[200];
  size_t size = c_type_size(p->c);
  if (value.object->count != out->count)
    return wrong(call, "'%s' has %u item%s, and its length says %u", p->name->text, value.object->count,
                 value.object->count == 1 ? "" : "s", out->count);
  for (uint32_t i = 0; i < out->count; i++)
    if (!c_write(p->c, value.object->items[i], out->data + i * size, why, sizeof why))
      return wrong(call, "item %u of '%s': %s", i, p->name->text, why);
  return FOREIGN_DONE;
}

static enum foreign_outcome give(struct foreign_call *call, uint32_t i, struct passed *out) {
  const struct foreign_parameter *p = &call->function->signature.parameters[i];
  struct value value = call->frame[i];
  char why[200];
  out->count = 1;
  if (p->c == C_FUNCTION) return FOREIGN_DONE;
  if (p->passing == PASS_VALUE)
    return c_write(p->c, value, &out->item, why, sizeof why) ? FOREIGN_DONE
                                                             : wrong(call, "'%s': %s", p->name->text, why);
  enum foreign_outcome outcome = p->length ? count_items(call, p, &out->count) : FOREIGN_DONE;
  if (outcome != FOREIGN_DONE) return outcome;
  size_t size = c_type_size(p->c) * out->count;
  out->item.pointer = out->data = (char *)arena_alloc(call->scratch, size + 2 * sizeof fence) + sizeof fence;
  memcpy(out->data - sizeof fence, fence, sizeof fence);
  memcpy(out->data + size, fence, sizeof fence);
  if (p->passing == PASS_OUT) return FOREIGN_DONE;
  if (p->length) return give_items(call, p, value, out);
  return c_write(p->c, value, out->data, why, sizeof why) ? FOREIGN_DONE : wrong(call, "'%s': %s", p->name->text, why);
}

/* ---- the call ---- */

static void start(av_alist *list, void (*address)(void), enum c_type c, bool pointer, union c_item *result) {
  if (pointer) c = C_STRING;
  switch (c) {
  case C_VOID:
  case C_FUNCTION: av_start_void(*list, address); break;
  case C_BOOL:
  case C_UINT8: av_start_uchar(*list, address, &result->uint8); break;
  case C_INT8: av_start_schar(*list, address, (signed char *)&result->int8); break;
  case C_INT16: av_start_short(*list, address, &result->int16); break;
  case C_UINT16: av_start_ushort(*list, address, &result->uint16); break;
  case C_INT32: av_start_int(*list, address, &result->int32); break;
  case C_UINT32: av_start_uint(*list, address, &result->uint32); break;
  case C_INT64: av_start_longlong(*list, address, (long long *)&result->int64); break;
  case C_UINT64: av_start_ulonglong(*list, address, (unsigned long long *)&result->uint64); break;
  case C_FLOAT: av_start_float(*list, address, &result->float32); break;
  case C_DOUBLE: av_start_double(*list, address, &result->float64); break;
  case C_STRING: av_start_ptr(*list, address, void *, &result->pointer); break;
  }
}

static void pass(av_alist *list, enum c_type c, bool pointer, const union c_item *item) {
  if (pointer) c = C_FUNCTION;
  switch (c) {
  case C_VOID: break;
  case C_BOOL: av_uchar(*list, item->boolean); break;
  case C_INT8: av_schar(*list, item->int8); break;
  case C_UINT8: av_uchar(*list, item->uint8); break;
  case C_INT16: av_short(*list, item->int16); break;
  case C_UINT16: av_ushort(*list, item->uint16); break;
  case C_INT32: av_int(*list, item->int32); break;
  case C_UINT32: av_uint(*list, item->uint32); break;
  case C_INT64: av_longlong(*list, item->int64); break;
  case C_UINT64: av_ulonglong(*list, item->uint64); break;
  case C_FLOAT: av_float(*list, item->float32); break;
  case C_DOUBLE: av_double(*list, item->float64); break;
  case C_STRING: av_ptr(*list, void *, item->pointer); break;
  case C_FUNCTION: av_ptr(*list, void *, item->pointer); break;
  }
}

bool foreign_of_numbers(const struct foreign_function *function) {
  const struct foreign_signature *s = &function->signature;
  bool fits = function->address && s->count <= FOREIGN_NUMBERS && s->result.c != C_VOID && s->result.c != C_STRING &&
              !s->result.length;
  for (uint32_t i = 0; i < s->count && fits; i++)
    fits = s->parameters[i].passing == PASS_VALUE && s->parameters[i].c != C_STRING && s->parameters[i].c != C_FUNCTION;
  return fits;
}

void foreign_call_numbers(const struct foreign_function *function, const union c_item *items, union c_item *result) {
  const struct foreign_signature *s = &function->signature;
  av_alist list;
  start(&list, function->address, s->result.c, false, result);
  for (uint32_t i = 0; i < s->count; i++)
    pass(&list, s->parameters[i].c, false, &items[i]);
  running = function->entry; /* compiled code calls nobody that calls back */
  av_call(list);
  running = NULL;
}

static void perform(struct foreign_call *call, const struct passed *passed, union c_item *result) {
  const struct foreign_signature *s = &call->function->signature;
  av_alist list; /* has room for four times as many parameters as there can be */
  start(&list, call->function->address, s->result.c, s->result.length, result);
  for (uint32_t i = 0; i < s->count; i++)
    pass(&list, s->parameters[i].c, s->parameters[i].passing != PASS_VALUE, &passed[i].item);
  const char *outer = running;
  running = call->function->entry;
  av_call(list);
  running = outer;
}

/* ---- what C gives ---- */

static enum foreign_outcome take_items(struct foreign_call *call, const struct foreign_parameter *p, const char *data,
                                       uint32_t count, struct value *out) {
  char why[200];
  *out = value_object(call->scratch, VALUE_LIST, count);
  for (uint32_t i = 0; i < count; i++)
    if (!c_read(p->c, data + i * c_type_size(p->c), call->scratch, &out->object->items[i], why, sizeof why))
      return p->name ? wrong(call, "item %u of '%s' has become %s", i, p->name->text, why)
                     : wrong(call, "item %u of its result is %s", i, why);
  return FOREIGN_DONE;
}

static enum foreign_outcome take_written(struct foreign_call *call, uint32_t i, const struct passed *passed) {
  const struct foreign_parameter *p = &call->function->signature.parameters[i];
  char why[200];
  if (p->passing != PASS_OUT && p->passing != PASS_INOUT) return FOREIGN_DONE;
  if (p->length) return take_items(call, p, passed->data, passed->count, &call->frame[i]);
  return c_read(p->c, passed->data, call->scratch, &call->frame[i], why, sizeof why)
             ? FOREIGN_DONE
             : wrong(call, "'%s' has become %s", p->name->text, why);
}

static enum foreign_outcome take_result(struct foreign_call *call, const union c_item *item, struct value *out) {
  const struct foreign_parameter *p = &call->function->signature.result;
  char why[200];
  if (!p->length)
    return c_read(p->c, item, call->scratch, out, why, sizeof why) ? FOREIGN_DONE : wrong(call, "it gives %s", why);
  uint32_t count;
  enum foreign_outcome outcome = count_items(call, p, &count);
  if (outcome != FOREIGN_DONE) return outcome;
  if (!item->pointer) return wrong(call, "it gives no array, but NULL");
  return take_items(call, p, item->pointer, count, out);
}

static bool is_taken(const struct foreign_parameter *p) { return p->passing == PASS_OUT || p->passing == PASS_INOUT; }

/* The result, what C has written, or a record of both. */
static void make_result(struct foreign_call *call, struct value result) {
  const struct foreign_signature *s = &call->function->signature;
  uint32_t count = s->result.c != C_VOID, at = count;
  for (uint32_t i = 0; i < s->count; i++)
    count += is_taken(&s->parameters[i]);
  struct value record = count > 1 ? value_object(call->scratch, VALUE_RECORD, count) : result;
  if (count > 1 && at) record.object->items[0] = result;
  for (uint32_t i = 0; i < s->count; i++) {
    if (!is_taken(&s->parameters[i])) continue;
    if (count > 1)
      record.object->items[at++] = call->frame[i];
    else
      record = call->frame[i];
  }
  call->result = record;
}

static enum foreign_outcome take_all(struct foreign_call *call, const struct passed *passed, const union c_item *item) {
  const struct foreign_signature *s = &call->function->signature;
  enum foreign_outcome outcome = FOREIGN_DONE;
  struct value result = {.kind = VALUE_NONE};
  for (uint32_t i = 0; i < s->count; i++) {
    const struct foreign_parameter *p = &s->parameters[i];
    const char *data = passed[i].data;
    if (!data) continue;
    bool before = memcmp(data - sizeof fence, fence, sizeof fence) != 0;
    if (!before && !memcmp(data + c_type_size(p->c) * passed[i].count, fence, sizeof fence)) continue;
    return wrong(call, "it has written %s '%s', which has %u item%s", before ? "before" : "behind the end of",
                 p->name->text, passed[i].count, passed[i].count == 1 ? "" : "s");
  }
  for (uint32_t i = 0; i < s->count && outcome == FOREIGN_DONE; i++)
    outcome = take_written(call, i, &passed[i]);
  if (outcome == FOREIGN_DONE && s->result.c) outcome = take_result(call, item, &result);
  if (outcome == FOREIGN_DONE) make_result(call, result);
  return outcome;
}

/* Opened behind all that can fail, and closed right after the call: nothing in between jumps away. */
static enum foreign_outcome open_callbacks(struct foreign_call *call, struct passed *passed) {
  const struct foreign_signature *s = &call->function->signature;
  for (uint32_t i = 0; i < s->count; i++) {
    if (s->parameters[i].c != C_FUNCTION) continue;
    passed[i].callback =
        (struct callback){.call = call, .parameter = &s->parameters[i], .function = call->callbacks[i]};
    passed[i].item.pointer = callback_open(&passed[i].callback);
    if (!passed[i].item.pointer) return FOREIGN_ERROR;
  }
  return FOREIGN_DONE;
}

static void close_callbacks(struct foreign_call *call, struct passed *passed) {
  for (uint32_t i = 0; i < call->function->signature.count; i++)
    if (passed[i].callback.slot) callback_close(&passed[i].callback);
}

enum foreign_outcome foreign_call(struct foreign_call *call) {
  const struct foreign_signature *s = &call->function->signature;
  struct passed passed[s->count + 1];
  union c_item result;
  enum foreign_outcome outcome = FOREIGN_DONE;
  memset(&result, 0, sizeof result);
  for (uint32_t i = 0; i < s->count; i++) {
    passed[i].data = NULL;
    passed[i].callback.slot = NULL;
  }
  for (uint32_t i = 0; i < s->count && outcome == FOREIGN_DONE; i++)
    outcome = give(call, i, &passed[i]);
  if (outcome == FOREIGN_DONE) outcome = open_callbacks(call, passed);
  if (outcome == FOREIGN_DONE && call->kept && call->kept->next < call->kept->count) {
    result = call->kept->results[call->kept->next++];
  } else if (outcome == FOREIGN_DONE) {
    perform(call, passed, &result);
    outcome = call->called_back;
  }
  close_callbacks(call, passed);
  arena_close(call->host->arena); /* now: from here on a failed allocation may jump */
  if (atomic_load(&call->elsewhere) && outcome == FOREIGN_DONE)
    outcome = wrong(call, "it has called back from a thread of its own");
  return outcome == FOREIGN_DONE ? take_all(call, passed, &result) : outcome;
}
