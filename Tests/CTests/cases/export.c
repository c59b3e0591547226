/* Steps that export. */
#include "cases.h"

/* What an export gave, as json_t and as text, against the step; frees everything. */
static void compare_export(run *run, json_t *step, json_t *expected, groot_status status,
                           json_t *tree, groot_buffer *text, groot_error *error) {
  const int fails = compare_failure(run, json_object_get(step, "expect"), status, error, 0);
  if (!fails && status == GROOT_OK) {
    json_t *parsed = json_loadb(text->data, text->size, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
    if (!agrees(tree, parsed)) complain_json(run, "json_t and text", tree, parsed);
    if (!agrees(tree, expected)) complain_json(run, "the export", tree, expected);
    if (!equal(parsed, expected)) complain_json(run, "the export as text", parsed, expected);
    json_decref(parsed);
  }
  json_decref(tree);
  groot_buffer_free(text);
  groot_error_free(error);
}

void run_export(run *run, json_t *step) {
  groot_object_id object = kept_object(run, string_at(step, "export"));
  groot_export_options options = export_options_of(run, step);
  groot_context *context = run->fixture.context;
  json_t *tree = NULL;
  groot_buffer text = {NULL, 0};
  groot_error *error = NULL;
  groot_status status = groot_export_object_json(context, object, &options, &tree, &error);
  if (status == GROOT_OK)
    status = groot_export_object_text(context, object, &options, &text, &error);
  compare_export(run, step, json_object_get(step, "equals"), status, tree, &text, error);
}

void export_fetched(run *run, json_t *step, const char *entity, json_t *request,
                    json_t *expected) {
  groot_context *context = run->fixture.context;
  groot_export_options options = export_options_of(run, step);
  groot_objects *objects = NULL;
  groot_error *error = NULL;
  json_t *tree = NULL;
  groot_buffer text = {NULL, 0};
  groot_status status = fetch_objects(run, entity, request, &objects, &error);
  const groot_object_id *data = groot_objects_data(objects);
  const size_t count = groot_objects_count(objects);
  if (status == GROOT_OK)
    status = groot_export_objects_json(context, data, count, &options, &tree, &error);
  if (status == GROOT_OK)
    status = groot_export_objects_text(context, data, count, &options, &text, &error);
  compare_export(run, step, expected, status, tree, &text, error);
  groot_objects_free(objects);
}

void run_export_all(run *run, json_t *step) {
  export_fetched(run, step, string_at(step, "exportAll"), NULL, json_object_get(step, "equals"));
}

void run_export_document(run *run, json_t *step) {
  groot_export_options options = export_options_of(run, step);
  groot_context *context = run->fixture.context;
  json_t *tree = NULL;
  groot_buffer text = {NULL, 0};
  groot_error *error = NULL;
  groot_status status = groot_export_document_json(context, &options, &tree, &error);
  if (status == GROOT_OK)
    status = groot_export_document_text(context, &options, &text, &error);
  compare_export(run, step, json_object_get(step, "equals"), status, tree, &text, error);
}
