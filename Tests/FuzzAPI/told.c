/* What callbacks are told, and what errors tell of callbacks. */
#include <stdlib.h>

#include "fuzz.h"

/* ---- what a call is for ---- */

/* The value in a feed to which a path leads, as $[2].r3[0].a1; NULL for a path of another form. */
static json_t *value_at(json_t *feed, const char *path) {
  if (*path++ != '$') return NULL;
  while (feed && *path) {
    char key[32];
    size_t length = strcspn(path + 1, ".[]");
    if (length == 0 || length >= sizeof key || path[1] == '"') return NULL;
    memcpy(key, path + 1, length);
    key[length] = 0;
    if (*path == '.') {
      feed = json_object_get(feed, key);
    } else {
      feed = json_array_get(feed, (size_t)strtoul(key, NULL, 10));
      if (path[length + 1] != ']') return NULL;
      length++;
    }
    path += length + 1;
  }
  return feed;
}

static int is_text(groot_string text, const char *expected) {
  return strlen(expected) == text.size && memcmp(expected, text.data, text.size) == 0;
}

static int entity_named(const fuzz *f, groot_string name) {
  for (int i = 0; i < f->schema.entity_count; i++) {
    if (is_text(name, f->schema.entities[i].name)) return i;
  }
  return -1;
}

static const property *property_named(const fuzz *f, int number, groot_string name) {
  const entity *entity = &f->schema.entities[number];
  for (int slot = 0; slot < entity->slot_count; slot++) {
    const property *one = &f->schema.properties[entity->slots[slot]];
    if (is_text(name, one->name)) return one;
  }
  return NULL;
}

static void check_path(fuzz *f, groot_string path, json_t *value) {
  if (f->is_exporting) {
    REQUIRE(path.size == 0);
    return;
  }
  REQUIRE(path.size > 0 && path.data[0] == '$' && path.data[path.size] == 0);
  json_t *found = f->feed && value ? value_at(f->feed, path.data) : NULL;
  if (found && !json_equal(found, value)) {
    fail(f, "a callback for %s has another value", path.data);
  }
}

void check_call(fuzz *f, groot_call *call, json_t *value, int is_for_record) {
  REQUIRE(groot_call_userdata(call) == f->call_userdata);
  if (chance(f, 60)) return;
  groot_string path = groot_call_path(call), entity = groot_call_entity(call);
  groot_string property = groot_call_property(call), again = groot_call_path(call);
  REQUIRE(again.size == path.size);
  REQUIRE(path.size == 0 || memcmp(again.data, path.data, path.size) == 0);
  int number = entity_named(f, entity);
  if (number < 0) fail(f, "a callback is for the entity '%.*s'", (int)entity.size, entity.data);
  if (is_for_record) {
    REQUIRE(property.size == 0 && !f->is_exporting);
  } else {
    const struct property *one = property_named(f, number, property);
    if (!one || !one->is_transformed) {
      fail(f, "a callback is for '%.*s' of %s", (int)property.size, property.data, entity.data);
    }
  }
  check_path(f, path, value);
}

void feed_callbacks(fuzz *f, const json_t *feed) {
  json_decref(f->feed);
  f->feed = f->has_record_transformer ? NULL : json_deep_copy(feed);
}

/* ---- what a callback leaves ---- */

void take_exception(void *pointer) {
  exception *one = pointer;
  fuzz *f = one->owner;
  REQUIRE(one->is_left);
  one->is_left = 0;
  one->is_taken = 1;
}

/* Leaves an exception, perhaps in place of another; NULL when it is one that nobody takes back. */
static void *leave_exception(fuzz *f, groot_call *call) {
  if (f->exception_count == MOST_EXCEPTIONS) return NULL;
  exception *one = &f->exceptions[f->exception_count++];
  *one = (exception){f, 1, 0};
  if (chance(f, 90)) {
    groot_call_set_exception(call, one, take_exception);
  } else {
    groot_call_set_exception(call, one, NULL);
    one->is_left = 0;
  }
  return one;
}

void check_exceptions(fuzz *f) {
  for (int i = 0; i < f->exception_count; i++) {
    if (f->exceptions[i].is_left) fail(f, "exception %d was not given back", i);
  }
  f->exception_count = 0;
}

void note_failure(fuzz *f, groot_status status, void *exception) {
  if (f->failure.count++ > 0) return;
  f->failure.status = status;
  f->failure.exception = exception;
}

groot_status end_call(fuzz *f, groot_call *call) {
  static const groot_status statuses[] = {GROOT_CALLBACK_FAILED, GROOT_BUSY, -7, 999999,
                                          GROOT_TRANSFORM_FAILED};
  void *exception = NULL;
  if (chance(f, 8)) exception = leave_exception(f, call);
  if (!chance(f, 8)) return GROOT_OK;
  switch (roll(f, 5)) {
    case 0: groot_call_set_message(call, "it is Monday", GROOT_NTS); break;
    case 1: groot_call_set_message(call, "\xFF\xFE", 2); break;
    case 2: groot_call_set_message(call, NULL, GROOT_NTS); break;
    case 3: groot_call_set_message(call, "why", (size_t)1 << 62); break;
    default: break;
  }
  for (uint32_t count = roll(f, 3); count > 0; count--) exception = leave_exception(f, call);
  groot_status status = statuses[roll(f, 5)];
  note_failure(f, status, exception);
  return status;
}

/* ---- what an error tells ---- */

void check_failure(fuzz *f, groot_status status) {
  groot_status told = groot_error_callback_status(f->error);
  void *left = groot_error_exception(f->error, take_exception);
  if (!left) left = groot_error_exception(f->error, NULL);
  REQUIRE(f->failure.count > 0 || (told == GROOT_OK && left == NULL));
  REQUIRE(left == NULL || !((exception *)left)->is_taken); /* it stays as long as the error */
  if (status != GROOT_CALLBACK_FAILED || f->is_lenient || f->failure.count == 0) return;
  if (told != f->failure.status || left != f->failure.exception) {
    fail(f, "a callback failed with %d, the error has %d", (int)f->failure.status, (int)told);
  }
}
