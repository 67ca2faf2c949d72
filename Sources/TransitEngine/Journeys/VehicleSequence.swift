internal import TransitModel

/// Vehicles with the same calls, none of which overtakes another, in their order.
protocol VehicleSequence {
    /// The number after the last vehicle, which also stands for no vehicle.
    var end: Int { get }

    /// The times at a call, in seconds from the start of the search.
    func arrival(_ vehicle: Int, _ position: Int) -> Int32
    func departure(_ vehicle: Int, _ position: Int) -> Int32

    /// Whether riders can alight from a vehicle at a call where the line allows it.
    func canAlight(_ vehicle: Int, _ position: Int) -> Bool

    /// Whether a vehicle runs and riders can board it at a call where the line allows it.
    func canBoard(_ vehicle: Int, _ position: Int) -> Bool

    /// Whether a vehicle may leave a call before `time`, and be under way after riders set out.
    func mayRun(leave: Int32, before time: Int32) -> Bool

    /// Returns the first vehicle from `first` to before `limit` that riders can board; `limit` if there is none.
    func firstToBoard(at position: Int, from first: Int, before limit: Int) -> Int

    /// The vehicles that are searched.
    var vehicles: Range<Int> { get }

    /// Whether a vehicle that riders can board at one call can be boarded at all calls.
    var boardsEverywhere: Bool { get }

    /// The route of the network whose calls the vehicles have; `nil` if they have calls of their own.
    var line: Int? { get }

    /// The number of calls of each vehicle.
    var callCount: Int { get }

    func vehicle(_ number: Int) -> Vehicle
}

extension VehicleSequence {
    var end: Int { vehicles.upperBound }

    /// Returns the first vehicle before `limit` that leaves a call at `time` or later and that riders can board; `limit` if
    /// there is none.
    @inline(__always)
    func earliest(at position: Int, from time: Int32, before limit: Int) -> Int {
        var (low, high) = (vehicles.lowerBound, limit)
        if limit < end {
            // The vehicle is usually the one before `limit`, or none.
            var step = 1
            while low < high {
                let vehicle = max(low, high - step)
                if departure(vehicle, position) < time {
                    low = vehicle + 1
                    break
                }
                high = vehicle
                step *= 2
            }
        }
        while low < high {
            let middle = (low + high) / 2
            if departure(middle, position) < time { low = middle + 1 } else { high = middle }
        }
        return firstToBoard(at: position, from: low, before: limit)
    }

    @inline(__always)
    func firstToBoard(at position: Int, from first: Int, before limit: Int) -> Int {
        var vehicle = first
        while vehicle < limit, !canBoard(vehicle, position) { vehicle += 1 }
        return vehicle
    }

    /// Returns the first vehicle after another one that leaves a call at `time` or later and that riders can board.
    func earliest(at position: Int, from time: Int32, after previous: Int) -> Int {
        guard previous != end else { return earliest(at: position, from: time, before: end) }
        var next = previous + 1
        while next < end, departure(next, position) < time || !canBoard(next, position) { next += 1 }
        return next
    }
}

/// The trips of a route of the network on one service day.
struct ScheduledVehicles: VehicleSequence {
    let vehicles: Range<Int>
    private let trips: UnsafeBufferPointer<JourneyNetwork.Trip>
    private let times: JourneyRunningTimes
    let callCount: Int
    /// What is added to the starts and the running times.
    private let offset: Int32
    private let startUnit: Int32
    private let route: Int
    var line: Int? { route }
    var boardsEverywhere: Bool { true }
    private let day: SearchedFeed.Day
    private let leavesTripsOut: Bool
    private let idle: UnsafeMutablePointer<(first: Int32, end: Int32)>
    private unowned(unsafe) let feed: SearchedFeed

    @inline(__always)
    init(_ feed: SearchedFeed, route: Int, day: SearchedFeed.Day) {
        let one = feed.routes[route]
        vehicles = Int(one.firstTrip)..<Int(feed.routes[route &+ 1].firstTrip)
        trips = feed.trips
        times = feed.network.times(of: one)
        callCount = Int(one.callCount)
        offset = day.offset &+ one.start &+ one.timeBase
        startUnit = one.startUnit
        self.route = route
        self.day = day
        leavesTripsOut = feed.leavesTripsOut
        idle = feed.idleTrips + (route &* feed.days.count &+ day.number)
        self.feed = feed
    }

