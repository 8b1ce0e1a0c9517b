/* The pool: the same replies in the same order with any number of workers, whatever happens to them. */
#include "tests/unit/unit.h"

#include "interp/study/pool.h"
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { TASKS = 3000 };

/* What the workers and the test share. */
struct shared {
  volatile int deaths; /* workers die of task `fatal` while this is above 0 */
  volatile int interrupted;
  volatile pid_t worker; /* the last that worked */
  atomic_int begun;      /* tasks, by all */
};

struct test {
  struct memory memory;
  struct arena arena;
  struct shared *shared;
  uint64_t fatal;  /* UINT64_MAX: none */
  int signal;      /* it dies of; 0: of want of memory */
  uint64_t known;  /* every task of this divisor's is known before; 0: none */
  uint64_t enough; /* delivered tasks after which it is; 0: none */
  uint64_t slow;   /* ns a task */
  /* what came: */
  uint64_t delivered, arrived, done, ticks;
  uint64_t hash; /* of all that was delivered, in order */
  char failure[100];
};

static void put_number(struct text *text, uint64_t number) { text_put_n(text, (const char *)&number, sizeof number); }

static void test_wait(uint64_t nanoseconds) {
  nanosleep(&(struct timespec){(time_t)(nanoseconds / 1000000000), (long)(nanoseconds % 1000000000)}, NULL);
}

/* The reply to n is n squared, and as many bytes more as n's last digits say. */
static void make_reply(uint64_t n, struct text *reply) {
  put_number(reply, n * n);
  for (uint64_t i = 0; i < n % 1000; i++)
    text_char(reply, (char)n);
}

static void work(void *user, const char *task, size_t size, struct text *reply) {
  struct test *test = user;
  uint64_t n;
  assert_int_equal(size, sizeof n);
  memcpy(&n, task, sizeof n);
  test->shared->worker = getpid();
  test->shared->begun++;
  if (n == test->fatal && test->shared->deaths > 0) {
    test->shared->deaths--;
    if (!test->signal) longjmp(*test->memory.guard, 1);
    kill(getpid(), test->signal);
  }
  if (test->slow) test_wait(test->slow);
  make_reply(n, reply);
}

static bool give(void *user, uint64_t index, struct text *bytes) {
  struct test *test = user;
  bool known = test->known && index % test->known == 0;
  if (known)
    make_reply(index, bytes);
  else
    put_number(bytes, index);
  return !known;
}

static void arrive(void *user, uint64_t index, const struct pool_reply *reply) {
  struct test *test = user;
  (void)index;
  test->arrived++;
  test->done += reply->data != NULL;
}

static bool deliver(void *user, uint64_t index, const struct pool_reply *reply) {
  struct test *test = user;
  assert_int_equal(index, test->delivered);
  test->delivered++;
  if (reply->failure) snprintf(test->failure, sizeof test->failure, "%s", reply->failure);
  for (size_t i = 0; i < reply->size; i++)
    test->hash = (test->hash ^ (unsigned char)reply->data[i]) * 1099511628211u;
  return test->delivered != test->enough;
}

static void tick(void *user) { ((struct test *)user)->ticks++; }

static struct pool *open_pool(struct test *test, size_t jobs) {
  test->shared->interrupted = 0;
  test->memory.interrupted = &test->shared->interrupted;
  arena_open(&test->arena, &test->memory);
  return pool_open(&test->arena, &(struct pool_options){.jobs = jobs, .work = work, .user = test});
}

static enum pool_end run(struct test *test, struct pool *pool, uint64_t count) {
  test->delivered = test->arrived = test->done = test->hash = 0;
  test->failure[0] = '\0';
  return pool_run(pool, &(struct pool_run){count, give, arrive, deliver, tick, test});
}

/* What is delivered with one job and no accident. */
static uint64_t hash_of(uint64_t count) {
  struct memory memory = {0};
  struct arena arena;
  arena_open(&arena, &memory);
  struct text reply = {.arena = &arena};
  struct test test = {0};
  for (uint64_t i = 0; i < count; i++) {
    reply.size = 0;
    make_reply(i, &reply);
    deliver(&test, i, &(struct pool_reply){.data = reply.data, .size = reply.size});
  }
  arena_close(&arena);
  return test.hash;
}

