/* The socket to psl, by which lines of text go. What is said is sent when an answer is wanted, or when there is no more
 * room for it. Without a psl that listens the
 * program goes on; one that psl has started ends with it. */
#include "evaluators/programs/reflector/channel.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { ROOM = 4096, LINE = 400 };

static int channel = -1, measures = 1;
static int is_started; /* by psl, with which it ends */
static char said[ROOM];
static size_t size;

int channel_is_open(void) { return channel >= 0; }
int channel_measures(void) { return measures; }

void channel_drop(void) {
  if (channel >= 0) close(channel);
  channel = -1;
  size = 0;
}

static void lost(void) {
  if (channel >= 0 && is_started) raise(SIGKILL);
  if (channel >= 0) fprintf(stderr, "psl-reflector: psl has ended; the program goes on without it\n");
  channel_drop();
}

static void send_all(void) {
  for (size_t at = 0; channel >= 0 && at < size;) {
    ssize_t sent = send(channel, said + at, size - at, MSG_NOSIGNAL);
    if (sent < 0 && errno != EINTR) lost();
    if (sent > 0) at += (size_t)sent;
  }
  size = 0;
}

void channel_flush(void) { send_all(); }

void channel_say(const char *format, ...) {
  va_list list;
  if (ROOM - size < LINE) send_all();
  va_start(list, format);
  int length = vsnprintf(said + size, ROOM - size, format, list);
  va_end(list);
  if (length > 0 && (size_t)length < ROOM - size) size += (size_t)length;
}

/* An answer is one line, and psl sends no second one before it is asked. */
static int line_read(char line[LINE]) {
  size_t at = 0;
  while (channel >= 0 && at + 1 < LINE) {
    ssize_t got = recv(channel, line + at, LINE - 1 - at, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return lost(), 0;
    at += (size_t)got;
    line[at] = '\0';
    if (line[at - 1] == '\n') return 1;
  }
  return 0;
}

int channel_ask(double *answer, double *clock) {
  char line[LINE], word[16];
  send_all();
  if (!line_read(line)) return 0;
  int read = sscanf(line, "%15s %lg %lg", word, clock, answer);
  return read == 3 && !strcmp(word, "answer");
}

/* psl says first whether measured time counts. */
static int greeted(void) {
  char line[LINE];
  channel_say("reflector 1 %d\n", (int)getpid());
  send_all();
  if (!line_read(line) || strncmp(line, "psl 1 ", 6)) return channel_drop(), 0;
  measures = strcmp(line + 6, "measured\n") == 0;
  return 1;
}

int channel_open(const char *where) {
  char *end;
  long number = strtol(where, &end, 10);
  if (end != where && !*end) {
    channel = dup((int)number);
    is_started = 1;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    return channel >= 0 && greeted();
  }
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(where) >= sizeof address.sun_path) return 0;
  strcpy(address.sun_path, where);
  channel = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (channel >= 0 && connect(channel, (struct sockaddr *)&address, sizeof address) == 0) return greeted();
  channel_drop();
  return 0;
}
