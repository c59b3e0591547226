/* Saving, going back, what is pending; other contexts of the mapping. */
#include "operations.h"

static int is_refusal_of_a_save(fuzz *f, groot_status status) {
  if (status == GROOT_MISSING_VALUE) return plain_is_invalid(&f->schema, &f->now);
  if (status >= GROOT_TOO_FEW && status <= GROOT_UNLISTED_VALUE) return 1;
  return status == GROOT_IDENTITY_CONFLICT;
}

void save(fuzz *f) {
  groot_context *context = context_argument(f);
  int is_right = !f->is_wrong;
  groot_status status = CALL(groot_context_save(context, error_place(f)));
  if (!is_right) return;
  if (status == GROOT_OK) {
    f->saved = f->now;
  } else if (!is_refusal_of_a_save(f, status)) {
    fail(f, "a save gave %d", (int)status);
  }
  groot_buffer text = {(char *)f, 7};
  json_t *conflicts = NULL;
  REQUIRE(CALL(groot_context_conflicts(f->context, &text, error_place(f))) == GROOT_OK);
  REQUIRE(text.size == 2 && strcmp(text.data, "[]") == 0);
  CALLED(groot_buffer_free(&text));
  REQUIRE(CALL(groot_context_conflicts_json(f->context, &conflicts, error_place(f))) == GROOT_OK);
  REQUIRE(json_is_array(conflicts) && json_array_size(conflicts) == 0);
  CALLED(groot_json_free(conflicts));
}

void roll_back(fuzz *f) {
  groot_context *context = context_argument(f);
  int is_right = !f->is_wrong;
  groot_status status = CALL(groot_context_rollback(context, error_place(f)));
  if (!is_right) return;
  REQUIRE(status == GROOT_OK);
  plain_roll_back(&f->now, &f->saved);
}

void refresh(fuzz *f) {
  groot_context *context = context_argument(f);
  int is_right = !f->is_wrong;
  groot_status status = CALL(groot_context_refresh(context, error_place(f)));
  if (!is_right) return;
  REQUIRE(status == GROOT_OK);
  plain_roll_back(&f->now, &f->saved);
}

/* Nothing is running, and what runs later is not ended. */
void cancel(fuzz *f) {
  CALLED(groot_context_cancel(context_argument(f)));
}

/* What is there may be read however little more is allowed. */
void limit_memory(fuzz *f) {
  uint64_t before = 0, after = 0, *place = chance(f, 95) ? &before : NULL;
  groot_context *context = context_argument(f);
  if (!place) wrong(f, GROOT_INVALID_ARGUMENT);
  int is_right = !f->is_wrong;
  groot_status status = CALL(groot_context_memory(context, place, error_place(f)));
  if (is_right) REQUIRE(status == GROOT_OK && before > 0);
  context = context_argument(f);
  is_right = !f->is_wrong;
  status = CALL(groot_context_set_memory_limit(context, 1, error_place(f)));
  if (!is_right) return;
  REQUIRE(status == GROOT_OK);
  REQUIRE(CALL(groot_context_memory(f->context, &after, error_place(f))) == GROOT_OK);
  REQUIRE(!before || after == before);
  REQUIRE(CALL(groot_context_check(f->context, error_place(f))) == GROOT_OK);
  REQUIRE(CALL(groot_context_set_memory_limit(f->context, 0, error_place(f))) == GROOT_OK);
}

void ask_for_changes(fuzz *f) {
  int inserted = 0, deleted = 0, alive = 0;
  for (int i = 0; i < f->now.count; i++) {
    int was = i < f->saved.count && f->saved.objects[i].is_alive, is = f->now.objects[i].is_alive;
    inserted += is && !was;
    deleted += was && !is;
    alive += is && was;
  }
  json_t *changes = (json_t *)f;
  groot_buffer text = {(char *)f, 7};
  int is_text = chance(f, 50), has_place = chance(f, 98);
  groot_context *context = context_argument(f);
  if (!has_place) wrong(f, GROOT_INVALID_ARGUMENT);
  int is_right = !f->is_wrong;
  groot_status status =
      is_text
          ? CALL(groot_context_changes(context, has_place ? &text : NULL, error_place(f)))
          : CALL(groot_context_changes_json(context, has_place ? &changes : NULL, error_place(f)));
  if (is_text || !has_place) changes = NULL;
  if (is_right && is_text) changes = json_of(f, &text);
  else if (has_place && is_text) REQUIRE(text.data == NULL && text.size == 0);
  if (is_right) {
    REQUIRE(status == GROOT_OK);
    json_int_t updated = json_integer_value(json_object_get(changes, "updated"));
    if (json_integer_value(json_object_get(changes, "inserted")) != inserted ||
        json_integer_value(json_object_get(changes, "deleted")) != deleted || updated < 0 ||
        updated > alive) {
      char *text = json_dumps(changes, JSON_COMPACT);
      fail(f, "the changes are %s, not inserted %d, deleted %d, updated to %d", text, inserted,
           deleted, alive);
    }
  }
  json_decref(changes);
  REQUIRE(CALL(groot_context_check(f->context, error_place(f))) == GROOT_OK);
}

/* Another context knows nothing of this one's objects. */
void use_other_context(fuzz *f) {
  groot_context *made = NULL, **place = chance(f, 97) ? &made : NULL;
  const groot_mapping *mapping = mapping_argument(f);
  if (!place) wrong(f, 0);
  groot_status status = CALL(groot_context_create(mapping, place, error_place(f)));
  if (status == GROOT_OK) {
    size_t count = 1;
    REQUIRE(CALL(groot_context_count(made, f->schema.entities[0].name, NULL, &count,
                                     error_place(f))) == GROOT_OK);
    REQUIRE(count == 0);
    if (f->now.count > 0 && chance(f, 50)) {
      wrong(f, 0);
      CALL(groot_object_delete(made, f->now.objects[0].id, error_place(f)));
    }
  } else {
    REQUIRE(made == NULL);
  }
  CALLED(groot_context_free(made));
}

static void free_context(fuzz *f) {
  CALLED(groot_context_free(f->context));
  f->context = NULL;
}

static groot_status free_in_write(void *userdata, const char *data, size_t size) {
  (void)data, (void)size;
  free_context(userdata);
  return GROOT_OK;
}

static groot_status free_in_progress(void *userdata, const groot_progress *progress) {
  (void)progress;
  free_context(userdata);
  return GROOT_OK;
}

/* A context that its own callback frees lives until the call is over; the program ends with it. */
void free_while_calling(fuzz *f) {
  groot_context *context = f->context;
  const char *entity = f->schema.entities[0].name;
  groot_import_options options = GROOT_IMPORT_OPTIONS_INIT;
  options.progress = free_in_progress;
  options.progress_userdata = f;
  f->is_full = 1;
  if (chance(f, 50)) {
    f->is_exporting = 1;
    CALL(groot_export_fetch_write(context, entity, NULL, NULL, free_in_write, f, error_place(f)));
  } else {
    CALL(groot_import_text(context, entity, "[{},{},{}]", GROOT_NTS, &options, NULL,
                           error_place(f)));
  }
}
