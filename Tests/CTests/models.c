/* Models: faults are listed all at once; a good one reads back with its defaults spelled out. */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static groot_error *error;

/* The document has this many faults (0: just any) and one message has this text in it. */
static void faulty(const char *quoted, size_t count, const char *part) {
  groot_model *model = NULL;
  json_t *document = json(quoted);
  groot_status status = groot_model_create_json(document, &model, &error);
  json_decref(document);
  if (!CHECK_EQUAL(status, GROOT_INVALID_MODEL)) fprintf(stderr, "  for %s\n", quoted);
  CHECK(model == NULL);
  groot_string all = groot_error_text(error);
  if (!CHECK(all.data && strstr(all.data, part) != NULL))
    fprintf(stderr, "  %s is not in: %s\n", part, all.data);
  if (count && !CHECK_EQUAL(groot_error_issue_count(error), count))
    fprintf(stderr, "  %s\n", all.data);
  groot_error_free(error);
  error = NULL;
}

static void test_faults(void) {
  faulty("{}", 0, "entities");
  faulty("{'entities': []}", 0, "entities");
  faulty("{'entities': {'A': 5}}", 1, "A");
  faulty("{'entities': {'': {}}}", 1, "name");
  faulty("{'entities': {'A': {'parent': 'Nobody'}}}", 1, "Nobody");
  faulty("{'entities': {'A': {'parent': 'A'}}}", 1, "A");
  faulty("{'entities': {'A': {'parent': 'B'}, 'B': {'parent': 'A'}}}", 0, "A");
  faulty("{'entities': {'A': {'attributes': {'a': {'type': 'integer8'}}}}}", 1, "integer8");
  faulty("{'entities': {'A': {'attributes': {'a': {}}}}}", 1, "type");
  faulty("{'entities': {'A': {'relationships': {'r': {'destination': 'B'}}}}}", 1, "B");
  faulty("{'entities': {'A': {'relationships': {'r': {}}}}}", 1, "destination");
  faulty(
      "{'entities': {'A': {'relationships': {'r': {'destination': 'B', 'inverse': 's'}}},"
      " 'B': {}}}",
      1, "s");
  faulty(
      "{'entities': {'A': {'relationships': {'r': {'destination': 'B', 'inverse': 's'}}},"
      " 'B': {'relationships': {'s': {'destination': 'A', 'inverse': 'other'},"
      " 'other': {'destination': 'A'}}}}}",
      0, "r");
  faulty(
      "{'entities': {'A': {'attributes': {'x': {'type': 'string'}}},"
      " 'B': {'parent': 'A', 'attributes': {'x': {'type': 'string'}}}}}",
      1, "x");
  faulty("{'entities': {'A': {'attributes': {'a': {'type': 'integer16', 'default': 70000}}}}}", 1,
         "70000");
  faulty("{'entities': {'A': {'attributes': {'a': {'type': 'integer16', 'default': 'x'}}}}}", 1,
         "a");
  faulty(
      "{'entities': {'A': {'relationships': {'r': {'destination': 'A', 'deleteRule': 'burn'}}}}}",
      1, "burn");
  faulty("{'entities': {'A': {'attributes': {'a': {'type': 'string', 'userInfo': 5}}}}}", 1,
         "userInfo");
  /* A key that the format does not have is most likely misspelt. */
  faulty("{'entities': {'A': {'atributes': {}}}}", 1, "atributes");

  /* Several faults, each with an issue of its own. */
  faulty(
      "{'entities': {'A': {'parent': 'Nobody', 'attributes': {'a': {'type': 'integer8'}},"
      " 'relationships': {'r': {'destination': 'Nowhere'}}}}}",
      3, "Nowhere");
}

static void test_identity_faults(void) {
  groot_model *model = NULL;
  groot_mapping *mapping = NULL;
  json_t *document = json(
      "{'entities': {'A': {'userInfo': {'identityAttributes': 'nothing'}, 'attributes': {"
      "'a': {'type': 'string', 'userInfo': {'JSONKeyPath': 'a'}}}}}}");
  groot_status status = groot_model_create_json(document, &model, &error);
  if (status == GROOT_OK) status = groot_mapping_create(model, NULL, NULL, &mapping, &error);
  CHECK(status == GROOT_INVALID_MODEL || status == GROOT_INVALID_MAPPING);
  groot_string all = groot_error_text(error);
  CHECK(all.data && strstr(all.data, "nothing") != NULL);
  groot_error_free(error);
  error = NULL;
  groot_model_free(model);
  json_decref(document);
}

