public import TransitModel

/// One thing that differs between two versions of a feed.
public struct FeedChange: Hashable, Sendable {
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
        /// In both, but not alike.
        case changed
    }

    public var subject: Subject
    public var kind: Kind
    /// What riders call it, in the later version where it is there.
    public var name: String?
    /// A sentence for people, without a full stop: "8:12 leaves at 8:09".
    public var message: String

    public init(subject: Subject, kind: Kind, name: String?, message: String) {
        self.subject = subject
        self.kind = kind
        self.name = name
        self.message = message
    }
}

/// What a later version of a feed changes for a commute.
public enum FeedDifference {
    /// The changes among stops by name, then among routes in natural order, then among trips by departure.
    ///
    /// Publishers often renumber all trips, or give a trip a separate identifier for each date. So rides are matched by
    /// route, stops and times first (``CommuteTripMatcher``). A ride that runs on the same dates under other identifiers is no
    /// change.
    public static func changes(
        from old: CommuteTimetable, to new: CommuteTimetable, dates: ComparedDates
    ) -> [FeedChange] {
        let stops = compare(old.stops, new.stops, name: \.stop.name, subject: FeedChange.Subject.stop) {
            $0.differences(to: $1)
        }
        let routes = compare(old.routes, new.routes, name: \.displayName, subject: FeedChange.Subject.route) {
            $0.differences(to: $1)
        }
        return stops + routes + trips(from: old, to: new, dates: dates)
    }

    private static func compare<ID, Value>(
        _ old: [Identifier<ID>: Value], _ new: [Identifier<ID>: Value], name: (Value) -> String,
        subject: (Identifier<ID>) -> FeedChange.Subject, differences: (Value, Value) -> [String]
    ) -> [FeedChange] {
        let changes = Set(old.keys).union(new.keys).sorted().compactMap { id -> FeedChange? in
            switch (old[id], new[id]) {
            case (let before?, let after?):
                let parts = differences(before, after)
                if parts.isEmpty { return nil }
                return FeedChange(
                    subject: subject(id), kind: .changed, name: name(after),
                    message: "\(name(after)): \(parts.joined(separator: ", "))")
            case (nil, let after?):
                return FeedChange(
                    subject: subject(id), kind: .added, name: name(after), message: "\(name(after)) is new")
            case (let before?, nil):
                return FeedChange(
                    subject: subject(id), kind: .removed, name: name(before), message: "\(name(before)) is gone")
            case (nil, nil): return nil
            }
        }
        return changes.sorted { NaturalOrder.areInIncreasingOrder($0.name ?? "", $1.name ?? "") }
    }

    private static func trips(from old: CommuteTimetable, to new: CommuteTimetable, dates: ComparedDates)
        -> [FeedChange]
    {
        let match = CommuteTripMatcher(old.rides, new.rides)
        var changes: [(ServiceTime, FeedChange)] = match.changed.map { change in
            let (before, after) = (change.before, change.after)
            var message = before.departure.clock
            if change.isPartial { message += " on \(dates.list(before.dates))" }
            message += " " + before.differences(to: after, old: old, new: new, dates: dates).joined(separator: ", ")
            return (before.departure, self.change(change.id, .changed, after, new, message))
        }
        changes += match.added.map { id, ride in
            (ride.departure, change(id, .added, ride, new, "\(ride.departure.clock) is new"))
        }
        changes += match.removed.map { id, ride in
            (ride.departure, change(id, .removed, ride, old, "\(ride.departure.clock) no longer runs"))
        }
        let sorted = changes.sorted {
            if $0.0 != $1.0 { return $0.0 < $1.0 }
            return $0.1.identifier < $1.1.identifier
        }
        return sorted.map(\.1)
    }

    private static func change(
        _ id: TripID, _ kind: FeedChange.Kind, _ ride: CommuteTimetable.CommuteTrip, _ excerpt: CommuteTimetable,
        _ message: String
    ) -> FeedChange {
        FeedChange(
            subject: .trip(id), kind: kind, name: excerpt.routes[ride.route]?.displayName, message: message)
    }
}

extension FeedChange {
    /// The identifier of its subject, whatever that is.
    public var identifier: String {
        switch subject {
        case .stop(let id): id.rawValue
        case .route(let id): id.rawValue
        case .trip(let id): id.rawValue
        }
    }
}
