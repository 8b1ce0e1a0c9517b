/* The front end of PISA: instructions of eight bytes, of which the first four hold the number and the others registers
 * and immediates; branches without delay slots. */
#include "evaluators/processor/pisa.h"

#include <math.h>
#include <stdlib.h>

enum operation {
  PISA_NONE,
#define PISA(number, name, text, writes, reads, unit, flags) PISA_##name,
#include "evaluators/processor/pisa.def"
  PISA_UNKNOWN
};

struct row {
  enum operation operation;
  const char *text, *writes, *reads;
  uint8_t unit;
  uint16_t flags;
};
static const struct row rows[] = {
#define PISA(number, name, text, writes, reads, unit, flags) \
  [number] = {PISA_##name, text, writes, reads, UNIT_##unit, flags},
#include "evaluators/processor/pisa.def"
};
enum { ROWS = sizeof rows / sizeof *rows };

static const struct {
  uint8_t number, offset;
  enum operation operation;
} indexed_rows[] = {
#define PISA(number, name, text, writes, reads, unit, flags)
#define INDEXED(number, name, offset) {number, offset, PISA_##name},
#include "evaluators/processor/pisa.def"
};

/* ---- decoding ---- */

static const struct row *row_of(enum operation operation) {
  for (size_t r = 0; r < ROWS; r++)
    if (rows[r].operation == operation) return &rows[r];
  return NULL;
}

/* The number of a register for the model of time. */
static uint8_t register_of(char letter, unsigned d, unsigned s, unsigned t) {
  switch (letter) {
  case 'd': return d & 31;
  case 's': return s & 31;
  case 't': return t & 31;
  case 'p': return t & 30;
  case 'D': return 32 + (d & 30);
  case 'S': return 32 + (s & 30);
  case 'T': return 32 + (t & 30);
  case 'r': return 31;
  case 'h': return 64;
  case 'l': return 65;
  case 'c': return 66;
  default: return 0;
  }
}

static bool is_memory(const struct row *row) { return row->flags & (IS_LOAD | IS_STORE); }

static bool names(const struct row *row, const char *letters) {
  return strpbrk(row->writes, letters) || strpbrk(row->reads, letters);
}

/* The row of a number; *offset: of its address, where that is the sum of two registers, else -1. */
static const struct row *find_row(unsigned number, int *offset) {
  *offset = -1;
  if (number < ROWS && rows[number].operation) return &rows[number];
  for (size_t i = 0; i < sizeof indexed_rows / sizeof *indexed_rows; i++) {
    if (indexed_rows[i].number != number) continue;
    *offset = indexed_rows[i].offset;
    return row_of(indexed_rows[i].operation);
  }
  return NULL;
}

static int32_t immediate_of(const struct row *row, uint32_t word, int offset) {
  if (offset >= 0) return offset;
  if (row->operation == PISA_J || row->operation == PISA_JAL) return (int32_t)(word & 0x3ffffff);
  return (int16_t)(word & 0xffff);
}

static void decode(struct program *p, uint64_t pc, struct instruction *out) {
  uint32_t words[2] = {0};
  int offset;
  space_read(&p->space, pc, words, sizeof words);
  unsigned s = words[1] >> 24, t = words[1] >> 16 & 0xff, d = words[1] >> 8 & 0xff;
  const struct row *row = find_row(words[0] & 0xff, &offset);
  *out = (struct instruction){
      .operation = PISA_UNKNOWN, .length = 8, .unit = UNIT_INTEGER, .immediate = (int32_t)words[0]};
  if (!row || (s > 31 && names(row, "sS")) || (t > 31 && names(row, "tTp")) || (d > 31 && names(row, "dD"))) return;
  out->operation = (uint8_t)row->operation;
  out->unit = row->unit;
  out->flags = row->flags;
  out->a = s & 31;
  out->b = t & 31;
  out->c = is_memory(row) && offset < 0 ? 0 : d & 31;
  out->immediate = immediate_of(row, words[1], offset);
  if (row->operation == PISA_JR && s == 31) out->flags |= IS_RETURN;
  for (size_t i = 0; row->writes[i]; i++)
    out->writes[i] = register_of(row->writes[i], d, s, t);
  for (size_t i = 0; row->reads[i]; i++)
    out->reads[i] = register_of(row->reads[i], d, s, t);
  if (offset >= 0) out->reads[2] = out->c;
}

/* ---- execution ---- */

static uint32_t load_address(struct program *p, const uint32_t *r, const struct instruction *i) {
  uint32_t address = r[i->a] + r[i->c] + (uint32_t)i->immediate;
  p->address = address;
  return address;
}

/* Zero where there is nothing that may be read. */
static void load(struct program *p, uint32_t address, void *out, unsigned size) {
  memset(out, 0, size);
  if (address % size) {
    program_fault(p, "a load of %u bytes from 0x%x, which is no multiple of that", size, address);
    return;
  }
  if (!space_read(&p->space, address, out, size))
    program_fault(p, "a load from 0x%x, where there is no memory", address);
}

static void store(struct program *p, uint32_t address, const void *in, unsigned size) {
  if (address % size)
    program_fault(p, "a store of %u bytes to 0x%x, which is no multiple of that", size, address);
  else if (!space_write(&p->space, address, in, size))
    program_fault(p, "a store to 0x%x, where there is no memory that may be written%s", address,
                  p->code_begin <= address && address < p->code_end ? " (it changes its own code)" : "");
}

static uint32_t load_word(struct program *p, uint32_t address) {
  uint32_t word;
  load(p, address, &word, 4);
  return word;
}

/* The bytes of a word in memory on one side of an address, at the end of a register that they belong to. */
static uint32_t load_left(struct program *p, uint32_t address, uint32_t old) {
  unsigned shift = 8 * (3 - address % 4);
  uint32_t word = load_word(p, address & ~3u);
  return (word << shift) | (shift ? old & (UINT32_MAX >> (32 - shift)) : 0);
}

static uint32_t load_right(struct program *p, uint32_t address, uint32_t old) {
  unsigned shift = 8 * (address % 4);
  uint32_t word = load_word(p, address & ~3u);
  return (word >> shift) | (shift ? old & ~(UINT32_MAX >> shift) : 0);
}

static void store_left(struct program *p, uint32_t address, uint32_t value) {
  unsigned shift = 8 * (3 - address % 4);
  uint32_t word = load_word(p, address & ~3u), kept = shift ? ~(UINT32_MAX >> shift) : 0;
  word = (word & kept) | value >> shift;
  store(p, address & ~3u, &word, 4);
}

static void store_right(struct program *p, uint32_t address, uint32_t value) {
  unsigned shift = 8 * (address % 4);
  uint32_t word = load_word(p, address & ~3u), kept = shift ? UINT32_MAX >> (32 - shift) : 0;
  word = (word & kept) | value << shift;
  store(p, address & ~3u, &word, 4);
}

static uint32_t added(struct program *p, uint32_t a, uint32_t b) {
  int32_t sum;
  if (__builtin_add_overflow((int32_t)a, (int32_t)b, &sum)) program_fault(p, "a sum that overflows");
  return (uint32_t)sum;
}

static uint32_t subtracted(struct program *p, uint32_t a, uint32_t b) {
  int32_t difference;
  if (__builtin_sub_overflow((int32_t)a, (int32_t)b, &difference)) program_fault(p, "a difference that overflows");
  return (uint32_t)difference;
}

static void divide(struct program *p, uint32_t *r, uint32_t a, uint32_t b, bool is_signed) {
  if (!b) {
    program_fault(p, "a division by zero");
  } else if (!is_signed) {
    r[PISA_LO] = a / b;
    r[PISA_HI] = a % b;
  } else if (b == UINT32_MAX) {
    r[PISA_LO] = -a;
    r[PISA_HI] = 0;
  } else {
    r[PISA_LO] = (uint32_t)((int32_t)a / (int32_t)b);
    r[PISA_HI] = (uint32_t)((int32_t)a % (int32_t)b);
  }
}

static void multiply(uint32_t *r, uint64_t product) {
  r[PISA_LO] = (uint32_t)product;
  r[PISA_HI] = (uint32_t)(product >> 32);
}

/* As the conversions of the machines that PISA was run on: what has no such number is the least one. */
static uint32_t to_word(double value) {
  return value > -2147483649.0 && value < 2147483648.0 ? (uint32_t)(int32_t)value : 0x80000000u;
}

static void branch(struct program *p, const struct instruction *i, bool taken) {
  p->target = (uint32_t)p->pc + 8 + ((uint32_t)i->immediate << 2);
  if (taken) p->next = p->target;
}

static void jump(struct program *p, const struct instruction *i) {
  p->target = p->next = ((uint32_t)p->pc & 0xf0000000) | ((uint32_t)i->immediate << 2);
}

static bool jump_to(struct program *p, uint32_t to) {
  if (to % 8)
    program_fault(p, "a jump to 0x%x, which is no multiple of 8", to);
  else
    p->next = to;
  return to % 8 == 0;
}

static void execute(struct program *p, const struct instruction *i) {
  struct pisa *pisa = (struct pisa *)p;
  uint32_t *r = pisa->now.integer, *f = pisa->now.floating.word, s = r[i->a], t = r[i->b];
  uint32_t signed_immediate = (uint32_t)i->immediate, immediate = signed_immediate & 0xffff;
  float *single = pisa->now.floating.single;
  double *whole = pisa->now.floating.whole;
  unsigned shift = immediate & 31;
  const unsigned d = i->c, dd = d / 2, ss = i->a / 2, tt = i->b / 2;
  uint8_t byte;
  uint16_t half;
  switch ((enum operation)i->operation) {
  case PISA_NOP:
  case PISA_CFC1:
  case PISA_CTC1: break;
  case PISA_J: jump(p, i); break;
  case PISA_JAL: jump(p, i), r[31] = (uint32_t)p->pc + 8; break;
  case PISA_JR: jump_to(p, s); break;
  case PISA_JALR:
    if (jump_to(p, s)) r[d] = (uint32_t)p->pc + 8;
    break;
  case PISA_BEQ: branch(p, i, s == t); break;
  case PISA_BNE: branch(p, i, s != t); break;
  case PISA_BLEZ: branch(p, i, (int32_t)s <= 0); break;
  case PISA_BGTZ: branch(p, i, (int32_t)s > 0); break;
  case PISA_BLTZ: branch(p, i, (int32_t)s < 0); break;
  case PISA_BGEZ: branch(p, i, (int32_t)s >= 0); break;
  case PISA_BC1F: branch(p, i, !pisa->now.condition); break;
  case PISA_BC1T: branch(p, i, pisa->now.condition); break;

  case PISA_LB: load(p, load_address(p, r, i), &byte, 1), r[i->b] = (uint32_t)(int8_t)byte; break;
  case PISA_LBU: load(p, load_address(p, r, i), &byte, 1), r[i->b] = byte; break;
  case PISA_LH: load(p, load_address(p, r, i), &half, 2), r[i->b] = (uint32_t)(int16_t)half; break;
  case PISA_LHU: load(p, load_address(p, r, i), &half, 2), r[i->b] = half; break;
  case PISA_LW: r[i->b] = load_word(p, load_address(p, r, i)); break;
  case PISA_DLW:
    s = load_address(p, r, i);
    r[i->b & 30] = load_word(p, s), r[i->b | 1] = load_word(p, s + 4);
    break;
  case PISA_L_S: f[i->b] = load_word(p, load_address(p, r, i)); break;
  case PISA_L_D:
    s = load_address(p, r, i);
    f[i->b & 30] = load_word(p, s), f[i->b | 1] = load_word(p, s + 4);
    break;
  case PISA_LWL: r[i->b] = load_left(p, load_address(p, r, i), t); break;
  case PISA_LWR: r[i->b] = load_right(p, load_address(p, r, i), t); break;
  case PISA_SB: store(p, load_address(p, r, i), &t, 1); break;
  case PISA_SH: store(p, load_address(p, r, i), &t, 2); break;
  case PISA_SW: store(p, load_address(p, r, i), &t, 4); break;
  case PISA_DSW:
    s = load_address(p, r, i);
    store(p, s, &r[i->b & 30], 4), store(p, s + 4, &r[i->b | 1], 4);
    break;
  case PISA_DSZ:
    s = load_address(p, r, i);
    store(p, s, &r[0], 4), store(p, s + 4, &r[0], 4);
    break;
  case PISA_S_S: store(p, load_address(p, r, i), &f[i->b], 4); break;
  case PISA_S_D:
    s = load_address(p, r, i);
    store(p, s, &f[i->b & 30], 4), store(p, s + 4, &f[i->b | 1], 4);
    break;
  case PISA_SWL: store_left(p, load_address(p, r, i), t); break;
  case PISA_SWR: store_right(p, load_address(p, r, i), t); break;

  case PISA_ADD: r[d] = added(p, s, t); break;
  case PISA_ADDI: r[i->b] = added(p, s, signed_immediate); break;
  case PISA_ADDU: r[d] = s + t; break;
  case PISA_ADDIU: r[i->b] = s + signed_immediate; break;
  case PISA_SUB: r[d] = subtracted(p, s, t); break;
  case PISA_SUBU: r[d] = s - t; break;
  case PISA_MULT: multiply(r, (uint64_t)((int64_t)(int32_t)s * (int32_t)t)); break;
  case PISA_MULTU: multiply(r, (uint64_t)s * t); break;
  case PISA_DIV: divide(p, r, s, t, true); break;
  case PISA_DIVU: divide(p, r, s, t, false); break;
  case PISA_MFHI: r[d] = r[PISA_HI]; break;
  case PISA_MTHI: r[PISA_HI] = s; break;
  case PISA_MFLO: r[d] = r[PISA_LO]; break;
  case PISA_MTLO: r[PISA_LO] = s; break;
  case PISA_AND: r[d] = s & t; break;
  case PISA_ANDI: r[i->b] = s & immediate; break;
  case PISA_OR: r[d] = s | t; break;
  case PISA_ORI: r[i->b] = s | immediate; break;
  case PISA_XOR: r[d] = s ^ t; break;
  case PISA_XORI: r[i->b] = s ^ immediate; break;
  case PISA_NOR: r[d] = ~(s | t); break;
  case PISA_SLL: r[d] = t << shift; break;
  case PISA_SLLV: r[d] = t << (s & 31); break;
  case PISA_SRL: r[d] = t >> shift; break;
  case PISA_SRLV: r[d] = t >> (s & 31); break;
  case PISA_SRA: r[d] = (uint32_t)((int32_t)t >> shift); break;
  case PISA_SRAV: r[d] = (uint32_t)((int32_t)t >> (s & 31)); break;
  case PISA_SLT: r[d] = (int32_t)s < (int32_t)t; break;
  case PISA_SLTI: r[i->b] = (int32_t)s < i->immediate; break;
  case PISA_SLTU: r[d] = s < t; break;
  case PISA_SLTIU: r[i->b] = s < signed_immediate; break;
  case PISA_LUI: r[i->b] = immediate << 16; break;

  case PISA_ADD_S: single[d] = single[i->a] + single[i->b]; break;
  case PISA_ADD_D: whole[dd] = whole[ss] + whole[tt]; break;
  case PISA_SUB_S: single[d] = single[i->a] - single[i->b]; break;
  case PISA_SUB_D: whole[dd] = whole[ss] - whole[tt]; break;
  case PISA_MUL_S: single[d] = single[i->a] * single[i->b]; break;
  case PISA_MUL_D: whole[dd] = whole[ss] * whole[tt]; break;
  case PISA_DIV_S: single[d] = single[i->a] / single[i->b]; break;
  case PISA_DIV_D: whole[dd] = whole[ss] / whole[tt]; break;
  case PISA_ABS_S: single[d] = fabsf(single[i->a]); break;
  case PISA_ABS_D: whole[dd] = fabs(whole[ss]); break;
  case PISA_MOV_S: f[d] = f[i->a]; break;
  case PISA_MOV_D: whole[dd] = whole[ss]; break;
  case PISA_NEG_S: single[d] = -single[i->a]; break;
  case PISA_NEG_D: whole[dd] = -whole[ss]; break;
  case PISA_SQRT_S: single[d] = sqrtf(single[i->a]); break;
  case PISA_SQRT_D: whole[dd] = sqrt(whole[ss]); break;
  case PISA_CVT_S_D: single[d] = (float)whole[ss]; break;
  case PISA_CVT_S_W: single[d] = (float)(int32_t)f[i->a]; break;
  case PISA_CVT_D_S: whole[dd] = (double)single[i->a]; break;
  case PISA_CVT_D_W: whole[dd] = (double)(int32_t)f[i->a]; break;
  case PISA_CVT_W_S: f[d] = to_word((double)single[i->a]); break;
  case PISA_CVT_W_D: f[d] = to_word(whole[ss]); break;
  case PISA_C_EQ_S: pisa->now.condition = single[i->a] == single[i->b]; break;
  case PISA_C_EQ_D: pisa->now.condition = whole[ss] == whole[tt]; break;
  case PISA_C_LT_S: pisa->now.condition = single[i->a] < single[i->b]; break;
  case PISA_C_LT_D: pisa->now.condition = whole[ss] < whole[tt]; break;
  case PISA_C_LE_S: pisa->now.condition = single[i->a] <= single[i->b]; break;
  case PISA_C_LE_D: pisa->now.condition = whole[ss] <= whole[tt]; break;
  case PISA_MFC1: r[i->b] = f[i->a]; break;
  case PISA_DMFC1: r[i->b & 30] = f[i->a & 30], r[i->b | 1] = f[i->a | 1]; break;
  case PISA_MTC1: f[i->a] = t; break;
  case PISA_DMTC1: f[i->a & 30] = r[i->b & 30], f[i->a | 1] = r[i->b | 1]; break;

  case PISA_SYSCALL:
    if (!p->speculative) pisa_call(pisa);
    break;
  case PISA_BREAK: program_fault(p, "a break instruction"); break;
  case PISA_UNKNOWN:
  case PISA_NONE: program_fault(p, "an unknown instruction, 0x%08x", (unsigned)i->immediate); break;
  }
  r[0] = 0;
}

static void save(struct program *p) { ((struct pisa *)p)->before = ((struct pisa *)p)->now; }
static void restore(struct program *p) { ((struct pisa *)p)->now = ((struct pisa *)p)->before; }
static void close_program(struct program *p) { host_files_close(&((struct pisa *)p)->files); }

/* By the convention of its compilers: four whole numbers stand in registers, or two reals. */
static bool call(struct program *p, uint64_t code, const struct block_arguments *given) {
  struct pisa_registers *now = &((struct pisa *)p)->now;
  if (given->number_count > 4 || given->real_count > 2 || (given->number_count && given->real_count)) return false;
  for (size_t i = 0; i < given->number_count; i++)
    now->integer[PISA_ARGUMENT + i] = (uint32_t)(int64_t)given->numbers[i];
  for (size_t i = 0; i < given->real_count; i++)
    now->floating.whole[6 + i] = given->reals[i];
  now->integer[PISA_LINK] = BLOCK_END;
  now->integer[PISA_STACK] = (now->integer[PISA_STACK] & ~7u) - 16; /* room to put them down */
  p->stop = BLOCK_END;
  p->next = code;
  return true;
}

static bool knows(const uint8_t *file, size_t size) { return size > 2 && file[0] == 0x62 && file[1] == 0x01; }

const struct front_end pisa_front_end = {
    .name = "PISA",
    .size = sizeof(struct pisa),
    .granule = 8,
    .idle = {.operation = PISA_NOP, .length = 8, .flags = IS_IDLE},
    .knows = knows,
    .load = pisa_load,
    .decode = decode,
    .execute = execute,
    .save = save,
    .restore = restore,
    .close = close_program,
    .find = pisa_find,
    .call = call,
};
