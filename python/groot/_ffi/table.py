"""The functions of groot.h and groot_ffi.h with GROOT_NO_JANSSON."""

# Function, result, parameters. A function with a mark is short and keeps the interpreter's lock, so
# no other Python thread runs meanwhile; the others release it. For a function marked `?`, ctypes
# does not check the arguments, which would cost more than the rest of the call. Its arguments must
# be instances of ctypes types, bytes for text, None for NULL, and int for 32-bit integers only.
TABLE = """
groot_version chars
groot_abi_version int32
groot_version_number int32
groot_status_name chars status
groot_error_status status error
groot_error_text string error
groot_error_issue_count size error
groot_error_issue status error size issue*
groot_error_callback_status status error
groot_error_exception address error destroy
groot_error_free nothing error
groot_buffer_free nothing buffer*
groot_model_create status text model* error*
groot_model_create_file status chars model* error*
groot_model_document status model buffer* error*
groot_model_entity_count? size model
groot_model_entity_number status model chars size* error*
groot_model_entity status model size entity_info* error*
groot_model_property status model size size property_info* error*
groot_model_free nothing model
groot_call_set_result? status call text
groot_call_set_message? nothing call text
groot_call_set_exception! nothing call address destroy
groot_call_userdata! address call
groot_call_entity? string call
groot_call_property? string call
groot_call_path? string call
groot_registry_create status registry* error*
groot_registry_set_transformer status registry chars transform transform address destroy error*
groot_registry_set_batch_transformer status registry chars transform transform address \
destroy error*
groot_registry_set_entity_mapper status registry chars transform address destroy error*
groot_registry_set_dictionary_transformer status registry chars transform address destroy error*
groot_registry_set_builtin status registry chars chars error*
groot_registry_builtins status buffer* error*
groot_registry_remove status registry chars error*
groot_registry_free nothing registry
groot_mapping_options_init nothing mapping_options size
groot_mapping_create status model registry mapping_options mapping* error*
groot_mapping_warnings status mapping buffer* error*
groot_mapping_free nothing mapping
groot_context_create status mapping context* error*
groot_store_options_init nothing store_options size
groot_context_open status mapping chars store_options context* error*
groot_context_free nothing context
groot_context_save status context error*
groot_context_conflicts status context buffer* error*
groot_context_rollback status context error*
groot_context_refresh status context error*
groot_context_cancel! nothing context
groot_context_set_progress? status context progress address error*
groot_context_set_memory_limit! status context uint64 error*
groot_context_memory! status context uint64* error*
groot_context_changes status context buffer* error*
groot_context_note status context chars buffer* error*
groot_context_set_note status context chars chars error*
groot_context_copy_store status context context error*
groot_store_describe status chars half buffer* error*
groot_context_check status context error*
groot_object_insert! status context chars object* error*
groot_object_delete status context object error*
groot_object_status? status context object
groot_object_entity? status context object string* error*
groot_context_property! status context chars chars property* error*
groot_object_property! status context object chars property* error*
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
groot_context_fetch status context chars chars objects* error*
groot_context_count status context chars chars size* error*
groot_context_distinct status context chars chars chars buffer* error*
groot_context_aggregate status context chars chars buffer* error*
groot_context_column status context chars chars ids column* error*
groot_column_free nothing column*
groot_context_row_keys status context ids int64* error*
groot_context_arrow_stream status context chars chars ids arrow* error*
groot_arrow_table status columns arrow* error*
groot_arrow_capsule_destructor! address
groot_text_units! size address size half address size*
groot_import_options_init nothing import_options size
groot_import_text status context chars text import_options objects* error*
groot_import_file status context chars chars import_options objects* error*
groot_stream_begin status context chars import_options stream* error*
groot_stream_write status stream text error*
groot_stream_finish status stream objects* error*
groot_stream_cancel nothing stream
groot_sync_options_init nothing sync_options size
groot_sync_text status context chars text sync_options objects* error*
groot_sync_file status context chars chars sync_options objects* error*
groot_object_fill_text status context object text import_options error*
groot_export_options_init nothing export_options size
groot_export_object_text status context object export_options buffer* error*
groot_export_object_write status context object export_options write address error*
groot_export_object_file status context object export_options chars error*
groot_export_objects_text status context ids export_options buffer* error*
groot_export_objects_write status context ids export_options write address error*
groot_export_objects_file status context ids export_options chars error*
groot_export_fetch_text status context chars chars export_options buffer* error*
groot_export_fetch_write status context chars chars export_options write address error*
groot_export_fetch_file status context chars chars export_options chars error*
groot_export_document_text status context export_options buffer* error*
groot_export_document_write status context export_options write address error*
groot_export_document_file status context export_options chars error*
"""
