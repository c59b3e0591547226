/* Values that are large, hold themselves, or hold what a json_t has no room for. */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static groot_error *error;
static const size_t nts = GROOT_NTS;

static const char document[] =
    "{'entities': {'Thing': {'userInfo': {'identityAttributes': 'id'}, 'attributes': {"
    "'id': {'type': 'integer64', 'userInfo': {'JSONKeyPath': 'id'}},"
    "'name': {'type': 'string', 'optional': true, 'userInfo': {'JSONKeyPath': 'name'}},"
    "'made': {'type': 'transformable', 'optional': true,"
    " 'userInfo': {'JSONKeyPath': 'made', 'JSONTransformerName': 'T'}},"
    "'any': {'type': 'transformable', 'optional': true,"
    " 'userInfo': {'JSONKeyPath': 'any'}}}}}}";

/* {"a": x, "b": x} of {"a": y, "b": y} of ...: a few containers that stand for 2^levels. */
static json_t *doubled(int levels) {
  json_t *value = json_object();
  while (levels-- > 0) {
    json_t *outer = json_object();
    json_object_set(outer, "a", value);
    json_object_set_new(outer, "b", value);
    value = outer;
  }
  return value;
}

/* An array of objects with the last of them the array itself; undo with json_array_clear. */
static json_t *circular(void) {
  json_t *array = json_array();
  for (int i = 0; i < 100; i++) json_array_append_new(array, json_pack("{s:i}", "i", i));
  json_array_append_new(array, json_pack("{s:O}", "x", array));
  return array;
}

static void uncircle(json_t *array) {
  json_array_clear(array);
  json_decref(array);
}

typedef enum gift { GIFT_SAME, GIFT_DOUBLED, GIFT_CIRCULAR } gift;

/* Gives what userdata says: the value itself, or what is too large. */
static groot_status give(void *userdata, json_t *value, json_t **result, groot_call *call) {
  (void)call;
  static json_t *kept;
  switch (*(gift *)userdata) {
    case GIFT_SAME: *result = json_incref(value); break;
    case GIFT_DOUBLED: *result = doubled(26); break;
    case GIFT_CIRCULAR:
      if (!kept) kept = circular();
      *result = json_incref(kept);
  }
  return GROOT_OK;
}

static gift wanted;

static fixture open_things(void) {
  groot_registry *registry = NULL;
  CHECK_OK(groot_registry_create(&registry, &error));
  CHECK_OK(groot_registry_set_transformer_json(registry, "T", give, give, &wanted, NULL, &error));
  return open_document(document, registry);
}

static groot_status import_tree(fixture *things, json_t *tree) {
  const groot_status status = groot_import_json(things->context, "Thing", tree, NULL, NULL, &error);
  json_decref(tree);
  return status;
}

static void trees_that_share(void) {
  fixture things = open_things();
  CHECK_OK(import_tree(&things, json_pack("{s:i, s:o}", "id", 1, "any", doubled(10))));
  CHECK_FAILS(import_tree(&things, json_pack("{s:i, s:o}", "id", 2, "any", doubled(26))),
              GROOT_LIMIT_EXCEEDED);
  CHECK_FAILS(import_tree(&things, json_pack("{s:i, s:o}", "id", 2, "x", doubled(60))),
              GROOT_LIMIT_EXCEEDED);
  /* A large tree without repetitions is not such a thing, also when it is held elsewhere. */
  json_t *list = json_array();
  for (int i = 0; i < 100000; i++) json_array_append_new(list, json_pack("{s:i}", "i", i));
  CHECK_OK(import_tree(&things, json_pack("{s:i, s:O}", "id", 3, "any", list)));
  json_decref(list);
  json_t *circle = circular();
  CHECK_FAILS(import_tree(&things, json_pack("{s:i, s:O}", "id", 4, "any", circle)),
              GROOT_LIMIT_EXCEEDED);
  json_t *request = json_pack("{s:O}", "where", circle);
  size_t count = 0;
  CHECK_FAILS(groot_context_count_json(things.context, "Thing", request, &count, &error),
              GROOT_LIMIT_EXCEEDED);
  json_decref(request);
  groot_model *model = NULL;
  json_t *tree = doubled(30);
  CHECK_FAILS(groot_model_create_json(tree, &model, &error), GROOT_LIMIT_EXCEEDED);
  json_decref(tree);
  uncircle(circle);
  CHECK_EQUAL(count_of(&things, "Thing"), 2);
  close_fixture(&things);
}

