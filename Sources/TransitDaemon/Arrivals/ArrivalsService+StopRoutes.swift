internal import Synchronization
internal import TransitEngine
internal import TransitFeeds
internal import TransitModel

// The routes at a stop are queried like its departures, in the same batches and with the same limits.
extension ArrivalsService {
    /// Returns the queries for the routes at some stops; empty if the network lists all routes.
    func stopRoutesQueries(_ stops: [StopID], of feed: FeedID) -> [ArrivalsQuery] {
        guard let source = source(of: feed)?.stopRoutes else { return [] }
        return stops.map(source.query)
    }

    /// Returns the routes in the last responses, without duplicates. Expired responses are left out.
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
        // They were parsed successfully on receipt.
        return bodies.flatMap { (try? lines.routes($0)) ?? [] }.filter { known.insert($0.id).inserted }
    }
}
