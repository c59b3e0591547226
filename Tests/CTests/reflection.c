/* Entities and properties by their numbers say what the model document says, for all models of the
 * cases. */
#include "support.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char folder[] = "Tests/Cases/models";

static json_t *document_of(const groot_model *model) {
  json_t *document = NULL;
  groot_error *error = NULL;
  CHECK_OK(groot_model_document_json(model, &document, &error));
  return document;
}

static int is_named(groot_string name, const char *expected) {
  return expected && name.size == strlen(expected) && memcmp(name.data, expected, name.size) == 0 &&
         name.data[name.size] == 0;
}

static groot_entity_info entity_at(const groot_model *model, size_t number) {
  groot_entity_info entity = GROOT_ENTITY_INFO_INIT;
  groot_error *error = NULL;
  CHECK_OK(groot_model_entity(model, number, &entity, &error));
  return entity;
}

static groot_property_info property_at(const groot_model *model, size_t entity, size_t index) {
  groot_property_info property = GROOT_PROPERTY_INFO_INIT;
  groot_error *error = NULL;
  CHECK_OK(groot_model_property(model, entity, index, &property, &error));
  return property;
}

/* A property as the entity that declares it has it in the document. */
static void check_property(const groot_model *model, groot_property_info property,
                           json_t *entities) {
  groot_entity_info owner = entity_at(model, (size_t)property.entity);
  json_t *declared = json_object_get(entities, owner.name.data);
  json_t *attribute = json_object_get(json_object_get(declared, "attributes"), property.name.data);
  json_t *relationship =
      json_object_get(json_object_get(declared, "relationships"), property.name.data);
  json_t *found = attribute ? attribute : relationship;
  CHECK(found != NULL);
  CHECK_EQUAL((property.flags & GROOT_PROPERTY_OPTIONAL) != 0,
              json_is_true(json_object_get(found, "optional")));
  if (attribute) {
    CHECK(is_named(property.type, json_string_value(json_object_get(attribute, "type"))));
    CHECK_EQUAL((property.flags & GROOT_PROPERTY_TRANSIENT) != 0,
                json_is_true(json_object_get(attribute, "transient")));
    CHECK_EQUAL(property.destination, -1);
    CHECK(property.value > GROOT_VALUE_NULL && property.value != GROOT_VALUE_OBJECT);
    json_t *listed = json_object_get(attribute, "values");
    CHECK_EQUAL(property.values.size > 0, json_is_array(listed));
    if (property.values.size > 0) {
      CHECK_EQUAL(property.values.data[property.values.size], 0);
      json_t *values = json_loadb(property.values.data, property.values.size, 0, NULL);
      CHECK(json_equal(values, listed));
      json_decref(values);
    }
    return;
  }
  CHECK_TEXT(property.type, "relationship");
  CHECK_EQUAL(property.values.size, 0);
  CHECK_EQUAL(property.flags & GROOT_PROPERTY_TRANSIENT, 0);
  CHECK_EQUAL(property.value, GROOT_VALUE_OBJECT);
  CHECK_EQUAL((property.flags & GROOT_PROPERTY_TO_MANY) != 0,
              json_is_true(json_object_get(relationship, "toMany")));
  CHECK_EQUAL((property.flags & GROOT_PROPERTY_ORDERED) != 0,
              json_is_true(json_object_get(relationship, "ordered")));
  CHECK(is_named(entity_at(model, (size_t)property.destination).name,
                 json_string_value(json_object_get(relationship, "destination"))));
  CHECK_EQUAL(property.inverse >= 0, json_is_string(json_object_get(relationship, "inverse")));
}

