/* What is refused leaves no memory behind: after many calls of each form the heap is as before. */
#include "support.h"

#if defined(__GLIBC__)
#include <malloc.h>
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static groot_error *error;
static const size_t nts = GROOT_NTS;

static const char *const model =
    "{'entities': {'A': {'userInfo': {'identityAttributes': 'n'}, 'attributes': {"
    "'n': {'type': 'integer64', 'userInfo': {'JSONKeyPath': 'n'}},"
    "'s': {'type': 'string', 'optional': true, 'maxLength': 3, 'userInfo': {'JSONKeyPath': 's',"
    " 'JSONTransformerName': 'Fails'}},"
    "'t': {'type': 'string', 'optional': true, 'userInfo': {'JSONKeyPath': 't',"
    " 'JSONTransformerName': 'FailsInText'}},"
    "'j': {'type': 'transformable', 'optional': true, 'userInfo': {'JSONKeyPath': 'j'}}},"
    "'relationships': {'as': {'destination': 'A', 'toMany': true, 'optional': true,"
    " 'userInfo': {'JSONKeyPath': 'as'}}}}}}";

typedef struct scene {
  fixture fixture;
  groot_object_id object;
  groot_mapping *foreign; /* of another model */
  const char *names;      /* a property that is not there */
  const char *request;    /* a condition on one */
  const json_t *names_json, *request_json;
  const char *file;       /* a file that cannot be */
  groot_property text;
} scene;

static groot_status fails(void *userdata, json_t *value, json_t **result, groot_call *call) {
  (void)userdata;
  *result = json_pack("[O, s]", value, "what a failure leaves in its result");
  groot_call_set_message(call, "no", nts);
  return GROOT_CALLBACK_FAILED;
}

/* Leaves all that a call can leave. */
static groot_status fails_in_text(void *userdata, const char *value, size_t size,
                                  groot_call *call) {
  (void)userdata;
  groot_call_path(call);
  groot_call_entity(call);
  groot_call_set_result(call, value, size);
  groot_call_set_message(call, "no", nts);
  groot_call_set_exception(call, malloc(100), free);
  groot_call_set_exception(call, malloc(200), free);
  return 4711;
}

static groot_status stop(void *userdata, const char *data, size_t size) {
  (void)userdata, (void)data, (void)size;
  return GROOT_CANCELLED;
}

/* Exports. Every form of them reads the same options. */

typedef groot_status export_form(scene *s, const groot_export_options *options);

static groot_status to_text(scene *s, const groot_export_options *options) {
  groot_buffer buffer;
  return groot_export_objects_text(s->fixture.context, &s->object, 1, options, &buffer, &error);
}

static groot_status to_json(scene *s, const groot_export_options *options) {
  json_t *json;
  return groot_export_objects_json(s->fixture.context, &s->object, 1, options, &json, &error);
}

static groot_status object_to_text(scene *s, const groot_export_options *options) {
  groot_buffer buffer;
  return groot_export_object_text(s->fixture.context, s->object, options, &buffer, &error);
}

static groot_status object_to_json(scene *s, const groot_export_options *options) {
  json_t *json;
  return groot_export_object_json(s->fixture.context, s->object, options, &json, &error);
}

static groot_status to_sink(scene *s, const groot_export_options *options) {
  return groot_export_objects_write(s->fixture.context, &s->object, 1, options, stop, NULL, &error);
}

static groot_status to_file(scene *s, const groot_export_options *options) {
  return groot_export_objects_file(s->fixture.context, &s->object, 1, options, s->file, &error);
}

static groot_status fetch_to_sink(scene *s, const groot_export_options *options) {
  return groot_export_fetch_write(s->fixture.context, "A", NULL, options, stop, NULL, &error);
}

static groot_status fetch_to_file(scene *s, const groot_export_options *options) {
  return groot_export_fetch_file(s->fixture.context, "A", NULL, options, s->file, &error);
}

static groot_status document_to_text(scene *s, const groot_export_options *options) {
  groot_buffer buffer;
  return groot_export_document_text(s->fixture.context, options, &buffer, &error);
}

static groot_status document_to_json(scene *s, const groot_export_options *options) {
  json_t *json;
  return groot_export_document_json(s->fixture.context, options, &json, &error);
}

