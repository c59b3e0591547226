/* Stores: what was saved is there when the file is opened again, by whomever. */
#include <stdio.h>
#include <unistd.h>

#include "operations.h"

/* The living objects of `from` as another context has them, which numbers them anew. */
static void view(fuzz *f, groot_context *context, const graph *from, graph *seen) {
  int places[MOST_OBJECTS];
  memset(seen, 0, sizeof *seen);
  for (int i = 0; i < from->count; i++) {
    places[i] = -1;
    if (!from->objects[i].is_alive) continue;
    places[i] = seen->count;
    seen->objects[seen->count++] = from->objects[i];
  }
  for (int i = 0; i < seen->count; i++) {
    plain_object *object = &seen->objects[i];
    object->id = 0;
    for (int slot = 0; slot < MOST_SLOTS; slot++) {
      for (int j = 0; j < object->member_count[slot]; j++) {
        object->members[slot][j] = (uint8_t)places[object->members[slot][j]];
      }
    }
  }
  for (int root = 0; root < f->schema.entity_count; root++) {
    if (f->schema.entities[root].parent >= 0) continue;
    groot_objects *objects = NULL;
    REQUIRE(CALL(groot_context_fetch(context, f->schema.entities[root].name, NULL, &objects,
                                     error_place(f))) == GROOT_OK);
    size_t at = 0;
    for (int i = 0; i < seen->count; i++) {
      if (f->schema.entities[seen->objects[i].entity].root != root) continue;
      seen->objects[i].id = groot_objects_at(objects, at++);
    }
    if (at != groot_objects_count(objects)) {
      fail(f, "%zu objects of %s are in the store, not %zu", groot_objects_count(objects),
           f->schema.entities[root].name, at);
    }
    groot_objects_free(objects);
  }
}

static groot_context *open_store(fuzz *f, const groot_mapping *mapping) {
  groot_context *context = NULL;
  char backup[300];
  snprintf(backup, sizeof backup, "%s.backup", f->path);
  unlink(backup);
  groot_store_options options = GROOT_STORE_OPTIONS_INIT;
  options.durability = GROOT_DURABILITY_NORMAL;
  if (chance(f, 20)) options.backup = backup;
  if (chance(f, 20)) options.busy_timeout = (int32_t)roll(f, 1000) - 1;
  if (chance(f, 20)) options.flags |= GROOT_STORE_NO_CREATE;
  if (chance(f, 20)) options.flags |= GROOT_STORE_TRIGGERS;
  if (chance(f, 20)) options.flags |= GROOT_STORE_VIEWS;
  if (chance(f, 20)) options.flags |= GROOT_STORE_VERSIONS;
  if (chance(f, 20)) options.conflicts = GROOT_CONFLICTS_ERROR;
  groot_status status =
      CALL(groot_context_open(mapping, f->path, &options, &context, error_place(f)));
  if (status != GROOT_OK) fail(f, "the store was not opened: %d", (int)status);
  return context;
}

void reopen(fuzz *f) {
  if (!f->is_stored) return;
  static graph seen;
  groot_objects *kept = NULL;
  REQUIRE(CALL(groot_context_fetch(f->context, f->schema.entities[0].name, NULL, &kept,
                                   error_place(f))) == GROOT_OK);
  CALLED(groot_context_free(f->context));
  f->context = open_store(f, f->mapping);
  CALLED(groot_objects_count(kept)); /* a sequence outlives its context */
  CALLED(groot_objects_free(kept));
  view(f, f->context, &f->saved, &seen);
  f->now = f->saved = seen;
}

/* Sets an attribute of a saved object in a context that knows it as `id`; its slot, or -1. */
static int change_value(fuzz *f, groot_context *context, int object, groot_object_id id,
                        plain_value *expected) {
  const entity *entity = &f->schema.entities[f->saved.objects[object].entity];
  int slot = (int)roll(f, (uint32_t)entity->slot_count);
  const property *one = &f->schema.properties[entity->slots[slot]];
  if (one->kind >= TO_ONE) return -1;
  groot_value value;
  fitting_value(f, one->kind, &value, expected);
  REQUIRE(CALL(groot_object_set(context, id, one->number, &value, error_place(f))) == GROOT_OK);
  return slot;
}

