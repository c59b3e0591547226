/* Synchronization and filling through the C interface: options, scope, report, what is refused. */
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static groot_error *error;
static const size_t nts = GROOT_NTS;

static const char document[] =
    "{'entities': {"
    "'User': {'attributes': {'id': {'type': 'integer64', 'optional': true},"
    "                        'name': {'type': 'string', 'optional': true}},"
    "         'relationships': {'notes': {'destination': 'Note', 'toMany': true, 'optional': true,"
    "                                     'inverse': 'user'}}},"
    "'Note': {'attributes': {'id': {'type': 'integer64', 'optional': true},"
    "                        'text': {'type': 'string', 'optional': true}},"
    "         'relationships': {'user': {'destination': 'User', 'optional': true,"
    "                                    'inverse': 'notes'}}},"
    "'Log': {'attributes': {'line': {'type': 'string', 'optional': true}}}}}";

static const char people[] =
    "[{'id': 1, 'name': 'A'}, {'id': 2, 'name': 'B'}, {'id': 3, 'name': 'C'}]";

static fixture open_users(void) {
  fixture f = open_dialect(document, "hyper", 0);
  groot_objects_free(import(&f, "User", people));
  CHECK_OK(groot_context_save(f.context, &error));
  return f;
}

static groot_status sync_users(fixture *f, const groot_sync_options *options, const char *quoted) {
  return groot_sync_text(f->context, "User", text(quoted), nts, options, NULL, &error);
}

static groot_object_id user(fixture *f, int id) {
  char quoted[32];
  snprintf(quoted, sizeof quoted, "{'id': %d}", id);
  return import_one(f, "User", quoted);
}

/* The counts of a report, which is freed. */
static void check_counts(groot_buffer *buffer, int inserted, int updated, int deleted,
                         int unchanged) {
  json_t *report = taken(buffer);
  CHECK_EQUAL(json_integer_value(json_object_get(report, "inserted")), inserted);
  CHECK_EQUAL(json_integer_value(json_object_get(report, "updated")), updated);
  CHECK_EQUAL(json_integer_value(json_object_get(report, "deleted")), deleted);
  CHECK_EQUAL(json_integer_value(json_object_get(report, "unchanged")), unchanged);
  json_decref(report);
}

static const char changes[] =
    "[{'id': 4, 'name': 'D'}, {'id': 1, 'name': 'A'}, {'id': 2, 'name': 'New'}]";

static void test_all_three(void) {
  fixture f = open_users();
  groot_object_id first = user(&f, 1), second = user(&f, 2), third = user(&f, 3);
  groot_sync_options options = GROOT_SYNC_OPTIONS_INIT;
  groot_objects *objects = NULL;
  groot_buffer report = {NULL, 0};
  options.report = &report;
  CHECK_OK(groot_sync_text(f.context, "User", text(changes), nts, &options, &objects, &error));
  check_counts(&report, 1, 1, 1, 1);
  CHECK_EQUAL(groot_objects_count(objects), 3);
  CHECK_EQUAL(integer_of(&f, groot_objects_at(objects, 0), "id"), 4);
  CHECK_EQUAL(groot_objects_at(objects, 1), first);
  CHECK_EQUAL(groot_objects_at(objects, 2), second);
  CHECK_TEXT(text_of(&f, second, "name"), "New");
  CHECK_EQUAL(groot_object_status(f.context, third), GROOT_OBJECT_DELETED);
  groot_objects_free(objects);

  /* From a json_t, once more: nothing is left to do. */
  json_t *tree = json(changes);
  CHECK_OK(groot_sync_json(f.context, "User", tree, &options, NULL, &error));
  check_counts(&report, 0, 0, 0, 3);
  json_decref(tree);
  CHECK_OK(sync_users(&f, NULL, "[]"));
  CHECK_EQUAL(count_of(&f, "User"), 0);
  check_graph(&f);
  close_fixture(&f);
}

