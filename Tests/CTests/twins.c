/* Each function that takes or gives JSON as text does the same as its twin for jansson. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support.h"

static groot_error *error;
static const size_t nts = GROOT_NTS;

/* ---- comparing ------------------------------------------------------------------------------- */

/* What a call gave: its status, what its error says, and its result as JSON. */
typedef struct outcome {
  groot_status status;
  char *said;
  json_t *result; /* consumed by the comparison; NULL: none */
} outcome;

/* Takes the result and the error of a call. */
static outcome ended(groot_status status, json_t *result) {
  outcome made = {status, NULL, result};
  groot_string said = groot_error_text(error);
  made.said = calloc(1, said.size + 1);
  if (said.size) memcpy(made.said, said.data, said.size);
  CHECK_EQUAL(groot_error_status(error), status);
  CHECK(status == GROOT_OK || result == NULL);
  groot_error_free(error);
  error = NULL;
  return made;
}

static void compare(outcome text, outcome json, const char *what) {
  int holds = CHECK_EQUAL(text.status, json.status) & CHECK(strcmp(text.said, json.said) == 0);
  holds &= CHECK((text.result == NULL) == (json.result == NULL));
  if (text.result && json.result) holds &= CHECK(json_equal(text.result, json.result));
  if (!holds) fprintf(stderr, "  for %s: '%s', '%s'\n", what, text.said, json.said);
  free(text.said);
  free(json.said);
  json_decref(text.result);
  json_decref(json.result);
}

static json_t *ids(groot_objects *objects) {
  json_t *list = objects ? json_array() : NULL;
  for (size_t i = 0; i < groot_objects_count(objects); i++)
    json_array_append_new(list, json_integer((json_int_t)groot_objects_at(objects, i)));
  groot_objects_free(objects);
  return list;
}

