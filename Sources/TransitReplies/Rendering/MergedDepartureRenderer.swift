internal import TransitControl
internal import TransitEngine
internal import TransitModel
internal import TransitQueries
internal import TransitStore

/// Renders merged departures for the wire.
struct MergedDepartureRenderer {
    private let context: QueryContext
    private let language: String?
    private let renderings: [DepartureRenderer]

    /// - Parameter timetables: The timetables from which most of the departures come.
    init(_ timetables: [Timetable], _ context: QueryContext, language: String?) {
        self.context = context
        self.language = language
        renderings = timetables.map { DepartureRenderer($0, context, language: language) }
    }

    /// Returns the renderer for a timetable's names.
    func names(_ timetable: Timetable) -> NameRenderer { NameRenderer(timetable, language: language) }

    private func departure(
        _ call: ExpectedCall, of timetable: Timetable, direction: String? = nil,
        directTrip: DepartureRenderer.DirectTripDetails? = nil
    ) throws(StoreError) -> Departure {
        // Searches by position, because copying a renderer for each departure is expensive.
        guard let own = renderings.firstIndex(where: { $0.timetable === timetable }) else {
            return try DepartureRenderer(timetable, context, language: language).departure(
                call, direction: direction, directTrip: directTrip)
        }
        return try renderings[own].departure(call, direction: direction, directTrip: directTrip)
    }

    /// - Parameters:
    ///   - direction: The direction for the caller: "work", "home", or another of the caller's places.
    ///   - directTrip: The fields that a direct trip adds.
    func departure(
        _ merged: MergedDeparture, direction: String? = nil, directTrip: DepartureRenderer.DirectTripDetails? = nil
    ) throws(StoreError) -> Departure {
        guard let confirmation = merged.confirmation else {
            return try self.departure(merged.call, of: merged.timetable, direction: direction, directTrip: directTrip)
        }
        var departure = try self.departure(
            merged.call, of: merged.timetable, direction: direction, directTrip: directTrip)
        let other = try self.departure(confirmation.call, of: confirmation.timetable)
        departure.confirmedBy = ConfirmingDeparture(
            feed: other.feed, departure: other.id, expected: other.time, source: other.source, status: other.status,
            difference: confirmation.difference, agrees: confirmation.isAgreed, isUsed: confirmation.isUsed)
        if confirmation.isUsed, other.scheduledHeadsign != nil {
            departure.scheduledHeadsign = departure.headsign
            departure.headsign = other.headsign
        }
        // Both feeds report the same vehicle.
        departure.vehicle = departure.vehicle ?? other.vehicle
        return departure
    }
}

extension DepartureRenderer.DirectTripDetails {
    init(_ found: DirectTrips.Found) {
        self.init(
            destination: found.journey.destination, arrival: found.journey.arrival, walkBefore: found.walkBefore,
            walkAfter: found.walkAfter)
    }
}

extension TravelDirection {
    /// The direction on the wire: the name of the place to which the departure leads; `nil` if it is unknown.
    var placeName: String? {
        switch self {
        case .home: CommuteList.home
        case .work: CommuteList.work
        case .unknown: nil
        }
    }
}
