internal import TransitModel

/// The times of the calls of trips with realtime data, and what riders can do there.
struct ReportedCallTimes {
    let base: Int64
    private(set) var times: ContiguousArray<JourneyNetwork.Times> = []
    private(set) var usability: ContiguousArray<JourneyRealtimeTables.Usability> = []

    init(base: Int64) { self.base = base }

    mutating func removeAll() {
        times.removeAll(keepingCapacity: true)
        usability.removeAll(keepingCapacity: true)
    }

    /// Adds a call. The times are limited to 34 years from ``base``, so that a search can add its own offset.
    @inline(__always)
    mutating func append(_ arrival: Int64, _ departure: Int64, _ usability: JourneyRealtimeTables.Usability) {
        func seconds(_ time: Int64) -> Int32 {
            Int32(truncatingIfNeeded: max(Int64(Int32.min / 2), min(Int64(Int32.max / 2), time &- base)))
        }
        times.append(JourneyNetwork.Times(arrival: seconds(arrival), departure: seconds(departure)))
        self.usability.append(usability)
    }

    /// Adds the calls of a trip of the timetable.
    mutating func add(
        _ trip: ReportedTrip, _ dataset: RealtimeDataset, _ calls: UnsafeBufferPointer<JourneyNetwork.Call>
    ) {
        let earlyTerminus = dataset.earlyTerminus(of: trip.instance)
        let current = trip.currentCalls
        // If stated times contradict each other, a vehicle arrives no earlier than it leaves an earlier stop, as for direct
        // trips.
        var latest = Int64.min
        for (position, call) in calls.enumerated() {
            let (stated, isSkipped, isExpected): ((arrival: Int64, departure: Int64), Bool, Bool)
            if let current {
                let call = current[current.startIndex + position]
                stated = (trip.start &+ Int64(call.arrival), trip.start &+ Int64(call.departure))
                (isSkipped, isExpected) = (call.isSkipped, call.isExpected)
            } else {
                stated = trip.times(at: position)
                (isSkipped, isExpected) = (trip.isSkipped(at: position), trip.isExpected(at: position))
            }
            let arrival = max(stated.arrival, latest)
            if !isSkipped, isExpected { latest = max(latest, stated.departure) }
            var usable: JourneyRealtimeTables.Usability = []
            if !isSkipped {
                // Also where the line does not allow it, because riders may stay in a vehicle that serves its last call.
                usable.insert(.alighting)
                // A vehicle has not passed a call that has current times of its own.
                if call.canBoard, earlyTerminus != position,
                    current != nil && isExpected || !trip.hasPassed(position, at: base)
                {
                    usable.insert(.boarding)
                }
            }
            append(arrival, stated.departure, usable)
        }
    }
}
