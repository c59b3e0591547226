#include "store_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *const endings[] = {"", "-wal", "-shm", "-journal"};
enum { longest_ending = 8, identifiers_step = 3, first_identifier = 1000 };

static char *beside(const char *path, const char *ending) {
  char *joined = malloc(strlen(path) + longest_ending + 1);
  bench_require(joined != NULL, "out of memory");
  strcat(strcpy(joined, path), ending);
  return joined;
}

static void remove_all(const char *path) {
  for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
    char *file = beside(path, endings[i]);
    remove(file);
    free(file);
  }
}

char *store_path(const bench_input *input, const char *name) {
  char *path = malloc(strlen(input->scratch) + strlen(name) + 64);
  bench_require(path != NULL, "out of memory");
  sprintf(path, "%s/%s-%zu.sqlite", input->scratch, name, input->count);
  remove_all(path);
  return path;
}

void store_remove(char *path) {
  remove_all(path);
  free(path);
}

int store_fork(void) {
  int status = 0;
  pid_t child = fork();
  bench_require(child >= 0, "no process can be made");
  if (child == 0) return 0;
  bench_require(waitpid(child, &status, 0) == child && status == 0, "the store was not made");
  return 1;
}

static long long size_of(const char *path) {
  struct stat found;
  return stat(path, &found) == 0 ? (long long)found.st_size : 0;
}

store_state store_look(const char *path) {
  enum { counter_offset = 24 };
  store_state state;
  memset(&state, 0, sizeof state);
  FILE *file = fopen(path, "rb");
  bench_require(file && fseek(file, counter_offset, SEEK_SET) == 0 &&
                    fread(state.change_counter, sizeof state.change_counter, 1, file) == 1,
                path);
  fclose(file);
  char *log = beside(path, "-wal");
  state.size = size_of(path);
  state.log_size = size_of(log);
  free(log);
  return state;
}

void store_require_same(const char *path, const store_state *before) {
  const store_state now = store_look(path);
  bench_require(memcmp(&now, before, sizeof now) == 0, "an import of nothing new was written");
}

int64_t store_identifier(const bench_input *input, size_t number) {
  const uint64_t mixed = (number + 1) * 0x9E3779B97F4A7C15u;
  return first_identifier + identifiers_step * (int64_t)((mixed >> 20) % input->count);
}
