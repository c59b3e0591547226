/* Exports: what comes is JSON, and the graph is as it was. */
#include <stdio.h>

#include "operations.h"

/* Text of an export is read by jansson, as one array or object or as lines. */
static void check_text(fuzz *f, const char *text, size_t size, int is_lines) {
  if (is_lines) return;
  json_error_t error;
  json_t *json = json_loadb(text, size, JSON_ALLOW_NUL, &error);
  /* A decimal may be larger than what jansson holds; the text is JSON nevertheless. */
  if (!json && json_error_code(&error) != json_error_numeric_overflow) {
    fail(f, "an export is no JSON: %s: %.*s", error.text, size > 300 ? 300 : (int)size, text);
  }
  json_decref(json);
}

void export_object(fuzz *f) {
  int object;
  groot_object_id id = object_argument(f, &object);
  int entity = object < 0 ? 0 : f->now.objects[object].entity;
  groot_export_options options;
  held held;
  const groot_export_options *given = export_options(f, &options, &held, entity);
  groot_context *context = context_argument(f);
  if (chance(f, 50)) {
    groot_buffer text = {(char *)f, 7}, *place = chance(f, 98) ? &text : NULL;
    if (!place) f->is_wrong = 1;
    groot_status status =
        CALL(groot_export_object_text(context, id, given, place, error_place(f)));
    if (status == GROOT_OK) {
      check_text(f, text.data, text.size, 0);
      REQUIRE(text.data[text.size] == 0);
    } else {
      REQUIRE(!place || (text.data == NULL && text.size == 0));
    }
    if (place) CALLED(groot_buffer_free(&text));
    CALLED(groot_buffer_free(NULL));
  } else {
    json_t *json = (json_t *)&options, **place = chance(f, 98) ? &json : NULL;
    if (!place) f->is_wrong = 1;
    groot_status status =
        CALL(groot_export_object_json(context, id, given, place, error_place(f)));
    REQUIRE(status == GROOT_OK ? json_is_object(json) || json_is_array(json)
                               : !place || json == NULL);
    if (place) json_decref(json);
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
  if (chance(f, 2)) count = impossible_size(f), f->is_wrong = 1;
  return count;
}

void export_objects(fuzz *f) {
  groot_object_id ids[5] = {0};
  int entity;
  size_t count = some_ids(f, ids, &entity);
  groot_export_options options;
  held held;
  const groot_export_options *given = export_options(f, &options, &held, entity);
  int is_lines = given && given->flags & GROOT_EXPORT_LINES;
  if (chance(f, 50)) {
    groot_buffer text = {NULL, 0};
    groot_status status =
        CALL(groot_export_text(context_argument(f), ids, count, given, &text, error_place(f)));
    if (status == GROOT_OK) check_text(f, text.data, text.size, is_lines);
    CALLED(groot_buffer_free(&text));
  } else {
    json_t *json = NULL;
    groot_status status =
        CALL(groot_export_json(context_argument(f), ids, count, given, &json, error_place(f)));
    REQUIRE(status == GROOT_OK ? json_array_size(json) == count : json == NULL);
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
  if (chance(f, 50)) {
    groot_write_function write = chance(f, 98) ? take_text : NULL;
    if (!write) f->is_wrong = 1;
    CALL(groot_export_write(context_argument(f), ids, count, given, write, f, error_place(f)));
  } else {
    char path[300];
    snprintf(path, sizeof path, "%s.json", f->path);
    const char *target = chance(f, 95) ? path : chance(f, 50) ? NULL : "/nobody/there";
    if (target != path) f->is_wrong = 1;
    CALL(groot_export_file(context_argument(f), ids, count, given, target, error_place(f)));
  }
  release(&held);
}

void export_fetched(fuzz *f) {
  int entity = any_entity(f, 0);
  groot_export_options options;
  held held;
  const groot_export_options *given = export_options(f, &options, &held, entity);
  json_t *request = chance(f, 60) ? request_json(f, entity) : NULL;
  name name = name_argument(f, f->schema.entities[entity].name);
  size_t count = 9, *place = chance(f, 80) ? &count : NULL;
  groot_status status;
  if (chance(f, 50)) {
    status = CALL(groot_export_fetch_write(context_argument(f), name.data, name.size, request,
                                           given, take_text, f, place, error_place(f)));
  } else {
    char path[300];
    snprintf(path, sizeof path, "%s.json", f->path);
    const char *target = chance(f, 97) ? path : NULL;
    if (!target) f->is_wrong = 1;
    status = CALL(groot_export_fetch_file(context_argument(f), name.data, name.size, request, given,
                                          target, place, error_place(f)));
  }
  REQUIRE(status == GROOT_OK || !place || count == 0);
  json_decref(request);
  release(&held);
}
