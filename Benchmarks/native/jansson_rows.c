/* The yardstick: what jansson alone needs for the same text. */
#include "bench.h"

#include <jansson.h>
#include <stdlib.h>

static json_t *load(const bench_input *input, int is_timed) {
  size_t size;
  char *text = bench_read(input->path, &size);
  if (is_timed) bench_begin();
  json_t *tree = json_loadb(text, size, 0, NULL);
  if (is_timed) bench_end(input->count);
  bench_require(json_array_size(tree) == input->count, "not as many characters as expected");
  free(text);
  return tree;
}

static void json_loadb_row(const bench_input *input) { json_decref(load(input, 1)); }

/* Into a buffer that is as large as it will be: the best case. */
static void json_dumpb_row(const bench_input *input) {
  json_t *tree = load(input, 0);
  size_t size = json_dumpb(tree, NULL, 0, JSON_COMPACT);
  char *buffer = malloc(size);
  bench_require(buffer != NULL, "out of memory");
  bench_begin();
  size_t written = json_dumpb(tree, buffer, size, JSON_COMPACT);
  bench_end(input->count);
  bench_require(written == size, "the sizes differ");
  free(buffer);
  json_decref(tree);
}

const bench_entry bench_jansson_rows[] = {
    {"json_loadb", json_loadb_row}, {"json_dumpb", json_dumpb_row}, {NULL, NULL}};
