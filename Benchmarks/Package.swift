// swift-tools-version: 6.2
import PackageDescription

// Benchmarks of transitd: a package of its own, so that nobody who builds the project builds these. See README.md here.

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "Benchmarks",
    dependencies: [.package(name: "transitd", path: "..")],
    targets: [
        .executableTarget(
            name: "FeedGenerator", dependencies: [.product(name: "TransitRooms", package: "transitd")],
            swiftSettings: strict),
        .executableTarget(
            name: "TransitBenchmark", dependencies: [.product(name: "TransitRooms", package: "transitd")],
            swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)
