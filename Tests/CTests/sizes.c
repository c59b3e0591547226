/* Sizes and counts that cannot be: refused before anything is read or made room for. */
#include "support.h"

#include <stddef.h>
#include <string.h>

static groot_error *error;
static const size_t nts = GROOT_NTS;

/* What no process can have, and, last, what would be one more than SIZE_MAX is taken for. */
static const size_t impossible[] = {(size_t)1 << 47, (size_t)1 << 60, (size_t)1 << 62,
                                    (size_t)1 << 63, (size_t)-2};
#define SIZES (sizeof impossible / sizeof impossible[0])

#define REFUSES(call) CHECK_FAILS(call, GROOT_INVALID_ARGUMENT)

/* A struct ends where a version of the header could end it: never inside of a pointer. */
static void test_struct_sizes(fixture *f, groot_object_id power) {
  for (size_t size = 0; size <= sizeof(groot_export_options) + 64; size++) {
    struct {
      groot_import_options known;
      char later[64];
    } import;
    struct {
      groot_sync_options known;
      char later[64];
    } sync;
    struct {
      groot_export_options known;
      char later[64];
    } exported;
    memset(&import, 0, sizeof import);
    memset(&sync, 0, sizeof sync);
    memset(&exported, 0, sizeof exported);
    json_t *policies = json("{'null': 'keep'}"), *where = json("{'name': 'nobody'}");
    json_t *list = json("['name']"), *report = NULL;
    groot_buffer buffer = {NULL, 0};
    int is_one = size >= 8 && size % 8 == 0;
    groot_status wanted = is_one ? GROOT_OK : GROOT_INVALID_ARGUMENT;

    /* What ends before a member does not look at it, whatever it is. */
    import.known.struct_size = sync.known.struct_size = exported.known.struct_size = size;
    import.known.policies = policies;
    import.known.report = sync.known.report = &report;
    import.known.mapping = sync.known.mapping = exported.known.mapping = f->mapping;
    import.known.root_path = "";
    sync.known.where = where;
    exported.known.properties = exported.known.exclude = list;
    exported.known.depth = -1;
    CHECK_EQUAL(groot_import_text(f->context, "Power", nts, "[]", nts, &import.known, NULL, NULL),
                wanted);
    json_decref(report);
    report = NULL;
    CHECK_EQUAL(groot_object_fill_text(f->context, power, "{}", nts, &import.known, NULL), wanted);
    json_decref(report);
    report = NULL;
    CHECK_EQUAL(groot_sync_text(f->context, "Publisher", nts, "[]", nts, &sync.known, NULL, NULL),
                wanted);
    json_decref(report);
    CHECK_EQUAL(groot_export_object_text(f->context, power, &exported.known, &buffer, NULL),
                wanted);
    groot_buffer_free(&buffer);
    json_decref(policies);
    json_decref(where);
    json_decref(list);
  }
}

static void test_values(fixture *f, groot_object_id thing) {
  static const struct {
    const char *name;
    int32_t kind;
  } attributes[] = {{"s", GROOT_VALUE_STRING}, {"d", GROOT_VALUE_DECIMAL},
                    {"b", GROOT_VALUE_BINARY}, {"u", GROOT_VALUE_UUID},
                    {"i", GROOT_VALUE_URI},    {"j", GROOT_VALUE_JSON}};
  for (size_t i = 0; i < sizeof attributes / sizeof attributes[0]; i++) {
    groot_property property = property_of(f, thing, attributes[i].name);
    for (size_t at = 0; at < SIZES; at++) {
      groot_value value = {attributes[i].kind, 0, {0}};
      value.as.text.data = "text";
      value.as.text.size = impossible[at];
      REFUSES(groot_object_set(f->context, thing, property, &value, &error));
    }
    groot_value value = {attributes[i].kind, 0, {0}};
    value.as.text.data = "text";
    value.as.text.size = (size_t)1 << 32;
    CHECK_FAILS(groot_object_set(f->context, thing, property, &value, &error),
                GROOT_LIMIT_EXCEEDED);
    CHECK_EQUAL(value_of(f, thing, attributes[i].name).kind, GROOT_VALUE_NULL);
  }
}

