import Testing
import TransitModel
import TransitTestSupport

@testable import TransitStore

/// Everything that is written to a timetable file is read back unchanged.
@Suite struct TimetableRoundTripTests {
    private let folder: TemporaryDirectory
    init() throws { folder = try TemporaryDirectory() }

    private func write(_ draft: TimetableDraft, name: String = "1.timetable") throws -> TimetableFile {
        try TimetableFile.write(
            draft, origin: .sample, contentDigest: "d1", report: .sample, to: folder.file(name))
        return try TimetableFile(path: folder.file(name))
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64]) func allValuesAreReadBack(seed: UInt64) throws {
        let draft = RandomDraft.make(seed: seed)
        let file = try write(draft)
        #expect(file.agencies == draft.agencies)
        #expect(file.routes == draft.routes)
        #expect(file.services == draft.services)
        for (position, stop) in draft.stops.enumerated() {
            #expect(try file.stop(StopIndex(position)) == stop)
            #expect(try file.stop(id: stop.id) == StopIndex(position))
            let children = draft.stops.indices.filter { draft.stops[$0].parent == StopIndex(position) }
            #expect(try file.children(of: StopIndex(position)) == children.map { StopIndex($0) })
        }
        for position in 0..<draft.texts.count {
            #expect(try file.text(TextIndex(position)) == draft.texts[position])
        }
        for position in 0..<draft.shapes.count {
            let shape = try file.shape(ShapeIndex(position))
            #expect(shape.id.rawValue == draft.shapes.ids[position])
            let packed = draft.shapes.packed
            #expect(shape.points == ShapePacking.points(packed.bytes[packed.range(position)]))
        }
    }

    @Test(arguments: [5, 6] as [UInt64]) func tripsAndPatternsAreReadBack(seed: UInt64) throws {
        let draft = RandomDraft.make(seed: seed)
        let file = try write(draft)
        for position in 0..<draft.trips.count {
            let trip = draft.trips[TripIndex(position)]
            #expect(try file.trip(TripIndex(position)) == trip)
            #expect(try file.trip(id: trip.id) == TripIndex(position))
        }
        try draft.patterns.forEachPattern { (pattern: Pattern) throws in
            let read = try file.pattern(pattern.index)
            #expect(PatternContent(read) == PatternContent(pattern))
            for (number, timingGroup) in pattern.timingGroups.enumerated() {
                var (arrivals, departures): ([Int32], [Int32]) = ([7], [])
                read.readTimes(ofTimingGroup: number, arrivals: &arrivals, departures: &departures)
                #expect(
                    arrivals == timingGroup.times.map(\.arrival) && departures == timingGroup.times.map(\.departure))
                for position in timingGroup.starts.indices {
                    let trip = timingGroup.trip(position)
                    let place = try #require(try file.locate(trip))
                    #expect(place.pattern.index == pattern.index)
                    #expect(place.timingGroup == number)
                    #expect(place.position == position)
                    for near in [0, number, number + 1, .max] {
                        #expect(try #require(read.position(of: trip, near: near)) == (number, position))
                    }
                }
            }
        }
    }

    @Test(arguments: [5, 6] as [UInt64]) func batchLookupMatchesSingleLookups(seed: UInt64) throws {
        let draft = RandomDraft.make(seed: seed)
        let file = try write(draft)
        let trips = (0..<draft.trips.count).map { TripIndex($0) }
        // In a different order, with unknown identifiers and a duplicate.
        let ids = trips.reversed().flatMap { [draft.trips[$0].id, TripID("not \($0.rawValue)")] }
        let twice = try #require(ids.first)
        let found = try file.locate(ids + [twice])
        #expect(found.count == ids.count + 1)
        for (id, location) in zip(ids + [twice], found) {
            let trip = try file.trip(id: id)
            let alone = try trip.flatMap { try file.locate($0) }
            #expect((trip == nil) == id.rawValue.hasPrefix("not "))
            #expect(location?.pattern.index == alone?.pattern.index)
            #expect(location?.timingGroup == alone?.timingGroup && location?.position == alone?.position)
        }
        #expect(try file.locate([]).isEmpty)
    }

    @Test func stopLocationsMatchStops() throws {
        let draft = RandomDraft.make(seed: 7)
        let file = try write(draft)
        let all = draft.stops.map { StopLocation($0) }
        #expect(try file.stopLocations(ofStops: 0..<all.count + 64) == all)
        #expect(try file.stopLocations(ofStops: 1..<3) == Array(all[1..<3]))
        #expect(try file.stopLocations(ofStops: all.count..<all.count + 64).isEmpty)
    }

    @Test func visitsAndPatternsAreReadBack() throws {
        let draft = RandomDraft.make(seed: 7)
        let file = try write(draft)
        var visits: [StopIndex: [[Int]]] = [:]
        var patterns: [RouteIndex: [PatternIndex]] = [:]
        draft.patterns.forEachPattern { pattern in
            patterns[pattern.route, default: []].append(pattern.index)
            for (position, call) in pattern.calls.enumerated() {
                visits[call.stop, default: []].append([pattern.index.position, position])
            }
        }
        for position in draft.stops.indices {
            let found = try file.patterns(at: StopIndex(position)).map { [$0.pattern.index.position, $0.position] }
            #expect(found == visits[StopIndex(position)] ?? [])
        }
        for position in draft.routes.indices {
            let found = try file.patterns(of: RouteIndex(position)).map(\.index)
            #expect(found == patterns[RouteIndex(position)] ?? [])
            #expect(file.route(id: draft.routes[position].id) == RouteIndex(position))
        }
        #expect(file.route(id: "nothing") == nil)
    }

    @Test func transfersTranslationsAndReportAreReadBack() throws {
        let draft = RandomDraft.make(seed: 8)
        let file = try write(draft)
        for stop in [nil] + draft.stops.indices.map({ StopIndex($0) as StopIndex? }) {
            #expect(try file.transfers(from: stop) == draft.transfers.filter { $0.fromStop == stop })
        }
        for translation in draft.translations {
            let text = try file.translation(
                table: translation.table, field: translation.field, language: translation.language,
                of: translation.subject)
            #expect(text == translation.text)
        }
        #expect(
            try file.translation(table: "stops", field: "name", language: "fr", of: .value("value 0")) == nil)
        #expect(try file.report() == .sample)
    }

    @Test func summaryHasCountsAndDates() throws {
        var draft = RandomDraft.make(seed: 9)
        let written = try TimetableFile.write(
            draft, origin: .sample, contentDigest: "d1", report: .sample, to: folder.file("a"))
        let summary = try TimetableFile.summary(ofFileAt: folder.file("a"))
        #expect(summary == written)
        #expect(summary.counts.trips == draft.trips.count)
        #expect(summary.counts.stops == draft.stops.count)
        #expect(summary.counts.stopTimes == 12_345)
        #expect(summary.feedInfo == draft.feedInfo)
        #expect(summary.origin == .sample)
        #expect(summary.contentDigest == "d1")
        let spans = draft.services.compactMap(\.span)
        let dates = try #require(summary.serviceDates)
        #expect(dates.lowerBound == spans.map(\.lowerBound).min())
        #expect(dates.upperBound == spans.map(\.upperBound).max())
        var latest: Int32 = 0
        draft.patterns.forEachPattern { pattern in
            for timingGroup in pattern.timingGroups {
                let starts = timingGroup.starts + timingGroup.frequencies.map(\.end)
                let times: [Int32] = [0] + timingGroup.times.flatMap { [$0.arrival, $0.departure] }
                latest = max(latest, starts.max()! + times.max()!)
            }
        }
        #expect(summary.latestStopTime == ServiceTime(seconds: latest))
        draft.feedInfo = nil
        draft.services = draft.services.map { Service(id: $0.id, weekdays: 0, start: $0.start, end: $0.end) }
        try TimetableFile.write(draft, origin: .sample, contentDigest: "", report: .init(), to: folder.file("b"))
        let bare = try TimetableFile.summary(ofFileAt: folder.file("b"))
        #expect(bare.feedInfo == nil)
        #expect(bare.serviceDates == nil)
    }

    @Test func emptyDraftIsWritten() throws {
        let file = try write(TimetableDraft(patterns: PatternList([])))
        #expect(file.summary.counts == TimetableSummary.Counts())
        #expect(try file.trip(id: "x") == nil)
        #expect(try file.locate(["x"]).allSatisfy { $0 == nil })
        #expect(try file.stop(id: "x") == nil)
        #expect(try file.stops(near: Coordinate(latitude: 1, longitude: 1)!, within: 1000).isEmpty)
        #expect(throws: StoreError.self) { try file.stop(StopIndex(0)) }
        #expect(throws: StoreError.self) { try file.pattern(PatternIndex(0)) }
        #expect(throws: StoreError.self) { try file.trip(TripIndex(0)) }
        #expect(throws: StoreError.self) { try file.text(TextIndex(0)) }
        #expect(throws: StoreError.self) { try file.shape(ShapeIndex(0)) }
    }

    @Test(arguments: testSeeds(11)) func nearbyStopsAreCompleteAndSorted(seed: UInt64) throws {
        var draft = TimetableDraft(patterns: PatternList([]))
        let center = Coordinate(latitude: 48.2, longitude: 16.37)!
        var generator = SeededGenerator(seed: seed)
        for position in 0..<500 {
            let place = Coordinate(
                latitude: 48.2 + Double.random(in: -0.02...0.02, using: &generator),
                longitude: 16.37 + Double.random(in: -0.02...0.02, using: &generator))
            draft.stops.append(Stop(id: StopID("\(position)"), name: "n", coordinate: place))
        }
        let near = try write(draft).stops(near: center, within: 800)
        let expected = draft.stops.indices.filter { center.distance(to: draft.stops[$0].coordinate!) <= 800 }
        #expect(Set(near.map(\.stop.position)) == Set(expected))
        #expect(near.map(\.meters) == near.map(\.meters).sorted())
        #expect(expected.count > 10)
    }

    @Test func nearbyStopsAtDateLineAndPoles() throws {
        var draft = TimetableDraft(patterns: PatternList([]))
        let places = [
            (0.0, 179.9999), (0.0, -179.9999), (0.0, 179.0), (89.9999, 0.0), (89.9999, 180.0), (-89.9999, 90.0),
        ]
        for (latitude, longitude) in places {
            draft.stops.append(
                Stop(id: "s", name: "n", coordinate: Coordinate(latitude: latitude, longitude: longitude)))
        }
        let file = try write(draft)
        func near(_ latitude: Double, _ longitude: Double, _ meters: Double) throws -> [Int] {
            let place = try #require(Coordinate(latitude: latitude, longitude: longitude))
            return try file.stops(near: place, within: meters).map(\.stop.position).sorted()
        }
        #expect(try near(0, 180, 20) == [0, 1])
        #expect(try near(0, -180, 20) == [0, 1])
        #expect(try near(90, 77, 20) == [3, 4])
        #expect(try near(-90, 0, 20) == [5])
        #expect(try near(1, 1, .infinity) == [0, 1, 2, 3, 4, 5])
        #expect(try near(0, 180, .nan) == [])
        #expect(try near(0, 180, -1) == [])
    }

    @Test func stopNamesAreFolded() throws {
        var draft = RandomDraft.make(seed: 12, stops: 700)
        draft.stops[3].name = "Łódź Fabryczna/Dw."
        let file = try write(draft)
        var seen: [TimetableFile.SearchableStop] = []
        try file.searchStops { seen.append($0) }
        #expect(seen.map(\.foldedName) == draft.stops.map { SearchText.fold($0.name) })
        #expect(seen.map(\.index.position) == Array(draft.stops.indices))
        #expect(seen.map(\.code) == draft.stops.map(\.code))
        #expect(seen.map(\.kind) == draft.stops.map(\.kind))
        #expect(seen.map(\.parent) == draft.stops.map(\.parent))
        #expect(seen[3].foldedName == "lodz fabryczna dw")
    }

    /// Texts of all lengths, also some that are too long to be kept, and a table that is too small for all stops.
    @Test(arguments: [0, 100, 20_000, 10_000_000]) func searchesFindTheSameWithAndWithoutKeptTexts(limit: Int) throws {
        for longest in [1, 65_534, 65_535, 70_000] {
            var draft = RandomDraft.make(seed: 13, stops: 300)
            draft.stops[7].name = String(repeating: "é", count: longest)
            draft.stops[8].code = ""
            draft.stops[9].name = "–"
            draft.stops[299].isKept = false
            _ = try write(draft)
            let file = try TimetableFile(path: folder.file("1.timetable"), stopTextLimit: limit)
            for _ in 0..<2 {
                for includesOutside in [false, true] {
                    let wanted = draft.stops.indices.filter { $0 % 3 != 1 && (includesOutside || $0 != 299) }
                    var seen: [TimetableFile.SearchableStop] = []
                    let searched = { (texts: TimetableFile.StopTexts) in
                        !draft.stops.indices.contains {
                            $0 % 3 == 1 && texts.id.elementsEqual(draft.stops[$0].id.rawValue.utf8)
                        }
                    }
                    try file.searchStops(includesOutside: includesOutside, where: searched) { stop in
                        // A search may query the file.
                        if (try? file.stop(stop.index).id) == stop.id { seen.append(stop) }
                    }
                    #expect(seen.map(\.index.position) == wanted)
                    #expect(seen.map(\.id) == wanted.map { draft.stops[$0].id })
                    #expect(seen.map(\.foldedName) == wanted.map { SearchText.fold(draft.stops[$0].name) })
                    #expect(seen.map(\.code) == wanted.map { draft.stops[$0].code })
                    #expect(seen.map(\.platform) == wanted.map { draft.stops[$0].platform })
                    #expect(seen.map(\.kind) == wanted.map { draft.stops[$0].kind })
                    #expect(seen.map(\.parent) == wanted.map { draft.stops[$0].parent })
                    #expect(seen.map(\.isKept) == wanted.map { draft.stops[$0].isKept })
                    var all: [TimetableFile.SearchableStop] = []
                    try file.searchStops(includesOutside: includesOutside) { all.append($0) }
                    #expect(all.count == (includesOutside ? 300 : 299))
                    #expect(all.filter { $0.index.position % 3 != 1 } == seen)
                }
            }
        }
    }

    @Test func onlyASearchWithAConditionKeepsTexts() throws {
        let file = try write(RandomDraft.make(seed: 14, stops: 300))
        try file.searchStops { _ in }
        #expect(file.stopTexts.kept == nil)
        try file.searchStops { _ in
            false
        } _: { _ in
        }
        #expect(file.stopTexts.kept?.isComplete == true)
        let small = try TimetableFile(path: file.path, stopTextLimit: 100)
        try small.searchStops { _ in
            false
        } _: { _ in
        }
        #expect(small.stopTexts.kept == nil)
    }
}

/// The members of a pattern as a comparable value.
struct PatternContent: Equatable {
    struct TimingGroupContent: Equatable {
        var times: [CallTimes]
        var firstTrip: TripIndex
        var starts: [Int32]
        var services: [ServiceIndex]
        var frequencies: [Frequency]
    }
    var index: PatternIndex
    var route: RouteIndex
    var direction: Direction?
    var calls: [PatternCall]
    var timingGroups: [TimingGroupContent]

    init(_ pattern: Pattern) {
        index = pattern.index
        route = pattern.route
        direction = pattern.direction
        calls = Array(pattern.calls)
        timingGroups = pattern.timingGroups.map {
            TimingGroupContent(
                times: $0.times, firstTrip: $0.firstTrip, starts: $0.starts, services: $0.services,
                frequencies: $0.frequencies)
        }
    }
}
