// Generated from Sources/TransitControl/Messages/Common.swift by transit-wire-generator. Do not edit; run: make generate
// swift-format-ignore-file
public import TransitModel
public import TransitWire

extension Notice {
    public init(kind: NoticeKind, feed: FeedID? = nil, message: String, since: Timestamp? = nil, _: Void = ()) {
        self.init(kind: kind, feed: feed, message: message, since: since)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.kind = try members.required("kind")
        self.feed = try members.optional("feed")
        self.message = try members.required("message")
        self.since = try members.optional("since")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("kind", self.kind)
        writer.member("feed", self.feed)
        writer.member("message", self.message)
        writer.member("since", self.since)
        writer.endObject()
    }

    public static var schemaName: String { "Notice" }
    public static var description: String { "A condition that affects a result, such as missing, partial or stale data, and when it began." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("kind", NoticeKind.self, "The kind of condition. missing: no data is available; failed: the source could not be reached; partial: part of the data is missing; malformed: the source sent invalid data; stale: the data is older than it should be; expired: the timetable's service dates have passed; expiring: the timetable's service dates end soon; importing: a new version is being imported; no_service: the data is complete, but no trips run; no_timetable: the source publishes no times, so departures come from realtime data only; offline: there is no network connection; damaged: a file was corrupt; fetching: the data is being fetched now; suspended: the operator reports that it provides no data; quiet: notifications are not shown at some times; last_service: fewer than two journeys are left on the day. More values may be added.")
        builder.member("feed", FeedID?.self, "The affected feed; null when the notice applies to all feeds.")
        builder.member("message", String.self, "A human-readable sentence.")
        builder.member("since", Timestamp?.self, "When the condition began.")
    }
}

extension Position {
    public init(lat: Double, lon: Double, _: Void = ()) {
        self.init(lat: lat, lon: lon)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.lat = try members.required("lat", in: -90...90)
        self.lon = try members.required("lon", in: -180...180)
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("lat", self.lat)
        writer.member("lon", self.lon)
        writer.endObject()
    }

    public static var schemaName: String { "Position" }
    public static var description: String { "A position on the Earth (WGS 84)." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("lat", Double.self, "The latitude; north is positive.", unit: .degrees, in: -90...90)
        builder.member("lon", Double.self, "The longitude; east is positive.", unit: .degrees, in: -180...180)
    }
}

extension DateSpan {
    public init(first: ServiceDate, last: ServiceDate, _: Void = ()) {
        self.init(first: first, last: last)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.first = try members.required("first")
        self.last = try members.required("last")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("first", self.first)
        writer.member("last", self.last)
        writer.endObject()
    }

    public static var schemaName: String { "DateSpan" }
    public static var description: String { "A range of service dates, both ends included." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("first", ServiceDate.self, "The first date with service.")
        builder.member("last", ServiceDate.self, "The last date with service.")
    }
}
