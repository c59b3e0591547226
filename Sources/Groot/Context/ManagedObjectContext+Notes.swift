// Texts beside the objects, and copies of stores.

extension ManagedObjectContext {
  /// Returns the note of a name, with its unsaved change; nil without one.
  ///
  /// A note is a text that a store keeps for a program, such as the cursor or the ETag of a feed.
  ///
  /// - Parameter name: The name, of 1 to 200 bytes.
  /// - Throws: ``Status/invalidArgument`` for another name; the statuses of stores.
  public func note(_ name: String) throws(GrootError) -> String? {
    try exclusively { try notes.text(name, in: coordinator) }
  }

  /// Sets a note; the next save writes it in one transaction with the objects.
  ///
  /// ``rollback()`` discards the change. When two contexts save the same note, the last save counts.
  ///
  /// - Parameters:
  ///   - name: The name, of 1 to 200 bytes.
  ///   - text: The text; nil removes the note.
  /// - Throws: ``Status/invalidArgument`` for another name, or for a NUL in the text.
  public func setNote(_ name: String, to text: String?) throws(GrootError) {
    try exclusively { try notes.set(name, to: text) }
  }

  /// Copies the store of this context into the empty store of another one.
  ///
  /// The copy has all objects, links, lists in their order and notes, with their keys and versions,
  /// and is made in one transaction of the other store, of whichever kind each is. The memory is
  /// bounded. The other context's ``progress`` and ``cancellation`` count.
  ///
  /// - Parameter target: A context whose store has no objects, with the same model.
  /// - Throws: ``Status/invalidArgument`` for a context without a store, with unsaved changes or of
  ///   another model, and for a store with objects; ``Status/outOfRange`` for a value that the other
  ///   store cannot hold; the statuses of stores. The other store is then unchanged.
  public func copyStore(to target: ManagedObjectContext) throws(GrootError) {
    guard target !== self else {
      throw GrootError(.invalidArgument, "a store cannot be copied into itself")
    }
    try exclusively {
      try target.cancellably(.copying) {
        let hasNotes = !notes.pending.isEmpty || !target.notes.pending.isEmpty
        try StoreCopy(from: work, to: target.work, hasUnsavedNotes: hasNotes).run()
      }
    }
  }
}