static void test_text(void) {
  groot_model *model = NULL;
  CHECK_FAILS(groot_model_create("{\n  \"entities\": {,}}", GROOT_NTS, &model, &error),
              GROOT_INVALID_JSON);
  CHECK_EQUAL(issue.line, 2);
  CHECK(issue.column > 0);
  CHECK_FAILS(groot_model_create("", 0, &model, &error), GROOT_INVALID_JSON);
  CHECK(groot_model_create("[]", GROOT_NTS, &model, NULL) != GROOT_OK);
  CHECK(groot_model_create("5", GROOT_NTS, &model, NULL) != GROOT_OK);
  CHECK_OK(groot_model_create("{\"entities\": {}}junk", 16, &model, &error));
  groot_model_free(model);
}

static void test_document(void) {
  groot_model *model = NULL, *again = NULL;
  json_t *document = NULL, *second = NULL;
  json_t *source = load_model("messages");
  CHECK_OK(groot_model_create_json(source, &model, &error));
  CHECK_OK(groot_model_document_json(model, &document, &error));
  json_t *entities = json_object_get(document, "entities");
  CHECK_EQUAL(json_object_size(entities), 4);
  json_t *text_message = json_object_get(entities, "TextMessage");
  CHECK(strcmp(json_string_value(json_object_get(text_message, "parent")), "Message") == 0);
  CHECK(json_is_false(json_object_get(text_message, "abstract")));
  CHECK_JSON(json_incref(json_object_get(text_message, "allProperties")),
             "['identifier', 'inbox', 'text']");

  /* The document makes the same model again. */
  CHECK_OK(groot_model_create_json(document, &again, &error));
  CHECK_OK(groot_model_document_json(again, &second, &error));
  CHECK(json_equal(document, second));
  json_decref(document);
  json_decref(second);
  json_decref(source);
  groot_model_free(model);
  groot_model_free(again);
}

static void test_mapping_options(void) {
  groot_model *model = NULL;
  groot_mapping *mapping = NULL;
  groot_mapping_options options = GROOT_MAPPING_OPTIONS_INIT;
  CHECK_OK(groot_model_create("{\"entities\": {}}", GROOT_NTS, &model, &error));
  options.dialect = "groot";
  CHECK_OK(groot_mapping_create(model, NULL, &options, &mapping, &error));
  groot_mapping_free(mapping);
  options.flags = GROOT_LINES;
  CHECK(groot_mapping_create(model, NULL, &options, &mapping, NULL) != GROOT_OK);
  options.flags = 0;
  options.nulls = GROOT_NULLS_OMIT + 1;
  CHECK(groot_mapping_create(model, NULL, &options, &mapping, NULL) != GROOT_OK);
  options.nulls = GROOT_NULLS_OMIT;
  options.dialect = "esperanto";
  CHECK(groot_mapping_create(model, NULL, &options, &mapping, NULL) != GROOT_OK);
  CHECK(mapping == NULL);
  groot_model_free(model);
}

static void write_file(const char *path, const char *text) {
  FILE *file = fopen(path, "w");
  CHECK(file != NULL);
  fputs(text, file);
  fclose(file);
}

static void test_files(void) {
  groot_model *model = NULL;
  const char *document = "{\"entities\": {\"A\": {\"attributes\": {\"b\": {\"type\": \"string\"}}}}}";
  char path[] = "/tmp/groot-model-XXXXXX";
  int descriptor = mkstemp(path);
  CHECK(descriptor >= 0);
  close(descriptor);
  write_file(path, document);
  CHECK_OK(groot_model_create_file(path, &model, &error));
  CHECK_EQUAL(groot_model_entity_count(model), 1);
  groot_model_free(model);

  static const struct {
    const char *text, *said;
    groot_status status;
  } wrong[] = {
      {"{\"entities\": {\"A\": {\"parent\": \"B\"}}}", "/tmp/groot-model-", GROOT_INVALID_MODEL},
      {"{\"entities\":\n {\"A\"}}", "line 2", GROOT_INVALID_JSON},
      {"", "/tmp/groot-model-", GROOT_INVALID_JSON},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    write_file(path, wrong[i].text);
    groot_status status = groot_model_create_file(path, &model, &error);
    CHECK_EQUAL(status, wrong[i].status);
    CHECK(model == NULL);
    CHECK(strstr(groot_error_text(error).data, wrong[i].said) != NULL);
    groot_error_free(error);
    error = NULL;
  }
  unlink(path);
  CHECK_FAILS(groot_model_create_file("no/such/file", &model, &error), GROOT_FILE_ERROR);
  CHECK_FAILS(groot_model_create_file("Tests", &model, &error), GROOT_FILE_ERROR);
}

int main(void) {
  test_faults();
  test_files();
  test_identity_faults();
  test_text();
  test_document();
  test_mapping_options();
  return finish("models");
}
