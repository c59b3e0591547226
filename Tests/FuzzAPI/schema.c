/* Random models: types, inheritance, identities, delete rules, annotations for three dialects. */
#include <stdio.h>

#include "fuzz.h"

static const char *const rules[] = {"nullify", "cascade", "deny", "noAction"};

static property *add_property(fuzz *f, int entity, int kind) {
  schema *s = &f->schema;
  property *made = &s->properties[s->property_count];
  memset(made, 0, sizeof *made);
  made->kind = kind;
  made->is_optional = chance(f, 85);
  made->inverse = made->number = -1;
  /* Two kinds of names that have broken things elsewhere, and plain ones. */
  const char *end = chance(f, 96) ? "" : chance(f, 50) ? "\"\xCC\x81" : " '";
  if (strcmp(f->dialect, "groot") != 0 || f->is_stored) end = "";
  snprintf(made->name, sizeof made->name, "%c%d%s", kind < TO_ONE ? 'a' : 'r', s->property_count,
           end);
  const char *way = strcmp(f->dialect, "groot") != 0 ? "a" : chance(f, 90) ? "k" : "way.k";
  if (kind >= TO_ONE && *way == 'a') way = "r";
  snprintf(made->key, sizeof made->key, "%s%d", way, s->property_count);
  for (int i = entity; i < s->entity_count; i++) {
    if (is_kind_of(s, i, entity)) {
      s->entities[i].slots[s->entities[i].slot_count++] = s->property_count;
    }
  }
  s->property_count++;
  return made;
}

/* Whether each entity that would get a property has room for `count` more. */
static int has_room(const fuzz *f, int entity, int count) {
  if (f->schema.property_count + count > MOST_PROPERTIES) return 0;
  for (int i = entity; i < f->schema.entity_count; i++) {
    if (is_kind_of(&f->schema, i, entity) &&
        f->schema.entities[i].slot_count + count > MOST_SLOTS) {
      return 0;
    }
  }
  return 1;
}

static void put(json_t *into, const char *key, json_t *value) {
  if (json_object_set_new(into, key, value) != 0) abort();
}

static json_t *group(json_t *entity, const char *name) {
  json_t *found = json_object_get(entity, name);
  if (!found) put(entity, name, found = json_object());
  return found;
}

static json_t *notes_of(fuzz *f, const property *property) {
  json_t *notes = json_object();
  if (strcmp(f->dialect, "groot") == 0 && chance(f, 92)) {
    put(notes, "JSONKeyPath", json_string(property->key));
  }
  return notes;
}

static void add_attribute(fuzz *f, json_t *entity, int number) {
  static const char *const policies[] = {"exact", "lenient", "coercing", "generous"};
  int kind = chance(f, 30) ? (chance(f, 50) ? INTEGER32 : STRING) : (int)roll(f, TO_ONE);
  property *made = add_property(f, number, kind);
  json_t *described = json_object(), *notes = notes_of(f, made);
  put(described, "type", json_string(type_names[kind]));
  put(described, "optional", json_boolean(made->is_optional));
  if (chance(f, 20) && kind <= INTEGER64) {
    made->initial.kind = GROOT_VALUE_INTEGER;
    made->initial.bits = roll(f, 9);
    put(described, "default", json_integer((json_int_t)made->initial.bits));
  } else if (chance(f, 20) && kind == STRING) {
    made->initial = (plain_value){GROOT_VALUE_STRING, hash_of("none", 4), 4};
    put(described, "default", json_string("none"));
  }
  if (chance(f, 5)) put(described, "maxLength", json_integer(kind == STRING ? 40 : 0));
  if (chance(f, 3) && kind == STRING) put(described, "pattern", json_string("[a-z]*"));
  if (kind != STRING) json_object_del(described, "maxLength");
  if (!f->is_stored && chance(f, 5)) put(described, "transient", json_true());
  if (strcmp(f->dialect, "groot") == 0) {
    made->is_transformed = chance(f, 30);
    if (made->is_transformed) {
      put(notes, "JSONTransformerName", json_string(chance(f, 50) ? "T" : "One"));
    }
    if (chance(f, 10)) put(notes, "groot.conversion", json_string(policies[roll(f, 4)]));
    if (chance(f, 5)) put(notes, "groot.invalid", json_string("clear"));
  }
  put(described, "userInfo", notes);
  put(group(entity, "attributes"), made->name, described);
}

