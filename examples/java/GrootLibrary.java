import com.sun.jna.Callback;
import com.sun.jna.Library;
import com.sun.jna.Native;
import com.sun.jna.Pointer;
import com.sun.jna.Structure;
import com.sun.jna.Structure.FieldOrder;
import com.sun.jna.ptr.IntByReference;
import com.sun.jna.ptr.LongByReference;
import com.sun.jna.ptr.PointerByReference;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** The functions of groot.h that the tour needs. A long is a size_t, as on any 64-bit system. */
interface GrootLibrary extends Library {
  GrootLibrary C =
      Native.load(
          "groot", GrootLibrary.class, Map.of(Library.OPTION_STRING_ENCODING, "UTF-8"));

  int TRANSFORM_FAILED = 65;

  /** groot_string and groot_buffer. */
  @FieldOrder({"data", "size"})
  class Text extends Structure {
    public Pointer data;
    public long size;

    /** What a function returns. */
    public static class ByValue extends Text implements Structure.ByValue {}

    @Override
    public String toString() {
      return size == 0 ? "" : new String(data.getByteArray(0, (int) size), StandardCharsets.UTF_8);
    }
  }

  /** groot_issue. */
  @FieldOrder({
    "structSize", "status", "severity", "message", "path", "entity", "property", "line", "column",
    "offset"
  })
  class Issue extends Structure {
    public long structSize;
    public int status;
    public int severity;
    public Text message;
    public Text path;
    public Text entity;
    public Text property;
    public long line;
    public long column;
    public long offset;
  }

  /** groot_transform_function. */
  interface Transform extends Callback {
    int call(Pointer userdata, Pointer value, long size, Pointer call);
  }

  /** groot_destroy_function. */
  interface Destroy extends Callback {
    void call(Pointer data);
  }

  int groot_abi_version();

  Text.ByValue groot_error_text(Pointer error);

  int groot_error_issue(Pointer error, long index, Issue issue);

  Pointer groot_error_exception(Pointer error, Destroy destroy);

  void groot_error_free(Pointer error);

  void groot_buffer_free(Text buffer);

  int groot_model_create(byte[] text, long length, PointerByReference model, PointerByReference e);

  void groot_model_free(Pointer model);

  int groot_call_set_result(Pointer call, byte[] text, long length);

  void groot_call_set_message(Pointer call, byte[] text, long length);

  void groot_call_set_exception(Pointer call, Pointer exception, Destroy destroy);

  int groot_registry_create(PointerByReference registry, PointerByReference e);

  int groot_registry_set_transformer(
      Pointer registry, String name, Transform forward, Transform reverse, Pointer userdata,
      Destroy destroy, PointerByReference e);

  int groot_registry_set_entity_mapper(
      Pointer registry, String name, Transform mapper, Pointer userdata, Destroy destroy,
      PointerByReference e);

  int groot_registry_set_dictionary_transformer(
      Pointer registry, String name, Transform transformer, Pointer userdata, Destroy destroy,
      PointerByReference e);

  void groot_registry_free(Pointer registry);

  int groot_mapping_create(
      Pointer model, Pointer registry, Pointer options, PointerByReference mapping,
      PointerByReference e);

  void groot_mapping_free(Pointer mapping);

  int groot_context_create(Pointer mapping, PointerByReference context, PointerByReference e);

  int groot_context_count(
      Pointer context, String entity, String request, LongByReference count, PointerByReference e);

  void groot_context_free(Pointer context);

  int groot_import_text(
      Pointer context, String entity, byte[] text, long length, Pointer options,
      PointerByReference objects, PointerByReference e);

  int groot_export_object_text(
      Pointer context, long object, Pointer options, Text json, PointerByReference e);

  long groot_objects_count(Pointer objects);

  long groot_objects_at(Pointer objects, long index);

  void groot_objects_free(Pointer objects);

  int groot_object_entity(Pointer context, long object, Text entity, PointerByReference e);

  int groot_object_property(
      Pointer context, long object, String name, IntByReference property, PointerByReference e);

  int groot_object_get(
      Pointer context, long object, int property, Pointer value, PointerByReference e);

  int groot_object_members(
      Pointer context, long object, int property, PointerByReference members, PointerByReference e);
}
