/* Reads configuration files of Dimemas: records `"what it is" { fields };;`, each field a number, a text in quotes or a
 * list `[3] {0, 0, 1}`. Nodes may be described one by one or many at once; older files have fewer fields for them. What
 * describes the records themselves, in comments or by the names of types, is passed over. The models of collective
 * operations may stand in a file of their own, beside it. */
#include "evaluators/dimemas/machine.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIELDS_MOST = 32, TEXT_MOST = 1 << 26 };

struct field {
  char *text; /* of a text without its quotes; of a list what stands between the braces */
  bool list;
};

struct reading {
  struct dimemas_machine *machine;
  const char *path;
  uint32_t line, loaded; /* nodes that have been described */
  bool described, mapped;
  char *error;
  size_t error_size;
  struct field fields[FIELDS_MOST];
  uint32_t count;
};

static bool fail(struct reading *reading, const char *format, ...) {
  const char *slash = strrchr(reading->path, '/');
  int used =
      snprintf(reading->error, reading->error_size, "%.60s:%u: ", slash ? slash + 1 : reading->path, reading->line);
  va_list list;
  va_start(list, format);
  if (used > 0 && (size_t)used < reading->error_size)
    vsnprintf(reading->error + used, reading->error_size - (size_t)used, format, list);
  va_end(list);
  return false;
}

static void pass(struct reading *reading, const char *what) {
  struct dimemas_machine *machine = reading->machine;
  const char *slash = strrchr(reading->path, '/');
  if (machine->passed_count == DIMEMAS_PASSED) return;
  snprintf(machine->passed[machine->passed_count++], sizeof *machine->passed, "%.60s:%u: %s",
           slash ? slash + 1 : reading->path, reading->line, what);
}

/* ---- fields ---- */

static bool number_of(const char *text, double *out) {
  char *end;
  *out = strtod(text, &end);
  while (isspace((unsigned char)*end))
    end++;
  return end != text && !*end && isfinite(*out);
}

static bool take(struct reading *reading, uint32_t place, const char *what, double least, double most, double *out) {
  const struct field *field = &reading->fields[place];
  if (!field->list && number_of(field->text, out) && *out >= least && *out <= most) return true;
  return fail(reading, "'%.40s' is no %s", field->text, what);
}

static bool take_whole(struct reading *reading, uint32_t place, const char *what, double least, double most,
                       double *out) {
  if (!take(reading, place, what, least, most, out)) return false;
  return *out == floor(*out) || fail(reading, "'%.40s' is no %s", reading->fields[place].text, what);
}

/* ---- records ---- */

static bool record_network(struct reading *reading) {
  double machines;
  if (reading->count != 7) return fail(reading, "the record has %u fields, and needs 7", reading->count);
  if (!take_whole(reading, 1, "number of machines", 1, 1e6, &machines)) return false;
  return machines == 1 ||
         fail(reading, "%.0f machines are connected by a wide area network: one can be simulated", machines);
}

static void phases_set(struct dimemas_machine *machine, enum dimemas_model model) {
  for (uint32_t i = 0; i < DIMEMAS_OPERATIONS; i++)
    for (uint32_t k = 0; k < 2; k++)
      machine->phases[i][k] = (struct dimemas_phase){i == DIMEMAS_REDUCE ? MODEL_CONSTANT : model, SIZE_CURRENT};
}

static bool record_environment(struct reading *reading) {
  struct dimemas_machine *machine = reading->machine;
  double id, nodes, model;
  if (reading->count != 7) return fail(reading, "the record has %u fields, and needs 7", reading->count);
  if (reading->described) return fail(reading, "the machine is described twice");
  if (!take_whole(reading, 1, "number of the one machine", 0, 0, &id) ||
      !take_whole(reading, 3, "number of nodes", 1, DIMEMAS_NODES_MOST, &nodes) ||
      !take(reading, 4, "bandwidth", 0, 1e15, &machine->bandwidth) ||
      !take_whole(reading, 5, "number of buses", 0, 1e6, &machine->buses) ||
      !take_whole(reading, 6, "model of collective operations", MODEL_CONSTANT, MODEL_LOGARITHMIC, &model))
    return false;
  reading->described = true;
  machine->node_count = (uint32_t)nodes;
  machine->nodes = calloc(machine->node_count, sizeof *machine->nodes);
  phases_set(machine, (enum dimemas_model)model);
  return machine->nodes || fail(reading, "there is no memory for so many nodes");
}

