/* Reading of traces that are text: see rank_lines.h. A reader of one rank has a small buffer, which it fills from its
 * stretch of the trace, or from the chain of its blocks in the temporary file. */
#include "evaluators/programs/rank_lines.h"
#include "evaluators/programs/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BLOCK = 4096, OPEN_MOST = 256, LINE_MOST = 1 << 24 };

struct block {  /* of the temporary file */
  int64_t next; /* where the rank's next one begins; 0: there is none */
  uint32_t size;
  char text[BLOCK - 12];
} __attribute__((packed));

struct reader {
  int64_t at, end; /* bytes of the file that are still to be read; of a chain: the next block, 0: none */
  uint64_t number; /* of the last line */
  char *buffer;
  size_t begin, filled, capacity;
  int file; /* -1: opened for each read */
};

struct rank_lines {
  struct reader *readers;
  uint32_t ranks, capacity;
  char **paths; /* a path a rank, or one */
  uint32_t path_count;
  int file;    /* of the one path */
  FILE *spool; /* NULL: no ranks are mixed */
  size_t buffer_size;
};

char *file_head(const char *path, FILE **file, struct program_error *error) {
  char *line = NULL;
  size_t capacity = 0;
  *file = fopen(path, "re");
  if (*file && getline(&line, &capacity, *file) > 0) {
    line[strcspn(line, "\r\n")] = '\0';
    return line;
  }
  snprintf(error->text, sizeof error->text, "%.80s cannot be read", file_name(path));
  if (*file) fclose(*file);
  free(line);
  return NULL;
}

const char *file_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

void error_at(struct program_error *error, const char *path, uint64_t line) {
  struct program_error said = *error;
  snprintf(error->text, sizeof error->text, "%.60s:%llu: %.100s", file_name(path), (unsigned long long)line, said.text);
}

static void *fail(struct program_error *error, const char *path, const char *why) {
  snprintf(error->text, sizeof error->text, "%.80s: %s", file_name(path), why);
  return NULL;
}

/* ---- one rank's lines ---- */

static bool buffer_room(struct reader *reader, size_t size) {
  if (reader->begin) {
    memmove(reader->buffer, reader->buffer + reader->begin, reader->filled - reader->begin);
    reader->filled -= reader->begin;
    reader->begin = 0;
  }
  if (reader->capacity - reader->filled >= size) return true;
  size_t capacity = reader->capacity ? 2 * reader->capacity : size;
  while (capacity - reader->filled < size)
    capacity *= 2;
  char *grown = capacity > LINE_MOST ? NULL : realloc(reader->buffer, capacity);
  if (!grown) return false;
  reader->buffer = grown;
  reader->capacity = capacity;
  return true;
}

/* More of the rank's bytes behind those that the buffer has; 0: there are none, -1: errno. */
static ssize_t fill_from_chain(struct rank_lines *lines, struct reader *reader) {
  struct block block;
  if (!reader->at) return 0;
  if (pread(fileno(lines->spool), &block, sizeof block, reader->at) < 12) return -1;
  reader->at = block.next;
  memcpy(reader->buffer + reader->filled, block.text, block.size);
  return block.size;
}

static ssize_t fill_from_file(struct rank_lines *lines, uint32_t rank, struct reader *reader, size_t room) {
  size_t size = (int64_t)room < reader->end - reader->at ? room : (size_t)(reader->end - reader->at);
  int file = lines->path_count == 1 ? lines->file : reader->file;
  if (file < 0) file = open(lines->paths[rank], O_RDONLY | O_CLOEXEC);
  if (file < 0) return -1;
  ssize_t got = pread(file, reader->buffer + reader->filled, size, reader->at);
  if (lines->path_count > 1 && rank < OPEN_MOST)
    reader->file = file;
  else if (lines->path_count > 1)
    close(file);
  if (got > 0) reader->at += got;
  return got;
}

static const char *path_of(const struct rank_lines *lines, uint32_t rank) {
  return lines->paths[lines->path_count > 1 ? rank : 0];
}

