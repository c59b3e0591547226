/*
 * One context, used by two threads at once: each call is carried out, or refused with GROOT_BUSY.
 *
 * usage: shared_context [runs]
 */
#include "support.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char model[] =
    "{'entities': {'Hero': {'userInfo': {'identityAttributes': 'id'}, 'attributes': {"
    "'id': {'type': 'integer64', 'userInfo': {'JSONKeyPath': 'id'}},"
    "'power': {'type': 'decimal', 'optional': true, 'userInfo': {'JSONKeyPath': 'power'}},"
    "'name': {'type': 'string', 'optional': true, 'userInfo': {'JSONKeyPath': 'name',"
    " 'JSONTransformerName': 'Wait'}}},"
    "'relationships': {'rivals': {'destination': 'Hero', 'toMany': true, 'inverse': 'rivals',"
    " 'optional': true, 'userInfo': {'JSONKeyPath': 'rivals'}}}}}}";

/* Holds an import up in its callback until another thread has tried what it wants to try. */
typedef struct gate {
  int waits;
  sem_t reached, passed;
} gate;

static groot_status wait_in_import(void *userdata, const char *value, size_t size,
                                   groot_call *call) {
  gate *gate = userdata;
  if (gate->waits) {
    sem_post(&gate->reached);
    sem_wait(&gate->passed);
  }
  return groot_call_set_result(call, value, size);
}

/* ---- one that is certainly in the midst of a call ------------------------------------------ */

typedef struct importing {
  groot_context *context;
  groot_status status;
} importing;

static void *import_one_hero(void *argument) {
  importing *self = argument;
  self->status = groot_import_text(self->context, "Hero", "{\"id\": 1, \"name\": \"Ann\"}",
                                   GROOT_NTS, NULL, NULL, NULL);
  return NULL;
}

static void check_second_is_busy(fixture *f, gate *gate) {
  groot_object_id hero = import_one(f, "Hero", "{'id': 7}");
  groot_property power = property_of(f, hero, "power");
  importing other = {f->context, -1};
  pthread_t thread;
  gate->waits = 1;
  CHECK_EQUAL(pthread_create(&thread, NULL, import_one_hero, &other), 0);
  sem_wait(&gate->reached);

  groot_value value = {GROOT_VALUE_NULL, 0, {0}};
  groot_string entity;
  groot_objects *objects = NULL;
  size_t count = 0;
  CHECK_EQUAL(groot_object_get(f->context, hero, power, &value, NULL), GROOT_BUSY);
  CHECK_EQUAL(groot_object_set(f->context, hero, power, &value, NULL), GROOT_BUSY);
  CHECK_EQUAL(groot_object_status(f->context, hero), GROOT_BUSY);
  CHECK_EQUAL(groot_object_entity(f->context, hero, &entity, NULL), GROOT_BUSY);
  CHECK_EQUAL(groot_object_delete(f->context, hero, NULL), GROOT_BUSY);
  CHECK_EQUAL(groot_context_fetch(f->context, "Hero", NULL, &objects, NULL), GROOT_BUSY);
  CHECK_EQUAL(groot_context_count(f->context, "Hero", NULL, &count, NULL), GROOT_BUSY);
  CHECK_EQUAL(groot_context_save(f->context, NULL), GROOT_BUSY);
  CHECK_EQUAL(groot_context_rollback(f->context, NULL), GROOT_BUSY);
  CHECK_EQUAL(groot_context_check(f->context, NULL), GROOT_BUSY);

  gate->waits = 0;
  sem_post(&gate->passed);
  CHECK_EQUAL(pthread_join(thread, NULL), 0);
  CHECK_EQUAL(other.status, GROOT_OK);
  CHECK_EQUAL(count_of(f, "Hero"), 2);
}

/* ---- many that may be ---------------------------------------------------------------------- */

enum { steps = 40 };

typedef struct user {
  groot_context *context;
  groot_property name, power, rivals;
  unsigned random;
  long done, busy, others;
} user;

static unsigned next_random(user *self) {
  self->random = self->random * 1664525u + 1013904223u;
  return self->random >> 8;
}

static groot_object_id some_hero(user *self, groot_objects *heroes) {
  size_t count = groot_objects_count(heroes);
  return count ? groot_objects_at(heroes, next_random(self) % count) : 0;
}

static groot_status import_heroes(user *self) {
  char json[512];
  unsigned id = next_random(self) % 20;
  snprintf(json, sizeof json,
           "[{\"id\": %u, \"name\": \"n%u\", \"power\": 1.5, \"rivals\": [%u, %u]}]", id, id,
           (id + 1) % 20, next_random(self) % 20);
  return groot_import_text(self->context, "Hero", json, GROOT_NTS, NULL, NULL, NULL);
}

static groot_status import_in_pieces(user *self) {
  groot_stream *stream = NULL;
  groot_status status = groot_stream_begin(self->context, "Hero", NULL, &stream, NULL);
  if (status != GROOT_OK) return status;
  groot_stream_write(stream, "[{\"id\": 5,", 10, NULL);
  groot_stream_write(stream, " \"name\": \"x\"}]", 14, NULL);
  return groot_stream_finish(stream, NULL, NULL);
}

