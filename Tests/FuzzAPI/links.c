/* Relationships: both directions follow each change. */
#include "operations.h"

/* A relationship of a living object; 0 when there is none or an argument is wrong. */
static int any_list(fuzz *f, int kind, groot_object_id *id, groot_property *number, int *object,
                    int *slot) {
  *id = object_argument(f, object);
  *number = property_argument(f, *object, kind, slot);
  return *object >= 0 && *slot >= 0;
}

/* A to-many relationship of an object, and an object that may be a member of it. */
typedef struct membership {
  int object, slot, member;
  groot_object_id id, other;
  groot_property number;
} membership;

static membership any_membership(fuzz *f) {
  membership to = {.member = -1, .other = 1};
  if (any_list(f, TO_MANY, &to.id, &to.number, &to.object, &to.slot))
    to.other = member_argument(f, property_of(f, to.object, to.slot), &to.member);
  return to;
}

void set_target(fuzz *f) {
  int object, slot, member = -1;
  groot_object_id id;
  groot_property number;
  groot_value value = {GROOT_VALUE_OBJECT, 0, {0}};
  int is_there = any_list(f, TO_ONE, &id, &number, &object, &slot);
  if (is_there && chance(f, 80)) {
    value.as.object = member_argument(f, property_of(f, object, slot), &member);
  } else if (chance(f, 50)) {
    value.kind = GROOT_VALUE_NULL;
  }
  if (!is_there && value.kind == GROOT_VALUE_NULL) {
    f->is_wrong = 0;
    return; /* null is a value of attributes too */
  }
  if (is_there && value.as.object == 0) f->is_wrong = 0; /* none is what clears it */
  int is_right = !f->is_wrong;
  groot_status status = CALL(groot_object_set(f->context, id, number, &value, error_place(f)));
  if (!is_right) return;
  if (status != GROOT_OK) fail(f, "a to-one was refused: %d", (int)status);
  if (member < 0) plain_clear(&f->schema, &f->now, object, slot);
  else plain_link(&f->schema, &f->now, object, slot, member);
}

void add_member(fuzz *f) {
  membership to = any_membership(f);
  groot_context *context = context_argument(f);
  int is_right = !f->is_wrong;
  groot_status status = CALL(groot_object_add(context, to.id, to.number, to.other, error_place(f)));
  if (!is_right) return;
  if (status != GROOT_OK) fail(f, "a member was refused: %d", (int)status);
  plain_link(&f->schema, &f->now, to.object, to.slot, to.member);
}

void remove_member(fuzz *f) {
  membership to = any_membership(f);
  if (to.object >= 0 && to.slot >= 0) {
    plain_object *owner = &f->now.objects[to.object];
    if (chance(f, 60) && owner->member_count[to.slot] > 0) {
      to.member = owner->members[to.slot][0];
      to.other = f->now.objects[to.member].id;
      f->is_wrong = 0;
    }
  }
  groot_context *context = context_argument(f);
  int is_right = !f->is_wrong;
  groot_status status =
      CALL(groot_object_remove(context, to.id, to.number, to.other, error_place(f)));
  if (!is_right) return;
  if (status != GROOT_OK) fail(f, "removing was refused: %d", (int)status);
  plain_unlink(&f->schema, &f->now, to.object, to.slot, to.member);
}

/* The members of a list in its order: what was set comes back. */
static void check_order(fuzz *f, groot_object_id id, groot_property number,
                        const groot_object_id *ids, size_t count) {
  groot_objects *members = NULL;
  REQUIRE(CALL(groot_object_members(f->context, id, number, &members, error_place(f))) == GROOT_OK);
  REQUIRE(CALLED(groot_objects_count(members)) == count);
  for (size_t i = 0; i < count; i++) REQUIRE(CALLED(groot_objects_at(members, i)) == ids[i]);
  CALLED(groot_objects_free(members));
}

void set_members(fuzz *f) {
  int object, slot, list[6], kept = 0;
  groot_object_id id, ids[6] = {0}, unique[6];
  groot_property number;
  size_t count = roll(f, 6);
  if (!any_list(f, TO_MANY, &id, &number, &object, &slot)) count = 0;
  for (size_t i = 0; i < count; i++) {
    int member;
    ids[i] = member_argument(f, property_of(f, object, slot), &member);
    int is_new = 1;
    for (int j = 0; j < kept; j++) is_new &= list[j] != member;
    if (member >= 0 && is_new) unique[kept] = ids[i], list[kept++] = member;
  }
  const groot_object_id *given = ids;
  if (chance(f, 2)) given = NULL, count = 3, wrong(f, 0);
  if (chance(f, 2)) count = impossible_size(f), wrong(f, 0);
  groot_context *context = context_argument(f);
  int is_right = !f->is_wrong;
  groot_status status =
      CALL(groot_object_set_members(context, id, number, given, count, error_place(f)));
  if (!is_right) return;
  if (status != GROOT_OK) fail(f, "members were refused: %d", (int)status);
  for (int i = 0; i < f->now.objects[object].member_count[slot];) {
    int old = f->now.objects[object].members[slot][i], stays = 0;
    for (int j = 0; j < kept; j++) stays |= list[j] == old;
    if (stays) i++;
    else plain_unlink(&f->schema, &f->now, object, slot, old);
  }
  for (int i = 0; i < kept; i++) plain_link(&f->schema, &f->now, object, slot, list[i]);
  check_order(f, id, number, unique, (size_t)kept);
}

void read_members(fuzz *f) {
  membership to = any_membership(f);
  groot_context *context = context_argument(f);
  int is_right = !f->is_wrong;
  int32_t contains = 9;
  groot_status status =
      CALL(groot_object_contains(context, to.id, to.number, to.other, &contains, error_place(f)));
  if (is_right) {
    REQUIRE(status == GROOT_OK);
    REQUIRE(contains == plain_is_member(&f->now, to.object, to.slot, to.member));
  } else {
    REQUIRE(contains == 0);
  }
  groot_objects *members = (groot_objects *)&members, **place = chance(f, 98) ? &members : NULL;
  size_t count = 9;
  int is_wrong = to.object < 0 || to.slot < 0;
  if (is_wrong || !place) wrong(f, 0);
  status = CALL(groot_object_members(f->context, to.id, to.number, place, error_place(f)));
  if (status == GROOT_OK) CALLED(groot_objects_free(members));
  else REQUIRE(!place || members == NULL);
  if (is_wrong) wrong(f, 0);
  status = CALL(groot_object_member_count(f->context, to.id, to.number, &count, error_place(f)));
  REQUIRE(status == GROOT_OK ? count == (size_t)f->now.objects[to.object].member_count[to.slot]
                             : count == 0);
}