static void check_entity(const groot_model *model, groot_context *context, size_t number,
                         json_t *entities) {
  groot_error *error = NULL;
  groot_entity_info entity = entity_at(model, number);
  json_t *declared = json_object_get(entities, entity.name.data);
  json_t *all = json_object_get(declared, "allProperties");
  const char *parent = json_string_value(json_object_get(declared, "parent"));
  CHECK(declared != NULL);
  CHECK_EQUAL(entity.is_abstract, json_is_true(json_object_get(declared, "abstract")));
  CHECK_EQUAL(entity.parent >= 0, parent != NULL);
  if (parent) CHECK(is_named(entity_at(model, (size_t)entity.parent).name, parent));
  CHECK_EQUAL(entity.property_count, json_array_size(all));
  size_t again = SIZE_MAX;
  CHECK_OK(groot_model_entity_number(model, entity.name.data, &again, &error));
  CHECK_EQUAL(again, number);
  for (size_t i = 0; i < entity.property_count; i++) {
    groot_property_info property = property_at(model, number, i);
    groot_property found = -1;
    CHECK_OK(groot_context_property(context, entity.name.data, property.name.data, &found, &error));
    CHECK_EQUAL(property.number, found);
    check_property(model, property, entities);
  }
  groot_property_info none = GROOT_PROPERTY_INFO_INIT;
  CHECK_FAILS(groot_model_property(model, number, entity.property_count, &none, &error),
              GROOT_UNKNOWN_PROPERTY);
  CHECK_FAILS(groot_model_property(model, number, SIZE_MAX, &none, &error), GROOT_UNKNOWN_PROPERTY);
}

static void check_model(const groot_model *model, groot_context *context) {
  groot_error *error = NULL;
  json_t *document = document_of(model), *entities = json_object_get(document, "entities");
  size_t count = groot_model_entity_count(model), number = 0;
  CHECK_EQUAL(count, json_object_size(entities));
  for (size_t i = 0; i < count; i++) check_entity(model, context, i, entities);
  groot_entity_info none = GROOT_ENTITY_INFO_INIT;
  CHECK_FAILS(groot_model_entity(model, count, &none, &error), GROOT_UNKNOWN_ENTITY);
  CHECK_FAILS(groot_model_entity_number(model, "No such entity", &number, &error),
              GROOT_UNKNOWN_ENTITY);
  json_decref(document);
}

static void check_file(const char *path) {
  json_t *document = json_load_file(path, 0, NULL);
  groot_error *error = NULL;
  groot_model *model = NULL;
  groot_mapping *mapping = NULL;
  groot_context *context = NULL;
  /* Some are wrong, or need functions, on purpose. */
  if (document && groot_model_create_json(document, &model, NULL) == GROOT_OK &&
      groot_mapping_create(model, NULL, NULL, &mapping, NULL) == GROOT_OK) {
    CHECK_OK(groot_context_create(mapping, &context, &error));
    check_model(model, context);
  }
  groot_context_free(context);
  groot_mapping_free(mapping);
  groot_model_free(model);
  json_decref(document);
}

static void check_sizes(void) {
  fixture f = open_document("{'entities': {'Hero': {'attributes': {'id': {'type': 'integer64'}}}}}",
                            NULL);
  groot_error *error = NULL;
  groot_entity_info entity = GROOT_ENTITY_INFO_INIT;
  entity.struct_size = 1;
  CHECK_FAILS(groot_model_entity(f.model, 0, &entity, &error), GROOT_INVALID_ARGUMENT);
  entity.struct_size = offsetof(groot_entity_info, parent);
  entity.parent = 77;
  CHECK_OK(groot_model_entity(f.model, 0, &entity, &error));
  CHECK_TEXT(entity.name, "Hero");
  CHECK_EQUAL(entity.parent, 77);
  CHECK_FAILS(groot_model_entity(f.model, 0, NULL, &error), GROOT_INVALID_ARGUMENT);
  CHECK_FAILS(groot_model_property(f.model, 0, 0, NULL, &error), GROOT_INVALID_ARGUMENT);
  CHECK_EQUAL(groot_model_entity_count(NULL), 0);
  close_fixture(&f);
}

int main(void) {
  DIR *models = opendir(folder);
  int count = 0;
  CHECK(models != NULL);
  for (struct dirent *entry = models ? readdir(models) : NULL; entry; entry = readdir(models)) {
    char path[512];
    if (!strstr(entry->d_name, ".json")) continue;
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    check_file(path);
    count++;
  }
  if (models) closedir(models);
  CHECK(count > 10);
  check_sizes();
  return finish("reflection");
}
