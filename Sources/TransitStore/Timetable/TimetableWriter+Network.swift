internal import TransitModel

extension TimetableWriter {
    func writeAgencies() throws(StoreError) {
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

    func writeRoutes(_ indexBuilder: borrowing PatternIndexBuilder) throws(StoreError) {
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
    mutating func writeStops(_ indexBuilder: consuming PatternIndexBuilder) throws(StoreError) {
        let insert = try connection.prepare("INSERT INTO stops VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
        let stops = draft.stops
        try indexBuilder.forEachStop(stops.count) { (position, visits) throws(StoreError) in
            let stop = stops[position]
            guard stop.parent.map({ $0.position < stops.count }) ?? true else {
                throw .draft("stop \(stop.id) refers to an unknown parent")
            }
            insert.bind(position, at: 0)
            Self.bind(stop, to: insert)
            if let visits { insert.bind(blob: visits, at: 11) } else { insert.bind(Int?.none, at: 11) }
            try insert.run()
            try advance()
        }
        try writeHashIndex("stop_ids", stops.map { IdentifierHashIndex.hash($0.id.rawValue.utf8) })
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
    }

    /// Grouped by origin stop; transfers without one are stored under -1.
    func writeTransfers() throws(StoreError) {
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
    func writeTranslations() throws(StoreError) {
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

    func writeFindings() throws(StoreError) {
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
