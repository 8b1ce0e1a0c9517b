/* Machines as configuration files of Dimemas describe them. */
#ifndef PSL_DIMEMAS_MACHINE_H
#define PSL_DIMEMAS_MACHINE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DIMEMAS_OPERATIONS = 32, DIMEMAS_NODES_MOST = 1 << 20, DIMEMAS_REDUCE = 10 };

/* What a node is like. X(MEMBER, "name as stdlib/dimemas.psl has it"). Latencies in s, bandwidths in MiB/s; of buses,
 * links and bandwidths 0 is no limit. */
#define DIMEMAS_NODE_FIGURES(X)           \
  X(processors, "processors")             \
  X(ratio, "ratio")                       \
  X(inside_latency, "latency inside")     \
  X(inside_bandwidth, "bandwidth inside") \
  X(inside_buses, "buses inside")         \
  X(inside_inputs, "inputs inside")       \
  X(inside_outputs, "outputs inside")     \
  X(latency, "latency")                   \
  X(inputs, "inputs")                     \
  X(outputs, "outputs")
enum dimemas_figure {
#define FIGURE(member, name) FIGURE_##member,
  DIMEMAS_NODE_FIGURES(FIGURE)
#undef FIGURE
      NODE_FIGURES,
  FIGURE_bandwidth = NODE_FIGURES, /* those of the machine */
  FIGURE_buses,
  FIGURES
};

enum dimemas_model { MODEL_NONE, MODEL_CONSTANT, MODEL_LINEAR, MODEL_LOGARITHMIC };
enum dimemas_size { SIZE_CURRENT, SIZE_LEAST, SIZE_GREATEST, SIZE_MEAN, SIZE_TWICE_MAX, SIZE_SUM };

struct dimemas_phase { /* of a collective operation: in to the root, or out of it */
  enum dimemas_model model;
  enum dimemas_size size;
};

struct dimemas_module { /* a region whose bursts have a ratio of their own */
  int64_t type, value;
  double ratio; /* 0: they take no time; below 0: each takes so many seconds */
};

enum { DIMEMAS_PASSED = 4 };

struct dimemas_machine {
  uint32_t node_count, task_count, module_count; /* task_count 0: the mapping says it of any number */
  double (*nodes)[NODE_FIGURES];
  double bandwidth, buses;
  struct dimemas_phase phases[DIMEMAS_OPERATIONS][2];
  uint32_t *task_nodes;
  enum { MAP_FILL, MAP_EACH, MAP_INTERLEAVED, MAP_LIST } mapping;
  uint32_t tasks_each; /* tasks a node, of MAP_EACH */
  struct dimemas_module *modules;
  char passed[DIMEMAS_PASSED][160]; /* what the file says and nothing here simulates, with its place */
  uint32_t passed_count;
};

/* NULL: `error` says at which line of which file. */
struct dimemas_machine *dimemas_machine_read(const char *path, char *error, size_t size);
void dimemas_machine_close(struct dimemas_machine *machine); /* NULL is fine */
int dimemas_figure_named(const char *name);                  /* enum dimemas_figure; -1: none */
/* Of the first node, or of the machine. */
double dimemas_figure(const struct dimemas_machine *machine, enum dimemas_figure figure);
/* The node of each task; false: there are too few. */
bool dimemas_map(const struct dimemas_machine *machine, uint32_t tasks, uint32_t *nodes, char *error, size_t size);
#endif
