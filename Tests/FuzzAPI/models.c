/* Models, mappings, registries, errors and sequences on their own. */
#include "operations.h"

/* Replaces a value somewhere in a document. */
static void change(fuzz *f, json_t *json) {
  for (int depth = 0; depth < 8; depth++) {
    size_t size = json_object_size(json);
    if (size == 0) return;
    size_t wanted = roll(f, (uint32_t)size);
    void *member = json_object_iter(json);
    while (wanted-- > 0) member = json_object_iter_next(json, member);
    json_t *value = json_object_iter_value(member);
    if (json_is_object(value) && chance(f, 80)) {
      json = value;
      continue;
    }
    switch (roll(f, 3)) {
      case 0: json_object_iter_set_new(json, member, odd_json(f)); return;
      case 1: json_object_del(json, json_object_iter_key(member)); return;
      default: json_object_set_new(json, "x\"y", json_incref(value)); return;
    }
  }
}

void make_models(fuzz *f) {
  groot_model *model = NULL, **place = chance(f, 97) ? &model : NULL;
  json_t *document = json_deep_copy(f->document);
  for (uint32_t count = roll(f, 3); count > 0; count--) change(f, document);
  groot_status status;
  if (chance(f, 50)) {
    const json_t *given = chance(f, 95) ? document : NULL;
    if (!place || !given) f->is_wrong = 1;
    status = CALL(groot_model_create_json(given, place, error_place(f)));
  } else {
    char *text = json_dumps(document, 0);
    name given = {text ? text : "[", GROOT_NTS};
    if (chance(f, 5)) given.size = impossible_size(f), f->is_wrong = 1;
    if (!place) f->is_wrong = 1;
    status = CALL(groot_model_create(given.data, given.size, place, error_place(f)));
    free(text);
  }
  json_decref(document);
  if (status != GROOT_OK) {
    REQUIRE(model == NULL);
    return;
  }
  json_t *described = NULL;
  REQUIRE(CALL(groot_model_document(model, &described, error_place(f))) == GROOT_OK);
  groot_model *again = NULL;
  status = CALL(groot_model_create_json(described, &again, error_place(f)));
  if (status != GROOT_OK) fail(f, "a model's own document was refused: %d", (int)status);
  CALLED(groot_model_free(again));
  CALLED(groot_model_free(model));
  json_decref(described);
  described = NULL;
  status = CALL(groot_model_document(model_argument(f), &described, error_place(f)));
  REQUIRE((status == GROOT_OK) == (described != NULL));
  json_decref(described);
}

void make_mappings(fuzz *f) {
  static const char *const dialects[] = {"groot", "hyper", "kvc", NULL, "nobody", "\xFF", ""};
  const char *dialect = chance(f, 60) ? f->dialect : dialects[roll(f, 7)];
  groot_mapping *mapping = NULL, **place = chance(f, 97) ? &mapping : NULL;
  const groot_model *model = model_argument(f);
  if (!place) f->is_wrong = 1;
  const groot_registry *registry = chance(f, 90) ? f->registry : NULL;
  if (chance(f, 3)) registry = (const groot_registry *)f->model, f->is_wrong = 1;
  json_t *options = chance(f, 20) ? odd_json(f) : json_incref(f->options);
  if (json_is_object(options) && chance(f, 30)) {
    json_t *copy = json_deep_copy(options);
    json_decref(options);
    change(f, options = copy);
  }
  groot_status status = CALL(
      groot_mapping_create(model, registry, dialect, options, place, error_place(f)));
  REQUIRE((status == GROOT_OK) == (mapping != NULL));
  json_decref(options);
  json_t *warnings = NULL;
  const groot_mapping *asked = mapping ? mapping : mapping_argument(f);
  status = CALL(groot_mapping_warnings(asked, &warnings, error_place(f)));
  REQUIRE(status == GROOT_OK ? json_is_array(warnings) : warnings == NULL);
  json_decref(warnings);
  CALLED(groot_mapping_free(mapping));
}

