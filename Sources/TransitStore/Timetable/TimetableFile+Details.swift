public import TransitModel

extension TimetableFile {
    /// Returns the transfers that start at a stop, in the order of transfers.txt, or, for `nil`, the transfers without
    /// a stop.
    public func transfers(from stop: StopIndex?) throws(StoreError) -> [Transfer] {
        try read { (reader) throws(StoreError) in
            let statement = try reader.statement(.transfers)
            statement.bind(stop?.position ?? -1, at: 0)
            defer { statement.reset() }
            var transfers: [Transfer] = []
            while try statement.step() { transfers.append(try transfer(statement, from: stop, reader)) }
            return transfers
        }
    }

    /// Returns all transfers: those without a stop, then those of each stop in the order of transfers.txt. Other queries can
    /// run in the meantime.
    public func transfers() throws(StoreError) -> [Transfer] {
        var transfers: [Transfer] = []
        var last: (stop: Int, position: Int)? = (-1, -1)
        while let previous = last {
            last = try read { (reader) throws(StoreError) in
                let statement = try reader.statement(.allTransfers)
                statement.bind(previous.stop, at: 0)
                statement.bind(previous.position, at: 1)
                defer { statement.reset() }
                var last: (stop: Int, position: Int)?
                while try statement.step() {
                    let from: StopIndex? = statement.index(7, below: sizes.stops)
                    guard from != nil || statement.integer(7) == -1 else {
                        throw reader.corrupt("a transfer starts at an unknown stop")
                    }
                    transfers.append(try transfer(statement, from: from, reader))
                    last = (statement.integer(7), statement.integer(8))
                }
                return last
            }
        }
        return transfers
    }

    private func transfer(
        _ row: SQLiteStatement, from stop: StopIndex?, _ reader: TimetableReader
    ) throws(StoreError) -> Transfer {
        guard let kind = UInt8(exactly: row.integer(5)).flatMap(Transfer.Kind.init(rawValue:)) else {
            throw reader.corrupt("a transfer has an unknown type")
        }
        return Transfer(
            fromStop: stop, toStop: row.index(0, below: sizes.stops), fromRoute: row.index(1, below: sizes.routes),
            toRoute: row.index(2, below: sizes.routes), fromTrip: row.optionalText(3).map { TripID($0) },
            toTrip: row.optionalText(4).map { TripID($0) }, kind: kind, minimumTime: row.optionalInteger(6))
    }

    /// Returns the translation of a text, or `nil` if there is none. A feed identifies a text either by its record or
    /// by the published value (GTFS reference, translations.txt).
    ///
    /// - Parameters:
    ///   - table: A value of `table_name`, such as "stops".
    ///   - field: A value of `field_name`, such as "stop_name".
    ///   - language: One of ``translatedLanguages()``, as published; "de-AT" does not match "de".
    public func translation(
        table: String, field: String, language: String, of subject: Translation.Subject
    ) throws(StoreError) -> String? {
        let subject = TranslationSubject(subject)
        return try read { (reader) throws(StoreError) in
            let statement = try reader.statement(.translation)
            for (position, text) in [table, field, language].enumerated() { statement.bind(text, at: Int32(position)) }
            statement.bind(subject.isValue ? 1 : 0, at: 3)
            statement.bind(subject.subject, at: 4)
            statement.bind(subject.subID, at: 5)
            defer { statement.reset() }
            return try statement.step() ? statement.text(0) : nil
        }
    }

    /// Returns the distinct languages of all translations, as published.
    public func translatedLanguages() throws(StoreError) -> [String] {
        try read { (reader) throws(StoreError) in
            let rows = try reader.connection.prepare(
                "SELECT DISTINCT language FROM translated_fields ORDER BY language")
            var languages: [String] = []
            while try rows.step() { languages.append(rows.text(0)) }
            return languages
        }
    }

    /// The name of a stop in another language.
    public struct TranslatedStopName: Hashable, Sendable {
        /// The name as folded by ``SearchText/fold(_:)``.
        public var foldedName: String
        /// The translated stop, or the published name whose translation applies to all stops with that name.
        public var subject: Translation.Subject
    }

    /// Calls `body` for each translated stop name that a condition holds for.
    ///
    /// - Parameter isFound: The condition on the UTF-8 of the folded name, which is valid only during the call. It must
    ///   not query this file.
    public func searchTranslatedStops(
        where isFound: (UnsafeBufferPointer<UInt8>) -> Bool, _ body: (TranslatedStopName) -> Void
    ) throws(StoreError) {
        let names: [TranslatedStopName] = try read { (reader) throws(StoreError) in
            let rows = try reader.connection.prepare(
                """
                SELECT text, by_value, subject FROM translations WHERE field IN (
                    SELECT field FROM translated_fields WHERE table_name = 'stops' AND field_name = 'stop_name')
                """)
            var buffer = SearchTextBuffer()
            var names: [TranslatedStopName] = []
            while try rows.step() {
                let foldedName = buffer.fold(rows.textBytes(0))
                guard isFound(foldedName) else { continue }
                let subject = rows.text(2)
                names.append(
                    TranslatedStopName(
                        foldedName: String(decoding: foldedName, as: UTF8.self),
                        subject: rows.integer(1) == 1 ? .value(subject) : .record(id: subject, subID: nil)))
            }
            return names
        }
        // Other callers can use the file in the meantime.
        for name in names { body(name) }
    }

    /// Returns the findings from the import of the version.
    public func report() throws(StoreError) -> ValidationReport {
        try read { (reader) throws(StoreError) in
            let rows = try reader.connection.prepare(
                "SELECT finding, rule, severity, count FROM findings ORDER BY finding")
            let examples = try reader.connection.prepare(
                "SELECT file, line, column, field, message FROM examples WHERE finding = ? ORDER BY position")
            var findings: [ValidationReport.Finding] = []
            while try rows.step() {
                let severity = UInt8(exactly: rows.integer(2)).flatMap(ValidationReport.Severity.init(rawValue:))
                guard let severity else { throw reader.corrupt("a finding has an unknown severity") }
                findings.append(
                    ValidationReport.Finding(
                        rule: rows.text(1), severity: severity, count: rows.integer(3),
                        examples: try Self.examples(examples, of: rows.integer(0))))
            }
            return ValidationReport(findings: findings)
        }
    }

    private static func examples(
        _ statement: SQLiteStatement, of finding: Int
    ) throws(StoreError) -> [ValidationReport.Example] {
        statement.bind(finding, at: 0)
        defer { statement.reset() }
        var examples: [ValidationReport.Example] = []
        while try statement.step() {
            let place = ValidationReport.Location(
                file: statement.text(0), line: statement.optionalInteger(1), column: statement.optionalInteger(2),
                field: statement.optionalText(3))
            examples.append(ValidationReport.Example(place: place, message: statement.text(4)))
        }
        return examples
    }
}
