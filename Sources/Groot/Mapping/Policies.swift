/// What the engine does where JSON and model do not simply agree; data, chosen by a dialect.
struct Policies: Hashable, Sendable {
  /// The property's key is not there.
  enum Missing: UInt8, Sendable {
    /// The value stays; a new object has its default.
    case keep
    /// The value is removed.
    case clear
  }

  /// The value is null.
  enum Null: UInt8, Sendable {
    /// The value, or the members, are removed.
    case clear
    /// The value stays.
    case keep
  }

  /// One value stands where an array belongs.
  enum Shape: UInt8, Sendable {
    case error
    /// It counts as an array of one.
    case box
  }

  /// How the members of a to-many become what the JSON lists.
  enum Assignment: UInt8, Sendable {
    /// They are exactly those listed.
    case replace
    /// Those listed are added.
    case union
  }

  /// An identifier names an object that is not there.
  enum UnknownIdentifier: UInt8, Sendable {
    /// An object that has just its identity is made; a later import fills it.
    case placeholder
    /// It is left out.
    case skip
    case error
  }

  var missing = Missing.keep
  var null = Null.clear
  var shape = Shape.error
  var assignment = Assignment.replace
  var unknownIdentifier = UnknownIdentifier.placeholder
}
