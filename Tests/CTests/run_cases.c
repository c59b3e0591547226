/*
 * Runs the shared test cases of Tests/Cases: a model, a registry and steps, as data.
 * usage: run_cases CASE.json...
 *
 * Every case runs three times: its JSON handed over as text, as text that only jansson reads, and
 * as a json_t. All three must behave alike; line and column exist for text only.
 */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const size_t nts = GROOT_NTS;

enum mode { by_text, by_jansson, by_tree, mode_count };
static const char *const mode_names[mode_count] = {"text", "text through jansson", "json_t"};

/* The case that runs: what it is made of and what its steps keep under a name. */
typedef struct run {
  const char *path;
  enum mode mode;
  size_t step; /* from 1 */
  int failed;
  fixture fixture;
  json_t *kept; /* name to list of object ids */
} run;

static void complain(run *run, const char *format, const char *detail) {
  run->failed = 1;
  fprintf(stderr, "%s (%s), step %zu: ", run->path, mode_names[run->mode], run->step);
  fprintf(stderr, format, detail);
  fputc('\n', stderr);
}

static void complain_json(run *run, const char *what, json_t *actual, json_t *expected) {
  char *is = json_dumps(actual, JSON_ENCODE_ANY | JSON_COMPACT | JSON_SORT_KEYS);
  char *wanted = json_dumps(expected, JSON_ENCODE_ANY | JSON_COMPACT | JSON_SORT_KEYS);
  complain(run, "%s is not as expected", what);
  fprintf(stderr, "  is       %s\n  expected %s\n", is ? is : "nothing",
          wanted ? wanted : "nothing");
  free(is);
  free(wanted);
}

static void complain_error(run *run, const char *what, groot_error *error) {
  complain(run, "%s", what);
  groot_string text = groot_error_text(error);
  fprintf(stderr, "  %s: %.*s\n", groot_status_name(groot_error_status(error)), (int)text.size,
          text.data ? text.data : "");
}

/* ---- JSON ------------------------------------------------------------------------------------ */

/* Equality of JSON as a reader understands it: 1 equals 1.0. */
static int equal(json_t *a, json_t *b) {
  if (json_is_number(a) && json_is_number(b)) {
    if (json_is_integer(a) && json_is_integer(b))
      return json_integer_value(a) == json_integer_value(b);
    return json_number_value(a) == json_number_value(b);
  }
  if (json_typeof(a) != json_typeof(b)) return 0;
  if (json_is_array(a)) {
    if (json_array_size(a) != json_array_size(b)) return 0;
    for (size_t i = 0; i < json_array_size(a); i++)
      if (!equal(json_array_get(a, i), json_array_get(b, i))) return 0;
    return 1;
  }
  if (json_is_object(a)) {
    const char *key;
    json_t *value;
    if (json_object_size(a) != json_object_size(b)) return 0;
    json_object_foreach(a, key, value) {
      json_t *other = json_object_get(b, key);
      if (!other || !equal(value, other)) return 0;
    }
    return 1;
  }
  return json_equal(a, b);
}

static const char *string_at(json_t *object, const char *key) {
  return json_string_value(json_object_get(object, key));
}

/* ---- what a case registers ------------------------------------------------------------------- */

/* {"key": "type", "values": {"text": "TextMessage"}} */
static groot_status map_by_table(void *userdata, json_t *value, json_t **result,
                                 groot_failure *failure) {
  (void)failure;
  json_t *table = userdata;
  const char *key = json_string_value(json_object_get(value, string_at(table, "key")));
  *result = key ? json_incref(json_object_get(json_object_get(table, "values"), key)) : NULL;
  return GROOT_OK;
}

/* {"copy": {"legacy_id": "id"}} */
static groot_status copy_keys(void *userdata, json_t *value, json_t **result,
                              groot_failure *failure) {
  (void)failure;
  const char *from;
  json_t *to;
  *result = json_copy(value);
  json_object_foreach(json_object_get(userdata, "copy"), from, to) {
    json_t *found = json_object_get(value, from);
    if (found) json_object_set(*result, json_string_value(to), found);
  }
  return GROOT_OK;
}

static void let_go(void *userdata) { json_decref(userdata); }

static groot_status make_registry(json_t *test, groot_registry **registry, groot_error **error) {
  const char *name;
  json_t *value;
  groot_status status = groot_registry_create(registry, error);
  json_object_foreach(json_object_get(test, "registry"), name, value) {
    if (status != GROOT_OK) return status;
    status = groot_registry_set_builtin(*registry, name, nts, json_string_value(value),
                                        json_string_length(value), error);
  }
  json_object_foreach(json_object_get(test, "entityMappers"), name, value) {
    if (status != GROOT_OK) return status;
    status = groot_registry_set_entity_mapper(*registry, name, nts, map_by_table,
                                              json_incref(value), let_go, error);
  }
  json_object_foreach(json_object_get(test, "dictionaryTransformers"), name, value) {
    if (status != GROOT_OK) return status;
    status = groot_registry_set_dictionary_transformer(*registry, name, nts, copy_keys,
                                                       json_incref(value), let_go, error);
  }
  return status;
}

