import Foundation
import Testing
import TransitFeeds
import TransitModel
import TransitTestSupport

@testable import TransitQueries

/// Tests of the search in the catalog of public feeds.
@Suite struct CatalogSearchTests {
    private static func entry(
        _ number: Int, _ provider: String, town: String = "", region: String = "", country: String = "",
        _ change: (inout CatalogEntry) -> Void = { _ in }
    ) -> CatalogEntry {
        var entry = CatalogEntry(id: "mdb-\(number)", datasets: [.static], provider: provider)
        entry.location.municipality = town
        entry.location.subdivision = region
        entry.location.country = country
        change(&entry)
        return entry
    }

    private static func box(_ south: Double, _ north: Double, _ west: Double, _ east: Double) -> BoundingBox? {
        BoundingBox(latitudes: (south, north), longitudes: (west, east))
    }

    private static func ids(_ matches: [CatalogMatch]) -> [String] { matches.map(\.entry.id) }

    private static let cities = CatalogSearch([
        entry(1, "MVV", town: "Munich", country: "DE"), entry(2, "Kölner Verkehrs-Betriebe", country: "DE"),
        entry(3, "London Transit Commission", town: "London", region: "Ontario", country: "CA"),
        entry(4, "London Buses", town: "Greater London", country: "GB"),
        entry(5, "Ver\u{AD}kehrs\u{AD}ver\u{AD}bund Nürn\u{AD}berg", region: "Bayern", country: "DE"),
        entry(6, "Wiener Linien", region: "Wien", country: "AT"),
        entry(7, "Zarząd Transportu Miejskiego", town: "Łódź", country: "PL"),
    ])

    @Test(arguments: [
        ("munich", "mdb-1"), ("München", "mdb-1"), ("MUENCHEN", nil), ("muni", "mdb-1"), ("Köln", "mdb-2"),
        ("Cologne", "mdb-2"), ("koln verk", "mdb-2"), ("Nürnberg", "mdb-5"), ("Nuremberg", "mdb-5"),
        ("Vienna", "mdb-6"), ("lodz", "mdb-7"), ("Łódź", "mdb-7"), ("lodz pl", "mdb-7"), ("lodz de", nil),
        ("unich", nil), ("", nil), ("?!", nil), ("mdb-3", "mdb-3"), ("MDB-4", "mdb-4"), ("mdb-", nil),
    ])
    func namesMatchByWordsWithoutAccents(text: String, expected: String?) {
        #expect(Self.ids(Self.cities.named(text)).first == expected)
    }

    @Test func timetableOfTheTownPrecedesOneWithTheWordInItsName() {
        #expect(Self.ids(Self.cities.named("London")) == ["mdb-3", "mdb-4"])
        #expect(Self.ids(Self.cities.named("London Ontario")) == ["mdb-3"])
        #expect(Self.ids(Self.cities.named("greater london")) == ["mdb-4"])
    }

    /// The state has many timetables without a town, and the town is not called like the state.
    @Test func townThatBeginsWithTheTextPrecedesARegion() {
        let search = CatalogSearch([
            Self.entry(1, "Harbor Ferry", region: "New York", country: "US"),
            Self.entry(2, "Subway", town: "New York City", region: "New York", country: "US"),
            Self.entry(3, "Shuttle", region: "New Mexico", country: "US"),
            Self.entry(4, "Metro", town: "Mexico City", country: "MX"),
        ])
        #expect(Self.ids(search.named("new york")) == ["mdb-2", "mdb-1"])
        #expect(Self.ids(search.named("Mexico")) == ["mdb-4", "mdb-3"])
    }

    /// The name of the country in another language finds the capital like the English one.
    @Test(arguments: ["mexico", "mexiko", "México"]) func cityWithTheNameOfTheCountryIsFirst(text: String) {
        let search = CatalogSearch([
            Self.entry(1, "Gobierno", town: "Toluca", region: "Mexico", country: "MX"),
            Self.entry(2, "Metro", town: "Mexico City", country: "MX"),
            Self.entry(3, "Mi Transporte", town: "Guadalajara", region: "Jalisco", country: "MX"),
        ])
        #expect(Self.ids(search.named(text)) == ["mdb-2", "mdb-1", "mdb-3"])
    }

