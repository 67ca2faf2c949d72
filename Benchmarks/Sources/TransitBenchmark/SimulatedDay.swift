import Glibc
import TransitFeeds
import TransitModel
import TransitStore

/// A simulated day: when the vehicles of a planned day really arrive and leave, and what their agency predicts meanwhile.
///
/// The model was written down before any change was judged with it. All numbers follow from a seed. Times are in seconds.
///
/// **What happens**
/// - A factor of the day scales what delays vehicles: 0.7 on six of ten days, 1 on three, and 2 on one.
/// - Half of the trips leave their first stop on time. 46 of 100 leave late by an exponentially distributed time with a
///   mean of 60, scaled, and 4 of 100 by 300 to 1200.
/// - A trip is slower or faster than planned by a normally distributed share with a standard deviation of 3 %, and on each
///   leg by another one of 8 %. Each stop takes an exponentially distributed additional time with a mean of 5, scaled.
/// - On one leg of a hundred, scaled, the vehicle is held up for an exponentially distributed time with a mean of 240.
/// - A late vehicle recovers up to 5 % of each leg, and half of its planned time at a stop. No vehicle leaves a stop with
///   an exact time before that time, or another stop more than 60 before its time.
/// - 15 trips of 1000, scaled, are canceled. One half of them is announced 15 to 60 minutes before the start. The
///   others break down at a random call and are announced as canceled two minutes later.
///
/// **What the agency predicts**
/// - A message each minute has the trips from 30 minutes before their start on, with the times of all calls that they have
///   not left. It states no uncertainties.
/// - The agency knows the events of each vehicle as of 0 to 45 seconds before the message. It predicts that the delay at
///   the last known event persists, with a normally distributed error of 15 for each trip and message, that nothing leaves
///   before the earliest time above, and that an event that should have happened happens now.
struct SimulatedDay {
    /// The seconds between two messages.
    static let interval = 60
    private static let announcedAhead = 1800

    /// What happens to a trip.
    private struct Course {
        /// Seconds since 1970.
        var arrivals: [Int64] = []
        var departures: [Int64] = []
        /// When the agency announces that the trip is canceled; `nil` if it runs to its last stop.
        var announced: Int64?
        /// The number of calls that the vehicle serves.
        var served: Int
        var id: TripID
    }

    private let day: PlannedDay
    private var courses: [Course] = []
    /// The times of the first and the last message, in seconds since 1970.
    private let times: Range<Int64>
    private let stops: [StopID]
    private let seed: UInt64

    /// - Parameter stops: The identifiers of all stops.
    init(_ day: PlannedDay, seed: UInt64, stops: [StopID], _ file: TimetableFile) throws {
        self.day = day
        self.stops = stops
        self.seed = SimulationRandom.mixed(seed, UInt64(bitPattern: Int64(day.date.daysSince1970)))
        var random = SimulationRandom(seed: self.seed)
        let draw = random.share()
        let factor = draw < 0.6 ? 0.7 : draw < 0.9 ? 1.0 : 2.0
        var (first, last) = (Int64.max, Int64.min)
        for (number, trip) in day.trips.enumerated() {
            var random = SimulationRandom(seed: SimulationRandom.mixed(self.seed, UInt64(number + 1)))
            let course = Self.course(of: trip, id: try file.trip(trip.index).id, factor, &random)
            first = min(first, trip.start.secondsSince1970)
            last = max(last, course.departures.last ?? first)
            courses.append(course)
        }
        times = first <= last ? first - 3600..<last + 1 : 0..<0
    }

    /// The arrival and the departure that really take place; `nil` if the vehicle does not serve the call.
    func actual(_ call: PlannedDay.Call) -> (arrival: Int, departure: Int)? {
        let course = courses[call.trip]
        guard call.position < course.served else { return nil }
        return (Int(course.arrivals[call.position]), Int(course.departures[call.position]))
    }

    // MARK: What happens

    /// The earliest departure from a call, in seconds since 1970.
    private static func earliest(_ trip: PlannedDay.Trip, _ call: Int) -> Int64 {
        let planned = trip.departure(call).secondsSince1970
        let isExact = call == 0 || trip.pattern.times(timingGroup: trip.timingGroup, call: call).isExact
        return isExact ? planned : planned - 60
    }

    private static func course(
        of trip: PlannedDay.Trip, id: TripID, _ factor: Double, _ random: inout SimulationRandom
    ) -> Course {
        let calls = trip.arrivals.count
        var course = Course(served: calls, id: id)
        let slowness = random.normal() * 0.03
        var time = Double(trip.departure(0).secondsSince1970) + startDelay(factor, &random)
        course.arrivals.append(trip.arrival(0).secondsSince1970)
        course.departures.append(Int64(time))
        for call in 1..<max(1, calls) {
            let leg = Double(trip.arrivals[call] - trip.departures[call - 1])
            let late = time - Double(trip.departure(call - 1).secondsSince1970)
            var running = leg * max(0.5, 1 + slowness + random.normal() * 0.08)
            running -= min(max(0, late), leg * 0.05)
            if random.share() < 0.01 * factor { running += random.exponential(240) }
            time += max(1, running)
            course.arrivals.append(Int64(time))
            let planned = Double(trip.departures[call] - trip.arrivals[call])
            let isLate = time > Double(trip.arrival(call).secondsSince1970)
            time += (isLate ? planned / 2 : planned) + random.exponential(5 * factor)
            time = max(time, Double(earliest(trip, call)))
            course.departures.append(Int64(time))
        }
        cancel(&course, trip, factor, &random)
        return course
    }