static json_t *side(fuzz *f, property *made, int destination) {
  static const char *const unknown[] = {"placeholder", "skip", "keep", "error"};
  static const char *const assignment[] = {"replace", "union", "deleteMissing",
                                           "deleteMissingObjects"};
  json_t *described = json_object(), *notes = notes_of(f, made);
  made->destination = destination;
  made->is_optional = chance(f, 95);
  made->rule = chance(f, 60) ? 0 : (int)roll(f, 4);
  put(described, "destination", json_string(f->schema.entities[destination].name));
  put(described, "optional", json_boolean(made->is_optional));
  put(described, "deleteRule", json_string(rules[made->rule]));
  if (made->kind == TO_MANY) {
    put(described, "toMany", json_true());
    if (chance(f, 40)) put(described, "ordered", json_true());
    if (chance(f, 4)) put(described, "maxCount", json_integer(3));
  }
  if (strcmp(f->dialect, "groot") == 0) {
    if (chance(f, 25)) put(notes, "groot.unknownIdentifier", json_string(unknown[roll(f, 4)]));
    if (chance(f, 15) && made->kind == TO_MANY) {
      put(notes, "groot.assignment", json_string(assignment[roll(f, 4)]));
    }
    if (chance(f, 10)) put(notes, "groot.export", json_string("identifier"));
  }
  put(described, "userInfo", notes);
  return described;
}

static void add_relationship(fuzz *f, json_t **entities) {
  schema *s = &f->schema;
  int from = any_entity(f, 0), to = any_entity(f, 0);
  if (!has_room(f, from, 2) || !has_room(f, to, 2)) return;
  int first = s->property_count;
  property *there = add_property(f, from, chance(f, 50) ? TO_ONE : TO_MANY);
  json_t *described = side(f, there, to);
  put(group(entities[from], "relationships"), there->name, described);
  uint32_t manner = roll(f, 10);
  if (manner < 2) return;
  if (manner == 2 && from == to) {
    there->inverse = first;
    put(described, "inverse", json_string(there->name));
    return;
  }
  property *back = add_property(f, to, chance(f, 50) ? TO_ONE : TO_MANY);
  json_t *other = side(f, back, from);
  there->inverse = first + 1;
  back->inverse = first;
  put(described, "inverse", json_string(back->name));
  put(other, "inverse", json_string(there->name));
  put(group(entities[to], "relationships"), back->name, other);
}

int any_entity(fuzz *f, int is_concrete) {
  for (int i = 0; i < 20; i++) {
    int entity = (int)roll(f, (uint32_t)f->schema.entity_count);
    if (!is_concrete || !f->schema.entities[entity].is_abstract) return entity;
  }
  return 0; /* the first is concrete */
}

static void add_identity(fuzz *f, json_t *entity, int number) {
  const schema *s = &f->schema;
  char parts[64] = "";
  int keyed = 0;
  for (int i = 0; i < s->entities[number].slot_count && keyed < 2; i++) {
    const property *one = &s->properties[s->entities[number].slots[i]];
    if (one->kind <= INTEGER64 || one->kind == STRING || (one->kind == TO_ONE && keyed)) {
      if (keyed && !chance(f, 15)) continue;
      size_t used = strlen(parts);
      snprintf(parts + used, sizeof parts - used, "%s%s", keyed ? "," : "", one->name);
      keyed++;
    }
  }
  if (keyed) put(group(entity, "userInfo"), "identityAttributes", json_string(parts));
}

