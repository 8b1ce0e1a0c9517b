/* x86's instructions as QEMU writes them, the target last: "addsd 8(%rdi, %rax, 8), %xmm0". A name says which operands
 * are read, which are written, and which other registers are; what it does not know reads all and changes the last. */
#include "evaluators/programs/qemu/dependences.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { OPERANDS_MOST = 5, RAX = 0, RCX = 1, RDX = 2, VECTORS = 16, STACK = 48, FLAGS = 63, NO_REGISTER = 255 };

struct operand {
  const char *text;
  size_t length;
  bool memory;
  uint8_t name; /* of a register */
};

static bool begins(const char *text, const char *with) { return strncmp(text, with, strlen(with)) == 0; }

static bool begins_any(const char *text, const char *const *with) {
  while (*with && !begins(text, *with))
    with++;
  return *with != NULL;
}

/* ---- operands ---- */

/* "rax", "eax", "ax" and "al" are one; rip, segments and masks are none. */
static uint8_t register_of(const char *text) {
  static const char *const old[] = {"ax", "cx", "dx", "bx", "sp", "bp", "si", "di"};
  if (strchr("xyz", *text) && begins(text + 1, "mm")) return (uint8_t)(VECTORS + atoi(text + 3) % 32);
  if (begins(text, "st")) return STACK;
  if (*text == 'r' && isdigit((unsigned char)text[1])) return (uint8_t)(atoi(text + 1) % 16);
  if (*text == 'r' || *text == 'e') text++;
  for (uint8_t k = 0; k < 8; k++)
    if (begins(text, old[k]) || (*text == *old[k] && (text[1] == 'l' || text[1] == 'h') && k < 4)) return k;
  return NO_REGISTER;
}

static struct operand operand_of(const char *text, size_t length) {
  struct operand operand = {text, length, false, NO_REGISTER};
  while (operand.length && strchr(" *\t", *operand.text))
    operand.text++, operand.length--;
  bool segment = *operand.text == '%' && memchr(operand.text, ':', operand.length);
  operand.memory = segment || (*operand.text != '%' && *operand.text != '$');
  if (!operand.memory && *operand.text == '%') operand.name = register_of(operand.text + 1);
  return operand;
}

static unsigned split(const char *text, struct operand *operands) {
  unsigned count = 0;
  int depth = 0;
  const char *from = text;
  for (; count < OPERANDS_MOST; text++) {
    depth += (*text == '(') - (*text == ')');
    if (*text && (*text != ',' || depth)) continue;
    if (text > from) operands[count++] = operand_of(from, (size_t)(text - from));
    if (!*text) break;
    from = text + 1;
  }
  return count;
}

/* ---- what is read and written ---- */

static void add_source(struct dependences *d, uint8_t name) {
  if (name != NO_REGISTER && d->source_count < SOURCES_MOST) d->sources[d->source_count++] = name;
}

static void add_target(struct dependences *d, uint8_t name) {
  if (name != NO_REGISTER && d->target_count < TARGETS_MOST) d->targets[d->target_count++] = name;
}

static void add_address(struct dependences *d, const struct operand *operand) {
  const char *from = memchr(operand->text, '(', operand->length), *end = operand->text + operand->length;
  for (; from && from < end && d->address_count < 2; from++) {
    if (*from != '%') continue;
    uint8_t name = register_of(from + 1);
    if (name != NO_REGISTER) d->addresses[d->address_count++] = name;
  }
}

static void add_read(struct dependences *d, const struct operand *operand) {
  if (operand->memory)
    add_address(d, operand);
  else
    add_source(d, operand->name);
}

static bool is_vector(uint8_t name) { return name >= VECTORS && name < STACK; }

/* Is the last operand written alone? */
static bool writes_only(const char *name, unsigned count) {
  static const char *const moves[] = {"mov",   "vmov", "lea",    "cvt",  "vcvt",   "sqrt",  "set",
                                      "pop",   "bsf",  "bsr",    "tzc",  "lzc",    "pshuf", "vpshu",
                                      "vbroa", "pext", "pmovms", "pmov", "rsqrts", NULL};
  if (begins(name, "movhp") || begins(name, "movlp") || begins(name, "cvtsi2s")) return begins(name, "cvtsi2s");
  if (begins_any(name, moves)) return true;
  if (*name == 'v' && count > 2) return !(name[1] == 'f' && (strstr(name, "madd") || strstr(name, "msub")));
  return begins(name, "imul") && count == 3;
}

static bool reads_flags(const char *name) {
  static const char *const readers[] = {"cmov", "set", "adc", "sbb", "rcl", "rcr", NULL};
  return begins_any(name, readers);
}

static bool compares(const char *name) {
  static const char *const names[] = {"cmpb", "cmpw",  "cmpl",  "cmpq",   "test", "ucom",
                                      "comi", "vucom", "vcomi", "vptest", NULL};
  return begins_any(name, names) || !strcmp(name, "cmp");
}

