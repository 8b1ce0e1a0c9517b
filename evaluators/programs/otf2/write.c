/* A trace as an OTF2 archive: a location a rank, its operations as regions that hold what OTF2 knows of messages and
 * collective operations, and in attributes all that PSL knows. */
#include "evaluators/programs/history.h"
#include "evaluators/programs/otf2/otf2.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LISTS = 1 << 12 };

struct text {
  struct text *next; /* in its list */
  uint32_t ref;
  char bytes[];
};
struct region { /* of the program */
  uint32_t name, file, line;
};
struct communicator {
  uint32_t number, count;
  int32_t *members; /* NULL: all ranks */
};
struct started {
  enum program_kind kind;
  uint32_t communicator;
  int32_t source, tag;
  double bytes;
};
struct rank {
  OTF2_EvtWriter *events;
  uint64_t count;
  uint32_t *inside, depth, depth_room; /* regions that it is in */
  struct started *started;             /* by request */
  uint64_t started_room;
};
struct writing {
  OTF2_Archive *archive;
  OTF2_AttributeList *attributes;
  uint32_t ranks;
  struct rank *rank;
  struct text *lists[LISTS], **texts;
  uint32_t text_count, text_room;
  struct region *regions;
  uint32_t region_count, region_room;
  struct communicator *communicators;
  uint32_t communicator_count, communicator_room;
  OTF2_TimeStamp last;
  bool failed; /* there is no memory, or nothing can be written */
};

static void *grown(struct writing *w, void *items, uint32_t count, uint32_t *room, size_t size) {
  if (count < *room) return items;
  uint32_t larger = *room ? 2 * *room : 64;
  void *more = realloc(items, larger * size);
  if (!more) return w->failed = true, NULL;
  *room = larger;
  return more;
}

static void must(struct writing *w, OTF2_ErrorCode code) { w->failed |= code != OTF2_SUCCESS; }

static uint32_t text_ref(struct writing *w, const char *text) {
  uint64_t hash = 14695981039346656037u;
  for (const char *at = text; *at; at++)
    hash = (hash ^ (unsigned char)*at) * 1099511628211u;
  struct text **list = &w->lists[hash >> 52], *known = *list;
  while (known && strcmp(known->bytes, text) != 0)
    known = known->next;
  if (known) return known->ref;
  struct text **texts = grown(w, w->texts, w->text_count, &w->text_room, sizeof *texts);
  if (texts) w->texts = texts;
  known = malloc(sizeof *known + strlen(text) + 1);
  if (!texts || !known) return w->failed = true, free(known), 0;
  known->next = *list, known->ref = w->text_count;
  strcpy(known->bytes, text);
  w->texts[w->text_count++] = known;
  return (*list = known)->ref;
}

/* ---- attributes ---- */

static uint32_t list_ref(struct writing *w, const struct program_field_row *row, const struct program_operation *o) {
  uint32_t count = program_field_count(row, o);
  char *text = malloc(32 * (size_t)count + 1);
  size_t used = 0;
  if (!text) return w->failed = true, 0;
  *text = '\0';
  for (uint32_t k = 0; k < count; k++)
    used += (size_t)snprintf(text + used, 32, "%s%.17g", k ? "," : "", program_field_number(row, o, k));
  uint32_t ref = text_ref(w, text);
  free(text);
  return ref;
}

static void attribute_add(struct writing *w, uint32_t attribute, const struct program_field_row *row,
                          const struct program_operation *o) {
  OTF2_AttributeList *list = w->attributes;
  if (!program_field_count(row, o)) return;
  switch (row->value) {
  case VALUE_KEY: must(w, OTF2_AttributeList_AddUint64(list, attribute, program_field_key(row, o))); break;
  case VALUE_REAL: must(w, OTF2_AttributeList_AddDouble(list, attribute, program_field_number(row, o, 0))); break;
  case VALUE_TEXT:
    must(w, OTF2_AttributeList_AddStringRef(list, attribute, text_ref(w, program_field_text(row, o))));
    break;
  case VALUE_INT32S:
  case VALUE_INT64S:
  case VALUE_REALS: must(w, OTF2_AttributeList_AddStringRef(list, attribute, list_ref(w, row, o))); break;
  default: must(w, OTF2_AttributeList_AddInt64(list, attribute, (int64_t)program_field_number(row, o, 0))); break;
  }
}

