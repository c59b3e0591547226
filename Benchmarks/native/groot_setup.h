/* Groot's objects as the rows need them. */
#ifndef GROOT_SETUP_H
#define GROOT_SETUP_H

#include "bench.h"

#include <groot.h>

/** Ends the program with the message of `error` unless `status` is GROOT_OK. */
void must(groot_status status, groot_error *error);

/** A mapping of the model; `transformer` stands in for the built-in "integer-text" unless NULL. */
groot_mapping *open_mapping(const bench_input *input, groot_transform_function transformer,
                            void *userdata);

groot_context *open_context(groot_mapping *mapping);

/** A context with all characters in it. */
groot_context *open_graph(const bench_input *input, groot_mapping *mapping,
                          groot_objects **characters);

/** Requires that there are as many characters as there should be. */
void require_count(const bench_input *input, groot_context *context);

#endif
