public import TransitModel

/// The agencies in Tranzy's `/agency` list, which `setup` offers once a key has been validated.
///
/// An agency can be listed although Tranzy rejects the key for it (Oradea in 2026).
public enum TranzyAgencies {
    /// Returns the agencies in the order of the response.
    ///
    /// - Throws: A ``FeedError`` if the body is not a list of agencies.
    public static func read(_ body: [UInt8]) throws(FeedError) -> [Agency] {
        try TranzyTable<Agency>.read(body, "agencies", row).rows
    }

    static func row(_ row: inout TranzyRow) throws(MalformedMessageError) -> Agency? {
        var id: String?
        var agency = Agency(id: "", name: "", timezone: timezone)
        try row.members { (row, member) throws(MalformedMessageError) in
            switch member {
            case "agency_id": id = try row.identifier()
            case "agency_name": agency.name = try row.text() ?? ""
            // Chișinău has `agency_urls`, a list, instead of `agency_url`.
            case "agency_url", "agency_urls":
                let url = try row.firstText()
                agency.url = agency.url ?? url
            case "agency_timezone": agency.timezone = try row.text() ?? timezone
            case "agency_lang": agency.language = try row.text()
            case "agency_phone": agency.phone = try row.text()
            default: break
            }
        }
        guard let id else {
            row.reportMissing("agency_id")
            return nil
        }
        agency.id = AgencyID(id)
        if agency.name.isEmpty { agency.name = "Agency \(id)" }
        return agency
    }

    /// The time zone of every recorded agency, including Chișinău, whose local time is the same.
    static let timezone = "Europe/Bucharest"
}

extension TranzyRow {
    /// Reads a string, or the first string of a list.
    fileprivate mutating func firstText() throws(MalformedMessageError) -> String? {
        var list = try json.list()
        var first: String?
        while try json.next(&list) {
            let text = try text()
            first = first ?? text
        }
        return first
    }
}
