/// Where an object stands in its JSON, which paths such as `@index` and `@parent.id` lead to.
struct Place {
  /// The key of a keyed collection that leads to it, or of its group; none in a plain list.
  var key = TokenIndex.none
  /// Its position in the list; -1 when it stands alone.
  var index = -1
  /// The object that leads to it.
  var parent = TokenIndex.none

  /// The beginnings of paths, in the order of their nodes from ``EntityPlan/places`` on.
  enum Part: Int32, CaseIterable {
    case index
    case key
    /// A key of which a number or a truth value is made.
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
