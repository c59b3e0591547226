import CGroot
import Groot

/// The destructor of Python's capsules, which may run while an exception is being raised.
///
/// A destructor that Python runs would lose that exception. The functions of Python are looked for when
/// they are needed: the library is not linked to Python.
private enum PythonCapsule {
  private typealias Pointer =
    @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?) -> UnsafeMutableRawPointer?
  private typealias Free = @convention(c) (UnsafeMutableRawPointer?) -> Void

  /// The name of a capsule with a stream, as the Arrow PyCapsule interface defines it.
  private static let name: StaticString = "arrow_array_stream"

  private static var functions: (pointer: Pointer, free: Free)? {
    guard let pointer = CLibrary.function("PyCapsule_GetPointer"),
      let free = CLibrary.function("PyMem_RawFree")
    else { return nil }
    return (unsafeBitCast(pointer, to: Pointer.self), unsafeBitCast(free, to: Free.self))
  }

  static var isUsable: Bool { functions != nil }

  static func destroy(_ capsule: UnsafeMutableRawPointer?) {
    guard let capsule, let functions else { return }
    let found = name.withUTF8Buffer { name in
      functions.pointer(
        capsule, UnsafeRawPointer(name.baseAddress)?.assumingMemoryBound(to: CChar.self))
    }
    guard let found else { return }
    let stream = found.assumingMemoryBound(to: ArrowArrayStream.self)
    stream.pointee.release?(stream)
    functions.free(found)
  }
}

/// Returns a destructor for capsules of Python.
@_cdecl("groot_arrow_capsule_destructor") @implementation
public func groot_arrow_capsule_destructor() -> UnsafeMutableRawPointer? {
  guard PythonCapsule.isUsable else { return nil }
  let destructor: @convention(c) (UnsafeMutableRawPointer?) -> Void = { PythonCapsule.destroy($0) }
  return unsafeBitCast(destructor, to: UnsafeMutableRawPointer.self)
}
