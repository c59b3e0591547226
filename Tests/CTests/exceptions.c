/* What a callback leaves: a result, and when it fails a status, a message and an exception. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

static groot_error *error;
static const size_t nts = GROOT_NTS;

static const char document[] =
    "{'entities': {'Thing': {'userInfo': {'identityAttributes': 'id', 'entityMapperName': 'M',"
    " 'JSONDictionaryTransformerName': 'D'}, 'attributes': {"
    "'id': {'type': 'integer64', 'userInfo': {'JSONKeyPath': 'id'}},"
    "'any': {'type': 'transformable', 'optional': true,"
    " 'userInfo': {'JSONKeyPath': 'any', 'JSONTransformerName': 'T'}}}}}}";

/* ---- exceptions that count how often they are destroyed -------------------------------------- */

enum { MANY = 64 };
static int destroyed[MANY];
static size_t thrown; /* so many of them were left in a call */

static void destroy(void *exception) { ++*(int *)exception; }

static void throw(groot_call *call) {
  if (thrown == MANY) abort();
  groot_call_set_exception(call, &destroyed[thrown++], destroy);
}

/* How many were left and are not destroyed yet; none is destroyed twice. */
static size_t alive(void) {
  size_t count = 0;
  for (size_t i = 0; i < thrown; i++) {
    CHECK(destroyed[i] <= 1);
    count += destroyed[i] == 0;
  }
  return count;
}

static void forget(void) {
  CHECK_EQUAL(alive(), 0);
  memset(destroyed, 0, sizeof destroyed);
  thrown = 0;
}

/* Does what the text of a value says; other values become themselves. */
static groot_status follow(const char *order, groot_call *call) {
  if (strstr(order, "throw-in-vain")) {
    throw(call);
    return GROOT_OK;
  }
  if (strstr(order, "throw-twice")) throw(call);
  if (strstr(order, "throw")) {
    throw(call);
    groot_call_set_message(call, "thrown", nts);
    return 77;
  }
  if (strstr(order, "bare")) return 78;
  if (strstr(order, "nothing-to-destroy")) {
    groot_call_set_exception(call, &thrown, NULL);
    return GROOT_BUSY;
  }
  if (strstr(order, "ill-told")) {
    groot_call_set_message(call, "first", nts);
    groot_call_set_message(call,
                           "a\xff"
                           "b",
                           3);
    return -1;
  }
  return GROOT_OK;
}

static groot_status in_text(void *userdata, const char *value, size_t size, groot_call *call) {
  (void)userdata;
  CHECK_EQUAL(groot_call_set_result(call, value, size), GROOT_OK);
  return follow(value, call);
}

static groot_status in_json(void *userdata, json_t *value, json_t **result, groot_call *call) {
  (void)userdata;
  char *text = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);
  groot_status status = follow(text, call);
  free(text);
  *result = json_incref(value);
  return status;
}

/* Mappers and dictionary transformers fail for objects with a member "D" or "M". */
static groot_status fail_for(const char *member, const char *value, groot_call *call) {
  if (!strstr(value, member)) return GROOT_OK;
  throw(call);
  return member[1];
}

static groot_status map(void *userdata, const char *value, size_t size, groot_call *call) {
  (void)userdata, (void)size;
  return fail_for("\"M\"", value, call);
}

static groot_status upgrade(void *userdata, const char *value, size_t size, groot_call *call) {
  (void)userdata, (void)size;
  return fail_for("\"D\"", value, call);
}

static fixture open_things(int by_json, groot_transform_function function) {
  groot_registry *r = NULL;
  CHECK_OK(groot_registry_create(&r, &error));
  if (by_json)
    CHECK_OK(groot_registry_set_transformer_json(r, "T", in_json, in_json, NULL, NULL, &error));
  else
    CHECK_OK(groot_registry_set_transformer(r, "T", function, function, NULL, NULL, &error));
  CHECK_OK(groot_registry_set_entity_mapper(r, "M", map, NULL, NULL, &error));
  CHECK_OK(groot_registry_set_dictionary_transformer(r, "D", upgrade, NULL, NULL, &error));
  return open_document(document, r);
}

/* ---- the ways in which a call can end -------------------------------------------------------- */

static groot_status import_with(fixture *f, int32_t errors, const char *quoted) {
  groot_import_options options = GROOT_IMPORT_OPTIONS_INIT;
  options.errors = errors;
  return groot_import_text(f->context, "Thing", text(quoted), nts, &options, NULL, &error);
}

