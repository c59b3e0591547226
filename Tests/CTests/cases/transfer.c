/* Steps that import, synchronize and fill. */
#include "cases.h"

#include <stdlib.h>
#include <string.h>

/* What a step reads: text, or a json_t when that is the mode. */
typedef struct input {
  const char *text; /* NULL: there is a value */
  size_t length;
  json_t *value;
} input;

/* One of the ways of reading JSON. Only fills give no objects. */
typedef groot_status reading(run *run, json_t *step, const input *input, groot_buffer *report,
                             groot_objects **objects, groot_error **error);

static groot_status import_input(run *run, json_t *step, const input *input, groot_buffer *report,
                                 groot_objects **objects, groot_error **error) {
  groot_context *context = run->fixture.context;
  const char *entity = string_at(step, "import");
  groot_import_options options = import_options_of(run, step, report);
  return input->text ? groot_import_text(context, entity, input->text, input->length, &options,
                                         objects, error)
                     : groot_import_json(context, entity, input->value, &options, objects, error);
}

static groot_status sync_input(run *run, json_t *step, const input *input, groot_buffer *report,
                               groot_objects **objects, groot_error **error) {
  groot_context *context = run->fixture.context;
  const char *entity = string_at(step, "sync");
  groot_sync_options options = sync_options_of(run, step, report);
  return input->text ? groot_sync_text(context, entity, input->text, input->length, &options,
                                       objects, error)
                     : groot_sync_json(context, entity, input->value, &options, objects, error);
}

static groot_status fill_input(run *run, json_t *step, const input *input, groot_buffer *report,
                               groot_objects **objects, groot_error **error) {
  (void)objects;
  groot_context *context = run->fixture.context;
  groot_object_id object = kept_object(run, string_at(step, "fill"));
  groot_import_options options = import_options_of(run, step, report);
  return input->text
             ? groot_object_fill_text(context, object, input->text, input->length, &options, error)
             : groot_object_fill_json(context, object, input->value, &options, error);
}

static groot_status read_step(run *run, json_t *step, reading *read, groot_buffer *report,
                              groot_objects **objects, groot_error **error) {
  json_t *text = json_object_get(step, "text");
  input input = {json_string_value(text), json_string_length(text), json_object_get(step, "json")};
  if (text || run->mode == by_tree) return read(run, step, &input, report, objects, error);
  char *dumped = dump(input.value);
  input.text = dumped;
  input.length = strlen(dumped);
  groot_status status = read(run, step, &input, report, objects, error);
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

/* How many objects a list of the report has by entity; those not mentioned count as none. */
static void compare_access(run *run, json_t *step, json_t *report, const char *list) {
  json_t *expected = json_object_get(json_object_get(step, "expect"), list);
  const char *entity;
  json_t *count;
  json_object_foreach(expected, entity, count) {
    json_t *objects = json_object_get(json_object_get(report, list), entity);
    if ((json_int_t)json_array_size(objects) != json_integer_value(count))
      complain_json(run, list, json_object_get(report, list), expected);
  }
}

static void compare_report(run *run, json_t *step, json_t *report, int has_place) {
  json_t *expected = json_object_get(json_object_get(step, "expect"), "report");
  if (expected && !matches(report, expected, has_place))
    complain_json(run, "the report", report, expected);
  compare_access(run, step, report, "accessed");
  compare_access(run, step, report, "unaccessed");
  json_t *withheld = json_object_get(json_object_get(step, "expect"), "withheld");
  json_t *found = json_object_get(report, "withheld");
  if (withheld && (json_int_t)json_array_size(found) != json_integer_value(withheld))
    complain_json(run, "what is withheld", found, withheld);
}

/* The counts are those of the report, and none after a failure. */
static void compare_counts(run *run, json_t *report) {
  const groot_counts *counts = &run->counts;
  json_t *actual = json_pack(
      "{s:I,s:I,s:I,s:I,s:I,s:I,s:I}", "inserted", (json_int_t)counts->inserted, "updated",
      (json_int_t)counts->updated, "unchanged", (json_int_t)counts->unchanged, "deleted",
      (json_int_t)counts->deleted, "skipped", (json_int_t)counts->skipped, "stale",
      (json_int_t)counts->stale, "issues", (json_int_t)counts->issues);
  const char *name;
  json_t *count;
  json_object_foreach(actual, name, count) {
    json_t *reported = json_object_get(report, name);
    json_int_t expected = json_is_array(reported) ? (json_int_t)json_array_size(reported)
                                                  : json_integer_value(reported);
    if (json_integer_value(count) != expected) complain_json(run, name, actual, report);
  }
  json_decref(actual);
}

static void run_reading(run *run, json_t *step, reading *read) {
  json_t *expect = json_object_get(step, "expect");
  groot_buffer buffer = {NULL, 0};
  int has_place = json_object_get(step, "text") && run->mode == by_text;
  groot_objects *objects = NULL;
  groot_error *error = NULL;
  json_t *before = state(run);
  run->counts = (groot_counts){sizeof run->counts, 99, 99, 99, 99, 99, 99, 99};
  groot_status status = read_step(run, step, read, &buffer, &objects, &error);
  json_t *report = taken(&buffer);
  /* What jansson reads knows the place of faults of the text, not that of each value. */
  if (json_object_get(step, "text") && status == GROOT_INVALID_JSON) has_place = 1;
  const int fails = compare_failure(run, expect, status, error, has_place);
  if (fails || json_is_true(json_object_get(step, "dryRun"))) {
    json_t *after = state(run);
    if (!json_equal(before, after)) complain_json(run, "the graph after this", after, before);
    json_decref(after);
  }
  compare_counts(run, report);
  if (status == GROOT_OK) {
    compare_objects(run, step, objects);
    compare_report(run, step, report, has_place);
  }
  json_decref(before);
  json_decref(report);
  groot_objects_free(objects);
  groot_error_free(error);
}

void run_import(run *run, json_t *step) { run_reading(run, step, import_input); }

void run_sync(run *run, json_t *step) { run_reading(run, step, sync_input); }

void run_fill(run *run, json_t *step) { run_reading(run, step, fill_input); }
