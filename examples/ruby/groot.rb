# frozen_string_literal: true

require "ffi"
require "json"

# As much of Groot as the tour needs. JSON is given and taken as Ruby's own values, or as text.
module Groot
  # The functions of groot.h.
  module C
    extend FFI::Library
    ffi_lib "libgroot.so"

    # groot_string and groot_buffer
    class Text < FFI::Struct
      layout :data, :pointer, :size, :size_t

      def to_s
        self[:size].zero? ? +"" : self[:data].read_bytes(self[:size]).force_encoding("UTF-8")
      end
    end

    class Issue < FFI::Struct
      layout :struct_size, :size_t, :status, :int32, :severity, :int32, :message, Text,
             :path, Text, :entity, Text, :property, Text, :line, :int64, :column, :int64,
             :offset, :int64
    end

    class Payload < FFI::Union
      layout :integer, :int64, :real, :double, :text, Text, :object, :uint64
    end

    class Value < FFI::Struct
      layout :kind, :int32, :reserved, :int32, :as, Payload
    end

    callback :transform, %i[pointer pointer size_t pointer], :int32
    callback :destroy, [:pointer], :void

    # Functions that give a status, whose last parameter is the error.
    {
      model_create: %i[buffer_in size_t pointer],
      registry_create: %i[pointer],
      registry_set_transformer: %i[pointer string transform transform pointer destroy],
      registry_set_entity_mapper: %i[pointer string transform pointer destroy],
      registry_set_dictionary_transformer: %i[pointer string transform pointer destroy],
      mapping_create: %i[pointer pointer pointer pointer],
      context_create: %i[pointer pointer],
      context_count: %i[pointer string string pointer],
      import_text: %i[pointer string buffer_in size_t pointer pointer],
      export_object_text: %i[pointer uint64 pointer pointer],
      object_entity: %i[pointer uint64 pointer],
      object_property: %i[pointer uint64 string pointer],
      object_get: %i[pointer uint64 int32 pointer],
      object_members: %i[pointer uint64 int32 pointer]
    }.each { |name, types| attach_function name, :"groot_#{name}", [*types, :pointer], :int32 }

    attach_function :abi_version, :groot_abi_version, [], :int32
    raise LoadError, "this libgroot is older than 0.1" if abi_version < 1

    attach_function :error_text, :groot_error_text, [:pointer], Text.by_value
    attach_function :error_issue, :groot_error_issue, %i[pointer size_t pointer], :int32
    attach_function :error_exception, :groot_error_exception, %i[pointer destroy], :pointer
    attach_function :call_set_result, :groot_call_set_result, %i[pointer buffer_in size_t], :int32
    attach_function :call_set_message, :groot_call_set_message, %i[pointer buffer_in size_t], :void
    attach_function :call_set_exception, :groot_call_set_exception, %i[pointer pointer destroy],
                    :void
    attach_function :objects_count, :groot_objects_count, [:pointer], :size_t
    attach_function :objects_at, :groot_objects_at, %i[pointer size_t], :uint64
    %i[error buffer model registry mapping context objects].each do |kind|
      attach_function :"#{kind}_free", :"groot_#{kind}_free", [:pointer], :void
    end
  end

  WRONG_TYPE = 61
  TRANSFORM_FAILED = 65

  Issue = Struct.new(:status, :message, :path, :entity, :property)

  # The failure of a call, with all its issues.
  class Error < StandardError
    attr_reader :status, :issues

    def initialize(status, text, issues)
      super(text)
      @status = status
      @issues = issues
    end
  end

  # What transformers raised, until the error that carries it is freed.
  RAISED = {}
  FORGET = FFI::Function.new(:void, [:pointer]) { |raised| RAISED.delete(raised.address) }

  # Calls the library; a failure is raised, or else what a transformer raised.
  def self.call(name, *arguments)
    FFI::MemoryPointer.new(:pointer) do |slot|
      status = C.public_send(name, *arguments, slot)
      failure = slot.read_pointer
      begin
        raise failed(status, failure) unless status.zero?
      ensure
        C.error_free(failure)
      end
    end
  end

  def self.failed(status, failure)
    raised = RAISED[C.error_exception(failure, FORGET).address]
    return raised if raised

    issue = C::Issue.new
    issue[:struct_size] = C::Issue.size
    issues = []
    while C.error_issue(failure, issues.size, issue).zero?
      texts = %i[message path entity property].map { |text| issue[text].to_s }
      issues << Issue.new(issue[:status], *texts)
    end
    Error.new(status, C.error_text(failure).to_s, issues)
  end
  private_class_method :failed

  # Calls a function that gives a pointer or a number through its last parameter.
  def self.get(type, name, *arguments)
    FFI::MemoryPointer.new(type) do |slot|
      call(name, *arguments, slot)
      return slot.get(type, 0)
    end
  end

  def self.text(json) = json.is_a?(String) ? json : JSON.generate(json)

  # Something of the library's that is freed with the object that has it, or by close.
  class Handle
    attr_reader :pointer

    def initialize(kind, *arguments)
      made = Groot.get(:pointer, :"#{kind}_create", *arguments)
      @pointer = FFI::AutoPointer.new(made, C.method(:"#{kind}_free"))
    end

    def close = @pointer.free
  end

  # Entities, attributes and relationships with their annotations.
  class Model < Handle
    def initialize(document)
      text = Groot.text(document)
      super(:model, text, text.bytesize)
    end
  end

  # Named functions for a mapping: blocks from one JSON value to another, nil for nothing. They live
  # as long as this object, which a mapping keeps.
  class Registry < Handle
    def initialize
      super(:registry)
      @functions = []
    end

    def transformer(name, reverse: nil, &forward)
      reverse &&= callback(reverse)
      Groot.call(:registry_set_transformer, pointer, name, callback(forward), reverse, nil, nil)
    end

    def entity_mapper(name, &mapper)
      Groot.call(:registry_set_entity_mapper, pointer, name, callback(mapper), nil, nil)
    end

    def dictionary_transformer(name, &transformer)
      kept = callback(transformer)
      Groot.call(:registry_set_dictionary_transformer, pointer, name, kept, nil, nil)
    end

    private

    def callback(block)
      types = %i[pointer pointer size_t pointer]
      function = FFI::Function.new(:int32, types) do |_, json, size, call|
        run(block, json.read_bytes(size).force_encoding("UTF-8"), call)
      end
      @functions << function
      function
    end

    # Nothing may be raised through the library: it is carried.
    def run(block, json, call)
      result = JSON.generate(block.call(JSON.parse(json)))
      C.call_set_result(call, result, result.bytesize)
    rescue Exception => e # rubocop:disable Lint/RescueException
      RAISED[e.object_id] = e
      C.call_set_message(call, e.message, e.message.bytesize)
      C.call_set_exception(call, FFI::Pointer.new(e.object_id), FORGET)
      TRANSFORM_FAILED
    end
  end

  # A model compiled with a registry.
  class Mapping < Handle
    def initialize(model, registry: nil)
      @registry = registry
      super(:mapping, model.pointer, registry&.pointer, nil)
    end
  end

  # A graph of objects. One thread at a time may use it.
  class Context < Handle
    def initialize(mapping)
      @mapping = mapping
      super(:context, mapping.pointer)
    end

    # The object of each record of JSON.
    def import(entity, json)
      text = Groot.text(json)
      objects(Groot.get(:pointer, :import_text, pointer, entity, text, text.bytesize, nil))
    end

    def count(entity) = Groot.get(:size_t, :context_count, pointer, entity, nil)

    def objects(raw)
      Array.new(C.objects_count(raw)) { |i| Object.new(self, C.objects_at(raw, i)) }
    ensure
      C.objects_free(raw)
    end
  end

  # An object of a context: a property is read by its name, a to-many relationship as an array.
  class Object
    attr_reader :id

    def initialize(context, id)
      @context = context
      @id = id
    end

    def ==(other) = other.is_a?(Object) && id == other.id

    def entity
      name = C::Text.new
      Groot.call(:object_entity, @context.pointer, id, name)
      name.to_s
    end

    def [](name)
      property = Groot.get(:int32, :object_property, @context.pointer, id, name.to_s)
      value = C::Value.new
      Groot.call(:object_get, @context.pointer, id, property, value)
      read(value)
    rescue Error => e
      raise unless e.status == WRONG_TYPE

      @context.objects(Groot.get(:pointer, :object_members, @context.pointer, id, property))
    end

    # The object as JSON text.
    def export
      json = C::Text.new
      Groot.call(:export_object_text, @context.pointer, id, nil, json)
      json.to_s
    ensure
      C.buffer_free(json)
    end

    private

    def read(value)
      case value[:kind]
      when 0 then nil
      when 1, 6 then value[:as][:integer]
      when 2 then value[:as][:real]
      when 3 then value[:as][:integer] == 1
      when 11 then Object.new(@context, value[:as][:object])
      else value[:as][:text].to_s
      end
    end
  end
end
