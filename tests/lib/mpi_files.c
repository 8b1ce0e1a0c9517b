/* Files by MPI-IO in all forms, whose bytes and results are the same under any MPI. They are left in the current
 * folder, to be compared. To be run on 4 ranks. */
#include "mpi_said.h"

enum { N = 12 };
static int numbers[N * 8];

static MPI_File opened(const char *name, int mode) {
  MPI_File file;
  say(name, MPI_File_open(MPI_COMM_WORLD, name, mode, MPI_INFO_NULL, &file));
  return file;
}

static void fill(int from) {
  for (int k = 0; k < N * 8; k++)
    numbers[k] = from + k;
}

static void say_got(const char *what, const MPI_Status *status, int count) {
  int got;
  long sum = 0;
  MPI_Get_count(status, MPI_INT, &got);
  for (int k = 0; k < count; k++)
    sum = (sum * 7 + numbers[k]) % 1000003;
  say(what, got), say("sum", sum);
}

static void clear(void) { memset(numbers, 0, sizeof numbers); }

static void offsets(void) {
  MPI_Status status;
  MPI_Request request;
  MPI_Offset size;
  MPI_File file = opened("offsets", MPI_MODE_CREATE | MPI_MODE_RDWR);
  MPI_Offset own = (MPI_Offset)sizeof(int) * N * rank, next = (MPI_Offset)sizeof(int) * N * ((rank + 1) % ranks);
  fill(100 * rank);
  MPI_File_write_at(file, own, numbers, N, MPI_INT, &status);
  say_got("written", &status, 0);
  MPI_File_sync(file);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_sync(file);
  clear();
  MPI_File_read_at(file, next, numbers, N, MPI_INT, &status);
  say_got("read_at", &status, N);
  MPI_File_read_at_all(file, own + 4, numbers, N, MPI_INT, &status);
  say_got("read_at_all", &status, N);
  clear();
  MPI_File_iread_at(file, next + 8, numbers, N / 2, MPI_INT, &request);
  MPI_Wait(&request, &status);
  say_got("iread_at", &status, N / 2);
  MPI_File_get_size(file, &size);
  say("size", (long)size);
  clear();
  MPI_File_read_at(file, size - 8, numbers, N, MPI_INT, &status);
  say_got("at the end", &status, N);
  MPI_File_read_at(file, size + 8, numbers, N, MPI_INT, &status);
  say_got("behind it", &status, 0);
  MPI_Barrier(MPI_COMM_WORLD);
  fill(5000 + rank);
  MPI_File_iwrite_at(file, own + (MPI_Offset)size, numbers, N, MPI_INT, &request);
  MPI_Wait(&request, &status);
  say_got("iwrite_at", &status, 0);
  MPI_File_write_at_all(file, own + 2 * (MPI_Offset)size, numbers, N, MPI_INT, &status);
  MPI_File_close(&file);
  say("closed", file == MPI_FILE_NULL);
}

