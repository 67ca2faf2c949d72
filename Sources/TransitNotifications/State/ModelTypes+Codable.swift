public import TransitModel

// The forms of the model's types in a saved state.

extension Instant: Codable {
    /// Years 1 to 9999, so that arithmetic with the value cannot overflow.
    private static let readable: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

    /// Seconds since 1970.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let seconds = try container.decode(Int64.self)
        guard Self.readable.contains(seconds) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "It is not a time of these years.")
        }
        self.init(secondsSince1970: seconds)
    }

    public func encode(to encoder: any Encoder) throws { try secondsSince1970.encode(to: encoder) }
}

extension ServiceDate: Codable {
    private static let readable: ClosedRange<Int32> = -719_162...2_932_896

    /// `2026-03-27`, or days since 1970, as earlier versions wrote it.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let days = try? container.decode(Int32.self)
        let date =
            try days.map { ServiceDate(daysSince1970: $0) } ?? ServiceDate(iso8601: container.decode(String.self))
        guard let date, Self.readable.contains(date.daysSince1970) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "It is not a date.")
        }
        self = date
    }

    public func encode(to encoder: any Encoder) throws { try "\(self)".encode(to: encoder) }
}

extension DepartureKey: Codable {
    private enum CodingKeys: String, CodingKey {
        case feed, route, direction, stop, scheduled
        case serviceDate = "service_date"
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            feed: try container.decode(FeedID.self, forKey: .feed),
            route: try container.decode(RouteID.self, forKey: .route),
            direction: try container.decodeIfPresent(Direction.self, forKey: .direction),
            stop: try container.decode(StopID.self, forKey: .stop),
            scheduled: try container.decode(Instant.self, forKey: .scheduled),
            serviceDate: try container.decode(ServiceDate.self, forKey: .serviceDate))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(feed, forKey: .feed)
        try container.encode(route, forKey: .route)
        try container.encodeIfPresent(direction, forKey: .direction)
        try container.encode(stop, forKey: .stop)
        try container.encode(scheduled, forKey: .scheduled)
        try container.encode(serviceDate, forKey: .serviceDate)
    }
}

extension Identifier: Codable {}
extension Direction: Codable {}
extension CallStatus: Codable {}
