/*
 * The graph written by hand, kept in SQLite by hand: the tables, indexes and values are those of
 * Groot's stores (docs/reference/store.md). What an expert does who wants it fast: one transaction,
 * prepared statements, indexes that are made when the rows are there.
 */
#ifndef HAND_STORE_H
#define HAND_STORE_H

#include "hand.h"

#include <sqlite3.h>

/** Opens a file, which is made a store when it is not there. */
sqlite3 *hand_store_open(const char *path);

sqlite3_stmt *hand_store_prepare(sqlite3 *store, const char *sql);

/** One more than the number that a query gives. */
int64_t hand_store_next(sqlite3 *store, const char *sql);

/** Reads all that a store has into an empty graph. */
void hand_store_load(sqlite3 *store, hand_graph *graph);

/** Writes what is new or changed; nothing, when nothing is. */
void hand_store_save(sqlite3 *store, hand_graph *graph);

#endif
