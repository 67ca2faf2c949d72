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
        /// The part of the feed to keep; `nil` for all of it.
        public var subset: FeedSubset?

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
        let estimate = archive.memoryEstimate(isPartial: options.subset != nil)
        if let memory = options.memory, estimate > memory.limit {
            throw .limit(.memory(estimate, limit: memory.limit))
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

extension GTFSReader {
    private func draft(_ files: FeedFiles) throws(FeedError) -> TimetableDraft {
        try files.require(["agency.txt", "stops.txt", "routes.txt", "trips.txt", "stop_times.txt"])
        files.reportUnknownFiles()
        let zones = TimeZoneNames(isKnown: options.isKnownZone)
        let feedInfo = try FeedInfoTable(files)
        let agencies = try AgencyTable(files, zones: zones)
        let services = try CalendarDatesTable(files, CalendarTable(files))
        var stops = try StopsTable(files, zones: zones, readsNames: options.subset != nil, folder: options.folder)
        let partial = try options.subset.map { (subset) throws(FeedError) in try PartialReading(subset, stops, files) }
        agencies.reportUnusualZones(stops.coordinates, options.zoneOffset, files.context)
        var routes = try RoutesTable(files, agencies, subset: options.subset, folder: options.folder)
        // The shapes of a partial timetable are read when the kept trips are known.
        let shapes = partial == nil ? try ShapesTable(files) : nil
        var builder = TimetableBuilder(coordinates: stops.coordinates, folder: options.folder)
        let trips = try TripsTable(files, routes, services, shapes, isRouteKept: routes.isKept, into: &builder)
        let skippedTrips = trips.skipped
        let keptRoutes = RowSelection(isUsed: builder.areRoutesUsed(count: routes.count))
        try routes.keep(keptRoutes, files.context)
        builder.keepRoutes(keptRoutes, routeTypes: routes.routes.map(\.type))
        if let nearby = partial?.nearby { builder.keepTrips(callingAt: nearby) }
        let isStopUsed = try StopTimesTable(files, stops, skippedTrips: skippedTrips, into: &builder).isUsed
        if builder.beginSecondReading() {
            let again = FeedFiles(archive: files.archive, context: files.context.forSecondReading())
            _ = try StopTimesTable(
                again, stops, skippedTrips: skippedTrips, tripContext: files.context, into: &builder)
        }
        let kept = try partial.map { (partial) throws(FeedError) in
            try partial.complete(&builder, &stops, &routes, services.services, shapeIDs: trips.shapeIDs)
        }
        if partial == nil { builder.keepStops(try stops.keep(isUsed: isStopUsed, files.context)) }
        try FrequenciesTable.read(files, skippedTrips: skippedTrips, into: &builder)
        let transfers = try TransfersTable(files, stops, routes, builder)
        let pathways = try PathwaysTable(files, stops)
        let tables = TranslatableTables(
            agencies: agencies, stops: stops, routes: routes, isPartial: partial != nil)
        let translations = try TranslationsTable(files, tables, builder)
        let outsideTrips = builder.outsideTripHashes
        let built = builder.finish { files.context.add($0, id: $1) }
        if built.isBroken {
            throw .unreadable(
                path: options.folder ?? "", reason: "Stop times in a temporary file of this folder cannot be read back")
        }

        var draft = TimetableDraft(patterns: built.patterns)
        draft.agencies = agencies.agencies
        draft.stops = stops.stops
        draft.routes = routes.routes
        draft.services = kept?.services ?? services.services
        draft.subset = kept?.summary
        draft.outsideTrips = outsideTrips
        draft.texts = built.texts
        draft.trips = built.trips
        draft.shapes = kept?.shapes ?? shapes?.columns() ?? ShapeColumns()
        draft.transfers = transfers.transfers
        draft.pathways = pathways.pathways
        draft.translations = translations.translations
        draft.feedInfo = feedInfo.feedInfo
        draft.stopTimeCount = built.stopTimeCount
        try FeedUsabilityCheck(draft, stops, isStopUsed, options.today).check(files)
        return draft
    }
}

/// The result of reading a feed.
public struct GTFSReading: Sendable {
    public var draft: TimetableDraft
    public var report: ValidationReport
    /// The ``ContentHash`` of the tables in lowercase hexadecimal. The digest does not change if the same tables are
    /// compressed again.
    public var contentDigest: String
}

// MARK: - Problems of the stop times
extension ReadingContext {
    /// Adds problems of a ``TimetableBuilder`` to the report, with the rule names of the canonical GTFS validator.
    func add(_ problems: BuildProblemTally.Entry, id: (SourceTripNumber) -> String) {
        // The first example also represents the problems that were only counted.
        var count = problems.count - problems.examples.count + 1
        for problem in problems.examples {
            let finding = Finding(problem.kind)
            let place = ValidationReport.Location(file: finding.file, line: problem.line == 0 ? nil : Int(problem.line))
            add(
                finding.rule, finding.severity, at: place, count: count,
                "Trip “\(FieldValue.excerpt(id(problem.trip)))”: \(finding.text)")
            count = 1
        }
    }

    private struct Finding {
        var rule: String
        var severity: ValidationReport.Severity
        var file: String
        var text: String

        private init(
            _ rule: String, _ severity: ValidationReport.Severity, in file: String = StopTimeColumn.file, _ text: String
        ) {
            (self.rule, self.severity, self.file, self.text) = (rule, severity, file, text)
        }

        // This is a table with one entry per kind, so it is longer than other functions.
        init(_ kind: BuildProblem.Kind) {
            let only = "stop_time_with_only_arrival_or_departure_time"
            let decreasing = "stop_time_with_arrival_before_previous_departure_time"
            let limit = TimetableBuilder.maximumStopTimes
            let frequencies = FrequencyColumn.file
            self =
                switch kind {
                case .noStopTimes:
                    Self("unused_trip", .warning, in: TripColumn.file, "it has no usable stop times and is skipped")
                case .tooFewStopTimes:
                    Self("unusable_trip", .warning, "it has fewer than two usable stop times and is skipped")
                case .missingEdgeTime:
                    Self("missing_trip_edge", .error, "the start or end of the trip has no time; the row is skipped")
                case .duplicateSequence:
                    Self("duplicate_key", .error, "this stop_sequence occurs more than once; the row is skipped")
                case .timesBeginAgainAtMidnight:
                    Self(
                        "time_after_midnight_below_24_hours", .warning,
                        "the times begin again at midnight; 24 hours are added from here to the end of the trip")
                case .decreasingTime:
                    Self(decreasing, .error, "the time is before the time at the previous stop and is ignored")
                case .departureBeforeArrival:
                    Self(
                        "start_and_end_range_out_of_order", .error,
                        "departure_time is before arrival_time; both are ignored")
                case .onlyOneTime:
                    Self(
                        only, .warning,
                        "only one of arrival_time and departure_time is given; the given time is used for both")
                case .tooManyStopTimes:
                    Self("too_many_stop_times", .error, "it has more than \(limit) stop times; the row is skipped")
                case .distanceNotIncreasing:
                    Self(
                        "decreasing_or_equal_stop_time_distance", .error,
                        "shape_dist_traveled does not increase from the previous stop")
                case .fastToNextStop:
                    Self(
                        "fast_travel_between_consecutive_stops", .warning,
                        "it reaches this stop faster than a vehicle of its type can travel")
                case .fastOverDistance:
                    Self(
                        "fast_travel_between_far_stops", .warning,
                        "over more than 10 km it is faster than a vehicle of its type can travel")
                case .tooManyFrequencies:
                    Self(
                        "too_many_frequencies", .error, in: frequencies,
                        "it has more than \(TimetableBuilder.maximumFrequencies) periods; the row is skipped")
                case .duplicateFrequency:
                    Self(
                        "duplicate_key", .error, in: frequencies,
                        "this start_time occurs more than once; the row is skipped")
                case .overlappingFrequency:
                    Self(
                        "overlapping_frequency", .error, in: frequencies,
                        "the previous period is shortened to end where this one starts")
                case .frequencyOfSkippedTrip:
                    Self(
                        "row_of_skipped_trip", .info, in: frequencies, "the row is skipped because the trip was skipped"
                    )
                }
        }
    }
}
