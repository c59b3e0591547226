/* Exports: what comes is JSON, and the graph is as it was. */
#include <stdio.h>

#include "operations.h"

/* Text of an export is read by jansson, as one array or object or as lines. */
static void check_text(fuzz *f, groot_buffer *text, int is_lines) {
  if (!is_lines) json_decref(json_of(f, text));
  CALLED(groot_buffer_free(text));
}

/* What the call says it has written. */
static void check_written(fuzz *f, const groot_export_options *options, const held *held,
                          groot_status status, size_t count) {
  if (!options || !options->count) return;
  if (status == GROOT_OK) REQUIRE(held->written == count);
  else REQUIRE(held->written == 0 || held->written == 9);
}

/* A path for an export, now and then a wrong one. */
static const char *file_argument(fuzz *f, char *path, size_t size) {
  snprintf(path, size, "%s.json", f->path);
  const char *target = chance(f, 95) ? path : chance(f, 50) ? NULL : "/nobody/there";
  if (target != path) wrong(f, 0);
  return target;
}

static groot_write_function write_argument(fuzz *f) {
  groot_write_function write = chance(f, 98) ? take_text : NULL;
  if (!write) wrong(f, 0);
  return write;
}

void export_object(fuzz *f) {
  int object;
  groot_object_id id = object_argument(f, &object);
  int entity = object < 0 ? 0 : f->now.objects[object].entity;
  groot_export_options options;
  held held;
  const groot_export_options *given = export_options(f, &options, &held, entity);
  groot_context *context = context_argument(f);
  char path[300];
  uint32_t sink = roll(f, 6);
  if (sink == 0) {
    groot_status status = CALL(groot_export_object_write(context, id, held.given, write_argument(f),
                                                         f, error_place(f)));
    check_written(f, given, &held, status, 1);
  } else if (sink == 1) {
    const char *target = file_argument(f, path, sizeof path);
    groot_status status =
        CALL(groot_export_object_file(context, id, held.given, target, error_place(f)));
    check_written(f, given, &held, status, 1);
  } else if (sink < 4) {
    groot_buffer text = {(char *)f, 7}, *place = chance(f, 98) ? &text : NULL;
    if (!place) wrong(f, 0);
    groot_status status =
        CALL(groot_export_object_text(context, id, held.given, place, error_place(f)));
    check_written(f, given, &held, status, 1);
    if (status == GROOT_OK) check_text(f, &text, 0);
    else REQUIRE(!place || (text.data == NULL && text.size == 0));
    CALLED(groot_buffer_free(NULL));
  } else {
    json_t *json = (json_t *)&options, **place = chance(f, 98) ? &json : NULL;
    if (!place) wrong(f, 0);
    groot_status status =
        CALL(groot_export_object_json(context, id, held.given, place, error_place(f)));
    check_written(f, given, &held, status, 1);
    REQUIRE(status == GROOT_OK ? json_is_object(json) || json_is_array(json)
                               : !place || json == NULL);
    if (place) CALLED(groot_json_free(json));
  }
  release(&held);
}

static size_t some_ids(fuzz *f, groot_object_id *ids, int *entity) {
  size_t count = roll(f, 5);
  *entity = 0;
  for (size_t i = 0; i < count; i++) {
    int object;
    ids[i] = object_argument(f, &object);
    if (object >= 0) *entity = f->now.objects[object].entity;
  }
  if (chance(f, 2)) count = impossible_size(f), wrong(f, 0);
  return count;
}

void export_objects(fuzz *f) {
  groot_object_id ids[5] = {0};
  int entity;
  size_t count = some_ids(f, ids, &entity);
  groot_export_options options;
  held held;
  const groot_export_options *given = export_options(f, &options, &held, entity);
  int is_lines = given && given->flags & GROOT_LINES;
  if (chance(f, 50)) {
    groot_buffer text = {NULL, 0};
    groot_status status =
        CALL(groot_export_objects_text(context_argument(f), ids, count, held.given, &text, error_place(f)));
    check_written(f, given, &held, status, count);
    if (status == GROOT_OK) check_text(f, &text, is_lines);
  } else {
    json_t *json = NULL;
    groot_status status =
        CALL(groot_export_objects_json(context_argument(f), ids, count, held.given, &json, error_place(f)));
    check_written(f, given, &held, status, count);
    int is_array = !given || given->form == GROOT_FORM_ARRAY || held.given == NULL;
    REQUIRE(status != GROOT_OK ? json == NULL
            : is_array         ? json_array_size(json) == count
                               : json != NULL);
    json_decref(json);
  }
  release(&held);
}

