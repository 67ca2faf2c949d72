public import TransitModel

/// A small fictional city with a timetable that is valid on any date. It is for `make demo` and for first-time users,
/// and needs no network connection.
///
/// It is an ordinary GTFS feed, generated as a zip archive in memory and imported like any other. Alderhaven is off the
/// Baltic coast, where there are no real stops. It has a tram, two buses, a ferry, and a night bus whose trips run past
/// midnight. There are departures from ``home`` to ``work`` at every hour. The same zone and year produce the same
/// bytes.
public struct DemoCity: Hashable, Sendable {
    /// The default time zone. It is not UTC because a real city changes its clocks twice a year, and the demo must show
    /// correct times on those days, too.
    public static let defaultZone = "Europe/Berlin"

    // The force unwraps are safe: the constants are within the ranges that the initializer checks.
    /// A home, 190 m from the stop Lime Road.
    public static let home = Coordinate(latitude: 54.4022, longitude: 10.3622)!
    /// A workplace, 190 m from the stop Technology Park.
    public static let work = Coordinate(latitude: 54.4040, longitude: 10.4260)!

    /// The IANA name of the time zone; the feed's `agency_timezone`.
    public let zone: String
    /// The years of the calendar: from the year before the requested date to the year after it. The feed therefore
    /// changes, and is imported again, only once a year.
    let years: ClosedRange<Int>

    /// Creates the city with a timetable around a date.
    public init(zone: String = defaultZone, around date: ServiceDate) {
        self.zone = zone
        let year = date.components.year
        years = (year - 1)...(year + 1)
    }

    /// The feed as a zip archive.
    public func zip() -> [UInt8] {
        var writer = ZipWriter()
        for table in tables { writer.add(table.name, Array(table.text.utf8)) }
        return writer.finish()
    }

    /// The feed as a byte source.
    public var source: MemoryByteSource { MemoryByteSource(zip()) }

    private var tables: [DemoTable] {
        [
            agency, feedInfo, calendar, calendarDates, Self.stops, Self.transfers, Self.translations, Self.routes,
            Self.trips, Self.stopTimes, Self.frequencies, Self.shapes,
        ]
    }
}

// MARK: - Agency and calendar
extension DemoCity {
    /// The two services; every date has exactly one.
    enum DemoService: String, CaseIterable {
        case weekday
        case weekend
    }

    private var agency: DemoTable {
        var table = DemoTable("agency.txt", "agency_id,agency_name,agency_url,agency_timezone,agency_lang")
        table.add(["alderhaven", "Alderhaven Transit", "https://alderhaven.example", zone, "en"])
        return table
    }

    private var feedInfo: DemoTable {
        var table = DemoTable(
            "feed_info.txt",
            "feed_publisher_name,feed_publisher_url,feed_lang,feed_start_date,feed_end_date,feed_version")
        table.add([
            "transitd demo city", "https://alderhaven.example", "en", "\(years.lowerBound)0101",
            "\(years.upperBound)1231", "\(years.lowerBound + 1)",
        ])
        return table
    }

    private var calendar: DemoTable {
        var table = DemoTable(
            "calendar.txt",
            "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date")
        let dates = ["\(years.lowerBound)0101", "\(years.upperBound)1231"]
        table.add([DemoService.weekday.rawValue, "1", "1", "1", "1", "1", "0", "0"] + dates)
        table.add([DemoService.weekend.rawValue, "0", "0", "0", "0", "0", "1", "1"] + dates)
        return table
    }

    /// The exceptions that put the weekend service on New Year's Day and Christmas if these fall on a weekday.
    private var calendarDates: DemoTable {
        var table = DemoTable("calendar_dates.txt", "service_id,date,exception_type")
        for year in years {
            for (month, day) in [(1, 1), (12, 25)] {
                guard let date = ServiceDate(year: year, month: month, day: day),
                    date.weekday != .saturday, date.weekday != .sunday
                else { continue }
                let text =
                    DecimalText.padded(year, to: 4) + DecimalText.padded(month, to: 2) + DecimalText.padded(day, to: 2)
                table.add([DemoService.weekday.rawValue, text, "2"])
                table.add([DemoService.weekend.rawValue, text, "1"])
            }
        }
        return table
    }
}

