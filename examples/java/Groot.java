import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import com.sun.jna.ptr.IntByReference;
import com.sun.jna.ptr.LongByReference;
import com.sun.jna.ptr.PointerByReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToIntFunction;
import java.util.function.UnaryOperator;

/** As much of Groot as the tour needs. What is AutoCloseable must be closed. */
final class Groot {
  private Groot() {}

  private static final GrootLibrary C = GrootLibrary.C;

  static {
    if (C.groot_abi_version() < 1) throw new LinkageError("this libgroot is older than 0.1");
  }

  /** One thing that was found wrong. */
  record Issue(int status, String message, String path, String entity, String property) {}

  /** The failure of a call, with all its issues. */
  static final class Failure extends RuntimeException {
    private static final long serialVersionUID = 1;
    final int status;
    final transient List<Issue> issues;

    Failure(int status, String text, List<Issue> issues) {
      super(text);
      this.status = status;
      this.issues = List.copyOf(issues);
    }
  }

  /** What transformers threw, until the error that carries it is freed. */
  private static final Map<Long, Throwable> THROWN = new ConcurrentHashMap<>();

  private static final AtomicLong LAST_THROWN = new AtomicLong();
  private static final GrootLibrary.Destroy FORGET = key -> THROWN.remove(Pointer.nativeValue(key));

  /** Calls the library; a failure is thrown, or else what a transformer threw. */
  private static void call(ToIntFunction<PointerByReference> function) {
    PointerByReference error = new PointerByReference();
    int status = function.applyAsInt(error);
    if (status == 0) return;
    Pointer failure = error.getValue();
    try {
      Pointer key = C.groot_error_exception(failure, FORGET);
      if (key != null) Groot.<RuntimeException>rethrow(THROWN.get(Pointer.nativeValue(key)));
      List<Issue> issues = new ArrayList<>();
      GrootLibrary.Issue raw = new GrootLibrary.Issue();
      raw.structSize = raw.size();
      while (C.groot_error_issue(failure, issues.size(), raw) == 0) {
        issues.add(
            new Issue(
                raw.status, raw.message.toString(), raw.path.toString(), raw.entity.toString(),
                raw.property.toString()));
      }
      throw new Failure(status, C.groot_error_text(failure).toString(), issues);
    } finally {
      C.groot_error_free(failure);
    }
  }

  /** A checked exception, too, without a word about it. */
  @SuppressWarnings("unchecked")
  private static <T extends Throwable> void rethrow(Throwable thrown) throws T {
    throw (T) thrown;
  }

  private interface Maker {
    int make(PointerByReference made, PointerByReference error);
  }

  private static Pointer make(Maker maker) {
    PointerByReference made = new PointerByReference();
    call(error -> maker.make(made, error));
    return made.getValue();
  }

  /** Named functions from one JSON text to another; null is nothing. */
  static final class Registry implements AutoCloseable {
    private final Pointer raw = make(C::groot_registry_create);
    private final List<GrootLibrary.Transform> functions = new ArrayList<>();

    void transformer(String name, UnaryOperator<String> forward, UnaryOperator<String> reverse) {
      GrootLibrary.Transform to = keep(forward), from = keep(reverse);
      call(e -> C.groot_registry_set_transformer(raw, name, to, from, null, null, e));
    }

    void entityMapper(String name, UnaryOperator<String> mapper) {
      GrootLibrary.Transform kept = keep(mapper);
      call(e -> C.groot_registry_set_entity_mapper(raw, name, kept, null, null, e));
    }

    void dictionaryTransformer(String name, UnaryOperator<String> transformer) {
      GrootLibrary.Transform kept = keep(transformer);
      call(e -> C.groot_registry_set_dictionary_transformer(raw, name, kept, null, null, e));
    }

    /** They must be reachable for as long as the library may call them; a context sees to it. */
    private GrootLibrary.Transform keep(UnaryOperator<String> function) {
      GrootLibrary.Transform kept = (data, value, size, call) -> run(function, value, size, call);
      functions.add(kept);
      return kept;
    }

