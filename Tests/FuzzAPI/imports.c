/* Imports, synchronizations, filling: a failure changes nothing, else the graph is read again. */
#include <stdio.h>

#include "operations.h"

/* What an import in batches did is saved, of one that failed a part: the program ends with it. */
static void after(fuzz *f, groot_status status, const groot_import_options *options,
                  groot_objects *objects) {
  int is_dry = options && options->flags & GROOT_DRY_RUN;
  int is_batched = options && options->batch_size > 0;
  REQUIRE(status == GROOT_OK || objects == NULL);
  REQUIRE(status != GROOT_OK || f->failure.count == 0 || f->is_lenient);
  REQUIRE(status != GROOT_OK || !f->is_given_up);
  if (is_batched && f->is_stored) f->is_full = 1;
  else if (status == GROOT_OK && !is_dry) adopt(f);
  CALLED(groot_objects_free(objects));
}

/* The objects that came are those that the report counts. */
static void check_report(fuzz *f, held *held, uint32_t flags, int before, uint64_t limit) {
  if (!held->report.data) return;
  json_t *report = json_of(f, &held->report);
  if (!report) return; /* a decimal in it is larger than what jansson holds */
  REQUIRE(json_is_object(report));
  int inserted = 0, told = (int)json_integer_value(json_object_get(report, "inserted"));
  size_t changes = json_array_size(json_object_get(report, "changes"));
  REQUIRE(changes == 0 || flags & (GROOT_CHANGES | GROOT_DRY_RUN));
  REQUIRE((uint64_t)json_integer_value(json_object_get(report, "deleted")) <= limit);
  json_decref(report);
  if (flags & GROOT_DRY_RUN || f->is_full) return;
  for (int i = before; i < f->now.count; i++) inserted += f->now.objects[i].is_alive;
  if (inserted != told) fail(f, "%d objects came, the report says %d", inserted, told);
}

/* After a call: what it did, and whether it says so; the options are no longer needed. */
static void after_import(fuzz *f, groot_status status, const groot_import_options *options,
                         groot_objects *objects, held *held, int before) {
  after(f, status, options, objects);
  int has_report = options && options->report && status == GROOT_OK;
  REQUIRE(has_report == (held->report.data != NULL));
  check_report(f, held, options ? options->flags : 0, before, UINT64_MAX);
  release(held);
}

/* The entity of records; none is for an envelope. */
static const char *record_entity(fuzz *f, int entity) {
  int is_wrong = f->is_wrong;
  const char *name = name_argument(f, f->schema.entities[entity].name, GROOT_UNKNOWN_ENTITY);
  if (!name && !is_wrong) f->is_wrong = 0;
  return name;
}

/* Paths are those of the feed when it is not looked into, and is not a text of lines. */
static void note_form(fuzz *f, const groot_import_options *options) {
  if (options && (options->root_path || options->form || options->flags & GROOT_LINES))
    feed_callbacks(f, NULL);
}

void import_json(fuzz *f) {
  int entity = any_entity(f, 0), before = f->now.count;
  groot_import_options options;
  held held;
  const groot_import_options *given = import_options(f, &options, &held);
  json_t *feed = feed_json(f, entity);
  const char *name = NULL;
  if (chance(f, f->roots || strcmp(f->dialect, "kvc") == 0 ? 30 : 2)) {
    char external[16];
    snprintf(external, sizeof external, f->roots ? "data%d" : "things%d", entity); /* a batch */
    feed = json_pack("{s:o}", external, feed);
  } else {
    name = record_entity(f, entity);
  }
  feed_callbacks(f, feed);
  note_form(f, given);
  groot_objects *objects = NULL, **place = chance(f, 70) ? &objects : NULL;
  groot_status status = CALL(groot_import_json(context_argument(f), name, feed, held.given, place,
                                               error_place(f)));
  after_import(f, status, given, objects, &held, before);
  json_decref(feed);
}

