/* Bad input: each kind gives its status with the place, and the graph is as before the call. */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static groot_error *error;

/* Imports text that must fail and must not change anything. */
static void check_refused(fixture *f, const char *entity, const char *json_text, size_t length,
                          groot_status expected) {
  char *before = snapshot(f);
  groot_objects *objects = NULL;
  CHECK_FAILS(groot_import_text(f->context, entity, json_text, length, NULL, &objects, &error),
              expected);
  CHECK(objects == NULL);
  char *after = snapshot(f);
  CHECK(strcmp(before, after) == 0);
  check_graph(f);
  free(before);
  free(after);
}

static void refused(fixture *f, const char *entity, const char *quoted, groot_status expected) {
  check_refused(f, entity, text(quoted), GROOT_NTS, expected);
}

static void test_syntax(fixture *f) {
  refused(f, "Character", "[{'id': '1', 'name': 'A'},\n {'id': '2', 'name': }]",
          GROOT_INVALID_JSON);
  CHECK_EQUAL(issue.line, 2);
  CHECK_EQUAL(issue.column, 22);
  CHECK_EQUAL(issue.offset, 49);
  CHECK_EQUAL(issue.severity, 2);
  refused(f, "Character", "[{'id': '1', 'name': 'A'}, ]", GROOT_INVALID_JSON);
  refused(f, "Character", "[{'id': '1', 'name': 'A'}] x", GROOT_INVALID_JSON);
  refused(f, "Character", "[{'id': '1', 'name': 'A'}", GROOT_INVALID_JSON);
  refused(f, "Character", "{'id': '1', 'name': 'A'", GROOT_INVALID_JSON);
  refused(f, "Character", "", GROOT_INVALID_JSON);
  refused(f, "Character", "   ", GROOT_INVALID_JSON);
  refused(f, "Character", "nul", GROOT_INVALID_JSON);
  refused(f, "Character", "{'id': '1', 'name': 01}", GROOT_INVALID_JSON);
  refused(f, "Character", "{'id': '1', 'name': '\\ud800'}", GROOT_INVALID_JSON);
  refused(f, "Character", "{'id': '1', 'name': 'a\nb'}", GROOT_INVALID_JSON);
  CHECK_EQUAL(issue.line, 1);
  /* The line of an element in the middle of a long array. */
  refused(f, "Character", "[\n{'id': '1', 'name': 'A'},\n\n{'id': '2' 'name': 'B'},\n{}]",
          GROOT_INVALID_JSON);
  CHECK_EQUAL(issue.line, 4);
}

static void test_text_with_a_length(fixture *f) {
  const char batman[] = "{\"id\": \"5\", \"name\": \"Robin\"}and more";
  CHECK_OK(groot_import_text(f->context, "Character", batman, 28, NULL, NULL, &error));
  check_refused(f, "Character", batman, 27, GROOT_INVALID_JSON);
  check_refused(f, "Character", batman, sizeof batman - 1, GROOT_INVALID_JSON);
  const char with_nul[] = "{\"id\": \"6\", \"name\": \"a\0b\"}";
  check_refused(f, "Character", with_nul, sizeof with_nul - 1, GROOT_INVALID_JSON);
}

static void test_utf8(void) {
  fixture fresh = open_fixture("comics"), *f = &fresh;
  const char *const bad[] = {
      "\xff", "\xc0\xaf", "\xed\xa0\x80", "\xf5\x80\x80\x80", "\xe2\x82", "\x80",
  };
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    char document[64];
    snprintf(document, sizeof document, "{\"id\": \"1\", \"name\": \"%s\"}", bad[i]);
    groot_status status =
        groot_import_text(f->context, "Character", document, GROOT_NTS, NULL, NULL, NULL);
    CHECK(status == GROOT_INVALID_UTF8 || status == GROOT_INVALID_JSON);
    snprintf(document, sizeof document, "{\"id\": \"1\", \"%s\": \"x\"}", bad[i]);
    status = groot_import_text(f->context, "Character", document, GROOT_NTS, NULL, NULL, NULL);
    CHECK(status == GROOT_INVALID_UTF8 || status == GROOT_INVALID_JSON);
    json_t *tree = json_pack("{s:s, s:o}", "id", "1", "name", json_string_nocheck(bad[i]));
    CHECK_FAILS(groot_import_json(f->context, "Character", tree, NULL, NULL, &error),
                GROOT_INVALID_UTF8);
    json_decref(tree);
  }
  groot_object_id object;
  CHECK_FAILS(groot_object_insert(f->context, "\xff", &object, &error), GROOT_INVALID_UTF8);
  groot_model *model = NULL;
  CHECK(groot_model_create("{\"entities\": {\"\xff\": {}}}", GROOT_NTS, &model, NULL) != GROOT_OK);
  CHECK(model == NULL);
  close_fixture(f);
}

