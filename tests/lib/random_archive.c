/* random_archive FOLDER NAME SEED SANE: an OTF2 archive of random calls, as tools that measure write them, and what it
 * holds on standard output: "send 3 1200", operations of a kind and their bytes. With SANE 0 it goes astray: ranks,
 * communicators, requests, regions and names that are not there or are others, and in every second archive attributes
 * of psl's own with random values. */
#include <otf2/otf2.h>
#include <stdio.h>
#include <stdlib.h>

static OTF2_FlushType flush(void *user, OTF2_FileType type, OTF2_LocationRef location, void *caller, bool final) {
  (void)user, (void)type, (void)location, (void)caller, (void) final;
  return OTF2_FLUSH;
}

enum { CALL, SOLVE, EMPTY, FIRST_ATTRIBUTE, FIRST_VALUE = 13, TEXTS = 31 };
static const char *const texts[TEXTS] = {"MPI_Call",
                                         "solve",
                                         "",
                                         "PSL::operation",
                                         "PSL::parts",
                                         "PSL::received_parts",
                                         "PSL::members",
                                         "PSL::requests",
                                         "PSL::request",
                                         "PSL::took",
                                         "PSL::at",
                                         "PSL::name",
                                         "PSL::work",
                                         "alltoallv",
                                         "isend",
                                         "irecv",
                                         "compute",
                                         "comm_make",
                                         "waitall",
                                         "enter",
                                         "leave",
                                         "bcast",
                                         "1,2,3",
                                         "1",
                                         "nan",
                                         "1e300,-1e300",
                                         ",,",
                                         "12,ab,f@g",
                                         "12,",
                                         "0,0,0,0,0,0,0,0",
                                         "file_write"};
enum { SEND, ISEND, IRECV, WAIT, RECV, BCAST, BARRIER, ENTER, LEAVE, KINDS };
static const char *const names[KINDS] = {"send",  "isend",   "irecv", "wait", "recv",
                                         "bcast", "barrier", "enter", "leave"};
enum { REQUESTS = 64 };
struct rank {
  OTF2_EvtWriter *events;
  uint64_t now;
  unsigned inside, started; /* regions; requests, of which odd ones are receives */
  uint64_t requests[REQUESTS];
};
static unsigned long counts[KINDS], bytes[KINDS], state;
static int sane, own;
static unsigned ranks;

static unsigned below(unsigned most) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (unsigned)(state >> 33) % most;
}

/* One of so many, or what is none. */
static unsigned ref(unsigned most) {
  if (sane || below(300)) return below(most);
  return below(2) ? below(2 * most + 2) : below(2) ? UINT32_MAX - below(3) : below(1u << 31);
}

static OTF2_AttributeList *attributes(void) {
  OTF2_AttributeList *list = own ? OTF2_AttributeList_New() : NULL;
  if (!own) return NULL;
  OTF2_AttributeList_AddStringRef(list, 0, FIRST_VALUE + (below(99) ? below(9) : below(TEXTS - FIRST_VALUE)));
  for (unsigned k = below(5); k > 0; k--) {
    unsigned attribute = ref(FIRST_VALUE - FIRST_ATTRIBUTE);
    if (OTF2_AttributeList_TestAttributeByID(list, attribute)) continue;
    switch (below(4)) {
    case 0: OTF2_AttributeList_AddInt64(list, attribute, (int64_t)ref(3)); break;
    case 1: OTF2_AttributeList_AddDouble(list, attribute, below(2) ? 1e300 : 0.0 / (below(3) + 0.0)); break;
    case 2: OTF2_AttributeList_AddUint64(list, attribute, UINT64_MAX); break;
    default: OTF2_AttributeList_AddStringRef(list, attribute, ref(TEXTS)); break;
    }
  }
  return list;
}

static void enter(struct rank *r, unsigned region) {
  OTF2_AttributeList *list = attributes();
  OTF2_EvtWriter_Enter(r->events, list, r->now += below(100), region);
  OTF2_AttributeList_Delete(list);
}

