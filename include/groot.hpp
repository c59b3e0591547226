/*
 * groot.hpp - groot.h for C++17. groot.h describes each call in full; this file describes its form
 * in C++. It is one header, and needs no library but libgroot.
 *
 *     groot::registry registry;
 *     registry.set_transformer("Upper", [](std::string_view json) { return upper(json); });
 *     groot::mapping mapping(groot::model(document), registry);
 *     groot::context context(mapping);
 *     for (groot::object hero : context.import_text("Character", text))
 *       std::cout << hero["name"].text() << "\n";
 *
 * Failures    A failure throws groot::error, which has all issues. If a callback throws, the call
 *             that runs it throws the same exception again.
 * Ownership   Models, registries, mappings, contexts, streams, columns and the sequence `objects`
 *             are move-only, and free their handles. After a move, the calls of the source throw an
 *             error with GROOT_INVALID_ARGUMENT; a moved sequence or column is empty. An `object`
 *             is a number and a context: copy it freely, but use it only while the context lives.
 * JSON        JSON is UTF-8 text, for use with any JSON library. If GROOT_NO_JANSSON is defined,
 *             neither this header nor groot.h needs jansson.
 * The rest    get() returns the handle, for functions of groot.h that this header lacks.
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

/** A borrowed name or short JSON text that ends at its first NUL, for the argument of a call. */
class cstring {
 public:
  /** Borrows a literal or another C string, which may be NULL where groot.h allows it. */
  cstring(const char *text) noexcept : text_(text) {}
  /** Borrows the text of a string. Throws std::invalid_argument if it contains a NUL. */
  cstring(const std::string &text) : text_(text.c_str()) {
    if (text.find('\0') != std::string::npos) throw std::invalid_argument("a NUL in a name");
  }
  /** Returns the text, for groot.h. */
  const char *c_str() const noexcept { return text_; }

 private:
  const char *text_;
};

/** One issue of an error. Missing texts are empty. */
struct issue {
  groot_status status = GROOT_OK; /**< the kind of failure */
  int severity = 2;               /**< 1 warning, 2 error */
  std::string message;            /**< the value found and the expected one */
  std::string path;               /**< the place in the JSON, such as $.powers[2].id */
  std::string entity;             /**< the entity concerned */
  std::string property;           /**< the property concerned */
  std::int64_t line = 0;          /**< from 1; 0 when there is no text */
  std::int64_t column = 0;        /**< in characters, from 1; 0 when there is no text */
  std::int64_t offset = -1;       /**< in bytes; -1 when there is no text */
};

/** The failure of a call. what() returns all issues, one per line. */
class error : public std::runtime_error {
 public:
  /** Copies the contents of `failure`, which the caller still owns. */
  error(groot_status status, const groot_error *failure)
      : std::runtime_error(message(status, failure)),
        status_(status),
        callback_status_(groot_error_callback_status(failure)),
        issues_(std::make_shared<std::vector<issue>>(read(failure))) {}
  /** Copies `error`. There is no move constructor, so that every error keeps its issues. */
  error(const error &) = default;
  /** Copies `error`. */
  error &operator=(const error &) = default;

  /** Returns the kind of failure. */
  groot_status status() const noexcept { return status_; }
  /** Returns the status of the failed callback; GROOT_OK when no callback failed. */
  groot_status callback_status() const noexcept { return callback_status_; }
  /** Returns all issues. */
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

/** One call of a callback. Valid during that call. */
class call {
 public:
  /** Wraps the handle that groot.h passes. */
  explicit call(groot_call *handle) noexcept : handle_(handle) {}
  /** Returns the entity of the value; empty when it is not known. */
  std::string_view entity() const { return view(groot_call_entity(handle_)); }
  /** Returns the property of the value; empty when the value is an object. */
  std::string_view property() const { return view(groot_call_property(handle_)); }
  /** Returns the place of the value in the JSON, such as $[3].id; empty in an export. */
  std::string_view path() const { return view(groot_call_path(handle_)); }
  /** Returns the `callback_userdata` of the options. */
  void *userdata() const { return groot_call_userdata(handle_); }
  /** Returns the handle. */
  groot_call *get() const noexcept { return handle_; }

