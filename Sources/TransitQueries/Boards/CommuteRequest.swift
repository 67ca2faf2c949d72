package import TransitEngine
package import TransitModel
internal import TransitStore

/// A commute, or the way between two ends that a caller names, with the stops that serve both ends.
package struct CommuteRequest {
    package let entry: CommuteList.Entry
    package let commuteList: CommuteList
    package let origins: [AccessStops]
    package let destinations: [AccessStops]
    /// The time zone of the stop where the way begins.
    package let zone: ServiceZone
    /// The time that the caller names; `nil` for now.
    package let time: QueryTime?

    /// - Parameters:
    ///   - commute: The name of a commute; `nil` for the commute in use or the one that the time of day suggests.
    ///   - requested: The origin and the destination of a way that is not a saved commute, each a place, a
    ///     ``RequestedPosition``, or a text that ``StopFinder`` accepts; `nil` for a commute.
    ///   - at: The time of the query as the caller writes it; `nil` for now.
    /// - Throws: The errors of ``CommuteList``, ``StopFinder`` and ``AccessStopFinder``, `QueryTimeError` and
    ///   `StoreError`.
    package init(
        commute: String? = nil, between requested: (from: String, to: String)? = nil, at: String?,
        _ context: QueryContext
    ) throws {
        // This check precedes the search for the commute, because no commute can exist without a feed.
        if context.feeds.isEmpty { throw QueryError.noData([]) }
        commuteList = context.commuteList
        let moment = try context.moment(at, zone: context.zone)
        entry =
            try requested.map { [commuteList] in
                try Self.requested(from: $0.from, to: $0.to, commuteList, context)
            }
            ?? commute.map { [commuteList] (name) throws(QueryError) in try commuteList.entry(named: name) }
            ?? commuteList.chosen(at: moment, zone: context.zone, returnHour: context.settings.returnHour)
        let search = AccessStopFinder(context)
        origins = try search.stops(for: commuteList.requestedEnd(entry.commute.from))
        destinations = try search.stops(for: commuteList.requestedEnd(entry.commute.to))
        zone = try origins.first?.zone ?? context.zone
        time = try context.time(at, zone: zone)
    }

    /// Returns the way between two ends of a request.
    private static func requested(
        from: String, to: String, _ commuteList: CommuteList, _ context: QueryContext
    ) throws -> CommuteList.Entry {
        let origin = try context.requestedEnd(from, commuteList)
        let destination = try context.requestedEnd(to, commuteList)
        guard origin.end != destination.end else { throw QueryError.sameEnds(origin.name) }
        let commute = CommuteConfiguration(
            name: "\(origin.name) to \(destination.name)", from: origin.end, to: destination.end)
        return CommuteList.Entry(commute: commute, definition: .request)
    }

    /// The time of the query.
    package func at(_ context: QueryContext) -> Instant { time?.start ?? context.now }

    /// Whether the caller names a day without a time of day.
    package var isForDay: Bool { time?.end != nil }

    /// Whether the request still refers to the current versions of its timetables.
    package func isCurrent(_ context: QueryContext) -> Bool {
        (origins + destinations).allSatisfy { context.isCurrent($0.timetable) }
    }
}

extension QueryContext {
    /// Returns the origin or the destination of a request, as the end of a commute and with its name.
    ///
    /// - Parameter text: A place, a position, or a text that ``StopFinder`` accepts.
    /// - Throws: ``QueryError/placeNotSet(_:)`` and the errors of ``StopFinder``.
    fileprivate func requestedEnd(_ text: String, _ commuteList: CommuteList) throws -> (name: String, end: String) {
        if let position = RequestedPosition(text) { return (position.name ?? text, text) }
        if let place = commuteList.placeName(meantBy: text) { return (place, place) }
        if text == CommuteList.home || text == CommuteList.work { throw QueryError.placeNotSet(text) }
        let found = try StopFinder(timetables(of: nil, naming: text), self).find(text)
        return (found.stop.name, QualifiedStop.text(of: try found.references()))
    }
}

extension CommuteList {
    /// Returns an end of a commute or of a request, which may be a position.
    func requestedEnd(_ text: String) -> End {
        guard let position = RequestedPosition(text) else { return end(text) }
        return .place(name: position.name ?? text, PlaceConfiguration(location: .coordinate(position.coordinate)))
    }
}
