internal import TransitControl
internal import TransitFeeds
internal import TransitModel
internal import TransitQueries
internal import TransitRefresh
internal import TransitReplies
internal import TransitServer
internal import TransitSystem
internal import TransitWire

/// Handles `feed.find`. The first search requests the catalog and waits for it.
struct FeedFindHandler: LongRunningMethodHandler {
    let data: ExternalData
    let refresh: RefreshService
    let geocoding: GeocodingService
    let clock: any DaemonClock

    /// The maximum number of seconds that a search waits for the catalog.
    private static let timeout = 20

    func reply(
        to parameters: FeedFindParameters, _ context: RequestContext, progress: ProgressReporter
    ) async throws -> FeedFindResult {
        let target = try FeedFindTarget(parameters, context.query)
        let snapshot = try await catalog(context, progress)
        var reply = FeedFindReply(parameters, received: snapshot.received)
        switch target {
        case .name(let text):
            reply.matches = snapshot.search.named(text)
            // The beginning of another name does not make the text the name of a town: Bern is not in San Bernardino.
            if !reply.matches.contains(where: \.isWhole), try await locate(text, parameters, context, &reply),
                let position = reply.position
            {
                let near = snapshot.search.near(position)
                let known = Set(near.map(\.entry.id))
                reply.matches = near + reply.matches.filter { !known.contains($0.entry.id) }
            }
        case .position(let position):
            reply.position = position
            reply.matches = snapshot.search.near(position)
        case .address(let text):
            guard try await locate(text, parameters, context, &reply), let position = reply.position else {
                throw Self.unknownPlace(text, context)
            }
            reply.matches = snapshot.search.near(position)
        }
        let source = ExternalDataStatusReader(data: data, refresh: refresh, clock: clock)
        reply.notices += source.notices(of: [.catalog], zone: context.zone)
        return reply.result(at: context.at, now: clock.now())
    }

    // MARK: The catalog

    /// Returns the catalog. If there is none, requests it; if it is old, requests it without waiting.
    private func catalog(
        _ context: RequestContext, _ progress: ProgressReporter
    ) async throws -> CatalogDataset.Snapshot {
        let catalog = data.catalog
        let now = context.now
        try await BlockingWork.run("external data", CancellationFlag()) { catalog.load(now: now) }
        if catalog.recordSearch(at: now) {
            refresh.events.send(.configured(RefreshConfiguration(data.configuration, isCatalogInUse: true)))
        }
        if let snapshot = catalog.snapshot {
            if catalog.isDue(at: now) {
                let hasFailed = refresh.record(.catalog)?.consecutiveFailures ?? 0 > 0
                refresh.waiters.requestRefresh(.catalog, force: !hasFailed, isWhole: false)
            }
            return snapshot
        }
        progress.report(RequestProgress(phase: "download", done: 0, total: nil, unit: "bytes"))
        await refresh.waiters.refresh(.catalog, atMost: Self.timeout, clock)
        if let snapshot = catalog.snapshot { return snapshot }
        let source = ExternalDataStatusReader(data: data, refresh: refresh, clock: clock)
        let reason = source.notices(of: [.catalog], zone: context.zone).first?.message
        throw ControlError(
            .catalogUnavailable, reason ?? "The catalog of feeds is still being downloaded.",
            hint: reason == nil
                ? "Repeat the search in a moment." : "Check the network connection, then repeat the search.")
    }

    // MARK: Addresses

    /// Searches a text with the geocoder, if one is configured.
    ///
    /// - Returns: Whether an address was found. If the geocoder cannot be reached, a notice says so.
    private func locate(
        _ text: String, _ parameters: FeedFindParameters, _ context: RequestContext, _ reply: inout FeedFindReply
    ) async throws -> Bool {
        guard let geocoder = context.configuration.geocoder, !CoordinateText.isLikely(text) else { return false }
        let query = GeocodingQuery(
            geocoder: geocoder, request: geocoder.request(text, near: nil, language: parameters.language),
            caFile: context.configuration.daemon.caFile)
        do throws(ControlError) {
            guard let address = try await geocoding.addresses(query).first else { return false }
            (reply.position, reply.address) = (address.coordinate, address.name)
            return true
        } catch {
            guard error.kind == .addressUnreachable || error.kind == .addressBusy else { throw error }
            reply.notices.append(Notice(kind: .failed, message: error.message))
            return false
        }
    }

    private static func unknownPlace(_ text: String, _ context: RequestContext) -> any Error {
        if context.configuration.geocoder == nil {
            return ControlError(
                .placeNotFound,
                "You have no place \"\(text)\", and no geocoder is configured that could find an address.",
                hint: "Give coordinates such as 37.3942,-122.0764, or search the name with: transitctl feed find TEXT")
        }
        do throws(QueryError) {
            _ = try context.query.places.place(text)
            return ControlError(.placeNotFound, "The position of \(text) is unknown.")
        } catch { return error }
    }
}
