internal import TransitModel

/// A vehicle of a search: a trip of the network on a service day, or a trip with realtime data.
struct Vehicle {
    /// The route of the network, or the line of ``JourneyRealtime``.
    var line: Int
    /// The position in ``JourneyNetwork/trips``, or in ``JourneyRealtime/trips``.
    var trip: Int
    /// The position in ``SearchedFeed/days``; 0 for a trip with realtime data.
    var day: Int
    var isReported: Bool
}

/// One feed as a search uses it: the service days that it covers, with times from the start of the search.
///
/// This is a class because each scan of a route refers to it.
final class SearchedFeed {
    /// A service day of one time zone.
    struct Day {
        var date: ServiceDate
        /// Seconds since 1970.
        var start: Int64
        /// Seconds from the start of the search.
        var offset: Int32
        /// The position in ``SearchedFeed/days``.
        var number: Int
        /// For each service, whether it runs. The memory belongs to the feed.
        var isActive: UnsafePointer<Bool>
    }

    let network: JourneyNetwork
    let realtime: JourneyRealtime?
    /// The numbers of the feed's first node and first route in the search.
    let firstNode: Int
    let firstRoute: Int
    let days: [Day]
    private let daysOfZones: [Range<Int>]
    private let calendar: TimetableCalendar
    let serviceCount: Int
    /// What is added to the times of ``JourneyRealtime``.
    let realtimeOffset: Int32
    private let activeServices: [UnsafeMutablePointer<Bool>]

    /// - Parameters:
    ///   - base: The start of the search, in seconds since 1970.
    ///   - horizon: The end of the search, in seconds from the start.
    init(_ feed: JourneyFeed, base: Int64, horizon: Int32, firstNode: Int, firstRoute: Int) {
        network = feed.network
        realtime = feed.realtime
        calendar = feed.calendar
        self.firstNode = firstNode
        self.firstRoute = firstRoute
        realtimeOffset = feed.realtime.map { Int32(clamping: $0.base - base) } ?? 0
        var days: [Day] = []
        var activeServices: [UnsafeMutablePointer<Bool>] = []
        var daysOfZones: [Range<Int>] = []
        for zone in feed.calendar.zones {
            let first = days.count
            let serviceDays = ServiceDays(
                zone: zone, at: Instant(secondsSince1970: base), latestStopTime: feed.calendar.latestStopTime)
            serviceDays.visit { day in
                let offset = day.start - base
                if offset <= Int64(horizon) {
                    let services = feed.calendar.services
                    let active = UnsafeMutablePointer<Bool>.allocate(capacity: max(1, services.count))
                    for (number, service) in services.enumerated() {
                        active.advanced(by: number).initialize(to: service.runs(on: day.date))
                    }
                    activeServices.append(active)
                    if UnsafeBufferPointer(start: active, count: services.count).contains(true) {
                        days.append(
                            Day(
                                date: day.date, start: day.start, offset: Int32(clamping: offset), number: days.count,
                                isActive: UnsafePointer(active)))
                    }
                }
                return base + Int64(horizon) + 1
            }
            daysOfZones.append(first..<days.count)
        }
        self.days = days
        self.activeServices = activeServices
        self.daysOfZones = daysOfZones
        serviceCount = feed.calendar.services.count
    }

    deinit { for active in activeServices { active.deallocate() } }

    /// Returns the nodes of a stop, numbered within the search.
    func nodes(of stop: StopIndex) -> Range<Int> {
        guard stop.position < network.stopCount else { return firstNode..<firstNode }
        let nodes = network.nodes(of: stop.position)
        return nodes.lowerBound + firstNode..<nodes.upperBound + firstNode
    }

    /// Returns the service days of a route of the timetable.
    @inline(__always)
    func days(ofRoute route: UInt32) -> ArraySlice<Day> {
        if daysOfZones.count == 1 { return days[...] }
        return days[daysOfZones[calendar.zonePosition(of: RouteIndex(route))]]
    }

    @inline(__always)
    func seconds(_ footpath: JourneyNetwork.Footpath, _ speed: Double) -> Int32 {
        switch footpath.kind {
        case .walk:
            let seconds = Double(footpath.value) * WalkingRadius.detour / speed
            let whole = Int32(truncatingIfNeeded: Int(seconds))
            return Double(whole) < seconds ? whole + 1 : whole
        case .stated, .timed: return Int32(truncatingIfNeeded: footpath.value)
        case .notPossible: return .max / 4
        }
    }

