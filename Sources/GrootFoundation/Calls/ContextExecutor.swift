import Dispatch

/// Runs the jobs of an actor on a queue of its own, one after the other.
///
/// Calls of a context may take long; the threads of Swift's own pool are few, and others wait for
/// them.
final class ContextExecutor: SerialExecutor {
  private let queue: DispatchQueue

  init(label: String) { queue = DispatchQueue(label: label) }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}
