/*
 * A store that is inherited by a forked child: the child is refused, and the parent's file stays
 * whole. Each child says by its exit code which of its checks failed.
 */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char model[] =
    "{'entities': {'Hero': {'userInfo': {'identityAttributes': 'id'}, 'attributes': {"
    "'id': {'type': 'integer64', 'optional': true, 'userInfo': {'JSONKeyPath': 'id'}},"
    "'name': {'type': 'string', 'optional': true, 'userInfo': {'JSONKeyPath': 'name',"
    " 'JSONTransformerName': 'Fork'}}}}}}";

static groot_context *open_store(groot_mapping *mapping, const char *path) {
  groot_error *error = NULL;
  groot_context *context = NULL;
  CHECK_OK(groot_context_open(mapping, path, NULL, &context, &error));
  return context;
}

/* What a child finds, in the order of the exit codes. */
static int try_in_child(groot_context *context, const groot_object_id *heroes) {
  groot_objects *objects = NULL;
  groot_error *error = NULL;
  groot_object_id made = 0;
  size_t count = 0;
  if (groot_context_fetch(context, "Hero", "{\"where\": {\"name\": \"Ann\"}}", &objects, &error) !=
      GROOT_STORE_FAILED)
    return 1;
  groot_string text = groot_error_text(error);
  if (!text.data || !strstr(text.data, "forked")) return 2;
  groot_error_free(error);
  if (groot_context_count(context, "Hero", NULL, &count, NULL) != GROOT_STORE_FAILED) return 3;
  if (groot_context_refresh(context, NULL) != GROOT_STORE_FAILED) return 4;
  if (groot_import_text(context, "Hero", "{\"id\": 1, \"name\": \"child\"}", GROOT_NTS, NULL, NULL,
                        NULL) != GROOT_STORE_FAILED)
    return 5;
  if (groot_object_insert(context, "Hero", &made, NULL) == GROOT_OK &&
      groot_context_save(context, NULL) != GROOT_STORE_FAILED)
    return 6;
  /* What is in memory can still be read. */
  groot_buffer json = {NULL, 0};
  if (heroes && groot_export_object_text(context, heroes[0], NULL, &json, NULL) != GROOT_OK)
    return 7;
  groot_buffer_free(&json);
  groot_context_free(context);
  return 0;
}

/*
 * Ends a child as another program: what it leaves to its parent it must not free, and valgrind would
 * call that lost.
 */
static void leave(int code) {
  char command[32];
  snprintf(command, sizeof command, "exit %d", code);
  execl("/bin/sh", "sh", "-c", command, (char *)NULL);
  _exit(127);
}

static void check_child(groot_context *context, const groot_object_id *heroes) {
  pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0) leave(try_in_child(context, heroes));
  int status = -1;
  CHECK_EQUAL(waitpid(child, &status, 0), child);
  CHECK(WIFEXITED(status));
  CHECK_EQUAL(WEXITSTATUS(status), 0);
}

/* Forks in the midst of a transaction that writes. */
typedef struct forking {
  groot_context *context;
  int wanted;
} forking;

static groot_status fork_in_import(void *userdata, const char *value, size_t size,
                                   groot_call *call) {
  forking *self = userdata;
  if (self->wanted) {
    self->wanted = 0;
    pid_t child = fork();
    if (child == 0) {
      groot_context_free(self->context);
      leave(0);
    }
    int status = -1;
    waitpid(child, &status, 0);
  }
  return groot_call_set_result(call, value, size);
}

static void check_file(groot_mapping *mapping, const char *path, size_t expected) {
  groot_context *context = open_store(mapping, path);
  groot_error *error = NULL;
  size_t count = 0;
  CHECK_OK(groot_context_count(context, "Hero", NULL, &count, &error));
  CHECK_EQUAL(count, expected);
  CHECK_OK(groot_context_check(context, &error));
  groot_context_free(context);
}

int main(void) {
  char folder[] = "/tmp/groot-forks-XXXXXX", path[64];
  if (!mkdtemp(folder)) return 1;
  strcat(strcpy(path, folder), "/heroes.db");
  groot_error *error = NULL;
  groot_registry *registry = NULL;
  forking forking = {NULL, 0};
  CHECK_OK(groot_registry_create(&registry, &error));
  CHECK_OK(groot_registry_set_transformer(registry, "Fork", fork_in_import, NULL, &forking, NULL,
                                          &error));
  fixture f = open_document(model, registry);

  groot_context *context = open_store(f.mapping, path);
  groot_objects *heroes = NULL;
  CHECK_OK(groot_import_text(context, "Hero",
                             "[{\"id\": 1, \"name\": \"Ann\"}, {\"id\": 2, \"name\": \"Bob\"}]",
                             GROOT_NTS, NULL, &heroes, &error));
  CHECK_OK(groot_context_save(context, &error));
  check_child(context, groot_objects_data(heroes));
  groot_objects_free(heroes);

  /* The parent goes on. */
  CHECK_OK(groot_import_text(context, "Hero", "{\"id\": 3, \"name\": \"Cid\"}", GROOT_NTS, NULL,
                             NULL, &error));
  CHECK_OK(groot_context_save(context, &error));

  groot_import_options options = GROOT_IMPORT_OPTIONS_INIT;
  options.batch_size = 2;
  forking.context = context;
  forking.wanted = 1;
  CHECK_OK(groot_import_text(context, "Hero",
                             "[{\"id\": 4, \"name\": \"a\"}, {\"id\": 5, \"name\": \"b\"},"
                             " {\"id\": 6, \"name\": \"c\"}, {\"id\": 7, \"name\": \"d\"}]",
                             GROOT_NTS, &options, NULL, &error));
  CHECK_EQUAL(forking.wanted, 0);
  check_child(context, NULL);
  check_file(f.mapping, path, 7);
  groot_context_free(context);
  check_file(f.mapping, path, 7);

  unlink(path);
  rmdir(folder);
  close_fixture(&f);
  return finish("forks");
}
