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
    options.form = try choice(step, "form") ?? .array
    options.policies = policies(step)
    options.format = format(step)
    switch step["errors"]?.stringValue {
    case nil, "abort": break
    case "collect": options.errorMode = .collect
    case "skip": options.errorMode = .skip
    case let other?: Issue.record("an error mode that is not known: \(other)")
    }
    if let count = step["maxIssues"]?.integerValue { options.maximumIssues = Int(count) }
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
    options.deletion = step["delete"] == "mark" ? .mark : .delete
    options.withholdsDeletions = step["withhold"] != false
    switch step["maxDeletions"] {
    case .integer(let count): options.maximumDeletions = .count(Int(count))
    case let share?: options.maximumDeletions = .share(try #require(share.realValue, place))
    case nil: break
    }
    options.format = format(step)
    options.rootPath = step["rootPath"]?.stringValue ?? ""
    options.form = try choice(step, "form") ?? .array
    options.policies = policies(step)
    options.memberInserts = step["members"]?["insert"]?.booleanValue
    options.memberUpdates = step["members"]?["update"]?.booleanValue
    options.memberDeletes = step["members"]?["delete"]?.booleanValue
    options.mapping = try mapping(step)
    if let count = step["maxIssues"]?.integerValue { options.maximumIssues = Int(count) }
    if let name = step["parent"]?.stringValue { options.parent = try object(name).id }
    options.predicate = step["where"]
    return options
  }

  private func format(_ step: JSONValue) -> ImportOptions.Format {
    switch step["format"]?.stringValue {
    case nil, "json": break
    case "jsonLines": return .jsonLines
    case let other?: Issue.record("a format that is not known: \(other)")
    }
    return .json
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
    options.relationships = try choice(step, "relationships")
    options.inflection = try choice(step, "inflection")
    options.form = try choice(step, "form") ?? .array
    options.nulls = try choice(step, "nulls")
    return options
  }

  /// One of the choices there are, by its name; nil when the step makes none.
  private func choice<Choice: CaseIterable>(_ step: JSONValue, _ key: String) throws -> Choice? {
    try step[key].map { name in
      try #require(Choice.allCases.first { name == .string("\($0)") }, "\(place.rawValue): \(name)")
    }
  }

  private func policies(_ step: JSONValue) -> NameMap<String> {
    var policies: NameMap<String> = [:]
    for (name, value) in step["policies"]?.objectValue?.members ?? [] {
      policies[name] = value.stringValue
    }
    return policies
  }

  private func mapping(_ step: JSONValue) throws -> Mapping? {
    try step["mapping"]?.stringValue.map { try #require(mappings[$0], place) }
  }
}
