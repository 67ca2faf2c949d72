internal import TransitControl
internal import TransitModel
internal import TransitStore

/// Turns calls of a timetable into departures on the wire: adds names, zones and how far they can be trusted.
struct DepartureRendering {
    var timetable: Timetable
    var now: Instant
    /// Seconds since the source confirmed the timetable.
    var age: Int?
    var isExpired: Bool
    var names: NameRendering

    /// - Parameter confirmed: When the source last confirmed the timetable.
    init(_ timetable: Timetable, confirmed: Instant?, now: Instant, language: String?) {
        self.timetable = timetable
        self.now = now
        age = confirmed.map { max(0, $0.seconds(to: now)) }
        isExpired = timetable.isExpired(at: now)
        names = NameRendering(timetable: timetable, language: language)
    }

    /// What a journey adds to a departure.
    struct Ride {
        var arrival: ScheduledCall
        /// `nil`: the journey begins, or ends, at the stop itself.
        var walkBefore: Int?
        var walkAfter: Int?
        /// What this direction is for the caller.
        var direction: String?
    }

    func departure(_ call: ScheduledCall, ride: Ride? = nil) throws(StoreError) -> Departure {
        let trip = try timetable.file.trip(call.trip)
        let face = try timetable.face(call.call.stop)
        let zone = face.zone ?? timetable.zone(of: call.pattern.route)
        let isApproximate = !call.times.isExact || call.frequency?.row.isExact == false
        return Departure(
            id: "\(DepartureID(feed: timetable.feed, trip: trip.id, call: call))", feed: timetable.feed, trip: trip.id,
            tripShortName: try trip.shortName.map { (t) throws(StoreError) in try timetable.text(t) },
            serviceDate: call.serviceDate,
            route: try names.route(call.pattern.route), headsign: try names.headsign(of: call, trip),
            direction: ride?.direction, directionId: call.pattern.direction.map { Int($0.rawValue) },
            stop: try names.callStop(call.call.stop), scheduled: Timestamp(call.departure, in: zone),
            status: .scheduled, source: .scheduled, confidence: isExpired || isApproximate ? .low : .medium, age: age,
            isApproximate: isApproximate, pickup: Boarding(call.call.pickup),
            headway: call.frequency.map { Headway(seconds: Int($0.row.headway), exact: $0.row.isExact) },
            wheelchair: Access(trip.wheelchair), bikes: Access(trip.bikes), walk: ride?.walkBefore,
            leaveBy: ride?.walkBefore.map { Timestamp(call.departure.advanced(by: -$0), in: zone) },
            arrival: try ride.map { (ride) throws(StoreError) in try arrival(ride) })
    }

    private func arrival(_ ride: Ride) throws(StoreError) -> Arrival {
        let call = ride.arrival
        let zone = try timetable.face(call.call.stop).zone ?? timetable.zone(of: call.pattern.route)
        return Arrival(
            stop: try names.callStop(call.call.stop), scheduled: Timestamp(call.arrival, in: zone),
            walk: ride.walkAfter, dropOff: Boarding(call.call.dropOff))
    }
}

/// Names one departure: `feed:trip@date/stop_sequence`, with `+start` for a run of frequencies.txt.
///
/// `trip show` takes it. What follows the last `@` is ours, whatever characters a trip's identifier has.
struct DepartureID: Hashable, CustomStringConvertible {
    var feed: FeedID
    var trip: TripID
    var date: ServiceDate
    var sequence: UInt32
    var start: ServiceTime?

    init(feed: FeedID, trip: TripID, call: ScheduledCall) {
        self.feed = feed
        self.trip = trip
        date = call.serviceDate
        sequence = call.call.sequence
        start = call.frequency?.start
    }

    /// `nil` when the text is not one.
    init?(_ text: String) {
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

    var description: String {
        // Each departure has one: put together in one piece of memory, where an interpolation would take several.
        var text = ""
        text.reserveCapacity(feed.rawValue.utf8.count + trip.rawValue.utf8.count + 28)
        text += feed.rawValue
        text += ":"
        text += trip.rawValue
        text += "@"
        text += date.description
        text += "/"
        text += String(sequence)
        if let start {
            text += "+"
            text += start.description
        }
        return text
    }
}
