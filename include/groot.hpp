/*
 * groot.hpp - the C++17 face of groot.h, which says what each call does; this file says how it
 * looks in C++. One header, nothing to link beyond libgroot.
 *
 *     groot::registry registry;
 *     registry.set_transformer("Upper", [](std::string_view json) { return upper(json); });
 *     groot::mapping mapping(groot::model(document), registry);
 *     groot::context context(mapping);
 *     for (groot::object hero : context.import_text("Character", text))
 *       std::cout << hero["name"].text() << "\n";
 *
 * Failures    groot::error, thrown; it has all issues. An exception of a callback passes through
 *             the library and is thrown again by the call that led to it, as it was.
 * Ownership   Models, registries, mappings, contexts, objects, streams and columns are move-only,
 *             and free what they have. An object is a number and a context: copy it freely, use it
 *             while the context lives. One that was moved from has nothing: its calls throw an
 *             error with GROOT_INVALID_ARGUMENT, its sequences and columns are empty.
 * JSON        Text, in UTF-8; any library may read and write it. With GROOT_NO_JANSSON defined
 *             neither this header nor groot.h needs jansson.
 * The rest    get() gives the handle of groot.h, for what is not here.
 */
#ifndef GROOT_HPP
#define GROOT_HPP

#include <groot.h>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <iterator>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

/** The interface of groot.h, in C++. */
namespace groot {

/** A name or a short JSON text that ends at its first NUL: borrowed, as the argument of a call. */
class cstring {
 public:
  /** A literal, or any text of C. NULL is invalid. */
  cstring(const char *text) noexcept : text_(text) {}
  /** The text of a string, which must have no NUL in it. */
  cstring(const std::string &text) : text_(text.c_str()) {
    if (text.find('\0') != std::string::npos) throw std::invalid_argument("a NUL in a name");
  }
  /** The text, for groot.h. */
  const char *c_str() const noexcept { return text_; }

 private:
  const char *text_;
};

/** One thing that was found wrong. Texts that do not apply are empty. */
struct issue {
  groot_status status = GROOT_OK; /**< its kind */
  int severity = 2;               /**< 1 warning, 2 error */
  std::string message;            /**< the value found and the expected one */
  std::string path;               /**< where in the JSON, as $.powers[2].id */
  std::string entity;             /**< the entity concerned */
  std::string property;           /**< the property concerned */
  std::int64_t line = 0;          /**< from 1; 0 when there is no text */
  std::int64_t column = 0;        /**< in characters, from 1; 0 when there is no text */
  std::int64_t offset = -1;       /**< in bytes; -1 when there is no text */
};

/** The failure of a call. what() has all issues, one a line. */
class error : public std::runtime_error {
 public:
  /** Takes what `failure` says, and leaves it to the caller. */
  error(groot_status status, const groot_error *failure)
      : std::runtime_error(message(status, failure)),
        status_(status),
        callback_status_(groot_error_callback_status(failure)),
        issues_(std::make_shared<std::vector<issue>>(read(failure))) {}
  /** Copies, also where it could move: each error keeps its issues. */
  error(const error &) = default;
  /** Copies. */
  error &operator=(const error &) = default;

  /** The kind of failure. */
  groot_status status() const noexcept { return status_; }
  /** The status of the failed callback; GROOT_OK when no callback failed. */
  groot_status callback_status() const noexcept { return callback_status_; }
  /** All issues. */
  const std::vector<issue> &issues() const noexcept { return *issues_; }

 private:
  static std::string text(groot_string string) {
    return string.size > 0 ? std::string(string.data, string.size) : std::string();
  }

  static std::string message(groot_status status, const groot_error *failure) {
    return failure ? text(groot_error_text(failure)) : std::string(groot_status_name(status));
  }

  static std::vector<issue> read(const groot_error *failure) {
    std::vector<issue> issues;
    groot_issue one = GROOT_ISSUE_INIT;
    for (std::size_t i = 0; groot_error_issue(failure, i, &one) == GROOT_OK; i++) {
      issues.push_back({one.status, one.severity, text(one.message), text(one.path),
                        text(one.entity), text(one.property), one.line, one.column, one.offset});
    }
    return issues;
  }

  groot_status status_;
  groot_status callback_status_;
  std::shared_ptr<const std::vector<issue>> issues_;  // copies of an exception must not throw
};

/** One call of a callback: its purpose. Valid during that call. */
class call {
 public:
  /** Wraps what groot.h passes. */
  explicit call(groot_call *handle) noexcept : handle_(handle) {}
  /** The entity; empty when it is not known. */
  std::string_view entity() const { return view(groot_call_entity(handle_)); }
  /** The property; empty when the call is for an object. */
  std::string_view property() const { return view(groot_call_property(handle_)); }
  /** Where in the JSON the value is, as $[3].id; empty in an export. */
  std::string_view path() const { return view(groot_call_path(handle_)); }
  /** The `callback_userdata` of the options. */
  void *userdata() const { return groot_call_userdata(handle_); }
  /** The handle. */
  groot_call *get() const noexcept { return handle_; }

