/* The graph as a whole: delete rules, saves and rollbacks, fetches. */
#include <stdio.h>
#include <string.h>

#include "support.h"

static groot_error *error;

static groot_status set(fixture *f, groot_object_id object, const char *name, groot_value value) {
  return groot_object_set(f->context, object, property_of(f, object, name), &value, &error);
}

static groot_value object_value(groot_object_id object) {
  groot_value value = {GROOT_VALUE_OBJECT, 0, {0}};
  value.as.object = object;
  return value;
}

static void test_delete_rules(void) {
  fixture f = open_document(
      "{'entities': {'Team': {'relationships': {"
      "'members': {'destination': 'Hero', 'toMany': true, 'inverse': 'team', 'optional': true,"
      " 'deleteRule': 'cascade'},"
      "'vehicle': {'destination': 'Vehicle', 'inverse': 'team', 'optional': true,"
      " 'deleteRule': 'deny'}}},"
      "'Hero': {'relationships': {'team': {'destination': 'Team', 'inverse': 'members',"
      " 'optional': true}}},"
      "'Vehicle': {'relationships': {'team': {'destination': 'Team', 'inverse': 'vehicle',"
      " 'optional': true}}}}}",
      NULL);
  groot_object_id team = insert(&f, "Team"), one = insert(&f, "Hero"), two = insert(&f, "Hero"),
                  car = insert(&f, "Vehicle");
  CHECK_OK(set(&f, one, "team", object_value(team)));
  CHECK_OK(set(&f, two, "team", object_value(team)));
  CHECK_OK(set(&f, car, "team", object_value(team)));
  CHECK_FAILS(groot_object_delete(f.context, team, &error), GROOT_DELETE_DENIED);
  CHECK_EQUAL(count_of(&f, "Hero"), 2);
  CHECK(object_of(&f, one, "team") == team);
  CHECK_OK(groot_object_delete(f.context, one, &error));
  CHECK_EQUAL(members_of(&f, team, "members"), 1);
  CHECK_OK(groot_object_delete(f.context, car, &error));
  CHECK_EQUAL(object_of(&f, team, "vehicle"), 0);
  CHECK_OK(groot_object_delete(f.context, team, &error));
  CHECK_EQUAL(groot_object_status(f.context, two), GROOT_OBJECT_DELETED);
  CHECK_EQUAL(count_of(&f, "Hero"), 0);
  check_graph(&f);
  close_fixture(&f);
}

static void test_save_and_rollback(void) {
  fixture f = open_fixture("comics");
  json_t *changes = NULL;
  groot_object_id batman =
      import_one(&f, "Character", "{'id': '1', 'name': 'Batman', 'powers': ['4']}");
  CHECK_OK(groot_context_changes_json(f.context, &changes, &error));
  CHECK_JSON(changes, "{'inserted': 2, 'updated': 0, 'deleted': 0}");
  /* A power that is known by its identifier alone lacks its name: nothing is saved. */
  CHECK_FAILS(groot_context_save(f.context, &error), GROOT_MISSING_VALUE);
  CHECK(strcmp(issue.entity, "Power") == 0 && strcmp(issue.property, "name") == 0);
  CHECK_OK(groot_context_changes_json(f.context, &changes, &error));
  CHECK_JSON(changes, "{'inserted': 2, 'updated': 0, 'deleted': 0}");
  import_one(&f, "Power", "{'id': '4', 'name': 'Agility'}");
  CHECK_OK(groot_context_save(f.context, &error));
  CHECK_OK(groot_context_changes_json(f.context, &changes, &error));
  CHECK_JSON(changes, "{'inserted': 0, 'updated': 0, 'deleted': 0}");

  groot_object_id robin = import_one(
      &f, "Character", "[{'id': '2', 'name': 'Robin'}, {'id': '1', 'name': 'X', 'powers': []}]");
  groot_objects *powers = import(&f, "Power", "['4']");
  groot_object_id agility = groot_objects_at(powers, 0);
  groot_objects_free(powers);
  CHECK_OK(groot_object_delete(f.context, agility, &error));
  CHECK_OK(groot_context_rollback(f.context, &error));
  CHECK_EQUAL(groot_object_status(f.context, robin), GROOT_OBJECT_DELETED);
  CHECK_EQUAL(groot_object_status(f.context, agility), GROOT_OK);
  CHECK_TEXT(text_of(&f, batman, "name"), "Batman");
  CHECK_EQUAL(members_of(&f, batman, "powers"), 1);
  CHECK_EQUAL(count_of(&f, "Character"), 1);
  CHECK_OK(groot_context_changes_json(f.context, &changes, &error));
  CHECK_JSON(changes, "{'inserted': 0, 'updated': 0, 'deleted': 0}");

  /* The identity of an object that was rolled back is free again. */
  import_one(&f, "Character", "{'id': '2', 'name': 'Robin'}");
  CHECK_EQUAL(count_of(&f, "Character"), 2);
  CHECK_OK(groot_object_delete(f.context, batman, &error));
  CHECK_OK(groot_context_changes_json(f.context, &changes, &error));
  CHECK_EQUAL(json_integer_value(json_object_get(changes, "deleted")), 1);
  json_decref(changes);
  check_graph(&f);
  close_fixture(&f);
}

