/* An OTF2 archive as a trace. Where its events have psl's attributes these say what was done. Else, as measurement
 * systems write them: regions of MPI are calls, what stands in them says which, and what lies between is computing. */
#include "evaluators/programs/counters.h"
#include "evaluators/programs/otf2/otf2.h"
#include "evaluators/programs/trace_format.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { REFS_MOST = 1 << 24, RANKS_MOST = 1 << 20, NOT_A_RANK = -1 };

struct region {
  OTF2_StringRef name, file;
  uint32_t line;
  bool of_mpi, known;
};
struct group {
  OTF2_GroupType type;
  uint32_t count;
  uint64_t *members;
  bool of_mpi;
};
struct member { /* of metrics: a counter of the processor, */
  OTF2_StringRef name;
  bool counts, since_start; /* whose values are from the beginning on, or since the last one */
  uint32_t place;           /* among those of the trace, from 1; 0: it has none yet */
};
struct metrics { /* a class of them: what stands in an event */
  uint32_t count;
  OTF2_MetricMemberRef *members;
};
struct request { /* of another tool's: its number is its place */
  uint64_t id;
  uint32_t next; /* in its list, or of the free ones; 0: none */
};
struct rank {
  double last;                   /* s: the end of what has been written */
  double called;                 /* when the call in hand began */
  uint32_t depth;                /* regions of MPI within each other */
  struct program_operation held; /* the last of the call: its time is known at the end */
  bool holds;
  int64_t waited;           /* the request of a wait that is held */
  struct request *requests; /* the first one is no one's */
  uint32_t request_count, request_room, request_free;
  uint32_t *lists, list_room; /* of requests under way, by their id */
  uint8_t *made;              /* by communicator */
  struct counts *counts;      /* since the burst, or the call, has begun; NULL: none */
  double *counted;            /* by counter: its last value; NaN: none */
};
struct location {
  uint64_t ref;
  uint32_t rank;
};
enum part { ANCHOR, DEFINITIONS, OWN_DEFINITIONS, EVENTS }; /* files of an archive */
struct reading {
  struct program_error *error;
  const char *archive, *trace;
  enum part part;    /* that is read, */
  uint64_t location; /* and whose events, */
  double now;        /* when, s */
  struct trace_writer *writer;
  uint32_t ranks;
  double tick;
  uint64_t offset;
  struct rank *rank;
  char **texts;
  struct region *regions;
  struct group *groups;
  uint32_t *communicators;     /* their groups */
  uint32_t world;              /* the communicator that is MPI's own: the first one of all ranks */
  uint64_t *locations;         /* by rank */
  struct location *sorted;     /* by their references */
  int32_t *roles;              /* of attributes: of which field they are; -1: of none */
  struct program_site **sites; /* by text */
  struct member *members;
  struct metrics *metrics;
  OTF2_MetricMemberRef counters[COUNTERS_MOST]; /* by place */
  uint32_t counter_count;
  struct counter_sets sets;
  double given[COUNTERS_MOST];
  uint32_t member_room, metric_room, text_room, region_room, group_room, communicator_room, location_count,
      location_room, role_room, site_room;
  bool own, failed;
};

/* ---- what is wrong, with the file in which it stands ---- */

static int64_t rank_of(const struct reading *r, OTF2_LocationRef location);

static void time_print(double seconds, char *out, size_t size) {
  bool tiny = seconds < 1e-3, small = seconds < 1;
  snprintf(out, size, "%.6g %s", seconds * (tiny ? 1e6 : small ? 1e3 : 1), tiny ? "us" : small ? "ms" : "s");
}

/* The path from the folder that the archive is in. */
static void file_print(const struct reading *r, char *out, size_t size) {
  const char *slash = strrchr(r->archive, '/'), *name = slash ? slash + 1 : r->archive;
  int length = (int)strlen(name) - 5; /* without .otf2 */
  length = length > 60 ? 60 : length;
  if (r->part >= OWN_DEFINITIONS)
    snprintf(out, size, "%.*s/%llu.%s (rank %lld)", length, name, (unsigned long long)r->location,
             r->part == EVENTS ? "evt" : "def", (long long)rank_of(r, r->location));
  else
    snprintf(out, size, "%.*s.%s", length, name, r->part == ANCHOR ? "otf2" : "def");
}

/* Of the file as a whole; the first thing that is said stays. */
static bool damaged(struct reading *r, const char *what) {
  char file[120];
  file_print(r, file, sizeof file);
  if (!r->failed) snprintf(r->error->text, sizeof r->error->text, "%s %s", file, what);
  r->failed = true;
  return false;
}

__attribute__((format(printf, 2, 3))) static OTF2_CallbackCode wrong(struct reading *r, const char *format, ...) {
  char file[100], when[24] = "", what[120];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(what, sizeof what, format, arguments);
  va_end(arguments);
  file_print(r, file, sizeof file);
  if (r->part == EVENTS) strcpy(when, ", at "), time_print(r->now, when + 5, sizeof when - 5);
  if (!r->failed) snprintf(r->error->text, sizeof r->error->text, "%.80s%.20s: %.70s", file, when, what);
  r->failed = true;
  return OTF2_CALLBACK_INTERRUPT;
}

/* Room at the place that something of that name has as its number; what is new is zero. */
static bool room(struct reading *r, const char *name, void *items, uint64_t place, uint32_t *count, size_t size) {
  void *old, *more;
  if (place < *count) return true;
  if (place >= REFS_MOST)
    return wrong(r, "%s %llu is beyond %d, the last one that is read", name, (unsigned long long)place, REFS_MOST - 1),
           false;
  uint32_t larger = *count ? *count : 64;
  while (larger <= place)
    larger *= 2;
  memcpy(&old, items, sizeof old);
  if (!(more = realloc(old, larger * size))) return wrong(r, "memory does not suffice"), false;
  memset((char *)more + *count * size, 0, (larger - *count) * size);
  memcpy(items, &more, sizeof more);
  *count = larger;
  return true;
}

