/* What a callback is told: userdata of the call, entity, property and path, in each kind of call.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support.h"

static groot_error *error;
static const size_t nts = GROOT_NTS;

/* Heroes go through D, their names through T; a pet goes through M, what it says through T. */
static const char document[] =
    "{'entities': {"
    "'Hero': {'userInfo': {'identityAttributes': 'id', 'JSONDictionaryTransformerName': 'D'},"
    " 'attributes': {'id': {'type': 'integer64', 'userInfo': {'JSONKeyPath': 'id'}},"
    " 'name': {'type': 'string', 'optional': true,"
    "  'userInfo': {'JSONKeyPath': 'title.name', 'JSONTransformerName': 'T'}}},"
    " 'relationships': {'friends': {'destination': 'Hero', 'toMany': true, 'optional': true,"
    "  'userInfo': {'JSONKeyPath': 'friends'}},"
    " 'pet': {'destination': 'Pet', 'optional': true, 'userInfo': {'JSONKeyPath': 'pet'}}}},"
    "'Pet': {'abstract': true, 'userInfo': {'entityMapperName': 'M'}},"
    "'Dog': {'parent': 'Pet', 'attributes': {'says': {'type': 'string', 'optional': true,"
    " 'userInfo': {'JSONKeyPath': 'says', 'JSONTransformerName': 'T'}}}}}}";

static const char heroes[] =
    "[{'id': 1, 'title': {'name': 'a'}, 'friends': [{'id': 2}, {'id': 3, 'title': {'name': 'c'}}]},"
    " {'id': 4, 'pet': {'says': 'w'}}]";

/* ---- callbacks that note what they are told -------------------------------------------------- */

static char told[4096];

static const char *shown(groot_string text) {
  CHECK((text.size == 0) == (text.data == NULL));
  CHECK(text.size == 0 || text.data[text.size] == '\0');
  return text.size ? text.data : "-";
}

/* Adds a line: the function, entity, property, path, and the userdata, which is a text. */
static void note(const char *function, groot_call *call) {
  const char *userdata = groot_call_userdata(call);
  /* All of them stay until the call ends. */
  groot_string path = groot_call_path(call), entity = groot_call_entity(call);
  groot_string property = groot_call_property(call), again = groot_call_path(call);
  CHECK(path.size == again.size);
  size_t size = strlen(told);
  snprintf(told + size, sizeof told - size, "%s %s %s %s %s\n", function, shown(entity),
           shown(property), shown(path), userdata ? userdata : "-");
}

static groot_status same(void *userdata, const char *value, size_t size, groot_call *call) {
  note(userdata, call);
  CHECK(value[size] == '\0');
  return groot_call_set_result(call, value, size);
}

static groot_status same_json(void *userdata, json_t *value, json_t **result, groot_call *call) {
  note(userdata, call);
  *result = json_incref(value);
  return GROOT_OK;
}

static groot_status reverse(void *userdata, const char *value, size_t size, groot_call *call) {
  (void)userdata;
  return same("reverse", value, size, call);
}

static groot_status reverse_json(void *userdata, json_t *value, json_t **result, groot_call *call) {
  (void)userdata;
  return same_json("reverse", value, result, call);
}

static groot_status dog(void *userdata, const char *value, size_t size, groot_call *call) {
  (void)value, (void)size;
  note(userdata, call);
  return groot_call_set_result(call, "\"Dog\"", nts);
}

static groot_status dog_json(void *userdata, json_t *value, json_t **result, groot_call *call) {
  (void)value;
  note(userdata, call);
  *result = json_string("Dog");
  return GROOT_OK;
}

static fixture open_heroes(int by_json) {
  groot_registry *r = NULL;
  CHECK_OK(groot_registry_create(&r, &error));
  if (by_json) {
    CHECK_OK(
        groot_registry_set_transformer_json(r, "T", same_json, reverse_json, "T", NULL, &error));
    CHECK_OK(groot_registry_set_entity_mapper_json(r, "M", dog_json, "M", NULL, &error));
    CHECK_OK(groot_registry_set_dictionary_transformer_json(r, "D", same_json, "D", NULL, &error));
  } else {
    CHECK_OK(groot_registry_set_transformer(r, "T", same, reverse, "T", NULL, &error));
    CHECK_OK(groot_registry_set_entity_mapper(r, "M", dog, "M", NULL, &error));
    CHECK_OK(groot_registry_set_dictionary_transformer(r, "D", same, "D", NULL, &error));
  }
  return open_document(document, r);
}

