// swift-tools-version: 6.0
import PackageDescription

// A package as a user's would be: it knows Groot by path and nothing else.
let package = Package(
  name: "Consumer",
  dependencies: [.package(name: "Groot", path: "../..")],
  targets: [
    .executableTarget(
      name: "Consumer", dependencies: [.product(name: "Groot", package: "Groot")])
  ],
  swiftLanguageModes: [.v6]
)