/* ---- objects --------------------------------------------------------------------------------- */

static json_t *ids_as_json(const groot_objects *objects) {
  json_t *ids = json_array();
  for (size_t i = 0; i < groot_objects_count(objects); i++)
    json_array_append_new(ids, json_integer((json_int_t)groot_objects_at(objects, i)));
  return ids;
}

static groot_object_id kept_object(run *run, const char *name) {
  json_t *ids = json_object_get(run->kept, name);
  if (json_array_size(ids) == 0) complain(run, "nothing is kept as %s", name);
  return (groot_object_id)json_integer_value(json_array_get(ids, 0));
}

/* A value as a case writes it: dates, binary and the like as the export writes them. */
static json_t *value_as_json(run *run, groot_object_id object, const char *property) {
  groot_value value;
  groot_error *error = NULL;
  groot_property number = 0;
  groot_context *context = run->fixture.context;
  if (groot_object_property(context, object, property, nts, &number, &error) ||
      groot_object_get(context, object, number, &value, &error)) {
    complain_error(run, "cannot read the property", error);
    groot_error_free(error);
    return json_null();
  }
  switch (value.kind) {
    case GROOT_VALUE_INTEGER:
    case GROOT_VALUE_DATE: return json_integer(value.as.integer);
    case GROOT_VALUE_REAL: return json_real(value.as.real);
    case GROOT_VALUE_BOOLEAN: return json_boolean(value.as.integer);
    case GROOT_VALUE_DECIMAL: {
      char digits[128];
      snprintf(digits, sizeof digits, "%.*s", (int)value.as.text.size, value.as.text.data);
      return json_loads(digits, JSON_DECODE_ANY, NULL);
    }
    case GROOT_VALUE_JSON:
      return json_loadb(value.as.text.data, value.as.text.size, JSON_DECODE_ANY, NULL);
    case GROOT_VALUE_OBJECT: return json_integer((json_int_t)value.as.object);
    case GROOT_VALUE_NULL: return json_null();
    default:
      return json_stringn_nocheck(value.as.text.data ? value.as.text.data : "", value.as.text.size);
  }
}

/* ---- steps ----------------------------------------------------------------------------------- */

static const groot_import_options jansson_only = {sizeof(groot_import_options),
                                                  GROOT_IMPORT_JANSSON_ONLY, 0, NULL, NULL, 0, NULL, NULL};

static groot_status import_step(run *run, json_t *step, groot_objects **objects,
                                groot_error **error) {
  groot_context *context = run->fixture.context;
  const char *entity = string_at(step, "import");
  json_t *text = json_object_get(step, "text");
  json_t *value = json_object_get(step, "json");
  if (!text && run->mode == by_tree)
    return groot_import_json(context, entity, nts, value, NULL, objects, error);
  char *dumped =
      text ? NULL : json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT | JSON_REAL_PRECISION(17));
  groot_status status =
      groot_import_text(context, entity, nts, text ? json_string_value(text) : dumped,
                        text ? json_string_length(text) : strlen(dumped),
                        run->mode == by_jansson ? &jansson_only : NULL, objects, error);
  free(dumped);
  return status;
}

/* The fields that the case gives, against the first issue that is an error. */
static void compare_error(run *run, json_t *expected, groot_error *error) {
  groot_issue first;
  size_t index = 0;
  do {
    if (groot_error_issue(error, index++, &first) != GROOT_OK) {
      complain(run, "%s", "the error has no issue");
      return;
    }
  } while (first.severity != 2);
  json_t *actual = json_pack(
      "{s:i, s:s%, s:s%, s:s%, s:I, s:I}", "status", (int)first.status, "path",
      first.path.data ? first.path.data : "", first.path.size, "entity",
      first.entity.data ? first.entity.data : "", first.entity.size, "property",
      first.property.data ? first.property.data : "", first.property.size, "line",
      (json_int_t)first.line, "column", (json_int_t)first.column);
  const char *field;
  json_t *wanted;
  json_object_foreach(expected, field, wanted) {
    int is_position = strcmp(field, "line") == 0 || strcmp(field, "column") == 0;
    if (is_position && run->mode == by_tree) continue;
    if (!equal(json_object_get(actual, field), wanted)) {
      complain_error(run, field, error);
      complain_json(run, "the error", actual, expected);
      break;
    }
  }
  json_decref(actual);
}

