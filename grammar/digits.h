/* Digits of numbers. */
#ifndef PSL_DIGITS_H
#define PSL_DIGITS_H

enum { DIGITS_ROOM = 32 };
/* What printf writes of a finite value: a whole number below 1e15 by %.0f, another one by %.15g, or by `step` digits
 * more, up to 17, where those do not bring back the same double. How long that is; it ends in a NUL. */
int digits_put(char to[DIGITS_ROOM], double value, int step);
#endif