/* The figures of a node in the order of the record's fields, from `from` on. */
static bool node_read(struct reading *reading, uint32_t from, const enum dimemas_figure *order, uint32_t count,
                      double figures[NODE_FIGURES]) {
  for (uint32_t i = 0; i < count; i++) {
    enum dimemas_figure figure = order[i];
    double *out = &figures[figure];
    bool fine;
    switch (figure) {
    case FIGURE_processors: fine = take_whole(reading, from + i, "number of processors", 1, 1e6, out); break;
    case FIGURE_ratio: fine = take(reading, from + i, "ratio of speeds", -1e15, 1e15, out); break;
    case FIGURE_inside_latency:
    case FIGURE_latency: fine = take(reading, from + i, "latency", 0, 1e6, out); break;
    case FIGURE_inside_bandwidth: fine = take(reading, from + i, "bandwidth", 0, 1e15, out); break;
    case FIGURE_inside_buses: fine = take_whole(reading, from + i, "number of buses", 0, 1e6, out); break;
    default: fine = take_whole(reading, from + i, "number of links", 0, 1e6, out); break;
    }
    if (!fine) return false;
  }
  return true;
}

static bool nodes_add(struct reading *reading, double count, double figures[NODE_FIGURES]) {
  struct dimemas_machine *machine = reading->machine;
  if (!reading->described) return fail(reading, "nodes are described before their machine");
  if (count > machine->node_count - reading->loaded)
    return fail(reading, "more than %u nodes are described", machine->node_count);
  for (uint32_t i = 0; i < (uint32_t)count; i++)
    memcpy(machine->nodes[reading->loaded++], figures, sizeof *machine->nodes);
  return true;
}

static const enum dimemas_figure node_order[] = {
    FIGURE_processors,    FIGURE_ratio,          FIGURE_inside_latency, FIGURE_inside_bandwidth, FIGURE_inside_buses,
    FIGURE_inside_inputs, FIGURE_inside_outputs, FIGURE_latency,        FIGURE_inputs,           FIGURE_outputs};
enum { NODE_ORDER = sizeof node_order / sizeof *node_order };

/* As files had it before there was contention inside of nodes: their buses were as many as their processors, with one
 * link for both directions. */
static bool node_older(struct reading *reading) {
  static const enum dimemas_figure order[] = {FIGURE_processors,      FIGURE_inputs,  FIGURE_outputs,
                                              FIGURE_inside_latency,  FIGURE_latency, FIGURE_ratio,
                                              FIGURE_inside_bandwidth};
  double figures[NODE_FIGURES] = {0};
  if (!node_read(reading, 3, order, sizeof order / sizeof *order, figures)) return false;
  figures[FIGURE_inside_buses] = figures[FIGURE_processors];
  figures[FIGURE_inside_inputs] = 1;
  return nodes_add(reading, 1, figures);
}

static bool record_node(struct reading *reading) {
  double figures[NODE_FIGURES] = {0}, id;
  uint32_t from = reading->count == 14 ? 3 : 2; /* older files number the nodes */
  if (reading->count != 11 && reading->count != 13 && reading->count != 14)
    return fail(reading, "the record has %u fields, and needs 13", reading->count);
  if (!take_whole(reading, 0, "number of the one machine", 0, 0, &id)) return false;
  if (reading->count == 11) return node_older(reading);
  return node_read(reading, from, node_order, NODE_ORDER, figures) && nodes_add(reading, 1, figures);
}

