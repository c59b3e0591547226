/*
 * A program that knows the installed library only through pkg-config. It is also compiled with
 * GROOT_NO_JANSSON and without jansson.
 */
#include <groot.h>
#include <stdio.h>
#include <string.h>

static const char document[] =
    "{\"entities\": {\"Hero\": {\"userInfo\": {\"identityAttributes\": \"name\"}, \"attributes\": {"
    "\"name\": {\"type\": \"string\", \"userInfo\": {\"JSONKeyPath\": \"name\"}}}}}}";

int main(int argc, char **argv) {
  if (argc != 2 || strcmp(argv[1], groot_version()) != 0 || strcmp(argv[1], GROOT_VERSION) != 0) {
    fprintf(stderr, "header %s, library %s\n", GROOT_VERSION, groot_version());
    return 1;
  }
  if (groot_version_number() != GROOT_VERSION_NUMBER) return 1;
  if (groot_abi_version() != GROOT_ABI_VERSION) return 1;

  groot_model *model = NULL;
  groot_mapping *mapping = NULL;
  groot_context *context = NULL;
  groot_objects *heroes = NULL;
  groot_error *error = NULL;
  groot_buffer text = {NULL, 0};
  int failed =
      groot_model_create(document, GROOT_NTS, &model, &error) ||
      groot_mapping_create(model, NULL, NULL, &mapping, &error) ||
      groot_context_create(mapping, &context, &error) ||
      groot_import_text(context, "Hero", "[{\"name\": \"Batman\"}]", GROOT_NTS, NULL, &heroes,
                        &error) ||
      groot_export_object_text(context, groot_objects_at(heroes, 0), NULL, &text, &error);
  if (failed) {
    fprintf(stderr, "%s\n", groot_error_text(error).data);
  } else {
    failed = strcmp(text.data, "{\"name\":\"Batman\"}") != 0;
  }
#ifndef GROOT_NO_JANSSON
  json_t *json = NULL;
  if (!failed) {
    failed = groot_export_object_json(context, groot_objects_at(heroes, 0), NULL, &json, &error) ||
             strcmp(json_string_value(json_object_get(json, "name")), "Batman") != 0;
  }
  groot_json_free(json);
#endif
  groot_buffer_free(&text);
  groot_objects_free(heroes);
  groot_context_free(context);
  groot_mapping_free(mapping);
  groot_model_free(model);
  groot_error_free(error);
  return failed;
}
