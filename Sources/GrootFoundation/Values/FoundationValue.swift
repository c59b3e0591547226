import Groot

/// A type of Foundation whose values attributes have; it is read as Groot does, never as its own
/// `init(from:)` would: that takes a date for a number of seconds since 2001.
protocol FoundationValue: AttributeValue {}
