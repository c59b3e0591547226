/* Models, mappings, errors and sequences on their own. */
#include <stdio.h>

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

/* The library's own document of a model, in both forms, makes the same model. */
static void describe(fuzz *f, const groot_model *model) {
  groot_buffer text = {(char *)f, 7};
  json_t *described = NULL;
  groot_model *again = NULL;
  REQUIRE(CALL(groot_model_document_json(model, &described, error_place(f))) == GROOT_OK);
  REQUIRE(CALL(groot_model_document(model, &text, error_place(f))) == GROOT_OK);
  groot_status status =
      chance(f, 50) ? CALL(groot_model_create_json(described, &again, error_place(f)))
                    : CALL(groot_model_create(text.data, text.size, &again, error_place(f)));
  if (status != GROOT_OK) fail(f, "a model's own document was refused: %d", (int)status);
  json_t *read = json_of(f, &text);
  REQUIRE(json_equal(read, described));
  json_decref(read);
  CALLED(groot_model_free(again));
  CALLED(groot_json_free(described));
}

void make_models(fuzz *f) {
  groot_model *model = NULL, **place = chance(f, 97) ? &model : NULL;
  json_t *document = json_deep_copy(f->document);
  for (uint32_t count = roll(f, 3); count > 0; count--) change(f, document);
  groot_status status;
  if (chance(f, 50)) {
    const json_t *given = chance(f, 95) ? document : NULL;
    if (!place || !given) wrong(f, 0);
    status = CALL(groot_model_create_json(given, place, error_place(f)));
  } else if (chance(f, 10)) {
    char path[300];
    snprintf(path, sizeof path, "%s.model", f->path);
    const char *given = chance(f, 80) ? path : chance(f, 50) ? NULL : "/nobody/there";
    if (json_dump_file(document, path, 0) != 0 || given != path || !place) wrong(f, 0);
    status = CALL(groot_model_create_file(given, place, error_place(f)));
    remove(path);
  } else {
    char *text = json_dumps(document, 0);
    const char *given = text ? text : "[";
    size_t size = length_argument(f, given, strlen(given));
    if (!place) wrong(f, GROOT_INVALID_ARGUMENT);
    status = CALL(groot_model_create(given, size, place, error_place(f)));
    free(text);
  }
  json_decref(document);
  if (status != GROOT_OK) {
    REQUIRE(model == NULL);
    return;
  }
  describe(f, model);
  CALLED(groot_model_free(model));
  groot_buffer text = {(char *)f, 7};
  status = CALL(groot_model_document(model_argument(f), &text, error_place(f)));
  REQUIRE((status == GROOT_OK) == (text.data != NULL));
  CALLED(groot_buffer_free(&text));
}

/* Options of a mapping of any dialect, with rules that may be wrong. */
static void choose_mapping(fuzz *f, groot_mapping_options *made, held *held) {
  static const char *const dialects[] = {"groot", "hyper", "kvc", NULL, "nobody", "\xFF", ""};
  mapping_options(f, made, held);
  if (chance(f, 40)) made->dialect = dialects[roll(f, 7)];
  json_t *rules = chance(f, 20) ? odd_json(f) : json_deep_copy(f->rules);
  if (json_is_object(rules) && chance(f, 30)) change(f, rules);
  if (rules || chance(f, 90)) {
    made->rules = json_argument(f, held, rules);
    made->rules_length = made->rules ? length_argument(f, made->rules, strlen(made->rules)) : 0;
  }
  uint32_t right = chance(f, 20) ? GROOT_MAPPING_IMPLICIT : 0;
  made->flags = flags_argument(f, right, GROOT_MAPPING_IMPLICIT);
  if (chance(f, 10)) {
    made->roots = json_argument(f, held, odd_json(f));
    made->roots_length = GROOT_NTS;
    f->is_doubtful = 1;
  }
  made->nulls = (int32_t)roll(f, 3);
  if (chance(f, 2)) made->nulls = -1, wrong(f, GROOT_INVALID_ARGUMENT);
  resize(f, made, sizeof *made, held);
  /* What is wrong with the dialect, or with rules that it does not have, is told of first. */
  if (made->dialect != f->dialect || strcmp(f->dialect, "kvc") != 0) f->wanted = 0;
}

