/*
 * Runs operations at a size, twice it and four times it. Under callgrind the instructions of each
 * are in a dump of their own; without it a line for each says how many bytes it took at its peak.
 *
 * usage: growth SIZE SIZE-OF-SHAPES [NAME...]     the names of operations; all when there are none.
 */
#include "growth.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <valgrind/callgrind.h>

groot_error *error;

void must(groot_status status) {
  if (status == GROOT_OK) return;
  fprintf(stderr, "%s: %.300s\n", groot_status_name(status), groot_error_text(error).data);
  exit(1);
}

void must_fail(groot_status status) {
  if (status != GROOT_OK) {
    groot_error_free(error);
    return;
  }
  fprintf(stderr, "a call that should fail did not\n");
  exit(1);
}

void add(builder *text, const char *format, ...) {
  va_list arguments;
  if (text->capacity - text->length < 4096) {
    text->capacity = text->capacity * 2 + 8192;
    text->data = realloc(text->data, text->capacity);
    if (!text->data) exit(1);
  }
  va_start(arguments, format);
  text->length += (size_t)vsnprintf(text->data + text->length, 4096, format, arguments);
  va_end(arguments);
}

static void clean(scene *scene) {
  groot_context_free(scene->context);
  groot_mapping_free(scene->mapping);
  groot_registry_free(scene->registry);
  groot_model_free(scene->model);
  free(scene->text);
  free(scene->other);
  if (!scene->path[0]) return;
  static const char *const endings[] = {"", "-wal", "-shm"};
  for (size_t index = 0; index < 3; index++) {
    char name[80];
    snprintf(name, sizeof name, "%s%s", scene->path, endings[index]);
    unlink(name);
  }
}

/** Does the operation uncounted: the runtime fills caches of its own when code first runs. */
static void warm_up(const operation *operation, const shape *shape) {
  scene scene = {.n = 8, .shape = shape};
  operation->prepare(&scene);
  operation->run(&scene);
  clean(&scene);
}

static void measure(const operation *operation, const shape *shape, size_t n) {
  scene scene = {.n = n, .shape = shape};
  char name[64];
  operation->prepare(&scene);
  CALLGRIND_ZERO_STATS;
  begin_peak();
  CALLGRIND_TOGGLE_COLLECT;
  operation->run(&scene);
  CALLGRIND_TOGGLE_COLLECT;
  size_t peak = end_peak();
  snprintf(name, sizeof name, "%s %lu", operation->name, (unsigned long)n);
  CALLGRIND_DUMP_STATS_AT(name);
  printf("memory %s %lu\n", name, (unsigned long)peak);
  fflush(stdout);
  clean(&scene);
}

static int is_wanted(const char *name, int count, char **names) {
  if (count == 0) return 1;
  for (int index = 0; index < count; index++) {
    if (strcmp(names[index], name) == 0) return 1;
  }
  return 0;
}

static void measure_all(const operation *operation, const shape *shape, size_t n) {
  warm_up(operation, shape);
  for (size_t factor = 1; factor <= 4; factor *= 2) measure(operation, shape, n * factor);
}

int main(int count, char **arguments) {
  if (count < 3) return 2;
  size_t n = (size_t)strtoul(arguments[1], NULL, 10);
  size_t shape_n = (size_t)strtoul(arguments[2], NULL, 10);
  for (const operation *one = operations; one->name; one++) {
    if (is_wanted(one->name, count - 3, arguments + 3)) measure_all(one, NULL, n);
  }
  for (const shape *one = shapes; one->name; one++) {
    operation operation = {one->name, prepare_shape, one->run};
    if (is_wanted(one->name, count - 3, arguments + 3)) measure_all(&operation, one, shape_n);
  }
  return 0;
}
