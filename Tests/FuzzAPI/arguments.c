/* Arguments of calls: mostly right, now and then one that must be refused. */
#include "fuzz.h"

enum { WRONG = 3 /* percent of arguments */ };

void wrong(fuzz *f, groot_status wanted) {
  f->wanted = f->is_wrong ? 0 : wanted;
  f->is_wrong = 1;
}

void *wrong_handle(fuzz *f, const void *wanted) {
  const void *handles[] = {NULL, f->model, f->registry, f->mapping, f->context};
  const void *handle = handles[roll(f, 5)];
  wrong(f, GROOT_INVALID_ARGUMENT);
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

size_t length_argument(fuzz *f, const char *data, size_t size) {
  if (chance(f, 2)) {
    wrong(f, GROOT_INVALID_ARGUMENT);
    return impossible_size(f);
  }
  return chance(f, 30) && !memchr(data, 0, size) ? GROOT_NTS : size;
}

const char *text_argument(fuzz *f, const char *right) {
  if (!chance(f, WRONG)) return right;
  int is_there = chance(f, 50);
  wrong(f, is_there ? GROOT_INVALID_UTF8 : GROOT_INVALID_ARGUMENT);
  return is_there ? "\xFF\xC0" : NULL;
}

const char *name_argument(fuzz *f, const char *right, groot_status unknown) {
  if (!chance(f, WRONG)) return text_argument(f, right);
  wrong(f, unknown);
  return chance(f, 50) ? "no such name" : "";
}

/* An id that names nothing that lives: 0, any number, one of a deleted object. */
static groot_object_id wrong_object(fuzz *f) {
  wrong(f, 0);
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
    if (!fits) wrong(f, 0);
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
    wrong(f, 0);
    return numbers[roll(f, 5)];
  }
  for (int i = 0; i < 12; i++) {
    int at = (int)roll(f, (uint32_t)entity->slot_count);
    const property *one = &f->schema.properties[entity->slots[at]];
    int fits = kind == TO_MANY  ? one->kind == TO_MANY
               : kind == TO_ONE ? one->kind == TO_ONE
                                : one->kind < TO_ONE;
    if (!fits && i < 11) continue;
    if (!fits) wrong(f, 0);
    if (fits) *slot = at;
    return one->number;
  }
  return -1;
}