// MARK: - Stops
extension DemoCity {
    /// One stop of the city.
    struct Stop {
        var id: String
        var code: String
        var name: String
        var latitude: Double
        var longitude: Double
        /// `location_type` of stops.txt.
        var kind = 0
        var parent = ""
        var platform = ""
    }

    static let stopList: [Stop] = [
        // Stops along the tram line, from west to east.
        Stop(id: "lime-road", code: "101", name: "Lime Road", latitude: 54.4010, longitude: 10.3600),
        Stop(id: "mill-lane", code: "102", name: "Mill Lane", latitude: 54.4005, longitude: 10.3690),
        Stop(id: "museum", code: "103", name: "Museum", latitude: 54.4000, longitude: 10.3780),
        Stop(id: "town-hall", code: "104", name: "Town Hall", latitude: 54.3998, longitude: 10.3860),
        Stop(id: "central", code: "", name: "Central Station", latitude: 54.4000, longitude: 10.3940, kind: 1),
        Stop(
            id: "central:1", code: "105", name: "Central Station", latitude: 54.4001, longitude: 10.3938,
            parent: "central", platform: "1"),
        Stop(
            id: "central:2", code: "106", name: "Central Station", latitude: 54.3999, longitude: 10.3942,
            parent: "central", platform: "2"),
        Stop(
            id: "central:entrance", code: "", name: "Central Station, Market Street", latitude: 54.4003,
            longitude: 10.3935, kind: 2, parent: "central"),
        Stop(id: "station-square", code: "107", name: "Station Square", latitude: 54.4004, longitude: 10.3928),
        Stop(id: "fish-market", code: "108", name: "Fish Market", latitude: 54.4012, longitude: 10.4020),
        Stop(id: "harbor", code: "109", name: "Harbor", latitude: 54.4025, longitude: 10.4100),
        Stop(id: "observatory", code: "110", name: "Observatory", latitude: 54.4030, longitude: 10.4190),
        Stop(id: "technology-park", code: "111", name: "Technology Park", latitude: 54.4028, longitude: 10.4280),
        // Stops along the bus routes.
        Stop(id: "hillside", code: "201", name: "Hillside", latitude: 54.4085, longitude: 10.3640),
        Stop(id: "orchard", code: "202", name: "Orchard", latitude: 54.3965, longitude: 10.3690),
        Stop(id: "hospital", code: "203", name: "St. Clara Hospital", latitude: 54.3950, longitude: 10.3830),
        Stop(id: "university", code: "204", name: "University", latitude: 54.3950, longitude: 10.4060),
        Stop(id: "zoo", code: "205", name: "Zoo", latitude: 54.4110, longitude: 10.3890),
        Stop(id: "library", code: "206", name: "Library", latitude: 54.4055, longitude: 10.3880),
        Stop(id: "stadium", code: "207", name: "Stadium", latitude: 54.3890, longitude: 10.3960),
        Stop(id: "south-gate", code: "208", name: "South Gate", latitude: 54.3830, longitude: 10.3980),
        // Stops across the water.
        Stop(id: "harbor-pier", code: "301", name: "Harbor Pier", latitude: 54.4041, longitude: 10.4104),
        Stop(id: "east-shore", code: "302", name: "East Shore", latitude: 54.4125, longitude: 10.4310),
    ]

    private static var stops: DemoTable {
        var table = DemoTable(
            "stops.txt",
            "stop_id,stop_code,stop_name,stop_lat,stop_lon,location_type,parent_station,platform_code,wheelchair_boarding"
        )
        for stop in stopList {
            table.add([
                stop.id, stop.code, stop.name, "\(stop.latitude)", "\(stop.longitude)", "\(stop.kind)", stop.parent,
                stop.platform, stop.id == "east-shore" ? "2" : "1",
            ])
        }
        return table
    }

