internal import Logging
internal import Synchronization
internal import TransitEngine
internal import TransitFeeds
internal import TransitModel
internal import TransitRefresh

// Arrivals are a separate dataset, composed of the responses to many queries. As with a differential message, a
// response replaces only the previous response to the same query.
extension RealtimeFeed {
    /// Applies a response, which replaces the previous response to the same query. Requests see the new data as soon as
    /// this method returns.
    func receive(_ message: DecodedMessage, of query: ArrivalsQueryID, received: Instant, now: Instant) -> ReceiveResult
    {
        if let fault = UnreadableResponse(message) { return .refused("\(fault)") }
        return work.withLock { work in
            let longest = FreshnessPolicy(arrivals: work.arrivalsPolicy).plannedTimesLifetime
            let old = work.arrivals.remove(before: now.advanced(by: -longest))
            let new = work.arrivals.replace(message.entities, of: query, received: received)
            do {
                try apply(old + new, message.problems, received: received, &work)
                publish(work.snapshot)
                return .used
            } catch {
                return .refused("\(error)".asSentence)
            }
        }
    }

    /// Matches all responses to the current timetable version.
    func rematchArrivals(now: Instant, _ work: inout Work) {
        guard work.arrivals.count > 0 else { return }
        do { try apply(work.arrivals.entities, RealtimeProblems(), received: now, &work) } catch {
            logger.error("The last arrivals cannot be matched to the timetable: \(error)")
        }
    }

    /// Sets the rate limits of the source, which determine how long its responses are used.
    func setArrivalsPolicy(_ pace: ArrivalsPolicy) {
        work.withLock { work in
            work.arrivalsPolicy = pace
            work.snapshot?.arrivalsPolicy = pace
        }
    }

    /// Discards the arrivals of a source that was removed or replaced.
    func forgetArrivals() {
        work.withLock { work in
            work.arrivals = ArrivalsCache()
            work.snapshot?.responses[.arrivals] = nil
            publish(work.snapshot)
            removeCachedResponse(.arrivals)
        }
    }

    /// - Parameter problems: The problems of the last response, which represent the problems of all responses.
    private func apply(
        _ entities: [RealtimeEntity], _ problems: RealtimeProblems, received: Instant, _ work: inout Work
    ) throws {
        guard var snapshot = work.snapshot, let matcher = work.matcher else { return }
        let known = snapshot.responses[.arrivals]?.dataset
        let header = RealtimeHeader(
            incrementality: known == nil ? .fullDataset : .differential,
            timestamp: max(received, known?.header.timestamp ?? received))
        var builder = RealtimeDatasetBuilder(header: header, received: received, matcher: matcher, previous: known)
        for entity in entities { try builder.apply(entity) }
        snapshot.responses[.arrivals] = RealtimeResponse(dataset: try builder.finish(), problems: problems)
        work.snapshot = snapshot
    }
}