 private:
  static std::string_view view(groot_string text) { return {text.data, text.size}; }
  groot_call *handle_;
};

/** The result of a callback for JSON text: other JSON text, or none. */
using transform = std::function<std::optional<std::string>(std::string_view, const call &)>;

/** Told how far an import has come; false ends it with GROOT_CANCELLED. */
using progress = std::function<bool(const groot_progress &)>;

/** Takes a piece of exported text; false ends the export. */
using sink = std::function<bool(std::string_view)>;

/** How this header uses groot.h. */
namespace detail {

template <auto Free>
struct freeing {
  template <class T>
  void operator()(T *pointer) const noexcept {
    Free(pointer);
  }
};

template <class T, auto Free>
using handle = std::unique_ptr<T, freeing<Free>>;

inline void destroy_exception(void *thrown) { delete static_cast<std::exception_ptr *>(thrown); }

[[noreturn]] inline void raise(groot_status status, groot_error *failure) {
  handle<groot_error, groot_error_free> owner(failure);
  if (void *thrown = groot_error_exception(failure, destroy_exception))
    std::rethrow_exception(*static_cast<std::exception_ptr *>(thrown));
  throw error(status, failure);
}

/** Calls a function of groot.h, whose last parameter is the error. */
template <class Function, class... Arguments>
void must(Function function, Arguments... arguments) {
  groot_error *failure = nullptr;
  groot_status status = function(arguments..., &failure);
  if (status != GROOT_OK) raise(status, failure);
}

/** A buffer of the library's, which is freed whatever happens. */
struct buffer {
  groot_buffer bytes = {nullptr, 0};
  buffer() = default;
  buffer(const buffer &) = delete;
  buffer &operator=(const buffer &) = delete;
  ~buffer() { groot_buffer_free(&bytes); }
  std::string text() const { return bytes.data ? std::string(bytes.data, bytes.size) : ""; }
};

template <class Function, class... Arguments>
std::string text_of(Function function, Arguments... arguments) {
  buffer result;
  must(function, arguments..., &result.bytes);
  return result.text();
}

/** Runs a callback. Nothing may be thrown through the library: it is carried. */
inline groot_status run(const transform &function, const char *value, std::size_t size,
                        groot_call *handle) noexcept {
  try {
    try {
      std::optional<std::string> result = function({value, size}, call(handle));
      return result ? groot_call_set_result(handle, result->data(), result->size()) : GROOT_OK;
    } catch (const std::exception &thrown) {
      groot_call_set_message(handle, thrown.what(), GROOT_NTS);
      throw;
    }
  } catch (...) {
    auto *thrown = new (std::nothrow) std::exception_ptr(std::current_exception());
    if (thrown) groot_call_set_exception(handle, thrown, destroy_exception);
  }
  return GROOT_TRANSFORM_FAILED;
}

struct transforms {
  transform forward, reverse;

  static groot_status run_forward(void *self, const char *value, std::size_t size,
                                  groot_call *handle) noexcept {
    return run(static_cast<transforms *>(self)->forward, value, size, handle);
  }
  static groot_status run_reverse(void *self, const char *value, std::size_t size,
                                  groot_call *handle) noexcept {
    return run(static_cast<transforms *>(self)->reverse, value, size, handle);
  }
  static void destroy(void *self) { delete static_cast<transforms *>(self); }
};

/** A callable of one argument or two as a transform. */
template <class Function>
transform as_transform(Function function) {
  if constexpr (!std::is_copy_constructible_v<Function>) {
    auto shared = std::make_shared<Function>(std::move(function));
    if constexpr (std::is_invocable_v<Function &, std::string_view, const call &>) {
      return [shared](std::string_view json, const call &about) { return (*shared)(json, about); };
    } else {
      return as_transform([shared](std::string_view json) { return (*shared)(json); });
    }
  } else if constexpr (std::is_invocable_v<Function &, std::string_view, const call &>) {
    return function;
  } else {
    return [function = std::move(function)](std::string_view json, const call &) mutable {
      return std::optional<std::string>(function(json));
    };
  }
}

/** A callback that lives as long as one call, and what it threw. */
template <class Function>
struct guarded {
  Function function;
  std::exception_ptr thrown;

  template <class Argument>
  groot_status operator()(const Argument &argument) noexcept {
    try {
      return function(argument) ? GROOT_OK : GROOT_CANCELLED;
    } catch (...) {
      thrown = std::current_exception();
      return GROOT_CANCELLED;
    }
  }

  /** As must(); a callback's exception comes before the library's message about it. */
  template <class Call, class... Arguments>
  void must(Call call, Arguments... arguments) {
    groot_error *failure = nullptr;
    groot_status status = call(arguments..., &failure);
    handle<groot_error, groot_error_free> owner(failure);
    if (thrown) std::rethrow_exception(std::exchange(thrown, nullptr));
    if (status != GROOT_OK) raise(status, owner.release());
  }
};

inline groot_status report_progress(void *self, const groot_progress *progress_so_far) {
  return (*static_cast<guarded<progress> *>(self))(*progress_so_far);
}

inline groot_status write_piece(void *self, const char *data, std::size_t size) {
  return (*static_cast<guarded<sink> *>(self))(std::string_view(data, size));
}

inline const char *text_or_null(const std::string &text) {
  return text.empty() ? nullptr : text.c_str();
}

}  // namespace detail

/** The version of the library in use, such as "0.1.0". */
inline std::string_view version() { return groot_version(); }

/** Entities, attributes and relationships with their annotations. Any thread. */
class model {
 public:
  /** From a model document, JSON text. */
  explicit model(std::string_view document) {
    groot_model *made = nullptr;
    detail::must(groot_model_create, document.data(), document.size(), &made);
    handle_.reset(made);
  }
  /** The model document with every default spelled out. */
  std::string document() const { return detail::text_of(groot_model_document, get()); }
  /** The handle. */
  groot_model *get() const noexcept { return handle_.get(); }