static void leave(struct rank *r, unsigned region) {
  OTF2_AttributeList *list = attributes();
  OTF2_EvtWriter_Leave(r->events, list, r->now += below(100), region);
  OTF2_AttributeList_Delete(list);
}

static int start(struct rank *r, unsigned size) {
  uint64_t id = 2 * (1000ull * below(1000) + r->started);
  int receives = r->started == REQUESTS ? KINDS : below(2) ? IRECV : ISEND;
  if (receives == KINDS) return KINDS;
  if (receives == IRECV)
    OTF2_EvtWriter_MpiIrecvRequest(r->events, NULL, r->now, ++id);
  else
    OTF2_EvtWriter_MpiIsend(r->events, NULL, r->now, ref(ranks), ref(1), below(3), size, id);
  r->requests[r->started++] = id;
  return receives;
}

static int end(struct rank *r, unsigned size) {
  unsigned k = r->started ? below(r->started) : 0;
  if (!r->started) return KINDS;
  uint64_t id = r->requests[k] + (sane ? 0 : ref(1));
  r->requests[k] = r->requests[--r->started];
  if (id % 2)
    OTF2_EvtWriter_MpiIrecv(r->events, NULL, r->now, ref(ranks), ref(1), below(3), size, id);
  else
    OTF2_EvtWriter_MpiIsendComplete(r->events, NULL, r->now, id);
  return WAIT;
}

static int meet(struct rank *r, unsigned size) {
  int kind = below(2) ? BCAST : BARRIER;
  OTF2_CollectiveOp operation = kind == BCAST ? OTF2_COLLECTIVE_OP_BCAST : OTF2_COLLECTIVE_OP_BARRIER;
  if (!sane && !below(4)) operation = (OTF2_CollectiveOp)below(40);
  OTF2_EvtWriter_MpiCollectiveBegin(r->events, NULL, r->now);
  OTF2_EvtWriter_MpiCollectiveEnd(r->events, NULL, r->now, operation, ref(2), ref(1), size, size);
  return kind;
}

static int message(struct rank *r, unsigned size) {
  if (below(2)) return OTF2_EvtWriter_MpiSend(r->events, NULL, r->now, ref(ranks), ref(1), below(3), size), SEND;
  return OTF2_EvtWriter_MpiRecv(r->events, NULL, r->now, ref(ranks), ref(1), below(3), size), RECV;
}

static void call(struct rank *r) {
  static int (*const calls[])(struct rank * r, unsigned size) = {start, end, meet, message};
  unsigned size = 1 + below(5000);
  enter(r, CALL);
  int kind = calls[below(4)](r, size);
  if (kind != KINDS) counts[kind]++;
  if (kind == SEND || kind == ISEND) bytes[kind] += size;
  leave(r, sane ? CALL : ref(2));
}

static void write_rank(OTF2_EvtWriter *events) {
  struct rank r = {.events = events, .now = 1000};
  for (unsigned left = below(200); left > 0; left--) {
    if (below(4)) {
      call(&r);
    } else if (r.inside && below(2)) {
      leave(&r, SOLVE), r.inside--, counts[LEAVE]++;
    } else {
      enter(&r, sane ? SOLVE : ref(2)), r.inside++, counts[ENTER]++;
    }
  }
  for (; r.inside; r.inside--, counts[LEAVE]++)
    leave(&r, SOLVE);
}