/* The rules of an entity for the dialect "kvc"; `name` becomes the entity with its primary key. */
static json_t *lines_json(fuzz *f, const entity *entity, char *name, size_t room) {
  const schema *s = &f->schema;
  json_t *lines = json_object();
  snprintf(name, room, "%s", entity->name);
  for (int slot = 0; slot < entity->slot_count; slot++) {
    const property *one = &s->properties[entity->slots[slot]];
    if (one->kind < TO_ONE) {
      put(lines, one->key, json_string(one->name));
      int is_key = one->kind == STRING || one->kind <= INTEGER64;
      if (is_key && !strchr(name, '.') && chance(f, 60)) {
        snprintf(name, room, "%s.%s", entity->name, one->name);
      }
      continue;
    }
    const struct entity *other = &s->entities[one->destination];
    if (other->slot_count == 0 || !chance(f, 50)) continue;
    const property *its = &s->properties[other->slots[0]];
    char key[32];
    if (its->kind >= TO_ONE) continue;
    snprintf(key, sizeof key, "%s.%s", one->name, its->name);
    put(lines, one->key, json_string(key));
  }
  return lines;
}

/* Each property is under its name; each entity has an external name for envelopes. */
static json_t *rules_json(fuzz *f) {
  json_t *groups = json_object();
  for (int i = 0; i < f->schema.entity_count; i++) {
    char name[40], external[16];
    json_t *lines = lines_json(f, &f->schema.entities[i], name, sizeof name);
    json_t *entity = json_object();
    put(entity, name, lines);
    snprintf(external, sizeof external, "things%d", i);
    put(groups, external, entity);
  }
  return groups;
}

void make_schema(fuzz *f) {
  schema *s = &f->schema;
  json_t *entities[MOST_ENTITIES];
  f->dialect = chance(f, 60) ? "groot" : chance(f, 50) ? "hyper" : "kvc";
  s->entity_count = 1 + (int)roll(f, MOST_ENTITIES);
  json_t *all = json_object();
  for (int i = 0; i < s->entity_count; i++) {
    entity *made = &s->entities[i];
    snprintf(made->name, sizeof made->name, "E%d", i);
    made->parent = i && chance(f, 40) ? (int)roll(f, (uint32_t)i) : -1;
    made->root = made->parent < 0 ? i : s->entities[made->parent].root;
    made->is_abstract = i && chance(f, 12);
    entities[i] = json_object();
    if (made->parent >= 0) put(entities[i], "parent", json_string(s->entities[made->parent].name));
    if (made->is_abstract) put(entities[i], "abstract", json_true());
    put(all, made->name, entities[i]);
  }
  for (int i = 0; i < s->entity_count; i++) {
    for (uint32_t count = 1 + roll(f, 4); count > 0 && has_room(f, i, 1); count--) {
      add_attribute(f, entities[i], i);
    }
  }
  for (uint32_t count = 1 + roll(f, 7); count > 0; count--) add_relationship(f, entities);
  for (int i = 0; i < s->entity_count; i++) {
    if (strcmp(f->dialect, "kvc") == 0) continue;
    if (s->entities[i].parent < 0 && chance(f, 75)) add_identity(f, entities[i], i);
    if (strcmp(f->dialect, "groot") != 0) continue;
    json_t *notes = group(entities[i], "userInfo");
    if (chance(f, 15)) put(notes, "entityMapperName", json_string("M"));
    if (chance(f, 15)) {
      put(notes, "JSONDictionaryTransformerName", json_string("D"));
      f->has_record_transformer = 1;
    }
    if (chance(f, 10)) put(notes, "groot.implicit", json_string("true"));
  }
  f->document = json_object();
  put(f->document, "entities", all);
  f->rules = strcmp(f->dialect, "kvc") == 0 ? rules_json(f) : NULL;
  f->flags = f->rules && chance(f, 20) ? GROOT_MAPPING_IMPLICIT : 0;
}
