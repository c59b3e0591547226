// Package groot is as much of Groot as the tour needs. What has a Close must be closed; objects are
// used while their context is open.
package groot

/*
#include <groot.h>
#include <stdlib.h>

// What Go has of these, with the number of a handle for their data; see callback.go.
groot_status groot_go_forward(uintptr_t functions, const char *, size_t, groot_call *);
groot_status groot_go_reverse(uintptr_t functions, const char *, size_t, groot_call *);
void groot_go_delete(uintptr_t handle);

static groot_status forward(void *data, const char *value, size_t size, groot_call *call) {
  return groot_go_forward((uintptr_t)data, value, size, call);
}
static groot_status reverse(void *data, const char *value, size_t size, groot_call *call) {
  return groot_go_reverse((uintptr_t)data, value, size, call);
}
static void destroy(void *data) { groot_go_delete((uintptr_t)data); }

static groot_status set_transformer(groot_registry *registry, const char *name,
                                    uintptr_t functions, groot_error **error) {
  return groot_registry_set_transformer(registry, name, forward, reverse, (void *)functions,
                                        destroy, error);
}
static groot_status set_entity_mapper(groot_registry *registry, const char *name,
                                      uintptr_t functions, groot_error **error) {
  return groot_registry_set_entity_mapper(registry, name, forward, (void *)functions, destroy,
                                          error);
}
static groot_status set_dictionary_transformer(groot_registry *registry, const char *name,
                                               uintptr_t functions, groot_error **error) {
  return groot_registry_set_dictionary_transformer(registry, name, forward, (void *)functions,
                                                   destroy, error);
}

// Go does not read unions.
static int64_t value_integer(const groot_value *value) { return value->as.integer; }
static double value_real(const groot_value *value) { return value->as.real; }
static groot_string value_text(const groot_value *value) { return value->as.text; }
static groot_object_id value_object(const groot_value *value) { return value->as.object; }
*/
import "C"

import (
	"runtime/cgo"
	"unsafe"
)

// Issue is one thing that was found wrong.
type Issue struct {
	Status                          int
	Message, Path, Entity, Property string
}

// Error is the failure of a call, with all its issues.
type Error struct {
	Status int
	Text   string
	Issues []Issue
	cause  error
}

func (e *Error) Error() string { return e.Text }

// Unwrap gives the error that a transform returned, if that was the reason.
func (e *Error) Unwrap() error { return e.cause }

// What is NULL after a call that succeeded.
func failure(raw *C.groot_error) error {
	if raw == nil {
		return nil
	}
	defer C.groot_error_free(raw)
	err := &Error{Status: int(C.groot_error_status(raw)), Text: text(C.groot_error_text(raw))}
	if handle := thrownIn(raw); handle != 0 {
		thrown := cgo.Handle(handle).Value().(thrown)
		if thrown.panicked != nil {
			panic(thrown.panicked)
		}
		err.cause = thrown.err
	}
	issue := C.groot_issue{struct_size: C.sizeof_groot_issue}
	for i := C.size_t(0); C.groot_error_issue(raw, i, &issue) == C.GROOT_OK; i++ {
		err.Issues = append(err.Issues, Issue{
			int(issue.status), text(issue.message), text(issue.path), text(issue.entity),
			text(issue.property)})
	}
	return err
}

func text(borrowed C.groot_string) string {
	return C.GoStringN(borrowed.data, C.int(borrowed.size))
}

func free(text *C.char) { C.free(unsafe.Pointer(text)) }

// Registry has the named functions of a mapping.
type Registry struct{ raw *C.groot_registry }

// NewRegistry makes an empty registry.
func NewRegistry() (*Registry, error) {
	var registry Registry
	var err *C.groot_error
	C.groot_registry_create(&registry.raw, &err)
	return &registry, failure(err)
}

// Close frees the registry; mappings made with it keep what they use.
func (r *Registry) Close() { C.groot_registry_free(r.raw) }

// Transformer registers functions for imports and exports.
func (r *Registry) Transformer(name string, forward, reverse Transform) error {
	return r.set(name, transforms{forward, reverse},
		func(name *C.char, functions C.uintptr_t, err **C.groot_error) {
			C.set_transformer(r.raw, name, functions, err)
		})
}

// EntityMapper registers a function from an object to the name of its entity.
func (r *Registry) EntityMapper(name string, mapper Transform) error {
	return r.set(name, transforms{forward: mapper},
		func(name *C.char, functions C.uintptr_t, err **C.groot_error) {
			C.set_entity_mapper(r.raw, name, functions, err)
		})
}

// DictionaryTransformer registers a function from an object to the one to read instead.
func (r *Registry) DictionaryTransformer(name string, transformer Transform) error {
	return r.set(name, transforms{forward: transformer},
		func(name *C.char, functions C.uintptr_t, err **C.groot_error) {
			C.set_dictionary_transformer(r.raw, name, functions, err)
		})
}

