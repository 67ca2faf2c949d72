import Testing
import TransitModel
import TransitTestSupport

@testable import TransitStore

/// The pathways of a timetable file, and files of releases with and without them.
@Suite struct TimetablePathwaysTests {
    private let folder: TemporaryDirectory
    init() throws { folder = try TemporaryDirectory() }

    private static let pathways = Pathways(locations: (0..<700).map(location), pathways: (0..<699).map(pathway))

    private static func location(_ number: Int) -> PathwayLocation {
        var location = PathwayLocation(stop: nil, station: StopIndex(number % 7), isEntrance: number % 4 == 0)
        if number % 3 == 0 { location.stop = StopIndex(number % 70) }
        if number % 5 == 0 { location.platform = StopIndex(number % 11) }
        if number % 2 == 0 { location.coordinate = Coordinate(latitude: 50 + Double(number) / 1e7, longitude: -7.5) }
        return location
    }

    private static func pathway(_ number: Int) -> Pathway {
        var pathway = Pathway(
            from: UInt32(number), to: UInt32(number + 1), mode: Pathway.Mode.allCases[number % 7],
            isBidirectional: number % 2 == 0)
        if number % 3 == 0 { pathway.length = Int32(number) }
        if number % 4 == 0 { pathway.traversalTime = Int32(number) }
        if number % 5 == 0 { pathway.stairCount = Int32(-number) }
        if number % 6 == 0 { pathway.maximumSlope = -830 }
        if number % 7 == 0 { pathway.minimumWidth = 90 }
        return pathway
    }

    private func write(_ pathways: Pathways) throws -> String {
        var draft = RandomDraft.make(seed: 5)
        draft.pathways = pathways
        let path = folder.file("1.timetable")
        try TimetableFile.write(draft, origin: .sample, contentDigest: "d1", report: .sample, to: path)
        return path
    }

    @Test func pathwaysAreReadBack() throws {
        let file = try TimetableFile(path: try write(Self.pathways))
        #expect(try file.hasPathwaysTable())
        #expect(try file.pathways() == Self.pathways)
    }

    @Test func fileWithoutPathwaysHasAnEmptyTable() throws {
        let file = try TimetableFile(path: try write(Pathways()))
        #expect(try file.hasPathwaysTable())
        #expect(try file.pathways() == Pathways())
    }

    @Test func fileOfEarlierReleaseHasNone() throws {
        let path = try write(Self.pathways)
        try SQLiteConnection.database(path, isReader: false).execute(
            "DROP TABLE pathways; DROP TABLE pathway_locations; VACUUM")
        let file = try TimetableFile(path: path)
        #expect(try !file.hasPathwaysTable())
        #expect(try file.pathways() == Pathways())
        #expect(try file.stop(StopIndex(3)) == RandomDraft.make(seed: 5).stops[3])
    }

    /// An earlier release reads the same version and the same columns of all tables that it knows, and ignores others.
    @Test func earlierReleaseCanReadTheFile() throws {
        func schema(_ path: String) throws -> [String: String] {
            let connection = try SQLiteConnection.reading(path)
            #expect(try connection.value("PRAGMA user_version", as: Int.self) == 3)
            let rows = try connection.prepare("SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL")
            var tables: [String: String] = [:]
            while try rows.step() { tables[rows.text(0)] = rows.text(1) }
            return tables
        }
        var tables = try schema(try write(Self.pathways))
        #expect(tables.removeValue(forKey: "pathways") != nil)
        #expect(tables.removeValue(forKey: "pathway_locations") != nil)
        let empty = folder.file("empty.sqlite")
        let connection = try SQLiteConnection.building(empty)
        try connection.execute("PRAGMA user_version = 3;" + TimetableSchema.tables + TimetableSchema.indexes)
        #expect(try tables == schema(empty))
        var without = try schema(try write(Pathways()))
        #expect(without.removeValue(forKey: "pathways") != nil)
        #expect(without == tables)
    }

    @Test func unknownLocationIsCorrupt() throws {
        let path = try write(Self.pathways)
        try SQLiteConnection.database(path, isReader: false).execute(
            "UPDATE pathways SET to_location = 700 WHERE pathway = 3")
        let file = try TimetableFile(path: path)
        #expect(throws: StoreError.self) { try file.pathways() }
        try SQLiteConnection.database(path, isReader: false).execute(
            "UPDATE pathways SET to_location = 4, mode = 8 WHERE pathway = 3")
        #expect(throws: StoreError.self) { try TimetableFile(path: path).pathways() }
    }

    @Test func draftWithUnknownLocationIsRefused() {
        let wrong = Pathways(pathways: [Pathway(from: 0, to: 1, mode: .walkway, isBidirectional: true)])
        #expect(throws: StoreError.self) { try write(wrong) }
    }
}
