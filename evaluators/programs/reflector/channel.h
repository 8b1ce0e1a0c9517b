/* The lines between a program and psl, of which psl-reflector(3) says what they are. */
#ifndef PSL_REFLECTOR_CHANNEL_H
#define PSL_REFLECTOR_CHANNEL_H

/* By the number of a descriptor that is open, or the path of a socket. 0: there is no psl. */
int channel_open(const char *where);
int channel_is_open(void); /* 0: psl has ended, or there was none */
void channel_drop(void);
int channel_measures(void); /* does time that is measured count for the program's clock? */
/* Puts more to what is to be sent: lines, each ended by a line feed. */
void channel_say(const char *format, ...) __attribute__((format(printf, 1, 2)));
void channel_flush(void);
/* Sends all, and waits for the answer to the last line: 1 with *answer, 0 where the model has none; *clock, where psl
 * answers: the program's by the model. */
int channel_ask(double *answer, double *clock);
#endif
