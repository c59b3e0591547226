/* What callbacks do on the side: they use the context that calls, others, the registry. */
#include "fuzz.h"

/* Each use of the context that is calling is refused. */
void intrude(fuzz *f, groot_context *busy) {
  groot_object_id object = f->now.count > 0 ? f->now.objects[0].id : 1;
  groot_objects *objects = NULL;
  groot_stream *stream = NULL;
  groot_buffer buffer = {NULL, 0};
  groot_column column = GROOT_COLUMN_INIT;
  groot_value value = {0, 0, {0}};
  json_t *json = NULL;
  size_t count = 0;
  groot_status status = GROOT_BUSY;
  switch (roll(f, 20)) {
    case 0: status = CALL(groot_context_save(busy, NULL)); break;
    case 1: status = CALL(groot_context_rollback(busy, NULL)); break;
    case 2: status = CALL(groot_context_refresh(busy, NULL)); break;
    case 3: status = CALL(groot_context_changes(busy, &buffer, NULL)); break;
    case 4: status = CALL(groot_context_check(busy, NULL)); break;
    case 5: status = CALL(groot_object_insert(busy, "E0", &object, NULL)); break;
    case 6: status = CALL(groot_object_delete(busy, object, NULL)); break;
    case 7: status = CALL(groot_object_get(busy, object, 0, &value, NULL)); break;
    case 8:
      value.kind = GROOT_VALUE_BOOLEAN;
      status = CALL(groot_object_set(busy, object, 0, &value, NULL));
      break;
    case 9: status = CALL(groot_context_fetch(busy, "E0", NULL, &objects, NULL)); break;
    case 10: status = CALL(groot_context_count(busy, "E0", NULL, &count, NULL)); break;
    case 11: status = CALL(groot_import_text(busy, "E0", "[]", 2, NULL, &objects, NULL)); break;
    case 12: status = CALL(groot_stream_begin(busy, "E0", NULL, &stream, NULL)); break;
    case 13: status = CALL(groot_object_fill_text(busy, object, "{}", 2, NULL, NULL)); break;
    case 14: status = CALL(groot_export_objects_text(busy, &object, 1, NULL, &buffer, NULL)); break;
    case 15:
      status = CALL(groot_context_column(busy, "E0", f->schema.properties[0].name, &object, 1,
                                         &column, NULL));
      break;
    case 16: status = CALL(groot_context_changes_json(busy, &json, NULL)); break;
    case 17: status = CALL(groot_sync_text(busy, "E0", "[]", 2, NULL, &objects, NULL)); break;
    case 18: REQUIRE(CALLED(groot_object_kind(busy, 1, 1, 0)) == -1); break;
    default: REQUIRE(CALLED(groot_object_text(busy, 1, 1, 0)) == NULL); break;
  }
  if (status != GROOT_BUSY) fail(f, "a busy context answered %d", (int)status);
  REQUIRE(objects == NULL && json == NULL && stream == NULL && buffer.data == NULL);
}

/* Another context of the same mapping may be used, also from here. */
static void use_other(fuzz *f) {
  groot_object_id object = 0;
  int entity = any_entity(f, 1);
  if (!f->other) return;
  groot_status status =
      groot_object_insert(f->other, f->schema.entities[entity].name, &object, NULL);
  REQUIRE(status == GROOT_OK && object != 0);
  if (chance(f, 30)) REQUIRE(groot_context_rollback(f->other, NULL) == GROOT_OK);
}

/* What any callback may do besides what it is for; nothing of it counts for the call itself. */
void disturb(fuzz *f) {
  int is_wrong = f->is_wrong, has_error = f->has_error;
  groot_status wanted = f->wanted;
  const char *call = f->call;
  groot_error *error = f->error;
  failure failure = f->failure;
  if (f->disturbances-- <= 0) return;
  f->is_wrong = f->has_error = 0;
  f->error = NULL;
  if (f->context && chance(f, 20)) intrude(f, f->context);
  if (chance(f, 10)) use_other(f);
  if (f->stream && chance(f, 3)) {
    REQUIRE(groot_stream_write(f->stream, "[", 1, NULL) == GROOT_BUSY);
    REQUIRE(groot_stream_finish(f->stream, NULL, NULL) == GROOT_BUSY);
  }
  if (f->stream && chance(f, 2)) {
    f->is_given_up = 1;
    groot_stream_cancel(f->stream);
  }
  if (chance(f, 1)) {
    /* The mapping keeps the functions that are running. */
    groot_registry_free(f->registry);
    REQUIRE(groot_registry_create(&f->registry, NULL) == GROOT_OK);
    register_functions(f);
  }
  f->is_wrong = is_wrong;
  f->has_error = has_error;
  f->wanted = wanted;
  f->call = call;
  f->error = error;
  f->failure = failure;
}

groot_status report_progress(void *userdata, const groot_progress *progress) {
  fuzz *f = userdata;
  if (!f) return GROOT_OK; /* the options ended before it */
  REQUIRE(progress != NULL && progress->struct_size == sizeof *progress);
  disturb(f);
  return chance(f, 3) ? 1 + (groot_status)roll(f, 300) : GROOT_OK;
}

groot_status take_text(void *userdata, const char *data, size_t size) {
  fuzz *f = userdata;
  REQUIRE(size == 0 || data != NULL);
  disturb(f);
  static const groot_status statuses[] = {GROOT_CANCELLED, GROOT_BUSY, GROOT_FILE_ERROR};
  return chance(f, 3) ? statuses[roll(f, 3)] : GROOT_OK;
}

void destroy(void *userdata) {
  fuzz *f = userdata;
  REQUIRE(groot_abi_version() == GROOT_ABI_VERSION);
  f->destroyed++;
}
