/* The good arguments for calls with NULL; generated/null.py has their names. */
#ifndef GROOT_NULL_H
#define GROOT_NULL_H

#include "support.h"

typedef struct scene {
  fixture fixture, rooted; /* comics; types, with roots */
  groot_object_id character, power;
  groot_property name, powers; /* of a character */
  groot_value value;           /* a string */
  groot_error *failure;
  groot_call *call;
  json_t *document, *array, *object;
  groot_context *source, *target; /* on the empty stores at `first` and `second` */
  char imported[64], exported[64], store[64], first[64], second[64]; /* paths of files */
} scene;

/** A character to delete. */
groot_object_id doomed(scene *s);

/** The name of a function in the registry. */
const char *registered(scene *s);

/** An import in pieces that has begun with a text. */
groot_stream *begun(scene *s, const char *text);

groot_status pass_on(void *userdata, const char *value, size_t size, groot_call *call);
groot_status pass_on_json(void *userdata, json_t *value, json_t **result, groot_call *call);
groot_status go_on(void *userdata, const groot_progress *progress);
groot_status swallow(void *userdata, const char *data, size_t size);
void forget(void *userdata);

/* The generated calls: those that need no groot_call, and those of a callback. */
void null_arguments(scene *s);
void null_arguments_in_call(scene *s);

#endif
