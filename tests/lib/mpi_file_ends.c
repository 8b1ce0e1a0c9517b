/* What MPI says of files and MPICH does otherwise: reads that meet the end of a file tell how much they have got,
 * through views with holes too; and an item of type long takes 4 bytes in "external32", in views as well. To be run on
 * 1 rank. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static MPI_File file;
static int numbers[64];

static MPI_Datatype made(MPI_Datatype type) {
  MPI_Type_commit(&type);
  return type;
}

/* Two integers of three: what is asked for, and how many integers are got. */
static void ends(int length, int displacement) {
  MPI_Status status;
  MPI_Datatype two, holed, pair;
  int got;
  MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
  MPI_File_set_size(file, length);
  MPI_Type_contiguous(2, MPI_INT, &two);
  MPI_Type_create_resized(two, 0, 12, &holed);
  MPI_Type_vector(2, 1, 2, MPI_INT, &pair);
  MPI_File_set_view(file, displacement, MPI_INT, made(holed), "native", MPI_INFO_NULL);
  MPI_File_read(file, numbers, 20, MPI_INT, &status);
  MPI_Get_count(&status, MPI_BYTE, &got);
  printf("%d bytes from %d on: %d", length, displacement, got);
  MPI_File_read_at(file, 3, numbers, 20, MPI_INT, &status);
  MPI_Get_count(&status, MPI_BYTE, &got);
  printf(" %d", got);
  MPI_File_read_at(file, 30, numbers, 20, MPI_INT, &status);
  MPI_Get_count(&status, MPI_BYTE, &got);
  printf(" %d", got);
  MPI_File_read_at(file, 1, numbers, 10, made(pair), &status);
  MPI_Get_count(&status, MPI_BYTE, &got);
  printf(" %d\n", got);
  MPI_Type_free(&two);
  MPI_Type_free(&holed);
  MPI_Type_free(&pair);
}

static void longs(void) {
  MPI_Status status;
  MPI_Datatype every;
  MPI_Aint extent, lower, whole;
  MPI_Offset place;
  long numbers[] = {1, -2, 0x01020304, -5}, got[4] = {0};
  int count;
  MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
  MPI_File_set_size(file, 0);
  MPI_Type_vector(2, 1, 3, MPI_LONG, &every);
  MPI_File_set_view(file, 4, MPI_LONG, made(every), "external32", MPI_INFO_NULL);
  MPI_File_get_type_extent(file, MPI_LONG, &extent);
  MPI_File_get_type_extent(file, every, &whole);
  MPI_Type_get_extent(every, &lower, &lower);
  printf("a long has %ld bytes there, the view %ld for %ld here\n", (long)extent, (long)whole, (long)lower);
  MPI_File_write(file, numbers, 4, MPI_LONG, &status);
  MPI_Get_count(&status, MPI_LONG, &count);
  MPI_File_get_byte_offset(file, 3, &place);
  printf("%d are written, the last one at %ld\n", count, (long)place);
  MPI_File_read_at(file, 1, got, 3, MPI_LONG, &status);
  MPI_Get_count(&status, MPI_LONG, &count);
  printf("%d are read: %ld %ld %ld\n", count, got[0], got[1], got[2]);
  MPI_Type_free(&every);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
  for (int length = 37; length < 49; length++)
    for (int displacement = 0; displacement < 3; displacement++)
      ends(length, displacement);
  longs();
  MPI_File_close(&file);
  MPI_Finalize();
}
