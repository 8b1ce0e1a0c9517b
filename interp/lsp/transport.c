/* Messages of the protocol: a header with their length, then JSON.  What cannot be read is answered by the error that
 * the protocol has for it, and what stands behind it is read on. */
#include "interp/lsp/server.h"

#include <ctype.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { LARGEST = 1 << 28, CHUNK = 1 << 16 }; /* bytes of a message; of what is read at once */

void transport_open(struct transport *t) {
  *t = (struct transport){0};
  t->last = &t->first;
}

void transport_close(struct transport *t) {
  json_t *message;
  while ((message = transport_next(t)))
    json_decref(message);
  chars_drop(&t->input);
}

/* ---- sending ---- */

static bool write_all(const char *text, size_t size) {
  while (size) {
    ssize_t done = write(STDOUT_FILENO, text, size);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    text += done;
    size -= (size_t)done;
  }
  return true;
}

static void send_text(const char *text, size_t size) {
  struct chars out = {0};
  chars_put(&out, "Content-Length: %zu\r\n\r\n", size);
  chars_add(&out, text, size);
  write_all(out.data, out.size); /* a client that is gone closes the input, too */
  chars_drop(&out);
}

void transport_send(json_t *message) {
  char *text = message ? json_dumps(message, JSON_COMPACT) : NULL;
  json_decref(message);
  if (text) send_text(text, strlen(text));
  free(text);
}

static int take(const char *text, size_t size, void *user) { return chars_take(user, text, size); }

void transport_answer(json_t *id, const struct chars *result) {
  static const char before[] = "{\"jsonrpc\":\"2.0\",\"id\":", between[] = ",\"result\":";
  struct chars out = {0};
  chars_add(&out, before, sizeof before - 1);
  json_dump_callback(id, take, &out, JSON_COMPACT | JSON_ENCODE_ANY);
  chars_add(&out, between, sizeof between - 1);
  chars_add(&out, result->size ? result->data : "null", result->size ? result->size : 4);
  chars_add(&out, "}", 1);
  send_text(out.data, out.size);
  chars_drop(&out);
}

static void send_error(int code, const char *what, const char *why) {
  char message[300];
  snprintf(message, sizeof message, "%s%s%s", what, *why ? ": " : "", why);
  transport_send(
      json_pack("{s:s, s:n, s:{s:i, s:s}}", "jsonrpc", "2.0", "id", "error", "code", code, "message", message));
}

/* ---- reading ---- */

static void add_message(struct transport *t, json_t *json) {
  struct message *message = memory_more(NULL, sizeof *message);
  *message = (struct message){NULL, json};
  *t->last = message;
  t->last = &message->next;
}

static void take_body(struct transport *t, const char *text, size_t size) {
  json_error_t error;
  json_t *json = json_loadb(text, size, JSON_ALLOW_NUL | JSON_DECODE_ANY, &error);
  if (!json)
    send_error(PARSE_ERROR, "the message is no JSON", error.text);
  else
    add_message(t, json);
}

/* Where the header ends: behind its empty line; 0: not yet. */
static size_t header_size(const char *text, size_t size) {
  for (size_t at = 0; at < size; at++) {
    if (text[at] != '\n') continue;
    if (at + 1 < size && text[at + 1] == '\n') return at + 2;
    if (at + 2 < size && text[at + 1] == '\r' && text[at + 2] == '\n') return at + 3;
  }
  return 0;
}

/* What the header says of the length; negative: nothing that can be read. */
static long content_length(const char *header, size_t size) {
  static const char name[] = "Content-Length:";
  for (size_t at = 0; at < size; at++) {
    if (at && header[at - 1] != '\n') continue;
    if (size - at < sizeof name || strncasecmp(header + at, name, sizeof name - 1)) continue;
    char *end;
    const char *digits = header + at + sizeof name - 1;
    digits += strspn(digits, " \t");
    if (!isdigit((unsigned char)*digits)) return -1;
    errno = 0;
    long length = strtol(digits, &end, 10);
    return errno || length > LARGEST || (*end != '\r' && *end != '\n') ? -1 : length;
  }
  return -1;
}

/* Takes one message off the input; false: there is not all of one. */
static bool take_message(struct transport *t) {
  const char *text = t->input.data + t->taken;
  size_t size = t->input.size - t->taken, header = header_size(text, size);
  if (!header) {
    if (size <= CHUNK) return false;
    send_error(PARSE_ERROR, "a header has no end", "");
    t->taken = t->input.size;
    return false;
  }
  long length = content_length(text, header);
  if (length < 0) {
    send_error(PARSE_ERROR, "the header has no Content-Length that can be read", "");
    t->taken += header;
    return true;
  }
  if (size - header < (size_t)length) return false;
  take_body(t, text + header, (size_t)length);
  t->taken += header + (size_t)length;
  return true;
}

static void take_input(struct transport *t) {
  while (t->taken < t->input.size && take_message(t))
    ;
  if (!t->taken) return;
  t->input.size -= t->taken;
  memmove(t->input.data, t->input.data + t->taken, t->input.size);
  t->taken = 0;
}

bool transport_wait(struct transport *t, int milliseconds) {
  struct pollfd wanted = {.fd = STDIN_FILENO, .events = POLLIN};
  bool came = false;
  while (!t->ended && poll(&wanted, 1, came ? 0 : milliseconds) > 0) {
    char text[CHUNK];
    ssize_t size = read(STDIN_FILENO, text, sizeof text);
    if (size < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    came = true;
    if (size <= 0)
      t->ended = true;
    else
      chars_add(&t->input, text, (size_t)size);
  }
  if (came) take_input(t);
  return came;
}

json_t *transport_next(struct transport *t) {
  struct message *message = t->first;
  if (!message) return NULL;
  json_t *json = message->json;
  t->first = message->next;
  if (!t->first) t->last = &t->first;
  free(message);
  return json;
}
