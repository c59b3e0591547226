/* Import and export written by hand in C for this very model. */
#include "bench.h"
#include "hand.h"

#include <stdlib.h>

static void import(const bench_input *input, int exports) {
  size_t size;
  char *text = bench_read(input->path, &size);
  hand_graph graph;
  hand_open(&graph);
  if (!exports) bench_begin();
  int is_good = hand_import(&graph, text, size);
  if (!exports) bench_end(input->count);
  bench_require(is_good && graph.count == input->count, "the import by hand failed");
  free(text);
  if (exports) {
    bench_begin();
    char *written = hand_export(&graph, &size);
    bench_end(input->count);
    bench_require_same(input->path, written, size);
    free(written);
  }
  hand_close(&graph);
}

static void hand_import_row(const bench_input *input) { import(input, 0); }

static void hand_export_row(const bench_input *input) { import(input, 1); }

const bench_entry bench_hand_rows[] = {
    {"hand_import", hand_import_row}, {"hand_export", hand_export_row}, {NULL, NULL}};
