public import TransitWire

/// An address that the geocoder found.
public struct AddressMatch: WireObject {
    public var name: String
    public var position: Position

    public init(name: String, position: Position) {
        self.name = name
        self.position = position
    }

    public static let wireSchema = WireSchema(
        "AddressMatch", "An address that the geocoder found.", Self.init,
        Field("name", \.name, "The address as text."),
        Field("position", \.position, "The coordinates of the address."))
}

/// Searches for addresses with the geocoder named in the configuration.
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
        "AddressSearchParameters", "Searches for addresses with the geocoder named in the configuration.", Self.init,
        Field("text", \.text, "The text to search for. The daemon sends it to the geocoder.", in: 1...200),
        Field("count", \.count, "The maximum number of addresses.", in: 1...10, default: 5),
        Field(
            "language", \.language,
            "The language for address names, as an IETF BCP 47 language tag such as \"de\".", in: 1...35
        ),
        Field(
            "partial", \.partial,
            """
            Whether `text` is unfinished input, as in search-as-you-type. Not every geocoder permits such \
            requests. A client cancels the previous request when the user continues to type.
            """, default: false))
}

/// The addresses found, best match first.
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
        "AddressSearchResult", "The addresses found, best match first.", Self.init,
        Field("at", \.at, "When the result was produced."),
        Field("addresses", \.addresses, "Best match first. Addresses near the timetables' stops are preferred."),
        Field("notices", \.notices, "Conditions that affect the result, such as stale or missing data."))
}