/* A call that gives JSON: into a buffer, and into a json_t. */
#define COMPARE_RESULTS(name, ...)                                    \
  do {                                                                \
    groot_buffer buffer = {NULL, 0};                                  \
    json_t *given = NULL;                                             \
    groot_status status = groot_##name(__VA_ARGS__, &buffer, &error); \
    outcome text_outcome = ended(status, taken(&buffer));             \
    status = groot_##name##_json(__VA_ARGS__, &given, &error);        \
    compare(text_outcome, ended(status, given), #name);               \
  } while (0)

/* ---- models and mappings --------------------------------------------------------------------- */

static void compare_models(const char *quoted) {
  groot_model *first = NULL, *second = NULL;
  json_t *tree = json(quoted);
  groot_status status = groot_model_create(text(quoted), nts, &first, &error);
  outcome text_outcome = ended(status, NULL);
  status = groot_model_create_json(tree, &second, &error);
  compare(text_outcome, ended(status, NULL), quoted);
  json_decref(tree);
  CHECK((first == NULL) == (second == NULL));
  if (first && second) {
    COMPARE_RESULTS(model_document, first);
    json_t *document = NULL;
    groot_buffer buffer = {NULL, 0};
    CHECK_OK(groot_model_document_json(first, &document, &error));
    CHECK_OK(groot_model_document(second, &buffer, &error));
    json_t *other = taken(&buffer);
    CHECK(json_equal(document, other));
    json_decref(document);
    json_decref(other);
  }
  groot_model_free(first);
  groot_model_free(second);
}

static void test_models(void) {
  compare_models("{'entities': {}}");
  compare_models(
      "{'entities': {'A': {'attributes': {'d': {'type': 'decimal', 'default': 0.1},"
      " 's': {'type': 'string', 'maxLength': 3, 'pattern': '^a'}}},"
      " 'B': {'parent': 'A', 'userInfo': {'x': [1, null, {'y': 'z'}]}}}}");
  compare_models("[]");
  compare_models("{}");
  compare_models("{'entities': {'A': {'parent': 'B', 'attributes': {'a': {'type': 'c'}}}}}");
}

static void test_warnings(void) {
  fixture plain = open_fixture("comics");
  COMPARE_RESULTS(mapping_warnings, plain.mapping);
  close_fixture(&plain);
  fixture odd = open_document(
      "{'entities': {'A': {'userInfo': {'identityAtributes': 'a'}, 'attributes': {'a': {'type':"
      " 'string', 'optional': true, 'userInfo': {'JSONKeyPth': 'a'}}}}}}",
      NULL);
  groot_buffer buffer = {NULL, 0};
  CHECK_OK(groot_mapping_warnings(odd.mapping, &buffer, &error));
  json_t *warnings = taken(&buffer);
  CHECK(json_array_size(warnings) > 0);
  json_decref(warnings);
  COMPARE_RESULTS(mapping_warnings, odd.mapping);
  close_fixture(&odd);
}

/* ---- fetches --------------------------------------------------------------------------------- */

static const char *const requests[] = {
    NULL,
    "{}",
    "{'sort': ['-price', 'id'], 'limit': 2, 'offset': 1}",
    "{'where': {'price': {'>': 0.1}}}",
    "{'where': {'price': 12.50}}",
    "{'where': {'or': [{'name': {'like': 'a*'}}, {'not': {'owner': null}}]}}",
    "{'where': {'owner.name': 'a'}, 'sort': ['id']}",
    "{'where': {'name': '\\u0000'}}",
    "{'where': {'nothing': 1}}",
    "{'where': {'id': [1, {}]}}",
    "{'where': {'id': 1.5}}",
    "{'limit': -1}",
    "{'sort': 'id'}",
    "{'values': {'n': 'count'}}",
    "[]",
    "5",
};

static const char *const aggregates[] = {
    "{}",
    "{'values': {'n': 'count', 's': {'sum': 'price'}, 'a': {'average': 'id'}}}",
    "{'values': {'m': {'max': 'price'}}, 'by': ['name']}",
    "{'values': {'n': 'count'}, 'where': {'id': {'in': [1, 3]}}}",
    "{'values': {'n': {'sum': 'name'}}}",
    "{'values': 5}",
    "{'limit': 1}",
    "[]",
};

static void compare_fetches(fixture *f, const char *entity, const char *quoted) {
  groot_context *c = f->context;
  const char *request = quoted ? text(quoted) : NULL;
  json_t *tree = quoted ? json_loads(request, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL) : NULL;
  groot_objects *objects = NULL;
  groot_buffer buffer = {NULL, 0};
  json_t *values = NULL;
  size_t count = 0, again = 0;
  groot_status status = groot_context_fetch(c, entity, request, &objects, &error);
  outcome made = ended(status, ids(objects));
  status = groot_context_fetch_json(c, entity, tree, &objects, &error);
  compare(made, ended(status, ids(objects)), quoted ? quoted : "all");
  made = ended(groot_context_count(c, entity, request, &count, &error), NULL);
  compare(made, ended(groot_context_count_json(c, entity, tree, &again, &error), NULL), "count");
  CHECK_EQUAL(count, again);
  static const char *const properties[] = {"price", "-name", "owner.name", "parts", "nothing"};
  for (size_t i = 0; i < sizeof properties / sizeof properties[0]; i++) {
    status = groot_context_distinct(c, entity, properties[i], request, &buffer, &error);
    made = ended(status, taken(&buffer));
    status = groot_context_distinct_json(c, entity, properties[i], tree, &values, &error);
    compare(made, ended(status, values), properties[i]);
  }
  json_decref(tree);
}

static void compare_aggregates(fixture *f, const char *quoted) {
  json_t *tree = json(quoted), *values = NULL;
  groot_buffer buffer = {NULL, 0};
  groot_status status = groot_context_aggregate(f->context, "Thing", text(quoted), &buffer, &error);
  outcome made = ended(status, taken(&buffer));
  status = groot_context_aggregate_json(f->context, "Thing", tree, &values, &error);
  compare(made, ended(status, values), quoted);
  json_decref(tree);
}

/* What only text can be: no JSON, with the place of the fault. */
static void test_no_json(fixture *f) {
  groot_objects *objects = NULL;
  groot_buffer buffer = {NULL, 0};
  size_t count = 0;
  static const char broken[] = "{\"where\":\n {\"id\": }}";
  CHECK_FAILS(groot_context_fetch(f->context, "Thing", broken, &objects, &error),
              GROOT_INVALID_JSON);
  CHECK_EQUAL(issue.line, 2);
  CHECK(strstr(issue.message, "request") != NULL);
  CHECK_FAILS(groot_context_count(f->context, "Thing", broken, &count, &error), GROOT_INVALID_JSON);
  CHECK_FAILS(groot_context_distinct(f->context, "Thing", "id", "", &buffer, &error),
              GROOT_INVALID_JSON);
  CHECK_FAILS(groot_context_aggregate(f->context, "Thing", "{'", &buffer, &error),
              GROOT_INVALID_JSON);
  CHECK(groot_context_fetch(f->context, "Thing", "{\"\xff\": 1}", &objects, NULL) != GROOT_OK);
  CHECK(objects == NULL && buffer.data == NULL && count == 0);
}

/* ---- imports and exports --------------------------------------------------------------------- */

static const char things[] =
    "[{'id': 1, 'name': 'a', 'price': 12.5, 'parts': [{'id': 2, 'price': 0.1}, {'id': 3}]},"
    " {'id': 4, 'name': 'b', 'price': '12345678901234567890.5', 'extra': {'x': [1, null]}}]";

/* One of the functions that read JSON, or its twin, with options that ask for a report. */
typedef groot_status reading(fixture *f, const char *text, json_t *tree, groot_buffer *report);

static groot_status do_import(fixture *f, const char *text, json_t *tree, groot_buffer *report) {
  groot_import_options options = GROOT_IMPORT_OPTIONS_INIT;
  options.flags = GROOT_CHANGES;
  options.report = report;
  return tree ? groot_import_json(f->context, "Thing", tree, &options, NULL, &error)
              : groot_import_text(f->context, "Thing", text, nts, &options, NULL, &error);
}

static groot_status do_sync(fixture *f, const char *text, json_t *tree, groot_buffer *report) {
  groot_sync_options options = GROOT_SYNC_OPTIONS_INIT;
  options.flags = GROOT_CHANGES;
  options.report = report;
  return tree ? groot_sync_json(f->context, "Thing", tree, &options, NULL, &error)
              : groot_sync_text(f->context, "Thing", text, nts, &options, NULL, &error);
}

static groot_status do_fill(fixture *f, const char *text, json_t *tree, groot_buffer *report) {
  groot_import_options options = GROOT_IMPORT_OPTIONS_INIT;
  groot_objects *objects = import(f, "Thing", "[1]");
  const groot_object_id object = groot_objects_at(objects, 0);
  groot_objects_free(objects);
  options.flags = GROOT_CHANGES;
  options.report = report;
  return tree ? groot_object_fill_json(f->context, object, tree, &options, &error)
              : groot_object_fill_text(f->context, object, text, nts, &options, &error);
}

/* Only text has lines and columns. */
static void forget_places(json_t *report) {
  size_t index;
  json_t *issue;
  json_array_foreach(json_object_get(report, "issues"), index, issue) {
    json_object_del(issue, "line");
    json_object_del(issue, "column");
    json_object_del(issue, "offset");
  }
}

/* Two graphs, one by text and one by json_t, are the same afterwards. */
static void compare_readings(reading *read, const char *quoted) {
  char *graphs[2];
  json_t *reports[2], *tree = json(quoted);
  groot_status statuses[2];
  for (int by_tree = 0; by_tree < 2; by_tree++) {
    fixture f = open_fixture("types");
    groot_buffer report = {NULL, 0};
    groot_objects_free(import(&f, "Thing", "[{'id': 1}, {'id': 9, 'name': 'old'}]"));
    statuses[by_tree] = read(&f, text(quoted), by_tree ? tree : NULL, &report);
    reports[by_tree] = taken(&report);
    forget_places(reports[by_tree]);
    graphs[by_tree] = snapshot(&f);
    groot_error_free(error);
    error = NULL;
    check_graph(&f);
    COMPARE_RESULTS(context_changes, f.context);
    close_fixture(&f);
  }
  CHECK_EQUAL(statuses[0], statuses[1]);
  CHECK(strcmp(graphs[0], graphs[1]) == 0);
  if (!CHECK(reports[0] == reports[1] || json_equal(reports[0], reports[1])))
    for (int i = 0; i < 2; i++) json_dumpf(reports[i], stderr, JSON_COMPACT), fputc('\n', stderr);
  for (int i = 0; i < 2; i++) {
    free(graphs[i]);
    json_decref(reports[i]);
  }
  json_decref(tree);
}

static void test_imports(void) {
  static const char *const texts[] = {"{'id': 1, 'name': 'new', 'price': 0.1}",
                                      "[]",
                                      "[1, null]",
                                      "[{'id': 1, 'small': 70000}]",
                                      "[{'id': 'x'}]",
                                      "[[], 7]"};
  reading *const readings[] = {do_import, do_sync, do_fill};
  for (size_t i = 0; i < sizeof readings / sizeof readings[0]; i++) {
    for (size_t j = 0; j < sizeof texts / sizeof texts[0]; j++)
      compare_readings(readings[i], texts[j]);
    compare_readings(readings[i], things);
  }
}

/* Text that is parsed, and a json_t; these things have no decimal that a double rounds. */
static void test_exports(fixture *f) {
  groot_objects *objects = NULL;
  CHECK_OK(groot_context_fetch(f->context, "Thing", text("{'where': {'id': {'<': 4}}}"), &objects,
                               &error));
  const groot_object_id *data = groot_objects_data(objects);
  const size_t count = groot_objects_count(objects);
  CHECK_EQUAL(count, 3);
  groot_export_options options = GROOT_EXPORT_OPTIONS_INIT;
  groot_buffer buffer = {NULL, 0};
  json_t *tree = NULL;
  for (int i = 0; i < 4; i++) {
    size_t written[2] = {99, 99};
    options.flags = i & 1 ? GROOT_EXPORT_DEPTH : 0;
    options.properties = i & 2 ? "[\"id\", \"parts\", \"price\"]" : NULL;
    options.count = &written[0];
    groot_status status = groot_export_objects_text(f->context, data, count, &options, &buffer, &error);
    outcome made = ended(status, taken(&buffer));
    options.count = &written[1];
    status = groot_export_objects_json(f->context, data, count, &options, &tree, &error);
    compare(made, ended(status, tree), "export");
    CHECK(written[0] == count && written[1] == count);
    status = groot_export_object_text(f->context, data[0], &options, &buffer, &error);
    made = ended(status, taken(&buffer));
    status = groot_export_object_json(f->context, data[0], &options, &tree, &error);
    compare(made, ended(status, tree), "export of one");
    CHECK_EQUAL(written[1], 1);
  }
  options.count = NULL;
  options.properties = "[\"nothing\"]";
  groot_status status = groot_export_objects_text(f->context, data, count, &options, &buffer, &error);
  outcome made = ended(status, taken(&buffer));
  tree = NULL;
  status = groot_export_objects_json(f->context, data, count, &options, &tree, &error);
  compare(made, ended(status, tree), "export of nothing");
  groot_objects_free(objects);
}

/* ---- stores ---------------------------------------------------------------------------------- */

static void test_conflicts(void) {
  char folder[] = "/tmp/groot-twins-XXXXXX", path[64];
  if (!CHECK(mkdtemp(folder) != NULL)) return;
  snprintf(path, sizeof path, "%s/store.sqlite", folder);
  fixture f = open_fixture("comics"), other = f;
  groot_store_options options = GROOT_STORE_OPTIONS_INIT;
  options.conflicts = GROOT_CONFLICTS_MINE;
  groot_context_free(f.context);
  CHECK_OK(groot_context_open(f.mapping, path, &options, &f.context, &error));
  import_one(&f, "Power", "{'id': '1', 'name': 'Flight'}");
  CHECK_OK(groot_context_save(f.context, &error));
  COMPARE_RESULTS(context_conflicts, f.context);
  CHECK_OK(groot_context_open(f.mapping, path, &options, &other.context, &error));
  import_one(&other, "Power", "{'id': '1', 'name': 'theirs'}");
  import_one(&f, "Power", "{'id': '1', 'name': 'mine'}");
  CHECK_OK(groot_context_save(other.context, &error));
  CHECK_OK(groot_context_save(f.context, &error));
  json_t *conflicts = NULL;
  CHECK_OK(groot_context_conflicts_json(f.context, &conflicts, &error));
  CHECK_EQUAL(json_array_size(conflicts), 1);
  groot_json_free(conflicts);
  COMPARE_RESULTS(context_conflicts, f.context);
  groot_context_free(other.context);
  close_fixture(&f);
  unlink(path);
  CHECK_EQUAL(rmdir(folder), 0);
}

int main(void) {
  test_models();
  test_warnings();
  fixture f = open_fixture("types");
  groot_objects_free(import(&f, "Thing", things));
  for (size_t i = 0; i < sizeof requests / sizeof requests[0]; i++) {
    compare_fetches(&f, "Thing", requests[i]);
    compare_fetches(&f, "Nobody", requests[i]);
  }
  for (size_t i = 0; i < sizeof aggregates / sizeof aggregates[0]; i++)
    compare_aggregates(&f, aggregates[i]);
  test_no_json(&f);
  test_exports(&f);
  close_fixture(&f);
  test_imports();
  test_conflicts();
  return finish("twins");
}
