/* Options that are all 0 ask for the defaults, as NULL does; what the init functions write. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support.h"

static groot_error *error;
static const size_t nts = GROOT_NTS;

/* Sets options to 0 by hand, as a language without the header's macros does. */
#define ZERO(options) \
  (memset(&(options), 0, sizeof(options)), (options).struct_size = sizeof(options))

/* ---- the init functions ---------------------------------------------------------------------- */

enum { ROOM = 256 };

typedef void (*init_function)(void *options, size_t size);

#define INIT(type)                                                                                \
  static void type##_init_any(void *options, size_t size) { type##_init((type *)options, size); } \
  static const type type##_macro
INIT(groot_import_options) = GROOT_IMPORT_OPTIONS_INIT;
INIT(groot_sync_options) = GROOT_SYNC_OPTIONS_INIT;
INIT(groot_export_options) = GROOT_EXPORT_OPTIONS_INIT;
INIT(groot_mapping_options) = GROOT_MAPPING_OPTIONS_INIT;
INIT(groot_store_options) = GROOT_STORE_OPTIONS_INIT;

#define ROW(type) {type##_init_any, &type##_macro, sizeof(type)}

static const struct {
  init_function init;
  const void *macro;
  size_t size;
} inits[] = {ROW(groot_import_options), ROW(groot_sync_options), ROW(groot_export_options),
             ROW(groot_mapping_options), ROW(groot_store_options)};
#define INITS (sizeof inits / sizeof inits[0])

/* So many bytes are as they were before. */
static int is_untouched(const unsigned char *bytes, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (bytes[i] != 0xA5) return 0;
  return 1;
}

/* Of each size as many bytes are set: all 0 but the size itself, which comes first. */
static void test_sizes_of_init(size_t of) {
  size_t aligned[ROOM / sizeof(size_t)];
  unsigned char *bytes = (unsigned char *)aligned;
  for (size_t size = sizeof(size_t); size <= ROOM / 2; size += sizeof(size_t)) {
    memset(bytes, 0xA5, ROOM);
    inits[of].init(bytes, size);
    CHECK_EQUAL(aligned[0], size);
    int zeros = 1;
    for (size_t i = sizeof(size_t); i < size; i++) zeros &= bytes[i] == 0;
    CHECK(zeros);
    CHECK(is_untouched(bytes + size, ROOM - size));
  }
  /* No room for the size, and more than any struct has: nothing is written. */
  const size_t none[] = {0, 1, sizeof(size_t) - 1, (size_t)1 << 40, SIZE_MAX};
  for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
    memset(bytes, 0xA5, ROOM);
    inits[of].init(bytes, none[i]);
    CHECK(is_untouched(bytes, ROOM));
  }
  inits[of].init(NULL, inits[of].size);
  inits[of].init(NULL, 0);
}

static void test_init_functions(void) {
  for (size_t of = 0; of < INITS; of++) {
    size_t aligned[ROOM / sizeof(size_t)];
    memset(aligned, 0xA5, ROOM);
    inits[of].init(aligned, inits[of].size);
    CHECK(memcmp(aligned, inits[of].macro, inits[of].size) == 0);
    CHECK(is_untouched((unsigned char *)aligned + inits[of].size, ROOM - inits[of].size));
    test_sizes_of_init(of);
  }
}

/* ---- what the defaults are ------------------------------------------------------------------- */

static const char nodes[] =
    "{'entities': {'Node': {'userInfo': {'identityAttributes': 'id'}, 'attributes': {"
    "'id': {'type': 'integer64', 'userInfo': {'JSONKeyPath': 'id'}},"
    "'name': {'type': 'string', 'optional': true, 'userInfo': {'JSONKeyPath': 'name'}}},"
    "'relationships': {'next': {'destination': 'Node', 'optional': true,"
    " 'userInfo': {'JSONKeyPath': 'next'}}}}}}";

static const char chain[] =
    "{'id': 1, 'name': 'a', 'next': {'id': 2, 'name': 'b', 'next':"
    " {'id': 3, 'name': 'c', 'next': {'id': 4, 'name': 'd', 'next': null}}}}";

/* What was exported, in all ways that take options. */
static void check_exports(fixture *f, groot_object_id first, const groot_export_options *options,
                          const char *expected) {
  groot_buffer buffer = {NULL, 0};
  json_t *json = NULL;
  CHECK_OK(groot_export_object_text(f->context, first, options, &buffer, &error));
  CHECK_JSON(taken(&buffer), expected);
  CHECK_OK(groot_export_object_json(f->context, first, options, &json, &error));
  CHECK_JSON(json, expected);
  CHECK_OK(groot_export_objects_text(f->context, &first, 1, options, &buffer, &error));
  json_t *list = taken(&buffer);
  CHECK_JSON(json_incref(json_array_get(list, 0)), expected);
  json_decref(list);
}

