internal import TransitEngine
package import TransitModel
internal import TransitStore

/// A row of transfers.txt that decides a change, or that riders stay on board.
package struct ChangeRule {
    package var row: Transfer
    /// The timetable that has the row.
    package var timetable: Timetable
}

extension JourneyFeeds {
    /// Returns the row of transfers.txt that decides the change between two legs, or that riders stay on board; `nil` if none
    /// does, as between two feeds.
    func rule(from one: FoundJourney.Leg, to other: FoundJourney.Leg) throws(StoreError) -> ChangeRule? {
        guard one.feed == other.feed, let from = try vehicle(of: one, at: one.alightStop),
            let to = try vehicle(of: other, at: other.boardStop)
        else { return nil }
        let timetable = members[one.feed].timetable
        let (here, there) = (try timetable.levels(of: from.stop), try timetable.levels(of: to.stop))
        var rows: [Transfer] = []
        for stop in [nil] + here.map(Optional.some) { rows += try timetable.file.transfers(from: stop) }
        if other.isContinuation {
            guard let trip = try from.id(timetable), let next = try to.id(timetable) else { return nil }
            let row = rows.first { $0.kind == .inSeat && $0.fromTrip == trip && $0.toTrip == next }
            return row.map { ChangeRule(row: $0, timetable: timetable) }
        }
        let transfers = try JourneyNetworkInput.transfers(
            rows.filter { $0.toStop.map(there.contains) ?? false }, timetable.file)
        guard
            let row = TransferPrecedence.row(
                of: transfers, from: here, to: there, TransferPrecedence.Vehicle(route: from.route, trip: from.trip),
                TransferPrecedence.Vehicle(route: to.route, trip: to.trip))
        else { return nil }
        return row.decides(other) ? ChangeRule(row: row, timetable: timetable) : nil
    }

    /// A vehicle at a stop of its feed's timetable.
    private struct Vehicle {
        var stop: StopIndex
        var route: RouteIndex?
        var trip: TripIndex?

        func id(_ timetable: Timetable) throws(StoreError) -> TripID? {
            try trip.map { (trip) throws(StoreError) in try timetable.file.trip(trip).id }
        }
    }

    private func vehicle(of leg: FoundJourney.Leg, at stop: StopIndex) throws(StoreError) -> Vehicle? {
        let member = members[leg.feed]
        let calls = try member.feed.calls(of: leg) { (pattern) throws(StoreError) in
            try member.timetable.file.pattern(pattern)
        }
        return calls.map { calls in
            Vehicle(stop: stop, route: calls.departure.route, trip: calls.departure.tripInstance?.trip)
        }
    }
}

extension Transfer {
    /// Whether the time of a leg's change is from this row. It is not from a row that a network leaves out
    /// (`JourneyNetworkOmissions`).
    fileprivate func decides(_ leg: FoundJourney.Leg) -> Bool {
        switch kind {
        case .timed: leg.isTimedTransfer
        case .minimumTime where minimumTime != nil: leg.changeWalk == nil && minimumTime == leg.changeTime
        case .recommended, .minimumTime: !leg.isTimedTransfer
        case .notPossible, .inSeat, .inSeatNotAllowed: false
        }
    }
}

extension Timetable {
    /// Returns a stop and what it belongs to, nearest first: its platform and its station.
    fileprivate func levels(of stop: StopIndex) throws(StoreError) -> [StopIndex] {
        var levels = [stop]
        // A boarding area has a platform, and the platform a station.
        for _ in 0..<2 {
            let last = levels[levels.count - 1].position
            guard let parent = try file.stopLocations(ofStops: last..<last + 1).first?.parent, !levels.contains(parent)
            else { break }
            levels.append(parent)
        }
        return levels
    }
}
