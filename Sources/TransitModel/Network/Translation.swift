/// One row of translations.txt (GTFS reference, translations.txt): a translation of a text in another table.
public struct Translation: Hashable, Sendable {
    /// `table_name`: "stops", "routes", "trips", "stop_times", "agency", …
    public var table: String
    /// `field_name`: "stop_name", "trip_headsign", …
    public var field: String
    public var language: String
    public var text: String
    /// The translated text, given by `record_id` (with `record_sub_id` for stop_times) or by `field_value`.
    public var subject: Subject

    public enum Subject: Hashable, Sendable {
        case record(id: String, subID: String?)
        case value(String)
    }

    public init(table: String, field: String, language: String, text: String, subject: Subject) {
        self.table = table
        self.field = field
        self.language = language
        self.text = text
        self.subject = subject
    }
}