static groot_status document_to_sink(scene *s, const groot_export_options *options) {
  return groot_export_document_write(s->fixture.context, options, stop, NULL, &error);
}

static groot_status document_to_file(scene *s, const groot_export_options *options) {
  return groot_export_document_file(s->fixture.context, options, s->file, &error);
}

static export_form *const exports[] = {
    to_text, to_json,       object_to_text,   object_to_json,   to_sink,          fetch_to_sink,
    to_file, fetch_to_file, document_to_text, document_to_json, document_to_sink, document_to_file};
#define EXPORTS (sizeof exports / sizeof exports[0])

static groot_status refused_export(scene *s, unsigned number) {
  groot_export_options options = GROOT_EXPORT_OPTIONS_INIT;
  switch (number / EXPORTS) {
  case 0: options.dates = "'open"; break;
  case 1: options.flags = GROOT_EXPORT_TO_MANY; break;
  case 2: options.relationships = GROOT_RELATIONSHIPS_NESTED; break;
  case 3: options.relationships = 77; break;
  case 4: options.inflection = GROOT_INFLECTION_CAMEL; break;
  case 5: options.properties = s->names; break;
  case 6: options.exclude = s->request; break;
  case 7: options.mapping = s->foreign; break;
  case 8: options.flags = 0x200000u; break;
  default: options.struct_size = 3;
  }
  return exports[number % EXPORTS](s, &options);
}

/* Exports that end while they are written. */
static groot_status ended_export(scene *s, unsigned number) {
  groot_export_options options = GROOT_EXPORT_OPTIONS_INIT;
  groot_object_id gone[2] = {s->object, 12345};
  groot_buffer buffer;
  json_t *json;
  switch (number) {
  case 0: return to_sink(s, &options);
  case 1: return fetch_to_sink(s, &options);
  case 2: return to_file(s, &options);
  case 3: return fetch_to_file(s, &options);
  case 4: return groot_export_objects_text(s->fixture.context, gone, 2, NULL, &buffer, &error);
  default: return groot_export_objects_json(s->fixture.context, gone, 2, NULL, &json, &error);
  }
}

static groot_status refused_import(scene *s, unsigned number) {
  static const char *const texts[] = {"[{'n': 1, 's': 'no'}]",
                                      "[{'n': 'x'}]",
                                      "[{'n': 1, 'as': {}}]",
                                      "[{'s': 1}]",
                                      "[{'n': 1",
                                      "[{'n': 1}, {'n': 2, 'as': [{'n': 3, 'as': [[1]]}]}]",
                                      "[{'n': 1e400}]",
                                      "[1, 2, {}]",
                                      "{'n': 4, 'j': {'a': [1, 2, {'b': null}]}, 's': 2}",
                                      "[{'n': 1, 't': ['no']}, {'n': 2}]"};
  const unsigned count = sizeof texts / sizeof texts[0];
  groot_import_options options = GROOT_IMPORT_OPTIONS_INIT;
  groot_sync_options sync = GROOT_SYNC_OPTIONS_INIT;
  groot_objects *objects = NULL;
  groot_stream *stream = NULL;
  groot_buffer report = {NULL, 0};
  json_t *value;
  groot_status status;
  const char *refused = text(texts[number % count]);
  options.report = sync.report = &report;
  switch (number / count) {
  case 0: break;
  case 1: options.errors = GROOT_ERRORS_COLLECT; break;
  case 2:
    status = groot_sync_text(s->fixture.context, "A", refused, nts, &sync, &objects, &error);
    goto done;
  case 3: /* in pieces, given up when a piece is refused */
    status = groot_stream_begin(s->fixture.context, "A", &options, &stream, &error);
    if (status == GROOT_OK) status = groot_stream_write(stream, refused, strlen(refused), &error);
    if (status == GROOT_OK) {
      status = groot_stream_finish(stream, &objects, &error);
    } else {
      groot_stream_cancel(stream);
    }
    goto done;
  case 4:
    value = json_loads(refused, 0, NULL);
    if (value == NULL) return GROOT_INVALID_JSON;
    status = groot_import_json(s->fixture.context, "A", value, &options, &objects, &error);
    json_decref(value);
    goto done;
  default:
    status = groot_object_fill_text(s->fixture.context, s->object, "{'n': ", nts, &options, &error);
    goto done;
  }
  status = groot_import_text(s->fixture.context, "A", refused, nts, &options, &objects, &error);
done:
  groot_objects_free(objects);
  groot_buffer_free(&report);
  return status;
}

