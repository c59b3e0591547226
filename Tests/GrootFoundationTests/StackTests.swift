import Foundation
import Groot
import GrootFoundation
import Testing

/// Codable is recursive: what it does at most fits the stack that threads have everywhere.
struct StackTests {
  private final class Link: Codable {
    let id: Int
    let friends: [Link]?

    init(id: Int, friends: [Link]?) { (self.id, self.friends) = (id, friends) }
  }

  @Test func theDeepestValuesFitSmallStacks() throws {
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
      do {
        let context = try Comics.context()
        let heroes = try context.importJSON(.data(Comics.feed(200)), as: Hero.self)
        for index in 0..<199 { heroes[index].friends.append(heroes[index + 1]) }
        let object = heroes[0].managedObject
        let link = try object.decode(as: Link.self, depth: 62)
        #expect(try JSONValue(encoding: link).description.count > 1000)
        expectFailure(.limitExceeded) { _ = try object.decode(as: Link.self) }
        let chain = (0..<200).reduce(Link(id: 0, friends: nil)) { Link(id: $1, friends: [$0]) }
        expectFailure(.limitExceeded) { _ = try JSONValue(encoding: chain) }
      } catch {
        Issue.record("\(error)")
      }
      done.signal()
    }
    // What threads but the first have on Apple's systems.
    thread.stackSize = 512 * 1024
    thread.start()
    done.wait()
  }
}
