/* Callbacks: what they are given, and what becomes of what they give. */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static groot_error *error;
static const size_t nts = GROOT_NTS;

/* A model of one entity whose only attribute goes through the transformer T. */
static const char one_attribute[] =
    "{'entities': {'Thing': {'attributes': {'name': {'type': 'string', 'optional': true,"
    " 'userInfo': {'JSONKeyPath': 'name', 'JSONTransformerName': 'T'}}}}}}";

typedef struct counts {
  int forward, reverse, destroyed;
} counts;

static void destroy(void *userdata) { ((counts *)userdata)->destroyed++; }

/* "x" becomes "<x>"; "nothing" becomes nothing, "null" a JSON null, "number" a number. */
static groot_status bracket(void *userdata, json_t *value, json_t **result, groot_call *call) {
  ((counts *)userdata)->forward++;
  CHECK(*result == NULL);
  const char *string = json_string_value(value);
  if (!string) {
    groot_call_set_message(call, "only text can be bracketed", nts);
    return GROOT_WRONG_TYPE;
  }
  if (strcmp(string, "nothing") == 0) return GROOT_OK;
  if (strcmp(string, "fail") == 0) {
    groot_call_set_message(call, "refused: \xc3\xa9t\xc3\xa9 and more", 14);
    return GROOT_CALLBACK_FAILED;
  }
  if (strcmp(string, "silent") == 0) return GROOT_CALLBACK_FAILED;
  if (strcmp(string, "odd") == 0) {
    groot_call_set_message(call, "\xff\xfe", 2);
    groot_call_set_message(call, NULL, 3);
    return 123456;
  }
  if (strcmp(string, "both") == 0) {
    *result = json_string("leaked?");
    return GROOT_CALLBACK_FAILED;
  }
  if (strcmp(string, "null") == 0) {
    *result = json_null();
  } else if (strcmp(string, "number") == 0) {
    *result = json_integer(5);
  } else if (strcmp(string, "same") == 0) {
    *result = json_incref(value);
  } else {
    *result = json_sprintf("<%s>", string);
  }
  return GROOT_OK;
}

/* "<x>" becomes "x", "<nothing>" nothing; "<fail>" fails. */
static groot_status unbracket(void *userdata, json_t *value, json_t **result, groot_call *call) {
  ((counts *)userdata)->reverse++;
  const char *string = json_string_value(value);
  size_t size = string ? strlen(string) : 0;
  if (size < 2 || string[0] != '<') {
    groot_call_set_message(call, "no brackets", nts);
    return GROOT_CALLBACK_FAILED;
  }
  if (strcmp(string, "<empty>") == 0) return GROOT_OK;
  *result = json_stringn(string + 1, size - 2);
  return GROOT_OK;
}

static groot_registry *new_registry(void) {
  groot_registry *registry = NULL;
  CHECK_OK(groot_registry_create(&registry, &error));
  return registry;
}

static void test_forward_and_reverse(void) {
  counts counts = {0, 0, 0};
  groot_registry *registry = new_registry();
  CHECK_OK(groot_registry_set_transformer_json(registry, "T", bracket, unbracket, &counts, destroy,
                                               &error));
  fixture f = open_document(one_attribute, registry);

  groot_object_id thing = import_one(&f, "Thing", "{'name': 'bat'}");
  CHECK_TEXT(text_of(&f, thing, "name"), "<bat>");
  CHECK_EQUAL(counts.forward, 1);
  CHECK_JSON(export_of(&f, thing), "{'name': 'bat'}");
  CHECK_EQUAL(counts.reverse, 1);

  /* Nothing and null clear; neither null nor a missing key gets to the callback. */
  CHECK_EQUAL(value_of(&f, import_one(&f, "Thing", "{'name': 'nothing'}"), "name").kind,
              GROOT_VALUE_NULL);
  CHECK_EQUAL(value_of(&f, import_one(&f, "Thing", "{'name': 'null'}"), "name").kind,
              GROOT_VALUE_NULL);
  counts.forward = counts.reverse = 0;
  groot_object_id empty = import_one(&f, "Thing", "{'name': null}");
  import_one(&f, "Thing", "{}");
  CHECK_EQUAL(counts.forward, 0);
  CHECK_JSON(export_of(&f, empty), "{'name': null}");
  CHECK_EQUAL(counts.reverse, 0);

  CHECK_TEXT(text_of(&f, import_one(&f, "Thing", "{'name': 'same'}"), "name"), "same");
  groot_object_id nothing = import_one(&f, "Thing", "{'name': 'empty'}");
  CHECK_JSON(export_of(&f, nothing), "{'name': null}");
  check_graph(&f);
  close_fixture(&f);
  CHECK_EQUAL(counts.destroyed, 1);
}