void import_text(fuzz *f) {
  int entity = any_entity(f, 0), before = f->now.count;
  groot_import_options options;
  held held;
  const groot_import_options *given = import_options(f, &options, &held);
  size_t size;
  char *feed = feed_text(f, entity, &size);
  const char *name = record_entity(f, entity);
  note_form(f, given);
  size_t length = length_argument(f, feed, size);
  groot_objects *objects = NULL, **place = chance(f, 70) ? &objects : NULL;
  groot_status status = CALL(groot_import_text(context_argument(f), name, feed, length, held.given,
                                               place, error_place(f)));
  after_import(f, status, given, objects, &held, before);
  free(feed);
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
  static const char *const nowhere[] = {NULL, "/nobody/there.json", "/", "\xFF\xFF"};
  if (!chance(f, 4)) return path;
  wrong(f, 0);
  return nowhere[roll(f, 4)];
}

void import_file(fuzz *f) {
  int entity = any_entity(f, 0), before = f->now.count;
  char room[300];
  groot_import_options options;
  held held;
  const groot_import_options *given = import_options(f, &options, &held);
  const char *path = feed_file(f, entity, room, sizeof room), *name = record_entity(f, entity);
  note_form(f, given);
  groot_objects *objects = NULL;
  groot_status status = CALL(groot_import_file(context_argument(f), name, path, held.given,
                                               &objects, error_place(f)));
  after_import(f, status, given, objects, &held, before);
}

/* Writes a text in pieces of any size. */
static groot_status write_pieces(fuzz *f, groot_stream *stream, const char *text, size_t size) {
  groot_status status = GROOT_OK;
  for (size_t at = 0; status == GROOT_OK && at < size;) {
    size_t piece = 1 + roll(f, (uint32_t)size / (chance(f, 50) ? 2 : 20) + 4);
    if (piece > size - at) piece = size - at;
    status = CALL(groot_stream_write(stream, text + at, piece, error_place(f)));
    at += piece;
    if (status == GROOT_OK && chance(f, 10)) intrude(f, f->context);
  }
  return status;
}

static void use_no_stream(fuzz *f, groot_objects **objects) {
  CALL(groot_stream_finish(wrong_handle(f, NULL), objects, error_place(f)));
  CALL(groot_stream_write(wrong_handle(f, NULL), "x", 1, error_place(f)));
  CALLED(groot_stream_cancel(wrong_handle(f, NULL)));
  f->is_wrong = 0;
}

void import_stream(fuzz *f) {
  int entity = any_entity(f, 0), before = f->now.count;
  groot_import_options options;
  held held;
  const groot_import_options *given = import_options(f, &options, &held);
  if (given && options.batch_size > 0) wrong(f, GROOT_INVALID_ARGUMENT);
  size_t size;
  char *feed = feed_text(f, entity, &size);
  const char *name = record_entity(f, entity);
  note_form(f, given);
  groot_stream *stream = NULL;
  groot_objects *objects = NULL;
  groot_context *context = context_argument(f);
  groot_status status =
      CALL(groot_stream_begin(context, name, held.given, &stream, error_place(f)));
  f->stream = stream;
  if (stream) status = write_pieces(f, stream, feed, size);
  if (stream && chance(f, 3)) {
    wrong(f, 0);
    CALL(groot_stream_write(stream, "x", impossible_size(f), error_place(f)));
  }
  if (stream && chance(f, 15)) {
    CALLED(groot_stream_cancel(stream));
    status = GROOT_CANCELLED;
  } else if (stream) {
    groot_status written = status;
    status = CALL(groot_stream_finish(stream, chance(f, 80) ? &objects : NULL, error_place(f)));
    REQUIRE(written == GROOT_OK || status != GROOT_OK);
  } else {
    use_no_stream(f, &objects);
  }
  f->stream = NULL;
  after_import(f, status, given, objects, &held, before);
  free(feed);
}