 private:
  detail::handle<groot_model, groot_model_free> handle_;
};

/**
 * Named functions for a mapping. Each is anything that can be called with the JSON text of a value,
 * a std::string_view, and perhaps a `const groot::call &`, and that gives JSON text, a std::string
 * or a std::optional of one. It may be called on any thread that uses the mapping.
 */
class registry {
 public:
  /** An empty registry. */
  registry() {
    groot_registry *made = nullptr;
    detail::must(groot_registry_create, &made);
    handle_.reset(made);
  }
  /** A value transformer for imports only. */
  template <class Forward>
  void set_transformer(cstring name, Forward forward) {
    set(name, detail::as_transform(std::move(forward)), nullptr);
  }
  /** A value transformer for imports and exports. */
  template <class Forward, class Reverse>
  void set_transformer(cstring name, Forward forward, Reverse reverse) {
    set(name, detail::as_transform(std::move(forward)), detail::as_transform(std::move(reverse)));
  }
  /** A function from a JSON object to the name of its entity, a JSON string. */
  template <class Mapper>
  void set_entity_mapper(cstring name, Mapper mapper) {
    set(groot_registry_set_entity_mapper, name, detail::as_transform(std::move(mapper)));
  }
  /** A function from a JSON object to the object to read instead. */
  template <class Transformer>
  void set_dictionary_transformer(cstring name, Transformer transformer) {
    set(groot_registry_set_dictionary_transformer, name,
        detail::as_transform(std::move(transformer)));
  }
  /** Binds a transformer of the library's own, such as "integer-text". */
  void set_builtin(cstring name, cstring builtin) {
    detail::must(groot_registry_set_builtin, get(), name.c_str(), builtin.c_str());
  }
  /** Those transformers, a JSON object: name to description. */
  static std::string builtins() { return detail::text_of(groot_registry_builtins); }
  /** Removes what is registered under `name`. */
  void remove(cstring name) { detail::must(groot_registry_remove, get(), name.c_str()); }
  /** The handle. A callback registered through it must leave no exception of another kind. */
  groot_registry *get() const noexcept { return handle_.get(); }

 private:
  void set(cstring name, transform forward, transform reverse) {
    bool both = static_cast<bool>(reverse);
    auto *kept = new detail::transforms{std::move(forward), std::move(reverse)};
    detail::must(groot_registry_set_transformer, get(), name.c_str(),
                 detail::transforms::run_forward, both ? detail::transforms::run_reverse : nullptr,
                 static_cast<void *>(kept), detail::transforms::destroy);
  }
  template <class Setter>
  void set(Setter setter, cstring name, transform function) {
    auto *kept = new detail::transforms{std::move(function), nullptr};
    detail::must(setter, get(), name.c_str(), detail::transforms::run_forward,
                 static_cast<void *>(kept), detail::transforms::destroy);
  }

  detail::handle<groot_registry, groot_registry_free> handle_;
};

/** Options of a mapping; see groot_mapping_options. */
struct mapping_options {
  std::string dialect;     /**< "groot", "hyper" or "kvc"; empty is "groot" */
  std::string rules;       /**< for "kvc": the rules, a JSON object */
  std::uint32_t flags = 0; /**< GROOT_MAPPING_IMPLICIT */
  std::string roots;       /**< where the records of entities are, a JSON object; may be empty */
  std::int32_t nulls = GROOT_NULLS_DEFAULT; /**< the output without a value */
};

/** A model compiled with a registry for import and export. Any thread. */
class mapping {
 public:
  /** Without named functions. */
  explicit mapping(const model &model, const mapping_options &options = {})
      : handle_(create(model, nullptr, options)) {}
  /** With those of `registry`. */
  mapping(const model &model, const registry &registry, const mapping_options &options = {})
      : handle_(create(model, registry.get(), options)) {}
  /** Probable mistakes that work, a JSON list. */
  std::string warnings() const { return detail::text_of(groot_mapping_warnings, get()); }
  /** The handle. */
  groot_mapping *get() const noexcept { return handle_.get(); }

 private:
  static groot_mapping *create(const model &model, const groot_registry *registry,
                               const mapping_options &options) {
    groot_mapping_options all = GROOT_MAPPING_OPTIONS_INIT;
    all.dialect = detail::text_or_null(options.dialect);
    all.rules = detail::text_or_null(options.rules);
    all.rules_length = options.rules.size();
    all.flags = options.flags;
    all.roots = detail::text_or_null(options.roots);
    all.roots_length = options.roots.size();
    all.nulls = options.nulls;
    groot_mapping *made = nullptr;
    detail::must(groot_mapping_create, model.get(), registry, &all, &made);
    return made;
  }

