import TransitEngine
import TransitModel
import TransitTestSupport

@testable import TransitQueries

extension FeedBuilder {
    /// Bus "L" from `gate`, 120 m from City Park, to `lake`: daily at 08:45 (`l1`), 09:15 (`l2`) and 10:30 (`l3`).
    static let lake = FeedBuilder()
        .file(
            "agency.txt",
            "agency_id,agency_name,agency_url,agency_timezone\nlake,Lake Bus,https://lake.example,Europe/Berlin\n"
        )
        .file(
            "stops.txt",
            "stop_id,stop_name,stop_lat,stop_lon\ngate,Park Gate,53.5610,10.0205\nlake,Lake,53.5900,10.0600\n"
        )
        .file("routes.txt", "route_id,agency_id,route_short_name,route_type\nl,lake,L,3\n")
        .file("trips.txt", "route_id,service_id,trip_id\nl,daily,l1\nl,daily,l2\nl,daily,l3\n")
        .file(
            "stop_times.txt",
            """
            trip_id,arrival_time,departure_time,stop_id,stop_sequence
            l1,08:45:00,08:45:00,gate,1
            l1,09:00:00,09:00:00,lake,2
            l2,09:15:00,09:15:00,gate,1
            l2,09:30:00,09:30:00,lake,2
            l3,10:30:00,10:30:00,gate,1
            l3,10:45:00,10:45:00,lake,2

            """
        )
        .file(
            "calendar.txt",
            """
            service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date
            daily,1,1,1,1,1,1,1,20260101,20261231

            """)
}

extension QueryFixture {
    /// ``FeedBuilder/small``, and ``FeedBuilder/lake``, whose line begins next to City Park.
    static func withLake() throws -> QueryFixture { try QueryFixture([("city", .small, nil), ("lake", .lake, nil)]) }

    func journeys(
        _ from: String, _ to: String, at: String? = nil, isArrival: Bool = false,
        changes: Int = 3, count: Int = 5
    ) throws -> Journeys {
        try JourneysQuery(
            from: from, to: to, at: at, isArrival: isArrival, maximumChanges: changes, context
        ).result(count: count, context)
    }

    /// Returns journeys as `b1 27 08:00 > t1 27 08:30 > 08:40`, with days and times in Berlin.
    func lines(_ result: Journeys) throws -> [String] {
        try result.journeys.map { journey in
            let legs = try journey.legs.map { leg in
                let words = try line(leg.departure).split(separator: " ")
                let day = context.zone.civil(at: leg.departure.call.departure).date.components.day
                return "\(words[0]) \(day) \(words[1])"
            }
            let arrival = context.zone.rfc3339(journey.arrival).dropFirst(11).prefix(5)
            return (legs + ["\(arrival)"]).joined(separator: " > ")
        }
    }
}

extension TripUpdate {
    static func delay(_ trip: TripID, at stop: StopID, by seconds: Int32, uncertainty: Int32? = nil) -> TripUpdate {
        TripUpdate(
            id: EntityID(trip.rawValue), trip: TripDescriptor(tripID: trip),
            updates: [
                StopTimeUpdate(
                    stopID: stop, arrival: StopTimeEvent(delay: seconds, uncertainty: uncertainty),
                    departure: StopTimeEvent(delay: seconds, uncertainty: uncertainty))
            ])
    }

    static func cancellation(_ trip: TripID) -> TripUpdate {
        TripUpdate(
            id: EntityID(trip.rawValue),
            trip: TripDescriptor(
                tripID: trip, startDate: ServiceDate(iso8601: "2026-03-27"), relationship: .canceled))
    }
}
