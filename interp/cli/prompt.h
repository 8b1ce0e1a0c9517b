/* What the files of a session share: inputs, its own commands, the terminal. */
#ifndef PSL_CLI_SESSION_H
#define PSL_CLI_SESSION_H
#include "interp/cli/cli.h"

enum { INPUTS = 1000 }; /* that :history remembers */

struct session {
  struct cli *cli; /* of the program */
  struct psl *psl;
  bool interactive;           /* a person types at a terminal */
  bool keep_going;            /* an error does not end it */
  bool timing;                /* say how long each input took */
  bool ended;                 /* :quit */
  bool typed;                 /* what comes is a person's: at the terminal, or an argument of the command line */
  char *inputs[INPUTS];       /* the last ones, in turn; from malloc, as `edited` is */
  size_t input_count;         /* of all so far */
  char *edited;               /* by the command in hand; NULL: nothing */
  int code;                   /* the worst so far */
  const char *loaded, *saved; /* the files that were last; NULL: none */
};

/* A text that comes line by line: its inputs are done as soon as they are whole. */
struct reader {
  const char *name;               /* what stands for it in diagnostics */
  unsigned line;                  /* of the first line of `rest`, from 1 */
  struct buffer rest;             /* what is not done yet */
  struct buffer batch;            /* declarations that wait for those that follow them: they may name each other */
  unsigned batch_line, batch_end; /* of its first line, of its last */
};
void reader_open(struct reader *reader, struct scope *scope, const char *name, unsigned line);
/* Adds a piece and does what is whole then; last: nothing follows. False when the session is to end: after :quit,
 * or an error where it does not keep going. */
bool reader_take(struct session *session, struct reader *reader, const char *text, size_t size, bool last);
bool reader_wants_more(const struct reader *reader); /* of an input that has begun */
void reader_clear(struct reader *reader);            /* gives up what has begun */

/* A line that is a command: `:NAME …`, or `run …` and the like, or `NAME?`. */
bool is_command(const char *line, size_t size);
/* All commands, with a colon before the session's own, as psl_options takes them. */
const char *const *command_words(struct scope *scope);
/* Does it; EXIT_FINE or what became of it. */
int command_line(struct session *session, const char *line, size_t size);

struct session_command {
  const char *name, *arguments, *summary;
  int (*run)(struct session *session, char *rest); /* what stands behind the name, without blanks at its ends */
};
/* Is the line one of the session's own commands, but for the colon, and no expression? */
bool lacks_colon(const char *line, size_t size);
extern const struct session_command session_commands[]; /* ended by name NULL */

const char *input_before(const struct session *session, size_t number); /* from 0; NULL: it is forgotten */
/* A file of inputs; a missing one is an error unless it may be. */
bool session_script(struct session *session, const char *path, bool optional);
int terminal_session(struct session *session);

/* ---- programs.c ---- */
/* Runs a command of the shell, whose $1 is the argument (NULL: none); input: the descriptor that it reads, -1: that of
 * psl. Its exit status, 127 where the shell does not find it. */
int program_run(const char *command, const char *argument, int input);
/* The text as a person has left it in the editor, in the session's scope; NULL after an error. */
char *text_edit(struct session *session, const char *text);
#endif