 private:
  static std::string_view view(groot_string text) { return {text.data, text.size}; }
  groot_call *handle_;
};

/** A callback that transforms JSON text into other JSON text, or none. */
using transform = std::function<std::optional<std::string>(std::string_view, const call &)>;

/** A callback that receives the progress of an import; false ends it with GROOT_CANCELLED. */
using progress = std::function<bool(const groot_progress &)>;

/** A callback that receives a piece of exported text; false ends the export. */
using sink = std::function<bool(std::string_view)>;

/** The implementation. */
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

/** A buffer that the destructor frees. */
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

/** Runs a callback. No exception may pass through the library, so it travels in the error. */
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

/** Makes a transform from a callable with one or two arguments. */
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

/** A callback for one call, and the exception that it threw. */
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

  /** Calls a function as must() does; a callback's exception takes precedence over the error. */
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

/** Returns the version of the library in use, such as "0.1.0". */
inline std::string_view version() { return groot_version(); }

/** Entities, attributes and relationships with their annotations. Any thread. */
class model {
 public:
  /** Makes a model from a model document, JSON text. */
  explicit model(std::string_view document) {
    groot_model *made = nullptr;
    detail::must(groot_model_create, document.data(), document.size(), &made);
    handle_.reset(made);
  }
  /** Makes a model from the model document in the file at `path`. */
  static model from_file(cstring path) {
    groot_model *made = nullptr;
    detail::must(groot_model_create_file, path.c_str(), &made);
    return model(made);
  }
  /** Returns the model document, in which every default is explicit. */
  std::string document() const { return detail::text_of(groot_model_document, get()); }
  /** Returns the handle. */
  groot_model *get() const noexcept { return handle_.get(); }

 private:
  explicit model(groot_model *made) { handle_.reset(made); }

  detail::handle<groot_model, groot_model_free> handle_;
};

/**
 * Named functions for a mapping. A function is a callable whose argument is JSON text, a
 * std::string_view. A second argument, `const groot::call &`, is optional. The result is JSON text,
 * a std::string or a std::optional<std::string>. It may run on any thread that uses the mapping.
 */
class registry {
 public:
  /** Makes an empty registry. */
  registry() {
    groot_registry *made = nullptr;
    detail::must(groot_registry_create, &made);
    handle_.reset(made);
  }
  /** Registers a value transformer for imports only. */
  template <class Forward>
  void set_transformer(cstring name, Forward forward) {
    set_pair(groot_registry_set_transformer, name, detail::as_transform(std::move(forward)),
             nullptr);
  }
  /** Registers a value transformer for imports and exports. */
  template <class Forward, class Reverse>
  void set_transformer(cstring name, Forward forward, Reverse reverse) {
    set_pair(groot_registry_set_transformer, name, detail::as_transform(std::move(forward)),
             detail::as_transform(std::move(reverse)));
  }
  /**
   * Registers a value transformer for imports only, from a JSON array of values to an array of as
   * many results; see groot_registry_set_batch_transformer.
   */
  template <class Forward>
  void set_batch_transformer(cstring name, Forward forward) {
    set_pair(groot_registry_set_batch_transformer, name, detail::as_transform(std::move(forward)),
             nullptr);
  }
  /** Registers such a value transformer for imports and exports. */
  template <class Forward, class Reverse>
  void set_batch_transformer(cstring name, Forward forward, Reverse reverse) {
    set_pair(groot_registry_set_batch_transformer, name, detail::as_transform(std::move(forward)),
             detail::as_transform(std::move(reverse)));
  }
  /** Registers a function from a JSON object to the name of its entity, a JSON string. */
  template <class Mapper>
  void set_entity_mapper(cstring name, Mapper mapper) {
    set(groot_registry_set_entity_mapper, name, detail::as_transform(std::move(mapper)));
  }
  /** Registers a function from a JSON object to the object to read instead. */
  template <class Transformer>
  void set_dictionary_transformer(cstring name, Transformer transformer) {
    set(groot_registry_set_dictionary_transformer, name,
        detail::as_transform(std::move(transformer)));
  }
  /** Registers a built-in transformer, such as "integer-text", under `name`. */
  void set_builtin(cstring name, cstring builtin) {
    detail::must(groot_registry_set_builtin, get(), name.c_str(), builtin.c_str());
  }
  /** Returns the built-in transformers, a JSON object from name to description. */
  static std::string builtins() { return detail::text_of(groot_registry_builtins); }
  /** Removes the function registered under `name`. */
  void remove(cstring name) { detail::must(groot_registry_remove, get(), name.c_str()); }
  /** Returns the handle. Callbacks registered through it must not set other exceptions. */
  groot_registry *get() const noexcept { return handle_.get(); }

