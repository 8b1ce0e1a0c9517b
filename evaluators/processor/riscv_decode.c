/* Instructions of RISC-V to what they do: of four bytes, and of two, which stand for one of four each. */
#include "evaluators/processor/riscv.h"

static const struct {
  uint8_t unit;
  uint16_t flags;
} kinds[] = {
#define RISCV(name, unit, flags) [RISCV_##name] = {UNIT_##unit, flags},
#include "evaluators/processor/riscv.def"
};

/* Bits of a word, and bits of it that stand elsewhere in a number. */
static uint32_t bits(uint32_t word, unsigned high, unsigned low) {
  return word >> low & ((1u << (high - low + 1)) - 1);
}
static int32_t sign(uint32_t value, unsigned width) { return (int32_t)(value << (32 - width)) >> (32 - width); }

enum { FLOAT_A = 1, FLOAT_B = 2, FLOAT_D = 4 }; /* which registers are those of floating point */

/* What the model of time sees of its registers. */
static void set_registers(struct instruction *out, unsigned floats, bool reads_a, bool reads_b, bool writes) {
  uint8_t a = reads_a ? (uint8_t)(out->a + (floats & FLOAT_A ? 32 : 0)) : 0;
  uint8_t b = reads_b ? (uint8_t)(out->b + (floats & FLOAT_B ? 32 : 0)) : 0;
  bool access = out->flags & (IS_LOAD | IS_STORE);
  out->reads[0] = access ? b : a;
  out->reads[1] = access ? a : b;
  out->writes[0] = writes ? (uint8_t)(out->c + (floats & FLOAT_D ? 32 : 0)) : 0;
}

static void set_kind(struct instruction *out, enum riscv_operation operation) {
  out->operation = (uint8_t)operation;
  out->unit = kinds[operation].unit;
  out->flags = kinds[operation].flags;
}

static bool links(unsigned reg) { return reg == 1 || reg == 5; }

/* ---- instructions of each kind ---- */

static void decode_jump(struct instruction *out, bool to_register) {
  set_kind(out, to_register ? RISCV_JALR : RISCV_JAL);
  if (links(out->c))
    out->flags |= IS_CALL;
  else if (to_register)
    out->flags |= links(out->a) ? IS_JUMP | IS_RETURN : IS_JUMP;
  set_registers(out, 0, to_register, false, true);
}

static bool decode_branch(struct instruction *out, unsigned how) {
  static const uint8_t operations[8] = {RISCV_BEQ, RISCV_BNE, 0, 0, RISCV_BLT, RISCV_BGE, RISCV_BLTU, RISCV_BGEU};
  if (!operations[how]) return false;
  set_kind(out, operations[how]);
  set_registers(out, 0, true, true, false);
  return true;
}

static bool decode_load(struct instruction *out, unsigned how, bool floating) {
  static const uint8_t operations[2][8] = {{RISCV_LB, RISCV_LH, RISCV_LW, RISCV_LD, RISCV_LBU, RISCV_LHU, RISCV_LWU, 0},
                                           {0, 0, RISCV_FLW, RISCV_FLD}};
  if (!operations[floating][how]) return false;
  set_kind(out, operations[floating][how]);
  set_registers(out, floating ? FLOAT_D : 0, true, false, true);
  return true;
}

static bool decode_store(struct instruction *out, unsigned how, bool floating) {
  static const uint8_t operations[2][8] = {{RISCV_SB, RISCV_SH, RISCV_SW, RISCV_SD}, {0, 0, RISCV_FSW, RISCV_FSD}};
  if (!operations[floating][how]) return false;
  set_kind(out, operations[floating][how]);
  set_registers(out, floating ? FLOAT_B : 0, true, true, false);
  return true;
}

static void decode_sum(struct instruction *out, enum riscv_operation operation, bool immediate) {
  set_kind(out, operation);
  out->mode = immediate ? MODE_IMMEDIATE : 0;
  set_registers(out, 0, true, !immediate, true);
}

