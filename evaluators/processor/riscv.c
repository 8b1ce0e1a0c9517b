/* The front end of RISC-V: what instructions do to integers and memory; riscv_float.c has floating point. */
#include "evaluators/processor/riscv.h"

#include <fenv.h>

static bool load(struct program *p, uint64_t address, void *out, unsigned size) {
  p->address = address;
  if (space_read(&p->space, address, out, size)) return true;
  program_fault(p, "a load from 0x%llx, where there is no memory", (unsigned long long)address);
  return false;
}

static void store(struct program *p, uint64_t address, uint64_t value, unsigned size) {
  p->address = address;
  if (space_write(&p->space, address, &value, size)) return;
  program_fault(p, "a store to 0x%llx, where there is no memory that may be written%s", (unsigned long long)address,
                p->code_begin <= address && address < p->code_end ? " (it changes its own code)" : "");
}

#define LOAD(type, address)                   \
  do {                                        \
    type loaded = 0;                          \
    load(p, address, &loaded, sizeof loaded); \
    x[i->c] = (uint64_t)(int64_t)loaded;      \
  } while (0)

static void branch(struct program *p, const struct instruction *i, bool taken) {
  p->target = p->pc + (uint64_t)(int64_t)i->immediate;
  if (taken) p->next = p->target;
}

static void jump(struct program *p, uint64_t *x, const struct instruction *i, bool to_register) {
  uint64_t link = p->pc + i->length;
  p->next = p->target = to_register ? (x[i->a] + (uint64_t)(int64_t)i->immediate) & ~(uint64_t)1
                                    : p->pc + (uint64_t)(int64_t)i->immediate;
  x[i->c] = link;
}

static uint64_t narrow(uint64_t value) { return (uint64_t)(int64_t)(int32_t)value; }

static uint64_t quotient(int64_t a, int64_t b) {
  if (!b) return UINT64_MAX;
  return b == -1 ? -(uint64_t)a : (uint64_t)(a / b);
}
static uint64_t rest(int64_t a, int64_t b) {
  if (!b) return (uint64_t)a;
  return b == -1 ? 0 : (uint64_t)(a % b);
}

static uint64_t high_product(enum riscv_operation how, uint64_t a, uint64_t b) {
  unsigned __int128 product = (unsigned __int128)a * b;
  uint64_t high = (uint64_t)(product >> 64);
  if (how != RISCV_MULHU && (int64_t)a < 0) high -= b;
  if (how == RISCV_MULH && (int64_t)b < 0) high -= a;
  return high;
}

/* ---- atomic operations ---- */

static uint64_t combined(int what, uint64_t old, uint64_t given, bool whole) {
  int64_t a = whole ? (int64_t)old : (int32_t)old, b = whole ? (int64_t)given : (int32_t)given;
  uint64_t ua = whole ? old : (uint32_t)old, ub = whole ? given : (uint32_t)given;
  switch (what) {
  case 0: return old + given;
  case 1: return given;
  case 4: return old ^ given;
  case 8: return old | given;
  case 12: return old & given;
  case 16: return a < b ? old : given;
  case 20: return a > b ? old : given;
  case 24: return ua < ub ? old : given;
  default: return ua > ub ? old : given;
  }
}

static void atomic(struct riscv *r, const struct instruction *i) {
  struct program *p = &r->program;
  struct riscv_registers *now = &r->now;
  uint64_t *x = now->integer, address = x[i->a], given = x[i->b], old = 0;
  unsigned size = i->mode ? 8 : 4;
  p->address = address;
  if (address % size) {
    program_fault(p, "an atomic operation at 0x%llx, which is no multiple of %u", (unsigned long long)address, size);
  } else if (i->operation == RISCV_SC) {
    bool holds = now->reserved && now->reservation == address;
    if (holds) store(p, address, given, size);
    x[i->c] = !holds;
    now->reserved = false;
  } else if (load(p, address, &old, size)) {
    if (i->operation == RISCV_AMO)
      store(p, address, combined(i->immediate, old, given, i->mode), size);
    else
      now->reserved = true, now->reservation = address;
    x[i->c] = i->mode ? old : narrow(old);
  }
}

/* ---- registers of control ---- */

enum { FFLAGS = 1, FRM, FCSR, CYCLE = 0xc00, TIME, INSTRET };

