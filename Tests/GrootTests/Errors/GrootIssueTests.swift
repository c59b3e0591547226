import Groot
import Testing

/// Issues in words.
struct GrootIssueTests {
  @Test(arguments: [
    (0, 0, "Hero.name: a value is required - at $[3].name"),
    (0, 7, "Hero.name: a value is required - at $[3].name"),
    (9, 0, "Hero.name: a value is required - at $[3].name, line 9"),
    (9, 7, "Hero.name: a value is required - at $[3].name, line 9, column 7"),
  ])
  func placesAreSaidAsFarAsTheyAreKnown(line: Int, column: Int, text: String) {
    let issue = GrootIssue(
      .missingValue, "a value is required", path: "$[3].name", entity: "Hero", property: "name",
      line: line, column: column)
    #expect(issue.description == text)
  }

  @Test func withoutPathTheLineComesFirst() {
    #expect(GrootIssue(.invalidJSON, "no JSON", line: 2).description == "no JSON - at line 2")
  }
}
