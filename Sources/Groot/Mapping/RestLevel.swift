/// An object in which unmapped keys are written beside mapped ones.
struct RestLevel: Sendable {
  /// Where it is in the whole object.
  let path: TapePath
  /// The keys that are written by themselves.
  let named: Set<Name>
}