    /// The catalog has the codes of countries, not their names.
    @Test func countryAndRegionPrecedeALongerName() {
        let search = CatalogSearch([
            Self.entry(1, "Navajo Transit", region: "New Mexico", country: "US"),
            Self.entry(2, "Red Apple", town: "Farmington", region: "New Mexico", country: "US"),
            Self.entry(3, "Metrob\u{FA}s", region: "Mexico City", country: "MX"),
            Self.entry(4, "Gobierno", town: "Toluca", region: "Mexico", country: "MX"),
            Self.entry(5, "Mi Transporte", town: "Guadalajara", region: "Jalisco", country: "MX"),
            Self.entry(6, "Grupo de Autobuses", country: "MX"),
            Self.entry(7, "Guadalajara Bus", town: "Guadalajara", country: "ES"),
        ])
        let expected = ["mdb-6", "mdb-3", "mdb-4", "mdb-5", "mdb-1", "mdb-2"]
        #expect(Self.ids(search.named("Mexico")) == expected)
        #expect(Self.ids(search.named("M\u{E9}xico")) == expected)
        #expect(Self.ids(search.named("mexiko")) == ["mdb-6", "mdb-3", "mdb-4", "mdb-5"])
        #expect(search.named("mexiko").map(\.isWhole) == [true, true, true, true])
        #expect(Self.ids(search.named("New Mexico")) == ["mdb-1", "mdb-2"])
        #expect(Self.ids(search.named("guadalajara mexico")) == ["mdb-5"])
        #expect(Self.ids(search.named("Spain")) == ["mdb-7"])
        #expect(Self.ids(search.named("United States")) == ["mdb-1", "mdb-2"])
        #expect(search.named("New Zealand").isEmpty)
    }

    @Test func wholeWordPrecedesTheBeginningOfATown() {
        let search = CatalogSearch([
            Self.entry(1, "Omnitrans", town: "San Bernardino"), Self.entry(2, "Verkehr Bern"),
        ])
        #expect(Self.ids(search.named("bern")) == ["mdb-2", "mdb-1"])
        #expect(search.named("bern").map(\.isWhole) == [true, false])
        #expect(search.named("bernar").map(\.isWhole) == [false])
    }

    @Test func tableOfCitiesHasAtMostTwoHundredLines() {
        #expect((100...200).contains(CityNames.count))
        #expect(CityNames.others[["munich"]]?.contains(["munchen"]) == true)
        // A line whose names are equal without accents has no effect.
        #expect(CityNames.others.allSatisfy { !$0.key.isEmpty && !$0.value.isEmpty })
    }

    // MARK: Retired entries

    private static func retired(_ number: Int, by successors: [Int], _ provider: String = "Old Bus") -> CatalogEntry {
        entry(number, provider) { entry in
            entry.status = .deprecated
            entry.successors = successors.map { "mdb-\($0)" }
            entry.downloadURL = "https://old.example/\(number).zip"
        }
    }

    @Test func retiredEntriesStandForTheirSuccessor() throws {
        let search = CatalogSearch([
            Self.retired(1, by: [2]), Self.retired(2, by: [3, 4]), Self.retired(3, by: []),
            Self.entry(4, "New Tram") { $0.downloadURL = "https://new.example/4.zip" },
        ])
        let matches = search.named("old bus")
        #expect(Self.ids(matches) == ["mdb-4", "mdb-3"])
        #expect(matches[0].replaced == ["mdb-1", "mdb-2"])
        // An entry without a successor is the last result, with its status.
        #expect(matches[1].entry.status == .deprecated)
        let retirement = try #require(search.retirement(ofURL: "http://old.example/1.zip"))
        #expect((retirement.entry.id, retirement.successor.id) == ("mdb-1", "mdb-4"))
        #expect(search.retirement(ofURL: "https://old.example/3.zip") == nil)
        #expect(search.retirement(ofURL: "https://new.example/4.zip") == nil)
        #expect(search.contains(url: "https://new.example/4.zip") && !search.contains(url: "https://new.example/5.zip"))
    }

    @Test func redirectCyclesEnd() {
        let chain = (1...200).map { Self.retired($0, by: [$0 % 200 + 1, $0]) }
        let search = CatalogSearch(chain)
        #expect(search.named("old").count == 200)
        let broken = CatalogSearch([Self.retired(1, by: [1]), Self.retired(2, by: [9])])
        #expect(Self.ids(broken.named("old")) == ["mdb-1", "mdb-2"])
    }

