internal import TransitModel
internal import TransitStore

/// How a pinned journey goes on after it broke. It is saved, so that a restart does not lose the way that the user was shown.
package struct JourneyDetour: Codable, Hashable, Sendable {
    /// The rides of a way, which replace those of the pinned journey.
    struct Way: Codable, Hashable, Sendable {
        struct Ride: Codable, Hashable, Sendable {
            var departure: DepartureKey
            var destination: StopID
            var arrival: Instant
            var changeTime: Int?
            var isTimed: Bool
        }

        var rides: [Ride]
        var walkBefore: Int?
        var walkAfter: Int?

        init(_ journey: SavedJourney) {
            rides = journey.legs.map {
                Ride(
                    departure: $0.departure, destination: $0.destination, arrival: $0.arrival,
                    changeTime: $0.changeTime, isTimed: $0.isTimed)
            }
            (walkBefore, walkAfter) = (journey.walkBefore, journey.walkAfter)
        }
    }

    /// The departures of the pinned journey, which identify it.
    let pinned: [DepartureKey]
    /// The way that the user is on; `nil` before the user is on another one.
    var taken: Way?
    /// The best way, which the user is on from ``isTakenFrom`` on; `nil` if the journey holds.
    var next: Way?
    var isTakenFrom: Instant?

    init(of journey: SavedJourney) { pinned = journey.legs.map(\.departure) }

    func isOf(_ journey: SavedJourney) -> Bool { pinned == journey.legs.map(\.departure) }

    var isEmpty: Bool { taken == nil && next == nil }

    /// Takes the way whose moment has come.
    func at(_ now: Instant) -> JourneyDetour {
        var detour = self
        if let next, let isTakenFrom, isTakenFrom <= now {
            (detour.taken, detour.next, detour.isTakenFrom) = (next, nil, nil)
        }
        return detour
    }
}

extension SavedJourney {
    /// Returns the journey on another way.
    func onWay(_ way: JourneyDetour.Way) -> SavedJourney {
        var journey = self
        journey.legs = way.rides.map {
            Leg(
                departure: $0.departure, destination: $0.destination, arrival: $0.arrival, changeTime: $0.changeTime,
                isTimed: $0.isTimed)
        }
        (journey.walkBefore, journey.walkAfter) = (way.walkBefore, way.walkAfter)
        return journey
    }
}
