/// Tells a function that is called with a tape what it is called for.
package protocol CallDescriber: AnyObject {
  /// What the caller's program wants its functions to be handed; an address, 0 for none.
  var callbackUserdata: UInt { get }
  /// What the call that is going on is for.
  func describeCall() -> CallDescription
}

/// What a function is called for; texts are empty where there is nothing to name.
package struct CallDescription {
  package var entity = ""
  package var property = ""
  /// Where its value is in the JSON.
  package var path = ""
}
