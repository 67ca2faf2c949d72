package import TransitModel

/// What a person needs to recognize a timetable: its agencies, its region and its service dates. It is read from the small
/// tables of an archive, without importing the feed.
package struct ArchiveOverview: Hashable, Sendable {
    /// The names of the first agencies, at most ``maximumNames``.
    package private(set) var agencies: [String] = []
    /// The time zone of the first agency.
    package private(set) var timeZone: String?
    /// The names of stops, at most ``maximumNames``.
    package private(set) var stops: [String] = []
    /// The first and last date of calendar.txt and calendar_dates.txt; `nil` if neither has a valid date.
    package private(set) var serviceDates: ClosedRange<ServiceDate>?

    private static let maximumNames = 3
    /// The value of `exception_type` for a date with service (GTFS reference, calendar_dates.txt).
    private static let added = "1"

    /// - Throws: The errors of ``CSVReader/read(_:_:columns:_:_:)``.
    package init(_ archive: ZipArchive) throws(FeedError) {
        let context = ReadingContext()
        try CSVReader.read(archive, "agency.txt", columns: ["agency_name", "agency_timezone"], context) { row in
            Self.add(row.text(0), to: &agencies)
            if timeZone == nil, !row.text(1).isEmpty { timeZone = row.text(1) }
        }
        try CSVReader.read(archive, "stops.txt", columns: ["stop_name"], context) { row in
            guard stops.count < Self.maximumNames else { return }
            Self.add(row.text(0), to: &stops)
        }
        try CSVReader.read(archive, "calendar.txt", columns: ["start_date", "end_date"], context) { row in
            for column in 0...1 { if let date = ServiceDate(gtfs: row[column]) { add(date) } }
        }
        try CSVReader.read(archive, "calendar_dates.txt", columns: ["date", "exception_type"], context) { row in
            guard row.text(1) == Self.added, let date = ServiceDate(gtfs: row[0]) else { return }
            add(date)
        }
    }

    private static func add(_ name: String, to names: inout [String]) {
        guard names.count < maximumNames, !name.isEmpty, !names.contains(name) else { return }
        names.append(name)
    }

    private mutating func add(_ date: ServiceDate) {
        guard let dates = serviceDates else {
            serviceDates = date...date
            return
        }
        serviceDates = min(dates.lowerBound, date)...max(dates.upperBound, date)
    }
}
