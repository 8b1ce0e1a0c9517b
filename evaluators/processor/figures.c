/* What a processor has counted, under the names of sim-outorder. */
#include "evaluators/processor/pipeline.h"

struct out {
  processor_figure *figure;
  void *user;
  enum figure_place place;
  const char *of;
};

static void count(const struct out *out, const char *name, const char *meaning, uint64_t value) {
  const struct processor_figure figure = {out->place, out->of, name, meaning, true, (double)value};
  out->figure(out->user, &figure);
}

static void ratio(const struct out *out, const char *name, const char *meaning, uint64_t part, uint64_t whole) {
  double value = whole ? (double)part / (double)whole : 0;
  const struct processor_figure figure = {out->place, out->of, name, meaning, false, value};
  out->figure(out->user, &figure);
}

static void run_figures(const struct processor *p, const struct out *out) {
  count(out, "sim_num_insn", "instructions", p->instructions);
  count(out, "sim_cycle", "cycles", p->cycle);
  ratio(out, "sim_IPC", "instructions a cycle", p->instructions, p->cycle);
  ratio(out, "sim_CPI", NULL, p->cycle, p->instructions);
  count(out, "sim_num_refs", NULL, p->loads + p->stores);
  count(out, "sim_num_loads", "loads", p->loads);
  count(out, "sim_num_stores", "stores", p->stores);
  count(out, "sim_num_branches", "branches", p->branches);
  count(out, "sim_total_insn", "with wrong paths", p->all_instructions);
  count(out, "sim_total_refs", NULL, p->all_loads + p->all_stores);
  count(out, "sim_total_loads", NULL, p->all_loads);
  count(out, "sim_total_stores", NULL, p->all_stores);
  count(out, "sim_total_branches", NULL, p->all_branches);
  ratio(out, "sim_exec_BW", NULL, p->all_instructions, p->cycle);
  ratio(out, "sim_IPB", NULL, p->instructions, p->branches);
  count(out, "sim_slip", NULL, p->slip);
  ratio(out, "avg_sim_slip", NULL, p->slip, p->instructions);
  count(out, "sim_invalid_addrs", NULL, p->invalid_addresses);
}

static void ring_figures(const struct processor *p, const struct ring *ring, struct out *out, const char *name) {
  out->of = name;
  count(out, "count", NULL, ring->sum);
  count(out, "fcount", NULL, ring->full);
  ratio(out, "occupancy", "mean", ring->sum, p->cycle);
  ratio(out, "full", "full", ring->full, p->cycle);
}

static void cache_figures(const struct cache *cache, struct out *out) {
  uint64_t accesses = cache->hits + cache->misses;
  out->of = cache->shape.name;
  count(out, "accesses", "accesses", accesses);
  count(out, "hits", NULL, cache->hits);
  count(out, "misses", "misses", cache->misses);
  count(out, "replacements", NULL, cache->replacements);
  count(out, "writebacks", "written back", cache->writebacks);
  count(out, "invalidations", NULL, cache->invalidations);
  ratio(out, "miss_rate", "miss rate", cache->misses, accesses);
  ratio(out, "repl_rate", NULL, cache->replacements, accesses);
  ratio(out, "wb_rate", NULL, cache->writebacks, accesses);
}

static void predictor_figures(const struct predictor *p, struct out *out) {
  static const char *const names[] = {"bpred_nottaken", "bpred_taken", NULL, "bpred_bimod", "bpred_2lev", "bpred_comb"};
  out->of = names[p->kind];
  count(out, "lookups", NULL, p->lookups);
  count(out, "updates", "branches", p->updates);
  count(out, "addr_hits", "right target", p->address_hits);
  count(out, "dir_hits", "right direction", p->direction_hits);
  count(out, "misses", NULL, p->misses);
  count(out, "jr_hits", "right jumps", p->jump_hits);
  count(out, "jr_seen", "jumps", p->jumps);
  count(out, "jr_non_ras_hits", NULL, p->jump_hits_without);
  count(out, "jr_non_ras_seen", NULL, p->jumps_without);
  count(out, "used_bimod", NULL, p->used_bimodal);
  count(out, "used_2lev", NULL, p->used_two_level);
  count(out, "retstack_pushes", NULL, p->pushes);
  count(out, "retstack_pops", NULL, p->pops);
  count(out, "used_ras", NULL, p->used_stack);
  count(out, "ras_hits", NULL, p->stack_hits);
  ratio(out, "bpred_addr_rate", "right", p->address_hits, p->updates);
  ratio(out, "bpred_dir_rate", NULL, p->direction_hits, p->updates);
  ratio(out, "bpred_jr_rate", NULL, p->jump_hits, p->jumps);
  ratio(out, "ras_rate", NULL, p->stack_hits, p->used_stack);
}

void processor_figures(const struct processor *p, processor_figure *figure, void *user) {
  struct out out = {figure, user, FIGURE_OF_RUN, NULL};
  const struct cache *caches[] = {&p->code1, &p->code2, &p->data1, &p->data2, &p->code_pages, &p->data_pages};
  run_figures(p, &out);
  out.place = FIGURE_OF_QUEUES;
  ring_figures(p, &p->fetch_ring, &out, "IFQ");
  ring_figures(p, &p->window, &out, "RUU");
  ring_figures(p, &p->queue, &out, "LSQ");
  out.place = FIGURE_OF_CACHES;
  for (size_t c = 0; c < sizeof caches / sizeof *caches; c++)
    if (caches[c]->blocks) cache_figures(caches[c], &out);
  out.place = FIGURE_OF_PREDICTOR;
  if (p->parameters.predictor != PREDICT_PERFECT) predictor_figures(&p->predictor, &out);
}
