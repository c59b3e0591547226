/* Records with a list of members by hand: under keys, in groups, and two by position. */
#include "hand_parts.h"

#include <math.h>

typedef struct record {
  int64_t identifier;
  hand_text name;
  hand_part_list lists[2];
} record;

#define HEAD \
  HAND_FIELD(record, "id", HAND_INT64, identifier), HAND_FIELD(record, "name", HAND_TEXT, name)

/* Links the list at a place in the record as it was read; `old` has the list before. */
static void link_list(hand_records *records, hand_parts *parts, record *one, const record *old,
                      int place) {
  one->lists[place] = old ? old->lists[place] : (hand_part_list){NULL, 0};
  hand_parts_link(records, parts, one, &one->lists[place]);
}

/* The keys of an object, of which `one` reads each value. */
static int read_keys(hand_records *records, hand_parts *parts,
                     int (*one)(hand_records *records, hand_parts *parts, hand_text key)) {
  hand_scan *scan = &records->scan;
  hand_text key;
  parts->found_count = 0;
  if (!hand_take(scan, '{')) return 0;
  if (hand_take(scan, '}')) return 1;
  do {
    if (!hand_read_text(scan, &key) || !hand_take(scan, ':')) return 0;
    if (!one(records, parts, key)) return 0;
  } while (hand_take(scan, ','));
  return hand_take(scan, '}');
}

/* ---- under keys ---- */

typedef struct price {
  hand_part part;
  double amount;
  hand_text note;
  int32_t stock;
} price;

static const hand_field price_items[] = {HAND_FIELD(price, "amount", HAND_DOUBLE, amount),
                                         HAND_FIELD(price, "stock", HAND_INT32, stock),
                                         HAND_FIELD(price, "note", HAND_TEXT, note)};
static const hand_fields price_fields = HAND_FIELDS(price_items);

/* Null is a member with a key only. */
static int read_fields(hand_records *records, void *part) {
  return hand_read_null(&records->scan) || hand_read_fields(records, &price_fields, part);
}

/* The members of each relationship. One graph a process. */
static hand_parts prices = {&price_fields, sizeof(price), read_fields, NULL, 0, 0, NULL, 0, 0, 0};

static void open_prices(hand_records *records) {
  (void)records;
  hand_parts_open(&prices);
}

static void close_prices(hand_records *records) {
  (void)records;
  hand_parts_close(&prices);
}

static int read_price(hand_records *records, hand_parts *parts, hand_text key) {
  return hand_part_read(records, parts, key, 0);
}

static int read_prices(hand_records *records, void *list) {
  (void)list;
  return read_keys(records, &prices, read_price);
}

static void write_prices(hand_output *out, const void *from) {
  const hand_part_list *list = from;
  HAND_PUT(out, "{");
  for (uint32_t i = 0; i < list->count; i++) {
    if (i) HAND_PUT(out, ",");
    hand_put_text(out, list->items[i]->key);
    HAND_PUT(out, ":");
    hand_write_fields(out, &price_fields, list->items[i]);
  }
  HAND_PUT(out, "}");
}

static void link_prices(hand_records *records, void *object, const void *old) {
  link_list(records, &prices, object, old, 0);
}

static const hand_list keyed = {read_prices, write_prices};
static const hand_field keyed_items[] = {HEAD, HAND_MEMBERS(record, "prices", keyed, lists[0])};
static const hand_fields keyed_fields = HAND_FIELDS(keyed_items);
const hand_type hand_shape_keyed_type = {
    &keyed_fields, sizeof(record), open_prices, close_prices, link_prices, NULL};

/* ---- in groups ---- */

typedef struct item {
  hand_part part;
  double price;
  hand_text label;
  int32_t count;
} item;

static const hand_field item_items[] = {HAND_FIELD(item, "price", HAND_DOUBLE, price),
                                        HAND_FIELD(item, "count", HAND_INT32, count),
                                        HAND_FIELD(item, "label", HAND_TEXT, label)};
static const hand_fields item_fields = HAND_FIELDS(item_items);
static hand_parts all_items = {&item_fields, sizeof(item), NULL, NULL, 0, 0, NULL, 0, 0, 0};

static void open_items(hand_records *records) {
  (void)records;
  hand_parts_open(&all_items);
}

static void close_items(hand_records *records) {
  (void)records;
  hand_parts_close(&all_items);
}

static int read_items(hand_records *records, void *list) {
  (void)list;
  return read_keys(records, &all_items, hand_parts_read);
}

