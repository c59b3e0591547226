/// The treatment of unmapped keys by an import.
enum UnknownKeys: UInt8, CaseIterable, Sendable {
  /// Unmapped keys are ignored.
  case ignore
  /// The report has a warning for each path.
  case report
  /// The record is invalid.
  case error
}
