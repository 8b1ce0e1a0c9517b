/* Strands: stacks that one thread goes between. psl and the ranks of a program in its process each have one; what is
 * kept of a strand that does not run is what a function must keep: some registers and the modes of arithmetic. */
#ifndef PSL_STRAND_H
#define PSL_STRAND_H
#include <stdint.h>

#ifdef __x86_64__
/* Goes on where `to` was left; returns when somebody goes to what is left in *from. */
static __attribute__((naked, noinline, unused)) void strand_switch(void **from __attribute__((unused)),
                                                                   void *to __attribute__((unused))) {
  __asm__("pushq %rbp\n\tpushq %rbx\n\tpushq %r12\n\tpushq %r13\n\tpushq %r14\n\tpushq %r15\n\t"
          "subq $8, %rsp\n\tstmxcsr (%rsp)\n\tfnstcw 4(%rsp)\n\t"
          "movq %rsp, (%rdi)\n\tmovq %rsi, %rsp\n\t"
          "fldcw 4(%rsp)\n\tldmxcsr (%rsp)\n\taddq $8, %rsp\n\t"
          "popq %r15\n\tpopq %r14\n\tpopq %r13\n\tpopq %r12\n\tpopq %rbx\n\tpopq %rbp\n\tret");
}

static __attribute__((naked, noinline, unused)) void strand_first(void) {
  __asm__("movq %r12, %rdi\n\tcallq *%r13\n\tud2");
}

/* A strand that begins with the function, which does not return. */
static inline void *strand_make(void *top, void (*function)(void *), void *user) {
  uint64_t *stack = (uint64_t *)((uintptr_t)top & ~(uintptr_t)15);
  stack -= 2; /* what stands above a call is a multiple of 16 */
  *--stack = (uintptr_t)strand_first;
  *--stack = 0; /* rbp, rbx */
  *--stack = 0;
  *--stack = (uintptr_t)user; /* r12 */
  *--stack = (uintptr_t)function;
  *--stack = 0;
  *--stack = 0;
  *--stack = (uint64_t)0x037f << 32 | 0x1f80; /* as a process begins */
  return stack;
}

/* As the kernel starts a program: its arguments stand on the stack. */
static __attribute__((naked, noinline, noreturn, unused)) void strand_start(void *stack __attribute__((unused)),
                                                                            uintptr_t entry __attribute__((unused))) {
  __asm__("movq %rdi, %rsp\n\txorl %edx, %edx\n\txorl %ebp, %ebp\n\tjmpq *%rsi");
}
#define STRANDS 1
#else
#define STRANDS 0
static inline void strand_switch(void **from, void *to) { (void)from, (void)to; }
static inline void *strand_make(void *top, void (*function)(void *), void *user) {
  (void)function, (void)user;
  return top;
}
static inline void strand_start(void *stack, uintptr_t entry) { (void)stack, (void)entry; }
#endif
#endif
