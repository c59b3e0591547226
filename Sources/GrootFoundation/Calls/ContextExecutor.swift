import Dispatch

/// Runs the jobs of an actor on a separate queue, one after the other.
///
/// Calls of a context may take long, and would block the few threads of Swift's pool.
final class ContextExecutor: SerialExecutor {
  private let queue: DispatchQueue

  init(label: String) { queue = DispatchQueue(label: label) }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}
