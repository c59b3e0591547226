/* JSON as text for arguments, options of other sizes, flags that a call does not have. */
#include <stdio.h>

#include "fuzz.h"

static const char *const no_json[] = {"{",    "",       "nope",     "[1,]",   "{\"a\":1}x",
                                      "{'a'", "[\"\\x\"]", "[1 2]", "{\"a\"}", "01"};

const char *json_argument(fuzz *f, held *held, json_t *json) {
  if (!json) return NULL;
  char *text = text_of(json, chance(f, 20) ? JSON_INDENT(2) : JSON_COMPACT);
  json_decref(json);
  if (!text || chance(f, 4)) {
    free(text);
    text = strdup(no_json[roll(f, 10)]);
    wrong(f, GROOT_INVALID_JSON);
    f->is_request_doubtful = 0;
  }
  if (!text || held->count == 8) abort();
  return held->texts[held->count++] = text;
}

uint32_t flags_argument(fuzz *f, uint32_t right, uint32_t allowed) {
  static const uint32_t all[] = {
      GROOT_DRY_RUN, GROOT_CHANGES, GROOT_LINES, GROOT_IMPORT_NO_CREATE,
      GROOT_IMPORT_ACCESS, GROOT_SYNC_NO_INSERT, GROOT_SYNC_NO_UPDATE, GROOT_SYNC_NO_DELETE,
      GROOT_SYNC_MEMBERS, GROOT_SYNC_MEMBERS_NO_INSERT, GROOT_SYNC_MEMBERS_NO_UPDATE,
      GROOT_SYNC_MEMBERS_NO_DELETE, GROOT_SYNC_MARK, GROOT_SYNC_NO_WITHHOLD,
      GROOT_SYNC_MAX_DELETIONS, GROOT_SYNC_MAX_DELETION_SHARE, GROOT_EXPORT_DEPTH,
      GROOT_EXPORT_TO_MANY, GROOT_EXPORT_SUBOBJECTS, GROOT_MAPPING_IMPLICIT, GROOT_STORE_NO_CREATE,
      GROOT_STORE_NO_MIGRATE, GROOT_STORE_DESTRUCTIVE, GROOT_STORE_TRIGGERS,
      GROOT_STORE_VIEWS, GROOT_STORE_VERSIONS, GROOT_STORE_NO_WRITE, GROOT_STORE_IMMUTABLE,
      GROOT_DESCRIBE_COUNTS};
  uint32_t known = 0, flag = all[roll(f, sizeof all / sizeof all[0])], unknown = 1u << roll(f, 32);
  REQUIRE((right & ~allowed) == 0);
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
    REQUIRE((known & all[i]) == 0);
    known |= all[i];
  }
  if (chance(f, 2) && !(flag & allowed)) {
    wrong(f, GROOT_INVALID_ARGUMENT);
    right |= flag;
  } else if (chance(f, 2) && !(unknown & known)) {
    wrong(f, GROOT_UNSUPPORTED);
    right |= unknown;
  }
  return right;
}

/* A header that is newer has more members, which are 0 unless they are used. */
static void lengthen(fuzz *f, void *options, size_t size, held *held) {
  size_t more = sizeof(size_t) * (1 + roll(f, 8)), whole = size + more;
  unsigned char *other = calloc(1, whole);
  if (!other) abort();
  memcpy(other, options, size);
  memcpy(other, &whole, sizeof whole);
  if (chance(f, 50)) {
    other[size + roll(f, (uint32_t)more)] = 1;
    wrong(f, GROOT_UNSUPPORTED);
  }
  held->given = held->other_size = other;
}

/* One that is older has fewer; what is behind them is something else. */
static void shorten(fuzz *f, void *options, size_t size, held *held) {
  size_t less = sizeof less * (1 + roll(f, (uint32_t)(size / sizeof less)));
  unsigned char *other = malloc(size);
  if (!other) abort();
  memset((unsigned char *)options + less, 0, size - less);
  memcpy(options, &less, sizeof less);
  memcpy(other, options, less);
  memset(other + less, 0x55, size - less);
  held->given = held->other_size = other;
}

void resize(fuzz *f, void *options, size_t size, held *held) {
  static const size_t sizes[] = {0, 4, 7, 9, 12, 20, 60, 5000, (size_t)-1, (size_t)1 << 62};
  held->given = options;
  if (!chance(f, 12)) return;
  if (chance(f, 30)) {
    wrong(f, GROOT_INVALID_ARGUMENT);
    memcpy(options, &sizes[roll(f, 10)], sizeof sizes[0]);
  } else if (f->is_wrong || chance(f, 50)) {
    lengthen(f, options, size, held);
  } else {
    shorten(f, options, size, held);
  }
}

void release(held *held) {
  for (int i = 0; i < held->count; i++) free(held->texts[i]);
  free(held->other_size);
  groot_buffer_free(&held->report);
  memset(held, 0, sizeof *held);
}

json_t *json_of(fuzz *f, groot_buffer *text) {
  json_error_t error;
  REQUIRE(text->data && text->data[text->size] == 0);
  json_t *json = json_loadb(text->data, text->size, JSON_DECODE_ANY | JSON_ALLOW_NUL, &error);
  /* A decimal may be larger than what jansson holds; the text is JSON nevertheless. */
  if (!json && json_error_code(&error) != json_error_numeric_overflow) {
    fail(f, "the library gave no JSON: %s: %.300s", error.text, text->data);
  }
  groot_buffer_free(text);
  return json;
}
