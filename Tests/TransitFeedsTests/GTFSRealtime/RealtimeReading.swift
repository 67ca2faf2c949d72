import TransitFeeds
import TransitModel

/// A message that was read completely.
struct RealtimeReading: Hashable {
    var header: RealtimeHeader
    var entities: [RealtimeEntity] = []
    var problems = RealtimeProblems()

    init(_ bytes: [UInt8]) throws(FeedError) {
        let reader = try RealtimeReader(bytes)
        header = reader.header
        problems = reader.read { entities.append($0) }
    }

    init(_ message: any RealtimeMessage) {
        header = message.header
        problems = message.read { entities.append($0) }
    }

    init(json: String) throws(FeedError) { try self.init(Array(json.utf8)) }

    var updates: [TripUpdate] { entities.compactMap { if case .tripUpdate(let update) = $0 { update } else { nil } } }
    var vehicles: [VehiclePosition] { entities.compactMap { if case .vehicle(let value) = $0 { value } else { nil } } }
    var alerts: [Alert] { entities.compactMap { if case .alert(let alert) = $0 { alert } else { nil } } }
}

/// A message that has all fields of the model.
enum FullMessage {
    static let header = RealtimeHeader(
        version: "2.0", incrementality: .differential, timestamp: Instant(secondsSince1970: 1_781_700_000),
        feedVersion: "2026-06")

    static let entities: [RealtimeEntity] = [
        .tripUpdate(tripUpdate), .vehicle(vehicle), .alert(alert), .deleted("old"),
    ]

    static var bytes: [UInt8] { RealtimeWriter.bytes(header, entities) }

    static let tripUpdate = TripUpdate(
        id: "update 1",
        trip: TripDescriptor(
            tripID: "trip", routeID: "route", direction: .one, startTime: ServiceTime(seconds: 90_061),
            startDate: ServiceDate(daysSince1970: 20_621), relationship: .duplicated),
        vehicle: VehicleDescriptor(id: "4711", label: "Wagen 4711", licensePlate: "AB 12", wheelchair: .notPossible),
        updates: [
            StopTimeUpdate(
                sequence: 3, stopID: "a stop with a long identifier",
                arrival: StopTimeEvent(time: Instant(secondsSince1970: 1_781_700_300), delay: -60, uncertainty: 0),
                departure: StopTimeEvent(
                    time: Instant(secondsSince1970: 1_781_700_330), delay: 30,
                    scheduledTime: Instant(secondsSince1970: 1_781_700_300)),
                assignedStopID: "Gleis 7", departureOccupancy: .fewSeatsAvailable),
            StopTimeUpdate(sequence: 4, stopID: "ö", relationship: .skipped),
            StopTimeUpdate(stopID: "b", relationship: .noData),
            StopTimeUpdate(sequence: .max, arrival: StopTimeEvent(delay: .min), relationship: .unscheduled),
        ],
        timestamp: Instant(secondsSince1970: 1_781_699_990), delay: -5,
        properties: TripProperties(
            tripID: "copy", startDate: ServiceDate(daysSince1970: 20_622), startTime: ServiceTime(seconds: 3_600),
            shapeID: "shape", headsign: "Zoo", shortName: "17"))

    static let vehicle = VehiclePosition(
        id: "position 1", trip: TripDescriptor(tripID: "trip", relationship: .new),
        vehicle: VehicleDescriptor(id: "4711"), coordinate: Coordinate(latitude: 52.5, longitude: -13.25),
        bearing: 270, speed: 12.5, currentSequence: 4, stopID: "ö", status: .stoppedAt,
        timestamp: Instant(secondsSince1970: 1_781_699_999), occupancy: .notBoardable, occupancyPercentage: 130)

    static let alert = Alert(
        id: "alert 1",
        activePeriods: [
            .init(start: Instant(secondsSince1970: 1_781_000_000), end: Instant(secondsSince1970: 1_782_000_000)),
            .init(start: Instant(secondsSince1970: 1_783_000_000)),
        ],
        informed: [
            InformedEntity(agencyID: "agency", routeID: "route", routeType: 3, direction: .zero, stopID: "a"),
            InformedEntity(trip: TripDescriptor(tripID: "trip", relationship: .canceled)),
        ],
        cause: .specialEvent, effect: .accessibilityIssue, severity: .severe,
        url: TranslatedText([.init("https://example.org/1")]),
        header: TranslatedText([.init("Fest", language: "de"), .init("Festival", language: "en")]),
        description: TranslatedText([.init("Der Aufzug geht nicht.", language: "de")]))
}
