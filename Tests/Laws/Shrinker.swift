import Groot

/// An element that offers smaller versions of itself.
protocol Shrinkable {
  /// The same with one thing less, everywhere in turn.
  var smaller: [Self] { get }
}

/// Cuts a list that fails down: no element can be left out of what is left, nor be a smaller one.
struct Shrinker<Element> {
  let smaller: (Element) -> [Element]
  let fails: ([Element]) -> Bool

  func shrink(_ elements: [Element]) -> [Element] {
    var elements = elements
    var size = max(elements.count / 2, 1)
    while true {
      var isShorter = false
      var start = 0
      while start < elements.count {
        let fewer = Array(elements[..<start] + elements[min(start + size, elements.count)...])
        if fails(fewer) { (elements, isShorter) = (fewer, true) } else { start += size }
      }
      if size > 1 {
        size /= 2
      } else if !isShorter && !shrinkOne(&elements) {
        return elements
      }
    }
  }

  /// Makes elements smaller while that fails; whether any is.
  private func shrinkOne(_ elements: inout [Element]) -> Bool {
    var isSmaller = false
    for index in elements.indices {
      func with(_ element: Element) -> [Element] {
        elements[..<index] + [element] + elements[(index + 1)...]
      }
      while let less = smaller(elements[index]).first(where: { fails(with($0)) }) {
        (elements[index], isSmaller) = (less, true)
      }
    }
    return isSmaller
  }
}

extension Shrinker where Element: Shrinkable {
  init(fails: @escaping ([Element]) -> Bool) { self.init(smaller: \.smaller, fails: fails) }
}

extension Array: Shrinkable where Element: Shrinkable {
  /// The list without each element, then with each one smaller.
  var smaller: [[Element]] {
    func replacing(_ index: Int, by elements: [Element]) -> [Element] {
      self[..<index] + elements + self[(index + 1)...]
    }
    return indices.map { replacing($0, by: []) }
      + indices.flatMap { index in
        self[index].smaller.map { replacing(index, by: [$0]) }
      }
  }
}

extension JSONValue: Shrinkable {
  var smaller: [JSONValue] {
    switch self {
    case .array(let elements): Array(elements).smaller.map { .array($0) }
    case .object(let object):
      object.withoutEach().map { .object($0) }
        + object.members.flatMap { member in
          member.value.smaller.map { smaller in
            var changed = object
            changed[member.key] = smaller
            return .object(changed)
          }
        }
    default: []
    }
  }
}

extension JSONObject {
  /// The object without each member that may go.
  func withoutEach(keeping kept: Set<String> = []) -> [JSONObject] {
    members.filter { !kept.contains($0.key) }.map { member in
      JSONObject(members.filter { $0.key != member.key })
    }
  }
}
