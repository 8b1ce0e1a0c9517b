/* A simulated processor that commits nothing any more says so, and no other one: a program of RISC-V that jumps to
 * itself, on a memory that answers late. */
#include "tests/unit/unit.h"

#include "evaluators/processor/pipeline.h"
#include "evaluators/processor/riscv.h"
#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char path[] = "/tmp/psl-unit-processor-XXXXXX";
static const uint32_t jump_to_itself = 0x0000006f;

static struct program *program_of_jump(void) {
  struct {
    Elf64_Ehdr header;
    Elf64_Phdr segment;
    uint32_t code;
  } file = {.header = {.e_ident = ELFMAG,
                       .e_type = ET_EXEC,
                       .e_machine = EM_RISCV,
                       .e_version = EV_CURRENT,
                       .e_entry = 0x10000 + sizeof(Elf64_Ehdr) + sizeof(Elf64_Phdr),
                       .e_phoff = sizeof(Elf64_Ehdr),
                       .e_phentsize = sizeof(Elf64_Phdr),
                       .e_phnum = 1},
            .code = jump_to_itself};
  file.header.e_ident[EI_CLASS] = ELFCLASS64;
  file.header.e_ident[EI_DATA] = ELFDATA2LSB;
  file.segment = (Elf64_Phdr){.p_type = PT_LOAD,
                              .p_flags = PF_R | PF_X,
                              .p_vaddr = 0x10000,
                              .p_filesz = sizeof file,
                              .p_memsz = sizeof file,
                              .p_align = 0x1000};
  char name[sizeof path], error[200];
  memcpy(name, path, sizeof path);
  int out = mkstemp(name);
  assert_true(out >= 0);
  assert_int_equal(write(out, &file, sizeof file), sizeof file);
  close(out);
  struct program *p = program_open(name, (const char *const[]){name, NULL}, REACHES_NOTHING, error, sizeof error);
  unlink(name);
  if (!p) print_error("%s\n", error);
  assert_non_null(p);
  return p;
}

static void run(uint64_t patience, uint64_t cycles, char fault[200]) {
  struct parameters parameters;
  char error[200];
  parameters_default(&parameters);
  assert_true(parameters_set(&parameters, "mem:lat", "1000 2", error, sizeof error));
  struct program *program = program_of_jump();
  struct processor *p = processor_open(&parameters, program);
  assert_non_null(p);
  if (patience) p->patience = patience;
  processor_run(p, cycles);
  assert_true(*program->fault || processor_cycles(p) == cycles);
  memcpy(fault, program->fault, 200);
  processor_close(p);
  program_close(program);
}

static void one_that_stands_still_says_so(void **state) {
  char fault[200];
  (void)state;
  run(100, 1000000, fault);
  assert_string_equal(fault, "the processor stands still: no instruction was committed for 100 cycles");
}

static void one_that_waits_for_memory_does_not(void **state) {
  char fault[200];
  (void)state;
  run(0, 3000000, fault);
  assert_string_equal(fault, "");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      UNIT_TEST(one_that_stands_still_says_so),
      UNIT_TEST(one_that_waits_for_memory_does_not),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
