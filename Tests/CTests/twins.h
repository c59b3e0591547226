/* Outcomes of calls and their comparison, for the generated calls of twins and of exports. */
#ifndef GROOT_TWINS_H
#define GROOT_TWINS_H

#include "support.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/** The status of a call, the text of its error, and its result as JSON. */
typedef struct outcome {
  groot_status status;
  char *said;
  json_t *result; /* NULL: none */
  char *bytes;    /* of a result that is text; NULL: none */
  char *graph;    /* the graph after the call; NULL: unchanged */
  size_t count;   /* the number of objects written */
} outcome;

/** Takes the result and the error of a call. */
outcome ended(groot_status status, groot_error **error, json_t *result);

/** The same without the lines and columns in the error, which only text has. */
outcome ended_without_places(groot_status status, groot_error **error, json_t *result);

/** Both outcomes are the same. */
void compare(const outcome *first, const outcome *second, const char *call, const char *input);
void drop(outcome *outcome);

/** The ids of a sequence, which is freed. */
json_t *ids(groot_objects *objects);

/** The documents of a model, which is freed. */
json_t *described(groot_model *model);

/** The json_t of a text; NULL for NULL. */
json_t *tree_of(const char *text);

/** A graph of things, with an object that lives, one that was deleted, and none. */
typedef struct things {
  fixture fixture;
  groot_object_id objects[3];
} things;

things open_things(void);

/** Adds report, counts and graph to the outcome of a call that changed the graph. */
void close_things(things *things, outcome *outcome, groot_buffer *report,
                  const groot_counts *counts);

extern const uint32_t reading_flags[2];

/** The destination of an export. */
struct sink {
  groot_buffer text;
  json_t *tree;
  size_t count;
  char *pieces;
  size_t size; /* of the pieces */
};

/** Collects pieces of text in a sink. */
groot_status collect(void *sink, const char *data, size_t size);

/** Takes what an export left in a sink or in the file at `path`. */
outcome sunk(groot_status status, groot_error **error, struct sink *sink, const char *path);

/** The things that the calls are about. */
typedef struct scene {
  things things, exported;
  groot_model *models[2];
  groot_mapping *mappings[2];
  groot_context *contexts[3], *stores[2], *documents[2];
  struct {
    const groot_object_id *data;
    size_t size;
  } lists[5];
  groot_export_options options[10];
  char path[64];
} scene;

/* Generated from the header. */
extern const char things_text[];
void compare_all(scene *s);

#endif
