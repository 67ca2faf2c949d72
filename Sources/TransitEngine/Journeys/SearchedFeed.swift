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
        /// The number of services.
        var serviceCount: Int
    }

    let network: JourneyNetwork
    /// The times of the network's footpaths.
    let changeTimes: ChangeTimes
    let realtime: JourneyRealtime?
    /// The tables of ``realtime``, which keeps them in memory.
    unowned(unsafe) let tables: JourneyRealtimeTables?
    /// The numbers of the feed's first node, first route and first vehicle sequence in the search.
    let firstNode: Int
    let firstRoute: Int
    let firstSequence: Int
    let days: UnsafeBufferPointer<Day>
    private let daysOfZones: [Range<Int>]
    private let hasOneZone: Bool
    private let calendar: TimetableCalendar
    // What each scan of a route reads, so that it does not have to go through other objects.
    let routes: UnsafeBufferPointer<JourneyNetwork.Route>
    let calls: UnsafeBufferPointer<JourneyNetwork.Call>
    let trips: UnsafeBufferPointer<JourneyNetwork.Trip>
    /// Whether trips of the network may be left out, because of realtime data or of what riders require.
    let leavesTripsOut: Bool
    private let exclusions: JourneyExclusions?
    private let excludesTrips: Bool
    /// See ``JourneyRealtimeTables``; with what riders require.
    let reportedCalls: UnsafeBufferPointer<JourneyNetwork.Call>
    let usability: UnsafeBufferPointer<JourneyRealtimeTables.Usability>
    /// What is added to the times of ``JourneyRealtime``.
    let realtimeOffset: Int32
    private let activeServices: [UnsafeMutablePointer<Bool>]
    /// For each route and service day, consecutive trips that are known not to run, as positions in ``trips``.
    let idleTrips: UnsafeMutablePointer<(first: Int32, end: Int32)>

    /// - Parameters:
    ///   - base: The start of the search, in seconds since 1970.
    ///   - horizon: The end of the search, in seconds from the start.
    init(
        _ feed: JourneyFeed, base: Int64, horizon: Int32, walkingSpeed: WalkingSpeed, firstNode: Int, firstRoute: Int,
        firstSequence: Int
    ) {
        network = feed.network
        changeTimes = ChangeTimes(of: feed.network.footpaths, at: walkingSpeed)
        realtime = feed.realtime
        exclusions = feed.exclusions
        excludesTrips = feed.exclusions?.hasTrips ?? false
        leavesTripsOut = feed.realtime != nil || excludesTrips
        routes = feed.network.routes
        calls = feed.exclusions.map { UnsafeBufferPointer($0.calls) } ?? feed.network.calls
        let tables = feed.realtime?.tables
        self.tables = tables
        reportedCalls =
            feed.exclusions.map { UnsafeBufferPointer($0.reportedCalls) } ?? tables?.calls
            ?? UnsafeBufferPointer(start: nil, count: 0)
        usability =
            feed.exclusions.map { UnsafeBufferPointer($0.usability) } ?? tables?.usability
            ?? UnsafeBufferPointer(start: nil, count: 0)
        trips = feed.network.trips
        calendar = feed.calendar
        self.firstNode = firstNode
        self.firstRoute = firstRoute
        self.firstSequence = firstSequence
        realtimeOffset = feed.realtime.map { Int32(clamping: $0.tables.base - base) } ?? 0
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
                                isActive: UnsafePointer(active), serviceCount: services.count))
                    }
                }
                return base + Int64(horizon) + 1
            }
            daysOfZones.append(first..<days.count)
        }
        let memory = UnsafeMutableBufferPointer<Day>.allocate(capacity: days.count)
        _ = memory.initialize(from: days)
        self.days = UnsafeBufferPointer(memory)
        self.activeServices = activeServices
        self.daysOfZones = daysOfZones
        hasOneZone = daysOfZones.count == 1
        let sequences = days.count * feed.network.routeCount
        idleTrips = .allocate(capacity: sequences)
        idleTrips.initialize(repeating: (0, 0), count: sequences)
    }

    deinit {
        for active in activeServices { active.deallocate() }
        days.deallocate()
        changeTimes.deallocate()
        idleTrips.deallocate()
    }

    @inline(__always)
    func contains(node: Int) -> Bool { node >= firstNode && node < firstNode + network.nodeCount }

    /// The number of vehicle sequences: the trips of each route on each service day, and those of each line.
    var sequenceCount: Int { network.routeCount * days.count + (tables?.lines.count ?? 0) }

    /// Returns the number of a vehicle sequence in the search.
    @inline(__always)
    func sequence(ofRoute route: Int, on day: Int) -> Int { firstSequence &+ route &* days.count &+ day }

    @inline(__always)
    func sequence(ofLine line: Int) -> Int { firstSequence &+ network.routeCount &* days.count &+ line }

    /// Returns the nodes of a stop, numbered within the search.
    func nodes(of stop: StopIndex) -> Range<Int> {
        guard stop.position < network.stopCount else { return firstNode..<firstNode }
        let nodes = network.nodes(of: stop.position)
        return nodes.lowerBound + firstNode..<nodes.upperBound + firstNode
    }

    /// Returns the service days of a route of the timetable, as a range of ``days``.
    @inline(__always)
    func days(ofRoute route: UInt32) -> Range<Int> {
        hasOneZone ? days.indices : daysOfZone(ofRoute: route)
    }

    private func daysOfZone(ofRoute route: UInt32) -> Range<Int> {
        daysOfZones[calendar.zonePosition(of: RouteIndex(route))]
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
            let (first, position) = (network.visits[number].route, network.visits[number].position)
            guard calls[Int(routes[first].firstCall) + position].canBoard else { continue }
            for route in network.routes(sharingCallsOf: first) {
                for day in days(ofRoute: routes[route].route) {
                    visit(ScheduledVehicles(self, route: route, day: days[day]), position)
                }
                guard let tables = realtime?.tables else { continue }
                for line in tables.lines(of: route) { visit(ReportedVehicles(self, tables, line: line), position) }
            }
        }
        guard let tables = realtime?.tables else { return }
        for number in tables.visits(of: node - firstNode) {
            let one = tables.visits[number]
            visit(ReportedVehicles(self, tables, line: Int(one.line)), Int(one.position))
        }
    }

    // MARK: Single vehicles

    func callCount(of vehicle: Vehicle) -> Int {
        if vehicle.isReported { return (realtime?.tables.lines[vehicle.line].callCount).map { Int($0) } ?? 0 }
        return network.calls(of: vehicle.line).count
    }

    /// Returns the route of the network whose calls a vehicle has; `nil` if it has calls of its own.
    func route(of vehicle: Vehicle) -> Int? {
        vehicle.isReported ? realtime?.tables.lines[vehicle.line].routeOfNetwork : vehicle.line
    }

    /// Returns the pattern of the trips of a line with realtime data; `nil` for trips that the timetable lacks.
    func pattern(ofLine line: Int) -> PatternIndex? {
        guard let realtime else { return nil }
        return realtime.key(of: realtime.tables.lines[line].trips.lowerBound)?.pattern
    }

    /// Returns the call of a vehicle.
    private func call(_ vehicle: Vehicle, _ position: Int) -> JourneyNetwork.Call {
        guard vehicle.isReported, let tables = realtime?.tables else {
            return calls[Int(routes[vehicle.line].firstCall) + position]
        }
        let line = tables.lines[vehicle.line]
        return line.route < 0
            ? reportedCalls[Int(line.firstCall) + position] : calls[Int(routes[Int(line.route)].firstCall) + position]
    }

    /// Returns the node of a call, numbered within the search.
    func node(_ vehicle: Vehicle, at position: Int) -> Int { firstNode + call(vehicle, position).node }

    func times(_ vehicle: Vehicle, _ position: Int) -> JourneyNetwork.Times {
        if vehicle.isReported, let tables = realtime?.tables {
            let times = tables.times[tables.time(of: vehicle.trip, in: vehicle.line, position)]
            return .init(arrival: times.arrival &+ realtimeOffset, departure: times.departure &+ realtimeOffset)
        }
        let (route, trip) = (routes[vehicle.line], trips[vehicle.trip])
        let times = network.times(of: route)
        let start = days[vehicle.day].offset &+ route.start(of: trip) &+ route.timeBase
        return .init(
            arrival: start &+ times.arrival(trip.timingGroup, position),
            departure: start &+ times.departure(trip.timingGroup, position))
    }

    /// Returns what riders can do at a call of a vehicle where the line allows it.
    private func usability(_ vehicle: Vehicle, at position: Int) -> JourneyRealtimeTables.Usability {
        guard vehicle.isReported, let tables = realtime?.tables else { return [.boarding, .alighting] }
        return usability[tables.time(of: vehicle.trip, in: vehicle.line, position)]
    }

    /// Returns the node and the time of a call where riders can alight; `nil` if they cannot.
    func alighting(_ vehicle: Vehicle, at position: Int) -> (node: Int, arrival: Int32)? {
        let call = call(vehicle, position)
        guard call.canAlight, usability(vehicle, at: position).contains(.alighting) else { return nil }
        return (firstNode + call.node, times(vehicle, position).arrival)
    }

    /// Whether riders can board a vehicle at a call.
    func canBoard(_ vehicle: Vehicle, at position: Int) -> Bool {
        call(vehicle, position).canBoard && usability(vehicle, at: position).contains(.boarding)
    }

    /// Whether a vehicle serves its last call, so that riders can stay for what follows.
    func canStay(_ vehicle: Vehicle) -> Bool {
        usability(vehicle, at: callCount(of: vehicle) - 1).contains(.alighting)
    }

    /// Whether trips of a route of the network may continue as others.
    @inline(__always)
    func hasContinuations(_ route: Int?) -> Bool {
        guard let route, !network.hasContinuations.isEmpty else { return false }
        return network.hasContinuations[route]
    }

    func isActive(_ service: Int, on day: Int) -> Bool {
        service < days[day].serviceCount && days[day].isActive[service]
    }

    /// Whether a trip of a route of the network is left out: replaced by realtime data about it, or not used by riders.
    @inline(__always)
    func isLeftOut(_ trip: Int, ofRoute route: Int, _ date: ServiceDate) -> Bool {
        if excludesTrips, isExcluded(trip, ofRoute: route, date) { return true }
        return isHidden(trip, ofRoute: route, date)
    }

    @inline(never)
    private func isExcluded(_ trip: Int, ofRoute route: Int, _ date: ServiceDate) -> Bool {
        exclusions?.excludes(trip, of: RouteIndex(routes[route].route)) { key(trip, ofRoute: route, date) } ?? false
    }

    /// Whether a trip of a route of the network is replaced by realtime data about it.
    @inline(__always)
    func isHidden(_ trip: Int, ofRoute route: Int, _ date: ServiceDate) -> Bool {
        guard let tables else { return false }
        let one = routes[route]
        let isRepetition = network.frequency(of: trip, in: one) >= 0
        let entry = tables.entry(of: network.reference(of: trip, in: one), date, isRepetition: isRepetition)
        guard let entry, entry.hidesScheduled else { return false }
        guard isRepetition, let realtime else { return true }
        return realtime.isHidden(network.reference(of: trip, in: one), date, isRepetition: isRepetition) {
            key(trip, ofRoute: route, date)
        }
    }

    /// Whether a vehicle may continue as another one. For one with realtime data, this is not known.
    func mayContinue(_ vehicle: Vehicle) -> Bool {
        vehicle.isReported || network.mayContinue(vehicle.trip)
    }

    /// Returns the vehicles as which a vehicle continues.
    func continuations(of vehicle: Vehicle) -> [Vehicle] {
        guard let (trip, date, day) = scheduledTrip(of: vehicle) else { return [] }
        var next: [Vehicle] = []
        network.forEachContinuation(of: trip) { other, route in
            let isRepetition = network.frequency(of: other, in: routes[route]) >= 0
            if let entry = realtime?.tables.entry(
                of: network.reference(of: other, in: routes[route]), date, isRepetition: isRepetition),
                entry.trip >= 0
            {
                if exclusions?.reportedTrips[Int(entry.trip)] == true { return }
                next.append(Vehicle(line: Int(entry.line), trip: Int(entry.trip), day: 0, isReported: true))
            } else if let day, isActive(trips[other].service, on: day), !isLeftOut(other, ofRoute: route, date) {
                next.append(Vehicle(line: route, trip: other, day: day, isReported: false))
            }
        }
        return next
    }

    /// The trip of the network that a vehicle is, its date, and the position of the date in ``days``.
    private func scheduledTrip(of vehicle: Vehicle) -> (trip: Int, date: ServiceDate, day: Int?)? {
        guard vehicle.isReported else { return (vehicle.trip, days[vehicle.day].date, vehicle.day) }
        guard let realtime, let key = realtime.key(of: vehicle.trip),
            let route = realtime.tables.lines[vehicle.line].routeOfNetwork
        else { return nil }
        for number in network.routes(of: Int(routes[route].pattern)) {
            for trip in network.trips(of: number)
            where network.reference(of: trip, in: routes[number]) == key.trip.rawValue {
                let range = days(ofRoute: routes[route].route)
                return (trip, key.serviceDate, range.first { days[$0].date == key.serviceDate })
            }
        }
        return nil
    }

    func key(_ trip: Int, ofRoute route: Int, _ date: ServiceDate) -> TripInstanceKey {
        let one = routes[route]
        return TripInstanceKey(
            pattern: PatternIndex(one.pattern), trip: TripIndex(network.reference(of: trip, in: one)),
            serviceDate: date,
            frequencyStart: network.frequency(of: trip, in: one) < 0
                ? nil : ServiceTime(seconds: one.start(of: trips[trip])))
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
            source = realtime.source(of: vehicle.trip)
            pattern = realtime.key(of: vehicle.trip)?.pattern
        } else {
            let (route, trip) = (routes[vehicle.line], trips[vehicle.trip])
            pattern = PatternIndex(route.pattern)
            source = .scheduled(
                pattern: Int(network.reference(of: vehicle.trip, in: route)),
                timingGroup: Int(route.firstTimingGroup) + trip.timingGroup,
                TripInstance(
                    trip: -1, start: route.start(of: trip), frequency: network.frequency(of: vehicle.trip, in: route)),
                ServiceDay(date: days[vehicle.day].date, start: days[vehicle.day].start))
        }
        let delay = Int64(one.delay)
        return FoundJourney.Leg(
            feed: one.feed, board: ride.board, alight: ride.alight,
            departure: base + Int64(times(vehicle, ride.board).departure) + delay,
            arrival: base + Int64(times(vehicle, ride.alight).arrival) + delay, boardStop: stop(ride.board),
            alightStop: stop(ride.alight), isContinuation: one.isContinuation, changeTime: 0, changeWalk: nil,
            isTimedTransfer: false,
            pattern: pattern, source: source)
    }
}
