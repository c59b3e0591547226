/* What is done at each size. A new operation is a line at the end. */
#include "growth.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- models ---------------------------------------------------------------------------------- */

/* Written with ' instead of ". */
static const char feed_model[] =
    "{'entities': {"
    "'Unit': {'userInfo': {'identityAttributes': 'id'}, 'attributes': {"
    "  'id': {'type': 'integer64', 'userInfo': {'JSONKeyPath': 'id'}},"
    "  'name': {'type': 'string', 'optional': true, 'pattern': '[a-z]+ [0-9]+',"
    "    'userInfo': {'JSONKeyPath': 'name'}}},"
    " 'relationships': {"
    "  'items': {'destination': 'Item', 'toMany': true, 'ordered': true, 'optional': true,"
    "    'inverse': 'unit', 'deleteRule': 'cascade', 'userInfo': {'JSONKeyPath': 'items'}},"
    "  'peers': {'destination': 'Unit', 'toMany': true, 'optional': true, 'inverse': 'peers',"
    "    'userInfo': {'JSONKeyPath': 'peers'}}}},"
    "'Item': {'userInfo': {'identityAttributes': 'id'}, 'attributes': {"
    "  'id': {'type': 'integer64', 'userInfo': {'JSONKeyPath': 'id'}},"
    "  'text': {'type': 'string', 'optional': true, 'userInfo': {'JSONKeyPath': 'text'}}},"
    " 'relationships': {'unit': {'destination': 'Unit', 'optional': true, 'inverse': 'items',"
    "    'userInfo': {'JSONKeyPath': 'unit'}}}}}}";

void set_text(scene *scene, builder text) {
  free(scene->text);
  scene->text = text.data;
  scene->length = text.length;
}

void quote(char *text) {
  for (; *text; text++) {
    if (*text == '\'') *text = '"';
  }
}

void make_mapping(scene *scene, const char *document) {
  builder text = {0};
  add(&text, "%s", document);
  quote(text.data);
  must(groot_model_create(text.data, text.length, &scene->model, &error));
  if (!scene->registry) must(groot_registry_create(&scene->registry, &error));
  must(groot_mapping_create(scene->model, scene->registry, NULL, &scene->mapping, &error));
  free(text.data);
}

static void begin(scene *scene) {
  make_mapping(scene, feed_model);
  must(groot_context_create(scene->mapping, &scene->context, &error));
  scene->entity = "Unit";
}

/* ---- feeds ----------------------------------------------------------------------------------- */

/** A unit for every eight items, with what follows its id. */
static builder units(const scene *scene, const char *name) {
  builder text = {0};
  add(&text, "[");
  for (size_t unit = 0; unit < scene->n / 8; unit++) {
    add(&text, "%s{\"id\": %lu, \"name\": \"%s %lu\", \"peers\": [%lu, %lu], \"items\": [",
        unit ? "," : "", (unsigned long)unit, name, (unsigned long)unit,
        (unsigned long)(unit * 7 % (scene->n / 8)), (unsigned long)(unit + 1) % (scene->n / 8));
    for (size_t item = unit * 8; item < unit * 8 + 8; item++) {
      add(&text, "%s{\"id\": %lu, \"text\": \"%s of a longer text %lu\"}", item % 8 ? "," : "",
          (unsigned long)item, name, (unsigned long)item);
    }
    add(&text, "]}");
  }
  add(&text, "]");
  return text;
}

/** All items below one unit. */
static builder one_unit(const scene *scene, const char *value) {
  builder text = {0};
  add(&text, "[{\"id\": 1, \"items\": [");
  for (size_t item = 0; item < scene->n; item++) {
    add(&text, "%s{\"id\": %lu, \"text\": %s}", item ? "," : "", (unsigned long)item, value);
  }
  add(&text, "]}]");
  return text;
}

static void prepare_new(scene *scene) {
  begin(scene);
  set_text(scene, units(scene, "name"));
}

static void import_with(scene *scene, groot_import_options options) {
  groot_buffer report = {NULL, 0};
  options.report = &report;
  must(groot_import_text(scene->context, scene->entity, scene->text, scene->length, &options, NULL,
                         &error));
  groot_buffer_free(&report);
}

void import(scene *scene) {
  groot_import_options options = GROOT_IMPORT_OPTIONS_INIT;
  import_with(scene, options);
}

static void import_listing(scene *scene) {
  groot_import_options options = GROOT_IMPORT_OPTIONS_INIT;
  options.flags = GROOT_CHANGES;
  import_with(scene, options);
}

static void prepare_again(scene *scene) {
  prepare_new(scene);
  import(scene);
  must(groot_context_save(scene->context, &error));
}

static void prepare_changed(scene *scene) {
  prepare_again(scene);
  set_text(scene, units(scene, "other"));
}