/* No value of theirs is waited for: where the program goes on is predicted, and the stack's end is known early. */
static bool makes_nothing(const char *name) {
  static const char *const names[] = {"j",     "call",  "ret",   "nop",   "endbr",  "loop",   "leave",    "cld", "hlt",
                                      "pause", "sysca", "cpuid", "mfenc", "lfence", "sfence", "prefetch", NULL};
  return begins_any(name, names);
}

/* A register that an instruction makes nought of, whatever it was. */
static bool clears(const char *name, const struct operand *operands, unsigned count) {
  static const char *const names[] = {"xor", "sub", "pxor", "psub", "vxor", "vpxor", NULL};
  return count >= 2 && begins_any(name, names) && operands[0].name != NO_REGISTER &&
         operands[0].name == operands[1].name;
}

/* ---- how long it takes ---- */

static void set_step(struct dependences *d, enum chain_step step, unsigned times) {
  d->step = step;
  d->times = (uint8_t)times;
}

static void set_float_step(struct dependences *d, const char *name) {
  static const char *const adds[] = {"add", "sub", "hadd", "hsub", "min", "max", "cmp", "cvt", "round", NULL};
  static const char *const stack[] = {"add", "sub", "iadd", "isub", "ld", "st", "xch", NULL};
  bool old = *name == 'f';
  name += *name == 'v' || old;
  if (begins(name, "mul") || (old && begins(name, "imul")))
    set_step(d, CHAIN_MULTIPLY, 1);
  else if (begins(name, "div"))
    set_step(d, CHAIN_DIVIDE, 1);
  else if (begins(name, "sqrt"))
    set_step(d, CHAIN_ROOT, 1);
  else if (*name == 'f' && (strstr(name, "madd") || strstr(name, "msub")))
    set_step(d, CHAIN_FUSED, 1);
  else if (begins_any(name, old ? stack : adds))
    set_step(d, CHAIN_ADD, 1);
}

static void set_time(struct dependences *d, const char *name, const struct operand *operands, unsigned count,
                     bool vector) {
  bool move = begins(name, "mov") || begins(name, "vmov");
  bool plain =
      count == 2 && move && (operands[0].memory || operands[1].memory || is_vector(operands[0].name) == vector);
  set_step(d, CHAIN_INTEGER, plain || !strcmp(name, "pushq") || !strcmp(name, "popq") ? 0 : 1);
  if (vector || *name == 'f') {
    if (!move) set_float_step(d, name);
  } else if (begins(name, "imul") || begins(name, "mul")) {
    set_step(d, CHAIN_INTEGER, 3);
  } else if (begins(name, "div") || begins(name, "idiv")) {
    set_step(d, CHAIN_INTEGER, 12);
  }
}

/* Products and quotients of two registers; the others name all theirs. */
static void add_unnamed(struct dependences *d, const char *name, unsigned count) {
  bool divides = begins(name, "div") || begins(name, "idiv");
  if (count == 1 && (divides || begins(name, "mul") || begins(name, "imul"))) {
    add_source(d, RAX);
    if (divides) add_source(d, RDX);
    add_target(d, RAX);
    add_target(d, RDX);
  }
  if (begins(name, "cqt") || begins(name, "cltd") || begins(name, "cqo")) add_source(d, RAX), add_target(d, RDX);
  if (begins(name, "cltq") || begins(name, "cwtl")) add_source(d, RAX), add_target(d, RAX);
  if (*name == 'f') add_source(d, STACK), add_target(d, STACK);
}

static const char *skip_prefixes(const char *text) {
  static const char *const prefixes[] = {"rep ",  "repz ",    "repe ", "repne ", "repnz ",
                                         "lock ", "notrack ", "bnd ",  NULL};
  while (begins_any(text, prefixes))
    text = strchr(text, ' ') + 1;
  return text;
}

struct dependences dependences_of(const char *text) {
  struct dependences d = {.step = CHAIN_INTEGER};
  struct operand operands[OPERANDS_MOST];
  char name[24] = "";
  text = skip_prefixes(text);
  size_t length = strcspn(text, " \t");
  memcpy(name, text, length < sizeof name ? length : sizeof name - 1);
  unsigned count = split(text + length + strspn(text + length, " \t"), operands);
  if (makes_nothing(name)) return d;
  const struct operand *last = count ? &operands[count - 1] : NULL;
  bool vector = last && is_vector(last->name), compare = compares(name);
  set_time(&d, name, operands, count, vector || (count && is_vector(operands[0].name)));
  if (last && !compare && !last->memory) add_target(&d, last->name);
  if (clears(name, operands, count)) {
    d.times = 0;
  } else {
    for (unsigned k = 0; k < count; k++)
      if (k + 1 < count || compare || count == 1 || operands[k].memory || !writes_only(name, count))
        add_read(&d, &operands[k]);
    if (reads_flags(name)) add_source(&d, FLAGS);
  }
  add_unnamed(&d, name, count);
  if (compare || (d.times && !vector && *name != 'f' && !begins(name, "lea") && !begins(name, "mov")))
    add_target(&d, FLAGS);
  return d;
}
