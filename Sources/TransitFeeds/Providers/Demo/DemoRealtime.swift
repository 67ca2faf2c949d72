public import TransitModel

/// The realtime data of the demo city at one time: some trips late, some on time, some canceled, some without realtime
/// data, one vehicle without a prediction, and an extra tram.
///
/// The data is a pure function of the time. The data of a trip changes only as its vehicle moves, so a repeated request
/// returns what a real source would.
public struct DemoRealtime: Sendable {
    public var header: RealtimeHeader
    public var tripUpdates: [RealtimeEntity] = []
    public var vehicles: [RealtimeEntity] = []
    public var alerts: [RealtimeEntity] = []

    /// How long before its start a trip first appears, in seconds.
    static let horizon = 3 * 3600
    /// How long a trip remains after its end, in seconds.
    private static let lingerAfterEnd = 120

    private let now: Instant
    private let zone: ServiceZone
    private let city: DemoCity

    /// - Parameter zone: The time zone that ``DemoCity/zone`` names.
    public init(_ city: DemoCity, at now: Instant, zone: ServiceZone) {
        self.city = city
        self.now = now
        self.zone = zone
        header = RealtimeHeader(version: "2.0", incrementality: .fullDataset, timestamp: now)
        for run in runs() { add(run) }
        for start in extraTrams() { add(extraTram: start) }
        alerts = Self.alerts
    }
}

extension DemoRealtime {
    /// Returns the GTFS-Realtime message of a dataset, as a source would send it. The result is empty for a dataset
    /// without such a message, such as the timetable.
    public func message(_ dataset: DatasetKind) -> [UInt8] {
        switch dataset {
        case .tripUpdates: RealtimeWriter.bytes(header, tripUpdates)
        case .vehicles: RealtimeWriter.bytes(header, vehicles)
        case .alerts: RealtimeWriter.bytes(header, alerts)
        case .static, .arrivals, .weather, .events, .catalog: []
        }
    }
}

// MARK: - Scheduled trips

extension DemoRealtime {
    /// A trip on a service date.
    private struct Run {
        var trip: DemoTrip
        var date: ServiceDate
        var start: Instant
        var calls: [DemoCall]
        var state: DemoTripState

        /// The identifier of the trip's entities, unique in the message.
        var name: String { "\(trip.id) \(date)" }
    }

    /// The trips that are running or start soon.
    private func runs() -> [Run] {
        let today = zone.civil(at: now).date
        let trips = DemoCity.fixedTrips
        return (-1...1).flatMap { days -> [Run] in
            let date = today.advanced(by: days)
            let service = city.service(on: date)
            let dayStart = zone.serviceDayStart(date)
            return trips.filter { $0.service == service }.compactMap { trip in
                let start = dayStart.advanced(by: trip.start)
                let calls = trip.line.calls
                let state = DemoTripState(trip)
                let end = start.advanced(by: (calls.last?.arrival ?? 0) + (state.delay ?? 0) + Self.lingerAfterEnd)
                guard start <= now.advanced(by: Self.horizon), now <= end else { return nil }
                return Run(trip: trip, date: date, start: start, calls: calls, state: state)
            }
        }
    }

    private mutating func add(_ run: Run) {
        let descriptor = TripDescriptor(
            tripID: TripID(run.trip.id), routeID: RouteID(run.trip.line.route),
            direction: run.trip.line.direction == 0 ? .zero : .one, startDate: run.date,
            relationship: run.state == .canceled ? .canceled : .scheduled)
        let vehicle = VehicleDescriptor(
            id: VehicleID("\(run.trip.line.id)-\(run.trip.ordinal % 40 + 1)"), label: "\(run.trip.ordinal % 40 + 1)")
        switch run.state {
        case .untracked: return
        case .canceled:
            tripUpdates.append(
                .tripUpdate(TripUpdate(id: EntityID(run.name), trip: descriptor, timestamp: now)))
            return
        case .onTime, .late:
            tripUpdates.append(
                .tripUpdate(
                    TripUpdate(
                        id: EntityID(run.name), trip: descriptor, vehicle: vehicle, updates: updates(run),
                        timestamp: now)))
        case .vehicleOnly: break
        }
        if let position = position(run, descriptor, vehicle) { vehicles.append(.vehicle(position)) }
    }

    /// Returns the update of the next call. Later calls need no update, because the delay propagates to them.
    private func updates(_ run: Run) -> [StopTimeUpdate] {
        let delay = run.state.delay ?? 0
        let next = run.calls.first { run.start.advanced(by: $0.departure + delay) >= now } ?? run.calls.last
        guard let next else { return [] }
        let event = StopTimeEvent(
            time: run.start.advanced(by: next.departure + delay), delay: Int32(delay), uncertainty: 30)
        let isFirst = next.sequence == 1
        return [
            StopTimeUpdate(
                sequence: UInt32(next.sequence), stopID: StopID(next.stop),
                arrival: isFirst
                    ? nil
                    : StopTimeEvent(
                        time: run.start.advanced(by: next.arrival + delay), delay: Int32(delay), uncertainty: 30),
                departure: next.sequence == run.calls.count ? nil : event)
        ]
    }