static void attributes_set(struct writing *w, const struct program_operation *o) {
  const struct program_site *site = o->site;
  for (uint32_t k = 0; program_fields[k].name; k++)
    attribute_add(w, k, &program_fields[k], o);
  must(w,
       OTF2_AttributeList_AddStringRef(w->attributes, attribute_of_kind(), text_ref(w, program_kinds[o->kind].name)));
  if (!site) return;
  size_t size = (site->file ? strlen(site->file) : 0) + (site->function ? strlen(site->function) : 0) + 64;
  char *text = malloc(size);
  if (!text) w->failed = true;
  if (text)
    snprintf(text, size, "%u,%llx,%s@%s", site->line, (unsigned long long)site->address,
             site->function ? site->function : "", site->file ? site->file : "");
  if (text) must(w, OTF2_AttributeList_AddStringRef(w->attributes, attribute_of_site(), text_ref(w, text)));
  free(text);
}

/* ---- communicators ---- */

static uint32_t communicator_ref(struct writing *w, uint32_t number, const struct program_operation *made) {
  uint32_t k = 0;
  while (k < w->communicator_count && w->communicators[k].number != number)
    k++;
  if (k < w->communicator_count) return k;
  struct communicator *all =
      grown(w, w->communicators, w->communicator_count, &w->communicator_room, sizeof *w->communicators);
  if (!all) return 0;
  w->communicators = all;
  struct communicator *c = &all[w->communicator_count++];
  *c = (struct communicator){number, made ? made->member_count : w->ranks, NULL};
  if (!made) return k;
  c->members = malloc((made->member_count + 1) * sizeof *c->members);
  if (c->members)
    memcpy(c->members, made->members, made->member_count * sizeof *c->members);
  else
    w->failed = true;
  return k;
}

/* The rank's number in a communicator. */
static uint32_t place_in(const struct writing *w, uint32_t ref, int32_t rank) {
  const struct communicator *c = &w->communicators[ref];
  for (uint32_t k = 0; c->members && k < c->count; k++)
    if (c->members[k] == rank) return k;
  return (uint32_t)rank;
}

/* ---- what OTF2 knows ---- */

static OTF2_CollectiveOp collective_of(enum program_kind kind) {
  static const OTF2_CollectiveOp collectives[] = {
      [PROGRAM_BARRIER - PROGRAM_BARRIER] = OTF2_COLLECTIVE_OP_BARRIER,
      [PROGRAM_BCAST - PROGRAM_BARRIER] = OTF2_COLLECTIVE_OP_BCAST,
      [PROGRAM_GATHER - PROGRAM_BARRIER] = OTF2_COLLECTIVE_OP_GATHER,
      [PROGRAM_GATHERV - PROGRAM_BARRIER] = OTF2_COLLECTIVE_OP_GATHERV,
      [PROGRAM_SCATTER - PROGRAM_BARRIER] = OTF2_COLLECTIVE_OP_SCATTER,
      [PROGRAM_SCATTERV - PROGRAM_BARRIER] = OTF2_COLLECTIVE_OP_SCATTERV,
      [PROGRAM_ALLGATHER - PROGRAM_BARRIER] = OTF2_COLLECTIVE_OP_ALLGATHER,
      [PROGRAM_ALLGATHERV - PROGRAM_BARRIER] = OTF2_COLLECTIVE_OP_ALLGATHERV,
      [PROGRAM_ALLTOALL - PROGRAM_BARRIER] = OTF2_COLLECTIVE_OP_ALLTOALL,
      [PROGRAM_ALLTOALLV - PROGRAM_BARRIER] = OTF2_COLLECTIVE_OP_ALLTOALLV,
      [PROGRAM_ALLTOALLW - PROGRAM_BARRIER] = OTF2_COLLECTIVE_OP_ALLTOALLW,
      [PROGRAM_REDUCE - PROGRAM_BARRIER] = OTF2_COLLECTIVE_OP_REDUCE,
      [PROGRAM_ALLREDUCE - PROGRAM_BARRIER] = OTF2_COLLECTIVE_OP_ALLREDUCE,
      [PROGRAM_REDUCE_SCATTER - PROGRAM_BARRIER] = OTF2_COLLECTIVE_OP_REDUCE_SCATTER,
      [PROGRAM_REDUCE_SCATTER_BLOCK - PROGRAM_BARRIER] = OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK,
      [PROGRAM_SCAN - PROGRAM_BARRIER] = OTF2_COLLECTIVE_OP_SCAN,
      [PROGRAM_EXSCAN - PROGRAM_BARRIER] = OTF2_COLLECTIVE_OP_EXSCAN,
  };
  return collectives[kind - PROGRAM_BARRIER];
}

