/* A model in the making: what uml.c and statements.c share. */
#ifndef PSL_UML_WRITER_H
#define PSL_UML_WRITER_H
#include "interp/uml/uml.h"

struct region { /* threads that are to be written: of a fork, or of an activity that is called */
  const struct uml_element *element;
  const char *name;
  const char *threads; /* an expression; of a fork: NULL */
  const struct uml_node *fork;
  struct uml_activity *activity;
};

struct writer {
  struct uml *uml;
  struct names *names;
  struct sources *sources;
  struct text text;
  struct source_origin *origins; /* by line of the text */
  uint32_t line_count, line_capacity;
  uint32_t depth;          /* of the line to come */
  uint32_t loops;          /* that are open */
  uint32_t marks;          /* that have been given */
  bool wrong;              /* a diagnostic has said why */
  const char *process;     /* the component in hand */
  bool threads;            /* it is one of threads */
  struct region **regions; /* of the process in hand */
  uint32_t region_count, region_capacity;
  const char **taken; /* names of components */
  uint32_t taken_count, taken_capacity;
};

/* A name of PSL like this one, which no component has been given. */
const char *writer_name(struct writer *w, const char *name);

/* ---- statements.c ---- */
void write_line(struct writer *w, const struct uml_element *element, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void write_wrong(struct writer *w, const struct uml_element *element, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void write_expression(struct writer *w, const struct uml_element *element, const char *expression);
void write_activity(struct writer *w, struct uml_activity *activity);
void write_fork(struct writer *w, const struct uml_node *fork);
#endif
