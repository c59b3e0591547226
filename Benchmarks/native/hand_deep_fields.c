/* The places of about 60 values in nested objects: the reader and the writer of deep records. */
#include "hand_deep.h"

#define FIELD(key, kind, member) HAND_FIELD(deep_record, key, kind, member)

static const hand_field dream_items[] = {
    FIELD("front_default", HAND_TEXT, dream[0]),
    FIELD("front_female", HAND_TEXT, dream[1]),
};
static const hand_fields dream = HAND_FIELDS(dream_items);

static const hand_field home_items[] = {
    FIELD("front_default", HAND_TEXT, home[0]),
    FIELD("front_shiny", HAND_TEXT, home[1]),
};
static const hand_fields home = HAND_FIELDS(home_items);

static const hand_field artwork_items[] = {
    FIELD("front_default", HAND_TEXT, artwork[0]),
    FIELD("front_shiny", HAND_TEXT, artwork[1]),
};
static const hand_fields artwork = HAND_FIELDS(artwork_items);

static const hand_field other_items[] = {
    HAND_OBJECT("dream_world", dream),
    HAND_OBJECT("home", home),
    HAND_OBJECT("artwork", artwork),
};
static const hand_fields other = HAND_FIELDS(other_items);

static const hand_field red_items[] = {
    FIELD("back_default", HAND_TEXT, red[0]),
    FIELD("back_gray", HAND_TEXT, red[1]),
    FIELD("front_default", HAND_TEXT, red[2]),
    FIELD("front_gray", HAND_TEXT, red[3]),
};
static const hand_fields red = HAND_FIELDS(red_items);

static const hand_field gold_items[] = {
    FIELD("back_default", HAND_TEXT, gold[0]),
    FIELD("back_shiny", HAND_TEXT, gold[1]),
    FIELD("front_default", HAND_TEXT, gold[2]),
    FIELD("front_shiny", HAND_TEXT, gold[3]),
};
static const hand_fields gold = HAND_FIELDS(gold_items);

static const hand_field versions_items[] = {
    HAND_OBJECT("red", red),
    HAND_OBJECT("gold", gold),
};
static const hand_fields versions = HAND_FIELDS(versions_items);

static const hand_field sprites_items[] = {
    FIELD("back_default", HAND_TEXT, sprites[0]),
    FIELD("back_female", HAND_TEXT, sprites[1]),
    FIELD("back_shiny", HAND_TEXT, sprites[2]),
    FIELD("front_default", HAND_TEXT, sprites[3]),
    FIELD("front_female", HAND_TEXT, sprites[4]),
    FIELD("front_shiny", HAND_TEXT, sprites[5]),
    HAND_OBJECT("other", other),
    HAND_OBJECT("versions", versions),
};
static const hand_fields sprites = HAND_FIELDS(sprites_items);

static const hand_field cries_items[] = {
    FIELD("latest", HAND_TEXT, cries[0]),
    FIELD("legacy", HAND_TEXT, cries[1]),
};
static const hand_fields cries = HAND_FIELDS(cries_items);

static const hand_field effort_items[] = {
    FIELD("hp", HAND_INT32, effort[0]),
    FIELD("attack", HAND_INT32, effort[1]),
    FIELD("defense", HAND_INT32, effort[2]),
    FIELD("special_attack", HAND_INT32, effort[3]),
    FIELD("special_defense", HAND_INT32, effort[4]),
    FIELD("speed", HAND_INT32, effort[5]),
};
static const hand_fields effort = HAND_FIELDS(effort_items);

static const hand_field base_items[] = {
    FIELD("hp", HAND_INT32, base[0]),
    FIELD("attack", HAND_INT32, base[1]),
    FIELD("defense", HAND_INT32, base[2]),
    FIELD("special_attack", HAND_INT32, base[3]),
    FIELD("special_defense", HAND_INT32, base[4]),
    FIELD("speed", HAND_INT32, base[5]),
    HAND_OBJECT("effort", effort),
};
static const hand_fields base = HAND_FIELDS(base_items);

