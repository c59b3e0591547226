/* Calls that have a twin for jansson: by json_t in that mode, by text in the others. */
#include <stdlib.h>
#include <string.h>

#include "cases.h"

char *dump(json_t *value) {
  for (size_t digits = 15;; digits++) {
    char *text = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT | JSON_REAL_PRECISION(digits));
    json_t *again = json_loads(text, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
    const int is_same = json_equal(value, again);
    json_decref(again);
    if (is_same || digits == 17) return text;
    free(text);
  }
}

const char *kept_text(run *run, json_t *value) {
  if (!value) return NULL;
  char *text = dump(value);
  json_t *kept = json_string(text);
  json_array_append_new(run->texts, kept);
  free(text);
  return json_string_value(kept);
}

groot_status create_model(run *run, json_t *document, groot_error **error) {
  groot_model **model = &run->fixture.model;
  if (run->mode == by_tree) return groot_model_create_json(document, model, error);
  return groot_model_create(kept_text(run, document), GROOT_NTS, model, error);
}

groot_status fetch_objects(run *run, const char *entity, json_t *request, groot_objects **objects,
                           groot_error **error) {
  groot_context *context = run->fixture.context;
  if (run->mode == by_tree)
    return groot_context_fetch_json(context, entity, request, objects, error);
  return groot_context_fetch(context, entity, kept_text(run, request), objects, error);
}

groot_status count_objects(run *run, const char *entity, json_t *request, size_t *count,
                           groot_error **error) {
  groot_context *context = run->fixture.context;
  if (run->mode == by_tree) return groot_context_count_json(context, entity, request, count, error);
  return groot_context_count(context, entity, kept_text(run, request), count, error);
}

groot_status distinct_values(run *run, json_t *step, json_t *request, json_t **values,
                             groot_error **error) {
  groot_context *context = run->fixture.context;
  const char *entity = string_at(step, "distinct"), *property = string_at(step, "property");
  if (run->mode == by_tree)
    return groot_context_distinct_json(context, entity, property, request, values, error);
  groot_buffer buffer = {NULL, 0};
  groot_status status =
      groot_context_distinct(context, entity, property, kept_text(run, request), &buffer, error);
  *values = taken(&buffer);
  return status;
}

groot_status aggregate_values(run *run, json_t *step, json_t *request, json_t **result,
                              groot_error **error) {
  groot_context *context = run->fixture.context;
  const char *entity = string_at(step, "aggregate");
  if (run->mode == by_tree)
    return groot_context_aggregate_json(context, entity, request, result, error);
  groot_buffer buffer = {NULL, 0};
  groot_status status =
      groot_context_aggregate(context, entity, kept_text(run, request), &buffer, error);
  *result = taken(&buffer);
  return status;
}

json_t *model_document(run *run) {
  json_t *document = NULL;
  groot_buffer buffer = {NULL, 0};
  if (run->mode == by_tree) {
    groot_model_document_json(run->fixture.model, &document, NULL);
    return document;
  }
  groot_model_document(run->fixture.model, &buffer, NULL);
  return taken(&buffer);
}

json_t *changes_of(run *run) {
  json_t *changes = NULL;
  groot_buffer buffer = {NULL, 0};
  if (run->mode == by_tree) {
    groot_context_changes_json(run->fixture.context, &changes, NULL);
    return changes;
  }
  groot_context_changes(run->fixture.context, &buffer, NULL);
  return taken(&buffer);
}

json_t *warnings_of(run *run) {
  json_t *warnings = NULL;
  groot_buffer buffer = {NULL, 0};
  if (run->mode == by_tree) {
    groot_mapping_warnings_json(run->fixture.mapping, &warnings, NULL);
    return warnings;
  }
  groot_mapping_warnings(run->fixture.mapping, &buffer, NULL);
  return taken(&buffer);
}
