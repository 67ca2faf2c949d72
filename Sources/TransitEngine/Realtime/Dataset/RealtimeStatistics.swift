public import TransitModel

/// The number of entities in a message, and the number of entities that do not match the timetable.
public struct RealtimeStatistics: Hashable, Sendable {
    public var tripUpdates = 0
    public var vehicles = 0
    public var alerts = 0
    /// Entities that a differential message deletes.
    public var deletions = 0
    /// The number of entities beyond ``RealtimeLimits``, which are not used.
    public var leftOut = 0
    /// Trip updates and positions whose trip was found, or that add an extra trip.
    public var matchedTrips = 0
    /// Trip updates and positions of trips outside of the kept part of the feed (`FeedSubset`). They are not used.
    public var outsideTrips = 0
    /// Trip updates and positions whose trip was not found, by cause.
    public var unmatchedTrips: [UnmatchedTrip: Int] = [:]
    /// Stop time updates whose stop is not on the trip or not in the timetable.
    public var unmatchedStops = 0
    /// Stop time updates that do not specify to which of two visits to a stop they refer.
    public var ambiguousStops = 0
    /// Times that differ from the timetable by more than a week. These times are not used.
    public var impossibleTimes = 0
    /// The number of departures more than an hour before their scheduled time, plus the number of arrivals before the
    /// trip can have begun. These times are not used.
    public var earlyDepartures = 0
    /// Delays of a trip without scheduled times (`exact_times` 0). These delays are not used.
    public var delaysWithoutTimetable = 0
    /// Trip updates for a trip that another entity of the message updates as well. The most recently measured update is
    /// used.
    public var repeatedTrips = 0
    /// Some of the unmatched trips and stops, as published.
    public private(set) var examples: [Example] = []

    public struct Example: Hashable, Sendable {
        public enum Subject: Hashable, Sendable {
            case trip(UnmatchedTrip, TripDescriptor)
            case stop(StopID?, sequence: UInt32?, TripDescriptor)
        }
        public var entity: EntityID
        public var subject: Subject
    }

    /// The maximum number of examples of trips, and of stops.
    static let maximumExamples = 10
    private var exampleTrips = 0
    private var exampleStops = 0

    public init() {}

    /// The number of trips that were not found; see ``unmatchedTrips``.
    public var unmatchedTripCount: Int { unmatchedTrips.values.reduce(0, +) }

    /// Whether more than half of the trips were not found. The message then probably belongs to another version of the
    /// timetable.
    public var isMostlyUnmatched: Bool { unmatchedTripCount > matchedTrips }

    mutating func addUnmatched(_ cause: UnmatchedTrip, _ trip: TripDescriptor, entity: EntityID) {
        unmatchedTrips[cause, default: 0] += 1
        guard exampleTrips < Self.maximumExamples else { return }
        exampleTrips += 1
        examples.append(Example(entity: entity, subject: .trip(cause, trip)))
    }

    mutating func addUnmatched(_ update: StopTimeUpdate, of trip: TripDescriptor, entity: EntityID) {
        unmatchedStops += 1
        guard exampleStops < Self.maximumExamples else { return }
        exampleStops += 1
        examples.append(
            Example(entity: entity, subject: .stop(update.stopID, sequence: update.sequence, trip)))
    }
}

/// The reason why a trip of a message was not matched to the timetable.
public enum UnmatchedTrip: UInt8, Hashable, Sendable, CaseIterable, Error {
    /// The descriptor has neither a trip identifier nor a route with a start time.
    case unidentified
    /// The timetable lacks the `trip_id`.
    case unknownTrip
    case unknownRoute
    /// The trip does not run on the stated date or on any date near the stated times.
    case notRunning
    /// The descriptor of a trip of frequencies.txt has no `start_time` to identify the instance.
    case needsStartTime
    /// No trip starts at the stated time.
    case unknownStart
    /// Several trips match the route, direction and start time, or the scheduled times at the stops.
    case ambiguous
    /// A cancellation without a date may refer to several trip instances.
    case ambiguousDate
    /// An extra trip has no call at a known stop with a known time.
    case withoutCalls
    /// A copy of a trip has no start date or time.
    case incompleteCopy
}

extension RealtimeStatistics {
    /// Whether the message had no entity at all.
    public var isEmpty: Bool { tripUpdates == 0 && vehicles == 0 && alerts == 0 && deletions == 0 }
}