static bool decode_arithmetic(struct instruction *out, uint32_t word, bool immediate, bool narrow) {
  static const uint8_t operations[2][8] = {
      {RISCV_ADD, RISCV_SLL, RISCV_SLT, RISCV_SLTU, RISCV_XOR, RISCV_SRL, RISCV_OR, RISCV_AND},
      {RISCV_ADDW, RISCV_SLLW, 0, 0, 0, RISCV_SRLW, 0, 0}};
  static const uint8_t products[2][8] = {
      {RISCV_MUL, RISCV_MULH, RISCV_MULHSU, RISCV_MULHU, RISCV_DIV, RISCV_DIVU, RISCV_REM, RISCV_REMU},
      {RISCV_MULW, 0, 0, 0, RISCV_DIVW, RISCV_DIVUW, RISCV_REMW, RISCV_REMUW}};
  unsigned how = bits(word, 14, 12), more = bits(word, 31, 25);
  uint8_t operation = operations[narrow][how];
  bool shift = how == 1 || how == 5;
  if (immediate && shift) {
    out->immediate = (int32_t)bits(word, narrow ? 24 : 25, 20);
    if (!narrow) more &= ~1u;
  }
  if (immediate && !shift) more = 0;
  if (!immediate && more == 1)
    operation = products[narrow][how];
  else if (more == 0x20 && how == 5)
    operation = narrow ? RISCV_SRAW : RISCV_SRA;
  else if (more == 0x20 && how == 0)
    operation = narrow ? RISCV_SUBW : RISCV_SUB;
  else if (more)
    operation = 0;
  if (operation) decode_sum(out, operation, immediate);
  return operation;
}

static bool decode_atomic(struct instruction *out, uint32_t word) {
  unsigned what = bits(word, 31, 27), how = bits(word, 14, 12);
  static const uint8_t known[32] = {
      [0] = 1, [1] = 1, [2] = 1, [3] = 1, [4] = 1, [8] = 1, [12] = 1, [16] = 1, [20] = 1, [24] = 1, [28] = 1};
  if (!known[what] || (how != 2 && how != 3) || (what == 2 && out->b)) return false;
  set_kind(out, what == 2 ? RISCV_LR : what == 3 ? RISCV_SC : RISCV_AMO);
  out->mode = how == 3;
  out->immediate = (int32_t)what;
  set_registers(out, 0, true, what != 2, true);
  return true;
}

static bool decode_system(struct instruction *out, uint32_t word) {
  unsigned how = bits(word, 14, 12);
  if (word == 0x73 || word == 0x100073) {
    set_kind(out, word == 0x73 ? RISCV_ECALL : RISCV_EBREAK);
    return true;
  }
  if (how == 0 || how == 4) return false;
  set_kind(out, RISCV_CSR);
  out->mode = (uint8_t)how;
  out->immediate = (int32_t)bits(word, 31, 20);
  set_registers(out, 0, how < 4, false, true);
  return true;
}

/* Floating point. mode: the rounding, or which of the operations; b: a register, or which type; immediate: is it of
 * single precision? */
