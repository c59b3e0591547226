/* Imports into a new context in memory, and the import of what is there already. */
#ifdef __linux__
#define _GNU_SOURCE
#include <sched.h>
#endif
#include "groot_setup.h"

#include <stdlib.h>
#include <string.h>

/* The identifiers of each character, its powers and its publisher. */
static size_t calls;

static groot_status integer_text(void *userdata, const char *value, size_t size,
                                 groot_call *call) {
  (void)userdata;
  if (size < 3 || *value != '"' || strspn(value + 1, "0123456789") != size - 2) {
    groot_call_set_message(call, "not digits", GROOT_NTS);
    return GROOT_TRANSFORM_FAILED;
  }
  calls++;
  return groot_call_set_result(call, value + 1, size - 2);
}

/* Imports the text `times` times, with options or NULL; the last time counts. */
static void import_with(const bench_input *input, groot_transform_function transformer, int times,
                        const groot_import_options *options) {
  size_t size;
  char *text = bench_read(input->path, &size);
  groot_mapping *mapping = open_mapping(input, transformer, NULL);
  groot_context *context = open_context(mapping);
  groot_objects *objects = NULL;
  groot_error *error = NULL;
  while (times-- > 0) {
    groot_objects_free(objects);
    calls = 0;
    bench_begin();
    must(groot_import_text(context, "Character", text, size, options, &objects, &error),
         error);
    bench_end(transformer ? calls : input->count);
  }
  require_count(input, context);
  groot_objects_free(objects);
  groot_context_free(context);
  groot_mapping_free(mapping);
  free(text);
}

static void import(const bench_input *input, groot_transform_function transformer, int times) {
  import_with(input, transformer, times, NULL);
}

/* The benchmark runs on one core; here all of them may be used. */
static void import_threads(const bench_input *input) {
  groot_import_options options = GROOT_IMPORT_OPTIONS_INIT;
  options.threads = 2;
#ifdef __linux__
  cpu_set_t all;
  memset(&all, 0xFF, sizeof all);
  sched_setaffinity(0, sizeof all, &all);
#endif
  import_with(input, NULL, 1, &options);
}

static void import_text(const bench_input *input) { import(input, NULL, 1); }

static void import_again(const bench_input *input) { import(input, NULL, 2); }

static void import_callback(const bench_input *input) { import(input, integer_text, 1); }

/* The tree is there before. */
static void import_json(const bench_input *input) {
  json_t *tree = json_load_file(input->path, 0, NULL);
  bench_require(tree != NULL, input->path);
  groot_mapping *mapping = open_mapping(input, NULL, NULL);
  groot_context *context = open_context(mapping);
  groot_error *error = NULL;
  bench_begin();
  must(groot_import_json(context, "Character", tree, NULL, NULL, &error), error);
  bench_end(input->count);
  require_count(input, context);
  groot_context_free(context);
  groot_mapping_free(mapping);
  json_decref(tree);
}

static void import_file(const bench_input *input) {
  groot_mapping *mapping = open_mapping(input, NULL, NULL);
  groot_context *context = open_context(mapping);
  groot_error *error = NULL;
  bench_begin();
  must(groot_import_file(context, "Character", input->path, NULL, NULL, &error), error);
  bench_end(input->count);
  require_count(input, context);
  groot_context_free(context);
  groot_mapping_free(mapping);
}

/* The text in pieces as a network gives them; it is at hand before. */
static void import_pieces(const bench_input *input) {
  enum { piece = 16384 };
  size_t size;
  char *text = bench_read(input->path, &size);
  groot_mapping *mapping = open_mapping(input, NULL, NULL);
  groot_context *context = open_context(mapping);
  groot_stream *stream = NULL;
  groot_error *error = NULL;
  bench_begin();
  must(groot_stream_begin(context, "Character", NULL, &stream, &error), error);
  for (size_t at = 0; at < size; at += piece) {
    must(groot_stream_write(stream, text + at, size - at < piece ? size - at : piece, &error),
         error);
  }
  must(groot_stream_finish(stream, NULL, &error), error);
  bench_end(input->count);
  require_count(input, context);
  groot_context_free(context);
  groot_mapping_free(mapping);
  free(text);
}

const bench_entry bench_import_rows[] = {{"import_text", import_text},
                                         {"import_threads", import_threads},
                                         {"import_again", import_again},
                                         {"import_json", import_json},
                                         {"import_file", import_file},
                                         {"import_pieces", import_pieces},
                                         {"import_callback", import_callback},
                                         {NULL, NULL}};
