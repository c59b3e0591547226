import Groot

/// A type of Foundation for values of attributes.
///
/// It is decoded as Groot reads JSON, never by its own `init(from:)`, which would read a date as
/// seconds since 2001.
protocol FoundationValue: AttributeValue {}
