/* Registries on their own, and calls where there is none. */
#include "operations.h"

/* Registers a function of some kind, in some form; without one it is given back at once. */
static void set_function(fuzz *f, groot_registry *registry, const char *name) {
  uint32_t kind = roll(f, 7);
  int is_there = chance(f, 95);
  groot_transform_function function = is_there ? transform : NULL;
  groot_transform_json_function json = is_there ? transform_json : NULL;
  if (!is_there) wrong(f, GROOT_INVALID_ARGUMENT);
  f->registered++;
  switch (kind) {
    case 0:
      CALL(groot_registry_set_transformer(registry, name, function,
                                          chance(f, 50) ? transform : NULL, f, destroy,
                                          error_place(f)));
      break;
    case 1:
      CALL(groot_registry_set_entity_mapper(registry, name, function, f, destroy, error_place(f)));
      break;
    case 2:
      CALL(groot_registry_set_dictionary_transformer(registry, name, function, f, destroy,
                                                     error_place(f)));
      break;
    case 3:
      CALL(groot_registry_set_transformer_json(registry, name, json,
                                               chance(f, 50) ? transform_json : NULL, f, destroy,
                                               error_place(f)));
      break;
    case 4:
      CALL(groot_registry_set_batch_transformer(registry, name, function,
                                                chance(f, 50) ? transform : NULL, f, destroy,
                                                error_place(f)));
      break;
    case 5:
      CALL(groot_registry_set_entity_mapper_json(registry, name, json, f, destroy,
                                                 error_place(f)));
      break;
    default:
      CALL(groot_registry_set_dictionary_transformer_json(registry, name, json, f, destroy,
                                                          error_place(f)));
      break;
  }
}

/* Outside of a callback there is no call: what is left for it is given back at once. */
static void use_no_call(fuzz *f) {
  static exception left;
  groot_call *none = wrong_handle(f, NULL);
  f->is_wrong = 0;
  REQUIRE(CALLED(groot_call_set_result(none, "1", 1)) == GROOT_INVALID_ARGUMENT);
  CALLED(groot_call_set_message(none, "no", 2));
  left = (exception){f, 1, 0};
  CALLED(groot_call_set_exception(none, &left, take_exception));
  REQUIRE(!left.is_left);
  REQUIRE(CALLED(groot_call_userdata(none)) == NULL);
  REQUIRE(CALLED(groot_call_entity(none)).size == 0);
  REQUIRE(CALLED(groot_call_property(none)).size == 0);
  REQUIRE(CALLED(groot_call_path(none)).size == 0);
}

void use_registry(fuzz *f) {
  static const char *const names[] = {"A", "B", "\xC3\xA4", "T"};
  groot_registry *made = NULL, **place = chance(f, 95) ? &made : NULL;
  if (!place) wrong(f, GROOT_INVALID_ARGUMENT);
  groot_status status = CALL(groot_registry_create(place, error_place(f)));
  REQUIRE((status == GROOT_OK) == (made != NULL));
  for (uint32_t count = 1 + roll(f, 4); count > 0; count--) {
    groot_registry *registry = made && chance(f, 95) ? made : wrong_handle(f, f->registry);
    const char *name = text_argument(f, names[roll(f, 4)]);
    if (chance(f, 60)) {
      set_function(f, registry, name);
    } else if (chance(f, 50)) {
      const char *builtin = name_argument(f, "integer-text", GROOT_UNKNOWN_TRANSFORMER);
      CALL(groot_registry_set_builtin(registry, name, builtin, error_place(f)));
    } else {
      CALL(groot_registry_remove(registry, name, error_place(f)));
    }
    f->is_wrong = 0;
  }
  CALLED(groot_registry_free(made));
  groot_buffer text = {(char *)f, 7}, *target = chance(f, 90) ? &text : NULL;
  if (!target) wrong(f, GROOT_INVALID_ARGUMENT);
  status = CALL(groot_registry_builtins(target, error_place(f)));
  if (status == GROOT_OK) {
    json_t *builtins = json_of(f, &text);
    REQUIRE(json_object_size(builtins) >= 10);
    json_decref(builtins);
  }
  CALLED(groot_json_free(NULL));
  use_no_call(f);
}
