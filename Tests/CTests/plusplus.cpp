// groot.hpp: what C++ adds to groot.h. Exceptions pass through the library, handles move, options
// reach it. What the calls themselves do is tested in C.
#include <groot.hpp>

#include <cstdio>
#include <type_traits>

namespace {

int passed, failed;

void check(bool holds, const char *what, int line) {
  (holds ? passed : failed)++;
  if (!holds) std::printf("%s:%d: %s\n", __FILE__, line, what);
}
#define CHECK(...) check((__VA_ARGS__), #__VA_ARGS__, __LINE__)

/** The status of the groot::error that `body` throws; GROOT_OK when it throws none. */
template <class Body>
groot_status status_of(Body body) {
  try {
    body();
  } catch (const groot::error &error) {
    return error.status();
  }
  return GROOT_OK;
}

/** What the exception that `body` throws says. */
template <class Thrown, class Body>
std::string thrown_by(Body body) {
  try {
    body();
  } catch (const Thrown &thrown) {
    return thrown.what();
  }
  return "nothing";
}

const char *const document = R"({"entities": {
  "Hero": {
    "userInfo": {"identityAttributes": "id"},
    "attributes": {
      "id": {"type": "integer64", "userInfo": {"JSONKeyPath": "id"}},
      "name": {"type": "string", "optional": true,
               "userInfo": {"JSONKeyPath": "name", "JSONTransformerName": "Name"}},
      "born": {"type": "date", "optional": true, "userInfo": {"JSONKeyPath": "born"}},
      "debut": {"type": "day", "optional": true, "userInfo": {"JSONKeyPath": "debut"}},
      "speed": {"type": "double", "optional": true, "userInfo": {"JSONKeyPath": "speed"}},
      "fee": {"type": "decimal", "optional": true, "userInfo": {"JSONKeyPath": "fee"}},
      "alive": {"type": "boolean", "optional": true, "userInfo": {"JSONKeyPath": "alive"}}
    },
    "relationships": {
      "friends": {"destination": "Hero", "toMany": true, "inverse": "friendOf", "optional": true,
                  "userInfo": {"JSONKeyPath": "friends"}},
      "friendOf": {"destination": "Hero", "inverse": "friends", "optional": true}
    }
  }
}})";

/** Counts how often it was copied or made, and not yet destroyed. */
struct counted {
  static inline int living = 0;
  counted() { living++; }
  counted(const counted &) { living++; }
  ~counted() { living--; }
};

struct odd {};  // no std::exception

groot::registry registry() {
  groot::registry made;
  made.set_transformer(
      "Name",
      [kept = counted()](std::string_view json, const groot::call &call) {
        if (json == "\"bad\"") throw std::domain_error(std::string(call.path()));
        if (json == "\"odd\"") throw odd();
        if (auto *calls = static_cast<int *>(call.userdata())) ++*calls;
        if (json == "\"where\"") {
          return "\"" + std::string(call.entity()) + "." + std::string(call.property()) + "\"";
        }
        return std::string(json);
      },
      [only = std::make_unique<std::string>("\"secret\"")](std::string_view json) {
        if (json == *only) throw std::domain_error("not to be told");
        return std::string(json);
      });
  return made;
}

groot::context open() { return groot::context(groot::mapping(groot::model(document), registry())); }

void batches() {
  groot::registry names;
  int calls = 0;
  names.set_batch_transformer(
      "Name",
      [&calls](std::string_view json) {
        calls++;
        if (json.find("bad") != json.npos) throw std::domain_error("bad");
        return std::string(json);
      },
      [](std::string_view) { return std::string("[\"out\"]"); });
  groot::context context(groot::mapping(groot::model(document), names));
  auto heroes = context.import_text("Hero", R"([{"id": 1, "name": "A"}, {"id": 2, "name": "B"}])");
  CHECK(calls == 1);
  CHECK(context.export_text(heroes.front()).find("out") != std::string::npos);
  const char *wrong = R"([{"id": 1, "name": "bad"}])";
  CHECK(thrown_by<std::domain_error>([&] { context.import_text("Hero", wrong); }) == "bad");
}

