/*
 * Decimals in a json_t: what a double holds is a number, what it would round is text, and the text
 * export has the same. Text exports always have all digits.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

static groot_error *error;

static const char document[] =
    "{'entities': {'Thing': {'attributes': {'price': {'type': 'decimal', 'optional': true,"
    " 'userInfo': {'JSONKeyPath': 'price'}}, 'all': {'type': 'transformable', 'optional': true,"
    " 'userInfo': {'JSONKeyPath': 'all'}}}}}}";

/* How the decimal comes out of a json_t export: as an integer, a real, or its text. */
static const struct {
  const char *decimal;
  json_type type;
} rows[] = {
    {"0", JSON_INTEGER},
    {"-0", JSON_INTEGER},
    {"12", JSON_INTEGER},
    {"12.50", JSON_REAL},
    {"0.1", JSON_REAL},
    {"-0.3", JSON_REAL},
    {"1.9", JSON_REAL},
    {"12.3456789", JSON_REAL},
    {"0.000001", JSON_REAL},
    {"1e-30", JSON_REAL},
    {"123456789012.345", JSON_REAL},
    {"9007199254740993", JSON_INTEGER}, /* no double, but an integer of jansson */
    {"9223372036854775807", JSON_INTEGER},
    {"-9223372036854775808", JSON_INTEGER},
    {"1e22", JSON_REAL},
    {"1e18", JSON_INTEGER},
    {"9223372036854775809", JSON_STRING},
    {"12345678901234567890", JSON_STRING},
    {"0.12345678901234567", JSON_STRING},
    {"0.1000000000000000055511151231257827", JSON_STRING},
    {"123456789012345.678901", JSON_STRING},
    {"-99999999999999999999.99", JSON_STRING},
    {"3.14159265358979323846264338327950288", JSON_STRING},
    {"1e-100", JSON_REAL},
    {"12345678901234567890123456789012345678", JSON_STRING},
};

/* The text of the decimal in the graph, NUL-terminated. */
static const char *stored(fixture *f, groot_object_id thing) {
  static char copy[128];
  groot_string text = text_of(f, thing, "price");
  snprintf(copy, sizeof copy, "%.*s", (int)text.size, text.data);
  return copy;
}

static void test_row(fixture *f, size_t i) {
  char quoted[128];
  snprintf(quoted, sizeof quoted, "{'price': %s}", rows[i].decimal);
  groot_object_id thing = import_one(f, "Thing", quoted);
  json_t *exported = export_of(f, thing), *price = json_object_get(exported, "price");
  int holds = CHECK_EQUAL(json_typeof(price), rows[i].type);
  const char *expected = stored(f, thing);
  if (json_is_string(price)) {
    holds &= CHECK(strcmp(json_string_value(price), expected) == 0);
  } else {
    holds &= CHECK(json_number_value(price) == strtod(rows[i].decimal, NULL));
  }

  /* The same digits come back, from a json_t as from text. */
  groot_objects *again = NULL;
  char before[128];
  snprintf(before, sizeof before, "%s", expected);
  CHECK_OK(groot_import_json(f->context, "Thing", exported, NULL, &again, &error));
  holds &= CHECK(strcmp(stored(f, groot_objects_at(again, 0)), before) == 0);
  groot_objects_free(again);
  json_decref(exported);

  /* As text it is a number with all of its digits, or as many zeros more. */
  groot_buffer buffer = {NULL, 0};
  CHECK_OK(groot_export_object_text(f->context, thing, NULL, &buffer, &error));
  holds &= CHECK(strstr(buffer.data, "\"price\":\"") == NULL);
  CHECK_OK(groot_import_text(f->context, "Thing", buffer.data, buffer.size, NULL, &again, &error));
  holds &= CHECK(strcmp(stored(f, groot_objects_at(again, 0)), before) == 0);
  groot_objects_free(again);
  groot_buffer_free(&buffer);
  if (!holds) fprintf(stderr, "  for %s, stored as %s\n", rows[i].decimal, before);
}

static void test_lists(fixture *f) {
  groot_objects *things = import(f, "Thing", "[{'price': 0.5}, {'price': 12345678901234567890}]");
  json_t *exported = NULL;
  CHECK_OK(groot_export_objects_json(f->context, groot_objects_data(things), 2, NULL, &exported, &error));
  CHECK_JSON(exported,
             "[{'price': 0.5, 'all': null}, {'price': '12345678901234567890', 'all': null}]");
  groot_objects_free(things);
}

/* Gives back the text that it was handed. */
static groot_status same(void *userdata, const char *value, size_t size, groot_call *call) {
  (void)userdata;
  return groot_call_set_result(call, value, size);
}

/* What functions are handed, and what they give, has all digits: for a value and for a record. */
static void test_functions(void) {
  groot_registry *registry = NULL;
  CHECK_OK(groot_registry_create(&registry, &error));
  CHECK_OK(groot_registry_set_transformer(registry, "Same", same, same, NULL, NULL, &error));
  CHECK_OK(
      groot_registry_set_dictionary_transformer(registry, "Record", same, NULL, NULL, &error));
  fixture f = open_document(
      "{'entities': {'Value': {'attributes': {'price': {'type': 'decimal', 'optional': true,"
      "  'userInfo': {'JSONKeyPath': 'price', 'JSONTransformerName': 'Same'}}}},"
      " 'Record': {'userInfo': {'JSONDictionaryTransformerName': 'Record'}, 'attributes': {"
      "  'price': {'type': 'decimal', 'optional': true, 'userInfo': {'JSONKeyPath': 'price'}}}},"
      " 'Thing': {'attributes': {"
      "  'price': {'type': 'decimal', 'optional': true, 'userInfo': {'JSONKeyPath': 'price'}}}}}}",
      registry);
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    char quoted[128], expected[128];
    snprintf(quoted, sizeof quoted, "{'price': %s}", rows[i].decimal);
    snprintf(expected, sizeof expected, "%s", stored(&f, import_one(&f, "Thing", quoted)));
    groot_object_id value = import_one(&f, "Value", quoted);
    int holds = CHECK(strcmp(stored(&f, value), expected) == 0);
    holds &= CHECK(strcmp(stored(&f, import_one(&f, "Record", quoted)), expected) == 0);
    groot_buffer reversed = {NULL, 0};
    CHECK_OK(groot_export_object_text(f.context, value, NULL, &reversed, &error));
    groot_objects *made = NULL;
    CHECK_OK(groot_import_text(f.context, "Value", reversed.data, reversed.size, NULL, &made,
                               &error));
    holds &= CHECK(strcmp(stored(&f, groot_objects_at(made, 0)), expected) == 0);
    groot_objects_free(made);
    groot_buffer_free(&reversed);
    if (!holds) fprintf(stderr, "  for %s, stored as %s\n", rows[i].decimal, expected);
  }
  check_graph(&f);
  close_fixture(&f);
}

int main(void) {
  test_functions();
  fixture f = open_document(document, NULL);
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) test_row(&f, i);
  test_lists(&f);
  check_graph(&f);
  close_fixture(&f);
  return finish("decimals");
}
