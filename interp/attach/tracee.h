/* A process that is looked into while it runs, with its threads, by ptrace(2): instructions of it give way to
 * breakpoints, and are what they were when it is left. */
#ifndef PSL_ATTACH_TRACEE_H
#define PSL_ATTACH_TRACEE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/user.h>

struct tracee;

struct breakpoint {
  uint64_t address;
  unsigned users; /* it stands there as long as somebody wants it */
  uint8_t before; /* what the byte was */
  bool there;
};

struct stop { /* a thread has come to a breakpoint, and waits */
  pid_t thread;
  struct breakpoint *at;
  struct user_regs_struct registers; /* as before the instruction there */
  bool again;                        /* it has come there before, and a signal has kept it from going on */
};

enum event {
  EVENT_BREAKPOINT,
  EVENT_NOTHING, /* something else, or a signal has come to psl */
  EVENT_OVER,    /* the process has ended, or has begun another program */
};

/* NULL: it cannot be had, for the reason in `error`, which has room for 300 bytes. */
struct tracee *tracee_open(pid_t process, char *error);
/* Leaves it as it was, and running. */
void tracee_close(struct tracee *tracee);
enum event tracee_wait(struct tracee *tracee, struct stop *stop);
/* The instruction there is executed, and the thread goes on. */
void tracee_continue(struct tracee *tracee, const struct stop *stop);
/* NULL: nothing can be written there. */
struct breakpoint *breakpoint_want(struct tracee *tracee, uint64_t address);
void breakpoint_drop(struct tracee *tracee, struct breakpoint *breakpoint);
bool tracee_read(const struct tracee *tracee, uint64_t address, void *to, size_t size);
unsigned tracee_threads(const struct tracee *tracee); /* as many as it has had at one time */
#endif