    private static int run(UnaryOperator<String> function, Pointer value, long size, Pointer call) {
      try {
        String result = function.apply(new String(value.getByteArray(0, (int) size), UTF_8));
        if (result == null) return 0;
        byte[] bytes = result.getBytes(UTF_8);
        return C.groot_call_set_result(call, bytes, bytes.length);
      } catch (Throwable thrown) { // nothing may be thrown through the library: it is carried
        long key = LAST_THROWN.incrementAndGet();
        THROWN.put(key, thrown);
        byte[] message = thrown.toString().getBytes(UTF_8);
        C.groot_call_set_message(call, message, message.length);
        C.groot_call_set_exception(call, new Pointer(key), FORGET);
        return GrootLibrary.TRANSFORM_FAILED;
      }
    }

    @Override
    public void close() {
      C.groot_registry_free(raw);
    }
  }

  /** A graph of objects. One thread at a time may use it. */
  static final class Context implements AutoCloseable {
    private final Pointer raw;
    private final Registry registry; // keeps its functions reachable

    /** Of a model document and the functions that it names. */
    Context(String document, Registry registry) {
      this.registry = registry;
      byte[] text = document.getBytes(UTF_8);
      Pointer model = make((made, e) -> C.groot_model_create(text, text.length, made, e));
      try {
        Pointer mapping =
            make((made, e) -> C.groot_mapping_create(model, registry.raw, null, made, e));
        try {
          raw = make((made, e) -> C.groot_context_create(mapping, made, e));
        } finally {
          C.groot_mapping_free(mapping);
        }
      } finally {
        C.groot_model_free(model);
      }
    }

    /** Imports JSON; the object of each record. */
    List<Obj> load(String entity, String json) {
      byte[] text = json.getBytes(UTF_8);
      return take(
          make((made, e) -> C.groot_import_text(raw, entity, text, text.length, null, made, e)));
    }

    long count(String entity) {
      LongByReference count = new LongByReference();
      call(e -> C.groot_context_count(raw, entity, null, count, e));
      return count.getValue();
    }

    private List<Obj> take(Pointer objects) {
      List<Obj> taken = new ArrayList<>();
      for (long i = 0; i < C.groot_objects_count(objects); i++)
        taken.add(new Obj(this, C.groot_objects_at(objects, i)));
      C.groot_objects_free(objects);
      return taken;
    }

    @Override
    public void close() {
      C.groot_context_free(raw);
    }
  }

  /** An object of a context; equal to another when it is the same. */
  record Obj(Context context, long id) {
    String entity() {
      GrootLibrary.Text entity = new GrootLibrary.Text();
      call(e -> C.groot_object_entity(context.raw, id, entity, e));
      return entity.toString();
    }

    /** An attribute that has text; empty where it has no value. */
    Optional<String> text(String name) {
      Memory value = get(name);
      if (value.getInt(0) == 0) return Optional.empty();
      int size = (int) value.getLong(16);
      return Optional.of(
          size == 0 ? "" : new String(value.getPointer(8).getByteArray(0, size), UTF_8));
    }

    /** An attribute that is a whole number; empty where it has no value. */
    Optional<Long> integer(String name) {
      Memory value = get(name);
      return value.getInt(0) == 0 ? Optional.empty() : Optional.of(value.getLong(8));
    }

    /** The object of a to-one relationship. */
    Optional<Obj> toOne(String name) {
      return integer(name).map(object -> new Obj(context, object));
    }

    /** The members of a to-many relationship, in its order. */
    List<Obj> members(String name) {
      int property = property(name);
      return context.take(
          make((made, e) -> C.groot_object_members(context.raw, id, property, made, e)));
    }

    /** The object as JSON text. */
    String export() {
      GrootLibrary.Text json = new GrootLibrary.Text();
      call(e -> C.groot_export_object_text(context.raw, id, null, json, e));
      String text = json.toString();
      C.groot_buffer_free(json);
      return text;
    }

    /** A groot_value: its kind at 0, what it is at 8. */
    private Memory get(String name) {
      int property = property(name);
      Memory value = new Memory(24);
      call(e -> C.groot_object_get(context.raw, id, property, value, e));
      return value;
    }

    private int property(String name) {
      IntByReference property = new IntByReference();
      call(e -> C.groot_object_property(context.raw, id, name, property, e));
      return property.getValue();
    }
  }
}