void use_registry(fuzz *f) {
  static const char *const names[] = {"A", "B", "\xC3\xA4", "T"};
  groot_registry *made = NULL, **place = chance(f, 95) ? &made : NULL;
  if (!place) f->is_wrong = 1;
  groot_status status = CALL(groot_registry_create(place, error_place(f)));
  REQUIRE((status == GROOT_OK) == (made != NULL));
  for (uint32_t count = 1 + roll(f, 4); count > 0; count--) {
    groot_registry *registry = made && chance(f, 95) ? made : wrong_handle(f, f->registry);
    name name = text_argument(f, names[roll(f, 4)]);
    groot_transform_function function = chance(f, 95) ? transform : NULL;
    int takes = 0;
    switch (roll(f, 5)) {
      case 0:
        takes = 1;
        if (!function) f->is_wrong = 1;
        CALL(groot_registry_set_transformer(registry, name.data, name.size, function,
                                            chance(f, 50) ? transform : NULL, f, destroy,
                                            error_place(f)));
        break;
      case 1:
        takes = 1;
        if (!function) f->is_wrong = 1;
        CALL(groot_registry_set_entity_mapper(registry, name.data, name.size, function, f, destroy,
                                              error_place(f)));
        break;
      case 2:
        takes = 1;
        if (!function) f->is_wrong = 1;
        CALL(groot_registry_set_dictionary_transformer(registry, name.data, name.size, function, f,
                                                       destroy, error_place(f)));
        break;
      case 3: {
        struct name builtin = name_argument(f, "integer-text");
        CALL(groot_registry_set_builtin(registry, name.data, name.size, builtin.data, builtin.size,
                                        error_place(f)));
        break;
      }
      default:
        CALL(groot_registry_remove(registry, name.data, name.size, error_place(f)));
        break;
    }
    f->is_wrong = 0;
    f->registered += takes;
  }
  CALLED(groot_registry_free(made));
  json_t *builtins = CALLED(groot_registry_builtins());
  REQUIRE(json_object_size(builtins) >= 10);
  json_decref(builtins);
  CALLED(groot_failure_set((groot_failure *)wrong_handle(f, NULL), "no", 2));
  f->is_wrong = 0;
}

void look_at_errors(fuzz *f) {
  groot_issue issue;
  groot_error *error = NULL;
  groot_model *model = NULL;
  const groot_error *wrong = wrong_handle(f, NULL);
  f->is_wrong = 0;
  REQUIRE(strcmp(CALLED(groot_version()), GROOT_VERSION) == 0);
  REQUIRE(CALLED(groot_version_number()) == GROOT_VERSION_NUMBER);
  REQUIRE(CALLED(groot_abi_version()) == GROOT_ABI_VERSION);
  REQUIRE(CALLED(groot_status_name((groot_status)next_random(&f->random))) != NULL);
  REQUIRE(CALLED(groot_error_status(wrong)) == GROOT_OK);
  REQUIRE(CALLED(groot_error_text(wrong)).size == 0);
  REQUIRE(CALLED(groot_error_issue_count(wrong)) == 0);
  f->is_wrong = 1;
  CALL(groot_error_issue(wrong, 0, &issue));
  groot_status status = CALL(groot_model_create("{\"entities\": {\"A\": 1, \"B\": 2}}", GROOT_NTS,
                                                &model, &error));
  REQUIRE(status == GROOT_INVALID_MODEL);
  for (size_t i = 0; i < groot_error_issue_count(error); i++) {
    REQUIRE(CALL(groot_error_issue(error, i, &issue)) == GROOT_OK);
  }
  f->is_wrong = 1;
  CALL(groot_error_issue(error, chance(f, 50) ? SIZE_MAX : 2000, &issue));
  f->is_wrong = 1;
  CALL(groot_error_issue(error, 0, NULL));
  CALLED(groot_error_free((groot_error *)wrong_handle(f, error)));
  f->is_wrong = 0;
  CALLED(groot_error_free(error));
}

void use_sequences(fuzz *f) {
  groot_objects *objects = NULL;
  int entity = any_entity(f, 0);
  REQUIRE(CALL(groot_context_fetch(f->context, f->schema.entities[entity].name, GROOT_NTS, NULL,
                                   &objects, error_place(f))) == GROOT_OK);
  size_t count = CALLED(groot_objects_count(objects));
  const groot_object_id *data = CALLED(groot_objects_data(objects));
  REQUIRE((count == 0) == (data == NULL));
  for (size_t i = 0; i < count; i++) REQUIRE(CALLED(groot_objects_at(objects, i)) == data[i]);
  REQUIRE(CALLED(groot_objects_at(objects, count)) == 0);
  REQUIRE(CALLED(groot_objects_at(objects, SIZE_MAX)) == 0);
  groot_objects *wrong = wrong_handle(f, objects);
  f->is_wrong = 0;
  REQUIRE(CALLED(groot_objects_count(wrong)) == 0);
  REQUIRE(CALLED(groot_objects_data(wrong)) == NULL);
  REQUIRE(CALLED(groot_objects_at(wrong, 0)) == 0);
  CALLED(groot_objects_free(wrong));
  CALLED(groot_objects_free(objects));
}
