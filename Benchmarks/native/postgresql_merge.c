/* Into tables that may have the same rows: arrays of many rows; only what differs is written. */
#include "bench.h"
#include "binary.h"
#include "postgresql.h"

#include <stdlib.h>

enum { rows_a_call = 10000, most_columns = 10 };

/* A statement with arrays as its parameters. */
typedef struct call {
  PGconn *server;
  const char *name;
  int count;
  const int *types;
  binary columns[most_columns];
  uint32_t rows; /* of the first column */
  size_t written;
  hand_map *keyed; /* the objects whose keys and identifiers are the result */
  int is_named;
} call;

static void begin_arrays(call *call) {
  for (int i = 0; i < call->count; i++) binary_begin_array(&call->columns[i], call->types[i]);
  call->rows = 0;
}

static call prepare(PGconn *server, const char *name, const char *sql, int count,
                    const int *types) {
  call prepared = {server, name, count, types, {{NULL, 0, 0}}, 0, 0, NULL, 0};
  PQclear(postgresql_require(server, PQprepare(server, name, sql, 0, NULL), PGRES_COMMAND_OK));
  begin_arrays(&prepared);
  return prepared;
}

static int64_t integer_at(const PGresult *result, int row, int column) {
  const unsigned char *bytes = (const unsigned char *)PQgetvalue(result, row, column);
  uint64_t value = 0;
  for (int i = 0; i < 8; i++) value = value << 8 | bytes[i];
  return (int64_t)value;
}

static void take_keys(const call *call, const PGresult *result) {
  for (int row = 0; row < PQntuples(result); row++) {
    const int64_t key = integer_at(result, row, 0);
    void *object = *hand_find(call->keyed, integer_at(result, row, 1));
    bench_require(object != NULL, "an object that was not asked for");
    if (call->is_named) {
      ((hand_named *)object)->key = key;
    } else {
      ((hand_character *)object)->key = key;
    }
  }
}

/* `sizes` are of the columns when they differ from the number of rows. */
static void run(call *call, const uint32_t *sizes) {
  const char *values[most_columns];
  int lengths[most_columns], formats[most_columns];
  if (call->rows == 0) return;
  for (int i = 0; i < call->count; i++) {
    binary_end_array(&call->columns[i], sizes ? sizes[i] : call->rows);
    values[i] = call->columns[i].data;
    lengths[i] = (int)call->columns[i].size;
    formats[i] = 1;
  }
  PGresult *result =
      PQexecPrepared(call->server, call->name, call->count, values, lengths, formats, 1);
  if (call->keyed) {
    take_keys(call, postgresql_require(call->server, result, PGRES_TUPLES_OK));
  } else {
    postgresql_require(call->server, result, PGRES_COMMAND_OK);
    call->written += (size_t)strtoull(PQcmdTuples(result), NULL, 10);
  }
  PQclear(result);
  begin_arrays(call);
}

static size_t finish(call *call) {
  run(call, NULL);
  for (int i = 0; i < call->count; i++) binary_free(&call->columns[i]);
  return call->written;
}

#define MERGE_NAMED(table) \
  "INSERT INTO " table " AS old (_version, identifier, name)" \
  " SELECT 1, * FROM unnest($1::bigint[], $2::text[])" \
  " ON CONFLICT (identifier) DO UPDATE SET name = excluded.name, _version = old._version + 1" \
  " WHERE old.name IS DISTINCT FROM excluded.name"

static size_t merge_named(PGconn *server, const hand_map *map, const char *name, const char *sql) {
  static const int types[] = {binary_int8, binary_text};
  call call = prepare(server, name, sql, 2, types);
  for (size_t i = 0; i < map->capacity; i++) {
    const hand_named *named = map->values[i];
    if (!named) continue;
    binary_integer(&call.columns[0], named->identifier, 8);
    binary_string(&call.columns[1], named->name);
    if (++call.rows == rows_a_call) run(&call, NULL);
  }
  return finish(&call);
}

#define KEYS(table) "SELECT _id, identifier FROM " table " WHERE identifier = ANY ($1::bigint[])"

/* Asks for the keys of all objects, which the rows that lead to them need. */
static void find_keys(PGconn *server, hand_map *map, const char *name, const char *sql,
                      int is_named) {
  static const int types[] = {binary_int8};
  call call = prepare(server, name, sql, 1, types);
  call.keyed = map;
  call.is_named = is_named;
  for (size_t i = 0; i < map->capacity; i++) {
    if (!map->values[i]) continue;
    binary_integer(&call.columns[0], map->keys[i], 8);
    if (++call.rows == rows_a_call) run(&call, NULL);
  }
  finish(&call);
}

#define VALUES(row) \
  row ".name, " row ".real_name, " row ".created_at, " row ".rating, " row ".active, " row \
      ".strength, " row ".speed, " row ".publisher, " row "._publisher_order"

