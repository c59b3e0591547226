//! The functions of groot.h that the tour needs. Every handle is a pointer to something that only
//! the library knows.

use std::ffi::c_void;
use std::os::raw::c_char;
use std::slice;

pub type Handle = *mut c_void;
pub type Status = i32;
pub type Transform = unsafe extern "C" fn(*mut c_void, *const c_char, usize, Handle) -> Status;
pub type Destroy = unsafe extern "C" fn(*mut c_void);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Text {
    pub data: *const u8,
    pub size: usize,
}

#[repr(C)]
pub struct Issue {
    pub struct_size: usize,
    pub status: Status,
    pub severity: i32,
    pub message: Text,
    pub path: Text,
    pub entity: Text,
    pub property: Text,
    pub line: i64,
    pub column: i64,
    pub offset: i64,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub union Payload {
    pub integer: i64,
    pub real: f64,
    pub text: Text,
    pub object: u64,
}

#[repr(C)]
pub struct Value {
    pub kind: i32,
    pub reserved: i32,
    pub payload: Payload,
}

#[link(name = "groot")]
extern "C" {
    pub fn groot_error_text(error: Handle) -> Text;
    pub fn groot_error_issue(error: Handle, index: usize, issue: *mut Issue) -> Status;
    pub fn groot_error_exception(error: Handle, destroy: Destroy) -> *mut c_void;
    pub fn groot_error_free(error: Handle);
    pub fn groot_buffer_free(buffer: *mut Text);
    pub fn groot_model_create(
        text: *const u8,
        length: usize,
        model: *mut Handle,
        error: *mut Handle,
    ) -> Status;
    pub fn groot_model_free(model: Handle);
    pub fn groot_call_set_result(call: Handle, text: *const u8, length: usize) -> Status;
    pub fn groot_call_set_message(call: Handle, text: *const u8, length: usize);
    pub fn groot_call_set_exception(call: Handle, exception: *mut c_void, destroy: Destroy);
    pub fn groot_registry_create(registry: *mut Handle, error: *mut Handle) -> Status;
    pub fn groot_registry_set_transformer(
        registry: Handle,
        name: *const c_char,
        forward: Transform,
        reverse: Option<Transform>,
        userdata: *mut c_void,
        destroy: Destroy,
        error: *mut Handle,
    ) -> Status;
    pub fn groot_registry_set_entity_mapper(
        registry: Handle,
        name: *const c_char,
        mapper: Transform,
        userdata: *mut c_void,
        destroy: Destroy,
        error: *mut Handle,
    ) -> Status;
    pub fn groot_registry_set_dictionary_transformer(
        registry: Handle,
        name: *const c_char,
        transformer: Transform,
        userdata: *mut c_void,
        destroy: Destroy,
        error: *mut Handle,
    ) -> Status;
    pub fn groot_registry_free(registry: Handle);
    pub fn groot_mapping_create(
        model: Handle,
        registry: Handle,
        options: *const c_void,
        mapping: *mut Handle,
        error: *mut Handle,
    ) -> Status;
    pub fn groot_mapping_free(mapping: Handle);
    pub fn groot_context_create(
        mapping: Handle,
        context: *mut Handle,
        error: *mut Handle,
    ) -> Status;
    pub fn groot_context_count(
        context: Handle,
        entity: *const c_char,
        request: *const c_char,
        count: *mut usize,
        error: *mut Handle,
    ) -> Status;
    pub fn groot_context_free(context: Handle);
    pub fn groot_object_entity(
        context: Handle,
        object: u64,
        entity: *mut Text,
        error: *mut Handle,
    ) -> Status;
    pub fn groot_object_property(
        context: Handle,
        object: u64,
        name: *const c_char,
        property: *mut i32,
        error: *mut Handle,
    ) -> Status;
    pub fn groot_object_get(
        context: Handle,
        object: u64,
        property: i32,
        value: *mut Value,
        error: *mut Handle,
    ) -> Status;
    pub fn groot_object_members(
        context: Handle,
        object: u64,
        property: i32,
        members: *mut Handle,
        error: *mut Handle,
    ) -> Status;
    pub fn groot_objects_count(objects: Handle) -> usize;
    pub fn groot_objects_at(objects: Handle, index: usize) -> u64;
    pub fn groot_objects_free(objects: Handle);
    pub fn groot_import_text(
        context: Handle,
        entity: *const c_char,
        text: *const u8,
        length: usize,
        options: *const c_void,
        objects: *mut Handle,
        error: *mut Handle,
    ) -> Status;
    pub fn groot_export_object_text(
        context: Handle,
        object: u64,
        options: *const c_void,
        text: *mut Text,
        error: *mut Handle,
    ) -> Status;
}

pub unsafe fn string(text: Text) -> String {
    if text.data.is_null() {
        return String::new();
    }
    String::from_utf8_lossy(slice::from_raw_parts(text.data, text.size)).into_owned()
}
