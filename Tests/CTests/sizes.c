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

/* A struct ends where a version of the header could end it: never inside a pointer. */
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
    groot_buffer report = {NULL, 0}, buffer = {NULL, 0};
    int is_one = size >= 8 && size % 8 == 0;
    groot_status wanted = is_one ? GROOT_OK : GROOT_INVALID_ARGUMENT;

    /* What ends before a member does not look at it, whatever it is. */
    import.known.struct_size = sync.known.struct_size = exported.known.struct_size = size;
    import.known.policies = text("{'null': 'keep'}");
    import.known.report = sync.known.report = &report;
    import.known.mapping = sync.known.mapping = exported.known.mapping = f->mapping;
    import.known.root_path = "";
    sync.known.where = text("{'name': 'nobody'}");
    exported.known.properties = exported.known.exclude = text("['name']");
    CHECK_EQUAL(groot_import_text(f->context, "Power", "[]", nts, &import.known, NULL, NULL),
                wanted);
    groot_buffer_free(&report);
    import.known.root_path = NULL;
    CHECK_EQUAL(groot_object_fill_text(f->context, power, "{}", nts, &import.known, NULL), wanted);
    groot_buffer_free(&report);
    CHECK_EQUAL(groot_sync_text(f->context, "Publisher", "[]", nts, &sync.known, NULL, NULL),
                wanted);
    groot_buffer_free(&report);
    CHECK_EQUAL(groot_export_object_text(f->context, power, &exported.known, &buffer, NULL),
                wanted);
    groot_buffer_free(&buffer);
  }
}

