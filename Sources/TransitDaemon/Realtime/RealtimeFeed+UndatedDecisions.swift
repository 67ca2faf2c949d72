internal import Logging
internal import TransitEngine
internal import TransitFeeds
internal import TransitModel
internal import TransitQueries
internal import TransitStore

// The service dates of decisions without `start_date`, stored beside the message that repeats the decisions. A restart
// does not change which trip a cancellation means.

extension RealtimeFeed {
    private static func file(_ kind: DatasetKind) -> String { "\(kind.rawValue)-undated" }

    /// Stores the decisions in the dataset that is in use, if they have changed.
    func saveUndatedDecisions(_ kind: DatasetKind, received: Instant, _ work: inout Work) {
        let decisions = work.snapshot?.responses[kind]?.dataset.undatedDecisions ?? UndatedDecisions()
        guard decisions != work.undatedDecisions[kind] ?? UndatedDecisions() else { return }
        // The file is a message whose descriptors have the dates. One without a date is ambiguous.
        let updates = decisions.meanings.enumerated().map { (number, decision) -> RealtimeEntity in
            let (trip, meaning) = decision
            var dated = trip
            if case .date(let date) = meaning { dated.startDate = date }
            return .tripUpdate(TripUpdate(id: EntityID("\(number)"), trip: dated))
        }
        let body = RealtimeWriter.bytes(RealtimeHeader(version: "2.0", timestamp: received), updates)
        cacheFile(CachedRealtimeResponse(body: body, fetched: received), Self.file(kind))
        work.undatedDecisions[kind] = decisions
    }

    func removeUndatedDecisions(_ kind: DatasetKind) { removeCachedFile(Self.file(kind)) }

    /// Reads the decisions that were stored with the last message.
    func restoreUndatedDecisions(_ kind: DatasetKind, now: Instant, _ work: inout Work) {
        var decisions = UndatedDecisions()
        if let stored = cachedFile(Self.file(kind), now: now) {
            do {
                _ = try RealtimeReader(stored.body).read { entity in
                    guard case .tripUpdate(let update) = entity else { return }
                    var trip = update.trip
                    trip.startDate = nil
                    decisions[trip] = update.trip.startDate.map { .date($0) } ?? .ambiguous
                }
            } catch {
                logger.error("The dates of cancellations in \(kind.rawValue) cannot be read: \(error)")
            }
        }
        work.undatedDecisions[kind] = decisions
    }
}
