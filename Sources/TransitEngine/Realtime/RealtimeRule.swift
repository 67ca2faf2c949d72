public import TransitModel

/// The rules of MobilityData's gtfs-realtime-validator that this program checks, with their identifiers.
///
/// The decoder checks E001, E020, E021, E026, E027 and E040 (``RealtimeProblems``). E010 applies only to the timetable.
/// The following rules are not checked: E017, W003, E047 and W007, which compare several messages or datasets; E028,
/// which is a broader version of E029; E034; E039, E049 and W009, because the model does not distinguish an absent
/// value from the default; E046, because every call of an imported trip has times.
public enum RealtimeRule: String, Hashable, Sendable, CaseIterable {
    /// The stop time updates of a trip are not sorted by stop_sequence.
    case unsortedSequences = "E002"
    /// The timetable lacks the trip_id.
    case unknownTrip = "E003"
    /// The timetable lacks the route_id.
    case unknownRoute = "E004"
    /// A trip of frequencies.txt has no start_time or no start_date.
    case incompleteFrequencyTrip = "E006"
    /// An update has no stop_sequence although the trip visits the stop several times.
    case ambiguousStop = "E009"
    /// The timetable lacks the stop_id.
    case unknownStop = "E011"
    /// The timestamp of the header is older than that of an entity.
    case headerOlderThanEntity = "E012"
    /// A trip of frequencies.txt with exact_times 0 is neither unscheduled nor scheduled.
    case frequencyRelationship = "E013"
    /// An update names a stop that is not a platform.
    case stopIsNoPlatform = "E015"
    /// An added trip is in the timetable.
    case addedTripKnown = "E016"
    /// The timestamp of the header is older than that of the previous message.
    case headerBackwards = "E018"
    /// The start_time of a trip of frequencies.txt with exact_times 1 does not match the headway.
    case frequencyStart = "E019"
    /// The times of consecutive calls do not increase.
    case timesNotIncreasing = "E022"
    /// start_time does not match the trip.
    case startTimeDiffers = "E023"
    /// direction_id does not match the trip.
    case directionDiffers = "E024"
    /// A departure precedes its arrival.
    case departureBeforeArrival = "E025"
    /// A vehicle is more than 200 m away from the shape of its trip.
    case farFromShape = "E029"
    /// An alert names a trip and a route to which the trip does not belong.
    case alertTripOfOtherRoute = "E030"
    /// A selector of an alert names one route directly and a different route in its trip.
    case alertRoutesDiffer = "E031"
    /// An alert has no selector.
    case alertWithoutEntity = "E032"
    /// A selector of an alert is empty.
    case emptySelector = "E033"
    /// The trip does not belong to the stated route.
    case routeDiffers = "E035"
    /// Two consecutive updates have the same stop_sequence.
    case repeatedSequence = "E036"
    /// Two consecutive updates have the same stop_id.
    case repeatedStop = "E037"
    /// The version is neither 1.0 nor 2.0.
    case unknownVersion = "E038"
    /// An update has neither stop_id nor stop_sequence.
    case stopMissing = "E040"
    /// A trip that runs has no stop time updates.
    case noUpdates = "E041"
    /// A call without data has times.
    case timesWithoutData = "E042"
    /// A call that the trip serves has neither arrival nor departure.
    case eventMissing = "E043"
    /// An event has neither a time nor a delay.
    case timeMissing = "E044"
    /// stop_sequence and stop_id refer to different calls.
    case sequenceAndStopDiffer = "E045"
    /// The header has no timestamp although the version requires one.
    case headerTimestampMissing = "E048"
    /// A timestamp is more than a minute in the future.
    case timestampAhead = "E050"
    /// The trip has no call with the stop_sequence.
    case unknownSequence = "E051"
    /// Several vehicles have the same identifier.
    case repeatedVehicle = "E052"
    /// The header, a trip update or a position has no timestamp.
    case timestampMissing = "W001"
    /// A trip update or a position has no vehicle identifier.
    case vehicleMissing = "W002"
    /// A speed exceeds 26 m/s (94 km/h), the validator's limit. Trains exceed it legitimately.
    case speed = "W004"
    /// A trip of frequencies.txt with exact_times 0 has no vehicle.
    case frequencyVehicleMissing = "W005"
    /// A trip update has no trip_id.
    case tripMissing = "W006"
    /// The timestamp of the header is older than 65 s.
    case headerOld = "W008"

    /// Whether a violation is an error rather than a warning.
    public var isError: Bool { rawValue.first == "E" }
}

/// The violations found in a message. All violations are counted, and the first few entities are listed for each rule.
public struct RealtimeFindings: Hashable, Sendable {
    public struct Finding: Hashable, Sendable {
        public var count = 0
        /// At most ``RealtimeFindings/maximumExamples``.
        public var examples: [EntityID] = []
    }

    static let maximumExamples = 5
    public private(set) var findings: [RealtimeRule: Finding] = [:]

    public init() {}

    /// Sorted by rule identifier.
    public var sorted: [(rule: RealtimeRule, finding: Finding)] {
        findings.sorted { $0.key.rawValue < $1.key.rawValue }.map { ($0.key, $0.value) }
    }

    mutating func add(_ rule: RealtimeRule, _ entity: EntityID?) {
        findings[rule, default: Finding()].count += 1
        guard let entity, findings[rule]?.examples.count ?? 0 < Self.maximumExamples else { return }
        findings[rule]?.examples.append(entity)
    }
}
