/*
 * Records with a maker by hand: of three kinds, or with unmapped keys. The text of these keys stays
 * as it was; a record that comes again has those that it has then.
 */
#include "hand_nodes.h"

/* One graph a process. */
static hand_map makers;

static void open_makers(hand_records *records) {
  (void)records;
  hand_map_open(&makers, 1024);
}

static void close_makers(hand_records *records) {
  (void)records;
  hand_map_close(&makers);
}

static int read_maker(hand_records *records, void *into) {
  if (hand_read_null(&records->scan)) return 1;
  return (*(hand_node **)into = hand_node_read(records, &makers)) != NULL;
}

static void write_maker(hand_output *out, const void *from) {
  const hand_node *node = *(hand_node *const *)from;
  if (node) hand_node_write(out, node);
  else HAND_PUT(out, "null");
}

static void link_maker(hand_records *records, void *owner, hand_node *maker, hand_node *old) {
  if (maker == old) return;
  if (old) hand_node_remove(old, owner);
  if (maker) hand_node_add(records, maker, owner);
}

static const hand_list maker = {read_maker, write_maker};

/* ---- three kinds ---- */

typedef enum kind { ARTICLE, FILM, RECORDING, KINDS } kind;

typedef struct medium {
  int64_t identifier, updated_at;
  double rating;
  hand_text title, address;
  hand_node *maker;
  union {
    struct {
      hand_text language, summary;
      int32_t pages;
    } article;
    struct {
      double seconds;
      hand_text codec;
      int32_t width, height;
      int8_t is_colour;
    } film;
    struct {
      double seconds;
      hand_text label;
      int16_t channels;
    } recording;
  } own;
  int8_t kind;
} medium;

static int read_kind(hand_records *records, void *into);
static void write_kind(hand_output *out, const void *from);
static const hand_list kind_name = {read_kind, write_kind};

#define FIELD(key, kind, member) HAND_FIELD(medium, key, kind, member)
#define HEAD                                                                               \
  HAND_MEMBERS(medium, "kind", kind_name, kind), FIELD("id", HAND_INT64, identifier),      \
      FIELD("title", HAND_TEXT, title), FIELD("updated_at", HAND_TIME, updated_at),        \
      FIELD("rating", HAND_DOUBLE, rating), FIELD("url", HAND_TEXT, address)
#define TAIL HAND_MEMBERS(medium, "maker", maker, maker)

static const hand_field article_items[] = {
    HEAD,
    FIELD("pages", HAND_INT32, own.article.pages),
    FIELD("language", HAND_TEXT, own.article.language),
    FIELD("summary", HAND_TEXT, own.article.summary),
    TAIL,
};
static const hand_field film_items[] = {
    HEAD,
    FIELD("seconds", HAND_DOUBLE, own.film.seconds),
    FIELD("width", HAND_INT32, own.film.width),
    FIELD("height", HAND_INT32, own.film.height),
    FIELD("is_colour", HAND_INT8, own.film.is_colour),
    FIELD("codec", HAND_TEXT, own.film.codec),
    TAIL,
};
static const hand_field recording_items[] = {
    HEAD,
    FIELD("seconds", HAND_DOUBLE, own.recording.seconds),
    FIELD("channels", HAND_INT16, own.recording.channels),
    FIELD("label", HAND_TEXT, own.recording.label),
    TAIL,
};
static const hand_fields kind_fields[KINDS] = {
    HAND_FIELDS(article_items), HAND_FIELDS(film_items), HAND_FIELDS(recording_items)};
static const char *const kind_names[KINDS] = {"article", "film", "recording"};
static const hand_kinds kinds = {"kind", kind_names, kind_fields, KINDS, offsetof(medium, kind)};

static int read_kind(hand_records *records, void *into) {
  hand_text name;
  return hand_read_text(&records->scan, &name) &&
         (*(int8_t *)into = hand_kind_find(&kinds, name)) < KINDS;
}

static void write_kind(hand_output *out, const void *from) {
  const char *name = kind_names[*(const int8_t *)from];
  HAND_PUT(out, "\"");
  hand_put(out, name, strlen(name));
  HAND_PUT(out, "\"");
}

static void link_medium(hand_records *records, void *object, const void *old) {
  link_maker(records, object, ((medium *)object)->maker, old ? ((const medium *)old)->maker : NULL);
}

const hand_type hand_shape_discriminator_type = {NULL,         sizeof(medium), open_makers,
                                                 close_makers, link_medium,    &kinds};

/* ---- unmapped keys ---- */

typedef struct product {
  int64_t identifier, updated_at;
  double rating;
  hand_text name, rest, size_rest;
  hand_node *maker;
  int32_t width, height;
  int8_t active;
} product;

static const hand_field size_items[] = {HAND_FIELD(product, "width", HAND_INT32, width),
                                        HAND_FIELD(product, "height", HAND_INT32, height)};
static const hand_fields size_fields = HAND_FIELDS_REST(size_items, product, size_rest);
static const hand_field product_items[] = {
    HAND_FIELD(product, "id", HAND_INT64, identifier),
    HAND_FIELD(product, "name", HAND_TEXT, name),
    HAND_FIELD(product, "updated_at", HAND_TIME, updated_at),
    HAND_FIELD(product, "rating", HAND_DOUBLE, rating),
    HAND_FIELD(product, "active", HAND_INT8, active),
    HAND_OBJECT("size", size_fields),
    HAND_MEMBERS(product, "maker", maker, maker),
};
static const hand_fields product_fields = HAND_FIELDS_REST(product_items, product, rest);

static void link_product(hand_records *records, void *object, const void *old) {
  const product *before = old;
  link_maker(records, object, ((product *)object)->maker, before ? before->maker : NULL);
}

const hand_type hand_shape_rest_type = {&product_fields, sizeof(product), open_makers,
                                        close_makers,    link_product,    NULL};