static bool record_nodes(struct reading *reading) {
  double figures[NODE_FIGURES] = {0}, id, count;
  if (reading->count != 14) return fail(reading, "the record has %u fields, and needs 14", reading->count);
  return take_whole(reading, 0, "number of the one machine", 0, 0, &id) &&
         take_whole(reading, 1, "number of nodes", 1, DIMEMAS_NODES_MOST, &count) &&
         node_read(reading, 3, node_order, NODE_ORDER, figures) && nodes_add(reading, count, figures);
}

static bool record_map(struct reading *reading) {
  struct dimemas_machine *machine = reading->machine;
  double tasks, node;
  if (reading->count != 3) return fail(reading, "the record has %u fields, and needs 3", reading->count);
  if (reading->mapped) return fail(reading, "tasks are mapped twice: one program can run");
  if (!take_whole(reading, 1, "number of tasks", 1, DIMEMAS_NODES_MOST, &tasks)) return false;
  if (!reading->fields[2].list) return fail(reading, "there is no list of nodes");
  machine->task_nodes = calloc((size_t)tasks, sizeof *machine->task_nodes);
  if (!machine->task_nodes) return fail(reading, "there is no memory for so many tasks");
  machine->mapping = MAP_LIST;
  machine->task_count = (uint32_t)tasks;
  reading->mapped = true;
  uint32_t count = 0;
  for (char *at = reading->fields[2].text, *next; at; at = next, count++) {
    next = strchr(at, ',');
    if (next) *next++ = '\0';
    at += strspn(at, " \t\r\n");
    if (count >= machine->task_count) return fail(reading, "more than %u tasks are mapped", machine->task_count);
    if (!number_of(at, &node) || node < 0 || node != floor(node) || node >= machine->node_count)
      return fail(reading, "'%.40s' is no node", at);
    machine->task_nodes[count] = (uint32_t)node;
  }
  return count == machine->task_count || fail(reading, "%u of %u tasks are mapped", count, machine->task_count);
}

static bool record_named_map(struct reading *reading) {
  struct dimemas_machine *machine = reading->machine;
  if (reading->count < 1 || reading->count > 2)
    return fail(reading, "the record has %u fields, and needs 1 or 2", reading->count);
  const char *name = reading->fields[reading->count - 1].text;
  long each = strtol(name, NULL, 10);
  if (reading->mapped) return fail(reading, "tasks are mapped twice: one program can run");
  reading->mapped = true;
  machine->mapping = strstr(name, "FILL_NODES")                                                 ? MAP_FILL
                     : strstr(name, "INTERLEAVED")                                              ? MAP_INTERLEAVED
                     : strstr(name, "TASKS_PER_NODE") && each > 0 && each <= DIMEMAS_NODES_MOST ? MAP_EACH
                                                                                                : MAP_LIST;
  machine->tasks_each = (uint32_t)each;
  return machine->mapping != MAP_LIST || fail(reading, "'%.40s' is no mapping", name);
}

static bool record_module(struct reading *reading) {
  struct dimemas_machine *machine = reading->machine;
  double type, value, ratio;
  if (reading->count != 3) return fail(reading, "the record has %u fields, and needs 3", reading->count);
  if (!take_whole(reading, 0, "type of an event", 0, 1e15, &type) ||
      !take_whole(reading, 1, "value of an event", 1, 1e15, &value) ||
      !take(reading, 2, "ratio of speeds", -1e15, 1e15, &ratio))
    return false;
  struct dimemas_module *grown = realloc(machine->modules, (machine->module_count + 1) * sizeof *grown);
  if (!grown) return fail(reading, "there is no memory for it");
  machine->modules = grown;
  grown[machine->module_count++] = (struct dimemas_module){(int64_t)type, (int64_t)value, ratio};
  return true;
}

/* The latency and bandwidth of disks; of traces, files take no time. */
static bool record_disks(struct reading *reading) {
  double latency, bandwidth;
  if (reading->count != 5) return fail(reading, "the record has %u fields, and needs 5", reading->count);
  if (!take(reading, 0, "latency", 0, 1e15, &latency) || !take(reading, 1, "bandwidth", 0, 1e15, &bandwidth))
    return false;
  if (latency > 0 || bandwidth > 0) pass(reading, "disks are not simulated");
  return true;
}

