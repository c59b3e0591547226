//! As much of Groot as the tour needs, made safe: handles are freed when they go out of scope,
//! failures are `Result`s, objects cannot outlive their context, and a panic in a transformer
//! passes through the library to whoever called it.

#![allow(dead_code)] // the tour does not read all that an error says

mod c;

use std::any::Any;
use std::ffi::{c_void, CString};
use std::os::raw::c_char;
use std::panic::{catch_unwind, resume_unwind, AssertUnwindSafe};
use std::{fmt, ptr, slice, str};

/// What was found wrong, and where.
#[derive(Debug)]
pub struct Issue {
    pub status: i32,
    pub message: String,
    pub path: String,
    pub entity: String,
    pub property: String,
}

/// The failure of a call, with all its issues.
#[derive(Debug)]
pub struct Error {
    pub status: i32,
    pub text: String,
    pub issues: Vec<Issue>,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for Error {}

pub type Result<T> = std::result::Result<T, Error>;

/// Calls the library, and makes a failure an `Error`, or goes on with the panic that caused it.
fn must(call: impl FnOnce(*mut c::Handle) -> c::Status) -> Result<()> {
    let mut failure = ptr::null_mut();
    let status = call(&mut failure);
    if status == 0 {
        return Ok(());
    }
    unsafe {
        let panic = c::groot_error_exception(failure, drop_panic) as *mut Panic;
        let payload = panic.as_mut().and_then(Option::take);
        let mut error =
            Error { status, text: c::string(c::groot_error_text(failure)), issues: vec![] };
        let mut raw: c::Issue = std::mem::zeroed();
        raw.struct_size = std::mem::size_of::<c::Issue>();
        while c::groot_error_issue(failure, error.issues.len(), &mut raw) == 0 {
            error.issues.push(Issue {
                status: raw.status,
                message: c::string(raw.message),
                path: c::string(raw.path),
                entity: c::string(raw.entity),
                property: c::string(raw.property),
            });
        }
        c::groot_error_free(failure);
        match payload {
            Some(payload) => resume_unwind(payload),
            None => Err(error),
        }
    }
}

/// As `must`, for a call that gives a handle.
fn made(call: impl FnOnce(*mut c::Handle, *mut c::Handle) -> c::Status) -> Result<c::Handle> {
    let mut handle = ptr::null_mut();
    must(|error| call(&mut handle, error))?;
    Ok(handle)
}

fn name(text: &str) -> CString {
    CString::new(text).expect("a name without NUL")
}

/// What a function makes of JSON text: other JSON text, nothing, or the reason why it cannot.
pub type Transformed = std::result::Result<Option<String>, String>;
type Function = Box<dyn Fn(&str) -> Transformed + Send + Sync>;

/// The function for imports and the one for exports.
struct Functions(Function, Option<Function>);

type Panic = Option<Box<dyn Any + Send>>;

// By its address a panic is known to be of this binding, so it is not an instance of the other one.
unsafe extern "C" fn drop_panic(pointer: *mut c_void) {
    drop(Box::from_raw(pointer as *mut Panic));
}

unsafe extern "C" fn destroy<T>(pointer: *mut c_void) {
    drop(Box::from_raw(pointer as *mut T));
}

unsafe extern "C" fn forward(
    functions: *mut c_void,
    value: *const c_char,
    size: usize,
    call: c::Handle,
) -> c::Status {
    run(&(*(functions as *const Functions)).0, value, size, call)
}

unsafe extern "C" fn reverse(
    functions: *mut c_void,
    value: *const c_char,
    size: usize,
    call: c::Handle,
) -> c::Status {
    match &(*(functions as *const Functions)).1 {
        Some(function) => run(function, value, size, call),
        None => 0,
    }
}

/// No panic may leave it: the library carries it instead.
unsafe fn run(
    function: &Function,
    value: *const c_char,
    size: usize,
    call: c::Handle,
) -> c::Status {
    let json = str::from_utf8_unchecked(slice::from_raw_parts(value as *const u8, size));
    match catch_unwind(AssertUnwindSafe(|| function(json))) {
        Ok(Ok(Some(result))) => c::groot_call_set_result(call, result.as_ptr(), result.len()),
        Ok(Ok(None)) => 0,
        Ok(Err(reason)) => {
            c::groot_call_set_message(call, reason.as_ptr(), reason.len());
            65 // GROOT_TRANSFORM_FAILED
        }
        Err(panic) => {
            let kept = Box::into_raw(Box::new(Some(panic)));
            c::groot_call_set_exception(call, kept as *mut c_void, drop_panic);
            65
        }
    }
}

/// Named functions for a mapping.
pub struct Registry(c::Handle);

impl Registry {
    pub fn new() -> Result<Self> {
        made(|registry, error| unsafe { c::groot_registry_create(registry, error) }).map(Self)
    }

    pub fn transformer(
        &mut self,
        named: &str,
        to: impl Fn(&str) -> Transformed + Send + Sync + 'static,
        from: impl Fn(&str) -> Transformed + Send + Sync + 'static,
    ) -> Result<()> {
        let (named, kept) = (name(named), keep(to, Some(Box::new(from))));
        must(|error| unsafe {
            c::groot_registry_set_transformer(
                self.0,
                named.as_ptr(),
                forward,
                Some(reverse),
                kept,
                destroy::<Functions>,
                error,
            )
        })
    }

