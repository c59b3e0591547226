/*
 * The graph written by hand, kept in PostgreSQL by hand: tables and values as in hand_store.h, but
 * without the name of the entity, as no entity of the model is another's. What an expert does who
 * wants it fast: one transaction; COPY into new tables, whose keys and indexes are made when the
 * rows are there; arrays of many rows as parameters of INSERT … ON CONFLICT into tables that have
 * some.
 */
#ifndef POSTGRESQL_H
#define POSTGRESQL_H

#include "hand.h"

#include <libpq-fe.h>

/** Connects to the server of GROOT_POSTGRESQL; all names are in a schema of its own. */
PGconn *postgresql_open(void);

/** Runs statements without results, or ends the program. */
void postgresql_execute(PGconn *server, const char *sql);

/** Makes the tables and writes the graph into them. */
void postgresql_create(PGconn *server, hand_graph *graph);

/** Makes tables that are there have what the graph has; how many rows were written. */
size_t postgresql_merge(PGconn *server, hand_graph *graph);

/** Requires a result with this status, and gives it back. */
PGresult *postgresql_require(PGconn *server, PGresult *result, ExecStatusType status);

#endif