static void test_shapes(fixture *f) {
  /* As text, only an object or an array is a document. */
  refused(f, "Character", "'text'", GROOT_INVALID_JSON);
  refused(f, "Character", "17", GROOT_INVALID_JSON);
  json_t *number = json_integer(17);
  CHECK_FAILS(groot_import_json(f->context, "Character", number, NULL, NULL, &error),
              GROOT_WRONG_SHAPE);
  json_decref(number);
  refused(f, "Character", "[[]]", GROOT_WRONG_SHAPE);
  CHECK_PLACE("$[0]", "Character", "");
  refused(f, "Character", "{'id': '1', 'name': 'A', 'powers': {'id': '4'}}", GROOT_WRONG_SHAPE);
  CHECK_PLACE("$.powers", "Character", "powers");
  refused(f, "Character", "[{'id': '1', 'name': 'A', 'publisher': ['10']}]", GROOT_WRONG_SHAPE);
  CHECK_PLACE("$[0].publisher", "Character", "publisher");
  refused(f, "Character", "{'id': '1', 'name': 'A', 'powers': [{'id': '4', 'name': 'a'}, [1]]}",
          GROOT_WRONG_SHAPE);
}

static void test_values(fixture *f) {
  refused(f, "Nobody", "[]", GROOT_UNKNOWN_ENTITY);
  refused(f, "Character", "{'id': '1', 'name': 5}", GROOT_WRONG_TYPE);
  CHECK_PLACE("$.name", "Character", "name");
  refused(f, "Character", "{'id': '1', 'name': {}}", GROOT_WRONG_TYPE);
  refused(f, "Character", "[{'id': '2', 'name': 'B'}, {'id': '1', 'name': ['x']}]",
          GROOT_WRONG_TYPE);
  CHECK_PLACE("$[1].name", "Character", "name");
  refused(f, "Character", "{'id': 'many', 'name': 'A'}", GROOT_TRANSFORM_FAILED);
  CHECK_PLACE("$.id", "Character", "identifier");
  refused(f, "Character", "{'id': '1'}", GROOT_MISSING_VALUE);
  CHECK_PLACE("$.name", "Character", "name");
  refused(f, "Character", "{'name': 'A'}", GROOT_MISSING_VALUE);
  refused(f, "Character", "{'id': '1', 'name': null}", GROOT_MISSING_VALUE);
  refused(f, "Character",
          "{'id': '1', 'name': 'A', 'powers': [{'id': '4', 'name': 'a'}, {'id': '8'}]}",
          GROOT_MISSING_VALUE);
  CHECK(strncmp(issue.path, "$.powers[1]", 11) == 0);
  CHECK(strcmp(issue.entity, "Power") == 0);
  /* An update that fails leaves what was there. */
  refused(f, "Character",
          "[{'id': '1699', 'name': 'Changed', 'powers': [], 'publisher': null}, {'id': '1'}]",
          GROOT_MISSING_VALUE);
}

