/* A program in C++ in the making: what cpp_program.c and cpp_expression.c share. */
#ifndef PSL_UML_CPP_H
#define PSL_UML_CPP_H
#include "grammar/text.h"
#include "interp/model/model.h"

/* Does the file belong to PSL's own library? What its params have come to is written as numbers. */
typedef bool program_library(void *user, const struct source *file);

struct program {
  struct arena *arena;
  struct model *model;
  program_library *is_library;
  void *user;
  struct text variables;  /* of params and lets */
  struct text prototypes; /* of functions */
  struct text functions;
  struct text values; /* what variables come to, in an order in which each knows what it needs */
  struct written {    /* params, lets and functions */
    const struct symbol *symbol;
    const char *name;
    bool changes, known, open; /* changes: its value is that of the program's run */
  } * written;
  uint32_t written_count, written_capacity;
  uint32_t depth; /* of expressions that stand for names of a component */
  bool wrong;     /* a diagnostic has said why */
};

/* Says that C++ has no way to say what stands there. */
void program_refuse(struct program *p, struct span span, const char *what);
/* The expression in C++, with parentheses where it needs them. */
void program_expression(struct program *p, struct text *out, const struct expr *expr);
/* What a type is in C++; NULL after program_refuse. */
const char *program_type(struct program *p, const struct type *type, struct span span);
/* A name of C++ for what has a name in a body, which none of the program's has. */
const char *program_local(struct program *p, const struct name *name);
/* The same for what has one in the model. */
const char *program_name(struct program *p, const char *name);
/* A string of C++. */
void program_string(struct text *out, const char *s);

/* The model as a program, see psl_program. It is bound. False after diagnostics. */
bool program_write(struct text *out, struct arena *arena, struct model *model, program_library *is_library, void *user);
#endif