/* What a second context changes and saves; 1 for an object that it changed. */
static void change_from_elsewhere(fuzz *f, groot_context *second, const graph *seen, int *changed) {
  for (int i = 0, at = -1; i < f->saved.count; i++) {
    plain_object *object = &f->saved.objects[i];
    plain_value expected;
    if (!object->is_alive) continue;
    at++;
    if (!chance(f, 30)) continue;
    int slot = change_value(f, second, i, seen->objects[at].id, &expected);
    if (slot < 0) continue;
    groot_status status = CALL(groot_context_save(second, error_place(f)));
    if (status != GROOT_OK) return; /* an identity that is taken, a limit */
    changed[i] |= !is_same_value(object->values[slot], expected);
    object->values[slot] = expected;
  }
}

/*
 * A second context on the file sees what is saved. What it changes is a conflict when the first one
 * has changed the same object, and else is seen after a refresh.
 */
void open_twice(fuzz *f) {
  if (!f->is_stored) return;
  static graph seen;
  int changed[MOST_OBJECTS] = {0}, own = -1, slot = -1;
  plain_value expected = {0, 0, 0};
  REQUIRE(CALL(groot_context_rollback(f->context, error_place(f))) == GROOT_OK);
  for (int i = 0; i < f->saved.count; i++) {
    if (f->saved.objects[i].is_alive && chance(f, 30)) own = i;
  }
  if (own >= 0) {
    slot = change_value(f, f->context, own, f->saved.objects[own].id, &expected);
  }
  int is_change = slot >= 0 && !is_same_value(f->saved.objects[own].values[slot], expected);
  groot_context *second = open_store(f, f->mapping);
  view(f, second, &f->saved, &seen);
  compare(f, second, &seen);
  change_from_elsewhere(f, second, &seen, changed);
  CALLED(groot_context_free(second));
  groot_status status = CALL(groot_context_save(f->context, error_place(f)));
  /* The model, or an identity that another object has by now, may refuse the change as well. */
  int is_refused = status == GROOT_STORE_DUPLICATE || status == GROOT_IDENTITY_CONFLICT ||
                   (status >= GROOT_TOO_FEW && status <= GROOT_UNLISTED_VALUE);
  if (is_change && !is_refused && status != (changed[own] ? GROOT_STORE_CONFLICT : GROOT_OK)) {
    fail(f, "a save gave %d where another context has%s saved the same object", (int)status,
         changed[own] ? "" : " not");
  }
  if (is_change && status == GROOT_OK) f->saved.objects[own].values[slot] = expected;
  plain_roll_back(&f->now, &f->saved);
  status = CALL(groot_context_refresh(f->context, error_place(f)));
  if (status != GROOT_OK) fail(f, "a refresh gave %d", (int)status);
}

/* Options of which at least one is often wrong. */
static void choose_store(fuzz *f, groot_store_options *made, held *held) {
  CALLED(groot_store_options_init(made, sizeof *made));
  made->flags = flags_argument(f, chance(f, 50) ? GROOT_STORE_NO_CREATE : 0,
                               GROOT_STORE_NO_CREATE | GROOT_STORE_NO_MIGRATE |
                                   GROOT_STORE_DESTRUCTIVE | GROOT_STORE_TRIGGERS |
                                   GROOT_STORE_VIEWS);
  if (chance(f, 10)) made->flags |= GROOT_STORE_NO_MIGRATE;
  if (chance(f, 10)) made->flags |= GROOT_STORE_DESTRUCTIVE;
  const uint32_t both = GROOT_STORE_NO_MIGRATE | GROOT_STORE_DESTRUCTIVE;
  if ((made->flags & both) == both) wrong(f, 0);
  if (chance(f, 20)) made->durability = chance(f, 50) ? 2 : -1, wrong(f, 0);
  if (chance(f, 20)) made->conflicts = chance(f, 50) ? 3 : INT32_MIN, wrong(f, 0);
  if (chance(f, 20)) made->busy_timeout = chance(f, 50) ? -2 : INT32_MAX, wrong(f, 0);
  if (chance(f, 5)) made->backup = "", wrong(f, 0);
  resize(f, made, sizeof *made, held);
}

