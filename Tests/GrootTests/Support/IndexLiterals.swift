@testable import Groot

// Tests name rows, tables and entities of small models by their bare numbers.

extension Row: ExpressibleByIntegerLiteral {
  /// The number itself.
  public init(integerLiteral number: Int) { self.init(number) }
}

extension NodeIndex: ExpressibleByIntegerLiteral {
  /// The number itself.
  public init(integerLiteral number: Int) { self.init(number) }
}

extension TableIndex: ExpressibleByIntegerLiteral {
  /// The number itself.
  public init(integerLiteral number: Int) { self.init(number) }
}

extension EntityIndex: ExpressibleByIntegerLiteral {
  /// The number itself.
  public init(integerLiteral number: Int) { self.init(number) }
}

extension PlanIndex: ExpressibleByIntegerLiteral {
  /// The number itself.
  public init(integerLiteral number: Int) { self.init(number) }
}

extension TokenIndex: ExpressibleByIntegerLiteral {
  /// The number itself.
  public init(integerLiteral number: Int) { self.init(number) }
}
