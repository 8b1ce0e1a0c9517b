/* Forked workers: a child of this process each, at the other end of a socket. Called by pool.c.
 *
 * A child goes on in the thread that forked it and in no other; it serves until its socket ends or it is
 * killed, and leaves by _exit, so that nothing which the parent has in hand (standard output's buffer,
 * a database, what other libraries do at exit) is done twice. It ends with its parent: the kernel kills it, and
 * where it waits its socket ends. Ctrl-C is the parent's: it kills its workers. */
#include "interp/study/transport.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { OUT_OF_MEMORY = 3, READ_SIZE = 64 * 1024 };

struct process {
  pid_t pid; /* 0: none */
  int socket;
  struct text in; /* came, and is not handed out */
  size_t handed;  /* so much of it is */
};

struct processes {
  struct transport transport;
  struct arena *arena;
  struct memory *memory; /* of the work */
  const struct pool_options *options;
  struct process *items;
  struct pollfd *waiting;
  size_t next;              /* whose turn it is to be read first */
  volatile uint32_t *begun; /* by worker, in memory shared with them: its task in hand */
  char death[80];
};

/* ---- the child ---- */

struct child_channel {
  struct channel channel;
  int socket;
};

static bool read_all(int socket, char *data, size_t size) {
  while (size) {
    ssize_t got = recv(socket, data, size, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    data += got;
    size -= (size_t)got;
  }
  return true;
}

static bool write_all(int socket, const char *data, size_t size) {
  while (size) {
    ssize_t put = send(socket, data, size, MSG_NOSIGNAL);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return false;
    data += put;
    size -= (size_t)put;
  }
  return true;
}

static bool write_message(int socket, const struct text *message) {
  uint64_t size = message->size;
  return write_all(socket, (const char *)&size, sizeof size) && write_all(socket, message->data, size);
}

static void make_room(struct text *text, size_t size) {
  if (text->capacity >= size) return;
  size_t capacity = text->capacity ? text->capacity : READ_SIZE;
  while (capacity < size)
    capacity *= 2;
  text->data = arena_grow(text->arena, text->data, text->capacity, capacity);
  text->capacity = capacity;
}

static bool child_receive(struct channel *channel, struct text *batch) {
  int from = ((struct child_channel *)channel)->socket;
  uint64_t size;
  if (!read_all(from, (char *)&size, sizeof size)) return false;
  make_room(batch, size);
  batch->size = size;
  return read_all(from, batch->data, size);
}

static bool child_send(struct channel *channel, const struct text *answer) {
  return write_message(((struct child_channel *)channel)->socket, answer);
}

static _Noreturn void child_main(struct processes *processes, size_t worker, int own, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(0); /* it died before that */
  signal(SIGINT, SIG_IGN);
  signal(SIGTERM, SIG_DFL);
  for (size_t w = 0; w < processes->transport.workers; w++)
    if (processes->items[w].pid) close(processes->items[w].socket);
  jmp_buf guard;
  if (setjmp(guard)) _exit(OUT_OF_MEMORY);
  processes->arena->memory->guard = processes->memory->guard = &guard;
  struct child_channel channel = {{child_receive, child_send, &processes->begun[worker]}, own};
  worker_serve(&channel.channel, processes->arena, processes->options->work, processes->options->user);
  _exit(0);
}

/* ---- the parent ---- */

static struct processes *of(struct transport *transport) { return (struct processes *)transport; }

static bool start(struct transport *transport, size_t worker) {
  struct processes *processes = of(transport);
  struct process *process = &processes->items[worker];
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends)) return false;
  pid_t parent = getpid(), pid = fork();
  if (pid == 0) {
    close(ends[0]);
    child_main(processes, worker, ends[1], parent);
  }
  close(ends[1]);
  if (pid < 0) {
    close(ends[0]);
    return false;
  }
  process->pid = pid;
  process->socket = ends[0];
  process->in.size = process->handed = 0;
  return true;
}

static int reap(struct process *process) {
  int status = 0;
  pid_t got;
  close(process->socket);
  do
    got = waitpid(process->pid, &status, 0);
  while (got < 0 && errno == EINTR);
  process->pid = 0;
  return got > 0 ? status : -1;
}

