import Groot

/// The target of an opaque pointer of the C interface.
///
/// The first stored property is the kind, which allows the refusal of a handle of the wrong kind.
class Handle {
  /// The kind of handle, with numbers that are unlikely in other memory.
  enum Kind: UInt64 {
    case error = 0x4752_4F4F_5401
    case model = 0x4752_4F4F_5402
    case registry = 0x4752_4F4F_5403
    case mapping = 0x4752_4F4F_5404
    case context = 0x4752_4F4F_5405
    case objects = 0x4752_4F4F_5406
    case call = 0x4752_4F4F_5407
    case stream = 0x4752_4F4F_5408
  }

  let kind: Kind.RawValue

  init(_ kind: Kind) { self.kind = kind.rawValue }

  /// Returns a pointer that owns the handle.
  func retained() -> OpaquePointer { OpaquePointer(Unmanaged.passRetained(self).toOpaque()) }

  /// Returns the handle at a pointer; nil for NULL and for a handle of another kind.
  @inline(__always)
  static func from<Wanted: Handle>(
    _ pointer: OpaquePointer?, kind: Kind, as: Wanted.Type
  ) -> Wanted? {
    guard let pointer else { return nil }
    let handle = Unmanaged<Handle>.fromOpaque(UnsafeRawPointer(pointer)).takeUnretainedValue()
    guard handle.kind == kind.rawValue else { return nil }
    return unsafeDowncast(handle, to: Wanted.self)
  }

  /// Releases the pointer's ownership; ignores NULL and a handle of another kind.
  static func release(_ pointer: OpaquePointer?, kind: Kind) {
    guard let pointer else { return }
    let handle = Unmanaged<Handle>.fromOpaque(UnsafeRawPointer(pointer))
    guard handle.takeUnretainedValue().kind == kind.rawValue else { return }
    handle.release()
  }
}

final class ModelHandle: Handle {
  let model: ManagedObjectModel
  /// The names of entities, at fixed addresses.
  let entityNames: [CText]
  /// The names of properties by hierarchy, at fixed addresses.
  let propertyNames: [[CText]]
  /// The listed values of attributes as JSON, by hierarchy and property.
  let values: [[Int]: CText]

  init(_ model: ManagedObjectModel) {
    self.model = model
    entityNames = model.entities.map { CText($0.name) }
    propertyNames = model.propertyNames.map { $0.map { CText($0) } }
    values = Dictionary(
      model.listedValues.map { ([$0.hierarchy, $0.property], CText($0.json.description)) },
      uniquingKeysWith: { first, _ in first })
    super.init(.model)
  }

  deinit {
    for name in entityNames { name.deallocate() }
    for name in propertyNames.joined() { name.deallocate() }
    for text in values.values { text.deallocate() }
  }

  static func from(_ pointer: OpaquePointer?) throws -> ModelHandle {
    guard let handle = from(pointer, kind: .model, as: ModelHandle.self) else {
      throw notA("groot_model")
    }
    return handle
  }
}

final class RegistryHandle: Handle {
  private var registry = TransformerRegistry()
  /// Set while a call uses the registry, so that other threads and destroy callbacks cannot use it.
  private let use = AtomicFlag()

  init() { super.init(.registry) }

  func exclusively<Result>(_ body: (inout TransformerRegistry) throws -> Result) throws -> Result {
    guard use.claim() else {
      throw GrootError(.busy, "another thread, or the call that is calling back, uses the registry")
    }
    defer { use.clear() }
    return try body(&registry)
  }

  static func from(_ pointer: OpaquePointer?) throws -> RegistryHandle {
    guard let handle = from(pointer, kind: .registry, as: RegistryHandle.self) else {
      throw notA("groot_registry")
    }
    return handle
  }
}

final class MappingHandle: Handle {
  let mapping: Mapping

  init(_ mapping: Mapping) {
    self.mapping = mapping
    super.init(.mapping)
  }

  static func from(_ pointer: OpaquePointer?) throws -> MappingHandle {
    guard let handle = from(pointer, kind: .mapping, as: MappingHandle.self) else {
      throw notA("groot_mapping")
    }
    return handle
  }
}

final class ContextHandle: Handle {
  let context: ManagedObjectContext
  /// A ring of buffers for the texts of decimals and UUIDs.
  private let madeTexts: UnsafeMutablePointer<UInt8>
  private var madeTextCount = 0
  static let madeTextsKept = 64
  /// The buffer for the text of the fast path, which is short and followed by a NUL.
  let shortText: UnsafeMutablePointer<UInt8>
  static let shortTextSize = 256
  /// The names of entities, at fixed addresses.
  private var names: NameMap<CText> = [:]

  init(_ context: ManagedObjectContext) {
    self.context = context
    madeTexts = .allocate(
      capacity: ManagedObjectContext.readingScratchSize * Self.madeTextsKept)
    shortText = .allocate(capacity: Self.shortTextSize)
    super.init(.context)
  }

  deinit {
    madeTexts.deallocate()
    shortText.deallocate()
    for (_, text) in names { text.deallocate() }
  }

  /// Returns a buffer for one more text, valid until `madeTextsKept` more texts are made.
  func nextText() -> UnsafeMutablePointer<UInt8> {
    madeTextCount = (madeTextCount + 1) % Self.madeTextsKept
    return madeTexts + madeTextCount * ManagedObjectContext.readingScratchSize
  }

  func name(_ name: String) -> CText {
    if let text = names[name] { return text }
    let text = CText(name)
    names[name] = text
    return text
  }

  @inline(__always)
  static func from(_ pointer: OpaquePointer?) throws -> ContextHandle {
    guard let handle = from(pointer, kind: .context, as: ContextHandle.self) else {
      throw notA("groot_context")
    }
    return handle
  }
}

/// Memory for object ids that outlives the call, since pointers into a Swift array do not.
final class ObjectsRoom {
  fileprivate private(set) var start: UnsafeMutablePointer<UInt64>?
  private var capacity = 0

  deinit { CLibrary.release(start) }

  /// Reserves memory for `count` ids.
  ///
  /// - Throws: ``Status/outOfMemory``.
  func reserve(_ count: Int) throws {
    guard start == nil || count > capacity else { return }
    let size = max(count, 1) * MemoryLayout<UInt64>.stride
    guard let block = CLibrary.allocate(size) else { throw MemoryAccount.outOfMemory }
    CLibrary.release(start)
    start = block.bindMemory(to: UInt64.self, capacity: count)
    capacity = count
  }
}

final class ObjectsHandle: Handle {
  private let room: ObjectsRoom
  let objects: UnsafeBufferPointer<UInt64>

  /// Makes a handle of these objects, in the given room or in new room.
  init(_ ids: [ObjectID], in room: ObjectsRoom = ObjectsRoom()) throws {
    try room.reserve(ids.count)
    self.room = room
    let copy = UnsafeMutableBufferPointer(start: room.start, count: ids.count)
    _ = copy.initialize(from: ids.lazy.map(\.rawValue))
    objects = UnsafeBufferPointer(copy)
    super.init(.objects)
  }

  static func from(_ pointer: OpaquePointer?) -> ObjectsHandle? {
    from(pointer, kind: .objects, as: ObjectsHandle.self)
  }
}

func notA(_ name: String) -> GrootError {
  GrootError(.invalidArgument, "a \(name) is needed; NULL or a handle of another kind was given")
}