static const char *text_of(const struct reading *r, OTF2_StringRef ref) {
  return ref < r->text_room && r->texts[ref] ? r->texts[ref] : "";
}

/* ---- definitions ---- */

static OTF2_CallbackCode take_clock(void *user, uint64_t resolution, uint64_t offset, uint64_t length, uint64_t real) {
  struct reading *r = user;
  (void)length, (void)real;
  if (!resolution) return wrong(r, "the clock has no ticks");
  r->tick = 1.0 / (double)resolution;
  r->offset = offset;
  return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode take_text(void *user, OTF2_StringRef self, const char *text) {
  struct reading *r = user;
  if (!room(r, "string", &r->texts, self, &r->text_room, sizeof *r->texts)) return OTF2_CALLBACK_INTERRUPT;
  free(r->texts[self]);
  r->texts[self] = strdup(text);
  return r->texts[self] ? OTF2_CALLBACK_SUCCESS : wrong(r, "memory does not suffice");
}

static OTF2_CallbackCode take_location(void *user, OTF2_LocationRef self, OTF2_StringRef name, OTF2_LocationType type,
                                       uint64_t events, OTF2_LocationGroupRef group) {
  struct reading *r = user;
  (void)name, (void)events, (void)group;
  if (type != OTF2_LOCATION_TYPE_CPU_THREAD) return OTF2_CALLBACK_SUCCESS;
  if (!room(r, "location", &r->locations, r->location_count, &r->location_room, sizeof *r->locations))
    return OTF2_CALLBACK_INTERRUPT;
  r->locations[r->location_count++] = self;
  return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode take_region(void *user, OTF2_RegionRef self, OTF2_StringRef name, OTF2_StringRef canonical,
                                     OTF2_StringRef description, OTF2_RegionRole role, OTF2_Paradigm paradigm,
                                     OTF2_RegionFlag flags, OTF2_StringRef file, uint32_t line, uint32_t end) {
  struct reading *r = user;
  (void)canonical, (void)description, (void)role, (void)flags, (void)end;
  if (!room(r, "region", &r->regions, self, &r->region_room, sizeof *r->regions)) return OTF2_CALLBACK_INTERRUPT;
  r->regions[self] = (struct region){name, file, line, paradigm == OTF2_PARADIGM_MPI, true};
  return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode take_group(void *user, OTF2_GroupRef self, OTF2_StringRef name, OTF2_GroupType type,
                                    OTF2_Paradigm paradigm, OTF2_GroupFlag flags, uint32_t count,
                                    const uint64_t *members) {
  struct reading *r = user;
  (void)name, (void)flags;
  if (!room(r, "group", &r->groups, self, &r->group_room, sizeof *r->groups)) return OTF2_CALLBACK_INTERRUPT;
  free(r->groups[self].members);
  r->groups[self] = (struct group){type, count, malloc((count + 1) * sizeof *members), paradigm == OTF2_PARADIGM_MPI};
  if (!r->groups[self].members) return wrong(r, "memory does not suffice");
  if (count) memcpy(r->groups[self].members, members, count * sizeof *members);
  return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode take_communicator(void *user, OTF2_CommRef self, OTF2_StringRef name, OTF2_GroupRef group,
                                           OTF2_CommRef parent, OTF2_CommFlag flags) {
  struct reading *r = user;
  (void)name, (void)parent, (void)flags;
  if (!room(r, "communicator", &r->communicators, self, &r->communicator_room, sizeof *r->communicators))
    return OTF2_CALLBACK_INTERRUPT;
  r->communicators[self] = group + 1;
  return OTF2_CALLBACK_SUCCESS;
}

/* Those of the processor alone count, by PAPI's names. */
static OTF2_CallbackCode take_member(void *user, OTF2_MetricMemberRef self, OTF2_StringRef name,
                                     OTF2_StringRef description, OTF2_MetricType type, OTF2_MetricMode mode,
                                     OTF2_Type value, OTF2_Base base, int64_t exponent, OTF2_StringRef unit) {
  struct reading *r = user;
  bool since_start = mode == OTF2_METRIC_ACCUMULATED_START;
  bool since_last = mode == OTF2_METRIC_ACCUMULATED_LAST || mode == OTF2_METRIC_RELATIVE_LAST;
  (void)description, (void)value, (void)base, (void)exponent, (void)unit;
  if (!room(r, "metric", &r->members, self, &r->member_room, sizeof *r->members)) return OTF2_CALLBACK_INTERRUPT;
  r->members[self] =
      (struct member){name, type == OTF2_METRIC_TYPE_PAPI && (since_start || since_last), since_start, 0};
  return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode take_metrics(void *user, OTF2_MetricRef self, uint8_t count,
                                      const OTF2_MetricMemberRef *members, OTF2_MetricOccurrence occurrence,
                                      OTF2_RecorderKind recorder) {
  struct reading *r = user;
  (void)occurrence, (void)recorder;
  if (!room(r, "class of metrics", &r->metrics, self, &r->metric_room, sizeof *r->metrics))
    return OTF2_CALLBACK_INTERRUPT;
  free(r->metrics[self].members);
  r->metrics[self] = (struct metrics){count, malloc((count + 1u) * sizeof *members)};
  if (!r->metrics[self].members) return wrong(r, "memory does not suffice");
  if (count) memcpy(r->metrics[self].members, members, count * sizeof *members);
  return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode take_attribute(void *user, OTF2_AttributeRef self, OTF2_StringRef name, OTF2_StringRef text,
                                        OTF2_Type type) {
  struct reading *r = user;
  const char *known = text_of(r, name);
  int32_t role = -1;
  (void)text, (void)type;
  if (!room(r, "attribute", &r->roles, self, &r->role_room, sizeof *r->roles)) return OTF2_CALLBACK_INTERRUPT;
  if (strncmp(known, ATTRIBUTE_PREFIX, sizeof ATTRIBUTE_PREFIX - 1) != 0) return OTF2_CALLBACK_SUCCESS;
  known += sizeof ATTRIBUTE_PREFIX - 1;
  for (int32_t k = 0; program_fields[k].name; k++)
    if (strcmp(program_fields[k].name, known) == 0) role = k;
  if (strcmp(known, ATTRIBUTE_SITE) == 0) role = (int32_t)attribute_of_site();
  if (strcmp(known, ATTRIBUTE_KIND) == 0) role = (int32_t)attribute_of_kind(), r->own = true;
  r->roles[self] = role + 1;
  return OTF2_CALLBACK_SUCCESS;
}

/* ---- ranks ---- */

/* The group of those that MPI numbers; NULL: locations are numbered as they come. */
static const struct group *numbered(const struct reading *r) {
  for (uint32_t k = 0; k < r->group_room; k++)
    if (r->groups[k].members && r->groups[k].of_mpi && r->groups[k].type == OTF2_GROUP_TYPE_COMM_LOCATIONS &&
        r->groups[k].count)
      return &r->groups[k];
  return NULL;
}

static int by_number(const void *a, const void *b) {
  const uint64_t *x = a, *y = b;
  return *x < *y ? -1 : *x > *y;
}

static int by_reference(const void *a, const void *b) {
  const struct location *x = a, *y = b;
  return x->ref < y->ref ? -1 : x->ref > y->ref;
}

static bool locations_number(struct reading *r) {
  const struct group *group = numbered(r);
  if (group) {
    free(r->locations);
    r->locations = malloc(group->count * sizeof *r->locations);
    if (!r->locations) return false;
    memcpy(r->locations, group->members, group->count * sizeof *r->locations);
    r->location_count = group->count;
  } else if (r->location_count) {
    qsort(r->locations, r->location_count, sizeof *r->locations, by_number);
  }
  r->sorted = malloc((r->location_count + 1) * sizeof *r->sorted);
  for (uint32_t k = 0; r->sorted && k < r->location_count; k++)
    r->sorted[k] = (struct location){r->locations[k], k};
  if (r->sorted) qsort(r->sorted, r->location_count, sizeof *r->sorted, by_reference);
  return r->sorted;
}

/* Members of a communicator are ranks. */
static bool groups_check(struct reading *r) {
  for (uint32_t k = 0; k < r->group_room; k++) {
    const struct group *group = &r->groups[k];
    for (uint32_t m = 0; group->type == OTF2_GROUP_TYPE_COMM_GROUP && group->of_mpi && m < group->count; m++)
      if (group->members[m] >= r->ranks)
        return wrong(r, "member %u of group %u, of a communicator, is rank %llu of %u", m, k,
                     (unsigned long long)group->members[m], r->ranks),
               false;
  }
  return true;
}

static const struct group *group_of(const struct reading *r, OTF2_CommRef communicator) {
  uint32_t group = communicator < r->communicator_room ? r->communicators[communicator] : 0;
  return group && group <= r->group_room && r->groups[group - 1].members ? &r->groups[group - 1] : NULL;
}

static bool ranks_open(struct reading *r) {
  if (!locations_number(r)) return wrong(r, "memory does not suffice"), false;
  r->ranks = r->location_count;
  if (!r->ranks) return wrong(r, "there is no location that is a rank, a thread of a processor"), false;
  if (r->ranks > RANKS_MOST)
    return wrong(r, "%u locations are more ranks than the %d that are read", r->ranks, RANKS_MOST), false;
  if (!groups_check(r)) return false;
  while (r->world < r->communicator_room && !(group_of(r, r->world) && group_of(r, r->world)->count == r->ranks))
    r->world++;
  r->rank = calloc(r->ranks, sizeof *r->rank);
  r->writer = trace_writer_open(r->trace, r->ranks, TRACE_ALL);
  for (uint32_t k = 0; r->rank && k < r->ranks; k++)
    if (!(r->rank[k].made = calloc(r->communicator_room + 1, 1))) return wrong(r, "memory does not suffice"), false;
  if (!r->rank || !r->writer) return wrong(r, "the trace of it cannot be written: %s", strerror(errno)), false;
  return true;
}

static int64_t rank_of(const struct reading *r, OTF2_LocationRef location) {
  const struct location wanted = {location, 0};
  if (location < r->ranks && r->locations[location] == location) return (int64_t)location; /* as most have it */
  const struct location *found = bsearch(&wanted, r->sorted, r->ranks, sizeof wanted, by_reference);
  return found ? (int64_t)found->rank : NOT_A_RANK;
}

static bool put(struct reading *r, uint32_t rank, const struct program_operation *o) {
  const char *why = program_operation_wrong(o, r->ranks);
  if (why) return wrong(r, "%s", why), false;
  if (!trace_write(r->writer, rank, o))
    return wrong(r, "the trace of it cannot be written: %s", strerror(errno)), false;
  return true;
}

/* ---- psl's own archives ---- */

static const struct program_site *site_of(struct reading *r, OTF2_StringRef ref) {
  unsigned line;
  unsigned long long address;
  int used = 0;
  if (!room(r, "string", &r->sites, ref, &r->site_room, sizeof *r->sites)) return NULL;
  if (r->sites[ref]) return r->sites[ref];
  char *text = strdup(text_of(r, ref)), *function, *file;
  struct program_site *site = calloc(1, sizeof *site);
  if (!text || !site || sscanf(text, "%u,%llx,%n", &line, &address, &used) < 2 || !used ||
      !(file = strchr(function = text + used, '@')))
    return free(text), free(site), NULL;
  *file++ = '\0';
  *site = (struct program_site){*file ? file : NULL, *function ? function : NULL, line, address};
  return r->sites[ref] = site;
}

static bool list_set(struct reading *r, const struct program_field_row *row, struct program_operation *o,
                     const char *whole) {
  const char *text = whole;
  size_t most = strlen(text) / 2 + 1, count = 0;
  double *numbers = malloc(most * sizeof *numbers);
  void *place = malloc(most * sizeof *numbers); /* as long as the operation */
  bool numeric = true;
  for (char *end; numbers && numeric && *text && count < most; text = *end ? end + 1 : end) {
    numbers[count++] = strtod(text, &end);
    numeric = end > text && (!*end || *end == ',');
  }
  void *before;
  memcpy(&before, (char *)o + row->place, sizeof before);
  bool fine = numbers && numeric && !*text && place && program_field_set(row, o, numbers, (uint32_t)count, place);
  free(numbers);
  free(fine ? before : place); /* two attributes may have one name */
  return fine ||
         (wrong(r, ATTRIBUTE_PREFIX "%s of %s is '%.40s'", row->name, program_kinds[o->kind].name, whole), false);
}

static void lists_free(struct program_operation *o) {
  free((void *)o->requests), free((void *)o->members), free((void *)o->parts), free((void *)o->received_parts);
  free((void *)o->counts);
}

static bool field_set(struct reading *r, struct program_operation *o, int32_t role, OTF2_Type type,
                      OTF2_AttributeValue value) {
  const struct program_field_row *row = role < (int32_t)attribute_of_site() ? &program_fields[role] : NULL;
  if (row && row->kinds && !(row->kinds & program_kinds[o->kind].fields)) return true;
  double number = type == OTF2_TYPE_DOUBLE ? value.float64 : (double)value.int64;
  if (type == OTF2_TYPE_STRING && role == (int32_t)attribute_of_site()) o->site = site_of(r, value.stringRef);
  if (!row) return true;
  if (type == OTF2_TYPE_UINT64) return program_field_set_key(row, o, value.uint64), true;
  if (type == OTF2_TYPE_STRING && row->value >= VALUE_INT32S) return list_set(r, row, o, text_of(r, value.stringRef));
  if (type == OTF2_TYPE_STRING) return program_field_set_text(row, o, text_of(r, value.stringRef)), true;
  if (row->value < VALUE_INT32S && program_field_set(row, o, &number, 1, NULL)) return true;
  return wrong(r, ATTRIBUTE_PREFIX "%s of %s is %.9g", row->name, program_kinds[o->kind].name, number), false;
}

/* What the event stands for, if it has the attributes of an operation. */
static bool attributes_take(struct reading *r, uint32_t rank, const OTF2_AttributeList *list) {
  uint32_t count = OTF2_AttributeList_GetNumberOfElements(list);
  struct program_operation o = {.kind = PROGRAM_KINDS};
  OTF2_AttributeRef attribute;
  OTF2_AttributeValue value;
  OTF2_Type type;
  for (int pass = 0; pass < 2; pass++) /* which one it is, then its fields */
    for (uint32_t k = 0; k < count; k++) {
      if (OTF2_AttributeList_GetAttributeByIndex(list, k, &attribute, &type, &value) != OTF2_SUCCESS) continue;
      int32_t role = attribute < r->role_room ? r->roles[attribute] - 1 : -1;
      bool is_kind = role == (int32_t)attribute_of_kind();
      if (!pass && is_kind && type == OTF2_TYPE_STRING) {
        int kind = program_kind_named(text_of(r, value.stringRef));
        if (kind < 0) return wrong(r, "operation '%.40s' is not known", text_of(r, value.stringRef)), false;
        o.kind = (enum program_kind)kind;
      }
      if (pass && role >= 0 && !is_kind && o.kind != PROGRAM_KINDS && !field_set(r, &o, role, type, value))
        return lists_free(&o), false;
    }
  bool fine = o.kind == PROGRAM_KINDS || put(r, rank, &o);
  lists_free(&o);
  return fine;
}

/* ---- archives of other tools ---- */

static double seconds(const struct reading *r, OTF2_TimeStamp time) {
  return time > r->offset ? (double)(time - r->offset) * r->tick : 0;
}

static bool put_held(struct reading *r, uint32_t number, double took) {
  struct rank *rank = &r->rank[number];
  if (!rank->holds) return true;
  rank->held.took = took;
  rank->held.requests = rank->held.request_count ? &rank->waited : NULL;
  rank->holds = false;
  return put(r, number, &rank->held);
}

static bool hold(struct reading *r, uint32_t number, struct program_operation o) {
  if (!put_held(r, number, 0)) return false;
  r->rank[number].held = o;
  return r->rank[number].holds = true;
}

static const char *counter_called(const void *user, uint32_t counter) {
  const struct reading *r = user;
  const char *name = text_of(r, r->members[r->counters[counter]].name);
  return *name ? name : "?";
}

/* What has been counted since the last operation that had some. */
static bool give(struct reading *r, uint32_t number, struct program_operation *o) {
  struct counts *counts = r->rank[number].counts;
  if (!counts || counts_give(&r->sets, counts, o, r->given, counter_called, r)) return true;
  return wrong(r, "memory does not suffice"), false;
}

/* What lies between calls is computing. */
static bool put_burst(struct reading *r, uint32_t number, double now) {
  struct rank *rank = &r->rank[number];
  struct program_operation o = {.kind = PROGRAM_COMPUTE, .work = now - rank->last};
  bool fine = !(o.work > 0) || (give(r, number, &o) && put(r, number, &o));
  if (now > rank->last) rank->last = now;
  return fine;
}

static bool is_self(const struct group *group) { return group->type == OTF2_GROUP_TYPE_COMM_SELF; }

static uint32_t size_of(const struct reading *r, const struct group *group) {
  return is_self(group) ? 1 : group->type == OTF2_GROUP_TYPE_COMM_GROUP ? group->count : r->ranks;
}

/* The rank makes it when it first uses it. */
static uint32_t number_of(struct reading *r, uint32_t rank, OTF2_CommRef communicator, const struct group *group) {
  uint32_t size = size_of(r, group);
  if (communicator == r->world || (!is_self(group) && group->type != OTF2_GROUP_TYPE_COMM_GROUP)) return PROGRAM_WORLD;
  if (r->rank[rank].made[communicator]) return communicator + 1;
  r->rank[rank].made[communicator] = true;
  int32_t *members = malloc((size + 1) * sizeof *members);
  for (uint32_t k = 0; members && k < size; k++)
    members[k] = is_self(group) ? (int32_t)rank : (int32_t)group->members[k];
  struct program_operation o = {
      .kind = PROGRAM_COMM_MAKE, .communicator = communicator + 1, .members = members, .member_count = size};
  if (members) put(r, rank, &o);
  free(members);
  return communicator + 1;
}

/* The rank that has that number in a communicator of another one; 0 after an error. */
static int32_t world_rank(struct reading *r, uint32_t rank, OTF2_CommRef communicator, uint32_t place) {
  const struct group *group = group_of(r, communicator);
  if (!group)
    wrong(r, "communicator %u is not defined", communicator);
  else if (place >= size_of(r, group))
    wrong(r, "there is no rank %u in communicator %u, which has %u", place, communicator, size_of(r, group));
  else if (is_self(group))
    return (int32_t)rank;
  else
    return group->type == OTF2_GROUP_TYPE_COMM_GROUP ? (int32_t)group->members[place] : (int32_t)place;
  return 0;
}

/* ---- requests ---- */

static uint32_t *list_of(const struct rank *rank, uint64_t id) {
  return &rank->lists[(id * 0x9e3779b97f4a7c15u >> 32) & (rank->list_room - 1)];
}

/* As many lists as there is room for requests. */
static bool requests_grow(struct reading *r, struct rank *rank) {
  if (!room(r, "request", &rank->requests, rank->request_count, &rank->request_room, sizeof *rank->requests))
    return false;
  if (rank->list_room == rank->request_room) return true;
  free(rank->lists);
  rank->lists = calloc(rank->request_room, sizeof *rank->lists);
  rank->list_room = rank->request_room;
  if (!rank->lists) return wrong(r, "memory does not suffice"), false;
  for (uint32_t k = 1; k < rank->request_count; k++) { /* none is free */
    uint32_t *list = list_of(rank, rank->requests[k].id);
    rank->requests[k].next = *list;
    *list = k;
  }
  return true;
}

static int64_t request_new(struct reading *r, uint32_t number, uint64_t id) {
  struct rank *rank = &r->rank[number];
  uint32_t k = rank->request_free;
  if (k) {
    rank->request_free = rank->requests[k].next;
  } else {
    if (!rank->request_count) rank->request_count = 1;
    if (!requests_grow(r, rank)) return 0;
    k = rank->request_count++;
  }
  uint32_t *list = list_of(rank, id);
  rank->requests[k] = (struct request){id, *list};
  *list = k;
  return k - 1;
}

/* -1: none is under way. */
static int64_t request_end(struct rank *rank, uint64_t id) {
  uint32_t *at = rank->list_room ? list_of(rank, id) : NULL, k;
  while (at && *at && rank->requests[*at].id != id)
    at = &rank->requests[*at].next;
  if (!at || !(k = *at)) return -1;
  *at = rank->requests[k].next;
  rank->requests[k].next = rank->request_free;
  rank->request_free = k;
  return k - 1;
}

static bool hold_wait(struct reading *r, uint32_t number, int64_t request) {
  if (request < 0) return true;
  if (!hold(r, number, (struct program_operation){.kind = PROGRAM_WAIT, .request_count = 1})) return false;
  r->rank[number].waited = request;
  return true;
}

static void enter_region(struct reading *r, uint32_t number, const struct region *region, double now) {
  struct rank *rank = &r->rank[number];
  if (rank->depth && !region->of_mpi) return;
  if (!rank->depth && !put_burst(r, number, now)) return;
  if (region->of_mpi) {
    if (!rank->depth++) rank->called = now;
    return;
  }
  const char *file = text_of(r, region->file);
  struct program_operation o = {
      .kind = PROGRAM_ENTER, .name = text_of(r, region->name), .file = *file ? file : NULL, .line = region->line};
  put(r, number, &o);
}

static void leave_region(struct reading *r, uint32_t number, const struct region *region, double now) {
  struct rank *rank = &r->rank[number];
  if (!region->of_mpi && rank->depth) return;
  if (!region->of_mpi) {
    struct program_operation o = {.kind = PROGRAM_LEAVE};
    if (put_burst(r, number, now)) put(r, number, &o);
    return;
  }
  if (!rank->depth || --rank->depth) return;
  const char *name = text_of(r, region->name);
  bool begins = strncmp(name, "MPI_Init", 8) == 0, ends = strcmp(name, "MPI_Finalize") == 0;
  if (begins || ends) hold(r, number, (struct program_operation){.kind = begins ? PROGRAM_INIT : PROGRAM_FINALIZE});
  if (rank->holds) give(r, number, &rank->held);
  put_held(r, number, now - rank->called);
  rank->last = now;
}

/* ---- events ---- */

#define RANK                                   \
  struct reading *r = user;                    \
  int64_t found = rank_of(r, location);        \
  uint32_t number = (uint32_t)found;           \
  if (found < 0) return OTF2_CALLBACK_SUCCESS; \
  r->location = location;                      \
  r->now = seconds(r, time);                   \
  (void)number, (void)time, (void)list;
#define DONE return r->failed ? OTF2_CALLBACK_INTERRUPT : OTF2_CALLBACK_SUCCESS
#define OF_OTHERS \
  RANK;           \
  if (r->own) DONE;

static OTF2_CallbackCode take_enter(OTF2_LocationRef location, OTF2_TimeStamp time, void *user,
                                    OTF2_AttributeList *list, OTF2_RegionRef region) {
  RANK;
  if (r->own)
    attributes_take(r, number, list);
  else if (region < r->region_room && r->regions[region].known)
    enter_region(r, number, &r->regions[region], seconds(r, time));
  DONE;
}

static OTF2_CallbackCode take_leave(OTF2_LocationRef location, OTF2_TimeStamp time, void *user,
                                    OTF2_AttributeList *list, OTF2_RegionRef region) {
  RANK;
  if (r->own)
    attributes_take(r, number, list);
  else if (region < r->region_room && r->regions[region].known)
    leave_region(r, number, &r->regions[region], seconds(r, time));
  DONE;
}

/* Messages of all communicators are those of one: that of a receive is known only at its end. */
static struct program_operation out_of(struct reading *r, uint32_t number, enum program_kind kind, uint32_t to,
                                       OTF2_CommRef communicator, uint32_t tag, uint64_t length) {
  return (struct program_operation){.kind = kind,
                                    .destination = world_rank(r, number, communicator, to),
                                    .tag = (int32_t)(tag & INT32_MAX),
                                    .bytes = (double)length};
}

static OTF2_CallbackCode take_send(OTF2_LocationRef location, OTF2_TimeStamp time, void *user, OTF2_AttributeList *list,
                                   uint32_t receiver, OTF2_CommRef communicator, uint32_t tag, uint64_t length) {
  OF_OTHERS;
  hold(r, number, out_of(r, number, PROGRAM_SEND, receiver, communicator, tag, length));
  DONE;
}

static OTF2_CallbackCode take_isend(OTF2_LocationRef location, OTF2_TimeStamp time, void *user,
                                    OTF2_AttributeList *list, uint32_t receiver, OTF2_CommRef communicator,
                                    uint32_t tag, uint64_t length, uint64_t id) {
  OF_OTHERS;
  struct program_operation o = out_of(r, number, PROGRAM_ISEND, receiver, communicator, tag, length);
  o.request = request_new(r, number, id);
  hold(r, number, o);
  DONE;
}

static OTF2_CallbackCode take_isend_end(OTF2_LocationRef location, OTF2_TimeStamp time, void *user,
                                        OTF2_AttributeList *list, uint64_t id) {
  OF_OTHERS;
  hold_wait(r, number, request_end(&r->rank[number], id));
  DONE;
}

static OTF2_CallbackCode take_irecv_begin(OTF2_LocationRef location, OTF2_TimeStamp time, void *user,
                                          OTF2_AttributeList *list, uint64_t id) {
  OF_OTHERS;
  struct program_operation o = {.kind = PROGRAM_IRECV, .source = PROGRAM_ANY, .source_tag = PROGRAM_ANY};
  o.request = request_new(r, number, id);
  hold(r, number, o);
  DONE;
}

static OTF2_CallbackCode take_irecv(OTF2_LocationRef location, OTF2_TimeStamp time, void *user,
                                    OTF2_AttributeList *list, uint32_t sender, OTF2_CommRef communicator, uint32_t tag,
                                    uint64_t length, uint64_t id) {
  OF_OTHERS;
  int64_t request = request_end(&r->rank[number], id);
  (void)length;
  put_held(r, number, 0);
  if (request >= 0)
    trace_write_received(r->writer, number, request, world_rank(r, number, communicator, sender),
                         (int32_t)(tag & INT32_MAX));
  hold_wait(r, number, request);
  DONE;
}

static OTF2_CallbackCode take_recv(OTF2_LocationRef location, OTF2_TimeStamp time, void *user, OTF2_AttributeList *list,
                                   uint32_t sender, OTF2_CommRef communicator, uint32_t tag, uint64_t length) {
  OF_OTHERS;
  struct rank *rank = &r->rank[number];
  bool both = rank->holds && rank->held.kind == PROGRAM_SEND; /* in one call */
  struct program_operation o = both ? rank->held : (struct program_operation){0};
  o.kind = both ? PROGRAM_SENDRECV : PROGRAM_RECV;
  o.source = world_rank(r, number, communicator, sender), o.source_tag = (int32_t)(tag & INT32_MAX);
  o.received = (double)length;
  if (both)
    rank->held = o;
  else
    hold(r, number, o);
  DONE;
}

static uint32_t counter_place(struct reading *r, OTF2_MetricMemberRef ref) {
  struct member *member = ref < r->member_room ? &r->members[ref] : NULL;
  if (!member || !member->counts) return COUNTERS_MOST;
  if (!member->place && r->counter_count < COUNTERS_MOST) {
    r->counters[r->counter_count] = ref;
    member->place = ++r->counter_count;
  }
  return member->place ? member->place - 1 : COUNTERS_MOST;
}

static bool counters_open(struct reading *r, struct rank *rank) {
  if (rank->counts) return true;
  rank->counts = calloc(1, sizeof *rank->counts);
  rank->counted = malloc(COUNTERS_MOST * sizeof *rank->counted);
  if (!rank->counts || !rank->counted) return wrong(r, "memory does not suffice"), false;
  for (uint32_t k = 0; k < COUNTERS_MOST; k++)
    rank->counted[k] = NAN;
  return true;
}

/* It stands before what begins or ends then. */
static OTF2_CallbackCode take_metric(OTF2_LocationRef location, OTF2_TimeStamp time, void *user,
                                     OTF2_AttributeList *list, OTF2_MetricRef metric, uint8_t count,
                                     const OTF2_Type *types, const OTF2_MetricValue *values) {
  OF_OTHERS;
  const struct metrics *metrics = metric < r->metric_room ? &r->metrics[metric] : NULL;
  struct rank *rank = &r->rank[number];
  if (!metrics || !metrics->members || !counters_open(r, rank)) DONE;
  for (uint32_t k = 0; k < count && k < metrics->count; k++) {
    uint32_t place = counter_place(r, metrics->members[k]);
    if (place == COUNTERS_MOST) continue;
    double value = types[k] == OTF2_TYPE_DOUBLE  ? values[k].floating_point
                   : types[k] == OTF2_TYPE_INT64 ? (double)values[k].signed_int
                                                 : (double)values[k].unsigned_int;
    double before = r->members[metrics->members[k]].since_start ? rank->counted[place] : 0;
    if (value - before >= 0) counts_add(rank->counts, place, value - before);
    rank->counted[place] = value;
  }
  DONE;
}

static int kind_of(OTF2_CollectiveOp operation) {
  switch (operation) {
  case OTF2_COLLECTIVE_OP_BARRIER: return PROGRAM_BARRIER;
  case OTF2_COLLECTIVE_OP_BCAST: return PROGRAM_BCAST;
  case OTF2_COLLECTIVE_OP_GATHER: return PROGRAM_GATHER;
  case OTF2_COLLECTIVE_OP_GATHERV: return PROGRAM_GATHERV;
  case OTF2_COLLECTIVE_OP_SCATTER: return PROGRAM_SCATTER;
  case OTF2_COLLECTIVE_OP_SCATTERV: return PROGRAM_SCATTERV;
  case OTF2_COLLECTIVE_OP_ALLGATHER: return PROGRAM_ALLGATHER;
  case OTF2_COLLECTIVE_OP_ALLGATHERV: return PROGRAM_ALLGATHERV;
  case OTF2_COLLECTIVE_OP_ALLTOALL: return PROGRAM_ALLTOALL;
  case OTF2_COLLECTIVE_OP_ALLTOALLV: return PROGRAM_ALLTOALLV;
  case OTF2_COLLECTIVE_OP_ALLTOALLW: return PROGRAM_ALLTOALLW;
  case OTF2_COLLECTIVE_OP_ALLREDUCE: return PROGRAM_ALLREDUCE;
  case OTF2_COLLECTIVE_OP_REDUCE: return PROGRAM_REDUCE;
  case OTF2_COLLECTIVE_OP_REDUCE_SCATTER: return PROGRAM_REDUCE_SCATTER;
  case OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK: return PROGRAM_REDUCE_SCATTER_BLOCK;
  case OTF2_COLLECTIVE_OP_SCAN: return PROGRAM_SCAN;
  case OTF2_COLLECTIVE_OP_EXSCAN: return PROGRAM_EXSCAN;
  default: return -1; /* of files, windows, communicators */
  }
}

/* Sizes are what a rank sends and receives altogether. */
static OTF2_CallbackCode take_collective(OTF2_LocationRef location, OTF2_TimeStamp time, void *user,
                                         OTF2_AttributeList *list, OTF2_CollectiveOp operation,
                                         OTF2_CommRef communicator, uint32_t root, uint64_t sent, uint64_t received) {
  OF_OTHERS;
  int kind = kind_of(operation);
  const struct group *group = group_of(r, communicator);
  if (kind < 0) DONE;
  if (!group) return wrong(r, "communicator %u is not defined", communicator);
  uint32_t size = size_of(r, group);
  unsigned fields = program_kinds[kind].fields;
  struct program_operation o = {.kind = (enum program_kind)kind,
                                .communicator = number_of(r, number, communicator, group)};
  if (fields & FIELD_ROOT) o.root = world_rank(r, number, communicator, root);
  if (fields & FIELD_BYTES) o.bytes = (double)sent;
  if (fields & FIELD_RECEIVED) o.received = (double)received;
  if (kind == PROGRAM_BCAST || kind == PROGRAM_SCATTER) o.bytes = (double)(received ? received : sent);
  if (kind == PROGRAM_ALLTOALL && size) o.bytes /= size;
  hold(r, number, o);
  DONE;
}

/* ---- the archive ---- */

static bool file_is_there(const struct reading *r) {
  char path[4096];
  int length = (int)strlen(r->archive) - 5;
  if (r->part >= OWN_DEFINITIONS)
    snprintf(path, sizeof path, "%.*s/%llu.%s", length, r->archive, (unsigned long long)r->location,
             r->part == EVENTS ? "evt" : "def");
  else
    snprintf(path, sizeof path, "%.*s.%s", length, r->archive, r->part == ANCHOR ? "otf2" : "def");
  return access(path, R_OK) == 0;
}

/* It cannot be opened, or not be read to its end. */
static bool file_damaged(struct reading *r, uint64_t behind) {
  char why[100] = "is cut short, or damaged";
  if (behind)
    snprintf(why, sizeof why, "is cut short, or damaged, behind %llu event%s", (unsigned long long)behind,
             behind == 1 ? "" : "s");
  if (!file_is_there(r)) snprintf(why, sizeof why, "cannot be opened: %s", strerror(errno));
  return damaged(r, why);
}

static bool definitions_read(struct reading *r, OTF2_Reader *reader) {
  OTF2_GlobalDefReader *definitions = OTF2_Reader_GetGlobalDefReader(reader);
  OTF2_GlobalDefReaderCallbacks *take = OTF2_GlobalDefReaderCallbacks_New();
  uint64_t count;
  if (!definitions || !take) return file_damaged(r, 0);
  OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(take, take_clock);
  OTF2_GlobalDefReaderCallbacks_SetStringCallback(take, take_text);
  OTF2_GlobalDefReaderCallbacks_SetLocationCallback(take, take_location);
  OTF2_GlobalDefReaderCallbacks_SetRegionCallback(take, take_region);
  OTF2_GlobalDefReaderCallbacks_SetGroupCallback(take, take_group);
  OTF2_GlobalDefReaderCallbacks_SetCommCallback(take, take_communicator);
  OTF2_GlobalDefReaderCallbacks_SetAttributeCallback(take, take_attribute);
  OTF2_GlobalDefReaderCallbacks_SetMetricMemberCallback(take, take_member);
  OTF2_GlobalDefReaderCallbacks_SetMetricClassCallback(take, take_metrics);
  OTF2_Reader_RegisterGlobalDefCallbacks(reader, definitions, take, r);
  OTF2_GlobalDefReaderCallbacks_Delete(take);
  bool fine = OTF2_Reader_ReadAllGlobalDefinitions(reader, definitions, &count) == OTF2_SUCCESS && !r->failed;
  if (!fine) return file_damaged(r, 0);
  return r->tick > 0 ? ranks_open(r) : (wrong(r, "nothing says how fast the clock goes"), false);
}

/* What numbers in a location's events stand for, where they are not those of all: a location may lack it. */
static bool own_definitions_read(struct reading *r, OTF2_Reader *reader) {
  uint64_t count;
  OTF2_DefReader *definitions = OTF2_Reader_GetDefReader(reader, r->location);
  bool fine = definitions && OTF2_Reader_ReadAllLocalDefinitions(reader, definitions, &count) == OTF2_SUCCESS;
  if (definitions) OTF2_Reader_CloseDefReader(reader, definitions);
  return fine || (!definitions && !file_is_there(r)) || file_damaged(r, 0);
}

static bool locations_open(struct reading *r, OTF2_Reader *reader) {
  for (uint32_t k = 0; k < r->ranks; k++)
    OTF2_Reader_SelectLocation(reader, r->locations[k]);
  bool local = OTF2_Reader_OpenDefFiles(reader) == OTF2_SUCCESS;
  OTF2_Reader_OpenEvtFiles(reader);
  bool fine = true;
  for (uint32_t k = 0; fine && k < r->ranks; k++) {
    r->location = r->locations[k];
    fine = !local || own_definitions_read(r, reader);
    OTF2_Reader_GetEvtReader(reader, r->location);
  }
  if (local) OTF2_Reader_CloseDefFiles(reader);
  return fine;
}

/* Each location's events alone, to the end. */
static bool location_is_fine(const struct reading *r, OTF2_LocationRef location, uint64_t *count) {
  *count = 0;
  OTF2_Reader *reader = OTF2_Reader_Open(r->archive);
  if (!reader) return false;
  OTF2_Reader_SetSerialCollectiveCallbacks(reader);
  OTF2_Reader_SelectLocation(reader, location);
  OTF2_Reader_OpenEvtFiles(reader);
  OTF2_EvtReader *events = OTF2_Reader_GetEvtReader(reader, location);
  bool fine = events && OTF2_Reader_ReadAllLocalEvents(reader, events, count) == OTF2_SUCCESS;
  OTF2_Reader_Close(reader);
  return fine;
}

/* The events of the first location that cannot be read; what is wrong otherwise has been said. */
static bool which_is_damaged(struct reading *r) {
  for (uint32_t k = 0; !r->failed && k < r->ranks; k++) {
    r->location = r->locations[k];
    uint64_t count;
    if (!location_is_fine(r, r->location, &count)) file_damaged(r, count);
  }
  if (r->failed) return false;
  r->part = ANCHOR;
  return damaged(r, "is of events that cannot be read together");
}

static bool events_read(struct reading *r, OTF2_Reader *reader) {
  OTF2_GlobalEvtReader *events = OTF2_Reader_GetGlobalEvtReader(reader);
  OTF2_GlobalEvtReaderCallbacks *take = OTF2_GlobalEvtReaderCallbacks_New();
  uint64_t count;
  if (!events || !take) return which_is_damaged(r);
  OTF2_GlobalEvtReaderCallbacks_SetEnterCallback(take, take_enter);
  OTF2_GlobalEvtReaderCallbacks_SetLeaveCallback(take, take_leave);
  OTF2_GlobalEvtReaderCallbacks_SetMpiSendCallback(take, take_send);
  OTF2_GlobalEvtReaderCallbacks_SetMpiIsendCallback(take, take_isend);
  OTF2_GlobalEvtReaderCallbacks_SetMpiIsendCompleteCallback(take, take_isend_end);
  OTF2_GlobalEvtReaderCallbacks_SetMpiIrecvRequestCallback(take, take_irecv_begin);
  OTF2_GlobalEvtReaderCallbacks_SetMpiIrecvCallback(take, take_irecv);
  OTF2_GlobalEvtReaderCallbacks_SetMpiRecvCallback(take, take_recv);
  OTF2_GlobalEvtReaderCallbacks_SetMpiCollectiveEndCallback(take, take_collective);
  OTF2_GlobalEvtReaderCallbacks_SetMetricCallback(take, take_metric);
  OTF2_Reader_RegisterGlobalEvtCallbacks(reader, events, take, r);
  OTF2_GlobalEvtReaderCallbacks_Delete(take);
  bool fine = OTF2_Reader_ReadAllGlobalEvents(reader, events, &count) == OTF2_SUCCESS && !r->failed;
  return fine || which_is_damaged(r);
}

/* The process ends with it: what it has is given back then. */
bool archive_read(const char *archive, const char *trace, struct program_error *error) {
  struct reading r = {.error = error, .archive = archive, .trace = trace, .part = ANCHOR};
  OTF2_Reader *reader = OTF2_Reader_Open(archive);
  if (!reader) return file_damaged(&r, 0);
  OTF2_Reader_SetSerialCollectiveCallbacks(reader);
  r.part = DEFINITIONS;
  if (!definitions_read(&r, reader)) return false;
  r.part = OWN_DEFINITIONS;
  if (!locations_open(&r, reader)) return false;
  r.part = EVENTS;
  if (!events_read(&r, reader)) return false;
  for (uint32_t rank = 0; rank < r.ranks; rank++) {
    r.location = r.locations[rank];
    put_held(&r, rank, 0);
    trace_write_end(r.writer, rank);
  }
  if (!trace_writer_close(r.writer)) wrong(&r, "the trace of it cannot be written: %s", strerror(errno));
  return !r.failed;
}
