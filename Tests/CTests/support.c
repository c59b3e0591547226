/* What the C tests share: checks that are counted, contexts and JSON made in one line. */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct last_issue issue;
static int passed, failed;

int check(int holds, const char *what, const char *file, int line) {
  if (holds) {
    passed++;
  } else {
    failed++;
    fprintf(stderr, "%s:%d: %s\n", file, line, what);
  }
  return holds;
}

int check_equal(long long actual, long long expected, const char *what, const char *file,
                int line) {
  if (check(actual == expected, what, file, line)) return 1;
  fprintf(stderr, "  is %lld, expected %lld\n", actual, expected);
  return 0;
}

int check_text(groot_string actual, const char *expected, const char *what, const char *file,
               int line) {
  int equal = actual.size == strlen(expected) &&
              (actual.size == 0 || memcmp(actual.data, expected, actual.size) == 0);
  if (check(equal, what, file, line)) return 1;
  fprintf(stderr, "  is \"%.*s\", expected \"%s\"\n", (int)actual.size,
          actual.data ? actual.data : "", expected);
  return 0;
}

int check_json(json_t *actual, const char *expected, const char *what, const char *file, int line) {
  json_t *wanted = json(expected);
  int equal = check(json_equal(actual, wanted), what, file, line);
  if (!equal) {
    char *shown = json_dumps(actual, JSON_COMPACT | JSON_ENCODE_ANY);
    fprintf(stderr, "  is %s\n  expected %s\n", shown ? shown : "nothing", expected);
    free(shown);
  }
  json_decref(wanted);
  json_decref(actual);
  return equal;
}

int check_ok(groot_status status, groot_error **error, const char *what, const char *file,
             int line) {
  int holds = check(status == GROOT_OK && *error == NULL, what, file, line);
  if (!holds) {
    groot_string shown = groot_error_text(*error);
    fprintf(stderr, "  gave %d (%s): %.*s\n", (int)status, groot_status_name(status),
            (int)shown.size, shown.data ? shown.data : "");
  }
  groot_error_free(*error);
  *error = NULL;
  return holds;
}

static void copy(char *target, size_t size, groot_string source) {
  snprintf(target, size, "%.*s", (int)source.size, source.data ? source.data : "");
}

int check_fails(groot_status status, groot_status expected, groot_error **error, const char *what,
                const char *file, int line) {
  groot_issue first;
  memset(&issue, 0, sizeof issue);
  int holds = check_equal(status, expected, what, file, line) &
              check_equal(groot_error_status(*error), status, "the error's status", file, line);
  issue.count = groot_error_issue_count(*error);
  if (check(groot_error_issue(*error, 0, &first) == GROOT_OK, "there is an issue", file, line)) {
    copy(issue.message, sizeof issue.message, first.message);
    copy(issue.path, sizeof issue.path, first.path);
    copy(issue.entity, sizeof issue.entity, first.entity);
    copy(issue.property, sizeof issue.property, first.property);
    issue.line = first.line;
    issue.column = first.column;
    issue.offset = first.offset;
    issue.severity = first.severity;
    holds &= check(first.message.size > 0, "the issue has a message", file, line);
  }
  if (!holds) fprintf(stderr, "  message: %s\n", issue.message);
  groot_error_free(*error);
  *error = NULL;
  return holds;
}

static int same(const char *actual, const char *expected, const char *what, const char *file,
                int line) {
  groot_string string = {actual, strlen(actual)};
  return check_text(string, expected, what, file, line);
}

int check_place(const char *path, const char *entity, const char *property, const char *file,
                int line) {
  return same(issue.path, path, "path of the issue", file, line) &
         same(issue.entity, entity, "entity of the issue", file, line) &
         same(issue.property, property, "property of the issue", file, line);
}

int finish(const char *name) {
  printf("%s: %d passed, %d failed\n", name, passed, failed);
  return failed != 0;
}

/* Ends the program when a step fails that the test only builds on. */
static void must(groot_status status, groot_error *error, const char *what) {
  if (status == GROOT_OK) return;
  groot_string shown = groot_error_text(error);
  fprintf(stderr, "%s: %d (%s): %.*s\n", what, (int)status, groot_status_name(status),
          (int)shown.size, shown.data ? shown.data : "");
  failed++;
  exit(finish("ended early"));
}

const char *text(const char *quoted) {
  static char buffers[8][8192];
  static unsigned next;
  char *buffer = buffers[next++ % 8];
  size_t size = strlen(quoted);
  if (size >= sizeof buffers[0]) abort();
  for (size_t i = 0; i <= size; i++) buffer[i] = quoted[i] == '\'' ? '"' : quoted[i];
  return buffer;
}

json_t *json(const char *quoted) {
  json_error_t error;
  json_t *value = json_loads(text(quoted), JSON_DECODE_ANY, &error);
  if (!value) {
    fprintf(stderr, "not JSON: %s: %s\n", quoted, error.text);
    exit(1);
  }
  return value;
}

json_t *load_model(const char *name) {
  char path[256];
  json_error_t error;
  snprintf(path, sizeof path, "Tests/Cases/models/%s.json", name);
  json_t *document = json_load_file(path, 0, &error);
  if (!document) {
    fprintf(stderr, "%s: %s\n", path, error.text);
    exit(1);
  }
  return document;
}

groot_status map_message(void *userdata, json_t *value, json_t **result, groot_failure *failure) {
  (void)userdata, (void)failure;
  const char *type = json_string_value(json_object_get(value, "type"));
  if (!type) return GROOT_OK;
  if (strcmp(type, "text") == 0) *result = json_string("TextMessage");
  if (strcmp(type, "picture") == 0) *result = json_string("PictureMessage");
  return GROOT_OK;
}

