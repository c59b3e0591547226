/* What a context may hold, and memory that the system refuses: a status, and nothing is lost. */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HAS_SANITIZER 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HAS_SANITIZER 1
#endif
#ifndef HAS_SANITIZER
#define HAS_SANITIZER 0
#endif

static groot_error *error;
static char folder[] = "/tmp/groot-memory-XXXXXX";
static char path[64];

enum { POWERS = 100000, MEGABYTE = 1 << 20 };

/* So many powers as JSON text. */
static char *powers(int count) {
  char *made = malloc((size_t)count * 100 + 3), *end = made;
  if (!made) exit(1);
  *end++ = '[';
  for (int i = 0; i < count; i++) {
    end += sprintf(end, "%s{\"id\":\"%d\",\"name\":\"A power with a long name, number %d\"}",
                   i == 0 ? "" : ",", i + 1, i + 1);
  }
  strcpy(end, "]");
  return made;
}

static groot_status import_all(groot_context *context, const char *json) {
  groot_objects *objects = NULL;
  groot_status status =
      groot_import_text(context, "Power", json, GROOT_NTS, NULL, &objects, &error);
  CHECK((status == GROOT_OK) == (objects != NULL));
  groot_objects_free(objects);
  return status;
}

static size_t count(groot_context *context) {
  size_t found = 0;
  CHECK_OK(groot_context_count(context, "Power", NULL, &found, &error));
  return found;
}

static uint64_t held(groot_context *context) {
  uint64_t bytes = 0;
  CHECK_OK(groot_context_memory(context, &bytes, &error));
  return bytes;
}

static void test_limit(fixture *f) {
  char *few = powers(100), *many = powers(20000);
  uint64_t empty = held(f->context);
  CHECK(empty > 0 && empty < MEGABYTE);
  CHECK_OK(import_all(f->context, few));
  uint64_t before = held(f->context);
  CHECK(before > empty);
  CHECK_OK(groot_context_set_memory_limit(f->context, before + MEGABYTE, &error));
  CHECK_FAILS(import_all(f->context, many), GROOT_LIMIT_EXCEEDED);
  CHECK(strstr(issue.message, "limit") != NULL);
  CHECK_EQUAL(count(f->context), 100);
  CHECK(held(f->context) <= before + MEGABYTE);
  check_graph(f);
  /* What is there may stay, and be changed; only more than that is refused. */
  CHECK_OK(groot_context_set_memory_limit(f->context, 1, &error));
  CHECK_OK(groot_context_save(f->context, &error));
  CHECK_FAILS(import_all(f->context, many), GROOT_LIMIT_EXCEEDED);
  CHECK_EQUAL(count(f->context), 100);
  CHECK_OK(groot_context_set_memory_limit(f->context, 0, &error));
  CHECK_OK(import_all(f->context, many));
  CHECK_EQUAL(count(f->context), 20000);
  CHECK(held(f->context) > before + MEGABYTE);
  check_graph(f);
  free(few);
  free(many);
}

static void test_misuse(fixture *f) {
  uint64_t bytes = 1;
  CHECK_FAILS(groot_context_memory(NULL, &bytes, &error), GROOT_INVALID_ARGUMENT);
  CHECK_EQUAL(bytes, 0);
  CHECK_FAILS(groot_context_memory(f->context, NULL, &error), GROOT_INVALID_ARGUMENT);
  CHECK_FAILS(groot_context_set_memory_limit(NULL, 1, &error), GROOT_INVALID_ARGUMENT);
}

/* How much memory this process has mapped. */
static size_t mapped(void) {
  unsigned long pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (!file || fscanf(file, "%lu", &pages) != 1) exit(1);
  fclose(file);
  return (size_t)pages * (size_t)sysconf(_SC_PAGESIZE);
}

/* So many bytes more than now, or again as many as there are. */
static void allow(size_t more) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) != 0) exit(1);
  limit.rlim_cur = more ? mapped() + more : limit.rlim_max;
  if (setrlimit(RLIMIT_AS, &limit) != 0) exit(1);
}

typedef int job(groot_context *context, const char *json, size_t memory);

