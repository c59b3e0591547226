import Groot

/// The common state of all decoders of one object.
final class DecodingRun {
  /// The properties of the objects of an entity.
  final class Shape {
    /// A property of one of the kinds.
    enum Property {
      case attribute(Int32)
      case toOne(Int32)
      case toMany(Int32)
    }

    let entity: String
    /// The properties' names in the order of the model.
    private(set) var names: [String] = []
    private(set) var properties: NameMap<Property> = [:]
    /// The names of the properties that identify objects.
    let identity: [String]

    init(of entity: String, in context: ManagedObjectContext) throws {
      self.entity = entity
      identity = try context.identity(of: entity)
      let number = try context.model.entityNumber(entity)
      while let property = context.model.reflection(ofProperty: names.count, ofEntity: number) {
        names.append(property.name)
        properties[property.name] =
          if property.type != nil {
            .attribute(property.number)
          } else {
            property.isToMany ? .toMany(property.number) : .toOne(property.number)
          }
      }
    }
  }

  /// The greatest number of levels: each uses the thread's stack, which has at least 512 KiB.
  static let maximumLevels = 128
  /// The greatest number of repeated objects; more look like an endless graph.
  static let maximumRepeats = 100_000

  let context: ManagedObjectContext
  /// The number of steps along relationships with objects in full; nil means no limit.
  private let depth: Int?
  private var shapes: NameMap<Shape> = [:]
  private var seen: Set<ObjectID> = []
  private var repeats = 0

  init(_ context: ManagedObjectContext, depth: Int?) {
    self.context = context
    self.depth = depth
  }

  /// Begins the next of several objects.
  func begin(_ id: ObjectID) throws -> DecodedObject {
    seen = []
    repeats = 0
    return DecodedObject(run: self, id: id, shape: try shape(of: id), isWhole: true, owner: nil)
  }

  /// Returns an object; nil if it must not be decoded in full and has no identity.
  ///
  /// - Parameter owner: The object that has a relationship to it.
  func object(_ id: ObjectID, of owner: DecodedObject) throws -> DecodedObject? {
    let isWhole = owner.level < depth ?? .max && !owner.isOrIsInside(id)
    let object = DecodedObject(
      run: self, id: id, shape: try shape(of: id), isWhole: isWhole, owner: owner)
    return try isWhole || object.hasIdentity() ? object : nil
  }

  /// Counts an object that is decoded with its properties.
  ///
  /// - Throws: ``Status/limitExceeded`` when the nesting seems endless.
  func open(_ object: DecodedObject) throws {
    if seen.insert(object.id).inserted { return }
    repeats += 1
    guard repeats > Self.maximumRepeats else { return }
    throw GrootError(
      .limitExceeded,
      "objects are decoded again more than \(Self.maximumRepeats) times; limit the depth",
      entity: object.shape.entity)
  }

  private func shape(of object: ObjectID) throws -> Shape {
    let entity = try context.entity(of: object).name
    if let shape = shapes[entity] { return shape }
    let shape = try Shape(of: entity, in: context)
    shapes[entity] = shape
    return shape
  }
}
