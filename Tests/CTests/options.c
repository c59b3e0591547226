/* Options of imports, exports and mappings, and the reports that come back. */
#include "support.h"

#include <string.h>

static groot_error *error;
static const size_t nts = GROOT_NTS;

static groot_status import_with(fixture *f, const groot_import_options *options,
                                const char *quoted) {
  return groot_import_text(f->context, "Character", nts, text(quoted), nts, options, NULL, &error);
}

/* The number under a key of a report. */
static long long number(const json_t *report, const char *key) {
  return json_integer_value(json_object_get(report, key));
}

static const char three[] =
    "[{'id': '1', 'name': 'A'}, {'id': '2', 'name': 5, 'powers': 'x'}, {'id': '3', 'name': 'C'}]";

static void test_error_modes(void) {
  fixture f = open_fixture("comics");
  groot_import_options options = GROOT_IMPORT_OPTIONS_INIT;
  json_t *report = json_null();
  options.report = &report;

  CHECK_FAILS(import_with(&f, &options, three), GROOT_WRONG_TYPE);
  CHECK_EQUAL(issue.count, 1);
  CHECK(report == NULL);

  options.errors = GROOT_ERRORS_COLLECT;
  CHECK_FAILS(import_with(&f, &options, three), GROOT_WRONG_TYPE);
  CHECK_EQUAL(issue.count, 2);
  CHECK_PLACE("$[1].name", "Character", "name");
  CHECK_EQUAL(count_of(&f, "Character"), 0);

  options.max_issues = 1;
  CHECK_FAILS(import_with(&f, &options, three), GROOT_WRONG_TYPE);
  CHECK_EQUAL(issue.count, 3); /* the last one names max_issues */
  options.max_issues = 0;

  options.errors = GROOT_ERRORS_SKIP;
  CHECK_OK(import_with(&f, &options, three));
  CHECK_EQUAL(count_of(&f, "Character"), 2);
  CHECK_EQUAL(number(report, "inserted"), 2);
  CHECK_EQUAL(number(report, "skipped"), 1);
  CHECK_EQUAL(json_array_size(json_object_get(report, "issues")), 2);
  const json_t *first = json_array_get(json_object_get(report, "issues"), 0);
  CHECK(strcmp(json_string_value(json_object_get(first, "path")), "$[1].name") == 0);
  CHECK_EQUAL(number(first, "status"), GROOT_WRONG_TYPE);
  CHECK_EQUAL(number(first, "line"), 1);
  json_decref(report);
  check_graph(&f);
  close_fixture(&f);
}

static void test_dry_run(void) {
  fixture f = open_fixture("comics");
  groot_object_id batman = import_one(&f, "Character", "{'id': '1', 'name': 'Batman'}");
  CHECK_OK(groot_context_save(f.context, &error));
  groot_import_options options = GROOT_IMPORT_OPTIONS_INIT;
  json_t *report = NULL;
  options.flags = GROOT_IMPORT_DRY_RUN;
  options.report = &report;
  groot_objects *objects = NULL;
  CHECK_OK(groot_import_text(f.context, "Character", nts,
                             text("[{'id': '1', 'name': 'X'}, {'id': '2', 'name': 'Y'}]"), nts,
                             &options, &objects, &error));
  /* What would have been inserted is not there to be given. */
  CHECK_EQUAL(groot_objects_count(objects), 1);
  CHECK_EQUAL(groot_objects_at(objects, 0), batman);
  groot_objects_free(objects);
  CHECK_TEXT(text_of(&f, batman, "name"), "Batman");
  CHECK_EQUAL(count_of(&f, "Character"), 1);
  CHECK_EQUAL(number(report, "inserted"), 1);
  CHECK_EQUAL(number(report, "updated"), 1);
  const json_t *changes = json_object_get(report, "changes");
  CHECK_EQUAL(json_array_size(changes), 2);
  const json_t *change = json_array_get(changes, 0);
  CHECK_EQUAL(number(change, "object"), (long long)batman);
  CHECK_JSON(json_incref(json_object_get(change, "properties")),
             "{'name': {'old': 'Batman', 'new': 'X'}}");
  json_decref(report);

  /* Without the flag the same report, and done. */
  options.flags = GROOT_IMPORT_CHANGES;
  CHECK_OK(import_with(&f, &options, "{'id': '1', 'name': 'X'}"));
  CHECK_EQUAL(json_array_size(json_object_get(report, "changes")), 1);
  CHECK_TEXT(text_of(&f, batman, "name"), "X");
  json_decref(report);
  CHECK_OK(import_with(&f, &options, "{'id': '1', 'name': 'X'}"));
  CHECK_EQUAL(number(report, "unchanged"), 1);
  json_decref(report);
  check_graph(&f);
  close_fixture(&f);
}

