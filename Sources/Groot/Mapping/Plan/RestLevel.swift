/// An object in which unmapped keys are written beside mapped ones.
struct RestLevel: Sendable {
  /// Its path in the whole object.
  let path: TapeSteps
  /// Its mapped keys.
  let named: Set<Name>
}