static bool is_blocking(enum program_kind kind) { return kind >= PROGRAM_BARRIER && kind < PROGRAM_IBARRIER; }

static void put_send(struct writing *w, struct rank *rank, const struct program_operation *o, OTF2_TimeStamp begin) {
  uint32_t ref = communicator_ref(w, o->communicator, NULL), to = place_in(w, ref, o->destination);
  if (o->destination < 0) return;
  if (program_kinds[o->kind].fields & FIELD_REQUEST)
    must(w, OTF2_EvtWriter_MpiIsend(rank->events, NULL, begin, to, ref, (uint32_t)o->tag, (uint64_t)o->bytes,
                                    (uint64_t)o->request));
  else
    must(w, OTF2_EvtWriter_MpiSend(rank->events, NULL, begin, to, ref, (uint32_t)o->tag, (uint64_t)o->bytes));
}

static void note_started(struct writing *w, struct rank *rank, const struct program_operation *o) {
  uint64_t room = rank->started_room;
  while (room <= (uint64_t)o->request)
    room = room ? 2 * room : 64;
  if (room > rank->started_room) {
    struct started *more = realloc(rank->started, room * sizeof *more);
    if (!more) return (void)(w->failed = true);
    for (uint64_t k = rank->started_room; k < room; k++)
      more[k] = (struct started){.kind = PROGRAM_KINDS};
    rank->started = more, rank->started_room = room;
  }
  rank->started[o->request] = (struct started){o->kind, o->communicator, o->source, o->source_tag, o->received};
}

static void put_ended(struct writing *w, struct rank *rank, int64_t request, OTF2_TimeStamp end) {
  if ((uint64_t)request >= rank->started_room) return;
  struct started s = rank->started[request];
  rank->started[request].kind = PROGRAM_KINDS;
  if (s.kind == PROGRAM_IRECV && s.source >= 0) {
    uint32_t ref = communicator_ref(w, s.communicator, NULL);
    must(w, OTF2_EvtWriter_MpiIrecv(rank->events, NULL, end, place_in(w, ref, s.source), ref, (uint32_t)s.tag,
                                    (uint64_t)s.bytes, (uint64_t)request));
  } else if (s.kind != PROGRAM_KINDS && (program_kinds[s.kind].fields & FIELD_OUT)) {
    must(w, OTF2_EvtWriter_MpiIsendComplete(rank->events, NULL, end, (uint64_t)request));
  }
}

static void put_begin(struct writing *w, struct rank *rank, const struct program_operation *o, OTF2_TimeStamp begin) {
  unsigned fields = program_kinds[o->kind].fields;
  if ((fields & FIELD_OUT) && !(fields & FIELD_WINDOW)) put_send(w, rank, o, begin);
  if (o->kind == PROGRAM_IRECV)
    must(w, OTF2_EvtWriter_MpiIrecvRequest(rank->events, NULL, begin, (uint64_t)o->request));
  if (fields & FIELD_REQUEST) note_started(w, rank, o);
  if (is_blocking(o->kind)) must(w, OTF2_EvtWriter_MpiCollectiveBegin(rank->events, NULL, begin));
}