static bool reader_fill(struct rank_lines *lines, uint32_t rank, struct program_error *error) {
  struct reader *reader = &lines->readers[rank];
  size_t room = lines->spool ? BLOCK : lines->buffer_size;
  if (!buffer_room(reader, room)) return fail(error, path_of(lines, rank), "a line is too long");
  room = reader->capacity - reader->filled;
  ssize_t got = lines->spool ? fill_from_chain(lines, reader) : fill_from_file(lines, rank, reader, room);
  if (got < 0) return fail(error, path_of(lines, rank), strerror(errno));
  reader->filled += (size_t)got;
  return got > 0;
}

/* The end of the line that begins the buffer's rest, where a 0 is put; NULL: the rest has none. */
static char *line_end(struct reader *reader, size_t looked) {
  return memchr(reader->buffer + reader->begin + looked, '\n', reader->filled - reader->begin - looked);
}

char *rank_lines_next(struct rank_lines *lines, uint32_t rank, struct program_error *error) {
  struct reader *reader = &lines->readers[rank];
  char *end = reader->filled > reader->begin ? line_end(reader, 0) : NULL;
  *error->text = '\0';
  while (!end) {
    size_t looked = reader->filled - reader->begin;
    if (!reader_fill(lines, rank, error)) {
      if (*error->text || !looked || !buffer_room(reader, 1)) break;
      end = reader->buffer + reader->filled++; /* the last line lacks its end */
    } else {
      end = line_end(reader, looked);
    }
  }
  if (!end) {
    free(reader->buffer);
    reader->buffer = NULL;
    reader->begin = reader->filled = reader->capacity = 0;
    return NULL;
  }
  char *line = reader->buffer + reader->begin;
  *end = '\0';
  if (end > line && end[-1] == '\r') end[-1] = '\0';
  reader->begin = (size_t)(end + 1 - reader->buffer);
  if (!lines->spool) return reader->number++, line;
  char *text;
  reader->number = strtoull(line, &text, 10); /* spool_line put it there */
  return text + 1;
}

uint64_t rank_lines_number(const struct rank_lines *lines, uint32_t rank) { return lines->readers[rank].number; }

void rank_lines_place_of(const struct rank_lines *lines, uint32_t rank, uint64_t number, char *out, size_t size) {
  snprintf(out, size, "%.60s:%llu", file_name(path_of(lines, rank)), (unsigned long long)number);
}

void rank_lines_place(const struct rank_lines *lines, uint32_t rank, char *out, size_t size) {
  rank_lines_place_of(lines, rank, lines->readers[rank].number, out, size);
}

/* ---- whose lines stand where ---- */

static bool ranks_grow(struct rank_lines *lines, uint32_t ranks) {
  if (ranks <= lines->ranks) return true;
  if (ranks > lines->capacity) {
    uint32_t capacity = lines->capacity ? lines->capacity : 64;
    while (capacity < ranks)
      capacity *= 2;
    struct reader *grown = realloc(lines->readers, capacity * sizeof *grown);
    if (!grown) return false;
    lines->readers = grown;
    lines->capacity = capacity;
  }
  memset(lines->readers + lines->ranks, 0, (ranks - lines->ranks) * sizeof *lines->readers);
  for (; lines->ranks < ranks; lines->ranks++)
    lines->readers[lines->ranks].file = -1;
  return true;
}

enum { PASS_BLOCK = 1 << 18 }; /* bytes that are read at once */

struct pass { /* over all lines of the one file */
  struct rank_lines *lines;
  rank_of_line *rank_of;
  lines_of_rank *more; /* NULL: each line is looked at */
  void *state;
  struct program_error *error;
  int file;
  char *buffer; /* and one byte, for the 0 behind a last line without an end */
  size_t begin, filled, capacity;
  char *line;
  int64_t at, end; /* where the line begins, and ends */
  uint64_t number;
  int64_t rank;
};

