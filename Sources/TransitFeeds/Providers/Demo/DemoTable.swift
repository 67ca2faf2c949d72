/// A CSV file of the demo feed.
struct DemoTable {
    let name: String
    private(set) var text: String

    /// Starts the table with a header of comma-separated column names.
    init(_ name: String, _ header: String) {
        self.name = name
        text = header + "\n"
    }

    /// Adds a row; fields with commas or quotes are quoted.
    mutating func add(_ fields: [String]) {
        text += fields.map(Self.quoted).joined(separator: ",") + "\n"
    }

    private static func quoted(_ field: String) -> String {
        guard field.contains(where: { $0 == "," || $0 == "\"" }) else { return field }
        return "\"" + field.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }
}
