/* x86's instructions by name: addsd, vmulpd, vfmadd231ps, and the old ones, fadd. */
#include "evaluators/programs/qemu/instruction_kind.h"

#include <string.h>

static bool begins(const char *text, const char *with) { return strncmp(text, with, strlen(with)) == 0; }

/* Registers of 512, 256 or 128 bits, the widest that the text names. */
static unsigned width_of(const char *text) { return strstr(text, "zmm") ? 512 : strstr(text, "ymm") ? 256 : 128; }

/* How many numbers an instruction of that ending works on; 0: it is none of them. */
static unsigned lanes_of(const char *ending, const char *text) {
  if (begins(ending, "ss") || begins(ending, "sd")) return 1;
  if (begins(ending, "pd")) return width_of(text) / 64;
  if (begins(ending, "ps")) return width_of(text) / 32;
  return 0;
}

static unsigned fused_operations(const char *name, const char *text) {
  static const char *const fused[] = {"fmaddsub", "fmsubadd", "fnmadd", "fnmsub", "fmadd", "fmsub"};
  for (unsigned k = 0; k < sizeof fused / sizeof *fused; k++)
    if (begins(name, fused[k])) return 2 * lanes_of(name + strlen(fused[k]) + 3, text); /* 132, 213, 231 */
  return 0;
}

static unsigned vector_operations(const char *text) {
  static const char *const plain[] = {"addsub", "hadd", "hsub", "add", "sub", "mul", "div", "sqrt", "min", "max"};
  const char *name = text + (*text == 'v');
  for (unsigned k = 0; k < sizeof plain / sizeof *plain; k++)
    if (begins(name, plain[k])) return lanes_of(name + strlen(plain[k]), text);
  return *text == 'v' ? fused_operations(name, text) : 0;
}

/* fadd, faddp, fiadd, fsubr, ...: of the stack of registers. */
static unsigned stack_operations(const char *text) {
  static const char *const names[] = {"add", "sub", "mul", "div", "sqrt"};
  if (*text != 'f') return 0;
  text += text[1] == 'i' ? 2 : 1;
  for (unsigned k = 0; k < sizeof names / sizeof *names; k++)
    if (begins(text, names[k])) return 1;
  return 0;
}

struct instruction_kind instruction_kind_of(const char *text) {
  unsigned operations = vector_operations(text);
  if (!operations) operations = stack_operations(text);
  bool branch = *text == 'j' || begins(text, "call") || begins(text, "ret") || begins(text, "loop");
  return (struct instruction_kind){operations > 0, operations, branch};
}