/* 1 when an import fails for want of memory, which can then be done, 0 when there is enough. */
static int import_with(groot_context *context, const char *json, size_t memory) {
  allow(memory);
  groot_status status = import_all(context, json);
  allow(0);
  if (status == GROOT_OK) return 0;
  CHECK_FAILS(status, GROOT_OUT_OF_MEMORY);
  CHECK_EQUAL(count(context), 0);
  CHECK_OK(groot_context_check(context, &error));
  CHECK_OK(import_all(context, json));
  CHECK_EQUAL(count(context), POWERS);
  return 1;
}

/* The same for an export, whose text is the program's. */
static int export_with(groot_context *context, const char *json, size_t memory) {
  groot_objects *objects = NULL;
  CHECK_OK(groot_import_text(context, "Power", json, GROOT_NTS, NULL, &objects, &error));
  groot_buffer buffer = {NULL, 0};
  allow(memory);
  groot_status status =
      groot_export_objects_text(context, groot_objects_data(objects), groot_objects_count(objects), NULL,
                        &buffer, &error);
  allow(0);
  CHECK((status == GROOT_OK) == (buffer.data != NULL));
  if (status != GROOT_OK) {
    CHECK_FAILS(status, GROOT_OUT_OF_MEMORY);
    CHECK_OK(groot_export_objects_text(context, groot_objects_data(objects), groot_objects_count(objects),
                               NULL, &buffer, &error));
  }
  CHECK(buffer.data && strcmp(buffer.data, json) == 0);
  groot_buffer_free(&buffer);
  groot_objects_free(objects);
  return status != GROOT_OK;
}

/* The same for a save. */
static int save_with(groot_context *context, const char *json, size_t memory) {
  CHECK_OK(import_all(context, json));
  allow(memory);
  groot_status status = groot_context_save(context, &error);
  allow(0);
  if (status != GROOT_OK) {
    CHECK_FAILS(status, GROOT_OUT_OF_MEMORY);
    CHECK_OK(groot_context_save(context, &error));
  }
  CHECK_EQUAL(count(context), POWERS);
  return status != GROOT_OK;
}

/* Does a job in a child process, on a context in memory or in a store, with so much memory. */
static int do_in_child(job *work, int is_stored, const char *json, size_t memory) {
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    int before = failed_checks();
    fixture f = open_fixture("comics");
    groot_context *context = f.context;
    if (is_stored) CHECK_OK(groot_context_open(f.mapping, path, NULL, &context, &error));
    int is_refused = work(context, json, memory);
    if (is_stored) groot_context_free(context);
    close_fixture(&f);
    /* Prints what it found wrong, which the parent counts as one failure. */
    _exit(failed_checks() > before ? 2 : is_refused);
  }
  int status = 0;
  if (!CHECK(child > 0 && waitpid(child, &status, 0) == child)) return -1;
  unlink(path);
  if (!CHECK(WIFEXITED(status)) || !CHECK(WEXITSTATUS(status) < 2)) {
    fprintf(stderr, "with %zu KiB: %d\n", memory >> 10, status);
    return -1;
  }
  return WEXITSTATUS(status);
}

/* With more and more memory, from too little to enough. */
static void test_refused(job *work, int is_stored, const char *json) {
  int refused = 0, result = 1;
  for (size_t memory = MEGABYTE; result != 0 && memory < (size_t)4096 * MEGABYTE;
       memory += memory / 3) {
    result = do_in_child(work, is_stored, json, memory);
    refused += result == 1;
  }
  CHECK_EQUAL(result, 0);
  CHECK(refused > 2);
}

int main(void) {
  fixture f = open_fixture("comics");
  test_misuse(&f);
  test_limit(&f);
  close_fixture(&f);
  /* valgrind and the sanitizers have memory of their own, and end the process without. */
  const char *preloaded = getenv("LD_PRELOAD");
  if (!HAS_SANITIZER && (!preloaded || !strstr(preloaded, "valgrind"))) {
    if (!CHECK(mkdtemp(folder) != NULL)) return finish("memory");
    snprintf(path, sizeof path, "%s/store.sqlite", folder);
    char *json = powers(POWERS);
    test_refused(import_with, 0, json);
    test_refused(export_with, 0, json);
    test_refused(import_with, 1, json);
    test_refused(save_with, 1, json);
    free(json);
    rmdir(folder);
  }
  return finish("memory");
}
