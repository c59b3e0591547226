import Testing

import Groot

/// Values, and what a literal makes of them.
struct ValueTests {
  @Test func valuesTellWhatTheyAre() {
    #expect((true as Value).booleanValue == true)
    #expect((1 as Value).booleanValue == nil)
    #expect((2.5 as Value) == .real(2.5))
    #expect((2.5 as Value).realValue == 2.5)
    #expect((2.5 as Value).integerValue == nil)
  }

  @Test func aMapOfNamesBeginsEmpty() {
    var map = NameMap<Int>()
    #expect(map.isEmpty)
    map["b"] = 1
    map["a"] = 2
    map["b"] = 3
    #expect(map.keys == ["a", "b"])
    #expect(map["b"] == 3)
    #expect(map == ["a": 2, "b": 3])
  }

  @Test func aLargeNumberIsShownAsItWasWritten() throws {
    let number = try #require(LargeNumber("-1E+400"))
    #expect("\(number)" == "-1E+400")
  }
}
