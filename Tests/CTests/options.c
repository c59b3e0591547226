/* Options of imports, exports and mappings, and the reports that come back. */
#include "support.h"

#include <stdio.h>
#include <string.h>

static groot_error *error;
static const size_t nts = GROOT_NTS;

static groot_status import_with(fixture *f, const groot_import_options *options,
                                const char *quoted) {
  return groot_import_text(f->context, "Character", text(quoted), nts, options, NULL, &error);
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
  groot_buffer buffer = {NULL, 7};
  options.report = &buffer;

  CHECK_FAILS(import_with(&f, &options, three), GROOT_WRONG_TYPE);
  CHECK_EQUAL(issue.count, 1);
  CHECK(buffer.data == NULL && buffer.size == 0);

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
  json_t *report = taken(&buffer);
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
  groot_buffer buffer = {NULL, 0};
  options.flags = GROOT_DRY_RUN;
  options.report = &buffer;
  groot_objects *objects = NULL;
  CHECK_OK(groot_import_text(f.context, "Character",
                             text("[{'id': '1', 'name': 'X'}, {'id': '2', 'name': 'Y'}]"), nts,
                             &options, &objects, &error));
  /* What would have been inserted is not there to be given. */
  CHECK_EQUAL(groot_objects_count(objects), 1);
  CHECK_EQUAL(groot_objects_at(objects, 0), batman);
  groot_objects_free(objects);
  CHECK_TEXT(text_of(&f, batman, "name"), "Batman");
  CHECK_EQUAL(count_of(&f, "Character"), 1);
  json_t *report = taken(&buffer);
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
  options.flags = GROOT_CHANGES;
  CHECK_OK(import_with(&f, &options, "{'id': '1', 'name': 'X'}"));
  report = taken(&buffer);
  CHECK_EQUAL(json_array_size(json_object_get(report, "changes")), 1);
  CHECK_TEXT(text_of(&f, batman, "name"), "X");
  json_decref(report);
  CHECK_OK(import_with(&f, &options, "{'id': '1', 'name': 'X'}"));
  report = taken(&buffer);
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
  options.policies = text("{'assignment': 'union', 'null': 'keep', 'shape': 'box'}");
  CHECK_OK(import_with(&f, &options,
                       "{'id': '1', 'name': null, 'powers': {'id': '9', 'name': 'Rich'}}"));
  CHECK_EQUAL(members_of(&f, batman, "powers"), 2);
  CHECK_TEXT(text_of(&f, batman, "name"), "B");

  static const char *const wrong[] = {"{'assignment': 'append'}", "{'nulls': 'keep'}",
                                      "{'null': 5}", "[]"};
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    options.policies = text(wrong[i]);
    CHECK_FAILS(import_with(&f, &options, "[]"), GROOT_INVALID_ARGUMENT);
  }
  options.policies = "{'null'}";
  CHECK_FAILS(import_with(&f, &options, "[]"), GROOT_INVALID_JSON);
  CHECK(strstr(issue.message, "policies") != NULL);
  close_fixture(&f);
}

static void test_malformed_options(void) {
  fixture f = open_fixture("comics");
  groot_import_options options = GROOT_IMPORT_OPTIONS_INIT;
  options.flags = 0x200000u;
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

  options = (groot_import_options)GROOT_IMPORT_OPTIONS_INIT;
  options.form = GROOT_FORM_GROUPED + 1;
  CHECK_FAILS(import_with(&f, &options, "[]"), GROOT_INVALID_ARGUMENT);
  options.form = -1;
  CHECK_FAILS(import_with(&f, &options, "[]"), GROOT_INVALID_ARGUMENT);
  options.form = 0;
  options.commits = 2;
  CHECK_FAILS(import_with(&f, &options, "[]"), GROOT_INVALID_ARGUMENT);

  /* A handle of another kind is not a mapping. */
  groot_import_options other = GROOT_IMPORT_OPTIONS_INIT;
  groot_buffer report = {NULL, 7};
  other.mapping = (const groot_mapping *)f.context;
  other.report = &report;
  CHECK_FAILS(import_with(&f, &other, "[]"), GROOT_INVALID_ARGUMENT);
  CHECK(report.data == NULL && report.size == 0);
  close_fixture(&f);
}