 private:
  template <class Setter>
  void set_pair(Setter setter, cstring name, transform forward, transform reverse) {
    bool both = static_cast<bool>(reverse);
    auto *kept = new detail::transforms{std::move(forward), std::move(reverse)};
    detail::must(setter, get(), name.c_str(), detail::transforms::run_forward,
                 both ? detail::transforms::run_reverse : nullptr, static_cast<void *>(kept),
                 detail::transforms::destroy);
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
  std::string roots;       /**< the places of records, a JSON object; may be empty */
  std::int32_t nulls = GROOT_NULLS_DEFAULT; /**< the output of properties without a value */
};

/** A model compiled with a registry for import and export. Any thread. */
class mapping {
 public:
  /** Compiles a mapping without named functions. */
  explicit mapping(const model &model, const mapping_options &options = {})
      : handle_(create(model, nullptr, options)) {}
  /** Compiles a mapping with the functions of `registry`. */
  mapping(const model &model, const registry &registry, const mapping_options &options = {})
      : handle_(create(model, registry.get(), options)) {}
  /** Returns the warnings, a JSON list. */
  std::string warnings() const { return detail::text_of(groot_mapping_warnings, get()); }
  /** Returns the handle. */
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

/** A copy of a property's value. */
class value {
 public:
  /** Makes a missing value. */
  value() = default;
  /** Copies a value of groot.h. */
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
  /** Makes an integer, a boolean or a real. */
  template <class Number, std::enable_if_t<std::is_arithmetic_v<Number>, int> = 0>
  value(Number number) noexcept {
    if constexpr (std::is_floating_point_v<Number>) {
      kind_ = GROOT_VALUE_REAL, real_ = static_cast<double>(number);
    } else {
      kind_ = std::is_same_v<Number, bool> ? GROOT_VALUE_BOOLEAN : GROOT_VALUE_INTEGER;
      integer_ = static_cast<std::int64_t>(number);
    }
  }
  /** Makes a string. */
  value(const char *text) : value(std::string_view(text)) {}
  /** Makes a string. */
  value(const std::string &text) : value(std::string_view(text)) {}
  /** Makes a string, or with `kind` a decimal, URI, UUID, binary or JSON value. */
  value(std::string_view text, std::int32_t kind = GROOT_VALUE_STRING)
      : kind_(kind), text_(text) {}
  /** Makes a date from microseconds since 1970-01-01T00:00:00Z. */
  static value date(std::int64_t microseconds) {
    value made(microseconds);
    made.kind_ = GROOT_VALUE_DATE;
    return made;
  }

  /** Makes a calendar day from days since 1970-01-01. */
  static value day(std::int64_t days) {
    value made(days);
    made.kind_ = GROOT_VALUE_DAY;
    return made;
  }

  /** Returns the kind, GROOT_VALUE_... */
  std::int32_t kind() const noexcept { return kind_; }
  /** Returns whether there is a value. */
  explicit operator bool() const noexcept { return kind_ != GROOT_VALUE_NULL; }
  /** Returns an integer, a date, a day, or a boolean as 0 or 1; 0 for other kinds. */
  std::int64_t integer() const noexcept { return integer_; }
  /** Returns a real; 0 for other kinds. */
  double real() const noexcept { return real_; }
  /** Returns a boolean, or whether an integer, date or day is not 0; false for other kinds. */
  bool boolean() const noexcept { return integer_ != 0; }
  /** Returns the text; empty for kinds without text. */
  const std::string &text() const noexcept { return text_; }
  /** Returns text(), or `otherwise` when there is no value. */
  std::string text_or(std::string_view otherwise) const {
    return *this ? text_ : std::string(otherwise);
  }
  /** Returns the object of a to-one relationship; 0 for other kinds. */
  groot_object_id object() const noexcept { return object_; }

