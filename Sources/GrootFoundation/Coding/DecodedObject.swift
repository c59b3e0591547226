import Groot

/// An object that is being decoded: its properties, or its identity alone.
final class DecodedObject {
  let id: ObjectID
  let shape: DecodingRun.Shape
  /// How many relationships led here.
  let level: Int
  private let run: DecodingRun
  /// Whether all properties are there, and not only those of the identity.
  private let isWhole: Bool
  private let owner: DecodedObject?

  init(
    run: DecodingRun, id: ObjectID, shape: DecodingRun.Shape, isWhole: Bool, owner: DecodedObject?
  ) {
    self.run = run
    self.id = id
    self.shape = shape
    self.isWhole = isWhole
    level = owner.map { $0.level + 1 } ?? 0
    self.owner = owner
  }

  /// The names of the existing properties.
  var names: [String] { isWhole ? shape.names : shape.identity }

  /// Begins to decode its properties.
  func open() throws { if isWhole { try run.open(self) } }

  /// Whether an object is this one, or one that led here; at most as many as there are levels.
  func isOrIsInside(_ other: ObjectID) -> Bool {
    var next: DecodedObject? = self
    while let object = next {
      if object.id == other { return true }
      next = object.owner
    }
    return false
  }

  /// Whether something identifies the object.
  func hasIdentity() throws -> Bool {
    for name in shape.identity {
      switch shape.properties[name] {
      case .attribute(let number):
        if try !run.context.value(.number(number), of: id).isNull { return true }
      case .toOne(let number):
        if try run.context.target(.number(number), of: id) != nil { return true }
      default: break
      }
    }
    return false
  }

  /// The value of the attribute that identifies the object alone; nil when there is no such.
  func identifier() throws -> Value? {
    guard shape.identity.count == 1,
      case .attribute(let number) = shape.properties[shape.identity[0]]
    else { return nil }
    return try run.context.value(.number(number), of: id)
  }

  /// The value of a property; nil when there is no such property, or it is left out.
  func property(_ name: String) throws -> DecodedNode? {
    guard let property = shape.properties[name], isWhole || shape.identity.contains(name) else {
      return nil
    }
    switch property {
    case .attribute(let number): return .value(try run.context.value(.number(number), of: id))
    case .toOne(let number):
      guard let target = try run.context.target(.number(number), of: id) else {
        return .value(.null)
      }
      return try run.object(target, of: self).map(DecodedNode.object)
    case .toMany(let number):
      var members: [DecodedNode] = []
      for member in try run.context.members(.number(number), of: id) {
        // As in an export, a list is there as a whole or not at all.
        guard let object = try run.object(member, of: self) else { return nil }
        members.append(.object(object))
      }
      return .list(members)
    }
  }
}
