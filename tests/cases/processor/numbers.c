/* Floating point of a processor: each operation on all pairs of numbers that are special, in each rounding, and integer
 * operations on theirs. Prints a sum over all results and flags for each operation; two processors that agree print the
 * same. */
#include <stdint.h>
#include <stdio.h>

static const uint64_t doubles[] = {0,
                                   0x8000000000000000,
                                   0x3ff0000000000000,
                                   0xbff0000000000000,
                                   0x7ff0000000000000,
                                   0xfff0000000000000,
                                   0x7ff8000000000000,
                                   0x7ff0000000000001,
                                   0xfff8000000000123,
                                   1,
                                   0x800fffffffffffff,
                                   0x0010000000000000,
                                   0x7fefffffffffffff,
                                   0x3fd5555555555555,
                                   0xc1e0000000000000,
                                   0x41dfffffffe00000,
                                   0x43e0000000000000,
                                   0x3fe0000000000000,
                                   0x4004000000000000,
                                   0xc00c000000000000,
                                   0x41efffffffffffff,
                                   0x36a0000000000000,
                                   0x3ff0000000000001,
                                   0x3ca0000000000000,
                                   0xbcb0000000000000,
                                   0x3ff0000010000000,
                                   0xbff0000030000000};
static const uint32_t singles[] = {0,          0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000,
                                   0x7fc00000, 0x7f800001, 0xffc00123, 1,          0x807fffff, 0x00800000,
                                   0x7f7fffff, 0x3eaaaaab, 0xcf000000, 0x4effffff, 0x5f000000, 0x3f000000,
                                   0x40200000, 0xc0600000, 0x3f800001, 0x33800000, 0x3f800003};
static const uint64_t integers[] = {0,
                                    1,
                                    2,
                                    7,
                                    UINT64_MAX,
                                    (uint64_t)-7,
                                    0x80000000,
                                    0xffffffff80000000,
                                    0x7fffffff,
                                    INT64_MAX,
                                    (uint64_t)INT64_MIN,
                                    63,
                                    64,
                                    0x123456789abcdef0};
#define COUNT(a) (sizeof(a) / sizeof *(a))

static uint64_t sum;
static void add(uint64_t x) { sum = (sum ^ x) * 0x100000001b3u + (sum >> 47); }
static void add_flags(void) {
  uint64_t flags;
  __asm__ volatile("frflags %0\n\tfsflags x0" : "=r"(flags));
  add(flags);
}
static void show(const char *name) {
  printf("%-10s %016llx\n", name, (unsigned long long)sum);
  sum = 0;
}

#define BOTH(op, type, table, kind, mode)                                 \
  for (unsigned i = 0; i < COUNT(table); i++)                             \
    for (unsigned j = 0; j < COUNT(table); j++) {                         \
      type a, b, c;                                                       \
      uint64_t bits;                                                      \
      __builtin_memcpy(&a, &table[i], sizeof a);                          \
      __builtin_memcpy(&b, &table[j], sizeof b);                          \
      __asm__ volatile(op " %0, %1, %2" mode : "=f"(c) : "f"(a), "f"(b)); \
      __asm__ volatile("fmv.x.d %0, %1" : "=r"(bits) : "f"(c));           \
      add(bits);                                                          \
      add_flags();                                                        \
    }
#define FLOATS(op, mode)                      \
  do {                                        \
    BOTH(op ".d", double, doubles, "d", mode) \
    BOTH(op ".s", float, singles, "s", mode)  \
    show(op mode);                            \
  } while (0)
#define ROUNDED(op)    \
  FLOATS(op, ", rne"); \
  FLOATS(op, ", rtz"); \
  FLOATS(op, ", rdn"); \
  FLOATS(op, ", rup"); \
  FLOATS(op, ", rmm")

#define TO_INTEGER(op, type, table, mode)                      \
  for (unsigned i = 0; i < COUNT(table); i++) {                \
    type a;                                                    \
    uint64_t bits;                                             \
    __builtin_memcpy(&a, &table[i], sizeof a);                 \
    __asm__ volatile(op " %0, %1" mode : "=r"(bits) : "f"(a)); \
    add(bits);                                                 \
    add_flags();                                               \
  }
