public import TransitModel
internal import TransitWire

/// The search for events in the Discovery API of Ticketmaster, version 2 (`/discovery/v2/events.json`): its request and
/// its response. The API needs a key, as the query parameter ``keyParameter``. Its terms require
/// `DataAttribution.events` wherever the data is shown.
public struct Ticketmaster: Hashable, Sendable {
    /// The base URL without a trailing slash. The scheme is `https`, or `http` for a loopback address.
    public var url: String

    public init(url: String = Ticketmaster.publicURL) { self.url = url }

    public static let publicURL = "https://app.ticketmaster.com"
    /// The parameter that contains the key.
    public static let keyParameter = "apikey"
    /// The URL of the requests without their query.
    public var endpoint: String { "\(url)/discovery/v2/events.json" }

    /// The number of events of one page, the maximum of the API.
    public static let pageSize = 200
    /// The maximum number of pages for one position. The API returns at most 1,000 events for a search.
    public static let maximumPages = 5

    /// A page of a search.
    public struct Page: Hashable, Sendable {
        public var events: [PublicEvent]
        /// Whether more pages follow.
        public var hasMore: Bool
    }

    /// Returns the request for one page of the events around a position.
    ///
    /// - Parameters:
    ///   - miles: The radius, 1 or more.
    ///   - page: From 0 to ``maximumPages`` - 1.
    public func request(
        around position: RoundedPosition, miles: Int, from start: Instant, to end: Instant, page: Int
    ) -> UpstreamRequest {
        let query = [
            "latlong=\(position.latitudeText),\(position.longitudeText)", "radius=\(miles)", "unit=miles",
            "startDateTime=\(PercentEncoding.of(start.rfc3339()))", "endDateTime=\(PercentEncoding.of(end.rfc3339()))",
            "sort=date,asc", "size=\(Self.pageSize)", "page=\(page)",
        ]
        return UpstreamRequest("\(endpoint)?\(query.joined(separator: "&"))", bodyLimit: 8 << 20, deadline: 30)
    }

    /// Returns a request whose response shows whether a key is valid.
    public func keyCheck() -> UpstreamRequest {
        UpstreamRequest("\(endpoint)?size=1", bodyLimit: 64 << 10, deadline: 20)
    }

    /// Reads a page. Events that are marked as tests, and events without a name, are omitted.
    ///
    /// - Parameter limit: The maximum number of events. Further events are omitted.
    /// - Throws: A ``FeedError`` if the body is not a page of events.
    public static func page(_ body: [UInt8], limit: Int = pageSize) throws(FeedError) -> Page {
        try JSONResponse.read(body, as: "a page of events") { (json) throws(MalformedMessageError) -> Page? in
            let start = json.offset
            guard try json.beginObject() else { return nil }
            var events: [PublicEvent] = []
            var (number, pages): (Int64?, Int64?) = (nil, nil)
            var isPage = false
            while let member = try json.nextMember() {
                switch member.string {
                case "_embedded":
                    isPage = true
                    events = try Self.events(&json, limit)
                case "page":
                    isPage = true
                    guard try json.beginObject() else { break }
                    while let member = try json.nextMember() {
                        switch member.string {
                        case "number": number = try json.integer()
                        case "totalPages": pages = try json.integer()
                        default: break
                        }
                    }
                // {"fault":{…}} from the gateway and {"errors":[…]} from the API, normally with the status 4xx.
                case "fault", "errors": throw MalformedMessageError(.failed, at: start)
                default: break
                }
            }
            // Without any event, the member `_embedded` is missing, but `page` is not.
            guard isPage else { throw MalformedMessageError(.missing("page"), at: start) }
            return Page(events: events, hasMore: (number ?? 0) < max(0, pages ?? 0) - 1)
        }
    }

    // MARK: Events

    private static func events(
        _ json: inout JSONReader, _ limit: Int
    ) throws(MalformedMessageError) -> [PublicEvent] {
        var events: [PublicEvent] = []
        guard try json.beginObject() else { return events }
        while let member = try json.nextMember() {
            guard member.string == "events" else { continue }
            var list = try json.list()
            while try json.next(&list) {
                if events.count >= limit {
                    try json.skip()
                } else if let event = try event(&json) {
                    events.append(event)
                }
            }
        }
        return events
    }

