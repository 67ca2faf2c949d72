public import TransitModel

/// A trip that the timetable lacks: `ADDED`, `NEW`, or a trip that replaces a scheduled trip (`REPLACEMENT`).
public struct ExtraTrip: Sendable {
    public enum Kind: UInt8, Hashable, Sendable {
        case added
        case replacement
        /// The timetable has no times at all (``TimetableCalendar/isWithoutTimes``). All trips come from realtime data,
        /// so an extra trip is not exceptional.
        case withoutTimetable
    }

    /// The reliability of the trip's times, apart from their age.
    public enum Reliability: UInt8, Hashable, Sendable, Comparable {
        /// There is a reason for doubt, such as a position away from the route.
        case weak
        case plain

        public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    public var kind: Kind
    /// The publisher's identifier; `nil` if there is none.
    public var id: TripID?
    /// `nil` if the message names no route or a route that the timetable lacks.
    public var route: RouteIndex?
    public var direction: Direction?
    /// The service date in the message or, without one, the date of the first call in the route's time zone.
    public var serviceDate: ServiceDate
    public var headsign: String?
    public var shortName: String?
    /// In travel order; at least one.
    public var calls: [ExtraCall]
    /// The time at which the trip's progress was measured. If this property is `nil`, the timestamp of the header
    /// applies.
    public var measured: Instant?
    /// The identifier of the entity that describes the trip.
    public var entity: EntityID
    /// For ``Kind/replacement``, the scheduled trip that is replaced.
    public var replaced: TripInstanceKey?
    /// The publisher's trip identifier or, if there is none, the identifier of the entity.
    public var name: TripID { id ?? TripID(entity.rawValue) }
    /// The basis of the trip's times.
    public var basis = TripUpdateBasis.predicted
    public var reliability = Reliability.plain
    /// The operator's free-text message about the trip.
    public var remark: TranslatedText?
    /// The timetable trip, without times, whose route variant this trip follows; `nil` if there is none.
    public var variantTrip: TripIndex?
    /// Whether only some of the trip's calls are reported, so that the trip may also call at other stops
    /// (``TripUpdate/isPartial``).
    public var isPartial = false
    /// One more than the index of the trip's entry in ``RealtimeDataset/retentions``; 0 for a trip that the source
    /// still reports.
    var retention: UInt16 = 0

    /// Whether the message states that the trip exists. This is a decision of the publisher, as old as the message that
    /// repeats it, whereas the times of the trip are measurements.
    var isDecision: Bool {
        guard basis != .estimated else { return false }
        return switch kind {
        case .added: !isPartial
        case .replacement: true
        case .withoutTimetable: false
        }
    }
}

/// A call of a trip that the timetable lacks.
public struct ExtraCall: Hashable, Sendable {
    public var stop: StopIndex
    public var sequence: UInt32?
    public var arrival: Instant
    public var departure: Instant
    /// `scheduled_time`; `nil` if the publisher states none.
    public var scheduledArrival: Instant?
    public var scheduledDeparture: Instant?
    public var uncertainty: Int32?
    /// False if only the planned times are known (`NO_DATA`).
    public var isExpected: Bool
    public var isSkipped: Bool
    public var occupancy: Occupancy?
    /// The time at which the call was measured, if it differs from ``ExtraTrip/measured``.
    public var measured: Instant?
    /// Whether the call's stated times are contradicted, as in ``RealtimeCall/isContradicted``.
    public var isContradicted = false
    /// Whether the publisher states the arrival and the departure; otherwise, one follows from the other.
    var statesArrival = false
    var statesDeparture = false
}

// MARK: - Creation

extension ExtraTrip {
    /// Creates the trip that an update describes without reference to the timetable. Its calls are those of the update,
    /// in the same order.
    ///
    /// Calls at unknown stops and calls without any time are left out. The result is `nil` if no call remains.
    init?(_ update: TripUpdate, kind: Kind, replaced: TripInstanceKey?, matcher: TripMatcher) throws {
        let calls = try update.updates.compactMap { try ExtraCall($0, matcher: matcher) }
        guard let first = calls.first else { return nil }
        let route = update.trip.routeID.flatMap { matcher.route($0) }
        let zone = route.map { matcher.context.zone(of: $0) } ?? matcher.context.zones[0]
        self.init(
            kind: kind, id: update.properties?.tripID ?? update.trip.tripID, route: route,
            direction: update.trip.direction,
            serviceDate: update.trip.startDate ?? zone.civil(at: first.departure).date,
            headsign: update.properties?.headsign, shortName: update.properties?.shortName,
            calls: Self.ordered(calls), measured: update.timestamp, entity: update.id, replaced: replaced,
            basis: update.basis, remark: update.remark, isPartial: update.isPartial)
    }

