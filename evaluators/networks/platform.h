/* A network from a file: SimGrid's platforms in XML. */
#ifndef PSL_NETWORKS_PLATFORM_H
#define PSL_NETWORKS_PLATFORM_H
#include "evaluators/networks/topology.h"

/* Reads the file; the topology is then of platform_topology. False after writing the error, with its line. */
bool platform_read(struct psl_host *, const char *path, struct topology *, char error[200]);
extern const struct topology_kind platform_topology;
#endif