#define TO_INTEGERS(to, mode)                          \
  do {                                                 \
    TO_INTEGER("fcvt." to ".d", double, doubles, mode) \
    TO_INTEGER("fcvt." to ".s", float, singles, mode)  \
    show("to " to mode);                               \
  } while (0)
#define TO_INTEGERS_ROUNDED(to) \
  TO_INTEGERS(to, ", rne");     \
  TO_INTEGERS(to, ", rtz");     \
  TO_INTEGERS(to, ", rdn");     \
  TO_INTEGERS(to, ", rup");     \
  TO_INTEGERS(to, ", rmm")

#define FROM_INTEGER(op, table)                               \
  for (unsigned i = 0; i < COUNT(table); i++) {               \
    double c;                                                 \
    uint64_t bits;                                            \
    __asm__ volatile(op : "=f"(c) : "r"(table[i]));           \
    __asm__ volatile("fmv.x.d %0, %1" : "=r"(bits) : "f"(c)); \
    add(bits);                                                \
    add_flags();                                              \
  }

#define COMPARE(op, type, table)                                        \
  for (unsigned i = 0; i < COUNT(table); i++)                           \
    for (unsigned j = 0; j < COUNT(table); j++) {                       \
      type a, b;                                                        \
      uint64_t bits;                                                    \
      __builtin_memcpy(&a, &table[i], sizeof a);                        \
      __builtin_memcpy(&b, &table[j], sizeof b);                        \
      __asm__ volatile(op " %0, %1, %2" : "=r"(bits) : "f"(a), "f"(b)); \
      add(bits);                                                        \
      add_flags();                                                      \
    }
#define COMPARES(op)                  \
  do {                                \
    COMPARE(op ".d", double, doubles) \
    COMPARE(op ".s", float, singles)  \
    show(op);                         \
  } while (0)

#define SUMS(op, mode)                                                                      \
  do {                                                                                      \
    for (unsigned i = 0; i < COUNT(doubles); i++)                                           \
      for (unsigned j = 0; j < COUNT(doubles); j++)                                         \
        for (unsigned k = 0; k < COUNT(doubles); k++) {                                     \
          double a, b, c, d;                                                                \
          uint64_t bits;                                                                    \
          __builtin_memcpy(&a, &doubles[i], 8);                                             \
          __builtin_memcpy(&b, &doubles[j], 8);                                             \
          __builtin_memcpy(&c, &doubles[k], 8);                                             \
          __asm__ volatile(op ".d %0, %1, %2, %3" mode : "=f"(d) : "f"(a), "f"(b), "f"(c)); \
          __asm__ volatile("fmv.x.d %0, %1" : "=r"(bits) : "f"(d));                         \
          add(bits);                                                                        \
          add_flags();                                                                      \
        }                                                                                   \
    show(op mode);                                                                          \
  } while (0)

#define ONE(op, type, table) ONE_ROUNDED(op, type, table, "")
#define ONE_ROUNDED(op, type, table, mode)                    \
  for (unsigned i = 0; i < COUNT(table); i++) {               \
    type a, c;                                                \
    uint64_t bits;                                            \
    __builtin_memcpy(&a, &table[i], sizeof a);                \
    __asm__ volatile(op " %0, %1" mode : "=f"(c) : "f"(a));   \
    __asm__ volatile("fmv.x.d %0, %1" : "=r"(bits) : "f"(c)); \
    add(bits);                                                \
    add_flags();                                              \
  }

#define INTEGERS(op)                                                                       \
  do {                                                                                     \
    for (unsigned i = 0; i < COUNT(integers); i++)                                         \
      for (unsigned j = 0; j < COUNT(integers); j++) {                                     \
        uint64_t c;                                                                        \
        __asm__ volatile(op " %0, %1, %2" : "=r"(c) : "r"(integers[i]), "r"(integers[j])); \
        add(c);                                                                            \
      }                                                                                    \
    show(op);                                                                              \
  } while (0)

