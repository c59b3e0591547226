/* Value transformers that get many values in one call: their arguments, calls and failures. */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static groot_error *error;
static const size_t nts = GROOT_NTS;

/* A model of one entity whose attributes go through the transformer T. */
static const char two_attributes[] =
    "{'entities': {'Thing': {'userInfo': {'identityAttributes': 'id'}, 'attributes': {"
    "'id': {'type': 'integer64', 'userInfo': {'JSONKeyPath': 'id', 'JSONTransformerName': 'T'}},"
    "'size': {'type': 'integer64', 'optional': true,"
    " 'userInfo': {'JSONKeyPath': 'size', 'JSONTransformerName': 'T'}}}}}}";

enum result { numbers, short_list, no_list, no_result, no_json };

typedef struct counts {
  int calls, values, destroyed;
  enum result result;
} counts;

static void destroy(void *userdata) { ((counts *)userdata)->destroyed++; }

/* Each text becomes its number, and an empty one nothing; "no" fails. */
static groot_status numbers_of(void *userdata, const char *value, size_t size, groot_call *call) {
  counts *counts = userdata;
  json_t *list = json_loadb(value, size, 0, NULL), *results = json_array();
  groot_status status = GROOT_OK;
  CHECK(json_is_array(list) && json_array_size(list) > 0);
  CHECK(groot_call_entity(call).size == 5);
  counts->calls++;
  counts->values += (int)json_array_size(list);
  for (size_t i = 0; i < json_array_size(list); i++) {
    const char *string = json_string_value(json_array_get(list, i));
    if (CHECK(string != NULL) && strcmp(string, "no") == 0) {
      groot_call_set_message(call, "not a number", nts);
      status = GROOT_WRONG_TYPE;
    }
    json_array_append_new(results, string && *string ? json_integer(atoi(string)) : json_null());
  }
  if (counts->result == short_list) json_array_remove(results, 0);
  char *text = json_dumps(results, JSON_COMPACT);
  const char *result = counts->result == no_list   ? "{\"a\":1}"
                       : counts->result == no_json ? "[1"
                                                   : text;
  if (counts->result != no_result) groot_call_set_result(call, result, nts);
  free(text);
  json_decref(results);
  json_decref(list);
  return status;
}

/* Each number becomes its text. */
static groot_status texts_of(void *userdata, const char *value, size_t size, groot_call *call) {
  char result[64];
  (void)userdata;
  CHECK(size > 2 && *value == '[');
  CHECK(groot_call_path(call).size == 0);
  snprintf(result, sizeof result, "[\"%.*s\"]", (int)size - 2, value + 1);
  return groot_call_set_result(call, result, nts);
}

static fixture open_counted(counts *counts) {
  groot_registry *registry = NULL;
  CHECK_OK(groot_registry_create(&registry, &error));
  CHECK_OK(groot_registry_set_batch_transformer(registry, "T", numbers_of, texts_of, counts,
                                                destroy, &error));
  return open_document(two_attributes, registry);
}

static void test_few_calls(void) {
  counts counts = {0, 0, 0, numbers};
  fixture f = open_counted(&counts);
  json_t *feed = json_array();
  for (int i = 0; i < 2000; i++) {
    char id[16];
    snprintf(id, sizeof id, "%d", i);
    json_array_append_new(feed, json_pack("{s:s,s:s}", "id", id, "size", i % 2 ? "7" : ""));
  }
  char *text = json_dumps(feed, 0);
  CHECK_OK(groot_import_text(f.context, "Thing", text, nts, NULL, NULL, &error));
  CHECK_EQUAL(count_of(&f, "Thing"), 2000);
  CHECK(counts.calls <= 4);
  CHECK(counts.values <= 2000 + 2 * counts.calls);
  CHECK_OK(groot_import_json(f.context, "Thing", feed, NULL, NULL, &error));
  CHECK_EQUAL(count_of(&f, "Thing"), 2000);
  CHECK(counts.calls <= 8);
  free(text);
  json_decref(feed);
  groot_object_id thing = import_one(&f, "Thing", "{'id': '5', 'size': '8'}");
  CHECK_EQUAL(value_of(&f, thing, "size").as.integer, 8);
  CHECK_JSON(export_of(&f, thing), "{'id': '5', 'size': '8'}");
  check_graph(&f);
  close_fixture(&f);
  CHECK_EQUAL(counts.destroyed, 1);
}

static void check_failing(counts *counts, enum result result, const char *quoted,
                          const char *part) {
  fixture f = open_counted(counts);
  counts->result = result;
  CHECK_FAILS(groot_import_text(f.context, "Thing", text(quoted), nts, NULL, NULL, &error),
              GROOT_CALLBACK_FAILED);
  if (!CHECK(strstr(issue.message, part) != NULL)) fprintf(stderr, "  %s\n", issue.message);
  CHECK_PLACE(result == numbers ? "$[1].size" : "$[0].id", "Thing",
              result == numbers ? "size" : "id");
  CHECK_EQUAL(count_of(&f, "Thing"), 0);
  check_graph(&f);
  close_fixture(&f);
}

/* The value that is to blame is named, whether the function fails or its result is wrong. */
static void test_failures(void) {
  counts counts = {0, 0, 0, numbers};
  check_failing(&counts, numbers, "[{'id': '1'}, {'id': '2', 'size': 'no'}]", "not a number");
  CHECK_EQUAL(counts.calls, 4); /* all values, then one at a time */
  check_failing(&counts, short_list, "[{'id': '1'}]", "an array of 0 for an array of 1");
  check_failing(&counts, no_list, "[{'id': '1'}]", "no array for an array of 1");
  check_failing(&counts, no_result, "[{'id': '1'}]", "nothing for an array of 1");
  check_failing(&counts, no_json, "[{'id': '1'}]", "not JSON");
  CHECK_EQUAL(counts.destroyed, 5);
}

static void test_registration(void) {
  counts counts = {0, 0, 0, numbers};
  groot_registry *registry = NULL;
  CHECK_OK(groot_registry_create(&registry, &error));
  CHECK_FAILS(groot_registry_set_batch_transformer(registry, "T", NULL, NULL, &counts, destroy,
                                                   &error),
              GROOT_INVALID_ARGUMENT);
  CHECK_EQUAL(counts.destroyed, 1);
  CHECK_OK(groot_registry_set_batch_transformer(registry, "T", numbers_of, NULL, &counts, destroy,
                                                &error));
  fixture f = open_document(two_attributes, registry);
  CHECK_JSON(export_of(&f, import_one(&f, "Thing", "{'id': '5'}")), "{'id': 5, 'size': null}");
  close_fixture(&f);
  CHECK_EQUAL(counts.destroyed, 2);
}

int main(void) {
  test_few_calls();
  test_failures();
  test_registration();
  return finish("batch");
}
