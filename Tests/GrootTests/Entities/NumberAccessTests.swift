import Testing

import Groot

/// Numbers of attributes whose types in Swift have no room for them, by an attribute of a wider type.
struct NumberAccessTests {
  struct Gauge: Entity {
    struct Properties: Sendable {
      let narrow = Attribute<Float>("narrow")
      let optional = Attribute<Float?>("optional")
      let wide = Attribute<Double?>("wide")
    }
    static let properties = Properties()
    let managedObject: ManagedObject
  }

  /// The same entity, of a program that has less room than the model.
  struct Small: Entity {
    struct Properties: Sendable {
      let real = Attribute<Float>("real")
      let realOrNone = Attribute<Float?>("real")
      let number = Attribute<Int16>("number")
      let numberOrNone = Attribute<Int32?>("number")
    }
    static let properties = Properties()
    static let entity = EntityDescription("Large")
    let managedObject: ManagedObject
  }

  struct Large: Entity {
    struct Properties: Sendable {
      let real = Attribute<Double?>("real")
      let number = Attribute<Int64?>("number")
    }
    static let properties = Properties()
    let managedObject: ManagedObject
  }

  private func large() throws -> Large {
    let context = ManagedObjectContext(mapping: try Mapping(model: ManagedObjectModel(Large.self)))
    return try context.insert(Large.self)
  }

  @Test(arguments: [1e300, -1e300, 3.5e38, 1.7e308, 3.4028236e38])
  func aRealBeyondTheTypeIsAFailure(number: Double) throws {
    let large = try large()
    let context = large.managedObject.context
    large.real = number
    let small = try #require(Small(large))
    #expect(small.real == 0)
    expectFailure(.wrongType, "Large.real") { try context.checkAccess() }
    #expect(small.realOrNone == nil)
    expectFailure(.wrongType, "Large.real") { try context.checkAccess() }
    #expect(throws: GrootError.self) { _ = try large.managedObject.value("real", as: Float.self) }
  }

  @Test(arguments: [0, -0.0, 1e-300, 0.1, 3.4028234663852886e38, -3.4028234663852886e38])
  func aRealWithinTheTypeIsRounded(number: Double) throws {
    let large = try large()
    large.real = number
    let small = try #require(Small(large))
    #expect(small.real == Float(number) && small.realOrNone == Float(number))
    try large.managedObject.context.checkAccess()
  }

  @Test(arguments: [Int64.max, .min, 1 << 40])
  func aWholeNumberBeyondTheTypeIsAFailure(number: Int64) throws {
    let large = try large()
    let context = large.managedObject.context
    large.number = number
    let small = try #require(Small(large))
    #expect(small.number == 0)
    expectFailure(.wrongType, "Large.number") { try context.checkAccess() }
    #expect(small.numberOrNone == nil)
    expectFailure(.wrongType, "Large.number") { try context.checkAccess() }
  }

  @Test(arguments: [Double.infinity, -.infinity, .nan])
  func numbersThatJSONLacksAreRefused(number: Double) throws {
    let context = ManagedObjectContext(mapping: try Mapping(model: ManagedObjectModel(Gauge.self)))
    let gauge = try context.insert(Gauge.self)
    (gauge.narrow, gauge.optional, gauge.wide) = (1, 2, 3)
    gauge.narrow = Float(number)
    expectFailure(.outOfRange, "Gauge.narrow") { try context.checkAccess() }
    gauge.optional = Float(number)
    expectFailure(.outOfRange, "Gauge.optional") { try context.checkAccess() }
    gauge.wide = number
    expectFailure(.outOfRange, "Gauge.wide") { try context.checkAccess() }
    #expect(gauge.narrow == 1 && gauge.optional == 2 && gauge.wide == 3)
  }
}