static uint64_t control(struct riscv *r, int number) {
  switch (number) {
  case FFLAGS: return riscv_flags();
  case FRM: return r->now.rounding;
  case FCSR: return riscv_flags() | (uint64_t)r->now.rounding << 5;
  case CYCLE: return r->program.cycles;
  case TIME: return r->program.nanoseconds;
  case INSTRET: return r->program.instructions;
  default: program_fault(&r->program, "the control register 0x%x, which is not supported", (unsigned)number); return 0;
  }
}

static void set_control(struct riscv *r, int number, uint64_t value) {
  if (number == FFLAGS || number == FCSR) riscv_set_flags(value & 31);
  if (number == FRM) r->now.rounding = value & 7;
  if (number == FCSR) r->now.rounding = value >> 5 & 7;
  if (number > FCSR) program_fault(&r->program, "a write to the control register 0x%x", (unsigned)number);
}

static void access_control(struct riscv *r, const struct instruction *i) {
  uint64_t *x = r->now.integer, given = i->mode & 4 ? i->a : x[i->a];
  unsigned how = i->mode & 3;
  if (r->program.speculative) return;
  uint64_t old = how == 1 && !i->c ? 0 : control(r, i->immediate);
  if (how == 1 || i->a) set_control(r, i->immediate, how == 1 ? given : how == 2 ? old | given : old & ~given);
  x[i->c] = old;
}

/* ---- all ---- */

static void execute(struct program *p, const struct instruction *i) {
  struct riscv *r = (struct riscv *)p;
  uint64_t *x = r->now.integer, *f = r->now.floating;
  const uint64_t a = x[i->a], immediate = (uint64_t)(int64_t)i->immediate;
  const uint64_t b = i->mode == MODE_IMMEDIATE ? immediate : x[i->b], register_b = x[i->b];
  uint64_t bits = 0;
  switch ((enum riscv_operation)i->operation) {
  case RISCV_NOP:
  case RISCV_FENCE: break;
  case RISCV_LUI: x[i->c] = immediate; break;
  case RISCV_AUIPC: x[i->c] = p->pc + immediate; break;
  case RISCV_JAL: jump(p, x, i, false); break;
  case RISCV_JALR: jump(p, x, i, true); break;
  case RISCV_BEQ: branch(p, i, a == register_b); break;
  case RISCV_BNE: branch(p, i, a != register_b); break;
  case RISCV_BLT: branch(p, i, (int64_t)a < (int64_t)register_b); break;
  case RISCV_BGE: branch(p, i, (int64_t)a >= (int64_t)register_b); break;
  case RISCV_BLTU: branch(p, i, a < register_b); break;
  case RISCV_BGEU: branch(p, i, a >= register_b); break;

  case RISCV_LB: LOAD(int8_t, a + immediate); break;
  case RISCV_LH: LOAD(int16_t, a + immediate); break;
  case RISCV_LW: LOAD(int32_t, a + immediate); break;
  case RISCV_LD: LOAD(int64_t, a + immediate); break;
  case RISCV_LBU: LOAD(uint8_t, a + immediate); break;
  case RISCV_LHU: LOAD(uint16_t, a + immediate); break;
  case RISCV_LWU: LOAD(uint32_t, a + immediate); break;
  case RISCV_FLW: load(p, a + immediate, &bits, 4), f[i->c] = bits | 0xffffffff00000000; break;
  case RISCV_FLD: load(p, a + immediate, &bits, 8), f[i->c] = bits; break;
  case RISCV_SB: store(p, a + immediate, register_b, 1); break;
  case RISCV_SH: store(p, a + immediate, register_b, 2); break;
  case RISCV_SW: store(p, a + immediate, register_b, 4); break;
  case RISCV_SD: store(p, a + immediate, register_b, 8); break;
  case RISCV_FSW: store(p, a + immediate, f[i->b], 4); break;
  case RISCV_FSD: store(p, a + immediate, f[i->b], 8); break;

  case RISCV_ADD: x[i->c] = a + b; break;
  case RISCV_SUB: x[i->c] = a - b; break;
  case RISCV_SLL: x[i->c] = a << (b & 63); break;
  case RISCV_SLT: x[i->c] = (int64_t)a < (int64_t)b; break;
  case RISCV_SLTU: x[i->c] = a < b; break;
  case RISCV_XOR: x[i->c] = a ^ b; break;
  case RISCV_SRL: x[i->c] = a >> (b & 63); break;
  case RISCV_SRA: x[i->c] = (uint64_t)((int64_t)a >> (b & 63)); break;
  case RISCV_OR: x[i->c] = a | b; break;
  case RISCV_AND: x[i->c] = a & b; break;
  case RISCV_ADDW: x[i->c] = narrow(a + b); break;
  case RISCV_SUBW: x[i->c] = narrow(a - b); break;
  case RISCV_SLLW: x[i->c] = narrow(a << (b & 31)); break;
  case RISCV_SRLW: x[i->c] = narrow((uint32_t)a >> (b & 31)); break;
  case RISCV_SRAW: x[i->c] = (uint64_t)(int64_t)((int32_t)a >> (b & 31)); break;
  case RISCV_MUL: x[i->c] = a * b; break;
  case RISCV_MULH:
  case RISCV_MULHSU:
  case RISCV_MULHU: x[i->c] = high_product(i->operation, a, b); break;
  case RISCV_DIV: x[i->c] = quotient((int64_t)a, (int64_t)b); break;
  case RISCV_DIVU: x[i->c] = b ? a / b : UINT64_MAX; break;
  case RISCV_REM: x[i->c] = rest((int64_t)a, (int64_t)b); break;
  case RISCV_REMU: x[i->c] = b ? a % b : a; break;
  case RISCV_MULW: x[i->c] = narrow(a * b); break;
  case RISCV_DIVW: x[i->c] = narrow(quotient((int32_t)a, (int32_t)b)); break;
  case RISCV_DIVUW: x[i->c] = (uint32_t)b ? narrow((uint32_t)a / (uint32_t)b) : UINT64_MAX; break;
  case RISCV_REMW: x[i->c] = narrow(rest((int32_t)a, (int32_t)b)); break;
  case RISCV_REMUW: x[i->c] = narrow((uint32_t)b ? (uint32_t)a % (uint32_t)b : (uint32_t)a); break;
  case RISCV_LR:
  case RISCV_SC:
  case RISCV_AMO: atomic(r, i); break;

  case RISCV_ECALL:
    if (!p->speculative) riscv_call(r);
    break;
  case RISCV_EBREAK: program_fault(p, "a break instruction"); break;
  case RISCV_CSR: access_control(r, i); break;
  case RISCV_UNKNOWN:
  case RISCV_NONE: program_fault(p, "an unknown instruction, 0x%0*x", 2 * i->length, (unsigned)i->immediate); break;
  default: riscv_float(r, i); break;
  }
  x[0] = 0;
}