/* What options, names and files refuse before anything is read. */
static groot_status refused_call(scene *s, unsigned number) {
  groot_context *context = s->fixture.context, *other = NULL;
  groot_import_options options = GROOT_IMPORT_OPTIONS_INIT;
  groot_sync_options sync = GROOT_SYNC_OPTIONS_INIT;
  groot_objects *objects = NULL;
  groot_mapping_options mapped = GROOT_MAPPING_OPTIONS_INIT;
  groot_store_options kept = GROOT_STORE_OPTIONS_INIT;
  groot_stream *stream = NULL;
  groot_mapping *mapping = NULL;
  groot_model *made = NULL;
  groot_column column = GROOT_COLUMN_INIT;
  struct ArrowArrayStream table;
  groot_property property;
  groot_value value = {GROOT_VALUE_INTEGER, 0, {0}};
  groot_object_id gone[2] = {s->object, 12345};
  groot_buffer report = {NULL, 0}, written;
  json_t *result = NULL;
  size_t count;
  mapped.dialect = "kvc";
  mapped.rules = s->request;
  mapped.rules_length = nts;
  kept.durability = 99;
  options.report = sync.report = &report;
  switch (number) {
    case 0: return groot_import_text(context, "B", "[]", nts, &options, &objects, &error);
    case 1: return groot_import_file(context, "A", s->file, &options, &objects, &error);
    case 2: options.policies = s->request; goto text;
    case 3: options.root_path = "no pointer"; goto text;
    case 4: options.root_path = "/not/there"; goto text;
    case 5: options.mapping = s->foreign; goto text;
    case 6: options.batch_size = 10; goto text;
    case 7: options.errors = 99; goto text;
    case 8: options.policies = s->request; goto begin;
    case 9: options.root_path = "no pointer"; goto begin;
    case 10: options.mapping = s->foreign; goto begin;
    case 11: return groot_sync_file(context, "A", s->file, &sync, &objects, &error);
    case 12: sync.where = s->request; goto sync;
    case 13: sync.parent = 12345; goto sync;
    case 14: sync.mapping = s->foreign; goto sync;
    case 15: return groot_context_fetch_json(context, "A", s->request_json, &objects, &error);
    case 16: return groot_context_count_json(context, "A", s->request_json, &count, &error);
    case 17:
      return groot_context_distinct_json(context, "A", "s", s->request_json, &result, &error);
    case 18: return groot_context_distinct_json(context, "A", "as", NULL, &result, &error);
    case 19: return groot_context_aggregate_json(context, "A", s->request_json, &result, &error);
    case 20: return groot_context_column(context, "A", "n", gone, 2, &column, &error);
    case 21: return groot_context_column(context, "A", "as", gone, 1, &column, &error);
    case 22: return groot_context_arrow_stream(context, "A", s->names, gone, 1, &table, &error);
    case 23: return groot_context_arrow_stream(context, "A", NULL, gone, 2, &table, &error);
    case 24: return groot_context_open(s->fixture.mapping, s->file, NULL, &other, &error);
    case 25: return groot_context_open(s->fixture.mapping, "/dev/null", NULL, &other, &error);
    case 26: return groot_context_open(s->fixture.mapping, "leaks.c.sqlite", &kept, &other, &error);
    case 27: return groot_mapping_create(s->fixture.model, NULL, NULL, &mapping, &error);
    case 28: return groot_mapping_create(s->fixture.model, NULL, &mapped, &mapping, &error);
    case 29:
      return groot_model_create("{\"entities\": {\"A\": {\"parent\": \"B\"}}}", nts, &made, &error);
    case 30: return groot_model_create("{", nts, &made, &error);
    case 31: return groot_model_create_json(s->names_json, &made, &error);
    case 32: return groot_context_property(context, "A", "x", &property, &error);
    case 33: return groot_object_set(context, s->object, s->text, &value, &error);
    case 34: return groot_object_set(context, 12345, s->text, &value, &error);
    case 35: return groot_object_insert(context, "B", gone, &error);
    case 36: return groot_object_delete(context, 12345, &error);
    case 37: return groot_context_aggregate_json(context, "B", NULL, &result, &error);
    case 38:
      return groot_registry_set_transformer_json(s->fixture.registry, NULL, fails, NULL, NULL, NULL,
                                                 &error);
    case 39: return groot_registry_set_builtin(s->fixture.registry, "x", "no", &error);
    case 40: return groot_registry_remove(s->fixture.registry, "x", &error);
    case 41: return groot_object_fill_json(context, 12345, s->request_json, &options, &error);
    case 42: return groot_context_fetch(context, "A", s->request, &objects, &error);
    case 43: return groot_context_count(context, "A", s->request, &count, &error);
    case 44: return groot_context_distinct(context, "A", "s", s->request, &written, &error);
    case 45: return groot_context_aggregate(context, "A", s->request, &written, &error);
    case 46: return groot_context_fetch(context, "A", "{'", &objects, &error);
    default: return groot_object_fill_text(context, 12345, "{}", nts, &options, &error);
  }
text:
  return groot_import_text(context, "A", "[]", nts, &options, &objects, &error);
begin:
  return groot_stream_begin(context, "A", &options, &stream, &error);
sync:
  return groot_sync_text(context, "A", "[]", nts, &sync, &objects, &error);
}