static void put_end(struct writing *w, struct rank *rank, const struct program_operation *o, OTF2_TimeStamp end) {
  uint32_t ref = communicator_ref(w, o->communicator, NULL);
  if ((o->kind == PROGRAM_RECV || o->kind == PROGRAM_SENDRECV) && o->source >= 0)
    must(w, OTF2_EvtWriter_MpiRecv(rank->events, NULL, end, place_in(w, ref, o->source), ref, (uint32_t)o->source_tag,
                                   (uint64_t)o->received));
  for (uint32_t k = 0; (o->kind == PROGRAM_WAIT || o->kind == PROGRAM_WAITALL) && k < o->request_count; k++)
    put_ended(w, rank, o->requests[k], end);
  if (!is_blocking(o->kind)) return;
  bool rooted = program_kinds[o->kind].fields & FIELD_ROOT;
  must(w, OTF2_EvtWriter_MpiCollectiveEnd(rank->events, NULL, end, collective_of(o->kind), ref,
                                          rooted ? place_in(w, ref, o->root) : OTF2_COLLECTIVE_ROOT_NONE,
                                          (uint64_t)o->bytes, (uint64_t)(o->received > 0 ? o->received : o->bytes)));
}

/* ---- operations ---- */

static uint32_t region_ref(struct writing *w, const struct program_operation *o) {
  struct region wanted = {text_ref(w, o->name ? o->name : "?"), text_ref(w, o->file ? o->file : ""), o->line};
  uint32_t k = 0;
  while (k < w->region_count && memcmp(&w->regions[k], &wanted, sizeof wanted) != 0)
    k++;
  if (k < w->region_count) return PROGRAM_KINDS + k;
  struct region *regions = grown(w, w->regions, w->region_count, &w->region_room, sizeof *regions);
  if (!regions) return 0;
  w->regions = regions;
  w->regions[w->region_count++] = wanted;
  return PROGRAM_KINDS + k;
}

static void enter(struct writing *w, struct rank *rank, uint32_t region, OTF2_TimeStamp begin) {
  uint32_t *inside = grown(w, rank->inside, rank->depth, &rank->depth_room, sizeof *inside);
  if (!inside) return;
  rank->inside = inside;
  rank->inside[rank->depth++] = region;
  must(w, OTF2_EvtWriter_Enter(rank->events, w->attributes, begin, region));
}

static void take_operation(void *user, uint32_t number, double begins, double ends, uint32_t region,
                           const struct program_operation *o) {
  struct writing *w = user;
  struct rank *rank = &w->rank[number];
  OTF2_TimeStamp begin = (OTF2_TimeStamp)llround(begins * 1e9), end = (OTF2_TimeStamp)llround(ends * 1e9);
  (void)region;
  if (end > w->last) w->last = end;
  if (o->kind == PROGRAM_COMM_MAKE) communicator_ref(w, o->communicator, o);
  attributes_set(w, o);
  if (o->kind == PROGRAM_ENTER) {
    enter(w, rank, region_ref(w, o), begin);
  } else if (o->kind == PROGRAM_LEAVE && rank->depth) {
    must(w, OTF2_EvtWriter_Leave(rank->events, w->attributes, end, rank->inside[--rank->depth]));
  } else {
    must(w, OTF2_EvtWriter_Enter(rank->events, w->attributes, begin, o->kind));
    put_begin(w, rank, o, begin);
    put_end(w, rank, o, end);
    must(w, OTF2_EvtWriter_Leave(rank->events, NULL, end, o->kind));
  }
  OTF2_AttributeList_RemoveAllAttributes(w->attributes);
}

/* ---- definitions ---- */

/* MPI_Isend for isend. */
static const char *name_of(enum program_kind kind, char room[64]) {
  const char *name = program_kinds[kind].name;
  bool of_mpi = !(program_kinds[kind].fields & (FIELD_WORK | FIELD_DURATION | FIELD_PLACE)) && kind != PROGRAM_LEAVE;
  snprintf(room, 64, "%s%s", of_mpi ? "MPI_" : "", name);
  if (of_mpi && room[4] >= 'a') room[4] = (char)(room[4] - 'a' + 'A');
  return room;
}

#define DEFINE(call) must(w, to ? call : OTF2_SUCCESS)

