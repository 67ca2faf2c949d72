/// An address that was found.
public struct AddressMatch: WireObject {
    public var name: String
    public var position: Position

    public init(name: String, position: Position) {
        self.name = name
        self.position = position
    }

    public static let wireSchema = WireSchema(
        "AddressMatch", "An address that was found.", Self.init,
        Field("name", \.name, "In words."),
        Field("position", \.position, "Where it is."))
}

/// Finds addresses by the geocoder that the configuration names.
public struct AddressSearchParameters: ControlParameters {
    public typealias Reply = AddressSearchResult
    public static let method = ControlMethod.addressSearch

    public var text: String
    public var count: Int
    public var language: String?
    public var partial: Bool

    public init(text: String, count: Int = 5, language: String? = nil, partial: Bool = false) {
        self.text = text
        self.count = count
        self.language = language
        self.partial = partial
    }

    public static let wireSchema = WireSchema(
        "AddressSearchParameters", "Finds addresses by the geocoder that the configuration names.", Self.init,
        Field("text", \.text, "What to look for. It is sent to the geocoder.", in: 1...200),
        Field("count", \.count, "How many at most.", in: 1...10, default: 5),
        Field("language", \.language, "An IETF BCP 47 code, such as \"de\": in which the names are told.", in: 1...35),
        Field(
            "partial", \.partial,
            """
            Whether it is what somebody has typed so far. Not every geocoder may be asked for that; and whoever types on \
            cancels the question.
            """, default: false))
}

/// Addresses, best first.
public struct AddressSearchResult: WireObject {
    public var at: Timestamp
    public var addresses: [AddressMatch]
    public var notices: [Notice]

    public init(at: Timestamp, addresses: [AddressMatch], notices: [Notice] = []) {
        self.at = at
        self.addresses = addresses
        self.notices = notices
    }

    public static let wireSchema = WireSchema(
        "AddressSearchResult", "Addresses, best first.", Self.init,
        Field("at", \.at, "When this was true."),
        Field("addresses", \.addresses, "Those near the timetables' stops are preferred."),
        Field("notices", \.notices, "What to know about this answer."))
}