void make_mappings(fuzz *f) {
  groot_mapping *mapping = NULL, **place = chance(f, 97) ? &mapping : NULL;
  groot_mapping_options options;
  held held;
  choose_mapping(f, &options, &held);
  if (chance(f, 10)) {
    held.given = NULL;
    f->is_wrong = 0;
  }
  const groot_model *model = model_argument(f);
  if (!place) wrong(f, GROOT_INVALID_ARGUMENT);
  const groot_registry *registry = chance(f, 90) ? f->registry : NULL;
  if (chance(f, 3)) registry = (const groot_registry *)f->model, wrong(f, GROOT_INVALID_ARGUMENT);
  groot_status status =
      CALL(groot_mapping_create(model, registry, held.given, place, error_place(f)));
  REQUIRE((status == GROOT_OK) == (mapping != NULL));
  release(&held);
  groot_buffer text = {(char *)f, 7};
  json_t *warnings = (json_t *)f;
  const groot_mapping *asked = mapping ? mapping : mapping_argument(f);
  int is_wrong = f->is_wrong;
  status = CALL(groot_mapping_warnings(asked, &text, error_place(f)));
  if (is_wrong) wrong(f, GROOT_INVALID_ARGUMENT);
  groot_status twin = CALL(groot_mapping_warnings_json(asked, &warnings, error_place(f)));
  REQUIRE(status == twin);
  if (status == GROOT_OK) {
    json_t *read = json_of(f, &text);
    REQUIRE(json_is_array(warnings) && json_equal(read, warnings));
    json_decref(read);
  } else {
    REQUIRE(warnings == NULL && text.data == NULL && text.size == 0);
  }
  CALLED(groot_json_free(warnings));
  CALLED(groot_mapping_free(mapping));
}

/* As much as the caller's header has is filled. */
static void fill_issue(fuzz *f, const groot_error *error) {
  size_t words[sizeof(groot_issue) / sizeof(size_t) + 4];
  unsigned char *room = (unsigned char *)words;
  size_t known = sizeof(groot_issue);
  size_t size = sizeof size * (1 + roll(f, sizeof words / sizeof size));
  groot_issue whole = GROOT_ISSUE_INIT;
  memset(room, 0x55, sizeof words);
  memcpy(room, &size, sizeof size);
  REQUIRE(CALL(groot_error_issue(error, 0, (groot_issue *)(void *)words)) == GROOT_OK);
  REQUIRE(CALL(groot_error_issue(error, 0, &whole)) == GROOT_OK);
  REQUIRE(memcmp(room, &size, sizeof size) == 0 && whole.struct_size == known);
  size_t filled = size < known ? size : known;
  REQUIRE(memcmp(room + sizeof size, (unsigned char *)&whole + sizeof size,
                 filled - sizeof size) == 0);
  for (size_t i = filled; i < sizeof words; i++) REQUIRE(room[i] == 0x55);
}

void look_at_errors(fuzz *f) {
  groot_issue issue = GROOT_ISSUE_INIT;
  groot_error *error = NULL;
  groot_model *model = NULL;
  size_t sizes[] = {0, 4, 9, sizeof issue - 4, (size_t)-1};
  const groot_error *foreign = wrong_handle(f, NULL);
  f->is_wrong = 0;
  REQUIRE(strcmp(CALLED(groot_version()), GROOT_VERSION) == 0);
  REQUIRE(CALLED(groot_version_number()) == GROOT_VERSION_NUMBER);
  REQUIRE(CALLED(groot_abi_version()) == GROOT_ABI_VERSION);
  REQUIRE(CALLED(groot_status_name((groot_status)next_random(&f->random))) != NULL);
  REQUIRE(CALLED(groot_error_status(foreign)) == GROOT_OK);
  REQUIRE(CALLED(groot_error_text(foreign)).size == 0);
  REQUIRE(CALLED(groot_error_issue_count(foreign)) == 0);
  REQUIRE(CALLED(groot_error_callback_status(foreign)) == GROOT_OK);
  REQUIRE(CALLED(groot_error_exception(foreign, take_exception)) == NULL);
  wrong(f, GROOT_INVALID_ARGUMENT);
  CALL(groot_error_issue(foreign, 0, &issue));
  groot_status status = CALL(groot_model_create("{\"entities\": {\"A\": 1, \"B\": 2}}", GROOT_NTS,
                                                &model, &error));
  REQUIRE(status == GROOT_INVALID_MODEL);
  for (size_t i = 0; i < groot_error_issue_count(error); i++) {
    REQUIRE(CALL(groot_error_issue(error, i, &issue)) == GROOT_OK);
  }
  wrong(f, 0);
  CALL(groot_error_issue(error, chance(f, 50) ? SIZE_MAX : 2000, &issue));
  wrong(f, 0);
  CALL(groot_error_issue(error, 0, NULL));
  wrong(f, GROOT_INVALID_ARGUMENT);
  issue.struct_size = sizes[roll(f, 5)];
  CALL(groot_error_issue(error, 0, &issue));
  fill_issue(f, error);
  CALLED(groot_error_free((groot_error *)wrong_handle(f, error)));
  f->is_wrong = 0;
  CALLED(groot_error_free(error));
}

void use_sequences(fuzz *f) {
  groot_objects *objects = NULL;
  int entity = any_entity(f, 0);
  REQUIRE(CALL(groot_context_fetch(f->context, f->schema.entities[entity].name, NULL, &objects,
                                   error_place(f))) == GROOT_OK);
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
