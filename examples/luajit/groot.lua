-- As much of Groot as the tour needs. LuaJIT reads C declarations, so it reads those of groot.h.

-- The library calls back, which compiled Lua cannot bear.
jit.off(true, true)

local ffi = require "ffi"

local here = debug.getinfo(1, "S").source:match "^@(.*/)" or "./"
local file = assert(io.open(os.getenv "GROOT_HEADER" or here .. "../../include/groot.h"))
local header = file:read "*a":gsub("/%*.-%*/", "")
file:close()

local constants = {}
for name, number in header:gmatch "#define (GROOT_[%w_]+) (%w+)" do
  constants[name] = tonumber((number:gsub("u$", "")))
end
ffi.cdef((header
  :gsub("\\\n", " ")
  :gsub("#ifndef GROOT_NO_JANSSON.-#endif", "")
  :gsub("#ifdef __cplusplus.-#endif", "")
  :gsub("#[^\n]*", "")
  :gsub("GROOT_API", "")))
local C = ffi.load "groot"
assert(C.groot_abi_version() >= constants.GROOT_ABI_VERSION, "libgroot is older than groot.h")

local function text(borrowed) return ffi.string(borrowed.data, borrowed.size) end

-- Failures are errors: tables with a status, a text and the issues. What a callback throws is
-- thrown again by the call that led to it.

local Error = { __tostring = function(self) return self.text end }
local failure = ffi.new "groot_error *[1]"
local thrown

local function check(status)
  if status == constants.GROOT_OK then return end
  local raw = ffi.gc(failure[0], C.groot_error_free)
  if C.groot_error_exception(raw, nil) ~= nil then error(thrown, 0) end
  local issues, issue = {}, ffi.new("groot_issue", { struct_size = ffi.sizeof "groot_issue" })
  for i = 1, tonumber(C.groot_error_issue_count(raw)) do
    C.groot_error_issue(raw, i - 1, issue)
    issues[i] = {
      status = issue.status, message = text(issue.message), path = text(issue.path),
      entity = text(issue.entity), property = text(issue.property),
    }
  end
  error(setmetatable({ status = status, text = text(C.groot_error_text(raw)), issues = issues },
    Error), 0)
end

-- A function from JSON text to JSON text, or to nil, as one that the library can call.
local function callback(transform)
  return ffi.cast("groot_transform_function", function(_, value, size, call)
    local fine, result = pcall(transform, ffi.string(value, size))
    if fine then return result and C.groot_call_set_result(call, result, #result) or 0 end
    thrown = result
    C.groot_call_set_message(call, tostring(result), #tostring(result))
    C.groot_call_set_exception(call, call, nil) -- that there is one is all that check() must know
    return constants.GROOT_TRANSFORM_FAILED
  end)
end

-- Objects: properties are read as fields, a to-many relationship as a list.

local Object = {}

local function wrap(context, id)
  return setmetatable({ context = context, id = tonumber(id) }, Object)
end

local function list(context, raw)
  local objects = {}
  for i = 1, tonumber(C.groot_objects_count(raw)) do
    objects[i] = wrap(context, C.groot_objects_at(raw, i - 1))
  end
  C.groot_objects_free(raw)
  return objects
end

local value = ffi.new "groot_value"
local property = ffi.new "groot_property[1]"
local objects = ffi.new "groot_objects *[1]"

function Object.__eq(a, b) return a.id == b.id end

function Object:__index(name)
  local context, id = rawget(self, "context"), rawget(self, "id")
  local raw = context.raw
  check(C.groot_object_property(raw, id, name, property, failure))
  local status = C.groot_object_get(raw, id, property[0], value, failure)
  if status == constants.GROOT_WRONG_TYPE then
    C.groot_error_free(failure[0])
    check(C.groot_object_members(raw, id, property[0], objects, failure))
    return list(context, objects[0])
  end
  check(status)
  local kind = value.kind
  if kind == constants.GROOT_VALUE_NULL then return nil end
  if kind == constants.GROOT_VALUE_BOOLEAN then return value.as.integer ~= 0 end
  if kind == constants.GROOT_VALUE_REAL then return value.as.real end
  if kind == constants.GROOT_VALUE_OBJECT then return wrap(context, value.as.object) end
  if kind == constants.GROOT_VALUE_INTEGER or kind == constants.GROOT_VALUE_DATE
    or kind == constants.GROOT_VALUE_DAY then
    return tonumber(value.as.integer)
  end
  return text(value.as.text)
end

local Context = {}
Context.__index = Context

function Context:import(entity, json)
  check(C.groot_import_text(self.raw, entity, json, #json, nil, objects, failure))
  return list(self, objects[0])
end

function Context:count(entity)
  local count = ffi.new "size_t[1]"
  check(C.groot_context_count(self.raw, entity, nil, count, failure))
  return tonumber(count[0])
end

function Context:entity(object)
  local entity = ffi.new "groot_string"
  check(C.groot_object_entity(self.raw, object.id, entity, failure))
  return text(entity)
end

function Context:export(object)
  local json = ffi.gc(ffi.new "groot_buffer", C.groot_buffer_free)
  check(C.groot_export_object_text(self.raw, object.id, nil, json, failure))
  return text(json)
end

-- Frees the objects, and then the functions.
function Context:close()
  C.groot_context_free(ffi.gc(self.raw, nil))
  self.raw = nil
  for _, kept in ipairs(self.callbacks) do kept:free() end
end

local groot = { constants = constants }

-- A context of a model document and the functions that it names: names = {transformers = {name =
-- {forward, reverse}}, entity_mappers = {name = function}, dictionary_transformers = ...}.
function groot.open(document, names)
  local callbacks = {}
  local function keep(transform)
    if not transform then return nil end
    callbacks[#callbacks + 1] = callback(transform)
    return callbacks[#callbacks]
  end
  local registry = ffi.new "groot_registry *[1]"
  check(C.groot_registry_create(registry, failure))
  registry = ffi.gc(registry[0], C.groot_registry_free)
  for name, pair in pairs(names.transformers or {}) do
    check(C.groot_registry_set_transformer(registry, name, keep(pair[1]), keep(pair[2]), nil, nil,
      failure))
  end
  for name, mapper in pairs(names.entity_mappers or {}) do
    check(C.groot_registry_set_entity_mapper(registry, name, keep(mapper), nil, nil, failure))
  end
  for name, transform in pairs(names.dictionary_transformers or {}) do
    check(C.groot_registry_set_dictionary_transformer(registry, name, keep(transform), nil, nil,
      failure))
  end

  local model = ffi.new "groot_model *[1]"
  check(C.groot_model_create(document, #document, model, failure))
  model = ffi.gc(model[0], C.groot_model_free)
  local mapping = ffi.new "groot_mapping *[1]"
  check(C.groot_mapping_create(model, registry, nil, mapping, failure))
  mapping = ffi.gc(mapping[0], C.groot_mapping_free)
  local context = ffi.new "groot_context *[1]"
  check(C.groot_context_create(mapping, context, failure))
  context = ffi.gc(context[0], C.groot_context_free)
  return setmetatable({ raw = context, callbacks = callbacks }, Context)
end

return groot