static void callbacks_that_share(void) {
  fixture things = open_things();
  wanted = GIFT_SAME;
  CHECK_EQUAL(import_status(&things, "Thing", "[{'id': 1, 'made': {'x': [1]}}]"), GROOT_OK);
  for (wanted = GIFT_DOUBLED; wanted <= GIFT_CIRCULAR; wanted++) {
    CHECK_FAILS(
        groot_import_text(things.context, "Thing", text("[{'id': 2}, {'id': 3, 'made': 1}]"), nts,
                          NULL, NULL, &error),
        GROOT_LIMIT_EXCEEDED);
    CHECK(strcmp(issue.path, "$[1].made") == 0);
    groot_import_options options = GROOT_IMPORT_OPTIONS_INIT;
    options.errors = GROOT_ERRORS_SKIP;
    CHECK_OK(groot_import_text(things.context, "Thing",
                               text("[{'id': 2}, {'id': 3, 'made': 1}, {'id': 4}]"), nts, &options,
                               NULL, &error));
    CHECK_EQUAL(count_of(&things, "Thing"), 3);
    groot_object_id object = import_one(&things, "Thing", "{'id': 1}");
    json_t *exported = NULL;
    CHECK_FAILS(groot_export_object_json(things.context, object, NULL, &exported, &error),
                GROOT_TRANSFORM_FAILED);
  }
  wanted = GIFT_SAME;
  close_fixture(&things);
}

static void numbers_beyond_json_t(void) {
  fixture things = open_things();
  groot_object_id object = import_one(&things, "Thing", "{'id': 1, 'any': [1, {'n': 1e400}]}");
  CHECK_TEXT(text_of(&things, object, "any"), "[1,{\"n\":1e400}]");
  json_t *exported = NULL;
  CHECK_FAILS(groot_export_object_json(things.context, object, NULL, &exported, &error),
              GROOT_OUT_OF_RANGE);
  CHECK_PLACE("$.any[1].n", "", "");
  CHECK(exported == NULL);
  groot_buffer buffer = {0};
  CHECK_OK(groot_export_object_text(things.context, object, NULL, &buffer, &error));
  CHECK(buffer.data && strstr(buffer.data, "1e400"));
  groot_buffer_free(&buffer);
  CHECK_FAILS(groot_import_text(things.context, "Thing",
                                text("[{'id': 2, 'made': {'a': [0, -12345678901234567890]}}]"), nts,
                                NULL, NULL, &error),
              GROOT_OUT_OF_RANGE);
  CHECK_PLACE("$[0].made.a[1]", "Thing", "made");
  close_fixture(&things);
}

static void nul_in_text(void) {
  fixture things = open_things();
  groot_object_id object = import_one(&things, "Thing", "{'id': 1, 'name': 'a\\u0000b'}");
  groot_string name = text_of(&things, object, "name");
  CHECK_EQUAL(name.size, 3);
  CHECK(memcmp(name.data, "a\0b", 3) == 0);
  groot_value value = {.kind = GROOT_VALUE_STRING, .as.text = {"\0x", 2}};
  CHECK_OK(groot_object_set(things.context, object, property_of(&things, object, "name"), &value,
                            &error));
  json_t *exported = export_of(&things, object);
  json_t *written = json_object_get(exported, "name");
  CHECK_EQUAL(json_string_length(written), 2);
  CHECK(memcmp(json_string_value(written), "\0x", 2) == 0);
  json_decref(exported);
  json_t *tree = json_object();
  json_object_set_new(tree, "id", json_integer(1));
  json_object_set_new(tree, "name", json_stringn("a\0", 2));
  json_object_setn_new(tree, "na\0me", 5, json_integer(1));
  CHECK_OK(import_tree(&things, tree));
  CHECK_EQUAL(text_of(&things, object, "name").size, 2);
  wanted = GIFT_SAME;
  object = import_one(&things, "Thing", "{'id': 2, 'made': {'k\\u0000': '\\u0000'}}");
  CHECK_TEXT(text_of(&things, object, "made"), "{\"k\\u0000\":\"\\u0000\"}");
  close_fixture(&things);
}

static groot_status echo(void *userdata, const char *value, size_t size, groot_call *call) {
  (void)userdata;
  CHECK_EQUAL(strlen(value), size);
  return groot_call_set_result(call, value, size);
}

