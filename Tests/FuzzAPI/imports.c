/* Imports, synchronizations, filling: a failure changes nothing, else the graph is read again. */
#include <stdio.h>

#include "operations.h"

/* What an import in batches did is saved, of one that failed a part: the program ends with it. */
static void after(fuzz *f, groot_status status, const groot_import_options *options,
                  groot_objects *objects) {
  int is_dry = options && options->flags & GROOT_IMPORT_DRY_RUN;
  int is_batched = options && options->batch_size > 0;
  REQUIRE(status == GROOT_OK || objects == NULL);
  if (is_batched && f->is_stored) f->is_full = 1;
  else if (status == GROOT_OK && !is_dry) adopt(f);
  CALLED(groot_objects_free(objects));
}

static int report_count(const held *held, const char *name) {
  return (int)json_integer_value(json_object_get(held->report, name));
}

/* The objects that came are those that the report counts. */
static void check_report(fuzz *f, const held *held, const groot_import_options *options,
                         int before) {
  if (!held->report || !options || options->flags & GROOT_IMPORT_DRY_RUN || f->is_full) return;
  int inserted = 0;
  for (int i = before; i < f->now.count; i++) inserted += f->now.objects[i].is_alive;
  if (inserted != report_count(held, "inserted")) {
    fail(f, "%d objects came, the report says %d", inserted, report_count(held, "inserted"));
  }
}

void import_json(fuzz *f) {
  int entity = any_entity(f, 0), before = f->now.count;
  groot_import_options options;
  held held;
  const groot_import_options *given = import_options(f, &options, &held);
  json_t *feed = feed_json(f, entity);
  name name = {NULL, 0};
  if (chance(f, strcmp(f->dialect, "kvc") == 0 ? 30 : 2)) {
    char external[16];
    snprintf(external, sizeof external, "things%d", entity); /* a batch */
    feed = json_pack("{s:o}", external, feed);
  } else {
    name = name_argument(f, f->schema.entities[entity].name);
  }
  groot_objects *objects = NULL, **place = chance(f, 70) ? &objects : NULL;
  groot_status status = CALL(groot_import_json(context_argument(f), name.data, name.size, feed,
                                               given, place, error_place(f)));
  after(f, status, given, objects);
  if (status == GROOT_OK) check_report(f, &held, given, before);
  json_decref(feed);
  release(&held);
}

void import_text(fuzz *f) {
  int entity = any_entity(f, 0), before = f->now.count;
  groot_import_options options;
  held held;
  const groot_import_options *given = import_options(f, &options, &held);
  size_t size;
  char *feed = feed_text(f, entity, &size);
  name name = name_argument(f, f->schema.entities[entity].name);
  size_t length = size;
  if (chance(f, 2)) length = impossible_size(f), f->is_wrong = 1;
  groot_objects *objects = NULL, **place = chance(f, 70) ? &objects : NULL;
  groot_status status = CALL(groot_import_text(context_argument(f), name.data, name.size, feed,
                                               length, given, place, error_place(f)));
  after(f, status, given, objects);
  if (status == GROOT_OK) check_report(f, &held, given, before);
  free(feed);
  release(&held);
}

/* Writes a feed beside the store; the path, or one where nothing is. */
static const char *feed_file(fuzz *f, int entity, char *path, size_t room) {
  size_t size;
  char *feed = feed_text(f, entity, &size);
  snprintf(path, room, "%s.json", f->path);
  FILE *file = fopen(path, "wb");
  if (!file) abort();
  fwrite(feed, 1, size, file);
  fclose(file);
  free(feed);
  static const char *const wrong[] = {NULL, "/nobody/there.json", "/", "\xFF\xFF"};
  if (!chance(f, 4)) return path;
  f->is_wrong = 1;
  return wrong[roll(f, 4)];
}

void import_file(fuzz *f) {
  int entity = any_entity(f, 0), before = f->now.count;
  char room[300];
  groot_import_options options;
  held held;
  const groot_import_options *given = import_options(f, &options, &held);
  const char *path = feed_file(f, entity, room, sizeof room);
  name name = name_argument(f, f->schema.entities[entity].name);
  groot_objects *objects = NULL;
  groot_status status = CALL(groot_import_file(context_argument(f), name.data, name.size, path,
                                               given, &objects, error_place(f)));
  after(f, status, given, objects);
  if (status == GROOT_OK) check_report(f, &held, given, before);
  release(&held);
}