static bool decode_float(struct instruction *out, uint32_t word) {
  static const uint8_t plain[4] = {RISCV_FADD, RISCV_FSUB, RISCV_FMUL, RISCV_FDIV};
  unsigned what = bits(word, 31, 27), type = bits(word, 26, 25), how = bits(word, 14, 12);
  bool fine = type < 2;
  unsigned floats = FLOAT_A | FLOAT_B | FLOAT_D;
  bool two = false;
  out->mode = (uint8_t)how;
  out->immediate = type == 0; /* single precision */
  if (what < 4)
    set_kind(out, plain[what]), two = true;
  else if (what == 0x0b)
    set_kind(out, RISCV_FSQRT), fine &= !out->b;
  else if (what == 0x04)
    set_kind(out, RISCV_FSGNJ), two = true, fine &= how < 3;
  else if (what == 0x05)
    set_kind(out, RISCV_FMINMAX), two = true, fine &= how < 2;
  else if (what == 0x14)
    set_kind(out, RISCV_FCMP), two = true, floats &= ~FLOAT_D, fine &= how < 3;
  else if (what == 0x08)
    set_kind(out, RISCV_FTOFLOAT), fine &= out->b < 2 && out->b != type;
  else if (what == 0x18)
    set_kind(out, RISCV_FTOINT), floats = FLOAT_A, fine &= out->b < 4;
  else if (what == 0x1a)
    set_kind(out, RISCV_FFROMINT), floats = FLOAT_D, fine &= out->b < 4;
  else if (what == 0x1c)
    set_kind(out, how ? RISCV_FCLASS : RISCV_FMVX), floats = FLOAT_A, fine &= how < 2 && !out->b;
  else if (what == 0x1e)
    set_kind(out, RISCV_FMVF), floats = FLOAT_D, fine &= !how && !out->b;
  else
    return false;
  set_registers(out, floats, true, two, true);
  return fine;
}

static bool decode_float_sum(struct instruction *out, uint32_t word) {
  static const uint8_t operations[4] = {RISCV_FMADD, RISCV_FMSUB, RISCV_FNMSUB, RISCV_FNMADD};
  unsigned third = bits(word, 31, 27);
  if (bits(word, 26, 25) > 1) return false;
  set_kind(out, operations[bits(word, 3, 2)]);
  out->mode = (uint8_t)(bits(word, 14, 12) | third << 3);
  out->immediate = bits(word, 26, 25) == 0;
  set_registers(out, FLOAT_A | FLOAT_B | FLOAT_D, true, true, true);
  out->reads[2] = (uint8_t)(32 + third);
  return true;
}

static int32_t branch_offset(uint32_t word) {
  return sign(bits(word, 31, 31) << 12 | bits(word, 7, 7) << 11 | bits(word, 30, 25) << 5 | bits(word, 11, 8) << 1, 13);
}
static int32_t jump_offset(uint32_t word) {
  return sign(bits(word, 31, 31) << 20 | bits(word, 19, 12) << 12 | bits(word, 20, 20) << 11 | bits(word, 30, 21) << 1,
              21);
}

static bool decode_whole(uint32_t word, struct instruction *out) {
  unsigned how = bits(word, 14, 12);
  out->a = (uint8_t)bits(word, 19, 15);
  out->b = (uint8_t)bits(word, 24, 20);
  out->c = (uint8_t)bits(word, 11, 7);
  out->immediate = sign(bits(word, 31, 20), 12);
  switch (bits(word, 6, 0)) {
  case 0x03: return decode_load(out, how, false);
  case 0x07: return decode_load(out, how, true);
  case 0x23:
  case 0x27:
    out->immediate = sign(bits(word, 31, 25) << 5 | bits(word, 11, 7), 12);
    return decode_store(out, how, word & 4);
  case 0x13: return decode_arithmetic(out, word, true, false);
  case 0x1b: return decode_arithmetic(out, word, true, true);
  case 0x33: return decode_arithmetic(out, word, false, false);
  case 0x3b: return decode_arithmetic(out, word, false, true);
  case 0x37:
  case 0x17:
    out->immediate = (int32_t)(word & 0xfffff000);
    set_kind(out, word & 0x20 ? RISCV_LUI : RISCV_AUIPC);
    set_registers(out, 0, false, false, true);
    return true;
  case 0x63: out->immediate = branch_offset(word); return decode_branch(out, how);
  case 0x6f:
    out->immediate = jump_offset(word);
    decode_jump(out, false);
    return true;
  case 0x67: decode_jump(out, true); return how == 0;
  case 0x0f: set_kind(out, RISCV_FENCE); return how < 2;
  case 0x2f: return decode_atomic(out, word);
  case 0x73: return decode_system(out, word);
  case 0x53: return decode_float(out, word);
  case 0x43:
  case 0x47:
  case 0x4b:
  case 0x4f: return decode_float_sum(out, word);
  default: return false;
  }
}