/* Text has no limits of a json_t: all goes through a callback as it is. */
static void text_of_any_value(void) {
  static const char *const values[] = {
      "1e400",
      "-12345678901234567890",
      "12345678901234567890.12345678901234567890",
      "0.1",
      "-0.0",
      "[]",
      "{}",
      "[1,{\"n\":1e400}]",
      "{\"\":\"\",\"k\\u0000\":[null,true,false]}",
      "\"a\\u0000b\"",
      "\"\xf0\x9f\x98\x80\\n\"",
      "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[5]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]",
  };
  groot_registry *registry = NULL;
  CHECK_OK(groot_registry_create(&registry, &error));
  CHECK_OK(groot_registry_set_transformer(registry, "T", echo, echo, NULL, NULL, &error));
  fixture things = open_document(document, registry);
  for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
    char record[256];
    groot_buffer plain = {0}, made = {0};
    const size_t size =
        (size_t)sprintf(record, "{\"id\":1,\"any\":%s,\"made\":%s}", values[i], values[i]);
    groot_object_id object = 0;
    groot_objects *objects = NULL;
    CHECK_OK(groot_import_text(things.context, "Thing", record, size, NULL, &objects, &error));
    object = groot_objects_at(objects, 0);
    /* What did not go through the callback is the measure. */
    groot_string any = text_of(&things, object, "any");
    char expected[256];
    snprintf(expected, sizeof expected, "%.*s", (int)any.size, any.data);
    CHECK_TEXT(text_of(&things, object, "made"), expected);
    groot_export_options options = GROOT_EXPORT_OPTIONS_INIT;
    options.properties = "[\"any\"]";
    CHECK_OK(groot_export_object_text(things.context, object, &options, &plain, &error));
    options.properties = "[\"made\"]";
    CHECK_OK(groot_export_object_text(things.context, object, &options, &made, &error));
    int holds = plain.data && made.data && strcmp(plain.data + 6, made.data + 7) == 0;
    if (!CHECK(holds)) fprintf(stderr, "  %s, %s\n", plain.data, made.data);
    groot_buffer_free(&plain);
    groot_buffer_free(&made);
    groot_objects_free(objects);
  }
  close_fixture(&things);
}

static const char nodes[] =
    "{'entities': {'Node': {"
    "'userInfo': {'identityAttributes': 'id', 'JSONDictionaryTransformerName': 'D'},"
    "'attributes': {'id': {'type': 'integer64', 'userInfo': {'JSONKeyPath': 'id'}},"
    "'name': {'type': 'string', 'optional': true, 'userInfo': {'JSONKeyPath': 'name'}}},"
    "'relationships': {'child': {'destination': 'Node', 'inverse': 'parent', 'optional': true,"
    " 'userInfo': {'JSONKeyPath': 'child'}},"
    "'parent': {'destination': 'Node', 'inverse': 'child', 'optional': true}}}}}";

/* Gives a copy with a name, in which what is nested is unchanged; notes what it was given. */
static groot_status with_name(void *userdata, json_t *value, json_t **result, groot_call *call) {
  (void)call;
  json_t **expected = userdata;
  if (*expected) CHECK(*expected == value);
  *expected = json_object_get(value, "child");
  *result = json_copy(value);
  json_object_set_new(*result, "name", json_string("n"));
  return GROOT_OK;
}

/* A chain of objects, the last with what `last` says. */
static char *chain(int depth, const char *last) {
  char *text = malloc((size_t)depth * 32 + strlen(last) + 1);
  char *end = text;
  for (int i = 0; i < depth; i++) end += sprintf(end, "{\"id\":%d,\"child\":", i);
  end += sprintf(end, "%s", last);
  memset(end, '}', (size_t)depth);
  end[depth] = 0;
  return text;
}

static void what_is_nested_is_shared(void) {
  json_t *expected = NULL;
  groot_registry *registry = NULL;
  CHECK_OK(groot_registry_create(&registry, &error));
  CHECK_OK(groot_registry_set_dictionary_transformer_json(registry, "D", with_name, &expected, NULL,
                                                          &error));
  fixture things = open_document(nodes, registry);
  char *text = chain(1000, "{\"id\":-1}");
  CHECK_OK(groot_import_text(things.context, "Node", text, nts, NULL, NULL, &error));
  free(text);
  CHECK_EQUAL(count_of(&things, "Node"), 1001);
  json_t *named = json("{'where': {'name': 'n'}}");
  size_t count = 0;
  CHECK_OK(groot_context_count_json(things.context, "Node", named, &count, &error));
  CHECK_EQUAL(count, 1001);
  json_decref(named);
  expected = NULL;
  text = chain(3, "{\"id\": \"x\"}");
  CHECK_FAILS(groot_import_text(things.context, "Node", text, nts, NULL, NULL, &error),
              GROOT_WRONG_TYPE);
  CHECK_PLACE("$.child.child.child.id", "Node", "id");
  free(text);
  close_fixture(&things);
}

int main(void) {
  what_is_nested_is_shared();
  trees_that_share();
  callbacks_that_share();
  numbers_beyond_json_t();
  nul_in_text();
  text_of_any_value();
  return finish("values");
}
