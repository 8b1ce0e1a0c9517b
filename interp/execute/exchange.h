/* What partitions of a run, each a process of the system, tell each other: a ring of bytes in shared memory from each
 * to each, and when all have come to an end. What is sent is kept, and published together. One that has nothing to do
 * waits; when all wait and nothing is on its way the run is over. */
#ifndef PSL_EXCHANGE_H
#define PSL_EXCHANGE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  PARTITIONS = 64,      /* at most */
  EXCHANGE_ITEM = 256,  /* bytes of what is sent at once, at most */
  EXCHANGE_OFFER = 512, /* bytes that each offers to all in the end */
  EXCHANGE_REASON = 240,
};

struct exchange;                                /* shared; made before there are partitions */
struct exchange *exchange_open(uint32_t count); /* NULL: there is no memory for it */
void exchange_close(struct exchange *exchange);

/* The run cannot be made in partitions, for that reason, at that place of the source; the first one counts. */
void exchange_give_up(struct exchange *exchange, const char *why, size_t begin, size_t end);
/* Has somebody said so? */
bool exchange_given_up(const struct exchange *exchange);
const char *exchange_reason(const struct exchange *exchange, size_t *begin, size_t *end); /* "": none was given */

struct port;                                                     /* a partition's own side */
struct port *port_open(struct exchange *exchange, uint32_t own); /* NULL: there is no memory */
void port_close(struct port *port);
void port_send(struct port *port, uint32_t to, const void *item, size_t size);
/* What has been sent so far can be seen by those who it is for. */
void port_publish(struct port *port);
/* Takes what has come: gives whether there was something. Items are taken in the order in which one has sent them. */
bool port_receive(struct port *port, void (*take)(void *user, const void *item, size_t size), void *user);
enum port_wait {
  PORT_CAME, /* something can be received */
  PORT_OVER, /* all wait, and nothing is on its way */
  PORT_GIVEN_UP
};
enum port_wait port_wait(struct port *port);

/* Of a run that is over: offers these bytes to all, and waits for theirs. False: one has given up. */
bool port_agree(struct port *port, const void *offer, size_t size, uint32_t round);
const void *port_offered(const struct port *port, uint32_t by, uint32_t round);
enum { EXCHANGE_ROUNDS = 2 };
#endif
