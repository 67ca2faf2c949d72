import SwiftProtobuf
import TransitModel

/// Decodes a message with SwiftProtobuf from the schema and converts it to the model with independent code.
struct ReferenceDecoder {
    var header: RealtimeHeader
    var entities: [RealtimeEntity] = []

    /// Required fields may be missing, as in the decoder under test.
    init(_ bytes: [UInt8]) throws {
        let message = try TransitRealtime_FeedMessage(serializedBytes: bytes, partial: true)
        header = RealtimeHeader(message.header)
        for entity in message.entity { entities += RealtimeEntity.all(of: entity) }
    }
}

extension RealtimeHeader {
    init(_ header: TransitRealtime_FeedHeader) {
        self.init(
            version: header.gtfsRealtimeVersion.nonEmpty,
            incrementality: header.incrementality == .differential ? .differential : .fullDataset,
            timestamp: Instant(wire: header.timestamp), feedVersion: header.feedVersion.nonEmpty)
    }
}

extension RealtimeEntity {
    static func all(of entity: TransitRealtime_FeedEntity) -> [RealtimeEntity] {
        let id = EntityID(entity.id)
        if entity.isDeleted { return [.deleted(id)] }
        var all: [RealtimeEntity] = []
        if entity.hasTripUpdate, entity.tripUpdate.hasTrip {
            all.append(.tripUpdate(TripUpdate(id, entity.tripUpdate)))
        }
        if entity.hasVehicle { all.append(.vehicle(VehiclePosition(id, entity.vehicle))) }
        if entity.hasAlert { all.append(.alert(Alert(id, entity.alert))) }
        return all
    }
}

// MARK: - Trip updates
extension TripUpdate {
    init(_ id: EntityID, _ update: TransitRealtime_TripUpdate) {
        self.init(
            id: id, trip: TripDescriptor(update.trip),
            vehicle: update.hasVehicle ? VehicleDescriptor(update.vehicle) : nil,
            updates: update.stopTimeUpdate.map(StopTimeUpdate.init), timestamp: Instant(wire: update.timestamp),
            delay: update.hasDelay ? update.delay : nil,
            properties: update.hasTripProperties ? TripProperties(update.tripProperties) : nil)
    }
}

extension StopTimeUpdate {
    init(_ update: TransitRealtime_TripUpdate.StopTimeUpdate) {
        self.init(
            sequence: update.hasStopSequence ? update.stopSequence : nil, stopID: .init(nonEmpty: update.stopID),
            arrival: update.hasArrival ? StopTimeEvent(update.arrival) : nil,
            departure: update.hasDeparture ? StopTimeEvent(update.departure) : nil,
            relationship: StopScheduleRelationship(rawValue: UInt8(update.scheduleRelationship.rawValue)) ?? .scheduled,
            assignedStopID: .init(nonEmpty: update.stopTimeProperties.assignedStopID),
            departureOccupancy: update.hasDepartureOccupancyStatus
                ? Occupancy(rawValue: UInt8(update.departureOccupancyStatus.rawValue)) : nil)
    }
}

extension StopTimeEvent {
    init(_ event: TransitRealtime_TripUpdate.StopTimeEvent) {
        self.init(
            time: Instant(wire: UInt64(bitPattern: event.time)), delay: event.hasDelay ? event.delay : nil,
            uncertainty: event.hasUncertainty ? event.uncertainty : nil,
            scheduledTime: Instant(wire: UInt64(bitPattern: event.scheduledTime)))
    }
}

extension TripProperties {
    init(_ properties: TransitRealtime_TripUpdate.TripProperties) {
        self.init(
            tripID: .init(nonEmpty: properties.tripID), startDate: ServiceDate(gtfs: properties.startDate.utf8),
            startTime: ServiceTime(wire: properties.startTime), shapeID: .init(nonEmpty: properties.shapeID),
            headsign: properties.tripHeadsign.nonEmpty, shortName: properties.tripShortName.nonEmpty)
    }
}

// MARK: - Descriptors and positions
extension TripDescriptor {
    init(_ trip: TransitRealtime_TripDescriptor) {
        self.init(
            tripID: .init(nonEmpty: trip.tripID), routeID: .init(nonEmpty: trip.routeID),
            direction: trip.hasDirectionID ? UInt8(exactly: trip.directionID).flatMap(Direction.init) : nil,
            startTime: ServiceTime(wire: trip.startTime), startDate: ServiceDate(gtfs: trip.startDate.utf8),
            relationship: TripScheduleRelationship(rawValue: UInt8(trip.scheduleRelationship.rawValue)) ?? .scheduled)
    }
}

