public import TransitModel

/// The trips, calls and stops of one feed that a search leaves out because of ``JourneyOptions``.
///
/// A search without options does not have them, and does no additional work. With options, it reads copies of the calls and of
/// what riders can do at calls with realtime data, from which boarding and alighting are removed, and one bit for each trip.
public final class JourneyExclusions: @unchecked Sendable {
    // The memory is not changed after the initialization.

    /// The network's calls. At calls of routes of other modes nobody boards; at stops that are ruled out, nobody boards or
    /// alights.
    let calls: UnsafeMutableBufferPointer<JourneyNetwork.Call>
    /// Bit `n` is set if the trip at the position `n` of the network is left out.
    let trips: UnsafeMutableBufferPointer<UInt64>
    /// Whether any trip of the network is left out, or may be because of its vehicle.
    let hasTrips: Bool
    /// Parallel to ``JourneyRealtimeTables/usability``.
    let usability: UnsafeMutableBufferPointer<JourneyRealtimeTables.Usability>
    /// Parallel to ``JourneyRealtimeTables/calls``.
    let reportedCalls: UnsafeMutableBufferPointer<JourneyNetwork.Call>
    /// For each trip with realtime data, whether it is left out.
    let reportedTrips: [Bool]
    private let options: JourneyOptions
    private let facts: JourneyFacts

    /// - Parameter realtime: The realtime data of the search.
    public init(
        _ options: JourneyOptions, _ facts: JourneyFacts, of network: JourneyNetwork, realtime: JourneyRealtime?
    ) {
        self.options = options
        self.facts = facts
        calls = .allocate(capacity: network.calls.count)
        _ = calls.initialize(from: network.calls)
        trips = .allocate(capacity: (network.trips.count + 63) / 64)
        trips.initialize(repeating: 0)
        var isStopAllowed: [Bool] = []
        if options.wheelchair, !facts.stops.isEmpty {
            isStopAllowed = network.stopsOfNodes.map { options.allows(stop: facts.accessibility(of: Int($0))) }
        }
        let dependsOnTrips = (options.wheelchair || options.bicycles) && !facts.trips.isEmpty
        var hasTrips = !facts.vehicles.isEmpty
        var copied = 0
        for route in 0..<network.routeCount {
            let one = network.routes[route]
            let isModeAllowed = options.allows(facts.mode(of: RouteIndex(one.route)))
            // Routes that share calls are consecutive.
            let range = network.calls(of: route)
            if range.lowerBound >= copied {
                copied = range.upperBound
                for call in range { calls[call] = Self.call(calls[call], isModeAllowed, isStopAllowed) }
            }
            if isModeAllowed, !dependsOnTrips { continue }
            for trip in network.trips(of: route) {
                let accessibility = facts.accessibility(of: TripIndex(network.reference(of: trip, in: one)))
                if isModeAllowed, options.allows(accessibility) { continue }
                trips[trip >> 6] |= 1 << UInt64(trip & 63)
                hasTrips = true
            }
        }
        self.hasTrips = hasTrips
        let tables = realtime?.tables
        usability = .allocate(capacity: tables?.usability.count ?? 0)
        reportedCalls = .allocate(capacity: tables?.calls.count ?? 0)
        var reportedTrips = [Bool](repeating: false, count: tables?.trips.count ?? 0)
        if let realtime, let tables {
            _ = usability.initialize(from: tables.usability)
            _ = reportedCalls.initialize(from: tables.calls)
            for call in reportedCalls.indices {
                reportedCalls[call] = Self.call(reportedCalls[call], true, isStopAllowed)
            }
            for (number, line) in tables.lines.enumerated() {
                for trip in line.trips where !Self.isAllowed(trip, of: realtime, network, options, facts) {
                    reportedTrips[trip] = true
                    let first = tables.time(of: trip, in: number, 0)
                    for call in first..<first + Int(line.callCount) { usability[call].remove(.boarding) }
                }
            }
        }
        self.reportedTrips = reportedTrips
    }

    deinit {
        calls.deallocate()
        trips.deallocate()
        usability.deallocate()
        reportedCalls.deallocate()
    }

    private static func call(
        _ call: JourneyNetwork.Call, _ isModeAllowed: Bool, _ isStopAllowed: [Bool]
    ) -> JourneyNetwork.Call {
        let isHere = isStopAllowed.isEmpty || isStopAllowed[call.node]
        return JourneyNetwork.Call(
            node: call.node, canBoard: call.canBoard && isModeAllowed && isHere, canAlight: call.canAlight && isHere)
    }

    private static func isAllowed(
        _ trip: Int, of realtime: JourneyRealtime, _ network: JourneyNetwork, _ options: JourneyOptions,
        _ facts: JourneyFacts
    ) -> Bool {
        if let key = realtime.key(of: trip) {
            let route = network.routes(of: key.pattern.position).first.map { RouteIndex(network.routes[$0].route) }
            return options.allows(facts.mode(of: route))
                && options.allows(facts.accessibility(of: key.trip).served(by: facts.vehicles[key]))
        }
        guard let extra = realtime.extraTrip(of: trip) else { return true }
        let accessibility = facts.accessibility(of: extra.variantTrip ?? extra.replaced?.trip)
        return options.allows(facts.mode(of: extra.route))
            && options.allows(accessibility.served(by: realtime.vehicle(of: extra)))
    }

    /// Whether a trip of the network is left out on a service date.
    ///
    /// - Parameters:
    ///   - route: The route of the timetable.
    ///   - key: The key of the trip instance.
    func excludes(_ trip: Int, of route: RouteIndex, _ key: () -> TripInstanceKey) -> Bool {
        let isExcluded = trips[trip >> 6] & 1 << UInt64(trip & 63) != 0
        if facts.vehicles.isEmpty { return isExcluded }
        let key = key()
        guard let vehicle = facts.vehicles[key], options.allows(facts.mode(of: route)) else { return isExcluded }
        return !options.allows(facts.accessibility(of: key.trip).served(by: vehicle))
    }
}
