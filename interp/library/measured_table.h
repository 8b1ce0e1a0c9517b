/* What tables of measurements that become machines have in common: columns, units, and how a machine is written. */
#ifndef PSL_MEASURED_TABLE_H
#define PSL_MEASURED_TABLE_H
#include "interp/fit/measurements.h"
#include "interp/library/handle.h"

struct measured_unit {
  const char *name;
  double factor;
};
extern const struct measured_unit measured_time_units[], measured_data_units[];

struct measured { /* a table in hand, and what comes of it */
  struct psl *psl;
  const struct psl_measure_options *options;
  const char *name, *text; /* text NULL: of the file of that name */
  size_t size;
  psl_write *write;
  void *user;
  struct measurements data;
};

/* Of what psl_measure_... was given. */
struct measured measured_open(const char *name, const char *text, size_t size,
                              const struct psl_measure_options *options, psl_write *write, void *user);
bool measured_refuse(struct measured *m, struct span span, const char *text); /* false, with that error */
/* Is it one that something can take? False, with an error there, if not. */
bool measured_time_fits(struct measured *m, struct span span, double seconds);
/* Reads the data; false with an error: they cannot be. `of`: what the table is of. */
bool measured_read(struct measured *m, const char *of);
uint32_t measured_column(const struct measurements *data, const char *name); /* UINT32_MAX: there is none */
/* The column's unit, 1 where it has none; false with an error if it is none of them. */
bool measured_unit(struct psl *psl, const struct measurement_column *column, const struct measured_unit *units,
                   const char *wanted, double *factor);
/* The name of a test at that place; NULL with an error if it is no word. */
const char *measured_word(struct psl *psl, const struct measurements *data, struct span span);
/* The comments at the table's beginning, as PSL's. */
void measured_origin(const struct measurements *data, struct text *out);
/* May a machine be called so? With an error if not; NULL may. */
bool measured_name_fits(struct psl *psl, const char *name);
bool measured_is_whole(double number, double least, double most);
/* What a step of a chain takes in s, by kind in the order of a profile's `latencies`; what an instruction takes that
 * waits for none; a branch of which half are mispredicted, and one of which none is. Below 0: it was not measured. */
enum { MEASURED_LATENCIES = 7 };
struct measured_steps {
  double latencies[MEASURED_LATENCIES], instruction, branch_by_chance, branch_one_way;
};
extern const char *const measured_step_names[MEASURED_LATENCIES];
/* The params of a profile that say so: latencies only where all are known. */
void measured_put_steps(struct text *out, const struct measured_steps *steps);
/* Is a median with that 95 % interval not known to 5 %? How many of all are not: a warning, unless none is. */
bool measured_is_noisy(double median, double low, double high);
void measured_warn_noise(struct psl *psl, uint32_t noisy, uint32_t all);
/* Writes a model, in the one layout; nothing, with an error, if it is no PSL. */
void measured_write(struct psl *psl, const struct text *model, psl_write *write, void *user);
/* Does the work by a handle of its own, so that the model of this one stays; counts its errors and warnings here. */
enum psl_code measured_apart(struct psl *psl, enum psl_code (*work)(struct psl *, void *), void *measuring);
#endif
