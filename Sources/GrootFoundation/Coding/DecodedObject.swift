import Groot

/// An object that is being decoded, with all properties or only its identity.
final class DecodedObject {
  let id: ObjectID
  let shape: DecodingRun.Shape
  /// The number of relationships that led to the object.
  let level: Int
  private let run: DecodingRun
  /// Whether all properties are decoded, and not only the identity.
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

  /// The names of the decoded properties.
  var names: [String] { isWhole ? shape.names : shape.identity }

  /// Begins to decode the properties.
  func open() throws { if isWhole { try run.open(self) } }

  /// Returns whether an object is this object or one of its owners; linear in the levels.
  func isOrIsInside(_ other: ObjectID) -> Bool {
    var next: DecodedObject? = self
    while let object = next {
      if object.id == other { return true }
      next = object.owner
    }
    return false
  }

  /// Returns whether the object has an identity.
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

  /// Returns the object's identifier; nil when its identity is not one attribute.
  func identifier() throws -> Value? {
    guard shape.identity.count == 1,
      case .attribute(let number) = shape.properties[shape.identity[0]]
    else { return nil }
    return try run.context.value(.number(number), of: id)
  }

  /// Returns the value of a property; nil for a missing property and for one that is left out.
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
        // As in an export, a list is decoded as a whole or left out.
        guard let object = try run.object(member, of: self) else { return nil }
        members.append(.object(object))
      }
      return .list(members)
    }
  }
}