static bool stop(struct transport *transport, size_t worker) {
  struct process *process = &of(transport)->items[worker];
  if (!process->pid) return true;
  kill(process->pid, SIGKILL);
  reap(process);
  return true;
}

static void close_all(struct transport *transport) {
  for (size_t w = 0; w < transport->workers; w++)
    stop(transport, w);
  munmap((void *)of(transport)->begun, transport->workers * sizeof *of(transport)->begun);
}

static void send_batch(struct transport *transport, size_t worker, const struct text *batch) {
  of(transport)->begun[worker] = 0;
  write_message(of(transport)->items[worker].socket, batch);
}

static struct transport_event died(struct processes *processes, size_t worker) {
  int status = reap(&processes->items[worker]);
  char *death = processes->death;
  size_t size = sizeof processes->death;
  if (status == -1)
    snprintf(death, size, "an unknown cause");
  else if (WIFSIGNALED(status))
    snprintf(death, size, "signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
  else if (WEXITSTATUS(status) == OUT_OF_MEMORY)
    snprintf(death, size, "lack of memory");
  else
    snprintf(death, size, "exit status %d", WEXITSTATUS(status));
  return (struct transport_event){
      .kind = TRANSPORT_DEATH, .worker = worker, .begun = processes->begun[worker], .death = death};
}

/* The next whole message of what came. */
static bool take_message(struct process *process, struct transport_event *event) {
  uint64_t size;
  char *data = process->in.data + process->handed;
  size_t there = process->in.size - process->handed;
  if (there >= sizeof size) {
    memcpy(&size, data, sizeof size);
    if (there - sizeof size >= size) {
      event->data = data + sizeof size;
      event->size = size;
      process->handed += sizeof size + size;
      return true;
    }
  }
  if (process->handed) memmove(process->in.data, data, there);
  process->in.size = there;
  process->handed = 0;
  return false;
}

/* Reads what is there. false: the worker has died. */
static bool read_some(struct process *process) {
  make_room(&process->in, process->in.size + READ_SIZE);
  ssize_t got = recv(process->socket, process->in.data + process->in.size, READ_SIZE, MSG_DONTWAIT);
  if (got > 0) process->in.size += (size_t)got;
  return got > 0 || (got < 0 && (errno == EAGAIN || errno == EINTR));
}

static struct transport_event receive(struct transport *transport, int milliseconds) {
  struct processes *processes = of(transport);
  size_t count = transport->workers;
  struct transport_event event = {.kind = TRANSPORT_ANSWER};
  for (size_t w = 0; w < count; w++) {
    event.worker = w;
    if (processes->items[w].pid && take_message(&processes->items[w], &event)) return event;
    processes->waiting[w] =
        (struct pollfd){.fd = processes->items[w].pid ? processes->items[w].socket : -1, .events = POLLIN};
  }
  if (poll(processes->waiting, count, milliseconds) > 0) {
    for (size_t i = 0; i < count; i++) {
      size_t w = (processes->next + i) % count;
      if (!processes->waiting[w].revents) continue;
      processes->next = w + 1;
      event.worker = w;
      if (!read_some(&processes->items[w])) return died(processes, w);
      if (take_message(&processes->items[w], &event)) return event;
    }
  }
  return (struct transport_event){.kind = TRANSPORT_NOTHING};
}

struct transport *processes_open(struct arena *arena, struct memory *memory, const struct pool_options *options) {
  if (options->jobs < 2 && !options->apart) return NULL;
  size_t jobs = options->jobs ? options->jobs : 1;
  void *shared = mmap(NULL, jobs * sizeof(uint32_t), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) return NULL;
  struct processes *processes = ARENA_NEW(arena, struct processes);
  processes->transport = (struct transport){jobs, start, send_batch, receive, stop, close_all};
  processes->arena = arena;
  processes->memory = memory;
  processes->options = options;
  processes->begun = shared;
  processes->items = ARENA_ARRAY(arena, struct process, jobs);
  processes->waiting = ARENA_ARRAY(arena, struct pollfd, jobs);
  for (size_t w = 0; w < jobs; w++)
    processes->items[w].in.arena = arena;
  return &processes->transport;
}
