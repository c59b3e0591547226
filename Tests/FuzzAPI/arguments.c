/* Arguments of calls: mostly right, now and then one that must be refused. */
#include "fuzz.h"

enum { WRONG = 3 /* percent of arguments */ };

void *wrong_handle(fuzz *f, const void *wanted) {
  const void *handles[] = {NULL, f->model, f->registry, f->mapping, f->context};
  const void *handle = handles[roll(f, 5)];
  f->is_wrong = 1;
  void *other;
  if (handle == wanted || chance(f, 40)) handle = NULL;
  memcpy(&other, &handle, sizeof other);
  return other;
}

groot_context *context_argument(fuzz *f) {
  return chance(f, WRONG) ? wrong_handle(f, f->context) : f->context;
}

const groot_mapping *mapping_argument(fuzz *f) {
  return chance(f, WRONG) ? wrong_handle(f, f->mapping) : f->mapping;
}

const groot_model *model_argument(fuzz *f) {
  return chance(f, WRONG) ? wrong_handle(f, f->model) : f->model;
}

groot_registry *registry_argument(fuzz *f) {
  return chance(f, WRONG) ? wrong_handle(f, f->registry) : f->registry;
}

size_t impossible_size(fuzz *f) {
  static const size_t sizes[] = {(size_t)-2, (size_t)1 << 47, (size_t)1 << 62, (size_t)1 << 63,
                                 (size_t)-4096};
  return sizes[roll(f, 5)];
}

name text_argument(fuzz *f, const char *right) {
  name made = {right, chance(f, 50) ? GROOT_NTS : strlen(right)};
  if (!chance(f, WRONG)) return made;
  f->is_wrong = 1;
  switch (roll(f, 3)) {
    case 0: return (name){NULL, chance(f, 50) ? GROOT_NTS : 3};
    case 1: return (name){right, impossible_size(f)};
    default: return (name){"\xFF\xC0", 2};
  }
}

name name_argument(fuzz *f, const char *right) {
  if (!chance(f, WRONG)) return text_argument(f, right);
  f->is_wrong = 1;
  switch (roll(f, 3)) {
    case 0: return (name){"no such name", GROOT_NTS};
    case 1: return (name){"E\0x", 3};
    default: return (name){right, 0};
  }
}

size_t struct_size_argument(fuzz *f, size_t right) {
  static const size_t wrong[] = {0, 4, 7, 9, 12, 20, 60, 5000, (size_t)-1, (size_t)1 << 62};
  if (!chance(f, WRONG)) return right;
  f->is_wrong = 1;
  return wrong[roll(f, 10)];
}

/* An id that names nothing that lives: 0, any number, one of a deleted object. */
static groot_object_id wrong_object(fuzz *f) {
  f->is_wrong = 1;
  if (chance(f, 60)) {
    for (int i = 0; i < f->now.count; i++) {
      int place = (int)((roll(f, 97) + (uint32_t)i) % (uint32_t)f->now.count);
      if (!f->now.objects[place].is_alive) return f->now.objects[place].id;
    }
  }
  switch (roll(f, 4)) {
    case 0: return 0;
    case 1: return UINT64_MAX;
    case 2: return (groot_object_id)INT64_MIN;
    default: return next_random(&f->random) | (uint64_t)1 << 62;
  }
}

groot_object_id object_argument(fuzz *f, int *object) {
  *object = -1;
  if (f->now.count == 0 || chance(f, WRONG)) return wrong_object(f);
  for (int i = 0; i < 8; i++) {
    int place = (int)roll(f, (uint32_t)f->now.count);
    if (!f->now.objects[place].is_alive) continue;
    *object = place;
    return f->now.objects[place].id;
  }
  return wrong_object(f);
}

groot_object_id member_argument(fuzz *f, const property *property, int *object) {
  *object = -1;
  if (chance(f, WRONG)) return wrong_object(f);
  for (int i = 0; i < f->now.count; i++) {
    int place = (int)((roll(f, 97) + (uint32_t)i) % (uint32_t)f->now.count);
    const plain_object *one = &f->now.objects[place];
    int fits = is_kind_of(&f->schema, one->entity, property->destination);
    if (!one->is_alive || (!fits && !chance(f, 3))) continue;
    if (!fits) f->is_wrong = 1;
    if (fits) *object = place;
    return one->id;
  }
  return wrong_object(f);
}

const property *property_of(const fuzz *f, int object, int slot) {
  return &f->schema.properties[f->schema.entities[f->now.objects[object].entity].slots[slot]];
}

groot_property property_argument(fuzz *f, int object, int kind, int *slot) {
  static const groot_property numbers[] = {-1, 1000, INT32_MAX, INT32_MIN, -2};
  *slot = -1;
  const entity *entity =
      object < 0 ? &f->schema.entities[0] : &f->schema.entities[f->now.objects[object].entity];
  if (chance(f, WRONG) || entity->slot_count == 0) {
    f->is_wrong = 1;
    return numbers[roll(f, 5)];
  }
  for (int i = 0; i < 12; i++) {
    int at = (int)roll(f, (uint32_t)entity->slot_count);
    const property *one = &f->schema.properties[entity->slots[at]];
    int fits = kind == TO_MANY  ? one->kind == TO_MANY
               : kind == TO_ONE ? one->kind == TO_ONE
                                : one->kind < TO_ONE;
    if (!fits && i < 11) continue;
    if (!fits) f->is_wrong = 1;
    if (fits) *slot = at;
    return one->number;
  }
  return -1;
}
