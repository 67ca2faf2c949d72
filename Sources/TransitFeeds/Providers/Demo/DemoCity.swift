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