void exceptions() {
  groot::context context = open();
  groot::object hero = context.import_text("Hero", R"({"id": 1, "name": "A"})").front();
  auto import = [&](const char *text) { return [&, text] { context.import_text("Hero", text); }; };
  CHECK(thrown_by<std::domain_error>(import(R"([{"id": 2}, {"id": 3, "name": "bad"}])")) ==
        "$[1].name");
  CHECK(context.count("Hero") == 1);
  bool caught = false;
  try {
    context.import_text("Hero", R"({"id": 2, "name": "odd"})");
  } catch (const odd &) {
    caught = true;
  }
  CHECK(caught);
  hero.set("name", "secret");
  CHECK(thrown_by<std::domain_error>([&] { context.export_text(hero); }) == "not to be told");

  groot::import_options collect;
  collect.errors = GROOT_ERRORS_COLLECT;
  const char *two = R"([{"id": 2, "name": "bad"}, {"id": 3, "name": "bad"}])";
  CHECK(thrown_by<std::domain_error>([&] { context.import_text("Hero", two, collect); }) ==
        "$[0].name");
  collect.errors = GROOT_ERRORS_SKIP;
  CHECK(context.import_text("Hero", two, collect).empty());

  groot::stream stream = context.stream("Hero");
  CHECK(thrown_by<std::domain_error>([&] {
          stream.write(R"([{"id": 4, "name": "ba)");
          stream.write(R"(d"}])");
          stream.finish();
        }) == "$[0].name");

  groot::import_options options;
  options.progress = [](const groot_progress &) -> bool { throw std::length_error("enough"); };
  std::string many = "[";
  for (int i = 0; i < 20000; i++) many += (i ? ",{\"id\":" : "{\"id\":") + std::to_string(i) + "}";
  many += "]";
  auto watched = [&] { context.import_text("Hero", many, options); };
  CHECK(thrown_by<std::length_error>(watched) == "enough");
  options.progress = [](const groot_progress &progress) { return progress.records == 0; };
  CHECK(status_of(watched) == GROOT_CANCELLED);
  CHECK(context.count("Hero") == 1);

  hero.set("name", "A");
  groot::objects all = context.fetch("Hero");
  CHECK(thrown_by<std::length_error>([&] {
          context.export_to([](std::string_view) -> bool { throw std::length_error("full"); }, all);
        }) == "full");
  CHECK(status_of([&] { context.export_to([](std::string_view) { return false; }, all); }) ==
        GROOT_CANCELLED);
}

void errors() {
  CHECK(status_of([] { groot::model("{"); }) == GROOT_INVALID_JSON);
  CHECK(status_of([] { groot::mapping(groot::model{document}); }) == GROOT_UNKNOWN_TRANSFORMER);
  groot::context context = open();
  try {
    context.import_text("Hero", "[{\"id\": 1},\n {\"id\": \"x\"}]");
    CHECK(false);
  } catch (const groot::error &error) {
    const groot::error copy = error;
    const groot::issue &issue = copy.issues().front();
    CHECK(copy.status() == GROOT_WRONG_TYPE && copy.callback_status() == GROOT_OK);
    CHECK(issue.path == "$[1].id" && issue.entity == "Hero" && issue.property == "id");
    CHECK(issue.severity == 2 && issue.line == 2 && issue.offset > 0);
    CHECK(std::string(copy.what()).find("$[1].id") != std::string::npos);
  }
  CHECK(status_of([&] { context.find(12345)["name"]; }) == GROOT_UNKNOWN_OBJECT);
  CHECK(status_of([&] { context.count("Nobody"); }) == GROOT_UNKNOWN_ENTITY);
  CHECK(thrown_by<std::invalid_argument>([&] { context.count(std::string("Hero\0", 5)); }) ==
        "a NUL in a name");
  groot::registry names;
  auto unused = [kept = counted()](std::string_view json) { return std::string(json); };
  CHECK(status_of([&] { names.set_entity_mapper(nullptr, unused); }) == GROOT_INVALID_ARGUMENT);
  groot::import_options options;
  options.flags = GROOT_SYNC_NO_DELETE;
  CHECK(status_of([&] { context.import_text("Hero", "[]", options); }) == GROOT_INVALID_ARGUMENT);
}