  /** Returns the value for groot.h, which borrows the text of this one. */
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

/** The number of an object in a context. Calls name a property by its name or its number. */
class object {
 public:
  /** Makes the null object. */
  object() = default;
  /** Makes an object from its number. */
  object(groot_context *context, groot_object_id id) noexcept : context_(context), id_(id) {}

  /** Returns the number. */
  groot_object_id id() const noexcept { return id_; }
  /** Returns false for the null object; true for all others, even deleted ones. */
  explicit operator bool() const noexcept { return id_ != 0; }
  /** Returns GROOT_OK for a living object. */
  groot_status status() const { return groot_object_status(context_, id_); }
  /** Returns the name of the entity, borrowed while the context lives. */
  std::string_view entity() const {
    groot_string entity = {nullptr, 0};
    detail::must(groot_object_entity, context_, id_, &entity);
    return {entity.data, entity.size};
  }
  /** Returns the number of a property, for fast access. */
  groot_property property(cstring name) const {
    groot_property property = -1;
    detail::must(groot_object_property, context_, id_, name.c_str(), &property);
    return property;
  }

  /** Reads an attribute or a to-one relationship. */
  groot::value get(groot_property property) const {
    groot_value read = {0, 0, {0}};
    detail::must(groot_object_get, context_, id_, property, &read);
    return groot::value(read);
  }
  /** Reads an attribute or a to-one relationship by its name. */
  groot::value operator[](cstring name) const { return get(property(name)); }
  /** Returns the object of a to-one relationship, or the null object. */
  object to_one(cstring name) const { return {context_, (*this)[name].object()}; }
  /** Sets an attribute. */
  void set(groot_property property, const groot::value &value) const {
    groot_value raw = value.get();
    detail::must(groot_object_set, context_, id_, property, &raw);
  }
  /** Sets an attribute by its name. */
  void set(cstring name, const groot::value &value) const { set(property(name), value); }
  /** Sets a to-one relationship; the null object clears it. */
  void set(cstring name, object target) const {
    groot_value raw = {GROOT_VALUE_OBJECT, 0, {0}};
    raw.as.object = target.id_;
    detail::must(groot_object_set, context_, id_, property(name), &raw);
  }

  /** Returns a snapshot of the members of a to-many relationship, in order. */
  objects members(cstring name) const;
  /** Returns the number of members. */
  std::size_t member_count(cstring name) const {
    std::size_t count = 0;
    detail::must(groot_object_member_count, context_, id_, property(name), &count);
    return count;
  }
  /** Returns whether `member` is a member. */
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

  /** Compares the numbers of two objects of one context. */
  friend bool operator==(object a, object b) noexcept { return a.id_ == b.id_; }
  /** Compares the numbers of two objects of one context. */
  friend bool operator!=(object a, object b) noexcept { return a.id_ != b.id_; }

 private:
  groot_context *context_ = nullptr;
  groot_object_id id_ = 0;
};

/** A snapshot of objects in order, a range of `object`. */
class objects {
 public:
  /** An iterator over the objects. */
  class iterator {
   public:
    /** The types for std::iterator_traits. */
    using iterator_category = std::input_iterator_tag;
    using value_type = object;         /**< an object */
    using difference_type = std::ptrdiff_t; /**< a distance */
    using pointer = const object *;    /**< not used */
    using reference = object;          /**< objects are values */

    /** Makes an iterator at an object of a sequence. */
    iterator(groot_context *context, const groot_object_id *at) : context_(context), at_(at) {}
    /** Returns the object. */
    object operator*() const { return {context_, *at_}; }
    /** Advances to the next object. */
    iterator &operator++() { return ++at_, *this; }
    /** Advances to the next object, and returns the previous iterator. */
    iterator operator++(int) { return {context_, at_++}; }
    /** Compares the positions of two iterators. */
    friend bool operator==(iterator a, iterator b) { return a.at_ == b.at_; }
    /** Compares the positions of two iterators. */
    friend bool operator!=(iterator a, iterator b) { return a.at_ != b.at_; }

   private:
    groot_context *context_;
    const groot_object_id *at_;
  };

