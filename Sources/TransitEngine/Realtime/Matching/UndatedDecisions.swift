public import TransitModel

/// The service dates to which decisions without `start_date` refer: cancellations, and updates that only skip stops.
///
/// Publishers repeat a decision in every message, often for the rest of the day. A decision keeps the trip instance that
/// it meant when it first appeared, so that yesterday's cancellation does not cancel today's trip.
public struct UndatedDecisions: Hashable, Sendable {
    /// The date of a decision.
    public enum Meaning: Hashable, Sendable {
        case date(ServiceDate)
        /// Several trip instances were possible when the decision appeared. It applies to none of them.
        case ambiguous
    }

    /// By the published descriptor, which has no date.
    public private(set) var meanings: [TripDescriptor: Meaning] = [:]

    /// The maximum number of decisions that are kept. A message that cancels a whole network has fewer.
    static let maximumCount = 100_000

    public init() {}

    public subscript(trip: TripDescriptor) -> Meaning? {
        get { meanings[trip] }
        set {
            if newValue != nil, meanings[trip] == nil, meanings.count >= Self.maximumCount { return }
            meanings[trip] = newValue
        }
    }

    public var isEmpty: Bool { meanings.isEmpty }

    /// The approximate number of bytes in memory.
    var memoryEstimate: Int { meanings.count * (MemoryLayout<TripDescriptor>.stride + 64) }
}

extension TripUpdate {
    /// Whether the update only takes service away and states no date: it cancels a trip, or it skips calls and states
    /// nothing else.
    var isUndatedDecision: Bool {
        guard trip.startDate == nil else { return false }
        switch trip.relationship {
        case .canceled, .deleted: return true
        case .scheduled, .unscheduled:
            return delay == nil && !updates.isEmpty && updates.allSatisfy { $0.relationship == .skipped }
        case .added, .new, .replacement, .duplicated: return false
        }
    }
}

// MARK: - Datasets

extension RealtimeDatasetBuilder {
    /// Continues the decisions that were known before a restart, for the last message from before it.
    public mutating func restore(_ decisions: UndatedDecisions) {
        if knownDecisions.isEmpty { knownDecisions = decisions }
    }

    /// Stores to which trip instance a decision without a date refers.
    mutating func note(_ update: TripUpdate, _ found: Result<MatchedTrip, UnmatchedTrip>) {
        guard update.isUndatedDecision else { return }
        switch found {
        case .success(let instance): draft.undatedDecisions[update.trip] = .date(instance.key.serviceDate)
        case .failure(.ambiguousDate):
            draft.undatedDecisions[update.trip] = .ambiguous
            if let id = update.trip.tripID { draft.ambiguousDecisions.insert(id) }
        case .failure: break
        }
    }
}
