/*
 * A story of imports, saves and a migration is told again and again, and each time another call to
 * the file system fails: once, for ever, or because the power is lost. Whatever fails: what was
 * saved is there, what was not is not there in part, and what failed once can be tried again.
 *
 * usage: store_faults [STRIDE [SEEDS]]: of faults that last every STRIDE-th call; SEEDS losses of
 * power
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "faults/faulty_vfs.h"
#include "support.h"

static groot_error *error;
static char folder[] = "/tmp/groot-faults-XXXXXX";
static char path[64];
/* Before and after the migration, which adds an attribute and renames one. */
static fixture old_model, new_model;

/* What both models have, after the attributes of a hero. */
#define LINKS_AND_POWERS \
  "}, 'relationships': {" \
  "   'mentor': {'destination': 'Hero', 'inverse': 'pupils', 'optional': true}," \
  "   'pupils': {'destination': 'Hero', 'toMany': true, 'inverse': 'mentor', 'optional': true," \
  "     'ordered': true}," \
  "   'powers': {'destination': 'Power', 'toMany': true, 'inverse': 'heroes'," \
  "     'optional': true}}}," \
  " 'Power': {'userInfo': {'identityAttributes': 'name'}, 'attributes': {" \
  "   'name': {'type': 'string'}}, 'relationships': {" \
  "   'heroes': {'destination': 'Hero', 'toMany': true, 'inverse': 'powers'," \
  "     'optional': true}}}}}"

static const char old_document[] =
    "{'entities': {"
    " 'Hero': {'userInfo': {'identityAttributes': 'id'}, 'attributes': {"
    "   'id': {'type': 'integer64'}, 'name': {'type': 'string', 'optional': true},"
    "   'story': {'type': 'string', 'optional': true}" LINKS_AND_POWERS;

static const char new_document[] =
    "{'entities': {"
    " 'Hero': {'userInfo': {'identityAttributes': 'id'}, 'attributes': {"
    "   'id': {'type': 'integer64'},"
    "   'title': {'type': 'string', 'optional': true, 'renamingIdentifier': 'name'},"
    "   'rank': {'type': 'integer32', 'default': 7},"
    "   'story': {'type': 'string', 'optional': true}" LINKS_AND_POWERS;

/* ---- the story ------------------------------------------------------------------------------- */

/* Heroes with powers, a mentor that may come later, and a text that fills pages. */
static json_t *heroes(int first, int last, const char *suffix, int every) {
  json_t *list = json_array();
  for (int id = first; id < last; id += every) {
    char name[32], story[400];
    snprintf(name, sizeof name, "Hero %d %s", id, suffix);
    memset(story, 'a' + id % 26, sizeof story - 1);
    story[sizeof story - 1 - (size_t)(id * 7 % 300)] = '\0';
    story[sizeof story - 1] = '\0';
    json_t *powers = json_array();
    for (int i = 0; i < id % 4; i++) {
      char power[16];
      snprintf(power, sizeof power, "Power %d", (id * 3 + i * every) % 17);
      json_array_append_new(powers, json_string(power));
    }
    json_array_append_new(list, json_pack("{s:i, s:s, s:s, s:s, s:i, s:o}", "id", id, "name", name,
                                          "title", name, "story", story, "mentor", (id * 5) % last,
                                          "powers", powers));
  }
  return list;
}

static groot_status import_heroes(groot_context *context, json_t *list, size_t batch) {
  groot_import_options options = GROOT_IMPORT_OPTIONS_INIT;
  options.batch_size = batch;
  const groot_status status = groot_import_json(context, "Hero", list, &options, NULL, &error);
  json_decref(list);
  return status;
}

static groot_status delete_some(groot_context *context) {
  groot_objects *found = NULL;
  const char *request = text("{'where': {'id': {'<': 12}}, 'sort': ['id'], 'limit': 5}");
  groot_status status = groot_context_fetch(context, "Hero", request, &found, &error);
  if (status != GROOT_OK) return status;
  for (size_t i = 0; status == GROOT_OK && i < groot_objects_count(found); i += 2) {
    status = groot_object_delete(context, groot_objects_at(found, i), &error);
  }
  groot_objects_free(found);
  return status;
}

static groot_status open_store(fixture *model, groot_context **context) {
  groot_context_free(*context);
  *context = NULL;
  return groot_context_open(model->mapping, path, NULL, context, &error);
}

enum { STEPS = 6 };

/* What is done in a step is in the file when it succeeds. */
static groot_status take_step(int step, groot_context **context) {
  groot_status status = GROOT_OK;
  switch (step) {
    case 0: return open_store(&old_model, context);
    case 1: status = import_heroes(*context, heroes(1, 40, "new", 1), 0); break;
    case 2:
      status = import_heroes(*context, heroes(1, 60, "changed", 3), 0);
      if (status == GROOT_OK) status = delete_some(*context);
      break;
    case 3: return import_heroes(*context, heroes(50, 90, "in batches", 1), 9);
    case 4: return open_store(&new_model, context);
    case 5: status = import_heroes(*context, heroes(20, 100, "migrated", 4), 0); break;
  }
  return status == GROOT_OK ? groot_context_save(*context, &error) : status;
}