/* The error has what the callback returned and left; frees it, and with it the exception. */
static void check_carried(groot_status status, groot_status returned, size_t number) {
  CHECK_EQUAL(status, GROOT_CALLBACK_FAILED);
  CHECK_EQUAL(groot_error_callback_status(error), returned);
  CHECK(groot_error_exception(error, destroy) == &destroyed[number]);
  CHECK(groot_error_exception(error, NULL) == NULL);
  CHECK(groot_error_exception(error, free) == NULL);
  CHECK_EQUAL(destroyed[number], 0);
  CHECK_EQUAL(alive(), 1);
  groot_error_free(error);
  error = NULL;
  forget();
}

static void test_one_error(fixture *f) {
  check_carried(import_with(f, GROOT_ERRORS_ABORT, "[{'id': 1, 'any': 'throw'}]"), 77, 0);
  check_carried(import_with(f, GROOT_ERRORS_ABORT, "[{'id': 1, 'any': 'throw-twice'}]"), 77, 1);
  check_carried(import_with(f, GROOT_ERRORS_ABORT, "[{'id': 1, 'M': 1}]"), 'M', 0);
  check_carried(import_with(f, GROOT_ERRORS_ABORT, "[{'id': 1, 'D': 1}]"), 'D', 0);

  /* Without an exception, with one that nothing destroys, with a message that is not UTF-8. */
  CHECK_EQUAL(import_with(f, GROOT_ERRORS_ABORT, "{'id': 1, 'any': 'bare'}"),
              GROOT_CALLBACK_FAILED);
  CHECK_EQUAL(groot_error_callback_status(error), 78);
  CHECK(groot_error_exception(error, destroy) == NULL);
  CHECK_FAILS(GROOT_CALLBACK_FAILED, GROOT_CALLBACK_FAILED);
  CHECK_EQUAL(import_with(f, GROOT_ERRORS_ABORT, "{'id': 1, 'any': 'nothing-to-destroy'}"),
              GROOT_CALLBACK_FAILED);
  CHECK_EQUAL(groot_error_callback_status(error), GROOT_BUSY);
  CHECK(groot_error_exception(error, NULL) == &thrown);
  CHECK_FAILS(GROOT_CALLBACK_FAILED, GROOT_CALLBACK_FAILED);
  CHECK_EQUAL(import_with(f, GROOT_ERRORS_ABORT, "{'id': 1, 'any': 'ill-told'}"),
              GROOT_CALLBACK_FAILED);
  CHECK_EQUAL(groot_error_callback_status(error), -1);
  CHECK_FAILS(GROOT_CALLBACK_FAILED, GROOT_CALLBACK_FAILED);
  CHECK(strstr(issue.message,
               "a\xef\xbf\xbd"
               "b") &&
        !strstr(issue.message, "first"));

  /* No callback failed: neither is there. */
  CHECK_EQUAL(import_with(f, GROOT_ERRORS_ABORT, "[{'id': 'x'}]"), GROOT_WRONG_TYPE);
  CHECK_EQUAL(groot_error_callback_status(error), GROOT_OK);
  CHECK(groot_error_exception(error, destroy) == NULL);
  CHECK_FAILS(GROOT_WRONG_TYPE, GROOT_WRONG_TYPE);
}

/* Nobody takes the error: the exception is destroyed when the call ends. */
static void test_no_error(fixture *f) {
  CHECK_EQUAL(import_status(f, "Thing", "[{'id': 1, 'any': 'throw'}]"), GROOT_CALLBACK_FAILED);
  forget();
  CHECK_EQUAL(import_status(f, "Thing", "[{'id': 1, 'any': 'throw-twice'}]"),
              GROOT_CALLBACK_FAILED);
  CHECK_EQUAL(thrown, 2);
  forget();
}