  /** Takes ownership of a sequence of groot.h. */
  objects(groot_context *context, groot_objects *handle) noexcept
      : context_(context), handle_(handle) {}
  /** Returns the number of objects. */
  std::size_t size() const noexcept { return groot_objects_count(get()); }
  /** Returns whether the sequence is empty. */
  bool empty() const noexcept { return size() == 0; }
  /** Returns the numbers of the objects. */
  const groot_object_id *data() const noexcept { return groot_objects_data(get()); }
  /** Returns the object at `index`; the null object when there is none. */
  object operator[](std::size_t index) const {
    return {context_, groot_objects_at(get(), index)};
  }
  /** Returns the first object; the null object when there is none. */
  object front() const { return (*this)[0]; }
  /** Returns an iterator at the first object. */
  iterator begin() const { return {context_, data()}; }
  /** Returns an iterator after the last object. */
  iterator end() const { return {context_, size() > 0 ? data() + size() : data()}; }
  /** Returns the handle. */
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

/** A borrowed array of object numbers, for the argument of a call. */
class id_span {
 public:
  /** Borrows the numbers of a sequence. */
  id_span(const objects &objects) : data_(objects.data()), size_(objects.size()) {}
  /** Borrows the numbers in a vector. */
  id_span(const std::vector<groot_object_id> &ids) : data_(ids.data()), size_(ids.size()) {}
  /** Borrows `size` numbers at `data`. */
  id_span(const groot_object_id *data, std::size_t size) : data_(data), size_(size) {}
  /** Returns the address of the first number. */
  const groot_object_id *data() const noexcept { return data_; }
  /** Returns the number of elements. */
  std::size_t size() const noexcept { return size_; }

 private:
  const groot_object_id *data_;
  std::size_t size_;
};

/** One property of many objects as buffers; see groot_column. */
class column {
 public:
  /** Takes ownership of a column of groot.h. */
  explicit column(const groot_column &filled) noexcept : column_(filled) {}
  /** Moves the values of `other`, and leaves it empty. */
  column(column &&other) noexcept : column_(std::exchange(other.column_, GROOT_COLUMN_INIT)) {}
  /** Swaps the values with those of `other`. */
  column &operator=(column &&other) noexcept { return std::swap(column_, other.column_), *this; }
  ~column() { groot_column_free(&column_); }

