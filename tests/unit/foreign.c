/* Callbacks of C over forks, and where the folder for temporary files holds no code. */
#include "tests/unit/unit.h"

#include "interp/include/psl.h"
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

static const char model[] = "extern \"libc.so.6\" {\n"
                            "  function qsort(inout items : [int, count], count : uint64, size : uint64 = 8,\n"
                            "                 order : function(in a : int, in b : int) -> int32);\n"
                            "}\n"
                            "param step : int = 37;\n"
                            "function upward(a : int, b : int) -> int = a - b;\n"
                            "let mixed = [i in 0 .. 400 : (i * step) mod 401];\n"
                            "assert qsort(items = mixed, order = upward) == [i in 0 .. 400 : i];\n";

static char said[1000];

static void keep(void *user, const struct psl_diagnostic *diagnostic) {
  (void)user;
  snprintf(said, sizeof said, "%s", diagnostic->text);
}

/* Loads the model in a handle of its own and sorts so many times; 0: all well. */
static int sort(int times) {
  int wrong = 0;
  struct psl *psl = psl_open(&(struct psl_options){.diagnostic = keep, .no_library = true, .allow_native = true});
  if (!psl || psl_load_text(psl, "model", model, sizeof model - 1) != PSL_OK) wrong = 1;
  for (int i = 0; i < times && !wrong; i++) {
    char step[20];
    snprintf(step, sizeof step, "%d", i % 400 + 1);
    wrong = psl_set(psl, "step", step) != PSL_OK || psl_check(psl) != PSL_OK;
  }
  psl_close(psl);
  return wrong;
}

static int status_of(pid_t child) {
  int status;
  while (waitpid(child, &status, 0) < 0)
    if (child < 0) return -1;
  return status;
}

static void all_sort_at_once(void) {
  pid_t children[4];
  for (int i = 0; i < 4; i++)
    if ((children[i] = fork()) == 0) _exit(sort(30));
  assert_int_equal(sort(30), 0);
  for (int i = 0; i < 4; i++)
    assert_int_equal(status_of(children[i]), 0);
}

static void forks_before_and_after_the_first_callback(void **state) {
  (void)state;
  all_sort_at_once();
  all_sort_at_once();
}

/* A view of files that is this process' own, where that is allowed. */
static bool own_files(void) {
  unsigned user = getuid();
  if (unshare(CLONE_NEWNS) != 0) {
    if (unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return false;
    FILE *map = fopen("/proc/self/uid_map", "w");
    if (!map) return false;
    fprintf(map, "0 %u 1", user);
    if (fclose(map) != 0) return false;
  }
  return mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 && mount("none", "/tmp", "tmpfs", MS_NOEXEC, NULL) == 0;
}

/* In a child that has not made callbacks yet. */
static int without_code(void) {
  if (!own_files()) return 77;
  struct psl *psl = psl_open(&(struct psl_options){.diagnostic = keep, .no_library = true, .allow_native = true});
  if (!psl || psl_load_text(psl, "model", model, sizeof model - 1) != PSL_OK) return 1;
  if (psl_check(psl) != PSL_WRONG) return 2;
  psl_close(psl);
  return strstr(said, "whose pages may be executed (Operation not permitted)") ? 0 : 3;
}

static void a_folder_without_code_is_said(void **state) {
  (void)state;
  pid_t child = fork();
  if (child == 0) _exit(without_code());
  int status = status_of(child);
  assert_true(WIFEXITED(status));
  if (WEXITSTATUS(status) == 77) skip();
  assert_int_equal(WEXITSTATUS(status), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      UNIT_TEST(a_folder_without_code_is_said), /* first: no callback has been made */
      UNIT_TEST(forks_before_and_after_the_first_callback),
  };
  return cmocka_run_group_tests_name("foreign", tests, NULL, NULL);
}
