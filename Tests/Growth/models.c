/* Models and mappings of n parts. */
#include "growth.h"

/* An entity mapper: the name that is in the object. */
static groot_status kind(void *userdata, json_t *value, json_t **result, groot_call *call) {
  (void)userdata, (void)call;
  *result = json_incref(json_object_get(value, "kind"));
  return GROOT_OK;
}

void make_model(scene *scene) {
  groot_mapping_options options = GROOT_MAPPING_OPTIONS_INIT;
  if (scene->other) {
    options.dialect = "kvc";
    options.rules = scene->other;
    options.rules_length = GROOT_NTS;
  }
  must(groot_model_create(scene->text, scene->length, &scene->model, &error));
  must(groot_registry_create(&scene->registry, &error));
  must(groot_registry_set_entity_mapper_json(scene->registry, "kind", kind, NULL, NULL, &error));
  must(groot_mapping_create(scene->model, scene->registry, &options, &scene->mapping, &error));
}

static const char *comma(size_t index) { return index ? "," : ""; }

/* Attributes of one entity, all in one object of JSON. */
void prepare_attributes(scene *scene) {
  builder text = {0};
  add(&text, "{\"entities\": {\"A\": {\"attributes\": {");
  for (size_t index = 0; index < scene->n; index++) {
    unsigned long number = (unsigned long)index;
    add(&text, "%s\"a%lu\": {\"type\": \"string\", \"userInfo\": {\"JSONKeyPath\": \"a%lu\"}}",
        comma(index), number, number);
  }
  add(&text, "}}}}");
  set_text(scene, text);
}

/* Entities that each lead to the next one. */
void prepare_entities(scene *scene) {
  builder text = {0};
  add(&text, "{\"entities\": {");
  for (size_t index = 0; index < scene->n; index++) {
    add(&text,
        "%s\"E%lu\": {\"attributes\": {\"a\": {\"type\": \"string\","
        " \"userInfo\": {\"JSONKeyPath\": \"a\"}}}, \"relationships\": {\"next\": {\"destination\":"
        " \"E%lu\", \"optional\": true, \"userInfo\": {\"JSONKeyPath\": \"next\"}}}}",
        comma(index), (unsigned long)index, (unsigned long)((index + 1) % scene->n));
  }
  add(&text, "}}");
  set_text(scene, text);
}

/* Sub-entities; `parent` gives the number of each one's parent. */
static void add_descendants(scene *scene, size_t (*parent)(size_t)) {
  builder text = {0};
  add(&text, "{\"entities\": {\"E0\": {\"userInfo\": {\"identityAttributes\": \"a0\","
             " \"entityMapperName\": \"kind\"},"
             " \"attributes\": {\"a0\": {\"type\": \"string\","
             " \"userInfo\": {\"JSONKeyPath\": \"a0\"}}}}");
  for (size_t index = 1; index < scene->n; index++) {
    unsigned long number = (unsigned long)index;
    add(&text,
        ",\"E%lu\": {\"parent\": \"E%lu\", \"attributes\": {\"a%lu\": {\"type\": \"string\","
        " \"optional\": true, \"userInfo\": {\"JSONKeyPath\": \"a%lu\"}}}}",
        number, (unsigned long)parent(index), number, number);
  }
  add(&text, "}}");
  set_text(scene, text);
}

static size_t root(size_t index) {
  (void)index;
  return 0;
}

static size_t half(size_t index) { return index / 2; }

void prepare_siblings(scene *scene) { add_descendants(scene, root); }

void prepare_descendants(scene *scene) { add_descendants(scene, half); }

/* A record of each sub-entity of one root. */
void prepare_kinds(scene *scene) {
  builder text = {0};
  prepare_siblings(scene);
  make_model(scene);
  must(groot_context_create(scene->mapping, &scene->context, &error));
  scene->entity = "E0";
  add(&text, "[");
  for (size_t index = 0; index < scene->n; index++) {
    unsigned long number = (unsigned long)index;
    add(&text, "%s{\"a0\": \"%lu\", \"kind\": \"E%lu\"}", comma(index), number, number);
  }
  add(&text, "]");
  set_text(scene, text);
}

/* Key paths that share their beginnings, at several depths. */
void prepare_paths(scene *scene) {
  builder text = {0};
  add(&text, "{\"entities\": {\"A\": {\"attributes\": {");
  for (size_t index = 0; index < scene->n; index++) {
    unsigned long number = (unsigned long)index;
    add(&text,
        "%s\"a%lu\": {\"type\": \"string\","
        " \"userInfo\": {\"JSONKeyPath\": \"k%lu.l%lu.a%lu\"}}",
        comma(index), number, number % 16, number % 256, number);
  }
  add(&text, "}}}}");
  set_text(scene, text);
}

static void add_plain_attributes(scene *scene) {
  builder text = {0};
  add(&text, "{\"entities\": {\"A\": {\"attributes\": {");
  for (size_t index = 0; index < scene->n; index++) {
    add(&text, "%s\"a%lu\": {\"type\": \"string\"}", comma(index), (unsigned long)index);
  }
  add(&text, "}}}}");
  set_text(scene, text);
}

void prepare_rules(scene *scene) {
  builder rules = {0};
  add_plain_attributes(scene);
  add(&rules, "{\"as\": {\"A\": {");
  for (size_t index = 0; index < scene->n; index++) {
    unsigned long number = (unsigned long)index;
    add(&rules, "%s\"k%lu.v%lu\": \"a%lu\"", comma(index), number % 64, number, number);
  }
  add(&rules, "}}}");
  scene->other = rules.data;
}

/* Rules for nested objects, each of another relationship. */
void prepare_rule_groups(scene *scene) {
  builder text = {0}, rules = {0};
  add(&text, "{\"entities\": {\"B\": {\"attributes\": {\"name\": {\"type\": \"string\"}}},"
             " \"A\": {\"relationships\": {");
  add(&rules, "{\"as\": {\"A\": {");
  for (size_t index = 0; index < scene->n; index++) {
    unsigned long number = (unsigned long)index;
    add(&text, "%s\"r%lu\": {\"destination\": \"B\", \"optional\": true}", comma(index), number);
    add(&rules, "%s\"k%lu\": {\"r%lu\": {\"v\": \"name\"}}", comma(index), number, number);
  }
  add(&text, "}}}}");
  add(&rules, "}}}");
  set_text(scene, text);
  scene->other = rules.data;
}
