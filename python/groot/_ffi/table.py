"""The functions of groot.h, and those of jansson that callbacks need."""

# Function, result, parameters. Those with a mark are short and keep the interpreter's lock, so that
# no other Python thread runs meanwhile; all others release it. Those marked `?` do not check their
# arguments, which would cost more than the rest of the call: pass instances of ctypes types, None
# for NULL, and an int only for a 32-bit one.
TABLE = """
groot_version chars
groot_abi_version int32
groot_version_number int32
groot_status_name chars status
groot_error_status status error
groot_error_text string error
groot_error_issue_count size error
groot_error_issue status error size issue*
groot_error_free nothing error
groot_buffer_free nothing buffer*
groot_model_create status text model* error*
groot_model_create_json status json model* error*
groot_model_document status model json* error*
groot_model_free nothing model
groot_failure_set! nothing address text
groot_registry_create status registry* error*
groot_registry_set_transformer status registry text transform transform address destroy error*
groot_registry_set_entity_mapper status registry text transform address destroy error*
groot_registry_set_dictionary_transformer status registry text transform address destroy error*
groot_registry_set_builtin status registry text text error*
groot_registry_builtins json
groot_registry_remove status registry text error*
groot_registry_free nothing registry
groot_mapping_create status model registry chars json mapping* error*
groot_mapping_warnings status mapping json* error*
groot_mapping_free nothing mapping
groot_context_create status mapping context* error*
groot_store_open status mapping chars json context* error*
groot_context_free nothing context
groot_context_save status context error*
groot_context_conflicts status context json* error*
groot_context_rollback status context error*
groot_context_refresh status context error*
groot_context_cancel! nothing context
groot_context_changes status context json* error*
groot_context_check status context error*
groot_object_insert! status context text object* error*
groot_object_delete status context object error*
groot_object_status? status context object
groot_object_entity? status context object string* error*
groot_context_property! status context text text property* error*
groot_object_property! status context object text property* error*
groot_object_get? status context object property value* error*
groot_object_integer? int64 context half half property
groot_object_real? double context half half property
groot_object_text? chars context half half property
groot_object_kind? int32 context half half property
groot_object_set? status context object property value* error*
groot_objects_count? size objects
groot_objects_data? object* objects
groot_objects_at! object objects size
groot_objects_free nothing objects
groot_object_members? status context object property objects* error*
groot_object_member_count? status context object property size* error*
groot_object_contains? status context object property object int32* error*
groot_object_add? status context object property object error*
groot_object_remove? status context object property object error*
groot_object_set_members? status context object property ids error*
groot_context_fetch status context text json objects* error*
groot_context_count status context text json size* error*
groot_context_distinct status context text text json json* error*
groot_context_aggregate status context text json json* error*
groot_context_column status context text text ids column* error*
groot_column_free nothing column*
groot_context_arrow_stream status context text json ids stream* error*
groot_import_text status context text text import_options objects* error*
groot_import_json status context text json import_options objects* error*
groot_import_begin status context text import_options import* error*
groot_import_write status import text error*
groot_import_finish status import objects* error*
groot_import_cancel nothing import
groot_import_file status context text chars import_options objects* error*
groot_sync_text status context text text sync_options objects* error*
groot_sync_json status context text json sync_options objects* error*
groot_sync_file status context text chars sync_options objects* error*
groot_object_fill_text status context object text import_options error*
groot_object_fill_json status context object json import_options error*
groot_export_object_text status context object export_options buffer* error*
groot_export_object_json status context object export_options json* error*
groot_export_text status context ids export_options buffer* error*
groot_export_json status context ids export_options json* error*
groot_export_write status context ids export_options write address error*
groot_export_file status context ids export_options chars error*
groot_export_fetch_write status context text json export_options write address size* error*
groot_export_fetch_file status context text json export_options chars size* error*
json_string_value? chars json
json_string_length? size json
json_integer_value? int64 json
json_real_value? double json
json_stringn? address text
json_integer? address int64
json_real! address double
json_true! address
json_false! address
json_array! address
json_array_append_new! int32 address address
json_delete nothing address
json_loadb address text size address
json_dumpb size address address size size
"""