void open_wrongly(fuzz *f) {
  char path[300];
  groot_context *made = NULL;
  groot_store_options options;
  held held = {0};
  choose_store(f, &options, &held);
  snprintf(path, sizeof path, "%s.part", f->path);
  const char *wrong[] = {NULL, "", "/", "/nobody/there", "\xFF", path};
  const char *given = wrong[roll(f, 6)];
  if (!given || *given == '\xFF') f->wanted = 0; /* told of before the options */
  if (given == path && chance(f, 70)) {
    FILE *file = fopen(path, "wb");
    if (!file) abort();
    fputs(chance(f, 50) ? "SQLite format 3" : "this is something else, at some length", file);
    fclose(file);
  }
  groot_status status = CALL(groot_context_open(mapping_argument(f), given, held.given, &made,
                                                error_place(f)));
  REQUIRE((status == GROOT_OK) == (made != NULL));
  CALLED(groot_context_free(made));
  release(&held);
  unlink(path);
}

/* A copy has all that was saved, notes too; the description of the store has them as well. */
void copy_store(fuzz *f) {
  if (!f->is_stored) return;
  static graph seen;
  char path[300];
  snprintf(path, sizeof path, "%s.copy", f->path);
  REQUIRE(CALL(groot_context_rollback(f->context, error_place(f))) == GROOT_OK);
  f->now = f->saved;
  REQUIRE(CALL(groot_context_set_note(f->context, "fuzz", "noted", error_place(f))) == GROOT_OK);
  groot_status status = CALL(groot_context_save(f->context, error_place(f)));
  if (status != GROOT_OK) fail(f, "a save of a note gave %d", (int)status);
  groot_context *copy = NULL;
  REQUIRE(CALL(groot_context_open(f->mapping, path, NULL, &copy, error_place(f))) == GROOT_OK);
  status = CALL(groot_context_copy_store(f->context, copy, error_place(f)));
  if (status != GROOT_OK) fail(f, "a copy gave %d", (int)status);
  view(f, copy, &f->saved, &seen);
  compare(f, copy, &seen);
  groot_buffer text = {NULL, 0};
  REQUIRE(CALL(groot_context_note(copy, "fuzz", &text, error_place(f))) == GROOT_OK);
  REQUIRE(text.size == 5 && strcmp(text.data, "noted") == 0);
  CALLED(groot_buffer_free(&text));
  CALLED(groot_context_free(copy));
  uint32_t flags = chance(f, 50) ? GROOT_DESCRIBE_COUNTS : 0;
  REQUIRE(CALL(groot_store_describe(path, flags, &text, error_place(f))) == GROOT_OK);
  REQUIRE(strstr(text.data, "\"fuzz\":\"noted\"") != NULL);
  CALLED(groot_buffer_free(&text));
  unlink(path);
}

/* The store is brought to a model with one more attribute, and back. */
void migrate(fuzz *f) {
  if (!f->is_stored) return;
  static graph seen;
  json_t *document = json_deep_copy(f->document);
  json_t *entity =
      json_object_get(json_object_get(document, "entities"), f->schema.entities[0].name);
  json_object_set_new(json_object_get(entity, "attributes"), "extra",
                      json_pack("{s:s, s:b}", "type", "string", "optional", 1));
  groot_model *model = NULL;
  groot_mapping *mapping = NULL;
  REQUIRE(CALL(groot_model_create_json(document, &model, error_place(f))) == GROOT_OK);
  json_decref(document);
  groot_mapping_options options;
  held held;
  mapping_options(f, &options, &held);
  REQUIRE(CALL(groot_mapping_create(model, f->registry, held.given, &mapping, error_place(f))) ==
          GROOT_OK);
  release(&held);
  CALLED(groot_context_free(f->context));
  f->context = NULL;
  groot_context *wider = open_store(f, mapping);
  REQUIRE(CALL(groot_context_check(wider, error_place(f))) == GROOT_OK);
  CALLED(groot_context_free(wider));
  CALLED(groot_mapping_free(mapping));
  CALLED(groot_model_free(model));
  f->context = open_store(f, f->mapping);
  view(f, f->context, &f->saved, &seen);
  f->now = f->saved = seen;
}