static const hand_field genus_items[] = {
    FIELD("en", HAND_TEXT, genus[0]),
    FIELD("ja", HAND_TEXT, genus[1]),
};
static const hand_fields genus = HAND_FIELDS(genus_items);

static const hand_field color_items[] = {
    FIELD("name", HAND_TEXT, color),
};
static const hand_fields color = HAND_FIELDS(color_items);

static const hand_field habitat_items[] = {
    FIELD("name", HAND_TEXT, habitat),
};
static const hand_fields habitat = HAND_FIELDS(habitat_items);

static const hand_field growth_items[] = {
    FIELD("rate", HAND_TEXT, rate),
    FIELD("levels", HAND_INT32, levels),
};
static const hand_fields growth = HAND_FIELDS(growth_items);

static const hand_field species_items[] = {
    FIELD("name", HAND_TEXT, species[0]),
    FIELD("url", HAND_TEXT, species[1]),
    HAND_OBJECT("genus", genus),
    HAND_OBJECT("color", color),
    HAND_OBJECT("habitat", habitat),
    HAND_OBJECT("growth", growth),
};
static const hand_fields species = HAND_FIELDS(species_items);

static const hand_field area_items[] = {
    FIELD("north", HAND_DOUBLE, area[0]),
    FIELD("east", HAND_DOUBLE, area[1]),
    FIELD("size", HAND_DOUBLE, area[2]),
};
static const hand_fields area = HAND_FIELDS(area_items);

static const hand_field temperature_items[] = {
    FIELD("low", HAND_DOUBLE, temperature[0]),
    FIELD("high", HAND_DOUBLE, temperature[1]),
};
static const hand_fields temperature = HAND_FIELDS(temperature_items);

static const hand_field climate_items[] = {
    FIELD("rain", HAND_INT32, rain),
    HAND_OBJECT("temperature", temperature),
};
static const hand_fields climate = HAND_FIELDS(climate_items);

static const hand_field range_items[] = {
    FIELD("name", HAND_TEXT, range),
    HAND_OBJECT("area", area),
    HAND_OBJECT("climate", climate),
};
static const hand_fields range = HAND_FIELDS(range_items);

static const hand_field hatch_items[] = {
    FIELD("counter", HAND_INT32, hatch[0]),
    FIELD("steps", HAND_INT32, hatch[1]),
};
static const hand_fields hatch = HAND_FIELDS(hatch_items);

static const hand_field groups_items[] = {
    FIELD("first", HAND_TEXT, groups[0]),
    FIELD("second", HAND_TEXT, groups[1]),
};
static const hand_fields groups = HAND_FIELDS(groups_items);

static const hand_field breeding_items[] = {
    FIELD("gender_rate", HAND_INT32, gender_rate),
    HAND_OBJECT("hatch", hatch),
    HAND_OBJECT("groups", groups),
};
static const hand_fields breeding = HAND_FIELDS(breeding_items);

static const hand_field record_items[] = {
    FIELD("id", HAND_INT64, identifier),
    FIELD("name", HAND_TEXT, name),
    FIELD("base_experience", HAND_INT32, sizes[0]),
    FIELD("height", HAND_INT32, sizes[1]),
    FIELD("weight", HAND_INT32, sizes[2]),
    FIELD("order", HAND_INT32, sizes[3]),
    FIELD("is_default", HAND_INT8, is_default),
    FIELD("updated_at", HAND_TIME, updated_at),
    HAND_OBJECT("sprites", sprites),
    HAND_OBJECT("cries", cries),
    HAND_OBJECT("base", base),
    HAND_OBJECT("species", species),
    HAND_OBJECT("range", range),
    HAND_OBJECT("breeding", breeding),
    HAND_MEMBERS(deep_record, "abilities", deep_abilities, abilities),
    HAND_MEMBERS(deep_record, "moves", deep_moves, moves),
    HAND_MEMBERS(deep_record, "media", deep_media, media),
};
const hand_fields deep_fields = HAND_FIELDS(record_items);