static void check_failing(fixture *f, const char *quoted, groot_status status,
                          const char *part_of_message) {
  CHECK_FAILS(groot_import_text(f->context, "Thing", text(quoted), nts, NULL, NULL, &error),
              status);
  if (!CHECK(strstr(issue.message, part_of_message) != NULL))
    fprintf(stderr, "  message: %s\n", issue.message);
  CHECK_PLACE("$[1].name", "Thing", "name");
  CHECK_EQUAL(count_of(f, "Thing"), 0);
  check_graph(f);
}

static void test_failing(void) {
  counts counts = {0, 0, 0};
  groot_registry *registry = new_registry();
  CHECK_OK(groot_registry_set_transformer_json(registry, "T", bracket, unbracket, &counts, destroy,
                                               &error));
  fixture f = open_document(one_attribute, registry);
  /* Whatever status the callback gives, it is the callback that failed. */
  check_failing(&f, "[{'name': 'a'}, {'name': 5}]", GROOT_CALLBACK_FAILED, "only text");
  check_failing(&f, "[{'name': 'a'}, {'name': 'fail'}]", GROOT_CALLBACK_FAILED,
                "refused: \xc3\xa9t\xc3\xa9");
  check_failing(&f, "[{'name': 'a'}, {'name': 'silent'}]", GROOT_CALLBACK_FAILED, "");
  check_failing(&f, "[{'name': 'a'}, {'name': 'odd'}]", GROOT_CALLBACK_FAILED, "");
  check_failing(&f, "[{'name': 'a'}, {'name': 'both'}]", GROOT_CALLBACK_FAILED, "");
  /* What the callback gives must fit the attribute. */
  check_failing(&f, "[{'name': 'a'}, {'name': 'number'}]", GROOT_WRONG_TYPE, "");

  /* Export: the graph may hold what the reverse function refuses. */
  groot_object_id thing = import_one(&f, "Thing", "{'name': 'same'}");
  json_t *exported = NULL;
  groot_buffer buffer = {NULL, 0};
  CHECK_FAILS(groot_export_object_json(f.context, thing, NULL, &exported, &error),
              GROOT_CALLBACK_FAILED);
  CHECK(strstr(issue.message, "no brackets") != NULL);
  CHECK(strcmp(issue.entity, "Thing") == 0 && strcmp(issue.property, "name") == 0);
  CHECK_FAILS(groot_export_object_text(f.context, thing, NULL, &buffer, &error),
              GROOT_CALLBACK_FAILED);
  CHECK(exported == NULL && buffer.data == NULL && buffer.size == 0);
  CHECK_OK(groot_object_delete(f.context, thing, &error));
  close_fixture(&f);
  CHECK_EQUAL(counts.destroyed, 1);
}

/* A value of JSON may be null; no function is called with it. */
static groot_status refuse_null(void *userdata, const char *value, size_t size, groot_call *call) {
  (void)userdata;
  CHECK(strcmp(value, "null") != 0);
  return groot_call_set_result(call, value, size);
}

static void test_null_values(void) {
  groot_error *error = NULL;
  groot_registry *registry = NULL;
  CHECK_OK(groot_registry_create(&registry, &error));
  CHECK_OK(groot_registry_set_transformer(registry, "Refuse", refuse_null, refuse_null, NULL, NULL,
                                          &error));
  fixture f = open_document(
      "{'entities': {'Hero': {'attributes': {'more': {'type': 'transformable', 'optional': true,"
      " 'userInfo': {'JSONKeyPath': 'more', 'JSONTransformerName': 'Refuse'}}}}}}",
      registry);
  groot_object_id hero = import_one(&f, "Hero", "{'more': [null]}");
  CHECK_JSON(export_of(&f, hero), "{'more': [null]}");
  groot_value value = {GROOT_VALUE_JSON, 0, {0}};
  value.as.text.data = "null";
  value.as.text.size = 4;
  CHECK_OK(groot_object_set(f.context, hero, property_of(&f, hero, "more"), &value, &error));
  CHECK_JSON(export_of(&f, hero), "{'more': null}");
  close_fixture(&f);
}

