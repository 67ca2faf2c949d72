public import TransitModel

/// The key of a scheduled trip on one service date: the trip, the date and, if frequencies.txt repeats the trip, the
/// start time.
public struct TripInstanceKey: Hashable, Comparable, Sendable {
    public var pattern: PatternIndex
    public var trip: TripIndex
    public var serviceDate: ServiceDate
    /// The start of this instance of a trip of frequencies.txt, in service time; `nil` for a trip that runs once a day.
    public var frequencyStart: ServiceTime? {
        get { repetition < 0 ? nil : ServiceTime(seconds: repetition) }
        set { repetition = newValue?.seconds ?? -1 }
    }

    /// Stored as a plain number, because twenty thousand keys are sorted for each message.
    private var repetition: Int32

    public init(
        pattern: PatternIndex, trip: TripIndex, serviceDate: ServiceDate, frequencyStart: ServiceTime? = nil
    ) {
        self.pattern = pattern
        self.trip = trip
        self.serviceDate = serviceDate
        repetition = frequencyStart?.seconds ?? -1
    }

    public init(_ call: ScheduledCall) {
        self.init(
            pattern: call.pattern.index, trip: call.trip, serviceDate: call.serviceDate,
            frequencyStart: call.frequency?.start)
    }

    init(_ pattern: Pattern, timingGroup: Int, instance: TripInstance, date: ServiceDate) {
        self.init(
            pattern: pattern.index, trip: pattern.trip(timingGroup: timingGroup, position: Int(instance.trip)),
            serviceDate: date,
            frequencyStart: instance.frequency < 0 ? nil : ServiceTime(seconds: instance.start))
    }

    public static func < (left: Self, right: Self) -> Bool {
        if left.pattern != right.pattern { return left.pattern < right.pattern }
        if left.trip != right.trip { return left.trip < right.trip }
        if left.serviceDate != right.serviceDate { return left.serviceDate < right.serviceDate }
        return left.repetition < right.repetition
    }
}
