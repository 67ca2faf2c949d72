public import TransitModel

/// The trips with realtime data of one feed, in the form that a search for journeys reads, for one moment.
///
/// Which trips count, and with which times, is decided by ``ReportedTrip`` and ``RealtimeDatasetViews``, as for boards and
/// direct trips. Trips of the timetable about which there is realtime data are left out of the scheduled ones and are
/// searched here instead.
public final class JourneyRealtime {
    /// The data with its age at the moment of the request.
    let views: RealtimeDatasetViews
    let tables: JourneyRealtimeTables

    /// Returns `nil` if there is no realtime data that can affect journeys.
    public convenience init?(_ realtime: RealtimeDatasets?, _ network: JourneyNetwork, now: Instant) {
        guard let views = RealtimeDatasetViews(ofTrips: realtime, now: now) else { return nil }
        self.init(views, JourneyRealtimeBuilder(views, network).build())
    }

    init(_ views: RealtimeDatasetViews, _ tables: JourneyRealtimeTables) { (self.views, self.tables) = (views, tables) }

    /// Whether a scheduled trip is replaced by realtime data about it.
    ///
    /// - Parameters:
    ///   - isRepetition: Whether frequencies.txt repeats the trip.
    ///   - key: The key of the trip instance, which is needed for repetitions only.
    @inline(__always)
    func isHidden(_ trip: UInt32, _ date: ServiceDate, isRepetition: Bool, _ key: () -> TripInstanceKey) -> Bool {
        guard let entry = tables.entry(of: trip, date, isRepetition: isRepetition), entry.hidesScheduled else {
            return false
        }
        return isRepetition ? views.isHidden(key()) : true
    }

    /// Returns what a trip of a line is in the datasets.
    func source(of trip: Int) -> FoundTrip.Source {
        let trip = tables.trips[trip]
        return trip.isExtra
            ? .extra(view: Int(trip.view), number: Int(trip.number), destination: nil)
            : .reported(view: Int(trip.view), number: Int(trip.number))
    }

    /// Returns what a message states about a trip of a line that the timetable lacks; `nil` for a trip of the timetable.
    func extraTrip(of trip: Int) -> ExtraTrip? {
        let trip = tables.trips[trip]
        return trip.isExtra ? views[Int(trip.view)].dataset.extraTrips[Int(trip.number)] : nil
    }

    /// Returns the vehicle from whose position a trip was estimated; `nil` for other trips.
    func vehicle(of trip: ExtraTrip) -> VehicleDescriptor? {
        views.realtime.vehicle(ofEstimated: trip)?.position.vehicle
    }

    /// Returns the trip instance of a trip of a line; `nil` for a trip that the timetable lacks.
    func key(of trip: Int) -> TripInstanceKey? {
        let trip = tables.trips[trip]
        return trip.isExtra ? nil : views[Int(trip.view)].dataset.trips[Int(trip.number)].key
    }
}
