/* Reads a store by hand. */
#include "hand_store.h"

#include "bench.h"

#include <stdlib.h>

static hand_text text_of(hand_graph *graph, sqlite3_stmt *statement, int column) {
  hand_text text = {(const char *)sqlite3_column_text(statement, column), 0};
  text.size = (uint32_t)sqlite3_column_bytes(statement, column);
  return text.data ? hand_copy(graph, text) : text;
}

/* The objects of a table by their keys, which begin with 1 and have few gaps. */
static hand_named **load_named(sqlite3 *store, hand_graph *graph, hand_map *map, const char *sql,
                               const char *last) {
  hand_named **named = calloc((size_t)hand_store_next(store, last), sizeof *named);
  bench_require(named != NULL, "out of memory");
  sqlite3_stmt *statement = hand_store_prepare(store, sql);
  while (sqlite3_step(statement) == SQLITE_ROW) {
    hand_named *made = hand_make_named(graph, map, sqlite3_column_int64(statement, 1));
    made->key = sqlite3_column_int64(statement, 0);
    made->name = text_of(graph, statement, 2);
    named[made->key] = made;
  }
  sqlite3_finalize(statement);
  return named;
}

static hand_character **load_characters(sqlite3 *store, hand_graph *graph,
                                        hand_named **publishers) {
  hand_character **characters = calloc(
      (size_t)hand_store_next(store, "SELECT max(_id) FROM Character"), sizeof *characters);
  bench_require(characters != NULL, "out of memory");
  sqlite3_stmt *statement = hand_store_prepare(
      store, "SELECT _id, identifier, name, realName, createdAt, rating, active, strength, speed,"
             " publisher FROM Character ORDER BY _id");
  while (sqlite3_step(statement) == SQLITE_ROW) {
    hand_character *made = hand_make_character(graph, sqlite3_column_int64(statement, 1));
    made->key = sqlite3_column_int64(statement, 0);
    made->name = text_of(graph, statement, 2);
    made->real_name = text_of(graph, statement, 3);
    made->created_at = sqlite3_column_int64(statement, 4) / 1000000;
    made->rating = sqlite3_column_double(statement, 5);
    made->active = (int8_t)sqlite3_column_int(statement, 6);
    made->strength = (int16_t)sqlite3_column_int(statement, 7);
    made->speed = (int16_t)sqlite3_column_int(statement, 8);
    const int64_t publisher = sqlite3_column_int64(statement, 9);
    if (publisher) hand_set_publisher(made, publishers[publisher]);
    characters[made->key] = made;
  }
  sqlite3_finalize(statement);
  return characters;
}

/* The links come by source: each character's are put into the order of their places. */
static void load_links(sqlite3 *store, hand_graph *graph, hand_character **characters,
                       hand_named **powers) {
  enum { most = 4096 };
  hand_named *found[most];
  int64_t places[most], source = 0;
  uint32_t count = 0;
  sqlite3_stmt *statement = hand_store_prepare(
      store, "SELECT source, target, source_order FROM Character_powers ORDER BY source");
  int is_there;
  do {
    is_there = sqlite3_step(statement) == SQLITE_ROW;
    const int64_t next = is_there ? sqlite3_column_int64(statement, 0) : 0;
    if (next != source && source) hand_set_powers(graph, characters[source], found, count);
    if (next != source) source = next, count = 0;
    if (!is_there) break;
    const int64_t place = sqlite3_column_int64(statement, 2);
    uint32_t at = count++;
    bench_require(count < most, "a character has too many powers");
    for (; at > 0 && places[at - 1] > place; at--) {
      places[at] = places[at - 1];
      found[at] = found[at - 1];
    }
    places[at] = place;
    found[at] = powers[sqlite3_column_int64(statement, 1)];
  } while (is_there);
  sqlite3_finalize(statement);
}

void hand_store_load(sqlite3 *store, hand_graph *graph) {
  hand_named **powers =
      load_named(store, graph, &graph->powers, "SELECT _id, identifier, name FROM Power",
                 "SELECT max(_id) FROM Power");
  hand_named **publishers =
      load_named(store, graph, &graph->publishers, "SELECT _id, identifier, name FROM Publisher",
                 "SELECT max(_id) FROM Publisher");
  hand_character **characters = load_characters(store, graph, publishers);
  load_links(store, graph, characters, powers);
  free(powers);
  free(publishers);
  free(characters);
}