/* ---- the order of what is told does not matter ----------------------------------------------- */

static int by_text(const void *left, const void *right) {
  return strcmp(*(char *const *)left, *(char *const *)right);
}

/* The lines were told, and no others; begins anew. */
static void check_told(const char *const *lines, const char *file, int line) {
  char *found[64], expected[4096] = "", actual[4096] = "";
  size_t count = 0;
  for (char *next = strtok(told, "\n"); next && count < 64; next = strtok(NULL, "\n"))
    found[count++] = next;
  qsort(found, count, sizeof *found, by_text);
  for (size_t i = 0; i < count; i++) strcat(strcat(actual, found[i]), "\n");
  for (; *lines; lines++) strcat(strcat(expected, *lines), "\n");
  if (!check(strcmp(actual, expected) == 0, "what is told", file, line))
    fprintf(stderr, "is\n%sexpected\n%s", actual, expected);
  told[0] = '\0';
}

#define CHECK_TOLD(...) check_told((const char *const[]){__VA_ARGS__, NULL}, __FILE__, __LINE__)

/* ---- each kind of call ----------------------------------------------------------------------- */

static groot_objects *import_heroes(fixture *f) {
  groot_import_options options = GROOT_IMPORT_OPTIONS_INIT;
  groot_objects *objects = NULL;
  options.callback_userdata = "import";
  CHECK_OK(groot_import_text(f->context, "Hero", text(heroes), nts, &options, &objects, &error));
  return objects;
}

#define TOLD_OF_HEROES(call)                                                                    \
  CHECK_TOLD("D Hero - $[0] " call, "D Hero - $[0].friends[0] " call,                           \
             "D Hero - $[0].friends[1] " call, "D Hero - $[1] " call, "M Pet - $[1].pet " call, \
             "T Dog says $[1].pet.says " call, "T Hero name $[0].friends[1].title.name " call,  \
             "T Hero name $[0].title.name " call)

static void test_imports(fixture *f) {
  groot_import_options options = GROOT_IMPORT_OPTIONS_INIT;
  groot_objects_free(import_heroes(f));
  TOLD_OF_HEROES("import");
  CHECK_OK(groot_import_text(f->context, "Hero", text(heroes), nts, NULL, NULL, &error));
  TOLD_OF_HEROES("-");
  json_t *tree = json(heroes);
  options.callback_userdata = "tree";
  CHECK_OK(groot_import_json(f->context, "Hero", tree, &options, NULL, &error));
  TOLD_OF_HEROES("tree");
  json_decref(tree);
  groot_stream *stream = NULL;
  options.callback_userdata = "stream";
  CHECK_OK(groot_stream_begin(f->context, "Hero", &options, &stream, &error));
  CHECK_OK(groot_stream_write(stream, text(heroes), strlen(heroes), &error));
  CHECK_OK(groot_stream_finish(stream, NULL, &error));
  TOLD_OF_HEROES("stream");

  options.root_path = "/data/1";
  const char *inside = text("{'data': [0, [{'id': 1, 'title': {'name': 'a'}}]]}");
  CHECK_OK(groot_import_text(f->context, "Hero", inside, nts, &options, NULL, &error));
  CHECK_TOLD("D Hero - $.data[1][0] stream", "T Hero name $.data[1][0].title.name stream");
}

static void test_syncs(fixture *f) {
  groot_sync_options options = GROOT_SYNC_OPTIONS_INIT;
  options.callback_userdata = "sync";
  CHECK_OK(groot_sync_text(f->context, "Hero", text(heroes), nts, &options, NULL, &error));
  TOLD_OF_HEROES("sync");
  json_t *tree = json(heroes);
  CHECK_OK(groot_sync_json(f->context, "Hero", tree, &options, NULL, &error));
  TOLD_OF_HEROES("sync");
  json_decref(tree);
}

static void test_fills(fixture *f, groot_object_id hero) {
  groot_import_options options = GROOT_IMPORT_OPTIONS_INIT;
  const char *filled = text("{'title': {'name': 'b'}}");
  json_t *tree = json("{'title': {'name': 'b'}}");
  options.callback_userdata = "fill";
  CHECK_OK(groot_object_fill_text(f->context, hero, filled, nts, &options, &error));
  CHECK_TOLD("D Hero - $ fill", "T Hero name $.title.name fill");
  CHECK_OK(groot_object_fill_json(f->context, hero, tree, &options, &error));
  CHECK_TOLD("D Hero - $ fill", "T Hero name $.title.name fill");
  CHECK_OK(groot_object_fill_json(f->context, hero, tree, NULL, &error));
  CHECK_TOLD("D Hero - $ -", "T Hero name $.title.name -");
  json_decref(tree);
}

