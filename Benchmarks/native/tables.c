/* The rows of the program `bench`, and the libraries that they work with. */
#include "bench.h"

#include <jansson.h>
#include <libpq-fe.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

static const bench_entry *const tables[] = {
    bench_jansson_rows, bench_hand_rows,  bench_import_rows,     bench_graph_rows,    bench_sync_rows,
    bench_date_rows,    bench_store_rows, bench_hand_store_rows, bench_workload_rows,
    bench_postgresql_rows, NULL};
static const bench_entry *const tables_without_server[] = {
    bench_jansson_rows, bench_hand_rows,  bench_import_rows,     bench_graph_rows,    bench_sync_rows,
    bench_date_rows,    bench_store_rows, bench_hand_store_rows, bench_workload_rows, NULL};

const bench_entry *const *bench_tables(void) {
  return getenv("GROOT_POSTGRESQL") ? tables : tables_without_server;
}

void bench_versions(void) {
  const int libpq = PQlibVersion();
  printf("jansson %s\nSQLite %s\nlibpq %d.%d\n", JANSSON_VERSION, sqlite3_libversion(),
         libpq / 10000, libpq % 10000);
}
