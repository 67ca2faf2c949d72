public import TransitModel

/// A small city with a timetable that is valid on any date: what `make demo` and a first look need, without a network.
///
/// It is a GTFS feed like any other, made as a zip archive in memory and read through the same import. Alderhaven lies off
/// the Baltic coast, where no real stop is. A tram, two buses, a ferry, and a night bus whose trips pass midnight; from
/// ``home`` to ``work`` something runs at every hour. The same zone and year give the same bytes.
public struct DemoCity: Hashable, Sendable {
    /// The zone where nothing else is asked for. Not UTC: a real city changes its clocks twice a year, and the demo is to
    /// show right times on these days, too.
    public static let defaultZone = "Europe/Berlin"

    // Unwrapped: constants within the ranges that the initializer checks.
    /// A place to live, 190 m from the stop Lime Road.
    public static let home = Coordinate(latitude: 54.4022, longitude: 10.3622)!
    /// A place to work, 190 m from the stop Technology Park.
    public static let work = Coordinate(latitude: 54.4040, longitude: 10.4260)!

    /// An IANA name; the feed's `agency_timezone`.
    public let zone: String
    /// From 1 January of the year before to 31 December of the year after the date asked for: so that the feed changes,
    /// and is imported again, once a year only.
    let years: ClosedRange<Int>

    /// The city around a date.
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

    /// The feed as a source to read from.
    public var source: MemoryByteSource { MemoryByteSource(zip()) }

    private var tables: [DemoTable] {
        [
            agency, feedInfo, calendar, calendarDates, Self.stops, Self.transfers, Self.translations, Self.routes,
            Self.trips, Self.stopTimes, Self.frequencies, Self.shapes,
        ]
    }
}
