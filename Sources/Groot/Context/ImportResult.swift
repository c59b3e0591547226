/// The objects that an import found or made, with its report.
public struct ImportResult: RandomAccessCollection {
  /// The context of the objects.
  public let context: ManagedObjectContext
  /// The object of each element, in order.
  ///
  /// A null element has no object, and an object may occur several times. Objects that a dry run
  /// inserted are left out.
  public let ids: [ObjectID]
  /// The report of the import.
  public let report: ImportReport

  /// The position of the first object.
  public var startIndex: Int { 0 }
  /// The position after the last object.
  public var endIndex: Int { ids.count }

  /// The object at a position.
  public subscript(position: Int) -> ManagedObject {
    ManagedObject(context: context, id: ids[position])
  }
}