  /** Returns the number of objects. */
  std::size_t size() const noexcept { return column_.count; }
  /** Returns whether the object at `index` has a value. */
  bool has(std::size_t index) const noexcept {
    return index < column_.count &&
           (!column_.validity || (column_.validity[index / 8] >> (index % 8) & 1) != 0);
  }
  /**
   * Returns size() values. get().kind determines T: std::int64_t, std::int32_t (days), double,
   * std::uint8_t (booleans) or groot_object_id.
   */
  template <class T>
  const T *values() const noexcept {
    return static_cast<const T *>(column_.values);
  }
  /** Returns the text at `index`; empty when there is none, or when the values are not texts. */
  std::string_view text(std::size_t index) const noexcept {
    if (index >= column_.count || !column_.offsets) return {};
    return {values<char>() + column_.offsets[index],
            static_cast<std::size_t>(column_.offsets[index + 1] - column_.offsets[index])};
  }
  /** Returns the column of groot.h. */
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
  const groot::mapping *mapping = nullptr;   /**< another mapping of the context's model */
  std::string *report = nullptr;             /**< receives a JSON object */
  std::size_t batch_size = 0;                /**< number of records in a batch; 0: no batches */
  std::int32_t commits = GROOT_COMMITS_WHOLE; /**< the transactions of an import in batches */
  std::int32_t form = GROOT_FORM_ARRAY;      /**< the arrangement of the records */
  std::size_t threads = 1;                   /**< 2: a second thread scans a text ahead */
};

/** Options of a synchronization; see groot_sync_options. */
struct sync_options {
  std::uint32_t flags = 0;                 /**< GROOT_DRY_RUN, GROOT_SYNC_... and others */
  std::size_t max_issues = 0;              /**< 0 is 100 */
  groot::progress progress;                /**< may be empty */
  void *callback_userdata = nullptr;       /**< the result of call::userdata */
  std::string where;                       /**< a predicate, a JSON object; may be empty */
  object parent;                           /**< the object whose members are synchronized */
  const groot::mapping *mapping = nullptr; /**< another mapping of the context's model */
  std::string *report = nullptr;           /**< receives a JSON object */
  std::string policies;                    /**< a JSON object; may be empty */
  std::string root_path;                   /**< a JSON Pointer; may be empty */
  std::int32_t form = GROOT_FORM_ARRAY;    /**< the arrangement of the entries */
  std::optional<std::uint64_t> max_deletions; /**< the limit of deletions, as a number */
  std::optional<double> max_deletion_share;   /**< or as a share of the scope */
};

/** Options of an export; see groot_export_options. */
struct export_options {
  std::uint32_t flags = 0;                 /**< GROOT_LINES and GROOT_EXPORT_... */
  std::optional<std::int32_t> depth;       /**< number of steps with objects written in full */
  std::int32_t relationships = GROOT_RELATIONSHIPS_DEFAULT; /**< the form of relationships */
  std::int32_t inflection = GROOT_INFLECTION_DEFAULT;       /**< the form of keys */
  std::string properties;                  /**< the properties to write, a JSON list; empty: all */
  std::string exclude;                     /**< keys to leave out, a JSON list */
  std::string dates;                       /**< the form of dates */
  const groot::mapping *mapping = nullptr; /**< another mapping of the context's model */
  void *callback_userdata = nullptr;       /**< the result of call::userdata */
  std::size_t *count = nullptr;            /**< receives the number of objects written */
  std::int32_t form = GROOT_FORM_ARRAY;    /**< the arrangement of several objects */
  std::int32_t nulls = GROOT_NULLS_DEFAULT; /**< the output of properties without a value */
};

/** Options of a store; see groot_store_options. */
struct store_options {
  std::uint32_t flags = 0;                         /**< GROOT_STORE_... */
  std::int32_t durability = GROOT_DURABILITY_FULL; /**< the guarantee of a save */
  std::int32_t conflicts = GROOT_CONFLICTS_ERROR;  /**< the behaviour of a save in a conflict */
  std::int32_t busy_timeout = 0;                   /**< milliseconds; 0 is 10000 */
  std::string backup;                              /**< the path for a copy before a migration */
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
      raw.threads = given.threads;
    } else {
      raw = GROOT_SYNC_OPTIONS_INIT;
      raw.where = text_or_null(given.where);
      raw.parent = given.parent.id();
      if (given.max_deletions) raw.flags |= GROOT_SYNC_MAX_DELETIONS;
      if (given.max_deletion_share) raw.flags |= GROOT_SYNC_MAX_DELETION_SHARE;
      raw.max_deletions = given.max_deletions.value_or(0);
      raw.max_deletion_share = given.max_deletion_share.value_or(0);
    }
    raw.policies = text_or_null(given.policies);
    raw.root_path = text_or_null(given.root_path);
    raw.form = given.form;
    raw.flags |= given.flags;
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

/** An import whose text arrives in pieces. Unless it is finished, the destructor undoes it. */
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
  /** Undoes the current import, and takes the import of `other`. */
  stream &operator=(stream &&other) noexcept {
    handle_ = std::move(other.handle_);  // first: the import that ends here uses the options
    context_ = other.context_;
    options_ = std::move(other.options_);
    return *this;
  }
  /** Adds the next piece of the text. */
  void write(std::string_view piece) {
    if (!options_) detail::must(groot_stream_write, get(), piece.data(), piece.size());
    options_->watch.must(groot_stream_write, get(), piece.data(), piece.size());
  }
  /** Ends the import, even if it fails, and returns the imported objects. */
  objects finish() {
    groot_objects *made = nullptr;
    if (!options_) detail::must(groot_stream_finish, get(), &made);
    options_->watch.must(groot_stream_finish, handle_.release(), &made);
    objects imported(context_, made);
    options_->give_report();
    return imported;
  }
  /** Returns the handle. */
  groot_stream *get() const noexcept { return handle_.get(); }

