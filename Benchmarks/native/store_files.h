/* The files of the rows that work with stores. */
#ifndef STORE_FILES_H
#define STORE_FILES_H

#include "bench.h"

/** How many objects are fetched by their identity. */
enum { store_fetches = 1000 };

/** What a store's file says about having been written to. */
typedef struct store_state {
  uint8_t change_counter[4];
  long long size, log_size;
} store_state;

/** The path of a file that is not there yet; free() it. */
char *store_path(const bench_input *input, const char *name);

/** Removes the file of a store and those beside it, and free()s the path. */
void store_remove(char *path);

/**
 * Goes on in a process of its own, which must end; returns 0 in it, and in the one that called, once
 * the other has ended well, 1.
 */
int store_fork(void);

store_state store_look(const char *path);

/** Requires that nothing was written since. */
void store_require_same(const char *path, const store_state *before);

/** The identifier of some character, each time of another one, in no order. */
int64_t store_identifier(const bench_input *input, size_t number);

#endif
