internal import TransitControl
internal import TransitEngine
internal import TransitModel
internal import TransitStore

/// Renders merged departures for the wire.
struct MergedDepartureRenderer {
    private let context: RequestContext
    private let language: String?
    private let renderings: [DepartureRenderer]

    /// - Parameter views: The timetables from which most of the departures come.
    init(_ views: [FeedView], _ context: RequestContext, language: String?) {
        self.context = context
        self.language = language
        renderings = views.map { DepartureRenderer($0, language: language) }
    }

    /// Returns the renderer for a timetable's names.
    func names(_ timetable: Timetable) -> NameRenderer { NameRenderer(timetable: timetable, language: language) }

    private func departure(
        _ call: ExpectedCall, of timetable: Timetable, direction: String? = nil,
        directTrip: DepartureRenderer.DirectTripDetails? = nil
    ) throws(StoreError) -> Departure {
        // Searches by position, because copying a renderer for each departure is expensive.
        guard let own = renderings.firstIndex(where: { $0.timetable === timetable }) else {
            return try context.rendering(timetable, language: language).departure(
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
        // Both feeds report the same vehicle.
        departure.vehicle = departure.vehicle ?? other.vehicle
        return departure
    }
}

extension NameRenderer {
    /// Returns the headsign of a departure.
    func headsign(of call: ExpectedCall) throws(StoreError) -> String? {
        switch call.subject {
        case .scheduled(let scheduled): try headsign(of: scheduled, timetable.file.trip(scheduled.trip))
        case .extra(let trip, _): try headsign(of: trip)
        }
    }

    /// Returns the first available of these: the trip's own headsign, the headsign of its variant, the headsign of the
    /// trip that it replaces if both end at the same stop, and the name of the last stop.
    func headsign(of trip: ExtraTrip) throws(StoreError) -> String? {
        let variant = try trip.variantTrip.map { (variant) throws(StoreError) in try timetable.file.trip(variant) }
        if let headsign = trip.headsign {
            // A trip that ends before the end of its pattern has a different headsign translation.
            let own = try variant?.headsign.map { (text) throws(StoreError) in try timetable.text(text) }
            let record =
                own == headsign ? variant.map { Translation.Subject.record(id: $0.id.rawValue, subID: nil) } : nil
            return try translated(
                headsign, "trips", "trip_headsign", as: [record, .value(headsign)].compactMap(\.self))
        }
        if let index = trip.variantTrip, let variant, let place = try timetable.file.locate(index) {
            return try headsign(of: variant, pattern: place.pattern)
        }
        guard let last = trip.calls.last else { return nil }
        if let replaced = trip.replaced?.trip, let place = try timetable.file.locate(replaced),
            place.pattern.calls.last?.stop == last.stop
        {
            return try headsign(of: timetable.file.trip(replaced), pattern: place.pattern)
        }
        return try callStop(last.stop).name
    }
}