  detail::handle<groot_mapping, groot_mapping_free> handle_;
};

/** A property's value, a copy. */
class value {
 public:
  /** No value. */
  value() = default;
  /** The value as groot.h reads it. */
  explicit value(const groot_value &read) : kind_(read.kind) {
    switch (kind_) {
      case GROOT_VALUE_NULL: break;
      case GROOT_VALUE_REAL: real_ = read.as.real; break;
      case GROOT_VALUE_INTEGER:
      case GROOT_VALUE_BOOLEAN:
      case GROOT_VALUE_DATE:
      case GROOT_VALUE_DAY: integer_ = read.as.integer; break;
      case GROOT_VALUE_OBJECT: object_ = read.as.object; break;
      default: text_.assign(read.as.text.data, read.as.text.size);
    }
  }
  /** An integer, a boolean or a real. */
  template <class Number, std::enable_if_t<std::is_arithmetic_v<Number>, int> = 0>
  value(Number number) noexcept {
    if constexpr (std::is_floating_point_v<Number>) {
      kind_ = GROOT_VALUE_REAL, real_ = static_cast<double>(number);
    } else {
      kind_ = std::is_same_v<Number, bool> ? GROOT_VALUE_BOOLEAN : GROOT_VALUE_INTEGER;
      integer_ = static_cast<std::int64_t>(number);
    }
  }
  /** A string. */
  value(const char *text) : value(std::string_view(text)) {}
  /** A string. */
  value(const std::string &text) : value(std::string_view(text)) {}
  /** A string, or with `kind` a decimal, URI, UUID, binary or JSON. */
  value(std::string_view text, std::int32_t kind = GROOT_VALUE_STRING)
      : kind_(kind), text_(text) {}
  /** A date, in microseconds since 1970 in UTC. */
  static value date(std::int64_t microseconds) {
    value made(microseconds);
    made.kind_ = GROOT_VALUE_DATE;
    return made;
  }

  /** A day of the calendar, in days since 1970-01-01. */
  static value day(std::int64_t days) {
    value made(days);
    made.kind_ = GROOT_VALUE_DAY;
    return made;
  }

  /** GROOT_VALUE_... */
  std::int32_t kind() const noexcept { return kind_; }
  /** Whether there is a value. */
  explicit operator bool() const noexcept { return kind_ != GROOT_VALUE_NULL; }
  /** An integer, a date, a day, 0 or 1 of a boolean; else 0. */
  std::int64_t integer() const noexcept { return integer_; }
  /** A real; else 0. */
  double real() const noexcept { return real_; }
  /** A boolean; else false. */
  bool boolean() const noexcept { return integer_ != 0; }
  /** Text of any kind; else empty. */
  const std::string &text() const noexcept { return text_; }
  /** That, or what to say where there is none. */
  std::string text_or(std::string_view otherwise) const {
    return *this ? text_ : std::string(otherwise);
  }
  /** The object of a to-one relationship; else 0. */
  groot_object_id object() const noexcept { return object_; }

  /** The value for groot.h, which borrows from this one. */
  groot_value get() const noexcept {
    groot_value raw = {kind_, 0, {integer_}};
    if (kind_ == GROOT_VALUE_REAL) {
      raw.as.real = real_;
    } else if (kind_ == GROOT_VALUE_OBJECT) {
      raw.as.object = object_;
    } else if (kind_ >= GROOT_VALUE_STRING && kind_ != GROOT_VALUE_DATE &&
               kind_ != GROOT_VALUE_DAY) {
      raw.as.text = {text_.data(), text_.size()};
    }
    return raw;
  }

 private:
  std::int32_t kind_ = GROOT_VALUE_NULL;
  std::int64_t integer_ = 0;
  double real_ = 0;
  groot_object_id object_ = 0;
  std::string text_;
};

class objects;

/** An object of a context: a number that nothing frees. Properties are given by name or number. */
class object {
 public:
  /** No object. */
  object() = default;
  /** An object by its number. */
  object(groot_context *context, groot_object_id id) noexcept : context_(context), id_(id) {}

  /** The number. */
  groot_object_id id() const noexcept { return id_; }
  /** Whether it is an object; a deleted one is, too. */
  explicit operator bool() const noexcept { return id_ != 0; }
  /** GROOT_OK for a living object. */
  groot_status status() const { return groot_object_status(context_, id_); }
  /** The name of its entity, which lives as long as the context. */
  std::string_view entity() const {
    groot_string entity = {nullptr, 0};
    detail::must(groot_object_entity, context_, id_, &entity);
    return {entity.data, entity.size};
  }
  /** The number of a property, for quick access. */
  groot_property property(cstring name) const {
    groot_property property = -1;
    detail::must(groot_object_property, context_, id_, name.c_str(), &property);
    return property;
  }

  /** An attribute or a to-one relationship. */
  groot::value get(groot_property property) const {
    groot_value read = {0, 0, {0}};
    detail::must(groot_object_get, context_, id_, property, &read);
    return groot::value(read);
  }
  /** The same by name. */
  groot::value operator[](cstring name) const { return get(property(name)); }
  /** The object of a to-one relationship, or none. */
  object to_one(cstring name) const { return {context_, (*this)[name].object()}; }
  /** Sets an attribute. */
  void set(groot_property property, const groot::value &value) const {
    groot_value raw = value.get();
    detail::must(groot_object_set, context_, id_, property, &raw);
  }
  /** The same by name. */
  void set(cstring name, const groot::value &value) const { set(property(name), value); }
  /** Sets a to-one relationship; no object clears it. */
  void set(cstring name, object target) const {
    groot_value raw = {GROOT_VALUE_OBJECT, 0, {0}};
    raw.as.object = target.id_;
    detail::must(groot_object_set, context_, id_, property(name), &raw);
  }