static void test_export_options(void) {
  fixture f = open_fixture("comics");
  groot_object_id batman = import_one(
      &f, "Character",
      "{'id': '1', 'name': 'B', 'publisher': {'id': '10', 'name': 'DC'}, 'powers': []}");
  groot_export_options options = GROOT_EXPORT_OPTIONS_INIT;
  json_t *result = NULL;
  options.properties = text("['name', 'publisher']");
  options.flags = GROOT_EXPORT_DEPTH;
  CHECK_OK(groot_export_object_json(f.context, batman, &options, &result, &error));
  CHECK_JSON(result, "{'name': 'B', 'publisher': {'id': '10'}}");
  options.flags = 0;
  CHECK_OK(groot_export_objects_json(f.context, &batman, 1, &options, &result, &error));
  CHECK_JSON(result, "[{'name': 'B', 'publisher': {'id': '10', 'name': 'DC'}}]");

  groot_buffer buffer = {NULL, 0};
  options.properties = text("['nothing']");
  CHECK_FAILS(groot_export_objects_text(f.context, &batman, 1, &options, &buffer, &error),
              GROOT_UNKNOWN_PROPERTY);
  CHECK_PLACE("", "Character", "nothing");
  options.properties = NULL;
  options.flags = 0x200000u;
  CHECK_FAILS(groot_export_objects_text(f.context, &batman, 1, &options, &buffer, &error),
              GROOT_UNSUPPORTED);
  options.flags = 0;
  /* Without a depth there is no limit; with one, an older struct's counts. */
  options.struct_size = offsetof(groot_export_options, flags);
  CHECK_OK(groot_export_objects_text(f.context, &batman, 1, &options, &buffer, &error));
  CHECK(strstr(buffer.data, "DC") != NULL);
  groot_buffer_free(&buffer);
  options.struct_size = offsetof(groot_export_options, relationships);
  options.flags = GROOT_EXPORT_DEPTH;
  CHECK_OK(groot_export_objects_text(f.context, &batman, 1, &options, &buffer, &error));
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
  options.form = GROOT_FORM_GROUPED + 1;
  CHECK_FAILS(export_with(&f, &options), GROOT_INVALID_ARGUMENT);
  options = usual;
  options.nulls = GROOT_NULLS_OMIT + 1;
  CHECK_FAILS(export_with(&f, &options), GROOT_INVALID_ARGUMENT);
  options = usual;
  options.dates = "\xff";
  CHECK_FAILS(export_with(&f, &options), GROOT_INVALID_UTF8);
  options = usual;
  options.mapping = (const groot_mapping *)f.model;
  CHECK_FAILS(export_with(&f, &options), GROOT_INVALID_ARGUMENT);
  static const char *const wrong[] = {"'name'", "[5]", "{'name': true}"};
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    options = usual;
    options.exclude = text(wrong[i]);
    CHECK_FAILS(export_with(&f, &options), GROOT_INVALID_ARGUMENT);
    options = usual;
    options.properties = text(wrong[i]);
    CHECK_FAILS(export_with(&f, &options), GROOT_INVALID_ARGUMENT);
  }
  options = usual;
  options.exclude = "['a'";
  CHECK_FAILS(export_with(&f, &options), GROOT_INVALID_JSON);
  CHECK(strstr(issue.message, "exclude") != NULL);
  /* A depth that the flags do not speak of, and one that is not a number of steps. */
  options = usual;
  options.depth = 1;
  CHECK_FAILS(export_with(&f, &options), GROOT_INVALID_ARGUMENT);
  options.flags = GROOT_EXPORT_DEPTH;
  options.depth = -1;
  CHECK_FAILS(export_with(&f, &options), GROOT_INVALID_ARGUMENT);
  check_graph(&f);
  close_fixture(&f);
}

static void test_dialect_options(groot_model *model) {
  static const struct {
    const char *dialect, *rules;
    uint32_t flags;
    int32_t nulls;
    groot_status status;
  } wrong[] = {
      {"Groot", NULL, 0, 0, GROOT_UNSUPPORTED},
      {"", NULL, 0, 0, GROOT_UNSUPPORTED},
      {"\xff", NULL, 0, 0, GROOT_INVALID_UTF8},
      {"groot", "{}", 0, 0, GROOT_INVALID_ARGUMENT},
      {NULL, "{}", 0, 0, GROOT_INVALID_ARGUMENT},
      {"groot", NULL, 0, GROOT_NULLS_OMIT + 1, GROOT_INVALID_ARGUMENT},
      {"hyper", NULL, GROOT_MAPPING_IMPLICIT, 0, GROOT_INVALID_ARGUMENT},
      {"hyper", "{}", 0, 0, GROOT_INVALID_ARGUMENT},
      {"kvc", NULL, 0, 0, GROOT_INVALID_ARGUMENT},
      {"kvc", "[]", 0, 0, GROOT_INVALID_MAPPING},
      {"kvc", "{", 0, 0, GROOT_INVALID_JSON},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    groot_mapping *mapping = (groot_mapping *)&mapping;
    groot_mapping_options options = GROOT_MAPPING_OPTIONS_INIT;
    options.dialect = wrong[i].dialect;
    options.rules = wrong[i].rules;
    options.rules_length = nts;
    options.flags = wrong[i].flags;
    options.nulls = wrong[i].nulls;
    CHECK_FAILS(groot_mapping_create(model, NULL, &options, &mapping, &error), wrong[i].status);
    CHECK(mapping == NULL);
  }
}