/* ---- the file of collective operations ---- */

static bool phase_read(struct reading *reading, const char *model, const char *size, struct dimemas_phase *out) {
  static const char *const models[] = {"0", "CTE", "LIN", "LOG"}, *const sizes[] = {NULL,   "MIN",  "MAX",
                                                                                    "MEAN", "2MAX", "S+R"};
  uint32_t m = 0, s = 1;
  while (m <= MODEL_LOGARITHMIC && strcmp(model, models[m]) != 0)
    m++;
  while (s <= SIZE_SUM && strcmp(size, sizes[s]) != 0)
    s++;
  if (m > MODEL_LOGARITHMIC) return fail(reading, "'%s' is no model of a collective operation", model);
  if (s > SIZE_SUM) return fail(reading, "'%s' is no size of a collective operation", size);
  *out = (struct dimemas_phase){(enum dimemas_model)m, (enum dimemas_size)s};
  return true;
}

/* A line of another shape: one that is empty or a comment says nothing. */
static bool operation_line_passed(struct reading *reading, const char *line) {
  line += strspn(line, " \t\r\n");
  if (*line && *line != '#' && strncmp(line, "//", 2) != 0) pass(reading, "the line is of no collective operation");
  return true;
}

/* `Machine globalop: 0 OPERATION MODEL SIZE MODEL SIZE`, or without the machine and with a number behind it. */
static bool operation_read(struct reading *reading, const char *line) {
  char in[16], in_size[16], out[16], out_size[16];
  int machine, operation;
  double contention;
  bool own = sscanf(line, "Machine globalop: %d %d %15s %15s %15s %15s", &machine, &operation, in, in_size, out,
                    out_size) == 6;
  if (!own && sscanf(line, "%d %15s %15s %15s %15s %lf", &operation, in, in_size, out, out_size, &contention) != 6)
    return operation_line_passed(reading, line);
  if (operation < 0 || operation >= DIMEMAS_OPERATIONS)
    return fail(reading, "'%d' is no collective operation", operation);
  if (own && machine != 0) return fail(reading, "'%d' is no number of the one machine", machine);
  if (own && operation == DIMEMAS_REDUCE) return true;
  struct dimemas_phase *phases = reading->machine->phases[operation];
  return phase_read(reading, in, in_size, &phases[0]) && phase_read(reading, out, out_size, &phases[1]);
}

static bool operations_read(struct reading *reading, const char *name) {
  const char *path = reading->path, *slash = strrchr(path, '/');
  char *beside = NULL, *line = NULL;
  size_t capacity = 0;
  uint32_t number = reading->line;
  if (strchr(name, '/') || *name == '.') return fail(reading, "'%.60s' does not stand beside it", name);
  if (asprintf(&beside, "%.*s%s", slash ? (int)(slash - path) + 1 : 0, path, name) < 0)
    return fail(reading, "there is no memory");
  FILE *file = fopen(beside, "re");
  bool fine = file != NULL || fail(reading, "'%.60s': %s", name, strerror(errno));
  reading->path = beside;
  for (reading->line = 1; fine && getline(&line, &capacity, file) > 0; reading->line++)
    fine = operation_read(reading, line);
  if (file) fclose(file);
  free(line);
  reading->path = path;
  reading->line = number;
  free(beside);
  return fine;
}

static bool record_files(struct reading *reading) {
  if (reading->count < 1 || reading->count > 4)
    return fail(reading, "the record has %u fields, and needs 4", reading->count);
  if (reading->count > 0 && *reading->fields[0].text)
    return fail(reading, "schedulers other than the first come, first served one of Dimemas are not simulated");
  if (reading->count > 1 && *reading->fields[1].text) pass(reading, "the file of file systems is not read");
  if (reading->count > 3 && *reading->fields[3].text) pass(reading, "the file of sensitivities is not read");
  return reading->count < 3 || !*reading->fields[2].text || operations_read(reading, reading->fields[2].text);
}

static bool record_refused(struct reading *reading) { return fail(reading, "this is not simulated"); }