static void save(struct program *p) { ((struct riscv *)p)->before = ((struct riscv *)p)->now; }

static void restore(struct program *p) {
  struct riscv *r = (struct riscv *)p;
  r->now = r->before;
  if (!r->flags_kept) return;
  feclearexcept(FE_ALL_EXCEPT);
  feraiseexcept(r->flags);
  r->flags_kept = false;
}

/* By the convention of its compilers: of each kind eight stand in registers. */
static bool call(struct program *p, uint64_t code, const struct block_arguments *given) {
  uint64_t *x = ((struct riscv *)p)->now.integer, *f = ((struct riscv *)p)->now.floating;
  if (given->number_count > 8 || given->real_count > 8) return false;
  for (size_t i = 0; i < given->number_count; i++)
    x[10 + i] = (uint64_t)(int64_t)given->numbers[i];
  for (size_t i = 0; i < given->real_count; i++)
    memcpy(&f[10 + i], &given->reals[i], sizeof *f);
  x[1] = p->stop = BLOCK_END;
  x[2] &= ~(uint64_t)15;
  p->next = code;
  return true;
}

static void answer(struct program *p, uint64_t value) { ((struct riscv *)p)->now.integer[10] = value; }

static void enter(struct program *p) { riscv_set_flags(((struct riscv *)p)->flags_between); }
static void leave(struct program *p) { ((struct riscv *)p)->flags_between = riscv_flags(); }

static void close_program(struct program *p) { host_files_close(&((struct riscv *)p)->files); }

const struct front_end riscv_front_end = {
    .name = "RISC-V",
    .size = sizeof(struct riscv),
    .granule = 2,
    .idle = {.operation = RISCV_NOP, .length = 4, .flags = IS_IDLE},
    .knows = riscv_knows,
    .load = riscv_load,
    .decode = riscv_decode,
    .execute = execute,
    .save = save,
    .restore = restore,
    .close = close_program,
    .find = riscv_find,
    .call = call,
    .answer = answer,
    .enter = enter,
    .leave = leave,
};
