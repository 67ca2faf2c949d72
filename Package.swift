// swift-tools-version: 6.2
import PackageDescription

// ARCHITECTURE.md describes the targets and their permitted dependencies. `.ci/run` builds with
// `--explicit-target-dependency-import-check error`, so that an import of an undeclared dependency fails.

// `.ci/run` treats warnings as errors. Other builds do not, because a newer compiler may report new warnings.
let warnings: [SwiftSetting] =
    Context.environment["TRANSITD_WARNINGS_AS_ERRORS"] == nil ? [] : [.treatAllWarnings(as: .error)]

let strict: [SwiftSetting] =
    warnings + [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]

/// Coverage-guided fuzzing with libFuzzer, which only `scripts/fuzz-guided` links.
let guidedFuzzing: [Target] =
    Context.environment["TRANSITD_FUZZER"] == nil
    ? []
    : [
        .target(name: "CFuzzer"),
        .executableTarget(
            name: "transit-fuzz-guided", dependencies: ["CFuzzer", "TransitFuzz"], swiftSettings: strict),
    ]

/// Options of AddressSanitizer and ThreadSanitizer in all programs, which only `scripts/sanitize` links.
let sanitizerOptions: [Target] =
    Context.environment["TRANSITD_SANITIZER_REPORTS"].map { reports in
        [.target(name: "CSanitizer", cSettings: [.define("SANITIZER_REPORTS", to: "\"\(reports)\"")])]
    } ?? []

/// The linker of the toolchain folds identical functions whose addresses are not compared, and packs the addresses that the
/// system adjusts when it starts a program: 2 MB less.
let smaller: [LinkerSetting] = [
    .unsafeFlags(
        ["-use-ld=lld", "-Xlinker", "--icf=safe", "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs"],
        .when(configuration: .release))
]