/* Consumes the document and the options. */
static fixture open_json(json_t *document, groot_registry *registry, const char *dialect,
                         json_t *options) {
  fixture made = {NULL, registry, NULL, NULL};
  groot_error *error = NULL;
  must(groot_model_create_json(document, &made.model, &error), error, "model");
  json_decref(document);
  must(groot_mapping_create(made.model, registry, dialect, options, &made.mapping, &error), error,
       "mapping");
  json_decref(options);
  must(groot_context_create(made.mapping, &made.context, &error), error, "context");
  return made;
}

fixture open_fixture(const char *model) {
  groot_registry *registry = NULL;
  groot_error *error = NULL;
  must(groot_registry_create(&registry, &error), error, "registry");
  must(groot_registry_set_builtin(registry, "StringToInteger", GROOT_NTS, "integer-text", GROOT_NTS,
                                  &error),
       error, "StringToInteger");
  must(groot_registry_set_entity_mapper(registry, "MessageMapper", GROOT_NTS, map_message, NULL,
                                        NULL, &error),
       error, "MessageMapper");
  return open_json(load_model(model), registry, NULL, NULL);
}

fixture open_document(const char *document, groot_registry *registry) {
  return open_json(json(document), registry, NULL, NULL);
}

fixture open_dialect(const char *document, const char *dialect, const char *options) {
  return open_json(json(document), NULL, dialect, options ? json(options) : NULL);
}

void close_fixture(fixture *fixture) {
  groot_context_free(fixture->context);
  groot_mapping_free(fixture->mapping);
  groot_registry_free(fixture->registry);
  groot_model_free(fixture->model);
}

groot_objects *import(fixture *fixture, const char *entity, const char *quoted) {
  groot_objects *objects = NULL;
  groot_error *error = NULL;
  must(groot_import_text(fixture->context, entity, GROOT_NTS, text(quoted), GROOT_NTS, NULL,
                         &objects, &error),
       error, quoted);
  return objects;
}

groot_object_id import_one(fixture *fixture, const char *entity, const char *quoted) {
  groot_objects *objects = import(fixture, entity, quoted);
  groot_object_id first = groot_objects_at(objects, 0);
  groot_objects_free(objects);
  return first;
}

groot_status import_status(fixture *fixture, const char *entity, const char *quoted) {
  return groot_import_text(fixture->context, entity, GROOT_NTS, text(quoted), GROOT_NTS, NULL, NULL,
                           NULL);
}

char *snapshot(fixture *fixture) {
  json_t *document = NULL;
  groot_error *error = NULL;
  must(groot_model_document(fixture->model, &document, &error), error, "model document");
  json_t *all = json_object();
  const char *name;
  json_t *entity;
  json_object_foreach(json_object_get(document, "entities"), name, entity) {
    if (json_is_string(json_object_get(entity, "parent"))) continue;
    groot_objects *objects = NULL;
    json_t *exported = NULL;
    must(groot_context_fetch(fixture->context, name, GROOT_NTS, NULL, &objects, &error), error,
         "fetch");
    must(groot_export_json(fixture->context, groot_objects_data(objects),
                           groot_objects_count(objects), NULL, &exported, &error),
         error, "export");
    json_object_set_new(all, name, exported);
    groot_objects_free(objects);
  }
  char *shown = json_dumps(all, JSON_SORT_KEYS | JSON_COMPACT);
  json_decref(all);
  json_decref(document);
  return shown;
}

groot_property property_of(fixture *fixture, groot_object_id object, const char *name) {
  groot_property property = -1;
  groot_error *error = NULL;
  must(groot_object_property(fixture->context, object, name, GROOT_NTS, &property, &error), error,
       name);
  return property;
}

groot_value value_of(fixture *fixture, groot_object_id object, const char *name) {
  groot_value value;
  groot_error *error = NULL;
  must(groot_object_get(fixture->context, object, property_of(fixture, object, name), &value,
                        &error),
       error, name);
  return value;
}

groot_string text_of(fixture *fixture, groot_object_id object, const char *name) {
  groot_value value = value_of(fixture, object, name);
  groot_string none = {NULL, 0};
  return value.kind == GROOT_VALUE_NULL ? none : value.as.text;
}

int64_t integer_of(fixture *fixture, groot_object_id object, const char *name) {
  return value_of(fixture, object, name).as.integer;
}

groot_object_id object_of(fixture *fixture, groot_object_id object, const char *name) {
  groot_value value = value_of(fixture, object, name);
  return value.kind == GROOT_VALUE_OBJECT ? value.as.object : 0;
}

size_t members_of(fixture *fixture, groot_object_id object, const char *name) {
  size_t count = 0;
  groot_error *error = NULL;
  must(groot_object_member_count(fixture->context, object, property_of(fixture, object, name),
                                 &count, &error),
       error, name);
  return count;
}

size_t count_of(fixture *fixture, const char *entity) {
  size_t count = 0;
  groot_error *error = NULL;
  must(groot_context_count(fixture->context, entity, GROOT_NTS, NULL, &count, &error), error,
       entity);
  return count;
}

json_t *export_of(fixture *fixture, groot_object_id object) {
  json_t *exported = NULL;
  groot_error *error = NULL;
  must(groot_export_object_json(fixture->context, object, NULL, &exported, &error), error, "export");
  return exported;
}

void check_graph(fixture *fixture) {
  groot_error *error = NULL;
  CHECK_OK(groot_context_check(fixture->context, &error));
}