/* Everything in the context, as text. */
static char *everything(fixture *model, groot_context *context) {
  fixture all = *model;
  all.context = context;
  check_graph(&all);
  return snapshot(&all);
}

/* ---- what must be there ---------------------------------------------------------------------- */

/* After each step of a story without faults: the context, and the file opened by the new model. */
static char *in_context[STEPS + 1], *in_file[STEPS + 1];

static fixture *model_of(int step) { return step < 4 ? &old_model : &new_model; }

static void remove_store(void) {
  static const char *const ends[] = {"", "-wal", "-shm", "-journal"};
  for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
    char name[80];
    snprintf(name, sizeof name, "%s%s", path, ends[i]);
    unlink(name);
  }
}

static char *read_file(void) {
  groot_context *context = NULL;
  if (!CHECK_OK(groot_context_open(new_model.mapping, path, NULL, &context, &error))) return NULL;
  char *found = everything(&new_model, context);
  groot_context_free(context);
  return found;
}

static void tell_without_faults(void) {
  for (int steps = 0; steps <= STEPS; steps++) {
    groot_context *context = NULL;
    for (int step = 0; step < steps; step++) CHECK_OK(take_step(step, &context));
    if (context) in_context[steps] = everything(model_of(steps - 1), context);
    groot_context_free(context);
    in_file[steps] = read_file();
    remove_store();
  }
  /* Opening changes no content; each of the other steps does. */
  CHECK(strcmp(in_file[0], in_file[1]) == 0 && strcmp(in_file[4], in_file[5]) == 0);
  CHECK(strcmp(in_file[1], in_file[2]) != 0 && strcmp(in_file[2], in_file[3]) != 0);
  CHECK(strcmp(in_file[3], in_file[4]) != 0 && strcmp(in_file[5], in_file[6]) != 0);
}

/* ---- faults ---------------------------------------------------------------------------------- */

/* Takes back what a step that failed left unsaved, and takes the step again. */
static int try_again(int step, groot_context **context) {
  if (*context && step != 0 && step != 4) {
    CHECK_OK(groot_context_rollback(*context, &error));
    char *found = everything(model_of(step), *context);
    CHECK(strcmp(found, in_context[step]) == 0);
    free(found);
  }
  return CHECK_OK(take_step(step, context));
}

/* Tells the story with a fault at the `at`-th call. Whether the story is long enough for that. */
static int tell(fault_kind kind, uint64_t at, uint64_t seed) {
  groot_context *context = NULL;
  int done = 0;
  faulty_vfs_plan(kind, at, seed);
  for (; done < STEPS; done++) {
    const groot_status status = take_step(done, &context);
    if (status == GROOT_OK) continue;
    CHECK(faulty_vfs_has_failed());
    CHECK(groot_error_issue_count(error) > 0);
    groot_error_free(error);
    error = NULL;
    if (kind != FAULT_ONCE || !try_again(done, &context)) break;
  }
  const int has_failed = faulty_vfs_has_failed();
  groot_context_free(context);
  CHECK_EQUAL(faulty_vfs_restart(), 0);
  char *found = read_file();
  /* A save that could not say whether it got through may have. */
  const int right = found && (strcmp(found, in_file[done]) == 0 ||
                              (done < STEPS && strcmp(found, in_file[done + 1]) == 0));
  if (!CHECK(right)) {
    fprintf(stderr, "  fault %d, seed %llu, at call %llu, in step %d\n", (int)kind,
            (unsigned long long)seed, (unsigned long long)at, done);
  }
  free(found);
  remove_store();
  return has_failed;
}

/* Each told story begins with another call, so that with a stride all calls get their turn. */
static void tell_with_faults(fault_kind kind, int stride, uint64_t seed) {
  uint64_t at = 1 + (seed + (uint64_t)kind) % (uint64_t)stride;
  while (tell(kind, at, seed)) at += (uint64_t)stride;
  CHECK(at > 100); /* the story is long enough to say something */
}

int main(int count, char **arguments) {
  const int stride = count > 1 ? atoi(arguments[1]) : 7;
  const int seeds = count > 2 ? atoi(arguments[2]) : 1;
  if (stride < 1 || seeds < 1) return 2;
  old_model = open_dialect(old_document, "groot", GROOT_MAPPING_IMPLICIT);
  new_model = open_dialect(new_document, "groot", GROOT_MAPPING_IMPLICIT);
  CHECK_EQUAL(faulty_vfs_install(), 0);
  if (!CHECK(mkdtemp(folder) != NULL)) return finish("store_faults");
  snprintf(path, sizeof path, "%s/store.sqlite", folder);
  tell_without_faults();
  tell_with_faults(FAULT_ONCE, 1, 1);
  tell_with_faults(FAULT_FOREVER, stride, 1);
  for (int seed = 1; seed <= seeds; seed++) tell_with_faults(FAULT_POWER, stride, (uint64_t)seed);
  for (int i = 0; i <= STEPS; i++) {
    free(in_context[i]);
    free(in_file[i]);
  }
  rmdir(folder);
  close_fixture(&old_model);
  close_fixture(&new_model);
  return finish("store_faults");
}
