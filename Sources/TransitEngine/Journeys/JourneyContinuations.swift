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
    /// The fewest vehicles with which a trip was ridden to its end, so that its continuation is searched once.
    private var ridden: [TripKey: Int] = [:]

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

    /// Returns whether a vehicle has not been ridden to its end with that number of vehicles or fewer, and records that it
    /// now is.
    mutating func isFirst(_ vehicle: Vehicle, of feed: Int, with vehicles: Int) -> Bool {
        let key = TripKey(
            feed: Int32(feed), isReported: vehicle.isReported, trip: Int32(truncatingIfNeeded: vehicle.trip),
            day: Int32(vehicle.day))
        if let known = ridden[key], known <= vehicles { return false }
        ridden[key] = vehicles
        return true
    }
}