static struct test new_test(void) {
  void *shared = mmap(NULL, sizeof(struct shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  assert_true(shared != MAP_FAILED);
  return (struct test){.shared = shared, .fatal = UINT64_MAX};
}

static void end_test(struct test *test) {
  arena_close(&test->arena);
  assert_int_equal(test->memory.used, 0);
  assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* no worker is left */
  munmap(test->shared, sizeof *test->shared);
}

static void test_same_replies(void **state) {
  static const size_t jobs[] = {0, 1, 2, 5};
  (void)state;
  for (size_t j = 0; j < sizeof jobs / sizeof *jobs; j++) {
    for (uint64_t known = 0; known < 3; known++) {
      struct test test = new_test();
      test.known = known;
      struct pool *pool = open_pool(&test, jobs[j]);
      for (uint64_t count = TASKS; count; count /= 20) { /* the workers stay from run to run */
        assert_int_equal(run(&test, pool, count), POOL_DONE);
        assert_int_equal(test.delivered, count);
        assert_int_equal(test.arrived, known ? count - (count + known - 1) / known : count);
        assert_true(test.hash == hash_of(count));
      }
      assert_int_equal(run(&test, pool, 0), POOL_DONE);
      if (known != 1) assert_int_equal(jobs[j] < 2, test.shared->worker == getpid());
      end_test(&test);
    }
  }
}

static void test_dead_worker(void **state) {
  static const int signals[] = {SIGKILL, SIGTERM, 0};
  (void)state;
  for (size_t s = 0; s < sizeof signals / sizeof *signals; s++) {
    for (int deaths = 1; deaths <= 3; deaths++) {
      struct test test = new_test();
      test.fatal = TASKS / 3;
      test.signal = signals[s];
      test.shared->deaths = deaths;
      assert_int_equal(run(&test, open_pool(&test, 2), TASKS), POOL_DONE);
      assert_int_equal(test.shared->deaths, 0);
      assert_int_equal(test.arrived, TASKS); /* each once */
      assert_int_equal(test.done, deaths < 3 ? TASKS : TASKS - 1);
      if (deaths < 3) assert_true(test.hash == hash_of(TASKS));
      if (deaths < 3)
        assert_string_equal(test.failure, "");
      else if (s == 0)
        assert_string_equal(test.failure, "its worker died 3 times, at last by signal 9 (Killed)");
      else if (s == 2)
        assert_string_equal(test.failure, "its worker died 3 times, at last by lack of memory");
      end_test(&test);
    }
  }
}

/* kill -9 from outside, again and again; in between there is time to go on, or one task could be met three times. */
static void test_killed_from_outside(void **state) {
  (void)state;
  struct test test = new_test();
  test.slow = 20000;
  struct pool *pool = open_pool(&test, 2);
  pid_t parent = getpid(), killer = fork();
  if (killer == 0) {
    for (int i = 0, seen = 0; i < 20; i++, seen = test.shared->begun) {
      while (test.shared->begun < seen + 200)
        test_wait(1000000);
      if (test.shared->worker && test.shared->worker != parent) kill(test.shared->worker, SIGKILL);
    }
    _exit(0);
  }
  assert_int_equal(run(&test, pool, TASKS), POOL_DONE);
  kill(killer, SIGKILL);
  waitpid(killer, NULL, 0);
  assert_int_equal(test.arrived, TASKS);
  assert_true(test.hash == hash_of(TASKS));
  end_test(&test);
}

static void test_enough_and_interrupted(void **state) {
  (void)state;
  for (size_t jobs = 1; jobs <= 3; jobs += 2) {
    struct test test = new_test();
    struct pool *pool = open_pool(&test, jobs);
    test.enough = 100;
    assert_int_equal(run(&test, pool, TASKS), POOL_ENOUGH);
    assert_int_equal(test.delivered, 100);
    assert_true(test.hash == hash_of(100));
    test.enough = 0;
    assert_int_equal(run(&test, pool, TASKS), POOL_DONE); /* the pool is still good */
    assert_true(test.hash == hash_of(TASKS));
    test.shared->interrupted = 1;
    assert_int_equal(run(&test, pool, TASKS), POOL_INTERRUPTED);
    assert_true(test.hash == hash_of(test.delivered));
    end_test(&test);
  }
}

/* One slow task holds up neither the others nor the clock. */
static void test_ticks(void **state) {
  (void)state;
  struct test test = new_test();
  test.slow = 300000000;
  assert_int_equal(run(&test, open_pool(&test, 2), 2), POOL_DONE);
  assert_in_range(test.ticks, 2, 1000);
  end_test(&test);
}

/* Who has a pool is killed: its workers end, also those that are busy. */
static void test_killed_parent(void **state) {
  (void)state;
  struct test test = new_test();
  int ends[2];
  char byte;
  assert_int_equal(pipe(ends), 0);
  pid_t parent = fork();
  if (parent == 0) {
    close(ends[0]);
    test.slow = 10000000000;
    run(&test, open_pool(&test, 2), 2);
    _exit(0);
  }
  close(ends[1]);
  while (!test.shared->worker)
    test_wait(1000000);
  kill(parent, SIGKILL);
  waitpid(parent, NULL, 0);
  assert_int_equal(read(ends[0], &byte, 1), 0); /* nobody has the other end any more */
  close(ends[0]);
  munmap(test.shared, sizeof *test.shared);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_same_replies),
      cmocka_unit_test(test_dead_worker),
      cmocka_unit_test(test_killed_from_outside),
      cmocka_unit_test(test_enough_and_interrupted),
      cmocka_unit_test(test_ticks),
      cmocka_unit_test(test_killed_parent),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
