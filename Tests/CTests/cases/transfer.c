#include "cases.h"

#include <stdlib.h>
#include <string.h>

/* ---- imports --------------------------------------------------------------------------------- */

static groot_import_options options_of(run *run, json_t *step, json_t **report) {
  groot_import_options options = GROOT_IMPORT_OPTIONS_INIT;
  const char *errors = string_at(step, "errors");
  if (run->mode == by_jansson) options.flags |= GROOT_IMPORT_JANSSON_ONLY;
  if (json_is_true(json_object_get(step, "dryRun"))) options.flags |= GROOT_IMPORT_DRY_RUN;
  if (json_is_true(json_object_get(step, "changes"))) options.flags |= GROOT_IMPORT_CHANGES;
  if (errors && strcmp(errors, "collect") == 0) options.errors = GROOT_ERRORS_COLLECT;
  if (errors && strcmp(errors, "skip") == 0) options.errors = GROOT_ERRORS_SKIP;
  options.max_issues = (size_t)json_integer_value(json_object_get(step, "maxIssues"));
  options.policies = json_object_get(step, "policies");
  options.report = report;
  return options;
}

static groot_status import_step(run *run, json_t *step, json_t **report, groot_objects **objects,
                                groot_error **error) {
  groot_context *context = run->fixture.context;
  const char *entity = string_at(step, "import");
  json_t *text = json_object_get(step, "text");
  json_t *value = json_object_get(step, "json");
  groot_import_options options = options_of(run, step, report);
  if (!text && run->mode == by_tree)
    return groot_import_json(context, entity, GROOT_NTS, value, &options, objects, error);
  char *dumped =
      text ? NULL : json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT | JSON_REAL_PRECISION(17));
  groot_status status =
      groot_import_text(context, entity, GROOT_NTS, text ? json_string_value(text) : dumped,
                        text ? json_string_length(text) : strlen(dumped), &options, objects, error);
  free(dumped);
  return status;
}

static void compare_objects(run *run, json_t *step, const groot_objects *objects) {
  json_t *ids = ids_as_json(objects);
  json_t *count = json_object_get(json_object_get(step, "expect"), "count");
  const char *as = string_at(step, "as"), *same = string_at(step, "same");
  json_t *actual_count = json_integer((json_int_t)json_array_size(ids));
  if (count && !equal(actual_count, count)) complain_json(run, "the count", actual_count, count);
  if (same && !json_equal(ids, json_object_get(run->kept, same)))
    complain_json(run, "the list of objects", ids, json_object_get(run->kept, same));
  if (as) json_object_set(run->kept, as, ids);
  json_decref(actual_count);
  json_decref(ids);
}

void run_import(run *run, json_t *step) {
  json_t *expect = json_object_get(step, "expect"), *report = NULL;
  json_t *expected_report = json_object_get(expect, "report");
  int has_place = json_object_get(step, "text") && run->mode == by_text;
  groot_objects *objects = NULL;
  groot_error *error = NULL;
  json_t *before = state(run);
  groot_status status = import_step(run, step, &report, &objects, &error);
  /* What jansson reads knows the place of faults of the text, not that of each value. */
  if (json_object_get(step, "text") && status == GROOT_INVALID_JSON) has_place = 1;
  const int fails = compare_failure(run, expect, status, error, has_place);
  if (fails || json_is_true(json_object_get(step, "dryRun"))) {
    json_t *after = state(run);
    if (!json_equal(before, after)) complain_json(run, "the graph after this", after, before);
    json_decref(after);
  }
  if (status == GROOT_OK) {
    compare_objects(run, step, objects);
    if (expected_report && !matches(report, expected_report, has_place))
      complain_json(run, "the report", report, expected_report);
  }
  json_decref(before);
  json_decref(report);
  groot_objects_free(objects);
  groot_error_free(error);
}

/* ---- exports --------------------------------------------------------------------------------- */

static groot_export_options export_options_of(json_t *step) {
  groot_export_options options = GROOT_EXPORT_OPTIONS_INIT;
  json_t *depth = json_object_get(step, "depth");
  if (depth) options.depth = (int32_t)json_integer_value(depth);
  options.properties = json_object_get(step, "properties");
  return options;
}

/* What an export gave, as json_t and as text, against the step; frees everything. */
static void compare_export(run *run, json_t *step, json_t *expected, groot_status status,
                           json_t *tree, groot_buffer *text, groot_error *error) {
  const int fails = compare_failure(run, json_object_get(step, "expect"), status, error, 0);
  if (!fails && status == GROOT_OK) {
    json_t *parsed = json_loadb(text->data, text->size, JSON_DECODE_ANY, NULL);
    if (!equal(tree, expected)) complain_json(run, "the export", tree, expected);
    if (!equal(parsed, expected)) complain_json(run, "the export as text", parsed, expected);
    json_decref(parsed);
  }
  json_decref(tree);
  groot_buffer_free(text);
  groot_error_free(error);
}

void run_export(run *run, json_t *step) {
  groot_object_id object = kept_object(run, string_at(step, "export"));
  groot_export_options options = export_options_of(step);
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
  groot_export_options options = export_options_of(step);
  groot_objects *objects = NULL;
  groot_error *error = NULL;
  json_t *tree = NULL;
  groot_buffer text = {NULL, 0};
  groot_status status = groot_context_fetch(context, entity, GROOT_NTS, request, &objects, &error);
  const groot_object_id *data = groot_objects_data(objects);
  const size_t count = groot_objects_count(objects);
  if (status == GROOT_OK)
    status = groot_export_json(context, data, count, &options, &tree, &error);
  if (status == GROOT_OK)
    status = groot_export_text(context, data, count, &options, &text, &error);
  compare_export(run, step, expected, status, tree, &text, error);
  groot_objects_free(objects);
}

void run_export_all(run *run, json_t *step) {
  export_fetched(run, step, string_at(step, "exportAll"), NULL, json_object_get(step, "equals"));
}
