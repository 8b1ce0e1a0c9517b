/* The table of the evaluators that are built in, in the order in which they are listed to people.
 * The checker looks names up in it; a new evaluator is a file of its own and a line here. */
#include "evaluators/registry.h"

extern const struct psl_evaluator loggp_evaluator, lopc_evaluator, mpi_sim_evaluator, process_sim_evaluator,
    task_graph_evaluator, program_elements_evaluator, interconnect_evaluator, program_evaluator, loggops_evaluator,
    dimemas_evaluator, processor_evaluator, timer_evaluator, storage_evaluator, fork_join_evaluator,
    scheduler_evaluator, reflector_evaluator;
extern const struct psl_evaluator mva_evaluator, bard_evaluator, schweitzer_evaluator, linearizer_evaluator,
    open_network_evaluator, bounds_evaluator, asymptotic_evaluator, balanced_evaluator;

const struct psl_evaluator *const psl_evaluators[] = {
    &loggp_evaluator,
    &lopc_evaluator,
    &mpi_sim_evaluator,
    &process_sim_evaluator,
    &task_graph_evaluator,
    &program_elements_evaluator,
    &interconnect_evaluator,
    &program_evaluator,
    &loggops_evaluator,
    &dimemas_evaluator,
    &timer_evaluator,
    &processor_evaluator,
    &storage_evaluator,
    &fork_join_evaluator,
    &scheduler_evaluator,
    &reflector_evaluator,
    &mva_evaluator,
    &bard_evaluator,
    &schweitzer_evaluator,
    &linearizer_evaluator,
    &open_network_evaluator,
    &bounds_evaluator,
    &asymptotic_evaluator,
    &balanced_evaluator,
    NULL,
};