  /** The members of a to-many relationship: a snapshot, in its order. */
  objects members(cstring name) const;
  /** How many there are. */
  std::size_t member_count(cstring name) const {
    std::size_t count = 0;
    detail::must(groot_object_member_count, context_, id_, property(name), &count);
    return count;
  }
  /** Whether `member` is one. */
  bool contains(cstring name, object member) const {
    std::int32_t contained = 0;
    detail::must(groot_object_contains, context_, id_, property(name), member.id_, &contained);
    return contained != 0;
  }
  /** Adds a member at the end. */
  void add(cstring name, object member) const {
    detail::must(groot_object_add, context_, id_, property(name), member.id_);
  }
  /** Removes a member. */
  void remove(cstring name, object member) const {
    detail::must(groot_object_remove, context_, id_, property(name), member.id_);
  }
  /** Deletes the object, by the delete rules of its relationships. */
  void erase() const { detail::must(groot_object_delete, context_, id_); }

  /** Whether both are the same object. */
  friend bool operator==(object a, object b) noexcept { return a.id_ == b.id_; }
  /** Whether they are not. */
  friend bool operator!=(object a, object b) noexcept { return a.id_ != b.id_; }

 private:
  groot_context *context_ = nullptr;
  groot_object_id id_ = 0;
};

/** Objects in order: a snapshot, which is a range of `object`. */
class objects {
 public:
  /** Goes through the objects. */
  class iterator {
   public:
    /** The names for std::iterator_traits. */
    using iterator_category = std::input_iterator_tag;
    using value_type = object;         /**< an object */
    using difference_type = std::ptrdiff_t; /**< a distance */
    using pointer = const object *;    /**< not used */
    using reference = object;          /**< objects are values */

    /** At an object of a sequence. */
    iterator(groot_context *context, const groot_object_id *at) : context_(context), at_(at) {}
    /** The object. */
    object operator*() const { return {context_, *at_}; }
    /** On to the next. */
    iterator &operator++() { return ++at_, *this; }
    /** On to the next; the iterator before. */
    iterator operator++(int) { return {context_, at_++}; }
    /** Whether both are at the same place. */
    friend bool operator==(iterator a, iterator b) { return a.at_ == b.at_; }
    /** Whether they are not. */
    friend bool operator!=(iterator a, iterator b) { return a.at_ != b.at_; }

   private:
    groot_context *context_;
    const groot_object_id *at_;
  };

  /** Takes over a sequence of groot.h. */
  objects(groot_context *context, groot_objects *handle) noexcept
      : context_(context), handle_(handle) {}
  /** How many there are. */
  std::size_t size() const noexcept { return groot_objects_count(get()); }
  /** Whether there is none. */
  bool empty() const noexcept { return size() == 0; }
  /** Their numbers. */
  const groot_object_id *data() const noexcept { return groot_objects_data(get()); }
  /** The object at `index`; no object when there is none. */
  object operator[](std::size_t index) const {
    return {context_, groot_objects_at(get(), index)};
  }
  /** The first; no object when there is none. */
  object front() const { return (*this)[0]; }
  /** The first place. */
  iterator begin() const { return {context_, data()}; }
  /** The place after the last. */
  iterator end() const { return {context_, size() > 0 ? data() + size() : data()}; }
  /** The handle. */
  groot_objects *get() const noexcept { return handle_.get(); }

 private:
  groot_context *context_;
  detail::handle<groot_objects, groot_objects_free> handle_;
};

inline objects object::members(cstring name) const {
  groot_objects *members = nullptr;
  detail::must(groot_object_members, context_, id_, property(name), &members);
  return {context_, members};
}

/** Numbers of objects that stand one after the other: borrowed, as the argument of a call. */
class id_span {
 public:
  /** Those of a sequence. */
  id_span(const objects &objects) : data_(objects.data()), size_(objects.size()) {}
  /** Those of a vector. */
  id_span(const std::vector<groot_object_id> &ids) : data_(ids.data()), size_(ids.size()) {}
  /** `size` of them at `data`. */
  id_span(const groot_object_id *data, std::size_t size) : data_(data), size_(size) {}
  /** The first. */
  const groot_object_id *data() const noexcept { return data_; }
  /** How many there are. */
  std::size_t size() const noexcept { return size_; }

 private:
  const groot_object_id *data_;
  std::size_t size_;
};

/** One property of many objects as buffers; see groot_column. */
class column {
 public:
  /** Takes over a column of groot.h. */
  explicit column(const groot_column &filled) noexcept : column_(filled) {}
  /** Leaves `other` without values. */
  column(column &&other) noexcept : column_(std::exchange(other.column_, GROOT_COLUMN_INIT)) {}
  /** Exchanges the two. */
  column &operator=(column &&other) noexcept { return std::swap(column_, other.column_), *this; }
  ~column() { groot_column_free(&column_); }

