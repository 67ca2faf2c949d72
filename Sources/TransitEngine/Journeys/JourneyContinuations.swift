/// The vehicles in which riders may stay after the end of a trip, as a queue of the current round.
struct JourneyContinuations {
    /// A vehicle in which riders may stay.
    struct Continuation {
        var feed: Int
        var vehicle: Vehicle
        /// The record of the ride before in ``JourneyLog``.
        var previous: UInt32
        /// The seconds by which it is later than its own times, because the trip before ends after it begins.
        var delay: Int32
    }

    private struct TripKey: Hashable {
        var feed: Int32
        var isReported: Bool
        var trip: Int32
        var day: Int32
    }

    private var queue: [Continuation] = []
    private var position = 0
    /// The number of vehicles less one with which a trip was ridden to its end, and its delay then, so that its
    /// continuation is searched again only with fewer vehicles or earlier.
    private var ridden: [TripKey: (round: Int, delay: Int32)] = [:]

    mutating func append(_ continuation: Continuation) { queue.append(continuation) }

    /// Returns the next vehicle of the round; `nil` at the end of the queue.
    mutating func next() -> Continuation? {
        guard position < queue.count else { return nil }
        position += 1
        return queue[position - 1]
    }

    /// Ends the round.
    mutating func removeAll() {
        queue.removeAll(keepingCapacity: true)
        position = 0
    }

    /// Returns whether a vehicle has not been ridden to its end in that round or earlier and with that delay or less, and
    /// records that it now is.
    mutating func isFirst(_ vehicle: Vehicle, of feed: Int, with round: Int, delay: Int32) -> Bool {
        let key = TripKey(
            feed: Int32(feed), isReported: vehicle.isReported, trip: Int32(truncatingIfNeeded: vehicle.trip),
            day: Int32(vehicle.day))
        if let known = ridden[key], known.round <= round, known.delay <= delay { return false }
        ridden[key] = (round, delay)
        return true
    }
}
