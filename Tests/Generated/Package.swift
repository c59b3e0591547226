// swift-tools-version: 6.0
import PackageDescription

// What `python -m groot generate swift` makes of the models of the tests, compiled as a user would.
let package = Package(
  name: "Generated",
  dependencies: [.package(name: "Groot", path: "../..")],
  targets: [
    .executableTarget(
      name: "Generated", dependencies: [.product(name: "Groot", package: "Groot")])
  ],
  swiftLanguageModes: [.v6]
)
