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

    /// - Parameters:
    ///   - direction: The direction for the caller: "work", "home", or another of the caller's places.
    ///   - walk: The walk to the stop in seconds; `nil` if it is not known.
    ///   - directTrip: The fields that a direct trip adds.
    func departure(
        _ merged: MergedDeparture, direction: String? = nil, walk: Int? = nil,
        directTrip: DepartureRenderer.DirectTripDetails? = nil
    ) throws(StoreError) -> Departure {
        let renderer = renderer(of: merged.timetable)
        guard let confirmation = merged.confirmation else {
            return try renderer.departure(merged, direction: direction, walk: walk, directTrip: directTrip)
        }
        var departure = try renderer.departure(merged, direction: direction, walk: walk, directTrip: directTrip)
        try self.renderer(of: confirmation.timetable).add(confirmation, to: &departure)
        return departure
    }

    private func renderer(of timetable: Timetable) -> DepartureRenderer {
        renderings.first { $0.timetable === timetable }
            ?? DepartureRenderer(timetable, context, language: language)
    }
}

extension DepartureRenderer.DirectTripDetails {
    init(_ found: DirectTrips.Found) {
        self.init(
            destination: found.directTrip.destination, arrival: found.directTrip.arrival, walkAfter: found.walkAfter)
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