    private static func event(_ json: inout JSONReader) throws(MalformedMessageError) -> PublicEvent? {
        var event = PublicEvent(id: "", name: "")
        var isTest = false
        guard try json.beginObject() else { return nil }
        while let member = try json.nextMember() {
            switch member.string {
            case "id": event.id = try text(&json) ?? ""
            case "name": event.name = try text(&json) ?? ""
            case "url": event.url = try text(&json).flatMap { isWebURL($0) ? $0 : nil }
            case "test": isTest = try json.boolean() ?? false
            case "dates": try readDates(&json, &event)
            case "classifications": try readClassifications(&json, &event)
            case "_embedded": event.venue = try venue(&json)
            default: break
            }
        }
        guard !isTest, !event.name.isEmpty else { return nil }
        return event
    }

    private static func readDates(
        _ json: inout JSONReader, _ event: inout PublicEvent
    ) throws(MalformedMessageError) {
        guard try json.beginObject() else { return }
        while let member = try json.nextMember() {
            switch member.string {
            case "start": try readStart(&json, &event)
            case "end":
                guard try json.beginObject() else { break }
                while let member = try json.nextMember() {
                    if member.string == "dateTime" { event.end = try instant(&json) }
                }
            case "status":
                guard try json.beginObject() else { break }
                while let member = try json.nextMember() {
                    if member.string == "code" { event.status = EventStatus(code: try json.string() ?? "") }
                }
            default: break
            }
        }
        // An end that is before the start, or days after it, is an error of the source.
        if let start = event.start, let end = event.end, !(0...3 * 86_400).contains(start.seconds(to: end)) {
            event.end = nil
        }
    }

    private static func readStart(
        _ json: inout JSONReader, _ event: inout PublicEvent
    ) throws(MalformedMessageError) {
        var (hasDate, hasTime) = (true, true)
        guard try json.beginObject() else { return }
        while let member = try json.nextMember() {
            switch member.string {
            case "dateTime": event.start = try instant(&json)
            case "localDate": event.date = try json.string().flatMap { ServiceDate(iso8601: $0) }
            case "localTime": event.secondsOfDay = try json.string().flatMap(secondsOfDay)
            case "dateTBA", "dateTBD": if try json.boolean() == true { hasDate = false }
            case "timeTBA", "noSpecificTime": if try json.boolean() == true { hasTime = false }
            default: break
            }
        }
        // Without a time, the source gives an arbitrary one, such as midnight.
        if !hasDate { event.date = nil }
        if !hasDate || !hasTime { (event.start, event.secondsOfDay) = (nil, nil) }
    }

    /// Reads the first classification, which is the primary one.
    private static func readClassifications(
        _ json: inout JSONReader, _ event: inout PublicEvent
    ) throws(MalformedMessageError) {
        var list = try json.list()
        var isFirst = true
        while try json.next(&list) {
            guard isFirst, try json.beginObject() else {
                if !isFirst { try json.skip() }
                continue
            }
            isFirst = false
            while let member = try json.nextMember() {
                switch member.string {
                case "segment": event.category = try name(&json)
                case "genre": event.genre = try name(&json)
                default: break
                }
            }
        }
    }

    /// Reads the first venue. An event has several only if the source does not know which.
    private static func venue(_ json: inout JSONReader) throws(MalformedMessageError) -> EventVenue? {
        var venue: EventVenue?
        guard try json.beginObject() else { return nil }
        while let member = try json.nextMember() {
            guard member.string == "venues" else { continue }
            var list = try json.list()
            while try json.next(&list) {
                if venue == nil { venue = try oneVenue(&json) } else { try json.skip() }
            }
        }
        return venue
    }

    private static func oneVenue(_ json: inout JSONReader) throws(MalformedMessageError) -> EventVenue? {
        var venue = EventVenue(name: "")
        guard try json.beginObject() else { return nil }
        while let member = try json.nextMember() {
            switch member.string {
            case "name": venue.name = try text(&json) ?? ""
            case "city": venue.city = try name(&json)
            case "location":
                var (latitude, longitude): (Double?, Double?)
                guard try json.beginObject() else { break }
                while let member = try json.nextMember() {
                    switch member.string {
                    case "latitude": latitude = try json.double()
                    case "longitude": longitude = try json.double()
                    default: break
                    }
                }
                if let latitude, let longitude {
                    venue.coordinate = Coordinate(latitude: latitude, longitude: longitude)
                }
            default: break
            }
        }
        return venue.name.isEmpty ? nil : venue
    }