/* More of the file behind what the buffer has; false: there is none, or the error is set. */
static bool pass_fill(struct pass *pass) {
  const char *path = pass->lines->paths[0];
  if (pass->begin) memmove(pass->buffer, pass->buffer + pass->begin, pass->filled - pass->begin);
  pass->filled -= pass->begin;
  pass->begin = 0;
  if (pass->filled == pass->capacity) {
    size_t capacity = pass->capacity ? 2 * pass->capacity : PASS_BLOCK;
    char *grown = capacity > LINE_MOST ? NULL : realloc(pass->buffer, capacity + 1);
    if (!grown) return fail(pass->error, path, "a line is too long");
    pass->buffer = grown;
    pass->capacity = capacity;
  }
  ssize_t got = read(pass->file, pass->buffer + pass->filled, pass->capacity - pass->filled);
  if (got < 0) return fail(pass->error, path, strerror(errno));
  pass->filled += (size_t)got;
  return got > 0;
}

/* The next line, with a 0 in place of its end; false: there is none, or the error is set. */
static bool pass_line(struct pass *pass) {
  size_t looked = 0;
  char *end = NULL;
  while (!end) {
    if (pass->filled > pass->begin + looked)
      end = memchr(pass->buffer + pass->begin + looked, '\n', pass->filled - pass->begin - looked);
    looked = pass->filled - pass->begin;
    if (end || pass_fill(pass)) continue;
    if (*pass->error->text || !looked) return false;
    end = pass->buffer + pass->filled;
  }
  pass->line = pass->buffer + pass->begin;
  pass->begin = (size_t)(end - pass->buffer);
  if (pass->begin < pass->filled) pass->begin++;
  pass->at = pass->end;
  pass->end += pass->buffer + pass->begin - pass->line;
  while (end > pass->line && end[-1] == '\r')
    end--;
  *end = '\0';
  return true;
}

/* false: there is none, or the error is set. */
static bool pass_next(struct pass *pass) {
  if (!pass_line(pass)) return false;
  pass->number++;
  pass->rank = pass->rank_of(pass->state, pass->line, pass->error);
  if (pass->rank >= RANKS_MOST) {
    snprintf(pass->error->text, sizeof pass->error->text, "rank %lld, and there can be %d", (long long)pass->rank,
             RANKS_MOST);
    pass->rank = -2;
  }
  if (pass->rank == -2) {
    error_at(pass->error, pass->lines->paths[0], pass->number);
    return false;
  }
  if (pass->rank < 0 || ranks_grow(pass->lines, (uint32_t)pass->rank + 1)) return true;
  fail(pass->error, pass->lines->paths[0], "there is no memory for so many ranks");
  return false;
}

static uint64_t ends_in(const char *text, size_t size) {
  enum { AT_ONCE = 64 };
  uint64_t count = 0;
  for (; size >= AT_ONCE; text += AT_ONCE, size -= AT_ONCE) {
    uint8_t some = 0;
    for (int k = 0; k < AT_ONCE; k++)
      some = (uint8_t)(some + (text[k] == '\n'));
    count += some;
  }
  for (size_t k = 0; k < size; k++)
    count += text[k] == '\n';
  return count;
}

/* Behind a line of a rank's: those that follow in the buffer and are its own, too. */
static void pass_more(struct pass *pass) {
  const char *text = pass->buffer + pass->begin;
  size_t size = pass->more(pass->state, text, pass->filled - pass->begin);
  pass->number += ends_in(text, size);
  pass->begin += size;
  pass->end += (int64_t)size;
}

/* Notes the stretches; false: the lines of a rank stand in more than one, or an error is set. */
static bool index_stretches(struct pass *pass) {
  int64_t last = -1;
  while (pass_next(pass)) {
    if (pass->rank < 0) continue;
    struct reader *reader = &pass->lines->readers[pass->rank];
    if (pass->rank != last && reader->end) return false;
    if (pass->rank != last) {
      reader->at = pass->at;
      reader->number = pass->number - 1;
    }
    if (pass->more) pass_more(pass);
    reader->end = pass->end;
    last = pass->rank;
  }
  return !*pass->error->text;
}

