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

enum owner { NOBODY, OF_COMMUNICATORS, OF_DATATYPES, OF_WINDOWS };

struct key {
  enum owner owner; /* of what it is; NOBODY: the place is free */
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

/* NULL: none. */
static struct key *key_find(int key) {
  uint32_t place = (uint32_t)key & 0x3ffffff;
  bool is_key = ((uint32_t)key & 0xfc000000u) == KEY && place < KEYS && self->keys && self->keys[place].owner;
  return is_key ? &self->keys[place] : NULL;
}

/* Of a call: 0, or the class of the error that the program is told of. */
static int key_check(MPI_Comm comm, int key, enum owner owner) {
  static const char *const names[] = {"nothing", "communicators", "datatypes", "windows"};
  const struct key *k = key_find(key);
  if (k && k->owner == owner) return MPI_SUCCESS;
  if (k)
    return fail(comm, MPI_ERR_KEYVAL, "%s is given a key of attributes of %s, not of %s", call_name(), names[k->owner],
                names[owner]);
  if (key == MPI_KEYVAL_INVALID) return fail(comm, MPI_ERR_KEYVAL, "%s is given MPI_KEYVAL_INVALID", call_name());
  return fail(comm, MPI_ERR_KEYVAL, "%s is given %#x, which is no key of the program's attributes", call_name(),
              (unsigned)key);
}

static int key_new(enum owner owner, copier *copy, remover *remove, void *extra, int *key) {
  if (!self->keys) self->keys = calloc(KEYS, sizeof *self->keys);
  for (uint32_t k = 0; k < KEYS; k++)
    if (!self->keys[k].owner) {
      self->keys[k] = (struct key){.owner = owner, .copy = copy, .remove = remove, .extra = extra};
      *key = (int)(KEY | k);
      return MPI_SUCCESS;
    }
  end_program("%s: more than %d keys of attributes", call_name(), KEYS);
}

/* Attributes may have it still: it stays. */
static int key_free(enum owner owner, int *key) {
  int wrong = key_check(MPI_COMM_WORLD, *key, owner);
  if (!wrong) *key = MPI_KEYVAL_INVALID;
  return wrong;
}

/* MPICH's names for functions of Fortran. */
PUBLIC void MPII_Keyval_set_proxy(int key, copy_proxy *copy_by, remove_proxy *by);
void MPII_Keyval_set_proxy(int key, copy_proxy *copy_by, remove_proxy *by) {
  struct key *k = key_find(key);
  if (k) k->copy_by = copy_by, k->remove_by = by;
}

PUBLIC int MPIR_Dup_fn(MPI_Comm comm, int key, void *extra, void *value, void *copied, int *flag);
int MPIR_Dup_fn(MPI_Comm comm, int key, void *extra, void *value, void *copied, int *flag) {
  (void)comm, (void)key, (void)extra;
  memcpy(copied, &value, sizeof value);
  *flag = 1;
  return MPI_SUCCESS;
}

/* The program's function may refuse it: its call fails, by what that has returned. */
static int removed(MPI_Comm comm, int handle, const struct attribute *a) {
  const struct key *key = key_find(a->key);
  int wrong = MPI_SUCCESS;
  if (!key->remove) return MPI_SUCCESS;
  if (key->remove_by)
    wrong = key->remove_by((void *)key->remove, handle, a->key, a->kind, a->value, key->extra);
  else
    wrong = key->remove(handle, a->key, a->value, key->extra);
  if (!wrong) return MPI_SUCCESS;
  return fail(comm, wrong, "%s: the program's function that deletes an attribute returns %d, an error", call_name(),
              wrong);
}

static struct attribute **place_of(struct attribute **list, int key) {
  while (*list && (*list)->key != key)
    list = &(*list)->next;
  return list;
}

static int value_set(MPI_Comm comm, int handle, struct attribute **list, int key, enum value_kind kind, void *value) {
  struct attribute *a = *place_of(list, key);
  if (a) {
    int wrong = removed(comm, handle, a);
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

static int value_delete(MPI_Comm comm, int handle, struct attribute **list, int key) {
  struct attribute **place = place_of(list, key), *gone = *place;
  if (!gone) return MPI_SUCCESS;
  int wrong = removed(comm, handle, gone);
  if (wrong) return wrong;
  *place = gone->next;
  free(gone);
  return MPI_SUCCESS;
}

int attributes_free(MPI_Comm comm, int handle, struct attribute **list) {
  while (*list) {
    struct attribute *gone = *list;
    int wrong = removed(comm, handle, gone);
    if (wrong) return wrong;
    *list = gone->next;
    free(gone);
  }
  return MPI_SUCCESS;
}

int attributes_copy(MPI_Comm comm, int handle, struct attribute *from, struct attribute **to) {
  for (; from; from = from->next) {
    const struct key *key = key_find(from->key);
    void *copied = NULL;
    int flag = 0, wrong = MPI_SUCCESS;
    if (!key->copy) continue;
    if (key->copy_by)
      wrong = key->copy_by((void *)key->copy, handle, from->key, key->extra, from->kind, from->value, &copied, &flag);
    else
      wrong = key->copy(handle, from->key, key->extra, from->value, &copied, &flag);
    if (wrong)
      return fail(comm, wrong, "%s: the program's function that copies an attribute returns %d, an error", call_name(),
                  wrong);
    if (flag) value_set(comm, handle, to, from->key, from->kind, copied);
  }
  return MPI_SUCCESS;
}

/* Of a call: by a key of the program's for what it is hung onto. */
static int attribute_set(MPI_Comm comm, enum owner owner, int handle, struct attribute **list, int key,
                         enum value_kind kind, void *value) {
  int wrong = key_check(comm, key, owner);
  return wrong ? wrong : value_set(comm, handle, list, key, kind, value);
}

static int attribute_get(MPI_Comm comm, enum owner owner, struct attribute **list, int key, void *value, int *flag) {
  int wrong = key_check(comm, key, owner);
  if (wrong) return wrong;
  const struct attribute *a = *place_of(list, key);
  *flag = a != NULL;
  if (a) memcpy(value, &a->value, sizeof a->value);
  return MPI_SUCCESS;
}

static int attribute_delete(MPI_Comm comm, enum owner owner, int handle, struct attribute **list, int key) {
  int wrong = key_check(comm, key, owner);
  return wrong ? wrong : value_delete(comm, handle, list, key);
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
  LOCAL_CALL;
  return key_new(OF_COMMUNICATORS, copy, remove, extra, key);
}
API(Keyval_create) int MPI_Keyval_create(MPI_Copy_function *copy, MPI_Delete_function *remove, int *key, void *extra) {
  LOCAL_CALL;
  return key_new(OF_COMMUNICATORS, copy, remove, extra, key);
}
API(Comm_free_keyval) int MPI_Comm_free_keyval(int *key) {
  LOCAL_CALL;
  return key_free(OF_COMMUNICATORS, key);
}
API(Keyval_free) int MPI_Keyval_free(int *key) {
  LOCAL_CALL;
  return MPI_Comm_free_keyval(key);
}

PUBLIC int MPII_Comm_get_attr(MPI_Comm comm, int key, void *value, int *flag, enum value_kind kind);
PUBLIC int MPII_Comm_set_attr(MPI_Comm comm, int key, void *value, enum value_kind kind);
int MPII_Comm_set_attr(MPI_Comm comm, int key, void *value, enum value_kind kind) {
  LOCAL_CALL_AS("MPI_Comm_set_attr");
  COMMUNICATOR(c, comm);
  return attribute_set(comm, OF_COMMUNICATORS, comm, &c->attributes, key, kind, value);
}
API(Comm_set_attr) int MPI_Comm_set_attr(MPI_Comm comm, int key, void *value) {
  LOCAL_CALL;
  return MPII_Comm_set_attr(comm, key, value, VALUE_POINTER);
}
API(Attr_put) int MPI_Attr_put(MPI_Comm comm, int key, void *value) {
  LOCAL_CALL;
  return MPI_Comm_set_attr(comm, key, value);
}

/* The wrappers of Fortran want the value itself, as an address. */
int MPII_Comm_get_attr(MPI_Comm comm, int key, void *value, int *flag, enum value_kind kind) {
  LOCAL_CALL_AS("MPI_Comm_get_attr");
  COMMUNICATOR(c, comm);
  int *found = known(key);
  if (!found) return attribute_get(comm, OF_COMMUNICATORS, &c->attributes, key, value, flag);
  intptr_t number = kind == VALUE_POINTER ? (intptr_t)found : *found;
  *flag = 1;
  memcpy(value, &number, sizeof number);
  return MPI_SUCCESS;
}
API(Comm_get_attr) int MPI_Comm_get_attr(MPI_Comm comm, int key, void *value, int *flag) {
  LOCAL_CALL;
  return MPII_Comm_get_attr(comm, key, value, flag, VALUE_POINTER);
}
API(Attr_get) int MPI_Attr_get(MPI_Comm comm, int key, void *value, int *flag) {
  LOCAL_CALL;
  return MPI_Comm_get_attr(comm, key, value, flag);
}
API(Comm_delete_attr) int MPI_Comm_delete_attr(MPI_Comm comm, int key) {
  LOCAL_CALL;
  COMMUNICATOR(c, comm);
  return attribute_delete(comm, OF_COMMUNICATORS, comm, &c->attributes, key);
}
API(Attr_delete) int MPI_Attr_delete(MPI_Comm comm, int key) {
  LOCAL_CALL;
  return MPI_Comm_delete_attr(comm, key);
}

/* ---- of datatypes and windows ---- */

API(Type_create_keyval)
int MPI_Type_create_keyval(MPI_Type_copy_attr_function *copy, MPI_Type_delete_attr_function *remove, int *key,
                           void *extra) {
  LOCAL_CALL;
  return key_new(OF_DATATYPES, copy, remove, extra, key);
}
API(Type_free_keyval) int MPI_Type_free_keyval(int *key) {
  LOCAL_CALL;
  return key_free(OF_DATATYPES, key);
}
PUBLIC int MPII_Type_get_attr(MPI_Datatype type, int key, void *value, int *flag, enum value_kind kind);
PUBLIC int MPII_Type_set_attr(MPI_Datatype type, int key, void *value, enum value_kind kind);
int MPII_Type_set_attr(MPI_Datatype type, int key, void *value, enum value_kind kind) {
  LOCAL_CALL_AS("MPI_Type_set_attr");
  DATATYPE(type);
  return attribute_set(MPI_COMM_WORLD, OF_DATATYPES, type, datatype_attributes(type), key, kind, value);
}
API(Type_set_attr) int MPI_Type_set_attr(MPI_Datatype type, int key, void *value) {
  LOCAL_CALL;
  return MPII_Type_set_attr(type, key, value, VALUE_POINTER);
}
int MPII_Type_get_attr(MPI_Datatype type, int key, void *value, int *flag, enum value_kind kind) {
  LOCAL_CALL_AS("MPI_Type_get_attr");
  (void)kind;
  DATATYPE(type);
  return attribute_get(MPI_COMM_WORLD, OF_DATATYPES, datatype_attributes(type), key, value, flag);
}
API(Type_get_attr) int MPI_Type_get_attr(MPI_Datatype type, int key, void *value, int *flag) {
  LOCAL_CALL;
  return MPII_Type_get_attr(type, key, value, flag, VALUE_POINTER);
}
API(Type_delete_attr) int MPI_Type_delete_attr(MPI_Datatype type, int key) {
  LOCAL_CALL;
  DATATYPE(type);
  return attribute_delete(MPI_COMM_WORLD, OF_DATATYPES, type, datatype_attributes(type), key);
}

API(Win_create_keyval)
int MPI_Win_create_keyval(MPI_Win_copy_attr_function *copy, MPI_Win_delete_attr_function *remove, int *key,
                          void *extra) {
  LOCAL_CALL;
  return key_new(OF_WINDOWS, copy, remove, extra, key);
}
API(Win_free_keyval) int MPI_Win_free_keyval(int *key) {
  LOCAL_CALL;
  return key_free(OF_WINDOWS, key);
}
PUBLIC int MPII_Win_get_attr(MPI_Win window, int key, void *value, int *flag, enum value_kind kind);
PUBLIC int MPII_Win_set_attr(MPI_Win window, int key, void *value, enum value_kind kind);
int MPII_Win_set_attr(MPI_Win window, int key, void *value, enum value_kind kind) {
  LOCAL_CALL_AS("MPI_Win_set_attr");
  struct attribute **list = window_attributes(window);
  return list ? attribute_set(window_errors(window), OF_WINDOWS, window, list, key, kind, value) : MPI_ERR_WIN;
}
API(Win_set_attr) int MPI_Win_set_attr(MPI_Win window, int key, void *value) {
  LOCAL_CALL;
  return MPII_Win_set_attr(window, key, value, VALUE_POINTER);
}
int MPII_Win_get_attr(MPI_Win window, int key, void *value, int *flag, enum value_kind kind) {
  LOCAL_CALL_AS("MPI_Win_get_attr");
  struct attribute **list = window_attributes(window);
  void *found;
  if (!list) return MPI_ERR_WIN;
  if (!window_known(window, key, &found, flag))
    return attribute_get(window_errors(window), OF_WINDOWS, list, key, value, flag);
  intptr_t number = key == MPI_WIN_BASE || kind == VALUE_POINTER ? (intptr_t)found
                    : key == MPI_WIN_SIZE                        ? *(MPI_Aint *)found
                                                                 : *(int *)found;
  memcpy(value, &number, sizeof number);
  return MPI_SUCCESS;
}
API(Win_get_attr) int MPI_Win_get_attr(MPI_Win window, int key, void *value, int *flag) {
  LOCAL_CALL;
  return MPII_Win_get_attr(window, key, value, flag, VALUE_POINTER);
}
API(Win_delete_attr) int MPI_Win_delete_attr(MPI_Win window, int key) {
  LOCAL_CALL;
  struct attribute **list = window_attributes(window);
  return list ? attribute_delete(window_errors(window), OF_WINDOWS, window, list, key) : MPI_ERR_WIN;
}

/* MPI_Finalize begins with the end of what hangs on MPI_COMM_SELF. */
int finalize_attributes(void) { return attributes_free(MPI_COMM_SELF, MPI_COMM_SELF, &self->alone->attributes); }