  /** How many objects. */
  std::size_t size() const noexcept { return column_.count; }
  /** Whether the object at `index` has a value. */
  bool has(std::size_t index) const noexcept {
    return index < column_.count &&
           (!column_.validity || (column_.validity[index / 8] >> (index % 8) & 1) != 0);
  }
  /**
   * size() values: std::int64_t, std::int32_t (days), double, std::uint8_t or groot_object_id, as
   * get().kind says.
   */
  template <class T>
  const T *values() const noexcept {
    return static_cast<const T *>(column_.values);
  }
  /** The text at `index`, where the values are texts; empty when there is none. */
  std::string_view text(std::size_t index) const noexcept {
    if (index >= column_.count || !column_.offsets) return {};
    return {values<char>() + column_.offsets[index],
            static_cast<std::size_t>(column_.offsets[index + 1] - column_.offsets[index])};
  }
  /** The column of groot.h. */
  const groot_column &get() const noexcept { return column_; }

 private:
  groot_column column_;
};

/** Options of an import; see groot_import_options. */
struct import_options {
  std::uint32_t flags = 0;                   /**< GROOT_DRY_RUN and others */
  std::int32_t errors = GROOT_ERRORS_ABORT;  /**< the effect of a wrong record */
  std::size_t max_issues = 0;                /**< 0 is 100 */
  groot::progress progress;                  /**< may be empty */
  void *callback_userdata = nullptr;         /**< the result of call::userdata */
  std::string policies;                      /**< a JSON object; may be empty */
  std::string root_path;                     /**< a JSON Pointer; may be empty */
  const groot::mapping *mapping = nullptr;   /**< another one to import by */
  std::string *report = nullptr;             /**< receives a JSON object */
  std::size_t batch_size = 0;                /**< records written to the store at a time */
  std::int32_t commits = GROOT_COMMITS_WHOLE; /**< the transactions of an import in batches */
  std::int32_t form = GROOT_FORM_ARRAY;      /**< how the records are arranged */
};

/** Options of a synchronization; see groot_sync_options. */
struct sync_options {
  std::uint32_t flags = 0;                 /**< GROOT_DRY_RUN, GROOT_SYNC_... and others */
  std::size_t max_issues = 0;              /**< 0 is 100 */
  groot::progress progress;                /**< may be empty */
  void *callback_userdata = nullptr;       /**< the result of call::userdata */
  std::string where;                       /**< a predicate, a JSON object; may be empty */
  object parent;                           /**< whose members the entries are */
  const groot::mapping *mapping = nullptr; /**< another one to import by */
  std::string *report = nullptr;           /**< receives a JSON object */
  std::string policies;                    /**< a JSON object; may be empty */
  std::string root_path;                   /**< a JSON Pointer; may be empty */
  std::int32_t form = GROOT_FORM_ARRAY;    /**< how the entries are arranged */
};

/** Options of an export; see groot_export_options. */
struct export_options {
  std::uint32_t flags = 0;                 /**< GROOT_LINES and GROOT_EXPORT_... */
  std::optional<std::int32_t> depth;       /**< how deep objects are written in full */
  std::int32_t relationships = GROOT_RELATIONSHIPS_DEFAULT; /**< how they are written */
  std::int32_t inflection = GROOT_INFLECTION_DEFAULT;       /**< how names become keys */
  std::string properties;                  /**< the only ones to write, a JSON list */
  std::string exclude;                     /**< keys to leave out, a JSON list */
  std::string dates;                       /**< how dates are written */
  const groot::mapping *mapping = nullptr; /**< another one to write by */
  void *callback_userdata = nullptr;       /**< the result of call::userdata */
  std::size_t *count = nullptr;            /**< receives the number of objects written */
  std::int32_t form = GROOT_FORM_ARRAY;    /**< how several objects are arranged */
  std::int32_t nulls = GROOT_NULLS_DEFAULT; /**< the output without a value */
};

/** Options of a store; see groot_store_options. */
struct store_options {
  std::uint32_t flags = 0;                         /**< GROOT_STORE_... */
  std::int32_t durability = GROOT_DURABILITY_FULL; /**< the guarantee of a save */
  std::int32_t conflicts = GROOT_CONFLICTS_ERROR;  /**< the answer of a save to other writers */
  std::int32_t busy_timeout = 0;                   /**< milliseconds; 0 is 10000 */
  std::string backup;                              /**< path of a copy before a migration */
};

namespace detail {

/** The arguments of an import or a synchronization, until it ends. */
template <class Options>
struct run_options {
  using raw_options = std::conditional_t<std::is_same_v<Options, import_options>,
                                         groot_import_options, groot_sync_options>;
  Options given;
  guarded<progress> watch;
  buffer report;
  raw_options raw;

