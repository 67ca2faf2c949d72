public import TransitModel

/// The rules of MobilityData's gtfs-realtime-validator that are checked here, under its numbers.
///
/// The decoder finds E001, E020, E021, E026, E027 and E040 (``RealtimeProblems``). E010 is about the timetable alone.
/// Not checked: E017, W003, E047 and W007, which compare several messages or datasets; E028, a wider E029; E034; E039,
/// E049 and W009, since the model does not distinguish an absent value from the default; E046, since every call of an
/// imported trip has times.
public enum RealtimeRule: String, Hashable, Sendable, CaseIterable {
    /// Updates of a trip are not sorted by stop_sequence.
    case unsortedSequences = "E002"
    /// trip_id is not in the timetable.
    case unknownTrip = "E003"
    /// route_id is not in the timetable.
    case unknownRoute = "E004"
    /// A trip of frequencies.txt without start_time or start_date.
    case incompleteFrequencyTrip = "E006"
    /// A stop that the trip visits several times, without stop_sequence.
    case ambiguousStop = "E009"
    /// stop_id is not in the timetable.
    case unknownStop = "E011"
    /// The header is older than something in the message.
    case headerOlderThanEntity = "E012"
    /// A run of frequencies.txt with exact_times 0 is said to be neither unscheduled nor scheduled.
    case frequencyRelationship = "E013"
    /// An update names a stop that is no platform.
    case stopIsNoPlatform = "E015"
    /// An added trip that the timetable has.
    case addedTripKnown = "E016"
    /// The header is older than that of the message before.
    case headerBackwards = "E018"
    /// The start_time of a run of frequencies.txt with exact_times 1 is none of its starts.
    case frequencyStart = "E019"
    /// Times from one call to the next do not increase.
    case timesNotIncreasing = "E022"
    /// start_time is not that of the trip.
    case startTimeDiffers = "E023"
    /// direction_id is not that of the trip.
    case directionDiffers = "E024"
    /// A departure before its arrival.
    case departureBeforeArrival = "E025"
    /// A vehicle farther than 200 m from the way of its trip.
    case farFromShape = "E029"
    /// The trip that an alert names is not of the route that it names.
    case alertTripOfOtherRoute = "E030"
    /// An alert names one route itself and another for the trip.
    case alertRoutesDiffer = "E031"
    /// An alert informs nobody.
    case alertWithoutEntity = "E032"
    /// A selector of an alert names nothing.
    case emptySelector = "E033"
    /// The trip is not of the route that is named.
    case routeDiffers = "E035"
    /// Two updates in a row of one stop_sequence.
    case repeatedSequence = "E036"
    /// Two updates in a row of one stop_id.
    case repeatedStop = "E037"
    /// The version is neither 1.0 nor 2.0.
    case unknownVersion = "E038"
    /// An update of a call with neither stop_id nor stop_sequence.
    case stopMissing = "E040"
    /// A trip that runs, without any update of a call.
    case noUpdates = "E041"
    /// Times at a call without data.
    case timesWithoutData = "E042"
    /// A call that is served, with neither arrival nor departure.
    case eventMissing = "E043"
    /// An event with neither a time nor a delay.
    case timeMissing = "E044"
    /// stop_sequence and stop_id do not belong together.
    case sequenceAndStopDiffer = "E045"
    /// The header has no timestamp, although the version asks for it.
    case headerTimestampMissing = "E048"
    /// A timestamp that lies more than a minute ahead.
    case timestampAhead = "E050"
    /// stop_sequence is not on the trip.
    case unknownSequence = "E051"
    /// Several vehicles with one identifier.
    case repeatedVehicle = "E052"
    /// The header, a trip update or a position without a timestamp.
    case timestampMissing = "W001"
    /// A trip update or a position without the vehicle's identifier.
    case vehicleMissing = "W002"
    /// Faster than 26 m/s (94 km/h), the validator's limit; trains are.
    case speed = "W004"
    /// A run of frequencies.txt with exact_times 0 without its vehicle.
    case frequencyVehicleMissing = "W005"
    /// A trip update without trip_id.
    case tripMissing = "W006"
    /// The header is older than 65 s.
    case headerOld = "W008"

    /// Otherwise it is a warning.
    public var isError: Bool { rawValue.first == "E" }
}

/// What was found against the rules: every finding is counted, and of each rule the first few entities are named.
public struct RealtimeFindings: Hashable, Sendable {
    public struct Finding: Hashable, Sendable {
        public var count = 0
        /// At most ``mostExamples``.
        public var examples: [EntityID] = []
    }

    static let maximumExamples = 5
    public private(set) var findings: [RealtimeRule: Finding] = [:]

    public init() {}

    /// By number.
    public var sorted: [(rule: RealtimeRule, finding: Finding)] {
        findings.sorted { $0.key.rawValue < $1.key.rawValue }.map { ($0.key, $0.value) }
    }

    mutating func add(_ rule: RealtimeRule, _ entity: EntityID?) {
        findings[rule, default: Finding()].count += 1
        guard let entity, findings[rule]?.examples.count ?? 0 < Self.maximumExamples else { return }
        findings[rule]?.examples.append(entity)
    }
}