static void test_one_way(void) {
  counts counts = {0, 0, 0};
  groot_registry *registry = new_registry();
  CHECK_OK(
      groot_registry_set_transformer_json(registry, "T", bracket, NULL, &counts, NULL, &error));
  fixture f = open_document(one_attribute, registry);
  groot_object_id thing = import_one(&f, "Thing", "{'name': 'bat'}");
  CHECK_JSON(export_of(&f, thing), "{'name': '<bat>'}");
  CHECK_EQUAL(counts.reverse, 0);
  close_fixture(&f);
  CHECK_EQUAL(counts.destroyed, 0);
}

/* A mapping that cannot be made lets go of what it held. */
static void test_mapping_faults(void) {
  counts counts = {0, 0, 0};
  groot_registry *registry = new_registry();
  CHECK_OK(
      groot_registry_set_transformer_json(registry, "T", bracket, NULL, &counts, destroy, &error));
  json_t *document =
      json("{'entities': {'A': {'userInfo': {'entityMapperName': 'Mapper',"
           " 'JSONDictionaryTransformerName': 'Upgrade'}, 'attributes': {"
           "'a': {'type': 'string', 'userInfo': {'JSONKeyPath': 'a', 'JSONTransformerName': 'T'}},"
           "'b': {'type': 'string', 'userInfo': {'JSONKeyPath': 'b', 'JSONTransformerName': 'U'}}"
           "}}}}");
  groot_model *model = NULL;
  groot_mapping *mapping = NULL;
  CHECK_OK(groot_model_create_json(document, &model, &error));
  CHECK_FAILS(groot_mapping_create(model, registry, NULL, &mapping, &error),
              GROOT_UNKNOWN_TRANSFORMER);
  CHECK_EQUAL(issue.count, 3);
  CHECK_FAILS(groot_mapping_create(model, NULL, NULL, &mapping, &error), GROOT_UNKNOWN_TRANSFORMER);
  CHECK_EQUAL(issue.count, 4);
  groot_registry_free(registry);
  CHECK_EQUAL(counts.destroyed, 1);
  groot_model_free(model);
  json_decref(document);

  /* A name registered as another kind of function is as good as none. */
  registry = new_registry();
  CHECK_OK(groot_registry_set_entity_mapper_json(registry, "T", map_message, NULL, NULL, &error));
  document = json(one_attribute);
  CHECK_OK(groot_model_create_json(document, &model, &error));
  CHECK(groot_mapping_create(model, registry, NULL, &mapping, NULL) != GROOT_OK);
  groot_model_free(model);
  json_decref(document);
  groot_registry_free(registry);
}

static groot_status map_to(void *userdata, json_t *value, json_t **result, groot_call *call) {
  (void)value, (void)call;
  *result = json_incref(*(json_t **)userdata);
  return GROOT_OK;
}

/* What an entity mapper gives must name a concrete entity of the family. */
static void test_mapper_results(void) {
  json_t *answer = NULL;
  groot_registry *registry = new_registry();
  CHECK_OK(groot_registry_set_entity_mapper_json(registry, "M", map_to, &answer, NULL, &error));
  fixture f = open_document(
      "{'entities': {"
      "'Shape': {'abstract': true, 'userInfo': {'entityMapperName': 'M'}},"
      "'Circle': {'parent': 'Shape'}, 'Round': {'parent': 'Shape', 'abstract': true},"
      "'Other': {}}}",
      registry);
  static const struct {
    const char *answer;
    groot_status status;
  } rows[] = {
      {"'Circle'", GROOT_OK},
      {"'Round'", GROOT_MAPPER_FAILED},
      {"'Other'", GROOT_MAPPER_FAILED},
      {"'Nobody'", GROOT_MAPPER_FAILED},
      {"'Shape'", GROOT_MAPPER_FAILED},
      {"''", GROOT_MAPPER_FAILED},
      {"5", GROOT_MAPPER_FAILED},
      {"{}", GROOT_MAPPER_FAILED},
      {"null", GROOT_MAPPER_FAILED}, /* nothing: Shape itself, which is abstract */
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    answer = json(rows[i].answer);
    groot_status status = import_status(&f, "Shape", "{}");
    if (!CHECK_EQUAL(status, rows[i].status)) fprintf(stderr, "  for %s\n", rows[i].answer);
    json_decref(answer);
  }
  CHECK_EQUAL(count_of(&f, "Shape"), 1);
  check_graph(&f);
  close_fixture(&f);
}

