package import TransitEngine
package import TransitModel

/// The identifier of a departure: `feed:trip@date/stop_sequence`, with `+start` for a trip instance from
/// frequencies.txt.
///
/// `trip show` accepts this identifier. The last `@` separates the trip's identifier, which may contain any character,
/// from the rest.
package struct DepartureID: Hashable, CustomStringConvertible {
    package var feed: FeedID
    package var trip: TripID
    package var date: ServiceDate
    package var sequence: UInt32
    package var start: ServiceTime?

    package init(feed: FeedID, trip: TripID, date: ServiceDate, sequence: UInt32) {
        self.feed = feed
        self.trip = trip
        self.date = date
        self.sequence = sequence
    }

    /// Creates the identifier of an expected call. A copy of a trip has the original's identifier and its own start
    /// time.
    package init(_ call: ExpectedCall, ofTrip trip: TripID, _ feed: FeedID) {
        let sequence: UInt32
        switch call.subject {
        case .scheduled(let scheduled):
            sequence = scheduled.sequence
            start = call.duplicateStart ?? scheduled.frequency?.start
        case .extra(let trip, let position): sequence = trip.calls[position].sequence ?? 0
        }
        (self.feed, self.trip, date, self.sequence) = (feed, trip, call.serviceDate, sequence)
    }

    /// Returns `nil` if the text is not a departure identifier.
    package init?(_ text: String) {
        guard let at = text.lastIndex(of: "@"), let colon = text[..<at].firstIndex(of: ":"),
            let feed = FeedID(validating: String(text[..<colon]))
        else { return nil }
        let parts = text[text.index(after: at)...].split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let date = ServiceDate(iso8601: String(parts[0])) else { return nil }
        let rest = parts[1].split(separator: "+", omittingEmptySubsequences: false)
        guard let sequence = rest.first.flatMap({ UInt32($0) }), rest.count <= 2 else { return nil }
        if rest.count == 2 {
            guard let start = Self.time(rest[1]) else { return nil }
            self.start = start
        }
        self.feed = feed
        self.date = date
        self.sequence = sequence
        trip = TripID(String(text[text.index(after: colon)..<at]))
    }

    private static func time(_ text: Substring) -> ServiceTime? {
        Array(text.utf8).withUnsafeBufferPointer { ServiceTime(gtfs: $0) }
    }

    package var description: String {
        var (feed, trip, sequence) = (feed.rawValue, trip.rawValue, String(Int(sequence)))
        if let start { sequence += "+\(start)" }
        let count = feed.utf8.count + trip.utf8.count + sequence.utf8.count + 13
        // Every departure has an identifier, so the text is written to a single allocation instead of being built by
        // appending.
        return String(unsafeUninitializedCapacity: count) { buffer in
            guard var end = buffer.baseAddress else { return 0 }
            Self.put(&feed, UInt8(ascii: ":"), at: &end)
            Self.put(&trip, UInt8(ascii: "@"), at: &end)
            end = date.put(at: end)
            end.pointee = UInt8(ascii: "/")
            end += 1
            Self.put(&sequence, nil, at: &end)
            return count
        }
    }

    /// Writes a text and the separator after it, and advances past them.
    @inline(__always)
    private static func put(_ text: inout String, _ separator: UInt8?, at end: inout UnsafeMutablePointer<UInt8>) {
        text.withUTF8 { utf8 in
            if let bytes = utf8.baseAddress { end.update(from: bytes, count: utf8.count) }
            end += utf8.count
        }
        guard let separator else { return }
        end.pointee = separator
        end += 1
    }
}