    @inline(__always)
    func mayRun(leave: Int32, before time: Int32) -> Bool {
        if vehicles.isEmpty { return false }
        return departure(vehicles.lowerBound, 0) < time && arrival(vehicles.upperBound - 1, callCount - 1) >= leave
    }

    @inline(__always)
    func arrival(_ vehicle: Int, _ position: Int) -> Int32 {
        let trip = trips[vehicle]
        return offset &+ startUnit &* Int32(trip.start) &+ times.arrival(trip.timingGroup, position)
    }

    @inline(__always)
    func departure(_ vehicle: Int, _ position: Int) -> Int32 {
        let trip = trips[vehicle]
        return offset &+ startUnit &* Int32(trip.start) &+ times.departure(trip.timingGroup, position)
    }

    @inline(__always)
    func canAlight(_ vehicle: Int, _ position: Int) -> Bool { true }

    @inline(__always)
    func canBoard(_ vehicle: Int, _ position: Int) -> Bool {
        let service = trips[vehicle].service
        guard service < day.serviceCount, day.isActive[service] else { return false }
        return !leavesTripsOut || !feed.isLeftOut(vehicle, ofRoute: route, day.date)
    }

    /// Remembers the trips that do not run, because most trips of a day may be replaced by realtime data.
    @inline(__always)
    func firstToBoard(at position: Int, from first: Int, before limit: Int) -> Int {
        var vehicle = first
        while vehicle < limit {
            if vehicle >= Int(idle.pointee.first), vehicle < Int(idle.pointee.end) {
                vehicle = Int(idle.pointee.end)
                continue
            }
            if canBoard(vehicle, position) { break }
            vehicle += 1
        }
        vehicle = min(vehicle, limit)
        if vehicle > first + 1 { idle.pointee = (Int32(truncatingIfNeeded: first), Int32(truncatingIfNeeded: vehicle)) }
        return vehicle
    }

    @inline(__always)
    func vehicle(_ number: Int) -> Vehicle {
        Vehicle(line: route, trip: number, day: day.number, isReported: false)
    }
}

/// The trips of a line with realtime data.
struct ReportedVehicles: VehicleSequence {
    let vehicles: Range<Int>
    private let route: Int
    var line: Int? { route < 0 ? nil : route }
    var boardsEverywhere: Bool { false }
    private let times: UnsafeBufferPointer<JourneyNetwork.Times>
    private let usability: UnsafeBufferPointer<JourneyRealtimeTables.Usability>
    private let firstTime: Int
    let callCount: Int
    private let number: Int
    private let offset: Int32
    private let earliest: Int32
    private let latest: Int32

    @inline(__always)
    init(_ feed: SearchedFeed, _ tables: JourneyRealtimeTables, line number: Int) {
        let line = tables.lines[number]
        vehicles = line.trips
        route = Int(line.route)
        callCount = Int(line.callCount)
        times = tables.times
        usability = feed.usability
        firstTime = Int(line.firstTime)
        self.number = number
        offset = feed.realtimeOffset
        earliest = line.earliest
        latest = line.latest
    }

    @inline(__always)
    func mayRun(leave: Int32, before time: Int32) -> Bool {
        offset &+ earliest < time && offset &+ latest >= leave
    }

    @inline(__always)
    private func index(_ vehicle: Int, _ position: Int) -> Int {
        firstTime &+ (vehicle &- vehicles.lowerBound) &* callCount &+ position
    }

    @inline(__always)
    func arrival(_ vehicle: Int, _ position: Int) -> Int32 { offset &+ times[index(vehicle, position)].arrival }

    @inline(__always)
    func departure(_ vehicle: Int, _ position: Int) -> Int32 { offset &+ times[index(vehicle, position)].departure }

    @inline(__always)
    func canAlight(_ vehicle: Int, _ position: Int) -> Bool {
        usability[index(vehicle, position)].contains(.alighting)
    }

    @inline(__always)
    func canBoard(_ vehicle: Int, _ position: Int) -> Bool {
        usability[index(vehicle, position)].contains(.boarding)
    }

    @inline(__always)
    func vehicle(_ number: Int) -> Vehicle { Vehicle(line: self.number, trip: number, day: 0, isReported: true) }
}
