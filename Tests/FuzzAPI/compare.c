/* The context against the plain graph: which objects, their values, their links both ways. */
#include "fuzz.h"

static void check_links(fuzz *f, groot_context *context, const graph *wanted, int place, int slot,
                        const property *one) {
  const plain_object *object = &wanted->objects[place];
  groot_objects *members = NULL;
  size_t count = 0;
  groot_status status = groot_object_members(context, object->id, one->number, &members, NULL);
  if (status != GROOT_OK) fail(f, "members of object %d, %s: %d", place, one->name, (int)status);
  REQUIRE(groot_object_member_count(context, object->id, one->number, &count, NULL) == GROOT_OK);
  REQUIRE(count == groot_objects_count(members));
  if (count != (size_t)object->member_count[slot]) {
    fail(f, "object %d of %s has %zu members in %s, not %d", place,
         f->schema.entities[object->entity].name, count, one->name, object->member_count[slot]);
  }
  for (size_t i = 0; i < count; i++) {
    int member = place_of(wanted, groot_objects_at(members, i));
    if (member < 0 || !plain_is_member(wanted, place, slot, member)) {
      fail(f, "object %d has a member %d in %s that it should not have", place, member, one->name);
    }
  }
  groot_objects_free(members);
}

static void check_object(fuzz *f, groot_context *context, const graph *wanted, int place) {
  const plain_object *object = &wanted->objects[place];
  const entity *entity = &f->schema.entities[object->entity];
  for (int slot = 0; slot < entity->slot_count; slot++) {
    const property *one = &f->schema.properties[entity->slots[slot]];
    if (one->kind == TO_MANY) {
      check_links(f, context, wanted, place, slot, one);
      continue;
    }
    groot_value value;
    groot_status status = groot_object_get(context, object->id, one->number, &value, NULL);
    if (status != GROOT_OK) fail(f, "object %d, %s: %d", place, one->name, (int)status);
    if (one->kind == TO_ONE) {
      int member = value.kind == GROOT_VALUE_OBJECT ? place_of(wanted, value.as.object) : -1;
      int expected = object->member_count[slot] ? object->members[slot][0] : -1;
      if (member != expected) {
        fail(f, "object %d leads by %s to %d, not %d", place, one->name, member, expected);
      }
    } else if (!is_same_value(plain_of(&value), object->values[slot])) {
      plain_value got = plain_of(&value), want = object->values[slot];
      fail(f, "object %d of %s, %s (%s): kind %d bits %llx size %llu, not %d %llx %llu", place,
           entity->name, one->name, type_names[one->kind], got.kind, (unsigned long long)got.bits,
           (unsigned long long)got.size, want.kind, (unsigned long long)want.bits,
           (unsigned long long)want.size);
    }
  }
}

static void check_count(fuzz *f, groot_context *context, const graph *wanted, int root) {
  size_t count = 0, expected = 0;
  groot_status status = groot_context_count(context, f->schema.entities[root].name, NULL, &count,
                                            NULL);
  if (status != GROOT_OK) fail(f, "counting %s: %d", f->schema.entities[root].name, (int)status);
  for (int i = 0; i < wanted->count; i++) {
    const plain_object *object = &wanted->objects[i];
    expected += object->is_alive && f->schema.entities[object->entity].root == root;
  }
  if (count != expected) {
    fail(f, "there are %zu objects of %s, not %zu", count, f->schema.entities[root].name, expected);
  }
}

void compare(fuzz *f, groot_context *context, const graph *wanted) {
  for (int root = 0; root < f->schema.entity_count; root++) {
    if (f->schema.entities[root].parent < 0) check_count(f, context, wanted, root);
  }
  for (int i = 0; i < wanted->count; i++) {
    const plain_object *object = &wanted->objects[i];
    groot_status status = groot_object_status(context, object->id);
    groot_status expected = object->is_alive ? GROOT_OK : GROOT_OBJECT_DELETED;
    if (status != expected) fail(f, "object %d is %d, not %d", i, (int)status, (int)expected);
    if (object->is_alive) check_object(f, context, wanted, i);
  }
  groot_error *error = NULL;
  if (groot_context_check(context, &error) != GROOT_OK) {
    groot_string text = groot_error_text(error);
    fail(f, "the check says: %.*s", (int)text.size, text.data);
  }
}