static const struct {
  const char *name;
  bool (*read)(struct reading *reading);
} records[] = {
    {"wide area network information", record_network},
    {"environment information", record_environment},
    {"node information", record_node},
    {"multi node information", record_nodes},
    {"mapping information", record_map},
    {"predefined mapping information", record_named_map},
    {"configuration files", record_files},
    {"modules information", record_module},
    {"file system parameters", record_disks},
    {"dedicated connection information", record_refused},
    {"accelerator node information", record_refused},
};

/* ---- the text ---- */

/* Comments become blanks: those of C, and lines that begin with `#` or name the format. */
static void comments_blank(char *at) {
  bool head = true, quoted = false;
  while (*at) {
    bool line = (!quoted && at[0] == '/' && at[1] == '/') || (head && (*at == '#' || strncmp(at, "SDDF", 4) == 0));
    bool block = !quoted && at[0] == '/' && at[1] == '*';
    const char *end = line ? strchr(at, '\n') : block ? strstr(at + 2, "*/") : NULL;
    if (line || block) {
      char *stop = end ? at + (end - at) + (block ? 2 : 0) : at + strlen(at);
      for (; at < stop; at++)
        if (*at != '\n') *at = ' ';
      continue;
    }
    quoted ^= *at == '"';
    head = *at == '\n' || (head && isspace((unsigned char)*at));
    at++;
  }
}

/* Behind blanks. */
static char *skipped(struct reading *reading, char *at) {
  for (; isspace((unsigned char)*at); at++)
    reading->line += *at == '\n';
  return at;
}

/* The end of the record that begins with this brace; NULL: it has none. */
static char *record_end(char *at) {
  int depth = 0;
  bool quoted = false;
  for (; *at; at++) {
    if (*at == '"') quoted = !quoted;
    if (quoted) continue;
    depth += *at == '{' ? 1 : *at == '}' ? -1 : 0;
    if (depth == 0) return at;
  }
  return NULL;
}

/* Parts the text at its commas; each field loses its blanks and quotes. */
static bool fields_split(struct reading *reading, char *at) {
  reading->count = 0;
  for (char *next; at; at = next) {
    at += strspn(at, " \t\r\n");
    if (reading->count == FIELDS_MOST) return fail(reading, "a record has more than %d fields", FIELDS_MOST);
    struct field *field = &reading->fields[reading->count++];
    char *close = *at == '"' ? strchr(at + 1, '"') : *at == '[' ? strchr(at, '}') : at + strcspn(at, ",");
    *field = (struct field){.text = at, .list = *at == '['};
    if (field->list) field->text = strchr(at, '{');
    if (!close || !field->text || (field->list && field->text > close)) return fail(reading, "a field has no end");
    bool enclosed = *at == '"' || field->list;
    field->text += enclosed;
    next = enclosed ? strchr(close, ',') : *close ? close : NULL;
    *close = '\0';
    for (; !enclosed && close > at && isspace((unsigned char)close[-1]); close--)
      close[-1] = '\0';
    if (next) next++;
  }
  return true;
}

/* Does it say what a record is like, as older files do in their head? */
static bool is_definition(const char *text) {
  text += strspn(text, " \t\r\n");
  return strncmp(text, "int ", 4) == 0 || strncmp(text, "char ", 5) == 0 || strncmp(text, "double ", 7) == 0;
}

/* From its name on; what is behind it, NULL: it is wrong. */
static char *record_read(struct reading *reading, char *at) {
  char *name = at + 1, *quote = *at == '"' ? strchr(name, '"') : NULL;
  if (!quote) return fail(reading, "here a record should begin"), NULL;
  *quote = '\0';
  char *open = skipped(reading, quote + 1), *close = *open == '{' ? record_end(open) : NULL;
  if (!close) return fail(reading, "the record \"%.60s\" has no end", name), NULL;
  size_t k = 0;
  while (k < sizeof records / sizeof *records && strcmp(records[k].name, name) != 0)
    k++;
  if (k == sizeof records / sizeof *records) return fail(reading, "\"%.60s\" is no record that is known", name), NULL;
  uint32_t lines = 0;
  for (const char *c = open; c < close; c++)
    lines += *c == '\n';
  *close = '\0';
  bool fine = is_definition(open + 1) || (fields_split(reading, open + 1) && records[k].read(reading));
  reading->line += lines;
  return fine ? close + 1 + strspn(close + 1, "; \t\r") : NULL;
}

