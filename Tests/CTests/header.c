/* The header itself: layout of its structs against the committed table, versions, status names. */
#include "support.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* The layout, by struct, and where the last field noted ends: the next one begins there. */
static json_t *layout;
static size_t end;

/* Adds a field's offset, or the size under "sizeof", to the entry of a type. */
static void note(const char *type, const char *name, size_t number) {
  json_t *entry = json_object_get(layout, type);
  if (!entry) {
    json_object_set_new(layout, type, json_object());
    entry = json_object_get(layout, type);
  }
  json_object_set_new(entry, name, json_integer((json_int_t)number));
}

/* Notes a field of a struct; what lies before it without a name would be padding. */
static void note_field(const char *type, const char *name, size_t offset, size_t size) {
  note(type, name, offset);
  if (!CHECK_EQUAL(offset, end)) fprintf(stderr, "  padding before %s.%s\n", type, name);
  end = offset + size;
}

#define SIZE(type) note(#type, "sizeof", sizeof(type))
#define BEGIN(type) end = 0
#define FIELD(type, field) \
  note_field(#type, #field, offsetof(type, field), sizeof(((type *)0)->field))
#define END(type) \
  SIZE(type);     \
  CHECK_EQUAL(end, sizeof(type))

static void note_options(void) {
  BEGIN(groot_mapping_options);
  FIELD(groot_mapping_options, struct_size);
  FIELD(groot_mapping_options, dialect);
  FIELD(groot_mapping_options, rules);
  FIELD(groot_mapping_options, rules_length);
  FIELD(groot_mapping_options, flags);
  FIELD(groot_mapping_options, nulls);
  FIELD(groot_mapping_options, roots);
  FIELD(groot_mapping_options, roots_length);
  END(groot_mapping_options);
  BEGIN(groot_store_options);
  FIELD(groot_store_options, struct_size);
  FIELD(groot_store_options, flags);
  FIELD(groot_store_options, durability);
  FIELD(groot_store_options, conflicts);
  FIELD(groot_store_options, busy_timeout);
  FIELD(groot_store_options, backup);
  FIELD(groot_store_options, progress);
  FIELD(groot_store_options, progress_userdata);
  FIELD(groot_store_options, log);
  FIELD(groot_store_options, log_userdata);
  FIELD(groot_store_options, log_level);
  FIELD(groot_store_options, reserved);
  END(groot_store_options);
  BEGIN(groot_counts);
  FIELD(groot_counts, struct_size);
  FIELD(groot_counts, inserted);
  FIELD(groot_counts, updated);
  FIELD(groot_counts, unchanged);
  FIELD(groot_counts, deleted);
  FIELD(groot_counts, skipped);
  FIELD(groot_counts, stale);
  FIELD(groot_counts, issues);
  END(groot_counts);
  BEGIN(groot_import_options);
  FIELD(groot_import_options, struct_size);
  FIELD(groot_import_options, flags);
  FIELD(groot_import_options, errors);
  FIELD(groot_import_options, max_issues);
  FIELD(groot_import_options, progress);
  FIELD(groot_import_options, progress_userdata);
  FIELD(groot_import_options, callback_userdata);
  FIELD(groot_import_options, policies);
  FIELD(groot_import_options, root_path);
  FIELD(groot_import_options, mapping);
  FIELD(groot_import_options, report);
  FIELD(groot_import_options, batch_size);
  FIELD(groot_import_options, commits);
  FIELD(groot_import_options, form);
  FIELD(groot_import_options, counts);
  END(groot_import_options);
  BEGIN(groot_sync_options);
  FIELD(groot_sync_options, struct_size);
  FIELD(groot_sync_options, flags);
  FIELD(groot_sync_options, form);
  FIELD(groot_sync_options, max_issues);
  FIELD(groot_sync_options, progress);
  FIELD(groot_sync_options, progress_userdata);
  FIELD(groot_sync_options, callback_userdata);
  FIELD(groot_sync_options, where);
  FIELD(groot_sync_options, parent);
  FIELD(groot_sync_options, mapping);
  FIELD(groot_sync_options, report);
  FIELD(groot_sync_options, policies);
  FIELD(groot_sync_options, root_path);
  FIELD(groot_sync_options, counts);
  END(groot_sync_options);
  BEGIN(groot_export_options);
  FIELD(groot_export_options, struct_size);
  FIELD(groot_export_options, flags);
  FIELD(groot_export_options, depth);
  FIELD(groot_export_options, relationships);
  FIELD(groot_export_options, inflection);
  FIELD(groot_export_options, properties);
  FIELD(groot_export_options, exclude);
  FIELD(groot_export_options, dates);
  FIELD(groot_export_options, mapping);
  FIELD(groot_export_options, callback_userdata);
  FIELD(groot_export_options, count);
  FIELD(groot_export_options, form);
  FIELD(groot_export_options, nulls);
  END(groot_export_options);
}

static void note_others(void) {
  BEGIN(groot_string);
  FIELD(groot_string, data);
  FIELD(groot_string, size);
  END(groot_string);
  BEGIN(groot_buffer);
  FIELD(groot_buffer, data);
  FIELD(groot_buffer, size);
  END(groot_buffer);
  BEGIN(groot_issue);
  FIELD(groot_issue, struct_size);
  FIELD(groot_issue, status);
  FIELD(groot_issue, severity);
  FIELD(groot_issue, message);
  FIELD(groot_issue, path);
  FIELD(groot_issue, entity);
  FIELD(groot_issue, property);
  FIELD(groot_issue, line);
  FIELD(groot_issue, column);
  FIELD(groot_issue, offset);
  END(groot_issue);
  BEGIN(groot_value);
  FIELD(groot_value, kind);
  FIELD(groot_value, reserved);
  FIELD(groot_value, as);
  END(groot_value);
  BEGIN(groot_progress);
  FIELD(groot_progress, struct_size);
  FIELD(groot_progress, bytes);
  FIELD(groot_progress, records);
  FIELD(groot_progress, inserted);
  FIELD(groot_progress, updated);
  FIELD(groot_progress, unchanged);
  FIELD(groot_progress, operation);
  FIELD(groot_progress, reserved);
  END(groot_progress);
  BEGIN(groot_entity_info);
  FIELD(groot_entity_info, struct_size);
  FIELD(groot_entity_info, name);
  FIELD(groot_entity_info, parent);
  FIELD(groot_entity_info, is_abstract);
  FIELD(groot_entity_info, property_count);
  END(groot_entity_info);
  BEGIN(groot_property_info);
  FIELD(groot_property_info, struct_size);
  FIELD(groot_property_info, name);
  FIELD(groot_property_info, type);
  FIELD(groot_property_info, number);
  FIELD(groot_property_info, value);
  FIELD(groot_property_info, entity);
  FIELD(groot_property_info, destination);
  FIELD(groot_property_info, inverse);
  FIELD(groot_property_info, flags);
  FIELD(groot_property_info, values);
  END(groot_property_info);
  BEGIN(groot_column);
  FIELD(groot_column, struct_size);
  FIELD(groot_column, kind);
  FIELD(groot_column, reserved);
  FIELD(groot_column, count);
  FIELD(groot_column, null_count);
  FIELD(groot_column, values);
  FIELD(groot_column, size);
  FIELD(groot_column, offsets);
  FIELD(groot_column, validity);
  FIELD(groot_column, owner);
  END(groot_column);
  SIZE(groot_status);
  SIZE(groot_object_id);
  SIZE(groot_property);
}

static void test_layout(void) {
  layout = json_object();
  note_options();
  note_others();
  json_error_t error;
  json_t *expected = json_load_file("Tests/ABI/layout.json", 0, &error);
  if (!CHECK(json_equal(layout, expected))) {
    json_dumpf(layout, stderr, JSON_INDENT(2));
    fputc('\n', stderr);
  }
  json_decref(expected);
  json_decref(layout);
}

static void test_version(void) {
  char text[32];
  snprintf(text, sizeof text, "%d.%d.%d", GROOT_VERSION_MAJOR, GROOT_VERSION_MINOR,
           GROOT_VERSION_PATCH);
  CHECK(strcmp(text, GROOT_VERSION) == 0);
  CHECK(strcmp(text, groot_version()) == 0);
  CHECK_EQUAL(GROOT_VERSION_NUMBER,
              GROOT_VERSION_MAJOR * 1000000 + GROOT_VERSION_MINOR * 1000 + GROOT_VERSION_PATCH);
  CHECK_EQUAL(groot_version_number(), GROOT_VERSION_NUMBER);
  CHECK_EQUAL(groot_abi_version(), GROOT_ABI_VERSION);
}

static void test_status_names(void) {
  const groot_status known[] = {GROOT_OK,
                                GROOT_INVALID_ARGUMENT,
                                GROOT_BUSY,
                                GROOT_UNSUPPORTED,
                                GROOT_CANCELLED,
                                GROOT_LIMIT_EXCEEDED,
                                GROOT_FILE_ERROR,
                                GROOT_INVALID_JSON,
                                GROOT_INVALID_UTF8,
                                GROOT_INVALID_MODEL,
                                GROOT_INVALID_MAPPING,
                                GROOT_UNKNOWN_ENTITY,
                                GROOT_UNKNOWN_PROPERTY,
                                GROOT_UNKNOWN_TRANSFORMER,
                                GROOT_ABSTRACT_ENTITY,
                                GROOT_WRONG_SHAPE,
                                GROOT_WRONG_TYPE,
                                GROOT_OUT_OF_RANGE,
                                GROOT_MISSING_VALUE,
                                GROOT_MAPPER_FAILED,
                                GROOT_TRANSFORM_FAILED,
                                GROOT_UNKNOWN_IDENTIFIER,
                                GROOT_UNKNOWN_KEY,
                                GROOT_IDENTITY_CONFLICT,
                                GROOT_TOO_FEW,
                                GROOT_TOO_MANY,
                                GROOT_TOO_LARGE,
                                GROOT_TOO_SMALL,
                                GROOT_TOO_LONG,
                                GROOT_TOO_SHORT,
                                GROOT_PATTERN_MISMATCH,
                                GROOT_UNLISTED_VALUE,
                                GROOT_OBJECT_DELETED,
                                GROOT_UNKNOWN_OBJECT,
                                GROOT_DELETE_DENIED,
                                GROOT_CALLBACK_FAILED,
                                GROOT_STORE_INVALID,
                                GROOT_STORE_TOO_NEW,
                                GROOT_STORE_MODEL,
                                GROOT_STORE_READ_ONLY,
                                GROOT_STORE_FULL,
                                GROOT_STORE_LOCKED,
                                GROOT_STORE_CONFLICT,
                                GROOT_STORE_DUPLICATE,
                                GROOT_STORE_FAILED};
  const size_t count = sizeof known / sizeof known[0];
  for (size_t i = 0; i < count; i++) {
    const char *name = groot_status_name(known[i]);
    CHECK(name != NULL && name[0] != '\0');
    for (size_t j = 0; j < i; j++) CHECK(strcmp(name, groot_status_name(known[j])) != 0);
  }
  const groot_status unknown[] = {-1, 7, 119, 1000, INT32_MAX, INT32_MIN};
  for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++) {
    CHECK(groot_status_name(unknown[i]) != NULL);
  }
  CHECK(strcmp(groot_status_name(GROOT_INVALID_JSON), "invalid JSON") == 0);
}

int main(void) {
  test_layout();
  test_version();
  test_status_names();
  return finish("header");
}
