/// The mapped values of the element that properties ignore and `@rest` therefore keeps.
struct NamedRests {
  /// The values that properties ignore.
  var leftAlone: Set<TokenIndex> = []
  /// The rests with mapped values, which may change after the object's properties are set.
  var uncertain: Set<TokenIndex> = []
  /// Whether the current rest has mapped values.
  var isUncertain = false
  /// The object of the current rest, after its properties are set.
  var row = OptionalRow.none

  /// Forgets the element.
  mutating func removeAll() {
    if leftAlone.isEmpty && uncertain.isEmpty { return }
    leftAlone.removeAll(keepingCapacity: true)
    uncertain.removeAll(keepingCapacity: true)
  }
}
