internal import TransitModel

/// Writes a draft to a new file, table by table. No other connection uses the file before it is complete, and
/// incomplete files are removed, so SQLite keeps no journal and does not wait for the disk.
struct TimetableWriter {
    let connection: SQLiteConnection
    let draft: TimetableDraft
    let report: ValidationReport
    let sizes: TableSizes
    private let progress: (TimetableFile.WriteProgress) -> Void
    private let isCancelled: () -> Bool
    private var done = 0
    private let total: Int

    init(
        path: String, draft: TimetableDraft, report: ValidationReport,
        progress: @escaping (TimetableFile.WriteProgress) -> Void, isCancelled: @escaping () -> Bool
    ) throws(StoreError) {
        connection = try SQLiteConnection.building(path)
        self.draft = draft
        self.report = report
        self.progress = progress
        self.isCancelled = isCancelled
        sizes = TableSizes(
            agencies: draft.agencies.count, stops: draft.stops.count, routes: draft.routes.count,
            services: draft.services.count, patterns: draft.patterns.count, trips: draft.trips.count,
            texts: draft.texts.count, shapes: draft.shapes.count)
        total = sizes.patterns + sizes.trips + sizes.texts + sizes.shapes + sizes.stops
        try connection.execute(
            """
            PRAGMA page_size = \(Self.pageSize(sizes)); PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
            PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -2048; PRAGMA temp_store = MEMORY;
            PRAGMA application_id = \(TimetableSchema.applicationID); PRAGMA user_version = \(TimetableSchema.version);
            """)
    }

    /// Every table takes at least one page, so small feeds get small pages.
    private static func pageSize(_ sizes: TableSizes) -> Int {
        let rows = sizes.stops + sizes.trips + sizes.shapes
        return rows < 2000 ? 512 : rows < 8000 ? 1024 : 4096
    }

    /// Writes all tables and returns the summary.
    mutating func write(
        origin: TimetableSummary.Origin, contentDigest: String
    ) throws(StoreError) -> TimetableSummary {
        try connection.execute("BEGIN")
        try connection.execute(TimetableSchema.tables)
        let indexBuilder = try writePatterns()
        try writeTrips(indexBuilder)
        try writeTexts()
        try writeShapes()
        try writeServices()
        try writeAgencies()
        try writeRoutes(indexBuilder)
        let summary = summary(origin: origin, contentDigest: contentDigest, latestStopTime: indexBuilder.latestStopTime)
        try writeStops(indexBuilder)
        try writeTransfers()
        try writeTranslations()
        try writeFindings()
        try write(summary)
        try connection.execute(TimetableSchema.indexes)
        try connection.execute("COMMIT")
        return summary
    }

    /// Counts written rows, reports the progress and checks for cancellation.
    mutating func advance(by rows: Int = 1) throws(StoreError) {
        let before = done
        done += rows
        guard done >> 10 != before >> 10 || done == total else { return }
        if isCancelled() { throw .canceled }
        progress(TimetableFile.WriteProgress(done: done, total: total))
    }

    private func summary(
        origin: TimetableSummary.Origin, contentDigest: String, latestStopTime: Int32
    ) -> TimetableSummary {
        TimetableSummary(
            counts: draft.counts, feedInfo: draft.feedInfo, serviceDates: draft.serviceDates,
            latestStopTime: ServiceTime(seconds: latestStopTime), contentDigest: contentDigest, origin: origin)
    }

    private func write(_ summary: TimetableSummary) throws(StoreError) {
        let row = try connection.prepare(
            """
            INSERT INTO summary VALUES (
                ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """)
        row.bind(summary.contentDigest, at: 0)
        row.bind(summary.origin.url, at: 1)
        row.bind(summary.origin.etag, at: 2)
        row.bind(summary.origin.lastModified, at: 3)
        row.bind(Int(summary.origin.fetched.secondsSince1970), at: 4)
        let counts = [
            sizes.agencies, sizes.stops, sizes.routes, sizes.trips, sizes.patterns, summary.counts.stopTimes,
            sizes.services, sizes.shapes, sizes.texts,
        ]
        for (column, count) in counts.enumerated() { row.bind(count, at: Int32(5 + column)) }
        row.bind(summary.serviceDates?.lowerBound.number, at: 14)
        row.bind(summary.serviceDates?.upperBound.number, at: 15)
        row.bind(Int(summary.latestStopTime.seconds), at: 16)
        row.bind(summary.feedInfo == nil ? 0 : 1, at: 17)
        row.bind(summary.feedInfo?.publisher, at: 18)
        row.bind(summary.feedInfo?.publisherURL, at: 19)
        row.bind(summary.feedInfo?.language, at: 20)
        row.bind(summary.feedInfo?.startDate?.number, at: 21)
        row.bind(summary.feedInfo?.endDate?.number, at: 22)
        row.bind(summary.feedInfo?.version, at: 23)
        try row.run()
    }
}

extension ServiceDate {
    /// The value of the date in a column of the file.
    var number: Int { Int(daysSince1970) }
}