/* Roots that are wrong, and what the message says of them. */
static void test_roots(groot_model *model) {
  static const struct {
    const char *roots;
    groot_status status;
    const char *message;
  } wrong[] = {
      {"{", GROOT_INVALID_JSON, "roots"},
      {"[]", GROOT_INVALID_ARGUMENT, "roots is a JSON object"},
      {"{'/data': 5}", GROOT_INVALID_ARGUMENT, "/data"},
      {"{'/data': {'form': 'keyed'}}", GROOT_INVALID_ARGUMENT, "'entity'"},
      {"{'/data': {'entity': 'Thing', 'forms': 'keyed'}}", GROOT_INVALID_ARGUMENT, "'forms'"},
      {"{'/data': {'entity': 'Thing', 'form': 'keys'}}", GROOT_INVALID_ARGUMENT, "'grouped'"},
      {"{'/data': {'entity': 'Thing', 'form': 1}}", GROOT_INVALID_ARGUMENT, "'grouped'"},
      {"{'data': 'Thing'}", GROOT_INVALID_MAPPING, "JSON Pointer"},
      {"{'/data': 'Nothing'}", GROOT_UNKNOWN_ENTITY, "/data"},
      {"{'/a': 'Thing', '/a/b': 'Thing'}", GROOT_INVALID_MAPPING, "inside another"},
  };
  groot_mapping *mapping = NULL;
  groot_mapping_options options = GROOT_MAPPING_OPTIONS_INIT;
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    options.roots = text(wrong[i].roots);
    options.roots_length = nts;
    CHECK_FAILS(groot_mapping_create(model, NULL, &options, &mapping, &error), wrong[i].status);
    if (!CHECK(strstr(issue.message, wrong[i].message) != NULL))
      fprintf(stderr, "  %s\n", issue.message);
  }
  options.roots = text("{'/data': 'Thing'} and more");
  options.roots_length = strlen("{'/data': 'Thing'}");
  CHECK_OK(groot_mapping_create(model, NULL, &options, &mapping, &error));
  groot_mapping_free(mapping);
}

static void test_mapping_options(void) {
  json_t *document = json("{'entities': {'Thing': {'userInfo': {'identityAtributes': 'name'},"
                          "'attributes': {'name': {'type': 'string', 'optional': true}}}}}");
  groot_model *model = NULL;
  groot_mapping *mapping = NULL;
  groot_context *context = NULL;
  groot_mapping_options options = GROOT_MAPPING_OPTIONS_INIT;
  CHECK_OK(groot_model_create_json(document, &model, &error));
  options.flags = GROOT_DRY_RUN;
  CHECK_FAILS(groot_mapping_create(model, NULL, &options, &mapping, &error),
              GROOT_INVALID_ARGUMENT);
  options.dialect = "groot";
  options.flags = GROOT_MAPPING_IMPLICIT;
  CHECK_OK(groot_mapping_create(model, NULL, &options, &mapping, &error));
  json_t *warnings = NULL;
  CHECK_OK(groot_mapping_warnings_json(mapping, &warnings, &error));
  CHECK_EQUAL(json_array_size(warnings), 1);
  const json_t *warning = json_array_get(warnings, 0);
  CHECK(strstr(json_string_value(json_object_get(warning, "message")), "identityAttributes"));
  CHECK_EQUAL(number(warning, "severity"), 1);
  json_decref(warnings);
  test_dialect_options(model);
  test_roots(model);
  CHECK_OK(groot_context_create(mapping, &context, &error));
  fixture f = {model, NULL, mapping, context};
  groot_object_id thing = import_one(&f, "Thing", "{'name': 'by its own name'}");
  CHECK_TEXT(text_of(&f, thing, "name"), "by its own name");
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