static const char merge_character[] =
    "INSERT INTO character AS old (_version, identifier, name, real_name, created_at, rating,"
    " active, strength, speed, publisher, _publisher_order)"
    " SELECT 1, * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::timestamptz[],"
    " $5::float8[], $6::bool[], $7::smallint[], $8::smallint[], $9::bigint[], $10::bigint[])"
    " ON CONFLICT (identifier) DO UPDATE SET (name, real_name, created_at, rating, active,"
    " strength, speed, publisher, _publisher_order, _version) ="
    " ROW (" VALUES("excluded") ", old._version + 1)"
    " WHERE (" VALUES("old") ") IS DISTINCT FROM (" VALUES("excluded") ")";

static size_t merge_characters(PGconn *server, const hand_graph *graph) {
  static const int types[] = {binary_int8, binary_text, binary_text, binary_timestamptz,
                              binary_float8, binary_bool, binary_int2, binary_int2,
                              binary_int8, binary_int8};
  call call = prepare(server, "characters", merge_character, most_columns, types);
  for (size_t i = 0; i < graph->count; i++) {
    const hand_character *character = graph->order[i];
    binary_integer(&call.columns[0], character->identifier, 8);
    binary_string(&call.columns[1], character->name);
    binary_string(&call.columns[2], character->real_name);
    binary_time(&call.columns[3], character->created_at);
    binary_double(&call.columns[4], character->rating);
    binary_integer(&call.columns[5], character->active, 1);
    binary_integer(&call.columns[6], character->strength, 2);
    binary_integer(&call.columns[7], character->speed, 2);
    if (character->publisher) {
      binary_integer(&call.columns[8], character->publisher->key, 8);
      binary_integer(&call.columns[9], (int64_t)i, 8);
    } else {
      binary_null(&call.columns[8]);
      binary_null(&call.columns[9]);
    }
    if (++call.rows == rows_a_call) run(&call, NULL);
  }
  return finish(&call);
}

static const char merge_powers[] =
    "INSERT INTO character_powers AS old (source, target, source_order, target_order)"
    " SELECT source, target, place, place"
    " FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS new (source, target, place)"
    " ON CONFLICT (source, target) DO UPDATE"
    " SET source_order = excluded.source_order, target_order = excluded.target_order"
    " WHERE (old.source_order, old.target_order)"
    " IS DISTINCT FROM (excluded.source_order, excluded.target_order)";

/* Of the characters of the first array those links that are not in the others. */
static const char delete_powers[] =
    "DELETE FROM character_powers WHERE source = ANY ($1::bigint[]) AND (source, target) NOT IN"
    " (SELECT * FROM unnest($2::bigint[], $3::bigint[]))";

static size_t merge_links(PGconn *server, const hand_graph *graph) {
  static const int types[] = {binary_int8, binary_int8, binary_int8};
  call deleting = prepare(server, "deleted powers", delete_powers, 3, types);
  call joining = prepare(server, "powers", merge_powers, 3, types);
  int64_t place = 0;
  for (size_t i = 0; i < graph->count; i++) {
    const hand_character *character = graph->order[i];
    binary_integer(&deleting.columns[0], character->key, 8);
    deleting.rows++;
    for (uint32_t j = 0; j < character->power_count; j++, place++) {
      const int64_t target = character->powers[j]->key;
      binary_integer(&deleting.columns[1], character->key, 8);
      binary_integer(&deleting.columns[2], target, 8);
      binary_integer(&joining.columns[0], character->key, 8);
      binary_integer(&joining.columns[1], target, 8);
      binary_integer(&joining.columns[2], place, 8);
      joining.rows++;
    }
    const int is_last = i + 1 == graph->count;
    if (is_last || joining.rows + graph->order[i + 1]->power_count > rows_a_call) {
      const uint32_t sizes[] = {deleting.rows, joining.rows, joining.rows};
      run(&deleting, sizes);
      run(&joining, NULL);
    }
  }
  return finish(&deleting) + finish(&joining);
}

size_t postgresql_merge(PGconn *server, hand_graph *graph) {
  postgresql_execute(server, "BEGIN");
  size_t written = merge_named(server, &graph->powers, "power", MERGE_NAMED("power"));
  written += merge_named(server, &graph->publishers, "publisher", MERGE_NAMED("publisher"));
  find_keys(server, &graph->powers, "power keys", KEYS("power"), 1);
  find_keys(server, &graph->publishers, "publisher keys", KEYS("publisher"), 1);
  written += merge_characters(server, graph);
  find_keys(server, &graph->characters, "character keys", KEYS("character"), 0);
  written += merge_links(server, graph);
  postgresql_execute(server, "COMMIT");
  return written;
}