    /// Calls `body` with each departure of a vehicle from a node in a range of times.
    func forEachDeparture(from node: Int, in times: ClosedRange<Int32>, _ body: (Int32) -> Void) {
        func visit(_ vehicles: some VehicleSequence, _ position: Int) {
            var time = times.lowerBound
            var previous = vehicles.end
            while true {
                let vehicle = vehicles.earliest(at: position, from: time, after: previous)
                guard vehicle != vehicles.end else { return }
                let departure = vehicles.departure(vehicle, position)
                guard departure <= times.upperBound else { return }
                body(departure)
                previous = vehicle
                time = departure
            }
        }
        for number in network.visits(of: node - firstNode) {
            let one = network.visits[number]
            let (route, position) = (Int(one.route), Int(one.position))
            guard network.calls[Int(network.routes[route].firstCall) + position].canBoard else { continue }
            for day in days(ofRoute: network.routes[route].route) {
                visit(ScheduledVehicles(self, route: route, day: day), position)
            }
            guard let realtime, let lines = realtime.linesOfRoutes[route] else { continue }
            for line in lines { visit(ReportedVehicles(self, realtime, line: line), position) }
        }
        guard let realtime else { return }
        for one in realtime.visits[node - firstNode] ?? [] {
            visit(ReportedVehicles(self, realtime, line: one.line), one.position)
        }
    }

    // MARK: Single vehicles

    func callCount(of vehicle: Vehicle) -> Int {
        if vehicle.isReported { return realtime?.lines[vehicle.line].callCount ?? 0 }
        return network.calls(of: vehicle.line).count
    }

    /// Returns the route of the network whose calls a vehicle has; `nil` if it has calls of its own.
    func route(of vehicle: Vehicle) -> Int? {
        vehicle.isReported ? realtime?.lines[vehicle.line].route : vehicle.line
    }

    /// Returns the call of a vehicle.
    private func call(_ vehicle: Vehicle, _ position: Int) -> JourneyNetwork.Call {
        if vehicle.isReported, let line = realtime?.lines[vehicle.line] {
            guard let route = line.route else { return line.calls[position] }
            return network.calls[network.calls(of: route).lowerBound + position]
        }
        return network.calls[network.calls(of: vehicle.line).lowerBound + position]
    }

    /// Returns the node of a call, numbered within the search.
    func node(_ vehicle: Vehicle, at position: Int) -> Int { firstNode + call(vehicle, position).node }

    func times(_ vehicle: Vehicle, _ position: Int) -> JourneyNetwork.Times {
        if vehicle.isReported, let realtime {
            let times = realtime.times[realtime.trips[vehicle.trip].firstCall + position]
            return .init(arrival: times.arrival &+ realtimeOffset, departure: times.departure &+ realtimeOffset)
        }
        let one = network.routes[vehicle.line]
        let trip = network.trips[vehicle.trip]
        let times = network.times[
            Int(one.firstTime) + trip.timingGroup * network.calls(of: vehicle.line).count + position]
        let start = days[vehicle.day].offset &+ trip.start
        return .init(arrival: start &+ times.arrival, departure: start &+ times.departure)
    }

    /// Returns the node and the time of a call where riders can alight; `nil` if they cannot.
    func alighting(_ vehicle: Vehicle, at position: Int) -> (node: Int, arrival: Int32)? {
        let call = call(vehicle, position)
        guard call.canAlight else { return nil }
        if vehicle.isReported, let realtime,
            !realtime.usability[realtime.trips[vehicle.trip].firstCall + position].contains(.alighting)
        {
            return nil
        }
        return (firstNode + call.node, times(vehicle, position).arrival)
    }

    /// Whether riders can board a vehicle at a call.
    func canBoard(_ vehicle: Vehicle, at position: Int) -> Bool {
        guard call(vehicle, position).canBoard else { return false }
        guard vehicle.isReported, let realtime else { return true }
        return realtime.usability[realtime.trips[vehicle.trip].firstCall + position].contains(.boarding)
    }

    /// Whether a vehicle serves its last call, so that riders can stay for what follows.
    func canStay(_ vehicle: Vehicle) -> Bool {
        guard vehicle.isReported, let realtime else { return true }
        return realtime.usability[
            realtime.trips[vehicle.trip].firstCall + realtime.lines[vehicle.line].callCount - 1
        ].contains(.alighting)
    }

