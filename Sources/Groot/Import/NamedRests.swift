/// Values of the element on the tape that paths name and properties do without, where `@rest` keeps them.
struct NamedRests {
  /// The values that properties do without.
  var leftAlone: Set<TokenIndex> = []
  /// The rests in which something is that paths name: whether it stays is known when the properties of
  /// the object are set.
  var uncertain: Set<TokenIndex> = []
  /// Whether the rest that is put together is one of these.
  var isUncertain = false
  /// The object whose rest is put together, once its properties are set.
  var row = OptionalRow.none

  /// Forgets the element.
  mutating func removeAll() {
    if leftAlone.isEmpty && uncertain.isEmpty { return }
    leftAlone.removeAll(keepingCapacity: true)
    uncertain.removeAll(keepingCapacity: true)
  }
}
