/* Long texts by hand: a title and three of up to two thousand characters. */
#include "hand_records.h"

typedef struct document {
  int64_t identifier;
  hand_text title, summary, body, comment;
} document;

static const hand_field items[] = {
    HAND_FIELD(document, "id", HAND_INT64, identifier),
    HAND_FIELD(document, "title", HAND_TEXT, title),
    HAND_FIELD(document, "summary", HAND_TEXT, summary),
    HAND_FIELD(document, "body", HAND_TEXT, body),
    HAND_FIELD(document, "comment", HAND_TEXT, comment),
};

static const hand_fields fields = HAND_FIELDS(items);

const hand_type hand_text_type = {&fields, sizeof(document), NULL, NULL, NULL, NULL};
