// As much of Groot as the tour needs, as classes. JSON is given as values or as text.

'use strict'

const addon = require(process.env.GROOT_ADDON || './addon.node')

const text = (json) => (typeof json === 'string' ? json : JSON.stringify(json))
const onText = (transform) => transform && ((json) => JSON.stringify(transform(JSON.parse(json))))

/** Named functions from one JSON value to another; undefined is nothing. */
class Registry {
  handle = addon.createRegistry()

  transformer(name, forward, reverse) {
    addon.register(this.handle, 'transformer', name, onText(forward), onText(reverse))
  }

  entityMapper(name, mapper) {
    addon.register(this.handle, 'entityMapper', name, onText(mapper))
  }

  dictionaryTransformer(name, transformer) {
    addon.register(this.handle, 'dictionaryTransformer', name, onText(transformer))
  }
}

/** An object of a context. */
class GrootObject {
  constructor(context, id) {
    this.context = context
    this.id = id
  }

  get entity() {
    return addon.entity(this.context.handle, this.id)
  }

  /** An attribute, the object of a to-one relationship, or a list of those of a to-many. */
  get(name) {
    const value = addon.get(this.context.handle, this.id, name)
    if (Array.isArray(value)) return this.context.objects(value)
    return value && value.id ? new GrootObject(this.context, value.id) : value
  }

  /** The object as JSON text. */
  export() {
    return addon.export(this.context.handle, this.id)
  }
}

/** A graph of objects, of a model document and the functions that it names. */
class Context {
  constructor(document, registry) {
    this.handle = addon.createContext(text(document), registry.handle)
  }

  /** Imports JSON; the object of each record. */
  load(entity, json) {
    return this.objects(addon.load(this.handle, entity, text(json)))
  }

  count(entity) {
    return addon.count(this.handle, entity)
  }

  objects(ids) {
    return ids.map((id) => new GrootObject(this, id))
  }

  close() {
    addon.close(this.handle)
  }
}

module.exports = { Context, Registry }