    @Test func successorKeepsTheURLOfTheRetiredEntry() {
        let search = CatalogSearch([
            Self.retired(1, by: [2]), Self.entry(2, "Bus") { $0.downloadURL = "https://old.example/1.zip" },
        ])
        #expect(search.retirement(ofURL: "https://old.example/1.zip") == nil)
    }

    @Test func realtimeFeedsAreListedWithTheirTimetable() throws {
        var realtime = CatalogEntry(id: "mdb-9", datasets: [.vehicles], provider: "Bus")
        realtime.timetables = ["mdb-1", "mdb-404"]
        var old = realtime
        (old.id, old.status) = ("mdb-10", .deprecated)
        let search = CatalogSearch([realtime, old, Self.retired(1, by: [2]), Self.entry(2, "Bus")])
        let match = try #require(search.named("bus").first)
        #expect(match.entry.id == "mdb-2")
        #expect(match.realtime.map(\.id) == ["mdb-9"])
    }

    // MARK: Positions

    @Test func nearestThenSmallestThenOfficialFeedIsFirst() throws {
        let search = CatalogSearch([
            Self.entry(1, "Country") { $0.box = Self.box(47, 55, 6, 15) },
            Self.entry(2, "Town") { $0.box = Self.box(50, 50.2, 8, 8.2) },
            Self.entry(3, "Copy") {
                $0.box = Self.box(50, 50.2, 8, 8.2)
                $0.isOfficial = true
            },
            Self.entry(4, "Neighbor") { $0.box = Self.box(50.3, 50.4, 8, 8.2) },
            Self.entry(5, "Far") { $0.box = Self.box(52, 52.1, 8, 8.2) }, Self.entry(6, "Unknown"),
            Self.retired(7, by: [6]),
        ])
        let place = try #require(Coordinate(latitude: 50.1, longitude: 8.1))
        let matches = search.near(place)
        #expect(Self.ids(matches) == ["mdb-3", "mdb-2", "mdb-1", "mdb-4"])
        #expect(matches[0].distance == 0)
        #expect((22_000...23_000).contains(try #require(matches[3].distance)))
    }

    @Test func reversedAndWorldwideBoxesAreHandled() throws {
        let sark = try #require(BoundingBox(latitudes: (49.46, 49.38), longitudes: (-2.32, -2.54)))
        #expect((sark.south, sark.north, sark.west, sark.east) == (49.38, 49.46, -2.54, -2.32))
        #expect(Self.box(-90, 69, -170, 180) == nil)
        #expect(Self.box(-89.5, 69.5, 0, 87) == nil)
        #expect(Self.box(0, 0, 0, 0) == nil)
        #expect(Self.box(91, 92, 0, 1) == nil)
        #expect(Self.box(.nan, 1, 0, 1) == nil)
        let fiji = try #require(BoundingBox(latitudes: (-19, -16), longitudes: (177, -179)))
        let suva = try #require(Coordinate(latitude: -18, longitude: 179.5))
        let samoa = try #require(Coordinate(latitude: -18, longitude: -178))
        #expect(fiji.distance(to: suva) == 0)
        #expect((100_000...110_000).contains(fiji.distance(to: samoa)))
        #expect((500_000...600_000).contains(fiji.diagonal))
    }

    // MARK: The real catalog

    private static let recorded = SharedData.folder.map { $0 + "/catalog/feeds.csv" }.flatMap { path in
        FileManager.default.fileExists(atPath: path) ? path : nil
    }

    /// A right timetable is among the first three results for at least 97 of 100 towns.
    @Test(.enabled(if: recorded != nil, "SKIPPED: the recorded catalog is missing"))
    func townsFindTheirTimetables() throws {
        let data = try Data(contentsOf: URL(fileURLWithPath: try #require(Self.recorded)))
        let search = CatalogSearch(try MobilityDatabase.entries(Array(data)))
        #expect(search.timetableCount == 2441)
        var missed: [String] = []
        let towns = CatalogTowns.all
        #expect(towns.count == 100)
        for town in towns {
            let position = town.position.flatMap { Coordinate(latitude: $0.latitude, longitude: $0.longitude) }
            let found = Self.ids(Array((position.map(search.near) ?? search.named(town.name)).prefix(3)))
            if town.entries.isDisjoint(with: found) { missed.append("\(town.name): \(found)") }
        }
        print("Towns with a right timetable among the first three: \(towns.count - missed.count) of \(towns.count)")
        #expect(missed.count <= 3, "\(missed)")
    }
}
