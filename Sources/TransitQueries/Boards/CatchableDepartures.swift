internal import TransitEngine
package import TransitModel
internal import TransitStore

/// Searches for departures that a rider can use: those that the rider can still catch, or that meet requirements.
enum CatchableDepartures {
    /// Returns the first departures that can be used, at most `count` of them. The search ends after a few rounds, each
    /// of which looks twice as far, because a route can be canceled for days.
    ///
    /// - Parameter search: Returns the next departures, at most as many as its argument says.
    static func first<Departure>(
        _ count: Int, where canBeUsed: (Departure) throws(StoreError) -> Bool,
        among search: (Int) throws(StoreError) -> [Departure]
    ) throws(StoreError) -> [Departure] {
        var limit = max(count, 1)
        var found: [Departure] = []
        for _ in 0..<MergeLimits.maximumRounds {
            let all = try search(limit)
            found = []
            for departure in all where try canBeUsed(departure) { found.append(departure) }
            if found.count >= count || all.count < limit { break }
            limit *= 2
        }
        return Array(found.prefix(count))
    }
}

/// Why none of the departures of a request can be caught.
package struct UncatchableDepartures: Hashable, Sendable {
    /// The time window of the request; `nil` without one.
    package var window: DepartureWindow?
    /// The number of departures that are left out.
    package var count: Int
    /// The number of them that are canceled or do not stop.
    package var canceled: Int
    /// The place where the rider is; `nil` at the stop itself, and if the request states the walk.
    package var place: String?
    /// The shortest walk in seconds.
    package var walk: Int
    /// The first departure after them that can be caught; `nil` if there is none.
    package var next: Next?
    /// The time zone of the stop.
    package var zone: ServiceZone

    package struct Next: Hashable, Sendable {
        package var departure: Instant
        package var leaveBy: Instant
    }

    /// - Parameters:
    ///   - leftOut: The departures in the window or, without one, the next ones; not empty.
    ///   - next: The first departure that can be caught, and the walk to it.
    init(
        _ leftOut: [ExpectedCall], in window: DepartureWindow?, from place: String?, walk: Int,
        next: (departure: MergedDeparture, walk: Int)?, _ zone: ServiceZone
    ) throws(StoreError) {
        (self.window, self.place, self.walk, self.zone) = (window, place, walk, zone)
        count = leftOut.count
        canceled = leftOut.count { !$0.isRunning }
        self.next = try next.map { (next) throws(StoreError) in
            let (departure, walk) = next
            return Next(
                departure: departure.call.departure, leaveBy: departure.leaveBy(walk: walk, try departure.prediction))
        }
    }
}

extension MergedDeparture {
    /// Whether the departure runs, and a rider who sets out at a time reaches it if it leaves at the expected time.
    ///
    /// - Parameter walk: The walk to the stop in seconds.
    func canBeCaught(settingOutAt time: Instant, walk: Int) -> Bool {
        call.isRunning && call.status != .departed && call.departure.advanced(by: -walk) >= time
    }
}
