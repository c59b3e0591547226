import Foundation
import Groot
import GrootSQLite
import Testing

// Every type of the library by its own name, beside Foundation and Testing: none is ambiguous.
typealias Everything = (
  AggregateRequest, AttributeDescription, AttributeType, BuiltinTransformer, Cancellation,
  CallProgress, ChangeCounts, Column, Condition<Thing>, ConflictPolicy, DecimalNumber,
  EntityDescription, EntitySortKey<Thing>, ExportOptions, FetchRequest, GrootError, GrootIssue,
  ImportOptions, ImportProgress, ImportReport, ImportResult, ImportStream, ImportedObjects<Thing>,
  JSONInput, JSONObject, JSONValue, KeyInflection, LargeNumber, ManagedObject,
  ManagedObjectContext, ManagedObjectModel, Mapping, Members<Thing>, NameMap<String>, ObjectID,
  PropertyKey, PropertyReference, RelationshipDescription, RelationshipStyle,
  SQLiteStoreOptions, Status, StoreDurability, StoreLog, StoreMigrationRule, SyncOptions,
  Timestamp, ToMany<Thing>, ToOne<Thing>, TransformerRegistry, UUIDValue, Value, ValueKind
)

struct Thing: Entity {
  struct Properties: Sendable {
    let name = Attribute<String?>("name")
  }
  static let properties = Properties()
  let managedObject: ManagedObject
}

@Suite struct UnambiguousNamesTests {
  /// That this file compiles is the test; what the names mean is looked at beside.
  @Test func namesAreThoseOfTheLibrary() {
    #expect(String(reflecting: Everything.self).contains("Groot.GrootIssue"))
    #expect(!String(reflecting: Everything.self).contains("Testing."))
    #expect(!String(reflecting: Everything.self).contains("Foundation."))
  }
}
