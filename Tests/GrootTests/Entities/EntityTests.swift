import Testing

/// Typed entities, by the checks that a package of its own runs too: Tests/Consumer, whose files are
/// linked here.
struct EntityTests {
  @Test(arguments: [
    "properties", "conditions", "entities", "failures", "deletions", "dynamic calls", "objects",
  ])
  func checksOfAPackageOfItsOwn(name: String) throws {
    var checks = Checks()
    switch name {
    case "properties": try checks.checkProperties()
    case "conditions": try checks.checkConditions()
    case "entities": try checks.checkEntities()
    case "failures": try checks.checkFailures()
    case "deletions": try checks.checkDeletions()
    case "dynamic calls": try checks.checkDynamicCalls()
    default: try checks.checkObjects()
    }
    #expect(checks.failures == [])
    #expect(checks.passed > 0)
  }
}