/* ---- compressed instructions ---- */

static void set_fields(struct instruction *out, unsigned d, unsigned a, unsigned b, uint32_t immediate) {
  out->c = (uint8_t)d;
  out->a = (uint8_t)a;
  out->b = (uint8_t)b;
  out->immediate = (int32_t)immediate;
}

enum { STACK = 2 };

/* Quadrant 0: accesses by a register, and the address of something on the stack. */
static bool decode_first(uint32_t h, unsigned how, struct instruction *out) {
  unsigned near = 8 + bits(h, 4, 2), base = 8 + bits(h, 9, 7);
  uint32_t words = bits(h, 5, 5) << 6 | bits(h, 12, 10) << 3 | bits(h, 6, 6) << 2;
  uint32_t doubles = bits(h, 6, 5) << 6 | bits(h, 12, 10) << 3;
  if (how == 0) {
    uint32_t offset = bits(h, 10, 7) << 6 | bits(h, 12, 11) << 4 | bits(h, 5, 5) << 3 | bits(h, 6, 6) << 2;
    set_fields(out, near, STACK, 0, offset);
    decode_sum(out, RISCV_ADD, true);
    return offset;
  }
  bool word = how == 2 || how == 6;
  set_fields(out, near, base, near, word ? words : doubles);
  if (how == 4) return false;
  return how < 4 ? decode_load(out, word ? 2 : 3, how == 1) : decode_store(out, word ? 2 : 3, how == 5);
}

/* Arithmetic of quadrant 1 on the near registers. */
static bool decode_near(uint32_t h, struct instruction *out) {
  static const uint8_t operations[2][4] = {{RISCV_SUB, RISCV_XOR, RISCV_OR, RISCV_AND}, {RISCV_SUBW, RISCV_ADDW, 0, 0}};
  static const uint8_t immediates[3] = {RISCV_SRL, RISCV_SRA, RISCV_AND};
  unsigned d = 8 + bits(h, 9, 7), what = bits(h, 11, 10);
  uint32_t immediate = bits(h, 12, 12) << 5 | bits(h, 6, 2);
  if (what < 3) {
    set_fields(out, d, d, 0, what < 2 ? immediate : (uint32_t)sign(immediate, 6));
    decode_sum(out, immediates[what], true);
    return true;
  }
  uint8_t operation = operations[bits(h, 12, 12)][bits(h, 6, 5)];
  set_fields(out, d, d, 8 + bits(h, 4, 2), 0);
  if (operation) decode_sum(out, operation, false);
  return operation;
}

static uint32_t near_jump(uint32_t h) {
  uint32_t offset = bits(h, 12, 12) << 11 | bits(h, 8, 8) << 10 | bits(h, 10, 9) << 8 | bits(h, 6, 6) << 7 |
                    bits(h, 7, 7) << 6 | bits(h, 2, 2) << 5 | bits(h, 11, 11) << 4 | bits(h, 5, 3) << 1;
  return (uint32_t)sign(offset, 12);
}

static bool decode_upper(uint32_t h, unsigned d, uint32_t immediate, struct instruction *out) {
  if (d == STACK) {
    uint32_t offset =
        bits(h, 12, 12) << 9 | bits(h, 4, 3) << 7 | bits(h, 5, 5) << 6 | bits(h, 2, 2) << 5 | bits(h, 6, 6) << 4;
    set_fields(out, d, d, 0, (uint32_t)sign(offset, 10));
    decode_sum(out, RISCV_ADD, true);
    return offset;
  }
  set_fields(out, d, 0, 0, immediate << 12);
  set_kind(out, RISCV_LUI);
  set_registers(out, 0, false, false, true);
  return immediate;
}

