// swift-tools-version: 6.2
import PackageDescription

// The benchmarks of transitd. They are a separate package, so that a build of transitd does not build them.

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
