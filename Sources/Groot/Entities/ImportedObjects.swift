#if Entities

/// The typed objects that an import found or inserted, and its report.
public struct ImportedObjects<Object: Entity>: RandomAccessCollection {
  /// The objects without types.
  public let result: ImportResult

  /// The report of the import.
  public var report: ImportReport { result.report }
  /// The position of the first object.
  public var startIndex: Int { result.startIndex }
  /// The position after the last object.
  public var endIndex: Int { result.endIndex }

  /// The object at a position.
  public subscript(position: Int) -> Object { Object(managedObject: result[position]) }
}

#endif
