@testable import Groot

// Tests name rows, tables and entities of small models by their bare numbers.

extension Row: ExpressibleByIntegerLiteral {
  public init(integerLiteral number: Int) { self.init(number) }
}

extension NodeIndex: ExpressibleByIntegerLiteral {
  public init(integerLiteral number: Int) { self.init(number) }
}

extension TableIndex: ExpressibleByIntegerLiteral {
  public init(integerLiteral number: Int) { self.init(number) }
}

extension EntityIndex: ExpressibleByIntegerLiteral {
  public init(integerLiteral number: Int) { self.init(number) }
}

extension PlanIndex: ExpressibleByIntegerLiteral {
  public init(integerLiteral number: Int) { self.init(number) }
}
