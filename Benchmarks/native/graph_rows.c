/* What is done with a graph that is there: exports, fetches, reading attributes. */
#include "groot_setup.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct graph {
  groot_mapping *mapping;
  groot_context *context;
  groot_objects *characters;
} graph;

static graph open_all(const bench_input *input) {
  graph all = {open_mapping(input, NULL, NULL), NULL, NULL};
  all.context = open_graph(input, all.mapping, &all.characters);
  return all;
}

static void close_all(graph *all) {
  groot_objects_free(all->characters);
  groot_context_free(all->context);
  groot_mapping_free(all->mapping);
}

static void export_text(const bench_input *input) {
  graph all = open_all(input);
  groot_buffer text = {NULL, 0};
  groot_error *error = NULL;
  bench_begin();
  must(groot_export_objects_text(all.context, groot_objects_data(all.characters),
                         groot_objects_count(all.characters), NULL, &text, &error),
       error);
  bench_end(input->count);
  bench_require_same(input->path, text.data, text.size);
  groot_buffer_free(&text);
  close_all(&all);
}

static void export_file(const bench_input *input) {
  char path[4096];
  int length = snprintf(path, sizeof path, "%s/export-%zu.json", input->scratch, input->count);
  bench_require(length > 0 && (size_t)length < sizeof path, "the folder's name is too long");
  graph all = open_all(input);
  groot_error *error = NULL;
  bench_begin();
  must(groot_export_objects_file(all.context, groot_objects_data(all.characters),
                         groot_objects_count(all.characters), NULL, path, &error),
       error);
  bench_end(input->count);
  size_t size;
  char *text = bench_read(path, &size);
  bench_require_same(input->path, text, size);
  free(text);
  remove(path);
  close_all(&all);
}

/* One fetch for each character. */
static void fetch_identity(const bench_input *input) {
  graph all = open_all(input);
  groot_error *error = NULL;
  char request[64];
  bench_begin();
  for (size_t i = 0; i < input->count; i++) {
    groot_objects *found = NULL;
    sprintf(request, "{\"where\": {\"identifier\": %zu}}", 1000 + 3 * i);
    must(groot_context_fetch(all.context, "Character", request, &found, &error), error);
    bench_require(groot_objects_count(found) == 1, "an identity was not found");
    groot_objects_free(found);
  }
  bench_end(input->count);
  close_all(&all);
}

static size_t fetch(graph *all, const char *request) {
  groot_error *error = NULL;
  groot_objects *found = NULL;
  must(groot_context_fetch(all->context, "Character", request, &found, &error), error);
  size_t count = groot_objects_count(found);
  groot_objects_free(found);
  return count;
}

/* An attribute that is not an identity: all objects are looked at. */
static void fetch_attribute(const bench_input *input) {
  graph all = open_all(input);
  bench_begin();
  size_t found = fetch(&all, "{\"where\": {\"strength\": 50}}");
  bench_end(input->count);
  bench_require(found > 0 && found < input->count, "a value was not found");
  close_all(&all);
}

static void fetch_sorted(const bench_input *input) {
  graph all = open_all(input);
  bench_begin();
  size_t found = fetch(&all, "{\"sort\": [\"-rating\", \"name\"]}");
  bench_end(input->count);
  bench_require(found == input->count, "objects are missing");
  close_all(&all);
}

/* The names and ratings of all characters, one call each. */
static void read_attributes(const bench_input *input) {
  graph all = open_all(input);
  groot_error *error = NULL;
  groot_property name = 0, rating = 0;
  must(groot_context_property(all.context, "Character", "name", &name, &error), error);
  must(groot_context_property(all.context, "Character", "rating", &rating, &error), error);
  const groot_object_id *objects = groot_objects_data(all.characters);
  size_t letters = 0;
  double sum = 0;
  bench_begin();
  for (size_t i = 0; i < input->count; i++) {
    groot_value value;
    must(groot_object_get(all.context, objects[i], name, &value, &error), error);
    letters += value.as.text.size;
    must(groot_object_get(all.context, objects[i], rating, &value, &error), error);
    sum += value.as.real;
  }
  bench_end(2 * input->count);
  bench_require(letters > input->count && sum > 0, "the values are wrong");
  close_all(&all);
}

const bench_entry bench_graph_rows[] = {{"export_text", export_text},
                                        {"export_file", export_file},
                                        {"fetch_identity", fetch_identity},
                                        {"fetch_attribute", fetch_attribute},
                                        {"fetch_sorted", fetch_sorted},
                                        {"read_attributes", read_attributes},
                                        {NULL, NULL}};
