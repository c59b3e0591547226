/// The scope of a synchronization: the objects that it may delete, and their parent.
struct SyncScope {
  /// The objects that are deleted if they have no entry.
  let candidates: [ObjectID]
  /// The link of the objects to the parent; nil without a parent.
  let parentLink: ParentLink?

  /// The relationship of an object that leads to its parent.
  struct ParentLink {
    let field: Field
    let parent: ObjectID
  }
}