func (r *Registry) set(
	name string, functions transforms, call func(*C.char, C.uintptr_t, **C.groot_error),
) error {
	raw := C.CString(name)
	defer free(raw)
	var err *C.groot_error
	call(raw, C.uintptr_t(cgo.NewHandle(functions)), &err)
	return failure(err)
}

// Context is a graph of objects. One goroutine at a time may use it.
type Context struct{ raw *C.groot_context }

// NewContext makes a context of a model document and the functions that it names.
func NewContext(document string, registry *Registry) (*Context, error) {
	raw := C.CString(document)
	defer free(raw)
	var model *C.groot_model
	var mapping *C.groot_mapping
	var context Context
	var err *C.groot_error
	defer func() { C.groot_model_free(model); C.groot_mapping_free(mapping) }()
	if C.groot_model_create(raw, C.size_t(len(document)), &model, &err) == C.GROOT_OK &&
		C.groot_mapping_create(model, registry.raw, nil, &mapping, &err) == C.GROOT_OK {
		C.groot_context_create(mapping, &context.raw, &err)
	}
	return &context, failure(err)
}

// Close frees the context and its objects.
func (c *Context) Close() { C.groot_context_free(c.raw) }

// Import imports JSON; it gives the object of each record.
func (c *Context) Import(entity, json string) ([]Object, error) {
	name, text := C.CString(entity), C.CString(json)
	defer free(name)
	defer free(text)
	var objects *C.groot_objects
	var err *C.groot_error
	C.groot_import_text(c.raw, name, text, C.size_t(len(json)), nil, &objects, &err)
	return c.take(objects), failure(err)
}

// Count gives the number of objects of an entity.
func (c *Context) Count(entity string) (int, error) {
	name := C.CString(entity)
	defer free(name)
	var count C.size_t
	var err *C.groot_error
	C.groot_context_count(c.raw, name, nil, &count, &err)
	return int(count), failure(err)
}

// Export writes an object as JSON.
func (c *Context) Export(object Object) (string, error) {
	var json C.groot_buffer
	var err *C.groot_error
	C.groot_export_object_text(c.raw, object.id, nil, &json, &err)
	defer C.groot_buffer_free(&json)
	return C.GoStringN(json.data, C.int(json.size)), failure(err)
}

func (c *Context) take(raw *C.groot_objects) []Object {
	defer C.groot_objects_free(raw)
	objects := make([]Object, C.groot_objects_count(raw))
	for i := range objects {
		objects[i] = Object{c, C.groot_objects_at(raw, C.size_t(i))}
	}
	return objects
}

// Object is an object of a context; == tells whether two are the same.
type Object struct {
	context *Context
	id      C.groot_object_id
}

// Entity gives the name of the object's entity.
func (o Object) Entity() (string, error) {
	var entity C.groot_string
	var err *C.groot_error
	C.groot_object_entity(o.context.raw, o.id, &entity, &err)
	return text(entity), failure(err)
}

// Get reads an attribute or a to-one relationship: nil, or an int64, a float64, a bool, an Object,
// and a string for all else.
func (o Object) Get(name string) (any, error) {
	property, err := o.property(name)
	if err != nil {
		return nil, err
	}
	var value C.groot_value
	var raw *C.groot_error
	C.groot_object_get(o.context.raw, o.id, property, &value, &raw)
	switch value.kind {
	case C.GROOT_VALUE_NULL:
		return nil, failure(raw)
	case C.GROOT_VALUE_INTEGER, C.GROOT_VALUE_DATE, C.GROOT_VALUE_DAY:
		return int64(C.value_integer(&value)), nil
	case C.GROOT_VALUE_BOOLEAN:
		return C.value_integer(&value) != 0, nil
	case C.GROOT_VALUE_REAL:
		return float64(C.value_real(&value)), nil
	case C.GROOT_VALUE_OBJECT:
		return Object{o.context, C.value_object(&value)}, nil
	default:
		return text(C.value_text(&value)), nil
	}
}

// Members gives the members of a to-many relationship, in its order.
func (o Object) Members(name string) ([]Object, error) {
	property, err := o.property(name)
	if err != nil {
		return nil, err
	}
	var members *C.groot_objects
	var raw *C.groot_error
	C.groot_object_members(o.context.raw, o.id, property, &members, &raw)
	return o.context.take(members), failure(raw)
}

func (o Object) property(name string) (property C.groot_property, err error) {
	text := C.CString(name)
	defer free(text)
	var raw *C.groot_error
	C.groot_object_property(o.context.raw, o.id, text, &property, &raw)
	return property, failure(raw)
}
