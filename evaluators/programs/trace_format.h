/* PSL's own format of traces, and its writer, which needs nothing but this folder's operations.c.
 *
 * A file begins with its header, behind which stand blocks, each with records of one rank. A rank's blocks are linked,
 * and a record is in one block. So a file can have all ranks, their blocks in any order; or a rank, and a folder of
 * such files, 0.trace, 1.trace, ..., is the trace. The file of one rank is mapped while it is written, so that all that
 * was written stays readable when the program is killed.
 * Numbers stand as this machine has them, which the header's order of bytes tells.
 *
 * A record is a byte, and what stands behind it:
 *   a kind of operation    its fields, in the order of enum program_field
 *   RECORD_TOOK            a time in ns: what the next operation took in the traced run
 *   RECORD_LOST            a time in ns: of that, what others had the processor in
 *   RECORD_POLLED          a time in ns: of that, what calls have taken that have found nothing
 *   RECORD_COUNTS          a name, of counters, and a list of amounts: what these counted in the next operation
 *   RECORD_NAME            a length and a text: the next name, from 1
 *   RECORD_PLACE           two names, of a file and a function, a line, an address: the next site, from 1
 *   RECORD_SITE            the number of a site: where the next operation is called
 *   RECORD_END             nothing: the rank has no more operations
 * Whole numbers are written seven bits a byte, the last one below 128; what may be negative as 2n, or -2n - 1. Sizes
 * and work are 2n, or 1 with a double behind it where they are no whole number. Lists have their length first. The
 * source and tag of an irecv for any of these are five bytes each, which get what it has received. */
#ifndef PSL_TRACE_FORMAT_H
#define PSL_TRACE_FORMAT_H
#include "evaluators/programs/operations.h"

#define TRACE_MAGIC "PSLTRACE"
enum { TRACE_VERSION = 6, TRACE_ORDER = 0x0102 }; /* the version changes with the kinds of operations, too */
#define TRACE_ALL UINT32_MAX
enum {
  RECORD_POLLED = 0xf8,
  RECORD_LOST,
  RECORD_COUNTS,
  RECORD_PLACE,
  RECORD_SITE,
  RECORD_TOOK,
  RECORD_NAME,
  RECORD_END
};

struct trace_header {
  char magic[8];
  uint16_t version, order;
  uint32_t ranks; /* of the program */
  uint32_t rank;  /* whose file it is; TRACE_ALL: that of all */
};

struct trace_block {
  uint32_t rank;
  uint32_t size; /* bytes of records behind it */
  uint64_t next; /* where the rank's next block stands; 0: there is none */
};

/* ---- writing ---- */

struct trace_writer;
/* For a program of so many ranks: a file of one of them, or of TRACE_ALL. NULL with errno. */
struct trace_writer *trace_writer_open(const char *path, uint32_t ranks, uint32_t rank);
/* The rank's next operation; false: an earlier write failed, or this one. */
bool trace_write(struct trace_writer *writer, uint32_t rank, const struct program_operation *operation);
/* What the rank's request, an irecv from any source or with any tag, has received: it is put into that operation. */
void trace_write_received(struct trace_writer *writer, uint32_t rank, int64_t request, int32_t source, int32_t tag);
/* What the rank's request has started was taken back: it is a message from, or to, nobody. */
void trace_write_cancelled(struct trace_writer *writer, uint32_t rank, int64_t request);
void trace_write_end(struct trace_writer *writer, uint32_t rank); /* it has no more */
bool trace_writer_flush(struct trace_writer *writer);             /* all that was written is in the file */
bool trace_writer_close(struct trace_writer *writer);             /* false with errno: something could not be written */
#endif