void import_stream(fuzz *f) {
  int entity = any_entity(f, 0);
  groot_import_options options;
  held held;
  const groot_import_options *given = import_options(f, &options, &held);
  if (given && options.batch_size > 0) f->is_wrong = 1;
  size_t size, at = 0;
  char *feed = feed_text(f, entity, &size);
  name name = name_argument(f, f->schema.entities[entity].name);
  groot_import *import = NULL;
  groot_objects *objects = NULL;
  groot_context *context = context_argument(f);
  groot_status status = CALL(groot_import_begin(context, name.data, name.size, given, &import,
                                                error_place(f)));
  f->stream = import;
  while (status == GROOT_OK && at < size) {
    size_t piece = 1 + roll(f, (uint32_t)size / (chance(f, 50) ? 2 : 20) + 4);
    if (piece > size - at) piece = size - at;
    status = CALL(groot_import_write(import, feed + at, piece, error_place(f)));
    at += piece;
    if (status == GROOT_OK && chance(f, 10)) intrude(f, f->context);
  }
  if (import && chance(f, 3)) {
    f->is_wrong = 1;
    CALL(groot_import_write(import, "x", impossible_size(f), error_place(f)));
  }
  if (import && chance(f, 15)) {
    CALLED(groot_import_cancel(import));
    status = GROOT_CANCELLED;
  } else if (import) {
    groot_status written = status;
    status = CALL(groot_import_finish(import, chance(f, 80) ? &objects : NULL, error_place(f)));
    REQUIRE(written == GROOT_OK || status != GROOT_OK);
  } else {
    f->is_wrong = 1;
    CALL(groot_import_finish(wrong_handle(f, NULL), &objects, error_place(f)));
    f->is_wrong = 1;
    CALL(groot_import_write(wrong_handle(f, NULL), "x", 1, error_place(f)));
    CALLED(groot_import_cancel(wrong_handle(f, NULL)));
    f->is_wrong = 0;
  }
  f->stream = NULL;
  after(f, status, given, objects);
  free(feed);
  release(&held);
}

static void after_sync(fuzz *f, groot_status status, const groot_sync_options *options,
                       groot_objects *objects) {
  int is_dry = options && options->flags & GROOT_SYNC_DRY_RUN;
  if (status != GROOT_OK) REQUIRE(objects == NULL);
  else if (!is_dry) adopt(f);
  CALLED(groot_objects_free(objects));
}

void sync_json(fuzz *f) {
  int entity = any_entity(f, 0);
  groot_sync_options options;
  held held;
  const groot_sync_options *given = sync_options(f, &options, &held, entity);
  json_t *feed = feed_json(f, entity);
  name name = name_argument(f, f->schema.entities[entity].name);
  groot_objects *objects = NULL;
  groot_status status = CALL(groot_sync_json(context_argument(f), name.data, name.size, feed, given,
                                             &objects, error_place(f)));
  after_sync(f, status, given, objects);
  json_decref(feed);
  release(&held);
}

void sync_text(fuzz *f) {
  int entity = any_entity(f, 0);
  groot_sync_options options;
  held held;
  const groot_sync_options *given = sync_options(f, &options, &held, entity);
  size_t size;
  char *feed = feed_text(f, entity, &size);
  name name = name_argument(f, f->schema.entities[entity].name);
  groot_objects *objects = NULL;
  groot_status status = CALL(groot_sync_text(context_argument(f), name.data, name.size, feed, size,
                                             given, &objects, error_place(f)));
  after_sync(f, status, given, objects);
  free(feed);
  release(&held);
}

void sync_file(fuzz *f) {
  int entity = any_entity(f, 0);
  char room[300];
  groot_sync_options options;
  held held;
  const groot_sync_options *given = sync_options(f, &options, &held, entity);
  const char *path = feed_file(f, entity, room, sizeof room);
  name name = name_argument(f, f->schema.entities[entity].name);
  groot_objects *objects = NULL;
  groot_status status = CALL(groot_sync_file(context_argument(f), name.data, name.size, path, given,
                                             &objects, error_place(f)));
  after_sync(f, status, given, objects);
  release(&held);
}

void fill_object(fuzz *f) {
  int object;
  groot_object_id id = object_argument(f, &object);
  int entity = object < 0 ? any_entity(f, 0) : f->now.objects[object].entity;
  groot_import_options options;
  held held;
  groot_import_options *given = import_options(f, &options, &held);
  if (given) options.batch_size = 0;
  groot_status status;
  if (chance(f, 50)) {
    json_t *record = chance(f, 95) ? record_json(f, entity, 1) : odd_json(f);
    status = CALL(
        groot_object_fill_json(context_argument(f), id, record, given, error_place(f)));
    json_decref(record);
  } else {
    size_t size;
    char *record = feed_text(f, entity, &size);
    status = CALL(groot_object_fill_text(context_argument(f), id, record, size, given,
                                         error_place(f)));
    free(record);
  }
  if (status == GROOT_OK) adopt(f);
  release(&held);
}
