import Foundation
internal import TransitEngine
internal import TransitModel
internal import TransitTestSupport

/// The cases of `RealtimeCases.json`: messages about small timetables, and what follows from them.
///
/// Times are local times in Berlin on 10 June 2026 (`06:31`, `06:31:30`, `24:10`), dates are ISO 8601, delays are
/// seconds.
struct RealtimeCaseTable: Decodable, Sendable {
    var timetables: [String: Timetable]
    var cases: [Case]

    struct Timetable: Decodable, Sendable {
        var patterns: [Line]
        /// The station of each platform.
        var stations: [String: Int]?
        /// The services by number; the default is one that runs every day.
        var services: [CaseService]?
    }

    struct CaseService: Decodable, Sendable {
        /// The only dates of the service.
        var dates: [String]
    }

    struct Line: Decodable, Sendable {
        /// Pairs of a stop and the seconds from the start.
        var calls: [[Int]]
        var starts: [String]
        var route: Int?
        var service: Int?
        var dwells: [String: Int]?
        var frequencies: [Repetition]?
    }

    struct Repetition: Decodable, Sendable {
        var from: String
        var until: String
        var headway: Int32
        var exact: Bool?
    }

    struct Case: Decodable, Sendable, CustomStringConvertible {
        var name: String
        var topic: String
        /// Why this program differs from others on purpose.
        var differs: String?
        var timetable: String
        var at: String
        var messages: [Message]
        /// The calls by trip and date.
        var calls: [String: [CaseDelay]]?
        /// The next departures by stop.
        var board: [String: [String]]?
        /// The counts of unmatched trips by cause, and of other statistics.
        var counts: [String: Int]?
        /// The trips of vehicles and their next calls.
        var vehicles: [String: String]?
        /// The subject of ``alerts``.
        var subject: Subject?
        /// The alerts about the subject at ``at``.
        var alerts: [String]?

        var description: String { name }
    }

    struct Message: Decodable, Sendable {
        var differential: Bool?
        var at: String?
        var trips: [Trip]?
        var vehicles: [Vehicle]?
        var alerts: [CaseAlert]?
        var deleted: [String]?
    }

    struct Trip: Decodable, Sendable {
        var id: String?
        var entity: String?
        var date: String?
        var start: String?
        var route: String?
        var `is`: String?
        var delay: Int32?
        var measured: String?
        var calls: [Update]?
        /// The start of a copy.
        var copy: String?
        var copyDate: String?
    }

    struct Update: Decodable, Sendable {
        var seq: UInt32?
        var stop: String?
        var arrival: CaseDelay?
        var departure: CaseDelay?
        /// The arrival and the departure.
        var late: Int32?
        var `is`: String?
        var platform: String?
    }

    struct Vehicle: Decodable, Sendable {
        var id: String
        var trip: String?
        var date: String?
        var start: String?
        var seq: UInt32?
        var stop: String?
        var status: String?
        var measured: String?
    }

    struct CaseAlert: Decodable, Sendable {
        var id: String
        var from: String?
        var until: String?
        var about: [Selector]
    }

    struct Selector: Decodable, Sendable {
        var agency: String?
        var route: String?
        var type: Int32?
        var direction: UInt8?
        var trip: String?
        var date: String?
        var start: String?
        var stop: String?
    }

    struct Subject: Decodable, Sendable {
        var agency: String?
        var route: String?
        var type: Int?
        var direction: UInt8?
        var trip: String?
        var date: String?
        var start: String?
        var stops: [String]?
    }
}

/// A delay in seconds, or a text: a time, or what is known of a call instead of a delay.
enum CaseDelay: Hashable, Sendable, Decodable, CustomStringConvertible {
    case seconds(Int32)
    case text(String)

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let seconds = try? container.decode(Int32.self) {
            self = .seconds(seconds)
        } else {
            self = .text(try container.decode(String.self))
        }
    }

    var description: String {
        switch self {
        case .seconds(let seconds): "\(seconds)"
        case .text(let text): "\"\(text)\""
        }
    }

    var event: StopTimeEvent {
        switch self {
        case .seconds(let delay): StopTimeEvent(delay: delay)
        case .text(let time): StopTimeEvent(time: RealtimeCaseTable.time(time))
        }
    }
}

