/*
 * Runs one row of the benchmark once and prints what it took as a JSON object.
 *
 * usage: bench ROW MODEL.json CHARACTERS.json COUNT FOLDER
 *        bench list | versions
 */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Under callgrind the instructions of the work are counted alone; without its header nothing is. */
#if defined(__has_include)
#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#endif
#endif
#ifndef CALLGRIND_ZERO_STATS
#define CALLGRIND_START_INSTRUMENTATION (void)0
#define CALLGRIND_ZERO_STATS (void)0
#define CALLGRIND_STOP_INSTRUMENTATION (void)0
#endif

static double wall_start, cpu_start, wall, cpu;
static size_t operations;
static long peak;

static double seconds(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

void bench_require(int condition, const char *message) {
  if (condition) return;
  fprintf(stderr, "bench: %s\n", message);
  exit(1);
}

/* The most memory that the process had so far, in KiB; 0 where the system does not say. */
static long highest_memory(void) {
  long kilobytes = 0;
  char line[256];
  FILE *file = fopen("/proc/self/status", "r");
  while (file && fgets(line, sizeof line, file)) {
    if (strncmp(line, "VmHWM:", 6) == 0) kilobytes = strtol(line + 6, NULL, 10);
  }
  if (file) fclose(file);
  return kilobytes;
}

void bench_begin(void) {
  CALLGRIND_START_INSTRUMENTATION;
  CALLGRIND_ZERO_STATS;
  wall_start = seconds(CLOCK_MONOTONIC);
  cpu_start = seconds(CLOCK_PROCESS_CPUTIME_ID);
}

void bench_end(size_t done) {
  cpu = seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu_start;
  wall = seconds(CLOCK_MONOTONIC) - wall_start;
  CALLGRIND_STOP_INSTRUMENTATION;
  operations = done;
  peak = highest_memory();
}

char *bench_read(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  bench_require(file && fseek(file, 0, SEEK_END) == 0, path);
  *size = (size_t)ftell(file);
  rewind(file);
  char *data = malloc(*size + 1);
  bench_require(data && fread(data, 1, *size, file) == *size, path);
  data[*size] = 0;
  fclose(file);
  return data;
}

void bench_require_same(const char *path, const char *bytes, size_t size) {
  size_t expected_size;
  char *expected = bench_read(path, &expected_size);
  bench_require(size == expected_size && memcmp(bytes, expected, size) == 0,
                "the output differs from the input");
  free(expected);
}

static bench_row find(const char *name) {
  for (const bench_entry *const *table = bench_tables(); *table; table++) {
    for (const bench_entry *entry = *table; entry->name; entry++) {
      if (strcmp(entry->name, name) == 0) return entry->run;
    }
  }
  return NULL;
}

static int list(void) {
  for (const bench_entry *const *table = bench_tables(); *table; table++) {
    for (const bench_entry *entry = *table; entry->name; entry++) puts(entry->name);
  }
  return 0;
}

int main(int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], "list") == 0) return list();
  if (argc == 2 && strcmp(argv[1], "versions") == 0) return bench_versions(), 0;
  bench_row run = argc == 6 ? find(argv[1]) : NULL;
  if (!run) {
    fprintf(stderr, "usage: %s ROW MODEL.json CHARACTERS.json COUNT FOLDER\n", argv[0]);
    return 2;
  }
  bench_input input = {argv[2], argv[3], (size_t)strtoull(argv[4], NULL, 10), argv[5]};
  run(&input);
  printf("{\"wall\": %.9f, \"cpu\": %.9f, \"operations\": %zu, \"peak\": %ld}\n", wall, cpu,
         operations, peak * 1024);
  return 0;
}
