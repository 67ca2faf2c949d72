internal import TransitEngine
internal import TransitFeeds
internal import TransitModel
internal import TransitQueries
internal import TransitStore

/// A feed whose journeys are compared: the network that the engine searches, and the same timetable as plain tables for
/// the reference.
struct CheckedFeed {
    /// A row of transfers.txt whose trips have been found.
    struct TransferRow {
        var transfer: Transfer
        var fromTrip: TripIndex?
        var toTrip: TripIndex?
        /// Whether the row names a trip that the timetable lacks.
        var namesMissingTrip: Bool
    }

    let name: String
    let timetable: Timetable
    /// What the engine searches.
    var network: JourneyNetwork
    let omissions: JourneyNetworkOmissions
    let patterns: [Pattern]
    let services: [Service]
    let stops: [StopLocation]
    let transfers: [TransferRow]
    let pathways: Pathways
    let blocks: [TextIndex?]
    let tripIDs: [TripID]
    /// The time zone of each route.
    let zones: [ServiceZone]
    /// The stops where trips of the timetable call.
    let visited: [Int]

    /// Imports an archive.
    ///
    /// - Parameters:
    ///   - name: A short name for messages.
    ///   - folder: Where the timetable file is written.
    init(archive: String, name: String, folder: String) throws {
        let database = TimeZoneDatabase()
        let today = ServiceDate(daysSince1970: 20_621)
        let reading = try GTFSReader(
            try FileByteSource(path: archive),
            options: GTFSReader.Options(today: today) { database.zone(named: $0) != nil }
        ).read()
        let path = "\(folder)/\(String(name.map { $0 == "/" ? "-" : $0 })).timetable"
        let origin = TimetableSummary.Origin(url: "file:\(name)", fetched: Instant(secondsSince1970: 1_781_676_000))
        _ = try TimetableFile.write(
            reading.draft, origin: origin, contentDigest: reading.contentDigest, report: reading.report, to: path)
        try self.init(TimetableFile(path: path), name: name, database)
    }

    private init(_ file: TimetableFile, name: String, _ database: TimeZoneDatabase) throws {
        self.name = name
        timetable = Timetable(feed: FeedID("checked"), version: 1, file: file, zones: database)
        let derived = try DerivedJourneyNetwork(file)
        omissions = derived.omissions
        network = try JourneyNetwork(inMemory: derived)
        var patterns: [Pattern] = []
        try file.forEachPattern { pattern in
            patterns.append(pattern)
            return true
        }
        self.patterns = patterns
        services = file.services
        stops = try file.stopLocations(ofStops: 0..<file.summary.counts.stops)
        blocks = try file.blocks()
        tripIDs = try (0..<file.summary.counts.trips).map { try file.trip(TripIndex($0)).id }
        transfers = try Self.transfers(of: file)
        pathways = try file.pathways()
        let agencies = file.agencies.map { database.zone(named: $0.timezone) ?? .utc }
        zones = file.routes.map { route in
            agencies.indices.contains(route.agency.position) ? agencies[route.agency.position] : agencies.first ?? .utc
        }
        var isVisited = [Bool](repeating: false, count: stops.count)
        for pattern in patterns where pattern.callCount > 1 && !pattern.timingGroups.isEmpty {
            for call in pattern.calls { isVisited[call.stop.position] = true }
        }
        visited = stops.indices.filter { isVisited[$0] }
    }

    private static func transfers(of file: TimetableFile) throws -> [TransferRow] {
        try file.transfers().map { transfer in
            let from = try transfer.fromTrip.flatMap { try file.trip(id: $0) }
            let to = try transfer.toTrip.flatMap { try file.trip(id: $0) }
            return TransferRow(
                transfer: transfer, fromTrip: from, toTrip: to,
                namesMissingTrip: transfer.fromTrip != nil && from == nil || transfer.toTrip != nil && to == nil)
        }
    }

    /// The dates on which trips run.
    var dates: [ServiceDate] {
        guard let range = timetable.file.summary.serviceDates else { return [] }
        let days = range.lowerBound.daysSince1970...range.upperBound.daysSince1970
        return days.lazy.map { ServiceDate(daysSince1970: $0) }.filter { date in
            services.contains { $0.runs(on: date) }
        }
    }
}
