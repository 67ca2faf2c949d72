internal import TransitModel

/// Resolves the names of time zones, including alternative spellings that denote exactly one zone.
///
/// Names such as "PST" and "GMT+8" are not resolved, because they denote an offset but not the dates on which it
/// changes.
struct TimeZoneNames {
    let isKnown: @Sendable (String) -> Bool

    /// Returns the database name of the zone in a field. Reports a missing or unknown zone and returns `nil`.
    func resolve(_ row: borrowing CSVRow, _ column: some TableColumn, _ context: ReadingContext) -> String? {
        guard let name = context.text(row, column) else {
            context.reject(row, column, "missing_required_field", .error, "\(column.name) is empty")
            return nil
        }
        if isKnown(name) { return name }
        if let zone = Self.variants(of: name).first(where: { isKnown($0) }) {
            context.reject(
                row, column, "invalid_timezone", .warning,
                "\(column.name) “\(FieldValue.excerpt(name))” is read as \(zone)")
            return zone
        }
        context.rejectValue(row, column, "invalid_timezone", "is not a zone of the IANA time zone database")
        return nil
    }

    /// Returns other names of the same zone.
    static func variants(of name: String) -> [String] {
        let tidy = capitalizedWords(name)
        var names = [tidy]
        for pair in renamed {
            if tidy == pair.0 { names.append(pair.1) }
            if tidy == pair.1 { names.append(pair.0) }
        }
        return names.filter { $0 != name }
    }

    /// Normalizes the spelling of a name, for example "america/los angeles" to "America/Los_Angeles".
    private static func capitalizedWords(_ name: String) -> String {
        var isStart = true
        var letters: [Character] = []
        for letter in name {
            let letter: Character = letter == " " ? "_" : letter
            let isUpperWord = name.hasPrefix("US/") && letters.count < 2
            letters.append(contentsOf: isStart || isUpperWord ? letter.uppercased() : letter.lowercased())
            isStart = !letter.isLetter
        }
        return String(letters)
    }

    /// Pairs of names for the same zone. Some zones were renamed, so a database has only one of the names. Other names
    /// are in the file "backward" of the IANA database, which some systems install separately.
    private static let renamed = [
        ("US/Eastern", "America/New_York"), ("US/Central", "America/Chicago"), ("US/Mountain", "America/Denver"),
        ("US/Pacific", "America/Los_Angeles"), ("US/Alaska", "America/Anchorage"), ("US/Hawaii", "Pacific/Honolulu"),
        ("US/Arizona", "America/Phoenix"), ("Canada/Eastern", "America/Toronto"),
        ("Canada/Central", "America/Winnipeg"), ("Canada/Mountain", "America/Edmonton"),
        ("Canada/Pacific", "America/Vancouver"), ("Canada/Atlantic", "America/Halifax"),
        ("Europe/Kiev", "Europe/Kyiv"), ("Asia/Calcutta", "Asia/Kolkata"), ("Asia/Saigon", "Asia/Ho_Chi_Minh"),
        ("Asia/Katmandu", "Asia/Kathmandu"), ("Asia/Rangoon", "Asia/Yangon"), ("America/Godthab", "America/Nuuk"),
        ("Atlantic/Faeroe", "Atlantic/Faroe"), ("America/Buenos_Aires", "America/Argentina/Buenos_Aires"),
        ("Singapore", "Asia/Singapore"), ("Hongkong", "Asia/Hong_Kong"), ("Japan", "Asia/Tokyo"),
        ("Israel", "Asia/Jerusalem"), ("Asia/Tel_Aviv", "Asia/Jerusalem"), ("Turkey", "Europe/Istanbul"),
        ("Poland", "Europe/Warsaw"), ("Portugal", "Europe/Lisbon"), ("Eire", "Europe/Dublin"),
    ]
}
