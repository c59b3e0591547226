import Testing

import Groot

// The options that steps give.

extension CaseRunner {
  func importOptions(_ step: JSONValue) throws -> ImportOptions {
    var options = ImportOptions()
    options.usesScanner = usesScanner
    options.isDryRun = step["dryRun"] == true
    options.listsChanges = step["changes"] == true
    options.createsObjects = step["create"] != false
    options.listsAccess = step["access"] == true
    options.mapping = try mapping(step)
    options.rootPath = step["rootPath"]?.stringValue ?? ""
    switch step["format"]?.stringValue {
    case nil, "json": break
    case "jsonLines": options.format = .jsonLines
    case let other?: Issue.record("a format that is not known: \(other)")
    }
    switch step["errors"]?.stringValue {
    case nil, "abort": break
    case "collect": options.errorMode = .collect
    case "skip": options.errorMode = .skip
    case let other?: Issue.record("an error mode that is not known: \(other)")
    }
    if let count = step["maxIssues"]?.integerValue { options.maximumIssues = Int(count) }
    for (name, value) in step["policies"]?.objectValue?.members ?? [] {
      options.policies[name] = value.stringValue
    }
    return options
  }

  func syncOptions(_ step: JSONValue, _ entity: String) throws -> SyncOptions {
    var options = SyncOptions()
    options.usesScanner = usesScanner
    options.isDryRun = step["dryRun"] == true
    options.listsChanges = step["changes"] == true
    options.inserts = step["insert"] != false
    options.updates = step["update"] != false
    options.deletes = step["delete"] != false
    options.memberInserts = step["members"]?["insert"]?.booleanValue
    options.memberUpdates = step["members"]?["update"]?.booleanValue
    options.memberDeletes = step["members"]?["delete"]?.booleanValue
    options.mapping = try mapping(step)
    if let count = step["maxIssues"]?.integerValue { options.maximumIssues = Int(count) }
    if let name = step["parent"]?.stringValue { options.parent = try object(name).id }
    options.predicate = step["where"]
    return options
  }

  func exportOptions(_ step: JSONValue) throws -> ExportOptions {
    var options = ExportOptions()
    options.depth = step["depth"]?.integerValue.map(Int.init)
    options.properties = step["properties"]?.arrayValue?.compactMap(\.stringValue)
    options.excludedKeys = step["exclude"]?.arrayValue?.compactMap(\.stringValue) ?? []
    options.dates = step["dates"]?.stringValue
    options.writesToMany = step["toMany"] == true
    options.writesSubobjects = step["subobjects"] == true
    options.mapping = try mapping(step)
    switch step["relationships"]?.stringValue {
    case nil: break
    case "none": options.relationships = RelationshipStyle.none
    case "array": options.relationships = .array
    case "nested": options.relationships = .nested
    case let other?: Issue.record("a relationship style that is not known: \(other)")
    }
    switch step["inflection"]?.stringValue {
    case nil: break
    case "snake": options.inflection = .snake
    case "camel": options.inflection = .camel
    case let other?: Issue.record("an inflection that is not known: \(other)")
    }
    return options
  }

  private func mapping(_ step: JSONValue) throws -> Mapping? {
    try step["mapping"]?.stringValue.map { try #require(mappings[$0], place) }
  }
}
