/* One mapping, with a callback, used by four threads at once, each with its own context. */
#include "support.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { thread_count = 4, rounds = 30 };

static const char model[] =
    "{'entities': {"
    "'Hero': {'userInfo': {'identityAttributes': 'id'}, 'attributes': {"
    "'id': {'type': 'integer64', 'userInfo': {'JSONKeyPath': 'id',"
    " 'JSONTransformerName': 'Number'}},"
    "'name': {'type': 'string', 'userInfo': {'JSONKeyPath': 'name',"
    " 'JSONTransformerName': 'Shout'}}},"
    "'relationships': {'rivals': {'destination': 'Hero', 'toMany': true, 'inverse': 'rivals',"
    " 'optional': true, 'userInfo': {'JSONKeyPath': 'rivals'}}}}}}";

static groot_status shout(void *userdata, json_t *value, json_t **result, groot_call *call) {
  (void)userdata;
  char loud[64];
  size_t size = json_string_length(value);
  const char *string = json_string_value(value);
  if (!string || size >= sizeof loud) {
    groot_call_set_message(call, "too loud", GROOT_NTS);
    return GROOT_CALLBACK_FAILED;
  }
  for (size_t i = 0; i < size; i++)
    loud[i] = string[i] >= 'a' && string[i] <= 'z' ? (char)(string[i] - 32) : string[i];
  *result = json_stringn(loud, size);
  return GROOT_OK;
}

/* What one thread did; compared by the main thread, which alone may use the checks. */
typedef struct worker {
  const groot_mapping *mapping;
  groot_buffer exported;
  groot_status statuses[rounds];
  int errors_as_expected;
} worker;

static void *work(void *argument) {
  worker *self = argument;
  groot_context *context = NULL;
  groot_context_create(self->mapping, &context, NULL);
  for (int round = 0; round < rounds; round++) {
    char json[4096];
    size_t size = 0;
    for (int i = 0; i < 20; i++) {
      size += (size_t)snprintf(json + size, sizeof json - size,
                               "%s{\"id\": \"%d\", \"name\": \"hero %d\", \"rivals\": [\"%d\"]}",
                               i ? "," : "[", round * 10 + i, i, (round * 10 + i) / 2);
    }
    snprintf(json + size, sizeof json - size, "]");
    self->statuses[round] = groot_import_text(context, "Hero", json, GROOT_NTS, NULL, NULL, NULL);

    groot_error *error = NULL;
    groot_status status = groot_import_text(
        context, "Hero", "{\"id\": \"x\", \"name\": \"nobody\"}", GROOT_NTS, NULL, NULL, &error);
    self->errors_as_expected +=
        status == GROOT_TRANSFORM_FAILED && groot_error_text(error).size > 0;
    groot_error_free(error);
  }
  groot_objects *all = NULL;
  groot_context_fetch(context, "Hero", NULL, &all, NULL);
  groot_export_text(context, groot_objects_data(all), groot_objects_count(all), NULL, &self->exported,
                    NULL);
  groot_objects_free(all);
  groot_context_free(context);
  return NULL;
}

int main(void) {
  groot_error *error = NULL;
  groot_registry *registry = NULL;
  CHECK_OK(groot_registry_create(&registry, &error));
  CHECK_OK(groot_registry_set_builtin(registry, "Number", "integer-text", &error));
  CHECK_OK(
      groot_registry_set_transformer_json(registry, "Shout", shout, shout, NULL, NULL, &error));
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
    CHECK(workers[i].exported.size > 1000);
    CHECK_EQUAL(workers[i].exported.size, workers[0].exported.size);
    CHECK(workers[i].exported.data &&
          memcmp(workers[i].exported.data, workers[0].exported.data, workers[0].exported.size) ==
              0);
  }
  for (int i = 0; i < thread_count; i++) groot_buffer_free(&workers[i].exported);
  close_fixture(&f);
  return finish("threads");
}
