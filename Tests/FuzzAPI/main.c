/*
 * usage: fuzz_api SEED CALLS [FOLDER]         runs programs until so many calls are made
 *        fuzz_api --replay PROGRAM [STEP...]  runs one program, or those of its steps
 *
 * Programs run in a process of their own, a hundred in each, so that one that ends its process is
 * known; it is then run again and again with steps left out, until none can be. A process that
 * ends well has looked for leaks, when it is built so. Exit code 0: nothing was found.
 */
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fuzz.h"

enum { PROGRAMS = 100, SECONDS = 120 };

/* What a process tells the one that waits for it. */
typedef struct told {
  uint64_t program; /* the seed of the one that runs */
  uint64_t calls;
  uint64_t programs;
  uint64_t statuses[200];
} told;

static fuzz world;
static told *shared;
static const char *folder = "/tmp";

static told *share(void) {
  FILE *file = tmpfile();
  if (!file || ftruncate(fileno(file), sizeof(told)) != 0) abort();
  void *memory = mmap(NULL, sizeof(told), PROT_READ | PROT_WRITE, MAP_SHARED, fileno(file), 0);
  if (memory == MAP_FAILED) abort();
  return memory;
}

static void quiet(void) {
  int nowhere = open("/dev/null", O_WRONLY);
  if (nowhere >= 0) dup2(nowhere, 2);
}

/* Waits; 0 when the process ended well. */
static int outcome(pid_t child) {
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) < 0) abort();
  if (WIFSIGNALED(status)) return 1000 + WTERMSIG(status);
  return WEXITSTATUS(status);
}

/* Runs steps in a process of their own. */
static int try_steps(uint64_t program, const step *steps, int count, int is_told) {
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    alarm(SECONDS);
    if (!is_told) quiet();
    run_program(&world, program, steps, count, folder, is_told);
    exit(0);
  }
  return outcome(child);
}

/* Leaves out steps, many and then few at a time, as long as what is left still fails. */
static int shrink(uint64_t program, step *steps, int count) {
  for (int size = count / 2; size > 0;) {
    int is_smaller = 0;
    for (int at = 0; at + size <= count;) {
      step left[MOST_STEPS];
      memcpy(left, steps, sizeof *left * (size_t)at);
      memcpy(left + at, steps + at + size, sizeof *left * (size_t)(count - at - size));
      if (try_steps(program, left, count - size, 0) == 0) {
        at += size;
        continue;
      }
      memcpy(steps, left, sizeof *left * (size_t)(count -= size));
      is_smaller = 1;
    }
    if (size > 1 || !is_smaller) size /= 2;
  }
  return count;
}

static void report(uint64_t program, int code) {
  step steps[MOST_STEPS];
  int count = make_steps(program, steps, MOST_STEPS);
  fprintf(stderr, "program %llu ended with %d after %llu calls; what is the shortest?\n",
          (unsigned long long)program, code, (unsigned long long)shared->calls);
  count = shrink(program, steps, count);
  try_steps(program, steps, count, 1);
  fprintf(stderr, "again: fuzz_api --replay %llu", (unsigned long long)program);
  step all[MOST_STEPS];
  int most = make_steps(program, all, MOST_STEPS);
  for (int i = 0, at = 0; i < count; i++, at++) {
    while (at < most && all[at].seed != steps[i].seed) at++;
    fprintf(stderr, " %d", at);
  }
  fputc('\n', stderr);
}

/* Runs programs until there are enough calls. */
static void run(uint64_t seed, uint64_t calls) {
  world.statuses = shared->statuses;
  for (int i = 0; i < PROGRAMS && shared->calls < calls; i++) {
    step steps[MOST_STEPS];
    shared->program = next_random(&seed);
    alarm(SECONDS);
    int count = make_steps(shared->program, steps, MOST_STEPS);
    run_program(&world, shared->program, steps, count, folder, 0);
    shared->calls += world.calls;
    shared->programs++;
  }
  alarm(0);
}

/* Of a process that ended well and left something behind: which program it was. */
static int find_leak(uint64_t seed) {
  for (int i = 0; i < PROGRAMS; i++) {
    step steps[MOST_STEPS];
    uint64_t program = next_random(&seed);
    int code = try_steps(program, steps, make_steps(program, steps, MOST_STEPS), 0);
    if (code != 0) {
      report(program, code);
      return 1;
    }
  }
  fprintf(stderr, "no single program leaks\n");
  return 0;
}

static int replay(int count, char **arguments) {
  step all[MOST_STEPS], steps[MOST_STEPS];
  uint64_t program = strtoull(arguments[0], NULL, 10);
  int most = make_steps(program, all, MOST_STEPS), chosen = 0;
  for (int i = 1; i < count && chosen < MOST_STEPS; i++) {
    int at = atoi(arguments[i]);
    if (at >= 0 && at < most) steps[chosen++] = all[at];
  }
  if (count == 1) memcpy(steps, all, sizeof all), chosen = most;
  run_program(&world, program, steps, chosen, folder, 1);
  return 0;
}

int main(int count, char **arguments) {
  if (count < 3) {
    fprintf(stderr, "usage: %s SEED CALLS [FOLDER] | --replay PROGRAM [STEP...]\n", arguments[0]);
    return 2;
  }
  if (getenv("TMPDIR")) folder = getenv("TMPDIR");
  if (strcmp(arguments[1], "--replay") == 0) return replay(count - 2, arguments + 2);
  uint64_t seed = strtoull(arguments[1], NULL, 10), calls = strtoull(arguments[2], NULL, 10);
  if (count > 3) folder = arguments[3];
  shared = share();
  for (uint64_t state = seed; shared->calls < calls;) {
    uint64_t part = next_random(&state);
    shared->program = 0;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
      run(part, calls);
      exit(0);
    }
    int code = outcome(child);
    if (getenv("GROOT_FUZZ_TELL")) {
      fprintf(stderr, "%llu calls\n", (unsigned long long)shared->calls);
    }
    if (code == 0) continue;
    if (code < 1000 && code != 3) find_leak(part);
    else report(shared->program, code);
    return 1;
  }
  printf("fuzz-api: seed %llu, %llu programs, %llu calls, nothing found\n",
         (unsigned long long)seed, (unsigned long long)shared->programs,
         (unsigned long long)shared->calls);
  if (getenv("GROOT_FUZZ_STATUSES")) {
    for (int i = 0; i < 200; i++) {
      if (shared->statuses[i]) {
        printf("  %s: %llu\n", groot_status_name(i), (unsigned long long)shared->statuses[i]);
      }
    }
  }
  return 0;
}
