/* Options of imports, synchronizations, exports and mappings: NULL, right, and wrong. */
#include <stdio.h>

#include "operations.h"

static const groot_mapping *other_mapping(fuzz *f) {
  if (chance(f, 2)) {
    wrong(f, GROOT_INVALID_ARGUMENT);
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
  if (!chance(f, 3)) return made;
  wrong(f, 0);
  json_object_set_new(made, "nobody", json_string("keep"));
  return made;
}

/* Any address: nobody reads what is there. */
static void *any_address(fuzz *f) { return chance(f, 50) ? &f->random : NULL; }

/* How records or objects are arranged; in a form that may not fit, anything may be wrong with it. */
static int32_t form_argument(fuzz *f) {
  if (chance(f, 1)) return wrong(f, GROOT_INVALID_ARGUMENT), chance(f, 50) ? -1 : 3;
  if (!chance(f, 10)) return GROOT_FORM_ARRAY;
  f->is_doubtful = 1;
  return chance(f, 50) ? GROOT_FORM_KEYED : GROOT_FORM_GROUPED;
}

static void choose_import(fuzz *f, groot_import_options *made, held *held, uint32_t allowed) {
  static const uint32_t flags[] = {0, 0, 0, GROOT_DRY_RUN, GROOT_CHANGES,
                                   GROOT_IMPORT_NO_CREATE, GROOT_IMPORT_ACCESS,
                                   GROOT_CHANGES | GROOT_IMPORT_ACCESS};
  uint32_t right = flags[roll(f, 8)] | (chance(f, 2) ? GROOT_LINES : 0);
  made->flags = flags_argument(f, right & allowed, allowed);
  if (right & GROOT_LINES) f->is_doubtful = 1;
  made->errors = (int32_t)roll(f, 3);
  if (chance(f, 2)) {
    made->errors = chance(f, 50) ? -1 : INT32_MAX;
    wrong(f, GROOT_INVALID_ARGUMENT);
  }
  if (chance(f, 40)) {
    made->progress = report_progress;
    made->progress_userdata = f;
  }
  if (chance(f, 20)) made->max_issues = chance(f, 50) ? 1 : SIZE_MAX / 2;
  if (chance(f, 25)) made->policies = json_argument(f, held, policies_json(f));
  if (chance(f, 60)) made->report = &held->report;
  made->mapping = other_mapping(f);
  made->commits = (int32_t)roll(f, 2);
  if (chance(f, 1)) made->commits = 7, wrong(f, GROOT_INVALID_ARGUMENT);
  made->callback_userdata = any_address(f);
}

static groot_import_options *begin_import(fuzz *f, groot_import_options *options, held *held) {
  memset(held, 0, sizeof *held);
  f->call_userdata = NULL;
  f->is_lenient = 0;
  if (chance(f, 30)) return NULL;
  memset(options, 0x55, sizeof *options);
  CALLED(groot_import_options_init(options, sizeof *options));
  return options;
}

static groot_import_options *end_import(fuzz *f, groot_import_options *made, held *held) {
  resize(f, made, sizeof *made, held);
  f->call_userdata = made->callback_userdata;
  f->is_lenient = made->errors != GROOT_ERRORS_ABORT;
  return made;
}

groot_import_options *import_options(fuzz *f, groot_import_options *options, held *held) {
  groot_import_options *made = begin_import(f, options, held);
  if (!made) return NULL;
  choose_import(f, made, held, GROOT_DRY_RUN | GROOT_CHANGES | GROOT_LINES |
                                   GROOT_IMPORT_NO_CREATE | GROOT_IMPORT_ACCESS);
  if (chance(f, 3)) made->root_path = chance(f, 50) ? "/0" : "no pointer", f->is_doubtful = 1;
  made->form = form_argument(f);
  if (chance(f, 10)) made->threads = roll(f, 3);
  if (chance(f, 1)) made->threads = chance(f, 50) ? 3 : SIZE_MAX, f->is_doubtful = 1;
  if (chance(f, f->is_stored ? 10 : 2)) {
    made->batch_size = chance(f, 90) ? 1 + roll(f, 3) : SIZE_MAX;
    f->is_doubtful = 1;
  }
  return end_import(f, made, held);
}

groot_import_options *fill_options(fuzz *f, groot_import_options *options, held *held) {
  groot_import_options *made = begin_import(f, options, held);
  if (!made) return NULL;
  choose_import(f, made, held, GROOT_DRY_RUN | GROOT_CHANGES);
  if (chance(f, 2)) made->root_path = "", wrong(f, GROOT_INVALID_ARGUMENT);
  if (chance(f, 2)) made->batch_size = 1, wrong(f, GROOT_INVALID_ARGUMENT);
  if (chance(f, 2)) made->form = GROOT_FORM_KEYED, wrong(f, GROOT_INVALID_ARGUMENT);
  return end_import(f, made, held);
}

/* Some of the flags for members, which are for use with the one that says so. */
static uint32_t member_flags(fuzz *f) {
  uint32_t flags = roll(f, 8) * GROOT_SYNC_MEMBERS_NO_INSERT;
  if (!chance(f, 3)) return flags | GROOT_SYNC_MEMBERS;
  if (flags) wrong(f, GROOT_INVALID_ARGUMENT);
  return flags;
}

/* A limit of deletions, which few calls exceed. */
static uint32_t limit_flags(fuzz *f, groot_sync_options *made) {
  static const double shares[] = {0, 0.25, 0.5, 1};
  made->max_deletions = roll(f, 4);
  made->max_deletion_share = shares[roll(f, 4)];
  if (chance(f, 90)) return 0;
  if (chance(f, 50)) return GROOT_SYNC_MAX_DELETIONS;
  if (chance(f, 4)) {
    made->max_deletion_share = 1.5;
    wrong(f, GROOT_INVALID_ARGUMENT);
    f->is_doubtful = 1;
  }
  return GROOT_SYNC_MAX_DELETION_SHARE;
}

groot_sync_options *sync_options(fuzz *f, groot_sync_options *made, held *held, int entity) {
  const uint32_t parts = 7 * GROOT_SYNC_NO_INSERT | 7 * GROOT_SYNC_MEMBERS_NO_INSERT;
  memset(held, 0, sizeof *held);
  f->call_userdata = NULL;
  f->is_lenient = 0;
  if (chance(f, 30)) return NULL;
  CALLED(groot_sync_options_init(made, sizeof *made));
  uint32_t flags = roll(f, 8) * GROOT_SYNC_NO_INSERT;
  if (chance(f, 20)) flags |= member_flags(f);
  if (chance(f, 20)) flags |= GROOT_CHANGES;
  if (chance(f, 10)) flags |= GROOT_DRY_RUN;
  if (chance(f, 50)) flags |= GROOT_SYNC_NO_WITHHOLD;
  if (chance(f, 5)) flags |= GROOT_LINES;
  /* No entity has a mark. */
  if (chance(f, 2)) flags |= GROOT_SYNC_MARK, wrong(f, GROOT_INVALID_MAPPING), f->is_doubtful = 1;
  const uint32_t limits = GROOT_SYNC_MAX_DELETIONS | GROOT_SYNC_MAX_DELETION_SHARE;
  flags |= limit_flags(f, made);
  made->flags = flags_argument(f, flags, parts | limits | GROOT_SYNC_MEMBERS | GROOT_SYNC_MARK |
                                             GROOT_SYNC_NO_WITHHOLD | GROOT_CHANGES | GROOT_DRY_RUN |
                                             GROOT_LINES);
  made->form = form_argument(f);
  if (chance(f, 10)) made->policies = json_argument(f, held, policies_json(f));
  if (chance(f, 3)) made->root_path = chance(f, 50) ? "/0" : "no pointer", f->is_doubtful = 1;
  if (chance(f, 30)) {
    made->progress = report_progress;
    made->progress_userdata = f;
  }
  if (chance(f, 20)) made->max_issues = 1;
  if (chance(f, 30)) {
    json_t *request = request_json(f, entity), *where = json_object_get(request, "where");
    made->where = json_argument(f, held, json_incref(where));
    json_decref(request);
  }
  if (chance(f, 20) && f->now.count > 0) made->parent = f->now.objects[0].id;
  made->mapping = other_mapping(f);
  if (chance(f, 60)) made->report = &held->report;
  made->callback_userdata = any_address(f);
  resize(f, made, sizeof *made, held);
  f->call_userdata = made->callback_userdata;
  return made;
}

static void choose_depth(fuzz *f, groot_export_options *made) {
  if (!chance(f, 50)) {
    if (chance(f, 3)) made->depth = chance(f, 50) ? 1 : -1, wrong(f, GROOT_INVALID_ARGUMENT);
    return;
  }
  made->flags |= GROOT_EXPORT_DEPTH;
  made->depth = chance(f, 97) ? (int32_t)roll(f, 4) : INT32_MAX;
  if (chance(f, 3)) made->depth = chance(f, 50) ? -1 : INT32_MIN, wrong(f, GROOT_INVALID_ARGUMENT);
}

groot_export_options *export_options(fuzz *f, groot_export_options *made, held *held, int number) {
  static const char *const dates[] = {"iso8601",    "unixSeconds", "unixMillis",
                                      "yyyy-MM-dd", "%",           ""};
  const entity *entity = &f->schema.entities[number];
  memset(held, 0, sizeof *held);
  f->call_userdata = NULL;
  f->is_exporting = 1;
  if (chance(f, 40)) return NULL;
  CALLED(groot_export_options_init(made, sizeof *made));
  uint32_t flags = chance(f, 20) ? roll(f, 4) * GROOT_EXPORT_TO_MANY : 0;
  if (chance(f, 10)) flags |= GROOT_LINES;
  made->flags = flags_argument(f, flags, GROOT_LINES | GROOT_EXPORT_DEPTH | GROOT_EXPORT_TO_MANY |
                                             GROOT_EXPORT_SUBOBJECTS);
  choose_depth(f, made);
  if (chance(f, 20) && entity->slot_count > 0) {
    const char *name = f->schema.properties[entity->slots[0]].name;
    made->properties = json_argument(f, held, json_pack("[s]", name));
  }
  if (chance(f, 3)) {
    f->is_doubtful = 1;
    made->exclude = json_argument(f, held, odd_json(f));
  } else if (chance(f, 10)) {
    made->exclude = json_argument(f, held, json_pack("[s,s]", "k0", "way.k1"));
  }
  made->relationships = (int32_t)roll(f, 4);
  made->inflection = (int32_t)roll(f, 3);
  if (chance(f, 2)) made->relationships = 99, wrong(f, GROOT_INVALID_ARGUMENT);
  if (chance(f, 2)) made->inflection = -1, wrong(f, GROOT_INVALID_ARGUMENT);
  if (chance(f, 20)) made->dates = dates[roll(f, 6)];
  made->form = form_argument(f);
  made->nulls = (int32_t)roll(f, 3);
  if (chance(f, 1)) made->nulls = 3, wrong(f, GROOT_INVALID_ARGUMENT);
  made->mapping = other_mapping(f);
  made->callback_userdata = any_address(f);
  held->written = 9;
  if (chance(f, 60)) made->count = &held->written;
  resize(f, made, sizeof *made, held);
  f->call_userdata = made->callback_userdata;
  return made;
}

groot_mapping_options *mapping_options(fuzz *f, groot_mapping_options *made, held *held) {
  memset(held, 0, sizeof *held);
  CALLED(groot_mapping_options_init(made, sizeof *made));
  made->dialect = f->dialect;
  made->flags = f->flags;
  if (f->rules) {
    made->rules = held->texts[held->count++] = json_dumps(f->rules, JSON_COMPACT);
    made->rules_length = chance(f, 50) ? GROOT_NTS : strlen(made->rules);
  }
  made->roots = f->roots;
  if (f->roots) made->roots_length = chance(f, 50) ? GROOT_NTS : strlen(f->roots);
  held->given = made;
  return made;
}

/* Which bytes an init function sets: all that there are, or none when that is not a size. */
#define CHECK_INIT(type, init)                                                 \
  do {                                                                         \
    type made;                                                                 \
    size_t size = sizeof made;                                                 \
    if (chance(f, 40)) size = sizeof(size_t) + roll(f, sizeof made - sizeof(size_t)); \
    if (chance(f, 10)) size = chance(f, 50) ? impossible_size(f) : roll(f, sizeof(size_t)); \
    memset(&made, 0x55, sizeof made);                                          \
    init;                                                                      \
    check_init(f, (const unsigned char *)&made, sizeof made, size);            \
  } while (0)

static void check_init(fuzz *f, const unsigned char *made, size_t whole, size_t size) {
  size_t given = 0;
  int is_size = size >= sizeof size && size <= whole;
  memcpy(&given, made, sizeof given);
  REQUIRE(!is_size || given == size);
  for (size_t i = is_size ? sizeof size : 0; i < whole; i++) {
    REQUIRE(made[i] == (is_size && i < size ? 0 : 0x55));
  }
}

void initialize_options(fuzz *f) {
  CHECK_INIT(groot_mapping_options, CALLED(groot_mapping_options_init(&made, size)));
  CHECK_INIT(groot_store_options, CALLED(groot_store_options_init(&made, size)));
  CHECK_INIT(groot_import_options, CALLED(groot_import_options_init(&made, size)));
  CHECK_INIT(groot_sync_options, CALLED(groot_sync_options_init(&made, size)));
  CHECK_INIT(groot_export_options, CALLED(groot_export_options_init(&made, size)));
  CALLED(groot_mapping_options_init(NULL, sizeof(groot_mapping_options)));
  CALLED(groot_store_options_init(NULL, sizeof(groot_store_options)));
  CALLED(groot_import_options_init(NULL, sizeof(groot_import_options)));
  CALLED(groot_sync_options_init(NULL, sizeof(groot_sync_options)));
  CALLED(groot_export_options_init(NULL, sizeof(groot_export_options)));
}
