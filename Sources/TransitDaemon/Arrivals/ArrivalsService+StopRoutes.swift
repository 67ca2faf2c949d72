internal import Synchronization
internal import TransitEngine
internal import TransitFeeds
internal import TransitModel

// Queries for the routes at a stop are sent in the same batches and under the same limits as those for its
// departures.
extension ArrivalsService {
    /// Returns the queries for the routes at the given stops, or an empty list if the source has no such queries.
    func stopRoutesQueries(_ stops: [StopID], of feed: FeedID) -> [ArrivalsQuery] {
        guard let source = source(of: feed)?.stopRoutes else { return [] }
        return stops.map(source.query)
    }

    /// Returns the routes in the latest responses, without duplicates. Expired responses are left out.
    func routes(_ requirement: ArrivalsRequirement) -> [Route] {
        guard let source = source(of: requirement.feed), let lines = source.stopRoutes else { return [] }
        let now = dependencies.clock.now()
        let bodies = feedStates.withLock { feedStates in
            requirement.queries.compactMap { query -> [UInt8]? in
                guard let response = feedStates[requirement.feed]?.responses.responses[query] else { return nil }
                let usable = FreshnessPolicy(interval: source.lifetime(of: query)).usable
                return response.received.advanced(by: usable) >= now ? response.body : nil
            }
        }
        var known: Set<RouteID> = []
        // The bodies were parsed successfully on receipt.
        return bodies.flatMap { (try? lines.routes($0)) ?? [] }.filter { known.insert($0.id).inserted }
    }
}
