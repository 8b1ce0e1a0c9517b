/* Views of files: where in a file the data are that a rank sees, and moving them. */
#include "evaluators/programs/mpi/file.h"
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

/* The blocks of a filetype; a type without any is one of its own size. */
static uint32_t blocks_of(const struct datatype *type, const struct block **blocks, struct block *whole) {
  *whole = (struct block){0, type->size};
  *blocks = type->blocks ? type->blocks : whole;
  return type->blocks ? type->block_count : 1;
}

static MPI_Datatype type_there(MPI_Datatype type, bool external) {
  if (external) return external_layout(type);
  datatype_keep(type);
  return type;
}

void view_set(struct view *view, int64_t displacement, MPI_Datatype etype, MPI_Datatype filetype, bool external) {
  const struct block *blocks;
  struct block whole;
  struct view new = {.displacement = displacement,
                     .external = external,
                     .etype = type_there(etype, external),
                     .filetype = type_there(filetype, external),
                     .given_etype = etype,
                     .given_filetype = filetype};
  datatype_keep(etype);
  datatype_keep(filetype);
  view_drop(view);
  uint32_t count = blocks_of(datatype_of(new.filetype), &blocks, &whole);
  new.starts = malloc((count + 1) * sizeof *view->starts);
  *view = new;
  view->starts[0] = 0;
  for (uint32_t k = 0; k < count; k++)
    view->starts[k + 1] = view->starts[k] + blocks[k].size;
}

void view_drop(struct view *view) {
  if (!view->starts) return;
  datatype_drop(view->etype);
  datatype_drop(view->filetype);
  datatype_drop(view->given_etype);
  datatype_drop(view->given_filetype);
  free(view->starts);
  view->starts = NULL;
}

/* The block in which that one of a filetype's data is. */
static uint32_t block_with(const struct view *view, uint32_t count, int64_t data) {
  uint32_t low = 0, high = count;
  while (high - low > 1) {
    uint32_t middle = low + (high - low) / 2;
    *(view->starts[middle] <= data ? &low : &high) = middle;
  }
  return low;
}

/* From that one of the data on: where they are, and how many lie together, at most so many. */
static struct block piece_at(const struct view *view, int64_t data, int64_t most) {
  const struct datatype *type = datatype_of(view->filetype);
  const struct block *blocks;
  struct block whole;
  uint32_t count = blocks_of(type, &blocks, &whole);
  if (!type->size) return (struct block){view->displacement, 0};
  int64_t rest = data % type->size;
  uint32_t k = block_with(view, count, rest);
  int64_t place = view->displacement + data / type->size * type->extent + blocks[k].place + rest - view->starts[k];
  int64_t size = count == 1 && type->size == type->extent ? most : view->starts[k + 1] - rest;
  return (struct block){place, size < most ? size : most};
}

int64_t view_place(const struct view *view, int64_t data) { return piece_at(view, data, 1).place; }

int64_t view_below(const struct view *view, int64_t place) {
  const struct datatype *type = datatype_of(view->filetype);
  const struct block *blocks;
  struct block whole;
  uint32_t count = blocks_of(type, &blocks, &whole);
  place -= view->displacement;
  if (place <= 0 || !type->size || type->extent <= 0) return 0;
  int64_t data = place / type->extent * type->size, rest = place % type->extent;
  for (uint32_t k = 0; k < count && blocks[k].place < rest; k++)
    data += blocks[k].place + blocks[k].size <= rest ? blocks[k].size : rest - blocks[k].place;
  return data;
}

static ssize_t piece_move(int descriptor, char *packed, struct block piece, bool writes) {
  size_t done = 0, size = (size_t)piece.size;
  while (done < size) {
    ssize_t moved = writes ? pwrite(descriptor, packed + done, size - done, piece.place + (off_t)done)
                           : pread(descriptor, packed + done, size - done, piece.place + (off_t)done);
    if (moved < 0 && errno == EINTR) continue;
    if (moved < 0) return -1;
    if (moved == 0) break;
    done += (size_t)moved;
  }
  return (ssize_t)done;
}

ssize_t view_move(const struct view *view, int descriptor, char *packed, int64_t data, size_t bytes, bool writes) {
  size_t done = 0;
  while (done < bytes) {
    struct block piece = piece_at(view, data + (int64_t)done, (int64_t)(bytes - done));
    ssize_t moved = piece.size ? piece_move(descriptor, packed + done, piece, writes) : 0;
    if (moved < 0) return -1;
    done += (size_t)moved;
    if (moved < piece.size || !moved) break;
  }
  return (ssize_t)done;
}
