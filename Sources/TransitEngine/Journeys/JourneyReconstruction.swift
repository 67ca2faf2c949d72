internal import TransitModel

/// Reads the journeys that a search found back from its log.
struct JourneyReconstruction {
    let feeds: [SearchedFeed]
    /// The start of the search, in seconds since 1970.
    let base: Int64
    let log: JourneyLog
    let walks: JourneyWalks
    /// Whether riders are on board of the first vehicle when the search begins.
    let isOnBoard: Bool

    /// Reads the vehicles of a journey from the log, and chooses where riders board and alight them.
    func journey(endingWith record: UInt32, _ vehicles: Int) -> FoundJourney {
        var rides: [JourneyLog.Ride] = []
        var changes: [JourneyRefinement.Ride] = []
        var next = record
        var walkBefore: Int32 = 0
        while true {
            let ride = log.rides[Int(next)]
            rides.append(ride)
            var change = JourneyRefinement.Ride(board: ride.board, alight: ride.alight, changeTime: 0, kind: .walk)
            if ride.isContinuation {
                changes.append(change)
                next = ride.boarding
                continue
            }
            let boarding = log.boardings[Int(ride.boarding)]
            if boarding.ride == .max {
                changes.append(change)
                walkBefore = boarding.seconds
                break
            }
            change.changeTime = boarding.seconds
            change.kind = boarding.kind
            changes.append(change)
            next = boarding.ride
        }
        rides.reverse()
        changes.reverse()
        var ridden: [JourneyRefinement.Vehicle] = []
        for ride in rides {
            let feed = feeds[ride.feedIndex]
            var delay: Int32 = 0
            if ride.isContinuation, let before = ridden.last {
                let last = feed.callCount(of: before.vehicle) - 1
                delay = max(
                    0, feed.times(before.vehicle, last).arrival &+ before.delay &- feed.times(ride.vehicle, 0).departure
                )
            }
            ridden.append(
                .init(feed: ride.feedIndex, vehicle: ride.vehicle, delay: delay, isContinuation: ride.isContinuation))
        }
        let last = rides[rides.count - 1]
        let lastFeed = feeds[last.feedIndex]
        var walkAfter = walks.egress[lastFeed.node(last.vehicle, at: last.alight)] ?? 0
        let leave = feeds[rides[0].feedIndex].times(rides[0].vehicle, rides[0].board).departure &- walkBefore
        let arrival = lastFeed.times(last.vehicle, last.alight).arrival &+ ridden[ridden.count - 1].delay &+ walkAfter
        let refinement = JourneyRefinement(feeds: feeds, walks: walks, firstCall: isOnBoard ? rides[0].board : nil)
        if let refined = refinement.rides(ridden, leave: leave, arrival: arrival) {
            changes = refined.rides
            (walkBefore, walkAfter) = (refined.walkBefore, refined.walkAfter)
        }
        return found(ridden, changes, walkBefore: Int(walkBefore), walkAfter: Int(walkAfter), vehicles)
    }

    private func found(
        _ ridden: [JourneyRefinement.Vehicle], _ rides: [JourneyRefinement.Ride], walkBefore: Int, walkAfter: Int,
        _ vehicles: Int
    ) -> FoundJourney {
        var legs: [FoundJourney.Leg] = []
        for (position, (one, ride)) in zip(ridden, rides).enumerated() {
            var leg = feeds[one.feed].leg(one, ride, base: base)
            if !legs.isEmpty, !one.isContinuation {
                leg.changeTime = Int(ride.changeTime)
                leg.isTimedTransfer = ride.kind == .timed
                if ride.kind == .walk {
                    let (before, feed) = (ridden[position - 1], feeds[ridden[position - 1].feed])
                    leg.changeWalk = walks.meters(
                        from: feed.node(before.vehicle, at: rides[position - 1].alight),
                        to: feeds[one.feed].node(one.vehicle, at: ride.board), in: feed)
                }
            }
            legs.append(leg)
        }
        let last = legs[legs.count - 1]
        return FoundJourney(
            legs: legs, walkBefore: walkBefore, walkAfter: walkAfter,
            leaveBy: Instant(secondsSince1970: legs[0].departure - Int64(walkBefore)),
            arrival: Instant(secondsSince1970: last.arrival + Int64(walkAfter)), vehicles: vehicles)
    }
}