/* A dictionary transformer must give an object. */
static void test_dictionary_results(void) {
  json_t *answer = NULL;
  groot_registry *registry = new_registry();
  CHECK_OK(
      groot_registry_set_dictionary_transformer_json(registry, "D", map_to, &answer, NULL, &error));
  fixture f = open_document(
      "{'entities': {'Thing': {'userInfo': {'JSONDictionaryTransformerName': 'D'}, 'attributes': {"
      "'name': {'type': 'string', 'optional': true, 'userInfo': {'JSONKeyPath': 'name'}}}}}}",
      registry);
  answer = json("{'name': 'changed'}");
  groot_object_id thing = import_one(&f, "Thing", "{'name': 'bat'}");
  CHECK_TEXT(text_of(&f, thing, "name"), "changed");
  json_decref(answer);
  answer = json("null");
  thing = import_one(&f, "Thing", "{'name': 'bat'}");
  CHECK_TEXT(text_of(&f, thing, "name"), "bat");
  json_decref(answer);
  const char *const odd[] = {"[]", "'text'", "5"};
  for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) {
    answer = json(odd[i]);
    CHECK(import_status(&f, "Thing", "{'name': 'bat'}") != GROOT_OK);
    json_decref(answer);
  }
  CHECK_EQUAL(count_of(&f, "Thing"), 2);
  check_graph(&f);
  close_fixture(&f);
}

/* {"only": child} becomes {"children": [child, child]}: parts of what it was given, in a list. */
static groot_status list_only(void *userdata, json_t *value, json_t **result, groot_call *call) {
  (void)userdata;
  (void)call;
  json_t *only = json_object_get(value, "only");
  if (only) *result = json_pack("{s:[O,O]}", "children", only, only);
  return GROOT_OK;
}

static void test_parts_of_what_was_given(void) {
  groot_registry *registry = new_registry();
  CHECK_OK(
      groot_registry_set_dictionary_transformer_json(registry, "D", list_only, NULL, NULL, &error));
  fixture f = open_document(
      "{'entities': {'Node': {'userInfo': {'JSONDictionaryTransformerName': 'D',"
      " 'identityAttributes': 'name'}, 'attributes': {'name': {'type': 'string', 'optional': true,"
      " 'userInfo': {'JSONKeyPath': 'name'}}}, 'relationships': {'children': {"
      " 'destination': 'Node',"
      " 'toMany': true, 'optional': true, 'userInfo': {'JSONKeyPath': 'children'}}}}}}",
      registry);
  groot_object_id node = import_one(&f, "Node", "{'only': {'name': 'child'}}");
  CHECK_EQUAL(members_of(&f, node, "children"), 1);
  CHECK_EQUAL(count_of(&f, "Node"), 2);
  check_graph(&f);
  close_fixture(&f);
}

static void test_values_of_no_kind(void) {
  fixture f = open_document("{'entities': {'Thing': {'attributes': {'any': {'type':"
                            " 'transformable', 'optional': true,"
                            " 'userInfo': {'JSONKeyPath': 'any'}}}}}}",
                            NULL);
  json_t odd = {.type = (json_type)99, .refcount = (size_t)-1};
  json_t *record = json_pack("{s:[o]}", "any", &odd);
  CHECK(record != NULL);
  CHECK_FAILS(groot_import_json(f.context, "Thing", record, NULL, NULL, &error),
              GROOT_INVALID_ARGUMENT);
  CHECK_EQUAL(count_of(&f, "Thing"), 0);
  json_decref(record);
  close_fixture(&f);
}

static void test_builtins(void) {
  groot_registry *registry = new_registry();
  CHECK_FAILS(groot_registry_set_builtin(registry, "T", "no such thing", &error),
              GROOT_UNKNOWN_TRANSFORMER);
  groot_buffer buffer = {NULL, 0};
  CHECK_OK(groot_registry_builtins(&buffer, &error));
  json_t *builtins = taken(&buffer);
  CHECK(json_is_object(builtins));
  const char *name;
  json_t *description;
  json_object_foreach(builtins, name, description) {
    CHECK(json_string_length(description) > 0);
    CHECK_OK(groot_registry_set_builtin(registry, "T", name, &error));
  }
  json_decref(builtins);
  /* A NUL ends the name, whatever follows. */
  CHECK_OK(groot_registry_set_builtin(registry, "T\0welve", "integer-text\0ual", &error));
  CHECK_OK(groot_registry_remove(registry, "T", &error));
  CHECK_FAILS(groot_registry_set_builtin(registry, "T", "integer-textual", &error),
              GROOT_UNKNOWN_TRANSFORMER);
  groot_registry_free(registry);
}

int main(void) {
  test_forward_and_reverse();
  test_failing();
  test_null_values();
  test_one_way();
  test_mapping_faults();
  test_mapper_results();
  test_dictionary_results();
  test_parts_of_what_was_given();
  test_values_of_no_kind();
  test_builtins();
  return finish("registry");
}
