/*
 * What the rows of the benchmark share. A row is a function that does one piece of work once: it
 * prepares, calls bench_begin, works, calls bench_end and checks what came out. A process runs one
 * row, so that its highest memory use is that row's.
 */
#ifndef BENCH_H
#define BENCH_H

#include <stddef.h>
#include <stdint.h>

/** What the command line gave. */
typedef struct bench_input {
  const char *model;   /**< path of the model document */
  const char *path;    /**< path of the characters' JSON text, or of dates */
  size_t count;        /**< how many characters or dates it has */
  const char *scratch; /**< a folder for files */
} bench_input;

typedef void (*bench_row)(const bench_input *input);

/** A row under its name. */
typedef struct bench_entry {
  const char *name;
  bench_row run;
} bench_entry;

/** The rows of each file; the last entry has no name. */
extern const bench_entry bench_jansson_rows[], bench_hand_rows[], bench_import_rows[],
    bench_graph_rows[], bench_sync_rows[], bench_date_rows[], bench_store_rows[],
    bench_hand_store_rows[], bench_workload_rows[], bench_postgresql_rows[];

/** The tables of the rows that the program can run here; NULL ends them. */
const bench_entry *const *bench_tables(void);

/** Prints the libraries that the rows work with, a line each: the name and the version. */
void bench_versions(void);

/** Starts both clocks, and the count of instructions anew where callgrind runs the program. */
void bench_begin(void);

/** Stops them all and notes the highest memory use so far; `operations` is what was done in between. */
void bench_end(size_t operations);

/** Ends the program with a message unless `condition` holds. */
void bench_require(int condition, const char *message);

/** The bytes of a file, with a NUL after them; free() them. */
char *bench_read(const char *path, size_t *size);

/** Requires that `bytes` are those of the file at `path`. */
void bench_require_same(const char *path, const char *bytes, size_t size);

#endif