static void test_policies(void) {
  fixture f = open_fixture("comics");
  groot_object_id batman = import_one(
      &f, "Character", "{'id': '1', 'name': 'B', 'powers': [{'id': '4', 'name': 'Agility'}]}");
  groot_import_options options = GROOT_IMPORT_OPTIONS_INIT;
  json_t *policies = json("{'assignment': 'union', 'null': 'keep', 'shape': 'box'}");
  options.policies = policies;
  CHECK_OK(import_with(&f, &options,
                       "{'id': '1', 'name': null, 'powers': {'id': '9', 'name': 'Rich'}}"));
  CHECK_EQUAL(members_of(&f, batman, "powers"), 2);
  CHECK_TEXT(text_of(&f, batman, "name"), "B");
  json_decref(policies);

  static const char *const wrong[] = {"{'assignment': 'append'}", "{'nulls': 'keep'}",
                                      "{'null': 5}", "[]"};
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    policies = json(wrong[i]);
    options.policies = policies;
    CHECK_FAILS(import_with(&f, &options, "[]"), GROOT_INVALID_ARGUMENT);
    json_decref(policies);
  }
  close_fixture(&f);
}

static void test_malformed_options(void) {
  fixture f = open_fixture("comics");
  groot_import_options options = GROOT_IMPORT_OPTIONS_INIT;
  options.flags = 64;
  CHECK_FAILS(import_with(&f, &options, "[]"), GROOT_UNSUPPORTED);
  options.flags = 0;
  options.errors = 9;
  CHECK_FAILS(import_with(&f, &options, "[]"), GROOT_INVALID_ARGUMENT);
  options.errors = 0;
  options.struct_size = 4;
  CHECK_FAILS(import_with(&f, &options, "[]"), GROOT_INVALID_ARGUMENT);

  /* The struct of an older header is shorter, that of a newer one longer. */
  options.struct_size = offsetof(groot_import_options, max_issues);
  options.max_issues = 77;
  CHECK_OK(import_with(&f, &options, "[]"));
  options.struct_size = offsetof(groot_import_options, mapping);
  options.mapping = (const groot_mapping *)&options;
  CHECK_OK(import_with(&f, &options, "[]"));
  struct {
    groot_import_options known;
    size_t unknown;
  } newer = {GROOT_IMPORT_OPTIONS_INIT, 0};
  newer.known.struct_size = sizeof newer;
  CHECK_OK(import_with(&f, &newer.known, "[]"));
  newer.unknown = 1;
  CHECK_FAILS(import_with(&f, &newer.known, "[]"), GROOT_UNSUPPORTED);

  /* A handle of another kind is no mapping. */
  groot_import_options other = GROOT_IMPORT_OPTIONS_INIT;
  json_t *report = json_null();
  other.mapping = (const groot_mapping *)f.context;
  other.report = &report;
  CHECK_FAILS(import_with(&f, &other, "[]"), GROOT_INVALID_ARGUMENT);
  CHECK(report == NULL);
  close_fixture(&f);
}

static void test_export_options(void) {
  fixture f = open_fixture("comics");
  groot_object_id batman = import_one(
      &f, "Character",
      "{'id': '1', 'name': 'B', 'publisher': {'id': '10', 'name': 'DC'}, 'powers': []}");
  groot_export_options options = GROOT_EXPORT_OPTIONS_INIT;
  json_t *result = NULL, *names = json("['name', 'publisher']");
  options.properties = names;
  options.depth = 0;
  CHECK_OK(groot_export_object_json(f.context, batman, &options, &result, &error));
  CHECK_JSON(result, "{'name': 'B', 'publisher': {'id': '10'}}");
  options.depth = -1;
  CHECK_OK(groot_export_json(f.context, &batman, 1, &options, &result, &error));
  CHECK_JSON(result, "[{'name': 'B', 'publisher': {'id': '10', 'name': 'DC'}}]");
  json_decref(names);

  groot_buffer buffer = {NULL, 0};
  names = json("['nothing']");
  options.properties = names;
  CHECK_FAILS(groot_export_text(f.context, &batman, 1, &options, &buffer, &error),
              GROOT_UNKNOWN_PROPERTY);
  CHECK_PLACE("", "Character", "nothing");
  json_decref(names);
  options.properties = NULL;
  options.flags = 4;
  CHECK_FAILS(groot_export_text(f.context, &batman, 1, &options, &buffer, &error),
              GROOT_UNSUPPORTED);
  options.flags = 0;
  /* Without a depth there is no limit; with one, an older struct's counts. */
  options.struct_size = offsetof(groot_export_options, flags);
  CHECK_OK(groot_export_text(f.context, &batman, 1, &options, &buffer, &error));
  CHECK(strstr(buffer.data, "DC") != NULL);
  groot_buffer_free(&buffer);
  options.struct_size = offsetof(groot_export_options, properties);
  options.depth = 0;
  CHECK_OK(groot_export_text(f.context, &batman, 1, &options, &buffer, &error));
  CHECK(strstr(buffer.data, "DC") == NULL);
  groot_buffer_free(&buffer);
  close_fixture(&f);
}

