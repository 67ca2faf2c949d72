public import TransitModel

/// What a message held, and what of it does not fit the timetable.
public struct RealtimeStatistics: Hashable, Sendable {
    public var tripUpdates = 0
    public var vehicles = 0
    public var alerts = 0
    /// Entities that a differential message takes back.
    public var deletions = 0
    /// The number of entities beyond ``RealtimeLimits``, which are not used.
    public var leftOut = 0
    /// Updates and positions whose trip was found, or that bring a trip of their own.
    public var matchedTrips = 0
    /// Those whose trip was not found, by the cause.
    public var unmatchedTrips: [UnmatchedTrip: Int] = [:]
    /// Updates of calls whose stop is not on the trip, or not in the timetable.
    public var unmatchedStops = 0
    /// Updates of calls at a stop that the trip visits twice, without saying which visit is meant.
    public var ambiguousStops = 0
    /// Times that lie more than a week from the timetable; they are not used.
    public var impossibleTimes = 0
    /// The number of departures more than an hour before their plan and of arrivals before the trip can have begun.
    /// These times are not used.
    public var earlyDepartures = 0
    /// Delays of a run that has no times of a timetable (`exact_times` 0); they are not used.
    public var delaysWithoutTimetable = 0
    /// Updates of a run that another entity of the message updates as well; the later measured one counts.
    public var repeatedRuns = 0
    /// A few of what does not fit, as published.
    public private(set) var examples: [Example] = []

    public struct Example: Hashable, Sendable {
        public enum Subject: Hashable, Sendable {
            case trip(UnmatchedTrip, TripDescriptor)
            case stop(StopID?, sequence: UInt32?, TripDescriptor)
        }
        public var entity: EntityID
        public var subject: Subject
    }

    /// How many examples of trips, and of stops, are kept.
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

/// Why a trip of a message was not found in the timetable.
public enum UnmatchedTrip: UInt8, Hashable, Sendable, CaseIterable, Error {
    /// The descriptor names neither a trip nor a route with a start time.
    case unidentified
    /// `trip_id` is not in the timetable.
    case unknownTrip
    case unknownRoute
    /// The trip does not run on that date, or on any near the times that are told.
    case notRunning
    /// A trip of frequencies.txt needs `start_time` to tell its runs apart.
    case needsStartTime
    /// No run starts at that time.
    case unknownStart
    /// Several trips fit the route, the direction and the start time, or the planned times at the stops.
    case ambiguous
    /// An extra trip without a single call that can be placed.
    case withoutCalls
    /// A copy that does not say when it starts.
    case incompleteCopy
}

extension RealtimeStatistics {
    /// Whether the message had no entity at all.
    public var isEmpty: Bool { tripUpdates == 0 && vehicles == 0 && alerts == 0 && deletions == 0 }
}
