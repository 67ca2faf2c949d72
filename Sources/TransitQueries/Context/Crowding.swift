package import TransitModel

/// The times and places at which an event fills trains and buses.
package struct CrowdingRule: Hashable, Sendable {
    /// The maximum distance between venue and station in meters: 1.5 miles.
    package var distance = 1.5 * EventsQuery.metersPerMile
    /// The crowd arrives in this many seconds before the start.
    package var beforeStart = 2 * 3600
    /// The last people arrive in this many seconds after the start.
    package var afterStart = 30 * 60
    /// The crowd leaves in this many seconds before and after the end.
    package var aroundEnd = 45 * 60
    /// The seconds between the start and the end if the source does not give the end.
    package var usualLength = 3 * 3600

    package init() {}

    /// Returns the period in which the crowd of an event travels to it, and the one in which it leaves; `nil` if the
    /// event has no time or does not take place.
    package func periods(of event: PublicEvent) -> (arriving: ClosedRange<Instant>, leaving: ClosedRange<Instant>)? {
        guard event.status.takesPlace, let start = event.start else { return nil }
        let end = max(start, event.end ?? start.advanced(by: usualLength))
        return (
            start.advanced(by: -beforeStart)...start.advanced(by: afterStart),
            end.advanced(by: -aroundEnd)...end.advanced(by: aroundEnd)
        )
    }
}

/// An event whose crowd travels through a station.
package struct Crowding: Hashable, Sendable {
    package enum Phase: Hashable, Sendable {
        case arriving, leaving
    }

    package var event: PublicEvent
    package var venue: EventVenue
    /// The nearest of the stations.
    package var station: NamedStation
    /// The distance between venue and station in meters.
    package var distance: Double
    package var phase: Phase
    /// The period in which the crowd travels.
    package var period: ClosedRange<Instant>
}

/// Returns the events whose crowds travel through one of the stations at a moment, in the order of the events.
///
/// An event counts if its venue is large or always listed, if it takes place, and if its venue is near a station. While
/// the periods of a short event overlap, the crowd is leaving.
///
/// - Parameter stations: The stations of a commute.
package func crowding(
    events: [PublicEvent], venues: VenueTable, stations: [NamedStation], at moment: Instant,
    rule: CrowdingRule = CrowdingRule()
) -> [Crowding] {
    events.compactMap { event in
        guard let venue = event.venue, let place = venue.coordinate, let periods = rule.periods(of: event),
            periods.arriving.contains(moment) || periods.leaving.contains(moment), venues.isNotable(venue.name)
        else { return nil }
        let near = stations.map { (station: $0, distance: $0.coordinate.distance(to: place)) }
        guard let nearest = near.min(by: { $0.distance < $1.distance }), nearest.distance <= rule.distance else {
            return nil
        }
        let phase: Crowding.Phase = periods.leaving.contains(moment) ? .leaving : .arriving
        return Crowding(
            event: event, venue: venue, station: nearest.station, distance: nearest.distance, phase: phase,
            period: phase == .leaving ? periods.leaving : periods.arriving)
    }
}
