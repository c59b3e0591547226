package groot

/*
#cgo pkg-config: groot
#cgo CFLAGS: -DGROOT_NO_JANSSON
#include <groot.h>

typedef const char const_char; // what cgo writes of a const char * has no const

void groot_go_delete(uintptr_t handle);
static inline void delete_thrown(void *thrown) { groot_go_delete((uintptr_t)thrown); }
static inline void set_thrown(groot_call *call, uintptr_t handle) {
  groot_call_set_exception(call, (void *)handle, delete_thrown);
}
static inline uintptr_t error_thrown(const groot_error *error) {
  return (uintptr_t)groot_error_exception(error, delete_thrown);
}
*/
import "C"

import (
	"fmt"
	"runtime/cgo"
	"unsafe"
)

// Transform makes other JSON of a JSON value; nil JSON is nothing. Its error can be found in the
// error of the call that led to it, by errors.Is and errors.As. A panic goes on there.
type Transform func(json []byte) ([]byte, error)

// What the library keeps of functions: a handle to these, deleted by groot_go_delete.
// A handle is a small number, which must never be in a pointer of Go: C turns one into the other.
type transforms struct{ forward, reverse Transform }

// What a transform left, for the caller of the library.
type thrown struct {
	err      error
	panicked any
}

// The handle of what a transform left for the caller of the library; 0 when it left nothing.
func thrownIn(failure *C.groot_error) C.uintptr_t { return C.error_thrown(failure) }

//export groot_go_forward
func groot_go_forward(
	functions C.uintptr_t, value *C.const_char, size C.size_t, call *C.groot_call,
) C.groot_status {
	return run(cgo.Handle(functions).Value().(transforms).forward, value, size, call)
}

//export groot_go_reverse
func groot_go_reverse(
	functions C.uintptr_t, value *C.const_char, size C.size_t, call *C.groot_call,
) C.groot_status {
	return run(cgo.Handle(functions).Value().(transforms).reverse, value, size, call)
}

//export groot_go_delete
func groot_go_delete(handle C.uintptr_t) { cgo.Handle(handle).Delete() }

// No panic may leave it: the library carries it instead.
func run(
	transform Transform, value *C.const_char, size C.size_t, call *C.groot_call,
) (status C.groot_status) {
	defer func() {
		if panicked := recover(); panicked != nil {
			status = fail(call, thrown{panicked: panicked}, fmt.Sprint(panicked))
		}
	}()
	result, err := transform(C.GoBytes(unsafe.Pointer(value), C.int(size)))
	if err != nil {
		return fail(call, thrown{err: err}, err.Error())
	}
	if result == nil {
		return C.GROOT_OK
	}
	text := (*C.char)(C.CBytes(result))
	defer free(text)
	return C.groot_call_set_result(call, text, C.size_t(len(result)))
}

func fail(call *C.groot_call, left thrown, message string) C.groot_status {
	text := C.CString(message)
	defer free(text)
	C.groot_call_set_message(call, text, C.size_t(len(message)))
	C.set_thrown(call, C.uintptr_t(cgo.NewHandle(left)))
	return C.GROOT_TRANSFORM_FAILED
}
