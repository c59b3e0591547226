#include "hand_store.h"

#include "bench.h"

#include <stdio.h>
#include <stdlib.h>

#define OBJECT \
  "_id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, _entity TEXT NOT NULL," \
  " _version INTEGER NOT NULL DEFAULT 1"
#define LEADS_TO(table) "INTEGER REFERENCES " table " (_id) DEFERRABLE INITIALLY DEFERRED"

static const char tables[] =
    "CREATE TABLE Character (" OBJECT ", identifier INTEGER, name TEXT, realName TEXT,"
    " createdAt INTEGER, rating REAL, active BOOLEAN, strength INTEGER, speed INTEGER,"
    " publisher " LEADS_TO("Publisher") ", _publisher_order INTEGER);"
    "CREATE TABLE Power (" OBJECT ", identifier INTEGER, name TEXT);"
    "CREATE TABLE Publisher (" OBJECT ", identifier INTEGER, name TEXT);"
    "CREATE TABLE Character_powers (source " LEADS_TO("Character") ", target " LEADS_TO("Power") ","
    " source_order INTEGER NOT NULL, target_order INTEGER NOT NULL,"
    " PRIMARY KEY (source, target)) WITHOUT ROWID;";

static const char indexes[] =
    "CREATE INDEX Character_publisher ON Character (publisher);"
    "CREATE UNIQUE INDEX Character_identity ON Character (identifier);"
    "CREATE UNIQUE INDEX Power_identity ON Power (identifier);"
    "CREATE UNIQUE INDEX Publisher_identity ON Publisher (identifier);"
    "CREATE INDEX Character_powers_target ON Character_powers (target);";

static void require(sqlite3 *store, int condition) {
  if (!condition) fprintf(stderr, "sqlite3: %s\n", sqlite3_errmsg(store));
  bench_require(condition, "the store by hand failed");
}

static void execute(sqlite3 *store, const char *sql) {
  require(store, sqlite3_exec(store, sql, NULL, NULL, NULL) == SQLITE_OK);
}

sqlite3_stmt *hand_store_prepare(sqlite3 *store, const char *sql) {
  sqlite3_stmt *statement = NULL;
  require(store, sqlite3_prepare_v2(store, sql, -1, &statement, NULL) == SQLITE_OK);
  return statement;
}

sqlite3 *hand_store_open(const char *path) {
  sqlite3 *store = NULL;
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  require(store, sqlite3_open_v2(path, &store, flags, NULL) == SQLITE_OK);
  execute(store,
          "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -65536");
  return store;
}

/* Whether there are no tables yet. */
static int is_empty(sqlite3 *store) {
  sqlite3_stmt *count = hand_store_prepare(store, "SELECT count(*) FROM sqlite_master");
  require(store, sqlite3_step(count) == SQLITE_ROW);
  const int found = sqlite3_column_int(count, 0);
  sqlite3_finalize(count);
  return found == 0;
}

/* ---- writing ---- */

static void run(sqlite3 *store, sqlite3_stmt *statement) {
  require(store, sqlite3_step(statement) == SQLITE_DONE);
  sqlite3_reset(statement);
}

static void bind_text(sqlite3_stmt *statement, int place, hand_text text) {
  if (text.data) {
    sqlite3_bind_text(statement, place, text.data, (int)text.size, SQLITE_STATIC);
  } else {
    sqlite3_bind_null(statement, place);
  }
}

static void save_named(sqlite3 *store, hand_map *map, const char *insert, const char *update) {
  sqlite3_stmt *inserting = hand_store_prepare(store, insert);
  sqlite3_stmt *updating = hand_store_prepare(store, update);
  for (size_t i = 0; i < map->capacity; i++) {
    hand_named *named = map->values[i];
    if (!named || !named->is_changed) continue;
    sqlite3_stmt *statement = named->key ? updating : inserting;
    sqlite3_bind_int64(statement, 1, named->identifier);
    bind_text(statement, 2, named->name);
    if (named->key) sqlite3_bind_int64(statement, 3, named->key);
    run(store, statement);
    if (!named->key) named->key = sqlite3_last_insert_rowid(store);
    named->is_changed = 0;
  }
  sqlite3_finalize(inserting);
  sqlite3_finalize(updating);
}