/* The callback succeeds after all. */
static void test_in_vain(fixture *f) {
  CHECK_OK(import_with(f, GROOT_ERRORS_ABORT,
                       "[{'id': 1, 'any': 'throw-in-vain'}, {'id': 2, 'any': 'throw-in-vain'}]"));
  CHECK_EQUAL(thrown, 2);
  forget();
  check_carried(import_with(f, GROOT_ERRORS_ABORT,
                            "[{'id': 1, 'any': 'throw-in-vain'}, {'id': 2, 'any': 'throw'}]"),
                77, 1);

  /* It is destroyed when the callback returns, not when the import ends. */
  groot_stream *stream = NULL;
  CHECK_OK(groot_stream_begin(f->context, "Thing", NULL, &stream, &error));
  const char *records = text("[{'id': 4}, {'id': 3, 'any': 'throw-in-vain'}");
  for (int i = 0; i < 40; i++) {
    CHECK_OK(groot_stream_write(stream, i ? "," : "[", 1, &error));
    CHECK_OK(groot_stream_write(stream, records + 1, strlen(records) - 1, &error));
  }
  CHECK(thrown > 0);
  CHECK_EQUAL(alive(), 0);
  groot_stream_cancel(stream);
  forget();
  groot_object_id thing = import_one(f, "Thing", "{'id': 2}");
  groot_value value = {GROOT_VALUE_JSON, 0, {0}};
  value.as.text.data = "\"throw-in-vain\"";
  value.as.text.size = 15;
  groot_buffer buffer = {NULL, 0};
  CHECK_OK(groot_object_set(f->context, thing, property_of(f, thing, "any"), &value, &error));
  CHECK_OK(groot_export_object_text(f->context, thing, NULL, &buffer, &error));
  groot_buffer_free(&buffer);
  CHECK_EQUAL(thrown, 1);
  forget();
}

static const char batch[] =
    "[{'id': 5, 'any': 1}, {'id': 1, 'any': 'throw'}, {'id': 'x'}, {'id': 2, 'any': 'throw-twice'},"
    " {'id': 3, 'any': 'bare'}, {'id': 4, 'M': 1}]";

static void test_batches(fixture *f) {
  /* The first that failed is carried; the others are gone when the error is. */
  CHECK_EQUAL(import_with(f, GROOT_ERRORS_COLLECT, batch), GROOT_CALLBACK_FAILED);
  CHECK_EQUAL(groot_error_callback_status(error), 77);
  CHECK(groot_error_exception(error, destroy) == &destroyed[0]);
  CHECK_EQUAL(destroyed[0], 0);
  CHECK_EQUAL(thrown, 4);
  CHECK_FAILS(GROOT_CALLBACK_FAILED, GROOT_CALLBACK_FAILED);
  CHECK_EQUAL(issue.count, 5);
  forget();

  /* What is skipped is only reported: nobody gets the exceptions. */
  CHECK_OK(import_with(f, GROOT_ERRORS_SKIP, batch));
  CHECK_EQUAL(thrown, 4);
  forget();
  CHECK_EQUAL(count_of(f, "Thing"), 3); /* two were there */
}

static void test_other_calls(fixture *f) {
  groot_buffer buffer = {NULL, 0};
  json_t *exported = NULL;
  groot_object_id thing = import_one(f, "Thing", "{'id': 7}");
  groot_value value = {GROOT_VALUE_JSON, 0, {0}};
  value.as.text.data = "\"throw\"";
  value.as.text.size = 7;
  const char *record = text("{'id': 7, 'any': 'throw'}");
  check_carried(groot_sync_text(f->context, "Thing", record, nts, NULL, NULL, &error), 77, 0);
  check_carried(groot_object_fill_text(f->context, thing, record, nts, NULL, &error), 77, 0);
  CHECK_OK(groot_object_set(f->context, thing, property_of(f, thing, "any"), &value, &error));
  check_carried(groot_export_object_text(f->context, thing, NULL, &buffer, &error), 77, 0);
  check_carried(groot_export_object_json(f->context, thing, NULL, &exported, &error), 77, 0);
  groot_stream *stream = NULL;
  CHECK_OK(groot_stream_begin(f->context, "Thing", NULL, &stream, &error));
  /* The failure is told twice; the exception is there until both errors are freed. */
  groot_error *early = NULL;
  CHECK_EQUAL(groot_stream_write(stream, record, strlen(record), &early), GROOT_CALLBACK_FAILED);
  CHECK(groot_error_exception(early, destroy) == &destroyed[0]);
  groot_status status = groot_stream_finish(stream, NULL, &error);
  groot_error_free(early);
  check_carried(status, 77, 0);
  CHECK_OK(groot_stream_begin(f->context, "Thing", NULL, &stream, &error));
  CHECK_EQUAL(groot_stream_write(stream, record, strlen(record), NULL), GROOT_CALLBACK_FAILED);
  CHECK_EQUAL(alive(), 1);
  groot_stream_cancel(stream);
  forget();
}