/** Members that leave an ordered list and come back, one after the other. */
static void prepare_moves(scene *scene) {
  builder text = {0};
  begin(scene);
  set_text(scene, one_unit(scene, "\"a\""));
  import(scene);
  must(groot_context_save(scene->context, &error));
  scene->entity = "Item";
  add(&text, "[");
  for (size_t item = 0; item < scene->n; item++) {
    add(&text, "%s{\"id\": %lu, \"unit\": %d}", item ? "," : "", (unsigned long)(item / 2),
        item % 2 ? 1 : 2);
  }
  add(&text, "]");
  set_text(scene, text);
}

/* ---- problems -------------------------------------------------------------------------------- */

static void prepare_one_wrong_record(scene *scene) {
  begin(scene);
  set_text(scene, one_unit(scene, "5"));
}

static void prepare_wrong_records(scene *scene) {
  builder text = {0};
  begin(scene);
  add(&text, "[");
  for (size_t unit = 0; unit < scene->n; unit++) {
    add(&text, "%s{\"id\": %lu, \"name\": 5}", unit ? "," : "", (unsigned long)unit);
  }
  add(&text, "]");
  set_text(scene, text);
}

static void import_collecting(scene *scene) {
  groot_import_options options = GROOT_IMPORT_OPTIONS_INIT;
  groot_issue issue = GROOT_ISSUE_INIT;
  options.errors = GROOT_ERRORS_COLLECT;
  options.max_issues = GROOT_UNLIMITED;
  groot_status status = groot_import_text(scene->context, scene->entity, scene->text,
                                          scene->length, &options, NULL, &error);
  for (size_t index = 0; index < groot_error_issue_count(error); index++) {
    must(groot_error_issue(error, index, &issue));
  }
  must_fail(status);
}

static void import_skipping(scene *scene) {
  groot_import_options options = GROOT_IMPORT_OPTIONS_INIT;
  options.errors = GROOT_ERRORS_SKIP;
  options.max_issues = GROOT_UNLIMITED;
  import_with(scene, options);
}

static void import_noting(scene *scene) {
  groot_import_options options = GROOT_IMPORT_OPTIONS_INIT;
  options.policies = "{\"invalid\": \"keep\"}";
  import_with(scene, options);
}

/* ---- what there is --------------------------------------------------------------------------- */

static groot_objects *fetch(scene *scene, const char *entity, const char *where) {
  groot_objects *objects = NULL;
  size_t size = strlen(where ? where : "") + 16;
  char *request = malloc(size);
  if (!request) exit(1);
  snprintf(request, size, "{\"where\": %s}", where ? where : "");
  must(groot_context_fetch(scene->context, entity, where ? request : NULL, &objects, &error));
  free(request);
  return objects;
}

static void export_all(scene *scene) {
  groot_objects *all = fetch(scene, "Unit", NULL);
  groot_buffer text = {0};
  must(groot_export_objects_text(scene->context, groot_objects_data(all), groot_objects_count(all), NULL,
                         &text, &error));
  groot_buffer_free(&text);
  groot_objects_free(all);
}

static void fetch_some(scene *scene) {
  static const char nested[] = "{\"items\": {\"any\": {\"text\": {\"contains\": \"77\"}}}}";
  groot_objects_free(fetch(scene, "Unit", nested));
  groot_objects_free(fetch(scene, "Item", "{\"unit.name\": {\"like\": \"*1\"}}"));
}

/** All items lead to one unit, whose items are looked through: often, since once is little work. */
static void fetch_behind_one(scene *scene) {
  for (int time = 0; time < 16; time++) {
    groot_objects_free(fetch(scene, "Item", "{\"unit.items\": {\"any\": {\"text\": \"none\"}}}"));
  }
}

static void add_letters(builder *text, size_t count) {
  for (size_t index = 0; index < count; index++) add(text, "a");
}

/** A long text, and in `other` a predicate with half of it that fits nowhere. */
static void prepare_long_text(scene *scene) {
  builder text = {0}, where = {0};
  begin(scene);
  add(&text, "[{\"id\": 1, \"name\": \"");
  add_letters(&text, scene->n * 16);
  add(&text, " 1\", \"items\": [{\"id\": 1, \"text\": \"");
  add_letters(&text, scene->n * 16);
  add(&text, "\"}]}]");
  set_text(scene, text);
  add(&where, "{\"text\": {\"contains\": \"");
  add_letters(&where, scene->n * 8);
  add(&where, "b\"}}");
  scene->other = where.data;
}

static void prepare_search(scene *scene) {
  prepare_long_text(scene);
  import(scene);
}

static void search_long_text(scene *scene) {
  groot_objects_free(fetch(scene, "Item", scene->other));
}

static void delete_one_by_one(scene *scene) {
  groot_objects *all = fetch(scene, "Item", NULL);
  for (size_t index = 0; index < groot_objects_count(all); index++) {
    must(groot_object_delete(scene->context, groot_objects_at(all, index), &error));
  }
  groot_objects_free(all);
}

static void prepare_one_unit(scene *scene) {
  begin(scene);
  set_text(scene, one_unit(scene, "\"a\""));
  import(scene);
  must(groot_context_save(scene->context, &error));
}