    pub fn entity_mapper(
        &mut self,
        named: &str,
        mapper: impl Fn(&str) -> Transformed + Send + Sync + 'static,
    ) -> Result<()> {
        let (named, kept) = (name(named), keep(mapper, None));
        must(|error| unsafe {
            c::groot_registry_set_entity_mapper(
                self.0,
                named.as_ptr(),
                forward,
                kept,
                destroy::<Functions>,
                error,
            )
        })
    }

    pub fn dictionary_transformer(
        &mut self,
        named: &str,
        transformer: impl Fn(&str) -> Transformed + Send + Sync + 'static,
    ) -> Result<()> {
        let (named, kept) = (name(named), keep(transformer, None));
        must(|error| unsafe {
            c::groot_registry_set_dictionary_transformer(
                self.0,
                named.as_ptr(),
                forward,
                kept,
                destroy::<Functions>,
                error,
            )
        })
    }
}

/// The library owns it from here on, and gives it to `destroy`.
fn keep(
    to: impl Fn(&str) -> Transformed + Send + Sync + 'static,
    from: Option<Function>,
) -> *mut c_void {
    Box::into_raw(Box::new(Functions(Box::new(to), from))) as *mut c_void
}

impl Drop for Registry {
    fn drop(&mut self) {
        unsafe { c::groot_registry_free(self.0) }
    }
}

/// A graph of objects.
pub struct Context(c::Handle);

impl Context {
    /// Of a model document and the functions that it names.
    pub fn new(document: &str, registry: &Registry) -> Result<Self> {
        let (text, size) = (document.as_ptr(), document.len());
        unsafe {
            let model = made(|model, error| c::groot_model_create(text, size, model, error))?;
            let mapping = made(|mapping, error| {
                c::groot_mapping_create(model, registry.0, ptr::null(), mapping, error)
            });
            c::groot_model_free(model);
            let mapping = mapping?;
            let context = made(|context, error| c::groot_context_create(mapping, context, error));
            c::groot_mapping_free(mapping);
            context.map(Self)
        }
    }

    /// Imports JSON; the object of each record.
    pub fn import(&self, entity: &str, json: &str) -> Result<Vec<Object<'_>>> {
        let entity = name(entity);
        let objects = made(|objects, error| unsafe {
            let (text, size) = (json.as_ptr(), json.len());
            c::groot_import_text(self.0, entity.as_ptr(), text, size, ptr::null(), objects, error)
        })?;
        Ok(self.take(objects))
    }

    pub fn count(&self, entity: &str) -> Result<usize> {
        let (entity, mut count) = (name(entity), 0);
        must(|error| unsafe {
            c::groot_context_count(self.0, entity.as_ptr(), ptr::null(), &mut count, error)
        })?;
        Ok(count)
    }

    fn take(&self, objects: c::Handle) -> Vec<Object<'_>> {
        unsafe {
            let object = |i| Object { context: self, id: c::groot_objects_at(objects, i) };
            let taken = (0..c::groot_objects_count(objects)).map(object).collect();
            c::groot_objects_free(objects);
            taken
        }
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        unsafe { c::groot_context_free(self.0) }
    }
}

/// An object of a context.
#[derive(Clone, Copy)]
pub struct Object<'a> {
    context: &'a Context,
    id: u64,
}

impl PartialEq for Object<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl<'a> Object<'a> {
    pub fn entity(&self) -> Result<String> {
        let mut entity = c::Text { data: ptr::null(), size: 0 };
        must(|error| unsafe {
            c::groot_object_entity(self.context.0, self.id, &mut entity, error)
        })?;
        Ok(unsafe { c::string(entity) })
    }

    /// An attribute that has text.
    pub fn text(&self, named: &str) -> Result<Option<String>> {
        let value = self.get(named)?;
        Ok((value.kind != 0).then(|| unsafe { c::string(value.payload.text) }))
    }

    pub fn integer(&self, named: &str) -> Result<Option<i64>> {
        let value = self.get(named)?;
        Ok((value.kind != 0).then(|| unsafe { value.payload.integer }))
    }

    /// The object of a to-one relationship.
    pub fn to_one(&self, named: &str) -> Result<Option<Object<'a>>> {
        let value = self.get(named)?;
        let object = |id| Object { context: self.context, id };
        Ok((value.kind != 0).then(|| object(unsafe { value.payload.object })))
    }

    pub fn members(&self, named: &str) -> Result<Vec<Object<'a>>> {
        let property = self.property(named)?;
        let members = made(|members, error| unsafe {
            c::groot_object_members(self.context.0, self.id, property, members, error)
        })?;
        Ok(self.context.take(members))
    }

    pub fn export(&self) -> Result<String> {
        let mut text = c::Text { data: ptr::null(), size: 0 };
        must(|error| unsafe {
            c::groot_export_object_text(self.context.0, self.id, ptr::null(), &mut text, error)
        })?;
        unsafe {
            let exported = c::string(text);
            c::groot_buffer_free(&mut text);
            Ok(exported)
        }
    }

    fn get(&self, named: &str) -> Result<c::Value> {
        let property = self.property(named)?;
        let mut value: c::Value = unsafe { std::mem::zeroed() };
        must(|error| unsafe {
            c::groot_object_get(self.context.0, self.id, property, &mut value, error)
        })?;
        Ok(value)
    }

    fn property(&self, named: &str) -> Result<i32> {
        let (named, mut property) = (name(named), -1);
        must(|error| unsafe {
            c::groot_object_property(self.context.0, self.id, named.as_ptr(), &mut property, error)
        })?;
        Ok(property)
    }
}