/* Two errors live side by side, and longer than all that they came from. */
static void test_errors_that_stay(int by_json) {
  fixture f = open_things(by_json, in_text);
  groot_error *first = NULL, *second = NULL;
  const char *record = text("{'id': 7, 'any': 'throw'}");
  CHECK_EQUAL(groot_import_text(f.context, "Thing", record, nts, NULL, NULL, &first),
              GROOT_CALLBACK_FAILED);
  CHECK_EQUAL(groot_import_text(f.context, "Thing", record, nts, NULL, NULL, &second),
              GROOT_CALLBACK_FAILED);
  close_fixture(&f);
  CHECK_EQUAL(alive(), 2);
  CHECK(groot_error_exception(first, destroy) == &destroyed[0]);
  CHECK(groot_error_exception(second, destroy) == &destroyed[1]);
  groot_error_free(first);
  CHECK(destroyed[0] == 1 && destroyed[1] == 0);
  groot_error_free(second);
  forget();
}

/* ---- results --------------------------------------------------------------------------------- */

static struct {
  const char *text;
  size_t length;
  groot_status taken; /* what groot_call_set_result returns */
  const char *stored; /* NULL: the import fails */
} results[] = {
    {"5", GROOT_NTS, GROOT_OK, "5"},
    {"[1, 2] and more", 6, GROOT_OK, "[1,2]"},
    {" {\"a\": \"\\u0000\"}\n", GROOT_NTS, GROOT_OK, "{\"a\":\"\\u0000\"}"},
    {"12345678901234567890.5", GROOT_NTS, GROOT_OK, "12345678901234567890.5"},
    {"null", GROOT_NTS, GROOT_OK, ""},
    {NULL, 3, GROOT_INVALID_ARGUMENT, ""},
    {NULL, GROOT_NTS, GROOT_INVALID_ARGUMENT, ""},
    {"5", (size_t)1 << 60, GROOT_INVALID_ARGUMENT, ""},
    {"", 0, GROOT_OK, NULL},
    {NULL, 0, GROOT_OK, NULL},
    {"  ", GROOT_NTS, GROOT_OK, NULL},
    {"{", GROOT_NTS, GROOT_OK, NULL},
    {"5 6", GROOT_NTS, GROOT_OK, NULL},
    {"nothing", GROOT_NTS, GROOT_OK, NULL},
    {"\"\xff\"", GROOT_NTS, GROOT_OK, NULL},
    {"{\"\xc0\xaf\": 1}", GROOT_NTS, GROOT_OK, NULL},
    {"\"a\0b\"", 5, GROOT_OK, NULL},
    {"[5] ", 5, GROOT_OK, NULL},
};

static groot_status give(void *userdata, const char *value, size_t size, groot_call *call) {
  (void)userdata, (void)size;
  const size_t of = (size_t)atoi(value);
  CHECK_EQUAL(groot_call_set_result(call, results[of].text, results[of].length), results[of].taken);
  return GROOT_OK;
}

static void test_results(void) {
  fixture f = open_things(0, give);
  for (size_t i = 0; i < sizeof results / sizeof results[0]; i++) {
    char record[64];
    snprintf(record, sizeof record, "{'id': 1, 'any': %zu}", i);
    const char *imported = text(record);
    groot_objects *objects = NULL;
    groot_status status =
        groot_import_text(f.context, "Thing", imported, nts, NULL, &objects, &error);
    int holds;
    if (results[i].stored) {
      holds = CHECK_OK(status) &&
              CHECK_TEXT(text_of(&f, groot_objects_at(objects, 0), "any"), results[i].stored);
    } else {
      CHECK_EQUAL(groot_error_callback_status(error), GROOT_OK);
      holds = CHECK_FAILS(status, GROOT_CALLBACK_FAILED) && CHECK_PLACE("$.any", "Thing", "any");
    }
    if (!holds) fprintf(stderr, "  for result %zu\n", i);
    groot_objects_free(objects);
  }
  check_graph(&f);
  close_fixture(&f);
}

/* A handle of another kind is not a call. */
static void test_no_call(fixture *f) {
  groot_call *none = (groot_call *)f->context;
  CHECK_EQUAL(groot_call_set_result(none, "5", 1), GROOT_INVALID_ARGUMENT);
  groot_call_set_message(none, "x", 1);
  throw(none);
  forget();
  CHECK(groot_call_userdata(none) == NULL && groot_call_path(none).size == 0);
}

int main(void) {
  for (int by_json = 0; by_json < 2; by_json++) {
    fixture f = open_things(by_json, in_text);
    test_one_error(&f);
    test_no_error(&f);
    test_in_vain(&f);
    test_batches(&f);
    test_other_calls(&f);
    test_no_call(&f);
    check_graph(&f);
    close_fixture(&f);
    test_errors_that_stay(by_json);
  }
  test_results();
  return finish("exceptions");
}
