import Testing
import TransitModel
import TransitTestSupport
import TransitTestTraits

@testable import TransitStore

/// The files of networks beside the versions of a timetable.
@Suite(.ownThreads) struct JourneyNetworkFileTests {
    private let folder: TemporaryDirectory
    private let path: String
    private let source = JourneyNetwork.Source(hash: 7)

    init() throws {
        folder = try TemporaryDirectory()
        path = folder.file("city")
    }

    /// A network without stops and routes.
    private func empty(_ source: JourneyNetwork.Source) -> [UInt8] {
        let rows = JourneyNetwork.Table.allCases.map { table in
            switch table {
            case .nodesOfStops, .visitsOfNodes, .footpathsOfNodes, .routes, .routesOfPatterns: 1
            default: 0
            }
        }
        let size = JourneyNetworkHeader.encode(source, rows: rows, checksum: 0).size
        func bytes(_ checksum: UInt32) -> [UInt8] {
            let header = JourneyNetworkHeader.encode(source, rows: rows, checksum: checksum).bytes
            return header + [UInt8](repeating: 0, count: size - header.count)
        }
        let sum = bytes(0).withUnsafeBytes {
            JourneyNetworkFile.checksum(UnsafeRawBufferPointer(rebasing: $0[JourneyNetworkHeader.checkedFrom...]))
        }
        return bytes(sum)
    }

    @discardableResult
    private func add(_ name: String, to library: TimetableLibrary) throws -> TimetableFile {
        try library.add(
            TimetableDraft(patterns: PatternList([])), origin: .sample, contentDigest: name, report: .sample)
        return try #require(library.current)
    }

    private var names: [String] { TemporaryDirectory.names(path) }

    @Test func networkIsFoundAgain() throws {
        let file = try add("one", to: try TimetableLibrary(directory: path))
        #expect(try JourneyNetworkFile.open(of: file, from: source) == nil)
        let library = try TimetableLibrary(directory: path)
        let current = try #require(library.current)
        #expect(try library.writeNetwork(empty(source), of: current))
        #expect(names == ["1.network", "1.timetable", "live"])
        #expect(folder.mode("city/1.network") == 0o600)
        let network = try #require(try JourneyNetworkFile.open(of: current, from: source))
        #expect(network.routeCount == 0)
        #expect(network.source == source)
        #expect(try TimetableLibrary(directory: path).currentNumber == 1)
        #expect(names == ["1.network", "1.timetable", "live"])
    }

    @Test func networkOfOtherSourceOrFormatIsNotUsed() throws {
        let library = try TimetableLibrary(directory: path)
        let file = try add("one", to: library)
        #expect(try library.writeNetwork(empty(JourneyNetwork.Source(hash: 8)), of: file))
        #expect(try JourneyNetworkFile.open(of: file, from: source) == nil)
        var bytes = empty(source)
        bytes[7] -= 1
        for other in [bytes, [], [1, 2, 3]] {
            #expect(try library.writeNetwork(other, of: file))
            #expect(try JourneyNetworkFile.open(of: file, from: source) == nil)
        }
    }

    @Test func damageIsDetected() throws {
        let library = try TimetableLibrary(directory: path)
        let file = try add("one", to: library)
        let whole = empty(source)
        for position in whole.indices {
            var bytes = whole
            bytes[position] ^= 4
            #expect(try library.writeNetwork(bytes, of: file))
            let found = Result { try JourneyNetworkFile.open(of: file, from: source) }
            // The first 16 bytes are the format and the source.
            if position < 16 {
                #expect(try found.get() == nil, "byte \(position)")
            } else {
                #expect(throws: StoreError.self, "byte \(position)") { try found.get() }
            }
        }
        for count in stride(from: 0, to: whole.count, by: 5) {
            #expect(try library.writeNetwork(Array(whole[..<count]), of: file))
            #expect((try? JourneyNetworkFile.open(of: file, from: source)) ?? nil == nil)
        }
    }

    @Test func folderInItsPlaceIsReported() throws {
        let library = try TimetableLibrary(directory: path)
        let file = try add("one", to: library)
        try FileSystem.makeDirectory(path + "/1.network")
        #expect(throws: StoreError.self) { try JourneyNetworkFile.open(of: file, from: source) }
    }

    @Test func onlyCurrentVersionHasNetwork() throws {
        let library = try TimetableLibrary(directory: path)
        let first = try add("one", to: library)
        #expect(try library.writeNetwork(empty(source), of: first))
        let mapped = try #require(try JourneyNetworkFile.open(of: first, from: source))
        let second = try add("two", to: library)
        #expect(names == ["1.timetable", "2.timetable", "live"])
        #expect(try !library.writeNetwork(empty(source), of: first))
        #expect(names == ["1.timetable", "2.timetable", "live"])
        #expect(try library.writeNetwork(empty(source), of: second))
        try library.rollback()
        #expect(names == ["1.timetable", "2.timetable", "live", "rolled-back-from"])
        #expect(try library.writeNetwork(empty(source), of: #require(library.current)))
        #expect(names == ["1.network", "1.timetable", "2.timetable", "live", "rolled-back-from"])
        // A network in use outlives its file.
        #expect(mapped.stopCount == 0)
        #expect(mapped.routes.count == 1)
    }

    @Test func damagedVersionLosesItsNetwork() throws {
        let library = try TimetableLibrary(directory: path)
        try add("one", to: library)
        let second = try add("two", to: library)
        #expect(try library.writeNetwork(empty(source), of: second))
        #expect(try library.abandonCurrent(at: second.path))
        #expect(names == ["1.timetable", "2.damaged", "live"])
    }

    @Test func unfinishedAndForeignNetworksAreRemovedAtStart() throws {
        try add("one", to: try TimetableLibrary(directory: path))
        for name in ["1.network.building", "2.network", "7.network", "1.network"] {
            try FileSystem.write([1], to: path + "/" + name)
        }
        _ = try TimetableLibrary(directory: path)
        #expect(names == ["1.network", "1.timetable", "live"])
    }

    /// Every operation fails once, or from then on. The network is whole or missing, and the timetable is in use.
    @Test(arguments: [true, false]) func failedWriteLeavesWholeOrNoNetwork(isLasting: Bool) throws {
        var operation = 0
        while true {
            operation += 1
            let path = folder.file("\(operation)-\(isLasting)")
            let library = try TimetableLibrary(directory: path)
            let file = try add("one", to: library)
            let counter = FailureCounter(first: operation, isLasting: isLasting)
            var isConfirmed = false
            FileFaults.$current.withValue(counter.faults) {
                isConfirmed = (try? library.writeNetwork(empty(source), of: file)) ?? false
            }
            #expect(library.current === file)
            let again = try TimetableLibrary(directory: path)
            #expect(again.openErrors.isEmpty)
            #expect(TemporaryDirectory.names(path).filter { $0.hasSuffix(".building") } == [])
            let found = try JourneyNetworkFile.open(of: #require(again.current), from: source)
            #expect(found != nil || !isConfirmed, "operation \(operation)")
            if counter.count < operation { break }
        }
        #expect(operation > 5)
    }
}