    private static func startDelay(_ factor: Double, _ random: inout SimulationRandom) -> Double {
        let draw = random.share()
        if draw < 0.5 { return 0 }
        return draw < 0.96 ? random.exponential(60 * factor) : 300 + random.share() * 900
    }

    private static func cancel(
        _ course: inout Course, _ trip: PlannedDay.Trip, _ factor: Double, _ random: inout SimulationRandom
    ) {
        guard random.share() < 0.015 * factor else { return }
        if random.share() < 0.5 {
            course.served = 0
            course.announced = trip.start.secondsSince1970 - 900 - Int64(random.share() * 2700)
        } else {
            course.served = Int(random.share() * Double(course.arrivals.count))
            course.announced = (course.served == 0 ? course.departures[0] : course.departures[course.served - 1]) + 120
        }
    }

    // MARK: What the agency predicts

    /// Calls `body` with each message of the day.
    func forEachMessage(_ body: ([UInt8]) throws -> Void) throws {
        for now in stride(from: times.lowerBound, to: times.upperBound, by: Self.interval) {
            let header = RealtimeHeader(version: "2.0", timestamp: Instant(secondsSince1970: now))
            var writer = RealtimeWriter(header)
            for number in courses.indices {
                if let update = update(number, at: now) { writer.append(.tripUpdate(update)) }
            }
            try body(writer.bytes)
        }
    }

    private func update(_ number: Int, at now: Int64) -> TripUpdate? {
        let (trip, course) = (day.trips[number], courses[number])
        let isAnnounced = course.announced.map { $0 <= now } ?? false
        guard now >= trip.start.secondsSince1970 - Int64(Self.announcedAhead) || isAnnounced,
            now <= (course.departures.last ?? now) + (isAnnounced ? 1800 : 0)
        else { return nil }
        var descriptor = TripDescriptor(tripID: course.id, startDate: day.date)
        if isAnnounced { descriptor.relationship = .canceled }
        var update = TripUpdate(
            id: EntityID("\(number)"), trip: descriptor, timestamp: Instant(secondsSince1970: now))
        if !isAnnounced { update.updates = predictions(number, at: now) }
        return isAnnounced || !update.updates.isEmpty ? update : nil
    }

    private func predictions(_ number: Int, at now: Int64) -> [StopTimeUpdate] {
        let (trip, course) = (day.trips[number], courses[number])
        let draw = SimulationRandom.mixed(seed, UInt64(bitPattern: now) &* 100_003 &+ UInt64(number))
        var random = SimulationRandom(seed: draw)
        let known = now - Int64(random.share() * 45)
        let error = random.normal() * 15
        // The first call whose departure is not known to have happened.
        let next = course.departures.indices.first { $0 >= course.served || course.departures[$0] > known }
        guard let next else { return [] }
        let isThere = next > 0 && next < course.served && course.arrivals[next] <= known
        var delay = 0.0
        if isThere {
            delay = Double(course.arrivals[next] - trip.arrival(next).secondsSince1970)
        } else if next > 0 {
            delay = Double(course.departures[next - 1] - trip.departure(next - 1).secondsSince1970) + error
        }
        var earliest = now
        return (next..<course.departures.count).map { call in
            var arrival = trip.arrival(call).secondsSince1970 + Int64(delay)
            arrival = isThere && call == next ? course.arrivals[call] : max(arrival, earliest)
            let dwell = Int64(trip.departures[call] - trip.arrivals[call])
            var departure = max(trip.departure(call).secondsSince1970 + Int64(delay), Self.earliest(trip, call), now)
            departure = max(departure, delay > 0 ? arrival : arrival + dwell)
            (earliest, delay) = (departure, max(delay, Double(departure - trip.departure(call).secondsSince1970)))
            return StopTimeUpdate(
                sequence: trip.pattern.sequence(at: call), stopID: stops[trip.pattern.stop(at: call).position],
                arrival: StopTimeEvent(time: Instant(secondsSince1970: arrival)),
                departure: StopTimeEvent(time: Instant(secondsSince1970: departure)))
        }
    }
}

/// A reproducible pseudorandom number generator (SplitMix64) with the distributions of ``SimulatedDay``.
struct SimulationRandom {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// Returns a seed that depends on both numbers.
    static func mixed(_ seed: UInt64, _ number: UInt64) -> UInt64 {
        var random = Self(seed: seed ^ number &* 0xD1B5_4A32_D192_ED03)
        return random.next()
    }

    private mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Returns a number of at least 0 and less than 1.
    mutating func share() -> Double { Double(next() >> 11) / 9_007_199_254_740_992 }

    mutating func exponential(_ mean: Double) -> Double { -mean * log(1 - share()) }

    /// Returns a number with a mean of 0 and a standard deviation of 1.
    mutating func normal() -> Double {
        let radius = (-2 * log(1 - share())).squareRoot()
        return radius * cos(2 * .pi * share())
    }
}