  explicit run_options(const Options &options) : given(options), watch{given.progress, {}} {
    if constexpr (std::is_same_v<Options, import_options>) {
      raw = GROOT_IMPORT_OPTIONS_INIT;
      raw.errors = given.errors;
      raw.batch_size = given.batch_size;
      raw.commits = given.commits;
    } else {
      raw = GROOT_SYNC_OPTIONS_INIT;
      raw.where = text_or_null(given.where);
      raw.parent = given.parent.id();
    }
    raw.policies = text_or_null(given.policies);
    raw.root_path = text_or_null(given.root_path);
    raw.form = given.form;
    raw.flags = given.flags;
    raw.max_issues = given.max_issues;
    raw.callback_userdata = given.callback_userdata;
    if (given.progress) raw.progress = report_progress, raw.progress_userdata = &watch;
    if (given.mapping) raw.mapping = given.mapping->get();
    if (given.report) raw.report = &report.bytes;
  }
  void give_report() const {
    if (given.report) *given.report = report.text();
  }
};

inline groot_export_options raw_options(const export_options &options) {
  groot_export_options raw = GROOT_EXPORT_OPTIONS_INIT;
  raw.flags = options.flags | (options.depth ? GROOT_EXPORT_DEPTH : 0);
  raw.depth = options.depth.value_or(0);
  raw.relationships = options.relationships;
  raw.inflection = options.inflection;
  raw.properties = text_or_null(options.properties);
  raw.exclude = text_or_null(options.exclude);
  raw.dates = text_or_null(options.dates);
  raw.mapping = options.mapping ? options.mapping->get() : nullptr;
  raw.callback_userdata = options.callback_userdata;
  raw.count = options.count;
  raw.form = options.form;
  raw.nulls = options.nulls;
  return raw;
}

}  // namespace detail

/** An import whose text comes in pieces. Unless it is finished it is undone. */
class stream {
 public:
  /** Begins an import into `entity`. */
  stream(groot_context *context, cstring entity, const import_options &options = {})
      : context_(context), options_(std::make_unique<run_options>(options)) {
    groot_stream *begun = nullptr;
    detail::must(groot_stream_begin, context, entity.c_str(), &options_->raw, &begun);
    handle_.reset(begun);
  }
  /** Leaves `other` without an import. */
  stream(stream &&other) noexcept = default;
  /** Undoes the import of its own, and takes that of `other`. */
  stream &operator=(stream &&other) noexcept {
    handle_ = std::move(other.handle_);  // first: the import that ends here uses the options
    context_ = other.context_;
    options_ = std::move(other.options_);
    return *this;
  }
  /** Takes the next piece of the text. */
  void write(std::string_view piece) {
    if (!options_) detail::must(groot_stream_write, get(), piece.data(), piece.size());
    options_->watch.must(groot_stream_write, get(), piece.data(), piece.size());
  }
  /** Ends the import, whatever the outcome. */
  objects finish() {
    groot_objects *made = nullptr;
    if (!options_) detail::must(groot_stream_finish, get(), &made);
    options_->watch.must(groot_stream_finish, handle_.release(), &made);
    objects imported(context_, made);
    options_->give_report();
    return imported;
  }
  /** The handle. */
  groot_stream *get() const noexcept { return handle_.get(); }

 private:
  using run_options = detail::run_options<import_options>;
  groot_context *context_;
  std::unique_ptr<run_options> options_;  // stays in its place: the library points to it
  detail::handle<groot_stream, groot_stream_cancel> handle_;
};

/** A graph of objects. Belongs to one thread at a time. */
class context {
 public:
  /** Empty, in memory. */
  explicit context(const mapping &mapping) {
    groot_context *made = nullptr;
    detail::must(groot_context_create, mapping.get(), &made);
    handle_.reset(made);
  }
  /** Kept in the file at `path`. */
  context(const mapping &mapping, cstring path, const store_options &options = {}) {
    groot_store_options raw = GROOT_STORE_OPTIONS_INIT;
    raw.flags = options.flags;
    raw.durability = options.durability;
    raw.conflicts = options.conflicts;
    raw.busy_timeout = options.busy_timeout;
    raw.backup = detail::text_or_null(options.backup);
    groot_context *made = nullptr;
    detail::must(groot_context_open, mapping.get(), path.c_str(), &raw, &made);
    handle_.reset(made);
  }

  /** Accepts all changes since the last save, and writes them to the store. */
  void save() { detail::must(groot_context_save, get()); }
  /** Undoes all changes since the last save. */
  void rollback() { detail::must(groot_context_rollback, get()); }
  /** Does so, and reads what others wrote to the store. */
  void refresh() { detail::must(groot_context_refresh, get()); }
  /** Ends the call that is being carried out. Any thread. */
  void cancel() noexcept { groot_context_cancel(get()); }
  /** The conflicts that the last save resolved, a JSON array. */
  std::string conflicts() { return detail::text_of(groot_context_conflicts, get()); }
  /** The changes since the last save: counts, a JSON object. */
  std::string changes() { return detail::text_of(groot_context_changes, get()); }

  /** An object by its number. */
  object find(groot_object_id id) const noexcept { return {get(), id}; }
  /** Inserts an object with its defaults. */
  object insert(cstring entity) {
    groot_object_id id = 0;
    detail::must(groot_object_insert, get(), entity.c_str(), &id);
    return {get(), id};
  }
  /** The number of a property, valid for all objects of the entity. */
  groot_property property(cstring entity, cstring name) const {
    groot_property property = -1;
    detail::must(groot_context_property, get(), entity.c_str(), name.c_str(), &property);
    return property;
  }

