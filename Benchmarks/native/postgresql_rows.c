/* The rows of PostgreSQL, by hand in C with libpq, the text read by hand or by jansson. */
#include "groot_setup.h"
#include "jansson_graph.h"
#include "postgresql.h"
#include "store_files.h"

#include <stdio.h>
#include <stdlib.h>

/* What an import needs while it works. */
typedef struct import {
  hand_graph graph;
  json_t *tree;
} import;

static void begin_import(import *import, int by_jansson, const char *text, size_t size) {
  hand_open(&import->graph);
  import->tree = by_jansson ? json_loadb(text, size, 0, NULL) : NULL;
  bench_require(by_jansson ? jansson_graph(&import->graph, import->tree)
                           : hand_import(&import->graph, text, size),
                "the import by hand failed");
}

static void end_import(import *import) {
  hand_close(&import->graph);
  json_decref(import->tree);
}

static void empty(void) {
  PGconn *server = postgresql_open();
  postgresql_execute(server, "DROP SCHEMA IF EXISTS bench CASCADE; CREATE SCHEMA bench");
  postgresql_execute(server, "CHECKPOINT");
  PQfinish(server);
}

/* After the second time the server has nothing of its catalog to tidy while a row is measured. */
static void tidy(PGconn *server) {
  postgresql_execute(server, "VACUUM ANALYZE");
  postgresql_execute(server, "VACUUM");
  postgresql_execute(server, "CHECKPOINT");
}

static size_t number(PGconn *server, const char *sql) {
  PGresult *result = postgresql_require(server, PQexec(server, sql), PGRES_TUPLES_OK);
  const size_t found = (size_t)strtoull(PQgetvalue(result, 0, 0), NULL, 10);
  PQclear(result);
  return found;
}

static void check(const bench_input *input, int by_jansson) {
  PGconn *server = postgresql_open();
  size_t size, links = 0;
  char *text = bench_read(input->path, &size);
  import import;
  begin_import(&import, by_jansson, text, size);
  for (size_t i = 0; i < import.graph.count; i++) links += import.graph.order[i]->power_count;
  bench_require(number(server, "SELECT count(*) FROM character JOIN publisher"
                               " ON publisher._id = publisher") == input->count,
                "not as many characters as expected");
  bench_require(number(server, "SELECT count(*) FROM character_powers") == links,
                "not as many powers as expected");
  bench_require(postgresql_merge(server, &import.graph) == 0, "the values are wrong");
  end_import(&import);
  free(text);
  postgresql_execute(server, "DROP SCHEMA bench CASCADE");
  PQfinish(server);
}

static void into_new(const bench_input *input, int by_jansson) {
  size_t size;
  char *text = bench_read(input->path, &size);
  import import;
  empty();
  bench_begin();
  PGconn *server = postgresql_open();
  begin_import(&import, by_jansson, text, size);
  postgresql_create(server, &import.graph);
  PQfinish(server);
  end_import(&import);
  bench_end(input->count);
  free(text);
  check(input, !by_jansson);
}

/* Makes the tables that a row finds, in a process of its own, whose memory does not count. */
static void prepare(const bench_input *input) {
  if (store_fork()) return;
  size_t size;
  char *text = bench_read(input->path, &size);
  import import;
  empty();
  PGconn *server = postgresql_open();
  begin_import(&import, 0, text, size);
  postgresql_create(server, &import.graph);
  tidy(server);
  PQfinish(server);
  exit(0);
}

static void again(const bench_input *input, int by_jansson) {
  size_t size;
  prepare(input);
  char *text = bench_read(input->path, &size);
  import import;
  bench_begin();
  PGconn *server = postgresql_open();
  begin_import(&import, by_jansson, text, size);
  const size_t written = postgresql_merge(server, &import.graph);
  PQfinish(server);
  end_import(&import);
  bench_end(input->count);
  bench_require(written == 0, "an import of nothing new was written");
  free(text);
  check(input, !by_jansson);
}

/* The URL of a store of Groot in the schema of the rows. */
static const char *store_url(void) {
  static char url[1024];
  snprintf(url, sizeof url, "%s&groot.schema=bench", getenv("GROOT_POSTGRESQL"));
  return url;
}

static void groot_fill(groot_mapping *mapping, const char *text, size_t size) {
  groot_error *error = NULL;
  groot_context *context = NULL;
  must(groot_context_open(mapping, store_url(), NULL, &context, &error), error);
  must(groot_import_text(context, "Character", text, size, NULL, NULL, &error), error);
  must(groot_context_save(context, &error), error);
  groot_context_free(context);
}

static void groot_new(const bench_input *input) {
  size_t size;
  char *text = bench_read(input->path, &size);
  groot_mapping *mapping = open_mapping(input, NULL, NULL);
  empty();
  bench_begin();
  groot_fill(mapping, text, size);
  bench_end(input->count);
  PGconn *server = postgresql_open();
  bench_require(number(server, "SELECT count(*) FROM \"Character\" JOIN \"Publisher\""
                               " ON \"Publisher\"._id = publisher") == input->count,
                "not as many characters as expected");
  postgresql_execute(server, "DROP SCHEMA bench CASCADE");
  PQfinish(server);
  groot_mapping_free(mapping);
  free(text);
}

/* The place of the next entry of the server's log of changes, in bytes. */
static size_t written(void) {
  PGconn *server = postgresql_open();
  const size_t found = number(server, "SELECT pg_current_wal_insert_lsn() - '0/0'");
  PQfinish(server);
  return found;
}

static void groot_again(const bench_input *input) {
  size_t size;
  char *text = bench_read(input->path, &size);
  groot_mapping *mapping = open_mapping(input, NULL, NULL);
  if (!store_fork()) {
    empty();
    groot_fill(mapping, text, size);
    PGconn *server = postgresql_open();
    tidy(server);
    PQfinish(server);
    exit(0);
  }
  const size_t before = written();
  bench_begin();
  groot_fill(mapping, text, size);
  bench_end(input->count);
  /* From time to time a server notes the transactions that run, in some bytes. */
  bench_require(written() - before < 8192, "an import of nothing new was written");
  PGconn *server = postgresql_open();
  postgresql_execute(server, "DROP SCHEMA bench CASCADE");
  PQfinish(server);
  groot_mapping_free(mapping);
  free(text);
}

static void hand_new(const bench_input *input) { into_new(input, 0); }

static void hand_again(const bench_input *input) { again(input, 0); }

static void jansson_new(const bench_input *input) { into_new(input, 1); }

static void jansson_again(const bench_input *input) { again(input, 1); }

const bench_entry bench_postgresql_rows[] = {{"postgresql_new", groot_new},
                                             {"postgresql_again", groot_again},
                                             {"hand_postgresql_new", hand_new},
                                             {"hand_postgresql_again", hand_again},
                                             {"jansson_postgresql_new", jansson_new},
                                             {"jansson_postgresql_again", jansson_again},
                                             {NULL, NULL}};
