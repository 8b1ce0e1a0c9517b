/* Instructions by name. x86's: addsd, vmulpd, vfmadd231ps, and the old ones, fadd; those of ARM and RISC-V: fadd,
 * fmadd. */
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

static struct instruction_kind x86_kind(const char *text) {
  unsigned operations = vector_operations(text);
  if (!operations) operations = stack_operations(text);
  bool conditional = (*text == 'j' && !begins(text, "jmp")) || begins(text, "loop");
  bool branch = conditional || begins(text, "jmp") || begins(text, "call") || begins(text, "ret");
  bool vector = strstr(text, "xmm") || strstr(text, "ymm") || strstr(text, "zmm") || begins(text, "fld");
  return (struct instruction_kind){operations > 0, operations, branch, conditional, vector};
}

/* ---- ARM and RISC-V ---- */

/* ARM's vectors are named with their lanes, v0.2d; scalar operands are one. */
static unsigned arm_lanes(const char *text) {
  const char *vector = strstr(text, " v");
  const char *lanes = vector ? strchr(vector, '.') : NULL;
  return lanes && lanes[1] >= '2' && lanes[1] <= '8' ? (unsigned)(lanes[1] - '0') : 1;
}

/* fadd, fnmul, fmadd, fmla: two operations where it multiplies and adds. */
static unsigned plain_operations(const char *text) {
  static const char *const fused[] = {"fmadd", "fmsub", "fnmadd", "fnmsub", "fmla", "fmls"};
  static const char *const plain[] = {"fadd", "fsub", "fmul", "fnmul", "fdiv", "fsqrt", "fmin", "fmax", "fabd"};
  for (unsigned k = 0; k < sizeof fused / sizeof *fused; k++)
    if (begins(text, fused[k])) return 2;
  for (unsigned k = 0; k < sizeof plain / sizeof *plain; k++)
    if (begins(text, plain[k])) return 1;
  return 0;
}

/* Its first operand is d0, {v0.2d, v1.2d} and the like. */
static bool arm_vector(const char *text) {
  const char *first = strpbrk(text, " \t");
  if (first) first += strspn(first, " \t{");
  return first && strchr("bhsdqv", *first) && first[1] >= '0' && first[1] <= '9';
}

static struct instruction_kind arm_kind(const char *text) {
  unsigned operations = plain_operations(text) * arm_lanes(text);
  bool branch = begins(text, "b ") || begins(text, "b.") || begins(text, "bl") || begins(text, "br") ||
                begins(text, "cb") || begins(text, "tb") || begins(text, "ret");
  return (struct instruction_kind){operations > 0, operations, branch, false, arm_vector(text)};
}

/* beq, bnez, j, jal, ret, behind the instruction's own bits: "12d7f7d3          fmul.d ...". */
static struct instruction_kind riscv_kind(const char *text) {
  size_t bits = strspn(text, "0123456789abcdef");
  if ((bits == 4 || bits == 8) && text[bits] == ' ') text += bits + strspn(text + bits, " ");
  if (begins(text, "c.")) text += 2;
  unsigned operations = plain_operations(text);
  bool branch = *text == 'b' || *text == 'j' || begins(text, "ret") || begins(text, "tail") || begins(text, "call");
  return (struct instruction_kind){operations > 0, operations, branch, false, begins(text, "fl")};
}

struct instruction_kind instruction_kind_of(enum instruction_set set, const char *text) {
  return set == ARM_64 ? arm_kind(text) : set == RISC_V_64 ? riscv_kind(text) : x86_kind(text);
}
