/* Language servers: `psl lsp`, one for each page, which the page speaks with in the protocol that all editors do.  What
 * it tells goes on to the server; what comes back is kept until the page asks for it, and it asks again and again.  A
 * page that has not asked for a while is gone, and its server ends. */
#include "interp/studio/studio_server.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MOST_EDITORS = 32, PATIENCE = 10000 /* ms that an answer may take to come */, LOST_AFTER = 90 /* s */ };

struct editor {
  struct editor *next;
  struct studio *studio;
  char secret[SECRET + 1]; /* by which the page calls it */
  pid_t process;
  int to, from;
  pthread_t reader;
  pthread_mutex_t writing; /* messages go out whole */
  char **messages;         /* that have come and are not yet taken */
  size_t count, capacity;
  bool ended;     /* the server has, */
  bool left;      /* or its page */
  unsigned users; /* requests that are in hand */
  time_t heard;   /* when the page was last there */
};

static time_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec;
}

/* ---- what comes ---- */

static void keep_message(struct editor *editor, const char *text, size_t size) {
  pthread_mutex_lock(&editor->studio->lock);
  if (editor->count == editor->capacity) {
    editor->capacity = editor->capacity * 2 + 8;
    editor->messages = memory_more(editor->messages, editor->capacity * sizeof *editor->messages);
  }
  editor->messages[editor->count++] = memory_copy(text, size);
  pthread_cond_broadcast(&editor->studio->changed);
  pthread_mutex_unlock(&editor->studio->lock);
}

/* A message off the front of what has come: the bytes that it takes, 0: it is not all there. */
static size_t take_message(struct editor *editor, const struct chars *text) {
  static const char begin[] = "Content-Length: ";
  const char *end = text->size ? strstr(text->data, "\r\n\r\n") : NULL;
  if (!end || strncmp(text->data, begin, sizeof begin - 1)) return 0;
  size_t header = (size_t)(end - text->data) + 4, length = strtoul(text->data + sizeof begin - 1, NULL, 10);
  if (text->size < header + length) return 0;
  keep_message(editor, text->data + header, length);
  return header + length;
}

static void *read_messages(void *user) {
  struct editor *editor = user;
  struct chars text = {0};
  char piece[1 << 16];
  ssize_t size;
  while ((size = read(editor->from, piece, sizeof piece)) > 0 || (size < 0 && errno == EINTR)) {
    size_t taken;
    if (size > 0) chars_add(&text, piece, (size_t)size);
    while ((taken = take_message(editor, &text))) {
      text.size -= taken;
      memmove(text.data, text.data + taken, text.size + 1);
    }
  }
  chars_drop(&text);
  pthread_mutex_lock(&editor->studio->lock);
  editor->ended = true;
  pthread_cond_broadcast(&editor->studio->changed);
  pthread_mutex_unlock(&editor->studio->lock);
  return NULL;
}

/* ---- beginning and end ---- */

static bool start(struct editor *editor) {
  int to[2] = {-1, -1}, from[2] = {-1, -1};
  struct words words;
  words_begin(&words, editor->studio, "lsp");
  /* Where it crashes, what it says then is said where the studio was started. */
  if (!pipe2(to, O_CLOEXEC) && !pipe2(from, O_CLOEXEC))
    editor->process = program_start(&words, editor->studio->folder, to[0], from[1], STDERR_FILENO, NULL);
  words_drop(&words);
  close(to[0]), close(from[1]);
  editor->to = to[1];
  editor->from = from[0];
  if (editor->process > 0 && !pthread_create(&editor->reader, NULL, read_messages, editor)) return true;
  if (editor->process > 0) kill(-editor->process, SIGKILL), program_end(editor->process);
  close(editor->to), close(editor->from);
  return false;
}

static void drop(struct editor *editor) {
  kill(-editor->process, SIGKILL);
  program_end(editor->process);
  pthread_join(editor->reader, NULL);
  close(editor->to), close(editor->from);
  for (size_t i = 0; i < editor->count; i++)
    free(editor->messages[i]);
  free(editor->messages);
  pthread_mutex_destroy(&editor->writing);
  free(editor);
}

/* Takes off the list those that are not in use and wanted no more: all, one, or where both are not given, of pages that
 * are gone. */
