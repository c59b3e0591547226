/// An object in which what no path names is written beside what paths name.
struct RestLevel: Sendable {
  /// Where it is in the whole object.
  let path: TapePath
  /// The keys that are written by themselves.
  let named: Set<Name>
}