    /// Returns a position on the straight line between two stops; `nil` before the start and after the end.
    private func position(
        _ run: Run, _ descriptor: TripDescriptor, _ vehicle: VehicleDescriptor
    ) -> VehiclePosition? {
        let elapsed = run.start.seconds(to: now) - (run.state.delay ?? 0)
        guard elapsed >= 0, let next = run.calls.firstIndex(where: { $0.departure >= elapsed }) else { return nil }
        let call = run.calls[next]
        guard let stopCoordinate = DemoCity.coordinate(of: call.stop) else { return nil }
        var place = stopCoordinate
        var status = VehicleStopStatus.stoppedAt
        if elapsed < call.arrival, next > 0, let previousStop = DemoCity.coordinate(of: run.calls[next - 1].stop) {
            let lastDeparture = run.calls[next - 1].departure
            let share = Double(elapsed - lastDeparture) / Double(max(1, call.arrival - lastDeparture))
            place = previousStop.between(stopCoordinate, share: share) ?? stopCoordinate
            status = share > 0.85 ? .incomingAt : .inTransitTo
        }
        let occupancies: [Occupancy] = [.manySeatsAvailable, .fewSeatsAvailable, .standingRoomOnly]
        return VehiclePosition(
            id: EntityID("vehicle " + run.name), trip: descriptor, vehicle: vehicle, coordinate: place,
            speed: status == .stoppedAt ? 0 : 8, currentSequence: UInt32(call.sequence), stopID: StopID(call.stop),
            status: status, timestamp: now, occupancy: occupancies[run.trip.ordinal % occupancies.count])
    }
}

// MARK: - Extra trips

extension DemoRealtime {
    /// Extra trams toward the Technology Park leave at 7, 27 and 47 minutes past every hour.
    private static let extraHeadway: Int64 = 1200
    private static let extraOffset: Int64 = 420

    /// The start times of the extra trams that are running and of the next ones. No trip takes longer than the headway.
    private func extraTrams() -> [Instant] {
        let since = now.secondsSince1970 - Self.extraOffset
        let first = since - since % Self.extraHeadway + Self.extraOffset
        return (0...3).map { Instant(secondsSince1970: first + $0 * Self.extraHeadway) }
    }

    private mutating func add(extraTram start: Instant) {
        guard let line = DemoCity.lines.first else { return }
        let last = line.stops.count
        let updates = line.calls.map { call in
            StopTimeUpdate(
                sequence: UInt32(call.sequence), stopID: StopID(call.stop),
                arrival: call.sequence == 1 ? nil : StopTimeEvent(time: start.advanced(by: call.arrival)),
                departure: call.sequence == last ? nil : StopTimeEvent(time: start.advanced(by: call.departure)))
        }
        let number = start.secondsSince1970 / Self.extraHeadway
        let descriptor = TripDescriptor(
            tripID: TripID("extra-\(number)"), routeID: RouteID(line.route), direction: .zero,
            startDate: zone.civil(at: start).date, relationship: .added)
        tripUpdates.append(
            .tripUpdate(
                TripUpdate(id: EntityID("extra \(number)"), trip: descriptor, updates: updates, timestamp: now)))
    }

    private static var alerts: [RealtimeEntity] {
        [
            .alert(
                Alert(
                    id: "works", informed: [InformedEntity(routeID: "bus-12")], cause: .construction, effect: .detour,
                    severity: .warning,
                    header: TranslatedText([
                        .init("Bus 12 is not running on Castle Street", language: "en"),
                        .init("Bus 12 fährt nicht durch die Schlossstraße", language: "de"),
                    ]),
                    description: TranslatedText([
                        .init("Construction on the bridge. Allow a few extra minutes.", language: "en"),
                        .init("Brückenarbeiten. Bitte einige Minuten mehr einplanen.", language: "de"),
                    ]))),
            .alert(
                Alert(
                    id: "lift", informed: [InformedEntity(stopID: "central")], cause: .maintenance,
                    effect: .accessibilityIssue, severity: .info,
                    header: TranslatedText([
                        .init("The elevator at Central Station is out of order", language: "en"),
                        .init("Der Aufzug am Hauptbahnhof ist außer Betrieb", language: "de"),
                    ]))),
        ]
    }
}

/// The state of a trip of the demo city. Six consecutive trips of a line cover all states.
enum DemoTripState: Hashable {
    /// Seconds.
    case late(Int)
    case onTime
    case canceled
    /// No realtime data; only the timetable is known.
    case untracked
    /// A vehicle position without a prediction. The associated value is the trip's delay in seconds.
    case vehicleOnly(Int)

    init(_ trip: DemoTrip) {
        switch (trip.ordinal + trip.line.direction) % 6 {
        case 0: self = .late(180)
        case 1: self = .onTime
        case 2: self = .canceled
        case 3: self = .untracked
        case 4: self = .late(420)
        default: self = .vehicleOnly(120)
        }
    }

    /// The delay in seconds; `nil` for a trip that is untracked or canceled.
    var delay: Int? {
        switch self {
        case .late(let seconds), .vehicleOnly(let seconds): seconds
        case .onTime: 0
        case .canceled, .untracked: nil
        }
    }
}

extension DemoCity {
    static func coordinate(of stop: String) -> Coordinate? {
        stopList.first { $0.id == stop }.flatMap { Coordinate(latitude: $0.latitude, longitude: $0.longitude) }
    }

    /// Returns the service of a date, as in the city's calendar.txt and calendar_dates.txt.
    func service(on date: ServiceDate) -> DemoService {
        let day = date.components
        let isHoliday = (day.month, day.day) == (1, 1) || (day.month, day.day) == (12, 25)
        return isHoliday || date.weekday == .saturday || date.weekday == .sunday ? .weekend : .weekday
    }
}

extension Coordinate {
    /// Returns the point at a fraction of the distance to another point, for distances short enough to treat the Earth
    /// as flat.
    fileprivate func between(_ other: Coordinate, share: Double) -> Coordinate? {
        Coordinate(
            latitude: latitude + (other.latitude - latitude) * share,
            longitude: longitude + (other.longitude - longitude) * share)
    }
}
