/*
 * A program with a jansson of its own beside the library's, as one that links libjansson.a has: what
 * it makes is refused, in functions and in callbacks, and text works all the same.
 */
#include "check.h"

#include <string.h>

static const char model[] =
    "{\"entities\": {\"Hero\": {\"attributes\": {"
    "\"id\": {\"type\": \"integer64\", \"userInfo\": {\"JSONKeyPath\": \"id\"}},"
    "\"more\": {\"type\": \"transformable\", \"optional\": true,"
    " \"userInfo\": {\"JSONKeyPath\": \"more\", \"JSONTransformerName\": \"Own\"}}}}}}";

/* Answers with an object of this program's jansson. */
static groot_status answer(void *userdata, json_t *value, json_t **result, groot_call *call) {
  (void)userdata, (void)value, (void)call;
  *result = json_pack("{s:i}", "made", 1);
  return GROOT_OK;
}

int main(void) {
  groot_error *error = NULL;
  groot_model *made = NULL;
  groot_registry *registry = NULL;
  groot_mapping *mapping = NULL;
  groot_context *context = NULL;
  CHECK_OK(groot_model_create(model, GROOT_NTS, &made, &error));
  CHECK_OK(groot_registry_create(&registry, &error));
  CHECK_OK(groot_registry_set_transformer_json(registry, "Own", answer, NULL, NULL, NULL, &error));
  CHECK_OK(groot_mapping_create(made, registry, NULL, &mapping, &error));
  CHECK_OK(groot_context_create(mapping, &context, &error));

  json_t *hero = json_pack("{s:i}", "id", 1), *heroes = json_pack("[n, O]", hero);
  CHECK_FAILS(groot_import_json(context, "Hero", hero, NULL, NULL, &error), GROOT_UNSUPPORTED);
  CHECK(strstr(issue.message, "another copy of jansson") != NULL);
  CHECK_FAILS(groot_import_json(context, "Hero", heroes, NULL, NULL, &error), GROOT_UNSUPPORTED);
  json_t *request = json_pack("{s:{s:i}}", "where", "id", 1);
  groot_objects *objects = NULL;
  CHECK_FAILS(groot_context_fetch_json(context, "Hero", request, &objects, &error),
              GROOT_UNSUPPORTED);
  CHECK_FAILS(groot_import_text(context, "Hero", "{\"id\": 1, \"more\": 2}", GROOT_NTS, NULL, NULL,
                                &error),
              GROOT_TRANSFORM_FAILED);
  CHECK(strstr(issue.message, "another copy of jansson") != NULL);
  CHECK_OK(groot_import_text(context, "Hero", "{\"id\": 1}", GROOT_NTS, NULL, NULL, &error));
  json_decref(hero);
  json_decref(heroes);
  json_decref(request);
  groot_context_free(context);
  groot_mapping_free(mapping);
  groot_registry_free(registry);
  groot_model_free(made);
  return finish("two_janssons");
}