static void test_fetch(void) {
  fixture f = open_fixture("comics");
  groot_objects *all = import(&f, "Power",
                              "[{'id': '3', 'name': 'Flight'}, {'id': '1', 'name': 'Agility'},"
                              " {'id': '2', 'name': 'Flight'}]");
  groot_objects_free(all);
  static const struct {
    const char *request, *expected;
  } rows[] = {
      {"{}", "['3', '1', '2']"},
      {"{'sort': ['name']}", "['1', '3', '2']"},
      {"{'sort': ['-name', 'identifier']}", "['2', '3', '1']"},
      {"{'sort': ['identifier'], 'limit': 2}", "['1', '2']"},
      {"{'sort': ['identifier'], 'offset': 1}", "['2', '3']"},
      {"{'sort': ['identifier'], 'offset': 9}", "[]"},
      {"{'limit': 0}", "[]"},
      {"{'where': {'name': 'Flight'}}", "['3', '2']"},
      {"{'where': {'identifier': 2}}", "['2']"},
      {"{'where': {'identifier': 2, 'name': 'Agility'}}", "[]"},
      {"{'where': {'name': null}}", "[]"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    groot_objects *found = NULL;
    json_t *request = json(rows[i].request), *exported = NULL, *ids = json_array();
    CHECK_OK(groot_context_fetch_json(f.context, "Power", request, &found, &error));
    CHECK_OK(groot_export_objects_json(f.context, groot_objects_data(found), groot_objects_count(found),
                               NULL, &exported, &error));
    size_t index, count = 0;
    json_t *power;
    json_array_foreach(exported, index, power) json_array_append(ids, json_object_get(power, "id"));
    CHECK_JSON(ids, rows[i].expected);
    CHECK_OK(groot_context_count_json(f.context, "Power", request, &count, &error));
    CHECK_EQUAL(count, groot_objects_count(found));
    json_decref(exported);
    json_decref(request);
    groot_objects_free(found);
  }
  const char *const refused[] = {
      "[]",
      "{'where': []}",
      "{'where': {'nothing': 1}}",
      "{'sort': ['nothing']}",
      "{'sort': 'name'}",
      "{'sort': [5]}",
      "{'limit': -1}",
      "{'limit': 'x'}",
      "{'offset': -1}",
      "{'unheardOf': 1}",
      "{'where': {'characters': 1}}",
  };
  for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
    groot_objects *found = NULL;
    json_t *request = json(refused[i]);
    groot_status status = groot_context_fetch_json(f.context, "Power", request, &found, NULL);
    if (!CHECK(status != GROOT_OK && found == NULL)) printf("  for %s\n", refused[i]);
    groot_objects_free(found);
    json_decref(request);
  }
  groot_objects *found = NULL;
  CHECK_FAILS(groot_context_fetch(f.context, "Nobody", NULL, &found, &error), GROOT_UNKNOWN_ENTITY);
  close_fixture(&f);
}

int main(void) {
  test_delete_rules();
  test_save_and_rollback();
  test_fetch();
  return finish("graph");
}
