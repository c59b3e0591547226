/// Describes the current call to a function that is called with a tape.
package protocol CallDescriber: AnyObject {
  /// The userdata of the program's functions: an address, or 0 without one.
  var callbackUserdata: UInt { get }
  /// Returns the purpose of the current call.
  func describeCall() -> CallDescription
}

/// The purpose of a call of a function; a text is empty if it does not apply.
package struct CallDescription {
  package var entity = ""
  package var property = ""
  /// The path of its value in the JSON.
  package var path = ""
}
