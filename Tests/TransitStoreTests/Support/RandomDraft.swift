import TransitModel
import TransitTestSupport

/// A timetable with reproducible random values. Every column contains some empty and some unusual values.
struct RandomDraft {
    private var generator: SeededGenerator
    private var draft = TimetableDraft(patterns: PatternList([]))
    private let texts: Int

    static func make(seed: UInt64, stops: Int = 70, routes: Int = 6, trips: Int = 400) -> TimetableDraft {
        var builder = RandomDraft(seed: seed, texts: 150)
        builder.addNetwork(stops: stops, routes: routes)
        builder.addService(routes: routes, stops: stops, trips: trips)
        builder.addDetails(stops: stops, routes: routes)
        return builder.draft
    }

    private init(seed: UInt64, texts: Int) {
        generator = SeededGenerator(seed: seed)
        self.texts = texts
        for number in 0..<texts { draft.texts.append(name("text", number)) }
    }

    private mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &generator) }
    private mutating func chance(_ of: Int) -> Bool { number(0..<of) == 0 }
    private mutating func name(_ kind: String, _ number: Int) -> String {
        let tail = ["", " Straße/Łódź", ", \"quoted\"", " 東京", "\n"][self.number(0..<5)]
        return "\(kind) \(number)\(tail)"
    }
    private mutating func maybe(_ text: String) -> String? { chance(2) ? text : nil }
    private mutating func maybeText() -> TextIndex? { chance(2) ? TextIndex(number(0..<texts)) : nil }
    private mutating func date() -> ServiceDate { ServiceDate(daysSince1970: Int32(number(15_000..<21_000))) }
    private mutating func dates() -> [ServiceDate] { Set((0..<number(0..<9)).map { _ in date() }).sorted() }

    private mutating func addNetwork(stops: Int, routes: Int) {
        draft.agencies = [
            Agency(id: "", name: "First", timezone: "Europe/Berlin"),
            Agency(
                id: "B", name: "Zweite", url: "https://b.example", timezone: "Europe/Vienna", language: "de",
                phone: "+43 1"),
        ]
        for position in 0..<stops {
            let place = Coordinate(
                latitude: Double(number(-900_000_000..<900_000_000)) / 1e7,
                longitude: Double(number(-1_800_000_000..<1_800_000_000)) / 1e7)
            draft.stops.append(
                Stop(
                    id: StopID("stop-\(position)"), code: maybe("c\(position)"), name: name("stop", position),
                    coordinate: chance(9) ? nil : place, kind: Stop.Kind.allCases[number(0..<5)],
                    parent: position > 0 && chance(3) ? StopIndex(number(0..<position)) : nil,
                    platform: maybe("\(position % 9)"), timezone: maybe("Europe/Paris"),
                    wheelchair: Accessibility(rawValue: UInt8(number(0..<3)))!))
        }
        for position in 0..<routes {
            draft.routes.append(
                Route(
                    id: RouteID("route-\(position)"), agency: AgencyIndex(number(0..<2)),
                    shortName: maybe("\(position)"),
                    longName: maybe(name("route", position)), type: number(0..<1800), color: maybe("00FF00"),
                    textColor: maybe("FFFFFF"), sortOrder: chance(2) ? number(0..<1000) : nil))
        }
        for position in 0..<7 {
            draft.services.append(
                Service(
                    id: ServiceID("service \(position)"), weekdays: UInt8(number(0..<128)), start: date(), end: date(),
                    added: dates(), removed: dates()))
        }
        for position in 0..<5 {
            var packed = ShapePacking.Writer()
            for _ in 0..<number(0..<40) {
                packed.append(Coordinate(latitude: 50, longitude: Double(number(800_000..<900_000)) / 1e5)!)
            }
            draft.shapes.ids.append("shape \(position)")
            draft.shapes.packed.append(contentsOf: packed.bytes)
        }
    }

    private mutating func addService(routes: Int, stops: Int, trips: Int) {
        var patterns: [Pattern] = []
        while draft.trips.count < trips {
            let calls = (0..<number(0..<25)).map { call(at: $0, stops: stops) }
            let timingGroups = (0..<number(1..<4)).map { _ in timingGroup(calls: calls.count, trips: number(1..<40)) }
            patterns.append(
                Pattern(
                    index: PatternIndex(patterns.count), route: RouteIndex(number(0..<routes)),
                    direction: [nil, .zero, .one][number(0..<3)], calls: calls, timingGroups: timingGroups))
        }
        draft.patterns = PatternList(patterns)
        draft.stopTimeCount = 12_345
    }

    private mutating func call(at position: Int, stops: Int) -> PatternCall {
        PatternCall(
            stop: StopIndex(number(0..<stops)), sequence: UInt32(position * (chance(4) ? 3 : 1)),
            pickup: chance(5) ? .phone : .regular, dropOff: chance(5) ? PickupDropOff.none : .regular,
            headsign: chance(6) ? maybeText() : nil)
    }

    private mutating func timingGroup(calls: Int, trips: Int) -> TimingGroup {
        let unit = chance(2) ? 60 : 1
        var times: [CallTimes] = []
        var clock = -number(0..<3) * unit
        for _ in 0..<calls {
            let arrival = clock
            clock += chance(3) ? number(0..<5) * unit : 0
            times.append(
                CallTimes(arrival: Int32(arrival), departure: Int32(clock), isExact: !chance(7)))
            clock += number(0..<30) * unit
        }
        let first = TripIndex(draft.trips.count)
        let isOneService = chance(2)
        let services = (0..<trips).map { _ in ServiceIndex(isOneService ? 2 : number(0..<7)) }
        for service in services { addTrip(service) }
        let starts = (0..<trips).map { _ in Int32(number(0..<1800) * unit) }.sorted()
        let frequencies =
            chance(4)
            ? [Frequency(trip: UInt32(number(0..<trips)), start: 21_600, end: 36_001, headway: 599, isExact: chance(2))]
            : []
        return TimingGroup(times: times, firstTrip: first, starts: starts, services: services, frequencies: frequencies)
    }

    private mutating func addTrip(_ service: ServiceIndex) {
        let row = draft.trips.count
        draft.trips.append(
            Trip(
                id: TripID(name("trip-\(row * 37 % 1000)-weekday", row)), service: service, headsign: maybeText(),
                shortName: maybeText(), block: maybeText(), shape: chance(2) ? ShapeIndex(number(0..<5)) : nil,
                wheelchair: Accessibility(rawValue: UInt8(number(0..<3)))!,
                bikes: Accessibility(rawValue: UInt8(number(0..<3)))!))
    }

    private mutating func addDetails(stops: Int, routes: Int) {
        for position in 0..<20 {
            draft.transfers.append(
                Transfer(
                    fromStop: chance(5) ? nil : StopIndex(number(0..<stops)),
                    toStop: chance(5) ? nil : StopIndex(number(0..<stops)),
                    fromRoute: chance(3) ? RouteIndex(number(0..<routes)) : nil,
                    toRoute: chance(3) ? RouteIndex(number(0..<routes)) : nil,
                    fromTrip: chance(3) ? TripID("from \(position)") : nil,
                    toTrip: chance(3) ? TripID("to \(position)") : nil,
                    kind: Transfer.Kind(rawValue: UInt8(number(0..<6)))!,
                    minimumTime: chance(2) ? number(0..<900) : nil))
            let subject: Translation.Subject =
                position % 3 == 0
                ? .value("value \(position)") : .record(id: "id \(position)", subID: position % 2 == 0 ? "7" : nil)
            draft.translations.append(
                Translation(
                    table: ["stops", "routes"][number(0..<2)], field: "name", language: ["de", "en"][number(0..<2)],
                    text: name("translation", position), subject: subject))
        }
        draft.feedInfo = FeedInfo(
            publisher: "P", publisherURL: "https://p.example", language: "en", startDate: date(), endDate: date(),
            version: "v1")
    }
}

extension ValidationReport {
    /// A report with findings for several rules and severities.
    static var sample: ValidationReport {
        var report = ValidationReport()
        for line in 2..<9 {
            report.add(
                "foreign_key_violation", .error,
                at: Location(file: "trips.txt", line: line, column: 3, field: "service_id"),
                "\"WKD\" in line \(line) is unknown")
        }
        report.add("unknown_file", .info, at: Location(file: "notes.md"), "not a GTFS table")
        report.add("expired_calendar", .warning, at: Location(file: "calendar.txt", line: 2), "ended")
        return report
    }
}

extension TimetableSummary.Origin {
    static let sample = TimetableSummary.Origin(
        url: "https://agency.example/gtfs.zip", etag: "\"abc\"", lastModified: "Sat, 28 Mar 2026 00:00:00 GMT",
        fetched: Instant(secondsSince1970: 1_774_656_000))
}
