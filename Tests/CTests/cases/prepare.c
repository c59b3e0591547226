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

/* {"gives": value} and {"fails": message} are known to all; whether the description is one of them. */
static int is_plain(json_t *description, json_t **result, groot_failure *failure,
                    groot_status *status) {
  json_t *gives = json_object_get(description, "gives");
  const char *message = string_at(description, "fails");
  *status = GROOT_OK;
  if (gives) *result = json_incref(gives);
  if (message) {
    groot_failure_set(failure, message, GROOT_NTS);
    *status = GROOT_CALLBACK_FAILED;
  }
  return gives || message;
}

/* {"key": "type", "values": {"text": "TextMessage"}} */
static groot_status map_by_table(void *userdata, json_t *value, json_t **result,
                                 groot_failure *failure) {
  json_t *table = userdata;
  groot_status status;
  if (is_plain(table, result, failure, &status)) return status;
  const char *key = json_string_value(json_object_get(value, string_at(table, "key")));
  if (key) *result = json_incref(json_object_get(json_object_get(table, "values"), key));
  return GROOT_OK;
}

/* {"copy": {"legacy_id": "id"}} */
static groot_status copy_keys(void *userdata, json_t *value, json_t **result,
                              groot_failure *failure) {
  const char *from;
  json_t *to;
  groot_status status;
  if (is_plain(userdata, result, failure, &status)) return status;
  *result = json_copy(value);
  json_object_foreach(json_object_get(userdata, "copy"), from, to) {
    json_t *found = json_object_get(value, from);
    if (found) json_object_set(*result, json_string_value(to), found);
  }
  return GROOT_OK;
}

/* Looks the JSON text of a value up in a table. */
static groot_status look_up(json_t *table, const char *otherwise, json_t *value, json_t **result,
                            groot_failure *failure) {
  char *text = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);
  json_t *found = json_object_get(table, text);
  free(text);
  if (found) {
    *result = json_incref(found);
  } else if (otherwise && strcmp(otherwise, "same") == 0) {
    *result = json_incref(value);
  } else if (otherwise && strcmp(otherwise, "fail") == 0) {
    groot_failure_set(failure, "not in the table", GROOT_NTS);
    return GROOT_CALLBACK_FAILED;
  }
  return GROOT_OK;
}

static groot_status transform(void *userdata, json_t *value, json_t **result,
                              groot_failure *failure) {
  return look_up(json_object_get(userdata, "forward"), string_at(userdata, "otherwise"), value,
                 result, failure);
}

static groot_status transform_back(void *userdata, json_t *value, json_t **result,
                                   groot_failure *failure) {
  return look_up(json_object_get(userdata, "reverse"), string_at(userdata, "otherwise"), value,
                 result, failure);
}

static void let_go(void *userdata) { json_decref(userdata); }

groot_status make_registry(json_t *test, groot_registry **registry, groot_error **error) {
  const char *name;
  json_t *value;
  groot_status status = groot_registry_create(registry, error);
  json_object_foreach(json_object_get(test, "registry"), name, value) {
    if (status != GROOT_OK) return status;
    status = groot_registry_set_builtin(*registry, name, GROOT_NTS, json_string_value(value),
                                        json_string_length(value), error);
  }
  json_object_foreach(json_object_get(test, "transformers"), name, value) {
    if (status != GROOT_OK) return status;
    status = groot_registry_set_transformer(
        *registry, name, GROOT_NTS, transform,
        json_object_get(value, "reverse") ? transform_back : NULL, json_incref(value), let_go,
        error);
  }
  json_object_foreach(json_object_get(test, "entityMappers"), name, value) {
    if (status != GROOT_OK) return status;
    status = groot_registry_set_entity_mapper(*registry, name, GROOT_NTS, map_by_table,
                                              json_incref(value), let_go, error);
  }
  json_object_foreach(json_object_get(test, "dictionaryTransformers"), name, value) {
    if (status != GROOT_OK) return status;
    status = groot_registry_set_dictionary_transformer(*registry, name, GROOT_NTS, copy_keys,
                                                       json_incref(value), let_go, error);
  }
  return status;
}

groot_status make_mappings(run *run, json_t *test, const char *dialect, groot_error **error) {
  const char *name;
  json_t *described;
  groot_status status = GROOT_OK;
  json_object_foreach(json_object_get(test, "mappings"), name, described) {
    const char *own = string_at(described, "dialect");
    json_t *options = json_copy(described);
    json_object_del(options, "dialect");
    if (run->mapping_count == sizeof run->mappings / sizeof run->mappings[0]) {
      complain(run, "%s", "too many mappings");
    } else if (status == GROOT_OK) {
      groot_mapping **mapping = &run->mappings[run->mapping_count].mapping;
      status = groot_mapping_create(run->fixture.model, run->fixture.registry, own ? own : dialect,
                                    options, mapping, error);
      run->mappings[run->mapping_count].name = name;
      run->mapping_count++;
    }
    json_decref(options);
  }
  return status;
}