static bool decode_second(uint32_t h, unsigned how, struct instruction *out) {
  unsigned d = bits(h, 11, 7);
  uint32_t immediate = (uint32_t)sign(bits(h, 12, 12) << 5 | bits(h, 6, 2), 6);
  uint32_t branch = (uint32_t)sign(
      bits(h, 12, 12) << 8 | bits(h, 6, 5) << 6 | bits(h, 2, 2) << 5 | bits(h, 11, 10) << 3 | bits(h, 4, 3) << 1, 9);
  switch (how) {
  case 0:
  case 1:
  case 2:
    set_fields(out, d, how == 2 ? 0 : d, 0, immediate);
    decode_sum(out, how == 1 ? RISCV_ADDW : RISCV_ADD, true);
    if (how == 0 && !d) set_kind(out, RISCV_NOP);
    return how != 1 || d;
  case 3: return decode_upper(h, d, immediate, out);
  case 4: return decode_near(h, out);
  case 5:
    set_fields(out, 0, 0, 0, near_jump(h));
    decode_jump(out, false);
    return true;
  default: set_fields(out, 0, 8 + bits(h, 9, 7), 0, branch); return decode_branch(out, how - 6);
  }
}

static bool decode_third(uint32_t h, unsigned how, struct instruction *out) {
  unsigned d = bits(h, 11, 7), b = bits(h, 6, 2);
  bool high = bits(h, 12, 12), word = how == 2 || how == 6;
  uint32_t words = bits(h, 3, 2) << 6 | bits(h, 12, 12) << 5 | bits(h, 6, 4) << 2;
  uint32_t doubles = bits(h, 4, 2) << 6 | bits(h, 12, 12) << 5 | bits(h, 6, 5) << 3;
  uint32_t store_words = bits(h, 8, 7) << 6 | bits(h, 12, 9) << 2, store_doubles = bits(h, 9, 7) << 6 | bits(h, 12, 10)
                                                                                                            << 3;
  if (how == 0) {
    set_fields(out, d, d, 0, bits(h, 12, 12) << 5 | bits(h, 6, 2));
    decode_sum(out, RISCV_SLL, true);
    return true;
  }
  if (how < 4) {
    set_fields(out, d, STACK, 0, word ? words : doubles);
    return (how == 1 || d) && decode_load(out, word ? 2 : 3, how == 1);
  }
  if (how > 4) {
    set_fields(out, 0, STACK, b, word ? store_words : store_doubles);
    return decode_store(out, word ? 2 : 3, how == 5);
  }
  if (b) {
    set_fields(out, d, high ? d : 0, b, 0);
    decode_sum(out, RISCV_ADD, false);
    return true;
  }
  set_fields(out, high, d, 0, 0);
  if (d)
    decode_jump(out, true);
  else
    set_kind(out, RISCV_EBREAK);
  return d || high;
}

void riscv_decode(struct program *p, uint64_t pc, struct instruction *out) {
  uint16_t low = 0, high = 0;
  space_read(&p->space, pc, &low, 2);
  *out = (struct instruction){.length = (low & 3) == 3 ? 4 : 2};
  if (out->length == 4) space_read(&p->space, pc + 2, &high, 2);
  uint32_t word = low | (uint32_t)high << 16;
  unsigned how = bits(word, 15, 13);
  bool known = (low & 3) == 3   ? decode_whole(word, out)
               : (low & 3) == 0 ? decode_first(word, how, out)
               : (low & 3) == 1 ? decode_second(word, how, out)
                                : decode_third(word, how, out);
  if (known && out->operation == RISCV_ADD && out->mode == MODE_IMMEDIATE && !out->c) set_kind(out, RISCV_NOP);
  if (known) return;
  *out = (struct instruction){
      .operation = RISCV_UNKNOWN, .length = out->length, .unit = UNIT_INTEGER, .immediate = (int32_t)word};
}
