/* What a case begins with: its models, mappings and context. */
#include "cases.h"

#include <stdlib.h>
#include <string.h>

/* ---- models ---------------------------------------------------------------------------------- */

/* Changes a document by a patch: members replace members, null removes them (RFC 7396). */
static void apply(json_t *document, json_t *patch) {
  const char *key;
  json_t *value;
  json_object_foreach(patch, key, value) {
    if (json_is_null(value)) {
      json_object_del(document, key);
    } else if (json_is_object(value)) {
      if (!json_is_object(json_object_get(document, key)))
        json_object_set_new(document, key, json_object());
      apply(json_object_get(document, key), value);
    } else {
      json_object_set(document, key, value);
    }
  }
}

json_t *model_of(json_t *test) {
  json_t *model = json_object_get(test, "model");
  json_t *document = json_is_string(model) ? load_model(json_string_value(model))
                                           : json_deep_copy(model);
  apply(document, json_object_get(test, "change"));
  return document;
}

/* ---- functions that a case describes --------------------------------------------------------- */

/* {"gives": value} and {"fails": message} are known to all; whether a description is of these. */
static int is_plain(json_t *description, json_t **result, groot_call *call, groot_status *status) {
  json_t *gives = json_object_get(description, "gives");
  const char *message = string_at(description, "fails");
  *status = GROOT_OK;
  if (gives) *result = json_incref(gives);
  if (message) {
    groot_call_set_message(call, message, GROOT_NTS);
    *status = GROOT_CALLBACK_FAILED;
  }
  return gives || message;
}

/* {"key": "type", "values": {"text": "TextMessage"}} */
static groot_status map_by_table(void *userdata, json_t *value, json_t **result, groot_call *call) {
  json_t *table = userdata;
  groot_status status;
  if (is_plain(table, result, call, &status)) return status;
  const char *key = json_string_value(json_object_get(value, string_at(table, "key")));
  if (key) *result = json_incref(json_object_get(json_object_get(table, "values"), key));
  return GROOT_OK;
}

/* {"copy": {"legacy_id": "id"}} */
static groot_status copy_keys(void *userdata, json_t *value, json_t **result, groot_call *call) {
  const char *from;
  json_t *to;
  groot_status status;
  if (is_plain(userdata, result, call, &status)) return status;
  *result = json_copy(value);
  json_object_foreach(json_object_get(userdata, "copy"), from, to) {
    json_t *found = json_object_get(value, from);
    if (found) json_object_set(*result, json_string_value(to), found);
  }
  return GROOT_OK;
}

/* Looks the JSON text of a value up in a table. */
static groot_status look_up(json_t *table, const char *otherwise, json_t *value, json_t **result,
                            groot_call *call) {
  char *text = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);
  json_t *found = json_object_get(table, text);
  free(text);
  if (found) {
    *result = json_incref(found);
  } else if (otherwise && strcmp(otherwise, "same") == 0) {
    *result = json_incref(value);
  } else if (otherwise && strcmp(otherwise, "fail") == 0) {
    groot_call_set_message(call, "not in the table", GROOT_NTS);
    return GROOT_CALLBACK_FAILED;
  }
  return GROOT_OK;
}

static groot_status transform(void *userdata, json_t *value, json_t **result, groot_call *call) {
  return look_up(json_object_get(userdata, "forward"), string_at(userdata, "otherwise"), value,
                 result, call);
}

static groot_status transform_back(void *userdata, json_t *value, json_t **result,
                                   groot_call *call) {
  return look_up(json_object_get(userdata, "reverse"), string_at(userdata, "otherwise"), value,
                 result, call);
}

/* The same functions, given text and giving text. */
static groot_status in_text(groot_transform_json_function function, void *userdata,
                            const char *value, size_t size, groot_call *call) {
  json_t *parsed = json_loadb(value, size, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL), *result = NULL;
  groot_status status = function(userdata, parsed, &result, call);
  if (result) {
    char *text = dump(result);
    groot_call_set_result(call, text, GROOT_NTS);
    free(text);
  }
  json_decref(result);
  json_decref(parsed);
  return status;
}

static groot_status map_text(void *userdata, const char *value, size_t size, groot_call *call) {
  return in_text(map_by_table, userdata, value, size, call);
}

static groot_status copy_text(void *userdata, const char *value, size_t size, groot_call *call) {
  return in_text(copy_keys, userdata, value, size, call);
}

static groot_status transform_text(void *userdata, const char *value, size_t size,
                                   groot_call *call) {
  return in_text(transform, userdata, value, size, call);
}

static groot_status transform_text_back(void *userdata, const char *value, size_t size,
                                        groot_call *call) {
  return in_text(transform_back, userdata, value, size, call);
}

