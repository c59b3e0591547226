/* Options of imports, synchronizations and exports: NULL, right, and wrong in all members. */
#include <stdio.h>

#include "fuzz.h"

static const groot_mapping *other_mapping(fuzz *f) {
  if (chance(f, 2)) {
    f->is_wrong = 1;
    return (const groot_mapping *)f->context;
  }
  return chance(f, 20) ? f->mapping : NULL;
}

static json_t *policies_json(fuzz *f) {
  static const char *const policies[][2] = {
      {"null", "clear"},          {"null", "keep"},          {"missing", "clear"},
      {"missing", "required"},    {"assignment", "union"},   {"assignment", "deleteMissing"},
      {"assignment", "deleteMissingObjects"}, {"shape", "box"}, {"shape", "ignore"},
      {"invalid", "keep"},        {"invalid", "clear"},      {"unknownIdentifier", "skip"},
      {"unknownIdentifier", "keep"}, {"unknownIdentifier", "error"}, {"validation", "save"},
      {"conversion", "lenient"},  {"conversion", "generous"}};
  json_t *made = json_object();
  for (uint32_t count = roll(f, 4); count > 0; count--) {
    const char *const *one = policies[roll(f, 17)];
    json_object_set_new(made, one[0], json_string(one[1]));
  }
  if (chance(f, 3)) {
    f->is_wrong = 1;
    json_object_set_new(made, "nobody", json_string("keep"));
  }
  return made;
}

groot_import_options *import_options(fuzz *f, groot_import_options *options, held *held) {
  groot_import_options made = GROOT_IMPORT_OPTIONS_INIT;
  memset(held, 0, sizeof *held);
  if (chance(f, 30)) return NULL;
  made.struct_size = struct_size_argument(f, sizeof made);
  static const uint32_t flags[] = {0, 0, GROOT_IMPORT_JANSSON_ONLY, GROOT_IMPORT_DRY_RUN,
                                   GROOT_IMPORT_CHANGES, GROOT_IMPORT_NO_CREATE,
                                   GROOT_IMPORT_ACCESS, GROOT_IMPORT_CHANGES | GROOT_IMPORT_ACCESS};
  made.flags = flags[roll(f, 8)];
  if (chance(f, 2)) made.flags |= GROOT_IMPORT_LINES;
  if (chance(f, 2)) made.flags |= 1u << 30, f->is_wrong = 1;
  made.errors = (int32_t)roll(f, 3);
  if (chance(f, 2)) made.errors = chance(f, 50) ? -1 : INT32_MAX, f->is_wrong = 1;
  if (chance(f, 40)) {
    made.progress = report_progress;
    made.progress_userdata = f;
  }
  if (chance(f, 20)) made.max_issues = chance(f, 50) ? 1 : SIZE_MAX / 2;
  if (chance(f, 25)) made.policies = held->json[0] = policies_json(f);
  if (chance(f, 60)) made.report = &held->report;
  made.mapping = other_mapping(f);
  if (chance(f, 3)) made.root_path = chance(f, 50) ? "/0" : "no pointer";
  if (chance(f, f->is_stored ? 10 : 2)) made.batch_size = chance(f, 90) ? 1 + roll(f, 3) : SIZE_MAX;
  made.commits = (int32_t)roll(f, 2);
  if (chance(f, 1)) made.commits = 7, f->is_wrong = 1;
  *options = made;
  return options;
}

groot_sync_options *sync_options(fuzz *f, groot_sync_options *options, held *held, int entity) {
  groot_sync_options made = GROOT_SYNC_OPTIONS_INIT;
  memset(held, 0, sizeof *held);
  if (chance(f, 30)) return NULL;
  made.struct_size = struct_size_argument(f, sizeof made);
  made.flags = roll(f, 8);
  if (chance(f, 20)) made.flags |= GROOT_SYNC_MEMBERS | roll(f, 8) << 4;
  if (chance(f, 20)) made.flags |= GROOT_SYNC_CHANGES;
  if (chance(f, 10)) made.flags |= GROOT_SYNC_DRY_RUN;
  if (chance(f, 2)) made.reserved = 1, f->is_wrong = 1;
  if (chance(f, 30)) {
    made.progress = report_progress;
    made.progress_userdata = f;
  }
  if (chance(f, 20)) made.max_issues = 1;
  if (chance(f, 30)) {
    json_t *request = request_json(f, entity);
    held->json[0] = request;
    made.where = json_object_get(request, "where");
  }
  if (chance(f, 20) && f->now.count > 0) made.parent = f->now.objects[0].id;
  made.mapping = other_mapping(f);
  if (chance(f, 60)) made.report = &held->report;
  *options = made;
  return options;
}

groot_export_options *export_options(fuzz *f, groot_export_options *options, held *held,
                                     int number) {
  static const char *const dates[] = {"iso8601",    "unixSeconds", "unixMillis",
                                      "yyyy-MM-dd", "%",           ""};
  const entity *entity = &f->schema.entities[number];
  groot_export_options made = GROOT_EXPORT_OPTIONS_INIT;
  memset(held, 0, sizeof *held);
  if (chance(f, 40)) return NULL;
  made.struct_size = struct_size_argument(f, sizeof made);
  if (chance(f, 20)) made.flags = roll(f, 4);
  if (chance(f, 10)) made.flags |= GROOT_EXPORT_LINES;
  if (chance(f, 2)) made.flags |= 1u << 20, f->is_wrong = 1;
  made.depth = (int32_t)roll(f, 4) - 1;
  if (chance(f, 3)) made.depth = chance(f, 50) ? INT32_MAX : INT32_MIN;
  if (chance(f, 20) && entity->slot_count > 0) {
    held->json[0] =
        json_pack("[s]", f->schema.properties[entity->slots[0]].name);
    made.properties = held->json[0];
  }
  if (chance(f, 10)) made.exclude = held->json[1] = json_pack("[s,s]", "k0", "way.k1");
  if (chance(f, 3)) made.exclude = held->json[2] = odd_json(f);
  made.relationships = (int32_t)roll(f, 4);
  made.inflection = (int32_t)roll(f, 3);
  if (chance(f, 2)) made.relationships = 99, f->is_wrong = 1;
  if (chance(f, 2)) made.inflection = -1, f->is_wrong = 1;
  if (chance(f, 20)) made.dates = dates[roll(f, 6)];
  made.mapping = other_mapping(f);
  *options = made;
  return options;
}

void release(held *held) {
  for (int i = 0; i < 4; i++) json_decref(held->json[i]);
  json_decref(held->report);
  memset(held, 0, sizeof *held);
}
