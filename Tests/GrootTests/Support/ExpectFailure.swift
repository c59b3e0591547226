import Testing

import Groot

/// Expects an error of a status, whose description has a part.
func expectFailure(_ status: Status, _ part: String = "", _ body: () throws -> Void) {
  do {
    try body()
    Issue.record("this did not fail")
  } catch let error as GrootError {
    #expect(error.status == status, "\(error)")
    #expect(part.isEmpty || error.description.contains(part), "\(error)")
  } catch {
    Issue.record("\(error)")
  }
}