static bool text_read(struct reading *reading, char *text) {
  comments_blank(text);
  for (char *at = skipped(reading, text); *at; at = skipped(reading, at))
    if (!(at = record_read(reading, at))) return false;
  if (!reading->described) return fail(reading, "no machine is described");
  return reading->loaded == reading->machine->node_count ||
         fail(reading, "%u of %u nodes are described", reading->loaded, reading->machine->node_count);
}

static char *file_text(const char *path) {
  FILE *file = fopen(path, "re");
  char *text = file ? malloc(TEXT_MOST) : NULL;
  size_t size = text ? fread(text, 1, TEXT_MOST - 1, file) : 0;
  if (file) fclose(file);
  if (text) text[size] = '\0';
  return text;
}

struct dimemas_machine *dimemas_machine_read(const char *path, char *error, size_t size) {
  struct reading reading = {.path = path, .line = 1, .error = error, .error_size = size};
  char *text = file_text(path);
  reading.machine = calloc(1, sizeof *reading.machine);
  bool fine = text && reading.machine;
  if (!fine) fail(&reading, "it cannot be read");
  fine = fine && text_read(&reading, text);
  free(text);
  if (fine) return reading.machine;
  dimemas_machine_close(reading.machine);
  return NULL;
}

void dimemas_machine_close(struct dimemas_machine *machine) {
  if (!machine) return;
  free(machine->nodes);
  free(machine->task_nodes);
  free(machine->modules);
  free(machine);
}

/* ---- what others ask ---- */

int dimemas_figure_named(const char *name) {
  static const char *const names[FIGURES] = {
#define FIGURE(member, text) [FIGURE_##member] = text,
      DIMEMAS_NODE_FIGURES(FIGURE)
#undef FIGURE
          [FIGURE_bandwidth] = "bandwidth",
      [FIGURE_buses] = "buses"};
  for (int figure = 0; figure < FIGURES; figure++)
    if (strcmp(names[figure], name) == 0) return figure;
  return -1;
}

double dimemas_figure(const struct dimemas_machine *machine, enum dimemas_figure figure) {
  if (figure == FIGURE_bandwidth) return machine->bandwidth;
  if (figure == FIGURE_buses) return machine->buses;
  return machine->nodes[0][figure];
}

bool dimemas_map(const struct dimemas_machine *machine, uint32_t tasks, uint32_t *nodes, char *error, size_t size) {
  uint32_t last = machine->node_count - 1, node = 0, room = 0;
  if (machine->mapping == MAP_LIST && tasks > machine->task_count) {
    snprintf(error, size, "the trace has %u tasks, and the machine maps %u", tasks, machine->task_count);
    return false;
  }
  if (machine->mapping == MAP_EACH && (uint64_t)machine->tasks_each * machine->node_count < tasks) {
    snprintf(error, size, "the trace has %u tasks, and %u nodes have room for %u each", tasks, machine->node_count,
             machine->tasks_each);
    return false;
  }
  for (uint32_t task = 0; task < tasks; task++) {
    switch (machine->mapping) {
    case MAP_LIST: nodes[task] = machine->task_nodes[task]; break;
    case MAP_EACH: nodes[task] = task / machine->tasks_each; break;
    case MAP_INTERLEAVED: nodes[task] = task % machine->node_count; break;
    case MAP_FILL: /* what does not fit is on the last one */
      while (node < machine->node_count && room >= (uint32_t)machine->nodes[node][FIGURE_processors]) {
        node++;
        room = 0;
      }
      nodes[task] = node < machine->node_count ? node : last;
      room++;
      break;
    }
  }
  return true;
}
