/*
 * A store in PostgreSQL, on the server that GROOT_POSTGRESQL names (Tests/PostgreSQL/server), and the
 * refusals that need none.
 */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char model[] =
    "{'entities': {'Hero': {'userInfo': {'identityAttributes': 'id'}, 'attributes': {"
    "'id': {'type': 'integer64', 'optional': true, 'userInfo': {'JSONKeyPath': 'id'}},"
    "'name': {'type': 'string', 'optional': true, 'userInfo': {'JSONKeyPath': 'name'}}}}}}";

static size_t heroes_in(groot_context *context) {
  groot_error *error = NULL;
  size_t count = 0;
  CHECK_OK(groot_context_count(context, "Hero", NULL, &count, &error));
  return count;
}

static void an_opened_url_is_a_store(groot_mapping *mapping, const char *url) {
  groot_error *error = NULL;
  groot_context *context = NULL, *other = NULL;
  CHECK_OK(groot_context_open(mapping, url, NULL, &context, &error));
  CHECK_OK(groot_import_text(context, "Hero", "[{\"id\": 1, \"name\": \"Batman\"}, {\"id\": 2}]",
                             GROOT_NTS, NULL, NULL, &error));
  CHECK_OK(groot_context_save(context, &error));
  CHECK_OK(groot_context_open(mapping, url, NULL, &other, &error));
  CHECK_EQUAL(heroes_in(other), 2);
  CHECK_OK(groot_import_text(other, "Hero", "{\"id\": 3}", GROOT_NTS, NULL, NULL, &error));
  CHECK_OK(groot_context_save(other, &error));
  /* A snapshot lasts until the context refreshes. */
  CHECK_EQUAL(heroes_in(context), 2);
  CHECK_OK(groot_context_refresh(context, &error));
  CHECK_EQUAL(heroes_in(context), 3);
  groot_context_free(other);
  groot_context_free(context);
}

static void refused(groot_mapping *mapping, const char *url, const groot_store_options *options,
                    groot_status status) {
  groot_error *error = NULL;
  groot_context *context = NULL;
  CHECK_EQUAL(groot_context_open(mapping, url, options, &context, &error), status);
  CHECK(context == NULL);
  groot_string text = groot_error_text(error);
  CHECK(text.data && !strstr(text.data, "secret"));
  groot_error_free(error);
}

int main(void) {
  fixture fixture = open_document(model, NULL);
  groot_store_options options = GROOT_STORE_OPTIONS_INIT;
  refused(fixture.mapping, "postgresql:///x?groot.nothing=1", NULL, GROOT_INVALID_ARGUMENT);
  refused(fixture.mapping, "postgresql://u:secret@/x?host=/nowhere", NULL, GROOT_STORE_DISCONNECTED);
  options.backup = "copy.sqlite";
  refused(fixture.mapping, "postgresql:///x", &options, GROOT_UNSUPPORTED);
  const char *server = getenv("GROOT_POSTGRESQL");
  if (server) {
    char url[1024];
    snprintf(url, sizeof url, "%s&groot.schema=c_test", server);
    an_opened_url_is_a_store(fixture.mapping, url);
    options = (groot_store_options)GROOT_STORE_OPTIONS_INIT;
    options.flags = GROOT_STORE_NO_CREATE;
    snprintf(url, sizeof url, "%s&groot.schema=nothing_here", server);
    refused(fixture.mapping, url, &options, GROOT_FILE_ERROR);
  } else {
    fputs("GROOT_POSTGRESQL names no server: only refusals are tested\n", stderr);
  }
  close_fixture(&fixture);
  return finish("postgresql");
}
