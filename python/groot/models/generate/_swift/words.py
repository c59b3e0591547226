"""Words of Swift and of the library that names in a model must not shadow."""

from __future__ import annotations

# Words that need backticks in declarations.
_KEYWORDS = """
    Any Self as associatedtype break case catch class continue default defer deinit do else enum
    extension fallthrough false fileprivate for func guard if import in init inout internal is let
    nil operator precedencegroup private protocol public repeat rethrows return self static struct
    subscript super switch throw throws true try typealias var where while
    """

# Names with another meaning after `object.`, and `_`, which is not a name.
_AWKWARD_MEMBERS = "Protocol Self Type _ hash hashValue init managedObject self"

_OF_SWIFT = """
    Any AnyClass AnyObject Array Bool Codable Comparable Dictionary Double Equatable Error Float
    Hashable Identifiable Int Int16 Int32 Int64 Int8 KeyPath Never Optional Properties Protocol
    Result Self Sendable Set String Swift Type UInt UInt16 UInt32 UInt64 UInt8 Void
    """

_OF_GROOT = """
    AggregateRequest Attribute AttributeDescription AttributeType AttributeValue BuiltinTransformer
    CalendarDay CallProgress Cancellation Change ChangeCounts CollectionForm Column Condition
    ConflictPolicy ContextActor DecimalNumber DocumentRoot Entity EntityDescription EntityPath
    EntityPaths EntitySortKey ExportOptions FetchRequest Groot GrootError GrootFoundation
    GrootIssue GrootPostgreSQL GrootSQLite ImportOptions ImportProgress ImportReport ImportResult
    ImportStream ImportSummary ImportedObjects IntegerAttributeValue JSONArray JSONInput JSONObject
    JSONValue KeyInflection LargeNumber ManagedObject ManagedObjectContext ManagedObjectModel
    Mapping Members NameMap NullStyle ObjectID PostgreSQLStoreOptions ProgressUnit PropertyKey
    PropertyReference RelationshipDescription RelationshipStyle SQLiteStoreOptions Status
    StoreAccess StoreDescription StoreDurability StoreLog StoreMigrationRule SyncOptions Timestamp
    ToMany ToOne TransformerRegistry TypedAttribute TypedProperty TypedToOne UUIDValue Value
    ValueKind
    """

_OF_FOUNDATION = "Data Date Decimal Foundation URL UUID"

# A type of such a name would shadow the type that the written code needs, or the code that uses it.
# `Character` is missing: the code does not use it.
TYPES = frozenset(f"{_OF_SWIFT} {_OF_GROOT} {_OF_FOUNDATION}".split())
KEYWORDS = frozenset(_KEYWORDS.split())
AWKWARD_MEMBERS = frozenset(_AWKWARD_MEMBERS.split())
