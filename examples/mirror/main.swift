// Keeps a store like a feed: what is new is inserted, what changed is updated, what is gone is
// deleted, and nothing is written when nothing changed.
//
//     swift run GrootMirror examples/mirror/morning.json stations.sqlite

import Groot
import GrootSQLite

guard CommandLine.arguments.count == 3 else {
  print("usage: GrootMirror FEED STORE")
  throw GrootError(.invalidArgument, "the feed or the store is missing")
}
let mapping = try Mapping(model: ManagedObjectModel(Station.self, City.self))
let store = try ManagedObjectContext(mapping: mapping, storePath: CommandLine.arguments[2])

var options = SyncOptions()
options.listsChanges = true
let result = try store.sync(Station.self, with: .file(CommandLine.arguments[1]), options: options)

for change in result.report.changes where change.entity == Station.entity.name {
  let station = Station(ManagedObject(context: store, id: change.object))
  let values = change.properties.map { "\($0.name) \($0.old) -> \($0.new)" }
  switch change.kind {
  case .inserted: print("new: \(station?.name ?? "")")
  case .updated: print("changed: \(station?.name ?? ""), \(values.joined(separator: ", "))")
  case .deleted: print("gone: \(change.properties.first { $0.name == "name" }?.old ?? .null)")
  }
}
try store.save()

let scarce = try store.fetch(Station.self, sort: .ascending(\.name)) {
  $0.bikes < 3 && $0.city.name == "Ghent"
}
print("short of bikes in Ghent:", scarce.compactMap(\.name).joined(separator: ", "))
let (stations, cities) = (try store.count(Station.self), try store.count(City.self))
print("\(stations) stations in \(cities) cities")
