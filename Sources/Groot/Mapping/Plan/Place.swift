/// The place of an object in its JSON, for paths such as `@index` and `@parent.id`.
struct Place {
  /// Its key, or the key of its group, in a keyed collection; none in a plain list.
  var key = TokenIndex.none
  /// Its position in the list; -1 outside a list.
  var index = -1
  /// The enclosing object.
  var parent = TokenIndex.none

  /// The beginnings of paths, in the order of their nodes from ``EntityPlan/places`` on.
  enum Part: Int32, CaseIterable {
    case index
    case key
    /// A key that is read as a number or a truth value.
    case typedKey
    case value
    case rest
    case parent
    case root

    var bit: UInt8 { @inline(__always) get { 1 << UInt8(truncatingIfNeeded: rawValue) } }

    init?(_ origin: JSONKeyPath.Origin, takesText: Bool) {
      switch origin {
      case .object: return nil
      case .index: self = .index
      case .key: self = takesText ? .key : .typedKey
      case .value: self = .value
      case .rest: self = .rest
      case .parent: self = .parent
      case .root: self = .root
      }
    }
  }
}
