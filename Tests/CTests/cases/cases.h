/* The parts of the runner of the shared cases; what a case may say is in Tests/Cases/README.md. */
#ifndef GROOT_CASES_H
#define GROOT_CASES_H

#include "../support.h"

/* How JSON is handed over: as text, with imports read by the library or by jansson, or as json_t.
 */
enum mode { by_text, by_tree, mode_count };

/* The case that runs: what it is made of and what its steps keep under a name. */
typedef struct run {
  const char *path;
  enum mode mode;
  size_t step; /* from 1 */
  int failed;
  fixture fixture;
  json_t *kept;  /* name to list of object ids */
  json_t *texts; /* what kept_text made */
  struct {
    const char *name;
    groot_mapping *mapping;
  } mappings[32]; /* further mappings of the model */
  size_t mapping_count;
  groot_counts counts; /* of the last step that read JSON */
} run;

/* ---- compare.c: JSON, and what is wrong with it ---- */

/* The case fails, with a message of which `format` takes `detail`. */
void complain(run *run, const char *format, const char *detail);
void complain_json(run *run, const char *what, json_t *actual, json_t *expected);
void complain_error(run *run, const char *what, groot_error *error);

/* Equality as a reader of JSON understands it: 1 equals 1.0. */
int equal(json_t *a, json_t *b);

/* The same for a json_t that was exported: it has the text of a decimal that a double rounds. */
int agrees(json_t *tree, json_t *text);

/* Whether a value is as a case describes it, which may be in part. */
int matches(json_t *actual, json_t *expected, int has_place);

/* The issues of an error, in the form that reports and warnings have. */
json_t *issues_as_json(groot_error *error);

/* Compares a failure with {"error": ...} or {"errors": [...]}; whether one of them was expected. */
int compare_failure(run *run, json_t *expect, groot_status status, groot_error *error,
                    int has_place);

const char *string_at(json_t *object, const char *key);

/* ---- prepare.c: models and registries ---- */

/* A case's model document; a new reference. */
json_t *model_of(json_t *test);
groot_status make_registry(run *run, json_t *test, groot_error **error);

/* What a case says of a mapping, in the dialect that it says or another. */
groot_mapping_options mapping_options_of(run *run, json_t *described, const char *dialect);

/* Makes the further mappings of a case, those without a dialect of their own in `dialect`. */
groot_status make_mappings(run *run, json_t *test, const char *dialect, groot_error **error);

/* ---- twins.c: the functions that take or give JSON, as the mode has it ---- */

/* JSON text of a value with as few digits as it needs, for exact decimals; free() it. */
char *dump(json_t *value);

/* The text of a value, which stays until the case ends; NULL for NULL. */
const char *kept_text(run *run, json_t *value);

groot_status create_model(run *run, json_t *document, groot_error **error);
groot_status fetch_objects(run *run, const char *entity, json_t *request, groot_objects **objects,
                           groot_error **error);
groot_status count_objects(run *run, const char *entity, json_t *request, size_t *count,
                           groot_error **error);
groot_status distinct_values(run *run, json_t *step, json_t *request, json_t **values,
                             groot_error **error);
groot_status aggregate_values(run *run, json_t *step, json_t *request, json_t **result,
                              groot_error **error);
json_t *model_document(run *run);
json_t *changes_of(run *run);
json_t *warnings_of(run *run);

/* ---- objects.c: single objects ---- */

json_t *ids_as_json(const groot_objects *objects);
groot_object_id kept_object(run *run, const char *name);

/* A property's value as a case writes it, ids of members for a to-many; NULL with an error. */
json_t *value_as_json(groot_context *context, groot_object_id object, const char *property,
                      groot_error **error);

void run_get(run *run, json_t *step);
void run_members(run *run, json_t *step);
void run_set(run *run, json_t *step);
void run_insert(run *run, json_t *step);
void run_delete(run *run, json_t *step);

/* ---- state.c: the graph as a whole ---- */

/* Everything that the graph holds: ids, all values, what is pending, and an export of it. */
json_t *state(run *run);
json_t *root_entities(run *run);
void run_count(run *run, json_t *step);
void run_save(run *run, json_t *step);
void run_rollback(run *run, json_t *step);
void run_round_trip(run *run, json_t *step);

/* ---- options.c: what a step says about how ---- */

/* The number of a choice by name, from 1; 0 when there is none. `names` ends with NULL. */
int32_t choice_of(run *run, json_t *object, const char *key, const char *const *names);

/* How properties without a value are written, GROOT_NULLS_... */
int32_t nulls_of(run *run, json_t *object);

groot_import_options import_options_of(run *run, json_t *step, groot_buffer *report);
groot_sync_options sync_options_of(run *run, json_t *step, groot_buffer *report);
groot_export_options export_options_of(run *run, json_t *step);

/* ---- transfer.c: all that reads JSON ---- */

void run_import(run *run, json_t *step);
void run_sync(run *run, json_t *step);
void run_fill(run *run, json_t *step);

/* ---- export.c: all that writes it ---- */

void run_export(run *run, json_t *step);
void run_export_all(run *run, json_t *step);
void run_export_document(run *run, json_t *step);

/* Exports what a request fetches, and compares it. */
void export_fetched(run *run, json_t *step, const char *entity, json_t *request,
                    json_t *expected);

/* ---- fetch.c: fetches, and values computed over objects ---- */

void run_fetch(run *run, json_t *step);
void run_distinct(run *run, json_t *step);
void run_aggregate(run *run, json_t *step);

#endif
