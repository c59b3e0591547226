/* What a model says of its entities and properties, against the plain schema. */
#include "operations.h"

#include <stddef.h>

/* A number of an entity, sometimes one that is none. */
static size_t number_argument(fuzz *f, size_t count) {
  if (chance(f, 90)) return roll(f, (uint32_t)count);
  wrong(f, GROOT_UNKNOWN_ENTITY);
  return chance(f, 50) ? count : impossible_size(f);
}

/* The size of a struct to be filled: whole, or a part that ends with a member, or none. */
static size_t size_argument(fuzz *f, size_t whole, size_t part) {
  if (chance(f, 80)) return whole;
  if (chance(f, 70)) return part;
  wrong(f, GROOT_INVALID_ARGUMENT);
  return chance(f, 50) ? 0 : 1;
}

static void look_at_property(fuzz *f, size_t entity, size_t index, size_t count) {
  groot_property_info property = GROOT_PROPERTY_INFO_INIT;
  property.struct_size =
      size_argument(f, sizeof property, offsetof(groot_property_info, destination));
  property.destination = -7;
  if (index >= count) wrong(f, GROOT_UNKNOWN_PROPERTY);
  if (index >= count && property.struct_size < sizeof(size_t)) f->wanted = 0;
  const groot_model *model = model_argument(f);
  int is_whole = property.struct_size == sizeof property;
  if (CALL(groot_model_property(model, entity, index, &property, error_place(f))) != GROOT_OK)
    return;
  REQUIRE(property.name.data[property.name.size] == 0);
  REQUIRE(property.entity >= 0 &&
          (size_t)property.entity < groot_model_entity_count(f->model));
  REQUIRE(is_whole || property.destination == -7);
  if (is_whole)
    REQUIRE((property.destination >= 0) == (property.value == GROOT_VALUE_OBJECT));
}

void reflect(fuzz *f) {
  size_t count = CALLED(groot_model_entity_count(f->model));
  REQUIRE(count == (size_t)f->schema.entity_count);
  groot_entity_info entity = GROOT_ENTITY_INFO_INIT;
  size_t number = number_argument(f, count);
  entity.struct_size = size_argument(f, sizeof entity, offsetof(groot_entity_info, parent));
  entity.parent = -7;
  int is_whole = entity.struct_size == sizeof entity;
  const groot_model *model = model_argument(f);
  if (CALL(groot_model_entity(model, number, &entity, error_place(f))) != GROOT_OK) return;
  REQUIRE(entity.name.data[entity.name.size] == 0);
  REQUIRE(is_whole || entity.parent == -7);
  REQUIRE(!is_whole || (entity.parent >= -1 && entity.parent < (int32_t)count));

  size_t again = 7;
  const char *name = name_argument(f, entity.name.data, GROOT_UNKNOWN_ENTITY);
  model = model_argument(f);
  if (CALL(groot_model_entity_number(model, name, &again, error_place(f))) == GROOT_OK)
    REQUIRE(again == number);
  if (is_whole)
    look_at_property(f, number, roll(f, (uint32_t)entity.property_count + 2),
                     entity.property_count);
}

static groot_status watch_progress(void *userdata, const groot_progress *progress) {
  fuzz *f = userdata;
  REQUIRE(progress->struct_size == sizeof *progress && progress->reserved == 0);
  REQUIRE(progress->operation >= GROOT_OPERATION_IMPORT &&
          progress->operation <= GROOT_OPERATION_REFRESH);
  return GROOT_OK;
}

/* Has itself told what calls do, or no more. */
void watch(fuzz *f) {
  groot_context *context = context_argument(f);
  groot_progress_function function = chance(f, 60) ? watch_progress : NULL;
  CALL(groot_context_set_progress(context, function, f, error_place(f)));
}
