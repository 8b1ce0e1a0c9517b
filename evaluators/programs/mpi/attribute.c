/* Attributes: what a program hangs onto communicators, datatypes and windows. Wrappers in Fortran give their functions
 * a proxy that calls them as Fortran's are called. */
#include "evaluators/programs/mpi/rank.h"
#include <stdlib.h>

#define KEY 0xa4000000u
#define KEYS 256

typedef int copier(int handle, int key, void *extra, void *value, void *copied, int *flag);
typedef int remover(int handle, int key, void *value, void *extra);
/* As MPICH's wrappers have them: with the program's function, and what kind of value it is. */
typedef int copy_proxy(void *function, int handle, int key, void *extra, int kind, void *value, void **copied,
                       int *flag);
typedef int remove_proxy(void *function, int handle, int key, int kind, void *value, void *extra);
enum value_kind { VALUE_POINTER, VALUE_ADDRESS, VALUE_INTEGER };

struct key {
  bool used;
  copier *copy;
  remover *remove;
  copy_proxy *copy_by;
  remove_proxy *remove_by;
  void *extra;
};

struct attribute { /* the last one that was hung there comes first: they go in this order */
  struct attribute *next;
  int key;
  enum value_kind kind;
  void *value;
};

static struct key *key_of(int key) {
  uint32_t place = (uint32_t)key & 0x3ffffff;
  if (((uint32_t)key & 0xfc000000u) == KEY && place < KEYS && self->keys && self->keys[place].used)
    return &self->keys[place];
  end_program("%s is given %#x, which is no key of attributes", call_name(), (unsigned)key);
}

static int key_new(copier *copy, remover *remove, void *extra, int *key) {
  if (!self->keys) self->keys = calloc(KEYS, sizeof *self->keys);
  for (uint32_t k = 0; k < KEYS; k++)
    if (!self->keys[k].used) {
      self->keys[k] = (struct key){.used = true, .copy = copy, .remove = remove, .extra = extra};
      *key = (int)(KEY | k);
      return MPI_SUCCESS;
    }
  end_program("%s: more than %d keys of attributes", call_name(), KEYS);
}

/* MPICH's names for functions of Fortran. */
PUBLIC void MPII_Keyval_set_proxy(int key, copy_proxy *copy_by, remove_proxy *by);
void MPII_Keyval_set_proxy(int key, copy_proxy *copy_by, remove_proxy *by) {
  key_of(key)->copy_by = copy_by;
  key_of(key)->remove_by = by;
}

PUBLIC int MPIR_Dup_fn(MPI_Comm comm, int key, void *extra, void *value, void *copied, int *flag);
int MPIR_Dup_fn(MPI_Comm comm, int key, void *extra, void *value, void *copied, int *flag) {
  (void)comm, (void)key, (void)extra;
  memcpy(copied, &value, sizeof value);
  *flag = 1;
  return MPI_SUCCESS;
}

static int removed(int handle, const struct attribute *a) {
  const struct key *key = key_of(a->key);
  if (!key->remove) return MPI_SUCCESS;
  if (key->remove_by) return key->remove_by((void *)key->remove, handle, a->key, a->kind, a->value, key->extra);
  return key->remove(handle, a->key, a->value, key->extra);
}

static struct attribute **place_of(struct attribute **list, int key) {
  while (*list && (*list)->key != key)
    list = &(*list)->next;
  return list;
}

static int value_set(int handle, struct attribute **list, int key, enum value_kind kind, void *value) {
  key_of(key);
  struct attribute *a = *place_of(list, key);
  if (a) {
    int wrong = removed(handle, a);
    if (wrong) return wrong;
  } else {
    a = calloc(1, sizeof *a);
    a->next = *list;
    *list = a;
  }
  a->key = key;
  a->kind = kind;
  a->value = value;
  return MPI_SUCCESS;
}

static int value_delete(int handle, struct attribute **list, int key) {
  key_of(key);
  struct attribute **place = place_of(list, key), *gone = *place;
  if (!gone) return MPI_SUCCESS;
  int wrong = removed(handle, gone);
  if (wrong) return wrong;
  *place = gone->next;
  free(gone);
  return MPI_SUCCESS;
}

void attributes_free(int handle, struct attribute **list) {
  while (*list) {
    struct attribute *gone = *list;
    removed(handle, gone);
    *list = gone->next;
    free(gone);
  }
}