/** All items get the identity of the first, as a program may give it. */
static void prepare_equal(scene *scene) {
  prepare_one_unit(scene);
  groot_objects *all = fetch(scene, "Item", NULL);
  groot_property id;
  groot_value same = {.kind = GROOT_VALUE_INTEGER, .as.integer = 7};
  must(groot_context_property(scene->context, "Item", "id", &id, &error));
  for (size_t index = 0; index < groot_objects_count(all); index++) {
    must(groot_object_set(scene->context, groot_objects_at(all, index), id, &same, &error));
  }
  groot_objects_free(all);
}

static void delete_cascading(scene *scene) {
  groot_objects *all = fetch(scene, "Unit", NULL);
  must(groot_object_delete(scene->context, groot_objects_at(all, 0), &error));
  groot_objects_free(all);
}

static void prepare_sync(scene *scene) {
  builder text = {0};
  prepare_again(scene);
  add(&text, "[");
  for (size_t unit = 0; unit < scene->n / 8; unit++) {
    add(&text, "%s{\"id\": %lu, \"name\": \"synced %lu\"}", unit ? "," : "",
        (unsigned long)(unit * 2), (unsigned long)unit);
  }
  add(&text, "]");
  set_text(scene, text);
}

static void sync(scene *scene) {
  groot_sync_options options = GROOT_SYNC_OPTIONS_INIT;
  groot_buffer report = {NULL, 0};
  options.flags = GROOT_CHANGES;
  options.report = &report;
  must(groot_sync_text(scene->context, "Unit", scene->text, scene->length, &options, NULL,
                       &error));
  groot_buffer_free(&report);
}

static void prepare_unsaved(scene *scene) {
  prepare_changed(scene);
  import(scene);
}

static void count_changes(scene *scene) {
  groot_buffer changes = {NULL, 0};
  must(groot_context_changes(scene->context, &changes, &error));
  groot_buffer_free(&changes);
}

static void save(scene *scene) { must(groot_context_save(scene->context, &error)); }

static void roll_back(scene *scene) { must(groot_context_rollback(scene->context, &error)); }

/* ---- stores ---------------------------------------------------------------------------------- */

static void open_store(scene *scene) {
  groot_context_free(scene->context);
  scene->context = NULL;
  must(groot_context_open(scene->mapping, scene->path, NULL, &scene->context, &error));
}

static void prepare_store(scene *scene) {
  make_mapping(scene, feed_model);
  scene->entity = "Unit";
  snprintf(scene->path, sizeof scene->path, "/tmp/groot-growth-%ld.sqlite", (long)getpid());
  open_store(scene);
  set_text(scene, units(scene, "name"));
  import(scene);
}

static void prepare_stored(scene *scene) {
  prepare_store(scene);
  save(scene);
  set_text(scene, units(scene, "other"));
  open_store(scene);
}

static void import_into_store(scene *scene) {
  import_listing(scene);
  save(scene);
}

/* ---- the table ------------------------------------------------------------------------------ */

const operation operations[] = {
    {"import-new", prepare_new, import},
    {"import-again", prepare_again, import},
    {"import-changed", prepare_changed, import},
    {"import-listing-changes", prepare_changed, import_listing},
    {"import-moves", prepare_moves, import_listing},
    {"issues-collect-one-record", prepare_one_wrong_record, import_collecting},
    {"issues-collect-records", prepare_wrong_records, import_collecting},
    {"issues-skip-one-record", prepare_one_wrong_record, import_skipping},
    {"issues-skip-records", prepare_wrong_records, import_skipping},
    {"issues-note-one-record", prepare_one_wrong_record, import_noting},
    {"export", prepare_again, export_all},
    {"fetch", prepare_again, fetch_some},
    {"fetch-behind-one", prepare_one_unit, fetch_behind_one},
    {"fetch-long-text", prepare_search, search_long_text},
    {"pattern-long-text", prepare_long_text, import},
    {"delete-one-by-one", prepare_one_unit, delete_one_by_one},
    {"delete-equal", prepare_equal, delete_one_by_one},
    {"delete-cascading", prepare_one_unit, delete_cascading},
    {"sync", prepare_sync, sync},
    {"changes", prepare_unsaved, count_changes},
    {"save", prepare_unsaved, save},
    {"rollback", prepare_unsaved, roll_back},
    {"store-save", prepare_store, save},
    {"store-import", prepare_stored, import_into_store},
    {"store-export", prepare_stored, export_all},
    {"nested-callbacks", prepare_chain, import},
    {"callback-values", prepare_values, import},
    {"callback-long-value", prepare_long_value, import},
    {"callback-paths", prepare_asking_records, import},
    {"callback-path-in-record", prepare_asking_once, import},
    {"import-many-kinds", prepare_kinds, import},
    {"model-attributes", prepare_attributes, make_model},
    {"model-entities", prepare_entities, make_model},
    {"model-siblings", prepare_siblings, make_model},
    {"model-descendants", prepare_descendants, make_model},
    {"mapping-paths", prepare_paths, make_model},
    {"mapping-rules", prepare_rules, make_model},
    {"mapping-rule-groups", prepare_rule_groups, make_model},
    {NULL, NULL, NULL},
};