static void own_pointers(void) {
  MPI_Status status;
  MPI_Offset place;
  MPI_Request requests[2];
  MPI_File file = opened("pointers", MPI_MODE_CREATE | MPI_MODE_RDWR);
  fill(1000 * rank);
  MPI_File_seek(file, (MPI_Offset)sizeof(int) * 20 * rank, MPI_SEEK_SET);
  MPI_File_write(file, numbers, 5, MPI_INT, &status);
  MPI_File_write_all(file, numbers + 5, 5, MPI_INT, &status);
  MPI_File_iwrite(file, numbers + 10, 10, MPI_INT, &requests[0]);
  MPI_Waitall(1, requests, &status);
  say_got("iwrite", &status, 0);
  MPI_File_get_position(file, &place);
  say("position", (long)place);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_seek(file, -8, MPI_SEEK_END);
  MPI_File_get_position(file, &place);
  say("from the end", (long)place);
  clear();
  MPI_File_read(file, numbers, 4, MPI_INT, &status);
  say_got("read", &status, 4);
  say("before the beginning", MPI_File_seek(file, -1, MPI_SEEK_SET) != MPI_SUCCESS);
  MPI_File_seek(file, 40, MPI_SEEK_SET);
  MPI_File_seek(file, 4 * rank, MPI_SEEK_CUR);
  MPI_File_iread(file, numbers, 4, MPI_INT, &requests[0]);
  MPI_File_iread(file, numbers + 4, 4, MPI_INT, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  say_got("iread", &status, 8);
  clear();
  MPI_File_read_all_begin(file, numbers, 6, MPI_INT);
  MPI_File_read_all_end(file, numbers, &status);
  say_got("read_all in halves", &status, 6);
  MPI_File_close(&file);
}

/* Counts of 64 bits, as MPI 4 has them. */
static void large_counts(void) {
  MPI_Count count = N;
  MPI_Status status;
  MPI_Request request;
  MPI_File file = opened("large", MPI_MODE_CREATE | MPI_MODE_RDWR);
  MPI_Offset own = (MPI_Offset)sizeof(int) * N * rank;
  fill(300 * rank);
  MPI_File_write_at_c(file, own, numbers, count, MPI_INT, &status);
  say_got("write_at_c", &status, 0);
  MPI_File_write_at_all_c(file, own + (MPI_Offset)sizeof(int) * N * ranks, numbers, count, MPI_INT, &status);
  clear();
  MPI_File_iread_at_c(file, own, numbers, count, MPI_INT, &request);
  MPI_Wait(&request, &status);
  say_got("iread_at_c", &status, N);
  MPI_File_seek(file, own + 4, MPI_SEEK_SET);
  MPI_File_read_all_begin_c(file, numbers, count - 2, MPI_INT);
  MPI_File_read_all_end(file, numbers, &status);
  say_got("read_all_c in halves", &status, N - 2);
  say("a negative count", MPI_File_read_c(file, numbers, -1, MPI_INT, &status) != MPI_SUCCESS);
  MPI_File_close(&file);
}

/* A matrix of 8 x 8 in blocks of 4 x 4, and a vector of which each rank has every fourth item. */
static void views(void) {
  MPI_Status status;
  MPI_Datatype block, every, etype, filetype;
  MPI_Offset place, displacement;
  char form[MPI_MAX_DATAREP_STRING];
  int sizes[2] = {8, 8}, parts[2] = {4, 4}, starts[2] = {rank / 2 * 4, rank % 2 * 4}, extent;
  MPI_File file = opened("matrix", MPI_MODE_CREATE | MPI_MODE_RDWR);
  MPI_Type_create_subarray(2, sizes, parts, starts, MPI_ORDER_C, MPI_INT, &block);
  MPI_Type_commit(&block);
  fill(100 * rank);
  MPI_File_set_view(file, 16, MPI_INT, block, "native", MPI_INFO_NULL);
  MPI_File_write_all(file, numbers, 32, MPI_INT, &status);
  say_got("write_all in blocks", &status, 0);
  MPI_File_get_byte_offset(file, 6, &place);
  say("byte of 6", (long)place);
  MPI_File_get_position(file, &place);
  say("position", (long)place);
  MPI_File_get_view(file, &displacement, &etype, &filetype, form);
  MPI_Type_size(filetype, &extent);
  MPI_Type_free(&filetype);
  say("displacement", (long)displacement), say("etype", etype == MPI_INT), say("filetype", extent), say(form, 0);
  clear();
  MPI_File_read_at(file, 3, numbers, 10, MPI_INT, &status);
  say_got("read_at", &status, 10);
  MPI_File_seek(file, -4, MPI_SEEK_END);
  MPI_File_get_position(file, &place);
  say("near the end", (long)place);
  MPI_Type_vector(N, 1, ranks, MPI_INT, &every);
  MPI_Type_commit(&every);
  MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
  clear();
  MPI_File_read_at_all(file, rank, numbers, 1, every, &status);
  say_got("into every fourth", &status, N * 4 - 3);
  MPI_File_close(&file);

  file = opened("vector", MPI_MODE_CREATE | MPI_MODE_WRONLY);
  MPI_Type_free(&every);
  MPI_Type_create_resized(MPI_INT, 0, (MPI_Aint)sizeof(int) * ranks, &every);
  MPI_Type_commit(&every);
  MPI_File_set_view(file, (MPI_Offset)sizeof(int) * rank, MPI_INT, every, "native", MPI_INFO_NULL);
  fill(10 * rank);
  MPI_File_write(file, numbers, 3, MPI_INT, &status);
  MPI_File_write_at_all(file, 3, numbers + 3, N, MPI_INT, &status);
  MPI_File_get_position(file, &place);
  say("position", (long)place);
  MPI_File_close(&file);
  MPI_Type_free(&every);
  MPI_Type_free(&block);
}

static void shared_pointers(void) {
  MPI_Status status;
  MPI_Offset place;
  MPI_Request request;
  MPI_File file = opened("shared", MPI_MODE_CREATE | MPI_MODE_RDWR);
  MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
  fill(10 * rank);
  MPI_File_write_ordered(file, numbers, rank + 1, MPI_INT, &status);
  say_got("write_ordered", &status, 0);
  MPI_File_write_ordered_begin(file, numbers, 2, MPI_INT);
  MPI_File_write_ordered_end(file, numbers, &status);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_get_position_shared(file, &place);
  say("shared position", (long)place);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_seek_shared(file, 2, MPI_SEEK_SET);
  clear();
  MPI_File_read_ordered(file, numbers, 3, MPI_INT, &status);
  say_got("read_ordered", &status, 3);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int k = 0; k < ranks; k++) { /* one after another */
    if (k == rank) {
      fill(2000 + 10 * rank);
      MPI_File_write_shared(file, numbers, 2, MPI_INT, &status);
      MPI_File_iwrite_shared(file, numbers + 2, 1, MPI_INT, &request);
      MPI_Wait(&request, &status);
      say_got("iwrite_shared", &status, 0);
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
  long mine = 0, all; /* who gets which is a matter of time; together they get all */
  for (int k = 0; k < 3; k++) {
    MPI_File_read_shared(file, numbers, 2, MPI_INT, &status);
    mine += numbers[0] + numbers[1];
  }
  MPI_Allreduce(&mine, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  say("of all", all);
  MPI_File_close(&file);
}

/* Numbers of several types, most significant byte first, from and to buffers with holes, through a view with holes. */
static void external(void) {
  MPI_Status status;
  MPI_Aint extent;
  MPI_Offset displacement;
  MPI_Datatype every, holed, etype, filetype;
  char form[MPI_MAX_DATAREP_STRING];
  MPI_File file = opened("external", MPI_MODE_CREATE | MPI_MODE_RDWR);
  const MPI_Datatype types[] = {MPI_CHAR, MPI_SHORT, MPI_INT, MPI_FLOAT, MPI_DOUBLE, MPI_LONG_LONG, MPI_UINT16_T};
  double values[8], got[8];
  int size;
  for (int k = 0; k < 8; k++)
    values[k] = 0.1 * k - rank;
  for (size_t k = 0; k < sizeof types / sizeof *types; k++) {
    MPI_Type_vector(2, 1, 2, types[k], &every);
    MPI_Type_commit(&every);
    MPI_File_set_view(file, 100 * rank, MPI_BYTE, MPI_BYTE, "external32", MPI_INFO_NULL);
    MPI_File_write_at(file, (MPI_Offset)(12 * k), values, 1, every, &status);
    memset(got, 0, sizeof got);
    MPI_File_read_at_all(file, (MPI_Offset)(12 * k), got, 1, every, &status);
    MPI_File_get_type_extent(file, every, &extent);
    MPI_Type_size(types[k], &size);
    int same = memcmp(got, values, (size_t)size) == 0 &&
               memcmp((char *)got + 2 * size, (char *)values + 2 * size, (size_t)size) == 0;
    say("the same", same), say("extent", (long)extent);
    MPI_Type_free(&every);
  }
  MPI_File_set_size(file, 548);
  MPI_Type_vector(2, 1, 2, MPI_INT, &holed);
  MPI_Type_commit(&holed);
  MPI_File_set_view(file, 500 + 12 * rank, MPI_INT, holed, "external32", MPI_INFO_NULL);
  MPI_File_get_view(file, &displacement, &etype, &filetype, form);
  MPI_File_get_type_extent(file, holed, &extent);
  say(form, (long)displacement), say("etype", etype == MPI_INT), say("extent", (long)extent);
  fill(0x01020300 * (rank + 1));
  MPI_File_write_at_all(file, 0, numbers, 2, MPI_INT, &status);
  say_got("written in external32", &status, 0);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_set_view(file, 500, MPI_INT, MPI_INT, "external32", MPI_INFO_NULL);
  clear();
  MPI_File_read(file, numbers, 20, MPI_INT, &status);
  say_got("read at the end", &status, 12);
  MPI_File_get_position(file, &displacement);
  say("position", (long)displacement);
  MPI_File_set_view(file, 500, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
  MPI_File_read_at(file, 0, numbers, 2, MPI_INT, &status);
  say_got("native again", &status, 2);
  MPI_File_close(&file);
  MPI_Type_free(&holed);
}

/* Where the pointer is behind reads that meet the end, and what they have got. MPICH's sieving would fill the rest with
 * what its buffer had, so that is off. */
static void ends(void) {
  MPI_Status status;
  MPI_Offset place;
  MPI_Info hints;
  MPI_File file;
  MPI_Datatype holed, pair, views[3] = {MPI_BYTE, MPI_INT};
  MPI_Info_create(&hints);
  MPI_Info_set(hints, "romio_ds_read", "disable");
  MPI_Info_set(hints, "romio_cb_read", "disable");
  MPI_File_open(MPI_COMM_SELF, "vector", MPI_MODE_RDONLY, hints, &file);
  MPI_Type_vector(1, 2, 3, MPI_INT, &pair);
  MPI_Type_create_resized(pair, 0, 12, &views[2]);
  MPI_Type_vector(2, 1, 2, MPI_INT, &holed);
  MPI_Type_commit(&views[2]), MPI_Type_commit(&holed);
  for (int view = 0; view < 3; view++)
    for (int way = 0; way < 8; way++) {
      MPI_Datatype type = way % 2 ? holed : MPI_INT;
      MPI_Request request;
      MPI_File_set_view(file, rank, view ? MPI_INT : MPI_BYTE, views[view], "native", hints);
      MPI_File_seek(file, -3 - rank, MPI_SEEK_END);
      clear();
      if (way / 2 == 0) MPI_File_read(file, numbers, 10, type, &status);
      if (way / 2 == 1) MPI_File_read_all(file, numbers, 10, type, &status);
      if (way / 2 == 2) MPI_File_iread(file, numbers, 10, type, &request), MPI_Wait(&request, &status);
      if (way / 2 == 3) MPI_File_read_all_begin(file, numbers, 10, type), MPI_File_read_all_end(file, numbers, &status);
      MPI_File_get_position(file, &place);
      if (view < 2 && type == MPI_INT)
        say_got("at the end", &status, 40);
      else
        say_got("at the end", &(MPI_Status){0}, 40);
      say("position", (long)place);
    }
  MPI_File_close(&file);
  MPI_Info_free(&hints);
  MPI_Type_free(&pair), MPI_Type_free(&holed), MPI_Type_free(&views[2]);
}

static int class_of(int code) {
  int class;
  MPI_Error_class(code, &class);
  return class;
}
static int opens(MPI_Comm comm, const char *name, int mode) {
  MPI_File file;
  return class_of(MPI_File_open(comm, name, mode, MPI_INFO_NULL, &file));
}
static int handled;
static void handler(MPI_File *file, int *code, ...) { handled = class_of(*code) * 10 + (*file == MPI_FILE_NULL); }

static void sizes_and_errors(void) {
  MPI_Status status;
  MPI_Offset size;
  MPI_Info info;
  MPI_Group group;
  MPI_Errhandler own;
  MPI_File file, other;
  int mode, flag, members;
  say("none", opens(MPI_COMM_WORLD, "no/such/file", MPI_MODE_RDONLY) == MPI_ERR_NO_SUCH_FILE);
  say("mode", opens(MPI_COMM_WORLD, "x", MPI_MODE_RDONLY | MPI_MODE_RDWR) == MPI_ERR_AMODE);
  say("delete", class_of(MPI_File_delete("no file", MPI_INFO_NULL)) == MPI_ERR_NO_SUCH_FILE);
  MPI_Barrier(MPI_COMM_WORLD);
  say("exclusive",
      opens(MPI_COMM_WORLD, "shared", MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_RDWR) == MPI_ERR_FILE_EXISTS);
  file = opened("sizes", MPI_MODE_CREATE | MPI_MODE_WRONLY);
  MPI_File_set_size(file, 1000);
  MPI_File_preallocate(file, 500);
  MPI_File_get_size(file, &size);
  say("size", (long)size);
  MPI_File_preallocate(file, 2000);
  MPI_File_get_size(file, &size);
  say("size", (long)size);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_set_size(file, 100);
  MPI_File_get_size(file, &size);
  say("size", (long)size);
  MPI_File_get_amode(file, &mode);
  say("amode", mode == (MPI_MODE_CREATE | MPI_MODE_WRONLY));
  MPI_File_get_group(file, &group);
  MPI_Group_size(group, &members);
  say("group", members);
  MPI_Group_free(&group);
  MPI_File_get_info(file, &info);
  say("info", info != MPI_INFO_NULL);
  MPI_Info_free(&info);
  MPI_File_set_atomicity(file, 1);
  MPI_File_get_atomicity(file, &flag);
  say("atomicity", flag);
  fill(7);
  MPI_File_write_at(file, 4 * rank, numbers, 1, MPI_INT, &status);
  say("write only", class_of(MPI_File_read_at(file, 0, numbers, 1, MPI_INT, &status)) == MPI_ERR_ACCESS);
  say("count", class_of(MPI_File_write_at(file, 0, numbers, -1, MPI_INT, &status)) == MPI_ERR_COUNT);
  MPI_File_create_errhandler(handler, &own);
  MPI_File_set_errhandler(file, own);
  say("offset", class_of(MPI_File_write_at(file, -1, numbers, 1, MPI_INT, &status)) == MPI_ERR_ARG);
  say("handled", handled == MPI_ERR_ARG * 10);
  MPI_File_close(&file);
  MPI_Errhandler_free(&own);
  other = opened("sizes", MPI_MODE_RDONLY | MPI_MODE_DELETE_ON_CLOSE);
  say("read only", class_of(MPI_File_write_at(other, 0, numbers, 1, MPI_INT, &status)) == MPI_ERR_READ_ONLY);
  MPI_File_close(&other);
  say("deleted", opens(MPI_COMM_SELF, "sizes", MPI_MODE_RDONLY) == MPI_ERR_NO_SUCH_FILE);
  file = opened("shared", MPI_MODE_WRONLY | MPI_MODE_APPEND);
  MPI_File_get_position(file, &size);
  say("appended at", (long)size);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 2) MPI_File_write(file, numbers, 1, MPI_INT, &status);
  MPI_File_close(&file);
}

static void what_is_tested(void) {
  offsets();
  large_counts();
  own_pointers();
  views();
  shared_pointers();
  external();
  ends();
  sizes_and_errors();
}
