/* Imports into stores and fetches from them. */
#include "store_files.h"

#include "groot_setup.h"

#include <stdio.h>
#include <stdlib.h>

static groot_context *open_store(groot_mapping *mapping, const char *path) {
  groot_error *error = NULL;
  groot_context *context = NULL;
  must(groot_context_open(mapping, path, NULL, &context, &error), error);
  return context;
}

static void fill(groot_context *context, const char *text, size_t size) {
  groot_error *error = NULL;
  must(groot_import_text(context, "Character", text, size, NULL, NULL, &error), error);
  must(groot_context_save(context, &error), error);
}

/* Into a file that is not there: opened, filled, saved, closed. */
static void store_new(const bench_input *input) {
  size_t size;
  char *text = bench_read(input->path, &size);
  groot_mapping *mapping = open_mapping(input, NULL, NULL);
  char *path = store_path(input, "groot");
  bench_begin();
  groot_context *context = open_store(mapping, path);
  fill(context, text, size);
  groot_context_free(context);
  bench_end(input->count);
  context = open_store(mapping, path);
  require_count(input, context);
  groot_context_free(context);
  store_remove(path);
  groot_mapping_free(mapping);
  free(text);
}

/* Makes the store that a row finds, in a process of its own, whose memory does not count. */
static char *prepared(const bench_input *input) {
  char *path = store_path(input, "groot");
  if (store_fork()) return path;
  size_t size;
  char *text = bench_read(input->path, &size);
  groot_mapping *mapping = open_mapping(input, NULL, NULL);
  groot_context *context = open_store(mapping, path);
  fill(context, text, size);
  groot_context_free(context);
  exit(0);
}

/* The same into the file that has it all: nothing is written. */
static void store_again(const bench_input *input) {
  char *path = prepared(input);
  size_t size;
  char *text = bench_read(input->path, &size);
  groot_mapping *mapping = open_mapping(input, NULL, NULL);
  const store_state before = store_look(path);
  bench_begin();
  groot_context *context = open_store(mapping, path);
  fill(context, text, size);
  store_require_same(path, &before);
  groot_context_free(context);
  bench_end(input->count);
  store_require_same(path, &before);
  store_remove(path);
  groot_mapping_free(mapping);
  free(text);
}

static void store_fetch(const bench_input *input) {
  char *path = prepared(input);
  groot_mapping *mapping = open_mapping(input, NULL, NULL);
  groot_context *context = open_store(mapping, path);
  groot_error *error = NULL;
  groot_property name = 0;
  size_t letters = 0;
  must(groot_context_property(context, "Character", "name", &name, &error), error);
  char request[64];
  bench_begin();
  for (size_t i = 0; i < store_fetches; i++) {
    groot_objects *found = NULL;
    groot_value value;
    sprintf(request, "{\"where\": {\"identifier\": %lld}}", (long long)store_identifier(input, i));
    must(groot_context_fetch(context, "Character", request, &found, &error), error);
    bench_require(groot_objects_count(found) == 1, "an identity was not found");
    must(groot_object_get(context, *groot_objects_data(found), name, &value, &error), error);
    letters += value.as.text.size;
    groot_objects_free(found);
  }
  bench_end(store_fetches);
  bench_require(letters > store_fetches, "the values are wrong");
  groot_context_free(context);
  store_remove(path);
  groot_mapping_free(mapping);
}

const bench_entry bench_store_rows[] = {{"store_new", store_new},
                                        {"store_again", store_again},
                                        {"store_fetch", store_fetch},
                                        {NULL, NULL}};