static void after_sync(fuzz *f, groot_status status, const groot_sync_options *options,
                       groot_objects *objects, held *held, int before) {
  int is_dry = options && options->flags & GROOT_DRY_RUN;
  REQUIRE(status != GROOT_OK || f->failure.count == 0);
  if (status == GROOT_TOO_MANY_DELETIONS)
    REQUIRE(options && options->flags & (GROOT_SYNC_MAX_DELETIONS | GROOT_SYNC_MAX_DELETION_SHARE));
  if (status != GROOT_OK) REQUIRE(objects == NULL);
  else if (!is_dry) adopt(f);
  CALLED(groot_objects_free(objects));
  int is_limited = options && options->flags & GROOT_SYNC_MAX_DELETIONS;
  check_report(f, held, options ? options->flags : 0, before,
               is_limited ? options->max_deletions : UINT64_MAX);
  release(held);
}

/* As note_form. */
static void note_sync_form(fuzz *f, const groot_sync_options *options) {
  if (options && (options->root_path || options->form)) feed_callbacks(f, NULL);
}

void sync_json(fuzz *f) {
  int entity = any_entity(f, 0), before = f->now.count;
  groot_sync_options options;
  held held;
  const groot_sync_options *given = sync_options(f, &options, &held, entity);
  json_t *feed = feed_json(f, entity);
  const char *name = name_argument(f, f->schema.entities[entity].name, GROOT_UNKNOWN_ENTITY);
  feed_callbacks(f, feed);
  note_sync_form(f, given);
  groot_objects *objects = NULL;
  groot_status status = CALL(groot_sync_json(context_argument(f), name, feed, held.given, &objects,
                                             error_place(f)));
  after_sync(f, status, given, objects, &held, before);
  json_decref(feed);
}

void sync_text(fuzz *f) {
  int entity = any_entity(f, 0), before = f->now.count;
  groot_sync_options options;
  held held;
  const groot_sync_options *given = sync_options(f, &options, &held, entity);
  size_t size;
  char *feed = feed_text(f, entity, &size);
  const char *name = name_argument(f, f->schema.entities[entity].name, GROOT_UNKNOWN_ENTITY);
  note_sync_form(f, given);
  size_t length = length_argument(f, feed, size);
  groot_objects *objects = NULL;
  groot_status status = CALL(groot_sync_text(context_argument(f), name, feed, length, held.given,
                                             &objects, error_place(f)));
  after_sync(f, status, given, objects, &held, before);
  free(feed);
}

void sync_file(fuzz *f) {
  int entity = any_entity(f, 0), before = f->now.count;
  char room[300];
  groot_sync_options options;
  held held;
  const groot_sync_options *given = sync_options(f, &options, &held, entity);
  const char *path = feed_file(f, entity, room, sizeof room);
  const char *name = name_argument(f, f->schema.entities[entity].name, GROOT_UNKNOWN_ENTITY);
  note_sync_form(f, given);
  groot_objects *objects = NULL;
  groot_status status = CALL(groot_sync_file(context_argument(f), name, path, held.given, &objects,
                                             error_place(f)));
  after_sync(f, status, given, objects, &held, before);
}

void fill_object(fuzz *f) {
  int object;
  groot_object_id id = object_argument(f, &object);
  int entity = object < 0 ? any_entity(f, 0) : f->now.objects[object].entity;
  groot_import_options options;
  held held;
  const groot_import_options *given = fill_options(f, &options, &held);
  groot_status status;
  if (chance(f, 50)) {
    json_t *record = chance(f, 95) ? record_json(f, entity, 1) : odd_json(f);
    feed_callbacks(f, record);
    status = CALL(
        groot_object_fill_json(context_argument(f), id, record, held.given, error_place(f)));
    json_decref(record);
  } else {
    size_t size;
    char *record = feed_text(f, entity, &size);
    size_t length = length_argument(f, record, size);
    status = CALL(groot_object_fill_text(context_argument(f), id, record, length, held.given,
                                         error_place(f)));
    free(record);
  }
  after_import(f, status, given, NULL, &held, f->now.count);
}