/* The same of a mapping's and a store's options; nothing is opened there. */
static void test_sizes_of_others(fixture *f) {
  for (size_t size = 0; size <= sizeof(groot_store_options) + 64; size++) {
    struct {
      groot_mapping_options known;
      char later[128];
    } mapped;
    struct {
      groot_store_options known;
      char later[128];
    } kept;
    memset(&mapped, 0, sizeof mapped);
    memset(&kept, 0, sizeof kept);
    int is_one = size >= 8 && size % 8 == 0;
    groot_mapping *mapping = NULL;
    groot_context *context = NULL;
    mapped.known.struct_size = kept.known.struct_size = size;
    mapped.known.dialect = "groot";
    CHECK_EQUAL(groot_mapping_create(f->model, f->registry, &mapped.known, &mapping, NULL),
                is_one ? GROOT_OK : GROOT_INVALID_ARGUMENT);
    groot_mapping_free(mapping);
    mapping = NULL;
    CHECK_EQUAL(groot_context_open(f->mapping, "/no/such/folder", &kept.known, &context, NULL),
                is_one ? GROOT_FILE_ERROR : GROOT_INVALID_ARGUMENT);
    /* What a newer header has is 0, or unknown here. */
    if (is_one && size > sizeof mapped.known) {
      ((char *)&mapped)[size - 1] = 1;
      CHECK_EQUAL(groot_mapping_create(f->model, f->registry, &mapped.known, &mapping, NULL),
                  GROOT_UNSUPPORTED);
    }
    if (is_one && size > sizeof kept.known) {
      ((char *)&kept)[size - 1] = 1;
      CHECK_EQUAL(groot_context_open(f->mapping, "/no/such/folder", &kept.known, &context, NULL),
                  GROOT_UNSUPPORTED);
    }
    CHECK(mapping == NULL && context == NULL);
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

/* What has a length: text, and what a callback leaves. */
static void test_texts(fixture *f, groot_object_id thing, size_t size) {
  groot_context *c = f->context;
  groot_objects *objects = NULL;
  groot_model *model = NULL;
  groot_mapping *mapping = NULL;
  groot_mapping_options rules = GROOT_MAPPING_OPTIONS_INIT;
  REFUSES(groot_model_create("{}", size, &model, &error));
  rules.dialect = "kvc";
  rules.rules = "{}";
  rules.rules_length = size;
  REFUSES(groot_mapping_create(f->model, NULL, &rules, &mapping, &error));
  REFUSES(groot_import_text(c, "Thing", "[]", size, NULL, &objects, &error));
  REFUSES(groot_sync_text(c, "Thing", "[]", size, NULL, &objects, &error));
  REFUSES(groot_object_fill_text(c, thing, "{}", size, NULL, &error));
  groot_stream *stream = NULL;
  CHECK_OK(groot_stream_begin(c, "Thing", NULL, &stream, &error));
  REFUSES(groot_stream_write(stream, "[]", size, &error));
  groot_stream_cancel(stream);
  groot_call_set_message(NULL, "why", size);
  CHECK_EQUAL(groot_call_set_result(NULL, "5", size), GROOT_INVALID_ARGUMENT);
  CHECK(model == NULL && mapping == NULL && objects == NULL);
}

/* In a callback; none of it counts, so that nothing is given. */
static groot_status leave_too_much(void *userdata, const char *value, size_t size,
                                   groot_call *call) {
  (void)size;
  ++*(int *)userdata;
  for (size_t at = 0; at < SIZES; at++) {
    CHECK_EQUAL(groot_call_set_result(call, value, impossible[at]), GROOT_INVALID_ARGUMENT);
    groot_call_set_message(call, "why", impossible[at]);
  }
  CHECK_EQUAL(groot_call_set_result(call, value, (size_t)1 << 32), GROOT_INVALID_ARGUMENT);
  return GROOT_OK;
}

static void test_results_of_callbacks(void) {
  int calls = 0;
  groot_registry *registry = NULL;
  CHECK_OK(groot_registry_create(&registry, &error));
  CHECK_OK(
      groot_registry_set_transformer(registry, "T", leave_too_much, NULL, &calls, NULL, &error));
  fixture f = open_document(
      "{'entities': {'Thing': {'attributes': {'name': {'type': 'string',"
      " 'optional': true, 'userInfo': {'JSONKeyPath': 'name',"
      " 'JSONTransformerName': 'T'}}}}}}",
      registry);
  groot_object_id thing = import_one(&f, "Thing", "{'name': 'x'}");
  CHECK_EQUAL(calls, 1);
  CHECK_EQUAL(value_of(&f, thing, "name").kind, GROOT_VALUE_NULL);
  close_fixture(&f);
}

static groot_status swallow(void *userdata, const char *data, size_t size) {
  (void)userdata, (void)data, (void)size;
  return GROOT_OK;
}

static void test_counts(fixture *f, groot_object_id thing, size_t count) {
  groot_context *c = f->context;
  groot_buffer buffer = {NULL, 0};
  groot_column column = GROOT_COLUMN_INIT;
  struct ArrowArrayStream stream;
  json_t *json = NULL;
  groot_property more = property_of(f, thing, "more");
  REFUSES(groot_object_set_members(c, thing, more, &thing, count, &error));
  REFUSES(groot_export_objects_text(c, &thing, count, NULL, &buffer, &error));
  REFUSES(groot_export_objects_json(c, &thing, count, NULL, &json, &error));
  REFUSES(groot_export_objects_write(c, &thing, count, NULL, swallow, NULL, &error));
  REFUSES(groot_export_objects_file(c, &thing, count, NULL, "x", &error));
  REFUSES(groot_context_column(c, "Thing", "s", &thing, count, &column, &error));
  int64_t key;
  REFUSES(groot_context_row_keys(c, &thing, count, &key, &error));
  REFUSES(groot_context_arrow_stream(c, "Thing", NULL, &thing, count, &stream, &error));
  REFUSES(groot_context_arrow_stream(c, "Thing", "[]", &thing, count, &stream, &error));
}

/* A count that could be, and is false: what is there is looked at before there is room for all. */
static void test_false_counts(fixture *f, groot_object_id thing) {
  static groot_object_id wrong[4096];
  groot_column column = GROOT_COLUMN_INIT;
  struct ArrowArrayStream stream;
  size_t count = (size_t)1 << 43;
  wrong[0] = thing;
  CHECK_FAILS(groot_object_set_members(f->context, thing, property_of(f, thing, "more"), wrong,
                                       count, &error),
              GROOT_UNKNOWN_OBJECT);
  CHECK_FAILS(groot_context_arrow_stream(f->context, "Thing", "[]", wrong, count, &stream, &error),
              GROOT_UNKNOWN_OBJECT);
  CHECK(groot_context_column(f->context, "Thing", "s", wrong, count, &column, NULL) != 0);
}

int main(void) {
  fixture comics = open_fixture("comics");
  groot_object_id power = import_one(&comics, "Power", "{'id': '4', 'name': 'x'}");
  test_struct_sizes(&comics, power);
  test_sizes_of_others(&comics);
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
  CHECK_OK(groot_object_insert(f.context, "Thing", &thing, &error));
  test_values(&f, thing);
  for (size_t at = 0; at < SIZES; at++) {
    test_texts(&f, thing, impossible[at]);
    test_counts(&f, thing, impossible[at]);
  }
  test_results_of_callbacks();
  test_false_counts(&f, thing);
  check_graph(&f);
  close_fixture(&f);
  return finish("sizes");
}
