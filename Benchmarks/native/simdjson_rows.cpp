/*
 * The rows of simdjson, a program of its own: its parser alone, and with the graph that the import by
 * hand makes. The latter reads On Demand: what is asked for is converted straight from the text.
 */
extern "C" {
#include "bench.h"
#include "hand_record.h"
}

#include <cstdio>
#include <cstring>
#include <simdjson.h>

using namespace simdjson;

namespace {

padded_string read(const bench_input *input) {
  padded_string text;
  bench_require(!padded_string::load(input->path).get(text), input->path);
  return text;
}

/** The whole text as a tree. */
void parse_row(const bench_input *input) {
  const padded_string text = read(input);
  bench_begin();
  dom::parser parser;
  dom::array records;
  const error_code error = parser.parse(text).get(records);
  bench_end(input->count);
  bench_require(!error, error_message(error));
  size_t count = 0, powers = 0;
  for (dom::element record : records) {
    count++;
    powers += dom::array(record["powers"]).size();
  }
  bench_require(count == input->count && powers > 0, "not as many characters as expected");
}

/** A text, which the parser keeps until it reads another document. */
hand_text text_of(std::string_view text) { return {text.data(), uint32_t(text.size())}; }

hand_reference reference_of(ondemand::object from) {
  hand_reference made;
  made.identifier = text_of(from["id"].get_string());
  made.name = text_of(from["name"].get_string());
  return made;
}

int16_t small(int64_t number) {
  bench_require(number == int16_t(number), "a number is too large");
  return int16_t(number);
}

void read_powers(ondemand::array from, hand_record *into) {
  into->power_count = 0;
  for (auto power : from) {
    bench_require(into->power_count < hand_most_powers, "too many powers");
    into->powers[into->power_count++] = reference_of(power.get_object());
  }
}

/** Asks for all members in the order that is likely, which finds each where the last one ends. */
void read_record(ondemand::object from, hand_record *into) {
  into->identifier = text_of(from["id"].get_string());
  into->name = text_of(from["name"].get_string());
  into->real_name = text_of(from["real_name"].get_string());
  into->created_at = text_of(from["created_at"].get_string());
  into->rating = from["rating"].get_double();
  into->active = bool(from["active"].get_bool());
  ondemand::object stats = from["stats"].get_object();
  into->strength = small(stats["strength"].get_int64());
  into->speed = small(stats["speed"].get_int64());
  read_powers(from["powers"].get_array(), into);
  into->publisher = reference_of(from["publisher"].get_object());
}

void import(hand_graph *graph, const padded_string &text) {
  ondemand::parser parser;
  ondemand::document document = parser.iterate(text);
  hand_record record;
  for (auto one : document.get_array()) {
    read_record(one.get_object(), &record);
    bench_require(hand_take_over(graph, &record), "an identifier or a date is wrong");
  }
  const bool at_end = document.current_location().error() == OUT_OF_BOUNDS;
  bench_require(at_end, "there is more than an array");
}

/** Whether two graphs have the same objects, values and links. */
bool is_same(const hand_text &one, const hand_text &other) {
  return one.size == other.size && std::memcmp(one.data, other.data, one.size) == 0;
}

bool is_same(const hand_named *one, const hand_named *other) {
  return one->identifier == other->identifier && is_same(one->name, other->name) &&
         one->characters.count == other->characters.count;
}

bool is_same(const hand_character *one, const hand_character *other) {
  bool same = one->identifier == other->identifier && one->created_at == other->created_at &&
              !(one->rating < other->rating) && !(one->rating > other->rating) &&
              is_same(one->name, other->name) && is_same(one->real_name, other->real_name) &&
              one->active == other->active && one->strength == other->strength &&
              one->speed == other->speed && one->power_count == other->power_count &&
              is_same(one->publisher, other->publisher);
  for (uint32_t i = 0; same && i < one->power_count; i++) {
    same = is_same(one->powers[i], other->powers[i]);
  }
  return same;
}

/** Requires the graph that the import by hand makes. */
void require_same(const hand_graph &graph, const padded_string &text) {
  hand_graph expected;
  hand_open(&expected);
  bench_require(hand_import(&expected, text.data(), text.size()), "the import by hand failed");
  bool same = graph.count == expected.count && graph.powers.count == expected.powers.count &&
              graph.publishers.count == expected.publishers.count;
  for (size_t i = 0; same && i < graph.count; i++) {
    same = is_same(graph.order[i], expected.order[i]);
  }
  bench_require(same, "the graph is not that of the import by hand");
  hand_close(&expected);
}

void import_row(const bench_input *input) {
  const padded_string text = read(input);
  hand_graph graph;
  hand_open(&graph);
  bench_begin();
  try {
    import(&graph, text);
  } catch (const simdjson_error &error) {
    bench_require(0, error.what());
  }
  bench_end(input->count);
  bench_require(graph.count == input->count, "not as many characters as expected");
  require_same(graph, text);
  hand_close(&graph);
}

const bench_entry rows[] = {
    {"simdjson_parse", parse_row}, {"simdjson_import", import_row}, {nullptr, nullptr}};
const bench_entry *const tables[] = {rows, nullptr};

} // namespace

extern "C" const bench_entry *const *bench_tables(void) { return tables; }

#define TEXT_OF(version) #version
#define TEXT(version) TEXT_OF(version)

extern "C" void bench_versions(void) { std::puts("simdjson " TEXT(SIMDJSON_VERSION)); }