static void define_regions(struct writing *w, OTF2_GlobalDefWriter *to) {
  char room[64];
  uint32_t none = text_ref(w, "");
  for (uint32_t kind = 0; kind < PROGRAM_KINDS; kind++) {
    uint32_t name = text_ref(w, name_of((enum program_kind)kind, room));
    bool of_mpi = strncmp(room, "MPI_", 4) == 0;
    DEFINE(OTF2_GlobalDefWriter_WriteRegion(to, kind, name, name, none, OTF2_REGION_ROLE_FUNCTION,
                                            of_mpi ? OTF2_PARADIGM_MPI : OTF2_PARADIGM_USER, OTF2_REGION_FLAG_NONE,
                                            none, 0, 0));
  }
  for (uint32_t k = 0; k < w->region_count; k++) {
    const struct region *r = &w->regions[k];
    DEFINE(OTF2_GlobalDefWriter_WriteRegion(to, PROGRAM_KINDS + k, r->name, r->name, none, OTF2_REGION_ROLE_FUNCTION,
                                            OTF2_PARADIGM_USER, OTF2_REGION_FLAG_NONE, r->file, r->line, r->line));
  }
}

static void define_ranks(struct writing *w, OTF2_GlobalDefWriter *to) {
  char name[40];
  uint32_t machine = text_ref(w, "machine");
  DEFINE(OTF2_GlobalDefWriter_WriteSystemTreeNode(to, 0, machine, machine, OTF2_UNDEFINED_SYSTEM_TREE_NODE));
  for (uint32_t rank = 0; rank < w->ranks; rank++) {
    snprintf(name, sizeof name, "rank %u", rank);
    uint32_t ref = text_ref(w, name);
    DEFINE(OTF2_GlobalDefWriter_WriteLocationGroup(to, rank, ref, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                                                   OTF2_UNDEFINED_LOCATION_GROUP));
    DEFINE(OTF2_GlobalDefWriter_WriteLocation(to, rank, ref, OTF2_LOCATION_TYPE_CPU_THREAD, w->rank[rank].count, rank));
  }
}

static void define_communicators(struct writing *w, OTF2_GlobalDefWriter *to) {
  uint64_t *members = malloc((w->ranks + 1) * sizeof *members);
  uint32_t none = text_ref(w, "");
  char name[40];
  if (!members) return (void)(w->failed = true);
  for (uint32_t group = 0; group <= w->communicator_count; group++) {
    const struct communicator *c = group ? &w->communicators[group - 1] : NULL;
    uint32_t count = c && c->count < w->ranks ? c->count : w->ranks;
    for (uint32_t k = 0; k < count; k++)
      members[k] = c && c->members ? (uint64_t)c->members[k] : k;
    DEFINE(OTF2_GlobalDefWriter_WriteGroup(to, group, none,
                                           c ? OTF2_GROUP_TYPE_COMM_GROUP : OTF2_GROUP_TYPE_COMM_LOCATIONS,
                                           OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, count, members));
    snprintf(name, sizeof name, "communicator %u", c ? c->number : 0);
    uint32_t ref = text_ref(w, name);
    if (c) DEFINE(OTF2_GlobalDefWriter_WriteComm(to, group - 1, ref, group, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE));
  }
  free(members);
}

static OTF2_Type type_of(const struct program_field_row *row) {
  switch (row->value) {
  case VALUE_KEY: return OTF2_TYPE_UINT64;
  case VALUE_REAL: return OTF2_TYPE_DOUBLE;
  case VALUE_INT32:
  case VALUE_UINT32:
  case VALUE_INT64: return OTF2_TYPE_INT64;
  default: return OTF2_TYPE_STRING;
  }
}

static void define_attribute(struct writing *w, OTF2_GlobalDefWriter *to, uint32_t ref, const char *name,
                             OTF2_Type type) {
  char text[64];
  snprintf(text, sizeof text, ATTRIBUTE_PREFIX "%s", name);
  uint32_t known = text_ref(w, text), none = text_ref(w, "");
  DEFINE(OTF2_GlobalDefWriter_WriteAttribute(to, ref, known, none, type));
}

static void define_attributes(struct writing *w, OTF2_GlobalDefWriter *to) {
  for (uint32_t k = 0; program_fields[k].name; k++)
    define_attribute(w, to, k, program_fields[k].name, type_of(&program_fields[k]));
  define_attribute(w, to, attribute_of_site(), ATTRIBUTE_SITE, OTF2_TYPE_STRING);
  define_attribute(w, to, attribute_of_kind(), ATTRIBUTE_KIND, OTF2_TYPE_STRING);
}

/* Twice: names that are met get numbers first, since they are written before what has them. */
static void define_all(struct writing *w, OTF2_GlobalDefWriter *to) {
  define_ranks(w, to);
  define_regions(w, to);
  define_communicators(w, to);
  define_attributes(w, to);
}