int attributes_copy(int handle, struct attribute *from, struct attribute **to) {
  for (; from; from = from->next) {
    const struct key *key = key_of(from->key);
    void *copied = NULL;
    int flag = 0, wrong = MPI_SUCCESS;
    if (!key->copy) continue;
    if (key->copy_by)
      wrong = key->copy_by((void *)key->copy, handle, from->key, key->extra, from->kind, from->value, &copied, &flag);
    else
      wrong = key->copy(handle, from->key, key->extra, from->value, &copied, &flag);
    if (wrong) return wrong;
    if (flag) value_set(handle, to, from->key, from->kind, copied);
  }
  return MPI_SUCCESS;
}

/* ---- of communicators ---- */

/* Those that MPI knows: C gets a pointer to the value, Fortran the value, as MPICH's wrappers ask for it. Fortran's key
 * is C's, which is odd, and 1. */
static int *known(int key) {
  static int tag_most = 0x7fffffff, host = MPI_PROC_NULL, io = MPI_ANY_SOURCE, global = 1, universe, last, number;
  universe = (int)area->ranks;
  last = error_last();
  switch (key & 1 ? key : key - 1) {
  case MPI_TAG_UB: return &tag_most;
  case MPI_HOST: return &host;
  case MPI_IO: return &io;
  case MPI_WTIME_IS_GLOBAL: return &global;
  case MPI_UNIVERSE_SIZE: return &universe;
  case MPI_LASTUSEDCODE: return &last;
  case MPI_APPNUM: return &number;
  }
  return NULL;
}

API(Comm_create_keyval)
int MPI_Comm_create_keyval(MPI_Comm_copy_attr_function *copy, MPI_Comm_delete_attr_function *remove, int *key,
                           void *extra) {
  return key_new(copy, remove, extra, key);
}
API(Keyval_create) int MPI_Keyval_create(MPI_Copy_function *copy, MPI_Delete_function *remove, int *key, void *extra) {
  return key_new(copy, remove, extra, key);
}
API(Comm_free_keyval) int MPI_Comm_free_keyval(int *key) {
  *key = MPI_KEYVAL_INVALID; /* attributes may have it still: it stays */
  return MPI_SUCCESS;
}
API(Keyval_free) int MPI_Keyval_free(int *key) { return MPI_Comm_free_keyval(key); }

API(Comm_set_attr) int MPI_Comm_set_attr(MPI_Comm comm, int key, void *value) {
  COMMUNICATOR(c, comm);
  return value_set(comm, &c->attributes, key, VALUE_POINTER, value);
}
API(Attr_put) int MPI_Attr_put(MPI_Comm comm, int key, void *value) { return MPI_Comm_set_attr(comm, key, value); }

API(Comm_get_attr) int MPI_Comm_get_attr(MPI_Comm comm, int key, void *value, int *flag) {
  COMMUNICATOR(c, comm);
  void *found = known(key);
  *flag = found != NULL;
  if (!found) {
    const struct attribute *a = *place_of(&c->attributes, key);
    *flag = a != NULL;
    found = a ? a->value : NULL;
  }
  if (*flag) memcpy(value, &found, sizeof found);
  return MPI_SUCCESS;
}
API(Attr_get) int MPI_Attr_get(MPI_Comm comm, int key, void *value, int *flag) {
  return MPI_Comm_get_attr(comm, key, value, flag);
}
API(Comm_delete_attr) int MPI_Comm_delete_attr(MPI_Comm comm, int key) {
  COMMUNICATOR(c, comm);
  return value_delete(comm, &c->attributes, key);
}
API(Attr_delete) int MPI_Attr_delete(MPI_Comm comm, int key) { return MPI_Comm_delete_attr(comm, key); }

/* ---- of datatypes and windows ---- */

static int value_get(struct attribute **list, int key, void *value, int *flag) {
  const struct attribute *a = *place_of(list, key);
  *flag = a != NULL;
  if (a) memcpy(value, &a->value, sizeof a->value);
  return MPI_SUCCESS;
}