static int entity_of(fuzz *f, groot_object_id id) {
  groot_string name;
  REQUIRE(groot_object_entity(f->context, id, &name, NULL) == GROOT_OK);
  for (int i = 0; i < f->schema.entity_count; i++) {
    if (strlen(f->schema.entities[i].name) == name.size &&
        memcmp(f->schema.entities[i].name, name.data, name.size) == 0) {
      return i;
    }
  }
  fail(f, "an object of an entity that is not there");
}

static void adopt_object(fuzz *f, int place) {
  plain_object *object = &f->now.objects[place];
  const entity *entity = &f->schema.entities[object->entity];
  for (int slot = 0; slot < entity->slot_count; slot++) {
    const property *one = &f->schema.properties[entity->slots[slot]];
    object->member_count[slot] = 0;
    if (one->kind != TO_MANY) {
      groot_value value;
      REQUIRE(groot_object_get(f->context, object->id, one->number, &value, NULL) == GROOT_OK);
      object->values[slot] = plain_of(&value);
      if (one->kind == TO_ONE && value.kind == GROOT_VALUE_OBJECT) {
        int member = place_of(&f->now, value.as.object);
        REQUIRE(member >= 0);
        object->members[slot][object->member_count[slot]++] = (uint8_t)member;
      }
      if (one->kind == TO_ONE) memset(&object->values[slot], 0, sizeof object->values[slot]);
      continue;
    }
    groot_objects *members = NULL;
    REQUIRE(groot_object_members(f->context, object->id, one->number, &members, NULL) == GROOT_OK);
    for (size_t i = 0; i < groot_objects_count(members); i++) {
      int member = place_of(&f->now, groot_objects_at(members, i));
      REQUIRE(member >= 0 && object->member_count[slot] < MOST_OBJECTS);
      object->members[slot][object->member_count[slot]++] = (uint8_t)member;
    }
    groot_objects_free(members);
  }
}

/* Both directions of each link are there, and no to-one has two owners. */
static void check_directions(fuzz *f) {
  for (int place = 0; place < f->now.count; place++) {
    const plain_object *object = &f->now.objects[place];
    if (!object->is_alive) continue;
    for (int slot = 0; slot < f->schema.entities[object->entity].slot_count; slot++) {
      const property *one = &f->schema.properties[f->schema.entities[object->entity].slots[slot]];
      for (int i = 0; i < object->member_count[slot]; i++) {
        int member = object->members[slot][i];
        REQUIRE(f->now.objects[member].is_alive);
        if (one->inverse < 0) continue;
        int back = slot_of(&f->schema, f->now.objects[member].entity, one->inverse);
        REQUIRE(back >= 0 && plain_is_member(&f->now, member, back, place));
      }
    }
  }
}

/* A record may make a placeholder an object of a descendant; all others keep their entity. */
static void adopt_entity(fuzz *f, plain_object *object) {
  int now = entity_of(f, object->id), ancestor = now;
  while (ancestor >= 0 && ancestor != object->entity) {
    ancestor = f->schema.entities[ancestor].parent;
  }
  REQUIRE(ancestor >= 0);
  object->entity = now;
}

void adopt(fuzz *f) {
  for (int i = 0; i < f->now.count; i++) {
    groot_status status = groot_object_status(f->context, f->now.objects[i].id);
    REQUIRE(status == GROOT_OK || status == GROOT_OBJECT_DELETED);
    f->now.objects[i].is_alive = status == GROOT_OK;
    if (status == GROOT_OK) adopt_entity(f, &f->now.objects[i]);
    memset(f->now.objects[i].member_count, 0, sizeof f->now.objects[i].member_count);
  }
  for (int root = 0; root < f->schema.entity_count; root++) {
    if (f->schema.entities[root].parent >= 0) continue;
    groot_objects *objects = NULL;
    const char *name = f->schema.entities[root].name;
    REQUIRE(groot_context_fetch(f->context, name, NULL, &objects, NULL) == GROOT_OK);
    for (size_t i = 0; i < groot_objects_count(objects) && !f->is_full; i++) {
      groot_object_id id = groot_objects_at(objects, i);
      if (place_of(&f->now, id) >= 0) continue;
      f->is_full = plain_insert(&f->schema, &f->now, entity_of(f, id), id) < 0;
    }
    groot_objects_free(objects);
  }
  if (f->is_full) return; /* the program ends here */
  for (int i = 0; i < f->now.count; i++) {
    if (f->now.objects[i].is_alive) adopt_object(f, i);
  }
  check_directions(f);
}