    // MARK: Values

    /// The maximum length of a text in bytes. The length is limited because the events are kept in memory.
    private static let maximumLength = 500

    /// Reads a text as a single line. A longer text is omitted.
    private static func text(_ json: inout JSONReader) throws(MalformedMessageError) -> String? {
        guard let text = try json.string(), text.utf8.count <= maximumLength else { return nil }
        let line = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return line.isEmpty ? nil : line
    }

    /// Reads the member `name` of an object. "Undefined" stands for an unknown value.
    private static func name(_ json: inout JSONReader) throws(MalformedMessageError) -> String? {
        var name: String?
        guard try json.beginObject() else { return nil }
        while let member = try json.nextMember() {
            if member.string == "name" { name = try text(&json) }
        }
        return name == "Undefined" ? nil : name
    }

    private static func instant(_ json: inout JSONReader) throws(MalformedMessageError) -> Instant? {
        try json.string().flatMap { Instant(rfc3339: $0) }
    }

    /// Parses a time of day such as "19:30:00".
    private static func secondsOfDay(_ text: String) -> Int? {
        Instant(rfc3339: "1970-01-01T\(text)Z").map { Int($0.secondsSince1970) }
    }

    private static func isWebURL(_ text: String) -> Bool {
        (text.hasPrefix("https://") || text.hasPrefix("http://"))
            && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") }
    }
}

extension EventStatus {
    /// - Parameter code: A code such as "onsale". Most codes concern the sale of tickets.
    fileprivate init(code: String) {
        switch code.lowercased() {
        case "cancelled", "canceled": self = .canceled
        case "postponed": self = .postponed
        case "rescheduled": self = .rescheduled
        default: self = .scheduled
        }
    }
}

// MARK: - Storage

extension Ticketmaster {
    /// Writes events as a document that ``page(_:limit:)`` reads, without the members that are not used.
    ///
    /// - Parameter hasMore: ``Page/hasMore`` of the document.
    public static func body(of events: [PublicEvent], hasMore: Bool = false) -> [UInt8] {
        let events = JSONValue.array(events.map { .object(object(of: $0)) })
        let page: JSONValue = ["number": 0, "totalPages": hasMore ? 2 : 1]
        return JSONValue.object(["_embedded": ["events": events], "page": page]).encoded
    }

    private static func object(of event: PublicEvent) -> JSONObject {
        var start = JSONObject()
        start["dateTime"] = event.start.map { .string($0.rfc3339()) }
        start["localDate"] = event.date.map { .string("\($0)") }
        start["localTime"] = event.secondsOfDay.map { .string("\(ServiceTime(seconds: Int32($0)))") }
        var dates: JSONObject = ["start": .object(start), "status": ["code": .string(event.status.code)]]
        dates["end"] = event.end.map { ["dateTime": .string($0.rfc3339())] }
        var object: JSONObject = ["id": .string(event.id), "name": .string(event.name), "dates": .object(dates)]
        object["url"] = event.url.map { .string($0) }
        let classification = [("segment", event.category), ("genre", event.genre)].compactMap { name, value in
            value.map { (name, JSONValue.object(["name": .string($0)])) }
        }
        if !classification.isEmpty {
            var members = JSONObject()
            for (name, value) in classification { members[name] = value }
            object["classifications"] = [.object(members)]
        }
        object["_embedded"] = event.venue.map { ["venues": [.object(Self.object(of: $0))]] }
        return object
    }

    private static func object(of venue: EventVenue) -> JSONObject {
        var object: JSONObject = ["name": .string(venue.name)]
        object["city"] = venue.city.map { ["name": .string($0)] }
        object["location"] = venue.coordinate.map {
            ["latitude": .double($0.latitude), "longitude": .double($0.longitude)]
        }
        return object
    }
}

extension EventStatus {
    /// The code of the status in a response.
    fileprivate var code: String {
        switch self {
        case .scheduled: "onsale"
        case .rescheduled: "rescheduled"
        case .postponed: "postponed"
        case .canceled: "cancelled"
        }
    }
}
