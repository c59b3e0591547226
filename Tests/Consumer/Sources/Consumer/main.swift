// Uses the library as a package of its own: what is not public cannot be used here.
import Groot

var checks = Checks()
try checks.checkProperties()
try checks.checkConditions()
try checks.checkEntities()
try checks.checkFailures()
try checks.checkDeletions()
try checks.checkDynamicCalls()
try checks.checkObjects()

let context = try openComics()
let json = #"[{"id":"1699","name":"Batman"},{"id":"1700","name":"Robin"}]"#
let heroes = try context.importJSON(.text(json), as: Hero.self)
var options = ExportOptions()
options.properties = ["id", "name"]
checks.expect(heroes.report.inserted, 2)
checks.expect(try context.exportText(heroes, options: options), json)
checks.expect(context.brokenInvariants(), [])

for failure in checks.failures { print(failure) }
print("\(checks.passed) passed, \(checks.failures.count) failed")
if !checks.failures.isEmpty { throw GrootError(.invalidArgument, "a check failed") }