static void save_character(sqlite3 *store, sqlite3_stmt *statement, hand_character *character,
                           int64_t place) {
  sqlite3_bind_int64(statement, 1, character->identifier);
  bind_text(statement, 2, character->name);
  bind_text(statement, 3, character->real_name);
  sqlite3_bind_int64(statement, 4, character->created_at * 1000000);
  sqlite3_bind_double(statement, 5, character->rating);
  sqlite3_bind_int(statement, 6, character->active);
  sqlite3_bind_int(statement, 7, character->strength);
  sqlite3_bind_int(statement, 8, character->speed);
  if (character->publisher) {
    sqlite3_bind_int64(statement, 9, character->publisher->key);
    sqlite3_bind_int64(statement, 10, place);
  } else {
    sqlite3_bind_null(statement, 9);
    sqlite3_bind_null(statement, 10);
  }
  if (character->key) sqlite3_bind_int64(statement, 11, character->key);
  run(store, statement);
  if (!character->key) character->key = sqlite3_last_insert_rowid(store);
  character->is_changed = 0;
}

static void save_characters(sqlite3 *store, const hand_graph *graph, int64_t place) {
  sqlite3_stmt *inserting = hand_store_prepare(
      store, "INSERT INTO Character (_entity, _version, identifier, name, realName, createdAt,"
             " rating, active, strength, speed, publisher, _publisher_order)"
             " VALUES ('Character', 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  sqlite3_stmt *updating = hand_store_prepare(
      store, "UPDATE Character SET identifier = ?, name = ?, realName = ?, createdAt = ?,"
             " rating = ?, active = ?, strength = ?, speed = ?, publisher = ?,"
             " _publisher_order = ?, _version = _version + 1 WHERE _id = ?");
  for (size_t i = 0; i < graph->count; i++) {
    hand_character *character = graph->order[i];
    if (character->is_changed) {
      save_character(store, character->key ? updating : inserting, character, place++);
    }
  }
  sqlite3_finalize(inserting);
  sqlite3_finalize(updating);
}

static void save_powers(sqlite3 *store, const hand_graph *graph, int64_t place) {
  sqlite3_stmt *clearing =
      hand_store_prepare(store, "DELETE FROM Character_powers WHERE source = ?");
  sqlite3_stmt *joining =
      hand_store_prepare(store, "INSERT INTO Character_powers VALUES (?, ?, ?, ?)");
  for (size_t i = 0; i < graph->count; i++) {
    hand_character *character = graph->order[i];
    if (!character->has_other_powers) continue;
    sqlite3_bind_int64(clearing, 1, character->key);
    run(store, clearing);
    sqlite3_bind_int64(joining, 1, character->key);
    for (uint32_t j = 0; j < character->power_count; j++) {
      sqlite3_bind_int64(joining, 2, character->powers[j]->key);
      sqlite3_bind_int64(joining, 3, place);
      sqlite3_bind_int64(joining, 4, place++);
      run(store, joining);
    }
    character->has_other_powers = 0;
  }
  sqlite3_finalize(clearing);
  sqlite3_finalize(joining);
}

int64_t hand_store_next(sqlite3 *store, const char *sql) {
  sqlite3_stmt *statement = hand_store_prepare(store, sql);
  require(store, sqlite3_step(statement) == SQLITE_ROW);
  const int64_t place = sqlite3_column_int64(statement, 0);
  sqlite3_finalize(statement);
  return place + 1;
}

static int is_changed(const hand_graph *graph) {
  const hand_map *maps[] = {&graph->powers, &graph->publishers};
  for (size_t i = 0; i < graph->count; i++) {
    if (graph->order[i]->is_changed || graph->order[i]->has_other_powers) return 1;
  }
  for (int i = 0; i < 2; i++) {
    for (size_t j = 0; j < maps[i]->capacity; j++) {
      if (maps[i]->values[j] && ((hand_named *)maps[i]->values[j])->is_changed) return 1;
    }
  }
  return 0;
}

void hand_store_save(sqlite3 *store, hand_graph *graph) {
  if (!is_changed(graph)) return;
  execute(store, "BEGIN IMMEDIATE");
  const int is_new = is_empty(store);
  if (is_new) execute(store, tables);
  save_named(store, &graph->powers,
             "INSERT INTO Power (_entity, _version, identifier, name) VALUES ('Power', 1, ?, ?)",
             "UPDATE Power SET identifier = ?, name = ?, _version = _version + 1 WHERE _id = ?");
  save_named(
      store, &graph->publishers,
      "INSERT INTO Publisher (_entity, _version, identifier, name) VALUES ('Publisher', 1, ?, ?)",
      "UPDATE Publisher SET identifier = ?, name = ?, _version = _version + 1 WHERE _id = ?");
  save_characters(store, graph,
                  hand_store_next(store, "SELECT max(_publisher_order) FROM Character"));
  save_powers(store, graph,
              hand_store_next(store, "SELECT max(source_order) FROM Character_powers"));
  if (is_new) execute(store, indexes);
  execute(store, "COMMIT");
}