static void define(struct writing *w) {
  OTF2_GlobalDefWriter *to = OTF2_Archive_GetGlobalDefWriter(w->archive);
  if (!to) return (void)(w->failed = true);
  DEFINE(OTF2_GlobalDefWriter_WriteClockProperties(to, 1000000000, 0, w->last + 1, OTF2_UNDEFINED_TIMESTAMP));
  define_all(w, NULL);
  for (uint32_t k = 0; k < w->text_count; k++)
    DEFINE(OTF2_GlobalDefWriter_WriteString(to, k, w->texts[k]->bytes));
  define_all(w, to);
}

/* ---- the archive ---- */

static OTF2_FlushType flush(void *user, OTF2_FileType type, OTF2_LocationRef location, void *caller, bool final) {
  (void)user, (void)type, (void)location, (void)caller, (void) final;
  return OTF2_FLUSH;
}

/* In the folder of its name: ARCHIVE.otf2, the definitions, ARCHIVE/. */
static bool archive_open(struct writing *w, const char *path) {
  static const OTF2_FlushCallbacks callbacks = {.otf2_pre_flush = flush};
  const char *slash = strrchr(path, '/');
  char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup("./");
  const char *file = slash ? slash + 1 : path;
  char *name = strndup(file, strlen(file) - strlen(".otf2"));
  w->archive = folder && name ? OTF2_Archive_Open(folder, name, OTF2_FILEMODE_WRITE, 1 << 20, 4 << 20,
                                                  OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE)
                              : NULL;
  free(folder), free(name);
  if (!w->archive) return false;
  must(w, OTF2_Archive_SetFlushCallbacks(w->archive, &callbacks, NULL));
  must(w, OTF2_Archive_SetSerialCollectiveCallbacks(w->archive));
  must(w, OTF2_Archive_SetCreator(w->archive, "psl"));
  must(w, OTF2_Archive_OpenEvtFiles(w->archive));
  for (uint32_t rank = 0; rank < w->ranks; rank++)
    w->failed |= !(w->rank[rank].events = OTF2_Archive_GetEvtWriter(w->archive, rank));
  return !w->failed;
}

static void ranks_end(struct writing *w) {
  for (uint32_t k = 0; k < w->ranks; k++) {
    struct rank *rank = &w->rank[k];
    while (rank->depth)
      must(w, OTF2_EvtWriter_Leave(rank->events, NULL, w->last, rank->inside[--rank->depth]));
    must(w, OTF2_EvtWriter_GetNumberOfEvents(rank->events, &rank->count));
    must(w, OTF2_Archive_CloseEvtWriter(w->archive, rank->events));
  }
  must(w, OTF2_Archive_CloseEvtFiles(w->archive));
  must(w, OTF2_Archive_OpenDefFiles(w->archive));
  for (uint32_t k = 0; k < w->ranks; k++) {
    OTF2_DefWriter *local = OTF2_Archive_GetDefWriter(w->archive, k);
    must(w, local ? OTF2_Archive_CloseDefWriter(w->archive, local) : OTF2_ERROR_INVALID);
  }
  must(w, OTF2_Archive_CloseDefFiles(w->archive));
}

static bool all_written(struct writing *w, struct program_source *source, struct program_error *error) {
  const struct history_takers takers = {.user = w, .operation = take_operation};
  struct history *history = history_read(source, &takers, error);
  if (!history) return false;
  history_free(history);
  ranks_end(w);
  define(w);
  must(w, OTF2_Archive_Close(w->archive));
  if (w->failed) snprintf(error->text, sizeof error->text, "the archive cannot be written");
  return !w->failed;
}

bool archive_write(const char *trace, const char *archive, struct program_error *error) {
  struct program_source *source = program_source_open(trace, error);
  if (!source) return false;
  struct writing w = {.ranks = source->ranks, .attributes = OTF2_AttributeList_New()};
  w.rank = calloc(w.ranks, sizeof *w.rank);
  snprintf(error->text, sizeof error->text, "the archive cannot be written: is there one of its name?");
  communicator_ref(&w, PROGRAM_WORLD, NULL);
  return w.rank && w.attributes && archive_open(&w, archive) && all_written(&w, source, error);
}