static void test_exports(fixture *f, const groot_objects *objects) {
  const groot_object_id *ids = groot_objects_data(objects);
  groot_export_options options = GROOT_EXPORT_OPTIONS_INIT;
  groot_buffer buffer = {NULL, 0};
  json_t *exported = NULL;
  options.callback_userdata = "export";
  CHECK_OK(groot_export_objects_text(f->context, ids, 2, &options, &buffer, &error));
  groot_buffer_free(&buffer);
  CHECK_TOLD("reverse Dog says - export", "reverse Hero name - export",
             "reverse Hero name - export");
  CHECK_OK(groot_export_objects_json(f->context, ids, 2, &options, &exported, &error));
  groot_json_free(exported);
  CHECK_TOLD("reverse Dog says - export", "reverse Hero name - export",
             "reverse Hero name - export");
  CHECK_OK(groot_export_object_text(f->context, ids[1], NULL, &buffer, &error));
  groot_buffer_free(&buffer);
  CHECK_TOLD("reverse Dog says - -");
}

static groot_status swallow(void *userdata, const char *data, size_t size) {
  (void)userdata, (void)data, (void)size;
  return GROOT_OK;
}

static void test_exports_in_pieces(fixture *f, groot_object_id hero) {
  groot_export_options options = GROOT_EXPORT_OPTIONS_INIT;
  options.callback_userdata = "write";
  CHECK_OK(groot_export_objects_write(f->context, &hero, 1, &options, swallow, NULL, &error));
  CHECK_TOLD("reverse Hero name - write", "reverse Hero name - write");
  options.callback_userdata = "fetch";
  CHECK_OK(groot_export_fetch_write(f->context, "Pet", "{\"limit\": 1}", &options, swallow, NULL,
                                    &error));
  CHECK_TOLD("reverse Dog says - fetch");
}

/* Into a store, record by record. */
static void test_batches(fixture *f) {
  char folder[] = "/tmp/groot-calls-XXXXXX", path[64];
  if (!CHECK(mkdtemp(folder) != NULL)) return;
  snprintf(path, sizeof path, "%s/store.sqlite", folder);
  fixture stored = *f;
  CHECK_OK(groot_context_open(f->mapping, path, NULL, &stored.context, &error));
  groot_import_options options = GROOT_IMPORT_OPTIONS_INIT;
  options.callback_userdata = "batch";
  options.batch_size = 1;
  CHECK_OK(groot_import_text(stored.context, "Hero", text(heroes), nts, &options, NULL, &error));
  TOLD_OF_HEROES("batch");
  CHECK_EQUAL(count_of(&stored, "Hero"), 4);
  groot_context_free(stored.context);
  unlink(path);
  CHECK_EQUAL(rmdir(folder), 0);
}

/* The rules of a mapping name functions, too. */
static void test_rules(fixture *f) {
  groot_mapping_options rules = GROOT_MAPPING_OPTIONS_INIT;
  groot_mapping *mapping = NULL;
  rules.dialect = "kvc";
  rules.rules = text("{'heroes': {'Hero.id': {'number': 'id', 'called': 'T:name'}}}");
  rules.rules_length = nts;
  CHECK_OK(groot_mapping_create(f->model, f->registry, &rules, &mapping, &error));
  groot_import_options options = GROOT_IMPORT_OPTIONS_INIT;
  options.callback_userdata = "rules";
  options.mapping = mapping;
  const char *envelope = text("{'heroes': [{'number': 1, 'called': 'x'}]}");
  CHECK_OK(groot_import_text(f->context, NULL, envelope, nts, &options, NULL, &error));
  CHECK_TOLD("D Hero - $.heroes[0] rules", "T Hero name $.heroes[0].called rules");
  groot_mapping_free(mapping);
}

int main(void) {
  for (int by_json = 0; by_json < 2; by_json++) {
    fixture f = open_heroes(by_json);
    test_imports(&f);
    test_syncs(&f);
    groot_objects *objects = import_heroes(&f);
    TOLD_OF_HEROES("import");
    test_exports(&f, objects);
    test_fills(&f, groot_objects_at(objects, 0));
    test_exports_in_pieces(&f, groot_objects_at(objects, 0));
    test_batches(&f);
    test_rules(&f);
    groot_objects_free(objects);
    check_graph(&f);
    close_fixture(&f);
  }
  return finish("calls");
}
