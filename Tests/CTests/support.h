/* What the C tests share: JSON that is easy to write in C, a context made in one line. */
#ifndef GROOT_SUPPORT_H
#define GROOT_SUPPORT_H

#include "check.h"

/** JSON text from text with ' instead of ". Stays valid for the next seven calls. */
const char *text(const char *quoted);

/** A new json_t from JSON with ' instead of ". Ends the program when it is not JSON. */
json_t *json(const char *quoted);

/** The JSON in a buffer, which is freed; NULL when there is none. */
json_t *taken(groot_buffer *buffer);

/** A context and what it was made from. */
typedef struct fixture {
  groot_model *model;
  groot_registry *registry;
  groot_mapping *mapping;
  groot_context *context;
} fixture;

/**
 * Makes a context of Tests/Cases/models/<model>.json. The registry has StringToInteger (built in)
 * and MessageMapper (a callback). Ends the program when something fails.
 */
fixture open_fixture(const char *model);

/** The same for a model document with ' instead of " and a registry that may be NULL. */
fixture open_document(const char *document, groot_registry *registry);

/** The same in a dialect, with GROOT_MAPPING_... flags. */
fixture open_dialect(const char *document, const char *dialect, uint32_t flags);
void close_fixture(fixture *fixture);

/** Reads a whole model document of the test cases. */
json_t *load_model(const char *name);

/** The entity mapper of messages.json: "text" is a TextMessage, "picture" a PictureMessage. */
groot_status map_message(void *userdata, json_t *value, json_t **result, groot_call *call);

/** Inserts an object, which must succeed. */
groot_object_id insert(fixture *fixture, const char *entity);

/** Imports text with ' instead of ", which must succeed. */
groot_objects *import(fixture *fixture, const char *entity, const char *quoted);

/** As import, for the first object only. */
groot_object_id import_one(fixture *fixture, const char *entity, const char *quoted);

/** The status of an import that may fail; the error is dropped. */
groot_status import_status(fixture *fixture, const char *entity, const char *quoted);

/** Everything in the graph, as exported text of each root entity's objects; free() it. */
char *snapshot(fixture *fixture);

groot_property property_of(fixture *fixture, groot_object_id object, const char *name);
groot_value value_of(fixture *fixture, groot_object_id object, const char *name);
groot_string text_of(fixture *fixture, groot_object_id object, const char *name);
int64_t integer_of(fixture *fixture, groot_object_id object, const char *name);
groot_object_id object_of(fixture *fixture, groot_object_id object, const char *name);
size_t members_of(fixture *fixture, groot_object_id object, const char *name);
size_t count_of(fixture *fixture, const char *entity);
json_t *export_of(fixture *fixture, groot_object_id object);

/** The invariants of the graph hold. */
void check_graph(fixture *fixture);

#endif
