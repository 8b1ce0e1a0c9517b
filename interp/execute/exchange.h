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

struct psl_peers;                               /* interp/model/run.h */
struct exchange;                                /* shared; made before there are partitions */
struct exchange *exchange_open(uint32_t count); /* NULL: there is no memory for it */
void exchange_close(struct exchange *exchange);

/* The run cannot be made in partitions, for that reason, at that place of the source; the first one counts. */
void exchange_give_up(struct exchange *exchange, const char *why, size_t begin, size_t end);
/* Has somebody said so? */
bool exchange_given_up(const struct exchange *exchange);
const char *exchange_reason(const struct exchange *exchange, size_t *begin, size_t *end); /* "": none was given */

/* A partition's own side, whatever lies between it and the others. */
enum port_wait {
  PORT_CAME, /* something can be received */
  PORT_OVER, /* all wait, and nothing is on its way */
  PORT_GIVEN_UP
};
struct port {
  const struct port_ways *ways;
  uint32_t own, count; /* number of the partition, and of all */
};
struct port_ways {
  void (*close)(struct port *port);
  void (*send)(struct port *port, uint32_t to, const void *item, size_t size);
  void (*publish)(struct port *port);
  bool (*receive)(struct port *port, void (*take)(void *user, const void *item, size_t size), void *user);
  enum port_wait (*wait)(struct port *port);
  enum port_wait (*meet)(struct port *port, double next, double *least,
                         void (*take)(void *user, const void *item, size_t size), void *user); /* NULL: it cannot */
  bool (*agree)(struct port *port, const void *offer, size_t size, uint32_t round);
  const void *(*offered)(const struct port *port, uint32_t by, uint32_t round);
  void (*give_up)(struct port *port, const char *why, size_t begin, size_t end);
  bool (*given_up)(const struct port *port);
};

struct port *port_open(struct exchange *exchange, uint32_t own); /* NULL: there is no memory */

/* A partition that a rank of an MPI job is. */
struct port *port_of_rank(struct psl_peers *peers); /* NULL: there is no memory */
const char *port_reason(const struct port *port, size_t *begin, size_t *end);
/* What the first rank gets of the others in the end, one after another, and how each tells it. NULL: one has left. */
void port_tell(struct port *port, const void *data, size_t size);
const void *port_told(struct port *port, size_t *size);
static inline void port_close(struct port *port) { port->ways->close(port); }
static inline void port_send(struct port *port, uint32_t to, const void *item, size_t size) {
  port->ways->send(port, to, item, size);
}
/* What has been sent so far can be seen by those who it is for. */
static inline void port_publish(struct port *port) { port->ways->publish(port); }
/* Takes what has come: gives whether there was something. Items are taken in the order in which one has sent them. */
static inline bool port_receive(struct port *port, void (*take)(void *user, const void *item, size_t size),
                                void *user) {
  return port->ways->receive(port, take, user);
}
static inline enum port_wait port_wait(struct port *port) { return port->ways->wait(port); }
/* Runs in windows of time: what has been sent is published, each says the least time of what it still knows of, and when
 * all have, all that has been sent to this one has been taken. *least: of what they have said. */
static inline enum port_wait port_meet(struct port *port, double next, double *least,
                                       void (*take)(void *user, const void *item, size_t size), void *user) {
  return port->ways->meet(port, next, least, take, user);
}
/* Of a run that is over: offers these bytes to all, and waits for theirs. False: one has given up. */
static inline bool port_agree(struct port *port, const void *offer, size_t size, uint32_t round) {
  return port->ways->agree(port, offer, size, round);
}
static inline const void *port_offered(const struct port *port, uint32_t by, uint32_t round) {
  return port->ways->offered(port, by, round);
}
/* The run cannot be made in partitions, for that reason, at that place of the source. */
static inline void port_give_up(struct port *port, const char *why, size_t begin, size_t end) {
  port->ways->give_up(port, why, begin, end);
}
static inline bool port_given_up(const struct port *port) { return port->ways->given_up(port); }
enum { EXCHANGE_ROUNDS = 2 };
#endif