void values() {
  groot::context context = open();
  groot::object hero = context.insert("Hero");
  groot_property name = context.property("Hero", "name");
  CHECK(!hero.get(name) && hero["name"].text_or("none") == "none");
  hero.set("id", 7);
  hero.set(name, std::string("K\0l", 3));
  hero.set("born", groot::value::date(1'500'000));
  hero.set("debut", groot::value::day(-11203));
  hero.set("speed", 2.5);
  hero.set("fee", groot::value("12.75", GROOT_VALUE_DECIMAL));
  hero.set("alive", true);
  CHECK(hero["id"].integer() == 7 && hero["id"].kind() == GROOT_VALUE_INTEGER);
  CHECK(hero.get(name).text().size() == 3 && hero["speed"].real() == 2.5);
  CHECK(hero["born"].kind() == GROOT_VALUE_DATE && hero["born"].integer() == 1'500'000);
  CHECK(hero["debut"].kind() == GROOT_VALUE_DAY && hero["debut"].integer() == -11203);
  CHECK(hero["fee"].text() == "12.75" && hero["alive"].boolean());

  groot::object other = context.insert("Hero");
  hero.add("friends", other);
  CHECK(other.to_one("friendOf") == hero && hero.contains("friends", other));
  CHECK(hero.member_count("friends") == 1 && hero.members("friends").front() == other);
  other.set("friendOf", groot::object());
  CHECK(!other.to_one("friendOf") && hero.members("friends").empty());
  hero.add("friends", other);
  hero.remove("friends", other);
  CHECK(hero.member_count("friends") == 0);

  groot::objects all = context.fetch("Hero");
  groot::column names = context.column("Hero", "name", all);
  groot::column ids = context.column("Hero", "id", all);
  groot::column debuts = context.column("Hero", "debut", all);
  CHECK(debuts.values<std::int32_t>()[0] == -11203 && !debuts.has(1));
  CHECK(names.size() == 2 && names.text(0).size() == 3 && !names.has(1));
  CHECK(ids.values<std::int64_t>()[0] == 7);
  CHECK(context.row_keys(all) == std::vector<std::int64_t>(2, 0)); /* no store */
  groot::column moved = std::move(names);
  CHECK(moved.size() == 2 && moved.has(0));
  other.erase();
  CHECK(other.status() == GROOT_OBJECT_DELETED && hero.status() == GROOT_OK);
}

void transfer() {
  groot::context context = open();
  int calls = 0;
  std::string report;
  groot::import_options options;
  options.callback_userdata = &calls;
  options.report = &report;
  options.root_path = "/data";
  groot::objects two = context.import_text(
      "Hero", R"({"data": [{"id": 1, "name": "where"}, {"id": 2, "name": "B"}]})", options);
  CHECK(calls == 2 && two.size() == 2 && two[0]["name"].text() == "Hero.name");
  CHECK(report.find("\"inserted\":2") != std::string::npos);

  groot::sync_options scope;
  scope.where = R"({"id": {">": 1}})";
  scope.report = &report;
  scope.max_deletions = 0;
  const auto delete_too_much = [&] {
    try {
      context.sync_text("Hero", "[]", scope);
      return false;
    } catch (const groot::error &error) {
      return error.status() == GROOT_TOO_MANY_DELETIONS;
    }
  };
  CHECK(delete_too_much());
  scope.max_deletions.reset();
  scope.max_deletion_share = 0.5;
  CHECK(delete_too_much());
  scope.max_deletion_share = 1;
  context.sync_text("Hero", R"([{"id": 3, "name": "C"}])", scope);
  CHECK(report.find("\"deleted\":1") != std::string::npos && context.count("Hero") == 2);
  context.fill(two[0], R"({"name": "D"})");
  CHECK(context.count("Hero", R"({"where": {"name": "D"}})") == 1);

  groot::export_options only;
  std::size_t written = 0;
  only.properties = R"(["id"])";
  only.count = &written;
  std::string pieces;
  auto append = [&](std::string_view piece) { return pieces.append(piece), true; };
  context.export_fetch(append, "Hero", R"({"sort": ["-id"]})", only);
  CHECK(pieces == R"([{"id":3},{"id":1}])" && written == 2);
  CHECK(context.export_text(two[0], only) == R"({"id":1})");
  std::vector<groot_object_id> ids = {two[0].id()};
  CHECK(context.export_text(ids, only) == R"([{"id":1}])");
  only.depth = 0;
  CHECK(context.export_text(ids, only) == R"([{"id":1}])");
  CHECK(context.distinct("Hero", "name") == R"(["C","D"])");
  only.form = GROOT_FORM_KEYED;
  CHECK(context.export_text(ids, only) == R"({"1":{"id":1}})");
  CHECK(status_of([&] { context.export_document(); }) == GROOT_INVALID_ARGUMENT);
  options.root_path.clear();
  options.form = scope.form = GROOT_FORM_KEYED;
  CHECK(context.import_text("Hero", R"({"4": {"id": 4}, "5": {"id": 5}})", options).size() == 2);
  context.sync_text("Hero", R"({"5": {"id": 5}})", scope);
  CHECK(context.count("Hero") == 2);
  CHECK(context.aggregate("Hero", R"({"values": {"all": "count"}})") == R"({"all":2})");
}