  /** The objects of `entity` that `request`, a JSON object, asks for; by default all. */
  objects fetch(cstring entity, cstring request = nullptr) {
    groot_objects *fetched = nullptr;
    detail::must(groot_context_fetch, get(), entity.c_str(), request.c_str(), &fetched);
    return {get(), fetched};
  }
  /** How many these are. */
  std::size_t count(cstring entity, cstring request = nullptr) {
    std::size_t count = 0;
    detail::must(groot_context_count, get(), entity.c_str(), request.c_str(), &count);
    return count;
  }
  /** The distinct values of an attribute or a path to one, a JSON array. */
  std::string distinct(cstring entity, cstring property, cstring request = nullptr) {
    return detail::text_of(groot_context_distinct, get(), entity.c_str(), property.c_str(),
                           request.c_str());
  }
  /** Sums and the like, a JSON object, or with "by" a list of them. */
  std::string aggregate(cstring entity, cstring request) {
    return detail::text_of(groot_context_aggregate, get(), entity.c_str(), request.c_str());
  }
  /** One property of many objects. */
  groot::column column(cstring entity, cstring property, id_span objects) {
    groot_column filled = GROOT_COLUMN_INIT;
    detail::must(groot_context_column, get(), entity.c_str(), property.c_str(), objects.data(),
                 objects.size(), &filled);
    return groot::column(filled);
  }

  /** Imports JSON text into `entity`; NULL is an envelope of several. */
  objects import_text(cstring entity, std::string_view text, const import_options &options = {}) {
    return run(options, groot_import_text, entity.c_str(), text.data(), text.size());
  }
  /** The same from the file at `path`. */
  objects import_file(cstring entity, cstring path, const import_options &options = {}) {
    return run(options, groot_import_file, entity.c_str(), path.c_str());
  }
  /** The same from text that comes in pieces. */
  groot::stream stream(cstring entity, const import_options &options = {}) {
    return groot::stream(get(), entity, options);
  }
  /** Makes the objects of `entity` what JSON text lists. */
  objects sync_text(cstring entity, std::string_view text, const sync_options &options = {}) {
    return run(options, groot_sync_text, entity.c_str(), text.data(), text.size());
  }
  /** The same from the file at `path`. */
  objects sync_file(cstring entity, cstring path, const sync_options &options = {}) {
    return run(options, groot_sync_file, entity.c_str(), path.c_str());
  }
  /** Sets the attributes of one object from JSON text, whatever its identity says. */
  void fill(object object, std::string_view text, const import_options &options = {}) {
    detail::run_options<import_options> all(options);
    all.watch.must(groot_object_fill_text, get(), object.id(), text.data(), text.size(), &all.raw);
    all.give_report();
  }

  /** One object as JSON text. */
  std::string export_text(object object, const export_options &options = {}) {
    groot_export_options raw = detail::raw_options(options);
    return detail::text_of(groot_export_object_text, get(), object.id(), &raw);
  }
  /** Objects as JSON text, an array. */
  std::string export_text(id_span objects, const export_options &options = {}) {
    groot_export_options raw = detail::raw_options(options);
    return detail::text_of(groot_export_text, get(), objects.data(), objects.size(), &raw);
  }
  /** The same in pieces, in memory that does not grow with the text. */
  void export_to(const sink &take, id_span objects, const export_options &options = {}) {
    groot_export_options raw = detail::raw_options(options);
    detail::guarded<sink> writer{take, {}};
    writer.must(groot_export_write, get(), objects.data(), objects.size(), &raw,
                detail::write_piece, static_cast<void *>(&writer));
  }
  /** The same into the file at `path`, which appears when it is complete. */
  void export_file(cstring path, id_span objects, const export_options &options = {}) {
    groot_export_options raw = detail::raw_options(options);
    detail::must(groot_export_file, get(), objects.data(), objects.size(), &raw, path.c_str());
  }
  /** The objects that fetch() would give, in pieces; they need not all be in memory. */
  void export_fetch(const sink &take, cstring entity, cstring request = nullptr,
                    const export_options &options = {}) {
    groot_export_options raw = detail::raw_options(options);
    detail::guarded<sink> writer{take, {}};
    writer.must(groot_export_fetch_write, get(), entity.c_str(), request.c_str(), &raw,
                detail::write_piece, static_cast<void *>(&writer));
  }
  /** The same into the file at `path`. */
  void export_fetch_file(cstring path, cstring entity, cstring request = nullptr,
                         const export_options &options = {}) {
    groot_export_options raw = detail::raw_options(options);
    detail::must(groot_export_fetch_file, get(), entity.c_str(), request.c_str(), &raw,
                 path.c_str());
  }
  /** All at the roots of the mapping as JSON text, one document. */
  std::string export_document(const export_options &options = {}) {
    groot_export_options raw = detail::raw_options(options);
    return detail::text_of(groot_export_document_text, get(), &raw);
  }
  /** The same in pieces. */
  void export_document(const sink &take, const export_options &options = {}) {
    groot_export_options raw = detail::raw_options(options);
    detail::guarded<sink> writer{take, {}};
    writer.must(groot_export_document_write, get(), &raw, detail::write_piece,
                static_cast<void *>(&writer));
  }
  /** The same into the file at `path`. */
  void export_document_file(cstring path, const export_options &options = {}) {
    groot_export_options raw = detail::raw_options(options);
    detail::must(groot_export_document_file, get(), &raw, path.c_str());
  }
  /** The handle. */
  groot_context *get() const noexcept { return handle_.get(); }

 private:
  template <class Options, class Function, class... Arguments>
  objects run(const Options &options, Function function, Arguments... arguments) {
    detail::run_options<Options> all(options);
    groot_objects *made = nullptr;
    all.watch.must(function, get(), arguments..., &all.raw, &made);
    objects given(get(), made);
    all.give_report();
    return given;
  }

  detail::handle<groot_context, groot_context_free> handle_;
};

}  // namespace groot

#endif
