import Testing
import TransitEngine
import TransitModel
import TransitStore
import TransitTestSupport

@testable import TransitQueries

/// Searches of a timetable, which compare bytes, have the results of ``StopSearch`` for all stops as strings.
@Suite struct TimetableStopSearchTests {
    /// Stops with random names, codes and translations.
    private struct Network {
        /// Fields of the stops: identifier, code, name, kind and platform.
        private(set) var stops: [[String]] = []
        /// Fields of the translations: identifier of a stop, published name and translation. One of the first two is empty.
        private(set) var translations: [[String]] = []

        private static let words = [
            "Main", "Street", "St.", "Łódź", "O'Hare", "São", "Straße", "駅前", "東京", "Площадь", "Ёлки", "Αθήνα", "Ｍ１",
            "e\u{301}te\u{301}", "น้ำ", "מרכז", "한국", "Ⅷ", "½", "İzmir", "A+", "22nd", "(North)", "–", "’", "'", "A", "ß",
            "K",
        ]

        init(_ random: inout SeededGenerator) {
            func name(_ words: ClosedRange<Int>) -> String {
                (0..<random.number(words)).map { _ in Self.words.randomElement(using: &random)! }.joined(separator: " ")
            }
            for number in 0..<random.number(1...700) {
                let id = random.number(0...3) == 0 ? "\(name(1...1)):\(number)" : "s\(number)"
                let code = ["", "\(number)", "É\(number)", name(0...1)].randomElement(using: &random)!
                let platform = ["", "", "2", "10", "É"].randomElement(using: &random)!
                stops.append([id, code, name(0...3), "\([0, 0, 1].randomElement(using: &random)!)", platform])
                if random.number(0...5) == 0 { translations.append([id, "", name(1...2)]) }
            }
            for published in Set(stops.map { $0[2] }).sorted() where !published.isEmpty && random.number(0...9) == 0 {
                translations.append(["", published, name(1...2)])
            }
        }

        var feed: FeedBuilder {
            func lines(_ rows: [[String]]) -> String {
                rows.map { $0.map { "\"\($0)\"" }.joined(separator: ",") + "\n" }.joined()
            }
            let translated = translations.map { ["stops", "stop_name", "fr", $0[2], $0[0], $0[1]] }
            let header = "table_name,field_name,language,translation,record_id,field_value\n"
            return FeedBuilder.small.adding(
                lines(stops.map { [$0[0], $0[1], $0[2], "53.5", "9.9", $0[3], "", $0[4]] }), to: "stops.txt"
            ).file("translations.txt", header + lines(translated))
        }

        /// Texts that a user may type: names and codes, their beginnings, and parts of them.
        func texts(_ random: inout SeededGenerator) -> [String] {
            let whole = (stops.flatMap { $0[0...2] } + translations.map { $0[2] }).filter { !$0.isEmpty }
            return (0..<30).map { _ in
                let text = whole.randomElement(using: &random)!
                let start = random.number(0...2) == 0 ? random.number(0...text.count) : 0
                return String(text.dropFirst(start).prefix(random.number(0...1) == 0 ? random.number(0...3) : 40))
            }
        }
    }

    private struct Scene {
        let network: Network
        let fixture: QueryFixture
        let timetable: Timetable
        /// The same timetable, whose searches keep no texts in memory.
        let unkept: Timetable
        let texts: [String]
        private let stops: [Stop]

        init(seed: UInt64) throws {
            var random = SeededGenerator(seed: seed)
            network = Network(&random)
            fixture = try QueryFixture(network.feed)
            let timetable = try #require(fixture.context.feeds.first?.timetable)
            self.timetable = timetable
            unkept = Timetable(
                feed: timetable.feed, version: timetable.version,
                file: try TimetableFile(path: timetable.file.path, stopTextLimit: 0), zones: TimeZoneDatabase())
            texts = network.texts(&random)
            stops = try (0..<timetable.file.summary.counts.stops).map { try timetable.file.stop(StopIndex($0)) }
        }

        func rank(of stop: Stop, _ query: SearchQuery) -> SearchRank? {
            let translations = network.translations.filter { translation in
                translation[0] == stop.id.rawValue
                    || translation[0].isEmpty && SearchText.fold(translation[1]) == SearchText.fold(stop.name)
            }
            let names = [stop.name] + translations.map { $0[2] }
            return
                (names.map { query.rank(folded: SearchText.fold($0)) }
                + [stop.code.flatMap { query.rank(code: $0) }, query.rank(code: stop.id.rawValue)])
                .compactMap(\.self).min()
        }

        func matches(_ text: String, count: Int) -> [(rank: SearchRank, stop: StopIndex)] {
            let query = SearchQuery(text)
            var search = StopSearch(text, count: count)
            for (position, stop) in stops.enumerated() where position % 7 != 3 {
                search.consider(.init(stop, at: StopIndex(position)), translated: rank(of: stop, query))
            }
            return search.matches.map { ($0.rank, $0.entry.stop) }
        }

        func matching(_ text: String) -> Set<StopIndex> {
            let query = SearchQuery(text)
            return Set(stops.indices.filter { rank(of: stops[$0], query) != nil }.map { StopIndex($0) })
        }
    }

    @Test(arguments: testSeeds(1, 2, 3, 4, 5, 6)) func searchFindsWhatStringsFind(seed: UInt64) throws {
        let scene = try Scene(seed: seed)
        var found = 0
        for (position, text) in scene.texts.enumerated() {
            let count = [0, 1, 5, 50, 2000][position % 5]
            let matches = try scene.timetable.search(stops: text, count: count) { $0.position % 7 != 3 }
            let expected = scene.matches(text, count: count)
            let unkept = try scene.unkept.search(stops: text, count: count) { $0.position % 7 != 3 }
            #expect(matches.map(\.index) == expected.map(\.stop), "\(text)")
            #expect(unkept.map(\.index) == expected.map(\.stop), "\(text)")
            #expect(unkept.map(\.rank) == expected.map(\.rank), "\(text)")
            #expect(try scene.unkept.matching(stops: text) == scene.matching(text), "\(text)")
            #expect(matches.map(\.rank) == expected.map(\.rank), "\(text)")
            #expect(try scene.timetable.matching(stops: text) == scene.matching(text), "\(text)")
            found += matches.count
        }
        #expect(found > 0)
    }
}