void handles() {
  static_assert(!std::is_copy_constructible_v<groot::context>);
  static_assert(std::is_nothrow_move_constructible_v<groot::context>);
  static_assert(std::is_nothrow_copy_constructible_v<groot::error>);
  static_assert(std::is_trivially_copyable_v<groot::object>);
  groot::context first = open();
  groot::object hero = first.import_text("Hero", R"({"id": 1, "name": "A"})").front();
  groot::context second = std::move(first);
  CHECK(hero["name"].text() == "A" && second.count("Hero") == 1);
  groot::objects all = second.fetch("Hero");
  second = open();
  CHECK(all.size() == 1 && second.count("Hero") == 0);

  groot::stream stream = second.stream("Hero");
  groot::stream moved = std::move(stream);
  moved.write(R"([{"id": 1}, )");
  moved.write(R"({"id": 2}])");
  int sum = 0;
  for (groot::object made : moved.finish()) sum += static_cast<int>(made["id"].integer());
  CHECK(sum == 3);
  { groot::stream undone = second.stream("Hero"); }
  second.rollback();
  CHECK(second.count("Hero") == 0);
}

/** Moves an object away, and gives what is left. */
template <class T>
T &left_of(T &object) {
  T gone = std::move(object);
  return object;
}

void moved_from() {
  const auto is_misuse = [](auto body) { return status_of(body) == GROOT_INVALID_ARGUMENT; };
  groot::model good(document), model(document);
  left_of(model);
  CHECK(is_misuse([&] { model.document(); }));
  CHECK(is_misuse([&] { groot::mapping{model}; }));
  CHECK(!model.get());

  groot::registry names = registry();
  left_of(names);
  auto unused = [kept = counted()](std::string_view json) { return std::string(json); };
  CHECK(is_misuse([&] { names.set_transformer("A", unused); }));
  CHECK(is_misuse([&] { names.set_transformer("A", unused, unused); }));
  CHECK(is_misuse([&] { names.set_batch_transformer("A", unused); }));
  CHECK(is_misuse([&] { names.set_batch_transformer("A", unused, unused); }));
  CHECK(is_misuse([&] { names.set_entity_mapper("A", unused); }));
  CHECK(is_misuse([&] { names.set_dictionary_transformer("A", unused); }));
  CHECK(is_misuse([&] { names.set_builtin("A", "integer-text"); }));
  CHECK(is_misuse([&] { names.remove("A"); }));
  CHECK(!names.get());

  groot::mapping mapping(good, registry());
  groot::context living(mapping);
  left_of(mapping);
  CHECK(is_misuse([&] { mapping.warnings(); }));
  CHECK(is_misuse([&] { groot::context{mapping}; }));
  CHECK(is_misuse([&] { groot::context(mapping, "never.sqlite"); }));
  CHECK(!mapping.get());

  groot::object hero = living.import_text("Hero", R"({"id": 1, "name": "A"})").front();
  groot::value name = hero["name"];
  left_of(name);
  name.get(), name.text_or("none"), name.kind(), name.integer(), name.real(), name.boolean();
  name = "B";
  hero.set("name", name);
  CHECK(hero["name"].text() == "B" && name.object() == 0 && name);

  groot::objects all = living.fetch("Hero");
  left_of(all);
  CHECK(all.size() == 0 && all.empty() && !all.data() && !all.get() && !all.front() && !all[3]);
  CHECK(all.begin() == all.end() && groot::id_span(all).size() == 0);
  CHECK(living.export_text(all) == "[]");

  groot::column column = living.column("Hero", "name", living.fetch("Hero"));
  CHECK(column.has(0) && !column.has(1) && column.text(0) == "B" && column.text(1).empty());
  left_of(column);
  CHECK(column.size() == 0 && !column.has(0) && column.text(0).empty() && !column.values<char>());
  CHECK(column.get().count == 0);

  {
    groot::stream stream = living.stream("Hero");
    groot::stream other = std::move(stream);
    CHECK(is_misuse([&] { stream.write("[]"); }) && is_misuse([&] { stream.finish(); }));
    CHECK(!stream.get());
    stream = std::move(other);
    CHECK(is_misuse([&] { other.write("[]"); }) && is_misuse([&] { other.finish(); }));
    stream.write("[]");
    CHECK(stream.finish().empty());
    CHECK(is_misuse([&] { stream.write("[]"); }) && is_misuse([&] { stream.finish(); }));
    stream = living.stream("Hero");
    stream = std::move(other);
    CHECK(living.count("Hero") == 1);
  }

  try {
    groot::model("{");
    CHECK(false);
  } catch (groot::error &error) {
    left_of(error);
    CHECK(error.status() == GROOT_INVALID_JSON && error.issues().size() == 1);
    CHECK(error.callback_status() == GROOT_OK && *error.what());
  }
}