static void test_types(void) {
  fixture f = open_fixture("types");
  static const struct {
    const char *json;
    groot_status status;
    const char *property;
  } rows[] = {
      {"{'id': 1, 'small': 32768}", GROOT_OUT_OF_RANGE, "small"},
      {"{'id': 1, 'small': -32769}", GROOT_OUT_OF_RANGE, "small"},
      {"{'id': 1, 'medium': 2147483648}", GROOT_OUT_OF_RANGE, "medium"},
      {"{'id': 1, 'small': 1.5}", GROOT_WRONG_TYPE, "small"},
      {"{'id': 1, 'large': '5'}", GROOT_WRONG_TYPE, "large"},
      {"{'id': 1, 'large': true}", GROOT_WRONG_TYPE, "large"},
      {"{'id': 1, 'ratio': 'x'}", GROOT_WRONG_TYPE, "ratio"},
      {"{'id': 1, 'active': 1}", GROOT_WRONG_TYPE, "active"},
      {"{'id': 1, 'active': 'true'}", GROOT_WRONG_TYPE, "active"},
      {"{'id': 1, 'price': 'cheap'}", GROOT_WRONG_TYPE, "price"},
      {"{'id': 1, 'made': 'yesterday'}", GROOT_WRONG_TYPE, "made"},
      {"{'id': 1, 'made': '2024-02-30T00:00:00Z'}", GROOT_WRONG_TYPE, "made"},
      {"{'id': 1, 'data': '***'}", GROOT_WRONG_TYPE, "data"},
      {"{'id': 1, 'uuid': '7d444840'}", GROOT_WRONG_TYPE, "uuid"},
      {"{'id': 1, 'link': 5}", GROOT_WRONG_TYPE, "link"},
      {"{'id': true}", GROOT_WRONG_TYPE, "id"},
      {"{'id': 1.5}", GROOT_WRONG_TYPE, "id"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    refused(&f, "Thing", rows[i].json, rows[i].status);
    char path[64];
    snprintf(path, sizeof path, "$.%s", rows[i].property);
    if (!CHECK_PLACE(path, "Thing", rows[i].property)) fprintf(stderr, "  for %s\n", rows[i].json);
  }
  CHECK_EQUAL(count_of(&f, "Thing"), 0);
  refused(&f, "Thing", "{'id': 9223372036854775808}", GROOT_OUT_OF_RANGE);
  refused(&f, "Thing", "{'id': 1, 'ratio': 1e999}", GROOT_OUT_OF_RANGE);
  close_fixture(&f);
}

static void test_depth(void) {
  fixture f = open_fixture("types");
  for (int kind = 0; kind < 2; kind++) {
    const int depth = 200000;
    char *deep = malloc((size_t)depth * 6 + 64);
    size_t size = (size_t)sprintf(deep, "{\"id\": 1, \"extra\": ");
    for (int i = 0; i < depth; i++) size += (size_t)sprintf(deep + size, kind ? "{\"a\":" : "[");
    groot_status status = groot_import_text(f.context, "Thing", deep, size, NULL, NULL, NULL);
    CHECK(status == GROOT_LIMIT_EXCEEDED || status == GROOT_INVALID_JSON);
    free(deep);
  }
  CHECK_EQUAL(count_of(&f, "Thing"), 0);

  /* Objects inside objects. */
  char *nested = malloc(40000 * 32);
  size_t size = 0;
  for (int i = 0; i < 40000; i++)
    size += (size_t)sprintf(nested + size, "{\"id\": %d, \"owner\": ", i);
  size += (size_t)sprintf(nested + size, "null");
  for (int i = 0; i < 40000; i++) nested[size++] = '}';
  groot_status status = groot_import_text(f.context, "Thing", nested, size, NULL, NULL, NULL);
  CHECK(status == GROOT_LIMIT_EXCEEDED || status == GROOT_INVALID_JSON);
  CHECK_EQUAL(count_of(&f, "Thing"), 0);
  free(nested);

  /* A json_t has no limit of its own; this one has no end. */
  json_t *inner = json_array();
  json_t *outer = json_pack("[O]", inner);
  json_array_append(inner, outer);
  json_t *endless = json_pack("{s:i, s:O}", "id", 1, "extra", outer);
  CHECK_FAILS(groot_import_json(f.context, "Thing", endless, NULL, NULL, &error),
              GROOT_LIMIT_EXCEEDED);
  CHECK_EQUAL(count_of(&f, "Thing"), 0);
  json_array_clear(inner);
  json_decref(endless);
  json_decref(outer);
  json_decref(inner);
  check_graph(&f);
  close_fixture(&f);
}

static void test_error_object(fixture *f) {
  groot_error *failure = NULL;
  groot_issue read = GROOT_ISSUE_INIT;
  CHECK_EQUAL(groot_import_text(f->context, "Character", text("{'id': '1', 'name': 5}"), GROOT_NTS,
                                NULL, NULL, &failure),
              GROOT_WRONG_TYPE);
  CHECK_EQUAL(groot_error_issue_count(failure), 1);
  CHECK_EQUAL(groot_error_issue(failure, 0, &read), GROOT_OK);
  CHECK_EQUAL(read.status, GROOT_WRONG_TYPE);
  CHECK_EQUAL(read.message.data[read.message.size], 0);
  CHECK_EQUAL(read.path.data[read.path.size], 0);
  CHECK_EQUAL(groot_error_issue(failure, 1, &read), GROOT_INVALID_ARGUMENT);
  groot_string all = groot_error_text(failure);
  CHECK(all.size > 0 && strlen(all.data) == all.size);
  CHECK(strstr(all.data, "Character.name") != NULL);
  CHECK(strstr(all.data, "$.name") != NULL);
  CHECK(groot_error_text(failure).data == all.data);

  /* Success sets a caller's variable to NULL, whatever was in it. */
  groot_error *kept = failure;
  CHECK_EQUAL(groot_import_text(f->context, "Character", "[]", GROOT_NTS, NULL, NULL, &failure),
              GROOT_OK);
  CHECK(failure == NULL);
  groot_error_free(kept);

  /* The error outlives the context it came from. */
  fixture other = open_fixture("comics");
  CHECK_EQUAL(groot_import_text(other.context, "Power", "[1.5]", GROOT_NTS, NULL, NULL, &failure),
              GROOT_TRANSFORM_FAILED);
  close_fixture(&other);
  CHECK(groot_error_text(failure).size > 0);
  groot_error_free(failure);
}

int main(void) {
  fixture f = open_fixture("comics");
  import_one(&f, "Character",
             "{'id': '1699', 'name': 'Batman', 'powers': [{'id': '4', 'name': 'Agility'}],"
             " 'publisher': {'id': '10', 'name': 'DC Comics'}}");
  test_syntax(&f);
  test_text_with_a_length(&f);
  test_utf8();
  test_shapes(&f);
  test_values(&f);
  test_types();
  test_depth();
  test_error_object(&f);
  close_fixture(&f);
  return finish("errors");
}
