/* The examples that Groot's users know, each with the graph that must come of it. */
#include "support.h"

static const char batman_json[] =
    "{'id': '1699', 'name': 'Batman', 'real_name': 'Bruce Wayne',"
    " 'powers': [{'id': '4', 'name': 'Agility'}, {'id': '9', 'name': 'Insanely Rich'}],"
    " 'publisher': {'id': '10', 'name': 'DC Comics'}}";

/* Each power and the publisher know the character. */
static void check_batman(fixture *f, groot_object_id batman) {
  groot_error *error = NULL;
  CHECK_EQUAL(count_of(f, "Character"), 1);
  CHECK_EQUAL(count_of(f, "Power"), 2);
  CHECK_EQUAL(count_of(f, "Publisher"), 1);
  CHECK_EQUAL(integer_of(f, batman, "identifier"), 1699);
  CHECK_TEXT(text_of(f, batman, "name"), "Batman");
  groot_object_id publisher = object_of(f, batman, "publisher");
  CHECK_TEXT(text_of(f, publisher, "name"), "DC Comics");
  groot_objects *members = NULL;
  CHECK_OK(groot_object_members(f->context, publisher, property_of(f, publisher, "characters"),
                                &members, &error));
  CHECK_EQUAL(groot_objects_count(members), 1);
  CHECK(groot_objects_at(members, 0) == batman);
  groot_objects_free(members);
  CHECK_OK(groot_object_members(f->context, batman, property_of(f, batman, "powers"), &members,
                                &error));
  CHECK_EQUAL(groot_objects_count(members), 2);
  for (size_t i = 0; i < groot_objects_count(members); i++) {
    int32_t contains = 0;
    groot_object_id power = groot_objects_data(members)[i];
    CHECK_OK(groot_object_contains(f->context, power, property_of(f, power, "characters"), batman,
                                   &contains, &error));
    CHECK_EQUAL(contains, 1);
  }
  CHECK_TEXT(text_of(f, groot_objects_at(members, 0), "name"), "Agility");
  CHECK_TEXT(text_of(f, groot_objects_at(members, 1), "name"), "Insanely Rich");
  groot_objects_free(members);
  check_graph(f);
}

static void test_import_update_export(void) {
  fixture f = open_fixture("comics");
  groot_object_id batman = import_one(&f, "Character", batman_json);
  check_batman(&f, batman);
  CHECK_JSON(export_of(&f, batman), batman_json);

  groot_object_id again =
      import_one(&f, "Character", "{'id': '1699', 'real_name': 'Terry McGinnis'}");
  CHECK(again == batman);
  CHECK_TEXT(text_of(&f, batman, "realName"), "Terry McGinnis");
  check_batman(&f, batman);

  CHECK(import_one(&f, "Character", batman_json) == batman);
  CHECK_JSON(export_of(&f, batman), batman_json);
  close_fixture(&f);
}

static void test_update_adds_what_was_missing(void) {
  fixture f = open_fixture("comics");
  groot_object_id batman = import_one(&f, "Character", "{'id': '1699', 'name': 'Batman'}");
  CHECK_EQUAL(text_of(&f, batman, "realName").size, 0);
  CHECK(import_one(&f, "Character", "{'id': '1699', 'real_name': 'Bruce Wayne'}") == batman);
  CHECK_TEXT(text_of(&f, batman, "name"), "Batman");
  CHECK_TEXT(text_of(&f, batman, "realName"), "Bruce Wayne");
  close_fixture(&f);
}

static void test_identifiers(void) {
  fixture f = open_fixture("comics");
  groot_object_id batman = import_one(
      &f, "Character",
      "{'id': '1699', 'name': 'Batman', 'real_name': 'Bruce Wayne', 'powers': ['4', '9'],"
      " 'publisher': '10'}");
  CHECK_EQUAL(count_of(&f, "Power"), 2);
  CHECK_EQUAL(count_of(&f, "Publisher"), 1);
  groot_object_id publisher = object_of(&f, batman, "publisher");
  CHECK_EQUAL(value_of(&f, publisher, "name").kind, GROOT_VALUE_NULL);
  CHECK_EQUAL(integer_of(&f, publisher, "identifier"), 10);

  groot_objects *powers = import(
      &f, "Power", "[{'id': '4', 'name': 'Agility'}, {'id': '9', 'name': 'Insanely Rich'}]");
  CHECK_EQUAL(groot_objects_count(powers), 2);
  groot_objects_free(powers);
  CHECK(import_one(&f, "Publisher", "{'id': '10', 'name': 'DC Comics'}") == publisher);
  check_batman(&f, batman);
  CHECK_JSON(export_of(&f, batman), batman_json);

  /* Identifiers at the top find the same objects. */
  groot_objects *found = import(&f, "Power", "['9', '4', '9']");
  CHECK_EQUAL(groot_objects_count(found), 3);
  CHECK(groot_objects_at(found, 0) == groot_objects_at(found, 2));
  CHECK_TEXT(text_of(&f, groot_objects_at(found, 1), "name"), "Agility");
  groot_objects_free(found);
  check_batman(&f, batman);
  close_fixture(&f);
}

static void test_key_path(void) {
  fixture f = open_document(
      "{'entities': {'Character': {'attributes': {"
      "'name': {'type': 'string', 'optional': true, 'userInfo': {'JSONKeyPath': 'name'}},"
      "'publisherName': {'type': 'string', 'optional': true,"
      " 'userInfo': {'JSONKeyPath': 'publisher.name'}}}}}}",
      NULL);
  groot_object_id batman =
      import_one(&f, "Character", "{'name': 'Batman', 'publisher': {'id': '10', 'name': 'DC'}}");
  CHECK_TEXT(text_of(&f, batman, "publisherName"), "DC");
  CHECK_JSON(export_of(&f, batman), "{'name': 'Batman', 'publisher': {'name': 'DC'}}");
  close_fixture(&f);
}