static struct editor *take_off(struct studio *studio, bool all, const struct editor *one) {
  struct editor *off = NULL, **link = &studio->editors;
  while (*link) {
    struct editor *editor = *link;
    bool lost = now() - editor->heard > LOST_AFTER || editor->ended || editor->left;
    if (editor->users || !(all || editor == one || (!one && lost))) {
      link = &editor->next;
      continue;
    }
    *link = editor->next;
    editor->next = off;
    off = editor;
  }
  return off;
}

static void drop_all(struct editor *editor) {
  while (editor) {
    struct editor *next = editor->next;
    drop(editor);
    editor = next;
  }
}

void editors_stop(struct studio *studio) {
  pthread_mutex_lock(&studio->lock);
  for (struct editor *editor = studio->editors; editor; editor = editor->next)
    kill(-editor->process, SIGKILL);
  pthread_mutex_unlock(&studio->lock);
}

void editors_end(struct studio *studio) {
  pthread_mutex_lock(&studio->lock);
  struct editor *off = take_off(studio, true, NULL);
  pthread_mutex_unlock(&studio->lock);
  drop_all(off);
}

json_t *answer_editor(struct studio *studio, json_t *params, struct refusal *refusal) {
  size_t count = 0;
  (void)params;
  pthread_mutex_lock(&studio->lock);
  struct editor *off = take_off(studio, false, NULL);
  for (struct editor *e = studio->editors; e; e = e->next)
    count++;
  pthread_mutex_unlock(&studio->lock);
  drop_all(off);
  if (count >= MOST_EDITORS) return decline(refusal, 503, "%d pages are open already: close one", MOST_EDITORS);
  struct editor *editor = memory_more(NULL, sizeof *editor);
  *editor = (struct editor){.studio = studio, .heard = now()};
  secret_make(editor->secret);
  if (!start(editor)) {
    free(editor);
    return decline(refusal, 500, "the language server cannot be started");
  }
  pthread_mutex_init(&editor->writing, NULL);
  json_t *answer = json_pack("{s:s}", "editor", editor->secret);
  pthread_mutex_lock(&studio->lock);
  editor->next = studio->editors;
  studio->editors = editor;
  pthread_mutex_unlock(&studio->lock);
  return answer;
}

/* The one that the params name, held until it is let go; NULL after a refusal. */
static struct editor *hold(struct studio *studio, json_t *params, struct refusal *refusal) {
  const char *secret = param_text(params, "editor", refusal);
  if (!secret) return NULL;
  pthread_mutex_lock(&studio->lock);
  struct editor *editor = studio->editors;
  while (editor && (editor->left || strcmp(editor->secret, secret)))
    editor = editor->next;
  if (editor) editor->users++, editor->heard = now();
  pthread_mutex_unlock(&studio->lock);
  if (!editor) decline(refusal, 410, "that language server has ended");
  return editor;
}

static void let_go(struct editor *editor) {
  struct studio *studio = editor->studio;
  pthread_mutex_lock(&studio->lock);
  editor->users--;
  struct editor *off = editor->left ? take_off(studio, false, editor) : NULL;
  pthread_mutex_unlock(&studio->lock);
  drop_all(off);
}

json_t *answer_leave(struct studio *studio, json_t *params, struct refusal *refusal) {
  struct editor *editor = hold(studio, params, refusal);
  if (!editor) return NULL;
  pthread_mutex_lock(&studio->lock);
  editor->left = true; /* who still waits for it drops it */
  kill(-editor->process, SIGKILL);
  pthread_cond_broadcast(&studio->changed);
  pthread_mutex_unlock(&studio->lock);
  let_go(editor);
  return json_object();
}

/* ---- what may be asked ---- */

/* What stands in it for one character; negative: nothing that the language server takes for one. */
static int unescaped(const char **at) {
  unsigned code;
  int c = (unsigned char)*(*at)++;
  if (c != '%') return c;
  if (!isxdigit((unsigned char)(*at)[0]) || !isxdigit((unsigned char)(*at)[1])) return -1;
  sscanf(*at, "%2x", &code);
  *at += 2;
  return code ? (int)code : -1;
}