    /// Whether trips of a route of the network may continue as others.
    @inline(__always)
    func hasContinuations(_ route: Int?) -> Bool {
        guard let route, !network.hasContinuations.isEmpty else { return false }
        return network.hasContinuations[route]
    }

    private func isActive(_ service: Int, on day: Int) -> Bool { service < serviceCount && days[day].isActive[service] }

    /// Returns the vehicles as which a vehicle continues.
    func continuations(of vehicle: Vehicle) -> [Vehicle] {
        guard let (trip, date, day) = scheduledTrip(of: vehicle) else { return [] }
        var next: [Vehicle] = []
        for number in network.continuations(of: trip) {
            let continuation = network.continuations[number]
            let other = Int(continuation.next)
            let key = key(other, ofRoute: Int(continuation.route), date)
            if let realtime, let reported = realtime.numbers[key] {
                next.append(Vehicle(line: reported.line, trip: reported.trip, day: 0, isReported: true))
            } else if let day, isActive(network.trips[other].service, on: day),
                !(realtime?.isHidden(network.tripReferences[other].trip) { key } ?? false)
            {
                next.append(Vehicle(line: Int(continuation.route), trip: other, day: day, isReported: false))
            }
        }
        return next
    }

    /// The trip of the network that a vehicle is, its date, and the position of the date in ``days``.
    private func scheduledTrip(of vehicle: Vehicle) -> (trip: Int, date: ServiceDate, day: Int?)? {
        guard vehicle.isReported else { return (vehicle.trip, days[vehicle.day].date, vehicle.day) }
        guard let realtime, let key = realtime.trips[vehicle.trip].key,
            let route = realtime.lines[vehicle.line].route
        else { return nil }
        let pattern = network.routes[route].pattern
        for number in network.routes(of: Int(pattern)) {
            for trip in network.trips(of: Int(network.routesByPattern[number]))
            where network.tripReferences[trip].trip == key.trip.rawValue {
                let line = RouteIndex(network.routes[route].route)
                let zone = daysOfZones.count == 1 ? 0 : calendar.zonePosition(of: line)
                return (trip, key.serviceDate, days[daysOfZones[zone]].first { $0.date == key.serviceDate }?.number)
            }
        }
        return nil
    }

    func key(_ trip: Int, ofRoute route: Int, _ date: ServiceDate) -> TripInstanceKey {
        let reference = network.tripReferences[trip]
        return TripInstanceKey(
            pattern: PatternIndex(network.routes[route].pattern), trip: TripIndex(reference.trip), serviceDate: date,
            frequencyStart: reference.frequency < 0 ? nil : ServiceTime(seconds: network.trips[trip].start))
    }

    // MARK: Results

    func leg(_ one: JourneyRefinement.Vehicle, _ ride: JourneyRefinement.Ride, base: Int64) -> FoundJourney.Leg {
        let vehicle = one.vehicle
        func stop(_ position: Int) -> StopIndex {
            StopIndex(network.stopsOfNodes[node(vehicle, at: position) - firstNode])
        }
        let source: FoundTrip.Source
        var pattern: PatternIndex?
        if vehicle.isReported, let realtime {
            source = realtime.trips[vehicle.trip].source
            pattern = realtime.trips[vehicle.trip].key?.pattern
        } else {
            let route = network.routes[vehicle.line]
            let trip = network.trips[vehicle.trip]
            let reference = network.tripReferences[vehicle.trip]
            let timingGroup = Int(network.timingGroups[Int(route.firstTimingGroup) + trip.timingGroup])
            pattern = PatternIndex(route.pattern)
            source = .scheduled(
                pattern: Int(reference.trip), timingGroup: timingGroup,
                TripInstance(trip: -1, start: trip.start, frequency: reference.frequency),
                ServiceDay(date: days[vehicle.day].date, start: days[vehicle.day].start))
        }
        let delay = Int64(one.delay)
        return FoundJourney.Leg(
            feed: one.feed, board: ride.board, alight: ride.alight,
            departure: base + Int64(times(vehicle, ride.board).departure) + delay,
            arrival: base + Int64(times(vehicle, ride.alight).arrival) + delay, boardStop: stop(ride.board),
            alightStop: stop(ride.alight), isContinuation: one.isContinuation, changeTime: 0, isTimedTransfer: false,
            pattern: pattern, source: source)
    }
}