 private:
  using run_options = detail::run_options<import_options>;
  groot_context *context_;
  std::unique_ptr<run_options> options_;  // on the heap, since the library keeps its address
  detail::handle<groot_stream, groot_stream_cancel> handle_;
};

/** A graph of objects. Belongs to one thread at a time. */
class context {
 public:
  /** Makes an empty context in memory. */
  explicit context(const mapping &mapping) {
    groot_context *made = nullptr;
    detail::must(groot_context_create, mapping.get(), &made);
    handle_.reset(made);
  }
  /** Makes a context on the store in the file at `path`. */
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

  /** Saves all changes since the last save, and writes them to the store if there is one. */
  void save() { detail::must(groot_context_save, get()); }
  /** Undoes all changes since the last save. */
  void rollback() { detail::must(groot_context_rollback, get()); }
  /** Undoes all changes since the last save, and reads the changes of others from the store. */
  void refresh() { detail::must(groot_context_refresh, get()); }
  /** Cancels the running call. Any thread. */
  void cancel() noexcept { groot_context_cancel(get()); }
  /** Returns the conflicts that the last save resolved, a JSON array. */
  std::string conflicts() { return detail::text_of(groot_context_conflicts, get()); }
  /** Returns the number of changes since the last save, a JSON object. */
  std::string changes() { return detail::text_of(groot_context_changes, get()); }
  /** Returns a note with its unsaved change; nothing without one. */
  std::optional<std::string> note(cstring name) {
    detail::buffer text;
    detail::must(groot_context_note, get(), name.c_str(), &text.bytes);
    if (!text.bytes.data) return std::nullopt;
    return std::string(text.bytes.data, text.bytes.size);
  }
  /** Sets a note; nullptr removes it. The next save writes it. */
  void set_note(cstring name, cstring text) {
    detail::must(groot_context_set_note, get(), name.c_str(), text.c_str());
  }
  /** Copies the store into the empty store of another context. */
  void copy_store(context &target) {
    detail::must(groot_context_copy_store, get(), target.get());
  }

  /** Makes an object from its number. */
  object find(groot_object_id id) const noexcept { return {get(), id}; }
  /** Inserts an object with its defaults. */
  object insert(cstring entity) {
    groot_object_id id = 0;
    detail::must(groot_object_insert, get(), entity.c_str(), &id);
    return {get(), id};
  }
  /** Returns the number of a property, valid for all objects of the entity. */
  groot_property property(cstring entity, cstring name) const {
    groot_property property = -1;
    detail::must(groot_context_property, get(), entity.c_str(), name.c_str(), &property);
    return property;
  }

  /** Fetches the objects of `entity` for `request`, a JSON object; NULL: all objects. */
  objects fetch(cstring entity, cstring request = nullptr) {
    groot_objects *fetched = nullptr;
    detail::must(groot_context_fetch, get(), entity.c_str(), request.c_str(), &fetched);
    return {get(), fetched};
  }
  /** Counts the objects that fetch() would return. */
  std::size_t count(cstring entity, cstring request = nullptr) {
    std::size_t count = 0;
    detail::must(groot_context_count, get(), entity.c_str(), request.c_str(), &count);
    return count;
  }
  /** Returns the distinct values of an attribute or a path to one, a JSON array. */
  std::string distinct(cstring entity, cstring property, cstring request = nullptr) {
    return detail::text_of(groot_context_distinct, get(), entity.c_str(), property.c_str(),
                           request.c_str());
  }
  /** Computes values over objects, a JSON object, or with "by" a list of JSON objects. */
  std::string aggregate(cstring entity, cstring request) {
    return detail::text_of(groot_context_aggregate, get(), entity.c_str(), request.c_str());
  }
  /** Reads one property of many objects. */
  groot::column column(cstring entity, cstring property, id_span objects) {
    groot_column filled = GROOT_COLUMN_INIT;
    detail::must(groot_context_column, get(), entity.c_str(), property.c_str(), objects.data(),
                 objects.size(), &filled);
    return groot::column(filled);
  }
  /** Returns the keys that objects have in the store, the `_id` of their rows; 0 for an unsaved one. */
  std::vector<std::int64_t> row_keys(id_span objects) {
    std::vector<std::int64_t> keys(objects.size());
    detail::must(groot_context_row_keys, get(), objects.data(), objects.size(), keys.data());
    return keys;
  }