static void run_import(run *run, json_t *step) {
  json_t *expect = json_object_get(step, "expect");
  json_t *expected_error = json_object_get(expect, "error");
  groot_objects *objects = NULL;
  groot_error *error = NULL;
  char *before = expected_error ? snapshot(&run->fixture) : NULL;
  groot_status status = import_step(run, step, &objects, &error);
  if (expected_error) {
    if (status == GROOT_OK) {
      complain(run, "%s", "the import did not fail");
    } else {
      compare_error(run, expected_error, error);
    }
    char *after = snapshot(&run->fixture);
    if (strcmp(before, after) != 0) {
      complain(run, "%s", "the failed import changed the graph");
      fprintf(stderr, "  before %s\n  after  %s\n", before, after);
    }
    free(after);
    free(before);
  } else if (status != GROOT_OK) {
    complain_error(run, "the import failed", error);
  } else {
    json_t *ids = ids_as_json(objects);
    json_t *count = json_object_get(expect, "count");
    const char *as = string_at(step, "as"), *same = string_at(step, "same");
    json_t *actual_count = json_integer((json_int_t)json_array_size(ids));
    if (count && !equal(actual_count, count)) complain_json(run, "the count", actual_count, count);
    if (same && !json_equal(ids, json_object_get(run->kept, same)))
      complain_json(run, "the list of objects", ids, json_object_get(run->kept, same));
    if (as) json_object_set(run->kept, as, ids);
    json_decref(actual_count);
    json_decref(ids);
  }
  groot_objects_free(objects);
  groot_error_free(error);
}

static void run_count(run *run, json_t *counts) {
  const char *entity;
  json_t *expected;
  json_object_foreach(counts, entity, expected) {
    size_t count = 0;
    groot_context_count(run->fixture.context, entity, nts, NULL, &count, NULL);
    json_t *actual = json_integer((json_int_t)count);
    if (!equal(actual, expected)) complain_json(run, entity, actual, expected);
    json_decref(actual);
  }
}

/* What an export gave, as json_t and as text, against the case; frees everything. */
static void compare_export(run *run, groot_status status, json_t *tree, groot_buffer *text,
                           json_t *expected, groot_error *error) {
  if (status != GROOT_OK) {
    complain_error(run, "the export failed", error);
  } else {
    json_t *parsed = json_loadb(text->data, text->size, JSON_DECODE_ANY, NULL);
    if (!equal(tree, expected)) complain_json(run, "the export", tree, expected);
    if (!parsed || !equal(parsed, expected))
      complain_json(run, "the export as text", parsed, expected);
    json_decref(parsed);
  }
  json_decref(tree);
  groot_buffer_free(text);
  groot_error_free(error);
}

static void export_object(run *run, groot_object_id object, json_t *expected) {
  json_t *tree = NULL;
  groot_buffer text = {NULL, 0};
  groot_error *error = NULL;
  groot_status status = groot_export_object_json(run->fixture.context, object, NULL, &tree, &error);
  if (status == GROOT_OK)
    status = groot_export_object_text(run->fixture.context, object, NULL, &text, &error);
  compare_export(run, status, tree, &text, expected, error);
}

/* Exports what a request fetches; the request may be a step, of which it takes the known keys. */
static void export_fetched(run *run, const char *entity, json_t *step, json_t *expected) {
  static const char *const keys[] = {"where", "sort", "limit", "offset"};
  groot_context *context = run->fixture.context;
  groot_objects *objects = NULL;
  groot_error *error = NULL;
  json_t *tree = NULL, *request = json_object();
  groot_buffer text = {NULL, 0};
  for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
    json_t *value = json_object_get(step, keys[i]);
    if (value) json_object_set(request, keys[i], value);
  }
  groot_status status = groot_context_fetch(context, entity, nts, request, &objects, &error);
  const groot_object_id *data = groot_objects_data(objects);
  const size_t count = groot_objects_count(objects);
  if (status == GROOT_OK) status = groot_export_json(context, data, count, NULL, &tree, &error);
  if (status == GROOT_OK) status = groot_export_text(context, data, count, NULL, &text, &error);
  compare_export(run, status, tree, &text, expected, error);
  groot_objects_free(objects);
  json_decref(request);
}

static void run_get(run *run, json_t *step) {
  groot_object_id object = kept_object(run, string_at(step, "get"));
  json_t *actual = value_as_json(run, object, string_at(step, "property"));
  json_t *expected = json_object_get(step, "equals");
  if (!equal(actual, expected)) complain_json(run, string_at(step, "property"), actual, expected);
  json_decref(actual);
}