static groot_status export_all(user *self, groot_objects *heroes) {
  groot_buffer text = {NULL, 0};
  groot_status status =
      groot_export_objects_text(self->context, groot_objects_data(heroes), groot_objects_count(heroes),
                        NULL, &text, NULL);
  groot_buffer_free(&text);
  return status;
}

static groot_status set_name(user *self, groot_object_id hero) {
  groot_value value = {GROOT_VALUE_STRING, 0, {0}};
  value.as.text.data = "a name of some length, so that it has memory of its own";
  value.as.text.size = 20 + next_random(self) % 30;
  return groot_object_set(self->context, hero, self->name, &value, NULL);
}

static groot_status do_something(user *self, groot_objects *heroes) {
  groot_object_id hero = some_hero(self, heroes), other = some_hero(self, heroes);
  groot_value value = {GROOT_VALUE_NULL, 0, {0}};
  groot_string entity;
  groot_objects *members = NULL;
  groot_status status;
  size_t count = 0;
  switch (next_random(self) % 14) {
    case 0:
    case 1: return import_heroes(self);
    case 2: return import_in_pieces(self);
    case 3: return export_all(self, heroes);
    case 4: return set_name(self, hero);
    case 5: return groot_object_get(self->context, hero, self->power, &value, NULL);
    case 6: return groot_object_add(self->context, hero, self->rivals, other, NULL);
    case 7: return groot_object_remove(self->context, hero, self->rivals, other, NULL);
    case 8: return groot_object_delete(self->context, hero, NULL);
    case 9: return groot_object_entity(self->context, hero, &entity, NULL);
    case 10: return groot_context_count(self->context, "Hero", "{\"where\": {\"power\": 1.5}}",
                                        &count, NULL);
    case 11: return groot_context_rollback(self->context, NULL);
    case 12: return groot_object_status(self->context, hero);
    default:
      status = groot_object_members(self->context, hero, self->rivals, &members, NULL);
      groot_objects_free(members);
      return status;
  }
}

static void *use(void *argument) {
  user *self = argument;
  groot_objects *heroes = NULL;
  for (int step = 0; step < steps; step++) {
    groot_objects *found = NULL;
    if (groot_context_fetch(self->context, "Hero", NULL, &found, NULL) == GROOT_OK) {
      groot_objects_free(heroes);
      heroes = found;
    }
    switch (do_something(self, heroes)) {
      case GROOT_OK:
      case GROOT_OBJECT_DELETED:
      case GROOT_UNKNOWN_OBJECT: self->done++; break;
      case GROOT_BUSY: self->busy++; break;
      default: self->others++; break;
    }
  }
  groot_objects_free(heroes);
  return NULL;
}

static long run(groot_mapping *mapping, unsigned seed) {
  fixture f = {NULL, NULL, mapping, NULL};
  groot_error *error = NULL;
  CHECK_OK(groot_context_create(mapping, &f.context, &error));
  groot_object_id hero = import_one(&f, "Hero", "{'id': 1, 'name': 'first', 'power': 2.5}");
  user users[2];
  pthread_t threads[2];
  for (unsigned i = 0; i < 2; i++) {
    users[i] = (user){f.context, property_of(&f, hero, "name"), property_of(&f, hero, "power"),
                      property_of(&f, hero, "rivals"), seed * 2 + i, 0, 0, 0};
  }
  for (int i = 0; i < 2; i++) CHECK_EQUAL(pthread_create(&threads[i], NULL, use, &users[i]), 0);
  for (int i = 0; i < 2; i++) CHECK_EQUAL(pthread_join(threads[i], NULL), 0);
  for (int i = 0; i < 2; i++) {
    CHECK_EQUAL(users[i].others, 0);
    CHECK_EQUAL(users[i].done + users[i].busy, steps);
  }
  check_graph(&f);
  groot_context_free(f.context);
  return users[0].busy + users[1].busy;
}

int main(int count, char **arguments) {
  long runs = count > 1 ? strtol(arguments[1], NULL, 10) : 1000, busy = 0;
  gate gate;
  memset(&gate, 0, sizeof gate);
  CHECK_EQUAL(sem_init(&gate.reached, 0, 0), 0);
  CHECK_EQUAL(sem_init(&gate.passed, 0, 0), 0);
  groot_error *error = NULL;
  groot_registry *registry = NULL;
  CHECK_OK(groot_registry_create(&registry, &error));
  CHECK_OK(groot_registry_set_transformer(registry, "Wait", wait_in_import, wait_in_import, &gate,
                                          NULL, &error));
  fixture f = open_document(model, registry);
  check_second_is_busy(&f, &gate);
  for (long number = 0; number < runs; number++) busy += run(f.mapping, (unsigned)number + 1);
  /* Else the two never met, and nothing was shown. */
  CHECK(busy > 0);
  close_fixture(&f);
  sem_destroy(&gate.reached);
  sem_destroy(&gate.passed);
  return finish("shared_context");
}