    /// The walking times in seconds between the tram and the stops outside the station, and between the tram and the
    /// ferry.
    private static var transfers: DemoTable {
        var table = DemoTable("transfers.txt", "from_stop_id,to_stop_id,transfer_type,min_transfer_time")
        let walks = [
            ("central:1", "central:2", 60), ("central:1", "station-square", 120),
            ("central:2", "station-square", 120), ("harbor", "harbor-pier", 240),
        ]
        for (from, to, seconds) in walks {
            table.add([from, to, "2", "\(seconds)"])
            table.add([to, from, "2", "\(seconds)"])
        }
        return table
    }

    /// The German translations of stop names (by record) and of headsigns (by value).
    private static var translations: DemoTable {
        var table = DemoTable(
            "translations.txt", "table_name,field_name,language,translation,record_id,field_value")
        let names = [
            ("central", "Hauptbahnhof"), ("central:1", "Hauptbahnhof"), ("central:2", "Hauptbahnhof"),
            ("station-square", "Bahnhofsplatz"), ("town-hall", "Rathaus"), ("fish-market", "Fischmarkt"),
            ("harbor", "Hafen"), ("observatory", "Sternwarte"), ("university", "Universität"), ("zoo", "Zoo"),
        ]
        for (stop, name) in names { table.add(["stops", "stop_name", "de", name, stop, ""]) }
        table.add(["trips", "trip_headsign", "de", "Technologiepark", "", "Technology Park"])
        table.add(["trips", "trip_headsign", "de", "Lindenstraße", "", "Lime Road"])
        return table
    }
}

// MARK: - Lines
extension DemoCity {
    /// Every line in both directions, except the ferry, which has no fixed departures.
    static let lines: [DemoLine] =
        [tram, tram.reversed(replacing: "central:1", by: "central:2")]
        + [bus11, bus12, nightBus].flatMap { [$0, $0.reversed()] }

    private static let tram = DemoLine(
        route: "tram-1", direction: 0,
        stops: [
            "lime-road", "mill-lane", "museum", "town-hall", "central:1", "fish-market", "harbor", "observatory",
            "technology-park",
        ],
        legs: [90, 90, 90, 90, 105, 105, 105, 105], dwell: 15,
        weekday: [
            .init((4, 50), (6, 20), every: 15), .init((6, 30), (19, 0), every: 7), .init((19, 10), (24, 10), every: 10),
        ],
        weekend: [.init((4, 50), (8, 50), every: 20), .init((9, 0), (24, 10), every: 10)])

    private static let bus11 = DemoLine(
        route: "bus-11", direction: 0,
        stops: ["hillside", "lime-road", "orchard", "hospital", "station-square", "university", "technology-park"],
        legs: [180, 150, 180, 180, 210, 270], dwell: 20,
        weekday: [.init((5, 12), (21, 12), every: 15), .init((21, 42), (23, 42), every: 30)],
        weekend: [.init((6, 42), (23, 42), every: 30)])

    private static let bus12 = DemoLine(
        route: "bus-12", direction: 0,
        stops: ["zoo", "library", "town-hall", "station-square", "stadium", "south-gate"],
        legs: [150, 150, 120, 240, 150], dwell: 20,
        weekday: [.init((5, 25), (22, 45), every: 20)],
        weekend: [.init((7, 25), (22, 25), every: 30)])

    /// The night bus, which runs from 23:40 until the first tram of the next morning. The trips belong to the service
    /// date before midnight.
    private static let nightBus = DemoLine(
        route: "night-1", direction: 0,
        stops: [
            "lime-road", "mill-lane", "museum", "town-hall", "station-square", "fish-market", "harbor", "observatory",
            "technology-park",
        ],
        legs: [80, 80, 80, 70, 90, 90, 90, 90], dwell: 10,
        weekday: [.init((23, 40), (29, 10), every: 30)],
        weekend: [.init((23, 40), (29, 10), every: 15)])

    static let ferry = DemoLine(
        route: "ferry", direction: 0, stops: ["harbor-pier", "east-shore"], legs: [720], weekday: [], weekend: [])