/* The members of a group stand together. */
static void write_items(hand_output *out, const void *from) {
  const hand_part_list *list = from;
  HAND_PUT(out, "{");
  for (uint32_t i = 0; i < list->count; i++) {
    const hand_part *one = list->items[i], *before = i ? list->items[i - 1] : NULL;
    if (before && before->key.size == one->key.size &&
        memcmp(before->key.data, one->key.data, one->key.size) == 0) {
      HAND_PUT(out, ",");
    } else {
      if (before) HAND_PUT(out, "],");
      hand_put_text(out, one->key);
      HAND_PUT(out, ":[");
    }
    hand_write_fields(out, &item_fields, one);
  }
  if (list->count) HAND_PUT(out, "]");
  HAND_PUT(out, "}");
}

static void link_items(hand_records *records, void *object, const void *old) {
  link_list(records, &all_items, object, old, 0);
}

static const hand_list grouped = {read_items, write_items};
static const hand_field grouped_items[] = {HEAD, HAND_MEMBERS(record, "items", grouped, lists[0])};
static const hand_fields grouped_fields = HAND_FIELDS(grouped_items);
const hand_type hand_shape_grouped_type = {
    &grouped_fields, sizeof(record), open_items, close_items, link_items, NULL};

/* ---- by position ---- */

typedef struct stop {
  hand_part part;
  hand_text name;
  int32_t minutes;
} stop;

typedef struct point {
  hand_part part;
  double east, north;
  int32_t height;
} point;

static const hand_field stop_items[] = {HAND_FIELD(stop, "name", HAND_TEXT, name),
                                        HAND_FIELD(stop, "minutes", HAND_INT32, minutes)};
static const hand_fields stop_fields = HAND_FIELDS(stop_items), point_fields = {NULL, 0, 0};

/* A point is an array of numbers. */
static int read_point(hand_records *records, void *part) {
  hand_scan *scan = &records->scan;
  point *into = part;
  int64_t height = 0;
  const int is_good =
      hand_take(scan, '[') && hand_read_number(scan, &into->east) && hand_take(scan, ',') &&
      hand_read_number(scan, &into->north) && hand_take(scan, ',') &&
      hand_read_integer(scan, INT32_MIN, INT32_MAX, &height) && hand_take(scan, ']');
  into->height = (int32_t)height;
  return is_good && isfinite(into->east) && isfinite(into->north);
}

static hand_parts stops = {&stop_fields, sizeof(stop), NULL, NULL, 0, 0, NULL, 0, 0, 0},
                  points = {&point_fields, sizeof(point), read_point, NULL, 0, 0, NULL, 0, 0, 0};

static void open_places(hand_records *records) {
  (void)records;
  hand_parts_open(&stops);
  hand_parts_open(&points);
}

static void close_places(hand_records *records) {
  (void)records;
  hand_parts_close(&stops);
  hand_parts_close(&points);
}

static int read_array(hand_records *records, hand_parts *parts) {
  parts->found_count = 0;
  return hand_parts_read(records, parts, (hand_text){NULL, 0});
}

static int read_stops(hand_records *records, void *list) {
  (void)list;
  return read_array(records, &stops);
}

static int read_points(hand_records *records, void *list) {
  (void)list;
  return read_array(records, &points);
}

static void write_array(hand_output *out, const hand_part_list *list,
                        void (*one)(hand_output *out, const void *part)) {
  HAND_PUT(out, "[");
  for (uint32_t i = 0; i < list->count; i++) {
    if (i) HAND_PUT(out, ",");
    one(out, list->items[i]);
  }
  HAND_PUT(out, "]");
}

static void write_stop(hand_output *out, const void *part) {
  hand_write_fields(out, &stop_fields, part);
}

static void write_point(hand_output *out, const void *part) {
  const point *from = part;
  HAND_PUT(out, "[");
  hand_put_number(out, from->east);
  HAND_PUT(out, ",");
  hand_put_number(out, from->north);
  HAND_PUT(out, ",");
  hand_put_integer(out, from->height);
  HAND_PUT(out, "]");
}

static void write_stops(hand_output *out, const void *list) { write_array(out, list, write_stop); }

static void write_points(hand_output *out, const void *list) {
  write_array(out, list, write_point);
}

static void link_places(hand_records *records, void *object, const void *old) {
  link_list(records, &stops, object, old, 0);
  link_list(records, &points, object, old, 1);
}

static const hand_list stop_list = {read_stops, write_stops},
                       point_list = {read_points, write_points};
static const hand_field positions_items[] = {HEAD,
                                             HAND_MEMBERS(record, "stops", stop_list, lists[0]),
                                             HAND_MEMBERS(record, "points", point_list, lists[1])};
static const hand_fields positions_fields = HAND_FIELDS(positions_items);
const hand_type hand_shape_positions_type = {
    &positions_fields, sizeof(record), open_places, close_places, link_places, NULL};
