/// What an import does where no path names a key.
enum UnknownKeys: UInt8, CaseIterable, Sendable {
  /// It says nothing.
  case ignore
  /// The report has a warning for each path.
  case report
  /// The record is wrong.
  case error
}
