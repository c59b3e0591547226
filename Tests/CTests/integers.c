/* Whole numbers: those of text are what its digits say, those of a json_t are its doubles. */
#include "support.h"

static groot_error *error;

static size_t found(fixture *f, const char *request) {
  size_t count = 0;
  CHECK_OK(groot_context_count(f->context, "Thing", text(request), &count, &error));
  return count;
}

static void check_refused(fixture *f, const char *request) {
  size_t count = 0;
  CHECK_FAILS(groot_context_count(f->context, "Thing", text(request), &count, &error),
              GROOT_WRONG_TYPE);
}

static void test_predicates(fixture *f) {
  import_one(f, "Thing", "{'n': 9007199254740992.0}");
  import_one(f, "Thing", "{'n': 9007199254740993.0}");
  import_one(f, "Thing", "{'n': 9007199254740994.0}");
  CHECK_EQUAL(found(f, "{'where': {'n': 9007199254740993.0}}"), 1);
  CHECK_EQUAL(found(f, "{'where': {'n': {'>': 9007199254740993.0}}}"), 1);
  CHECK_EQUAL(found(f, "{'where': {'n': {'in': [9007199254740993.0, 9007199254740994e0]}}}"), 2);
  check_refused(f, "{'where': {'n': 9007199254740992.5}}");
  check_refused(f, "{'where': {'n': {'<': 1e-400}}}");
}

static void test_json(fixture *f) {
  json_t *record = json_pack("{s:f}", "n", 9007199254740992.0);
  groot_objects *objects = NULL;
  CHECK_OK(groot_import_json(f->context, "Thing", record, NULL, &objects, &error));
  CHECK_EQUAL(integer_of(f, groot_objects_at(objects, 0), "n"), 9007199254740992);
  groot_objects_free(objects);
  json_object_set_new(record, "n", json_real(2.5));
  CHECK_FAILS(groot_import_json(f->context, "Thing", record, NULL, NULL, &error),
              GROOT_WRONG_TYPE);
  json_decref(record);
}

int main(void) {
  fixture f = open_document(
      "{'entities': {'Thing': {'attributes': {'n': {'type': 'integer64', 'optional': true,"
      " 'userInfo': {'JSONKeyPath': 'n'}}}}}}",
      NULL);
  test_predicates(&f);
  test_json(&f);
  check_graph(&f);
  close_fixture(&f);
  return finish("integers");
}