/* While lines are sorted, a reader's buffer is its block that is not full; `end` is where its last one stands. */
static bool spool_block(struct rank_lines *lines, struct reader *reader) {
  struct block block = {.size = (uint32_t)reader->filled};
  int file = fileno(lines->spool);
  int64_t here = lseek(file, 0, SEEK_END);
  memcpy(block.text, reader->buffer, reader->filled);
  if (here < 0 || write(file, &block, sizeof block) != sizeof block) return false;
  if (!reader->end)
    reader->at = here;
  else if (pwrite(file, &here, sizeof here, reader->end) != sizeof here)
    return false;
  reader->end = here;
  reader->filled = 0;
  return true;
}

static bool spool_bytes(struct rank_lines *lines, struct reader *reader, const char *text, size_t size) {
  enum { ROOM = sizeof((struct block *)0)->text };
  if (!reader->buffer && !(reader->buffer = malloc(reader->capacity = BLOCK))) return false;
  while (size) {
    size_t part = ROOM - reader->filled < size ? ROOM - reader->filled : size;
    memcpy(reader->buffer + reader->filled, text, part);
    reader->filled += part;
    text += part;
    size -= part;
    if (reader->filled == ROOM && !spool_block(lines, reader)) return false;
  }
  return true;
}

static bool spool_lines(struct pass *pass) {
  struct rank_lines *lines = pass->lines;
  while (pass_next(pass)) {
    if (pass->rank < 0) continue;
    char number[24];
    int length = snprintf(number, sizeof number, "%llu ", (unsigned long long)pass->number);
    struct reader *reader = &lines->readers[pass->rank];
    if (!spool_bytes(lines, reader, number, (size_t)length) ||
        !spool_bytes(lines, reader, pass->line, strlen(pass->line)) || !spool_bytes(lines, reader, "\n", 1))
      return fail(pass->error, lines->paths[0], "the temporary file that sorts it by ranks cannot be written");
  }
  for (uint32_t rank = 0; rank < lines->ranks && !*pass->error->text; rank++) {
    struct reader *reader = &lines->readers[rank];
    if (reader->filled && !spool_block(lines, reader))
      return fail(pass->error, lines->paths[0], "the temporary file that sorts it by ranks cannot be written");
    free(reader->buffer);
    reader->buffer = NULL;
    reader->capacity = reader->filled = 0;
  }
  return !*pass->error->text;
}

/* Ranks are mixed: begins anew. The file's first block is nobody's, so that 0 is no place of one. */
static bool spool_open(struct pass *pass) {
  struct rank_lines *lines = pass->lines;
  struct block nobody = {0};
  lines->spool = temporary_file();
  if (!lines->spool || write(fileno(lines->spool), &nobody, sizeof nobody) != sizeof nobody)
    return fail(pass->error, lines->paths[0], "no temporary file can be made that sorts it by ranks");
  lines->ranks = 0;
  pass->number = 0;
  pass->end = 0;
  pass->begin = pass->filled = 0;
  if (lseek(pass->file, 0, SEEK_SET) < 0) return fail(pass->error, lines->paths[0], strerror(errno));
  return spool_lines(pass);
}

static struct rank_lines *lines_new(char **paths, uint32_t count) {
  struct rank_lines *lines = calloc(1, sizeof *lines);
  if (!lines) return NULL;
  *lines = (struct rank_lines){.paths = paths, .path_count = count, .file = -1};
  return lines;
}

/* Fewer bytes for each where there are many. */
static struct rank_lines *lines_ready(struct rank_lines *lines) {
  size_t size = (64u << 20) / (lines->ranks + 1);
  lines->buffer_size = size < 512 ? 512 : size > 1 << 14 ? 1 << 14 : size;
  return lines;
}

static struct rank_lines *lines_failed(struct rank_lines *lines) {
  rank_lines_close(lines);
  return NULL;
}