#define ATOMIC(op)                                                                                    \
  do {                                                                                                \
    for (unsigned i = 0; i < COUNT(integers); i++)                                                    \
      for (unsigned j = 0; j < COUNT(integers); j++) {                                                \
        uint64_t place = integers[i], old;                                                            \
        __asm__ volatile(op " %0, %2, (%1)" : "=&r"(old) : "r"(&place), "r"(integers[j]) : "memory"); \
        add(old);                                                                                     \
        add(place);                                                                                   \
      }                                                                                               \
    show(op);                                                                                         \
  } while (0)

int main(void) {
  ROUNDED("fadd");
  ROUNDED("fsub");
  ROUNDED("fmul");
  ROUNDED("fdiv");
  FLOATS("fmin", "");
  FLOATS("fmax", "");
  FLOATS("fsgnj", "");
  FLOATS("fsgnjn", "");
  FLOATS("fsgnjx", "");
  COMPARES("feq");
  COMPARES("flt");
  COMPARES("fle");
  TO_INTEGERS_ROUNDED("w");
  TO_INTEGERS_ROUNDED("wu");
  TO_INTEGERS_ROUNDED("l");
  TO_INTEGERS_ROUNDED("lu");
  FROM_INTEGER("fcvt.d.l %0, %1, rup", integers);
  FROM_INTEGER("fcvt.d.lu %0, %1", integers);
  FROM_INTEGER("fcvt.d.w %0, %1", integers);
  FROM_INTEGER("fcvt.d.wu %0, %1", integers);
  FROM_INTEGER("fcvt.s.l %0, %1", integers);
  FROM_INTEGER("fcvt.s.lu %0, %1, rdn", integers);
  FROM_INTEGER("fcvt.s.w %0, %1", integers);
  FROM_INTEGER("fcvt.s.wu %0, %1", integers);
  FROM_INTEGER("fcvt.d.l %0, %1, rmm", integers);
  FROM_INTEGER("fcvt.d.lu %0, %1, rmm", integers);
  FROM_INTEGER("fcvt.s.l %0, %1, rmm", integers);
  FROM_INTEGER("fcvt.s.lu %0, %1, rmm", integers);
  FROM_INTEGER("fcvt.s.w %0, %1, rmm", integers);
  FROM_INTEGER("fcvt.s.wu %0, %1, rmm", integers);
  show("from whole");
  SUMS("fmadd", "");
  SUMS("fmsub", ", rdn");
  SUMS("fnmadd", ", rtz");
  SUMS("fnmsub", ", rup");
  SUMS("fmadd", ", rmm");
  SUMS("fnmsub", ", rmm");
  ONE("fsqrt.d", double, doubles);
  ONE("fsqrt.s", float, singles);
  ONE("fcvt.s.d", double, doubles);
  ONE_ROUNDED("fcvt.s.d", double, doubles, ", rmm");
  ONE("fcvt.d.s", float, singles);
  TO_INTEGER("fclass.d", double, doubles, "");
  TO_INTEGER("fclass.s", float, singles, "");
  TO_INTEGER("fmv.x.w", float, singles, "");
  show("one");
  INTEGERS("add");
  INTEGERS("sub");
  INTEGERS("sll");
  INTEGERS("slt");
  INTEGERS("sltu");
  INTEGERS("xor");
  INTEGERS("srl");
  INTEGERS("sra");
  INTEGERS("or");
  INTEGERS("and");
  INTEGERS("addw");
  INTEGERS("subw");
  INTEGERS("sllw");
  INTEGERS("srlw");
  INTEGERS("sraw");
  INTEGERS("mul");
  INTEGERS("mulh");
  INTEGERS("mulhsu");
  INTEGERS("mulhu");
  INTEGERS("div");
  INTEGERS("divu");
  INTEGERS("rem");
  INTEGERS("remu");
  INTEGERS("mulw");
  INTEGERS("divw");
  INTEGERS("divuw");
  INTEGERS("remw");
  INTEGERS("remuw");
  ATOMIC("amoadd.d");
  ATOMIC("amoswap.w");
  ATOMIC("amoxor.d");
  ATOMIC("amoor.w");
  ATOMIC("amoand.d");
  ATOMIC("amomin.w");
  ATOMIC("amomax.d");
  ATOMIC("amominu.w");
  ATOMIC("amomaxu.d");
  ATOMIC("amomin.d");
  ATOMIC("amomaxu.w");
  return 0;
}