    private static var routes: DemoTable {
        var table = DemoTable(
            "routes.txt",
            "route_id,agency_id,route_short_name,route_long_name,route_type,route_color,route_text_color,route_sort_order"
        )
        let routes = [
            ("tram-1", "1", "Lime Road - Technology Park", "0", "C8102E", "FFFFFF"),
            ("bus-11", "11", "Hillside - University - Technology Park", "3", "00629B", "FFFFFF"),
            ("bus-12", "12", "Zoo - Stadium - South Gate", "3", "4C8C2B", "FFFFFF"),
            ("night-1", "N1", "Night bus Lime Road - Technology Park", "3", "1B1F3B", "FFD100"),
            ("ferry", "F", "Harbor Pier - East Shore", "4", "00A3AD", "000000"),
        ]
        for (order, route) in routes.enumerated() {
            table.add([route.0, "alderhaven", route.1, route.2, route.3, route.4, route.5, "\(order + 1)"])
        }
        return table
    }
}

// MARK: - Trips
extension DemoCity {
    private static var trips: DemoTable {
        var table = DemoTable(
            "trips.txt",
            "route_id,service_id,trip_id,trip_headsign,direction_id,shape_id,wheelchair_accessible,bikes_allowed")
        for trip in fixedTrips + ferryTrips {
            table.add([
                trip.line.route, trip.service.rawValue, trip.id, name(of: trip.line.stops.last),
                "\(trip.line.direction)", trip.line.id, "1", trip.line.route == "ferry" ? "1" : "2",
            ])
        }
        return table
    }

    private static var stopTimes: DemoTable {
        var table = DemoTable(
            "stop_times.txt", "trip_id,arrival_time,departure_time,stop_id,stop_sequence,pickup_type,drop_off_type")
        for trip in fixedTrips + ferryTrips {
            let last = trip.line.stops.count
            for call in trip.line.calls {
                table.add([
                    trip.id, time(trip.start + call.arrival), time(trip.start + call.departure), call.stop,
                    "\(call.sequence)", call.sequence == last ? "1" : "0", call.sequence == 1 ? "1" : "0",
                ])
            }
        }
        return table
    }

    /// The ferry runs about every 20 minutes by day, and at exact times in the evening.
    private static var frequencies: DemoTable {
        var table = DemoTable("frequencies.txt", "trip_id,start_time,end_time,headway_secs,exact_times")
        for trip in ferryTrips {
            table.add([trip.id, "06:00:00", "20:00:00", trip.service == .weekday ? "1200" : "1800", "0"])
            table.add([trip.id, "20:00:00", "24:30:00", "2700", "1"])
        }
        return table
    }

    /// The shapes are straight lines between the stops, except that the ferry leaves the harbor in a curve.
    private static var shapes: DemoTable {
        var table = DemoTable("shapes.txt", "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence")
        for line in lines + [ferry, ferry.reversed()] {
            var points = line.stops.compactMap { id in stopList.first { $0.id == id } }
                .map { ($0.latitude, $0.longitude) }
            if line.route == "ferry" { points.insert((54.4068, 10.4230), at: 1) }
            for (position, point) in points.enumerated() {
                table.add([line.id, "\(point.0)", "\(point.1)", "\(position + 1)"])
            }
        }
        return table
    }

    private static func name(of stop: String?) -> String { stopList.first { $0.id == stop }?.name ?? "" }

    private static func time(_ seconds: Int) -> String { ServiceTime(seconds: Int32(seconds)).description }
}

/// The built-in demo city, which is computed locally.
public struct DemoProvider: Provider {
    public init() {}

    public var traits: ProviderTraits {
        ProviderTraits(
            name: "demo", title: "demo city", datasets: Set(DatasetKind.refreshed),
            settings: ProviderSettings(agency: .refused, base: .refused), isComputed: true,
            presets: [ProviderPreset(id: "demo", title: "Demo city (works offline)")])
    }
}

/// A CSV file of the demo feed.
private struct DemoTable {
    let name: String
    private(set) var text: String

    /// Starts the table with a header of comma-separated column names.
    init(_ name: String, _ header: String) {
        self.name = name
        text = header + "\n"
    }

    /// Adds a row; fields with commas or quotes are quoted.
    mutating func add(_ fields: [String]) {
        text += fields.map(Self.quoted).joined(separator: ",") + "\n"
    }

    private static func quoted(_ field: String) -> String {
        guard field.contains(where: { $0 == "," || $0 == "\"" }) else { return field }
        return "\"" + field.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }
}
