public import TransitModel

/// The agencies that Tranzy serves, as `/agency` lists them: what `setup` offers once a key was found to be good.
///
/// An agency may be listed and still be refused to a key (Oradea was, in 2026).
public enum TranzyAgencies {
    /// In the order of the answer.
    ///
    /// - Throws: a ``FeedError`` for what is no such list.
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
            // Chișinău has a list in the second one, and no first one.
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

    /// Of every agency in the recordings, that of Chișinău included, whose clocks show the same time.
    static let timezone = "Europe/Bucharest"
}

extension TranzyRow {
    /// A text, or the first of a list of texts.
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
