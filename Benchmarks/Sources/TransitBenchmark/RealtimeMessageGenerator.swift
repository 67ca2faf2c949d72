import TransitFeeds
import TransitModel

/// Generates GTFS-Realtime messages of any size, which are the same on every machine.
///
/// As in real feeds, the trips of a route have the same stops in the same order and are consecutive. Every call has a
/// sequence, a stop, and the times and delays of arrival and departure, in about 37 bytes.
struct RealtimeMessageGenerator {
    var trips: Int
    var callsPerTrip = 20
    var tripsPerLine = 50
    /// The timestamp of the message.
    var now = Instant(secondsSince1970: 1_781_700_000)
    var serviceDate = ServiceDate(daysSince1970: 20_621)

    func message() -> [UInt8] {
        var writer = RealtimeWriter(RealtimeHeader(version: "2.0", timestamp: now))
        for trip in 0..<trips { writer.append(.tripUpdate(update(trip))) }
        return writer.bytes
    }

    private func update(_ trip: Int) -> TripUpdate {
        let line = trip / tripsPerLine
        let descriptor = TripDescriptor(
            tripID: TripID("trip_\(100_000 + trip)_wk"), routeID: RouteID("line_\(line)"),
            direction: trip.isMultiple(of: 2) ? .zero : .one, startDate: serviceDate)
        let delay = Int32(trip * 7 % 900 - 60)
        var update = TripUpdate(
            id: EntityID("\(trip)"), trip: descriptor, vehicle: VehicleDescriptor(id: VehicleID("v\(trip)")),
            timestamp: now.advanced(by: -trip % 60))
        update.updates = (0..<callsPerTrip).map { call in
            let arrival = now.advanced(by: trip % 3_600 + call * 90)
            return StopTimeUpdate(
                sequence: UInt32(call + 1), stopID: StopID("stop_\(1_000 + line * 13 + call)"),
                arrival: StopTimeEvent(time: arrival, delay: delay),
                departure: StopTimeEvent(time: arrival.advanced(by: 20), delay: delay))
        }
        return update
    }
}
