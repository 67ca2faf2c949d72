internal import Synchronization
internal import TransitEngine
internal import TransitFeeds
internal import TransitModel

// Which routes call at a stop is asked as what leaves there is, in the same batches and with the same patience.
extension ArrivalsService {
    /// What has to be asked to know the routes at some stops; none where the network says it all.
    func lines(_ stops: [StopID], of feed: FeedID) -> [ArrivalsQuery] {
        guard let source = source(of: feed)?.lines else { return [] }
        return stops.map(source.query)
    }

    /// The routes that the last answers name, each once. Answers that came too long ago are left out.
    func routes(_ need: ArrivalsRequirement) -> [Route] {
        guard let source = source(of: need.feed), let lines = source.lines else { return [] }
        let now = dependencies.clock.now()
        let answers = feedStates.withLock { feedStates in
            need.queries.compactMap { query -> [UInt8]? in
                guard let answer = feedStates[need.feed]?.answers.answers[query] else { return nil }
                let usable = FreshnessPolicy(interval: source.lifetime(of: query)).usable
                return answer.received.advanced(by: usable) >= now ? answer.body : nil
            }
        }
        var known: Set<RouteID> = []
        // They could be read when they came.
        return answers.flatMap { (try? lines.routes($0)) ?? [] }.filter { known.insert($0.id).inserted }
    }
}
