import Testing
import TransitModel
import TransitTestSupport

@testable import TransitFeeds

@Suite("Demo city")
struct DemoCityTests {
    private static let today = ServiceDate(year: 2026, month: 3, day: 28)!

    private static func rows(_ name: String, _ columns: [String]) throws -> [[String]] {
        let archive = try ZipArchive(DemoCity(around: today).source)
        let context = ReadingContext()
        var rows: [[String]] = []
        try CSVReader.read(archive, name, columns: columns, context) { row throws(FeedError) in
            rows.append(columns.indices.map { row.text($0) })
        }
        #expect(context.report.findings.isEmpty)
        return rows
    }

    private static func seconds(_ time: String) throws -> Int {
        let bytes = Array(time.utf8)
        let parsed = bytes.withUnsafeBufferPointer { ServiceTime(gtfs: $0) }
        return Int(try #require(parsed, "\(time)").seconds)
    }

    @Test("The archive depends only on the year and the time zone")
    func sameYearGivesSameBytes() {
        let city = DemoCity(around: Self.today)
        #expect(city.zip() == DemoCity(around: Self.today.advanced(by: -80)).zip())
        #expect(city.zip() != DemoCity(around: Self.today.advanced(by: 300)).zip())
        #expect(city.zip() != DemoCity(zone: "Pacific/Auckland", around: Self.today).zip())
    }

    @Test("Every date from a year before to a year after has exactly one service")
    func everyDateHasService() throws {
        let calendar = try Self.rows("calendar.txt", ["service_id", "monday", "saturday", "start_date", "end_date"])
        #expect(calendar.map { $0[0] } == ["weekday", "weekend"])
        for row in calendar {
            let first = try #require(ServiceDate(gtfs: Array(row[3].utf8)))
            let last = try #require(ServiceDate(gtfs: Array(row[4].utf8)))
            #expect(first.days(to: Self.today) > 365 && Self.today.days(to: last) > 365)
        }
        // An exception removes one service and adds the other.
        let exceptions = try Self.rows("calendar_dates.txt", ["date", "service_id", "exception_type"])
        for (date, rows) in Dictionary(grouping: exceptions, by: { $0[0] }) {
            #expect(Set(rows.map { $0[1] + $0[2] }) == ["weekday2", "weekend1"], "\(date)")
        }
    }

    @Test("There is a departure between home and work at least every 30 minutes, all day, in both directions")
    func departuresAreAtMostThirtyMinutesApart() throws {
        let service = Dictionary(
            uniqueKeysWithValues: try Self.rows("trips.txt", ["trip_id", "service_id"]).map { ($0[0], $0[1]) })
        var calls: [String: [(stop: String, departure: Int)]] = [:]
        for row in try Self.rows("stop_times.txt", ["trip_id", "stop_id", "departure_time"]) {
            calls[row[0], default: []].append((row[1], try Self.seconds(row[2])))
        }
        for (from, to) in [("lime-road", "technology-park"), ("technology-park", "lime-road")] {
            // Yesterday and today can each have either service.
            for kinds in [
                ["weekday", "weekday"], ["weekday", "weekend"], ["weekend", "weekday"], ["weekend", "weekend"],
            ] {
                var departures: [Int] = []
                for (trip, stops) in calls {
                    guard let board = stops.firstIndex(where: { $0.stop == from }),
                        let alight = stops.firstIndex(where: { $0.stop == to }), board < alight
                    else { continue }
                    if service[trip] == kinds[0] { departures.append(stops[board].departure - 86_400) }
                    if service[trip] == kinds[1] { departures.append(stops[board].departure) }
                }
                let sorted = departures.filter { $0 > -3600 && $0 < 90_000 }.sorted()
                let gaps = zip(sorted, sorted.dropFirst()).map { $1 - $0 }
                #expect(gaps.allSatisfy { $0 <= 30 * 60 }, "\(from) \(kinds)")
                #expect(try #require(sorted.first) < 0 && #require(sorted.last) > 86_400)
            }
        }
    }

    @Test("Home and work are a short walk from a stop")
    func homeAndWorkAreNearStops() throws {
        let stops = try Self.rows("stops.txt", ["stop_id", "stop_lat", "stop_lon"])
        for (place, id) in [(DemoCity.home, "lime-road"), (DemoCity.work, "technology-park")] {
            let stop = try #require(stops.first { $0[0] == id })
            let latitude = try #require(Double(stop[1]))
            let coordinate = Coordinate(latitude: latitude, longitude: try #require(Double(stop[2])))
            let distance = place.distance(to: try #require(coordinate))
            #expect(distance > 100 && distance < 300)
        }
    }

    @Test("Every reference resolves, and every table is present")
    func referencesResolve() throws {
        func ids(_ name: String, _ column: String) throws -> Set<String> {
            Set(try Self.rows(name, [column]).map { $0[0] }).subtracting([""])
        }
        let (stops, trips) = (try ids("stops.txt", "stop_id"), try ids("trips.txt", "trip_id"))
        #expect(try Self.rows("trips.txt", ["trip_id"]).count == trips.count)
        #expect(try ids("stop_times.txt", "trip_id") == trips)
        #expect(try ids("stop_times.txt", "stop_id").isSubset(of: stops))
        #expect(try ids("stops.txt", "parent_station") == ["central"])
        #expect(try ids("frequencies.txt", "trip_id").isSubset(of: trips))
        #expect(try ids("trips.txt", "shape_id") == ids("shapes.txt", "shape_id"))
        #expect(try ids("trips.txt", "route_id") == ids("routes.txt", "route_id"))
        #expect(try ids("transfers.txt", "from_stop_id").union(ids("transfers.txt", "to_stop_id")).isSubset(of: stops))
        #expect(try ids("translations.txt", "record_id").isSubset(of: stops))
        #expect(try Self.rows("agency.txt", ["agency_timezone"]) == [["Europe/Berlin"]])
        #expect(try Self.rows("frequencies.txt", ["exact_times"]).map { $0[0] }.contains("1"))
    }

    @Test("Night buses run past midnight on the previous service date")
    func nightBusesRunPastMidnight() throws {
        let times = try Self.rows("stop_times.txt", ["trip_id", "departure_time"]).filter { $0[0].hasPrefix("night-1") }
        #expect(try times.contains { try Self.seconds($0[1]) > 28 * 3600 })
    }
}

@Suite("Import of the demo city")
struct DemoCityImportTests {
    @Test("The import reports no finding", arguments: ["2026-03-28", "2026-12-31", "2028-02-29", "2031-01-01"])
    func importHasNoFindings(date: String) throws {
        let today = try #require(ServiceDate(iso8601: date))
        let options = GTFSReader.Options(today: today) { $0 == DemoCity.defaultZone }
        let reading = try GTFSReader(DemoCity(around: today).source, options: options).read()
        #expect(reading.report.findings.isEmpty, "\(reading.report.findings)")
        #expect(reading.draft.stops.count == 23)
        #expect(reading.draft.routes.count == 5)
    }
}
