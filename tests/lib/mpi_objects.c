/* What MPI keeps for a program beside messages: grids, info objects, attributes, error codes, bounds and names of
 * datatypes. Printed by rank 0, for what MPICH gives. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static void grids(void) {
  for (int dimensions = 1; dimensions <= 5; dimensions++)
    for (int ranks = 1; ranks <= 512; ranks++) {
      int extents[5] = {0};
      MPI_Dims_create(ranks, dimensions, extents);
      for (int d = 0; d < dimensions; d++)
        printf(d + 1 < dimensions ? "%d x " : "%d\n", extents[d]);
    }
  int given[3] = {0, 6, 0};
  MPI_Dims_create(72 * 6, 3, given);
  printf("%d x %d x %d\n", given[0], given[1], given[2]);
}

static void info(void) {
  MPI_Info info, copy;
  struct {
    char value[8], behind[8];
  } room = {"", "behind"};
  int flag, length, keys;
  MPI_Info_create(&info);
  MPI_Info_set(info, "file", "a");
  MPI_Info_set(info, "host", "long-name");
  MPI_Info_set(info, "file", "b");
  MPI_Info_dup(info, &copy);
  MPI_Info_get(copy, "file", 8, room.value, &flag); /* writes what the value takes, and no more */
  printf("%d %s %s\n", flag, room.value, room.behind);
  MPI_Info_get_valuelen(copy, "host", &length, &flag);
  printf("%d %d\n", flag, length);
  MPI_Info_get(copy, "none", 7, room.value, &flag);
  MPI_Info_get_nkeys(copy, &keys);
  printf("%d %d\n", flag, keys);
#if MPI_VERSION >= 4
  length = 4;
  MPI_Info_get_string(copy, "host", &length, room.value, &flag);
  printf("%d %s %d\n", flag, room.value, length);
#endif
  MPI_Info_free(&info), MPI_Info_free(&copy);
}

static int gone(MPI_Comm comm, int key, void *value, void *extra) {
  (void)comm, (void)key, (void)extra;
  printf("gone: %s\n", (char *)value);
  return MPI_SUCCESS;
}

static void attributes(void) {
  static char first[] = "first", second[] = "second", third[] = "third";
  int keys[3];
  for (int k = 0; k < 3; k++)
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, gone, &keys[k], NULL);
  MPI_Comm_set_attr(MPI_COMM_SELF, keys[0], first);
  MPI_Comm_set_attr(MPI_COMM_SELF, keys[1], second);
  MPI_Comm_set_attr(MPI_COMM_SELF, keys[2], third);
  MPI_Comm_set_attr(MPI_COMM_SELF, keys[0], first);
}

static void errors(void) {
  int class, code, found, *last, flag, length;
  char text[MPI_MAX_ERROR_STRING];
  MPI_Add_error_class(&class);
  MPI_Add_error_code(class, &code);
  MPI_Error_string(class, text, &length);
  printf("'%s' %d\n", text, length);
  MPI_Add_error_string(code, "too many parts");
  MPI_Error_string(code, text, &length);
  MPI_Error_class(code, &found);
  printf("'%s' %d %d\n", text, length, found == class);
  MPI_Add_error_code(MPI_ERR_ARG, &code);
  MPI_Error_class(code, &found);
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &last, &flag);
  printf("%d %d\n", found == MPI_ERR_ARG, flag && *last >= MPI_ERR_LASTCODE);
}

static void bounds(const char *what, MPI_Datatype type) {
  MPI_Aint lower, extent, true_lower, true_extent;
  MPI_Type_get_extent(type, &lower, &extent);
  MPI_Type_get_true_extent(type, &true_lower, &true_extent);
  printf("%s: %ld %ld, %ld %ld\n", what, (long)lower, (long)extent, (long)true_lower, (long)true_extent);
}

