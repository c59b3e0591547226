/* The objects of a context as JSON, and whether they are as a case expects. */
#include "cases.h"

#include <stdlib.h>
#include <string.h>

static json_t *entities(run *run) {
  json_t *document = model_document(run);
  json_t *found = json_incref(json_object_get(document, "entities"));
  json_decref(document);
  return found;
}

json_t *root_entities(run *run) {
  json_t *all = entities(run), *names = json_array(), *entity;
  const char *name;
  json_object_foreach(all, name, entity) {
    if (!json_is_string(json_object_get(entity, "parent")))
      json_array_append_new(names, json_string(name));
  }
  json_decref(all);
  return names;
}

static groot_objects *fetch_all(run *run, groot_context *context, const char *entity) {
  groot_objects *objects = NULL;
  groot_error *error = NULL;
  if (groot_context_fetch(context, entity, NULL, &objects, &error))
    complain_error(run, "cannot fetch", error);
  groot_error_free(error);
  return objects;
}

/* Whether what is around the objects is written in full or by its identity. */
enum depth { full, shallow };

static json_t *export_all(run *run, groot_context *context, const char *entity, enum depth depth) {
  groot_export_options options = GROOT_EXPORT_OPTIONS_INIT;
  groot_objects *objects = fetch_all(run, context, entity);
  groot_error *error = NULL;
  json_t *exported = NULL;
  options.flags = depth ? GROOT_EXPORT_DEPTH : 0;
  if (groot_export_objects_json(context, groot_objects_data(objects), groot_objects_count(objects),
                        &options, &exported, &error))
    complain_error(run, "cannot export", error);
  groot_objects_free(objects);
  groot_error_free(error);
  return exported;
}

/* ---- state ----------------------------------------------------------------------------------- */

/* One by one: an array has no keys, by which some are identified. */
static json_t *export_one(run *run, groot_object_id object) {
  groot_error *error = NULL;
  json_t *exported = NULL;
  if (groot_export_object_json(run->fixture.context, object, NULL, &exported, &error))
    complain_error(run, "cannot export", error);
  groot_error_free(error);
  return exported;
}

/* An object's id, entity and properties. */
static json_t *object_state(run *run, json_t *all, groot_object_id object) {
  groot_context *context = run->fixture.context;
  groot_error *error = NULL;
  groot_string name = {NULL, 0};
  groot_object_entity(context, object, &name, NULL);
  json_t *values = json_object(), *property;
  size_t index;
  json_array_foreach(json_object_get(json_object_get(all, name.data), "allProperties"), index,
                     property) {
    json_t *value = value_as_json(context, object, json_string_value(property), &error);
    if (!value) complain_error(run, "cannot read the property", error);
    json_object_set_new_nocheck(values, json_string_value(property), value);
  }
  return json_pack("[I, s, o]", (json_int_t)object, name.data, values);
}

json_t *state(run *run) {
  json_t *all = entities(run), *roots = root_entities(run), *found = json_object(), *root;
  size_t index;
  json_array_foreach(roots, index, root) {
    const char *name = json_string_value(root);
    groot_objects *objects = fetch_all(run, run->fixture.context, name);
    json_t *list = json_array(), *exports = json_array();
    for (size_t i = 0; i < groot_objects_count(objects); i++) {
      json_array_append_new(list, object_state(run, all, groot_objects_at(objects, i)));
      json_array_append_new(exports, export_one(run, groot_objects_at(objects, i)));
    }
    json_object_set_new(found, name, json_pack("[o, o]", list, exports));
    groot_objects_free(objects);
  }
  json_object_set_new(found, "", changes_of(run));
  json_decref(all);
  json_decref(roots);
  return found;
}

void run_count(run *run, json_t *step) {
  const char *entity;
  json_t *expected;
  json_object_foreach(json_object_get(step, "count"), entity, expected) {
    size_t count = 0;
    groot_context_count(run->fixture.context, entity, NULL, &count, NULL);
    json_t *actual = json_integer((json_int_t)count);
    if (!equal(actual, expected)) complain_json(run, entity, actual, expected);
    json_decref(actual);
  }
}

void run_save(run *run, json_t *step) {
  groot_error *error = NULL;
  groot_status status = groot_context_save(run->fixture.context, &error);
  compare_failure(run, json_object_get(step, "save"), status, error, 0);
  groot_error_free(error);
}

void run_rollback(run *run, json_t *step) {
  groot_error *error = NULL;
  (void)step;
  if (groot_context_rollback(run->fixture.context, &error)) complain_error(run, "rollback", error);
  groot_error_free(error);
}

/* ---- round trips ----------------------------------------------------------------------------- */

static int by_text_of_strings(const void *left, const void *right) {
  return strcmp(*(char *const *)left, *(char *const *)right);
}

/* The same value for all orders of the elements of its arrays, which become lists of texts. */
static json_t *without_order(json_t *value) {
  if (json_is_object(value)) {
    json_t *changed = json_object(), *member;
    const char *key;
    json_object_foreach(value, key, member)
        json_object_set_new(changed, key, without_order(member));
    return changed;
  }
  if (!json_is_array(value)) return json_incref(value);
  const size_t count = json_array_size(value);
  char **texts = calloc(count + 1, sizeof *texts);
  for (size_t i = 0; i < count; i++) {
    json_t *element = without_order(json_array_get(value, i));
    texts[i] = json_dumps(element, JSON_ENCODE_ANY | JSON_COMPACT | JSON_SORT_KEYS);
    json_decref(element);
  }
  qsort(texts, count, sizeof *texts, by_text_of_strings);
  json_t *sorted = json_array();
  for (size_t i = 0; i < count; i++) {
    json_array_append_new(sorted, json_string(texts[i]));
    free(texts[i]);
  }
  free(texts);
  return sorted;
}

static void compare_graphs(run *run, groot_context *copy, const char *entity, enum depth depth) {
  json_t *ours = export_all(run, run->fixture.context, entity, depth);
  json_t *theirs = export_all(run, copy, entity, depth);
  json_t *expected = without_order(ours), *actual = without_order(theirs);
  if (!equal(actual, expected)) complain_json(run, "the graph after the round trip", theirs, ours);
  json_decref(ours);
  json_decref(theirs);
  json_decref(expected);
  json_decref(actual);
}

void run_round_trip(run *run, json_t *step) {
  json_t *asked = json_object_get(step, "roundTrip"), *name;
  json_t *names = json_is_array(asked) ? json_incref(asked) : root_entities(run);
  groot_context *copy = NULL;
  groot_error *error = NULL;
  size_t index;
  if (groot_context_create(run->fixture.mapping, &copy, &error))
    complain_error(run, "cannot make a context", error);
  json_array_foreach(names, index, name) {
    const char *entity = json_string_value(name);
    json_t *exported = export_all(run, run->fixture.context, entity, full);
    if (!error && groot_import_json(copy, entity, exported, NULL, NULL, &error))
      complain_error(run, "cannot import what was exported", error);
    json_decref(exported);
  }
  if (!error && groot_context_check(copy, &error))
    complain_error(run, "an invariant of the copy is broken", error);
  json_array_foreach(names, index, name) {
    compare_graphs(run, copy, json_string_value(name), shallow);
    if (json_is_true(json_object_get(step, "full")))
      compare_graphs(run, copy, json_string_value(name), full);
  }
  groot_error_free(error);
  groot_context_free(copy);
  json_decref(names);
}