/* The same functions, given the text of an array and giving one of as many results. */
static groot_status transform_each(groot_transform_json_function function, void *userdata,
                                   const char *value, size_t size, groot_call *call) {
  json_t *parsed = json_loadb(value, size, JSON_ALLOW_NUL, NULL), *list = json_array();
  groot_status status = GROOT_OK;
  for (size_t i = 0; i < json_array_size(parsed) && status == GROOT_OK; i++) {
    json_t *result = NULL;
    status = function(userdata, json_array_get(parsed, i), &result, call);
    json_array_append_new(list, result ? result : json_null());
  }
  char *text = dump(list);
  groot_call_set_result(call, text, GROOT_NTS);
  free(text);
  json_decref(list);
  json_decref(parsed);
  return status;
}

static groot_status transform_batch(void *userdata, const char *value, size_t size,
                                    groot_call *call) {
  return transform_each(transform, userdata, value, size, call);
}

static groot_status transform_batch_back(void *userdata, const char *value, size_t size,
                                         groot_call *call) {
  return transform_each(transform_back, userdata, value, size, call);
}

/* ---- registries and mappings ----------------------------------------------------------------- */

static void let_go(void *userdata) { json_decref(userdata); }

static groot_status set_transformer(run *run, const char *name, json_t *table,
                                    groot_error **error) {
  groot_registry *registry = run->fixture.registry;
  const int is_two_way = json_object_get(table, "reverse") != NULL;
  json_incref(table);
  return run->mode == by_tree
             ? groot_registry_set_transformer_json(registry, name, transform,
                                                   is_two_way ? transform_back : NULL, table,
                                                   let_go, error)
             : groot_registry_set_transformer(registry, name, transform_text,
                                              is_two_way ? transform_text_back : NULL, table,
                                              let_go, error);
}

static groot_status set_batch_transformer(run *run, const char *name, json_t *table,
                                          groot_error **error) {
  const int is_two_way = json_object_get(table, "reverse") != NULL;
  return groot_registry_set_batch_transformer(
      run->fixture.registry, name, transform_batch, is_two_way ? transform_batch_back : NULL,
      json_incref(table), let_go, error);
}

static groot_status set_entity_mapper(run *run, const char *name, json_t *table,
                                      groot_error **error) {
  groot_registry *registry = run->fixture.registry;
  json_incref(table);
  return run->mode == by_tree
             ? groot_registry_set_entity_mapper_json(registry, name, map_by_table, table, let_go,
                                                     error)
             : groot_registry_set_entity_mapper(registry, name, map_text, table, let_go, error);
}

static groot_status set_dictionary_transformer(run *run, const char *name, json_t *table,
                                               groot_error **error) {
  groot_registry *registry = run->fixture.registry;
  json_incref(table);
  return run->mode == by_tree ? groot_registry_set_dictionary_transformer_json(
                                    registry, name, copy_keys, table, let_go, error)
                              : groot_registry_set_dictionary_transformer(registry, name, copy_text,
                                                                          table, let_go, error);
}

static groot_status set_builtin(run *run, const char *name, json_t *builtin, groot_error **error) {
  return groot_registry_set_builtin(run->fixture.registry, name, json_string_value(builtin), error);
}

groot_status make_registry(run *run, json_t *test, groot_error **error) {
  static const struct {
    const char *key;
    groot_status (*set)(struct run *run, const char *name, json_t *value, groot_error **error);
  } kinds[] = {{"registry", set_builtin},
               {"transformers", set_transformer},
               {"batchTransformers", set_batch_transformer},
               {"entityMappers", set_entity_mapper},
               {"dictionaryTransformers", set_dictionary_transformer}};
  const char *name;
  json_t *value;
  groot_status status = groot_registry_create(&run->fixture.registry, error);
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
    json_object_foreach(json_object_get(test, kinds[i].key), name, value) {
      if (status == GROOT_OK) status = kinds[i].set(run, name, value, error);
    }
  }
  return status;
}

groot_mapping_options mapping_options_of(run *run, json_t *described, const char *dialect) {
  const char *own = string_at(described, "dialect");
  groot_mapping_options options = GROOT_MAPPING_OPTIONS_INIT;
  options.dialect = own ? own : dialect;
  options.rules = kept_text(run, json_object_get(described, "rules"));
  options.rules_length = GROOT_NTS;
  options.roots = kept_text(run, json_object_get(described, "roots"));
  options.roots_length = GROOT_NTS;
  options.nulls = nulls_of(run, described);
  if (json_is_true(json_object_get(described, "implicit"))) options.flags = GROOT_MAPPING_IMPLICIT;
  return options;
}

groot_status make_mappings(run *run, json_t *test, const char *dialect, groot_error **error) {
  const char *name;
  json_t *described;
  groot_status status = GROOT_OK;
  json_object_foreach(json_object_get(test, "mappings"), name, described) {
    groot_mapping_options options = mapping_options_of(run, described, dialect);
    if (run->mapping_count == sizeof run->mappings / sizeof run->mappings[0]) {
      complain(run, "%s", "too many mappings");
    } else if (status == GROOT_OK) {
      groot_mapping **mapping = &run->mappings[run->mapping_count].mapping;
      status =
          groot_mapping_create(run->fixture.model, run->fixture.registry, &options, mapping, error);
      run->mappings[run->mapping_count].name = name;
      run->mapping_count++;
    }
  }
  return status;
}
