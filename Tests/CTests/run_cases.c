/*
 * Runs the shared test cases of Tests/Cases: a model, a registry and steps, as data.
 * usage: run_cases CASE.json...
 *
 * Every case runs three times: its JSON handed over as text, as text that only jansson reads, and
 * as a json_t. All three must behave alike; line and column exist for text only. Requests, results
 * and callbacks are texts or json_t as well: each function and its twin does the same.
 */
#include "cases/cases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void run_warnings(run *run, json_t *step) {
  json_t *warnings = warnings_of(run), *expected = json_object_get(step, "warnings");
  if (!matches(warnings, expected, 0)) complain_json(run, "the warnings", warnings, expected);
  json_decref(warnings);
}

/* In this order: a step with "sync" may have "members" and "delete", too. */
static const struct {
  const char *key;
  void (*run)(run *run, json_t *step);
} kinds[] = {
    {"import", run_import},        {"sync", run_sync},         {"fill", run_fill},
    {"exportAll", run_export_all}, {"export", run_export},     {"fetch", run_fetch},
    {"set", run_set},              {"get", run_get},           {"members", run_members},
    {"count", run_count},          {"insert", run_insert},     {"delete", run_delete},
    {"save", run_save},            {"rollback", run_rollback}, {"roundTrip", run_round_trip},
    {"warnings", run_warnings},    {"distinct", run_distinct}, {"aggregate", run_aggregate},
    {"exportDocument", run_export_document},
};

static void run_step(run *run, json_t *step) {
  groot_error *error = NULL;
  size_t kind = 0;
  const size_t count = sizeof kinds / sizeof kinds[0];
  while (kind < count && !json_object_get(step, kinds[kind].key)) kind++;
  if (kind < count) {
    kinds[kind].run(run, step);
  } else {
    complain(run, "%s", "no such step");
  }
  if (groot_context_check(run->fixture.context, &error))
    complain_error(run, "an invariant is broken", error);
  groot_error_free(error);
}

/* The status, and each message as part of what the error says. */
static void compare_errors(run *run, json_t *expected, groot_status status, groot_error *error) {
  size_t index;
  json_t *message;
  if (status != (groot_status)json_integer_value(json_object_get(expected, "status")))
    complain_error(run, "another status was expected", error);
  groot_string all = groot_error_text(error);
  json_array_foreach(json_object_get(expected, "messages"), index, message) {
    if (!all.data || !strstr(all.data, json_string_value(message))) {
      complain(run, "no issue says: %s", json_string_value(message));
      fprintf(stderr, "  %s\n", all.data ? all.data : "");
    }
  }
}

/* Makes the model, the mapping and the context; whether there are steps to run. */
static int prepare(run *run, json_t *test) {
  const char *said = string_at(test, "dialect");
  fixture *fixture = &run->fixture;
  groot_error *error = NULL;
  groot_mapping_options options =
      mapping_options_of(run, json_object_get(test, "mappingOptions"), said ? said : "groot");
  json_t *document = model_of(test);
  json_t *model_error = json_object_get(test, "modelError");
  json_t *mapping_error = json_object_get(test, "mappingError");
  groot_status status = create_model(run, document, &error);
  json_decref(document);
  if (!model_error && status == GROOT_OK) {
    status = make_registry(run, test, &error);
    if (status == GROOT_OK)
      status = groot_mapping_create(fixture->model, fixture->registry, &options, &fixture->mapping,
                                    &error);
  }
  const int is_error = model_error || mapping_error;
  if (is_error) {
    compare_errors(run, model_error ? model_error : mapping_error, status, error);
  } else {
    if (status == GROOT_OK) status = make_mappings(run, test, options.dialect, &error);
    if (status == GROOT_OK)
      status = groot_context_create(fixture->mapping, &fixture->context, &error);
    if (status != GROOT_OK) complain_error(run, "the case cannot be set up", error);
  }
  groot_error_free(error);
  return !is_error && status == GROOT_OK;
}

static int run_case(const char *path, json_t *test, enum mode mode) {
  run run = {0};
  run.path = path;
  run.mode = mode;
  run.kept = json_object();
  run.texts = json_array();
  size_t index;
  json_t *step;
  if (prepare(&run, test)) {
    json_array_foreach(json_object_get(test, "steps"), index, step) {
      run.step = index + 1;
      run_step(&run, step);
    }
  }
  for (size_t i = 0; i < run.mapping_count; i++) groot_mapping_free(run.mappings[i].mapping);
  close_fixture(&run.fixture);
  json_decref(run.kept);
  json_decref(run.texts);
  return run.failed;
}

int main(int argc, char **argv) {
  CHECK(argc > 1);
  for (int i = 1; i < argc; i++) {
    json_error_t error;
    json_t *test = json_load_file(argv[i], JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, &error);
    if (!test) {
      fprintf(stderr, "%s:%d: %s\n", argv[i], error.line, error.text);
      CHECK(test != NULL);
      continue;
    }
    for (int mode = 0; mode < mode_count; mode++) CHECK(!run_case(argv[i], test, (enum mode)mode));
    json_decref(test);
  }
  return finish("run_cases");
}