static void test_messages(void) {
  fixture f = open_fixture("messages");
  groot_error *error = NULL;
  groot_object_id inbox =
      import_one(&f, "Inbox",
                 "{'messages': [{'id': 1, 'type': 'text', 'text': 'Hello there!'},"
                 " {'id': 2, 'type': 'picture', 'image_url': 'http://example.com/cave.jpg'}]}");
  groot_objects *messages = NULL;
  CHECK_OK(groot_object_members(f.context, inbox, property_of(&f, inbox, "messages"), &messages,
                                &error));
  CHECK_EQUAL(groot_objects_count(messages), 2);
  groot_string entity = {NULL, 0};
  CHECK_OK(groot_object_entity(f.context, groot_objects_at(messages, 0), &entity, &error));
  CHECK_TEXT(entity, "TextMessage");
  CHECK_OK(groot_object_entity(f.context, groot_objects_at(messages, 1), &entity, &error));
  CHECK_TEXT(entity, "PictureMessage");
  CHECK_TEXT(text_of(&f, groot_objects_at(messages, 0), "text"), "Hello there!");
  CHECK_EQUAL(count_of(&f, "Message"), 2);
  CHECK_EQUAL(count_of(&f, "TextMessage"), 1);
  groot_objects_free(messages);

  /* A mapper that gives nothing leaves the entity asked for, which is abstract. */
  CHECK_FAILS(
      groot_import_text(f.context, "Message", text("[{'id': 3}]"), GROOT_NTS, NULL, NULL, &error),
      GROOT_MAPPER_FAILED);
  CHECK_EQUAL(count_of(&f, "Message"), 2);
  groot_object_id object;
  CHECK_FAILS(groot_object_insert(f.context, "Message", &object, &error), GROOT_ABSTRACT_ENTITY);

  /* What exists already needs no type. */
  CHECK(import_status(&f, "Message", "{'id': 1, 'text': 'Changed'}") == GROOT_OK);
  CHECK_EQUAL(count_of(&f, "Message"), 2);
  check_graph(&f);
  close_fixture(&f);
}

static groot_status upgrade(void *userdata, json_t *value, json_t **result, groot_call *call) {
  (void)userdata, (void)call;
  json_t *legacy = json_object_get(value, "legacy_id");
  if (!legacy) return GROOT_OK;
  *result = json_copy(value);
  json_object_set(*result, "id", legacy);
  return GROOT_OK;
}

static void test_dictionary_transformer(void) {
  groot_registry *registry = NULL;
  groot_error *error = NULL;
  CHECK_OK(groot_registry_create(&registry, &error));
  CHECK_OK(groot_registry_set_dictionary_transformer_json(registry, "Legacy", upgrade, NULL, NULL,
                                                          &error));
  fixture f = open_document(
      "{'entities': {'Character': {'userInfo': {'identityAttributes': 'identifier',"
      " 'JSONDictionaryTransformerName': 'Legacy'}, 'attributes': {"
      "'identifier': {'type': 'integer64', 'userInfo': {'JSONKeyPath': 'id'}},"
      "'name': {'type': 'string', 'optional': true, 'userInfo': {'JSONKeyPath': 'name'}}}}}}",
      registry);
  groot_object_id old = import_one(&f, "Character", "{'legacy_id': 7, 'name': 'Alfred'}");
  CHECK_EQUAL(integer_of(&f, old, "identifier"), 7);
  CHECK(import_one(&f, "Character", "{'id': 7, 'name': 'Alfred Pennyworth'}") == old);
  CHECK_JSON(export_of(&f, old), "{'id': 7, 'name': 'Alfred Pennyworth'}");
  close_fixture(&f);
}

static void test_cards(void) {
  fixture f = open_document(
      "{'entities': {'Card': {'userInfo': {'identityAttributes': 'suit, value'}, 'attributes': {"
      "'suit': {'type': 'string', 'userInfo': {'JSONKeyPath': 'suit'}},"
      "'value': {'type': 'string', 'userInfo': {'JSONKeyPath': 'value'}},"
      "'owner': {'type': 'string', 'optional': true, 'userInfo': {'JSONKeyPath': 'owner'}}}}}}",
      NULL);
  groot_objects *cards = import(&f, "Card",
                                "[{'suit': 'hearts', 'value': 'queen'},"
                                " {'suit': 'spades', 'value': 'queen'},"
                                " {'suit': 'hearts', 'value': 'queen', 'owner': 'Joker'}]");
  CHECK_EQUAL(count_of(&f, "Card"), 2);
  CHECK(groot_objects_at(cards, 0) == groot_objects_at(cards, 2));
  CHECK(groot_objects_at(cards, 0) != groot_objects_at(cards, 1));
  CHECK_TEXT(text_of(&f, groot_objects_at(cards, 0), "owner"), "Joker");
  groot_objects_free(cards);
  CHECK_EQUAL(import_status(&f, "Card", "['hearts']"), GROOT_WRONG_SHAPE);
  check_graph(&f);
  close_fixture(&f);
}

int main(void) {
  test_import_update_export();
  test_update_adds_what_was_missing();
  test_identifiers();
  test_key_path();
  test_messages();
  test_dictionary_transformer();
  test_cards();
  return finish("seeds");
}