let package = Package(
    name: "transitd",
    products: [
        .executable(name: "transitd", targets: ["transitd"]),
        .executable(name: "transitctl", targets: ["transitctl"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        // Used only by a test target, as the reference decoder for GTFS-Realtime.
        .package(url: "https://github.com/apple/swift-protobuf", from: "1.39.0"),
    ],
    targets: guidedFuzzing + sanitizerOptions + [
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .target(name: "CCurl"),
        .target(name: "CLinux"),
        // A C wrapper for toml++, a header-only C++ library (libtomlplusplus-dev).
        .target(name: "CTOML"),

        .target(
            name: "TransitModel", dependencies: sanitizerOptions.map { .target(name: $0.name) }, swiftSettings: strict),
        .target(
            name: "TransitFeeds", dependencies: ["TransitModel", "TransitWire", "CZlib", "CCrypto"],
            swiftSettings: strict),
        .target(name: "TransitEngine", dependencies: ["TransitModel"], swiftSettings: strict),
        .target(name: "TransitStore", dependencies: ["TransitModel", "CSQLite"], swiftSettings: strict),
        // Queries over all feeds, from names and parameters to results.
        .target(
            name: "TransitQueries", dependencies: ["TransitModel", "TransitEngine", "TransitStore"],
            swiftSettings: strict),
        // Rules over query results: which notifications a user gets, and when.
        .target(
            name: "TransitNotifications",
            dependencies: ["TransitModel", "TransitEngine", "TransitQueries", "TransitStore", "TransitWire"],
            swiftSettings: strict),
        .target(name: "TransitRefresh", dependencies: ["TransitModel"], swiftSettings: strict),
        // Replies of the control protocol: query results and parameters in, wire types out.
        .target(
            name: "TransitReplies",
            dependencies: [
                "TransitModel", "TransitRefresh", "TransitEngine", "TransitStore", "TransitQueries",
                "TransitNotifications", "TransitControl", "TransitWire",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict),
        .target(name: "TransitWire", swiftSettings: strict),
        .target(name: "TransitControl", dependencies: ["TransitModel", "TransitWire"], swiftSettings: strict),
        // What the client and the agent share: connections to the daemon and to a message bus.
        .target(
            name: "TransitClient", dependencies: ["TransitControl", "TransitModel", "TransitWire", "CLinux"],
            swiftSettings: strict),
        // The queries as tools of the Model Context Protocol: a session without input and output.
        .target(
            name: "ModelContextProtocol", dependencies: ["TransitControl", "TransitWire"], swiftSettings: strict),
        // The hook notify-send, which shows notifications on the desktop.
        .target(
            name: "DesktopNotifications", dependencies: ["TransitClient", "TransitModel", "TransitWire", "CLinux"],
            swiftSettings: strict),
        // Writes TransitControl/Generated from TransitControl/Messages: `make generate`.
        .executableTarget(name: "transit-wire-generator", swiftSettings: strict),
        // Threads, descriptors, timers and clocks of Linux, for the modules that do input and output.
        .target(
            name: "TransitSystem",
            dependencies: [
                "TransitModel", "CLinux",
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: strict),
        // JSON-RPC over Unix sockets, with subscriptions, for any set of methods.
        .target(
            name: "TransitServer",
            dependencies: [
                "TransitWire", "TransitSystem", "CLinux", .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: strict),
        // Requests to upstreams: libcurl, WebSocket, files, recordings and keys.
        .target(
            name: "TransitFetch",
            dependencies: [
                "TransitModel", "TransitSystem", "TransitWire", "CCurl", "CCrypto",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict),
        .target(
            name: "TransitDaemon",
            dependencies: [
                "TransitModel", "TransitSystem", "TransitFeeds", "TransitFetch", "TransitRefresh", "TransitEngine",
                "TransitStore",
                "TransitQueries", "TransitNotifications", "TransitReplies", "TransitServer", "TransitWire",
                "TransitControl", "CLinux", "CTOML",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: strict),
        // Simulation of the refresh engine: `make simulate`, and a short run in the tests.
        .target(name: "TransitSimulation", dependencies: ["TransitModel", "TransitRefresh"], swiftSettings: strict),
        .executableTarget(name: "transit-simulate", dependencies: ["TransitSimulation"], swiftSettings: strict),
        // Simulation of a user's notifications: the diaries of the tests, and `make bench`.
        .target(
            name: "TransitNotificationSimulation",
            dependencies: ["TransitModel", "TransitNotifications", "TransitTestSupport"], swiftSettings: strict),
        // The programs of `make bench`: the feeds, all measurements, and those of notifications.
        .executableTarget(
            name: "FeedGenerator", dependencies: ["TransitModel", "TransitFeeds"],
            path: "Benchmarks/Sources/FeedGenerator", swiftSettings: strict),
        .executableTarget(
            name: "TransitBenchmark",
            dependencies: ["TransitModel", "TransitFeeds", "TransitEngine", "TransitStore", "TransitQueries"],
            path: "Benchmarks/Sources/TransitBenchmark", swiftSettings: strict),
        .executableTarget(
            name: "transit-notification-bench",
            dependencies: [
                "TransitModel", "TransitFeeds", "TransitEngine", "TransitStore", "TransitQueries",
                "TransitNotifications", "TransitNotificationSimulation",
            ],
            swiftSettings: strict),
        // Fuzzing of the readers, the engine and the control protocol: `make fuzz`, and a short run in the tests.
        .target(
            name: "TransitFuzz",
            dependencies: [
                "TransitModel", "TransitFeeds", "TransitRefresh", "TransitEngine", "TransitStore", "TransitQueries",
                "TransitWire", "TransitControl", "TransitSystem", "TransitDaemon", "TransitSimulation",
                "ModelContextProtocol", "TransitTestSupport",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict),
        .executableTarget(name: "transit-fuzz", dependencies: ["TransitFuzz"], swiftSettings: strict),
        // Comparison of journeys with an exhaustive search in real feeds: `make journeys-check`, and a short run in the tests.
        .target(
            name: "TransitJourneyCheck",
            dependencies: [
                "TransitModel", "TransitFeeds", "TransitEngine", "TransitStore", "TransitQueries", "TransitTestSupport",
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "transit-journeys-check", dependencies: ["TransitJourneyCheck", "TransitTestSupport"],
            swiftSettings: strict),

        .executableTarget(
            name: "transitd",
            dependencies: [
                "CLinux", "TransitDaemon", "TransitStore", "TransitSystem",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict, linkerSettings: smaller),
        .executableTarget(
            name: "transitctl",
            dependencies: [
                "DesktopNotifications", "ModelContextProtocol", "NotificationAgent", "TransitClient",
                "TransitControl", "TransitModel", "TransitWire",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict, linkerSettings: smaller),
        // The agent that runs hooks. It is small, so it parses its few options itself.
        .target(
            name: "NotificationAgent",
            dependencies: ["TransitClient", "TransitControl", "TransitModel", "TransitWire", "CLinux"],
            swiftSettings: strict),

        // A file system layer for SQLite whose operations fail when a test says so.
        .target(name: "CFaultySQLite", dependencies: ["CSQLite"], path: "Tests/CFaultySQLite"),
        // Starts programs for tests.
        .target(name: "CTestProcess", path: "Tests/CTestProcess"),
        .target(
            name: "TransitTestSupport",
            dependencies: [
                "TransitModel", "TransitFeeds", "TransitEngine", "TransitStore", "TransitQueries", "CFaultySQLite",
                "CTestProcess",
            ],
            path: "Tests/TransitTestSupport",
            swiftSettings: strict),
        // Separate from TransitTestSupport, because transit-fuzz uses that module and must not link Swift Testing.
        .target(name: "TransitTestTraits", path: "Tests/TransitTestTraits", swiftSettings: strict),
        .testTarget(
            name: "TransitModelTests", dependencies: ["TransitModel", "TransitStore", "TransitTestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "TransitFeedsTests",
            dependencies: ["TransitModel", "TransitFeeds", "TransitWire", "TransitTestSupport"],
            exclude: ["GoldenPairs"], swiftSettings: strict),
        .testTarget(
            name: "TransitEngineTests",
            dependencies: ["TransitModel", "TransitEngine", "TransitStore", "TransitTestSupport"],
            exclude: ["Realtime/RealtimeCases.json"], swiftSettings: strict),
        .testTarget(
            name: "TransitNotificationsTests",
            dependencies: [
                "TransitModel", "TransitFeeds", "TransitEngine", "TransitStore", "TransitQueries",
                "TransitNotifications", "TransitNotificationSimulation", "TransitWire", "TransitTestSupport",
            ],
            exclude: ["Diary/Golden", "NotificationTexts.txt", "State/SavedState.json"], swiftSettings: strict),
        .testTarget(
            name: "TransitRefreshTests", dependencies: ["TransitModel", "TransitRefresh", "TransitTestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "TransitSimulationTests", dependencies: ["TransitModel", "TransitRefresh", "TransitSimulation"],
            swiftSettings: strict),
        .testTarget(
            name: "TransitFuzzTests", dependencies: ["TransitFuzz", "TransitTestTraits"], exclude: ["Corpus"],
            swiftSettings: strict),
        .testTarget(
            name: "TransitJourneyCheckTests",
            dependencies: ["TransitModel", "TransitEngine", "TransitJourneyCheck", "TransitTestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "TransitStoreTests",
            dependencies: ["TransitModel", "TransitFeeds", "TransitStore", "TransitTestSupport", "TransitTestTraits"],
            exclude: ["Former"], swiftSettings: strict),
        .testTarget(
            name: "TransitWireTests", dependencies: ["TransitWire"], swiftSettings: strict),
        .testTarget(
            name: "TransitWireGeneratorTests", dependencies: ["transit-wire-generator"], swiftSettings: strict),
        .testTarget(
            name: "TransitQueriesTests",
            dependencies: [
                "TransitModel", "TransitFeeds", "TransitEngine", "TransitStore", "TransitQueries", "TransitTestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "TransitRepliesTests",
            dependencies: [
                "TransitModel", "TransitRefresh", "TransitEngine", "TransitStore", "TransitQueries",
                "TransitNotifications", "TransitReplies", "TransitControl", "TransitWire", "TransitTestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "TransitControlTests",
            dependencies: ["TransitModel", "TransitWire", "TransitControl", "TransitTestSupport"],
            exclude: ["Snapshots"],
            swiftSettings: strict),
        .testTarget(
            name: "TransitProtobufTests",
            dependencies: [
                "TransitModel", "TransitFeeds", "TransitTestSupport",
                .product(name: "SwiftProtobuf", package: "swift-protobuf"),
            ],
            exclude: ["README.md"], swiftSettings: strict),
        .testTarget(
            name: "TransitRealFeedTests",
            dependencies: [
                "TransitModel", "TransitFeeds", "TransitFetch", "TransitStore", "TransitEngine", "TransitQueries",
                "TransitControl", "TransitSystem", "TransitServer", "TransitWire", "TransitNotifications",
                "TransitNotificationSimulation", "TransitReplies", "TransitDaemon", "TransitTestSupport",
                "TransitTestTraits",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "TransitFetchTests",
            dependencies: [
                "TransitModel", "TransitSystem", "TransitWire", "TransitFetch", "TransitTestSupport",
                "TransitTestTraits", .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "TransitDaemonTests",
            dependencies: [
                "TransitModel", "TransitFeeds", "TransitFetch", "TransitRefresh", "TransitEngine", "TransitStore",
                "TransitQueries", "TransitNotifications", "TransitReplies",
                "TransitWire", "TransitControl", "TransitSystem", "TransitDaemon", "TransitTestSupport",
                "TransitTestTraits",
                "TransitServer", .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "TransitServerTests",
            dependencies: [
                "TransitModel", "TransitWire", "TransitControl", "TransitSystem", "TransitServer", "TransitTestTraits",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "TransitSystemTests",
            dependencies: ["TransitModel", "TransitSystem", "TransitTestSupport", "TransitTestTraits"],
            swiftSettings: strict),
        .testTarget(
            name: "TransitClientTests",
            dependencies: [
                "TransitClient", "TransitControl", "TransitModel", "TransitTestSupport", "TransitTestTraits",
                "TransitWire",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "ModelContextProtocolTests",
            dependencies: ["ModelContextProtocol", "TransitControl", "TransitWire"], exclude: ["Snapshots"],
            swiftSettings: strict),
        .testTarget(
            name: "TransitctlTests",
            dependencies: [
                "transitctl", "ModelContextProtocol", "TransitClient", "TransitControl", "TransitModel",
                "TransitTestSupport",
                "TransitTestTraits", "TransitWire",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            exclude: ["Snapshots"],
            swiftSettings: strict),
        .testTarget(
            name: "TransitNotifyTests",
            dependencies: [
                "transitctl", "NotificationAgent", "TransitClient", "TransitControl", "TransitModel",
                "TransitTestSupport",
                "TransitTestTraits", "TransitWire",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "DesktopNotificationsTests",
            dependencies: [
                "transitctl", "DesktopNotifications", "TransitClient", "TransitTestSupport",
                "TransitTestTraits",
                "TransitWire",
            ],
            swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx17
)
