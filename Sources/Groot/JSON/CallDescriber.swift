/// Tells a function that is called with a tape what it is called for.
package protocol CallDescriber: AnyObject {
  /// The userdata that the caller's program gives its functions; an address, 0 for none.
  var callbackUserdata: UInt { get }
  /// The purpose of the call going on.
  func describeCall() -> CallDescription
}

/// The purpose of a function's call; texts are empty where there is nothing to name.
package struct CallDescription {
  package var entity = ""
  package var property = ""
  /// Where its value is in the JSON.
  package var path = ""
}