/* The status of an export with the options, which must fail when it is not GROOT_OK. */
static groot_status export_with(fixture *f, const groot_export_options *options) {
  groot_object_id object = import_one(f, "Character", "{'id': '1', 'name': 'B', 'powers': []}");
  json_t *result = json_null();
  groot_status status = groot_export_object_json(f->context, object, options, &result, &error);
  CHECK((result == NULL) == (status != GROOT_OK));
  json_decref(result);
  return status;
}

static void test_malformed_export_options(void) {
  fixture f = open_fixture("comics");
  const groot_export_options usual = GROOT_EXPORT_OPTIONS_INIT;
  groot_export_options options = usual;
  options.relationships = GROOT_RELATIONSHIPS_NESTED + 1;
  CHECK_FAILS(export_with(&f, &options), GROOT_INVALID_ARGUMENT);
  options = usual;
  options.relationships = -1;
  CHECK_FAILS(export_with(&f, &options), GROOT_INVALID_ARGUMENT);
  options = usual;
  options.inflection = GROOT_INFLECTION_CAMEL + 1;
  CHECK_FAILS(export_with(&f, &options), GROOT_INVALID_ARGUMENT);
  options = usual;
  options.dates = "\xff";
  CHECK_FAILS(export_with(&f, &options), GROOT_INVALID_UTF8);
  options = usual;
  options.mapping = (const groot_mapping *)f.model;
  CHECK_FAILS(export_with(&f, &options), GROOT_INVALID_ARGUMENT);
  static const char *const wrong[] = {"'name'", "[5]", "{'name': true}"};
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    json_t *keys = json(wrong[i]);
    options = usual;
    options.exclude = keys;
    CHECK_FAILS(export_with(&f, &options), GROOT_INVALID_ARGUMENT);
    options = usual;
    options.properties = keys;
    CHECK_FAILS(export_with(&f, &options), GROOT_INVALID_ARGUMENT);
    json_decref(keys);
  }
  check_graph(&f);
  close_fixture(&f);
}

static void test_dialect_options(groot_model *model) {
  static const struct {
    const char *dialect, *options;
    groot_status status;
  } wrong[] = {
      {"Groot", "{}", GROOT_UNSUPPORTED},
      {"", "{}", GROOT_UNSUPPORTED},
      {"groot", "[]", GROOT_INVALID_ARGUMENT},
      {"groot", "{'implicit': 1}", GROOT_INVALID_ARGUMENT},
      {"groot", "{'rules': {}}", GROOT_INVALID_ARGUMENT},
      {"hyper", "{'implicit': true}", GROOT_INVALID_ARGUMENT},
      {"hyper", "{'rules': {}}", GROOT_INVALID_ARGUMENT},
      {"kvc", "{'rules': []}", GROOT_INVALID_ARGUMENT},
      {"kvc", "{'rule': {}}", GROOT_INVALID_ARGUMENT},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    groot_mapping *mapping = (groot_mapping *)&mapping;
    json_t *options = json(wrong[i].options);
    CHECK_FAILS(groot_mapping_create(model, NULL, wrong[i].dialect, options, &mapping, &error),
                wrong[i].status);
    CHECK(mapping == NULL);
    json_decref(options);
  }
}

static void test_mapping_options(void) {
  json_t *document = json("{'entities': {'Thing': {'userInfo': {'identityAtributes': 'name'},"
                          "'attributes': {'name': {'type': 'string', 'optional': true}}}}}");
  groot_model *model = NULL;
  groot_mapping *mapping = NULL;
  groot_context *context = NULL;
  CHECK_OK(groot_model_create_json(document, &model, &error));
  json_t *implicit = json("{'implicit': true}"), *wrong = json("{'implicite': true}");
  CHECK_FAILS(groot_mapping_create(model, NULL, NULL, wrong, &mapping, &error),
              GROOT_INVALID_ARGUMENT);
  CHECK_OK(groot_mapping_create(model, NULL, "groot", implicit, &mapping, &error));
  json_t *warnings = NULL;
  CHECK_OK(groot_mapping_warnings(mapping, &warnings, &error));
  CHECK_EQUAL(json_array_size(warnings), 1);
  const json_t *warning = json_array_get(warnings, 0);
  CHECK(strstr(json_string_value(json_object_get(warning, "message")), "identityAttributes"));
  CHECK_EQUAL(number(warning, "severity"), 1);
  json_decref(warnings);
  test_dialect_options(model);
  CHECK_OK(groot_context_create(mapping, &context, &error));
  fixture f = {model, NULL, mapping, context};
  groot_object_id thing = import_one(&f, "Thing", "{'name': 'by its own name'}");
  CHECK_TEXT(text_of(&f, thing, "name"), "by its own name");
  json_decref(implicit);
  json_decref(wrong);
  json_decref(document);
  close_fixture(&f);
}

int main(void) {
  test_error_modes();
  test_dry_run();
  test_policies();
  test_malformed_options();
  test_export_options();
  test_malformed_export_options();
  test_mapping_options();
  return finish("options");
}
