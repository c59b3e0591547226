/*
 * The workloads other than characters: import and export by Groot, and by hand in C. The entity of
 * the records has the name Record in each of their models.
 */
#include "groot_setup.h"
#include "hand_records.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char entity[] = "Record";

/* Requires the bytes that are read or, where these have needless escapes, those of the file beside. */
static void require_written(const bench_input *input, const char *bytes, size_t size) {
  static const char ending[] = ".json", other_ending[] = ".written";
  const size_t length = strlen(input->path);
  char path[4096];
  bench_require(length + sizeof other_ending < sizeof path, "the name of the file is too long");
  memcpy(path, input->path, length + 1);
  if (length >= sizeof ending && strcmp(path + length - sizeof ending + 1, ending) == 0) {
    memcpy(path + length - sizeof ending + 1, other_ending, sizeof other_ending);
  }
  FILE *file = fopen(path, "rb");
  if (file) fclose(file);
  bench_require_same(file ? path : input->path, bytes, size);
}

/* ---- by Groot ---- */

static void by_groot(const bench_input *input, int is_export) {
  size_t size, count = 0;
  char *text = bench_read(input->path, &size);
  groot_mapping *mapping = open_mapping(input, NULL, NULL);
  groot_context *context = open_context(mapping);
  groot_objects *objects = NULL;
  groot_buffer written = {NULL, 0};
  groot_error *error = NULL;
  if (!is_export) bench_begin();
  must(groot_import_text(context, entity, text, size, NULL, &objects, &error), error);
  if (!is_export) bench_end(input->count);
  must(groot_context_count(context, entity, NULL, &count, &error), error);
  bench_require(count == input->count, "not as many records as expected");
  free(text);
  if (is_export) {
    bench_begin();
    must(groot_export_objects_text(context, groot_objects_data(objects),
                                   groot_objects_count(objects), NULL, &written, &error),
         error);
    bench_end(input->count);
    require_written(input, written.data, written.size);
    groot_buffer_free(&written);
  }
  groot_objects_free(objects);
  groot_context_free(context);
  groot_mapping_free(mapping);
}

static void import(const bench_input *input) { by_groot(input, 0); }

static void export(const bench_input *input) { by_groot(input, 1); }

/* ---- by hand ---- */

static void by_hand(const bench_input *input, const hand_type *type, int is_export) {
  size_t size;
  char *text = bench_read(input->path, &size);
  hand_records records;
  if (!is_export) bench_begin();
  hand_records_open(&records, type);
  const int is_good = hand_records_import(&records, text, size);
  if (!is_export) bench_end(input->count);
  bench_require(is_good && records.count == input->count, "the import by hand failed");
  free(text);
  if (is_export) {
    bench_begin();
    char *written = hand_records_export(&records, &size);
    bench_end(input->count);
    require_written(input, written, size);
    free(written);
  }
  hand_records_close(&records);
}

#define BY_HAND(name)                                                                            \
  static void name##_import(const bench_input *input) { by_hand(input, &hand_##name##_type, 0); } \
  static void name##_export(const bench_input *input) { by_hand(input, &hand_##name##_type, 1); }

BY_HAND(wide)
BY_HAND(text)
BY_HAND(links)
BY_HAND(deep)
BY_HAND(shape_keyed)
BY_HAND(shape_grouped)
BY_HAND(shape_positions)
BY_HAND(shape_discriminator)
BY_HAND(shape_rest)

/* ---- every hundredth character changed ---- */

/* Both lines of the file: all characters, and those that changed. */
static char *two_lines(const bench_input *input, size_t *first, size_t *second) {
  size_t size;
  char *text = bench_read(input->path, &size);
  char *end = memchr(text, '\n', size);
  bench_require(end != NULL, "the file lacks its second line");
  *end = 0;
  *first = (size_t)(end - text);
  *second = size - *first - 1;
  return text;
}

static void update(const bench_input *input) {
  size_t first, second;
  char *text = two_lines(input, &first, &second);
  groot_mapping *mapping = open_mapping(input, NULL, NULL);
  groot_context *context = open_context(mapping);
  groot_objects *objects = NULL;
  groot_error *error = NULL;
  must(groot_import_text(context, "Character", text, first, NULL, NULL, &error), error);
  must(groot_context_save(context, &error), error);
  bench_begin();
  must(groot_import_text(context, "Character", text + first + 1, second, NULL, &objects, &error),
       error);
  bench_end(input->count / 100);
  require_count(input, context);
  bench_require(groot_objects_count(objects) == input->count / 100, "not as many were changed");
  groot_objects_free(objects);
  groot_context_free(context);
  groot_mapping_free(mapping);
  free(text);
}

static void update_by_hand(const bench_input *input) {
  size_t first, second;
  char *text = two_lines(input, &first, &second);
  hand_graph graph;
  hand_open(&graph);
  int is_good = hand_import(&graph, text, first);
  bench_begin();
  is_good = is_good && hand_import(&graph, text + first + 1, second);
  bench_end(input->count / 100);
  bench_require(is_good && graph.count == input->count, "the update by hand failed");
  hand_close(&graph);
  free(text);
}

/* The rows of a workload: by Groot, and by hand. */
#define ROWS(name)                                                           \
  {#name "_import", import}, {#name "_export", export},                      \
      {"hand_" #name "_import", name##_import}, {"hand_" #name "_export", name##_export}

const bench_entry bench_workload_rows[] = {ROWS(wide),
                                           ROWS(text),
                                           ROWS(links),
                                           ROWS(deep),
                                           ROWS(shape_keyed),
                                           ROWS(shape_grouped),
                                           ROWS(shape_positions),
                                           ROWS(shape_discriminator),
                                           ROWS(shape_rest),
                                           {"update_hundredth", update},
                                           {"hand_update_hundredth", update_by_hand},
                                           {NULL, NULL}};