extension VehicleDescriptor {
    init(_ vehicle: TransitRealtime_VehicleDescriptor) {
        let wheelchair: Accessibility? =
            switch vehicle.wheelchairAccessible {
            case .noValue: nil
            case .unknown: .unknown
            case .wheelchairAccessible: .possible
            case .wheelchairInaccessible: .notPossible
            }
        self.init(
            id: .init(nonEmpty: vehicle.id), label: vehicle.label.nonEmpty, licensePlate: vehicle.licensePlate.nonEmpty,
            wheelchair: wheelchair)
    }
}

extension VehiclePosition {
    init(_ id: EntityID, _ vehicle: TransitRealtime_VehiclePosition) {
        let position = vehicle.position
        let hasCoordinate = position.hasLatitude && position.hasLongitude
        let bearing = position.bearing == 360 ? 0 : position.bearing
        self.init(
            id: id, trip: vehicle.hasTrip ? TripDescriptor(vehicle.trip) : nil,
            vehicle: vehicle.hasVehicle ? VehicleDescriptor(vehicle.vehicle) : nil,
            coordinate: hasCoordinate
                ? Coordinate(latitude: Double(position.latitude), longitude: Double(position.longitude)) : nil,
            bearing: position.hasBearing && bearing >= 0 && bearing < 360 ? bearing : nil,
            speed: position.hasSpeed && position.speed >= 0 && position.speed.isFinite ? position.speed : nil,
            currentSequence: vehicle.hasCurrentStopSequence ? vehicle.currentStopSequence : nil,
            stopID: .init(nonEmpty: vehicle.stopID),
            status: VehicleStopStatus(rawValue: UInt8(vehicle.currentStatus.rawValue)) ?? .inTransitTo,
            timestamp: Instant(wire: vehicle.timestamp),
            occupancy: vehicle.hasOccupancyStatus
                ? Occupancy(rawValue: UInt8(vehicle.occupancyStatus.rawValue)) : nil,
            occupancyPercentage: vehicle.hasOccupancyPercentage ? vehicle.occupancyPercentage : nil)
    }
}

// MARK: - Alerts
extension Alert {
    init(_ id: EntityID, _ alert: TransitRealtime_Alert) {
        self.init(
            id: id,
            activePeriods: alert.activePeriod.map {
                .init(start: Instant(wire: $0.start), end: Instant(wire: $0.end))
            },
            informed: alert.informedEntity.map(InformedEntity.init),
            cause: AlertCause(rawValue: UInt8(alert.cause.rawValue)) ?? .unknown,
            effect: AlertEffect(rawValue: UInt8(alert.effect.rawValue)) ?? .unknown,
            severity: AlertSeverity(rawValue: UInt8(alert.severityLevel.rawValue)) ?? .unknown,
            url: TranslatedText(alert.url), header: TranslatedText(alert.headerText),
            description: TranslatedText(alert.descriptionText))
    }
}

extension InformedEntity {
    init(_ entity: TransitRealtime_EntitySelector) {
        self.init(
            agencyID: .init(nonEmpty: entity.agencyID), routeID: .init(nonEmpty: entity.routeID),
            routeType: entity.hasRouteType ? entity.routeType : nil,
            direction: entity.hasDirectionID ? UInt8(exactly: entity.directionID).flatMap(Direction.init) : nil,
            trip: entity.hasTrip ? TripDescriptor(entity.trip) : nil, stopID: .init(nonEmpty: entity.stopID))
    }
}

extension TranslatedText {
    init?(_ text: TransitRealtime_TranslatedString) {
        self.init(
            text.translation.compactMap { $0.text.isEmpty ? nil : .init($0.text, language: $0.language.nonEmpty) })
    }
}

// MARK: - Values
extension String {
    fileprivate var nonEmpty: String? { isEmpty ? nil : self }
}

extension Identifier {
    fileprivate init?(nonEmpty text: String) {
        guard !text.isEmpty else { return nil }
        self.init(text)
    }
}

extension Instant {
    /// 0 means unknown. Times after the year 9999 are invalid.
    fileprivate init?(wire seconds: UInt64) {
        guard seconds > 0, seconds <= 253_402_300_799 else { return nil }
        self.init(secondsSince1970: Int64(seconds))
    }
}

extension ServiceTime {
    fileprivate init?(wire text: String) {
        guard let time = Array(text.utf8).withUnsafeBufferPointer(ServiceTime.init(gtfs:)) else { return nil }
        self = time
    }
}
