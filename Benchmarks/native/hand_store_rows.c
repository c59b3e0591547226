/* The rows of stores, by hand in C with SQLite. */
#include "hand_store.h"
#include "store_files.h"

#include <stdlib.h>

static void fill(hand_graph *graph, const char *text, size_t size) {
  bench_require(hand_import(graph, text, size), "the import by hand failed");
}

static void new_row(const bench_input *input) {
  size_t size;
  char *text = bench_read(input->path, &size);
  char *path = store_path(input, "hand");
  hand_graph graph;
  bench_begin();
  hand_open(&graph);
  sqlite3 *store = hand_store_open(path);
  fill(&graph, text, size);
  hand_store_save(store, &graph);
  sqlite3_close(store);
  hand_close(&graph);
  bench_end(input->count);
  store_remove(path);
  free(text);
}

static char *prepared(const bench_input *input) {
  char *path = store_path(input, "hand");
  if (store_fork()) return path;
  size_t size;
  char *text = bench_read(input->path, &size);
  hand_graph graph;
  hand_open(&graph);
  sqlite3 *store = hand_store_open(path);
  fill(&graph, text, size);
  hand_store_save(store, &graph);
  sqlite3_close(store);
  exit(0);
}

static void again_row(const bench_input *input) {
  char *path = prepared(input);
  size_t size;
  char *text = bench_read(input->path, &size);
  hand_graph graph;
  const store_state before = store_look(path);
  bench_begin();
  hand_open(&graph);
  sqlite3 *store = hand_store_open(path);
  hand_store_load(store, &graph);
  bench_require(graph.count == input->count, "not as many characters as expected");
  fill(&graph, text, size);
  hand_store_save(store, &graph);
  store_require_same(path, &before);
  sqlite3_close(store);
  hand_close(&graph);
  bench_end(input->count);
  store_require_same(path, &before);
  store_remove(path);
  free(text);
}

static void fetch_row(const bench_input *input) {
  char *path = prepared(input);
  sqlite3 *store = hand_store_open(path);
  sqlite3_stmt *statement = hand_store_prepare(
      store, "SELECT _id, _version, identifier, name, realName, createdAt, rating, active,"
             " strength, speed, publisher FROM Character WHERE identifier = ?");
  size_t letters = 0;
  bench_begin();
  for (size_t i = 0; i < store_fetches; i++) {
    sqlite3_bind_int64(statement, 1, store_identifier(input, i));
    bench_require(sqlite3_step(statement) == SQLITE_ROW, "an identity was not found");
    letters += (size_t)sqlite3_column_bytes(statement, 3);
    sqlite3_reset(statement);
  }
  bench_end(store_fetches);
  bench_require(letters > store_fetches, "the values are wrong");
  sqlite3_finalize(statement);
  sqlite3_close(store);
  store_remove(path);
}

const bench_entry bench_hand_store_rows[] = {{"hand_store_new", new_row},
                                             {"hand_store_again", again_row},
                                             {"hand_store_fetch", fetch_row},
                                             {NULL, NULL}};