void export_in_pieces(fuzz *f) {
  groot_object_id ids[5] = {0};
  int entity;
  size_t count = some_ids(f, ids, &entity);
  groot_export_options options;
  held held;
  const groot_export_options *given = export_options(f, &options, &held, entity);
  groot_status status;
  if (chance(f, 50)) {
    groot_write_function write = write_argument(f);
    status = CALL(
        groot_export_objects_write(context_argument(f), ids, count, held.given, write, f, error_place(f)));
  } else {
    char path[300];
    const char *target = file_argument(f, path, sizeof path);
    status = CALL(
        groot_export_objects_file(context_argument(f), ids, count, held.given, target, error_place(f)));
  }
  check_written(f, given, &held, status, count);
  release(&held);
}

void export_fetched(fuzz *f) {
  int entity = any_entity(f, 0);
  groot_export_options options;
  held held;
  const groot_export_options *given = export_options(f, &options, &held, entity);
  const char *request =
      json_argument(f, &held, chance(f, 60) ? request_json(f, entity) : NULL);
  const char *name = name_argument(f, f->schema.entities[entity].name, GROOT_UNKNOWN_ENTITY);
  groot_context *context = context_argument(f);
  groot_status status;
  char path[300];
  groot_buffer text = {(char *)f, 7};
  json_t *json = (json_t *)&options;
  const char *target;
  switch (roll(f, 4)) {
  case 0:
    status = CALL(groot_export_fetch_text(context, name, request, held.given, &text, error_place(f)));
    if (status == GROOT_OK) check_text(f, &text, given && given->flags & GROOT_LINES);
    else REQUIRE(text.data == NULL && text.size == 0);
    break;
  case 1:
    status = CALL(groot_export_fetch_json(context, name, request, held.given, &json, error_place(f)));
    REQUIRE((status == GROOT_OK) == (json != NULL));
    if (json) CALLED(groot_json_free(json));
    break;
  case 2:
    status = CALL(groot_export_fetch_write(context, name, request, held.given, take_text, f,
                                           error_place(f)));
    break;
  default:
    target = file_argument(f, path, sizeof path);
    status = CALL(groot_export_fetch_file(context, name, request, held.given, target,
                                          error_place(f)));
  }
  check_written(f, given, &held, status, held.written);
  release(&held);
}

void export_document(fuzz *f) {
  groot_export_options options;
  held held;
  const groot_export_options *given = export_options(f, &options, &held, any_entity(f, 0));
  groot_buffer text = {(char *)f, 7};
  json_t *json = (json_t *)&options;
  char path[300];
  snprintf(path, sizeof path, "%s.json", f->path);
  groot_context *context = context_argument(f);
  /* A mapping without roots has no document, and an object may have no key at one. */
  f->is_doubtful = 1;
  groot_status status;
  switch (roll(f, 4)) {
  case 0:
    status = CALL(groot_export_document_text(context, held.given, &text, error_place(f)));
    if (status == GROOT_OK) check_text(f, &text, 0);
    else REQUIRE(text.data == NULL && text.size == 0);
    break;
  case 1:
    status = CALL(groot_export_document_json(context, held.given, &json, error_place(f)));
    REQUIRE((status == GROOT_OK) == (json != NULL));
    if (json) CALLED(groot_json_free(json));
    break;
  case 2:
    status = CALL(
        groot_export_document_write(context, held.given, take_text, f, error_place(f)));
    break;
  default: status = CALL(groot_export_document_file(context, held.given, path, error_place(f)));
  }
  check_written(f, given, &held, status, held.written);
  release(&held);
}