/* A URI is one of the folder, or of what can be a model in it and is not reached by links. */
static bool uri_sound(const struct studio *studio, const char *uri) {
  static const char scheme[] = "file://";
  struct refusal refusal = {0};
  struct chars path = {0};
  size_t length = strlen(studio->folder_path);
  const char *last;
  if (strncmp(uri, scheme, sizeof scheme - 1)) return false;
  for (const char *at = uri + sizeof scheme - 1; *at;) {
    int c = unescaped(&at);
    chars_add(&path, c < 0 ? "" : &(char){(char)c}, 1);
  }
  bool sound = path.size == strlen(path.data ? path.data : "") && path.size >= length &&
               !memcmp(path.data, studio->folder_path, length);
  if (sound && path.size > length) {
    int folder = path.data[length] == '/' ? folder_of(studio, path.data + length + 1, &last, &refusal) : -1;
    sound = folder >= 0;
    if (sound) close(folder);
  }
  chars_drop(&path);
  return sound;
}

/* All of a message that could name a file, wherever in it. */
static bool names_sound(const struct studio *studio, json_t *json, int depth) {
  const char *key;
  json_t *value;
  size_t i;
  if (depth > 64) return false;
  if (json_is_array(json)) json_array_foreach(json, i, value) if (!names_sound(studio, value, depth + 1)) return false;
  if (json_is_object(json)) json_object_foreach(json, key, value) {
      bool names = !strcmp(key, "uri") || !strcmp(key, "rootUri") || !strcmp(key, "rootPath");
      if (names && !(json_is_string(value) && uri_sound(studio, json_string_value(value)))) return false;
      if (!names_sound(studio, value, depth + 1)) return false;
    }
  return true;
}

/* Programs are run by requests of their own. */
static bool message_sound(const struct studio *studio, json_t *message, struct refusal *refusal) {
  json_t *method = json_object_get(message, "method");
  if (!json_is_object(message) || !json_is_string(method))
    decline(refusal, 400, "the message has no method");
  else if (!strcmp(json_string_value(method), "workspace/executeCommand"))
    decline(refusal, 403, "the studio runs models by requests of its own");
  else if (!names_sound(studio, message, 0))
    decline(refusal, 403, "the message names what is not in the folder");
  return !refusal->status;
}

static bool send(struct editor *editor, json_t *message) {
  char *body = json_dumps(message, JSON_COMPACT);
  struct chars text = {0};
  if (!body) return false;
  chars_put(&text, "Content-Length: %zu\r\n\r\n", strlen(body));
  chars_add(&text, body, strlen(body));
  free(body);
  pthread_mutex_lock(&editor->writing);
  size_t at = 0;
  while (at < text.size) {
    ssize_t done = write(editor->to, text.data + at, text.size - at);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) break;
    at += (size_t)done;
  }
  bool whole = at == text.size;
  pthread_mutex_unlock(&editor->writing);
  chars_drop(&text);
  return whole;
}

json_t *answer_tell(struct studio *studio, json_t *params, struct refusal *refusal) {
  json_t *message = json_object_get(params, "message");
  if (!message_sound(studio, message, refusal)) return NULL;
  struct editor *editor = hold(studio, params, refusal);
  if (!editor) return NULL;
  if (!send(editor, message)) decline(refusal, 410, "that language server has ended");
  let_go(editor);
  return refusal->status ? NULL : json_object();
}

/* Waits until there is something, or nothing will come any more. */
json_t *answer_hear(struct studio *studio, json_t *params, struct refusal *refusal) {
  json_t *list = json_array();
  struct editor *editor = hold(studio, params, refusal);
  if (!editor) {
    json_decref(list);
    return NULL;
  }
  pthread_mutex_lock(&studio->lock);
  while (!editor->count && !editor->ended && !editor->left && !studio->stopping && studio_wait(studio, PATIENCE))
    ;
  for (size_t i = 0; i < editor->count; i++) {
    json_t *message = json_loads(editor->messages[i], JSON_ALLOW_NUL, NULL);
    if (message) json_array_append_new(list, message);
    free(editor->messages[i]);
  }
  bool ended = (editor->ended && !editor->count) || editor->left;
  editor->count = 0;
  editor->heard = now();
  pthread_mutex_unlock(&studio->lock);
  let_go(editor);
  if (!ended) return json_pack("{s:o}", "messages", list);
  json_decref(list);
  return decline(refusal, 410, "that language server has ended");
}