static void test_flags(void) {
  static const struct {
    uint32_t flags;
    int inserted, updated, deleted, unchanged;
  } rows[] = {
      {GROOT_SYNC_NO_INSERT, 0, 1, 1, 1},
      {GROOT_SYNC_NO_UPDATE, 1, 0, 1, 2},
      {GROOT_SYNC_NO_DELETE, 1, 1, 0, 1},
      {GROOT_SYNC_NO_INSERT | GROOT_SYNC_NO_UPDATE | GROOT_SYNC_NO_DELETE, 0, 0, 0, 2},
      {GROOT_CHANGES, 1, 1, 1, 1},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    fixture f = open_users();
    groot_object_id second = user(&f, 2);
    groot_sync_options options = GROOT_SYNC_OPTIONS_INIT;
    groot_buffer report = {NULL, 0};
    options.flags = rows[i].flags;
    options.report = &report;
    CHECK_OK(sync_users(&f, &options, changes));
    CHECK_EQUAL(strstr(report.data, "\"changes\":[{") != NULL,
                (rows[i].flags & GROOT_CHANGES) != 0);
    check_counts(&report, rows[i].inserted, rows[i].updated, rows[i].deleted, rows[i].unchanged);
    CHECK_TEXT(text_of(&f, second, "name"), rows[i].flags & GROOT_SYNC_NO_UPDATE ? "B" : "New");
    CHECK_EQUAL(count_of(&f, "User"), 3 + rows[i].inserted - rows[i].deleted);
    check_graph(&f);
    close_fixture(&f);
  }
}

static void test_dry_run(void) {
  fixture f = open_users();
  char *before = snapshot(&f);
  groot_sync_options options = GROOT_SYNC_OPTIONS_INIT;
  groot_buffer report = {NULL, 0};
  options.flags = GROOT_DRY_RUN;
  options.report = &report;
  CHECK_OK(sync_users(&f, &options, changes));
  CHECK(strstr(report.data, "\"changes\":[{") != NULL);
  check_counts(&report, 1, 1, 1, 1);
  char *after = snapshot(&f);
  CHECK(strcmp(before, after) == 0);
  free(before);
  free(after);
  close_fixture(&f);
}

static const char with_notes[] =
    "[{'id': 1, 'notes': [{'id': 10, 'text': 'x'}, {'id': 11, 'text': 'y'}]}]";
static const char other_notes[] =
    "[{'id': 1, 'notes': [{'id': 11, 'text': 'changed'}, {'id': 12, 'text': 'z'}]}]";