API(Type_create_keyval)
int MPI_Type_create_keyval(MPI_Type_copy_attr_function *copy, MPI_Type_delete_attr_function *remove, int *key,
                           void *extra) {
  return key_new(copy, remove, extra, key);
}
API(Type_free_keyval) int MPI_Type_free_keyval(int *key) { return MPI_Comm_free_keyval(key); }
API(Type_set_attr) int MPI_Type_set_attr(MPI_Datatype type, int key, void *value) {
  return value_set(type, datatype_attributes(type), key, VALUE_POINTER, value);
}
API(Type_get_attr) int MPI_Type_get_attr(MPI_Datatype type, int key, void *value, int *flag) {
  return value_get(datatype_attributes(type), key, value, flag);
}
API(Type_delete_attr) int MPI_Type_delete_attr(MPI_Datatype type, int key) {
  return value_delete(type, datatype_attributes(type), key);
}

API(Win_create_keyval)
int MPI_Win_create_keyval(MPI_Win_copy_attr_function *copy, MPI_Win_delete_attr_function *remove, int *key,
                          void *extra) {
  return key_new(copy, remove, extra, key);
}
API(Win_free_keyval) int MPI_Win_free_keyval(int *key) { return MPI_Comm_free_keyval(key); }
API(Win_set_attr) int MPI_Win_set_attr(MPI_Win window, int key, void *value) {
  return value_set(window, window_attributes(window), key, VALUE_POINTER, value);
}
API(Win_get_attr) int MPI_Win_get_attr(MPI_Win window, int key, void *value, int *flag) {
  if (window_known(window, key, value, flag)) return MPI_SUCCESS;
  return value_get(window_attributes(window), key, value, flag);
}
API(Win_delete_attr) int MPI_Win_delete_attr(MPI_Win window, int key) {
  return value_delete(window, window_attributes(window), key);
}

/* ---- of Fortran's ---- */

PUBLIC int MPII_Comm_get_attr(MPI_Comm comm, int key, void *value, int *flag, enum value_kind kind);
PUBLIC int MPII_Comm_set_attr(MPI_Comm comm, int key, void *value, enum value_kind kind);

/* The wrappers of Fortran want the value itself, as an address. */
int MPII_Comm_get_attr(MPI_Comm comm, int key, void *value, int *flag, enum value_kind kind) {
  const int *number = known(key);
  if (!number || kind == VALUE_POINTER) return MPI_Comm_get_attr(comm, key, value, flag);
  intptr_t found = *number;
  *flag = 1;
  memcpy(value, &found, sizeof found);
  return MPI_SUCCESS;
}
int MPII_Comm_set_attr(MPI_Comm comm, int key, void *value, enum value_kind kind) {
  COMMUNICATOR(c, comm);
  return value_set(comm, &c->attributes, key, kind, value);
}

PUBLIC int MPII_Type_get_attr(MPI_Datatype type, int key, void *value, int *flag, enum value_kind kind);
PUBLIC int MPII_Type_set_attr(MPI_Datatype type, int key, void *value, enum value_kind kind);
PUBLIC int MPII_Win_get_attr(MPI_Win window, int key, void *value, int *flag, enum value_kind kind);
PUBLIC int MPII_Win_set_attr(MPI_Win window, int key, void *value, enum value_kind kind);
int MPII_Type_get_attr(MPI_Datatype type, int key, void *value, int *flag, enum value_kind kind) {
  (void)kind;
  return MPI_Type_get_attr(type, key, value, flag);
}
int MPII_Type_set_attr(MPI_Datatype type, int key, void *value, enum value_kind kind) {
  return value_set(type, datatype_attributes(type), key, kind, value);
}
int MPII_Win_get_attr(MPI_Win window, int key, void *value, int *flag, enum value_kind kind) {
  void *found;
  if (!window_known(window, key, &found, flag)) return MPI_Win_get_attr(window, key, value, flag);
  intptr_t number = key == MPI_WIN_BASE || kind == VALUE_POINTER ? (intptr_t)found
                    : key == MPI_WIN_SIZE                        ? *(MPI_Aint *)found
                                                                 : *(int *)found;
  memcpy(value, &number, sizeof number);
  return MPI_SUCCESS;
}
int MPII_Win_set_attr(MPI_Win window, int key, void *value, enum value_kind kind) {
  return value_set(window, window_attributes(window), key, kind, value);
}

/* MPI_Finalize begins with the end of what hangs on MPI_COMM_SELF. */
void finalize_attributes(void) { attributes_free(MPI_COMM_SELF, &communicator_of(MPI_COMM_SELF)->attributes); }
