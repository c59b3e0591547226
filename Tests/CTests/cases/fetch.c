/* Steps that fetch, count and aggregate. */
#include "cases.h"

#include <string.h>

/* The request of a step: those of its members that are in `keys`, which ends with NULL. */
static json_t *request_of(json_t *step, const char *const *keys) {
  json_t *request = json_object();
  for (; *keys; keys++) {
    json_t *value = json_object_get(step, *keys);
    if (value) json_object_set(request, *keys, value);
  }
  return request;
}

/* The values of a property of what was fetched. */
static void compare_values(run *run, json_t *step, json_t *request, const groot_objects *objects) {
  groot_context *context = run->fixture.context;
  const size_t fetched = groot_objects_count(objects);
  json_t *values = json_array();
  groot_error *error = NULL;
  size_t count = 0;
  for (size_t i = 0; i < fetched; i++)
    json_array_append_new(values, value_as_json(context, groot_objects_at(objects, i),
                                                string_at(step, "property"), NULL));
  if (!equal(values, json_object_get(step, "gives")))
    complain_json(run, "what is fetched", values, json_object_get(step, "gives"));
  if (count_objects(run, string_at(step, "fetch"), request, &count, &error))
    complain_error(run, "the count", error);
  if (count != fetched) complain(run, "%s", "the count is another than that of the fetch");
  groot_error_free(error);
  json_decref(values);
}

void run_fetch(run *run, json_t *step) {
  static const char *const keys[] = {"where", "sort", "limit", "offset", NULL};
  json_t *request = request_of(step, keys);
  if (json_object_get(step, "exportEquals")) {
    export_fetched(run, step, string_at(step, "fetch"), request,
                   json_object_get(step, "exportEquals"));
  } else {
    groot_objects *objects = NULL;
    groot_error *error = NULL;
    groot_status status = fetch_objects(run, string_at(step, "fetch"), request, &objects, &error);
    compare_failure(run, json_object_get(step, "expect"), status, error, 0);
    if (status == GROOT_OK) compare_values(run, step, request, objects);
    groot_objects_free(objects);
    groot_error_free(error);
  }
  json_decref(request);
}

static void compare_result(run *run, json_t *step, groot_status status, json_t *result,
                           groot_error *error) {
  const int fails = compare_failure(run, json_object_get(step, "expect"), status, error, 0);
  if (!fails && !equal(result, json_object_get(step, "equals")))
    complain_json(run, "the result", result, json_object_get(step, "equals"));
  json_decref(result);
  groot_error_free(error);
}

void run_distinct(run *run, json_t *step) {
  static const char *const keys[] = {"where", "limit", "offset", NULL};
  json_t *request = request_of(step, keys), *values = NULL;
  groot_error *error = NULL;
  groot_status status = distinct_values(run, step, request, &values, &error);
  compare_result(run, step, status, values, error);
  json_decref(request);
}

void run_aggregate(run *run, json_t *step) {
  static const char *const keys[] = {"values", "by", "where", NULL};
  json_t *request = request_of(step, keys), *result = NULL;
  groot_error *error = NULL;
  groot_status status = aggregate_values(run, step, request, &result, &error);
  compare_result(run, step, status, result, error);
  json_decref(request);
}