static void run_set(run *run, json_t *step) {
  groot_object_id object = kept_object(run, string_at(step, "set"));
  json_t *given = json_object_get(step, "value");
  groot_value value = {GROOT_VALUE_NULL, 0, {0}};
  groot_property property = 0;
  groot_error *error = NULL;
  if (json_is_integer(given)) {
    value.kind = GROOT_VALUE_INTEGER;
    value.as.integer = json_integer_value(given);
  } else if (json_is_real(given)) {
    value.kind = GROOT_VALUE_REAL;
    value.as.real = json_real_value(given);
  } else if (json_is_boolean(given)) {
    value.kind = GROOT_VALUE_BOOLEAN;
    value.as.integer = json_is_true(given);
  } else if (json_is_string(given)) {
    value.kind = GROOT_VALUE_STRING;
    value.as.text.data = json_string_value(given);
    value.as.text.size = json_string_length(given);
  }
  groot_context *context = run->fixture.context;
  if (groot_object_property(context, object, string_at(step, "property"), nts, &property, &error) ||
      groot_object_set(context, object, property, &value, &error))
    complain_error(run, "cannot set the property", error);
  groot_error_free(error);
}

static void run_delete(run *run, json_t *step) {
  groot_error *error = NULL;
  groot_object_id object = kept_object(run, string_at(step, "delete"));
  if (groot_object_delete(run->fixture.context, object, &error))
    complain_error(run, "cannot delete", error);
  groot_error_free(error);
}

static void run_step(run *run, json_t *step) {
  json_t *equals = json_object_get(step, "equals");
  if (json_object_get(step, "import")) {
    run_import(run, step);
  } else if (json_object_get(step, "count")) {
    run_count(run, json_object_get(step, "count"));
  } else if (json_object_get(step, "export")) {
    export_object(run, kept_object(run, string_at(step, "export")), equals);
  } else if (json_object_get(step, "exportAll")) {
    export_fetched(run, string_at(step, "exportAll"), NULL, equals);
  } else if (json_object_get(step, "get")) {
    run_get(run, step);
  } else if (json_object_get(step, "set")) {
    run_set(run, step);
  } else if (json_object_get(step, "delete")) {
    run_delete(run, step);
  } else if (json_object_get(step, "fetch")) {
    export_fetched(run, string_at(step, "fetch"), step, json_object_get(step, "exportEquals"));
  } else {
    complain(run, "%s", "no such step");
  }
  groot_error *error = NULL;
  if (groot_context_check(run->fixture.context, &error))
    complain_error(run, "an invariant is broken", error);
  groot_error_free(error);
}

/* ---- cases ----------------------------------------------------------------------------------- */

/* The status, and each message as part of what the error says. */
static void compare_fault(run *run, json_t *expected, groot_status status, groot_error *error) {
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

/* A case's dialect is the name of its folder. */
static void dialect_of(const char *path, char *dialect, size_t size) {
  const char *end = strrchr(path, '/'), *start = end;
  while (start && start > path && start[-1] != '/') start--;
  snprintf(dialect, size, "%.*s", start ? (int)(end - start) : 0, start ? start : "");
}

static int run_case(const char *path, json_t *test, enum mode mode) {
  char dialect[64];
  dialect_of(path, dialect, sizeof dialect);
  run run = {path, mode, 0, 0, {NULL, NULL, NULL, NULL}, json_object()};
  fixture *fixture = &run.fixture;
  groot_error *error = NULL;
  json_t *model = json_object_get(test, "model");
  json_t *document = json_is_string(model) ? load_model(json_string_value(model))
                                           : json_incref(model);
  json_t *model_error = json_object_get(test, "modelError");
  json_t *mapping_error = json_object_get(test, "mappingError");
  groot_status status = groot_model_create_json(document, &fixture->model, &error);
  json_decref(document);
  if (model_error) {
    compare_fault(&run, model_error, status, error);
    goto end;
  }
  if (status == GROOT_OK) status = make_registry(test, &fixture->registry, &error);
  if (status == GROOT_OK)
    status = groot_mapping_create(fixture->model, fixture->registry, dialect, NULL,
                                  &fixture->mapping, &error);
  if (mapping_error) {
    compare_fault(&run, mapping_error, status, error);
    goto end;
  }
  if (status == GROOT_OK)
    status = groot_context_create(fixture->mapping, &fixture->context, &error);
  if (status != GROOT_OK) {
    complain_error(&run, "the case cannot be set up", error);
    goto end;
  }
  size_t index;
  json_t *step;
  json_array_foreach(json_object_get(test, "steps"), index, step) {
    run.step = index + 1;
    run_step(&run, step);
  }
end:
  groot_error_free(error);
  close_fixture(fixture);
  json_decref(run.kept);
  return run.failed;
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    json_error_t error;
    json_t *test = json_load_file(argv[i], JSON_REJECT_DUPLICATES, &error);
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