/* Communicator 0 is that of all, 1 of each rank alone. */
static void define_groups(OTF2_GlobalDefWriter *d, const uint64_t *locations) {
  uint64_t members[8];
  for (unsigned k = 0; k < ranks; k++)
    members[k] = ref(ranks);
  for (unsigned k = 0; sane && k < ranks; k++)
    members[k] = k;
  OTF2_GlobalDefWriter_WriteGroup(d, ref(1), EMPTY, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI, 0, ranks,
                                  locations);
  OTF2_GlobalDefWriter_WriteGroup(d, sane ? 1 : ref(2), EMPTY, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI, 0,
                                  sane ? ranks : below(ranks + 1), members);
  OTF2_GlobalDefWriter_WriteGroup(d, sane ? 2 : ref(3), EMPTY, OTF2_GROUP_TYPE_COMM_SELF, OTF2_PARADIGM_MPI, 0, 0,
                                  NULL);
  OTF2_GlobalDefWriter_WriteComm(d, ref(1), EMPTY, sane ? 1 : ref(3), OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
  OTF2_GlobalDefWriter_WriteComm(d, sane ? 1 : ref(2), EMPTY, sane ? 2 : ref(3), OTF2_UNDEFINED_COMM,
                                 OTF2_COMM_FLAG_NONE);
}

static void define(OTF2_GlobalDefWriter *d, const uint64_t *locations) {
  OTF2_GlobalDefWriter_WriteClockProperties(d, sane || below(8) ? 1000000000 : ref(1), 0, 1000000,
                                            OTF2_UNDEFINED_TIMESTAMP);
  for (unsigned k = 0; k < TEXTS; k++)
    OTF2_GlobalDefWriter_WriteString(d, sane || below(50) ? k : ref(TEXTS), texts[k]);
  OTF2_GlobalDefWriter_WriteSystemTreeNode(d, 0, EMPTY, EMPTY, OTF2_UNDEFINED_SYSTEM_TREE_NODE);
  OTF2_GlobalDefWriter_WriteLocationGroup(d, 0, EMPTY, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                                          OTF2_UNDEFINED_LOCATION_GROUP);
  for (unsigned k = 0; k < ranks; k++)
    OTF2_GlobalDefWriter_WriteLocation(d, locations[k], EMPTY, OTF2_LOCATION_TYPE_CPU_THREAD, 0, 0);
  for (unsigned k = CALL; k <= SOLVE; k++)
    OTF2_GlobalDefWriter_WriteRegion(d, sane ? k : ref(2), k, k, EMPTY, OTF2_REGION_ROLE_FUNCTION,
                                     k == CALL ? OTF2_PARADIGM_MPI : OTF2_PARADIGM_USER, OTF2_REGION_FLAG_NONE, EMPTY,
                                     0, 0);
  for (unsigned k = FIRST_ATTRIBUTE; own && k < FIRST_VALUE; k++)
    OTF2_GlobalDefWriter_WriteAttribute(d, k - FIRST_ATTRIBUTE, sane || below(16) ? k : ref(TEXTS), EMPTY,
                                        OTF2_TYPE_STRING);
  define_groups(d, locations);
}

int main(int count, char **words) {
  static const OTF2_FlushCallbacks callbacks = {.otf2_pre_flush = flush};
  OTF2_Archive *a = count == 5 ? OTF2_Archive_Open(words[1], words[2], OTF2_FILEMODE_WRITE, 1 << 20, 4 << 20,
                                                   OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE)
                               : NULL;
  uint64_t locations[8];
  if (!a) return 1;
  state = strtoul(words[3], NULL, 10), sane = atoi(words[4]);
  below(2), ranks = 1 + below(8), own = !sane && below(2);
  OTF2_Archive_SetFlushCallbacks(a, &callbacks, NULL);
  OTF2_Archive_SetSerialCollectiveCallbacks(a);
  OTF2_Archive_OpenEvtFiles(a);
  for (unsigned k = 0; k < ranks; k++) {
    locations[k] = (k ? locations[k - 1] : 0) + 1 + below(3);
    OTF2_EvtWriter *writer = OTF2_Archive_GetEvtWriter(a, locations[k]);
    write_rank(writer);
    OTF2_Archive_CloseEvtWriter(a, writer);
  }
  OTF2_Archive_CloseEvtFiles(a);
  define(OTF2_Archive_GetGlobalDefWriter(a), locations);
  for (int k = 0; k < KINDS; k++)
    if (counts[k]) printf("%s %lu %lu\n", names[k], counts[k], bytes[k]);
  return OTF2_Archive_Close(a) != OTF2_SUCCESS;
}