// MARK: - Running a case

extension RealtimeCaseTable {
    static func read() throws -> RealtimeCaseTable {
        let path = #filePath.replacingOccurrences(of: "RealtimeCaseTable.swift", with: "RealtimeCases.json")
        return try JSONDecoder().decode(Self.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
    }

    static let today = ServiceDate(iso8601: "2026-06-10")!

    /// The seconds since midnight of a time of day.
    private static func secondsOfDay(_ text: String) -> Int {
        let parts = text.split(separator: ":").map { Int($0) ?? 0 }
        return parts[0] * 3600 + parts[1] * 60 + (parts.count > 2 ? parts[2] : 0)
    }

    static func time(_ text: String) -> Instant {
        instant("2026-06-10T00:00:00+02:00").advanced(by: secondsOfDay(text))
    }

    static func serviceTime(_ text: String) -> ServiceTime { ServiceTime(seconds: Int32(secondsOfDay(text))) }

    /// What follows from the messages of a case, in the form of the expectations of the case.
    struct Outcome {
        var calls: [String: [CaseDelay]] = [:]
        var board: [String: [String]] = [:]
        var counts: [String: Int] = [:]
        var vehicles: [String: String] = [:]
        var alerts: [String]?
    }

    func outcome(of test: Case, _ zone: ServiceZone) throws -> Outcome {
        guard let timetable = timetables[test.timetable] else {
            throw CaseError(text: "no timetable \(test.timetable)")
        }
        var scene = RealtimeScenario(zone)
        scene.now = Self.time(test.at)
        add(timetable, to: &scene)
        let matcher = TripMatcher(scene.table)
        var dataset: RealtimeDataset?
        for message in test.messages {
            let time = message.at.map(Self.time) ?? scene.now
            let header = RealtimeHeader(
                version: "2.0", incrementality: message.differential == true ? .differential : .fullDataset,
                timestamp: time)
            var builder = RealtimeDatasetBuilder(header: header, received: time, matcher: matcher, previous: dataset)
            for entity in try message.entities { try builder.apply(entity) }
            dataset = try builder.finish()
        }
        guard let dataset else { throw CaseError(text: "no message") }
        let realtime = RealtimeDatasets(tripUpdates: dataset, vehicles: dataset, alerts: dataset)
        var outcome = Outcome()
        for trip in dataset.trips where test.calls != nil {
            let start = trip.key.frequencyStart.map { " \(Self.clock($0))" } ?? ""
            let name = "t\(trip.key.trip.rawValue) \(trip.key.serviceDate)\(start)"
            outcome.calls[name] = Self.calls(of: trip, dataset, scene)
        }
        for stop in (test.board ?? [:]).keys {
            outcome.board[stop] = scene.board(
                Int(stop.dropFirst()) ?? 0, realtime, count: test.board?[stop]?.count ?? 0)
        }
        for name in (test.counts ?? [:]).keys { outcome.counts[name] = Self.count(name, dataset) }
        for vehicle in dataset.vehicles where test.vehicles != nil {
            outcome.vehicles[vehicle.position.id.rawValue] = Self.text(vehicle)
        }
        if let subject = test.subject {
            outcome.alerts = dataset.alerts.active(for: subject.subject, at: scene.now).map(\.id.rawValue)
        }
        return outcome
    }

    struct CaseError: Error { var text: String }

    private func add(_ timetable: Timetable, to scene: inout RealtimeScenario) {
        if let services = timetable.services {
            scene.timetable.services = services.enumerated().map { number, service in
                let dates = service.dates.compactMap { ServiceDate(iso8601: $0) }
                return Service(
                    id: ServiceID("service\(number)"), weekdays: 0, start: dates.min() ?? Self.today,
                    end: dates.max() ?? Self.today, added: dates)
            }
        }
        for line in timetable.patterns {
            scene.timetable.add(
                line.calls.map { (stop: $0[0], time: $0[1]) }, starts: line.starts, service: line.service ?? 0,
                route: line.route ?? 0,
                frequencies: (line.frequencies ?? []).map { row in
                    Frequency(
                        trip: 0, start: seconds(row.from), end: seconds(row.until), headway: row.headway,
                        isExact: row.exact ?? false)
                },
                dwells: Dictionary(
                    uniqueKeysWithValues: (line.dwells ?? [:]).map { (Int($0.key) ?? 0, $0.value) }))
        }
        for (platform, station) in timetable.stations ?? [:] { scene.parents[Int(platform) ?? 0] = station }
    }

    private static func clock(_ time: ServiceTime) -> String {
        let minutes = Int(time.seconds) / 60
        return "\(minutes / 60 < 10 ? "0" : "")\(minutes / 60):\(minutes % 60 < 10 ? "0" : "")\(minutes % 60)"
    }

    /// For each call the delay of its departure, with the delay of its arrival if that differs.
    private static func calls(of trip: RealtimeTrip, _ dataset: RealtimeDataset, _ scene: RealtimeScenario)
        -> [CaseDelay]
    {
        if trip.kind != .scheduled, trip.kind != .unscheduled { return [.text("\(trip.kind)")] }
        guard let place = scene.table.projection(of: trip.key.trip) else { return [] }
        let times = place.pattern.timingGroups[place.timingGroup].times
        return zip(dataset.calls(of: trip), times).map { call, planned in
            if call.isSkipped { return .text("skipped") }
            guard call.isExpected else { return .text(call.basis == .timetable ? "-" : "\(call.basis)") }
            let (early, late) = (call.arrival - planned.arrival, call.departure - planned.departure)
            let text = early == late ? "\(late)" : "\(early)/\(late)"
            if call.isContradicted { return .text(text + " contradicted") }
            return early == late ? .seconds(late) : .text(text)
        }
    }

    private static func count(_ name: String, _ dataset: RealtimeDataset) -> Int {
        let statistics = dataset.statistics
        return switch name {
        case "trips": dataset.trips.count
        case "extra": dataset.extraTrips.count
        case "alerts": dataset.alerts.alerts.count
        case "repeated": statistics.repeatedTrips
        case "unknown stops": statistics.unmatchedStops
        case "ambiguous stops": statistics.ambiguousStops
        case "refused": statistics.earlyDepartures
        case "impossible": statistics.impossibleTimes
        default: UnmatchedTrip.allCases.first { "\($0)" == name }.map { statistics.unmatchedTrips[$0] ?? 0 } ?? -1
        }
    }

    private static func text(_ vehicle: RealtimeVehicle) -> String {
        let trip = vehicle.tripInstance.map { "t\($0.trip.rawValue) \($0.serviceDate)" } ?? "no trip"
        guard let progress = vehicle.progress else { return trip }
        return "\(trip) call \(progress.call) \(progress.state)"
    }
}

extension RealtimeCaseTable.Message {
    fileprivate var entities: [RealtimeEntity] {
        get throws {
            var entities: [RealtimeEntity] = []
            for trip in trips ?? [] { entities.append(.tripUpdate(try trip.update)) }
            for vehicle in vehicles ?? [] { entities.append(.vehicle(vehicle.position)) }
            for alert in alerts ?? [] { entities.append(.alert(alert.alert)) }
            for id in deleted ?? [] { entities.append(.deleted(EntityID(id))) }
            return entities
        }
    }
}

extension RealtimeCaseTable.Trip {
    fileprivate var update: TripUpdate {
        get throws {
            let relationships: [String: TripScheduleRelationship] = [
                "scheduled": .scheduled, "added": .added, "new": .new, "canceled": .canceled, "deleted": .deleted,
                "unscheduled": .unscheduled, "replacement": .replacement, "duplicated": .duplicated,
            ]
            guard let relationship = relationships[self.is ?? "scheduled"] else {
                throw RealtimeCaseTable.CaseError(text: "no relationship \(self.is ?? "")")
            }
            let properties = copy.map { copy in
                TripProperties(
                    startDate: (copyDate ?? date).flatMap { ServiceDate(iso8601: $0) },
                    startTime: RealtimeCaseTable.serviceTime(copy))
            }
            return TripUpdate(
                id: EntityID(entity ?? "e-\(id ?? "")"),
                trip: TripDescriptor(
                    tripID: id.map { TripID($0) }, routeID: route.map { RouteID($0) },
                    startTime: start.map(RealtimeCaseTable.serviceTime),
                    startDate: date.flatMap { ServiceDate(iso8601: $0) }, relationship: relationship),
                updates: try (calls ?? []).map { try $0.update },
                timestamp: measured.map(RealtimeCaseTable.time), delay: delay, properties: properties)
        }
    }
}

extension RealtimeCaseTable.Update {
    fileprivate var update: StopTimeUpdate {
        get throws {
            let relationships: [String: StopScheduleRelationship] = [
                "scheduled": .scheduled, "skipped": .skipped, "no data": .noData, "unscheduled": .unscheduled,
            ]
            guard let relationship = relationships[self.is ?? "scheduled"] else {
                throw RealtimeCaseTable.CaseError(text: "no relationship \(self.is ?? "")")
            }
            let both = late.map { StopTimeEvent(delay: $0) }
            return StopTimeUpdate(
                sequence: seq, stopID: stop.map { StopID($0) }, arrival: arrival?.event ?? both,
                departure: departure?.event ?? both, relationship: relationship,
                assignedStopID: platform.map { StopID($0) })
        }
    }
}

extension RealtimeCaseTable.Vehicle {
    fileprivate var position: VehiclePosition {
        let statuses: [String: VehicleStopStatus] = [
            "incoming": .incomingAt, "stopped": .stoppedAt, "in transit": .inTransitTo,
        ]
        return VehiclePosition(
            id: EntityID(id),
            trip: trip.map {
                TripDescriptor(
                    tripID: TripID($0), startTime: start.map(RealtimeCaseTable.serviceTime),
                    startDate: date.flatMap { ServiceDate(iso8601: $0) })
            },
            currentSequence: seq, stopID: stop.map { StopID($0) },
            status: status.flatMap { statuses[$0] } ?? .inTransitTo,
            timestamp: measured.map(RealtimeCaseTable.time))
    }
}

extension RealtimeCaseTable.CaseAlert {
    fileprivate var alert: Alert {
        let hasPeriod = from != nil || until != nil
        return Alert(
            id: EntityID(id),
            activePeriods: hasPeriod
                ? [Alert.ActivePeriod(start: from.map(RealtimeCaseTable.time), end: until.map(RealtimeCaseTable.time))]
                : [],
            informed: about.map { selector in
                let names = selector.trip != nil || selector.date != nil || selector.start != nil
                return InformedEntity(
                    agencyID: selector.agency.map { AgencyID($0) }, routeID: selector.route.map { RouteID($0) },
                    routeType: selector.type, direction: selector.direction.flatMap { Direction(rawValue: $0) },
                    trip: names
                        ? TripDescriptor(
                            tripID: selector.trip.map { TripID($0) },
                            startTime: selector.start.map(RealtimeCaseTable.serviceTime),
                            startDate: selector.date.flatMap { ServiceDate(iso8601: $0) }) : nil,
                    stopID: selector.stop.map { StopID($0) })
            })
    }
}

extension RealtimeCaseTable.Subject {
    fileprivate var subject: AlertIndex.Subject {
        AlertIndex.Subject(
            agency: agency.map { AgencyID($0) }, route: route.map { RouteID($0) }, routeType: type,
            direction: direction.flatMap { Direction(rawValue: $0) }, trip: trip.map { TripID($0) },
            serviceDate: date.flatMap { ServiceDate(iso8601: $0) },
            startTime: start.map(RealtimeCaseTable.serviceTime), stops: (stops ?? []).map { StopID($0) })
    }
}
