/* One mapping, with a callback, used by four threads, each with its own context and userdata. */
#include "support.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { thread_count = 4, rounds = 30, heroes = 20 };

static const char model[] =
    "{'entities': {"
    "'Hero': {'userInfo': {'identityAttributes': 'id'}, 'attributes': {"
    "'id': {'type': 'integer64', 'userInfo': {'JSONKeyPath': 'id',"
    " 'JSONTransformerName': 'Number'}},"
    "'name': {'type': 'string', 'userInfo': {'JSONKeyPath': 'name',"
    " 'JSONTransformerName': 'Shout'}}},"
    "'relationships': {'rivals': {'destination': 'Hero', 'toMany': true, 'inverse': 'rivals',"
    " 'optional': true, 'userInfo': {'JSONKeyPath': 'rivals'}}}}}}";

enum { loudest = 64 };

/* Counts in what the call has as userdata, and writes the text in capitals. */
static groot_status raise(const char *string, size_t size, char *loud, groot_call *call) {
  int *shouts = groot_call_userdata(call);
  if (shouts) ++*shouts;
  if (!string || size >= loudest) {
    groot_call_set_message(call, "too loud", GROOT_NTS);
    return GROOT_CALLBACK_FAILED;
  }
  for (size_t i = 0; i < size; i++)
    loud[i] = string[i] >= 'a' && string[i] <= 'z' ? (char)(string[i] - 32) : string[i];
  return GROOT_OK;
}

static groot_status shout(void *userdata, const char *value, size_t size, groot_call *call) {
  (void)userdata;
  char loud[loudest];
  groot_status status = raise(value, size, loud, call);
  return status == GROOT_OK ? groot_call_set_result(call, loud, size) : status;
}

static groot_status shout_json(void *userdata, json_t *value, json_t **result, groot_call *call) {
  (void)userdata;
  char loud[loudest];
  size_t size = json_string_length(value);
  groot_status status = raise(json_string_value(value), size, loud, call);
  if (status == GROOT_OK) *result = json_stringn(loud, size);
  return status;
}

/* What one thread did; compared by the main thread, which alone may use the checks. */
typedef struct worker {
  const groot_mapping *mapping;
  groot_buffer exported;
  groot_status statuses[rounds];
  int errors_as_expected;
  int shouts;
} worker;

static void *work(void *argument) {
  worker *self = argument;
  groot_context *context = NULL;
  groot_import_options options = GROOT_IMPORT_OPTIONS_INIT;
  options.callback_userdata = &self->shouts;
  groot_context_create(self->mapping, &context, NULL);
  for (int round = 0; round < rounds; round++) {
    char json[4096];
    size_t size = 0;
    for (int i = 0; i < heroes; i++) {
      size += (size_t)snprintf(json + size, sizeof json - size,
                               "%s{\"id\": \"%d\", \"name\": \"hero %d\", \"rivals\": [\"%d\"]}",
                               i ? "," : "[", round * 10 + i, i, (round * 10 + i) / 2);
    }
    snprintf(json + size, sizeof json - size, "]");
    self->statuses[round] =
        groot_import_text(context, "Hero", json, GROOT_NTS, &options, NULL, NULL);

    groot_error *error = NULL;
    groot_status status = groot_import_text(
        context, "Hero", "{\"id\": \"x\", \"name\": \"nobody\"}", GROOT_NTS, NULL, NULL, &error);
    self->errors_as_expected +=
        status == GROOT_TRANSFORM_FAILED && groot_error_text(error).size > 0;
    groot_error_free(error);
  }
  groot_objects *all = NULL;
  groot_context_fetch(context, "Hero", NULL, &all, NULL);
  groot_export_objects_text(context, groot_objects_data(all), groot_objects_count(all), NULL,
                    &self->exported, NULL);
  groot_objects_free(all);
  groot_context_free(context);
  return NULL;
}

static void test(int by_json) {
  groot_error *error = NULL;
  groot_registry *registry = NULL;
  CHECK_OK(groot_registry_create(&registry, &error));
  CHECK_OK(groot_registry_set_builtin(registry, "Number", "integer-text", &error));
  if (by_json)
    CHECK_OK(groot_registry_set_transformer_json(registry, "Shout", shout_json, shout_json, NULL,
                                                 NULL, &error));
  else
    CHECK_OK(groot_registry_set_transformer(registry, "Shout", shout, shout, NULL, NULL, &error));
  fixture f = open_document(model, registry);

  pthread_t threads[thread_count];
  worker workers[thread_count];
  memset(workers, 0, sizeof workers);
  for (int i = 0; i < thread_count; i++) {
    workers[i].mapping = f.mapping;
    CHECK_EQUAL(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
  }
  for (int i = 0; i < thread_count; i++) CHECK_EQUAL(pthread_join(threads[i], NULL), 0);

  for (int i = 0; i < thread_count; i++) {
    for (int round = 0; round < rounds; round++) CHECK_EQUAL(workers[i].statuses[round], GROOT_OK);
    CHECK_EQUAL(workers[i].errors_as_expected, rounds);
    CHECK_EQUAL(workers[i].shouts, rounds * heroes);
    CHECK(workers[i].exported.size > 1000);
    CHECK_EQUAL(workers[i].exported.size, workers[0].exported.size);
    CHECK(workers[i].exported.data &&
          memcmp(workers[i].exported.data, workers[0].exported.data, workers[0].exported.size) ==
              0);
  }
  for (int i = 0; i < thread_count; i++) groot_buffer_free(&workers[i].exported);
  close_fixture(&f);
}

int main(void) {
  test(0);
  test(1);
  return finish("threads");
}
