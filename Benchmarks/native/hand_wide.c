/* Wide records by hand: 40 columns of numbers and short texts. */
#include "hand_records.h"

typedef struct wide {
  int64_t identifier, large[6];
  double values[10];
  hand_text labels[10];
  int32_t medium[6];
  int16_t small[8];
} wide;

#define FIELD(key, kind, member) HAND_FIELD(wide, key, kind, member)

static const hand_field items[] = {
    FIELD("id", HAND_INT64, identifier),
    FIELD("count_1", HAND_INT16, small[0]),
    FIELD("count_2", HAND_INT16, small[1]),
    FIELD("count_3", HAND_INT16, small[2]),
    FIELD("count_4", HAND_INT16, small[3]),
    FIELD("count_5", HAND_INT16, small[4]),
    FIELD("count_6", HAND_INT16, small[5]),
    FIELD("count_7", HAND_INT16, small[6]),
    FIELD("count_8", HAND_INT16, small[7]),
    FIELD("count_9", HAND_INT32, medium[0]),
    FIELD("count_10", HAND_INT32, medium[1]),
    FIELD("count_11", HAND_INT32, medium[2]),
    FIELD("count_12", HAND_INT32, medium[3]),
    FIELD("count_13", HAND_INT32, medium[4]),
    FIELD("count_14", HAND_INT32, medium[5]),
    FIELD("count_15", HAND_INT64, large[0]),
    FIELD("count_16", HAND_INT64, large[1]),
    FIELD("count_17", HAND_INT64, large[2]),
    FIELD("count_18", HAND_INT64, large[3]),
    FIELD("count_19", HAND_INT64, large[4]),
    FIELD("count_20", HAND_INT64, large[5]),
    FIELD("value_1", HAND_DOUBLE, values[0]),
    FIELD("value_2", HAND_DOUBLE, values[1]),
    FIELD("value_3", HAND_DOUBLE, values[2]),
    FIELD("value_4", HAND_DOUBLE, values[3]),
    FIELD("value_5", HAND_DOUBLE, values[4]),
    FIELD("value_6", HAND_DOUBLE, values[5]),
    FIELD("value_7", HAND_DOUBLE, values[6]),
    FIELD("value_8", HAND_DOUBLE, values[7]),
    FIELD("value_9", HAND_DOUBLE, values[8]),
    FIELD("value_10", HAND_DOUBLE, values[9]),
    FIELD("label_1", HAND_TEXT, labels[0]),
    FIELD("label_2", HAND_TEXT, labels[1]),
    FIELD("label_3", HAND_TEXT, labels[2]),
    FIELD("label_4", HAND_TEXT, labels[3]),
    FIELD("label_5", HAND_TEXT, labels[4]),
    FIELD("label_6", HAND_TEXT, labels[5]),
    FIELD("label_7", HAND_TEXT, labels[6]),
    FIELD("label_8", HAND_TEXT, labels[7]),
    FIELD("label_9", HAND_TEXT, labels[8]),
    FIELD("label_10", HAND_TEXT, labels[9]),
};

static const hand_fields fields = HAND_FIELDS(items);

const hand_type hand_wide_type = {&fields, sizeof(wide), NULL, NULL, NULL, NULL};
