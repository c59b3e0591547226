import CAtomics
import CPCRE2

/// Keeps the memory of a match for the next match, on any thread.
///
/// One workspace is kept; a thread that does not find one makes another.
final class PatternWorkspaces: @unchecked Sendable {
  /// The memory of one match.
  struct Workspace {
    let data: OpaquePointer
    let context: OpaquePointer
  }

  // Changed only by atomic exchange.
  private let kept: UnsafeMutablePointer<UnsafeMutableRawPointer?>

  init() {
    kept = .allocate(capacity: 1)
    kept.initialize(to: nil)
  }

  deinit {
    if let workspace = exchange(nil) { release(workspace) }
    kept.deallocate()
  }

  /// Returns a workspace for exclusive use until it is given back or released; nil without memory.
  func take() -> UnsafeMutablePointer<Workspace>? { exchange(nil) ?? make() }

  /// Keeps a workspace for the next match.
  func give(_ workspace: UnsafeMutablePointer<Workspace>) {
    if let other = exchange(workspace) { release(other) }
  }

  /// Frees a workspace that has grown too large to be kept.
  func release(_ workspace: UnsafeMutablePointer<Workspace>) {
    pcre2_match_data_free_8(workspace.pointee.data)
    pcre2_match_context_free_8(workspace.pointee.context)
    workspace.deallocate()
  }

  private func exchange(
    _ workspace: UnsafeMutablePointer<Workspace>?
  ) -> UnsafeMutablePointer<Workspace>? {
    groot_atomic_exchange(kept, UnsafeMutableRawPointer(workspace))?
      .assumingMemoryBound(to: Workspace.self)
  }

  private func make() -> UnsafeMutablePointer<Workspace>? {
    guard let data = pcre2_match_data_create_8(1, nil) else { return nil }
    guard let context = pcre2_match_context_create_8(nil) else {
      pcre2_match_data_free_8(data)
      return nil
    }
    pcre2_set_depth_limit_8(context, Pattern.maximumDepth)
    pcre2_set_heap_limit_8(context, Pattern.maximumMemory)
    let workspace = UnsafeMutablePointer<Workspace>.allocate(capacity: 1)
    workspace.initialize(to: Workspace(data: data, context: context))
    return workspace
  }
}
