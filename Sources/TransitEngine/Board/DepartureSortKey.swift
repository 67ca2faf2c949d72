internal import TransitModel

/// The sort key of departures: time first, then scheduled trips before extra trips, then pattern, trip, service date
/// and call.
struct DepartureSortKey: Comparable {
    /// Seconds since 1970.
    var time: Int64
    var isExtra: Bool
    var pattern: UInt32
    var trip: UInt32
    var date: Int32
    var position: Int32
    var start: Int64

    init(_ key: TripInstanceKey, time: Int64, position: Int, startInstant: Int64) {
        self.time = time
        isExtra = false
        pattern = key.pattern.rawValue
        trip = key.trip.rawValue
        date = key.serviceDate.daysSince1970
        self.position = Int32(truncatingIfNeeded: position)
        start = startInstant
    }

    init(_ call: ScheduledCall) {
        let departure = call.departure.secondsSince1970
        self.init(
            TripInstanceKey(call), time: departure, position: call.position,
            startInstant: departure &- Int64(call.times.departure))
    }

    /// Creates the key of a call of an extra trip.
    init(extra number: Int, view: Int, time: Int64, position: Int) {
        self.time = time
        isExtra = true
        pattern = UInt32(truncatingIfNeeded: view)
        trip = UInt32(truncatingIfNeeded: number)
        date = 0
        self.position = Int32(truncatingIfNeeded: position)
        start = 0
    }

    static func < (left: Self, right: Self) -> Bool {
        if left.time != right.time { return left.time < right.time }
        if left.isExtra != right.isExtra { return right.isExtra }
        if left.pattern != right.pattern { return left.pattern < right.pattern }
        if left.trip != right.trip { return left.trip < right.trip }
        if left.date != right.date { return left.date < right.date }
        if left.position != right.position { return left.position < right.position }
        return left.start < right.start
    }
}