static void test_export(void) {
  fixture f = open_document(nodes, NULL);
  groot_object_id first = import_one(&f, "Node", chain);
  groot_export_options options;
  ZERO(options);
  check_exports(&f, first, &options, chain);
  check_exports(&f, first, NULL, chain);
  groot_export_options_init(&options, sizeof options);
  check_exports(&f, first, &options, chain);
  options.flags = GROOT_EXPORT_DEPTH;
  check_exports(&f, first, &options, "{'id': 1, 'name': 'a', 'next': {'id': 2}}");
  options.depth = 2;
  check_exports(&f, first, &options,
                "{'id': 1, 'name': 'a', 'next': {'id': 2, 'name': 'b', 'next':"
                " {'id': 3, 'name': 'c', 'next': {'id': 4}}}}");
  close_fixture(&f);
}

/* The graph after a call with options that are NULL, zeroed, or made by the init function. */
enum form { NONE, ZEROED, MADE, FORMS };

static char *after_import(enum form form) {
  fixture f = open_document(nodes, NULL);
  groot_import_options zeroed, made;
  const groot_import_options *options[] = {NULL, &zeroed, &made};
  ZERO(zeroed);
  groot_import_options_init(&made, sizeof made);
  CHECK_OK(groot_import_text(f.context, "Node", text(chain), nts, options[form], NULL, &error));
  CHECK_FAILS(groot_import_text(f.context, "Node", text("[{'id': 9}, {'id': 'x'}, {'id': 'y'}]"),
                                nts, options[form], NULL, &error),
              GROOT_WRONG_TYPE);
  CHECK_EQUAL(issue.count, 1); /* the first one ends it */
  CHECK_OK(groot_object_fill_text(f.context, import_one(&f, "Node", "{'id': 2}"),
                                  text("{'name': 'filled'}"), nts, options[form], &error));
  char *graph = snapshot(&f);
  close_fixture(&f);
  return graph;
}

static char *after_sync(enum form form) {
  fixture f = open_document(nodes, NULL);
  groot_sync_options zeroed, made;
  const groot_sync_options *options[] = {NULL, &zeroed, &made};
  ZERO(zeroed);
  groot_sync_options_init(&made, sizeof made);
  groot_objects_free(import(&f, "Node", "[{'id': 1, 'name': 'a'}, {'id': 2}, {'id': 3}]"));
  CHECK_OK(groot_sync_text(f.context, "Node", text("[{'id': 2, 'name': 'new'}, {'id': 7}]"), nts,
                           options[form], NULL, &error));
  CHECK_EQUAL(count_of(&f, "Node"), 2);
  char *graph = snapshot(&f);
  close_fixture(&f);
  return graph;
}

/* A store is made, and one that is there is opened; the mapping is one of annotations. */
static char *after_saving(enum form form) {
  char folder[] = "/tmp/groot-defaults-XXXXXX", path[64];
  if (!CHECK(mkdtemp(folder) != NULL)) return calloc(1, 1);
  snprintf(path, sizeof path, "%s/store.sqlite", folder);
  fixture f = open_document(nodes, NULL);
  groot_mapping_options zeroed, made;
  groot_store_options zeroed_store, made_store;
  const groot_mapping_options *options[] = {NULL, &zeroed, &made};
  const groot_store_options *stores[] = {NULL, &zeroed_store, &made_store};
  ZERO(zeroed);
  ZERO(zeroed_store);
  groot_mapping_options_init(&made, sizeof made);
  groot_store_options_init(&made_store, sizeof made_store);
  groot_context_free(f.context);
  groot_mapping_free(f.mapping);
  CHECK_OK(groot_mapping_create(f.model, NULL, options[form], &f.mapping, &error));
  CHECK_OK(groot_context_open(f.mapping, path, stores[form], &f.context, &error));
  import_one(&f, "Node", chain);
  CHECK_OK(groot_context_save(f.context, &error));
  groot_context_free(f.context);
  CHECK_OK(groot_context_open(f.mapping, path, stores[form], &f.context, &error));
  char *graph = snapshot(&f);
  close_fixture(&f);
  unlink(path);
  CHECK_EQUAL(rmdir(folder), 0);
  return graph;
}

static void compare_forms(char *(*after)(enum form form)) {
  char *expected = after(NONE);
  for (int form = ZEROED; form < FORMS; form++) {
    char *graph = after((enum form)form);
    CHECK(strcmp(graph, expected) == 0);
    free(graph);
  }
  free(expected);
}

int main(void) {
  test_init_functions();
  test_export();
  compare_forms(after_import);
  compare_forms(after_sync);
  compare_forms(after_saving);
  return finish("defaults");
}
