/// The treatment of unmapped keys by an import.
enum UnknownKeys: UInt8, CaseIterable, Sendable {
  /// It says nothing.
  case ignore
  /// The report has a warning for each path.
  case report
  /// The record is wrong.
  case error
}
