internal import Logging
internal import Synchronization
internal import TransitEngine
internal import TransitFeeds
internal import TransitModel

// Arrivals are a dataset of their own, made of many answers: each replaces what the same question was answered before, as a
// differential message does.
extension RealtimeFeed {
    /// Puts an answer in the place of the one before it; questions are answered from it at the return.
    func take(_ message: DecodedMessage, of query: ArrivalsQueryID, received: Instant, now: Instant) -> Taken {
        if let fault = UnreadableResponse(message) { return .refused("\(fault)") }
        return work.withLock { work in
            let longest = FreshnessPolicy(arrivals: work.arrivalsPace).plan
            let old = work.arrivals.drop(before: now.advanced(by: -longest))
            let new = work.arrivals.take(message.entities, of: query, received: received)
            do {
                try apply(old + new, message.problems, received: received, &work)
                publish(work.side)
                return .used
            } catch {
                return .refused("\(error)".asSentence)
            }
        }
    }

    /// Matches all answers to the timetable in use.
    func followArrivals(now: Instant, _ work: inout Work) {
        guard work.arrivals.count > 0 else { return }
        do { try apply(work.arrivals.entities, RealtimeProblems(), received: now, &work) } catch {
            logger.error("The last arrivals do not fit the timetable: \(error)")
        }
    }

    /// Sets how the source is queried and how long its answers are used.
    func setArrivalsPace(_ pace: ArrivalsPolicy) {
        work.withLock { work in
            work.arrivalsPace = pace
            work.side?.arrivalsPace = pace
        }
    }

    /// The feed has no arrivals any more, or those of another source.
    func forgetArrivals() {
        work.withLock { work in
            work.arrivals = ArrivalsCache()
            work.side?.told[.arrivals] = nil
            publish(work.side)
            forget(.arrivals)
        }
    }

    /// - Parameter problems: those of the last answer, which stand for all.
    private func apply(
        _ entities: [RealtimeEntity], _ problems: RealtimeProblems, received: Instant, _ work: inout Work
    ) throws {
        guard var side = work.side, let matcher = work.matcher else { return }
        let known = side.told[.arrivals]?.dataset
        let header = RealtimeHeader(
            incrementality: known == nil ? .fullDataset : .differential,
            timestamp: max(received, known?.header.timestamp ?? received))
        var builder = RealtimeDatasetBuilder(header: header, received: received, matcher: matcher, previous: known)
        for entity in entities { try builder.apply(entity) }
        side.told[.arrivals] = RealtimeResponse(dataset: try builder.finish(), problems: problems)
        work.side = side
    }
}
