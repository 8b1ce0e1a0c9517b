/* Blocks of a program. With n arguments main works n times: what a call costs is the difference that one more makes. */
#include <stdio.h>
#include <stdlib.h>

double values[64];
int marks;

__attribute__((noinline)) void work(int n) {
  for (int k = 0; k < n; k++)
    values[k % 64] = values[k * 7 % 64] * 0.5 + k;
}
void put(int at, int by, double value, double factor) { values[at] = value * factor / by; }
void change(void) { marks++; }
void say(void) { marks = printf("%d\n", marks), fopen("/etc/passwd", "r") ? marks = -1 : 0, remove("blocks"); }
void endless(void) {
  for (volatile int k = 0;; k++)
    ;
}
void leave(void) { exit(3); }
void crash(void) { *(volatile int *)16 = 1; }

int main(int count, char **arguments) {
  (void)arguments;
  for (int k = 1; k < count; k++)
    work(4000);
  return 0;
}
