public import TransitModel

/// A difference between two versions of a feed.
public struct TimetableChange: Hashable, Sendable {
    public enum Subject: Hashable, Sendable {
        case stop(StopID)
        case route(RouteID)
        case trip(TripID)
    }

    public enum Kind: Hashable, Sendable {
        /// Only in the later version.
        case added
        /// Only in the earlier version.
        case removed
        /// In both versions, with different contents.
        case changed
    }

    public var subject: Subject
    public var kind: Kind
    /// The name that riders know, from the later version if the subject is in it.
    public var name: String?
    /// A description for riders, without a final period: "8:12 leaves at 8:09".
    public var message: String
}

/// Compares two versions of a feed for a commute.
public enum FeedDifference {
    /// Returns the changed stops by name, then the routes in natural order, then the trips by departure.
    ///
    /// Publishers often renumber all trips, or assign a separate identifier to a trip for each date. Trips are
    /// therefore matched by route, stops and times first (``CommuteTripMatcher``). A trip that runs on the same dates
    /// under another identifier is unchanged.
    public static func changes(
        from old: CommuteTimetable, to new: CommuteTimetable, dates: ComparedDates
    ) -> [TimetableChange] {
        let stops = compare(old.stops, new.stops, name: \.stop.name, subject: TimetableChange.Subject.stop) {
            $0.differences(to: $1)
        }
        let routes = compare(old.routes, new.routes, name: \.displayName, subject: TimetableChange.Subject.route) {
            $0.differences(to: $1)
        }
        return stops + routes + trips(from: old, to: new, dates: dates)
    }

    private static func compare<ID, Value>(
        _ old: [Identifier<ID>: Value], _ new: [Identifier<ID>: Value], name: (Value) -> String,
        subject: (Identifier<ID>) -> TimetableChange.Subject, differences: (Value, Value) -> [String]
    ) -> [TimetableChange] {
        let changes = Set(old.keys).union(new.keys).sorted().compactMap { id -> TimetableChange? in
            switch (old[id], new[id]) {
            case (let before?, let after?):
                let parts = differences(before, after)
                if parts.isEmpty { return nil }
                return TimetableChange(
                    subject: subject(id), kind: .changed, name: name(after),
                    message: "\(name(after)): \(parts.joined(separator: ", "))")
            case (nil, let after?):
                return TimetableChange(
                    subject: subject(id), kind: .added, name: name(after), message: "\(name(after)) is new")
            case (let before?, nil):
                return TimetableChange(
                    subject: subject(id), kind: .removed, name: name(before), message: "\(name(before)) was removed")
            case (nil, nil): return nil
            }
        }
        return changes.sorted { NaturalOrder.areInIncreasingOrder($0.name ?? "", $1.name ?? "") }
    }

    private static func trips(from old: CommuteTimetable, to new: CommuteTimetable, dates: ComparedDates)
        -> [TimetableChange]
    {
        let match = CommuteTripMatcher(old.trips, new.trips)
        var changes: [(ServiceTime, TimetableChange)] = match.changed.map { change in
            let (before, after) = (change.before, change.after)
            var message = before.departure.clock
            if change.isPartial { message += " on \(dates.list(before.dates))" }
            message += " " + before.differences(to: after, old: old, new: new, dates: dates).joined(separator: ", ")
            return (before.departure, self.change(change.id, .changed, after, new, message))
        }
        changes += match.added.map { id, trip in
            (trip.departure, change(id, .added, trip, new, "\(trip.departure.clock) is new"))
        }
        changes += match.removed.map { id, trip in
            (trip.departure, change(id, .removed, trip, old, "\(trip.departure.clock) no longer runs"))
        }
        let sorted = changes.sorted {
            if $0.0 != $1.0 { return $0.0 < $1.0 }
            return $0.1.identifier < $1.1.identifier
        }
        return sorted.map(\.1)
    }

    private static func change(
        _ id: TripID, _ kind: TimetableChange.Kind, _ trip: CommuteTimetable.CommuteTrip, _ timetable: CommuteTimetable,
        _ message: String
    ) -> TimetableChange {
        TimetableChange(
            subject: .trip(id), kind: kind, name: timetable.routes[trip.route]?.displayName, message: message)
    }
}

extension TimetableChange {
    /// The identifier of the subject, whatever its type.
    public var identifier: String {
        switch subject {
        case .stop(let id): id.rawValue
        case .route(let id): id.rawValue
        case .trip(let id): id.rawValue
        }
    }
}
