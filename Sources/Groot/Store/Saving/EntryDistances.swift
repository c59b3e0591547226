/// The distances of list entries from the start of all positions, by entry.
///
/// The entries of a save mostly lie close together: a table then takes less time than sorting and
/// searching them.
struct EntryDistances {
  /// An entry with its distance.
  struct Place {
    let entry: ListEntry
    let distance: Int64
  }

  /// The greatest number of places in the table for each entry.
  private static let spread = 8
  /// The content of the table for an entry without a distance.
  private static let missing = Int64.min

  /// The entry of the first place in the table.
  private var first = ListEntry(rawValue: 0)
  /// By distance from the first entry, the distances; empty if the entries lie far apart.
  private var table: [Int64] = []
  /// The places in the order of entries, if the entries lie far apart.
  private var sorted: [Place] = []

  init() {}

  /// Makes the distances of entries, each of which has one place.
  ///
  /// Complexity: O(n), or O(n log n) if the entries lie far apart.
  init(_ places: UnsafeBufferPointer<Place>) {
    guard var least = places.first?.entry else { return }
    var most = least
    for place in places {
      least = min(least, place.entry)
      most = max(most, place.entry)
    }
    let span = least.distance(to: most) + 1
    guard span / Self.spread <= places.count else {
      sorted = places.sorted { $0.entry < $1.entry }
      return
    }
    first = least
    table = Array(repeating: Self.missing, count: span)
    for place in places { table[least.distance(to: place.entry)] = place.distance }
  }

  /// The distance of an entry; nil without one.
  @inline(__always)
  subscript(_ entry: ListEntry) -> Int64? {
    if table.isEmpty {
      return sorted.firstPlace(of: entry, by: \.entry).map { sorted[$0].distance }
    }
    let place = first.distance(to: entry)
    guard table.indices.contains(place), table[place] != Self.missing else { return nil }
    return table[place]
  }
}
