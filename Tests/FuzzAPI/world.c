/* What a program runs on: a model, a mapping, contexts; and how it ends. */
#include <stdio.h>
#include <unistd.h>

#include "fuzz.h"

/* Names the annotations use; "One" is one-way. Each is in text form or in that of jansson. */
void register_functions(fuzz *f) {
  groot_registry *registry = f->registry;
  f->registered += 4;
  groot_status status =
      chance(f, 60)
          ? CALL(groot_registry_set_transformer(registry, "T", transform, transform, f, destroy,
                                                error_place(f)))
          : CALL(groot_registry_set_transformer_json(registry, "T", transform_json, transform_json,
                                                     f, destroy, error_place(f)));
  REQUIRE(status == GROOT_OK);
  status = chance(f, 60)
               ? CALL(groot_registry_set_transformer(registry, "One", transform, NULL, f, destroy,
                                                     error_place(f)))
               : CALL(groot_registry_set_transformer_json(registry, "One", transform_json, NULL, f,
                                                          destroy, error_place(f)));
  REQUIRE(status == GROOT_OK);
  status = chance(f, 60) ? CALL(groot_registry_set_entity_mapper(registry, "M", map_entity, f,
                                                                 destroy, error_place(f)))
                         : CALL(groot_registry_set_entity_mapper_json(
                               registry, "M", map_entity_json, f, destroy, error_place(f)));
  REQUIRE(status == GROOT_OK);
  status = chance(f, 60) ? CALL(groot_registry_set_dictionary_transformer(
                               registry, "D", transform_record, f, destroy, error_place(f)))
                         : CALL(groot_registry_set_dictionary_transformer_json(
                               registry, "D", transform_record_json, f, destroy, error_place(f)));
  REQUIRE(status == GROOT_OK);
}

static void number_properties(fuzz *f) {
  for (int i = 0; i < f->schema.entity_count; i++) {
    const entity *entity = &f->schema.entities[i];
    for (int slot = 0; slot < entity->slot_count; slot++) {
      property *one = &f->schema.properties[entity->slots[slot]];
      groot_property number = -1;
      REQUIRE(CALL(groot_context_property(f->context, entity->name, one->name, &number,
                                          error_place(f))) == GROOT_OK);
      REQUIRE(number >= 0 && (one->number < 0 || one->number == number));
      one->number = number;
    }
  }
}

static void remove_files(const fuzz *f) {
  static const char *const ends[] = {"", "-journal", "-wal", "-shm", ".json", ".part", ".backup"};
  char path[300];
  for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
    snprintf(path, sizeof path, "%s%s", f->path, ends[i]);
    unlink(path);
  }
}

/* A root for each entity. */
static void make_roots(fuzz *f) {
  static const char *const forms[] = {"array", "keyed", "grouped"};
  json_t *roots = json_object();
  for (int entity = 0; entity < f->schema.entity_count; entity++) {
    char place[16];
    snprintf(place, sizeof place, "/data%d", entity);
    const char *form = forms[chance(f, 70) ? 0 : roll(f, 3)];
    json_t *root = json_pack("{s:s, s:s}", "entity", f->schema.entities[entity].name, "form", form);
    json_object_set_new(roots, place, root);
  }
  f->roots = json_dumps(roots, JSON_COMPACT);
  json_decref(roots);
}

void open_world(fuzz *f, uint64_t seed, const char *folder) {
  uint64_t *statuses = f->statuses;
  memset(f, 0, sizeof *f);
  f->statuses = statuses;
  f->random = seed;
  f->is_stored = chance(f, 20);
  snprintf(f->path, sizeof f->path, "%s/store-%ld", folder, (long)getpid());
  remove_files(f);
  make_schema(f);
  if (chance(f, 20)) make_roots(f);
  groot_status status = CALL(groot_model_create_json(f->document, &f->model, error_place(f)));
  if (status != GROOT_OK) return; /* some random models contradict themselves */
  REQUIRE(CALL(groot_registry_create(&f->registry, error_place(f))) == GROOT_OK);
  register_functions(f);
  groot_mapping_options options;
  held held;
  mapping_options(f, &options, &held);
  status = CALL(groot_mapping_create(f->model, f->registry, held.given, &f->mapping,
                                     error_place(f)));
  release(&held);
  if (status != GROOT_OK) return;
  if (f->is_stored) {
    groot_store_options stored = GROOT_STORE_OPTIONS_INIT;
    stored.durability = GROOT_DURABILITY_NORMAL;
    status = CALL(groot_context_open(f->mapping, f->path, &stored, &f->context, error_place(f)));
    if (status != GROOT_OK) return;
  } else {
    REQUIRE(CALL(groot_context_create(f->mapping, &f->context, error_place(f))) == GROOT_OK);
  }
  REQUIRE(CALL(groot_context_create(f->mapping, &f->other, error_place(f))) == GROOT_OK);
  number_properties(f);
}

void close_world(fuzz *f) {
  CALLED(groot_context_free(f->context));
  CALLED(groot_context_free(f->other));
  CALLED(groot_registry_free(f->registry));
  CALLED(groot_mapping_free(f->mapping));
  CALLED(groot_model_free(f->model));
  f->context = f->other = NULL;
  f->mapping = NULL;
  json_decref(f->document);
  json_decref(f->rules);
  free(f->roots);
  remove_files(f);
  if (f->destroyed != f->registered) {
    fail(f, "%d of %d userdata were given back", f->destroyed, f->registered);
  }
}
