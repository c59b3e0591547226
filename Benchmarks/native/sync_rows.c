/* Synchronizes as many objects as there are already: a tenth of them is missing from the list, half
 * of them are changed there, and a tenth of the list is new. */
#include "groot_setup.h"

#include <stdio.h>
#include <stdlib.h>

static const char document[] =
    "{\"entities\": {\"User\": {\"attributes\": {"
    "\"remoteID\": {\"type\": \"integer64\", \"optional\": true},"
    "\"name\": {\"type\": \"string\", \"optional\": true},"
    "\"emailAddress\": {\"type\": \"string\", \"optional\": true},"
    "\"age\": {\"type\": \"integer16\", \"optional\": true},"
    "\"updatedAt\": {\"type\": \"date\", \"optional\": true}}}}}";

static groot_context *open_users(void) {
  groot_error *error = NULL;
  groot_model *model = NULL;
  groot_mapping *mapping = NULL;
  must(groot_model_create(document, GROOT_NTS, &model, &error), error);
  groot_mapping_options options = GROOT_MAPPING_OPTIONS_INIT;
  options.dialect = "hyper";
  must(groot_mapping_create(model, NULL, &options, &mapping, &error), error);
  groot_context *context = open_context(mapping);
  groot_mapping_free(mapping);
  groot_model_free(model);
  return context;
}

static size_t write_user(char *to, size_t id, const char *name) {
  return (size_t)sprintf(to,
                         ",{\"id\":%zu,\"name\":\"%s %zu\",\"email_address\":\"%zu@example.com\","
                         "\"age\":%zu,\"updated_at\":\"2016-%02zu-%02zuT%02zu:40:08Z\"}",
                         id, name, id, id, id % 90, id % 12 + 1, id % 28 + 1, id % 24);
}

static char *list(size_t count, int is_second, size_t *size) {
  enum { longest = 192 };
  const size_t end = is_second ? count + count / 10 : count;
  char *text = malloc(end * longest + 2);
  bench_require(text != NULL, "no memory");
  *size = 0;
  for (size_t id = 0; id < end; id++) {
    if (is_second && id < count && id % 10 == 9) continue;
    *size += write_user(text + *size, id, is_second && id % 2 == 0 ? "Changed" : "User");
  }
  text[0] = '[';
  text[(*size)++] = ']';
  return text;
}

static void require_report(json_t *report, const char *key, size_t expected) {
  bench_require((size_t)json_integer_value(json_object_get(report, key)) == expected, key);
}

static void sync(const bench_input *input) {
  const size_t tenth = input->count / 10;
  bench_require(input->count % 10 == 0, "the count is not a multiple of ten");
  size_t first_size, second_size;
  char *first = list(input->count, 0, &first_size);
  char *second = list(input->count, 1, &second_size);
  groot_context *context = open_users();
  groot_sync_options options = GROOT_SYNC_OPTIONS_INIT;
  groot_error *error = NULL;
  groot_buffer text = {NULL, 0};
  must(groot_sync_text(context, "User", first, first_size, NULL, NULL, &error), error);
  must(groot_context_save(context, &error), error);
  options.report = &text;
  bench_begin();
  must(groot_sync_text(context, "User", second, second_size, &options, NULL, &error),
       error);
  bench_end(input->count);
  json_t *report = json_loadb(text.data, text.size, 0, NULL);
  require_report(report, "inserted", tenth);
  require_report(report, "deleted", tenth);
  require_report(report, "updated", 5 * tenth);
  require_report(report, "unchanged", 4 * tenth);
  json_decref(report);
  groot_buffer_free(&text);
  groot_context_free(context);
  free(first);
  free(second);
}

const bench_entry bench_sync_rows[] = {{"sync", sync}, {NULL, NULL}};
