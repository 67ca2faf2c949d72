public import TransitModel

/// Reads a GTFS feed from a zip archive into a ``TransitModel/TimetableDraft``.
///
/// Invalid rows are skipped and reported. A feed without usable trips is rejected. Every table is read once, after the
/// tables that it refers to.
public struct GTFSReader {
    public struct Options: Sendable {
        public var limits: ArchiveLimits
        /// The memory limit, or `nil` for none.
        public var memory: MemoryAllowance?
        /// The folder for unnamed files that store rows during reading, or `nil` to store all rows in memory.
        public var folder: String?
        /// Returns whether the time zone database has a zone with the given name.
        public var isKnownZone: @Sendable (String) -> Bool
        /// Returns the current offset of a time zone from UTC in seconds, or `nil` if it is unknown. A zone with an
        /// unknown offset is never reported as unusual.
        public var zoneOffset: @Sendable (String) -> Int?
        /// The current date, which determines whether the feed has expired.
        public var today: ServiceDate

        public init(
            limits: ArchiveLimits = ArchiveLimits(), memory: MemoryAllowance? = nil, today: ServiceDate,
            zoneOffset: @escaping @Sendable (String) -> Int? = { _ in nil },
            isKnownZone: @escaping @Sendable (String) -> Bool
        ) {
            self.limits = limits
            self.memory = memory
            self.today = today
            self.isKnownZone = isKnownZone
            self.zoneOffset = zoneOffset
        }
    }

    /// The progress of reading.
    public struct Progress: Hashable, Sendable {
        /// The table being read.
        public var file: String
        /// The number of unpacked bytes read so far.
        public var done: UInt64
        /// The number of unpacked bytes of all tables.
        public var total: UInt64
    }

    private let source: any ByteSource
    private let options: Options
    private let progress: (Progress) -> Void
    private let isCancelled: () -> Bool

    /// Creates a reader. `progress` and `isCancelled` are called about every 128 KiB of unpacked bytes.
    public init(
        _ source: any ByteSource, options: Options, progress: @escaping (Progress) -> Void = { _ in },
        isCancelled: @escaping () -> Bool = { false }
    ) {
        self.source = source
        self.options = options
        self.progress = progress
        self.isCancelled = isCancelled
    }

    /// Reads the feed. Throws ``FeedError/refused(reason:report:)`` if the feed has no usable trips,
    /// ``FeedError/canceled``, and the errors that occur when the archive is opened or unpacked.
    public func read() throws(FeedError) -> GTFSReading {
        let archive = try ZipArchive(source, limits: options.limits)
        if let memory = options.memory, archive.memoryEstimate > memory.limit {
            throw .limit(.memory(archive.memoryEstimate, limit: memory.limit))
        }
        let total = archive.tables.reduce(0) { $0 + $1.size }
        let progress = progress
        let context = ReadingContext(
            memory: options.memory,
            progress: { progress(Progress(file: $0, done: $1, total: total)) }, isCancelled: isCancelled)
        context.add(findingsOf: archive)
        let draft = try draft(FeedFiles(archive: archive, context: context))
        let digest = try archive.contentDigest(context)
        return GTFSReading(draft: draft, report: context.report, contentDigest: digest)
    }
}

/// The result of reading a feed.
public struct GTFSReading: Sendable {
    public var draft: TimetableDraft
    public var report: ValidationReport
    /// The ``ContentDigest`` of the tables in lowercase hexadecimal. The digest does not change if the same tables are
    /// compressed again.
    public var contentDigest: String
}

extension GTFSReader {
    private func draft(_ files: FeedFiles) throws(FeedError) -> TimetableDraft {
        try files.require(["agency.txt", "stops.txt", "routes.txt", "trips.txt", "stop_times.txt"])
        files.reportUnknownFiles()
        let zones = TimeZoneNames(isKnown: options.isKnownZone)
        let feedInfo = try FeedInfoTable(files)
        let agencies = try AgencyTable(files, zones: zones)
        let services = try CalendarDatesTable(files, CalendarTable(files))
        let stops = try StopsTable(files, zones: zones)
        agencies.reportUnusualZones(stops.stops, options.zoneOffset, files.context)
        let routes = try RoutesTable(files, agencies)
        let shapes = try ShapesTable(files)
        var builder = TimetableBuilder(
            coordinates: stops.stops.map(\.coordinate), routeTypes: routes.routes.map(\.type),
            folder: options.folder)
        let trips = try TripsTable(files, routes, services, shapes, into: &builder)
        let stopTimes = try StopTimesTable(files, stops, skippedTrips: trips.skipped, into: &builder)
        try FrequenciesTable.read(files, skippedTrips: trips.skipped, into: &builder)
        let transfers = try TransfersTable(files, stops, routes, builder)
        let tables = TranslatableTables(agencies: agencies, stops: stops, routes: routes)
        let translations = try TranslationsTable(files, tables, builder)
        let built = builder.finish { files.context.add($0, id: $1) }
        if built.isBroken {
            throw .unreadable(
                path: options.folder ?? "", reason: "Stop times in a temporary file of this folder cannot be read back")
        }

        var draft = TimetableDraft(patterns: built.patterns)
        draft.agencies = agencies.agencies
        draft.stops = stops.stops
        draft.routes = routes.routes
        draft.services = services.services
        draft.texts = built.texts
        draft.trips = built.trips
        draft.shapes = shapes.columns()
        draft.transfers = transfers.transfers
        draft.translations = translations.translations
        draft.feedInfo = feedInfo.feedInfo
        draft.stopTimeCount = built.stopTimeCount
        try FeedUsabilityCheck(draft, stopTimes.isUsed, options.today).check(files)
        return draft
    }
}