  /** Imports JSON text into `entity`; NULL means a document of several entities. */
  objects import_text(cstring entity, std::string_view text, const import_options &options = {}) {
    return run(options, groot_import_text, entity.c_str(), text.data(), text.size());
  }
  /** Imports the JSON text of the file at `path`. */
  objects import_file(cstring entity, cstring path, const import_options &options = {}) {
    return run(options, groot_import_file, entity.c_str(), path.c_str());
  }
  /** Begins an import of JSON text that arrives in pieces. */
  groot::stream stream(cstring entity, const import_options &options = {}) {
    return groot::stream(get(), entity, options);
  }
  /** Synchronizes the objects of `entity` with JSON text. */
  objects sync_text(cstring entity, std::string_view text, const sync_options &options = {}) {
    return run(options, groot_sync_text, entity.c_str(), text.data(), text.size());
  }
  /** Synchronizes the objects of `entity` with the JSON text of the file at `path`. */
  objects sync_file(cstring entity, cstring path, const sync_options &options = {}) {
    return run(options, groot_sync_file, entity.c_str(), path.c_str());
  }
  /** Sets the attributes of one object from JSON text, even if its identity differs. */
  void fill(object object, std::string_view text, const import_options &options = {}) {
    detail::run_options<import_options> all(options);
    all.watch.must(groot_object_fill_text, get(), object.id(), text.data(), text.size(), &all.raw);
    all.give_report();
  }

  /** Exports one object as JSON text. */
  std::string export_text(object object, const export_options &options = {}) {
    groot_export_options raw = detail::raw_options(options);
    return detail::text_of(groot_export_object_text, get(), object.id(), &raw);
  }
  /** Exports objects as JSON text. */
  std::string export_text(id_span objects, const export_options &options = {}) {
    groot_export_options raw = detail::raw_options(options);
    return detail::text_of(groot_export_objects_text, get(), objects.data(), objects.size(), &raw);
  }
  /** Exports objects in pieces, in memory that does not grow with the text. */
  void export_to(const sink &take, id_span objects, const export_options &options = {}) {
    groot_export_options raw = detail::raw_options(options);
    detail::guarded<sink> writer{take, {}};
    writer.must(groot_export_objects_write, get(), objects.data(), objects.size(), &raw,
                detail::write_piece, static_cast<void *>(&writer));
  }
  /** Exports objects to the file at `path`, which appears only when it is complete. */
  void export_file(cstring path, id_span objects, const export_options &options = {}) {
    groot_export_options raw = detail::raw_options(options);
    detail::must(groot_export_objects_file, get(), objects.data(), objects.size(), &raw, path.c_str());
  }
  /** Exports the objects that fetch() would return, in pieces, without all of them in memory. */
  void export_fetch(const sink &take, cstring entity, cstring request = nullptr,
                    const export_options &options = {}) {
    groot_export_options raw = detail::raw_options(options);
    detail::guarded<sink> writer{take, {}};
    writer.must(groot_export_fetch_write, get(), entity.c_str(), request.c_str(), &raw,
                detail::write_piece, static_cast<void *>(&writer));
  }
  /** Exports the objects that fetch() would return to the file at `path`. */
  void export_fetch_file(cstring path, cstring entity, cstring request = nullptr,
                         const export_options &options = {}) {
    groot_export_options raw = detail::raw_options(options);
    detail::must(groot_export_fetch_file, get(), entity.c_str(), request.c_str(), &raw,
                 path.c_str());
  }
  /** Exports all objects of the mapping's roots as JSON text, one document. */
  std::string export_document(const export_options &options = {}) {
    groot_export_options raw = detail::raw_options(options);
    return detail::text_of(groot_export_document_text, get(), &raw);
  }
  /** Exports the document in pieces. */
  void export_document(const sink &take, const export_options &options = {}) {
    groot_export_options raw = detail::raw_options(options);
    detail::guarded<sink> writer{take, {}};
    writer.must(groot_export_document_write, get(), &raw, detail::write_piece,
                static_cast<void *>(&writer));
  }
  /** Exports the document to the file at `path`. */
  void export_document_file(cstring path, const export_options &options = {}) {
    groot_export_options raw = detail::raw_options(options);
    detail::must(groot_export_document_file, get(), &raw, path.c_str());
  }
  /** Returns the handle. */
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