static void datatypes(void) {
  MPI_Datatype backward, made, pair, named;
  int one[2] = {1, 1}, length, p, r, counts[3], combiner, contents[2];
  MPI_Aint places[2] = {0, 100};
  char name[MPI_MAX_OBJECT_NAME];
  MPI_Type_create_resized(MPI_INT, 6, -9, &backward);
  bounds("backward", backward);
  MPI_Type_contiguous(3, backward, &made);
  bounds("three of these", made);
  MPI_Type_vector(3, 2, -2, backward, &made);
  bounds("a vector of these", made);
  MPI_Type_create_resized(MPI_INT, 0, 16, &backward);
  MPI_Type_create_struct(2, one, places, (MPI_Datatype[]){MPI_INT, backward}, &made);
  bounds("a marked type behind an int", made);
  MPI_Type_create_struct(2, one, places, (MPI_Datatype[]){MPI_DOUBLE, MPI_CHAR}, &made);
  bounds("a char behind a double", made);
  MPI_Type_create_struct(2, one, (MPI_Aint[]){0, 8}, (MPI_Datatype[]){MPI_C_COMPLEX, MPI_CHAR}, &made);
  bounds("a char behind a complex", made);
  MPI_Type_create_struct(2, one, (MPI_Aint[]){0, 16}, (MPI_Datatype[]){MPI_C_DOUBLE_COMPLEX, MPI_CHAR}, &made);
  bounds("a char behind a complex of doubles", made);
  MPI_Type_dup(backward, &pair);
  MPI_Type_create_struct(2, one, places, (MPI_Datatype[]){pair, MPI_INT}, &made);
  bounds("an int behind a marked type", made);
  MPI_Type_set_name(MPI_INT, "whole");
  MPI_Type_get_name(MPI_INT, name, &length);
  printf("%s %d\n", name, length);
  MPI_Type_get_name(MPI_REAL8, name, &length);
  printf("%s %d\n", name, length);
  for (p = 2; p <= 14; p += 4)
    for (r = 10; r <= 300; r += 97) {
      int size;
      MPI_Type_create_f90_real(p, r, &named);
      MPI_Type_create_f90_real(p, r, &pair);
      MPI_Type_get_envelope(named, &counts[0], &counts[1], &counts[2], &combiner);
      MPI_Type_get_contents(named, 2, 0, 0, contents, NULL, NULL);
      MPI_Type_size(named, &size);
      printf("%d %d: %d, %d %d %d %d, %d %d, %d\n", p, r, size, counts[0], counts[1], counts[2],
             combiner == MPI_COMBINER_F90_REAL, contents[0], contents[1], named == pair);
    }
  MPI_Type_create_f90_integer(9, &named);
  MPI_Type_size(named, &length);
  printf("%d\n", length);
}

/* Elements that go backwards from their displacement; and keys and values that are too long, each by the class of its
 * error. */
static void windows(void) {
  int there[4] = {0}, three[3] = {1, 2, 3};
  MPI_Datatype backward;
  MPI_Win window;
  MPI_Type_create_resized(MPI_INT, 0, -4, &backward);
  MPI_Type_commit(&backward);
  MPI_Win_create(there, sizeof there, sizeof *there, MPI_INFO_NULL, MPI_COMM_SELF, &window);
  MPI_Win_fence(0, window);
  MPI_Put(three, 3, MPI_INT, 0, 3, 3, backward, window);
  MPI_Win_fence(0, window);
  printf("%d %d %d %d\n", there[0], there[1], there[2], there[3]);
  MPI_Win_free(&window);
}

static void limits(void) {
  static char key[MPI_MAX_INFO_KEY + 2], value[MPI_MAX_INFO_VAL + 2];
  MPI_Info info;
  int wrong, class;
  memset(key, 'k', MPI_MAX_INFO_KEY + 1);
  memset(value, 'v', MPI_MAX_INFO_VAL + 1);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  MPI_Info_create(&info);
  wrong = MPI_Info_set(info, key, "v");
  MPI_Error_class(wrong, &class);
  printf("long key %d\n", class == MPI_ERR_INFO_KEY);
  wrong = MPI_Info_set(info, "k", value);
  MPI_Error_class(wrong, &class);
  printf("long value %d\n", class == MPI_ERR_INFO_VALUE);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (!rank) {
    windows();
    limits();
    grids();
    info();
    attributes();
    errors();
    datatypes();
  }
  MPI_Finalize();
  return 0;
}