static size_t bytes_in_use(void) {
#if defined(__GLIBC__)
  return mallinfo2().uordblks;
#else
  return 0;
#endif
}

/*
 * The heap is as before after many calls. What the first ones set up for all is not counted: the
 * system's allocator keeps some, so only what grows round after round was left behind.
 */
static void check_form(scene *s, groot_status (*call)(scene *, unsigned), unsigned number,
                       const char *name) {
  enum { CALLS = 100, LEAST = 16, ROUNDS = 10 };
  size_t left = CALLS * LEAST;
  int refused = 0, calls = 0;
  for (int round = 0; round < ROUNDS && left >= CALLS * LEAST; round++) {
    size_t before = bytes_in_use(), after;
    for (int i = 0; i < CALLS; i++, calls++) {
      refused += call(s, number) != GROOT_OK;
      groot_error_free(error);
      error = NULL;
    }
    after = bytes_in_use();
    left = after > before ? after - before : 0;
  }
  /* A synchronization only notes some of what an import refuses. */
  if (call != refused_import && !CHECK_EQUAL(refused, calls)) {
    printf("  %s %u is not refused\n", name, number);
  }
  if (!CHECK(left < CALLS * LEAST)) {
    printf("  %s %u leaves %zu bytes in %d calls\n", name, number, left, CALLS);
  }
}

int main(void) {
  scene s;
  groot_registry *registry;
  static char names[64], request[64];
  strcpy(names, text("['nobody']"));
  strcpy(request, text("{'where': {'nobody': [1, {}]}, 'x': 1}"));
  json_t *names_json = json_loads(names, 0, NULL), *request_json = json_loads(request, 0, NULL);
  fixture other = open_fixture("cards");
  CHECK_OK(groot_registry_create(&registry, &error));
  CHECK_OK(groot_registry_set_transformer_json(registry, "Fails", fails, NULL, NULL, NULL, &error));
  CHECK_OK(groot_registry_set_transformer(registry, "FailsInText", fails_in_text, NULL, NULL, NULL,
                                          &error));
  s.fixture = open_document(model, registry);
  s.object = import_one(&s.fixture, "A", "{'n': 7, 'as': [8, 9]}");
  s.foreign = other.mapping;
  s.names = names;
  s.request = request;
  s.names_json = names_json;
  s.request_json = request_json;
  s.file = "/nowhere/at/all.json";
  s.text = property_of(&s.fixture, s.object, "s");

  for (unsigned i = 0; i < 10 * EXPORTS; i++) check_form(&s, refused_export, i, "refused export");
  for (unsigned i = 0; i < 6; i++) check_form(&s, ended_export, i, "ended export");
  for (unsigned i = 0; i < 10 * 5 + 1; i++) check_form(&s, refused_import, i, "refused import");
  for (unsigned i = 0; i <= 47; i++) check_form(&s, refused_call, i, "refused call");

  check_graph(&s.fixture);
  close_fixture(&s.fixture);
  close_fixture(&other);
  json_decref(names_json);
  json_decref(request_json);
  return finish("leaks");
}
