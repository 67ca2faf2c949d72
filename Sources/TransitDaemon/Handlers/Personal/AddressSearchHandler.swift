internal import TransitControl
internal import TransitFeeds
internal import TransitModel
internal import TransitQueries
internal import TransitReplies
internal import TransitStore
internal import TransitWire

/// Handles `address.search`.
struct AddressSearchHandler: LongRunningMethodHandler {
    let geocoding: GeocodingService

    func reply(
        to parameters: AddressSearchParameters, _ context: RequestContext, progress: ProgressReporter
    ) async throws(ControlError) -> AddressSearchResult {
        guard let geocoder = context.configuration.geocoder else {
            throw ControlError(
                .addressNotConfigured, "No geocoder is configured, so addresses cannot be searched.",
                hint: "Configure one in [geocoder] (transitd.toml(5)), or give LAT,LON or a stop.")
        }
        guard geocoder.allowsSuggestions || !parameters.partial else {
            throw ControlError(
                .addressNoSuggestions, "This geocoder does not allow suggestions while the user types.",
                hint: "Search for the whole address.")
        }
        // Spacing does not change the query.
        let text = parameters.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard !text.isEmpty else { throw ControlError(parameter: "text", "is blank.") }
        // Coordinates can reveal where a person lives, so they are never sent to the geocoder.
        guard !CoordinateText.isLikely(text) else {
            throw ControlError(
                .invalidParameters, "\"\(text)\" looks like coordinates, which transitd never sends to a geocoder.",
                hint: "Give them as LAT,LON, such as 37.3942,-122.0764.")
        }
        let query = GeocodingQuery(
            geocoder: geocoder,
            request: geocoder.request(text, near: context.regionHint, language: parameters.language),
            caFile: context.configuration.daemon.caFile)
        let found = try await geocoding.addresses(query)
        return AddressSearchResult(
            at: context.at,
            addresses: found.prefix(parameters.count).map {
                AddressMatch(name: $0.name, position: Position($0.coordinate))
            })
    }
}

extension RequestContext {
    /// The position of the middle stop in the first timetable's stop list, as a hint for the region of the address. The
    /// hint is never one of the caller's places, so the geocoder cannot infer where the caller lives.
    fileprivate var regionHint: Coordinate? {
        guard let timetable = feeds.lazy.compactMap(\.timetable).first else { return nil }
        let count = timetable.file.summary.counts.stops
        guard count > 0, let index = UInt32(exactly: count / 2) else { return nil }
        return (try? timetable.file.stop(StopIndex(index)))?.coordinate
    }
}