static void test_members(void) {
  static const struct {
    uint32_t flags;
    size_t notes, members;
    const char *text;
  } rows[] = {
      {GROOT_SYNC_NO_DELETE | GROOT_SYNC_MEMBERS, 2, 2, "changed"},
      {GROOT_SYNC_NO_DELETE, 3, 2, "changed"},
      {GROOT_SYNC_MEMBERS | GROOT_SYNC_MEMBERS_NO_DELETE, 3, 2, "changed"},
      {GROOT_SYNC_MEMBERS | GROOT_SYNC_MEMBERS_NO_INSERT, 1, 1, "changed"},
      {GROOT_SYNC_MEMBERS | GROOT_SYNC_MEMBERS_NO_UPDATE, 2, 2, "y"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    fixture f = open_users();
    CHECK_OK(sync_users(&f, NULL, with_notes));
    groot_object_id kept = import_one(&f, "Note", "{'id': 11}");
    groot_sync_options options = GROOT_SYNC_OPTIONS_INIT;
    options.flags = rows[i].flags;
    CHECK_OK(sync_users(&f, &options, other_notes));
    CHECK_EQUAL(count_of(&f, "Note"), rows[i].notes);
    CHECK_EQUAL(members_of(&f, user(&f, 1), "notes"), rows[i].members);
    CHECK_TEXT(text_of(&f, kept, "text"), rows[i].text);
    check_graph(&f);
    close_fixture(&f);
  }
}

static void test_scope(void) {
  fixture f = open_users();
  groot_sync_options options = GROOT_SYNC_OPTIONS_INIT;
  groot_buffer report = {NULL, 0};
  options.report = &report;
  options.where = text("{'name': 'B'}");
  CHECK_OK(sync_users(&f, &options, "[{'id': 9, 'name': 'B'}]"));
  check_counts(&report, 1, 0, 1, 0);
  CHECK_EQUAL(count_of(&f, "User"), 3);

  /* Only the members of the parent are at stake. */
  groot_object_id first = user(&f, 1), third = user(&f, 3);
  groot_objects_free(import(&f, "Note", "[{'id': 1, 'user_id': 1}, {'id': 2, 'user_id': 3}]"));
  options.where = NULL;
  options.parent = first;
  CHECK_OK(groot_sync_text(f.context, "Note", "[{\"id\": 5}]", nts, &options, NULL, &error));
  check_counts(&report, 1, 1, 1, 0); /* the parent's list is another */
  CHECK_EQUAL(members_of(&f, first, "notes"), 1);
  CHECK_EQUAL(members_of(&f, third, "notes"), 1);
  CHECK_EQUAL(count_of(&f, "Note"), 2);
  check_graph(&f);
  close_fixture(&f);
}

static void test_entries_that_cannot_be_used(void) {
  fixture f = open_users();
  groot_sync_options options = GROOT_SYNC_OPTIONS_INIT;
  groot_objects *objects = NULL;
  groot_buffer report = {NULL, 0};
  options.report = &report;
  CHECK_OK(groot_sync_text(f.context, "User",
                           text("[{'id': 1}, {'name': 'keyless'}, true, {'id': null}, {'id': 2}]"),
                           nts, &options, &objects, &error));
  CHECK_EQUAL(groot_objects_count(objects), 2);
  json_t *copy = json_loadb(report.data, report.size, 0, NULL);
  const json_t *issues = json_object_get(copy, "issues");
  static const char *const paths[] = {"$[1]", "$[2]", "$[3]"};
  CHECK_EQUAL(json_array_size(issues), 3);
  for (size_t i = 0; i < json_array_size(issues) && i < 3; i++) {
    const char *path = json_string_value(json_object_get(json_array_get(issues, i), "path"));
    CHECK(strncmp(path, paths[i], strlen(paths[i])) == 0);
  }
  /* One of them may mean the third user, who stays. */
  CHECK_EQUAL(json_array_size(json_object_get(copy, "withheld")), 1);
  check_counts(&report, 0, 0, 0, 2);
  json_decref(copy);
  groot_objects_free(objects);
  options.flags = GROOT_SYNC_NO_WITHHOLD;
  CHECK_OK(groot_sync_text(f.context, "User", text("[{'id': 1}, true, {'id': 2}]"), nts, &options,
                           NULL, &error));
  check_counts(&report, 0, 0, 1, 2);
  close_fixture(&f);
}

static groot_status cancel(void *userdata, const groot_progress *progress) {
  (void)progress;
  ++*(int *)userdata;
  return GROOT_CANCELLED;
}

static void test_refused(void) {
  fixture f = open_users();
  char *before = snapshot(&f);
  const groot_sync_options usual = GROOT_SYNC_OPTIONS_INIT;
  groot_sync_options options = usual;
  groot_buffer report = {NULL, 7};
  options.report = &report;
  options.flags = 0x200000u;
  CHECK_FAILS(sync_users(&f, &options, "[]"), GROOT_UNSUPPORTED);
  CHECK(report.data == NULL && report.size == 0);
  static const uint32_t alone[] = {GROOT_SYNC_MEMBERS_NO_INSERT, GROOT_SYNC_MEMBERS_NO_UPDATE,
                                   GROOT_SYNC_MEMBERS_NO_DELETE};
  for (size_t i = 0; i < sizeof alone / sizeof alone[0]; i++) {
    options = usual;
    options.flags = alone[i];
    CHECK_FAILS(sync_users(&f, &options, "[]"), GROOT_INVALID_ARGUMENT);
  }
  options = usual;
  options.form = GROOT_FORM_GROUPED + 1;
  CHECK_FAILS(sync_users(&f, &options, "[]"), GROOT_INVALID_ARGUMENT);
  options = usual;
  options.root_path = "no pointer";
  CHECK_FAILS(sync_users(&f, &options, "[]"), GROOT_INVALID_ARGUMENT);
  options = usual;
  options.policies = "[]";
  CHECK_FAILS(sync_users(&f, &options, "[]"), GROOT_INVALID_ARGUMENT);
  options = usual;
  options.flags = GROOT_SYNC_MARK;
  CHECK_FAILS(sync_users(&f, &options, "[]"), GROOT_INVALID_MAPPING);
  options = usual;
  options.struct_size = 4;
  CHECK_FAILS(sync_users(&f, &options, "[]"), GROOT_INVALID_ARGUMENT);
  options = usual;
  options.mapping = (const groot_mapping *)f.context;
  CHECK_FAILS(sync_users(&f, &options, "[]"), GROOT_INVALID_ARGUMENT);
  options = usual;
  options.parent = 12345;
  CHECK_FAILS(sync_users(&f, &options, "[]"), GROOT_UNKNOWN_OBJECT);
  static const struct {
    const char *where;
    groot_status status;
  } scopes[] = {{"{'nothing': 1}", GROOT_UNKNOWN_PROPERTY},
                {"{'notes': 1}", GROOT_WRONG_SHAPE},
                {"{'id': 'x'}", GROOT_WRONG_TYPE},
                {"[]", GROOT_WRONG_SHAPE},
                {"{'id'}", GROOT_INVALID_JSON}};
  for (size_t i = 0; i < sizeof scopes / sizeof scopes[0]; i++) {
    options = usual;
    options.where = text(scopes[i].where);
    CHECK_FAILS(sync_users(&f, &options, "[]"), scopes[i].status);
  }
  int calls = 0;
  options = usual;
  options.progress = cancel;
  options.progress_userdata = &calls;
  CHECK_FAILS(sync_users(&f, &options, "[]"), GROOT_CANCELLED);
  CHECK(calls > 0);
  CHECK_FAILS(sync_users(&f, NULL, "[{'id': 1}"), GROOT_INVALID_JSON);
  CHECK_FAILS(groot_sync_text(f.context, "Nobody", "[]", nts, NULL, NULL, &error),
              GROOT_UNKNOWN_ENTITY);
  CHECK_FAILS(groot_sync_text(f.context, "Log", "[]", nts, NULL, NULL, &error),
              GROOT_INVALID_MAPPING);
  CHECK_FAILS(groot_sync_file(f.context, "User", "no/such/file", NULL, NULL, &error),
              GROOT_FILE_ERROR);

  char *after = snapshot(&f);
  CHECK(strcmp(before, after) == 0);
  free(before);
  free(after);
  check_graph(&f);
  close_fixture(&f);
}

static void test_limit_of_deletions(void) {
  fixture f = open_users();
  char *before = snapshot(&f);
  const groot_sync_options usual = GROOT_SYNC_OPTIONS_INIT;
  groot_sync_options options = usual;
  options.max_deletion_share = 2; /* it is not looked at without its flag */
  options.flags = GROOT_SYNC_MAX_DELETIONS;
  CHECK_FAILS(sync_users(&f, &options, "[{'id': 1}, {'id': 2}]"), GROOT_TOO_MANY_DELETIONS);
  CHECK(strcmp(issue.entity, "User") == 0);
  options.max_deletions = 2;
  CHECK_FAILS(sync_users(&f, &options, "[]"), GROOT_TOO_MANY_DELETIONS);
  options.flags |= GROOT_DRY_RUN;
  CHECK_FAILS(sync_users(&f, &options, "[]"), GROOT_TOO_MANY_DELETIONS);
  CHECK_OK(sync_users(&f, &options, "[{'id': 1}]"));
  options.max_deletions = UINT64_MAX;
  CHECK_OK(sync_users(&f, &options, "[]"));
  options = usual;
  options.flags = GROOT_SYNC_MAX_DELETION_SHARE | GROOT_DRY_RUN;
  static const double invalid[] = {-0.1, 1.1, HUGE_VAL, -HUGE_VAL, NAN};
  for (size_t i = 0; i < sizeof invalid / sizeof invalid[0]; i++) {
    options.max_deletion_share = invalid[i];
    CHECK_FAILS(sync_users(&f, &options, "[]"), GROOT_INVALID_ARGUMENT);
  }
  options.max_deletion_share = 0.5;
  json_t *one = json("[{'id': 1}]"), *two = json("[{'id': 1}, {'id': 2}]");
  CHECK_FAILS(groot_sync_json(f.context, "User", one, &options, NULL, &error),
              GROOT_TOO_MANY_DELETIONS);
  CHECK_OK(groot_sync_json(f.context, "User", two, &options, NULL, &error));
  json_decref(one);
  json_decref(two);
  options.flags |= GROOT_SYNC_MAX_DELETIONS;
  CHECK_FAILS(sync_users(&f, &options, "[]"), GROOT_INVALID_ARGUMENT);
  char *after = snapshot(&f);
  CHECK(strcmp(before, after) == 0);
  free(before);
  free(after);
  check_graph(&f);
  close_fixture(&f);
}

static void test_other_mapping(void) {
  fixture f = open_users();
  groot_mapping *mapping = NULL;
  groot_mapping_options rules = GROOT_MAPPING_OPTIONS_INIT;
  rules.dialect = "kvc";
  rules.rules = text("{'people': {'User.id': {'number': 'id', 'called': 'name'}}}");
  rules.rules_length = nts;
  CHECK_OK(groot_mapping_create(f.model, NULL, &rules, &mapping, &error));
  groot_sync_options options = GROOT_SYNC_OPTIONS_INIT;
  groot_buffer report = {NULL, 0};
  options.mapping = mapping;
  options.report = &report;
  CHECK_OK(sync_users(&f, &options, "[{'number': 2, 'called': 'New'}]"));
  check_counts(&report, 0, 1, 2, 0);
  CHECK_TEXT(text_of(&f, user(&f, 2), "name"), "New");
  groot_mapping_free(mapping);
  close_fixture(&f);
}

static void test_file(void) {
  fixture f = open_users();
  const char *path = "build/ctests-sync.json";
  groot_sync_options limited = GROOT_SYNC_OPTIONS_INIT;
  limited.flags = GROOT_SYNC_MAX_DELETIONS;
  FILE *file = fopen(path, "w");
  CHECK(file != NULL);
  if (!file) return;
  fputs(text(changes), file);
  fclose(file);
  groot_objects *objects = NULL;
  CHECK_FAILS(groot_sync_file(f.context, "User", path, &limited, &objects, &error),
              GROOT_TOO_MANY_DELETIONS);
  CHECK_OK(groot_sync_file(f.context, "User", path, NULL, &objects, &error));
  CHECK_EQUAL(groot_objects_count(objects), 3);
  groot_objects_free(objects);
  remove(path);
  close_fixture(&f);
}

static void test_fill(void) {
  fixture f = open_users();
  groot_object_id first = user(&f, 1), second = user(&f, 2);
  groot_import_options options = GROOT_IMPORT_OPTIONS_INIT;
  groot_buffer report = {NULL, 0};
  json_t *tree = json("{'name': 'filled', 'notes': [{'id': 5}]}");
  options.report = &report;
  CHECK_OK(groot_object_fill_json(f.context, first, tree, &options, &error));
  check_counts(&report, 0, 1, 0, 0);
  CHECK_TEXT(text_of(&f, first, "name"), "filled");
  CHECK_EQUAL(count_of(&f, "Note"), 0);
  CHECK_OK(groot_object_fill_text(f.context, second, text("{'unknown': 1}"), nts, NULL, &error));
  CHECK_TEXT(text_of(&f, second, "name"), "B");

  CHECK_FAILS(groot_object_fill_text(f.context, first, "[]", nts, NULL, &error), GROOT_WRONG_SHAPE);
  CHECK_FAILS(groot_object_fill_text(f.context, first, "{", nts, NULL, &error), GROOT_INVALID_JSON);
  CHECK_OK(groot_object_delete(f.context, second, &error));
  CHECK_FAILS(groot_object_fill_json(f.context, second, tree, NULL, &error), GROOT_OBJECT_DELETED);
  json_decref(tree);
  check_graph(&f);
  close_fixture(&f);
}

int main(void) {
  test_all_three();
  test_flags();
  test_dry_run();
  test_members();
  test_scope();
  test_entries_that_cannot_be_used();
  test_refused();
  test_limit_of_deletions();
  test_other_mapping();
  test_file();
  test_fill();
  return finish("sync");
}
