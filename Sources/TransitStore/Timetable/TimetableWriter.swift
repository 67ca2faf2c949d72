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
            texts: draft.texts.count, shapes: draft.shapes.count,
            outsideTripBuckets: draft.outsideTrips.isEmpty
                ? 0 : OutsideTripIndex(trips: draft.outsideTrips.count).bucketCount)
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
        try writeOutsideTrips()
        try writeTexts()
        try writeShapes()
        try writeServices()
        try writeAgencies()
        try writeRoutes(indexBuilder)
        let summary = summary(origin: origin, contentDigest: contentDigest, latestStopTime: indexBuilder.latestStopTime)
        try writeStops(indexBuilder)
        try writeTransfers()
        try writePathways()
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
            latestStopTime: ServiceTime(seconds: latestStopTime), contentDigest: contentDigest, origin: origin,
            subset: draft.subset)
    }

    private func write(_ summary: TimetableSummary) throws(StoreError) {
        let row = try connection.prepare(
            """
            INSERT INTO summary VALUES (
                ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
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
        row.bind(summary.subset?.rule, at: 24)
        row.bind(summary.subset?.stops, at: 25)
        row.bind(summary.subset?.stopsInSource, at: 26)
        row.bind(summary.subset?.tripsInSource, at: 27)
        row.bind(sizes.outsideTripBuckets, at: 28)
        try row.run()
    }

    // MARK: Small tables

    private func writeAgencies() throws(StoreError) {
        let insert = try connection.prepare("INSERT INTO agencies VALUES (?, ?, ?, ?, ?, ?, ?)")
        for (position, agency) in draft.agencies.enumerated() {
            insert.bind(position, at: 0)
            insert.bind(agency.id.rawValue, at: 1)
            insert.bind(agency.name, at: 2)
            insert.bind(agency.url, at: 3)
            insert.bind(agency.timezone, at: 4)
            insert.bind(agency.language, at: 5)
            insert.bind(agency.phone, at: 6)
            try insert.run()
        }
    }

    private func writeRoutes(_ indexBuilder: borrowing PatternIndexBuilder) throws(StoreError) {
        let insert = try connection.prepare("INSERT INTO routes VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
        for (position, route) in draft.routes.enumerated() {
            guard route.agency.position < sizes.agencies else {
                throw .draft("route \(route.id) refers to an unknown agency")
            }
            insert.bind(position, at: 0)
            insert.bind(route.id.rawValue, at: 1)
            insert.bind(route.agency.position, at: 2)
            insert.bind(route.shortName, at: 3)
            insert.bind(route.longName, at: 4)
            insert.bind(route.type, at: 5)
            insert.bind(route.color, at: 6)
            insert.bind(route.textColor, at: 7)
            insert.bind(route.sortOrder, at: 8)
            insert.bind(blob: Self.packed(indexBuilder.patternsOfRoute[position]), at: 9)
            try insert.run()
        }
    }

    private static func packed(_ patterns: [PatternIndex]) -> [UInt8] {
        var writer = ByteWriter()
        var previous: UInt32 = 0
        for pattern in patterns {
            writer.put(pattern.rawValue - previous)
            previous = pattern.rawValue
        }
        writer.seal()
        return writer.bytes
    }

    /// Writes the stops. Writing the visits, which are the last column, consumes the index builder.
    private mutating func writeStops(_ indexBuilder: consuming PatternIndexBuilder) throws(StoreError) {
        let insert = try connection.prepare("INSERT INTO stops VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
        let stops = draft.stops
        try indexBuilder.forEachStop(stops.count) { (position, visits) throws(StoreError) in
            let stop = stops[position]
            guard stop.parent.map({ $0.position < stops.count }) ?? true else {
                throw .draft("stop \(stop.id) refers to an unknown parent")
            }
            insert.bind(position, at: 0)
            Self.bind(stop, to: insert)
            if let visits { insert.bind(blob: visits, at: 12) } else { insert.bind(Int?.none, at: 12) }
            try insert.run()
            try advance()
        }
        try writeHashIndex("stop_ids", stops.map { IdentifierHash.of($0.id.rawValue.utf8) })
        try writeStopCoordinates()
    }

    private func writeStopCoordinates() throws(StoreError) {
        let insert = try connection.prepare("INSERT INTO stop_places VALUES (?, ?, ?)")
        let entries = StopCoordinateIndex.sorted(draft.stops)
        var writer = ByteWriter()
        for first in stride(from: 0, to: entries.count, by: StopCoordinateIndex.size) {
            writer.clear()
            StopCoordinateIndex.write(
                entries[first..<min(first + StopCoordinateIndex.size, entries.count)], to: &writer)
            insert.bind(first / StopCoordinateIndex.size, at: 0)
            insert.bind(Int(entries[first].latitude), at: 1)
            insert.bind(blob: writer.bytes, at: 2)
            try insert.run()
        }
    }

    private static func bind(_ stop: Stop, to insert: SQLiteStatement) {
        insert.bind(stop.id.rawValue, at: 1)
        insert.bind(stop.code, at: 2)
        insert.bind(stop.name, at: 3)
        insert.bind(stop.coordinate.map { Int(StopCoordinateIndex.units($0.latitude)) }, at: 4)
        insert.bind(stop.coordinate.map { Int(StopCoordinateIndex.units($0.longitude)) }, at: 5)
        insert.bind(Int(stop.kind.rawValue), at: 6)
        insert.bind(stop.parent?.position, at: 7)
        insert.bind(stop.platform, at: 8)
        insert.bind(stop.timezone, at: 9)
        insert.bind(Int(stop.wheelchair.rawValue), at: 10)
        insert.bind(stop.isKept ? nil : 1, at: 11)
    }

    /// Grouped by origin stop; transfers without one are stored under -1.
    private func writeTransfers() throws(StoreError) {
        let insert = try connection.prepare("INSERT INTO transfers VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")
        for (position, transfer) in draft.transfers.enumerated() {
            insert.bind(transfer.fromStop?.position ?? -1, at: 0)
            insert.bind(position, at: 1)
            insert.bind(transfer.toStop?.position, at: 2)
            insert.bind(transfer.fromRoute?.position, at: 3)
            insert.bind(transfer.toRoute?.position, at: 4)
            insert.bind(transfer.fromTrip?.rawValue, at: 5)
            insert.bind(transfer.toTrip?.rawValue, at: 6)
            insert.bind(Int(transfer.kind.rawValue), at: 7)
            insert.bind(transfer.minimumTime, at: 8)
            try insert.run()
        }
    }

    /// If a text is translated twice, the first translation is kept.
    private func writeTranslations() throws(StoreError) {
        let insertField = try connection.prepare("INSERT INTO translated_fields VALUES (?, ?, ?, ?)")
        let insert = try connection.prepare("INSERT OR IGNORE INTO translations VALUES (?, ?, ?, ?, ?)")
        var fields: [[String]: Int] = [:]
        for translation in draft.translations {
            let key = [translation.table, translation.field, translation.language]
            let field = fields[key] ?? fields.count
            if fields.updateValue(field, forKey: key) == nil {
                insertField.bind(field, at: 0)
                for (column, text) in key.enumerated() { insertField.bind(text, at: Int32(column + 1)) }
                try insertField.run()
            }
            let subject = TranslationSubject(translation.subject)
            insert.bind(field, at: 0)
            insert.bind(subject.isValue ? 1 : 0, at: 1)
            insert.bind(subject.subject, at: 2)
            insert.bind(subject.subID, at: 3)
            insert.bind(translation.text, at: 4)
            try insert.run()
        }
    }

    private func writeFindings() throws(StoreError) {
        let insert = try connection.prepare("INSERT INTO findings VALUES (?, ?, ?, ?)")
        let insertExample = try connection.prepare("INSERT INTO examples VALUES (?, ?, ?, ?, ?, ?, ?)")
        for (position, finding) in report.findings.enumerated() {
            insert.bind(position, at: 0)
            insert.bind(finding.rule, at: 1)
            insert.bind(Int(finding.severity.rawValue), at: 2)
            insert.bind(finding.count, at: 3)
            try insert.run()
            for (number, example) in finding.examples.enumerated() {
                insertExample.bind(position, at: 0)
                insertExample.bind(number, at: 1)
                insertExample.bind(example.place.file, at: 2)
                insertExample.bind(example.place.line, at: 3)
                insertExample.bind(example.place.column, at: 4)
                insertExample.bind(example.place.field, at: 5)
                insertExample.bind(example.message, at: 6)
                try insertExample.run()
            }
        }
    }
}

/// The subject of a translation as columns of the file.
struct TranslationSubject {
    var isValue: Bool
    var subject: String
    /// Empty if there is none.
    var subID: String

    init(_ subject: Translation.Subject) {
        switch subject {
        case .record(let id, let subID):
            (self.isValue, self.subject, self.subID) = (false, id, subID ?? "")
        case .value(let value):
            (self.isValue, self.subject, self.subID) = (true, value, "")
        }
    }
}

extension ServiceDate {
    /// The value of the date in a column of the file.
    var number: Int { Int(daysSince1970) }
}
