internal import TransitModel

enum TranslationColumn: Int, TableColumn {
    case table, field, language, translation, record, subRecord, value, legacyText, legacyLanguage

    static let file = "translations.txt"
    static let names = [
        "table_name", "field_name", "language", "translation", "record_id", "record_sub_id", "field_value", "trans_id",
        "lang",
    ]
    static let ignoredNames: [String] = []
    static let required: [TranslationColumn] = [.translation]
}

/// The tables that translations refer to.
struct TranslatableTables {
    let agencies: AgencyTable
    let stops: StopsTable
    let routes: RoutesTable
    /// Whether only a part of the feed is kept.
    var isPartial = false
}

/// Reads translations.txt, including the legacy format from before 2020. A legacy row has a text of the feed
/// (`trans_id`), a language and a translation, but no field name.
struct TranslationsTable {
    private(set) var translations: [Translation] = []

    init(
        _ files: FeedFiles, _ tables: TranslatableTables, _ builder: borrowing TimetableBuilder
    ) throws(FeedError) {
        let context = files.context
        var legacy: LegacyTranslations?
        try files.read(TranslationColumn.self) { row throws(FeedError) in
            if row[TranslationColumn.legacyText].isEmpty {
                guard let translation = Self.translation(row, context) else { return }
                if Self.isOutside(row, translation, tables, builder) { return }
                guard Self.isKnown(row, translation, tables, builder) else {
                    return context.rejectValue(
                        row, TranslationColumn.record, "translation_foreign_key_violation",
                        "is not in \(translation.table).txt; the row is skipped")
                }
                translations.append(translation)
            } else {
                guard context.has(row, TranslationColumn.legacyLanguage),
                    context.has(row, TranslationColumn.translation)
                else { return }
                // Created only for legacy files, because it contains every name in the feed.
                let names = legacy ?? LegacyTranslations(tables)
                legacy = names
                let found = names.translations(row, builder)
                translations += found
                if found.isEmpty {
                    context.reject(
                        row, TranslationColumn.legacyText, "unused_translation", .info,
                        "No name or headsign in the feed has this text; the row is skipped")
                }
            }
        }
    }

    private static func translation(_ row: borrowing CSVRow, _ context: ReadingContext) -> Translation? {
        guard context.has(row, TranslationColumn.table), context.has(row, TranslationColumn.field),
            context.has(row, TranslationColumn.language), context.has(row, TranslationColumn.translation)
        else { return nil }
        let table = row.text(TranslationColumn.table.rawValue)
        guard tableNames.contains(table) else {
            context.rejectValue(
                row, TranslationColumn.table, "translation_unknown_table_name", "is not a table; the row is skipped")
            return nil
        }
        guard let subject = subject(row, table, context) else { return nil }
        return Translation(
            table: table, field: row.text(TranslationColumn.field.rawValue),
            language: row.text(TranslationColumn.language.rawValue),
            text: row.text(TranslationColumn.translation.rawValue), subject: subject)
    }

    /// Returns the record or value that a row translates. A row for feed_info needs neither, because that table has
    /// only one row.
    private static func subject(
        _ row: borrowing CSVRow, _ table: String, _ context: ReadingContext
    ) -> Translation.Subject? {
        if let record = context.text(row, TranslationColumn.record) {
            if !row[TranslationColumn.value].isEmpty {
                context.reject(
                    row, TranslationColumn.value, "translation_unexpected_value", .warning,
                    "field_value is ignored because record_id is given")
            }
            return .record(id: record, subID: context.text(row, TranslationColumn.subRecord))
        }
        if let value = context.text(row, TranslationColumn.value) { return .value(value) }
        if table == "feed_info" { return .record(id: "", subID: nil) }
        _ = context.has(row, TranslationColumn.record)
        return nil
    }

    private static let tableNames: Set<String> = [
        "agency", "stops", "routes", "trips", "stop_times", "pathways", "levels", "feed_info", "attributions",
    ]

    /// Returns whether a row translates a stop, route or trip of the source that is not kept.
    private static func isOutside(
        _ row: borrowing CSVRow, _ translation: Translation, _ tables: TranslatableTables,
        _ builder: borrowing TimetableBuilder
    ) -> Bool {
        guard tables.isPartial else { return false }
        let id = row[TranslationColumn.record]
        guard !id.isEmpty else { return false }
        switch translation.table {
        case "stops": return tables.stops.contains(id) && tables.stops.index(of: id) == nil
        case "routes": return tables.routes.contains(id) && tables.routes.index(of: id) == nil
        case "trips", "stop_times": return builder.isOutside(id)
        default: return false
        }
    }

    private static func isKnown(
        _ row: borrowing CSVRow, _ translation: Translation, _ tables: TranslatableTables,
        _ builder: borrowing TimetableBuilder
    ) -> Bool {
        let id = row[TranslationColumn.record]
        guard !id.isEmpty else { return true }
        switch translation.table {
        case "agency": return tables.agencies.index(of: id) != nil
        case "stops": return tables.stops.contains(id)
        case "routes": return tables.routes.contains(id)
        case "trips", "stop_times": return builder.trip(id) != nil
        default: return true
        }
    }
}

/// Finds the fields that a legacy translation applies to: the fields that contain its text.
private struct LegacyTranslations {
    private var fieldsByText: [String: Set<Field>] = [:]

    private struct Field: Hashable {
        var table: String
        var name: String
    }

    init(_ tables: TranslatableTables) {
        for stop in tables.stops.stops { add(stop.name, "stops", "stop_name") }
        for agency in tables.agencies.agencies { add(agency.name, "agency", "agency_name") }
        for route in tables.routes.routes {
            add(route.shortName, "routes", "route_short_name")
            add(route.longName, "routes", "route_long_name")
        }
    }

    private mutating func add(_ text: String?, _ table: String, _ name: String) {
        if let text { fieldsByText[text, default: []].insert(Field(table: table, name: name)) }
    }

    func translations(_ row: borrowing CSVRow, _ builder: borrowing TimetableBuilder) -> [Translation] {
        let original = row.text(TranslationColumn.legacyText.rawValue)
        var fields = (fieldsByText[original] ?? []).sorted { ($0.table, $0.name) < ($1.table, $1.name) }
        if builder.texts.find(row[TranslationColumn.legacyText]) != nil {
            fields.append(Field(table: "trips", name: "trip_headsign"))
            fields.append(Field(table: "stop_times", name: "stop_headsign"))
        }
        return fields.map { field in
            Translation(
                table: field.table, field: field.name, language: row.text(TranslationColumn.legacyLanguage.rawValue),
                text: row.text(TranslationColumn.translation.rawValue), subject: .value(original))
        }
    }
}