struct rank_lines *rank_lines_open(const char *path, rank_of_line *rank_of, lines_of_rank *more, void *state,
                                   struct program_error *error) {
  char **paths = calloc(1, sizeof *paths);
  struct rank_lines *lines = paths ? lines_new(paths, 1) : NULL;
  *error->text = '\0';
  if (!lines || !(paths[0] = strdup(path))) return lines_failed(lines), fail(error, path, "there is no memory");
  lines->file = open(path, O_RDONLY | O_CLOEXEC);
  struct pass pass = {
      .lines = lines, .rank_of = rank_of, .more = more, .state = state, .error = error, .file = lines->file};
  if (lines->file < 0) fail(error, path, strerror(errno));
  bool fine = !*error->text && (index_stretches(&pass) || (!*error->text && spool_open(&pass)));
  free(pass.buffer);
  return fine ? lines_ready(lines) : lines_failed(lines);
}

struct rank_lines *rank_lines_files(char **paths, uint32_t count, struct program_error *error) {
  struct rank_lines *lines = lines_new(paths, count);
  *error->text = '\0';
  if (!lines || !ranks_grow(lines, count)) return lines_failed(lines), fail(error, paths[0], "there is no memory");
  for (uint32_t rank = 0; rank < count; rank++) {
    int file = open(paths[rank], O_RDONLY | O_CLOEXEC);
    lines->readers[rank].end = file < 0 ? -1 : lseek(file, 0, SEEK_END);
    if (lines->readers[rank].end < 0) fail(error, paths[rank], strerror(errno));
    if (count == 1)
      lines->file = file;
    else if (file >= 0)
      close(file);
    if (*error->text) return lines_failed(lines);
  }
  return lines_ready(lines);
}

uint32_t rank_lines_ranks(const struct rank_lines *lines) { return lines->ranks; }

int64_t rank_lines_begin(const struct rank_lines *lines, uint32_t rank) {
  return lines->readers[rank].end ? lines->readers[rank].at : -1;
}

void rank_lines_close(struct rank_lines *lines) {
  if (!lines) return;
  for (uint32_t rank = 0; rank < lines->ranks; rank++) {
    free(lines->readers[rank].buffer);
    if (lines->readers[rank].file >= 0) close(lines->readers[rank].file);
  }
  free(lines->readers);
  for (uint32_t i = 0; i < lines->path_count; i++)
    free(lines->paths[i]);
  free(lines->paths);
  if (lines->file >= 0) close(lines->file);
  if (lines->spool) fclose(lines->spool);
  free(lines);
}

/* ---- words ---- */

static inline bool is_blank(char c) { return c == ' ' || c == '\t'; }

/* Words are short: byte by byte. */
char *word_next(char **rest) {
  char *word = *rest;
  while (is_blank(*word))
    word++;
  if (!*word) return NULL;
  char *end = word + 1;
  while (*end > ' ' || (*end && !is_blank(*end)))
    end++;
  *rest = *end ? end + 1 : end;
  *end = '\0';
  return word;
}

bool word_integer(const char *word, int64_t least, int64_t most, int64_t *out) {
  const char *digit = word + (*word == '-');
  int64_t value = 0;
  if (!*digit) return false;
  for (; *digit; digit++) {
    if (*digit < '0' || *digit > '9' || value > (INT64_MAX - 9) / 10) return false;
    value = 10 * value + (*digit - '0');
  }
  *out = *word == '-' ? -value : value;
  return *out >= least && *out <= most;
}

/* Up to 15 digits and a point are exact by one division; what else there is goes to strtod. */
bool word_amount(const char *word, double *out) {
  static const double tens[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
  const char *at = word, *point = NULL;
  int64_t value = 0;
  for (; at - word < 15 && ((*at >= '0' && *at <= '9') || (*at == '.' && !point)); at++)
    if (*at == '.')
      point = at;
    else
      value = 10 * value + (*at - '0');
  if (!*at && at > word + (point != NULL)) {
    *out = (double)value / tens[point ? at - point - 1 : 0];
    return true;
  }
  char *end;
  if (!(*word >= '0' && *word <= '9') && *word != '.' && *word != '+') return false;
  *out = strtod(word, &end);
  return !*end && isfinite(*out) && *out >= 0 && !strpbrk(word, "xX");
}