static void test_names(fixture *f, groot_object_id thing, size_t size) {
  groot_context *c = f->context;
  groot_object_id object = 0;
  groot_property property = 0;
  groot_objects *objects = NULL;
  groot_model *model = NULL;
  groot_column column;
  json_t *json = NULL, *empty = json_array();
  size_t count = 0;
  REFUSES(groot_model_create("{}", size, &model, &error));
  REFUSES(groot_registry_set_builtin(f->registry, "A", size, "integer-text", nts, &error));
  REFUSES(groot_registry_set_builtin(f->registry, "A", nts, "integer-text", size, &error));
  REFUSES(groot_registry_remove(f->registry, "A", size, &error));
  REFUSES(groot_registry_set_entity_mapper(f->registry, "A", size, map_message, NULL, NULL, &error));
  REFUSES(groot_registry_set_transformer(f->registry, "A", size, map_message, NULL, NULL, NULL,
                                         &error));
  REFUSES(groot_registry_set_dictionary_transformer(f->registry, "A", size, map_message, NULL, NULL,
                                                    &error));
  REFUSES(groot_object_insert(c, "Thing", size, &object, &error));
  REFUSES(groot_context_property(c, "Thing", size, "s", nts, &property, &error));
  REFUSES(groot_context_property(c, "Thing", nts, "s", size, &property, &error));
  REFUSES(groot_object_property(c, thing, "s", size, &property, &error));
  REFUSES(groot_context_fetch(c, "Thing", size, NULL, &objects, &error));
  REFUSES(groot_context_count(c, "Thing", size, NULL, &count, &error));
  REFUSES(groot_context_distinct(c, "Thing", size, "s", nts, NULL, &json, &error));
  REFUSES(groot_context_distinct(c, "Thing", nts, "s", size, NULL, &json, &error));
  REFUSES(groot_context_aggregate(c, "Thing", size, NULL, &json, &error));
  REFUSES(groot_context_column(c, "Thing", size, "s", nts, &thing, 1, &column, &error));
  REFUSES(groot_context_column(c, "Thing", nts, "s", size, &thing, 1, &column, &error));
  REFUSES(groot_import_text(c, "Thing", size, "[]", nts, NULL, NULL, &error));
  REFUSES(groot_import_text(c, "Thing", nts, "[]", size, NULL, NULL, &error));
  REFUSES(groot_import_json(c, "Thing", size, empty, NULL, NULL, &error));
  REFUSES(groot_import_file(c, "Thing", size, "x", NULL, NULL, &error));
  REFUSES(groot_sync_text(c, "Thing", size, "[]", nts, NULL, NULL, &error));
  REFUSES(groot_sync_text(c, "Thing", nts, "[]", size, NULL, NULL, &error));
  REFUSES(groot_sync_json(c, "Thing", size, empty, NULL, NULL, &error));
  REFUSES(groot_sync_file(c, "Thing", size, "x", NULL, NULL, &error));
  REFUSES(groot_object_fill_text(c, thing, "{}", size, NULL, &error));
  REFUSES(groot_export_fetch_file(c, "Thing", size, NULL, NULL, "x", NULL, &error));
  groot_import *import = NULL;
  REFUSES(groot_import_begin(c, "Thing", size, NULL, &import, &error));
  CHECK_OK(groot_import_begin(c, "Thing", nts, NULL, &import, &error));
  REFUSES(groot_import_write(import, "[]", size, &error));
  groot_import_cancel(import);
  groot_failure_set(NULL, "why", size);
  CHECK(model == NULL && object == 0 && objects == NULL && json == NULL);
  json_decref(empty);
}

static groot_status swallow(void *userdata, const char *data, size_t size) {
  (void)userdata, (void)data, (void)size;
  return GROOT_OK;
}

static void test_counts(fixture *f, groot_object_id thing, size_t count) {
  groot_context *c = f->context;
  groot_buffer buffer = {NULL, 0};
  groot_column column;
  struct ArrowArrayStream stream;
  json_t *json = NULL, *none = json_array();
  groot_property more = property_of(f, thing, "more");
  REFUSES(groot_object_set_members(c, thing, more, &thing, count, &error));
  REFUSES(groot_export_text(c, &thing, count, NULL, &buffer, &error));
  REFUSES(groot_export_json(c, &thing, count, NULL, &json, &error));
  REFUSES(groot_export_write(c, &thing, count, NULL, swallow, NULL, &error));
  REFUSES(groot_export_file(c, &thing, count, NULL, "x", &error));
  REFUSES(groot_context_column(c, "Thing", nts, "s", nts, &thing, count, &column, &error));
  REFUSES(groot_context_arrow_stream(c, "Thing", nts, NULL, &thing, count, &stream, &error));
  REFUSES(groot_context_arrow_stream(c, "Thing", nts, none, &thing, count, &stream, &error));
  json_decref(none);
}

/* A count that could be, and is false: what is there is looked at before there is room for all. */
static void test_false_counts(fixture *f, groot_object_id thing) {
  static groot_object_id wrong[4096];
  groot_column column;
  struct ArrowArrayStream stream;
  json_t *none = json_array();
  size_t count = (size_t)1 << 43;
  wrong[0] = thing;
  CHECK_FAILS(groot_object_set_members(f->context, thing, property_of(f, thing, "more"), wrong,
                                       count, &error),
              GROOT_UNKNOWN_OBJECT);
  CHECK_FAILS(groot_context_arrow_stream(f->context, "Thing", nts, none, wrong, count, &stream,
                                         &error),
              GROOT_UNKNOWN_OBJECT);
  CHECK(groot_context_column(f->context, "Thing", nts, "s", nts, wrong, count, &column, NULL) != 0);
  json_decref(none);
}

int main(void) {
  fixture comics = open_fixture("comics");
  groot_object_id power = import_one(&comics, "Power", "{'id': '4', 'name': 'x'}");
  test_struct_sizes(&comics, power);
  close_fixture(&comics);

  groot_registry *registry = NULL;
  CHECK_OK(groot_registry_create(&registry, &error));
  fixture f = open_document(
      "{'entities': {'Thing': {'attributes': {"
      "'s': {'type': 'string', 'optional': true}, 'd': {'type': 'decimal', 'optional': true},"
      "'b': {'type': 'binary', 'optional': true}, 'u': {'type': 'uuid', 'optional': true},"
      "'i': {'type': 'uri', 'optional': true}, 'j': {'type': 'transformable', 'optional': true}},"
      "'relationships': {'more': {'destination': 'Thing', 'toMany': true, 'optional': true}}}}}",
      registry);
  groot_object_id thing = 0;
  CHECK_OK(groot_object_insert(f.context, "Thing", nts, &thing, &error));
  test_values(&f, thing);
  for (size_t at = 0; at < SIZES; at++) {
    test_names(&f, thing, impossible[at]);
    test_counts(&f, thing, impossible[at]);
  }
  test_false_counts(&f, thing);
  check_graph(&f);
  close_fixture(&f);
  return finish("sizes");
}