/** Calls every method of a context that was moved from. */
void moved_from_context() {
  groot::context context = open();
  groot::object hero = context.insert("Hero");
  {
    groot::context gone = std::move(context);
    hero = context.find(hero.id());
  }
  std::vector<groot_object_id> ids = {1};
  auto take = [](std::string_view) { return true; };
  const std::function<void()> calls[] = {
      [&] { context.save(); },
      [&] { context.rollback(); },
      [&] { context.refresh(); },
      [&] { context.conflicts(); },
      [&] { context.changes(); },
      [&] { context.note("cursor"); },
      [&] { context.set_note("cursor", "1"); },
      [&] { context.copy_store(context); },
      [&] { context.insert("Hero"); },
      [&] { context.property("Hero", "name"); },
      [&] { context.fetch("Hero"); },
      [&] { context.count("Hero"); },
      [&] { context.distinct("Hero", "name"); },
      [&] { context.aggregate("Hero", R"({"values": {"n": "count"}})"); },
      [&] { context.column("Hero", "name", ids); },
      [&] { context.row_keys(ids); },
      [&] { context.import_text("Hero", "[]"); },
      [&] { context.import_file("Hero", "heroes.json"); },
      [&] { context.stream("Hero"); },
      [&] { context.sync_text("Hero", "[]"); },
      [&] { context.sync_file("Hero", "heroes.json"); },
      [&] { context.fill(hero, "{}"); },
      [&] { context.export_text(hero); },
      [&] { context.export_text(ids); },
      [&] { context.export_to(take, ids); },
      [&] { context.export_file("never.json", ids); },
      [&] { context.export_fetch(take, "Hero"); },
      [&] { context.export_fetch_file("never.json", "Hero"); },
      [&] { context.export_document(); },
      [&] { context.export_document(take); },
      [&] { context.export_document_file("never.json"); },
      [&] { hero.entity(); },
      [&] { hero.property("name"); },
      [&] { hero.get(0); },
      [&] { hero["name"]; },
      [&] { hero.to_one("friendOf"); },
      [&] { hero.set(0, "B"); },
      [&] { hero.set("name", "B"); },
      [&] { hero.set("friendOf", hero); },
      [&] { hero.members("friends"); },
      [&] { hero.member_count("friends"); },
      [&] { hero.contains("friends", hero); },
      [&] { hero.add("friends", hero); },
      [&] { hero.remove("friends", hero); },
      [&] { hero.erase(); },
  };
  for (const auto &call : calls) CHECK(status_of(call) == GROOT_INVALID_ARGUMENT);
  CHECK(hero.status() == GROOT_INVALID_ARGUMENT && !context.get());
  context.cancel();
}

}  // namespace

int main() {
  batches();
  exceptions();
  errors();
  values();
  transfer();
  handles();
  moved_from();
  moved_from_context();
  CHECK(counted::living == 0);
  std::printf("plusplus: %d passed, %d failed\n", passed, failed);
  return failed > 0;
}