    /// Raises planned times that are before the planned time of the previous call. Expected times do not change.
    /// Expected times that contradict each other are marked, because it is unknown which one is right.
    private static func ordered(_ calls: [ExtraCall]) -> [ExtraCall] {
        var calls = calls
        var earliest = calls[0].arrival
        var lastExpected: Int?
        for number in calls.indices {
            guard calls[number].isExpected else {
                calls[number].arrival = max(calls[number].arrival, earliest)
                calls[number].departure = max(calls[number].departure, calls[number].arrival)
                if !calls[number].isSkipped { earliest = calls[number].departure }
                continue
            }
            if calls[number].departure < calls[number].arrival { calls[number].isContradicted = true }
            if let last = lastExpected, calls[number].arrival < calls[last].departure {
                calls[last].isContradicted = true
                calls[number].isContradicted = true
            }
            lastExpected = number
            earliest = max(calls[number].arrival, calls[number].departure)
        }
        return calls
    }
}

extension ExtraCall {
    fileprivate init?(_ update: StopTimeUpdate, matcher: TripMatcher) throws {
        let id = update.assignedStopID ?? update.stopID
        guard let stop = try id.flatMap({ try matcher.stop($0) }) else { return nil }
        let arrival = Self.time(update.arrival)
        let departure = Self.time(update.departure)
        let plannedArrival = Self.plausible(update.arrival?.scheduledTime)
        let plannedDeparture = Self.plausible(update.departure?.scheduledTime)
        let planned = plannedDeparture ?? plannedArrival
        let isExpected = update.relationship != .noData && (arrival ?? departure) != nil
        guard let end = isExpected ? departure ?? arrival : planned ?? departure ?? arrival else { return nil }
        let begin = isExpected ? arrival ?? end : plannedArrival ?? arrival ?? end
        self.init(
            stop: stop, sequence: update.sequence, arrival: begin, departure: end, scheduledArrival: plannedArrival,
            scheduledDeparture: plannedDeparture,
            uncertainty: update.departure?.uncertainty ?? update.arrival?.uncertainty,
            isExpected: isExpected && update.relationship != .skipped, isSkipped: update.relationship == .skipped,
            occupancy: update.departureOccupancy, statesArrival: arrival != nil, statesDeparture: departure != nil)
    }

    /// Returns the stated time or, without one, the scheduled time plus the delay.
    private static func time(_ event: StopTimeEvent?) -> Instant? {
        guard let event else { return nil }
        if let time = plausible(event.time) { return time }
        guard let planned = plausible(event.scheduledTime), let delay = event.delay else { return nil }
        return plausible(Instant(secondsSince1970: planned.secondsSince1970 &+ Int64(delay)))
    }

    /// Returns a time from 1970 to 9999. Some publishers send 0 for an unknown time.
    private static func plausible(_ time: Instant?) -> Instant? {
        time.flatMap { (1...253_402_300_799).contains($0.secondsSince1970) ? $0 : nil }
    }
}

// MARK: - Parts

// If each response reports the call of a trip at one stop, merging the responses also yields the arrival times of the
// trip.
extension ExtraTrip {
    private struct Key: Hashable {
        var id: TripID
        var date: ServiceDate
    }

    /// Merges the partial trips with the same identifier and service date. Each merged trip takes the position of its
    /// first part.
    static func merged(_ trips: [ExtraTrip]) -> [ExtraTrip] {
        guard trips.contains(where: \.isPartial) else { return trips }
        var merged: [ExtraTrip] = []
        var positions: [Key: Int] = [:]
        var parts: [Int: [ExtraTrip]] = [:]
        for trip in trips {
            guard trip.isPartial, let id = trip.id else {
                merged.append(trip)
                continue
            }
            let key = Key(id: id, date: trip.serviceDate)
            if let position = positions[key] {
                parts[position, default: []].append(trip)
            } else {
                positions[key] = merged.count
                merged.append(trip)
            }
        }
        for (position, others) in parts { merged[position].mergeParts(others) }
        return merged
    }

    private struct CallKey: Hashable {
        var stop: StopIndex
        var sequence: UInt32?
    }

    /// Adds the calls of all parts in one pass, because a message may contain many parts of one trip.
    private mutating func mergeParts(_ parts: [ExtraTrip]) {
        var known = Set(calls.map { CallKey(stop: $0.stop, sequence: $0.sequence) })
        calls = calls.map { $0.measured(at: $0.measured ?? measured) }
        for part in parts {
            calls += part.calls.filter { known.insert(CallKey(stop: $0.stop, sequence: $0.sequence)).inserted }
                .map { $0.measured(at: $0.measured ?? part.measured) }
        }
        calls.sort { ($0.departure, $0.sequence ?? 0) < ($1.departure, $1.sequence ?? 0) }
        measured = ([measured] + parts.map(\.measured)).compactMap(\.self).max()
    }
}

extension ExtraCall {
    fileprivate func measured(at moment: Instant?) -> ExtraCall {
        var call = self
        call.measured = moment
        return call
    }
}

// MARK: - Boarding

// A trip for which only one call is known, such as a trip predicted for a single stop, is assumed to follow a pattern
// of its route.
extension ExtraTrip {
    /// Returns whether riders can board at the call, because the trip continues after it.
    ///
    /// - Parameter visits: the patterns that call at the queried stop.
    func continues(after position: Int, _ visits: [PatternCallPosition]) -> Bool {
        if earlyTerminus == position { return false }
        if position + 1 < calls.count { return true }
        guard mayContinue else { return false }
        return visits.contains { visit in
            mayFollow(visit.pattern) && visit.position + 1 < visit.pattern.callCount
                && visit.pattern.calls[visit.position].stop == calls[position].stop
        }
    }

    /// Whether the trip may have further calls that were not reported.
    private var mayContinue: Bool { isPartial || calls.count == 1 }

    /// Returns whether the trip may follow the pattern.
    func mayFollow(_ pattern: Pattern) -> Bool {
        guard let route, route == pattern.route else { return false }
        guard let direction, let other = pattern.direction else { return true }
        return direction == other
    }
}
