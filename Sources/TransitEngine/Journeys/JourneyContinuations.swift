internal import TransitModel

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

    /// A trip on a service day, in one number, because each lookup computes its hash.
    private struct TripKey: Hashable {
        private let number: UInt64

        init(_ vehicle: Vehicle, of feed: Int) {
            let kind = UInt64(UInt16(truncatingIfNeeded: feed)) << 1 | (vehicle.isReported ? 1 : 0)
            number =
                kind << 47 | UInt64(UInt16(truncatingIfNeeded: vehicle.day)) << 31
                | UInt64(UInt32(truncatingIfNeeded: vehicle.trip))
        }
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
        let key = TripKey(vehicle, of: feed)
        if let known = ridden[key], known.round <= round, known.delay <= delay { return false }
        ridden[key] = (round, delay)
        return true
    }
}

extension JourneySearch {
    /// Enqueues what vehicles continue as. Riders may also wait for a later one because it continues to where an earlier one
    /// does not.
    mutating func enqueueContinuations(
        of vehicles: some VehicleSequence, _ range: Range<Int>, _ feed: Int, boardAt position: Int, _ boarding: UInt32,
        _ round: Int
    ) {
        guard let route = vehicles.line else { return }
        let routes = feeds[feed].network.routeCount
        let last = vehicles.callCount - 1
        for number in range where vehicles.canBoard(number, position) {
            let departure = vehicles.departure(number, position)
            if departure >= labels.best[round + 1] { return }
            if round == 0, departure &- log.boardings[Int(boarding)].seconds > lastLeave { return }
            // Later vehicles are at the end later.
            guard
                bounds.mayImprove(
                    labels.best, stayingAfter: route, of: feed, routes: routes, vehicles.arrival(number, last),
                    with: round + 1)
            else { return }
            enqueueContinuations(
                of: vehicles.vehicle(number), feed, board: position, boarding, delay: 0, isContinuation: false, round)
        }
    }

    private mutating func enqueueContinuations(
        of vehicle: Vehicle, _ feed: Int, board: Int, _ boarding: UInt32, delay: Int32, isContinuation: Bool,
        _ round: Int
    ) {
        guard feeds[feed].mayContinue(vehicle), feeds[feed].canStay(vehicle),
            let route = feeds[feed].route(of: vehicle), feeds[feed].hasContinuations(route)
        else { return }
        let last = feeds[feed].callCount(of: vehicle) - 1
        let end = feeds[feed].times(vehicle, last).arrival &+ delay
        let routes = feeds[feed].network.routeCount
        guard bounds.mayImprove(labels.best, stayingAfter: route, of: feed, routes: routes, end, with: round + 1)
        else { return }
        guard continuations.isFirst(vehicle, of: feed, with: round, delay: delay) else { return }
        let next = feeds[feed].continuations(of: vehicle)
        if next.isEmpty { return }
        let record = log.add(
            JourneyLog.Ride(
                boarding: boarding, vehicle: vehicle, feed: feed, board: board, alight: last,
                isContinuation: isContinuation))
        for vehicle in next {
            let delay = max(0, end &- feeds[feed].times(vehicle, 0).departure)
            continuations.append(.init(feed: feed, vehicle: vehicle, previous: record, delay: delay))
        }
    }

    /// Stays in a vehicle to each of its later calls, and for what follows.
    ///
    /// - Parameters:
    ///   - board: The call from which riders are on board.
    ///   - boarding: The record of the boarding or, for a continuation, of the ride before.
    mutating func stay(
        in vehicle: Vehicle, _ index: Int, from board: Int, _ boarding: UInt32, delay: Int32, isContinuation: Bool,
        _ round: Int
    ) {
        let feed = feeds[index]
        for position in stride(from: board + 1, to: feed.callCount(of: vehicle), by: 1) {
            guard let (node, time) = feed.alighting(vehicle, at: position) else { continue }
            let arrival = time &+ delay
            // A vehicle that riders are on board of has passed the calls before the search begins.
            if arrival < 0 || arrival >= labels.best[round + 1] { continue }
            if arrival >= labels.arrivals[node &* rounds &+ round] { continue }
            arrive(
                at: node, arrival, round,
                JourneyLog.Ride(
                    boarding: boarding, vehicle: vehicle, feed: index, board: board, alight: position,
                    isContinuation: isContinuation))
        }
        enqueueContinuations(
            of: vehicle, index, board: board, boarding, delay: delay, isContinuation: isContinuation, round)
    }
}
