// swift-tools-version: 6.1
import PackageDescription

// No unsafe flags here: they would make the package unusable as a dependency. What the shared
// library needs beyond this (static standard library, soname, version script) the Makefile passes.

let package = Package(
  name: "Groot",
  products: [
    .library(name: "Groot", targets: ["Groot"]),
    .library(name: "GrootSQLite", targets: ["GrootSQLite"]),
    .library(name: "GrootPostgreSQL", targets: ["GrootPostgreSQL"]),
    .library(name: "GrootFoundation", targets: ["GrootFoundation"]),
    .library(name: "groot", type: .dynamic, targets: ["GrootC"]),
  ],
  traits: [
    // One alone: SwiftPM passes several in any order, and then builds everything anew.
    .trait(
      name: "Entities",
      description: "Left out of the C library: entities as Swift types, and libpq, linked"),
    .default(enabledTraits: ["Entities"]),
  ],
  targets: [
    .systemLibrary(
      name: "CJansson", pkgConfig: "jansson",
      providers: [.apt(["libjansson-dev"]), .brew(["jansson"])]),
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    .systemLibrary(
      name: "CPCRE2", pkgConfig: "libpcre2-8",
      providers: [.apt(["libpcre2-dev"]), .brew(["pcre2"])]),
    .systemLibrary(name: "CPostgreSQL"),
    .systemLibrary(name: "CAtomics"),
    .systemLibrary(name: "CFiles"),
    .systemLibrary(name: "CVectors"),
    .systemLibrary(name: "CGroot", path: "include"),
    .target(name: "Groot", dependencies: ["CAtomics", "CFiles", "CJansson", "CPCRE2", "CVectors"]),
    .target(name: "GrootSQL", dependencies: ["Groot"]),
    .target(name: "GrootSQLite", dependencies: ["Groot", "GrootSQL", "CSQLite"]),
    .target(
      name: "GrootPostgreSQL", dependencies: ["Groot", "GrootSQL", "CPostgreSQL"],
      linkerSettings: [.linkedLibrary("pq", .when(traits: ["Entities"]))]),
    .target(name: "GrootFoundation", dependencies: ["Groot"]),
    .target(
      name: "GrootC",
      dependencies: ["Groot", "GrootSQL", "GrootSQLite", "GrootPostgreSQL", "CGroot", "CJansson"]),
    .executableTarget(name: "GrootTour", dependencies: ["Groot"], path: "examples/swift"),
    .executableTarget(
      name: "GrootMirror", dependencies: ["Groot", "GrootSQLite"], path: "examples/mirror",
      exclude: ["morning.json", "evening.json"]),
    .testTarget(
      name: "GrootTests", dependencies: ["Groot", "GrootSQL", "GrootSQLite", "GrootPostgreSQL"],
      path: "Tests",
      sources: ["GrootTests", "Laws"]),
    .testTarget(name: "GrootFoundationTests", dependencies: ["Groot", "GrootFoundation"]),
  ],
  swiftLanguageModes: [.v6]
)
